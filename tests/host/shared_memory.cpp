// SPDX-License-Identifier: BSD-3-Clause
// Two uses of a byte, one of them a write, need an order; a use by TMA or wgmma after a thread's write needs a fence as well.
#include "tests/host/shared_memory.hpp"

#include <cstdint>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace tessera::host {
namespace {

Error fault(std::string message) { return Error{ErrorCode::wrong_result, std::move(message), {}, {}}; }

}  // namespace

// Bytes of one access mostly have one writer, of whom the clocks are asked once.
Status SharedMemory::check_use(std::int64_t at, std::int64_t size, int thread, const char* does) const {
  const Byte* known = nullptr;
  for (std::int64_t i = at; i < at + size; ++i) {
    const Byte& byte = bytes_[static_cast<std::size_t>(i)];
    if (!byte.in_flight && !byte.of_barrier && (byte.written.who < 0 || (known && known->written == byte.written))) continue;
    if (byte.of_barrier) return fault(fmt::format("{} {} byte {} of shared memory, where an mbarrier is", name_(thread), does, i));
    if (byte.in_flight) return fault(fmt::format("{} {} byte {} of shared memory before its copy has arrived", name_(thread), does, i));
    if (!clocks_.knows(thread, byte.written))
      return fault(fmt::format("{} {} byte {} of shared memory, which {} wrote, with no barrier between them", name_(thread), does, i,
                               name_(byte.written.who)));
    known = &byte;
  }
  return Done{};
}

Status SharedMemory::check_write(std::int64_t at, std::int64_t size, int thread, bool by_proxy) const {
  TESSERA_CHECK(check_use(at, size, thread, "writes"));
  int checked = -1;
  for (std::int64_t i = at; i < at + size; ++i) {
    const Byte& byte = bytes_[static_cast<std::size_t>(i)];
    if (byte.read_by_engines > 0)
      return fault(fmt::format("{} writes byte {} of shared memory, which TMA or wgmma may still read: nobody has waited for its group",
                               name_(thread), i));
    if (by_proxy && byte.written.who >= 0 && byte.written.who < clocks_.threads() && !clocks_.shows(thread, byte.written))
      return fault(fmt::format("{} lets TMA write byte {} of shared memory, which {} wrote, with no proxy fence between them",
                               name_(thread), i, name_(byte.written.who)));
    if (byte.readers == checked) continue;
    checked = byte.readers;
    for (int reader = byte.readers; reader >= 0; reader = readers_[static_cast<std::size_t>(reader)].before) {
      const Stamp read = readers_[static_cast<std::size_t>(reader)].at;
      if (!clocks_.knows(thread, read))
        return fault(fmt::format("{} writes byte {} of shared memory, which {} read, with no barrier between them", name_(thread), i,
                                 name_(read.who)));
    }
  }
  return Done{};
}

// Bytes with the same readers before have the same readers after.
void SharedMemory::add_reader(std::int64_t at, std::int64_t size, Stamp reader) {
  int before = -2, after = -2;
  for (std::int64_t i = at; i < at + size; ++i) {
    int& readers = bytes_[static_cast<std::size_t>(i)].readers;
    if (readers != before) {
      before = after = readers;
      const bool again = readers >= 0 && readers_[static_cast<std::size_t>(readers)].at.who == reader.who;
      if (!again || readers_[static_cast<std::size_t>(readers)].at != reader) {
        after = static_cast<int>(readers_.size());
        readers_.push_back({reader, again ? readers_[static_cast<std::size_t>(readers)].before : readers});
      }
    }
    readers = after;
  }
}

Status SharedMemory::read(std::int64_t at, std::int64_t size, int thread) {
  TESSERA_CHECK(check_use(at, size, thread, "reads"));
  add_reader(at, size, clocks_.now(thread));
  return Done{};
}

Status SharedMemory::write(std::int64_t at, std::int64_t size, int thread) {
  TESSERA_CHECK(check_write(at, size, thread, false));
  arrive(at, size, clocks_.now(thread));
  return Done{};
}

Status SharedMemory::begin_copy(std::int64_t at, std::int64_t size, int thread, bool by_proxy) {
  TESSERA_CHECK(check_write(at, size, thread, by_proxy));
  for (std::int64_t i = at; i < at + size; ++i) bytes_[static_cast<std::size_t>(i)].in_flight = true;
  return Done{};
}

void SharedMemory::arrive(std::int64_t at, std::int64_t size, Stamp writer) {
  for (std::int64_t i = at; i < at + size; ++i) {
    Byte& byte = bytes_[static_cast<std::size_t>(i)];
    byte.in_flight = false;
    byte.written = writer;
    byte.readers = -1;
  }
}

Status SharedMemory::check_read(std::int64_t at, std::int64_t size, int thread) const {
  TESSERA_CHECK(check_use(at, size, thread, "lets TMA or wgmma read"));
  Stamp shown{};
  for (std::int64_t i = at; i < at + size; ++i) {
    const Byte& byte = bytes_[static_cast<std::size_t>(i)];
    if (byte.written == std::exchange(shown, byte.written)) continue;
    if (byte.written.who >= 0 && byte.written.who < clocks_.threads() && !clocks_.shows(thread, byte.written))
      return fault(fmt::format("{} lets TMA or wgmma read byte {} of shared memory, which {} wrote, with no proxy fence between them",
                               name_(thread), i, name_(byte.written.who)));
  }
  return Done{};
}

void SharedMemory::begin_read(std::int64_t at, std::int64_t size) {
  for (std::int64_t i = at; i < at + size; ++i) ++bytes_[static_cast<std::size_t>(i)].read_by_engines;
}

void SharedMemory::end_read(std::int64_t at, std::int64_t size, Stamp reader) {
  for (std::int64_t i = at; i < at + size; ++i) --bytes_[static_cast<std::size_t>(i)].read_by_engines;
  add_reader(at, size, reader);
}

void SharedMemory::keep_for_barrier(std::int64_t at, std::int64_t size) {
  for (std::int64_t i = at; i < at + size; ++i) bytes_[static_cast<std::size_t>(i)].of_barrier = true;
}

}  // namespace tessera::host
