// SPDX-License-Identifier: BSD-3-Clause
// Runs tests/lang/cases/mistakes.txt: every mistake is answered with what was meant, and with a fix that gives the stated value.
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/lang/programs/evaluate.hpp"
#include "core/lang/programs/snippet.hpp"
#include "core/lang/suggest/suggest.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/source_dir.hpp"

using namespace tessera;

namespace {

using Row = std::map<std::string, std::string>;

std::string with_lines(std::string text) {
  for (std::size_t at = text.find("\\n"); at != std::string::npos; at = text.find("\\n")) text.replace(at, 2, "\n");
  return text;
}

std::vector<Row> all_mistakes() {
  std::vector<Row> rows;
  std::ifstream stream(test::source_dir() + "/tests/lang/cases/mistakes.txt");
  for (std::string line; std::getline(stream, line);) {
    const std::size_t colon = line.find(": ");
    if (line.empty() || line[0] == '#' || colon == std::string::npos) continue;
    const std::string key = line.substr(0, colon);
    if (key == "mistake") rows.emplace_back();
    REQUIRE_FALSE(rows.empty());
    rows.back()[key] = with_lines(line.substr(colon + 2));
  }
  return rows;
}

// The refusal of a text, with what was meant.
Error refusal(const std::string& text) {
  Result<Value> made = evaluate(text);
  REQUIRE_FALSE(made);
  Error error = std::move(made).error();
  suggest(error, text);
  return error;
}

}  // namespace

TEST_CASE("a mistake is answered with what was meant, and with a fix that gives its value") {
  const std::vector<Row> rows = all_mistakes();
  REQUIRE(rows.size() >= 120);
  std::size_t answered = 0, confusions = 0;
  for (const Row& row : rows) {
    const std::string& text = row.at("text");
    INFO(row.at("mistake") << ": " << text);
    if (const Result<Value> understood = evaluate(text)) {  // a mistake that the language has learnt to read means the same
      CHECK(to_string(*understood) == row.at("value"));
      continue;
    }
    ++answered;
    confusions += row.at("mistake").ends_with(')') ? 1 : 0;
    const Error error = refusal(text);
    INFO(describe(error, text));
    if (row.contains("example")) {  // an operand that the text does not have: it is told, and not made
      CHECK_FALSE(error.fix);
      CHECK(describe(error, text).find(row.at("meant")) != std::string::npos);
      CHECK(describe(error, text).find("for example " + row.at("example")) != std::string::npos);
      CHECK_FALSE(mended_text(text));
      continue;
    }
    REQUIRE(error.fix);
    CHECK(error.fix->span.begin <= error.fix->span.end);
    CHECK(error.fix->span.end <= text.size());
    CHECK(describe(error, text).find(row.at("meant")) != std::string::npos);
    CHECK(describe(error, text).find("\n  try:  ") != std::string::npos);
    CHECK(mended(text, *error.fix) == row.at("fix"));
    const Result<std::string> again = mended_text(text);
    REQUIRE(again);
    CHECK(*again == row.at("fix"));
    const Result<Value> value = evaluate(*again);
    if (row.at("value") == "none") {  // a statement that holds shows nothing
      const SnippetAnswer answer = evaluate_snippet(*again);
      REQUIRE(answer.statements.size() == 1);
      CHECK_FALSE(answer.statements[0].refused);
      continue;
    }
    REQUIRE(value);
    CHECK(to_string(*value) == row.at("value"));
  }
  CHECK(answered >= 100);
  CHECK(confusions >= 50);
}

TEST_CASE("a text that is right is not mended") {
  for (const std::string text : {"(4,8):(8,1)", "coalesce((2,4):(1,2))", "Sw<3,4,3> o 0 o (8,64):(64,1)", "let x = 4\nx:1"}) {
    INFO(text);
    const Result<std::string> same = mended_text(text);
    REQUIRE(same);
    CHECK(*same == text);
  }
}

