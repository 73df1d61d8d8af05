// SPDX-License-Identifier: BSD-3-Clause
// Files of figures that are drawn again: the same bytes, or a word why not.
#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

#include "core/render/shared/png_text.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/shell.hpp"

using namespace tessera::test;

namespace {

// $f: each format's file again, from that file and nothing else; says where a byte differs.
const std::string kAgain =
    "for f in svg pdf png tex json html; do mkdir again_$f && cp one.$f again_$f/one.$f && (cd again_$f && tessera draw one.$f --out "
    "two.$f) "
    "> out.log && cmp one.$f again_$f/two.$f || exit 1; done";

void check_round_trip(const std::string& setup, const std::string& draw) {
  const Run run = shell(setup + "\n" + "for f in svg pdf png tex json html; do tessera draw " + draw +
                        " --out one.$f > out.log || exit 1; done; rm -f *.tess; " + kAgain);
  INFO(draw << "\n" << run.out << run.err);
  CHECK(run.code == 0);
  CHECK(run.err.empty());
}

}  // namespace

TEST_CASE("a figure's file drawn again is the same file, in every format", "[source]") {
  check_round_trip("", "'(4,8):(8,1)'");
  check_round_trip("", "SM80_16x8x16_F32F16F16F32_TN --style print_latex --palette white");
  check_round_trip("", "SM70_8x8x4_F32F16F16F32_NN --style print_svg");
  check_round_trip("", "'(32,32):(32,1)' --width 84mm --labels all --title 'a \"title\" -- ]]> <&>' --dpi 300 --transparent");
  check_round_trip("", "'(4,8):(8,1)' --cell 17.3 --scale 1.1 --fragment --set color=bank --palette greys");
}

TEST_CASE("a figure of a document is drawn again without the document", "[source]") {
  const std::string document =
      "cat > d.tess <<'E'\nlet m = 4\nlet data = (m,8):(8,1)\nlet tv = ((2,4),(2,2)):((8,1),(4,16))\n"
      "let picture = tv_figure(tv, data, title=\"a -- ]]> <b> \xc3\xa9 \xe2\x86\x92\")\n"
      "let quoted = layout_figure(data,\n  title=\"-->\")\nE\n";
  check_round_trip(document, "d.tess --name picture");
  check_round_trip(document, "d.tess --name quoted");
  check_round_trip(document, "picture --file d.tess --set thread=3");
  check_round_trip(document, "'composition(data, m)' --file d.tess");
  check_round_trip(document + "echo 'let mine = (4,8):(1,4)' >> d.tess\n", "d.tess --name data --set color=mine");
  check_round_trip("cat > d.tess <<'E'\nauto n = Int<8>{};\nauto sA = make_layout(make_shape(Int<4>{}, n));\nn = Int<2>{};\nE\n",
                   "d.tess --name sA");
}

TEST_CASE("figures of a document are one page, which is drawn again whole and says what it leaves out", "[source][html]") {
  const std::string document =
      "cat > d.tess <<'E'\nlet data = (4,8):(8,1)\nlet tv = ((2,4),(2,2)):((8,1),(4,16))\nlet other = (3,5):(5,1)\n"
      "let picture = tv_figure(tv, data)\nE\n";
  const Run whole =
      shell(document +
            "tessera draw d.tess --to html --out d.html && mkdir again && cp d.html again && rm d.tess && cd again && tessera "
            "draw d.html --out e.html && cmp ../d.html e.html || tessera draw d.html --to html | cmp ../d.html - || exit 1\n"
            "tessera draw d.html --to svg --out pictures && ls pictures && grep -o '\"kin\":[^]]*]' d.html");
  INFO(whole.out << whole.err);
  CHECK(whole.code == 0);
  // Each of the four is drawn under its own name; data, tv and what is drawn of both are of one lineage, the other layout is of none.
  for (const char* file : {"data.svg", "tv.svg", "other.svg", "picture.svg"}) CHECK(has(whole.out, std::string(file) + "\n"));
  CHECK(has(whole.out, "\"kin\":[3]\n\"kin\":[3]\n\"kin\":[]\n\"kin\":[0,1]"));
  const Run bad = shell(
      "printf 'let data = (4,8):(8,1)\\nlet bad = (4,8):(8,\\nlet bits = layout_figure(data, color=7)\\n' > d.tess; "
      "tessera draw d.tess --to html --out d.html; echo $?; grep -c 'class=\"source\"' d.html");
  INFO(bad.out << bad.err);
  CHECK(has(bad.out, "\n1\n1\n"));  // refused, and what could be drawn is in the page
  const Run cut = shell("tessera draw '(4,8):(8,1)' --out d.html > out.log; head -c 9000 d.html > c.html; tessera draw c.html --to svg");
  CHECK(cut.code != 0);
  CHECK(has(cut.err, "c.html"));
}

