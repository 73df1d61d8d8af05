// SPDX-License-Identifier: BSD-3-Clause
// The stages of every kernel, at the end: how many tiles of K are in shared memory at once, and where. And the program of a CTA whose warps
// all do the same: when tiles are copied into a stage, waited for, loaded, multiplied and stored; or only loaded, multiplied and stored.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/gemm/lower/blocks.hpp"
#include "core/gemm/lower/steps.hpp"
#include "core/gemm/plan/alignment.hpp"

namespace tessera::lowering {

namespace {

using namespace plan;    // the operations
using namespace blocks;  // and how they are put together

constexpr std::int64_t kMostStages = 16;

constexpr Id kReadCursor = 0, kWriteCursor = 1;  // cursors
constexpr Id kCta = 0;                           // barrier

// A group a tile, also where none is left to copy, so that the count of groups tells the tile.
const char* const kAGroupATile = "a group a tile, also an empty one, so that waits count tiles";

// The next tile is on its way, but there is no second stage to copy it to.
bool waits_in_registers(const Draft& plan) { return plan.copies == Copies::ahead && tiles_beside_one(plan) == 0; }

// Writes one plan's program; keeps what its parts ask again and again.
class Program {
 public:
  explicit Program(Draft& plan)
      : plan_(plan),
        asynchronous_(plan.to_smem[kA].instruction == GmemToSmem::cp_async || plan.to_smem[kB].instruction == GmemToSmem::cp_async),
        fetches_(path(Operand::a).tXrX != kNone || path(Operand::b).tXrX != kNone),
        k_tiles_(plan.named(Symbol::k_tiles)),
        mma_k_(plan.named(Symbol::mma_k)),
        stages_(plan.named(Symbol::stages)),
        ahead_(stages_ - 1) {}

  void write() {
    add_functions();
    Block body{op(NextTile{})};
    append(body, main_loop());
    append(body, epilogue());
    plan_.roles = {Role{"cta", 0, plan_.threads, 0, std::move(body)}};
  }

 private:
  const OperandPath& path(Operand operand) const { return plan_.operands[static_cast<std::size_t>(operand)]; }
  const GmemToSmemStep& g2s(Operand operand) const { return plan_.to_smem[static_cast<std::size_t>(operand)]; }

  Copy copy_of(Operand operand, At from, At to) const {
    const GmemToSmemStep& step = g2s(operand);
    Copy copy;
    copy.by = step.instruction == GmemToSmem::cp_async ? CopyBy::cp_async : CopyBy::load_store;
    copy.from = std::move(from), copy.to = std::move(to);
    copy.atom = step.atom_name;
    copy.predicate = plan_.partitions[copy.from.partition].coordinates;
    copy.vector = step.vector;
    copy.threads = step.threads < plan_.threads ? step.threads : 0;
    return copy;
  }
  At tile_in_gmem(Operand operand, Index k_tile) const { return At{path(operand).tXgX, {{"k_tile", std::move(k_tile)}}}; }
  At tile_in_smem(Operand operand) const { return At{path(operand).tXsX, {}, {kWriteCursor}}; }
  At tile_in_registers(Operand operand) const { return At{path(operand).tXrX}; }

  Op call(Id function, std::vector<Index> arguments = {}) const { return op(Named{function, std::move(arguments)}); }

