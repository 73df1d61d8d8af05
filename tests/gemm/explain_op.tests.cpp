// SPDX-License-Identifier: BSD-3-Clause
// What indices and operations are called in the listing of a program.
#include <memory>
#include <utility>

#include "core/gemm/plan/explain_op.hpp"

#include "tests/gemm/plans.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

TEST_CASE("an index is the sum of its terms, in brackets where a remainder is taken of several") {
  const std::pair<plan::Index, const char*> indices[] = {
      {{}, "0"},
      {{"", 3}, "3"},
      {{"k"}, "k"},
      {{"k", 1}, "k + 1"},
      {{"k", 0, 4}, "k % 4"},
      {{"k", 1, 4}, "(k + 1) % 4"},
      {{"", 5, 4}, "5 % 4"},
      {{"k", 0, 0, "stage"}, "k + stage"},
      {{"k", 2, 3, "stage"}, "(k + stage + 2) % 3"},
  };
  for (const auto& [index, text] : indices) CHECK(to_string(index) == text);
}

TEST_CASE("an operation says who does it, how often, and on what it is counted") {
  const GemmPlan plan = lower(support::hopper(Overlap::none, 256, 256, 128, 128, 128, 2)).value();
  const auto said = [&](plan::AnyOp op) { return explain(plan, {std::move(op), ""}); };
  const auto inside = std::make_shared<const plan::Block>();
  plan::Copy copy;
  copy.from = plan::At{plan.path(Operand::a).tXgX, {{"k_tile", {"k_tile", 1}}}}, copy.to = plan::At{plan.path(Operand::a).tXsX, {}, {0, 1}};
  CHECK(said(copy) == "copy tAgA(k_tile = k_tile + 1) -> tAsA[write - 1]");
  copy.threads = 64;
  CHECK(said(copy) == "copy tAgA(k_tile = k_tile + 1) -> tAsA[write - 1] by threads 0 to 63");
  for (const auto& [by, name] : {std::pair{plan::CopyBy::cp_async, "cp.async "},
                                 {plan::CopyBy::ldmatrix, "ldmatrix tA"},
                                 {plan::CopyBy::ldmatrix_trans, "ldmatrix.trans "},
                                 {plan::CopyBy::stmatrix, "stmatrix "},
                                 {plan::CopyBy::tma_load, "TMA load "},
                                 {plan::CopyBy::tma_store, "TMA store "}}) {
    copy.by = by;
    CHECK(said(copy).starts_with(name));
  }
  copy = {}, copy.from = copy.to = plan::At{plan.path(Operand::b).tXsX};
  copy.barrier = 0, copy.multicast = true;
  CHECK(said(copy) == "copy tBsB -> tBsB, for every CTA that shares it, counted on full");
  plan::Mma mma;
  mma.a = mma.b = mma.c = plan::At{plan.path(Operand::c).fragment};
  CHECK(said(mma) == "mma tCrC * tCrC -> tCrC");
  mma.by = plan::MmaBy::fma, mma.clears = {plan::Index{}};
  CHECK(said(mma) == "fma tCrC * tCrC -> tCrC, overwriting it");
  mma.by = plan::MmaBy::wgmma, mma.clears = {plan::Index{"t"}, plan::Index{"k"}};
  CHECK(said(mma) == "wgmma tCrC * tCrC -> tCrC, overwriting it where t is 0 and k is 0");
  CHECK(said(plan::WaitGroup{plan::GroupOf::cp_async, 2}) == "wait until all but 2 groups of cp.async are done");
  CHECK(said(plan::WaitGroup{plan::GroupOf::bulk, 0, true}) == "wait until all groups of bulk stores have read their source");
  CHECK(said(plan::Arrive{0, {}, 128}) == "arrive on full with 128 threads");
  CHECK(said(plan::Arrive{0, {}, 1, true}) == "arrive on full of every CTA of the cluster");
  CHECK(said(plan::Advance{0, 3}) == "advance write by 3");
  plan::Loop loop;
  loop.variable = "k", loop.count = 4, loop.step = 2, loop.body = inside;
  CHECK(said(loop) == "for k from 0 to 3 in steps of 2");
  loop.backwards_every_second_tile = true;
  CHECK(said(loop) == "for k from 0 to 3 in steps of 2, backwards in every second tile");
  for (const auto& [only, text] : {std::pair{plan::Only::first_thread, "by the first thread"},
                                   {plan::Only::owners, "by threads that own a part of C"},
                                   {plan::Only::below, "where k < 4"},
                                   {plan::Only::equal, "where k is 4"},
                                   {plan::Only::at_least, "where k >= 4"},
                                   {plan::Only::tile_exists, "where this CTA has a tile k"},
                                   {plan::Only::tile_missing, "where this CTA has no tile k"}}) {
    CHECK(said(plan::When{only, {"k"}, 4, inside}) == text);
  }
}
