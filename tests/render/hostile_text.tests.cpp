// SPDX-License-Identifier: BSD-3-Clause
// Texts of a scene are others' words: whatever their bytes, every writer makes a file that its readers accept, with the same marks.
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/utf8.hpp"
#include "core/render/shared/png_text.hpp"
#include "core/render/shared/render.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

// Every text that a scene has, filled with `hostile`.
Scene scene_with(const std::string& hostile, FigureStyle style) {
  Scene scene;
  scene.style = style;
  scene.title = hostile;
  scene.expression = hostile;
  scene.comments = {hostile, hostile};
  scene.tensors = {hostile};
  Panel panel{hostile, {}};
  panel.marks.push_back(Outline{0, 0, 2, 1, StrokeRole::grid, true});
  panel.marks.push_back(Cell{0, 0, 1, 1, kNoColor, 1, false, scene.intern(hostile), kNoSubject});
  panel.marks.push_back(Cell{1, 0, 1, 1, kNoColor, 2, true, scene.intern(hostile + "\n" + hostile), kNoSubject});
  for (const LabelRole role : {LabelRole::axis, LabelRole::panel_name, LabelRole::caption, LabelRole::legend, LabelRole::note}) {
    Label label{};
    label.text = scene.intern(hostile);
    label.role = role;
    panel.marks.push_back(label);
  }
  scene.panels.push_back(std::move(panel));
  return scene;
}

// All bytes one by one and in threes, and what has a meaning to a terminal, to XML, to TeX or to JSON.
std::vector<std::string> hostile_texts() {
  std::vector<std::string> texts{"\x1b]0;owned\x07\x1b[2J",
                                 "</text></svg><script>alert(1)</script>",
                                 "]]>&amp;&#0;&#x1b;<!--",
                                 "--><svg/>",
                                 "-----",
                                 "-",
                                 "}\\end{document}\\input{/etc/passwd}",
                                 "\\\n\n%{$#&_^~",
                                 "[2cm]*",
                                 "^^J^^M^^00",
                                 "\",\"links\":[{\"thread\":1}],\"x\":\"\\",
                                 "\xe2\x80\xae reversed \xe2\x81\xa6 isolated \xef\xbb\xbf",
                                 "\xef\xbf\xbe\xef\xbf\xbf\xed\xa0\x80\xf4\x90\x80\x80\xc0\x80",
                                 "\xc2\x9b 31m",
                                 "cut \xe2\x82",
                                 std::string("nul \0 and more", 14)};
  std::string all;
  for (int byte = 0; byte < 256; ++byte) {
    texts.push_back({static_cast<char>(byte)});
    all += static_cast<char>(byte);
  }
  texts.push_back(all);
  std::mt19937 random(11);
  for (int i = 0; i < 200; ++i) {
    std::string text;
    for (int k = 0; k < 9; ++k) text += static_cast<char>(random() % 256);
    texts.push_back(text);
  }
  return texts;
}

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == ':' || c == '-'; }

// What is wrong with `text` as XML, or empty. Enough of the grammar for what a writer of SVG uses: elements, attributes, references to
// the five entities and to characters, comments. The names of the elements are added to `elements`.
std::string xml_fault(std::string_view text, std::vector<std::string>& elements) {
  for (std::string_view rest = text; !rest.empty();) {
    const Utf8Character c = first_character(rest);
    if (!c.valid || (c.code < 0x20 && c.code != '\n' && c.code != '\t') || c.code == 0xfffe || c.code == 0xffff)
      return "a sign XML has not";
    rest.remove_prefix(c.length);
  }
  std::vector<std::string> open;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '&') {
      const std::size_t end = text.find(';', i);
      if (end == std::string_view::npos) return "an open reference";
      const std::string_view name = text.substr(i + 1, end - i - 1);
      if (name != "amp" && name != "lt" && name != "gt" && name != "quot" && name != "#9" && name != "#10" && !name.starts_with("#x"))
        return "an unknown reference";
      i = end + 1;
    } else if (text.substr(i).starts_with("<!--")) {
      const std::size_t end = text.find("--", i + 4);
      if (end == std::string_view::npos || text.substr(end, 3) != "-->") return "a comment with --";
      i = end + 3;
    } else if (text[i] == '<') {
      const bool closes = text.substr(i + 1).starts_with('/');
      std::size_t at = i + 1 + (closes ? 1 : 0);
      const std::size_t begin = at;
      while (at < text.size() && is_name(text[at])) ++at;
      const std::string name(text.substr(begin, at - begin));
      if (name.empty()) return "an element without a name";
      bool empty = false;
      while (at < text.size() && text[at] != '>') {
        if (text[at] == '<') return "< in a tag";
        empty = text[at] == '/';
        if (text[at] == '"') {
          at = text.find('"', at + 1);
          if (at == std::string_view::npos) return "an open attribute";
        }
        ++at;
      }
      if (closes && (open.empty() || open.back() != name)) return "</" + name + "> closes nothing";
      if (closes) open.pop_back();
      if (!closes) elements.push_back(name);
      if (!closes && !empty) open.push_back(name);
      i = at + 1;
    } else {
      if (open.empty() && text[i] != '\n') return "text outside of the picture";
      ++i;
    }
  }
  return open.empty() ? "" : "<" + open.back() + "> is open";
}

