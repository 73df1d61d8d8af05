// SPDX-License-Identifier: BSD-3-Clause
// The figure of an operand in shared memory: cells are where the layout puts its elements, and arrows are the descriptor's own fields.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/atom/smem/smem_atoms.hpp"
#include "core/atom/smem/smem_descriptor.hpp"
#include "core/diagram/explain/explain_cell.hpp"
#include "core/diagram/kinds/figures.hpp"
#include "core/layout/composed_algebra.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/figures.hpp"
#include "tests/support/literals.hpp"

using namespace tessera;
using namespace tessera::testing;
using namespace tessera::literals;

namespace {

struct Case {
  const char *atom, *smem;
  std::int64_t mn, k;
  Operand operand = Operand::a;
};

AnyLayout tile_of(const Case& each) { return tile_to_shape(find_smem_atom(each.smem).value().layout, tup({each.mn, each.k})).value(); }

Result<Scene> of(std::string_view atom, const AnyLayout& layout, std::map<std::string, std::string> parameters = {}) {
  FigureSpec spec = figure(find_mma_atom(atom).value(), FigureStyle::tessera, "smem_operand");
  spec.objects.push_back(std::holds_alternative<Layout>(layout) ? FigureObject(std::get<Layout>(layout))
                                                                : FigureObject(std::get<ComposedLayout>(layout)));
  spec.parameters = std::move(parameters);
  return make_figure(spec);
}

constexpr Case kCases[] = {
    {"SM90_64x64x16_F32F16F16_SS", "GMMA::Layout_K_SW128_Atom<half_t>", 64, 64},
    {"SM90_64x64x16_F32F16F16_SS", "GMMA::Layout_K_SW64_Atom<half_t>", 128, 64},
    {"SM90_64x64x16_F32F16F16_SS", "GMMA::Layout_K_SW32_Atom<half_t>", 64, 32},
    {"SM90_64x64x16_F32F16F16_SS", "GMMA::Layout_K_INTER_Atom<half_t>", 64, 32},
    {"SM90_64x64x16_F32F16F16_SS<GMMA::Major::MN,GMMA::Major::K>", "GMMA::Layout_MN_SW64_Atom<half_t>", 64, 32},
    {"SM90_64x64x16_F32F16F16_SS<GMMA::Major::MN,GMMA::Major::K>", "GMMA::Layout_MN_INTER_Atom<half_t>", 64, 32},
    {"SM100_MMA_F16BF16_SS<half_t,half_t,float,128,64,K,K>", "UMMA::Layout_K_SW128_Atom<half_t>", 128, 64},
    {"SM90_64x64x32_S32S8S8_SS_TN", "GMMA::Layout_K_SW128_Atom<int8_t>", 64, 128},
};

}  // namespace

TEST_CASE("each cell of an operand's figure is where its layout puts the 16 bytes", "[smem_operand]") {
  for (const Case& each : kCases) {
    CAPTURE(each.atom, each.smem);
    const AnyLayout layout = tile_of(each);
    const Scene scene = of(each.atom, layout, {{"rows", "256"}, {"operand", "A"}}).value();
    REQUIRE(scene.panels.front().id == "tile");
    const SmemOperand operand = smem_operand(find_mma_atom(each.atom).value(), Operand::a).value();
    const std::int64_t per = 128 / operand.bits;
    std::int64_t cells = 0;
    for (const CellView& cell : cells_of(scene, 0)) {
      const Subject subject = subject_of(scene, cell.id).value();
      const std::int64_t place = evaluate(layout, subject.row, subject.col);
      CHECK(subject.address == place);
      CHECK(cell.label == std::to_string(place / per));
      for (std::int64_t i = 1; i < per; ++i)  // and the others follow it
        CHECK(evaluate(layout, subject.row + (operand.mn_major ? i : 0), subject.col + (operand.mn_major ? 0 : i)) == place + i);
      ++cells;
    }
    CHECK(cells == each.mn * each.k / per);
  }
}

