// SPDX-License-Identifier: BSD-3-Clause
// One thread that sleeps in poll(): it costs nothing while kernels are timed.
#include "kernels/runtime/worker/orphan_watch.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <functional>
#include <thread>
#include <utility>

namespace tessera {

OrphanWatch::OrphanWatch(int output, std::function<void()> on_orphaned) : stop_(::eventfd(0, EFD_CLOEXEC)) {
  if (stop_ < 0) return;  // without a descriptor left there is no watch, and the next write tells
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // signals are the main thread's
  thread_ = std::thread([stop = stop_, output, on_orphaned = std::move(on_orphaned)] {
    for (;;) {
      std::array<pollfd, 2> ends{{{stop, POLLIN, 0}, {output, 0, 0}}};  // errors and hang-ups are told unasked
      if (::poll(ends.data(), ends.size(), -1) < 0 && errno != EINTR) return;
      if (ends[0].revents != 0) return;
      if ((ends[1].revents & (POLLERR | POLLHUP)) != 0) return on_orphaned();
      if (ends[1].revents != 0) return;  // no descriptor to watch
    }
  });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

OrphanWatch::~OrphanWatch() {
  if (stop_ < 0) return;
  const std::uint64_t one = 1;
  const bool told = ::write(stop_, &one, sizeof one) == sizeof one;
  if (told && thread_.joinable()) thread_.join();
  if (!told && thread_.joinable()) thread_.detach();
  ::close(stop_);
}

}  // namespace tessera
