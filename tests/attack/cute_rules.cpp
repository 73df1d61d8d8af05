// SPDX-License-Identifier: BSD-3-Clause
// CuTe's algorithms for static layouts, written from their rules and from nothing of ours. What CuTe refuses is nothing here.
#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include "tests/attack/model.hpp"

namespace tessera::attack {
namespace {

using Modes = std::vector<std::pair<Int, Int>>;  // (extent, stride), leftmost first

void flatten(const Tree& shape, const Tree& stride, Modes& modes) {
  if (!shape.tuple) {
    modes.emplace_back(shape.value, stride.value);
    return;
  }
  for (std::size_t k = 0; k < shape.modes.size(); ++k) flatten(shape.modes[k], stride.modes[k], modes);
}

Modes flat(const Plain& layout) {
  Modes modes;
  flatten(layout.shape, layout.stride, modes);
  return modes;
}

Plain as_layout(const Modes& modes) {
  if (modes.size() == 1) return {modes[0].first, modes[0].second};
  std::vector<Plain> parts;
  for (const auto& [s, d] : modes) parts.push_back({s, d});
  return beside(parts);
}

Int ceil_div(Int a, Int b) { return (a + b - 1) / b; }
Int sign(Int d) { return (d > 0) - (d < 0); }

// From the right, with the last mode as accumulator. `keep_last`: as in a composition, where the last mode keeps its stride beyond the
// layout also when its extent is 1.
Modes coalesced(const Modes& modes, bool keep_last) {
  Modes done{modes.back()};
  if (keep_last && done[0].first == 1) done[0].first = 2;
  for (std::size_t i = modes.size() - 1; i-- > 0;) {
    const auto [s, d] = modes[i];
    if (s == 1) continue;
    if (done.size() == 1 && done[0].first == 1) {
      done[0] = modes[i];
    } else if (s * d == done[0].second) {
      done[0] = {done[0].first * s, d};
    } else {
      done.insert(done.begin(), modes[i]);
    }
  }
  if (done.size() == 1 && done[0].first == 1) done[0].second = 0;
  return done;
}

std::optional<Plain> compose_leaf(const Modes& a, Int s, Int d) {
  if (d == 0) return Plain{s, 0};
  if (a.size() == 1) return Plain{s, d * a[0].second};
  Modes made;
  Int rest = s, r = d;
  for (std::size_t i = 0; i + 1 < a.size(); ++i) {
    const auto [extent, stride] = a[i];
    if (r % extent != 0 && !(r < extent)) return std::nullopt;
    const Int n = ceil_div(extent, std::abs(r));
    const Int next = ceil_div(std::abs(r), extent) * sign(r);
    if (n != 1 && rest != 1) {
      const Int k = std::min(n, rest);
      if (rest % k != 0) return std::nullopt;
      made.emplace_back(k, r * stride);
      rest /= k;
    }
    r = next;
  }
  if (made.empty() || rest != 1) made.emplace_back(rest, r * a.back().second);
  return as_layout(made);
}

std::optional<Plain> compose_tree(const Modes& a, const Tree& shape, const Tree& stride) {
  if (!shape.tuple) return compose_leaf(a, shape.value, stride.value);
  std::vector<Plain> parts;
  for (std::size_t k = 0; k < shape.modes.size(); ++k) {
    auto part = compose_tree(a, shape.modes[k], stride.modes[k]);
    if (!part) return std::nullopt;
    parts.push_back(std::move(*part));
  }
  return beside(parts);
}

// CuTe's exchange sort by stride; its order of equal strides is its own.
void sort_by_stride(Modes& modes, std::vector<Int>& companions) {
  for (std::size_t i = 0; i < modes.size(); ++i) {
    for (std::size_t j = i + 1; j < modes.size(); ++j) {
      if (modes[j].second < modes[i].second) {
        std::swap(modes[i], modes[j]);
        std::swap(companions[i], companions[j]);
      }
    }
  }
}

std::vector<Int> sizes_before(const Modes& modes) {
  std::vector<Int> before;
  Int all = 1;
  for (const auto& each : modes) {
    before.push_back(all);
    all *= each.first;
  }
  return before;
}

void leaves(const Tree& tree, std::vector<Int>& values) {
  if (!tree.tuple) return values.push_back(tree.value);
  for (const Tree& each : tree.modes) leaves(each, values);
}

template <class F>
std::optional<Plain> leaf_by_leaf(const Plain& layout, const F& f) {
  if (!layout.shape.tuple) return f(layout.shape.value, layout.stride.value);
  std::vector<Plain> parts;
  for (std::size_t k = 0; k < rank(layout); ++k) {
    auto part = leaf_by_leaf(mode(layout, k), f);
    if (!part) return std::nullopt;
    parts.push_back(std::move(*part));
  }
  return beside(parts);
}

}  // namespace

Plain coalesce(const Plain& layout) { return as_layout(coalesced(flat(layout), false)); }

Plain filter(const Plain& layout) {
  Modes modes = flat(layout);
  for (auto& [s, d] : modes) {
    if (d == 0) s = 1;
  }
  return as_layout(coalesced(modes, false));
}

std::optional<Plain> composition(const Plain& a, const Plain& b) { return compose_tree(coalesced(flat(a), true), b.shape, b.stride); }

std::optional<Plain> complement(const Plain& layout, const Tree& cotarget) {
  Modes modes = flat(filter(layout));
  if (modes.size() == 1 && modes[0].second == 0) {
    const Int all = product(cotarget);
    return Plain{all, all == 1 ? 0 : 1};
  }
  Modes made;
  Int last = 1;
  while (!modes.empty()) {
    const auto least = std::min_element(modes.begin(), modes.end(), [](const auto& x, const auto& y) { return x.second < y.second; });
    const Int extent = least->second / last;
    if (extent <= 0) return std::nullopt;
    made.emplace_back(extent, last);
    last = least->second * least->first;
    modes.erase(least);
  }
  std::vector<Int> targets;
  leaves(cotarget, targets);
  Int rest = 1, step = last;
  for (const Int m : targets) {
    rest *= ceil_div(m, step);
    step = ceil_div(step, m);
  }
  made.emplace_back(rest, last);
  return as_layout(coalesced(made, false));
}

Plain right_inverse(const Plain& layout) {
  Modes modes = coalesced(flat(layout), false);
  std::vector<Int> before = sizes_before(modes);
  sort_by_stride(modes, before);
  Modes made;
  Int reached = 1;
  for (std::size_t k = 0; k < modes.size(); ++k) {
    if (modes[k].second != reached) continue;
    made.emplace_back(modes[k].first, before[k]);
    reached *= modes[k].first;
  }
  if (made.empty()) return {1, 0};
  return as_layout(coalesced(made, false));
}

std::optional<Plain> left_inverse(const Plain& layout) {
  Modes modes = coalesced(flat(layout), false);
  std::vector<Int> before = sizes_before(modes);
  sort_by_stride(modes, before);
  std::vector<Int> shape, stride{0};
  Int so_far = 1;
  for (std::size_t k = 0; k < modes.size(); ++k) {
    const Int d = modes[k].second;
    if (d == 0) continue;
    if (d < 0 || d % so_far != 0) return std::nullopt;
    shape.push_back(d / so_far);
    stride.push_back(before[k]);
    so_far *= shape.back();
  }
  shape.push_back(modes.back().first);
  Modes made;
  for (std::size_t k = 0; k < shape.size(); ++k) made.emplace_back(shape[k], stride[k]);
  return as_layout(coalesced(made, false));
}

std::optional<Plain> upcast(const Plain& layout, Int n) {
  return leaf_by_leaf(layout, [n](Int s, Int d) -> std::optional<Plain> {
    if (d == 0) return Plain{s, 0};
    const Int width = std::abs(d);
    if (width % n != 0 && n % width != 0) return std::nullopt;
    return Plain{ceil_div(s, ceil_div(n, width)), sign(d) * ceil_div(width, n)};
  });
}

std::optional<Plain> downcast(const Plain& layout, Int n) {
  const Modes modes = flat(layout);
  if (std::none_of(modes.begin(), modes.end(), [](const auto& each) { return each.second == 1; })) return std::nullopt;
  return leaf_by_leaf(layout, [n](Int s, Int d) -> std::optional<Plain> {
    if (std::abs(d) == 1) return Plain{s * n, d};
    return Plain{s, d * n};
  });
}

std::optional<Plain> tile_and_rest(const Plain& a, const Plain& b) {
  const auto rest = complement(b, coalesce(a).shape);
  if (!rest) return std::nullopt;
  return beside({b, *rest});
}

std::optional<Plain> logical_divide(const Plain& a, const Plain& b) {
  const auto both = tile_and_rest(a, b);
  if (!both) return std::nullopt;
  return composition(a, *both);
}

std::optional<Plain> logical_product(const Plain& a, const Plain& b) {
  const auto rest = complement(a, size(a) * cosize(b));
  if (!rest) return std::nullopt;
  const auto copies = composition(*rest, b);
  if (!copies) return std::nullopt;
  return beside({a, *copies});
}

}  // namespace tessera::attack
