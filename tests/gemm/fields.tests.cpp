// SPDX-License-Identifier: BSD-3-Clause
// A field that means nothing in the schedule that the others ask for is refused by its name, with what to leave out.
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/gemm/lower/lower.hpp"
#include "core/gemm/spec_fields.hpp"
#include "tests/gemm/plans.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

using Change = std::pair<const char*, std::function<void(GemmSpec&)>>;

std::vector<Change> of_smem() {
  return {
      {"sA", [](GemmSpec& spec) { spec.sA = support::swizzled_rows(64, 32); }},
      {"sB", [](GemmSpec& spec) { spec.sB = support::swizzled_rows(64, 32); }},
      {"copy_a", [](GemmSpec& spec) { spec.copy_a = support::rows_of_8("UniversalCopy<uint128_t>", 128, 32); }},
      {"copy_b", [](GemmSpec& spec) { spec.copy_b = support::rows_of_8("UniversalCopy<uint128_t>", 128, 32); }},
      {"smem_copy_a", [](GemmSpec& spec) { spec.smem_copy_a = find_copy_atom("SM75_U32x4_LDSM_N").value(); }},
      {"smem_copy_b", [](GemmSpec& spec) { spec.smem_copy_b = find_copy_atom("SM75_U32x4_LDSM_N").value(); }},
      {"stages", [](GemmSpec& spec) { spec.stages = 2; }},
      {"copies", [](GemmSpec& spec) { spec.copies = Copies::waited_for; }},
  };
}

std::vector<Change> of_wgmma() {
  return {
      {"cluster",
       [](GemmSpec& spec) {
         spec.cluster = IntTuple::tuple({1, 1});
       }},
      {"ctas", [](GemmSpec& spec) { spec.ctas = 1; }},
      {"overlap", [](GemmSpec& spec) { spec.overlap = Overlap::skewed; }},
      {"k_order", [](GemmSpec& spec) { spec.k_order = KOrder::zigzag; }},
      {"registers",
       [](GemmSpec& spec) {
         spec.registers = IntTuple::tuple({40, 232});
       }},
      {"store_boxes", [](GemmSpec& spec) { spec.store_boxes = 1; }},
  };
}

void expect_refused(GemmSpec spec, const Change& change, const std::string& why, const std::string& or_else) {
  INFO(change.first);
  REQUIRE(lower(spec));
  change.second(spec);
  const auto plan = lower(spec);
  REQUIRE_FALSE(plan);
  CHECK(plan.error().code == ErrorCode::bad_spec);
  CHECK(plan.error().message.starts_with(std::string(change.first) + " is for " + why));
  CHECK(describe(plan.error()).find(std::string(change.first) + " left out, or " + or_else) != std::string::npos);
}

}  // namespace

TEST_CASE("without shared memory, what speaks of it is refused") {
  const GemmSpec spec = support::from_gmem(support::tensor(64, 64, 64, 64, 64, 32, 1));
  for (const Change& change : of_smem())
    expect_refused(spec, change, "tiles in shared memory; with operands=\"gmem\" each thread loads its fragments", "operands=\"smem\"");
  for (const Change& change : of_wgmma()) expect_refused(spec, change, "a producer and consumers of wgmma; ", "an atom such as SM90_");
}

TEST_CASE("wgmma reads shared memory itself, so that no thread loads fragments from anywhere") {
  GemmSpec spec = support::hopper(Overlap::none, 256, 256, 128, 128, 128, 2);
  for (const Change& change : {Change{"operands", [](GemmSpec& of) { of.operands = Operands::gmem; }},
                               Change{"fragments", [](GemmSpec& of) { of.fragments = Fragments::one_k_block; }}})
    expect_refused(spec, change, "threads that copy and load; SM90_64x128x16", "an atom such as SM80_");
  spec.operands = Operands::gmem, spec.stages = 4;  // whatever else is said
  CHECK(describe(lower(spec).error()).find("operands is for threads") != std::string::npos);
}

TEST_CASE("boxes of C are wgmma's, and a GEMM has none where each thread stores its own sums") {
  const Change staged{"store=staged", [](GemmSpec& spec) { spec.store = Stores::staged; }};
  expect_refused(support::tensor(128, 128, 64), staged, "a producer and consumers of wgmma; ", "an atom such as SM90_");
  expect_refused(support::from_gmem(support::tensor(64, 64, 64, 64, 64, 32, 1)), staged, "a producer and consumers of wgmma; ",
                 "an atom such as SM90_");
  GemmSpec spec = support::hopper(Overlap::none, 256, 256, 128, 128, 128, 2);
  spec.store = Stores::direct;
  for (const Change& change : {Change{"store_boxes", [](GemmSpec& of) { of.store_boxes = 1; }},
                               Change{"overlap=deferred", [](GemmSpec& of) { of.overlap = Overlap::deferred; }}})
    expect_refused(spec, change, "boxes of C in shared memory; with store=\"direct\" each thread", "store=\"staged\"");
}

TEST_CASE("every other field means the same with and without shared memory") {
  std::set<std::string_view> refused;
  for (const auto& changes : {of_smem(), of_wgmma()}) {
    for (const Change& change : changes) refused.insert(change.first);
  }
  GemmSpec spec = support::from_gmem(support::tensor(128, 128, 64, 64, 64, 32, 1));
  spec.gA = support::layout(IntTuple::tuple({128, 64}), IntTuple::tuple({1, 128}));
  spec.gB = support::layout(IntTuple::tuple({128, 64}), IntTuple::tuple({72, 1}));
  spec.gC = support::layout(IntTuple::tuple({128, 128}), IntTuple::tuple({1, 128}));
  spec.type_c = ValueType::f16, spec.fragments = Fragments::all_k_blocks, spec.raster_group = 2, spec.alpha = 2, spec.beta = -1;
  spec.extents = Extents::arguments, spec.batch = 2, spec.store = Stores::direct;
  CHECK(lower(spec));
  std::size_t said = 0;
  for (const SpecField* field : difference(spec, GemmSpec())) {
    CHECK_FALSE(refused.contains(field->name));
    ++said;
  }
  CHECK(said + refused.size() + 1 == spec_fields().size());  // and the name
}
