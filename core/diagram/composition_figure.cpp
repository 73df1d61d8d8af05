// SPDX-License-Identifier: BSD-3-Clause
// The figure of a composition: B gives an index, A takes it, and the result has at B's coordinate what A has there.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "core/base/budget.hpp"
#include "core/diagram/aids.hpp"
#include "core/diagram/figure_kinds.hpp"
#include "core/diagram/tile_parts.hpp"
#include "core/layout/algebra.hpp"
#include "core/layout/composed_algebra.hpp"

namespace tessera {

namespace {

constexpr std::size_t kFollowed = 3;  // elements that arrows follow where none are asked for
constexpr std::size_t kMostFollowed = 16;

struct CompositionPicture {
  AnyLayout a, b, result;
  std::vector<std::int64_t> index, offset;  // by B's 1-D coordinate: what B gives, and what A has there
  std::vector<std::int64_t> followed;       // 1-D coordinates of B
};

// At the second, the middle and the last coordinate: the first is mostly 0 on 0.
std::vector<std::int64_t> some_of(std::int64_t count) {
  std::vector<std::int64_t> chosen{std::min<std::int64_t>(1, count - 1), count / 2, count - 1};
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  static_assert(kFollowed == 3);
  return chosen;
}

Result<CompositionPicture> read(const FigureSpec& spec) {
  CompositionPicture p;
  TESSERA_TRY(a, layout_object(spec, 0, "the layout A"));
  TESSERA_TRY(b, layout_object(spec, 1, "the layout B, whose values A takes, as its second object"));
  for (const AnyLayout* each : {&a, &b}) {
    if (!layout_part(*each).has_basis()) continue;
    return Error{ErrorCode::wrong_type,
                 fmt::format("{} gives coordinates; this figure follows indices and offsets", to_string(*each)),
                 {},
                 {"draw the composition itself: layout_figure(composition(A, B))"}};
  }
  if (size(a) > kMostTileCells || size(b) > kMostTileCells)
    return Error{
        ErrorCode::limit,
        fmt::format("a composition is drawn of up to {} elements, and this one has {}", kMostTileCells, std::max(size(a), size(b))),
        {},
        {}};
  TESSERA_TRY(result, composition(a, b));
  TESSERA_CHECK(take_cells(size(a) + 2 * size(b), 0, to_string(a)));
  for (std::int64_t i = 0; i < size(b) && !late(); ++i) {
    p.index.push_back(evaluate(b, i));
    p.offset.push_back(evaluate(result, i));
  }
  TESSERA_TRY(asked, number_set(spec, "elements"));
  for (const std::int64_t i : asked) {
    if (i < size(b)) continue;
    return Error{ErrorCode::out_of_range,
                 fmt::format("elements={} is no coordinate of {}", i, to_string(b)),
                 {},
                 {fmt::format("its 1-D coordinates are 0 to {}", size(b) - 1)}};
  }
  if (asked.size() > kMostFollowed)
    return Error{
        ErrorCode::limit, fmt::format("arrows follow up to {} elements, and {} are asked for", kMostFollowed, asked.size()), {}, {}};
  p.followed.assign(asked.begin(), asked.end());
  if (p.followed.empty()) p.followed = some_of(size(b));
  p.a = std::move(a);
  p.b = std::move(b);
  p.result = std::move(result);
  return p;
}

// The place of a 1-D coordinate in a grid.
struct At {
  std::int64_t r = 0, c = 0;
};
At place_of(const Shape& shape, const TileExtent& extent, std::int64_t i) {
  return shape.rank() > 1 ? At{i % extent.rows, i / extent.rows} : At{i / extent.cols, i % extent.cols};
}

struct GridOf {
  std::string id, heading, gives;  // gives: what stands in its cells
  const AnyLayout* layout = nullptr;
  std::int32_t tensor = 0;
  std::vector<std::string> labels;  // by 1-D coordinate
  std::vector<ColorIndex> fills;
  std::vector<std::int64_t> address;
};

Panel grid_panel(Scene& scene, const GridOf& of, const Frame& frame, bool beside, float unit) {
  Panel panel{of.heading, {}, of.id};
  const Shape& s = shape(*of.layout);
  const TileExtent extent{frame.rows, frame.cols};
  const std::int64_t rows = s.rank() > 1 ? frame.rows : size(*of.layout);
  GridColumns columns = begin_grid(frame.rows, frame.cols);
  columns.place = GridColumns::Place::given;
  columns.tensor = of.tensor;
  for (std::int64_t r = 0; r < frame.rows; ++r) {
    for (std::int64_t c = 0; c < frame.cols; ++c) {
      const std::int64_t i = tile_index(s, extent, r, c);
      const auto at = static_cast<std::size_t>(i);
      columns.row.push_back(static_cast<std::int32_t>(i % rows));
      columns.col.push_back(static_cast<std::int32_t>(i / rows));
      columns.address.push_back(std::max<std::int64_t>(of.address[at], -1));
      columns.fills.push_back(of.fills[at]);
      columns.add_label(of.labels[at]);
    }
  }
  add_grid(panel, frame, std::move(columns));
  add_frame(panel, frame);
  add_divisions(panel, frame, s.rank() > 1 ? s[0] : IntTuple(1), s.rank() > 1 ? s[1] : frame.rows == 1 ? s[0] : IntTuple(1));
  add_axes(scene, panel, frame, {frame.rows > 1, true}, unit);
  if (beside) {
    add_heading(scene, panel, frame.x, frame.y - 1.15f * unit, of.heading, unit);
    panel.marks.push_back(
        Label{frame.x, frame.bottom() + 0.42f * unit, scene.intern(of.gives), LabelRole::legend, Anchor::left, 0.36f * unit});
    return panel;
  }
  // Above and below a strip are arrows.
  const float left = frame.x - 0.9f * unit, middle = frame.y + static_cast<float>(frame.rows) / 2;
  panel.marks.push_back(Label{left, middle - 0.26f * unit, scene.intern(of.heading), LabelRole::panel_name, Anchor::right, 0.46f * unit});
  panel.marks.push_back(Label{left, middle + 0.32f * unit, scene.intern(of.gives), LabelRole::legend, Anchor::right, 0.36f * unit});
  return panel;
}

struct CellOf {
  const Frame& frame;
  At at;
};

// From cell to cell. What stands in other cells, and the numbers beside them, stay readable: within a grid an arrow runs near the edge of
// the cell's row (or, below each other, its column), on the side where it comes from or goes to.
void follow(Panel& panel, const CellOf& from, const CellOf& to, bool beside, float unit, std::uint32_t subject) {
  constexpr float kFromEdge = 0.1f;  // of a cell: beside its label
  struct Point {
    float x = 0, y = 0;
  };
  const auto across = [&](const CellOf& cell, float share) {
    const Frame& frame = cell.frame;
    return beside ? frame.y + static_cast<float>(cell.at.r) + share : frame.column(cell.at.c) + frame.w * share;
  };
  const float begin = across(from, 0), end = across(to, 0);
  const bool is_last = beside ? from.at.c + 1 == from.frame.cols : from.at.r + 1 == from.frame.rows;
  const float leaves = across(from, is_last ? 0.5f : end < begin ? kFromEdge : 1 - kFromEdge);
  const float enters = across(to, end < begin ? 1 - kFromEdge : kFromEdge);
  const auto point = [&](float along, float at) { return beside ? Point{along, at} : Point{at, along}; };
  const float side = beside ? from.frame.column(from.at.c + 1) : from.frame.y + static_cast<float>(from.at.r + 1);
  const float out = (beside ? from.frame.right() : from.frame.bottom()) + 0.12f * unit;
  const float in = (beside ? to.frame.x : to.frame.y) - (beside ? 0.72f : 0.7f) * unit;
  const float cell = beside ? to.frame.column(to.at.c) : to.frame.y + static_cast<float>(to.at.r);
  const Point way[] = {point(side, leaves), point(out, leaves), point(in, enters), point(cell, enters)};
  for (std::size_t i = 0; i + 2 < std::size(way); ++i)
    panel.marks.push_back(Line{way[i].x, way[i].y, way[i + 1].x, way[i + 1].y, StrokeRole::boundary, kNoColor, subject});
  panel.marks.push_back(Arrow{way[2].x, way[2].y, way[3].x, way[3].y, kNoColor, subject});
}

std::string coordinate(const AnyLayout& layout, std::int64_t i) { return to_string(idx2crd(i, shape(layout))); }

}  // namespace

Result<Scene> composition_figure(const FigureSpec& spec) {
  TESSERA_CHECK(only_own_style(spec));
  TESSERA_TRY(palette, Palette::find(spec.palette));
  TESSERA_TRY(p, read(spec));
  Scene scene = begin_scene(spec);
  scene.tensors = {"A's index", "A's offset"};
  const std::int64_t of_a = size(p.a), of_b = size(p.b);
  GridOf b{"B", fmt::format("B = {}", to_string(p.b)), "an index into A", &p.b, 0, {}, {}, {}};
  GridOf a{"A", fmt::format("A = {}", to_string(p.a)), "its index over its offset", &p.a, 1, {}, {}, {}};
  GridOf c{"composition", fmt::format("A o B = {}", to_string(p.result)), "an offset", &p.result, 1, {}, {}, {}};
  a.fills.assign(static_cast<std::size_t>(of_a), kNoColor);
  std::int64_t beyond = 0;
  std::unordered_map<std::int64_t, std::int64_t> first_of;  // by index, the 1-D coordinate of B
  for (std::int64_t i = 0; i < of_b; ++i) {
    const auto at = static_cast<std::size_t>(i);
    // Equal indices are in the colour of the first coordinate that gives them.
    const std::int64_t known = first_of.try_emplace(p.index[at], i).first->second;
    const ColorIndex fill = scene.color(palette.ramp(ramp_place(known, 0, of_b - 1)));
    b.labels.push_back(std::to_string(p.index[at]));
    c.labels.push_back(std::to_string(p.offset[at]));
    b.fills.push_back(fill);
    c.fills.push_back(fill);
    b.address.push_back(p.index[at]);
    c.address.push_back(p.offset[at]);
    if (p.index[at] >= 0 && p.index[at] < of_a)
      a.fills[static_cast<std::size_t>(p.index[at])] = fill;
    else
      ++beyond;
  }
  for (std::int64_t i = 0; i < of_a; ++i) {
    const std::int64_t offset = evaluate(p.a, i);
    a.labels.push_back(fmt::format("{}\n{}", i, offset));
    a.address.push_back(offset);
  }
  std::size_t longest = 1;
  for (const GridOf* grid : {&a, &b, &c}) {
    for (const std::string& label : grid->labels)
      longest = std::max(
          longest, label.find('\n') == std::string::npos ? label.size() : std::max(label.find('\n'), label.size() - label.find('\n') - 1));
  }
  const float w = cell_width(longest);
  const TileExtent in_a = tile_extent(shape(p.a)), in_b = tile_extent(shape(p.b));
  const std::int64_t cols = in_a.cols + 2 * in_b.cols, most_rows = std::max(in_a.rows, in_b.rows);
  const bool beside = w * static_cast<float>(cols) <= 46 && in_a.rows > 1 && in_b.rows > 1;  // arrows say rows, or else columns
  const float unit = type_scale(spec, beside ? most_rows : in_a.rows + 2 * in_b.rows,
                                static_cast<std::int64_t>(w * static_cast<float>(beside ? cols : std::max(in_a.cols, in_b.cols))));
  // B, A and the result from left to right, or below each other; headings have room, and so have arrows.
  Frame frames[3];
  const GridOf* grids[3] = {&b, &a, &c};
  float x = 0, y = 0;
  for (int i = 0; i < 3; ++i) {
    const TileExtent& extent = i == 1 ? in_a : in_b;
    frames[i] = beside ? Frame{x, 0, extent.rows, extent.cols, w} : Frame{0, y, extent.rows, extent.cols, w};
    const float heading = 0.46f * 0.6f * unit * static_cast<float>(grids[i]->heading.size());
    x += std::max(frames[i].width() + 3.4f * unit, heading + 1.2f * unit);
    y = frames[i].bottom() + 3.0f * unit;
  }
  for (int i = 0; i < 3; ++i) scene.panels.push_back(grid_panel(scene, *grids[i], frames[i], beside, unit));
  Panel arrows{"elements that are followed", {}, "followed"};
  std::vector<std::string> notes;
  for (const std::int64_t i : p.followed) {
    const auto at = static_cast<std::size_t>(i);
    const std::int64_t index = p.index[at], offset = p.offset[at];
    const bool inside = index >= 0 && index < of_a;
    const std::string words = fmt::format("{} -> B gives {}{} -> A gives {}", coordinate(p.b, i), index,
                                          inside ? fmt::format(", A's {}", coordinate(p.a, index)) : std::string(", beyond A"), offset);
    notes.push_back(words);
    const At in_b_at = place_of(shape(p.b), in_b, i);
    for (const Frame* frame : {&frames[0], &frames[2]})
      arrows.marks.push_back(Outline{frame->column(in_b_at.c), frame->y + static_cast<float>(in_b_at.r), w, 1, StrokeRole::highlight});
    if (!inside) continue;
    const At in_a_at = place_of(shape(p.a), in_a, index);
    arrows.marks.push_back(Outline{frames[1].column(in_a_at.c), frames[1].y + static_cast<float>(in_a_at.r), w, 1, StrokeRole::highlight});
    const std::uint32_t subject = scene.add_words(words);
    follow(arrows, {frames[0], in_b_at}, {frames[1], in_a_at}, beside, unit, subject);
    follow(arrows, {frames[1], in_a_at}, {frames[2], in_b_at}, beside, unit, subject);
  }
  scene.panels.push_back(std::move(arrows));
  if (beyond > 0) notes.push_back(fmt::format("{} of B's values lie beyond A's {} elements, where A goes on", beyond, of_a));
  Captions captions{"(A o B)(c) = A(B(c)): what B gives is a 1-D coordinate of A, first mode first.", std::move(notes), {}, {}};
  say_divisions(captions);
  Legend legend = ramp_legend(scene, palette, std::nullopt);
  const bool unused = std::count(a.fills.begin(), a.fills.end(), kNoColor) > 0;
  legend.words = fmt::format("same colour: same index of A{}", unused ? "; blank: B does not give it" : "");
  captions.legends.push_back(std::move(legend));
  return close_figure(std::move(scene), spec, std::move(captions), unit);
}

}  // namespace tessera
