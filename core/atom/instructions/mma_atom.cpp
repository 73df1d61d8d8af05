// SPDX-License-Identifier: BSD-3-Clause
// What all families of MMA atoms share: fragment layouts of a warp, register counts, names of types.
#include "core/atom/instructions/mma_atom.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/atom/instructions/mma_families.hpp"

namespace tessera {

MmaAtom::MmaAtom() = default;
MmaAtom::MmaAtom(const MmaAtom& other) = default;
MmaAtom::MmaAtom(MmaAtom&& other) noexcept = default;
MmaAtom& MmaAtom::operator=(const MmaAtom& other) = default;
MmaAtom& MmaAtom::operator=(MmaAtom&& other) noexcept = default;
MmaAtom::~MmaAtom() = default;

std::string to_string(const ArchRequirement& arch) {
  if (!arch.gfx.empty()) return std::string(arch.gfx);
  if (arch.sm == 0) return "any";
  return arch.suffix == 0 ? fmt::format("sm_{}", arch.sm) : fmt::format("sm_{}{}", arch.sm, arch.suffix);
}

std::string_view to_string(MmaKind kind) {
  switch (kind) {
    case MmaKind::fma: return "fma";
    case MmaKind::dot: return "dp";
    case MmaKind::mma_sync: return "mma.sync";
    case MmaKind::wgmma: return "wgmma";
    case MmaKind::umma: return "umma";
    case MmaKind::mfma: return "mfma";
    case MmaKind::wmma: return "wmma";
  }
  return "";
}

std::int64_t shape_extent(const MmaAtom& atom, std::size_t mode) { return size(atom.shape_mnk[mode]); }

int product_sign(const MmaAtom& atom) { return atom.negative_a != atom.negative_b ? -1 : 1; }

Layout layout_of(const std::vector<Layout>& modes) { return make_layout(modes); }

Layout value_modes(const std::vector<Leaf>& leaves) {
  std::vector<IntTuple> shape, stride;
  for (const Leaf& leaf : leaves) {
    if (leaf.extent == 1) continue;
    shape.emplace_back(leaf.extent);
    stride.emplace_back(leaf.stride);
  }
  if (shape.empty()) return Layout::trusted(1, 0);
  if (shape.size() == 1) return Layout::trusted(shape[0], stride[0]);
  return Layout::trusted(IntTuple::tuple(std::move(shape)), IntTuple::tuple(std::move(stride)));
}

Layout warp_operand(std::int64_t rows, std::int64_t k, std::int64_t packed) {
  const Layout thread = value_modes({{4, packed * rows}, {8, 1}});
  const Layout value = value_modes({{packed, rows}, {rows / 8, 8}, {k / (4 * packed), 4 * packed * rows}});
  return layout_of({thread, value});
}

Layout warp_accumulator(std::int64_t m, std::int64_t n) {
  const Layout thread = value_modes({{4, 2 * m}, {8, 1}});
  const Layout value = value_modes({{2, m}, {m / 8, 8}, {n / 8, 8 * m}});
  return layout_of({thread, value});
}

Layout whole_tile(std::int64_t threads, std::int64_t rows, std::int64_t k) {
  const auto tile = [](std::int64_t a, std::int64_t b) { return IntTuple::tuple({a, b}); };
  return Layout::trusted(IntTuple::tuple({threads, tile(rows, k)}), IntTuple::tuple({0, tile(1, rows)}));
}

namespace {

struct Token {
  std::string_view text;
  ValueType type;
};
// Longer spellings first, so that TF32 is not read as T + F32.
constexpr std::array kTokens = {
    Token{"TF32", ValueType::tf32}, Token{"BF16", ValueType::bf16}, Token{"E4M3", ValueType::e4m3}, Token{"E5M2", ValueType::e5m2},
    Token{"GC64", ValueType::c64},  Token{"C64", ValueType::c64},   Token{"F64", ValueType::f64},   Token{"F32", ValueType::f32},
    Token{"F16", ValueType::f16},   Token{"S32", ValueType::i32},   Token{"S8", ValueType::i8},     Token{"U8", ValueType::u8},
    Token{"S4", ValueType::i4},     Token{"U4", ValueType::u4},     Token{"U1", ValueType::b1},     Token{"I32", ValueType::i32},
    Token{"I8", ValueType::i8},     Token{"FP8", ValueType::e4m3},  Token{"BF8", ValueType::e5m2},
};

}  // namespace

std::string_view atom_token(ValueType type) {
  for (const Token& t : kTokens) {
    if (t.type == type && t.text != "GC64") return t.text;
  }
  return "?";
}

ValueType take_atom_token(std::string_view& text) {
  for (const Token& t : kTokens) {
    if (take_prefix(text, t.text)) return t.type;
  }
  return ValueType::none;
}

RegisterUse packed_registers(ValueType type, std::int64_t values) {
  if (bits(type) >= 64) return {std::string(compiler_name(type)), static_cast<int>(values)};
  return {"unsigned int", static_cast<int>(values * bits(type) / 32)};
}

RegisterUse accumulator_registers(ValueType type, std::int64_t values) {
  if (type == ValueType::f32) return {"float", static_cast<int>(values)};
  return packed_registers(type, values);
}

std::string sparse_type(int factor, ValueType type) { return fmt::format("sparse_elem<{}, {}>", factor, compiler_name(type)); }

Error impossible_atom(const std::string& name, const std::string& rule) {
  return Error{ErrorCode::unknown_atom, fmt::format("{} does not exist: {}", name, rule), {}, {}};
}

}  // namespace tessera
