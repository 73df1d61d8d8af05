// SPDX-License-Identifier: BSD-3-Clause
// Where the values of a partition lie: evaluated once for a plan, then looked up; private to core/gemm/run.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/gemm/plan/edges.hpp"
#include "core/gemm/plan/walk.hpp"

namespace tessera::machine {

// A partition's layout at every (thr, value): value = colexicographic in the partition's modes.
struct AddressTable {
  std::int64_t threads = 1, values = 0;        // registers: one thread stands for all
  std::vector<std::int64_t> extents, weights;  // of each mode; a value is the sum of coordinate * weight
  std::vector<std::int64_t> elements;          // thr * values + value -> element
  std::int64_t at(std::int64_t thread, std::int64_t value) const {
    return elements[static_cast<std::size_t>((threads == 1 ? 0 : thread % threads) * values + value)];
  }
};

// The values that an At names, but for what its variables add.
struct Walked {
  const AddressTable* table = nullptr;
  const AddressTable* coordinates = nullptr;  // of the tensor's coordinates, first + kSecond * second, where it has an edge
  const plan::Partition* partition = nullptr;
  const plan::Tensor* tensor = nullptr;
  const plan::At* at = nullptr;
  std::vector<std::int64_t> values;                                // of the modes that are not picked, the first fastest
  std::vector<std::pair<std::size_t, const plan::Index*>> picked;  // mode, its coordinate
  const plan::Index* k_tile = nullptr;
};

constexpr std::int64_t kSecond = std::int64_t{1} << 32;

// An At with its variables set: element of value i of a thread = table.at(thread, base + walked.values[i]) + offset.
struct Place {
  const Walked* walked = nullptr;
  std::int64_t base = 0, offset = 0;
  std::int64_t stage = -1, fill = -1;  // -1: not of a ring
  plan::TwoModes origin{}, extents{};  // of a tensor with an edge: where the tile begins, and where the tensor (or its map) ends
  plan::TwoModes begins{};             // and from where on an operation reaches it
  const plan::Tensor& tensor() const { return *walked->tensor; }
  std::int64_t count() const { return static_cast<std::int64_t>(walked->values.size()); }
  std::int64_t element(std::int64_t thread, std::int64_t i) const {
    return walked->table->at(thread, base + walked->values[static_cast<std::size_t>(i)]) + offset;
  }
  // Of value i of a thread in a tensor with an edge: (m, k), (n, k) or (m, n).
  plan::TwoModes coordinate(std::int64_t thread, std::int64_t i) const {
    const std::int64_t both = walked->coordinates->at(thread, base + walked->values[static_cast<std::size_t>(i)]);
    return {origin[0] + both % kSecond, origin[1] + both / kSecond};
  }
  bool is_outside(std::int64_t thread, std::int64_t i) const {
    if (walked->coordinates == nullptr) return false;
    const plan::TwoModes at = coordinate(thread, i);
    return at[0] >= extents[0] || at[1] >= extents[1] || at[0] < begins[0] || at[1] < begins[1];
  }
};

class Addresses {
 public:
  explicit Addresses(const GemmPlan& plan);
  const GemmPlan& plan() const { return plan_; }
  // Refuses picks outside their mode and tiles outside the problem.
  Result<Place> place(const plan::At& at, const plan::Walk& walk);
  const AddressTable& table(plan::Id partition) const { return tables_[partition]; }
  static std::int64_t bytes(const GemmPlan& plan);  // what the tables will take

 private:
  const Walked& walked(const plan::At& at);
  const GemmPlan& plan_;
  std::vector<AddressTable> tables_;  // by partition
  std::unordered_map<const plan::At*, Walked> walked_;
};

}  // namespace tessera::machine
