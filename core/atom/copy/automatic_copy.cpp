// SPDX-License-Identifier: BSD-3-Clause
#include "core/atom/copy/automatic_copy.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/layout/algebra.hpp"
#include "core/layout/composed_algebra.hpp"

namespace tessera {
namespace {

constexpr std::int64_t kMostBits = 128;    // of one lane at once
constexpr std::int64_t kLeastOfLong = 32;  // bits: of a run of 16 bytes and more nvcc 13.0 leaves two bytes apart, and takes four at once
constexpr std::int64_t kMostOfPairs = 4;   // elements: what is loaded by two and read one by one, nvcc 13.0 loads as four elements at most
constexpr std::int64_t kDefaultCopy = 8;   // the alignment that DefaultCopy assumes

// How many of thread 0's first values follow each other in memory.
std::int64_t first_run(const AccessPattern& pattern, const std::vector<std::int64_t>& offset) {
  const auto place = [&](std::int64_t value) {
    const std::int64_t at = pattern.element[static_cast<std::size_t>(value * pattern.threads)];
    return at < 0 ? -1 : offset[static_cast<std::size_t>(at)];
  };
  std::int64_t run = 1;
  while (run < pattern.each && place(0) >= 0 && place(run) == place(0) + run) ++run;
  return run;
}

}  // namespace

bool is_automatic(const CopyTraits& instruction) { return instruction.automatic || instruction.assumed_bits > 0; }

CuteVector cute_vector(const TiledCopy& copy, const AnyLayout* source, const AnyLayout* destination, std::int64_t bits) {
  const CopyTraits& instruction = copy.atom().traits;
  if (!is_automatic(instruction) || instruction.automatic) return {};
  const auto parts = [&](const AnyLayout* tensor, bool reads) -> Result<std::optional<ThreadParts>> {
    if (!tensor) return std::optional<ThreadParts>();
    const Layout& plain = plain_part(*tensor);
    // (Thr,(FrgV,FrgX),(RestM,RestN,...)) -> offset
    TESSERA_TRY(fragments, reads ? copy.tidfrg_s(plain, Law::as_cute) : copy.tidfrg_d(plain, Law::as_cute));
    return std::optional(ThreadParts{*tensor, fragments[0], make_layout({fragments[1], fragments[2]})});
  };
  const auto of_source = parts(source, true), of_destination = parts(destination, false);
  if (!of_source || !of_destination) return {};  // CuTe cannot cut it, which is said of its parts
  CuteVector made = cute_vector(*of_source, *of_destination, bits, instruction.assumed_bits);
  made.to_registers = destination == nullptr;
  return made;
}

CuteVector cute_vector(const Layout& threads, CopySide side, const AnyLayout& tensor, std::int64_t bits) {
  // ((threads),(rest)) -> offset
  const Result<Layout> divided = zipped_divide(plain_part(tensor), to_tiler(product_each(threads.shape())), Law::as_cute);
  if (!divided) return {};
  const std::optional<ThreadParts> parts = ThreadParts{tensor, (*divided)[0], (*divided)[1]};
  return side == CopySide::source ? cute_vector(parts, std::nullopt, bits, kDefaultCopy)
                                  : cute_vector(std::nullopt, parts, bits, kDefaultCopy);
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

void choose_width(AccessPattern& pattern, const CopyTraits& instruction, const CuteVector& vector, const AnyLayout& layout,
                  const std::vector<std::int64_t>& offset, std::int64_t bits, AccessSpace space) {
  if (!is_automatic(instruction)) return;
  AccessPattern joined = pattern;
  joined.element = in_order(pattern.element, pattern.threads, common_order(pattern.element, pattern.threads, layout));
  joined.at_once = 1;
  const std::int64_t most = vector.to_registers && vector.values == 2 ? kMostOfPairs : kMostBits;
  while (2 * joined.at_once * bits <= kMostBits && 2 * joined.at_once <= most && are_neighbours(joined, offset, bits, 2 * joined.at_once))
    joined.at_once *= 2;
  pattern.element = in_order(pattern.element, pattern.threads, vector.order);
  pattern.at_once = pattern.vector = vector.values;
  const bool known = pattern.side == CopySide::source ? vector.known_source : vector.known_destination;
  const bool joins = instruction.automatic || (space == AccessSpace::smem && known);
  const bool apart = joined.at_once * bits < kLeastOfLong && first_run(joined, offset) * bits >= kMostBits;
  if (joins && joined.at_once > pattern.at_once && !apart) pattern = std::move(joined);
}

}  // namespace tessera
