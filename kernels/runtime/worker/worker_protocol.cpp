// SPDX-License-Identifier: BSD-3-Clause
// The protocol's lines, written and read. What is read comes from another process: every field is checked, none is trusted.
#include "kernels/runtime/worker/worker_protocol.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/error_code_named.hpp"
#include "core/base/json.hpp"
#include "core/base/utf8.hpp"
#include "kernels/runtime/device/device_json.hpp"

namespace tessera {
namespace {

constexpr double least_seconds = 1e-3;          // of a time limit
constexpr std::size_t longest_name = 100;       // bytes of a stage or a program
constexpr std::size_t longest_message = 16384;  // bytes
constexpr std::size_t most_notes = 256;
constexpr std::size_t most_devices = 1024;  // of one machine

constexpr std::array<std::pair<WorkerOp, std::string_view>, 4> ops{
    {{WorkerOp::run, "run"}, {WorkerOp::check, "check"}, {WorkerOp::compare, "compare"}, {WorkerOp::devices, "devices"}}};
constexpr std::array<std::pair<Injection, std::string_view>, 3> injections{
    {{Injection::none, "none"}, {Injection::fault, "fault"}, {Injection::hang, "hang"}}};

template <class Table, class Value>
std::string name_in(const Table& table, Value value) {
  for (const auto& [entry, name] : table) {
    if (entry == value) return std::string(name);
  }
  return {};
}

// Words of the other side that people will see: their beginning is enough.
std::string shortened(std::string text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  const std::string_view kept = utf8_prefix(text, bytes);
  return fmt::format("{}... ({} bytes more)", kept, text.size() - kept.size());
}

constexpr const char* cannot_read = "a line of the worker protocol cannot be read";

// The object in the line, or what is wrong with it.
Result<Json> read_object(std::string_view line, const JsonBounds& bounds) {
  auto json = parse_json(line, bounds, ErrorCode::bad_message);
  if (!json) return Error{json.error().code, fmt::format("{}: {}", cannot_read, json.error().message), {}, {}};
  if (json->members() == nullptr)
    return Error{ErrorCode::bad_message, fmt::format("{}: {} is not a JSON object", cannot_read, json->shown()), {}, {}};
  return json;
}

Json error_json(const Error& error) {
  return Json::object({{"code", to_string(error.code)},
                       {"message", error.message},
                       {"notes", error.notes},
                       {"span", error.span ? Json(Json::List{error.span->begin, error.span->end}) : Json()}});
}

Error read_error(JsonReader& in, const Json& json) {
  Error error;
  error.code = error_code_named(in.text(json, "code")).value_or(ErrorCode::bad_message);
  error.message = shortened(in.text(json, "message"), longest_message);
  error.notes = in.texts_or_none(json, "notes", most_notes);
  for (std::string& note : error.notes) note = shortened(std::move(note), longest_message);
  if (const Json* given = json.find("span"); given != nullptr && !given->is_null()) {
    const Json::List& span = in.list(json, "span", 2);
    if (span.size() != 2) in.refuse(json, "'span' must be two numbers");
    if (!in.failed()) error.span = SourceSpan{in.whole_in<std::size_t>(&span[0], "span"), in.whole_in<std::size_t>(&span[1], "span")};
    if (error.span && error.span->begin > error.span->end) in.refuse(json, "'span' must not end before it begins");
  }
  return error;
}

Json event_json(const HelloEvent& e) { return Json::object({{"event", "hello"}, {"protocol", e.protocol}, {"program", e.program}}); }
Json event_json(const ProgressEvent& e) {
  return Json::object({{"event", "progress"}, {"id", e.id}, {"stage", e.stage}, {"fraction", e.fraction}});
}
Json event_json(const ResultEvent& e) {
  return Json::object({{"event", "result"}, {"id", e.id}, {"measurement", measurement_json(e.measurement)}});
}
Json event_json(const ComparisonEvent& e) {
  return Json::object(
      {{"event", "comparison"}, {"id", e.id}, {"a", measurement_json(e.comparison.a)}, {"b", measurement_json(e.comparison.b)}});
}
Json event_json(const DevicesEvent& e) {
  Json::List list;
  for (const DeviceSummary& device : e.devices) list.push_back(to_json(device));
  return Json::object({{"event", "devices"}, {"id", e.id}, {"devices", std::move(list)}});
}
Json event_json(const ErrorEvent& e) {
  return Json::object({{"event", "error"}, {"id", e.id}, {"fatal", e.fatal}, {"error", error_json(e.error)}});
}

Result<WorkerEvent> read_event_fields(const Json& json) {
  JsonReader in(ErrorCode::bad_message, cannot_read);
  const std::string event = in.text(json, "event");
  const auto id = in.whole_or<std::int64_t>(json, "id", 0, 0);
  WorkerEvent read;
  if (event == "hello") {
    read = HelloEvent{in.whole<int>(json, "protocol"), shortened(in.text_or(json, "program", "unknown"), longest_name)};
  } else if (event == "progress") {
    read = ProgressEvent{id, shortened(in.text_or(json, "stage", ""), longest_name), in.number_or(json, "fraction", 0, 0, 1)};
  } else if (event == "error") {
    read = ErrorEvent{id, read_error(in, in.object(json, "error")), in.truth_or(json, "fatal", false)};
  } else if (event == "result") {
    const Json& object = in.object(json, "measurement");
    if (!in.failed()) {
      TESSERA_TRY(measurement, read_measurement(object));
      read = ResultEvent{id, std::move(measurement)};
    }
  } else if (event == "comparison") {
    const Json &of_a = in.object(json, "a"), &of_b = in.object(json, "b");
    if (!in.failed()) {
      TESSERA_TRY(a, read_measurement(of_a));
      TESSERA_TRY(b, read_measurement(of_b));
      if (a.timing.has_value() != b.timing.has_value()) in.refuse(json, "either both of a comparison were timed, or none");
      read = ComparisonEvent{id, {std::move(a), std::move(b)}};
    }
  } else if (event == "devices") {
    auto& devices = read.emplace<DevicesEvent>();
    devices.id = id;
    for (const Json& device : in.list(json, "devices", most_devices)) devices.devices.push_back(read_device(in, device));
  } else if (!in.failed()) {
    in.refuse(json, fmt::format("there is no event {}", json.find("event")->shown()));
  }
  return in.done(std::move(read));
}

// The entry with the name that a field has.
template <class Table>
auto read_name(JsonReader& in, const Json& json, std::string_view field, const Table& table) {
  const std::string word = in.text(json, field);
  const auto found = std::find_if(table.begin(), table.end(), [&](const auto& entry) { return entry.second == word; });
  if (found != table.end()) return found->first;
  if (!in.failed()) {
    std::vector<std::string_view> names;
    for (const auto& entry : table) names.push_back(entry.second);
    in.refuse(*json.find(field),
              fmt::format("'{}' cannot be {}; it is one of {}", field, json.find(field)->shown(), fmt::join(names, ", ")));
  }
  return table.front().first;
}

Result<WorkerRequest> read_request_fields(const Json& json) {
  JsonReader in(ErrorCode::bad_message, cannot_read);
  WorkerRequest request;
  request.id = in.whole_or<std::int64_t>(json, "id", 0, 0);
  const int version = in.whole<int>(json, "v");
  if (!in.failed() && version != worker_protocol_version) {
    return Error{ErrorCode::bad_message,
                 fmt::format("the request speaks protocol {}; this worker speaks {}", version, worker_protocol_version),
                 {},
                 {"bring both programs to the same version of Tessera"}};
  }
  request.op = read_name(in, json, "op", ops);
  request.spec = in.text_or(json, "spec", "");
  if (request.op != WorkerOp::devices && request.spec.empty()) in.refuse(json, "the field 'spec' is missing or empty");
  request.against = in.text_or(json, "against", "");
  if (request.op == WorkerOp::compare && request.against.empty()) in.refuse(json, "the field 'against' is missing or empty");
  const Json& options = in.object_or_empty(json, "options");
  request.device = in.whole_or<int>(options, "device", 0, 0);
  request.seed = in.whole_or<std::uint64_t>(options, "seed", 1);
  request.baseline = in.truth_or(options, "baseline", true);
  request.mode_seconds = in.number_or(options, "mode_seconds", 0.5, least_seconds, 60);
  request.time_limit_seconds = in.number_or(options, "time_limit_seconds", 30, least_seconds, 3600);
  request.date = in.text_or(options, "date", "");
  if (options.find("inject") != nullptr) request.inject = read_name(in, options, "inject", injections);
  return in.done(std::move(request));
}

}  // namespace

std::string to_line(const WorkerRequest& request) {
  Json::Members members{{"v", worker_protocol_version}, {"id", request.id}, {"op", name_in(ops, request.op)}};
  if (request.op != WorkerOp::devices) {
    members.push_back({"spec", request.spec});
    if (request.op == WorkerOp::compare) members.push_back({"against", request.against});
    members.push_back({"options", Json::object({{"device", request.device},
                                                {"seed", request.seed},
                                                {"baseline", request.baseline},
                                                {"mode_seconds", request.mode_seconds},
                                                {"time_limit_seconds", request.time_limit_seconds},
                                                {"date", request.date},
                                                {"inject", name_in(injections, request.inject)}})});
  }
  return Json::object(std::move(members)).dump();
}

std::string to_line(const WorkerEvent& event) {
  return std::visit([](const auto& value) { return event_json(value).dump(); }, event);
}

Result<WorkerRequest> read_request(std::string_view line) {
  TESSERA_TRY(json, read_object(line, kRequestJson));
  return read_request_fields(json);
}

Result<WorkerEvent> read_event(std::string_view line) {
  TESSERA_TRY(json, read_object(line, kAnswerJson));
  return read_event_fields(json);
}

}  // namespace tessera
