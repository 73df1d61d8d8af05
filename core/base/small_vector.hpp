// SPDX-License-Identifier: BSD-3-Clause
// A vector of trivially copyable values whose first N need no heap: the modes of a layout are nearly always few.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace tessera {

template <class T, std::size_t N>
class SmallVector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  SmallVector() {}  // leaves the inline values uninitialised
  SmallVector(const SmallVector& other) { *this = other; }
  SmallVector& operator=(const SmallVector& other) {
    if (this == &other) return *this;
    spill_ = other.spill_;
    size_ = other.size_;
    if (spill_.empty()) std::copy(other.local(), other.local() + size_, local());
    return *this;
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return spill_.empty() ? local() : spill_.data(); }
  const T* data() const { return spill_.empty() ? local() : spill_.data(); }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](std::size_t i) {
    assert(i < size_);
    return data()[i];
  }
  const T& operator[](std::size_t i) const {
    assert(i < size_);
    return data()[i];
  }
  T& back() {
    assert(size_ > 0);
    return data()[size_ - 1];
  }
  const T& back() const {
    assert(size_ > 0);
    return data()[size_ - 1];
  }

  void push_back(const T& value) {
    if (size_ < N && spill_.empty())
      local()[size_++] = value;
    else
      push_to_heap(value);
  }
  // Shrinks, or grows with copies of `value`.
  void resize(std::size_t n, const T& value = T{}) {
    while (size_ < n) push_back(value);
    size_ = n;
  }
  void clear() { resize(0); }
  void reverse() { std::reverse(begin(), end()); }

 private:
  [[gnu::noinline]] void push_to_heap(const T& value) {
    const T kept = value;  // may be one of ours
    if (spill_.empty()) spill_.assign(local(), local() + size_);
    spill_.resize(size_);
    spill_.push_back(kept);
    ++size_;
  }

  T* local() { return reinterpret_cast<T*>(inline_); }
  const T* local() const { return reinterpret_cast<const T*>(inline_); }

  alignas(T) unsigned char inline_[N * sizeof(T)];
  std::vector<T> spill_;  // all values, once there were more than N
  std::size_t size_ = 0;
};

}  // namespace tessera
