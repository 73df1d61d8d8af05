// SPDX-License-Identifier: BSD-3-Clause
// coalesce, filter and flatten: the same function in fewer, or other, modes.
#include <fmt/format.h>

#include "core/layout/algebra.hpp"
#include "core/layout/by_mode.hpp"
#include "core/layout/flat_modes.hpp"

namespace tessera {

void append_flat_modes(const IntTuple& shape, const IntTuple& stride, FlatModes& out) {
  if (!shape.is_tuple()) {
    out.push_back({shape.value(), stride.value(), stride.path()});
    return;
  }
  const auto shapes = shape.modes();
  const auto strides = stride.modes();
  for (std::size_t i = 0; i < shapes.size(); ++i) append_flat_modes(shapes[i], strides[i], out);
}

void coalesce_in_place(FlatModes& modes, bool keep_last) {
  // Walks from the right. Kept modes move to the end of the array, so that no second array is needed.
  FlatMode front = modes.back();
  if (keep_last && front.shape == 1) front.shape = 2;  // so that the mode is not taken for one of extent 1
  std::size_t kept = modes.size();                     // modes[kept ..] are final; `front` stands before them
  for (std::size_t i = modes.size() - 1; i-- > 0;) {
    const FlatMode mode = modes[i];
    if (mode.shape == 1) continue;
    std::int64_t next = 0;
    if (front.shape == 1) {
      front = mode;
    } else if (!__builtin_mul_overflow(mode.shape, mode.stride, &next) && next == front.stride && (mode.path == front.path)) {
      front.shape *= mode.shape;
      front.stride = mode.stride;
    } else {
      modes[--kept] = front;
      front = mode;
    }
  }
  modes[--kept] = front;
  if (modes.size() - kept == 1 && front.shape == 1) modes[kept] = FlatMode{};
  std::copy(modes.begin() + kept, modes.end(), modes.begin());
  modes.resize(modes.size() - kept);
}

Layout to_layout(const FlatModes& modes) {
  if (modes.empty()) return Layout();
  if (modes.size() == 1) return Layout::trusted(modes[0].shape, IntTuple::basis(modes[0].stride, modes[0].path));
  std::vector<IntTuple> shape, stride;
  shape.reserve(modes.size());
  stride.reserve(modes.size());
  for (const FlatMode& m : modes) {
    shape.emplace_back(m.shape);
    if (m.path.length == 0)
      stride.emplace_back(m.stride);
    else
      stride.push_back(IntTuple::basis(m.stride, m.path));
  }
  return Layout::trusted(IntTuple::tuple(std::move(shape)), IntTuple::tuple(std::move(stride)));
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
