// SPDX-License-Identifier: BSD-3-Clause
// Private to the figure of a chain of copies: the stages of a tile's way, each with who takes which element in which access.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/atom/copy/copy_access.hpp"
#include "core/diagram/kinds/figure_kinds.hpp"

namespace tessera {

enum class ChainPlace : std::uint8_t { global, shared, registers };
std::string_view words_of(ChainPlace place);  // "global memory"

// Who takes an element, and in which of all accesses; -1: nobody does.
struct ChainTouch {
  std::int32_t thread = -1, value = -1, access = -1;
};

// A stage: a tile somewhere, as one side of a copy sees it. Its element (r, c) is number r + rows * c.
struct ChainStage {
  std::string name{};  // "gA"; empty: not known
  std::string says{};  // "as cp.async writes it"
  std::string id{};    // of its panel
  ChainPlace place = ChainPlace::global;
  PanelOperand operand = PanelOperand::a;
  AxisNames axes{};
  std::int64_t rows = 0, cols = 0, bits = 16;
  std::string layout{};                // in shared memory, in words
  std::vector<std::int64_t> offset{};  // of each element, in elements; empty: registers
  std::int64_t byte_offset = 0;        // in shared memory
  std::vector<ChainTouch> touch{};     // of each element
  std::vector<std::int64_t> others{};  // who else takes it, as steps from that thread, where they are the same for all; empty: nobody
};

// What takes a tile from one stage to the next.
struct ChainStep {
  std::string name{};               // "cp.async of 16 bytes"; empty: the same tile, seen again
  std::vector<std::string> says{};  // "128 bits a lane, 4 accesses a thread", "global memory: 64 sectors, the least possible"
  std::vector<std::string> atoms{};
};

struct Chain {
  std::vector<ChainStage> stages;
  std::vector<ChainStep> steps;  // one between each two stages
  std::vector<std::string> notes{};
};

Result<Chain> chain_of_copies(const FigureSpec& spec);
Result<Chain> chain_of_gemm(const GemmPlan& plan, Operand operand);

// Does an instruction take rows of 16 bytes at which some lanes point, and give them to others?
bool points_at_rows(std::string_view instruction);
// "as cp.async of 16 bytes reads it", "ldmatrix.x4 reads 16 bytes where T points"
std::string reading_words(std::string_view instruction);
// "128 bits a lane, 4 accesses a thread"
std::string width_words(std::int64_t bits, std::int64_t accesses);
// "global memory: 64 sectors, the least possible"
std::string cost_words(const AccessReport& report);
// Numbers the accesses: values [i * at_once, (i + 1) * at_once) of a thread are one. `element`: [value * threads + thread], -1: none. Of
// several who take an element the first in the order of values, then threads, is said.
std::vector<ChainTouch> touches_of(const std::vector<std::int64_t>& element, std::int64_t threads, std::int64_t at_once,
                                   std::int64_t elements);
// ChainStage::others of the same elements; nothing where they differ.
std::optional<std::vector<std::int64_t>> others_of(const std::vector<ChainTouch>& touch, const std::vector<std::int64_t>& element,
                                                   std::int64_t threads);
// "each element is read by 2 warps"; empty: by one thread each.
std::string readers_words(const std::vector<std::int64_t>& others);
// "who holds which element; T + 64 holds the same as T"
std::string holders_words(const std::vector<std::int64_t>& others);
// The accumulators of a tiled MMA over a tile of C; nothing where they lie in tensor memory.
Result<ChainStage> accumulators(const TiledMma& mma, std::int64_t rows, std::int64_t cols);

}  // namespace tessera
