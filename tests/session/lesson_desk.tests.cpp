// SPDX-License-Identifier: BSD-3-Clause
// A person at a lesson: what an answer opens, what is kept of it, and what awkward input does.
#include "app/session/lesson/lesson_desk.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/lesson/kinds.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;
using Outcome = LessonDesk::Outcome;

namespace {

const std::string kLesson = R"(---
number: 1
title: A tile of rows
goal: You find an element.
minutes: 2
---
# Rows

A tile.

```tess
let tile = (4,8):(8,1)
```

```ask offset
kind:   integer
draw:   m in 1..3, n in 1..7
prompt: At which offset lies ({{m}},{{n}})?
answer: tile(m, n)
wrong:  m + n*4 -> A step to the right costs {{tile(0, 1)}}.
```

Here it is.

```figure
tile
```

```ask no_gate
kind:   choice
prompt: Is it compact?
answer: 1
gates:  no
```

# Repair

```ask repair
kind:   binding tile
prompt: Rows behind rows?
given:  let tile = (4,8):(1,1)
answer: (4,8):(8,1)
accept: is_injective(it)
```

```vary
param:  s = 2 in (1,2,4)
prompt: For which s?
show:   (4,s):(s,1)
truth:  s > 1
```

```run
rung(3, 128, 128, 32)
```

# End

The end.
)";

struct Student {
  test::TemporaryFolder home;
  std::filesystem::path file = home / "tiny.lesson.md", kept = home / "kept";
  std::unique_ptr<LessonDesk> desk;

  explicit Student(const std::string& text = kLesson, bool keeps = true) {
    test::put(file, text);
    if (!keeps) kept.clear();
    open();
  }
  void open() {
    desk.reset();  // what is under way ends first
    Result<SourceText> source = open_source_text(file);
    REQUIRE(source);
    desk = std::make_unique<LessonDesk>(*std::move(source), kept);
    desk->wait();
  }
  const LessonDesk::Asked& asked(const std::string& id) {
    REQUIRE(desk->asked(id));
    desk->wait();
    return *desk->asked(id);
  }
  const LessonDesk::Asked& answer(const std::string& id, const std::string& text) {
    (void)asked(id);
    desk->type(id, text);
    desk->answer(id);
    desk->wait();
    return asked(id);
  }
  std::string right(const std::string& id) { return (void)asked(id), desk->answer_of(id); }
  std::string log() const {
    for (const auto& each : std::filesystem::directory_iterator(kept)) {
      if (each.path().extension() == ".jsonl") return test::contents(each.path());
    }
    return {};
  }
  std::size_t shown() const {
    std::size_t count = 0;
    for (const LessonPiece& piece : desk->reading()->screens[desk->screen()].pieces) count += desk->shows(piece) ? 1 : 0;
    return count;
  }
};

}  // namespace

TEST_CASE("what stands below a question comes with its answer, and the next screen behind the last one") {
  Student student;
  LessonDesk& desk = *student.desk;
  REQUIRE(desk.reading());
  CHECK(desk.reading()->screens.size() == 3);
  CHECK(desk.reading()->screens[1].title == "Repair");
  CHECK(student.shown() == 3);  // words, definitions and the question
  CHECK(desk.waits_for() == "offset");
  CHECK_FALSE(desk.go(1));
  CHECK(desk.screen() == 0);
  CHECK_FALSE(student.answer("offset", "0").grade->right);
  CHECK(student.shown() == 3);
  CHECK(student.answer("offset", student.right("offset")).outcome == Outcome::right);
  CHECK(student.shown() == 6);
  CHECK(desk.waits_for().empty());  // the other question has no gate
  CHECK(desk.first_open() == "no_gate");
  CHECK(desk.go(1));
  CHECK(desk.last_open() == 1);
  CHECK(desk.summary() == "1 of 3 right");
}

