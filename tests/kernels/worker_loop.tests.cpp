// SPDX-License-Identifier: BSD-3-Clause
// The worker's loop and a hostile client: whatever the lines are, each gets its short answer, and the next request is answered.
#include "kernels/runtime/worker/worker_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/json.hpp"
#include "kernels/runtime/cache/cubin_cache.hpp"
#include "kernels/runtime/measure/result_check.hpp"
#include "kernels/runtime/worker/worker_protocol.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/fake_device.hpp"
#include "tests/support/naive_gemm.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;

namespace {

struct Answers {
  WorkerEnd end;
  std::vector<WorkerEvent> events;  // without the hello and progress
  std::vector<std::string> specs;   // what was handed on of the requests
  std::size_t longest = 0;          // bytes of an event's line
};

Answers ask(const std::string& requests) {
  Answers answers{};
  WorkerParts parts;
  parts.program = "test";
  parts.lower = [&](const std::string& spec) -> Result<KernelSource> {
    answers.specs.push_back(spec);
    if (spec == "refused") return Error{ErrorCode::bad_spec, "a test refuses this", {}, {}};
    return test::naive_gemm(8, 8, 8);
  };
  parts.devices = [] { return std::vector<DeviceSummary>{}; };
  parts.make_baseline = test::fake_baseline;
  parts.open_device = [](int index) -> Result<std::unique_ptr<Device>> {
    if (index != 0) return Error{ErrorCode::no_device, "there is no such device", {}, {}};
    auto device = std::make_unique<test::FakeDevice>();
    device->problem = test::naive_gemm(8, 8, 8);
    return std::unique_ptr<Device>(std::move(device));
  };
  parts.open_compiler = []() -> Result<std::unique_ptr<KernelCompiler>> {
    return std::unique_ptr<KernelCompiler>(std::make_unique<test::FakeCompiler>());
  };
  std::istringstream in(requests);
  std::ostringstream out;
  answers.end = run_worker_loop(parts, in, out);
  std::istringstream lines(out.str());
  for (std::string line; std::getline(lines, line);) {
    answers.longest = std::max(answers.longest, line.size());
    const Result<WorkerEvent> event = read_event(line);
    REQUIRE(event.has_value());
    if (!std::holds_alternative<HelloEvent>(*event) && !std::holds_alternative<ProgressEvent>(*event)) answers.events.push_back(*event);
  }
  return answers;
}

const std::string kGood = R"({"v":1,"id":5,"op":"check","spec":"good"})";

}  // namespace

TEST_CASE("a hostile line costs a worker a short answer, and the next request is answered") {
  const std::string deep(75000, '[');
  const std::string lines[] = {
      deep,
      R"({"v":1,"id":1,"op":"run","spec":)" + deep + std::string(75000, ']') + "}",
      std::string(kRequestJson.bytes + 1000, 'x'),
      R"({"v":1,"id":1,"op":")" + std::string(1000000, 'o') + R"(","spec":"x"})",
      "[" + std::string(200000, '1') + "]",
      "{\"v\":1,\"id\":1,\"op\":\"run\",\"spec\":\"\xff\xfe\"}",
      R"({"v":1,"id":99999999999999999999,"op":"devices"})",
      R"({"v":1,"id":-1,"op":"devices"})",
      R"({"v":1,"id":1,"op":"run","spec":"a","spec":"b"})",
      R"({"v":1,"id":1,"op":"run","spec":"x","options":{"mode_seconds":1e308}})",
      std::string("\0\x1b[31m", 6),
  };
  for (const std::string& line : lines) {
    INFO(line.substr(0, 60));
    const Answers answers = ask(line + "\n" + kGood + "\n");
    CHECK(answers.end == WorkerEnd::input_closed);
    REQUIRE(answers.events.size() == 2);
    const auto* refused = std::get_if<ErrorEvent>(&answers.events[0]);
    REQUIRE(refused != nullptr);
    CHECK_FALSE(refused->fatal);
    CHECK((refused->error.code == ErrorCode::bad_message || refused->error.code == ErrorCode::limit));
    CHECK(refused->error.message.size() < 400);
    CHECK(std::holds_alternative<ResultEvent>(answers.events[1]));
    CHECK(answers.specs == std::vector<std::string>{"good"});
  }
}

