// SPDX-License-Identifier: BSD-3-Clause
// The parts of composition that other sources of core/layout use. Internal to core/layout; the public face is algebra.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "core/layout/algebra.hpp"
#include "core/layout/flat_modes.hpp"

namespace tessera {

// What a leaf of B composes with: A as a whole, or the mode of A that the leaf's basis stride names, coalesced.
struct LeftHandSide {
  BasisPath path;
  FlatModes modes;
  SmallVector<std::int64_t, 12> reach;  // largest digit that B's leaves seen so far put into each mode but the last
  bool marked = false;                  // some mode has a mark
  int sign = 0;                         // of the strides of B's leaves seen so far
};

struct Composed {
  Layout layout;
  bool proven = false;              // every digit of B's index stays in its mode of A: the law holds
  std::vector<LeftHandSide> parts;  // for the check, when it was not proven
};

// The formula, with CuTe's own conditions and the proof that falls out of its loop.
Result<Composed> compose(const Layout& a, const Layout& b);

// The same for B = (tile, rest) with rest given as flat modes, which saves a divide the making of that layout.
Result<Composed> compose_pair(const Layout& a, const Layout& tile, const FlatModes& rest);

// compose, and by `law` its check.
Result<Layout> compose_by(Law law, const Layout& a, const Layout& b);

// A(B(i)) == R(i) for all i < size(B), point by point; for results that were not proven.
Status check_composition(const Layout& a, const Layout& b, const Composed& composed);

}  // namespace tessera
