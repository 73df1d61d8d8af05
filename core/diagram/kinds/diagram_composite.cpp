// SPDX-License-Identifier: BSD-3-Clause
// The figure of A o B by arrows: B's tree, the factors in which B's memory and A's shape meet, A's arrows, and the result's own diagram.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/diagram/kinds/diagram_parts.hpp"
#include "core/diagram/kinds/figure_kinds.hpp"
#include "core/diagram/parts/brackets.hpp"
#include "core/diagram/parts/reading_aids.hpp"
#include "core/layout/algebra.hpp"

namespace tessera {

namespace {

using Leaf = LayoutDiagram::Leaf;
using Factor = LayoutDiagram::Factor;
using Piece = Refinement::Piece;
constexpr int kNone = LayoutDiagram::kNone;
constexpr std::size_t kMostCommon = 64;
constexpr float kNames = 0.75f;  // room of the columns' names, in text units

// Which stretch of the middle each factor, or leaf, covers: so many pieces from the first on. None for extents of 1.
struct Cover {
  std::size_t first = 0, count = 0;
};
std::vector<Cover> covers(const std::vector<Piece>& pieces, int Piece::*side, std::size_t count) {
  std::vector<Cover> found(count);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].*side == kNone) continue;
    Cover& cover = found[static_cast<std::size_t>(pieces[i].*side)];
    if (cover.count++ == 0) cover.first = i;
  }
  return found;
}

Stretch over(const std::vector<Stretch>& pieces, const Cover& cover) {
  const Stretch &lowest = pieces[cover.first], &highest = pieces[cover.first + cover.count - 1];
  return {highest.top, lowest.bottom() - highest.top};
}

// The leaf of B that each leaf of the result is a part of: their extents multiply to it.
std::vector<std::size_t> leaves_of_b(const LayoutDiagram& result, const LayoutDiagram& b) {
  std::vector<std::size_t> of;
  std::size_t leaf = 0;
  std::int64_t reached = 1;
  for (const Leaf& each : result.leaves) {
    if (leaf + 1 < b.leaves.size() && !of.empty() && of.back() == leaf && reached == b.leaves[leaf].extent) ++leaf, reached = 1;
    of.push_back(leaf);
    reached *= each.extent;
  }
  return of;
}

struct CompositePicture {
  CompositeDiagram of;
  Layout result;  // B's coordinates -> A's offsets, as the algebra has it
  LayoutDiagram diagram;
  DressedDiagram a, b, made;
  std::vector<Cover> factors_of_b, leaves_of_a;
  ColorIndex gap = kNoColor;

  ColorIndex fill(const Piece& piece) const {
    if (piece.left == kNone) return gap;  // no arrow of B arrives there
    const int leaf = of.b.factors[static_cast<std::size_t>(piece.left)].leaf;
    return leaf == kNone ? gap : b.fills[static_cast<std::size_t>(leaf)];
  }
};

// B's memory, the common factors, and the leaves of A's shape with their pieces in B's colours, where arrows begin: on the same heights.
void add_middle(Scene& scene, DiagramPen& pen, const CompositePicture& p, const std::vector<Stretch>& pieces, const float (&x)[3],
                const float (&w)[3]) {
  std::vector<SubjectRange> subjects;  // of B's factors
  for (std::size_t i = 0; i < p.of.b.factors.size(); ++i) {
    const Factor& factor = p.of.b.factors[i];
    subjects.push_back(factor.leaf == kNone ? pen.gap_subject(factor) : p.b.subjects[static_cast<std::size_t>(factor.leaf)]);
    const Stretch place = over(pieces, p.factors_of_b[i]);
    const ColorIndex fill = p.fill(p.of.pieces[p.factors_of_b[i].first]);
    pen.box(x[0], w[0], place, std::to_string(factor.extent), fill, subjects.back());
    pen.frame(x[0], w[0], place);
  }
  for (std::size_t i = 0; i < p.of.pieces.size(); ++i) {
    const Piece& piece = p.of.pieces[i];
    const SubjectRange& of_a = p.a.subjects[static_cast<std::size_t>(piece.right)];
    const SubjectRange both = piece.left == kNone ? of_a : add_both(scene, subjects[static_cast<std::size_t>(piece.left)], of_a);
    pen.box(x[1], w[1], pieces[i], std::to_string(piece.extent), p.fill(piece), both);
  }
  if (!pieces.empty()) pen.frame(x[1], w[1], {pieces.back().top, pieces.front().bottom() - pieces.back().top});
  for (std::size_t i = 0; i < p.of.a.leaves.size(); ++i) {
    if (p.leaves_of_a[i].count == 0) continue;
    const float strip = kStrip * w[2];
    pen.box(x[2], w[2] - strip, over(pieces, p.leaves_of_a[i]), leaf_label(p.of.a.leaves[i], pen.labels()), p.a.fills[i], p.a.subjects[i]);
    for (std::size_t k = 0; k < p.leaves_of_a[i].count; ++k) {
      const std::size_t piece = p.leaves_of_a[i].first + k;
      pen.box(x[2] + w[2] - strip, strip, pieces[piece], {}, p.fill(p.of.pieces[piece]), p.a.subjects[i]);
    }
    pen.frame(x[2], w[2], over(pieces, p.leaves_of_a[i]));
  }
}

