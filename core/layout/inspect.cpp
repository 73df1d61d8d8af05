// SPDX-License-Identifier: BSD-3-Clause
// Predicates: by strides where these decide, otherwise by walking the domain.
#include "core/layout/inspect.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/layout/composed_algebra.hpp"
#include "core/layout/flat_modes.hpp"

namespace tessera {

std::int64_t numbers_in_a_value(const AnyLayout& layout) {
  const auto* plain = std::get_if<Layout>(&layout);
  if (!plain || !plain->has_basis()) return 1;
  return static_cast<std::int64_t>(leaf_values(evaluate(*plain, plain->size() - 1)).size());  // the last value has as many as any
}

namespace {

// Before every coordinate is evaluated and its value kept to be sorted.
Status check_walkable(const AnyLayout& layout) {
  const std::int64_t width = numbers_in_a_value(layout);
  const auto what = [&] { return fmt::format("walking {}, whose strides alone do not decide,", to_string(layout)); };
  TESSERA_CHECK(spend_cells(count_product(size(layout), width), what));
  const std::int64_t bytes = width == 1 ? 16 : 64 + 24 * width;  // of a value with its coordinate; a coordinate's value is kept as text
  return fit_bytes(count_product(size(layout), bytes), what);
}

Error too_slow(const AnyLayout& layout) { return past_deadline("walking " + to_string(layout)); }

const Layout* plain_integers(const AnyLayout& layout) {
  const auto* plain = std::get_if<Layout>(&layout);
  return plain && !plain->has_basis() ? plain : nullptr;
}

bool has_coordinates(const AnyLayout& layout) {
  const auto* plain = std::get_if<Layout>(&layout);
  return plain && plain->has_basis();
}

// Sorted by |stride|, each mode starts beyond the reach of the smaller ones: then all sums differ.
bool strides_separate(const Layout& layout) {
  FlatModes modes = flat_modes(filter(layout));
  if (modes.size() > 0 && size(filter(layout).shape()) != layout.size()) return false;
  for (FlatMode& m : modes) m.stride = m.stride < 0 ? -m.stride : m.stride;
  std::sort(modes.begin(), modes.end(), [](const FlatMode& a, const FlatMode& b) { return a.stride < b.stride; });
  std::int64_t reach = 0;
  for (const FlatMode& m : modes) {
    if (m.shape == 1) continue;
    if (m.stride <= reach) return false;
    reach += (m.shape - 1) * m.stride;
  }
  return true;
}

// A swizzle is a bijection, so the layout behind swizzles decides.
const Layout* deciding_layout(const ComposedLayout& composed) {
  if (!std::holds_alternative<Swizzle>(composed.outer)) return nullptr;
  if (const auto* rest = std::get_if<Nested>(&composed.inner)) return deciding_layout(**rest);
  const auto* inner = std::get_if<Layout>(&composed.inner);
  return inner && !inner->has_basis() ? inner : nullptr;
}

const Layout* deciding_layout(const AnyLayout& layout) {
  if (const Layout* plain = plain_integers(layout)) return plain;
  const auto* composed = std::get_if<ComposedLayout>(&layout);
  return composed ? deciding_layout(*composed) : nullptr;
}

// Of the coordinates whose value came before, the first, and the one that had the value.
template <class T>
std::optional<AliasingPair> first_repeated(const AnyLayout& layout, std::vector<std::pair<T, std::int64_t>> seen) {
  std::sort(seen.begin(), seen.end());
  const std::pair<T, std::int64_t>*first = nullptr, *second = nullptr;
  for (std::size_t k = 1; k < seen.size(); ++k) {
    if (seen[k].first != seen[k - 1].first || (second && seen[k].second > second->second)) continue;
    first = &seen[k - 1];
    second = &seen[k];
  }
  if (!second) return std::nullopt;
  return AliasingPair{first->second, second->second, idx2crd(first->second, shape(layout)), idx2crd(second->second, shape(layout)), 0};
}

Result<std::optional<AliasingPair>> walk_for_pair(const AnyLayout& layout) {
  const std::int64_t n = size(layout);
  const AnyLayout walked = shortest(layout);
  std::optional<AliasingPair> pair;
  if (has_coordinates(layout)) {
    std::vector<std::pair<std::string, std::int64_t>> seen;
    for (std::int64_t i = 0; i < n && !late(); ++i) seen.emplace_back(to_string(evaluate(std::get<Layout>(layout), i)), i);
    if (late()) return too_slow(layout);
    pair = first_repeated(layout, std::move(seen));
    if (pair) pair->index = evaluate(std::get<Layout>(layout), pair->first);
    return pair;
  }
  std::vector<std::pair<std::int64_t, std::int64_t>> seen;
  seen.reserve(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n && !late(); ++i) seen.emplace_back(evaluate(walked, i), i);
  if (late()) return too_slow(layout);
  pair = first_repeated(layout, std::move(seen));
  if (pair) pair->index = evaluate(walked, pair->first);
  return pair;
}

Result<std::vector<std::int64_t>> sorted_image(const AnyLayout& layout) {
  std::vector<std::int64_t> values;
  const AnyLayout walked = shortest(layout);
  const std::int64_t n = size(layout);
  values.reserve(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n && !late(); ++i) values.push_back(evaluate(walked, i));
  if (late()) return too_slow(layout);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

Finding surjective_onto(const std::vector<std::int64_t>& sorted, std::int64_t range) {
  std::int64_t next = 0;
  for (const std::int64_t v : sorted) {
    if (v == next) ++next;
  }
  if (next >= range) return Finding{true, fmt::format("every index from 0 to {} has a coordinate", range - 1)};
  return Finding{false, fmt::format("no coordinate has index {}", next)};
}

Finding too_few(const AnyLayout& layout, std::int64_t range) {
  return Finding{false, fmt::format("{} coordinates cannot reach {} indices", size(layout), range)};
}

Status check_integer_image(const AnyLayout& layout) {
  if (!has_coordinates(layout)) return check_walkable(layout);
  return Error{ErrorCode::wrong_type, fmt::format("{} goes to coordinates, which have no order and no gaps", to_string(layout)), {}, {}};
}

}  // namespace

Result<std::optional<AliasingPair>> aliasing_pair(const AnyLayout& layout) {
  if (const Layout* decides = deciding_layout(layout); decides && strides_separate(*decides)) return std::optional<AliasingPair>();
  if (const Layout* plain = plain_integers(layout)) {  // a mode of stride 0 repeats at once, however large the domain
    std::int64_t step = 1;
    for (const FlatMode& m : flat_modes(*plain)) {
      if (m.stride == 0 && m.shape > 1 && step == 1) {
        return std::optional(AliasingPair{0, step, idx2crd(0, plain->shape()), idx2crd(step, plain->shape()), 0});
      }
      step *= m.shape;
    }
  }
  TESSERA_CHECK(check_walkable(layout));
  return walk_for_pair(layout);
}

Result<Finding> is_injective(const AnyLayout& layout) {
  TESSERA_TRY(pair, aliasing_pair(layout));
  if (!pair) return Finding{true, fmt::format("all {} coordinates of {} have different indices", size(layout), to_string(layout))};
  return Finding{false, fmt::format("coordinates {} and {} both have index {}", to_string(pair->first_coord), to_string(pair->second_coord),
                                    to_string(pair->index))};
}

Result<Finding> is_surjective(const AnyLayout& layout, std::int64_t range) {
  if (range < 0) return Error{ErrorCode::bad_extent, fmt::format("a range has at least 0 indices, but {} were asked for", range), {}, {}};
  if (range > size(layout)) return too_few(layout, range);
  TESSERA_CHECK(check_integer_image(layout));
  TESSERA_TRY(sorted, sorted_image(layout));
  return surjective_onto(sorted, range);
}

namespace {

Finding begins_below(std::int64_t first, std::int64_t last) {
  return {false, fmt::format("its indices go from {} to {}, and begin below 0", first, last)};
}

}  // namespace

Result<Finding> is_surjective(const AnyLayout& layout) {
  TESSERA_CHECK(check_integer_image(layout));
  TESSERA_TRY(sorted, sorted_image(layout));
  if (sorted.front() < 0) return begins_below(sorted.front(), sorted.back());
  const std::int64_t range = sorted.back() + 1;
  return range > size(layout) ? too_few(layout, range) : surjective_onto(sorted, range);
}

Finding is_contiguous(const AnyLayout& layout) {
  const Layout* plain = plain_integers(layout);
  if (!plain) return Finding{false, fmt::format("{} is not a layout into memory in plain strides", to_string(layout))};
  const Layout flat = coalesce(*plain);
  if (flat.size() == 1 || (!flat.shape().is_tuple() && flat.stride() == IntTuple(1))) {
    return Finding{true, fmt::format("coalesced it is {}: index i for every i", to_string(flat))};
  }
  return Finding{false, fmt::format("coalesced it is {}, not {}:1", to_string(flat), flat.size())};
}

Result<Finding> is_compact(const AnyLayout& layout) {
  if (has_coordinates(layout)) return is_surjective(layout, size(layout));  // which refuses it
  TESSERA_TRY(injective, is_injective(layout));
  if (!injective.holds) return injective;
  if (const Layout* plain = plain_integers(layout)) {
    std::int64_t first = 0, last = 0;
    for (const FlatMode& mode : flat_modes(*plain)) (mode.stride < 0 ? first : last) += (mode.shape - 1) * mode.stride;
    if (first < 0) return begins_below(first, last);
    // Injective with strides that separate, so compact exactly when nothing lies outside size elements.
    if (plain->cosize() == plain->size()) {
      TESSERA_TRY(lowest, gaps(layout, 1));
      if (lowest.missing == 0) return Finding{true, fmt::format("a bijection onto 0 .. {}", plain->size() - 1)};
    }
    if (strides_separate(*plain)) {
      return Finding{false, fmt::format("{} elements lie in a range of {} indices", plain->size(), plain->cosize())};
    }
  }
  return is_surjective(layout, size(layout));
}

Result<Gaps> gaps(const AnyLayout& layout, std::size_t limit) {
  TESSERA_CHECK(check_integer_image(layout));
  TESSERA_TRY(sorted, sorted_image(layout));
  Gaps found;
  std::int64_t next = 0;
  for (const std::int64_t v : sorted) {
    if (v < 0) continue;
    if (v > next) {
      if (found.runs.size() < limit) found.runs.push_back({next, v});
      found.missing += v - next;
    }
    next = v + 1;
  }
  return found;
}

namespace {

// Where two profiles part: the path of modes, as "mode 1, mode 0".
std::string place(const std::vector<std::size_t>& path) {
  if (path.empty()) return "at the top";
  std::string out = "at mode ";
  for (std::size_t k = 0; k < path.size(); ++k) out += (k ? " of mode " : "") + std::to_string(path[path.size() - 1 - k]);
  return out;
}

std::optional<std::string> incongruent(const IntTuple& a, const IntTuple& b, std::vector<std::size_t>& path) {
  if (a.is_tuple() != b.is_tuple() || a.rank() != b.rank()) {
    return fmt::format("{}, {} stands against {}", place(path), to_string(a), to_string(b));
  }
  if (!a.is_tuple()) return std::nullopt;
  for (std::size_t i = 0; i < a.rank(); ++i) {
    path.push_back(i);
    if (auto reason = incongruent(a[i], b[i], path)) return reason;
    path.pop_back();
  }
  return std::nullopt;
}

std::optional<std::string> incompatible(const IntTuple& a, const IntTuple& b, std::vector<std::size_t>& path) {
  if (!a.is_tuple()) {
    if (a.value() == size(b)) return std::nullopt;
    return fmt::format("{}, {} stands against {}, whose size is {}", place(path), to_string(a), to_string(b), size(b));
  }
  if (!b.is_tuple() || a.rank() != b.rank()) return fmt::format("{}, {} stands against {}", place(path), to_string(a), to_string(b));
  for (std::size_t i = 0; i < a.rank(); ++i) {
    path.push_back(i);
    if (auto reason = incompatible(a[i], b[i], path)) return reason;
    path.pop_back();
  }
  return std::nullopt;
}

}  // namespace

Finding is_congruent(const IntTuple& a, const IntTuple& b) {
  std::vector<std::size_t> path;
  if (auto reason = incongruent(a, b, path)) return {false, std::move(*reason)};
  return {true, fmt::format("{} and {} are nested alike", to_string(a), to_string(b))};
}

Finding is_compatible(const IntTuple& a, const IntTuple& b) {
  std::vector<std::size_t> path;
  if (auto reason = incompatible(a, b, path)) return {false, std::move(*reason)};
  return {true, fmt::format("every coordinate of {} is one of {}", to_string(a), to_string(b))};
}

}  // namespace tessera
