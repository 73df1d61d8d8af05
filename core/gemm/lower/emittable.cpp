// SPDX-License-Identifier: BSD-3-Clause
#include "core/gemm/lower/emittable.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/checked.hpp"
#include "core/gemm/plan/branches.hpp"
#include "core/gemm/refuse.hpp"

namespace tessera {

namespace {

Status check_types(const GemmPlan& plan) {
  const ValueType operands[] = {plan.gmem(Operand::a).type, plan.gmem(Operand::b).type, plan.gmem(Operand::c).type, plan.mma->atom().val_c};
  for (const ValueType& type : operands) {
    const bool is_factor = &type < operands + 2;
    switch (type) {
      case ValueType::e4m3:
      case ValueType::e5m2:
        if (is_factor) continue;
        return refuse(ErrorCode::bad_spec, fmt::format("no kernel stores elements of type {}; A and B may have them", short_name(type)),
                      "type_c=f16, bf16 or f32");
      case ValueType::f16:
      case ValueType::bf16:
      case ValueType::tf32:
      case ValueType::f32:
      case ValueType::f64:
      case ValueType::i8:
      case ValueType::u8:
      case ValueType::i32: continue;
      default: break;
    }
    return refuse(ErrorCode::bad_spec, fmt::format("no kernel is emitted for elements of type {}", short_name(type)),
                  "types with kernels: f16, bf16, tf32, f32, f64, s8, u8, s32, and of A and B e4m3 and e5m2");
  }
  return Done{};
}

// Which instructions the device function `mma` can be written for.
Status check_instruction(const MmaAtom& atom) {
  if (atom.kind == MmaKind::mma_sync || atom.kind == MmaKind::wmma) return Done{};
  const bool from_smem = atom.source_a == OperandSource::smem_descriptor && !atom.sparse;
  if (atom.kind == MmaKind::wgmma && from_smem) return Done{};
  const bool one_type = atom.val_a == atom.val_c && atom.val_b == atom.val_c && atom.val_d == atom.val_c;
  const bool multiplies = atom.val_c == ValueType::f32 || atom.val_c == ValueType::f64 || atom.val_c == ValueType::i32;
  if (atom.kind == MmaKind::fma && size(atom.shape_mnk) == 1 && one_type && multiplies) return Done{};
  return refuse(ErrorCode::bad_spec, fmt::format("no kernel is emitted for {}", atom.name),
                "an mma.sync atom, such as SM80_16x8x16_F32F16F16F32_TN, a wgmma whose operands are in shared memory, or "
                "UniversalFMA of float, double or int32_t");
}

// alpha and beta are arguments of type float.
Status check_scales(const GemmPlan& plan) {
  if (!is_scaled_in_double(plan)) return Done{};
  for (const auto& [name, value] : {std::pair{"alpha", plan.alpha}, {"beta", plan.beta}}) {
    if (static_cast<double>(static_cast<float>(value)) == value) continue;
    return refuse(ErrorCode::bad_spec,
                  fmt::format("{} is {}, which is no float; {} sums stored as {} are scaled in double, but {} is passed as a float", name,
                              value, short_name(plan.mma->atom().val_c), short_name(plan.gmem(Operand::c).type), name),
                  fmt::format("{}={}", name, static_cast<double>(static_cast<float>(value))));
  }
  return Done{};
}

// gridDim.x has 31 bits, and the reference kernel's blocks are 256 elements of C.
Status check_grid(const GemmPlan& plan) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  if (plan.m_tiles * plan.n_tiles > most) {
    return refuse(
        ErrorCode::limit,
        fmt::format("{} x {} tiles of C are {} CTAs; a grid has at most {}", plan.m_tiles, plan.n_tiles, plan.m_tiles * plan.n_tiles, most),
        "a larger cta_tiler, or a smaller m or n");
  }
  if (ceil_div(plan.m * plan.n, 256) > most) {
    return refuse(ErrorCode::limit, fmt::format("C has {} elements; the check's kernel has at most {}", plan.m * plan.n, 256 * most),
                  "a smaller m or n");
  }
  return Done{};
}

// Elements of a fragment fill whole registers.
Status check_registers(const GemmPlan& plan) {
  const std::int64_t packed = std::max<std::int64_t>(1, 32 / bits(plan.gmem(Operand::a).type));  // of B, too: one width
  const auto values = [&](Operand operand) { return plain_part(plan.partitions[plan.path(operand).fragment].layout)[0].size(); };
  const bool in_registers = plan.mma->atom().source_a == OperandSource::registers;
  if (in_registers && (values(Operand::a) % packed != 0 || values(Operand::b) % packed != 0)) {
    return refuse(ErrorCode::bad_spec,
                  fmt::format("{} holds fewer than {} elements of {} a thread, which do not fill a register", plan.mma->atom().name, packed,
                              short_name(plan.gmem(Operand::a).type)),
                  "another atom");
  }
  const ValueType sums = plan.mma->atom().val_c;
  if (bits(sums) < 32 && sums != ValueType::f16) {
    return refuse(ErrorCode::bad_spec, fmt::format("no kernel is emitted for {} accumulators", short_name(sums)), "an f32 accumulator");
  }
  return Done{};
}

using Found = std::optional<std::string>;

// What `see` says first of the operations of a block.
template <class See>
Found first_in(const plan::Block& block, See& see) {
  for (const plan::Op& op : block) {
    if (Found found = std::visit(see, op.op)) return found;
  }
  return std::nullopt;
}

// The name of the first operation in a block whose text is not written yet.
class Unwritten {
 public:
  explicit Unwritten(const GemmPlan& plan) : plan_(plan) {}

