// SPDX-License-Identifier: BSD-3-Clause
// tessera lesson export: a lesson as a page, into a file or to stdout, and never over a file that is there.
#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/source_dir.hpp"

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

TEST_CASE("lesson export writes slides in either shape, and a handout as a folder or a file") {
  if (!has_pages()) return;
  const Run pdf = shell(kTiny + "tessera lesson export t.lesson.md --to slides --out s.pdf; head -c 5 s.pdf");
  if (!has(pdf.err, "has no Cairo")) {
    CHECK(pdf.code == 0);
    CHECK(has(pdf.out, "s.pdf  3 slides, "));
    CHECK(pdf.out.ends_with("%PDF-"));
  }
  const Run html =
      shell(kTiny + "tessera lesson export t.lesson.md --to slides --aspect 4:3 --seed 5 --out s.html; grep -c 'class=\"slide\"' s.html");
  CHECK(html.out.ends_with("\n3\n"));
  CHECK(shell(kTiny + "tessera lesson export t.lesson.md --to slides --aspect 3:2 --out s.pdf").code == 2);
  CHECK(shell(kTiny + "tessera lesson export t.lesson.md --to slides --out s.png").code == 2);
  CHECK(shell(kTiny + "tessera lesson export t.lesson.md --to slides").code == 2);
  const Run folder =
      shell(kTiny + "tessera lesson export t.lesson.md --to handout --out h; ls h; grep -c 'Answers, for seed 0' h/handout.tex");
  CHECK(has(folder.out, "h/handout.tex  "));
  CHECK(folder.out.ends_with("\nhandout.tex\n1\n"));
  CHECK(has(
      shell(kTiny + "tessera lesson export t.lesson.md --to handout --out h; tessera lesson export t.lesson.md --to handout --out h").err,
      "already_exists: "));
  const Run file = shell(kTiny + "tessera lesson export t.lesson.md --to handout --key only --seed 9 --out h.tex; cat h.tex");
  CHECK(has(file.out, "Answers, for seed 9"));
  CHECK(!has(file.out, "\\lessonquestion{What"));
  CHECK(has(shell(kTiny + "tessera lesson export t.lesson.md --to handout --key none").out, "\\lessonquestion{What"));
  CHECK(shell(kTiny + "tessera lesson export t.lesson.md --to handout --key yes").code == 2);
  const Run broken = shell(kTiny + "sed -i 's/2 + 2/2 + two/' t.lesson.md; tessera lesson export t.lesson.md --to handout");
  CHECK(has(broken.err, "t.lesson.md: line 8, column 7: the name two is not defined"));
}

TEST_CASE("a page begins with the seed that is named, and has those behind it") {
  if (!has_pages()) return;
  CHECK(has(shell(kTiny + "tessera lesson export t.lesson.md --seeds 2").out, "\"seed\":null"));
  const std::string page = shell(kTiny + "tessera lesson export t.lesson.md --seed 40 --seeds 2").out;
  CHECK(has(page, "\"file\":\"t.lesson.md\",\"seed\":40,"));
  CHECK(has(page, "\"seed\":41"));
  CHECK(!has(page, "\"seed\":42"));
  CHECK(shell(kTiny + "tessera lesson export t.lesson.md --seed -1").code == 2);
}

TEST_CASE("a GEMM of a lesson comes with the command that runs it, and with what was recorded of its plan and no other") {
  if (!has_pages()) return;
  const std::string lesson =
      "{ printf -- '---\\nnumber: 1\\ntitle: A\\ngoal: B\\nminutes: 1\\n---\\n```tess\\n'; "
      "sed -n '/^let ampere/,$p' " +
      source_dir() +
      "/assets/presets/tour.tess | sed '/^let tensor_gemm/,/raster_group/!{/^let ampere\\|^let tile_2x4\\|^let swizzled/!d}'; "
      "printf '```\\n```run\\ntensor_gemm\\n```\\n'; } > r.lesson.md; ";
  const Run own = shell(lesson + "tessera lesson export r.lesson.md");
  INFO(own.err);
  CHECK(has(own.out, "<p>Recorded of exactly this plan:</p>"));
  CHECK(has(own.out, "RECORDED on "));
  CHECK(has(own.out, "TFLOP/s"));
  const Run other = shell(lesson + "sed -i 's/stages=3/stages=2/' r.lesson.md; tessera lesson export r.lesson.md");
  CHECK(has(other.out, "Nothing that was recorded is of exactly this plan."));
  CHECK(!has(other.out, "TFLOP/s"));
  // What the terminal shows is a script: its GEMM can be looked at where there is no GPU.
  const Run script =
      shell(lesson + "tessera lesson run r.lesson.md | sed -n '/^cat/,/^tessera/p' | sed 's/gemm run/gemm show/' > run.sh; . ./run.sh");
  CHECK(script.code == 0);
  CHECK(has(script.out, "4096"));
}

TEST_CASE("what is set at a slider is in the log of the terminal, too, and is graded again") {
  const std::string vary =
      "printf -- '---\\nnumber: 7\\ntitle: A\\ngoal: B\\nminutes: 1\\n---\\n```vary\\nparam: s in (1,2,4)\\nshow: (4,2):(1,s)\\n"
      "prompt: Which s?\\ntruth: s >= 2\\n```\\n' > v.lesson.md; ";
  const Run run = shell(
      vary + "printf '4, 2\\n' | tessera lesson run v.lesson.md --log l.jsonl; cat l.jsonl; tessera lesson regrade v.lesson.md l.jsonl");
  CHECK(has(run.out, "Right. It holds for 2, 4."));
  CHECK(has(run.out, "{\"lesson\":7,\"vary\":1,"));
  CHECK(has(run.out, "vary 1    0     4, 2    right"));
  const Run lied = shell(vary +
                         "printf '4\\n' | tessera lesson run v.lesson.md --log l.jsonl; sed -i 's/false/true/' l.jsonl; tessera lesson "
                         "regrade v.lesson.md l.jsonl");
  CHECK(has(lied.out, "wrong  the log says right"));
}
