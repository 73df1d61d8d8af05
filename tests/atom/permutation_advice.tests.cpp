// SPDX-License-Identifier: BSD-3-Clause
// The permutations that make a thread's elements neighbours, held against the thread-value layouts of the MMAs that they make.
#include "core/atom/advice/permutation_advice.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/atom/instructions/catalog.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

Layout atoms(std::int64_t m, std::int64_t n) { return Layout::make_compact(IntTuple::tuple({m, n, 1})).value(); }
TiledMma mma_of(const MmaAtom& atom, std::int64_t m, std::int64_t n, Tiler permutation = Underscore{}) {
  return TiledMma::make(atom, atoms(m, n), std::move(permutation)).value();
}
TiledMma mma_of(const char* name, std::int64_t m = 1, std::int64_t n = 1, Tiler permutation = Underscore{}) {
  return mma_of(find_mma_atom(name).value(), m, n, std::move(permutation));
}
PermutationAdvice advice(const TiledMma& mma, const PermutationWish& wish) {
  auto made = permutation_for(mma, wish);
  if (!made) FAIL(mma.atom().name << ": " << made.error().message);
  return *made;
}
std::string permutation(const PermutationAdvice& made) { return to_string(made.mma.permutation_mnk()); }

bool by_warps(const MmaAtom& atom) { return atom.kind == MmaKind::mma_sync || atom.kind == MmaKind::wmma || atom.name.starts_with("SM70"); }

// Of every row of the operand and every thread: are the indices along the mode whole runs of `count`, at multiples of it?
bool runs_of(const TiledMma& mma, Operand operand, std::int64_t count, bool& one_owner) {
  const Layout tv = mma.layout_tv(operand).value();  // (thr, val) -> index in the tile
  const std::int64_t first = mma.tile_mnk()[operand == Operand::b ? 1 : 0];
  std::map<std::pair<std::int64_t, std::int64_t>, std::set<std::int64_t>> owned;  // (thread, row) -> indices
  std::map<std::int64_t, std::set<std::int64_t>> owners;
  for (const std::int64_t thread : mma.thread_ids()) {
    for (std::int64_t v = 0; v < tv[1].size(); ++v) {
      const std::int64_t at = tv(thread, v);
      owned[{thread, at % first}].insert(at / first);
      owners[at].insert(thread);
    }
  }
  one_owner = static_cast<std::int64_t>(owners.size()) == first * mma.tile_mnk()[operand == Operand::c ? 1 : 2] &&
              std::all_of(owners.begin(), owners.end(), [](const auto& each) { return each.second.size() == 1; });
  for (const auto& [who, indices] : owned) {
    const std::vector<std::int64_t> all(indices.begin(), indices.end());
    if (static_cast<std::int64_t>(all.size()) % count != 0) return false;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto of = static_cast<std::size_t>(count);
      if (all[i / of * of] % count != 0 || all[i] != all[i / of * of] + static_cast<std::int64_t>(i % of)) return false;
    }
  }
  return true;
}

}  // namespace

TEST_CASE("every warp-wide MMA of the catalogue stores eight neighbours of C with its permutation, and each element has one owner") {
  int looked_at = 0, changed = 0;
  for (const std::string& name : mma_atom_names()) {
    const MmaAtom atom = find_mma_atom(name).value();
    if (!by_warps(atom)) continue;
    for (const auto& [m, n] : {std::pair{1, 1}, {2, 1}, {1, 4}, {2, 2}}) {
      CAPTURE(name, m, n);
      const PermutationAdvice made = advice(mma_of(atom, m, n), {});
      bool one_owner = false;
      CHECK(runs_of(made.mma, Operand::c, 8, one_owner));
      CHECK(one_owner);
      CHECK(made.after.neighbours == 8);
      CHECK(made.after.sectors <= made.before.sectors);
      changed += made.changed ? 1 : 0;
      ++looked_at;
    }
  }
  CHECK(looked_at >= 4 * 90);
  CHECK(changed >= 4 * 80);
}

