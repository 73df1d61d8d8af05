// SPDX-License-Identifier: BSD-3-Clause
// How the instructions of a copy meet a layout in memory: which bytes each lane of each warp asks for, and what the hardware makes of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/atom/copy/tiled_copy.hpp"
#include "core/atom/copy/warp_access.hpp"
#include "core/layout/swizzle.hpp"

namespace tessera {

enum class CopySide : std::uint8_t { source, destination };
enum class AccessSpace : std::uint8_t { smem, gmem };

// Which elements the threads of a copy take on one of its sides. It knows the tensor's coordinates and not yet its layout, so that many
// layouts can be held against one pattern.
struct AccessPattern {
  enum class Form : std::uint8_t { plain, async, matrix, matrix_trans };  // LDS, STS, LDG, STG; cp.async; ldmatrix and stmatrix
  Form form = Form::plain;
  CopySide side = CopySide::source;
  std::int64_t matrices = 0;               // of ldmatrix and stmatrix
  std::int64_t threads = 32, at_once = 1;  // values of one thread in one instruction
  std::int64_t vector = 1;                 // values that it takes at once wherever they lie: where that is misaligned, it faults
  std::string instruction;                 // whose width `vector` is, as UniversalCopy<uint64_t>; empty: CuTe's vector of an automatic copy
  std::int64_t each = 1;                   // values of one thread in all
  std::vector<std::int64_t> element;       // [value * threads + thread]: the element's index in the tensor's shape, leftmost mode fastest
  std::string arrangement;                 // how the threads of an instruction alone were laid over the tensor; empty where a copy says it
};

// Of a tiled copy. Refused where its tiles do not divide the shape, and for instructions that are no access of a warp's lanes (TMA, tensor
// memory).
Result<AccessPattern> access_pattern(const TiledCopy& copy, CopySide side, const Shape& tensor);
// Of local_partition(tensor, threads, t): each thread takes one element of each tile of the shape of `threads`, and the tiles one by one.
// threads: (m, n) -> thread, one to one. Refused where it is not, or does not divide the tensor.
Result<AccessPattern> access_pattern(const Layout& threads, CopySide side, const Shape& tensor);
// The parts of it: what the copy's instruction is, without elements; and of elements that were filled in, -1 for those of the lanes whose
// addresses ldmatrix and stmatrix ignore.
Result<AccessPattern> access_form(const TiledCopy& copy, CopySide side);
void leave_out_idle_lanes(AccessPattern& pattern);
// Of one instruction repeated by one warp over modes 0 and 1: vectors follow each other along the mode that `layout` has contiguous, the
// matrices of ldmatrix.x4 lie two by two, of .x2 beside each other along that mode. bits: of an element.
Result<AccessPattern> access_pattern(const CopyTraits& instruction, CopySide side, const AnyLayout& layout, std::int64_t bits);
// The same of loads or stores of `wide` bits a lane.
Result<AccessPattern> access_pattern(std::int64_t wide, CopySide side, const AnyLayout& layout, std::int64_t bits);

// What a layout is read or written by: a tiled copy, one instruction repeated by one warp, or loads and stores of so many bits a lane.
using AccessBy = std::variant<TiledCopy, CopyTraits, std::int64_t>;
CopyKind kind_of(const AccessBy& by);
// Of a tiled copy that finds its width by itself: as wide as CuTe and its compiler make it between this side and registers.
Result<AccessPattern> access_pattern(const AccessBy& by, CopySide side, const AnyLayout& layout, std::int64_t bits, AccessSpace space);
// Can all threads take their values `count` at a time? Neighbours that begin at multiples of so many.
bool are_neighbours(const AccessPattern& pattern, const std::vector<std::int64_t>& offset, std::int64_t bits, std::int64_t count);

struct AccessReport {
  std::string instruction;                   // what is executed: "LDS.128", "ldmatrix.x4", "cp.async of 16 bytes"
  std::int64_t bits = 0;                     // of one lane at once
  bool shared = true;                        // units are wavefronts; else sectors
  std::int64_t warps = 0, instructions = 0;  // of all warps
  std::int64_t units = 0, least = 0;         // of all instructions
  std::int64_t lines = 0;                    // of global memory: of 128 bytes, in which these sectors lie; of all instructions
  // One group of lanes of one warp, over all of its instructions; of global memory the whole warp.
  struct Row {
    std::int64_t warp = 0, phase = 0, first_lane = 0, lanes = 0, instructions = 0, units = 0, least = 0;
  };
  std::vector<Row> rows;
  std::string conflict;    // the first one, in words; empty: there is none
  bool vectorises = true;  // a lane takes as much at once as its neighbouring elements allow, 16 bytes at most
  std::string why_not;     // where it does not
  bool is_best() const { return units == least; }
};

// offset: of the tensor's elements by their index, in elements; the tensor itself begins at a multiple of 128 bytes.
// Refused: an instruction whose lanes want neighbours that are none, and accesses of less than a byte.
Result<AccessReport> measure(const AccessPattern& pattern, const std::vector<std::int64_t>& offset, std::int64_t bits, AccessSpace space);
// One instruction of one warp, as `measure` looks at it.
struct WarpInstruction {
  std::int64_t warp = 0, number = 0, of = 0;  // of: instructions of that warp
  std::string name;                           // "LDS.128"
  WarpAccess access;
};
// That of this warp, with this number; in shared memory the first with a bank conflict where neither is said, else the first. Refuses what
// `measure` refuses, warps and numbers that there are not, and an instruction in which no lane takes part.
Result<WarpInstruction> instruction_at(const AccessPattern& pattern, const std::vector<std::int64_t>& offset, std::int64_t bits,
                                       std::optional<std::int64_t> warp, std::optional<std::int64_t> number,
                                       AccessSpace space = AccessSpace::smem);
// All elements of a tensor's layout, by their index.
Result<std::vector<std::int64_t>> element_offsets(const AnyLayout& layout);

// "LDS.128: 64 wavefronts in 16 instructions of 4 warps, the least possible", and where it is not the first conflict.
std::string describe(const AccessReport& report);

// The space in which the instruction has its `side`; nothing where it may be either.
std::optional<AccessSpace> space_of(CopyKind kind, CopySide side);
// The side that lies in `space`: of ldmatrix in shared memory its source. Loads where both do.
CopySide side_in(CopyKind kind, AccessSpace space);

}  // namespace tessera
