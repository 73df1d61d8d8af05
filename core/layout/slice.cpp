// SPDX-License-Identifier: BSD-3-Clause
// slice_and_offset: part of a layout, and where it starts. A swizzled layout keeps the offset inside, or decays to strides.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/layout/algebra.hpp"
#include "core/layout/composed_algebra.hpp"
#include "core/layout/flat_modes.hpp"

namespace tessera {

Coord at_origin(const Coord& coord) {
  if (coord.is_underscore()) return 0;
  if (!coord.is_tuple()) return coord;
  std::vector<IntTuple> modes;
  for (const IntTuple& mode : coord.modes()) modes.push_back(at_origin(mode));
  return IntTuple::tuple(std::move(modes));
}

thread_local constinit int SwizzleInPointer::count_ = 0;

namespace {

bool all_underscore(const Coord& coord) {
  if (!coord.is_tuple()) return coord.is_underscore();
  for (const IntTuple& mode : coord.modes()) {
    if (!all_underscore(mode)) return false;
  }
  return true;
}

// The shape in which a swizzle sees an index: low bits, the lower run, the gap, the upper run, and all above.
struct BitFields {
  std::int64_t low, run, gap;
  std::int64_t lower, upper;  // one bit each: the lowest of the lower and of the upper run

  explicit BitFields(const Swizzle& s)
      : low(std::int64_t{1} << s.base()),
        run(std::int64_t{1} << s.bits()),
        gap(std::int64_t{1} << ((s.shift() < 0 ? -s.shift() : s.shift()) - s.bits())),
        lower(low),
        upper(low * run * gap) {}

  // An index -> the bits that the swizzle reads or flips, and -> all the others.
  Result<Layout> active() const { return fields(0, lower, 0, upper, 0); }
  Result<Layout> passive() const { return fields(1, 0, low * run, 0, upper * run); }

 private:
  Result<Layout> fields(std::int64_t d0, std::int64_t d1, std::int64_t d2, std::int64_t d3, std::int64_t d4) const {
    return Layout::make(IntTuple::tuple({low, run, gap, run, 1}), IntTuple::tuple({d0, d1, d2, d3, d4}));
  }
};

// Sw(offset + x) - Sw(offset) as a layout of x, for x that never sets a bit together with its partner. A flipped bit whose
// reader is set counts down; a reader takes its partner along, up or down by whether the offset has set it.
Result<Layout> swizzle_as_strides(const Swizzle& s, std::int64_t offset) {
  const BitFields f(s);
  const bool reads_upper = s.shift() > 0;
  const std::int64_t z = reads_upper ? f.lower : f.upper, y = reads_upper ? f.upper : f.lower;
  std::vector<IntTuple> twos, flipped, readers;
  for (int k = 0; k < s.bits(); ++k) {
    const std::int64_t zk = z << k, yk = y << k;
    twos.emplace_back(2);
    flipped.emplace_back((offset & yk) == 0 ? zk : -zk);
    readers.emplace_back((offset & zk) == 0 ? yk + zk : yk - zk);
  }
  std::vector<IntTuple> shape{f.low}, stride{1};
  const auto add_run = [&](const std::vector<IntTuple>& strides) {
    shape.insert(shape.end(), twos.begin(), twos.end());
    stride.insert(stride.end(), strides.begin(), strides.end());
  };
  add_run(reads_upper ? flipped : readers);
  shape.emplace_back(f.gap);
  stride.emplace_back(f.low * f.run);
  add_run(reads_upper ? readers : flipped);
  shape.emplace_back(1);
  stride.emplace_back(f.upper * f.run);
  return Layout::make(IntTuple::tuple(std::move(shape)), IntTuple::tuple(std::move(stride)));
}

// One leaf of a slice as modes by its bits: those whose strides are known and follow on are one mode.
class LeafByBits {
 public:
  // `unknown_bits`: what the program may set in the offset that the slice begins at. `start`: the offset itself, as far as it is known.
  LeafByBits(const Swizzle& swizzle, std::int64_t unknown_bits, std::int64_t start)
      : fields_(swizzle), bits_(swizzle.bits()), unknown_(unknown_bits), start_(start) {
    const bool reads_upper = swizzle.shift() > 0;
    flipped_ = reads_upper ? fields_.lower : fields_.upper;
    reader_ = reads_upper ? fields_.upper : fields_.lower;
  }

  void append(std::int64_t extent, std::int64_t stride, std::vector<IntTuple>& shape, std::vector<IntTuple>& strides) const {
    std::vector<IntTuple> extents, steps;
    for (std::int64_t bit = stride; bit < stride * extent; bit *= 2) {
      const IntTuple step = step_of(bit);
      const bool follows = !steps.empty() && !steps.back().is_dynamic() && !step.is_dynamic() &&
                           steps.back().value() * extents.back().value() == step.value();
      if (follows) {
        extents.back() = extents.back().value() * 2;
        continue;
      }
      extents.emplace_back(2);
      steps.push_back(step);
    }
    const bool one = extents.size() == 1;
    shape.push_back(one ? extents[0] : IntTuple::tuple(std::move(extents)));
    strides.push_back(one ? steps[0] : IntTuple::tuple(std::move(steps)));
  }

