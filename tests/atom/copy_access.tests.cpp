// SPDX-License-Identifier: BSD-3-Clause
// Copies against layouts in memory, beside figures that were measured on an H200, and the search for a layout.
#include "core/atom/copy/copy_access.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "core/atom/advice/find_smem_layout.hpp"
#include "core/atom/instructions/catalog.hpp"
#include "core/layout/composed_algebra.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

IntTuple pair(std::int64_t a, std::int64_t b) { return IntTuple::tuple({a, b}); }
Layout rows(std::int64_t m, std::int64_t n, std::int64_t pitch) { return Layout::make(pair(m, n), pair(pitch, 1)).value(); }
CopyTraits traits(const char* name) { return find_copy_atom(name).value(); }

// (thr) and (val) as shapes of the tile that a copy of loads of one value covers.
TiledCopy copy_of(const char* atom, ValueType type, const Layout& thr, const Layout& val) {
  return make_tiled_copy(CopyAtom::make(traits(atom), type).value(), thr, val).value();
}

AccessReport of(const Result<AccessPattern>& pattern, const AnyLayout& layout, std::int64_t bits, AccessSpace space = AccessSpace::smem) {
  if (!pattern) FAIL(pattern.error().message);
  const auto made = measure(*pattern, element_offsets(layout).value(), bits, space);
  if (!made) FAIL(made.error().message);
  return *made;
}

std::int64_t wavefronts_of_x4(const AnyLayout& layout) {
  return of(access_pattern(traits("SM75_U32x4_LDSM_N"), CopySide::source, layout, 16), layout, 16).units;
}

}  // namespace

TEST_CASE("a column that a tiled copy reads of a row-major tile costs what the counters say, for each pitch") {
  const std::int64_t pitch[] = {16, 17, 18, 20, 24, 32, 33, 36, 40, 64, 65, 72};
  const std::int64_t words[] = {16, 1, 2, 4, 8, 32, 1, 4, 8, 32, 1, 8};
  const std::int64_t halves[] = {8, 2, 1, 2, 4, 16, 1, 2, 4, 32, 2, 4};
  const Layout column = Layout::make(pair(32, 1), pair(1, 0)).value(), one = Layout::make(pair(1, 1), pair(0, 0)).value();
  const TiledCopy of_words = copy_of("UniversalCopy<uint32_t>", ValueType::f32, column, one),
                  of_halves = copy_of("UniversalCopy<uint16_t>", ValueType::f16, column, one);
  for (std::size_t i = 0; i < std::size(pitch); ++i) {
    CAPTURE(pitch[i]);
    const Layout tile = rows(32, 1, pitch[i]);
    const AccessReport made = of(access_pattern(of_words, CopySide::source, tile.shape()), tile, 32);
    CHECK(made.instruction == "LDS");
    CHECK(made.units == words[i]);
    CHECK(made.least == 1);
    CHECK(made.conflict.empty() == (words[i] == 1));
    CHECK(of(access_pattern(of_halves, CopySide::source, tile.shape()), tile, 16).units == halves[i]);
  }
}

TEST_CASE("ldmatrix.x4 of 16 rows costs what the counters say, plain and swizzled") {
  for (const auto& [pitch, plain, bits] : {std::tuple{64, 32, 3}, {32, 16, 2}, {16, 8, 1}}) {
    const Layout tile = rows(16, 16, pitch);
    CHECK(wavefronts_of_x4(tile) == plain);
    CHECK(wavefronts_of_x4(composition(Swizzle::make(bits, 3, 3).value(), 0, tile)) == 4);
  }
}

TEST_CASE("an instruction alone takes every element once, along the contiguous mode") {
  const Layout by_rows = rows(32, 64, 64), by_columns = Layout::make(pair(64, 32), pair(1, 64)).value();
  for (const char* name : {"SM75_U32x1_LDSM_N", "SM75_U32x2_LDSM_N", "SM75_U32x4_LDSM_N", "UniversalCopy<uint64_t>"}) {
    for (const Layout& layout : {by_rows, by_columns}) {
      std::vector<std::int64_t> taken = access_pattern(traits(name), CopySide::source, layout, 16)->element;
      std::erase(taken, -1);
      std::sort(taken.begin(), taken.end());
      REQUIRE(taken.size() == 2048);
      CHECK(std::adjacent_find(taken.begin(), taken.end()) == taken.end());
    }
  }
  // Lane 8 of x4 gives the first row of the matrix below, lane 16 that of the matrix beside.
  const AccessPattern x4 = *access_pattern(traits("SM75_U32x4_LDSM_N"), CopySide::source, by_rows, 16);
  CHECK(x4.element[8] == 8);
  CHECK(x4.element[16] == 8 * 32);
}

