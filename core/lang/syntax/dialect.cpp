// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/syntax/dialect.hpp"

#include <string_view>

#include "core/lang/syntax/words.hpp"

namespace tessera {

namespace {
thread_local constinit Dialect current = Dialect::ours;
}

using statement_text::has_word;

bool is_cpp(std::string_view text) {
  for (const std::string_view word : {"auto", "using", "constexpr", "template", "typename", "decltype", "CUTE_STATIC_ASSERT_V"}) {
    if (has_word(text, word)) return true;
  }
  if (text.find("#include") != std::string_view::npos || text.find("#if") != std::string_view::npos) return true;
  for (std::size_t at = text.find(';'); at != std::string_view::npos; at = text.find(';', at + 1)) {
    std::size_t end = at + 1;
    while (end < text.size() && (text[end] == ' ' || text[end] == '\t' || text[end] == '\r')) ++end;
    if (end == text.size() || text[end] == '\n' || text.substr(end, 2) == "//" || text.substr(end, 2) == "/*") return true;
  }
  return false;
}

bool calls_dsl(std::string_view text) {
  return text.find("cute.") != std::string_view::npos || text.find("cutlass.") != std::string_view::npos ||
         text.find("self.") != std::string_view::npos;
}

Dialect dialect_of(std::string_view text) { return is_cpp(text) ? Dialect::cpp : calls_dsl(text) ? Dialect::python : Dialect::ours; }

Dialect current_dialect() { return current; }
DialectScope::DialectScope(Dialect dialect) : before_(current) { current = dialect; }
DialectScope::~DialectScope() { current = before_; }

}  // namespace tessera
