// SPDX-License-Identifier: BSD-3-Clause
// Types, lines and addresses of emitted text.
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/layout/algebra.hpp"
#include "kernels/codegen/emit_steps.hpp"
#include "kernels/codegen/index_expr.hpp"

namespace tessera::emitting {

Result<TypeText> type_text(ValueType type) {
  switch (type) {
    case ValueType::f16:
    case ValueType::bf16: return TypeText{"unsigned short", "unsigned", 2};
    case ValueType::u8: return TypeText{"unsigned char", "unsigned", 4};
    case ValueType::i8: return TypeText{"signed char", "unsigned", 4};
    case ValueType::tf32: return TypeText{"float", "unsigned", 1};
    case ValueType::f32: return TypeText{"float", "float", 1};
    case ValueType::f64: return TypeText{"double", "double", 1};
    case ValueType::i32: return TypeText{"int", "unsigned", 1};
    default: break;
  }
  return Error{ErrorCode::bad_spec,
               fmt::format("no kernel is emitted for elements of type {}", short_name(type)),
               std::nullopt,
               {"types with kernels: f16, bf16, tf32, f32, f64, s8, u8, s32"}};
}

std::string to_real(ValueType type, const std::string& x) {
  switch (type) {
    case ValueType::f16: return fmt::format("f16_to_float({})", x);
    case ValueType::bf16: return fmt::format("bf16_to_float({})", x);
    case ValueType::i8:
    case ValueType::u8: return fmt::format("(float){}", in_parentheses(x));
    case ValueType::i32: return fmt::format("(double){}", in_parentheses(x));
    default: return x;
  }
}

std::string from_real(ValueType type, bool is_double, const std::string& x) {
  const std::string narrow = is_double ? fmt::format("double_to_float_odd({})", x) : x;
  switch (type) {
    case ValueType::f16: return fmt::format("float_to_f16({})", narrow);
    case ValueType::bf16: return fmt::format("float_to_bf16({})", narrow);
    case ValueType::tf32: return fmt::format("float_to_tf32({})", narrow);
    case ValueType::f32: return is_double ? fmt::format("(float){}", in_parentheses(x)) : x;
    case ValueType::i32: return fmt::format("__double2int_rn({})", x);
    case ValueType::i8: return fmt::format("(signed char)max(-128, min(127, __double2int_rn({})))", x);
    case ValueType::u8: return fmt::format("(unsigned char)max(0, min(255, __double2int_rn({})))", x);
    default: return x;
  }
}

bool is_double_epilogue(const GemmPlan& plan) {
  const ValueType sums = plan.mma->atom().val_c, c = plan.gC.type;
  const auto is_integer = [](ValueType type) { return type == ValueType::i32 || type == ValueType::i8 || type == ValueType::u8; };
  return sums == ValueType::f64 || c == ValueType::f64 || is_integer(sums) || is_integer(c);
}

bool needs_conversions(ValueType type) { return type == ValueType::f16 || type == ValueType::bf16 || type == ValueType::tf32; }

const char* index_type(const GemmPlan& plan) {
  const std::int64_t most = std::max({plan.gA.elements, plan.gB.elements, plan.gC.elements});
  return most > std::numeric_limits<std::int32_t>::max() ? "long long" : "int";
}

std::string gmem_variable(const GemmPlan& plan, const std::string& variable) {
  const std::string type = index_type(plan);
  return type == "int" ? variable : fmt::format("({}){}", type, variable);
}

std::string comment_name(const GemmPlan& plan) {
  std::string text;
  for (const char c : plan.name) text += c >= ' ' && c <= '~' ? c : '?';
  return text;
}

void Lines::add(std::string_view line) {
  if (!line.empty()) text_ += std::string(static_cast<std::size_t>(2 * depth_), ' ');
  text_ += line;
  text_ += '\n';
}

void Lines::open(std::string_view line) {
  add(fmt::format("{} {{", line));
  ++depth_;
}

void Lines::close(std::string_view tail) {
  --depth_;
  add(tail);
}

void Lines::unroll(std::string_view variable, std::int64_t count) {
  text_ += "#pragma unroll\n";
  open(fmt::format("for (int {0} = 0; {0} < {1}; ++{0})", variable, count));
}

namespace {

const Swizzle* swizzle_of(const AnyLayout& layout) {
  const ComposedLayout* composed = std::get_if<ComposedLayout>(&layout);
  return composed ? std::get_if<Swizzle>(&composed->outer) : nullptr;
}

}  // namespace

std::string stepped_expr(const Layout& mode, std::string_view variable, std::int64_t step) {
  if (step == 1) return index_expr(mode, variable);
  const Layout firsts = Layout::trusted(mode.size() / step, step);  // vector -> its first element
  if (const auto visited = composition(mode, firsts)) return index_expr(*visited, variable);
  return index_expr(mode, fmt::format("({} * {})", variable, step));
}

// Does adding mode `mode`'s own offset outside the swizzle give the same address as inside it, for every thread and element?
bool Address::additive(const AnyLayout& layout, std::size_t mode) const {
  const Layout& plain = plain_part(layout);
  const Layout rest = plain[1];
  std::int64_t before = 1;
  for (std::size_t i = 0; i < mode; ++i) before *= rest[i].size();
  const std::int64_t extent = rest[mode].size();
  const std::int64_t threads = plain[0].size(), elements = rest.size();
  for (std::int64_t thr = 0; thr < threads; ++thr) {
    for (std::int64_t x = 0; x < elements && !late(); ++x) {  // emit_gemm looks at the clock afterwards
      const std::int64_t at_zero = x - x / before % extent * before;
      if (evaluate(layout, thr, x) != evaluate(layout, thr, at_zero) + rest[mode](x / before % extent)) return false;
    }
  }
  return true;
}

Address::Address(std::string name, const AnyLayout& layout, std::vector<std::string> variables, std::vector<std::int64_t> steps,
                 const std::string& thread)
    : name_(std::move(name)) {
  const Layout& plain = plain_part(layout);
  const Layout rest = plain[1];
  thread_expr_ = index_expr(plain[0], thread);
  const Swizzle* swizzle = swizzle_of(layout);
  swizzled_ = swizzle != nullptr && !swizzle->is_identity();
  if (swizzled_) {
    swizzle_ = fmt::format("swizzle<{},{},{}>", swizzle->bits(), swizzle->base(), swizzle->shift());
    offset_ = std::get<ComposedLayout>(layout).offset.value();
  } else if (const ComposedLayout* composed = std::get_if<ComposedLayout>(&layout)) {
    offset_ = composed->offset.value();
  }
  std::vector<std::string> inside;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const std::int64_t count = rest[i].size() / steps[i];
    const std::string term = stepped_expr(rest[i], variables[i], steps[i]);
    if (count == 1 || term == "0") continue;
    if (!swizzled_ || additive(layout, i)) {
      constant_terms_.push_back(term);
    } else {
      inside.push_back(term);
      table_variables_.push_back(variables[i]);
      table_extents_.push_back(count);
    }
  }
  table_expr_ = sum(inside);
}

