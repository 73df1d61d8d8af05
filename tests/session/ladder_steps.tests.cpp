// SPDX-License-Identifier: BSD-3-Clause
// The ladder in words, as JSON, and two GEMMs as three texts beside each other.
#include "app/session/gemm/ladder_steps.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.hpp"
#include "core/gemm/spec_fields.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

// The lines of one side of a diff, put together again.
std::string side(const std::vector<DiffLine>& lines, DiffLine::Kind other) {
  std::string text;
  for (const DiffLine& line : lines) text += line.kind == other ? "" : line.text;
  return text;
}

GemmRequest small(const char* set) {
  GemmRequest request;
  request.document = std::string("let one = gemm(m=16, n=16, k=16, mma=make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT, (2,2):(2,1)), ") +
                     "cta_tiler=(16,16,8)" + set + ")\n";
  request.binding = "one";
  return request;
}

}  // namespace

TEST_CASE("the request of a rung names the GEMM that the ladder holds") {
  const ProblemSize extents{128, 256, 512};
  const std::vector<LadderStep> steps = climb(extents).value();
  REQUIRE(steps.size() == ladder().size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    INFO(steps[i].rung->name);
    CHECK(steps[i].rung == &ladder()[i]);
    const GemmSpec asked = spec_of(request_of(*steps[i].rung, extents)).value();
    CHECK(to_string(asked) == to_string(steps[i].spec));
    CHECK(asked.name == steps[i].rung->name);
    CHECK((asked.m == 128 && asked.n == 256 && asked.k == 512));
    if (!steps[i].rung->is_of_size) CHECK(steps[i].changes.size() == steps[i].rung->fields.size());
    std::size_t field = 0;  // those that do not differ at this size are passed over
    for (const std::string& change : steps[i].changes) {
      while (field < steps[i].rung->fields.size() && !change.starts_with(std::string(steps[i].rung->fields[field]) + ": ")) ++field;
      CHECK(field < steps[i].rung->fields.size());
    }
  }
}

TEST_CASE("a ladder as JSON has each rung's words, and a measurement or why there is none") {
  std::vector<LadderStep> steps = climb({256, 256, 256}).value();
  steps[0].report = GemmReport();
  steps[0].report->json = R"({"median_us": 2.5})";
  steps[1].not_measured = "the GPU sleeps";
  steps[2].report = GemmReport();
  steps[2].report->json = "no JSON";
  const Json json = parse_json(to_json(steps, {256, 256, 256}), kRequestJson, ErrorCode::bad_message).value();
  CHECK(json.find("n")->whole<int>() == 256);
  const Json::List& rungs = *json.find("rungs")->list();
  REQUIRE(rungs.size() == steps.size());
  CHECK(rungs[0].find("rung")->whole<int>() == ladder()[0].number);
  CHECK(*rungs[0].find("idea")->text() == ladder()[0].idea);
  for (std::size_t i = 0; i < rungs.size(); ++i) CHECK(*rungs[i].find("ladder")->text() == to_string(ladder()[i].of));
  CHECK(*rungs[0].find("question")->text() == ladder()[0].question);
  CHECK(rungs[0].find("measurement")->find("median_us")->number() == 2.5);
  CHECK(rungs[0].find("not_measured") == nullptr);
  CHECK(*rungs[1].find("not_measured")->text() == "the GPU sleeps");
  CHECK(rungs[1].find("measurement") == nullptr);
  CHECK(rungs[2].find("measurement") == nullptr);
  CHECK(rungs[1].find("changes")->list()->size() == ladder()[1].fields.size());
}

TEST_CASE("two GEMMs are told apart in spec, plan and source, and each side is whole") {
  const GemmDiff made = diff(small(""), small(", stages=2, sB=(16,8):(8,1)")).value();
  CHECK(made.changes == std::vector<std::string>{"sB: left out -> (16,8):(8,1)", "stages: 1 -> 2"});
  const auto has = [](const std::vector<DiffLine>& lines, DiffLine::Kind kind, std::string_view part) {
    return std::any_of(lines.begin(), lines.end(),
                       [&](const DiffLine& line) { return line.kind == kind && line.text.find(part) != std::string::npos; });
  };
  CHECK(has(made.plan, DiffLine::Kind::removed, "2 k-tiles, 1 stage\n"));
  CHECK(has(made.plan, DiffLine::Kind::added, "2 k-tiles, 2 stages\n"));
  CHECK(has(made.plan, DiffLine::Kind::same, "problem"));
  CHECK(has(made.source, DiffLine::Kind::added, "write"));
  CHECK_FALSE(has(made.source, DiffLine::Kind::same, "// Preconditions"));  // the head repeats the plan
  CHECK(side(made.source, DiffLine::Kind::added).find("extern \"C\"") != std::string::npos);
  CHECK(side(made.plan, DiffLine::Kind::removed).find("2 stages") != std::string::npos);
  const GemmDiff same = diff(small(""), small("")).value();
  CHECK(same.changes.empty());
  CHECK(std::all_of(same.source.begin(), same.source.end(), [](const DiffLine& line) { return line.kind == DiffLine::Kind::same; }));
  CHECK_FALSE(diff(small(""), small(", stages=99")).has_value());
}
