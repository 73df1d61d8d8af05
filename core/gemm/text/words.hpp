// SPDX-License-Identifier: BSD-3-Clause
// The fields of a plan in the order in which a text has them, each once: a writer and a reader go through them, so that neither knows a
// word that the other does not. Private to core/gemm/text.
//
// What an Io offers:
//   word("->")                    a word that has to be there
//   numbers({{Symbol::m, n}})     names and the numbers that they stand for, in the plan's whole text
//   choice(enum, words)           one of the words
//   number(n), text(s), layout(l), type(t), name(s), index(i), at(at), barrier(id, member, stage), ref(id, list)    what is always there
//   attribute("by", field, usual) the word and the value, where the value is not the usual one
//   flag("multicast", field)      the word, where the field is true
//   ref("map", field, list)       the word and a name of the list, where there is one
//   end()                         of a reader: takes the attributes, which may stand in any order
//   why(text), block(body)        behind the rest
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "core/gemm/plan/gemm_plan.hpp"

namespace tessera::plan::text {

template <class T, class Is>
concept A = std::same_as<std::remove_const_t<T>, Is>;

// By the enum's value.
inline constexpr std::string_view kSpaces[] = {"global", "shared", "registers", "coordinates"};
inline constexpr std::string_view kOperands[] = {"a", "b", "c"};
inline constexpr std::string_view kBarrierKinds[] = {"cta", "named", "mbarrier", "cluster"};
inline constexpr std::string_view kCopyBy[] = {"load_store", "cp_async",  "ldmatrix",  "ldmatrix_trans", "stmatrix",
                                               "tma_load",   "tma_store", "wmma_load", "wmma_store"};
inline constexpr std::string_view kMmaBy[] = {"fma", "mma_sync", "wgmma", "wmma"};
inline constexpr std::string_view kGroups[] = {"cp_async", "wgmma", "bulk"};
inline constexpr std::string_view kFences[] = {"wgmma", "proxy_async", "mbarrier_init"};
inline constexpr std::string_view kFragments[] = {"automatic", "one_k_block", "next_k_block", "all_k_blocks"};
inline constexpr std::string_view kCopies[] = {"automatic", "waited_for", "ahead", "producer"};
inline constexpr std::string_view kOverlaps[] = {"none", "deferred", "skewed", "ping_pong"};
inline constexpr std::string_view kExtents[] = {"literals", "arguments"};

// ---- resources

void fields(auto& io, A<Tensor> auto& t) {
  io.choice(t.space, kSpaces), io.choice(t.operand, kOperands), io.type(t.type), io.layout(t.layout);
  io.attribute("tiles", t.tiles, Layout());
  io.attribute("elements", t.elements, 0), io.attribute("batch_elements", t.batch_elements, 0);
  io.ref("ring", t.ring, io.plan().rings);
  io.attribute("stage_elements", t.stage_elements, 0), io.attribute("byte_offset", t.byte_offset, 0);
}
void fields(auto& io, A<TensorMap> auto& m) {
  io.word("of"), io.ref(m.tensor, io.plan().tensors);
  io.word("box"), io.number(m.box_rows), io.word("x"), io.number(m.box_columns);
  io.attribute("swizzle_bytes", m.swizzle_bytes, 0), io.attribute("left_over", m.left_over, 0);
}
void fields(auto& io, A<Descriptor> auto& d) {
  io.word("of"), io.ref(d.tensor, io.plan().tensors);
  io.attribute("stride_bytes", d.stride_bytes, 0), io.attribute("swizzle_bytes", d.swizzle_bytes, 0);
  io.flag("mn_major", d.mn_major), io.attribute("leading_bytes", d.leading_bytes, 0);
}
void fields(auto& io, A<Partition> auto& p) {
  io.word("of"), io.ref(p.tensor, io.plan().tensors);
  io.word("modes"), io.names(p.modes), io.layout(p.layout);
  io.ref("coordinates", p.coordinates, io.plan().partitions);
}
void fields(auto& io, A<Barrier> auto& b) {
  io.choice(b.kind, kBarrierKinds);
  io.attribute("arrivals", b.arrivals, 0), io.attribute("bytes", b.bytes, 0);
  io.ref("ring", b.ring, io.plan().rings), io.attribute("byte_offset", b.byte_offset, 0), io.attribute("members", b.members, 1);
}
void fields(auto& io, A<Ring> auto& r) {
  io.stages(r);
  io.ref("full", r.full, io.plan().barriers), io.ref("empty", r.empty, io.plan().barriers);
}
void fields(auto& io, A<Cursor> auto& c) {
  io.word("of"), io.ref(c.ring, io.plan().rings);
  io.attribute("first", c.first, 0), io.attribute("each", c.each, 0);
}
void fields(auto& io, A<Function> auto& f) {
  io.names(f.parameters);
  io.attribute("says", f.says, "");
  io.end(), io.block(f.body);
}
void fields(auto& io, A<Role> auto& r) {
  io.attribute("first_thread", r.first_thread, 0), io.attribute("threads", r.threads, 0);
  io.attribute("registers", r.registers, 0), io.attribute("members", r.members, 1);
  io.end(), io.block(r.block);
}
void fields(auto& io, A<OperandPath> auto& o) {
  io.ref("gmem", o.gmem, io.plan().tensors), io.ref("smem", o.smem, io.plan().tensors), io.ref("rmem", o.rmem, io.plan().tensors);
  io.ref("tXgX", o.tXgX, io.plan().partitions), io.ref("tXsX", o.tXsX, io.plan().partitions);
  io.ref("tXrX", o.tXrX, io.plan().partitions), io.ref("read", o.read, io.plan().partitions);
  io.ref("received", o.received, io.plan().partitions), io.ref("partition", o.partition, io.plan().partitions);
  io.ref("fragment", o.fragment, io.plan().partitions);
}

// ---- what a plan has once; none of it is there in a schedule that is no GEMM, but `cta`

void problem(auto& io, A<GemmPlan> auto& p) {
  io.numbers({{Symbol::m, p.m}, {Symbol::n, p.n}, {Symbol::k, p.k}});
  io.attribute("batch", p.batch, 1), io.attribute("alpha", p.alpha, 1.0), io.attribute("beta", p.beta, 0.0);
}
void tiles(auto& io, A<GemmPlan> auto& p) {
  io.numbers({{Symbol::blk_m, p.blk_m}, {Symbol::blk_n, p.blk_n}, {Symbol::blk_k, p.blk_k}});
  io.word("count"), io.number(p.m_tiles), io.word("x"), io.number(p.n_tiles), io.numbers({{Symbol::k_tiles, p.k_tiles}});
  io.numbers({{Symbol::mma_m, p.mma_m}, {Symbol::mma_n, p.mma_n}, {Symbol::mma_k, p.mma_k}});
}
void cta(auto& io, A<GemmPlan> auto& p) {
  io.attribute("threads", p.threads, 0), io.attribute("smem_bytes", p.smem_bytes, 0);
  io.attribute("grid", p.grid, 1), io.flag("persistent", p.persistent);
  io.attribute("cluster_m", p.cluster_m, 1), io.attribute("cluster_n", p.cluster_n, 1);
  io.attribute("raster_group", p.raster_group, 1), io.attribute("raster", p.cta_raster, Layout());
}
void schedule(auto& io, A<GemmPlan> auto& p) {
  io.word("fragments"), io.choice(p.fragments, kFragments), io.word("copies"), io.choice(p.copies, kCopies);
  io.word("overlap"), io.choice(p.overlap, kOverlaps), io.word("extents"), io.choice(p.extents, kExtents);
}

// ---- operations; loops, conditions and calls have a form of their own

void fields(auto& io, A<Copy> auto& c) {
  io.choice(c.by, kCopyBy), io.at(c.from), io.word("->"), io.at(c.to);
  io.attribute("atom", c.atom, ""), io.attribute("vector", c.vector, 1), io.attribute("matrices", c.matrices, 0);
  io.attribute("threads", c.threads, 0);
  io.ref("map", c.map, io.plan().maps), io.ref("barrier", c.barrier, io.plan().barriers), io.attribute("member", c.member, Index{});
  io.flag("multicast", c.multicast);
  io.ref("predicate", c.predicate, io.plan().partitions), io.ref("beyond", c.beyond, io.plan().maps);
}
void fields(auto& io, A<Mma> auto& m) {
  io.choice(m.by, kMmaBy), io.at(m.a), io.word("*"), io.at(m.b), io.word("->"), io.at(m.c);
  io.flag("serpentine", m.serpentine);
  io.ref("descriptor_a", m.descriptor_a, io.plan().descriptors), io.ref("descriptor_b", m.descriptor_b, io.plan().descriptors);
  io.attribute("clears", m.clears, {});
}
void fields(auto& io, A<Convert> auto& c) {
  io.at(c.from), io.word("->"), io.at(c.to);
  io.attribute("c", c.c, At{}), io.ref("predicate", c.predicate, io.plan().partitions);
}
void fields(auto& io, A<Commit> auto& c) { io.choice(c.of, kGroups); }
void fields(auto& io, A<WaitGroup> auto& w) { io.choice(w.of, kGroups), io.number(w.pending), io.flag("only_read", w.only_read); }
void fields(auto& io, A<Expect> auto& e) { io.barrier(e.barrier, e.member, e.stage); }
void fields(auto& io, A<Arrive> auto& a) {
  io.barrier(a.barrier, a.member, a.stage);
  io.attribute("threads", a.threads, 1), io.flag("in_whole_cluster", a.in_whole_cluster);
}
void fields(auto& io, A<Wait> auto& w) { io.barrier(w.barrier, w.member, w.stage); }
void fields(auto& io, A<Advance> auto& a) { io.ref(a.cursor, io.plan().cursors), io.attribute("by", a.by, 1); }
void fields(auto& io, A<Fence> auto& f) { io.choice(f.kind, kFences); }
void fields(auto& io, A<SetRegisters> auto& s) { io.number(s.count); }
void fields(auto& io, A<NextTile> auto& n) { io.index(n.tile); }
void fields(auto& io, A<Opaque> auto& o) {
  io.text(o.name);
  io.attribute("reads", o.reads, {}), io.attribute("writes", o.writes, {}), io.attribute("units", o.units, 1.0);
  io.attribute("group", o.group, {}), io.ref("barrier", o.barrier, io.plan().barriers);
  io.attribute("member", o.member, Index{});
}

// By the variant's index, without those that have a form of their own.
inline constexpr std::string_view kOperations[] = {"copy", "mma",     "convert", "commit",        "wait_group", "expect", "arrive",
                                                   "wait", "advance", "fence",   "set_registers", "next_tile",  "opaque"};
inline constexpr std::string_view kLoop = "loop", kWhen = "when";
// Of a condition, by Only: below, equal and at_least stand between an index and a number.
inline constexpr std::string_view kOnly[] = {"first_thread", "owners", "<", "==", ">=", "tile_exists", "tile_missing"};

}  // namespace tessera::plan::text
