// SPDX-License-Identifier: BSD-3-Clause
// A rubric is read, held to its own words, and refused by line and column.
#include "core/lesson/rubric/rubric.hpp"

#include <string>

#include "tests/lesson/asks.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;
using namespace tessera::lesson;
using tessera::lesson::testing::OneAsk;

namespace {

// A lesson with a question that draws and one that does not.
Result<OpenLesson> lesson(const std::string&) {
  return OneAsk::open(
      "---\nnumber: 1\ntitle: A\ngoal: B\nminutes: 1\n---\n```ask one\nkind: integer\ndraw: n in 2..90\nprompt: {{n}} + 1?\nanswer: n + 1\n"
      "wrong: n -> One more.\n```\n```vary\nparam: s in 1..3\nshow: (4,2):(1,s)\n```\n```ask two\nkind: integer\nprompt: ?\nanswer: "
      "2\n```\n");
}

std::string refusal(const std::string& text) {
  const Result<OpenRubric> made = OpenRubric::open(text, lesson);
  return made ? "" : made.error().message;
}

}  // namespace

TEST_CASE("a rubric says what questions and bindings are worth, however it is indented") {
  const Result<Rubric> made = read_rubric(
      "# of week 3\ntitle: Week: 3\ntries: best\n\nlesson: 06_tv\n  whose: 2 points\npractice: 1.5 points, 4 seeds, hint 25%, some 1/2\n"
      "document:\n let a = (2,3):(3,1)\n A: 1 point\n   same as: a\n   accept 0.5: size(it) == 6\n   accept: rank(it) == 2\r\n");
  REQUIRE(made);
  CHECK(made->title == "Week: 3");
  CHECK(made->tries == Tries::best);
  CHECK(made->points() == 450);
  REQUIRE(made->items.size() == 3);
  CHECK(made->items[0].seeds == 1);
  CHECK_FALSE(made->items[0].some);
  CHECK(made->items[1].name == "practice");
  CHECK(made->items[1].points == 150);
  CHECK(made->items[1].seeds == 4);
  CHECK(made->items[1].hint.value() == 0.25);
  CHECK(made->items[1].some->value() == 0.5);
  CHECK(made->items[2].is_binding);
  REQUIRE(made->items[2].all.size() == 2);
  CHECK(made->items[2].all[0].same);
  CHECK(made->items[2].all[1].text.text == "rank(it) == 2");
  REQUIRE(made->items[2].part.size() == 1);
  CHECK(made->items[2].part[0].share.value() == 0.5);
  CHECK(read_rubric("lesson: a\nb: 1 point")->tries == Tries::last);
}

TEST_CASE("what a rubric cannot mean is refused by line and column") {
  CHECK(refusal("") == "this rubric gives no points");
  CHECK(refusal("whose: 2 points") == "line 1, column 1: of which lesson is whose?");
  CHECK(refusal("lesson: a\n  one: two points") == "line 2, column 8: \"two points\" gives no points");
  CHECK(refusal("lesson: a\none: -1 points") == "line 2, column 6: a line has 0 to 10000 points, and this one -1");
  CHECK(refusal("lesson: a\none 2 points") == "line 2, column 1: a ':' is missing");
  CHECK(refusal("lesson: a\none: 1 point, 0 seeds") == "line 2, column 15: a question wants 1 to 1000 seeds, and this is \"0\"");
  CHECK(refusal("lesson: a\none: 1 point, hint 3/2") == "line 2, column 20: \"3/2\" is no share of the points");
  CHECK(refusal("lesson: a\none: 1 point, hints 1/2") == "line 2, column 15: \"hints 1/2\" says nothing of a question");
  CHECK(refusal("lesson: a\none: 1 point, seeds 3..1") == "line 2, column 21: \"3..1\" names no seeds");
  CHECK(refusal("lesson: a\none: 1 point, seeds 0..1000") == "line 2, column 21: \"0..1000\" names no seeds");
  CHECK(refusal("lesson: a\none: 1 point\none: 2 points") == "line 3, column 1: one stands here a second time");
  CHECK(refusal("lesson: a\none: 1 point\naccept: it == 1") == "line 3, column 1: accept is of a binding");
  CHECK(refusal("lesson: a\none: 1 point\nlesson: b\none: 1 point") ==
        "line 3, column 9: this is lesson 1, and so is another one of the rubric");
  CHECK(refusal("lesson: a\nthree: 1 point") == "line 2, column 1: the lesson has no question three");
  CHECK(refusal("lesson: a\nvary 1: 1 point") == "line 2, column 1: vary 1 of the lesson asks nothing: it has no truth");
  CHECK(refusal("lesson: a\nvary 2: 1 point") == "line 2, column 1: the lesson has no vary 2: it has 1");
  CHECK(refusal("lesson: a\ntwo: 1 point, 3 seeds") ==
        "line 2, column 1: two draws nothing: each seed asks the same, so one is all that can be wanted");
  CHECK(refusal("document:\nA: 1 point") == "line 2, column 1: nothing says when A is right");
  CHECK(refusal("document:\nA: 1 point\naccept 1/2: it == 1") == "line 2, column 1: nothing says when A is right");
  CHECK(refusal("document: x\nA: 1 point") == "line 1, column 11: nothing stands behind document:");
  CHECK(refusal("tries: all\nlesson: a\none: 1 point").find("line 1, column 8: of several tries") == 0);
  CHECK(refusal("lesson: a\nlet b = 2\none: 1 point").find("line 2, column 1: a name is for") == 0);
}

TEST_CASE("a rubric is held to its own words before anybody is graded") {
  CHECK(refusal("document:\nA: 1 point\n  same as: (2,x):(1,2)") == "line 3, column 15: the name x is not defined");
  CHECK(refusal("document:\n let b = c\nA: 1 point\n  same as: b").find("line 2, column 10: ") == 0);
  CHECK(refusal("document:\nA: 1 point\n  accept: size(it) == spare").find("line 3, column 23: the name spare is not defined") == 0);
  CHECK(refusal("document:\nA: 1 point\n  accept: size(it") != "");
  CHECK(refusal("document:\nA: 1 point\n  same as: 4:1\n  accept: size(it) == 5") ==
        "line 4, column 11: the value that A is to be the same as does not meet this");
  CHECK(refusal("document:\nlet f(x) = x\nA: 1 point\n  same as: f") == "line 4, column 12: a function cannot be compared with");
  CHECK(refusal("document:\nA: 1 point\n  same as: 4:1\n  accept: size(it) == 4\n  accept 1/2: size(it) == 5") == "");
}
