// SPDX-License-Identifier: BSD-3-Clause
// A lesson's text is read into parts with their places, and what is wrong with it is said by line and column.
#include "core/lesson/read.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tests/support/catch.hpp"

using namespace tessera;
using namespace tessera::lesson;

namespace {

const std::string kHead = "---\nnumber: 6\ntitle: Who\ngoal: You know.\nminutes: 12\nneeds: 2, 3\nconfusions: 1\n---\n";

std::string ask(const std::string& lines) { return kHead + "```ask one\n" + lines + "```\n"; }

std::string refusal(const std::string& text) {
  const Result<Lesson> read = read_lesson(text);
  if (read) return "";
  std::string words = read.error().message;
  for (const std::string& note : read.error().notes) words += " | " + note;
  return words;
}

bool says(const std::string& text, std::string_view part) {
  const std::string words = refusal(text);
  INFO(words);
  return words.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a lesson is its head and its parts, in their order") {
  const std::string text =
      kHead +
      "# Words\nwith {{1 + 1}}\n\n```tess\nlet a = 4\n```\n```figure\n  layout_figure(a)\n```\n"
      "```vary\nparam: s in (1,2)\nshow: layout_figure((4,s))\n```\n```ask first\nkind: integer\ndraw: t in 0..7\n"
      "# a comment\nlet: x = t\nlet: y = x\nprompt: What is\n  it?\nanswer: y\nwrong 2: y + 1 -> No, \"->\" is {{y}}.\n"
      "wrong: 0 -> Neither.\ngates: no\n```\n```cpp\nint x;\n```\n```run\ngemm(m=8)\n```\n";
  const Result<Lesson> read = read_lesson(text);
  REQUIRE(read);
  CHECK(read->head.number == 6);
  CHECK(read->head.title == "Who");
  CHECK(read->head.needs == std::vector<std::int64_t>{2, 3});
  REQUIRE(read->parts.size() == 7);
  CHECK(std::get<Prose>(read->parts[0]).markdown.text == "# Words\nwith {{1 + 1}}\n\n");
  CHECK(std::get<Bind>(read->parts[1]).tess.text == "let a = 4\n");
  CHECK(std::get<Figure>(read->parts[2]).expression.text == "layout_figure(a)");
  CHECK(std::get<Vary>(read->parts[3]).show.text == "layout_figure((4,s))");
  const Ask& asked = std::get<Ask>(read->parts[4]);
  CHECK(asked.id == "first");
  CHECK(asked.kind.text == "integer");
  CHECK(asked.let.size() == 2);
  CHECK(asked.prompt.text == "What is\n  it?");
  REQUIRE(asked.wrong.size() == 2);
  CHECK(asked.wrong[0].expression.text == "y + 1");
  CHECK(asked.wrong[0].hint.text == "No, \"->\" is {{y}}.");
  CHECK(asked.wrong[0].confusion == 2);
  CHECK(asked.wrong[1].confusion == 0);
  CHECK_FALSE(asked.gates);
  CHECK(std::get<Prose>(read->parts[5]).markdown.text == "```cpp\nint x;\n```\n");  // of another language: words
  CHECK(std::get<Run>(read->parts[6]).gemm.text == "gemm(m=8)");
}

TEST_CASE("every piece stands in the lesson's text where it says") {
  const std::string text = ask("kind: integer\r\nprompt: What?\nanswer:   1 + 1  \nwrong: 3 -> No.\n");
  const Result<Lesson> read = read_lesson(text);
  REQUIRE(read);
  const Ask& asked = std::get<Ask>(read->parts[0]);
  for (const Written& piece : {asked.kind, asked.prompt, asked.answer, asked.wrong[0].expression, asked.wrong[0].hint})
    CHECK(text.substr(piece.at, piece.text.size()) == piece.text);
  CHECK(asked.kind.text == "integer");
  CHECK(asked.answer.text == "1 + 1");
}

TEST_CASE("what is wrong with a lesson is said by line and column, with what to try") {
  CHECK(says("# Words\n", "line 1, column 1: a lesson begins with its head"));
  CHECK(says("---\nnumber: 6\n", "line 1, column 1: the head is not closed"));
  CHECK(says("---\nnumber: 6\ntitle: A\ngoal: B\n---\n", "the head has no minutes"));
  CHECK(says("---\nnumber: six\n---\n", "line 2, column 9: number is a number, at least 1, and this is \"six\""));
  CHECK(says("---\ntitel: A\n---\n", "line 2, column 1: the head of a lesson has no key \"titel\" | did you mean title?"));
  CHECK(says("---\nneeds: 2; 3\n---\n", "needs are numbers with commas between them"));
  CHECK(says(kHead + "```tess\nlet a = 4\n", "line 9, column 1: this fence is not closed"));
  CHECK(says(kHead + "```figur\n```\n", "line 9, column 1: a lesson has no fence \"figur\" | did you mean figure?"));
  CHECK(says(kHead + "```tess\n\n```\n", "this tess is empty"));
  CHECK(says(kHead + "```ask\nkind: integer\n```\n", "a question has a name"));
  CHECK(says(kHead + "```ask a b\nkind: integer\n```\n", "\"a b\" is no name of a question"));
}

TEST_CASE("a key that no question has is refused with the nearest one") {
  CHECK(says(ask("kind: integer\npromt: What?\nanswer: 1\n"), "line 11, column 1: a question has no key \"promt\" | did you mean prompt?"));
  CHECK(says(ask("kind integer\n"), "a ':' is missing behind kind"));
  CHECK(says(ask("kind: integer\nkind: integer\n"), "kind stands here a second time"));
  CHECK(says(ask("kind: integer\nprompt: What?\n"), "the question one has no answer"));
  CHECK(says(ask("kind:\nprompt: What?\nanswer: 1\n"), "nothing stands behind kind"));
  CHECK(says(ask("kind: integer\nprompt: What?\nanswer: 1\nwrong: 2\n"), "line 13, column 8: a wrong answer has no hint"));
  CHECK(says(ask("kind: integer\nprompt: What?\nanswer: 1\nwrong two: 2 -> No\n"), "\"two\" behind wrong is no number of a confusion"));
  CHECK(says(ask("kind: integer\nprompt: What?\nanswer: 1\ngates: maybe\n"), "gates is yes or no"));
  CHECK(says(ask("  kind: integer\n"), "this line goes on with the one above it"));
  const std::string one = "```ask one\nkind: integer\nprompt: What?\nanswer: 1\n```\n";
  CHECK(says(kHead + one + one, "there is a question one above"));
}

TEST_CASE("a fence of tildes is one, too, and each ends where its own sign does") {
  const Result<Lesson> read = read_lesson(kHead + "~~~~tess\nlet a = 1\n~~~\n```\n~~~~\nWords\n");
  REQUIRE(read);
  REQUIRE(read->parts.size() == 2);
  CHECK(std::get<Bind>(read->parts[0]).tess.text == "let a = 1\n~~~\n```\n");
}

TEST_CASE("a lesson that is too long is refused before it is read") {
  CHECK(says(kHead + std::string(kLargestLesson, 'x'), "a lesson has at most"));
}
