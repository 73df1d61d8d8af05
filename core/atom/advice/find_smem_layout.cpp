// SPDX-License-Identifier: BSD-3-Clause
#include "core/atom/advice/find_smem_layout.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/atom/smem/smem_atoms.hpp"
#include "core/base/overloaded.hpp"
#include "core/layout/composed_algebra.hpp"

namespace tessera {
namespace {

constexpr std::int64_t kNotCounted = -1;                     // wavefronts of a read by a descriptor
constexpr int kMostBits = 5;                                 // 32 banks; more would swizzle what no bank sees
constexpr std::int64_t kMostLooks = std::int64_t{1} << 28;   // elements times layouts
constexpr std::int64_t kBytesOfBanks = kBanks * kBankBytes;  // a row padded by as much begins at the same bank again

Layout rows_of(const Shape& shape, std::size_t contiguous, std::int64_t pitch) {
  return Layout::trusted(shape, contiguous == 0 ? IntTuple::tuple({1, pitch}) : IntTuple::tuple({pitch, 1}));
}

Result<AccessPattern> pattern_of(const SmemUse& use, const Layout& plain, std::int64_t bits) {
  return std::visit(Overloaded{
                        [&](const TiledCopy& copy) { return access_pattern(copy, use.side, plain, bits, AccessSpace::smem); },
                        [&](const CopyTraits& instruction) { return access_pattern(instruction, use.side, plain, bits); },
                        [&](std::int64_t wide) { return access_pattern(wide, use.side, plain, bits); },
                        [&](const SmemOperand&) -> Result<AccessPattern> { return AccessPattern{}; },  // no access of lanes
                    },
                    use.by);
}

// What any wgmma or UMMA would want of such a tile: blocks of 64 rows, or of fewer where there are no more, and 32 bytes of K.
std::optional<SmemOperand> any_operand(const Shape& shape, std::size_t contiguous, std::int64_t bits) {
  constexpr std::int64_t kBitsOfK = 256, kRows = 64;
  SmemOperand operand;
  operand.mn_major = contiguous == 0;
  operand.any_major = bits == 16;
  operand.umma = operand.mn_major && !operand.any_major;
  operand.bits = bits;
  operand.mn = std::gcd(shape[0].value(), kRows), operand.k = kBitsOfK / bits;
  const bool exists = operand.mn % 8 == 0 && shape[1].value() % operand.k == 0 && bits <= 32 && (bits >= 8 || !operand.mn_major);
  return exists ? std::optional(operand) : std::nullopt;
}

std::string_view type_name(std::int64_t bits) {
  return bits == 4 ? "float_e2m1_t" : bits == 8 ? "uint8_t" : bits == 16 ? "half_t" : bits == 32 ? "float" : "double";
}

// The atoms along the contiguous mode, repeated over the tile, without those that do not divide it.
struct NamedLayout {
  std::string name;
  AnyLayout layout;
};
std::vector<NamedLayout> canonical_layouts(const Shape& shape, std::size_t contiguous, std::int64_t bits) {
  std::vector<NamedLayout> all;
  for (const std::string& name : smem_atom_names()) {
    const bool same_major = name.find(contiguous == 0 ? "_MN_" : "_K_") != std::string::npos;
    const bool only_umma = name.find("SW128_32B") != std::string::npos;
    if (!same_major || (name.starts_with("UMMA") && !only_umma)) continue;
    const auto atom = find_smem_atom(fmt::format("{}<{}>", name, type_name(bits)));
    if (!atom) continue;
    auto tiled = tile_to_shape(atom->layout, shape);
    if (!tiled) continue;
    auto by_mode = coalesce(*tiled, IntTuple::tuple({1, 1}));
    if (by_mode) all.push_back({name, std::move(*by_mode)});
  }
  return all;
}

class Search {
 public:
  Search(const Shape& shape, std::size_t contiguous, std::int64_t bits, bool atoms)
      : shape_(shape), contiguous_(contiguous), bits_(bits), operand_(any_operand(shape, contiguous, bits)) {
    if (atoms) atoms_ = canonical_layouts(shape, contiguous, bits);
  }

