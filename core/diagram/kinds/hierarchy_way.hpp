// SPDX-License-Identifier: BSD-3-Clause
// Private to the figure of a GEMM's levels: one element of A and of B on its way from global memory to the registers that are multiplied
// into one of C.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/diagram/parts/reading_aids.hpp"
#include "core/gemm/plan/gemm_plan.hpp"

namespace tessera {

constexpr std::int64_t kWarp = 32;
constexpr float kHeadingRoom = 1.9f;  // above a way, in text units

struct FollowedProduct {
  std::int64_t m = 0, n = 0, k = 0;
  std::int64_t m_tile = 0, n_tile = 0, k_tile = 0;
  std::int64_t row = 0, col = 0;  // in the CTA's tile of C
  std::int64_t depth = 0;         // in the k-tile
  Owner owner;                    // of C
};

struct WayStation {
  std::string name, says, words;
  std::int64_t stages = 0, stage = 0;  // of its ring; none where there are not several
  ColorIndex held = kNoColor;          // of its cell of a level, where it has one: it is framed and painted like that
};

// The elements that are multiplied, on their way: of one operand, with what moves it from station to station.
struct WayChain {
  std::vector<WayStation> stations;
  std::vector<std::string> arrows;
  ColorIndex fill = kNoColor;
};

Result<WayChain> chain_of(Scene& scene, const GemmPlan& plan, Operand operand, const FollowedProduct& f);

// What is done where both meet: "multiply", and whose lanes one instruction takes operands from.
std::string joining_words(const GemmPlan& plan);

// In two columns, from above to below.
struct WaySize {
  float w = 0, h = 0, between = 0;  // between: boxes
};
// With wider boxes and more room between them where the way may be so wide and high.
WaySize size_of_columns(const std::array<WayChain, 2>& chains, float unit, float wide, float high);
// In two columns, from above to below, and in two lines, from left to right.
Panel way_down(Scene& scene, const std::array<WayChain, 2>& chains, const WayStation& c, const std::string& joins, ColorIndex fill,
               float top, const WaySize& size, float unit);
Panel way_across(Scene& scene, const std::array<WayChain, 2>& chains, const WayStation& c, const std::string& joins, ColorIndex fill,
                 float top, float unit);

}  // namespace tessera