TEST_CASE("what is asked for now wins over what the file says", "[source]") {
  const Run run = shell(
      "tessera draw '(4,8):(8,1)' --out a.svg --title one --set color=bank --cell 20\n"
      "tessera draw a.svg --title two --set color=row --out b.svg\n"
      "tessera draw '(4,8):(8,1)' --out c.svg --title two --set color=row --cell 20\n"
      "cmp b.svg c.svg && tessera draw a.svg > d.svg && cmp a.svg d.svg\n"
      "tessera draw a.svg --to tex,json --out folder && tessera draw folder/a.tex --to svg --out folder && cmp folder/a.svg a.svg\n"
      "tessera draw '(4,8):(8,1)' --scale 3 --out e.png && tessera draw e.png --dpi 144 --out f.png\n"
      "tessera draw '(4,8):(8,1)' --dpi 144 --out g.png && cmp f.png g.png");
  INFO(run.out << run.err);
  CHECK(run.code == 0);
}

TEST_CASE("--set color= sees the names of the document, whichever figure is drawn", "[source]") {
  const std::string document =
      "cat > d.tess <<'E'\nlet data = (4,8):(8,1)\nlet tv = ((2,4),(2,2)):((8,1),(4,16))\nlet picture = tv_figure(tv, data)\n"
      "let atom = SM80_16x8x8_F32F16F16F32_TN\nlet mine = (4,8):(1,4)\nlet C = (16,8):(1,16)\nlet thread = (4,8):(0,1)\nE\n";
  for (const std::string draw :
       {"d.tess --name picture", "d.tess --name data", "'zipped_divide(data, 4)' --file d.tess", "d.tess --name atom --figure tv_c"}) {
    const std::string name = has(draw, "atom") ? "C" : has(draw, "zipped") ? "'zipped_divide(mine, 4)'" : "mine";
    const Run run = shell(document + "tessera draw " + draw + " --to json --set color=" + name);
    INFO(draw << "\n" << run.err);
    CHECK(run.code == 0);
    CHECK(has(run.out, "colour: the value of "));
  }
  // The figure's own words stay words, others are refused by the figure, and a file sees the lines that it carries.
  CHECK_FALSE(has(shell(document + "tessera draw d.tess --name picture --to json --set color=thread").out, "colour: the value of "));
  CHECK(shell(document + "tessera draw d.tess --name picture --to json --set color=none_such").code != 0);
  CHECK(has(shell(document + "tessera draw d.tess --name picture --out a.svg; tessera draw a.svg --set color=data --to json").out,
            "colour: the value of (4,8):(8,1)"));
}

TEST_CASE("--set color= with a name whose own line is refused says that line's error", "[source]") {
  const std::string document =
      "cat > d.tess <<'E'\nlet data = (4,8):(8,1)\nlet bad = (4,8):(8)\nlet worse = coalesce(bad)\nlet row = (4,8):(8)\nE\n";
  for (const std::string name : {"bad", "'coalesce(bad)'", "worse"}) {
    for (const std::string draw : {"d.tess --name data", "'(4,8):(8,1)' --file d.tess"}) {
      const Run run = shell(document + "tessera draw " + draw + " --to json --set color=" + name);
      INFO(draw << " " << name << "\n" << run.err);
      CHECK(run.code == 1);
      CHECK(has(run.err, name == "worse" ? "worse has no value: its own line is refused" : "bad has no value: its own line is refused"));
      CHECK(has(run.err, "shape (4,8) and stride (8) are not congruent"));
      CHECK_FALSE(has(run.err, "choices"));
    }
  }
  CHECK(shell(document + "tessera draw d.tess --name data --to json --set color=row").code == 0);  // the figure's own word
}

