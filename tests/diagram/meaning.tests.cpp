// SPDX-License-Identifier: BSD-3-Clause
// What pictures say is so: banks, coordinates of every mode, numbers of rows and columns, and places that no thread holds.
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "core/atom/instructions/catalog.hpp"
#include "core/diagram/kinds/figures.hpp"
#include "core/diagram/parts/figure_parts.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/figures.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

bool says(const Scene& scene, const std::string& part) {
  for (const std::string& text : texts_of(scene, LabelRole::note)) {
    if (text.find(part) != std::string::npos) return true;
  }
  return false;
}

FigureSpec with(FigureSpec spec, std::map<std::string, std::string> parameters) {
  spec.parameters = std::move(parameters);
  return spec;
}

MmaAtom mma(const char* name) { return find_mma_atom(name).value(); }

constexpr const char* kUmma = "SM100_MMA_F16BF16_SS<half_t,half_t,float,128,64,UMMA::Major::K,UMMA::Major::K>";

}  // namespace

TEST_CASE("a bank is the 4-byte word of the address, modulo 32, whatever the width of an element", "[bank]") {
  // The rule in bytes: (byte offset + offset * bits / 8) / 4 mod 32.
  for (const std::int64_t bits : {1, 4, 6, 8, 16, 32, 64, 128, 512}) {
    for (const std::int64_t byte_offset : {0, 4, 100, 1024, 49152}) {
      for (std::int64_t offset = 0; offset < 3000; offset += 7)
        CHECK(bank_of(offset, bits, byte_offset) == (8 * byte_offset + offset * bits) / 8 / 4 % 32);
    }
  }
  CHECK(bank_of(std::int64_t{1} << 61, 512) == 0);
  CHECK(bank_of((std::int64_t{1} << 61) + 3, 16) == 1);
  CHECK(bank_of(-1, 16) == -1);
  CHECK(bank_of(5, 0) == -1);
}

TEST_CASE("bank colours are those of the width that is given, behind an offset too, and the caption names the width", "[bank]") {
  const ComposedLayout moved{Swizzle::make(2, 3, 3).value(), 40, lay(tup({8, 64}), tup({64, 1}))};
  for (const auto& [name, value, bits] :
       {std::tuple{"bits", "16", 16}, {"bytes", "8", 64}, {"type", "half_t", 16}, {"type", "uint4_t", 4}}) {
    const Scene scene = make_figure(with(figure(moved), {{"color", "bank"}, {name, value}})).value();
    INFO(name << "=" << value);
    CHECK(says(scene, "bank = (byte offset / 4) mod 32; an element has " + std::to_string(bits) + " bits"));
    std::map<std::int32_t, std::set<ColorIndex>> colors;
    std::set<ColorIndex> all;
    for (const CellView& cell : cells_of(scene, 0)) {
      const Subject link = *subject_of(scene, cell.id);
      CHECK(link.address == evaluate(moved, link.row + 8 * link.col));
      CHECK(link.bank == link.address * bits / 32 % 32);
      colors[link.bank].insert(cell.fill);
      all.insert(cell.fill);
    }
    for (const auto& [bank, fills] : colors) CHECK(fills.size() == 1);  // a bank has one colour,
    CHECK(all.size() == colors.size());                                 // and no two the same
  }
}

TEST_CASE("where the width of an element is not known, bank colours say what they assume and no cell names a bank", "[bank]") {
  const FigureSpec plain = figure(lay(tup({4, 64}), tup({64, 1})));
  const Scene assumed = make_figure(with(plain, {{"color", "bank"}})).value();
  CHECK(says(assumed, "taken to have 32 bits"));
  CHECK(subject_at(assumed, 0, 0, 33).bank == 1);
  const Scene silent = make_figure(plain).value();
  CHECK_FALSE(says(silent, "bank"));
  CHECK(subject_at(silent, 0, 0, 33).bank == -1);
  FigureSpec known = with(plain, {{"color", "bank"}});
  known.element_bits = 16;  // as a tensor says
  CHECK(subject_at(make_figure(known).value(), 0, 0, 33).bank == 16);
  CHECK(says(make_figure(known).value(), "an element has 16 bits"));
  CHECK(says(make_figure(with(plain, {{"color", "bank"}, {"bits", "128"}})).value(), "first of the 4 banks"));
  for (const auto& [name, value] : {std::pair{"bits", "0"}, {"bits", "513"}, {"bytes", "65"}, {"bits", "x"}, {"type", "nothing_t"}})
    CHECK_FALSE(make_figure(with(plain, {{"color", "bank"}, {name, value}})));
  CHECK_FALSE(make_figure(with(plain, {{"bits", "16"}, {"type", "float"}})));
  CHECK(make_figure(with(plain, {{"bits", "16"}, {"type", "half_t"}})));
}

