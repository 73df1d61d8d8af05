// SPDX-License-Identifier: BSD-3-Clause
// What is handed in is graded by the rubric's words alone, whatever it says, defines or costs.
#include "core/lesson/rubric/submission.hpp"

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/lesson/worklog.hpp"
#include "tests/lesson/asks.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;
using namespace tessera::lesson;
using tessera::lesson::testing::OneAsk;

namespace {

const std::string kLesson =
    "---\nnumber: 1\ntitle: A\ngoal: B\nminutes: 1\n---\n```ask one\nkind: integer\ndraw: n in 2..9\nprompt: {{n}} + 1?\nanswer: n + 1\n"
    "wrong: n -> One more.\n```\n```ask wide\nkind: binding A\nprompt: ?\nanswer: (8,8):(9,1)\naccept: is_injective(it)\n"
    "wrong: (8,8):(1,1) -> No.\n```\n```vary\nparam: s in 1..3\nshow: (4,2):(1,s)\nprompt: ?\ntruth: s > 1\n```\n";

OpenRubric rubric(const std::string& text) {
  Result<OpenRubric> made = OpenRubric::open(text, [](const std::string&) { return Result<OpenLesson>(OneAsk::open(kLesson)); });
  INFO(text);
  if (!made) FAIL(made.error().message);
  return *std::move(made);
}

// One line of a worklog; the answer is right where it says "right", and n where it says "hint".
std::string line(std::uint64_t seed, std::string answer, bool claims = true, const std::string& id = "one") {
  const OpenLesson opened = OneAsk::open(kLesson);
  const std::size_t part = opened.find(id).value();
  const Ask& ask = std::get<Ask>(opened.lesson().parts[part]);
  const Question question = question_of(ask, opened.above(part), seed).value();
  if (answer == "right") answer = to_string(question.wanted);
  if (answer == "hint") answer = to_string(question.wrong[0]);
  WorklogEntry entry{1, id, hash_of(ask), seed, answer, claims};
  entry.given_up = answer == "shown";
  if (entry.given_up) entry.answer.clear(), entry.right = false;
  return to_line(entry) + "\n";
}

// A seed that does not ask what any of these ask.
std::uint64_t another(const std::vector<std::uint64_t>& seeds, bool same = false) {
  const OpenLesson opened = OneAsk::open(kLesson);
  const Ask& ask = std::get<Ask>(opened.lesson().parts[opened.find("one").value()]);
  const auto prompt = [&](std::uint64_t seed) { return question_of(ask, opened.above(0), seed)->prompt; };
  for (std::uint64_t seed = 100;; ++seed) {
    bool found = false;
    for (const std::uint64_t each : seeds) found = found || prompt(each) == prompt(seed);
    if (found == same) return seed;
  }
}

GradedSubmission graded_log(const OpenRubric& by, const std::string& log) {
  return grade_submission(by, {"alice", {{"alice.jsonl", Result<std::string>(log)}}, {}, {}});
}
GradedSubmission graded_document(const OpenRubric& by, const std::string& text) {
  return grade_submission(by, {"alice", {}, {{"alice.tess", Result<std::string>(text)}}, {}});
}
std::int64_t points(const std::string& words, const std::string& log) { return graded_log(rubric("lesson: a\none: " + words), log).points; }
bool has(const std::vector<std::string>& remarks, const std::string& part) {
  for (const std::string& each : remarks) {
    if (each.find(part) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("a question gives its points by seeds, and parts of them as the rubric says") {
  const std::uint64_t a = 1, b = another({a}), c = another({a, b});
  CHECK(points("2 points", line(a, "right")) == 200);
  CHECK(points("2 points", line(a, "hint")) == 0);
  CHECK(points("2 points", "") == 0);
  CHECK(points("2 points, hint 1/4", line(a, "hint")) == 50);
  CHECK(points("2 points, hint 1/4", line(a, "99")) == 0);  // wrong, and no known confusion
  CHECK(points("3 points, 3 seeds", line(a, "right") + line(b, "right")) == 200);
  CHECK(points("3 points, 3 seeds", line(a, "right") + line(b, "right") + line(c, "right")) == 300);
  CHECK(points("3 points, 2 seeds, hint 1/2", line(a, "right") + line(b, "hint") + line(c, "99")) == 225);  // the best two
  CHECK(points("3 points, 3 seeds, some 1/2", line(a, "right") + line(b, "99")) == 150);
  CHECK(points("3 points, 3 seeds, some 0", line(a, "right") + line(b, "right")) == 0);
  CHECK(points("1 point, 3 seeds", line(a, "right")) == 33);
  CHECK(graded_log(rubric("lesson: a\none: 3 points, 3 seeds"), line(a, "right")).items[0].words == "1 of 3 seeds right");
}

TEST_CASE("seeds that ask the same count once") {
  const std::uint64_t a = 1, same = another({a}, true);
  CHECK(points("2 points, 2 seeds", line(a, "right") + line(same, "right")) == 100);
  CHECK(points("2 points, 2 seeds", line(a, "right") + line(another({a}), "right")) == 200);
}

TEST_CASE("of seeds that are named no others count, and who guesses at many has won nothing") {
  std::string guesses;
  for (std::uint64_t seed = 0; seed < 50; ++seed) guesses += line(seed, "5");  // right for one draw in eight
  CHECK(points("2 points", guesses) == 200);
  CHECK(points("2 points, seeds 1..2", line(3, "right") + line(4, "right")) == 0);
  CHECK(points("2 points, seeds 1..2", line(1, "right") + line(3, "right")) ==
        (points("2 points, seed 1", line(2, "right")) > 0 ? 200 : 100));
  CHECK(points("2 points, seed 7", line(7, "right")) == 200);
  CHECK(points("2 points, seeds 0..99", guesses) < 50);
  const OpenRubric all = rubric("lesson: a\none: 8 points, seeds 0..99");
  CHECK(all.rubric().items[0].seeds == 8);  // n is 2 to 9: a hundred seeds ask no more
  CHECK(rubric("lesson: a\none: 8 points, seeds 5..5").rubric().items[0].seeds == 1);
}

TEST_CASE("what is answered at a slider counts where the rubric names it") {
  const auto slider = [](const std::string& answer) {
    const OpenLesson opened = OneAsk::open(kLesson);
    WorklogEntry entry{1, "", hash_of(std::get<Vary>(opened.lesson().parts[opened.find_vary(1).value()])), 0, answer, true};
    entry.vary = 1;
    return to_line(entry) + "\n";
  };
  const OpenRubric by = rubric("lesson: a\none: 1 point\nvary 1: 2 points");
  CHECK(graded_log(by, slider("2, 3")).points == 200);
  CHECK(graded_log(by, slider("1, 3")).points == 0);
  CHECK(has(graded_log(by, slider("1, 3")).remarks, "vary 1, seed 0: the log says right"));
  CHECK(graded_log(rubric("lesson: a\none: 1 point"), slider("2, 3")).points == 0);
}

TEST_CASE("of several tries the first, the last or the best counts") {
  const std::string log = line(1, "hint") + line(1, "right") + line(1, "99");
  const auto by = [&](const std::string& tries, const std::string& of) {
    return graded_log(rubric(tries + "lesson: a\none: 2 points, hint 1/2"), of).points;
  };
  CHECK(by("", log) == 0);
  CHECK(by("tries: last\n", log) == 0);
  CHECK(by("tries: first\n", log) == 100);
  CHECK(by("tries: best\n", log) == 200);
  CHECK(by("", line(1, "99") + line(1, "right")) == 200);
}

TEST_CASE("what is answered after the answer was shown is not right") {
  for (const std::string tries : {"tries: last\n", "tries: best\n"}) {
    const OpenRubric by = rubric(tries + "lesson: a\none: 2 points\nwide: 2 points");
    CHECK(graded_log(by, line(1, "shown") + line(1, "right")).points == 0);
    CHECK(graded_log(by, line(1, "shown") + line(another({1}), "right")).points == 200);  // another question
    // A page that could not grade an answer has shown a right one beside it.
    std::string open = line(0, "A = (8,8):(1,1)", false, "wide");
    open.replace(open.find("false"), 5, "null");
    CHECK(graded_log(by, open + line(0, "(8,8):(9,1)", true, "wide")).points == 0);
    CHECK(graded_log(by, line(0, "(8,8):(9,1)", true, "wide")).points == 200);
  }
  CHECK(points("2 points", line(1, "right") + line(1, "shown")) == 0);
}

TEST_CASE("what a log says of itself is not believed, and remarked upon") {
  const OpenRubric by = rubric("lesson: a\none: 2 points");
  const GradedSubmission lied = graded_log(by, line(1, "99", true));
  CHECK(lied.points == 0);
  CHECK(has(lied.remarks, "alice.jsonl, line 1: one, seed 1: the log says right"));
  const GradedSubmission modest = graded_log(by, line(1, "right", false));
  CHECK(modest.points == 200);
  CHECK(has(modest.remarks, "the log says wrong"));
  std::string changed = line(1, "99", true);
  changed.replace(changed.find("\"hash\":\"") + 8, 4, "0000");
  CHECK(has(graded_log(by, changed).remarks, "the question has changed since, and the log says right"));
  CHECK(graded_log(by, line(1, "right")).remarks.empty());
}

TEST_CASE("a line that cannot be read costs that line alone") {
  const OpenRubric by = rubric("lesson: a\none: 2 points");
  const std::string elsewhere = "{\"lesson\":9,\"question\":\"x\",\"hash\":\"\",\"seed\":1,\"answer\":\"\",\"right\":true}\n";
  const GradedSubmission made =
      graded_log(by, "{\n\xff\xfe\n[1]\nx\ny\n" + elsewhere + line(1, std::string(10'000'000, '1')) + line(2, "right"));
  CHECK(made.points == 200);
  CHECK(has(made.remarks, "alice.jsonl, line 1: "));
  CHECK(has(made.remarks, "3 more lines that cannot be read"));
  CHECK(has(made.remarks, "1 answer is of lessons that the rubric does not name"));
  for (const std::string& each : made.remarks) CHECK(each.size() < 1000);
  CHECK(has(grade_submission(by, {"a", {{"a.jsonl", Error{ErrorCode::io, "a.jsonl is a pipe", {}, {}}}}, {}, {"a/b is a folder"}}).remarks,
            "a.jsonl is a pipe"));
  CHECK(has(graded_log(by, " \n\n").remarks, "alice.jsonl is empty"));
}

TEST_CASE("ten thousand lines are graded as far as the limit goes, and so are answers that never end") {
  std::string log;
  for (int i = 0; i < 10'000; ++i) log += line(1, "right");
  const GradedSubmission made = graded_log(rubric("lesson: a\none: 2 points"), log);
  CHECK(made.points == 200);
  CHECK(has(made.remarks, "only 2000 are graded: 8000 more lines are not graded"));
  const GradedSubmission endless =
      graded_log(rubric("lesson: a\nwide: 2 points"), line(0, "let f(n) = f(n + 1) + f(n + 2)\nlet A = f(0)", true, "wide"));
  CHECK(endless.points == 0);
  const GradedSubmission document =
      graded_document(rubric("document:\nA: 1 point\nsame as: 4:1"), "let A = 4:1\nlet f(n) = f(n + 1) + f(n + 2)\nlet b = f(0)\n");
  CHECK(document.points == 100);
}

TEST_CASE("a binding gives its points where all conditions hold, and else the largest share of one that does") {
  const OpenRubric by = rubric(
      "document:\nlet spare = (6,10):(12,1)\nA: 2 points\nsame as: spare\nsA: 3 points\naccept: size(it) == 64\naccept: is_injective(it)\n"
      "accept 1/2: is_injective(it)\naccept 1/3: rank(it) == 2");
  const auto sum = [&](const std::string& text) { return graded_document(by, text).points; };
  CHECK(sum("let A = (6,10):(12,1)\nlet sA = (8,8):(9,1)") == 500);
  CHECK(sum("let A = ((2,3),10):((12,24),1)") == 200);  // the same function
  CHECK(sum("let A = (10,6):(1,12)") == 0);
  CHECK(sum("let sA = (8,4):(9,1)") == 150);
  CHECK(sum("let sA = (8,8):(1,1)") == 100);
  CHECK(graded_document(by, "let A = (10,6):(1,12)").items[0].words == "its first mode has 10 elements; 6 are wanted");
  CHECK(has(graded_document(by, "let A = x + 1").remarks, "alice.tess: "));
  CHECK(has(graded_document(by, "let A = (((").remarks, "alice.tess"));
  CHECK(graded_document(by, "let A = (((\nlet sA = (8,8):(9,1)").points == 300);  // a line spoils itself only
  CHECK(graded_log(by, "").items[0].words == "no document");
}

TEST_CASE("nothing that a submission defines is seen by the rubric") {
  const OpenRubric by = rubric(
      "document:\nlet spare = (6,10):(12,1)\nA: 2 points\nsame as: spare\nsA: 3 points\n"
      "accept: size(it) == 64 and is_injective(it) and cosize(it) == size(spare)\n");
  const std::string takes =
      "let size(x) = 64\nlet is_injective(x) = true\nlet cosize(x) = 60\nlet rank(x) = 2\nlet spare = 4:1\nlet it = 64:1\nlet same(a, b) = "
      "true\n";
  for (const char* attack : {
           "let A = spare",
           "let A = it",
           "let sA = it",
           "let sA = (8,8):(0,0)",
           "let sA(x) = 64",
           "let sA = true",
           "let sA = (sA, true)",
           "let sA = \"size(it) == 64\"",
           "let sA = {4:1}",
           "let sA = (is_injective, 4)",
           "auto sA = [](auto x) { return true; };",
           "struct Mine { bool is_best = true; }; Mine sA;",
           "def sA(x):\n  return True",
           "assert false\nlet A = same",
       }) {
    INFO(attack);
    CHECK(graded_document(by, takes + attack).points == 0);
    CHECK(graded_document(by, attack).points == 0);
  }
  // Nor is one student's seen by the next one's grade.
  CHECK(graded_document(by, takes + "let A = (6,10):(12,1)").points == 200);
  CHECK(graded_document(by, "let A = (6,10):(12,1)\nlet sA = (8,8):(8,1)\n").points == 200);  // cosize is 64, and 60 is wanted
  const OpenRubric alone = rubric("document:\nf: 1 point\naccept: it(3) == 4 and it(4) == 5");
  CHECK(graded_document(alone, "let f(x) = x + 1").points == 0);  // a function answers whatever is asked
  CHECK(graded_document(alone, "let f = 8:1").points == 0);
}

TEST_CASE("answers of a worklog define nothing for the ones behind them") {
  const OpenRubric by = rubric("lesson: a\none: 1 point\nwide: 2 points");
  const std::string takes = line(0, "let is_injective(x) = true\nlet it = (8,8):(9,1)\nlet A = (8,8):(1,1)", true, "wide");
  CHECK(graded_log(by, takes).points == 0);
  CHECK(graded_log(by, takes + line(1, "right")).points == 100);
}

TEST_CASE("two students with the same seeds and answers in the same order are remarked upon, and not judged") {
  const OpenRubric by = rubric("lesson: a\none: 2 points\ndocument:\nA: 1 point\nsame as: 4:1");
  const auto hand_in = [&](const std::string& name, const std::string& log, const std::string& text = "") {
    Submission made{name, {}, {}, {}};
    if (!log.empty()) made.logs.push_back({name + ".jsonl", log});
    if (!text.empty()) made.documents.push_back({name + ".tess", text});
    return grade_submission(by, made);
  };
  const std::string log = line(1, "99", false) + line(1, "right");
  std::vector<GradedSubmission> graded = {hand_in("alice", log),
                                          hand_in("bob", log + "\n"),
                                          hand_in("carol", line(1, "right") + line(1, "99", false)),
                                          hand_in("dave", "", "let A = 4:1"),
                                          hand_in("eve", "", "let A = 4:1"),
                                          hand_in("fay", "", "let A = 4:1 ")};
  remark_copies(graded);
  CHECK(graded[0].remarks == std::vector<std::string>{"the same seeds and the same 2 answers in the same order, 1 of them wrong, as bob"});
  CHECK(graded[1].remarks ==
        std::vector<std::string>{"the same seeds and the same 2 answers in the same order, 1 of them wrong, as alice"});
  CHECK(graded[2].remarks.empty());
  CHECK(graded[0].points == 200);
  CHECK(graded[3].remarks == std::vector<std::string>{"the same document, byte for byte, as eve"});
  CHECK(graded[5].remarks.empty());
}
