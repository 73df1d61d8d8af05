// SPDX-License-Identifier: BSD-3-Clause
// Explain: how the number in a cell comes about, from its coordinate step by step to memory, and to who holds it.
//
//   Sw<3,3,3> o 0 o (8,64):(64,1) of 2-byte elements in shared memory, at (5,2):
//     index    (5,2) -> 322        5·64 + 2·1
//     swizzle  322 -> 362          Sw<3,3,3>: bits 6-8 (101) flip bits 3-5
//     byte     362 -> byte 724     362 · 2 bytes
//     chunk    byte 724 -> chunk 45
//     bank     chunk 45 -> bank 21
//
// A CellRecipe is what all cells of a panel have in common, as data: figures give their panels one, a page on the web takes it along and
// walks it for the cell that is clicked. The steps of one cell are data too: command line, studio and page show the same ones.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/json.hpp"
#include "core/base/result.hpp"
#include "core/diagram/scene/scene.hpp"
#include "core/layout/swizzle.hpp"

namespace tessera {

class OwnerMap;  // core/diagram/parts/figure_parts.hpp

struct CellRecipe {
  struct Add {
    IntTuple elements = 0;  // a coordinate behind basis strides
  };
  using Stage = std::variant<Layout, Swizzle, Add>;
  enum class Memory : std::uint8_t { unknown, shared, global, other };  // other: registers, tensor memory
  // The instruction that takes the values.
  struct Instruction {
    std::string name;             // "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"; empty: none is known
    std::int64_t values = 1;      // of one thread, in one of them
    std::string letter{};         // of its registers: a0, a1, ...; empty: they are not numbered here
    std::int64_t value_bits = 0;  // of a value in its register
    std::int64_t register_bits = 0;
  };
  // Where the accumulators of a UMMA lie, which no thread holds: of each CTA's part, (coordinate) -> element of the tile, from its first
  // element on; and the same coordinate -> address of tensor memory, in elements.
  struct TensorMemory {
    std::vector<std::pair<std::int64_t, Layout>> ctas;
    Layout addresses;
    std::int64_t bits = 32;  // of an element
  };
  // Who holds, reads or writes an element.
  struct Holders {
    std::optional<AnyLayout> layout_tv;     // (thr, val) -> colexicographic index in the tile; nothing: only the picture knows them
    bool gives_offset = false;              // it gives the element's offset instead
    std::vector<std::int64_t> threads{};    // only these take part, ascending; empty: all
    std::string verb = "holds";             // "holds", "reads", "writes"
    std::shared_ptr<const OwnerMap> map{};  // where no layout says it: the owners of each element
    std::string nobody{};                   // why no thread does; empty: threads may
    Instruction instruction{};
    std::optional<TensorMemory> tmem{};
  };

  std::string id;  // of the panel: "C", "sA", "source", "tile", "layout"
  std::string of;  // what is explained: "Sw<3,3,3> o 0 o (8,64):(64,1)"
  Shape shape;     // of its coordinates
  std::vector<Stage>
      stages;             // from the coordinate to the element's offset, in the order in which they are applied; empty: no memory is known
  std::int64_t bits = 0;  // of an element; 0: not known
  std::int64_t byte_offset = 0;  // where the tensor begins in shared memory
  Memory memory = Memory::unknown;
  std::optional<Holders> holders;
  // Where modes count threads and values, or a partition is of one thread.
  int thread_mode = -1, value_mode = -1;
  std::optional<std::int64_t> thread;
};

// A swizzle at work: out = in xor flips, where `flips` is bits [read, read + bits) of `in`, moved to [flip, flip + bits).
struct SwizzleBits {
  std::int64_t in = 0, flips = 0, out = 0;
  int bits = 0, read = 0, flip = 0;
  int width = 1;  // binary digits to show of each
};

struct ExplainStep {
  std::string name;              // "index", "swizzle", "byte", ...: the words of kExplainNames
  std::string from, to;          // "(5,2)", "322"
  std::string rule;              // "5·64 + 2·1"
  bool from_coordinate = false;  // begins at the coordinate anew; else `from` is what the last step came to
  std::optional<SwizzleBits> swizzle{};
};
inline constexpr std::string_view kExplainNames[] = {"coordinate", "number", "index", "offset", "add",  "layout",      "swizzle", "byte",
                                                     "chunk",      "sector", "bank",  "thread", "lane", "instruction", "tmem"};

struct ExplainedCell {
  std::string of, coordinate;  // "Sw<3,3,3> o 0 o (8,64):(64,1)", "(5,2)"
  std::vector<ExplainStep> steps;
  std::optional<std::int64_t> offset;  // of the element, where it is an integer
  std::vector<std::string> notes;      // what is not known, and how to say it
};

// What is asked for: a coordinate, or a thread and value; of a panel that is named or of the only one.
struct CellPlace {
  std::string panel;  // "A"; empty: none is named
  std::optional<Coord> coord;
  std::optional<Owner> owner;
};
// "(5,2)", "5,2", "((1,0),3)", "21", "A(5,2)", "T3 V1", "A T3 V1".
Result<CellPlace> read_place(std::string_view text);

// What a layout does to a coordinate, innermost part first; swizzles that do nothing are left out.
std::vector<CellRecipe::Stage> stages_of_chain(const AnyLayout& layout);

// Coordinates may be coarser than the shape: (5,2), or one number. Refuses what is outside and what has another profile. `owners`: the
// first is explained and the others are named.
Result<ExplainedCell> explain(const CellRecipe& recipe, const Coord& coord, const std::vector<Owner>& owners = {});
// The same of a place; owners are looked for among all threads and values.
Result<ExplainedCell> explain(const std::vector<CellRecipe>& recipes, const CellPlace& place);
// Of a cell of a picture; nothing where its panel has no recipe or it stands for no coordinate.
std::optional<ExplainedCell> explain(const Scene& scene, const ElementId& id);

// Lines of a fixed-width text: the steps under each other, bits of a swizzle lined up.
std::string to_text(const ExplainedCell& cell);
// "in   101 000 010" and the lines below it; `^` where bits flip.
std::vector<std::string> lines_of(const SwizzleBits& bits);
Json to_json(const ExplainedCell& cell);
// What a page's script walks: see core/render/html.
Json to_json(const CellRecipe& recipe);

}  // namespace tessera
