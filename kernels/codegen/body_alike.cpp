// SPDX-License-Identifier: BSD-3-Clause
// Roles that do the same with other numbers are one branch of the kernel, with the role's index in them: 64 rows below are
// `consumer * 64`. Whether they do is asked of their texts: each is written with a word in the place of every number that belongs to the
// role.
#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "kernels/codegen/body.hpp"

namespace tessera::emitting {

namespace {

// "consumer" and "0" of "consumer 0".
std::string word_of(const plan::Role& role) { return role.name.substr(0, role.name.rfind(' ')); }
std::string number_of(const plan::Role& role) { return role.name.substr(role.name.rfind(' ') + 1); }

std::string affine(std::int64_t first, std::int64_t step, const std::string& index) {
  if (step == 0) return fmt::format("{}", first);
  return sum({fmt::format("{}", first), step == 1 ? index : fmt::format("{} * {}", index, step)});
}

}  // namespace

std::string Body::of_role(std::int64_t number) const {
  if (alike_ == Alike::no) return fmt::format("{}", number);
  numbers_.push_back(number);
  return alike_ == Alike::asked ? "number" : written_.at(numbers_.size() - 1);
}

std::string Body::own_name(const std::string& name) const {
  if (alike_ == Alike::no) return name;
  const std::string number = number_of(*role_);
  return name.ends_with(number) && name.size() > number.size() ? name.substr(0, name.size() - number.size()) : name;
}

std::string Body::thread_of_role() const {
  if (alike_ != Alike::no) return fmt::format("thr % {}", role_->threads);
  return role_->first_thread == 0 ? "thr" : fmt::format("thr - {}", role_->first_thread);
}

// The text of a role in the place of which another may stand, and its numbers.
std::string Body::text_to_compare(const plan::Role& role) {
  alike_ = Alike::asked;
  numbers_.clear();
  Lines outside = std::exchange(lines_, Lines(lines_.depth() + 1));
  emit_role(role, own_block(role));
  alike_ = Alike::no;
  return std::exchange(lines_, std::move(outside)).text();
}

// From `first` on: whole warpgroups from thread 0, whose numbers are affine in the role's index.
std::size_t Body::alike_from(std::size_t first) {
  const plan::Role& role = plan_.roles[first];
  if (first != 0 || plan_.roles.size() < 2 || role.first_thread != 0 || role.name.find(' ') == std::string::npos) return 1;
  const std::string text = text_to_compare(role);
  const std::vector<std::int64_t> numbers = numbers_;
  std::vector<std::int64_t> steps;
  std::size_t count = 1;
  for (; count < plan_.roles.size(); ++count) {
    const plan::Role& next = plan_.roles[count];
    const auto index = static_cast<std::int64_t>(count);
    if (next.threads != role.threads || next.first_thread != index * role.threads || word_of(next) != word_of(role)) break;
    if (text_to_compare(next) != text || numbers_.size() != numbers.size()) break;
    for (std::size_t i = 0; i < numbers.size() && count == 1; ++i) steps.push_back(numbers_[i] - numbers[i]);
    bool is_affine = true;
    for (std::size_t i = 0; i < numbers.size(); ++i) is_affine = is_affine && numbers_[i] == numbers[i] + index * steps[i];
    if (!is_affine) break;
  }
  written_.clear();
  for (std::size_t i = 0; i < steps.size(); ++i) written_.push_back(affine(numbers[i], steps[i], word_of(role)));
  return count;
}

// The branch of the first `count` roles: their index, where what each has of its own begins, and the text.
void Body::emit_alike(std::size_t count) {
  const plan::Role &role = plan_.roles.front(), &next = plan_.roles[1];
  const std::string index = word_of(role);
  lines_.add(fmt::format("const int {} = __shfl_sync(0xffffffff, thr / {}, 0);", index, role.threads),
             fmt::format("0 {} {}, which all threads of a warp know", count == 2 ? "or" : "to", count - 1));
  alike_ = Alike::yes;
  numbers_.clear();
  Lines outside = std::exchange(lines_, Lines(lines_.depth()));
  emit_role(role, own_block(role));
  const std::string text = std::exchange(lines_, std::move(outside)).text();
  const auto declare = [&](const auto& all, std::int64_t (*offset)(const typename std::decay_t<decltype(all)>::value_type&),
                           const std::string& what) {
    for (const auto& each : all) {
      const std::string own = own_name(each.name);
      const auto other = std::find_if(all.begin(), all.end(), [&](const auto& of) { return of.name == own + number_of(next); });
      const bool is_named = own != each.name && own.find(' ') == std::string::npos;  // in the text
      if (!is_named || other == all.end() || !has_word(text, own)) continue;
      lines_.add(fmt::format("const unsigned {} = {};", own, sum({each.name, affine(0, offset(*other) - offset(each), index)})), what);
    }
  };
  declare(
      plan_.tensors, [](const plan::Tensor& tensor) { return tensor.byte_offset; }, "boxes of this warpgroup");
  declare(
      plan_.barriers, [](const plan::Barrier& barrier) { return barrier.byte_offset; }, "and their mbarriers");
  alike_ = Alike::no;
  lines_.append(text);
}

}  // namespace tessera::emitting
