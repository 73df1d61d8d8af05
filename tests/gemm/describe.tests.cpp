// SPDX-License-Identifier: BSD-3-Clause
// What plans say of themselves, as a person last read it: all that they hold, their description, and the listing of their program.
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/gemm/device_model.hpp"
#include "core/gemm/plan/explain_op.hpp"
#include "tests/gemm/plans.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/golden.hpp"

using namespace tessera;

namespace {

std::string id(plan::Id id) { return id == plan::kNone ? "-" : std::to_string(id); }

// What has no line in `describe` or in the listing.
std::string resources_of(const GemmPlan& plan) {
  std::string text = fmt::format("arch {}, grid {}, cluster {} x {}, raster {}, smem {}\n", to_string(plan.arch), plan.grid, plan.cluster_m,
                                 plan.cluster_n, to_string(plan.cta_raster), plan.smem_bytes);
  for (const plan::Tensor& t : plan.tensors)
    text += fmt::format("tensor {} of {} and ring {}: {} elements, {} a stage, at byte {}: {} {}\n", t.name, static_cast<int>(t.operand),
                        id(t.ring), t.elements, t.stage_elements, t.byte_offset, short_name(t.type), to_string(t.layout));
  for (const plan::TensorMap& m : plan.maps)
    text += fmt::format("map {} of {}: {} x {}, swizzle {}\n", m.name, id(m.tensor), m.box_rows, m.box_columns, m.swizzle_bytes);
  for (const plan::Descriptor& d : plan.descriptors)
    text += fmt::format("descriptor {} of {}: stride {}, swizzle {}\n", d.name, id(d.tensor), d.stride_bytes, d.swizzle_bytes);
  for (const plan::Barrier& b : plan.barriers)
    text += fmt::format("barrier {} of kind {} and ring {}: {} arrivals, {} bytes{}\n", b.name, static_cast<int>(b.kind), id(b.ring),
                        b.arrivals, b.bytes, b.members == 1 ? "" : fmt::format(", {} of them", b.members));
  for (const plan::Ring& r : plan.rings) text += fmt::format("ring {}: {} stages, {} and {}\n", r.name, r.stages, id(r.full), id(r.empty));
  for (const plan::Cursor& c : plan.cursors)
    text +=
        fmt::format("cursor {} of ring {}, from {}{}\n", c.name, id(c.ring), c.first, c.each == 0 ? "" : fmt::format(", {} each", c.each));
  for (const plan::Role& r : plan.roles)
    text += fmt::format("role {}: {} of {} threads from {}, {} registers\n", r.name, r.members, r.threads, r.first_thread, r.registers);
  return text;
}

std::string text_of(const GemmPlan& plan) {
  std::string text = resources_of(plan);
  for (const PlanLine& line : describe(plan)) text += fmt::format("{} | {} | {} | {}\n", line.step, line.name, line.value, line.map);
  for (const ProgramLine& line : program(plan))
    text += fmt::format("{:{}}{}{}\n", "", 2 * line.depth, line.text, line.why.empty() ? "" : "  -- " + line.why);
  return text;
}

}  // namespace

TEST_CASE("plans say of themselves what a person last read") {
  for (const auto& [name, spec] : support::travels()) {
    INFO(name);
    const auto plan = lower(spec);
    if (!plan) FAIL(describe(plan.error()));
    const std::string text = text_of(*plan), golden = tessera::testing::golden("plans/" + name + ".txt", text);
    if (text == golden) continue;
    std::size_t at = 0;
    while (at < std::min(text.size(), golden.size()) && text[at] == golden[at]) ++at;
    const auto line = [&](const std::string& of) {
      const std::size_t begin = at == 0 ? 0 : of.rfind('\n', at - 1) + 1;
      return of.substr(begin, of.find('\n', at) - begin);
    };
    FAIL_CHECK("now:\n" << line(text) << "\nbefore:\n" << line(golden));
  }
}

TEST_CASE("each partition is described once, beside what thread 0 has of the operands") {
  for (const auto& [name, spec] : support::travels()) {
    INFO(name);
    const GemmPlan plan = lower(spec).value();
    std::map<std::string, int> lines;
    for (const PlanLine& line : describe(plan)) ++lines[line.name];
    for (const plan::Tensor& tensor : plan.tensors) {
      if (tensor.space != plan::Space::registers) CHECK(lines[tensor.name] == 1);
    }
    const auto of_atoms = [&](const plan::Partition& p) { return p.name == "tCsA" || p.name == "tCsB" || p.name.starts_with("tCg"); };
    for (const plan::Partition& partition : plan.partitions) {
      INFO(partition.name);
      CHECK(lines[partition.name] <= 2);
      if (!of_atoms(partition)) CHECK(lines[partition.name] <= 1);
      if (of_atoms(partition)) CHECK(lines[partition.name] >= 1);
    }
  }
}

TEST_CASE("there is no thread before the first or after the last of a CTA") {
  const GemmPlan plan = lower(support::article()).value();
  CHECK(thread_partition(plan, Operand::c, plan.threads - 1));
  for (const std::int64_t thread : {std::int64_t{-1}, plan.threads}) {
    const auto part = thread_partition(plan, Operand::c, thread);
    REQUIRE_FALSE(part);
    CHECK(part.error().message.find("threads 0 to 31") != std::string::npos);
  }
}

TEST_CASE("a block has the shared memory that its compute capability gives it") {
  constexpr std::int64_t kib = 1024;
  const std::map<int, std::int64_t> known{{70, 96},  {72, 96},   {75, 64},   {80, 163},  {86, 99},   {87, 163}, {89, 99},
                                          {90, 227}, {100, 227}, {101, 227}, {103, 227}, {110, 227}, {120, 99}, {121, 99}};
  for (int sm = 0; sm < 200; ++sm) {
    INFO(sm);
    const auto found = known.find(sm);
    CHECK(smem_bytes_per_block(sm) == (found == known.end() ? std::nullopt : std::optional(found->second * kib)));
  }
}

TEST_CASE("a plan that fills the shared memory of a block fits it, and a byte less does not") {
  const GemmPlan plan = lower(support::tensor(128, 128, 64)).value();
  CHECK(check_device(plan, 80, plan.smem_bytes));
  const auto refused = check_device(plan, 80, plan.smem_bytes - 1);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find("needs 49152 bytes of shared memory (3 stages of 8192 + 8192)") != std::string::npos);
}

TEST_CASE("shared memory beyond what a block may have is said with the devices, the bytes needed and those allowed") {
  GemmPlan plan = lower(support::tensor(256, 128, 96)).value();
  CHECK(beyond_smem(plan).empty());
  const auto has_line = [](const GemmPlan& of) {
    for (const PlanLine& line : describe(of)) {
      if (line.name == kBeyondSmem) return true;
    }
    return false;
  };
  CHECK_FALSE(has_line(plan));
  plan.arch = ArchRequirement{80, 0};
  plan.smem_bytes = *smem_bytes_per_block(80);
  CHECK(beyond_smem(plan).empty());  // as much as it may have
  plan.smem_bytes += 1;
  const std::string said = beyond_smem(plan);
  CHECK(said.find("needs 166913 bytes of shared memory a CTA, and A100-40GB, A100, A30 (sm_80) allow 166912") != std::string::npos);
  CHECK(said.find("it fits on H100-PCIe, H100, H200") != std::string::npos);
  CHECK(has_line(plan));
  plan.arch = ArchRequirement{90, 'a'};  // for that architecture alone
  plan.smem_bytes = *smem_bytes_per_block(90) + 1;
  CHECK(beyond_smem(plan).find("fewer stages") != std::string::npos);
}
