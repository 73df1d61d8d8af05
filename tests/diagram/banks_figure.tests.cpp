// SPDX-License-Identifier: BSD-3-Clause
// The map of an access in its banks: as many rows as the hardware takes wavefronts, by the table that was measured.
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

#include "core/atom/copy/copy_access.hpp"
#include "core/diagram/kinds/figures.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/figures.hpp"
#include "tests/support/literals.hpp"

using namespace tessera;
using namespace tessera::testing;
using namespace tessera::literals;

namespace {

FigureSpec banks(FigureObject access, const AnyLayout& layout, std::int64_t bits, std::map<std::string, std::string> parameters = {}) {
  FigureSpec spec = figure(std::move(access), FigureStyle::tessera, "banks");
  spec.objects.push_back(std::holds_alternative<Layout>(layout) ? FigureObject(std::get<Layout>(layout))
                                                                : FigureObject(std::get<ComposedLayout>(layout)));
  spec.parameters = std::move(parameters);
  if (bits > 0) spec.parameters["bits"] = std::to_string(bits);
  return spec;
}

std::int64_t rows_of(const Scene& scene) {
  std::int64_t rows = 0;
  for (const Panel& panel : scene.panels) {
    for (const Mark& mark : panel.marks) {
      const auto* grid = std::get_if<Grid>(&mark);
      if (!grid) continue;
      CHECK(grid->of->cols == 32);
      rows += grid->of->rows;
    }
  }
  return rows;
}

std::string heading_of(const Scene& scene) { return texts_of(scene, scene.panels.front(), LabelRole::panel_name).front(); }

AnyLayout column(std::int64_t pitch) { return AnyLayout(lay(32, pitch)); }

}  // namespace

TEST_CASE("columns of a tile take the wavefronts that were measured, at every pitch", "[banks]") {
  const std::vector<std::int64_t> pitches{16, 17, 18, 20, 24, 32, 33, 36, 40, 64, 65, 72};
  const std::vector<std::int64_t> words{16, 1, 2, 4, 8, 32, 1, 4, 8, 32, 1, 8}, halves{8, 2, 1, 2, 4, 16, 1, 2, 4, 32, 2, 4};
  for (std::size_t i = 0; i < pitches.size(); ++i) {
    CAPTURE(pitches[i]);
    for (const char* op : {"load", "store"}) {
      CHECK(rows_of(drawn(banks(AccessBits{32}, column(pitches[i]), 32, {{"op", op}}))) == words[i]);
      CHECK(rows_of(drawn(banks(AccessBits{16}, column(pitches[i]), 16, {{"op", op}}))) == halves[i]);
    }
  }
}

TEST_CASE("ldmatrix.x4 on 16 rows takes 32, 16 and 8 wavefronts by its pitch, and 4 behind the swizzle of that pitch", "[banks]") {
  const FigureObject ldmatrix = copy_atom("SM75_U32x4_LDSM_N", ValueType::f16);
  for (const auto& [plain, swizzled, wavefronts] : {std::tuple{"(16,64):(64,1)", "Sw<3,3,3> o 0 o (16,64):(64,1)", 32},
                                                    {"(16,32):(32,1)", "Sw<2,3,3> o 0 o (16,32):(32,1)", 16},
                                                    {"(16,16):(16,1)", "Sw<1,3,3> o 0 o (16,16):(16,1)", 8}}) {
    CAPTURE(plain);
    const Scene scene = drawn(banks(ldmatrix, Reader(plain).any_layout().value(), 16));
    CHECK(rows_of(scene) == wavefronts);
    CHECK(heading_of(scene) == "ldmatrix.x4: " + std::to_string(wavefronts) + " wavefronts, 4 needed");
    const Scene better = drawn(banks(ldmatrix, Reader(swizzled).any_layout().value(), 16));
    CHECK(rows_of(better) == 4);
    CHECK(heading_of(better) == "ldmatrix.x4: 4 wavefronts, no conflict");
  }
}

