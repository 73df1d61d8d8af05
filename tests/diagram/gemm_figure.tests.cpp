// SPDX-License-Identifier: BSD-3-Clause
// The figure of a GEMM says where the elements of its tiles lie: addresses, banks behind the tensor's own beginning, readers, owners.
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/diagram/kinds/figures.hpp"
#include "core/diagram/parts/figure_parts.hpp"
#include "core/diagram/scene/palette.hpp"
#include "core/gemm/lower/lower.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/figures.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

GemmSpec padded() {
  GemmSpec spec;
  spec.m = 16, spec.n = 16, spec.k = 16;
  spec.mma = tiled("SM80_16x8x16_F32F16F16F32_TN", compact(tup({1, 2, 1})));
  spec.sA = lay(tup({16, 16}), tup({17, 1}));
  spec.sB = lay(tup({16, 16}), tup({24, 1}));
  return spec;
}

Scene drawn(const GemmPlan& plan, std::map<std::string, std::string> parameters) {
  FigureSpec spec = figure(plan);
  spec.parameters = std::move(parameters);
  const Result<Scene> scene = make_figure(spec);
  if (!scene) FAIL(describe(scene.error()));
  return *scene;
}

Scene drawn(const GemmSpec& gemm, std::map<std::string, std::string> parameters) {
  return drawn(lower(gemm).value(), std::move(parameters));
}

Error refusal(const GemmSpec& gemm, std::map<std::string, std::string> parameters) {
  FigureSpec spec = figure(lower(gemm).value());
  spec.parameters = std::move(parameters);
  const Result<Scene> scene = make_figure(spec);
  REQUIRE_FALSE(scene);
  return scene.error();
}

template <class Use>
void each_cell(const Scene& scene, const std::string& tensor, const Use& use) {
  std::size_t cells = 0;
  for (std::size_t p = 0; p < scene.panels.size(); ++p) {
    if (!scene.panels[p].name.starts_with(tensor)) continue;
    for (const CellView& cell : cells_of(scene, p)) use(cell, *subject_of(scene, cell.id)), ++cells;
  }
  CHECK(cells == 256);
}

std::string note_of(const Scene& scene, const std::string& begin) {
  for (const std::string& text : texts_of(scene, scene.panels.back(), LabelRole::note)) {
    if (text.starts_with(begin)) return text;
  }
  return {};
}

}  // namespace

TEST_CASE("every cell of a GEMM figure links its address, its tensor, and its bank from the start of shared memory", "[gemm]") {
  GemmPlan plan = lower(padded()).value();
  plan.tensors[plan.path(Operand::b).smem].byte_offset = 548;  // no multiple of all banks
  for (const char* color : {"thread", "bank"}) {
    const Scene scene = drawn(plan, {{"color", color}});
    CHECK(scene.tensors == std::vector<std::string>{"sA", "sB", "gC"});
    for (const auto& [name, tensor, pitch, begin] : {std::tuple{"sA", 0, 17, 0}, {"sB", 1, 24, 548}}) {
      each_cell(scene, name, [&, tensor = tensor, pitch = pitch, begin = begin](const CellView&, const Subject& link) {
        CHECK(link.tensor == tensor);
        CHECK(link.address == link.row * pitch + link.col);
        CHECK(link.bank == (begin + 2 * link.address) / 4 % 32);
      });
    }
    each_cell(scene, "gC", [&](const CellView&, const Subject& link) {
      CHECK(link.tensor == 2);
      CHECK(link.address == link.row * 16 + link.col);
      CHECK(link.bank == -1);  // C does not lie in shared memory
    });
  }
}

TEST_CASE("a GEMM figure of ragged tiles says what is inside, and owners are found where offsets repeat", "[gemm]") {
  GemmSpec spec = padded();
  spec.m = 21, spec.n = 11, spec.k = 19;  // rows of C are 11 elements: (0,11) of the tile is where (1,0) is
  spec.cta_tiler = tup({16, 16, 16});
  const GemmPlan ragged = lower(spec).value();
  spec.m = 32, spec.n = 16, spec.k = 32;
  const GemmPlan whole = lower(spec).value();
  const Scene scene = drawn(ragged, {}), other = drawn(whole, {});
  CHECK(note_of(scene, "of the last tile") == "of the last tile, (5,11,3) of (16,16,16) is inside");
  CHECK(note_of(other, "of the last tile").empty());
  std::vector<std::int32_t> owners, want;
  each_cell(scene, "gC", [&](const CellView&, const Subject& link) { owners.push_back(link.thread); });
  each_cell(other, "gC", [&](const CellView&, const Subject& link) { want.push_back(link.thread); });
  CHECK(owners == want);
}

