// SPDX-License-Identifier: BSD-3-Clause
// Cells as a person names them: "ampere A(5,2)", "(5,2)", "W3", "warp 3", "T0-3 row 4". In front of them may stand the figure that is
// meant; else it is the one that has the focus.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/session/document/session.hpp"

namespace tessera {

struct SaidCells {
  std::string binding;
  std::string cells;  // as highlight= takes them: "warp=3"
};

// Nothing where the words name no cells.
std::optional<SaidCells> said_cells(const Session& session, std::string_view words);
// The selected binding where it can be drawn, else the first figure on the screen; empty where there is none.
std::string focused_figure(const Session& session);

}  // namespace tessera
