// SPDX-License-Identifier: BSD-3-Clause
// Colours of cells by what they stand for: rows, columns, addresses, and layouts of colours.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/budget.hpp"
#include "core/diagram/parts/reading_aids.hpp"
#include "core/diagram/scene/panel_part.hpp"
#include "core/layout/algebra.hpp"
#include "core/layout/composed_algebra.hpp"

namespace tessera {

namespace {

constexpr std::int64_t kChunkBits = 128, kRampSteps = 64, kBanks = 32;
constexpr std::int64_t kChunkHues = 8;  // as many as a row of all banks has

struct TileOf {
  std::int64_t rows = 0, cols = 0;
};

// Rows and columns that a grid's coordinates count.
TileOf tile_of(const GridColumns& grid, const std::optional<std::pair<std::int64_t, std::int64_t>>& tile) {
  if (grid.place == GridColumns::Place::drawn) return {grid.rows, grid.cols};
  if (grid.place == GridColumns::Place::transposed) return {grid.cols, grid.rows};
  return tile ? TileOf{tile->first, tile->second} : TileOf{grid.rows, grid.cols};
}

template <class Id>
void fill_by(Scene& scene, GridColumns& columns, const Palette& palette, std::int64_t count, Id id) {
  std::vector<ColorIndex> made;
  for (std::size_t i = 0; i < columns.size() && !late(); ++i) {
    const std::int64_t n = id(columns.subject(i));
    if (n < 0) continue;
    const auto slot = static_cast<std::size_t>(n % 256);
    if (slot >= made.size()) made.resize(slot + 1, kNoColor);
    if (made[slot] == kNoColor) made[slot] = scene.color(palette.category(n % 256, count));
    columns.fills[i] = made[slot];
  }
}

template <class Use>
void each_grid(Scene& scene, Use use) {
  for (Panel& panel : scene.panels) {
    const PanelOperand operand = panel.operand;
    for (Mark& mark : panel.marks) {
      auto* grid = std::get_if<Grid>(&mark);
      if (!grid || !grid->of->has_subjects()) continue;
      GridColumns columns = *grid->of;
      columns.fills.resize(columns.size(), kNoColor);
      if constexpr (std::is_invocable_v<Use, GridColumns&, PanelOperand>)
        use(columns, operand);
      else
        use(columns);
      grid->of = std::make_shared<const GridColumns>(std::move(columns));
    }
  }
}

Legend by_offset(Scene& scene, const Palette& palette, const std::optional<std::pair<std::int64_t, std::int64_t>>& shared) {
  std::vector<OffsetRange> ranges;
  each_grid(scene, [&](GridColumns& columns) {
    if (columns.address.empty()) return;
    const auto ends = std::minmax_element(columns.address.begin(), columns.address.end());
    const auto [least, most] = shared.value_or(std::pair{*ends.first, *ends.second});
    ranges.push_back({least, most});
    std::vector<ColorIndex> steps;
    for (std::int64_t i = 0; i < kRampSteps; ++i) steps.push_back(scene.color(palette.ramp(static_cast<double>(i) / (kRampSteps - 1))));
    for (std::size_t i = 0; i < columns.size(); ++i)
      columns.fills[i] = steps[static_cast<std::size_t>(ramp_place(columns.address[i], least, most) * (kRampSteps - 1) + 0.5)];
  });
  const bool alike = !ranges.empty() && std::count(ranges.begin(), ranges.end(), ranges.front()) == std::ssize(ranges);
  return ramp_legend(scene, palette, alike ? std::optional(ranges.front()) : std::nullopt);
}

// By row or column of the picture; one of several operands may have none.
Legend by_place(Scene& scene, const Palette& palette, Selects what, const std::optional<std::pair<std::int64_t, std::int64_t>>& tile) {
  const auto operands =
      std::count_if(scene.panels.begin(), scene.panels.end(), [](const Panel& p) { return p.operand != PanelOperand::none; });
  std::int64_t count = 1;
  const auto number = [&](const GridColumns& columns, PanelOperand operand, const Subject& subject) {
    return number_of({subject, operand, operands > 1, columns.place == GridColumns::Place::transposed}, what);
  };
  each_grid(scene, [&](GridColumns& columns, PanelOperand operand) {
    std::fill(columns.fills.begin(), columns.fills.end(), kNoColor);
    const TileOf of = tile_of(columns, tile);
    Subject last;
    last.row = static_cast<std::int32_t>(of.rows - 1);
    last.col = static_cast<std::int32_t>(of.cols - 1);
    count = std::max(count, number(columns, operand, last) + 1);
  });
  each_grid(scene, [&](GridColumns& columns, PanelOperand operand) {
    fill_by(scene, columns, palette, count, [&](const Subject& s) { return number(columns, operand, s); });
  });
  return category_legend(scene, palette, what == Selects::row ? "row" : "column", count);
}

bool is_known(const Scene& scene, bool with_bits) {
  for (const Panel& panel : scene.panels) {
    for (const Mark& mark : panel.marks) {
      const auto* grid = std::get_if<Grid>(&mark);
      if (grid && !grid->of->address.empty() && (!with_bits || grid->of->bits > 0)) return true;
    }
  }
  return false;
}

Legend by_bank(Scene& scene, const Palette& palette) {
  each_grid(scene, [&](GridColumns& columns) {
    if (columns.bits == 0) return;
    fill_by(scene, columns, palette, kBanks, [](const Subject& s) { return std::int64_t{s.bank}; });
  });
  Legend legend = category_legend(scene, palette, "bank", kBanks);
  legend.words = "colour: the bank of shared memory, 0 to 31; hue: bank div 4, shade: bank mod 4";
  legend.numbered = true;
  return legend;
}

// Fills a grid that lies in shared memory; the last chunk.
std::int64_t fill_by_chunk(Scene& scene, GridColumns& columns, const Palette& palette) {
  std::int64_t most = 0;
  fill_by(scene, columns, palette, kChunkHues, [&](const Subject& s) {
    if (s.address < 0) return std::int64_t{-1};
    const std::int64_t chunk = (s.address * columns.bits + 8 * columns.byte_offset) / kChunkBits;
    most = std::max(most, chunk);
    return chunk % kChunkHues;
  });
  return most;
}

Legend by_chunk(Scene& scene, const Palette& palette) {
  std::int64_t most = 0;
  each_grid(scene, [&](GridColumns& columns) {
    if (columns.bits > 0) most = std::max(most, fill_by_chunk(scene, columns, palette));
  });
  Legend legend = category_legend(scene, palette, "16-byte chunk", std::min(most + 1, kChunkHues));
  legend.words =
      std::string(most >= kChunkHues ? "colour: which 16-byte chunk (4 banks) of the 128-byte row of banks" : "colour: the 16-byte chunk");
  legend.numbered = true;
  return legend;
}

std::int64_t size_of(const TileOf& tile, std::int64_t panels) { return count_product(count_product(tile.rows, tile.cols), panels); }

bool fits(const AnyLayout& colors, const TileOf& tile, std::int64_t panels) {
  const Shape& s = shape(colors);
  if (size(colors) != size_of(tile, panels)) return false;
  return s.rank() < 2 || tile.cols == 1 || tile.rows == 1 || (size(s[0]) == tile.rows && size(s[1]) == tile.cols);
}

Result<Legend> by_layout(Scene& scene, const Palette& palette, const AnyLayout& colors,
                         const std::optional<std::pair<std::int64_t, std::int64_t>>& given) {
  const auto panels = std::max<std::int64_t>(1, static_cast<std::int64_t>(scene.rests.size()));
  std::set<std::int64_t> values;
  for (std::int64_t i = 0; i < size(colors) && !late(); ++i) values.insert(evaluate(colors, i));
  const std::vector<std::int64_t> ranks(values.begin(), values.end());
  std::string tiles;
  bool any = false;
  const std::int64_t count = static_cast<std::int64_t>(ranks.size());
  each_grid(scene, [&](GridColumns& columns) {
    const TileOf tile = tile_of(columns, given);
    tiles = fmt::format("{}{}{} × {}{}", tiles, tiles.empty() ? "" : ", ", tile.rows, tile.cols,
                        panels > 1 ? fmt::format(" × {}", panels) : "");
    std::fill(columns.fills.begin(), columns.fills.end(), kNoColor);
    if (!fits(colors, tile, panels)) return;
    any = true;
    fill_by(scene, columns, palette, count, [&](const Subject& s) {
      if (s.row < 0 || s.col < 0) return std::int64_t{-1};
      const std::int64_t value = evaluate(colors, s.row + tile.rows * (s.col + tile.cols * std::max(s.rest, 0)));
      return static_cast<std::int64_t>(std::lower_bound(ranks.begin(), ranks.end(), value) - ranks.begin());
    });
  });
  if (!any) {
    const std::size_t first = tiles.find(", ");
    const bool same = panels > 1;  // all panels are of one size
    return Error{ErrorCode::rank_mismatch,
                 fmt::format("color={} colours a tile of shape {}, and the figure's is {}", to_string(colors), to_string(shape(colors)),
                             same ? tiles.substr(0, first) : tiles),
                 {},
                 {"its shape is the tile's: every coordinate has its colour"}};
  }
  Legend legend = category_legend(scene, palette, "value", count);
  legend.words = fmt::format("colour: the value of {}", to_string(colors));
  legend.numbered = count == static_cast<std::int64_t>(legend.hues.size());
  legend.numbers = ranks;
  return legend;
}

}  // namespace

bool has_color(const FigureSpec& spec) { return spec.color_layout.has_value() || !parameter(spec, "color").empty(); }

Result<std::string_view> color_choice(const FigureSpec& spec, std::span<const std::string_view> choices) {
  if (spec.color_layout) return std::string_view("layout");
  TESSERA_TRY(word, choice(spec, "color", choices));
  return word == "column" ? std::string_view("col") : word;
}

Legend category_legend(Scene& scene, const Palette& palette, std::string_view name, std::int64_t count) {
  Legend legend;
  if (count < 2) return legend;
  const std::int64_t shades = std::clamp<std::int64_t>((count + 7) / 8, 1, 4);
  for (std::int64_t i = 0; i < count && i < 8 * shades; i += shades)  // the last shade of each is the strongest
    legend.hues.push_back(scene.color(palette.category(std::min(i + shades, count) - 1, count)));
  legend.words = shades == 1 ? fmt::format("hue: the {}", name)
                             : fmt::format("hue: {} div {}{}; shade: {} mod {}", name, shades, count > 8 * shades ? ", again after 8" : "",
                                           name, shades);
  legend.numbered = count <= 8 * shades;
  return legend;
}

Legend ramp_legend(Scene& scene, const Palette& palette, const std::optional<OffsetRange>& range, std::string_view what) {
  const std::string ends = range                  ? fmt::format("{} to {}", range->least, range->most)
                           : scene.page == Page{} ? "from light to dark"
                                                  : "from dark to light";
  Legend legend{{}, fmt::format("colour: the {}, {}", what, ends)};
  for (int i = 0; i < 8; ++i) legend.hues.push_back(scene.color(palette.ramp(i / 7.0)));
  return legend;
}

Result<Legend> paint(Scene& scene, const FigureSpec& spec, const Palette& palette, std::string_view by,
                     std::optional<std::pair<std::int64_t, std::int64_t>> tile) {
  if (by == "layout") return by_layout(scene, palette, *spec.color_layout, tile);
  if (by == "row" || by == "col") return by_place(scene, palette, by == "row" ? Selects::row : Selects::col, tile);
  if (by != "offset" && by != "bank" && by != "chunk") return Legend{};
  if (!is_known(scene, by != "offset")) {
    return Error{
        ErrorCode::wrong_type,
        fmt::format("color={} wants {}, which this figure does not know", by, by == "offset" ? "offsets" : "addresses in shared memory"),
        {},
        {by == "offset" ? "give a data layout: tv_figure(tv, data, color=offset)"
                        : "give a data layout: tv_figure(tv, data, color=bank, bits=16)"}};
  }
  return by == "offset" ? by_offset(scene, palette, spec.ramp) : by == "bank" ? by_bank(scene, palette) : by_chunk(scene, palette);
}

std::optional<std::pair<std::int64_t, std::int64_t>> offsets_of(const Scene& scene) {
  std::optional<std::pair<std::int64_t, std::int64_t>> range;
  for (const Panel& panel : scene.panels) {
    for (const Mark& mark : panel.marks) {
      const auto* grid = std::get_if<Grid>(&mark);
      if (!grid || grid->of->address.empty()) continue;
      const auto [least, most] = std::minmax_element(grid->of->address.begin(), grid->of->address.end());
      range = range ? std::pair{std::min(range->first, *least), std::max(range->second, *most)} : std::pair{*least, *most};
    }
  }
  return range;
}

OwnHues color_apart(Scene& scene, GridColumns& columns) {
  const bool one = !columns.fills.empty() &&
                   std::all_of(columns.fills.begin(), columns.fills.end(), [&](ColorIndex fill) { return fill == columns.fills.front(); });
  const Result<Palette> palette = Palette::find(scene.palette_name);
  if (!one || !columns.faint.empty() || !palette) return {};
  if (columns.bits > 0 && !columns.address.empty()) {
    fill_by_chunk(scene, columns, *palette);
    return {category_legend(scene, *palette, "chunk", kChunkHues).hues, "the 16-byte chunk of a 128-byte row"};
  }
  if (columns.thread.empty()) return {};
  constexpr std::int64_t kWarp = 32;  // eight hues of four shades
  fill_by(scene, columns, *palette, kWarp, [](const Subject& s) { return s.thread < 0 ? std::int64_t{-1} : s.thread % kWarp; });
  return {category_legend(scene, *palette, "T", kWarp).hues, "the quad of the warp; shade: T mod 4, faint to strong"};
}

}  // namespace tessera
