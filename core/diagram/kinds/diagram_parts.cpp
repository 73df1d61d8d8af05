// SPDX-License-Identifier: BSD-3-Clause
#include "core/diagram/kinds/diagram_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/layout/algebra.hpp"

namespace tessera {

namespace {

using Leaf = LayoutDiagram::Leaf;
using Factor = LayoutDiagram::Factor;
constexpr int kNone = LayoutDiagram::kNone;
constexpr float kBetweenLeaves = 0.28f, kBetweenModes = 0.4f;  // in text units
constexpr float kTopBranch = 1.9f, kBranch = 0.75f;  // room of a branch of the tree: at least of the top modes, whose names it has
constexpr float kNameSign = 0.2f, kNameRoom = 0.5f;  // of a letter of such a name, and beside it
constexpr float kBoxUnits = 0.75f;                   // a box is at least so high, in text units, that its words can be read
constexpr float kAway = 0.1f;                        // an arrow's ends from the cells
constexpr std::int64_t kMostWalked = 256;            // addresses that a leaf names

bool begins_mode(const LayoutDiagram& diagram, std::size_t leaf) {
  std::size_t first = 0;
  for (const IntTuple& mode : diagram.shape.modes()) {
    if (first == leaf) return true;
    first += leaf_values(mode).size();
  }
  return false;
}

// The number of the top mode that each leaf is of.
std::vector<std::size_t> mode_of_leaves(const Shape& shape) {
  std::vector<std::size_t> modes;
  for (std::size_t mode = 0; mode < shape.rank(); ++mode) modes.insert(modes.end(), leaf_values(shape[mode]).size(), mode);
  return modes;
}

}  // namespace

std::string leaf_label(const LayoutDiagram::Leaf& leaf, std::string_view labels) {
  if (labels == "none") return {};
  return labels == "extent" ? std::to_string(leaf.extent) : fmt::format("{}:{}", leaf.extent, leaf.stride);
}

SubjectRange add_leaf_subjects(Scene& scene, std::string words, const LayoutDiagram::Leaf& leaf, std::int32_t tensor) {
  SubjectRange made{scene.add_words(std::move(words)), 1};
  if (leaf.stride == 0) return made;
  for (std::int64_t i = 0; i < std::min(leaf.extent, kMostWalked); ++i) {
    Subject walked;
    walked.address = i * leaf.stride;
    walked.tensor = tensor;
    scene.subjects.push_back(walked);
    ++made.count;
  }
  return made;
}

SubjectRange add_both(Scene& scene, const SubjectRange& a, const SubjectRange& b) {
  const SubjectRange made{static_cast<std::uint32_t>(scene.subjects.size()), 2};
  for (const SubjectRange& each : {a, b}) {
    const Subject words = scene.subjects[each.first];
    scene.subjects.push_back(words);
  }
  return made;
}

float box_height(float unit) { return std::max(1.0f, kBoxUnits * unit); }

float leaves_height(const LayoutDiagram& diagram, float unit) {
  const auto count = static_cast<float>(diagram.leaves.size());
  return count * box_height(unit) + (count - 1) * kBetweenLeaves * unit +
         static_cast<float>(diagram.shape.rank() - 1) * kBetweenModes * unit;
}

std::vector<Stretch> leaf_places(const LayoutDiagram& diagram, float y, float high, float unit) {
  std::vector<Stretch> places;
  float bottom = y + high / 2 + leaves_height(diagram, unit) / 2;
  for (std::size_t i = 0; i < diagram.leaves.size(); ++i) {
    if (i > 0) bottom -= kBetweenLeaves * unit + (begins_mode(diagram, i) ? kBetweenModes * unit : 0);
    places.push_back({bottom - box_height(unit), box_height(unit)});
    bottom = places.back().top;
  }
  return places;
}

std::vector<Stretch> stacked(const std::vector<float>& heights, float y, float high) {
  float all = 0;
  for (const float each : heights) all += each;
  std::vector<Stretch> places;
  float bottom = y + high / 2 + all / 2;
  for (const float each : heights) {
    places.push_back({bottom - each, each});
    bottom -= each;
  }
  return places;
}

ColorIndex DiagramPen::gap_fill(Scene& scene) { return scene.color(on_page({226, 229, 234}, scene.page)); }

float DiagramPen::top_branch(const DressedDiagram& dressed) const {
  std::size_t longest = 0;
  for (const std::string& name : dressed.modes) longest = std::max(longest, name.size());
  return unit_ * std::max(kTopBranch, kNameRoom + kNameSign * static_cast<float>(longest));
}

float DiagramPen::tree_width(const DressedDiagram& dressed) const {
  const int deep = depth(dressed.of->shape);
  return deep == 0 ? 0 : top_branch(dressed) + unit_ * kBranch * static_cast<float>(deep - 1);
}

void DiagramPen::tree(const DressedDiagram& dressed, const std::vector<Stretch>& leaves, float x) {
  const int deep = depth(dressed.of->shape);
  std::vector<float> lines{x};  // where the branches of each depth begin, and the leaves at last
  for (int i = 0; i < deep; ++i) lines.push_back(lines.back() + (i == 0 ? top_branch(dressed) : unit_ * kBranch));
  std::size_t leaf = 0;
  float middle = 0;
  branch(dressed, dressed.of->shape, leaf, 0, lines, leaves, middle);
}

// Draws what is below a node, and says at which height the node stands.
void DiagramPen::branch(const DressedDiagram& dressed, const IntTuple& shape, std::size_t& leaf, int depth, const std::vector<float>& x,
                        const std::vector<Stretch>& leaves, float& middle) {
  if (!shape.is_tuple()) {
    middle = leaves[leaf++].middle();
    return;
  }
  const auto at = static_cast<std::size_t>(depth);
  float lowest = 0, highest = 0, upper_middle = 0;
  for (std::size_t i = 0; i < shape.rank(); ++i) {
    const IntTuple& mode = shape[i];
    float y = 0;
    branch(dressed, mode, leaf, depth + 1, x, leaves, y);
    panel_.marks.push_back(Line{x[at], y, mode.is_tuple() ? x[at + 1] : x.back(), y, StrokeRole::boundary});
    if (i == 0) lowest = y;
    if (i == shape.rank() / 2 + 1) upper_middle = (highest + y) / 2;
    highest = y;
    if (depth > 0 || i >= dressed.modes.size()) continue;
    const auto label = [&](float to, const std::string& words) {
      panel_.marks.push_back(Label{x[0] + 0.14f * unit_, to, scene_.intern(words), LabelRole::legend, Anchor::left, 0.34f * unit_});
    };
    label(y - 0.24f * unit_, dressed.modes[i]);
    if (mode.is_tuple()) label(y + 0.26f * unit_, fmt::format("size {}", size(mode)));
  }
  if (shape.rank() > 1) panel_.marks.push_back(Line{x[at], highest, x[at], lowest, StrokeRole::boundary});
  // Of an odd number between two of them: a line that goes on into the middle one would look like a cross.
  middle = upper_middle != 0 && shape.rank() % 2 == 1 ? upper_middle : (lowest + highest) / 2;
}

void DiagramPen::box(float x, float w, const Stretch& place, std::string_view label, ColorIndex fill, const SubjectRange& subject) {
  Cell cell{x, place.top, w, place.high, fill};
  if (!label.empty()) {
    cell.lines = 1;
    cell.label = scene_.intern(label);
  }
  cell.subject = subject.first;
  cell.subject_count = subject.count;
  panel_.marks.push_back(cell);
  panel_.marks.push_back(Outline{x, place.top, w, place.high, StrokeRole::boundary});
}

void DiagramPen::frame(float x, float w, const Stretch& place) {
  panel_.marks.push_back(Outline{x, place.top, w, place.high, StrokeRole::strong});
}

void DiagramPen::leaves(const DressedDiagram& dressed, const std::vector<Stretch>& places, float x, float w) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    box(x, w, places[i], leaf_label(dressed.of->leaves[i], labels_), dressed.fills[i], dressed.subjects[i]);
    frame(x, w, places[i]);
  }
}

