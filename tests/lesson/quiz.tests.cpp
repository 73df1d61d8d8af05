// SPDX-License-Identifier: BSD-3-Clause
// Questions of a lesson as other programs' quizzes: each variant once, nothing of a lesson that ends a string or a tag, and every file of
// the package there. tests/lesson/quiz.py runs what is written here.
#include "core/lesson/quiz/quiz.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/lesson/asks.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;
using namespace tessera::lesson;
using nlohmann::json;
using tessera::lesson::testing::OneAsk;

namespace {

OpenLesson opened(const std::string& asks) {
  return OneAsk::open(
      "---\nnumber: 4\ntitle: A <b>\"title\"</b> & more\ngoal: B\nminutes: 1\n---\n```tess\nlet braces = \"{{params.x}}\"\n```\n" + asks);
}
std::string ask(const std::string& id, const std::string& lines) { return "```ask " + id + "\n" + lines + "\n```\n"; }

const std::string kFive = ask("five", "kind: integer\ndraw: n in 1..3\nprompt: What is {{n}} + 1?\nanswer: n + 1\nwrong: n -> One more.");

const std::string& file(const Quiz& quiz, const std::string& path) {
  const auto found = std::find_if(quiz.files.begin(), quiz.files.end(), [&](const QuizFile& each) { return each.path.find(path) == 0; });
  INFO(path);
  REQUIRE(found != quiz.files.end());
  return found->bytes;
}
std::size_t count(std::string_view text, std::string_view part) {
  std::size_t made = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++made;
  return made;
}
bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// The variants between r''' and '''.
json variants(const std::string& server) {
  const std::size_t begin = server.find("VARIANTS = json.loads(r'''");
  REQUIRE(begin != std::string::npos);
  const std::size_t from = server.find('[', begin), end = server.find("'''", from);
  CHECK(server.substr(end) == "''')\n");
  return json::parse(server.substr(from, end - from));
}

}  // namespace

TEST_CASE("a question is in a quiz with each of its draws once") {
  const Quiz quiz = prairielearn_quiz(opened(kFive), 40).value();
  CHECK(quiz.questions == 1);
  CHECK(quiz.variants == 3);
  CHECK(quiz.notes.empty());
  std::set<std::string> prompts;
  for (const json& each : variants(file(quiz, "five/server.py"))) {
    prompts.insert(each["prompt_html"]);
    CHECK(each["want"][0] == std::stoi(each["answer"].get<std::string>()));
    CHECK(each["wrong"][0]["hint"] == "One more.");
    CHECK(each["wrong"][0]["want"][0] == each["want"][0].get<int>() - 1);
  }
  CHECK(prompts.size() == 3);
  CHECK(count(file(qti_quiz(opened(kFive), "mine", 40).value(), "five/"), "<item ") == 3);
  CHECK(prairielearn_quiz(opened(kFive), 1)->variants == 1);
}

TEST_CASE("a question's UUID is its own, and another one's when the question is another one") {
  const auto info = [](const std::string& asks) { return json::parse(file(prairielearn_quiz(opened(asks), 3).value(), "five/info.json")); };
  const json made = info(kFive);
  CHECK(made["title"] == "A <b>\"title\"</b> & more: five");
  CHECK(made["type"] == "v3");
  CHECK(made["tags"] == json{"tessera", "lesson 4", "integer"});
  CHECK_FALSE(made.contains("singleVariant"));
  CHECK(info(kFive)["uuid"] == made["uuid"]);
  CHECK(info(kFive + ask("six", "kind: integer\nprompt: ?\nanswer: 6"))["uuid"] == made["uuid"]);
  std::string changed = kFive;
  changed.replace(changed.find("n + 1\nwrong"), 5, "n + 2");
  CHECK(info(changed)["uuid"] != made["uuid"]);
  const std::string uuid = made["uuid"];
  CHECK(uuid.size() == 36);
  CHECK(uuid[14] == '8');
  CHECK(std::string("89ab").find(uuid[19]) != std::string::npos);
  CHECK(info(ask("five", "kind: integer\nprompt: ?\nanswer: 5"))["singleVariant"] == true);
}

