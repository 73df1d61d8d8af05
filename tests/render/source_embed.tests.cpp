// SPDX-License-Identifier: BSD-3-Clause
// The source of a figure in its file: it comes back whole or is refused, whatever it says and whatever happened to the file.
#include "core/render/shared/source_embed.hpp"

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <functional>
#include <random>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/sha256.hpp"
#include "core/base/utf8.hpp"
#include "core/render/html/html.hpp"
#include "core/render/shared/png_text.hpp"
#include "core/render/shared/render.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/every_mark.hpp"

using namespace tessera;
using tessera::testing::every_mark;

namespace {

const std::string kHostile =
    "a \"b\" \\ \n\t -- --> ]]> </metadata> & <!-- % \x01 \x7f \xc3\xa9 \xe2\x86\x92 \xf0\x9f\x99\x82 {\"tessera\":1}";

Source hostile() {
  Source source;
  source.expression = kHostile;
  source.document = "let a = " + kHostile + "\n";
  source.binding = 3;
  source.kind = source.style = source.palette = source.title = source.width = source.labels = kHostile;
  source.parameters = {{kHostile, "1"}, {"thread", kHostile}};
  source.cell = 0.1, source.scale = 1.0 / 3;
  source.transparent = source.fragment = true;
  source.version = kHostile;
  return source;
}

Scene with(const Source& source, FigureStyle style) {
  Scene scene = every_mark(style);
  scene.expression = scene.title = kHostile;
  scene.source = source;
  return scene;
}

struct Written {
  std::string format, file;
};

// In every format and style that has a place for it.
std::vector<Written> files_of(const Source& source) {
  std::vector<Written> files;
  for (const FigureStyle style : {FigureStyle::tessera, FigureStyle::print_latex, FigureStyle::print_svg}) {
    const Scene scene = with(source, style);
    RenderOptions picture;
    picture.standalone = false;
    files.push_back({"svg", render_svg(scene).value()});
    files.push_back({"tex", render_tikz(scene).value()});
    files.push_back({"fragment", render_tikz(scene, picture).value()});
    files.push_back({"json", render_json(scene).value()});
    files.push_back({"html", render_html(scene).value()});
#if TESSERA_HAVE_CAIRO
    files.push_back({"png", render_png(scene).value()});
    files.push_back({"pdf", render_pdf(scene).value()});
#endif
  }
  return files;
}

void check_refused(const std::string& file, const std::string& words) {
  const Result<Source> read = read_source(file);
  REQUIRE_FALSE(read);
  CHECK(read.error().code == ErrorCode::corrupt);
  INFO(read.error().message);
  CHECK(read.error().message.find(words) != std::string::npos);
}

}  // namespace

TEST_CASE("a source is one line of plain signs, and the line is the source", "[source]") {
  const std::string line = to_line(hostile());
  CHECK(std::all_of(line.begin(), line.end(), [](char c) { return c >= 0x20 && c < 0x7f && c != '<' && c != '>' && c != '&'; }));
  CHECK(line.find("--") == std::string::npos);
  CHECK(read_line(line).value() == hostile());
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    Source source;
    for (std::size_t n = 1 + random() % 20; n > 0; --n) append_utf8(source.expression, static_cast<char32_t>(1 + random() % 0xd7ff));
    if (random() % 2) source.document = source.expression + "\n";
    if (random() % 2) source.scale = static_cast<double>(random()) / 7;
    if (random() % 2) source.binding = static_cast<std::int64_t>(random());
    if (random() % 2) source.fragment = true;
    REQUIRE(read_line(to_line(source)).value() == source);
  }
}

TEST_CASE("every file gives back the source that it was written with", "[source]") {
  for (const Written& written : files_of(hostile())) {
    INFO(written.format);
    const Result<Source> read = read_source(written.file);
    REQUIRE(read);
    CHECK(*read == hostile());
  }
}

TEST_CASE("a file without a source, or with one that was changed or cut off, is refused with a word", "[source]") {
  for (const Written& written : files_of({})) {
    INFO(written.format);
    if (written.format == "png") continue;  // it has the expression
    check_refused(written.file, "carries no source");
  }
  for (const std::string text : {"", "\n", "hello", "{}\n", "<svg/>\n", "%PDF-1.5\n%%EOF\n", "\x89PNG\r\n\x1a\n    IEND"})
    check_refused(text, "carries no source");
  for (const std::string text : {"{\"a\":", "<svg><g", "%PDF-1.5\n", "\x89PNG\r\n\x1a\n"}) check_refused(text, "is cut off");
  const std::string line = to_line(hostile());
  for (const Written& written : files_of(hostile())) {
    INFO(written.format);
    const std::size_t at = written.file.find(line);
    REQUIRE(at != std::string::npos);
    CHECK(written.file.find(line, at + 1) == std::string::npos);
    for (std::size_t i = 0; i < line.size(); i += 7) {
      std::string changed = written.file;
      changed[at + i] ^= 1;
      CHECK_FALSE(read_source(changed));
      CHECK_FALSE(read_source(written.file.substr(0, at + i)));
    }
    check_refused(std::string(written.file).replace(at + line.find("0.1"), 3, "0.2"), "was changed");
    if (written.format == "png") {  // by a program that writes checksums
      std::string changed = written.file;
      changed.replace(8 + 25 + 8, 5, "other");
      check_refused(with_png_text(changed, "tessera", std::string(line).replace(line.find("0.1"), 3, "0.2")), "was changed");
      check_refused(with_png_text(changed, "tessera", std::string(line).replace(2, 1, "T")), "was changed");
    }
    check_refused(written.file.substr(0, at + line.size() / 2), "is cut off");
  }
  CHECK_FALSE(read_line(std::string(2'000'000, 'x')));
  for (const std::string text : {"", "{}", "{\"tessera\":1,\"check\":\"\"}"}) CHECK_FALSE(read_line(text));
}

