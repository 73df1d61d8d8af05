// SPDX-License-Identifier: BSD-3-Clause
// The page of a lesson as text: nothing of a lesson becomes HTML or a script, nothing is fetched, and each question has its seeds.
#include "core/lesson/page/page.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/lesson/page/markdown.hpp"
#include "core/lesson/run_command.hpp"
#include "tests/lesson/asks.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/source_dir.hpp"

using namespace tessera;
using namespace tessera::lesson;
using nlohmann::json;
using tessera::lesson::testing::OneAsk;

namespace {

const std::string kHead = "---\nnumber: 1\ntitle: A <b>title</b>\ngoal: B\nminutes: 1\n---\n";
const std::string kAsk =
    "```ask one\nkind: integer\ndraw: n in 2..90\nprompt: What is {{n}} + 1? </script><b>\nanswer: n + 1\nwrong: n -> <i>No</i>, "
    "{{n}}.\n```\n";

// Is md4c a part of this build?
bool has_pages() { return markdown_html("a").has_value(); }

Result<std::string> page_of(const std::string& body, std::uint64_t seeds = 5) {
  return lesson_page(OneAsk::open(kHead + body), {seeds, "mine.lesson.md"});
}
std::string page(const std::string& body, std::uint64_t seeds = 5) {
  const Result<std::string> made = page_of(body, seeds);
  if (!made) FAIL(made.error().message);
  return *made;
}

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }
std::size_t count(std::string_view text, std::string_view part) {
  std::size_t made = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++made;
  return made;
}
// What stands between the two.
std::string within(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t from = text.find(begin);
  REQUIRE(from != std::string::npos);
  return text.substr(from + begin.size(), text.find(end, from) - from - begin.size());
}
json data_of(const std::string& page) { return json::parse(within(page, "<script type=\"application/json\" id=\"lesson\">", "</script>")); }

}  // namespace

TEST_CASE("words of a lesson become HTML, and no HTML of its own does") {
  if (!has_pages()) {
    CHECK(has(markdown_html("a").error().notes.at(0), "libmd4c-dev"));
    return;
  }
  const auto html = [](const std::string& words) { return markdown_html(words, {"_4*<x>*_2"}).value(); };
  CHECK(html("# One\n\n*a* **b** `c<d`") == "<h2>One</h2>\n<p><em>a</em> <strong>b</strong> <code>c&lt;d</code></p>\n");
  CHECK(html("- a\n- b") == "<ul><li>a</li>\n<li>b</li>\n</ul>\n");
  CHECK(html("| a | b |\n|---|---|\n| 1 | 2 |") ==
        "<table><thead><tr><th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody><tr><td>1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>\n");
  CHECK(html("<script>alert(1)</script>") == "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n");
  CHECK(html("a <img src=x onerror=y> &lt;b&gt;") == "<p>a &lt;img src=x onerror=y&gt; &amp;lt;b&amp;gt;</p>\n");
  CHECK(html("[here](javascript:alert(1))") == "<p>here (javascript:alert(1))</p>\n");
  CHECK(html("![what](http://a.b/c.png)") == "<p>what</p>\n");
  CHECK(html("*" + value_mark(0) + "* `" + value_mark(0) + "`") ==
        "<p><em>_4*&lt;x&gt;*_2</em> <code>_4*&lt;x&gt;*_2</code></p>\n");  // a value is no Markdown
  CHECK(html("```\na < b\n```") == "<pre>a &lt; b\n</pre>\n");
  CHECK(html(value_mark(7)) == "<p></p>\n");  // of no value
  CHECK(without_marks("a" + value_mark(12) + "b" + value_mark(3)) == "a12b3");
}

TEST_CASE("a lesson's own marks are no values") {
  if (!has_pages()) return;
  const std::string made = page("a" + value_mark(0) + "b is {{4}}\n");
  CHECK(has(made, "<p>a0b is 4</p>"));
}

TEST_CASE("nothing of a lesson ends the page's script or its tags") {
  if (!has_pages()) return;
  const std::string made = page("# <u>Words</u> {{\"</script>\"}}\n" + kAsk + "```tess\nlet a = 1  # <b>\n```\n");
  CHECK(has(made, "<title>1. A &lt;b&gt;title&lt;/b&gt;</title>"));
  CHECK(has(made, "<h1>A &lt;b&gt;title&lt;/b&gt;</h1>"));
  CHECK(has(made, "<h2>&lt;u&gt;Words&lt;/u&gt; &lt;/script&gt;</h2>"));
  CHECK(has(made, "let a = 1  # &lt;b&gt;"));
  CHECK(has(made, "Lesson 1, 1 minute</p>"));
  CHECK(!has(made, "<u>"));
  CHECK(!has(made, "<i>No"));
  CHECK(count(made, "</script>") == 4);  // figures, lesson, and two scripts
  CHECK(data_of(made)["asks"][0]["seeds"][0]["prompt"].get<std::string>().ends_with("+ 1? </script><b>"));
}

