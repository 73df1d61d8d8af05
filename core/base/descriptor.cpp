// SPDX-License-Identifier: BSD-3-Clause
// Descriptors, and writing to them until everything has arrived.
#include "core/base/descriptor.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <ctime>  // timespec
#include <limits>
#include <string_view>
#include <utility>

namespace tessera {

int Descriptor::close() {
  if (number_ < 0) return 0;
  const bool failed = ::close(std::exchange(number_, -1)) != 0;
  return failed && errno != EINTR ? errno : 0;  // EINTR: it is closed all the same
}

QuietWrites::QuietWrites() {
  sigset_t pending;
  sigpending(&pending);
  sigset_t quiet;
  sigemptyset(&taken_);
  sigemptyset(&quiet);
  for (const int number : {SIGPIPE, SIGXFSZ}) {
    sigaddset(&quiet, number);
    if (sigismember(&pending, number) != 1) sigaddset(&taken_, number);
  }
  pthread_sigmask(SIG_BLOCK, &quiet, &before_);
}

QuietWrites::~QuietWrites() {
  const int error = errno;
  const timespec at_once{0, 0};
  while (sigtimedwait(&taken_, nullptr, &at_once) > 0 || errno == EINTR) {
  }
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  errno = error;
}

int write_whole(int descriptor, std::string_view bytes, std::chrono::milliseconds patience) {
  const QuietWrites quiet;
  while (!bytes.empty()) {
    const ssize_t n = ::write(descriptor, bytes.data(), bytes.size());
    if (n > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(n));
    } else if (n == 0) {
      return EIO;
    } else if (errno == EAGAIN) {
      pollfd writable{descriptor, POLLOUT, 0};
      const int limit = static_cast<int>(std::clamp<std::int64_t>(patience.count(), 0, std::numeric_limits<int>::max()));
      if (::poll(&writable, 1, limit) == 0) return ETIMEDOUT;
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

}  // namespace tessera
