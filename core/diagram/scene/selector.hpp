// SPDX-License-Identifier: BSD-3-Clause
// What stands out in a picture, by what its cells stand for. core/diagram/scene/selection.hpp reads it from text and asks cells.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tessera {

// T3, W1, Q2 (a quad: threads 4 to 7 are Q1), V0; (2,5), (0-3,5), sA(2,5): of the panel sA alone, which A(2,5) is too where it is the
// operand A; row=, col= of the picture; m=, n=, k= of an operand; offset=; bank=.
enum class Selects : std::uint8_t { thread, warp, quad, value, coordinate, row, col, m, n, k, offset, bank };

struct CellSelector {
  Selects what = Selects::thread;
  std::int64_t first = 0, last = 0;          // of a coordinate: its rows
  std::string text{};                        // as it was written
  std::int64_t first_col = 0, last_col = 0;  // of a coordinate
  std::string panel{};  // of a coordinate: the panel that is meant, by its id or as an operand: A, B, C; empty: every one
};
using Selection = std::vector<CellSelector>;

}  // namespace tessera