  Found in(const plan::Block& block) { return first_in(block, *this); }

  Found operator()(const plan::Copy& copy) {
    switch (copy.by) {
      case plan::CopyBy::load_store:
      case plan::CopyBy::cp_async:
      case plan::CopyBy::ldmatrix:
      case plan::CopyBy::ldmatrix_trans:
      case plan::CopyBy::wmma_load:
      case plan::CopyBy::wmma_store: return std::nullopt;
      case plan::CopyBy::stmatrix: return "stmatrix";
      case plan::CopyBy::tma_load: return "tma_load";
      case plan::CopyBy::tma_store: return "tma_store";
    }
    return std::nullopt;
  }
  Found operator()(const plan::Mma& mma) { return mma.by == plan::MmaBy::wgmma ? Found("wgmma") : std::nullopt; }
  Found operator()(const plan::Convert&) { return std::nullopt; }
  Found operator()(const plan::Commit& commit) { return group(commit.of); }
  Found operator()(const plan::WaitGroup& wait) { return group(wait.of); }
  Found operator()(const plan::Expect&) { return "mbarrier.expect_tx"; }
  Found operator()(const plan::Arrive&) { return "mbarrier.arrive"; }
  Found operator()(const plan::Wait& wait) {
    switch (plan_.barriers[wait.barrier].kind) {
      case plan::BarrierKind::cta: return std::nullopt;
      case plan::BarrierKind::named: return "a wait at a named barrier";
      case plan::BarrierKind::mbarrier: return "a wait at an mbarrier";
      case plan::BarrierKind::cluster: return "a wait at the cluster's barrier";
    }
    return std::nullopt;
  }
  Found operator()(const plan::Advance&) { return std::nullopt; }
  Found operator()(const plan::Fence&) { return "a fence"; }
  Found operator()(const plan::SetRegisters&) { return "setmaxnreg"; }
  Found operator()(const plan::NextTile& next) {
    return next.tile.variable.empty() && next.tile.add == 0 ? std::nullopt : Found("a second tile of a CTA");
  }
  Found operator()(const plan::Loop& loop) { return loop.tiles ? Found("a loop over the CTA's tiles") : in(*loop.body); }
  Found operator()(const plan::When& when) {
    if (when.only == plan::Only::tile_exists || when.only == plan::Only::tile_missing) return "a condition on the CTA's tiles";
    return in(*when.body);
  }
  Found operator()(const plan::Named& named) { return in(plan_.functions[named.function].body); }

