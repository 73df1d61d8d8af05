// SPDX-License-Identifier: BSD-3-Clause
// Two uses of a byte by different threads in one epoch, one of them a write, have no order.
#include "tests/host/shared_memory.hpp"

#include <fmt/format.h>

namespace tessera::host {
namespace {

Error fault(std::string message) { return Error{ErrorCode::wrong_result, std::move(message), {}, {}}; }

}  // namespace

Status SharedMemory::read(std::int64_t at, std::int64_t size, int thread, int epoch) {
  for (std::int64_t i = at; i < at + size; ++i) {
    Byte& byte = bytes_[static_cast<std::size_t>(i)];
    if (byte.in_flight) return fault(fmt::format("thread {} reads byte {} of shared memory before its copy has arrived", thread, i));
    if (byte.written == epoch && byte.writer != thread)
      return fault(fmt::format("thread {} reads byte {} of shared memory, which thread {} wrote, with no barrier between them", thread, i,
                               byte.writer));
    byte.reader = byte.was_read == epoch && byte.reader != thread ? kSeveral : thread;
    byte.was_read = epoch;
  }
  return Done{};
}

Status SharedMemory::check_write(std::int64_t at, std::int64_t size, int thread, int epoch) const {
  for (std::int64_t i = at; i < at + size; ++i) {
    const Byte& byte = bytes_[static_cast<std::size_t>(i)];
    if (byte.in_flight) return fault(fmt::format("thread {} writes byte {} of shared memory before its copy has arrived", thread, i));
    if (byte.written == epoch && byte.writer != thread && byte.writer != kNobody)
      return fault(fmt::format("threads {} and {} write byte {} of shared memory with no barrier between them", byte.writer, thread, i));
    if (byte.was_read == epoch && byte.reader != thread)
      return fault(fmt::format("thread {} writes byte {} of shared memory, which {} read, with no barrier between them", thread, i,
                               byte.reader == kSeveral ? "other threads" : fmt::format("thread {}", byte.reader)));
  }
  return Done{};
}

Status SharedMemory::write(std::int64_t at, std::int64_t size, int thread, int epoch) {
  TESSERA_CHECK(check_write(at, size, thread, epoch));
  arrive(at, size, thread, epoch);
  return Done{};
}

Status SharedMemory::begin_copy(std::int64_t at, std::int64_t size, int thread, int epoch) {
  TESSERA_CHECK(check_write(at, size, thread, epoch));
  for (std::int64_t i = at; i < at + size; ++i) bytes_[static_cast<std::size_t>(i)].in_flight = true;
  return Done{};
}

void SharedMemory::arrive(std::int64_t at, std::int64_t size, int thread, int epoch) {
  for (std::int64_t i = at; i < at + size; ++i) {
    Byte& byte = bytes_[static_cast<std::size_t>(i)];
    byte.in_flight = false;
    byte.writer = thread;
    byte.written = epoch;
  }
}

}  // namespace tessera::host
