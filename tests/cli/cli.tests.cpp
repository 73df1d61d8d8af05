// SPDX-License-Identifier: BSD-3-Clause
// The command line as a person or a script meets it: output, exit codes, errors on stderr, files that are kept.
#include <fmt/format.h>
#include <sys/resource.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/support/temporary_folder.hpp"

using test_json = nlohmann::json;
using namespace tessera::test;

namespace {

const std::string kTour = source_dir() + "/assets/presets/tour.tess";

std::vector<test_json> lines_of(const std::string& text) {
  std::vector<test_json> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(test_json::parse(line));
  return lines;
}

// Processor time of all programs run so far: unlike wall time it does not depend on what else the machine does.
double children_seconds() {
  rusage use{};
  ::getrusage(RUSAGE_CHILDREN, &use);
  const auto seconds = [](const timeval& time) { return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6; };
  return seconds(use.ru_utime) + seconds(use.ru_stime);
}

}  // namespace

TEST_CASE("every subcommand explains itself with an example") {
  for (const char* name :
       {"eval",         "batch",      "draw",           "atoms",         "gemm",       "gemm show",    "gemm simulate", "gemm emit",
        "gemm compile", "gemm run",   "cache",          "cache list",    "cache show", "cache verify", "cache clear",   "cache pack",
        "cache load",   "devices",    "worker",         "tour",          "lesson",     "lesson list",  "lesson check",  "lesson ask",
        "lesson grade", "lesson run", "lesson regrade", "lesson export", "grade"}) {
    const Run run = shell("tessera " + std::string(name) + " --help");
    INFO(name);
    CHECK(run.code == 0);
    CHECK(has(run.out, "Example:\n"));
    CHECK(has(run.out, "tessera "));
  }
}

TEST_CASE("a word that is no subcommand is named, with the nearest that is one") {
  const Run top = shell("tessera evl 4:1"), below = shell("tessera gemm shw article_gemm"), none = shell("tessera gemm");
  CHECK(top.code == 2);
  CHECK(has(top.err, "tessera has no subcommand evl\n  note: did you mean eval?"));
  CHECK(below.code == 2);
  CHECK(has(below.err, "gemm has no subcommand shw\n  note: did you mean show?"));
  CHECK(has(none.err, "subcommand is required"));
}

TEST_CASE("explain-cell --json writes every refusal as JSON") {
  for (const std::string_view words : {"nowhere --at 1", "4:1 --at 9", "4:1 --at 1 --file nowhere.tess"}) {
    const Run run = shell(fmt::format("tessera explain-cell {} --json", words));
    INFO(run.out << run.err);
    CHECK(run.code == 1);
    CHECK(has(run.out, "{\"ok\":false,\"error\":{\"code\":\""));
  }
}

TEST_CASE("exit codes tell usage from refusal") {
  CHECK(shell("tessera frobnicate").code == 2);
  CHECK(shell("tessera eval").code == 2);
  CHECK(shell("tessera draw '(4,8):(8,1)'").code == 2);
  CHECK(shell("tessera draw '(4,8):(8,1)' --to bmp").code == 2);
  CHECK(shell("tessera draw '(4,8):(8,1)' --to png").code == 2);
  CHECK(shell("tessera eval '(4,8):(8'").code == 1);
  CHECK(shell("tessera eval '(4,8):(8,1)'").code == 0);
}

TEST_CASE("an error goes to stderr, with a caret under its place") {
  const Run run = shell("tessera eval '(4,8):(8,1,1)'");
  CHECK(run.out.empty());
  CHECK(has(run.err, "not_congruent"));
  CHECK(has(run.err, "(4,8):(8,1,1)"));
  CHECK(has(run.err, "^"));
}