 private:
  static Found group(plan::GroupOf of) {
    switch (of) {
      case plan::GroupOf::cp_async: return std::nullopt;
      case plan::GroupOf::wgmma: return "a group of wgmma";
      case plan::GroupOf::bulk: return "a group of bulk copies";
    }
    return std::nullopt;
  }
  const GemmPlan& plan_;
};

// The same for a kernel of several roles, which copy by TMA and multiply by wgmma.
class UnwrittenOfRoles {
 public:
  explicit UnwrittenOfRoles(const GemmPlan& plan) : plan_(plan) {}

  Found in(const plan::Block& block) { return first_in(block, *this); }

  Found operator()(const plan::Copy& copy) {
    if (copy.by == plan::CopyBy::stmatrix || copy.by == plan::CopyBy::tma_load || copy.by == plan::CopyBy::tma_store) return std::nullopt;
    if (copy.by != plan::CopyBy::load_store) return "a copy by threads in a role among several";
    const plan::Tensor &from = tensor(copy.from), &to = tensor(copy.to);
    const bool to_box = from.space == plan::Space::registers && to.space == plan::Space::shared && to.operand == Operand::c;
    if (to_box && copy.vector == 2 && bits(to.type) == 32) return std::nullopt;
    const bool to_gmem = from.space == plan::Space::registers && to.space == plan::Space::global && copy.predicate != plan::kNone;
    const int width = bits(to.type);
    if (to_gmem && copy.vector == 1 && (width == 16 || width == 32)) return std::nullopt;
    return "a copy by threads in a role among several";
  }
  Found operator()(const plan::Mma& mma) {
    return mma.by == plan::MmaBy::wgmma ? std::nullopt : Found("an mma of registers in a role among several");
  }
  Found operator()(const plan::Convert& convert) {
    const int width = bits(tensor(convert.to).type);
    if (convert.c.partition != plan::kNone && tensor(convert.c).space != plan::Space::shared)
      return "a sum with C of global memory in a role among several";
    return width == 16 || width == 32 ? std::nullopt : Found("a result of other than 16 or 32 bits in a role among several");
  }
  Found operator()(const plan::Wait& wait) {
    const plan::Barrier& barrier = plan_.barriers[wait.barrier];
    if (barrier.kind == plan::BarrierKind::cta) return "a wait at the CTA's barrier in a role, where others do not begin or end with it";
    if (barrier.kind != plan::BarrierKind::mbarrier) return std::nullopt;
    if (barrier.ring != plan_.ring() && plan_.rings[barrier.ring].full != wait.barrier)
      return "a wait at an mbarrier of another ring than that of sA";
    return wait.stage.back == 0 ? std::nullopt : Found("a wait for a stage before");
  }
  Found operator()(const plan::Arrive& arrive) {
    return arrive.stage.back <= 1 ? std::nullopt : Found("an arrival at a stage further back than the one before");
  }
  Found operator()(const plan::Loop& loop) { return in(*loop.body); }
  Found operator()(const plan::When& when) { return in(*when.body); }
  Found operator()(const plan::Named&) { return "a function in a role among several"; }
  template <class Other>
  Found operator()(const Other&) {
    return std::nullopt;
  }

