// SPDX-License-Identifier: BSD-3-Clause
// Lines of a file, a pipe or a terminal as they come, without their newlines.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <string>
#include <string_view>

#include <unistd.h>

namespace tessera {

// Of a line that is longer than `longest` bytes only the beginning is kept, one byte more than that: no input can fill the memory.
class InputLines {
 public:
  InputLines(int file, std::size_t longest) : file_(file), longest_(longest), buffer_(std::size_t{1} << 16, '\0') {}

  // False at the end of the input, and where it cannot be read.
  bool next(std::string& line) {
    line.clear();
    for (bool began = false;; began = true) {
      if (at_ == end_ && !fill()) return began;
      const std::string_view ready = std::string_view(buffer_).substr(at_, end_ - at_);
      const std::size_t newline = ready.find('\n');
      line += ready.substr(0, std::min(newline, longest_ + 1 - std::min(line.size(), longest_ + 1)));
      at_ = newline == std::string_view::npos ? end_ : at_ + newline + 1;
      if (newline != std::string_view::npos) return true;
    }
  }
  bool has_line_ready() const { return std::string_view(buffer_).substr(at_, end_ - at_).find('\n') != std::string_view::npos; }
  int error() const { return error_; }  // errno, or 0

 private:
  bool fill() {
    ssize_t n = 0;
    while ((n = ::read(file_, buffer_.data(), buffer_.size())) < 0 && errno == EINTR) {
    }
    error_ = n < 0 ? errno : 0;
    at_ = 0;
    end_ = n > 0 ? static_cast<std::size_t>(n) : 0;
    return n > 0;
  }

  int file_, error_ = 0;
  std::size_t longest_;
  std::string buffer_;
  std::size_t at_ = 0, end_ = 0;
};

}  // namespace tessera
