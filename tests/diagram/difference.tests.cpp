// SPDX-License-Identifier: BSD-3-Clause
// Which cells of a figure stand for something else than in another.
#include "core/diagram/scene/difference.hpp"

#include <set>
#include <utility>
#include <vector>

#include "core/diagram/kinds/figures.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/figures.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

Scene drawn(Layout layout) { return make_figure(figure(std::move(layout))).value(); }

std::set<std::pair<int, int>> places(const Scene& scene, const std::vector<ElementId>& cells) {
  std::set<std::pair<int, int>> found;
  for (const ElementId& id : cells) found.insert({subject_of(scene, id)->row, subject_of(scene, id)->col});
  return found;
}

}  // namespace

TEST_CASE("a figure differs from itself in no cell, and from another in those of other offsets") {
  const Scene rows = drawn(lay(tup({2, 3}), tup({3, 1}))), columns = drawn(lay(tup({2, 3}), tup({1, 2})));
  CHECK(different_cells(rows, rows).empty());
  // 0 1 2 / 3 4 5 and 0 2 4 / 1 3 5: the corners are equal.
  const std::set<std::pair<int, int>> wanted = {{0, 1}, {0, 2}, {1, 0}, {1, 1}};
  CHECK(places(columns, different_cells(rows, columns)) == wanted);
}

TEST_CASE("cells that were not there differ, whatever place they have on the page") {
  const Scene small = drawn(lay(tup({2, 3}), tup({4, 1}))), large = drawn(lay(tup({2, 4}), tup({4, 1})));
  const std::set<std::pair<int, int>> wanted = {{0, 3}, {1, 3}};
  CHECK(places(large, different_cells(small, large)) == wanted);
  CHECK(different_cells(large, small).empty());
}

TEST_CASE("another owner is a difference, in the operand where it is") {
  const Layout rows = lay(tup({2, 2, 1}), tup({1, 2, 0})), columns = lay(tup({2, 2, 1}), tup({2, 1, 0}));
  FigureSpec one = figure(tiled("SM80_16x8x16_F32F16F16F32_TN", rows)), other = figure(tiled("SM80_16x8x16_F32F16F16F32_TN", columns));
  one.parameters = other.parameters = {{"labels", "none"}};
  const Scene was = make_figure(one).value(), now = make_figure(other).value();
  std::size_t in_c = 0;
  for (const ElementId& id : different_cells(was, now)) {
    if (now.panels[id.panel].operand != PanelOperand::c) continue;
    const Subject subject = *subject_of(now, id);
    CHECK((subject.row < 16) != (subject.col < 8));  // warps 1 and 2 changed places, 0 and 3 stayed
    ++in_c;
  }
  CHECK(in_c == 2 * 16 * 8);
}
