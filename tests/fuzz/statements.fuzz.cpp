// SPDX-License-Identifier: BSD-3-Clause
// Bytes as a program of C++ or Python: whatever they are, every statement is accounted for, and each place that is said lies in the text.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/budget.hpp"
#include "core/base/utf8.hpp"
#include "core/lang/programs/account.hpp"
#include "core/lang/programs/snippet.hpp"
#include "core/lang/statements/statements.hpp"
#include "tests/fuzz/targets.hpp"

namespace tessera::fuzz {
namespace {

std::string broken_answer(const SnippetAnswer& answer, std::string_view bytes) {
  for (const StatementAnswer& each : answer.statements) {
    if (each.statement.span.end > bytes.size() || each.statement.span.begin > each.statement.span.end)
      return "a statement lies outside of its text";
    if (each.refused && !is_utf8(describe(*each.refused, bytes))) return "a refusal is not UTF-8";
    for (const Error& warning : each.warnings) {
      if (!is_utf8(describe(warning, bytes))) return "a warning is not UTF-8";
    }
    const std::string_view refusal = each.refused ? std::string_view(each.refused->message) : std::string_view();  // may quote the text
    if (refusal.starts_with("this statement cannot be evaluated, by a fault") || refusal.starts_with("this text cannot be taken apart"))
      return each.refused->message;
  }
  std::size_t statements = 0;
  for (const StatementAnswer& each : answer.statements) {
    if (each.statement.kind != Statement::Kind::leaves) statements += 1 + each.statement.inside.size();
  }
  return account_of(answer).size() == statements ? "" : "a statement is not accounted for";
}

}  // namespace

std::string broken_statements(std::string_view bytes) {
  const Budget budget({.seconds = 2});
  for (const bool into_blocks : {false, true}) {
    SnippetOptions options;
    options.guess = false;
    options.statements.into_blocks = into_blocks;
    if (std::string broken = broken_answer(evaluate_snippet(bytes, options), bytes); !broken.empty()) return broken;
  }
  return "";
}

}  // namespace tessera::fuzz