// What is wrong with a TeX document, or empty: bytes that are no text, and braces that a text has opened or closed.
std::string tex_fault(std::string_view text) {
  int depth = 0;
  bool comment = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if ((c < 0x20 && c != '\n') || c == 0x7f) return "a control byte";
    if (c == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0) return "a C1 control";
    if (c == '\n') comment = false;
    if (comment) continue;
    if (c == '%') comment = true;
    if (c == '\\') {
      ++i;
      continue;
    }
    if (c == '^' || c == '~' || c == '$') return "a sign with a meaning";
    depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    if (depth < 0) return "a brace that closes nothing";
  }
  if (depth != 0) return "an open brace";
  return is_utf8(text) ? "" : "no UTF-8";
}

std::string commands_of(std::string_view tex) {  // the backslash words that only a painter writes
  std::string words;
  for (std::size_t at = tex.find('\\'); at != std::string_view::npos; at = tex.find('\\', at + 2)) {
    for (const std::string_view word :
         {"\\node", "\\draw", "\\begin", "\\end", "\\input", "\\tesseraRow", "\\tesseraText", "\\usepackage", "\\write"})
      if (tex.substr(at).starts_with(word)) words += word;
  }
  return words;
}

constexpr std::array kStyles{FigureStyle::tessera, FigureStyle::print_latex, FigureStyle::print_svg};

}  // namespace

TEST_CASE("the checks of this file see what is wrong", "[hostile]") {
  std::vector<std::string> elements;
  CHECK(xml_fault("<svg a=\"b\"><!-- c --><g/>&lt;</svg>\n", elements).empty());
  CHECK(elements == std::vector<std::string>{"svg", "g"});
  for (const std::string wrong : {"<svg>", "<svg></g>", "<svg>&x;</svg>", "<svg>\x1b</svg>", "<svg>\xff</svg>", "<!-- a--b --><svg/>", "x"})
    CHECK_FALSE(xml_fault(wrong, elements).empty());
  CHECK(tex_fault("\\node {a\\_b\\{};% }\n").empty());
  for (const std::string wrong : {"{", "}", "a\rb", "\x1b", "\xff", "\xc2\x9b", "$x"}) CHECK_FALSE(tex_fault(wrong).empty());
}

TEST_CASE("an SVG is XML with the same elements, whatever its texts", "[svg][hostile]") {
  for (const FigureStyle style : kStyles) {
    std::vector<std::string> expected;
    REQUIRE(xml_fault(render_svg(scene_with("a", style)).value(), expected).empty());
    for (const std::string& text : hostile_texts()) {
      std::vector<std::string> elements;
      INFO(printable(text));
      REQUIRE(xml_fault(render_svg(scene_with(text, style)).value(), elements) == "");
      if (text.find('\n') == std::string::npos) REQUIRE(elements == expected);
    }
  }
}

TEST_CASE("TikZ has no control bytes and the same commands, whatever its texts", "[tikz][hostile]") {
  for (const FigureStyle style : kStyles) {
    const std::string expected = commands_of(render_tikz(scene_with("a", style)).value());
    for (const std::string& text : hostile_texts()) {
      const std::string tex = render_tikz(scene_with(text, style)).value();
      INFO(printable(text));
      REQUIRE(tex_fault(tex) == "");
      if (text.find('\n') == std::string::npos && text.find('\\') == std::string::npos) REQUIRE(commands_of(tex) == expected);
    }
  }
}

TEST_CASE("JSON gives every text back, with what is no UTF-8 repaired", "[json][hostile]") {
  for (const std::string& text : hostile_texts()) {
    INFO(printable(text));
    const std::string json = render_json(scene_with(text, FigureStyle::tessera)).value();
    const nlohmann::json read = nlohmann::json::parse(json);
    const std::string repaired = repair_utf8(text);
    REQUIRE(read["title"] == repaired);
    REQUIRE(read["expression"] == repaired);
    REQUIRE(read["panels"][0]["name"] == repaired);
    REQUIRE(read["panels"][0]["marks"][1]["label"] == repaired);
    REQUIRE(read["panels"][0]["marks"][3]["text"] == repaired);
    REQUIRE(is_utf8(json));
  }
}

TEST_CASE("PNG and PDF are made of any text", "[png][pdf][hostile]") {
  if (!render_png(scene_with("a", FigureStyle::tessera))) return;  // no Cairo
  std::vector<std::string> texts = hostile_texts();
  texts.resize(std::min<std::size_t>(texts.size(), 60));
  for (const std::string& text : texts) {
    INFO(printable(text));
    const Scene scene = scene_with(text, FigureStyle::tessera);
    const Result<std::string> png = render_png(scene), pdf = render_pdf(scene);
    REQUIRE(png);
    REQUIRE(pdf);
    const std::string kept = png_text(*png, "tessera");
    REQUIRE(is_utf8(kept));
    REQUIRE(kept.find('\0') == std::string::npos);
    REQUIRE(pdf->find("%%EOF") != std::string::npos);
  }
}
