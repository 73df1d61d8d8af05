// SPDX-License-Identifier: BSD-3-Clause
// Why a layout of shared memory has no descriptor, for people.
#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/atom/smem/smem_descriptor_search.hpp"

namespace tessera {
namespace {

constexpr std::int64_t kUnitBits = 8 * kDescriptorUnit;
constexpr std::int64_t kMostField = (1 << 14) - 1;  // units

std::string name_of(const Swizzle& swizzle, int moved) {
  return fmt::format("Sw<{},{},{}>", swizzle.bits(), swizzle.base() + moved, swizzle.shift());
}
// "64 bytes", and of less than one "4 bits"
std::string width(std::int64_t bits) { return bits % 8 == 0 ? fmt::format("{} bytes", bits / 8) : fmt::format("{} bits", bits); }
std::string brief_width(std::int64_t bits) { return bits % 8 == 0 ? fmt::format("{} B", bits / 8) : fmt::format("{} bits", bits); }

class Reasons {
 public:
  Reasons(const SmemOperand& operand, const SmemTile& tile, SmemFinding& finding)
      : operand_(operand), tile_(tile), finding_(finding), unit_(operand.umma ? "UMMA" : "wgmma"), text_(to_string(tile.layout)) {}

  // The rules in the order in which a reader would look at the layout.
  void find() {
    if (!own_swizzle() || !major() || !units() || !rows() || !fields()) return;
    other_element();
  }

 private:
  bool refuse(std::string brief, std::string message, std::vector<std::string> notes = {}) {
    finding_.brief = std::move(brief);
    finding_.error = {ErrorCode::not_representable, std::move(message), {}, std::move(notes)};
    return false;
  }
  std::int64_t lies(std::int64_t mn, std::int64_t k) const { return unswizzled(operand_, tile_, swizzle_, mn, k); }
  std::string type_name() const { return std::string(layout_type_name(swizzle_, operand_.umma)); }
  std::string_view along() const { return operand_.mn_major ? operand_.mode : "K"; }
  std::string_view across() const { return operand_.mn_major ? "K" : operand_.mode; }

  // The layout type that the tile's own swizzle asks for.
  bool own_swizzle() {
    const auto* composed = std::get_if<ComposedLayout>(&tile_.layout);
    if (!composed) return true;
    const auto* swizzle = std::get_if<Swizzle>(&composed->outer);
    if (!swizzle || parts(*composed) > 2)
      return refuse("no single swizzle",
                    fmt::format("{} is no swizzle of a layout, and a descriptor says one swizzle of addresses", text_));
    if (swizzle->is_identity()) return true;
    const int to_bits = std::countr_zero(static_cast<std::uint64_t>(operand_.bits)), to_bytes = to_bits - 3;
    for (const SmemSwizzle each : swizzles_of(operand_)) {
      const Swizzle over_bits = swizzle_of_bits(each);
      if (over_bits.bits() == swizzle->bits() && over_bits.base() == swizzle->base() + to_bits && over_bits.shift() == swizzle->shift()) {
        swizzle_ = each;
        return true;
      }
    }
    std::vector<std::string> notes;
    const bool bytes_meant = swizzle->base() == 4 && swizzle->shift() == 3 && swizzle->bits() <= 3 && to_bytes != 0;
    if (bytes_meant)
      notes.push_back(fmt::format("{} over bytes, as CuTe prints it beside a pointer, is {} over elements of {} bits", name_of(*swizzle, 0),
                                  name_of(*swizzle, -to_bytes), operand_.bits));
    const std::string_view wide = operand_.umma && operand_.mn_major ? ", or Sw<2,5,2>" : "";
    return refuse(fmt::format("{} over bytes", name_of(*swizzle, to_bytes)),
                  fmt::format("{} over elements of {} bits is {} over bytes, and {} swizzles by Sw<1,4,3>, Sw<2,4,3> or Sw<3,4,3> over "
                              "bytes{}: units of 16 bytes, by rows of 128",
                              name_of(*swizzle, 0), operand_.bits, name_of(*swizzle, to_bytes), unit_, wide),
                  std::move(notes));
  }

  bool major() {
    const std::int64_t step_mn = lies(1, 0) - lies(0, 0), step_k = lies(0, 1) - lies(0, 0);
    if ((operand_.mn_major ? step_mn : step_k) == operand_.bits) return true;
    const bool other = (operand_.mn_major ? step_k : step_mn) == operand_.bits;
    std::vector<std::string> notes;
    if (other && operand_.any_major)
      notes.push_back(fmt::format("the atom with {}::Major::{} for this operand reads it", operand_.umma ? "UMMA" : "GMMA",
                                  operand_.mn_major ? "K" : "MN"));
    if (other && !operand_.any_major && !operand_.umma) notes.emplace_back("wgmma reads other operands than those of 16 bits along K only");
    return refuse(other ? fmt::format("{}-major only", operand_.mn_major ? "MN" : "K") : "no neighbours",
                  fmt::format("{} reads this operand along {}, and in {} neighbours along {} are {} apart{}", unit_, along(), text_,
                              along(), width(operand_.mn_major ? step_mn : step_k),
                              other ? fmt::format(", while those along {} are adjacent", across()) : std::string()),
                  std::move(notes));
  }

