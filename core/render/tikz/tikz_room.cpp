// SPDX-License-Identifier: BSD-3-Clause
// pdfTeX's memory has a fixed size, 5 million words, of which LaTeX and TikZ leave 3.1 million to a page.
#include "core/render/tikz/tikz_room.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/utf8.hpp"
#include "core/render/detail/detail.hpp"
#include "core/render/shared/typography.hpp"
#include "core/render/tikz/tikz_cells.hpp"

namespace tessera {

namespace {

// Words, measured; a standalone page holds all that is text twice.
constexpr std::int64_t kWordsOfAPage = 2'400'000;  // the rest is the document's
constexpr double kMillion = 1e6;
constexpr std::int64_t kWordsOfALabel = 12, kWordsOfACharacter = 2;
constexpr std::int64_t kWordsOfARun = 50, kWordsOfARow = 300, kWordsOfALine = 40, kWordsOfAText = 300;

struct Words {
  std::int64_t labels = 0, rest = 0;
};

void operator+=(Words& all, const Words& more) { all.labels += more.labels, all.rest += more.rest; }

Words words_of(const std::vector<CellView>& cells) {
  Words words;
  const CellView* before = nullptr;
  for (const CellView& cell : cells) {
    const LabelLines lines = label_lines(cell.label);
    for (int i = 0; i < lines.count; ++i)
      words.labels += kWordsOfALabel + kWordsOfACharacter * static_cast<std::int64_t>(count_characters(lines.line[i]));
    const bool goes_on = before != nullptr && before->y == cell.y && before->h == cell.h && before->w == cell.w;
    if (!goes_on) words.rest += kWordsOfARow;
    if (!goes_on || before->fill != cell.fill) words.rest += kWordsOfARun;
    before = &cell;
  }
  return words;
}

std::int64_t words_of(const Mark& mark) {
  if (const auto* outline = std::get_if<Outline>(&mark))
    return kWordsOfALine * (outline->grid ? static_cast<std::int64_t>(outline->w / outline->step_x + outline->h / outline->step_y) : 4);
  return std::holds_alternative<Label>(mark) ? kWordsOfAText : kWordsOfALine;
}

Words words_of(const Scene& scene, const Panel& panel) {
  Words words;
  for (std::size_t i = 0; i < panel.marks.size();) {
    const std::size_t end = end_of_cells(panel, i);
    words += end == i ? Words{0, words_of(panel.marks[i])} : words_of(reading_order(scene, panel, i, end));
    i = std::max(end, i + 1);
  }
  return words;
}

void drop_labels(Panel& panel) {
  for (Mark& mark : panel.marks) take_labels(mark);
}

}  // namespace

Result<std::optional<Scene>> within_tex(const Scene& scene, double cell_points) {
  std::vector<Words> words;
  std::int64_t all = 0, rest = 0;
  for (const Panel& panel : scene.panels) {
    words.push_back(words_of(scene, panel));
    all += words.back().labels + words.back().rest;
    rest += words.back().rest;
  }
  if (all <= kWordsOfAPage) return std::optional<Scene>();
  if (rest > kWordsOfAPage) {
    return Error{ErrorCode::limit,
                 fmt::format("a picture of {} cells takes about {:.1f} million words of TeX's memory, and a page has {:.1f}",
                             cell_count(scene), static_cast<double>(rest) / kMillion, kWordsOfAPage / kMillion),
                 {},
                 {"write it as pdf, svg or png, which \\includegraphics takes"}};
  }
  Scene thinned = scene;
  std::size_t panels = 0;
  for (; all > kWordsOfAPage; ++panels) {
    const auto most = std::max_element(words.begin(), words.end(), [](const Words& a, const Words& b) { return a.labels < b.labels; });
    drop_labels(thinned.panels[static_cast<std::size_t>(most - words.begin())]);
    all -= most->labels;
    most->labels = 0;
  }
  add_note(thinned, cell_points,
           fmt::format("the labels of {} {} are left out, for which TeX has no memory; pdf and svg have them", panels,
                       panels == 1 ? "panel" : "panels"));
  return std::optional<Scene>(std::move(thinned));
}

}  // namespace tessera
