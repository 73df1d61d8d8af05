// SPDX-License-Identifier: BSD-3-Clause
// Wavefronts beside figures measured on an H200.
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "core/atom/copy/warp_access.hpp"

#include "core/layout/swizzle.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

// Lane l reads element (l, 0) of a row-major tile with rows of `pitch` elements.
WarpAccess column_read(std::int64_t pitch, std::int64_t bytes) {
  WarpAccess access;
  access.bytes = bytes;
  for (std::int64_t lane = 0; lane < 32; ++lane) access.address[static_cast<std::size_t>(lane)] = lane * pitch * bytes;
  return access;
}

WarpAccess contiguous(std::int64_t bytes) {
  WarpAccess access;
  access.bytes = bytes;
  for (std::int64_t lane = 0; lane < 32; ++lane) access.address[static_cast<std::size_t>(lane)] = lane * bytes;
  return access;
}

Wavefronts loaded(const WarpAccess& access) { return smem_wavefronts(access); }
Wavefronts stored(WarpAccess access) {
  access.kind = WarpAccess::Kind::store;
  return smem_wavefronts(access);
}

}  // namespace

TEST_CASE("column reads of a row-major tile cost what the counters say, for each pitch") {
  const std::int64_t pitch[] = {16, 17, 18, 20, 24, 32, 33, 36, 40, 64, 65, 72};
  const std::int64_t words[] = {16, 1, 2, 4, 8, 32, 1, 4, 8, 32, 1, 8};
  const std::int64_t halves[] = {8, 2, 1, 2, 4, 16, 1, 2, 4, 32, 2, 4};
  for (std::size_t i = 0; i < std::size(pitch); ++i) {
    CAPTURE(pitch[i]);
    CHECK(loaded(column_read(pitch[i], 4)).count == words[i]);
    CHECK(loaded(column_read(pitch[i], 2)).count == halves[i]);
  }
}

TEST_CASE("a contiguous 128-bit access is four wavefronts and no conflict") {
  const Wavefronts w = stored(contiguous(16));
  CHECK(w.count == 4);
  CHECK(w.least == 4);
  CHECK(stored(contiguous(4)).count == 1);
  CHECK(stored(contiguous(8)).count == 2);
}

TEST_CASE("a full broadcast costs 1 wavefront for 32 and 64 bits, 2 for 128") {
  WarpAccess same;
  same.address.fill(64);
  same.bytes = 4;
  CHECK(loaded(same).count == 1);
  same.bytes = 8;
  CHECK(loaded(same).count == 1);
  same.bytes = 16;
  CHECK(loaded(same).count == 2);
}

TEST_CASE("ldmatrix.x4 of 16 rows: 32 wavefronts at a pitch of 128 bytes, 4 with the 128-byte swizzle") {
  WarpAccess rows;
  rows.kind = WarpAccess::Kind::matrix;
  const Swizzle swizzle = Swizzle::make(3, 4, 3).value();
  const auto wavefronts = [&](std::int64_t pitch, bool swizzled) {
    for (std::int64_t lane = 0; lane < 32; ++lane) {
      const std::int64_t address = lane % 16 * pitch + lane / 16 * 16;
      rows.address[static_cast<std::size_t>(lane)] = swizzled ? swizzle(address) : address;
    }
    return loaded(rows).count;
  };
  CHECK(wavefronts(128, false) == 32);
  CHECK(wavefronts(128, true) == 4);
  CHECK(wavefronts(64, false) == 16);
  CHECK(wavefronts(32, false) == 8);
}

TEST_CASE("the least wavefronts of an access are those of its distinct words, 32 at a time") {
  WarpAccess access;
  access.bytes = 4;
  access.address.fill(-1);
  CHECK(loaded(access).count == 0);
  CHECK(loaded(access).least == 0);
  for (std::int64_t lane = 0; lane < 32; ++lane) access.address[static_cast<std::size_t>(lane)] = 128 * lane;
  CHECK(loaded(access).count == 32);
  CHECK(loaded(access).least == 1);
  // 64 bits: two groups of 16 lanes; loads whose neighbours agree are one.
  access.bytes = 8;
  for (std::int64_t lane = 0; lane < 32; ++lane) access.address[static_cast<std::size_t>(lane)] = 8 * (lane / 2);
  CHECK(loaded(access).count == 1);
  CHECK(stored(access).count == 2);
  for (std::int64_t lane = 0; lane < 32; ++lane) access.address[static_cast<std::size_t>(lane)] = 8 * (lane % 2 + lane / 4 * 2);
  CHECK(loaded(access).count == 1);
  CHECK(stored(access).count == 2);
  for (std::int64_t lane = 0; lane < 32; ++lane) access.address[static_cast<std::size_t>(lane)] = 8 * (lane % 4 + lane / 8 * 4);
  CHECK(loaded(access).count == 2);
  // A lane that takes no part agrees with every other.
  for (std::int64_t lane = 0; lane < 32; ++lane) access.address[static_cast<std::size_t>(lane)] = lane % 2 == 0 ? 8 * (lane / 2) : -1;
  CHECK(loaded(access).count == 1);
  CHECK(stored(access).count == 2);
}

TEST_CASE("global memory moves in sectors of 32 bytes, however many lanes ask for one") {
  CHECK(gmem_sectors(contiguous(4)) == 4);
  CHECK(gmem_sectors(contiguous(8)) == 8);
  CHECK(gmem_sectors(contiguous(16)) == 16);
  CHECK(gmem_sectors(column_read(8, 4)) == 32);
  CHECK(gmem_sectors(column_read(16, 4)) == 32);
  CHECK(gmem_sectors(column_read(4, 4)) == 16);
  WarpAccess moved = contiguous(4);
  for (std::int64_t& address : moved.address) address += 16;
  CHECK(gmem_sectors(moved) == 5);
  moved.address.fill(-1);
  CHECK(gmem_sectors(moved) == 0);
  moved.address[7] = 28, moved.bytes = 8;
  CHECK(gmem_sectors(moved) == 2);
}

TEST_CASE("the least sectors are those of the distinct bytes, however many lanes ask for one") {
  WarpAccess same = contiguous(4);
  CHECK(least_gmem_sectors(same) == 4);
  same.address.fill(60);
  same.bytes = 8;  // 60 to 67: two sectors by where they lie, one by how many they are
  CHECK(gmem_sectors(same) == 2);
  CHECK(least_gmem_sectors(same) == 1);
}

TEST_CASE("the first conflict names its lanes and the banks that they meet in") {
  const auto words = [](WarpAccess access) {
    const auto found = first_conflict(access);
    return found ? describe(*found, access.kind == WarpAccess::Kind::store) : "none";
  };
  CHECK(words(column_read(32, 4)) == "phase 0: lanes 0-31 read bank 0");
  CHECK(words(column_read(33, 4)) == "none");
  CHECK(words(contiguous(16)) == "none");
  // Rows of 64 bytes: of the 8 lanes of a phase every second begins at bank 0, and takes 4 banks.
  WarpAccess rows;
  rows.kind = WarpAccess::Kind::matrix;
  for (std::int64_t lane = 0; lane < 32; ++lane) rows.address[static_cast<std::size_t>(lane)] = lane < 8 ? -1 : lane * 64;
  CHECK(words(rows) == "phase 1: lanes 8, 10, 12, 14 read banks 0-3");
  rows.kind = WarpAccess::Kind::store;
  rows.bytes = 16;
  CHECK(words(rows) == "phase 1: lanes 8, 10, 12, 14 write banks 0-3");
}