TEST_CASE("only the spec of a request goes on, whatever else it brings") {
  const Answers answers = ask(
      R"({"v":1,"id":1,"op":"check","spec":"text","source":"__global__ void f() {}","cubin":"ELF","entry":"f","command":"rm","options":{"include":"/etc"}})"
      "\n");
  CHECK(answers.specs == std::vector<std::string>{"text"});
  REQUIRE(answers.events.size() == 1);
  CHECK(std::holds_alternative<ResultEvent>(answers.events[0]));
}

TEST_CASE("a spec that is asked for again is lowered once, and one that was refused each time") {
  const auto request = [](int id, const char* spec) {
    return fmt::format("{{\"v\":1,\"id\":{},\"op\":\"check\",\"spec\":\"{}\"}}\n", id, spec);
  };
  const Answers answers = ask(request(1, "a") + request(2, "a") + request(3, "b") + request(4, "refused") + request(5, "refused") +
                              request(6, "b") + request(7, "a"));
  CHECK(answers.specs == std::vector<std::string>{"a", "b", "refused", "refused", "a"});
  REQUIRE(answers.events.size() == 7);
  for (std::size_t i = 0; i < 7; ++i) CHECK(std::holds_alternative<ErrorEvent>(answers.events[i]) == (i == 3 || i == 4));
}

TEST_CASE("many requests at once are answered one by one, blank lines and a last one without its newline too") {
  std::string lines;
  for (int id = 1; id <= 50; ++id) lines += fmt::format("{{\"v\":1,\"id\":{},\"op\":\"devices\"}}\n\n", id);
  const Answers answers = ask(lines + R"({"v":1,"id":51,"op":"devices"})");
  REQUIRE(answers.events.size() == 51);
  for (std::size_t i = 0; i < answers.events.size(); ++i) CHECK(std::get<DevicesEvent>(answers.events[i]).id == static_cast<int>(i) + 1);
}

TEST_CASE("a worker without a compiler answers with what its cache holds, and says of the rest why it cannot") {
  const test::TemporaryFolder folder;
  const KernelSource source = test::naive_gemm(8, 8, 8);
  const auto answer = [&] {
    WorkerParts parts;
    parts.lower = [&](const std::string&) -> Result<KernelSource> { return source; };
    parts.open_device = [&](int) -> Result<std::unique_ptr<Device>> {
      auto device = std::make_unique<test::FakeDevice>();
      device->problem = source;
      return std::unique_ptr<Device>(std::move(device));
    };
    parts.open_compiler = []() -> Result<std::unique_ptr<KernelCompiler>> {
      return Error{ErrorCode::no_compiler, "no NVRTC on this machine", {}, {}};
    };
    parts.cache.folder = folder.path().string();
    std::istringstream in(kGood);
    std::ostringstream out;
    run_worker_loop(parts, in, out);
    const std::string lines = out.str(), last = lines.substr(lines.rfind('\n', lines.size() - 2) + 1);
    return read_event(last.substr(0, last.size() - 1)).value();
  };
  const auto refused = std::get<ErrorEvent>(answer());
  CHECK(refused.error.code == ErrorCode::no_compiler);
  CHECK(refused.error.message.find("for sm_90") != std::string::npos);
  CHECK(refused.error.message.find("no entry of this kernel") != std::string::npos);
  test::FakeCompiler compiler;
  compiler.option_words = nvrtc_options();
  CubinCache cache(folder.path().string());
  REQUIRE(cache.get(source, {90, 0}, compiler).has_value());
  CHECK(std::get<ErrorEvent>(answer()).error.message.find("'tessera_fill_f32' for sm_90") != std::string::npos);
  const std::vector<KernelSource> more = check_sources(source).value();
  for (const KernelSource& one : more) REQUIRE(cache.get(one, {90, 0}, compiler).has_value());
  const auto made = std::get<ResultEvent>(answer());
  CHECK(made.measurement.correctness.passed);
  CHECK(made.measurement.cache.hit);
}

