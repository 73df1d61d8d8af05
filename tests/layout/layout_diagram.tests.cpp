// SPDX-License-Identifier: BSD-3-Clause
// Layout diagrams: read back they are the layout, composed they are the composition, and where there is none two leaves say why.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <rapidcheck.h>

#include "core/layout/algebra.hpp"
#include "core/layout/layout_diagram.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/literals.hpp"

using namespace tessera;
using namespace tessera::literals;

namespace {

std::vector<std::int64_t> column(const LayoutDiagram& diagram) {
  std::vector<std::int64_t> extents;
  for (const LayoutDiagram::Factor& factor : diagram.factors) extents.push_back(factor.extent);
  return extents;
}

std::vector<std::int64_t> gaps(const LayoutDiagram& diagram) {
  std::vector<std::int64_t> extents;
  for (const LayoutDiagram::Factor& factor : diagram.factors) {
    if (factor.leaf == LayoutDiagram::kNone) extents.push_back(factor.extent);
  }
  return extents;
}

// Extents of 1 walk nothing, whatever their stride.
Layout without_strides_of_ones(const Layout& layout) {
  std::vector<IntTuple> strides;
  const std::vector<std::int64_t> extents = leaf_values(layout.shape()), all = leaf_values(layout.stride());
  for (std::size_t i = 0; i < all.size(); ++i) strides.emplace_back(extents[i] == 1 ? 0 : all[i]);
  return must(Layout::make(layout.shape(), with_profile(strides, layout.shape())));
}

// A column of factors, some of them gaps, walked by leaves in any order, with leaves of stride 0 and extents of 1 between them, some
// nested.
Layout tractable_layout() {
  struct Leaf {
    std::int64_t extent, stride;
  };
  std::vector<Leaf> leaves;
  std::int64_t reach = 1;
  const int factors = *rc::gen::inRange(0, 6);
  for (int i = 0; i < factors; ++i) {
    const std::int64_t extent = *rc::gen::element<std::int64_t>(1, 2, 3, 4, 6, 8);
    if (*rc::gen::inRange(0, 4) != 0) leaves.push_back({extent, reach});
    reach *= extent;
  }
  const int still = *rc::gen::inRange(leaves.empty() ? 1 : 0, 3);
  for (int i = 0; i < still; ++i) leaves.push_back({*rc::gen::element<std::int64_t>(1, 2, 5), *rc::gen::element<std::int64_t>(0, 0, 7)});
  for (Leaf& leaf : leaves) {
    if (leaf.stride == 7 && leaf.extent != 1) leaf.stride = 0;  // only what walks nothing may have any stride
  }
  for (std::size_t i = leaves.size(); i > 1; --i) std::swap(leaves[i - 1], leaves[*rc::gen::inRange<std::size_t>(0, i)]);
  std::vector<Layout> modes;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    Layout mode = Layout::trusted(leaves[i].extent, leaves[i].stride);
    if (i + 1 < leaves.size() && *rc::gen::inRange(0, 3) == 0) {
      ++i;
      mode = make_layout({mode, Layout::trusted(leaves[i].extent, leaves[i].stride)});
    }
    modes.push_back(std::move(mode));
  }
  return modes.size() == 1 && *rc::gen::inRange(0, 2) == 0 ? modes.front() : make_layout(std::move(modes));
}

template <class F>
void law(const char* words, F&& f) {
  CHECK(rc::check(words, std::forward<F>(f)));
}

Error refusal(const Layout& layout) {
  const Result<LayoutDiagram> made = layout_diagram(layout);
  REQUIRE(!made);
  return made.error();
}

Error refusal(const Layout& a, const Layout& b) {
  const Result<CompositeDiagram> made = composite_diagram(a, b);
  REQUIRE(!made);
  return made.error();
}

}  // namespace

TEST_CASE("memory's column begins at the least stride, and what no leaf walks is a gap in it", "[layout_diagram]") {
  const auto of = [](const Layout& layout) { return column(must(layout_diagram(layout))); };
  const auto gaps_of = [](const Layout& layout) { return gaps(must(layout_diagram(layout))); };
  using Column = std::vector<std::int64_t>;
  CHECK(of("(4,8):(8,1)"_layout) == Column{8, 4});
  CHECK(of("(4,4):(1,8)"_layout) == Column{4, 2, 4});
  CHECK(gaps_of("(4,4):(1,8)"_layout) == Column{2});
  CHECK(of("((4,8,4),(2,2,8)):((128,1,16),(64,8,512))"_layout) == Column{8, 2, 4, 2, 4, 8});
  CHECK(gaps_of("((4,8,4),(2,2,8)):((128,1,16),(64,8,512))"_layout).empty());
  CHECK(of("5:3"_layout) == Column{3, 5});
  CHECK(gaps_of("5:3"_layout) == Column{3});
  CHECK(of("(3,2,2):(4,0,24)"_layout) == Column{4, 3, 2, 2});
  CHECK(of("(2,3):(0,0)"_layout).empty());
}