TEST_CASE("the arrows of an operand's figure are the fields that decoding its descriptor gives", "[smem_operand]") {
  for (const Case& each : kCases) {
    CAPTURE(each.atom, each.smem);
    const AnyLayout layout = tile_of(each);
    const SmemOperand operand = smem_operand(find_mma_atom(each.atom).value(), Operand::a).value();
    const SmemDescription made = smem_descriptor(operand, layout).value();
    const SmemDescriptor decoded = decode(encode(made.descriptor), operand.umma).value();
    const Scene scene = of(each.atom, layout, {{"rows", "256"}, {"operand", "A"}}).value();
    std::size_t arrows = 0;
    for (const Mark& mark : scene.panels.front().marks) {
      const auto* arrow = std::get_if<Arrow>(&mark);
      if (!arrow) continue;
      ++arrows;
      char field[4] = {};
      int mn = -1, k = -1, bytes = -1;
      const std::string words(scene.words_of(scene.subjects.at(arrow->subject)));
      REQUIRE(std::sscanf(words.c_str(), "%3[A-Z]: element (%d,%d) begins %d bytes", field, &mn, &k, &bytes) == 4);
      CHECK(bytes == (field[0] == 'L' ? decoded.leading : decoded.stride) * kDescriptorUnit);
      // It is as long as there are rows, or cells across, to that element.
      const std::int64_t down = operand.mn_major ? k : mn, across = (operand.mn_major ? mn : k) * operand.bits / 128;
      const float w = cells_of(scene, 0).front().w;
      CHECK(arrow->y1 - arrow->y0 == Approx(static_cast<float>(down)).margin(0.01));
      CHECK(arrow->x1 - arrow->x0 == Approx(static_cast<float>(across) * w).margin(0.01));
      // Before the swizzle the element is so far behind the first one.
      const Swizzle swizzle = swizzle_of_bits(decoded.swizzle);
      const auto unswizzled = [&](std::int64_t i, std::int64_t j) { return swizzle(evaluate(layout, i, j) * operand.bits) / 8; };
      CHECK(unswizzled(mn, k) - unswizzled(0, 0) == bytes);
    }
    CHECK(arrows == descriptor_steps(operand, made.descriptor).size());
    CHECK(arrows >= 1);
  }
}

TEST_CASE("below an operand's figure stands what its numbers count, and brackets name the slices of K with where they begin",
          "[smem_operand]") {
  const Case plain{"SM90_64x64x16_F32F16F16_SS", "GMMA::Layout_K_INTER_Atom<half_t>", 64, 32};
  const auto legends = [](const Scene& scene, std::size_t panel) { return texts_of(scene, scene.panels[panel], LabelRole::legend); };
  const auto has = [](const std::vector<std::string>& texts, std::string_view wanted) {
    return std::any_of(texts.begin(), texts.end(), [&](const std::string& text) { return text.find(wanted) != std::string::npos; });
  };
  const Scene units = of(plain.atom, tile_of(plain), {{"operand", "A"}}).value();
  CHECK(has(legends(units, units.panels.size() - 1), "number: position in 16-byte units"));
  for (const char* slice : {"slice 0: +0 B", "slice 1: +2048 B"}) CHECK(has(legends(units, 0), slice));
  CHECK(has(texts_of(units, LabelRole::note), "slice: the 16 values of k that one instruction reads"));
  const Scene offsets = of(plain.atom, tile_of(plain), {{"operand", "A"}, {"labels", "offset"}}).value();
  CHECK(has(legends(offsets, offsets.panels.size() - 1), "number: the offset of the first of the 8 elements"));
  const Scene none = of(plain.atom, tile_of(plain), {{"operand", "A"}, {"labels", "none"}}).value();
  CHECK(!has(legends(none, none.panels.size() - 1), "number"));
}

