// SPDX-License-Identifier: BSD-3-Clause
// TiledMma against CuTe: thread layouts, tiles, TV layouts, partitions, fragments, inverse views.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/atom/instructions/catalog.hpp"
#include "core/atom/mma/tiled_mma.hpp"
#include "tests/atom/oracle_rows.hpp"

using namespace tessera;

namespace {

TiledMma tiled_mma(const char* atom, const char* layout, const char* permutation) {
  return TiledMma::make(find_mma_atom(atom).value(), parse_layout_text(layout).value(), oracle::permutation_argument(permutation)).value();
}

const char* const kNames[] = {"A", "B", "C"};

Layout tensor_of(const oracle::Row& row, Operand operand, bool row_major) {
  const auto problem = row["problem_MNK"].get<std::vector<std::int64_t>>();
  const std::int64_t rows = operand == Operand::b ? problem[1] : problem[0];
  const std::int64_t columns = operand == Operand::c ? problem[1] : problem[2];
  const IntTuple shape = IntTuple::tuple({rows, columns});
  return (row_major ? make_layout_row_major(shape) : Layout::make_compact(shape)).value();
}

void compare_operand(oracle::Tally& tally, const oracle::Row& row, const TiledMma& mma, Operand operand) {
  const std::string name = kNames[static_cast<int>(operand)];
  const auto field = [&](const std::string& key, const auto& value) {
    if (row.contains(key)) tally.same_value(row, key, value, row[key]);
  };
  field("layout" + name + "_TV", mma.layout_tv(operand));
  field("layout" + name + (operand == Operand::a ? "_MK" : operand == Operand::b ? "_NK" : "_MN"), mma.layout_inverse(operand));
  field("thrID_" + name, mma.thr_id_of(operand));
  const Layout column_major = tensor_of(row, operand, false);
  field("thrfrg_" + name, mma.thrfrg(operand, column_major));
  field("partition_shape_" + name, mma.partition_shape(operand, column_major.shape()));
  const Layout tensor = tensor_of(row, operand, row["major"] == "LayoutRight");
  for (const auto& part : row.value("partition", oracle::Row::array())) {
    const auto got = mma.partition(operand, AnyLayout(tensor), part["thr"].get<std::int64_t>());
    if (!part.contains(name)) continue;
    tally.same(row, "partition " + name,
               got ? fmt::format("({},{})", to_string(got->layout), to_string(got->offset)) : "refused: " + got.error().message,
               part[name]);
  }
  if (row.contains("fragment") && row["fragment"].contains("frag" + name)) {
    tally.same_value(row, "frag" + name, mma.fragment(operand, tensor), row["fragment"]["frag" + name]);
  }
  const auto refused = row.value("not_admissible", oracle::Row::object());
  if (refused.contains(name)) tally.refused(row, "layout" + name + "_TV", !mma.layout_tv(operand).has_value());
}

}  // namespace

TEST_CASE("tiled MMAs have CuTe's thread layout, tile, TV layouts, partitions, fragments and inverse views") {
  oracle::Tally tally;
  const auto rows = oracle::rows("tiled_mma.jsonl");
  CHECK(rows.size() == 224);
  for (const oracle::Row& row : rows) {
    auto atom = find_mma_atom(row["atom"].get<std::string>());
    if (!atom) {
      tally.same(row, "atom", "refused: " + atom.error().message, row["atom"]);
      continue;
    }
    const auto mma = TiledMma::make(*atom, parse_layout_text(row["atom_layout"].get<std::string>()).value(),
                                    oracle::permutation_argument(row["permutation"]));
    if (!mma) {
      tally.same(row, "tiled_mma", "refused: " + mma.error().message, "made");
      continue;
    }
    tally.same(row, "nthr", std::to_string(mma->num_threads()), std::to_string(row["nthr"].get<int>()));
    tally.same(row, "thr_layout_vmnk", to_string(mma->thr_layout_vmnk()), row["thr_layout_vmnk"]);
    const auto tile = mma->tile_mnk();
    tally.same(row, "tile_shape", fmt::format("({},{},{})", tile[0], tile[1], tile[2]), row["tile_shape"]);
    for (const Operand operand : {Operand::a, Operand::b, Operand::c}) compare_operand(tally, row, *mma, operand);
    for (const auto& part : row.value("partition", oracle::Row::array())) {
      const auto v = mma->thr_vmnk(part["thr"].get<std::int64_t>());
      tally.same(row, "thr_vmnk", v ? fmt::format("({},{},{},{})", (*v)[0], (*v)[1], (*v)[2], (*v)[3]) : "refused", part["thr_vmnk"]);
    }
  }
  INFO(tally.wrong() << " of " << tally.asked() << " wrong");
  CHECK(tally.wrong() == 0);
  CHECK(tally.asked() > 5000);
}

