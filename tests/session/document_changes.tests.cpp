// SPDX-License-Identifier: BSD-3-Clause
// A change evaluates and reads what it can reach, and nothing tells: documents and values are those of reading and evaluating all.
#include <array>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/session/document/session.hpp"
#include "core/lang/document/changes.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

std::string said(const Error& error) {
  std::string text = fmt::format("{} [{}]", describe(error), error.missing);
  if (error.span) text += fmt::format(" {}..{}", error.span->begin, error.span->end);
  if (error.fix) text += fmt::format(" -> {} at {}..{}", error.fix->replacement, error.fix->span.begin, error.fix->span.end);
  return text;
}

// All that is known of a document's values, as text.
std::string values_of(const Session& session) {
  std::string text;
  for (const EvaluatedBinding& each : session.bindings()) {
    text += fmt::format("{} = {}", each.name, each.value ? to_string(*each.value) : said(each.value.error()));
    for (const Error& warning : each.warnings) text += "\n  warns: " + said(warning);
    for (const std::string& name : each.needs) text += "\n  needs: " + name;
    for (const auto& [name, value] : each.parts) text += fmt::format("\n  {} = {}", name, to_string(value));
    if (each.range) text += fmt::format("\n  in {}..{}", each.range->lower, each.range->upper);
    text += '\n';
  }
  return text;
}

std::string span_text(SourceSpan span) { return fmt::format(" {}..{}", span.begin, span.end); }

// What reading made of a text.
std::string reading_of(const Document& document) {
  std::string text;
  for (const Binding& each : document.bindings) {
    const Statement& s = each.statement;
    text += fmt::format("[{}][{}] {} = {}, line {} kind {}", each.leading, each.text, each.name, each.expression, s.line,
                        static_cast<int>(s.kind));
    for (const SourceSpan span : {each.name_at, each.expression_at, each.span, s.expression, s.lower, s.upper, s.span})
      text += span_text(span);
    text += fmt::format(" names {} parameters {}\n", fmt::join(s.names, "|"), fmt::join(s.parameters, "|"));
  }
  return text + fmt::format("[{}] bad {} passed {}", document.trailing, document.bad_lines.size(), document.passed_over.size());
}

void check_law(const Session& session) {
  Session fresh;
  REQUIRE(fresh.open_text(session.text(), "fresh"));
  INFO(session.text());
  REQUIRE(reading_of(session.document()) == reading_of(fresh.document()));
  REQUIRE(values_of(session) == values_of(fresh));
}

const char* const kOurs =
    "# a document of our own lines\n"
    "let n = 4\n"
    "param pad = 1 in 0..8  # elements\n"
    "let rows(k) = (n,k):(k,1)\n"
    "let data = (n,8):(8+pad,1)\n"
    "let a, b = (n, 3)\n"
    "let tv = composition(data, (2,2):(1,2))\n"
    "let size = 3\n"
    "let unknown = missing + n\n"
    "let further = last + 1\n"
    "assert cosize(data) >= n\n"
    "let called = rows(pad + 1)\n"
    "let last = cosize(tv) + a\n";

const char* const kPasted =
    "let n = 4\n"
    "auto bM = Int<128>{};\n"
    "auto sA = make_layout(make_shape(bM, bK));\n"
    "let wide = (n,8):(8,1)\n"
    "int x = n;\n"
    "int& r = x;\n"
    "x += 2;\n"
    "for (int i = 0; i < 4; ++i) { n = i; }\n"
    "let after = n + 1\n"
    "static_assert(size(wide) == 32);\n"
    "let tall = composition(wide, 8:1)\n";

const char* const kPython =
    "let n = 4\n"
    "sA = cute.make_layout((n, 8))\n"
    "let data = (n,8):(8,1)\n"
    "assert n == 4\n"
    "x = n // 2\n"
    "let half = size(data) / 2\n";

const std::array<const char*, 18> kExpressions = {
    "4",        "(4,8):(8,1)", "n + 1",  "size(data)",     "n",      "pad",        "(n,8):(1,n)",  "tv",           "composition(data, 8:1)",
    "(4,8):(8", "1 +",         "4 // 2", "4  # of a kind", "auto x", "\"a word\"", "missing.part", "cute.size(n)", "rows(2)"};

}  // namespace

TEST_CASE("after any changes the values are those of evaluating the whole document") {
  std::mt19937 random(7);
  for (const char* const begin : {kOurs, kPasted, kPython}) {
    for (int round = 0; round < 6; ++round) {
      Session session;
      // Every second person does not wait, and changes more while the last changes are evaluated.
      if (round % 2) session.be_patient(0);
      REQUIRE(session.open_text(begin, "law"));
      for (int step = 0; step < 40; ++step) {
        const auto& bindings = session.document().bindings;
        const std::string name = bindings.empty() ? "n" : bindings[random() % bindings.size()].name;
        const std::string expression = random() % 2 ? kExpressions[random() % kExpressions.size()] : std::to_string(random() % 9);
        switch (random() % 12) {
          case 0: (void)session.run(AddBinding{fmt::format("new{}", step), expression, random() % (bindings.size() + 1)}); break;
          case 1: (void)session.run(RemoveBinding{name}); break;
          case 2: (void)session.run(RenameBinding{name, fmt::format("other{}", step)}); break;
          case 3: (void)session.run(MoveBinding{name, random() % (bindings.size() + 1)}); break;
          case 4: session.undo(); break;
          case 5: session.redo(); break;
          default: (void)session.run(SetBinding{name, expression}, random() % 2 == 0);
        }
        if (round % 2 && step % 3) continue;
        session.settle();
        check_law(session);
      }
    }
  }
}

TEST_CASE("a changed number is taken up without evaluating what does not use it") {
  const std::string text = "let n = 4\nlet other = 5\nlet data = (n,8):(8,1)\nassert size(data) == 8 * n\n";
  const Document before = *parse_document(text);
  const std::optional<Document> now = with_expression(before, 0, "6");
  REQUIRE(now);
  CHECK(reading_of(*now) == reading_of(*parse_document("let n = 6\nlet other = 5\nlet data = (n,8):(8,1)\nassert size(data) == 8 * n\n")));
  const std::optional<std::vector<ChangedValue>> changed = changed_values(before, *now, evaluate(before));
  REQUIRE(changed);
  REQUIRE(changed->size() == 3);
  CHECK((*changed)[0].binding == 0);
  CHECK((*changed)[1].binding == 2);
  CHECK(to_string(*(*changed)[1].value) == "(6,8):(8,1)");
  CHECK((*changed)[2].binding == 3);
}

TEST_CASE("a pasted name that is bound twice means its last value") {
  Session session;
  REQUIRE(session.open_text("x = 2\nx = 5\nlet k = 4\nlet y = x + k\n", "twice"));
  REQUIRE(session.run(SetBinding{"k", "6"}));
  CHECK(to_string(*session.find("y")->value) == "11");
  check_law(session);
}

TEST_CASE("what could reach beyond its line is read again as a whole") {
  const Document document = *parse_document("let n = 4\nlet m = 5 // 2\nlet k = 6\n");
  for (const char* const text : {"(4", "4)", "4 // 2", "4 /* 3", "\"4", "4; let x = 3", "4 # 3", "4\nlet x = 3", "cute.size", ""}) {
    INFO(text);
    CHECK_FALSE(with_expression(document, 0, text));
  }
  CHECK_FALSE(with_expression(document, 1, "7"));  // what `//` is there depends on what stands before it
  CHECK(with_expression(document, 2, "7"));
}