TEST_CASE("a file that has no source, or no whole one, is refused with what to try", "[source]") {
  for (const auto& [setup, words] :
       {std::pair<std::string, std::string>{"tessera draw '(4,8)' --out a.svg; sed -i 's/\"version\"/\"Version\"/' a.svg", "was changed"},
        {"tessera draw '(4,8)' --out b.svg; head -c 320 b.svg > a.svg", "is cut off"},
        {"tessera draw '(4,8)' --out b.svg; sed '/<metadata>/d' b.svg > a.svg", "carries no source"},
        {"echo '<svg/>' > a.svg", "carries no source"},
        {"mkdir a.svg", "folder"},
        {"truncate -s 65M a.svg", "limit"},
        {"true", "a.svg"}}) {
    const Run run = shell("{ " + setup + "; } > log; tessera draw a.svg --out new.svg; code=$?; test ! -e new.svg && exit $code");
    INFO(setup << "\n" << run.err);
    CHECK(run.code == 1);
    CHECK(has(run.err, words));
  }
  CHECK(has(shell("tessera draw '(4,8)' --out a.svg; tessera draw a.svg --file d.tess").err, "--file"));
}

TEST_CASE("a PNG of before has its expression", "[source]") {
  std::string png("\x89PNG\r\n\x1a\n", 8);
  png += std::string("\0\0\0\x0dIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0\x90\x77\x53\xde", 25);
  png += std::string("\0\0\0\0IEND\xae\x42\x60\x82", 12);
  const Run run = shell("cat > b.png; tessera draw b.png --to svg > b.svg && tessera draw '(4,8):(8,1)' --to svg | cmp - b.svg",
                        tessera::with_png_text(png, "tessera", "(4,8):(8,1)"));
  INFO(run.out << run.err);
  CHECK(run.code == 0);
}

TEST_CASE("dots an inch are another way to say the scale, and both at once are refused") {
  const Run same = shell("tessera draw '(4,8)' --dpi 216 --out a.png && tessera draw '(4,8)' --scale 3 --out b.png && cmp a.png b.png");
  CHECK(same.code == 0);
  const Run both = shell("tessera draw '(4,8)' --dpi 216 --scale 3 --out a.png");
  CHECK(both.code == 2);
  CHECK(has(both.err, "give one of the two"));
  for (const char* dpi : {"0", "-1", "nan", "5000"})
    CHECK(shell(std::string("tessera draw '(4,8)' --dpi ") + dpi + " --out a.png").code == 2);
}

TEST_CASE("a picture does not depend on the machine's fonts") {
  const Run run = shell(
      "tessera draw SM80_16x8x16_F32F16F16F32_TN --out a.png && tessera draw SM80_16x8x16_F32F16F16F32_TN --out a.pdf\n"
      "export FONTCONFIG_FILE=/dev/null FONTCONFIG_PATH=/nowhere\n"
      "tessera draw SM80_16x8x16_F32F16F16F32_TN --out b.png && tessera draw SM80_16x8x16_F32F16F16F32_TN --out b.pdf\n"
      "cmp a.png b.png && cmp a.pdf b.pdf");
  INFO(run.err);
  CHECK(run.code == 0);
}

TEST_CASE("figures of a document are drawn side by side and told of in the document's order") {
  std::string document;
  for (int i = 0; i < 24; ++i) {
    const std::string n = std::to_string(i), m = std::to_string(i == 0 ? 200 : 24 - i);  // the first takes longer than all others
    document += i % 5 == 3 ? "let bad" + n + " = missing" + n + "\n" : "let f" + n + " = (" + m + "," + m + ")\n";
    if (i % 5 != 3) document += "let g" + n + " = make_layout(f" + n + ")\n";
  }
  const Run run = shell("cat > d.tess; tessera draw d.tess --to png,svg --out o; code=$?; ls o | wc -l; exit $code", document);
  CHECK(run.code == 1);
  std::size_t out = 0, err = 0;
  for (int i = 0; i < 24; ++i) {
    const std::string n = std::to_string(i);
    if (i % 5 == 3) {
      const std::size_t at = run.err.find("bad" + n + ":");
      INFO(run.err);
      REQUIRE((at != std::string::npos && at >= err));
      err = at;
      continue;
    }
    for (const char* format : {".png", ".svg"}) {
      const std::size_t at = run.out.find("/g" + n + format);
      INFO(run.out);
      REQUIRE((at != std::string::npos && at >= out));
      out = at;
    }
  }
  CHECK(run.err.find('\r') == std::string::npos);  // progress is for terminals
  CHECK(has(run.out, "\n38\n"));
  // The same files as one by one.
  const Run alone = shell(
      "cat > d.tess; tessera draw d.tess --to png --out o > log 2>&1; for n in 0 1 7 22; do tessera draw d.tess --name g$n --out g$n.png > "
      "log && "
      "cmp g$n.png o/g$n.png || exit 1; done",
      document);
  INFO(alone.err);
  CHECK(alone.code == 0);
}

