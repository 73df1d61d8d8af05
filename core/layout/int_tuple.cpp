// SPDX-License-Identifier: BSD-3-Clause
// IntTuple: construction, text, and the relations between profiles and shapes.
#include "core/layout/int_tuple.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/checked.hpp"

namespace tessera {

IntTuple::Block* IntTuple::allocate(std::size_t rank) {
  static_assert(sizeof(Block) % alignof(IntTuple) == 0);
  return new (::operator new(sizeof(Block) + rank * sizeof(IntTuple))) Block{1, static_cast<std::uint32_t>(rank)};
}

void IntTuple::destroy(Block* block) {
  std::destroy_n(block->modes(), block->rank);
  ::operator delete(block);
}

IntTuple IntTuple::tuple(std::vector<IntTuple> modes) {
  IntTuple t;
  t.of_.block = allocate(modes.size());
  t.kind_ = Kind::tuple;
  std::uninitialized_move(modes.begin(), modes.end(), t.of_.block->modes());
  return t;
}

IntTuple IntTuple::zeros(std::size_t rank) {
  IntTuple t;
  t.of_.block = allocate(rank);
  t.kind_ = Kind::tuple;
  std::uninitialized_value_construct_n(t.of_.block->modes(), rank);
  return t;
}

IntTuple IntTuple::underscore() {
  IntTuple t;
  t.kind_ = Kind::underscore;
  return t;
}

bool operator==(const IntTuple& a, const IntTuple& b) {
  if (a.kind_ != b.kind_) return false;
  if (!a.is_tuple()) return a.of_.value == b.of_.value && a.path_ == b.path_;
  return a.of_.block == b.of_.block || std::equal(a.modes().begin(), a.modes().end(), b.modes().begin(), b.modes().end());
}

namespace {

void write_int(std::int64_t value, std::string& out) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, value);
  out.append(digits, end.ptr);
}

void write(const IntTuple& t, std::string& out) {
  switch (t.kind()) {
    case IntTuple::Kind::integer: write_int(t.value(), out); return;
    case IntTuple::Kind::underscore: out += '_'; return;
    case IntTuple::Kind::basis:
      write_int(t.value(), out);
      for (int k = t.path().length; k-- > 0;) {
        out += '@';
        write_int(t.path().modes[static_cast<std::size_t>(k)], out);
      }
      return;
    case IntTuple::Kind::tuple: break;
  }
  out += '(';
  for (std::size_t i = 0; i < t.rank(); ++i) {
    if (i > 0) out += ',';
    write(t[i], out);
  }
  out += ')';
}

}  // namespace

std::string to_string(const IntTuple& t) {
  std::string out;
  write(t, out);
  return out;
}

std::size_t rank(const IntTuple& t) { return t.rank(); }

int depth(const IntTuple& t) {
  if (!t.is_tuple()) return 0;
  int deepest = 0;
  for (const IntTuple& mode : t.modes()) deepest = std::max(deepest, depth(mode));
  return deepest + 1;
}

bool has_underscore(const IntTuple& t) {
  if (!t.is_tuple()) return t.is_underscore();
  return std::any_of(t.modes().begin(), t.modes().end(), [](const IntTuple& m) { return has_underscore(m); });
}

bool has_basis(const IntTuple& t) {
  if (!t.is_tuple()) return t.is_basis();
  return std::any_of(t.modes().begin(), t.modes().end(), [](const IntTuple& m) { return has_basis(m); });
}

bool is_static(const IntTuple& t) {
  if (!t.is_tuple()) return !t.is_dynamic();
  return std::all_of(t.modes().begin(), t.modes().end(), [](const IntTuple& m) { return is_static(m); });
}

bool has_other_form(const IntTuple& t) {
  if (!t.is_tuple()) return (t.mark() & marks::kOtherForm) != 0;
  return std::any_of(t.modes().begin(), t.modes().end(), [](const IntTuple& m) { return has_other_form(m); });
}

namespace {

IntTuple all_marked(const IntTuple& t, unsigned bits) {
  if (t.is_underscore()) return t;
  if (!t.is_tuple()) return IntTuple::basis(t.value(), t.path().marked(bits));
  std::vector<IntTuple> modes;
  modes.reserve(t.rank());
  for (const IntTuple& mode : t.modes()) modes.push_back(all_marked(mode, bits));
  return IntTuple::tuple(std::move(modes));
}

}  // namespace

IntTuple as_static(const IntTuple& t) { return is_static(t) && !has_other_form(t) ? t : all_marked(t, marks::kStatic); }
IntTuple as_dynamic(const IntTuple& t) { return all_marked(t, marks::kDynamic); }

std::int64_t size(const IntTuple& shape) {
  if (!shape.is_tuple()) return shape.value();
  std::int64_t product = 1;
  for (const IntTuple& mode : shape.modes()) product *= size(mode);
  return product;
}

IntTuple size_of(const IntTuple& shape) { return IntTuple::marked(size(shape), is_static(shape) ? marks::kStatic : marks::kDynamic); }