void DiagramPen::arrow(float x0, const Stretch& from, float x1, const Stretch& to, ColorIndex fill, const SubjectRange& subject) {
  panel_.marks.push_back(
      Arrow{x0 + kAway * unit_, from.middle(), x1 - kAway * unit_, to.middle(), arrow_color(scene_, fill), subject.first});
}

void DiagramPen::arrows(const DressedDiagram& dressed, const std::vector<Stretch>& from, float x0, const std::vector<Stretch>& to,
                        float x1) {
  for (std::size_t i = 0; i < dressed.of->leaves.size(); ++i) {
    const int factor = dressed.of->leaves[i].factor;
    if (factor != LayoutDiagram::kNone) arrow(x0, from[i], x1, to[static_cast<std::size_t>(factor)], dressed.fills[i], dressed.subjects[i]);
  }
}

SubjectRange DiagramPen::gap_subject(const LayoutDiagram::Factor& factor) {
  return {scene_.add_words(fmt::format("a gap of {} from stride {} on: no leaf walks it", factor.extent, factor.begins)), 1};
}

std::vector<std::size_t> cuts_of(const LayoutDiagram& whole, const LayoutDiagram& cut) {
  std::vector<std::size_t> counts;
  std::size_t next = 0;
  for (const Factor& factor : whole.factors) {
    std::int64_t product = 1;
    counts.push_back(next);
    while (next < cut.factors.size() && product < factor.extent) product *= cut.factors[next++].extent;
    if (product != factor.extent) return {};
    counts.back() = next - counts.back();
  }
  return next == cut.factors.size() ? counts : std::vector<std::size_t>();
}

