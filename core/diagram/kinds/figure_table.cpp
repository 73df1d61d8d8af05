// SPDX-License-Identifier: BSD-3-Clause
// The table of figure kinds: a row each, with what its parameters take.
#include <array>
#include <span>

#include "core/diagram/kinds/figure_kinds.hpp"

namespace tessera {

namespace {

using Kind = FigureParameter::Kind;

constexpr FigureParameter kThread{"thread", "highlight these threads", Kind::numbers};
constexpr FigureParameter kHighlight{
    "highlight", "what stands out: T3, T0-3, W1, Q2, V0, (2,5), rows=0-3, cols=4, m=, n=, k=, offsets=0-31, bank=3", Kind::selection};
constexpr FigureParameter kCrop{"crop", "the part that is drawn: rows=0-15, cols=0-31, m=, n=, k=, or W1: the box around what it owns",
                                Kind::selection};
constexpr FigureParameter kOwnerColor{"color", "what cells are coloured by", Kind::choice_or_layout, kOwnerColorChoices};
constexpr FigureParameter kMmaColor{"color", "what cells are coloured by; warp on large tiles of several warps", Kind::choice_or_layout,
                                    kMmaColorChoices};
constexpr FigureParameter kDataColor{"color", "what cells are coloured by; offset, bank, chunk (16 bytes): of the data layout",
                                     Kind::choice_or_layout, kDataColorChoices};
constexpr FigureParameter kType{"type", "the same as an element type", Kind::type};
constexpr FigureParameter kTile{"tile", "shape of the tile without a data layout", Kind::shape};
constexpr std::array kCommonParameters = {
    FigureParameter{"caption", "the words below", Kind::flag, kYesNo},
    FigureParameter{"legend", "what colours mean", Kind::flag, kYesNo},
    FigureParameter{"title", "the title above", Kind::flag, kYesNo},
    FigureParameter{"axes", "numbers and names of rows and columns", Kind::flag, kYesNo},
    FigureParameter{"heading", "what stands above each grid", Kind::flag, kYesNo},
    FigureParameter{"patterns", "lines over the colours, around the labels: up to eight colours print apart in grey", Kind::flag, kNoYes},
    kStep,
};
constexpr FigureParameter kOwnerLabels{"labels", "what stands in a cell", Kind::choice, kOwnerLabelChoices};

constexpr std::array kBitMatrixParameters = {
    FigureParameter{"modes", "names of the layout's modes, \"thread,value\"; bits of threads and values are called t0 and v0", Kind::text},
};
constexpr std::array kLayoutParameters = {
    FigureParameter{"modes", "names of the layout's modes, \"thread,value\"; threads and values are numbered T0 and V0", Kind::text},
    FigureParameter{"labels", "what stands in a cell; hier_coordinate: the mode's own modes too", Kind::choice, kLayoutLabelChoices},
    FigureParameter{"color", "what cells are coloured by; chunk: 16 bytes", Kind::choice_or_layout, kLayoutColorChoices},
    FigureParameter{"nested", "numbers of each level of a mode: the inner at each row, the outer over brackets", Kind::flag, kNoYes},
    kHighlight,
    kCrop,
    kFold,
    kSteps,
    kBits,
    kBytes,
    kType,
};
constexpr FigureParameter kDataLabels{"labels", "what stands in a cell; offset: of the data layout", Kind::choice, kDataLabelChoices};
constexpr std::array kTvParameters = {kThread, kHighlight, kCrop, kFold, kSteps, kDataColor, kDataLabels, kTile, kBits, kBytes, kType};
constexpr std::array kOwnerParameters = {kThread, kHighlight, kCrop, kFold, kSteps, kMmaColor, kOwnerLabels};
constexpr std::array kCopyParameters = {kThread, kHighlight, kCrop, kFold, kSteps, kOwnerColor, kOwnerLabels};
constexpr std::array kInverseParameters = {kThread, kHighlight, kCrop, kFold, kSteps, kDataColor, kTile, kBits, kBytes, kType};
constexpr std::array kGemmParameters = {
    kThread,
    kHighlight,
    kCrop,
    kFold,
    kSteps,
    FigureParameter{"color", "what cells are coloured by; warp on large tiles", Kind::choice_or_layout, kGemmColorChoices},
    FigureParameter{"labels", "what stands in a cell of A and B", Kind::choice, kGemmLabelChoices},
    FigureParameter{"tensor", "one tile alone; gA, gB where threads load from global memory", Kind::choice, kGemmTensorChoices},
};

constexpr std::array kTimelineParameters = {
    FigureParameter{"k_tiles", "the tiles of K whose steps are drawn; default the first and the last ones", Kind::numbers},
    FigureParameter{"phases", "the phases of the mbarriers below the roles, each with its parity", Kind::flag, kNoYes},
};

constexpr std::array kWavesParameters = {
    FigureParameter{"device", "whose multiprocessors hold the CTAs, \"A100\"; default an H100, where it can run the kernel", Kind::text},
    FigureParameter{"labels", "what stands in a tile", Kind::choice, kWavesLabelChoices},
};

constexpr FigureParameter kColumn{"column", "which numbers of the table; default the first that are not the same everywhere", Kind::text};
constexpr FigureParameter kUnit{"unit", "what the scale counts, \"TFLOP/s\"; default the column's name", Kind::text};
constexpr std::array kHeatMapParameters = {
    kColumn,
    kUnit,
    FigureParameter{
        "across",
        "what stands above each column, \"Sw<{},3,3>\" with its value at {}, one name each between semicolons, or the name of that axis",
        Kind::text},
    FigureParameter{"down", "what stands before each row, \"rows of {}\", or the name of that axis", Kind::text},
};
constexpr std::array kChartParameters = {
    kColumn,
    kUnit,
    FigureParameter{"reference", "a line across all bars, and its name, \"100; cuBLASLt\"", Kind::text},
    FigureParameter{"group", "of several parameters the one whose values have a colour each", Kind::text},
};
constexpr std::array kSeriesParameters = {
    FigureParameter{"columns",
                    "which numbers of the table, a line each, \"ours; theirs\"; default the first that are not the same everywhere",
                    Kind::text},
    FigureParameter{"over", "of two parameters the one across; each value of the other has a line", Kind::text},
    FigureParameter{"names", "what the lines are called, \"plain; swizzled\"", Kind::text},
    FigureParameter{"across", "what the parameter across is, \"elements from lane to lane\"", Kind::text},
    FigureParameter{"x", "the scale across; auto: of logarithms where the points double", Kind::choice, kAxisChoices},
    FigureParameter{"y",
                    "the scale up, from zero or the least number on; auto: zero unless all numbers are far above it, log2 where x is and "
                    "all are powers of two",
                    Kind::choice, kScaleChoices},
    kUnit,
};
constexpr std::array kBarPairsParameters = {
    kColumn,
    FigureParameter{"columns", "of one table the two that stand beside each other, \"ours; theirs\"", Kind::text},
    FigureParameter{"names", "what the two are called, \"plain; swizzled\"", Kind::text},
    kUnit,
};
constexpr std::array kChainParameters = {
    FigureParameter{"at", "the element that is followed, by its place in the tile that is copied, \"(3,16)\"", Kind::text},
    FigureParameter{"operand", "of a GEMM, whose tile", Kind::choice, kGemmOperandChoices},
    kHighlight,
};

constexpr FigureParameter kAt{"at", "the coordinate whose offset is followed bit by bit, \"(5,16)\"", Kind::text};
constexpr std::array kSwizzleParameters = {
    FigureParameter{"cells", "what a cell is: as many elements as the swizzle keeps together, or one", Kind::choice, kSwizzleCellsChoices},
    FigureParameter{"color", "what cells are coloured by; chunk: 16 bytes", Kind::choice_or_layout, kSwizzleColorChoices},
    FigureParameter{"labels", "what stands in a cell", Kind::choice, kSwizzleLabelChoices},
    kAt,
    kHighlight,
    kSteps,
    kBits,
    kBytes,
    kType,
};
constexpr std::array kBanksParameters = {
    FigureParameter{"op", "a load or a store, where the access may be either", Kind::choice, kAccessOpChoices},
    kWarpNumber,
    kInstructionNumber,
    FigureParameter{"color", "what cells are coloured by", Kind::choice, kBanksColorChoices},
    kThread,
    kHighlight,
    kBits,
    kBytes,
    kType,
};
constexpr FigureParameter kTileLabels{"labels", "what stands in a cell; tile: its number", Kind::choice, kTileLabelChoices};
constexpr std::array kDivideParameters = {
    FigureParameter{"op", "which divide: how its modes are arranged", Kind::choice, kDivideOpChoices},
    kTileLabels,
    kHighlight,
};
constexpr std::array kProductParameters = {
    FigureParameter{"op", "which product: how its modes are arranged", Kind::choice, kProductOpChoices},
    kTileLabels,
    kHighlight,
};
constexpr std::array kCompositionParameters = {
    FigureParameter{"elements", "which coordinates of B arrows follow, by their 1-D index; default three of them", Kind::numbers},
    kHighlight,
};
constexpr std::array kPanelsParameters = {
    FigureParameter{"titles", "what stands above each, \"before; after\"", Kind::text},
    kAcross,
    kHighlight,
};
constexpr std::array kDiagramParameters = {
    FigureParameter{"op", "what of two layouts is drawn; a complement goes as far as its second object, or to the layout's end",
                    Kind::choice, kDiagramOpChoices},
    FigureParameter{"labels", "what stands in a leaf; stride: its extent and its stride", Kind::choice, kDiagramLabelChoices},
    FigureParameter{"color", "what leaves are coloured by; of a divide, a product and a complement default the two parts", Kind::choice,
                    kDiagramColorChoices},
};

constexpr std::array kHierarchyParameters = {
    FigureParameter{"at", "the element of C that is followed, \"(37,21)\"", Kind::text},
    kSliceOfK,
    kHighlight,
};
constexpr std::array kRooflineParameters = {
    FigureParameter{"names", "what the kernels are called, \"square; thin\"", Kind::text},
    FigureParameter{"measured", "what they reached, in TFLOP/s, \"412; 35.5\"", Kind::text},
};
constexpr std::array kMemoryParameters = {
    kWrap,
    FigureParameter{"labels", "what stands in a cell", Kind::choice, kMemoryLabelChoices},
    FigureParameter{"color", "what cells are coloured by", Kind::choice_or_layout, kMemoryColorChoices},
    kHighlight,
    kSteps,
    kBits,
    kBytes,
    kType,
};
constexpr std::array kStackParameters = {
    FigureParameter{"labels", "what stands in a cell", Kind::choice, kStackLabelChoices},
    FigureParameter{"color", "what cells are coloured by; sheet: the coordinate in mode 2; chunk: 16 bytes", Kind::choice_or_layout,
                    kStackColorChoices},
    FigureParameter{"sheets", "which sheets are drawn, by their 1-D coordinate behind the second mode; default all", Kind::numbers},
    FigureParameter{"direction", "which way the sheets go; auto: each over a part of the one before it", Kind::choice,
                    kStackDirectionChoices},
    kHighlight,
    kSteps,
    kBits,
    kBytes,
    kType,
};
constexpr std::array kSmemOperandParameters = {
    FigureParameter{"operand", "which operand the layout is of; auto: that whose blocks it is made of", Kind::choice, kSmemOperandChoices},
    FigureParameter{"labels", "what stands in a cell; unit: its address in 16 bytes; offset: of its first element", Kind::choice,
                    kSmemOperandLabelChoices},
    FigureParameter{"color", "what cells are coloured by; chunk: 16 bytes among 128; slice: which instruction along K reads them",
                    Kind::choice_or_layout, kSmemOperandColorChoices},
    kRows,
    kHighlight,
    kSteps,
};
constexpr std::array kTmemParameters = {
    kCta,
    FigureParameter{"at", "the element of C whose surroundings are opened, \"(37,21)\"; default the first one", Kind::text},
    FigureParameter{"cells", "block: a map, and a part of it opened; element: a cell for each lane and column", Kind::choice,
                    kTmemCellsChoices},
    FigureParameter{"labels", "what stands in a cell that is opened; register: thread and register of tcgen05.ld", Kind::choice,
                    kTmemLabelChoices},
    FigureParameter{"color", "what blocks are coloured by; m, n: rows and columns of C; atom: the instruction", Kind::choice,
                    kTmemColorChoices},
    kHighlight,
};
constexpr std::array kTmaParameters = {
    kBox,
    FigureParameter{"labels",
                    "what stands in a cell; place: where it lies in shared memory, in units of 16 bytes, and there its coordinate",
                    Kind::choice, kTmaLabelChoices},
    FigureParameter{"color", "what cells of the box are coloured by; chunk: their column in the box", Kind::choice, kTmaColorChoices},
    kHighlight,
};

constexpr std::array kKinds = {
    FigureKind{"layout", "offsets of a layout on its coordinates; more than two modes make several panels", kLayoutParameters, 1,
               layout_figure},
    FigureKind{"tv", "thread and value of each cell of a tile: tv(thread-value layout, data layout); also called owners", kTvParameters, 2,
               tv_figure, FigureKind::Takes::objects, "owners"},
    FigureKind{"tv_inverse", "coordinate and offset that each thread's values own: threads down, values across; also called owned",
               kInverseParameters, 2, tv_inverse_figure, FigureKind::Takes::objects, "owned"},
    FigureKind{"tv_a", "thread and value of each cell of A of an MMA", kOwnerParameters, 1, tv_operand_figure},
    FigureKind{"tv_b", "thread and value of each cell of B of an MMA, N down", kOwnerParameters, 1, tv_operand_figure},
    FigureKind{"tv_c", "thread and value of each cell of C of an MMA", kOwnerParameters, 1, tv_operand_figure},
    FigureKind{"mma", "operands of an MMA in the shape of an L: A left, B above, C in the corner", kOwnerParameters, 1, mma_figure},
    FigureKind{"copy", "source and destination of a tiled copy, thread and value in each cell", kCopyParameters, 1, copy_figure},
    FigureKind{"gemm", "one CTA of a GEMM: the tiles that fragments are loaded from, sA and sB, with their readers, and who owns C",
               kGemmParameters, 1, gemm_figure},
    FigureKind{"hierarchy", "a GEMM's levels, each opened from one cell of the one before: grid, CTA, warp, threads; and one product's way",
               kHierarchyParameters, 1, hierarchy_figure},
    FigureKind{
        "cube",
        "a GEMM as a cube of multiplications, C in front, B on top, A at the side; one CTA's tile with the tiles of A and B that it needs",
        {},
        1,
        cube_figure},
    FigureKind{"timeline", "a GEMM in time: its roles as lanes, operations as bars in the order of a simulation, waits and what ends them",
               kTimelineParameters, 1, timeline_figure},
    FigureKind{"waves", "a GEMM's grid on a device: which tiles of C are computed at once, and how full each wave of CTAs is",
               kWavesParameters, 1, waves_figure},
    FigureKind{
        "pipeline",
        "a ring of stages in time, by declared durations: when each k-tile is copied and multiplied: pipeline(pipeline(8, 600, 200, 3))",
        {},
        1,
        pipeline_figure},
    FigureKind{"chain",
               "a tile on its way through copies, and the vectors that each takes: chain(gA, copy, sA, copy, mma, copy, gC), or a GEMM",
               kChainParameters, 12, chain_figure},
    FigureKind{"chart", "the numbers of a sweep or table, a bar for each point, with p10 to p90 where there are such columns",
               kChartParameters, 1, chart_figure},
    FigureKind{"series", "lines over one parameter of sweeps or tables, with a band from p10 to p90 where there are such columns",
               kSeriesParameters, 8, series_figure},
    FigureKind{"bar_pairs", "two sweeps or tables of the same points, or two columns of one, side by side, and their ratio",
               kBarPairsParameters, 2, bar_pairs_figure},
    FigureKind{"heat_map", "the numbers of a sweep over two parameters, one down and one across", kHeatMapParameters, 1, heat_map_figure},
    FigureKind{"roofline", "kernels under the roof of a device: roofline(roofline(gemm), ...)", kRooflineParameters, 8, roofline_figure},
    FigureKind{"swizzle", "a swizzled layout beside the same without its swizzle, and which bits of an offset are xored into which",
               kSwizzleParameters, 1, swizzle_figure},
    FigureKind{"banks", "one instruction of a warp in the 32 banks of shared memory, a row a wavefront: banks(access, layout)",
               kBanksParameters, 2, banks_figure, FigureKind::Takes::access},
    FigureKind{"sectors",
               "one instruction of a warp in global memory, a row a line of 128 bytes, in sectors of 32: sectors(access, layout)",
               kBanksParameters, 2, sectors_figure, FigureKind::Takes::access_of_gmem},
    FigureKind{"divide", "a layout and what a divide makes of it, each tile in its tint: divide(layout, tiler)", kDivideParameters, 2,
               divide_figure, FigureKind::Takes::layout_and_tiler},
    FigureKind{"product", "a block, the layout of its copies, and their product, each copy in its tint: product(block, tiler)",
               kProductParameters, 2, product_figure, FigureKind::Takes::layout_and_tiler},
    FigureKind{"composition", "elements followed through B and then A, a step each: composition(A, B)", kCompositionParameters, 2,
               composition_figure},
    FigureKind{"bit_matrix", "a layout over powers of two as a matrix over bits: those of the coordinate across, those of the offset down",
               kBitMatrixParameters, 1, bit_matrix_figure},
    FigureKind{"diagram",
               "a layout's tree, memory as a column of factors, and an arrow from each leaf to the factor that it walks: diagram(A, B)",
               kDiagramParameters, 2, diagram_figure, FigureKind::Takes::layout_and_tiler},
    FigureKind{"memory", "the addresses that a layout reaches, in order, with the coordinate that lies at each", kMemoryParameters, 1,
               memory_figure},
    FigureKind{"stack", "a layout of three modes or more as sheets, one behind the other along the third mode", kStackParameters, 1,
               stack_figure},
    FigureKind{"smem_operand",
               "a tile of shared memory as wgmma or UMMA reads it by a descriptor: core matrices, LBO, SBO, slices of K: "
               "smem_operand(mma, layout)",
               kSmemOperandParameters, 2, smem_operand_figure},
    FigureKind{"tmem",
               "where a UMMA's accumulators lie in tensor memory, 128 lanes by columns, and which warp reads them: tmem(mma, shape of C or "
               "tcgen05.ld)",
               kTmemParameters, 3, tmem_figure},
    FigureKind{"tma", "the boxes that a TMA copy takes of a tensor, and where one of them lands in shared memory", kTmaParameters, 1,
               tma_figure, FigureKind::Takes::boxes},
    FigureKind{"panels", "several figures side by side, lettered, with one scale of colours: panels(figure, figure, ...)",
               kPanelsParameters, 8, panels_figure, FigureKind::Takes::figures},
};

}  // namespace

std::span<const FigureKind> figure_kinds() { return kKinds; }
std::span<const FigureParameter> common_parameters() { return kCommonParameters; }

}  // namespace tessera
