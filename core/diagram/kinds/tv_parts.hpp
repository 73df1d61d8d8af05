// SPDX-License-Identifier: BSD-3-Clause
// What the figures of threads and values share.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/diagram/kinds/figure_kinds.hpp"
#include "core/diagram/parts/figure_parts.hpp"

namespace tessera {

// Reads labels, color, thread and highlight.
Result<OwnerStyle> owner_style(const FigureSpec& spec, std::span<const std::string_view> known_labels = kOwnerLabelChoices,
                               std::span<const std::string_view> known_colors = kOwnerColorChoices);
// Refuses numbers of thread= that are none of `ids`, which are ascending: nothing would be highlighted.
Status check_threads(const FigureSpec& spec, std::span<const std::int64_t> ids, std::string_view of);
Status check_threads(const FigureSpec& spec, std::int64_t count, std::string_view of);
// "thread" where single threads can be told apart; "warp" on large tiles of several warps, whose threads would only shimmer.
std::string_view default_color(std::int64_t cells, std::int64_t threads);
// T0, T1, ... down and V0, V1, ... across.
void add_tv_axes(Scene& scene, Panel& panel, const Frame& frame, float unit);

// An operand of a tiled MMA: its tile and who owns it.
struct OperandPicture {
  Operand operand = Operand::c;
  std::int64_t rows = 0, cols = 0;  // A: M x K, B: N x K, C: M x N
  Layout layout_tv;                 // (thr, val) -> (row, col), colexicographic: CuTe's
  bool is_cutes = true;             // is each thread where that layout has it? Else `map` alone has all of them
  std::string comment;              // CuTe's print of the coordinate layout
  bool in_registers = true;         // else it lies in shared or tensor memory, and no thread holds it
  OwnerMap map;
  std::string heading;  // "A  M16 × K16  f16"
  std::string place;    // where in tensor memory it lies, in a sentence; empty elsewhere
};
char operand_letter(Operand operand);
// A panel of an operand, with its axes as they are drawn: A has K across, B has K down.
Panel begin_panel(Operand operand, std::string heading, std::string id);
Result<OperandPicture> operand_picture(const TiledMma& mma, Operand operand);
// (thr, val) -> colexicographic index in a tile of so many rows and columns, as the operand's partition has it; -1: there is no such
// thread.
Result<OwnerMap::Index> partition_index(const TiledMma& mma, Operand operand, std::int64_t rows, std::int64_t cols);
// Does CuTe's (thread, value) layout of the operand say of every thread what its partition is? It does not where ids have gaps within which
// other atoms stand, as with three quad pairs, nor of C with atoms along K.
bool is_cutes_layout(const TiledMma& mma, Operand operand);

// Lines around atoms, and stronger ones around warps, of an operand drawn at `frame`. The first `atom_values` values of a thread
// are one atom's, the next ones another's.
void add_mma_borders(Panel& panel, const Frame& frame, const TiledMma& mma, Operand operand, const OwnerMap& map, std::int64_t atom_values,
                     bool swap);
// What these lines mean.
void say_borders(Captions& captions);
// C in small, a cell for each warp's block, in the corner between A and B. Nothing where C is one warp's, where its blocks stand in no rows
// and columns, or where the corner has no room.
std::optional<Panel> warp_map(Scene& scene, const OwnerMap& c, const Frame& a, const Frame& b, float unit);

// "One instruction of 32 threads multiplies A (16 × 16) by B (16 × 8) into C (16 × 8)."
std::string sentence_of(const TiledMma& mma);
// "N is permuted in runs of 4: the atoms' 0-3, 4-7 lie at the tile's 4-7, 0-3"; empty where no mode is.
std::string permutation_note(const TiledMma& mma);
// Where the first atom lies in C: "the first atom, in C rows 0-3, 8-11 and columns 0-3, 8-11". `atoms`: of each cell, row by row.
std::string first_atom_note(std::span<const std::int32_t> atoms, std::int64_t rows, std::int64_t cols);
// Outlines the first atom of a grid whose cells' atoms these are, where its parts are large enough to be seen.
bool outline_first_atom(Panel& panel, const Frame& frame, std::span<const std::int32_t> atoms, ColorIndex color);
// Does it do what its atom does, with the same threads and values?
bool is_atom_alone(const TiledMma& mma);

// An operand whose cells have owners; the first `atom_values` values of a thread are one atom's.
struct OwnedOperand {
  Operand operand = Operand::c;
  const OwnerMap* map = nullptr;
  std::int64_t atom_values = 1;
};
// Colours the cells of their panels by the repetition of the atom that their first owner is of, and says so.
Legend paint_atoms(Scene& scene, const Palette& palette, const TiledMma& mma, std::span<const OwnedOperand> operands);
// The style of an operand, which says no threads where none holds it.
OwnerStyle style_of(const OperandPicture& picture, const OwnerStyle& asked);
// Its columns; where no thread holds it, cells have one calm colour and stand for their coordinate alone.
GridColumns operand_columns(Scene& scene, const OperandPicture& picture, const OwnerColors& colors, const OwnerStyle& style);
// Draws it: cells (blank where no thread holds the operand), grid and borders. The panel has no axes yet.
Panel operand_panel(Scene& scene, const Frame& frame, const TiledMma& mma, const OperandPicture& picture, const OwnerColors& colors,
                    const OwnerStyle& style);

}  // namespace tessera
