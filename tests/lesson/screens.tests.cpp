// SPDX-License-Identifier: BSD-3-Clause
// A lesson parted into what is seen at a time.
#include "core/lesson/screens.hpp"

#include <cstddef>
#include <string>
#include <vector>

#include "core/lesson/read.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;
using namespace tessera::lesson;

namespace {

std::vector<Screen> screens(const std::string& body) {
  const Result<Lesson> read = read_lesson("---\nnumber: 1\ntitle: A\ngoal: B\nminutes: 1\n---\n" + body);
  if (!read) FAIL(read.error().message);
  std::vector<Screen> made = screens_of(*read);
  for (const Screen& screen : made) {  // places count in the lesson
    for (const ScreenPiece& piece : screen.pieces) CHECK(read->text.substr(piece.words.at, piece.words.text.size()) == piece.words.text);
  }
  return made;
}

std::string ask(const std::string& name, const std::string& more = {}) {
  return "```ask " + name + "\nkind: integer\nprompt: p\nanswer: 1\n" + more + "```\n";
}

std::vector<std::size_t> gates_of(const Screen& screen) {
  std::vector<std::size_t> made;
  for (const ScreenPiece& piece : screen.pieces) made.push_back(piece.gates);
  return made;
}

}  // namespace

TEST_CASE("a screen begins with its heading, and what stands above the first one is a screen, too") {
  const std::vector<Screen> all = screens("words\n# One\nfirst\n```tess\nlet a = 1\n```\n# Two\n## below\nsecond\n");
  REQUIRE(all.size() == 3);
  CHECK(all[0].pieces.size() == 1);
  REQUIRE(all[1].pieces.size() == 2);
  CHECK(all[1].pieces[0].words.text == "# One\nfirst\n");
  CHECK(all[2].pieces[0].words.text == "# Two\n## below\nsecond\n");
  CHECK(screens("# One\n# Two\n").size() == 2);
  CHECK(screens("").empty());
}

TEST_CASE("a line of code begins no screen") {
  CHECK(screens("# One\n```python\n# a comment\n```\nwords\n").size() == 1);
  CHECK(screens("# One\n~~~text\n# a comment\n~~~\n# Two\n").size() == 2);
}

TEST_CASE("what stands below a question waits for it, on later screens as well, unless it has no gate") {
  const std::vector<Screen> all =
      screens("# One\n" + ask("a") + "words\n" + ask("b", "gates: no\n") + "more\n# Two\n" + ask("c") + "end\n");
  REQUIRE(all.size() == 2);
  CHECK(gates_of(all[0]) == std::vector<std::size_t>{0, 0, 1, 1, 1});
  CHECK(gates_of(all[1]) == std::vector<std::size_t>{1, 1, 2});
}
