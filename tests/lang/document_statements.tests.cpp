// SPDX-License-Identifier: BSD-3-Clause
// Documents take the lines that snippets take, and give the same answers: functions, several names, parameters, assertions, pasted lines.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/lang/document/document.hpp"
#include "core/lang/programs/snippet.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/documents.hpp"

using namespace tessera;

namespace {

std::vector<EvaluatedBinding> values_of(std::string_view text) {
  const Result<Document> document = parse_document(text);
  if (!document) FAIL(describe(document.error(), text));
  CHECK(to_text(*document) == text);
  CHECK(document->bad_lines.empty());
  return evaluate(*document);
}

std::string value_of(const std::vector<EvaluatedBinding>& bindings, std::string_view name) {
  const Value* value = find_value(bindings, name);
  return value ? to_string(*value) : "(none)";
}

// Of the only binding without a value.
Error refusal_of(std::string_view text) {
  std::vector<Error> refused;
  for (const EvaluatedBinding& each : values_of(text)) {
    if (!each.value) refused.push_back(each.value.error());
  }
  INFO(text);
  REQUIRE(refused.size() == 1);
  return refused[0];
}

}  // namespace

TEST_CASE("a text has the same names and values as a document and as a snippet, and refuses the same lines") {
  for (const std::string_view text : test::kTextsOfManyLines) {
    INFO(text);
    const Result<Document> document = parse_document(text);
    REQUIRE(document);
    CHECK(to_text(*document) == text);
    std::vector<std::string> of_document, of_snippet;
    for (const BadLine& bad : document->bad_lines) of_document.push_back(fmt::format("{} refused", bad.line));
    const std::vector<EvaluatedBinding> bindings = evaluate(*document);
    for (std::size_t i = 0; i < bindings.size(); ++i) {
      const EvaluatedBinding& each = bindings[i];
      const Statement& statement = document->bindings[i].statement;
      if (!each.value)
        of_document.push_back(fmt::format("{} refused", statement.line));
      else if (!each.parts.empty())
        for (const auto& [name, value] : each.parts) of_document.push_back(name + " = " + to_string(value));
      else if (statement.kind != Statement::Kind::check)
        of_document.push_back(each.name + " = " + to_string(*each.value));
    }
    for (const StatementAnswer& each : evaluate_snippet(text).statements) {
      if (each.refused) of_snippet.push_back(fmt::format("{} refused", each.statement.line));
      for (const auto& [name, value] : each.values) of_snippet.push_back(name + " = " + to_string(value));
    }
    std::sort(of_document.begin(), of_document.end());
    std::sort(of_snippet.begin(), of_snippet.end());
    CHECK(of_document == of_snippet);
  }
}

TEST_CASE("a function of a document means what its names meant where it was written") {
  const auto bindings = values_of("let pad = 2\nlet tile(m, n) = (m,n):(n+pad,1)\nlet a = tile(4, 8)\nlet b = tile(n=8, m=4)\n");
  CHECK(value_of(bindings, "a") == "(4,8):(10,1)");
  CHECK(value_of(bindings, "b") == "(4,8):(10,1)");
  CHECK(refusal_of("let f(x) = x\nlet a = f(1, 2)\n").message.find("f takes 1 argument") != std::string::npos);
  CHECK(refusal_of("let f(x) = x\nlet a = f(y=2)\n").message == "f has no parameter y");
  CHECK(refusal_of("let f(x, y) = x\nlet a = f(1, x=2)\n").message == "x is given twice to f");
}

TEST_CASE("a function does not use itself") {
  CHECK(refusal_of("let tile(m) = tile(m)\n").message == "tile is used in its own expression");
  CHECK(refusal_of("let a = (a,2)\n").message == "a is used in its own expression");
  CHECK(value_of(values_of("let size_of(a) = a.size()\nlet b = size_of((4,8):(8,1))\n"), "b") == "32");
}

TEST_CASE("functions that call others twice end with the budget of their document") {
  std::string text = "let f0(x) = x\n";
  for (int i = 1; i <= 64; ++i) text += fmt::format("let f{}(x) = f{}(f{}(x))\n", i, i - 1, i - 1);
  const auto begin = std::chrono::steady_clock::now();
  const auto bindings = values_of(text + "let few = f5(7)\nlet many = f60(7)\n");
  CHECK(value_of(bindings, "few") == "7");
  REQUIRE_FALSE(bindings.back().value);
  CHECK(bindings.back().value.error().code == ErrorCode::limit);
  CHECK(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() < 60);
}

TEST_CASE("a parameter has a range, and its value is the lower end where none is written") {
  const auto bindings = values_of("param pad = 0..8\nlet top = 16\nparam rows = 4 in 1..top/2\nlet a = pad + rows\n");
  CHECK(value_of(bindings, "a") == "4");
  CHECK(bindings[0].range == ParameterRange{0, 8});
  CHECK(bindings[2].range == ParameterRange{1, 8});
  CHECK(refusal_of("param pad = 9 in 0..8\n").message == "pad is 9, outside of its range 0..8");
  CHECK(refusal_of("param pad = 8..0\n").message == "the range of pad ends at 0, before it begins at 8");
  const Document bad = parse_document("param pad = 3\n").value();
  REQUIRE(bad.bad_lines.size() == 1);
  CHECK(bad.bad_lines[0].error.message == "the parameter pad has no range");
}

