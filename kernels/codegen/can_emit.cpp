// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/codegen/can_emit.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/gemm/plan/branches.hpp"
#include "core/gemm/plan/verify_parts.hpp"
#include "core/gemm/plan/walk.hpp"
#include "core/gemm/refuse.hpp"
#include "kernels/codegen/body.hpp"

namespace tessera::emitting {

namespace {

using plan::CopyBy;
using plan::Space;

constexpr CanEmit kCopies[] = {
    {CopyBy::load_store, Space::global, Space::shared},    {CopyBy::load_store, Space::global, Space::registers},
    {CopyBy::load_store, Space::registers, Space::shared}, {CopyBy::load_store, Space::registers, Space::global},
    {CopyBy::load_store, Space::shared, Space::registers}, {CopyBy::cp_async, Space::global, Space::shared},
    {CopyBy::ldmatrix, Space::shared, Space::registers},   {CopyBy::ldmatrix_trans, Space::shared, Space::registers},
    {CopyBy::stmatrix, Space::registers, Space::shared},   {CopyBy::tma_load, Space::global, Space::shared},
    {CopyBy::tma_store, Space::shared, Space::global},     {CopyBy::wmma_load, Space::shared, Space::registers},
    {CopyBy::wmma_store, Space::registers, Space::shared},
};

const char* name_of(CopyBy by) {
  switch (by) {
    case CopyBy::load_store: return "a load or store";
    case CopyBy::cp_async: return "cp.async";
    case CopyBy::ldmatrix: return "ldmatrix";
    case CopyBy::ldmatrix_trans: return "ldmatrix.trans";
    case CopyBy::stmatrix: return "stmatrix";
    case CopyBy::tma_load: return "a load by TMA";
    case CopyBy::tma_store: return "a store by TMA";
    case CopyBy::wmma_load: return "a load of wmma";
    case CopyBy::wmma_store: return "a store of wmma";
  }
  return "";
}
const char* name_of(Space space) {
  switch (space) {
    case Space::global: return "global memory";
    case Space::shared: return "shared memory";
    case Space::registers: return "registers";
    case Space::coordinates: return "coordinates";
  }
  return "";
}

using Found = std::optional<std::string>;

// What an operation has no text for: each kind is asked by itself.
class Unwritten {
 public:
  explicit Unwritten(const GemmPlan& plan) : plan_(plan) {}

  // Of a role's block, and of what it calls.
  Found in(const plan::Role& role) {
    threads_ = role.threads;
    has_tiles_ = false;
    Found found = in(role.block);
    for (const plan::Id id : plan::called(plan_, role.block)) {
      if (found) break;
      found = in(plan_.functions[id].body);
      if (!found && has_tiles_ && reads_global_) found = "a function of global memory in a role that computes several tiles";
    }
    return found;
  }

  Found operator()(const plan::Copy& copy) {
    const plan::Tensor &from = tensor(copy.from), &to = tensor(copy.to);
    reads_global_ = reads_global_ || from.space == Space::global;
    const bool is_listed = std::any_of(std::begin(kCopies), std::end(kCopies), [&](const CanEmit& each) {
      return each.by == copy.by && each.from == from.space && each.to == to.space;
    });
    if (!is_listed) return fmt::format("{} from {} to {}", name_of(copy.by), name_of(from.space), name_of(to.space));
    const int width = bits(to.type);
    if (from.space != Space::registers || from.operand != Operand::c || plan_.is_fragment(copy.from) || copy.by != CopyBy::load_store)
      return std::nullopt;
    if (to.space == Space::shared && (copy.vector != 2 || width != 32)) return "a copy to a box of C of other than pairs of 32 bits";
    const bool is_left_over = to.space == Space::global && from.elements > copy.vector;
    if (is_left_over && (copy.predicate == plan::kNone || copy.vector != 1 || (width != 16 && width != 32)))
      return "a store of a part of the registers that a box of C comes from";
    return std::nullopt;
  }
  Found operator()(const plan::Mma&) { return std::nullopt; }
  Found operator()(const plan::Convert& convert) {
    const plan::Tensor& to = tensor(convert.to);
    const bool in_box = convert.c.partition != plan::kNone && tensor(convert.c).space == Space::shared;
    return in_box && bits(to.type) != 16 && bits(to.type) != 32 ? Found("a result of other than 16 or 32 bits in a box of C")
                                                                : std::nullopt;
  }
  Found operator()(const plan::Commit&) { return std::nullopt; }
  Found operator()(const plan::WaitGroup&) { return std::nullopt; }
  Found operator()(const plan::Expect&) { return std::nullopt; }
  Found operator()(const plan::Arrive& arrive) {
    return arrive.stage.back <= 1 ? std::nullopt : Found("an arrival at a stage further back than the one before");
  }
  Found operator()(const plan::Wait& wait) {
    const plan::Barrier& barrier = plan_.barriers[wait.barrier];
    if (barrier.kind != plan::BarrierKind::mbarrier) return std::nullopt;
    if (barrier.ring != plan_.ring() && plan_.rings[barrier.ring].full != wait.barrier)
      return "a wait at an mbarrier of another ring than that of sA";
    return wait.stage.back == 0 ? std::nullopt : Found("a wait for a stage before");
  }
  Found operator()(const plan::Advance&) { return std::nullopt; }
  Found operator()(const plan::Fence&) { return std::nullopt; }
  Found operator()(const plan::SetRegisters&) {
    return threads_ % 128 == 0 ? std::nullopt : Found("setmaxnreg in a role that is no whole warpgroup");
  }
  Found operator()(const plan::NextTile& next) {
    if (loops_ > 0) has_tiles_ = true;
    const bool is_first = next.tile == plan::Index{};
    return loops_ > 0 || is_first ? std::nullopt : Found("a second tile of a CTA, outside of a loop");
  }
  Found operator()(const plan::Opaque&) { return std::nullopt; }  // check_opaque lets none pass
  Found operator()(const plan::Loop& loop) {
    ++loops_;
    Found found = in(*loop.body);
    --loops_;
    return found;
  }
  Found operator()(const plan::When& when) { return in(*when.body); }
  Found operator()(const plan::Named&) { return std::nullopt; }  // `in` a role looks at what is called

