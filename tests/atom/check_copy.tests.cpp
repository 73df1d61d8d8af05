// SPDX-License-Identifier: BSD-3-Clause
// What a tiled copy does to a tile, and the search for a better one.
#include "core/atom/copy/check_copy.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <rapidcheck.h>

#include "core/atom/advice/find_copy.hpp"
#include "core/atom/copy/automatic_copy.hpp"
#include "core/atom/instructions/catalog.hpp"
#include "core/layout/composed_algebra.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

IntTuple pair(std::int64_t a, std::int64_t b) { return IntTuple::tuple({a, b}); }
Layout grid(std::int64_t m, std::int64_t n, std::int64_t sm, std::int64_t sn) { return Layout::make(pair(m, n), pair(sm, sn)).value(); }
Layout rows(std::int64_t m, std::int64_t n, std::int64_t pitch) { return grid(m, n, pitch, 1); }
CopyAtom atom_of(const char* name, ValueType type = ValueType::f16) { return CopyAtom::make(find_copy_atom(name).value(), type).value(); }
TiledCopy copy_of(const char* atom, const Layout& thr, const Layout& val, ValueType type = ValueType::f16) {
  return make_tiled_copy(atom_of(atom, type), thr, val).value();
}
CopyTile gmem(AnyLayout layout) { return {std::move(layout), AccessSpace::gmem}; }
CopyTile smem(AnyLayout layout) { return {std::move(layout), AccessSpace::smem}; }
CopyTile registers(AnyLayout layout) { return {std::move(layout), std::nullopt}; }
CopyCheck check(const TiledCopy& copy, const CopyTile& source, const CopyTile& destination, std::int64_t bits = 16) {
  auto made = check_copy(copy, source, destination, bits);
  if (!made) FAIL(made.error().message);
  return *made;
}
CopySearch search(const TiledCopy& copy, const CopyTile& source, const CopyTile& destination, std::int64_t bits = 16) {
  auto made = find_copy(copy, check(copy, source, destination, bits), source, destination, bits);
  if (!made) FAIL(made.error().message);
  return *made;
}
const char* const k16Bytes = "UniversalCopy<uint128_t>";
const char* const k2Bytes = "UniversalCopy<uint16_t>";

}  // namespace

TEST_CASE("a copy whose tiles divide the tensor takes every element once, as its partitions say") {
  const Layout tile = rows(64, 64, 64);
  for (const auto& [thr, val] :
       {std::pair{grid(16, 8, 8, 1), grid(1, 8, 0, 1)}, {grid(8, 16, 1, 8), grid(8, 1, 1, 0)}, {grid(32, 4, 4, 1), grid(2, 4, 4, 1)}}) {
    const TiledCopy copy = copy_of(k2Bytes, thr, val);
    const CopyCheck made = check(copy, gmem(tile), smem(tile));
    CHECK(made.coverage.complete());
    CHECK(describe(made.coverage, tile.shape()) == "every element of (64,64) is copied once");
    // Each place against the thread's own partition.
    const CopyPlaces places = copy_places(copy, CopySide::source, tile.shape()).value();
    REQUIRE(places.threads * places.each == 4096);
    for (const std::int64_t thread : {0, 1, 17, 127}) {
      const SliceAndOffset part = copy.partition_s(tile, thread).value();
      for (std::int64_t v = 0; v < places.each; ++v) {
        const std::int64_t element = places.element[static_cast<std::size_t>(v * places.threads + thread)];
        CHECK(tile(element) == part.offset.value() + evaluate(part.layout, v));
      }
    }
  }
}

