// SPDX-License-Identifier: BSD-3-Clause
// What cells stand for is found again: every cell of a thread and of an address, and no other one.
#include "app/studio/paint/link_index.hpp"

#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

#include "core/figure/figure.hpp"
#include "core/lang/programs/evaluate.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;
using namespace tessera::studio;

namespace {

using Found = std::multiset<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::int32_t>>;

Found looked_up(const Scene& scene, LinkIndex::By by, std::int64_t key) {
  Found found;
  LinkIndex(scene, by).each(scene, key, [&](const LinkEntry& entry) {
    CHECK(entry.key == key);
    found.emplace(entry.element.panel, entry.element.mark, entry.element.cell, entry.second);
  });
  return found;
}

// One look at every cell.
Found searched(const Scene& scene, LinkIndex::By by, std::int64_t key) {
  Found found;
  for (std::size_t p = 0; p < scene.panels.size(); ++p) {
    each_cell(scene, p, [&](const CellView& cell) {
      const std::vector<Subject> all = subjects_of(scene, cell.id);
      if (by == LinkIndex::By::address && !all.empty() && all[0].address == key)
        found.emplace(cell.id.panel, cell.id.mark, cell.id.cell, all[0].tensor);
      for (const Subject& each : all) {
        if (by == LinkIndex::By::thread && each.thread == key) found.emplace(cell.id.panel, cell.id.mark, cell.id.cell, each.value);
      }
    });
  }
  return found;
}

}  // namespace

TEST_CASE("the cells of a thread and of an address are those that a search finds") {
  for (const char* const text : {"(4,8):(8,1)", "(4,8):(0,1024)", "(4,8):(9,1)", "(3,5,2):(1,64,7)",
                                 "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2))", "SM70_8x8x4_F32F16F16F32_NT",
                                 "tv_figure(((2,4),(2,2)):((8,1),(4,16)), (4,8):(8,1))", "tv_inverse_figure((8,4):(0,8), (4,8):(8,1))"}) {
    INFO(text);
    const Result<Value> value = evaluate(text);
    REQUIRE(value);
    const Result<Scene> scene = figure_of(*value, text);
    REQUIRE(scene);
    std::size_t total = 0;
    for (std::int64_t key = -1; key < 8192; key = key < 130 ? key + 1 : key * 2) {
      for (const LinkIndex::By by : {LinkIndex::By::thread, LinkIndex::By::address}) {
        const Found found = looked_up(*scene, by, key);
        total += found.size();
        CHECK(found == (key < 0 ? Found() : searched(*scene, by, key)));
      }
    }
    CHECK(total > 0);
  }
}
