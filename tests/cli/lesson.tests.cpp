// SPDX-License-Identifier: BSD-3-Clause
// tessera lesson: a lesson is checked, asked, graded and gone through as a person or a script does it.
#include <string>

#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/shell.hpp"

using namespace tessera::test;
using nlohmann::json;

namespace {

// Writes t.lesson.md with one question and a figure behind it.
const std::string kTiny =
    "printf -- '---\\nnumber: 1\\ntitle: Rows\\ngoal: You find it.\\nminutes: 2\\n---\\n# Words with {{2 * 3}}\\n"
    "```tess\\nlet tile = (4,8):(8,1)\\n```\\n```ask offset\\nkind: integer\\nprompt: Where is (1,2) of {{tile}}?\\nanswer: tile(1,2)\\n"
    "wrong: 1 + 2*4 -> Down the columns: {{1 + 2*4}}.\\nwrong: 2 -> A row.\\n```\\n```figure\\ntile\\n```\\nThe end.\\n' > t.lesson.md; ";

}  // namespace

TEST_CASE("lesson check prints a table, and its exit code says whether all is right") {
  const Run good = shell(kTiny + "tessera lesson check t.lesson.md --seeds 5");
  CHECK(good.code == 0);
  CHECK(good.out ==
        "t.lesson.md: 2 numbers, 1 figure, 1 question, 0 problems\n"
        "question  kind     seeds  different  right  hints met  drawn again\n"
        "offset    integer  1      1          1      2 of 2     0\n");
  const Run bad = shell(kTiny + "sed -i 's/wrong: 2/wrong: 10/' t.lesson.md; tessera lesson check t.lesson.md");
  CHECK(bad.code == 1);
  CHECK(has(bad.err, "t.lesson.md: wrong_result: line 16, column 8: this wrong answer, 10, is right"));
  const Run data = shell(kTiny + "tessera lesson check t.lesson.md nowhere.md --json");
  CHECK(data.code == 1);
  const json both = json::parse(data.out);
  CHECK(both["lessons"].size() == 2);
  CHECK(both["lessons"][0]["questions"][0]["hints"] == 2);
  CHECK(both["lessons"][0]["problem_count"] == 0);
  CHECK(both["lessons"][1]["problem_count"] == 1);
  CHECK(shell("tessera lesson check").code == 2);
  CHECK(shell(kTiny + "tessera lesson check t.lesson.md --seeds 0").code == 2);
  CHECK(shell("tessera lesson check 06_tv --seeds 2").code == 0);  // one that comes with the program
}

TEST_CASE("lesson list names what comes with the program, and so does a name that is none") {
  const Run listed = shell("tessera lesson list");
  CHECK(listed.code == 0);
  CHECK(has(listed.out, "Who holds what? Thread-value layouts"));
  const json all = json::parse(shell("tessera lesson list --json").out);
  REQUIRE(all.size() >= 3);
  for (const json& each : all) CHECK(shell("tessera lesson check " + each["name"].get<std::string>() + " --seeds 1").code == 0);
  const Run unknown = shell("tessera lesson run 06_vt");
  CHECK(unknown.code == 1);
  CHECK(has(unknown.err, "there is no file and no lesson 06_vt"));
  CHECK(has(unknown.err, "did you mean 06_tv?"));
}

