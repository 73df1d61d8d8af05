// SPDX-License-Identifier: BSD-3-Clause
// Where an expression ends, of every short text: two readers have to agree on it, and what stands on later lines has no say.
#include "core/lang/syntax/lexer.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <variant>

#include "core/lang/programs/evaluate.hpp"
#include "core/lang/syntax/division_or_comment.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

// Every text of at most `most` characters of an alphabet.
template <class Use>
void each_text(std::string_view alphabet, std::size_t most, const Use& use, const std::string& begun = {}) {
  use(begun);
  if (begun.size() == most) return;
  for (const char c : alphabet) each_text(alphabet, most, use, begun + c);
}

}  // namespace

TEST_CASE("what ends an expression within its line is where its last token ends") {
  std::size_t read = 0;
  each_text("\"'\\x #(", 6, [&](const std::string& line) {
    const auto tokens = tokenize(line);
    if (!tokens || tokens->size() < 2) return;  // the last one is the end
    ++read;
    if (end_of_expression(line, 0) != (*tokens)[tokens->size() - 2].span.end)
      FAIL_CHECK(line << " ends at " << end_of_expression(line, 0) << ", its tokens at " << (*tokens)[tokens->size() - 2].span.end);
  });
  CHECK(read > 10000);
}

TEST_CASE("strings and comments end with their line, closed or not, whatever stands before the line's end and after it") {
  each_text("\"'\\x#", 5, [](const std::string& line) {
    for (const char* next : {"\n", "\nx", "\n\"", "\n'", "\n\\\"", "\n)", "\nlet b = \"4\"\n"}) {
      if (end_of_expression(line + next, 0) != end_of_expression(line, 0)) FAIL_CHECK(line << next);
    }
    // A bracket that stays open reaches to the next binding.
    const std::string open = "(" + line;
    if (end_of_expression(open + "\nlet b = \"4\"\n", 0) != end_of_expression(open, 0)) FAIL_CHECK(open);
  });
}

TEST_CASE("an expression ends with the first line that leaves no bracket open, before the comment there") {
  enum class In { code, string, escaped, comment };
  each_text("(/\"\\#1\n)", 6, [&](const std::string& text) {
    In in = In::code;
    int open = 0;
    std::size_t end = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (c == '\n') {
        if (open <= 0) break;
        in = In::code;
      } else if (in == In::code && (c == '#' || text.substr(i, 2) == "//")) {
        if (c == '/' && may_divide(text.substr(0, text.find('\n', i)), i))
          end = std::max(end, i++);  // the division itself ends nothing
        else
          in = In::comment;
      } else if (in != In::comment) {
        if (in == In::code) open += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (in == In::code && c == '"')
          in = In::string;
        else if (in == In::string)
          in = c == '"' ? In::code : c == '\\' ? In::escaped : In::string;
        else if (in == In::escaped)
          in = In::string;
        end = i + 1;
      }
    }
    if (text.find("//") != std::string::npos && end > 0 && text[end - 1] == '/') return;  // what a division ends with is not said here
    if (end_of_expression(text, 0) != end) FAIL(text);
  });
}

TEST_CASE("a text of digits, points and exponents is the number that C reads, or no number") {
  std::size_t numbers = 0;
  each_text("1.ex", 6, [&](const std::string& text) {
    if (!text.starts_with('1')) return;
    double want = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), want);
    const bool whole = status == std::errc() && end == text.data() + text.size();
    const auto value = evaluate(text);
    if (value.has_value() != whole) FAIL_CHECK(text << (value ? " is read" : " is refused"));
    if (!value || !whole) return;
    ++numbers;
    const auto* real = std::get_if<double>(&value->any);
    const auto* integer = std::get_if<IntTuple>(&value->any);
    if (real ? *real != want : integer == nullptr || static_cast<double>(integer->value()) != want) FAIL_CHECK(text);
  });
  CHECK(numbers > 20);
}

TEST_CASE("two colons belong to a name only where another name follows") {
  for (const char* text : {"a::3", "a::(4)", "a:: b"}) {
    const auto tokens = tokenize(text);
    INFO(text);
    if (tokens) CHECK(tokens->front().span.end == 1);
  }
  const auto name = tokenize("a::b");
  REQUIRE(name.has_value());
  CHECK(name->front().span.end == 4);
}

TEST_CASE("a string that is not closed is refused at its quote, with a backslash before the line's end too") {
  for (const std::string text : {"\"", "'", "\"\\", "'\\", "\"x\\\"", "\"\\\\\\\""}) {
    for (const char* next : {"", "\n", "\n\"", "\n\" '"}) {
      const auto tokens = tokenize("x " + text + next);
      INFO(text << next);
      REQUIRE_FALSE(tokens);
      CHECK(tokens.error().message.find("not closed") != std::string::npos);
      REQUIRE(tokens.error().span);
      CHECK(tokens.error().span->begin == 2);
    }
  }
}
