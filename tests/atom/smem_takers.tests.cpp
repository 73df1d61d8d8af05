// SPDX-License-Identifier: BSD-3-Clause
// Who takes a layout of shared memory as it is: TMA, ldmatrix, and a search that wgmma or UMMA takes part in.
#include "core/atom/tma/smem_takers.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/atom/advice/find_smem_layout.hpp"
#include "core/atom/instructions/catalog.hpp"
#include "core/atom/smem/smem_atoms.hpp"
#include "core/layout/composed_algebra.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/literals.hpp"

using namespace tessera;

namespace {

IntTuple pair(std::int64_t a, std::int64_t b) { return IntTuple::tuple({a, b}); }
Layout read(std::string_view text) { return literals::Reader(text).layout().value(); }
AnyLayout swizzled(int b, int m, int s, std::string_view text) { return composition(Swizzle::make(b, m, s).value(), 0, read(text)); }
std::string tma(const AnyLayout& layout, std::size_t contiguous = 1, std::int64_t bits = 16) {
  const Taken taken = tma_takes(layout, contiguous, bits);
  return taken.is_taken ? taken.how : "no: " + taken.how;
}
SmemOperand operand_of(std::string_view name) { return smem_operand(find_mma_atom(name).value(), Operand::a).value(); }

}  // namespace

TEST_CASE("TMA takes rows of whole spans of its swizzle, and says what refuses the others") {
  CHECK(tma(swizzled(3, 3, 3, "(128,64):(64,1)")) == "64x128 by 128 B");
  CHECK(tma(read("(128,64):(64,1)")) == "64x128");
  CHECK(tma(swizzled(2, 3, 3, "(128,64):(64,1)")) == "no: 128 B swizzled by 64 B");
  CHECK(tma(swizzled(3, 4, 3, "(128,64):(64,1)")) == "no: no such swizzle");
  CHECK(tma(read("(128,4):(4,1)")) == "no: rows of 8 B");
  CHECK(tma(read("(128,64):(72,1)")) == "no: a box at 144 B");
  CHECK(tma(read("(128,64):(128,1)")) == "64x1");  // a row apart each, at multiples of 256 bytes
  CHECK(tma(read("(128,64):(1,128)")) == "no: not along the tensor's rows");
  CHECK(tma(read("(512,64):(64,1)")) == "no: more than 256 in a mode");
  CHECK(tma(swizzled(2, 3, 2, "(64,32):(1,64)"), 0, 32) == "no: 256 B swizzled by 128 B");
  CHECK(tma(swizzled(2, 3, 2, "(32,32):(1,32)"), 0, 32) == "32x32 by 128 B in 32 B");
}

TEST_CASE("TMA and ldmatrix take every canonical layout along K, and ldmatrix no bytes that it would have to transpose") {
  for (const char* name : {"INTER", "SW32", "SW64", "SW128"}) {
    const AnyLayout atom = find_smem_atom("GMMA::Layout_K_" + std::string(name) + "_Atom<half_t>").value().layout;
    const AnyLayout layout = tile_to_shape(atom, pair(128, 64)).value();
    CHECK(tma_takes(layout, 1, 16).is_taken);
    CHECK(ldmatrix_takes(layout, 1, 16).how == "yes");
  }
  CHECK(ldmatrix_takes(read("(64,64):(64,1)"), 1, 16).how == "with conflicts");
  CHECK(!ldmatrix_takes(swizzled(3, 2, 3, "(64,64):(64,1)"), 1, 16).is_taken);
  CHECK(!ldmatrix_takes(read("(64,64):(1,64)"), 0, 8).is_taken);
}

TEST_CASE("where wgmma reads a tile, only layouts with a descriptor are found, and its reads are not counted") {
  const SmemOperand operand = operand_of("SM90_64x64x16_F32F16F16_SS");
  const std::vector<SmemUse> uses{{"read", operand, CopySide::source}, {"write", std::int64_t{128}, CopySide::destination}};
  const SmemSearch search = find_smem_layout(pair(128, 128), 1, 16, uses).value();
  REQUIRE(search.found.size() == 4);
  CHECK(search.found.front().atom == "GMMA::Layout_K_SW128_Atom");
  CHECK(search.found.front().descriptor == "B128");
  CHECK(search.found.front().is_best());
  for (const SmemCandidate& each : search.found) {
    CHECK(find_smem_descriptor(operand, each.layout).made.has_value());
    CHECK(each.units[0] == -1);
    CHECK(each.all == each.units[1]);
  }
  CHECK(search.refused == search.tried - 4);
  CHECK(!search.first_refusal.empty());
}

TEST_CASE("the canonical atoms are candidates where they are asked for, each once") {
  const std::vector<SmemUse> uses{{"write", std::int64_t{128}, CopySide::destination}};
  const SmemSearch without = find_smem_layout(pair(128, 64), 1, 16, uses).value(),
                   with = find_smem_layout(pair(128, 64), 1, 16, uses, true).value();
  const auto named = [](const SmemSearch& search) {
    return std::count_if(search.found.begin(), search.found.end(), [](const SmemCandidate& each) { return !each.atom.empty(); });
  };
  CHECK(named(without) == 0);
  CHECK(named(with) == 4);
  CHECK(with.tried == without.tried + 3);  // of rows of 128 bytes the atom is a swizzle of the tile, which is tried anyway
  for (const SmemCandidate& each : with.found) CHECK(each.descriptor.empty() == (each.span == 0));
}