void DiagramPen::column(const DressedDiagram& dressed, const std::vector<Stretch>& places, float x, float w) {
  const float strip = dressed.cut_as ? kStrip * w : 0;
  std::vector<std::size_t> counts;
  if (dressed.cut_as) counts = cuts_of(*dressed.of, *dressed.cut_as->of);
  std::size_t cut = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const LayoutDiagram::Factor& factor = dressed.of->factors[i];
    const bool gap = factor.leaf == LayoutDiagram::kNone;
    const auto leaf = static_cast<std::size_t>(std::max(factor.leaf, 0));
    const SubjectRange subject = gap ? gap_subject(factor) : dressed.subjects[leaf];
    box(x, w - strip, places[i], std::to_string(factor.extent), gap ? gap_ : dressed.fills[leaf], subject);
    begins(x + w, places[i], factor.begins);
    if (!dressed.cut_as) continue;
    const float high = places[i].high / static_cast<float>(counts[i]);
    for (std::size_t k = 1; k <= counts[i]; ++k, ++cut) {
      const int of = dressed.cut_as->of->factors[cut].leaf;
      const ColorIndex fill = of == LayoutDiagram::kNone ? gap_ : dressed.cut_as->fills[static_cast<std::size_t>(of)];
      box(x + w - strip, strip, {places[i].bottom() - high * static_cast<float>(k), high}, {}, fill, subject);
    }
    frame(x, w, places[i]);
  }
  if (!places.empty()) frame(x, w, {places.back().top, places.front().bottom() - places.back().top});
}

void DiagramPen::begins(float x, const Stretch& place, std::int64_t stride) {
  panel_.marks.push_back(Line{x, place.bottom(), x + 0.16f * unit_, place.bottom(), StrokeRole::boundary});
  panel_.marks.push_back(Label{x + 0.24f * unit_, place.bottom() - 0.2f * unit_, scene_.intern(std::to_string(stride)), LabelRole::axis,
                               Anchor::left, 0.36f * unit_});
}

void DiagramPen::name(float x, float y, std::string_view words) {
  panel_.marks.push_back(Label{x, y - 0.32f * unit_, scene_.intern(words), LabelRole::axis, Anchor::center, 0.34f * unit_});
}

std::string walk_words(const LayoutDiagram& diagram, std::size_t leaf) {
  const Leaf& of = diagram.leaves[leaf];
  if (of.factor == kNone)
    return fmt::format("{} has no arrow: {}", leaf_label(of, "stride"),
                       of.extent == 1 ? "one coordinate walks nowhere" : "its coordinates share their offsets");
  return fmt::format("{} walks the factor {} of memory, in {} of {}", leaf_label(of, "stride"), of.extent,
                     of.extent == 2 ? "1 step" : counted(of.extent - 1, "step"), of.stride);
}

