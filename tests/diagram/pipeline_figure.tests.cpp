// SPDX-License-Identifier: BSD-3-Clause
// The picture of a pipeline is to scale, says the model's own times, and holds what it can show.
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/diagram/kinds/figures.hpp"
#include "core/gemm/pipeline_model.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

FigureSpec spec_of(std::int64_t tiles, std::int64_t load, std::int64_t multiply, std::int64_t stages) {
  FigureSpec spec;
  spec.kind = "pipeline";
  spec.objects.emplace_back(pipeline_model(tiles, load, multiply, stages).value());
  return spec;
}

// The cell of which somebody who points at it is told this.
const Cell* cell_that_says(const Scene& scene, const std::string& words) {
  for (const Panel& panel : scene.panels) {
    for (const Mark& mark : panel.marks) {
      const auto* cell = std::get_if<Cell>(&mark);
      if (cell && cell->subject != kNoSubject && scene.words_of(scene.subjects.at(cell->subject)) == words) return cell;
    }
  }
  return nullptr;
}

}  // namespace

TEST_CASE("the times of a pipeline follow from each other") {
  for (const std::int64_t stages : {1, 2, 3, 7}) {
    const PipelineModel model = pipeline_model(20, 31, 10, stages).value();
    for (std::size_t i = 0; i < model.tiles.size(); ++i) {
      const PipelineTile& tile = model.tiles[i];
      CHECK(tile.copy_to - tile.copy_from == 31);
      CHECK(tile.multiply_to - tile.multiply_from == 10);
      CHECK(tile.multiply_from >= tile.copy_to);
      CHECK(tile.stage == static_cast<std::int64_t>(i) % stages);
      if (i > 0) CHECK(tile.multiply_from >= model.tiles[i - 1].multiply_to);
      const bool first_round = i < static_cast<std::size_t>(stages);
      CHECK(tile.copy_from == (first_round ? 0 : model.tiles[i - static_cast<std::size_t>(stages)].multiply_to));
    }
  }
}

TEST_CASE("bars are as long as what they stand for") {
  const Scene scene = make_figure(spec_of(8, 600, 200, 3)).value();
  const Cell* const copy = cell_that_says(scene, "k-tile 3 is copied to stage 0, from 800 to 1400");
  const Cell* const product = cell_that_says(scene, "k-tile 3 is multiplied, from 1400 to 1600");
  REQUIRE(copy);
  REQUIRE(product);
  CHECK(copy->w == Approx(3 * product->w));
  CHECK(copy->x + copy->w == Approx(product->x));
  CHECK(cell_that_says(scene, "k-tile 2 lies in stage 2 and waits for its turn, from 600 to 1000"));
  CHECK_FALSE(cell_that_says(scene, "k-tile 0 lies in stage 0 and waits for its turn, from 600 to 600"));
}

TEST_CASE("a pipeline is told in a sentence, and refused where it would not be seen") {
  const auto says = [](const Scene& scene, const std::string& words) {
    for (const Mark& mark : scene.panels.back().marks) {
      const auto* label = std::get_if<Label>(&mark);
      if (label && scene.text_of(label->text).find(words) != std::string_view::npos) return true;
    }
    return false;
  };
  CHECK(says(make_figure(spec_of(16, 600, 200, 4)).value(), "After the first copy nobody waits."));
  CHECK(says(make_figure(spec_of(8, 600, 200, 3)).value(), "400 of them pass without a product"));
  CHECK(make_figure(spec_of(65, 6, 2, 3)).error().code == ErrorCode::limit);
  CHECK(make_figure(spec_of(8, 6, 2, 17)).error().code == ErrorCode::limit);
  FigureSpec layout;
  layout.kind = "pipeline";
  layout.objects.emplace_back(Layout::make_compact(IntTuple::tuple({4, 8})).value());
  CHECK(make_figure(layout).error().message.find("pipeline(tiles, load, multiply, stages)") != std::string::npos);
}
