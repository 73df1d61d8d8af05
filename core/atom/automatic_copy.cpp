// SPDX-License-Identifier: BSD-3-Clause
#include "core/atom/automatic_copy.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <vector>

#include "core/layout/composed_algebra.hpp"

namespace tessera {
namespace {

constexpr std::int64_t kMostBits = 128;   // of one lane at once
constexpr std::int64_t kDefaultCopy = 8;  // the alignment that DefaultCopy assumes

// AutoVectorizingCopyWithAssumedAlignment<64> -> 64
std::int64_t assumed_bits(std::string_view name) {
  const std::size_t open = name.find('<');
  std::int64_t made = kDefaultCopy;
  if (open != std::string_view::npos) std::from_chars(name.data() + open + 1, name.data() + name.size(), made);
  return made;
}

}  // namespace

bool is_automatic(const CopyTraits& instruction) { return instruction.automatic || instruction.name.starts_with("AutoVectorizingCopy"); }

std::int64_t most_bits_at_once(const CopyTraits& instruction, AccessSpace space) {
  if (instruction.automatic) return kMostBits;
  const std::int64_t assumed = assumed_bits(instruction.name);
  return assumed == kDefaultCopy && space == AccessSpace::smem ? kMostBits : assumed;
}

std::vector<std::int64_t> common_order(const std::vector<std::int64_t>& element, std::int64_t threads, const AnyLayout& layout) {
  const Result<std::vector<std::int64_t>> places = element_offsets(plain_part(layout));
  if (!places || threads < 1) return {};
  const std::int64_t each = static_cast<std::int64_t>(element.size()) / threads;
  // The threads' parts are one layout that is moved: the first that lies inside speaks for all.
  for (std::int64_t t = 0; t < threads; ++t) {
    std::vector<std::int64_t> place, order(static_cast<std::size_t>(each));
    for (std::int64_t v = 0; v < each; ++v) {
      const std::int64_t at = element[static_cast<std::size_t>(v * threads + t)];
      if (at >= 0) place.push_back((*places)[static_cast<std::size_t>(at)]);
    }
    if (static_cast<std::int64_t>(place.size()) < each) continue;
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
      return place[static_cast<std::size_t>(a)] < place[static_cast<std::size_t>(b)];
    });
    return order;
  }
  return {};
}

std::vector<std::int64_t> in_order(const std::vector<std::int64_t>& element, std::int64_t threads, const std::vector<std::int64_t>& order) {
  if (order.empty()) return element;
  std::vector<std::int64_t> made(element.size());
  for (std::size_t v = 0; v < order.size(); ++v) {
    const auto from = element.begin() + order[v] * threads;
    std::copy(from, from + threads, made.begin() + static_cast<std::ptrdiff_t>(v) * threads);
  }
  return made;
}

Status choose_width(AccessPattern& pattern, const CopyTraits& instruction, const AnyLayout& layout, std::int64_t bits, AccessSpace space) {
  if (!is_automatic(instruction)) return Done{};
  TESSERA_TRY(offsets, element_offsets(layout));
  pattern.element = in_order(pattern.element, pattern.threads, common_order(pattern.element, pattern.threads, layout));
  pattern.at_once = 1;
  const std::int64_t most = most_bits_at_once(instruction, space);
  while (2 * pattern.at_once * bits <= most && are_neighbours(pattern, offsets, bits, 2 * pattern.at_once)) pattern.at_once *= 2;
  return Done{};
}

}  // namespace tessera
