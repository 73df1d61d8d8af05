// SPDX-License-Identifier: BSD-3-Clause
// The figure of a ring of stages in time: a lane for each stage, which is filled and then read, and one for the products. To scale, in the
// units that somebody declared.
//
//   stage 0   | copy 0      |=0=|      | copy 2      |=2=|
//   stage 1   | copy 1      |....|=1=| | copy 3      |
//   multiply                | 0 || 1 |               | 2 |
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/diagram/kinds/figure_kinds.hpp"
#include "core/diagram/parts/figure_parts.hpp"
#include "core/diagram/parts/scaled_axes.hpp"

namespace tessera {

namespace {

constexpr float kWide = 44, kLane = 1.7F, kBetween = 0.25F, kAside = 0.6F, kType = 0.5F;  // cells
constexpr float kLetter = 0.32F;                                                          // the width of one in a bar
constexpr std::size_t kMostTiles = 64, kMostStages = 16;
constexpr float kNumbersApart = 3;

struct Lanes {
  Scene& scene;
  Panel& panel;
  float step = 1;  // cells a unit

  float x(std::int64_t time) const { return step * static_cast<float>(time); }

  void name(float y, const std::string& words) {
    panel.marks.push_back(Label{-kAside, y + kLane / 2, scene.intern(words), LabelRole::axis, Anchor::right, kType});
  }
  // The longest of the words that has room is written into the bar.
  void bar(std::int64_t from, std::int64_t to, float y, ColorIndex fill, std::initializer_list<std::string> words, std::string said) {
    Cell cell{x(from), y + kBetween / 2, x(to) - x(from), kLane - kBetween, fill};
    for (const std::string& each : words) {
      if (cell.lines > 0 || kLetter * static_cast<float>(each.size() + 1) > cell.w) continue;
      cell.label = scene.intern(each), cell.lines = 1;
    }
    cell.subject = scene.add_words(std::move(said));
    panel.marks.push_back(cell);
    panel.marks.push_back(Outline{cell.x, cell.y, cell.w, cell.h, StrokeRole::grid});
  }
};

void add_axis(Lanes& lanes, std::int64_t duration, float bottom) {
  const std::int64_t apart = units_between_numbers(lanes.step, kNumbersApart);
  const auto number = [&](std::int64_t time) {
    lanes.panel.marks.push_back(Line{lanes.x(time), 0, lanes.x(time), bottom, StrokeRole::hairline});
    lanes.panel.marks.push_back(
        Label{lanes.x(time), bottom + 0.5F, lanes.scene.intern(std::to_string(time)), LabelRole::axis, Anchor::center, kType});
  };
  for (std::int64_t time = 0; time < duration; time += apart) {
    if (static_cast<float>(duration - time) * lanes.step >= kNumbersApart / 2) number(time);
  }
  number(duration);
  lanes.panel.marks.push_back(
      Label{0, bottom + 1.4F, lanes.scene.intern("units as they were declared"), LabelRole::note, Anchor::left, kType});
}

// How one product follows from another's end, in words.
std::string sentence_of(const PipelineModel& model) {
  const auto tiles = static_cast<std::int64_t>(model.tiles.size());
  std::string made = fmt::format("{} in {}, copies of {}, multiplying {} a tile: {} units. ", counted(tiles, "k-tile"),
                                 counted(model.stages, "stage"), model.load, model.multiply, model.duration());
  const std::int64_t beyond = model.waiting() - model.load;  // after the first copy
  return made + (beyond == 0 ? std::string("After the first copy nobody waits.")
                             : fmt::format("After the first copy, {} of them pass without a product.", beyond));
}

}  // namespace

Result<Scene> pipeline_figure(const FigureSpec& spec) {
  TESSERA_CHECK(only_own_style(spec));
  const auto* model = std::get_if<PipelineModel>(&spec.objects.front());
  if (model == nullptr)
    return Error{ErrorCode::wrong_type,
                 fmt::format("this figure needs what pipeline(tiles, load, multiply, stages) answers, and got {}",
                             object_name(spec.objects.front())),
                 {},
                 {"timeline_figure(gemm) draws the order of a GEMM's own steps"}};
  if (model->tiles.size() > kMostTiles || model->stages > static_cast<std::int64_t>(kMostStages)) {
    return Error{ErrorCode::limit,
                 fmt::format("{} k-tiles in {} stages are more than this figure holds, {} in {}", model->tiles.size(), model->stages,
                             kMostTiles, kMostStages),
                 {},
                 {"a chart of many: chart_figure(sweep(pipeline(t, 600, 200, 3).duration, t=1..100))"}};
  }
  TESSERA_TRY(palette, Palette::find(spec.palette));
  Scene scene = begin_scene(spec);
  std::vector<ColorIndex> stages;
  for (std::int64_t stage = 0; stage < model->stages; ++stage) stages.push_back(scene.color(palette.category(stage, model->stages)));
  const ColorIndex held = scene.color(on_page({236, 238, 243}, scene.page)), copied = scene.color(on_page({203, 213, 225}, scene.page));
  Panel panel{"pipeline", {}};
  Lanes lanes{scene, panel, kWide / static_cast<float>(model->duration())};
  const float products = kLane * static_cast<float>(model->stages) + 0.5F, bottom = products + kLane;
  add_axis(lanes, model->duration(), bottom);
  for (std::int64_t stage = 0; stage < model->stages; ++stage)
    lanes.name(kLane * static_cast<float>(stage), fmt::format("stage {}", stage));
  lanes.name(products, "multiply");
  for (std::size_t i = 0; i < model->tiles.size(); ++i) {
    const PipelineTile& tile = model->tiles[i];
    const float y = kLane * static_cast<float>(tile.stage);
    const ColorIndex own = stages[static_cast<std::size_t>(tile.stage)];
    const std::string number = std::to_string(i);
    lanes.bar(tile.copy_from, tile.copy_to, y, copied, {"copy " + number, number},
              fmt::format("k-tile {} is copied to stage {}, from {} to {}", i, tile.stage, tile.copy_from, tile.copy_to));
    if (tile.multiply_from > tile.copy_to)
      lanes.bar(
          tile.copy_to, tile.multiply_from, y, held, {"waits"},
          fmt::format("k-tile {} lies in stage {} and waits for its turn, from {} to {}", i, tile.stage, tile.copy_to, tile.multiply_from));
    lanes.bar(tile.multiply_from, tile.multiply_to, y, own, {number},
              fmt::format("k-tile {} is read from stage {}, from {} to {}", i, tile.stage, tile.multiply_from, tile.multiply_to));
    lanes.bar(tile.multiply_from, tile.multiply_to, products, own, {number},
              fmt::format("k-tile {} is multiplied, from {} to {}", i, tile.multiply_from, tile.multiply_to));
  }
  TESSERA_CHECK(take_cells(static_cast<std::int64_t>(4 * model->tiles.size()), 0, "a pipeline"));
  scene.panels.push_back(std::move(panel));
  add_captions(scene, spec,
               {sentence_of(*model),
                {"a number is a k-tile's; grey: it is copied; a stage's colour: it is read there, and multiplied",
                 "a stage is filled again when its tile has been multiplied; copies go on side by side"},
                {},
                {}},
               1.35F);
  return scene;
}

}  // namespace tessera