TEST_CASE("bank colours of a GEMM figure are one a bank, and a bank's cells of both tensors have the same", "[gemm]") {
  const Scene scene = drawn(padded(), {{"color", "bank"}});
  std::map<std::int32_t, std::set<ColorIndex>> colors;
  std::set<ColorIndex> all;
  for (const char* name : {"sA", "sB"}) {
    each_cell(scene, name, [&](const CellView& cell, const Subject& link) { colors[link.bank].insert(cell.fill), all.insert(cell.fill); });
  }
  CHECK(colors.size() == 32);
  CHECK(all.size() == 32);
  for (const auto& [bank, fills] : colors) CHECK(fills.size() == 1);
}

TEST_CASE("offset colours of a GEMM figure rise with the offset over the whole ramp", "[gemm]") {
  const Scene scene = drawn(padded(), {{"color", "offset"}});
  const Palette palette = Palette::find("").value();
  for (const auto& [name, last] : {std::pair{"sA", 15 * 17 + 15}, {"sB", 15 * 24 + 15}, {"gC", 255}}) {
    each_cell(scene, name, [&, last = last](const CellView& cell, const Subject& link) {
      const double place = static_cast<double>(static_cast<int>(63.0 * static_cast<double>(link.address) / last)) / 63.0;
      CHECK(scene.palette[cell.fill] == palette.ramp(place));
    });
  }
}

TEST_CASE("B of a GEMM figure is drawn with K down and N across, A with M down and K across", "[gemm]") {
  const Scene scene = drawn(padded(), {});
  each_cell(scene, "sA", [&](const CellView& cell, const Subject& link) {
    CHECK(cell.y == static_cast<float>(link.row));
    CHECK(cell.x < 0);
  });
  each_cell(scene, "sB", [&](const CellView& cell, const Subject& link) {
    CHECK(cell.x == static_cast<float>(link.row));
    CHECK(cell.y < 0);
  });
  each_cell(scene, "gC", [&](const CellView& cell, const Subject& link) {
    CHECK(cell.x == static_cast<float>(link.col));
    CHECK(cell.y == static_cast<float>(link.row));
  });
}

TEST_CASE("labels of a GEMM figure are offsets on shared memory, owners on C, and what was asked for", "[gemm]") {
  for (const std::string& labels : {std::string("offset"), std::string("thread"), std::string("coordinate"), std::string("none")}) {
    const Scene scene = drawn(padded(), {{"labels", labels}});
    const auto owner = [](const Subject& link) { return "T" + std::to_string(link.thread) + "\nV" + std::to_string(link.value); };
    for (const char* name : {"sA", "sB", "gC"}) {
      INFO(labels << " of " << name);
      each_cell(scene, name, [&](const CellView& cell, const Subject& link) {
        const std::string words = labels == "none"         ? std::string()
                                  : labels == "coordinate" ? std::to_string(link.row) + "," + std::to_string(link.col)
                                  : labels == "thread" || std::string(name) == "gC" ? owner(link)
                                                                                    : std::to_string(link.address);
        CHECK(cell.label == words);
      });
    }
  }
}

TEST_CASE("a GEMM figure says what stands in its cells, and which rows of shared memory are padded", "[gemm]") {
  const GemmSpec spec = padded();
  const Scene scene = drawn(spec, {});
  CHECK(note_of(scene, "number in").starts_with("number in sA and sB: the element's offset; in gC: thread T"));
  CHECK(note_of(scene, "sA: ").starts_with("sA: (16,16):(17,1), pitch 17: 16 elements and 1 of padding;"));
  CHECK(note_of(drawn(spec, {{"tensor", "sA"}}), "number in") == "number in a cell: the element's offset");
  CHECK(note_of(drawn(spec, {{"labels", "thread"}}), "in cells") == "in cells: thread T has the element as its value V");
}

TEST_CASE("a GEMM figure says whose colour an element of several readers has, and how its MMA is permuted", "[gemm]") {
  const auto says = [](const Scene& scene, std::string_view words) {
    std::string all;
    for (const LabelRole role : {LabelRole::legend, LabelRole::note}) {
      for (const std::string& text : texts_of(scene, role)) all += text + " ";
    }
    return all.find(words) != std::string::npos;
  };
  CHECK(says(drawn(padded(), {}), "a cell has its first reader's colour "));
  CHECK(says(drawn(padded(), {{"thread", "5"}}),
             "a cell has its first reader's colour; outlined cells show thread 5, also where another reads first"));
  CHECK_FALSE(says(drawn(padded(), {}), "permuted"));
  GemmSpec permuted = padded();
  permuted.n = 32;
  permuted.sB = lay(tup({32, 16}), tup({24, 1}));
  permuted.mma =
      tiled("SM80_16x8x16_F32F16F16F32_TN", compact(tup({1, 2, 1})), std::vector<Tiler>{16, lay(tup({2, 4, 4}), tup({1, 8, 2})), 16});
  CHECK(says(drawn(permuted, {}), "N is permuted in runs of 2: the atoms' 0-1, 2-3, 4-5, 6-7"));
}

