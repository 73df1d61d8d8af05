// SPDX-License-Identifier: BSD-3-Clause
// Who watches an evaluation learns which tensors it cuts into threads' parts, and by what: whose copy fills sA is said by
// copyA.get_slice(t).partition_D(sA), and by no name.
#pragma once

#include <string>
#include <vector>

#include "core/lang/values/value.hpp"

namespace tessera {

struct Partitioned {
  char part = 'S';          // of partition_S, _D, _A, _B and _C; L: of local_partition
  Value by;                 // the tiled copy or MMA, or the layout of threads
  Value tensor;             // what is partitioned
  std::string tensor_text;  // as it was written: sA(_,_,0)
  std::string by_text;      // tA; of partition_S and the like empty
};

// While one stands, what this thread's evaluations partition is appended to the list; the innermost alone counts.
class PartitionWatch {
 public:
  explicit PartitionWatch(std::vector<Partitioned>& list);
  ~PartitionWatch();
  PartitionWatch(const PartitionWatch&) = delete;
  PartitionWatch& operator=(const PartitionWatch&) = delete;

  static std::vector<Partitioned>* list();  // null: nobody watches

 private:
  std::vector<Partitioned>* before_;
};

}  // namespace tessera
