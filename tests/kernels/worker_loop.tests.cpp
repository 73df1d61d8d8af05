// SPDX-License-Identifier: BSD-3-Clause
// The worker's loop and a hostile client: whatever the lines are, each gets its short answer, and the next request is answered.
#include "kernels/runtime/worker/worker_loop.hpp"

#include <fmt/format.h>

#include <sstream>

#include "core/base/json.hpp"
#include "kernels/runtime/worker/worker_protocol.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/fake_device.hpp"
#include "tests/support/naive_gemm.hpp"

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

TEST_CASE("many requests at once are answered one by one, blank lines and a last one without its newline too") {
  std::string lines;
  for (int id = 1; id <= 50; ++id) lines += fmt::format("{{\"v\":1,\"id\":{},\"op\":\"devices\"}}\n\n", id);
  const Answers answers = ask(lines + R"({"v":1,"id":51,"op":"devices"})");
  REQUIRE(answers.events.size() == 51);
  for (std::size_t i = 0; i < answers.events.size(); ++i) CHECK(std::get<DevicesEvent>(answers.events[i]).id == static_cast<int>(i) + 1);
}

TEST_CASE("half a request at the end of the input is refused, not run") {
  const Answers answers = ask(kGood.substr(0, kGood.size() - 2));
  REQUIRE(answers.events.size() == 1);
  CHECK(std::holds_alternative<ErrorEvent>(answers.events[0]));
  CHECK(answers.specs.empty());
}
