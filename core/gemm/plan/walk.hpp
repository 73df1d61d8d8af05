// SPDX-License-Identifier: BSD-3-Clause
// Walks a role's block operation by operation, as its threads would: loops counted, conditions decided, functions entered. One walk is a
// resumable program; the machine holds one for each role and takes their steps in the order that it explores.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/gemm/plan/gemm_plan.hpp"

namespace tessera::plan {

// A tile of C by its place in the grid of tiles.
struct TilePlace {
  std::int64_t number = -1;  // of the CTA: 0 is its first
  std::int64_t m_tile = 0, n_tile = 0;
};

// One operation that a role is about to execute, with everything that its indices say. Loop, When, Named, NextTile and Advance are done by
// the walk itself, which yields NextTile and Advance too, after they are done.
struct Step {
  const Op* op = nullptr;
  bool first_thread_only = false, owners_only = false;  // the conditions on threads around it
};

class Walk {
 public:
  // The CTA by its number in the grid. The variables rank_m and rank_n are its place in the cluster, and one with the family's name is
  // the member.
  Walk(const GemmPlan& plan, const Role& role, std::int64_t cta, std::int64_t member = 0);

  std::optional<Step> next();  // the next operation; nothing at the role's end

  std::int64_t value(const Index& index) const;        // of the variables as they are now
  std::int64_t variable(std::string_view name) const;  // -1: there is none now
  std::int64_t fill(const Stage& stage) const;         // which fill of the cursor's ring
  std::int64_t stage(const Stage& stage) const;        // fill mod stages
  const TilePlace& tile(std::int64_t back = 0) const;  // of the last NextTile, or of the one before
  // The tile of K that a pick names: counted down where the loop around it says so.
  std::int64_t k_tile(const Index& index) const;
  std::int64_t rank_m() const { return rank_m_; }
  std::int64_t rank_n() const { return rank_n_; }

 private:
  struct Frame {
    const Block* block = nullptr;
    std::size_t at = 0;
    const Loop* loop = nullptr;  // runs again at the block's end
    std::size_t variables = 0;   // how many there were before the frame
    bool first_thread = false, owners = false;
  };
  void enter(const Block& block, const Frame& around);
  bool holds(const When& when) const;
  bool tile_exists(std::int64_t number) const;
  bool loop_goes_on(const Loop& loop, std::int64_t value) const;
  void take(const NextTile& next);
  bool resume_loop();

  const GemmPlan& plan_;
  std::int64_t cta_ = 0, rank_m_ = 0, rank_n_ = 0;
  std::vector<Frame> frames_;
  std::vector<std::pair<std::string_view, std::int64_t>> variables_;
  std::vector<std::int64_t> cursors_;  // the fill each stands at
  TilePlace tiles_[2];                 // the last, the one before
  const Loop* zigzag_ = nullptr;
};

}  // namespace tessera::plan
