// SPDX-License-Identifier: BSD-3-Clause
// tessera lesson export --to prairielearn and --to qti: files once, and a word for each question that is not in them.
#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/shell.hpp"

using namespace tessera;
using namespace tessera::test;

namespace {

const std::string kTwo =
    "printf -- '---\\nnumber: 7\\ntitle: A\\ngoal: B\\nminutes: 1\\n---\\n```ask one\\nkind: integer\\ndraw: n in 2..90\\nprompt: What is "
    "{{n}} + "
    "1?\\nanswer: n + 1\\n```\\n```ask lines\\nkind: binding A\\nprompt: ?\\nanswer: 4:1\\n```\\n' > t.lesson.md; tessera lesson export "
    "t.lesson.md ";

}  // namespace

TEST_CASE("lesson export --to prairielearn writes a folder a question, once") {
  const Run made = shell(kTwo + "--to prairielearn --out q --seeds 3 && find q -type f | sort");
  CHECK(made.code == 0);
  CHECK(made.out == "q  1 question, 3 variants\nq/one/info.json\nq/one/question.html\nq/one/server.py\n");
  CHECK(has(made.err, "lines is not in it: its answer is lines of a document"));
  const Run twice = shell(
      kTwo +
      "--to prairielearn --out q > o; echo mine > q/one/info.json; tessera lesson export t.lesson.md --to prairielearn "
      "--out q; cat q/one/info.json; tessera lesson export t.lesson.md --to prairielearn --out q --force; grep -c uuid q/one/info.json");
  CHECK(has(twice.err, "already_exists: "));
  CHECK(twice.out.starts_with("mine\n"));
  CHECK(twice.out.ends_with("\n1\n"));
}

TEST_CASE("lesson export --to qti writes one .zip, or its files into a folder") {
  const Run made = shell(
      kTwo + "--to qti --out t.zip && head -c 2 t.zip && tessera lesson export t.lesson.md --to qti --out d && find d -type f | sort");
  CHECK(made.code == 0);
  CHECK(
      made.out.starts_with("t.zip  1 question, 18 variants\nPKd  1 question, 18 variants\nd/imsmanifest.xml\nd/one/tessera_lesson7_one_"));
  CHECK(made.out.ends_with("\nd/tessera_lesson7_quiz/tessera_lesson7_quiz.xml\n"));
  CHECK(has(shell(kTwo + "--to qti --out t.zip; tessera lesson export t.lesson.md --to qti --out t.zip").err, "already_exists: "));
}

TEST_CASE("lesson export for another program wants a place, and a question that can be asked there") {
  CHECK(shell(kTwo + "--to qti").code == 2);
  CHECK(shell(kTwo + "--to prairielearn").code == 2);
  CHECK(has(shell(kTwo + "--to moodle --out t").err, "handout, prairielearn or qti"));
  const Run none = shell(
      kTwo +
      "> o; sed -i 's/^kind: integer/kind: binding B/' t.lesson.md; tessera lesson export t.lesson.md --to qti --out t.zip; ls t.zip");
  CHECK(has(none.err, "no question of this lesson can be asked there"));
  CHECK(none.out.empty());
  CHECK(has(shell(kTwo + "> o; sed -i 's/n + 1$/n + m/' t.lesson.md; tessera lesson export t.lesson.md --to qti --out t.zip").err,
            "t.lesson.md: line 11, column 13: the name m is not defined"));
}
