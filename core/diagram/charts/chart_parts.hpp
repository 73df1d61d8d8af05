// SPDX-License-Identifier: BSD-3-Clause
// Private to the figures of numbers: the columns that are asked for, what spreads around them, and lists of names between semicolons.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/diagram/parts/figure_spec.hpp"

namespace tessera {

// The column named by column=; otherwise the first column that varies and is not a spread (`_p10`, `_p90`). Refuses a name that no column
// has, with the nearest.
Result<const NumberTable::Column*> column_of(const FigureSpec& spec, const NumberTable& table);
const NumberTable::Column* column_named(const NumberTable& table, std::string_view name);  // null: there is none

// Of columns="ours; theirs", else the one that column_of finds. Refuses names that there are not.
Result<std::vector<const NumberTable::Column*>> columns_of(const FigureSpec& spec, const NumberTable& table);

// How far a column's numbers spread at each point, by the columns beside it: `us_p10` and `us_p90`; `us_spread_percent`, the width from p10
// to p90 in percent of the number, drawn around it; `us_noise`, up to which a distance is no difference. Of the table's first column the
// names may stand alone: p10, p90.
struct Spreads {
  std::string words;                                           // what it is, "p10 to p90"; empty: there is none
  std::string note;                                            // the same for a reader who does not know it
  std::vector<std::optional<std::pair<double, double>>> at{};  // of each point
};
Spreads spreads_of(const NumberTable& table, const NumberTable::Column& column);

// What a scale of the column counts: unit=, else "TFLOP/s" of tflops, "median, us" of median_us, the member that was asked for of values
// without a name, else its name.
std::string scale_words(const FigureSpec& spec, const NumberTable& table, const NumberTable::Column& column);
// What a column's name says of its unit: "us" of median_us, and "median" is what is left of the name; empty: nothing.
struct NamedUnit {
  std::string_view unit, name;
};
NamedUnit unit_in(std::string_view column);
// What a row of bars is called: "p = 32", and of one parameter of words the word; `without` a parameter that is told otherwise.
std::string row_name(const NumberTable& table, std::size_t point, std::optional<std::size_t> without = {});
// A bar's number: three digits of what was measured, 98.07 -> "98.1", and all of what was counted.
std::string bar_text(double value, bool measured, double greatest);
// The greatest number of a column; 0: it has none.
double greatest_of(const NumberTable::Column& column);
// names="plain; swizzled" over as many names as are there already. Refuses more of them.
Status take_names(const FigureSpec& spec, std::vector<std::string>& names, std::string_view of);

// "before; after"
std::vector<std::string> between_semicolons(std::string_view text);

}  // namespace tessera
