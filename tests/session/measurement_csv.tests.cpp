// SPDX-License-Identifier: BSD-3-Clause
// Rows of measurements: each figure under its column, fields quoted so that they are read back, and a file that only grows.
#include "app/session/gemm/measurement_csv.hpp"

#include <atomic>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "core/gemm/gemm_spec.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;

namespace {

Measurement example() {
  Measurement made;
  made.name = "mine", made.m = 16, made.n = 32, made.k = 64;
  made.device.name = "A GPU, \"fast\"", made.device.driver_version = "1.2";
  made.date = "2026-01-02T03:04:05Z";
  made.correctness.passed = true, made.correctness.compared = 512;
  Timing& timing = made.timing.emplace();
  timing.interleaved = {{4, 3.5, 4.5, {}}, Spread{2, 1.5, 2.5, {}}, 0.5, 11.25, 22};
  timing.best = BestOfWays{{2, 1.75, 3}, 1, TimedMode{{4, 4, 4, {}}, Spread{1.75, 1, 2, {}}, 0.4375, 11, 25}};
  timing.baseline_name = "a baseline, top-1";
  return made;
}

std::map<std::string, std::string> named(const CsvRow& row) {
  REQUIRE(row.size() == measurement_columns().size());
  std::map<std::string, std::string> made;
  for (std::size_t i = 0; i < row.size(); ++i) made[measurement_columns()[i]] = row[i];
  return made;
}

}  // namespace

TEST_CASE("a row has every figure of a measurement under its column, in the documented order") {
  CHECK(csv_line(measurement_columns()) ==
        "gemm,m,n,k,median_us,spread_percent,tflops,ratio,best_ratio,device,driver,date,correct,set,baseline,baseline_us,"
        "baseline_spread_percent,ways,noise,refused\n");
  CHECK(csv_line(measurement_row(example(), {{"stages", "3"}, {"cluster", "(2,1)"}})) ==
        "mine,16,32,64,4,25,11.25,0.5,0.4375,\"A GPU, \"\"fast\"\"\",1.2,2026-01-02T03:04:05Z,yes,\"stages=3 cluster=(2,1)\","
        "\"a baseline, top-1\",2,50,3,0.2795084971874737,\n");
  CHECK(named(measurement_row(example(), {}, "other stages=2"))["baseline"] == "other stages=2");
}

TEST_CASE("what was not measured is empty, and a wrong result is a no") {
  Measurement wrong = example();
  wrong.timing.reset(), wrong.correctness.passed = false;
  auto row = named(measurement_row(wrong, {}));
  CHECK(row["correct"] == "no");
  for (const char* empty : {"median_us", "spread_percent", "tflops", "ratio", "best_ratio", "baseline", "baseline_us", "ways", "noise"})
    CHECK(row[empty].empty());
  Measurement alone = example();
  alone.timing->best.reset(), alone.timing->baseline_name.clear();
  alone.timing->interleaved.baseline.reset(), alone.timing->interleaved.ratio.reset();
  row = named(measurement_row(alone, {}));
  CHECK(row["median_us"] == "4");
  for (const char* empty : {"ratio", "best_ratio", "baseline", "baseline_us", "ways", "noise"}) CHECK(row[empty].empty());
  GemmSpec spec;
  spec.name = "mine", spec.m = 1, spec.n = 2, spec.k = 3;
  row = named(refused_row(spec, {{"stages", "99"}}, "too many, \"99\""));
  CHECK((row["gemm"] == "mine" && row["m"] == "1" && row["n"] == "2" && row["k"] == "3" && row["set"] == "stages=99"));
  CHECK(row["refused"] == "too many, \"99\"");
  CHECK((row["correct"].empty() && row["median_us"].empty() && row["device"].empty()));
}

