// SPDX-License-Identifier: BSD-3-Clause
// Sizes, cosizes and indices stay within 2^62: the last that fits is given, the next is refused.
#include <cstdint>
#include <utility>
#include <vector>

#include "core/layout/algebra.hpp"
#include "core/layout/bit_matrix.hpp"
#include "core/layout/composed_algebra.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

constexpr std::int64_t kMost = std::int64_t{1} << 62;

IntTuple pair(IntTuple a, IntTuple b) { return IntTuple::tuple({std::move(a), std::move(b)}); }

template <class T>
bool overflows(const Result<T>& result) {
  return !result && result.error().code == ErrorCode::overflow;
}

}  // namespace

TEST_CASE("A layout's size, strides and cosize reach 2^62 and no further") {
  CHECK(Layout::make(kMost, 0));
  CHECK(overflows(Layout::make(kMost + 1, 0)));
  CHECK(Layout::make(pair(kMost / 2, 2), pair(0, 0)));
  CHECK(overflows(Layout::make(pair(kMost / 2, 3), pair(0, 0))));
  CHECK(overflows(Layout::make(pair(kMost, kMost), pair(0, 0))));
  for (const std::int64_t sign : {1, -1}) {
    CHECK(Layout::make(1, sign * kMost));
    CHECK(overflows(Layout::make(1, sign * (kMost + 1))));
    CHECK(Layout::make(2, sign * (kMost - 1)));
    CHECK(overflows(Layout::make(2, sign * kMost)));
    CHECK(overflows(Layout::make(pair(2, 2), pair(sign * (kMost - 1), sign))));
    CHECK(overflows(Layout::make(pair(3, 2), pair(sign * (kMost - 1), sign * (kMost - 1)))));
  }
  CHECK(Layout::make(kMost, 1)->cosize() == kMost);
  CHECK(checked_size(kMost).value() == kMost);
  CHECK(overflows(checked_size(kMost + 1)));
  CHECK(checked_size(pair(kMost / 4, 4)).value() == kMost);
  CHECK(overflows(checked_size(pair(kMost / 4, 5))));
}

TEST_CASE("A composition's strides and cosize reach 2^62 and no further") {
  const auto composed = [](std::int64_t a_shape, std::int64_t a_stride, std::int64_t b_shape, std::int64_t b_stride) {
    return composition(Layout::make(a_shape, a_stride).value(), Layout::make(b_shape, b_stride).value());
  };
  CHECK(to_string(composed(4, kMost / 4, 2, 3).value()) == "2:3458764513820540928");
  CHECK(composed(2, kMost / 2, 2, 1));
  CHECK(overflows(composed(2, kMost / 2, 2, 2)));
  CHECK(overflows(composed(4, kMost / 4, 2, 5)));
  CHECK(composed(4, kMost / 8, 2, 7));
  CHECK(composed(4, -(kMost / 8), 2, 7));
  CHECK(overflows(composed(4, -(kMost / 8), 2, 8)));
}

TEST_CASE("A complement and a product reach 2^62 and no further") {
  CHECK(complement(Layout::make(2, kMost / 2).value()));
  CHECK_FALSE(complement(Layout::make(3, kMost / 2 - 1).value()));
  const Layout two = Layout::make(2, 1).value();
  CHECK(logical_product(two, Tiler(Layout::make(kMost / 2, 1).value())));
  CHECK(overflows(logical_product(two, Tiler(Layout::make(kMost / 2 + 1, 1).value()))));
}

TEST_CASE("A bit matrix has columns below 2^61, 62 of them at most") {
  CHECK(from_bit_matrix(BitMatrix{{kMost / 4}}));
  CHECK_FALSE(from_bit_matrix(BitMatrix{{kMost / 2}}));
  CHECK_FALSE(from_bit_matrix(BitMatrix{{-1}}));
  CHECK(from_bit_matrix(BitMatrix{std::vector<std::int64_t>(62, 0)}));
  CHECK_FALSE(from_bit_matrix(BitMatrix{std::vector<std::int64_t>(63, 0)}));
}

TEST_CASE("The values of a composed layout stay within 2^62") {
  const Swizzle swizzle = Swizzle::make(1, 0, 1).value();
  const auto swizzled = [&](std::int64_t offset, std::int64_t shape) {
    return check_range(ComposedLayout{swizzle, offset, Layout::make(shape, 1).value()});
  };
  CHECK(swizzled(kMost - 8, 8));
  CHECK_FALSE(swizzled(kMost - 7, 8));
  CHECK(swizzled(-kMost, 8));
  CHECK_FALSE(swizzled(-kMost - 1, 8));
  const auto outside = [&](std::int64_t stride, std::int64_t offset, std::int64_t shape) {
    return check_range(ComposedLayout{Layout::make(4, stride).value(), offset, Layout::make(shape, 1).value()});
  };
  CHECK(outside(kMost / 16, 8, 8));
  CHECK_FALSE(outside(kMost / 16, 9, 8));
  CHECK_FALSE(outside(-kMost / 16, -9, 8));
}

TEST_CASE("A coordinate's number is in 64 bits where the modes before its last have fewer numbers") {
  CHECK(crd2idx(pair(1, 1), pair(kMost, 4)).value() == kMost + 1);
  CHECK(overflows(crd2idx(pair(1, 2), pair(kMost, 4))));
  CHECK(overflows(crd2idx(IntTuple::tuple({1, 0, 0}), IntTuple::tuple({kMost, 4, 2}))));
  CHECK(crd2idx(IntTuple::tuple({1, 0, 0}), IntTuple::tuple({kMost / 4, 4, 2})).value() == 1);
}

TEST_CASE("A coordinate layout has 256 modes a level and is nested seven deep, and no more") {
  const auto wide = [](std::size_t modes) { return IntTuple::tuple(std::vector<IntTuple>(modes, IntTuple(1))); };
  CHECK(make_identity_layout(wide(256)));
  CHECK_FALSE(make_identity_layout(wide(257)));
  CHECK_FALSE(make_identity_layout(pair(2, wide(257))));
  IntTuple deep = 2;
  for (int level = 1; level <= 8; ++level) {
    deep = IntTuple::tuple({deep});
    CHECK(make_identity_layout(deep).has_value() == (level <= 7));
  }
}

TEST_CASE("Copies of a block that meets itself, and copies at one place, overlap because they were asked to") {
  const auto layout = [](IntTuple shape, IntTuple stride) { return Layout::make(std::move(shape), std::move(stride)).value(); };
  for (const Law law : {Law::checked, Law::as_cute}) {
    CHECK(logical_product(layout(2, 1), Tiler(layout(pair(2, 2), pair(0, 1))), law));
    CHECK(logical_product(layout(pair(2, 2), pair(0, 1)), Tiler(layout(2, 1)), law));
  }
}
