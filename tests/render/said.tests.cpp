// SPDX-License-Identifier: BSD-3-Clause
// What files of figures say to those who do not see them, and captions in files of their own.
#include "core/render/shared/said.hpp"

#include <cstdint>
#include <regex>
#include <string>
#include <string_view>
#include <utility>

#include "core/diagram/kinds/figures.hpp"
#include "core/render/html/html.hpp"
#include "core/render/shared/render.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/figures.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

Scene made(std::string expression, std::string title = {}) {
  FigureSpec spec = figure(lay(tup({4, 4}), tup({1, 2})));
  spec.expression = std::move(expression);
  spec.title = std::move(title);
  return make_figure(spec).value();
}

std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t at = text.find(begin);
  if (at == std::string::npos) return {};
  return text.substr(at + begin.size(), text.find(end, at + begin.size()) - at - begin.size());
}

// What the update of a PDF file says of an object, found by the table that the file's last line names.
std::string object_of(const std::string& pdf, std::int64_t number) {
  const std::size_t table = static_cast<std::size_t>(std::stoll(pdf.substr(pdf.rfind("startxref") + 10)));
  REQUIRE(pdf.compare(table, 4, "xref") == 0);
  std::smatch found;
  const std::string entries = pdf.substr(table);
  REQUIRE(std::regex_search(entries, found, std::regex("\\n" + std::to_string(number) + " 1\\n(\\d{10}) 00000 n ")));
  const std::size_t at = static_cast<std::size_t>(std::stoll(found[1]));
  const std::string head = std::to_string(number) + " 0 obj";
  REQUIRE(pdf.compare(at, head.size(), head) == 0);
  return pdf.substr(at, pdf.find("endobj", at) - at);
}

std::int64_t number_of(const std::string& pdf, const std::string& pattern) {
  std::smatch found;
  REQUIRE(std::regex_search(pdf, found, std::regex(pattern)));
  return std::stoll(found[1]);
}

}  // namespace

TEST_CASE("an SVG is an image with its title and its words, by names that no other picture of a page has") {
  const std::string one = render_svg(made("a < b", "Title & more")).value(), other = render_svg(made("another")).value();
  const std::string names = between(one, "role=\"img\" aria-labelledby=\"", "\"");
  const std::string title = names.substr(0, names.find(' ')), words = names.substr(names.find(' ') + 1);
  CHECK(between(one, "<title id=\"" + title + "\">", "</title>") == "Title &amp; more");
  CHECK(between(one, "<desc id=\"" + words + "\">", "</desc>") == "(4,4):(1,2) puts 16 elements at 10 distinct offsets, 0 to 9.");
  CHECK(names != between(other, "aria-labelledby=\"", "\""));
  CHECK(names == between(render_svg(made("a < b", "Title & more")).value(), "aria-labelledby=\"", "\""));
  CHECK(render_html(made("a < b")).value().find("\"alternative\":\"(4,4):(1,2) puts 16 elements") != std::string::npos);
}

TEST_CASE("a picture without words is told by its title or its expression") {
  FigureSpec spec = figure(compact(tup({2, 2})), FigureStyle::print_latex);
  spec.expression = "(2,2):(1,2)";
  CHECK(alternative_text(make_figure(spec).value()) == "(2,2):(1,2)");
  FigureSpec silent = figure(lay(tup({4, 4}), tup({1, 2})));
  silent.parameters["caption"] = "no";
  CHECK(alternative_text(make_figure(silent).value()).find("distinct offsets") != std::string::npos);
}

TEST_CASE("a PDF has a tagged figure with an alternative text, a language and a title") {
  const Result<std::string> pdf = render_pdf(made("(4,4):(1,2)", "A title"));
  if (!pdf) return;  // no Cairo
  const std::string element = object_of(*pdf, number_of(*pdf, R"((\d+) 0 obj\s*<<[^>]*/S /Figure)"));
  CHECK(element.find("/S /Figure") != std::string::npos);
  std::string words = "FEFF";
  for (const char c : std::string("(4,4):(1,2) puts 16 elements at 10 distinct offsets, 0 to 9.")) {
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    words += "00", words += kDigits[static_cast<unsigned char>(c) / 16], words += kDigits[static_cast<unsigned char>(c) % 16];
  }
  CHECK(element.find("/Alt <" + words + ">") != std::string::npos);
  const std::string catalog = object_of(*pdf, number_of(*pdf, R"(/Root (\d+) 0 R)"));
  for (const char* entry : {"/Type /Catalog", "/StructTreeRoot", "/MarkInfo << /Marked true >>", "/Lang (en)", "/DisplayDocTitle true"})
    CHECK(catalog.find(entry) != std::string::npos);
  CHECK(pdf->find("/Title (A title)") != std::string::npos);
  CHECK(with_pdf_alternative("no PDF", "words") == "no PDF");
}

TEST_CASE("a caption's file has the words below, as TeX or as text, without what colours mean") {
  Scene scene = made("(4,4):(1,2)");
  CHECK(caption_text(scene, false) == "(4,4):(1,2) puts 16 elements at 10 distinct offsets, 0 to 9.\n");
  using Of = SaidWords::Of;
  scene.said = {{Of::elements, "50% of 4 × 8_a"}, {Of::colors, "hue: the thread"}, {Of::lines, "grey line: atom boundary"}};
  CHECK(caption_text(scene, true) == "50\\% of 4 \\ensuremath{\\times} 8\\_a. grey line: atom boundary.%\n");
  scene.said.clear();
  CHECK(caption_text(scene, true).empty());
}
