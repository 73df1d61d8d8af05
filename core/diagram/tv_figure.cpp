// SPDX-License-Identifier: BSD-3-Clause
// Figures of thread-value layouts: which thread and value owns each cell of a tile, and the way back.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/budget.hpp"
#include "core/diagram/aids.hpp"
#include "core/diagram/figure_kinds.hpp"
#include "core/diagram/figure_parts.hpp"
#include "core/diagram/tv_parts.hpp"

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

std::vector<std::string> notes_of(const TvPicture& p, const OwnerMap& map, const OwnerStyle& style, bool known_bits) {
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
GridColumns inverse_columns(const TvPicture& p, const OwnerStyle& style, const OwnerColors& colors) {
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
    const std::int64_t row = place % p.rows, col = place / p.rows;
    columns.thread[i] = static_cast<std::int32_t>(t);
    columns.value[i] = static_cast<std::int32_t>(v);
    columns.row[i] = static_cast<std::int32_t>(row);
    columns.col[i] = static_cast<std::int32_t>(col);
    std::string label = p.rows > 1 ? fmt::format("({},{})", row, col) : std::to_string(place);
    if (style.offset) {
      columns.address[i] = style.offset(row, col);
      label += fmt::format("\n{}", columns.address[i]);
    }
    columns.add_label(label);
    columns.fills[i] = colors.fill({columns.thread[i], columns.value[i]});
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
  TESSERA_TRY(map, OwnerMap::make(p.layout_tv, p.rows, p.cols));
  TESSERA_TRY(palette, Palette::find(spec.palette));
  TESSERA_TRY(asked, owner_style(spec, kDataLabelChoices, kDataColorChoices));
  TESSERA_CHECK(check_data(asked, p));
  TESSERA_CHECK(check_threads(spec, p.layout_tv[0].size(), to_string(p.layout_tv)));
  Scene scene = begin_scene(spec);
  const Frame frame{0, 0, p.rows, p.cols};
  Panel panel{fmt::format("tile  {} × {}", p.rows, p.cols), {}, "tile", PanelOperand::none, {"n", p.rows > 1 ? "m" : ""}};
  if (spec.style == FigureStyle::print_latex) {
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
  TESSERA_TRY(painted, paint(scene, spec, palette, style.color, {}));
  Captions captions{sentence_of(p, map),
                    notes_of(p, map, style, element_bits(spec).value_or(0) > 0),
                    {colors.legend(), std::move(painted), shared_legend(scene)}};
  return close_figure(std::move(scene), spec, std::move(captions), unit);
}

Result<Scene> tv_inverse_figure(const FigureSpec& spec) {
  TESSERA_CHECK(only_own_style(spec));
  TESSERA_TRY(p, read(spec));
  TESSERA_TRY(map, OwnerMap::make(p.layout_tv, p.rows, p.cols));
  TESSERA_TRY(palette, Palette::find(spec.palette));
  TESSERA_TRY(asked, owner_style(spec, kDataLabelChoices, kDataColorChoices));
  TESSERA_CHECK(check_threads(spec, p.layout_tv[0].size(), to_string(p.layout_tv)));
  Scene scene = begin_scene(spec);
  TESSERA_TRY(style, with_data(asked, spec, scene, p));
  const std::int64_t threads = p.layout_tv[0].size(), values = map.values();
  const OwnerColors colors(scene, palette, map.threads(), values, style.color);
  Panel panel{"thread × value", {}, "tv", PanelOperand::none, {"value", "thread"}};
  GridColumns columns = inverse_columns(p, style, colors);
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
  Captions captions{sentence, notes_of(p, map, style, element_bits(spec).value_or(0) > 0), {colors.legend(), std::move(painted)}};
  captions.notes.insert(captions.notes.begin(), fmt::format("in a cell: {}{}", p.rows > 1 ? "(m,n)" : "the place",
                                                            style.offset ? ", and below it the offset" : ""));
  say_divisions(captions);
  return close_figure(std::move(scene), spec, std::move(captions), unit);
}

}  // namespace tessera
