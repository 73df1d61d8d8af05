// SPDX-License-Identifier: BSD-3-Clause
// What is offered while a word is typed, which call it stands in, what words of a text are, and what a typed line asks for.
#include "app/session/actions/completion.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/actions/syntax.hpp"
#include "app/session/actions/typed_line.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

const char* const kText =
    "let data = (4,8):(8,1)\nlet tv = ((2,4),(2,2)):((8,1),(4,16))\nlet tile(m, n) = (m,n):(n,1)\nlet owners = tv_figure(tv, data)\n";

Session opened() {
  Session session;
  REQUIRE(session.open_text(kText, "test"));
  return session;
}

// The cursor stands at the bar.
CompletionList at_bar(const Session& session, std::string text) {
  const std::size_t bar = text.find('|');
  text.erase(bar, 1);
  return completions_at(session, text, bar);
}

std::string first(const CompletionList& list) { return list.found.empty() ? std::string() : list.found.front().word; }

bool offers(const CompletionList& list, std::string_view word) {
  return std::any_of(list.found.begin(), list.found.end(), [&](const Completion& each) { return each.word == word; });
}

std::string parameter(const Session& session, std::string text) {
  const std::size_t bar = text.find('|');
  text.erase(bar, 1);
  const auto help = signature_at(session, text, bar);
  return help ? help->signature.substr(help->begin, help->end - help->begin) : "no call";
}

std::string roles(std::string_view line, bool in_comment = false) {
  std::string text;
  for (const ColoredWord& word : colored_words(line, in_comment)) {
    constexpr std::string_view kLetters = "cknsfaxb.";  // in the order of WordRole
    text += kLetters[static_cast<std::size_t>(word.role)];
  }
  return text + (in_comment ? "/" : "");
}

}  // namespace

TEST_CASE("a word goes on as a name of the document, a function, an atom or a parameter of its call") {
  const Session session = opened();
  CHECK(first(at_bar(session, "let x = dat|")) == "data");
  CHECK(first(at_bar(session, "let x = composi|")) == "composition(");
  CHECK(first(at_bar(session, "let x = tile|")) == "tile(");
  CHECK(offers(at_bar(session, "let x = SM80_16x8x16_F32F16|"), "SM80_16x8x16_F32F16F16F32_TN"));
  CHECK(first(at_bar(session, "let x = tv_figure(tv, thr|")) == "thread=");
  CHECK(first(at_bar(session, "let x = gemm(m=1, stag|")) == "stages=");
  CHECK(first(at_bar(session, "let x = make_layout(8, str|")) == "stride=");
  // A value is no place for a parameter's name, and neither is another call.
  CHECK_FALSE(offers(at_bar(session, "let x = tv_figure(tv, title=thr|"), "thread="));
  CHECK_FALSE(offers(at_bar(session, "let x = tv_figure(coalesce(thr|"), "thread="));
}

TEST_CASE("nothing is offered in comments and strings, for numbers, and where a name is given") {
  const Session session = opened();
  for (const char* text : {"# dat|", "let x = data # dat|", "let dat|", "param dat|", "let x = \"dat|\"", "let x = 12|", "/* dat| */"}) {
    INFO(text);
    CHECK(at_bar(session, text).found.empty());
  }
  CHECK_FALSE(offers(at_bar(session, "let owners = own|"), "owners"));  // itself
  CHECK(offers(at_bar(session, "let other = own|"), "owners"));
}

TEST_CASE("the signature's parameter at the cursor is found by number and by name, across nested calls and lines") {
  const Session session = opened();
  CHECK(parameter(session, "let x = composition(|") == "a");
  CHECK(parameter(session, "let x = composition(data, |") == "b");
  CHECK(parameter(session, "let x = composition(data,\n  inner=|") == "inner=");
  CHECK(parameter(session, "let x = composition(coalesce(data), |") == "b");
  CHECK(parameter(session, "let x = composition((4,8):(1,|") == "a");
  CHECK(parameter(session, "let x = tile(4, |") == "n");
  CHECK(parameter(session, "let x = (4,|") == "no call");
  CHECK(parameter(session, "let x = composition(data, 4:1)|") == "no call");
  CHECK(parameter(session, "let x = composition(data,\nlet y = 4|") == "no call");  // it has begun another line
}

TEST_CASE("words of a line have their roles, also in text that no parser takes") {
  CHECK(roles("let data = (4,8):(8,1)  # row-major") == "kb..n.n...n.n.c");
  CHECK(roles("let x = coalesce(data)") == "kb.f.x.");
  CHECK(roles("SM80_16x8x16_F32F16F16F32_TN") == "a");
  CHECK(roles("print(\"a # b\")") == "k.s.");
  CHECK(roles("let x = 256 // 8") == "kb.n..n");
  CHECK(roles("4:1 /* open") == "n.nc/");
  CHECK(roles("still */ 4", true) == "cn");
  CHECK(roles("((( \xff \"open") == "....s");
  CHECK(lines_in_comment("a /*\nb\nc */\nd", {0, 5, 7, 12}) == std::vector<bool>{false, true, true, false});
}

TEST_CASE("a typed line is a binding with its name, or text to be pasted, or refused for what is wrong with it") {
  const Session session = opened();
  const auto read = [&](std::string_view text) { return read_typed_line(session, text).value(); };
  for (const char* text : {"x = 4:1", "let x = 4:1", "  x=4:1 "}) {
    CHECK(read(text).action == "binding.add");
    CHECK(read(text).arguments == Arguments{{"name", "x"}, {"expression", "4:1"}});
  }
  CHECK(read("(4,8):(8,1)").action == "text.paste");
  CHECK(read("auto x = make_layout(Int<4>{});").action == "text.paste");
  CHECK(read("let f(m) = (m,2):(2,1)").action == "text.paste");
  CHECK(read("x = foo(data)").action == "binding.add");  // it shows its error in its row
  const auto refused = read_typed_line(session, "coalsce(data");
  REQUIRE_FALSE(refused);
  CHECK(read_typed_line(session, "data = 4:1").error().code == ErrorCode::already_exists);
}
