// SPDX-License-Identifier: BSD-3-Clause
// A lesson on paper: what LaTeX minds is escaped, the body has no answers, and the key has all of them with their hints. tests/tex compiles
// the handouts of the program's lessons, where TeX is.
#include "core/lesson/print/handout.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/lang/programs/evaluate.hpp"
#include "core/lesson/print/printed_question.hpp"
#include "core/lesson/print/sized.hpp"
#include "core/lesson/print/tex_words.hpp"
#include "tests/lesson/asks.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/source_dir.hpp"

using namespace tessera;
using namespace tessera::lesson;
using tessera::lesson::testing::OneAsk;

namespace {

const std::string kHead = "---\nnumber: 1\ntitle: 100% & more\ngoal: B_1\nminutes: 1\n---\n";
const std::string kAsk =
    "```ask one\nkind: integer\ndraw: n in 2..9\nprompt: What is {{n}} + 70000 & more?\nanswer: n + 70000\nwrong: n + 80000 -> Not 10% of "
    "{{n}}.\n```\n";

bool has_words() { return read_markdown("a").has_value(); }
bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::vector<HandoutFile> files(const std::string& body, const HandoutOptions& options = {}) {
  const Result<std::vector<HandoutFile>> made = handout(OneAsk::open(kHead + body), options);
  if (!made) FAIL(made.error().message);
  return *made;
}

std::string tex(const std::string& markdown) {
  const Result<std::vector<Block>> blocks = read_markdown(markdown);
  if (!blocks) FAIL(blocks.error().message);
  return tex_of(*blocks);
}

// Braces that are open at the end, and signs that LaTeX minds outside of commands of ours.
int open_braces(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == '{')
      ++depth;
    else if (text[i] == '}')
      --depth;
  }
  return depth;
}

}  // namespace

TEST_CASE("every sign that LaTeX minds stays text") {
  const std::string all =
      "# $ % & ~ _ ^ \\ { } < > | \" ` ' -- --- << >> ,, ?` !` [ ] \xC3\xA9 \xCE\xB1 \xE2\x89\xA4 \xC2\xB2 \xE2\x82\x81";
  for (const std::string& made : {tex_text(all), tex_code(all), tex_lines(all)}) {
    INFO(made);
    CHECK(open_braces(made) == 0);
    for (std::size_t i = 0; i < made.size(); ++i) {
      const char c = made[i];
      const bool minds = c == '#' || c == '$' || c == '&' || c == '%' || c == '_';
      if (minds) CHECK((i > 0 && made[i - 1] == '\\'));
      CHECK(c != '^');
      CHECK(static_cast<unsigned char>(c) < 0x80);
      if (c == '-' && i > 0) CHECK(made[i - 1] != '-');  // no dash of two
    }
    CHECK(!has(made, "?{}"));
  }
  CHECK(tex_text("50% of #1") == "50{\\%} of {\\#}1");
  CHECK(tex_text("\\input{/etc/passwd}").find("\\input") == std::string::npos);
  CHECK(tex_text(" a ") == " a ");
  CHECK(tex_text("\xC2\xB2") == "\\textsuperscript{2}");
}

TEST_CASE("words of a lesson become LaTeX, as they become HTML") {
  if (!has_words()) return;
  CHECK(tex("# One\n\n*a* **b** `c`") == "\\section*{One}\n\\emph{a} \\textbf{b} \\texttt{c}\n\n");
  CHECK(tex("- a\n- b") == "\\begin{itemize}\n\\item{} a\n\\item{} b\n\\end{itemize}\n");
  CHECK(tex("1. a") == "\\begin{enumerate}\n\\item{} a\n\\end{enumerate}\n");
  CHECK(has(tex("| a | b |\n|---|---|\n| 1 | 2 |"), "\\bfseries a"));
  CHECK(has(tex("```\na % b\n```"), "\\lessoncode{a {\\char37} b}"));
  CHECK(has(tex("[here](http://a.b/c_d)"), "here (http:\\allowbreak{}//a.b/c{\\_}d)"));
  CHECK(open_braces(tex("> quote\n\n---\n\n~~gone~~ a\\\nb")) == 0);
}

TEST_CASE("the body of a handout has no answers, and the key has them on a page of their own") {
  if (!has_words()) return;
  const std::string both = files(kAsk)[0].text;
  const std::size_t key = both.find("\\clearpage\\appendix");
  REQUIRE(key != std::string::npos);
  const std::string body = both.substr(0, key), answers = both.substr(key);
  CHECK(has(body, "\\lessonquestion{What is "));
  CHECK(has(body, "\\lessonline"));
  const Result<PrintedQuestion> printed = printed_question(OneAsk::open(kHead + kAsk), 0, 0);
  REQUIRE(printed);
  CHECK(!has(body, printed->answer));
  CHECK(!has(body, "80000"));
  CHECK(!has(body, "10{\\%}"));
  CHECK(has(answers, printed->answer));
  CHECK(has(answers, printed->wrong.at(0).answer));
  CHECK(has(answers, "Not 10{\\%} of"));
  CHECK(has(body, "seed 0"));
  CHECK(has(both, "100{\\%} {\\&} more"));
  CHECK(both.ends_with("\\end{document}\n"));
}

