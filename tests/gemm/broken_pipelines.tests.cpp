// SPDX-License-Identifier: BSD-3-Clause
// Pipelines that are broken by hand, one way each: refused by `verify` or caught by the machine within four orders, by a sentence that
// names who did what to which stage.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/gemm/lower/lower.hpp"
#include "core/gemm/plan/verify.hpp"
#include "core/gemm/run/simulate.hpp"
#include "core/gemm/text/text.hpp"
#include "tests/gemm/edit_plan.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/gemm_specs.hpp"

using namespace tessera;
using namespace tessera::plan;
using namespace tessera::support;

namespace {

// One tile at a time: 3 k-tiles, one warp.
GemmPlan one_stage() {
  GemmSpec spec = article();
  spec.k = 48, spec.cta_tiler = IntTuple::tuple({64, 96, 16});
  spec.gA = layout(IntTuple::tuple({64, 48}), IntTuple::tuple({1, 64}));
  spec.gB = layout(IntTuple::tuple({96, 48}), IntTuple::tuple({1, 96}));
  spec.gC.reset(), spec.beta = 0.0, spec.alpha = 1.0;
  return lower(spec).value();
}
// cp.async, 3 stages, 5 k-tiles, 4 warps, the next k-block in registers.
GemmPlan pipeline() { return lower(support::tensor(64, 64, 160, 64, 64, 32, 3)).value(); }
GemmPlan with_c() {
  GemmSpec spec = support::tensor(64, 64, 160, 64, 64, 32, 3);
  spec.beta = 1.0;
  return lower(spec).value();
}
// TMA, wgmma, 2 x 1 clusters, two tiles a CTA, 4 k-tiles, 3 stages.
GemmPlan hopper(Overlap overlap) {
  const bool skewed = overlap == Overlap::skewed;
  return lower(support::hopper(overlap, skewed ? 512 : 256, 256, 256, skewed ? 256 : 128, 128, overlap == Overlap::ping_pong ? 1 : 2))
      .value();
}
GemmPlan ring() { return hopper(Overlap::none); }
GemmPlan filled_by_who_multiplies() {
  GemmSpec spec = support::hopper(Overlap::none, 256, 256, 512, 128, 128, 2);
  spec.copies = Copies::ahead;
  return lower(spec).value();
}

// The same pipeline at the edges: 61 x 59 x 157 elements, with C.
GemmPlan ragged() {
  GemmSpec spec = support::tensor(61, 59, 157, 64, 64, 32, 3);
  spec.gA = layout(IntTuple::tuple({61, 157}), IntTuple::tuple({160, 1}));
  spec.gB = layout(IntTuple::tuple({59, 157}), IntTuple::tuple({160, 1}));
  spec.beta = 1.0;
  return lower(spec).value();
}
// Its fragments come from global memory, or its tiles wait in registers.
GemmPlan ragged_gmem() {
  GemmSpec spec = support::from_gmem(support::tensor(61, 59, 45, 64, 64, 32, 1));
  return lower(spec).value();
}
GemmPlan ragged_registers() {
  GemmSpec spec = support::tensor(61, 59, 45, 64, 64, 32, 1);
  spec.copies = Copies::ahead;
  return lower(spec).value();
}
// Strides of coordinates, those along the first mode `times` as long.
IntTuple stretched_rows(const IntTuple& stride, std::int64_t times) {
  if (!stride.is_tuple()) {
    return stride.is_basis() && stride.path().modes[0] == 0 ? IntTuple::basis(times * stride.value(), stride.path()) : stride;
  }
  std::vector<IntTuple> modes;
  for (std::size_t i = 0; i < stride.rank(); ++i) modes.push_back(stretched_rows(stride[i], times));
  return IntTuple::tuple(modes);
}
Becomes without_predicate() {
  return changed<Copy>([](Copy& c) { c.predicate = kNone; });
}

bool is_barrier(const GemmPlan& plan, Id id, std::string_view name) { return plan.barriers[id].name.starts_with(name); }
template <class T>
Matches on(const GemmPlan& plan, std::string_view barrier) {
  return [&plan, barrier](const Op& op) { return as<T>(op) != nullptr && is_barrier(plan, as<T>(op)->barrier, barrier); };
}
Matches copies_to(const GemmPlan& plan, std::string_view partition) {
  return
      [&plan, partition](const Op& op) { return as<Copy>(op) != nullptr && plan.partitions[as<Copy>(op)->to.partition].name == partition; };
}
Matches copies_by(CopyBy by) {
  return [by](const Op& op) { return as<Copy>(op) != nullptr && as<Copy>(op)->by == by; };
}
Matches advances(const GemmPlan& plan, std::string_view cursor) {
  return [&plan, cursor](const Op& op) {
    return as<Advance>(op) != nullptr && plan.cursors[as<Advance>(op)->cursor].name.starts_with(cursor);
  };
}
Matches waits_for(GroupOf of) {
  return [of](const Op& op) { return as<WaitGroup>(op) != nullptr && as<WaitGroup>(op)->of == of; };
}
Matches commits(GroupOf of) {
  return [of](const Op& op) { return as<Commit>(op) != nullptr && as<Commit>(op)->of == of; };
}
Matches fences(FenceKind kind) {
  return [kind](const Op& op) { return as<Fence>(op) != nullptr && as<Fence>(op)->kind == kind; };
}
Matches loops(std::string_view variable) {
  return [variable](const Op& op) { return as<Loop>(op) != nullptr && as<Loop>(op)->variable == variable; };
}
Block by_first_thread(const Op& op) { return Block{Op{When{Only::first_thread, {}, 0, std::make_shared<Block>(Block{op})}}}; }
// The n-th of those that match, from 0.
Matches nth(Matches matches, int n) {
  return [matches = std::move(matches), n, seen = 0](const Op& op) mutable { return matches(op) && seen++ == n; };
}

struct Broken {
  const char* how;
  GemmPlan (*whole)();
  int (*breaks)(GemmPlan&);                 // how many places it changed
  std::vector<std::string_view> machine;    // words of the machine's sentence; empty: only `verify` can know
  std::vector<std::string_view> refused{};  // words of `verify`'s; empty: it need not
};

const Broken kBroken[] = {
    {"the copies of A ask nothing at the edge",
     ragged,
     [](GemmPlan& p) { return edit(p, copies_to(p, "tAsA"), without_predicate()); },
     {"of cta at k_tile 0 reads (61,0) of gA, which has 61 x 157 elements"},
     {"cp.async tAgA(k_tile) -> tAsA[write] reaches beyond gA's 61 x 157 elements in tiles of 64 x 32, and has no predicate"}},
    {"the copies of B ask nothing at the edge",
     ragged,
     [](GemmPlan& p) { return edit(p, copies_to(p, "tBsB"), without_predicate()); },
     {"reads (59,0) of gB, which has 59 x 157 elements"},
     {"reaches beyond gB's 59 x 157 elements"}},
    {"the stores ask nothing at the edge",
     ragged,
     [](GemmPlan& p) { return edit(p, copies_to(p, "tDgC"), without_predicate()); },
     {"stores (61,", "of gC, which has 61 x 59 elements"},
     {"copy tDrD -> tDgC(store) reaches beyond gC's 61 x 59 elements"}},
    {"C is read beyond its edge",
     ragged,
     [](GemmPlan& p) {
       return edit(
           p, [](const Op& op) { return as<Convert>(op) != nullptr; }, changed<Convert>([](Convert& c) { c.predicate = kNone; }));
     },
     {"reads (61,", "of gC, which has 61 x 59 elements"},
     {"tDrD = alpha * tDrC(store) + beta * tDgC(store) reaches beyond gC's 61 x 59 elements"}},
    {"fragments are loaded beyond the edge of A",
     ragged_gmem,
     [](GemmPlan& p) { return edit(p, copies_to(p, "tCrA"), without_predicate()); },
     {"reads (61,", "of gA, which has 61 x 45 elements"},
     {"reaches beyond gA's 61 x 45 elements"}},
    {"a tile is fetched to registers beyond the edge of B",
     ragged_registers,
     [](GemmPlan& p) { return edit(p, copies_to(p, "tBrB"), without_predicate()); },
     {"reads (60,0) of gB, which has 59 x 45 elements"},
     {"reaches beyond gB's 59 x 45 elements"}},
    {"the copies of A ask for the coordinates of B",
     ragged,
     [](GemmPlan& p) {
       const Id other = p.partitions[p.path(Operand::b).tXgX].coordinates;
       return edit(p, copies_to(p, "tAsA"), changed<Copy>([other](Copy& c) { c.predicate = other; }));
     },
     {},
     {"its predicate is of another partition"}},
    {"the coordinates of A are those of C",
     ragged,
     [](GemmPlan& p) {
       AnyLayout& of = p.partitions[p.partitions[p.path(Operand::a).tXgX].coordinates].layout;
       const AnyLayout b = p.partitions[p.partitions[p.path(Operand::c).tXgX].coordinates].layout;
       return of = b, 1;
     },
     {},
     {"tAcA", "is no partition of gA's coordinates with the modes of tAgA"}},
    {"the rows of A lie twice as far apart as they do",
     ragged,
     [](GemmPlan& p) {
       Layout layout = plain_part(p.partitions[p.partitions[p.path(Operand::a).tXgX].coordinates].layout);
       layout = Layout::trusted(layout.shape(), stretched_rows(layout.stride(), 2));
       p.partitions[p.partitions[p.path(Operand::a).tXgX].coordinates].layout = layout;
       return 1;
     },
     {},
     {"of tAgA is at", "in the tile of gA, and tAcA says"}},
    {"every row of A says that it is the first",
     ragged,
     [](GemmPlan& p) {
       Layout layout = plain_part(p.partitions[p.partitions[p.path(Operand::a).tXgX].coordinates].layout);
       layout = Layout::trusted(layout.shape(), stretched_rows(layout.stride(), 0));
       p.partitions[p.partitions[p.path(Operand::a).tXgX].coordinates].layout = layout;
       return 1;
     },
     {},
     {"of tAgA is at", "in the tile of gA, and tAcA says"}},
    {"the coordinates of C are not there",
     ragged,
     [](GemmPlan& p) { return p.partitions[p.path(Operand::c).tXgX].coordinates = kNone, 1; },
     {},
     {"tDgC has no coordinates, and the tiles of gC reach beyond it"}},
    {"the wait for the copies is dropped",
     pipeline,
     [](GemmPlan& p) { return edit(p, waits_for(GroupOf::cp_async), nothing); },
     {"stage 0 of sA is read by cta at k_tile 0 before its copy has arrived", "cp_async of cta at k_tile 0"},
     {"stage 0 of sA", "before its copy has arrived: the cp_async is under way"}},
    {"the wait lets one group too many be under way",
     pipeline,
     [](GemmPlan& p) { return edit(p, waits_for(GroupOf::cp_async), changed<WaitGroup>([](WaitGroup& w) { ++w.pending; })); },
     {"stage 0 of sA is read by cta at k_tile 0 before its copy has arrived", "under way"},
     {"stage 0 of sA", "before its copy has arrived: the cp_async is under way"}},
    {"copies are not committed",
     pipeline,
     [](GemmPlan& p) { return edit(p, commits(GroupOf::cp_async), nothing); },
     {"before its copy has arrived", "under way"},
     {"are not committed"}},
    {"the loop commits nothing",
     pipeline,
     [](GemmPlan& p) { return edit(p, nth(commits(GroupOf::cp_async), 1), nothing); },
     {"stage 1 of sA is read by cta at k_tile 0 before its copy has arrived", "cp_async of cta at k_tile 1 is under way"},
     {"are not committed"}},
    {"the barrier before the first read is dropped",
     pipeline,
     [](GemmPlan& p) { return edit(p, nth(on<Wait>(p, "cta"), 0), nothing); },
     {"stage 0 of sA is read by cta at k_tile 0 before its copy has arrived", "not waited for by who reads"},
     {"stage 0 of sA", "other threads wrote it, without a barrier in between"}},
    {"the barrier of the loop is dropped",
     pipeline,
     [](GemmPlan& p) { return edit(p, nth(on<Wait>(p, "cta"), 1), nothing); },
     {"cta", "k_tile"},
     {"stage 1 of sA", "other threads wrote it, without a barrier in between"}},
    {"the read cursor is not advanced",
     pipeline,
     [](GemmPlan& p) { return edit(p, advances(p, "read"), nothing); },
     {"stage 0 of sA is overwritten too early: the cp_async of cta at k_tile 3", "the ldmatrix of cta at k_tile 0 may still read it"},
     {"stage 0 of sA", "overwritten too early"}},
    {"the write cursor is not advanced",
     pipeline,
     [](GemmPlan& p) { return edit(p, advances(p, "write"), nothing); },
     {"stage 0 of sA is overwritten too early", "may still write it"},
     {"stage 0 of sA", "the other operand has k_tile 0 there"}},
    {"the read cursor starts one too far",
     pipeline,
     [](GemmPlan& p) { return p.cursors[0].first = 1, 1; },
     {"stage 1 of sA is read by cta at k_tile 1 before its copy has arrived"},
     {"stage 1 of sA", "before its copy has arrived: the cp_async is under way"}},
    {"the write cursor starts one too far",
     pipeline,
     [](GemmPlan& p) { return p.cursors[1].first = 1, 1; },
     {"stage 0 of sA is read by cta at k_tile 0 before its copy has arrived: nothing was written there"},
     {"stage 0 of sA", "before its copy has arrived: nothing was written there"}},
    {"fragments are read from the stage before",
     pipeline,
     [](GemmPlan& p) { return edit(p, copies_by(CopyBy::ldmatrix), changed<Copy>([](Copy& c) { c.from.stage.back = 1; })); },
     {"before its copy has arrived"},
     {"stage 2 of sA", "before its copy has arrived: nothing was written there"}},
    {"the fragments of A are not loaded",
     pipeline,
     [](GemmPlan& p) { return edit(p, copies_to(p, "tXrA"), nothing); },
     {"register 0 of rA", "read at k_tile 0 before anything was written there"}},
    {"B is not copied",
     pipeline,
     [](GemmPlan& p) { return edit(p, copies_to(p, "tBsB"), nothing); },
     {"stage 0 of sB is read by cta at k_tile 0 before its copy has arrived: nothing was written there"},
     {"stage 0 of sB", "before its copy has arrived: nothing was written there"}},
    {"the loop ends one k-tile early",
     pipeline,
     [](GemmPlan& p) { return edit(p, loops("k_tile"), changed<Loop>([](Loop& l) { --l.count; })); },
     {"stores tile 0 of C before its last mma: 128 of K's 160"}},
    {"nothing is multiplied",
     pipeline,
     [](GemmPlan& p) {
       return edit(
           p, [](const Op& op) { return as<Mma>(op) != nullptr; }, nothing);
     },
     {"is read before anything was written"}},
    {"a store is missed",
     pipeline,
     [](GemmPlan& p) { return edit(p, loops("store"), changed<Loop>([](Loop& l) { --l.count; })); },
     {"of gC is never stored"},
     {"gC", "never"}},
    {"C is stored twice",
     pipeline,
     [](GemmPlan& p) { return edit(p, copies_to(p, "tDgC"), twice); },
     {"of gC is stored twice: by cta in tile 0"},
     {"gC", "twice"}},
    {"a store moves sixteen elements",
     pipeline,
     [](GemmPlan& p) { return edit(p, copies_to(p, "tAsA"), changed<Copy>([](Copy& c) { c.vector = 16; })); },
     {"moves 16 elements of", "which are not neighbours"}},
    {"the CTA's barrier counts a warp too many",
     pipeline,
     [](GemmPlan& p) { return p.barriers[0].arrivals += 32, 1; },
     {"the roles wait for ever: cta waits for cta, which has 128 of 160 arrivals"},
     {"cta", "160"}},
    {"the CTA's barrier counts a warp too few",
     pipeline,
     [](GemmPlan& p) { return p.barriers[0].arrivals -= 32, 1; },
     {"128 threads of cta arrive on cta", "32 too many"},
     {"cta", "96"}},
    {"the barrier after the copy is dropped",
     one_stage,
     [](GemmPlan& p) { return edit(p, nth(on<Wait>(p, "cta"), 0), nothing); },
     {"is read by cta at k_tile 0 before its copy has arrived", "without a barrier in between"},
     {"stage 0 of sA", "other threads wrote it, without a barrier in between"}},
    {"the barrier before the next copy is dropped",
     one_stage,
     [](GemmPlan& p) { return edit(p, nth(on<Wait>(p, "cta"), 1), nothing); },
     {"stage 0 of sA is overwritten too early: the copy of cta at k_tile 1 writes it while the copy of cta at k_tile 0 may still read it"},
     {"stage 0 of sA", "overwritten too early"}},

    {"a consumer does not wait for the bytes",
     ring,
     [](GemmPlan& p) { return edit(p, on<Wait>(p, "full"), nothing, "consumer 0"); },
     {"is read by consumer 0 of CTA", "at k_tile 0 before its copy has arrived"},
     {"stage 0 of sA", "nobody here waits for full"}},
    {"the producer does not wait for an empty stage",
     ring,
     [](GemmPlan& p) { return edit(p, on<Wait>(p, "empty"), nothing); },
     {"too"},
     {"stage 0 of sA", "overwritten too early"}},
    {"a later tile is copied into a stage that nobody has released",
     filled_by_who_multiplies,
     [](GemmPlan& p) { return edit(p, nth(on<Wait>(p, "empty"), 1), nothing); },
     {"too"},
     {"stage", "overwritten too early"}},
    {"one stage more than all but one is filled before the first tile is multiplied",
     filled_by_who_multiplies,
     [](GemmPlan& p) { return edit(p, loops("stage"), changed<Loop>([](Loop& l) { ++l.count; })); },
     {"the roles wait for ever"},
     {}},
    {"a later tile is copied before the stage of the last one is released",
     filled_by_who_multiplies,
     [](GemmPlan& p) { return edit(p, on<Arrive>(p, "empty"), nothing, "warpgroup 0"); },
     {"the roles wait for ever", "empty of stage"},
     {"empty", "arrivals"}},
    {"a consumer does not release its stages",
     ring,
     [](GemmPlan& p) { return edit(p, on<Arrive>(p, "empty"), nothing, "consumer 1"); },
     {"the roles wait for ever", "producer of CTA 0 waits at k_tile 3 for empty of stage 0 of CTA 0, which has 2 of 4 arrivals"},
     {"empty", "arrivals"}},
    {"stages are released in their own CTA alone",
     ring,
     [](GemmPlan& p) { return edit(p, on<Arrive>(p, "empty"), changed<Arrive>([](Arrive& a) { a.in_whole_cluster = false; })); },
     {"the roles wait for ever", "empty of stage 0 of CTA 0, which has 2 of 4 arrivals"},
     {"empty", "arrivals"}},
    {"a stage is released twice",
     ring,
     [](GemmPlan& p) { return edit(p, on<Arrive>(p, "empty"), twice, "consumer 0"); },
     {"the roles wait for ever", "empty of stage"},
     {"empty", "arrivals"}},
    {"the bytes are not announced",
     ring,
     [](GemmPlan& p) { return edit(p, on<Expect>(p, "full"), nothing); },
     {"the roles wait for ever", "full of stage 0 of CTA 0, which has 0 of 1 arrivals and 32768 bytes that nobody has announced"},
     {"full"}},
    {"the bytes are announced twice",
     ring,
     [](GemmPlan& p) { return edit(p, on<Expect>(p, "full"), twice); },
     {"one thread of producer", "arrives on full of stage 0", "its phase counts 1 arrivals"},
     {"full"}},
    {"too many bytes are announced",
     ring,
     [](GemmPlan& p) { return p.barriers[0].bytes += 16, 1; },
     {"the roles wait for ever", "waits for 16 bytes"},
     {"full", "bytes"}},
    {"too few bytes are announced",
     ring,
     [](GemmPlan& p) { return p.barriers[0].bytes += -16, 1; },
     {"full of stage 0", "16 bytes more than it expects"},
     {"full", "bytes"}},
    {"full counts two arrivals",
     ring,
     [](GemmPlan& p) { return p.barriers[0].arrivals = 2, 1; },
     {"the roles wait for ever", "full of stage 0 of CTA 0, which has 1 of 2 arrivals"},
     {"full"}},
    {"the producer's cursor starts a lap too far",
     ring,
     [](GemmPlan& p) { return p.cursors[0].first = 3, 1; },
     {"the roles wait for ever"},
     {"which nobody ends"}},
    {"a consumer has no barrier of its own",
     ring,
     [](GemmPlan& p) { return p.barriers[3].members = 1, 1; },
     {"consumer 1 of CTA", "names member 1 of box, which has 1"},
     {"consumer 1 of CTA 0 names member 1 of box, which has 1"}},
    {"a consumer's cursor starts one too far",
     ring,
     [](GemmPlan& p) { return p.cursors[1].first = 1, 1; },
     {"consumer 0"},
     {"which nobody ends"}},
    {"a consumer does not advance",
     ring,
     [](GemmPlan& p) { return edit(p, advances(p, "read"), nothing, "consumer 1"); },
     {"consumer 1"},
     {"multiplies 1 k-tiles of gA"}},
    {"the producer does not advance",
     ring,
     [](GemmPlan& p) { return edit(p, advances(p, "write"), nothing); },
     {"stage 0"},
     {"stage 0 of sA", "the other operand has k_tile 0 there"}},
    {"B goes to this CTA alone",
     ring,
     [](GemmPlan& p) { return edit(p, copies_to(p, "tBsB"), changed<Copy>([](Copy& c) { c.multicast = false; })); },
     {"the roles wait for ever", "bytes"},
     {"full", "bytes"}},
    {"A goes to every CTA",
     ring,
     [](GemmPlan& p) {
       p.tensors[p.operands[0].gmem].operand = Operand::b;
       return edit(p, copies_to(p, "tAsA"), changed<Copy>([](Copy& c) { c.multicast = true; }));
     },
     {"stage 0 of sA"},
     {}},
    {"a stage is released before its wgmma is waited for",
     ring,
     [](GemmPlan& p) {
       return edit(
           p, [](const Op& op) { return as<WaitGroup>(op) && as<WaitGroup>(op)->of == GroupOf::wgmma && as<WaitGroup>(op)->pending == 1; },
           changed<WaitGroup>([](WaitGroup& w) { w.pending = 2; }));
     },
     {"stage 0 of sA", "is overwritten too early: the tma_load of producer", "while the wgmma of consumer"},
     {"stage 0", "is released by consumer 0"}},
    {"no wgmma is waited for before the tile is stored",
     ring,
     [](GemmPlan& p) {
       return edit(
           p, [](const Op& op) { return as<WaitGroup>(op) && as<WaitGroup>(op)->of == GroupOf::wgmma && as<WaitGroup>(op)->pending == 0; },
           nothing);
     },
     {"rC of consumer", "before the wgmma that writes it is waited for"},
     {"stage 0", "is released by consumer 0"}},
    {"wgmma's groups are not committed",
     ring,
     [](GemmPlan& p) { return edit(p, commits(GroupOf::wgmma), nothing); },
     {"wgmma"},
     {"is not committed"}},
    {"wgmma's registers are not fenced",
     ring,
     [](GemmPlan& p) { return edit(p, fences(FenceKind::wgmma), nothing); },
     {"the wgmma of consumer", "at k_tile 0 begins without a fence wgmma"}},
    {"the stores are not committed",
     ring,
     [](GemmPlan& p) { return edit(p, commits(GroupOf::bulk), nothing); },
     {"tma_store"},
     {"consumer 0 of CTA 0", "an operation of this kind is not committed"}},
    {"a wait is for fewer groups than none",
     pipeline,
     [](GemmPlan& p) { return edit(p, waits_for(GroupOf::cp_async), changed<WaitGroup>([](WaitGroup& w) { w.pending = -1; })); },
     {"waits until -1 groups are under way"},
     {"waits until -1 groups are under way"}},
    {"one thread commits the copies of all",
     pipeline,
     [](GemmPlan& p) { return edit(p, commits(GroupOf::cp_async), by_first_thread); },
     {"one thread of cta", "commits what every thread began"},
     {"one thread of cta commits what every thread began"}},
    {"one thread waits for the copies of all",
     pipeline,
     [](GemmPlan& p) { return edit(p, waits_for(GroupOf::cp_async), by_first_thread); },
     {"one thread of cta", "waits for groups that every thread began"},
     {"one thread of cta waits for groups that every thread began"}},
    {"one thread waits where all have to come",
     pipeline,
     [](GemmPlan& p) { return edit(p, on<Wait>(p, "cta"), by_first_thread); },
     {"cta"},
     {"one thread of cta waits on cta, where all of them have to come"}},
    {"one thread waits until a stage is empty, and all of them write",
     ring,
     [](GemmPlan& p) {
       int changes = edit(
           p, [](const Op& op) { return as<When>(op) && as<When>(op)->only == Only::first_thread; },
           [](const Op& op) { return *as<When>(op)->body; }, "producer");
       return changes + edit(p, on<Wait>(p, "empty"), by_first_thread);
     },
     {"all 128 threads of producer"},
     {"stage 0 of sA is overwritten too early", "one thread waits, and all of them write"}},
    {"an operation names a tensor map that is not there",
     ring,
     [](GemmPlan& p) { return p.maps.clear(), 1; },
     {},
     {"names tensor map 2, and the plan has 0"}},
    {"an operation names a descriptor that is not there",
     ring,
     [](GemmPlan& p) { return p.descriptors.clear(), 1; },
     {},
     {"names descriptor 0, and the plan has 0"}},
    {"a role has threads that the CTA has not",
     ring,
     [](GemmPlan& p) { return p.threads -= 32, 1; },
     {},
     {"producer has threads 256 to 383; the CTA has 352"}},
    {"what is staged is not fenced",
     ring,
     [](GemmPlan& p) { return edit(p, fences(FenceKind::proxy_async), nothing); },
     {"is read by the tma_store of consumer", "without a fence proxy_async before the barrier"},
     {"stage 0 of sC", "without a fence proxy_async before the barrier"}},
    {"the box is stored before it is whole",
     ring,
     [](GemmPlan& p) { return edit(p, nth(on<Wait>(p, "box"), 1), nothing, "consumer 0"); },
     {"stage 0 of sC is read by consumer 0", "without a barrier in between"},
     {"stage 0 of sC", "other threads wrote it, without a barrier in between"}},
    {"the box is written before it is free",
     ring,
     [](GemmPlan& p) { return edit(p, nth(on<Wait>(p, "box"), 0), nothing, "consumer 0"); },
     {"stage 0 of sC is overwritten too early", "tma_store of consumer 0"},
     {"stage 0 of sC", "overwritten too early"}},
    {"the store that had a box is not waited for",
     ring,
     [](GemmPlan& p) {
       return edit(
           p, [](const Op& op) { return as<WaitGroup>(op) != nullptr && as<WaitGroup>(op)->only_read; }, nothing);
     },
     {"is overwritten too early: the stmatrix of consumer", "while the tma_store of consumer"},
     {"stage 0 of sC", "overwritten too early"}},
    {"the last stores are not waited for",
     ring,
     [](GemmPlan& p) {
       return edit(
           p, [](const Op& op) { return as<WaitGroup>(op) && as<WaitGroup>(op)->of == GroupOf::bulk && !as<WaitGroup>(op)->only_read; },
           nothing);
     },
     {"ends while its tma_store", "no wait_group waits for it"},
     {"ends while its tma_store may still read sC"}},
    {"no CTA waits for its peer at the end",
     ring,
     [](GemmPlan& p) {
       int found = 0;
       for (Role& role : p.roles) role.block.pop_back(), ++found;
       return found;
     },
     {"whose roles have all ended"}},
    {"every thread of the producer issues TMA",
     ring,
     [](GemmPlan& p) {
       return edit(
           p, [](const Op& op) { return as<When>(op) && as<When>(op)->only == Only::first_thread; },
           [](const Op& op) { return *as<When>(op)->body; }, "producer");
     },
     {"all 128 threads of producer", "tma_load"}},
    {"two roles fill the same stages",
     ring,
     [](GemmPlan& p) {
       Role other = p.roles.back();
       other.name = "second producer", other.first_thread += 128, other.registers = 0;
       p.barriers[2].arrivals += 256, p.threads += 128;
       std::erase_if(other.block, [](const Op& op) { return as<SetRegisters>(op) != nullptr; });
       p.roles.push_back(other);
       return 1;
     },
     {"producer", "arrives on full of stage 0"},
     {"full"}},
    {"two roles have the same threads",
     ring,
     [](GemmPlan& p) { return p.roles.back().first_thread = 192, 1; },
     {"a thread has one role"},
     {"threads"}},
    {"the sums are not cleared for the next tile",
     ring,
     [](GemmPlan& p) {
       return edit(
           p, [](const Op& op) { return as<Mma>(op) != nullptr; }, changed<Mma>([](Mma& m) { m.clears.clear(); }));
     },
     {"with sums that were not cleared before: 512 of K's 256"}},
    {"a box is stored to the other tile",
     [] { return hopper(Overlap::deferred); },
     [](GemmPlan& p) { return edit(p, copies_by(CopyBy::tma_store), changed<Copy>([](Copy& c) { c.to.tiles_back = 0; })); },
     {"of gC is stored twice"},
     {"are never stored"}},
    {"a half is stored while it is multiplied",
     [] { return hopper(Overlap::skewed); },
     [](GemmPlan& p) {
       return edit(
           p, [](const Op& op) { return as<WaitGroup>(op) && as<WaitGroup>(op)->of == GroupOf::wgmma; },
           changed<WaitGroup>([](WaitGroup& w) { w.pending += w.pending == 1; }));
     },
     {"wgmma"},
     {"stage 0", "is released by consumer 0"}},
    {"B is a tile of K ahead of A",
     pipeline,
     [](GemmPlan& p) {
       return edit(p, copies_to(p, "tBsB"), changed<Copy>([](Copy& c) { ++c.from.picks[0].at.add, c.from.picks[0].at.modulo = 5; }));
     },
     {},
     {"stage 0 of sB gets k_tile 1", "the other operand has k_tile 0 there"}},
    {"the last tile of K is copied twice, and the first never",
     pipeline,
     [](GemmPlan& p) {
       return edit(
           p, [](const Op& op) { return as<Copy>(op) != nullptr && as<Copy>(op)->by == CopyBy::cp_async; }, changed<Copy>([](Copy& c) {
             c.from.picks[0].at = Index{"", 4};
           }));
     },
     {},
     {"copies k_tile 4 of gA twice"}},
    {"a stage is released while it is multiplied",
     ring,
     [](GemmPlan& p) { return edit(p, on<Arrive>(p, "empty"), changed<Arrive>([](Arrive& a) { a.stage.back = 0; })); },
     {"stage"},
     {"is released by consumer 0", "while its wgmma may still read it"}},
    {"one thread waits for what all of them read",
     ring,
     [](GemmPlan& p) { return edit(p, on<Wait>(p, "full"), by_first_thread); },
     {"before its copy has arrived"},
     {"stage 0 of sA", "one thread waits, and all of them read"}},
    {"the turn is not passed on",
     [] { return hopper(Overlap::ping_pong); },
     [](GemmPlan& p) { return edit(p, on<Arrive>(p, "turn"), nothing, "consumer 0"); },
     {"the roles wait for ever", "consumer 1 of CTA 0 waits", "turn 1"}},

    {"one thread fences what all have staged",
     ring,
     [](GemmPlan& p) {
       return edit(p, fences(FenceKind::proxy_async), [](const Op& op) {
         return Block{{When{Only::first_thread, {}, 0, std::make_shared<const Block>(Block{op})}, ""}};
       });
     },
     {"is read by the tma_store of consumer", "without a fence proxy_async before the barrier"}},
    {"a tile beyond the last of K is copied",
     pipeline,
     [](GemmPlan& p) { return edit(p, copies_to(p, "tAsA"), changed<Copy>([](Copy& c) { ++c.from.picks.front().at.add; })); },
     {"the cp_async of cta", "tAgA is taken at tile (0,5), of 1 x 5"}},
    {"a tile before the first of K is copied",
     pipeline,
     [](GemmPlan& p) { return edit(p, copies_to(p, "tBsB"), changed<Copy>([](Copy& c) { --c.from.picks.front().at.add; })); },
     {"tBgB is taken at tile (0,-1), of 1 x 5"}},
    {"a block of K beyond the tile's is multiplied",
     pipeline,
     [](GemmPlan& p) {
       return edit(
           p, [](const Op& op) { return as<Mma>(op) != nullptr; }, changed<Mma>([](Mma& m) { ++m.a.picks.front().at.add; }));
     },
     {"the mma of cta at k_tile 0: tCrA is taken at MMA_K 2, of 2"}},
    {"a block of K before the tile's is loaded",
     pipeline,
     [](GemmPlan& p) { return edit(p, copies_to(p, "tXrB"), changed<Copy>([](Copy& c) { --c.from.picks.front().at.add; })); },
     {"the ldmatrix of cta", "tXsB is taken at MMA_K -1, of 2"}},
    {"tiles of A lie farther from each other than A has elements",
     pipeline,
     [](GemmPlan& p) {
       Layout& tiles = p.tensors[p.path(Operand::a).gmem].tiles;
       return tiles = make_layout({tiles[0], Layout::trusted(IntTuple::tuple({1, 5}), IntTuple::tuple({0, 64 * 160}))}), 1;
     },
     {"cta", "reads element 10240 of gA, which has 10240"}},
    {"the tile of C ends beyond C",
     pipeline,
     [](GemmPlan& p) {
       AnyLayout& places = p.partitions[p.path(Operand::c).tXgX].layout;
       return places = ComposedLayout{Swizzle::make(0, 4, 3).value(), 64 * 64, plain_part(places)}, 1;
     },
     {"cta stores element 4096 of gC, beyond its 4096 elements"}},
    {"a copy brings more values than its place has",
     pipeline,
     [](GemmPlan& p) {
       return edit(p, copies_to(p, "tAsA"), changed<Copy>([&](Copy& c) { c.to.partition = p.path(Operand::c).fragment; }));
     },
     {"cta copies 16 values of tAgA to 32 of tCrC"}},
    {"a store is converted from another number of sums",
     pipeline,
     [](GemmPlan& p) {
       return edit(
           p, [](const Op& op) { return as<Convert>(op) != nullptr; }, changed<Convert>([](Convert& c) { c.from.picks.clear(); }));
     },
     {"cta converts 32 values of tDrC to 2 of tDrD"}},
    {"A is multiplied by itself",
     pipeline,
     [](GemmPlan& p) {
       return edit(
           p, [](const Op& op) { return as<Mma>(op) != nullptr; }, changed<Mma>([&](Mma& m) { m.b.partition = m.a.partition; }));
     },
     {"cta multiplies tCrA by tCrA into tCrC, whose modes do not fit"}},
    {"threads multiply that hold no atom",
     [] { return lower(support::from_gmem(support::tensor(64, 64, 64, 64, 64, 32, 1))).value(); },
     [](GemmPlan& p) { return p.roles.front().threads = 16, 1; },
     {"cta multiplies, and its threads 0 to 15 hold no atom"}},
    {"matrices are loaded by one and a half warps",
     pipeline,
     [](GemmPlan& p) { return p.roles.front().threads = p.barriers[0].arrivals = 48, 1; },
     {"cta loads matrices of whole warps; it has 48 threads and 2 rows for 2 fragments"}},
    {"matrices are stored three at a time",
     ring,
     [](GemmPlan& p) { return edit(p, copies_by(CopyBy::stmatrix), changed<Copy>([](Copy& c) { c.matrices = 3; })); },
     {"consumer", "stores 3 matrices at once; stmatrix stores 1, 2 or 4"}},
    {"a store is converted with another number of C's elements",
     with_c,
     [](GemmPlan& p) {
       return edit(
           p, [](const Op& op) { return as<Convert>(op) != nullptr; }, changed<Convert>([](Convert& c) { c.c.picks.clear(); }));
     },
     {"cta converts 2 values of tDrC and 32 of tDgC to 2 of tDrD"}},
    {"B begins in shared memory at any byte",
     pipeline,
     [](GemmPlan& p) { return p.tensors[p.path(Operand::b).smem].byte_offset += 8, 1; },
     {"moves 8 elements of stage 0 of sB at once, which are not neighbours at a multiple of 16 bytes"}},
    {"the rows of a box are not rows of stmatrix",
     ring,
     [](GemmPlan& p) {
       for (Partition& partition : p.partitions) {
         if (partition.name != "tDsC") continue;
         const Layout plain = plain_part(partition.layout);
         partition.layout = ComposedLayout{Swizzle::make(3, 0, 3).value(), 0, plain};
         return 1;
       }
       return 0;
     },
     {"stmatrix of consumer", "writes rows of 8 elements of stage 0 of sC, and value"}},
    {"a box arrives on no barrier",
     ring,
     [](GemmPlan& p) { return edit(p, copies_to(p, "tAsA"), changed<Copy>([](Copy& c) { c.barrier = kNone; })); },
     {"the box of tAgA has", "and it arrives on no barrier"}},
    {"a box is larger than its place",
     ring,
     [](GemmPlan& p) { return edit(p, copies_to(p, "tBsB"), changed<Copy>([](Copy& c) { c.from.picks.pop_back(); })); },
     {"the box of tBgB has 8192 elements, its place in tBsB 4096, and it arrives on full"}},
    {"a stored box is larger than its place",
     ring,
     [](GemmPlan& p) {
       return edit(p, copies_by(CopyBy::tma_store), changed<Copy>([](Copy& c) { c.to.picks.erase(c.to.picks.begin()); }));
     },
     {"the box of tDsD", "has 4096 elements, its place in tDgC 8192"}},
    {"a tile is taken before there is one",
     pipeline,
     [](GemmPlan& p) {
       return edit(
           p, [](const Op& op) { return as<NextTile>(op) != nullptr; }, nothing);
     },
     {"tAgA is taken before there is a tile"}},
};

bool all_words(const std::string& text, const std::vector<std::string_view>& words) {
  return std::all_of(words.begin(), words.end(), [&](std::string_view word) { return text.find(word) != std::string::npos; });
}

std::string one_line(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\n' || c == ' ') {
      if (!result.empty() && result.back() != ' ') result += ' ';
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace

TEST_CASE("every way to break a pipeline is caught by the machine within four orders, by a sentence") {
  for (const Broken& broken : kBroken) {
    GemmPlan plan = broken.whole();
    REQUIRE(broken.breaks(plan) > 0);
    if (broken.machine.empty()) continue;  // no race: a wrong sum, or a plan that is not whole
    const SimulationInput input = integer_input(plan, 5);
    std::string said = "nothing";
    for (std::uint32_t interleaving = 0; interleaving < 4 && said == "nothing"; ++interleaving) {
      const auto result = simulate(plan, input, {.interleaving = interleaving, .trace = false});
      if (!result) said = one_line(result.error().message);
    }
    INFO(broken.how << ": " << said);
    CHECK(all_words(said, broken.machine));
    CHECK(said != "nothing");
  }
}

TEST_CASE("`verify` refuses what a glance at the program shows") {
  for (const Broken& broken : kBroken) {
    GemmPlan plan = broken.whole();
    REQUIRE(broken.breaks(plan) > 0);
    const auto verdict = verify(plan);
    const std::string said = verdict ? "nothing" : one_line(verdict.error().message);
    INFO(broken.how << ": " << said);
    if (!broken.refused.empty()) CHECK(all_words(said, broken.refused));
  }
}

TEST_CASE("a broken pipeline that is written down is read as it is broken, and refused with the line") {
  for (const Broken& broken : kBroken) {
    INFO(broken.how);
    GemmPlan plan = broken.whole();
    REQUIRE(broken.breaks(plan) > 0);
    const auto read = parse_plan(to_text(plan));
    if (!read && read.error().message.find("the plan has no") != std::string::npos && !broken.refused.empty()) continue;
    if (!read) FAIL(describe(read.error()));
    CHECK(*read == plan);
    const auto before = verify(plan), after = verify(*read);
    CHECK(before.has_value() == after.has_value());
    const auto run = [](const GemmPlan& of) {
      const SimulationInput input = integer_input(of, 5);
      std::string said = "nothing";
      for (std::uint32_t order = 0; order < 4 && said == "nothing"; ++order) {
        if (const auto result = simulate(of, input, {.interleaving = order, .trace = false}); !result) said = result.error().message;
      }
      return said;
    };
    const std::string said = before ? run(plan) : before.error().message, again = before ? run(*read) : after.error().message;
    INFO(again);
    CHECK(again.ends_with(said));
    if (again != said) CHECK(again.starts_with("line "));
  }
}

TEST_CASE("what is right in another way is verified, and simulated") {
  // One thread waits for the bytes, and a barrier tells the others.
  GemmPlan plan = ring();
  const auto box = std::find_if(plan.barriers.begin(), plan.barriers.end(), [&](const Barrier& b) { return b.name == "box"; });
  REQUIRE(box != plan.barriers.end());
  const auto id = static_cast<Id>(box - plan.barriers.begin());
  REQUIRE(edit(
              plan, on<Wait>(plan, "full"),
              [&](const Op& op) {
                Block block = by_first_thread(op);
                block.push_back(Op{Wait{id, {}, {"consumer"}}});
                return block;
              },
              "consumer") > 0);
  const auto verdict = verify(plan);
  if (!verdict) FAIL(describe(verdict.error()));
  for (std::uint32_t interleaving = 0; interleaving < 4; ++interleaving) {
    const auto result = simulate(plan, integer_input(plan, 5), {.interleaving = interleaving, .trace = false});
    INFO((result ? "" : describe(result.error())));
    CHECK(result.has_value());
  }
}

TEST_CASE("a role that copies for another is verified and simulated, as the CTA's barrier orders them") {
  GemmPlan plan = one_stage();
  const auto copies = [&](const Op& op) { return as<Named>(op) != nullptr && plan.functions[as<Named>(op)->function].name == "copy_tile"; };
  Role copier = plan.roles.front();
  int found = 0;
  plan.roles.front().block = edited(plan.roles.front().block, copies, nothing, found);
  copier.block = edited(
      copier.block,
      [&](const Op& op) {
        return (as<Named>(op) != nullptr && !copies(op)) || as<Mma>(op) != nullptr || as<Convert>(op) != nullptr || as<Copy>(op) != nullptr;
      },
      nothing, found);
  REQUIRE(found > 3);
  copier.name = "copier", copier.first_thread = plan.threads;
  plan.barriers.front().arrivals += copier.threads, plan.threads += copier.threads;
  plan.roles.push_back(copier);
  const auto verdict = verify(plan);
  if (!verdict) FAIL(describe(verdict.error()));
  const SimulationInput input = integer_input(plan, 5);
  for (std::uint32_t interleaving = 0; interleaving < 4; ++interleaving) {
    const auto result = simulate(plan, input, {.interleaving = interleaving, .trace = false});
    if (!result) FAIL(describe(result.error()));
    CHECK(result->c == reference(plan, input));
  }
}

TEST_CASE("whole pipelines are verified") {
  for (const GemmPlan& plan : {one_stage(), pipeline(), ring(), filled_by_who_multiplies(), hopper(Overlap::deferred),
                               hopper(Overlap::skewed), hopper(Overlap::ping_pong)}) {
    const auto verdict = verify(plan);
    INFO((verdict ? "" : describe(verdict.error())));
    CHECK(verdict.has_value());
  }
}