TEST_CASE("eval shows the fix of a mistake, and evaluates it where that is asked for") {
  const Run refused = shell("tessera eval 'coalesce (4,8):(1,4)'");
  CHECK(refused.code == 1);
  CHECK(refused.out.empty());
  CHECK(has(refused.err, "\n  try:  coalesce((4,8):(1,4))\n"));
  const Run json = shell("tessera eval --json 'coalesce (4,8):(1,4)'");
  const test_json fix = test_json::parse(json.out)["error"]["fix"];
  CHECK(fix["span"] == test_json({8, 19}));
  CHECK(fix["replacement"] == "((4,8):(1,4)");

  const Run mended = shell("tessera eval --fix 'coalesce (4,8):(1,4)'");
  CHECK(mended.code == 0);
  CHECK(mended.out == "coalesce((4,8):(1,4))\n32:1\n");
  const test_json answer = test_json::parse(shell("tessera eval --fix --json '4,8:8,1'").out);
  CHECK(answer["ok"] == true);
  CHECK(answer["expr"] == "(4,8):(8,1)");
  CHECK(answer["value"] == "(4,8):(8,1)");
  CHECK(shell("tessera eval --fix '(4,8):(8,1)'").out == "(4,8):(8,1)\n(4,8):(8,1)\n");
  CHECK(shell("tessera eval --fix '(4,0):(1,4)'").code == 1);
  CHECK(shell("tessera eval --fix 'coalsce(row_major)' --file '" + kTour + "'").out.starts_with("coalesce(row_major)\n"));
}

TEST_CASE("a line of a batch gets the fix of its mistake where it asks for it") {
  const Run run = shell("tessera batch",
                        "{\"id\":1,\"expr\":\"4,8:8,1\",\"fix\":true}\n"
                        "{\"id\":2,\"expr\":\"4,8:8,1\",\"fix\":false}\n"
                        "{\"id\":3,\"expr\":\"4,8:8,1\"}\n"
                        "{\"id\":4,\"expr\":\"(4,8):(8,1)\",\"fix\":true}\n"
                        "{\"id\":5,\"expr\":\"4:1\",\"fix\":1}\n");
  const std::vector<test_json> answers = lines_of(run.out);
  REQUIRE(answers.size() == 5);
  CHECK(answers[0]["error"]["fix"]["replacement"] == "(4,8):(8,1)");
  CHECK_FALSE(answers[1]["error"].contains("fix"));
  CHECK_FALSE(answers[2]["error"].contains("fix"));
  CHECK(answers[3]["value"] == "(4,8):(8,1)");
  CHECK(answers[4]["error"]["code"] == "bad_message");
}

TEST_CASE("eval sees the names of a document") {
  const Run run = shell("tessera eval 'composition(row_major, tv)' --file '" + kTour + "'");
  INFO(run.err);
  CHECK(run.out == "((2,4),(2,2)):((2,8),(1,4))\n");
  CHECK(shell("tessera eval row_major --file nowhere.tess").code == 1);
}

TEST_CASE("batch answers every line in order, whatever the line is") {
  const Run run = shell("tessera batch",
                        "{\"id\":\"a\",\"expr\":\"(4,8):(8,1)\"}\n"
                        "not json\n"
                        "{\"id\":\"b\"}\n"
                        "\n"
                        "{\"id\":7,\"expr\":\"(4,8):(8\"}\n"
                        "[]\n"
                        "{\"id\":\"c\\n\\u0001\",\"expr\":\"size((4,8):(8,1))\"}\n"
                        "{\"id\":\"d\",\"expr\":\"(64,128):(1,64)\"}\n"
                        "{\"id\":\"yes\",\"expr\":\"is_injective((4,8):(8,1))\"}\n"
                        "{\"id\":\"no\",\"expr\":\"is_injective((4,8):(1,1))\"}\n"
                        "{\"id\":\"last\",\"expr\":\"2:1\"}");
  CHECK(run.code == 0);
  const std::vector<test_json> answers = lines_of(run.out);
  REQUIRE(answers.size() == 10);
  CHECK(answers[0]["id"] == "a");
  CHECK(answers[0]["ok"] == true);
  CHECK(answers[0]["kind"] == "layout");
  CHECK(answers[0]["value"] == "(4,8):(8,1)");
  CHECK(answers[0]["rank"] == 2);
  CHECK(answers[0]["depth"] == 1);
  CHECK(answers[0]["size"] == 32);
  CHECK(answers[0]["cosize"] == 32);
  CHECK(answers[0]["image"].size() == 32);
  CHECK(answers[0]["image"][1] == 8);
  CHECK(answers[1]["ok"] == false);
  CHECK(answers[1]["error"]["code"] == "bad_message");
  CHECK(answers[2]["id"] == "b");
  CHECK(answers[2]["ok"] == false);
  CHECK(answers[3]["id"] == 7);
  CHECK(answers[3]["error"]["code"] == "parse");
  CHECK(answers[3]["error"]["span"].size() == 2);
  CHECK(answers[4]["ok"] == false);
  CHECK(answers[5]["id"] == "c\n\x01");
  CHECK(answers[5]["kind"] == "int");
  CHECK(answers[5]["value"] == "32");
  CHECK(answers[6]["image_sha256"].get<std::string>().size() == 64);
  CHECK(answers[7]["value"].dump() == "true");
  CHECK(answers[8]["value"].dump() == "false");
  CHECK(shell("tessera eval --json 'is_injective((4,8):(8,1))'").out == "{\"ok\":true,\"kind\":\"bool\",\"value\":true}\n");
  CHECK(answers[9]["id"] == "last");
}

