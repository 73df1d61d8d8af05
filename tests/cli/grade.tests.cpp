// SPDX-License-Identifier: BSD-3-Clause
// tessera grade: a folder of what was handed in, one row a student, whatever lies in it.
#include <unistd.h>

#include <string>

#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/shell.hpp"

using namespace tessera::test;
using nlohmann::json;

namespace {

const std::string kClass =
    "mkdir c; printf 'title: Week 3\\ndocument:\\n  A: 2 points\\n    same as: (2,3):(3,1)\\n  B: 1 point\\n    accept: size(it) == 4\\n' "
    "> "
    "r.txt; printf 'let A = (2,3):(3,1)\\nlet B = 4:1\\n' > c/alice.tess; ";

}  // namespace

TEST_CASE("grade prints a row a student, and says what a worklog proves") {
  const Run made = shell(kClass + "printf 'let A = (3,2):(2,1)\\nlet B = 4:2\\n' > c/bob.tess; tessera grade c --rubric r.txt");
  INFO(made.err);
  CHECK(made.code == 0);
  CHECK(
      made.out.starts_with("student  A /2  B /1  sum /3  remarks\n"
                           "alice    2     1     3       \n"
                           "bob      0     1     1       \n"
                           "2 students: 2 of 3 points on average\n"));
  CHECK(has(made.out, "its hashes say that a question is still the one that was asked, and not who answered it"));
}

TEST_CASE("a worklog and a document of one name are one student's, and so is a folder with both") {
  const Run made = shell(
      kClass +
      "printf 'lesson: 06_tv\\n  whose: 2 points\\n' >> r.txt; mkdir c/bob; cp c/alice.tess c/bob/x.tess; "
      "printf '{\"lesson\":6,\"question\":\"whose\",\"hash\":\"03241582c880c5ad\",\"seed\":1,\"answer\":\"T4 V3\",\"right\":true}\\n' > "
      "c/alice.jsonl; cp c/alice.jsonl c/bob/y.jsonl; tessera grade c --rubric r.txt --json");
  INFO(made.err);
  const json all = json::parse(made.out);
  CHECK(all["title"] == "Week 3");
  CHECK(all["points"] == 5);
  REQUIRE(all["students"].size() == 2);
  CHECK(all["students"][0]["student"] == "alice");
  CHECK(all["students"][0]["points"] == 5);
  CHECK(all["students"][1]["points"] == 5);
  CHECK(all["students"][1]["remarks"][0] == "the same seeds and the same 1 answer in the same order, 0 of them wrong, as alice");
  CHECK(all["items"][2] == json{{"name", "whose"}, {"lesson", "06_tv"}, {"points", 2.0}, {"seeds", 1}});
  CHECK(has(all["note"], "not who answered it"));
}

TEST_CASE("whatever lies in the folder is one row, and nobody else's") {
  const Run made =
      shell(kClass +
            "ln -s /etc/passwd c/link.tess; ln -s ../c/alice.tess c/copied.tess; mkdir -p c/deep/er; cp c/alice.tess c/deep/er; "
            "printf 'a\\0b' > c/binary.jsonl; printf 'x' > c/picture.png; mkfifo c/pipe.tess; : > c/empty.tess; "
            "head -c 20000000 /dev/zero | tr '\\0' 1 > c/large.jsonl; head -c 300000 /dev/zero | tr '\\0' '(' > c/brackets.tess; "
            "printf 'let A = 4:1' > c/closed.tess; chmod 0 c/closed.tess; : > c/.hidden; cp r.txt c/; ln -s . c/loop; "
            "tessera grade c --rubric c/r.txt --json");
  INFO(made.err);
  CHECK(made.code == 0);
  const json students = json::parse(made.out)["students"];
  const auto row = [&](const std::string& name) {
    for (const json& each : students) {
      if (each["student"] == name) return each;
    }
    return json{};
  };
  CHECK(students.size() == 12);
  CHECK(row("alice")["points"] == 3);
  for (const char* name : {"link", "copied", "loop"}) CHECK(has(row(name)["remarks"][0], "is a symbolic link, which is not followed"));
  CHECK(row("deep")["remarks"][0] == "deep/er is a folder in a student's folder, which is not read");
  CHECK(row("binary")["remarks"][0] == "binary.jsonl is no text: byte 2 is 0");
  CHECK(row("picture")["remarks"][0] == "picture.png is neither a worklog (.jsonl) nor a document (.tess)");
  CHECK(has(row("pipe")["remarks"][0], "pipe.tess"));
  CHECK(has(row("large")["remarks"][0], "large.jsonl"));
  CHECK(row("empty")["remarks"][0] == "empty.tess is empty");
  CHECK(has(row("brackets")["remarks"][0], "brackets.tess"));
  for (const char* name : {"link", "copied", "deep", "binary", "pipe", "large", "brackets"}) CHECK(row(name)["points"] == 0);
  if (::geteuid() != 0) CHECK(has(row("closed")["remarks"][0], "closed.tess"));  // root reads everything
}

