// SPDX-License-Identifier: BSD-3-Clause
// Who wrote and who read each byte of a CTA's shared memory since the last barrier.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.hpp"

namespace tessera::host {

class SharedMemory {
 public:
  explicit SharedMemory(std::size_t bytes) : bytes_(bytes) {}

  // `epoch`: how many barriers the CTA has passed.
  Status read(std::int64_t at, std::int64_t size, int thread, int epoch);
  Status write(std::int64_t at, std::int64_t size, int thread, int epoch);
  // An asynchronous write: from its issue to its arrival the bytes belong to nobody.
  Status begin_copy(std::int64_t at, std::int64_t size, int thread, int epoch);
  void arrive(std::int64_t at, std::int64_t size, int thread, int epoch);

 private:
  static constexpr int kNobody = -1, kSeveral = -2;
  struct Byte {
    int writer = kNobody, written = -1;  // thread and epoch
    int reader = kNobody, was_read = -1;
    bool in_flight = false;
  };
  Status check_write(std::int64_t at, std::int64_t size, int thread, int epoch) const;

  std::vector<Byte> bytes_;
};

}  // namespace tessera::host