TEST_CASE("the article's 2x2 Volta MMA gives each thread (4,4,4):(17,272,4) of sA and (4,(2,3),4):(1,(16,512),128) of sB") {
  const TiledMma mma = tiled_mma("SM70_8x8x4_F32F16F16F32_NT", "(2,2):(2,1)", "(_,_,_)");
  CHECK(mma.tile_mnk() == std::array<std::int64_t, 3>{16, 16, 4});
  const Layout sA = parse_layout_text("(64,16):(17,1)").value();
  const Layout sB = parse_layout_text("((32,3),16):((1,512),32)").value();
  std::size_t threads = 0;
  for (const std::int64_t thread : mma.thread_ids()) {
    const SliceAndOffset a = mma.partition(Operand::a, AnyLayout(sA), thread).value();
    const SliceAndOffset b = mma.partition(Operand::b, AnyLayout(sB), thread).value();
    CHECK(to_string(a.layout) == "(4,4,4):(17,272,4)");
    CHECK(to_string(b.layout) == "(4,(2,3),4):(1,(16,512),128)");
    ++threads;
  }
  CHECK(threads == 32);
}

TEST_CASE("coordinates with basis strides name the same elements as the TV layout") {
  for (const char* permutation : {"(_,_,_)", "((4,2,2):(1,8,4),(4,2,2):(1,8,4),4)"}) {
    const TiledMma mma = tiled_mma("SM70_8x8x4_F32F16F16F32_NT", "(2,2):(2,1)", permutation);
    for (const Operand operand : {Operand::a, Operand::b, Operand::c}) {
      const auto index = mma.layout_tv(operand);
      const auto coords = mma.layout_tv_coords(operand);
      REQUIRE(index.has_value());
      REQUIRE(coords.has_value());
      const std::int64_t rows = operand == Operand::b ? mma.tile_mnk()[1] : mma.tile_mnk()[0];
      for (std::int64_t i = 0; i < index->size(); ++i) {
        const IntTuple c = evaluate(*coords, i);
        CHECK(c[0].value() + rows * c[1].value() == (*index)(i));
      }
    }
  }
}

TEST_CASE("a swizzled tensor's partition gives the addresses of the swizzled elements") {
  const TiledMma mma = tiled_mma("SM80_16x8x16_F32F16F16F32_TN", "(2,2):(1,2)", "(32,32,16)");
  const Layout tile = parse_layout_text("(64,64):(64,1)").value();
  const ComposedLayout sA{Swizzle::make(3, 3, 3).value(), 0, tile};
  for (const std::int64_t thread : {0, 1, 5, 31, 64, 127}) {
    const SliceAndOffset plain = mma.partition(Operand::a, AnyLayout(tile), thread).value();
    const SliceAndOffset swizzled = mma.partition(Operand::a, AnyLayout(sA), thread).value();
    for (std::int64_t i = 0; i < size(plain.layout); ++i) {
      const std::int64_t unswizzled = evaluate(plain.layout, i) + plain.offset.value();
      CHECK(evaluate(swizzled.layout, i) + swizzled.offset.value() == Swizzle::make(3, 3, 3).value()(unswizzled));
    }
  }
}

TEST_CASE("a tiled MMA refuses what has no meaning") {
  const MmaAtom atom = find_mma_atom("SM80_16x8x16_F32F16F16F32_TN").value();
  const auto layout = [](const char* text) { return parse_layout_text(text).value(); };
  CHECK(TiledMma::make(atom, layout("(1,1,1,1):(0,0,0,0)"), Underscore{}).error().code == ErrorCode::rank_mismatch);
  CHECK(TiledMma::make(atom, layout("1:0"), oracle::permutation_argument("(1,1,1,1)")).error().code == ErrorCode::rank_mismatch);
  const TiledMma mma = TiledMma::make(atom, layout("1:0"), Underscore{}).value();
  CHECK(!mma.thrfrg(Operand::a, layout("10:1")).has_value());
  CHECK(!mma.partition(Operand::a, AnyLayout(layout("(16,16):(1,16)")), -1).has_value());
  const TiledMma wgmma = tiled_mma("SM90_64x64x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::K>", "1:0", "(_,_,_)");
  CHECK(!wgmma.fragment(Operand::a, layout("(64,16):(1,64)")).has_value());
  CHECK(wgmma.fragment(Operand::c, layout("(64,64):(1,64)")).has_value());
}
