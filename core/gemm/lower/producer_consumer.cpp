// SPDX-License-Identifier: BSD-3-Clause
// The programs of a producer warpgroup and its consumers: a ring of stages between them, and the ways in which a tile's store hides. Or of
// the consumers alone, the first of which begins the copies too.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/gemm/lower/blocks.hpp"
#include "core/gemm/lower/steps.hpp"
#include "core/gemm/plan/register_file.hpp"

namespace tessera::lowering {

namespace {

using namespace plan;
using namespace blocks;

constexpr Id kFull = 0, kEmpty = 1, kEverybody = 2;  // barriers
constexpr Id kWrite = 0, kRead = 1;                  // cursors

Op tiles(Num first, Num step, Block body, std::string plus = {}) {
  Loop loop;
  loop.variable = "t", loop.first = first, loop.step = step, loop.tiles = true, loop.plus = std::move(plus);
  loop.body = block(std::move(body));
  return op(std::move(loop));
}

// Of an operand that is loaded in several boxes: how many are a part; 0: one.
std::int64_t blocks_of(const Partition& boxes) {
  for (std::size_t i = 0; i < boxes.modes.size(); ++i) {
    if (boxes.modes[i] == "block") return plain_part(boxes.layout)[1][i].size();
  }
  return 0;
}

// The copies of tile `k_tile` begin, into the stage that `write` stands at.
Block fill(const Draft& plan, const Index& k_tile) {
  Block ops{op(Wait{kEmpty, {kWrite}}, "every consumer has released the stage"),
            op(Expect{kFull, {kWrite}}, "the stage's bytes are announced")};
  for (const Operand operand : {Operand::a, Operand::b}) {
    const bool a = operand == Operand::a;
    const OperandPath& path = plan.operands[static_cast<std::size_t>(operand)];
    const std::int64_t blocks = blocks_of(plan.partitions[path.tXsX]);
    std::vector<Pick> picks{{"part", Index{a ? "rank_n" : "rank_m"}}};
    if (blocks > 0) picks.push_back({"block", Index{blocks > 1 ? "block" : ""}});
    Copy copy;
    copy.by = CopyBy::tma_load;
    copy.from = At{path.tXgX, {{"k_tile", k_tile}}}, copy.to = At{path.tXsX, picks, {kWrite}};
    copy.from.picks.insert(copy.from.picks.end(), picks.begin(), picks.end());
    copy.multicast = (a ? plan.cluster_n : plan.cluster_m) > 1;
    copy.atom = copy.multicast ? "SM90_TMA_LOAD_MULTICAST" : "SM90_TMA_LOAD";
    copy.map = a ? 0 : 1, copy.barrier = kFull;
    ops.push_back(blocks > 1 ? loop("block", Num(blocks), true, {op(std::move(copy))}) : op(std::move(copy)));
  }
  ops.push_back(op(Advance{kWrite}));
  return ops;
}

// The consumers' family: its variable, which is the consumer's number, has the family's name.
const char* family(const Draft& plan) { return plan.copies == Copies::producer ? "consumer" : "warpgroup"; }

// Of a family: by its first member.
Op first_member(const char* family, std::int64_t members, Block ops) {
  return members == 1 ? first_thread(std::move(ops)) : equal({family}, 0, {first_thread(std::move(ops))});
}

class Consumer {
 public:
  Consumer(const GemmSpec& spec, const Draft& plan, std::int64_t consumers)
      : spec_(spec),
        plan_(plan),
        consumers_(consumers),
        own_{family(plan)},
        k_tiles_(plan.named(Symbol::k_tiles)),
        boxes_(plan.box == kNone ? 0 : plan.blk_n / plan.box_of_c.columns),
        full_(plan.box == kNone ? kNone : plan.rings[plan.cursors[plan.box].ring].full),
        ahead_(plan.copies == Copies::ahead ? plan.named(Symbol::stages) - 1 : Num()) {}