TEST_CASE("a page has each question so often, once if it draws nothing, with its answers and hints") {
  if (!has_pages()) return;
  const json data =
      data_of(page(kAsk + "```ask two\nkind: choice\ngates: no\noptions: a | b\nprompt: Which?\nanswer: 1\nwrong: 2 -> No.\n```\n", 7));
  CHECK(data["file"] == "mine.lesson.md");
  REQUIRE(data["asks"].size() == 2);
  const json& one = data["asks"][0];
  CHECK(one["graded"] == true);
  CHECK(one["gates"] == true);
  REQUIRE(one["seeds"].size() == 7);
  for (const json& seed : one["seeds"]) {
    const auto answer = seed["want"][0].get<std::int64_t>();
    CHECK(seed["answer"] == std::to_string(answer));
    CHECK(seed["wrong"][0]["want"][0] == answer - 1);
    CHECK(seed["wrong"][0]["hint"] == "<i>No</i>, " + std::to_string(answer - 1) + ".");
  }
  CHECK(data["asks"][1]["seeds"].size() == 1);
  CHECK(data["asks"][1]["gates"] == false);
  CHECK(data["asks"][1]["seeds"][0]["options"] == json{"a", "b"});
}

TEST_CASE("a layout is in the page by its sizes and values, and what cannot be compared there is not graded") {
  if (!has_pages()) return;
  const auto ask = [](const std::string& lines) { return data_of(page("```ask one\n" + lines + "\n```\n"))["asks"][0]; };
  const json layout = ask("kind: layout on (row, column)\nprompt: ?\nanswer: (2,3):(3,1)\nwrong: (2,3):(1,2) -> No.");
  CHECK(layout["seeds"][0]["want"] == json{{"sizes", {2, 3}}, {"image", {0, 3, 1, 4, 2, 5}}});
  CHECK(layout["seeds"][0]["modes"] == json{"row", "column"});
  CHECK(layout["seeds"][0]["wrong"][0]["want"]["image"] == json{0, 1, 2, 3, 4, 5});
  const json cells = ask("kind: cells of (2,(2,2))\nprompt: ?\nanswer: ((1,(1,0)),(0,(0,1)))\nwrong: ((0,(0,0)),(1,(1,1))) -> No.");
  CHECK(cells["seeds"][0]["want"] == json{{0, 0, 1}, {1, 1, 0}});
  CHECK(cells["seeds"][0]["shape"] == json{2, {2, 2}});
  for (const char* open : {"kind: binding A\nprompt: ?\nanswer: 4:1\nwrong: 4:2 -> No.",
                           "kind: integer\nprompt: ?\nanswer: 4\naccept: it > 3\nwrong: 2 -> No.",
                           "kind: layout\nprompt: ?\nanswer: 5000:1\nwrong: 4:2 -> No."}) {
    const json made = ask(open);
    INFO(open);
    CHECK(made["graded"] == false);
    CHECK(made["seeds"][0].contains("answer"));
    CHECK_FALSE(made["seeds"][0].contains("told"));
  }
  const std::string plan =
      "plan \"p\" {\n  cta threads 32 smem_bytes 0\n  barrier cta cta arrivals 32\n  role one threads 32 {\n    opaque \"a\" units 1\n    "
      "wait cta\n  }\n  }";
  const json placed =
      ask("kind: plan\nlet: p = " + plan + "\nprompt: ?\ngiven: {{without(p, \"wait\")}}\nanswer: p\nwrong: without(p, \"opaque\") -> No.");
  CHECK(placed["graded"] == false);
  CHECK(placed["seeds"][0]["told"].get<std::string>().ends_with(": wait cta"));
  CHECK(placed["seeds"][0]["answer"].get<std::string>().find("\n") != std::string::npos);
}

TEST_CASE("a screen begins at each heading, and what stands below a question waits for it") {
  if (!has_pages()) return;
  const std::string made = page("\nBefore.\n# One\na\n```\n# no heading\n```\n" + kAsk + "behind\n# Two\n```figure\n(4,8):(8,1)\n```\n");
  CHECK(count(made, "<section class=\"screen\"") == 3);
  CHECK(has(made, "<div class=\"block\" data-needs=\"0\">\n<div class=\"ask\" id=\"ask-one\" data-ask=\"one\"></div>"));
  CHECK(has(made, "<div class=\"block\" data-needs=\"1\">\n<p>behind</p>"));
  CHECK(has(made, "<div class=\"block\" data-needs=\"1\">\n<div class=\"slot\" data-figure=\"0\"></div>"));
}

