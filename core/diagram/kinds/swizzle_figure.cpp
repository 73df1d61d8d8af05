// SPDX-License-Identifier: BSD-3-Clause
// The figure of a swizzle: the layout without it and with it in the same colours, so that columns of one colour become diagonals, and one
// offset bit by bit.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/atom/copy/warp_access.hpp"
#include "core/base/budget.hpp"
#include "core/diagram/kinds/figure_kinds.hpp"
#include "core/diagram/kinds/swizzle_parts.hpp"
#include "core/diagram/parts/reading_aids.hpp"
#include "core/diagram/parts/scaled_axes.hpp"
#include "core/diagram/scene/caption_lines.hpp"
#include "core/diagram/scene/whole_blocks.hpp"
#include "core/layout/algebra.hpp"
#include "core/layout/composed_algebra.hpp"

namespace tessera {

namespace {

constexpr std::int64_t kChunkBits = 128, kUnknownBits = 32;
constexpr std::int64_t kMostDown = 64, kMostAcross = 64;   // cells of a grid that are drawn
constexpr std::int64_t kFewDown = 8;                       // rows that are drawn at least, though the pattern repeats sooner
constexpr std::int64_t kLookedAt = std::int64_t{1} << 16;  // cells among which a period is looked for

const Swizzle* swizzle_of(const FigureObject& object) {
  const auto* composed = std::get_if<ComposedLayout>(&object);
  const auto* swizzle = composed ? std::get_if<Swizzle>(&composed->outer) : nullptr;
  return swizzle && swizzle->bits() > 0 ? swizzle : nullptr;
}

bool gives_coordinates(const AnyLayout& layout) {
  const auto* composed = std::get_if<ComposedLayout>(&layout);
  return layout_part(layout).has_basis() || (composed && !composed->offset.is_int());
}

Error no_swizzle(const FigureSpec& spec) {
  const auto* composed = std::get_if<ComposedLayout>(&spec.objects.front());
  const auto* plain = std::get_if<Layout>(&spec.objects.front());
  return Error{
      ErrorCode::wrong_type,
      fmt::format("this figure needs a layout behind a swizzle, and got {}", composed ? to_string(*composed)
                                                                             : plain  ? to_string(*plain)
                                                                                      : std::string(object_name(spec.objects.front()))),
      {},
      {"for example swizzle_figure(Sw<3,3,3> o 0 o (8,64):(64,1))"}};
}

// Do the elements of every cell lie beside each other, from a multiple of their number on?
bool stay_together(const SwizzlePicture& p) {
  const Swizzle& swizzle = p.swizzle;
  const std::int64_t rows = std::min(p.tile_rows, kMostDown * (p.across ? 1 : p.per));  // no more can be drawn
  const std::int64_t cols = std::min(p.tile_cols, kMostAcross * (p.across ? p.per : 1));
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t c = 0; c < cols && !late(); ++c) {
      const std::int64_t inside = (p.across ? c : r) % p.per;
      const std::int64_t offset = swizzle(evaluate(p.layout, p.index(r, c)));
      const std::int64_t first = swizzle(evaluate(p.layout, p.across ? p.index(r, c - inside) : p.index(r - inside, c)));
      if (first % p.per != 0 || offset != first + inside) return false;
    }
  }
  return true;
}

// Cells of as many elements as the swizzle keeps together, along the mode that has them beside each other; else of one.
Status choose_cells(const FigureSpec& spec, SwizzlePicture& p) {
  TESSERA_TRY(cells, choice(spec, "cells", kSwizzleCellsChoices));
  const std::int64_t kept = p.swizzle.base() < 16 ? std::int64_t{1} << p.swizzle.base() : 0;
  if (cells == "chunk" && kept > 1) {
    for (const bool across : {true, false}) {
      const std::int64_t extent = across ? p.tile_cols : p.tile_rows;
      p.per = kept;
      p.across = across;
      if (extent % kept == 0 && stay_together(p)) return Done{};
    }
  }
  p.per = 1;
  p.across = true;
  if (parameter(spec, "cells") == "chunk" && kept != 1)
    return Error{ErrorCode::not_divisible,
                 fmt::format("{} keeps {} elements together, and {} has no mode in which each {} lie beside each other",
                             to_string(p.swizzle), std::int64_t{1} << p.swizzle.base(), to_string(p.layout), kept),
                 {},
                 {"draw a cell for each element: cells=element"}};
  return Done{};
}

