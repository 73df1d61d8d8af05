// SPDX-License-Identifier: BSD-3-Clause
// TiledCopy against CuTe: TV layouts of source and destination, tidfrg, partitions, retile.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/atom/copy/tiled_copy.hpp"
#include "core/atom/instructions/catalog.hpp"
#include "tests/atom/oracle_rows.hpp"

using namespace tessera;

namespace {

Result<TiledCopy> made(const oracle::Row& row) {
  const auto& args = row["args"];
  const auto text = [&](const char* key) { return args[key].get<std::string>(); };
  TESSERA_TRY(atom, parse_copy_atom("Copy_Atom<" + text("copy_op") + "," + text("val_type") + ">"));
  const std::string kind = row["kind"];
  if (kind == "make_tiled_copy")
    return make_tiled_copy(atom, oracle::layout_argument(text("thr_layout")), oracle::layout_argument(text("val_layout")));
  if (kind == "make_cotiled_copy")
    return make_cotiled_copy(atom, oracle::layout_argument(text("atom_tv_layout")), oracle::layout_argument(text("data_layout")));
  TESSERA_TRY(op, find_mma_atom(text("mma_atom")));
  TESSERA_TRY(mma, TiledMma::make(op, oracle::layout_argument(text("atom_layout")), oracle::permutation_argument(text("permutation"))));
  if (kind == "make_tiled_copy_A") return make_tiled_copy_a(atom, mma);
  if (kind == "make_tiled_copy_B") return make_tiled_copy_b(atom, mma);
  if (kind == "make_tiled_copy_C") return make_tiled_copy_c(atom, mma);
  return make_tiled_copy_c_atom(atom, mma);
}

template <class R>
std::string part_text(const R& part) {
  return part ? fmt::format("({},{})", to_string(part->layout), to_string(part->offset)) : "refused: " + part.error().message;
}

void compare_partition(oracle::Tally& tally, const oracle::Row& row, const TiledCopy& copy) {
  const auto& want = row["partition"];
  std::vector<IntTuple> extents;
  for (const auto& n : row["args"]["problem"]) extents.emplace_back(n.get<std::int64_t>());
  const IntTuple shape = IntTuple::tuple(std::move(extents));
  const Layout tensor = (want["major"] == "LayoutRight" ? make_layout_row_major(shape) : Layout::make_compact(shape)).value();
  tally.same_value(row, "tidfrg_S", copy.tidfrg_s(tensor), want["tidfrg_S"]);
  tally.same_value(row, "tidfrg_D", copy.tidfrg_d(tensor), want["tidfrg_D"]);
  const std::int64_t thread = want["thr"].get<std::int64_t>();
  tally.same(row, "partition_S", part_text(copy.partition_s(AnyLayout(tensor), thread)), want["partition_S"]);
  const auto destination = copy.partition_d(AnyLayout(tensor), thread);
  tally.same(row, "partition_D", part_text(destination), want["partition_D"]);
  if (!want.contains("retile_of_partition_D_fragment") || !destination) return;
  const auto fragment = make_fragment_like(std::get<Layout>(destination->layout));
  const auto retiled = fragment ? copy.retile(*fragment) : fragment;
  tally.same_value(row, "retile_of_partition_D_fragment", retiled, want["retile_of_partition_D_fragment"]);
}

}  // namespace

TEST_CASE("tiled copies have CuTe's tiler, TV layouts, partitions and retiled fragments") {
  oracle::Tally tally;
  const auto rows = oracle::rows("tiled_copy.jsonl");
  CHECK(rows.size() == 218);
  for (const oracle::Row& row : rows) {
    const auto copy = made(row);
    if (!copy) {
      tally.same(row, "tiled_copy", "refused: " + copy.error().message, "made");
      continue;
    }
    tally.same(row, "Tiler_MN", to_string(copy->tiler_mn()), row["Tiler_MN"]);
    tally.same(row, "TiledLayout_TV", to_string(copy->layout_tv()), row["TiledLayout_TV"]);
    tally.same(row, "size", std::to_string(copy->num_threads()), std::to_string(row["size"].get<int>()));
    tally.same(row, "ValLayoutSrc", to_string(copy->atom().val_layout_src), row["ValLayoutSrc"]);
    tally.same(row, "ValLayoutDst", to_string(copy->atom().val_layout_dst), row["ValLayoutDst"]);
    tally.same(row, "ValLayoutRef", to_string(copy->atom().val_layout_ref), row["ValLayoutRef"]);
    tally.same_value(row, "layoutS_TV", copy->layout_s_tv(), row["layoutS_TV"]);
    tally.same_value(row, "layoutD_TV", copy->layout_d_tv(), row["layoutD_TV"]);
    if (row.contains("partition")) compare_partition(tally, row, *copy);
    if (row.contains("retile")) {
      const Layout fragment = parse_layout_text(row["retile"]["fragment"].get<std::string>()).value();
      tally.same_value(row, "retile", copy->retile(fragment), row["retile"]["retile"]);
    }
  }
  INFO(tally.wrong() << " of " << tally.asked() << " wrong");
  CHECK(tally.wrong() == 0);
  CHECK(tally.asked() > 2700);
}