TEST_CASE("a coordinate has a number for every mode", "[coordinate]") {
  const Scene three = make_figure(with(figure(compact(tup({2, 3, 4}))), {{"labels", "coordinate"}})).value();
  CHECK(find_cell(three, 3, 1, 2)->label == "1,2,3");
  CHECK(three.coordinate_of(subject_at(three, 3, 1, 2)) == "(1,2,3)");
  const Scene nested = make_figure(with(figure(compact(tup({2, 3, tup({2, 2}), 2}))), {{"labels", "coordinate"}})).value();
  CHECK(find_cell(nested, 6, 1, 2)->label == "1,2,(0,1),1");
  CHECK(nested.panels[6].name == "(_,_,(0,1),1)");
  const Scene one_panel = make_figure(with(figure(compact(tup({2, 3, 1}))), {{"labels", "coordinate"}})).value();
  CHECK(find_cell(one_panel, 0, 1, 2)->label == "1,2,0");
  const Scene two = make_figure(with(figure(compact(tup({2, 3}))), {{"labels", "coordinate"}})).value();
  CHECK(find_cell(two, 0, 1, 2)->label == "1,2");
}

TEST_CASE("every row and column that has room is numbered, and numbers do not touch", "[axes]") {
  for (const auto& [rows, cols, numbered_rows, numbered_cols] :
       {std::tuple{4, 64, 4, 32}, {64, 4, 32, 4}, {4, 8, 4, 8}, {8, 32, 8, 32}, {16, 100, 8, 25}, {256, 256, 32, 16}}) {
    INFO(rows << " x " << cols);
    const Scene scene = make_figure(figure(compact(tup({rows, cols})))).value();
    std::vector<const Label*> down, across;
    for (const Mark& mark : scene.panels[0].marks) {
      const Label* label = std::get_if<Label>(&mark);
      if (label && label->role == LabelRole::axis) (label->anchor == Anchor::right ? down : across).push_back(label);
    }
    CHECK(down.size() == static_cast<std::size_t>(numbered_rows));
    CHECK(across.size() == static_cast<std::size_t>(numbered_cols));
    for (std::size_t i = 1; i < down.size(); ++i) CHECK(down[i]->y - down[i - 1]->y >= 0.75f * down[i]->size);  // a digit is so high
    for (std::size_t i = 1; i < across.size(); ++i) {
      const float width = 0.6f * across[i]->size * static_cast<float>(scene.text_of(across[i]->text).size());
      CHECK(across[i]->x - across[i - 1]->x > width);
    }
  }
}

TEST_CASE("C of a UMMA is drawn in tensor memory and not in threads", "[umma]") {
  for (const char* kind : {"mma", "tv_c"}) {
    FigureSpec spec = figure(mma(kUmma));
    spec.kind = kind;
    const Scene scene = make_figure(spec).value();
    CHECK(says(scene, "C lies in tensor memory: data paths (rows) 0 to 127, columns 0 to 63 of 32 bits"));
    for (const CellView& cell : cells_of(scene, 0)) {
      CHECK(cell.label.empty());
      CHECK(subjects_of(scene, cell.id).size() == 1);
      CHECK(subject_of(scene, cell.id)->thread == -1);
    }
  }
  // The note stands in C's own panel, which is the first.
  const Scene whole = make_figure(figure(mma(kUmma))).value();
  bool in_panel = false;
  for (const Mark& mark : whole.panels[0].marks) {
    const Label* label = std::get_if<Label>(&mark);
    in_panel = in_panel || (label && whole.text_of(label->text).find("tensor memory") != std::string_view::npos);
  }
  CHECK(in_panel);
  // 64 rows take 16 of every 32 data paths.
  CHECK(says(make_figure(figure(mma("SM100_MMA_F16BF16_SS<half_t,half_t,float,64,32,UMMA::Major::K,UMMA::Major::K>"))).value(),
             "64 of the data paths (rows) 0 to 111"));
  CHECK_FALSE(says(make_figure(figure(mma("SM80_16x8x16_F32F16F16F32_TN"))).value(), "tensor memory"));
}

TEST_CASE("a thread that a figure does not have cannot be highlighted", "[threads]") {
  const FigureSpec atom = figure(mma("SM70_8x8x4_F32F16F16F32_NT"));  // threads 0 to 3 and 16 to 19
  CHECK(make_figure(with(atom, {{"thread", "0,16-19"}})));
  const Result<Scene> refused = make_figure(with(atom, {{"thread", "5"}}));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ErrorCode::out_of_range);
  CHECK(refused.error().message.find("thread 5 is not one of the 8 threads") != std::string::npos);
  FigureSpec tv = figure(lay(tup({8, 4}), tup({4, 1})));
  for (const char* kind : {"tv", "tv_inverse"}) {
    tv.kind = kind;
    CHECK(make_figure(with(tv, {{"thread", "7"}})));
    CHECK_FALSE(make_figure(with(tv, {{"thread", "8"}})));
  }
  for (const char* kind : {"mma", "tv_a", "tv_b", "tv_c"}) {
    FigureSpec each = with(figure(mma("SM80_16x8x16_F32F16F16F32_TN")), {{"thread", "200"}});
    each.kind = kind;
    CHECK_FALSE(make_figure(each));
  }
}