TEST_CASE("what hangs over the tensor, is left out or is taken twice is said with its first element and owners") {
  CopyCheck made = check(copy_of(k16Bytes, grid(16, 8, 8, 1), grid(1, 8, 0, 1)), gmem(rows(60, 60, 60)), smem(rows(60, 60, 64)));
  CHECK(made.coverage.outside == 64 * 64 - 60 * 60);
  CHECK(made.coverage.missed == 0);
  CHECK(made.coverage.repeated == 0);
  CHECK(describe(made.coverage, pair(60, 60)) == "496 accesses lie outside of (60,60), the first at (0,60): thread 7, value 4");
  CHECK(made.source.access->instruction == "LDG.64");  // columns 56 to 59 are half a vector
  CHECK(made.source.narrowed);
  CHECK(made.source.why_narrowed.starts_with("values 0 to 7 of thread 7 hang over the edge"));
  CHECK_FALSE(made.is_sound());

  // 32 threads down a column of 32, two values 16 rows apart: rows 16 to 31 twice (row 32 is (0,1)), three columns hardly at all.
  const TiledCopy overlapping =
      TiledCopy::make(atom_of(k2Bytes), Layout::make(pair(32, 2), pair(1, 16)).value(), Tiler(std::vector<Tiler>{Tiler(32), Tiler(4)}))
          .value();
  const Layout columns = grid(32, 4, 1, 32);
  made = check(overlapping, gmem(columns), smem(columns));
  CHECK(made.coverage.repeated == 16);
  CHECK(made.coverage.missed == 128 - 48);
  CHECK(to_string(*made.coverage.first_repeated) == "(16,0)");
  CHECK(made.coverage.first.thread == 16);
  CHECK(made.coverage.first.value == 0);
  CHECK(made.coverage.second.thread == 0);
  CHECK(made.coverage.second.value == 1);
  CHECK(to_string(*made.coverage.first_missed) == "(16,1)");
  CHECK(describe(made.coverage, columns.shape()) ==
        "80 of 128 elements are missed, the first is (16,1); 16 of 128 elements are copied more than once, the first is (16,0): by thread "
        "16, "
        "value 0 and by thread 0, value 1");
}

TEST_CASE("alignment is what every access has, and the width is what both sides allow") {
  const TiledCopy copy = copy_of(k2Bytes, grid(16, 8, 8, 1), grid(1, 8, 0, 1));
  CopyCheck made = check(copy, gmem(rows(16, 64, 72)), smem(rows(16, 64, 68)));
  CHECK(made.source.alignment == 16);  // halves one by one
  CHECK(made.source.neighbours == 8);
  CHECK(made.destination.neighbours == 4);
  CHECK(made.vector == 4);
  CHECK(*made.common == 8);
  CHECK(made.limit == "destination: value 0 of thread 8 begins at byte 136, no multiple of 16");

  made = check(copy_of(k16Bytes, grid(16, 8, 8, 1), grid(1, 8, 0, 1)), gmem(rows(16, 64, 72)), smem(rows(16, 64, 68)));
  CHECK(made.source.alignment == 128);
  CHECK(made.destination.alignment == 64);
  CHECK_FALSE(made.destination.access);
  CHECK(made.destination.refused ==
        "STS.128 faults when it runs: UniversalCopy<uint128_t> takes 16 bytes at a multiple of as many, and value 0 of thread 8 lies at "
        "byte 136, no multiple of 16");

  made = check(copy, gmem(rows(16, 64, 64)), smem(grid(16, 64, 1, 16)));
  CHECK(made.vector == 1);
  CHECK(made.limit == "destination: values 0 and 1 of thread 0 lie 16 elements apart, and none of its others between them");
  // Neighbours on each side, and not the same ones.
  made = check(copy_of(k2Bytes, grid(1, 1, 0, 0), grid(4, 4, 1, 4)), gmem(rows(4, 4, 4)), smem(grid(4, 4, 1, 4)));
  CHECK(made.source.neighbours == 8);
  CHECK(made.destination.neighbours == 8);
  CHECK(made.vector == 1);
  CHECK(made.limit.starts_with("both sides: values 0 and 4 of thread 0 are neighbours in the source, and lie 4 elements apart"));
  // A tensor that begins 4 halves behind a multiple of 16 bytes.
  CopyTile shifted = gmem(rows(16, 64, 64));
  shifted.offset = 4;
  CHECK(check(copy_of(k16Bytes, grid(16, 8, 8, 1), grid(1, 8, 0, 1)), shifted, smem(rows(16, 64, 64))).source.alignment == 64);
}

