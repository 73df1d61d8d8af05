// SPDX-License-Identifier: BSD-3-Clause
// A chart of bars with spread, as the numbers that it shows: rows from top to bottom, a bar of each series in every row, and a scale that
// begins at zero, or one of powers of ten, on which equal factors are equally long. What the numbers are is the caller's to say.
//
//   bar_chart({.rows = {{"8", "ldmatrix", "mma.sync", "", {Bar{44.6, {{43.9, 45.1}}, "44.6 %"}}}}, .axis = "of cuBLASLt, in %"})
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.hpp"
#include "core/diagram/scene/scene.hpp"

namespace tessera {

struct Bar {
  double value = 0;
  std::optional<std::pair<double, double>> spread{};  // from .. to, drawn as a whisker; the value may lie beside it
  std::string text{};                                 // the value as a person reads it
  std::string words{};                                // when it is pointed at; empty: "ldmatrix: 44.6 %, 43.9 to 45.1"
};

struct BarRow {
  std::string key{}, name{}, says{};       // "8", "ldmatrix", "a warp's mma.sync": the key before the name, what it is below
  std::string group{};                     // rows of one group have one colour, where there is one series
  std::vector<std::optional<Bar>> bars{};  // of each series one; nothing: not measured
  std::string note{};                      // behind the bars, such as why there is none
  bool faint = false;                      // stands back
  std::optional<double> mark{};            // a line across the row, such as another's number
};

struct BarChart {
  std::string title{};
  std::vector<std::string> series{};  // names; empty: one without a name
  std::vector<BarRow> rows{};
  std::string axis{};                                         // what the scale counts, with its unit
  bool powers_of_ten = false;                                 // the scale's steps; its numbers are then above zero
  std::optional<std::pair<double, std::string>> reference{};  // a line across all rows, and its name
  std::string of{};                                           // what the numbers are of, as code below the notes
  std::vector<std::string> notes{};                           // below, a line each
};

// Refuses a chart without a single bar, a row that has not one place a series, numbers that are negative or none (or zero, on powers of
// ten), and more rows or series than a page holds.
Result<Scene> bar_chart(const BarChart& chart, std::string_view palette = {});

constexpr std::size_t kMostBarRows = 64, kMostBarSeries = 8;

}  // namespace tessera
