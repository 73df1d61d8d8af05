// SPDX-License-Identifier: BSD-3-Clause
// The steps of grids, and the scene at a step.
#include "core/diagram/parts/steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/budget.hpp"
#include "core/diagram/parts/reading_aids.hpp"

namespace tessera {

namespace {

constexpr std::size_t kNamed = 4;  // coordinates of a panel that a sentence names; the others are counted

// The cells of one panel that a step lights.
struct Lit {
  std::size_t cells = 0;
  std::string named;
};
using LitPanels = std::map<std::size_t, Lit>;  // by panel

std::string step_name(Selects what, std::int64_t n) {
  switch (what) {
    case Selects::thread: return fmt::format("thread T{}", n);
    case Selects::warp: return fmt::format("warp W{}", n);
    case Selects::quad: return fmt::format("quad Q{}", n);
    case Selects::value: return fmt::format("value V{}", n);
    case Selects::coordinate: return {};
    case Selects::row: return fmt::format("row {}", n);
    case Selects::col: return fmt::format("column {}", n);
    case Selects::m: return fmt::format("m = {}", n);
    case Selects::n: return fmt::format("n = {}", n);
    case Selects::k: return fmt::format("k = {}", n);
    case Selects::offset: return fmt::format("offset {}", n);
    case Selects::bank: return fmt::format("bank {}", n);
  }
  return {};
}

// The numbers of this kind that cell i of a grid has: its own, and those of every other owner and place.
std::vector<std::int64_t> numbers_in(CellNumbers cell, const GridColumns& grid, std::size_t at, Selects what) {
  std::vector<std::int64_t> found{number_of(cell, what)};
  for (const OtherPlace& other : grid.places_of(at)) {
    CellNumbers there = cell;
    there.subject.row = other.row, there.subject.col = other.col;
    found.push_back(number_of(there, what));
  }
  const std::span<const Owner> others = grid.others_of(at);
  for (std::size_t i = 0; names_owners(what) && i < others.size(); ++i) {
    cell.subject.thread = others[i].thread;
    cell.subject.value = others[i].value;
    found.push_back(number_of(cell, what));
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  std::erase_if(found, [](std::int64_t n) { return n < 0; });
  return found;
}

std::map<std::int64_t, LitPanels> lit_by_number(const Scene& scene, Selects what) {
  std::map<std::int64_t, LitPanels> lit;
  const bool several = has_several_operands(scene);
  for (std::size_t p = 0; p < scene.panels.size(); ++p) {
    for (const Mark& mark : scene.panels[p].marks) {
      const auto* grid = std::get_if<Grid>(&mark);
      if (!grid || !grid->of->has_subjects()) continue;
      CellNumbers cell = numbers_of(scene.panels[p], *grid->of, several);
      for (std::size_t i = 0; i < grid->of->size() && !late(); ++i) {
        cell.subject = grid->of->subject(i);
        for (const std::int64_t n : numbers_in(cell, *grid->of, i, what)) {
          Lit& panel = lit[n][p];
          const std::string coordinate = panel.cells < kNamed ? scene.coordinate_of(cell.subject) : std::string();
          if (!coordinate.empty()) panel.named += (panel.named.empty() ? "" : ", ") + coordinate;
          ++panel.cells;
        }
      }
    }
  }
  return lit;
}

// "A (0,3), (8,3) and 14 more; B (0,3)"; of a picture of one grid without its name.
std::string places(const Scene& scene, const LitPanels& panels, bool name_panels) {
  std::string words;
  for (const auto& [p, lit] : panels) {
    const Panel& panel = scene.panels[p];
    const std::string name = !panel.id.empty() ? panel.id : panel.name.substr(0, panel.name.find(' '));
    words += words.empty() ? "" : "; ";
    if (name_panels && !name.empty()) words += name + " ";
    words += lit.named.empty()                         ? counted(static_cast<std::int64_t>(lit.cells), "cell")
             : lit.cells > std::min(kNamed, lit.cells) ? fmt::format("{} and {} more", lit.named, lit.cells - kNamed)
                                                       : lit.named;
  }
  return words;
}

std::size_t grids_of(const Scene& scene) {
  return static_cast<std::size_t>(std::count_if(scene.panels.begin(), scene.panels.end(), [](const Panel& panel) {
    return std::any_of(panel.marks.begin(), panel.marks.end(), [](const Mark& mark) { return std::holds_alternative<Grid>(mark); });
  }));
}

// Marks that are no grids, as they stand back.
class StandingBack {
 public:
  explicit StandingBack(Scene& scene) : scene_(scene) {}

  void operator()(Cell& cell) {
    cell.faint = true;
    if (cell.fill != kNoColor) cell.fill = scene_.color(faded(scene_.palette[cell.fill]));
  }
  void operator()(Line& line) { line.color = ink(); }
  void operator()(Arrow& arrow) { arrow.color = ink(); }
  void operator()(Outline&) {}
  void operator()(Label&) {}
  void operator()(Grid&) {}

 private:
  // More of it is left than of a grid's cell, since a bar has no neighbours by which its place is seen.
  Rgb faded(Rgb fill) const {
    double share = 0.5;
    const Rgb paper = scene_.page.paper, text = faint_text_color(paper);
    while (share > 0.01 && contrast(mix(paper, fill, share), text) < kReadable) share *= 0.9;
    return mix(paper, fill, share);
  }
  ColorIndex ink() {
    constexpr double kShare = 0.3;  // of the ink
    return scene_.color(mix(scene_.page.paper, scene_.page.ink, kShare));
  }
  Scene& scene_;
};

void show(Scene& scene, Panel& panel, std::size_t step) {
  StandingBack stand_back(scene);
  std::vector<Mark> marks;
  for (std::size_t i = 0; i < panel.marks.size(); ++i) {
    const ShownIn shown = i < panel.shown.size() ? panel.shown[i] : ShownIn{};
    if (step < shown.first || step > shown.last) continue;
    marks.push_back(std::move(panel.marks[i]));
    if (step > shown.lit) std::visit(stand_back, marks.back());
  }
  panel.marks = std::move(marks);
  panel.shown.clear();
}

}  // namespace

Status add_steps(Scene& scene, Selects what) {
  const std::map<std::int64_t, LitPanels> lit = lit_by_number(scene, what);
  if (lit.empty() && !late()) return matches_nothing(scene, {what, 0, 0, step_name(what, 0)}, "steps");
  if (static_cast<std::int64_t>(lit.size()) > kMostSteps)
    return Error{ErrorCode::limit,
                 fmt::format("a picture has at most {} steps, and this one would have {}", kMostSteps, lit.size()),
                 {},
                 {"crop it, or take steps of another kind: steps=row"}};
  const bool name_panels = grids_of(scene) > 1;
  for (const auto& [n, panels] : lit) {
    scene.steps.push_back(
        {fmt::format("Step {} of {}, {}: {}.", scene.steps.size() + 1, lit.size(), step_name(what, n), places(scene, panels, name_panels)),
         {CellSelector{what, n, n, fmt::format("{}{}", spelling(what), n)}}});
  }
  return Done{};
}

Result<Scene> at_step(Scene scene, std::size_t i) {
  if (scene.steps.empty())
    return Error{ErrorCode::out_of_range,
                 "this figure has no steps",
                 {},
                 {"a timeline has steps, and a picture of grids with steps=thread, steps=k, steps=row, ..."}};
  if (i >= scene.steps.size())
    return Error{ErrorCode::out_of_range, fmt::format("there is no step {}; steps are 1 to {}", i + 1, scene.steps.size()), {}, {}};
  add_step_caption(scene, i);
  for (Panel& panel : scene.panels) {
    if (!panel.shown.empty()) show(scene, panel, i);
  }
  const Selection lit = std::move(scene.steps[i].lit);
  scene.steps.clear();
  TESSERA_CHECK(highlight(scene, lit));
  return scene;
}

}  // namespace tessera