TEST_CASE("where all begins are aligned the width is CuTe's max_common_vector, up to 16 bytes") {
  const TiledCopy copy = copy_of(k2Bytes, grid(8, 4, 4, 1), grid(2, 8, 8, 1));
  const Layout row = rows(32, 64, 64), column = grid(32, 64, 1, 32);
  const AnyLayout swizzled = composition(Swizzle::make(3, 3, 3).value(), 0, row),
                  narrow = composition(Swizzle::make(2, 1, 4).value(), 0, row);
  for (const AnyLayout& a : {AnyLayout(row), AnyLayout(column), swizzled, narrow}) {
    for (const AnyLayout& b : {AnyLayout(row), AnyLayout(column), swizzled, narrow}) {
      CAPTURE(to_string(a), to_string(b));
      const CopyCheck made = check(copy, gmem(a), smem(b));
      REQUIRE(made.common);
      // Both behind the swizzle of pieces of 2: CuTe's common vector is of places, and nvcc takes a piece at a time (ld.global.u32).
      const bool in_pieces = to_string(a) == to_string(narrow) && to_string(b) == to_string(narrow);
      CHECK(made.vector == (in_pieces ? 2 : std::min<std::int64_t>(*made.common, 8)));
      CHECK(made.limit.empty() == (made.vector == 8));
    }
  }
}

TEST_CASE("an automatic copy is as wide as its tensors allow, and no wider than it assumes them to be aligned") {
  const Layout thr = grid(16, 8, 8, 1), val = grid(1, 8, 0, 1), tile = rows(16, 64, 64);
  CHECK(check(copy_of("AutoVectorizingCopyWithAssumedAlignment<128>", thr, val), gmem(tile), smem(tile)).source.access->instruction ==
        "LDG.128");
  CHECK(check(copy_of("AutoVectorizingCopyWithAssumedAlignment<32>", thr, val), gmem(tile), smem(tile)).source.access->instruction ==
        "LDG");
  // What nvcc 13.0 makes of it for sm_90a: DefaultCopy takes halves of global memory one by one, and joins them in shared memory.
  const CopyCheck by_default = check(copy_of("DefaultCopy", thr, val), gmem(tile), smem(tile));
  CHECK(by_default.source.access->instruction == "LDG.U16");
  CHECK(by_default.destination.access->instruction == "STS.128");
}

TEST_CASE("an automatic copy faults where a thread begins at the wrong place, which CuTe does not look at") {
  const Layout thr = grid(16, 8, 8, 1), val = grid(1, 8, 0, 1), tile = rows(16, 64, 64);
  const auto width = [&](const char* atom, std::int64_t pitch) {
    const CopyCheck made = check(copy_of(atom, thr, val), gmem(tile), smem(rows(16, 64, pitch)));
    CHECK(made.source.access);
    return made.destination.access ? made.destination.access->instruction : made.destination.refused;
  };
  // One tile of the copy: CuTe sees 8 neighbours, and no stride between rows. nvcc 13.0 makes st.shared.v2.u64 of each, misaligned or not.
  CHECK(width("AutoVectorizingCopyWithAssumedAlignment<128>", 68).starts_with("STS.128 faults when it runs"));
  CHECK(width("AutoVectorizingCopyWithAssumedAlignment<64>", 65).starts_with("STS.64 faults when it runs"));
  CHECK(width("AutoVectorizingCopyWithAssumedAlignment<64>", 68) == "STS.64");
  CHECK(width("AutoVectorizingCopyWithAssumedAlignment<64>", 72) == "STS.128");  // two of them, joined
  CHECK(width("DefaultCopy", 68) == "STS.64");
  CHECK(width("DefaultCopy", 65) == "STS.U16");
  // Two bytes are joined in a row of 8, and left apart in one of 16: nvcc 13.0 makes st.shared.v2.u8 and st.shared.u8 of them.
  const auto of_bytes = [&](std::int64_t values, std::int64_t pitch) {
    const TiledCopy copy = copy_of("DefaultCopy", grid(16, 4, 4, 1), grid(1, values, 0, 1), ValueType::u8);
    return check(copy, gmem(tile), smem(rows(16, 64, pitch)), 8).destination.access->instruction;
  };
  CHECK(of_bytes(8, 66) == "STS.U16");
  CHECK(of_bytes(16, 66) == "STS.U8");
  CHECK(of_bytes(16, 68) == "STS");
  // Pairs that go to registers: nvcc 13.0 makes ld.shared.v4.u8 and v4.u16 of them, and v4.u32 of elements and of vectors of four.
  const auto loaded = [&](const char* atom, ValueType type, std::int64_t bits) {
    const TiledCopy copy = copy_of(atom, grid(16, 4, 4, 1), grid(1, 16, 0, 1), type);
    return check(copy, smem(tile), registers(tile), bits).source.access->instruction;
  };
  CHECK(loaded("AutoVectorizingCopyWithAssumedAlignment<16>", ValueType::u8, 8) == "LDS");
  CHECK(loaded("AutoVectorizingCopyWithAssumedAlignment<32>", ValueType::f16, 16) == "LDS.64");
  CHECK(loaded("AutoVectorizingCopyWithAssumedAlignment<64>", ValueType::f16, 16) == "LDS.128");
  CHECK(loaded("DefaultCopy", ValueType::u8, 8) == "LDS.128");
  // Two rows a thread: their stride is in the type, and its alignment with it.
  const CopyCheck two =
      check(copy_of("AutoVectorizingCopyWithAssumedAlignment<128>", grid(8, 8, 8, 1), val), gmem(rows(16, 64, 68)), {tile, std::nullopt});
  CHECK(two.source.refused.starts_with("LDG.128 faults"));  // 8 rows of 68 are 544: a multiple of 8
  CHECK_FALSE(two.is_sound());
}

