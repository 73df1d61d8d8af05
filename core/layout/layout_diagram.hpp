// SPDX-License-Identifier: BSD-3-Clause
// LayoutDiagram: a layout as arrows from the leaves of its shape to the factors of memory that they walk.
//
//   (4,8):(8,1)      memory, lowest first: 8, 4.       4:8 walks the 4, and 8:1 the 8: the arrows cross.
//   (4,4):(1,8)      memory, lowest first: 4, 2, 4.    Nobody walks the 2: it is a gap.
//   (4,8):(9,1)      none: 4:9 begins at 9, which is no multiple of the 8 that 8:1 walks.
//
// The column of memory: leaves with a stride, sorted by (stride, extent), give d0, s0, and each next one (s,d) gives d / (s' * d'), s,
// where (s',d') is the one before. Ones that nobody walks are left out. A layout with such a column is called tractable.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/result.hpp"
#include "core/layout/layout.hpp"

namespace tessera {

struct LayoutDiagram {
  static constexpr int kNone = -1;
  struct Leaf {
    std::int64_t extent = 1, stride = 0;
    int factor = kNone;  // where its arrow ends; kNone: it has none
    friend bool operator==(const Leaf&, const Leaf&) = default;
  };
  struct Factor {
    std::int64_t extent = 1, begins = 1;  // at this stride: the product of the factors below
    int leaf = kNone;                     // whose arrow ends here; kNone: a gap
    friend bool operator==(const Factor&, const Factor&) = default;
  };
  Shape shape;                  // the tree, with the extents of the leaves
  std::vector<Leaf> leaves;     // left to right, which is lowest first
  std::vector<Factor> factors;  // lowest first
  friend bool operator==(const LayoutDiagram&, const LayoutDiagram&) = default;
};

// Leaves of extent 1 have an arrow where their stride is one of the column's, and none where the column is whole without them alone: they
// walk nothing. Refuses coordinates (wrong_type), negative strides (not_representable), and where a quotient is not whole (not_divisible),
// naming the two leaves.
Result<LayoutDiagram> layout_diagram(const Layout& layout);
// What the arrows say, without looking at a stride: each leaf's is the product of the factors below the one that it walks. As flat as the
// leaves. Law: flatten(L), up to the strides of extents of 1.
Layout read_back(const LayoutDiagram& diagram);

// Two leaves in each other's place, with extent and stride: ((2,4),8):((1,16),2), leaves 0 and 2 -> ((8,4),2):((2,16),1). Refuses a leaf
// that is not there (out_of_range).
Result<Layout> exchange_leaves(const Layout& layout, std::size_t one, std::size_t other);

// Two lists of factors, lowest first, in common ones: of factors that are equal, or of which one divides the other, what is common is a
// piece, and the rest of the larger goes on. (6,6) with (2,6,6): the pieces 2, 3, 2, 3, 2. What one list has more than the other stays
// whole.
struct Refinement {
  struct Piece {
    std::int64_t extent = 1;
    int left = LayoutDiagram::kNone, right = LayoutDiagram::kNone;  // of which factor; kNone: that list has ended
    friend bool operator==(const Piece&, const Piece&) = default;
  };
  // Where neither divides the other: what was left of either factor.
  struct Mismatch {
    int left = 0, right = 0;
    std::int64_t left_rest = 1, right_rest = 1;
  };
  std::vector<Piece> pieces;  // lowest first; factors of 1 have none
  std::optional<Mismatch> mismatch;
};
Refinement common_refinement(std::span<const std::int64_t> left, std::span<const std::int64_t> right);

// A o B by arrows: B's factors of memory are matched with the leaves of A's shape, and B's arrows go on along A's.
struct CompositeDiagram {
  LayoutDiagram a, b;                     // without arrows of extent 1
  std::vector<Refinement::Piece> pieces;  // left: B's factor, right: A's leaf
  Layout layout;                          // B's shape, each leaf in its pieces
  LayoutDiagram diagram;                  // of `layout`
};
// Law: layout(i) == a(b(i)) for all i < size(b). Refuses what has no diagram, and what has no common refinement.
Result<CompositeDiagram> composite_diagram(const Layout& a, const Layout& b);

}  // namespace tessera