TEST_CASE("whatever a field holds is read back, and what is no CSV is refused") {
  const std::vector<CsvRow> rows{
      {"a", "", "c"}, {"a,b", "\"", "\"\""}, {"line\nbreak", "\r\n", "x\ry"},      {""},
      {"", ""},       {" a ", "é"},          {"=1+2", "'=1", "''@x", "-3", "'-3"}, {"+a", "-", "'", "''", "\x1bz", "\t=2"}};
  std::string text;
  for (const CsvRow& row : rows) text += csv_line(row);
  CHECK(read_csv(text).value() == rows);
  CHECK(csv_line({"=1+2", "-3", "-x", "+1", "@a", "a=1"}) == "'=1+2,-3,'-x,'+1,'@a,a=1\n");  // no program of tables runs one
  CHECK(read_csv("a,b\r\nc,d\r\n").value() == std::vector<CsvRow>{{"a", "b"}, {"c", "d"}});
  CHECK(read_csv("a,b\nc,").value() == std::vector<CsvRow>{{"a", "b"}, {"c", ""}});
  CHECK(read_csv("").value().empty());
  CHECK(read_csv("a\n\"b").error().message == "row 2 of the CSV has a quote that does not end");
  CHECK(read_csv("\"a\"b").error().message == "row 1 of the CSV has text behind a quote");
}

TEST_CASE("a new file gets the columns and then its rows, one after another") {
  const test::TemporaryFolder folder;
  const auto path = folder / "runs.csv";
  CHECK(measurement_rows(path).value().empty());
  const CsvRow row = measurement_row(example(), {});
  REQUIRE(append_row(path, row));
  CHECK(test::contents(path) == csv_line(measurement_columns()) + csv_line(row));
  REQUIRE(append_row(path, row));
  CHECK(measurement_rows(path).value() == std::vector<CsvRow>{row, row});
  test::put(path, "");
  REQUIRE(append_row(path, row));
  CHECK(measurement_rows(path).value().size() == 1);
  std::string cut = test::contents(path);
  cut.pop_back();  // a person's editor left out the last newline
  test::put(path, cut);
  REQUIRE(append_row(path, row));
  CHECK(measurement_rows(path).value() == std::vector<CsvRow>{row, row});
}

TEST_CASE("a row that was cut off is found before anything is added to it, wherever it was cut") {
  const test::TemporaryFolder folder;
  const auto path = folder / "runs.csv";
  const CsvRow row = measurement_row(example(), {});
  const std::string first = csv_line(measurement_columns()) + csv_line(row), last = csv_line(row);
  const std::size_t fields = last.find_last_of(',');
  for (std::size_t cut = 1; cut < fields; ++cut) {
    const std::string torn = first + last.substr(0, cut);
    test::put(path, torn);
    const Status added = append_row(path, row);
    INFO(torn.substr(first.size()));
    REQUIRE_FALSE(added.has_value());
    CHECK(added.error().code == ErrorCode::corrupt);
    CHECK_FALSE(measurement_rows(path).has_value());
    CHECK(test::contents(path) == torn);
  }
  test::put(path, first + "article,16,8\n" + last);  // somebody has added to one
  CHECK(append_row(path, row).error().message.find("row 3 has 3 of 20 fields") != std::string::npos);
  test::put(path, first + last.substr(0, 12));
  CHECK(append_row(path, row).error().message.find("and no end: it was cut off while it was written") != std::string::npos);
  test::put(path, first + "\n");  // a blank line is none
  CHECK(append_row(path, row).has_value());
}

TEST_CASE("a file of other columns is left as it is") {
  const test::TemporaryFolder folder;
  const auto path = folder / "notes.txt";
  for (const std::string text : {"gemm,m,n\n", "my notes\n", "gemm;m\n", "\"open\n"}) {
    test::put(path, text);
    CHECK_FALSE(append_row(path, measurement_row(example(), {})));
    CHECK_FALSE(measurement_rows(path));
    CHECK(test::contents(path) == text);
  }
}

TEST_CASE("rows that are added at once are all there, behind one line of columns") {
  const test::TemporaryFolder folder;
  const auto path = folder / "runs.csv";
  const CsvRow row = measurement_row(example(), {});
  std::atomic<int> added = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < 10; ++j) added += append_row(path, row) ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(added == 40);
  CHECK(measurement_rows(path).value() == std::vector<CsvRow>(40, row));
}
