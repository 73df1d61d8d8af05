// SPDX-License-Identifier: BSD-3-Clause
// Pages of words and figures as one PDF, and a figure of a page in the colours of both schemes.
#include "core/render/shared/paper.hpp"

#include <cstdint>
#include <string>
#include <utility>

#include "core/base/budget.hpp"
#include "core/diagram/kinds/figures.hpp"
#include "core/render/html/html.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/literals.hpp"

using namespace tessera;
using namespace tessera::literals;

namespace {

Scene scene_of(const Layout& layout, const std::string& palette = {}) {
  FigureSpec spec;
  spec.kind = "layout";
  spec.objects = {layout};
  spec.palette = palette;
  Result<Scene> made = make_figure(spec);
  if (!made) FAIL(made.error().message);
  return *std::move(made);
}

PaperDocument two_pages() {
  PaperDocument document{400, 300, {}, "Two pages", {}};
  Paper words, picture;
  words.texts.push_back({20, 40, 12, Typeface::inter, {}, "Words \xC3\xA9 (\\)"});
  words.areas.push_back({10, 60, 100, 20, {200, 210, 220}});
  picture.figures.push_back({30, 30, scene_of("(4,8):(8,1)"_layout), 20});
  document.papers = {words, picture};
  return document;
}

}  // namespace

TEST_CASE("a document of pages is one PDF of that many, the same every time") {
  const Result<std::string> pdf = render_pdf_document(two_pages());
  if (!pdf) {
    CHECK(pdf.error().message.find("no Cairo") != std::string::npos);
    return;
  }
  CHECK(pdf->starts_with("%PDF-1.4"));
  CHECK(pdf->find("/Count 2") != std::string::npos);
  CHECK(pdf->find("/MediaBox [ 0 0 400 300 ]") != std::string::npos);
  CHECK(pdf->find("/S /Figure") != std::string::npos);
  CHECK(*render_pdf_document(two_pages()) == *pdf);
  PaperDocument other = two_pages();
  other.papers[1].figures[0].x += 1;
  CHECK(*render_pdf_document(other) != *pdf);
}

TEST_CASE("pages beyond the budget of a request are refused") {
  const PaperDocument document = two_pages();
  if (!render_pdf_document(document)) return;
  const Budget budget(Limits{10, std::int64_t{1} << 10, std::int64_t{1} << 20});
  CHECK(!render_pdf_document(document));
}

TEST_CASE("a figure in two schemes has the colours of both, and nothing else twice") {
  const Layout rows = "(4,8):(8,1)"_layout, other = "(4,9):(9,1)"_layout;
  const std::string light = render_html_figure(scene_of(rows)).value();
  const std::string both = render_html_figure_in_schemes(scene_of(rows), scene_of(rows, "dark")).value();
  const std::size_t at = both.find(",\"dark\":{\"page\":[");
  REQUIRE(at != std::string::npos);
  const std::size_t end = both.find("},\"tensors\":", at);
  REQUIRE(end != std::string::npos);
  CHECK(both.substr(0, at) + both.substr(end + 1) == light);
  CHECK(both.substr(at, end - at).find("\"labels\":[") != std::string::npos);
  CHECK(render_html_figure_in_schemes(scene_of(rows), scene_of(other, "dark")).value() == light);  // not the same figure
}
