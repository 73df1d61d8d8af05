// SPDX-License-Identifier: BSD-3-Clause
// Puts operations together, for those who write a plan's program: loop("k", 4, true, {op(...), below({"k", 1}, 4, {...})}).
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "core/gemm/plan/ops.hpp"

namespace tessera::lowering::blocks {

template <class T>
plan::Op op(T operation, std::string why = {}) {
  return plan::Op{std::move(operation), std::move(why)};
}

inline std::shared_ptr<const plan::Block> block(plan::Block ops) { return std::make_shared<const plan::Block>(std::move(ops)); }

inline plan::Op loop(std::string variable, plan::Num count, bool unrolled, plan::Block body, plan::Num step = 1) {
  plan::Loop result;
  result.variable = std::move(variable), result.count = count, result.step = step, result.unrolled = unrolled;
  result.body = block(std::move(body));
  return op(std::move(result));
}

inline plan::Op when(plan::Only only, plan::Index index, plan::Num bound, plan::Block body) {
  return op(plan::When{only, std::move(index), bound, block(std::move(body))});
}
inline plan::Op below(plan::Index index, plan::Num bound, plan::Block body) {
  return when(plan::Only::below, std::move(index), bound, std::move(body));
}
inline plan::Op equal(plan::Index index, plan::Num bound, plan::Block body) {
  return when(plan::Only::equal, std::move(index), bound, std::move(body));
}
inline plan::Op first_thread(plan::Block body) { return when(plan::Only::first_thread, {}, 0, std::move(body)); }

inline void append(plan::Block& to, plan::Block more) {
  for (plan::Op& next : more) to.push_back(std::move(next));
}

}  // namespace tessera::lowering::blocks