TEST_CASE("wide loads and stores, broadcasts, stmatrix and cp.async have the rows of the rule", "[banks]") {
  CHECK(rows_of(drawn(banks(AccessBits{128}, column(1), 128))) == 4);
  CHECK(rows_of(drawn(banks(AccessBits{64}, column(1), 64))) == 2);
  CHECK(rows_of(drawn(banks(AccessBits{64}, column(0), 64))) == 1);    // all lanes one address: one group of 32
  CHECK(rows_of(drawn(banks(AccessBits{128}, column(0), 128))) == 2);  // two groups of 16
  CHECK(rows_of(drawn(banks(AccessBits{128}, column(0), 128, {{"op", "store"}}))) == 4);
  CHECK(rows_of(drawn(banks(AccessBits{32}, column(0), 32))) == 1);
  CHECK(rows_of(drawn(banks(AccessBits{8}, column(1), 8))) == 1);
  CHECK(rows_of(drawn(banks(copy_atom("SM90_U32x4_STSM_N", ValueType::f16), "(16,64):(64,1)"_any, 16))) == 32);
  const auto async = copy_atom("SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", ValueType::f16);
  const Scene scene = drawn(banks(async, "(8,64):(64,1)"_any, 16));
  CHECK(heading_of(scene) == "cp.async of 16 bytes: 4 wavefronts, no conflict");
}

TEST_CASE("every word that a lane asks for is in one cell of its bank, and no cell has two", "[banks]") {
  for (const auto& [wide, bits, text] : {std::tuple{128, 16, "(32,8):(24,1)"},
                                         {64, 32, "(32,2):(6,1)"},
                                         {32, 32, "32:3"},
                                         {16, 16, "32:1"},
                                         {32, 32, "32:16"},
                                         {128, 16, "(32,8):(64,1)"}}) {
    CAPTURE(text);
    const AnyLayout layout = Reader(text).any_layout().value();
    const Scene scene = drawn(banks(AccessBits{wide}, layout, bits));
    std::set<std::pair<int, std::int64_t>> found, expected;  // lane, word
    for (std::size_t p = 0; p < scene.panels.size(); ++p) {
      for (const CellView& cell : cells_of(scene, p)) {
        for (const Subject& subject : subjects_of(scene, cell.id)) {
          if (subject.thread < 0) continue;
          const std::int64_t word = subject.address * bits / 32;
          CHECK(subject.col == word % 32);
          CHECK(found.insert({subject.thread, word}).second);
        }
      }
    }
    const AccessPattern pattern = access_pattern(wide, CopySide::source, layout, bits).value();
    const std::vector<std::int64_t> offsets = element_offsets(layout).value();
    for (int lane = 0; lane < 32; ++lane) {
      for (std::int64_t value = 0; value < pattern.at_once; ++value) {
        const std::int64_t element = pattern.element[static_cast<std::size_t>(value * 32 + lane)];
        if (element >= 0) expected.insert({lane, offsets[static_cast<std::size_t>(element)] * bits / 32});
      }
    }
    CHECK(found == expected);
  }
}

TEST_CASE("an instruction of a copy is drawn by its warp and number, and others are refused", "[banks]") {
  const AnyLayout tile = "(128,64):(64,1)"_any;
  const auto copy = TiledCopy::make(copy_atom("UniversalCopy<uint128_t>", ValueType::f16),
                                    lay(tup({tup({8, 16}), 8}), tup({tup({128, 1}), 16})), tiler({16, 64}));
  if (!copy) FAIL(describe(copy.error()));
  const Scene scene = drawn(banks(*copy, tile, 0, {{"warp", "3"}, {"instruction", "2"}}));
  std::set<int> threads;
  for (std::size_t p = 0; p < scene.panels.size(); ++p) {
    for (const CellView& cell : cells_of(scene, p)) {
      for (const Subject& subject : subjects_of(scene, cell.id)) threads.insert(subject.thread);
    }
  }
  threads.erase(-1);
  CHECK(*threads.begin() == 96);
  CHECK(*threads.rbegin() == 127);
  const Error warp = refusal(banks(*copy, tile, 0, {{"warp", "4"}}));
  CHECK(warp.message == "there is no warp 4: the access has 4");
  CHECK(warp.notes.front() == "warps are 0 to 3");
  CHECK(refusal(banks(*copy, tile, 0, {{"instruction", "8"}})).message == "there is no instruction 8: the access has 8");
  CHECK(refusal(banks(*copy, tile, 0, {{"warp", "1"}, {"thread", "3"}})).message == "thread 3 takes no part in an instruction of warp 1");
}