TEST_CASE("one tensor of a GEMM is drawn alone when it is asked for", "[gemm]") {
  for (const auto& [asked, name] : {std::pair{"sA", "sA"}, {"sB", "sB"}, {"C", "gC"}}) {
    const Scene scene = drawn(padded(), {{"tensor", asked}});
    std::size_t panels = 0;
    for (const Panel& panel : scene.panels)
      panels += panel.name.starts_with("sA") + panel.name.starts_with("sB") + panel.name.starts_with("gC");
    CHECK(panels == 1);
    each_cell(scene, name, [](const CellView&, const Subject&) {});
  }
}

TEST_CASE("without shared memory the tiles of gA and gB are drawn, which have no banks", "[gemm]") {
  GemmSpec spec = padded();
  spec.sA.reset(), spec.sB.reset(), spec.operands = Operands::gmem;
  spec.gB = lay(tup({16, 16}), tup({1, 24}));
  for (const char* color : {"thread", "bank"}) {
    const Scene scene = drawn(spec, {{"color", color}, {"thread", "3"}});
    CHECK(scene.tensors == std::vector<std::string>{"gA", "gB", "gC"});
    CHECK(note_of(scene, "gA") == "gA: (16,16):(16,1); gB: (16,16):(1,24)");
    CHECK(note_of(scene, "no shared") == "no shared memory");
    CHECK(note_of(scene, "thread 3").starts_with("thread 3:   tCgA ((2,2,2),1,1):"));
    for (const auto& [name, tensor, row, column] : {std::tuple{"gA", 0, 16, 1}, {"gB", 1, 1, 24}}) {
      each_cell(scene, name, [&, tensor = tensor, row = row, column = column](const CellView&, const Subject& link) {
        CHECK(link.tensor == tensor);
        CHECK(link.address == link.row * row + link.col * column);
        CHECK(link.bank == -1);
      });
    }
  }
  each_cell(drawn(spec, {{"tensor", "gB"}}), "gB",
            [](const CellView& cell, const Subject& link) { CHECK(cell.y == static_cast<float>(link.col)); });
  CHECK(refusal(spec, {{"tensor", "sA"}}).code == ErrorCode::unknown_name);
  CHECK(refusal(padded(), {{"tensor", "gA"}}).code == ErrorCode::unknown_name);
}

TEST_CASE("the note of a chosen thread is its part of A, of B and of C, for at most four threads", "[gemm]") {
  const GemmSpec spec = padded();
  const GemmPlan plan = lower(spec).value();
  const Scene scene = drawn(spec, {{"thread", "0,5,33,40,41"}});
  for (const std::int64_t thread : {0, 5, 33, 40}) {
    std::string expected = "thread " + std::to_string(thread) + ":";
    for (const auto& [operand, name] : {std::pair{Operand::a, "tCsA"}, {Operand::b, "tCsB"}, {Operand::c, "tCgC"}}) {
      const SliceAndOffset part = thread_partition(plan, operand, thread).value();
      expected += "   " + std::string(name) + " " + to_string(part.layout) + " from offset " + to_string(part.offset);
    }
    CHECK(note_of(scene, "thread " + std::to_string(thread) + ":") == expected);
  }
  CHECK(note_of(scene, "thread 41:").empty());
}

TEST_CASE("a GEMM figure refuses threads that the CTA does not have, and words that are none of its choices", "[gemm]") {
  CHECK(drawn(padded(), {{"thread", "63"}}).panels.size() > 3);
  const Error beyond = refusal(padded(), {{"thread", "64"}});
  CHECK(beyond.code == ErrorCode::out_of_range);
  CHECK(beyond.message == "thread 64 is not one of the CTA's 64 threads");
  CHECK(beyond.notes == std::vector<std::string>{"threads are 0 to 63"});
  for (const auto& [name, value] : {std::pair{"color", "rows"}, {"labels", "value"}, {"tensor", "sC"}}) {
    const Error error = refusal(padded(), {{name, value}});
    CHECK(error.code == ErrorCode::unknown_name);
    CHECK(error.message == std::string(name) + "=" + value + " is none of this figure's choices");
  }
}
