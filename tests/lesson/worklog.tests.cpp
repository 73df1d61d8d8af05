// SPDX-License-Identifier: BSD-3-Clause
// A worklog's lines read back, and every grade in it is made again.
#include "core/lesson/worklog.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <variant>

#include "tests/lesson/asks.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;
using namespace tessera::lesson;
using tessera::lesson::testing::OneAsk;

namespace {

const std::string kAsk = "kind: integer\ndraw: a in 1..1000\nprompt: {{a}} + 1?\nanswer: a + 1\nwrong: a -> One more.";

WorklogEntry entry_for(const OneAsk& one, std::uint64_t seed, const std::string& answer, bool right) {
  return {1, "one", hash_of(one.ask()), seed, answer, right};
}

std::string refusal(const std::string& line) {
  const Result<WorklogEntry> entry = entry_of(line);
  return entry ? "" : entry.error().message;
}

}  // namespace

TEST_CASE("a line of a worklog reads back, whatever the answer is") {
  for (const char* answer : {"26", "let sA = (8,8):(9,1)\n# \"said\"\n", "\t\\ \xc3\xa4", ""}) {
    const WorklogEntry entry{6, "whose", "0123456789abcdef", std::numeric_limits<std::uint64_t>::max(), answer, true};
    const std::string line = to_line(entry);
    CHECK(line.find('\n') == std::string::npos);
    const Result<WorklogEntry> again = entry_of(line);
    REQUIRE(again);
    CHECK(again->answer == answer);
    CHECK(again->seed == entry.seed);
    CHECK(again->question == "whose");
    CHECK(again->right);
  }
}

TEST_CASE("a line says that an answer was given up, and is not right") {
  WorklogEntry entry{6, "whose", "0123456789abcdef", 7, "", false};
  CHECK(to_line(entry).find("given_up") == std::string::npos);
  entry.given_up = true;
  const Result<WorklogEntry> again = entry_of(to_line(entry));
  REQUIRE(again);
  CHECK(again->given_up);
  CHECK_FALSE(again->right);
  const OneAsk one(kAsk);
  WorklogEntry own = entry_for(one, 7, "", false);
  own.given_up = true;
  CHECK_FALSE(graded_again(one.opened, own)->grade.right);
  CHECK(graded_again(one.opened, own)->remark.empty());
}

TEST_CASE("a log that was edited by hand is graded again, and told from the right one") {
  const OneAsk one(kAsk);
  const std::string right = to_string(one.question(7).wanted);
  CHECK(graded_again(one.opened, entry_for(one, 7, right, true))->grade.right);
  CHECK(graded_again(one.opened, entry_for(one, 7, right, true))->remark.empty());
  const Regraded lied = graded_again(one.opened, entry_for(one, 7, "1", true)).value();
  CHECK_FALSE(lied.grade.right);
  CHECK(lied.remark == "the log says right");
  CHECK(graded_again(one.opened, entry_for(one, 8, right, true))->remark == "the log says right");  // another one's answer
  CHECK(graded_again(one.opened, entry_for(one, 7, right, false))->remark == "the log says wrong");
  WorklogEntry other = entry_for(one, 7, right, true);
  other.hash = "0";
  CHECK(graded_again(one.opened, other)->remark == "the question has changed since");
  other.question = "two";
  CHECK_FALSE(graded_again(one.opened, other));
  other = entry_for(one, 7, right, true);
  other.lesson = 2;
  CHECK(graded_again(one.opened, other).error().message == "this is of lesson 2, and the lesson is number 1");
}

TEST_CASE("a line that was graded nowhere is neither believed nor doubted") {
  const OneAsk one(kAsk);
  WorklogEntry entry = entry_for(one, 7, to_string(one.question(7).wanted), false);
  CHECK(graded_again(one.opened, entry)->remark == "the log says wrong");
  entry.graded = false;
  CHECK(to_line(entry).ends_with("\"right\":null}"));
  const Result<WorklogEntry> again = entry_of(to_line(entry));
  REQUIRE(again);
  CHECK(!again->graded);
  CHECK(graded_again(one.opened, *again)->grade.right);
  CHECK(graded_again(one.opened, *again)->remark.empty());
}

TEST_CASE("the hash is of what is asked, and not of its hints") {
  const auto hash = [](const std::string& lines) { return hash_of(OneAsk(lines).ask()); };
  CHECK(hash(kAsk).size() == 16);
  CHECK(hash(kAsk) == hash(kAsk + " And more."));
  CHECK(hash(kAsk) != hash(kAsk + "\nwrong: a + 2 -> One less."));
  CHECK(hash("kind: integer\nprompt: ?\nanswer: 1") != hash("kind: integer\nprompt: ?\nanswer: 2"));
  CHECK(hash("kind: integer\nprompt: ?\nanswer: 1") != hash("kind: integer\nprompt: !\nanswer: 1"));
}

TEST_CASE("a line that is no entry is refused by its field") {
  CHECK_FALSE(refusal("").empty());
  CHECK_FALSE(refusal("[]").empty());
  CHECK(refusal("{\"lesson\":1,\"question\":\"a\",\"hash\":\"\",\"seed\":-1,\"answer\":\"\",\"right\":true}").find("seed") !=
        std::string::npos);
  CHECK(refusal("{\"lesson\":1,\"question\":\"a\",\"hash\":\"\",\"seed\":1,\"right\":true}").find("answer") != std::string::npos);
}

TEST_CASE("what was set at a slider is graded again by its truth") {
  const OpenLesson opened = OneAsk::open(
      "---\nnumber: 1\ntitle: A\ngoal: B\nminutes: 1\n---\n```vary\nparam: s in 1..3\nshow: (4,2):(1,s)\n```\n"
      "```vary\nparam: s in ((1,0),(0,1),(2,2))\nshow: (4,2):s\nprompt: ?\ntruth: s[0] > 0\n```\n");
  const Vary& vary = std::get<Vary>(opened.lesson().parts[1]);
  const auto graded = [&](const std::string& answer, bool right) {
    WorklogEntry entry{1, {}, hash_of(vary), 0, answer, right};
    entry.vary = 2;
    const Result<WorklogEntry> again = entry_of(to_line(entry));
    REQUIRE(again);
    CHECK(again->asked() == "vary 2");
    const Result<Regraded> made = graded_again(opened, *again);
    if (!made) FAIL(made.error().message);
    return *made;
  };
  CHECK(graded("(1,0), (2,2)", true).grade.right);
  CHECK(graded("(2,2),(1,0)", true).remark.empty());
  CHECK(graded("(1,0)", true).remark == "the log says right");
  CHECK(graded("(1,0)", false).grade.difference == "look at s = (2,2)");
  CHECK(!graded("none", false).grade.right);
  CHECK(!graded("(7,7)", false).grade.read);
  CHECK(!graded("", false).grade.read);
  const std::string line = R"x({"lesson":1,"vary":2,"hash":"0","seed":0,"answer":"(1,0), (2,2)","right":true})x";
  CHECK(graded_again(opened, *entry_of(line))->remark == "the question has changed since");
  CHECK(!graded_again(opened, *entry_of(R"x({"lesson":1,"vary":1,"hash":"0","seed":0,"answer":"1","right":true})x")));  // it asks nothing
  CHECK(!graded_again(opened, *entry_of(R"x({"lesson":1,"vary":3,"hash":"0","seed":0,"answer":"1","right":true})x")));
  CHECK(!entry_of(R"x({"lesson":1,"vary":0,"hash":"0","seed":0,"answer":"1","right":true})x"));
}
