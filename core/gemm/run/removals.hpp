// SPDX-License-Identifier: BSD-3-Clause
// What a plan's waits, arrivals and fences are good for: each is left out in turn, and the plan that is left is looked at. One whose loss
// nobody notices is a doubt, of the plan or of the machine; so the machine says what that operation does there, or finds nothing to say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/gemm/run/race.hpp"

namespace tessera {

// An operation that orders others: a wait, an arrival, an announcement of bytes, a commit or a fence.
struct OrderingOp {
  std::size_t number = 0;    // in operations_of(plan)
  std::string of;            // the role or function that has it: "producer"
  std::string text;          // as the listing of the program has it: "wait full[read]"
  std::int64_t member = -1;  // of a family of roles: left out of this one alone; -1: of all
};
// All of a plan, in the order of its listing. With `members`, of families also each member's own.
std::vector<OrderingOp> ordering_ops(const GemmPlan& plan, bool members = false);

// The plan without it; nothing takes its place.
GemmPlan without(const GemmPlan& plan, const OrderingOp& op);

struct Removal {
  OrderingOp op;
  std::optional<Error> refused;              // by verify
  std::optional<Error> caught;               // by the machine, in the first order in which it notices
  std::uint32_t noticed_in = 0, orders = 0;  // of the orders that were looked at
  std::string idle;                          // where neither: why the plan is right without it; empty: not known
  bool is_noticed() const { return refused || caught; }
};
// On the machine in `orders` of them; in eight, where those agree. Refused is what cannot be looked at: it is too large, or takes too long.
Result<Removal> judge_removal(const GemmPlan& plan, const OrderingOp& op, const RacedProblem& problem, std::uint32_t orders);

}  // namespace tessera
