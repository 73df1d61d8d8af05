// SPDX-License-Identifier: BSD-3-Clause
// The walk keeps a stack of blocks, the variables of its loops and the fill at which each cursor stands.
#include "core/gemm/plan/walk.hpp"

#include <cassert>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/gemm/plan/edges.hpp"

namespace tessera::plan {

const Block* inside(const Op& op, const GemmPlan* calls) {
  if (const Loop* loop = std::get_if<Loop>(&op.op)) return loop->body.get();
  if (const When* when = std::get_if<When>(&op.op)) return when->body.get();
  const Named* named = std::get_if<Named>(&op.op);
  return named != nullptr && calls != nullptr ? &calls->functions[named->function].body : nullptr;
}

Block rewrite(const Block& block, const std::function<std::optional<Block>(const Op&)>& f) {
  Block result;
  for (const Op& op : block) {
    if (std::optional<Block> instead = f(op)) {
      for (Op& next : *instead) result.push_back(std::move(next));
      continue;
    }
    Op& kept = result.emplace_back(op);
    const auto rewritten = [&](auto& around) { around.body = std::make_shared<const Block>(rewrite(*around.body, f)); };
    if (Loop* loop = std::get_if<Loop>(&kept.op)) rewritten(*loop);
    if (When* when = std::get_if<When>(&kept.op)) rewritten(*when);
  }
  return result;
}

Walk::Walk(const GemmPlan& plan, const Role& role, std::int64_t cta, std::int64_t member) : plan_(plan), cta_(cta) {
  const std::int64_t rank = cta % plan.cluster_size();
  rank_m_ = rank / plan.cluster_n, rank_n_ = rank % plan.cluster_n;
  variables_ = {{"rank_m", rank_m_}, {"rank_n", rank_n_}, {role.name, member}};
  for (const Cursor& cursor : plan.cursors) cursors_.push_back(cursor.first + member * cursor.each);
  enter(role.block, {});
}

void Walk::enter(const Block& block, const Frame& around) {
  Frame frame = around;
  frame.block = &block, frame.at = 0, frame.variables = variables_.size();
  frames_.push_back(frame);
}

std::int64_t Walk::variable(std::string_view name) const {
  for (auto it = variables_.rbegin(); it != variables_.rend(); ++it) {
    if (it->first == name) return it->second;
  }
  return -1;
}

std::int64_t Walk::value(const Index& index) const {
  std::int64_t sum = index.add;
  for (const std::string* name : {&index.variable, &index.plus}) {
    if (name->empty()) continue;
    const std::int64_t found = variable(*name);
    assert(found >= 0);  // verify() refuses a block that reads a variable which nothing sets
    sum += found;
  }
  return index.modulo > 0 ? sum % index.modulo : sum;
}

std::int64_t Walk::fill(const Stage& stage) const { return cursors_[stage.cursor] - stage.back; }

std::int64_t Walk::stage(const Stage& stage) const {
  const std::int64_t stages = stages_of(plan_.rings, plan_.cursors[stage.cursor].ring);
  return (fill(stage) % stages + stages) % stages;
}

const TilePlace& Walk::tile(std::int64_t back) const { return tiles_[back == 0 ? 0 : 1]; }

std::int64_t Walk::k_tile(const Index& index) const {
  const std::int64_t forward = value(index);
  const bool backwards = zigzag_ != nullptr && tiles_[0].number % 2 == 1;
  return backwards ? plan_.k_tiles - 1 - forward : forward;
}

bool Walk::tile_exists(std::int64_t number) const {
  const std::int64_t cluster = plan_.cluster_size();
  return cta_ / cluster + number * (plan_.grid / cluster) < plan_.m_tiles * plan_.n_tiles / cluster;
}

bool Walk::loop_goes_on(const Loop& loop, std::int64_t value) const { return loop.tiles ? tile_exists(value) : value < loop.count; }

bool Walk::holds(const When& when) const {
  switch (when.only) {
    case Only::first_thread:
    case Only::owners: return true;  // of some threads: the step says so
    case Only::below: return value(when.index) < when.bound;
    case Only::equal: return value(when.index) == when.bound;
    case Only::at_least: return value(when.index) >= when.bound;
    case Only::tile_exists: return tile_exists(value(when.index));
    case Only::tile_missing: return !tile_exists(value(when.index));
  }
  return false;
}

void Walk::take(const NextTile& next) {
  const std::int64_t number = value(next.tile), cluster = plan_.cluster_size();
  const TwoModes tile = tile_of_raster(plan_, cta_ / cluster + number * (plan_.grid / cluster), cta_ % cluster);
  tiles_[1] = tiles_[0];
  tiles_[0] = {number, tile[0], tile[1]};
}

// At a block's end: a loop's next round, or back to the block around it.
bool Walk::resume_loop() {
  Frame& frame = frames_.back();
  if (frame.loop != nullptr) {
    variables_.resize(frame.variables);
    std::int64_t& counter = variables_.back().second;
    counter += frame.loop->step;
    if (loop_goes_on(*frame.loop, counter)) {
      frame.at = 0;
      return true;
    }
    variables_.pop_back();
    if (zigzag_ == frame.loop) zigzag_ = nullptr;
  } else {
    variables_.resize(frame.variables);
  }
  frames_.pop_back();
  return false;
}

std::optional<Step> Walk::next() {
  while (!frames_.empty()) {
    Frame& frame = frames_.back();
    if (frame.at == frame.block->size()) {
      resume_loop();
      continue;
    }
    const Op& op = (*frame.block)[frame.at++];
    const Frame around = frame;  // enter() may move the stack
    if (const Loop* loop = std::get_if<Loop>(&op.op)) {
      const std::int64_t first = loop->first + (loop->plus.empty() ? 0 : variable(loop->plus));
      if (!loop_goes_on(*loop, first)) continue;
      variables_.emplace_back(loop->variable, first);
      if (loop->backwards_every_second_tile) zigzag_ = loop;
      Frame inner = around;
      inner.loop = loop;
      enter(*loop->body, inner);
      continue;
    }
    if (const When* when = std::get_if<When>(&op.op)) {
      if (!holds(*when)) continue;
      Frame inner = around;
      inner.loop = nullptr;
      inner.first_thread = around.first_thread || when->only == Only::first_thread;
      inner.owners = around.owners || when->only == Only::owners;
      enter(*when->body, inner);
      continue;
    }
    if (const Named* named = std::get_if<Named>(&op.op)) {
      const Function& function = plan_.functions[named->function];
      std::vector<std::int64_t> arguments;
      for (const Index& argument : named->arguments) arguments.push_back(value(argument));
      Frame inner = around;
      inner.loop = nullptr;
      enter(function.body, inner);
      for (std::size_t i = 0; i < arguments.size(); ++i) variables_.emplace_back(function.parameters[i], arguments[i]);
      continue;
    }
    if (const NextTile* tile = std::get_if<NextTile>(&op.op)) take(*tile);
    if (const Advance* advance = std::get_if<Advance>(&op.op)) cursors_[advance->cursor] += advance->by;
    return Step{&op, around.first_thread, around.owners};
  }
  return std::nullopt;
}

}  // namespace tessera::plan
