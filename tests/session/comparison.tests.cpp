// SPDX-License-Identifier: BSD-3-Clause
// Two GEMMs beside each other: what differs, what their accesses cost, and what a worker measured of both. Workers are shell scripts here.
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>

#include "app/session/gemm/comparison.hpp"

#include <nlohmann/json.hpp>

#include "core/base/json.hpp"
#include "core/gemm/spec_fields.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;
using test::put;

namespace {

const char* const kDocument =
    "let mma = make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT, (2,2):(2,1))\n"
    "let plain = gemm(m=16, n=16, k=16, mma=mma, cta_tiler=(16,16,8))\n"
    "let padded = gemm(m=16, n=16, k=16, mma=mma, cta_tiler=(16,16,8), sA=(16,8):(24,1), stages=2)\n";

GemmRequest request(const std::string& binding, const std::string& worker = "") {
  GemmRequest made;
  made.document = kDocument;
  made.binding = binding;
  made.worker = worker;
  made.timeout_seconds = 5;
  return made;
}

std::string script(const test::TemporaryFolder& folder, const std::string& answer) {
  put(folder / "answer", answer);
  put(folder / "worker.sh", "echo '{\"event\":\"hello\",\"program\":\"fake\",\"protocol\":1}'\nread -r line\nprintf '%s' \"$line\" > " +
                                (folder / "request").string() + "\ncat " + (folder / "answer").string() + "\n");
  return "sh " + (folder / "worker.sh").string();
}

// What a device would say of this GEMM, so that nothing in it differs from what was asked for.
Measurement measured(const GemmRequest& of, double us, double other_us) {
  const GemmPlan plan = plan_of(of).value();
  Measurement made;
  made.name = plan.name;
  made.m = plan.m, made.n = plan.n, made.k = plan.k;
  made.type_a = made.type_b = "f16", made.type_c = "f32";
  made.device.name = "Fake GPU";
  made.arch = {70, 0};
  made.block = {static_cast<unsigned>(plan.threads), 1, 1};
  made.smem_bytes = plan.smem_bytes;
  made.correctness.passed = true, made.correctness.compared = 256;
  made.timing.emplace();
  TimedMode& mode = made.timing->interleaved;
  mode.kernel = spread_of({us, us, us});
  mode.baseline = spread_of({other_us});
  mode.ratio = other_us / us;
  mode.kernel_tflops = 8192 / us * 1e-6;
  return made;
}

std::string answer_of(const Measurement& a, const Measurement& b) { return to_line(WorkerEvent(ComparisonEvent{1, {a, b}})) + "\n"; }
bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("two GEMMs are told apart by their fields, and by what their accesses cost") {
  const Result<GemmComparison> made = compare(request("plain"), request("padded"));
  INFO((made ? "" : describe(made.error())));
  REQUIRE(made);
  REQUIRE(made->differences.size() == 2);
  CHECK(made->differences[0].field == "sA");
  CHECK(made->differences[0].a.empty());
  CHECK(made->differences[0].b == "(16,8):(24,1)");
  CHECK(made->differences[1].words == "stages: 1 -> 2");
  CHECK(made->emulated_a.correct);
  CHECK(made->emulated_b.correct);
  CHECK(made->counts.size() == made->emulated_a.accesses.size());
  bool found = false;
  for (const GemmComparison::Count& count : made->counts) {
    if (count.step != Access::Step::g2s_write_a) continue;
    found = true;
    REQUIRE(count.a);
    REQUIRE(count.b);
    CHECK(count.a->instructions > 0);
    CHECK(count.b->least_units > 0);
  }
  CHECK(found);
  CHECK_FALSE(made->measured_a);
  CHECK(made->not_measured == "nothing was measured");
  CHECK(compare(request("plain"), request("plain"))->differences.empty());
}

TEST_CASE("counts are of the GEMM that they stand under") {
  GemmRequest strided = request("plain");
  strided.set = {{"sA", "(16,8):(256,1)"}};
  const auto writes = [](const std::optional<AccessSummary>& row) { return row ? row->units : -1; };
  const GemmComparison there = compare(request("plain"), strided).value(), back = compare(strided, request("plain")).value();
  REQUIRE(there.counts.size() == back.counts.size());
  bool differ = false;
  for (std::size_t i = 0; i < there.counts.size(); ++i) {
    CHECK(there.counts[i].step == back.counts[i].step);
    if (i > 0) CHECK(there.counts[i - 1].step < there.counts[i].step);
    CHECK(writes(there.counts[i].a) == writes(back.counts[i].b));
    CHECK(writes(there.counts[i].b) == writes(back.counts[i].a));
    differ = differ || writes(there.counts[i].a) < writes(there.counts[i].b);
  }
  CHECK(differ);  // rows 512 bytes apart meet in one bank
}

TEST_CASE("a worker's comparison gives both times, their ratio, and how far it can be trusted") {
  const test::TemporaryFolder folder;
  const GemmRequest plain = request("plain");
  GemmRequest other = request("plain");
  other.set = {{"stages", "2"}};
  Measurement a = measured(plain, 2, 5), b = measured(other, 5, 2);
  a.timing->ratio_control = 1.01;
  const std::string worker = script(folder, answer_of(a, b));
  GemmRequest asked = plain;
  asked.worker = worker;
  GemmComparison made = compare(plain, other).value();
  const Status done = measure(made, asked, other, {}, {});
  INFO((done ? "" : describe(done.error())));
  REQUIRE(done);
  REQUIRE(made.measured_a);
  CHECK(*made.measured_a->microseconds == Approx(2));
  CHECK(*made.measured_b->microseconds == Approx(5));
  CHECK(made.measured_a->other_version.empty());
  CHECK(made.measured_b->other_version.empty());
  CHECK(*made.ratio == Approx(2.5));
  CHECK(ratio_text(made) ==
        "b takes 2.500 times as long as a, launched in turn; b takes 1.010 times as long as itself; "
        "a difference of 150 %, and this run's noise is 1.00 %");
  CHECK(*made.noise == Approx(0.01));
  CHECK(made.not_measured.empty());
  const Json json = parse_json(to_json(made), kFileJson, ErrorCode::corrupt).value();
  CHECK(json.find("ratio")->shown() == "2.5");
  CHECK(json.find("a")->find("median_us")->shown().starts_with("2"));
  CHECK(json.find("not_measured") == nullptr);
  // Both were sent, each with its fields.
  const std::string sent = test::contents(folder / "request");
  CHECK(has(sent, "\"op\":\"compare\""));
  CHECK(has(sent, "\"against\":\"#! gemm plain stages=2\\n"));
  CHECK(has(sent, "\"spec\":\"#! gemm plain\\n"));
}

TEST_CASE("a problem of another size is said to be one beside the ratio") {
  GemmComparison made = compare(request("plain"), request("plain")).value();
  made.ratio = 2;
  CHECK_FALSE(has(ratio_text(made), "problems differ"));
  made.spec_b.k = 32;
  CHECK(has(ratio_text(made), "; the problems differ, so compare rates"));
}

TEST_CASE("where nothing can be measured a comparison says so, and where a run goes wrong it is an error") {
  const test::TemporaryFolder folder;
  GemmComparison made = compare(request("plain"), request("padded")).value();
  const auto answered = [&](const std::string& line) {
    return measure(made, request("plain", script(folder, line + "\n")), request("padded"), {}, {});
  };
  CHECK(answered(R"({"event":"error","id":1,"error":{"code":"no_device","message":"there is no GPU"}})"));
  CHECK(made.not_measured == "nothing was measured: there is no GPU");
  CHECK(ratio_text(made) == made.not_measured);
  CHECK(has(to_json(made), "\"not_measured\": \"nothing was measured: there is no GPU\""));
  CHECK_FALSE(answered(R"({"event":"error","id":1,"fatal":true,"error":{"code":"launch_failed","message":"fault"}})"));
  CHECK_FALSE(answered("nonsense"));
  CHECK_FALSE(answered(R"({"event":"devices","id":1,"devices":[]})"));
  Measurement a = measured(request("plain"), 2, 5), b = measured(request("padded"), 5, 2);
  a.correctness.passed = false, a.correctness.reason = "element 3 is 1";
  a.timing.reset(), b.timing.reset();
  REQUIRE(answered(answer_of(a, b)));
  CHECK_FALSE(made.ratio);
  CHECK_FALSE(made.measured_a->correct);
  CHECK(made.measured_b->correct);
  CHECK(ratio_text(made) == "no speed of a wrong answer");
  CHECK_FALSE(compare(request("plain"), request("nothing")));
  GemmRequest unlowered = request("plain");
  unlowered.set = {{"stages", "40"}};
  CHECK_FALSE(compare(request("plain"), unlowered));
}

TEST_CASE("a comparison's JSON has every figure of both sides under its own name, and null for what there is not") {
  GemmComparison made;
  made.spec_a.name = "one", made.spec_b.name = "two";
  made.emulated_a.correct = true;
  made.differences = {{"stages", "1", "2", "stages: 1 -> 2"}, {"sA", "", "(2,2)", "words"}};
  AccessSummary shared{}, global{};
  shared.shared = true, shared.instructions = 3, shared.units = 5, shared.least_units = 4;
  global.shared = false, global.instructions = 6, global.units = 8, global.least_units = 7;
  made.counts = {{Access::Step::s2r_a, shared, {}}, {Access::Step::store_c, {}, global}};
  const auto json = [&] { return nlohmann::json::parse(to_json(made)); };
  using Json = nlohmann::json;
  CHECK(json() ==
        Json({{"a", {{"name", "one"}, {"spec", to_string(made.spec_a)}, {"emulation_correct", true}}},
              {"b", {{"name", "two"}, {"spec", to_string(made.spec_b)}, {"emulation_correct", false}}},
              {"differences",
               Json::array({Json({{"field", "stages"}, {"a", "1"}, {"b", "2"}}), Json({{"field", "sA"}, {"a", ""}, {"b", "(2,2)"}})})},
              {"counts",
               Json::array(
                   {Json({{"step", "smem read of A"}, {"a", {{"instructions", 3}, {"wavefronts", 5}, {"least", 4}}}, {"b", nullptr}}),
                    Json({{"step", "gmem store of C"}, {"a", nullptr}, {"b", {{"instructions", 6}, {"sectors", 8}, {"least", 7}}}})})},
              {"device", nullptr},
              {"ratio", nullptr},
              {"control", nullptr},
              {"noise", nullptr},
              {"measurable", nullptr}}));
  CHECK(ratio_text(made) == "no speed of a wrong answer");
  made.not_measured = "nobody was there";
  CHECK(json()["not_measured"] == "nobody was there");
  CHECK(ratio_text(made) == "nobody was there");
  GemmReport &a = made.measured_a.emplace(), &b = made.measured_b.emplace();
  a.device = "a GPU", b.device = "the same";
  a.correct = true, a.microseconds = 1.5, a.tflops = 2.5, a.spread_percent = 3.5;
  made.ratio = 1.25, made.control = 1.5;
  CHECK(json()["device"] == "a GPU");
  CHECK((json()["ratio"] == 1.25 && json()["control"] == 1.5));
  CHECK((json()["a"]["correct"] == true && json()["b"]["correct"] == false));
  CHECK((json()["a"]["median_us"] == 1.5 && json()["a"]["tflops"] == 2.5 && json()["a"]["spread_percent"] == 3.5));
  CHECK((json()["b"]["median_us"].is_null() && json()["b"]["tflops"].is_null() && json()["b"]["spread_percent"].is_null()));
  CHECK(ratio_text(made) == "b takes 1.250 times as long as a, launched in turn; b takes 1.500 times as long as itself");
  CHECK((json()["noise"].is_null() && json()["measurable"].is_null()));
  made.noise = 0.25;
  CHECK(has(ratio_text(made), "; no measurable difference: 25.0 % is within this run's noise of 25.0 %"));
  CHECK((json()["noise"] == 0.25 && json()["measurable"] == false));
  made.noise = 0.2499;
  CHECK(has(ratio_text(made), "; a difference of 25.0 %, and this run's noise is 25.0 %"));
  CHECK(json()["measurable"] == true);
  made.noise.reset();
  made.control.reset();
  CHECK(ratio_text(made) == "b takes 1.250 times as long as a, launched in turn");
  for (std::int64_t GemmSpec::*extent : {&GemmSpec::m, &GemmSpec::n, &GemmSpec::k}) {
    GemmComparison other = made;
    other.spec_b.*extent += 1;
    CHECK(has(ratio_text(other), "the problems differ"));
  }
}

TEST_CASE("two GEMMs are measured in turn beside the caller, and how many times as fast b is has the run's noise") {
  const test::TemporaryFolder folder;
  const GemmRequest a = request("plain");
  GemmRequest b = request("plain");
  b.set = {{"stages", "2"}};
  const auto in_turn = [&](double us_a, double us_b) {
    Measurement of_a = measured(a, us_a, us_b), of_b = measured(b, us_b, us_a);
    of_a.timing->ratio_control = 1.01;
    GemmRequest asked = a;
    asked.worker = script(folder, answer_of(of_a, of_b));
    ComparisonJob job(asked, b);
    std::optional<Result<GemmComparison>> made;
    for (int i = 0; i < 5000 && !made; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      made = job.take();
    }
    REQUIRE(made);
    INFO((*made ? "" : describe(made->error())));
    REQUIRE(*made);
    CHECK_FALSE(job.take());
    return **made;
  };
  const GemmComparison faster = in_turn(5, 2);
  CHECK(faster.differences.size() == 1);
  CHECK(faster.differences[0].words == "stages: 1 -> 2");
  CHECK(has(test::contents(folder / "request"), "\"op\":\"compare\""));
  REQUIRE(speed_ratio(faster));
  CHECK(to_string(*speed_ratio(faster)) == "2.5 times as fast: 150 % faster");
  CHECK(to_string(*speed_ratio(in_turn(2, 5))) == "0.4 times as fast: 150 % slower");
  const GemmComparison same = in_turn(2, 2.002);
  CHECK_FALSE(speed_ratio(same)->measurable());
  CHECK(to_string(*speed_ratio(same)).starts_with("no measurable difference"));
}

TEST_CASE("a run in turn is stopped while its worker hangs, and a worker that is gone is said with its command") {
  GemmRequest hangs = request("plain", "sleep 1000");
  ComparisonJob job(hangs, request("plain"));
  job.cancel();
  CHECK(job.stopped());
  const auto ended = [](ComparisonJob& of) {
    std::optional<Result<GemmComparison>> made;
    for (int i = 0; i < 5000 && !made; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      made = of.take();
    }
    REQUIRE(made);
    REQUIRE_FALSE(*made);
    return made->error();
  };
  CHECK(ended(job).notes.empty());  // who stops it knows why
  ComparisonJob gone(request("plain", "sh -c 'exit 7'"), request("plain"));
  CHECK(describe(ended(gone)).find("the worker: sh -c 'exit 7'") != std::string::npos);
}