TEST_CASE("CuTe's vector is what both sides have in common, in layouts of a thread that is known only when it runs") {
  const Layout thr = grid(8, 4, 4, 1), val = grid(1, 8, 0, 1), row = rows(32, 64, 64), column = grid(32, 64, 1, 32);
  const TiledCopy copy = copy_of("AutoVectorizingCopyWithAssumedAlignment<128>", thr, val);
  const auto vector = [&](const AnyLayout& a, const AnyLayout& b) { return cute_vector(copy, &a, &b, 16).values; };
  const AnyLayout swizzled = composition(Swizzle::make(3, 3, 3).value(), 0, row),
                  pieces = composition(Swizzle::make(3, 2, 3).value(), 0, row), odd = rows(32, 64, 65);
  CHECK(vector(row, row) == 8);
  CHECK(vector(row, swizzled) == 8);
  CHECK(vector(row, pieces) == 4);  // the swizzle flips bit 2 of a place
  CHECK(vector(row, column) == 1);
  CHECK(vector(row, odd) == 8);  // the copy's next tile lies 8 rows on: 520 elements, a multiple of 8
  const Layout by_four = grid(4, 8, 8, 1);
  const TiledCopy four = copy_of("AutoVectorizingCopyWithAssumedAlignment<128>", by_four, val);
  CHECK(cute_vector(four, &odd, nullptr, 16).values == 4);  // 260
  // A stride that arrives when it runs is taken for a multiple of every vector; that of the neighbours has to be known.
  const AnyLayout pitch = Layout::make(IntTuple::tuple({32, 64}), IntTuple::tuple({as_dynamic(IntTuple(65)), 1})).value();
  const AnyLayout step = Layout::make(IntTuple::tuple({32, 64}), IntTuple::tuple({64, as_dynamic(IntTuple(1))})).value();
  CHECK(cute_vector(four, &pitch, nullptr, 16).values == 8);
  CHECK(cute_vector(four, &step, nullptr, 16).values == 1);
  CHECK(cute_vector(copy_of("DefaultCopy", by_four, val), &pitch, nullptr, 16).values == 1);
}

TEST_CASE("the lanes of an automatic copy take a swizzled tile in step, in the order of the tile without its swizzle") {
  const Layout thr = grid(32, 1, 1, 0), val = grid(1, 8, 0, 1), row = rows(32, 64, 64);
  const AnyLayout swizzled = composition(Swizzle::make(3, 3, 3).value(), 0, row);
  const TiledCopy copy = copy_of("AutoVectorizingCopyWithAssumedAlignment<128>", thr, val);
  const CopyCheck made = check(copy, {swizzled, std::nullopt}, smem(swizzled));
  REQUIRE(made.destination.access);
  CHECK(made.destination.access->instruction == "STS.128");
  CHECK(made.destination.access->units == 32);  // as of UniversalCopy<uint128_t>
  CHECK(check(copy, {row, std::nullopt}, smem(row)).destination.access->units == 256);
}

