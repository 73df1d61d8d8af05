// SPDX-License-Identifier: BSD-3-Clause
// SmallVector and Selector: values on the stack and on the heap, and choices without branches.
#include "core/base/small_vector.hpp"

#include <cstdint>
#include <numeric>
#include <vector>

#include "core/base/selector.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

using Small = SmallVector<int, 4>;

std::vector<int> values(const Small& v) { return {v.begin(), v.end()}; }

Small counted(int n) {
  Small v;
  for (int i = 0; i < n; ++i) v.push_back(i);
  return v;
}

}  // namespace

TEST_CASE("a small vector keeps its values within and beyond its own room") {
  for (const int n : {0, 1, 4, 5, 8, 9, 100}) {
    const Small v = counted(n);
    std::vector<int> expected(static_cast<std::size_t>(n));
    std::iota(expected.begin(), expected.end(), 0);
    CHECK(values(v) == expected);
    const Small copy = v;
    CHECK(values(copy) == expected);
    Small other = counted(7);
    other = v;
    CHECK(values(other) == expected);
    other = static_cast<const Small&>(other);
    CHECK(values(other) == expected);
  }
}

TEST_CASE("a small vector grows with one of its own values, and from within") {
  Small v = counted(4);
  v.push_back(v[3]);
  CHECK(values(v) == std::vector<int>{0, 1, 2, 3, 3});
  v.resize(20, v[2]);
  CHECK(v.size() == 20);
  CHECK(v[19] == 2);
  int* const end = v.extend(3);
  end[0] = end[1] = end[2] = 9;
  CHECK(v.size() == 23);
  CHECK(v[19] == 2);
  CHECK(v.back() == 9);
  v.shrink(22);
  CHECK(values(v) == std::vector<int>{0});
  v.clear();
  CHECK(v.empty());
}

TEST_CASE("a selector takes the first value where its condition holds") {
  CHECK(Selector(true)(std::int64_t{-5}, std::int64_t{7}) == -5);
  CHECK(Selector(false)(std::int64_t{-5}, std::int64_t{7}) == 7);
  std::int64_t a = 1, b = -2;
  Selector(false).exchange(a, b);
  CHECK((a == 1 && b == -2));
  Selector(true).exchange(a, b);
  CHECK((a == -2 && b == 1));
}
