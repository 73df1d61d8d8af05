// SPDX-License-Identifier: BSD-3-Clause
// Measurements as rows of a CSV file, to be looked at beside each other. Fields are quoted by RFC 4180, lines end with a newline alone, and
// the first line names the columns, always these in this order:
//
//   gemm, m, n, k             of the GEMM that was measured
//   median_us                 of its launches, interleaved with the baseline's
//   spread_percent            p10 to p90, of the median
//   tflops
//   ratio                     time of the baseline / time of this kernel: of cuBLASLt top-1, or in a comparison of the other GEMM
//   best_ratio                the same of the fastest of cuBLASLt's ways
//   device, driver, date
//   correct                   "yes" or "no"; without a run empty
//   set                       other values than the document's, as --set has them: "stages=3 ctas=2"
//   baseline, baseline_us, baseline_spread_percent
//   ways                      of cuBLASLt that were timed
//   noise                     up to which a ratio's distance from 1 is no measurable difference (measure/noise.hpp)
//   refused                   why there was no run
// Numbers are raw; what was not measured is empty.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/gemm/gemm_request.hpp"
#include "kernels/runtime/measure/measurement.hpp"

namespace tessera {

std::string set_text(const std::vector<FieldText>& set);  // "stages=3 ctas=2"

using CsvRow = std::vector<std::string>;

std::string csv_line(const CsvRow& row);  // {"a", "b,c"} -> "a,\"b,c\"\n"
// Refuses a quote that does not end, and text behind one that did.
Result<std::vector<CsvRow>> read_csv(std::string_view text);

const CsvRow& measurement_columns();
// `baseline` is another name for it than the measurement's own; empty: that one.
CsvRow measurement_row(const Measurement& measurement, const std::vector<FieldText>& set, const std::string& baseline = "");
CsvRow refused_row(const GemmSpec& spec, const std::vector<FieldText>& set, const std::string& reason);

// The rows of a file behind its columns; none where there is no file, or an empty one. Refuses a file of other columns.
Result<std::vector<CsvRow>> measurement_rows(const std::filesystem::path& path);
// One more row; a new file gets the columns first. Programs that add rows at once wait for each other.
Status append_row(const std::filesystem::path& path, const CsvRow& row);

}  // namespace tessera
