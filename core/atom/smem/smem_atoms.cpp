// SPDX-License-Identifier: BSD-3-Clause
// Shared-memory layout atoms by rule: the width of a row decides the swizzle, the type only the units.
#include "core/atom/smem/smem_atoms.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/atom/instructions/atom_text.hpp"
#include "core/atom/instructions/catalog.hpp"

namespace tessera {
namespace {

struct WidthRow {
  std::string_view name;
  int row_bytes;
  int rows;
  std::array<int, 3> swizzle_bytes;  // B, M, S on byte addresses
  bool only_umma_mn;
};
constexpr std::array kWidths = {
    WidthRow{"INTER", 16, 8, {0, 4, 3}, false},  WidthRow{"SW32", 32, 8, {1, 4, 3}, false},      WidthRow{"SW64", 64, 8, {2, 4, 3}, false},
    WidthRow{"SW128", 128, 8, {3, 4, 3}, false}, WidthRow{"SW128_32B", 128, 4, {2, 5, 2}, true},
};

struct SmemName {
  bool umma = false, k_major = false;
  const WidthRow* width = nullptr;
};

// GMMA::Layout_K_SW128_Atom
std::optional<SmemName> read_name(std::string_view op) {
  SmemName name;
  take_prefix(op, "SM90::");
  name.umma = take_prefix(op, "UMMA::");
  if (!name.umma && !take_prefix(op, "GMMA::")) return std::nullopt;
  if (!take_prefix(op, "Layout_") || !take_suffix(op, "_Atom")) return std::nullopt;
  name.k_major = take_prefix(op, "K_");
  if (!name.k_major && !take_prefix(op, "MN_")) return std::nullopt;
  for (const WidthRow& row : kWidths) {
    if (row.name == op && (!row.only_umma_mn || (name.umma && !name.k_major))) name.width = &row;
  }
  if (name.width == nullptr) return std::nullopt;
  return name;
}

}  // namespace

bool is_smem_atom_name(std::string_view name) {
  const auto parsed = parse_template_name(name);
  if (!parsed) return false;
  std::string_view op = parsed->op;
  take_prefix(op, "SM90::");
  return op.starts_with("GMMA::Layout_") || op.starts_with("UMMA::Layout_");
}

std::vector<std::string> smem_atom_names() {
  std::vector<std::string> names;
  for (const std::string_view space : {"GMMA", "UMMA"}) {
    for (const std::string_view major : {"K", "MN"}) {
      for (const WidthRow& row : kWidths) {
        if (!row.only_umma_mn || (space == "UMMA" && major == "MN"))
          names.push_back(fmt::format("{}::Layout_{}_{}_Atom", space, major, row.name));
      }
    }
  }
  return names;
}

Result<SmemAtom> find_smem_atom(std::string_view name) {
  TESSERA_TRY(parsed, parse_template_name(name));
  const auto found = read_name(parsed.op);
  if (!found) {
    Error error{ErrorCode::unknown_atom, fmt::format("no shared-memory layout atom is named \"{}\"", parsed.op), {}, {}};
    for (const std::string& near : nearest_names(parsed.op, smem_atom_names(), 2))
      error.notes.push_back(fmt::format("did you mean {}?", near));
    return error;
  }
  if (parsed.args.size() != 1) {
    return Error{ErrorCode::wrong_arity, fmt::format("{} needs its element type, as in {}<half_t>", parsed.op, parsed.op), {}, {}};
  }
  const auto type = value_type(parsed.args[0]);
  if (!type) return Error{ErrorCode::wrong_type, fmt::format("\"{}\" is not a value type", parsed.args[0]), {}, {}};
  const int width = bits(*type);
  const int row_bits = 8 * found->width->row_bytes;
  if (width == 0 || !std::has_single_bit(static_cast<unsigned>(width)) || width > row_bits) {
    return Error{ErrorCode::wrong_type,
                 fmt::format("{} has {} bits; a row of {} bytes holds elements of 1, 2, 4, .. bits", cute_name(*type), width,
                             found->width->row_bytes),
                 {},
                 {}};
  }
  SmemAtom atom;
  atom.name = fmt::format("{}<{}>", parsed.op, cute_name(*type));
  atom.type = *type;
  atom.k_major = found->k_major;
  atom.row_bytes = found->width->row_bytes;
  atom.wide_units = found->width->only_umma_mn;
  const auto& [b, m, s] = found->width->swizzle_bytes;
  TESSERA_TRY(swizzle_bytes, Swizzle::make(b, m, s));
  atom.swizzle_bytes = swizzle_bytes;
  const std::int64_t elements = row_bits / width, rows = found->width->rows;
  const auto two = [](std::int64_t x, std::int64_t y) { return IntTuple::tuple({x, y}); };
  // (m, k) -> element
  const Layout plain =
      found->k_major ? Layout::trusted(two(rows, elements), two(elements, 1)) : Layout::trusted(two(elements, rows), two(1, elements));
  if (b == 0) {
    atom.layout = plain;
    return atom;
  }
  // From bytes to elements: 8 bits of address become `width` bits.
  const int base = m + 3 - std::countr_zero(static_cast<unsigned>(width));
  TESSERA_TRY(swizzle, Swizzle::make(b, base, s));
  atom.layout = ComposedLayout{swizzle, 0, plain};
  return atom;
}

}  // namespace tessera
