// SPDX-License-Identifier: BSD-3-Clause
#include "core/layout/index_marks.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "core/layout/algebra.hpp"

namespace tessera {

namespace {

bool is_static_zero(const IntTuple& x) { return !x.is_dynamic() && x.value() == 0; }
bool is_static_one(const IntTuple& x) { return !x.is_dynamic() && x.value() == 1; }

// The product of two integers, or of their marks: numbers that overflow are of no interest here.
unsigned product_mark(const IntTuple& a, const IntTuple& b) {
  return is_static_zero(a) || is_static_zero(b) ? marks::kStatic : marks_of(a, b) & marks::kDynamic;
}

// a / b and a % b of a coordinate that counts through an extent.
std::pair<IntTuple, IntTuple> divided(const IntTuple& a, const IntTuple& b) {
  const unsigned both = marks_of(a, b) & marks::kDynamic;
  return {IntTuple::marked(a.value() / b.value(), is_static_zero(a) ? marks::kStatic : both),
          IntTuple::marked(a.value() % b.value(), is_static_zero(a) || is_static_one(b) ? marks::kStatic : both)};
}

}  // namespace

unsigned index_mark(const Coord& coord, const Shape& shape, const Stride& stride) {
  unsigned mark = marks::kStatic;
  if (coord.is_tuple()) {
    for (std::size_t i = 0; i < coord.rank(); ++i) mark |= index_mark(coord[i], shape[i], stride[i]);
    return mark;
  }
  if (!shape.is_tuple()) return product_mark(coord, stride);
  IntTuple rest = coord;
  for (std::size_t i = 0; i < shape.rank(); ++i) {
    const bool last = i + 1 == shape.rank();
    auto [quotient, digit] = divided(rest, size_of(shape[i]));
    mark |= index_mark(last ? rest : digit, shape[i], stride[i]);
    rest = std::move(quotient);
  }
  return mark;
}

namespace {

unsigned reach_mark(const Shape& shape, const Stride& stride) {
  if (!shape.is_tuple()) return product_mark(IntTuple::marked(shape.value() - 1, shape.mark()), stride);
  unsigned mark = marks::kStatic;
  for (std::size_t i = 0; i < shape.rank(); ++i) mark |= reach_mark(shape[i], stride[i]);
  return mark;
}

// CuTe takes the digits of an index from the first mode on; the last mode has what is left.
Coord mark_digits(const Coord& coord, const IntTuple& index, const Shape& shape) {
  if (!shape.is_tuple()) return IntTuple::marked(coord.value(), index.mark() & marks::kDynamic);
  std::vector<IntTuple> modes;
  IntTuple rest = index;
  for (std::size_t i = 0; i < shape.rank(); ++i) {
    auto [quotient, digit] = divided(rest, size_of(shape[i]));
    modes.push_back(mark_digits(coord[i], i + 1 == shape.rank() ? rest : digit, shape[i]));
    rest = std::move(quotient);
  }
  return IntTuple::tuple(std::move(modes));
}

}  // namespace

IntTuple marked_cosize(const AnyLayout& layout) {
  const auto* plain = std::get_if<Layout>(&layout);
  return IntTuple::marked(cosize(layout), plain && !plain->has_basis() ? reach_mark(plain->shape(), plain->stride()) : marks::kStatic);
}

Coord mark_coordinate(const Coord& coord, const IntTuple& index, const Shape& shape) {
  return shape.is_tuple() ? mark_digits(coord, index, shape) : index;
}

}  // namespace tessera
