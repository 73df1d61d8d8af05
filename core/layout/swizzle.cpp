// SPDX-License-Identifier: BSD-3-Clause
// Swizzle and ComposedLayout: construction, text and values.
#include "core/layout/swizzle.hpp"

#include <cassert>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <variant>

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

Nested::Nested(ComposedLayout rest) : rest_(std::make_shared<const ComposedLayout>(std::move(rest))) {}

bool operator==(const Nested& a, const Nested& b) { return a.rest_ == b.rest_ || *a == *b; }

namespace {

struct PartText {
  std::string operator()(const Swizzle& s) const { return to_string(s); }
  std::string operator()(const Layout& l) const { return to_string(l); }
  std::string operator()(const Nested& rest) const { return to_string(*rest); }
};

// Far outside the domain a sum wraps, as a layout's value does, without being undefined.
std::int64_t wrapping_sum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

struct PartValue {
  std::int64_t i;
  std::int64_t operator()(const Swizzle& s) const { return s(i); }
  std::int64_t operator()(const Layout& l) const { return l(i); }
  std::int64_t operator()(const Nested& rest) const { return evaluate(*rest, i); }
};

// A(offset + index) of this pair of the chain.
std::int64_t outer_value(const ComposedLayout& c, std::int64_t index) {
  return std::visit(PartValue{wrapping_sum(c.offset.value(), index)}, c.outer);
}

std::int64_t finish_chain(const ComposedLayout& c, std::int64_t index) {
  const auto* rest = std::get_if<Nested>(&c.inner);
  return outer_value(c, rest ? finish_chain(**rest, index) : index);
}

}  // namespace

std::string to_string(const ComposedLayout& c) {
  return std::visit(PartText{}, c.outer) + " o " + to_string(c.offset) + " o " + std::visit(PartText{}, c.inner);
}

std::string to_string(const AnyLayout& layout) {
  return std::visit([](const auto& l) { return to_string(l); }, layout);
}

std::int64_t evaluate(const ComposedLayout& c, std::int64_t i) { return outer_value(c, std::visit(PartValue{i}, c.inner)); }

std::size_t parts(const ComposedLayout& composed) {
  const auto* rest = std::get_if<Nested>(&composed.inner);
  return rest ? 1 + parts(**rest) : 2;
}

const ComposedLayout& last_pair(const ComposedLayout& composed) {
  const auto* rest = std::get_if<Nested>(&composed.inner);
  return rest ? last_pair(**rest) : composed;
}

const Layout* inner_layout(const ComposedLayout& c) { return std::get_if<Layout>(&last_pair(c).inner); }

namespace {

// The last layout of the chain; null where there are swizzles only.
const Layout* last_layout(const ComposedLayout& c) {
  if (const auto* inner = std::get_if<Layout>(&c.inner)) return inner;
  const auto* rest = std::get_if<Nested>(&c.inner);
  const Layout* found = rest ? last_layout(**rest) : nullptr;
  return found ? found : std::get_if<Layout>(&c.outer);  // a swizzle has no shape: the part's before it
}

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
    return finish_chain(c, (*inner)(c0, c1));
  }
};

void replace_last(ComposedLayout& c, Layout plain) {
  if (const auto* rest = std::get_if<Nested>(&c.inner)) {
    ComposedLayout changed = **rest;
    replace_last(changed, std::move(plain));
    c.inner = Nested(std::move(changed));
    return;
  }
  c.inner = std::move(plain);
}

}  // namespace

const Layout& layout_part(const ComposedLayout& composed) {
  static const Layout empty;
  const Layout* found = last_layout(composed);
  return found ? *found : empty;
}

const Layout& layout_part(const AnyLayout& layout) {
  const auto* composed = std::get_if<ComposedLayout>(&layout);
  return composed ? layout_part(*composed) : std::get<Layout>(layout);
}

const Layout& plain_part(const AnyLayout& layout) {
  if (const Layout* plain = std::get_if<Layout>(&layout)) return *plain;
  return std::get<Layout>(last_pair(std::get<ComposedLayout>(layout)).inner);
}

AnyLayout with_plain_part(const AnyLayout& like, Layout plain) {
  if (std::holds_alternative<Layout>(like)) return plain;
  ComposedLayout changed = std::get<ComposedLayout>(like);
  replace_last(changed, std::move(plain));
  return changed;
}

std::int64_t evaluate(const AnyLayout& layout, std::int64_t i) { return std::visit(AnyValue{i}, layout); }
std::int64_t evaluate(const AnyLayout& layout, std::int64_t c0, std::int64_t c1) { return std::visit(AnyValue2{c0, c1}, layout); }
std::int64_t finish(const AnyLayout& layout, std::int64_t index) {
  const auto* composed = std::get_if<ComposedLayout>(&layout);
  return composed ? finish_chain(*composed, index) : index;
}
const Shape& shape(const AnyLayout& layout) { return layout_part(layout).shape(); }
std::int64_t size(const AnyLayout& layout) { return layout_part(layout).size(); }
std::int64_t cosize(const AnyLayout& layout) { return layout_part(layout).cosize(); }

}  // namespace tessera
