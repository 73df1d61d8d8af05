// SPDX-License-Identifier: BSD-3-Clause
// tessera trace: runs a CuTe DSL program up to its kernels' code, without a GPU, and tells what its names stand for.
#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/subcommands.hpp"
#include "app/cli/terminal.hpp"
#include "app/session/files/tracing.hpp"
#include "core/base/json.hpp"
#include "core/base/utf8.hpp"

namespace tessera {
namespace {

constexpr std::size_t kLongestCell = 110;  // bytes
constexpr std::size_t kLongestLine = 400;  // bytes of the program's output that are shown at once

struct Arguments {
  TraceRequest request;
  bool json = false, shows_output = false;
};

// The program's own lines, each shown when it is whole.
class ShownOutput {
 public:
  void take(std::string_view piece) {
    pending_ += piece;
    for (std::size_t end; (end = pending_.find('\n')) != std::string::npos; pending_.erase(0, end + 1)) note(pending_.substr(0, end));
    if (pending_.size() > kLongestLine) finish();
  }
  void finish() {
    if (!pending_.empty()) note(pending_);
    pending_.clear();
  }

 private:
  std::string pending_;
};

// What is about to run, and where: said before it does.
std::string announcement(const TraceRequest& request, const std::string& python) {
  std::string words = request.module.empty() ? request.file : "-m " + request.module;
  for (const std::string& each : request.arguments) words += " " + each;
  return fmt::format("runs {} with {}, in this folder and for at most {:g} s; what it names goes to {}", words, python, request.seconds,
                     trace_path(request).string());
}

std::string cell(const std::string& text) {
  const std::string line = text.substr(0, text.find('\n'));
  return line.size() > kLongestCell ? std::string(utf8_prefix(line, kLongestCell)) + "..." : line;
}

void print_table(const Trace& trace) {
  std::vector<const TracedObject*> objects;
  for (const TracedObject& each : trace.objects) objects.push_back(&each);
  std::stable_sort(objects.begin(), objects.end(),
                   [](const TracedObject* a, const TracedObject* b) { return a->file != b->file ? a->file < b->file : a->line < b->line; });
  std::vector<std::vector<std::string>> rows;
  for (const TracedObject* each : objects) {
    const std::string line = fmt::format("{}", each->line);
    const bool several = trace.files.size() > 1 && each->file < trace.files.size();
    rows.push_back({several ? trace.files[each->file].path + ":" + line : line, each->name, kind_words(*each), cell(words_of(*each))});
  }
  print(table(rows));
}

Json summary_json(const TraceOutcome& outcome, const std::string& path) {
  const Trace& trace = outcome.trace;
  std::map<std::string, std::int64_t> counts;
  for (const TracedObject& each : trace.objects) ++counts[each.kind];
  Json::Members kinds;
  for (const auto& [kind, count] : counts) kinds.push_back({kind, count});
  return Json::object({{"trace", path},
                       {"by", trace.by},
                       {"arch", trace.arch},
                       {"rows", trace.objects.size()},
                       {"dropped", trace.dropped},
                       {"kinds", Json::object(std::move(kinds))},
                       {"errors", Json(trace.errors)},
                       {"guessed", Json(trace.guessed)},
                       {"seconds", trace.seconds},
                       {"ended", trace.ended},
                       {"cut_off", outcome.cut_off}});
}

// What a person has to know of a trace that is not whole, or rests on guesses.
void tell_rest(const TraceOutcome& outcome, const std::string& path) {
  const Trace& trace = outcome.trace;
  for (const std::string& each : trace.errors) note("the program failed: " + each);
  if (!outcome.cut_off.empty()) note("the trace is cut off: " + outcome.cut_off);
  if (!trace.guessed.empty()) note(fmt::format("made up for it: {}", fmt::join(trace.guessed, ", ")));
  if (trace.dropped > 0) note(fmt::format("{} more are not in the trace (--rows)", trace.dropped));
  if (trace.unread > 0) note(fmt::format("{} lines of the trace cannot be read", trace.unread));
  note(fmt::format("{} objects in {}", trace.objects.size(), path));
}

Exit environment_lacks(const Error& error) {
  (void)refuse(error);
  return Exit::environment;
}

Error missing_dsl(const std::string& python, const std::string& why) {
  return {ErrorCode::io,
          fmt::format("{} cannot import the CuTe DSL: {}", python, why),
          {},
          {fmt::format("{} -m pip install nvidia-cutlass-dsl", python),
           "another Python is named by --python, $TESSERA_PYTHON, or is that of $VIRTUAL_ENV"}};
}

// A module's arguments come where a file would stand.
TraceRequest completed(TraceRequest request) {
  if (!request.module.empty() && !request.file.empty())
    request.arguments.insert(request.arguments.begin(), std::exchange(request.file, std::string()));
  return request;
}

Exit run(const Arguments& arguments) {
  const TraceRequest request = completed(arguments.request);
  if (request.file.empty() && request.module.empty()) return misuse("a file to run is missing; --module NAME runs a module");
  if (!request.module.empty() && request.of.empty()) return misuse("--module needs --of: the files or folders whose names are wanted");
  const Result<std::string> python = find_python(request.python);
  if (!python) return environment_lacks(python.error());
  note(announcement(request, *python));
  ShownOutput output;
  TraceListener listener{[](std::string_view words) { note(words); }, {}};
  if (arguments.shows_output) listener.output = [&](std::string_view piece) { output.take(piece); };
  const Result<TraceOutcome> outcome = run_trace(request, *python, listener);
  output.finish();
  if (!outcome) return refuse(outcome.error());
  if (!outcome->missing.empty()) return environment_lacks(missing_dsl(*python, outcome->missing));
  if (!outcome->begun) return refuse(Error{ErrorCode::io, "nothing was traced: " + outcome->cut_off, {}, {}});
  const std::string path = trace_path(request).string();
  arguments.json ? print_data(summary_json(*outcome, path).dump(2) + "\n") : print_table(outcome->trace);
  tell_rest(*outcome, path);
  return outcome->trace.ended && outcome->trace.errors.empty() ? Exit::right : Exit::refused;
}

}  // namespace

Subcommand trace_subcommand() {
  return {"trace",
          "Run a CuTe DSL program without a GPU, and tell what its names stand for",
          "  tessera trace kernel.py\n  tessera trace kernel.py --arch sm_90a --out kernel.trace -- --mnk 512,512,64\n"
          "  tessera trace --module pytest --of mylib -- tests/test_gemm.py",
          [](Options& options) {
            auto a = std::make_shared<Arguments>();
            TraceRequest& request = a->request;
            options.positional("file", request.file, "the program, in Python: it is run, as you would run it", false);
            options.positionals("arguments", request.arguments, "the program's own arguments, behind --");
            options.option("--module", request.module, "run a module in place of a file, as python -m does");
            options.option("--of", request.of, "a file, or a folder of files, whose names are collected; the program itself by default");
            options.option("--out", request.out, "the trace; FILE.trace by default");
            options.option("--arch", request.arch, "the architecture that the kernels are for, e.g. sm_90a; guessed by default");
            options.option("--python", request.python,
                           "the Python that has nvidia-cutlass-dsl; by default $TESSERA_PYTHON, $VIRTUAL_ENV/bin/python or python3");
            options.option("--limit-seconds", request.seconds, "how long it may run", Between{0.1, 86400});
            options.option("--limit-bytes", request.bytes, "the memory that each of its processes may have; 0: no limit", Between{0, 1e15});
            options.option("--rows", request.rows, "how many objects the trace may have", Between{1, 1'000'000});
            options.flag("--show-output", a->shows_output, "show on stderr what the program prints");
            options.flag("--json", a->json, "a summary as one JSON object");
            return [a] { return run(*a); };
          },
          {}};
}

}  // namespace tessera