std::vector<ColorIndex> leaf_fills(Scene& scene, const Palette& palette, const LayoutDiagram& diagram, std::string_view color) {
  std::vector<ColorIndex> fills;
  const std::vector<std::size_t> modes = mode_of_leaves(diagram.shape);
  const std::size_t count = color == "mode" ? diagram.shape.rank() : diagram.leaves.size();
  for (std::size_t i = 0; i < diagram.leaves.size(); ++i) {
    const std::size_t number = color == "mode" ? modes[i] : i;
    fills.push_back(color == "none" ? kNoColor
                                    : scene.color(palette.category(static_cast<std::int64_t>(number),
                                                                   std::max<std::int64_t>(2, static_cast<std::int64_t>(count)))));
  }
  return fills;
}

std::vector<std::string> mode_names(const FigureSpec& spec, const Shape& shape) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < shape.rank() && shape.is_tuple(); ++i)
    names.push_back(spec.modes.size() == shape.rank() ? spec.modes[i] : fmt::format("mode {}", i));
  return names;
}

float leaf_width(const LayoutDiagram& diagram, std::string_view labels, float unit) {
  std::size_t longest = 1;
  for (const Leaf& leaf : diagram.leaves) longest = std::max(longest, leaf_label(leaf, labels).size());
  return box_height(unit) * std::max(1.5f, cell_width(longest));
}

float column_width(const LayoutDiagram& diagram, float unit) {
  std::size_t longest = 1;
  for (const Factor& factor : diagram.factors) longest = std::max(longest, std::to_string(factor.extent).size());
  return box_height(unit) * std::max(1.5f, cell_width(longest));
}

std::vector<SubjectRange> leaf_subjects(Scene& scene, const LayoutDiagram& diagram, std::string_view before, std::int32_t tensor) {
  std::vector<SubjectRange> subjects;
  for (std::size_t i = 0; i < diagram.leaves.size(); ++i)
    subjects.push_back(add_leaf_subjects(scene, std::string(before) + walk_words(diagram, i), diagram.leaves[i], tensor));
  return subjects;
}

float arrow_room(std::size_t arrows) { return std::min(2.6f + 0.35f * static_cast<float>(arrows), 6.0f); }

DiagramCorner draw_diagram(Scene& scene, const DressedDiagram& dressed, std::string id, std::string_view heading, std::string_view labels,
                           const DiagramCorner& at, float unit) {
  const LayoutDiagram &diagram = *dressed.of, &fine = dressed.cut_as ? *dressed.cut_as->of : diagram;
  Panel panel{std::string(heading), {}, std::move(id)};
  DiagramPen pen(scene, panel, labels, unit);
  const float y = at.y + 0.75f * unit;  // below the names of the columns
  const float leaves = leaves_height(fine, unit), count = static_cast<float>(fine.factors.size());
  const float h = box_height(unit), factor = count == 0 ? h : std::clamp(leaves / count, h, 1.3f * h),
              high = std::max(leaves, factor * count);
  std::vector<float> heights(diagram.factors.size(), factor);
  if (dressed.cut_as) {
    const std::vector<std::size_t> cuts = cuts_of(diagram, fine);
    for (std::size_t i = 0; i < heights.size(); ++i) heights[i] = factor * static_cast<float>(cuts[i]);
  }
  const std::vector<Stretch> from = leaf_places(diagram, y, high, unit), to = stacked(heights, y, high);
  const float x = at.x + pen.tree_width(dressed), w = leaf_width(diagram, labels, unit), memory = x + w + arrow_room(diagram.leaves.size()),
              wide = column_width(diagram, unit);
  pen.tree(dressed, from, at.x);
  pen.leaves(dressed, from, x, w);
  pen.column(dressed, to, memory, wide);
  pen.arrows(dressed, from, x + w, to, memory);
  pen.name(x + w / 2, y, labels == "stride" ? "extent:stride" : "shape");
  if (count > 0) {
    pen.name(memory + wide / 2, y, "memory");
    pen.name(memory + wide + 0.75f * unit, y, "stride");
  }
  add_heading(scene, panel, at.x, at.y - 0.4f * unit, heading, unit);
  scene.panels.push_back(std::move(panel));
  return {memory + wide + 1.3f * unit, y + high};
}

}  // namespace tessera
