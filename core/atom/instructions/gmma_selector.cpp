// SPDX-License-Identifier: BSD-3-Clause
#include "core/atom/instructions/gmma_selector.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/atom/instructions/catalog.hpp"

namespace tessera {
namespace {

// The widths that CuTe chooses among, widest first. (Others exist, and are chosen only where a program asks for them.)
constexpr std::int64_t kWidths[] = {256, 192, 128, 96, 64, 32, 16, 8};
constexpr std::int64_t kRows = 64;
constexpr std::int64_t kBitsOfK = 256;  // of one instruction, twice as many where A is sparse

// "F16", "E4M3", "S8": how an instruction's name says a type; empty where it has none.
std::string_view letters(ValueType type) {
  switch (type) {
    case ValueType::f32: return "F32";
    case ValueType::f16: return "F16";
    case ValueType::bf16: return "BF16";
    case ValueType::tf32: return "TF32";
    case ValueType::e4m3: return "E4M3";
    case ValueType::e5m2: return "E5M2";
    case ValueType::i32: return "S32";
    case ValueType::i8: return "S8";
    case ValueType::u8: return "U8";
    default: return {};
  }
}

bool is_eight_bits(ValueType type) { return type == ValueType::e4m3 || type == ValueType::e5m2; }
bool is_integer(ValueType type) { return type == ValueType::i8 || type == ValueType::u8; }

bool has_instruction(const GmmaChoice& choice) {
  if (is_eight_bits(choice.a) && is_eight_bits(choice.b)) return choice.c == ValueType::f16 || choice.c == ValueType::f32;
  if (is_integer(choice.a) && is_integer(choice.b)) return choice.c == ValueType::i32;
  if (choice.a != choice.b) return false;
  if (choice.a == ValueType::f16) return choice.c == ValueType::f16 || choice.c == ValueType::f32;
  return (choice.a == ValueType::bf16 || choice.a == ValueType::tf32) && choice.c == ValueType::f32;
}

Error refused(ErrorCode code, std::string message) { return {code, std::move(message), {}, {}}; }

}  // namespace

Result<MmaAtom> select_gmma(const GmmaChoice& choice) {
  if (!has_instruction(choice)) {
    return refused(ErrorCode::wrong_type,
                   fmt::format("no wgmma multiplies {} by {} into {}", cute_name(choice.a), cute_name(choice.b), cute_name(choice.c)));
  }
  if (choice.tile_mnk.rank() != 3)
    return refused(ErrorCode::rank_mismatch, fmt::format("a tile (M,N,K) is wanted, but this is {}", to_string(choice.tile_mnk)));
  TESSERA_CHECK(checked_size(choice.tile_mnk));
  const std::int64_t m = size(choice.tile_mnk[0]), n = size(choice.tile_mnk[1]), k = size(choice.tile_mnk[2]);
  const std::int64_t depth = kBitsOfK / bits(choice.a) * (choice.sparse ? 2 : 1);
  if (m % kRows != 0) return refused(ErrorCode::not_divisible, fmt::format("M is a multiple of {}, but this tile has {}", kRows, m));
  if (k % depth != 0) {
    return refused(ErrorCode::not_divisible,
                   fmt::format("K is a multiple of {} for {}, but this tile has {}", depth, cute_name(choice.a), k));
  }
  const auto* width = std::find_if(std::begin(kWidths), std::end(kWidths), [&](std::int64_t each) { return n % each == 0; });
  if (width == std::end(kWidths)) return refused(ErrorCode::not_divisible, fmt::format("N is a multiple of 8, but this tile has {}", n));
  const bool any_major = bits(choice.a) == 16;
  if ((!any_major && (choice.a_mn || choice.b_mn)) || (choice.a_in_registers && choice.a_mn)) {
    return refused(ErrorCode::wrong_type,
                   fmt::format("{} of {} is contiguous along K in wgmma{}", choice.a_mn ? "A" : "B",
                               cute_name(choice.a_mn ? choice.a : choice.b), choice.a_in_registers ? " with A in registers" : ""));
  }
  const auto major = [](bool mn) { return mn ? "GMMA::Major::MN" : "GMMA::Major::K"; };
  std::string name = fmt::format("SM90::GMMA::{}_64x{}x{}_{}{}{}_{}", choice.sparse ? "SPARSE::GMMA" : "MMA", *width, depth,
                                 letters(choice.c), letters(choice.a), letters(choice.b), choice.a_in_registers ? "RS" : "SS");
  name += any_major ? fmt::format("<{},{}>", major(choice.a_mn), major(choice.b_mn)) : std::string("_TN");
  return find_mma_atom(name);
}

}  // namespace tessera