TEST_CASE("a cell of an operand is explained by its layout, down to its bank", "[smem_operand]") {
  const Scene scene = of(kCases[0].atom, tile_of(kCases[0])).value();
  const CellView cell = find_cell(scene, 0, 5, 16).value();
  const ExplainedCell explained = explain(scene, cell.id).value();
  CHECK(explained.offset == subject_of(scene, cell.id)->address);
  CHECK(explained.offset == 376);
  CHECK(std::any_of(explained.steps.begin(), explained.steps.end(), [](const ExplainStep& step) { return step.name == "bank"; }));
}

TEST_CASE("layouts that have no descriptor, and MMAs that read none, are refused as the descriptor is", "[smem_operand]") {
  const std::string message = of("SM90_64x64x16_F32F16F16_SS", "(64,64):(72,1)"_any).error().message;
  const SmemOperand operand = smem_operand(find_mma_atom("SM90_64x64x16_F32F16F16_SS").value(), Operand::a).value();
  CHECK(message == smem_descriptor(operand, "(64,64):(72,1)"_any).error().message);
  CHECK(of("SM80_16x8x16_F32F16F16F32_TN", "(64,64):(64,1)"_any).error().message.find("whose operands are registers") != std::string::npos);
  CHECK(make_figure(figure(lay(8, 1), FigureStyle::tessera, "smem_operand")).error().message ==
        "this figure needs the MMA that reads the tile, and got a layout");
}

TEST_CASE("fields of a descriptor stand apart where bits lie between them", "[smem_operand]") {
  const Scene scene = of(kCases[0].atom, tile_of(kCases[0])).value();
  std::vector<Cell> fields;
  for (const Mark& mark : scene.panels[panel_named(scene, "descriptor")].marks) {
    if (const auto* cell = std::get_if<Cell>(&mark)) fields.push_back(*cell);
  }
  REQUIRE(fields.size() == 5);  // 63-62, 51-49, 45-32, 29-16, 13-0
  for (std::size_t i = 1; i < fields.size(); ++i) CHECK(fields[i].x > fields[i - 1].x + fields[i - 1].w + 0.1f);
}

TEST_CASE("a tile that goes on below has a torn edge and its last row's number, and steps say what they lead from and to",
          "[smem_operand]") {
  const Case plain{"SM90_64x64x16_F32F16F16_SS", "GMMA::Layout_K_INTER_Atom<half_t>", 64, 32};
  const auto closed = [](const Scene& scene) {
    return std::any_of(scene.panels.front().marks.begin(), scene.panels.front().marks.end(),
                       [](const Mark& mark) { return std::holds_alternative<Outline>(mark); });
  };
  const auto has = [](const Scene& scene, LabelRole role, std::string_view wanted) {
    const std::vector<std::string> texts = texts_of(scene, scene.panels.front(), role);
    return std::find(texts.begin(), texts.end(), wanted) != texts.end();
  };
  const Scene part = of(plain.atom, tile_of(plain), {{"operand", "A"}}).value();
  CHECK_FALSE(closed(part));
  CHECK(has(part, LabelRole::axis, "to 63"));
  CHECK(has(part, LabelRole::legend, "LBO 1024 B, leading byte offset"));
  CHECK(has(part, LabelRole::legend, "from number 0 to 64"));
  const Scene whole = of(plain.atom, tile_of(plain), {{"operand", "A"}, {"rows", "64"}}).value();
  CHECK(closed(whole));
  CHECK_FALSE(has(whole, LabelRole::axis, "to 63"));
  const Scene swizzled = of(kCases[0].atom, tile_of(kCases[0])).value();
  const std::vector<std::string> notes = texts_of(swizzled, LabelRole::note);
  CHECK(std::any_of(notes.begin(), notes.end(),
                    [](const std::string& note) { return note.find("LBO is not read, and CuTe writes 1 there") != std::string::npos; }));
}