TEST_CASE("loads of A and B get sixteen bytes of neighbours along K, and what refuses says why") {
  int looked_at = 0;
  for (const std::string& name : mma_atom_names()) {
    const MmaAtom atom = find_mma_atom(name).value();
    if (!by_warps(atom)) continue;
    for (const Operand operand : {Operand::a, Operand::b}) {
      const ValueType type = operand == Operand::a ? atom.val_a : atom.val_b;
      if ((128 % bits(type)) != 0) continue;
      CAPTURE(name, static_cast<int>(operand));
      const auto made = permutation_for(mma_of(atom, 2, 1), {operand, false, bits(type), 128});
      if (!made) {
        CHECK((atom.sparse || !atom.refusal_a.empty() ||
               (operand == Operand::a ? atom.source_a : atom.source_b) != OperandSource::registers));
        continue;
      }
      bool one_owner = false;
      CHECK(runs_of(made->mma, operand, 128 / bits(type), one_owner));
      ++looked_at;
    }
  }
  CHECK(looked_at >= 150);
}

TEST_CASE("the permutation is the smallest that gives a thread enough, and an extent that was given is kept") {
  const char* const name = "SM80_16x8x16_F32F16F16F32_TN";  // a thread has n = 2t, 2t + 1
  PermutationAdvice made = advice(mma_of(name), {});
  CHECK(permutation(made) == "(_,(2,4,4):(1,8,2),_)");
  CHECK(made.before.neighbours == 2);
  CHECK(made.before.instructions == 8);  // 16 values of a thread
  CHECK(made.after.instructions == 2);
  CHECK(made.before.sectors == 4 * 16);  // 8 rows of 16 bytes an instruction, of 8
  CHECK(made.after.sectors == 2 * 16);   // 8 rows of 64 bytes, of 2
  CHECK(permutation(advice(mma_of(name), {Operand::c, false, 16, 64})) == "(_,(2,4,2):(1,4,2),_)");
  CHECK(permutation(advice(mma_of(name, 1, 2), {})) == "(_,(2,8,4):(1,8,2),_)");
  made = advice(mma_of(name), {Operand::c, false, 16, 32});
  CHECK_FALSE(made.changed);
  CHECK(permutation(made) == "(_,_,_)");
  const auto tile = [](std::int64_t n) { return Tiler(std::vector<Tiler>{Tiler(32), Tiler(n), Tiler(32)}); };
  CHECK(permutation(advice(mma_of(name, 1, 1, tile(64)), {})) == "(32,(2,4,8):(1,16,2),32)");
  const auto narrow = permutation_for(mma_of(name, 1, 1, tile(16)), {});
  REQUIRE_FALSE(narrow);
  CHECK(narrow.error().message == "a thread owns 4 values of a row of 16 along N, and 128 bits take 8: 64 bits is the widest store");
  // A thread of 4 times 4 has every fourth index: all of its indices come together.
  CHECK(
      permutation(advice(TiledMma::make(find_mma_atom("UniversalFMA<float,float,float,float>").value(), atoms(4, 4), Underscore{}).value(),
                         {Operand::c, false, 32, 128})) == "(_,(4,4):(4,1),_)");
}

TEST_CASE("along K a permutation is A's and B's alike, along M it is A's and C's") {
  const char* const name = "SM80_16x8x16_F32F16F16F32_TN";  // a thread has k = 2t, 2t + 1, 2t + 8, 2t + 9
  const PermutationAdvice made = advice(mma_of(name), {Operand::a, false, 16, 64});
  CHECK(permutation(made) == "(_,_,(2,4,2):(1,4,2))");
  CHECK(made.other_after == 4);
  CHECK(permutation(advice(mma_of(name), {Operand::b, false, 16, 64})) == permutation(made));
  const PermutationAdvice columns = advice(mma_of(name), {Operand::c, true, 32, 64});  // m = t / 4 and t / 4 + 8
  CHECK(columns.mode == 0);
  CHECK(permutation(columns) == "((8,2):(2,1),_,_)");
}

TEST_CASE("what the hardware orders cannot be permuted") {
  const char* const wgmma = "SM90_64x64x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::K>";
  CHECK_FALSE(advice(mma_of(wgmma), {Operand::c, false, 16, 32}).changed);
  const auto wide = permutation_for(mma_of(wgmma), {});
  REQUIRE_FALSE(wide);
  CHECK(wide.error().code == ErrorCode::not_representable);
  CHECK(wide.error().message.find("a thread owns 2 values") != std::string::npos);
  CHECK(wide.error().message.find("32 bits is the widest store") != std::string::npos);
  CHECK_FALSE(permutation_for(mma_of(wgmma), {Operand::b, false, 16, 64}));
  CHECK_FALSE(permutation_for(mma_of("SM80_16x8x16_F32F16F16F32_TN"), {Operand::c, false, 16, 48}));
  CHECK_FALSE(permutation_for(mma_of("SM80_16x8x16_F32F16F16F32_TN"), {Operand::c, false, 16, 8}));
}