namespace {

// Wavefronts of one instruction by the rule alone: groups of 32, 16 or 8 lanes by the width; of each the most words that one bank is asked
// for. first: byte of each lane. Stores, which pair no lanes.
std::int64_t wavefronts_of(const std::vector<std::int64_t>& first, std::int64_t bytes) {
  const std::size_t group = bytes <= 4 ? 32 : bytes == 8 ? 16 : 8;
  std::int64_t sum = 0;
  for (std::size_t begin = 0; begin < first.size(); begin += group) {
    std::map<std::int64_t, std::set<std::int64_t>> words;  // of each bank
    for (std::size_t lane = begin; lane < begin + group; ++lane) {
      for (std::int64_t byte = first[lane] / 4 * 4; byte < first[lane] + bytes; byte += 4) words[byte / 4 % 32].insert(byte / 4);
    }
    std::size_t most = 0;
    for (const auto& [bank, asked] : words) most = std::max(most, asked.size());
    sum += static_cast<std::int64_t>(most);
  }
  return sum;
}

}  // namespace

TEST_CASE("the i-th instruction of every lane takes the same values, whatever a swizzle does to their places") {
  CHECK(rc::check("as the rule counts them, vector by vector of the tile without its swizzle", [] {
    const std::int64_t vector = *rc::gen::element<std::int64_t>(1, 2, 4, 8), down = *rc::gen::element<std::int64_t>(32, 16, 8, 4);
    const std::int64_t across = 32 / down, values = vector * *rc::gen::element<std::int64_t>(1, 2);
    const std::int64_t m = down * *rc::gen::inRange(1, 3), n = across * values * *rc::gen::inRange(1, 3);
    const Layout plain = rows(m, n, n);
    const auto swizzle = Swizzle::make(*rc::gen::inRange(1, 4), *rc::gen::inRange(0, 5), *rc::gen::inRange(3, 5)).value();
    const AnyLayout tile = composition(swizzle, 0, plain);
    // (m,n) in the tile of the copy -> thread, and a value's place among the thread's: rows of lanes, values along rows
    const TiledCopy copy = copy_of("AutoVectorizingCopyWithAssumedAlignment<128>", grid(down, across, across, 1), grid(1, values, 0, 1));
    const CopyCheck made = check(copy, registers(tile), smem(tile));
    RC_ASSERT(made.destination.access.has_value());
    const std::int64_t wide = made.destination.access->bits / 16;
    const std::int64_t in_row = n / across;  // values of a thread in one row, tile by tile
    RC_ASSERT(in_row % wide == 0);
    std::int64_t units = 0, instructions = 0;
    for (std::int64_t tile_m = 0; tile_m < m; tile_m += down) {
      for (std::int64_t v = 0; v < in_row; v += wide) {
        std::vector<std::int64_t> first;
        for (std::int64_t lane = 0; lane < 32; ++lane) {
          const auto place = [&](std::int64_t value) {
            const std::int64_t row = tile_m + lane / across, column = (value / values * across + lane % across) * values + value % values;
            return swizzle(row * n + column);
          };
          for (std::int64_t i = 0; i < wide; ++i) RC_ASSERT(place(v + i) == place(v) + i);  // what is joined is one access
          RC_ASSERT(place(v) % wide == 0);
          first.push_back(2 * place(v));
        }
        units += wavefronts_of(first, 2 * wide);
        ++instructions;
      }
    }
    RC_ASSERT(made.destination.access->instructions == instructions);
    RC_ASSERT(made.destination.access->units == units);
  }));
}

TEST_CASE("access and check_copy say one width of an automatic copy") {
  CHECK(rc::check("for each memory, atom and layout", [] {
    const char* atom = *rc::gen::element("DefaultCopy", "AutoVectorizingCopyWithAssumedAlignment<32>",
                                         "AutoVectorizingCopyWithAssumedAlignment<64>", "AutoVectorizingCopyWithAssumedAlignment<128>");
    const TiledCopy copy = copy_of(atom, grid(8, 4, 4, 1), grid(1, *rc::gen::element<std::int64_t>(1, 2, 8), 0, 1));
    const Layout plain = *rc::gen::element(rows(16, 64, 64), rows(16, 64, 66), rows(16, 64, 65), grid(16, 64, 1, 16));
    const int base = *rc::gen::inRange(0, 4);
    const AnyLayout tile = base == 0 ? AnyLayout(plain) : composition(Swizzle::make(2, base, 3).value(), 0, plain);
    const AccessSpace space = *rc::gen::element(AccessSpace::smem, AccessSpace::gmem);
    const CopyCheck made = check(copy, {tile, space}, registers(tile));
    const auto pattern = access_pattern(AccessBy(copy), CopySide::source, tile, 16, space);
    RC_ASSERT(static_cast<bool>(pattern));
    const auto report = measure(*pattern, element_offsets(tile).value(), 16, space);
    RC_ASSERT(static_cast<bool>(report) == made.source.access.has_value());
    if (!report) return;
    RC_ASSERT(report->instruction == made.source.access->instruction);
    RC_ASSERT(report->units == made.source.access->units);
  }));
}