TEST_CASE("a wrong answer that is known meets its hint, and one that cannot be read says why") {
  Student student;
  const lesson::Question question = **student.asked("offset").question;
  const LessonDesk::Asked& hinted = student.answer("offset", to_string(question.wrong[0]));
  REQUIRE(hinted.grade);
  CHECK(hinted.grade->hint == "A step to the right costs 1.");
  const LessonDesk::Asked& unread = student.answer("offset", "(((");
  REQUIRE(unread.grade);
  CHECK_FALSE(unread.grade->read);
  student.desk->type("offset", "7");
  CHECK_FALSE(student.asked("offset").grade);  // of another answer than the one that stands there
}

TEST_CASE("an answer that is shown is written down as given up, once, and opens what follows") {
  Student student;
  (void)student.asked("offset");
  student.desk->show("offset");
  student.desk->show("offset");
  student.desk->wait();
  CHECK(student.asked("offset").outcome == Outcome::shown);
  CHECK(student.shown() == 6);
  REQUIRE(student.desk->log().size() == 1);
  CHECK(student.desk->log()[0].given_up);
  CHECK_FALSE(student.desk->log()[0].right);
  CHECK(student.log().find("\"given_up\":true") != std::string::npos);
  CHECK(student.desk->summary() == "0 of 3 right, 1 shown");
  CHECK(student.answer("offset", student.right("offset")).outcome == Outcome::right);
  CHECK(student.desk->summary() == "1 of 3 right");
}

TEST_CASE("the log is on the disk before the grade is known, and everything is as it was in another program") {
  Student student;
  (void)student.answer("offset", "0");
  (void)student.answer("offset", student.right("offset"));
  REQUIRE(student.desk->go(1));
  (void)student.asked("repair");
  student.desk->type("repair", "let tile = (4,8):(8,");
  student.desk->slide(student.desk->reading()->screens[1].pieces[2].part, 2);
  student.desk->collect();
  student.desk->wait();
  const std::uint64_t seed = student.desk->place().seed;
  const std::vector<lesson::WorklogEntry> log = student.desk->log();
  student.open();
  CHECK(student.desk->place().seed == seed);
  CHECK(student.desk->screen() == 1);
  REQUIRE(student.desk->log().size() == 2);
  CHECK(to_lines(student.desk->log()) == to_lines(log));
  CHECK(student.asked("offset").outcome == Outcome::right);
  CHECK(student.asked("offset").draft == log[1].answer);
  CHECK(student.asked("repair").draft == "let tile = (4,8):(8,");
  CHECK(to_lines(student.desk->log()) == student.log());
}

TEST_CASE("what was asked for last is kept by a program that ends at once") {
  Student student;
  (void)student.asked("offset");
  student.desk->show("offset");
  student.desk->type("no_gate", "yes");
  student.desk->set_seed(4711);
  student.open();  // without a look at what was under way
  CHECK(student.desk->place().seed == 4711);
  CHECK(student.log().find("\"given_up\":true") != std::string::npos);
  (void)student.asked("repair");
  student.desk->type("repair", "let tile = (4,8):(8,1)");
  student.desk->answer("repair");
  student.open();
  REQUIRE(student.desk->log().size() == 2);
  CHECK(student.desk->log()[1].answer == "let tile = (4,8):(8,1)");
  CHECK((student.desk->log()[1].right || !student.desk->log()[1].graded));
}

TEST_CASE("each line of the log is graded again as it was") {
  Student student;
  (void)student.answer("offset", "0");
  (void)student.answer("offset", student.right("offset"));
  (void)student.answer("repair", "let tile = (4,8):(9,1)");
  for (const lesson::WorklogEntry& each : student.desk->log()) {
    const Result<lesson::WorklogEntry> read = lesson::entry_of(lesson::to_line(each));
    REQUIRE(read);
    const Result<lesson::Regraded> again = lesson::graded_again(student.desk->reading()->opened, *read);
    REQUIRE(again);
    CHECK(again->grade.right == each.right);
    CHECK(again->remark.empty());
  }
  CHECK(student.desk->log().back().right);
}

