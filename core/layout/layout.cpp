// SPDX-License-Identifier: BSD-3-Clause
// Layout: what makes one well formed, its size and cosize, and its value at a coordinate.
#include "core/layout/layout.hpp"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/checked.hpp"
#include "core/layout/flat_modes.hpp"

namespace tessera {

namespace {

// What the leaves of a layout add up to while it is checked.
struct Extent {
  std::int64_t size = 1;
  std::int64_t reach = 0;  // sum of (s-1)*|d|
  bool has_integer = false, has_basis = false;
};

// 0: fine, otherwise the reason; kept as a code so that the fast path makes no strings.
enum class Flaw { none, not_congruent, too_deep, empty, not_an_extent, extent, not_a_stride, size, reach };

Flaw measure(const IntTuple& shape, const IntTuple& stride, int level, Extent& extent) {
  if (shape.is_tuple()) {
    if (!stride.is_tuple() || stride.rank() != shape.rank()) return Flaw::not_congruent;
    if (level >= kDeepestTuple) return Flaw::too_deep;
    if (shape.rank() == 0) return Flaw::empty;
    for (std::size_t i = 0; i < shape.rank(); ++i) {
      if (const Flaw flaw = measure(shape[i], stride[i], level + 1, extent); flaw != Flaw::none) return flaw;
    }
    return Flaw::none;
  }
  if (stride.is_tuple()) return Flaw::not_congruent;
  if (!shape.is_int()) return Flaw::not_an_extent;
  if (shape.value() < 1) return Flaw::extent;
  if (stride.is_underscore()) return Flaw::not_a_stride;
  if (__builtin_mul_overflow(extent.size, shape.value(), &extent.size) || extent.size > kLargestIndex) return Flaw::size;
  const std::int64_t d = stride.value();
  if (d > kLargestIndex || d < -kLargestIndex) return Flaw::reach;
  std::int64_t step = 0;
  if (__builtin_mul_overflow(shape.value() - 1, d < 0 ? -d : d, &step) || __builtin_add_overflow(extent.reach, step, &extent.reach) ||
      extent.reach >= kLargestIndex) {
    return Flaw::reach;
  }
  if (stride.is_basis())
    extent.has_basis = true;
  else if (d != 0)
    extent.has_integer = true;
  return Flaw::none;
}

Error explain(Flaw flaw, const IntTuple& shape, const IntTuple& stride) {
  const auto error = [](ErrorCode code, std::string message) { return Error{code, std::move(message), {}, {}}; };
  if (flaw == Flaw::too_deep) {
    return error(ErrorCode::limit, fmt::format("tuples may be nested {} deep at most, and this layout is deeper", kDeepestTuple));
  }
  const std::string s = to_string(shape), d = to_string(stride);
  switch (flaw) {
    case Flaw::not_congruent:
      return error(ErrorCode::not_congruent, fmt::format("shape {} and stride {} are not congruent: they must be nested alike", s, d));
    case Flaw::empty: return error(ErrorCode::bad_extent, fmt::format("a layout has at least one mode, but () is in shape {}", s));
    case Flaw::not_an_extent: return error(ErrorCode::wrong_type, fmt::format("a shape has integers only, but this one is {}", s));
    case Flaw::extent: return error(ErrorCode::bad_extent, fmt::format("an extent is at least 1, but shape {} has a smaller one", s));
    case Flaw::not_a_stride: return error(ErrorCode::wrong_type, fmt::format("a stride is a number, but `_` is in {}", d));
    case Flaw::size: return error(ErrorCode::overflow, fmt::format("the size of shape {} is beyond 2^62", s));
    case Flaw::reach: return error(ErrorCode::overflow, fmt::format("the cosize of {}:{} is beyond 2^62", s, d));
    case Flaw::too_deep:
    case Flaw::none: break;
  }
  return error(ErrorCode::limit, "");
}

// Adds value at the place of a coordinate that `path` names, growing the tuples on the way. False: a tuple meets a number.
bool add_at(IntTuple& sum, const BasisPath& path, int level, std::int64_t value) {
  if (level == path.length) {
    if (sum.is_tuple()) return value == 0 && path.length == 0;
    std::int64_t total = 0;
    if (__builtin_add_overflow(sum.value(), value, &total)) return false;
    sum = IntTuple(total);
    return true;
  }
  if (!sum.is_tuple() && sum.value() != 0) return false;
  const std::size_t mode = path.modes[static_cast<std::size_t>(level)];
  std::vector<IntTuple> modes;
  if (sum.is_tuple()) modes.assign(sum.modes().begin(), sum.modes().end());
  if (modes.size() <= mode) modes.resize(mode + 1);
  const bool fits = add_at(modes[mode], path, level + 1, value);
  sum = IntTuple::tuple(std::move(modes));
  return fits;
}

// A layout into coordinates has one profile of coordinates: 1@0 beside 1 or 1@0@0 has none.
bool one_profile(const IntTuple& stride) {
  std::vector<IntTuple> leaves;
  append_leaves(stride, leaves);
  IntTuple places = 0;
  for (const IntTuple& leaf : leaves) {
    if (!leaf.is_basis()) continue;
    if (!add_at(places, leaf.path(), 0, 1)) return false;
  }
  for (const IntTuple& leaf : leaves) {  // again, now that the tuples are there: a short path would land on a tuple
    if (leaf.is_basis() && !add_at(places, leaf.path(), 0, 1)) return false;
  }
  return true;
}

}  // namespace

Result<Layout> Layout::make(Shape shape, Stride stride) {
  Extent extent;
  if (const Flaw flaw = measure(shape, stride, 0, extent); flaw != Flaw::none) return explain(flaw, shape, stride);
  if (extent.has_basis && (extent.has_integer || !one_profile(stride))) {
    return Error{ErrorCode::not_congruent,
                 fmt::format("the strides {} do not add up: basis strides must all point into one coordinate, and numbers cannot join them",
                             to_string(stride)),
                 {},
                 {}};
  }
  return Layout(std::move(shape), std::move(stride));
}

bool Layout::well_formed(const Shape& shape, const Stride& stride) {
  Extent extent;
  return measure(shape, stride, 0, extent) == Flaw::none;
}

namespace {

// CuTe gives 0 to an extent that it knows to be 1, and to one that only turns out so the stride that it would have with more.
IntTuple compact_strides(const IntTuple& shape, IntTuple& step) {
  if (!shape.is_tuple()) {
    if (shape.value() == 1) return IntTuple::marked(0, shape.is_dynamic() ? step.mark() | marks::kOtherForm : marks::kStatic);
    IntTuple stride = step;
    step = IntTuple::marked(step.value() * shape.value(), (step.mark() | shape.mark()) & marks::kDynamic);
    return stride;
  }
  std::vector<IntTuple> modes;
  modes.reserve(shape.rank());
  for (const IntTuple& mode : shape.modes()) modes.push_back(compact_strides(mode, step));
  return IntTuple::tuple(std::move(modes));
}

}  // namespace

Result<Layout> Layout::make_compact(Shape shape) {
  TESSERA_CHECK(checked_depth(shape));
  TESSERA_CHECK(checked_size(shape));
  IntTuple step = 1;
  Stride stride = compact_strides(shape, step);
  return Layout(std::move(shape), std::move(stride));
}

namespace {

struct Coshape {
  BasisPath path;
  std::int64_t extent;
};

}  // namespace

std::int64_t Layout::cosize() const {
  const FlatModes modes = flat_modes(*this);
  if (!has_basis()) {
    std::int64_t reach = 0;
    for (const FlatMode& m : modes) reach += (m.shape - 1) * (m.stride < 0 ? -m.stride : m.stride);
    return reach + 1;
  }
  // Into coordinates: the size of the smallest box that holds them.
  std::vector<Coshape> box;
  for (const FlatMode& m : modes) {
    if (m.path.length == 0) continue;
    auto place = std::find_if(box.begin(), box.end(), [&](const Coshape& c) { return c.path == m.path; });
    if (place == box.end()) place = box.insert(box.end(), Coshape{m.path, 1});
    place->extent += (m.shape - 1) * (m.stride < 0 ? -m.stride : m.stride);
  }
  std::int64_t product = 1;
  for (const Coshape& c : box) {
    const auto next = checked_mul(product, c.extent);
    product = next && *next <= kLargestIndex ? *next : kLargestIndex;  // saturates: a box this large is never walked
  }
  return product;
}

Layout Layout::operator[](std::size_t mode) const { return Layout(shape_[mode], stride_[mode]); }

namespace {

// Leaf after leaf, which gives what mode after mode does without multiplying out the modes' sizes: every partition is held by walking it.
// Unsigned arithmetic, so that an index far outside the domain wraps without being undefined.
std::uint64_t walk(std::int64_t& i, const IntTuple& shape, const IntTuple& stride, bool last) {
  if (!shape.is_tuple()) {
    const std::int64_t digit = last ? i : take_digit(i, shape.leaf());
    return static_cast<std::uint64_t>(digit) * static_cast<std::uint64_t>(stride.leaf());
  }
  std::uint64_t sum = 0;
  const auto shapes = shape.modes(), strides = stride.modes();
  for (std::size_t k = 0; k < shapes.size(); ++k) sum += walk(i, shapes[k], strides[k], last && k + 1 == shapes.size());
  return sum;
}
std::uint64_t at(std::int64_t i, const IntTuple& shape, const IntTuple& stride) { return walk(i, shape, stride, true); }

std::int64_t at_mode(const Layout& layout, std::size_t k, std::int64_t c) {
  return static_cast<std::int64_t>(at(c, layout.shape()[k], layout.stride()[k]));
}

}  // namespace

std::int64_t Layout::operator()(std::int64_t i) const { return static_cast<std::int64_t>(at(i, shape_, stride_)); }

std::int64_t Layout::operator()(std::int64_t c0, std::int64_t c1) const {
  assert(rank() == 2);
  return at_mode(*this, 0, c0) + at_mode(*this, 1, c1);
}

std::int64_t Layout::operator()(std::int64_t c0, std::int64_t c1, std::int64_t c2) const {
  assert(rank() == 3);
  return at_mode(*this, 0, c0) + at_mode(*this, 1, c1) + at_mode(*this, 2, c2);
}

std::string to_string(const Layout& layout) { return to_string(layout.shape()) + ':' + to_string(layout.stride()); }

namespace {

// Adds coord . stride to sum. The coordinate may stop above the leaves, where it is an index of the mode.
Status add_product(const IntTuple& coord, const IntTuple& shape, const IntTuple& stride, IntTuple& sum) {
  if (coord.is_tuple()) {
    if (!shape.is_tuple() || coord.rank() != shape.rank()) {
      return Error{
          ErrorCode::not_congruent, fmt::format("coordinate {} does not fit into the mode {}", to_string(coord), to_string(shape)), {}, {}};
    }
    for (std::size_t i = 0; i < coord.rank(); ++i) TESSERA_CHECK(add_product(coord[i], shape[i], stride[i], sum));
    return Done{};
  }
  if (!coord.is_int())
    return Error{ErrorCode::wrong_type, fmt::format("a coordinate has integers only, but `{}` is in it", to_string(coord)), {}, {}};
  if (shape.is_tuple()) {
    std::int64_t i = coord.value();
    for (std::size_t k = 0; k < shape.rank(); ++k) {
      const bool last = k + 1 == shape.rank();
      TESSERA_CHECK(add_product(last ? i : take_digit(i, size(shape[k])), shape[k], stride[k], sum));
    }
    return Done{};
  }
  const auto product = checked_mul(coord.value(), stride.value());
  if (!product || !add_at(sum, stride.path(), 0, *product)) {
    return Error{
        ErrorCode::overflow, fmt::format("the coordinate {} at stride {} leaves 64 bits", coord.value(), to_string(stride)), {}, {}};
  }
  return Done{};
}

}  // namespace

Result<IntTuple> evaluate(const Layout& layout, const Coord& coord) {
  IntTuple sum = 0;
  TESSERA_CHECK(add_product(coord, layout.shape(), layout.stride(), sum));
  return sum;
}

IntTuple evaluate(const Layout& layout, std::int64_t i) {
  if (!layout.has_basis()) return layout(i);
  auto value = evaluate(layout, Coord(i));
  return value ? std::move(value).value() : IntTuple(0);
}

std::vector<std::int64_t> image(const Layout& layout) {
  // An odometer over the leaves: each step adds one stride and takes back what the modes to its left had reached.
  const FlatModes modes = flat_modes(layout);
  std::vector<std::int64_t> values;
  const std::int64_t n = layout.size();
  values.reserve(static_cast<std::size_t>(n));
  SmallVector<std::int64_t, 12> digits;
  digits.resize(modes.size(), 0);
  std::int64_t value = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    values.push_back(value);
    for (std::size_t k = 0; k < modes.size(); ++k) {
      if (++digits[k] < modes[k].shape) {
        value += modes[k].stride;
        break;
      }
      value -= (modes[k].shape - 1) * modes[k].stride;
      digits[k] = 0;
    }
  }
  return values;
}

namespace {

std::pair<std::vector<IntTuple>, std::vector<IntTuple>> concatenate(std::vector<Layout>& modes) {
  std::pair<std::vector<IntTuple>, std::vector<IntTuple>> out;
  out.first.reserve(modes.size());
  out.second.reserve(modes.size());
  for (Layout& mode : modes) {
    out.first.push_back(mode.shape());
    out.second.push_back(mode.stride());
  }
  return out;
}

}  // namespace

Layout make_layout(std::vector<Layout> modes) {
  auto [shape, stride] = concatenate(modes);
  return Layout::trusted(IntTuple::tuple(std::move(shape)), IntTuple::tuple(std::move(stride)));
}

Result<Layout> checked_make_layout(std::vector<Layout> modes) {
  auto [shape, stride] = concatenate(modes);
  return Layout::make(IntTuple::tuple(std::move(shape)), IntTuple::tuple(std::move(stride)));
}

}  // namespace tessera
