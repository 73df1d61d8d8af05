// SPDX-License-Identifier: BSD-3-Clause
// A lesson is held to its own words: those that come with the program are right, and each thing that can be wrong with one is told.
#include "core/lesson/check.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "tests/lesson/asks.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/source_dir.hpp"

using namespace tessera;
using namespace tessera::lesson;
using tessera::lesson::testing::OneAsk;

namespace {

const std::string kHead = "---\nnumber: 1\ntitle: A\ngoal: B\nminutes: 1\n---\n";

CheckedLesson checked(const std::string& text, std::uint64_t seeds = 20) { return check(OneAsk::open(text), seeds); }

// The only problem of a lesson.
std::string problem(const std::string& text, std::uint64_t seeds = 20) {
  const CheckedLesson made = checked(text, seeds);
  return made.problem_count == 1 ? made.problems.at(0).message : std::to_string(made.problem_count) + " problems";
}

std::vector<std::string> lessons() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(test::source_dir() + "/assets/lessons"))
    files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

TEST_CASE("the lessons that come with the program grade their own answers, and say no number that is not computed") {
  REQUIRE(lessons().size() >= 3);
  for (const std::string& file : lessons()) {
    INFO(file);
    const OpenLesson opened = OneAsk::open(tessera::testing::read_file(file));
    const CheckedLesson made = check(opened, 40);
    for (const Error& each : made.problems) UNSCOPED_INFO(each.message);
    for (const Error& each : made.remarks) UNSCOPED_INFO(each.message);
    CHECK(made.problem_count == 0);
    CHECK(made.remarks.empty());
    CHECK(made.asks.size() >= 5);
    CHECK(made.numbers >= 20);
    CHECK(made.figures >= 2);
    for (const CheckedAsk& each : made.asks) {
      INFO(each.id);
      CHECK(each.right == each.seeds);
      CHECK((each.seeds == 1 || each.different >= 3));
      CHECK(each.hints == each.wanted_hints);
      CHECK(each.wanted_hints >= 2 * each.seeds);  // two wrong answers each
    }
  }
}

TEST_CASE("no two questions of a lesson have the same kind and the same answer") {
  for (const std::string& file : lessons()) {
    const OpenLesson opened = OneAsk::open(tessera::testing::read_file(file));
    std::set<std::pair<std::string, std::string>> seen;
    for (const Part& part : opened.lesson().parts) {
      const auto* ask = std::get_if<Ask>(&part);
      if (!ask) continue;
      INFO(file << ": " << ask->id);
      CHECK(seen.insert({ask->kind.text, ask->answer.text}).second);
    }
  }
}

TEST_CASE("each of the twenty confusions is met by two wrong answers of the lessons, and each lesson ends with three questions") {
  std::map<std::int64_t, int> met;
  for (const std::string& file : lessons()) {
    INFO(file);
    const OpenLesson opened = OneAsk::open(tessera::testing::read_file(file));
    int closing = -1;  // questions below the heading "Before you go"
    for (const Part& part : opened.lesson().parts) {
      if (const auto* prose = std::get_if<Prose>(&part); prose && prose->markdown.text.find("# Before you go") != std::string::npos)
        closing = 0;
      const auto* ask = std::get_if<Ask>(&part);
      if (!ask) continue;
      closing += closing >= 0 ? 1 : 0;
      for (const Wrong& each : ask->wrong) ++met[each.confusion];
    }
    CHECK(closing >= 3);
  }
  for (std::int64_t confusion = 1; confusion <= 20; ++confusion) {
    INFO("confusion " << confusion);
    CHECK(met[confusion] >= 2);
  }
}

TEST_CASE("each thing that is wrong with a lesson is told by its line") {
  CHECK(problem(kHead + "It is {{nowhere}}.\n").find("line 7, column 9: ") == 0);
  CHECK(problem(kHead + "```figure\nlayout_figure(\"x\")\n```\n").find("line 8, column 1: ") == 0);
  CHECK(problem(kHead + "```figure\n4 +\n```\n").find("line 8, column ") == 0);
  CHECK(problem(kHead + "```run\n(4,8):(8,1)\n```\n") == "line 8, column 1: only a GEMM is run, and this is a layout");
  CHECK(problem(kHead + "```vary\nparam: s in (1,2)\nshow: layout_figure((4,s))\nprompt: Which?\ntruth: s > 0\n```\n") ==
        "line 11, column 8: this is the same for every s: there is nothing to find");
  CHECK(problem(kHead + "```vary\nparam: s = 3 in (1,2)\nshow: layout_figure((4,s))\n```\n") ==
        "line 8, column 12: 3 is none of the values of s");
  CHECK(problem(kHead + "```ask a\nkind: integer\nprompt: What?\nanswer: 4\nwrong: 5 -> {{nowhere}}\n```\n").find("line 11, column 15: ") ==
        0);
}

TEST_CASE("a question that is wrong for some seeds is told with the first ones, and the others are counted") {
  const CheckedLesson made =
      checked(kHead + "```ask a\nkind: coordinate of (4,8)\ndraw: i in 0..7\nprompt: {{i}}?\nanswer: (i,0)\n```\n", 100);
  REQUIRE(made.asks.size() == 1);
  CHECK(made.asks[0].right > 30);
  CHECK(made.asks[0].right < 70);
  CHECK(made.asks[0].problems == 100 - made.asks[0].right);
  CHECK(made.problem_count == made.asks[0].problems);
  CHECK(made.problems.size() == kMostToldProblems);
  CHECK(made.problems[0].message.find("lies outside of (4,8)") != std::string::npos);
}

TEST_CASE("numbers that are typed into words are remarked, and names, code and expressions are not") {
  const auto remarks = [](const std::string& words) { return checked(kHead + words + "\n").remarks.size(); };
  CHECK(remarks("It has 8 threads.") == 1);
  CHECK(remarks("(2,6) and 17") == 3);
  CHECK(remarks("Row 0 and 1.") == 0);
  CHECK(remarks("10 and 1.5, 01") == 3);
  CHECK(remarks("T5 V2, `4*8`, {{4*8}}-byte, SM80, fp16, [a](b2.md)") == 0);
  CHECK(checked("---\nnumber: 1\ntitle: A\ngoal: B\nminutes: 1\nconfusions: 4\n---\n").remarks.size() == 1);
}

TEST_CASE("a lesson whose definitions have no value is not opened, and says which") {
  const auto refused = [](const std::string& tess) {
    const Result<OpenLesson> opened = OpenLesson::open(kHead + "Words.\n```tess\n" + tess + "\n```\n");
    return opened ? std::string() : opened.error().message;
  };
  CHECK(refused("let a = nowhere + 1").find("line 9, column 9: ") == 0);
  CHECK(refused("let a = 1\nnothing at all here").find("line 10, column ") == 0);
  CHECK(refused("let a = 1\nassert a == 2").find("line 10, column 8: ") == 0);
}

TEST_CASE("definitions are there for what stands below them") {
  const OpenLesson opened = OneAsk::open(kHead + "One\n```tess\nlet a = 1\n```\nTwo\n```tess\nlet b = a + 1\n```\nThree\n");
  REQUIRE(opened.lesson().parts.size() == 5);
  CHECK(opened.above(0)("a") == nullptr);
  CHECK(opened.above(2)("a") != nullptr);
  CHECK(opened.above(2)("b") == nullptr);
  CHECK(to_string(*opened.above(4)("b")) == "2");
  CHECK(opened.find("one").error().message == "the lesson has no question one");
}
