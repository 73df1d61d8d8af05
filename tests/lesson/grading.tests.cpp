// SPDX-License-Identifier: BSD-3-Clause
// An answer reaches a question as a value and nothing else; what it defines, how long it is and how long it takes change nothing.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/utf8.hpp"
#include "core/lang/programs/evaluate.hpp"
#include "core/layout/print.hpp"
#include "core/layout/same.hpp"
#include "tests/lesson/asks.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;
using namespace tessera::lesson;
using tessera::lesson::testing::OneAsk;

namespace {

const std::string kRepair =
    "kind: binding sA\nprompt: Repair.\nanswer: Sw<3,3,3> o 0 o (64,64):(64,1)\n"
    "accept: size(it, 0) == 64 and size(it, 1) == 64 and cosize(it) <= 4096 and is_injective(it) and access(SM75_U32x4_LDSM_N, "
    "it).is_best\n"
    "wrong: (64,64):(64,1) -> Nothing is changed.\nwrong: (64,64):(72,1) -> It is larger.";

}  // namespace

TEST_CASE("where a condition accepts, every answer that meets it is right") {
  const OneAsk one(kRepair);
  CHECK(one.right("let sA = Sw<3,3,3> o 0 o (64,64):(64,1)"));
  CHECK(one.right("let sA = Sw<3,3,4> o 0 o (64,64):(64,1)") ==
        (to_string(evaluate("access(SM75_U32x4_LDSM_N, Sw<3,3,4> o 0 o (64,64):(64,1)).is_best").value()) == "true"));
  CHECK(one.right("let sA = Sw<3,3,3> o 8 o (64,64):(64,1)"));  // another function, as good
  CHECK_FALSE(one.right("let sA = Sw<2,3,3> o 0 o (64,64):(64,1)"));
  CHECK(one.grade("let sA = (64,64):(64,1)").hint == "Nothing is changed.");
  CHECK(one.grade("let sA = (64,64):(72,1)").hint == "It is larger.");
  // The predicate that does not hold says why.
  CHECK(one.grade("let sA = (64,64):(1,1)").difference.find("is_injective is false") == 0);
  // What the condition cannot be asked of is not right, and says why.
  CHECK(one.grade("let sA = (64,64):(63,1)").right == false);
}

TEST_CASE("a condition may ask how an answer is written, also of the same function") {
  const OneAsk one(
      "kind: layout\nprompt: Write it with as few modes as possible.\nanswer: coalesce((3,4):(1,3))\n"
      "accept: rank(flatten(it)) == 1 and same(coalesce(it), 12:1)\nwrong: (3,4):(1,3) -> Join the two.");
  CHECK(one.right("12:1"));
  CHECK(one.right("(12):(1)"));
  CHECK_FALSE(one.right("((3,4)):((1,3))"));
  CHECK_FALSE(one.right("12:2"));
  CHECK(one.grade("(3,4):(1,3)").hint == "Join the two.");
  CHECK(one.grade("((3,4)):((1,3))").difference == "((3,4)):((1,3)) is not it");
}

