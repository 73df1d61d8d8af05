// SPDX-License-Identifier: BSD-3-Clause
// Coordinates and their colexicographic numbers.
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/checked.hpp"
#include "core/layout/algebra.hpp"
#include "core/layout/digits.hpp"

namespace tessera {

namespace {

Error too_large(const Coord& coord) {
  return Error{ErrorCode::overflow, fmt::format("the number of coordinate {} leaves 64 bits", to_string(coord)), {}, {}};
}

}  // namespace

Result<std::int64_t> crd2idx(const Coord& coord, const Shape& shape) {
  if (!coord.is_tuple()) {
    if (coord.is_int()) return coord.value();  // already a number; no range check, as in CuTe
    return Error{ErrorCode::wrong_type, fmt::format("a coordinate has integers only, but `{}` is in it", to_string(coord)), {}, {}};
  }
  if (!shape.is_tuple() || shape.rank() != coord.rank()) {
    return Error{
        ErrorCode::not_congruent, fmt::format("coordinate {} does not fit into shape {}", to_string(coord), to_string(shape)), {}, {}};
  }
  std::int64_t sum = 0, step = 1;
  for (std::size_t i = 0; i < coord.rank(); ++i) {
    TESSERA_TRY(number, crd2idx(coord[i], shape[i]));
    const auto part = checked_mul(number, step);
    const auto next = part ? checked_add(sum, *part) : part;
    if (!next) return too_large(coord);
    sum = *next;
    const auto further = checked_mul(step, size(shape[i]));
    if (!further && i + 1 < coord.rank()) return too_large(coord);
    step = further.value_or(0);
  }
  return sum;
}

Coord idx2crd(std::int64_t i, const Shape& shape) {
  if (!shape.is_tuple()) return i;
  std::vector<IntTuple> modes;
  modes.reserve(shape.rank());
  for (std::size_t k = 0; k < shape.rank(); ++k) {
    const bool last = k + 1 == shape.rank();
    modes.push_back(idx2crd(last ? i : take_digit(i, size(shape[k])), shape[k]));
  }
  return IntTuple::tuple(std::move(modes));
}

namespace {

Result<Coord> hier_coord(std::int64_t i, const IntTuple& shape, const IntTuple& stride) {
  if (shape.is_tuple()) {
    std::vector<IntTuple> modes;
    for (std::size_t k = 0; k < shape.rank(); ++k) {
      TESSERA_TRY(mode, hier_coord(i, shape[k], stride[k]));
      modes.push_back(std::move(mode));
    }
    return IntTuple::tuple(std::move(modes));
  }
  if (shape.value() == 1) return IntTuple(0);
  if (!stride.is_int() || stride.value() == 0) {
    return Error{ErrorCode::not_injective,
                 fmt::format("an index has no coordinate in a mode of stride {}: the division (i / stride) mod extent is undefined",
                             to_string(stride)),
                 {},
                 {"get_hier_coord is for compact layouts, where each index has one coordinate"}};
  }
  if (i == std::numeric_limits<std::int64_t>::min() && stride.value() == -1)
    return Error{ErrorCode::overflow, fmt::format("the index {} divided by the stride -1 leaves 64 bits", i), {}, {}};
  return IntTuple((i / stride.value()) % shape.value());
}

}  // namespace

Result<Coord> get_hier_coord(const Layout& layout, std::int64_t i) { return hier_coord(i, layout.shape(), layout.stride()); }

Result<Coord> get_flat_coord(const Layout& layout, std::int64_t i) {
  TESSERA_TRY(coord, get_hier_coord(layout, i));
  if (!coord.is_tuple()) return coord;
  if (coord.rank() == 1) {  // an integer, as CuTe has it: repeat<1>(x) is x
    TESSERA_TRY(number, crd2idx(coord[0], layout.shape()[0]));
    return IntTuple(number);
  }
  std::vector<IntTuple> modes;
  for (std::size_t k = 0; k < coord.rank(); ++k) {
    TESSERA_TRY(number, crd2idx(coord[k], layout.shape()[k]));
    modes.emplace_back(number);
  }
  return IntTuple::tuple(std::move(modes));
}

Result<std::int64_t> get_1d_coord(const Layout& layout, std::int64_t i) {
  TESSERA_TRY(coord, get_hier_coord(layout, i));
  return crd2idx(coord, layout.shape());
}

namespace {

using Combine = Result<IntTuple> (*)(std::int64_t, std::int64_t);

// CuTe's folds of an integer operation over trees: see ceil_div and shape_div in int_tuple.hpp.
Result<IntTuple> divide(std::string_view name, const IntTuple& a, const IntTuple& b, bool pad, Combine quotient) {
  if (!a.is_int() && !a.is_tuple()) return Error{ErrorCode::wrong_type, fmt::format("{}: `{}` is no integer", name, to_string(a)), {}, {}};
  if (!b.is_int() && !b.is_tuple()) return Error{ErrorCode::wrong_type, fmt::format("{}: `{}` is no integer", name, to_string(b)), {}, {}};
  if (b.is_tuple() && !a.is_tuple()) {
    TESSERA_TRY(product, checked_size(b));
    return divide(name, a, IntTuple::marked(product, is_static(b) ? marks::kStatic : marks::kDynamic), pad, quotient);
  }
  if (!a.is_tuple()) {
    TESSERA_TRY(made, quotient(a.value(), b.value()));
    return IntTuple::marked(made.value(), marks_of(a, b));
  }
  std::vector<IntTuple> modes;
  modes.reserve(a.rank());
  if (b.is_tuple()) {
    if (pad ? b.rank() > a.rank() : b.rank() != a.rank()) {
      return Error{ErrorCode::rank_mismatch,
                   fmt::format("{}: {} has {} modes and {} has {}", name, to_string(a), a.rank(), to_string(b), b.rank()),
                   {},
                   {}};
    }
    for (std::size_t i = 0; i < a.rank(); ++i) {
      TESSERA_TRY(mode, divide(name, a[i], i < b.rank() ? b[i] : IntTuple(1), pad, quotient));
      modes.push_back(std::move(mode));
    }
    return IntTuple::tuple(std::move(modes));
  }
  IntTuple rest = b;
  for (const IntTuple& mode : a.modes()) {
    TESSERA_TRY(divided, divide(name, mode, rest, pad, quotient));
    modes.push_back(std::move(divided));
    TESSERA_TRY(further, divide(name, rest, mode, pad, quotient));
    rest = std::move(further);
  }
  return IntTuple::tuple(std::move(modes));
}

Result<IntTuple> round_up_quotient(std::int64_t a, std::int64_t b) {
  if (a >= 0 && b >= 1 && a <= kLargestIndex && b <= kLargestIndex) return IntTuple(ceil_div(a, b));
  return Error{ErrorCode::bad_extent, fmt::format("ceil_div divides extents, but here it is {} by {}", a, b), {}, {}};
}

Result<IntTuple> exact_quotient(std::int64_t a, std::int64_t b) {
  if (a < 1 || b < 1) return Error{ErrorCode::bad_extent, fmt::format("shape_div divides extents, but here it is {} by {}", a, b), {}, {}};
  if (a % b != 0 && b % a != 0) {
    return Error{ErrorCode::not_divisible,
                 fmt::format("Divisibility Condition: shape_div needs one of {} and {} to divide the other", a, b),
                 {},
                 {}};
  }
  return IntTuple(a >= b ? a / b : 1);
}

}  // namespace

Result<IntTuple> ceil_div(const IntTuple& a, const IntTuple& b) { return divide("ceil_div", a, b, true, round_up_quotient); }
Result<IntTuple> shape_div(const IntTuple& a, const IntTuple& b) { return divide("shape_div", a, b, false, exact_quotient); }

}  // namespace tessera
