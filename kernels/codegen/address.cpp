// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/codegen/address.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/layout/algebra.hpp"

namespace tessera::emitting {

namespace {

const Swizzle* swizzle_of(const AnyLayout& layout) {
  const ComposedLayout* composed = std::get_if<ComposedLayout>(&layout);
  const Swizzle* swizzle = composed ? std::get_if<Swizzle>(&composed->outer) : nullptr;
  return swizzle && !swizzle->is_identity() ? swizzle : nullptr;
}

}  // namespace

std::string stepped_expr(const Layout& mode, std::string_view variable, std::int64_t step, const StrideText& stride_text) {
  if (step == 1) return index_expr(mode, variable, stride_text);
  const Layout firsts = Layout::trusted(mode.size() / step, step);  // vector -> its first element
  if (const auto visited = composition(mode, firsts)) return index_expr(*visited, variable, stride_text);
  return index_expr(mode, fmt::format("{} * {}", in_parentheses(std::string(variable)), step), stride_text);
}

// Does adding mode `mode`'s own offset outside the swizzle give the same address as inside it, for every thread and element?
bool Address::additive(const Swizzle& swizzle, const Layout& plain, std::size_t mode) const {
  const std::vector<std::int64_t> values = image(plain[1]), own = image(offsets_[mode]);  // of values, and of the mode's alone
  std::vector<std::int64_t> starts = image(plain[0]);  // of threads, of which those that begin together are asked once
  std::sort(starts.begin(), starts.end());
  starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
  std::size_t before = 1;  // from a value to the next along the mode
  for (std::size_t i = 0; i < mode; ++i) before *= static_cast<std::size_t>(offsets_[i].size());
  for (const std::int64_t start : starts) {
    if (late()) break;  // emit_gemm looks at the clock afterwards
    for (std::size_t round = 0; round < values.size(); round += before * own.size()) {
      for (std::size_t x = round; x < round + before; ++x) {  // of coordinate 0 in the mode
        const std::int64_t first = swizzle(offset_ + start + values[x]);
        for (std::size_t i = 1; i < own.size(); ++i) {
          if (swizzle(offset_ + start + values[x + i * before]) != first + own[i]) return false;
        }
      }
    }
  }
  return true;
}

Address::Address(std::string name, const AnyLayout& layout, std::vector<AddressMode> modes)
    : name_(std::move(name)), modes_(std::move(modes)) {
  const Layout& plain = plain_part(layout);
  const Layout rest = plain[1];
  thread_expr_ = index_expr(plain[0], "thr");
  const Swizzle* swizzle = swizzle_of(layout);
  if (swizzle) swizzle_ = fmt::format("swizzle<{},{},{}>", swizzle->bits(), swizzle->base(), swizzle->shift());
  if (const ComposedLayout* composed = std::get_if<ComposedLayout>(&layout)) offset_ = composed->offset.value();
  for (std::size_t i = 0; i < modes_.size(); ++i) offsets_.push_back(rest[i]);
  for (std::size_t i = 0; i < modes_.size(); ++i) in_table_.push_back(swizzle && term(i, "x") != "0" && !additive(*swizzle, plain, i));
}

std::string Address::term(std::size_t mode, std::string_view coordinate) const {
  return stepped_expr(offsets_[mode], coordinate, modes_[mode].step);
}

void Address::declare(Lines& lines, std::string_view comment) const {
  std::vector<std::string> inside{fmt::format("{}", offset_), thread_expr_};
  std::string declaration = "int " + name_, element = name_, each;
  bool is_table = false;
  for (std::size_t i = 0; i < modes_.size(); ++i) {
    if (!in_table_[i]) continue;
    is_table = true;
    inside.push_back(term(i, modes_[i].variable));
    declaration += fmt::format("[{}]", modes_[i].count);
    element += fmt::format("[{}]", modes_[i].variable);
    each += (each.empty() ? "" : " and ") + modes_[i].variable;
  }
  const std::string value = swizzle_.empty() ? sum(inside) : fmt::format("{}({})", swizzle_, sum(inside));
  if (!is_table) {
    lines.add(fmt::format("const int {} = {};", name_, value), comment);
    return;
  }
  lines.add(declaration + ";", fmt::format("{}; one for each {}, which the swizzle mixes in", comment, each));
  for (std::size_t i = 0; i < modes_.size(); ++i) {
    if (in_table_[i]) lines.loop(modes_[i].variable, modes_[i].count, true);
  }
  lines.add(fmt::format("{} = {};", element, value));
  for (std::size_t i = 0; i < modes_.size(); ++i) {
    if (in_table_[i]) lines.close();
  }
}

std::string Address::at(const std::vector<std::string>& coordinates) const {
  std::string base = name_;
  for (std::size_t i = 0; i < modes_.size(); ++i) {
    if (in_table_[i]) base += fmt::format("[{}]", coordinates[i]);
  }
  std::vector<std::string> terms{base};
  for (std::size_t i = 0; i < modes_.size(); ++i) {
    if (!in_table_[i]) terms.push_back(term(i, coordinates[i]));
  }
  return sum(terms);
}

}  // namespace tessera::emitting