// A's memory: what each factor's leaf has in common with B in its pieces. Gives where these stand; none for those of no factor.
std::vector<Stretch> add_memory(DiagramPen& pen, const CompositePicture& p, float y, float high, float x, float w, float h) {
  std::vector<float> heights;
  for (const Factor& factor : p.of.a.factors)
    heights.push_back(h * (factor.leaf == kNone ? 1 : static_cast<float>(p.leaves_of_a[static_cast<std::size_t>(factor.leaf)].count)));
  const std::vector<Stretch> places = stacked(heights, y, high);
  std::vector<Stretch> of_pieces(p.of.pieces.size(), Stretch{0, 0});
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Factor& factor = p.of.a.factors[i];
    if (factor.leaf == kNone) {
      pen.box(x, w, places[i], std::to_string(factor.extent), pen.gap(), pen.gap_subject(factor));
      pen.begins(x + w, places[i], factor.begins);
    } else {
      const Cover& cover = p.leaves_of_a[static_cast<std::size_t>(factor.leaf)];
      std::int64_t begins = factor.begins;
      for (std::size_t k = 0; k < cover.count; ++k) {
        const Piece& piece = p.of.pieces[cover.first + k];
        Stretch& place = of_pieces[cover.first + k];
        place = {places[i].bottom() - h * static_cast<float>(k + 1), h};
        pen.box(x, w, place, std::to_string(piece.extent), p.fill(piece), p.a.subjects[static_cast<std::size_t>(factor.leaf)]);
        pen.begins(x + w, place, begins);
        begins *= piece.extent;
      }
    }
  }
  if (!places.empty()) pen.frame(x, w, {places.back().top, places.front().bottom() - places.back().top});
  return of_pieces;
}

// The factors of a list in words: "6 × 6".
std::string product_of(const auto& parts, std::string_view between = " × ") {
  std::vector<std::string> texts;
  for (const auto& part : parts) {
    if (part.extent > 1) texts.push_back(std::to_string(part.extent));
  }
  return texts.empty() ? "1" : fmt::format("{}", fmt::join(texts, between));
}

// What colours mean: B's leaves, or its modes; a swatch each where there are few.
std::vector<Legend> legends_of(const CompositePicture& p, std::string_view color) {
  constexpr std::size_t kFew = 3;
  std::vector<Legend> legends;
  Legend all{{}, "colours, from below: B's "};
  if (color == "none") return legends;
  for (std::size_t i = 0; i < p.of.b.leaves.size(); ++i) {
    const bool flat = p.b.modes.size() == p.of.b.leaves.size();
    if (!all.hues.empty() && color == "mode" && p.b.fills[i] == all.hues.back()) continue;
    const std::string mode = flat ? p.b.modes[i] : color == "mode" && all.hues.size() < p.b.modes.size() ? p.b.modes[all.hues.size()] : "";
    const std::string leaf = color == "mode" && !flat ? "" : leaf_label(p.of.b.leaves[i], "stride");
    const std::string words = fmt::format("{}{}{}", mode, mode.empty() || leaf.empty() ? "" : ", ", leaf);
    all.words += fmt::format("{}{}", all.hues.empty() ? "" : "; ", words);
    all.hues.push_back(p.b.fills[i]);
    legends.push_back({{p.b.fills[i]}, "B's " + words});
  }
  return legends.size() > kFew ? std::vector{std::move(all)} : legends;
}