// How much of the tile is drawn: what the pattern repeats, and no more than can be read.
void choose_part(SwizzlePicture& p) {
  p.all_rows = p.across ? p.tile_rows : p.tile_rows / p.per;
  p.all_cols = p.across ? p.tile_cols / p.per : p.tile_cols;
  p.rows = std::min(p.all_rows, kMostDown);
  p.cols = std::min(p.all_cols, kMostAcross);
  if (p.all_rows * p.all_cols > kLookedAt) return;
  GridColumns all = begin_grid(p.all_rows, p.all_cols);
  for (std::int64_t r = 0; r < p.all_rows; ++r) {
    for (std::int64_t c = 0; c < p.all_cols; ++c) all.address.push_back(evaluate(p.layout, p.index(p.row(r), p.col(c))));
  }
  const WholeBlock period = address_period(all);
  p.period_rows = period.rows;
  p.period_cols = period.cols;
  const std::int64_t few = (std::min(kFewDown, p.all_rows) + period.rows - 1) / period.rows * period.rows;
  p.rows = std::min({std::max<std::int64_t>(period.rows, few), p.all_rows, kMostDown});
  if (p.all_cols > kMostAcross / 2) p.cols = std::min<std::int64_t>(std::max<std::int64_t>(period.cols, kMostAcross / 4), p.cols);
}

Result<SwizzlePicture> read(const FigureSpec& spec) {
  const Swizzle* swizzle = swizzle_of(spec.objects.front());
  if (!swizzle) return no_swizzle(spec);
  SwizzlePicture p;
  p.swizzle = *swizzle;
  p.layout = std::get<ComposedLayout>(spec.objects.front());
  if (gives_coordinates(p.layout))
    return Error{ErrorCode::wrong_type,
                 fmt::format("{} gives coordinates, and a swizzle moves bits of offsets", to_string(p.layout)),
                 {},
                 {"draw it as a layout: layout_figure(...)"}};
  TESSERA_TRY(known, element_bits(spec));
  p.knows_bits = known > 0;
  p.bits = known > 0 ? known : swizzle->base() <= 7 ? kChunkBits >> swizzle->base() : kUnknownBits;
  const Shape& s = shape(p.layout);
  TESSERA_CHECK(take_cells(count_product(2, size(p.layout)), 0, to_string(p.layout)));
  p.one_mode = s.rank() < 2;
  if (!p.one_mode && spec.modes.size() == s.rank()) p.axes = {spec.modes[1], spec.modes[0]};
  p.tile_rows = size(s[0]);
  p.tile_cols = p.one_mode ? 1 : size(s[1]);
  if (p.one_mode) {  // lines of what is swizzled together, as they lie in memory
    const int reach = std::min(swizzle->base() + std::abs(swizzle->shift()), 12);
    const std::int64_t all = p.tile_rows, line = std::min(all, std::int64_t{1} << reach);
    if (all % line == 0) p.tile_rows = all / line, p.tile_cols = line;
  }
  TESSERA_CHECK(choose_cells(spec, p));
  choose_part(p);
  bool moves = false;
  for (std::int64_t r = 0; r < p.rows; ++r) {
    for (std::int64_t c = 0; c < p.cols; ++c) {
      const std::int64_t moved = evaluate(p.layout, p.index(p.row(r), p.col(c)));
      p.moved.push_back(moved);
      p.plain.push_back((*swizzle)(moved));  // it is its own inverse
      if (moved < 0 || p.plain.back() < 0)
        return Error{
            ErrorCode::out_of_range,
            fmt::format("{} puts an element before the tensor's start, where an offset has no bits to swizzle", to_string(p.layout)),
            {},
            {}};
      moves = moves || p.plain.back() != moved;
    }
  }
  if (moves || late()) return p;
  const std::int64_t most = *std::max_element(p.plain.begin(), p.plain.end()) + p.per - 1;
  return Error{ErrorCode::not_representable,
               fmt::format("{} reads {} of an offset, and the largest of {} is {}: it moves nothing", to_string(*swizzle),
                           bits_words(swizzle->y_mask()), to_string(p.layout), most),
               {},
               {fmt::format("its rows would be {} elements apart: take a larger tile, or a swizzle with a smaller B, M or S",
                            std::int64_t{1} << std::countr_zero(static_cast<std::uint64_t>(swizzle->y_mask())))}};
}

