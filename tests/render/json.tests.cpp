// SPDX-License-Identifier: BSD-3-Clause
// Scenes as JSON: every field of every mark is written, and says what the scene says.
#include <nlohmann/json.hpp>

#include <cmath>
#include <string>
#include <vector>

#include "core/render/shared/render.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/every_mark.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

nlohmann::json marks_of(const Scene& scene) { return nlohmann::json::parse(render_json(scene).value())["panels"][0]["marks"]; }

}  // namespace

TEST_CASE("JSON says every field of every kind of mark", "[json]") {
  const Scene scene = every_mark();
  const nlohmann::json marks = marks_of(scene);
  using Object = nlohmann::json;
  CHECK(marks[0] == Object({{"mark", "cell"},
                            {"x", 1},
                            {"y", 2},
                            {"w", 3},
                            {"h", 4},
                            {"fill", "#0a141e"},
                            {"label", "T5\nV6"},
                            {"faint", true},
                            {"links", Object::array({Object({{"thread", 5},
                                                             {"value", 6},
                                                             {"row", 7},
                                                             {"col", 8},
                                                             {"offset", 9},
                                                             {"bank", 10},
                                                             {"tensor", 0},
                                                             {"coordinate", "(7,8,2)"}}),
                                                     Object({{"thread", 11}, {"row", 7}, {"col", 8}})})}}));
  CHECK(marks[1] == Object({{"mark", "cell"},
                            {"x", 0.5},
                            {"y", 0},
                            {"w", 1},
                            {"h", 1},
                            {"fill", nullptr},
                            {"label", ""},
                            {"links", Object::array({Object({{"words", "what no number says"}})})}}));
  CHECK(marks[2] == Object({{"mark", "outline"}, {"x", 1}, {"y", 2}, {"w", 3}, {"h", 4}, {"role", "grid"}, {"grid", true}}));
  CHECK(marks[3] ==
        Object(
            {{"mark", "outline"}, {"x", 1}, {"y", 2}, {"w", 6}, {"h", 4}, {"role", "grid"}, {"grid", true}, {"step_x", 2}, {"step_y", 1}}));
  CHECK(marks[4] == Object({{"mark", "outline"}, {"x", 5}, {"y", 6}, {"w", 7}, {"h", 8}, {"role", "strong"}, {"grid", false}}));
  CHECK(marks[5] == Object({{"mark", "line"}, {"x0", 1}, {"y0", 2}, {"x1", 3}, {"y1", 4}, {"role", "highlight"}, {"color", "#c86432"}}));
  CHECK(marks[6] == Object({{"mark", "line"}, {"x0", 5}, {"y0", 6}, {"x1", 7}, {"y1", 8}, {"role", "hairline"}, {"color", nullptr}}));
  CHECK(marks[7] == Object({{"mark", "arrow"}, {"x0", 1}, {"y0", 2}, {"x1", 3}, {"y1", 5}, {"color", "#0a141e"}}));
  CHECK(marks[8] ==
        Object({{"mark", "label"}, {"x", 1}, {"y", 2}, {"text", "a legend"}, {"role", "legend"}, {"anchor", "right"}, {"size", 0.7}}));
  // A grid's cells follow each other row by row.
  CHECK(marks[9] == Object({{"mark", "cell"},
                            {"x", 10},
                            {"y", 1},
                            {"w", 2},
                            {"h", 1},
                            {"fill", "#0a141e"},
                            {"label", "T0\nV0"},
                            {"links", Object::array({Object({{"thread", 0},
                                                             {"value", 0},
                                                             {"row", 0},
                                                             {"col", 0},
                                                             {"offset", 0},
                                                             {"bank", 0},
                                                             {"tensor", 0},
                                                             {"coordinate", "(0,0,2)"}})})}}));
  CHECK(marks[10]["links"].size() == 3);
  CHECK(
      marks[10]["links"][2] ==
      Object({{"thread", 32}, {"value", 4}, {"row", 1}, {"col", 0}, {"offset", 2}, {"bank", 2}, {"tensor", 0}, {"coordinate", "(1,0,2)"}}));
  CHECK(marks[11]["faint"] == true);
  CHECK(marks[11]["fill"] == nullptr);
  CHECK(marks[13]["links"][0] == Object({{"row", 1}, {"col", 1}, {"offset", 8}, {"bank", 8}, {"tensor", 0}, {"coordinate", "(1,1,2)"}}));
  CHECK(marks[14]["x"] == 14);
  CHECK(marks[14]["y"] == 2);
  CHECK(marks.size() == 15);
}

