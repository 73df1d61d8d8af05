// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/codegen/index_expr.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/layout/algebra.hpp"

namespace tessera {

namespace {

// One leaf: (variable / before % extent) * stride, without the operations that do nothing.
std::string leaf_expr(std::string_view variable, std::int64_t before, std::int64_t extent, std::int64_t stride, bool last,
                      const StrideText& stride_text) {
  if (stride == 0 || extent == 1) return "0";
  std::string term(variable);
  if (before != 1) term += fmt::format(" / {}", before);
  if (!last) term += fmt::format(" % {}", extent);
  if (stride != 1) term += fmt::format(" * {}", stride_text ? stride_text(stride) : fmt::format("{}", stride));
  return term;
}

bool is_number(std::string_view text) { return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos; }

}  // namespace

std::string index_expr(const Layout& layout, std::string_view variable, const StrideText& stride_text) {
  if (is_number(variable)) return fmt::format("{}", layout(std::stoll(std::string(variable))));
  const std::string factor = in_parentheses(std::string(variable));
  const Layout flat = coalesce(layout);
  const std::vector<std::int64_t> extents = leaf_values(flatten(flat.shape())), strides = leaf_values(flatten(flat.stride()));
  std::vector<std::string> terms;
  std::int64_t before = 1;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    terms.push_back(leaf_expr(factor, before, extents[i], strides[i], i + 1 == extents.size(), stride_text));
    before *= extents[i];
  }
  return sum(terms);
}

Layout with_strides(const Layout& layout, const std::function<std::int64_t(std::int64_t)>& change) {
  std::vector<IntTuple> shapes, strides;
  append_leaves(layout.shape(), shapes);
  for (const std::int64_t stride : leaf_values(layout.stride())) strides.emplace_back(change(stride));
  return Layout::trusted(IntTuple::tuple(shapes), IntTuple::tuple(strides));
}

std::string sum(const std::vector<std::string>& terms) {
  std::string text;
  for (const std::string& term : terms) {
    if (term == "0") continue;
    text += text.empty() ? term : " + " + term;
  }
  return text.empty() ? "0" : text;
}

std::string in_parentheses(std::string expression) {
  int depth = 0;
  for (const char c : expression) {
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (c == ' ' && depth == 0) return "(" + std::move(expression) + ")";
  }
  return expression;
}

}  // namespace tessera
