// SPDX-License-Identifier: BSD-3-Clause
// The window's layout: panels that are put away, cameras that go together, layouts under names, and a small window.
#include <algorithm>
#include <string>
#include <utility>

#include "tests/studio/studio_driver.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;
using test::StudioDriver;

namespace {

const char* const kDocument = "let data = (16,16):(16,1)\nlet other = layout_figure((4,8):(1,4))\nlet rows = layout_figure(data)\n";

void act(StudioDriver& studio, const char* id, Arguments arguments = {}) {
  studio.app.pending.push_back(studio::Do{id, std::move(arguments)});
  studio.frames(3);
}

const studio::Camera& camera(StudioDriver& studio, const char* canvas) { return studio.app.bench.canvases.at(canvas).camera; }

}  // namespace

TEST_CASE("panels are put away by key and by handle, and the figures have their room") {
  StudioDriver studio(kDocument);
  const float width = studio.item("rows", "canvas").w;
  studio.chord("Ctrl+B");
  CHECK_FALSE(studio.shows("data", "row"));
  CHECK(studio.item("rows", "canvas").w > width + 60);
  studio.click("Show the list", "button");
  CHECK(studio.shows("data", "row"));
  studio.chord("Ctrl+Shift+B");
  CHECK_FALSE(studio.shows("Inspector", "tab"));
  studio.click("Show the inspector", "button");
  CHECK(studio.item("rows", "canvas").w == Approx(width));
  studio.click("Hide the list", "button");
  CHECK_FALSE(studio.shows("data", "row"));
}

TEST_CASE("a window of 1000 by 640 leaves half of its width to the figures, and all panels can be used") {
  StudioDriver studio(kDocument, 1000, 640);
  float left = 1000, right = 0;
  for (const studio::RecordedItem& item : studio.app.recorder.items()) {
    if (item.role == "canvas") left = std::min(left, item.x), right = std::max(right, item.x + item.w);
    if (item.role == "button" || item.role == "tab" || item.role == "edit") {
      INFO(item.region << " " << item.label);
      CHECK(item.x >= 0);
      CHECK(item.x + item.w <= 1000);
      CHECK(item.y + item.h <= 640);
    }
  }
  CHECK(right - left >= 480);
}

TEST_CASE("buttons of the toolbar do not lie on each other in a small window") {
  StudioDriver studio(kDocument, 1000, 640);
  const auto& items = studio.app.recorder.items();
  for (const studio::RecordedItem& a : items) {
    for (const studio::RecordedItem& b : items) {
      if (&a == &b || a.region != "Toolbar" || b.region != "Toolbar" || a.x > b.x) continue;
      INFO(a.label << " " << b.label);
      CHECK((a.x + a.w <= b.x + 1 || a.y + a.h <= b.y + 1 || b.y + b.h <= a.y + 1));
    }
  }
}

TEST_CASE("the camera goes to a cell's own size, and to the selection") {
  StudioDriver studio(kDocument);
  act(studio, "figure.show", {{"binding", "rows"}});
  studio.chord("Ctrl+1");
  CHECK(camera(studio, "rows").scale == Approx(28));
  act(studio, "cells.select", {{"binding", "rows"}, {"cells", "(4-5,6-9)"}});
  studio.chord("Ctrl+2");
  const studio::Camera now = camera(studio, "rows");
  const studio::RecordedItem canvas = studio.item("rows", "canvas");
  CHECK(now.scale > 28);
  const ImVec2 a = now.to_screen(6, 4), b = now.to_screen(10, 6);
  CHECK(a.x > 0);
  CHECK(a.y > 0);
  CHECK(b.x < canvas.w);
  CHECK(b.y < canvas.h);
  CHECK((a.x + b.x) / 2 == Approx(canvas.w / 2).margin(2));
  studio.chord("Ctrl+0");
  CHECK(studio.app.bench.canvases.at("rows").fitted);
}

TEST_CASE("two canvases of one binding go together, until they are let go") {
  StudioDriver studio(kDocument, 1600, 1000);
  act(studio, "figure.show", {{"binding", "rows"}});
  act(studio, "figure.split_down", {{"binding", "rows"}});
  std::string second;
  for (const auto& [name, canvas] : studio.app.bench.canvases) {
    if (name.starts_with("rows/")) second = name;
  }
  REQUIRE_FALSE(second.empty());
  const ImVec2 at = studio.cell_on_screen("rows", 8, 8);
  studio.move(at.x, at.y);
  studio.wheel(3);
  CHECK(camera(studio, second.c_str()).scale == Approx(camera(studio, "rows").scale));
  const float other = camera(studio, "other").scale;
  studio.chord("Ctrl+L");
  const float before = camera(studio, second.c_str()).scale;
  studio.wheel(3);
  CHECK(camera(studio, second.c_str()).scale == before);
  CHECK(camera(studio, "rows").scale > before);
  CHECK(camera(studio, "other").scale == other);
}

TEST_CASE("a layout is kept under a name, and comes back; what is not known is said") {
  StudioDriver studio(kDocument, 1600, 1000);
  act(studio, "layout.restore");
  CHECK(studio.app.status == "no layout is kept: Save the layout keeps one");
  act(studio, "figure.close", {{"binding", "other"}});
  act(studio, "view.side");
  act(studio, "layout.save", {{"name", "alone"}});
  act(studio, "layout.reset");
  act(studio, "figure.beside", {{"binding", "other"}});
  CHECK(studio.shows("other", "canvas"));
  act(studio, "layout.restore");  // the only one
  CHECK_FALSE(studio.shows("other", "canvas"));
  CHECK_FALSE(studio.shows("Inspector", "tab"));
  act(studio, "layout.save", {{"name", "more"}});
  act(studio, "layout.restore", {{"name", "nothing"}});
  CHECK(studio.app.status == "no layout is called nothing; these are kept: alone, more");
  act(studio, "layout.restore");  // which one?
  studio.click("alone", "button");
  studio.click("OK", "button");
  CHECK(studio.app.status == "layout alone");
  act(studio, "layout.forget", {{"name", "alone"}});
  CHECK(studio.app.settings.layouts.size() == 1);
}

TEST_CASE("every key of the sheet has its words beside it, in both columns") {
  StudioDriver studio(kDocument, 1280, 800);
  studio.chord("F1");
  for (const ActionRow& row : actions()) {
    if (row.keys.empty()) continue;
    INFO(row.id);
    const studio::RecordedItem* keys = studio.app.recorder.find(row.keys, "text");
    REQUIRE(keys);
    const auto& items = studio.app.recorder.items();
    const auto words = items.begin() + (keys - items.data()) + 1;
    CHECK(words->label == row.title);
    CHECK(words->x + words->w < 1280 - 150);
  }
}
