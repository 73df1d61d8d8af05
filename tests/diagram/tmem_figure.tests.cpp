// SPDX-License-Identifier: BSD-3-Clause
// The figure of tensor memory: each element of the accumulators has one lane and column, which are its fragment's.
#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/atom/mma/tmem_fragment.hpp"
#include "core/diagram/kinds/figures.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/figures.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

Result<Scene> of(std::string_view atom, std::map<std::string, std::string> parameters = {}, std::vector<FigureObject> more = {}) {
  FigureSpec spec = figure(find_mma_atom(atom).value(), FigureStyle::tessera, "tmem");
  for (FigureObject& each : more) spec.objects.push_back(std::move(each));
  spec.parameters = std::move(parameters);
  return make_figure(spec);
}

constexpr const char* kOne64 = "SM100_MMA_F16BF16_SS<half_t,half_t,float,64,64,K,K>";
constexpr const char* kOne128 = "SM100_MMA_F16BF16_SS<half_t,half_t,float,128,96,K,K>";
constexpr const char* kPair128 = "SM100_MMA_F16BF16_2x1SM_SS<half_t,half_t,float,128,64,K,K>";
constexpr const char* kPair256 = "SM100_MMA_F16BF16_2x1SM_SS<half_t,half_t,half_t,256,64,K,K>";

// (lane, column) -> (m, n), of the cells that hold an element.
std::map<std::pair<int, int>, std::pair<int, int>> elements_of(const Scene& scene) {
  std::map<std::pair<int, int>, std::pair<int, int>> made;
  for (const CellView& cell : cells_of(scene, panel_named(scene, "opened"))) {
    const Subject subject = subject_of(scene, cell.id).value();
    if (subject.row >= 0)
      made[{static_cast<int>(subject.address >> 16), static_cast<int>(subject.address & 0xffff)}] = {subject.row, subject.col};
  }
  return made;
}

}  // namespace

TEST_CASE("each element of C has one lane and column, those of its atom's fragment", "[tmem]") {
  for (const char* atom : {kOne64, kOne128, kPair128, kPair256}) {
    CAPTURE(atom);
    const MmaAtom mma = find_mma_atom(atom).value();
    const int ctas = static_cast<int>(mma.thr_id.size());
    const std::int64_t m = shape_extent(mma, 0), n = shape_extent(mma, 1);
    std::set<std::pair<int, int>> met;
    for (int cta = 0; cta < ctas; ++cta) {
      const auto elements = elements_of(of(atom, {{"cells", "element"}, {"cta", std::to_string(cta)}}).value());
      CHECK(static_cast<std::int64_t>(elements.size()) == m * n / ctas);
      // (m, n) of the CTA's part -> address
      const Layout fragment = tmem_fragment(mma, mma.val_c, true, tup({tup({m / ctas, n}), 1, 1})).value();
      for (const auto& [place, element] : elements) {
        CHECK(met.insert(element).second);
        const std::int64_t row = element.first - cta * m / ctas;
        const TmemPlace at = tmem_place(fragment(row + m / ctas * element.second) * bits(mma.val_c));
        CHECK(at == TmemPlace{place.first, place.second, 0});
      }
    }
    CHECK(static_cast<std::int64_t>(met.size()) == m * n);
  }
}

TEST_CASE("64 rows of one CTA take half of each warp's lanes, and of a pair all lanes and half of the columns", "[tmem]") {
  std::set<int> lanes;
  for (const auto& [place, element] : elements_of(of(kOne64, {{"cells", "element"}}).value())) lanes.insert(place.first % 32);
  CHECK(lanes.size() == 16);
  CHECK(*lanes.rbegin() == 15);
  const auto pair = elements_of(of(kPair128, {{"cells", "element"}}).value());
  CHECK(pair.at({64, 0}) == std::pair{0, 32});
  CHECK(pair.at({127, 31}) == std::pair{63, 63});
  CHECK(!pair.contains({0, 32}));
}

