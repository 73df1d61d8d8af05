// SPDX-License-Identifier: BSD-3-Clause
// tessera gemm compare: two GEMMs beside each other, in words, in counts, and on a GPU in one run.
#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/cli/attend.hpp"
#include "app/cli/gemm_arguments.hpp"
#include "app/cli/subcommands.hpp"
#include "app/cli/terminal.hpp"
#include "app/session/gemm/comparison.hpp"
#include "app/session/gemm/measurement_csv.hpp"
#include "core/base/units.hpp"

namespace tessera {
namespace {

struct Arguments : GemmArguments {
  std::string other, csv;
  PlaceArguments place;
  bool json = false;
};

std::string verdict(const GemmReport& report) { return report.correct ? "CORRECT" : "WRONG"; }
std::string median_text(const GemmReport& report) { return report.microseconds ? time_text(*report.microseconds) : ""; }
std::string spread_text(const GemmReport& report) { return report.spread_percent ? percent_text(*report.spread_percent) : ""; }
std::string speed_text(const GemmReport& report) { return report.tflops ? rate_text(1e12 * *report.tflops) : ""; }

std::string comparison_text(const GemmComparison& made) {
  std::string text;
  for (const GemmComparison::Difference& each : made.differences) text += each.words + "\n";
  if (made.differences.empty()) text += "both ask for the same kernel\n";
  std::vector<std::vector<std::string>> rows{{"", "a: " + made.spec_a.name, "b: " + made.spec_b.name}};
  const auto add = [&](std::string_view name, std::string a, std::string b) {
    rows.push_back({std::string(name), std::move(a), std::move(b)});
  };
  add("emulated", verdict(made.emulated_a), verdict(made.emulated_b));
  for (const GemmComparison::Count& each : made.counts)
    add(step_name(each.step), each.a ? access_text(*each.a) : "none", each.b ? access_text(*each.b) : "none");
  if (made.measured_a && made.measured_b) {
    const GemmReport &a = *made.measured_a, &b = *made.measured_b;
    add("on " + a.device, verdict(a), verdict(b));
    if (made.ratio) {
      add("median", median_text(a), median_text(b));
      add("p10 to p90", spread_text(a), spread_text(b));
      add("rate", speed_text(a), speed_text(b));
    }
  }
  text += "\n" + table(rows) + "\n";
  for (const auto& [which, report] : {std::pair{'a', &made.measured_a}, {'b', &made.measured_b}}) {
    if (!*report) continue;
    for (const std::string& line : (*report)->lines) {
      if (line.starts_with("wrong: ") || line.starts_with("note: ")) text += fmt::format("{}: {}\n", which, line);
    }
    if (!(*report)->other_version.empty()) text += fmt::format("{}: another GEMM was measured: {}\n", which, (*report)->other_version);
  }
  return text + ratio_text(made) + "\n";
}

// On a thread of its own, so that a signal finds somebody who listens.
Status measure_attended(GemmComparison& comparison, const GemmRequest& a, const GemmRequest& b) {
  std::mutex mutex;
  std::string progress = "starting";
  std::atomic<bool> running = true;
  Status done = Done{};
  std::jthread thread([&](const std::stop_token& stop) {
    const auto on_progress = [&](const ProgressEvent& event) {
      const std::lock_guard lock(mutex);
      progress = fmt::format("{:3.0f} %  {}", 100 * event.fraction, event.stage);
    };
    try {
      done = measure(comparison, a, b, on_progress, stop);
    } catch (const std::exception& thrown) {  // a full memory: nobody is above to catch it
      done = Error{ErrorCode::limit, fmt::format("the comparison ended early: {}", thrown.what()), {}, {}};
    }
    running = false;
  });
  attend(
      [&](std::chrono::milliseconds most) {
        if (running) std::this_thread::sleep_for(most);
        return !running;
      },
      [&] { thread.request_stop(); },
      [&] {
        const std::lock_guard lock(mutex);
        return progress;
      });
  thread.join();
  return done;
}

bool is_right(const GemmComparison& made) {
  const auto right = [](const std::optional<GemmReport>& report) { return !report || (report->correct && report->other_version.empty()); };
  return made.emulated_a.correct && made.emulated_b.correct && right(made.measured_a) && right(made.measured_b);
}

// One row: a's, with b as its baseline; where only b is wrong, b's.
Status add_comparison(const std::string& file, const GemmComparison& made, const GemmRequest& a, const GemmRequest& b) {
  if (file.empty()) return Done{};
  if (!made.measured_a || !made.measured_b) {
    note(fmt::format("no row was added to {}: {}", file, made.not_measured));
    return Done{};
  }
  const auto right = [](const GemmReport& report) { return report.correct && report.other_version.empty(); };
  if (right(*made.measured_a) && !right(*made.measured_b)) return add_to_csv(file, *made.measured_b, b.set);
  return add_to_csv(file, *made.measured_a, a.set, made.spec_b.name + (b.set.empty() ? "" : " " + set_text(b.set)));
}

Exit run(const Arguments& arguments) {
  GemmArguments first = arguments, second = arguments;
  first.set.clear();
  if (!arguments.other.empty()) second.what = arguments.other;
  Result<GemmRequest> a = request_of(first), b = request_of(second);
  for (Result<GemmRequest>* request : {&a, &b}) {
    if (!*request) return refuse(request->error());
    if (const Status placed = put_in_place(**request, arguments.place); !placed) return refuse(placed.error());
  }
  if (const Status fit = check_csv(arguments.csv); !fit) return refuse(fit.error());
  Result<GemmComparison> made = compare(*a, *b);
  if (!made) return refuse(made.error());
  const Status measured = measure_attended(*made, *a, *b);
  if (!measured) made->not_measured = "nothing was measured: " + measured.error().message;
  if (arguments.json)
    print_data(to_json(*made) + "\n");
  else
    print(comparison_text(*made));
  if (!measured) return refuse(measured.error());
  if (const Status added = add_comparison(arguments.csv, *made, *a, *b); !added) return refuse(added.error());
  return is_right(*made) ? Exit::right : Exit::refused;
}

}  // namespace

Subcommand gemm_compare_subcommand() {
  static const std::string examples =
      "  tessera gemm compare tensor_gemm --set stages=2\n  tessera gemm compare a b --file mine.tess --json\n\n"
      "No measurable difference: the ratio of the times is not further from 1, by max(r, 1/r) - 1, than this run's noise. That is\n"
      "sqrt(h_a^2 + h_b^2) + |control - 1|, where h is half of p10 to p90 relative to the median, and the control is b's time over\n"
      "its own.\n\n" +
      csv_help();
  return {"compare",
          "Two GEMMs: the fields in which they differ, their accesses, and on a GPU their times in one run",
          examples.c_str(),
          [](Options& options) {
            auto a = std::make_shared<Arguments>();
            options.positional("a", a->what, "the name of a GEMM, an expression, or a .tess document (its last GEMM)");
            options.positional("b", a->other, "the other one; by default a with what --set says", false);
            declare_document(options, *a);
            options.option("--set", a->set, "another value of a field of b, e.g. --set stages=3; `tessera gemm --help` lists the fields");
            declare_place(options, a->place);
            options.flag("--json", a->json, "for machines");
            declare_csv(options, a->csv);
            return [a] { return run(*a); };
          },
          {}};
}

}  // namespace tessera
