// SPDX-License-Identifier: BSD-3-Clause
// Workspace: everything that undo brings back, as one value: the document, which figures are on the screen and where, what is selected,
// what is pinned, and where a presentation is. Texts and trees are shared, so a copy is cheap.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/session/document/arrangement.hpp"
#include "core/lang/document/document.hpp"

namespace tessera {

// Cells that were chosen in a figure, in the words that highlight= takes: "T0-3, (2,5)". They light up in every figure of one lineage.
struct CellSelection {
  std::string binding, cells;
  std::string from{};  // the cell where a rectangle began that keys make larger; empty: its first
  bool empty() const { return cells.empty(); }
  friend bool operator==(const CellSelection&, const CellSelection&) = default;
};

// A value as it was (A), to be compared with what it becomes or with another line (B).
struct Pin {
  std::string binding;  // B
  std::shared_ptr<const Document> document;
  std::string was{};  // what A is called in that document; empty: as B
  const std::string& name_then() const { return was.empty() ? binding : was; }
  friend bool operator==(const Pin&, const Pin&) = default;
};

struct Workspace {
  std::shared_ptr<const Document> document = std::make_shared<const Document>();
  std::string selected;     // binding
  Arrangement arrangement;  // of the figures
  bool by_hand = false;     // the person has arranged them; else they are arranged again when their number changes
  std::string maximised;    // the binding whose pane has the whole room; empty: none has
  CellSelection selection;
  std::optional<Pin> pinned;                      // "A", beside which the pinned binding is shown as it is now
  bool list_hidden = false, side_hidden = false;  // the panels left and right of the figures
  bool synced = true;                             // figures of one binding are panned and zoomed together
  bool presenting = false;
  std::size_t step = 0;      // of the presentation: which figure
  std::size_t told = 0;      // which of that figure's own steps, from 1; 0: it has none
  bool words_first = false;  // each figure comes with its words alone, and the next step reveals it
  bool covered = false;      // the presented figure is not revealed yet
  friend bool operator==(const Workspace&, const Workspace&) = default;  // documents by identity
};

// Nothing is beside it any more: its figure alone, with the room that it had.
void unpin(Workspace& workspace);
// Whether cells are selected in a figure that is on the screen. Of others nothing is lit and said: nobody remembers them.
bool has_selection_in_sight(const Workspace& workspace);

// Whatever is shown of one binding is shown of another name.
void rename_views(Workspace& workspace, std::string_view from, std::string_view to);

}  // namespace tessera
