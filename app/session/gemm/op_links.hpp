// SPDX-License-Identifier: BSD-3-Clause
// What of pictures belongs to an operation of a plan: the bars that span its steps, and the cells of the elements that it touches.
//
//   load_fragments(0), in it copy tXsA(k)[read] -> tXrA(k)    touches the elements of sA that the partition has at MMA_K = 0
//   load_fragments(k + 1), or that copy alone                 touches all of sA, a part each time: the plan names none
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagram/kinds/timeline_operations.hpp"
#include "core/gemm/plan/gemm_plan.hpp"

namespace tessera {

// The numbers of an operation and of those inside it, as operations_of counts them.
std::vector<std::int32_t> numbers_of(const std::vector<const plan::Op*>& operations, const GemmPlan& plan, const plan::Op& op);

// A tensor in shared or global memory that an operation reads or writes.
struct Touched {
  std::string tensor;  // "sA"
  // Sorted; of a tensor in a ring those of one stage, of a matrix those of one tile. Nothing: all of them, as far as the plan says.
  std::optional<std::vector<std::int64_t>> elements{};
  std::int64_t of = 0;  // elements that the stage or tile has
  bool has(std::int64_t element) const;
};
// What is inside the operation counts. Takes up to a millisecond.
std::vector<Touched> touched_by(const GemmPlan& plan, const plan::Op& op);
// "all of sA, 64 of 512 elements of sB"; empty: none
std::string words_of(const std::vector<Touched>& touched);

// The numbers of the operations that the bars of the plan's timeline span, by the bars' words; none where it cannot be simulated.
BarOperations bars_of(const GemmPlan& plan);

// Every operation that touches anything, and what.
struct OpTouches {
  const plan::Op* op = nullptr;
  std::vector<Touched> touched;
};
std::vector<OpTouches> touches_of(const GemmPlan& plan);

}  // namespace tessera