// "(3,8)" as the person wrote it, or the first whose flipped bits hold something and which two bits flip; else the first that moves.
Result<FollowedElement> followed(const FigureSpec& spec, const SwizzlePicture& p) {
  const auto element = [&](std::int64_t row, std::int64_t col) {
    const std::int64_t moved = evaluate(p.layout, p.index(row, col));
    std::string name = p.one_mode ? fmt::format("{}", p.index(row, col)) : fmt::format("({},{})", row, col);
    return FollowedElement{std::move(name), row, col, p.swizzle(moved), moved};
  };
  if (const std::string_view written = parameter(spec, "at"); !written.empty()) {
    const auto refuse = [&](std::string_view why) {
      return Error{ErrorCode::out_of_range,
                   fmt::format("at={} {}", written, why),
                   {},
                   {fmt::format("rows are 0 to {} and columns 0 to {}: at=\"(1,0)\"", p.rows * (p.across ? 1 : p.per) - 1,
                                p.cols * (p.across ? p.per : 1) - 1)}};
    };
    TESSERA_TRY(at, read_coordinate(written, "at"));
    if (!at) return refuse("is no coordinate of an element");
    const auto [row, col] = *at;
    if (row >= p.rows * (p.across ? 1 : p.per) || col >= p.cols * (p.across ? p.per : 1) || row < 0 || col < 0)
      return refuse("is not in the picture");
    return element(row, col);
  }
  std::optional<FollowedElement> first;
  for (std::int64_t r = 0; r < p.rows; ++r) {
    for (std::int64_t c = 0; c < p.cols; ++c) {
      FollowedElement found = element(p.row(r), p.col(c));
      const auto flips = static_cast<std::uint64_t>(found.plain ^ found.moved);
      if (flips != 0 && !first) first = found;
      if ((found.plain & p.swizzle.z_mask()) != 0 && std::popcount(flips) == std::min(p.swizzle.bits(), 2)) return found;
    }
  }
  return *first;
}

// What stands above the grid: the plain layout, where it has a name of its own.
std::string plain_name(const AnyLayout& layout) {
  const ComposedLayout& composed = std::get<ComposedLayout>(layout);
  const auto* inner = std::get_if<Layout>(&composed.inner);
  if (!inner) return "plain";
  return composed.offset == IntTuple(0) ? to_string(*inner) : fmt::format("{} + {}", to_string(composed.offset), to_string(*inner));
}

constexpr std::int64_t kRowsRead = 8;  // of one matrix of ldmatrix
constexpr float kHeadingSign = 0.27f;  // width of a sign of a heading, in text units

std::int64_t offset_of_line(const SwizzlePicture& p, const std::vector<std::int64_t>& of, std::int64_t line) {
  return p.across ? of[p.at(line, 0)] : of[p.at(0, line)];
}

// The 8 rows, or columns, that lie beside each other in memory from the first on: a tiled MMA whose modes are permuted likewise reads these
// together. Empty: there is nothing that ldmatrix reads.
std::vector<std::int64_t> lines_read(const SwizzlePicture& p) {
  const std::int64_t count = p.across ? p.rows : p.cols;
  if (p.per * p.bits != kChunkBits || (!p.knows_bits && p.per == 1) || count < kRowsRead || p.one_mode) return {};
  std::vector<std::int64_t> lines(static_cast<std::size_t>(count));
  std::iota(lines.begin(), lines.end(), 0);
  std::stable_sort(lines.begin(), lines.end(),
                   [&](std::int64_t i, std::int64_t j) { return offset_of_line(p, p.plain, i) < offset_of_line(p, p.plain, j); });
  lines.resize(kRowsRead);
  std::sort(lines.begin(), lines.end());
  return lines;
}

