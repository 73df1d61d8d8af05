// SPDX-License-Identifier: BSD-3-Clause
// Real processes for tests of races and of killed writers.
#pragma once

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <functional>
#include <utility>

namespace tessera::test {

// A child that runs `work` and exits with what it returns. It starts when start() is called, so that several start together.
class Child {
 public:
  explicit Child(const std::function<int()>& work) {
    if (::pipe(gate_.data()) != 0) return;
    pid_ = ::fork();
    if (pid_ != 0) return;
    char go = 0;
    ::close(gate_[1]);
    (void)!::read(gate_[0], &go, 1);
    ::_exit(work());
  }
  ~Child() {
    if (pid_ > 0) kill(), (void)wait();
    for (const int end : gate_) {
      if (end >= 0) ::close(end);
    }
  }
  Child(Child&& other) noexcept : gate_(std::exchange(other.gate_, {-1, -1})), pid_(std::exchange(other.pid_, -1)) {}
  Child& operator=(Child&&) = delete;

  void start() { (void)!::write(gate_[1], "g", 1); }
  void kill() const { ::kill(pid_, SIGKILL); }
  // Its exit code; 128 + signal when it was killed.
  int wait() {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  std::array<int, 2> gate_{-1, -1};
  pid_t pid_ = -1;
};

}  // namespace tessera::test
