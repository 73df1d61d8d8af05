// SPDX-License-Identifier: BSD-3-Clause
// What the subcommands of `tessera gemm` share: how a GEMM is named on the command line, and how a report is printed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/session/files/options.hpp"
#include "app/session/gemm/jobs.hpp"
#include "core/gemm/rungs/fastest.hpp"

namespace tessera {

struct GemmArguments {
  std::string what, file;
  std::optional<std::int64_t> m, n, k;
  std::vector<std::string> set;    // "stages=4"
  std::vector<std::string> given;  // "pad=4", of the document's parameters
  Limits limits;
};

void declare_gemm(Options& options, GemmArguments& arguments);
void declare_document(Options& options, GemmArguments& arguments);  // the same without `what` and --set

// Where a GEMM runs.
struct PlaceArguments {
  std::string worker;
  int device = -1;
  double timeout = GemmRequest().timeout_seconds, kernel_timeout = GemmRequest().kernel_seconds, start = GemmRequest().start_seconds;
};
void declare_place(Options& options, PlaceArguments& place);
// What the command line leaves open the settings say.
Status put_in_place(GemmRequest& request, const PlaceArguments& place);

// A line for each field of gemm(...), for the end of a help text.
std::string field_lines();

// NAME or EXPR with --file: in that document. A .tess document alone: its last GEMM. A name alone: in the tour that comes with the
// program. Anything else: an expression that stands for itself.
Result<GemmRequest> request_of(const GemmArguments& arguments);

// --csv: a file that gets a row of each run (session/gemm/measurement_csv.hpp).
void declare_csv(Options& options, std::string& file);
std::string csv_help();  // the columns, for the end of a help text
// Refuses a file that no row can be added to, before anything is measured; empty: no file.
Status check_csv(const std::string& file);
// Adds the row of a report; of one that is no measurement of the GEMM that was asked for there is none, and a note says so. `baseline` as
// measurement_row has it.
Status add_to_csv(const std::string& file, const GemmReport& report, const std::vector<FieldText>& set, const std::string& baseline = "");

// A job's end; a signal cancels it, and the worker with it.
Result<GemmReport> attended(GemmJob& job);

// "CORRECT, 3.47 ms (p10 to p90: 0.449 %), 39.6 TFLOP/s, 77.2 % of cuBLASLt top-1": what was measured, as far as it was.
std::string result_line(const GemmReport& report);
std::string report_text(const GemmReport& report);
void print_report(const GemmReport& report, bool json);

// What each choice of a product would need, and the chosen one as an expression.
std::string fastest_text(const std::vector<FastestChoice>& choices, std::int64_t multiprocessors);

Subcommand gemm_run_subcommand();
Subcommand gemm_compare_subcommand();
Subcommand gemm_sweep_subcommand();
Subcommand gemm_ladder_subcommand();
Subcommand gemm_diff_subcommand();
Subcommand gemm_race_subcommand();
Subcommand gemm_fastest_subcommand();

}  // namespace tessera
