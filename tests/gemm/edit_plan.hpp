// SPDX-License-Identifier: BSD-3-Clause
// Breaks a plan by hand: rewrites the operations of its roles and functions, for tests of what is noticed then.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "core/gemm/plan/walk.hpp"

namespace tessera::support {

// What stands for an operation that an edit has found: nothing, itself twice, another ...
using Becomes = std::function<plan::Block(const plan::Op&)>;
using Matches = std::function<bool(const plan::Op&)>;

inline plan::Block edited(const plan::Block& block, const Matches& matches, const Becomes& becomes, int& found) {
  return plan::rewrite(block, [&](const plan::Op& op) -> std::optional<plan::Block> {
    if (!matches(op)) return std::nullopt;
    ++found;
    return becomes(op);
  });
}

// In one member of a family: the others have the operation as it was.
inline Becomes in_member(const plan::Role& family, std::int64_t member, const Becomes& becomes) {
  return [&family, member, becomes](const plan::Op& op) {
    plan::Block block;
    for (std::int64_t i = 0; i < family.members; ++i) {
      auto body = std::make_shared<const plan::Block>(i == member ? becomes(op) : plan::Block{op});
      block.push_back(plan::Op{plan::When{plan::Only::equal, {family.name}, plan::Num(i), std::move(body)}});
    }
    return block;
  };
}

// Rewrites every operation that matches, in the roles whose name begins so (of a family "consumer", or one of it: "consumer 1"), and in the
// functions; says how many there were.
inline int edit(GemmPlan& plan, const Matches& matches, const Becomes& becomes, std::string_view role = {}) {
  int found = 0;
  for (plan::Role& of : plan.roles) {
    if (of.name.starts_with(role)) of.block = edited(of.block, matches, becomes, found);
    for (std::int64_t i = 0; of.members > 1 && i < of.members; ++i) {
      if (role == of.name + " " + std::to_string(i)) of.block = edited(of.block, matches, in_member(of, i, becomes), found);
    }
  }
  if (role.empty()) {
    for (plan::Function& function : plan.functions) function.body = edited(function.body, matches, becomes, found);
  }
  return found;
}

template <class T>
const T* as(const plan::Op& op) {
  return std::get_if<T>(&op.op);
}

inline plan::Block nothing(const plan::Op&) { return {}; }
inline plan::Block twice(const plan::Op& op) { return {op, op}; }

// The same operation with something of it changed.
template <class T>
Becomes changed(const std::function<void(T&)>& change) {
  return [change](const plan::Op& op) {
    plan::Op other = op;
    change(std::get<T>(other.op));
    return plan::Block{other};
  };
}

}  // namespace tessera::support
