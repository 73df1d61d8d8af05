// SPDX-License-Identifier: BSD-3-Clause
// A lesson's slides: nothing leaves its slide and nothing lies on something else, in every lesson that comes with the program and in both
// shapes; and a question is seen before its answer.
#include "core/lesson/slides/slides.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/base/utf8.hpp"
#include "core/lesson/print/printed_question.hpp"
#include "core/lesson/print/sized.hpp"
#include "core/lesson/slides/text_lines.hpp"
#include "core/render/shared/typography.hpp"
#include "tests/lesson/asks.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/source_dir.hpp"

using namespace tessera;
using namespace tessera::lesson;
using tessera::lesson::testing::OneAsk;

namespace {

const std::string kHead = "---\nnumber: 4\ntitle: A title\ngoal: You write one.\nminutes: 9\nneeds: 2\n---\n";
const std::string kAsk =
    "```ask one\nkind: integer\ndraw: n in 2..90\nprompt: What is {{n}} + 1000?\nanswer: n + 1000\nwrong: n -> Add to {{n}}.\n```\n";

bool has_words() { return read_markdown("a").has_value(); }

Deck deck(const std::string& body, Aspect aspect = Aspect::wide) {
  const Result<Deck> made = slides_of(OneAsk::open(kHead + body), {aspect, 0});
  if (!made) FAIL(made.error().message);
  return *made;
}

// All words of a slide, a line each.
std::string words_of(const Slide& slide) {
  std::string out;
  for (const PaperText& text : slide.paper.texts) out += text.text + "\n";
  return out;
}
bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// A thing on a slide, in points.
struct Thing {
  double x0, y0, x1, y1;
  std::string what;
};

std::vector<Thing> things_of(const Paper& paper) {
  constexpr double kAbove = 0.76, kBelow = 0.22, kMono = 0.6;  // of the type size: capitals, descenders, an advance
  std::vector<Thing> made;
  for (const PaperText& text : paper.texts) {
    const bool mono = text.face == Typeface::jetbrains_mono;
    const double wide =
        mono ? kMono * static_cast<double>(columns(text.text)) : text_width(text.text, text.face == Typeface::inter_semibold);
    made.push_back({text.x, text.baseline - kAbove * text.size, text.x + wide * text.size, text.baseline + kBelow * text.size, text.text});
  }
  for (const PaperFigure& figure : paper.figures) {
    const auto [w, h] = with_margins(bounds(figure.scene));
    made.push_back({figure.x, figure.y, figure.x + w * figure.cell_points, figure.y + h * figure.cell_points, figure.scene.expression});
  }
  return made;
}

bool meet(const Thing& a, const Thing& b) {
  constexpr double kLeast = 0.01;
  return std::min(a.x1, b.x1) - std::max(a.x0, b.x0) > kLeast && std::min(a.y1, b.y1) - std::max(a.y0, b.y0) > kLeast;
}

// What is wrong with a deck, a line each.
std::string faults_of(const Deck& deck) {
  std::string faults;
  for (std::size_t i = 0; i < deck.slides.size(); ++i) {
    const Slide& slide = deck.slides[i];
    const std::vector<Thing> things = things_of(slide.paper);
    const auto fault = [&](std::string_view words) { faults += fmt::format("slide {}: {}\n", i + 1, words); };
    for (std::size_t k = 0; k < things.size(); ++k) {
      const Thing& thing = things[k];
      if (thing.x0 < 0 || thing.y0 < 0 || thing.x1 > deck.width || thing.y1 > deck.height) fault("leaves it: " + thing.what);
      for (std::size_t other = 0; other < k; ++other) {
        if (meet(thing, things[other])) fault("meet: " + thing.what + " | " + things[other].what);
      }
    }
    for (const PaperArea& area : slide.paper.areas) {
      if (area.x < 0 || area.y < 0 || area.x + area.width > deck.width || area.y + area.height > deck.height) fault("an area leaves it");
    }
    for (const PaperText& text : slide.paper.texts) {
      if (text.size < kLeastSlideType) fault(fmt::format("type of {} pt: {}", text.size, text.text));
    }
    for (const PaperFigure& figure : slide.paper.figures) {
      const bool can_be_read = is_readable({figure.scene, figure.cell_points}, kLeastSlideType);
      if (!can_be_read && !has(words_of(slide), "In this picture: ")) fault("small, and nothing says so: " + figure.scene.expression);
      if (can_be_read && !slide.remark.empty()) fault("said to be small, and is not: " + slide.remark);
    }
    if (slide.paper.texts.empty()) fault("no words");
  }
  return faults;
}

std::vector<std::string> lesson_files() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(test::source_dir() + "/assets/lessons"))
    files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

