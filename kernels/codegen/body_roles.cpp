// SPDX-License-Identifier: BSD-3-Clause
// A branch for each family of roles, with its cursors; which member a thread is of; the CTA's place in its cluster, and its tiles.
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/checked.hpp"
#include "core/layout/algebra.hpp"
#include "kernels/codegen/body.hpp"

namespace tessera::emitting {

using plan::Space;

namespace {

constexpr std::int64_t kWarp = 32;

std::span<const plan::Op> part_of(const plan::Block& block, std::size_t first, std::size_t end) {
  return std::span(block).subspan(first, end - first);
}

}  // namespace

bool Body::is_one_of_several() const { return role_ != nullptr && !constant_variables_.contains(role_->name) && role_->members > 1; }

// What a family's members have of a number: affine in the member's index, or one after the other.
std::string Body::of_member(const std::function<std::int64_t(std::int64_t)>& number) const {
  if (role_ == nullptr || role_->members == 1) return fmt::format("{}", number(0));
  if (const auto known = constant_variables_.find(role_->name); known != constant_variables_.end())
    return fmt::format("{}", number(known->second));
  const std::int64_t first = number(0), step = number(1) - first;
  bool is_affine = true;
  for (std::int64_t i = 2; i < role_->members; ++i) is_affine = is_affine && number(i) == first + i * step;
  if (step == 0 && is_affine) return fmt::format("{}", first);
  if (is_affine) return sum({fmt::format("{}", first), step == 1 ? role_->name : fmt::format("{} * {}", role_->name, step)});
  std::string text = fmt::format("{}", number(role_->members - 1));
  for (std::int64_t i = role_->members - 1; i-- > 0;) text = fmt::format("({} == {} ? {} : {})", role_->name, i, number(i), text);
  return text;
}

std::string Body::thread_of_role() const {
  const std::string first = role_->first_thread == 0 ? "thr" : fmt::format("thr - {}", role_->first_thread);
  return is_one_of_several() ? fmt::format("{} % {}", in_parentheses(first), role_->threads) : first;
}

Layout Body::of_role(const Layout& threads, std::int64_t count) const {
  const std::int64_t end = role_->last_thread() + 1 - (count > 0 ? role_->threads - count : 0);
  return end <= threads.size() ? threads : make_layout({threads, Layout::trusted(ceil_div(end, threads.size()), 0)});
}

std::optional<std::string> Body::first_fill(const plan::Cursor& cursor) const {
  const bool moves = role_->members > 1 && !constants_.known(cursor.each);
  if (!moves && constants_.known(cursor.first)) return std::nullopt;
  const auto zero = [&](const plan::Num& n) { return constants_.known(n) == 0; };
  const std::string each =
      role_->members == 1 || zero(cursor.each) ? "0" : fmt::format("{} * {}", role_->name, in_parentheses(to_string(cursor.each)));
  const std::string fill = sum({to_string(cursor.first), each});
  return zero(cursor.first) ? fill : in_parentheses(fill);
}

std::string Body::first_place(const plan::Cursor& cursor) const {
  const std::int64_t places = stages_of(plan_.rings, cursor.ring);
  if (const auto fill = first_fill(cursor)) return fmt::format("{} % {}", *fill, to_string(constants_.places(cursor.ring)));
  return of_member([&](std::int64_t member) { return (cursor.first + member * cursor.each) % places; });
}

std::string Body::first_phase(const plan::Cursor& cursor) const {
  const std::int64_t places = stages_of(plan_.rings, cursor.ring);
  if (const auto fill = first_fill(cursor)) return fmt::format("{} / {} % 2", *fill, to_string(constants_.places(cursor.ring)));
  return of_member([&](std::int64_t member) { return (cursor.first + member * cursor.each) / places % 2; });
}

// A ring of boxes is walked by a loop that has their name.
std::string Body::cursor_name(plan::Id cursor) const {
  const std::string& name = plan_.cursors[cursor].name;
  return plan_.cursors[cursor].ring == plan_.ring() ? name : name + "_stage";
}

bool Body::has_phase(plan::Id cursor) const { return plan_.rings[plan_.cursors[cursor].ring].full != plan::kNone; }

// The place of the CTA's tile along M or N, or of the tile before. Who names it is kept.
std::string Body::tile_name(std::uint8_t mode, bool before) const {
  seen_.tiles[before ? 1 : 0][mode] = true;
  return fmt::format("{}_{}", mode == 0 ? "m" : "n", before ? "before" : "tile");
}

// Which of these a role's text names; its NextTile says no other. The text is written once to see them.
void Body::find_named_tiles(const plan::Role& role, std::span<const plan::Op> block) {
  named_tiles_ = {};
  if (has_one_tile_) return;
  const Seen seen = seen_;
  seen_.tiles = {};
  Lines outside = std::exchange(lines_, Lines(lines_.depth()));
  for (const plan::Id id : plan::called(plan_, role.block)) declare_function(id);
  emit(block);
  lines_ = std::move(outside), parameters_.clear();
  named_tiles_ = std::exchange(seen_, seen).tiles;
  for (const std::size_t mode : {0, 1}) named_tiles_[0][mode] = named_tiles_[0][mode] || named_tiles_[1][mode];
}

void Body::declare_cursors() {
  std::string plain;  // those whose phase nobody waits for, of the ring of sA and sB
  for (const plan::Id id : moving_cursors_) {
    const plan::Cursor& cursor = plan_.cursors[id];
    if (has_phase(id) || cursor.ring != plan_.ring()) continue;
    plain += fmt::format("{}{} = {}", plain.empty() ? "int " : ", ", cursor_name(id), first_place(cursor));
  }
  if (!plain.empty()) lines_.add(plain + ";", "the stages that are read and written next");
  for (plan::Id id = 0; id < plan_.cursors.size(); ++id) {
    const plan::Cursor& cursor = plan_.cursors[id];
    const bool moves = moving_cursors_.contains(id), of_tiles = cursor.ring == plan_.ring();
    if (moves && has_phase(id))
      lines_.add(fmt::format("int {0} = {1}, {0}_phase = {2};", cursor_name(id), first_place(cursor), first_phase(cursor)),
                 of_tiles ? "a stage, and which of its two phases" : "the next box, and which of its two phases");
    else if (moves && !of_tiles)
      lines_.add(fmt::format("int {} = {};", cursor_name(id), first_place(cursor)), "the next box to fill");
    else if (!moves && has_phase(id) && waits_for_.contains(id))
      lines_.add(fmt::format("int {}_phase = {};", cursor_name(id), first_phase(cursor)), "of the one place's mbarrier");
  }
  std::string tiles;
  for (const bool before : {false, true}) {
    for (const std::uint8_t mode : {std::uint8_t{0}, std::uint8_t{1}}) {
      if (named_tiles_[before ? 1 : 0][mode]) tiles += fmt::format("{}{} = 0", tiles.empty() ? "" : ", ", tile_name(mode, before));
    }
  }
  if (!tiles.empty()) lines_.add(fmt::format("int {};", tiles));
}

void Body::declare_place_in_cluster() {
  const std::int64_t ctas = plan_.cluster_size();
  if (seen_.cluster) constants_.declare_group(lines_);
  if (ctas == 1) {
    if (seen_.cluster) lines_.add("const int cluster = blockIdx.x;");
    return;
  }
  lines_.add(fmt::format("const int {}rank = {}();", seen_.cluster ? "cluster = blockIdx.x / (CLUSTER_M * CLUSTER_N), " : "",
                         needs_("cluster_rank")));
  if (plan_.cluster_m > 1) lines_.add(fmt::format("const int rank_m = rank{};", plan_.cluster_n > 1 ? " / CLUSTER_N" : ""));
  if (plan_.cluster_n > 1) lines_.add(fmt::format("const int rank_n = rank{};", plan_.cluster_m > 1 ? " % CLUSTER_N" : ""));
}

std::span<const plan::Op> Body::own_block(const plan::Role& role) const {
  const plan::OwnPart& own = own_parts_[static_cast<std::size_t>(&role - plan_.roles.data())];
  return part_of(role.block, own.first, own.last);
}

// What all roles begin with stands once, before the branches: in each of them it would be a barrier of its own, where the others never
// come.
void Body::begin_together() {
  for (std::size_t i = 0; i < plan_.roles.size(); ++i) {
    role_ = &plan_.roles[i];
    constant_variables_[role_->name] = 0, ranges_[role_->name] = Range{};  // by the first member
    emit(part_of(role_->block, 0, own_parts_[i].initialised));
    constant_variables_.erase(role_->name), ranges_.erase(role_->name);
  }
  emit(part_of(plan_.roles.front().block, own_parts_.front().initialised, own_parts_.front().first));
  if (!lines_.text().empty()) lines_.add("");
}

// And once behind them what all roles end with.
void Body::end_together() {
  const plan::Block& block = plan_.roles.front().block;
  emit(part_of(block, own_parts_.front().last, block.size()));
}

// A branch for each family. ptxas must see that a warp takes it as one: else it would wait for each wgmma alone where sums are under way
// over the end of a loop (C7518).
void Body::branches() {
  own_parts_ = plan::own_parts(plan_);
  begin_together();
  const std::size_t count = plan_.roles.size();
  if (count == 1) {
    is_at_beginning_ = true;
    declare_member(plan_.roles.front());
    emit_role(plan_.roles.front(), own_block(plan_.roles.front()));
    return end_together();
  }
  lines_.add(fmt::format("const int warp = __shfl_sync(0xffffffff, thr / {}, 0);", kWarp), "which all threads of the warp know");
  for (std::size_t i = 0; i < count; ++i) {
    const plan::Role& role = plan_.roles[i];
    const std::string condition = fmt::format("warp < {}", (role.last_thread() + 1) / kWarp);
    const std::string name = role.members == 1 ? role.name
                                               : fmt::format("{} of them: {} 0 {} {}", role.members, role.name,
                                                             role.members == 2 ? "and" : "to", role.members - 1);
    if (i == 0)
      lines_.open(fmt::format("if ({})", condition), name);
    else
      lines_.close(i + 1 < count ? fmt::format("}} else if ({}) {{  // {}", condition, name) : fmt::format("}} else {{  // {}", name)),
          lines_.indent_more();
    is_at_beginning_ = true;
    declare_member(role);
    is_in_branch_ = true;
    emit_role(role, own_block(role));
    is_in_branch_ = false;
  }
  lines_.close();
  end_together();
}

// Which of the family.
void Body::declare_member(const plan::Role& role) {
  if (role.members == 1) return;
  if (plan_.roles.size() == 1) {
    lines_.add(fmt::format("const int {} = __shfl_sync(0xffffffff, thr / {}, 0);", role.name, role.threads),
               "which all threads of the warp know");
    return;
  }
  const std::string first = role.first_thread == 0 ? "warp" : fmt::format("(warp - {})", role.first_thread / kWarp);
  lines_.add(fmt::format("const int {} = {} / {};", role.name, first, role.threads / kWarp));
}

// The CTA's tile of number `tile`, as its cluster's number in the raster.
std::string Body::tile_number(const plan::Index& tile) const {
  seen_.cluster = true;
  const std::string t = index(tile);
  return t == "0" ? "cluster" : fmt::format("cluster + {} * CLUSTERS", in_parentheses(t));
}

std::optional<bool> Body::tile_is_there(const plan::Index& tile) const {
  const std::optional<Range> range = this->range(tile);
  if (!range) return std::nullopt;
  if (range->least > last_tile()) return false;
  const std::int64_t ctas = plan_.cluster_size(), clusters = plan_.grid / ctas, all = plan_.m_tiles * plan_.n_tiles / ctas;
  // At every size each CTA has a first tile.
  const std::optional<std::int64_t> most = constants_.known(range->most);
  const bool is_known = most && (!constants_.are_arguments() || *most < 1);
  return is_known && (*most + 1) * clusters <= all ? std::optional(true) : std::nullopt;
}

// The last number that any CTA has, or may have at any size.
std::int64_t Body::last_tile() const {
  const std::int64_t ctas = plan_.cluster_size(), clusters = plan_.grid / ctas;
  if (constants_.are_arguments()) return constants_.has_a_cta_a_tile() ? 0 : std::numeric_limits<std::int32_t>::max();
  return (plan_.m_tiles * plan_.n_tiles / ctas - 1) / clusters;
}

void Body::operator()(const plan::NextTile& next) {
  if (has_one_tile_) return;  // it is known from the beginning
  std::string before;
  for (const std::uint8_t mode : {std::uint8_t{0}, std::uint8_t{1}}) {
    if (named_tiles_[1][mode]) before += fmt::format("{}{} = {}", before.empty() ? "" : ", ", tile_name(mode, true), tile_name(mode));
  }
  if (!before.empty()) lines_.add(before + ";");
  zigzag_tile_ = next.tile;
  find_tile(next);
  for (std::size_t id = 0; id < uses_.size(); ++id) {
    if (uses_[id].is_used && plan_.tensors[plan_.partitions[id].tensor].space == Space::global) declare_partition(id);
  }
}

// The place of the tile in the grid, as far as it is named.
void Body::find_tile(const plan::NextTile& next) {
  if (named_tiles_[0] == PlacesOfTile{}) return;
  const bool is_named = seen_.cluster;
  std::string tile = tile_number(next.tile);
  if (tile != "cluster") {
    lines_.add(fmt::format("const int tile = {};", tile));
    tile = "tile";
  }
  bool is_asked = tile != "cluster";
  const auto place = [&](std::uint8_t mode, std::int64_t extent, const char* name, const char* rank) {
    const std::string of_cluster =
        constants_.are_arguments() ? constants_.tile_of_raster(mode, tile) : index_expr(basis_part(plan_.cta_raster, mode), tile);
    if (of_cluster != "0") is_asked = true;
    return extent == 1 ? of_cluster : sum({of_cluster == "0" ? "0" : fmt::format("{} * {}", in_parentheses(of_cluster), name), rank});
  };
  std::string says;  // which one it is, once
  if (!constants_.are_arguments() && tile_number(next.tile) != "0")
    says = fmt::format("{} -> {}: {}", tile, plan_.cluster_size() == 1 ? "(m_tile, n_tile)" : "(m, n), in clusters",
                       to_string(plan_.cta_raster));
  if (named_tiles_[0][0])
    lines_.add(fmt::format("{} = {};", tile_name(0), place(0, plan_.cluster_m, "CLUSTER_M", "rank_m")), std::exchange(says, {}));
  if (named_tiles_[0][1]) lines_.add(fmt::format("{} = {};", tile_name(1), place(1, plan_.cluster_n, "CLUSTER_N", "rank_n")), says);
  seen_.cluster = is_named || is_asked;
}

// As long as the CTA has a tile of that number.
void Body::loop_over_tiles(const plan::Loop& loop) {
  const std::int64_t most = last_tile();
  if (loop.first > most) return;
  const std::string from = index(plan::Index{loop.plus, loop.first});
  const std::int64_t last = !loop.plus.empty() ? most : loop.first + (most - loop.first) / loop.step * loop.step;
  ranges_[loop.variable] = Range{loop.first, plan::Num(last)};
  const plan::Index first{"", loop.first};
  if (loop.plus.empty() && last == loop.first && tile_is_there(first) == true) {
    constant_variables_[loop.variable] = loop.first;
    lines_.open("");
    emit(*loop.body);
    lines_.close();
    constant_variables_.erase(loop.variable);
  } else {
    lines_.open(fmt::format("for (int {0} = {1}; {2} < CLUSTER_TILES; {3})", loop.variable, from, tile_number(plan::Index{loop.variable}),
                            next_of(loop)));
    emit(*loop.body);
    lines_.close();
  }
  ranges_.erase(loop.variable);
}

}  // namespace tessera::emitting
