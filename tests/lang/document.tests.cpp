// SPDX-License-Identifier: BSD-3-Clause
// Documents keep their text, and an error in one binding stops no other.
#include "core/lang/document/document.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/gemm/lower/lower.hpp"
#include "core/gemm/plan/gemm_plan.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/source_dir.hpp"

using namespace tessera;

namespace {

Document parsed(std::string_view text) {
  Result<Document> document = parse_document(text);
  if (!document) FAIL(describe(document.error(), text));
  return *document;
}

// What is wrong with the only bad line.
std::string error_of(std::string_view text) {
  const Document document = parsed(text);
  CHECK(to_text(document) == text);
  REQUIRE(document.bad_lines.size() == 1);
  const Error& error = document.bad_lines.front().error;
  REQUIRE(error.span);
  CHECK(error.span->begin <= text.size());
  return error.message;
}

}  // namespace

TEST_CASE("a document keeps every byte of its text") {
  for (const std::string_view text :
       {"", "\n\n", "# only a comment", "let a = 8", "let a = 8\n", "let a=8 # why\nlet b =  (4,8):(8,1)\n\n# end\n",
        "let a = coalesce(\n  (2,4),  # inside\n  1)\nlet b = a\n", "\xEF\xBB\xBFlet a = 8\r\nlet b = 4\r\n", "let empty =\nlet b = 4",
        "let open = ((4,8):(8,1)\nlet b = 4\n", "let text = \"# no comment ( \"\nlet b = 4\n"}) {
    INFO(text);
    CHECK(to_text(parsed(text)) == text);
  }
}

TEST_CASE("expressions end with their line or with their brackets") {
  const Document document = parsed("let a = 8 # eight\nlet b = (4,\n  8)\n\nlet c = 2\n");
  REQUIRE(document.bindings.size() == 3);
  CHECK(document.bindings[0].expression == "8");
  CHECK(document.bindings[1].leading == " # eight\n");
  CHECK(document.bindings[1].expression == "(4,\n  8)");
  CHECK(document.bindings[2].name == "c");
}

TEST_CASE("an open bracket spoils one binding only") {
  const Document document = parsed("let a = ((4,8)\nlet b = 4\n");
  const std::vector<EvaluatedBinding> values = evaluate(document);
  REQUIRE(values.size() == 2);
  CHECK_FALSE(values[0].value);
  REQUIRE(values[1].value);
  CHECK(to_string(*values[1].value) == "4");
}

TEST_CASE("a line that cannot be read is marked with its place and kept in the text") {
  CHECK(error_of("a is 4").find("neither a binding nor a comment") != std::string::npos);
  CHECK(error_of("let sA").find("'=' is missing") != std::string::npos);
  CHECK(error_of("let 4 = 4").find("cannot be a name") != std::string::npos);
  CHECK(error_of("let o = 4").find("cannot be a name") != std::string::npos);
  CHECK(error_of("let a = 4\nlet a = 5\n").find("bound twice: it means what line 1 says") != std::string::npos);
}

TEST_CASE("a bad line anywhere leaves every other binding its name, its expression and its value, and the text its bytes") {
  const std::vector<std::string> good = {"# first\nlet a = (4,8):(8,1)\n", "let b = (2,\n  4)  # two lines\n",
                                         "\n# last\nlet c = size(a)\n"};
  for (const std::string bad :
       {"a is 4", "let sA", "let 4 = (4,\n 8)", "let a = 16:1", "(4,8):(8,1", "\"open", "let\ta = 4", "foo(bar", "param pad = 3"}) {
    for (std::size_t at = 0; at <= good.size(); ++at) {
      std::string text = "# head\n";
      for (std::size_t i = 0; i < good.size(); ++i) text += (i == at ? bad + "\n" : "") + good[i];
      if (at == good.size()) text += bad;
      const bool twin_first = at == 0 && (bad == "let a = 16:1" || bad == "let\ta = 4");  // then the other line is the second
      INFO(text);
      const Document document = parsed(text);
      CHECK(to_text(document) == text);
      REQUIRE(document.bad_lines.size() == 1);
      const BadLine& line = document.bad_lines.front();
      CHECK(line.line ==
            1u + static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(line.span.begin), '\n')));
      if (twin_first) continue;
      CHECK(line.before == at);
      CHECK(text.substr(line.span.begin, line.span.end - line.span.begin) == bad);
      const std::vector<EvaluatedBinding> values = evaluate(document);
      REQUIRE(values.size() == 3);
      for (const EvaluatedBinding& value : values) CHECK(value.value);
      CHECK(to_string(*values[0].value) == "(4,8):(8,1)");
      CHECK(to_string(*values[1].value) == "(2,4)");
      CHECK(to_string(*values[2].value) == "32");
    }
  }
}

TEST_CASE("a text of which hardly a line can be read is no document") {
  std::string text;
  for (std::size_t i = 0; i < kMostBadLines; ++i) text += "some prose\n";
  CHECK(parsed(text).bad_lines.size() == kMostBadLines);
  const Result<Document> refused = parse_document(text + "more prose\n");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find("line 1: ") != std::string::npos);
}

TEST_CASE("an error in one binding reaches the bindings that use it, and no others") {
  const std::vector<EvaluatedBinding> values =
      evaluate(parsed("let a = (4,0):(1,4)\nlet b = coalesce(a)\nlet c = coalesce(aa)\nlet d = 8\n"));
  REQUIRE(values.size() == 4);
  CHECK(values[0].value.error().code == ErrorCode::bad_extent);
  CHECK(values[1].value.error().message.find("a has no value") != std::string::npos);
  REQUIRE_FALSE(values[2].value.error().notes.empty());
  CHECK(values[2].value.error().notes[0].find("did you mean a") != std::string::npos);
  CHECK(values[3].value.has_value());
}

TEST_CASE("a GEMM is called as its binding is") {
  const std::vector<EvaluatedBinding> values = evaluate(parsed("let mine = gemm(m=8, n=8, k=4, mma=SM70_8x8x4_F32F16F16F32_NT)\n"));
  REQUIRE(values[0].value);
  CHECK(std::get<std::shared_ptr<const GemmSpec>>(values[0].value->any)->name == "mine");
}

TEST_CASE("the tour evaluates, and its partitions and plans are those of the article") {
  std::ifstream stream(test::source_dir() + "/assets/presets/tour.tess");
  std::stringstream text;
  text << stream.rdbuf();
  const Document document = parsed(text.str());
  CHECK(to_text(document) == text.str());
  std::map<std::string, Value> values;
  for (const EvaluatedBinding& each : evaluate(document)) {
    INFO(each.name);
    if (!each.value) FAIL(describe(each.value.error()));
    values.emplace(each.name, *each.value);
  }
  CHECK(to_string(values.at("tCsA")) == "((4,4,4):(17,272,4),0)");
  CHECK(to_string(values.at("tCsB")) == "((4,(2,3),4):(1,(16,512),128),0)");
  for (const std::string name : {"article_gemm", "tensor_gemm"}) {
    const Result<GemmPlan> plan = lower(*std::get<std::shared_ptr<const GemmSpec>>(values.at(name).any));
    INFO(name);
    if (!plan) FAIL(describe(plan.error()));
    CHECK(plan->name == name);
  }
}
