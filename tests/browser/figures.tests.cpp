// SPDX-License-Identifier: BSD-3-Clause
// Figures in Chromium: it opens those of the tour without a complaint, and shows the colours that a scene says where it says.
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/catch.hpp"

#if TESSERA_HAVE_CAIRO

#include <cairo.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstring>

#include "core/render/shared/render.hpp"
#include "core/render/shared/typography.hpp"
#include "tests/support/figures.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/source_dir.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

std::string chromium() {
  for (const std::string name : {"chromium", "chromium-browser", "google-chrome"}) {
    if (test::shell("command -v " + name).code == 0) return name;
  }
  WARN("skipped: no Chromium here");
  return {};
}

// The browser with settings of its own and without a window, on a file.
test::Run browse(const std::string& browser, const std::string& flags, const std::filesystem::path& file) {
  return test::shell(
      fmt::format("timeout 120 {} --headless --no-sandbox --disable-gpu --hide-scrollbars --force-device-scale-factor=1 "
                  "--user-data-dir=\"$HOME/profile\" {} 'file://{}'",
                  browser, flags, file.string()));
}

using Color = std::array<double, 3>;

class Screenshot {
 public:
  explicit Screenshot(const std::filesystem::path& png) : surface_(cairo_image_surface_create_from_png(png.c_str())) {
    REQUIRE(cairo_surface_status(surface_) == CAIRO_STATUS_SUCCESS);
  }
  ~Screenshot() { cairo_surface_destroy(surface_); }
  Screenshot(const Screenshot&) = delete;
  Screenshot& operator=(const Screenshot&) = delete;

  // The average of the pixels within a rectangle: red, green, blue.
  Color average(double x, double y, double w, double h) const {
    Color sum{};
    int count = 0;
    for (int row = static_cast<int>(std::ceil(y)); row < static_cast<int>(y + h); ++row) {
      for (int col = static_cast<int>(std::ceil(x)); col < static_cast<int>(x + w); ++col, ++count) {
        REQUIRE((col < cairo_image_surface_get_width(surface_) && row < cairo_image_surface_get_height(surface_)));
        std::uint32_t argb = 0;
        std::memcpy(&argb, cairo_image_surface_get_data(surface_) + row * cairo_image_surface_get_stride(surface_) + 4 * col, 4);
        for (int c = 0; c < 3; ++c) sum[static_cast<std::size_t>(c)] += argb >> (16 - 8 * c) & 0xff;
      }
    }
    for (double& s : sum) s /= count;
    return sum;
  }

 private:
  cairo_surface_t* surface_;
};

double distance(const Color& seen, Rgb wanted) {
  return std::abs(seen[0] - wanted.r) + std::abs(seen[1] - wanted.g) + std::abs(seen[2] - wanted.b);
}

Scene small_figure(const std::string& labels) {
  FigureSpec spec = figure(lay(tup({4, 8}), tup({9, 1})));
  spec.parameters["labels"] = labels;
  return make_figure(spec).value();
}

// How far the middles of a scene's cells are from their fills, in the browser.
std::vector<double> distances(const std::string& browser, const Scene& scene) {
  const test::TemporaryFolder folder;
  constexpr double kCell = 28;
  test::put(folder / "a.svg", render_svg(scene).value());
  const Bounds box = bounds(scene);
  const double margin = 0.5 * page_unit(box);
  const std::string flags = fmt::format("--window-size={},{} --screenshot={}", std::lround((box.width() + 2 * margin) * kCell) + 200,
                                        std::lround((box.height() + 2 * margin) * kCell) + 200, (folder / "a.png").string());
  REQUIRE(browse(browser, flags, folder / "a.svg").code == 0);
  const Screenshot shot(folder / "a.png");
  std::vector<double> out;
  each_cell(scene, 0, [&](const CellView& cell) {
    if (cell.fill == kNoColor) return;
    const Color seen = shot.average((cell.x + 0.2 * cell.w - box.x0 + margin) * kCell, (cell.y + 0.2 * cell.h - box.y0 + margin) * kCell,
                                    0.6 * cell.w * kCell, 0.6 * cell.h * kCell);
    out.push_back(distance(seen, scene.palette[cell.fill]));
  });
  return out;
}

}  // namespace

TEST_CASE("the browser shows each cell of a figure in its colour, and the labels on them", "[browser]") {
  const std::string browser = chromium();
  if (browser.empty()) return;
  const std::vector<double> bare = distances(browser, small_figure("none")), labelled = distances(browser, small_figure("offset"));
  REQUIRE(bare.size() >= 32);
  REQUIRE(labelled.size() == bare.size());
  for (std::size_t i = 0; i < 32; ++i) {
    CAPTURE(i);
    CHECK(bare[i] <= 3);
    CHECK(labelled[i] > 10);  // dark ink over a light fill
    CHECK(labelled[i] < 300);
  }
}

// Copies all of the picture, and looks where the letters of each label stand.
constexpr std::string_view kCopy = R"(<script>
  const copied = (getSelection().selectAllChildren(document.querySelector('svg')), getSelection().toString());
  let off = 0;
  for (const span of document.querySelectorAll('tspan')) {
    const all = span.textContent, first = all.length - all.trimStart().length, last = all.trimEnd().length - 1;
    const middle = (span.getStartPositionOfChar(first).x + span.getEndPositionOfChar(last).x) / 2;
    off = Math.max(off, Math.abs(middle - span.getAttribute('x')));
  }
  document.body.textContent = 'copied[' + copied.replace(/\s+/g, ' ') + '] off[' + (off < 0.05 ? 'none' : off) + ']';
</script>)";

TEST_CASE("what is copied from a row of cells in the browser has blanks, and each number stands in its cell's middle", "[browser]") {
  const std::string browser = chromium();
  if (browser.empty()) return;
  const test::TemporaryFolder folder;
  test::put(folder / "a.html",
            "<!doctype html><meta charset=utf-8><body>" + render_svg(small_figure("offset")).value() + std::string(kCopy));
  const test::Run page = browse(browser, "--dump-dom", folder / "a.html");
  CHECK(page.code == 0);
  INFO(page.out);
  CHECK(test::has(page.out, " 9 10 11 12 13 14 15 16 18 19 20 21 22 23 24 25 "));
  CHECK(test::has(page.out, "off[none]"));
}

TEST_CASE("the browser opens the tour's figures without a complaint", "[browser]") {
  const std::string browser = chromium();
  if (browser.empty()) return;
  const test::TemporaryFolder folder;
  REQUIRE(test::shell("tessera draw '" + test::source_dir() + "/assets/presets/tour.tess' --to svg --out '" + folder.path().string() + "'")
              .code == 0);
  int figures = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    if (entry.path().extension() != ".svg") continue;
    INFO(entry.path().filename().string());
    const test::Run page = browse(browser, "--dump-dom", entry.path());
    CHECK(page.code == 0);
    CHECK(test::has(page.out, "</svg>"));
    CHECK_FALSE(test::has(page.out, "parsererror"));
    ++figures;
  }
  CHECK(figures >= 10);
}

#else

TEST_CASE("figures in a browser", "[browser]") { WARN("skipped: no Cairo, which reads the screenshots"); }

#endif
