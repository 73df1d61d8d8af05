// SPDX-License-Identifier: BSD-3-Clause
// Remarks: warnings where CuTe computes a value for a coordinate, an index, a thread or a tile that does not exist, or for objects that do
// not fit each other. The value stays CuTe's; the remark says which rule, which values and what to try.
//
//   crd2idx((4,0), (4,8):(8,1))          the coordinate (4,0) lies outside the shape (4,8)
//   partition_A(mma, tensor, 200)        thread 200 takes no part in this MMA, whose 128 threads are 0 to 127
//   composition((4,8):(8,1), (5,3))      the tiler reaches element 4 of mode 0, which has the elements 0 to 3
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/lang/builtins/call.hpp"

namespace tessera {

// Who asked, and where a remark goes; without a place for warnings nothing is computed.
struct Remarks {
  std::vector<Error>* warnings = nullptr;
  SourceSpan span;
  std::string_view function;  // "crd2idx"; what a message begins with

  Remarks(std::vector<Error>* to, SourceSpan where, std::string_view who) : warnings(to), span(where), function(who) {}
  explicit Remarks(const Call& call) : Remarks(call.warnings, call.span(), call.function()) {}

  void add(ErrorCode code, std::string message, std::vector<std::string> notes = {}) const;
};

// Does CuTe, which does not know a dynamic integer when it compiles, give what was made here in another form?
void remark_other_form(const Call& call, const Value& made);
// Does the CuTe DSL refuse the kinds of these arguments, where CuTe in C++ computes the value?
void remark_refused_by_dsl(const Call& call);
// An integer of the coordinate that is none of its mode's; `_` and coordinates that do not fit the shape are not looked at.
void remark_outside(const Remarks& remarks, const Coord& coord, const Shape& shape);
// The same where the coordinate is that of a tile among `rest` of them.
// A slice of a program's that CuTe gives other values than the layout has.
void remark_broken_slice(const Remarks& remarks, const AnyLayout& layout, const Coord& coord);
void remark_tile_outside(const Remarks& remarks, const Coord& coord, const Shape& rest);
// get_hier_coord and its kin: `coord` is what CuTe's divisions make of the index.
void remark_not_there(const Remarks& remarks, const Layout& layout, std::int64_t index, const Coord& coord);
// A thread that a thread layout does not have. CuTe then finds another's coordinate.
void remark_thread(const Remarks& remarks, const Layout& threads, std::int64_t thread);
void remark_thread(const Remarks& remarks, const TiledMma& mma, std::int64_t thread);
void remark_thread(const Remarks& remarks, const TiledCopy& copy, std::int64_t thread);
// A o B, where a tiler B reaches beyond a mode of A. A layout B may: then A is a function on all integers, and 1:1 the identity.
void remark_reach(const Remarks& remarks, const AnyLayout& a, const Tiler& b);
// Atoms that share threads, or a permutation that is no multiple of what the atoms compute together.
// Is this the layout of an operand that the instruction reads from shared memory by a descriptor, and has it none?
void remark_unreadable(const Remarks& remarks, const TiledMma& mma, Operand operand, const Value& tensor);
// A swizzled tile of shared memory that begins where the pattern of its swizzle does not: TMA, wgmma and UMMA swizzle by addresses.
// bits: of an element; 0: not known, and nothing is said.
void remark_phase(const Remarks& remarks, const Value& tile, const AnyLayout& layout, std::int64_t bits);
void remark_repeated_work(const Remarks& remarks, const TiledMma& mma);
// A matrix copy (ldmatrix, stmatrix) whose values are not the operand's, so that it hands elements to the wrong threads.
void remark_copy_of(const Remarks& remarks, const TiledCopy& copy, const TiledMma& mma, Operand operand);
// Who asks which thread holds an operand that lies in shared or tensor memory.
void remark_not_in_registers(const Remarks& remarks, const TiledMma& mma, Operand operand);
// A (thr, val) layout that leaves the tile it is said to cover.
void remark_leaves_tile(const Remarks& remarks, const Layout& layout_tv, const Tiler& tiler);

}  // namespace tessera