TEST_CASE("batch survives hostile lines") {
  const std::string deep(10000, '(');
  const Run run = shell(
      "tessera batch",
      "{\"id\":1,\"expr\":\"" + deep + "\"}\n" + deep + "\n{\"id\":2,\"expr\":\"99999999999999999999:1\"}\n" +
          "{\"id\":3,\"expr\":\"\xff\xfe\"}\n{\"id\":4,\"expr\":\"(0,-1):(1,1)\"}\n{\"id\":5,\"expr\":\"SM80_16x8x16_F32F16F16F32_TM\"}\n");
  CHECK(run.code == 0);
  const std::vector<test_json> answers = lines_of(run.out);
  REQUIRE(answers.size() == 6);
  for (const test_json& answer : answers) CHECK(answer["ok"] == false);
  CHECK(has(answers[5]["error"].dump(), "SM80_16x8x16_F32F16F16F32_TN"));
}

TEST_CASE("batch answers lines that are nested deep, long, or say a name twice, and repeats no more than an id's worth of them") {
  const std::string open(75000, '['), close(75000, ']');
  const Run run = shell("tessera batch", "{\"id\":1,\"expr\":" + open + close + "}\n{\"id\":" + open + close + ",\"expr\":\"4:1\"}\n" +
                                             open + "\n{\"id\":\"" + std::string(100000, 'x') +
                                             "\",\"expr\":\"4:1\"}\n{\"id\":1,\"id\":2,\"expr\":\"4:1\"}\n" +
                                             "{\"id\":[1,{\"z\":2,\"a\":3}],\"expr\":\"4:1\"}\n");
  CHECK(run.code == 0);
  CHECK(run.out.size() < 3000);
  const std::vector<test_json> answers = lines_of(run.out);
  REQUIRE(answers.size() == 6);
  for (const std::size_t i : {0, 1, 2, 3}) CHECK(answers[i]["error"]["code"] == "limit");
  CHECK(has(answers[0]["error"]["message"].get<std::string>(), "nested more than 64 deep"));
  CHECK(has(answers[3]["error"]["message"].get<std::string>(), "up to 1024"));
  CHECK(answers[4]["error"]["code"] == "bad_message");
  CHECK(has(run.out, "{\"id\":[1,{\"z\":2,\"a\":3}],\"ok\":true"));
}

TEST_CASE("batch refuses a line that is too long and a file that cannot be read") {
  const Run run = shell("{ head -c 9000000 /dev/zero | tr '\\0' 'x'; echo; echo '{\"id\":1,\"expr\":\"4:1\"}'; } | tessera batch");
  const std::vector<test_json> answers = lines_of(run.out);
  REQUIRE(answers.size() == 2);
  CHECK(answers[0]["error"]["code"] == "limit");
  CHECK(answers[1]["ok"] == true);
  CHECK(shell("tessera batch nowhere.jsonl").code == 1);
  CHECK(shell("tessera batch .").code == 1);
}

TEST_CASE("batch answers a line before it is sent the next") {
  const Run run = shell(
      "mkfifo q; tessera batch < q > a & exec 3> q; echo '{\"id\":1,\"expr\":\"4:1\"}' >&3\n"
      "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do [ -s a ] && break; sleep 0.1; done; cat a; exec 3>&-; wait");
  CHECK(has(run.out, "\"value\":\"4:1\""));
}

TEST_CASE("batch answers at least 20,000 simple expressions a second", "[bench]") {
  std::string input;
  const int count = 40000;
  for (int i = 0; i < count; ++i)
    input += "{\"id\":\"" + std::to_string(i) + "\",\"expr\":\"size((4," + std::to_string(1 + i % 64) + "):(8,1))\"}\n";
  const double before = children_seconds();
  const Run run = shell("tessera batch", input);
  const double seconds = children_seconds() - before;
  WARN("batch: " << count / seconds << " expressions a second");
  CHECK(lines_of(run.out).size() == count);
#ifdef NDEBUG
  CHECK(count / seconds > 20000);
#endif
}

