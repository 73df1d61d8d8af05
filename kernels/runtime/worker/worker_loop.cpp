// SPDX-License-Identifier: BSD-3-Clause
// One request at a time, in order. A request that fails costs that request, unless the device is lost.
#include "kernels/runtime/worker/worker_loop.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <istream>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/json.hpp"
#include "kernels/runtime/measure/measure.hpp"
#include "kernels/runtime/worker/injected_kernels.hpp"
#include "kernels/runtime/worker/worker_protocol.hpp"

namespace tessera {
namespace {

class WorkerLoop {
 public:
  WorkerLoop(const WorkerParts& parts, std::ostream& events) : parts_(parts), events_(events), cache_(parts.cache) {}

  bool say(const WorkerEvent& event) {
    events_ << to_line(event) << '\n' << std::flush;
    return static_cast<bool>(events_);
  }

  // Whether the worker can go on.
  bool answer(const WorkerRequest& request) {
    if (request.op == WorkerOp::devices) {
      auto found = parts_.devices();
      if (found) {
        say(DevicesEvent{request.id, std::move(found).value()});
      } else {
        say(ErrorEvent{request.id, found.error(), false});
      }
      return true;
    }
    Result<WorkerEvent> result = request.op == WorkerOp::compare ? compare(request) : run(request);
    const bool lost = device_ && device_->lost();
    say(result ? std::move(result).value() : WorkerEvent(ErrorEvent{request.id, result.error(), lost}));
    return !lost;
  }

 private:
  Result<WorkerEvent> run(const WorkerRequest& request) {
    Stopwatch watch;
    TESSERA_TRY(source, source_of(request, request.spec));
    const double lowered = watch.lap();
    TESSERA_CHECK(open(request.device));
    const double opened = watch.lap();
    TESSERA_TRY(measurement, measure(*device_, *compiler_, cache_, source, options_of(request)));
    measurement.spent->lower = lowered;
    measurement.spent->open = opened;
    return WorkerEvent(ResultEvent{request.id, std::move(measurement)});
  }

  Result<WorkerEvent> compare(const WorkerRequest& request) {
    TESSERA_TRY(a, source_of(request, request.spec));
    TESSERA_TRY(b, source_of(request, request.against));
    TESSERA_CHECK(open(request.device));
    TESSERA_TRY(comparison, tessera::compare(*device_, *compiler_, cache_, a, b, options_of(request)));
    return WorkerEvent(ComparisonEvent{request.id, std::move(comparison)});
  }

  MeasureOptions options_of(const WorkerRequest& request) {
    MeasureOptions options;
    options.date = request.date;
    options.seed = request.seed;
    options.timing = request.op != WorkerOp::check;
    if (request.baseline) options.make_baseline = parts_.make_baseline;
    options.mode_seconds = request.mode_seconds;
    options.time_limit = std::chrono::milliseconds(static_cast<std::int64_t>(1000 * request.time_limit_seconds));
    options.progress = [this, id = request.id](std::string_view stage, double fraction) {
      say(ProgressEvent{id, std::string(stage), fraction});
    };
    return options;
  }

  Result<KernelSource> source_of(const WorkerRequest& request, const std::string& spec) {
    switch (request.inject) {
      case Injection::none: break;
      case Injection::fault: return faulting_kernel();
      case Injection::hang: return hanging_kernel();
    }
    // The kernel is a function of the text, and lowering takes longer than all else of a repeated run: the last one is kept.
    if (!kept_ || kept_spec_ != spec) {
      TESSERA_TRY(source, parts_.lower(spec));
      kept_ = std::move(source);
      kept_spec_ = spec;
    }
    return *kept_;
  }

  // Device and compiler stay open between requests: a context takes longer to make than most kernels run.
  Status open(int index) {
    if (!device_ || open_index_ != index) {
      device_.reset();
      TESSERA_TRY(device, parts_.open_device(index));
      device_ = std::move(device);
      open_index_ = index;
    }
    if (!compiler_ || compiler_->version().empty()) compiler_ = or_absent(parts_.open_compiler());
    return Done{};
  }

  const WorkerParts& parts_;
  std::ostream& events_;
  CubinCache cache_;
  std::unique_ptr<Device> device_;
  std::unique_ptr<KernelCompiler> compiler_;
  int open_index_ = -1;
  std::optional<KernelSource> kept_;
  std::string kept_spec_;
};

// The next line without its newline; false at the end of the input. Of a line that is too long only the beginning is kept.
bool read_line(std::istream& in, std::string& line) {
  using Traits = std::istream::traits_type;
  line.clear();
  for (Traits::int_type c = in.get(); !Traits::eq_int_type(c, Traits::eof()); c = in.get()) {
    if (c == '\n') return true;
    if (line.size() <= kRequestJson.bytes) line += Traits::to_char_type(c);
  }
  return !line.empty();
}

}  // namespace

WorkerEnd run_worker_loop(const WorkerParts& parts, std::istream& requests, std::ostream& events) {
  WorkerLoop loop(parts, events);
  if (!loop.say(HelloEvent{worker_protocol_version, parts.program})) return WorkerEnd::output_closed;
  for (std::string line; read_line(requests, line);) {
    if (line.empty()) continue;
    auto request = read_request(line);
    if (!request) {
      loop.say(ErrorEvent{0, request.error(), false});
    } else if (!loop.answer(*request)) {
      return WorkerEnd::device_lost;
    }
    if (!events) return WorkerEnd::output_closed;
  }
  return WorkerEnd::input_closed;
}

}  // namespace tessera