TEST_CASE("a line that was cut off in the log stays, and the next one is a line of its own") {
  Student student;
  (void)student.answer("offset", "0");
  std::filesystem::path log;
  for (const auto& each : std::filesystem::directory_iterator(student.kept)) {
    if (each.path().extension() == ".jsonl") log = each.path();
  }
  const std::string before = test::contents(log);
  test::put(log, before + "{\"lesson\":1,\"ques");
  student.open();
  CHECK(student.desk->log().size() == 1);
  (void)student.answer("offset", "1");
  CHECK(test::contents(log).find(before + "{\"lesson\":1,\"ques\n{") == 0);
  student.open();
  CHECK(student.desk->log().size() == 2);
}

TEST_CASE("another person has other numbers, a class with one seed the same, and another one is another question") {
  Student one, other;
  CHECK(one.desk->place().seed != other.desk->place().seed);  // of a million
  one.desk->set_seed(7);
  other.desk->set_seed(7);
  const std::string prompt = (*one.asked("offset").question)->prompt;
  CHECK(prompt == (*other.asked("offset").question)->prompt);
  (void)one.answer("offset", one.right("offset"));
  std::string next = prompt;
  for (int i = 0; i < 8 && next == prompt; ++i) {
    one.desk->another("offset");
    next = (*one.asked("offset").question)->prompt;
  }
  CHECK(next != prompt);
  CHECK(one.asked("offset").outcome == Outcome::open);
  CHECK(one.desk->shows(one.desk->reading()->screens[0].pieces[4]));  // what was opened stays open
  const std::uint64_t seed = one.asked("offset").seed;
  one.desk->wait();
  one.open();
  CHECK(one.asked("offset").seed == seed);
}

TEST_CASE("who begins again has other numbers and closed gates, and the log stays") {
  Student student;
  (void)student.answer("offset", student.right("offset"));
  REQUIRE(student.desk->go(1));
  student.desk->begin_again();
  student.desk->wait();
  CHECK(student.desk->screen() == 0);
  CHECK(student.shown() == 3);
  CHECK(student.desk->log().size() == 1);
  student.open();
  CHECK(student.shown() == 3);
  CHECK(student.desk->log().size() == 1);
  CHECK(student.desk->summary() == "0 of 3 right");
}

TEST_CASE("what is given is no answer, and a repair is graded by its condition") {
  Student student;
  const LessonDesk::Asked& asked = student.asked("repair");
  CHECK(asked.draft == "let tile = (4,8):(1,1)");
  student.desk->answer("repair");
  student.desk->wait();
  CHECK(student.desk->log().empty());
  CHECK(student.asked("repair").refused == "There is no answer yet.");
  CHECK_FALSE(student.answer("repair", "let tile = (4,8):(1,2)").grade->right);
  CHECK(student.answer("repair", "let w = 16\nlet tile = (4,8):(w,1)").grade->right);
}

TEST_CASE("an answer of ten megabytes is cut and said, and one that never ends is not right") {
  Student student;
  (void)student.asked("offset");
  student.desk->type("offset", std::string(std::size_t{10} << 20, '7'));
  CHECK(student.asked("offset").draft.size() == lesson::kLongestAnswer);
  CHECK(student.asked("offset").refused == "An answer has at most 65536 bytes, and this one had 10485760: it is cut.");
  student.desk->answer("offset");
  student.desk->wait();
  CHECK_FALSE(student.asked("offset").grade->right);
  CHECK(student.desk->log().back().answer.size() == lesson::kLongestAnswer);
  (void)student.asked("repair");
  student.desk->type("repair", "let f(x) = f(x + 1) + f(x + 2)\nlet tile = f(1)");
  student.desk->answer("repair");
  CHECK(student.desk->waiting());  // it is graded beside the caller
  student.desk->wait();
  CHECK_FALSE(student.asked("repair").grade->right);
}

