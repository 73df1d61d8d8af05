// SPDX-License-Identifier: BSD-3-Clause
#include "core/atom/copy/cute_vector.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "core/layout/algebra.hpp"
#include "core/layout/composed_algebra.hpp"
#include "core/layout/flat_modes.hpp"

namespace tessera {
namespace {

constexpr std::int64_t kFar = std::int64_t{1} << 40;  // a stride that no other follows

// The values of a thread that is known only when it runs.
struct Part {
  Layout values;           // value -> offset
  std::int64_t whole = 0;  // where a swizzle stays: the values that it leaves together; 0: none stays
  bool known = true;       // the strides under a swizzle
};

bool all_static(const Layout& layout) {
  const FlatModes modes = flat_modes(layout);
  return std::all_of(modes.begin(), modes.end(), [](const FlatMode& mode) { return mode.is_static(); });
}

const Swizzle* swizzle_of(const AnyLayout& tensor) {
  const auto* composed = std::get_if<ComposedLayout>(&tensor);
  return composed ? std::get_if<Swizzle>(&composed->outer) : nullptr;
}

Part part_of(const ThreadParts& side) {
  Part made{side.values, 0, all_static(side.values) && all_static(side.threads)};
  const auto* composed = std::get_if<ComposedLayout>(&side.tensor);
  if (!composed) return made;
  const Swizzle* swizzle = swizzle_of(side.tensor);
  if (!swizzle || !composed->offset.is_int() || !std::holds_alternative<Layout>(composed->inner)) {  // CuTe knows nothing of others
    made.whole = 1;
    return made;
  }
  const std::int64_t met = swizzle->y_mask() | swizzle->z_mask();
  if ((bits_of(side.values) & met) == 0) return made;
  Result<Layout> strides = slice_from_unknown(*swizzle, bits_of(side.threads) | composed->offset.value(), side.values);
  if (strides)
    made.values = *std::move(strides);
  else
    made.whole = std::int64_t{1} << swizzle->base();
  return made;
}

// The layout with what is dynamic replaced: a stride by the one given, which depends on its place; and an extent where it is asked for.
template <class Stride>
Layout with_unknown(const Layout& layout, const Stride& stride, bool extents) {
  std::vector<IntTuple> shapes, strides;
  for (const FlatMode& mode : flat_modes(layout)) {
    const bool unknown_extent = (mode.mark() & marks::kShapeDynamic) != 0;
    shapes.emplace_back(unknown_extent && extents ? 1 : mode.shape);
    strides.emplace_back(mode.is_static() || mode.shape == 1 ? mode.stride : stride(static_cast<std::int64_t>(strides.size())));
  }
  if (shapes.empty()) return layout;
  return Layout::trusted(IntTuple::tuple(std::move(shapes)), IntTuple::tuple(std::move(strides)));
}

// Strides that are not known follow no other.
Layout apart(const Layout& layout) {
  return with_unknown(
      layout, [](std::int64_t place) { return kFar + 2 * place + 1; }, false);
}

// CuTe's max_alignment: of what is static.
std::int64_t alignment(const Part& part) {
  const Result<std::int64_t> made = max_alignment(with_unknown(
      part.values, [](std::int64_t) { return std::int64_t{0}; }, true));
  return std::gcd(made ? *made : 1, part.whole);
}

Part registers_like(const Part& part) {
  const Result<Layout> made = make_fragment_like(part.values);
  return {made ? *made : part.values, 0, true};
}

// The order of `size` values in which those that lie at 0 .. count - 1 in `b` follow each other, and so on.
std::vector<std::int64_t> order_by(const Layout& b, std::int64_t count) {
  const Result<Layout> inverse = right_inverse(b);
  if (!inverse) return {};
  const Result<Layout> first = composition(*inverse, Layout::trusted(count, 1));
  if (!first) return {};
  const Result<Layout> divided = logical_divide(Layout::trusted(b.size(), 1), Tiler(*first));
  return divided ? image(*divided) : std::vector<std::int64_t>();
}

}  // namespace

CuteVector cute_vector(const std::optional<ThreadParts>& source, const std::optional<ThreadParts>& destination, std::int64_t bits,
                       std::int64_t most) {
  CuteVector made;
  if (!source && !destination) return made;
  const Part of_source = source ? part_of(*source) : registers_like(part_of(*destination));
  const Part of_destination = destination ? part_of(*destination) : registers_like(of_source);
  made.known_source = of_source.known;
  made.known_destination = of_destination.known;
  const Layout a = apart(of_source.values), b = apart(of_destination.values);
  const Result<std::int64_t> neighbours = max_common_vector(a, b);
  if (!neighbours) return made;
  std::int64_t common = *neighbours;
  const bool same = of_source.whole > 0 && of_destination.whole > 0 && source && destination && swizzle_of(source->tensor) &&
                    swizzle_of(destination->tensor) && *swizzle_of(source->tensor) == *swizzle_of(destination->tensor);
  for (const Part* part : {&of_source, &of_destination}) {
    if (part->whole > 0 && !same) common = std::min(common, part->whole);
  }
  const std::int64_t vector = std::gcd(common * bits, std::gcd(std::gcd(alignment(of_source), alignment(of_destination)) * bits, most));
  if (common <= 1 || vector % 8 != 0 || vector <= bits || vector % bits != 0) return made;
  made.order = order_by(b, vector / bits);
  if (!made.order.empty()) made.values = vector / bits;
  return made;
}

}  // namespace tessera
