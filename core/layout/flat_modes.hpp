// SPDX-License-Identifier: BSD-3-Clause
// FlatModes: the leaves of a layout as a short array, the form in which the algebra's loops run. Internal to core/layout.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/selector.hpp"
#include "core/base/small_vector.hpp"
#include "core/layout/digits.hpp"
#include "core/layout/layout.hpp"

namespace tessera {

struct FlatMode {
  std::int64_t shape = 1;
  std::int64_t stride = 0;
  BasisPath path;  // of a basis stride; and the marks of extent and stride, whose bits the loops move along with it

  unsigned mark() const { return path.mark; }
  IntTuple extent() const {
    return IntTuple::marked(shape, (path.mark & marks::kOtherForm) | ((path.mark & marks::kShapeDynamic) != 0 ? marks::kDynamic : 0));
  }
  IntTuple step() const { return IntTuple::basis(stride, path.marked(path.mark & ~marks::kShapeDynamic)); }
  bool is_static() const { return (path.mark & (marks::kDynamic | marks::kShapeDynamic)) == 0; }
};
// The mark of a mode of this extent and stride.
inline unsigned mode_mark(const IntTuple& shape, const IntTuple& stride) {
  return (shape.mark() & marks::kOtherForm) | (shape.is_dynamic() ? marks::kShapeDynamic : 0) | stride.mark();
}
using FlatModes = SmallVector<FlatMode, 12>;

// The leaves of congruent trees, left to right.
void append_flat_modes(const IntTuple& shape, const IntTuple& stride, FlatModes& out);
inline FlatModes flat_modes(const Layout& layout) {
  FlatModes modes;
  append_flat_modes(layout.shape(), layout.stride(), modes);
  return modes;
}

// CuTe's coalesce in place. With keep_last, a last mode of extent 1 keeps its stride for indices beyond the domain.
void coalesce_in_place(FlatModes& modes, bool keep_last);

// No mode gives 1:0, one mode gives s:d, more give a tuple.
Layout to_layout(const FlatModes& modes);
// The same, refusing what Layout::make refuses.
Result<Layout> to_checked_layout(const FlatModes& modes);

// What L and its complement cover together.
struct Cover {
  std::int64_t first_gap = -1;  // the first index between the modes of L that neither has; -1: none
  __int128 reach = 1;           // L's modes, and the repetitions after them, end here
};

// complement(layout, M) with the leaves of M as the shapes of `cotarget`; appended to `result`, which is empty.
Status complement_modes(const Layout& layout, const FlatModes& cotarget, FlatModes& result, Cover& cover);

// CuTe's exchange sort of the modes by stride; `others` are the members that move along. It is not stable, and the order of equal
// strides shows in a right inverse.
template <class Mode, std::size_t N, class... Others>
void sort_by_stride(SmallVector<Mode, N>& modes, Others Mode::*... others) {
  Mode* const m = modes.data();
  const std::size_t count = modes.size();
  for (std::size_t i = 0; i + 1 < count; ++i) {
    for (std::size_t j = i + 1; j < count; ++j) {
      const Selector second_first(m[j].stride < m[i].stride);
      second_first.exchange(m[i].stride, m[j].stride);
      (second_first.exchange(m[i].*others, m[j].*others), ...);
    }
  }
}

// The value at 1-D index x, which may be negative or beyond the domain: see digits.hpp.
inline __int128 evaluate_flat(const FlatModes& modes, __int128 x) {
  __int128 sum = 0;
  const std::size_t last = modes.size() - 1;
  for (std::size_t i = 0; i < last; ++i) sum += take_digit(x, modes[i].shape) * modes[i].stride;
  return sum + x * modes[last].stride;
}

}  // namespace tessera
