// SPDX-License-Identifier: BSD-3-Clause
// Report: the answer to a question about layouts: a sentence, numbers with names, and a table.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/atom/copy/tiled_copy.hpp"
#include "core/atom/mma/tiled_mma.hpp"
#include "core/layout/swizzle.hpp"

namespace tessera {

struct Report {
  using Cell = std::variant<std::int64_t, double, bool, std::string, AnyLayout>;
  struct Fact {
    std::string_view name;  // a literal: a member of the value, report.wavefronts
    Cell value;
  };

  std::string_view kind;  // the function that made it
  std::string sentence;
  std::vector<Fact> facts;
  std::vector<std::string> columns;
  std::string of;                       // what was asked at each row, where there are parameters
  std::size_t parameters = 0;           // leading columns that say where the others were asked: those can be charted over these
  std::vector<std::vector<Cell>> rows;  // as many cells as columns
  std::vector<std::string> notes;       // what was assumed, what to try
  // What a figure of the answer shows: the layout that was found, the MMA with its permutation, the better copy.
  std::variant<std::monostate, AnyLayout, std::shared_ptr<const TiledMma>, std::shared_ptr<const TiledCopy>> picture{};
};

std::string to_string(const Report::Cell& cell);  // 4, 0.75, true, or the text itself
// The sentence, the notes and the table, a line each; numbers stand to the right of their column.
std::string to_text(const Report& report);
// The table alone, and of a report without one its facts, a row each.
std::string to_csv(const Report& report);
std::string to_markdown(const Report& report);

}  // namespace tessera