TEST_CASE("no word of a lesson ends a string of server.py, a tag or a template") {
  const std::string words = "''' \\ </script> <img src=x> & \"q\" {{braces}} \xf0\x9f\x98\x80 \xc3\xa4 `a<b`";
  const Quiz quiz =
      prairielearn_quiz(
          opened(ask("five", "kind: choice\noptions: " + words + " | b\nprompt: " + words + "\nanswer: 2\nwrong: 1 -> " + words)), 2)
          .value();
  const std::string& server = file(quiz, "five/server.py");
  const json made = variants(server);
  const std::string html =
      "&#39;&#39;&#39; \\ &lt;/script&gt; &lt;img src=x&gt; &amp; &quot;q&quot; {{params.x}} \xf0\x9f\x98\x80 \xc3\xa4 <code>a&lt;b</code>";
  CHECK(made[0]["prompt_html"] == html);
  CHECK(made[0]["choices"][0]["html"] == html);
  CHECK(made[0]["choices"][0]["hint"] == html);
  CHECK(made[0]["choices"][0]["correct"] == "false");
  CHECK(made[0]["choices"][1]["correct"] == "true");
  CHECK(std::all_of(server.begin(), server.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
  CHECK_FALSE(has(file(quiz, "five/question.html"), "img"));
  const json written = variants(file(
      prairielearn_quiz(opened(ask("five", "kind: integer\nprompt: ?\nanswer: 5\nwrong: 4 -> " + words)), 1).value(), "five/server.py"));
  CHECK(written[0]["wrong"][0]["hint"] == "''' \\ </script> <img src=x> & \"q\" {{params.x}} \xf0\x9f\x98\x80 \xc3\xa4 `a<b`");
  const Quiz qti =
      qti_quiz(opened(ask("five", "kind: choice\noptions: " + words + " | b\nprompt: ?\nanswer: 2\nwrong: 1 -> No.")), "mine", 2).value();
  CHECK(has(file(qti, "five/"), "&amp;lt;img src=x&amp;gt;"));
  CHECK(has(file(qti, "imsmanifest.xml"), "A &lt;b&gt;&quot;title&quot;&lt;/b&gt; &amp; more"));
  CHECK(words_html("a `b` c `d") == "a <code>b</code> c <code>d</code>");
}

TEST_CASE("what no table of answers can grade is left out, and said") {
  const std::string asks = kFive + ask("lines", "kind: binding A\nprompt: ?\nanswer: 4:1\nwrong: 4:2 -> No.") +
                           ask("many", "kind: integer\nprompt: ?\nanswer: 4\naccept: it > 3\nwrong: 2 -> No.") +
                           ask("wide", "kind: layout\nprompt: ?\nanswer: 5000:1\nwrong: 4:2 -> No.");
  const Quiz pl = prairielearn_quiz(opened(asks), 2).value();
  CHECK(pl.questions == 1);
  CHECK(pl.notes == std::vector<std::string>{"lines is not in it: its answer is lines of a document",
                                             "many is not in it: it has many right answers, by a condition",
                                             "wide is not in it: its layouts are too large to be compared by a table"});
  const Quiz qti = qti_quiz(opened(asks), "mine", 2).value();
  CHECK(qti.questions == 2);  // a layout is chosen there
  CHECK(qti.notes.size() == 3);
  CHECK(has(qti.notes[2], "wide is asked as a choice"));
  const Quiz cells = qti_quiz(opened(ask("paint", "kind: cells of (16,16)\nprompt: ?\nanswer: ((0,0),(0,1))")), "mine", 1).value();
  CHECK(cells.questions == 0);
  CHECK(cells.notes == std::vector<std::string>{"paint is not in it: its tile has more than 64 cells to choose from"});
  CHECK(qti_quiz(opened(ask("open", "kind: layout\nprompt: ?\nanswer: 4:1")), "mine", 1)->questions == 0);
}

TEST_CASE("blocks are put in order where each is another one, and numbers are written where two are the same") {
  const auto made = [](const std::string& lines) { return prairielearn_quiz(opened(ask("row", lines)), 2).value(); };
  const Quiz words = made("kind: order\noptions: first | second | third\nprompt: ?\nanswer: (2,3,1)\nwrong: (1,2,3) -> No.");
  CHECK(has(file(words, "row/question.html"), "<pl-order-blocks"));
  CHECK(variants(file(words, "row/server.py"))[0]["blocks"] == json{{{"html", "second"}}, {{"html", "third"}}, {{"html", "first"}}});
  CHECK(variants(file(words, "row/server.py"))[0]["wrong"][0]["order"] == json{"first", "second", "third"});
  CHECK(has(file(made("kind: order\nprompt: ?\nanswer: (2,3,1)"), "row/question.html"), "<pl-order-blocks"));
  CHECK(has(file(made("kind: order\nprompt: ?\nanswer: (2,2,1)"), "row/question.html"), "<pl-string-input"));
}

TEST_CASE("a package of QTI has a bank a question, right answers alone among its texts, and a quiz that draws one of each") {
  const std::string asks = kFive + ask("which", "kind: choice\nprompt: ?\nanswer: 1\nwrong: 2 -> No.") +
                           ask("paint", "kind: cells of (2,2)\nprompt: ?\nanswer: ((0,1),(1,0))\nwrong: ((0,0),(1,1)) -> No.") +
                           ask("owner", "kind: thread and value\nprompt: ?\nanswer: (4,3)\nwrong: (3,4) -> No.");
  const Quiz quiz = qti_quiz(opened(asks), "mine", 5).value();
  CHECK(quiz.files.size() == 6);
  CHECK(quiz.files[0].path == "imsmanifest.xml");
  for (std::size_t i = 1; i < quiz.files.size(); ++i) CHECK(count(quiz.files[0].bytes, "\"" + quiz.files[i].path + "\"") == 2);
  CHECK(count(quiz.files[0].bytes, "question-bank") == 4);
  const std::string& all = file(quiz, "tessera_lesson4_quiz/");
  CHECK(count(all, "<sourcebank_ref>") == 4);
  CHECK(count(all, "<selection_number>1</selection_number>") == 4);
  const std::string& owner = file(quiz, "owner/");
  for (const char* spelling : {"T4 V3", "4 3", "4,3", "(4, 3)", "thread 4 value 3", "T4V3"})
    CHECK(has(owner, ">" + std::string(spelling) + "</varequal>"));
  CHECK_FALSE(has(owner, "3,4"));  // Canvas would take it for a right one
  CHECK_FALSE(has(owner, "displayfeedback"));
  const std::string& which = file(quiz, "which/");
  CHECK(count(which, "<response_label") == 3);
  CHECK(has(which, "I do not know"));
  CHECK(has(which, "r1</varequal></conditionvar><setvar action=\"Set\" varname=\"SCORE\">100</setvar>"));
  CHECK(has(which, "r2</varequal></conditionvar><displayfeedback"));
  CHECK(has(file(quiz, "paint/"),
            "<and><not><varequal respident=\"response1\" case=\"Yes\">r1</varequal></not><varequal respident=\"response1\" "
            "case=\"Yes\">r2</varequal>"
            "<varequal respident=\"response1\" case=\"Yes\">r3</varequal><not><varequal respident=\"response1\" "
            "case=\"Yes\">r4</varequal></not></and>"));
}

TEST_CASE("a .zip is the same bytes for the same files, and begins and ends as one") {
  const std::vector<QuizFile> files{{"a.xml", "one"}, {"b/c.xml", std::string("\0\xff", 2)}};
  const std::string zip = zip_of(files);
  CHECK(zip == zip_of(files));
  CHECK(zip.substr(0, 4) == "PK\x03\x04");
  CHECK(zip.substr(zip.size() - 22, 4) == "PK\x05\x06");
  CHECK(zip.substr(14, 4) == "\xf1\x86\x6c\x7a");  // CRC-32 of "one", as zlib computes it
  CHECK(zip_of({}).size() == 22);
}