TEST_CASE("JSON names every role and anchor apart", "[json]") {
  std::vector<std::string> roles, anchors, strokes;
  for (const LabelRole role : {LabelRole::axis, LabelRole::panel_name, LabelRole::caption, LabelRole::legend, LabelRole::note}) {
    Scene scene;
    scene.panels.push_back({"p", {Label{0, 0, scene.intern("x"), role}}});
    roles.push_back(marks_of(scene)[0]["role"]);
  }
  for (const Anchor anchor : {Anchor::center, Anchor::left, Anchor::right}) {
    Scene scene;
    scene.panels.push_back({"p", {Label{0, 0, scene.intern("x"), LabelRole::axis, anchor}}});
    anchors.push_back(marks_of(scene)[0]["anchor"]);
  }
  for (const StrokeRole role : {StrokeRole::hairline, StrokeRole::grid, StrokeRole::boundary, StrokeRole::strong, StrokeRole::highlight}) {
    Scene scene;
    scene.panels.push_back({"p", {Line{0, 0, 1, 1, role}}});
    strokes.push_back(marks_of(scene)[0]["role"]);
  }
  CHECK(roles == std::vector<std::string>{"axis", "panel_name", "caption", "legend", "note"});
  CHECK(anchors == std::vector<std::string>{"center", "left", "right"});
  CHECK(strokes == std::vector<std::string>{"hairline", "grid", "boundary", "strong", "highlight"});
}

TEST_CASE("JSON begins with what the figure is of, and keeps every panel's name and order", "[json]") {
  Scene scene = every_mark();
  scene.panels.push_back({"second", {}});
  const nlohmann::json json = nlohmann::json::parse(render_json(scene).value());
  CHECK(json["tessera"] == "scene");
  CHECK(json["title"] == "a title");
  CHECK(json["expression"] == "an expression");
  CHECK(json["comments"] == std::vector<std::string>{"one comment", "two"});
  CHECK(json["tensors"] == std::vector<std::string>{"sA"});
  REQUIRE(json["panels"].size() == 2);
  CHECK(json["panels"][0]["name"] == "first");
  CHECK(json["panels"][1]["name"] == "second");
  CHECK(json["panels"][1]["marks"].empty());
}

TEST_CASE("JSON says of each panel its short name and what its axes count, and of lines and arrows what they stand for", "[json]") {
  Scene scene;
  scene.subjects = {{.thread = 3, .value = 1}, {.row = 2, .col = 5}};
  scene.panels.push_back({"the tile", {Line{.subject = 0}, Arrow{.subject = 1}, Arrow{}}, "sA"});
  scene.panels[0].axes = {"k", "m"};
  const nlohmann::json panel = nlohmann::json::parse(render_json(scene).value())["panels"][0];
  CHECK(panel["id"] == "sA");
  CHECK(panel["down"] == "m");
  CHECK(panel["across"] == "k");
  CHECK(panel["marks"][0]["links"] == nlohmann::json::parse(R"([{"thread": 3, "value": 1}])"));
  CHECK(panel["marks"][1]["links"] == nlohmann::json::parse(R"([{"row": 2, "col": 5}])"));
  CHECK_FALSE(panel["marks"][2].contains("links"));
}
