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
#include "core/render/progress.hpp"
#include "core/render/render.hpp"

namespace tessera {

namespace {

// The cells of a panel by row and column of its grid; a place without a cell is empty.
struct Table {
  std::string heading;
  std::size_t rows = 0, columns = 0;
  std::vector<std::string> cells;  // [row * columns + column]
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
  each_cell(scene, panel, [&](const CellView& cell) {
    if (!in_table(scene, cell)) return;
    const auto row = static_cast<std::size_t>(std::lround(cell.y - box.y0)),
               column = static_cast<std::size_t>(std::lround((cell.x - box.x0) / w));
    std::string label(cell.label);
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
    made += fmt::format(" {} |", c);
    rule += "---|";
  }
  made += "\n" + rule + "\n";
  for (std::size_t r = 0; r < table.rows; ++r) {
    made += fmt::format("| **{}** |", r);
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
