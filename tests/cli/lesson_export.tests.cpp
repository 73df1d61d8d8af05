// SPDX-License-Identifier: BSD-3-Clause
// tessera lesson export: a lesson as a page, into a file or to stdout, and never over a file that is there.
#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/shell.hpp"

using namespace tessera;
using namespace tessera::test;

namespace {

const std::string kTiny =
    "printf -- '---\\nnumber: 7\\ntitle: A\\ngoal: B\\nminutes: 1\\n---\\n# Words\\n{{2 + 2}} words\\n```ask one\\nkind: integer\\ndraw: n "
    "in 2..90\\n"
    "prompt: What is {{n}} + 1?\\nanswer: n + 1\\nwrong: n -> No.\\nwrong: n - 1 -> Up.\\n```\\n' > t.lesson.md; ";

// A build without md4c has no pages, and says what it wants.
bool has_pages() {
  const Run made = shell(kTiny + "tessera lesson export t.lesson.md");
  return made.code == 0 || !has(made.err, "install libmd4c-dev and build again");
}

}  // namespace

TEST_CASE("lesson export writes a page once") {
  if (!has_pages()) return;
  const Run made = shell(kTiny + "tessera lesson export t.lesson.md --to html --out l.html --seeds 3 && grep -c '</html>' l.html");
  INFO(made.err);
  CHECK(made.code == 0);
  CHECK(made.out.starts_with("l.html  "));
  CHECK(made.out.ends_with(" bytes\n1\n"));
  const Run twice = shell(kTiny + "echo mine > l.html; tessera lesson export t.lesson.md --out l.html; cat l.html");
  CHECK(has(twice.err, "already_exists: "));
  CHECK(twice.out == "mine\n");
  CHECK(shell(kTiny + "echo mine > l.html; tessera lesson export t.lesson.md --out l.html --force; grep -c mine l.html")
            .out.ends_with("\n0\n"));
  const Run data = shell(kTiny + "tessera lesson export t.lesson.md --seeds 3");
  CHECK(data.out.starts_with("<!DOCTYPE html>"));
  CHECK(has(data.out, "<p>4 words</p>"));
  CHECK(has(data.out, "\"file\":\"t.lesson.md\""));
  CHECK(has(data.out, "\"seed\":2"));
  CHECK(!has(data.out, "\"seed\":3"));
  CHECK(shell("tessera lesson export 06_tv | wc -c").code == 0);
}

TEST_CASE("lesson export refuses a broken lesson with its line, and another format") {
  if (!has_pages()) return;
  const Run broken = shell(kTiny + "sed -i 's/2 + 2/2 + two/' t.lesson.md; tessera lesson export t.lesson.md --out l.html; ls l.html");
  CHECK(has(broken.err, "t.lesson.md: line 8, column 7: the name two is not defined"));
  CHECK(!has(broken.out, "l.html"));
  CHECK(shell(kTiny + "tessera lesson export t.lesson.md --to pdf").code == 2);
  CHECK(shell(kTiny + "tessera lesson export t.lesson.md --seeds 0").code == 2);
  CHECK(shell("tessera lesson export nowhere.md").code == 1);
}
