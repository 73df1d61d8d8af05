// SPDX-License-Identifier: BSD-3-Clause
// Every layout up to size 24 and depth 2 with strides from a small set, against every law: some millions of cases. Hidden, since it takes
// longer than a test should; test_layout "[million]" runs it and prints the counts.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/layout/algebra.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

constexpr std::int64_t kLargest = 24;
const std::vector<std::int64_t> kStrides{0, 1, 2, 3, 4, 6, 8, 12, 24};

// All tuples of `rank` extents whose product is at most kLargest.
void for_all_extents(std::size_t rank, std::vector<std::int64_t>& extents, std::int64_t product, const auto& visit) {
  if (extents.size() == rank) return visit(extents);
  for (std::int64_t s = 1; s * product <= kLargest; ++s) {
    extents.push_back(s);
    for_all_extents(rank, extents, product * s, visit);
    extents.pop_back();
  }
}

// The profiles of depth 1 and 2 with `rank` leaves, and the bare integer.
std::vector<IntTuple> profiles(std::size_t rank) {
  const auto tuple = [](std::vector<IntTuple> modes) { return IntTuple::tuple(std::move(modes)); };
  if (rank == 1) return {IntTuple(0), tuple({0})};
  if (rank == 2) return {tuple({0, 0}), tuple({tuple({0, 0})}), tuple({tuple({0}), 0})};
  return {tuple({0, 0, 0}), tuple({tuple({0, 0}), 0}), tuple({0, tuple({0, 0})})};
}

std::vector<Layout> all_layouts() {
  std::vector<Layout> all;
  for (std::size_t rank = 1; rank <= 3; ++rank) {
    std::vector<std::int64_t> extents;
    for_all_extents(rank, extents, 1, [&](const std::vector<std::int64_t>& shape) {
      std::size_t count = 1;
      for (std::size_t i = 0; i < rank; ++i) count *= kStrides.size();
      for (std::size_t n = 0; n < count; ++n) {
        std::vector<IntTuple> shapes(shape.begin(), shape.end()), strides;
        for (std::size_t i = 0, rest = n; i < rank; ++i, rest /= kStrides.size()) strides.emplace_back(kStrides[rest % kStrides.size()]);
        for (const IntTuple& profile : profiles(rank))
          all.push_back(Layout::trusted(with_profile(shapes, profile), with_profile(strides, profile)));
      }
    });
  }
  return all;
}

// Sorted, without repetition: is each sum of one value of `a` and one of `b` another number?
bool sums_are_distinct(std::vector<std::int64_t> a, const std::vector<std::int64_t>& b) {
  std::vector<std::int64_t> sums;
  for (const std::int64_t x : a) {
    for (const std::int64_t y : b) sums.push_back(x + y);
  }
  std::sort(sums.begin(), sums.end());
  return std::adjacent_find(sums.begin(), sums.end()) == sums.end();
}

struct Count {
  const char* law;
  std::int64_t held = 0, refused = 0, broken = 0;
  void add(bool holds) { ++(holds ? held : broken); }
};

}  // namespace

TEST_CASE("Every layout up to size 24 and depth 2 obeys every law", "[.][million]") {
  const std::vector<Layout> all = all_layouts();
  Count coalesced{"coalesce(L)(i) == L(i)"}, right{"L(right_inverse(L)(i)) == i"}, left{"L(left_inverse(L)(L(i))) == L(i)"},
      disjoint{"(L, complement(L, 48)) is injective up to L's repetition"}, composed{"composition(A,B)(i) == A(B(i))"};
  for (std::size_t n = 0; n < all.size(); ++n) {
    const Layout& l = all[n];
    bool holds = true;
    const Layout c = coalesce(l);
    for (std::int64_t i = 0; i < l.size(); ++i) holds &= c(i) == l(i);
    coalesced.add(holds && c.size() == l.size());
    if (const auto r = right_inverse(l)) {
      holds = true;
      for (std::int64_t i = 0; i < r->size(); ++i) holds &= l((*r)(i)) == i;
      right.add(holds);
    } else {
      ++right.refused;
    }
    if (const auto r = left_inverse(l)) {
      holds = true;
      for (std::int64_t i = 0; i < l.size(); ++i) holds &= l((*r)(l(i))) == l(i);
      left.add(holds);
    } else {
      ++left.refused;
    }
    if (const auto r = complement(l, Shape(48))) {
      std::vector<std::int64_t> mine = image(l);
      std::sort(mine.begin(), mine.end());
      mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
      disjoint.add(sums_are_distinct(std::move(mine), image(*r)));
    } else {
      ++disjoint.refused;
    }
    const Layout& b = all[(n * 7919 + 104729) % all.size()];  // another layout, far away in the list
    if (const auto r = composition(l, b)) {
      holds = r->size() == b.size();
      for (std::int64_t i = 0; i < b.size() && holds; ++i) holds = (*r)(i) == l(b(i));
      composed.add(holds);
    } else {
      ++composed.refused;
    }
  }
  std::int64_t cases = 0;
  for (const Count& count : {coalesced, right, left, disjoint, composed}) {
    WARN(fmt::format("{:<60} held {:>8}  refused {:>8}  broken {}", count.law, count.held, count.refused, count.broken));
    CHECK(count.broken == 0);
    CHECK(count.held > 0);
    cases += count.held + count.refused + count.broken;
  }
  WARN(fmt::format("{} layouts, {} cases", all.size(), cases));
  CHECK(cases >= 1'000'000);
}
