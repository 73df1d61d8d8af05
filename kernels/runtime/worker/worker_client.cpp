// SPDX-License-Identifier: BSD-3-Clause
// The life of a worker: started with a hello, kept between requests, killed when it goes wrong.
#include "kernels/runtime/worker/worker_client.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/json.hpp"
#include "kernels/runtime/measure/time_spent.hpp"
#include "kernels/runtime/worker/child_process.hpp"
#include "kernels/runtime/worker/worker_command.hpp"

namespace tessera {
namespace {

using Clock = std::chrono::steady_clock;
using Silence = ChildProcess::Silence;
using std::chrono::milliseconds;

constexpr milliseconds write_limit(10000);
constexpr milliseconds goodbye(1000);                      // for a worker that was asked nothing any more
constexpr int most_foreign_lines = 50;                     // a login's banner may precede the hello
constexpr std::size_t most_of_greeting = 64u << 10;        // bytes, with such a banner
constexpr std::size_t most_of_answer = kAnswerJson.bytes;  // bytes, with all progress

double seconds(milliseconds limit) { return std::chrono::duration<double>(limit).count(); }

std::int64_t id_of(const WorkerEvent& event) {
  return std::visit(
      [](const auto& e) -> std::int64_t {
        if constexpr (requires { e.id; })
          return e.id;
        else
          return -1;
      },
      event);
}

}  // namespace

struct WorkerClient::Worker {
  ChildProcess process;
};

WorkerClient::WorkerClient(WorkerSettings settings) : settings_(std::move(settings)) {}
WorkerClient::WorkerClient(WorkerClient&&) noexcept = default;
WorkerClient& WorkerClient::operator=(WorkerClient&&) noexcept = default;

WorkerClient::~WorkerClient() {
  if (worker_) (void)worker_->process.end(goodbye);
}

void WorkerClient::set_limits(const WorkerSettings& settings) {
  settings_.hello_limit = settings.hello_limit;
  settings_.silence_limit = settings.silence_limit;
  settings_.total_limit = settings.total_limit;
}

bool WorkerClient::has_worker() const { return worker_ != nullptr && worker_->process.running(); }

// Ends the worker at once, and adds what it said last.
Error WorkerClient::end_badly(Error error) {
  if (worker_) {
    (void)worker_->process.end(milliseconds(0));
    if (const std::string words = worker_->process.last_words(); !words.empty()) error.notes.push_back("the worker's last words: " + words);
    worker_.reset();
  }
  return error;
}

// How much time and how many bytes an answer may still take.
struct WorkerClient::Patience {
  Clock::time_point until;  // of everything
  std::size_t bytes;
  milliseconds silence;  // for one line
  bool heard = false;    // anything in answer to the request

