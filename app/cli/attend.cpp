// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/attend.hpp"

#include <array>
#include <chrono>
#include <csignal>
#include <functional>
#include <string>

#include "app/cli/terminal.hpp"

namespace tessera {
namespace {

volatile std::sig_atomic_t interrupted = 0;

// While this lives, signals are noted. The second one has its ordinary effect; signals that are ignored, as under nohup, stay so.
class Interrupts {
 public:
  Interrupts() {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      struct sigaction ours {};
      ours.sa_handler = [](int) { interrupted = 1; };
      ours.sa_flags = static_cast<int>(SA_RESETHAND);
      ::sigaction(numbers[i], nullptr, &before_[i]);
      if (before_[i].sa_handler != SIG_IGN) ::sigaction(numbers[i], &ours, nullptr);
    }
  }
  ~Interrupts() {
    for (std::size_t i = 0; i < numbers.size(); ++i) ::sigaction(numbers[i], &before_[i], nullptr);
  }
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

 private:
  static constexpr std::array<int, 3> numbers{SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, numbers.size()> before_{};
};

}  // namespace

void attend(const std::function<bool(std::chrono::milliseconds most)>& ended, const std::function<void()>& cancel,
            const std::function<std::string()>& progress) {
  const Interrupts interrupts;
  while (!ended(std::chrono::milliseconds(30))) {
    if (interrupted) cancel();
    show_progress(progress());
  }
  end_progress();
}

}  // namespace tessera
