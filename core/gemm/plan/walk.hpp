// SPDX-License-Identifier: BSD-3-Clause
// The ways through a plan's operations. each_op looks at each once, wherever it stands, for questions about what there is; rewrite makes
// another block of them. A Walk goes through a role's block as its threads would: loops counted, conditions decided, functions entered. One
// walk is a resumable program; the machine holds one for each role and takes their steps in the order that it explores.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/gemm/plan/gemm_plan.hpp"

namespace tessera::plan {

// What is inside an operation: a loop's or condition's block, and of a call, with the plan, what its function does. Null: nothing.
const Block* inside(const Op& op, const GemmPlan* calls);

// What comes after an operation that each_op has shown: what is inside it, what stands behind it, or nothing more.
enum class Then : std::uint8_t { inside, behind, nothing };

namespace walking {
template <class F>
auto shown(F& f, const Op& op, int depth) {
  if constexpr (std::is_invocable_v<F&, const Op&, int>)
    return f(op, depth);
  else
    return f(op);
}
template <class F>
using Answer = decltype(shown(std::declval<F&>(), std::declval<const Op&>(), 0));

// The answer at which it ended, if it did before the end.
template <class F>
std::optional<Answer<F>> ended_at(const Block& block, F& f, int depth, const GemmPlan* calls) {
  for (const Op& op : block) {
    Answer<F> answer = shown(f, op, depth);
    if constexpr (std::is_same_v<Answer<F>, Then>) {
      if (answer == Then::behind) continue;
      if (answer == Then::nothing) return answer;
    } else if (!answer) {
      return answer;
    }
    if (const Block* inner = inside(op, calls)) {
      if (auto ended = ended_at(*inner, f, depth + 1, calls)) return ended;
    }
  }
  return std::nullopt;
}
template <class A>
A whole() {
  if constexpr (std::is_same_v<A, Then>)
    return Then::inside;
  else if constexpr (std::is_same_v<A, bool>)
    return true;
  else
    return A(Done{});
}

template <class F>
auto each(const Block& block, F& f, const GemmPlan* calls) {
  if constexpr (std::is_void_v<Answer<F>>) {
    auto goes_on = [&](const Op& op, int depth) {
      shown(f, op, depth);
      return true;
    };
    ended_at(block, goes_on, 0, calls);
  } else {
    auto ended = ended_at(block, f, 0, calls);
    return ended ? std::move(*ended) : whole<Answer<F>>();
  }
}
}  // namespace walking

// Calls f(op), or f(op, depth), for every operation of a block once, what is around others first: how often a loop goes round does not
// matter. f gives nothing; or a Status, bool or Then, and then nothing is looked at after an error, false or Then::nothing, which is the
// result.
template <class F>
auto each_op(const Block& block, F&& f) {
  return walking::each(block, f, nullptr);
}
// Is there one for which f holds?
template <class F>
bool any_op(const Block& block, F&& f) {
  return !each_op(block, [&](const Op& op) { return !f(op); });
}
// The same of all that a role executes: of a function, what it does, wherever it is called. No function may call itself (verify).
template <class F>
auto each_op_of(const GemmPlan& plan, const Block& block, F&& f) {
  return walking::each(block, f, &plan);
}
// Every operation of a plan: of its functions, then of its roles.
template <class F>
auto each_op(const GemmPlan& plan, F&& f) {
  using A = walking::Answer<F>;
  for (const Function& function : plan.functions) {
    if constexpr (std::is_void_v<A>)
      each_op(function.body, f);
    else if (A answer = each_op(function.body, f); !answer)
      return answer;
  }
  for (const Role& role : plan.roles) {
    if constexpr (std::is_void_v<A>)
      each_op(role.block, f);
    else if (A answer = each_op(role.block, f); !answer)
      return answer;
  }
  if constexpr (!std::is_void_v<A>) return walking::whole<A>();
}

template <class F>
bool any_op(const GemmPlan& plan, F&& f) {
  return !each_op(plan, [&](const Op& op) { return !f(op); });
}

// The block with other operations for those of which f says what stands there: nothing, itself twice, another ... Where f says nothing, the
// operation stays, with what is inside it rewritten.
Block rewrite(const Block& block, const std::function<std::optional<Block>(const Op&)>& f);

// Calls f(at, writes) for every partition that an operation names: what it reads first.
template <class F>
void each_at(const Op& op, F&& f) {
  if (const auto* copy = std::get_if<Copy>(&op.op)) f(copy->from, false), f(copy->to, true);
  if (const auto* mma = std::get_if<Mma>(&op.op)) f(mma->a, false), f(mma->b, false), f(mma->c, true);
  if (const auto* convert = std::get_if<Convert>(&op.op)) {
    f(convert->from, false);
    if (convert->c.partition != kNone) f(convert->c, false);
    f(convert->to, true);
  }
  if (const auto* opaque = std::get_if<Opaque>(&op.op)) {
    for (const At& at : opaque->reads) f(at, false);
    for (const At& at : opaque->writes) f(at, true);
  }
}

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