TEST_CASE("draw writes text to stdout and files where it is told") {
  CHECK(has(shell("tessera draw '(4,8):(8,1)' --to svg").out, "<svg"));
  CHECK(has(shell("tessera draw '(4,8):(8,1)' --to tex --style print_latex").out, "tikzpicture"));
  CHECK(test_json::accept(shell("tessera draw '(4,8):(8,1)' --to json").out));
  const Run files =
      shell("tessera draw '(4,8):(8,1)' --out a.png && head -c 4 a.png && tessera draw '(4,8):(8,1)' --out b.pdf && head -c 5 b.pdf");
  INFO(files.err);
  CHECK(has(files.out, "PNG"));
  CHECK(has(files.out, "%PDF-"));
}

TEST_CASE("--fit holds a picture in both directions, in every format") {
  const Run run = shell(
      "for f in svg pdf png tex html; do tessera draw SM80_16x8x16_F32F16F16F32_TN --fit slide --out a.$f > log || exit 1; done; "
      "grep -o '^<svg [^>]*' a.svg; grep -a -o 'MediaBox [^]]*' a.pdf; grep 'use as bounding box' a.tex; grep -o 'x=[0-9.]*bp' a.tex; "
      "od -An -j16 -N8 -tu1 a.png");
  INFO(run.out << run.err);
  REQUIRE(run.code == 0);
  const double width = 128 / 25.4 * 72, height = 90 / 25.4 * 72;  // points
  std::smatch m;
  REQUIRE(std::regex_search(run.out, m, std::regex("<svg [^>]*width=\"([0-9.]+)\" height=\"([0-9.]+)\"")));
  CHECK(std::stod(m[1]) <= width * 96 / 72 + 0.1);
  CHECK(std::stod(m[2]) <= height * 96 / 72 + 0.1);
  CHECK(std::stod(m[2]) >= 0.99 * height * 96 / 72);
  REQUIRE(std::regex_search(run.out, m, std::regex("MediaBox \\[ 0 0 ([0-9.]+) ([0-9.]+)")));
  CHECK(std::stod(m[1]) <= width + 0.1);
  CHECK(std::stod(m[2]) <= height + 0.1);
  REQUIRE(std::regex_search(run.out, m, std::regex(R"(\(([-0-9.]+),([-0-9.]+)\) rectangle \(([-0-9.]+),([-0-9.]+)\))")));
  const double cell = [&] {
    std::smatch scale;
    return std::regex_search(run.out, scale, std::regex("x=([0-9.]+)bp")) ? std::stod(scale[1]) : 0;
  }();
  CHECK((std::stod(m[3]) - std::stod(m[1])) * cell <= width + 0.1);
  CHECK((std::stod(m[4]) - std::stod(m[2])) * cell <= height + 0.1);
  CHECK(shell("tessera draw '(4,8):(8,1)' --fit slide --width 84mm --to svg").code == 2);
  CHECK(shell("tessera draw '(4,8):(8,1)' --height tall --to svg").code == 2);
  const Run again = shell(
      "tessera draw '(4,8):(8,1)' --width 84mm --height 40mm --out a.svg && tessera draw a.svg --out b.svg && cmp a.svg b.svg && "
      "tessera draw '(4,8):(8,1)' --fit column --out c.svg && tessera draw c.svg --out d.svg && cmp c.svg d.svg");
  CHECK(again.code == 0);
}

TEST_CASE("--caption-file writes the words below beside the figure's file, and leaves them out of it") {
  const Run run = shell(
      "tessera draw '(4,4):(1,2)' --to tex,svg,pdf --caption-file --out f && ls f && cat f/figure.caption.tex f/figure.caption.txt && "
      "grep -c 'puts 16' f/figure.tex; grep -o '</desc>' f/figure.svg; grep -c '>(4,4):(1,2) puts' f/figure.svg");
  INFO(run.out << run.err);
  CHECK(has(run.out, "figure.caption.tex\nfigure.caption.txt\n"));
  CHECK(has(run.out, "(4,4):(1,2) puts 16 elements at 10 distinct offsets, 0 to 9.%\n"));
  CHECK(has(run.out, "(4,4):(1,2) puts 16 elements at 10 distinct offsets, 0 to 9.\n0\n"));
  const Run nowhere = shell("tessera draw '(4,4):(1,2)' --to svg --caption-file");
  CHECK(nowhere.code == 2);
  CHECK(has(nowhere.err, "--caption-file is a file beside the figure's"));
  const Run kept =
      shell("mkdir f; echo mine > f/figure.caption.txt; tessera draw '(4,4):(1,2)' --to svg --caption-file --out f; cat f/*.txt");
  CHECK(kept.out.ends_with("mine\n"));
}

