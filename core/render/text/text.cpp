// SPDX-License-Identifier: BSD-3-Clause
// Scene -> characters: each grid of cells as a table with its labels, in boxes, as Markdown, or as CSV. What is no grid has no such form.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/table_text.hpp"
#include "core/base/utf8.hpp"
#include "core/render/shared/progress.hpp"
#include "core/render/shared/render.hpp"

namespace tessera {

namespace {

// The cells of a panel by row and column of its grid; a place without a cell is empty.
struct Table {
  std::string heading;
  std::size_t rows = 0, columns = 0;
  std::vector<std::string> cells;         // [row * columns + column]
  std::vector<std::string> down, across;  // what rows and columns are called
  const std::string& at(std::size_t row, std::size_t column) const { return cells[row * columns + column]; }
};

std::string padded(std::string text, std::size_t to) {
  text.insert(0, to - std::min(to, screen_width(text)), ' ');
  return text;
}

// A cell of a grid, or where the panel has none a unit cell; bars, swatches and what is drawn around a grid are others.
bool in_table(const Scene& scene, const CellView& cell) {
  const std::vector<Mark>& marks = scene.panels[cell.id.panel].marks;
  const auto is_grid = [](const Mark& mark) { return std::holds_alternative<Grid>(mark); };
  return is_grid(marks[cell.id.mark]) || (cell.w == 1 && cell.h == 1 && std::none_of(marks.begin(), marks.end(), is_grid));
}

// Do names stand on cells of this panel, each on several at once? Then no cell has a label of its own.
bool has_names_on_cells(const Scene& scene, const Bounds& box) {
  return std::any_of(scene.panels.begin(), scene.panels.end(), [&](const Panel& panel) {
    return std::any_of(panel.marks.begin(), panel.marks.end(), [&](const Mark& mark) {
      const auto* label = std::get_if<Label>(&mark);
      return label && label->role == LabelRole::legend && label->x > box.x0 && label->x < box.x1 && label->y > box.y0 && label->y < box.y1;
    });
  });
}

// "T3 V1"; empty where nobody has it.
std::string owner_of(const Scene& scene, const CellView& cell) {
  const auto subject = subject_of(scene, cell.id);
  if (!subject || subject->thread < 0) return {};
  return subject->value < 0 ? fmt::format("T{}", subject->thread) : fmt::format("T{} V{}", subject->thread, subject->value);
}

// Rows or columns as the numbers beside the grid count them: from where it begins, and by how many; else by their place in the table.
std::vector<std::string> numbers_of(const Scene& scene, const Panel& panel, bool rows, float first, float step, std::size_t count) {
  std::vector<std::pair<std::int64_t, std::int64_t>> said;  // place, number
  for (const Mark& mark : panel.marks) {
    const auto* label = std::get_if<Label>(&mark);
    if (!label || label->role != LabelRole::axis || (label->anchor == Anchor::right) != rows) continue;
    const std::string_view text = scene.text_of(label->text);
    const float place = ((rows ? label->y : label->x) - first) / step - 0.5f;
    const bool is_number =
        !text.empty() && text.size() < 10 && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (is_number && std::abs(place - std::round(place)) < 0.01f && place > -0.5f && place < static_cast<float>(count))
      said.emplace_back(std::lround(place), std::stoll(std::string(text)));
  }
  std::sort(said.begin(), said.end());
  std::int64_t begin = 0, by = 1;
  if (said.size() == 1) begin = said[0].second - said[0].first;
  if (said.size() > 1 && said[1].first > said[0].first) {
    by = (said[1].second - said[0].second) / (said[1].first - said[0].first);
    begin = said[0].second - by * said[0].first;
  }
  const bool is_even = std::all_of(said.begin(), said.end(), [&](const auto& each) { return each.second == begin + by * each.first; });
  std::vector<std::string> numbers;
  for (std::size_t i = 0; i < count; ++i)
    numbers.push_back(std::to_string(is_even ? begin + by * static_cast<std::int64_t>(i) : static_cast<std::int64_t>(i)));
  return numbers;
}

// The sign of a cell with several owners, which a picture marks with a triangle.
constexpr std::string_view kShared = "*";

bool is_shared(const Scene& scene, const CellView& cell) {
  const auto* grid = std::get_if<Grid>(&scene.panels[cell.id.panel].marks[cell.id.mark]);
  return grid && grid->of->marks_shared() && !grid->of->others_of(cell.id.cell).empty();
}

// A coordinate beyond the object, which a picture has in grey.
constexpr std::string_view kGrey = "grey: ";

bool says_grey(const Scene& scene) {
  return std::any_of(scene.said.begin(), scene.said.end(), [](const SaidWords& each) { return each.words.starts_with(kGrey); });
}

bool is_beyond(const Scene& scene, const CellView& cell) {
  const auto* grid = std::get_if<Grid>(&scene.panels[cell.id.panel].marks[cell.id.mark]);
  return grid && grid->of->place == GridColumns::Place::given && cell.id.cell < grid->of->row.size() && grid->of->row[cell.id.cell] < 0;
}

// What stands below a picture, without what says how it looks: a line each.
std::vector<std::string> words_below(const Scene& scene) {
  constexpr std::string_view kMark = "black triangle";
  std::vector<std::string> made;
  for (const SaidWords& each : scene.said) {
    if (!scene.is_said_below || each.of == SaidWords::Of::lines || each.of == SaidWords::Of::colors) continue;
    std::string words = each.words;
    if (words.starts_with(kMark)) words.replace(0, kMark.size(), kShared);
    if (words.starts_with(kGrey)) words.replace(0, kGrey.size(), "in parentheses: ");
    made.push_back(std::move(words));
  }
  return made;
}

std::optional<Table> table_of(const Scene& scene, std::size_t panel, TextForm form) {
  Bounds box{INFINITY, INFINITY, -INFINITY, -INFINITY};
  float w = 1;
  each_cell(scene, panel, [&](const CellView& cell) {
    if (!in_table(scene, cell)) return;
    w = cell.w;
    box = {std::min(box.x0, cell.x), std::min(box.y0, cell.y), std::max(box.x1, cell.x), std::max(box.y1, cell.y)};
  });
  if (!(box.x0 <= box.x1)) return std::nullopt;
  const bool has_grey = says_grey(scene);
  Table table;
  table.heading = scene.panels[panel].name;
  table.rows = static_cast<std::size_t>(std::lround(box.height())) + 1;
  table.columns = static_cast<std::size_t>(std::lround(box.width() / w)) + 1;
  table.cells.resize(table.rows * table.columns);
  table.down = numbers_of(scene, scene.panels[panel], true, box.y0, 1, table.rows);
  table.across = numbers_of(scene, scene.panels[panel], false, box.x0, w, table.columns);
  bool any_label = false;
  each_cell(scene, panel, [&](const CellView& cell) { any_label = any_label || (in_table(scene, cell) && !cell.label.empty()); });
  const bool by_owner = !any_label && has_names_on_cells(scene, {box.x0, box.y0, box.x1 + w, box.y1 + 1});
  each_cell(scene, panel, [&](const CellView& cell) {
    if (!in_table(scene, cell)) return;
    const auto row = static_cast<std::size_t>(std::lround(cell.y - box.y0)),
               column = static_cast<std::size_t>(std::lround((cell.x - box.x0) / w));
    std::string label = by_owner ? owner_of(scene, cell) : std::string(cell.label);
    std::replace(label.begin(), label.end(), '\n', ' ');
    // CSV has values alone.
    if (form != TextForm::csv && is_shared(scene, cell)) label += kShared;
    if (form != TextForm::csv && !label.empty() && has_grey && is_beyond(scene, cell)) label = "(" + label + ")";
    table.cells[row * table.columns + column] = std::move(label);
  });
  return table;
}

std::string boxes(const Table& table) {
  std::size_t wide = 1;
  for (const std::string& cell : table.cells) wide = std::max(wide, screen_width(cell));
  const auto rule = [&](std::string_view left, std::string_view between, std::string_view right) {
    std::string bar, made(left);
    for (std::size_t i = 0; i < wide + 2; ++i) bar += "─";
    for (std::size_t c = 0; c < table.columns; ++c) made += (c == 0 ? "" : std::string(between)) + bar;
    return made + std::string(right) + "\n";
  };
  std::string made = rule("┌", "┬", "┐");
  for (std::size_t r = 0; r < table.rows; ++r) {
    if (r > 0) made += rule("├", "┼", "┤");
    for (std::size_t c = 0; c < table.columns; ++c) made += "│ " + padded(table.at(r, c), wide) + " ";
    made += "│\n";
  }
  return made + rule("└", "┴", "┘");
}

std::string markdown(const Table& table) {
  std::string made = "|  |", rule = "|---|";
  for (std::size_t c = 0; c < table.columns; ++c) {
    made += fmt::format(" {} |", table.across[c]);
    rule += "---|";
  }
  made += "\n" + rule + "\n";
  for (std::size_t r = 0; r < table.rows; ++r) {
    made += fmt::format("| **{}** |", table.down[r]);
    for (std::size_t c = 0; c < table.columns; ++c) {
      made += " " + markdown_cell(table.at(r, c)) + " |";
    }
    made += "\n";
  }
  return made;
}

std::string csv(const Table& table) {
  std::string made;
  for (std::size_t r = 0; r < table.rows; ++r) {
    for (std::size_t c = 0; c < table.columns; ++c) made += (c == 0 ? "" : ",") + csv_field(table.at(r, c));
    made += "\n";
  }
  return made;
}

}  // namespace

Result<std::string> render_text(const Scene& scene, TextForm form) {
  constexpr std::int64_t kBytesOfACell = 64;
  RenderProgress progress(scene, "text");
  TESSERA_CHECK(progress.begin(count_product(progress.cells(), kBytesOfACell)));
  std::string out;
  const auto heading = [&](const std::string& text) {
    if (text.empty()) return;
    out += form == TextForm::markdown ? "**" + text + "**\n\n" : form == TextForm::csv ? "# " + text + "\n" : text + "\n";
  };
  const std::string& title = scene.title.empty() ? scene.expression : scene.title;
  heading(title);
  bool any = false;
  for (std::size_t panel = 0; panel < scene.panels.size(); ++panel) {
    if (progress.stop(out.size())) break;
    const std::optional<Table> table = table_of(scene, panel, form);
    if (!table) continue;
    if (any) out += "\n";
    any = true;
    if (table->heading != title) heading(table->heading);
    out += form == TextForm::boxes ? boxes(*table) : form == TextForm::markdown ? markdown(*table) : csv(*table);
  }
  const std::vector<std::string> below = words_below(scene);
  if (!below.empty()) out += "\n";
  for (const std::string& words : below)
    out += form == TextForm::csv ? "# " + words + "\n" : words + (form == TextForm::markdown ? "  \n" : "\n");
  TESSERA_CHECK(progress.end(out.size()));
  if (!any) {
    return Error{ErrorCode::not_representable,
                 "this figure is no grid of cells, and text, Markdown and CSV write grids",
                 {},
                 {"its marks with their places: --to json"}};
  }
  return printable(out, Lines::kept);
}

}  // namespace tessera
