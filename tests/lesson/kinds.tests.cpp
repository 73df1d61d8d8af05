// SPDX-License-Identifier: BSD-3-Clause
// Each kind of answer: what is right, what is wrong and where it parts first, how leniently it is read, and which hint it meets.
#include "core/lesson/kinds.hpp"

#include <string>
#include <vector>

#include "tests/lesson/asks.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;
using namespace tessera::lesson;
using tessera::lesson::testing::OneAsk;

namespace {

const std::string kTv = "let tv = ((2,4),(2,2)):((8,1),(4,16))";

// Where the answer parts from the right one; "" where it is right.
std::string parts(const OneAsk& one, const std::string& answer) {
  const Grade grade = one.grade(answer);
  CHECK(grade.right == grade.difference.empty());
  return grade.difference;
}

}  // namespace

TEST_CASE("an integer is a number or what gives one") {
  const OneAsk one("kind: integer\nprompt: What?\nanswer: tv(5,2)\nwrong 1: tv(2,5) -> Thread {{5}} comes first.", kTv);
  for (const char* answer : {"26", " 26 ", "(26)", "_26", "1*8 + 2*1 + 0*4 + 1*16", "26;", "26.", "= 26"}) CHECK(one.right(answer));
  for (const char* answer : {"26%", "26 %", "26 %.", "lane 26", "Lane: 26", "thread 26", "thr = 26", "T26", "t 26", "it is T26."}) {
    INFO(answer);
    CHECK(one.right(answer));
  }
  CHECK(one.right("56 % 30"));  // a remainder
  CHECK(parts(one, "25") == "25 is not it");
  CHECK(parts(one, "25%") == "25 is not it");
  CHECK(parts(one, "T25") == "25 is not it");
  CHECK(parts(one, "27 - 2") == "25 is not it");
  const Grade grade = one.grade("24");
  CHECK(grade.hint.empty());
  const Grade known = one.grade(to_string(one.question().wrong[0]));
  CHECK(known.hint == "Thread 5 comes first.");
  CHECK(known.wrong == 1);
  CHECK(known.confusion == 1);
  for (const char* answer : {"", "26 26", "twenty", "(4,8):(8,1)", "26 +", "V26", "T26 V0", "%", "lane", "26%%", "%26"}) {
    INFO(answer);
    CHECK_FALSE(one.grade(answer).read);
  }
}

TEST_CASE("integers stand side by side, with anything between them") {
  const OneAsk one("kind: integers\nprompt: What?\nanswer: (22,26,24)\nwrong: (26,26,26) -> Once only.");
  for (const char* answer : {"22 26 24", "(22,26,24)", "22, 26, 24", "22;26;24", "[22 26 24]", "(20 + 2, 26, 24)"})
    CHECK(one.right(answer));
  CHECK(parts(one, "22 24 26") == "the second number is not 24");
  CHECK(parts(one, "22 26") == "3 numbers are wanted, and there are 2");
  CHECK(one.grade("26 26 26").hint == "Once only.");
  CHECK_FALSE(one.grade("22 twenty 24").read);
}

TEST_CASE("a coordinate lies in its shape and has as many numbers") {
  const OneAsk one("kind: coordinate of (4,8)\nprompt: What?\nanswer: idx2crd(26, (4,8))\nwrong 2: (26 / 8, 26 % 8) -> Down the columns.");
  for (const char* answer : {"(2,6)", "2,6", "2 6", "( 2 , 6 )", "row 2, column 6", "column 6 row 2", "idx2crd(26, (4,8))"})
    CHECK(one.right(answer));
  CHECK(parts(one, "(3,6)") == "(3,6) is not it");
  CHECK(one.grade("3 2").hint == "Down the columns.");
  CHECK(parts(one, "26") == "a coordinate of (4,8) has 2 numbers, and this one 1");
  CHECK(parts(one, "(6,2)") == "(6,2) lies outside of (4,8)");
  const OneAsk nested("kind: coordinate of (4,(2,4))\nprompt: What?\nanswer: (1,(0,2))");
  CHECK(nested.right("(1,(0,2))"));
  CHECK(nested.right("1 0 2"));
  CHECK_FALSE(nested.right("(1,4)"));
}