TEST_CASE("a vary has the figure of each value, and says for which its truth holds") {
  if (!has_pages()) return;
  const std::string made = page("```vary\nparam: s = 2 in (1,2,4)\nshow: (4,2):(1,s)\nprompt: Is s {{s}}?\ntruth: s == 4\n```\n");
  json data = data_of(made)["varies"][0];
  CHECK(data["hash"].get<std::string>().size() == 16);
  data.erase("hash");
  CHECK(data == json{{"name", "s"},
                     {"values", {"1", "2", "4"}},
                     {"first", 1},
                     {"holds", {false, false, true}},
                     {"prompts", {"Is s 1?", "Is s 2?", "Is s 4?"}}});
  CHECK(has(made, "<div class=\"slot\" data-figure=\"1\" data-value=\"1\"></div>"));
  CHECK(has(made, "<div class=\"slot\" data-figure=\"2\" data-value=\"2\" hidden></div>"));
}

TEST_CASE("a figure of a page has the colours of both schemes, one with a palette of its own has these") {
  if (!has_pages()) return;
  const std::string both = page("```figure\n(4,8):(8,1)\n```\n");
  CHECK(has(both, "\"dark\":{\"page\":[\""));
  CHECK(!has(both, "\"dark\":{\"page\":[\"ffffff\""));
  CHECK(!has(page("```figure\nlayout_figure((4,8):(8,1), palette=greys)\n```\n"), "\"dark\":{"));
}

TEST_CASE("a GEMM of a page has the definitions that its command needs, and what somebody has recorded of it") {
  if (!has_pages()) return;
  const std::string body =
      "```tess\nlet unused = 4\nlet mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2))\n```\n```run\ngemm(m=128, n=128, k=64, "
      "mma=mma, "
      "cta_tiler=(128,128,64))\n```\n";
  const std::string unknown = page(body);
  CHECK(has(unknown, "let of_lesson = gemm(m=128, n=128, k=64, mma=mma, cta_tiler=(128,128,64))\nEND\ntessera gemm run of_lesson --file"));
  CHECK(count(unknown, "let unused") == 1);
  CHECK(has(unknown, "Nothing that was recorded is of exactly this plan."));
  PageOptions options{1, "one", {}, [](const GemmSpec& spec) { return std::vector<std::string>{"of m = " + std::to_string(spec.m)}; }};
  CHECK(has(*lesson_page(OneAsk::open(kHead + body), options), "<p>Recorded of exactly this plan:</p>"));
  CHECK(run_command("", {"gemm(m=8, n=8, k=8, mma='x')", 0}) == "tessera gemm run 'gemm(m=8, n=8, k=8, mma='\\''x'\\'')'");
}

TEST_CASE("what has no value or no picture is refused with its line") {
  if (!has_pages()) return;
  CHECK(page_of("words {{nothing}}\n").error().message == "line 7, column 9: the name nothing is not defined");
  CHECK(has(page_of("a\n```figure\n\"text\"\n```\n").error().message, "line 9, column 1: "));
  CHECK(has(page_of("{{4").error().message, "line 7, column 1: {{ is not closed"));
  CHECK(has(page_of("```ask one\nkind: integer\nprompt: {{zero}}?\nanswer: 1\nwrong: 2 -> No.\n```\n").error().message,
            "line 9, column 11: "));
}

TEST_CASE("the pages of the lessons that come with the program fetch nothing and are no larger than 1 MB") {
  if (!has_pages()) return;
  std::size_t pages = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test::source_dir() + "/assets/lessons")) {
    INFO(entry.path().string());
    const OpenLesson opened = OneAsk::open(tessera::testing::read_file(entry.path().string()));
    const Result<std::string> made = lesson_page(opened, {kSeedsOfAPage, "one"});
    REQUIRE(made);
    ++pages;
    CHECK(made->size() <= 1'000'000);
    std::string without = *made;  // the name of SVG is no address that is fetched
    for (std::size_t at; (at = without.find("http://www.w3.org/2000/svg")) != std::string::npos;) without.erase(at, 26);
    CHECK(!has(without, "http://"));
    CHECK(!has(without, "https://"));
    CHECK(!has(without, "<link"));
    CHECK(!has(without, "<img"));
    CHECK(!has(without, " src="));
    const json data = data_of(*made);
    CHECK(data["asks"].size() == opened.ids().size());
    for (const json& ask : data["asks"]) {
      const std::size_t seeds = ask["seeds"].size();
      CHECK((seeds == 1 || seeds == kSeedsOfAPage));
    }
  }
  CHECK(pages >= 5);
}