TEST_CASE("the search finds no worse a copy than trying all of them by hand, for every shape of tile") {
  for (const auto& [source, destination] : {std::pair{rows(16, 16, 16), rows(16, 16, 16)},
                                            {rows(16, 16, 20), grid(16, 16, 1, 16)},
                                            {grid(16, 16, 1, 16), grid(16, 16, 1, 17)},
                                            {rows(16, 16, 64), rows(16, 16, 18)}}) {
    const TiledCopy copy = copy_of("UniversalCopy<uint32_t>", grid(32, 1, 1, 0), grid(1, 1, 0, 0), ValueType::f32);
    // The copy's tile is wider than the tensor: it hangs over, and every copy that covers the tensor is better.
    const CopySearch made = search(copy, gmem(source), smem(destination), 32);
    REQUIRE(made.better);
    const Layout values[] = {grid(1, 1, 0, 0), grid(1, 2, 0, 1), grid(2, 1, 1, 0), grid(1, 4, 0, 1),
                             grid(4, 1, 1, 0), grid(2, 2, 1, 2), grid(2, 2, 2, 1)};
    std::pair<std::int64_t, std::int64_t> best{1 << 20, 0};
    for (const char* name : {"UniversalCopy<uint32_t>", "UniversalCopy<uint64_t>", "UniversalCopy<uint128_t>"}) {
      const CopyAtom atom = atom_of(name, ValueType::f32);
      const std::int64_t vector = atom.val_layout_src[1].size();
      for (std::int64_t m = 1; m <= 32; m *= 2) {
        for (const Layout& thr : {grid(m, 32 / m, 1, m), grid(m, 32 / m, 32 / m, 1)}) {
          for (const Layout& val : values) {
            if (val.size() % vector != 0) continue;
            const auto other = make_tiled_copy(atom, thr, val);
            if (!other) continue;
            const CopyCheck one = check(*other, gmem(source), smem(destination), 32);
            if (one.is_sound()) best = std::min(best, {one.units, one.instructions});
          }
        }
      }
    }
    CAPTURE(made.better->text);
    CHECK(std::pair(made.better->check.units, made.better->check.instructions) == best);
  }
}

TEST_CASE("the search widens copies along the contiguous mode, and says when nothing takes less") {
  const Layout tile = rows(64, 64, 64);
  CopySearch made = search(copy_of(k2Bytes, grid(16, 8, 8, 1), grid(1, 1, 0, 0)), gmem(tile), smem(tile));
  REQUIRE(made.better);
  CHECK(made.better->text == "make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>, (16,8):(8,1), (1,8))");
  CHECK(made.better->check.units == 64 * 64 * 2 / 32 + 64 * 64 * 2 / 128);
  CHECK(made.better->check.instructions == 2 * 64 * 64 * 2 / (32 * 16));
  CHECK(made.least);

  made = search(made.better->copy, gmem(tile), smem(tile));
  CHECK_FALSE(made.better);
  CHECK(made.least);
  CHECK(made.tried == 0);

  made = search(copy_of("SM80_CP_ASYNC_CACHEALWAYS<uint32_t>", grid(32, 4, 1, 32), grid(1, 2, 0, 1)), gmem(tile), smem(tile));
  REQUIRE(made.better);
  CHECK(made.better->text.starts_with("make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<uint128_t>, half_t>"));
  CHECK(made.better->check.instructions == 64 * 64 * 2 / (32 * 16));  // one instruction is on both sides
}