TEST_CASE("a binding uses the names that stand above its question, and none that the question draws or lets") {
  const std::string above =
      "let cols = 8\nlet pad = 1\nlet rows_of(n) = (8,n):(n + pad,1)\nlet repaired = (8,8):(8,1)\nlet other = (8,8):(1,8)";
  const OneAsk one(
      "kind: binding repaired\ndraw: secret = 9\nlet: solution = (8,8):(secret,1)\nprompt: Repair.\ngiven: let repaired = (8,8):(8,1)\n"
      "answer: solution\naccept: it(1,0) == cols + pad and same(it, rows_of(cols))\nwrong: repaired -> As before.",
      above);
  for (const char* right : {"let repaired = rows_of(cols)", "rows_of(cols)", "let repaired = (cols,cols):(cols + pad,1)",
                            "let cols = 7\nlet repaired = rows_of(cols + 1)", "let rows_of(n) = other\nlet repaired = (8,8):(9,1)"}) {
    INFO(right);
    CHECK(one.right(right));
  }
  // What the person defines is the person's: the condition has the lesson's names, and so have the lesson's functions.
  for (const char* attack :
       {"let pad = 0\nlet repaired = (8,8):(8,1)", "let rows_of(n) = (8,8):(8,1)\nlet pad = 0\nlet repaired = rows_of(cols)",
        "let cols = 0\nlet pad = 1\nlet repaired = (8,8):(1,1)", "let same(a, b) = true\nlet repaired = (8,8):(9,2)"}) {
    INFO(attack);
    CHECK_FALSE(one.right(attack));
  }
  CHECK(one.right("let pad = 5\nlet repaired = rows_of(8)"));
  for (const char* hidden : {"solution", "let repaired = solution", "let repaired = (8,8):(secret,1)", "let repaired = it", "repaired"}) {
    INFO(hidden);
    CHECK_FALSE(one.grade(hidden).read);
  }
  // No other kind is helped by the lesson's names.
  const OneAsk number("kind: integer\nprompt: ?\nanswer: rows_of(8)(1,1)", above);
  CHECK(number.right("8 + 1 + 1"));
  CHECK_FALSE(number.grade("rows_of(8)(1,1)").read);
}

TEST_CASE("an answer does not redefine what the question uses") {
  const OneAsk one(kRepair);
  for (const char* attack :
       {"let access(x, y) = 1\nlet sA = (64,64):(64,1)",
        "let is_injective(x) = true\nlet size(x, i) = 64\nlet cosize(x) = 0\nlet sA = (64,64):(1,1)",
        "let it = Sw<3,3,3> o 0 o (64,64):(64,1)\nlet sA = (64,64):(64,1)", "let true = false\nlet sA = (64,64):(64,1)",
        "let SM75_U32x4_LDSM_N = 4\nlet sA = (64,64):(64,1)", "class Best:\n    is_best = True\n\nlet sA = Best()"}) {
    INFO(attack);
    CHECK_FALSE(one.right(attack));
  }
  // A function that meets the condition is no layout, and neither is an object whose members do.
  const OneAsk at("kind: binding A\nprompt: Write A.\nanswer: (4,8):(8,1)\naccept: it(1,0) == 8 and it(0,1) == 1");
  CHECK(at.right("let A = (2,2):(8,1)"));
  CHECK(at.grade("let A(m, n) = 8*m + n").difference.find("a layout is wanted") != std::string::npos);
  const OneAsk names("kind: layout\ndraw: N = 8\nlet: L = (4,N):(N,1)\nprompt: Write L.\nanswer: L", "let data = (4,8):(8,1)");
  CHECK_FALSE(names.grade("L").read);     // the question's names are not the answer's
  CHECK_FALSE(names.grade("data").read);  // nor are the lesson's
  CHECK_FALSE(names.grade("it").read);
  CHECK(names.right("(4,8):(8,1)"));
}

TEST_CASE("an answer of ten megabytes, one that nests without end and one that takes for ever are not right, soon and with a word") {
  const OneAsk one("kind: layout\nprompt: Write.\nanswer: (4,8):(8,1)");
  const Grade large = one.grade(std::string(10 << 20, '('));
  CHECK_FALSE(large.read);
  CHECK(large.difference.find("an answer has at most 65536 bytes") == 0);
  CHECK_FALSE(one.grade(std::string(60000, '(')).read);
  const Grade wide = one.grade("complement((1000,1000):(1,1000), 2^40) o (100000000,8):(8,1)");
  CHECK_FALSE(wide.right);
  const OneAsk repair("kind: binding sA\nprompt: Repair.\nanswer: 8:1");
  const Grade looping = repair.grade("let f(n) = n + n\nlet sA = sweep(image((1024,1024):(1,1024)), p=0..4000)");
  CHECK_FALSE(looping.right);
  CHECK_FALSE(looping.difference.empty());
  std::string deep = "let f0(n) = n:1\n";
  for (int i = 1; i < 40; ++i)
    deep += "let f" + std::to_string(i) + "(n) = f" + std::to_string(i - 1) + "(f" + std::to_string(i - 1) + "(n))\n";
  CHECK_FALSE(repair.right(deep + "let sA = f39(8)\n"));  // 2^39 calls
  const OneAsk number("kind: integer\nprompt: What?\nanswer: 8");
  CHECK_FALSE(number.grade("size(image((4096,4096):(1,4096)))").right);
}