TEST_CASE("what is wrong with the values, and not with the words, gets no fix") {
  for (const std::string text : {"composition((4,8):(8,1), (2,3):(1,5))", "(4,0):(1,4)", "complement((2,2):(1,1), 16)", "Sw<3,4,2>",
                                 "9223372036854775807 + 1", "image(4194304:1)", "logical_product((4,8):(8,1))", "size"}) {
    INFO(text);
    const Error error = refusal(text);
    CHECK_FALSE(error.fix);
    CHECK(error.message == evaluate(text).error().message);
    CHECK_FALSE(mended_text(text));
  }
}

TEST_CASE("whatever is left out of a text, a fix is given only where it is evaluated, and shows where") {
  std::size_t fixes = 0;
  for (const std::string whole : {"coalesce((4,8):(8,1))", "logical_divide((4,8):(8,1), (2,4))", "Sw<3,3,3> o 0 o (8,64):(64,1)",
                                  "make_layout(Shape<_4,_8>{}, LayoutRight{})", "composition((4,8):(8,1), (2,2):(1,2))"}) {
    for (std::size_t i = 0; i < whole.size(); ++i) {
      std::string text = whole;
      text.erase(i, 1);
      Result<Value> made = evaluate(text);
      if (made) continue;
      INFO(text);
      Error error = std::move(made).error();
      suggest(error, text);
      if (!error.fix) continue;
      ++fixes;
      const std::string after = mended(text, *error.fix);
      INFO(after);
      CHECK(after != text);
      CHECK(evaluate(after).has_value());
    }
  }
  CHECK(fixes >= 60);
}

TEST_CASE("a proposal changes one thing, and mends no second mistake") {
  for (const std::string text :
       {"coalsce((2,4):(1,2)", "size(4,8:1)", "(4,8):(1,", "logical_divide(8:1,)", "x + y", "8:", "composition(,8:1)"}) {
    INFO(text);
    CHECK_FALSE(refusal(text).fix);
    CHECK_FALSE(mended_text(text));
  }
  CHECK(*mended_text("(4;8):(8;1)") == "(4,8):(8,1)");  // the same in several places
}

TEST_CASE("a fix knows the names of its scope") {
  const Result<Value> layout = evaluate("(4,8):(8,1)");
  REQUIRE(layout);
  const Scope scope = [&](std::string_view name) { return name == "tile" ? &*layout : nullptr; };
  Result<Value> made = evaluate("coalsce(tile)", scope);
  REQUIRE_FALSE(made);
  Error error = std::move(made).error();
  suggest(error, "coalsce(tile)", scope);
  REQUIRE(error.fix);
  CHECK(error.fix->span == SourceSpan{0, 7});
  CHECK(error.fix->replacement == "coalesce");
}

TEST_CASE("of a snippet the refused statement is mended") {
  const std::string text = "let a = (4,8):(8,1)\nlet b = coalsce(a)\nsize(b)";
  const Result<std::string> right = mended_text(text);
  REQUIRE(right);
  CHECK(*right == "let a = (4,8):(8,1)\nlet b = coalesce(a)\nsize(b)");
}

TEST_CASE("a refusal shows the line that its fix makes") {
  Error error{ErrorCode::parse, "the rule", SourceSpan{2, 3}, {"the note"}};
  error.fix = Fix{{2, 3}, "y"};
  CHECK(describe(error, "a x\nb") == "parse: the rule\n    1 | a x\n      |   ^\n  note: the note\n  try:  a y");
  CHECK(describe(error) == "parse: the rule\n  note: the note\n  try:  y");
}

TEST_CASE("a very long text is refused as it is, at once") {
  std::string text = "coalsce(";
  for (int i = 0; i < 5000; ++i) text += "4,";
  text += "8)";
  const Error error = refusal(text);
  CHECK_FALSE(error.fix);
}
