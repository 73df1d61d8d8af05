// SPDX-License-Identifier: BSD-3-Clause
// What of pictures belongs to an operation: its number, which every equal plan has too, and the elements that it touches.
#include "app/session/gemm/op_links.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "core/gemm/lower/lower.hpp"
#include "core/gemm/plan/explain_op.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/gemm_specs.hpp"

using namespace tessera;

namespace {

// 64 x 64 tiles of k-tiles of 32, which are two k-blocks of 16.
GemmPlan pipelined() { return lower(support::tensor(128, 128, 128, 64, 64, 32, 2)).value(); }

}  // namespace

TEST_CASE("an operation has one number in every plan that equals its own, and what is inside it has numbers of its own") {
  const GemmPlan plan = pipelined(), again = pipelined();
  const auto operations = operations_of(plan), others = operations_of(again);
  REQUIRE(operations.size() == others.size());
  REQUIRE(operations.size() > 10);
  CHECK(std::set(operations.begin(), operations.end()).size() == operations.size());
  std::size_t around = 0;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    CHECK(explain(plan, *operations[i]) == explain(again, *others[i]));
    const std::vector<std::int32_t> numbers = numbers_of(operations, plan, *operations[i]);
    REQUIRE_FALSE(numbers.empty());
    CHECK(numbers.front() == static_cast<std::int32_t>(i));
    around += numbers.size() > 1;
  }
  CHECK(around > 0);
  // They are those of the listing, in its order.
  std::vector<const plan::Op*> listed;
  for (const ProgramLine& line : program(plan)) {
    if (line.op) listed.push_back(line.op);
  }
  CHECK(listed == operations);
}

TEST_CASE("a call for the first k-block touches its elements, and what a loop decides all of the stage") {
  const GemmPlan plan = pipelined();
  std::vector<std::int64_t> first;  // of sA (BLK_M,BLK_K), k below 16
  for (std::int64_t k = 0; k < 16; ++k) {
    for (std::int64_t m = 0; m < 64; ++m) first.push_back(evaluate(plan.smem(Operand::a).layout, m + 64 * k));
  }
  std::sort(first.begin(), first.end());
  std::size_t parts = 0, whole = 0;
  for (const plan::Op* op : operations_of(plan)) {
    const std::vector<Touched> touched = touched_by(plan, *op);
    const auto sA = std::find_if(touched.begin(), touched.end(), [](const Touched& of) { return of.tensor == "sA"; });
    if (sA == touched.end()) continue;
    CHECK(sA->of == 64 * 32);
    if (!sA->elements) {
      ++whole;
      CHECK(sA->has(0));
      CHECK(words_of({*sA}) == "all of sA");
      continue;
    }
    parts += explain(plan, *op) == "load_fragments(0)";
    CHECK(words_of({*sA}) == "1024 of 2048 elements of sA");
    CHECK(*sA->elements == first);
  }
  CHECK(whole > 0);
  CHECK(parts > 0);
  // Who copies to a cell and who reads it are the operations themselves, not what is around them.
  for (const OpTouches& each : touches_of(plan))
    CHECK((std::holds_alternative<plan::Copy>(each.op->op) || std::holds_alternative<plan::Convert>(each.op->op)));
}