 private:
  Found in(const plan::Block& block) {
    for (const plan::Op& op : block) {
      if (Found found = std::visit(*this, op.op)) return found;
    }
    return std::nullopt;
  }
  const plan::Tensor& tensor(const plan::At& at) const { return plan_.tensors[plan_.partitions[at.partition].tensor]; }
  const GemmPlan& plan_;
  std::int64_t threads_ = 0, loops_ = 0;
  bool has_tiles_ = false, reads_global_ = false;
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

// C is read under the predicate of the store that follows in its block.
bool stores_what_it_converts(const plan::Block& block) {
  for (std::size_t i = 0; i < block.size(); ++i) {
    const auto* convert = std::get_if<plan::Convert>(&block[i].op);
    if (convert == nullptr || convert->predicate == plan::kNone) continue;
    const auto* store = i + 1 < block.size() ? std::get_if<plan::Copy>(&block[i + 1].op) : nullptr;
    if (store == nullptr || store->predicate != convert->predicate || !(store->to == convert->c)) return false;
  }
  return !plan::any_op(block, [](const plan::Op& op) {
    const plan::Block* const inner = plan::inside(op, nullptr);
    return inner != nullptr && !stores_what_it_converts(*inner);
  });
}

// Does a role ask about the CTA's tiles, or go from one to the next?
bool has_tiles(const plan::Block& block) {
  const auto asks = [](const plan::Op& op) {
    const auto* loop = std::get_if<plan::Loop>(&op.op);
    const auto* when = std::get_if<plan::When>(&op.op);
    return (loop != nullptr && loop->tiles) ||
           (when != nullptr && (when->only == plan::Only::tile_exists || when->only == plan::Only::tile_missing));
  };
  return plan::any_op(block, asks);
}

// An operation that is only a name, wherever it stands.
Status check_opaque(const GemmPlan& plan) {
  std::string name;
  plan::each_op(plan, [&](const plan::Op& op) {
    const auto* opaque = std::get_if<plan::Opaque>(&op.op);
    if (opaque != nullptr) name = opaque->name;
    return opaque == nullptr;
  });
  if (!name.empty())
    return refuse(ErrorCode::bad_spec,
                  fmt::format("no kernel has text for the opaque operation \"{}\": it is ordered, raced and drawn", name),
                  "operations with text in its place");
  if (!plan.mma) return refuse(ErrorCode::bad_spec, fmt::format("{} has no tiled MMA, and a kernel is emitted for a GEMM", plan.name), {});
  return Done{};
}

Status later(const std::string& name) {
  return refuse(ErrorCode::bad_spec, fmt::format("{} is drawn and simulated; its kernel text comes later", name),
                "a schedule that `tessera gemm emit` writes, such as one of a rung of the ladder");
}

}  // namespace

std::span<const CanEmit> copies_with_text() { return kCopies; }

Status check_operations(const GemmPlan& plan) {
  if (plan.roles.empty()) return later("a CTA of 0 roles");
  TESSERA_CHECK(plan::check_names(plan));
  TESSERA_CHECK(check_opaque(plan));
  for (const plan::Role& role : plan.roles) {
    if (!stores_what_it_converts(role.block)) return later("a sum with C at an edge, apart from its store");
    if (const Found found = Unwritten(plan).in(role)) return later(*found);
  }
  const bool asks = std::any_of(plan.roles.begin(), plan.roles.end(), [](const plan::Role& role) { return has_tiles(role.block); });
  if (plan.cluster_size() != 1 && !asks)
    return later(fmt::format("a cluster of {} x {} CTAs of a tile each", plan.cluster_m, plan.cluster_n));
  for (const Operand operand : {Operand::a, Operand::b}) {
    if (!plan.maps.empty() && takes_pointer(plan, operand))
      return later(fmt::format("a copy of {} by threads beside tensor maps", plan.gmem(operand).name));
  }
  return plan.roles.size() == 1 && plan.maps.empty() ? Status(Done{}) : check_branches(plan);
}

}  // namespace tessera::emitting