// Are they other ones than the first that are counted?
bool are_permuted(const std::vector<std::int64_t>& lines) { return !lines.empty() && lines.back() != kRowsRead - 1; }

// A bar at the edge of each.
void mark_lines(Panel& panel, const Frame& frame, const std::vector<std::int64_t>& lines, bool rows) {
  constexpr float kBeside = 0.16f, kShort = 0.08f;  // of a cell
  for (const std::int64_t line : lines) {
    const float x = frame.column(line), y = frame.y + static_cast<float>(line);
    const float right = frame.right() + kBeside, below = frame.bottom() + kBeside;
    panel.marks.push_back(rows ? Line{right, y + kShort, right, y + 1 - kShort, StrokeRole::highlight}
                               : Line{x + kShort, below, x + frame.w - kShort, below, StrokeRole::highlight});
  }
}

// Above the swizzled grid: its name, or less where that would not end with the grid.
std::string moved_heading(const SwizzlePicture& p, const Frame& frame, float unit) {
  std::string name = to_string(p.layout);
  if (kHeadingSign * unit * static_cast<float>(name.size()) <= frame.width()) return name;
  return fmt::format("the same through {}", to_string(p.swizzle));
}

Panel grid_panel(Scene& scene, const SwizzlePicture& p, std::string_view labels, bool moved, const Frame& frame, float unit,
                 const FollowedElement& element) {
  Panel panel{moved ? to_string(p.layout) : plain_name(p.layout), {}, moved ? "swizzled" : "plain"};
  GridColumns columns = begin_grid(p.rows, p.cols);
  columns.place = GridColumns::Place::given;
  columns.tensor = moved ? 1 : 0;
  columns.bits = p.bits;
  if (std::string rest = rest_of_coordinate(shape(p.layout), 0); !rest.empty()) {  // of further modes the first coordinate is drawn
    columns.rest = static_cast<std::int32_t>(scene.rests.size());
    scene.rests.push_back(std::move(rest));
  }
  columns.address = moved ? p.moved : p.plain;
  columns.fills.assign(columns.size(), kNoColor);
  for (std::int64_t r = 0; r < p.rows; ++r) {
    for (std::int64_t c = 0; c < p.cols; ++c) {
      const std::int64_t row = p.row(r), col = p.col(c);
      columns.row.push_back(static_cast<std::int32_t>(p.one_mode ? p.index(row, col) : row));
      columns.col.push_back(static_cast<std::int32_t>(p.one_mode ? 0 : col));
      if (labels == "offset") columns.add_label(std::to_string(columns.address[p.at(r, c)]));
      if (labels == "coordinate") columns.add_label(p.one_mode ? std::to_string(p.index(row, col)) : fmt::format("{},{}", row, col));
    }
  }
  add_grid(panel, frame, std::move(columns));
  add_frame(panel, frame);
  add_scaled_axes(scene, panel, frame, {0, p.one_mode ? p.tile_cols : p.across ? 1 : p.per}, {0, p.across ? p.per : 1}, unit);
  panel.axes = p.axes;
  add_axis_names(scene, panel, frame, unit);
  add_heading(scene, panel, frame.x, frame.y - 1.15f * unit, moved ? moved_heading(p, frame, unit) : panel.name, unit);
  if (const std::vector<std::int64_t> lines = lines_read(p); are_permuted(lines)) mark_lines(panel, frame, lines, p.across);
  const std::int64_t r = p.across ? element.row : element.row / p.per, c = p.across ? element.col / p.per : element.col;
  panel.marks.push_back(Outline{frame.column(c), frame.y + static_cast<float>(r), frame.w, 1, StrokeRole::highlight});
  return panel;
}