TEST_CASE("a thread and a value are read by their letters, in any order") {
  const OneAsk one("kind: thread and value\nprompt: Whose?\nanswer: owner(tv, (4,8), (2,5))\nwrong: (3,4) -> Exchanged.", kTv);
  for (const char* answer : {"T4 V3", "t4v3", "(4,3)", "4 3", "V3 T4", "value 3 of thread 4", "thread 4, value 3", "T4, V3",
                             "thread = 4 value = 3", "Thread: 4, value: 3.", "lane 4, value 3"}) {
    INFO(answer);
    CHECK(one.right(answer));
  }
  CHECK(parts(one, "T4 V2") == "T4 V2 is not it: the thread is right");
  CHECK(parts(one, "T5 V3") == "T5 V3 is not it: the value is right");
  CHECK(one.grade("T3 V4").hint == "Exchanged.");
  CHECK_FALSE(one.grade("T4").read);
  CHECK_FALSE(one.grade("warp 4 value 3").read);
}

TEST_CASE("a layout is compared as a function: sizes of the modes, then every coordinate") {
  const OneAsk one(
      "kind: layout on (thread, value)\nprompt: Write it.\nanswer: ((2,4),4):((16,1),4)\nwrong 2: ((2,4),4):((4,8),1) -> Offsets.");
  CHECK(one.right("((2,4),4):((16,1),4)"));
  CHECK(one.right("make_layout_tv((4,2):(2,1), (1,4))"));
  CHECK(one.right("((2,(2,2)),(2,2)):((16,(1,2)),(4,8))"));  // nested otherwise, the same function
  CHECK(one.right("make_layout(make_shape(make_shape(_2{}, _4{}), _4{}), make_stride(make_stride(_16{}, _1{}), _4{}));"));
  CHECK(parts(one, "(32,1):(1,0)") == "its thread mode has 32 elements; 8 are wanted");
  CHECK(parts(one, "32:1") == "it has 1 mode; 2 are wanted: (thread, value)");
  CHECK(parts(one, "((2,4),4):((16,1),5)") == "at thread 0, value 1 it gives 5; 4 is wanted");
  // The same values in the same order, and another function.
  CHECK(parts(one, "((2,4,2),2):((16,1,4),8)") == "its thread mode has 16 elements; 8 are wanted");
  CHECK(one.grade("(8,4):(4,1)").hint == "Offsets.");  // a hint is a function's, too
  CHECK(one.grade("(8,4):(4,2)").hint.empty());
  CHECK(one.grade("((2,4),4):((4,8),1)").hint == "Offsets.");
  CHECK_FALSE(one.grade("8").read);
  CHECK_FALSE(one.grade("(8,4)").read);
  const OneAsk swizzled("kind: layout\nprompt: Write it.\nanswer: Sw<1,2,1> o 0 o (4,8):(8,1)");
  CHECK(swizzled.right("composition(Sw<1,2,1>, (4,8):(8,1))"));
  CHECK(parts(swizzled, "(4,8):(8,1)").find("it gives") != std::string::npos);
}

TEST_CASE("cells are a set: their order does not matter, and what is too many or missing is named") {
  const OneAsk one("kind: cells of (4,8)\nprompt: Which?\nanswer: cells(tv, (4,8), 5)\nwrong: ((0,5),(1,5)) -> No.", kTv);
  for (const char* answer : {"(2,2) (2,3) (2,6) (2,7)", "2,7 2,6 2,3 2,2", "((2,2),(2,3),(2,6),(2,7))", "2 2 2 3 2 6 2 7 2 7"})
    CHECK(one.right(answer));
  CHECK(parts(one, "(2,2) (2,3) (2,6)") == "(2,7) is missing");
  CHECK(parts(one, "(2,2) (2,3) (2,6) (2,7) (3,0)") == "(3,0) is none of them");
  CHECK(parts(one, "(2,2) 2").find("have 2 numbers each") != std::string::npos);
  CHECK(one.grade("(1,5) (0,5)").hint == "No.");
}

TEST_CASE("an order is of numbers, or of options by their letters") {
  const OneAsk numbers("kind: order\nprompt: Sort.\nanswer: sort((18,17,16,20), by=(2,1,16,4))\nwrong: (16,17,18,20) -> By size.");
  for (const char* answer : {"17 18 20 16", "17, 18, 20, 16", "17 < 18 < 20 < 16", "(17,18,20,16)"}) CHECK(numbers.right(answer));
  CHECK(parts(numbers, "17 20 18 16") == "20 is not in the second place");
  CHECK(numbers.grade("16 17 18 20").hint == "By size.");
  const OneAsk letters("kind: order\noptions: {{1+1}} rows | columns, all | none\nprompt: Sort.\nanswer: (2,1,3)\nwrong: (1,2,3) -> No.");
  CHECK(letters.question().options == std::vector<std::string>{"2 rows", "columns, all", "none"});
  for (const char* answer : {"b a c", "bac", "B, A, C", "2 1 3", "b > a > c"}) CHECK(letters.right(answer));
  CHECK(parts(letters, "a b c") == "a is not in the first place");
  CHECK(parts(letters, "b a").find("an order has each of a to c once") == 0);
  CHECK(parts(letters, "b a a").find("an order has each of a to c once") == 0);
}