TEST_CASE("draw keeps an existing file unless it is forced, and says so") {
  const Run kept = shell("echo mine > a.svg; tessera draw '(4,8):(8,1)' --out a.svg; code=$?; cat a.svg; exit $code");
  CHECK(kept.code == 1);
  CHECK(kept.out == "mine\n");
  CHECK(has(kept.err, "--force"));
  CHECK(has(shell("echo mine > a.svg; tessera draw '(4,8):(8,1)' --out a.svg --force > /dev/null; cat a.svg").out, "<svg"));
}

TEST_CASE("draw refuses a folder that cannot be, a picture that is too large, and a truncated document") {
  CHECK(shell("echo x > file; tessera draw '(4,8):(8,1)' --to svg --out file/sub/").code == 1);
  const Run large = shell("tessera draw '(1048576,1048576):(1048576,1)' --to svg");
  CHECK(large.code == 1);
  CHECK(has(large.err, "limit"));
  const Run cut = shell(
      "printf 'let a = 4:1\\nlet b = ((2,4' > cut.tess; tessera draw cut.tess --to svg --out figures; code=$?; cat cut.tess; exit $code");
  CHECK(cut.code == 1);
  CHECK(has(cut.err, "cut.tess"));
  CHECK(cut.out == "let a = 4:1\nlet b = ((2,4");
}

TEST_CASE("draw makes all figures of a document, or the named one with parameters") {
  const Run all = shell("tessera draw '" + kTour + "' --to svg --out figures && ls figures | wc -l");
  INFO(all.err);
  CHECK(all.code == 0);
  CHECK(has(all.out, "figures/who_owns.svg"));
  const Run one = shell("tessera draw '" + kTour + "' --name who_owns --set thread=3 --to svg");
  INFO(one.err);
  CHECK(has(one.out, "<svg"));
  const Run two = shell("tessera draw --set thread=3 --set color=value '" + kTour + "' --name who_owns --to svg");
  CHECK(has(two.out, "<svg"));
  CHECK(two.out != one.out);
  CHECK(shell("tessera draw '" + kTour + "' --name nobody --to svg").code == 1);
}

TEST_CASE("draw writes a file for each step of a figure, and one step alone") {
  const std::string draw = "tessera draw SM80_16x8x16_F32F16F16F32_TN --set steps=k --to svg ";
  const Run all = shell(draw + "--all-steps --out steps && ls steps && " + draw + "--out whole.svg && " + draw +
                        "--set step=3 --out one.svg && cmp one.svg steps/figure-03.svg && ! cmp -s whole.svg one.svg && "
                        "tessera draw steps/figure-03.svg --out again.svg && cmp again.svg one.svg");
  INFO(all.err);
  CHECK(all.code == 0);
  CHECK(has(all.out, "figure-01.svg\n"));
  CHECK(has(all.out, "figure-16.svg\n"));
  CHECK_FALSE(has(all.out, "figure-17.svg"));
  const Run none = shell("tessera draw '(4,8):(8,1)' --all-steps --to svg --out none");
  CHECK(none.code == 1);
  CHECK(has(none.err, "figure has no steps"));
  const Run refused = shell("tessera draw '(4,8):(8,1)' --set steps=k --all-steps --to svg --out none");
  CHECK(refused.code == 1);
  CHECK(has(refused.err, "steps: k = 0 matches no cell of the figure"));
}

TEST_CASE("atoms are listed, filtered and given as JSON") {
  CHECK(has(shell("tessera atoms").out, "SM70_8x8x4_F32F16F16F32_NT"));
  const Run json = shell("tessera atoms --filter sm70_8x8x4_f32f16f16f32_nt --json");
  const std::vector<test_json> atoms = lines_of(json.out);
  REQUIRE(atoms.size() == 1);
  CHECK(atoms[0]["kind"] == "mma_atom");
  CHECK(atoms[0]["shape_mnk"] == "(8,8,4)");
  CHECK(shell("tessera atoms --filter nothing_like_this").code == 1);
}

