// SPDX-License-Identifier: BSD-3-Clause
// What names can make of a short text: values, documents and refusals stay within the budget of their request.
#include "core/lang/values/value_size.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/lang/document/document.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

double seconds_of(const auto& f) {
  const auto begin = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// let a0 = FIRST, let a1 = NEXT with {0} for a0, ...
std::vector<EvaluatedBinding> chain(std::string_view first, std::string_view next, int length) {
  std::string text = fmt::format("let a0 = {}\n", first);
  for (int i = 1; i < length; ++i) text += fmt::format("let a{} = {}\n", i, fmt::format(fmt::runtime(next), fmt::format("a{}", i - 1)));
  return evaluate(parse_document(text).value());
}

}  // namespace

TEST_CASE("Leaves are counted as they are printed, and no further than asked") {
  CHECK(leaf_count(evaluate("((4,2),8):((1,4),8)").value()) == 3);
  CHECK(leaf_count(evaluate("(1,(2,3),_)").value()) == 4);
  CHECK(leaf_count(evaluate("(1,(2,3),_)").value(), 2) == 3);
  CHECK(leaf_count(evaluate("tv_figure((2,2):(1,2), (4,8))").value()) == 4);
}

TEST_CASE("Values that double from line to line are refused before they fill the memory") {
  const auto [first, next] = GENERATE(table<std::string, std::string>({{"(1,1)", "({0},{0})"},
                                                                       {"(1,1):(0,0)", "make_layout({0},{0})"},
                                                                       {"make_tile(1:0,2:1)", "make_tile({0},{0})"},
                                                                       {"(1,1)", "make_shape({0},{0})"},
                                                                       {"(1,1)", "tv_figure({0},{0})"},
                                                                       {"(1,1)", "append({0},{0})"},
                                                                       {"(1,1)", "zip(({0},{0}))"},
                                                                       {"(1,1):(0,0)", "logical_product({0},{0})"}}));
  std::vector<EvaluatedBinding> done;
  CHECK(seconds_of([&, n = next, f = first] { done = chain(f, n, 50); }) < 60);
  std::size_t refused = 0;
  for (const EvaluatedBinding& binding : done) {
    if (binding.value) {
      CHECK(leaf_count(*binding.value) <= kMostLeaves);
    } else if (refused++ == 0) {
      CHECK(binding.value.error().code == ErrorCode::limit);
    }
  }
  CHECK(refused > 0);
}

TEST_CASE("A list of many large values is refused without walking them all") {
  std::string many = "(";
  for (int i = 0; i < 100000; ++i) many += "a16,";
  many.back() = ')';
  std::vector<EvaluatedBinding> done;
  const auto evaluated = [&](std::string_view last) {
    std::string text = "let a0 = (1,1)\n";
    for (int i = 1; i < 17; ++i) text += fmt::format("let a{} = (a{},a{})\n", i, i - 1, i - 1);
    done = evaluate(parse_document(text + fmt::format("let x = {}{}\n", last, many)).value());
  };
  for (const std::string_view f : {"", "make_shape", "append", "make_layout"}) {
    CHECK(seconds_of([&] { evaluated(f); }) < 60);
    CHECK_FALSE(done.back().value.has_value());
  }
}

TEST_CASE("A document has one budget: what some bindings use up is missing to the others") {
  std::string text;
  for (int i = 0; i < 40; ++i) text += fmt::format("let a{} = is_injective((1024,1024):(1024,{}))\n", i, i + 1);
  const std::vector<EvaluatedBinding> done = evaluate(parse_document(text).value());
  CHECK(done.front().value.has_value());
  CHECK(done.back().value.error().code == ErrorCode::limit);
  CHECK(done.back().value.error().message.find("of which 16777216 are used") != std::string::npos);
}

TEST_CASE("A document's deadline ends its bindings, each with a word") {
  const Budget budget({.seconds = 0});
  for (const EvaluatedBinding& binding : evaluate(parse_document("let a = 1\nlet b = size((4,8))\n").value())) {
    REQUIRE_FALSE(binding.value.has_value());
    CHECK(binding.value.error().message.find("was stopped after 0 s") != std::string::npos);
  }
}

TEST_CASE("Documents of many bindings and many unknown names are read in a time that grows with their length") {
  std::vector<EvaluatedBinding> done;
  const auto seconds_for = [&](int bindings, const char* line) {
    std::string text;
    for (int i = 0; i < bindings; ++i) text += fmt::format(fmt::runtime(line), i, i + 7);
    return seconds_of([&] { done = evaluate(parse_document(text).value()); });
  };
  constexpr int kFew = 1000, kMany = 20000;
  for (const char* line : {"let a{} = (4,8):(8,1)\n", "let name_{} = another_{}\n"}) {
    const double few = std::max(seconds_for(kFew, line), 1e-4), many = seconds_for(kMany, line);
    INFO(line << ": " << few << " s and " << many << " s");
    CHECK(many < 5 * (kMany / kFew) * few);  // were it by pairs, 20 times as many would take 400 times as long
    CHECK(done.size() == kMany);
    CHECK(done.back().value.has_value() == (line[4] == 'a'));
  }
}

TEST_CASE("A document of more bindings than any budget holds is refused when it is read") {
  std::string text;
  for (int i = 0; i < 300000; ++i) text += fmt::format("let a{}=1\n", i);
  const Result<Document> document = parse_document(text);
  REQUIRE_FALSE(document.has_value());
  CHECK(document.error().message == "a document has at most 262144 bindings");
}

TEST_CASE("Near names are still suggested in a large document") {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += fmt::format("let a{} = 1\n", i);
  const auto done = evaluate(parse_document(text + "let data = 1\nlet x = dsta\n").value());
  REQUIRE(done.back().value.error().notes.size() == 1);
  CHECK(done.back().value.error().notes[0].find("data") != std::string::npos);
}

TEST_CASE("A refusal quotes a long value without its middle") {
  std::string ones = "(1";
  for (int i = 0; i < 100000; ++i) ones += ",1";
  const Result<Value> made = evaluate("composition(" + ones + "), Sw<1,0,2>, 3, 4)");
  REQUIRE_FALSE(made.has_value());
  const Result<Value> sized = evaluate("get(" + ones + "), 100001)");
  REQUIRE_FALSE(sized.has_value());
  CHECK(sized.error().message.size() < 5000);
  CHECK(sized.error().message.find(" bytes ... ") != std::string::npos);
}
