// SPDX-License-Identifier: BSD-3-Clause
// The lesson's page as a person uses it: typing, painting, choosing, moving, and a class that looks on.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <variant>

#include "tests/studio/studio_driver.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;
using test::StudioDriver;
using Outcome = LessonDesk::Outcome;

namespace {

const std::string kHead = "---\nnumber: 3\ntitle: Ways to answer\ngoal: You answer.\nminutes: 2\n---\n";
const std::string kLesson = kHead + R"(# Numbers

Words with **strong** ones and `code`.

```ask sum
kind:   integer
draw:   a in 1..1000
prompt: What is {{a}} + 1?
answer: a + 1
wrong:  a -> One more.
```

```tess
let tv = ((2,4),(2,2)):((8,1),(4,16))
```

```figure
tv_figure(tv, (4,8):(8,1))
```

```figure
tv_figure(tv, (4,8):(1,4))
```

# Cells

```ask cells
kind:   cells of (4,8)
prompt: Which two are in the corner?
answer: ((0,0), (0,1))
```

# Options

```ask choose
kind:    choice
prompt:  Which?
options: one | two | three
answer:  2
```

```ask order
kind:    order
prompt:  From small to large?
options: three | one | two
answer:  (2,3,1)
```

# Repair

```ask repair
kind:   binding L
prompt: Make it compact.
given:  let L = (4,8):(9,1)
answer: (4,8):(8,1)
```

```vary
param:  s = 4 in (1,2,4)
prompt: When is s more than one?
show:   (4,s):(s,1)
truth:  s > 1
```

```run
rung(3, 128, 128, 32)
```
)";

struct LessonDriver : StudioDriver {
  test::TemporaryFolder folder;
  std::filesystem::path file = folder / "ways.lesson.md";

