// SPDX-License-Identifier: BSD-3-Clause
// coalesce, filter and flatten: the same function in fewer, or other, modes.
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/selector.hpp"
#include "core/layout/algebra.hpp"
#include "core/layout/by_mode.hpp"
#include "core/layout/flat_modes.hpp"

namespace tessera {

void append_flat_modes(const IntTuple& shape, const IntTuple& stride, FlatModes& out) {
  const auto shapes = shape.modes();
  const auto strides = stride.modes();
  FlatMode* to = out.extend(shapes.size());
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const IntTuple &s = shapes[i], &d = strides[i];
    if (s.is_tuple()) {  // the room kept for this mode and those to its right moves behind its leaves
      out.shrink(shapes.size() - i);
      append_flat_modes(s, d, out);
      to = out.extend(shapes.size() - i - 1);
      continue;
    }
    *to++ = {s.leaf(), d.leaf(), d.path().marked(mode_mark(s, d))};
  }
}

namespace {

// CuTe merges what it knows to follow on, and drops an extent that it knows to be 1, when it compiles. The marks of mode `a` once mode `b`
// to its right is part of it; `drops`: as an extent of 1.
unsigned joined_marks(const BasisPath& a, const BasisPath& b, bool drops) {
  const unsigned unknown = drops ? b.mark & marks::kShapeDynamic : (a.mark | b.mark) & (marks::kDynamic | marks::kShapeDynamic);
  return a.mark | (b.mark & (marks::kShapeDynamic | marks::kOtherForm)) | (unknown != 0 ? marks::kOtherForm : 0);
}

// The marks of mode `b` where `a` to its left, an extent of 1, goes.
unsigned marks_behind_one(const BasisPath& a, const BasisPath& b) {
  return b.mark | (a.mark & marks::kOtherForm) | ((a.mark & marks::kShapeDynamic) != 0 ? marks::kOtherForm : 0);
}

}  // namespace

void coalesce_in_place(FlatModes& flat, bool keep_last) {
  // Which modes merge is as random as the layout, and a mispredicted branch costs more than a step of this loop, so that the loop
  // selects values instead.
  FlatMode* const modes = flat.data();
  const std::size_t count = flat.size();
  if (keep_last && modes[count - 1].shape == 1) modes[count - 1].shape = 2;  // so that it is not taken for a mode of extent 1
  std::int64_t shape = modes[0].shape, stride = modes[0].stride;             // the mode behind those kept
  BasisPath path = modes[0].path;
  std::size_t kept = 0;  // modes[0 .. kept) are final
  unsigned any_mark = path.mark;
  for (std::size_t i = 1; i < count; ++i) {
    const std::int64_t s = modes[i].shape, d = modes[i].stride;
    const BasisPath p = modes[i].path;
    std::int64_t reach = 0;
    const bool fits = !__builtin_mul_overflow(shape, stride, &reach);
    const bool replaces = shape == 1;
    const bool joins = (s == 1) | (fits & (reach == d) & (path == p) & !replaces);
    const Selector first(joins);
    modes[kept] = {shape, stride, path};  // final only if `kept` moves
    kept += !(joins | replaces);
    const auto product = static_cast<std::int64_t>(static_cast<std::uint64_t>(shape) * static_cast<std::uint64_t>(s));  // used if it fits
    shape = first(product, s);
    stride = first(stride, d);
    any_mark |= p.mark;
    const BasisPath before = path;
    path = std::bit_cast<BasisPath>(first(std::bit_cast<std::uint64_t>(path), std::bit_cast<std::uint64_t>(p)));
    if (any_mark != 0 && (joins || replaces))  // hardly ever, and then for all modes
      path.mark = (joins ? joined_marks(before, p, s == 1) : marks_behind_one(before, p)) & 0x1f;
  }
  const bool known = (path.mark & marks::kShapeDynamic) == 0;  // CuTe keeps an extent of 1 that it does not know
  modes[kept] = kept > 0 || shape != 1
                    ? FlatMode{shape, stride, path}
                    : FlatMode{1, 0, BasisPath{}.marked(known ? path.mark & marks::kOtherForm : path.mark | marks::kOtherForm)};
  flat.shrink(count - kept - 1);
}

Layout to_layout(const FlatModes& modes) {
  const std::size_t rank = modes.size();
  if (rank == 0) return Layout();
  const FlatMode* const m = modes.data();
  if (rank == 1) return Layout::trusted(m->extent(), m->step());
  IntTuple shape = IntTuple::zeros(rank), stride = IntTuple::zeros(rank);
  for (std::size_t i = 0; i < rank; ++i) {
    shape.fill(i) = m[i].extent();
    stride.fill(i) = m[i].step();
  }
  return Layout::trusted(std::move(shape), std::move(stride));
}

Result<Layout> to_checked_layout(const FlatModes& modes) {
  const std::int64_t limit = kLargestIndex;
  std::int64_t size = 1, reach = 0;
  for (const FlatMode& m : modes) {
    std::int64_t step = 0;
    if (m.shape < 1 || m.stride > limit || m.stride < -limit || __builtin_mul_overflow(size, m.shape, &size) || size > limit ||
        __builtin_mul_overflow(m.shape - 1, m.stride < 0 ? -m.stride : m.stride, &step) || __builtin_add_overflow(reach, step, &reach) ||
        reach >= limit) {
      return Error{ErrorCode::overflow, "the result's size or cosize is beyond 2^62", {}, {}};
    }
  }
  return to_layout(modes);
}

Layout coalesce(const Layout& layout) {
  FlatModes modes = flat_modes(layout);
  coalesce_in_place(modes, false);
  return to_layout(modes);
}

Result<Layout> coalesce(const Layout& layout, const IntTuple& profile) {
  if (!profile.is_tuple()) return coalesce(layout);
  return by_mode("coalesce", layout, profile, Rest::kept, [](const Layout& mode, const IntTuple& p) { return coalesce(mode, p); });
}

namespace {

IntTuple without_zeros(const IntTuple& shape, const IntTuple& stride) {
  if (!shape.is_tuple()) return stride.value() == 0 ? IntTuple::marked(1, stride.is_dynamic() ? marks::kOtherForm : marks::kStatic) : shape;
  std::vector<IntTuple> modes;
  modes.reserve(shape.rank());
  for (std::size_t i = 0; i < shape.rank(); ++i) modes.push_back(without_zeros(shape[i], stride[i]));
  return IntTuple::tuple(std::move(modes));
}

}  // namespace

Layout filter_zeros(const Layout& layout) { return Layout::trusted(without_zeros(layout.shape(), layout.stride()), layout.stride()); }

Layout filter(const Layout& layout) {
  FlatModes modes = flat_modes(layout);
  for (FlatMode& m : modes) {
    if (m.stride != 0) continue;
    m.shape = 1;
    m.path.mark &= ~marks::kShapeDynamic & 0x1f;
    if ((m.path.mark & marks::kDynamic) != 0) m.path.mark |= marks::kOtherForm;  // CuTe takes out what it knows to be 0
  }
  coalesce_in_place(modes, false);
  return to_layout(modes);
}

Result<Layout> filter(const Layout& layout, const IntTuple& profile) {
  if (!profile.is_tuple()) return filter(layout);
  return by_mode("filter", layout, profile, Rest::kept, [](const Layout& mode, const IntTuple& p) { return filter(mode, p); });
}

Layout flatten(const Layout& layout) { return Layout::trusted(flatten(layout.shape()), flatten(layout.stride())); }

}  // namespace tessera
