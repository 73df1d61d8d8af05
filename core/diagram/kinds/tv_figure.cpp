// SPDX-License-Identifier: BSD-3-Clause
// Figures of thread-value layouts: which thread and value owns each cell of a tile, and the way back.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/budget.hpp"
#include "core/diagram/kinds/figure_kinds.hpp"
#include "core/diagram/kinds/tv_parts.hpp"
#include "core/diagram/parts/figure_parts.hpp"
#include "core/diagram/parts/reading_aids.hpp"

namespace tessera {

namespace {

// What tv and tv_inverse read: a (thr, val) layout and the tile that it numbers.
struct TvPicture {
  Layout layout_tv;               // (thr, val) -> (m, n), colexicographic
  std::optional<AnyLayout> data;  // (m, n) -> offset
  std::int64_t rows = 1, cols = 1;
};

Result<TvPicture> read_tile(const FigureSpec& spec, TvPicture picture) {
  if (spec.objects.size() > 1) {
    TESSERA_TRY(data, layout_object(spec, 1, "a data layout as its second object"));
    if (shape(data).rank() > 2)
      return Error{ErrorCode::rank_mismatch,
                   fmt::format("the data layout {} has {} modes; a tile has one or two", to_string(data), shape(data).rank()),
                   {},
                   {}};
    picture.rows = size(shape(data)[0]);
    picture.cols = size(data) / picture.rows;
    picture.data = std::move(data);
    return picture;
  }
  TESSERA_TRY(tile, tile_shape(spec, "tile"));
  picture.rows = tile ? tile->rows : 1;
  picture.cols = tile ? tile->cols : picture.layout_tv.cosize();
  return picture;
}

Result<TvPicture> read(const FigureSpec& spec) {
  TESSERA_TRY(first, layout_object(spec, 0, "a thread-value layout"));
  const Layout* plain = std::get_if<Layout>(&first);
  if (plain == nullptr || plain->rank() != 2 || plain->has_basis()) {
    return Error{ErrorCode::rank_mismatch,
                 fmt::format("a thread-value layout has two modes, (thr, val), and integer strides; {} does not", to_string(first)),
                 {},
                 {"for example ((2,4),(2,2)):((8,1),(4,16))"}};
  }
  TESSERA_CHECK(check_cells(plain->size(), to_string(*plain)));
  TESSERA_TRY(picture, read_tile(spec, TvPicture{*plain, {}, 1, 1}));
  TESSERA_CHECK(check_cells(count_product(picture.rows, picture.cols), "its tile"));
  return picture;
}

std::string sentence_of(const TvPicture& p, const OwnerMap& map) {
  return sentence(map.sentence("owns", fmt::format("the {} × {} tile", p.rows, p.cols)));
}

// Coordinates go on beyond the tile: index i is (i mod rows, i div rows), rounded down below 0.
struct Coordinate {
  std::int64_t row = 0, col = 0;
};
Coordinate coordinate_of(std::int64_t index, std::int64_t rows) {
  const std::int64_t row = (index % rows + rows) % rows;
  return {row, (index - row) / rows};
}

constexpr std::size_t kMostOutside = 16;  // columns that are drawn

// The columns beyond the tile that threads reach, ascending.
std::set<std::int64_t> columns_outside(const TvPicture& p, const OwnerMap& map) {
  std::set<std::int64_t> columns;
  for (const OwnerMap::Outside& each : map.outside()) columns.insert(coordinate_of(each.index, p.rows).col);
  return columns;
}

// "outside of the tile, in grey: 4 of the 32 pairs, T1 V3 at (0,7), T3 V3 at (0,8), ...; a kernel must leave them out"
std::string outside_note(const TvPicture& p, const OwnerMap& map, bool is_drawn) {
  constexpr std::size_t kNamed = 3;
  std::string named;
  for (std::size_t i = 0; i < map.outside().size() && i < kNamed; ++i) {
    const OwnerMap::Outside& each = map.outside()[i];
    const Coordinate at = coordinate_of(each.index, p.rows);
    named += fmt::format("{}T{} V{} at {}", i == 0 ? "" : ", ", each.owner.thread, each.owner.value,
                         p.rows > 1 ? fmt::format("({},{})", at.row, at.col) : std::to_string(each.index));
  }
  const std::size_t columns = columns_outside(p, map).size();
  return fmt::format("outside of the tile{}: {} of the {} values of all threads, {}{}; a kernel must leave them out{}",
                     is_drawn ? ", in grey" : "", map.outside().size(), p.layout_tv.size(), named,
                     map.outside().size() > kNamed ? ", ..." : "",
                     is_drawn && columns > kMostOutside ? fmt::format("; drawn: {} of {} columns", kMostOutside, columns) : std::string());
}

ColorIndex outside_color(Scene& scene) { return scene.color(on_page({226, 229, 234}, scene.page)); }

// The columns beyond the tile that threads reach, at the right of `tile`, each with its number; the first kMostOutside of them.
std::optional<Panel> outside_panel(Scene& scene, const TvPicture& p, const OwnerMap& map, const OwnerStyle& style, const Frame& tile,
                                   float unit) {
  std::map<std::int64_t, std::int64_t> columns_of;  // column beyond the tile -> its place in the panel
  std::int64_t next = 0;
  for (const std::int64_t col : columns_outside(p, map)) {
    if (next < static_cast<std::int64_t>(kMostOutside)) columns_of.emplace(col, next++);
  }
  if (columns_of.empty()) return std::nullopt;
  const Frame frame{tile.right() + 1.6f * unit, tile.y, p.rows, next};
  Panel panel{"outside of the tile", {}, "outside", PanelOperand::none, {"n", p.rows > 1 ? "m" : ""}};
  GridColumns cells = begin_grid(p.rows, next);
  cells.place = GridColumns::Place::given;
  for (auto* column : {&cells.thread, &cells.value, &cells.row, &cells.col}) column->resize(cells.size(), -1);
  cells.fills.resize(cells.size(), kNoColor);
  std::vector<std::string> labels(cells.size());
  const ColorIndex grey = outside_color(scene);
  for (const OwnerMap::Outside& each : map.outside()) {
    const Coordinate at = coordinate_of(each.index, p.rows);
    const auto found = columns_of.find(at.col);
    if (found == columns_of.end()) continue;
    const auto i = static_cast<std::size_t>(at.row * next + found->second);
    if (cells.thread[i] >= 0) continue;  // the first is drawn, as in the tile
    cells.thread[i] = each.owner.thread, cells.value[i] = each.owner.value;
    cells.row[i] = static_cast<std::int32_t>(at.row), cells.col[i] = static_cast<std::int32_t>(at.col);
    cells.fills[i] = grey;
    labels[i] = style.labels == "thread"       ? fmt::format("T{}", each.owner.thread)
                : style.labels == "value"      ? fmt::format("V{}", each.owner.value)
                : style.labels == "coordinate" ? fmt::format("{},{}", at.row, at.col)
                : style.labels == "tv"         ? fmt::format("T{}\nV{}", each.owner.thread, each.owner.value)
                                               : std::string();  // no data has offsets there
  }
  if (style.labels != "none") {
    for (const std::string& label : labels) cells.add_label(label);
  }
  add_owner_grid(panel, frame, std::move(cells));
  for (const auto& [col, place] : columns_of) {
    const Label number{frame.column(place) + frame.w / 2,
                       frame.y - 0.38f * unit,
                       scene.intern(std::to_string(col)),
                       LabelRole::axis,
                       Anchor::center,
                       kAxisType * unit};
    panel.marks.push_back(number);
  }
  add_heading(scene, panel, frame.x, tile.y - 1.15f * unit, "Outside", unit);
  return panel;
}

std::vector<std::string> notes_of(const TvPicture& p, const OwnerMap& map, const OwnerStyle& style, bool known_bits, bool draws_outside) {
  std::vector<std::string> notes = {fmt::format("tv = {} maps (thread, value) to m{}", to_string(p.layout_tv),
                                                p.rows == 1 ? std::string() : fmt::format(" + {} n", p.rows))};
  if (p.data && style.labels == "offset") notes.push_back(fmt::format("{}: (m, n) → offset", to_string(*p.data)));
  std::int64_t shared = 0, free = 0;
  for (std::int64_t c = 0; c < map.cols(); ++c) {
    for (std::int64_t r = 0; r < map.rows(); ++r) {
      shared += map.owners(r, c).size() > 1;
      free += map.owners(r, c).empty();
    }
  }
  if (shared > 0)
    notes.push_back(fmt::format("{} have more than one owner; {} is drawn", counted(shared, "cell"),
                                style.selected.empty() ? "the first" : "one that was asked for, or the first,"));
  if (free > 0) notes.push_back(fmt::format("{} {} no owner", counted(free, "cell"), free == 1 ? "has" : "have"));
  if (!map.outside().empty()) notes.push_back(outside_note(p, map, draws_outside));
  if (p.data && (style.color == "bank" || style.color == "chunk")) notes.push_back(bits_note(style.bits, known_bits));
  return notes;
}

Status check_data(const OwnerStyle& style, const TvPicture& p) {
  if (style.labels != "offset" || p.data) return Done{};
  return Error{ErrorCode::wrong_arity,
               "labels=offset wants the data layout whose offsets they are",
               {},
               {"give it as the second object: tv_figure(((2,4),(2,2)):((8,1),(4,16)), (4,8):(8,1), labels=offset)"}};
}

Result<OwnerStyle> with_data(OwnerStyle style, const FigureSpec& spec, Scene& scene, const TvPicture& p) {
  if (!p.data) return style;
  constexpr std::int32_t kUnknownBits = 32;
  TESSERA_TRY(bits, element_bits(spec));
  style.bits = static_cast<std::int32_t>(bits);
  if (bits == 0 && (style.color == "bank" || style.color == "chunk")) style.bits = kUnknownBits;
  scene.tensors = {to_string(*p.data)};
  style.tensor = 0;
  const AnyLayout& data = *p.data;  // outlives the cells' making
  const std::int64_t rows = p.rows;
  style.offset = [&data, rows](std::int64_t r, std::int64_t c) { return evaluate(data, r + rows * c); };
  return style;
}

// A cell for each thread and value, with the coordinate that it owns, and where there is data its offset.
GridColumns inverse_columns(const TvPicture& p, const OwnerStyle& style, const OwnerColors& colors, ColorIndex outside) {
  const std::int64_t threads = p.layout_tv[0].size(), values = p.layout_tv.size() / threads;
  GridColumns columns = begin_grid(threads, values);
  const std::size_t cells = columns.size();
  columns.place = GridColumns::Place::given;
  columns.tensor = style.offset ? 0 : -1;
  columns.bits = style.offset ? style.bits : 0;
  for (auto* column : {&columns.thread, &columns.value, &columns.row, &columns.col}) column->resize(cells, -1);
  columns.fills.resize(cells, kNoColor);
  if (style.offset) columns.address.resize(cells, -1);
  for (std::size_t i = 0; i < cells && !late(); ++i) {
    const std::int64_t t = static_cast<std::int64_t>(i) / values, v = static_cast<std::int64_t>(i) % values;
    const std::int64_t place = p.layout_tv(t, v);  // (thr, val) -> colexicographic index
    const auto [row, col] = coordinate_of(place, p.rows);
    const bool is_inside = place >= 0 && place < p.rows * p.cols;
    columns.thread[i] = static_cast<std::int32_t>(t);
    columns.value[i] = static_cast<std::int32_t>(v);
    columns.row[i] = static_cast<std::int32_t>(row);
    columns.col[i] = static_cast<std::int32_t>(col);
    std::string label = p.rows > 1 ? fmt::format("({},{})", row, col) : std::to_string(place);
    if (style.offset && !is_inside) label += "\n–";
    if (style.offset && is_inside) {
      columns.address[i] = style.offset(row, col);
      label += fmt::format("\n{}", columns.address[i]);
    }
    columns.add_label(label);
    columns.fills[i] = is_inside ? colors.fill({columns.thread[i], columns.value[i]}) : outside;
  }
  return columns;
}

}  // namespace

Result<OwnerStyle> owner_style(const FigureSpec& spec, std::span<const std::string_view> known_labels,
                               std::span<const std::string_view> known_colors) {
  OwnerStyle style;
  TESSERA_TRY(labels, choice(spec, "labels", known_labels));
  TESSERA_TRY(color, color_choice(spec, known_colors));
  TESSERA_TRY(selected, highlighted(spec));
  style.labels = labels;
  style.color = color;
  style.selected = std::move(selected);
  return style;
}

Status check_threads(const FigureSpec& spec, std::span<const std::int64_t> ids, std::string_view of) {
  TESSERA_TRY(selected, number_set(spec, "thread"));
  for (const std::int64_t thread : selected) {
    if (std::binary_search(ids.begin(), ids.end(), thread)) continue;
    const std::int64_t last = ids.empty() ? 0 : ids.back();
    const bool gaps = last + 1 != static_cast<std::int64_t>(ids.size());
    return Error{ErrorCode::out_of_range,
                 fmt::format("thread {} is not one of the {} threads of {}", thread, ids.size(), of),
                 {},
                 {fmt::format("threads are 0 to {}{}", last, gaps ? ", with gaps" : "")}};
  }
  return Done{};
}

Status check_threads(const FigureSpec& spec, std::int64_t count, std::string_view of) {
  TESSERA_TRY(selected, number_set(spec, "thread"));
  if (selected.empty() || *selected.rbegin() < count) return Done{};
  return Error{ErrorCode::out_of_range,
               fmt::format("thread {} is not one of the {} threads of {}", *selected.rbegin(), count, of),
               {},
               {fmt::format("threads are 0 to {}", count - 1)}};
}

std::string_view default_color(std::int64_t cells, std::int64_t threads) { return cells >= 2048 && threads > 32 ? "warp" : "thread"; }

Result<Scene> tv_figure(const FigureSpec& spec) {
  TESSERA_TRY(p, read(spec));
  TESSERA_TRY(map, OwnerMap::make_with_outside(p.layout_tv, p.rows, p.cols));
  TESSERA_TRY(palette, Palette::find(spec.palette));
  TESSERA_TRY(asked, owner_style(spec, kDataLabelChoices, kDataColorChoices));
  TESSERA_CHECK(check_data(asked, p));
  TESSERA_CHECK(check_threads(spec, p.layout_tv[0].size(), to_string(p.layout_tv)));
  Scene scene = begin_scene(spec);
  const Frame frame{0, 0, p.rows, p.cols};
  Panel panel{fmt::format("tile  {} × {}", p.rows, p.cols), {}, "tile", PanelOperand::none, {"n", p.rows > 1 ? "m" : ""}};
  if (spec.style == FigureStyle::print_latex) {
    if (!map.outside().empty())  // print_latex_tv writes beyond its own memory there
      return Error{ErrorCode::out_of_range, outside_note(p, map, false), {}, {"Tessera's own style draws them apart"}};
    scene.comments = {"Layout TV: " + print_of_coordinates(p.layout_tv, p.rows, p.cols)};
    add_latex_owner_cells(scene, panel, frame, p.layout_tv, p.rows, p.cols, palette, false);
    add_latex_axes(scene, panel, frame, -1, -1);
    scene.panels.push_back(std::move(panel));
    return scene;
  }
  TESSERA_CHECK(only_own_style(spec));
  const float unit = type_scale(spec, p.rows, p.cols);
  const OwnerColors colors(scene, palette, map.threads(), map.values(), asked.color);
  TESSERA_TRY(style, with_data(asked, spec, scene, p));
  add_owner_grid(panel, frame, owner_columns(map, colors, style));
  add_axes(scene, panel, frame, {p.rows > 1, true}, unit);
  add_axis_names(scene, panel, frame, unit);
  add_heading(scene, panel, 0, -1.15f * unit, "Who owns each element", unit);
  scene.panels.push_back(std::move(panel));
  // A part of the tile, and one in pieces, stand alone.
  const bool is_whole = parameter(spec, "crop").empty() && (parameter(spec, "fold").empty() || parameter(spec, "fold") == "1");
  std::optional<Panel> outside = is_whole ? outside_panel(scene, p, map, style, frame, unit) : std::nullopt;
  TESSERA_TRY(painted, paint(scene, spec, palette, style.color, {}));
  if (outside) scene.panels.push_back(std::move(*outside));  // behind painting: it keeps its grey
  Captions captions{sentence_of(p, map),
                    notes_of(p, map, style, element_bits(spec).value_or(0) > 0, is_whole),
                    {colors.legend(), std::move(painted), shared_legend(scene)}};
  return close_figure(std::move(scene), spec, std::move(captions), unit);
}

Result<Scene> tv_inverse_figure(const FigureSpec& spec) {
  TESSERA_CHECK(only_own_style(spec));
  TESSERA_TRY(p, read(spec));
  TESSERA_TRY(map, OwnerMap::make_with_outside(p.layout_tv, p.rows, p.cols));
  TESSERA_TRY(palette, Palette::find(spec.palette));
  TESSERA_TRY(asked, owner_style(spec, kDataLabelChoices, kDataColorChoices));
  TESSERA_CHECK(check_threads(spec, p.layout_tv[0].size(), to_string(p.layout_tv)));
  Scene scene = begin_scene(spec);
  TESSERA_TRY(style, with_data(asked, spec, scene, p));
  const std::int64_t threads = p.layout_tv[0].size(), values = map.values();
  const OwnerColors colors(scene, palette, map.threads(), values, style.color);
  Panel panel{"thread × value", {}, "tv", PanelOperand::none, {"value", "thread"}};
  GridColumns columns = inverse_columns(p, style, colors, outside_color(scene));
  std::size_t longest = 1;  // line of a label
  for (std::size_t i = 0; i < columns.size() && i < columns.label_ends.size(); ++i)
    longest = std::max(longest, columns.label(i).substr(0, columns.label(i).find('\n')).size());
  const Frame frame{0, 0, threads, values, cell_width(longest + 1)};
  const float unit = type_scale(spec, threads, static_cast<std::int64_t>(frame.width()));
  add_owner_grid(panel, frame, std::move(columns));
  add_divisions(panel, frame, p.layout_tv.shape()[0], p.layout_tv.shape()[1]);
  add_tv_axes(scene, panel, frame, unit);
  add_heading(scene, panel, 0, -1.15f * unit, "Where each thread's values lie", unit);
  scene.panels.push_back(std::move(panel));
  TESSERA_TRY(painted, paint(scene, spec, palette, style.color, std::pair{p.rows, p.cols}));
  const std::string rows = threads == 1 ? "The row lists" : fmt::format("Each of {} rows lists", threads);
  const std::string held = values == 1 ? "the one value of a thread lies" : fmt::format("the {} values of a thread lie", values);
  const std::string sentence = fmt::format("{} where {} in the {} × {} tile.", rows, held, p.rows, p.cols);
  Captions captions{sentence, notes_of(p, map, style, element_bits(spec).value_or(0) > 0, true), {colors.legend(), std::move(painted)}};
  captions.notes.insert(captions.notes.begin(), fmt::format("in a cell: {}{}", p.rows > 1 ? "(m,n)" : "the place",
                                                            style.offset ? ", and below it the offset" : ""));
  say_divisions(captions);
  return close_figure(std::move(scene), spec, std::move(captions), unit);
}

}  // namespace tessera
