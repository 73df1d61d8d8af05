// SPDX-License-Identifier: BSD-3-Clause
// The laws of the algebra, on random layouts and on all small ones. The words are those of core/layout/algebra.hpp.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include <rapidcheck.h>

#include "core/layout/algebra.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/literals.hpp"

using namespace tessera;
using namespace tessera::literals;

namespace {

// A shape of up to three top modes, one of them maybe nested, with strides from a small set that makes accidents likely.
Layout any_layout() {
  const auto extent = rc::gen::element<std::int64_t>(1, 2, 3, 4, 6, 8);
  const auto stride = rc::gen::element<std::int64_t>(0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 48);
  std::vector<Layout> modes;
  const int rank = *rc::gen::inRange(1, 4);
  for (int i = 0; i < rank; ++i) {
    const Layout flat = Layout::trusted(*extent, *stride);
    if (*rc::gen::inRange(0, 4) == 0)
      modes.push_back(make_layout({flat, Layout::trusted(*extent, *stride)}));
    else
      modes.push_back(flat);
  }
  if (rank == 1 && *rc::gen::inRange(0, 2) == 0) return modes[0];
  return make_layout(std::move(modes));
}

// A bijection onto 0 .. size-1: column-major in a shuffled order of modes.
Layout compact_layout() {
  std::vector<IntTuple> shape, order;
  const int rank = *rc::gen::inRange(1, 5);
  for (int i = 0; i < rank; ++i) {
    shape.emplace_back(*rc::gen::element<std::int64_t>(1, 2, 3, 4, 5));
    order.emplace_back(*rc::gen::inRange<std::int64_t>(0, 1000) * 8 + i);
  }
  return must(make_ordered_layout(IntTuple::tuple(shape), IntTuple::tuple(order)));
}

bool composes(const Layout& a, const Layout& b, const Layout& r) {
  for (std::int64_t i = 0; i < b.size(); ++i) {
    if (r(i) != a(b(i))) return false;
  }
  return compatible(b.shape(), r.shape());
}

template <class F>
void law(const char* words, F&& f) {
  CHECK(rc::check(words, std::forward<F>(f)));
}

// All flat layouts of `rank` modes with the given extents and strides.
template <class F>
void for_all_layouts(std::size_t rank, const std::vector<std::int64_t>& extents, const std::vector<std::int64_t>& strides, F&& f) {
  std::size_t count = 1;
  for (std::size_t k = 0; k < rank; ++k) count *= extents.size() * strides.size();
  for (std::size_t n = 0; n < count; ++n) {
    std::size_t rest = n;
    std::vector<Layout> modes;
    for (std::size_t k = 0; k < rank; ++k) {
      const std::int64_t s = extents[rest % extents.size()];
      rest /= extents.size();
      modes.push_back(Layout::trusted(s, strides[rest % strides.size()]));
      rest /= strides.size();
    }
    f(make_layout(std::move(modes)));
  }
}

}  // namespace

TEST_CASE("Random layouts obey the laws of rearranging", "[laws]") {
  law("coalesce(L)(i) == L(i) for all i < size", [] {
    const Layout l = any_layout();
    RC_ASSERT(image(coalesce(l)) == image(l));
    RC_ASSERT(image(flatten(l)) == image(l));
    RC_ASSERT(coalesce(coalesce(l)) == coalesce(l));
  });
  law("image(L) is [L(0), .., L(size-1)], and coordinates agree with indices", [] {
    const Layout l = any_layout();
    const auto values = image(l);
    for (std::int64_t i = 0; i < l.size(); ++i) {
      RC_ASSERT(values[static_cast<std::size_t>(i)] == l(i));
      const Coord c = idx2crd(i, l.shape());
      RC_ASSERT(must(crd2idx(c, l.shape())) == i);
      RC_ASSERT(must(evaluate(l, c)) == IntTuple(l(i)));
    }
  });
  law("filter(L) has the same image and no repetition by zero strides", [] {
    const Layout l = any_layout();
    const auto a = image(l), b = image(filter(l));
    RC_ASSERT(std::set<std::int64_t>(a.begin(), a.end()) == std::set<std::int64_t>(b.begin(), b.end()));
  });
}

TEST_CASE("Random compositions equal A(B(i)) at every i or are refused", "[laws]") {
  law("composition(A,B)(i) == A(B(i)) for all i < size(B)", [] {
    const Layout a = any_layout(), b = any_layout();
    const auto r = composition(a, b);
    if (r) {
      RC_ASSERT(composes(a, b, *r));
    } else {
      RC_ASSERT((r.error().code == ErrorCode::not_divisible || r.error().code == ErrorCode::breaks_law));
      const auto unchecked = composition_unchecked(a, b);
      RC_ASSERT((!unchecked || !composes(a, b, *unchecked)));  // nothing right is refused
    }
  });
  law("a divide by Law::checked is a bijection of A's coordinates when the tile divides", [] {
    const Layout a = compact_layout();
    const auto r = logical_divide(a, Tiler(*rc::gen::inRange<std::int64_t>(1, 9)), Law::checked);
    if (r && r->size() == a.size()) {
      auto x = image(a), y = image(*r);
      std::sort(x.begin(), x.end());
      std::sort(y.begin(), y.end());
      RC_ASSERT(x == y);
    }
  });
}