TEST_CASE("what is no access, or has no banks, is refused in words", "[banks]") {
  CHECK(refusal(figure(lay(8, 1), FigureStyle::tessera, "banks"))
            .message.find("needs a tiled copy, a copy atom or the bits of a load first") != std::string::npos);
  CHECK(refusal(figure(AccessBits{32}, FigureStyle::tessera, "banks")).message.find("the layout that is read or written") !=
        std::string::npos);
  const FigureObject async = copy_atom("SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", ValueType::f16);
  CHECK(refusal(banks(async, "(8,64):(64,1)"_any, 16, {{"op", "load"}})).message.find("has global memory on that side") !=
        std::string::npos);
  CHECK(refusal(banks(AccessBits{48}, column(1), 16)).message.find("8, 16, 32, 64 or 128 bits") != std::string::npos);
  const FigureObject ldmatrix = copy_atom("SM75_U32x4_LDSM_N", ValueType::f16);
  CHECK(refusal(banks(ldmatrix, "(16,64):(65,1)"_any, 16)).message.find("no multiple of 16") != std::string::npos);
}

TEST_CASE("a conflict's phase is named where there are several, and a bank is outlined for more than it can serve", "[banks]") {
  const auto says = [](const Scene& scene, LabelRole role, std::string_view words) {
    const std::vector<std::string> texts = texts_of(scene, role);
    return std::any_of(texts.begin(), texts.end(), [&](const std::string& text) { return text.find(words) != std::string::npos; });
  };
  const Scene one = drawn(banks(AccessBits{32}, "32:2"_any, 32));
  CHECK(says(one, LabelRole::note, "For example, lanes 0, 16 read bank 0"));  // there are 16 such banks
  CHECK(says(one, LabelRole::panel_name, "LDS: 2-way bank conflict, 2 wavefronts"));
  CHECK(says(one, LabelRole::note, "outlined: bank asked for more than one word"));
  CHECK(says(one, LabelRole::note, "white: bank idle in that wavefront"));
  std::set<std::string> meet;  // in bank 0
  for (const CellView& cell : cells_of(one, 0)) {
    if (cell.x == 0) meet.insert(std::string(cell.label));
  }
  CHECK(meet == std::set<std::string>{"T0\nw0", "T16\nw32"});
  CHECK(says(one, LabelRole::note, "what is read: 32:2, elements of 32 bits"));
  const Scene swizzled = drawn(banks(copy_atom("SM75_U32x4_LDSM_N", ValueType::f16), "Sw<3,3,3> o 0 o (16,64):(64,1)"_any, 16));
  CHECK(says(swizzled, LabelRole::note, "by one warp: 4 matrices of 8 rows of 16 bytes along mode 1, 2 down, 2 across"));
  CHECK(says(swizzled, LabelRole::note, "T17 stands before T16: the swizzle moves its 16 bytes from banks 4-7 to banks 0-3"));
  CHECK_FALSE(says(swizzled, LabelRole::note, "w: which word"));
  const Scene four = drawn(banks(copy_atom("SM75_U32x4_LDSM_N", ValueType::f16), "(16,64):(64,1)"_any, 16));
  CHECK(says(four, LabelRole::note, "In phase 0, for example, lanes "));
  CHECK(says(four, LabelRole::legend, "phase 1, lanes 8-15"));
}
