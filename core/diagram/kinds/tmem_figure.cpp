// SPDX-License-Identifier: BSD-3-Clause
// The figure of tensor memory: which element of a UMMA's accumulators lies in which lane and column, which warp reaches which lanes, and
// how one tcgen05.ld hands a part of it to threads. Where elements lie is the fragment's layout (core/atom/mma/tmem_fragment.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/budget.hpp"
#include "core/diagram/kinds/figure_kinds.hpp"
#include "core/diagram/kinds/tmem_parts.hpp"
#include "core/diagram/parts/brackets.hpp"
#include "core/diagram/parts/opening_lines.hpp"
#include "core/diagram/parts/reading_aids.hpp"
#include "core/diagram/parts/scaled_axes.hpp"

namespace tessera {

namespace {

constexpr std::int64_t kLanesOfABlock = 8, kBlocksAcross = 8;
constexpr std::int64_t kOpenedLanes = 16, kOpenedColumns = 8;  // of the part that is opened
constexpr std::int64_t kMostOpened = 16;                       // columns
constexpr std::size_t kMostNamed = 4;                          // rows or columns of a hue, in its legend
constexpr std::int64_t kRowsOfAHue = 16, kColsOfAHue = 32;     // of C

// Hues of elements.
struct Hues {
  std::string_view by;
  std::int64_t count = 1;
  std::int64_t of(const Lying& here, std::int64_t lane) const {
    if (by == "m") return here.m / kRowsOfAHue;
    if (by == "n") return here.n / kColsOfAHue;
    if (by == "warp") return lane / kTmemLanesOfAWarp;
    return by == "atom" ? here.atom : -1;
  }
};
Hues hues_of(const TmemPicture& p, std::string_view by) {
  const std::int64_t count = by == "m"      ? (p.m + kRowsOfAHue - 1) / kRowsOfAHue
                             : by == "n"    ? (p.n + kColsOfAHue - 1) / kColsOfAHue
                             : by == "warp" ? kTmemLanes / kTmemLanesOfAWarp
                                            : p.atoms;
  return {by, std::max<std::int64_t>(2, count)};
}
std::string words_of(std::string_view by) {
  if (by == "m") return fmt::format("{} rows of C", kRowsOfAHue);
  if (by == "n") return fmt::format("{} columns of C", kColsOfAHue);
  return by == "warp" ? "the warp that reaches the lane" : "the instruction";
}

struct Paints {
  Scene& scene;
  const Palette& palette;
  Hues hues;
  ColorIndex empty = kNoColor, plain = kNoColor;  // plain: of elements without a hue
  ColorIndex fill(const Lying& here, std::int64_t lane) const {
    if (here.m < 0) return empty;
    const std::int64_t hue = hues.of(here, lane);
    return hue < 0 ? plain : scene.color(palette.category(hue, hues.count));
  }
  // Of those beside the element that is asked for: a part that is opened may have one hue.
  ColorIndex paled(ColorIndex fill) const {
    constexpr double kPaper = 0.6;
    return fill == kNoColor ? fill : scene.color(mix(scene.palette[fill], scene.page.paper, kPaper));
  }
};

// "0-15"
std::string range(std::int64_t first, std::int64_t last) {
  return first == last ? std::to_string(first) : fmt::format("{}-{}", first, last);
}

// The hues that are met: of a few parts of C a swatch each, since a CTA of a pair has half of them.
std::vector<Legend> legends_of(Scene& scene, const TmemPicture& p, const Paints& paints) {
  std::set<std::int64_t> met;
  for (std::int64_t lane = 0; lane < kTmemLanes; ++lane) {
    for (std::int64_t column = 0; column < p.used; ++column) {
      if (const Lying& here = p.lying(lane, column); here.m >= 0) met.insert(paints.hues.of(here, lane));
    }
  }
  Legend legend;
  legend.numbers.assign(met.begin(), met.end());
  std::vector<std::string> of;
  const std::string_view by = paints.hues.by;
  const std::int64_t step = by == "m" ? kRowsOfAHue : kColsOfAHue, end = by == "m" ? p.m : p.n;
  for (const std::int64_t hue : met) {
    legend.hues.push_back(scene.color(paints.palette.category(hue, paints.hues.count)));
    of.push_back(range(hue * step, std::min((hue + 1) * step, end) - 1));
  }
  if ((by == "m" || by == "n") && of.size() <= kMostNamed) {
    std::vector<Legend> legends;
    for (std::size_t i = 0; i < of.size(); ++i)
      legends.push_back({{legend.hues[i]}, fmt::format("{} {} of C", by == "m" ? "rows" : "columns", of[i])});
    return legends;
  }
  constexpr std::size_t kMostHues = 8;  // that a legend shows
  if (met.size() <= kMostHues) {
    legend.numbered = true;
    legend.words = fmt::format("hue: {}{}", words_of(by), by == "m" || by == "n" ? " each" : "");
    return {legend};
  }
  legend = category_legend(scene, paints.palette, by == "atom" ? "instruction" : "block", paints.hues.count);
  if (by != "atom") legend.words += fmt::format("; a block is {}", words_of(by));
  return {legend};
}

void add_warps(Scene& scene, Panel& panel, const Frame& frame, std::int64_t lanes_a_row, float unit) {
  for (std::int64_t warp = 0; warp < kTmemLanes / kTmemLanesOfAWarp; ++warp) {
    const auto row = [&](std::int64_t lane) { return frame.y + static_cast<float>(lane / lanes_a_row); };
    add_bracket(scene, panel, BracketAt::left, row(warp * kTmemLanesOfAWarp), row((warp + 1) * kTmemLanesOfAWarp), frame.x - 0.75f * unit,
                fmt::format("warp {}", warp), unit);
    if (warp > 0)
      panel.marks.push_back(Line{frame.x, row(warp * kTmemLanesOfAWarp), frame.right(), row(warp * kTmemLanesOfAWarp), StrokeRole::strong});
  }
}

// The elements of a block, where there are any: rows m0 to m1 and columns n0 to n1 of C.
struct BlockOfC {
  std::int64_t m0 = 0, m1 = -1, n0 = 0, n1 = -1, count = 0;
  Lying first;
  bool is_whole() const { return count == (m1 - m0 + 1) * (n1 - n0 + 1); }
};
BlockOfC block_at(const TmemPicture& p, std::int64_t lane, std::int64_t column, std::int64_t columns) {
  BlockOfC made{p.m, -1, p.n, -1, 0, {}};
  for (std::int64_t i = 0; i < kLanesOfABlock * columns; ++i) {
    const Lying& here = p.lying(lane + i % kLanesOfABlock, column + i / kLanesOfABlock);
    if (here.m < 0) continue;
    if (made.count++ == 0) made.first = here;
    made.m0 = std::min<std::int64_t>(made.m0, here.m), made.m1 = std::max<std::int64_t>(made.m1, here.m);
    made.n0 = std::min<std::int64_t>(made.n0, here.n), made.n1 = std::max<std::int64_t>(made.n1, here.n);
  }
  return made.count > 0 ? made : BlockOfC{};
}

// Columns of a block: an eighth of those that are used, or less where such a block would hold pieces of several instructions.
std::int64_t columns_of_a_block(const TmemPicture& p) {
  const auto all_whole = [&](std::int64_t columns) {
    for (std::int64_t column = 0; column < p.used; column += columns) {
      for (std::int64_t lane = 0; lane < kTmemLanes; lane += kLanesOfABlock) {
        if (!block_at(p, lane, column, columns).is_whole()) return false;
      }
    }
    return true;
  };
  const auto fits = [&](std::int64_t blocks) {
    return p.used % blocks == 0 && p.used / blocks >= kOpenedColumns && all_whole(p.used / blocks);
  };
  for (std::int64_t blocks = kBlocksAcross; blocks > 0; --blocks) {
    if (fits(blocks)) return p.used / blocks;
  }
  for (std::int64_t blocks = kBlocksAcross + 1; p.used / blocks >= kOpenedColumns; ++blocks) {
    if (fits(blocks)) return p.used / blocks;
  }
  return p.used;
}

// All lanes and the columns that are used, in blocks.
Panel map_panel(Scene& scene, const TmemPicture& p, const Paints& paints, const Frame& frame, std::int64_t columns, float unit) {
  Panel panel{"tensor memory", {}, "map", PanelOperand::none, {"column", "lane"}};
  for (std::int64_t r = 0; r < frame.rows; ++r) {
    for (std::int64_t c = 0; c < frame.cols; ++c) {
      const std::int64_t lane = r * kLanesOfABlock, column = c * columns;
      const BlockOfC block = block_at(p, lane, column, columns);
      const std::string ms = range(block.m0, block.m1), ns = range(block.n0, block.n1);
      Cell cell{frame.column(c), frame.y + static_cast<float>(r), frame.w, 1, paints.fill(block.first, lane)};
      const std::string where =
          fmt::format("lanes {}, columns {}", range(lane, lane + kLanesOfABlock - 1), range(column, column + columns - 1));
      const std::string what = block.count == 0 ? "no element of C" : fmt::format("C rows {}, columns {}", ms, ns);
      cell.subject = scene.add_words(fmt::format("{}: {}; warp {} reaches them", where, what, lane / kTmemLanesOfAWarp));
      if (block.count > 0) {
        cell.label = scene.intern(fmt::format("m {}\nn {}", ms, ns));
        cell.lines = 2;
      }
      panel.marks.push_back(cell);
    }
  }
  add_frame(panel, frame);
  add_scaled_axes(scene, panel, frame, {0, kLanesOfABlock}, {0, columns}, unit);
  add_axis_names(scene, panel, frame, unit);
  add_warps(scene, panel, frame, kLanesOfABlock, unit);
  return panel;
}

// Lanes and columns as they are.
struct Window {
  std::int64_t lane = 0, lanes = 1, column = 0, columns = 1;
  std::optional<TmemPlace> asked{};  // of the element that at= names
};
Panel element_panel(const TmemPicture& p, const Paints& paints, const Window& window, const Frame& frame, std::string_view labels) {
  Panel panel{"lanes and columns", {}, "opened", PanelOperand::none, {"column", "lane"}};
  std::vector<const TmemRegister*> at(static_cast<std::size_t>(window.lanes * window.columns), nullptr);
  if (labels == "register") {
    for (const TmemRegister& each : p.registers) {
      if (each.place.lane < window.lanes && each.place.column < window.columns)
        at[static_cast<std::size_t>(each.place.lane * window.columns + each.place.column)] = &each;
    }
  }
  GridColumns columns = begin_grid(window.lanes, window.columns);
  columns.place = GridColumns::Place::given;
  columns.tensor = 0;
  const std::int64_t warp = window.lane / kTmemLanesOfAWarp;
  for (std::int64_t r = 0; r < window.lanes; ++r) {
    for (std::int64_t c = 0; c < window.columns && !late(); ++c) {
      const std::int64_t lane = window.lane + r, column = window.column + c;
      const Lying& here = p.lying(lane, column);
      const TmemRegister* held = at[static_cast<std::size_t>(r * window.columns + c)];
      columns.row.push_back(here.m);
      columns.col.push_back(here.n);
      columns.address.push_back(lane << 16 | column);  // as the PTX ISA writes it
      const bool beside = window.asked && (lane != window.asked->lane || column != window.asked->column);
      const ColorIndex fill = paints.fill(here, lane);
      columns.fills.push_back(held ? paints.scene.color(paints.palette.category(held->thread, kTmemLanesOfAWarp))
                              : beside && labels == "coordinate" ? paints.paled(fill)
                                                                 : fill);
      if (labels == "register") {
        columns.thread.push_back(held ? static_cast<std::int32_t>(warp * kTmemLanesOfAWarp + held->thread) : -1);
        columns.value.push_back(held ? static_cast<std::int32_t>(held->value) : -1);
        columns.add_label(held ? fmt::format("T{}\nr{}", warp * kTmemLanesOfAWarp + held->thread, held->value) : std::string());
      } else if (labels != "none") {
        columns.add_label(here.m < 0 ? std::string() : fmt::format("{},{}", here.m, here.n));
      }
    }
  }
  add_grid(panel, frame, std::move(columns));
  add_frame(panel, frame);
  if (window.asked) {
    const Bounds lit = cell_bounds(frame, window.asked->lane - window.lane, window.asked->column - window.column);
    panel.marks.push_back(Outline{lit.x0, lit.y0, lit.width(), lit.height(), StrokeRole::highlight});
  }
  return panel;
}

// Lanes in which there is an element of C, and the rows of C that are here.
struct Taken {
  std::int64_t lanes = 0, first_row = 0, last_row = -1;
};
Taken taken_of(const TmemPicture& p) {
  std::int64_t lanes = 0, least = p.m, most = -1;
  for (std::int64_t lane = 0; lane < kTmemLanes; ++lane) {
    bool used = false;
    for (std::int64_t column = 0; column < p.used; ++column) {
      const Lying& here = p.lying(lane, column);
      if (here.m < 0) continue;
      used = true;
      least = std::min<std::int64_t>(least, here.m), most = std::max<std::int64_t>(most, here.m);
    }
    lanes += used;
  }
  return {lanes, least, most};
}

std::string sentence_of(const TmemPicture& p) {
  const std::string where = fmt::format("in {} of {} columns; {} are allocated", p.used, kTmemColumns, p.allocated);
  if (p.ctas == 1) return fmt::format("C {} × {} of {} lies {}.", p.m, p.n, p.name, where);
  const Taken taken = taken_of(p);
  const bool half = p.ctas == 2 && 2 * (taken.last_row - taken.first_row + 1) == p.m;
  return fmt::format("CTA {} of a pair has {} of C {} × {}, rows {}, {}.", p.cta, half ? "half" : "a part", p.m, p.n,
                     range(taken.first_row, taken.last_row), where);
}

// "; T64 is lane 0 of warp 2"; of the first warp it need not be said.
std::string lane_words(const Window& window) {
  const std::int64_t warp = window.lane / kTmemLanesOfAWarp;
  return warp == 0 ? std::string() : fmt::format("; T{} is lane 0 of warp {}", warp * kTmemLanesOfAWarp, warp);
}

// By how many loads the warp of a window reads all elements that it reaches.
std::int64_t loads_of_warp(const TmemPicture& p, const Window& window) {
  const std::int64_t first = window.lane / kTmemLanesOfAWarp * kTmemLanesOfAWarp;
  std::int64_t loads = 0;
  for (std::int64_t lane = first; lane < first + kTmemLanesOfAWarp; lane += p.ld_lanes) {
    for (std::int64_t column = 0; column < p.used; column += p.ld_columns) {
      bool any = false;
      for (std::int64_t i = 0; i < p.ld_lanes * p.ld_columns && !any; ++i)
        any = column + i / p.ld_lanes < p.used && p.lying(lane + i % p.ld_lanes, column + i / p.ld_lanes).m >= 0;
      loads += any;
    }
  }
  return loads;
}

std::vector<std::string> notes_of(const TmemPicture& p, const Window& window, std::string_view labels, bool by_element) {
  std::vector<std::string> notes;
  const bool has_register = labels == "register";
  const std::int64_t lanes = taken_of(p).lanes;
  if (p.ctas > 1) notes.emplace_back("the rest of C lies in the tensor memory of the pair's other CTA");
  if (lanes < kTmemLanes)
    notes.push_back(fmt::format("{}grey: no element; C is in {} of the {} lanes", has_register ? "dark " : "", lanes, kTmemLanes));
  else if (p.used < p.allocated && by_element)
    notes.push_back("grey: allocated, since columns are allocated in powers of two from 32 on, and not used");
  notes.push_back("warp w of a warpgroup reaches lanes 32·(w mod 4) to 32·(w mod 4) + 31, and no others");
  if (has_register) notes.push_back(fmt::format("at the right: thread T receives a cell in register r, by {}{}", p.ld, lane_words(window)));
  if (has_register && !by_element)
    notes.push_back(fmt::format("framed at the left: {}what one such load reads, {} lanes × {}; warp {} reads its part of C in {}",
                                window.columns < p.ld_columns ? fmt::format("{} columns of ", window.columns) : "", p.ld_lanes,
                                counted(p.ld_columns, "column"), window.lane / kTmemLanesOfAWarp,
                                counted(loads_of_warp(p, window), "load")));
  else if (!by_element)
    notes.emplace_back("framed at the left: what is opened at the right");
  if (window.asked) {
    const Lying& here = p.lying(window.asked->lane, window.asked->column);
    notes.push_back(fmt::format("framed at the right: C({},{}) lies in lane {}, column {}{}", here.m, here.n, window.asked->lane,
                                window.asked->column, !by_element && labels == "coordinate" ? "; its neighbours are paler" : ""));
  }
  return notes;
}

// The part that is opened, or all of it.
Window window_of(const TmemPicture& p, const TmemPlace& place, bool loaded) {
  Window window;
  window.lanes = loaded ? p.ld_lanes : kOpenedLanes;
  window.columns = std::min(loaded ? std::min(p.ld_columns, kMostOpened) : kOpenedColumns, p.allocated);
  const std::int64_t step = std::min(loaded ? p.ld_columns : kOpenedColumns, p.allocated);
  window.lane = place.lane / window.lanes * window.lanes;
  window.column = std::min(place.column / step * step, p.allocated - window.columns);
  return window;
}

// A cell for each lane and column that is allocated.
float add_elements(Scene& scene, const FigureSpec& spec, const TmemPicture& p, const Paints& paints, const Window& window,
                   std::string_view labels) {
  const float unit = type_scale(spec, window.lanes, window.columns);
  const Frame frame{0, 0, window.lanes, window.columns};
  Panel panel = element_panel(p, paints, window, frame, labels);
  add_axes(scene, panel, frame, {}, unit);
  add_axis_names(scene, panel, frame, unit);
  add_warps(scene, panel, frame, 1, unit);
  add_heading(scene, panel, 0, -1.15f * unit, p.name, unit);
  scene.panels.push_back(std::move(panel));
  return unit;
}

// The map, and a part of it opened.
float add_map(Scene& scene, const FigureSpec& spec, const TmemPicture& p, const Paints& paints, const Window& window,
              std::string_view labels) {
  constexpr float kWide = 2.5f;
  const std::int64_t each = columns_of_a_block(p);
  const Frame map{0, 0, kTmemLanes / kLanesOfABlock, p.used / each, kWide};
  const float w = labels == "none" ? 1 : cell_width(fmt::format("{},{}", p.m - 1, p.n - 1).size());
  const float unit = type_scale(spec, window.lanes, static_cast<std::int64_t>(map.width()) + window.columns);
  const Frame part{map.right() + 3.2f * unit, 0, window.lanes, window.columns, w};
  Panel overview = map_panel(scene, p, paints, map, each, unit);
  add_heading(scene, overview, map.x, map.y - 1.15f * unit,
              fmt::format("tensor memory{}: lanes 0-127, columns {}", p.ctas > 1 ? fmt::format(" of CTA {} of a pair", p.cta) : "",
                          range(0, p.used - 1)),
              unit);
  const auto scaled = [](std::int64_t n, std::int64_t a_cell) { return static_cast<float>(n) / static_cast<float>(a_cell); };
  const float left = map.x + map.w * scaled(window.column, each), top = map.y + scaled(window.lane, kLanesOfABlock);
  const float right = map.x + map.w * scaled(std::min(window.column + window.columns, p.used), each);
  const Bounds lit{left, top, right, top + scaled(window.lanes, kLanesOfABlock)};
  overview.marks.push_back(Outline{lit.x0, lit.y0, lit.width(), lit.height(), StrokeRole::highlight});
  // The lines follow the lanes to the map's edge: across its cells, straight ones would leave at lanes that are not opened.
  for (const float y : {lit.y0, lit.y1}) overview.marks.push_back(Line{lit.x1, y, map.right(), y, StrokeRole::boundary});
  add_opening(overview, map, {lit.x0, lit.y0, map.right(), lit.y1}, part, unit);
  scene.panels.push_back(std::move(overview));
  Panel panel = element_panel(p, paints, window, part, labels);
  add_scaled_axes(scene, panel, part, {window.lane, 1}, {window.column, 1}, unit);
  add_axis_names(scene, panel, part, unit);
  add_heading(scene, panel, part.x, part.y - 1.15f * unit,
              labels == "register" ? fmt::format("warp {}, by threads", window.lane / kTmemLanesOfAWarp)
                                   : fmt::format("(m,n) in lanes {}", range(window.lane, window.lane + window.lanes - 1)),
              unit);
  scene.panels.push_back(std::move(panel));
  return unit;
}

}  // namespace

Result<Scene> tmem_figure(const FigureSpec& spec) {
  TESSERA_CHECK(only_own_style(spec));
  TESSERA_TRY(cells, choice(spec, "cells", kTmemCellsChoices));
  TESSERA_TRY(asked, choice(spec, "labels", kTmemLabelChoices));
  TESSERA_TRY(color, choice(spec, "color", kTmemColorChoices));
  TESSERA_TRY(palette, Palette::find(spec.palette));
  TESSERA_TRY(p, tmem_picture(spec));
  TESSERA_TRY(place, tmem_opened(spec, p));
  const bool by_element = cells == "element";
  if (asked == "register" && p.registers.empty())
    return Error{ErrorCode::wrong_arity,
                 "labels=register needs a copy that hands tensor memory to threads",
                 {},
                 {"for example tmem_figure(mma, SM100_TMEM_LOAD_32dp32b8x)"}};
  const std::string_view labels = asked != "auto" ? asked : by_element ? "none" : p.registers.empty() ? "coordinate" : "register";
  Window window = by_element ? Window{0, kTmemLanes, 0, p.allocated} : window_of(p, place, labels == "register");
  const bool is_in = place.lane < window.lane + window.lanes && place.column < window.column + window.columns;
  if (!by_element && is_in && !parameter(spec, "at").empty()) window.asked = place;
  TESSERA_CHECK(take_cells(window.lanes * window.columns, 0, p.name));
  Scene scene = begin_scene(spec);
  scene.tensors = {"tensor memory"};
  // Hues are of threads where threads are shown: those of rows of C beside them would look like the same.
  const bool of_threads = labels == "register" && !by_element && parameter(spec, "color").empty();
  const std::string_view by = of_threads ? std::string_view("none") : color;
  const Paints paints{scene, palette, hues_of(p, by),
                      scene.color(on_page(of_threads ? Rgb{203, 208, 217} : Rgb{226, 229, 234}, scene.page)),
                      of_threads ? scene.color(on_page({236, 238, 243}, scene.page)) : kNoColor};
  const float unit = by_element ? add_elements(scene, spec, p, paints, window, labels) : add_map(scene, spec, p, paints, window, labels);
  Captions captions{sentence_of(p), notes_of(p, window, labels, by_element), {}, p.name};
  if (by != "none") captions.legends = legends_of(scene, p, paints);
  if (labels == "register" && !by_element) {  // the hues mean something else there
    for (Legend& legend : captions.legends) legend.words.insert(0, "at the left, ");
    captions.legends.push_back(quad_legend(scene, palette, window.lane / kTmemLanesOfAWarp));
    captions.legends.back().words.insert(0, "at the right, ");
  }
  return close_figure(std::move(scene), spec, std::move(captions), unit);
}

}  // namespace tessera
