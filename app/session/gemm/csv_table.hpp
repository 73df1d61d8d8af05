// SPDX-License-Identifier: BSD-3-Clause
// A CSV file as the table that charts take: the expression table(...) of its numbers, so that a picture of it needs the file no more.
//
//   m,us\n64,3.5\n128,5.1        -> table(m=(64,128), us=(3.5,5.1))       the first column says where, further ones what was there
//   what `gemm run`, `compare` and `sweep` wrote with --csv -> table(stages=(1,2,3), tflops=(...), tflops_spread_percent=(...), ...)
//
// Of measurements the columns that say where are those in which the rows differ (extents, and what --set says); of several rows of one
// point the last counts; a result that was wrong has no number.
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.hpp"

namespace tessera {

struct CsvTable {
  std::string expression;  // table(...)
  std::string kind;        // of figure: lines where the first column counts, else bars
};

// Refuses a file without rows, rows of other lengths than the first, numbers that are none ("nan", "inf"), and one in which nothing was
// measured. `name`: of the file, in messages.
Result<CsvTable> csv_table(std::string_view csv, std::string_view name);

}  // namespace tessera