TEST_CASE("a GEMM is shown, simulated and emitted by name") {
  const Run show = shell("tessera gemm show article_gemm");
  INFO(show.err);
  CHECK(show.code == 0);
  std::size_t at = 0;  // by step, in the order of the story
  for (const char* step : {"problem:", "tensors:", "global -> shared:", "shared -> registers:", "multiply:", "store:"}) {
    INFO(step);
    at = show.out.find(std::string(step) + "\n", at);
    REQUIRE(at != std::string::npos);
  }
  CHECK(has(show.out, "(thr, (val, MMA_M, MMA_K)) -> element of the stage of sA"));
  CHECK(has(show.out, "(val, MMA_M, MMA_K) -> element of the stage of sA; thread 0's slice"));
  CHECK(has(show.out, "element of f16; 2176 bytes a stage, at byte 0"));
  const Run simulated = shell("tessera gemm simulate article_gemm");
  CHECK(simulated.code == 0);
  CHECK(simulated.out.rfind("SIMULATED", 0) == 0);
  CHECK(has(simulated.out, "CORRECT"));
  CHECK_FALSE(has(simulated.out, " us"));
  const Run emitted = shell("tessera gemm emit article_gemm");
  CHECK(has(emitted.out, "__global__"));
  CHECK(shell("tessera gemm emit article_gemm").out == emitted.out);
  CHECK(has(shell("tessera gemm emit article_gemm --standalone").out, "int main("));
  CHECK(shell("tessera gemm show no_such_gemm").code == 1);
  CHECK(shell("tessera gemm simulate tensor_gemm").code == 1);  // too large: refused, not begun
  CHECK(shell("tessera gemm simulate tensor_gemm --m 128 --n 256 --k 64").code == 0);
}

TEST_CASE("a GEMM without a GPU exits with 3, or is emulated when asked") {
  if (shell("tessera devices").code == 0) return;  // this machine has one; the gpu tests cover it
  CHECK(shell("tessera devices").code == 3);
  const Run run = shell("tessera gemm run article_gemm");
  CHECK(run.code == 3);
  CHECK(has(run.err, "simulate"));
  const Run emulated = shell("tessera gemm run article_gemm --emulate");
  CHECK(emulated.code == 0);
  CHECK(emulated.out.rfind("SIMULATED", 0) == 0);
}

TEST_CASE("a worker speaks the protocol, and refuses what is no GEMM") {
  const Run run = shell("tessera worker", "{\"v\":1,\"id\":5,\"op\":\"run\",\"spec\":\"(4,8):(8,1)\"}\nnonsense\n");
  CHECK(run.code == 0);
  const std::vector<test_json> events = lines_of(run.out);
  REQUIRE(events.size() >= 3);
  CHECK(events[0]["event"] == "hello");
  CHECK(events[0]["protocol"] == 1);
  CHECK(events.back()["event"] == "error");
}

TEST_CASE("a worker that dies or talks nonsense is reported by the command line") {
  for (const char* worker : {"true", "echo nonsense", "sh -c 'kill -SEGV \\$\\$'"}) {
    const Run run = shell("tessera gemm run article_gemm --timeout 2 --worker \"" + std::string(worker) + "\"");
    INFO(worker);
    CHECK(run.code == 1);
    CHECK_FALSE(run.err.empty());
  }
}

TEST_CASE("the tour writes every figure and says in its first line when there is no GPU") {
  const Run run = shell("tessera tour --out out; code=$?; ls out; exit $code");
  INFO(run.err);
  CHECK(run.code == 0);
  for (const char* file : {"who_owns.tex", "who_owns.svg", "volta_2x2.png", "article_gemm.pdf", "article_gemm.json", "gemm_report.txt"})
    CHECK(has(run.out, file));
  CHECK(has(run.out, "CORRECT"));
  if (shell("tessera devices").code != 0) CHECK(run.out.rfind("SIMULATED", 0) == 0);
  const Run again =
      shell("mkdir out; echo mine > out/who_owns.svg; tessera tour --out out > /dev/null; code=$?; cat out/who_owns.svg; exit $code");
  CHECK(again.code == 1);
  CHECK(again.out == "mine\n");
}