TEST_CASE("lesson ask and lesson grade are one question and one answer") {
  CHECK(shell(kTiny + "tessera lesson ask t.lesson.md offset").out == "Where is (1,2) of (4,8):(8,1)?\n");
  const Run right = shell(kTiny + "tessera lesson grade t.lesson.md offset 10");
  CHECK(right.code == 0);
  CHECK(right.out == "Right.\n");
  const Run wrong = shell(kTiny + "echo 9 | tessera lesson grade t.lesson.md offset -");
  CHECK(wrong.code == 1);
  CHECK(wrong.out == "Not yet: 9 is not it. Down the columns: 9.\n");
  const Run unread = shell(kTiny + "tessera lesson grade t.lesson.md offset '9 9' --json");
  CHECK(unread.code == 1);
  CHECK(json::parse(unread.out)["read"] == false);
  const json graded = json::parse(shell(kTiny + "tessera lesson grade t.lesson.md offset 2 --json").out);
  CHECK(graded["right"] == false);
  CHECK(graded["wrong"] == 2);
  CHECK(graded["hint"] == "A row.");
  const Run nobody = shell(kTiny + "tessera lesson ask t.lesson.md ofset");
  CHECK(nobody.code == 1);
  CHECK(has(nobody.err, "did you mean offset?"));
  CHECK(shell(kTiny + "tessera lesson ask t.lesson.md offset --seed x").code == 2);
  CHECK(shell("tessera lesson ask nowhere.md offset").code == 1);
  const std::string forwards = "tessera lesson ask 06_tv practice --seed 5";
  CHECK(shell(forwards).out == shell(forwards).out);
  CHECK(shell(forwards).out != shell("tessera lesson ask 06_tv practice --seed 6").out);
  CHECK(json::parse(shell(forwards + " --json").out)["prompt"].get<std::string>() + "\n" == shell(forwards).out);
}

TEST_CASE("a worklog is kept, and graded again whatever it says") {
  const Run kept = shell(kTiny +
                             "tessera lesson run t.lesson.md --log w.jsonl > out && sed -i 's/false/true/' w.jsonl && "
                             "tessera lesson regrade t.lesson.md w.jsonl",
                         "9\n10\n");
  CHECK(kept.code == 0);
  CHECK(kept.out ==
        "line  question  seed  answer  grade  remark\n"
        "1     offset    0     9       wrong  the log says right\n"
        "2     offset    0     10      right  \n"
        "2 answers: 1 right\n");
  const Run data =
      shell(kTiny + "tessera lesson run t.lesson.md --log w.jsonl > out && tessera lesson regrade t.lesson.md w.jsonl --json", "10\n");
  CHECK(json::parse(data.out)["right"] == 1);
  const Run broken = shell(kTiny + "echo '{' > w.jsonl; tessera lesson regrade t.lesson.md w.jsonl");
  CHECK(broken.code == 1);
  CHECK(has(broken.err, "w.jsonl:1: "));
  CHECK(shell(kTiny + "tessera lesson regrade t.lesson.md nowhere.jsonl").code == 1);
}

TEST_CASE("lesson run shows what follows a question when it is answered") {
  const Run walked = shell(kTiny + "tessera lesson run t.lesson.md", "9\n10\n");
  CHECK(walked.code == 0);
  const std::size_t hint = walked.out.find("> Not yet: 9 is not it. Down the columns: 9."), right = walked.out.find("> Right."),
                    figure = walked.out.find("24 │ 25"), end = walked.out.find("The end."),
                    sum = walked.out.find("1 question: 1 right, 0 shown.");
  CHECK(has(walked.out, "# Words with 6"));
  CHECK(hint < right);
  CHECK(right < figure);
  CHECK(figure < end);
  CHECK(end < sum);
  CHECK(sum != std::string::npos);
  const Run shown = shell(kTiny + "tessera lesson run t.lesson.md", "\n");
  CHECK(shown.code == 0);
  CHECK(has(shown.out, "It is 10."));
  CHECK(has(shown.out, "0 right, 1 shown."));
  const Run ended = shell(kTiny + "tessera lesson run t.lesson.md", "9\n");
  CHECK(ended.code == 1);
  CHECK_FALSE(has(ended.out, "The end."));
  CHECK(has(ended.err, "the answers ended before the lesson did"));
  const Run files = shell(kTiny + "tessera lesson run t.lesson.md --figures p && ls p", "10\n");
  CHECK(has(files.out, "figure_1.svg"));
}
