// SPDX-License-Identifier: BSD-3-Clause
// The stages of a GEMM's operand on its way: the copies of its plan in their order, what multiplies it, and the copies that C leaves by.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/budget.hpp"
#include "core/diagram/kinds/chain_parts.hpp"
#include "core/diagram/kinds/gemm_parts.hpp"
#include "core/gemm/plan/edges.hpp"

namespace tessera {

namespace {

constexpr std::int64_t kRegisterBits = 32, kRowBits = 128;

plan::Space space_of(const GemmPlan& plan, const plan::At& at) { return plan.tensors[plan.partitions[at.partition].tensor].space; }

// The plan's copies of an operand, one from each memory to each, as the first role has it that the first CTA executes: where warpgroups
// do the same to parts of their own, the first one's.
struct RoleCopy {
  const plan::Copy* copy = nullptr;
  const plan::Role* role = nullptr;
};
std::vector<RoleCopy> copies_of(const GemmPlan& plan, Operand operand) {
  std::vector<RoleCopy> made;
  each_copy(plan, [&](const plan::Role& role, const plan::Copy& copy) {
    if (copy.beyond != plan::kNone || plan.tensors[plan.partitions[copy.from.partition].tensor].operand != operand) return true;
    const bool known = std::any_of(made.begin(), made.end(), [&](const RoleCopy& each) {
      return space_of(plan, each.copy->from) == space_of(plan, copy.from) && space_of(plan, each.copy->to) == space_of(plan, copy.to);
    });
    if (!known) made.push_back({&copy, &role});
    return true;
  });
  // A tile that some k-tiles reach by registers which wait, and others at once, as the first ones do, is on its way once.
  const auto spaces = [&](const RoleCopy& each) { return std::pair{space_of(plan, each.copy->from), space_of(plan, each.copy->to)}; };
  const bool at_once = operand != Operand::c && std::any_of(made.begin(), made.end(), [&](const RoleCopy& each) {
                         return spaces(each) == std::pair{plan::Space::global, plan::Space::shared};
                       });
  std::erase_if(made, [&](const RoleCopy& each) {
    const bool waits = spaces(each) == std::pair{plan::Space::global, plan::Space::registers} && !plan.is_fragment(each.copy->to);
    return at_once && (waits || spaces(each) == std::pair{plan::Space::registers, plan::Space::shared});
  });
  // Where an operand is read from comes first: roles that write it stand before or behind those that read it.
  const auto rank = [&](const RoleCopy& each) {
    const auto space = space_of(plan, each.copy->from);
    const bool c = operand == Operand::c;
    return space == plan::Space::global ? 0 : space == plan::Space::registers ? (c ? 0 : 1) : 2;
  };
  std::stable_sort(made.begin(), made.end(), [&](const RoleCopy& a, const RoleCopy& b) { return rank(a) < rank(b); });
  return made;
}

ChainPlace place_of(plan::Space space) {
  return space == plan::Space::global ? ChainPlace::global : space == plan::Space::shared ? ChainPlace::shared : ChainPlace::registers;
}

struct Matrix {
  const GemmPlan& plan;
  Operand operand;
  std::int64_t rows = 0, cols = 0;
  PanelOperand panel = PanelOperand::a;
  AxisNames axes{};
};

Matrix matrix_of(const GemmPlan& plan, Operand operand) {
  const plan::TwoModes tile = plan::tile_extents(plan, operand);
  switch (operand) {
    case Operand::a: return {plan, operand, tile[0], tile[1], PanelOperand::a, {"k", "m"}};
    case Operand::b: return {plan, operand, tile[0], tile[1], PanelOperand::b, {"k", "n"}};
    case Operand::c: break;
  }
  return {plan, operand, tile[0], tile[1], PanelOperand::c, {"n", "m"}};
}

ChainStage stage_at(const Matrix& of, const plan::Tensor& tensor) {
  ChainStage stage;
  stage.name = tensor.name;
  stage.place = place_of(tensor.space);
  stage.operand = of.panel;
  stage.axes = of.axes;
  stage.rows = of.rows, stage.cols = of.cols;
  stage.bits = bits(tensor.type);
  stage.byte_offset = tensor.space == plan::Space::shared ? tensor.byte_offset : 0;
  if (tensor.space == plan::Space::shared && shape(tensor.layout).is_tuple() && shape(tensor.layout).rank() >= 2) {
    // A warpgroup's part of C has its own.
    const Shape& own = shape(tensor.layout);
    stage.rows = size(own[0]), stage.cols = size(own) / stage.rows;
  }
  if (stage.place != ChainPlace::registers) {
    const AnyLayout layout = tensor.space == plan::Space::shared ? tensor.layout : AnyLayout(tensor.tiles[0]);
    if (Result<std::vector<std::int64_t>> offsets = element_offsets(layout)) stage.offset = std::move(*offsets);
    stage.offset.resize(static_cast<std::size_t>(stage.rows * stage.cols), -1);
    if (stage.place == ChainPlace::shared) stage.layout = to_string(layout);
  }
  stage.touch.resize(static_cast<std::size_t>(stage.rows * stage.cols));
  return stage;
}

// Which element of the tile a thread's value is: [value * threads + thread], -1: none.
struct Held {
  std::int64_t threads = 0, each = 0;
  std::vector<std::int64_t> element;
};

Result<Held> held_by(const GemmPlan& plan, const plan::Partition& of, const ChainStage& stage) {
  Held made;
  made.threads = size(shape(of.layout)[0]);
  made.each = size(of.layout) / made.threads;
  if (of.coordinates != plan::kNone) {
    const plan::Coordinates coordinates(plain_part(plan.partitions[of.coordinates].layout));
    for (std::int64_t v = 0; v < made.each && !late(); ++v) {
      for (std::int64_t t = 0; t < made.threads; ++t) {
        const auto [row, col] = coordinates(t, v);
        made.element.push_back(row < stage.rows && col < stage.cols ? row + stage.rows * col : -1);
      }
    }
    return made;
  }
  TESSERA_TRY(offsets, element_offsets(of.layout));       // (thr, values) -> offset, threads fastest
  std::vector<std::pair<std::int64_t, std::int64_t>> at;  // offset, element
  for (std::size_t i = 0; i < stage.offset.size(); ++i) at.emplace_back(stage.offset[i], static_cast<std::int64_t>(i));
  std::sort(at.begin(), at.end());
  made.element = std::move(offsets);
  for (std::int64_t& each : made.element) {
    const auto found = std::lower_bound(at.begin(), at.end(), std::pair{each, std::int64_t{0}});
    each = found == at.end() || found->first != each ? -1 : found->second;
  }
  return made;
}

// Leaves those threads who take part: a warpgroup's partition may name others' threads too.
void leave_out_others(Held& held, const RoleCopy& by) {
  const std::int64_t count = by.copy->threads > 0 ? by.copy->threads : by.role->threads;
  std::vector<bool> takes(static_cast<std::size_t>(held.threads), false);
  for (std::int64_t t = by.role->first_thread; t < by.role->first_thread + count; ++t)
    takes[static_cast<std::size_t>(t % held.threads)] = true;
  for (std::size_t i = 0; i < held.element.size(); ++i) {
    if (!takes[i % takes.size()]) held.element[i] = -1;
  }
}

// stmatrix stores what threads hold as fragments, and its lanes give the rows: lane 8 * matrix + row that of 8 elements which lanes 4 * row
// to 4 * row + 3 hold two by two.
Held as_rows(const Held& held, std::int64_t matrices) {
  constexpr std::int64_t kRow = 8, kPair = 2;
  Held made{held.threads, held.each / (kPair * matrices) * kRow, {}};
  made.element.assign(static_cast<std::size_t>(made.each * made.threads), -1);
  for (std::int64_t instruction = 0; instruction < made.each / kRow; ++instruction) {
    for (std::int64_t thread = 0; thread < made.threads; ++thread) {
      const std::int64_t lane = thread % kLanes, matrix = lane / kRow, row = lane % kRow;
      if (matrix >= matrices) continue;
      for (std::int64_t e = 0; e < kRow; ++e) {
        const std::int64_t from = thread - lane + 4 * row + e / kPair, value = instruction * kPair * matrices + kPair * matrix + e % kPair;
        made.element[static_cast<std::size_t>((instruction * kRow + e) * made.threads + thread)] =
            held.element[static_cast<std::size_t>(value * held.threads + from)];
      }
    }
  }
  return made;
}

bool is_tma(plan::CopyBy by) { return by == plan::CopyBy::tma_load || by == plan::CopyBy::tma_store; }
bool of_matrices(plan::CopyBy by) {
  return by == plan::CopyBy::ldmatrix || by == plan::CopyBy::ldmatrix_trans || by == plan::CopyBy::stmatrix;
}

// A box of TMA is one access, and no lane's: cells are told apart by 16 bytes, and boxes by their borders.
void take_boxes(const GemmPlan& plan, const plan::Copy& copy, ChainStage& stage) {
  const plan::TensorMap& map = plan.maps[copy.map];
  const bool down = stage.rows > 1 && stage.offset.size() > 1 && plan::contiguous_mode(plan.tensors[map.tensor].tiles[0]) == 0;
  for (std::int64_t c = 0; c < stage.cols; ++c) {
    for (std::int64_t r = 0; r < stage.rows; ++r) {
      const std::int64_t along = down ? r : c, other = down ? c : r;
      stage.touch[static_cast<std::size_t>(r + stage.rows * c)].access =
          static_cast<std::int32_t>(along / map.box_columns + other / map.box_rows * 4096);
    }
  }
}

// The touches of a side in memory, and what the accesses cost.
std::optional<AccessReport> take_side(const GemmPlan& plan, const RoleCopy& by, CopySide side, ChainStage& stage) {
  const plan::Copy& copy = *by.copy;
  if (is_tma(copy.by)) {
    take_boxes(plan, copy, stage);
    return {};
  }
  const plan::Partition& partition = plan.partitions[side == CopySide::source ? copy.from.partition : copy.to.partition];
  Result<Held> read = held_by(plan, partition, stage);
  if (!read) return {};
  leave_out_others(*read, by);
  const Held held = copy.by == plan::CopyBy::stmatrix && copy.matrices > 0 ? as_rows(*read, copy.matrices) : std::move(*read);
  AccessPattern pattern;
  pattern.form = copy.by == plan::CopyBy::cp_async         ? AccessPattern::Form::async
                 : copy.by == plan::CopyBy::ldmatrix_trans ? AccessPattern::Form::matrix_trans
                 : of_matrices(copy.by)                    ? AccessPattern::Form::matrix
                                                           : AccessPattern::Form::plain;
  pattern.side = side;
  pattern.matrices = copy.matrices;
  pattern.threads = held.threads;
  pattern.each = held.each;
  pattern.at_once = of_matrices(copy.by) ? kRowBits / stage.bits : std::max<std::int64_t>(1, copy.vector);
  pattern.element = held.element;
  leave_out_idle_lanes(pattern);
  stage.touch = touches_of(pattern.element, held.threads, pattern.at_once, stage.rows * stage.cols);
  stage.others = others_of(stage.touch, pattern.element, held.threads).value_or(std::vector<std::int64_t>());
  const Result<AccessReport> report =
      measure(pattern, stage.offset, stage.bits, stage.place == ChainPlace::shared ? AccessSpace::smem : AccessSpace::gmem);
  return report ? std::optional(*report) : std::nullopt;
}

ChainStep step_of(const GemmPlan& plan, const plan::Copy& copy, const std::optional<AccessReport>& read,
                  const std::optional<AccessReport>& written) {
  ChainStep step;
  if (!copy.atom.empty()) step.atoms = {copy.atom};
  if (is_tma(copy.by)) {
    const plan::TensorMap& map = plan.maps[copy.map];
    step.name = "TMA";
    step.says = {fmt::format("boxes of {} × {} elements, begun by one thread", map.box_rows, map.box_columns),
                 map.swizzle_bytes > 0 ? fmt::format("shared memory: swizzled in rows of {} bytes", map.swizzle_bytes)
                                       : "shared memory: no swizzle"};
    return step;
  }
  if (copy.by == plan::CopyBy::wmma_load || copy.by == plan::CopyBy::wmma_store) {
    step.name = copy.by == plan::CopyBy::wmma_load ? "wmma.load" : "wmma.store";
    step.says = {"a warp's 32 lanes together; which holds what is not said"};
    return step;
  }
  if (read) step.name = read->instruction;
  if (written && (!read || written->instruction != read->instruction)) step.name += (read ? ", " : "") + written->instruction;
  for (const auto* side : {&read, &written}) {
    if (!*side) continue;
    const plan::Partition& partition = plan.partitions[side == &read ? copy.from.partition : copy.to.partition];
    const std::int64_t each = size(partition.layout) / size(shape(partition.layout)[0]);
    const std::int64_t element_bits = bits(plan.tensors[partition.tensor].type);
    if (step.says.empty()) step.says.push_back(width_words((*side)->bits, std::max<std::int64_t>(1, each * element_bits / (*side)->bits)));
    step.says.push_back(cost_words(**side));
  }
  return step;
}

class Maker {
 public:
  Maker(const GemmPlan& plan, Operand operand) : plan_(plan), operand_(operand) {}

