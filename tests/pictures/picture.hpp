// SPDX-License-Identifier: BSD-3-Clause
// Pictures as `tessera draw --to json` writes them, for tests that hold every mark against the algebra. The program draws in a process of
// its own; nothing of its diagrams or renderers is included here, so what a picture should say can only come from the layouts, the atoms
// and the plans themselves.
//
//   hold("copy", cases)   draws each case, asks its `wrong` what the picture says wrongly, and then plants faults into the picture that
//                         was drawn (two owners exchanged, an offset moved, ...): each must be seen.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::pictures {

using Int = std::int64_t;

// What a mark stands for; -1 and empty where the file says nothing.
struct Link {
  Int thread = -1, value = -1, row = -1, col = -1, offset = -1, bank = -1;
  std::string tensor;      // the name of the tensor that `offset` is of
  std::string coordinate;  // of three modes or more, "(0,5,(0,1))"
  std::string words;
  friend bool operator==(const Link&, const Link&) = default;
};

// Units are cells: x to the right, y down.
struct CellDrawn {
  double x = 0, y = 0, w = 1, h = 1;
  std::string fill, label;  // "#rrggbb", empty: not filled
  bool faint = false;
  std::vector<Link> links;  // the one that is drawn first
};
struct LabelDrawn {
  double x = 0, y = 0;
  std::string text, role, anchor;
};
// A line or an arrow.
struct StrokeDrawn {
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  std::string role, color;  // of lines: "hairline" to "highlight"
  std::vector<Link> links;
};

// A frame, as around what stands out.
struct FrameDrawn {
  double x = 0, y = 0, w = 1, h = 1;
  std::string role;
};

struct PanelDrawn {
  std::string id, name, down, across;  // "sA"; in words; what rows and columns count
  std::vector<CellDrawn> cells;
  std::vector<LabelDrawn> labels;
  std::vector<StrokeDrawn> lines, arrows;
  std::vector<FrameDrawn> frames = {};
};

struct Picture {
  std::string expression, title;
  std::vector<PanelDrawn> panels;
  const PanelDrawn* panel(std::string_view id) const;  // null: there is none
};

// One figure, and what its picture says wrongly: a sentence, or nothing where all of it is right.
struct Case {
  std::string figure;  // "copy_figure(...)"
  std::function<std::string(const Picture&)> wrong;
  std::vector<std::string> lines = {};  // of the document, before the figure: "let a = (4,8):(8,1)"
};

// What is exchanged, moved or lost when a program draws something else than it was given.
enum class Fault {
  owners,  // what two cells stand for is exchanged
  offset,  // one cell's offset, or where it has none its value, thread, row or words, is another
  label,   // one cell says what another one says
  lost,    // one cell is not there
  moved,   // two cells of a panel change places, with all that they say
  word,    // a digit of a free label is another; of kinds that ask for it
  stroke,  // a line or an arrow stands half a cell beside its place; of kinds that ask for it
};
inline constexpr Fault kFaults[] = {Fault::owners, Fault::offset, Fault::label, Fault::lost, Fault::moved};
inline constexpr Fault kFreeFaults[] = {Fault::word, Fault::stroke};  // of charts, whose lines and labels say as much as their cells
std::string_view name_of(Fault fault);

// How many cases of a kind are drawn: 40, or so many times as many as TESSERA_ATTACK_FACTOR says.
int cases_a_kind();

// Draws all cases in one run of the program, and checks: each picture is right by its own `wrong`, and of each picture, with each fault
// planted into it that changes what it says, `wrong` finds something. Prints a line: the kind, its pictures, cells, faults planted and
// seen. `more`: faults of labels, lines and arrows outside the words below, where all of these are asked for.
void hold(std::string_view kind, const std::vector<Case>& cases, std::span<const Fault> more = {});

}  // namespace tessera::pictures
