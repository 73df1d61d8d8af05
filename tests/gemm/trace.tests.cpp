// SPDX-License-Identifier: BSD-3-Clause
// The accesses of a trace, byte by byte, beside the tiles that they have to cover.
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>
#include <variant>
#include <vector>

#include "core/gemm/run/analysis.hpp"
#include "tests/gemm/plans.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

using Step = Access::Step;

// How often each byte of a tensor is asked for in a step.
std::map<std::int64_t, std::int64_t> bytes_of(const std::vector<Access>& trace, Step step) {
  std::map<std::int64_t, std::int64_t> bytes;
  for (const Access& access : trace) {
    if (access.step != step) continue;
    const std::int64_t width = access.matrix ? 16 : access.bytes;
    std::vector<std::int64_t> starts = access.box;
    if (starts.empty())
      std::copy_if(access.address.begin(), access.address.end(), std::back_inserter(starts), [](auto a) { return a >= 0; });
    for (const std::int64_t start : starts) {
      for (std::int64_t byte = 0; byte < width; ++byte) ++bytes[start + byte];
    }
  }
  return bytes;
}

// The bytes of the elements that `place` gives for 0 .. count - 1.
template <class Place>
std::map<std::int64_t, std::int64_t> bytes_at(std::int64_t count, ValueType type, const Place& place) {
  std::map<std::int64_t, std::int64_t> bytes;
  const std::int64_t width = bits(type) / 8;
  for (std::int64_t i = 0; i < count; ++i) {
    for (std::int64_t byte = 0; byte < width; ++byte) bytes[place(i) * width + byte] = 1;
  }
  return bytes;
}

std::map<std::int64_t, std::int64_t> once(std::map<std::int64_t, std::int64_t> bytes) {
  for (auto& [byte, count] : bytes) count = 1;
  return bytes;
}

}  // namespace

TEST_CASE("the first CTA's first k-tile leaves global memory once, arrives in shared memory once, and its tile of C is stored once") {
  for (const auto& [name, spec] : support::travels()) {
    INFO(name);
    const GemmPlan plan = lower(spec).value();
    const Simulation result = simulate(plan, integer_input(plan, 3), {.ctas = 1}).value();
    const std::int64_t cluster = plan.cluster_size();
    for (const Operand operand : {Operand::a, Operand::b}) {
      const bool a = operand == Operand::a;
      const plan::Tensor& gmem = plan.gmem(operand);
      const std::int64_t elements = (a ? plan.blk_m : plan.blk_n) * plan.blk_k;
      const auto read = bytes_of(result.trace, a ? Step::read_a : Step::read_b);
      const auto written = bytes_of(result.trace, a ? Step::g2s_write_a : Step::g2s_write_b);
      if (!plan.has_smem()) {  // once a thread that needs it
        CHECK((once(read) == bytes_at(elements, gmem.type, [&](std::int64_t i) { return gmem.tiles(i, 0); })));
        CHECK(written.empty());
        CHECK(bytes_of(result.trace, a ? Step::s2r_a : Step::s2r_b).empty());
        continue;
      }
      const plan::Tensor& smem = plan.smem(operand);
      if (cluster == 1) {
        CHECK((read == bytes_at(elements, gmem.type, [&](std::int64_t i) { return gmem.tiles(i, 0); })));
        CHECK((written == bytes_at(elements, smem.type, [&](std::int64_t i) { return evaluate(smem.layout, i); })));
        const auto loaded = bytes_of(result.trace, a ? Step::s2r_a : Step::s2r_b);
        CHECK((plan.roles.size() > 1 ? loaded.empty() : once(loaded) == written));
      } else {  // a part of the tile is this CTA's; its peers load the others
        const std::int64_t parts = a ? plan.cluster_n : plan.cluster_m;
        CHECK(static_cast<std::int64_t>(read.size()) == elements / parts * bits(gmem.type) / 8);
        CHECK(written.size() == read.size());
        CHECK((once(read) == read));
        CHECK((once(written) == written));
      }
    }
    const plan::Tensor& c = plan.gmem(Operand::c);
    const std::int64_t tile = plan.blk_m * plan.blk_n;
    const auto stored = bytes_of(result.trace, Step::store_c);
    CHECK((stored == bytes_at(tile, c.type, [&](std::int64_t i) { return c.tiles(i, 0); })));
  }
}