TEST_CASE("the source of a tiled copy by ldmatrix is read row by row, and only the lanes that give rows count") {
  const CopyAtom x2 = CopyAtom::make(traits("SM75_U32x2_LDSM_N"), ValueType::f16).value();
  const TiledMma mma = TiledMma::make(find_mma_atom("SM80_16x8x16_F32F16F16F32_TN").value(),
                                      Layout::make(IntTuple::tuple({1, 1, 1}), IntTuple::tuple({0, 0, 0})).value(), Underscore{})
                           .value();
  const TiledCopy copy = make_tiled_copy_b(x2, mma).value();
  const Layout sB = rows(8, 16, 16);  // 8 rows of 32 bytes: 4 of them fill the banks
  const AccessReport made = of(access_pattern(copy, CopySide::source, sB.shape()), sB, 16);
  CHECK(made.instruction == "ldmatrix.x2");
  CHECK(made.instructions == 1);
  CHECK(made.units == 4);
  CHECK(made.least == 2);
  CHECK(made.rows.size() == 2);
  CHECK(made.conflict == "phase 0: lanes 0, 4 read banks 0-3");
  CHECK_FALSE(access_pattern(copy, CopySide::destination, sB.shape()));
}

TEST_CASE("wide accesses are four wavefronts a warp without a conflict, and fewer bits where elements are no neighbours") {
  const Layout wide = rows(8, 64, 64), narrow = Layout::make(pair(8, 64), pair(1, 8)).value();
  AccessReport made = of(access_pattern(128, CopySide::source, wide, 16), wide, 16);
  CHECK(describe(made) == "LDS.128: 8 wavefronts in 2 instructions of 1 warp, the least possible");
  CHECK(made.vectorises);
  const TiledCopy copy = copy_of("UniversalCopy<uint128_t>", ValueType::f16, Layout::make(pair(8, 4), pair(4, 1)).value(),
                                 Layout::make(pair(1, 8), pair(0, 1)).value());
  made = of(access_pattern(copy, CopySide::destination, narrow.shape()), narrow, 16);
  CHECK(made.instruction == "STS.U16");
  CHECK_FALSE(made.vectorises);
  CHECK(made.why_not == "value 1 of thread 0 lies 8 elements behind value 0, not 1");
  CHECK(made.instructions == 16);
  // A copy of single elements that are neighbours could take eight at once.
  const TiledCopy single = copy_of("UniversalCopy<uint16_t>", ValueType::f16, Layout::make(pair(8, 4), pair(4, 1)).value(),
                                   Layout::make(pair(1, 8), pair(0, 1)).value());
  made = of(access_pattern(single, CopySide::source, wide.shape()), wide, 16);
  CHECK(made.bits == 16);
  CHECK(made.why_not.find("accesses of 128 bits would take them at once") != std::string::npos);
}

TEST_CASE("a row that does not begin at a multiple of the width is not read at once") {
  const Layout odd = rows(8, 16, 20);  // rows of 40 bytes
  const AccessReport made = of(access_pattern(128, CopySide::source, odd, 16), odd, 16);
  CHECK(made.bits == 64);
  CHECK(made.why_not.find("no multiple of 16") != std::string::npos);
  const auto x4 = access_pattern(traits("SM75_U32x4_LDSM_N"), CopySide::source, rows(16, 16, 20), 16);
  const auto refused = measure(*x4, element_offsets(rows(16, 16, 20)).value(), 16, AccessSpace::smem);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find("ldmatrix.x4 takes 16 bytes a lane that lie beside each other") != std::string::npos);
  CHECK(refused.error().notes == std::vector<std::string>{"give the other modes strides that are multiples of 8 elements"});
}

TEST_CASE("global memory is counted in sectors") {
  const Layout row_major = rows(32, 32, 32), column_major = Layout::make(pair(32, 32), pair(1, 32)).value();
  const TiledCopy copy = copy_of("UniversalCopy<uint32_t>", ValueType::f32, Layout::make(pair(1, 32), pair(0, 1)).value(),
                                 Layout::make(pair(1, 1), pair(0, 0)).value());
  const AccessReport along = of(access_pattern(copy, CopySide::source, row_major.shape()), row_major, 32, AccessSpace::gmem),
                     across = of(access_pattern(copy, CopySide::source, column_major.shape()), column_major, 32, AccessSpace::gmem);
  CHECK(along.units == 4 * 32);
  CHECK(along.is_best());
  CHECK(across.units == 32 * 32);
  CHECK(across.least == 4 * 32);
  CHECK(across.instruction == "LDG");
}

TEST_CASE("what is no access of a warp's lanes, and tiles that do not divide, are refused") {
  const Layout tile = rows(8, 8, 8);
  CHECK(access_pattern(traits("SM90_TMA_LOAD"), CopySide::source, tile, 16).error().code == ErrorCode::wrong_type);
  CHECK(access_pattern(traits("SM75_U32x4_LDSM_N"), CopySide::source, rows(12, 16, 16), 16).error().code == ErrorCode::not_divisible);
  CHECK(access_pattern(96, CopySide::source, tile, 64).error().code == ErrorCode::not_divisible);
  const TiledCopy copy = copy_of("UniversalCopy<uint32_t>", ValueType::f32, Layout::make(pair(8, 4), pair(4, 1)).value(),
                                 Layout::make(pair(1, 1), pair(0, 0)).value());
  CHECK_FALSE(access_pattern(copy, CopySide::source, pair(12, 8)));
  CHECK(access_pattern(128, CopySide::source, rows(1 << 12, 1 << 12, 1 << 12), 16).error().code == ErrorCode::limit);
}