  Result<SmemSearch> run(const std::vector<SmemUse>& uses) {
    const std::int64_t extent = shape_[contiguous_].value(), all = size(shape_);
    const Layout plain = rows_of(shape_, contiguous_, extent);
    std::int64_t looks = 0;
    for (const SmemUse& use : uses) {
      if (const auto* operand = std::get_if<SmemOperand>(&use.by)) {
        patterns_.emplace_back(*operand);
        looks += all;
        continue;
      }
      TESSERA_TRY(pattern, pattern_of(use, plain, bits_));
      looks += static_cast<std::int64_t>(pattern.element.size());
      patterns_.emplace_back(std::move(pattern));
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
    for (const NamedLayout& atom : atoms_) {
      TESSERA_TRY(of_atom, element_offsets(atom.layout));
      look_at(atom.layout, of_atom, atom.name);
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
  void look_at(const AnyLayout& layout, const std::vector<std::int64_t>& offsets, const std::string& atom = {}) {
    const auto is_atom = [&](const NamedLayout& each) { return each.layout == layout; };
    if (atom.empty() && std::any_of(atoms_.begin(), atoms_.end(), is_atom)) return;  // looked at by its name
    ++search_.tried;
    SmemCandidate made;
    made.layout = layout, made.atom = atom;
    made.bytes = (*std::max_element(offsets.begin(), offsets.end()) + 1) * bits_ / 8;
    for (const auto& pattern : patterns_) {
      const std::string refusal = std::visit([&](const auto& each) { return serve(each, layout, offsets, made); }, pattern);
      if (refusal.empty()) continue;
      ++search_.refused;
      if (search_.first_refusal.empty()) search_.first_refusal = refusal;
      return;
    }
    if (made.descriptor.empty()) describe_any(layout, made);
    search_.found.push_back(std::move(made));
  }

  // Each counts what an access makes of the layout; the answer is why it cannot serve it, or empty.
  std::string serve(const AccessPattern& pattern, const AnyLayout&, const std::vector<std::int64_t>& offsets, SmemCandidate& made) {
    Result<AccessReport> report = measure(pattern, offsets, bits_, AccessSpace::smem);
    if (!report) return report.error().message;
    // What an ordinary access takes in smaller pieces than it was asked to is no answer.
    if (report->bits < pattern.at_once * bits_) return report->why_not;
    made.units.push_back(report->units);
    made.all += report->units;
    made.least += report->least;
    return {};
  }
  std::string serve(const SmemOperand& operand, const AnyLayout& layout, const std::vector<std::int64_t>&, SmemCandidate& made) {
    SmemFinding finding = find_smem_descriptor(operand, layout);
    if (!finding.made) return finding.error.message;
    made.units.push_back(kNotCounted);
    note(*finding.made, made);
    return {};
  }

  static void note(const SmemDescription& description, SmemCandidate& made) {
    made.descriptor = layout_type_name(description.descriptor.swizzle, description.descriptor.umma);
    made.span = row_bytes(description.descriptor.swizzle);
  }

  void describe_any(const AnyLayout& layout, SmemCandidate& made) {
    if (!operand_) {
      made.no_descriptor = "no whole blocks";
      return;
    }
    SmemFinding finding = find_smem_descriptor(*operand_, layout);
    if (finding.made) return note(*finding.made, made);
    made.no_descriptor = std::move(finding.brief);
  }

  const Shape& shape_;
  std::size_t contiguous_;
  std::int64_t bits_;
  std::optional<SmemOperand> operand_;  // of no atom in particular
  std::vector<NamedLayout> atoms_;
  std::vector<std::variant<AccessPattern, SmemOperand>> patterns_;
  SmemSearch search_;
};

}  // namespace

Result<SmemSearch> find_smem_layout(const Shape& shape, std::size_t contiguous, std::int64_t bits, const std::vector<SmemUse>& uses,
                                    bool atoms) {
  const bool two_modes = shape.is_tuple() && shape.rank() == 2 && shape[0].is_int() && shape[1].is_int();
  if (!two_modes || contiguous > 1)
    return Error{
        ErrorCode::rank_mismatch, fmt::format("the tile's shape has two extents, as in (128,64), not {}", to_string(shape)), {}, {}};
  TESSERA_CHECK(checked_size(shape));
  if (bits < 4 || bits > 64 || !std::has_single_bit(static_cast<std::uint64_t>(bits)))
    return Error{ErrorCode::not_representable, fmt::format("elements have 4, 8, 16, 32 or 64 bits here, not {}", bits), {}, {}};
  if (uses.empty())
    return Error{ErrorCode::wrong_arity, "an access is wanted that the layout has to serve", {}, {"write read=, write= or both"}};
  for (const SmemUse& use : uses) atoms = atoms || std::holds_alternative<SmemOperand>(use.by);
  return Search(shape, contiguous, bits, atoms).run(uses);
}

}  // namespace tessera
