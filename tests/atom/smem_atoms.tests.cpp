// SPDX-License-Identifier: BSD-3-Clause
// Shared-memory layout atoms and tiles of them against CuTe.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/atom/smem/smem_atoms.hpp"
#include "core/layout/composed_algebra.hpp"
#include "tests/atom/oracle_rows.hpp"

using namespace tessera;

TEST_CASE("GMMA and UMMA smem atoms, alone and tiled, are CuTe's layouts in elements") {
  oracle::Tally tally;
  const auto rows = oracle::rows("smem_atoms.jsonl");
  CHECK(rows.size() == 221);
  for (const oracle::Row& source : rows) {
    oracle::Row row = source;
    row["cute_type"] =
        fmt::format("{}::{}<{}>", row["ns"].get<std::string>(), row["atom"].get<std::string>(), row["elem"].get<std::string>());
    const auto atom = find_smem_atom(row["cute_type"].get<std::string>());
    if (!atom) {
      tally.same(row, "atom", "refused: " + atom.error().message, "found");
      continue;
    }
    Result<AnyLayout> layout = atom->layout;
    if (!row["trg_shape"].is_null()) {
      const IntTuple shape = parse_int_tuple_text(row["trg_shape"].get<std::string>()).value();
      const bool ordered = row["order"].is_string() && row["order"] != "default";
      layout = ordered ? tile_to_shape(atom->layout, shape, parse_int_tuple_text(row["order"].get<std::string>()).value())
                       : tile_to_shape(atom->layout, shape);
    }
    tally.same_value(row, "layout_elem_units", layout, row["layout_elem_units"]);
    if (!layout) continue;
    tally.same(row, "size", std::to_string(size(*layout)), std::to_string(row["size"].get<std::int64_t>()));
    tally.same(row, "cosize", std::to_string(cosize(*layout)), std::to_string(row["cosize"].get<std::int64_t>()));
  }
  INFO(tally.wrong() << " of " << tally.asked() << " wrong");
  CHECK(tally.wrong() == 0);
  CHECK(tally.asked() == 3 * 221);
}

TEST_CASE("a swizzled smem atom lets a column of eight 16-byte units be read without a bank conflict") {
  const SmemAtom atom = find_smem_atom("GMMA::Layout_K_SW128_Atom<half_t>").value();
  std::vector<bool> unit(8);
  for (std::int64_t row = 0; row < 8; ++row) {
    const std::int64_t byte = 2 * evaluate(atom.layout, row, 0);
    unit[static_cast<std::size_t>(byte / 16 % 8)] = true;
  }
  CHECK(std::count(unit.begin(), unit.end(), true) == 8);
}

TEST_CASE("a 16-byte element fills a row of the atoms without a swizzle, and its stride is CuTe's") {
  CHECK(to_string(find_smem_atom("GMMA::Layout_K_INTER_Atom<complex<double>>").value().layout) == "(8,1):(1,1)");
  CHECK(to_string(find_smem_atom("GMMA::Layout_MN_INTER_Atom<uint128_t>").value().layout) == "(1,8):(1,1)");
}

TEST_CASE("unknown smem atoms and types that do not fill a row are refused") {
  CHECK(find_smem_atom("GMMA::Layout_K_SW256_Atom<half_t>").error().code == ErrorCode::unknown_atom);
  CHECK(find_smem_atom("GMMA::Layout_MN_SW128_32B_Atom<half_t>").error().code == ErrorCode::unknown_atom);
  CHECK(find_smem_atom("GMMA::Layout_K_SW128_Atom").error().code == ErrorCode::wrong_arity);
  CHECK(find_smem_atom("GMMA::Layout_K_SW128_Atom<float_e3m2_t>").error().code == ErrorCode::wrong_type);
  CHECK(is_smem_atom_name("cute::GMMA::Layout_K_SW128_Atom<half_t>"));
  CHECK(!is_smem_atom_name("SM80_16x8x16_F32F16F16F32_TN"));
  CHECK(is_smem_atom_name("UMMA::Layout_K_SW128_32B_Atom<half_t>"));  // there is none, but no other kind of atom is meant
  for (const std::string& name : smem_atom_names()) CHECK(find_smem_atom(name + "<bfloat16_t>").has_value());
}
