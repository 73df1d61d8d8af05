// SPDX-License-Identifier: BSD-3-Clause
// The functions behind the table of figure kinds, one file each.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagram/figures.hpp"
#include "core/diagram/steps.hpp"

namespace tessera {

// The words that parameters take, the first where nothing is said.
inline constexpr std::string_view kLayoutLabelChoices[] = {"offset", "coordinate", "hier_coordinate", "index", "none"};
inline constexpr std::string_view kLayoutColorChoices[] = {"offset", "bank", "chunk", "row", "col", "column", "none"};
inline constexpr std::string_view kOwnerLabelChoices[] = {"tv", "thread", "value", "coordinate", "none"};
inline constexpr std::string_view kDataLabelChoices[] = {"tv", "thread", "value", "coordinate", "offset", "none"};
inline constexpr std::string_view kOwnerColorChoices[] = {"thread", "value", "warp", "quad", "row", "col", "column", "none"};
inline constexpr std::string_view kMmaColorChoices[] = {"thread", "value", "warp", "quad", "atom", "row", "col", "column", "none"};
inline constexpr std::string_view kDataColorChoices[] = {"thread", "value",  "warp", "quad",  "row", "col",
                                                         "column", "offset", "bank", "chunk", "none"};
inline constexpr std::string_view kGemmLabelChoices[] = {"offset", "thread", "coordinate", "none"};
inline constexpr std::string_view kGemmColorChoices[] = {"thread", "value", "warp", "quad",   "atom",   "bank",
                                                         "chunk",  "row",   "col",  "column", "offset", "none"};
inline constexpr std::string_view kSwizzleColorChoices[] = {"chunk", "bank", "offset", "row", "col", "column", "none"};
inline constexpr std::string_view kSwizzleCellsChoices[] = {"chunk", "element"};
inline constexpr std::string_view kSwizzleLabelChoices[] = {"offset", "coordinate", "none"};
inline constexpr std::string_view kAccessOpChoices[] = {"load", "store"};
inline constexpr std::string_view kBanksColorChoices[] = {"thread", "quad", "none"};
inline constexpr std::string_view kDivideOpChoices[] = {"zipped", "logical", "tiled", "flat"};
inline constexpr std::string_view kProductOpChoices[] = {"blocked", "raked", "logical", "zipped", "tiled", "flat"};
inline constexpr std::string_view kTileLabelChoices[] = {"offset", "coordinate", "tile", "none"};
inline constexpr std::string_view kDiagramOpChoices[] = {"composition", "divide", "product", "complement"};
inline constexpr std::string_view kDiagramLabelChoices[] = {"stride", "extent", "none"};
inline constexpr std::string_view kDiagramColorChoices[] = {"leaf", "mode", "none"};
inline constexpr std::string_view kMemoryLabelChoices[] = {"coordinate", "index", "offset", "none"};
inline constexpr std::string_view kMemoryColorChoices[] = {"row", "col", "column", "index", "bank", "chunk", "none"};
inline constexpr std::string_view kStackLabelChoices[] = {"offset", "coordinate", "index", "none"};
inline constexpr std::string_view kStackColorChoices[] = {"offset", "sheet", "bank", "chunk", "row", "col", "column", "none"};
inline constexpr std::string_view kStackDirectionChoices[] = {"auto", "across", "down"};
inline constexpr std::string_view kSmemOperandChoices[] = {"auto", "A", "B"};
inline constexpr std::string_view kSmemOperandLabelChoices[] = {"unit", "offset", "coordinate", "none"};
inline constexpr std::string_view kSmemOperandColorChoices[] = {"chunk", "slice", "bank", "offset", "row", "col", "column", "none"};
inline constexpr std::string_view kTmemColorChoices[] = {"m", "n", "warp", "atom", "none"};
inline constexpr std::string_view kTmemLabelChoices[] = {"auto", "coordinate", "register", "none"};
inline constexpr std::string_view kTmemCellsChoices[] = {"block", "element"};
inline constexpr std::string_view kTmaLabelChoices[] = {"place", "none"};
inline constexpr std::string_view kTmaColorChoices[] = {"chunk", "row", "none"};
inline constexpr std::string_view kYesNo[] = {"yes", "no"};
inline constexpr std::string_view kNoYes[] = {"no", "yes"};
inline constexpr std::string_view kStepsChoices[] = {"none", "thread", "warp", "quad", "value",  "row",
                                                     "col",  "m",      "n",    "k",    "offset", "bank"};
inline constexpr std::string_view kAxisChoices[] = {"auto", "linear", "log2"};
inline constexpr std::string_view kScaleChoices[] = {"auto", "zero", "least", "log2"};
inline constexpr std::string_view kGemmOperandChoices[] = {"A", "B"};
inline constexpr std::string_view kGemmTensorChoices[] = {"all", "sA", "sB", "C", "gA", "gB"};

// Integers, whose range their reader wants too.
inline constexpr std::int64_t kMostBits = 512;  // of an element
inline constexpr FigureParameter kBits{
    "bits",   "width of an element, for banks and chunks; default what the tensor says, else 32", FigureParameter::Kind::integer, {}, 1,
    kMostBits};
inline constexpr std::int64_t kMostPieces = 64;
inline constexpr FigureParameter kFold{"fold",
                                       "pieces that a long grid is cut into, side by side; default what a page or width needs, else 1",
                                       FigureParameter::Kind::integer,
                                       {},
                                       1,
                                       kMostPieces};
inline constexpr FigureParameter kBytes{"bytes", "the same in bytes", FigureParameter::Kind::integer, {}, 1, kMostBits / 8};

inline constexpr FigureParameter kSteps{"steps",
                                        "the picture is told in steps, one for each of these: draw one with step=, all with --all-steps",
                                        FigureParameter::Kind::choice, kStepsChoices};
inline constexpr FigureParameter kStep{
    "step", "one step of a timeline, or of a picture with steps=", FigureParameter::Kind::integer, {}, 1, kMostSteps};

inline constexpr FigureParameter kWarpNumber{
    "warp", "whose instruction is drawn; default the first with a conflict", FigureParameter::Kind::integer, {}, 0, 65535};
inline constexpr FigureParameter kInstructionNumber{
    "instruction", "which of the warp's is drawn; default the first with a conflict", FigureParameter::Kind::integer, {}, 0, 65535};
inline constexpr FigureParameter kWrap{
    "wrap",
    "elements of a line; default 128 bytes, a row of all banks, where the width of an element is known, else a matrix's pitch, or 32",
    FigureParameter::Kind::integer,
    {},
    1,
    256};
inline constexpr FigureParameter kSliceOfK{
    "k", "which slice of K is followed; default one of the second k-tile", FigureParameter::Kind::integer, {}, 0, 1 << 30};
inline constexpr FigureParameter kAcross{"across",
                                         "how many stand side by side; default what makes the picture about twice as wide as high",
                                         FigureParameter::Kind::integer,
                                         {},
                                         1,
                                         8};
inline constexpr FigureParameter kRows{"rows",
                                       "how many rows of cells are drawn at most; default two swizzle atoms, or two slices of K",
                                       FigureParameter::Kind::integer,
                                       {},
                                       8,
                                       256};
inline constexpr FigureParameter kCta{
    "cta", "whose tensor memory is drawn, of a pair of CTAs; default 0", FigureParameter::Kind::integer, {}, 0, 1};
inline constexpr FigureParameter kBox{
    "box",  "which box is followed into shared memory; default the last of those that are whole", FigureParameter::Kind::integer, {}, 0,
    1 << 30};

Result<Scene> layout_figure(const FigureSpec& spec);
Result<Scene> tv_figure(const FigureSpec& spec);
Result<Scene> tv_operand_figure(const FigureSpec& spec);  // tv_a, tv_b, tv_c
Result<Scene> tv_inverse_figure(const FigureSpec& spec);
Result<Scene> mma_figure(const FigureSpec& spec);
Result<Scene> copy_figure(const FigureSpec& spec);
Result<Scene> gemm_figure(const FigureSpec& spec);
Result<Scene> timeline_figure(const FigureSpec& spec);
Result<Scene> chart_figure(const FigureSpec& spec);
Result<Scene> series_figure(const FigureSpec& spec);
Result<Scene> bar_pairs_figure(const FigureSpec& spec);
Result<Scene> chain_figure(const FigureSpec& spec);
Result<Scene> swizzle_figure(const FigureSpec& spec);
Result<Scene> banks_figure(const FigureSpec& spec);
Result<Scene> divide_figure(const FigureSpec& spec);
Result<Scene> product_figure(const FigureSpec& spec);
Result<Scene> composition_figure(const FigureSpec& spec);
Result<Scene> panels_figure(const FigureSpec& spec);
Result<Scene> hierarchy_figure(const FigureSpec& spec);
Result<Scene> heat_map_figure(const FigureSpec& spec);
Result<Scene> roofline_figure(const FigureSpec& spec);
Result<Scene> bit_matrix_figure(const FigureSpec& spec);
Result<Scene> memory_figure(const FigureSpec& spec);
// The same in place of another picture: these words stand first, and say why.
Result<Scene> memory_figure_saying(const FigureSpec& spec, std::string said, const std::vector<std::string>& notes);
Result<Scene> diagram_figure(const FigureSpec& spec);
Result<Scene> stack_figure(const FigureSpec& spec);
Result<Scene> smem_operand_figure(const FigureSpec& spec);
Result<Scene> tmem_figure(const FigureSpec& spec);
Result<Scene> tma_figure(const FigureSpec& spec);

// Does the layout's swizzle move an element of it, and is that a picture of offsets?
bool is_moved_by_swizzle(const FigureObject& object);

// "Layout", "TiledMma", ... as an error calls it.
std::string_view object_name(const FigureObject& object);
// The i-th object as the layout that it is, or a refusal that says what the figure wants.
Result<AnyLayout> layout_object(const FigureSpec& spec, std::size_t i, std::string_view what);
// The first object as a tiled MMA; an atom becomes the tiled MMA of one atom, as in CuTe.
Result<TiledMma> mma_object(const FigureSpec& spec);
// The tile of a copy, or of an atom's values as they are laid out here, and who takes part on its sides.
struct CopySides {
  std::int64_t rows = 1, cols = 1;
  AnyLayout source_tv, destination_tv;  // (thr, val) -> (m, n), colexicographic
  std::string tiler = {};               // whose strides leave rows or columns out, or take them in another order; else empty
  bool are_alike() const;               // does each thread and value have the same place in both?
};
Result<CopySides> copy_sides(const FigureSpec& spec);
// Refuses print_latex and print_svg where CuTe has no such picture.
Status only_own_style(const FigureSpec& spec);
// Starts a scene: style, title and expression.
Scene begin_scene(const FigureSpec& spec);

}  // namespace tessera