TEST_CASE("several instructions lie in further columns, and columns are allocated in powers of two", "[tmem]") {
  const auto elements = elements_of(of(kOne128, {{"cells", "element"}}, {compact(tup({256, 192}))}).value());
  CHECK(elements.size() == 256 * 192);
  CHECK(elements.at({0, 96}) == std::pair{128, 0});
  CHECK(elements.at({5, 192}) == std::pair{5, 96});
  const Scene scene = of(kOne128).value();
  CHECK(texts_of(scene, LabelRole::note).front().find("lies in 96 of 512 columns; 128 are allocated") != std::string::npos);
}

TEST_CASE("the map's blocks say which elements and which warp, and at= opens the part that holds an element", "[tmem]") {
  const Scene scene = of(kPair256, {{"cta", "1"}, {"at", "(200,37)"}}).value();
  const std::size_t map = panel_named(scene, "map");
  std::set<std::string> words;
  for (const CellView& cell : cells_of(scene, map)) words.insert(std::string(scene.words_of(subject_of(scene, cell.id).value())));
  CHECK(words.contains("lanes 64-71, columns 32-39: C rows 192-199, columns 32-39; warp 2 reaches them"));
  const auto opened = elements_of(scene);
  CHECK(opened.size() == 16 * 8);
  CHECK(opened.at({72, 37}) == std::pair{200, 37});
}

TEST_CASE("a tcgen05.ld hands each lane and column to one register, as its copy atom says", "[tmem]") {
  for (const char* copy : {"SM100_TMEM_LOAD_32dp32b8x", "SM100_TMEM_LOAD_16dp256b1x", "SM100_TMEM_LOAD_16dp128b2x",
                           "SM100_TMEM_LOAD_16dp64b4x", "SM100_TMEM_STORE_16dp256b2x"}) {
    CAPTURE(copy);
    const CopyTraits traits = find_copy_atom(copy).value();
    const std::vector<TmemRegister> registers = tmem_registers(traits).value();
    const Scene scene = of(kOne128, {{"at", "(40,0)"}}, {CopyAtom::make(traits, ValueType::f32).value()}).value();
    std::size_t compared = 0;
    for (const CellView& cell : cells_of(scene, panel_named(scene, "opened"))) {
      const Subject subject = subject_of(scene, cell.id).value();
      const std::int64_t lane = (subject.address >> 16) - 32, column = subject.address & 0xffff;  // of warp 1
      const auto found = std::find_if(registers.begin(), registers.end(),
                                      [&](const TmemRegister& each) { return each.place.lane == lane && each.place.column == column; });
      REQUIRE(found != registers.end());
      CHECK(subject.thread == 32 + found->thread);
      CHECK(subject.value == found->value);
      ++compared;
    }
    CHECK(compared == registers.size());
  }
}

TEST_CASE("the element that is asked for is framed in the part that is opened, and paint is left to it", "[tmem]") {
  const CopyAtom load = CopyAtom::make(find_copy_atom("SM100_TMEM_LOAD_16dp256b1x").value(), ValueType::f32).value();
  for (const bool loaded : {false, true}) {
    const std::vector<FigureObject> rest = loaded ? std::vector<FigureObject>{load} : std::vector<FigureObject>();
    const Scene scene = of(kOne64, {{"at", "(40,60)"}}, rest).value();
    const std::size_t opened = panel_named(scene, "opened");
    std::vector<Outline> frames;
    for (const Mark& mark : scene.panels[opened].marks) {
      const auto* outline = std::get_if<Outline>(&mark);
      if (outline && outline->role == StrokeRole::highlight) frames.push_back(*outline);
    }
    REQUIRE(frames.size() == 1);
    std::set<ColorIndex> beside;
    ColorIndex framed = kNoColor;
    for (const CellView& cell : cells_of(scene, opened)) {
      const Subject subject = subject_of(scene, cell.id).value();
      const bool is_it = subject.row == 40 && subject.col == 60;
      CHECK(is_it == (cell.x == frames.front().x && cell.y == frames.front().y));
      if (is_it) framed = cell.fill;
      if (!is_it) beside.insert(cell.fill);
    }
    CHECK(beside.contains(framed) == loaded);  // by threads there, which are met again
    const std::vector<std::string> notes = texts_of(scene, LabelRole::note);
    CHECK(std::count_if(notes.begin(), notes.end(), [](const std::string& note) {
            return note.starts_with("framed at the right: C(40,60) lies in lane 72, column 60");
          }) == 1);
  }
}