TEST_CASE("a picture of CuTe's styles is CuTe's text beside its source", "[source]") {
  for (const FigureStyle style : {FigureStyle::print_latex, FigureStyle::print_svg}) {
    const Scene scene = with(hostile(), style);
    const auto without = [](std::string text, const std::string& part) {
      REQUIRE(text.find(part) != std::string::npos);
      return text.replace(text.find(part), part.size(), "");
    };
    Scene plain = scene;
    plain.source = {};
    plain.expression.clear();
    CHECK(without(render_tikz(scene).value(), "% tessera: " + to_line(hostile()) + "\n") == render_tikz(plain).value());
    if (style != FigureStyle::print_svg) continue;
    CHECK(without(render_svg(scene).value(), "<!-- " + to_line(hostile()) + " -->\n") == render_svg(plain).value());
  }
}

TEST_CASE("a source longer than TeX reads is left out of TikZ alone, and one beyond the limit of every file", "[source]") {
  Source source;
  source.expression = std::string(kLongestTexSource, 'x');
  Scene scene = every_mark();
  scene.source = source;
  const std::string tex = render_tikz(scene).value();
  check_refused(tex, "carries no source");
  CHECK(tex.find("the source is left out") != std::string::npos);
  CHECK(read_source(render_svg(scene).value()).value() == source);
  scene.source.expression = std::string(kLongestSource, 'x');
  check_refused(render_svg(scene).value(), "carries no source");
  check_refused(render_json(scene).value(), "carries no source");
}

#if TESSERA_HAVE_CAIRO

namespace {

// Whether a reader finds its way from there: a table of cross-references, or (PDF 1.5) an object whose dictionary says that it is one.
bool leads_to_cross_references(std::string_view pdf, std::size_t at) {
  if (at >= pdf.size()) return false;
  if (pdf.substr(at).starts_with("xref")) return true;
  static const std::regex stream(R"(^\d+ \d+ obj\s*<<)");
  const std::string object(pdf.substr(at, std::min(pdf.find("stream", at), pdf.find("endobj", at)) - at));
  return std::regex_search(object, stream) && object.find("/XRef") != std::string::npos;
}

}  // namespace

TEST_CASE("a PNG of an older version has its expression, and the chunk of a newer one is not taken for it", "[source][png]") {
  const std::string old = render_png(with({}, FigureStyle::tessera)).value();
  Scene scene = every_mark();
  scene.expression = "(4,8):(8,1)";
  const std::string png = render_png(scene).value();
  CHECK(png_text(png, "tessera") == "(4,8):(8,1)");
  Source expected;
  expected.expression = "(4,8):(8,1)";
  CHECK(read_source(png).value() == expected);
  CHECK(read_source(old));
}

TEST_CASE("a PDF's places are right with its source", "[source][pdf]") {
  const std::string pdf = render_pdf(with(hostile(), FigureStyle::tessera)).value();
  const std::size_t start = pdf.rfind("startxref\n");
  REQUIRE(start != std::string::npos);
  CHECK(leads_to_cross_references(pdf, std::stoul(pdf.substr(start + 10))));
  CHECK(pdf.size() - start < 1024);  // where readers look for it
  CHECK(pdf.ends_with("%%EOF\n"));
}

TEST_CASE("a place in a PDF that a reader cannot begin from is known as such", "[source][pdf]") {
  CHECK(leads_to_cross_references("xref\n0 2\n", 0));
  CHECK(leads_to_cross_references("%\n7 0 obj\n<< /Size 8 /Type /XRef >>\nstream\n", 2));
  CHECK_FALSE(leads_to_cross_references("%\n7 0 obj\n<< /Type /XRef >>\nstream\n", 0));
  CHECK_FALSE(leads_to_cross_references("7 0 obj\n<< /Type /Page >>\nendobj\n9 0 obj\n<< /Type /XRef >>\nstream\n", 0));
  CHECK_FALSE(leads_to_cross_references("xref\n", 70));
}

#endif

TEST_CASE("a source of fifty thousand parameters is read in little time, and one that is no text is refused by its name") {
  Source source;
  source.version = "1", source.expression = "4:1";
  for (int i = 0; i < 50'000; ++i) source.parameters["p" + std::to_string(i)] = "1";
  const std::string line = to_line(source);
  REQUIRE(line.size() < kLongestSource);
  const std::clock_t since = std::clock();
  const auto read = read_line(line);
  CHECK(static_cast<double>(std::clock() - since) / CLOCKS_PER_SEC < 1);  // of this process alone
  REQUIRE(read.has_value());
  CHECK(read->parameters == source.parameters);
  const std::string body = R"({"tessera":1,"version":"1","expression":"4:1","parameters":{"a":"1","b":2})";
  const auto refused = read_line(body + ",\"check\":\"" + sha256_hex(body).substr(0, 32) + "\"}");
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().message.find("the parameter b is no text") != std::string::npos);
}
