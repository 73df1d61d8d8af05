// SPDX-License-Identifier: BSD-3-Clause
// Layouts in the spellings of other tools.
#include "core/layout/print.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

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

// A leaf as a value of C++: _8{}, Int<7>{}, and plain where it is dynamic.
std::string cpp_value(const IntTuple& t) {
  if (t.is_underscore()) return "_";
  if (!t.is_dynamic()) return cpp_leaf(t) + "{}";
  if (!t.is_basis()) return std::to_string(t.value());
  std::string modes;
  for (int k = 0; k < t.path().length; ++k) modes += fmt::format("{}{}", k ? "," : "", t.path().modes[static_cast<std::size_t>(k)]);
  return fmt::format("{} * E<{}>{{}}", t.value(), modes);
}

// Python's integers are static in the DSL; what only runs later is an Int32.
std::string dsl_leaf(const IntTuple& t) {
  if (t.is_underscore()) return "None";
  if (!t.is_basis() && t.is_dynamic()) return fmt::format("cutlass.Int32({})", t.value());
  if (!t.is_basis()) return std::to_string(t.value());
  std::string modes;
  for (int k = 0; k < t.path().length; ++k) modes += fmt::format("{}{}", k ? ", " : "", t.path().modes[static_cast<std::size_t>(k)]);
  return fmt::format("cute.ScaledBasis({}, [{}])", t.value(), modes);
}

std::string leaf(const IntTuple& t, Spelling spelling) {
  switch (spelling) {
    case Spelling::tessera: return to_string(t);
    case Spelling::cute_print: return t.is_underscore() ? "_" : (t.is_dynamic() ? "" : "_") + to_string(t);
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

// `maker` is make_shape, make_stride, make_coord: how C++ writes a tuple in which some integer is dynamic.
std::string value_tree(const IntTuple& t, std::string_view maker) {
  if (!t.is_tuple()) return cpp_value(t);
  std::string out = fmt::format("{}(", maker);
  for (std::size_t i = 0; i < t.rank(); ++i) out += (i > 0 ? ", " : "") + value_tree(t[i], maker);
  return out + ")";
}

// Is everything in it static, so that C++ has a type for it?
struct IsStatic {
  bool operator()(const Layout& layout) const { return is_static(layout.shape()) && is_static(layout.stride()); }
  bool operator()(const Swizzle&) const { return true; }
  bool operator()(const Nested& rest) const { return (*this)(*rest); }
  bool operator()(const ComposedLayout& c) const { return std::visit(*this, c.outer) && is_static(c.offset) && std::visit(*this, c.inner); }
  bool operator()(TileSize n) const { return (n.mark & marks::kDynamic) == 0; }
  bool operator()(Underscore) const { return true; }
  bool operator()(const std::vector<Tiler>& modes) const {
    return std::all_of(modes.begin(), modes.end(), [this](const Tiler& mode) { return std::visit(*this, mode.value); });
  }
};

struct AnyPrinter {
  Spelling spelling;

  std::string operator()(const Layout& layout) const { return print(layout, spelling); }
  std::string operator()(const Swizzle& swizzle) const { return print(swizzle, spelling); }
  std::string operator()(const Nested& rest) const { return (*this)(*rest); }
  std::string operator()(const ComposedLayout& c) const {
    if (spelling == Spelling::cute_cpp && !IsStatic{}(c)) {
      const auto part = [this](const auto& p) { return (*this)(p) + (IsStatic{}(p) ? "{}" : ""); };
      return fmt::format("make_composed_layout({}, {}, {})", std::visit(part, c.outer), value_tree(c.offset, "make_coord"),
                         std::visit(part, c.inner));
    }
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
  std::string operator()(TileSize n) const { return print(n.number(), spelling); }
  std::string operator()(Underscore) const { return leaf(IntTuple::underscore(), spelling); }
  std::string operator()(const std::vector<Tiler>& modes) const {
    const bool cpp = spelling == Spelling::cute_cpp, dsl = spelling == Spelling::cute_dsl;
    if (cpp && !IsStatic{}(modes)) return cpp_tile(modes);
    std::string out = cpp ? "Tile<" : "(";
    for (std::size_t i = 0; i < modes.size(); ++i) {
      if (i > 0) out += dsl ? ", " : ",";
      out += print(modes[i], spelling);
    }
    if (dsl && modes.size() == 1) out += ",";
    return out + (cpp ? ">" : ")");
  }
  static std::string cpp_tile(const std::vector<Tiler>& modes) {
    std::string out = "make_tile(";
    for (std::size_t i = 0; i < modes.size(); ++i) {
      const bool underscore = std::holds_alternative<Underscore>(modes[i].value);
      const bool type = !underscore && std::visit(IsStatic{}, modes[i].value);
      out += (i > 0 ? ", " : "") + (underscore ? "_" : print(modes[i], Spelling::cute_cpp)) + (type ? "{}" : "");
    }
    return out + ")";
  }
};

}  // namespace

std::string print(const IntTuple& t, Spelling spelling) {
  if (spelling == Spelling::cute_cpp && !is_static(t)) return value_tree(t, "make_shape");
  return tree(t, spelling, "Shape");
}

std::string print(const Layout& layout, Spelling spelling) {
  if (spelling == Spelling::cute_cpp && !IsStatic{}(layout))
    return fmt::format("make_layout({}, {})", value_tree(layout.shape(), "make_shape"), value_tree(layout.stride(), "make_stride"));
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
