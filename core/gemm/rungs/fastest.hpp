// SPDX-License-Identifier: BSD-3-Clause
// Which tile and which schedule of wgmma are the fastest for a product, among a dozen: by a rule with two numbers of the hardware, and not
// by a table of sizes. On an H200 the rule's order was the measured one at 4096 and 1024, of those that it calls near.
//
//   clocks    waves * k_tiles * max(multiply, fill)
//   waves     clusters of tiles of C for each cluster that runs at once, rounded up
//   multiply  clocks of the tensor cores for a k-tile of 128 bytes: BLK_M * BLK_N / 32, of every type that wgmma has but f64
//   fill      clocks to bring a stage of A and B: its bytes / 57, what a multiprocessor gets from the L2 (measured: 55 to 60 bytes a clock)
//
// 8192 x 8192 x 8192 of bf16 on 132 multiprocessors: 256 x 200 takes 10 waves of 128 * 1600 clocks, 128 x 256 takes 16 of 128 * 1024.
// Of choices within 1 % of each other the first of the list is taken, whose tile is the larger.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/gemm/gemm_spec.hpp"

namespace tessera {

// Multiprocessors of an H100 or H200 (SXM): how many CTAs run at once where each has all of the shared memory.
inline constexpr std::int64_t kHopperMultiprocessors = 132;

// One of the list, for one product.
struct FastestChoice {
  std::string_view name;  // "256x200 skewed"
  std::int64_t tiles = 0, waves = 0;
  double multiply = 0, fill = 0, clocks = 0;  // of a k-tile, of a k-tile, of all
  std::string refused{};                      // why it is no kernel of this product; empty: it is one
  GemmSpec spec{};
};

// The product of `spec`, its layouts, types, factors and batch, in each choice, in the order of the list: what else the spec says is not
// asked for. bad_spec where wgmma does not multiply its types.
Result<std::vector<FastestChoice>> fastest_choices(const GemmSpec& spec, std::int64_t multiprocessors = kHopperMultiprocessors);
// The fastest of those that are kernels.
Result<GemmSpec> fastest(const GemmSpec& spec, std::int64_t multiprocessors = kHopperMultiprocessors);
// Its place in the list; -1: none is a kernel.
int fastest_of(const std::vector<FastestChoice>& choices);

}  // namespace tessera
