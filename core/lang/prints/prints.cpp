// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/prints/prints.hpp"
#include "core/lang/syntax/limits.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/base/characters.hpp"
#include "core/lang/eval/evaluator.hpp"
#include "core/lang/prints/dump.hpp"
#include "core/lang/prints/lines.hpp"
#include "core/lang/prints/reader.hpp"
#include "core/lang/prints/types.hpp"

namespace tessera {
namespace {

std::string joined(const std::vector<std::string>& words) {
  constexpr std::size_t kShown = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(words.size(), kShown); ++i) text += (i ? ", " : "") + words[i];
  if (words.size() > kShown) text += fmt::format(" and {} more", words.size() - kShown);
  return text;
}

// #ttg.blocked<{...}>, #shared = #ttg.swizzled_shared<{...}>, `- register=1 -> (0, 1)`: attributes and linear layouts of Triton.
std::optional<SourceSpan> triton_layout_in(std::string_view text) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = trimmed(text.substr(begin, end - begin));
    const bool attribute =
        line.starts_with('#') && (line.find("#ttg.") != std::string_view::npos || line.find("#triton_gpu.") != std::string_view::npos);
    const bool bases = line.starts_with("- register") || line.starts_with("- lane") || line.starts_with("- warp") ||
                       line.starts_with("- block") || line.starts_with("- offset");
    if (attribute || (bases && line.find('=') != std::string_view::npos)) {
      const auto at = static_cast<std::size_t>(line.data() - text.data());
      return SourceSpan{at, at + line.size()};
    }
    begin = end + 1;
  }
  return std::nullopt;
}

std::vector<Pasted> pasted_types(std::vector<PrintedType> types, const Scope& scope) {
  std::vector<Pasted> made;
  for (PrintedType& type : types) {
    if (made.size() == kMostPrints || late()) break;
    Pasted pasted{binding_name(type.name), type.span, std::move(type.expression), Error{}, {}};
    if (!type.unknown.empty()) {
      pasted.value = unknown_numbers(pasted.expression, type.unknown, pasted.span);
    } else {
      pasted.value = evaluate_best_reading(pasted.expression, scope, &pasted.warnings);
      if (!pasted.value) pasted.value.error().span = pasted.span;
      for (Error& warning : pasted.warnings) warning.span = pasted.span;
    }
    made.push_back(std::move(pasted));
  }
  return made;
}

}  // namespace

bool is_print(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return false;
  const std::size_t end = text.find('\n', begin);
  return end != std::string_view::npos && is_dump_heading(text.substr(begin, end - begin));
}

Result<std::vector<Pasted>> read_paste(std::string_view text, const Scope& scope) {
  if (text.size() > kLongestText) {
    return Error{
        ErrorCode::limit, fmt::format("what was pasted has {} bytes; the limit is {}", text.size(), kLongestText), SourceSpan{0, 1}, {}};
  }
  const DefaultBudget budget;
  std::vector<Pasted> made;
  if (is_mlir(text)) {
    made = pasted_types(mlir_types(text), scope);
  } else if (is_compiler_output(text)) {
    made = pasted_types(compiler_types(text), scope);
  }
  if (made.empty()) made = read_lines(text, scope);
  TESSERA_CHECK(check_time("reading what was printed"));
  if (made.size() >= kMostPrints) {
    made.back().warnings.push_back({ErrorCode::limit, fmt::format("more than {} objects; the others are left out", kMostPrints), {}, {}});
  }
  if (!made.empty()) return made;
  if (const std::optional<SourceSpan> triton = triton_layout_in(text)) {
    return Error{ErrorCode::parse,
                 "this is a layout as Triton prints it, which is not read here",
                 *triton,
                 {"write it as shape:stride, or print the layout's table of numbers, which is read"}};
  }
  return Error{ErrorCode::parse,
               "there is no print of a layout, a tensor, an MMA or a copy in this text",
               SourceSpan{0, std::min<std::size_t>(text.size(), 1)},
               {}};
}

std::optional<Result<Value>> evaluate_print(std::string_view text, const Scope& scope, std::vector<Error>* warnings) {
  if (text.size() > kLongestText) return std::nullopt;
  Result<std::vector<Pasted>> read = read_paste(text, scope);
  if (!read && read.error().code == ErrorCode::limit) return Result<Value>(std::move(read).error());
  if (!read && triton_layout_in(text)) return Result<Value>(std::move(read).error());
  if (!read) return std::nullopt;
  std::vector<Pasted>& all = *read;
  // One object by itself that has no value: the expression's own refusal says more.
  const bool bare = all.size() == 1 && all[0].name.empty() && all[0].expression == text;
  if (bare && !all[0].value && text.find('?') == std::string_view::npos) return std::nullopt;
  // Of an MMA or a copy that is not known the layouts are there, and none of them is the answer.
  if (!all.back().value && all.back().expression.empty()) return Result<Value>(std::move(all.back().value).error());
  const auto last = std::find_if(all.rbegin(), all.rend(), [](const Pasted& each) { return each.value.has_value(); });
  if (last == all.rend()) return Result<Value>(std::move(all.back().value).error());
  if (warnings) {
    for (const Pasted& each : all) {
      warnings->insert(warnings->end(), each.warnings.begin(), each.warnings.end());
      if (!each.value) warnings->push_back(each.value.error());
    }
  }
  return std::move(last->value);
}

Error unknown_numbers(const std::string& expression, const std::vector<std::string>& unknown, SourceSpan span) {
  return {ErrorCode::parse,
          fmt::format("{} is known only when the program runs: give a number for {}", expression, joined(unknown)),
          span,
          {"what was printed leaves dynamic integers out; write the layout with the numbers that they have, as in (64,32):(32,1)"}};
}

}  // namespace tessera
