// SPDX-License-Identifier: BSD-3-Clause
// MMA atoms: every field equals CuTe's, every layout covers its matrix, impossible names are refused.
#include <algorithm>
#include <cstdint>
#include <ctime>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/atom/instructions/catalog.hpp"
#include "core/base/sha256.hpp"
#include "tests/atom/oracle_rows.hpp"

using namespace tessera;

namespace {

void compare_layout(oracle::Tally& tally, const oracle::Row& row, const char* field, const std::optional<Layout>& layout) {
  if (!row.contains(field)) return;
  for (const auto& malformed : row.value("malformed", std::vector<std::string>{})) {
    if (malformed == field) return;
  }
  tally.same(row, field, layout ? to_string(*layout) : "none", row[field]);
}

void compare_registers(oracle::Tally& tally, const oracle::Row& row, const char* operand, const RegisterUse& use) {
  if (!row["registers"].contains(operand)) return;
  const auto& want = row["registers"][operand];
  tally.same(row, fmt::format("registers {}", operand), fmt::format("{} x {}", use.count, use.type),
             fmt::format("{} x {}", want[1].get<int>(), want[0].get<std::string>()));
}

void compare_atom(oracle::Tally& tally, const oracle::Row& row, const MmaAtom& atom) {
  tally.same(row, "Shape_MNK", to_string(atom.shape_mnk), row["Shape_MNK"]);
  tally.same(row, "ThrID", to_string(atom.thr_id), row["ThrID"]);
  compare_layout(tally, row, "ALayout", atom.layout_a);
  compare_layout(tally, row, "BLayout", atom.layout_b);
  compare_layout(tally, row, "CLayout", atom.layout_c);
  compare_layout(tally, row, "ELayout", atom.layout_e);
  compare_layout(tally, row, "SFALayout", atom.layout_sfa);
  compare_layout(tally, row, "SFBLayout", atom.layout_sfb);
  tally.same(row, "ValTypeD", atom.type_d, row["ValTypeD"]);
  tally.same(row, "ValTypeA", atom.type_a, row["ValTypeA"]);
  tally.same(row, "ValTypeB", atom.type_b, row["ValTypeB"]);
  tally.same(row, "ValTypeC", atom.type_c, row["ValTypeC"]);
  tally.same(row, "ValTypeE", atom.type_e, row.value("ValTypeE", ""));
  tally.same(row, "ValTypeSF", atom.type_sf, row.value("ValTypeSF", ""));
  tally.same(row, "sparse", fmt::format("{}", atom.sparse), fmt::format("{}", row["sparse"].get<bool>()));
  tally.same(row, "kind", std::string(to_string(atom.kind)), row["kind"]);
  const auto letter = [](OperandSource s) { return s == OperandSource::registers ? 'R' : s == OperandSource::smem_descriptor ? 'S' : 'T'; };
  tally.same(row, "ab_source", {letter(atom.source_a), letter(atom.source_b)}, row["ab_source"]);
  compare_registers(tally, row, "D", atom.registers_d);
  compare_registers(tally, row, "A", atom.registers_a);
  compare_registers(tally, row, "B", atom.registers_b);
  compare_registers(tally, row, "C", atom.registers_c);
  compare_registers(tally, row, "E", atom.registers_e);
  compare_registers(tally, row, "SFA", atom.registers_sfa);
  compare_registers(tally, row, "SFB", atom.registers_sfb);
  const auto ptx = row["ptx"].get<std::vector<std::string>>();
  // The wrappers hold alternatives by toolkit version; the atom names one of them.
  if (atom.kind != MmaKind::fma)
    tally.same(row, "ptx", std::find(ptx.begin(), ptx.end(), atom.ptx) == ptx.end() ? atom.ptx : ptx[0], ptx[0]);
}

void compare_file(const std::string& file, std::size_t expected_rows) {
  oracle::Tally tally;
  const auto rows = oracle::rows(file);
  CHECK(rows.size() == expected_rows);
  for (const oracle::Row& row : rows) {
    const auto atom = find_mma_atom(row["cute_type"].get<std::string>());
    if (!atom) {
      tally.same(row, "atom", "refused: " + atom.error().message, "found");
      continue;
    }
    compare_atom(tally, row, *atom);
  }
  INFO(file << ": " << tally.wrong() << " of " << tally.asked() << " wrong");
  CHECK(tally.wrong() == 0);
  CHECK(tally.asked() > 15 * expected_rows);
}

// Does (thr, val) -> index reach each of 0 .. extent-1? Many atoms share a layout: each is walked once.
bool covers(const Layout& layout, std::int64_t extent) {
  static std::map<std::string, bool> known;
  const auto [entry, is_new] = known.try_emplace(fmt::format("{} {}", to_string(layout), extent));
  if (!is_new) return entry->second;
  std::vector<bool> seen(static_cast<std::size_t>(extent));
  for (const std::int64_t i : image(layout)) {
    if (i < 0 || i >= extent) return false;
    seen[static_cast<std::size_t>(i)] = true;
  }
  entry->second = std::all_of(seen.begin(), seen.end(), [](bool b) { return b; });
  return entry->second;
}

}  // namespace