TEST_CASE("a tiled copy refuses too few threads or values, and layouts that do not number a tile") {
  const auto layout = [](const char* text) { return parse_layout_text(text).value(); };
  const CopyAtom ldmatrix = parse_copy_atom("Copy_Atom<SM75_U32x4_LDSM_N, half_t>").value();
  CHECK(make_tiled_copy(ldmatrix, layout("(4,4):(4,1)"), layout("(1,8):(0,1)")).error().code == ErrorCode::not_divisible);
  CHECK(make_tiled_copy(ldmatrix, layout("(32,1):(1,0)"), layout("(1,4):(0,1)")).error().code == ErrorCode::not_divisible);
  const CopyAtom word = parse_copy_atom("Copy_Atom<UniversalCopy<uint32_t>, float>").value();
  CHECK(!make_tiled_copy(word, layout("(4,8):(16,1)"), layout("(1,1):(0,0)")).has_value());
  CHECK(make_tiled_copy(word, layout("(4,8):(8,1)"), layout("(1,1):(0,0)")).has_value());
  const CopyAtom half_a_value = parse_copy_atom("Copy_Atom<UniversalCopy<uint32_t>, double>").value();
  CHECK(make_tiled_copy(half_a_value, layout("(4,8):(8,1)"), layout("(1,1):(0,0)")).error().code == ErrorCode::not_divisible);
}

TEST_CASE("an instruction copies every type whose values it moves whole, and no other") {
  std::size_t made = 0, refused = 0;
  for (const std::string& name : copy_atom_names()) {
    const CopyTraits traits = find_copy_atom(name).value();
    const std::int64_t moved = size(traits.layout_src.shape()[1]);
    for (const ValueType type :
         {ValueType::b1, ValueType::u4, ValueType::u8, ValueType::f16, ValueType::f32, ValueType::u64, ValueType::u128}) {
      INFO(name << " moves " << moved << " bits of " << bits(type));
      const Result<CopyAtom> atom = CopyAtom::make(traits, type);
      const bool whole = moved == 1 || moved % bits(type) == 0;  // an automatic copy's width is chosen later
      if (!atom) continue;
      const std::int64_t threads = size(atom->val_layout_ref.shape()[0]), values = size(atom->val_layout_ref.shape()[1]);
      const Layout layout_tv = Layout::make_compact(IntTuple::tuple({threads, values})).value();  // (thr, val) -> element
      const Result<TiledCopy> copy = TiledCopy::make(*atom, layout_tv, Tiler(std::vector<Tiler>{Tiler(threads * values)}));
      CHECK(static_cast<bool>(copy) == whole);
      ++(copy ? made : refused);
      if (!copy && !whole) CHECK(copy.error().message.find(std::to_string(moved) + " bits a thread") != std::string::npos);
      if (!copy) continue;
      // A tile of other counts than the instruction's has no such copy; a multiple of them has.
      const auto with = [&](std::int64_t t, std::int64_t v) {
        return static_cast<bool>(
            TiledCopy::make(*atom, Layout::make_compact(IntTuple::tuple({t, v})).value(), Tiler(std::vector<Tiler>{Tiler(t * v)})));
      };
      CHECK(with(threads + 1, values) == (threads == 1));
      CHECK(with(threads, values + 1) == (values == 1));
      CHECK(with(2 * threads, 3 * values));
    }
  }
  CHECK(made > 300);
  CHECK(refused < made);
}

TEST_CASE("what nobody has partitioned is not retiled, and the refusal says who cuts it") {
  const TiledMma mma =
      TiledMma::make(find_mma_atom("SM80_16x8x16_F32F16F16F32_TN").value(), oracle::layout_argument("(2,2,1):(1,2,0)"), Underscore{})
          .value();
  const TiledCopy copy = make_tiled_copy_a(parse_copy_atom("Copy_Atom<SM75_U32x4_LDSM_N,half_t>").value(), mma).value();
  CHECK(copy.retile(oracle::layout_argument("((2,2,2),2,4):((1,2,4),8,16)")).has_value());
  const Result<Layout> tile = copy.retile(oracle::layout_argument("(64,64):(64,1)"));
  REQUIRE_FALSE(tile.has_value());
  CHECK(tile.error().code == ErrorCode::rank_mismatch);
  CHECK(tile.error().message.find("(64,64):(64,1) has rank 2; what is partitioned already has rank 3") != std::string::npos);
  CHECK(tile.error().notes.at(0).find("partition_S") == 0);
}