 private:
  // What the offset changes by with this bit, where nothing else is set.
  IntTuple step_of(std::int64_t bit) const {
    for (int k = 0; k < bits_; ++k) {
      const std::int64_t z = flipped_ << k, y = reader_ << k;
      if (bit == z) return IntTuple::marked((start_ & y) == 0 ? z : -z, (unknown_ & y) != 0 ? marks::kDynamic : marks::kStatic);
      if (bit == y) return IntTuple::marked((start_ & z) == 0 ? y + z : y - z, (unknown_ & z) != 0 ? marks::kDynamic : marks::kStatic);
    }
    return IntTuple::marked(bit, marks::kStatic);
  }

  BitFields fields_;
  int bits_;
  std::int64_t unknown_, start_, flipped_ = 0, reader_ = 0;
};

Status append_by_bits(const LeafByBits& by_bits, const IntTuple& shape, const IntTuple& stride, std::vector<IntTuple>& out_shape,
                      std::vector<IntTuple>& out_stride) {
  if (shape.is_tuple()) {
    std::vector<IntTuple> shapes, strides;
    for (std::size_t i = 0; i < shape.rank(); ++i) TESSERA_CHECK(append_by_bits(by_bits, shape[i], stride[i], shapes, strides));
    out_shape.push_back(IntTuple::tuple(std::move(shapes)));
    out_stride.push_back(IntTuple::tuple(std::move(strides)));
    return Done{};
  }
  const auto is_power = [](std::int64_t n) { return n > 0 && std::has_single_bit(static_cast<std::uint64_t>(n)); };
  if (shape.value() == 1 || stride.value() == 0) {
    out_shape.push_back(shape);
    out_stride.push_back(stride);
    return Done{};
  }
  if (!is_power(shape.value()) || !is_power(stride.value())) {
    return Error{ErrorCode::not_representable,
                 fmt::format("the mode {}:{} does not step through the swizzle by powers of two", to_string(shape), to_string(stride)),
                 {},
                 {}};
  }
  by_bits.append(shape.value(), stride.value(), out_shape, out_stride);
  return Done{};
}

constexpr std::int64_t kMostCompared = std::int64_t{1} << 20;  // slices up to this size are compared at every coordinate

struct Slicing {
  const Swizzle& swizzle;
  std::int64_t offset;   // inside
  Layout rest;           // what `_` keeps
  std::int64_t start;    // L at the coordinate
  std::int64_t unknown;  // bits that the coordinate may set where only the running program knows it
};

// What the dynamic ones of these coordinates may set, one of them for each mode.
std::int64_t unknown_bits(const Layout& consumed, const std::vector<IntTuple>& at) {
  std::int64_t made = 0;
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (at[i].is_dynamic()) made |= consumed.rank() == at.size() ? bits_of(consumed[i]) : bits_of(consumed);
  }
  return made;
}

// Law: result.offset + result.layout(i) == Sw(offset + start + rest(i)). What is too large to compare counts as not holding.
bool holds(const Slicing& s, const SliceAndOffset& result) {
  if (s.rest.size() > kMostCompared) return false;
  for (std::int64_t i = 0; i < s.rest.size(); ++i) {
    if (result.offset.value() + evaluate(result.layout, i) != s.swizzle(s.offset + s.start + s.rest(i))) return false;
  }
  return true;
}

// CuTe refuses modes that step through the swizzle's bits by anything but a power of two: their bits could not be told apart.
Status check_powers_of_two(const Layout& consumed_bits) {
  for (const FlatMode& m : flat_modes(consumed_bits)) {
    const std::int64_t reach = m.shape * m.stride;
    if (reach == 0 || (reach > 0 && std::has_single_bit(static_cast<std::uint64_t>(reach)))) continue;
    return Error{
        ErrorCode::not_divisible,
        fmt::format("Requires pow2 shape*stride: the bits of the swizzle that the coordinate sets are {}, and {}*{} is no power of two",
                    to_string(consumed_bits), m.shape, m.stride),
        {},
        {}};
  }
  return Done{};
}

// CuTe's slice: bits of the start that the swizzle reads or flips go into the inner offset, the others outside; then, where no
// bit of the rest meets its partner, plain strides. Refused, as in CuTe, where L's strides do not split at the swizzle's bits.
Result<SliceAndOffset> split_slice(const Slicing& s, const Layout& consumed, const Coord& consumed_at) {
  const BitFields fields(s.swizzle);
  TESSERA_TRY(active, fields.active());
  TESSERA_TRY(passive, fields.passive());
  TESSERA_CHECK(composition_unchecked(passive, consumed));  // CuTe composes these too, and may refuse them
  TESSERA_TRY(consumed_bits, composition_unchecked(active, consumed));
  TESSERA_CHECK(check_powers_of_two(consumed_bits));
  TESSERA_TRY(bits, evaluate(consumed_bits, consumed_at));
  const std::int64_t inner = s.offset ^ bits.value();
  const std::int64_t outer = s.start - bits.value();
  TESSERA_TRY(rest_bits, composition_unchecked(active, s.rest));
  const std::int64_t last = rest_bits(rest_bits.size() - 1);
  if ((last & ~s.swizzle(last)) != 0) return SliceAndOffset{composition(s.swizzle, inner, s.rest), outer};
  if (s.unknown != 0) {
    std::vector<IntTuple> shape, stride;
    const LeafByBits by_bits(s.swizzle, s.unknown, inner);
    if (append_by_bits(by_bits, s.rest.shape(), s.rest.stride(), shape, stride)) {
      TESSERA_TRY(decayed, Layout::make(std::move(shape[0]), std::move(stride[0])));
      return SliceAndOffset{std::move(decayed), s.swizzle(inner) + outer};
    }
  }
  TESSERA_TRY(strides, swizzle_as_strides(s.swizzle, inner));
  TESSERA_TRY(decayed, composition_unchecked(strides, s.rest));
  return SliceAndOffset{std::move(decayed), s.swizzle(inner) + outer};
}

// `broken`: what CuTe gives where that is not the layout's slice.
Result<SliceAndOffset> slice_swizzled(const Coord& coord, const ComposedLayout& composed, const Swizzle& swizzle, const Layout& inner,
                                      std::optional<SliceAndOffset>* broken = nullptr) {
  TESSERA_TRY(rest, slice(coord, inner));
  if (all_underscore(coord)) return SliceAndOffset{composition(swizzle, composed.offset, rest), 0};
  TESSERA_TRY(start, evaluate(inner, at_origin(coord)));
  TESSERA_TRY(consumed, dice(coord, inner));
  // The coordinate that belongs to the consumed modes, as CuTe's dice(coord, coord) gives it.
  std::vector<IntTuple> at;
  std::vector<IntTuple> leaves;
  append_leaves(coord, leaves);
  for (const IntTuple& leaf : leaves) {
    if (!leaf.is_underscore()) at.push_back(leaf);
  }
  const std::int64_t unknown = unknown_bits(consumed, at);
  const Slicing s{swizzle, composed.offset.value(), std::move(rest), start.value(), unknown};
  std::int64_t inside = 0;
  if (__builtin_add_overflow(s.offset, s.start, &inside)) inside = std::numeric_limits<std::int64_t>::max();  // which is out of range
  ComposedLayout kept{swizzle, inside, s.rest};
  TESSERA_CHECK(check_range(kept));
  if (SwizzleInPointer::here()) {
    // What is a multiple of all that the swizzle sees is no matter of it.
    const std::int64_t seen = std::int64_t{1} << std::bit_width(static_cast<std::uint64_t>(swizzle.y_mask() | swizzle.z_mask()));
    const std::int64_t beyond = inside - (inside % seen + seen) % seen;
    return SliceAndOffset{ComposedLayout{swizzle, inside - beyond, s.rest}, beyond};
  }
  auto split = split_slice(s, consumed, IntTuple::tuple(std::move(at)));
  if (!split && split.error().code == ErrorCode::not_divisible) {
    return std::move(split).error().note(
        fmt::format("slice_and_offset splits {} at the bits that the swizzle reads and flips, and CuTe refuses it for the same reason",
                    to_string(composed)));
  }
  if (split && holds(s, *split)) return split;
  if (split && broken && s.rest.size() <= kMostCompared) *broken = *std::move(split);
  // CuTe's is wrong here, or leaves our numbers. Always right: keep the whole offset inside.
  return SliceAndOffset{std::move(kept), 0};
}

// Any composed layout, whose offset takes the start in: A(offset + L(start) + rest(i)).
Result<SliceAndOffset> slice_inside(const Coord& coord, const ComposedLayout& composed, const Layout& inner) {
  TESSERA_TRY(part, slice(coord, inner));
  TESSERA_TRY(start, evaluate(inner, at_origin(coord)));
  if (!start.is_int() || !composed.offset.is_int()) {
    if (start == IntTuple(0)) return SliceAndOffset{ComposedLayout{composed.outer, composed.offset, std::move(part)}, 0};
    if (composed.offset == IntTuple(0)) return SliceAndOffset{ComposedLayout{composed.outer, std::move(start), std::move(part)}, 0};
    return Error{ErrorCode::not_representable,
                 fmt::format("the slice {} of {} starts at a coordinate, and so does its offset", to_string(coord), to_string(composed)),
                 {},
                 {}};
  }
  std::int64_t inside = 0;
  if (__builtin_add_overflow(composed.offset.value(), start.value(), &inside)) inside = std::numeric_limits<std::int64_t>::max();
  ComposedLayout moved{composed.outer, inside, std::move(part)};
  TESSERA_CHECK(check_range(moved));
  return SliceAndOffset{std::move(moved), 0};
}

Result<SliceAndOffset> slice_composed(const Coord& coord, const ComposedLayout& composed);

// A o offset o B with a chain B: B's slice, whose own offset joins the one before B.
Result<SliceAndOffset> slice_chain(const Coord& coord, const ComposedLayout& composed, const ComposedLayout& rest) {
  Result<SliceAndOffset> part = slice_composed(coord, rest);
  const auto* inner = std::get_if<Layout>(&rest.inner);
  if (!part && part.error().code == ErrorCode::not_divisible && inner) part = slice_inside(coord, rest, *inner);
  if (!part) return part;
  std::int64_t offset = 0;
  if (!part->offset.is_int() || !composed.offset.is_int() ||
      __builtin_add_overflow(composed.offset.value(), part->offset.value(), &offset)) {
    return Error{
        ErrorCode::not_representable,
        fmt::format("the slice {} of {} starts at {}, which is no offset", to_string(coord), to_string(composed), to_string(part->offset)),
        {},
        {}};
  }
  ChainPart outer = std::visit([](const auto& p) { return ChainPart(p); }, composed.outer);
  TESSERA_TRY(made, make_composed_layout(std::move(outer), offset, to_part(std::move(part->layout))));
  return SliceAndOffset{std::move(made), 0};
}

Result<SliceAndOffset> slice_composed(const Coord& coord, const ComposedLayout& composed) {
  if (const auto* rest = std::get_if<Nested>(&composed.inner)) return slice_chain(coord, composed, **rest);
  const auto* inner = std::get_if<Layout>(&composed.inner);
  if (!inner)
    return Error{ErrorCode::wrong_type, fmt::format("a slice needs modes, and {} has none on its right", to_string(composed)), {}, {}};
  const auto* swizzle = std::get_if<Swizzle>(&composed.outer);
  if (swizzle && composed.offset.is_int() && !inner->has_basis()) return slice_swizzled(coord, composed, *swizzle, *inner);
  return slice_inside(coord, composed, *inner);
}

}  // namespace

