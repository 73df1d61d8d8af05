// SPDX-License-Identifier: BSD-3-Clause
// Layouts made from shapes, orders and other layouts.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include <map>
#include <utility>

#include <fmt/format.h>

#include "core/base/checked.hpp"
#include "core/layout/algebra.hpp"
#include "core/layout/flat_modes.hpp"

namespace tessera {

namespace {

struct OrderedMode {
  std::int64_t order;
  IntTuple size;
};

// The size of each mode that `order` names, in order.
Status list_modes(const IntTuple& shape, const IntTuple& order, std::vector<OrderedMode>& out) {
  if (!order.is_tuple()) {
    if (order.is_underscore()) return Error{ErrorCode::wrong_type, "an order is a number, not `_`", {}, {}};
    out.push_back({order.value(), size_of(shape)});
    return Done{};
  }
  if (!shape.is_tuple() || shape.rank() != order.rank()) {
    return Error{
        ErrorCode::not_congruent, fmt::format("the order {} does not fit the shape {}", to_string(order), to_string(shape)), {}, {}};
  }
  for (std::size_t i = 0; i < shape.rank(); ++i) TESSERA_CHECK(list_modes(shape[i], order[i], out));
  return Done{};
}

// The product of two integers with its mark.
IntTuple times(const IntTuple& a, const IntTuple& b) { return IntTuple::marked(a.value() * b.value(), marks_of(a, b) & marks::kDynamic); }

IntTuple column_major(const IntTuple& shape, IntTuple& step) {
  if (!shape.is_tuple()) {
    if (shape.value() == 1) return IntTuple::marked(0, shape.is_dynamic() ? step.mark() | marks::kOtherForm : marks::kStatic);
    IntTuple stride = step;
    step = times(step, shape);
    return stride;
  }
  std::vector<IntTuple> modes;
  for (const IntTuple& mode : shape.modes()) modes.push_back(column_major(mode, step));
  return IntTuple::tuple(std::move(modes));
}

// Each mode starts at the product of the sizes of all modes of strictly smaller order; ties start at the same stride.
// `starts` has that product for every order.
IntTuple ordered_strides(const IntTuple& shape, const IntTuple& order, const std::map<std::int64_t, IntTuple>& starts) {
  if (!order.is_tuple()) {
    IntTuple step = starts.at(order.value());
    return column_major(shape, step);
  }
  std::vector<IntTuple> modes;
  for (std::size_t i = 0; i < shape.rank(); ++i) modes.push_back(ordered_strides(shape[i], order[i], starts));
  return IntTuple::tuple(std::move(modes));
}

std::int64_t largest_static(const IntTuple& order) {
  if (!order.is_tuple()) return order.is_underscore() || order.is_dynamic() ? 0 : order.value();
  std::int64_t largest = 0;
  for (const IntTuple& mode : order.modes()) largest = std::max(largest, largest_static(mode));
  return largest;
}

// CuTe does not know a dynamic order when it compiles: each comes behind all static ones, in its place. `next` is the first such number.
IntTuple with_dynamic_last(const IntTuple& order, std::int64_t& next) {
  if (!order.is_tuple()) {
    const std::int64_t place = next++;
    return !order.is_underscore() && order.is_dynamic() ? IntTuple(place) : order;
  }
  std::vector<IntTuple> modes;
  for (const IntTuple& mode : order.modes()) modes.push_back(with_dynamic_last(mode, next));
  return IntTuple::tuple(std::move(modes));
}

Result<IntTuple> compact_order(const IntTuple& shape, const IntTuple& order_given) {
  TESSERA_CHECK(checked_depth(shape));
  TESSERA_CHECK(checked_depth(order_given));
  IntTuple order = order_given;
  if (!is_static(order_given)) {
    std::int64_t next = largest_static(order_given) + 1;
    order = with_dynamic_last(order_given, next);
  }
  TESSERA_CHECK(checked_size(shape));
  std::vector<OrderedMode> all;
  TESSERA_CHECK(list_modes(shape, order, all));
  std::map<std::int64_t, IntTuple> starts;
  for (const OrderedMode& mode : all) {
    IntTuple& product = starts.emplace(mode.order, 1).first->second;
    product = times(product, mode.size);
  }
  IntTuple before = 1;
  for (auto& [order_of_modes, product] : starts) before = times(before, std::exchange(product, before));
  return ordered_strides(shape, order, starts);
}

IntTuple row_major(const IntTuple& shape, IntTuple& step) {
  if (!shape.is_tuple()) return column_major(shape, step);
  std::vector<IntTuple> modes(shape.rank());
  for (std::size_t i = shape.rank(); i-- > 0;) modes[i] = row_major(shape[i], step);
  return IntTuple::tuple(std::move(modes));
}

}  // namespace

Result<Layout> make_ordered_layout(const Shape& shape, const IntTuple& order) {
  TESSERA_TRY(stride, compact_order(shape, order));
  return Layout::make(shape, std::move(stride));
}

Result<Layout> make_layout_row_major(const Shape& shape) {
  TESSERA_CHECK(checked_depth(shape));
  TESSERA_CHECK(checked_size(shape));
  IntTuple step = 1;
  return Layout::make(shape, row_major(shape, step));
}

Result<Layout> make_layout_like(const Layout& layout) {
  if (layout.has_basis())
    return Error{ErrorCode::wrong_type, fmt::format("make_layout_like needs integer strides: {}", to_string(layout)), {}, {}};
  TESSERA_TRY(stride, compact_order(filter_zeros(layout).shape(), layout.stride()));
  return Layout::make(layout.shape(), std::move(stride));
}

Result<Layout> make_fragment_like(const Layout& layout) {
  if (layout.rank() == 1 || !is_static(layout.shape())) return Layout::make_compact(layout.shape());  // CuTe orders static shapes alone
  // Mode 0, the values of one instruction, column-major; the other modes in the order of their strides.
  const Layout first = layout[0];
  IntTuple step = 1;
  TESSERA_TRY(values, Layout::make(first.shape(), column_major(filter_zeros(first).shape(), step)));
  TESSERA_TRY(others, take(layout, 1, static_cast<std::int64_t>(layout.rank())));
  TESSERA_TRY(rest, make_ordered_layout(others.shape(), others.stride()));
  return tiled_product(values, rest);
}

namespace {

IntTuple basis_like(const IntTuple& shape, BasisPath path) {
  if (!shape.is_tuple()) return IntTuple::basis(1, path);
  std::vector<IntTuple> modes;
  for (std::size_t i = 0; i < shape.rank(); ++i) {
    BasisPath inner = path;
    inner.modes[inner.length++] = static_cast<std::uint8_t>(i);
    modes.push_back(basis_like(shape[i], inner));
  }
  return IntTuple::tuple(std::move(modes));
}

bool widest_fits(const IntTuple& shape) {
  if (!shape.is_tuple()) return true;
  if (shape.rank() > 256) return false;
  for (const IntTuple& mode : shape.modes()) {
    if (!widest_fits(mode)) return false;
  }
  return true;
}

}  // namespace

Result<Layout> make_identity_layout(const Shape& shape) {
  if (depth(shape) > BasisPath::kDeepest || !widest_fits(shape)) {
    return Error{
        ErrorCode::limit, fmt::format("a coordinate layout may be nested {} deep and have 256 modes a level", BasisPath::kDeepest), {}, {}};
  }
  return Layout::make(shape, basis_like(shape, {}));
}

Result<LayoutTV> make_layout_tv(const Layout& thr, const Layout& val) {
  // (m, n) -> thr + size(thr) * val, whose inverse gives the place of each thread's values.
  TESSERA_TRY(layout_mn, raked_product(thr, val));
  TESSERA_TRY(inverse, right_inverse(layout_mn));
  if (inverse.size() != thr.size() * val.size()) {
    return Error{
        ErrorCode::not_injective,
        fmt::format("threads {} and values {} do not number a tile: their product reaches {} of {} (thread, value) pairs without a gap",
                    to_string(thr), to_string(val), inverse.size(), thr.size() * val.size()),
        {},
        {"thread and value layouts map (m,n) to ids 0, 1, .. without holes or repeats"}};
  }
  TESSERA_TRY(thr_val, Layout::make_compact(IntTuple::tuple({size_of(thr.shape()), size_of(val.shape())})));
  TESSERA_TRY(layout_tv, composition(inverse, thr_val));
  return LayoutTV{product_each(layout_mn.shape()), std::move(layout_tv)};
}

Result<Layout> domain_distribute(const Shape& shape, std::int64_t n) {
  TESSERA_CHECK(checked_depth(shape));
  TESSERA_CHECK(checked_size(shape));
  TESSERA_CHECK(checked_size(n));
  TESSERA_TRY(compact, Layout::make_compact(shape));
  FlatModes modes = flat_modes(compact);
  for (FlatMode& m : modes) {
    m.shape = std::gcd(m.shape, n);
    n /= m.shape;
  }
  coalesce_in_place(modes, false);
  return to_checked_layout(modes);
}

Result<std::int64_t> max_alignment(const Layout& layout) {
  const Layout flat = coalesce(layout);
  TESSERA_TRY(contiguous, right_inverse(flat));
  TESSERA_TRY(permuted, logical_divide(flat, contiguous));
  std::int64_t alignment = permuted[0].size();
  for (const FlatMode& m : flat_modes(permuted[1])) alignment = std::gcd(alignment, m.stride);
  return alignment;
}

}  // namespace tessera
