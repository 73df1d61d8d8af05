// SPDX-License-Identifier: BSD-3-Clause
#include "core/lesson/run_command.hpp"

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "core/base/characters.hpp"
#include "core/figure/figure_source.hpp"
#include "core/lang/document/document.hpp"
#include "core/lang/syntax/lexer.hpp"

namespace tessera::lesson {
namespace {

constexpr std::string_view kFile = "lesson.tess", kName = "of_lesson";

// Between apostrophes of a shell.
std::string shell_word(std::string_view text) {
  std::string made = "'";
  for (const char c : text) made += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return made + "'";
}

}  // namespace

std::string run_command(std::string_view definitions, const Written& gemm) {
  const std::string expression(trimmed(gemm.text));
  const Result<Document> document = parse_document(definitions);
  const std::string needed = document ? source_of(*document, expression).document : std::string();
  if (needed.empty()) return fmt::format("tessera gemm run {}", shell_word(expression));
  const bool is_name = is_binding_name(expression);
  std::string lines = needed;
  if (!is_name) lines += fmt::format("let {} = {}\n", kName, expression);
  return fmt::format("cat > {0} <<'END'\n{1}END\ntessera gemm run {2} --file {0}", kFile, lines, is_name ? expression : kName);
}

}  // namespace tessera::lesson
