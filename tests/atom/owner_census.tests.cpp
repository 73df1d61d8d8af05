// SPDX-License-Identifier: BSD-3-Clause
// Who holds C: counted again here, element by element, from CuTe's (thr, val) layout.
#include "core/atom/mma/owner_census.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/atom/instructions/catalog.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

Layout atoms(std::int64_t m, std::int64_t n, std::int64_t k) { return Layout::make_compact(IntTuple::tuple({m, n, k})).value(); }

TiledMma sm80(const Layout& layout, Tiler permutation = Underscore{}) {
  return TiledMma::make(find_mma_atom("SM80_16x8x16_F32F16F16F32_TN").value(), layout, std::move(permutation)).value();
}

Tiler along_n(const Layout& layout) { return Tiler(std::vector<Tiler>{Tiler(TileSize(32)), Tiler(layout), Tiler(TileSize(16))}); }

Layout flat(std::vector<IntTuple> shape, std::vector<IntTuple> stride) {
  return Layout::make(IntTuple::tuple(std::move(shape)), IntTuple::tuple(std::move(stride))).value();
}

}  // namespace

TEST_CASE("every atom of the catalog whose C is in registers gives each element one owner") {
  int seen = 0;
  for (const std::string& name : mma_atom_names()) {
    const auto atom = find_mma_atom(name);
    if (!atom || atom->kind == MmaKind::umma) continue;
    const auto mma = TiledMma::make(*atom, atoms(1, 1, 1), Underscore{});
    if (!mma) continue;
    const auto counted = census_of_c(*mma);
    INFO(name);
    REQUIRE((counted && *counted));
    const auto& census = *counted;
    CHECK(census->one_owner_each());
    CHECK(census->most == 1);
    CHECK(describe(*census).empty());
    ++seen;
  }
  CHECK(seen > 300);
}

TEST_CASE("a permutation that is not one to one is counted as the definition says") {
  // (8, 2, 4) -> n with a mode that stands still: threads of both atoms along N hold the same columns.
  const Layout broken = flat({2, 4, 2, 4}, {1, 8, 0, 2});
  const TiledMma mma = sm80(atoms(2, 2, 1), along_n(broken));
  const auto census = census_of_c(mma).value();
  REQUIRE(census);
  const Layout held = mma.layout_tv(Operand::c, Law::as_cute).value();  // (thr, val) -> (m, n)
  std::map<std::int64_t, int> holders;
  for (std::int64_t i = 0; i < held.size(); ++i) ++holders[held(i)];
  std::int64_t shared = 0, lost = 0;
  for (std::int64_t e = 0; e < census->elements; ++e) {
    shared += holders[e] > 1 ? 1 : 0;
    lost += holders[e] == 0 ? 1 : 0;
  }
  CHECK(census->shared == shared);
  CHECK(census->lost == lost);
  CHECK(census->shared > 0);
  CHECK(census->sharing[0] != census->sharing[1]);
  CHECK(describe(*census).find("threads 0 and 64 both hold (0,0)") != std::string::npos);
}

TEST_CASE("gaps of a permutation are filled by more values of each thread, half of them beyond the tile") {
  const auto census = census_of_c(sm80(atoms(2, 2, 1), along_n(flat({8, 4}, {1, 16})))).value();
  REQUIRE(census);
  CHECK(census->lost == 0);
  CHECK(census->outside == census->elements);
  CHECK(describe(*census).find("beyond C's tile") != std::string::npos);
}

TEST_CASE("a permutation whose elements overlap cannot share C out") {
  CHECK(census_of_c(sm80(atoms(2, 2, 1), along_n(flat({8, 4}, {1, 4})))).error().message.find("complement") != std::string::npos);
}

TEST_CASE("a permutation that is one to one leaves each element one owner, and atoms along K hold partial sums") {
  CHECK(census_of_c(sm80(atoms(2, 2, 1), along_n(flat({2, 4, 4}, {1, 8, 2})))).value()->one_owner_each());
  const auto split = census_of_c(sm80(atoms(2, 1, 2))).value();
  CHECK(split->one_owner_each());
  CHECK(split->partial_sums == 2);
}
