// SPDX-License-Identifier: BSD-3-Clause
// The figure of a composition: B gives an index, A takes it, and the result has at B's coordinate what A has there. Told in steps, it
// follows one element after the other.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/budget.hpp"
#include "core/diagram/kinds/figure_kinds.hpp"
#include "core/diagram/parts/reading_aids.hpp"
#include "core/diagram/parts/tile_parts.hpp"
#include "core/layout/algebra.hpp"
#include "core/layout/composed_algebra.hpp"

namespace tessera {

namespace {

constexpr std::size_t kFollowed = 3;  // elements that arrows follow where none are asked for
constexpr std::size_t kMostFollowed = 16;
constexpr float kRoomy = 1.3f;  // of cells: air around an index and an offset in one

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

// One element's way from a grid to the next.
struct Way {
  At from, to;
  ColorIndex color = kNoColor;
  std::uint32_t subject = kNoSubject;
  std::uint16_t step = 0;  // in which it is gone
};

// Side by side, a way is seen between the grids alone, from the row of its cell to that of the next, whose colours say which: over the
// cells between it would say what it does not mean. Below each other arrows go from column to column. Several of one row or column share
// it, in the order of their other ends.
void add_arrows(Panel& panel, const std::vector<Way>& ways, const Frame& from, const Frame& to, bool beside, float numbers, float unit) {
  const auto line = [&](const At& at) { return beside ? at.r : at.c; };
  const auto spread = [&](std::size_t i, At Way::*here, At Way::*there) {
    std::size_t before = 0, all = 0;
    for (std::size_t k = 0; k < ways.size(); ++k) {
      if (line(ways[k].*here) != line(ways[i].*here)) continue;
      ++all;
      const std::int64_t other = line(ways[k].*there), own = line(ways[i].*there);
      before += other < own || (other == own && k < i);
    }
    return static_cast<float>(line(ways[i].*here)) + static_cast<float>(before + 1) / static_cast<float>(all + 1);
  };
  // Several of one row stand together in its middle.
  const auto in_row = [](float at) { return std::floor(at) + 0.5f + 0.4f * (at - std::floor(at) - 0.5f); };
  const float out = (beside ? from.right() : from.bottom()) + 0.14f * unit, in = beside ? to.x - numbers : to.y - 0.7f * unit;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    const Way& way = ways[i];
    const float leaves = spread(i, &Way::from, &Way::to), enters = spread(i, &Way::to, &Way::from);
    panel.marks.push_back(beside ? Arrow{out, from.y + in_row(leaves), in, to.y + in_row(enters), way.color, way.subject}
                                 : Arrow{from.x + from.w * leaves, out, to.x + to.w * enters, in, way.color, way.subject});
    panel.shown.push_back({way.step, 0xffff, way.step});
  }
}

// A tint for each index that is followed, by the first element that has it.
std::unordered_map<std::int64_t, ColorIndex> tints_of(Scene& scene, const Palette& palette, const CompositionPicture& p) {
  std::unordered_map<std::int64_t, ColorIndex> tints;
  const auto count = std::max<std::int64_t>(2, static_cast<std::int64_t>(p.followed.size()));
  for (const std::int64_t i : p.followed) {
    const auto number = static_cast<std::int64_t>(tints.size());
    const auto [at, is_new] = tints.try_emplace(p.index[static_cast<std::size_t>(i)], kNoColor);
    if (is_new) at->second = scene.color(palette.category(number, count));
  }
  return tints;
}

// "A(3,0)", "B(5)"
std::string call(std::string_view name, const AnyLayout& layout, std::int64_t i) {
  const std::string at = to_string(idx2crd(i, shape(layout)));
  return at.front() == '(' ? fmt::format("{}{}", name, at) : fmt::format("{}({})", name, at);
}

// "B(1,0) = 3, A(3) = A(3,0) = 24"
std::string words_of(const CompositionPicture& p, std::int64_t i) {
  const std::int64_t index = p.index[static_cast<std::size_t>(i)], offset = p.offset[static_cast<std::size_t>(i)];
  const std::string of_b = fmt::format("{} = {}", call("B", p.b, i), index), of_a = fmt::format("A({})", index);
  if (index < 0 || index >= size(p.a)) return fmt::format("{}, beyond A's {} elements: {} = {}", of_b, size(p.a), of_a, offset);
  const std::string at = call("A", p.a, index);
  return fmt::format("{}, {}{} = {}", of_b, of_a, at == of_a ? std::string() : " = " + at, offset);
}

}  // namespace

