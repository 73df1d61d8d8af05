// SPDX-License-Identifier: BSD-3-Clause
// Long grids in pieces: every cell is drawn once, as it is in the whole picture, beside the number of its row and below that of its column.
#include "core/diagram/parts/fold.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "core/diagram/scene/caption_lines.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/figures.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

using Parameters = std::map<std::string, std::string>;

Result<Scene> made(FigureSpec spec, Parameters parameters) {
  spec.parameters = std::move(parameters);
  return make_figure(spec);
}

FigureSpec of(int rows, int cols) { return figure(lay(tup({rows, cols}), tup({cols, 1}))); }

using Shown = std::tuple<std::int32_t, std::int32_t, std::int64_t, std::string, bool>;  // row, column, offset, label, faint

std::multiset<Shown> cells_shown(const Scene& scene) {
  std::multiset<Shown> shown;
  each_cell(scene, 0, [&](const CellView& cell) {
    if (const auto s = subject_of(scene, cell.id)) shown.emplace(s->row, s->col, s->address, std::string(cell.label), cell.faint);
  });
  return shown;
}

std::vector<Grid> grids_in(const Scene& scene) {
  std::vector<Grid> grids;
  for (const Mark& mark : scene.panels[0].marks) {
    if (const auto* grid = std::get_if<Grid>(&mark)) grids.push_back(*grid);
  }
  return grids;
}

// The number at the left of a row of a grid, or above a column; empty where it has none.
std::string number_at(const Scene& scene, const Grid& grid, int row, int col) {
  const float x = grid.x + grid.w * (static_cast<float>(col) + 0.5f), y = grid.y + static_cast<float>(row) + 0.5f;
  for (const Mark& mark : scene.panels[0].marks) {
    const auto* label = std::get_if<Label>(&mark);
    if (!label || label->role != LabelRole::axis) continue;
    const bool left = label->anchor == Anchor::right && row >= 0 && label->y == Approx(y) && label->x < grid.x && label->x > grid.x - 3;
    const bool above = label->anchor == Anchor::center && col >= 0 && label->x == Approx(x) && label->y < grid.y && label->y > grid.y - 3;
    if (left || above) return std::string(scene.text_of(label->text));
  }
  return {};
}

}  // namespace

TEST_CASE("a folded grid has every cell of the whole, in pieces of one length beside their numbers", "[fold]") {
  for (const auto& [rows, cols, pieces, length, drawn] :
       {std::tuple{96, 8, 3, 32, 3}, {20, 2, 2, 10, 2}, {100, 8, 3, 40, 3}, {8, 64, 2, 32, 2}}) {
    INFO(rows << " x " << cols);
    const Scene whole = made(of(rows, cols), {}).value(), folded = made(of(rows, cols), {{"fold", std::to_string(pieces)}}).value();
    CHECK(cells_shown(folded) == cells_shown(whole));
    const std::vector<Grid> grids = grids_in(folded);
    REQUIRE(grids.size() == static_cast<std::size_t>(drawn));
    for (std::size_t k = 0; k < grids.size(); ++k) {
      const bool down = rows > cols;
      const int first = static_cast<int>(k) * length;
      CHECK((down ? grids[k].y == grids[0].y : grids[k].x == grids[0].x));
      CHECK((down ? grids[k].of->rows : grids[k].of->cols) == std::min(length, (down ? rows : cols) - first));
      const Subject corner = grids[k].of->subject(0);
      CHECK(std::pair(corner.row, corner.col) == (down ? std::pair(first, 0) : std::pair(0, first)));
      CHECK(number_at(folded, grids[k], 0, -1) == std::to_string(down ? first : 0));
      CHECK(number_at(folded, grids[k], -1, 0) == std::to_string(down ? 0 : first));
    }
  }
}

TEST_CASE("pieces do not touch, and the heading stands once", "[fold]") {
  const Scene folded = made(of(96, 16), {{"fold", "3"}}).value();
  const std::vector<Grid> grids = grids_in(folded);
  for (std::size_t k = 1; k < grids.size(); ++k) CHECK(grids[k].x > grids[k - 1].x + 17);
  CHECK(texts_of(folded, folded.panels[0], LabelRole::panel_name).size() == 1);
  CHECK(texts_of(folded, folded.panels[0], LabelRole::axis).size() >= 3 * 8 + 3 * 4);
}

TEST_CASE("each piece says which rows it has, and at which offsets they lie", "[fold]") {
  const Scene folded = made(figure(lay(tup({tup({32, 3}), 16}), tup({tup({1, 512}), 32}))), {{"fold", "3"}}).value();
  const std::vector<Grid> grids = grids_in(folded);
  std::vector<std::string> words;
  for (const Mark& mark : folded.panels[0].marks) {
    const auto* label = std::get_if<Label>(&mark);
    if (!label || folded.text_of(label->text).find(": offsets ") == std::string_view::npos) continue;
    REQUIRE(words.size() < grids.size());
    const Grid& grid = grids[words.size()];
    CHECK(label->x == grid.x);
    CHECK(label->y > grid.y + grid.h * static_cast<float>(grid.of->rows));
    words.emplace_back(folded.text_of(label->text));
  }
  CHECK(words ==
        std::vector<std::string>{"rows 0-31: offsets 0 to 511", "rows 32-63: offsets 512 to 1023", "rows 64-95: offsets 1024 to 1535"});
  // Columns that are too narrow for the words have none.
  const Scene thin = made(of(96, 2), {{"fold", "3"}}).value();
  for (const std::string& text : texts_of(thin, thin.panels[0], LabelRole::legend)) CHECK(text.find("offsets") == std::string::npos);
}

