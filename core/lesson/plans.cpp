// SPDX-License-Identifier: BSD-3-Clause
#include "core/lesson/plans.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "core/base/characters.hpp"
#include "core/gemm/plan/work.hpp"
#include "core/gemm/run/race.hpp"
#include "core/gemm/text/text.hpp"
#include "core/lang/builtins/spec_values.hpp"

namespace tessera::lesson {
namespace {

const GemmSpec* spec_of(const Value& value) {
  const auto* spec = std::get_if<std::shared_ptr<const GemmSpec>>(&value.any);
  return spec && (*spec)->plan ? spec->get() : nullptr;
}

// The text from its word `plan` on, without a name that it is bound to; where it begins.
std::size_t begin_of_plan(std::string_view text) {
  const std::size_t brace = text.find('{');
  const std::size_t equals = text.substr(0, brace).find('=');
  std::size_t begin = equals == std::string_view::npos ? 0 : equals + 1;
  while (begin < text.size() && is_space(text[begin])) ++begin;
  return begin;
}

std::string_view next_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = trimmed(text.substr(0, end));
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

// The first line in which the work of the two differs.
std::string other_work(std::string_view given, std::string_view wanted) {
  while (!given.empty() || !wanted.empty()) {
    const std::string_view is = next_line(given), should = next_line(wanted);
    if (is == should) continue;
    return fmt::format("it does other work than was given: there is `{}` where `{}` was", is, should);
  }
  return "it does other work than was given";
}

}  // namespace

Result<Value> read_plan(std::string_view text) {
  // Blank where the rest of a document stands, so that lines are counted in what was written.
  std::string plan(text);
  const std::size_t begin = begin_of_plan(text);
  std::replace_if(
      plan.begin(), plan.begin() + static_cast<std::ptrdiff_t>(begin), [](char c) { return c != '\n'; }, ' ');
  if (!std::string_view(plan).substr(begin).starts_with("plan")) plan = "plan { " + plan + "\n}";
  Result<GemmPlan> read = plan::parse_plan(plan);
  if (read) return plan_value(*std::move(read));
  Error error = std::move(read).error();  // its message has the line
  error.span.reset();
  return error;
}

Result<std::string> plan_difference(const Value& given, const Value& wanted) {
  const GemmSpec *const is = spec_of(given), *const should = spec_of(wanted);
  if (is == nullptr || should == nullptr) return std::string("a plan is wanted, plan { ... }");
  if (is->plan_text == should->plan_text) return std::string();
  const std::string does = plan::to_text(plan::work_of(*is->plan)), wanted_work = plan::to_text(plan::work_of(*should->plan));
  if (does != wanted_work) return other_work(does, wanted_work);
  TESSERA_TRY(fault, fault_of(*is->plan));
  if (fault) {
    std::string words = fault->message;
    for (const std::string& note : fault->notes) words += "; what helps: " + note;
    return words;
  }
  TESSERA_TRY(fault_of_wanted, fault_of(*should->plan));
  return fault_of_wanted ? std::string("the machine finds nothing wrong with it") : std::string();
}

std::string lines_beyond(std::string_view given, const Value& value) {
  const std::string whole = to_string(value);
  std::string made, on_one_line;
  std::string_view left = whole;
  given = trimmed(given);
  for (int number = 1; !left.empty(); ++number) {
    const std::string_view line = next_line(left);
    on_one_line += (on_one_line.empty() ? "" : " ") + std::string(line);
    std::string_view rest = given;
    if (!given.empty() && next_line(rest) == line)
      given = rest;
    else
      made += fmt::format("{}line {}: {}", made.empty() ? "" : ", ", number, line);
  }
  if (!given.empty()) return on_one_line;
  return made.empty() ? "what was given" : made;
}

}  // namespace tessera::lesson