Result<Scene> composition_figure(const FigureSpec& spec) {
  TESSERA_CHECK(only_own_style(spec));
  TESSERA_TRY(palette, Palette::find(spec.palette));
  TESSERA_TRY(p, read(spec));
  Scene scene = begin_scene(spec);
  scene.tensors = {"A's index", "A's offset"};
  const std::int64_t of_a = size(p.a), of_b = size(p.b);
  GridOf b{"B", fmt::format("B = {}", to_string(p.b)), "an index into A", &p.b, 0, {}, {}, {}};
  GridOf a{"A", fmt::format("A = {}", to_string(p.a)), "top: index, below: offset", &p.a, 1, {}, {}, {}};
  // Its cells stand at B's coordinates, whatever modes the result has.
  GridOf c{"composition", fmt::format("A o B = {}", to_string(p.result)), "an offset", &p.b, 1, {}, {}, {}};
  const ColorIndex plain = scene.color(on_page({234, 237, 243}, scene.page)), unused = scene.color(on_page({202, 207, 216}, scene.page));
  a.fills.assign(static_cast<std::size_t>(of_a), unused);
  const std::unordered_map<std::int64_t, ColorIndex> tints = tints_of(scene, palette, p);
  std::int64_t beyond = 0;
  for (std::int64_t i = 0; i < of_b; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const auto tint = tints.find(p.index[at]);
    const ColorIndex fill = tint == tints.end() ? plain : tint->second;
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
  const float w = kRoomy * cell_width(longest);
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
  Captions captions{"(A o B)(c) = A(B(c)): what B gives is a 1-D coordinate of A, counted down the first mode first.", {}, {}, {}};
  std::vector<Way> to_a, to_result;
  for (const std::int64_t i : p.followed) {
    const std::int64_t index = p.index[static_cast<std::size_t>(i)];
    const ColorIndex tint = tints.at(index);
    const std::string words = words_of(p, i);
    const auto step = static_cast<std::uint16_t>(scene.steps.size());
    scene.steps.push_back({fmt::format("Step {} of {}: {}.", step + 1, p.followed.size(), words), {}});
    captions.legends.push_back({{tint}, words});
    const auto outline = [&](const Frame& frame, const At& at) {
      arrows.marks.push_back(Outline{frame.column(at.c), frame.y + static_cast<float>(at.r), w, 1, StrokeRole::strong});
      arrows.shown.push_back({step, step, step});
    };
    const At in_b_at = place_of(shape(p.b), in_b, i);
    outline(frames[0], in_b_at);
    outline(frames[2], in_b_at);
    if (index < 0 || index >= of_a) continue;
    const At in_a_at = place_of(shape(p.a), in_a, index);
    outline(frames[1], in_a_at);
    const ColorIndex color = arrow_color(scene, tint);
    const std::uint32_t subject = scene.add_words(words);
    to_a.push_back({in_b_at, in_a_at, color, subject, step});
    to_result.push_back({in_a_at, in_b_at, color, subject, step});
  }
  // Arrows end in front of the numbers of rows.
  const auto numbers = [&](const Frame& frame) {
    constexpr float kSign = 0.62f;
    return (0.36f + kAxisType * kSign * static_cast<float>(std::to_string(frame.rows - 1).size())) * unit;
  };
  add_arrows(arrows, to_a, frames[0], frames[1], beside, numbers(frames[1]), unit);
  add_arrows(arrows, to_result, frames[1], frames[2], beside, numbers(frames[2]), unit);
  scene.panels.push_back(std::move(arrows));
  if (std::count(a.fills.begin(), a.fills.end(), unused) > 0) captions.notes.emplace_back("grey: B does not give it");
  if (beyond > 0) captions.notes.push_back(fmt::format("{} of B's values lie beyond A's {} elements, where A goes on", beyond, of_a));
  return close_figure(std::move(scene), spec, std::move(captions), unit);
}

}  // namespace tessera