TEST_CASE("Random complements and inverses obey their laws", "[laws]") {
  law("(L, complement(L, M)) is injective apart from L's own repetition, and fills up to M", [] {
    const Layout l = any_layout();
    const std::int64_t m = *rc::gen::inRange<std::int64_t>(1, 200);
    const auto c = complement(l, Shape(m));
    if (!c) return;
    const auto mine = image(filter(l)), rest = image(*c);
    std::set<std::int64_t> sums;
    for (const auto x : mine)
      for (const auto y : rest) sums.insert(x + y);
    RC_ASSERT(sums.size() == mine.size() * rest.size());
    RC_ASSERT(std::is_sorted(rest.begin(), rest.end()));
    // A stride that is no multiple of the reach before it leaves gaps; without gaps everything below M is reached.
    const bool gapless = *sums.rbegin() + 1 == static_cast<std::int64_t>(sums.size());
    RC_ASSERT((!gapless || static_cast<std::int64_t>(sums.size()) >= m));
  });
  law("L(right_inverse(L)(i)) == i for all i < size of the result", [] {
    const Layout l = any_layout(), r = must(right_inverse(l));
    for (std::int64_t i = 0; i < r.size(); ++i) RC_ASSERT(l(r(i)) == i);
  });
  law("L(left_inverse(L)(L(i))) == L(i)", [] {
    const Layout l = any_layout();
    const auto r = left_inverse(l);
    if (!r) return;
    for (std::int64_t i = 0; i < l.size(); ++i) RC_ASSERT(l((*r)(l(i))) == l(i));
  });
  law("both inverses of a bijection invert it on both sides", [] {
    const Layout l = compact_layout(), r = must(right_inverse(l)), q = must(left_inverse(l));
    RC_ASSERT(r.size() == l.size());
    for (std::int64_t i = 0; i < l.size(); ++i) {
      RC_ASSERT(l(r(i)) == i);
      RC_ASSERT(q(l(i)) == i);
    }
  });
  law("L(nullspace(L)(i)) == 0 and the sizes fit", [] {
    const Layout l = any_layout(), k = nullspace(l);
    for (std::int64_t i = 0; i < k.size(); ++i) RC_ASSERT(l(k(i)) == 0);
    RC_ASSERT(k.size() * filter(l).size() == l.size());
  });
}

TEST_CASE("Random products repeat the block without overlap", "[laws]") {
  law("logical_product(A, B): mode 0 is A, and all indices differ where both are injective", [] {
    const Layout a = compact_layout(), b = compact_layout();
    const Layout p = must(logical_product(a, Tiler(b), Law::checked));
    RC_ASSERT(p[0] == a);
    const auto values = image(p);
    RC_ASSERT(std::set<std::int64_t>(values.begin(), values.end()).size() == values.size());
  });
  law("upcast by n, then downcast by n gives the layout back where n elements are adjacent", [] {
    const std::int64_t n = *rc::gen::element<std::int64_t>(1, 2, 4);
    const Layout l = must(Layout::make(IntTuple::tuple({4 * n, 3}), IntTuple::tuple({1, 8 * n})));
    RC_ASSERT(must(downcast(must(upcast(l, n)), n)) == l);
  });
}

TEST_CASE("All small pairs of layouts compose right or are refused", "[laws][sweep]") {
  // 3 x 5 choices a mode: rank-2 A (225) against rank-1 and rank-2 B (15 + 225).
  const std::vector<std::int64_t> extents{2, 3, 4}, strides{0, 1, 2, 3, 5};
  std::vector<Layout> as, bs;
  for_all_layouts(2, extents, strides, [&](Layout l) { as.push_back(std::move(l)); });
  bs = as;
  for_all_layouts(1, extents, strides, [&](Layout l) { bs.push_back(std::move(l)); });
  int composed = 0, broken = 0, refused = 0, failures = 0;
  for (const Layout& a : as) {
    for (const Layout& b : bs) {
      const auto r = composition(a, b);
      if (r) {
        ++composed;
        failures += !composes(a, b, *r);
      } else {
        ++(r.error().code == ErrorCode::breaks_law ? broken : refused);
        const auto unchecked = composition_unchecked(a, b);
        failures += unchecked && composes(a, b, *unchecked);
      }
    }
  }
  CHECK(failures == 0);
  CHECK(composed + broken + refused == 54000);
  CHECK(composed > 15000);
  CHECK(broken > 1000);  // pairs on which the formula is silently wrong
}

TEST_CASE("All small layouts have right complements and inverses or none", "[laws][sweep]") {
  std::vector<Layout> all;
  for_all_layouts(1, {1, 2, 3, 4}, {0, 1, 2, 3, 4, 6, 8}, [&](Layout l) { all.push_back(std::move(l)); });
  for_all_layouts(2, {1, 2, 3, 4}, {0, 1, 2, 3, 4, 6, 8}, [&](Layout l) { all.push_back(std::move(l)); });
  for_all_layouts(3, {1, 2, 4}, {0, 1, 2, 4, 8}, [&](Layout l) { all.push_back(std::move(l)); });
  int failures = 0, complements = 0, lefts = 0;
  for (const Layout& l : all) {
    const Layout r = must(right_inverse(l));
    for (std::int64_t i = 0; i < r.size(); ++i) failures += l(r(i)) != i;
    if (const auto q = left_inverse(l)) {
      ++lefts;
      for (std::int64_t i = 0; i < l.size(); ++i) failures += l((*q)(l(i))) != l(i);
    }
    if (const auto c = complement(l, Shape(24))) {
      ++complements;
      const auto mine = image(filter(l)), rest = image(*c);
      std::set<std::int64_t> sums;
      for (const auto x : mine)
        for (const auto y : rest) sums.insert(x + y);
      failures += sums.size() != mine.size() * rest.size();
    }
  }
  CHECK(all.size() == 28 + 784 + 3375);
  CHECK(failures == 0);
  CHECK(complements > 1000);
  CHECK(lefts > 1000);
}