  Result<Chain> run() {
    TESSERA_CHECK(spend_cells(
        count_product(plan_.blk_m, plan_.blk_k) + count_product(plan_.blk_n, plan_.blk_k) + count_product(plan_.blk_m, plan_.blk_n),
        [] { return std::string("the tiles of a GEMM"); }));
    const Matrix matrix = matrix_of(plan_, operand_);
    add_copies(matrix, copies_of(plan_, operand_));
    const bool held = plan_.partitioned(operand_).space != plan::Space::shared || has_fragment_copy_;
    if (chain_.stages.empty())
      return Error{ErrorCode::not_representable, "the plan copies nothing of this operand", {}, {"draw the tiles: gemm_figure(...)"}};
    if (held && chain_.stages.back().place == ChainPlace::registers) {
      TESSERA_TRY(tile, operand_tile(plan_, operand_));
      take_owners(tile.map, chain_.stages.back());
    }
    TESSERA_TRY(c, c_tile(plan_));
    ChainStage sums = stage_at(matrix_of(plan_, Operand::c), plan_.gmem(Operand::c));
    sums.name = "C", sums.place = ChainPlace::registers, sums.offset.clear(), sums.byte_offset = 0;
    sums.bits = bits(plan_.mma->atom().val_c);
    sums.says = "the accumulators, and who holds them";
    take_owners(c.map, sums);
    ChainStep multiply{
        plan_.mma->atom().name, {fmt::format("multiplies tiles of {} × {} × {}", plan_.blk_m, plan_.blk_n, plan_.blk_k)}, {}};
    if (!held) multiply.says.emplace_back("reads shared memory through a descriptor, and no register holds the operand");
    chain_.steps.push_back(std::move(multiply));
    chain_.stages.push_back(std::move(sums));
    add_copies(matrix_of(plan_, Operand::c), copies_of(plan_, Operand::c));
    return std::move(chain_);
  }

