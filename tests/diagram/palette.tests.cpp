// SPDX-License-Identifier: BSD-3-Clause
// Palettes that everybody can read: apart for every sight, with texts on all of them.
#include "core/diagram/scene/palette.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/diagram/charts/bar_chart.hpp"
#include "core/diagram/parts/figure_parts.hpp"
#include "core/diagram/scene/color_difference.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/figures.hpp"
#include "tests/support/source_dir.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

Palette palette(std::string_view name) { return Palette::find(name).value(); }

std::vector<Rgb> categories(const Palette& palette, std::int64_t count) {
  std::vector<Rgb> out;
  for (std::int64_t i = 0; i < count; ++i) out.push_back(palette.category(i, count));
  return out;
}

double least_difference(const std::vector<Rgb>& colors, Sight sight) {
  double least = 100;
  for (std::size_t i = 0; i < colors.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) least = std::min(least, color_difference(seen(colors[i], sight), seen(colors[j], sight)));
  }
  return least;
}

// Of colours in the order of their lightness, the least step.
double least_step(const std::vector<Rgb>& colors) {
  std::vector<double> levels;
  for (Rgb color : colors) levels.push_back(lightness(color));
  std::sort(levels.begin(), levels.end());
  double least = 100;
  for (std::size_t i = 1; i < levels.size(); ++i) least = std::min(least, levels[i] - levels[i - 1]);
  return least;
}

std::vector<Rgb> ramp(const Palette& palette) {
  std::vector<Rgb> out;
  for (int i = 0; i <= 63; ++i) out.push_back(palette.ramp(i / 63.0));
  return out;
}

// Every colour that a figure can take from it.
std::vector<Rgb> fills(const Palette& palette) {
  std::vector<Rgb> out = ramp(palette);
  for (std::int64_t count = 1; count <= 40; ++count) {
    for (Rgb color : categories(palette, count)) out.push_back(color);
  }
  for (std::int64_t i = 0; palette.name() == "print_latex" && i < 8; ++i) {
    out.push_back(palette.latex_index(i));
    out.push_back(palette.latex_thread(i));
  }
  return out;
}

std::vector<Palette> all_palettes() {
  std::vector<Palette> out;
  for (const PaletteRow& row : Palette::rows()) out.push_back(palette(row.name));
  out.push_back(palette("#0072b2,#e69f00,#009e73"));
  out.push_back(palette("#fff #808080 #7f7f7f #000 #d55e00"));
  return out;
}

Error refusal(std::string_view text) {
  const Result<Palette> read = Palette::find(text);
  REQUIRE_FALSE(read);
  return read.error();
}

}  // namespace

