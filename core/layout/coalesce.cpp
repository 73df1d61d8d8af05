// SPDX-License-Identifier: BSD-3-Clause
// coalesce, filter and flatten: the same function in fewer, or other, modes.
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
    *to++ = {s.leaf(), d.leaf(), d.path()};
  }
}

void coalesce_in_place(FlatModes& flat, bool keep_last) {
  // Which modes merge is as random as the layout, and a mispredicted branch costs more than a step of this loop, so that the loop
  // selects values instead.
  FlatMode* const modes = flat.data();
  const std::size_t count = flat.size();
  if (keep_last && modes[count - 1].shape == 1) modes[count - 1].shape = 2;  // so that it is not taken for a mode of extent 1
  std::int64_t shape = modes[0].shape, stride = modes[0].stride;             // the mode behind those kept
  BasisPath path = modes[0].path;
  std::size_t kept = 0;  // modes[0 .. kept) are final
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
    path = std::bit_cast<BasisPath>(first(std::bit_cast<std::uint64_t>(path), std::bit_cast<std::uint64_t>(p)));
  }
  modes[kept] = kept == 0 && shape == 1 ? FlatMode{} : FlatMode{shape, stride, path};
  flat.shrink(count - kept - 1);
}

Layout to_layout(const FlatModes& modes) {
  const std::size_t rank = modes.size();
  if (rank == 0) return Layout();
  const FlatMode* const m = modes.data();
  if (rank == 1) return Layout::trusted(m->shape, IntTuple::basis(m->stride, m->path));
  IntTuple shape = IntTuple::zeros(rank), stride = IntTuple::zeros(rank);
  for (std::size_t i = 0; i < rank; ++i) {
    shape.fill(i) = m[i].shape;
    stride.fill(i) = IntTuple::basis(m[i].stride, m[i].path);
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
  if (!shape.is_tuple()) return stride.value() == 0 ? IntTuple(1) : shape;
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
    if (m.stride == 0) m.shape = 1;
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