TEST_CASE("mma.sync, dot and fma atoms have CuTe's layouts, types, registers and PTX") { compare_file("mma_atoms_sync.jsonl", 176); }
TEST_CASE("wgmma atoms have CuTe's layouts, types, registers and PTX") { compare_file("mma_atoms_wgmma.jsonl", 696); }
TEST_CASE("sparse wgmma atoms have CuTe's layouts, types, registers and PTX") { compare_file("mma_atoms_wgmma_sparse.jsonl", 731); }
TEST_CASE("UMMA atoms have CuTe's layouts, types, registers and PTX") { compare_file("mma_atoms_umma.jsonl", 875); }

TEST_CASE("AMD's MFMA and WMMA atoms agree with the matrix instruction calculator in every lane and register") {
  oracle::Tally tally;
  const auto rows = oracle::rows("amd_atoms.jsonl");
  CHECK(rows.size() == 98);
  const auto digest = [](const Layout& layout) {
    std::string text;
    for (const std::int64_t i : image(layout)) text += fmt::format("{}{}", text.empty() ? "" : ",", i);
    return sha256_hex(text);
  };
  for (const oracle::Row& row : rows) {
    const auto atom = find_mma_atom(row["name"].get<std::string>());
    if (!atom) {
      tally.same(row, "atom", "refused: " + atom.error().message, "found");
      continue;
    }
    tally.same(row, "instruction", atom->ptx, row["instruction"]);
    for (const auto& [matrix, layout] : {std::pair{"A", atom->layout_a}, {"B", atom->layout_b}, {"D", atom->layout_c}}) {
      tally.same(row, fmt::format("{} threads", matrix), std::to_string(size(layout.shape()[0])),
                 std::to_string(row[matrix]["threads"].get<int>()));
      tally.same(row, fmt::format("{} values", matrix), std::to_string(size(layout.shape()[1])),
                 std::to_string(row[matrix]["values"].get<int>()));
      tally.same(row, fmt::format("{} image of {}", matrix, to_string(layout)), digest(layout), row[matrix]["image_sha256"]);
    }
  }
  INFO(tally.wrong() << " of " << tally.asked() << " wrong");
  CHECK(tally.wrong() == 0);
}

TEST_CASE("every listed MMA atom is found under its name, and covers A, B and C") {
  const auto names = mma_atom_names();
  CHECK(std::set<std::string>(names.begin(), names.end()).size() == names.size());
  std::size_t covered = 0;
  for (const std::string& name : names) {
    const auto atom = find_mma_atom(name);
    REQUIRE(atom.has_value());
    INFO(name << " " << atom->name);
    REQUIRE(atom->name == name);
    REQUIRE(!atom->source.empty());
    const std::int64_t m = shape_extent(*atom, 0), n = shape_extent(*atom, 1), k = shape_extent(*atom, 2);
    REQUIRE(covers(atom->layout_a, m * k));
    REQUIRE(covers(atom->layout_b, n * k));
    REQUIRE(covers(atom->layout_c, m * n));
    REQUIRE(size(atom->layout_a.shape()[0]) == atom->thr_id.size());
    REQUIRE(size(atom->layout_c.shape()[0]) == atom->thr_id.size());
    covered += 3;
  }
  CHECK(covered == 3 * names.size());
  CHECK(names.size() > 4200);
}

TEST_CASE("all MMA atoms are listed and made in less than 200 ms", "[.timing]") {
  const std::clock_t begin = std::clock();  // of this process: other work on the machine does not count
  const auto names = mma_atom_names();
  for (const std::string& name : names) REQUIRE(find_mma_atom(name).has_value());
  CHECK(1000.0 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC < 200.0);
  CHECK(!names.empty());
}

TEST_CASE("the accumulator of an atom is owned once: no two threads of a warp hold the same element of C") {
  for (const char* name :
       {"SM70_8x8x4_F32F16F16F32_NT", "SM80_16x8x16_F32F16F16F32_TN", "SM90_64x256x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::K>"}) {
    const MmaAtom atom = find_mma_atom(name).value();
    auto owned = image(atom.layout_c);
    std::sort(owned.begin(), owned.end());
    CHECK(std::adjacent_find(owned.begin(), owned.end()) == owned.end());
  }
}