TEST_CASE("padding stays behind its rows, and what is lit or cut out is so in the pieces", "[fold]") {
  const FigureSpec padded = figure(lay(tup({64, 16}), tup({17, 1})));
  const Scene whole = made(padded, {}).value(), folded = made(padded, {{"fold", "2"}}).value();
  CHECK(cells_shown(folded) == cells_shown(whole));
  const Grid second = grids_in(folded)[1];
  const auto behind = [&](const Mark& mark) {
    const auto* cell = std::get_if<Cell>(&mark);
    return cell && cell->x == Approx(second.x + 16 * second.w) && folded.subjects[cell->subject].address == 17 * 32 + 16 &&
           cell->y == Approx(second.y);
  };
  CHECK(std::any_of(folded.panels[0].marks.begin(), folded.panels[0].marks.end(), behind));
  const Parameters lit{{"highlight", "rows=40-41"}}, part{{"crop", "rows=8-55"}};
  for (Parameters parameters : {lit, part}) {
    const Scene before = made(padded, parameters).value();
    parameters["fold"] = "2";
    const Scene after = made(padded, parameters).value();
    CHECK(cells_shown(after) == cells_shown(before));
    CHECK(grids_in(after).size() == 2);
  }
}

TEST_CASE("pictures of several grids, CuTe's own, and numbers that are none are refused", "[fold]") {
  CHECK(made(figure(tiled("SM80_16x8x16_F32F16F16F32_TN", compact(tup({2, 2, 1})))), {{"fold", "2"}}).error().message.find("one grid") !=
        std::string::npos);
  FigureSpec latex = of(64, 4);
  latex.style = FigureStyle::print_latex;
  CHECK(made(latex, {{"fold", "2"}}).error().code == ErrorCode::wrong_type);
  for (const char* wrong : {"0", "65", "two", "2x", "-1"})
    CHECK(made(of(64, 4), {{"fold", wrong}}).error().message == fmt::format("fold={} is not an integer from 1 to 64", wrong));
  CHECK(grids_in(made(of(64, 4), {{"fold", "1"}}).value()).size() == 1);
}

TEST_CASE("pieces are of multiples of 8 where they are long", "[fold]") {
  const auto length = [](std::int64_t extent, std::int64_t pieces, std::int64_t period = 0) {
    Foldable whole;
    whole.grid.rows = extent;
    whole.period = period;
    return piece_length(whole, pieces);
  };
  CHECK(length(96, 3) == 32);
  CHECK(length(100, 3) == 40);
  CHECK(length(20, 2) == 10);
  CHECK(length(5, 9) == 1);
  CHECK(length(96, 2, 32) == 32);   // a piece more, rather than a short one behind 64
  CHECK(length(160, 2, 32) == 96);  // five periods have no equal pieces near 80
  CHECK(length(96, 2, 48) == 48);
  CHECK(length(96, 2) == 48);
  CHECK(length(96, 4, 48) == 24);  // a whole one would be too much
}

TEST_CASE("lines break after spaces, inside words that are longer than a line, and at no byte inside a sign", "[words]") {
  CHECK(wrap("one two three", 8, 9) == std::vector<std::string>{"one two ", "three"});
  CHECK(wrap("abcdefgh", 3, 9) == std::vector<std::string>{"abc", "def", "gh"});
  CHECK(wrap("äöü", 2, 9) == std::vector<std::string>{"äö", "ü"});
  CHECK(wrap("a b c d", 2, 2).size() == 2);
  CHECK(wrap("ab", 0, 9) == std::vector<std::string>{"a", "b"});  // no width is as one
}

TEST_CASE("pieces that end with a mode say so, and the names of the axes stand once", "[fold]") {
  const auto notes = [](const Scene& scene) { return texts_of(scene, LabelRole::note); };
  const auto has = [](const std::vector<std::string>& texts, const std::string& text) {
    return std::find(texts.begin(), texts.end(), text) != texts.end();
  };
  FigureSpec spec = figure(lay(tup({tup({32, 3}), 16}), tup({tup({1, 512}), 32})));
  spec.modes = {"n", "k"};
  const Scene at_modes = made(spec, {{"fold", "3"}}).value();
  CHECK(has(notes(at_modes), "in 3 pieces, cut where an inner mode ends"));
  const std::vector<std::string> names = texts_of(at_modes, LabelRole::legend);
  CHECK(std::count(names.begin(), names.end(), "n↓ k→") == 1);
  // No mode ends at these cuts.
  CHECK_FALSE(has(notes(made(of(96, 16), {{"fold", "3"}}).value()), "in 3 pieces, cut where an inner mode ends"));
  const FigureSpec long_modes = figure(lay(tup({tup({40, 2}), 16}), tup({tup({1, 640}), 40})));
  CHECK_FALSE(has(notes(made(long_modes, {{"fold", "4"}}).value()), "in 4 pieces, cut where an inner mode ends"));
}
