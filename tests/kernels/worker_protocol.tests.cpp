// SPDX-License-Identifier: BSD-3-Clause
// Lines of the worker protocol: written, read back, and refused.
#include <string>
#include <utility>
#include <vector>

#include "kernels/runtime/worker/worker_protocol.hpp"

#include "core/base/json.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

TEST_CASE("a request read back is the same") {
  WorkerRequest request;
  request.id = 7;
  request.op = WorkerOp::check;
  request.spec = "gemm(m=64,\n n=96) # \"quoted\"";
  request.device = 1;
  request.seed = 18446744073709551615u;
  request.baseline = false;
  request.date = "2026-11-21";
  request.inject = Injection::hang;
  const std::string line = to_line(request);
  CHECK(line.find('\n') == std::string::npos);
  const auto back = read_request(line).value();
  CHECK(to_line(back) == line);
  CHECK(back.spec == request.spec);
  CHECK(back.seed == request.seed);
  CHECK(back.inject == Injection::hang);
}

TEST_CASE("every field of a request reaches the worker, whatever the operation") {
  for (const WorkerOp op : {WorkerOp::run, WorkerOp::check, WorkerOp::compare}) {
    WorkerRequest sent;
    sent.id = 11;
    sent.op = op;
    sent.spec = "one";
    sent.against = op == WorkerOp::compare ? "other" : "";
    sent.device = 3;
    sent.seed = 12345678901234567890u;
    sent.baseline = false;
    sent.mode_seconds = 0.125;
    sent.time_limit_seconds = 7.5;
    sent.date = "2026-11-22T10:00:00Z";
    sent.inject = Injection::fault;
    const Result<WorkerRequest> read = read_request(to_line(sent));
    REQUIRE(read);
    CHECK(read->id == sent.id);
    CHECK(read->op == sent.op);
    CHECK(read->spec == sent.spec);
    CHECK(read->against == sent.against);
    CHECK(read->device == sent.device);
    CHECK(read->seed == sent.seed);
    CHECK(read->baseline == sent.baseline);
    CHECK(read->mode_seconds == sent.mode_seconds);
    CHECK(read->time_limit_seconds == sent.time_limit_seconds);
    CHECK(read->date == sent.date);
    CHECK(read->inject == sent.inject);
  }
}

TEST_CASE("options may be left out") {
  const auto request = read_request(R"({"v":1,"id":1,"op":"run","spec":"x"})").value();
  CHECK(request.baseline);
  CHECK(request.device == 0);
  CHECK(read_request(R"({"v":1,"id":2,"op":"devices"})")->op == WorkerOp::devices);
}

TEST_CASE("a request that cannot be read is refused by the field that is wrong") {
  const std::vector<std::pair<const char*, const char*>> wrong{
      {"run it", "byte 0: this is not JSON"},
      {"[1]", "not a JSON object"},
      {R"({"v":2,"op":"run","spec":"x"})", "protocol 2"},
      {R"({"op":"run","spec":"x"})", "'v'"},
      {R"({"v":1,"op":"compile","spec":"x"})", "'op' cannot be \"compile\"; it is one of run, check, compare, devices"},
      {R"({"v":1,"op":"run"})", "'spec'"},
      {R"({"v":1,"op":"run","spec":5})", "'spec' must be a string"},
      {R"({"v":1,"op":"run","spec":"x","options":{"device":"0"}})", "'device'"},
      {R"({"v":1,"op":"run","spec":"x","options":{"device":4294967296}})", "'device'"},
      {R"({"v":1,"op":"run","spec":"x","options":{"device":18446744073709551615}})", "'device'"},
      {R"({"v":1,"op":"run","spec":"x","options":{"device":1.9}})", "'device'"},
      {R"({"v":1,"op":"run","spec":"x","options":{"device":-1}})", "'device'"},
      {R"({"v":1,"op":"run","spec":"x","options":{"seed":-1}})", "'seed'"},
      {R"({"v":1,"op":"run","spec":"x","options":{"baseline":1}})", "'baseline'"},
      {R"({"v":1,"op":"run","spec":"x","options":5})", "'options'"},
      {R"({"v":1.9,"op":"run","spec":"x"})", "'v'"},
      {R"({"v":1,"id":0.5,"op":"run","spec":"x"})", "'id'"},
      {R"({"v":1,"op":"run","spec":"x","options":{"inject":"virus"}})", "'inject' cannot be \"virus\""},
      {R"({"v":1,"op":"run","spec":"x","options":{"mode_seconds":1e9}})", "'mode_seconds'"},
      {R"({"v":1,"op":"run","spec":"x","options":{"time_limit_seconds":-1}})", "'time_limit_seconds'"},
      {R"({"v":1,"op":"run","spec":"x","options":{"time_limit_seconds":1e-300}})", "'time_limit_seconds'"},
      {R"({"v":1,"op":"run","spec":"x","spec":"y"})", "says \"spec\" twice"},
  };
  for (const auto& [line, words] : wrong) {
    const auto refused = read_request(line);
    INFO(line);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::bad_message);
    CHECK(refused.error().message.find(words) != std::string::npos);
  }
}