TEST_CASE("a handout is drawn by its seed, and its key can be left out or stand alone") {
  if (!has_words()) return;
  const std::string third = files(kAsk, {.seed = 3})[0].text;
  const Result<PrintedQuestion> printed = printed_question(OneAsk::open(kHead + kAsk), 0, 3);
  REQUIRE(printed);
  CHECK(has(third, "Answers, for seed 3"));
  CHECK(has(third, printed->answer));
  const std::string none = files(kAsk, {.seed = 3, .key = HandoutKey::none})[0].text;
  CHECK(!has(none, printed->answer));
  CHECK(has(none, "\\lessonquestion{"));
  const std::string only = files("```figure\n(4,8):(8,1)\n```\n" + kAsk, {.seed = 3, .key = HandoutKey::only})[0].text;
  CHECK(has(only, printed->answer));
  CHECK(!has(only, "\\lessonquestion{What"));
  CHECK(handout_key_of("only").value() == HandoutKey::only);
  CHECK(!handout_key_of("yes"));
}

TEST_CASE("figures of a handout are files beside it, or stand in it") {
  if (!has_words()) return;
  const std::string body = "```figure\n(4,8):(8,1)\n```\n";
  const std::vector<HandoutFile> made = files(body);
  REQUIRE(made.size() == 2);
  CHECK(made[0].name == "handout.tex");
  CHECK(made[1].name == "figure-1.tex");
  CHECK(has(made[0].text, "\\input{figure-1}"));
  CHECK(has(made[1].text, "\\begin{tikzpicture}"));
  CHECK(!has(made[1].text, "\\documentclass"));
  const std::vector<HandoutFile> one = files(body, {.one_file = true});
  REQUIRE(one.size() == 1);
  CHECK(has(one[0].text, "\\begin{tikzpicture}"));
  CHECK(!has(one[0].text, "\\input{figure"));
}

TEST_CASE("there is room for each kind of answer") {
  if (!has_words()) return;
  const auto room = [](const std::string& lines) { return files("```ask one\n" + lines + "\n```\n", {.key = HandoutKey::none})[0].text; };
  CHECK(has(room("kind: choice\noptions: this | that\nprompt: ?\nanswer: 1\nwrong: 2 -> No."),
            "\\lessonoption{\\lessontick\\enspace a)}{this}"));
  CHECK(has(room("kind: choice\nprompt: ?\nanswer: 1\nwrong: 2 -> No."), "\\lessonoption{\\lessontick}{yes}"));
  const std::string grid = room("kind: cells of (2,3)\nprompt: ?\nanswer: ((1,1),(0,0))\nwrong: ((0,0),(1,2)) -> No.");
  for (const char* line : {"(0,0) -- (0,2)", "(3,0) -- (3,2)", "(0,0) -- (3,0)", "(0,2) -- (3,2)"})
    CHECK(has(grid, line));  // of cells, in units
  CHECK(has(room("kind: binding A\ngiven: let A = 4:2\nprompt: ?\nanswer: 4:1\nwrong: 4:2 -> No."), "\\lessoncode{let A = 4:2}"));
}

TEST_CASE("a small grid on paper is whole, and as large as its place wants it") {
  if (!has_words()) return;
  for (const char* layout : {"(3,4):(1,3)", "(8,4):(4,1)", "(2,2):(1,2)"}) {
    INFO(layout);
    const Value value = evaluate(layout).value();
    constexpr double kLargest = 24, kLeast = 4.5;  // points
    const std::vector<SizedFigure> made = readable_figures(value, {layout, 0}, {{450, 420}, kLargest, false}, kLeast).value();
    REQUIRE(made.size() == 1);
    CHECK(is_readable(made[0], kLeast));
    CHECK(made[0].cell_points > kLargest / 2);
    CHECK(made[0].cell_points < 1.1 * kLargest);
    std::ptrdiff_t grids = 0;
    for (const Panel& panel : made[0].scene.panels)
      grids += std::count_if(panel.marks.begin(), panel.marks.end(), [](const Mark& mark) { return std::holds_alternative<Grid>(mark); });
    CHECK(grids == 1);
  }
}

TEST_CASE("a vary on paper is its values, and their pictures side by side") {
  if (!has_words()) return;
  const std::string body = "```vary\nparam: s = 2 in (1,2,4)\nshow: (4,2):(1,s)\nprompt: For which s?\ntruth: s == 4\n```\n";
  const std::vector<HandoutFile> made = files(body);
  CHECK(made.size() == 4);
  CHECK(has(made[0].text, "\\quad\\lessontick~\\texttt{4}"));
  CHECK(has(made[0].text, "s = 4\\par"));
  CHECK(has(made[0].text, "\\hspace{14.000bp}"));  // of more than one column
  const std::string many = "```vary\nparam: s in 1..40\nshow: (4,2):(1,s)\n```\n";
  CHECK(files(many).size() == 2);
}

TEST_CASE("the handouts of the program's lessons have every question once, and balanced braces") {
  if (!has_words()) return;
  for (const auto& entry : std::filesystem::directory_iterator(test::source_dir() + "/assets/lessons")) {
    INFO(entry.path().string());
    const OpenLesson opened = OneAsk::open(tessera::testing::read_file(entry.path().string()));
    const Result<std::vector<HandoutFile>> made = handout(opened, {.seed = 1, .name = "one"});
    REQUIRE(made);
    const std::string& text = made->front().text;
    std::size_t questions = 0;
    for (std::size_t at = text.find("\\lessonquestion{"); at != std::string::npos; at = text.find("\\lessonquestion{", at + 1)) ++questions;
    std::size_t varies = 0;
    for (const Part& part : opened.lesson().parts) varies += std::holds_alternative<Vary>(part) ? 1 : 0;
    CHECK(questions == opened.ids().size() + varies);
    CHECK(open_braces(text.substr(text.find("\\begin{document}"))) == 0);
    CHECK(!has(text.substr(text.find("\\begin{document}")),
               "?"
               "??"));
  }
}