TEST_CASE("half a request at the end of the input is refused, not run") {
  const Answers answers = ask(kGood.substr(0, kGood.size() - 2));
  REQUIRE(answers.events.size() == 1);
  CHECK(std::holds_alternative<ErrorEvent>(answers.events[0]));
  CHECK(answers.specs.empty());
}

namespace {

// What a loop did with requests: devices and compilers opened, launches, time limits, and every event.
struct Log {
  WorkerEnd end{};
  std::vector<int> devices;
  int compilers = 0;
  std::vector<test::FakeDevice::Launched> launched;
  std::vector<std::chrono::milliseconds> limits;
  std::vector<WorkerEvent> events;
};

Log worked(const std::vector<WorkerRequest>& requests) {
  Log log;
  WorkerParts parts;
  parts.program = "test";
  parts.lower = [](const std::string& spec) -> Result<KernelSource> {
    KernelSource source = test::naive_gemm(8, 8, 8);
    source.alpha = spec == "scaled" ? 2.5 : 1;
    source.beta = spec == "scaled" ? -0.5 : 0;
    return source;
  };
  parts.devices = []() -> Result<std::vector<DeviceSummary>> { return Error{ErrorCode::no_device, "the driver sleeps", {}, {}}; };
  parts.make_baseline = test::fake_baseline;
  parts.open_device = [&log](int index) -> Result<std::unique_ptr<Device>> {
    log.devices.push_back(index);
    if (index > 2) return Error{ErrorCode::no_device, "there is no such device", {}, {}};
    auto device = std::make_unique<test::FakeDevice>();
    device->problem = test::naive_gemm(8, 8, 8);
    device->told_launch = [&log](const auto& launch) { log.launched.push_back(launch); };
    device->told_time_limit = [&log](std::chrono::milliseconds limit) { log.limits.push_back(limit); };
    return std::unique_ptr<Device>(std::move(device));
  };
  parts.open_compiler = [&log]() -> Result<std::unique_ptr<KernelCompiler>> {
    ++log.compilers;
    return std::unique_ptr<KernelCompiler>(std::make_unique<test::FakeCompiler>());
  };
  std::string lines;
  for (const WorkerRequest& request : requests) lines += to_line(request) + "\n";
  std::istringstream in(lines);
  std::ostringstream out;
  log.end = run_worker_loop(parts, in, out);
  std::istringstream answers(out.str());
  for (std::string line; std::getline(answers, line);) log.events.push_back(read_event(line).value());
  return log;
}

WorkerRequest asking(WorkerOp op, std::string spec = "plain") {
  WorkerRequest request;
  request.id = 1;
  request.op = op;
  request.spec = std::move(spec);
  request.mode_seconds = 1e-3;
  return request;
}

const Measurement& measured(const Log& log) {
  const auto* result = std::get_if<ResultEvent>(&log.events.back());
  REQUIRE(result != nullptr);
  return result->measurement;
}

}  // namespace

TEST_CASE("what a request says of a measurement is what is measured") {
  WorkerRequest request = asking(WorkerOp::run, "scaled");
  request.date = "2026-11-22";
  request.time_limit_seconds = 4.5;
  const Log log = worked({request});
  CHECK(measured(log).date == "2026-11-22");
  CHECK(measured(log).alpha == 2.5);
  CHECK(measured(log).beta == -0.5);
  REQUIRE(measured(log).timing);
  CHECK(measured(log).timing->interleaved.baseline);
  CHECK(measured(log).timing->baseline_name == "fake baseline");
  REQUIRE_FALSE(log.limits.empty());
  CHECK(log.limits.front() == std::chrono::milliseconds(4500));
  bool scaled = false;
  for (const auto& launch : log.launched) {
    if (launch.entry != "naive_gemm") continue;
    CHECK(std::get<float>(launch.arguments[3]) == 2.5f);
    CHECK(std::get<float>(launch.arguments[4]) == -0.5f);
    scaled = true;
  }
  CHECK(scaled);
  request.baseline = false;
  CHECK_FALSE(measured(worked({request})).timing->interleaved.baseline);
  request.op = WorkerOp::check;
  CHECK_FALSE(measured(worked({request})).timing);
}

