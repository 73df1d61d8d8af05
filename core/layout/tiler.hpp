// SPDX-License-Identifier: BSD-3-Clause
// Tiler: what the second argument of composition, divide and product may be.
//
// A layout; an integer n, which stands for n:1; `_`, which leaves the mode alone; or a tuple of tilers, applied mode by mode.
// A tuple tiler is not a layout: the tiler (2,4) is <2:1,4:1>, while the layout (2,4) is (2,4):(1,2).
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/layout/layout.hpp"
#include "core/layout/swizzle.hpp"

namespace tessera {

struct Underscore {
  friend bool operator==(const Underscore&, const Underscore&) = default;
};

// An integer as a tiler, with what is remembered of it.
struct TileSize {
  std::int64_t value = 1;
  unsigned mark = marks::kStatic;  // bits of namespace marks

  operator std::int64_t() const { return value; }
  IntTuple number() const { return IntTuple::marked(value, mark); }
  friend bool operator==(const TileSize& a, const TileSize& b) { return a.value == b.value; }
};

struct Tiler {
  std::variant<Layout, ComposedLayout, TileSize, Underscore, std::vector<Tiler>> value;

  // Long, and used by many sources: compiled once.
  Tiler(const Tiler& other);
  Tiler(Tiler&& other) noexcept;
  Tiler& operator=(const Tiler& other);
  Tiler& operator=(Tiler&& other) noexcept;
  ~Tiler();

  Tiler(Layout layout) : value(std::move(layout)) {}
  Tiler(ComposedLayout layout) : value(std::move(layout)) {}
  Tiler(TileSize n) : value(n) {}
  Tiler(std::int64_t n) : value(TileSize{n}) {}
  Tiler(int n) : value(TileSize{n}) {}
  Tiler(Underscore u) : value(u) {}
  Tiler(std::vector<Tiler> modes) : value(std::move(modes)) {}

  bool is_tuple() const { return std::holds_alternative<std::vector<Tiler>>(value); }
  friend bool operator==(const Tiler&, const Tiler&) = default;
};

// The tuple tiler of a shape: (2,(3,_)) -> <2, <3, _>>; an integer gives an integer tiler.
Tiler to_tiler(const IntTuple& shape);
std::string to_string(const Tiler& tiler);  // "(3:3,(2,4):(1,8),_)"

}  // namespace tessera