TEST_CASE("ldmatrix keeps its threads and values, and is tried with more matrices") {
  const TiledMma mma = TiledMma::make(find_mma_atom("SM80_16x8x16_F32F16F16F32_TN").value(),
                                      Layout::make_compact(IntTuple::tuple({2, 2, 1})).value(), Underscore{})
                           .value();
  const TiledCopy single = make_tiled_copy_a(atom_of("SM75_U32x1_LDSM_N"), mma).value();
  const AnyLayout tile = composition(Swizzle::make(3, 3, 3).value(), 0, rows(64, 64, 64));
  const CopyCheck now = check(single, smem(tile), registers(tile));
  CHECK(now.coverage.repeated == 4096);  // two threads along N want each element of A
  CHECK(now.is_sound());
  const CopySearch made = search(single, smem(tile), registers(tile));
  REQUIRE(made.better);
  CHECK(made.better->copy.atom().traits.name == "SM75_U32x4_LDSM_N");
  CHECK(made.better->check.units == now.units);
  CHECK(4 * made.better->check.instructions == now.instructions);
}

TEST_CASE("elements that lie at one place are said, and bound the search by the places that there are") {
  const Layout broadcast = rows(16, 16, 0), tile = rows(16, 16, 16);
  const TiledCopy copy = copy_of("UniversalCopy<uint32_t>", grid(8, 4, 4, 1), grid(1, 1, 0, 0), ValueType::f32);
  CHECK(check(copy, gmem(tile), smem(broadcast), 32).collision == "elements (0,0) and (1,0) of the destination lie at one place");
  CHECK(check(copy, gmem(tile), smem(tile), 32).collision.empty());
  const CopySearch made = search(copy, gmem(broadcast), smem(tile), 32);
  REQUIRE(made.better);
  CHECK_FALSE(made.least);  // 2 sectors hold the 16 places, and no copy of all 256 elements is found that reads so few
  CHECK(made.better->check.source.access->units >= 2);
}

TEST_CASE("instructions that shared memory does not have, and sides of different counts, are said") {
  const Layout thr = grid(16, 8, 8, 1), tile = rows(64, 64, 64);
  const CopyCheck made =
      check(copy_of("SM100_LOAD_256bit_CACHE_NOALLOCATION", thr, grid(1, 8, 0, 1), ValueType::f32), gmem(tile), smem(tile), 32);
  CHECK(made.destination.refused.ends_with("moves 256 bits a thread, and shared memory is accessed by up to 128"));
  CHECK_FALSE(made.is_sound());
  const auto uneven = check_copy(copy_of("UniversalCopy<float,half_t>", thr, grid(1, 8, 0, 1)), gmem(tile), smem(tile), 16);
  REQUIRE_FALSE(uneven);
  CHECK(uneven.error().code == ErrorCode::wrong_type);
}

TEST_CASE("a search that would look at too much stops, and names the tile that it can finish") {
  const Layout wide = rows(2048, 512, 512), tall = grid(2048, 512, 1, 2048);
  const CopySearch made = search(copy_of(k2Bytes, grid(256, 1, 1, 0), grid(1, 64, 0, 1)), gmem(wide), smem(tall));
  CHECK(made.tried < made.candidates);
  CHECK(made.stopped.find("is searched whole") != std::string::npos);
}

TEST_CASE("sides of different shapes, and memory where the instruction has registers, are refused") {
  const TiledCopy copy = copy_of(k2Bytes, grid(16, 8, 8, 1), grid(1, 1, 0, 0));
  const auto shapes = check_copy(copy, gmem(rows(64, 64, 64)), smem(rows(64, 32, 32)), 16);
  REQUIRE_FALSE(shapes);
  CHECK(shapes.error().code == ErrorCode::not_congruent);
  CHECK(shapes.error().message ==
        "the source has the shape (64,64) and the destination (64,32): a copy takes both by the same coordinates");
  const TiledCopy load = copy_of("SM75_U32x4_LDSM_N", grid(32, 1, 1, 0), grid(1, 8, 0, 1));
  CHECK_FALSE(check_copy(load, smem(rows(32, 8, 8)), smem(rows(32, 8, 8)), 16));  // it writes registers
  CHECK_FALSE(check_copy(copy, gmem(rows(64, 64, 64)), smem(rows(64, 64, 64)), 0));
}
