// SPDX-License-Identifier: BSD-3-Clause
// A program that is started, with lines in and lines out, that can always be got rid of.
//
// It runs in a session of its own: killing reaches its children (a shell's program, ssh), and it cannot ask a question on the
// terminal. Writing to one that has died is an Error, not a SIGPIPE. Reading waits at most as long as it is told, and keeps at most as
// much. When this process ends in whatever way, SIGKILL included, the program and its children are killed: a second, sleeping process
// of their group (see the source) waits for nothing else.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/result.hpp"

namespace tessera {

class ChildProcess {
 public:
  // The program (searched for in $PATH when its name has no slash) and its arguments; no shell reads them.
  static Result<ChildProcess> start(const std::vector<std::string>& arguments);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  ~ChildProcess();  // kills what is left

  Status write_line(const std::string& line, std::chrono::milliseconds limit);

  enum class Silence { closed, timed_out, stopped, too_long };  // why no line came
  // Half a line counts as none. A line of more than `most_bytes` is given up; what follows is not to be trusted then.
  std::variant<std::string, Silence> read_line(std::chrono::milliseconds limit, std::size_t most_bytes, const std::stop_token& stop);

  // Closes its input, waits, kills with all its children if it has not gone. How it ended, in words:
  // "ended with exit code 1", "was killed by signal 11 (Segmentation fault)".
  std::string end(std::chrono::milliseconds patience);

  // Gives away what it writes to stderr, in pieces, as read_line, write_line and end come by it.
  void on_errors(std::function<void(std::string_view)> listener) { listener_ = std::move(listener); }

  bool running();
  std::string last_words() const;  // the end of what it wrote to stderr

 private:
  ChildProcess() = default;
  void take_errors();
  void close_all();
  bool reap(std::chrono::milliseconds patience);

  pid_t pid_ = -1;  // and its group's
  int to_ = -1, from_ = -1, errors_ = -1;
  int lifeline_ = -1;          // closed when this process ends; nothing is written to it
  std::optional<int> status_;  // as waitpid gave it
  std::string pending_;        // read, not yet a whole line
  std::size_t taken_ = 0;      // bytes of pending_ that were given out
  std::string stderr_tail_;
  std::function<void(std::string_view)> listener_;  // of stderr; may be empty
};

}  // namespace tessera