  milliseconds left() const { return std::max(milliseconds(0), std::chrono::ceil<milliseconds>(until - Clock::now())); }
};

Result<std::string> WorkerClient::next_line(Patience& patience, const std::stop_token& stop) {
  const milliseconds left = patience.left();
  using Read = std::variant<std::string, Silence>;
  // Lines may come faster than they are read: time is looked at before each.
  Read read =
      left.count() == 0 ? Read(Silence::timed_out) : worker_->process.read_line(std::min(left, patience.silence), patience.bytes, stop);
  if (auto* line = std::get_if<std::string>(&read)) {
    patience.bytes -= std::min(patience.bytes, line->size() + 1);
    patience.heard = true;
    return std::move(*line);
  }
  switch (std::get<Silence>(read)) {
    case Silence::stopped: return Error{ErrorCode::timed_out, "the run was stopped", {}, {"the worker was ended"}};
    case Silence::timed_out:
      if (left <= patience.silence) {
        return Error{ErrorCode::timed_out,
                     fmt::format("the run did not end within {:.1f} s", seconds(settings_.total_limit)),
                     {},
                     {"the worker was ended; a longer time limit lets it go on"}};
      }
      return Error{ErrorCode::timed_out,
                   fmt::format("the worker said nothing for {:.1f} s: its kernel hangs, or its machine is gone", seconds(patience.silence)),
                   {},
                   {"the worker was ended; the next run starts a fresh one"}};
    case Silence::too_long:
      return Error{ErrorCode::limit,
                   fmt::format("the worker said more than {} bytes to one request", most_of_answer),
                   {},
                   {"the worker was ended; the next run starts a fresh one"}};
    case Silence::closed: break;
  }
  const std::string how = worker_->process.end(goodbye);
  if (!patience.heard) left_ = how;
  return Error{ErrorCode::launch_failed, fmt::format("the worker {} in the middle of a run", how), {}, {"the next run starts a fresh one"}};
}

Status WorkerClient::start(Patience& patience, const std::stop_token& stop) {
  TESSERA_TRY(arguments, worker_arguments(settings_.command, settings_.shell));
  TESSERA_TRY(process, ChildProcess::start(arguments));
  worker_ = std::make_unique<Worker>(Worker{std::move(process)});
  const auto greeting_ends = std::min(patience.until, Clock::now() + settings_.hello_limit);
  std::size_t bytes = most_of_greeting;
  for (int foreign = 0; foreign <= most_foreign_lines && bytes > 0; ++foreign) {
    const auto left = std::max(milliseconds(0), std::chrono::duration_cast<milliseconds>(greeting_ends - Clock::now()));
    auto read = worker_->process.read_line(left, bytes, stop);
    if (const auto* silence = std::get_if<Silence>(&read)) {
      switch (*silence) {
        case Silence::stopped: return end_badly(Error{ErrorCode::timed_out, "the run was stopped", {}, {}});
        case Silence::timed_out:
          return end_badly(
              Error{ErrorCode::timed_out,
                    fmt::format("the worker command '{}' did not greet within {:.1f} s", settings_.command,
                                seconds(std::min(settings_.hello_limit, settings_.total_limit))),
                    {},
                    {"if it is ssh, it may be waiting for a password: a key that needs none is wanted",
                     "if it waits in a cluster's queue: --worker-start SECONDS waits longer, and --timeout is the whole run's"}});
        case Silence::closed: {
          const std::string how = worker_->process.end(goodbye);
          return end_badly(Error{ErrorCode::io, fmt::format("the worker command '{}' {}", settings_.command, how), {}, {}});
        }
        case Silence::too_long: bytes = 0; continue;
      }
    }
    const std::string& line = std::get<std::string>(read);
    bytes -= std::min(bytes, line.size() + 1);
    auto event = read_event(line);
    if (!event || !std::holds_alternative<HelloEvent>(*event)) continue;
    const HelloEvent& hello = std::get<HelloEvent>(*event);
    if (hello.protocol == worker_protocol_version) return Done{};
    return end_badly(Error{
        ErrorCode::bad_message,
        fmt::format("the worker ({}) speaks protocol {}; this program speaks {}", hello.program, hello.protocol, worker_protocol_version),
        {},
        {"bring both programs to the same version of Tessera"}});
  }
  return end_badly(Error{ErrorCode::bad_message,
                         fmt::format("the worker command '{}' writes, but does not greet as a worker", settings_.command),
                         {},
                         {"it should be something like \"ssh HOST tessera worker\""}});
}

Result<WorkerEvent> WorkerClient::ask(WorkerRequest request, const OnProgress& on_progress, std::stop_token stop) {
  Patience patience{Clock::now() + settings_.total_limit, most_of_answer, settings_.silence_limit};
  start_ms_ = 0;
  replaced_.clear();
  if (worker_ && !worker_->process.running()) {  // it went while nothing was asked of it
    replaced_ = worker_->process.end(milliseconds(0));
    worker_.reset();
  }
  const bool kept = worker_ != nullptr;
  Result<WorkerEvent> answer = ask_worker(request, patience, on_progress, stop);
  if (answer || !kept || left_.empty()) return answer;
  replaced_ = left_;  // it was about to leave, and nothing of the request has run
  return ask_worker(request, patience, on_progress, stop);
}

Result<WorkerEvent> WorkerClient::ask_worker(WorkerRequest& request, Patience& patience, const OnProgress& on_progress,
                                             const std::stop_token& stop) {
  left_.clear();
  if (!worker_) {
    Stopwatch watch;
    TESSERA_CHECK(start(patience, stop));
    start_ms_ = watch.lap();
  }
  patience.heard = false;
  request.id = ++last_id_;
  if (auto sent = worker_->process.write_line(to_line(request), std::min(write_limit, patience.left())); !sent) {
    if (sent.error().code == ErrorCode::io) left_ = worker_->process.end(goodbye);
    return end_badly(std::move(sent).error());
  }
  for (;;) {
    auto line = next_line(patience, stop);
    if (!line) return end_badly(std::move(line).error());
    auto event = read_event(*line);
    if (!event) return end_badly(std::move(event).error());
    const std::int64_t id = id_of(*event);
    if (const auto* progress = std::get_if<ProgressEvent>(&*event)) {
      if (on_progress && id == request.id) on_progress(*progress);
    } else if (id == request.id || (id == 0 && std::holds_alternative<ErrorEvent>(*event))) {
      return event;
    } else {  // it is asked one thing at a time, so this can be nobody's answer
      return end_badly(Error{ErrorCode::bad_message,
                             std::holds_alternative<HelloEvent>(*event)
                                 ? "the worker greeted again in the middle of a run"
                                 : fmt::format("the worker answered request {}; it was asked request {}", id, request.id),
                             {},
                             {"the worker was ended; the next run starts a fresh one"}});
    }
  }
}

// The event that answers such a request; what is not one costs the worker its life.
template <class Event>
Result<Event> WorkerClient::answer(WorkerRequest request, std::string_view what, const OnProgress& on_progress, std::stop_token stop) {
  Result<WorkerEvent> answered = ask(std::move(request), on_progress, stop);
  if (!answered) return std::move(answered).error();
  if (auto* wanted = std::get_if<Event>(&*answered)) return std::move(*wanted);
  if (auto* error = std::get_if<ErrorEvent>(&*answered)) {
    if (!error->fatal) return std::move(error->error);
    return end_badly(std::move(error->error).note("the worker lost its device and was ended; the next run starts a fresh one"));
  }
  return end_badly(Error{ErrorCode::bad_message, fmt::format("the worker answered {} with something else", what), {}, {}});
}

void WorkerClient::tell_of_replacement(Measurement& measurement) const {
  if (replaced_.empty()) return;
  measurement.notes.push_back(fmt::format("the worker of the run before {}; this run has a fresh one", replaced_));
}

Result<Measurement> WorkerClient::run(WorkerRequest request, const OnProgress& on_progress, std::stop_token stop) {
  Stopwatch watch;
  TESSERA_TRY(result, answer<ResultEvent>(std::move(request), "a run", on_progress, stop));
  Measurement& measurement = result.measurement;
  if (measurement.spent) {
    measurement.spent->start = start_ms_;
    measurement.spent->answer = std::max(0.0, watch.lap() - measurement.compile_ms - measurement.spent->all());
  }
  tell_of_replacement(measurement);
  return std::move(measurement);
}

Result<Comparison> WorkerClient::compare(WorkerRequest request, const OnProgress& on_progress, std::stop_token stop) {
  request.op = WorkerOp::compare;
  TESSERA_TRY(result, answer<ComparisonEvent>(std::move(request), "a comparison", on_progress, stop));
  tell_of_replacement(result.comparison.a);
  return std::move(result.comparison);
}

Result<std::vector<DeviceSummary>> WorkerClient::devices(std::stop_token stop) {
  WorkerRequest request;
  request.op = WorkerOp::devices;
  TESSERA_TRY(found, answer<DevicesEvent>(std::move(request), "a question for devices", {}, stop));
  return std::move(found.devices);
}

}  // namespace tessera
