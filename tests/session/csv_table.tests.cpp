// SPDX-License-Identifier: BSD-3-Clause
// CSV files as tables: what was measured keeps its numbers, its places are the columns in which rows differ, and what no chart can place
// is refused with its row.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/gemm/csv_table.hpp"

#include <fmt/format.h>

#include "app/session/gemm/ladder_chart.hpp"
#include "app/session/gemm/measurement_csv.hpp"
#include "core/figure/figure.hpp"
#include "core/lang/document/document.hpp"
#include "core/lang/programs/evaluate.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/golden.hpp"

using namespace tessera;

namespace {

std::string table_of(std::string_view csv) { return csv_table(csv, "runs.csv").value().expression; }
std::string refusal(std::string_view csv) {
  const Result<CsvTable> made = csv_table(csv, "runs.csv");
  REQUIRE_FALSE(made);
  return made.error().message;
}

// A row of a run of so many microseconds; 0: it was refused.
std::string run(std::int64_t size, const char* set, double us, const char* correct = "yes") {
  CsvRow row;
  for (const std::string& column : measurement_columns()) {
    const bool timed = us > 0;
    row.push_back(column == "gemm"                                  ? "g"
                  : column == "m" || column == "n" || column == "k" ? std::to_string(size)
                  : column == "set"                                 ? set
                  : column == "median_us" && timed                  ? fmt::format("{}", us)
                  : column == "tflops" && timed                     ? fmt::format("{}", 1000 / us)
                  : column == "spread_percent" && timed             ? "4"
                  : column == "correct" && timed                    ? correct
                  : column == "refused" && !timed                   ? "too much shared memory, of 3 stages"
                                                                    : "");
  }
  return csv_line(row);
}
std::string header() { return csv_line(measurement_columns()); }

}  // namespace

TEST_CASE("a CSV's first column says where, empty cells have no number, and names become names of the language") {
  CHECK(table_of("m,us\n64,3.5\n128,\n") == "table(m=(64,128), us=(3.5,_))");
  CHECK(table_of("rung,p 10 (us)\n\"a, \"\"b\"\"\",1e-05\n") == "table(rung=(\"a, \\\"b\\\"\"), p_10__us_=(1e-05))");
  CHECK(csv_table("m,us\n64,3.5\n128,4\n", "").value().kind == "series");
  CHECK(csv_table("rung,us\nnaive,3.5\ntiled,4\n", "").value().kind == "chart");
  for (const char* csv : {"m,us\n64,3.5\n128,\n", "rung,p 10 (us)\n\"a, \"\"b\"\"\",1e-05\n"}) CHECK(evaluate(table_of(csv)));
}

TEST_CASE("the places of measurements are the columns in which their rows differ, and the last row of a place counts") {
  CHECK(table_of(header() + run(64, "", 4) + run(128, "", 5)).find("table(size=(64,128), tflops=(250,200), tflops_spread_percent=(4,4)") ==
        0);
  const std::string two =
      table_of(header() + run(64, "stages=2", 4) + run(128, "stages=2", 5) + run(64, "stages=3", 2) + run(128, "stages=3", 0));
  CHECK(two.find("table(size=(64,128,64,128), stages=(2,2,3,3), parameters=2, tflops=(250,200,500,_)") == 0);
  CHECK(table_of(header() + run(64, "stages=2", 4) + run(64, "stages=3", 5) + run(64, "stages=2", 8))
            .find("table(stages=(3,2), tflops=(200,125)") == 0);
  // A result that was wrong has no speed.
  CHECK(table_of(header() + run(64, "", 4) + run(128, "", 5, "no")).find("tflops=(250,_)") != std::string::npos);
  const Value value = evaluate(two).value();
  FigureOptions lines;
  lines.kind = "series";
  CHECK(figure_of(value, two, lines));
}

TEST_CASE("files without rows, with infinities, with rows of other lengths and of nothing measured are refused") {
  CHECK(refusal("").find("runs.csv has no rows") == 0);
  CHECK(refusal("m,us\n").find("runs.csv has no row below its names") == 0);
  CHECK(refusal("m,us\n1,2\n2,inf\n") == "runs.csv, row 2: us is inf, which has no place in a chart");
  CHECK(refusal("m,us\n1,nan\n") == "runs.csv, row 1: us is nan, which has no place in a chart");
  CHECK(refusal("m,us\n1,2,3\n") == "runs.csv, row 1: it has 3 fields, and 2 columns are named");
  CHECK(refusal("m\n1\n").find("runs.csv has one column") == 0);
  CHECK(refusal("m,us\n1,fast\n") == "runs.csv has no numbers behind its first column");
  CHECK(refusal("m,us\n1,\"2\n").find("runs.csv: row 2 of the CSV has a quote") == 0);
  const Result<CsvTable> none = csv_table(header() + run(64, "stages=9", 0), "runs.csv");
  REQUIRE_FALSE(none);
  CHECK(none.error().message == "no row of runs.csv has a time");
  CHECK(none.error().notes.at(0) == "refused: too much shared memory, of 3 stages");
}

TEST_CASE("the gallery's ladder is the one that is recorded") {
  const std::vector<MeasuredLadder> ladders = choose(recorded_ladders().ladders, ProblemSize{4096, 4096, 4096}, "h200").value();
  const BarChart chart = chart_of(ladders.at(0)).value();
  const std::string gallery = testing::read_file(test::source_dir() + "/assets/presets/gallery.tess");
  for (const BarRow& row : chart.rows) {
    CHECK(gallery.find(fmt::format("\"{} {}", row.key, row.name)) != std::string::npos);  // a note may follow
    REQUIRE(row.bars.at(0));
    CHECK(gallery.find(fmt::format("{:.4g}", row.bars[0]->value)) != std::string::npos);
    REQUIRE(row.bars[0]->spread);
    CHECK(gallery.find(fmt::format("{:.4g}", row.bars[0]->spread->first)) != std::string::npos);
  }
}
