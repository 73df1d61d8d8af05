// SPDX-License-Identifier: BSD-3-Clause
// Files of figures within a request's budget: refused before they are made, or stopped on the way.
#include <cstdint>
#include <string>
#include <utility>

#include "core/base/budget.hpp"
#include "core/render/shared/render.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/figures.hpp"

using namespace tessera;

namespace {

using Render = Result<std::string> (*)(const Scene&, const RenderOptions&);

Result<std::string> as_json(const Scene& scene, const RenderOptions&) { return render_json(scene); }

const std::pair<const char*, Render> kRenderers[] = {
    {"SVG", render_svg}, {"TikZ", render_tikz}, {"JSON", as_json}, {"PNG", render_png}, {"PDF", render_pdf}};

Scene scene_of(FigureStyle style) {
  FigureSpec spec;
  spec.objects = {Layout::make_compact(IntTuple::tuple({64, 64})).value()};
  spec.style = style;
  return make_figure(spec).value();
}

}  // namespace

TEST_CASE("Each renderer refuses a file beyond the budget's bytes, with the estimate and the flag") {
  for (const FigureStyle style : {FigureStyle::tessera, FigureStyle::print_latex}) {
    const Scene scene = scene_of(style);
    for (const auto& [name, render] : kRenderers) {
      INFO(name);
      const Budget budget({.bytes = bytes_of(scene) + 1000});
      const Result<std::string> made = render(scene, {});
      REQUIRE_FALSE(made.has_value());
      CHECK(made.error().code == ErrorCode::limit);
      CHECK(made.error().message.find("a figure of 4096 cells as " + std::string(name) + " takes about") == 0);
      CHECK(made.error().notes.at(0).starts_with("--limit-bytes "));
    }
  }
}

TEST_CASE("Each renderer ends when the time is over") {
  const Scene scene = scene_of(FigureStyle::tessera);
  for (const auto& [name, render] : kRenderers) {
    INFO(name);
    const Budget budget({.seconds = 0});
    const Result<std::string> made = render(scene, {});
    REQUIRE_FALSE(made.has_value());
    CHECK(made.error().notes.at(0).starts_with("--limit-seconds "));
  }
}

TEST_CASE("The estimates of text formats are not far below what they write") {
  const Scene scene = scene_of(FigureStyle::tessera);
  for (const Render render : {Render(render_svg), Render(render_tikz), Render(as_json)}) {
    const std::string made = render(scene, {}).value();
    const Budget budget({.bytes = bytes_of(scene) + static_cast<std::int64_t>(made.size()) / 2});
    CHECK_FALSE(render(scene, {}).has_value());
  }
}

TEST_CASE("Each renderer asks beforehand for its bytes a cell, and is refused at one byte less") {
  const auto check = [](const Scene& scene, const char* name, Render render, std::int64_t bytes) {
    INFO(name);
    const auto fits = [&](std::int64_t most) {
      const Budget budget({.bytes = most});
      return render(scene, {}).has_value();
    };
    CHECK(fits(bytes_of(scene) + bytes));
    CHECK_FALSE(fits(bytes_of(scene) + bytes - 1));
  };
  const Scene own = scene_of(FigureStyle::tessera), latex = scene_of(FigureStyle::print_latex);
  const std::size_t labels = std::get<Grid>(own.panels[0].marks[0]).of->text.size();
  const std::int64_t cells = 4096, glyphs = 48 * static_cast<std::int64_t>(own.text.size() + labels);
  check(own, "SVG", render_svg, 60 * cells);
  check(own, "TikZ", render_tikz, (static_cast<std::int64_t>(sizeof(CellView)) + 32) * cells);
  check(latex, "print_latex", render_tikz, 60 * cells);
  check(own, "JSON", as_json, 150 * cells);
  if (render_pdf(own)) check(own, "PDF", render_pdf, 160 * cells + glyphs);
}