TEST_CASE("a file that changes is followed, answers stay, and one that breaks leaves what was there") {
  Student student;
  (void)student.answer("offset", student.right("offset"));
  std::string text = kLesson;
  text.replace(text.find("Here it is."), 11, "Look at it.");
  test::put(student.file, text);
  CHECK(student.desk->look_again());
  student.desk->wait();
  CHECK(student.shown() == 6);
  CHECK(student.asked("offset").outcome == Outcome::right);
  text.replace(text.find("tile(m, n)"), 10, "tile(m, q)");
  test::put(student.file, text + "{{nobody}}\n");
  CHECK(student.desk->look_again());
  student.desk->wait();
  REQUIRE(student.desk->refused());
  CHECK(student.desk->refused()->message.find("line 60, column") == 0);
  REQUIRE(student.desk->reading());
  CHECK(student.shown() == 6);
  std::filesystem::remove(student.file);
  CHECK(student.desk->look_again());
  CHECK_FALSE(student.desk->source().lost.empty());
  test::put(student.file, kLesson);
  CHECK(student.desk->look_again());
  student.desk->wait();
  CHECK_FALSE(student.desk->refused());
}

TEST_CASE("a text that is no lesson says the line, and opens when it is mended") {
  Student student("---\nnumber: 1\n---\n# A\n");
  CHECK_FALSE(student.desk->reading());
  REQUIRE(student.desk->refused());
  CHECK(student.desk->refused()->message.find("line ") == 0);
  CHECK_FALSE(student.desk->go(0));
  CHECK(student.desk->asked("offset") == nullptr);
  test::put(student.file, kLesson);
  CHECK(student.desk->look_again());
  student.desk->wait();
  CHECK(student.desk->reading());
}

TEST_CASE("a question that cannot be drawn says so with its line, and keeps nobody") {
  std::string text = kLesson;
  text.replace(text.find("answer: tile(m, n)"), 18, "answer: nobody + m");
  Student student(text);
  REQUIRE(student.desk->reading());
  const LessonDesk::Asked& asked = student.asked("offset");
  REQUIRE(asked.question);
  REQUIRE_FALSE(*asked.question);
  CHECK(asked.question->error().message.find("line 19, column 9") == 0);
  student.desk->answer("offset");
  student.desk->show("offset");
  student.desk->collect();
  student.desk->wait();
  CHECK(student.desk->log().empty());
  CHECK(student.shown() == 6);  // nobody can answer it: it holds nobody up
}

TEST_CASE("a slider's question is graded by the first value that differs") {
  Student student;
  LessonDesk& desk = *student.desk;
  const std::size_t part = desk.reading()->screens[1].pieces[2].part;
  CHECK(desk.slid(part).at == 1);
  desk.tick(part, 0, true);
  desk.answer_slid(part, false);
  CHECK(desk.slid(part).said == "Not yet: look at s = 1.");
  CHECK(desk.slid(part).at == 0);
  desk.tick(part, 0, false);
  desk.tick(part, 1, true);
  desk.tick(part, 2, true);
  desk.answer_slid(part, false);
  CHECK(desk.slid(part).said == "Right: it holds for 2, 4.");
  CHECK(desk.slid(part).outcome == Outcome::right);
  desk.tick(part, 2, false);
  desk.answer_slid(part, true);
  CHECK(desk.slid(part).said == "It holds for 2, 4.");
}

