// SPDX-License-Identifier: BSD-3-Clause
// What a worker and its client say to each other: one JSON object a line, on the worker's stdin and stdout.
//
//   worker   {"event":"hello","program":"tessera 0.1.0","protocol":1}
//   client   {"v":1,"id":1,"op":"run","spec":"gemm(m=4096, n=4096, k=4096)","options":{"device":0}}
//   worker   {"event":"progress","id":1,"stage":"compile","fraction":0.1}
//   worker   {"event":"result","id":1,"measurement":{...}}
//   client   {"v":1,"id":2,"op":"compare","spec":"gemm(...)","against":"gemm(..., stages=3)","options":{"device":0}}
//   worker   {"event":"comparison","id":2,"a":{...},"b":{...}}
//   client   {"v":1,"id":3,"op":"devices"}
//   worker   {"event":"devices","id":3,"devices":[...]}
//   worker   {"event":"error","id":4,"fatal":false,"error":{"code":"bad_spec","message":"...","notes":["..."]}}
//
// A request carries a *spec*: text of the expression language. Never source text, never a cubin: a worker on another machine runs only
// what Tessera itself emits. `fatal` says that the worker ends after this event (its device is lost). A client that meets another protocol
// number stops and says which two programs should be brought to the same version.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/result.hpp"
#include "kernels/runtime/device/device.hpp"
#include "kernels/runtime/measure/compare.hpp"

namespace tessera {

inline constexpr int worker_protocol_version = 1;

enum class WorkerOp { run, check, compare, devices };  // check: compile and compare with the definition, no timing
enum class Injection { none, fault, hang };            // replace the kernel by one that misbehaves (injected_kernels.hpp)

struct WorkerRequest {
  std::int64_t id = 0;
  WorkerOp op = WorkerOp::run;
  std::string spec;     // expression text; empty for `devices`
  std::string against;  // of `compare`: the other one
  int device = 0;
  std::uint64_t seed = 1;
  bool baseline = true;
  double mode_seconds = 0.5;
  double time_limit_seconds = 30;  // for one wait on the device
  std::string date;                // ISO 8601
  Injection inject = Injection::none;
};

struct HelloEvent {
  int protocol = worker_protocol_version;
  std::string program;
};
struct ProgressEvent {
  std::int64_t id = 0;
  std::string stage;
  double fraction = 0;
};
struct ResultEvent {
  std::int64_t id = 0;
  Measurement measurement;
};
struct ComparisonEvent {
  std::int64_t id = 0;
  Comparison comparison;
};
struct DevicesEvent {
  std::int64_t id = 0;
  std::vector<DeviceSummary> devices;
};
struct ErrorEvent {
  std::int64_t id = 0;  // 0: of no request, e.g. a line that cannot be read
  Error error;
  bool fatal = false;
};
using WorkerEvent = std::variant<HelloEvent, ProgressEvent, ResultEvent, ComparisonEvent, DevicesEvent, ErrorEvent>;

// Lines without their newline. Reading refuses with bad_message, naming the field.
std::string to_line(const WorkerRequest& request);
std::string to_line(const WorkerEvent& event);
Result<WorkerRequest> read_request(std::string_view line);
Result<WorkerEvent> read_event(std::string_view line);

}  // namespace tessera
