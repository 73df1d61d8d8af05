// SPDX-License-Identifier: BSD-3-Clause
// Starts assets/trace/run.py with Python, waits for it within its limits, and reads the file that it leaves.
#include "app/session/files/tracing.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>  // std::getenv
#include <filesystem>
#include <fstream>
#include <stop_token>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>  // std::this_thread::sleep_for
#include <utility>
#include <variant>
#include <vector>

#include <unistd.h>

#include <fmt/format.h>

#include "app/session/files/document_io.hpp"
#include "app/session/files/runaways.hpp"
#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "kernels/runtime/worker/child_process.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr std::uintmax_t kLargestTrace = std::uintmax_t{1} << 30;  // bytes
constexpr std::size_t kLongestReport = std::size_t{1} << 16;       // bytes of a line
constexpr milliseconds kLookEvery(200);
constexpr milliseconds kAfterTheEnd(2000);  // for a program whose trace is whole to leave
constexpr std::string_view kHead = "{\"tessera_trace\"";

std::string field(const Json& row, std::string_view name) {
  const Json* found = row.find(name);
  const std::string* text = found != nullptr ? found->text() : nullptr;
  return text != nullptr ? *text : "";
}

// ---- what runs ---------------------------------------------------------------------------------------------------------

bool is_program(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

bool is_on_path(std::string_view name) {
  const char* path = std::getenv("PATH");
  for (std::string_view rest = path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin"; !rest.empty();) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    if (is_program(fs::path(rest.substr(0, end)) / name)) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

Status check_program(const TraceRequest& request) {
  std::error_code ignored;
  const std::string extension = fs::path(request.file).extension().string();
  for (const char* other : {".cu", ".cuh", ".cpp", ".cc", ".cxx", ".c", ".h", ".hpp", ".tess"}) {
    if (extension != other) continue;
    return Error{ErrorCode::wrong_type,
                 fmt::format("{} is no program in Python, and only such ones are run", request.file),
                 {},
                 {"`tessera explain` reads a source without running it; docs/tracing.md tells of other languages"}};
  }
  if (!request.module.empty() || fs::is_regular_file(request.file, ignored)) return Done{};
  return Error{ErrorCode::io, fmt::format("there is no file {} to run", request.file), {}, {}};
}

// What is no trace stays.
Status check_replaceable(const fs::path& out) {
  std::error_code error;
  if (!fs::exists(out, error)) return Done{};
  std::string head(kHead.size(), '\0');
  if (!fs::is_regular_file(out, error)) return Error{ErrorCode::io, fmt::format("{} is no file", out.string()), {}, {}};
  std::ifstream(out, std::ios::binary).read(head.data(), static_cast<std::streamsize>(head.size()));
  if (fs::file_size(out, error) == 0 || head == kHead) return Done{};
  return Error{ErrorCode::already_exists,
               fmt::format("{} is there and is no trace, so it is not written over", out.string()),
               {},
               {"--out FILE names another file"}};
}

// Makes the file of the trace that begins an empty one.
Status make_empty(const fs::path& part) {
  TESSERA_CHECK(check_replaceable(part));
  if (std::ofstream(part, std::ios::binary | std::ios::trunc)) return Done{};
  return Error{ErrorCode::io, fmt::format("{} cannot be written", part.string()), {}, {"--out FILE names another place"}};
}

Result<std::vector<std::string>> command_of(const TraceRequest& request, const std::string& python, const fs::path& out) {
  TESSERA_TRY(tracer, find_asset("trace/run.py"));
  std::vector<std::string> words = {python, tracer.string(), "--out=" + out.string(), fmt::format("--rows={}", request.rows),
                                    fmt::format("--limit-bytes={:.0f}", request.bytes)};
  if (!request.arch.empty()) words.push_back("--arch=" + request.arch);
  for (const std::string& each : request.of) words.push_back("--of=" + each);
  words.push_back(request.module.empty() ? "--file=" + request.file : "--module=" + request.module);
  words.emplace_back("--");
  words.insert(words.end(), request.arguments.begin(), request.arguments.end());
  return words;
}

// What the tracer says of itself.
struct Reports {
  std::string missing;
  bool done = false;
};

void take_report(const std::string& line, const TraceListener& listener, Reports& reports) {
  const Result<Json> json = parse_json(line, kRequestJson, ErrorCode::bad_message);
  if (!json) return;
  if (const std::string missing = field(*json, "missing"); !missing.empty()) reports.missing = missing;
  if (const std::string again = field(*json, "again"); !again.empty())
    listener.note(fmt::format("it wants {}: runs it again for that (--arch {} does so at once)", again, again));
  if (json->find("done") != nullptr) reports.done = true;
}

// Until the tracer is done, has gone or the time is over; empty, or why the trace has no end.
std::string wait_for(ChildProcess& child, const TraceRequest& request, const TraceListener& listener, Reports& reports) {
  const auto deadline = Clock::now() + milliseconds(static_cast<std::int64_t>(request.seconds * 1000));
  while (!reports.done) {
    const bool was_running = child.running();
    const auto line = child.read_line(kLookEvery, kLongestReport, std::stop_token());
    if (const std::string* report = std::get_if<std::string>(&line)) {
      take_report(*report, listener, reports);
      continue;
    }
    if (!was_running) break;  // its children may hold the pipe open
    if (Clock::now() < deadline) {
      // A program can close what it does not know, and go on.
      if (std::get<ChildProcess::Silence>(line) == ChildProcess::Silence::closed) std::this_thread::sleep_for(kLookEvery / 4);
      continue;
    }
    (void)child.end(milliseconds(0));
    return fmt::format("it was ended after {:g} s (--limit-seconds)", request.seconds);
  }
  const std::string ending = child.end(kAfterTheEnd);
  const std::string last = child.last_words();
  return fmt::format("Python {}{}", ending, last.empty() ? "" : "; its last words: " + last);
}

}  // namespace

Result<std::string> find_python(const std::string& named) {
  const auto given = [](const char* name) {
    const char* set = std::getenv(name);
    return std::string(set != nullptr ? set : "");
  };
  const auto checked = [](const std::string& python, std::string_view by) -> Result<std::string> {
    if (python.find('/') != std::string::npos ? is_program(python) : is_on_path(python)) return python;
    return Error{ErrorCode::io, fmt::format("{} names {}, and there is no such program", by, python), {}, {}};
  };
  if (!named.empty()) return checked(named, "--python");
  if (const std::string python = given("TESSERA_PYTHON"); !python.empty()) return checked(python, "TESSERA_PYTHON");
  if (const std::string folder = given("VIRTUAL_ENV"); !folder.empty() && is_program(fs::path(folder) / "bin/python"))
    return (fs::path(folder) / "bin/python").string();
  if (is_on_path("python3")) return std::string("python3");
  return Error{ErrorCode::io,
               "there is no Python to run the program with",
               {},
               {"it is looked for in --python, $TESSERA_PYTHON, $VIRTUAL_ENV/bin/python and python3 of $PATH"}};
}

fs::path trace_path(const TraceRequest& request) {
  if (!request.out.empty()) return request.out;
  return (request.module.empty() ? request.file : request.module) + ".trace";
}

Result<TraceOutcome> run_trace(const TraceRequest& request, const std::string& python, const TraceListener& listener) {
  TESSERA_CHECK(check_program(request));
  const fs::path out = trace_path(request);
  const fs::path part = out.string() + ".part";  // an earlier trace stays until this one has begun
  TESSERA_TRY(command, command_of(request, python, part));
  TESSERA_CHECK(check_replaceable(out));
  TESSERA_CHECK(make_empty(part));
  const Runaways runaways;
  Result<ChildProcess> started = ChildProcess::start(command);
  if (!started) {
    std::error_code ignored;
    fs::remove(part, ignored);
    return started.error();
  }
  ChildProcess child = *std::move(started);
  if (listener.output) child.on_errors(listener.output);
  Reports reports;
  TraceOutcome outcome;
  outcome.cut_off = wait_for(child, request, listener, reports);
  outcome.missing = reports.missing;
  TESSERA_TRY(text, read_file(part, kLargestTrace));
  if (Result<Trace> trace = read_trace(text); trace) {
    outcome.trace = *std::move(trace);
    outcome.begun = true;
  }
  if (outcome.trace.ended) outcome.cut_off.clear();
  std::error_code ignored;
  if (!outcome.begun) {
    fs::remove(part, ignored);
    return outcome;
  }
  std::error_code error;
  fs::rename(part, out, error);
  if (error) return Error{ErrorCode::io, fmt::format("the trace stays in {}: {}", part.string(), error.message()), {}, {}};
  return outcome;
}

}  // namespace tessera
