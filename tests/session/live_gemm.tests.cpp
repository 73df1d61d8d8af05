// SPDX-License-Identifier: BSD-3-Clause
// What follows from a GEMM's fields before anything runs.
#include "app/session/gemm/live_gemm.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/lang/eval/evaluate_expression.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

std::shared_ptr<const GemmSpec> spec_of(std::string_view expression) {
  const Result<Value> value = evaluate_expression(expression, {}, nullptr);
  REQUIRE(value);
  return std::get<std::shared_ptr<const GemmSpec>>(value->any);
}

const ModelLine& line(const std::vector<ModelLine>& lines, std::string_view what) {
  const auto found = std::find_if(lines.begin(), lines.end(), [&](const ModelLine& each) { return each.what == what; });
  REQUIRE(found != lines.end());
  return *found;
}

}  // namespace

TEST_CASE("a GEMM's models are the language's own answers, of its plan and the device that is named") {
  const LiveGemm made = live_gemm(spec_of("rung(9, 4096, 4096, 4096)"), "H200");
  REQUIRE(made.plan);
  CHECK(made.models.size() == 3);
  CHECK(line(made.models, "waves").sentence.find("on 132 SMs") != std::string::npos);
  CHECK(line(made.models, "roofline").sentence.find("bound by arithmetic on H200") == 0);
  CHECK(line(made.models, "occupancy").sentence.find("multiprocessor of H200") != std::string::npos);
  CHECK_FALSE(line(made.models, "occupancy").rules.empty());
  CHECK(line(made.models, "occupancy").sentence.starts_with("at most "));  // its registers are not known yet
  CHECK(line(live_gemm(made.spec, "A100").models, "waves").sentence.find("on 108 SMs") != std::string::npos);
  CHECK(line(live_gemm(made.spec, "no such").models, "waves").refused);
  CHECK_FALSE(made.limits.empty());
}

TEST_CASE("wavefronts are counted of one CTA, and a padding that spreads banks lowers them") {
  const auto counted = [](std::string_view sA) {
    const LiveGemm of = live_gemm(
        spec_of("gemm(m=1024, n=1024, k=1024, mma=make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2)), cta_tiler=(64,64,32), sA=" +
                std::string(sA) + ")"),
        "H200");
    REQUIRE(of.plan);
    return line(settled_gemm(of).accesses, "smem read of A");
  };
  const ModelLine plain = counted("(64,32):(32,1)"), padded = counted("(64,32):(40,1)");
  CHECK(plain.sentence != padded.sentence);
  CHECK_FALSE(plain.rules.empty());  // the conflict, in words
  CHECK(padded.rules.empty());
}

TEST_CASE("lines of the source and of the program have the plan's own operations, and an operation its tensors") {
  const LiveGemm of = live_gemm(spec_of("rung(9, 256, 256, 128)"), "H200");
  const SettledGemm made = settled_gemm(of);
  REQUIRE(made.source);
  REQUIRE(*made.source);
  std::size_t found = 0;
  for (const emitting::SourceLine& each : **made.source) {
    if (!each.op) continue;
    ++found;
    CHECK(std::any_of(of.program.begin(), of.program.end(), [&](const ProgramLine& row) { return row.op == each.op; }));
  }
  CHECK(found > 20);
  bool copies = false;
  for (const OpTouches& each : made.touches)
    copies = copies || (each.touched.size() == 2 && each.touched[0].tensor == "gA" && each.touched[1].tensor == "sA");
  CHECK(copies);
}

TEST_CASE("a GEMM that is refused has its rule and nothing else") {
  const LiveGemm made = live_gemm(spec_of("gemm(m=64, n=64, k=64, mma=make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN), stages=99)"), "H200");
  CHECK_FALSE(made.plan);
  REQUIRE(made.refused);
  CHECK(made.refused->message.find("stages") != std::string::npos);
  CHECK_FALSE(settled_gemm(made).source);
}
