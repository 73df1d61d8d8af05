// SPDX-License-Identifier: BSD-3-Clause
#include "core/layout/layout_diagram.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/layout/algebra.hpp"

namespace tessera {

namespace {

using Leaf = LayoutDiagram::Leaf;
using Factor = LayoutDiagram::Factor;
constexpr int kNone = LayoutDiagram::kNone;

std::string said(const Leaf& leaf) { return fmt::format("{}:{}", leaf.extent, leaf.stride); }

// Why `next` does not follow `last`, whose walk ends at `reach`.
Error not_whole(const Layout& layout, const Leaf& last, const Leaf& next) {
  const std::int64_t reach = last.extent * last.stride;
  const std::string of = to_string(layout);
  if (next.stride >= reach) {
    return Error{
        ErrorCode::not_divisible,
        fmt::format("{} has no diagram: between the leaves {} and {} is a broken gap, for {} begins at {}, which is no multiple of "
                    "the {} that {} walks",
                    of, said(last), said(next), said(next), next.stride, reach, said(last)),
        {},
        {fmt::format("strides that follow {} are its multiples: {}, {}", said(last), next.stride / reach * reach,
                     (next.stride / reach + 1) * reach)}};
  }
  return Error{ErrorCode::not_divisible,
               fmt::format("{} has no diagram: the leaves {} and {} overlap, for {} begins at {}, before the {} that {} walks", of,
                           said(last), said(next), said(next), next.stride, reach, said(last)),
               {},
               {fmt::format("strides that follow {} are its multiples: {}, {}", said(last), reach, 2 * reach)}};
}

// Fills the column of the leaves with a stride; of extents of 1 only with `ones`.
Status fill_column(const Layout& layout, LayoutDiagram& made, bool ones) {
  made.factors.clear();
  std::vector<int> order;
  for (std::size_t i = 0; i < made.leaves.size(); ++i) {
    made.leaves[i].factor = kNone;
    if (made.leaves[i].stride != 0 && (ones || made.leaves[i].extent != 1)) order.push_back(static_cast<int>(i));
  }
  const auto leaf = [&](int i) -> Leaf& { return made.leaves[static_cast<std::size_t>(i)]; };
  std::stable_sort(order.begin(), order.end(),
                   [&](int i, int j) { return std::pair(leaf(i).stride, leaf(i).extent) < std::pair(leaf(j).stride, leaf(j).extent); });
  std::int64_t reach = 1;  // where the leaf before ends
  const Leaf* last = nullptr;
  for (const int i : order) {
    Leaf& next = leaf(i);
    if (next.stride % reach != 0) return not_whole(layout, *last, next);
    if (next.stride != reach) made.factors.push_back({next.stride / reach, reach, kNone});
    next.factor = static_cast<int>(made.factors.size());
    made.factors.push_back({next.extent, next.stride, i});
    reach = next.extent * next.stride;
    last = &next;
  }
  return Done{};
}

Result<LayoutDiagram> unfilled(const Layout& layout) {
  if (layout.has_basis())
    return Error{ErrorCode::wrong_type,
                 fmt::format("{} gives coordinates, and a diagram's arrows end in memory", to_string(layout)),
                 {},
                 {"draw its coordinates: layout_figure(...)"}};
  LayoutDiagram made;
  made.shape = layout.shape();
  const std::vector<std::int64_t> extents = leaf_values(layout.shape()), strides = leaf_values(layout.stride());
  for (std::size_t i = 0; i < extents.size(); ++i) {
    made.leaves.push_back({extents[i], strides[i], kNone});
    if (strides[i] >= 0) continue;
    return Error{
        ErrorCode::not_representable,
        fmt::format("the leaf {}:{} of {} walks downwards, and a diagram's column of memory goes up from 0", extents[i], strides[i],
                    to_string(layout)),
        {},
        {"draw what lies where: memory_figure(...)", fmt::format("or the same addresses upwards: {}:{}", extents[i], -strides[i])}};
  }
  return made;
}

// For the composition, in which what walks nothing has no part.
Result<LayoutDiagram> without_ones(const Layout& layout) {
  TESSERA_TRY(made, unfilled(layout));
  TESSERA_CHECK(fill_column(layout, made, false));
  return made;
}

std::vector<std::int64_t> extents_of(const auto& parts) {
  std::vector<std::int64_t> extents;
  for (const auto& part : parts) extents.push_back(part.extent);
  return extents;
}

Error no_refinement(const CompositeDiagram& of, const Layout& a, const Layout& b, const Refinement::Mismatch& at) {
  const Factor& factor = of.b.factors[static_cast<std::size_t>(at.left)];
  const Leaf& leaf = of.a.leaves[static_cast<std::size_t>(at.right)];
  const auto part = [](std::int64_t rest, std::int64_t all) {
    return rest == all ? std::to_string(all) : fmt::format("the {} left of {}", rest, all);
  };
  return Error{
      ErrorCode::not_divisible,
      fmt::format("{} and {} have no common refinement: {} of B's memory, {}, meets {} of A's shape, the leaf {}, and neither divides "
                  "the other",
                  to_string(a), to_string(b), part(at.left_rest, factor.extent),
                  factor.leaf == kNone ? fmt::format("a gap at {}", factor.begins)
                                       : "which " + said(of.b.leaves[static_cast<std::size_t>(factor.leaf)]) + " walks",
                  part(at.right_rest, leaf.extent), said(leaf)),
      {},
      {"diagrams cannot say it, and the algebra may: composition(A, B), composition_figure(A, B)"}};
}

Error beyond(const Layout& a, const Layout& b, const Factor& factor) {
  return Error{
      ErrorCode::not_divisible,
      fmt::format("{} and {} have no common refinement: the factor {} of B's memory, which begins at {}, lies beyond the {} elements "
                  "of A's shape",
                  to_string(a), to_string(b), factor.extent, factor.begins, a.size()),
      {},
      {"diagrams cannot say it, and the algebra may, which goes on along A's last mode: composition(A, B)"}};
}

// A's stride at each piece: of its leaf, times what of that leaf lies below.
std::vector<std::int64_t> strides_of(const CompositeDiagram& of) {
  std::vector<std::int64_t> strides, below(of.a.leaves.size(), 1);
  for (const Refinement::Piece& piece : of.pieces) {
    const auto leaf = static_cast<std::size_t>(piece.right);
    strides.push_back(of.a.leaves[leaf].stride * below[leaf]);
    below[leaf] *= piece.extent;
  }
  return strides;
}

// B's shape with each leaf as the pieces of the factor that it walks.
Result<Layout> in_pieces(const CompositeDiagram& of) {
  const std::vector<std::int64_t> along = strides_of(of);
  std::vector<IntTuple> extents, strides;
  for (const Leaf& leaf : of.b.leaves) {
    std::vector<IntTuple> e, d;
    for (std::size_t i = 0; i < of.pieces.size(); ++i) {
      if (leaf.factor == kNone || of.pieces[i].left != leaf.factor) continue;
      e.emplace_back(of.pieces[i].extent);
      d.emplace_back(along[i]);
    }
    if (e.empty()) e.emplace_back(leaf.extent), d.emplace_back(0);
    extents.push_back(e.size() == 1 ? e.front() : IntTuple::tuple(std::move(e)));
    strides.push_back(d.size() == 1 ? d.front() : IntTuple::tuple(std::move(d)));
  }
  return Layout::make(with_profile(extents, of.b.shape), with_profile(strides, of.b.shape));
}

}  // namespace

Result<LayoutDiagram> layout_diagram(const Layout& layout) {
  TESSERA_TRY(made, unfilled(layout));
  if (!fill_column(layout, made, true)) TESSERA_CHECK(fill_column(layout, made, false));
  return made;
}

Layout read_back(const LayoutDiagram& diagram) {
  std::vector<std::int64_t> begins;
  std::int64_t below = 1;
  for (const Factor& factor : diagram.factors) {
    begins.push_back(below);
    below *= factor.extent;
  }
  std::vector<IntTuple> extents, strides;
  for (const Leaf& leaf : diagram.leaves) {
    extents.emplace_back(leaf.extent);
    strides.emplace_back(leaf.factor == kNone ? 0 : begins[static_cast<std::size_t>(leaf.factor)]);
  }
  if (!diagram.shape.is_tuple()) return Layout::trusted(extents.front(), strides.front());
  return Layout::trusted(IntTuple::tuple(std::move(extents)), IntTuple::tuple(std::move(strides)));
}

Refinement common_refinement(std::span<const std::int64_t> left, std::span<const std::int64_t> right) {
  Refinement made;
  std::size_t l = 0, r = 0;
  std::int64_t left_rest = 1, right_rest = 1;
  // The next factor, where nothing is left of the one before.
  const auto next = [](std::span<const std::int64_t> of, std::size_t& at, std::int64_t& rest) {
    while (rest == 1 && at < of.size()) rest = of[at++];
    return rest != 1;
  };
  const auto number = [](std::size_t behind) { return static_cast<int>(behind) - 1; };
  while (true) {
    const bool in_left = next(left, l, left_rest), in_right = next(right, r, right_rest);
    if (!in_left && !in_right) return made;
    if (in_left && in_right && left_rest % right_rest != 0 && right_rest % left_rest != 0) {
      made.mismatch = Refinement::Mismatch{number(l), number(r), left_rest, right_rest};
      return made;
    }
    const std::int64_t common = !in_right ? left_rest : !in_left ? right_rest : std::min(left_rest, right_rest);
    made.pieces.push_back({common, in_left ? number(l) : kNone, in_right ? number(r) : kNone});
    if (in_left) left_rest /= common;
    if (in_right) right_rest /= common;
  }
}

Result<CompositeDiagram> composite_diagram(const Layout& a, const Layout& b) {
  CompositeDiagram made;
  TESSERA_TRY(of_a, without_ones(a));
  TESSERA_TRY(of_b, without_ones(b));
  made.a = std::move(of_a);
  made.b = std::move(of_b);
  Refinement common = common_refinement(extents_of(made.b.factors), extents_of(made.a.leaves));
  if (common.mismatch) return no_refinement(made, a, b, *common.mismatch);
  for (const Refinement::Piece& piece : common.pieces) {
    if (piece.right == kNone) return beyond(a, b, made.b.factors[static_cast<std::size_t>(piece.left)]);
  }
  made.pieces = std::move(common.pieces);
  TESSERA_TRY(layout, in_pieces(made));
  TESSERA_TRY(diagram, without_ones(layout));
  made.layout = std::move(layout);
  made.diagram = std::move(diagram);
  return made;
}

Result<Layout> exchange_leaves(const Layout& layout, std::size_t one, std::size_t other) {
  const Layout flat = flatten(layout);
  const std::size_t count = leaf_values(layout.shape()).size();
  if (std::max(one, other) >= count)
    return Error{ErrorCode::out_of_range,
                 fmt::format("{} has {} leaves, 0 to {}, and no leaf {}", to_string(layout), count, count - 1, std::max(one, other)),
                 {},
                 {}};
  if (count < 2) return layout;
  std::vector<IntTuple> extents, strides;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t from = i == one ? other : i == other ? one : i;
    extents.push_back(flat.shape()[from]);
    strides.push_back(flat.stride()[from]);
  }
  TESSERA_TRY(made, Layout::make(IntTuple::tuple(std::move(extents)), IntTuple::tuple(std::move(strides))));
  return layout.shape().is_tuple() ? unflatten(made, layout.shape()) : Result<Layout>(std::move(made));
}

}  // namespace tessera
