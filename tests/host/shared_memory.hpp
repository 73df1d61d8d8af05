// SPDX-License-Identifier: BSD-3-Clause
// Who wrote and who read each byte of a CTA's shared memory, and whether what lies before this says that it may be used now.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.hpp"
#include "tests/host/clocks.hpp"

namespace tessera::host {

class SharedMemory {
 public:
  // `name`: of a thread or an engine, "thread 3".
  SharedMemory(std::size_t bytes, const Clocks& clocks, std::function<std::string(int who)> name)
      : clocks_(clocks), name_(std::move(name)), bytes_(bytes) {}

  std::int64_t size() const { return static_cast<std::int64_t>(bytes_.size()); }

  Status read(std::int64_t at, std::int64_t size, int thread);
  Status write(std::int64_t at, std::int64_t size, int thread);
  // An asynchronous write that `thread` begins: until it has arrived, the bytes belong to nobody. `by_proxy`: by TMA.
  Status begin_copy(std::int64_t at, std::int64_t size, int thread, bool by_proxy);
  void arrive(std::int64_t at, std::int64_t size, Stamp writer);
  // An asynchronous read, by TMA or wgmma, that `thread` begins: until it is over, nobody may write.
  Status check_read(std::int64_t at, std::int64_t size, int thread) const;
  void begin_read(std::int64_t at, std::int64_t size);
  void end_read(std::int64_t at, std::int64_t size, Stamp reader);
  // The bytes hold a barrier: only its own instructions may use them.
  void keep_for_barrier(std::int64_t at, std::int64_t size);

 private:
  struct Byte {
    Stamp written{};
    int readers = -1;  // into readers_
    std::uint16_t read_by_engines = 0;
    bool in_flight = false, of_barrier = false;
  };
  struct Reader {
    Stamp at;
    int before = -1;  // the reader before this one, since the last write
  };
  Status check_use(std::int64_t at, std::int64_t size, int thread, const char* does) const;
  Status check_write(std::int64_t at, std::int64_t size, int thread, bool by_proxy) const;
  void add_reader(std::int64_t at, std::int64_t size, Stamp reader);

  const Clocks& clocks_;
  std::function<std::string(int)> name_;
  std::vector<Byte> bytes_;
  std::vector<Reader> readers_;
};

}  // namespace tessera::host