// "in the memory of A o B the pieces 2 and 3 of B's 6:6 are neighbours, and merge to 6:3"; empty: each stays its own.
std::string fused_words(const CompositePicture& p) {
  struct Walked {
    std::int64_t stride = 0, extent = 1;
    int leaf = kNone;  // of B
  };
  std::vector<Walked> walked;  // each piece of B that A brings to memory
  for (std::size_t i = 0; i < p.of.a.leaves.size(); ++i) {
    std::int64_t stride = p.of.a.leaves[i].stride;
    for (std::size_t k = 0; k < p.leaves_of_a[i].count && stride > 0; ++k) {
      const Piece& piece = p.of.pieces[p.leaves_of_a[i].first + k];
      const int leaf = piece.left == kNone ? kNone : p.of.b.factors[static_cast<std::size_t>(piece.left)].leaf;
      if (leaf != kNone) walked.push_back({stride, piece.extent, leaf});
      stride *= piece.extent;
    }
  }
  std::sort(walked.begin(), walked.end(), [](const Walked& a, const Walked& b) { return a.stride < b.stride; });
  std::vector<std::string> fused;
  for (const Factor& factor : p.diagram.factors) {
    std::vector<std::string> extents;
    int leaf = kNone;
    for (const Walked& each : walked) {
      if (factor.leaf == kNone || each.stride < factor.begins || each.stride >= factor.begins * factor.extent) continue;
      extents.push_back(std::to_string(each.extent));
      leaf = each.leaf;
    }
    if (extents.size() < 2) continue;
    fused.push_back(fmt::format("the pieces {} of B's {} are neighbours, and merge to {}", fmt::join(extents, " and "),
                                leaf_label(p.of.b.leaves[static_cast<std::size_t>(leaf)], "stride"),
                                leaf_label(p.diagram.leaves[static_cast<std::size_t>(factor.leaf)], "stride")));
  }
  return fused.empty() ? std::string() : fmt::format("in the memory of A o B {}", fmt::join(fused, "; "));
}

// Of all pieces together.
std::int64_t indices(const CompositePicture& p) {
  std::int64_t count = 1;
  for (const Piece& piece : p.of.pieces) count *= piece.extent;
  return count;
}

Captions captions_of(const CompositePicture& p) {
  Captions captions;
  captions.sentence = fmt::format(
      "B's memory, {}, gives the indices that A's shape, {}, takes. A piece ends wherever a block of either ends, and A's arrow takes it "
      "to memory.",
      product_of(p.of.b.factors), product_of(p.of.a.leaves));
  const auto has = [&](auto wanted) { return std::any_of(p.of.pieces.begin(), p.of.pieces.end(), wanted); };
  const bool gaps =
      has([&](const Piece& piece) { return piece.left != kNone && p.of.b.factors[static_cast<std::size_t>(piece.left)].leaf == kNone; });
  const bool beyond = has([](const Piece& piece) { return piece.left == kNone; });
  const bool of_a = std::any_of(p.of.a.factors.begin(), p.of.a.factors.end(), [](const Factor& each) { return each.leaf == kNone; });
  const bool not_of_b = gaps || beyond;
  captions.notes.emplace_back("narrow strip at A's shape: the part of B that arrives there");
  if (not_of_b || of_a)
    captions.notes.back() += fmt::format("; grey: {}", not_of_b && of_a ? "B or A does not reach it"
                                                       : of_a           ? "A does not reach it"
                                                                        : "B does not reach it");
  captions.notes.emplace_back(kColumnNote);
  if (std::string fused = fused_words(p); !fused.empty()) captions.notes.push_back(std::move(fused));
  return captions;
}

}  // namespace

