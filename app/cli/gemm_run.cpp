// SPDX-License-Identifier: BSD-3-Clause
// tessera gemm run: on a GPU, in a worker process, here or on another machine.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/cli/gemm_arguments.hpp"
#include "app/cli/subcommands.hpp"
#include "app/cli/terminal.hpp"
#include "app/session/gemm/ladder_recording.hpp"

namespace tessera {
namespace {

struct Arguments : GemmArguments {
  PlaceArguments place;
  std::string inject, csv, record;
  bool json = false, emulate = false, recorded = false, check = false;
};

bool is_missing(const Error& error) { return exit_of(error) == Exit::environment; }

// The work on the CPU, within the limits.
Result<GemmPlan> lowered(const GemmRequest& request) {
  const Budget budget(request.limits);
  return plan_of(request);
}

// Numbers of another plan are no answer: what they are of is said, so that it can be asked for.
Error no_recording(const GemmPlan& plan, const Recordings& found) {
  constexpr std::size_t kMostNamed = 3;
  const bool damaged = found.others.empty() && !found.damaged.empty();
  Error error{damaged ? ErrorCode::corrupt : ErrorCode::io,
              damaged                ? fmt::format("no measurement of \"{}\" can be read", plan.name)
              : found.others.empty() ? fmt::format("no measurement of \"{}\" comes with Tessera", plan.name)
                                     : fmt::format("no measurement of this plan of \"{}\" comes with Tessera", plan.name),
              {},
              {}};
  for (std::size_t i = 0; i < std::min(found.others.size(), kMostNamed); ++i)
    error.notes.push_back(fmt::format("recorded on {} is another: {}", found.others[i].device, found.others[i].other_version));
  return error;
}

Exit show_recordings(const Arguments& arguments, const GemmRequest& request) {
  const Result<GemmPlan> plan = lowered(request);
  if (!plan) return refuse(plan.error());
  const Recordings found = recordings(*plan);
  for (const Error& damaged : found.damaged) note("a recording is damaged: " + describe(damaged));
  if (found.own.empty()) return refuse(no_recording(*plan, found));
  for (const GemmReport& report : found.own) {
    GemmReport shown = report;
    if (const std::size_t brace = shown.json.find('{'); brace != std::string::npos) shown.json.insert(brace + 1, "\"recorded\":true,");
    print_report(shown, arguments.json);
    if (const Status added = add_to_csv(arguments.csv, report, request.set); !added) return refuse(added.error());
  }
  return Exit::right;
}

Status keep_recording(const Arguments& arguments, const GemmReport& report) {
  if (report.provenance != Provenance::live || !report.microseconds)
    return Error{ErrorCode::no_device, "nothing was timed, so there is nothing to record", {}, {}};
  if (!report.other_version.empty()) return Error{ErrorCode::wrong_result, "another GEMM was measured: " + report.other_version, {}, {}};
  TESSERA_TRY(measurement, measurement_from_json(report.json));
  TESSERA_TRY(path, record(measurement, arguments.record));
  note("recorded in " + path.string());
  return Done{};
}

Exit run(const Arguments& arguments) {
  Result<GemmRequest> request = request_of(arguments);
  if (!request) return refuse(request.error());
  if (const Status fit = check_csv(arguments.csv); !fit) return refuse(fit.error());
  if (arguments.recorded) return show_recordings(arguments, *request);
  if (const Status placed = put_in_place(*request, arguments.place); !placed) return refuse(placed.error());
  request->timing = !arguments.check;
  request->inject = arguments.inject;
  Result<GemmReport> report = attended(*GemmJob::start(*request));  // which refuses what cannot be lowered before it asks a worker
  if (!report && arguments.emulate && is_missing(report.error())) {
    note(describe(report.error()));
    report = attended(*GemmJob::start_emulation(*request));
  }
  if (!report) {
    Error error = std::move(report).error();
    if (is_missing(error))
      error.notes.push_back("`tessera gemm simulate` computes it on the CPU; --worker \"ssh HOST tessera worker\" uses another machine");
    return refuse(error, arguments.file.empty() ? arguments.what : "");
  }
  if (arguments.json && !report->other_version.empty()) note(report->headline);
  print_report(*report, arguments.json);
  if (const Status added = add_to_csv(arguments.csv, *report, request->set); !added) return refuse(added.error());
  if (!arguments.record.empty()) {
    if (const Status kept = keep_recording(arguments, *report); !kept) return refuse(kept.error());
  }
  return (report->checked && !report->correct) || !report->other_version.empty() ? Exit::refused : Exit::right;
}

}  // namespace

Subcommand gemm_run_subcommand() {
  static const std::string examples =
      "  tessera gemm run tensor_gemm\n  tessera gemm run tensor_gemm --worker \"ssh gpubox tessera worker\" --json > measurement.json\n\n"
      "No measurable difference: the ratio to cuBLASLt's time is not further from 1, by max(r, 1/r) - 1, than this run's noise. That\n"
      "is sqrt(h^2 + h_cublaslt^2) + |control - 1|, where h is half of p10 to p90 relative to the median, and the control is\n"
      "cuBLASLt's time over its own.\n\n"
      "Its best of 8: cuBLASLt proposes up to eight ways; those that compute the same product are timed alone, and the fastest beside the\n"
      "kernel.\n\n" +
      csv_help();
  return {"run",
          "Compile, launch, check and time it on a GPU",
          examples.c_str(),
          [](Options& options) {
            auto a = std::make_shared<Arguments>();
            declare_gemm(options, *a);
            declare_place(options, a->place);
            options.flag("--check", a->check, "check the result and do not time it");
            options.flag("--emulate", a->emulate, "without a GPU, emulate on the CPU instead of failing");
            options.flag("--recorded", a->recorded, "show the measurements that come with Tessera");
            options.option("--record", a->record, "keep the measurement in DIR, without what is of one machine alone");
            options.flag("--json", a->json, "the whole measurement, for machines");
            declare_csv(options, a->csv);
            options.option("--inject", a->inject, "fault or hang: replace the kernel by one that misbehaves, to see it survived");
            return [a] { return run(*a); };
          },
          {}};
}

}  // namespace tessera
