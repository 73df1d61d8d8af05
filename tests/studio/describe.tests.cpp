// SPDX-License-Identifier: BSD-3-Clause
// What --describe says at each change of what has the focus.
#include <string>

#include "app/studio/frame/describe.hpp"

#include "tests/studio/studio_driver.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;
using test::StudioDriver;

TEST_CASE("each change of the list's line, of the cell and of the field is one line, and nothing is said twice") {
  StudioDriver studio(
      "let data = (4,8):(8,1)\nlet tv = ((2,4),(2,2)):((8,1),(4,16))\nlet owners = tv_figure(tv, data)\nlet slip = nobody\n");
  studio::Describer describer;
  const auto said = [&] {
    std::string text;
    for (const std::string& line : describer.changes(studio.app)) text += line + "|";
    return text;
  };
  CHECK(said() == "list, line 3 of 4, owners = tv_figure(tv, data)|");
  studio.frames(3);
  CHECK(said().empty());
  studio.app.pending.push_back(studio::Do{"cells.select", {{"binding", "owners"}, {"cells", "(2,5)"}}});
  studio.frames(2);
  CHECK(said() == "figure owners, cell (2,5), thread 4 value 3, offset 21|");
  studio.chord("Ctrl+Left");
  CHECK(said() == "figure owners, cell (2,4), thread 4 value 2, offset 20|");
  studio.app.pending.push_back(studio::Do{"cells.select", {{"binding", "owners"}, {"cells", "T0"}}});
  studio.frames(2);
  CHECK(said() == "figure owners, 4 cells T0, the first, cell (0,0), thread 0 value 0, offset 0|");
  studio.chord("Escape");
  CHECK(said() == "no cell is selected|");
  studio.click("slip", "row");
  CHECK(said().starts_with("list, line 4 of 4, slip = nobody, refused: "));
  studio.click("filter", "edit");
  CHECK(said() == "Bindings, field filter: |");
  studio.type("s");
  CHECK(said().empty());  // letters are the person's own
  studio.app.pending.push_back(studio::Do{"file.export", {{"binding", "owners"}}});
  studio.frames(3);
  CHECK(said().ends_with("Export figure, field for: screen|"));
  studio.press(ImGuiKey_RightArrow);
  studio.frames(2);
  CHECK(said() == "Export figure, field for: LaTeX column|");
}
