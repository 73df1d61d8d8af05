// SPDX-License-Identifier: BSD-3-Clause
// Bytes as what a client says to a worker: every line is answered by events, and a request that was read says the same when it is written.
// The spec in a request is lowered and emitted as a worker does it; there is no device, so nothing is compiled.
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/gemm/gemm_request.hpp"
#include "core/base/utf8.hpp"
#include "kernels/runtime/worker/worker_loop.hpp"
#include "kernels/runtime/worker/worker_protocol.hpp"
#include "tests/fuzz/targets.hpp"

namespace tessera::fuzz {
namespace {

Error absent() { return Error{ErrorCode::no_device, "there is no device here", {}, {}}; }

WorkerParts worker_parts() {
  WorkerParts parts;
  parts.program = "fuzz";
  parts.lower = source_of_spec_text;
  parts.devices = []() -> Result<std::vector<DeviceSummary>> { return absent(); };
  parts.open_device = [](int) -> Result<std::unique_ptr<Device>> { return absent(); };
  parts.open_compiler = []() -> Result<std::unique_ptr<KernelCompiler>> { return absent(); };
  return parts;
}

}  // namespace

std::string broken_worker_request(std::string_view bytes) {
  if (const auto request = read_request(bytes)) {
    const std::string line = to_line(*request);
    const auto again = read_request(line);
    if (!is_utf8(line)) return "a request is not UTF-8";
    if (!again || to_line(*again) != line) return "a request does not read back: " + line.substr(0, 200);
  }
  std::istringstream in{std::string(bytes)};
  std::ostringstream out;
  const WorkerParts parts = worker_parts();
  if (run_worker_loop(parts, in, out) == WorkerEnd::device_lost) return "a device was lost that is not there";
  std::istringstream events(out.str());
  for (std::string line; std::getline(events, line);) {
    if (!is_utf8(line)) return "an event is not UTF-8";
    if (const auto event = read_event(line); !event) return "an event cannot be read: " + event.error().message;
  }
  return "";
}

}  // namespace tessera::fuzz