  bool units() {
    const std::int64_t in_unit = kUnitBits / operand_.bits;
    if (lies(0, 0) % kUnitBits != 0) {
      return refuse("begins off 16 B",
                    fmt::format("{} begins at {}, and a start address is a multiple of 16 bytes", text_, width(lies(0, 0))));
    }
    for (std::int64_t i = 0; i < in_unit; ++i) {
      const std::int64_t at = operand_.mn_major ? lies(i, 0) : lies(0, i);
      if (at - lies(0, 0) == i * operand_.bits) continue;
      return refuse("16 B are not together",
                    fmt::format("the {} elements along {} that make 16 bytes are not neighbours in {}", in_unit, along(), text_));
    }
    return true;
  }

  bool rows() {
    const std::int64_t pitch = (operand_.mn_major ? lies(0, 1) : lies(1, 0)) - lies(0, 0), row = 8 * row_bytes(swizzle_);
    if (pitch == row) return true;
    return refuse(fmt::format("rows {} apart", brief_width(pitch)),
                  fmt::format("the rows of {} along {} are {} apart; those of {} are {} apart, and a descriptor has no field for it", text_,
                              along(), width(pitch), type_name(), width(row)),
                  {swizzle_ == SmemSwizzle::none
                       ? fmt::format("without a swizzle rows of 16 bytes lie beside each other: 8 of them are 128 bytes; {}",
                                     pitch > row ? "rows of 32, 64 or 128 bytes want their swizzle" : "none overlap")
                       : "padding is what the swizzle replaces: leave it out"});
  }

  bool fields() {
    const SmemSteps steps = steps_of(operand_, tile_, swizzle_);
    for (const auto& [name, step] : {std::pair("LBO", steps.leading), std::pair("SBO", steps.stride)}) {
      if (step >= 0 && step % kUnitBits == 0 && step / kUnitBits <= kMostField) continue;
      return refuse(fmt::format("{} of {}", name, brief_width(step)),
                    fmt::format("the {} of {} would be {}; it is a multiple of 16 bytes from 0 to {}", name, text_, width(step),
                                kMostField * kDescriptorUnit));
    }
    return true;
  }

  // The rows, steps and swizzle are those of a layout type, but not everywhere.
  void other_element() {
    const SmemSteps steps = steps_of(operand_, tile_, swizzle_);
    const std::int64_t columns = tile_.k * tile_.stages;
    for (std::int64_t column = 0; column < columns; ++column) {
      for (std::int64_t mn = 0; mn < tile_.mn; ++mn) {
        const std::int64_t i = mn % operand_.mn, k = column % operand_.k;
        const std::int64_t start = lies(mn - i, column - k);
        if (start % kUnitBits != 0) {
          refuse("blocks off 16 B", fmt::format("the block of {} at ({},{}) begins at {}, and a start address is a multiple of 16 bytes",
                                                text_, mn - i, column - k, width(start)));
          return;
        }
        if (start / kUnitBits > kMostField) {
          refuse("beyond 256 KB", fmt::format("the block of {} at ({},{}) begins at {}, which 14 bits of 16 bytes cannot say", text_,
                                              mn - i, column - k, width(start)));
          return;
        }
        const SmemDescriptor here{operand_.umma, start / kUnitBits, steps.leading / kUnitBits, steps.stride / kUnitBits, swizzle_};
        const std::int64_t said = bit_address(here, operand_.bits, operand_.mn_major, i, k), is = tile_.bit(operand_, mn, column);
        if (said == is) continue;
        refuse(fmt::format("({},{}) elsewhere", mn, column),
               fmt::format(
                   "by {} with LBO {} and SBO {} element ({},{}) would be at byte {}, and {} has it at {}: the instruction's block of "
                   "{}x{} does not go on as it begins",
                   type_name(), width(steps.leading), width(steps.stride), mn, column, said / 8, text_, is / 8, operand_.mn, operand_.k));
        return;
      }
    }
    refuse("blocks at no steps",
           fmt::format("the blocks of {} begin at no sums of one step along {}, one along K and one of a stage", text_, operand_.mode));
  }

  const SmemOperand& operand_;
  const SmemTile& tile_;
  SmemFinding& finding_;
  SmemSwizzle swizzle_ = SmemSwizzle::none;
  std::string unit_, text_;
};

}  // namespace

void explain_refusal(const SmemOperand& operand, const SmemTile& tile, SmemFinding& finding) { Reasons(operand, tile, finding).find(); }

}  // namespace tessera
