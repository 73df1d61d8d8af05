// SPDX-License-Identifier: BSD-3-Clause
// Loops, conditions, calls and waits. A loop of one is its body, and a condition that always holds is none.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "kernels/codegen/body.hpp"

namespace tessera::emitting {

namespace {

// One statement and no comment: it may follow its condition on the line.
bool is_one_line(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n') == 1 && text.find("//") == std::string::npos && text.find('#') == std::string::npos;
}

std::string trimmed(const std::string& line) {
  const std::size_t begin = line.find_first_not_of(' ');
  return line.substr(begin, line.find_last_not_of('\n') + 1 - begin);
}

}  // namespace

void Body::emit(std::span<const plan::Op> block) {
  const plan::Op* const around = lines_.op();
  for (std::size_t i = 0; i < block.size(); ++i) {
    lines_.of(&block[i]);
    if (i + 1 < block.size() && (emit_alternative(block[i], block[i + 1]) || emit_store_inside(block[i], block[i + 1]))) {
      ++i;
      continue;
    }
    why_ = block[i].why;
    std::visit(*this, block[i].op);
  }
  lines_.of(around);
}

// `if (k + 1 < MMA_K) .. ` and then `if (k + 1 == MMA_K) ..`, where k + 1 is never more: the second is an else. So is what happens where
// the CTA has a next tile, after what happens where it has none; as two conditions, ptxas would let no wgmma run under a store between
// them.
bool Body::emit_alternative(const plan::Op& first, const plan::Op& second) {
  const auto *below = std::get_if<plan::When>(&first.op), *equal = std::get_if<plan::When>(&second.op);
  if (!below || !equal) return false;
  if (below->only == plan::Only::tile_missing && equal->only == plan::Only::tile_exists && below->index == equal->index &&
      !decided(*below)) {
    emit_if(condition(*below), *below->body, equal->body.get());
    return true;
  }
  if (below->only != plan::Only::below || equal->only != plan::Only::equal) return false;
  if (!(below->index == equal->index) || below->bound != equal->bound || decided(*below) || decided(*equal)) return false;
  const std::optional<Range> all = range(below->index);
  if (!all || constants_.is_below(all->most, below->bound) != false || constants_.is_below(below->bound, all->most) != false) return false;
  emit_if(condition(*below), *below->body, equal->body.get());
  return true;
}

void Body::emit_if(const std::string& condition, const plan::Block& body, const plan::Block* otherwise) {
  const auto inner = [&, depth = lines_.depth(), op = lines_.op()](const plan::Block& block) {
    Lines outside = std::exchange(lines_, Lines(depth + 1, op));
    emit(block);
    return std::exchange(lines_, outside);
  };
  const Lines then = inner(body), other = otherwise ? inner(*otherwise) : Lines();
  const bool has_other = !other.text().empty();
  if (then.text().empty() && !has_other) return;
  if (is_one_line(then.text()) && !has_other) {
    const plan::Op* const around = lines_.of(then.ops().front());
    lines_.add(fmt::format("if ({}) {}", condition, trimmed(then.text())));
    lines_.of(around);
    return;
  }
  lines_.open(fmt::format("if ({})", condition));
  lines_.append(then);
  const plan::When* const again = otherwise && otherwise->size() == 1 ? std::get_if<plan::When>(&otherwise->front().op) : nullptr;
  if (!has_other) {
    lines_.close();
  } else if (again && !decided(*again)) {
    lines_.close(fmt::format("}} else if ({}) {{", this->condition(*again)));
    lines_.append(inner(*again->body));
    lines_.add("}");
  } else {
    lines_.close("} else {");
    lines_.append(other);
    lines_.add("}");
  }
}

std::string Body::index(const plan::Index& index) const {
  plan::Num constant = index.add;
  std::vector<std::string> terms;
  for (const std::string* variable : {&index.variable, &index.plus}) {
    if (variable->empty()) continue;
    if (const auto found = constant_variables_.find(*variable); found != constant_variables_.end())
      constant = constant + found->second;
    else
      terms.push_back(*variable);
  }
  const auto known = constants_.known(constant), modulo = constants_.known(index.modulo);
  if (terms.empty() && known && modulo) return *modulo > 0 ? fmt::format("{}", *known % *modulo) : to_string(constant);
  if (known != 0) terms.push_back(to_string(constant));
  const std::string text = sum(terms);
  return modulo == 0 ? text : fmt::format("{} % {}", in_parentheses(text), in_parentheses(to_string(index.modulo)));
}

std::optional<std::int64_t> Body::number(const plan::Index& index) const {
  auto sum = constants_.known(index.add);
  for (const std::string* variable : {&index.variable, &index.plus}) {
    if (variable->empty()) continue;
    const auto found = constant_variables_.find(*variable);
    if (!sum || found == constant_variables_.end()) return std::nullopt;
    *sum += found->second;
  }
  const auto modulo = constants_.known(index.modulo);
  if (!sum || !modulo) return std::nullopt;
  return *modulo > 0 ? *sum % *modulo : *sum;
}

std::optional<Body::Range> Body::range(const plan::Index& index) const {
  if (constants_.known(index.modulo) != 0) return Range{0, index.modulo - 1};
  if (!constants_.known(index.add)) return std::nullopt;
  Range all{index.add, index.add};
  for (const std::string* variable : {&index.variable, &index.plus}) {
    if (variable->empty()) continue;
    const auto found = ranges_.find(*variable);
    if (found == ranges_.end()) return std::nullopt;
    const plan::Num &a = all.most, &b = found->second.most;
    if (!constants_.known(a) && !constants_.known(b)) return std::nullopt;
    all.least += found->second.least, all.most = constants_.known(b) ? a + b.value : b + a.value;
  }
  return all;
}

std::optional<bool> Body::decided(const plan::When& when) const {
  const std::optional<Range> all = range(when.index);
  if (!all) return std::nullopt;
  const plan::Num least(all->least);
  const std::optional<bool> all_below = constants_.is_below(all->most, when.bound), some_below = constants_.is_below(least, when.bound);
  switch (when.only) {
    case plan::Only::below: return all_below == true ? all_below : some_below == false ? some_below : std::nullopt;
    case plan::Only::at_least: return some_below == false ? std::optional(true) : all_below == true ? std::optional(false) : std::nullopt;
    case plan::Only::equal:
      if (some_below == false && constants_.is_below(when.bound, all->most) == false && constants_.known(all->most) == all->least)
        return true;
      return all_below == true || constants_.is_below(when.bound, least) == true ? std::optional(false) : std::nullopt;
    case plan::Only::first_thread:
    case plan::Only::owners: return std::nullopt;
    case plan::Only::tile_exists: return tile_is_there(when.index);
    case plan::Only::tile_missing:
      if (const auto there = tile_is_there(when.index)) return !*there;
      return std::nullopt;
  }
  return std::nullopt;
}

std::string Body::condition(const plan::When& when) const {
  const char* compare = "<";
  switch (when.only) {
    case plan::Only::first_thread: return is_first_thread();
    case plan::Only::owners: return owner_condition();
    case plan::Only::below: compare = "<"; break;
    case plan::Only::equal: compare = "=="; break;
    case plan::Only::at_least: compare = ">="; break;
    case plan::Only::tile_exists: return fmt::format("{} < CLUSTER_TILES", tile_number(when.index));
    case plan::Only::tile_missing: return fmt::format("{} >= CLUSTER_TILES", tile_number(when.index));
  }
  return fmt::format("{} {} {}", index(when.index), compare, to_string(when.bound));
}

// The first thread of the role.
std::string Body::is_first_thread() const {
  return is_one_of_several() ? thread_of_role() + " == 0" : fmt::format("thr == {}", role_->first_thread);
}

// Threads that only repeat another thread's part must not write C.
std::string Body::owner_condition() const {
  const std::vector<std::int64_t> extents = leaf_values(flatten(plan_.mma->thr_layout_vmnk().shape()));
  const std::vector<std::int64_t> strides = leaf_values(flatten(plan_.mma->thr_layout_vmnk().stride()));
  std::vector<std::string> terms;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    if (extents[i] > 1) terms.push_back(fmt::format("thr / {} % {} * {}", strides[i], extents[i], strides[i]));
  }
  return fmt::format("thr == {}", sum(terms));
}