Result<std::int64_t> checked_size(const IntTuple& shape) {
  if (shape.is_int()) {
    if (shape.value() >= 1 && shape.value() <= kLargestIndex) return shape.value();
    if (shape.value() < 1)
      return Error{ErrorCode::bad_extent, fmt::format("an extent is at least 1, but this one is {}", shape.value()), {}, {}};
    return Error{ErrorCode::overflow, fmt::format("the extent {} is beyond 2^62", shape.value()), {}, {}};
  }
  if (!shape.is_tuple())
    return Error{ErrorCode::wrong_type, fmt::format("a shape has integers only, but `{}` is in it", to_string(shape)), {}, {}};
  std::int64_t product = 1;
  for (const IntTuple& mode : shape.modes()) {
    TESSERA_TRY(extent, checked_size(mode));
    const auto next = checked_mul(product, extent);
    if (!next || *next > kLargestIndex) {
      return Error{ErrorCode::overflow, fmt::format("the size of shape {} is beyond 2^62", to_string(shape)), {}, {}};
    }
    product = *next;
  }
  return product;
}

Status checked_depth(const IntTuple& t) {
  if (depth(t) <= kDeepestTuple) return Done{};
  return Error{
      ErrorCode::limit, fmt::format("tuples may be nested {} deep at most, and this one is {} deep", kDeepestTuple, depth(t)), {}, {}};
}

void append_leaves(const IntTuple& t, std::vector<IntTuple>& out) {
  if (!t.is_tuple()) {
    out.push_back(t);
    return;
  }
  for (const IntTuple& mode : t.modes()) append_leaves(mode, out);
}

IntTuple flatten(const IntTuple& t) {
  if (!t.is_tuple()) return t;
  std::vector<IntTuple> leaves;
  append_leaves(t, leaves);
  return IntTuple::tuple(std::move(leaves));
}

namespace {

void append_values(const IntTuple& t, std::vector<std::int64_t>& out) {
  if (!t.is_tuple()) {
    out.push_back(t.value());
    return;
  }
  for (const IntTuple& mode : t.modes()) append_values(mode, out);
}

}  // namespace

std::vector<std::int64_t> leaf_values(const IntTuple& t) {
  std::vector<std::int64_t> values;
  append_values(t, values);
  return values;
}

bool congruent(const IntTuple& a, const IntTuple& b) {
  if (!a.is_tuple() || !b.is_tuple()) return a.is_tuple() == b.is_tuple();
  if (a.rank() != b.rank()) return false;
  for (std::size_t i = 0; i < a.rank(); ++i) {
    if (!congruent(a[i], b[i])) return false;
  }
  return true;
}

bool weakly_congruent(const IntTuple& a, const IntTuple& b) {
  if (!a.is_tuple()) return true;
  if (!b.is_tuple() || a.rank() != b.rank()) return false;
  for (std::size_t i = 0; i < a.rank(); ++i) {
    if (!weakly_congruent(a[i], b[i])) return false;
  }
  return true;
}

bool compatible(const IntTuple& a, const IntTuple& b) {
  if (!a.is_tuple()) return a.value() == size(b);
  if (!b.is_tuple() || a.rank() != b.rank()) return false;
  for (std::size_t i = 0; i < a.rank(); ++i) {
    if (!compatible(a[i], b[i])) return false;
  }
  return true;
}

bool evenly_divides(const IntTuple& a, const IntTuple& b) {
  if (!b.is_tuple()) {
    // size(a) == b * size(ceil_div(a, b)), the fold of ceil_div over the modes of a
    if (b.value() < 1) return false;
    const auto product = checked_mul(b.value(), size(ceil_div(a, b.value())));
    return product && *product == size(a);
  }
  if (b.rank() > a.rank()) return false;
  for (std::size_t i = 0; i < b.rank(); ++i) {
    if (!evenly_divides(a[i], b[i])) return false;
  }
  return true;
}

namespace {

// Divides every leaf in order by what is left of `divisor`, and divides the divisor by the leaf.
IntTuple ceil_div_fold(const IntTuple& a, std::int64_t& divisor) {
  if (a.is_tuple()) {
    // CuTe folds over the modes; a nested mode takes its own quotient, and the divisor loses the mode's size.
    std::vector<IntTuple> modes;
    modes.reserve(a.rank());
    for (const IntTuple& mode : a.modes()) {
      std::int64_t inner = divisor;
      modes.push_back(ceil_div_fold(mode, inner));
      divisor = ceil_div(divisor, size(mode));
    }
    return IntTuple::tuple(std::move(modes));
  }
  return IntTuple::marked(ceil_div(a.value(), divisor), a.mark());
}

}  // namespace

IntTuple ceil_div(const IntTuple& a, std::int64_t b) { return ceil_div_fold(a, b); }

IntTuple product_each(const IntTuple& shape) {
  if (!shape.is_tuple()) return IntTuple::tuple({shape});
  std::vector<IntTuple> sizes;
  sizes.reserve(shape.rank());
  for (const IntTuple& mode : shape.modes()) sizes.push_back(size_of(mode));
  return IntTuple::tuple(std::move(sizes));
}

namespace {

IntTuple take_profile(std::span<const IntTuple> leaves, std::size_t& next, const IntTuple& profile) {
  if (!profile.is_tuple()) {
    assert(next < leaves.size());
    return leaves[next++];
  }
  std::vector<IntTuple> modes;
  modes.reserve(profile.rank());
  for (const IntTuple& mode : profile.modes()) modes.push_back(take_profile(leaves, next, mode));
  return IntTuple::tuple(std::move(modes));
}

}  // namespace

IntTuple with_profile(std::span<const IntTuple> leaves, const IntTuple& profile) {
  std::size_t next = 0;
  return take_profile(leaves, next, profile);
}

}  // namespace tessera
