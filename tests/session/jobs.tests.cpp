// SPDX-License-Identifier: BSD-3-Clause
// Jobs: a worker that answers, one that crashes, one that hangs, one that speaks nonsense; each is survived, and the next job works.
// The workers here are shell scripts that speak the protocol.
#include "app/session/gemm/jobs.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "app/session/files/document_io.hpp"
#include "kernels/runtime/measure/measurement.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;
using test::put;

namespace {

const char* const kDocument =
    "let mma = make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT, (2,2):(2,1))\n"
    "let small = gemm(m=16, n=16, k=8, mma=mma)\n"
    "let other = (4,8):(8,1)\n";

GemmRequest request(const std::string& worker = {}) {
  GemmRequest made;
  made.document = kDocument;
  made.binding = "small";
  made.worker = worker;
  made.timeout_seconds = 3;
  return made;
}

// A worker that says hello, reads the request into `request`, and then does `and_then`.
std::string script(const test::TemporaryFolder& folder, const std::string& and_then) {
  put(folder / "worker.sh", "echo '{\"event\":\"hello\",\"program\":\"fake\",\"protocol\":1}'\nread -r line\nprintf '%s' \"$line\" > " +
                                (folder / "request").string() + "\n" + and_then + "\n");
  return "sh " + (folder / "worker.sh").string();
}

std::string measurement_line(bool right) {
  Measurement measurement;
  measurement.name = "small";
  measurement.m = measurement.n = 16;
  measurement.k = 8;
  measurement.device.name = "Fake GPU";
  measurement.arch = {70, 0};
  measurement.correctness.passed = right;
  measurement.correctness.compared = 256;
  measurement.spent.emplace().lower = 0.5;
  measurement.correctness.reason = right ? "" : "element 3 is 1 and should be 2";
  if (right) {
    measurement.timing.emplace();
    measurement.timing->interleaved.kernel = spread_of({2.0, 2.0, 2.0});
    measurement.timing->interleaved.baseline = spread_of({1.0, 1.0, 1.0});
    measurement.timing->interleaved.ratio = 0.5;
  }
  return "{\"event\":\"result\",\"id\":1,\"measurement\":" + to_json(measurement, true) + "}";
}

Result<GemmReport> outcome(GemmJob& job) {
  job.wait();
  REQUIRE(job.result() != nullptr);
  return *job.result();
}

}  // namespace

TEST_CASE("a worker's answer becomes a live report with its time and its baseline") {
  const test::TemporaryFolder folder;
  const auto job = GemmJob::start(request(script(
      folder, "echo '{\"event\":\"progress\",\"id\":1,\"stage\":\"check\",\"fraction\":0.5}'\necho '" + measurement_line(true) + "'")));
  const Result<GemmReport> report = outcome(*job);
  INFO((report ? "" : describe(report.error())));
  REQUIRE(report);
  CHECK(job->state() == GemmJob::State::finished);
  CHECK(report->provenance == Provenance::live);
  CHECK(report->headline.find("LIVE on Fake GPU") == 0);
  CHECK(report->correct);
  CHECK(report->microseconds.value() == Approx(2.0));
  CHECK(report->percent_of_baseline.value() == Approx(50.0));
  CHECK(measurement_from_json(report->json));
  CHECK(job->progress().stage == "check");
}

TEST_CASE("jobs that share their workers reach one process, and the report says what each cost beside its kernels") {
  const test::TemporaryFolder folder;
  const std::string first = measurement_line(true);
  std::string second = first;
  second.replace(second.find("\"id\":1"), 6, "\"id\":2");
  const GemmRequest sent = request(script(
      folder, "echo $$ >> " + (folder / "started").string() + "\necho '" + first + "'\nread -r line\necho '" + second + "'\nread -r line"));
  const auto workers = make_worker_pool();
  for (int i = 0; i < 2; ++i) {
    const Result<GemmReport> report = outcome(*GemmJob::start(sent, workers));
    INFO((report ? "" : describe(report.error())));
    REQUIRE(report);
    const auto line =
        std::find_if(report->lines.begin(), report->lines.end(), [](const std::string& text) { return text.starts_with("overhead: "); });
    REQUIRE(line != report->lines.end());
    CHECK((line->find("worker started") == std::string::npos) == (i == 1));
  }
  const std::string started = test::contents(folder / "started");
  CHECK(std::count(started.begin(), started.end(), '\n') == 1);
}