TEST_CASE("nothing leaves a slide of the program's lessons, and nothing meets, in either shape") {
  if (!has_words()) return;
  const std::vector<std::string> files = lesson_files();
  REQUIRE(files.size() >= 9);
  std::size_t figures = 0, small = 0;
  for (const std::string& file : files) {
    const OpenLesson opened = OneAsk::open(tessera::testing::read_file(file));
    for (const Aspect aspect : {Aspect::wide, Aspect::narrow}) {
      INFO(file << (aspect == Aspect::wide ? " 16:9" : " 4:3"));
      const Result<Deck> made = slides_of(opened, {aspect, 3});
      REQUIRE(made);
      CHECK(faults_of(*made) == "");
      for (const Slide& slide : made->slides) {
        figures += slide.paper.figures.size();
        small += slide.remark.empty() ? 0 : 1;
      }
    }
  }
  CHECK(figures >= 90);
  CHECK(5 * small <= figures);  // large grids and long timelines, each with a word on its slide
}

TEST_CASE("each question of the program's lessons stands before its answer, which no slide up to it says") {
  if (!has_words()) return;
  for (const std::string& file : lesson_files()) {
    INFO(file);
    const OpenLesson opened = OneAsk::open(tessera::testing::read_file(file));
    const Result<Deck> made = slides_of(opened, {Aspect::wide, 5});
    REQUIRE(made);
    for (const std::string& id : opened.ids()) {
      INFO(id);
      const auto at = [&](Slide::Kind kind) {
        return std::find_if(made->slides.begin(), made->slides.end(),
                            [&](const Slide& slide) { return slide.kind == kind && slide.question == id; });
      };
      const auto question = at(Slide::Kind::question), answer = at(Slide::Kind::answer);
      REQUIRE(answer != made->slides.end());
      CHECK(question < answer);
      const Result<PrintedQuestion> printed = printed_question(opened, *opened.find(id), 5);
      REQUIRE(printed);
      std::string shown;  // without the line ends that the slide's width makes
      for (auto slide = answer; slide != made->slides.end() && slide->question == id; ++slide) shown += words_of(*slide);
      std::string wanted = printed->answer;
      for (std::string* text : {&shown, &wanted}) std::erase_if(*text, [](char c) { return c == ' ' || c == '\n'; });
      CHECK(has(shown, wanted));
      CHECK(!has(words_of(*question), "ANSWER"));
    }
  }
}

TEST_CASE("the first slide says number, title, goal, minutes and what comes before") {
  if (!has_words()) return;
  const Deck made = deck("Words.\n");
  REQUIRE(made.slides.size() == 2);
  CHECK(made.slides[0].kind == Slide::Kind::title);
  for (const char* part : {"Lesson 4", "A title", "You write one.", "9 minutes", "lesson 2"}) CHECK(has(words_of(made.slides[0]), part));
  CHECK(made.width == Approx(160 * 72 / 25.4));
  CHECK(deck("a\n", Aspect::narrow).height == Approx(96 * 72 / 25.4));
  CHECK(aspect_of("4:3").value() == Aspect::narrow);
  CHECK(!aspect_of("3:2"));
}

TEST_CASE("question, answer and picture are three slides, and a short lead stands with the question") {
  if (!has_words()) return;
  const Deck made = deck("# One\nA short lead.\n" + kAsk + "```figure\n(4,8):(8,1)\n```\n# Two\nEnd.\n");
  REQUIRE(made.slides.size() == 5);
  CHECK(made.slides[1].kind == Slide::Kind::question);
  CHECK(has(words_of(made.slides[1]), "A short lead."));
  CHECK(made.slides[2].kind == Slide::Kind::answer);
  CHECK(made.slides[3].kind == Slide::Kind::figure);
  CHECK(made.slides[3].paper.figures.size() == 1);
  CHECK(made.slides[4].heading == "Two");
  CHECK(faults_of(made) == "");
}

TEST_CASE("long words, words without a blank and long code are parted, and stay on their slides") {
  if (!has_words()) return;
  std::string paragraphs, code = "```tess\n";
  for (int i = 0; i < 30; ++i) {
    paragraphs += "A paragraph of some length, which is one of very many, so that not all of them can stand on a slide.\n\n";
    code += fmt::format(
        "let name_{} = ((2,4),(2,2)):((8,1),(4,16))    # a comment that is long enough to be broken at the end of its line\n", i);
  }
  std::string endless(4000, 'x');
  for (const Aspect aspect : {Aspect::wide, Aspect::narrow}) {
    const Deck made = deck(
        "# A heading that is so long that it has no room on a single line of a slide, however small the type of it is\n" + paragraphs +
            endless + "\n\n" + code + "```\n| a | b |\n|---|---|\n| " + endless.substr(0, 300) +
            " | words in a cell that are many and more than a line has room for |\n\n- one\n  - two\n- `three`\n\n1. first\n2. second\n",
        aspect);
    CHECK(made.slides.size() > 10);
    CHECK(faults_of(made) == "");
    std::size_t count = 0;
    for (const Slide& slide : made.slides) {
      for (const PaperText& text : slide.paper.texts)
        count += static_cast<std::size_t>(std::count(text.text.begin(), text.text.end(), 'x'));
    }
    CHECK(count >= 4300);  // nothing is lost
  }
}