  Block program() const {
    switch (spec_.overlap) {
      case Overlap::none: return joined({{tiles(0, 1, joined({{op(NextTile{{"t"}})}, whole_tile(0), all_stores()}))}, drained()});
      case Overlap::deferred: return deferred();
      case Overlap::skewed: return skewed();
      case Overlap::ping_pong: return ping_pong();
    }
    return {};
  }

 private:
  static Block joined(std::vector<Block> parts) {
    Block all;
    for (Block& part : parts) append(all, std::move(part));
    return all;
  }
  const OperandPath& path(Operand operand) const { return plan_.operands[static_cast<std::size_t>(operand)]; }
  Index other() const { return {own_.variable, 1, 2}; }  // consumer

  Op wait_full() const { return op(Wait{kFull, {kRead}}, "the stage's operands have arrived"); }
  Op release() const {
    return op(Arrive{kEmpty, {kRead, 1}, 1, plan_.cluster_size() > 1}, "nobody here reads the stage before this one any more");
  }
  // One k-tile of all halves, or of one.
  Op multiply(std::vector<Index> clears, std::int64_t half = -1) const {
    Mma mma;
    mma.by = MmaBy::wgmma;
    mma.a = At{path(Operand::a).partition, {}, {kRead}}, mma.b = At{path(Operand::b).partition, {}, {kRead}};
    mma.c = At{path(Operand::c).fragment};
    if (half >= 0) mma.a.picks = mma.c.picks = {{"MMA_M", Index{"", Num(half)}}};
    mma.descriptor_a = 0, mma.descriptor_b = 1;
    mma.clears = std::move(clears);
    return op(std::move(mma));
  }
  Block issue(std::vector<Index> clears, std::int64_t half = -1) const {
    return {op(Fence{FenceKind::wgmma}, "registers of the sums are in order before wgmma takes them"), multiply(std::move(clears), half),
            op(Commit{GroupOf::wgmma})};
  }
  Block k_step(const std::string& k_tile) const {
    Block body{wait_full()};
    if (spec_.overlap == Overlap::ping_pong) {
      body.push_back(equal({k_tile}, k_tiles_ - 1,
                           {when(Only::tile_exists, {"t", 1}, 0,
                                 {op(Arrive{plan_.turn, {}, kWarpgroup, false, other()}, "the other's turn to multiply")})}));
    }
    append(body, issue({Index{k_tile}}));
    return body;
  }
  Block k_step_end(const std::string& k_tile) const {
    Block ops{op(WaitGroup{GroupOf::wgmma, 1}, "the k-tile before this one is multiplied"), when(Only::at_least, {k_tile}, 1, {release()})};
    append(ops, fill_ahead(k_tile));
    ops.push_back(op(Advance{kRead}));
    return ops;
  }
  // The k-tiles from `first` on, and nothing under way afterwards.
  Block whole_tile(Num first) const {
    Loop loop;
    loop.variable = "k_tile", loop.first = first, loop.count = k_tiles_;
    loop.body = block(joined({k_step("k_tile"), k_step_end("k_tile")}));
    return joined({filled_stages(), {op(std::move(loop)), op(WaitGroup{GroupOf::wgmma, 0}, "the tile is multiplied"), release()}});
  }
  Op by_first(Block ops) const { return first_member(family(plan_), consumers_, std::move(ops)); }
  // So many, or where it is known that there are fewer tiles of K, as many.
  Num least_with_tiles(const Num& count) const { return plan_.is_fixed(k_tiles_) && k_tiles_ < count ? k_tiles_ : count; }
  // Without a producer: tiles go into all stages but one, and a later one into the stage that was just released.
  Block filled_stages() const {
    if (ahead_ == 0) return {};
    Block first = fill(plan_, Index{"stage"});
    if (!plan_.is_fixed(k_tiles_)) first = {below({"stage"}, k_tiles_, std::move(first))};
    return {by_first({loop("stage", least_with_tiles(ahead_), false, std::move(first))})};
  }
  Block fill_ahead(const std::string& k_tile) const {
    const Index later{k_tile, ahead_};
    if (ahead_ == 0 || (plan_.is_fixed(k_tiles_) && ahead_ >= k_tiles_)) return {};
    return {below(later, k_tiles_, {by_first(fill(plan_, later))})};
  }