Result<Scene> composite_figure(const FigureSpec& spec, const Layout& a, const Layout& b, std::string_view labels, std::string_view color,
                               const Palette& palette) {
  CompositePicture p;
  TESSERA_TRY(composite, composite_diagram(a, b));
  // The algebra may refuse what arrows can say: CuTe's conditions are asked of extents of 1 too.
  const Result<Layout> by_algebra = composition(a, b);
  Layout result = by_algebra ? *by_algebra : composite.layout;
  TESSERA_TRY(diagram, layout_diagram(result));
  if (std::max({composite.pieces.size(), composite.b.leaves.size(), diagram.leaves.size()}) > kMostCommon)
    return Error{ErrorCode::limit,
                 fmt::format("a diagram is drawn of up to {} leaves, and {} o {} has more", kMostCommon, to_string(a), to_string(b)),
                 {},
                 {"draw the diagram of coalesce(...)"}};
  p.of = std::move(composite);
  p.result = std::move(result);
  p.diagram = std::move(diagram);
  TESSERA_CHECK(take_cells(static_cast<std::int64_t>(4 * p.of.pieces.size() + p.of.b.leaves.size()), 0, to_string(a)));
  Scene scene = begin_scene(spec);
  scene.tensors = {to_string(b), to_string(a), to_string(p.result)};
  p.gap = DiagramPen::gap_fill(scene);
  p.b = {&p.of.b, leaf_fills(scene, palette, p.of.b, color), leaf_subjects(scene, p.of.b, "B's ", 0), mode_names(spec, b.shape())};
  p.a = {&p.of.a, std::vector<ColorIndex>(p.of.a.leaves.size(), kNoColor), leaf_subjects(scene, p.of.a, "A's ", 1), {}};
  p.made = {&p.diagram, {}, leaf_subjects(scene, p.diagram, "", 2), mode_names(spec, p.result.shape())};
  for (const std::size_t leaf : leaves_of_b(p.diagram, p.of.b)) p.made.fills.push_back(p.b.fills[leaf]);
  p.factors_of_b = covers(p.of.pieces, &Piece::left, p.of.b.factors.size());
  p.leaves_of_a = covers(p.of.pieces, &Piece::right, p.of.a.leaves.size());

  const auto count = static_cast<float>(p.of.pieces.size());
  const float unit = type_scale(spec, static_cast<std::int64_t>(p.of.pieces.size() + p.diagram.leaves.size() + 2), 24);
  const float h = box_height(unit), above = (kNames + kBracketRoom) * unit, leaves = leaves_height(p.of.b, unit);
  std::size_t gaps = 0;
  for (const Factor& factor : p.of.a.factors) gaps += factor.leaf == kNone;
  const float high = std::max(leaves, h * (count + static_cast<float>(gaps)));
  Panel panel{fmt::format("{} o {}", to_string(a), to_string(b)), {}, "composition"};
  DiagramPen pen(scene, panel, labels, unit);
  const std::vector<Stretch> from = leaf_places(p.of.b, above, high, unit);
  const std::vector<Stretch> pieces = stacked(std::vector<float>(p.of.pieces.size(), h), above, high);
  const float left = pen.tree_width(p.b), w_leaf = leaf_width(p.of.b, labels, unit);
  const float w[3] = {std::max(column_width(p.of.b, unit), 1.9f * unit), column_width(p.of.b, unit),
                      std::max(leaf_width(p.of.a, labels, unit), 1.6f * unit) / (1 - kStrip)};
  const float x0 = left + w_leaf + arrow_room(p.of.b.leaves.size()), between = 0.3f * unit;
  const float x[3] = {x0, x0 + w[0] + between, x0 + w[0] + w[1] + 2 * between};
  const float memory = x[2] + w[2] + arrow_room(p.of.a.leaves.size()), wide = column_width(p.of.a, unit);
  std::vector<Stretch> of_b;  // its factors
  for (const Cover& cover : p.factors_of_b) of_b.push_back(over(pieces, cover));
  pen.tree(p.b, from, 0);
  pen.leaves(p.b, from, left, w_leaf);
  add_middle(scene, pen, p, pieces, x, w);
  const std::vector<Stretch> to = add_memory(pen, p, above, high, memory, wide, h);
  pen.arrows(p.b, from, left + w_leaf, of_b, x[0]);
  for (std::size_t i = 0; i < to.size(); ++i) {  // each in the colour of what of B it carries on
    const SubjectRange& subject = p.a.subjects[static_cast<std::size_t>(p.of.pieces[i].right)];
    const ColorIndex fill = p.of.pieces[i].left == kNone ? kNoColor : p.fill(p.of.pieces[i]);
    if (to[i].high > 0) pen.arrow(x[2] + w[2], pieces[i], memory, to[i], fill, subject);
  }
  pen.name(left + w_leaf / 2, above, labels == "stride" ? "B's extent:stride" : "B");
  if (!p.of.pieces.empty())
    add_bracket(scene, panel, BracketAt::above, x[0], x[2] + w[2], above - (kNames - 0.2f) * unit,
                fmt::format("an index of A, 0 to {}, from below", indices(p) - 1), unit);
  pen.name(x[0] + w[0] / 2, above, "B's memory");
  pen.name(x[1] + w[1] / 2, above, "pieces");
  pen.name(x[2] + w[2] / 2, above, "A's shape");
  pen.name(memory + wide / 2, above, "memory");
  pen.name(memory + wide + 0.75f * unit, above, "stride");
  add_heading(scene, panel, 0, -0.4f * unit, fmt::format("A = {}  after  B = {}", to_string(a), to_string(b)), unit);
  scene.panels.push_back(std::move(panel));
  draw_diagram(scene, p.made, "result", fmt::format("A o B = {}", to_string(p.result)), labels, {0, above + high + 1.5f * unit}, unit);
  Captions captions = captions_of(p);
  captions.legends = legends_of(p, color);
  return close_figure(std::move(scene), spec, std::move(captions), unit);
}

}  // namespace tessera
