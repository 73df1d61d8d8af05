// SPDX-License-Identifier: BSD-3-Clause
// The parameters of figures that several places know: the words that they take, and the ranges of their integers.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/diagram/parts/figure_spec.hpp"
#include "core/diagram/parts/steps.hpp"

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
inline constexpr std::string_view kWavesLabelChoices[] = {"wave", "cta", "none"};
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

}  // namespace tessera