TEST_CASE("a worker is sent the document and the binding, never source text") {
  const test::TemporaryFolder folder;
  GemmRequest sent = request(script(folder, "echo '" + measurement_line(true) + "'"));
  sent.m = 32;
  const auto job = GemmJob::start(sent);
  REQUIRE(outcome(*job));
  const std::string line = test::contents(folder / "request");
  CHECK(line.find("#! gemm small m=32") != std::string::npos);
  CHECK(line.find("let other") != std::string::npos);
  CHECK(line.find("__global__") == std::string::npos);
}

TEST_CASE("a wrong result has no time") {
  const test::TemporaryFolder folder;
  const auto job = GemmJob::start(request(script(folder, "echo '" + measurement_line(false) + "'")));
  const Result<GemmReport> report = outcome(*job);
  REQUIRE(report);
  CHECK_FALSE(report->correct);
  CHECK_FALSE(report->microseconds);
}

TEST_CASE("a worker that crashes, hangs, talks nonsense or is not there is reported, and the next job works") {
  const test::TemporaryFolder folder;
  const char* const endings[] = {
      "kill -SEGV $$", "sleep 60", "echo nonsense; sleep 60", "exit 7",
      "echo "
      "'{\"event\":\"error\",\"id\":1,\"fatal\":true,\"error\":{\"code\":\"launch_failed\",\"message\":\"CUDA_ERROR_ILLEGAL_ADDRESS\"}}'"};
  for (const char* ending : endings) {
    INFO(ending);
    const auto began = std::chrono::steady_clock::now();
    const auto job = GemmJob::start(request(script(folder, ending)));
    const Result<GemmReport> report = outcome(*job);
    REQUIRE_FALSE(report);
    CHECK(job->state() == GemmJob::State::failed);
    CHECK_FALSE(report.error().message.empty());
    CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds(20));
  }
  CHECK_FALSE(outcome(*GemmJob::start(request("/nonexistent/worker"))));
  CHECK(outcome(*GemmJob::start(request(script(folder, "echo '" + measurement_line(true) + "'")))));
}

TEST_CASE("a time limit that is no time is refused before a worker is started") {
  for (const double seconds : {0.0, -1.0, 1e30, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    GemmRequest silence = request("sleep 60"), kernel = silence;
    silence.timeout_seconds = seconds;
    kernel.kernel_seconds = seconds;
    CHECK(outcome(*GemmJob::start(silence)).error().code == ErrorCode::out_of_range);
    CHECK(outcome(*GemmJob::start(kernel)).error().code == ErrorCode::out_of_range);
  }
}

TEST_CASE("a cancelled job ends soon, and a dropped one does not wait for its worker") {
  const test::TemporaryFolder folder;
  GemmRequest slow = request(script(folder, "sleep 60"));
  slow.timeout_seconds = 60;
  const auto began = std::chrono::steady_clock::now();
  const auto job = GemmJob::start(slow);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  job->cancel();
  CHECK_FALSE(outcome(*job));
  CHECK(job->state() == GemmJob::State::cancelled);
  { const auto dropped = GemmJob::start(slow); }
  CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds(20));
}