TEST_CASE("an arrow ends where the factors below are the leaf's stride", "[layout_diagram]") {
  const LayoutDiagram crossing = must(layout_diagram("(4,8):(8,1)"_layout));
  CHECK(crossing.leaves[0].factor == 1);
  CHECK(crossing.leaves[1].factor == 0);
  CHECK(crossing.factors[1].begins == 8);
  CHECK(crossing.factors[0].leaf == 1);
  CHECK(must(layout_diagram("(4,2):(1,0)"_layout)).leaves[1].factor == LayoutDiagram::kNone);
}

TEST_CASE("an extent of 1 has an arrow where its stride is one of the column's, and spoils no column", "[layout_diagram]") {
  const LayoutDiagram fits = must(layout_diagram("(4,1,3):(1,8,8)"_layout));
  CHECK(column(fits) == std::vector<std::int64_t>{4, 2, 1, 3});
  CHECK(fits.leaves[1].factor == 2);
  const LayoutDiagram spoils = must(layout_diagram("(4,1):(1,7)"_layout));
  CHECK(column(spoils) == std::vector<std::int64_t>{4});
  CHECK(spoils.leaves[1].factor == LayoutDiagram::kNone);
}

TEST_CASE("a diagram that is read back is the layout that it was made of", "[layout_diagram]") {
  for (const char* text : {"(4,8):(8,1)", "(4,4):(1,8)", "((4,8,4),(2,2,8)):((128,1,16),(64,8,512))", "7:5", "(3,(2,5)):(10,(0,2))"}) {
    CAPTURE(text);
    const Layout layout = must(Reader(text).layout());
    CHECK(read_back(must(layout_diagram(layout))) == flatten(layout));
  }
  law("read_back(layout_diagram(L)) == flatten(L), up to strides of extents of 1", [] {
    const Layout layout = tractable_layout();
    const LayoutDiagram made = must(layout_diagram(layout));
    RC_ASSERT(without_strides_of_ones(read_back(made)) == without_strides_of_ones(flatten(layout)));
    std::int64_t below = 1;
    for (const LayoutDiagram::Factor& factor : made.factors) {
      RC_ASSERT(factor.begins == below);
      RC_ASSERT(factor.extent > 1 || factor.leaf != LayoutDiagram::kNone);
      below *= factor.extent;
    }
  });
}

TEST_CASE("where a quotient is not whole, the two leaves are named with what is wrong", "[layout_diagram]") {
  CHECK(
      refusal("(6,2):(1,7)"_layout).message ==
      "(6,2):(1,7) has no diagram: between the leaves 6:1 and 2:7 is a broken gap, for 2:7 begins at 7, which is no multiple of the 6 that "
      "6:1 walks");
  CHECK(refusal("(6,2):(1,7)"_layout).notes.front() == "strides that follow 6:1 are its multiples: 6, 12");
  CHECK(refusal("(4,8):(9,1)"_layout).message.find("4:9 begins at 9, which is no multiple of the 8 that 8:1 walks") != std::string::npos);
  CHECK(refusal("(4,4):(1,2)"_layout).message ==
        "(4,4):(1,2) has no diagram: the leaves 4:1 and 4:2 overlap, for 4:2 begins at 2, before the 4 that 4:1 walks");
  CHECK(refusal("(2,2):(3,3)"_layout).message.find("overlap") != std::string::npos);
  for (const char* text : {"(6,2):(1,7)", "(4,4):(1,2)", "(2,2):(3,3)"})
    CHECK(refusal(must(Reader(text).layout())).code == ErrorCode::not_divisible);
}

TEST_CASE("what goes downwards or to coordinates has no column of memory", "[layout_diagram]") {
  CHECK(refusal("(4,8):(-1,4)"_layout).code == ErrorCode::not_representable);
  CHECK(refusal("(4,8):(-1,4)"_layout).message.find("4:-1") != std::string::npos);
  CHECK(refusal("(4,8):(1@0,1@1)"_layout).code == ErrorCode::wrong_type);
}

TEST_CASE("two lists have the pieces in common that divide both", "[layout_diagram]") {
  const std::vector<std::int64_t> six{6, 6}, two{2, 6, 6};
  const Refinement found = common_refinement(six, two);
  REQUIRE(!found.mismatch);
  std::vector<std::vector<std::int64_t>> left(2), right(3);
  for (const Refinement::Piece& piece : found.pieces) {
    if (piece.left >= 0) left[static_cast<std::size_t>(piece.left)].push_back(piece.extent);
    if (piece.right >= 0) right[static_cast<std::size_t>(piece.right)].push_back(piece.extent);
  }
  CHECK(left == std::vector<std::vector<std::int64_t>>{{2, 3}, {2, 3}});
  CHECK(right == std::vector<std::vector<std::int64_t>>{{2}, {3, 2}, {3, 2}});
  law("the pieces of a list are its factors, in order", [] {
    const auto list = rc::gen::container<std::vector<std::int64_t>>(rc::gen::element<std::int64_t>(1, 2, 4, 3, 6, 12));
    const std::vector<std::int64_t> a = *list, b = *list;
    const Refinement made = common_refinement(a, b);
    RC_PRE(!made.mismatch);
    std::vector<std::int64_t> of_a(a.size(), 1), of_b(b.size(), 1);
    for (const Refinement::Piece& piece : made.pieces) {
      RC_ASSERT(piece.extent > 1);
      if (piece.left >= 0) of_a[static_cast<std::size_t>(piece.left)] *= piece.extent;
      if (piece.right >= 0) of_b[static_cast<std::size_t>(piece.right)] *= piece.extent;
    }
    RC_ASSERT(of_a == a);
    RC_ASSERT(of_b == b);
  });
}

