// SPDX-License-Identifier: BSD-3-Clause
// The GEMMs that come with the program, in its documents: each is right in many orders, each of its waits is missed when it is left out,
// and ptxas remarks nothing of its kernel that is not allowed. Those of the ladder are in tests/gemm and tests/kernels.
#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "app/session/files/document_io.hpp"
#include "app/session/gemm/gemm_request.hpp"
#include "app/session/gemm/race_evidence.hpp"
#include "core/gemm/lower/lower.hpp"
#include "core/gemm/rungs/ladder.hpp"
#include "kernels/codegen/emit_gemm.hpp"
#include "kernels/runtime/compile/compiler.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;

namespace {

struct Shipped {
  std::string name;
  GemmSpec spec;
};

std::vector<Shipped> shipped() {
  std::vector<Shipped> all;
  for (const auto& entry : std::filesystem::directory_iterator(test::source_dir() + "/assets/presets")) {
    GemmRequest request;
    request.document = test::contents(entry.path());
    const std::vector<std::string> names = gemms_of(request).value();
    for (const std::string& name : names) {
      request.binding = name;
      all.push_back({entry.path().filename().string() + ": " + name, spec_of(request).value()});
    }
  }
  return all;
}

RaceEvidence evidence_of(const GemmSpec& spec, const RaceOptions& options) {
  const Result<RaceEvidence> made = race_evidence(spec, options);
  INFO((made ? "" : describe(made.error())));
  REQUIRE(made);
  return *made;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("every GEMM that comes in a document is right in many orders, and each of its waits is missed") {
  const std::vector<Shipped> all = shipped();
  CHECK(all.size() >= 6);
  for (const Shipped& each : all) {
    INFO(each.name);
    const RaceEvidence evidence = evidence_of(each.spec, {.drawn = 4, .removals = true});
    INFO(evidence_text(evidence));
    CHECK_FALSE(evidence.fault);
    CHECK(evidence.orders == 8);
    CHECK(evidence.unnoticed() == 0);
    CHECK_FALSE(evidence.removals.empty());
  }
}

TEST_CASE("of every GEMM that comes in a document ptxas remarks nothing that is not allowed") {
  auto opened = open_nvrtc();
  if (!opened) {
    WARN("skipped: " << opened.error().message);
    return;
  }
  for (const Shipped& each : shipped()) {
    const KernelSource source = emit_gemm(lower(each.spec).value()).value();
    const auto cubin = (*opened)->compile(source, least_arch(source, (*opened)->toolkit()).value());
    INFO(each.name << (cubin ? cubin->log : describe(cubin.error())));
    REQUIRE(cubin);
    CHECK(cubin->resources.remarks);
    CHECK(forbidden_remarks(cubin->resources).empty());
  }
}

TEST_CASE("a product that is too large for many orders is looked at in a few tiles with the same operations") {
  for (const int number : {9, 13}) {
    const GemmSpec spec = find_rung(number)->spec(8192, 8192, 8192).value();
    const GemmPlan whole = lower(spec).value(), small = lower(at_raced_size(spec, whole).value()).value();
    CHECK(ordering_ops(small).size() == ordering_ops(whole).size());
    CHECK(small.stages() == whole.stages());
    CHECK(small.k_tiles >= small.stages() + 2);
    CHECK(small.cluster_size() == small.grid);
  }
  const GemmSpec persistent = find_rung(15)->spec(8192, 8192, 8192).value();
  const GemmPlan few = lower(at_raced_size(persistent, lower(persistent).value()).value()).value();
  CHECK(few.m_tiles * few.n_tiles == 3 * few.grid);
  const RaceEvidence evidence = evidence_of(find_rung(9)->spec(8192, 8192, 8192).value(), {.drawn = 0});
  CHECK(evidence.is_smaller);
  CHECK(evidence.removals.empty());
  CHECK(has(evidence_text(evidence),
            "128 x 256 x 320, a few tiles of the product asked for, 1 tile of C for a CTA\nRIGHT in 4 orders: 4 named and 0 drawn"));
}

TEST_CASE("evidence names each operation, who noticed and in how many orders, in words and as JSON") {
  const GemmSpec spec = find_rung(5)->spec(128, 128, 24).value();
  const RaceEvidence evidence = evidence_of(spec, {.drawn = 2, .removals = true});
  CHECK_FALSE(evidence.is_smaller);
  REQUIRE(evidence.removals.size() == 2);
  const std::string text = evidence_text(evidence), json = to_json(evidence);
  INFO(text << json);
  CHECK(has(text, "without operation, in cta:\n    8  wait on cta  machine, 6 of 6 orders"));
  CHECK(has(text, "machine, 6 of 6 orders: stage 0 of sA is read by cta at k_tile 0 before its copy has arrived"));
  CHECK(has(text, "2 of 2 removals are noticed, 0 are of what is not needed there, 0 are NOT NOTICED\n"));
  CHECK(has(json, "\"noticed_in\": 6"));
  CHECK(has(json, "\"verify\": \"stage 0 of sA"));
  CHECK(has(json, "\"fault\": null"));
}

TEST_CASE("what nobody notices and nothing explains is counted, and stands out") {
  RaceEvidence evidence;
  Removal noticed, idle, missed;
  noticed.op.text = "wait on cta", noticed.refused = Error{ErrorCode::bad_spec, "too early", {}, {}};
  idle.op.text = "arrive on empty", idle.idle = "nobody waits";
  missed.op.text = "fence";
  evidence.removals = {noticed, idle, missed, idle};
  CHECK(evidence.unnoticed() == 1);
  const std::string text = evidence_text(evidence);
  INFO(text);
  CHECK(has(text, "wait on cta      verify: too early\n"));
  CHECK(has(text, "arrive on empty  not needed: nobody waits\n"));
  CHECK(has(text, "fence            NOT NOTICED\n"));
  CHECK(has(text, "1 of 4 removals are noticed, 2 are of what is not needed there, 1 are NOT NOTICED\n"));
  evidence.fault = Error{ErrorCode::wrong_result, "C is 1", {}, {}};
  CHECK(has(evidence_text(evidence), "WRONG: C is 1\n"));
}

TEST_CASE("a person who stops a race, and a race that takes too long, are told so") {
  const GemmSpec spec = find_rung(5)->spec(128, 128, 24).value();
  const auto stopped = race_evidence(spec, {.drawn = 0, .removals = true, .progress = [](std::size_t, std::size_t) { return false; }});
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().code == ErrorCode::timed_out);
  RaceOptions brief;
  brief.limits.seconds = 0;
  const auto late = race_evidence(spec, brief);
  REQUIRE_FALSE(late);
  CHECK(late.error().code == ErrorCode::limit);
}