TEST_CASE("the page on figures says how far apart the nearest two of eight categories are in grey") {
  std::ifstream file(test::source_dir() + "/docs/figures.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  const std::size_t begin = page.find("In a grey print"), end = page.find("\n\n", begin);
  REQUIRE(begin != std::string::npos);
  const std::string said = page.substr(begin, end - begin);
  for (const PaletteRow& row : Palette::rows()) {
    const std::string words = fmt::format("`{}` {:.1f}", row.name, least_step(categories(palette(row.name), 8)));
    INFO(words);
    CHECK(said.find(words) != std::string::npos);
  }
}

TEST_CASE("any two of eight threads can be told apart by every sight") {
  const std::vector<Rgb> eight = categories(palette("tessera"), 8);
  CHECK(least_difference(eight, Sight::normal) >= 10);
  CHECK(least_difference(eight, Sight::protan) >= 8);
  CHECK(least_difference(eight, Sight::deutan) >= 8);
  CHECK(least_difference(eight, Sight::tritan) >= 6);
  CHECK(least_step(eight) >= 2.5);
  const std::vector<Rgb> dark = categories(palette("dark"), 8);
  CHECK(least_difference(dark, Sight::normal) >= 10);
  CHECK(least_difference(dark, Sight::protan) >= 8);
  CHECK(least_difference(dark, Sight::deutan) >= 8);
  CHECK(least_step(dark) >= 2);
}

TEST_CASE("fewer categories than eight are the first of the eight") {
  for (const std::string_view name : {"tessera", "okabe_ito", "greys", "dark"}) {
    const std::vector<Rgb> eight = categories(palette(name), 8), three = categories(palette(name), 3);
    CHECK(std::equal(three.begin(), three.end(), eight.begin()));
  }
}

TEST_CASE("the lanes of a warp differ, most visibly those that are neighbours in a quad and from quad to quad") {
  for (const std::string_view name : {"tessera", "okabe_ito", "dark"}) {
    const std::vector<Rgb> warp = categories(palette(name), 32);
    INFO(name);
    CHECK(least_difference(warp, Sight::normal) >= 3);
    for (std::size_t i = 0; i < warp.size(); ++i) {
      if (i + 1 < warp.size()) CHECK(color_difference(warp[i], warp[i + 1]) >= (name == "okabe_ito" ? 4 : 5));
      if (i + 4 < warp.size()) CHECK(color_difference(warp[i], warp[i + 4]) >= 5);
    }
    for (const std::int64_t count : {9, 16, 17, 24, 25}) CHECK(least_difference(categories(palette(name), count), Sight::normal) >= 3);
    CHECK(palette(name).category(32, 64) == palette(name).category(0, 64));
  }
  const std::vector<Rgb> ordered = categories(palette("viridis"), 32);
  CHECK(std::is_sorted(ordered.begin(), ordered.end(), [](Rgb x, Rgb y) { return lightness(x) < lightness(y); }));
  CHECK(least_step(ordered) >= 1.5);
}

TEST_CASE("texts can be read on every colour of every palette, and faint ones on what stands back, on either page") {
  for (const Palette& each : all_palettes()) {
    for (const Rgb fill : fills(each)) {
      INFO(each.name() << fmt::format(" {} {} {}", fill.r, fill.g, fill.b));
      CHECK(contrast(fill, text_color(fill)) >= 4.5);
      for (const Rgb page : {kPaper, each.paper()}) {
        const Rgb back = faded_fill(fill, page);
        CHECK(contrast(back, faint_text_color(back)) >= 4.5);
        CHECK(contrast(back, page) < 1.35);
      }
    }
    CHECK(contrast(each.paper(), each.ink()) >= 12);
    CHECK(contrast(each.paper(), faint_text_color(each.paper())) >= 4.5);
  }
}

TEST_CASE("the fills that stand back in a figure are those, and still say whose they are") {
  std::vector<std::string> names{"#0072b2,#e69f00,#009e73"};
  for (const PaletteRow& row : Palette::rows()) names.emplace_back(row.name);
  for (const std::string& name : names) {
    FigureSpec spec = figure(seed_tv(), FigureStyle::tessera, "tv");
    spec.parameters = {{"tile", "4x8"}};
    spec.palette = name;
    const Scene plain = make_figure(spec).value();
    spec.parameters = {{"tile", "4x8"}, {"highlight", "T0-3"}};
    const Scene chosen = make_figure(spec).value();
    std::size_t faint = 0;
    for (const CellView& cell : cells_of(chosen, 0)) {
      const Rgb before = plain.palette[cell_of(plain, cell.id).fill];
      CHECK(chosen.palette[cell.fill] == (cell.faint ? faded_fill(before, plain.page.paper) : before));
      faint += cell.faint;
    }
    CHECK(faint == 16);
  }
  CHECK(color_difference(faded_fill({0, 114, 178}), kPaper) >= 2);
}

TEST_CASE("ink is taken on light colours, paper on dark ones, and black where neither can be read") {
  CHECK(text_color({255, 255, 255}) == kInk);
  CHECK(text_color({0, 0, 0}) == kPaper);
  CHECK(text_color({128, 128, 128}) == Rgb{0, 0, 0});
  for (int level = 0; level <= 255; ++level) {
    const std::uint8_t v = static_cast<std::uint8_t>(level);
    const Rgb fill{v, v, v}, text = text_color(fill);
    CHECK(contrast(fill, text) >= 4.5);
    if (text == Rgb{0, 0, 0}) CHECK(std::max(contrast(fill, kInk), contrast(fill, kPaper)) < 4.5);
  }
}

TEST_CASE("ramps order offsets by lightness, and leave no two places alike") {
  for (const std::string_view name : {"tessera", "okabe_ito", "greys", "print_latex"}) {
    const std::vector<Rgb> colors = ramp(palette(name));
    INFO(name);
    CHECK(std::is_sorted(colors.begin(), colors.end(), [](Rgb x, Rgb y) { return lightness(x) > lightness(y); }));
    CHECK(lightness(colors.front()) - lightness(colors.back()) >= 35);
    for (std::size_t i = 1; i < colors.size(); ++i) CHECK_FALSE(colors[i] == colors[i - 1]);
  }
  for (const std::string_view name : {"viridis", "dark"}) {
    const std::vector<Rgb> colors = ramp(palette(name));
    INFO(name);
    CHECK(std::is_sorted(colors.begin(), colors.end(), [](Rgb x, Rgb y) { return lightness(x) < lightness(y); }));
    CHECK(lightness(colors.back()) - lightness(colors.front()) >= 28);
  }
  CHECK(palette("tessera").ramp(-1) == palette("tessera").ramp(0));
  CHECK(palette("tessera").ramp(7) == palette("tessera").ramp(1));
}

TEST_CASE("viridis is matplotlib's, and its categories are spread over it") {
  const Palette viridis = palette("viridis");
  CHECK(viridis.ramp(0) == Rgb{68, 1, 84});
  CHECK(viridis.ramp(21 / 63.0) == Rgb{49, 104, 142});  // 85 of 255
  CHECK(viridis.ramp(42 / 63.0) == Rgb{53, 183, 121});  // 170 of 255
  CHECK(viridis.ramp(1) == Rgb{253, 231, 37});
  CHECK(viridis.category(0, 2) == Rgb{68, 1, 84});
  CHECK(viridis.category(1, 2) == Rgb{253, 231, 37});
  CHECK(viridis.category(1, 4) == Rgb{49, 104, 142});
  CHECK(viridis.category(31, 32) == Rgb{253, 231, 37});
  CHECK(viridis.category(32, 1000) == Rgb{68, 1, 84});
  const std::vector<Rgb> colors = ramp(viridis);
  const double mean = (lightness(colors.back()) - lightness(colors.front())) / 63;
  for (std::size_t i = 1; i < colors.size(); ++i) CHECK(std::abs(lightness(colors[i]) - lightness(colors[i - 1]) - mean) < 0.5 * mean);
}

TEST_CASE("the first colours of okabe_ito are Okabe and Ito's eight") {
  const std::vector<Rgb> eight = categories(palette("okabe_ito"), 8);
  for (const Rgb theirs :
       {Rgb{0, 0, 0}, {230, 159, 0}, {86, 180, 233}, {0, 158, 115}, {240, 228, 66}, {0, 114, 178}, {213, 94, 0}, {204, 121, 167}})
    CHECK(std::count(eight.begin(), eight.end(), theirs) == 1);
}

TEST_CASE("eight greys are apart by lightness alone, neighbours by most") {
  const std::vector<Rgb> eight = categories(palette("greys"), 8);
  for (Rgb grey : eight) CHECK((grey.r == grey.g && grey.g == grey.b));
  CHECK(least_step(eight) >= 7.5);
  for (std::size_t i = 1; i < eight.size(); ++i) CHECK(std::abs(lightness(eight[i]) - lightness(eight[i - 1])) >= 20);
}

TEST_CASE("dark is made for a dark page") {
  const Palette dark = palette("dark");
  CHECK(lightness(dark.paper()) < 15);
  for (const Rgb fill : fills(dark)) CHECK(text_color(fill) == kPaper);
  for (const Rgb fill : categories(dark, 8)) CHECK(color_difference(fill, dark.paper()) >= 10);
  for (const Palette& each : all_palettes()) {
    if (each.name() != "dark") CHECK((each.paper() == kPaper && each.ink() == kInk));
  }
}

TEST_CASE("CuTe's tables are CuTe's") {
  const Palette latex = palette("print_latex");
  CHECK(latex.latex_index(0) == kPaper);
  CHECK(latex.latex_index(7) == Rgb{77, 77, 77});
  CHECK(latex.latex_index(9) == Rgb{153, 153, 153});
  CHECK(latex.latex_thread(3) == Rgb{255, 175, 175});
  CHECK(latex.category(12, 32) == Rgb{210, 210, 255});
  CHECK(palette("white").latex_index(5) == kPaper);
  CHECK(palette("white").category(5, 8) == kPaper);
  CHECK(palette("white").ramp(0.5) == kPaper);
}

TEST_CASE("colours of one's own are read, cycled through, tinted where they do not suffice, and ordered on a ramp") {
  const Palette mine = palette(" #0072B2,#e69f00\t#093 ,");
  CHECK(mine.category(0, 3) == Rgb{0, 114, 178});
  CHECK(mine.category(1, 3) == Rgb{230, 159, 0});
  CHECK(mine.category(2, 3) == Rgb{0, 153, 51});
  CHECK(mine.ramp(0) == Rgb{0, 114, 178});
  CHECK(mine.ramp(1) == Rgb{0, 153, 51});
  const Rgb between = mine.ramp(16 / 63.0);  // 32/63 of the way from the first to the second
  CHECK(between == mix({0, 114, 178}, {230, 159, 0}, 32 / 63.0));
  // Six are three hues in two shades, twelve in four; the thirteenth is the first again.
  CHECK(least_difference(categories(mine, 6), Sight::normal) >= 8);
  CHECK(least_difference(categories(mine, 12), Sight::normal) >= 5);
  CHECK(mine.category(1, 6) == mix(kPaper, {0, 114, 178}, 0.80));
  CHECK(mine.category(12, 13) == mine.category(0, 13));
  // What is nearly paper is made darker instead.
  const std::vector<Rgb> pale = categories(palette("#fff,#f4f0ea"), 8);
  CHECK(least_difference({pale.begin(), pale.begin() + 4}, Sight::normal) >= 5);
  CHECK(palette("#123,#456").name() == "#123,#456");
  std::string most = "#000";
  for (int i = 1; i < 64; ++i) most += fmt::format(" #0000{:02x}", i);
  CHECK(palette(most).category(63, 64) == Rgb{0, 0, 63});
}

TEST_CASE("a chart of three series takes three colours of one's own, and no tints of the first") {
  BarChart chart;
  chart.series = {"a", "b", "c"};
  chart.rows = {BarRow{}};
  chart.rows[0].bars = {Bar{1}, Bar{2}, Bar{3}};
  const Scene scene = bar_chart(chart, "#0072b2,#e69f00,#009e73").value();
  std::vector<Rgb> seen;
  for (const Mark& mark : scene.panels.at(0).marks) {
    if (const Cell* cell = std::get_if<Cell>(&mark); cell != nullptr && cell->fill != kNoColor) seen.push_back(scene.palette[cell->fill]);
  }
  REQUIRE(seen.size() >= 3);
  seen.resize(3);
  CHECK(seen == std::vector<Rgb>{{0, 114, 178}, {230, 159, 0}, {0, 158, 115}});
}

TEST_CASE("a wrong palette is refused with the word that is wrong") {
  CHECK(refusal("#0072b2,#e69f0g,#009e73").message.starts_with("'#e69f0g' is not a colour"));
  CHECK(refusal("#0072b2,blue").message.starts_with("'blue' is not a colour"));
  CHECK(refusal("#0072b2,#12345").message.starts_with("'#12345' is not a colour"));
  CHECK(refusal("#0072b2,##123").message.starts_with("'##123' is not a colour"));
  CHECK(refusal("#0072b2 #").message.starts_with("'#' is not a colour"));
  CHECK(refusal("#0072b2,red").code == ErrorCode::parse);
  CHECK(refusal("0072b2,e69f00").notes.front() == "write #0072b2");
  CHECK(refusal("#0072b2").message.ends_with("has 2 to 64 colours; this one has 1"));
  CHECK(refusal(",").message.ends_with("this one has 0"));
  std::string many;
  for (int i = 0; i < 65; ++i) many += "#123,";
  CHECK(refusal(many).message.ends_with("this one has 65"));
  CHECK(refusal("gray").code == ErrorCode::unknown_name);
  CHECK(refusal("gray").notes.front().ends_with("the nearest is greys"));
  CHECK(refusal("Tessera").code == ErrorCode::unknown_name);
}