TEST_CASE("a composite diagram is that of the composition", "[layout_diagram]") {
  const auto is_refined = [](const CompositeDiagram& made) {  // some leaves or factors are split
    return made.pieces.size() > std::max(made.a.leaves.size(), made.b.factors.size());
  };
  int refined = 0;
  for (const auto& [a, b] : {std::pair("(6,2):(8,2)", "(4,3):(3,1)"), std::pair("(2,6,6):(1,2,12)", "(6,6):(1,6)"),
                             std::pair("(4,8):(8,1)", "(2,4):(4,8)"), std::pair("(8,8):(8,1)", "((2,4),4):((1,8),2)")}) {
    CAPTURE(a, b);
    const Layout of_a = must(Reader(a).layout()), of_b = must(Reader(b).layout());
    const Result<CompositeDiagram> made = composite_diagram(of_a, of_b);
    REQUIRE(made);
    const Layout expected = must(composition(of_a, of_b));
    CHECK(coalesce(made->layout) == coalesce(expected));
    CHECK(read_back(made->diagram) == flatten(made->layout));
    refined += is_refined(*made);
  }
  CHECK(refined > 0);
  law("composite_diagram(A, B) is the diagram of composition(A, B), mode by mode coalesced", [&] {
    const Layout a = tractable_layout(), b = tractable_layout();
    RC_PRE(b.size() <= 1 << 12);
    const Result<CompositeDiagram> made = composite_diagram(a, b);
    RC_PRE(static_cast<bool>(made));
    for (std::int64_t i = 0; i < b.size(); ++i) RC_ASSERT(made->layout(i) == a(b(i)));
    RC_ASSERT(compatible(b.shape(), made->layout.shape()));
    const Layout expected = must(composition(a, without_strides_of_ones(b)));  // CuTe's conditions ask for those strides too
    RC_ASSERT(must(coalesce(made->layout, b.shape())) == must(coalesce(expected, b.shape())));
    // Coalesced to the same factors it has the same column.
    RC_ASSERT(must(layout_diagram(coalesce(made->layout))).factors == must(layout_diagram(coalesce(expected))).factors);
  });
}

TEST_CASE("layouts whose factors divide each other in no way are refused by these factors", "[layout_diagram]") {
  CHECK(refusal("(4,6):(1,4)"_layout, "6:1"_layout).message ==
        "(4,6):(1,4) and 6:1 have no common refinement: 6 of B's memory, which 6:1 walks, meets 4 of A's shape, the leaf 4:1, and neither "
        "divides the other");
  CHECK(refusal("(2,5):(5,1)"_layout, "4:1"_layout)
            .message.find("the 2 left of 4 of B's memory, which 4:1 walks, meets 5 of A's shape, the leaf 5:1") != std::string::npos);
  CHECK(refusal("(2,2):(2,1)"_layout, "8:1"_layout).message.find("lies beyond the 4 elements of A's shape") != std::string::npos);
  CHECK(refusal("(4,8):(9,1)"_layout, "4:1"_layout).message.find("(4,8):(9,1) has no diagram") != std::string::npos);
}

TEST_CASE("two leaves of a layout are exchanged with their strides, and the tree stays") {
  const auto exchanged = [](const char* text, std::size_t one, std::size_t other) {
    const Result<Layout> made = exchange_leaves(Reader(text).layout().value(), one, other);
    return made ? to_string(*made) : made.error().message;
  };
  CHECK(exchanged("(4,8):(8,1)", 0, 1) == "(8,4):(1,8)");
  CHECK(exchanged("((2,4),8):((1,16),2)", 0, 2) == "((8,4),2):((2,16),1)");
  CHECK(exchanged("((2,4),(8,3)):((1,16),(2,0))", 1, 3) == "((2,3),(8,4)):((1,0),(2,16))");
  CHECK(exchanged("(4,8):(8,1)", 1, 1) == "(4,8):(8,1)");
  CHECK(exchanged("8:1", 0, 0) == "8:1");
  CHECK(exchanged("(4,8):(8,1)", 0, 2) == "(4,8):(8,1) has 2 leaves, 0 to 1, and no leaf 2");
  // Twice is not at all.
  const Layout layout = Reader("((2,4),(8,3)):((1,16),(2,64))").layout().value();
  CHECK(exchange_leaves(exchange_leaves(layout, 0, 3).value(), 0, 3).value() == layout);
}
