// SPDX-License-Identifier: BSD-3-Clause
// The order of accesses to shared memory: which lie before which, by the clocks of those who made them.
#include "core/gemm/run/memory.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/gemm/run/numerics.hpp"

namespace tessera::machine {

void join(Clock& clock, const Clock& other) {
  for (std::size_t i = 0; i < clock.size(); ++i) clock[i] = std::max(clock[i], other[i]);
}

SharedMemory::SharedMemory(const GemmPlan& plan, const std::vector<Action>& actions)
    : actions_(actions), roles_(static_cast<std::int64_t>(plan.members().size())), tensors_(plan.tensors.size()) {
  for (std::size_t i = 0; i < plan.tensors.size(); ++i) {
    const plan::Tensor& from = plan.tensors[i];
    if (from.space != plan::Space::shared) continue;
    SharedTensor& tensor = tensors_[i];
    tensor.tensor = &from;
    const std::int64_t stages = stages_of(plan.rings, from.ring);
    tensor.elements = (stages - 1) * from.stage_elements + std::max(from.stage_elements, from.elements);
    const auto elements = static_cast<std::size_t>(tensor.elements);
    tensor.values.assign(elements, kUnwritten);
    tensor.written.resize(elements);
    tensor.fill.assign(elements, -1);
    tensor.read.resize(elements * static_cast<std::size_t>(roles_));
    tensor.read_async.resize(elements * static_cast<std::size_t>(roles_));
  }
}

bool SharedMemory::before(const Mark& mark, const Viewer& viewer) const {
  if (mark.action == kNoAction) return true;
  const Action& action = actions_[mark.action];
  if (action.over == kNever) return false;
  if (action.by == By::tma) return (*viewer.before)[action.entry] >= action.over;
  if (action.actor == viewer.actor) {
    if (mark.thread == viewer.thread && mark.thread != kAllThreads) return true;
    if (action.by == By::wgmma) return true;  // all of its threads have waited for it
  }
  const std::size_t all = static_cast<std::size_t>(2 * action.actor);
  if ((*viewer.before)[all] >= action.over) return true;
  const bool first_alone = mark.thread == 0 || action.by == By::wgmma || action.by == By::bulk;
  return first_alone && (*viewer.before)[all + 1] >= action.over;
}

Verdict SharedMemory::read(SharedTensor& tensor, std::int64_t element, std::int64_t fill, const Viewer& viewer, std::int64_t role,
                           std::uint32_t action) {
  if (element < 0 || element >= tensor.elements) return {Clash::outside, {}};
  const auto at = static_cast<std::size_t>(element);
  const Mark& written = tensor.written[at];
  if (written.action == kNoAction) return {Clash::unwritten, {}};
  if (fill >= 0 && tensor.fill[at] >= 0 && tensor.fill[at] != fill)
    return {tensor.fill[at] < fill ? Clash::older_fill : Clash::newer_fill, written};
  if (!before(written, viewer)) return {actions_[written.action].by == By::threads ? Clash::no_barrier : Clash::under_way, written};
  if (viewer.visible != nullptr && actions_[written.action].by != By::tma) {
    const Viewer fenced{viewer.actor, kAllThreads, viewer.visible, nullptr};
    if (!before(written, fenced)) return {Clash::no_fence, written};
  }
  const std::size_t slot = at * static_cast<std::size_t>(roles_) + static_cast<std::size_t>(role);
  if (actions_[action].by != By::threads) {
    tensor.read_async[slot] = {action, viewer.thread};
    return {};
  }
  Mark& mark = tensor.read[slot];
  const bool alone = mark.action == kNoAction || mark.thread == viewer.thread ||
                     actions_[mark.action].over <= (*viewer.before)[static_cast<std::size_t>(2 * viewer.actor)];
  mark = {action, alone ? viewer.thread : kAllThreads};
  return {};
}

Verdict SharedMemory::write(SharedTensor& tensor, std::int64_t element, std::int64_t fill, const Viewer& viewer, std::uint32_t action,
                            double value) {
  if (element < 0 || element >= tensor.elements) return {Clash::outside, {}};
  const auto at = static_cast<std::size_t>(element);
  if (!before(tensor.written[at], viewer)) return {Clash::still_written, tensor.written[at]};
  const std::size_t first = at * static_cast<std::size_t>(roles_);
  for (std::size_t slot = first; slot < first + static_cast<std::size_t>(roles_); ++slot) {
    if (!before(tensor.read[slot], viewer)) return {Clash::still_read, tensor.read[slot]};
    if (!before(tensor.read_async[slot], viewer)) return {Clash::still_read, tensor.read_async[slot]};
  }
  tensor.written[at] = {action, viewer.thread};
  tensor.fill[at] = fill;
  tensor.values[at] = value;
  return {};
}

}  // namespace tessera::machine
