// SPDX-License-Identifier: BSD-3-Clause
// What readers of the files find: every label by a search for its text, and colours that no lines cover.
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "core/render/shared/render.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/figures.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

Scene large_layout() {
  FigureSpec spec = figure(lay(tup({256, 256}), tup({256, 1})));
  spec.title = "All offsets of a tile";
  return make_figure(spec).value();
}

// What stands between two tags, one line each.
std::string text_nodes(const std::string& svg) {
  std::string text;
  for (std::size_t end = svg.find('>'); end != std::string::npos; end = svg.find('>', end + 1)) {
    const std::size_t next = svg.find('<', end);
    if (next == std::string::npos) break;
    text += svg.substr(end + 1, next - end - 1) + '\n';
  }
  return text;
}

// How often each word occurs that is a number.
std::map<int, int> numbers(const std::string& text) {
  std::map<int, int> found;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    int n = 0;
    const auto read = std::from_chars(word.data(), word.data() + word.size(), n);
    if (read.ec == std::errc() && read.ptr == word.data() + word.size()) ++found[n];
  }
  return found;
}

void check_all_found(const std::string& text, const Scene& scene) {
  std::map<int, int> found = numbers(text);
  int missing = 0;
  for (int n = 0; n < 65536; ++n) missing += found[n] == 0;
  CHECK(missing == 0);
  CHECK(found[61234] == 1);
  CHECK(text.find(scene.title) != std::string::npos);
  for (const Panel& panel : scene.panels) {
    for (const std::string& name : texts_of(scene, panel, LabelRole::panel_name)) CHECK(text.find(name) != std::string::npos);
  }
}

bool is_there(const char* program) { return std::system((std::string("command -v ") + program + " > /dev/null 2>&1").c_str()) == 0; }

}  // namespace

TEST_CASE("a search of a large layout's SVG finds all labels and names", "[svg][viewers]") {
  const Scene scene = large_layout();
  const std::string svg = render_svg(scene).value();
  check_all_found(text_nodes(svg), scene);
  CHECK(svg.size() <= 4'000'000);
}

// The characters of each text in their order, which are what is copied and searched.
std::vector<std::string> texts(const std::string& svg) {
  std::vector<std::string> out;
  for (std::size_t at = svg.find("<text "); at != std::string::npos; at = svg.find("<text ", at + 1)) {
    std::string& text = out.emplace_back();
    for (std::size_t i = at; i < svg.find("</text>", at); ++i) {
      if (svg[i] == '<')
        i = svg.find('>', i);
      else
        text += svg[i];
    }
  }
  return out;
}

TEST_CASE("numbers of a row of cells have a blank between them in an SVG, and none that moves one off its middle", "[svg][viewers]") {
  const std::string svg = render_svg(make_figure(figure(lay(tup({3, 13}), tup({13, 1})))).value()).value();
  std::size_t found = 0;
  for (std::string text : texts(svg)) {
    if (!text.starts_with("13 ") && !text.starts_with("26 ")) continue;
    while (text.ends_with(' ')) text.pop_back();
    const int first = text[0] == '1' ? 13 : 26;
    std::string wanted;
    for (int i = first; i < first + 13; ++i) wanted += (i == first ? "" : " ") + std::to_string(i);
    CHECK(text == wanted);
    ++found;
  }
  CHECK(found == 2);
  for (std::size_t at = svg.find("<tspan"); at != std::string::npos; at = svg.find("<tspan", at + 1)) {
    const std::size_t begin = svg.find('>', at) + 1, end = svg.find('<', begin);
    CHECK((svg[begin] == ' ') == (svg[end - 1] == ' '));
    CHECK(svg.rfind("<text ", at) < svg.rfind("xml:space=\"preserve\"", at));  // or viewers take blanks away
  }
}

#if TESSERA_HAVE_CAIRO

TEST_CASE("a search of a large layout's PDF finds all labels and names", "[pdf][viewers]") {
  if (!is_there("pdftotext")) {
    WARN("skipped: no pdftotext here");
    return;
  }
  const Scene scene = large_layout();
  const test::TemporaryFolder folder;
  test::put(folder / "a.pdf", render_pdf(scene).value());
  REQUIRE(std::system(("pdftotext " + (folder / "a.pdf").string() + " " + (folder / "a.txt").string()).c_str()) == 0);
  check_all_found(test::contents(folder / "a.txt"), scene);
}

TEST_CASE("a page's grid does not cover its colours where the page is shown small", "[pdf][viewers]") {
  if (!is_there("pdftoppm")) {
    WARN("skipped: no pdftoppm here");
    return;
  }
  Scene scene;
  const Rgb blue{40, 80, 160};
  scene.panels.push_back({"p", {Cell{0, 0, 200, 200, scene.color(blue)}}});
  std::vector<Mark>& marks = scene.panels[0].marks;
  SECTION("with a grid") { marks.push_back(Outline{0, 0, 200, 200, StrokeRole::grid, true}); }
  SECTION("with lines side by side") {
    for (int i = 1; i < 100; ++i)
      marks.push_back(Line{2.0f * static_cast<float>(i), 0, 2.0f * static_cast<float>(i), 200, StrokeRole::boundary});
  }
  const test::TemporaryFolder folder;
  RenderOptions options;
  options.cell_points = 2;
  test::put(folder / "a.pdf", render_pdf(scene, options).value());
  REQUIRE(std::system(("pdftoppm -r 60 -singlefile " + (folder / "a.pdf").string() + " " + (folder / "a").string()).c_str()) == 0);
  const std::string ppm = test::contents(folder / "a.ppm");
  int width = 0, height = 0, begin = 0;
  REQUIRE(std::sscanf(ppm.c_str(), "P6 %d %d 255%n", &width, &height, &begin) == 2);
  double sum[3] = {0, 0, 0};
  int count = 0;
  for (int y = height / 4; y < height * 3 / 4; ++y) {
    for (int x = width / 4; x < width * 3 / 4; ++x, ++count) {
      for (int c = 0; c < 3; ++c) sum[c] += static_cast<unsigned char>(ppm[static_cast<std::size_t>(begin + 1 + 3 * (y * width + x) + c)]);
    }
  }
  // Lines of 0.3 points at most, and what a viewer adds to them: strokes would cover more than half.
  CHECK(sum[0] / count == Approx(blue.r).margin(75));
  CHECK(sum[1] / count == Approx(blue.g).margin(60));
  CHECK(sum[2] / count == Approx(blue.b).margin(40));
}

#endif