TEST_CASE("lanes that are neighbours along M read and write 32 sectors at once, and 4 along N, where B and C lie together") {
  struct Sectors {
    std::int64_t a = 0, b = 0, c = 0;
  };
  // 8 warps of a thread an element, 8 k: 64 loads of each operand and 8 stores. gA and gC are by rows, gB by columns.
  for (const auto& [along_m, wanted] : {std::pair{true, Sectors{64 * 32, 64 * 1, 8 * 32}}, {false, Sectors{64 * 1, 64 * 4, 8 * 4}}}) {
    GemmSpec spec = support::element_a_thread(along_m);
    INFO(spec.name);
    const GemmPlan plan = lower(spec).value();
    const std::vector<AccessSummary> rows = summarize(simulate(plan, integer_input(plan, 3)).value().trace);
    REQUIRE(rows.size() == 3);
    for (const AccessSummary& row : rows) {
      CHECK_FALSE(row.shared);
      CHECK(row.instructions == (row.step == Step::store_c ? 8 : 64));
      const bool all_ask_for_one = row.step == (along_m ? Step::read_b : Step::read_a);
      CHECK(row.least_units == (all_ask_for_one ? 1 : 4) * row.instructions);
      CHECK(row.units == (row.step == Step::read_a ? wanted.a : row.step == Step::read_b ? wanted.b : wanted.c));
    }
  }
}

TEST_CASE("every access names its operation, its warp and the bytes of a lane") {
  for (const auto& [name, spec] : support::travels()) {
    INFO(name);
    const GemmPlan plan = lower(spec).value();
    const Simulation result = simulate(plan, integer_input(plan, 3), {.ctas = 1}).value();
    std::map<std::pair<const plan::Op*, Step>, std::int64_t> instructions;
    for (const Access& access : result.trace) {
      const auto* copy = std::get_if<plan::Copy>(&access.op->op);
      REQUIRE(copy != nullptr);
      const bool reads = access.step == Step::read_a || access.step == Step::read_b || access.step == Step::s2r_a ||
                         access.step == Step::s2r_b || access.step == Step::unstage_c;
      const plan::Tensor& tensor = plan.tensors[plan.partitions[(reads ? copy->from : copy->to).partition].tensor];
      CHECK(static_cast<int>(tensor.operand) ==
            (access.step == Step::s2r_a || access.step == Step::read_a || access.step == Step::g2s_write_a   ? 0
             : access.step == Step::s2r_b || access.step == Step::read_b || access.step == Step::g2s_write_b ? 1
                                                                                                             : 2));
      if (!access.box.empty()) {  // rows of 128 bytes, on both sides: nothing is touched twice, and nothing beside them
        CHECK(access.bytes % 128 == 0);
        CHECK(summarize({access}).front().units == summarize({access}).front().least_units);
        continue;
      }
      CHECK(access.warp >= 0);
      CHECK(32 * access.warp < plan.threads);
      CHECK(access.matrix == (copy->by == plan::CopyBy::ldmatrix || copy->by == plan::CopyBy::ldmatrix_trans));
      if (copy->by == plan::CopyBy::load_store || copy->by == plan::CopyBy::cp_async)
        CHECK(access.bytes == copy->vector * bits(tensor.type) / 8);
      const auto lanes = std::count_if(access.address.begin(), access.address.end(), [](auto a) { return a >= 0; });
      if (access.matrix) CHECK(lanes == 8 * copy->matrices);
      std::int64_t& most = instructions[{access.op, access.step}];
      most = std::max(most, access.instruction + 1);
    }
    for (const auto& [of, count] : instructions) CHECK(count > 0);
  }
}

TEST_CASE("a summary counts the wavefronts of shared memory and the sectors of global memory, of boxes too") {
  Access lanes;
  lanes.bytes = 4;
  for (std::int64_t lane = 0; lane < 32; ++lane) lanes.address[static_cast<std::size_t>(lane)] = 8 * lane;
  std::vector<Access> trace;
  for (const Step step : {Step::read_a, Step::read_b, Step::g2s_write_a, Step::g2s_write_b, Step::s2r_a, Step::s2r_b, Step::store_c,
                          Step::stage_c, Step::unstage_c}) {
    lanes.step = step;
    trace.push_back(lanes), trace.push_back(lanes);
  }
  const std::vector<AccessSummary> rows = summarize(trace);
  REQUIRE(rows.size() == 9);
  for (const AccessSummary& row : rows) {
    INFO(static_cast<int>(row.step));
    const bool global = row.step == Step::read_a || row.step == Step::read_b || row.step == Step::store_c;
    CHECK(row.shared == !global);
    CHECK(row.instructions == 2);
    CHECK(row.units == (global ? 16 : 4));
    CHECK(row.least_units == (global ? 8 : 2));
  }
  Access box;
  box.step = Step::g2s_write_a, box.bytes = 128;
  for (std::int64_t run = 0; run < 4; ++run) box.box.push_back(run * 128);
  const auto shared = summarize({box}).front();
  CHECK(shared.units == 4);
  CHECK(shared.least_units == 4);
  box.box = {64, 192};  // the second run begins where the first ends, in the middle of a unit
  CHECK(summarize({box}).front().units == 3);
  CHECK(summarize({box}).front().least_units == 2);
  box.step = Step::read_a, box.bytes = 48, box.box = {0, 80};
  CHECK(summarize({box}).front().units == 4);
  CHECK(summarize({box}).front().least_units == 3);
}