// How often it goes round, at every size; nothing: as often as the launch says.
std::optional<std::int64_t> Body::rounds_of(const plan::Loop& loop) const {
  const auto first = constants_.known(loop.first), count = constants_.known(loop.count), step = constants_.known(loop.step);
  if (!first || !count || !step) return std::nullopt;
  return *count <= *first ? 0 : (*count - *first - 1) / *step + 1;
}

std::string Body::next_of(const plan::Loop& loop) const {
  return constants_.known(loop.step) == 1 ? "++" + loop.variable : fmt::format("{} += {}", loop.variable, to_string(loop.step));
}

void Body::operator()(const plan::Loop& loop) {
  if (loop.tiles) return loop_over_tiles(loop);
  const std::optional<std::int64_t> rounds = rounds_of(loop);
  if (rounds == 0) return;
  const std::string why = why_;
  if (!why.empty()) lines_.comment(why);
  const Range range{loop.first, rounds ? loop.first + (*rounds - 1) * loop.step : loop.count - 1};
  const auto outer = ranges_.find(loop.variable);
  const std::optional<Range> hidden = outer == ranges_.end() ? std::nullopt : std::optional(outer->second);
  ranges_[loop.variable] = range;
  if (rounds == 1) {
    constant_variables_[loop.variable] = loop.first;
    emit(*loop.body);
    constant_variables_.erase(loop.variable);
  } else {
    if (loop.unrolled) lines_.add("#pragma unroll");
    lines_.open(
        fmt::format("for (int {0} = {1}; {0} < {2}; {3})", loop.variable, to_string(loop.first), to_string(loop.count), next_of(loop)));
    backwards_ = backwards_ || loop.backwards_every_second_tile;
    emit(*loop.body);
    lines_.close();
  }
  if (loop.backwards_every_second_tile) backwards_ = false;
  ranges_.erase(loop.variable);
  if (hidden) ranges_[loop.variable] = *hidden;
}