TEST_CASE("a figure that cannot be read as a whole is parted into its panels") {
  if (!has_words()) return;
  const Deck made =
      deck("```figure\npanels_figure((4,16):(16,1), (4,16):(1,4), (4,16):(17,1), titles=\"a; b; c\", across=3)\n```\n", Aspect::narrow);
  REQUIRE(made.slides.size() == 4);
  for (std::size_t i = 1; i < 4; ++i)
    CHECK(is_readable({made.slides[i].paper.figures[0].scene, made.slides[i].paper.figures[0].cell_points}, kLeastSlideType));
  const Deck large = deck("```figure\n(128,128):(128,1)\n```\n");
  CHECK(has(words_of(large.slides.at(1)), "In this picture: "));
  const Deck gemm = deck(
      "```tess\nlet mma = make_tiled_mma(UniversalFMA<float,float,float,float>, (16,16,1):(16,1,0))\n```\n# A\n"
      "```figure\ngemm_figure(gemm(m=64, n=64, k=16, mma=mma, cta_tiler=(64,64,16)), thread=20)\n```\n");
  const auto small = std::find_if(gemm.slides.begin(), gemm.slides.end(), [](const Slide& slide) { return !slide.remark.empty(); });
  REQUIRE(small != gemm.slides.end());
  REQUIRE(gemm.slides.end() - small == 4);  // behind the whole its blocks of A, B and C
  CHECK(std::all_of(small + 1, gemm.slides.end(), [](const Slide& slide) { return slide.remark.empty(); }));
  CHECK(faults_of(gemm) == "");
  CHECK(faults_of(large) == "");
}

TEST_CASE("a vary is a question, a slide for each value, and for which ones it holds") {
  if (!has_words()) return;
  const Deck made = deck("```vary\nparam: s = 2 in (1,2,4)\nshow: (4,2):(1,s)\nprompt: For which s is it compact?\ntruth: s == 4\n```\n");
  REQUIRE(made.slides.size() == 6);
  CHECK(has(words_of(made.slides[1]), "s is one of 1, 2, 4"));
  CHECK(has(words_of(made.slides[2]), "s = 1"));
  CHECK(has(words_of(made.slides[4]), "s = 4"));
  CHECK(has(words_of(made.slides[5]), "It holds for s = 4."));
  CHECK(faults_of(made) == "");
}

TEST_CASE("slides as PDF have a page each, and as HTML a section whose words are text") {
  if (!has_words()) return;
  const Deck made = deck("# <b>Bold</b> {{\"</script>\"}}\n" + kAsk + "```figure\n(4,8):(8,1)\n```\n");
  const Result<std::string> html = slides_html(made);
  REQUIRE(html);
  const auto count = [&](std::string_view part) {
    std::size_t n = 0;
    for (std::size_t at = html->find(part); at != std::string::npos; at = html->find(part, at + 1)) ++n;
    return n;
  };
  CHECK(count("<section class=\"slide\"") == made.slides.size());
  CHECK(count(" hidden>\n<svg") == made.slides.size() - 1);
  CHECK(has(*html, "&lt;b&gt;Bold&lt;/b&gt; &lt;/script&gt;"));
  CHECK(!has(*html, "<b>Bold"));
  CHECK(count("</script>") == 3);
  CHECK(has(*html, "data-figure=\"0\" style=\"left:"));
  const Result<std::string> pdf = slides_pdf(made);
  if (!pdf) {
    CHECK(has(pdf.error().notes.at(0), "libcairo2-dev"));
    return;
  }
  CHECK(pdf->starts_with("%PDF-1.4"));
  CHECK(has(*pdf, fmt::format("/Count {}\n", made.slides.size())));
  CHECK(*slides_pdf(made) == *pdf);
}

TEST_CASE("lines of a width have all their words, and no line is wider") {
  const TextStyle style{10, {}, false, false, 1.3};
  for (const double width : {30.0, 80.0, 300.0}) {
    std::string words;
    const std::vector<TextLine> lines =
        text_lines(runs_of_line("Words of `code(1,2)` and ((2,4),(2,2)):((8,1),(4,16)), then end."), style, width);
    for (const TextLine& line : lines) {
      CHECK(line.width <= width + 1e-9);
      for (const PaperText& text : line.texts) words += text.text;
    }
    std::erase(words, ' ');
    CHECK(words == "Wordsofcode(1,2)and((2,4),(2,2)):((8,1),(4,16)),thenend.");
  }
  const std::vector<TextLine> code = code_lines("a\n    b   c\n\nd", style, 300);
  REQUIRE(code.size() == 4);
  CHECK(code[1].texts.front().x == Approx(code[0].texts.front().x + 4 * 0.6 * 9.2));
  CHECK(code[2].texts.empty());
}
