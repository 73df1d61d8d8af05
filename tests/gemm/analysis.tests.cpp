// SPDX-License-Identifier: BSD-3-Clause
// Wavefronts beside figures measured on an H200.
#include "core/gemm/run/analysis.hpp"

#include "core/gemm/lower/lower.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/gemm_specs.hpp"

using namespace tessera;

namespace {

// Lane l reads element (l, 0) of a row-major tile with rows of `pitch` elements.
Access column_read(std::int64_t pitch, std::int64_t bytes) {
  Access access;
  access.bytes = bytes;
  for (std::int64_t lane = 0; lane < 32; ++lane) access.address[static_cast<std::size_t>(lane)] = lane * pitch * bytes;
  return access;
}

Access contiguous(std::int64_t bytes) {
  Access access;
  access.bytes = bytes;
  for (std::int64_t lane = 0; lane < 32; ++lane) access.address[static_cast<std::size_t>(lane)] = lane * bytes;
  return access;
}

}  // namespace

TEST_CASE("column reads of a row-major tile cost what the counters say, for each pitch") {
  const std::int64_t pitch[] = {16, 17, 18, 20, 24, 32, 33, 36, 40, 64, 65, 72};
  const std::int64_t words[] = {16, 1, 2, 4, 8, 32, 1, 4, 8, 32, 1, 8};
  const std::int64_t halves[] = {8, 2, 1, 2, 4, 16, 1, 2, 4, 32, 2, 4};
  for (std::size_t i = 0; i < std::size(pitch); ++i) {
    CAPTURE(pitch[i]);
    CHECK(smem_wavefronts(column_read(pitch[i], 4), false).count == words[i]);
    CHECK(smem_wavefronts(column_read(pitch[i], 2), false).count == halves[i]);
  }
}

TEST_CASE("a contiguous 128-bit access is four wavefronts and no conflict") {
  const Wavefronts w = smem_wavefronts(contiguous(16), true);
  CHECK(w.count == 4);
  CHECK(w.least == 4);
  CHECK(smem_wavefronts(contiguous(4), true).count == 1);
  CHECK(smem_wavefronts(contiguous(8), true).count == 2);
}

TEST_CASE("a full broadcast costs 1 wavefront for 32 and 64 bits, 2 for 128") {
  Access same;
  same.address.fill(64);
  same.bytes = 4;
  CHECK(smem_wavefronts(same, false).count == 1);
  same.bytes = 8;
  CHECK(smem_wavefronts(same, false).count == 1);
  same.bytes = 16;
  CHECK(smem_wavefronts(same, false).count == 2);
}

TEST_CASE("ldmatrix.x4 of 16 rows: 32 wavefronts at a pitch of 128 bytes, 4 with the 128-byte swizzle") {
  Access rows;
  rows.matrix = true;
  const Swizzle swizzle = Swizzle::make(3, 4, 3).value();
  const auto wavefronts = [&](std::int64_t pitch, bool swizzled) {
    for (std::int64_t lane = 0; lane < 32; ++lane) {
      const std::int64_t address = lane % 16 * pitch + lane / 16 * 16;
      rows.address[static_cast<std::size_t>(lane)] = swizzled ? swizzle(address) : address;
    }
    return smem_wavefronts(rows, false).count;
  };
  CHECK(wavefronts(128, false) == 32);
  CHECK(wavefronts(128, true) == 4);
  CHECK(wavefronts(64, false) == 16);
  CHECK(wavefronts(32, false) == 8);
}

TEST_CASE("the tour's tensor-core tiles have no bank conflicts, and say so") {
  const GemmPlan plan = lower(support::tensor(128, 128, 32)).value();
  const Simulation result = simulate(plan, integer_input(plan, 1)).value();
  for (const AccessSummary& row : summarize(result.trace)) {
    CAPTURE(static_cast<int>(row.step));
    if (row.shared) CHECK(row.units == row.least_units);
    CHECK(row.instructions > 0);
  }
}

TEST_CASE("global memory moves in sectors of 32 bytes, however many lanes ask for one") {
  CHECK(gmem_sectors(contiguous(4)) == 4);
  CHECK(gmem_sectors(contiguous(8)) == 8);
  CHECK(gmem_sectors(contiguous(16)) == 16);
  CHECK(gmem_sectors(column_read(8, 4)) == 32);
  CHECK(gmem_sectors(column_read(16, 4)) == 32);
  CHECK(gmem_sectors(column_read(4, 4)) == 16);
  Access moved = contiguous(4);
  for (std::int64_t& address : moved.address) address += 16;
  CHECK(gmem_sectors(moved) == 5);
  moved.address.fill(-1);
  CHECK(gmem_sectors(moved) == 0);
  moved.address[7] = 28, moved.bytes = 8;
  CHECK(gmem_sectors(moved) == 2);
}