  void add_functions() {
    const Index k_tile{"k_tile"}, k{"k"};
    Block copy, fetch, put, load;
    for (const Operand operand : {Operand::a, Operand::b}) {
      load.push_back(op(load_of(operand)));
      if (!plan_.copies_tiles) continue;
      copy.push_back(op(copy_of(operand, tile_in_gmem(operand, k_tile), tile_in_smem(operand))));
      if (path(operand).tXrX == kNone) {
        fetch.push_back(op(copy_of(operand, tile_in_gmem(operand, k_tile), tile_in_smem(operand))));
      } else {
        fetch.push_back(op(copy_of(operand, tile_in_gmem(operand, k_tile), tile_in_registers(operand))));
        put.push_back(op(copy_of(operand, tile_in_registers(operand), tile_in_smem(operand))));
      }
    }
    if (plan_.copies_tiles && !waits_in_registers(plan_)) {
      copy_tile_ = add({"copy_tile", "the tile k_tile of A and B from global to shared memory", {"k_tile"}, std::move(copy)});
    }
    if (fetches_) {
      fetch_tile_ = add({"fetch_tile", "the tile k_tile of A and B leaves global memory", {"k_tile"}, std::move(fetch)});
      put_tile_ = add({"put_tile", "what fetch_tile holds in registers goes to shared memory", {}, std::move(put)});
    }
    const char* const from = plan_.copies_tiles ? "from shared memory" : "of the tile k_tile from global memory";
    load_ = add({"load_fragments", fmt::format("this thread's fragments of the k-block k {} to registers", from),
                 plan_.copies_tiles ? std::vector<std::string>{"k"} : std::vector<std::string>{"k_tile", "k"}, std::move(load)});
    Mma mma;
    const MmaKind kind = plan_.mma->atom().kind;
    mma.by = kind == MmaKind::fma ? MmaBy::fma : kind == MmaKind::wmma ? MmaBy::wmma : MmaBy::mma_sync;
    mma.a = At{path(Operand::a).fragment, {{"MMA_K", k}}}, mma.b = At{path(Operand::b).fragment, {{"MMA_K", k}}};
    mma.c = At{path(Operand::c).fragment};
    mma.serpentine = true;
    multiply_ = add({"multiply", "C += A B^T for the k-block k", {"k"}, {op(std::move(mma))}});
  }
  Id add(Function function) {
    plan_.functions.push_back(std::move(function));
    return static_cast<Id>(plan_.functions.size() - 1);
  }

  Op load_block(Index k) const {
    if (plan_.copies_tiles) return call(load_, {std::move(k)});
    return call(load_, {Index{"k_tile"}, std::move(k)});
  }

  Copy load_of(Operand operand) const {
    const SmemToRmemStep& step = plan_.to_rmem[static_cast<std::size_t>(operand)];
    const std::vector<Pick> k_block{{"MMA_K", Index{"k"}}};
    Copy copy;
    if (!plan_.copies_tiles) {  // element by element
      copy.from = At{path(operand).read, {{"k_tile", Index{"k_tile"}}, k_block.front()}};
      copy.to = At{path(operand).received, k_block};
      copy.atom = "DefaultCopy";
      copy.predicate = plan_.partitions[copy.from.partition].coordinates;
      return copy;
    }
    copy.by = step.instruction == SmemToRmem::load       ? CopyBy::load_store
              : step.instruction == SmemToRmem::warp     ? CopyBy::wmma_load
              : step.instruction == SmemToRmem::ldmatrix ? CopyBy::ldmatrix
                                                         : CopyBy::ldmatrix_trans;
    copy.from = At{path(operand).read, k_block, {kReadCursor}}, copy.to = At{path(operand).received, k_block};
    copy.atom = step.atom_name;
    copy.vector = step.vector, copy.matrices = step.matrices;
    return copy;
  }

  Block main_loop() const {
    if (!plan_.copies_tiles) return {loop("k_tile", k_tiles_, false, multiply_tile())};
    if (waits_in_registers(plan_)) return next_tile_in_registers();
    if (stages_ == 1) return one_tile_at_a_time();
    if (plan_.copies != Copies::ahead) return many_tiles_at_a_time();
    return plan_.fragments == Fragments::next_k_block && mma_k_ > 1 ? tiles_and_k_blocks_ahead() : tiles_ahead();
  }

  bool may_have_tiles_of_k(std::int64_t count) const { return !plan_.is_fixed(k_tiles_) || k_tiles_ >= count; }

