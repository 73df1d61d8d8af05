// SPDX-License-Identifier: BSD-3-Clause
// CuTe's layouts written a second time, for tests that hold the product against them: nothing here comes from core/layout.
//
// A Tree is an integer or a tuple of Trees. A Plain is shape:stride. A Function is what an answer's text says: a Plain, or A o offset o B
// with a swizzle or a Plain on either side. Coordinates are numbered with the leftmost mode fastest; the last mode is never reduced, and
// negative numbers are split as C++ divides, toward zero.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tessera::attack {

using Int = std::int64_t;

struct Tree {
  Int value = 0;
  bool tuple = false;
  std::vector<Tree> modes;

  Tree(Int v = 0) : value(v) {}                                            // NOLINT: an integer is a tree
  Tree(std::vector<Tree> parts) : tuple(true), modes(std::move(parts)) {}  // NOLINT
  friend bool operator==(const Tree&, const Tree&) = default;
};

Int product(const Tree& tree);
std::string to_text(const Tree& tree);

struct Plain {
  Tree shape = 1;
  Tree stride = 0;
  friend bool operator==(const Plain&, const Plain&) = default;
};

struct Bits {  // Sw<b,m,s>
  int b = 0, m = 0, s = 0;
};

struct Function {
  using Part = std::variant<Plain, Bits>;
  std::optional<Part> outer;  // absent: `inner` alone
  Int offset = 0;
  Part inner;
  std::vector<std::pair<Part, Int>> further = {};  // of a longer chain: A o p o (outer o offset o inner), the nearest first
};

Int size(const Plain& layout);
Int cosize(const Plain& layout);  // by the formula: one more than the sum of (s-1)*|d|
std::size_t rank(const Plain& layout);
Plain mode(const Plain& layout, std::size_t k);
Plain beside(const std::vector<Plain>& modes);
std::string to_text(const Plain& layout);
std::string to_text(const Function& function);

Int at(const Plain& layout, Int index);
Int at_tree(const Plain& layout, const Tree& coordinate);
Int at(const Bits& swizzle, Int value);
Int at(const Function& function, Int index);
// The number of coordinates: of the layout inside; where a swizzle is inside, of the layout outside.
Int size(const Function& function);
std::vector<Int> image(const Plain& layout);
std::vector<Int> image(const Function& function);
bool injective(std::vector<Int> values);

// Of text as the product prints it. Nothing where the text is no such thing.
std::optional<Tree> read_tree(std::string_view text);
std::optional<Function> read_function(std::string_view text);
std::optional<std::pair<Function, Int>> read_function_and_offset(std::string_view text);  // ((4,8):(8,1),5)

// ---- CuTe's own results, by its rules for static layouts; nothing where CuTe refuses --------------------------------------------

Plain coalesce(const Plain& layout);
Plain filter(const Plain& layout);
std::optional<Plain> composition(const Plain& a, const Plain& b);
std::optional<Plain> complement(const Plain& layout, const Tree& cotarget);
Plain right_inverse(const Plain& layout);
std::optional<Plain> left_inverse(const Plain& layout);
std::optional<Plain> upcast(const Plain& layout, Int n);
std::optional<Plain> downcast(const Plain& layout, Int n);
// (B, complement(B, shape(coalesce(A)))), of which a divide is the composition with A.
std::optional<Plain> tile_and_rest(const Plain& a, const Plain& b);
std::optional<Plain> logical_divide(const Plain& a, const Plain& b);
std::optional<Plain> logical_product(const Plain& a, const Plain& b);

}  // namespace tessera::attack