TEST_CASE("what is set at a slider is kept as a page keeps it, and graded again from there") {
  Student student;
  const std::size_t part = student.desk->reading()->screens[1].pieces[2].part;
  student.desk->tick(part, 0, true);
  student.desk->answer_slid(part, false);
  for (const std::size_t i : {0, 1, 2}) student.desk->tick(part, i, i > 0);
  student.desk->answer_slid(part, false);
  student.desk->wait();
  const std::vector<lesson::WorklogEntry> log = student.desk->log();
  REQUIRE(log.size() == 2);
  CHECK(student.log() == to_lines(log));
  CHECK(lesson::to_line(log[0]) ==
        "{\"lesson\":1,\"vary\":1,\"hash\":\"" + log[0].hash + "\",\"seed\":0,\"answer\":\"1\",\"right\":false}");
  CHECK(log[1].answer == "2, 4");
  CHECK(log[1].right);
  for (const lesson::WorklogEntry& each : log) {
    const auto again = lesson::graded_again(student.desk->reading()->opened, each);
    REQUIRE(again);
    CHECK(again->remark.empty());
    CHECK(again->grade.right == each.right);
  }
  CHECK(student.desk->summary() == "0 of 3 right");  // of questions
  // Another program has the same ticks; nothing is ticked where somebody begins again.
  student.open();
  CHECK(student.desk->slid(part).ticked == std::vector<bool>{false, true, true});
  // What was answered at another slider, or before this one asked something else, ticks nothing here.
  lesson::WorklogEntry of_another = log[0], of_before = log[0];
  of_another.vary = 2;
  of_before.hash = "0123456789abcdef";
  for (const lesson::WorklogEntry& each : {of_another, of_before})
    REQUIRE(keep_entry(student.kept, kept_name(student.desk->reading()->head()), each));
  student.open();
  REQUIRE(student.desk->log().size() == 4);
  CHECK(student.desk->slid(part).ticked == std::vector<bool>{false, true, true});
  student.desk->begin_again();
  CHECK(student.desk->slid(part).ticked == std::vector<bool>(3));
  student.desk->answer_slid(part, true);
  student.desk->answer_slid(part, true);
  student.desk->wait();
  REQUIRE(student.desk->log().size() == 5);  // shown once
  CHECK(student.desk->log()[4].given_up);
  CHECK(student.desk->log()[4].answer.empty());
  for (const std::size_t i : {1, 2}) student.desk->tick(part, i, true);
  student.desk->answer_slid(part, true);
  CHECK(student.desk->log().back().right);  // it was right before it was shown
}

TEST_CASE("a class sees each question before its answer, and the answer before what follows") {
  Student student;
  LessonDesk& desk = *student.desk;
  const std::vector<LessonSlide> slides = slides_of(*desk.reading());
  std::vector<std::vector<std::size_t>> seen;
  for (const LessonSlide& each : slides) seen.push_back({each.screen, each.pieces, each.answered});
  CHECK(seen == std::vector<std::vector<std::size_t>>{{0, 3, 0}, {0, 6, 3}, {0, 6, 6}, {1, 2, 0}, {1, 3, 2}, {1, 4, 4}, {2, 1, 1}});
  desk.present(true);
  CHECK(desk.presents());
  CHECK_FALSE(desk.step(false));
  std::size_t steps = 0;
  while (desk.step(true)) ++steps;
  CHECK(steps == slides.size() - 1);
  CHECK(desk.screen() == 0);  // the person's own place stays
}

TEST_CASE("a run says its GEMM without names of the lesson") {
  Student student;
  const auto& gemm = std::get<LessonGemm>(student.desk->reading()->screens[1].pieces[3].content);
  CHECK(gemm.shown == "rung(3, 128, 128, 32)");
  CHECK(gemm.expression.find("gemm(") == 0);
}

TEST_CASE("where nothing can be kept the lesson goes on, and says so") {
  Student student(kLesson, false);
  CHECK(student.desk->place().seed == 0);
  (void)student.answer("offset", student.right("offset"));
  CHECK(student.shown() == 6);
  test::put(student.home / "kept", "a file in the place of the folder");
  student.kept = student.home / "kept";
  student.open();
  CHECK(student.desk->unkept());
  (void)student.answer("offset", student.right("offset"));
  CHECK(student.shown() == 6);
}

TEST_CASE("the lessons that come with the program are read, each with its screens") {
  const std::vector<LessonName> all = own_lessons();
  CHECK(all.size() >= 9);
  for (const LessonName& each : all) {
    INFO(each.name);
    CHECK_FALSE(each.title.empty());
    const Result<std::string> path = lesson_file(each.name);
    REQUIRE(path);
    const Result<SourceText> source = open_source_text(*path);
    REQUIRE(source);
    const auto read = read_lesson_screens(*source->text);
    if (!read) FAIL(read.error().message);
    CHECK((*read)->screens.size() > 3);
    CHECK((*read)->questions >= 6);
  }
  const Result<std::string> none = lesson_file("06_vt");
  REQUIRE_FALSE(none);
  CHECK(none.error().notes.at(0).find("06_tv") != std::string::npos);
}