TEST_CASE("what is quoted of an answer is printable") {
  const OneAsk one("kind: layout\nprompt: Write.\nanswer: (4,8):(8,1)");
  const Grade grade = one.grade("(4,8):(8,\xff\x1b[31m)");
  CHECK_FALSE(grade.read);
  CHECK(is_utf8(grade.difference));
  CHECK(grade.difference.find('\x1b') == std::string::npos);
}

TEST_CASE("a seed that two people have is graded alike, and another one otherwise") {
  const OneAsk one("kind: integer\ndraw: a in 1..1000000\nprompt: {{a}} + 1?\nanswer: a + 1\nwrong: a -> One more.");
  const Question first = one.question(1), again = one.question(1), other = one.question(2);
  CHECK(first.prompt == again.prompt);
  CHECK(first.prompt != other.prompt);
  CHECK(one.right(to_string(first.wanted), 1));
  CHECK_FALSE(one.right(to_string(first.wanted), 2));
}

TEST_CASE("a question that does not accept its own answer is refused") {
  const OneAsk one("kind: integer\nprompt: What?\nanswer: 4\naccept: it % 3 == 0");
  CHECK(one.refusal() == "line 14, column 9: the condition does not hold for the question's own answer, 4");
  const OneAsk broken("kind: integer\nprompt: What is {{nowhere}}?\nanswer: 4");
  CHECK(broken.refusal().find("line 12, column 19: ") == 0);
  const OneAsk open("kind: integer\nprompt: What is {{4?\nanswer: 4");
  CHECK(open.refusal().find("line 12, column 17: {{ is not closed") == 0);
  const OneAsk hint("kind: integer\nprompt: What?\nanswer: 4\nwrong: nothing -> No.");
  CHECK(hint.refusal().find("line 14, column 8: ") == 0);
}

// Layouts whose modes are cut into other modes are the same functions; a changed stride is another one, and its coordinate is named.
TEST_CASE("the right function in another shape is right, and one changed coordinate is named") {
  std::uint64_t state = 7;
  const auto below = [&](std::uint64_t n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % n;
  };
  int changed = 0;
  for (int round = 0; round < 200; ++round) {
    const auto m = static_cast<std::int64_t>(2 + 2 * below(4)), n = static_cast<std::int64_t>(2 + 2 * below(4));
    const auto a = static_cast<std::int64_t>(1 + below(20)), b = static_cast<std::int64_t>(1 + below(20));
    const std::string plain = "(" + std::to_string(m) + "," + std::to_string(n) + "):(" + std::to_string(a) + "," + std::to_string(b) + ")";
    const std::string cut = "((2," + std::to_string(m / 2) + "),(" + std::to_string(n / 2) + ",2)):((" + std::to_string(a) + "," +
                            std::to_string(2 * a) + "),(" + std::to_string(b) + "," + std::to_string(n / 2 * b) + "))";
    const OneAsk one("kind: layout on (row, column)\nprompt: Write it.\nanswer: " + plain);
    INFO(plain << "   " << cut);
    CHECK(one.right(cut));
    const std::string other = "((2," + std::to_string(m / 2) + ")," + std::to_string(n) + "):((" + std::to_string(a) + "," +
                              std::to_string(2 * a + 1) + ")," + std::to_string(b) + ")";
    if (m == 2) continue;  // the changed stride is never taken
    ++changed;
    const Grade grade = one.grade(other);
    CHECK_FALSE(grade.right);
    CHECK(grade.difference == "at row 2, column 0 it gives " + std::to_string(2 * a + 1) + "; " + std::to_string(2 * a) + " is wanted");
  }
  CHECK(changed > 100);
}