 private:
  const plan::Tensor& tensor(const plan::At& at) const { return plan_.tensors[plan_.partitions[at.partition].tensor]; }
  const GemmPlan& plan_;
};

// Each family is a branch of one `if`, which a warp takes as a whole: one behind the other.
Status check_branches(const GemmPlan& plan) {
  constexpr std::int64_t kWarp = 32, kNamedBarriers = 15;
  std::int64_t next = 0, named = 0;
  for (const plan::Role& role : plan.roles) {
    if (role.first_thread != next || role.threads % kWarp != 0) {
      return refuse(ErrorCode::bad_spec,
                    fmt::format("{} is threads {} to {}, {} a member; a branch of the kernel is whole warps of {}, from thread {} on",
                                role.name, role.first_thread, role.last_thread(), role.threads, kWarp, next),
                    "roles of whole warps, one behind the other");
    }
    next = role.last_thread() + 1;
  }
  if (next != plan.threads) {
    return refuse(ErrorCode::bad_spec, fmt::format("the CTA has {} threads, and its roles together {}", plan.threads, next),
                  "a role for every thread");
  }
  for (const plan::Barrier& barrier : plan.barriers) named += barrier.kind == plan::BarrierKind::named ? barrier.members : 0;
  if (named <= kNamedBarriers) return Done{};
  return refuse(ErrorCode::limit, fmt::format("{} named barriers; a CTA has {} beside the one of __syncthreads", named, kNamedBarriers),
                "fewer roles");
}

// C is read under the predicate of the store that follows.
bool stores_what_it_converts(const plan::Block& block) {
  for (std::size_t i = 0; i < block.size(); ++i) {
    const auto* loop = std::get_if<plan::Loop>(&block[i].op);
    const auto* when = std::get_if<plan::When>(&block[i].op);
    if ((loop != nullptr && !stores_what_it_converts(*loop->body)) || (when != nullptr && !stores_what_it_converts(*when->body)))
      return false;
    const auto* convert = std::get_if<plan::Convert>(&block[i].op);
    if (convert == nullptr || convert->predicate == plan::kNone) continue;
    const auto* store = i + 1 < block.size() ? std::get_if<plan::Copy>(&block[i + 1].op) : nullptr;
    if (store == nullptr || store->predicate != convert->predicate || !(store->to == convert->c)) return false;
  }
  return true;
}

Status check_operations(const GemmPlan& plan) {
  const auto later = [](const std::string& name) {
    return refuse(ErrorCode::bad_spec, fmt::format("{} is drawn and simulated; its kernel text comes later", name),
                  "a schedule of one role with cp.async and mma.sync");
  };
  const bool several = is_in_branches(plan);
  for (const plan::Role& role : plan.roles) {
    if (!stores_what_it_converts(role.block)) return later("a sum with C at an edge, apart from its store");
  }
  if (plan.roles.empty()) return later("a CTA of 0 roles");
  const std::vector<plan::OwnPart> own = plan::own_parts(plan);
  for (std::size_t i = 0; i < plan.roles.size(); ++i) {
    const plan::Block& block = plan.roles[i].block;
    const auto at = [&](std::size_t index) { return block.begin() + static_cast<std::ptrdiff_t>(index); };
    const auto name = several ? UnwrittenOfRoles(plan).in(plan::Block(at(own[i].first), at(own[i].last))) : Unwritten(plan).in(block);
    if (name) return later(*name);
  }
  if (several) return check_branches(plan);
  if (plan.cluster_size() != 1) return later(fmt::format("a cluster of {} x {} CTAs", plan.cluster_m, plan.cluster_n));
  return Done{};
}

}  // namespace

bool is_in_branches(const GemmPlan& plan) { return plan.roles.size() > 1 || plan.mma->atom().kind == MmaKind::wgmma; }

bool is_scaled_in_double(const GemmPlan& plan) {
  const auto is_integer = [](ValueType type) { return type == ValueType::i32 || type == ValueType::i8 || type == ValueType::u8; };
  const ValueType sums = plan.mma->atom().val_c, c = plan.gmem(Operand::c).type;
  return sums == ValueType::f64 || c == ValueType::f64 || is_integer(sums) || is_integer(c);
}

Status check_emittable(const GemmPlan& plan) {
  TESSERA_CHECK(check_types(plan));
  TESSERA_CHECK(check_operations(plan));
  TESSERA_CHECK(check_instruction(plan.mma->atom()));
  TESSERA_CHECK(check_scales(plan));
  TESSERA_CHECK(check_grid(plan));
  return check_registers(plan);
}

}  // namespace tessera
