// SPDX-License-Identifier: BSD-3-Clause
// The figure of a GEMM in time: bars have the k-tile and the stage of what the roles do, and arrows go from what arrives to who waits.
#include <algorithm>
#include <map>
#include <set>

#include "core/diagram/figures.hpp"
#include "core/gemm/lower/lower.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/gemm_specs.hpp"

using namespace tessera;

namespace {

Scene drawn(const GemmSpec& gemm, std::string k_tiles = {}) {
  FigureSpec spec;
  spec.kind = "timeline";
  spec.objects = {lower(gemm).value()};
  if (!k_tiles.empty()) spec.parameters["k_tiles"] = std::move(k_tiles);
  const Result<Scene> scene = make_figure(spec);
  if (!scene) FAIL(describe(scene.error()));
  return *scene;
}

struct Found {
  std::multiset<std::string> bars;  // texts
  std::set<std::string> texts;      // of labels
  std::map<std::string, std::set<ColorIndex>> colors;
  std::size_t arrows = 0;
};
Found look(const Scene& scene) {
  Found found;
  for (const Mark& mark : scene.panels.front().marks) {
    if (const auto* cell = std::get_if<Cell>(&mark)) {
      const std::string text(scene.text_of(cell->label));
      found.bars.insert(text);
      found.colors[text].insert(cell->fill);
    }
    if (const auto* label = std::get_if<Label>(&mark)) found.texts.insert(std::string(scene.text_of(label->text)));
    found.arrows += std::holds_alternative<Arrow>(mark);
  }
  return found;
}

GemmSpec skewed() { return support::hopper(Overlap::skewed, 512, 256, 384, 256, 128, 2); }

}  // namespace

TEST_CASE("a pipeline's timeline has a copy, its fragments and its product for each k-tile, coloured by stage") {
  const Found found = look(drawn(support::tensor(64, 64, 160, 64, 64, 32, 3)));
  CHECK(found.texts.contains("k_tile 3 in stage 0"));  // the legend's example is one of the bars, and has its colour
  for (const char* k_tile : {"1", "2", "3"}) {
    CAPTURE(k_tile);
    CHECK(found.bars.count(k_tile) == (k_tile[0] == '3' ? 4 : 3));
    CHECK(found.colors.at(k_tile).size() == 1);  // all of a k-tile is in one stage
  }
  CHECK(found.colors.at("1") != found.colors.at("2"));
  CHECK(found.colors.at("0") == found.colors.at("3"));  // k-tile 3 follows k-tile 0 in stage 0
  CHECK(found.bars.count("C 0") == 1);
  CHECK(found.texts.contains("cta"));
  CHECK(!found.texts.contains("waits"));  // a single role waits for nobody
}

TEST_CASE("a tile that waits in registers for its stage has a bar and a colour of its own, and is no store") {
  GemmSpec spec = support::tensor(64, 64, 160, 64, 64, 32, 1);
  spec.copies = Copies::ahead;
  const Found found = look(drawn(spec));
  CHECK(found.texts.contains("k_tile in registers"));
  for (const char* k_tile : {"1", "2", "3"}) {
    CAPTURE(k_tile);
    CHECK(found.bars.count(k_tile) == 4 + (k_tile[0] == '1'));  // fetched, put, its fragments, multiplied; and the legend's example
    CHECK(found.colors.at(k_tile).size() == 2);
    CHECK(found.colors.at(k_tile) == found.colors.at("2"));
  }
  for (const auto& color : found.colors.at("C 0")) CHECK_FALSE(found.colors.at("2").contains(color));
  CHECK_FALSE(look(drawn(support::tensor(64, 64, 160, 64, 64, 32, 3))).texts.contains("k_tile in registers"));
}

TEST_CASE("a timeline without stages has fragments and a product for each k-tile, in one colour") {
  const Scene scene = drawn(support::element_a_thread(true));
  const Found found = look(scene);
  CHECK(found.texts.contains("k_tile 0"));
  for (const Panel& panel : scene.panels) {
    for (const Mark& mark : panel.marks) {
      const auto* label = std::get_if<Label>(&mark);
      if (label != nullptr) CHECK(scene.text_of(label->text).find("stage") == std::string_view::npos);
    }
  }
  CHECK_FALSE(found.texts.contains("copies"));
  for (const char* k_tile : {"0", "1", "2"}) {
    CAPTURE(k_tile);
    CHECK(found.bars.count(k_tile) == (k_tile[0] == '0' ? 3 : 2));
    CHECK(found.colors.at(k_tile) == found.colors.at("0"));
    CHECK(found.colors.at(k_tile).size() == 1);
  }
  CHECK(found.colors.at("C 0") != found.colors.at("0"));
}

TEST_CASE("the timeline of a producer and consumers has a lane for each, and arrows from arrivals to waits") {
  const Found found = look(drawn(skewed()));
  for (const char* role : {"producer", "consumer 0", "consumer 1", "waits", "stage 2"}) CHECK(found.texts.contains(role));
  CHECK(found.bars.count("C 0") == 2);
  CHECK(found.bars.count("C 1") == 2);
  CHECK(found.bars.count("5") == 6);  // two tiles: copied once, multiplied by two consumers
  CHECK(found.arrows > 4);
}

TEST_CASE("what all roles wait for before their work and after it is no part of a timeline") {
  for (const bool clustered : {true, false}) {
    GemmSpec spec = skewed();
    if (!clustered) spec.cluster = 1;
    const Found found = look(drawn(spec));
    CHECK(found.texts.contains("waits"));
    for (const char* barrier : {"cluster", "cta"}) CHECK_FALSE(found.bars.contains(barrier));
  }
}

TEST_CASE("a timeline shows the k-tiles that are asked for, the first and the last where none are") {
  const GemmSpec spec = support::tensor(4096, 4096, 4096);
  const Found first_and_last = look(drawn(spec));
  CHECK(first_and_last.bars.contains("3"));
  CHECK(first_and_last.bars.contains("127"));
  CHECK(!first_and_last.bars.contains("60"));
  CHECK(first_and_last.texts.contains("..."));
  const Found asked = look(drawn(spec, "60-61"));
  CHECK(asked.bars.contains("60"));
  CHECK(!asked.bars.contains("127"));
  FigureSpec beyond;
  beyond.kind = "timeline", beyond.objects = {lower(spec).value()}, beyond.parameters["k_tiles"] = "128";
  const auto refused = make_figure(beyond);
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().message == "k_tile 128 is not one of the 128 tiles of K");
  beyond.objects = {support::layout(4, 1)};
  REQUIRE_FALSE(make_figure(beyond).has_value());
}