TEST_CASE("the tour runs its GEMMs on the device that the settings or the command line name") {
  const std::string document =
      "let mma = make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT, (2,2):(2,1))\nlet small = gemm(m=16, n=16, k=8, mma=mma)\n";
  const std::string worker =
      "echo '{\"event\":\"hello\",\"program\":\"fake\",\"protocol\":1}'; read -r line; printf '%s' \"$line\" > request\n";
  const std::string setup =
      "mkdir -p .config/tessera; echo '{\"worker\":\"sh ./worker.sh\",\"device\":3}' > .config/tessera/settings.json\n"
      "cat > worker.sh <<'END'\n" +
      worker + "END\ncat > a.tess <<'END'\n" + document + "END\n";
  CHECK(has(shell(setup + "tessera tour --document a.tess --out out > /dev/null; cat request").out, "\"device\":3"));
  CHECK(has(shell(setup + "tessera tour --document a.tess --out out --device 1 > /dev/null; cat request").out, "\"device\":1"));
}

TEST_CASE("an export never replaces a device, and a document that was cut off is used with a warning") {
  const Run run =
      shell("mkfifo pipe; cat pipe > got & tessera gemm emit article_gemm --out pipe --force; wait; [ -p pipe ] && grep -c __global__ got");
  CHECK(run.code == 0);
  CHECK(run.out == "1\n");
  const Run cut = shell("printf 'let a = (4,8):(8,1)\\nlet b = (4,' > cut.tess; tessera eval a --file cut.tess");
  CHECK(cut.code == 0);
  CHECK(has(cut.err, "cut.tess"));
  CHECK(has(cut.err, "\"b\" in line 2"));
  const Run last = shell("{ cat '" + kTour + "'; printf 'let last = gemm(m=64,'; } > cut.tess; tessera gemm show cut.tess");
  CHECK(last.code == 1);  // the last GEMM is not the one before it
  CHECK(has(last.err, "\"last\" in line"));
}

TEST_CASE("a document with a bad line gives what is asked for by name with a note, and everything else with an exit code") {
  const std::string setup = "printf 'let good = (4,8):(8,1)\\nbad 4\\nlet other = 4:1\\n' > a.tess; ";
  const Run eval = shell(setup + "tessera eval 'size(good)' --file a.tess");
  CHECK(eval.code == 0);
  CHECK(eval.out == "32\n");
  CHECK(has(eval.err, "a.tess:2: this line is neither a binding nor a comment: bad 4"));
  const Run named = shell(setup + "tessera draw a.tess --name good --to svg");
  CHECK(named.code == 0);
  CHECK(has(named.out, "<svg"));
  CHECK(has(named.err, "a.tess:2: "));
  const Run all = shell(setup + "tessera draw a.tess --to svg --out figures; code=$?; ls figures; exit $code");
  CHECK(all.code == 1);
  CHECK(has(all.out, "\ngood.svg\nother.svg\n"));
  CHECK(has(all.err, "2 | bad 4"));
  const Run last = shell("{ echo bad line; cat '" + kTour + "'; } > b.tess; tessera gemm show b.tess");
  CHECK(last.code == 1);
  CHECK(has(last.err, "b.tess:1: "));
  CHECK(shell("{ echo bad line; cat '" + kTour + "'; } > b.tess; tessera gemm show article_gemm --file b.tess").code == 0);
}

TEST_CASE("a GEMM that is too large to simulate, and a time that is none, are refused in words") {
  const Run large = shell("ulimit -v 8000000; tessera gemm simulate tensor_gemm --m 65536 --n 65536 --k 65536");
  CHECK(large.code == 1);
  CHECK(has(large.err, "more multiplications"));
  for (const char* seconds : {"1e30", "nan", "-1"}) {
    const Run timeout = shell(std::string("tessera gemm run article_gemm --worker 'sleep 9' --timeout=") + seconds);
    CHECK(timeout.code != 0);
    CHECK(has(timeout.err, "cannot be waited for"));
  }
}

TEST_CASE("an answer that breaks its law is given with a warning, beside the value and in JSON") {
  const Run run = shell("tessera eval 'logical_divide((5,5):(1,2), 6:4)'");
  CHECK(run.code == 0);
  CHECK(run.out == "((2,3),4):((4,2),1)\n");
  CHECK(has(run.err, "warning: breaks_law"));
  const Run batch = shell("tessera batch", "{\"id\":\"a\",\"expr\":\"logical_divide((5,5):(1,2), 6:4)\"}\n");
  CHECK(has(batch.out, "\"warnings\":[{\"code\":\"breaks_law\""));
  CHECK(shell("tessera eval 'logical_divide((4,8):(8,1), (2,4))'").err.empty());
}

