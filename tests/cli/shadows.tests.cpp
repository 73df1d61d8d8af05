// SPDX-License-Identifier: BSD-3-Clause
// A document of others beside expressions of one's own: names of the language that it takes are said, or refused. And --let where no
// document is read.
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera::test;

namespace {

// One of each: our own lines and pasted ones, a function, a constant, an atom, a figure, several at once, and names that mean nothing.
const std::string kTaking =
    "printf 'let size = 3\\nlet composition(a, b) = a\\nlet x, rank = (1, 2)\\nauto cosize = make_layout(3);\\ncoalesce = 5\\n"
    "let LayoutLeft = LayoutRight\\nlet SM80_16x8x16_F32F16F16F32_TN = 4:1\\nlet tv_figure(a, b) = a\\nlet bank_chart_figure = 4:1\\n"
    "let tile = 4\\n' > a.tess; ";

std::string request(std::string_view expression) { return fmt::format("{{\"id\":1,\"expr\":\"{}\"}}\n", expression); }

}  // namespace

TEST_CASE("an answer of a batch says which of the language's names its expression met in the document") {
  struct Case {
    std::string_view expression, shadows;  // as JSON; empty: none
  };
  const Case cases[] = {
      {"size((4,8))", "[\"size\"]"},
      {"composition((4,8):(8,1), 4:1)", "[\"composition\"]"},
      {"rank + cosize", "[\"cosize\",\"rank\"]"},
      {"coalesce", "[\"coalesce\"]"},
      {"make_layout((4,8), LayoutLeft)", "[\"LayoutLeft\"]"},
      {"SM80_16x8x16_F32F16F16F32_TN", "[\"SM80_16x8x16_F32F16F16F32_TN\"]"},
      {"tv_figure(4:1, 4:1)", "[\"tv_figure\"]"},
      {"cute::size((4,8))", ""},
      {"cute.size((4,8)) + tile", ""},
      {"bank_chart_figure", ""},
      {"depth((4,8))", ""},
  };
  for (const Case& each : cases) {
    const Run run = shell(kTaking + "tessera batch --file a.tess", request(each.expression));
    INFO(each.expression << "\n" << run.out << run.err);
    CHECK(run.code == 0);
    if (each.shadows.empty())
      CHECK_FALSE(has(run.out, "shadows"));
    else
      CHECK(has(run.out, fmt::format(",\"shadows\":{}}}\n", each.shadows)));
    CHECK(has(run.err,
              "a.tess: warning: it takes LayoutLeft, SM80_16x8x16_F32F16F16F32_TN, coalesce, composition, cosize, rank, size, "
              "tv_figure for itself"));
  }
  const Run honest = shell("printf 'let tile = 4\\n' > a.tess; tessera batch --file a.tess", request("size(tile)"));
  CHECK(honest.err.empty());
}

TEST_CASE("a name that a document's line has lost means the language's own again, and is no shadow") {
  const Run run = shell("printf 'let size = (4,0):(1,1)\\n' > a.tess; tessera batch --file a.tess", request("size((4,8))"));
  CHECK(has(run.out, "\"value\":\"32\"}\n"));
}

TEST_CASE("--closed refuses a document that takes a name, before any line is answered") {
  const std::string batch = kTaking + "tessera batch --file a.tess --closed ";
  struct Case {
    std::string_view names, says;
    int code;
  };
  const Case cases[] = {
      {"", "a.tess:1: this line takes the name size, which is closed", 1},
      {"rank", "a.tess:3: this line takes the name rank", 1},
      {"tile cosize", "a.tess:4: this line takes the name cosize", 1},
      {"tile", "a.tess:10: this line takes the name tile", 1},
      {"depth complement", "warning: it takes", 0},
      {"lines.json", "--closed lines.json: no document can take that name", 2},
  };
  for (const Case& each : cases) {
    const Run run = shell(batch + std::string(each.names), request("depth((4,8))"));
    INFO(each.names << "\n" << run.out << run.err);
    CHECK(run.code == each.code);
    CHECK(has(run.err, std::string(each.says)));
    CHECK(run.out.empty() == (each.code != 0));
  }
  // What is passed over may assign a name, too.
  const std::string loop = "printf 'for i in range(3):\\n  size = i\\n' > a.tess; tessera batch --file a.tess --closed";
  CHECK(has(shell(loop, request("4")).err, "takes the name size"));
  CHECK(shell("printf 'let tile = 4\\n' > a.tess; tessera batch --file a.tess --closed", request("size(tile)")).code == 0);
  CHECK(shell("tessera batch --closed", request("4")).code == 2);
}

TEST_CASE("eval, explain and advise warn of a name of the language that a document's line takes") {
  const Run eval = shell(kTaking + "tessera eval a.tess");
  for (const char* name : {"the function size", "the function composition", "the function rank", "what the language calls LayoutLeft",
                           "what the language calls SM80_16x8x16_F32F16F16F32_TN", "the function tv_figure"}) {
    INFO(name << "\n" << eval.err);
    CHECK(has(eval.err, fmt::format("warning: already_exists: this binding hides {}", name)));
  }
  CHECK_FALSE(has(eval.err, "bank_chart_figure"));
  CHECK_FALSE(has(eval.err, "hides the function tile"));
  CHECK(has(shell(kTaking + "tessera eval 'size + 1' --file a.tess").err,
            "size is what a.tess binds here, and no longer the language's own"));
  CHECK(shell(kTaking + "tessera eval 'cute::size((4,8))' --file a.tess").err.empty());
  CHECK(has(shell(kTaking + "tessera explain a.tess").out, "line 1: ! this binding hides the function size"));
  CHECK(has(shell(kTaking + "tessera advise a.tess").out, "this binding hides the function size"));
}

TEST_CASE("--let is refused where nothing is read that it could be of") {
  const std::string figure = "tessera draw '(4,8):(8,1)' --out f.svg > /dev/null; ";
  const std::string gemm = "'gemm(m=16, n=8, k=16, mma=SM80_16x8x16_F32F16F16F32_TN)'";
  for (const std::string& command :
       {std::string("tessera batch --let x=3"), "tessera gemm show " + gemm + " --let x=3", "tessera gemm simulate " + gemm + " --let x=3",
        std::string("tessera draw '4:1' --to csv --let x=3"), figure + "tessera draw f.svg --out g.svg --let x=3",
        std::string("tessera explain-cell 4:1 --at 2 --let x=3"), std::string("tessera eval --fix 'size(x)' --let x=3")}) {
    const Run run = shell(command, request("4"));
    INFO(command << "\n" << run.out << run.err);
    CHECK(run.code != 0);
    CHECK(run.out.empty());
    CHECK(has(run.err, "--let x"));
  }
  // Of a snippet it is a name's value, and a name that is not needed is said, with --json too.
  CHECK(shell("tessera eval 'x + 1' --let x=3").out == "4\n");
  CHECK(has(shell("tessera eval '4' --json --let x=3").err, "--let x: nothing needs this name"));
}
