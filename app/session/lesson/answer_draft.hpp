// SPDX-License-Identifier: BSD-3-Clause
// An answer while it is made by hand: cells that are painted, options that are chosen or put into an order. It is text all the while, which
// the person may type as well, and nothing of it is evaluated here.
//
//   with_cell("(2,2) (2,3)", {2, 6}, true)   "(2,2) (2,3) (2,6)"
//   moved_option(3, "b a c", 2, 0)           "c b a"
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lesson/kinds.hpp"

namespace tessera {

struct PaintedCell {
  std::int64_t row = 0, column = 0;
  friend auto operator<=>(const PaintedCell&, const PaintedCell&) = default;
};

constexpr std::int64_t kMostPainted = 1024;  // cells of a grid that is painted

// Rows and columns of the grid on which an answer is painted; nothing where it is only typed.
struct PaintedGrid {
  std::int64_t rows = 0, columns = 0;
};
std::optional<PaintedGrid> painted_grid(const lesson::Expected& expected);
// The cells that a text of numbers names, in their order; none where it has anything else, or an odd one out.
std::vector<PaintedCell> cells_in(std::string_view text);
std::string with_cell(std::string_view text, PaintedCell cell, bool painted);

// Which option a text chooses, from 0: "b", or without options yes (0) and no (1). Nothing where it chooses none of so many.
std::optional<std::size_t> option_in(const lesson::Expected& expected, std::string_view text);
std::string option_text(const lesson::Expected& expected, std::size_t option);

// All of so many options in the order that a text of letters says; those that it leaves out come behind.
std::vector<std::size_t> order_in(std::size_t options, std::string_view text);
// The text of the order in which what stood at `from` stands at `to`.
std::string moved_option(std::size_t options, std::string_view text, std::size_t from, std::size_t to);

}  // namespace tessera