TEST_CASE("the layout that ldmatrix and stores of 16 bytes want is found, and padding serves the reads alone") {
  const std::vector<SmemUse> uses{{"read", traits("SM75_U32x4_LDSM_N"), CopySide::source},
                                  {"write", std::int64_t{128}, CopySide::destination}};
  const SmemSearch search = find_smem_layout(pair(128, 32), 1, 16, uses).value();
  const auto found = [&](const std::string& layout) {
    const auto at =
        std::find_if(search.found.begin(), search.found.end(), [&](const SmemCandidate& each) { return to_string(each.layout) == layout; });
    REQUIRE(at != search.found.end());
    return *at;
  };
  CHECK(found("Sw<2,3,3> o 0 o (128,32):(32,1)").is_best());
  CHECK(found("Sw<3,3,3> o 0 o (128,32):(32,1)").is_best());
  CHECK(found("Sw<2,3,3> o 0 o (128,32):(32,1)").span == 64);
  CHECK(found("Sw<3,3,3> o 0 o (128,32):(32,1)").span == 0);
  const SmemCandidate padded = found("(128,32):(40,1)"), plain = found("(128,32):(32,1)");
  CHECK(padded.units[0] == 16 * 4);  // 16 instructions of 4 matrices: no conflict
  CHECK(padded.units[1] > found("Sw<2,3,3> o 0 o (128,32):(32,1)").units[1]);
  CHECK(plain.units[0] == 4 * padded.units[0]);
  CHECK(search.tried == search.refused + static_cast<std::int64_t>(search.found.size()));
  CHECK(search.found.front().is_best());
  CHECK(search.found.front().bytes == 128 * 32 * 2);
  // Each candidate's numbers are those of its own layout.
  for (const SmemCandidate& each : {search.found.front(), search.found.back(), padded}) {
    CHECK(each.units[0] == wavefronts_of_x4(each.layout));
    CHECK(each.all == each.units[0] + each.units[1]);
  }
}

TEST_CASE("a layout that takes vectors apart serves no access of vectors") {
  const SmemSearch search = find_smem_layout(pair(128, 32), 1, 16, {{"read", std::int64_t{128}, CopySide::source}}).value();
  CHECK(search.refused > 0);
  for (const SmemCandidate& each : search.found)  // 8 halves stay together: no swizzle of lower bits is found
    CHECK((std::holds_alternative<Layout>(each.layout) || get_swizzle(each.layout).base() >= 3));
}

TEST_CASE("a search that cannot be is refused with what would help") {
  const std::vector<SmemUse> uses{{"read", std::int64_t{128}, CopySide::source}};
  CHECK(find_smem_layout(IntTuple(128), 1, 16, uses).error().code == ErrorCode::rank_mismatch);
  CHECK(find_smem_layout(pair(128, 32), 1, 24, uses).error().code == ErrorCode::not_representable);
  CHECK(find_smem_layout(pair(128, 32), 1, 16, {}).error().code == ErrorCode::wrong_arity);
  CHECK(find_smem_layout(pair(2048, 2048), 1, 16, uses).error().code == ErrorCode::limit);
  CHECK(find_smem_layout(pair(128, 4), 1, 16, uses).error().code == ErrorCode::not_divisible);
}

TEST_CASE("shared memory has no access of more than 128 bits a lane, and global memory one of 256") {
  const CopyTraits wide = traits("UniversalCopy<uint256_t>");
  const auto copy = make_tiled_copy(CopyAtom::make(wide, ValueType::f16).value(), Layout::make_compact(pair(32, 1)).value(),
                                    Layout::make_compact(pair(1, 16)).value());
  REQUIRE(copy);
  const Layout tile = rows(32, 16, 16);
  const auto pattern = access_pattern(*copy, CopySide::source, tile.shape());
  REQUIRE(pattern);
  const auto refused = measure(*pattern, element_offsets(tile).value(), 16, AccessSpace::smem);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find("128 is the most") != std::string::npos);
  CHECK(of(pattern, tile, 16, AccessSpace::gmem).instruction == "LDG.256");
}

TEST_CASE("an access has 8, 16, 32, 64 or 128 bits, and three words of a thread are three accesses") {
  for (const std::int64_t wide : {24, 48, 96, 12, 256}) CHECK_FALSE(access_pattern(wide, CopySide::source, rows(32, 48, 48), 4));
  for (const std::int64_t wide : {8, 16, 32, 64, 128}) CHECK(access_pattern(wide, CopySide::source, rows(32, 32, 32), 4));
  const TiledCopy copy =
      copy_of("UniversalCopy<float>", ValueType::f32, Layout::make_compact(pair(32, 1)).value(), Layout::make_compact(pair(1, 3)).value());
  const auto pattern = access_pattern(copy, CopySide::source, pair(32, 3));
  const AccessReport report = of(pattern, rows(32, 3, 3), 32);  // words 3 apart: 3 and 32 have no common divisor
  CHECK(report.instruction == "LDS");
  CHECK(report.units == 3);
  CHECK(report.is_best());
}
