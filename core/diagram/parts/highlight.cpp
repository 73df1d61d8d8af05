// SPDX-License-Identifier: BSD-3-Clause
// Which cells stand out.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/budget.hpp"
#include "core/diagram/parts/reading_aids.hpp"

namespace tessera {

namespace {

bool within(std::int64_t n, const CellSelector& selector) { return n >= selector.first && n <= selector.last; }

// A panel is named by its id, sA, or by the operand that it is, A; without a name every one is meant.
bool is_of_panel(const CellNumbers& cell, std::string_view panel) {
  if (panel.empty() || panel == cell.panel) return true;
  return (panel == "A" && cell.operand == PanelOperand::a) || (panel == "B" && cell.operand == PanelOperand::b) ||
         (panel == "C" && cell.operand == PanelOperand::c);
}

// Does a cell with these numbers match? The owner is that of `cell.subject`.
bool matches(const CellNumbers& cell, const CellSelector& selector) {
  if (selector.what == Selects::coordinate) {
    const Subject& s = cell.subject;
    return is_of_panel(cell, selector.panel) && within(s.row, selector) && s.col >= selector.first_col && s.col <= selector.last_col;
  }
  return within(number_of(cell, selector.what), selector);
}

// Whether the cells of a grid have such a number at all; a cell without an owner may stand in a grid of owned ones.
bool has_number(const GridColumns& grid, CellNumbers cell, const CellSelector& selector) {
  if (names_owners(selector.what)) return !grid.thread.empty();
  if (grid.size() == 0) return false;
  cell.subject = grid.subject(0);
  if (selector.what == Selects::coordinate) return cell.subject.row >= 0;
  if (selector.what == Selects::offset) return !grid.address.empty();
  if (selector.what == Selects::bank) return grid.has_banks();
  return number_of(cell, selector.what) >= 0;
}

// What lights a cell up: the selector's place in the list and what of it, so that neighbours of two threads have a line between them; -1:
// nothing does.
std::int32_t group_of(const GridColumns& grid, std::size_t i, CellNumbers cell, const Selection& selection, std::vector<char>& used) {
  cell.subject = grid.subject(i);
  std::int32_t group = -1;
  const auto look = [&](const CellNumbers& owned, bool first) {
    for (std::size_t s = 0; s < selection.size(); ++s) {
      const CellSelector& each = selection[s];
      if ((!first && !names_owners(each.what)) || !matches(owned, each)) continue;
      used[s] = 1;
      constexpr std::int32_t kRoom = 1 << 26;
      const bool apart = each.what == Selects::thread || each.what == Selects::warp || each.what == Selects::quad;
      if (group < 0)
        group = apart ? static_cast<std::int32_t>(each.what) * kRoom + static_cast<std::int32_t>(number_of(owned, each.what)) : 31 * kRoom;
    }
  };
  look(cell, true);
  for (const Owner& other : grid.others_of(i)) {
    cell.subject.thread = other.thread;
    cell.subject.value = other.value;
    look(cell, false);
  }
  for (const OtherPlace& other : grid.places_of(i)) {
    cell.subject = grid.subject(i);
    cell.subject.row = other.row, cell.subject.col = other.col;
    look(cell, true);
  }
  return group;
}

// The numbers of a kind in the scene. `least` is -1 where there is none. All differences between them are multiples of `step`.
struct Numbers {
  std::int64_t least = -1, most = -1, step = 0;
};

Numbers numbers_in(const Scene& scene, Selects what, bool several) {
  Numbers found;
  for (const Panel& panel : scene.panels) {
    for (const Mark& mark : panel.marks) {
      const auto* grid = std::get_if<Grid>(&mark);
      if (!grid || !grid->of->has_subjects()) continue;
      CellNumbers cell = numbers_of(panel, *grid->of, several);
      const auto look = [&](std::int64_t n) {
        if (n < 0) return;
        if (found.least < 0) found.least = n;
        found.step = std::gcd(found.step, n - found.least);
        found.least = std::min(found.least, n);
        found.most = std::max(found.most, n);
      };
      for (std::size_t i = 0; i < grid->of->size() && !late(); ++i) {
        cell.subject = grid->of->subject(i);
        look(number_of(cell, what));
        for (const OtherPlace& other : grid->of->places_of(i)) {
          cell.subject.row = other.row, cell.subject.col = other.col;
          look(number_of(cell, what));
        }
        if (!names_owners(what)) continue;
        for (const Owner& other : grid->of->others_of(i)) {
          cell.subject.thread = other.thread;
          cell.subject.value = other.value;
          look(number_of(cell, what));
        }
      }
    }
  }
  return found;
}

// "0-7", "3", "0-56 in steps of 8".
std::string words_of(const Numbers& numbers) {
  if (numbers.least == numbers.most) return std::to_string(numbers.least);
  const std::string range = fmt::format("{}-{}", numbers.least, numbers.most);
  return numbers.step > 1 ? fmt::format("{} in steps of {}", range, numbers.step) : range;
}

// The cell before a coordinate that lies between cells: "(5,0)" for (5,2) where a cell stands for eight columns. Empty: there is none.
std::string cell_before(const Scene& scene, const CellSelector& selector, const Numbers& rows, const Numbers& cols) {
  const auto before = [](std::int64_t n, const Numbers& of) -> std::int64_t {
    if (of.least < 0 || n < of.least || n >= of.most + std::max<std::int64_t>(of.step, 1)) return -1;
    return of.step > 1 ? n - (n - of.least) % of.step : n;
  };
  const bool is_one = selector.what == Selects::coordinate && selector.first == selector.last && selector.first_col == selector.last_col;
  const std::int64_t row = is_one ? before(selector.first, rows) : -1, col = is_one ? before(selector.first_col, cols) : -1;
  if (row < 0 || col < 0 || (row == selector.first && col == selector.first_col)) return {};
  const CellSelector there{Selects::coordinate, row, row, {}, col, col, selector.panel};
  return selected_cells(scene, {there}).empty() ? std::string() : fmt::format("{}({},{})", selector.panel, row, col);
}

}  // namespace

Error matches_nothing(const Scene& scene, const CellSelector& selector, std::string_view parameter) {
  const bool several = has_several_operands(scene);
  std::string there;
  Numbers rows, cols;
  for (const Selects what : {Selects::thread, Selects::warp, Selects::quad, Selects::value, Selects::row, Selects::col, Selects::m,
                             Selects::n, Selects::k, Selects::offset, Selects::bank}) {
    const bool operand_axis = what == Selects::m || what == Selects::n || what == Selects::k;
    const bool has_operands =
        std::any_of(scene.panels.begin(), scene.panels.end(), [](const Panel& panel) { return panel.operand != PanelOperand::none; });
    if (operand_axis && !has_operands) continue;
    const Numbers numbers = numbers_in(scene, what, several);
    if (numbers.least < 0) continue;
    if (what == Selects::row) rows = numbers;
    if (what == Selects::col) cols = numbers;
    there += fmt::format("{}{}{}", there.empty() ? "" : ", ", spelling(what), words_of(numbers));
  }
  const std::string before = cell_before(scene, selector, rows, cols);
  return Error{ErrorCode::out_of_range,
               fmt::format("{}: {} matches no cell of the figure", parameter, selector.text),
               {},
               {there.empty()    ? std::string("its cells stand for nothing that can be named")
                : before.empty() ? fmt::format("there are {}", there)
                                 : fmt::format("the cell before it is {}; there are {}", before, there)}};
}

namespace {

// The colours of faint cells, made once each.
class Faded {
 public:
  explicit Faded(Scene& scene) : scene_(scene) {}
  ColorIndex operator()(ColorIndex fill) {
    if (fill == kNoColor) return kNoColor;
    if (fill >= made_.size()) made_.resize(std::size_t{fill} + 1, kNoColor);
    if (made_[fill] == kNoColor) {
      const Rgb rgb = scene_.palette[fill];
      made_[fill] = scene_.color(faded_fill(rgb, scene_.page.paper));
    }
    return made_[fill];
  }