// The fill of the cell that an element is in.
ColorIndex fill_at(const Panel& panel, const SwizzlePicture& p, const FollowedElement& element) {
  const std::int64_t r = p.across ? element.row : element.row / p.per, c = p.across ? element.col / p.per : element.col;
  for (const Mark& mark : panel.marks) {
    if (const auto* grid = std::get_if<Grid>(&mark)) return grid->of->fills[p.at(r, c)];
  }
  return kNoColor;
}

std::string sentence_of(const SwizzlePicture& p) {
  const Swizzle& s = p.swizzle;
  const std::int64_t kept = std::int64_t{1} << std::min(s.base(), 40);
  return fmt::format("{} xors {} of an offset into {}: {}, one to one.", to_string(s), bits_words(s.y_mask()), bits_words(s.z_mask()),
                     kept == 1 ? std::string("elements move") : fmt::format("runs of {} elements move as a whole", kept));
}

// "ldmatrix of the first chunk of rows 0-7: 8 wavefronts plain, 1 swizzled". Where rows do not lie in memory as they are counted, also of
// the 8 that lie beside each other.
std::vector<std::string> notes_of_reads(const SwizzlePicture& p) {
  const std::vector<std::int64_t> in_memory = lines_read(p);
  if (in_memory.empty()) return {};
  std::vector<std::int64_t> as_counted(kRowsRead);
  std::iota(as_counted.begin(), as_counted.end(), 0);
  const auto wavefronts = [&](const std::vector<std::int64_t>& of, const std::vector<std::int64_t>& rows) {
    WarpAccess access{WarpAccess::Kind::matrix, 16, {}};
    access.address.fill(-1);
    for (std::size_t i = 0; i < rows.size(); ++i) access.address[i] = offset_of_line(p, of, rows[i]) * p.bits / 8;
    return smem_wavefronts(access).count;
  };
  const auto words = [&](const std::vector<std::int64_t>& rows, std::string_view more) {
    const std::int64_t swizzled = wavefronts(p.moved, rows);
    return fmt::format("ldmatrix of the first chunk of {} {}{}: {} plain, {} swizzled{}", p.across ? "rows" : "columns",
                       ranges_of(rows, ""), more, counted(wavefronts(p.plain, rows), "wavefront"), swizzled,
                       swizzled == 1 ? ": no bank conflict" : "");
  };
  std::vector<std::string> made{words(as_counted, "")};
  if (are_permuted(in_memory)) made.push_back(words(in_memory, ", with bars at the edge, which lie together in memory"));
  return made;
}

// "16 bytes", "12 bits"
std::string width_words(std::int64_t bits) { return bits % 8 == 0 ? counted(bits / 8, "byte") : counted(bits, "bit"); }

std::vector<std::string> notes_of(const SwizzlePicture& p, const FollowedElement& element) {
  std::vector<std::string> notes;
  const std::string taken = p.knows_bits ? std::string() : fmt::format("elements are taken to have {} bits", p.bits);
  if (p.per > 1)
    notes.push_back(fmt::format("a cell is {} elements, {}, and shows the offset of the first{}", p.per, width_words(p.per * p.bits),
                                taken.empty() ? std::string() : "; " + taken));
  else if (!taken.empty())
    notes.push_back(taken);
  std::string drawn;
  const auto say = [&](std::int64_t shown, std::int64_t all, std::int64_t period, std::string_view what) {
    if (shown < all) drawn += fmt::format("{}{} 0-{} of {}", drawn.empty() ? "" : ", ", what, shown - 1, all);
    if (period > 0 && period < all)
      drawn += fmt::format("{}the pattern repeats every {}", shown < all ? "; " : "", counted(period, what.substr(0, what.size() - 1)));
  };
  const std::int64_t down = p.across ? 1 : p.per, across = p.across ? p.per : 1;
  say(p.rows * down, p.all_rows * down, p.period_rows * down, "rows");
  say(p.cols * across, p.all_cols * across,
      p.period_cols * across < p.all_cols * across && p.cols < p.all_cols ? p.period_cols * across : 0, "columns");
  if (size(p.layout) > p.tile_rows * p.tile_cols) drawn += drawn.empty() ? "at 0 in the further modes" : "; at 0 in the further modes";
  if (!drawn.empty()) notes.push_back(std::move(drawn));
  notes.push_back(fmt::format("followed: {}, from {} to {}", element.name, element.plain, element.moved));
  for (std::string& read : notes_of_reads(p)) notes.push_back(std::move(read));
  return notes;
}

}  // namespace