TEST_CASE("a document is drawn whole or its refused bindings are named, and sizes that are none are refused") {
  const Run run = shell(
      "printf 'let bad = zzz(3)\\nlet ok = (4,8):(8,1)\\n' > d.tess; tessera draw d.tess --to svg --out figures; code=$?; ls figures; exit "
      "$code");
  CHECK(run.code == 1);
  CHECK(has(run.err, "zzz"));
  CHECK(has(run.out, "ok.svg"));
  for (const char* option : {"--cell -5", "--cell 0", "--cell nan", "--scale 0"})
    CHECK(shell(std::string("tessera draw '(4,8)' --to svg ") + option).code == 2);
}

TEST_CASE("a kernel that no block of the architecture can hold is not compiled for it") {
  const Run run = shell("tessera gemm compile tensor_gemm --arch sm_86");
  CHECK(run.code != 0);
  if (!has(run.err, "no_compiler")) CHECK(has(run.err, "too_much_smem"));
}

TEST_CASE("a document's parameters are set from outside, wherever it is read") {
  const std::string files =
      "printf 'param p = 0..32\nparam pad = 2 in 0..8  # why\nlet c = p\nlet q = (p+1,2):(1,pad+1)\n"
      "let g = gemm(m=128, n=128, k=pad*32, mma=make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1)), cta_tiler=(128,128,32))\n' > "
      "d.tess; "
      "printf '{\"expr\":\"c\"}\n' > b.jsonl; tessera ";
  const auto out = [&](const std::string& command) {
    const Run run = shell(files + command);
    INFO(command << ": " << run.err);
    CHECK(run.code == 0);
    return run.out;
  };
  CHECK(out("eval c --file d.tess --let p=17") == "17\n");
  CHECK(out("eval 'c + x' --file d.tess --let p=17 --let x=3") == "20\n");
  CHECK(has(out("eval d.tess --let p=17"), "c = 17\n"));
  CHECK(out("eval --fix 'coalsce(q)' --file d.tess --let pad=2 --let p=2") == "coalesce(q)\n6:1\n");
  CHECK(has(out("draw q --file d.tess --let p=2 --let pad=5 --to csv"), "2,8\n"));
  CHECK(has(out("draw d.tess --name q --let pad=5 --let p=2 --to csv"), "2,8\n"));
  CHECK(has(out("explain-cell q --at '(1,1)' --file d.tess --let p=2 --let pad=3"), "5"));
  CHECK(has(out("batch b.jsonl --file d.tess --let p=9"), "\"value\":\"9\""));
  CHECK(has(out("gemm show g --file d.tess --let pad=4"), "128 x 128 x 128"));
  CHECK(shell(files + "advise d.tess --let p=3").code == 0);
  CHECK(has(shell(files + "eval c --file d.tess --let p=47").err, "p is 47, outside of its range 0..32"));
  CHECK(has(shell(files + "draw d.tess --name q --let pp=4 --to csv").err,
            "the document has no parameter pp\n  note: its parameters: p, pad"));
  CHECK(has(shell(files + "draw '(2,2)' --let p=4 --to csv").err, "there is no document whose parameter it could be"));
}

TEST_CASE("no register is said to hold what an instruction reads by a descriptor") {
  for (const std::string figure : {"hierarchy_figure", "gemm_figure"}) {
    const std::string wgmma = shell("tessera draw '" + figure + "(rung(13,512,512,512))' --to svg --labels all").out;
    const std::string mma = shell("tessera draw '" + figure + "(rung(9,512,512,512))' --to svg").out;
    INFO(figure);
    CHECK_FALSE(wgmma.empty());
    CHECK_FALSE(has(wgmma, "in registers"));
    if (figure == "hierarchy_figure") CHECK(has(mma, "A in registers"));
    if (figure == "gemm_figure") CHECK(has(wgmma, "is read by a descriptor: no thread holds its elements"));
    if (figure == "gemm_figure") CHECK_FALSE(has(mma, "by a descriptor"));
  }
}

TEST_CASE("the program alone says what there is") {
  const Run alone = shell("tessera");
  CHECK(alone.code == 0);
  CHECK(alone.out == shell("tessera --help").out);
  CHECK(alone.err.empty());
}