 private:
  Scene& scene_;
  std::vector<ColorIndex> made_;
};

}  // namespace

std::vector<ElementId> selected_cells(const Scene& scene, const Selection& selection) {
  const bool several = has_several_operands(scene);
  std::vector<char> used(selection.size(), 0);
  std::vector<ElementId> found;
  for (std::size_t p = 0; p < scene.panels.size(); ++p) {
    for (std::size_t m = 0; m < scene.panels[p].marks.size(); ++m) {
      const auto* grid = std::get_if<Grid>(&scene.panels[p].marks[m]);
      if (!grid || !grid->of->has_subjects()) continue;
      const CellNumbers cell = numbers_of(scene.panels[p], *grid->of, several);
      for (std::size_t i = 0; i < grid->of->size(); ++i) {
        if (group_of(*grid->of, i, cell, selection, used) < 0) continue;
        found.push_back({static_cast<std::uint32_t>(p), static_cast<std::uint32_t>(m), static_cast<std::uint32_t>(i)});
      }
    }
  }
  return found;
}

std::vector<Subject> meant_subjects(const Scene& scene, const ElementId& id, const Selection& selection) {
  std::vector<Subject> subjects = subjects_of(scene, id);
  const Panel& panel = scene.panels[id.panel];
  const auto* grid = std::get_if<Grid>(&panel.marks[id.mark]);
  if (!grid) return subjects;
  CellNumbers cell = numbers_of(panel, *grid->of, has_several_operands(scene));
  cell.subject = grid->of->subject(id.cell);
  if (std::any_of(selection.begin(), selection.end(),
                  [&](const CellSelector& each) { return !names_owners(each.what) && matches(cell, each); }))
    return subjects;
  std::erase_if(subjects, [&](const Subject& each) {
    return !selects(selection, {static_cast<std::int32_t>(each.thread), static_cast<std::int32_t>(each.value)});
  });
  return subjects;
}

Result<Selection> highlighted(const FigureSpec& spec) {
  TESSERA_TRY(made, read_selection(parameter(spec, "highlight"), "highlight"));
  if (made.empty() && !parameter(spec, "highlight").empty())
    return Error{ErrorCode::parse, "highlight: nothing is named", {}, {"write highlight=T3 or highlight=\"T0-3, rows=0-7\""}};
  TESSERA_TRY(threads, number_set(spec, "thread"));
  for (auto it = threads.begin(); it != threads.end();) {
    CellSelector run{Selects::thread, *it, *it, fmt::format("T{}", *it)};
    for (++it; it != threads.end() && *it == run.last + 1; ++it) ++run.last;
    made.push_back(std::move(run));
  }
  return made;
}

std::string words_of(const Selection& selection) {
  const auto word_of = [](const CellSelector& each) {
    const bool one = each.first == each.last;
    const std::string range = one ? fmt::to_string(each.first) : fmt::format("{}-{}", each.first, each.last);
    const auto named = [&](std::string_view word) { return fmt::format("{}{} {}", word, one ? "" : "s", range); };
    switch (each.what) {
      case Selects::thread: return named("thread");
      case Selects::warp: return named("warp");
      case Selects::quad: return named("quad");
      case Selects::value: return named("value");
      case Selects::coordinate: return each.text;
      case Selects::row: return named("row");
      case Selects::col: return named("column");
      case Selects::m: return fmt::format("m = {}", range);
      case Selects::n: return fmt::format("n = {}", range);
      case Selects::k: return fmt::format("k = {}", range);
      case Selects::offset: return named("offset");
      case Selects::bank: return named("bank");
    }
    return each.text;
  };
  std::string words;
  for (const CellSelector& each : selection) words += (words.empty() ? "" : ", ") + word_of(each);
  return words;
}

std::string highlight_words(const Scene& scene, const Selection& selection) {
  if (selection.empty()) return {};
  const bool by_owners = std::all_of(selection.begin(), selection.end(), [](const CellSelector& each) {
    return each.what == Selects::thread || each.what == Selects::warp || each.what == Selects::quad;
  });
  const std::string lit = words_of(selection);
  if (!by_owners) return fmt::format("Outlined: what belongs to {}; all else is pale.", lit);
  // What lies in memory is read by threads, what has no address is held by them.
  bool reads = false, holds = false;
  for (const Panel& panel : scene.panels) {
    for (const Mark& mark : panel.marks) {
      const auto* grid = std::get_if<Grid>(&mark);
      if (!grid || grid->of->thread.empty()) continue;
      const bool is_input = panel.operand == PanelOperand::a || panel.operand == PanelOperand::b;
      (is_input && !grid->of->address.empty() ? reads : holds) = true;
    }
  }
  const bool one = selection.size() == 1 && selection.front().first == selection.front().last;
  const std::string_view holding = one ? "holds" : "hold", reading = one ? "reads" : "read";
  const std::string does = !reads ? std::string(holding) : !holds ? std::string(reading) : fmt::format("{} or {}", holding, reading);
  return fmt::format("Outlined: what {} {}; all else is pale.", lit, does);
}

Status highlight(Scene& scene, const Selection& selection) {
  if (selection.empty()) return Done{};
  const bool several = has_several_operands(scene);
  std::vector<char> used(selection.size(), 0);
  Faded faded(scene);
  for (Panel& panel : scene.panels) {
    const std::size_t marks = panel.marks.size();  // outlines are added behind them
    for (std::size_t m = 0; m < marks; ++m) {
      const auto* found = std::get_if<Grid>(&panel.marks[m]);
      if (!found || !found->of->has_subjects()) continue;
      const Grid grid = *found;
      const CellNumbers cell = numbers_of(panel, *grid.of, several);
      if (std::none_of(selection.begin(), selection.end(), [&](const CellSelector& s) { return has_number(*grid.of, cell, s); })) continue;
      GridColumns columns = *grid.of;
      std::vector<std::int32_t> groups(columns.size(), -1);
      columns.faint.assign(columns.size(), 0);
      for (std::size_t i = 0; i < columns.size() && !late(); ++i) {
        groups[i] = group_of(columns, i, cell, selection, used);
        columns.faint[i] = groups[i] < 0;
        if (groups[i] < 0 && !columns.fills.empty()) columns.fills[i] = faded(columns.fills[i]);
      }
      std::get<Grid>(panel.marks[m]).of = std::make_shared<const GridColumns>(std::move(columns));
      add_borders(panel, {grid.x, grid.y, grid.of->rows, grid.of->cols, grid.w}, groups, StrokeRole::highlight, true);
    }
  }
  for (std::size_t s = 0; s < selection.size(); ++s) {
    if (!used[s] && !late()) return matches_nothing(scene, selection[s], "highlight");
  }
  return Done{};
}

}  // namespace tessera