TEST_CASE("MMAs without tensor memory, CTAs and elements that there are not are refused", "[tmem]") {
  CHECK(of("SM80_16x8x16_F32F16F16F32_TN").error().message.find("has its accumulators in registers") != std::string::npos);
  CHECK(of(kOne64, {{"cta", "1"}}).error().message == std::string("cta=1: ") + find_mma_atom(kOne64)->name + " is computed by one CTA");
  CHECK(of(kPair256, {{"at", "(200,0)"}}).error().message == "at=(200,0) is no element of C that CTA 0 has");
  CHECK(of(kOne128, {{"labels", "register"}}).error().message == "labels=register needs a copy that hands tensor memory to threads");
  CHECK(of(kOne128, {}, {copy_atom("SM75_U32x4_LDSM_N", ValueType::f16)})
            .error()
            .message.find("moves nothing between registers and tensor memory") != std::string::npos);
  CHECK(!of(kOne128, {}, {compact(tup({1024, 192}))}).has_value());
}

TEST_CASE("the lines that open a part leave the map at the part's lanes", "[tmem]") {
  for (const char* at : {"(0,0)", "(40,0)", "(0,56)"}) {
    CAPTURE(at);
    const Scene scene = of(kOne128, {{"at", at}}).value();
    const Panel& map = scene.panels[panel_named(scene, "map")];
    Bounds lit, frame;
    for (const Mark& mark : map.marks) {
      const auto* outline = std::get_if<Outline>(&mark);
      if (!outline) continue;
      Bounds& of = outline->role == StrokeRole::highlight ? lit : frame;
      of = {outline->x, outline->y, outline->x + outline->w, outline->y + outline->h};
    }
    std::vector<float> leaves;
    for (const Mark& mark : map.marks) {
      const auto* line = std::get_if<Line>(&mark);
      if (line && line->x0 >= frame.x1 - 1e-4f && line->x1 > line->x0) leaves.push_back(line->y0);
    }
    REQUIRE(leaves.size() == 4);  // behind each a short one, to the corner
    CHECK(leaves[0] == Approx(lit.y0).margin(1e-4));
    CHECK(leaves[2] == Approx(lit.y1));
  }
}

TEST_CASE("the legend of tensor memory has the hues that are met, and says their rows", "[tmem]") {
  const auto words = [](const Scene& scene) {
    for (const std::string& text : texts_of(scene, LabelRole::legend)) {
      if (text.starts_with("hue:")) return text;
    }
    return std::string();
  };
  CHECK(words(of(kOne128).value()) == "hue: 16 rows of C each");
  const auto swatches = [](const Scene& scene) {
    std::vector<std::string> found;
    for (const std::string& text : texts_of(scene, LabelRole::legend)) {
      if (text.ends_with(" of C")) found.push_back(text);
    }
    return found;
  };
  using Texts = std::vector<std::string>;
  CHECK(swatches(of(kPair128, {{"cta", "1"}}).value()) ==
        Texts{"rows 64-79 of C", "rows 80-95 of C", "rows 96-111 of C", "rows 112-127 of C"});
  CHECK(swatches(of(kOne64, {{"color", "n"}}).value()) == Texts{"columns 0-31 of C", "columns 32-63 of C"});
}