  // The k-blocks of the tile that `read` stands at, or of the tile k_tile in global memory.
  Block multiply_tile() const {
    const Index k{"k"};
    switch (plan_.fragments) {
      case Fragments::all_k_blocks: return {loop("k", mma_k_, true, {load_block(k)}), loop("k", mma_k_, true, {call(multiply_, {k})})};
      case Fragments::next_k_block:
        if (mma_k_ == 1) break;
        return {load_block(Index{}), loop("k", mma_k_, true, {below({"k", 1}, mma_k_, {load_block(Index{"k", 1})}), call(multiply_, {k})})};
      case Fragments::automatic:
      case Fragments::one_k_block: break;
    }
    if (mma_k_ == 1) return {load_block(Index{}), call(multiply_, {Index{}})};
    return {loop("k", mma_k_, false, {load_block(k), call(multiply_, {k})})};
  }

  void wait_for_copies(Block& ops, Num pending, std::string why, std::string why_barrier) const {
    if (asynchronous_) ops.push_back(op(WaitGroup{GroupOf::cp_async, pending}, std::move(why)));
    ops.push_back(op(Wait{kCta}, std::move(why_barrier)));
  }
  void commit(Block& ops, std::string why = {}) const {
    if (asynchronous_) ops.push_back(op(Commit{GroupOf::cp_async}, std::move(why)));
  }

  // One tile in shared memory: copy, wait, multiply, wait.
  Block one_tile_at_a_time() const {
    Block body{call(copy_tile_, {Index{"k_tile"}})};
    commit(body);
    wait_for_copies(body, 0, "this thread's copies have arrived", "the tile is there");
    append(body, multiply_tile());
    if (may_have_tiles_of_k(2)) body.push_back(op(Wait{kCta}, "the tile is no longer needed"));
    body.push_back(op(Advance{kWriteCursor}));
    body.push_back(op(Advance{kReadCursor}));
    return {loop("k_tile", k_tiles_, false, std::move(body))};
  }

  // As many tiles as there are stages: copy them all, wait, multiply them all, wait.
  Block many_tiles_at_a_time() const {
    const Index this_tile{"k_tile", 0, 0, "stage"};
    Block copies{below(this_tile, k_tiles_, {call(copy_tile_, {this_tile}), op(Advance{kWriteCursor})})};
    Block products = multiply_tile();
    products.push_back(op(Advance{kReadCursor}));
    Block body{loop("stage", stages_, true, std::move(copies))};
    commit(body);
    wait_for_copies(body, 0, "this thread's copies have arrived", "the tiles are there");
    body.push_back(loop("stage", stages_, false, {below(this_tile, k_tiles_, std::move(products))}));
    if (may_have_tiles_of_k(stages_ + 1)) body.push_back(op(Wait{kCta}, "the tiles are no longer needed"));
    return {loop("k_tile", k_tiles_, false, std::move(body), stages_)};
  }

  // One tile in shared memory, and the next one on its way in registers.
  Block next_tile_in_registers() const {
    Block body{call(put_tile_), op(Advance{kWriteCursor}), op(Wait{kCta}, "the tile is there"),
               below({"k_tile", 1}, k_tiles_, {call(fetch_tile_, {Index{"k_tile", 1}})})};
    append(body, multiply_tile());
    body.push_back(op(Advance{kReadCursor}));
    if (may_have_tiles_of_k(2)) body.push_back(op(Wait{kCta}, "the tile is no longer needed"));
    return {call(fetch_tile_, {Index{}}), loop("k_tile", k_tiles_, false, std::move(body))};
  }

  // Fills all stages but one, which the loop fills while it reads the first.
  Block filled_stages() const {
    Block body{below({"stage"}, k_tiles_, {call(copy_tile_, {Index{"stage"}})})};
    commit(body, kAGroupATile);
    body.push_back(op(Advance{kWriteCursor}));
    return {loop("stage", ahead_, true, std::move(body))};
  }
  Block copy_ahead(std::string why = {}) const {
    const Index later{"k_tile", ahead_};
    Block body{below(later, k_tiles_, {call(fetches_ ? fetch_tile_ : copy_tile_, {later})})};
    if (!fetches_) body.back().why = std::move(why);
    commit(body, kAGroupATile);
    if (!fetches_) body.push_back(op(Advance{kWriteCursor}));
    return body;
  }
  Block put_ahead() const {
    if (!fetches_) return {};
    return {below({"k_tile", ahead_}, k_tiles_, {call(put_tile_)}), op(Advance{kWriteCursor})};
  }

