// SPDX-License-Identifier: BSD-3-Clause
// The source page: a program's text beside the pictures of its variables, and what a person does with it.
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

#include <fmt/format.h>

#include "tests/studio/studio_driver.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/source_kernel.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;
using test::StudioDriver;

namespace {

struct SourceDriver : StudioDriver {
  test::TemporaryFolder folder;
  std::filesystem::path file = folder / "gemm.cu";

  explicit SourceDriver(const std::string& text = test::kSourceKernel, int width = 1280, int height = 800)
      : StudioDriver("let data = (4,8):(8,1)\n", width, height) {
    test::put(file, text);
    app.pending.push_back(studio::Do{"source.open", {{"path", file.string()}}});
    settle();
    REQUIRE(state().open);
    REQUIRE(state().reading);
  }
  void settle() {
    frames(2);
    for (int i = 0; i < 2000 && app.bench.source.waiting(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      frames(1);
    }
    frames(3);
  }
  studio::SourceState& state() { return app.bench.source; }
  // Where a part of the text stands on the screen.
  ImVec2 place_of(const std::string& part) {
    const std::string& text = state().editor.buffer.text();
    const std::size_t at = text.find(part);
    REQUIRE(at != std::string::npos);
    const std::size_t line = state().editor.buffer.line_of(at);
    studio::go_to(state().editor, at);
    frames(3);
    const studio::RecordedItem& row = item(std::to_string(line + 1), "line");
    const studio::Face& face = app.fonts.mono;
    const float letter = studio::text_size(face.font, face.size, "0", nullptr).x;
    return {row.x + letter * (static_cast<float>(at - state().editor.buffer.starts()[line]) + 0.5f), row.y + 8};
  }
  std::string value_on_screen(const std::string& name) {
    for (const SourceVariable& each : state().reading->variables) {
      if (each.name == name) return each.words;
    }
    return "";
  }
  bool says(const std::string& part) {
    for (const studio::RecordedItem& each : app.recorder.items()) {
      if (each.label.find(part) != std::string::npos) return true;
    }
    return false;
  }
};

}  // namespace

TEST_CASE("a source is shown as it was written, with what each line came to beside it") {
  SourceDriver studio;
  CHECK(studio.item("text", "edit").value == test::kSourceKernel);
  CHECK(studio.item("line 8", "note").value == "read");
  CHECK(studio.item("line 11", "note").value == "guessed: M=128, K=128");
  CHECK(studio.shows("gemm.cu", "text"));
  CHECK(studio.shows("18 read", "text"));
  CHECK(studio.shows("2 refused", "text"));
  CHECK(studio.shows("Close the source", "button"));
  studio.press(ImGuiKey_Escape);
  studio.frames(2);
  CHECK_FALSE(studio.state().open);
  CHECK(studio.shows("data", "row"));
}

TEST_CASE("a variable that is pointed at shows its value and picture, and one that is clicked stays") {
  SourceDriver studio;
  const ImVec2 at = studio.place_of("sA = make_tensor");
  studio.move(at.x, at.y);
  CHECK(studio.shows("sA of line 25", "canvas"));
  CHECK(studio.shows("(128,32):(32,1)", "text"));
  studio.hold_button(true);
  studio.hold_button(false);
  CHECK(studio.state().chosen == "sA");
  const studio::RecordedItem side = studio.item("Variable", "tab");
  studio.move(side.x, side.y + 200);
  CHECK(studio.shows("sA of line 25", "canvas"));
  const ImVec2 used = studio.place_of("sA_layout);");
  studio.move(used.x, used.y);
  CHECK(studio.shows("sA_layout of line 21", "canvas"));
}

TEST_CASE("up and down go from variable to variable, and what has no picture says its value or its reason") {
  SourceDriver studio;
  REQUIRE(studio.app.bench.source.chosen == "mA");  // the first with a picture
  studio.press(ImGuiKey_DownArrow);
  studio.frames(2);
  CHECK(studio.state().chosen == "mB");
  CHECK(studio.shows("mB of line 12", "canvas"));
  studio.press(ImGuiKey_UpArrow);
  studio.press(ImGuiKey_UpArrow);
  studio.frames(2);
  CHECK(studio.state().chosen == "bK");
  CHECK_FALSE(studio.shows("bK of line 10", "canvas"));
  studio.app.pending.push_back(studio::Do{"source.choose", {{"name", "odd"}}});
  studio.frames(3);
  CHECK(studio.shows("there is no function my_epilogue", "text"));
  studio.app.pending.push_back(studio::Do{"source.choose", {{"name", "nobody"}}});
  studio.frames(3);
  CHECK(studio.app.status == "no variable of the source is called nobody");
}

TEST_CASE("a number that is dragged is given to the program, and pictures of what depends on it follow") {
  SourceDriver studio;
  studio.app.pending.push_back(studio::Do{"source.choose", {{"name", "tAsA"}}});
  studio.frames(3);
  const std::string before = studio.value_on_screen("tAsA"), global = studio.value_on_screen("gA");
  const studio::Image picture = studio.picture();
  const studio::RecordedItem number = studio.item("number 0 of threadIdx.x", "number");
  studio.move(number.x + number.w / 2, number.y + number.h / 2);
  studio.hold_button(true);
  studio.move(number.x + number.w / 2 + 42, number.y + number.h / 2);
  CHECK(studio.shows("tAsA of line 33", "canvas"));  // the last values and their picture stay until the new ones come
  studio.settle();
  studio.hold_button(false);
  CHECK(studio.state().given.at(0).first == "threadIdx.x");
  CHECK(studio.item("threadIdx.x", "outside").value == "5");
  CHECK(studio.value_on_screen("tAsA") != before);
  CHECK(studio.value_on_screen("gA") == global);
  CHECK(test::different_pixels(picture, studio.picture()) > 500);
  CHECK(studio.item("line 33", "note").value == "given: threadIdx.x=5");
  // No thread is beyond those that the copy has.
  studio.move(number.x + number.w / 2, number.y + number.h / 2);
  studio.hold_button(true);
  studio.move(number.x + 8000, number.y);
  studio.hold_button(false);
  studio.settle();
  CHECK(studio.item("threadIdx.x", "outside").value == "255");
  studio.click("Take back threadIdx.x", "button");
  studio.settle();
  CHECK(studio.state().given.empty());
  CHECK(studio.value_on_screen("tAsA") == before);
}

TEST_CASE("a value can be typed, and one that is none is refused beside its name") {
  SourceDriver studio;
  studio.click("M", "outside");
  studio.retype("value of M", "512");
  studio.press(ImGuiKey_Enter);
  studio.settle();
  CHECK(studio.value_on_screen("mA") == "(512,128):(128,1)");
  studio.click("M", "outside");
  studio.retype("value of M", "5 +");
  studio.press(ImGuiKey_Enter);
  studio.settle();
  CHECK(studio.says("the value given for M"));
  CHECK(studio.state().open);
  studio.click("M", "outside");
  studio.press(ImGuiKey_Escape);  // leaves the field alone
  studio.frames(3);
  CHECK(studio.state().open);
}

TEST_CASE("findings are underlined, said at the mouse, and listed with their lines") {
  SourceDriver studio;
  studio.click("Findings 1", "tab");
  CHECK(studio.item("line 33", "listed").value.find("partitioned among 256 threads") != std::string::npos);
  studio.click("line 33", "listed");
  CHECK(studio.item("line 33", "mark").value.find("partitioned among 256") != std::string::npos);
  studio.click("Refused 2", "tab");
  CHECK(studio.item("line 43", "listed").value == "refused: there is no function my_epilogue");
}

TEST_CASE("a source follows its file, and one that vanishes stays as it was") {
  SourceDriver studio;
  test::put(studio.file, "void f() {\n  auto only = make_layout(make_shape(4, 8));\n}\n");
  CHECK(studio::watch_file(studio.app));
  studio.settle();
  CHECK(studio.shows("only of line 2", "canvas"));
  std::filesystem::remove(studio.file);
  CHECK(studio::watch_file(studio.app));
  studio.frames(3);
  CHECK(studio.says("the file cannot be read now, this is what it was"));
  CHECK(studio.shows("only of line 2", "canvas"));
}

TEST_CASE("a kernel that is pasted, dropped or opened is shown as a source; lines are pasted as ever") {
  StudioDriver studio("let data = (4,8):(8,1)\n");
  ImGui::SetClipboardText(test::kSourceKernel);
  studio.chord("Ctrl+V");
  CHECK(studio.app.bench.source.open);
  CHECK(studio.app.bench.source.source.title == "what was pasted");
  CHECK(studio.app.session.bindings().size() == 1);
  studio.app.bench.source.open = false;
  ImGui::SetClipboardText("auto sA = make_layout(make_shape(4, 8));");
  studio.chord("Ctrl+V");
  CHECK_FALSE(studio.app.bench.source.open);
  CHECK(studio.app.session.find("sA"));
  const test::TemporaryFolder folder;
  test::put(folder / "k.cuh", test::kSourceKernel);
  studio.app.pending.push_back(studio::Drop{{(folder / "k.cuh").string()}});
  studio.frames(3);
  CHECK(studio.app.bench.source.source.title == "k.cuh");
  studio.app.bench.source.open = false;
  test::put(folder / "k.py", "def f():\n    a = cute.make_layout((4, 8))\n");
  studio.app.pending.push_back(studio::Open{(folder / "k.py").string()});
  studio.frames(3);
  CHECK(studio.app.bench.source.source.title == "k.py");
  test::put(folder / "bad.cu", std::string("a\0b", 3));
  studio.app.pending.push_back(studio::Open{(folder / "bad.cu").string()});
  studio.frames(3);
  CHECK(studio.app.status.find("is no text") != std::string::npos);
  CHECK(studio.app.bench.source.source.title == "k.py");
}

TEST_CASE("a source becomes a document, and keys change no document that it covers") {
  SourceDriver studio;
  studio.chord("Delete");
  studio.chord("Ctrl+Z");
  CHECK(studio.app.session.find("data"));
  studio.click("Open as a document", "button");
  studio.frames(4);
  CHECK_FALSE(studio.state().open);
  REQUIRE(studio.app.session.find("tAsA"));
  CHECK(to_string(*studio.app.session.find("tAsA")->value) == studio.value_on_screen("tAsA"));
  CHECK(studio.app.session.expression("M") == "128");
}

TEST_CASE("a source of 20,000 lines stays fluent: only lines in sight are drawn") {
  std::string text = "void f() {\n";
  for (int i = 0; i < 20'000; ++i) text += fmt::format("  auto a{} = {};\n", i, i % 64);
  SourceDriver studio(text + "}\n");
  std::size_t lines = 0;
  for (const studio::RecordedItem& each : studio.app.recorder.items()) lines += each.role == "line" ? 1 : 0;
  CHECK(lines < 100);
  studio.app.pending.push_back(studio::Do{"source.choose", {{"name", "a15000"}}});
  studio.frames(3);
  CHECK(studio.shows("15002", "line"));
}