std::int64_t SwizzlePicture::index(std::int64_t row, std::int64_t col) const {
  return one_mode ? row * tile_cols + col : row + tile_rows * col;
}

bool is_moved_by_swizzle(const FigureObject& object) {
  const Swizzle* swizzle = swizzle_of(object);
  if (!swizzle) return false;
  const AnyLayout layout = std::get<ComposedLayout>(object);
  if (gives_coordinates(layout) || std::get<ComposedLayout>(object).offset.value() < 0) return false;
  const std::vector<std::int64_t> strides = leaf_values(layout_part(layout).stride());
  if (std::any_of(strides.begin(), strides.end(), [](std::int64_t stride) { return stride < 0; })) return false;
  for (std::int64_t i = 0; i < std::min(size(layout), kLookedAt); ++i) {
    const std::int64_t offset = evaluate(layout, i);
    if ((*swizzle)(offset) != offset) return true;
  }
  return false;
}

Result<Scene> swizzle_figure(const FigureSpec& spec) {
  TESSERA_CHECK(only_own_style(spec));
  TESSERA_TRY(labels, choice(spec, "labels", kSwizzleLabelChoices));
  TESSERA_TRY(color, color_choice(spec, kSwizzleColorChoices));
  TESSERA_TRY(palette, Palette::find(spec.palette));
  TESSERA_TRY(p, read(spec));
  TESSERA_TRY(element, followed(spec, p));
  Scene scene = begin_scene(spec);
  scene.tensors = {plain_name(p.layout), to_string(p.layout)};
  std::size_t longest = 1;
  for (const std::int64_t offset : p.moved) longest = std::max(longest, std::to_string(offset).size());
  if (labels == "coordinate") longest = fmt::format("{},{}", p.row(p.rows - 1), p.col(p.cols - 1)).size();
  const float w = labels == "none" ? 1 : cell_width(longest), wide = w * static_cast<float>(p.cols);
  const bool beside = !spec.stacked && wide <= 1.6f * static_cast<float>(p.rows) + 8;  // else one above the other
  const auto across = static_cast<std::int64_t>(beside ? 2 * wide + 3 : wide);
  const float unit = type_scale(spec, beside ? p.rows : 2 * p.rows, across);
  const Frame first{0, 0, p.rows, p.cols, w};
  const float heading = kHeadingSign * unit * static_cast<float>(plain_name(p.layout).size());
  const Frame second = beside ? Frame{std::max(wide, heading) + 1.9f * unit, 0, p.rows, p.cols, w}
                              : Frame{0, first.bottom() + 2.4f * unit, p.rows, p.cols, w};
  scene.panels.push_back(grid_panel(scene, p, labels, false, first, unit, element));
  scene.panels.push_back(grid_panel(scene, p, labels, true, second, unit, element));
  TESSERA_TRY(painted, paint(scene, spec, palette, color, std::pair{p.tile_rows, p.tile_cols}));
  // In a narrow place they give way: the grids' labels are to be read first.
  const float bits_unit = spec.stacked ? 0.72f * unit : unit;
  BitRows place{0, second.bottom() + 2.1f * unit, bits_unit, fill_at(scene.panels[0], p, element), fill_at(scene.panels[1], p, element)};
  place.x = std::max(0.0f, (second.right() - bits_unit * bit_rows_width(p)) / 2 - bits_unit * bit_rows_names(p) / 4);
  if (color == "row" || color == "col" || color == "none" || color == "offset" || color == "layout")
    place.plain_chunk = place.moved_chunk = scene.color(on_page({236, 238, 243}, scene.page));
  scene.panels.push_back(bit_rows(scene, p, element, place));
  Captions captions{sentence_of(p), notes_of(p, element), {std::move(painted)}, to_string(p.layout), spec.name};
  return close_figure(std::move(scene), spec, std::move(captions), unit);
}

}  // namespace tessera