TEST_CASE("names are read with spaces, namespaces, defaults and wrappers") {
  const MmaAtom atom = find_mma_atom("SM90_64x128x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::K>").value();
  for (const char* spelling : {"SM90_64x128x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::K, GMMA::ScaleIn::One, GMMA::ScaleIn::One>",
                               "cute::SM90::GMMA::MMA_64x128x16_F32F16F16_SS<cute::SM90::GMMA::Major::K, cute::SM90::GMMA::Major::K>",
                               "MMA_Atom<SM90_64x128x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::K>>"}) {
    const auto found = find_mma_atom(spelling);
    INFO(spelling);
    REQUIRE(found.has_value());
    CHECK(found->name == atom.name);
    CHECK(found->layout_c == atom.layout_c);
  }
  CHECK(to_string(atom.arch) == "sm_90a");
  CHECK(find_mma_atom("UniversalFMA<float>").value().name == "UniversalFMA<float,float,float,float>");
}

TEST_CASE("impossible atoms are refused with the rule, unknown ones with near names") {
  const auto code = [](const char* name) {
    const auto atom = find_mma_atom(name);
    return atom ? std::string("found") : std::string(to_string(atom.error().code));
  };
  CHECK(code("SM90_64x12x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::K>") == "unknown_atom");
  CHECK(code("SM90_64x264x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::K>") == "unknown_atom");
  CHECK(code("SM90_64x64x32_F32F16F16_SS<GMMA::Major::K,GMMA::Major::K>") == "unknown_atom");
  CHECK(code("SM90_64x40x32_S32S8S8_SS_TN") == "unknown_atom");
  CHECK(code("SM90_64x64x16_F32F16F16_RS<GMMA::Major::MN,GMMA::Major::K>") == "unknown_atom");
  CHECK(code("SM90_64x64x16_F32F16F16_SS<GMMA::Major::K>") == "unknown_atom");
  CHECK(code("SM90_64x64x16_F32F16F16_SS") == "found");  // short for K-major operands
  CHECK(code("SM100_MMA_F16BF16_SS<half_t,half_t,float,128,12,UMMA::Major::K,UMMA::Major::K>") == "unknown_atom");
  CHECK(code("SM100_MMA_F16BF16_TS<half_t,half_t,float,128,64,UMMA::Major::MN,UMMA::Major::K>") == "unknown_atom");
  CHECK(code("SM100_MMA_F16BF16_SS<bfloat16_t,bfloat16_t,half_t,128,64,UMMA::Major::K,UMMA::Major::K>") == "unknown_atom");
  CHECK(code("SM100_MMA_S8_2x1SM_SS<int8_t,int8_t,int32_t,128,16,UMMA::Major::K,UMMA::Major::K>") == "unknown_atom");
  CHECK(code("SM100_MMA_MXF4_SS<float_e2m1_t,float_e2m1_t,float,float_ue4m3_t,128,64,32,UMMA::Major::K,UMMA::Major::K>") == "unknown_atom");
  CHECK(code("SM120_16x8x32_TN<half_t,half_t,float>") == "unknown_atom");
  CHECK(code("SM120::BLOCKSCALED::SM120_16x8x64_TN_VS<float_e2m1_t,float_e2m1_t,float,float_ue8m0_t,64>") == "unknown_atom");
  CHECK(code("SM90_64x64x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::K") == "parse");
  const auto near = find_mma_atom("SM80_16x8x16_F32F16F16F32_TX");
  REQUIRE(!near.has_value());
  REQUIRE(!near.error().notes.empty());
  CHECK(near.error().notes[0] == "did you mean SM80_16x8x16_F32F16F16F32_TN?");
}

TEST_CASE("the two atoms whose table is malformed in CuTe carry the instruction's layout and say so") {
  for (const char* name : {"SM80_16x8x128_S32U1U1S32_TN_XORPOPC", "SM80_16x8x128_S32U1U1S32_TN_ANDPOPC"}) {
    const MmaAtom atom = find_mma_atom(name).value();
    CHECK(to_string(atom.layout_a) == "((4,8),(32,2)):((512,1),(16,8))");
    CHECK(!atom.note.empty());
    CHECK(!atom.refusal_a.empty());
  }
}

TEST_CASE("the majorness of an operand may be written as its last word") {
  CHECK(find_mma_atom("SM90_64x16x16_F16F16F16_RS<K,MN>").value().name ==
        find_mma_atom("SM90_64x16x16_F16F16F16_RS<GMMA::Major::K,GMMA::Major::MN>").value().name);
  CHECK_FALSE(find_mma_atom("SM90_64x16x16_F16F16F16_RS<K,Q>"));
}