 private:
  void take_owners(const OwnerMap& map, ChainStage& stage) const {
    const std::int64_t at_once = std::max<std::int64_t>(1, kRegisterBits / stage.bits), values = std::max<std::int64_t>(1, map.values());
    for (std::int64_t c = 0; c < stage.cols; ++c) {
      for (std::int64_t r = 0; r < stage.rows; ++r) {
        const auto owners = map.owners(r, c);
        if (owners.empty()) continue;
        stage.touch[static_cast<std::size_t>(r + stage.rows * c)] = {
            owners.front().thread, owners.front().value,
            static_cast<std::int32_t>(owners.front().thread * values + owners.front().value / at_once)};
      }
    }
  }

  // Copies through registers that no atom multiplies are one step with two accesses.
  void add_copies(const Matrix& matrix, const std::vector<RoleCopy>& copies) {
    std::optional<ChainStep> waiting;  // in such registers
    for (const RoleCopy& by : copies) {
      const plan::Copy* copy = by.copy;
      const plan::Tensor &source = plan_.tensors[plan_.partitions[copy->from.partition].tensor],
                         &target = plan_.tensors[plan_.partitions[copy->to.partition].tensor];
      std::optional<AccessReport> read, written;
      std::string readers;
      if (matrix.operand == Operand::c && source.space == plan::Space::global) continue;  // C as it was, for beta
      if (source.space != plan::Space::registers) {
        ChainStage stage = stage_at(matrix, source);
        read = take_side(plan_, by, CopySide::source, stage);
        stage.says = reading_words(instruction(*copy, read));
        readers = readers_words(stage.others);
        if (!chain_.stages.empty()) chain_.steps.push_back({});
        chain_.stages.push_back(std::move(stage));
      }
      ChainStage to = stage_at(matrix, target);
      if (target.space != plan::Space::registers) written = take_side(plan_, by, CopySide::destination, to);
      ChainStep step = step_of(plan_, *copy, read, written);
      if (!readers.empty()) step.says.push_back(std::move(readers));
      if (waiting) {
        step.name = waiting->name + ", " + step.name;
        step.says.insert(step.says.begin(), waiting->says.begin(), waiting->says.end());
        waiting.reset();
      }
      const bool fragment = matrix.operand != Operand::c && plan_.is_fragment(copy->to);
      if (target.space == plan::Space::registers && !fragment) {
        waiting = std::move(step);
        continue;
      }
      has_fragment_copy_ = has_fragment_copy_ || fragment;
      to.says = fragment ? "who holds which element" : fmt::format("as {} writes it", instruction(*copy, written));
      if (fragment) to.name = plan_.tensors[plan_.path(matrix.operand).rmem].name;
      chain_.steps.push_back(std::move(step));
      chain_.stages.push_back(std::move(to));
    }
  }

  static std::string instruction(const plan::Copy& copy, const std::optional<AccessReport>& report) {
    if (is_tma(copy.by)) return "TMA";
    return report ? report->instruction : "a warp";
  }

  const GemmPlan& plan_;
  Operand operand_;
  bool has_fragment_copy_ = false;
  Chain chain_;
};

}  // namespace

Result<Chain> chain_of_gemm(const GemmPlan& plan, Operand operand) {
  if (!plan.mma)
    return Error{
        ErrorCode::wrong_type, fmt::format("{} has no operand to follow: it has no tiled MMA", plan.name), {}, {"timeline_figure"}};
  return Maker(plan, operand).run();
}

}  // namespace tessera
