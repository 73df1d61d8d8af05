// SPDX-License-Identifier: BSD-3-Clause
// The figure of a layout as a diagram: the tree of its shape, memory as a column of factors, and an arrow from each leaf to the factor that
// it walks; of two layouts how their factors meet, and of a divide, a product or a complement which factors are the tile's.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/budget.hpp"
#include "core/diagram/kinds/diagram_parts.hpp"
#include "core/diagram/kinds/figure_kinds.hpp"
#include "core/diagram/parts/reading_aids.hpp"
#include "core/diagram/parts/tile_parts.hpp"
#include "core/layout/algebra.hpp"

namespace tessera {

namespace {

constexpr std::string_view kDiagramPanel = "diagram";

using Leaf = LayoutDiagram::Leaf;
using Factor = LayoutDiagram::Factor;
constexpr int kNone = LayoutDiagram::kNone;
constexpr std::size_t kMostLeaves = 64;

// What is drawn of one layout: its diagram, and which part each of its leaves is of.
struct OneDiagram {
  Layout layout;  // (coordinate) -> offset
  LayoutDiagram diagram;
  std::string heading, sentence;        // sentence: what an operation did; empty: none did anything
  std::vector<std::string> parts;       // "tile", "rest": the top modes; empty: there is no operation
  std::vector<std::string> mode_names;  // of the top modes
  Layout before;                        // what a tiler divides
  std::optional<LayoutDiagram> whole;   // its diagram, where the parts' factors are cuts of its own
};

// The object as a plain layout that counts upwards in memory.
Result<Layout> plain_layout(const FigureSpec& spec, std::size_t i, std::string_view what) {
  const FigureObject* object = i < spec.objects.size() ? &spec.objects[i] : nullptr;
  const auto* tiler = object ? std::get_if<Tiler>(object) : nullptr;
  if (tiler) {
    if (const auto* layout = std::get_if<Layout>(&tiler->value)) return *layout;
    if (const std::optional<IntTuple> shape = shape_of(*tiler)) return Layout::make_compact(*shape);
    if (!std::holds_alternative<ComposedLayout>(tiler->value))
      return Error{ErrorCode::wrong_type,
                   fmt::format("this figure needs {}, and got the tiler {}", what, to_string(*tiler)),
                   {},
                   {"write a layout such as (2,4):(4,1); a tiler by modes is for op=divide and op=product"}};
  }
  const auto swizzled = [](const ComposedLayout& layout) {
    return Error{ErrorCode::not_representable,
                 fmt::format("{} is no plain layout: behind a swizzle or an offset an element lies where no stride alone leads, and arrows "
                             "are strides",
                             to_string(layout)),
                 {},
                 {"draw the swizzle: swizzle_figure(...), or its bits: bit_matrix_figure(...)",
                  fmt::format("or the diagram of the layout behind it")}};
  };
  if (tiler) return swizzled(std::get<ComposedLayout>(tiler->value));
  if (object) {
    if (const auto* composed = std::get_if<ComposedLayout>(object)) return swizzled(*composed);
  }
  TESSERA_TRY(layout, layout_object(spec, i, what));
  return std::get<Layout>(layout);
}

Result<Tiler> tiler_object(const FigureSpec& spec, std::string_view op) {
  if (spec.objects.size() > 1) {
    if (const auto* tiler = std::get_if<Tiler>(&spec.objects[1])) return *tiler;
    if (const auto* layout = std::get_if<Layout>(&spec.objects[1])) return Tiler(*layout);
  }
  return Error{ErrorCode::wrong_arity,
               fmt::format("a diagram of a {} needs {} as its second object", op, op == "divide" ? "a tiler" : "the layout of copies"),
               {},
               {fmt::format("for example diagram_figure((8,8):(1,8), {}, op={})", op == "divide" ? "(2,4)" : "4:1", op)}};
}

// How far a complement goes: the second object, or the layout's cosize.
Result<Shape> cotarget(const FigureSpec& spec, const Layout& layout) {
  if (spec.objects.size() < 2) return Shape(layout.cosize());
  if (const auto* tiler = std::get_if<Tiler>(&spec.objects[1])) {
    if (const std::optional<IntTuple> shape = shape_of(*tiler)) return *shape;
    if (const auto* as_layout = std::get_if<Layout>(&tiler->value)) return Shape(as_layout->cosize());
  }
  return Error{ErrorCode::wrong_type,
               "a complement goes as far as its second object says, and that is a number or a shape",
               {},
               {fmt::format("for example diagram_figure({}, {}, op=complement)", to_string(layout), 2 * layout.cosize())}};
}

// The layout that is drawn, without its diagram.
Result<OneDiagram> operated(const FigureSpec& spec, std::string_view op) {
  OneDiagram made;
  TESSERA_TRY(layout, plain_layout(spec, 0, "a layout"));
  if (op == "divide" || op == "product") {
    TESSERA_TRY(tiler, tiler_object(spec, op));
    TESSERA_TRY(result, op == "divide" ? zipped_divide(layout, tiler) : zipped_product(layout, tiler));
    made.heading = fmt::format("zipped_{}:  {}", op, to_string(result));
    made.sentence = op == "divide" ? fmt::format("{} divided by {}: each part of memory is walked by the tile or by the rest.",
                                                 to_string(layout), to_string(tiler))
                                   : fmt::format("The block {} walks its own part of memory, and its {} copies walk the others.",
                                                 to_string(layout), size(result.shape()[1]));
    made.parts = op == "divide" ? std::vector<std::string>{"tile", "rest"} : std::vector<std::string>{"block", "copies"};
    made.layout = std::move(result);
    if (op == "divide") made.before = std::move(layout);
  } else if (op == "complement") {
    TESSERA_TRY(target, cotarget(spec, layout));
    // What has no diagram is said of the layout itself: its complement may be refused for another reason.
    if (const Result<LayoutDiagram> own = layout_diagram(layout); !own) {
      made.layout = std::move(layout);
      return made;
    }
    TESSERA_TRY(filled, complement(layout, target));
    made.heading = fmt::format("complement({}, {}) = {}", to_string(layout), to_string(target), to_string(filled));
    made.sentence = fmt::format("The complement walks what {} leaves of {}{}.", to_string(layout), counted(size(target), "offset"),
                                filled.size() > 1 ? "" : ": nothing is left to walk");
    made.parts = {"layout", "complement"};
    made.layout = make_layout({std::move(layout), std::move(filled)});
  } else {
    made.heading = to_string(layout);
    made.layout = std::move(layout);
  }
  made.mode_names = made.parts.empty() ? mode_names(spec, made.layout.shape()) : made.parts;
  return made;
}

std::string named(const LayoutDiagram& diagram, std::size_t leaf) { return leaf_label(diagram.leaves[leaf], "stride"); }

// "Of every 8 offsets, 4 to 7 are unused."
std::string sentence_of(const OneDiagram& p) {
  const std::vector<Factor>& factors = p.diagram.factors;
  if (factors.empty()) return fmt::format("No arrow of {} walks memory: all its elements lie at offset 0.", to_string(p.layout));
  std::vector<std::string> skipped;
  for (const Factor& factor : factors) {
    if (factor.leaf != kNone) continue;
    const std::int64_t all = factor.begins * factor.extent, last = all - 1;
    skipped.push_back(
        fmt::format("of every {} offsets, {}", all,
                    factor.begins == last ? fmt::format("{} is unused", last) : fmt::format("{} to {} are unused", factor.begins, last)));
  }
  if (skipped.empty()) return "Every block of memory has its arrow: no offset is skipped.";
  return sentence(fmt::format("{}", fmt::join(skipped, "; ")));
}

bool arrows_cross(const LayoutDiagram& diagram) {
  int last = kNone;
  for (const Leaf& leaf : diagram.leaves) {
    if (leaf.factor == kNone) continue;
    if (leaf.factor < last) return true;
    last = leaf.factor;
  }
  return false;
}

std::vector<std::string> notes_of(const LayoutDiagram& diagram, bool says_order) {
  std::vector<std::string> notes{std::string(kColumnNote)}, still;
  if (diagram.factors.empty()) notes.clear();
  for (std::size_t i = 0; i < diagram.leaves.size(); ++i) {
    if (diagram.leaves[i].factor == kNone && diagram.leaves[i].extent > 1) still.push_back(named(diagram, i));
  }
  if (std::any_of(diagram.factors.begin(), diagram.factors.end(), [](const Factor& factor) { return factor.leaf == kNone; }))
    notes.emplace_back("grey: a gap, which no arrow reaches");
  if (!still.empty() && !diagram.factors.empty())
    notes.push_back(fmt::format("{} {} stride 0 and no arrow: coordinates share their offsets", fmt::join(still, ", "),
                                still.size() == 1 ? "has" : "have"));
  if (says_order && arrows_cross(diagram)) notes.push_back("arrows cross: memory has another order than the shape");
  return notes;
}

Result<Scene> draw_layout(const FigureSpec& spec, const OneDiagram& p, std::string_view labels, std::string_view color,
                          const Palette& palette) {
  const LayoutDiagram& diagram = p.diagram;
  TESSERA_CHECK(take_cells(static_cast<std::int64_t>(diagram.leaves.size() + diagram.factors.size()), 0, to_string(p.layout)));
  Scene scene = begin_scene(spec);
  scene.tensors = {to_string(p.layout)};
  const auto rows = static_cast<std::int64_t>(std::max(diagram.leaves.size(), diagram.factors.size()));
  const float unit = type_scale(spec, rows, 12);
  const bool by_part = !p.parts.empty() && parameter(spec, "color").empty();
  DressedDiagram dressed{&diagram, leaf_fills(scene, palette, diagram, by_part ? "mode" : color), leaf_subjects(scene, diagram, "", 0),
                         p.mode_names};
  DiagramCorner at;
  if (p.whole) {
    scene.tensors.push_back(to_string(p.before));
    const DressedDiagram whole{&*p.whole, std::vector<ColorIndex>(p.whole->leaves.size(), kNoColor), leaf_subjects(scene, *p.whole, "", 1),
                               mode_names(spec, p.before.shape()), &dressed};
    at.x = draw_diagram(scene, whole, "undivided", to_string(p.before), labels, at, unit).x + 0.6f * unit;
  }
  draw_diagram(scene, dressed, std::string(kDiagramPanel), p.heading, labels, at, unit);
  Captions captions{p.sentence.empty() ? sentence_of(p) : p.sentence, {}, {}, p.heading};
  if (p.whole) captions.notes.push_back(std::string("narrow strip at memory: what the tiler cuts each block into"));
  for (std::string& note : notes_of(diagram, p.sentence.empty())) captions.notes.push_back(std::move(note));
  if (by_part) {
    for (std::int64_t part = 0; part < 2; ++part)
      captions.legends.push_back({{scene.color(palette.category(part, 2))}, p.parts[static_cast<std::size_t>(part)]});
  } else if (color == "mode" && diagram.leaves.size() > 1) {
    captions.legends.push_back({{}, "colour: a mode and the blocks that it walks"});
  }
  return close_figure(std::move(scene), spec, std::move(captions), unit);
}

// The memory strip of what has no diagram, which its words say first.
Result<Scene> draw_strip(const FigureSpec& spec, const Layout& layout, const Error& why) {
  FigureSpec strip = spec;
  strip.objects = {layout};
  strip.parameters.clear();
  Result<Scene> drawn = memory_figure_saying(strip, why.message + ". Drawn instead: the addresses themselves.", why.notes);
  if (drawn) return drawn;
  Error both = why;
  both.notes.push_back("its memory strip cannot be drawn either: " + drawn.error().message);
  return both;
}

}  // namespace

Result<Scene> diagram_figure(const FigureSpec& spec) {
  TESSERA_CHECK(only_own_style(spec));
  TESSERA_TRY(labels, choice(spec, "labels", kDiagramLabelChoices));
  TESSERA_TRY(color, choice(spec, "color", kDiagramColorChoices));
  TESSERA_TRY(op, choice(spec, "op", kDiagramOpChoices));
  TESSERA_TRY(palette, Palette::find(spec.palette));
  if (op == "composition" && (spec.objects.size() > 1 || !parameter(spec, "op").empty())) {
    TESSERA_TRY(a, plain_layout(spec, 0, "the layout A"));
    TESSERA_TRY(b, plain_layout(spec, 1, "the layout B, whose values A takes, as its second object"));
    return composite_figure(spec, a, b, labels, color, palette);
  }
  TESSERA_TRY(p, operated(spec, op));
  if (leaf_values(p.layout.shape()).size() > kMostLeaves)
    return Error{ErrorCode::limit,
                 fmt::format("a diagram is drawn of up to {} leaves, and {} has {}", kMostLeaves, to_string(p.layout),
                             leaf_values(p.layout.shape()).size()),
                 {},
                 {"draw the diagram of coalesce(...)"}};
  Result<LayoutDiagram> diagram = layout_diagram(p.layout);
  if (!diagram) {
    if (diagram.error().code != ErrorCode::not_divisible) return diagram.error();
    return draw_strip(spec, p.layout, diagram.error());
  }
  p.diagram = std::move(*diagram);
  if (op == "divide") {
    if (Result<LayoutDiagram> whole = layout_diagram(p.before); whole && !cuts_of(*whole, p.diagram).empty()) p.whole = std::move(*whole);
  }
  return draw_layout(spec, p, labels, color, palette);
}

std::optional<std::size_t> leaf_of_diagram(const Scene& scene, const ElementId& id) {
  if (id.panel >= scene.panels.size() || scene.panels[id.panel].id != kDiagramPanel) return std::nullopt;
  const std::vector<Mark>& marks = scene.panels[id.panel].marks;
  const auto* asked = id.mark < marks.size() ? std::get_if<Cell>(&marks[id.mark]) : nullptr;
  if (!asked || asked->subject == kNoSubject) return std::nullopt;
  std::size_t below = 0;
  for (const Mark& mark : marks) {
    const auto* cell = std::get_if<Cell>(&mark);
    if (!cell || cell->subject == kNoSubject) continue;
    if (cell->x < asked->x) return std::nullopt;  // leaves are the boxes furthest to the left, the first one lowest
    below += cell->x == asked->x && cell->y > asked->y;
  }
  return below;
}

}  // namespace tessera
