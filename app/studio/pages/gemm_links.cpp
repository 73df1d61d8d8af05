// SPDX-License-Identifier: BSD-3-Clause
// From a line to the picture and back, by operations: bars of the timeline say the numbers of theirs, and a copy touches cells.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/studio/pages/gemm_page.hpp"

namespace tessera::studio {
namespace {

using Ops = std::vector<const plan::Op*>;

// What the mouse is on goes before what was chosen.
Ops lit_operations(const LiveState& state) {
  const auto of_line = [&](std::size_t number) {
    const plan::Op* op = number < state.shown->program.size() ? state.shown->program[number].op : nullptr;
    return op ? Ops{op} : Ops();
  };
  if (!state.shown) return {};
  if (state.hot) return of_line(*state.hot);
  if (!state.hot_ops.empty()) return state.hot_ops;
  return state.line ? of_line(*state.line) : Ops();
}

// Numbers of the operations of a bar of the picture; null: it is no bar, or its plan is not the one that is shown.
const std::vector<std::int32_t>* operations_of_bar(const LiveState& state, const Scene& scene, const Subject& subject) {
  if (!state.bars || state.bars->first != state.shown->plan) return nullptr;
  const auto found = state.bars->second.find(scene.words_of(subject));
  return found == state.bars->second.end() ? nullptr : &found->second;
}

bool shows_any(const LiveState& state, const Scene& scene, std::uint32_t subject, const std::vector<std::int32_t>& numbers) {
  const std::vector<std::int32_t>* own = subject == kNoSubject ? nullptr : operations_of_bar(state, scene, scene.subjects[subject]);
  return own && std::any_of(own->begin(), own->end(),
                            [&](std::int32_t each) { return std::find(numbers.begin(), numbers.end(), each) != numbers.end(); });
}

// Of each tensor once; what two operations touch is whole where one of them touches it whole, and else what the first does.
std::vector<Touched> touched_by_all(const LiveState& state, const Ops& ops, const Scene& scene) {
  std::vector<Touched> all;
  for (const plan::Op* op : ops) {
    for (Touched& each : touched_by(*state.shown->plan, *op)) {
      const bool drawn = std::find(scene.tensors.begin(), scene.tensors.end(), each.tensor) != scene.tensors.end();
      const bool known = std::any_of(all.begin(), all.end(), [&](const Touched& other) { return other.tensor == each.tensor; });
      if (drawn && !known) all.push_back(std::move(each));
    }
  }
  return all;
}

void light_cells(const Grid& grid, const Touched& touched, ElementId id, std::vector<ElementId>& cells) {
  const GridColumns& of = *grid.of;
  for (std::uint32_t cell = 0; cell < of.size(); ++cell) {
    if (!of.address.empty() && !touched.has(of.address[cell])) continue;
    id.cell = cell;
    cells.push_back(id);
  }
}

}  // namespace

const std::vector<ElementId>* lit_by_line(LiveState& state, const Figure& figure) {
  const Ops ops = lit_operations(state);
  LiveState::Lit& lit = state.lit;
  if (ops.empty() || !figure.scene) {
    lit = {};
    return nullptr;
  }
  const auto shown = [&] { return lit.cells.empty() ? nullptr : &lit.cells; };
  if (lit.serial == figure.serial && lit.of == ops) return shown();
  lit = {figure.serial, ops, {}, {}};
  const Scene& scene = *figure.scene;
  std::vector<std::int32_t> numbers;
  for (const plan::Op* op : ops) {
    for (const std::int32_t each : numbers_of(state.shown->operations, *state.shown->plan, *op)) numbers.push_back(each);
  }
  const std::vector<Touched> touched = touched_by_all(state, ops, scene);
  std::size_t bars = 0;
  for (std::uint32_t panel = 0; panel < scene.panels.size(); ++panel) {
    const auto& marks = scene.panels[panel].marks;
    for (std::uint32_t mark = 0; mark < marks.size(); ++mark) {
      const auto* bar = std::get_if<Cell>(&marks[mark]);
      if (bar && shows_any(state, scene, bar->subject, numbers)) lit.cells.push_back({panel, mark, 0}), ++bars;
      const auto* grid = std::get_if<Grid>(&marks[mark]);
      if (!grid || grid->of->tensor < 0) continue;
      const std::string& tensor = scene.tensors[static_cast<std::size_t>(grid->of->tensor)];
      const auto found = std::find_if(touched.begin(), touched.end(), [&](const Touched& each) { return each.tensor == tensor; });
      if (found != touched.end()) light_cells(*grid, *found, {panel, mark, 0}, lit.cells);
    }
  }
  if (state.picture == "timeline")
    lit.words = bars > 0 ? counted(bars, "bar") : "no bar: it takes no time of its own, or is not drawn";
  else
    lit.words = touched.empty() ? "nothing of the picture" : words_of(touched);
  return shown();
}

void follow_picture(LiveState& state, const Figure& figure, const Hovered* hovered) {
  state.hot_ops.clear();
  if (!hovered || !figure.scene || !state.shown) return;
  const Ops& operations = state.shown->operations;
  bool is_bar = false;
  for (const Subject& link : hovered->links) {
    const std::vector<std::int32_t>* numbers = operations_of_bar(state, *figure.scene, link);
    if (!numbers) continue;
    is_bar = true;
    for (const std::int32_t number : *numbers) state.hot_ops.push_back(operations[static_cast<std::size_t>(number)]);
  }
  const bool has_cells = state.settled && state.settled->plan == state.shown->plan && !hovered->links.empty();
  if (!is_bar && has_cells && hovered->links.front().address >= 0) {
    for (const OpTouches& each : state.settled->touches) {
      const bool touches = std::any_of(each.touched.begin(), each.touched.end(), [&](const Touched& of) {
        return of.tensor == hovered->tensor && of.has(hovered->links.front().address);
      });
      if (touches) state.hot_ops.push_back(each.op);
    }
  }
  if (!is_bar || state.hot_ops.empty() || !ImGui::IsMouseClicked(0)) return;
  const auto& program = state.shown->program;
  const auto line = std::find_if(program.begin(), program.end(), [&](const ProgramLine& each) { return each.op == state.hot_ops.front(); });
  if (line == program.end()) return;
  state.line = static_cast<std::size_t>(line - program.begin());
  state.reveal = 3;
}

}  // namespace tessera::studio