TEST_CASE("another seed fills other inputs, and the same seed the same") {
  const auto fills = [](std::uint64_t seed) {
    WorkerRequest request = asking(WorkerOp::check);
    request.seed = seed;
    std::vector<std::int64_t> seeds;
    for (const auto& launch : worked({request}).launched) {
      if (launch.entry == "tessera_fill") seeds.push_back(std::get<std::int64_t>(launch.arguments[2]));
    }
    REQUIRE(seeds.size() >= 2);
    CHECK(std::set<std::int64_t>(seeds.begin(), seeds.end()).size() == seeds.size());  // A and B are not the same numbers
    return seeds;
  };
  CHECK(fills(5) == fills(5));
  CHECK(fills(5) != fills(6));
}

TEST_CASE("a worker opens a device for the first request that names it, and again when another was open; one compiler serves all") {
  std::vector<WorkerRequest> requests;
  for (const int device : {0, 0, 1, 1, 0, 7, 0}) {
    requests.push_back(asking(WorkerOp::check));
    requests.back().device = device;
  }
  const Log log = worked(requests);
  CHECK(log.end == WorkerEnd::input_closed);
  CHECK(log.devices == std::vector<int>{0, 1, 0, 7, 0});
  CHECK(log.compilers == 1);
  std::size_t results = 0, errors = 0;
  for (const WorkerEvent& event : log.events) {
    results += std::holds_alternative<ResultEvent>(event);
    if (const auto* error = std::get_if<ErrorEvent>(&event)) {
      ++errors;
      CHECK_FALSE(error->fatal);
      CHECK(error->error.message == "there is no such device");
    }
  }
  CHECK(results == 6);
  CHECK(errors == 1);
}

TEST_CASE("a worker whose device is lost says so, and takes no further request") {
  WorkerRequest bad = asking(WorkerOp::check);
  bad.inject = Injection::fault;
  const Log log = worked({asking(WorkerOp::check), bad, asking(WorkerOp::check)});
  CHECK(log.end == WorkerEnd::device_lost);
  const auto* last = std::get_if<ErrorEvent>(&log.events.back());
  REQUIRE(last != nullptr);
  CHECK(last->fatal);
  CHECK(last->error.code == ErrorCode::launch_failed);
}

TEST_CASE("a worker that cannot list its devices says why and goes on") {
  WorkerRequest devices;
  devices.id = 4;
  devices.op = WorkerOp::devices;
  const Log log = worked({devices, asking(WorkerOp::check)});
  CHECK(log.end == WorkerEnd::input_closed);
  const auto* refused = std::get_if<ErrorEvent>(&log.events[1]);
  REQUIRE(refused != nullptr);
  CHECK(refused->id == 4);
  CHECK_FALSE(refused->fatal);
  CHECK(refused->error.message == "the driver sleeps");
  CHECK(std::holds_alternative<ResultEvent>(log.events.back()));
}

TEST_CASE("a measurement tells its progress under the request's own id, and it never falls") {
  WorkerRequest request = asking(WorkerOp::run);
  request.id = 42;
  double last = 0;
  std::set<std::string> stages;
  for (const WorkerEvent& event : worked({request}).events) {
    const auto* progress = std::get_if<ProgressEvent>(&event);
    if (progress == nullptr) continue;
    CHECK(progress->id == 42);
    if (!stages.insert(progress->stage).second) CHECK(progress->fraction >= last);
    last = progress->fraction;
  }
  CHECK(stages == std::set<std::string>{"compile", "check", "time"});
}
