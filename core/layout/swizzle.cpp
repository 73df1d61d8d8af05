// SPDX-License-Identifier: BSD-3-Clause
// Swizzle and ComposedLayout: construction, text and values.
#include "core/layout/swizzle.hpp"

#include <cassert>
#include <cstdlib>

#include <fmt/format.h>

namespace tessera {

Result<Swizzle> Swizzle::make(int bits, int base, int shift) {
  if (bits < 0 || base < 0) {
    return Error{ErrorCode::bad_extent, fmt::format("Sw<{},{},{}>: the bit count and the base are at least 0", bits, base, shift), {}, {}};
  }
  if (shift == INT32_MIN || std::abs(shift) < bits) {
    return Error{ErrorCode::not_representable,
                 fmt::format("Sw<{},{},{}>: abs(SShift) must be BBits or more (\"more than BBits\" in CuTe's words), or the bits read and "
                             "the bits flipped overlap",
                             bits, base, shift),
                 {},
                 {}};
  }
  if (bits > 62 || base > 62 || std::abs(shift) > 62 || bits + base + std::abs(shift) > 62) {
    return Error{ErrorCode::limit, fmt::format("Sw<{},{},{}> reaches beyond bit 62", bits, base, shift), {}, {}};
  }
  Swizzle s;
  s.bits_ = bits;
  s.base_ = base;
  s.shift_ = shift;
  return s;
}

std::int64_t Swizzle::y_mask() const { return ((std::int64_t{1} << bits_) - 1) << (base_ + (shift_ > 0 ? shift_ : 0)); }
std::int64_t Swizzle::z_mask() const { return ((std::int64_t{1} << bits_) - 1) << (base_ - (shift_ < 0 ? shift_ : 0)); }

std::string to_string(const Swizzle& s) { return fmt::format("Sw<{},{},{}>", s.bits(), s.base(), s.shift()); }

namespace {

struct PartText {
  std::string operator()(const Swizzle& s) const { return to_string(s); }
  std::string operator()(const Layout& l) const { return to_string(l); }
};

// Far outside the domain a sum wraps, as a layout's value does, without being undefined.
std::int64_t wrapping_sum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

struct PartValue {
  std::int64_t i;
  std::int64_t operator()(const Swizzle& s) const { return s(i); }
  std::int64_t operator()(const Layout& l) const { return l(i); }
};

}  // namespace

std::string to_string(const ComposedLayout& c) {
  return std::visit(PartText{}, c.outer) + " o " + to_string(c.offset) + " o " + std::visit(PartText{}, c.inner);
}

std::string to_string(const AnyLayout& layout) {
  return std::visit([](const auto& l) { return to_string(l); }, layout);
}

std::int64_t evaluate(const ComposedLayout& c, std::int64_t i) {
  return std::visit(PartValue{wrapping_sum(c.offset.value(), std::visit(PartValue{i}, c.inner))}, c.outer);
}

namespace {

struct AnyValue {
  std::int64_t i;
  std::int64_t operator()(const Layout& l) const { return l(i); }
  std::int64_t operator()(const ComposedLayout& c) const { return evaluate(c, i); }
};

struct AnyValue2 {
  std::int64_t c0, c1;
  std::int64_t operator()(const Layout& l) const { return l(c0, c1); }
  std::int64_t operator()(const ComposedLayout& c) const {
    const Layout* inner = inner_layout(c);
    assert(inner);
    return std::visit(PartValue{wrapping_sum(c.offset.value(), (*inner)(c0, c1))}, c.outer);
  }
};

const Layout& layout_part(const AnyLayout& layout) {
  static const Layout empty;
  if (const auto* plain = std::get_if<Layout>(&layout)) return *plain;
  const Layout* inner = inner_layout(std::get<ComposedLayout>(layout));
  if (inner) return *inner;
  const auto* outer = std::get_if<Layout>(&std::get<ComposedLayout>(layout).outer);  // a swizzle has no shape: the other part's
  return outer ? *outer : empty;
}

}  // namespace

const Layout& plain_part(const AnyLayout& layout) {
  if (const Layout* plain = std::get_if<Layout>(&layout)) return *plain;
  return std::get<Layout>(std::get<ComposedLayout>(layout).inner);
}

AnyLayout with_plain_part(const AnyLayout& like, Layout plain) {
  if (std::holds_alternative<Layout>(like)) return plain;
  const ComposedLayout& composed = std::get<ComposedLayout>(like);
  return ComposedLayout{composed.outer, composed.offset, std::move(plain)};
}

std::int64_t evaluate(const AnyLayout& layout, std::int64_t i) { return std::visit(AnyValue{i}, layout); }
std::int64_t evaluate(const AnyLayout& layout, std::int64_t c0, std::int64_t c1) { return std::visit(AnyValue2{c0, c1}, layout); }
std::int64_t finish(const AnyLayout& layout, std::int64_t index) {
  const auto* composed = std::get_if<ComposedLayout>(&layout);
  return composed ? std::visit(PartValue{wrapping_sum(composed->offset.value(), index)}, composed->outer) : index;
}
const Layout* inner_layout(const ComposedLayout& c) { return std::get_if<Layout>(&c.inner); }
const Shape& shape(const AnyLayout& layout) { return layout_part(layout).shape(); }
std::int64_t size(const AnyLayout& layout) { return layout_part(layout).size(); }
std::int64_t cosize(const AnyLayout& layout) { return layout_part(layout).cosize(); }

}  // namespace tessera
