// SPDX-License-Identifier: BSD-3-Clause
// A lesson's page and the engine grade the same answers alike: all lessons that come with the program, in Node.
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/lesson/page/page.hpp"
#include "core/lesson/question.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;
using namespace tessera::lesson;
using nlohmann::json;

namespace {

constexpr std::uint64_t kSeeds = 20;

bool has_node() { return std::system("node -e 0 >/dev/null 2>&1") == 0; }

std::string swapped(std::string text, char from, char to) {
  std::replace(text.begin(), text.end(), from, to);
  return text;
}

// What a person may write instead of this answer, and what is none.
std::vector<std::string> ways_to_write(const std::string& answer) {
  std::string small = answer;
  for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return {answer,
          "  " + answer + " ",
          small,
          swapped(answer, ',', ' '),
          swapped(answer, ' ', ','),
          swapped(swapped(answer, '(', ' '), ')', ' '),
          answer + ")",
          answer + " 1",
          answer + ";",
          answer + ".",
          answer + "%",
          answer + " %.",
          "T" + answer,
          "lane " + answer,
          "Thread: " + answer,
          "-" + answer,
          answer + " + 1",
          "2*" + answer};
}
const std::vector<std::string> kOthers = {"",
                                          "xyzzy",
                                          "(",
                                          "1 2 3 4 5",
                                          "4:1",
                                          "(4,8):(8,1)",
                                          "(4,8):8",
                                          "2*3 + 1",
                                          "7/2",
                                          "7 % 4",
                                          "7 %",
                                          "%",
                                          "7%%",
                                          "T4",
                                          "V4",
                                          "lane 4 value 3",
                                          "T0 V0",
                                          "value 3 of thread 4",
                                          "row 1 column 2",
                                          "c a b",
                                          "bac",
                                          "yes",
                                          "2",
                                          "(1,(2,3))",
                                          "1.5",
                                          "99999999999999999999",
                                          "(0,0) (0,1)",
                                          "0 0 0 0",
                                          "_3",
                                          "1e3",
                                          "a)",
                                          "(b)"};

}  // namespace

TEST_CASE("the page grades as the engine does") {
  if (!has_node()) {
    WARN("skipped: no Node here");
    return;
  }
  std::vector<json> cases, wanted;
  std::size_t right = 0, hints = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test::source_dir() + "/assets/lessons")) {
    const Result<OpenLesson> opened = OpenLesson::open(tessera::testing::read_file(entry.path().string()));
    REQUIRE(opened);
    for (const std::string& id : opened->ids()) {
      INFO(entry.path().string() << " " << id);
      const std::size_t part = opened->find(id).value();
      const Ask& ask = std::get<Ask>(opened->lesson().parts[part]);
      const Scope above = opened->above(part);
      const Result<Json> data = question_data(*opened, part, kSeeds);
      REQUIRE(data);
      const json baked = json::parse(data->dump());
      const bool is_open = !ask.accept.empty() || ask.kind.text.starts_with("binding") || ask.kind.text.starts_with("plan");
      CHECK(baked["graded"] == !is_open);
      if (is_open) continue;
      for (const json& seed : baked["seeds"]) {
        const Question question = question_of(ask, above, seed["seed"].get<std::uint64_t>()).value();
        CHECK(seed["wrong"].size() == ask.wrong.size());
        std::vector<std::string> answers = kOthers;
        for (const std::string& way : ways_to_write(written_answer(question.expected, question.wanted))) answers.push_back(way);
        for (const Value& each : question.wrong) answers.push_back(written_answer(question.expected, each));
        for (const std::string& answer : answers) {
          const Grade grade = lesson::grade(ask, question, above, answer).value();
          cases.push_back({{"kind", baked["kind"]}, {"question", seed}, {"answer", answer}});
          wanted.push_back({{"right", grade.right},
                            {"read", grade.read},
                            {"difference", grade.read ? grade.difference : ""},
                            {"hint", grade.hint},
                            {"wrong", grade.wrong}});
          right += grade.right ? 1 : 0;
          hints += grade.hint.empty() ? 0 : 1;
        }
      }
    }
  }
  CHECK(right >= 1000);
  CHECK(hints >= 1000);
  const test::TemporaryFolder folder;
  const std::string in = (folder / "cases.json").string(), out = (folder / "grades.json").string();
  std::ofstream(in, std::ios::binary) << json(cases).dump();
  const std::string script =
      "const fs = require(\"fs\"), grade = require(process.argv[1]);"
      "fs.writeFileSync(process.argv[3], JSON.stringify(JSON.parse(fs.readFileSync(process.argv[2])).map("
      "(each) => { const made = grade(each.kind, each.question, each.answer); return made.read ? made : {...made, difference: \"\"}; })));";
  REQUIRE(std::system(fmt::format("node -e '{}' '{}/core/lesson/page/grade.js' '{}' '{}'", script, test::source_dir(), in, out).c_str()) ==
          0);
  const json made = json::parse(tessera::testing::read_file(out));
  REQUIRE(made.size() == wanted.size());
  std::size_t differing = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (made[i] == wanted[i]) continue;
    if (++differing <= 10) {
      INFO(cases[i].dump().substr(0, 600));
      CHECK(made[i] == wanted[i]);
    }
  }
  CHECK(differing == 0);
}
