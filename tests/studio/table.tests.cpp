// SPDX-License-Identifier: BSD-3-Clause
// The table page: an answer sorted and filtered by clicks, its rows applied, and the advice that follows the document.
#include <chrono>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "tests/studio/studio_driver.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;
using test::StudioDriver;

namespace {

const char* const kDocument =
    "let sA = (128,32):(32,1)\nlet copy_a = make_tiled_copy(Copy_Atom<UniversalCopy<half_t>, half_t>, (32,4):(4,1), (1,1))\n"
    "let best = find_smem_layout((128,32), read=SM75_U32x4_LDSM_N, write=128)\nlet s = sweep(p * 7 % 10, p=8..12)\n";

struct Tables : StudioDriver {
  Tables() : StudioDriver(kDocument, 1600, 1000) {}
  void act(const char* id, Arguments arguments = {}) {
    app.pending.push_back(studio::Do{id, std::move(arguments)});
    frames(3);
    for (int i = 0; i < 2000 && app.busy(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      frames(1);
    }
    frames(2);
  }
  std::vector<std::string> rows() const {
    std::vector<std::string> found;
    for (const studio::RecordedItem& item : app.recorder.items()) {
      if (item.role == "table row") found.push_back(item.label);
    }
    return found;
  }
  std::string text_of(const char* name) const { return app.session.value_text(name); }
};

}  // namespace

TEST_CASE("an answer is sorted by a click on a column, filtered by words, and closed by Escape") {
  Tables studio;
  studio.act("binding.table", {{"binding", "s"}});
  CHECK(studio.rows() == std::vector<std::string>{"8 | 6", "9 | 3", "10 | 0", "11 | 7", "12 | 4"});
  const std::string second = studio.app.bench.table.table->columns[1];
  studio.click(second, "column");
  CHECK(studio.rows() == std::vector<std::string>{"10 | 0", "9 | 3", "12 | 4", "8 | 6", "11 | 7"});
  studio.click(second, "column");
  CHECK(studio.rows().front() == "11 | 7");
  studio.click(second, "column");
  CHECK(studio.rows().front() == "8 | 6");
  studio.click("Filter the rows", "edit");
  studio.type("p>10");
  CHECK(studio.rows() == std::vector<std::string>{"11 | 7", "12 | 4"});
  studio.press(ImGuiKey_Escape);  // leaves the field
  studio.frames(2);
  studio.press(ImGuiKey_Escape);
  studio.frames(2);
  CHECK_FALSE(studio.app.bench.table.open);
}

TEST_CASE("a layout of a row becomes the layout of a line with two clicks, and one undo takes it back") {
  Tables studio;
  studio.act("figure.show", {{"binding", "best"}});
  studio.click("As a table", "button");
  studio.frames(2);
  const std::vector<std::string> rows = studio.rows();
  REQUIRE(rows.size() > 4);
  const std::string before = studio.text_of("sA");
  studio.click(rows[1], "table row");
  studio.click("Use it for sA", "button");
  studio.frames(2);
  CHECK(studio.text_of("sA") != before);
  CHECK(rows[1].starts_with(studio.text_of("sA")));
  studio.chord("Ctrl+Z");
  CHECK(studio.text_of("sA") == before);
}

TEST_CASE("the advice is a table whose findings are shown and mended, and it follows the document") {
  Tables studio;
  studio.act("document.advise");
  REQUIRE(studio.app.bench.table.table);
  std::string slow;
  for (const std::string& row : studio.rows()) {
    if (slow.empty() && row.starts_with("slow")) slow = row;
  }
  REQUIRE_FALSE(slow.empty());
  studio.click(slow, "table row");
  studio.act("view.fit");  // nothing of the document
  REQUIRE(studio.shows("Fix sA", "button"));
  studio.click("Fix sA", "button");
  studio.act("view.fit");
  for (const std::string& row : studio.rows()) CHECK_FALSE(row.starts_with("slow"));
  CHECK(studio.text_of("sA").find("Sw<") != std::string::npos);
}

TEST_CASE("a table whose line has gone says so, and one of four thousand rows draws those in sight alone") {
  Tables studio;
  studio.act("binding.let", {{"line", "many = sweep(p, p=1..4000)"}});
  studio.act("binding.table", {{"binding", "many"}});
  REQUIRE(studio.app.bench.table.table->rows.size() == 4000);
  CHECK(studio.rows().size() < 60);
  studio.act("binding.delete", {{"binding", "many"}});
  CHECK(studio.rows().empty());
  CHECK(studio.shows("many has no table now: its line has another value, or none", "text"));
}
