// SPDX-License-Identifier: BSD-3-Clause
// Layout -> a readable C expression in one variable. The expression's value is layout(variable) for 0 <= variable < size.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/gemm/plan/edges.hpp"  // basis_part
#include "core/layout/layout.hpp"
#include "core/layout/swizzle.hpp"

namespace tessera {

// How a stride is written as a factor: "4096", or "LDA".
using StrideText = std::function<std::string(std::int64_t)>;

// (4,8):(8,1) of "thr" -> "thr % 4 * 8 + thr / 4"; a constant 0 gives "0". The variable may be a number, or any expression.
std::string index_expr(const Layout& layout, std::string_view variable, const StrideText& stride_text = {});

// The layout of the same shape whose strides are `change` of its own: elements become bytes, registers or rows.
Layout with_strides(const Layout& layout, const std::function<std::int64_t(std::int64_t)>& change);

// "a + b" without zeros: sum({"0", "x"}) -> "x"
std::string sum(const std::vector<std::string>& terms);

// An expression that can stand as a factor or operand: "a + b" -> "(a + b)"; "x[a + b]" is one already
std::string in_parentheses(std::string expression);

}  // namespace tessera
