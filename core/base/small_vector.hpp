// SPDX-License-Identifier: BSD-3-Clause
// A vector of trivially copyable values whose first N need no heap: the modes of a layout are nearly always few.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <type_traits>

namespace tessera {

template <class T, std::size_t N>
class SmallVector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  SmallVector() {}  // leaves the inline values uninitialised
  SmallVector(const SmallVector& other) { *this = other; }
  SmallVector& operator=(const SmallVector& other) {
    if (this == &other) return *this;
    size_ = 0;
    for (const T& value : other) push_back(value);
    return *this;
  }
  ~SmallVector() {
    if (data_ != local()) delete[] data_;
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return data_; }
  const T* data() const { return data_; }
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

  void push_back(T value) {  // by value: it stays in registers
    if (size_ == capacity_) grow();
    data_[size_++] = value;
  }
  // Makes room for n values at the end, to be written through the pointer.
  T* extend(std::size_t n) {
    while (size_ + n > capacity_) grow();
    size_ += n;
    return data_ + (size_ - n);
  }
  void shrink(std::size_t by) {
    assert(by <= size_);
    size_ -= by;
  }
  // Shrinks, or grows with copies of `value`.
  void resize(std::size_t n, T value = T{}) {
    while (size_ < n) push_back(value);
    size_ = n;
  }
  void clear() { resize(0); }
  void reverse() { std::reverse(begin(), end()); }

 private:
  [[gnu::noinline]] void grow() {
    T* const larger = new T[2 * capacity_];
    std::copy(data_, data_ + size_, larger);
    if (data_ != local()) delete[] data_;
    data_ = larger;
    capacity_ *= 2;
  }

  T* local() { return reinterpret_cast<T*>(inline_); }

  T* data_ = local();  // the heap's, once there were more than N values
  std::size_t size_ = 0;
  std::size_t capacity_ = N;
  alignas(T) unsigned char inline_[N * sizeof(T)];
};

}  // namespace tessera