TEST_CASE("a request comes back from the text that a worker is sent") {
  GemmRequest original = request();
  original.m = 64;
  original.k = 128;
  const GemmRequest read = read_spec_text(to_spec_text(original)).value();
  CHECK(read.document == original.document);
  CHECK(read.binding == "small");
  CHECK(read.m == 64);
  CHECK_FALSE(read.n);
  CHECK(read.k == 128);
  CHECK(plan_of(read).value().m == 64);
  CHECK_FALSE(read_spec_text("#! gemm small m=-1\n"));
  CHECK_FALSE(read_spec_text("#! gemm small m=64 rm=1\n"));
}

TEST_CASE("a binding that is no GEMM, or none at all, is refused by name") {
  GemmRequest wrong = request();
  wrong.binding = "other";
  CHECK(spec_of(wrong).error().code == ErrorCode::wrong_type);
  wrong.binding = "smal";
  CHECK(spec_of(wrong).error().notes.front().find("small") != std::string::npos);
  wrong.binding.clear();
  CHECK(spec_of(wrong).value().name == "small");
  wrong.document = "gemm(m=16, n=16, k=8, mma=make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT, (2,2):(2,1)))";
  CHECK(spec_of(wrong).value().m == 16);
}

TEST_CASE("an emulation is right, says what it is, and has no time") {
  const auto job = GemmJob::start_emulation(request());
  const Result<GemmReport> report = outcome(*job);
  INFO((report ? "" : describe(report.error())));
  REQUIRE(report);
  CHECK(report->provenance == Provenance::emulated);
  CHECK(report->headline.find("SIMULATED") == 0);
  CHECK(report->correct);
  CHECK(report->largest_error == 0);
  CHECK_FALSE(report->microseconds);
  CHECK_FALSE(report->tflops);
  CHECK(report->json.find("\"us\"") == std::string::npos);
}

TEST_CASE("a product that takes long to emulate is emulated at a few tiles, and the report says so") {
  GemmRequest large = request();
  large.document =
      "let big = gemm(m=4096, n=4096, k=4096, cta_tiler=(16,16,8), mma=make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT, (2,2):(2,1)))\n";
  large.binding = "big";
  const Result<GemmReport> report = emulate_soon(large);
  INFO((report ? "" : describe(report.error())));
  REQUIRE(report);
  CHECK(report->correct);
  CHECK(report->lines.front().find("of the 4096x4096x4096 asked for") != std::string::npos);
}

TEST_CASE("a GEMM with layouts of its own is emulated at a few tiles with the same strides") {
  GemmRequest large = request();
  large.document =
      "let big = gemm(m=4096, n=4096, k=4096, cta_tiler=(16,16,8), mma=make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT, (2,2):(2,1)),\n"
      "  gA=(4096,4096):(1,4096), gB=((2,2048),4096):((1,2),4096), gC=(4096,4096):(4104,1))\n";
  large.binding = "big";
  const Result<GemmReport> report = emulate_soon(large);
  INFO((report ? "" : describe(report.error())));
  REQUIRE(report);
  CHECK(report->correct);
  CHECK(report->lines.front().find("32x16x16 of the 4096x4096x4096 asked for") != std::string::npos);
}

TEST_CASE("other extents cut a GEMM's own layouts, and extents that they do not reach are refused by the layout's name") {
  GemmRequest asked = request();
  asked.document = "let own = gemm(m=32, n=16, k=8, mma=make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT, (2,2):(2,1)), gA=(32,8):(1,40))\n";
  asked.binding = "own";
  asked.m = 16;
  CHECK(to_string(plan_of(asked).value().gmem(Operand::a).layout) == "(16,8):(1,40)");
  asked.m = 64;
  const Result<GemmPlan> refused = plan_of(asked);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find("gA is (32,8):(1,40)") != std::string::npos);
  CHECK(refused.error().message.find("64x8") != std::string::npos);
}

