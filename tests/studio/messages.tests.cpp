// SPDX-License-Identifier: BSD-3-Clause
// What the studio says: it stands beside what is hovered, stays in a log, and an error counts until somebody has looked.
#include <string>

#include "app/studio/widgets/messages.hpp"

#include "tests/studio/studio_driver.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;
using test::StudioDriver;

TEST_CASE("a log keeps what was said in its order, the same words once, and forgets the oldest") {
  studio::Messages messages;
  messages.add("saved", false);
  messages.add("no", true);
  messages.add("no", true);
  REQUIRE(messages.all().size() == 2);
  CHECK(messages.all().back().times == 2);
  CHECK(messages.unseen_errors() == 1);
  CHECK(studio::to_text(messages) == "saved\nerror: no  (2 times)\n");
  messages.see_all();
  CHECK(messages.unseen_errors() == 0);
  messages.add("no", true);
  CHECK(messages.unseen_errors() == 1);  // again
  for (std::size_t i = 0; i < studio::kMostMessages; ++i) messages.add(std::to_string(i), false);
  CHECK(messages.all().size() == studio::kMostMessages);
  CHECK(messages.all().front().words == "0");
}

TEST_CASE("what was said stays on the screen while cells are hovered") {
  StudioDriver studio("let data = (4,8):(8,1)\nlet rows = layout_figure(data)\n");
  studio::perform(studio.app, studio::Do{"edit.copy", {{"form", "tess"}, {"binding", "data"}}});
  const std::string said = studio.app.status;
  REQUIRE_FALSE(said.empty());
  const ImVec2 at = studio.cell_on_screen("rows", 5, 2);
  studio.move(at.x, at.y);
  studio.frames(2);
  REQUIRE(studio.app.hovered);
  CHECK(studio.shows(studio.app.hovered->words, "text"));
  CHECK(studio.shows(said, "text"));
}

TEST_CASE("an error counts until the log was opened, whatever is said after it") {
  StudioDriver studio("let data = (4,8):(8,1)\nlet rows = layout_figure(data)\n");
  studio::perform(studio.app, studio::Do{"gemm.run", {{"binding", "data"}}});
  CHECK(studio.app.status_is_error);
  const std::string refused = studio.app.status;
  studio::perform(studio.app, studio::Do{"edit.copy", {{"form", "tess"}, {"binding", "data"}}});
  studio.frames(2);
  REQUIRE(studio.shows("1 error", "text"));
  studio.click("messages", "button");
  CHECK(studio.app.bench.sheet == studio::Sheet::messages);
  CHECK(studio.shows("error: " + refused, "text"));
  studio.click_in("Messages", "Close");
  CHECK(studio.app.bench.sheet == studio::Sheet::none);
  CHECK_FALSE(studio.shows("1 error", "text"));
}
