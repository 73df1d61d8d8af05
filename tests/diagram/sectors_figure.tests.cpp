// SPDX-License-Identifier: BSD-3-Clause
// The map of an access in global memory: as many sectors and lines as the table counts, each word with the lanes that ask for it.
#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/atom/copy/copy_access.hpp"
#include "core/diagram/kinds/figures.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/figures.hpp"
#include "tests/support/literals.hpp"

using namespace tessera;
using namespace tessera::testing;
using namespace tessera::literals;

namespace {

FigureSpec sectors(FigureObject access, const AnyLayout& layout, std::int64_t bits, std::map<std::string, std::string> parameters = {}) {
  FigureSpec spec = figure(std::move(access), FigureStyle::tessera, "sectors");
  spec.objects.push_back(std::visit([](const auto& each) { return FigureObject(each); }, layout));
  spec.parameters = std::move(parameters);
  spec.parameters["bits"] = std::to_string(bits);
  return spec;
}

std::string heading_of(const Scene& scene) { return texts_of(scene, scene.panels.front(), LabelRole::panel_name).front(); }

// How many cells have a lane, and how many are moved without one.
std::pair<int, int> asked_and_moved(const Scene& scene) {
  int asked = 0, moved = 0;
  for (const CellView& cell : cells_of(scene, 0)) {
    if (!cell.label.empty())
      ++asked;
    else if (cell.fill != kNoColor)
      ++moved;
  }
  return {asked, moved};
}

}  // namespace

TEST_CASE("a warp's sectors and lines are those that are counted, at every stride", "[sectors]") {
  for (const std::int64_t stride : {1, 2, 3, 4, 7, 8, 16, 31, 32, 64}) {
    CAPTURE(stride);
    std::set<std::int64_t> met, lines;
    for (std::int64_t lane = 0; lane < 32; ++lane) met.insert(lane * stride * 4 / 32), lines.insert(lane * stride * 4 / 128);
    const Scene scene = drawn(sectors(AccessBits{32}, AnyLayout(lay(32, stride)), 32));
    const auto some = [](std::size_t n, const std::string& what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); };
    CHECK(heading_of(scene) == "LDG: " + some(met.size(), "sector") + " in " + some(lines.size(), "line"));
    const auto [asked, moved] = asked_and_moved(scene);
    CHECK(asked == 32);
    CHECK(asked + moved == static_cast<int>(met.size()) * 8);
  }
}

TEST_CASE("lanes that share a word stand in it together", "[sectors]") {
  const Scene halves = drawn(sectors(AccessBits{16}, AnyLayout(lay(32, 1)), 16));
  CHECK(asked_and_moved(halves).first == 16);
  CHECK(cells_of(halves, 0).front().label == "T0\n+1");
  const Scene same = drawn(sectors(AccessBits{32}, AnyLayout(lay(32, 0)), 32));
  CHECK(cells_of(same, 0).front().label == "T0\n+31");
  CHECK(heading_of(same) == "LDG: 1 sector in 1 line");
}

TEST_CASE("a picture of sectors says what is moved in vain, and refuses what has no sectors", "[sectors]") {
  const auto says = [](const Scene& scene, std::string_view words) {
    const std::vector<std::string> texts = texts_of(scene, LabelRole::note);
    return std::any_of(texts.begin(), texts.end(), [&](const std::string& text) { return text.find(words) != std::string::npos; });
  };
  CHECK(says(drawn(sectors(AccessBits{32}, AnyLayout(lay(32, 4)), 32)), "512 bytes are moved for the 128 that a warp asks for"));
  CHECK(says(drawn(sectors(AccessBits{32}, AnyLayout(lay(32, 1)), 32)), "All of the 128 bytes that are moved are asked for."));
  const FigureObject ldmatrix = copy_atom("SM75_U32x4_LDSM_N", ValueType::f16);
  CHECK(refusal(sectors(ldmatrix, "(16,64):(64,1)"_any, 16)).message.find("has shared memory on that side, which has no sectors") !=
        std::string::npos);
  CHECK(refusal(sectors(AccessBits{32}, AnyLayout(lay(32, 1)), 32, {{"thread", "40"}})).message.find("thread 40 takes no part") !=
        std::string::npos);
}
