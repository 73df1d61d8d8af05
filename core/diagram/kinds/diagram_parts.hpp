// SPDX-License-Identifier: BSD-3-Clause
// Private to the figure of layout diagrams: trees, leaves, columns of memory, and the arrows between them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagram/parts/figure_parts.hpp"
#include "core/layout/layout_diagram.hpp"

namespace tessera {

// Scene::subjects[first, first + count): the words of a leaf, then the addresses that it walks, which cells of other figures have too.
struct SubjectRange {
  std::uint32_t first = kNoSubject, count = 1;
};

// A diagram with what its leaves look like and stand for.
struct DressedDiagram {
  const LayoutDiagram* of = nullptr;
  std::vector<ColorIndex> fills;       // one a leaf
  std::vector<SubjectRange> subjects;  // one a leaf
  std::vector<std::string> modes;      // names of the top modes
  // A diagram that cuts this one's memory into smaller factors, which stand in a narrow strip beside its own, in their colours.
  const DressedDiagram* cut_as = nullptr;
};
// How many of its factors each factor of `whole` is cut into; empty: they are no cuts of these.
std::vector<std::size_t> cuts_of(const LayoutDiagram& whole, const LayoutDiagram& cut);

// What stands in a leaf: "extent:stride", "extent", or nothing.
std::string leaf_label(const LayoutDiagram::Leaf& leaf, std::string_view labels);
// The walk of a leaf in words, and its addresses as those of the tensor.
SubjectRange add_leaf_subjects(Scene& scene, std::string words, const LayoutDiagram::Leaf& leaf, std::int32_t tensor);
// The words of both.
SubjectRange add_both(Scene& scene, const SubjectRange& a, const SubjectRange& b);

// A part of a column: from `top` down, `high`.
struct Stretch {
  float top = 0, high = 1;
  float middle() const { return top + high / 2; }
  float bottom() const { return top + high; }
};

float box_height(float unit);  // of a leaf, and the least of a factor
// The leaves, lowest below, with more room between top modes: so high are they all, and this is where each stands between y and y + high.
float leaves_height(const LayoutDiagram& diagram, float unit);
std::vector<Stretch> leaf_places(const LayoutDiagram& diagram, float y, float high, float unit);
// One on top of the other, so high each, lowest first, in the middle between y and y + high.
std::vector<Stretch> stacked(const std::vector<float>& heights, float y, float high);

// How memory's column is read, for a reader who does not know it.
inline constexpr std::string_view kColumnNote = "block: its extent, not to scale; tick below: its stride";
inline constexpr float kStrip = 0.22f;  // of a block's width: what it is cut into, in the colours of who walks that

// "8:1 walks the factor 8 of memory, in 7 steps of 1"
std::string walk_words(const LayoutDiagram& diagram, std::size_t leaf);
std::vector<SubjectRange> leaf_subjects(Scene& scene, const LayoutDiagram& diagram, std::string_view before, std::int32_t tensor);
// The colours of leaves: each its own, one a top mode ("mode"), or none.
std::vector<ColorIndex> leaf_fills(Scene& scene, const Palette& palette, const LayoutDiagram& diagram, std::string_view color);
std::vector<std::string> mode_names(const FigureSpec& spec, const Shape& shape);
float leaf_width(const LayoutDiagram& diagram, std::string_view labels, float unit);
float column_width(const LayoutDiagram& diagram, float unit);
float arrow_room(std::size_t arrows);  // in cells: where words are large there is less of it

// Draws into one panel.
class DiagramPen {
 public:
  DiagramPen(Scene& scene, Panel& panel, std::string_view labels, float unit)
      : scene_(scene), panel_(panel), labels_(labels), unit_(unit), gap_(gap_fill(scene)) {}

  // Between x and the leaves: lines from the whole to its modes and their leaves, names above those of the top modes.
  float tree_width(const DressedDiagram& dressed) const;
  void tree(const DressedDiagram& dressed, const std::vector<Stretch>& leaves, float x);
  void leaves(const DressedDiagram& dressed, const std::vector<Stretch>& places, float x, float w);
  // From the leaves' right side to the left side of what they walk, in the leaves' colours.
  void arrows(const DressedDiagram& dressed, const std::vector<Stretch>& from, float x0, const std::vector<Stretch>& to, float x1);
  void arrow(float x0, const Stretch& from, float x1, const Stretch& to, ColorIndex fill, const SubjectRange& subject);
  void box(float x, float w, const Stretch& place, std::string_view label, ColorIndex fill, const SubjectRange& subject);
  void frame(float x, float w, const Stretch& place);
  // The factors of memory with the strides at which they begin, and what they are cut into. Gaps stand back.
  void column(const DressedDiagram& dressed, const std::vector<Stretch>& places, float x, float w);
  void begins(float x, const Stretch& place, std::int64_t stride);  // the stride behind the lower end
  void name(float x, float y, std::string_view words);              // above a column, whose middle is x
  SubjectRange gap_subject(const LayoutDiagram::Factor& factor);
  ColorIndex gap() const { return gap_; }
  std::string_view labels() const { return labels_; }

  static ColorIndex gap_fill(Scene& scene);

 private:
  float top_branch(const DressedDiagram& dressed) const;
  void branch(const DressedDiagram& dressed, const IntTuple& shape, std::size_t& leaf, int depth, const std::vector<float>& x,
              const std::vector<Stretch>& leaves, float& middle);

  Scene& scene_;
  Panel& panel_;
  std::string_view labels_;
  float unit_;
  ColorIndex gap_;
};

struct DiagramCorner {
  float x = 0, y = 0;
};
// Tree, leaves, arrows and memory as a panel of its own from `at` on, with the heading above; its lower right corner.
DiagramCorner draw_diagram(Scene& scene, const DressedDiagram& dressed, std::string id, std::string_view heading, std::string_view labels,
                           const DiagramCorner& at, float unit);
// The figure of A o B.
Result<Scene> composite_figure(const FigureSpec& spec, const Layout& a, const Layout& b, std::string_view labels, std::string_view color,
                               const Palette& palette);

}  // namespace tessera