TEST_CASE("an assertion that does not hold is an error of its line") {
  const auto held = values_of("let a = (4,8):(8,1)\nassert size(a) == 32\nassert congruent(a, (2,2))\n");
  for (const EvaluatedBinding& each : held) CHECK(each.value.has_value());
  const Document document = parse_document("let a = (4,8):(8,1)\n\nassert size(a) == 31\n").value();
  const auto bindings = evaluate(document);
  REQUIRE(bindings.size() == 2);
  REQUIRE_FALSE(bindings[1].value);
  CHECK(bindings[1].value.error().code == ErrorCode::breaks_law);
  CHECK(place_of(document.bindings[1]) == "3: assert");
}

TEST_CASE("several names take a value apart, each with a value of its own") {
  const auto bindings = values_of("let a, b = ((4,8):(8,1), 2)\nauto [c, d] = make_tuple(3, 5);\nx, y = (1, 2)\nlet e = (b,d,y)\n");
  CHECK(value_of(bindings, "a") == "(4,8):(8,1)");
  CHECK(value_of(bindings, "e") == "(2,5,2)");
  CHECK(bindings[0].name == "a, b");
  CHECK(find_binding(bindings, "c") == &bindings[1]);
  CHECK(find_binding(bindings, "") == nullptr);
}

TEST_CASE("a binding that hides a function says so") {
  const auto bindings = values_of("let size = 3\nlet a = size\nlet b = cute::size((4,8)) + cute.size((2,2))\n");
  REQUIRE(bindings[0].warnings.size() == 1);
  CHECK(bindings[0].warnings[0].message == "this binding hides the function size");
  CHECK(bindings[1].warnings.empty());
  CHECK(value_of(bindings, "a") == "3");
  CHECK(value_of(bindings, "b") == "36");
}

TEST_CASE("words of a choice are kept as they are written, whatever is bound to their names") {
  const auto bindings = values_of(
      "let bank = 3\nlet sA = (4,8):(8,1)\nlet f16 = 2\nlet smem = 1\nlet f = layout_figure(sA, color=bank)\n"
      "let g = gemm(m=8, n=8, k=4, mma=SM70_8x8x4_F32F16F16F32_NT, type_c=f16, operands=smem)\nlet h = gemm_figure(g, tensor=sA)\n"
      "let word = \"row\"\nlet k = layout_figure(sA, color=word)\n");
  for (const EvaluatedBinding& each : bindings) {
    INFO(each.name << (each.value ? "" : describe(each.value.error())));
    CHECK(each.value.has_value());
  }
  const auto words = [&](std::string_view name) {
    return std::get<std::shared_ptr<const FigureCall>>(find_value(bindings, name)->any)->words;
  };
  CHECK(words("f") == std::vector<std::string>{"bank"});
  CHECK(words("h") == std::vector<std::string>{"sA"});
  CHECK(value_of(bindings, "k").find("color=\"row\"") != std::string::npos);
}

TEST_CASE("what nothing gives a value is guessed in pasted lines, never in our own, and never drawn") {
  const auto bindings = values_of("auto sA = make_layout(make_shape(bM, bK));\nlet n = size(sA)\n");
  CHECK(value_of(bindings, "sA") == "(128,64):(1,128)");
  CHECK(bindings[0].needs == std::vector<std::string>{"bM", "bK"});
  CHECK(bindings[1].needs.size() == 2);
  REQUIRE(bindings[0].warnings.size() == 2);
  CHECK(bindings[0].warnings[0].message == "bM is not given, and taken as 128, which is likely");
  CHECK(refusal_of("let sA = (bM,8)\n").message == "the name bM is not defined");
  const Error figure = refusal_of("auto sA = make_layout(make_shape(bM, 8));\nlet f = layout_figure(sA)\n");
  CHECK(figure.message == "a figure is drawn of values, and bM has none");
  CHECK(figure.missing == "bM");
}

TEST_CASE("a pasted line may bind a name again, one of ours may not") {
  const auto bindings = values_of("x = 4\ny = x\nx = x + 1\nlet z = x\n");
  CHECK(value_of(bindings, "y") == "4");
  CHECK(value_of(bindings, "z") == "5");
  CHECK(value_of(bindings, "x") == "5");
  CHECK(parse_document("x = 4\nlet x = 5\n").value().bad_lines.size() == 1);
}

TEST_CASE("between lines of C++, lines of ours end where they end and divide as they do alone") {
  const auto bindings = values_of(
      "# what's here\nauto x = make_shape(4,\n  8);\nlet a = 512 // 8\ny = cute.size(x)\n"
      "print(y)\n(4,8):(8,1)\nauto z = y;\nauto last = 3;  // end\n");
  CHECK(value_of(bindings, "a") == "64");
  CHECK(value_of(bindings, "y") == "32");
  CHECK(value_of(bindings, "z") == "32");
}
