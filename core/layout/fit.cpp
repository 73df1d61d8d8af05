// SPDX-License-Identifier: BSD-3-Clause
// fit_layout: reads the modes off the values, longest straight run first, and keeps what reproduces all of them.
#include "core/layout/fit.hpp"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/layout/flat_modes.hpp"

namespace tessera {

namespace {

constexpr int kTries = 4096;  // bound on the splits that are tried for one leaf

class LeafFit {
 public:
  LeafFit(const std::vector<std::int64_t>& values, std::int64_t step) : values_(values), step_(step) {}

  bool fit(std::int64_t n) { return extend(1, n); }
  const FlatModes& modes() const { return modes_; }

 private:
  std::int64_t value(std::int64_t j) const { return values_[static_cast<std::size_t>(j * step_)]; }

  // Modes for the n values at 0, period, 2*period, ...; all shorter modes are in modes_.
  bool extend(std::int64_t period, std::int64_t n) {
    if (n == 1) return matches(period);
    if (++tries_ > kTries) return false;
    const std::int64_t stride = value(period);
    std::int64_t run = 1;
    while (run < n && value(run * period) == run * stride) ++run;
    for (std::int64_t extent = run; extent > 1; --extent) {
      if (n % extent != 0) continue;
      modes_.push_back({extent, stride, {}});
      if (extend(period * extent, n / extent)) return true;
      modes_.resize(modes_.size() - 1);
    }
    return false;
  }

  bool matches(std::int64_t n) const {
    for (std::int64_t j = 0; j < n; ++j) {
      std::int64_t rest = j, sum = 0;
      for (const FlatMode& m : modes_) {
        sum += rest % m.shape * m.stride;
        rest /= m.shape;
      }
      if (sum != value(j)) return false;
    }
    return true;
  }

  const std::vector<std::int64_t>& values_;
  std::int64_t step_;
  FlatModes modes_;
  int tries_ = 0;
};

bool fit_tree(const std::vector<std::int64_t>& values, const IntTuple& profile, std::int64_t& step, IntTuple& shape, IntTuple& stride) {
  if (!profile.is_tuple()) {
    LeafFit leaf(values, step);
    if (!leaf.fit(profile.value())) return false;
    const Layout modes = to_layout(leaf.modes());
    shape = modes.shape();
    stride = modes.stride();
    step *= profile.value();
    return true;
  }
  std::vector<IntTuple> shapes(profile.rank()), strides(profile.rank());
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (!fit_tree(values, profile[i], step, shapes[i], strides[i])) return false;
  }
  shape = IntTuple::tuple(std::move(shapes));
  stride = IntTuple::tuple(std::move(strides));
  return true;
}

}  // namespace

std::optional<Layout> fit_layout(const std::vector<std::int64_t>& values, const Shape& profile) {
  if (values.empty() || values[0] != 0) return std::nullopt;
  IntTuple shape, stride;
  std::int64_t step = 1;
  if (!fit_tree(values, profile, step, shape, stride)) return std::nullopt;
  auto layout = Layout::make(std::move(shape), std::move(stride));
  if (!layout || image(*layout) != values) return std::nullopt;
  return std::move(layout).value();
}

}  // namespace tessera