TEST_CASE("events read back are the same, errors with code, notes and span") {
  Measurement measurement;
  measurement.name = "m";
  measurement.arch = {90, 0};
  Measurement other = measurement;
  other.name = "n";
  DeviceSummary device;
  device.name = "NVIDIA H200";
  const std::vector<WorkerEvent> events{
      HelloEvent{1, "tessera 0.1.0"}, ProgressEvent{3, "check", 0.5},
      ResultEvent{3, measurement},    ComparisonEvent{6, {measurement, other}},
      DevicesEvent{4, {device}},      ErrorEvent{5, Error{ErrorCode::bad_spec, "no\nsuch", SourceSpan{3, 9}, {"a", "b"}}, true}};
  for (const WorkerEvent& event : events) {
    const std::string line = to_line(event);
    CHECK(line.find('\n') == std::string::npos);
    const auto back = read_event(line);
    REQUIRE(back.has_value());
    CHECK(back->index() == event.index());
    CHECK(to_line(*back) == line);
  }
}

TEST_CASE("a request to compare carries both GEMMs, and a comparison times both or none") {
  WorkerRequest request;
  request.id = 4;
  request.op = WorkerOp::compare;
  request.spec = "one", request.against = "other";
  const WorkerRequest back = read_request(to_line(request)).value();
  CHECK(back.op == WorkerOp::compare);
  CHECK(back.spec == "one");
  CHECK(back.against == "other");
  request.op = WorkerOp::run;
  CHECK(to_line(request).find("against") == std::string::npos);
  CHECK(read_request(R"({"v":1,"op":"compare","spec":"x"})").error().message.find("'against' is missing") != std::string::npos);

  Measurement timed;
  timed.arch = {90, 0};
  timed.correctness.passed = true, timed.correctness.compared = 1;
  Measurement untimed = timed;
  timed.timing = Timing{};
  const auto comparison = [](Measurement a, Measurement b) {
    return read_event(to_line(ComparisonEvent{1, {std::move(a), std::move(b)}}));
  };
  INFO((comparison(timed, timed) ? "" : comparison(timed, timed).error().message));
  CHECK(comparison(timed, timed));
  CHECK(comparison(untimed, untimed));
  CHECK(comparison(timed, untimed).error().message.find("either both") != std::string::npos);
  CHECK(comparison(untimed, timed).error().message.find("either both") != std::string::npos);
}

TEST_CASE("a line is read within its bounds, whatever is in it, and quoted briefly") {
  const auto is_bounded = [](const Result<WorkerEvent>& event) {
    return !event && event.error().code == ErrorCode::limit && event.error().message.size() < 300;
  };
  const std::string deep(75000, '[');
  CHECK(is_bounded(read_event(deep)));
  CHECK(is_bounded(read_event(R"({"event":"result","id":1,"measurement":)" + deep + std::string(75000, ']') + "}")));
  CHECK(is_bounded(read_event(std::string(kAnswerJson.bytes + 1, ' '))));
  CHECK(read_request(R"({"v":1,"id":)" + deep).error().code == ErrorCode::limit);
  CHECK(read_request(std::string(kRequestJson.bytes + 1, ' ')).error().code == ErrorCode::limit);
  const Result<WorkerEvent> word = read_event(R"({"event":")" + std::string(1000000, 'x') + "\"}");
  CHECK(word.error().message.size() < 300);
}

TEST_CASE("words of the other side are cut where they are longer than anybody reads") {
  const std::string long_word(1000000, 'w');
  CHECK(std::get<HelloEvent>(*read_event(R"({"event":"hello","protocol":1,"program":")" + long_word + "\"}")).program.size() < 200);
  CHECK(std::get<ProgressEvent>(*read_event(R"({"event":"progress","id":1,"stage":")" + long_word + "\"}")).stage.size() < 200);
  const auto error =
      read_event(R"({"event":"error","id":1,"error":{"code":"io","message":")" + long_word + R"(","notes":[")" + long_word + "\"]}}");
  CHECK(std::get<ErrorEvent>(*error).error.message.ends_with("... (983616 bytes more)"));
  CHECK(std::get<ErrorEvent>(*error).error.notes.at(0).size() < 17000);
}

TEST_CASE("events that cannot be read are refused") {
  for (const char* line :
       {"", "{}", R"({"event":"song"})", R"({"event":"error","id":1})", R"({"event":"result","id":1,"measurement":{}})",
        R"({"event":"devices","id":1,"devices":[{}]})", R"({"event":"hello","protocol":1.5})", R"({"event":"progress","id":[]})",
        R"({"event":"error","id":1,"error":{"code":"io","message":"m","span":[-1,2]}})", R"({"event":"progress","id":-1})",
        R"({"event":"progress","id":1,"fraction":1e308})", R"({"event":"progress","id":1,"fraction":-1})",
        R"({"event":"hello","protocol":9223372036854775808})", R"({"event":"hello"})", R"({"event":"hello","event":"result"})",
        R"({"event":"error","id":1,"error":{"code":"io","message":"m","span":[9,3]}})",
        R"({"event":"error","id":1,"error":{"code":"io","message":"m","span":[1]}})", R"({"event":"error","id":1,"error":"lost"})"}) {
    INFO(line);
    CHECK_FALSE(read_event(line).has_value());
  }
}