TEST_CASE("grade --csv is RFC 4180, and no spreadsheet runs a student's name") {
  const Run made = shell(kClass +
                         "cp c/alice.tess 'c/=1+1.tess'; cp c/alice.tess 'c/o\"neil, j.tess'; cp c/alice.tess 'c/-2.tess'; cp c/alice.tess "
                         "'c/@SUM(A1).tess'; tessera grade c --rubric r.txt --csv");
  CHECK(made.code == 0);
  CHECK(made.out.starts_with("student,A,B,sum,of,remarks\r\n-2,2,1,3,3,"));
  CHECK(has(made.out, "\r\n'=1+1,2,1,3,3,"));
  CHECK(has(made.out, "\r\n'@SUM(A1),2,1,3,3,"));
  CHECK(has(made.out, "\r\n\"o\"\"neil, j\",2,1,3,3,\"the same document, byte for byte, as "));
  CHECK(made.out.ends_with("\r\n"));
  CHECK(has(made.err, "not who answered it"));
}

TEST_CASE("grade refuses a rubric by its line, and a class that handed in nothing") {
  CHECK(has(shell("mkdir c; printf 'lesson: 06_tv\\n  whos: 2 points\\n' > r.txt; tessera grade c --rubric r.txt").err,
            "r.txt: line 2, column 3: the lesson has no question whos"));
  CHECK(has(shell("mkdir c; printf 'lesson: 06_vt\\n  whose: 2 points\\n' > r.txt; tessera grade c --rubric r.txt").err,
            "did you mean 06_tv?"));
  const Run empty = shell(kClass + "rm c/*; tessera grade c --rubric r.txt");
  CHECK(empty.code == 1);
  CHECK(has(empty.err, "nothing was handed in: c is empty"));
  CHECK(shell(kClass + "tessera grade c").code == 2);
  CHECK(shell(kClass + "tessera grade c --rubric r.txt --csv --json").code == 2);
  CHECK(shell(kClass + "tessera grade nowhere --rubric r.txt").code == 1);
  CHECK(shell(kClass + "tessera grade c --rubric nowhere.txt").code == 1);
}

TEST_CASE("a lesson is looked for beside its rubric") {
  const Run made =
      shell(kClass +
            "mkdir t; printf -- '---\\nnumber: 1\\ntitle: A\\ngoal: B\\nminutes: 1\\n---\\n```ask one\\nkind: integer\\nprompt: "
            "?\\nanswer: 4\\n```\\n' > t/m.lesson.md; printf 'lesson: m.lesson.md\\n one: 1 point\\n' > t/r.txt; tessera grade c "
            "--rubric t/r.txt");
  CHECK(made.code == 0);
  CHECK(has(made.out, "student  one /1  sum /1"));
}

TEST_CASE("lesson run writes down that an answer was shown") {
  const Run made = shell(
      "printf '\\n' | tessera lesson run 06_tv --log w.jsonl > out; grep -c '\"given_up\":true' w.jsonl; tessera lesson regrade 06_tv "
      "w.jsonl | head -n 2");
  CHECK(made.out.starts_with("1\n"));
  CHECK(has(made.out, "  shown  "));
}
