// SPDX-License-Identifier: BSD-3-Clause
// Layouts in the spellings of other tools.
#include "core/layout/print.hpp"

#include <fmt/format.h>

namespace tessera {

namespace {

// The static integers that CuTe's integral_constant.hpp names; Int<n> is always right.
std::string cpp_integer(std::int64_t v) {
  const bool small = v >= 0 && (v <= 10 || v == 12 || v == 16 || v == 24);
  const bool eights = v >= 32 && v <= 256 && v % 8 == 0;
  const bool named = small || eights || v == 384 || v == 768 || (v > 256 && (v & (v - 1)) == 0 && v <= 524288);
  return named ? fmt::format("_{}", v) : fmt::format("Int<{}>", v);
}

std::string cpp_leaf(const IntTuple& t) {
  if (t.is_underscore()) return "Underscore";
  if (!t.is_basis()) return cpp_integer(t.value());
  std::string out = "ScaledBasis<" + cpp_integer(t.value());  // E's template arguments: outermost mode first
  for (int k = 0; k < t.path().length; ++k) out += fmt::format(",{}", t.path().modes[static_cast<std::size_t>(k)]);
  return out + ">";
}

std::string dsl_leaf(const IntTuple& t) {
  if (t.is_underscore()) return "None";
  if (!t.is_basis()) return std::to_string(t.value());
  std::string modes;
  for (int k = 0; k < t.path().length; ++k) modes += fmt::format("{}{}", k ? ", " : "", t.path().modes[static_cast<std::size_t>(k)]);
  return fmt::format("cute.ScaledBasis({}, [{}])", t.value(), modes);
}

std::string leaf(const IntTuple& t, Spelling spelling) {
  switch (spelling) {
    case Spelling::tessera: return to_string(t);
    case Spelling::cute_print: return t.is_underscore() ? "_" : "_" + to_string(t);
    case Spelling::cute_cpp: return cpp_leaf(t);
    case Spelling::cute_dsl: return dsl_leaf(t);
  }
  return {};
}

// `head` is the name of the C++ tuple: Shape, Stride, Coord.
std::string tree(const IntTuple& t, Spelling spelling, std::string_view head) {
  if (!t.is_tuple()) return leaf(t, spelling);
  const bool cpp = spelling == Spelling::cute_cpp, dsl = spelling == Spelling::cute_dsl;
  std::string out = cpp ? fmt::format("{}<", head) : "(";
  for (std::size_t i = 0; i < t.rank(); ++i) {
    if (i > 0) out += dsl ? ", " : ",";
    out += tree(t[i], spelling, head);
  }
  if (dsl && t.rank() == 1) out += ",";  // Python's one-tuple
  return out + (cpp ? ">" : ")");
}

struct AnyPrinter {
  Spelling spelling;

  std::string operator()(const Layout& layout) const { return print(layout, spelling); }
  std::string operator()(const Swizzle& swizzle) const { return print(swizzle, spelling); }
  std::string operator()(const Nested& rest) const { return (*this)(*rest); }
  std::string operator()(const ComposedLayout& c) const {
    const std::string outer = std::visit(*this, c.outer), inner = std::visit(*this, c.inner);
    const std::string offset = tree(c.offset, spelling, "Coord");
    switch (spelling) {
      case Spelling::tessera:
      case Spelling::cute_print: return outer + " o " + offset + " o " + inner;
      case Spelling::cute_cpp: return fmt::format("ComposedLayout<{},{},{}>", outer, offset, inner);
      case Spelling::cute_dsl: return fmt::format("cute.make_composed_layout({}, {}, {})", outer, offset, inner);
    }
    return {};
  }
};

struct TilerPrinter {
  Spelling spelling;

  std::string operator()(const Layout& layout) const { return print(layout, spelling); }
  std::string operator()(const ComposedLayout& c) const { return AnyPrinter{spelling}(c); }
  std::string operator()(std::int64_t n) const { return leaf(n, spelling); }
  std::string operator()(Underscore) const { return leaf(IntTuple::underscore(), spelling); }
  std::string operator()(const std::vector<Tiler>& modes) const {
    const bool cpp = spelling == Spelling::cute_cpp, dsl = spelling == Spelling::cute_dsl;
    std::string out = cpp ? "Tile<" : "(";
    for (std::size_t i = 0; i < modes.size(); ++i) {
      if (i > 0) out += dsl ? ", " : ",";
      out += print(modes[i], spelling);
    }
    if (dsl && modes.size() == 1) out += ",";
    return out + (cpp ? ">" : ")");
  }
};

}  // namespace

std::string print(const IntTuple& t, Spelling spelling) { return tree(t, spelling, "Shape"); }

std::string print(const Layout& layout, Spelling spelling) {
  const std::string shape = tree(layout.shape(), spelling, "Shape"), stride = tree(layout.stride(), spelling, "Stride");
  switch (spelling) {
    case Spelling::tessera:
    case Spelling::cute_print: return shape + ":" + stride;
    case Spelling::cute_cpp: return fmt::format("Layout<{},{}>", shape, stride);
    case Spelling::cute_dsl: return fmt::format("cute.make_layout({}, stride={})", shape, stride);
  }
  return {};
}

std::string print(const Swizzle& s, Spelling spelling) {
  switch (spelling) {
    case Spelling::tessera:
    case Spelling::cute_print: return to_string(s);
    case Spelling::cute_cpp: return fmt::format("Swizzle<{},{},{}>", s.bits(), s.base(), s.shift());
    case Spelling::cute_dsl: return fmt::format("cute.make_swizzle({}, {}, {})", s.bits(), s.base(), s.shift());
  }
  return {};
}

std::string print(const AnyLayout& layout, Spelling spelling) { return std::visit(AnyPrinter{spelling}, layout); }
std::string print(const Tiler& tiler, Spelling spelling) { return std::visit(TilerPrinter{spelling}, tiler.value); }

}  // namespace tessera