  // `stages` tiles in shared memory; a later one is copied while this one is multiplied.
  Block tiles_ahead() const {
    Block body;
    wait_for_copies(body, ahead_ - 1, "of this thread's copies, those of this tile have arrived",
                    "the tile is there, and nobody reads the last one, whose stage is written next");
    if (plan_.fragments == Fragments::all_k_blocks) {
      body.push_back(loop("k", mma_k_, true, {call(load_, {Index{"k"}})}));
      append(body, copy_ahead());
      body.push_back(loop("k", mma_k_, true, {call(multiply_, {Index{"k"}})}));
    } else if (mma_k_ == 1) {
      body.push_back(call(load_, {Index{}}));
      append(body, copy_ahead());
      body.push_back(call(multiply_, {Index{}}));
    } else {
      append(body, copy_ahead());
      append(body, multiply_tile());
    }
    append(body, put_ahead());
    body.push_back(op(Advance{kReadCursor}));
    Block all = filled_stages();
    all.push_back(loop("k_tile", k_tiles_, false, std::move(body)));
    return all;
  }

  // The same, and while k-block k is multiplied, k-block k + 1 comes from shared memory.
  Block tiles_and_k_blocks_ahead() const {
    const std::string arrived = "of this thread's copies, those of the next tile have arrived";
    Block last_k = put_ahead();
    wait_for_copies(last_k, ahead_ - 1, arrived, "the next tile is there, and nobody reads this one");
    // Without a condition around the loads, so that they mix with the multiplications.
    last_k.push_back(below({"k_tile", 1}, k_tiles_, {op(Advance{kReadCursor})}));
    last_k.push_back(op(Named{load_, {Index{}}}, "of the next tile; in the last turn of this one again, and unused"));
    Block body{below({"k", 1}, mma_k_, {call(load_, {Index{"k", 1}})}), equal({"k", 1}, mma_k_, std::move(last_k)),
               equal({"k"}, 0, copy_ahead("into the stage of the tile before this one, which nobody reads any more")),
               call(multiply_, {Index{"k"}})};
    Block all = filled_stages();
    wait_for_copies(all, ahead_ - 1, "of this thread's copies, those of the first tile have arrived", "the first tile is there");
    all.push_back(call(load_, {Index{}}));
    all.push_back(loop("k_tile", k_tiles_, false, {loop("k", mma_k_, true, std::move(body))}));
    return all;
  }

  // An atom after the other: its sums go to the warp's patch, and each thread reads those that it will store.
  Op settled_sums() const {
    const std::vector<Pick> atom{{"MMA_M", Index{"m"}}, {"MMA_N", Index{"n"}}};
    Copy put, take;
    put.by = CopyBy::wmma_store, put.atom = "wmma::store_matrix_sync";
    put.from = At{path(Operand::c).fragment, atom}, put.to = At{plan_.patch};
    take.from = At{plan_.own_sums}, take.to = At{plan_.settled, atom};
    take.atom = "DefaultCopy", take.vector = 2;
    Block body{op(std::move(put)), op(Wait{kCta}, "the sums are there"), op(std::move(take)), op(Wait{kCta}, "the patch is free")};
    return loop("m", plan_.named(Symbol::mma_m), true, {loop("n", plan_.named(Symbol::mma_n), true, std::move(body))});
  }