void Address::declare(Lines& lines, const std::string& comment) const {
  const std::string inner = sum({offset_ == 0 ? "0" : fmt::format("{}", offset_), thread_expr_, table_expr_});
  if (!swizzled_) {
    lines.add(
        fmt::format("const int {} = {};  // {}", name_, sum({offset_ == 0 ? "0" : fmt::format("{}", offset_), thread_expr_}), comment));
    return;
  }
  if (table_variables_.empty()) {
    lines.add(fmt::format("const int {} = {}({});  // {}", name_, swizzle_, inner, comment));
    return;
  }
  std::string declaration = "int " + name_, element = name_;
  for (std::size_t i = 0; i < table_variables_.size(); ++i) {
    declaration += fmt::format("[{}]", table_extents_[i]);
    element += fmt::format("[{}]", table_variables_[i]);
  }
  lines.add(fmt::format("{};  // {}", declaration, comment));
  for (std::size_t i = 0; i < table_variables_.size(); ++i) lines.unroll(table_variables_[i], table_extents_[i]);
  lines.add(fmt::format("{} = {}({});", element, swizzle_, inner));
  for (std::size_t i = 0; i < table_variables_.size(); ++i) lines.close();
}

std::string Address::at() const {
  std::string base = name_;
  for (const std::string& variable : table_variables_) base += fmt::format("[{}]", variable);
  std::vector<std::string> terms{base};
  terms.insert(terms.end(), constant_terms_.begin(), constant_terms_.end());
  return sum(terms);
}

}  // namespace tessera::emitting
