// SPDX-License-Identifier: BSD-3-Clause
// The accesses of the first CTA's first k-tile and of its epilogue, warp by warp or box by box.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "core/gemm/run/machine.hpp"

namespace tessera::machine {

namespace {
constexpr std::int64_t kWarp = 32;
}

void Machine::trace(const Actor& actor, const plan::Step& step, const plan::Copy& copy, const Place& from, const Place& to) {
  if (actor.walk.tile(std::max(copy.from.tiles_back, copy.to.tiles_back)).number > 0) return;
  // What is read of C before it is stored, by a conversion or into a box, has no step: it is no store.
  if (copy.by == plan::CopyBy::tma_load && from.tensor().operand == Operand::c) return;
  const auto first_tile = [&](const Place& place) {
    if (place.tensor().space == plan::Space::shared) return place.fill <= 0;
    return place.walked->k_tile == nullptr || actor.walk.k_tile(*place.walked->k_tile) == 0;
  };
  for (const bool reads : {true, false}) {
    const Place& place = reads ? from : to;
    const plan::Tensor& tensor = place.tensor();
    if (tensor.space == plan::Space::registers || !first_tile(place)) continue;
    const bool global = tensor.space == plan::Space::global;
    const Access::Step of[3] = {global  ? Access::Step::read_a
                                : reads ? Access::Step::s2r_a
                                        : Access::Step::g2s_write_a,
                                global  ? Access::Step::read_b
                                : reads ? Access::Step::s2r_b
                                        : Access::Step::g2s_write_b,
                                global  ? Access::Step::store_c
                                : reads ? Access::Step::unstage_c
                                        : Access::Step::stage_c};
    const Access::Step what = of[static_cast<std::size_t>(tensor.operand)];
    if (copy.by == plan::CopyBy::wmma_load || copy.by == plan::CopyBy::wmma_store) continue;  // CUDA does not say how they go
    if (copy.by == plan::CopyBy::tma_load || copy.by == plan::CopyBy::tma_store) {
      record_box(actor, step, what, place);
    } else {
      record(actor, step, what, place, copy.threads > 0 ? copy.threads : actor.is->threads,
             copy.by == plan::CopyBy::stmatrix ? 2 : copy.vector, copy.by == plan::CopyBy::stmatrix ? 0 : copy.matrices);
    }
  }
}

void Machine::record(const Actor& actor, const plan::Step& step, Access::Step what, const Place& place, std::int64_t threads,
                     std::int64_t vector, std::int64_t matrices) {
  const std::int64_t width = bits(place.tensor().type);
  for (std::int64_t instruction = 0; instruction * vector < place.count(); ++instruction) {
    for (std::int64_t warp = 0; warp * kWarp < threads; ++warp) {
      Access access;
      access.step = what, access.instruction = instruction, access.op = step.op;
      access.warp = actor.is->first_thread / kWarp + warp;
      access.bytes = vector * width / 8;
      access.matrix = matrices > 0;
      for (std::int64_t lane = 0; lane < kWarp; ++lane) {
        const std::int64_t thread = warp * kWarp + lane;
        const bool takes_part =
            thread < threads && (matrices == 0 || lane < 8 * matrices) && is_asked(step, actor.is->first_thread + thread);
        access.address[static_cast<std::size_t>(lane)] =
            takes_part && !place.is_outside(actor.is->first_thread + thread, instruction * vector)
                ? (place.element(actor.is->first_thread + thread, instruction * vector) * width) / 8
                : -1;
      }
      shared_.result.trace.push_back(std::move(access));
    }
  }
}

// A box as runs of neighbours, all of one length: the longest of which every row of the box is made.
void Machine::record_box(const Actor& actor, const plan::Step& step, Access::Step what, const Place& place) {
  Access access;
  access.step = what, access.op = step.op;
  access.address.fill(-1);
  const std::int64_t width = bits(place.tensor().type);
  std::vector<std::int64_t> elements;
  for (std::int64_t i = 0; i < place.count(); ++i) {
    if (!place.is_outside(actor.is->first_thread, i)) elements.push_back(place.element(actor.is->first_thread, i));
  }
  if (elements.empty()) return;
  std::sort(elements.begin(), elements.end());
  std::int64_t run = 0, begin = 0;
  const auto count = static_cast<std::int64_t>(elements.size());
  for (std::int64_t i = 1; i <= count; ++i) {
    if (i < count && elements[static_cast<std::size_t>(i)] == elements[static_cast<std::size_t>(i - 1)] + 1) continue;
    run = std::gcd(run, i - begin), begin = i;
  }
  for (std::int64_t i = 0; i < count; i += run) access.box.push_back(elements[static_cast<std::size_t>(i)] * width / 8);
  access.bytes = run * width / 8;
  shared_.result.trace.push_back(std::move(access));
}

}  // namespace tessera::machine