std::int64_t bits_of(const Layout& layout) {
  if (layout.size() > kMostCompared) return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(layout.cosize()))) - 1;
  std::int64_t made = 0;
  for (std::int64_t i = 0; i < layout.size(); ++i) made |= layout(i);
  return made;
}

Result<Layout> slice_from_unknown(const Swizzle& swizzle, std::int64_t unknown_bits, const Layout& rest) {
  TESSERA_TRY(active, BitFields(swizzle).active());
  TESSERA_TRY(rest_bits, composition_unchecked(active, rest));
  const std::int64_t last = rest_bits(rest_bits.size() - 1);
  if ((last & ~swizzle(last)) != 0)
    return Error{ErrorCode::not_representable, fmt::format("bits of {} meet under {}", to_string(rest), to_string(swizzle)), {}, {}};
  std::vector<IntTuple> shape, stride;
  TESSERA_CHECK(append_by_bits(LeafByBits(swizzle, unknown_bits, 0), rest.shape(), rest.stride(), shape, stride));
  return Layout::make(std::move(shape[0]), std::move(stride[0]));
}

std::optional<SliceAndOffset> broken_slice(const Coord& coord, const AnyLayout& layout) {
  const auto* composed = std::get_if<ComposedLayout>(&layout);
  const auto* inner = composed ? std::get_if<Layout>(&composed->inner) : nullptr;
  const auto* swizzle = composed ? std::get_if<Swizzle>(&composed->outer) : nullptr;
  std::optional<SliceAndOffset> broken;
  if (!inner || !swizzle || !composed->offset.is_int() || inner->has_basis()) return broken;
  const Result<SliceAndOffset> made = slice_swizzled(coord, *composed, *swizzle, *inner, &broken);
  return made ? broken : std::nullopt;
}

Result<SliceAndOffset> slice_and_offset(const Coord& coord, const AnyLayout& layout) {
  if (const auto* composed = std::get_if<ComposedLayout>(&layout)) return slice_composed(coord, *composed);
  const auto& plain = std::get<Layout>(layout);
  TESSERA_TRY(part, slice(coord, plain));
  TESSERA_TRY(offset, evaluate(plain, at_origin(coord)));
  return SliceAndOffset{std::move(part), std::move(offset)};
}

}  // namespace tessera