  // Rows of `half` and the columns of a box: registers -> box in shared memory -> C. With beta, C's elements come into the box before, and
  // each thread adds those that its sums go to.
  Block store_box(Index half, Index box, std::int64_t tiles_back) const {
    const OperandPath& c = path(Operand::c);
    const bool held = spec_.overlap == Overlap::deferred, adds = full_ != kNone;
    const At inside{plan_.leaving, {}, {plan_.box}}, outside{c.tXgX, {{"box", box}, {"MMA_M", half}}, {}, tiles_back};
    Convert convert{At{c.read, {{"box", box}, {"MMA_M", half}}}, At{c.received}, {}};
    if (adds) convert.c = At{plan_.written, {}, {plan_.box}};
    const bool stores = plan_.store_map != kNone;
    const At values = held ? At{c.received, {{"box", box}}} : At{c.received};
    Block free;
    if (stores)
      free.push_back(op(WaitGroup{GroupOf::bulk, Num(plan_.box_of_c.places - 1), true}, "the store that had this box has read it"));
    if (adds) append(free, {op(Expect{full_, {plan_.box}, own_}), op(load_c(outside, inside))});
    Block ops;
    if (!held && !adds) ops.push_back(op(convert));
    if (!free.empty()) ops.push_back(first_thread(std::move(free)));
    if (adds) ops.push_back(op(Wait{full_, {plan_.box}, own_}, "the box's elements of C have arrived"));
    if (adds) ops.push_back(op(convert));
    if (stores || adds) ops.push_back(op(Wait{plan_.box_barrier, {}, own_}, adds ? "everybody has read them" : "the box is free"));
    if (stores) {
      ops.push_back(op(to_box(values, tiles_back)));
      ops.push_back(op(Fence{FenceKind::proxy_async}, "what is written is seen by TMA"));
      ops.push_back(op(Wait{plan_.box_barrier, {}, own_}, "the box is whole"));
      Copy to_gmem;
      to_gmem.by = CopyBy::tma_store;
      to_gmem.from = inside, to_gmem.to = outside;
      to_gmem.atom = "SM90_TMA_STORE";
      to_gmem.map = plan_.store_map;
      ops.push_back(first_thread({op(std::move(to_gmem)), op(Commit{GroupOf::bulk})}));
    }
    if (plan_.left_over != kNone)
      ops.push_back(
          op(left_over(values, {{"box", box}, {"MMA_M", half}}, tiles_back),
             stores ? "TMA stores 16 bytes at once: what ends a row inside of them" : "TMA stores 16 bytes at once, which no row has"));
    ops.push_back(op(Advance{plan_.box}));
    return ops;
  }
  // Each thread its own values, where no map stores them.
  Copy left_over(const At& values, std::vector<Pick> picks, std::int64_t tiles_back) const {
    Copy copy;
    copy.from = values, copy.to = At{plan_.left_over, std::move(picks), {}, tiles_back};
    copy.atom = fmt::format("UniversalCopy<uint{}_t>", bits(plan_.global[kC].type));
    copy.predicate = plan_.partitions[plan_.left_over].coordinates;
    copy.beyond = plan_.store_map;
    return copy;
  }
  Copy load_c(const At& from, const At& to) const {
    Copy copy;
    copy.by = CopyBy::tma_load;
    copy.from = from, copy.to = to;
    copy.atom = "SM90_TMA_LOAD";
    copy.map = plan_.load_map, copy.barrier = full_, copy.member = own_;
    return copy;
  }
  // stmatrix writes elements of 16 bits, four matrices of 8 columns at once and at the end two; of others, each thread its pairs of
  // neighbours.
  Copy to_box(At from, std::int64_t tiles_back) const {
    Copy copy;
    copy.from = std::move(from), copy.to = At{plan_.written, {}, {plan_.box}, tiles_back};
    if (bits(plan_.global[kC].type) == 16) {
      copy.by = CopyBy::stmatrix;
      copy.matrices = plan_.box_of_c.columns == 8 ? 2 : 4, copy.vector = 2 * copy.matrices;
      copy.atom = fmt::format("SM90_U32x{}_STSM_N", copy.matrices);
    } else {
      copy.atom = "UniversalCopy<uint64_t>";
      copy.vector = 2;
    }
    return copy;
  }
  bool is_direct() const { return plan_.box == kNone; }
  // Of one half: a number, where each thread stores its own sums.
  Op stores_of(Index half) const {
    if (!is_direct()) return loop("box", Num(boxes_), true, store_box(std::move(half), Index{"box"}, 0));
    const std::int64_t stores = plan_.store_order[1].size() / plan_.mma_m;
    return stores_of_threads(plan_, half.add * stores, (half.add + 1) * stores);
  }
  Block all_stores() const {
    if (is_direct()) return {stores_of_threads(plan_, 0, plan_.store_order[1].size())};
    if (plan_.mma_m == 1) return {stores_of(Index{})};
    return {loop("half", plan_.named(Symbol::mma_m), true, {stores_of(Index{"half"})})};
  }
  Block drained() const {
    if (plan_.store_map == kNone) return {};
    return {first_thread({op(WaitGroup{GroupOf::bulk, 0}, "C is written before the CTA leaves")})};
  }