  explicit LessonDriver(const std::string& text = kLesson, int width = 1280, int height = 800)
      : StudioDriver("let data = (4,8):(8,1)\n", width, height) {
    test::put(file, text);
    act("lesson.open", {{"path", file.string()}});
  }
  void settle() {
    frames(3);
    for (int i = 0; i < 4000 && app.busy(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      frames(1);
    }
    frames(3);
  }
  void act(const char* id, Arguments arguments = {}) {
    app.pending.push_back(studio::Do{id, std::move(arguments)});
    settle();
  }
  LessonDesk& desk() { return *app.bench.lesson.desk; }
  std::string right(const std::string& id) { return desk().answer_of(id); }
  void solve(const std::string& id) {
    (void)desk().asked(id);  // it is made beside the frames
    settle();
    act("lesson.answer", {{"question", id}, {"text", right(id)}});
  }
  bool says(const std::string& part) {
    return std::any_of(app.recorder.items().begin(), app.recorder.items().end(),
                       [&](const studio::RecordedItem& each) { return each.label.find(part) != std::string::npos; });
  }
  void press_settled(ImGuiKey key) {
    press(key);
    settle();
  }
  // The middle of a cell of the grid that is painted.
  ImVec2 cell(const std::string& id, float row, float column) {
    const studio::RecordedItem& grid = item("cells of " + id, "grid");
    return {grid.x + grid.w / 8 * (column + 0.5f), grid.y + grid.h / 4 * (row + 0.5f)};
  }
};

// Is anything of this part of the screen another colour?
bool differs_in(const studio::RecordedItem& part, const studio::Image& a, const studio::Image& b) {
  for (int y = std::max(static_cast<int>(part.y), 0); y < std::min(static_cast<int>(part.y + part.h), a.height); ++y) {
    const std::size_t row = static_cast<std::size_t>(y) * static_cast<std::size_t>(a.width) * 4;
    const auto from = static_cast<std::ptrdiff_t>(row + static_cast<std::size_t>(part.x) * 4),
               length = static_cast<std::ptrdiff_t>(part.w) * 4;
    if (!std::equal(a.rgba.begin() + from, a.rgba.begin() + from + length, b.rgba.begin() + from)) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("an answer is typed at once, graded with Enter, and what it opens comes into sight") {
  LessonDriver studio;
  CHECK(studio.shows("3. Ways to answer", "text"));
  CHECK(studio.shows("Words with strong ones and code.", "text"));
  CHECK_FALSE(studio.shows("figure 3", "canvas"));
  const std::string right = studio.right("sum");
  studio.type(std::to_string(std::stoi(right) - 1));  // the field has the keyboard
  studio.press_settled(ImGuiKey_Enter);
  CHECK(studio.says("Not yet: "));
  CHECK(studio.says("One more."));
  studio.retype("answer to sum", right);
  CHECK_FALSE(studio.says("Not yet: "));
  studio.press_settled(ImGuiKey_Enter);
  CHECK(studio.says("Right."));
  CHECK(studio.shows("figure 3", "canvas"));
  CHECK(studio.desk().log().size() == 2);
  studio.press_settled(ImGuiKey_Enter);  // nothing is open here: it goes on
  CHECK(studio.desk().screen() == 1);
  studio.press_settled(ImGuiKey_PageUp);
  CHECK(studio.desk().screen() == 0);
}

TEST_CASE("who wants to go on before the answer is told so, and the field has the keyboard") {
  LessonDriver studio;
  studio.click("Next", "button");
  studio.settle();
  CHECK(studio.desk().screen() == 0);
  CHECK(studio.shows("What follows comes after the answer.", "text"));
  studio.type("7");
  CHECK(studio.item("answer to sum", "edit").value == "7");
  studio.click("Show me", "button");
  studio.settle();
  CHECK(studio.says("It is " + studio.right("sum") + "."));
  CHECK(studio.desk().log().back().given_up);
  studio.click("Next", "button");
  studio.settle();
  CHECK(studio.desk().screen() == 1);
  studio.click("Back", "button");
  studio.settle();
  studio.click("Another one", "button");
  studio.settle();
  CHECK(studio.desk().asked("sum")->outcome == Outcome::open);
  CHECK(studio.shows("figure 3", "canvas"));
}

TEST_CASE("figures of a screen light up together, and the wheel turns the page but with Ctrl the picture") {
  LessonDriver studio(kLesson, 800, 600);
  studio.solve("sum");
  studio.act("lesson.go", {{"screen", "1"}});
  const studio::RecordedItem canvas = studio.item("figure 3", "canvas");
  REQUIRE(studio.shows("figure 4", "canvas"));
  const float scale = studio.app.bench.lesson.canvases.at("figure 3").camera.scale;
  studio.move(canvas.x + canvas.w / 2, canvas.y + 30);
  studio.wheel(-2);
  studio.frames(2);
  CHECK(studio.item("figure 3", "canvas").y < canvas.y - 50);
  CHECK(studio.app.bench.lesson.canvases.at("figure 3").camera.scale == scale);
  const studio::RecordedItem moved = studio.item("figure 3", "canvas");
  studio.move(moved.x + moved.w / 2, moved.y + moved.h / 2);
  studio.hold_ctrl(true);
  studio.wheel(1);
  studio.hold_ctrl(false);
  CHECK(studio.app.bench.lesson.canvases.at("figure 3").camera.scale > scale);
  CHECK(studio.item("figure 3", "canvas").y == moved.y);
}

TEST_CASE("a cell that is pointed at is found in the other figures of its screen") {
  LessonDriver studio(kLesson, 1280, 1400);
  studio.solve("sum");
  const studio::RecordedItem moved = studio.item("figure 3", "canvas");
  const studio::Camera& camera = studio.app.bench.lesson.canvases.at("figure 3").camera;
  const ImVec2 at = camera.to_screen(3.5f, 1.5f);
  const studio::RecordedItem other = studio.item("figure 4", "canvas");
  studio.move(moved.x + moved.w - 4, moved.y + 4);
  const studio::Image before = studio.picture();
  studio.move(moved.x + at.x, moved.y + at.y);
  REQUIRE(studio.app.bench.lesson.hovered);
  CHECK(studio.app.bench.lesson.hovered->figure == "figure 3");
  CHECK(differs_in(other, before, studio.picture()));
}

TEST_CASE("cells are painted by a drag, cleared again, and painted by the keys") {
  LessonDriver studio;
  studio.solve("sum");
  studio.act("lesson.next");
  const ImVec2 first = studio.cell("cells", 0, 0), second = studio.cell("cells", 0, 2);
  studio.move(first.x, first.y);
  studio.drag(second.x - first.x, 0);
  CHECK(studio.desk().asked("cells")->draft == "(0,0) (0,2)");  // in one frame the mouse passes over what lies between
  studio.move(second.x, second.y);
  studio.hold_button(true);
  studio.hold_button(false);
  CHECK(studio.desk().asked("cells")->draft == "(0,0)");
  studio.press(ImGuiKey_LeftArrow);
  studio.press(ImGuiKey_Space);
  studio.frames(2);
  CHECK(studio.desk().asked("cells")->draft == "(0,0) (0,1)");
  CHECK(studio.item("answer to cells", "edit").value == "(0,0) (0,1)");
  studio.press_settled(ImGuiKey_Enter);
  CHECK(studio.desk().asked("cells")->outcome == Outcome::right);
}

TEST_CASE("options are chosen by a click or the keys, and put into an order by buttons, keys and a drag") {
  LessonDriver studio;
  studio.solve("sum");
  studio.solve("cells");
  studio.act("lesson.go", {{"screen", "3"}});
  studio.click("three", "option");
  CHECK(studio.desk().asked("choose")->draft == "c");
  studio.press(ImGuiKey_UpArrow);
  studio.frames(2);
  CHECK(studio.desk().asked("choose")->draft == "b");
  studio.press_settled(ImGuiKey_Enter);
  CHECK(studio.desk().asked("choose")->outcome == Outcome::right);
  CHECK(studio.desk().asked("order")->draft == "a b c");
  studio.click("three: down", "button");
  CHECK(studio.desk().asked("order")->draft == "b a c");
  const studio::RecordedItem dragged = studio.item("three", "row"), last = studio.item("two", "row");
  studio.move(dragged.x + 60, dragged.y + dragged.h / 2);
  studio.drag(0, last.y + last.h - dragged.y);
  studio.frames(2);
  CHECK(studio.desk().asked("order")->draft == "b c a");
  studio.press_with(ImGuiKey_UpArrow, {.shift = true});
  CHECK(studio.desk().asked("order")->draft == "b a c");
  studio.press_with(ImGuiKey_DownArrow, {.shift = true});
  studio.press_settled(ImGuiKey_Enter);
  CHECK(studio.desk().asked("order")->outcome == Outcome::right);
}

TEST_CASE("lines are repaired until they are right, a slider is moved and its question graded, and a GEMM opens its page") {
  LessonDriver studio;
  for (const char* id : {"sum", "cells", "choose", "order"}) studio.solve(id);
  studio.act("lesson.go", {{"screen", "4"}});
  CHECK(studio.item("expression of repair", "edit").value == "let L = (4,8):(9,1)");
  CHECK_FALSE(studio.shows("s", "slider"));
  studio.act("lesson.answer", {{"text", "let L = (4,8):(7,1)"}});
  CHECK(studio.says("Not yet: "));
  studio.retype("expression of repair", "let L = (4,8):(8,1)");
  studio.click("Answer", "button");
  studio.settle();
  CHECK(studio.desk().asked("repair")->outcome == Outcome::right);
  const studio::RecordedItem slider = studio.item("s", "slider");
  CHECK(slider.value == "4");
  studio.move(slider.x + slider.w - 12, slider.y + 13);
  studio.drag(24 - slider.w, 0);
  CHECK(studio.item("s", "slider").value == "1");
  studio.act("lesson.slide", {{"value", "2"}});
  CHECK(studio.item("s", "slider").value == "2");
  studio.act("lesson.slide", {{"value", "1"}});
  CHECK(studio.item("s", "slider").value == "1");
  for (const char* value : {"2", "4"}) studio.act("lesson.tick", {{"value", value}});
  studio.act("lesson.grade_slider");
  CHECK(studio.says("Right: it holds for 2, 4."));
  studio.act("lesson.run");
  CHECK_FALSE(studio.app.bench.lesson.open);
  CHECK(studio.app.bench.live.open);
  CHECK(studio.app.bench.live.binding == "lesson_gemm");
  studio.act("lesson.back");
  CHECK(studio.app.bench.lesson.open);
  CHECK(studio.desk().screen() == 3);
}

TEST_CASE("a class sees the question, then its answer and what follows, and Escape ends it") {
  LessonDriver studio;
  studio.chord("F5");
  studio.settle();
  CHECK(studio.app.presenting());
  CHECK_FALSE(studio.shows("Back", "button"));
  CHECK(studio.says("What is "));
  CHECK_FALSE(studio.says("It is "));
  studio.press_settled(ImGuiKey_RightArrow);
  CHECK(studio.says("It is " + studio.right("sum") + "."));
  CHECK(studio.shows("figure 3", "canvas"));
  studio.type("b");
  CHECK(studio.shows("black", "blank"));
  studio.press_settled(ImGuiKey_Space);
  CHECK_FALSE(studio.shows("black", "blank"));
  studio.press_settled(ImGuiKey_Space);
  CHECK(studio.says("Which two"));
  studio.press_settled(ImGuiKey_LeftArrow);
  CHECK(studio.says("What is "));
  studio.press_settled(ImGuiKey_Escape);
  CHECK_FALSE(studio.app.presenting());
  CHECK(studio.app.bench.lesson.open);
  CHECK(studio.desk().screen() == 0);
  CHECK(studio.desk().log().empty());
}

TEST_CASE("a lesson that is broken says its line, and a file that is dropped or found opens") {
  LessonDriver studio(kHead + "# A\n{{nobody}}\n");
  CHECK(studio.shows("This is no lesson yet", "text"));
  CHECK(studio.says("ways.lesson.md: line 8, column 3"));
  test::put(studio.file, kLesson);
  studio::watch_file(studio.app);
  studio.settle();
  CHECK(studio.says("Words with strong ones"));
  studio.press_settled(ImGuiKey_Escape);  // leaves the field
  studio.press_settled(ImGuiKey_Escape);
  CHECK_FALSE(studio.app.bench.lesson.open);
  CHECK(studio.shows("data", "row"));
  studio.act("lesson.next");
  CHECK(studio.app.status == "no lesson is open");
  studio.app.pending.push_back(studio::Drop{{studio.file.string()}});
  studio.settle();
  CHECK(studio.app.bench.lesson.open);
  studio.act("lesson.open");
  CHECK(studio.shows("lesson 06_tv", "entry"));
}

TEST_CASE("the worklog is written as lines, and no file is replaced by chance") {
  LessonDriver studio;
  studio.act("lesson.answer", {{"text", "0"}});
  studio.solve("sum");
  const std::string path = (studio.folder / "log.jsonl").string();
  studio.act("lesson.save_log", {{"path", path}});
  CHECK(test::contents(path) == to_lines(studio.desk().log()));
  CHECK(studio.desk().log().size() == 2);
  test::put(path, "mine");
  studio.act("lesson.save_log", {{"path", path}});
  CHECK(studio.app.status_is_error);
  CHECK(test::contents(path) == "mine");
  studio.act("lesson.save_log", {{"path", path}, {"replace", "yes"}});
  CHECK(test::contents(path) == to_lines(studio.desk().log()));
}

TEST_CASE("ten megabytes in a field and an answer that never ends keep no frame waiting") {
  LessonDriver studio;
  studio.app.pending.push_back(studio::Do{"lesson.type", {{"question", "sum"}, {"text", std::string(std::size_t{10} << 20, '7')}}});
  studio.settle();
  CHECK(studio.says("An answer has at most 65536 bytes"));
  for (const char* id : {"sum", "cells", "choose", "order"}) studio.solve(id);
  studio.act("lesson.go", {{"screen", "4"}});
  studio.app.pending.push_back(studio::Do{"lesson.answer", {{"text", "let f(x) = f(x + 1) + f(x + 2)\nlet L = f(1)"}}});
  studio.settle();
  CHECK(studio.desk().asked("repair")->outcome == Outcome::open);
}
