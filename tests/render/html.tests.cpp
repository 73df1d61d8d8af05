// SPDX-License-Identifier: BSD-3-Clause
// The page of HTML: its columns are the grid's, its figures JSON, and whatever texts say it stays one script and one page.
#include "core/render/html/html.hpp"

#include <fmt/format.h>
#include <rapidcheck.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <variant>
#include <vector>

#include "core/diagram/kinds/figures.hpp"
#include "core/render/html/html_columns.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/every_mark.hpp"
#include "tests/support/figures.hpp"
#include "tests/support/literals.hpp"

using namespace tessera;
using namespace tessera::testing;
using namespace tessera::literals;
using json = nlohmann::json;

namespace {

std::vector<std::int64_t> column_of(const json& packed) { return unpack_column(packed.get<std::vector<std::int64_t>>()); }

json data_of(const Scene& scene) { return json::parse(render_html_figure(scene).value()); }

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("a packed column comes back", "[html]") {
  CHECK(rc::check("unpack(pack(x)) == x", [] {
    const auto piece = *rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange<std::int64_t>(-5, 100));
    std::vector<std::int64_t> numbers;
    for (int n = *rc::gen::inRange(0, 6); n > 0; --n) {
      const auto shift = *rc::gen::inRange<std::int64_t>(0, 50);
      for (const std::int64_t each : piece) numbers.push_back(each + shift);
    }
    RC_ASSERT(unpack_column(pack_column(numbers)) == numbers);
  }));
  CHECK(pack_column({}).empty());
}

TEST_CASE("columns of layouts are few numbers, however many cells there are", "[html]") {
  const auto packed = [](const AnyLayout& layout) {
    std::vector<std::int64_t> numbers;
    const std::int64_t rows = size(shape(layout)[0]), cols = size(layout) / rows;
    for (std::int64_t r = 0; r < rows; ++r) {
      for (std::int64_t c = 0; c < cols; ++c) numbers.push_back(evaluate(layout, r + rows * c));
    }
    const std::vector<std::int64_t> made = pack_column(numbers);
    CHECK(unpack_column(made) == numbers);
    return made.size();
  };
  CHECK(packed("(256,256):(256,1)"_any) < 30);
  CHECK(packed("(256,256):(1,256)"_any) < 30);
  CHECK(packed("Sw<3,3,3> o 0 o (256,256):(256,1)"_any) < 3000);
}

TEST_CASE("a figure's data has every cell's numbers as the scene has them", "[html]") {
  FigureSpec spec = figure(tiled("SM70_8x8x4_F32F16F16F32_NT", compact(tup({2, 2, 1}))));
  const Scene scene = make_figure(spec).value();
  const json data = data_of(scene);
  std::size_t grids = 0;
  for (std::size_t p = 0; p < scene.panels.size(); ++p) {
    CHECK(data["panels"][p]["id"] == scene.panels[p].id);
    for (const json& mark : data["panels"][p]["marks"]) {
      if (mark[0] != "g") continue;
      const json& grid = data["grids"][mark[5].get<std::size_t>()];
      const Grid* drawn = nullptr;
      for (const Mark& each : scene.panels[p].marks) drawn = std::get_if<Grid>(&each) ? std::get_if<Grid>(&each) : drawn;
      REQUIRE(drawn);
      const GridColumns& of = *drawn->of;
      ++grids;
      CHECK(column_of(grid["thread"]) == std::vector<std::int64_t>(of.thread.begin(), of.thread.end()));
      CHECK(column_of(grid["value"]) == std::vector<std::int64_t>(of.value.begin(), of.value.end()));
      CHECK(grid["template"] == "T{t}\nV{v}");
      const std::vector<std::int64_t> kinds = grid.contains("other") ? column_of(grid["other"]) : std::vector<std::int64_t>();
      for (std::size_t i = 0; i < of.size() && !kinds.empty(); ++i) {
        const json& kind = grid["others"][static_cast<std::size_t>(kinds[i])];
        REQUIRE(kind.size() == of.others_of(i).size());
        for (std::size_t k = 0; k < kind.size(); ++k) {
          CHECK(kind[k][0].get<int>() + of.thread[i] == of.others_of(i)[k].thread);
          CHECK(kind[k][1].get<int>() + of.value[i] == of.others_of(i)[k].value);
        }
      }
    }
  }
  CHECK(grids == 3);
}

TEST_CASE("marks that follow each other evenly are written once, and none is lost", "[html]") {
  const Scene scene = make_figure(figure("(16,8):(8,1)"_layout)).value();
  const json data = data_of(scene);
  for (std::size_t p = 0; p < scene.panels.size(); ++p) {
    std::size_t marks = 0, counting = 0;
    for (const json& mark : data["panels"][p]["marks"]) {
      const bool run = mark[0] == "run" || mark[0] == "count";
      marks += run ? mark[1].get<std::size_t>() : 1;
      counting += mark[0] == "count";
      if (mark[0] == "count") CHECK(mark[7][3] == fmt::format("{}{}", mark[4].get<std::string>(), mark[5].get<int>()));
    }
    CHECK(marks == scene.panels[p].marks.size());
    if (p == 0) CHECK(counting == 2);  // numbers of rows and of columns
  }
}

TEST_CASE("steps light the cells that a selection names", "[html]") {
  FigureSpec spec = figure(find_mma_atom("SM80_16x8x16_F32F16F16F32_TN").value());
  spec.parameters = {{"steps", "k"}};
  const json data = data_of(make_figure(spec).value());
  REQUIRE(data["steps"].size() == 16);
  std::size_t lit = 0;
  for (const json& part : data["steps"][3]["lit"]) {
    for (std::size_t i = 0; i < part[2].size(); i += 2) lit += part[2][i + 1].get<std::size_t>();
  }
  CHECK(lit == 16 + 8);  // a column of A, a row of B
  CHECK(data["steps"][3]["caption"].get<std::string>().starts_with("Step 4 of 16, k = 3"));
}

TEST_CASE("recipes come along where a script can count with their numbers", "[html]") {
  const json small = data_of(make_figure(figure("(4,8):(8,1)"_layout)).value());
  CHECK(small["panels"][0]["recipe"] == 0);
  CHECK(small["recipes"][0]["stages"][0]["stride"] == json::parse("[8,1]"));
  const json large = data_of(make_figure(figure("(2,2):(1,4611686018427387000)"_layout)).value());
  CHECK(large["panels"][0]["recipe"] == -1);
}

TEST_CASE("whatever texts say, the page is one script and its data JSON", "[html]") {
  for (const FigureStyle style : {FigureStyle::tessera, FigureStyle::print_latex, FigureStyle::print_svg}) {
    Scene scene = every_sign(style);
    scene.title = scene.expression = "</script><script>alert(1)</script> <!-- <b>&amp;";
    const std::string page = render_html(scene).value();
    CHECK(count(page, "</script") == 2);
    CHECK(count(page, "<b>") == 0);
    const std::size_t begin = page.find('[', page.find("id=\"figures\"")), end = page.find("</script>", begin);
    const json data = json::parse(page.substr(begin, end - begin));
    CHECK(data[0]["title"] == scene.title);
  }
  CHECK(data_of(every_mark())["panels"][0]["marks"].size() > 5);
}
