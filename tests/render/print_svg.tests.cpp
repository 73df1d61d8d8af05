// SPDX-License-Identifier: BSD-3-Clause
// The print_svg style: CuTe's coordinates, by its own formulas.
#include <string>

#include <fmt/format.h>

#include "core/render/shared/render.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/figures.hpp"

using namespace tessera;
using namespace tessera::testing;

TEST_CASE("print_svg places C, A and B as CuTe does", "[svg]") {
  const TiledMma mma = tiled("SM80_16x8x16_F32F16F16F32_TN", compact(tup({1, 1, 1})));
  const std::string svg = render_svg(make_figure(figure(mma, FigureStyle::print_svg)).value()).value();
  const int m = 16, n = 8, k = 16;
  CHECK(svg.find(fmt::format("viewBox=\"0 0 {} {}\"", (k + n + 2) * 20, (k + m + 2) * 20)) != std::string::npos);
  const Layout tv = mma.layout_tv(Operand::c).value();  // (thr, val) -> (m, n)
  for (int t = 0; t < 32; ++t) {
    for (int v = 0; v < 4; ++v) {
      const int row = static_cast<int>(tv(t, v)) % m, col = static_cast<int>(tv(t, v)) / m;
      const int x = (col + k + 2) * 20, y = (row + k + 2) * 20;
      const std::string cell = fmt::format("<rect x=\"{}\" y=\"{}\" width=\"20\" height=\"20\" fill=", x, y);
      const std::string value = fmt::format(
          "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" alignment-baseline=\"central\" font-size=\"8\">V{}</text>", x + 10, y + 15, v);
      CHECK(svg.find(cell) != std::string::npos);
      CHECK(svg.find(value) != std::string::npos);
    }
  }
}

TEST_CASE("a layout has no print_svg", "[svg]") {
  const Result<Scene> scene = make_figure(figure(compact(tup({2, 2})), FigureStyle::print_svg));
  REQUIRE(!scene);
  CHECK(scene.error().code == ErrorCode::wrong_type);
}
