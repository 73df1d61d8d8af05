// SPDX-License-Identifier: BSD-3-Clause
// From the command line to a GemmRequest, and from a GemmReport to lines.
#include "app/cli/gemm_arguments.hpp"

#include <chrono>
#include <cmath>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/attend.hpp"
#include "app/cli/terminal.hpp"
#include "app/session/files/call_text.hpp"
#include "app/session/files/document_io.hpp"
#include "app/session/files/settings.hpp"
#include "app/session/gemm/measurement_csv.hpp"
#include "core/base/units.hpp"
#include "core/gemm/spec_fields.hpp"
#include "kernels/runtime/measure/measurement.hpp"

namespace tessera {
namespace {

constexpr std::string_view kOwnBinding = "gemm_of_the_command_line";

// The document with one more binding, unless `what` is bound in it already.
Result<GemmRequest> in_document(const std::filesystem::path& path, const std::string& what, const std::vector<std::string>& given) {
  TESSERA_TRY(parameters, given_values(given));
  TESSERA_TRY(document, load_document(path, what.empty() ? Wanted::whole : Wanted::named, parameters));
  if (what.empty() && !document.bad_lines.empty()) {  // perhaps it was the last GEMM
    return Error{ErrorCode::parse,
                 fmt::format("{}:{}: {}", path.string(), document.bad_lines.front().line, document.bad_lines.front().error.message),
                 {},
                 {"mend or remove that line, or name the GEMM that is wanted"}};
  }
  GemmRequest request;
  request.document = to_text(document);
  request.origin = path.string();
  request.binding = what;
  if (is_identifier(what) || what.empty()) return request;
  if (!request.document.empty() && !request.document.ends_with('\n')) request.document += '\n';
  request.document += fmt::format("let {} = {}\n", kOwnBinding, what);
  request.binding = kOwnBinding;
  return request;
}

}  // namespace

void declare_gemm(Options& options, GemmArguments& arguments) {
  options.positional("what", arguments.what, "the name of a GEMM, an expression, or a .tess document (its last GEMM)");
  declare_document(options, arguments);
  options.option("--set", arguments.set, "another value of a field, e.g. --set stages=3; `tessera gemm --help` lists the fields");
}

void declare_document(Options& options, GemmArguments& arguments) {
  options.option("--file", arguments.file, "the document with that name; by default the tour that comes with Tessera");
  declare_let(options, arguments.given, Let::parameters);
  options.option("--m", arguments.m, "another extent M than the document's");
  options.option("--n", arguments.n, "another extent N");
  options.option("--k", arguments.k, "another extent K");
  options.limits(arguments.limits);
}

void declare_place(Options& options, PlaceArguments& place) {
  options.option("--device", place.device, "which GPU, as `tessera devices` counts; by default the settings'");
  options.option("--worker", place.worker, "the program and arguments that start the worker; by default the settings', or this program");
  options.option("--worker-start", place.start, "seconds that the worker may take to come up, as one does that waits in a cluster's queue");
  options.option("--timeout", place.timeout, "seconds after which a run that has not ended is ended, with its worker");
  options.option("--kernel-timeout", place.kernel_timeout, "seconds after which a kernel counts as hanging");
}

Status put_in_place(GemmRequest& request, const PlaceArguments& place) {
  TESSERA_TRY(settings, load_settings());
  request.worker = place.worker.empty() ? settings.worker : place.worker;
  request.worker_shell = settings.shell;
  request.device = place.device >= 0 ? place.device : settings.device;
  request.timeout_seconds = place.timeout;
  request.kernel_seconds = place.kernel_timeout;
  request.start_seconds = place.start;
  return Done{};
}

Result<GemmRequest> request_of(const GemmArguments& arguments) {
  Result<GemmRequest> request = GemmRequest{};
  if (arguments.what.ends_with(".tess")) {
    request = in_document(arguments.what, "", arguments.given);
  } else if (!arguments.file.empty()) {
    request = in_document(arguments.file, arguments.what, arguments.given);
  } else if (is_identifier(arguments.what)) {
    TESSERA_TRY(tour, find_asset("presets/tour.tess"));
    request = in_document(tour, arguments.what, arguments.given);
  } else {
    TESSERA_CHECK(check_let(arguments.given, false));
    request->document = arguments.what;
  }
  if (!request) return request;
  request->m = arguments.m;
  request->n = arguments.n;
  request->k = arguments.k;
  request->limits = arguments.limits;
  for (const std::string& text : arguments.set) {
    TESSERA_TRY(given, parse_field_text(text));
    request->set.push_back(std::move(given));
  }
  return request;
}

std::string field_lines() {
  std::vector<std::vector<std::string>> rows;
  for (const SpecField& field : spec_fields()) {
    rows.push_back({fmt::format("  {}", field.name), std::string(field.help)});
    for (const FieldChoice& choice : choices_of(field)) rows.push_back({fmt::format("    {}", choice.name), std::string(choice.help)});
  }
  return table(rows);
}

void declare_csv(Options& options, std::string& file) {
  options.option("--csv", file, "a file that gets a row of this run behind those it has; a new one gets a line of columns first");
}

std::string csv_help() { return fmt::format("Columns of --csv: {}\n", fmt::join(measurement_columns(), ", ")); }

Status check_csv(const std::string& file) {
  if (!file.empty()) TESSERA_CHECK(measurement_rows(file));
  return Done{};
}

Status add_to_csv(const std::string& file, const GemmReport& report, const std::vector<FieldText>& set, const std::string& baseline) {
  if (file.empty()) return Done{};
  const bool emulated = report.provenance == Provenance::emulated;
  if (emulated || !report.other_version.empty()) {
    note(fmt::format("no row was added to {}: {}", file, emulated ? "an emulation has no time" : "another GEMM was measured"));
    return Done{};
  }
  TESSERA_TRY(measurement, measurement_from_json(report.json));
  return append_row(file, measurement_row(measurement, set, baseline));
}

Result<GemmReport> attended(GemmJob& job) {
  attend([&](std::chrono::milliseconds most) { return job.wait_for(most); }, [&] { job.cancel(); },
         [&] {
           const GemmJob::Progress progress = job.progress();
           return fmt::format("{:3.0f} %  {}", 100 * progress.fraction, progress.stage);
         });
  return *job.result();
}

std::string result_line(const GemmReport& report) {
  if (!report.other_version.empty()) return "another GEMM was measured: " + report.other_version;
  if (!report.correct) return "WRONG: its result is not the reference's";
  if (!report.microseconds) return "CORRECT";
  std::string text = "CORRECT, " + speed_text(*report.microseconds, report.spread_percent, report.tflops);
  if (const std::string beside = beside_baseline_text(report); !beside.empty()) text += ", " + beside;
  return text;
}

std::string report_text(const GemmReport& report) {
  std::string text = report.headline + "\n";
  std::vector<std::vector<std::string>> rows;
  const std::string verdict = !report.checked ? "not checked" : report.correct ? "CORRECT" : "WRONG";
  rows.push_back({"  result", std::isnan(report.largest_error)
                                  ? fmt::format("NO RACE ({})", report.tolerance)
                                  : fmt::format("{} ({}; largest error {:.3g})", verdict, report.tolerance, report.largest_error)});
  if (report.microseconds) rows.push_back({"  time", speed_text(*report.microseconds, report.spread_percent, report.tflops)});
  if (report.baseline_microseconds) {
    std::string baseline = speed_text(*report.baseline_microseconds, report.baseline_spread_percent, report.baseline_tflops);
    if (report.percent_of_baseline) baseline += "; this kernel reaches " + beside_baseline_text(report);
    rows.push_back({"  cuBLASLt", baseline});
  }
  for (const std::string& line : report.lines) {
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos)
      rows.push_back({"  " + line, ""});
    else
      rows.push_back({"  " + line.substr(0, colon), line.substr(colon + 2)});
  }
  return text + table(rows);
}

void print_report(const GemmReport& report, bool json) {
  if (json)
    print_data(report.json + "\n");
  else
    print(report_text(report));
}

}  // namespace tessera