  // A box of the last tile leaves under each of this tile's first k-tiles.
  Block deferred() const {
    const OperandPath& c = path(Operand::c);
    const Index p{"box"};
    Block under{below(p, k_tiles_, k_step("box")), when(Only::at_least, {"t"}, 1, store_box(Index{}, p, 1)),
                below(p, k_tiles_, k_step_end("box"))};
    Block body{op(NextTile{{"t"}}), loop("box", Num(boxes_), true, std::move(under))};
    append(body, whole_tile(least_with_tiles(Num(boxes_))));
    body.push_back(op(Convert{At{c.read, {{"MMA_M", Index{}}}}, At{c.received}}, "the tile waits in half the registers"));
    Block last{loop("box", Num(boxes_), true, store_box(Index{}, p, 0))};
    return joined({{tiles(0, 1, std::move(body)), when(Only::tile_exists, {}, 0, std::move(last))}, drained()});
  }

  // Half 0 is stored under the last multiplications of half 1, half 1 under the next tile's first ones of half 0.
  Block skewed() const {
    const std::string final_half_1 = "half 1 of this tile is multiplied";
    Block first{wait_full()};
    append(first, issue({Index{}}));
    first.push_back(op(Advance{kRead}));
    Loop middle;
    middle.variable = "k_tile", middle.first = 1, middle.count = k_tiles_ - 1;
    middle.body =
        block(joined({{wait_full()},
                      issue({}),
                      {op(WaitGroup{GroupOf::wgmma, 1}, "the k-tile before this one is multiplied"), release(), op(Advance{kRead})}}));
    Block last{wait_full()};
    append(last, issue({}, 0));
    last.push_back(multiply({}, 1));
    last.push_back(op(Commit{GroupOf::wgmma}));
    last.push_back(op(WaitGroup{GroupOf::wgmma, 2}, "the k-tile before this one is multiplied"));
    last.push_back(release());
    last.push_back(op(Advance{kRead}));
    last.push_back(op(WaitGroup{GroupOf::wgmma, 1}, "half 0 of this tile is multiplied"));
    last.push_back(stores_of(Index{}));
    Block at_end{op(WaitGroup{GroupOf::wgmma, 0}, final_half_1), release(), stores_of(Index{"", 1})};
    Block onward{wait_full()};
    append(onward, issue({Index{}}, 0));
    append(onward, {op(WaitGroup{GroupOf::wgmma, 1}, final_half_1), release(), stores_of(Index{"", 1})});
    append(onward, issue({Index{}}, 1));
    onward.push_back(op(Advance{kRead}));
    Block body{op(NextTile{{"t"}}), equal({"t"}, 0, std::move(first)), op(std::move(middle))};
    append(body, std::move(last));
    body.push_back(when(Only::tile_missing, {"t", 1}, 0, std::move(at_end)));
    body.push_back(when(Only::tile_exists, {"t", 1}, 0, std::move(onward)));
    return joined({{tiles(0, 1, std::move(body))}, drained()});
  }

