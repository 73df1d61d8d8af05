// SPDX-License-Identifier: BSD-3-Clause
// What operations say of themselves, in a sentence each: for the program's listing, figures and lessons.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/gemm/plan/gemm_plan.hpp"

namespace tessera {

// "cp.async tAgA(k_tile + 2) -> tAsA[write]": one operation without what is inside it.
std::string explain(const GemmPlan& plan, const plan::Op& op);

// A line of the listing of a program: an operation of a role or function at its depth, and why it is there.
struct ProgramLine {
  int depth = 0;
  std::string text, why;
  const plan::Op* op = nullptr;  // null: the heading of a role or a function
};
std::vector<ProgramLine> program(const GemmPlan& plan);

// Every operation of a plan in the order of that listing: the place of one is its number, by which it is known in every plan that equals
// this one. Figures name operations by it.
std::vector<const plan::Op*> operations_of(const GemmPlan& plan);

// How a number is said: to a person who follows the steps by its value, 2; in a text by its name, STAGES - 1.
enum class Numbers : std::uint8_t { values, names };
std::string to_string(const plan::Index& index, Numbers numbers = Numbers::values);  // "(k + 1) % 4"
// "(k_tile = k + 1, part)", as they stand behind a partition; "" of none
std::string to_string(const std::vector<plan::Pick>& picks, Numbers numbers = Numbers::values);

}  // namespace tessera
