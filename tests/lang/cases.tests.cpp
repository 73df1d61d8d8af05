// SPDX-License-Identifier: BSD-3-Clause
// Runs tests/lang/cases/*.tess: every binding states its value or its refusal in the comment above it.
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "core/lang/builtins/builtins.hpp"
#include "core/lang/document/document.hpp"
#include "core/lang/syntax/lexer.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/source_dir.hpp"

using namespace tessera;

namespace {

struct Case {
  std::string file, name, expression;
  std::string expected;    // a value's text, or
  std::string code, part;  // a refusal's code and a part of its message
  Result<Value> value;
};

// The rest of the last line of `text` that begins with `mark`.
std::string after_mark(const std::string& text, const std::string& mark) {
  const std::size_t at = text.rfind(mark);
  if (at == std::string::npos) return {};
  return text.substr(at + mark.size(), text.find('\n', at) - at - mark.size());
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  std::set<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(test::source_dir() + "/tests/lang/cases")) {
    if (entry.path().extension() == ".tess") files.insert(entry.path());
  }
  for (const auto& path : files) {
    std::ifstream stream(path);
    std::stringstream text;
    text << stream.rdbuf();
    Result<Document> document = parse_document(text.str());
    INFO(path.string());
    if (!document) FAIL(describe(document.error(), text.str()));
    REQUIRE(to_text(*document) == text.str());
    std::vector<EvaluatedBinding> values = evaluate(*document);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Binding& binding = document->bindings[i];
      Case made{path.filename().string(), binding.name, binding.expression, after_mark(binding.leading, "# expect: "), {}, {},
                values[i].value};
      std::istringstream error(after_mark(binding.leading, "# error: "));
      error >> made.code;
      std::getline(error >> std::ws, made.part);
      cases.push_back(std::move(made));
    }
  }
  return cases;
}

}  // namespace

TEST_CASE("every case gives the value or the refusal that it states") {
  const std::vector<Case> cases = all_cases();
  REQUIRE(cases.size() > 150);
  for (const Case& each : cases) {
    INFO(each.file << ": " << each.name << " = " << each.expression);
    REQUIRE(each.expected.empty() != each.code.empty());
    if (each.code.empty()) {
      if (!each.value) FAIL_CHECK(describe(each.value.error(), each.expression));
      if (each.value) CHECK(to_string(*each.value) == each.expected);
      continue;
    }
    CHECK_FALSE(each.value.has_value());
    if (each.value) continue;
    CHECK(to_string(each.value.error().code) == each.code);
    INFO(each.value.error().message);
    CHECK(each.value.error().message.find(each.part) != std::string::npos);
    REQUIRE(each.value.error().span);
    CHECK(each.value.error().span->begin <= each.expression.size());
  }
}

TEST_CASE("every function has a help line, a signature and a case that gives a value") {
  const std::vector<Case> cases = all_cases();
  for (const BuiltinHelp& row : builtins()) {
    INFO(row.name);
    CHECK(row.help.size() > 5);
    CHECK(row.signature.starts_with(std::string(row.name) + "("));
    bool used = row.name == "plan";  // its text has lines: plan_values.tests.cpp
    for (const Case& each : cases) {
      Result<std::vector<Token>> tokens = tokenize(each.expression);
      if (!each.value || !tokens) continue;
      for (std::size_t i = 0; i + 1 < tokens->size(); ++i) {
        const Token& token = (*tokens)[i];
        const std::string text = each.expression.substr(token.span.begin, token.span.end - token.span.begin);
        used = used || (token.kind == Token::Kind::name && text == row.name && (*tokens)[i + 1].symbol == '(');
      }
    }
    CHECK(used);
  }
}

TEST_CASE("the text of a value reads as the value again") {
  for (const Case& each : all_cases()) {
    if (!each.value) continue;
    const std::string text = to_string(*each.value);
    INFO(each.file << ": " << text);
    const Result<Value> again = evaluate(text);
    if (!again) FAIL_CHECK(describe(again.error(), text));
    if (again) CHECK(to_string(*again) == text);
    // A layout with an offset reads as a tuple, and an all-integer tiler as one: their texts are the same.
    if (again && kind_name(*each.value) != "tensor" && kind_name(*each.value) != "tiler")
      CHECK(kind_name(*again) == kind_name(*each.value));
  }
}
