// SPDX-License-Identifier: BSD-3-Clause
// coalesce and complement against CuTe's own way of computing them, over every flat layout of up to four modes.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/layout/algebra.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

struct Mode {
  std::int64_t shape, stride;
};

// CuTe's bw_coalesce: from the right, one mode at a time joins the front of what is done.
std::vector<Mode> coalesced(const std::vector<Mode>& modes) {
  std::vector<Mode> done{modes.back()};
  for (std::size_t i = modes.size() - 1; i-- > 0;) {
    const Mode mode = modes[i];
    Mode& front = done.front();
    if (mode.shape == 1) continue;
    if (front.shape == 1)
      front = mode;
    else if (mode.shape * mode.stride == front.stride)
      front = {mode.shape * front.shape, mode.stride};
    else
      done.insert(done.begin(), mode);
  }
  if (done.size() == 1 && done[0].shape == 1) done[0].stride = 0;
  return done;
}

// CuTe's complement: filter, then take the mode of smallest stride again and again.
std::vector<Mode> complemented(std::vector<Mode> modes, std::int64_t cotarget, bool& refused) {
  for (Mode& mode : modes) {
    if (mode.stride == 0) mode.shape = 1;
  }
  modes = coalesced(modes);
  refused = false;
  std::vector<Mode> rest;
  std::int64_t last = 1;
  if (modes.size() != 1 || modes[0].stride != 0) {
    while (!modes.empty()) {
      const auto smallest = std::min_element(modes.begin(), modes.end(), [](const Mode& a, const Mode& b) { return a.stride < b.stride; });
      if (smallest->stride < last) {
        refused = true;
        return {};
      }
      rest.push_back({smallest->stride / last, last});
      last = smallest->stride * smallest->shape;
      modes.erase(smallest);
    }
  }
  rest.push_back({(cotarget + last - 1) / last, last});
  return coalesced(rest);
}

Layout as_layout(const std::vector<Mode>& modes) {
  if (modes.size() == 1) return Layout::make(modes[0].shape, modes[0].stride).value();
  std::vector<IntTuple> shape, stride;
  for (const Mode& mode : modes) {
    shape.emplace_back(mode.shape);
    stride.emplace_back(mode.stride);
  }
  return Layout::make(IntTuple::tuple(std::move(shape)), IntTuple::tuple(std::move(stride))).value();
}

// Calls f with every layout of `rank` modes out of the extents and strides.
template <class F>
void every(std::size_t rank, const std::vector<std::int64_t>& extents, const std::vector<std::int64_t>& strides, std::vector<Mode>& modes,
           const F& f) {
  if (modes.size() == rank) return f(modes);
  for (const std::int64_t extent : extents) {
    for (const std::int64_t stride : strides) {
      modes.push_back({extent, stride});
      every(rank, extents, strides, modes, f);
      modes.pop_back();
    }
  }
}

}  // namespace

TEST_CASE("coalesce joins what CuTe's, from the right, joins") {
  int cases = 0;
  for (const std::size_t rank : {1, 2, 3, 4}) {
    std::vector<Mode> modes;
    every(rank, {1, 2, 3, 6}, {0, 1, 2, 3, 6, -2}, modes, [&](const std::vector<Mode>& m) {
      ++cases;
      const Layout expected = as_layout(coalesced(m)), got = coalesce(as_layout(m));
      if (got != expected) FAIL(to_string(as_layout(m)) << " gives " << to_string(got) << " and not " << to_string(expected));
    });
  }
  CHECK(cases > 300000);
}

TEST_CASE("complement is CuTe's, and is refused where CuTe refuses it") {
  int answers = 0, refusals = 0;
  for (const std::size_t rank : {1, 2, 3}) {
    std::vector<Mode> modes;
    every(rank, {1, 2, 3, 4}, {0, 1, 2, 3, 4, 8, 12}, modes, [&](const std::vector<Mode>& m) {
      for (const std::int64_t cotarget : {1, 24, 31}) {
        bool refused = false;
        const std::vector<Mode> expected = complemented(m, cotarget, refused);
        const Result<Layout> got = complement(as_layout(m), IntTuple(cotarget));
        ++(refused ? refusals : answers);
        if (refused != !got) FAIL(to_string(as_layout(m)) << " to " << cotarget << (refused ? " is answered" : " is refused"));
        if (got && *got != as_layout(expected))
          FAIL(to_string(as_layout(m)) << " to " << cotarget << " gives " << to_string(*got) << " and not "
                                       << to_string(as_layout(expected)));
        if (!got) CHECK(got.error().code == ErrorCode::not_injective);
      }
    });
  }
  CHECK(answers > 20000);
  CHECK(refusals > 20000);
}
