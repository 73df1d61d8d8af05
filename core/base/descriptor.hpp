// SPDX-License-Identifier: BSD-3-Clause
// What every use of POSIX files needs: a descriptor that closes itself, writes that are whole, and signals that stay errors.
#pragma once

#include <signal.h>  // sigset_t

#include <chrono>
#include <string_view>
#include <utility>

namespace tessera {

// A file descriptor that is closed at the end of its scope; below zero: none.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() { (void)close(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) (void)close(), number_ = std::exchange(other.number_, -1);
    return *this;
  }

  int get() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }
  // Some file systems find out here that bytes did not fit. 0, or the error's number.
  int close();

 private:
  int number_;
};

// While it lives, a write of this thread to a pipe without a reader (SIGPIPE) or beyond a size limit (SIGXFSZ) is an error of that
// write and ends no program. A signal that our own write raised is taken off again.
class QuietWrites {
 public:
  QuietWrites();
  ~QuietWrites();
  QuietWrites(const QuietWrites&) = delete;
  QuietWrites& operator=(const QuietWrites&) = delete;

 private:
  sigset_t taken_{}, before_{};
};

// Writes all bytes, also to a descriptor that does not block, as long as the other side takes some of them within `patience`.
// 0, or the error's number.
int write_whole(int descriptor, std::string_view bytes, std::chrono::milliseconds patience);

}  // namespace tessera
