// SPDX-License-Identifier: BSD-3-Clause
// The protocol's lines, written and read. What is read comes from another process: every field is checked, none is trusted.
#include "kernels/runtime/worker_protocol.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>  // std::in_range

#include "kernels/runtime/device_json.hpp"

namespace tessera {
namespace {

using Json = nlohmann::json;

constexpr std::array<std::pair<WorkerOp, std::string_view>, 3> ops{
    {{WorkerOp::run, "run"}, {WorkerOp::check, "check"}, {WorkerOp::devices, "devices"}}};
constexpr std::array<std::pair<Injection, std::string_view>, 3> injections{
    {{Injection::none, "none"}, {Injection::fault, "fault"}, {Injection::hang, "hang"}}};

template <class Table, class Value>
std::string name_in(const Table& table, Value value) {
  for (const auto& [entry, name] : table) {
    if (entry == value) return std::string(name);
  }
  return {};
}

std::string line_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Error bad(const std::string& what) {
  return Error{ErrorCode::bad_message, "a line of the worker protocol cannot be read: " + what, {}, {}};
}

// The object in the line, or what is wrong with it.
Result<Json> read_object(std::string_view line) {
  Json json = Json::parse(line, nullptr, false);
  if (!json.is_object()) return bad(fmt::format("'{}' is not a JSON object", line.substr(0, 80)));
  return json;
}

// Ends in guarded(), like the JSON library's own exceptions.
struct WrongField {
  std::string words;
};

// The JSON library would cut 1.9 to 1 and 2^32 to the int 0; here a number must be the one that was sent.
template <class T>
bool is_whole_number_of(const Json& value) {
  if (value.is_number_unsigned()) return std::in_range<T>(value.get<std::uint64_t>());
  return value.is_number_integer() && std::in_range<T>(value.get<std::int64_t>());
}

template <class T>
T checked(const Json& value, const char* name) {
  const auto demand = [&](bool fits, std::string_view kind) {
    if (!fits) throw WrongField{fmt::format("'{}' must be {}, and is {}", name, kind, line_of(value).substr(0, 80))};
  };
  if constexpr (std::is_same_v<T, bool>)
    demand(value.is_boolean(), "true or false");
  else if constexpr (std::is_integral_v<T>)
    demand(is_whole_number_of<T>(value),
           fmt::format("a whole number from {} to {}", std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
  else if constexpr (std::is_floating_point_v<T>)
    demand(value.is_number(), "a number");
  else if constexpr (std::is_same_v<T, std::string>)
    demand(value.is_string(), "a string");
  else if constexpr (std::is_same_v<T, Json>)
    demand(value.is_object(), "an object");
  else
    demand(value.is_array(), "a list");
  return value.get<T>();
}

template <class T>
T field(const Json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end()) throw WrongField{fmt::format("the field '{}' is missing", name)};
  return checked<T>(*found, name);
}

template <class T>
T field(const Json& json, const char* name, T otherwise) {
  const auto found = json.find(name);
  return found == json.end() ? otherwise : checked<T>(*found, name);
}

template <class T, class Read>
Result<T> guarded(Read read) {
  try {
    return read();
  } catch (const WrongField& wrong) {
    return bad(wrong.words);
  } catch (const Json::exception& exception) {
    return bad(exception.what());
  }
}

Json error_json(const Error& error) {
  return {{"code", to_string(error.code)},
          {"message", error.message},
          {"notes", error.notes},
          {"span", error.span ? Json{error.span->begin, error.span->end} : Json()}};
}

Error read_error(const Json& json) {
  Error error;
  const auto code = field<std::string>(json, "code");
  error.code = ErrorCode::bad_message;
  for (int i = 0; i <= static_cast<int>(ErrorCode::corrupt); ++i) {
    if (to_string(static_cast<ErrorCode>(i)) == code) error.code = static_cast<ErrorCode>(i);
  }
  error.message = field<std::string>(json, "message");
  error.notes = field(json, "notes", std::vector<std::string>{});
  if (json.contains("span") && !json["span"].is_null()) {
    const auto span = field<Json::array_t>(json, "span");
    if (span.size() != 2) throw WrongField{"'span' must be two numbers"};
    error.span = SourceSpan{checked<std::size_t>(span[0], "span"), checked<std::size_t>(span[1], "span")};
  }
  return error;
}

Json event_json(const HelloEvent& e) { return {{"event", "hello"}, {"protocol", e.protocol}, {"program", e.program}}; }
Json event_json(const ProgressEvent& e) { return {{"event", "progress"}, {"id", e.id}, {"stage", e.stage}, {"fraction", e.fraction}}; }
Json event_json(const ResultEvent& e) {
  return {{"event", "result"}, {"id", e.id}, {"measurement", Json::parse(to_json(e.measurement, true))}};
}
Json event_json(const DevicesEvent& e) {
  Json list = Json::array();
  for (const DeviceSummary& device : e.devices) list.push_back(device_to_json(device));
  return {{"event", "devices"}, {"id", e.id}, {"devices", std::move(list)}};
}
Json event_json(const ErrorEvent& e) { return {{"event", "error"}, {"id", e.id}, {"fatal", e.fatal}, {"error", error_json(e.error)}}; }

Result<WorkerEvent> read_event_fields(const Json& json) {
  const auto event = field<std::string>(json, "event");
  const auto id = field(json, "id", std::int64_t{0});
  WorkerEvent read;
  if (event == "hello") {
    read = HelloEvent{field<int>(json, "protocol"), field(json, "program", std::string("unknown"))};
  } else if (event == "progress") {
    read = ProgressEvent{id, field(json, "stage", std::string()), field(json, "fraction", 0.0)};
  } else if (event == "error") {
    read = ErrorEvent{id, read_error(field<Json>(json, "error")), field(json, "fatal", false)};
  } else if (event == "result") {
    TESSERA_TRY(measurement, measurement_from_json(json.at("measurement").dump()));
    read = ResultEvent{id, std::move(measurement)};
  } else if (event == "devices") {
    auto& devices = read.emplace<DevicesEvent>();
    devices.id = id;
    for (const Json& device : json.at("devices")) devices.devices.push_back(device_from_json(device));
  } else {
    return bad(fmt::format("there is no event '{}'", event));
  }
  return read;
}

Result<WorkerRequest> read_request_fields(const Json& json) {
  WorkerRequest request;
  request.id = field(json, "id", std::int64_t{0});
  const int version = field<int>(json, "v");
  if (version != worker_protocol_version) {
    return Error{ErrorCode::bad_message,
                 fmt::format("the request speaks protocol {}; this worker speaks {}", version, worker_protocol_version),
                 {},
                 {"bring both programs to the same version of Tessera"}};
  }
  const auto op = field<std::string>(json, "op");
  const auto* found = std::find_if(ops.begin(), ops.end(), [&](const auto& entry) { return entry.second == op; });
  if (found == ops.end()) return bad(fmt::format("there is no op '{}'; run, check and devices are", op));
  request.op = found->first;
  request.spec = field(json, "spec", std::string());
  if (request.op != WorkerOp::devices && request.spec.empty()) return bad("the field 'spec' is missing or empty");
  const Json options = field(json, "options", Json::object());
  request.device = field(options, "device", 0);
  if (request.device < 0) return bad(fmt::format("'device' must be at least 0, and is {}", request.device));
  request.seed = field(options, "seed", std::uint64_t{1});
  request.baseline = field(options, "baseline", true);
  request.mode_seconds = field(options, "mode_seconds", 0.5);
  request.time_limit_seconds = field(options, "time_limit_seconds", 30.0);
  request.date = field(options, "date", std::string());
  const std::string inject = field(options, "inject", std::string("none"));
  const auto* injection = std::find_if(injections.begin(), injections.end(), [&](const auto& entry) { return entry.second == inject; });
  if (injection == injections.end()) return bad(fmt::format("'{}' cannot be injected; fault and hang can", inject));
  request.inject = injection->first;
  if (!(request.mode_seconds > 0 && request.mode_seconds <= 60)) return bad("'mode_seconds' must be above 0 and at most 60");
  if (!(request.time_limit_seconds > 0 && request.time_limit_seconds <= 3600))
    return bad("'time_limit_seconds' must be above 0 and at most 3600");
  return request;
}

}  // namespace

std::string to_line(const WorkerRequest& request) {
  Json json = {{"v", worker_protocol_version}, {"id", request.id}, {"op", name_in(ops, request.op)}};
  if (request.op != WorkerOp::devices) {
    json["spec"] = request.spec;
    json["options"] = {{"device", request.device},
                       {"seed", request.seed},
                       {"baseline", request.baseline},
                       {"mode_seconds", request.mode_seconds},
                       {"time_limit_seconds", request.time_limit_seconds},
                       {"date", request.date},
                       {"inject", name_in(injections, request.inject)}};
  }
  return line_of(json);
}

std::string to_line(const WorkerEvent& event) {
  return line_of(std::visit([](const auto& value) { return event_json(value); }, event));
}

Result<WorkerRequest> read_request(std::string_view line) {
  TESSERA_TRY(json, read_object(line));
  return guarded<WorkerRequest>([&]() -> Result<WorkerRequest> { return read_request_fields(json); });
}

Result<WorkerEvent> read_event(std::string_view line) {
  TESSERA_TRY(json, read_object(line));
  return guarded<WorkerEvent>([&]() -> Result<WorkerEvent> { return read_event_fields(json); });
}

}  // namespace tessera