  // The consumers take turns: while one multiplies its tile, the other stores.
  Block ping_pong() const {
    Block body{op(NextTile{{"t"}}), op(Wait{plan_.turn, {}, own_}, "this warpgroup's turn to multiply")};
    append(body, whole_tile(0));
    body.push_back(op(Advance{kRead, k_tiles_}, "the other's tile lies between"));
    append(body, all_stores());
    Block all{
        equal(own_, 1, {when(Only::tile_exists, {}, 0, {op(Arrive{plan_.turn, {}, kWarpgroup, false, other()}, "consumer 0 goes first")})}),
        tiles(0, Num(consumers_), std::move(body), own_.variable)};
    append(all, drained());
    return all;
  }

  const GemmSpec& spec_;
  const Draft& plan_;
  std::int64_t consumers_ = 0;
  Index own_;  // this consumer's of the barriers that each has
  Num k_tiles_;
  std::int64_t boxes_ = 0;
  Id full_ = kNone;  // where C is added: on which its elements arrive
  Num ahead_;        // tiles whose copies the first of them begins before that of the one it multiplies; 0: a producer does
};

// One thread keeps the ring full.
Block producer(const GemmSpec& spec, const Draft& plan) {
  Op k_tiles = loop("k_tile", plan.named(Symbol::k_tiles), false, fill(plan, Index{"k_tile"}));
  std::get<Loop>(k_tiles.op).backwards_every_second_tile = spec.k_order == KOrder::zigzag;
  return {first_thread({tiles(0, 1, {op(NextTile{{"t"}}), std::move(k_tiles)})})};
}

// Without a cluster nobody signals a CTA from outside, and it may leave when it is done.
Role role(const Draft& plan, const char* name, std::int64_t first_thread_of, std::int64_t members, std::int64_t registers, Block program) {
  const bool in_cluster = plan.cluster_size() > 1;
  Block all;
  if (first_thread_of == 0)
    all.push_back(first_member(name, members, {op(Fence{FenceKind::mbarrier_init}, "barriers are initialised before anybody arrives")}));
  all.push_back(
      op(Wait{kEverybody}, in_cluster ? "the barriers are initialised, in every CTA of the cluster" : "the barriers are initialised"));
  if (registers > 0) all.push_back(op(SetRegisters{registers}));
  append(all, std::move(program));
  if (in_cluster) all.push_back(op(Wait{kEverybody}, "no CTA leaves while another may still signal it"));
  return Role{name, first_thread_of, kWarpgroup, registers, std::move(all), members};
}

}  // namespace

void add_ring(Draft& plan) {
  const std::int64_t cluster = plan.cluster_size(), warpgroups = plan.mma->num_threads() / kWarpgroup;  // that read a stage
  plan.barriers = {
      {"full", BarrierKind::mbarrier, 1, plan.named(Symbol::stage_bytes), kTileRing},
      {"empty", BarrierKind::mbarrier, warpgroups * cluster, 0, kTileRing},
      cluster > 1 ? Barrier{"cluster", BarrierKind::cluster, plan.threads * cluster} : Barrier{"cta", BarrierKind::cta, plan.threads}};
  plan.rings[kTileRing].full = kFull, plan.rings[kTileRing].empty = kEmpty;
  const Num each =
      plan.overlap == Overlap::ping_pong ? plan.named(Symbol::k_tiles) : Num();  // consumers read one tile of C after the other
  plan.cursors = {{"write", kTileRing}, {"read", kTileRing, 0, each}};
}

void write_producer_and_consumers(const GemmSpec& spec, Draft& plan, std::int64_t consumers, const RegisterSplit& registers) {
  plan.roles.push_back(role(plan, family(plan), 0, consumers, registers.consumer, Consumer(spec, plan, consumers).program()));
  if (plan.copies == Copies::producer)
    plan.roles.push_back(role(plan, "producer", consumers * kWarpgroup, 1, registers.producer, producer(spec, plan)));
}

}  // namespace tessera::lowering
