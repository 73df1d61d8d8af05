// SPDX-License-Identifier: BSD-3-Clause
// A program that is started, with lines in and lines out, that can always be got rid of.
//
// It runs in a session of its own: killing reaches its children (a shell's program, ssh), and it cannot ask a question on the
// terminal. Writing to one that has died is an Error, not a SIGPIPE. Reading waits at most as long as it is told.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
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

  enum class Silence { closed, timed_out, stopped };  // why no line came
  std::variant<std::string, Silence> read_line(std::chrono::milliseconds limit, const std::stop_token& stop);

  // Closes its input, waits, kills with all its children if it has not gone. How it ended, in words:
  // "ended with exit code 1", "was killed by signal 11 (Segmentation fault)".
  std::string end(std::chrono::milliseconds patience);

  bool running();
  std::string last_words() const;  // the end of what it wrote to stderr

 private:
  ChildProcess(pid_t pid, int to, int from, int errors) : pid_(pid), to_(to), from_(from), errors_(errors) {}
  void take_errors();
  void close_all();

  pid_t pid_ = -1;
  int to_ = -1, from_ = -1, errors_ = -1;
  std::optional<int> status_;  // as waitpid gave it
  std::string pending_;        // read, not yet a whole line
  std::string stderr_tail_;
};

}  // namespace tessera
