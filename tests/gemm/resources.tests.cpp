// SPDX-License-Identifier: BSD-3-Clause
// The places of a plan's tensors in shared memory.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "tests/gemm/plans.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

TEST_CASE("tensors in shared memory begin where their swizzle begins, and none lies in another or beyond the CTA's bytes") {
  for (const auto& [name, spec] : support::travels()) {
    INFO(name);
    const GemmPlan plan = lower(spec).value();
    std::vector<int> owner(static_cast<std::size_t>(plan.smem_bytes), -1);
    int tensors = 0;
    for (const plan::Tensor& tensor : plan.tensors) {
      if (tensor.space != plan::Space::shared) continue;
      INFO(tensor.name);
      REQUIRE(tensor.ring != plan::kNone);
      CHECK(tensor.byte_offset % 1024 == 0);
      CHECK(tensor.stage_elements * bits(tensor.type) % 128 == 0);
      CHECK(tensor.stage_elements * bits(tensor.type) / 8 <= size(tensor.layout) * bits(tensor.type) / 8 * 9 / 8 + 16);
      const std::int64_t width = bits(tensor.type) / 8;
      bool free = true;
      for (std::int64_t stage = 0; stage < plan.rings[tensor.ring].stages; ++stage) {
        for (std::int64_t i = 0; i < size(tensor.layout); ++i) {
          for (std::int64_t byte = 0; byte < width; ++byte) {
            const std::int64_t at = tensor.byte_offset + (stage * tensor.stage_elements + evaluate(tensor.layout, i)) * width + byte;
            REQUIRE(at < plan.smem_bytes);
            int& is = owner[static_cast<std::size_t>(at)];
            free = free && is < 0;
            is = tensors;
          }
        }
      }
      CHECK(free);
      ++tensors;
    }
    CHECK((plan.has_smem() ? tensors >= 2 : tensors == 0));
  }
}

TEST_CASE("a CTA of wgmma has two mbarriers of 8 bytes for each stage, behind its boxes of C") {
  for (const auto& [name, spec] : support::travels()) {
    const GemmPlan plan = lower(spec).value();
    std::int64_t end = 0;
    for (const plan::Tensor& tensor : plan.tensors) {
      if (tensor.space == plan::Space::shared)
        end = std::max(end, tensor.byte_offset + plan.rings[tensor.ring].stages * tensor.stage_elements * bits(tensor.type) / 8);
    }
    INFO(name);
    CHECK(plan.smem_bytes == end + (!plan.maps.empty() ? 16 * plan.stages() : 0));
  }
}

TEST_CASE("what a phase of `full` waits for are the bytes of the boxes that arrive on it") {
  for (const auto& [name, spec] : support::travels()) {
    const GemmPlan plan = lower(spec).value();
    for (const plan::Barrier& barrier : plan.barriers) {
      if (barrier.name == "full") CHECK(barrier.bytes == (plan.blk_m + plan.blk_n) * plan.blk_k * bits(plan.gmem(Operand::a).type) / 8);
      if (barrier.kind == plan::BarrierKind::cta) CHECK(barrier.arrivals == plan.threads);
    }
  }
}
