// SPDX-License-Identifier: BSD-3-Clause
// Copy atoms: layouts in bits and in values equal CuTe's; impossible ones are refused.
#include <cstdint>
#include <set>
#include <string>

#include "core/atom/instructions/catalog.hpp"
#include "tests/atom/oracle_rows.hpp"

using namespace tessera;

TEST_CASE("copy atoms have CuTe's layouts in bits and in values") {
  oracle::Tally tally;
  const auto rows = oracle::rows("copy_atoms.jsonl");
  CHECK(rows.size() == 139);
  for (const oracle::Row& row : rows) {
    const auto traits = find_copy_atom(row["cute_type"].get<std::string>());
    if (!traits) {
      tally.same(row, "traits", "refused: " + traits.error().message, "found");
      continue;
    }
    tally.same(row, "ThrID", to_string(traits->thr_id), row["ThrID"]);
    tally.same(row, "SrcLayout", to_string(traits->layout_src), row["SrcLayout"]);
    tally.same(row, "DstLayout", to_string(traits->layout_dst), row["DstLayout"]);
    tally.same(row, "RefLayout", to_string(traits->layout_ref), row["RefLayout"]);
    if (row.contains("ValID") && row["ValID"].is_string())
      tally.same(row, "ValID", traits->val_id ? to_string(*traits->val_id) : "none", row["ValID"]);
    if (!row.contains("val_layouts")) continue;
    for (const auto& [name, want] : row["val_layouts"].items()) {
      const auto type = value_type(name);
      const auto atom = CopyAtom::make(*traits, type.value());
      if (!atom) {
        tally.same(row, "Copy_Atom of " + name, "refused: " + atom.error().message, "made");
        continue;
      }
      tally.same(row, name + " ValLayoutSrc", to_string(atom->val_layout_src), want["ValLayoutSrc"]);
      tally.same(row, name + " ValLayoutDst", to_string(atom->val_layout_dst), want["ValLayoutDst"]);
      tally.same(row, name + " ValLayoutRef", to_string(atom->val_layout_ref), want["ValLayoutRef"]);
    }
  }
  INFO(tally.wrong() << " of " << tally.asked() << " wrong");
  CHECK(tally.wrong() == 0);
  CHECK(tally.asked() > 700);
}

TEST_CASE("every listed copy atom is found under its name, and moves as many bits in as out") {
  const auto names = copy_atom_names();
  CHECK(std::set<std::string>(names.begin(), names.end()).size() == names.size());
  for (const std::string& name : names) {
    const auto traits = find_copy_atom(name);
    INFO(name);
    REQUIRE(traits.has_value());
    CHECK(traits->name == name);
    CHECK(!traits->source.empty());
    CHECK(traits->layout_src.shape()[0].rank() >= 1);
    CHECK(size(traits->layout_ref.shape()[0]) == traits->thr_id.size());
  }
  CHECK(names.size() >= 200);
}

TEST_CASE("ldmatrix puts the bits of eight rows where the fragment's threads expect them") {
  // Row r of a matrix is pointed at by thread r; thread 4r+c receives its word c.
  const CopyTraits traits = find_copy_atom("SM75_U32x1_LDSM_N").value();
  for (std::int64_t r = 0; r < 8; ++r) {
    for (std::int64_t c = 0; c < 4; ++c) CHECK(traits.layout_src(r, 32 * c) == traits.layout_dst(4 * r + c, 0));
  }
}

TEST_CASE("impossible copies are refused") {
  const auto refused = [](const char* name) {
    const auto traits = find_copy_atom(name);
    return !traits && traits.error().code == ErrorCode::unknown_atom;
  };
  CHECK(refused("SM80_CP_ASYNC_CACHEGLOBAL<uint32_t>"));
  CHECK(refused("SM80_CP_ASYNC_CACHEALWAYS<uint16_t>"));
  CHECK(refused("SM80_CP_ASYNC_CACHEALWAYS<uint128_t,uint64_t>"));
  CHECK(refused("UniversalCopy<banana>"));
  CHECK(refused("UniversalCopy<uint4_t>"));
  CHECK(refused("UniversalCopy<float,uint1_t>"));
  CHECK(refused("UniversalCopy<float,float,float>"));
  CHECK(refused("Copy_Traits<SM75_U32x4_LDSM_N,Int<4096>>"));
  CHECK(refused("SM100_TMEM_LOAD_16dp256b64x"));
  CHECK(refused("SM100_TMEM_LOAD_16dp256b3x"));
  CHECK(refused("SM75_U32x3_LDSM_N"));
  CHECK(refused("SM90_TMA_LOAD_OP::PREFETCH"));
  CHECK(!parse_copy_atom("UniversalCopy<uint8_t>").has_value());
  CHECK(!parse_copy_atom("Copy_Atom<UniversalCopy<uint8_t>,banana>").has_value());
}