TEST_CASE("a choice is a letter, a number or the option's words; without options yes or no") {
  const OneAsk one(
      "kind: choice\noptions: the number | the offset | neither\nprompt: Which?\nanswer: 2\nwrong: 1 -> No.\nwrong: 3 -> Look.");
  for (const char* answer : {"b", "B", "b)", "(b)", "2", "the offset", "The Offset"}) CHECK(one.right(answer));
  CHECK(parts(one, "c") == "that is not it");
  CHECK(one.grade("c").hint == "Look.");
  CHECK_FALSE(one.grade("d").read);
  CHECK_FALSE(one.grade("both").read);
  const OneAsk truth("kind: choice\nprompt: Is it?\nanswer: is_compact((4,8):(8,1))\nwrong: false -> It is.");
  for (const char* answer : {"yes", "Y", "true"}) CHECK(truth.right(answer));
  CHECK(truth.grade("no").hint == "It is.");
}

TEST_CASE("a binding is lines of a document, or the expression alone") {
  const OneAsk one(
      "kind: binding sA\ngiven: let sA = (8,8):({{4*2}},1)\nprompt: Repair.\nanswer: (8,8):(9,1)\nwrong: (8,8):(8,1) -> As before.");
  CHECK(one.question().given == "let sA = (8,8):(8,1)");
  for (const char* answer : {"let sA = (8,8):(9,1)", "(8,8):(9,1)", "let pad = 1\nlet sA = (8,8):(8 + pad,1)\n", "sA = (8,8):(9,1)",
                             "auto sA = make_layout(make_shape(8,8), make_stride(9,1));"}) {
    INFO(answer);
    CHECK(one.right(answer));
  }
  CHECK(parts(one, "let sA = (8,8):(10,1)") == "at (1,0) it gives 10; 9 is wanted");
  CHECK(one.grade("let sA = (8,8):(8,1)").hint == "As before.");
  CHECK(parts(one, "let sB = (8,8):(9,1)").find("nothing gives sA a value") == 0);
  CHECK(parts(one, "let sA = (8,8):(9,1)\nassert size(sA) == 2\n") != "");
  CHECK(parts(one, "auto sA = make_layout(make_shape(bM,Int<8>{}));") == "bM has no value, and sA is made of it");
  CHECK_FALSE(one.grade("let sA = (8,8):(9,1\n").read);
  CHECK(parts(one, "let sA(m, n) = 9*m + n").find("a layout is wanted") != std::string::npos);
}

TEST_CASE("a kind that there is not is refused with the nearest") {
  const auto refused = [](const std::string& lines) { return OneAsk(lines + "\nprompt: What?\nanswer: 1").refusal(); };
  CHECK(refused("kind: interger") == "line 11, column 7: there is no kind of answer \"interger\"");
  CHECK(refused("kind: coordinate") == "line 11, column 7: coordinate of which shape?");
  CHECK(refused("kind: integer of (4,8)") == "line 11, column 7: integer is of nothing");
  CHECK(refused("kind: binding") == "line 11, column 7: binding of which name?");
  CHECK(refused("kind: coordinate of (4,0)").find("line 11, column 21: ") == 0);
  CHECK(refused("kind: integer\noptions: a | b") == "line 11, column 7: integer has no options");
  CHECK(refused("kind: choice\noptions: a") == "line 11, column 7: there are 2 to 26 options");
}

TEST_CASE("what a person would write of an answer is read as it") {
  for (const char* lines :
       {"kind: integer\nanswer: 7", "kind: integers\nanswer: (1,-2,3)", "kind: coordinate of (4,(2,4))\nanswer: (1,(0,2))",
        "kind: thread and value\nanswer: (4,3)", "kind: layout\nanswer: Sw<1,2,1> o 0 o (4,8):(8,1)",
        "kind: cells of (4,8)\nanswer: ((3,1),(0,2))", "kind: order\nanswer: (3,1,2)", "kind: order\noptions: x | y | z\nanswer: (3,1,2)",
        "kind: choice\nanswer: false", "kind: choice\noptions: x | y\nanswer: 2", "kind: binding A\nanswer: (4,8):(8,1)"}) {
    INFO(lines);
    const OneAsk one(std::string(lines) + "\nprompt: What?");
    const Question question = one.question();
    CHECK(one.right(written_answer(question.expected, question.wanted)));
  }
}