TEST_CASE("a tile's shape is written as the language writes it, or as people do, and each way out says which") {
  const std::string tv = "((2,4),(2,2)):((8,1),(4,16))";
  const auto body = [](const std::string& csv) { return csv.substr(csv.find("\n# tile")); };
  const Run set = shell("tessera draw 'tv_figure(" + tv + ")' --set tile=4x8 --to csv");
  REQUIRE(set.code == 0);
  for (const std::string& command :
       {"tessera draw 'tv_figure(" + tv + ", tile=(4,8))' --to csv", "tessera draw 'tv_figure(" + tv + ")' --set 'tile=(4, 8)' --to csv",
        "tessera draw 'tv_figure(" + tv + ", tile=\"4x8\")' --to csv"}) {
    const Run run = shell(command);
    INFO(command << "\n" << run.err);
    REQUIRE(run.code == 0);
    CHECK(body(run.out) == body(set.out));
  }
  for (const char* wrong : {"4", "(4)", "(4,8", "4,8", "(4,8,1)", "(0,8)", "4x", "()"}) {
    const Run run = shell("tessera draw 'tv_figure(" + tv + ")' --set 'tile=" + wrong + "' --to csv");
    INFO(wrong << "\n" << run.err);
    CHECK(run.code == 1);
    CHECK(has(run.err, "write tile=(4,8)"));
  }
  CHECK(has(shell("tessera draw --list").out, "(4,8)"));
  CHECK_FALSE(has(shell("tessera draw --list").out, "4x8"));
}

TEST_CASE("the head of a .tex names a macro of cells where the picture calls it, and no other") {
  for (const std::string what : {"(4,8):(8,1)", "chart_figure(table(m=(64,128), us=(3.5,5.1)))",
                                 "roofline_figure(roofline((4096,4096,4096)))", "SM80_16x8x16_F32F16F16F32_TN", "(64,64):(64,1)"}) {
    const Run run = shell("tessera draw '" + what + "' --to tex");
    INFO(what << "\n" << run.err);
    REQUIRE(run.code == 0);
    const std::size_t picture = run.out.find("\\path[use as bounding box]");
    REQUIRE(picture != std::string::npos);
    std::string called = run.out.substr(picture);
    called = called.substr(called.find("\n\\tesseraColor"));  // behind the definitions
    CHECK(has(run.out, "%   \\tesseraRow{x}{y}") == has(called, "\n\\tesseraRow{"));
    CHECK(has(run.out, "%   \\tesseraCell{8}") == has(called, "\n\\tesseraRow{"));
  }
}

TEST_CASE("names and titles of five thousand letters make lines that TeX reads") {
  const std::string name(5000, 'a'), title(5000, 't');
  const Run run = shell("cat > a.tess; tessera draw a.tess --name pic --to tex",
                        "let " + name + " = (4,8):(8,1)\nlet pic = layout_figure(" + name + ", title=\"" + title + "\")\n");
  REQUIRE(run.code == 0);
  std::size_t longest = 0, letters = 0;  // of lines of the picture, and of control sequences
  for (std::size_t at = 0; at < run.out.size();) {
    const std::size_t end = std::min(run.out.find('\n', at), run.out.size());
    const std::string line = run.out.substr(at, end - at);
    at = end + 1;
    if (line.starts_with("% tessera: ")) {
      CHECK(line.size() < 200'000);  // at which TeX ends
      continue;
    }
    longest = std::max(longest, line.size());
    for (std::size_t slash = line.find('\\'); slash != std::string::npos; slash = line.find('\\', slash + 1)) {
      std::size_t word = slash + 1;
      while (word < line.size() && std::isalpha(static_cast<unsigned char>(line[word])) != 0) ++word;
      letters = std::max(letters, word - slash);
    }
  }
  CHECK(longest < 1000);
  CHECK(letters < 40);
}