  Block epilogue() const {
    Op stores = stores_of_threads(plan_, 0, plan_.store_order[1].size());
    Block all;
    if (plan_.settled != kNone) all.push_back(settled_sums());
    if (static_cast<std::int64_t>(plan_.mma->thread_ids().size()) == plan_.threads) {
      all.push_back(std::move(stores));
      return all;
    }
    When owners;
    owners.only = Only::owners;
    owners.body = block({std::move(stores)});
    all.push_back(op(std::move(owners), "threads that repeat another thread's part store nothing"));
    return all;
  }

  Draft& plan_;
  bool asynchronous_ = false;  // does any copy go by cp.async?
  bool fetches_ = false;       // does a tile wait in registers while another is multiplied?
  Num k_tiles_, mma_k_;
  Num stages_;  // of the ring that both cursors walk
  Num ahead_;   // tiles that are copied before the one that is multiplied, where copies run ahead
  Id copy_tile_ = kNone, fetch_tile_ = kNone, put_tile_ = kNone, load_ = kNone, multiply_ = kNone;
};

}  // namespace

plan::Op stores_of_threads(const Draft& plan, std::int64_t first, std::int64_t end) {
  const OperandPath& c = plan.path(Operand::c);
  const std::vector<Pick> store{{"store", Index{"store"}}};
  Convert convert{At{c.read, store}, At{c.received}, {}};
  const Id predicate = plan.partitions[c.tXgX].coordinates;
  if (plan.beta != 0.0) convert.c = At{c.tXgX, store}, convert.predicate = predicate;
  Copy copy;
  copy.from = At{c.received}, copy.to = At{c.tXgX, store};
  copy.atom = "DefaultCopy";
  copy.vector = plan.epilogue_vector;
  copy.predicate = predicate;
  Op stores = loop("store", Num(end), true, {op(std::move(convert)), op(std::move(copy))});
  std::get<Loop>(stores.op).first = Num(first);
  return stores;
}

Status lower_stages(const GemmSpec& spec, Draft& plan) {
  if (spec.stages < 1 || spec.stages > kMostStages)
    return refuse(ErrorCode::bad_spec, fmt::format("stages is {}; it must be 1 to {}", spec.stages, kMostStages),
                  fmt::format("stages={}", std::clamp<std::int64_t>(spec.stages, 1, kMostStages)));
  plan.copies_tiles = spec.operands == Operands::smem;
  if (plan.copies_tiles) plan.rings = {Ring{"stage", spec.stages}};
  const bool one = spec.stages == 1, wgmma = spec.mma->atom().kind == MmaKind::wgmma;
  const Copies usual = wgmma ? Copies::producer : one ? Copies::waited_for : Copies::ahead;
  plan.copies = spec.copies != Copies::automatic ? spec.copies : usual;
  plan.fragments = spec.fragments != Fragments::automatic ? spec.fragments : one ? Fragments::one_k_block : Fragments::next_k_block;
  return Done{};
}

void place_stages(Draft& plan) {
  const auto bytes = [&](const SmemTensor& smem) { return plan.rings[kTileRing].stages * smem.stage_elements * bits(smem.type) / 8; };
  SmemTensor &sA = plan.shared[kA], &sB = plan.shared[kB];
  sA.byte_offset = 0;
  sB.byte_offset = round_up(bytes(sA), kSmemAlignment);
  plan.smem_bytes = sB.byte_offset + bytes(sB);
}

std::int64_t tiles_beside_one(const Draft& plan) { return plan.rings[kTileRing].stages - 1; }

Status lower_program(Draft& plan) {
  for (const auto& [operand, field] : {std::pair{kA, "copy_a"}, {kB, "copy_b"}}) {
    const GmemToSmemStep& step = plan.to_smem[operand];
    if (step.instruction != GmemToSmem::cp_async || !waits_in_registers(plan)) continue;
    return refuse(ErrorCode::bad_spec,
                  fmt::format("with one stage, the next tile waits in registers while this one is multiplied, but {} is {}, which goes "
                              "past them",
                              field, step.atom_name),
                  fmt::format("stages=2, copies=waited_for, or UniversalCopy in {}", field));
  }
  Program(plan).write();
  return Done{};
}

}  // namespace tessera::lowering