TEST_CASE("an emulation that is too large is refused before its memory is asked for") {
  const char* const documents[] = {
      // 2^48 multiplications; more than fit in 64 bits; few of them in tensors of 8 GB
      "gemm(m=65536, n=65536, k=65536, cta_tiler=(16,16,8), mma=make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT, (2,2):(2,1)))",
      "gemm(m=4194304, n=4194304, k=4194304, cta_tiler=(16,16,8), mma=make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT, (2,2):(2,1)))",
      "gemm(m=16, n=16, k=8, gA=(16,8):(1,1000000000), mma=make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT, (2,2):(2,1)))"};
  for (const char* document : documents) {
    GemmRequest asked = request();
    asked.document = document;
    asked.binding.clear();
    const Result<GemmPlan> plan = plan_of(asked);
    INFO((plan ? document : describe(plan.error())));
    REQUIRE(plan);
    const Result<GemmReport> report = emulate(*plan);
    REQUIRE_FALSE(report);
    CHECK(report.error().code == ErrorCode::limit);
  }
}

TEST_CASE("the recordings that come with Tessera are of the tour's GEMMs as they are") {
  for (const char* name : {"article_gemm", "tensor_gemm"}) {
    GemmRequest tour;
    tour.document = read_file(find_asset("presets/tour.tess").value()).value();
    tour.binding = name;
    CHECK_FALSE(recordings(plan_of(tour).value()).own.empty());
    tour.k = 2 * plan_of(tour)->k;
    if (const Result<GemmPlan> deeper = plan_of(tour)) {
      CHECK(recordings(*deeper).own.empty());
      CHECK_FALSE(recordings(*deeper).others.empty());
    }
  }
}

TEST_CASE("a recording is of its own plan, and others of that name are told apart, those that differ least first") {
  const test::TemporaryFolder folder;
  const test::TemporaryEnvironment assets("TESSERA_ASSETS", folder.path().string());
  GemmPlan plan = plan_of(request()).value();
  plan.name = "mine";
  Measurement measurement = measurement_from_json(to_json(Measurement{})).value();
  measurement.name = "mine";
  measurement.m = measurement.n = 16, measurement.k = 8;
  measurement.type_a = measurement.type_b = "f16", measurement.type_c = "f32";
  measurement.block[0] = static_cast<unsigned>(plan.threads);
  measurement.smem_bytes = plan.smem_bytes;
  for (const char* date : {"2026-01-02", "2026-03-01", "2025-12-01"}) {
    measurement.date = date;
    REQUIRE(write_file(folder / ("recordings/" + std::string(date) + ".json"), to_json(measurement)));
  }
  measurement.date = "2026-04-01";
  measurement.k = 16;
  measurement.type_c = "f16";
  REQUIRE(write_file(folder / "recordings/other.json", to_json(measurement)));
  measurement.date = "2026-01-01";
  measurement.type_c = "f32";
  REQUIRE(write_file(folder / "recordings/deeper.json", to_json(measurement)));
  put(folder / "recordings/damaged.json", "{");
  const Recordings found = recordings(plan);
  REQUIRE(found.own.size() == 3);
  CHECK(found.own.front().date == "2026-03-01");
  CHECK(found.own.front().provenance == Provenance::recorded);
  REQUIRE(found.others.size() == 2);
  CHECK(found.others.front().other_version == "k was 16, is 8");
  CHECK(found.others.back().other_version == "k was 16, is 8, the type of C was f16, is f32");
  CHECK(found.others.back().headline.find("OF ANOTHER VERSION") != std::string::npos);
  REQUIRE(found.damaged.size() == 1);
  CHECK(found.damaged[0].message.starts_with("damaged.json: "));
  plan.name = "another";
  CHECK(recordings(plan).own.empty());
  CHECK(recordings(plan).others.empty());
  plan.name = "mine";
  CHECK(report_of(to_json(measurement), Provenance::live, plan).has_value());
  measurement.name = "yours";
  CHECK(report_of(to_json(measurement), Provenance::live, plan).error().message ==
        "the result is of \"yours\", and \"mine\" was asked for");
}
