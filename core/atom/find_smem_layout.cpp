// SPDX-License-Identifier: BSD-3-Clause
#include "core/atom/find_smem_layout.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "core/base/overloaded.hpp"
#include "core/layout/composed_algebra.hpp"

namespace tessera {
namespace {

constexpr int kMostBits = 5;                                 // 32 banks; more would swizzle what no bank sees
constexpr std::int64_t kMostLooks = std::int64_t{1} << 28;   // elements times layouts
constexpr std::int64_t kBytesOfBanks = kBanks * kBankBytes;  // a row padded by as much begins at the same bank again

Layout rows_of(const Shape& shape, std::size_t contiguous, std::int64_t pitch) {
  return Layout::trusted(shape, contiguous == 0 ? IntTuple::tuple({1, pitch}) : IntTuple::tuple({pitch, 1}));
}

Result<AccessPattern> pattern_of(const SmemUse& use, const Layout& plain, std::int64_t bits) {
  return std::visit(Overloaded{
                        [&](const TiledCopy& copy) { return access_pattern(copy, use.side, plain.shape()); },
                        [&](const CopyTraits& instruction) { return access_pattern(instruction, use.side, plain, bits); },
                        [&](std::int64_t wide) { return access_pattern(wide, use.side, plain, bits); },
                    },
                    use.by);
}

// The bytes by which TMA and wgmma swizzle such rows: Sw<b,4,3> over bytes, of rows of 16 << b.
std::int64_t span_of(const AnyLayout& layout, std::int64_t row_bytes, std::int64_t bits) {
  const auto* composed = std::get_if<ComposedLayout>(&layout);
  if (!composed) return row_bytes == 16 ? 16 : 0;
  const Swizzle swizzle = get_swizzle(layout);
  const std::int64_t base_bits = (std::int64_t{1} << swizzle.base()) * bits;
  const bool fits = swizzle.shift() == 3 && swizzle.bits() <= 3 && base_bits == 128 && row_bytes == std::int64_t{16} << swizzle.bits();
  return fits ? row_bytes : 0;
}

class Search {
 public:
  Search(const Shape& shape, std::size_t contiguous, std::int64_t bits) : shape_(shape), contiguous_(contiguous), bits_(bits) {}

  Result<SmemSearch> run(const std::vector<SmemUse>& uses) {
    const std::int64_t extent = shape_[contiguous_].value(), all = size(shape_);
    const Layout plain = rows_of(shape_, contiguous_, extent);
    std::int64_t looks = 0;
    for (const SmemUse& use : uses) {
      TESSERA_TRY(pattern, pattern_of(use, plain, bits_));
      looks += static_cast<std::int64_t>(pattern.element.size());
      patterns_.push_back(std::move(pattern));
    }
    const int index_bits = std::bit_width(static_cast<std::uint64_t>(all - 1));
    const std::int64_t paddings = kBytesOfBanks * 8 / bits_;
    if (looks > kMostLooks / (paddings + 16 * kMostBits * (index_bits + 1))) {
      return Error{ErrorCode::limit,
                   fmt::format("{} accesses of a tile {} by some {} layouts are too many to try", looks, to_string(shape_),
                               paddings + 16 * kMostBits * (index_bits + 1)),
                   {},
                   {"ask for a smaller tile: a swizzle repeats itself every 8 rows of 128 bytes"}};
    }
    TESSERA_TRY(offsets, element_offsets(plain));
    look_at(plain, offsets);
    std::vector<std::int64_t> moved(offsets.size());
    for (int b = 1; b <= kMostBits; ++b) {
      for (int m = 0; m + 2 * b <= index_bits; ++m) {
        for (int s = b; m + b + s <= index_bits; ++s) {
          const Swizzle swizzle = Swizzle::make(b, m, s).value();
          std::transform(offsets.begin(), offsets.end(), moved.begin(), [&](std::int64_t o) { return swizzle(o); });
          look_at(composition(swizzle, 0, plain), moved);
        }
      }
    }
    for (std::int64_t padding = 1; padding < paddings; ++padding) {
      const Layout padded = rows_of(shape_, contiguous_, extent + padding);
      TESSERA_TRY(wider, element_offsets(padded));
      look_at(padded, wider);
    }
    if (search_.found.empty()) {
      return Error{ErrorCode::not_representable,
                   fmt::format("none of {} layouts of {} serves every access: {}", search_.tried, to_string(shape_), search_.first_refusal),
                   {},
                   {}};
    }
    std::stable_sort(search_.found.begin(), search_.found.end(), [](const SmemCandidate& a, const SmemCandidate& b) {
      return a.all != b.all ? a.all < b.all : a.bytes != b.bytes ? a.bytes < b.bytes : a.span > b.span;
    });
    return std::move(search_);
  }

 private:
  void look_at(const AnyLayout& layout, const std::vector<std::int64_t>& offsets) {
    ++search_.tried;
    SmemCandidate made{layout, (*std::max_element(offsets.begin(), offsets.end()) + 1) * bits_ / 8, {}, 0, 0, 0};
    for (const AccessPattern& pattern : patterns_) {
      Result<AccessReport> report = measure(pattern, offsets, bits_, AccessSpace::smem);
      // What an ordinary access takes in smaller pieces than it was asked to is no answer.
      const bool narrowed = report && report->bits < pattern.at_once * bits_;
      if (!report || narrowed) {
        ++search_.refused;
        if (search_.first_refusal.empty()) search_.first_refusal = report ? report->why_not : report.error().message;
        return;
      }
      made.units.push_back(report->units);
      made.all += report->units;
      made.least += report->least;
    }
    made.span = span_of(layout, shape_[contiguous_].value() * bits_ / 8, bits_);
    search_.found.push_back(std::move(made));
  }

  const Shape& shape_;
  std::size_t contiguous_;
  std::int64_t bits_;
  std::vector<AccessPattern> patterns_;
  SmemSearch search_;
};

}  // namespace

Result<SmemSearch> find_smem_layout(const Shape& shape, std::size_t contiguous, std::int64_t bits, const std::vector<SmemUse>& uses) {
  const bool two_modes = shape.is_tuple() && shape.rank() == 2 && shape[0].is_int() && shape[1].is_int();
  if (!two_modes || contiguous > 1)
    return Error{
        ErrorCode::rank_mismatch, fmt::format("the tile's shape has two extents, as in (128,64), not {}", to_string(shape)), {}, {}};
  TESSERA_CHECK(checked_size(shape));
  if (bits < 4 || bits > 64 || !std::has_single_bit(static_cast<std::uint64_t>(bits)))
    return Error{ErrorCode::out_of_range, fmt::format("elements have 4, 8, 16, 32 or 64 bits here, not {}", bits), {}, {}};
  if (uses.empty())
    return Error{ErrorCode::wrong_arity, "an access is wanted that the layout has to serve", {}, {"write read=, write= or both"}};
  return Search(shape, contiguous, bits).run(uses);
}

}  // namespace tessera
