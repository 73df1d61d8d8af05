// SPDX-License-Identifier: BSD-3-Clause
// The law of composition, held point by point against a result whose digits did not prove it.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/layout/algebra.hpp"
#include "core/layout/composition.hpp"
#include "core/layout/fit.hpp"

namespace tessera {

namespace {

// Evaluates B, A o B and the result at one coordinate after the other, for one component of A's values.
class Walk {
 public:
  Walk(const Layout& b, const Composed& composed, const BasisPath& component)
      : b_(flat_modes(b)), result_(flat_modes(composed.layout)), parts_(composed.parts) {
    keep(result_, component);
    for (LeftHandSide& part : parts_) keep(part.modes, component);
  }

  // A(B(i)) and R(i). Indices outside A's domain count on in its last mode.
  __int128 truth(std::int64_t i) const {
    SmallVector<__int128, 4> x;
    x.resize(parts_.size(), 0);
    for (const FlatMode& m : b_) {
      const std::int64_t c = i % m.shape;
      i /= m.shape;
      if (m.stride == 0) continue;
      x[part_of(m.path)] += static_cast<__int128>(c) * m.stride;
    }
    __int128 sum = 0;
    for (std::size_t p = 0; p < parts_.size(); ++p) sum += evaluate_flat(parts_[p].modes, x[p]);
    return sum;
  }
  __int128 claim(std::int64_t i) const { return evaluate_flat(result_, i); }
  const FlatModes& b() const { return b_; }

 private:
  static void keep(FlatModes& modes, const BasisPath& component) {
    for (FlatMode& m : modes) {
      if (!(m.path == component)) m.stride = 0;
    }
  }
  std::size_t part_of(const BasisPath& path) const {
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      if (parts_[p].path == path) return p;
    }
    return 0;
  }

  FlatModes b_, result_;
  std::vector<LeftHandSide> parts_;
};

// Coordinates of a large domain where leaves move alone and in pairs: where remainders and carries show first.
std::vector<std::int64_t> samples(const FlatModes& b) {
  std::vector<std::int64_t> steps, points;
  std::int64_t step = 1;
  for (const FlatMode& m : b) {
    steps.push_back(step);
    step *= m.shape;
  }
  const auto values = [](std::int64_t n) {
    std::vector<std::int64_t> v;
    for (std::int64_t c = 0; c < std::min<std::int64_t>(n, 32); ++c) v.push_back(c);
    for (std::int64_t c = std::max<std::int64_t>(32, n - 32); c < n; ++c) v.push_back(c);
    return v;
  };
  for (std::size_t p = 0; p < b.size(); ++p) {
    if (b[p].shape == 1) continue;
    for (std::int64_t c = 0; c < std::min(b[p].shape, kPointwise); ++c) points.push_back(c * steps[p]);
    for (std::size_t q = p + 1; q < b.size(); ++q) {
      for (const std::int64_t c : values(b[p].shape)) {
        for (const std::int64_t e : values(b[q].shape)) points.push_back(c * steps[p] + e * steps[q]);
      }
    }
  }
  points.push_back(step - 1);
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

std::string decimal(__int128 v) {
  const bool negative = v < 0;
  unsigned __int128 u = negative ? -static_cast<unsigned __int128>(v) : static_cast<unsigned __int128>(v);
  std::string digits;
  do digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(u % 10)));
  while ((u /= 10) != 0);
  return negative ? "-" + digits : digits;
}

Error broken(const Layout& a, const Layout& b, const Composed& composed, const Walk& walk, std::int64_t i) {
  const std::string at = to_string(idx2crd(i, b.shape()));
  const std::string inner = b.has_basis() ? "B" + (at.front() == '(' ? at : "(" + at + ")") : to_string(evaluate(b, i));
  Error error{
      ErrorCode::breaks_law,
      fmt::format("composition({}, {}) is not {}: at coordinate {} that layout gives {}, but A(B) there is A({}) = {}", to_string(a),
                  to_string(b), to_string(composed.layout), at, decimal(walk.claim(i)), inner, decimal(walk.truth(i))),
      {},
      {}};
  error.notes.push_back("CuTe's divisibility conditions accept these layouts, and it returns the wrong layout without a word");
  if (b.size() > kPointwise || a.has_basis()) return error;
  std::vector<std::int64_t> values;
  for (std::int64_t k = 0; k < b.size(); ++k) values.push_back(static_cast<std::int64_t>(walk.truth(k)));
  if (const auto fitted = fit_layout(values, b.shape())) {
    error.notes.push_back(fmt::format("the layout {} does compute A(B(i)) for every i", to_string(*fitted)));
  } else {
    error.notes.push_back("no layout of B's profile computes A(B(i)): the function is not a sum over B's modes");
  }
  return error;
}

Status check_component(const Layout& a, const Layout& b, const Composed& composed, const BasisPath& component) {
  const Walk walk(b, composed, component);
  const std::int64_t n = b.size();
  if (n <= kPointwise) {
    for (std::int64_t i = 0; i < n; ++i) {
      if (walk.truth(i) != walk.claim(i)) return broken(a, b, composed, walk, i);
    }
    return Done{};
  }
  for (const std::int64_t i : samples(walk.b())) {
    if (walk.truth(i) != walk.claim(i)) return broken(a, b, composed, walk, i);
  }
  return Error{
      ErrorCode::limit,
      fmt::format("composition({}, {}): the modes of B carry into one another in A, so {} cannot be proven from its digits, and its {} "
                  "coordinates are more than the {} that are compared one by one",
                  to_string(a), to_string(b), to_string(composed.layout), n, kPointwise),
      {},
      {}};
}

}  // namespace

Status check_composition(const Layout& a, const Layout& b, const Composed& composed) {
  if (!a.has_basis()) return check_component(a, b, composed, {});
  std::vector<BasisPath> components;
  for (const FlatMode& m : flat_modes(a)) {
    if (m.path.length > 0 && std::find(components.begin(), components.end(), m.path) == components.end()) components.push_back(m.path);
  }
  for (const BasisPath& component : components) TESSERA_CHECK(check_component(a, b, composed, component));
  return Done{};
}

}  // namespace tessera