void Body::operator()(const plan::When& when) {
  const std::optional<bool> known = decided(when);
  if (known == false) return;
  if (!why_.empty()) lines_.comment(why_);
  if (known == true)
    emit(*when.body);
  else if (const auto one = one_thread(when))
    emit_if(fmt::format("thr == {}", *one), *std::get<plan::When>(when.body->front().op).body, nullptr);
  else
    emit_if(condition(when), *when.body, nullptr);
}

// The thread of the CTA, where a condition is of the first one of one member of the family.
std::optional<std::int64_t> Body::one_thread(const plan::When& when) const {
  if (when.only != plan::Only::equal || !constants_.known(when.bound) || !(when.index == plan::Index{role_->name}) ||
      when.body->size() != 1)
    return {};
  const auto* inner = std::get_if<plan::When>(&when.body->front().op);
  if (inner == nullptr || inner->only != plan::Only::first_thread) return {};
  return role_->first_thread + when.bound.value * role_->threads;
}

void Body::operator()(const plan::Named& named) {
  const std::vector<bool>& used = parameters_.at(named.function);
  std::string arguments;
  for (std::size_t i = 0; i < named.arguments.size(); ++i) {
    if (used[i]) arguments += fmt::format("{}{}", arguments.empty() ? "" : ", ", index(named.arguments[i]));
  }
  lines_.add(fmt::format("{}({});", plan_.functions[named.function].name, arguments), why_);
}

void Body::operator()(const plan::Advance& advance) {
  if (!moving_cursors_.contains(advance.cursor)) {
    const auto by = constants_.known(advance.by);
    if (has_phase(advance.cursor) && waits_for_.contains(advance.cursor) && (!by || *by % 2 == 1)) {
      const std::string flips = by ? std::string("1") : fmt::format("{} % 2", in_parentheses(to_string(advance.by)));
      lines_.add(fmt::format("{}_phase ^= {};", cursor_name(advance.cursor), flips), why_);
    }
    return;
  }
  const plan::Cursor& cursor = plan_.cursors[advance.cursor];
  const std::string name = cursor_name(advance.cursor), last = to_string(constants_.places(cursor.ring) - 1),
                    places = to_string(constants_.places(cursor.ring)), by = to_string(advance.by);
  const bool by_one = constants_.known(advance.by) == 1;
  if (!has_phase(advance.cursor)) {
    if (by_one)
      lines_.add(fmt::format("{0} = {0} == {1} ? 0 : {0} + 1;", name, last), why_);
    else
      lines_.add(fmt::format("{0} = ({0} + {1}) % {2};", name, by, places), why_);
  } else if (by_one) {
    lines_.add(fmt::format("{0}_phase ^= {0} == {1} ? 1 : 0;", name, last));
    lines_.add(fmt::format("{0} = {0} == {1} ? 0 : {0} + 1;", name, last), why_);
  } else {
    lines_.add(fmt::format("{0}_phase ^= ({0} + {1}) / {2} % 2;", name, by, places), why_);
    lines_.add(fmt::format("{0} = ({0} + {1}) % {2};", name, by, places));
  }
}

}  // namespace tessera::emitting
