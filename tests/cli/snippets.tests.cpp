// SPDX-License-Identifier: BSD-3-Clause
// Texts of many statements on the command line: where they come from, the values that are given for their names, and what is said of them.
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera::test;

TEST_CASE("a value that is given is needed, named once, and given as one") {
  struct Case {
    std::string_view given, says;
    int code;
  };
  const Case cases[] = {
      {"--let 1x=4", "cannot be a name", 2},
      {"--let 'b M=4'", "cannot be a name", 2},
      {"--let bM=4 --let bM=5", "bM is given twice", 2},
      {"--let 'bM=4;bN=3'", "write --let bM=4 --let bN=3", 2},
      {"--let bM=", "the value is missing", 2},
      {"--let bM=4 --let bN=3", "--let bN: nothing needs this name", 0},
      {"--let bM=4 --let x=3", "--let x is not used: line 1 gives x its value", 0},
  };
  for (const Case& each : cases) {
    const Run run = shell(fmt::format("printf 'auto x = make_layout(bM);\\n' | tessera eval - {}", each.given));
    INFO(each.given << "\n" << run.err);
    CHECK(run.code == each.code);
    CHECK(has(run.err, std::string(each.says)));
  }
}

TEST_CASE("a source file is read as statements, and explain is named for what stands inside of functions") {
  const Run run = shell("printf 'auto x = 4;\\n__global__ void k() { }\\n' > x.cu; tessera eval x.cu; rm x.cu");
  CHECK(has(run.out, "x = 4\n"));
  CHECK(has(run.err, "tessera explain x.cu reads inside of functions"));
  CHECK(has(shell("printf 'auto x = 4;\\n__global__ void k() { }\\n' | tessera eval -").err,
            "tessera explain FILE reads inside of functions"));
  for (const std::string_view file : {"nowhere.tess", "nowhere.cu", "nowhere.py"}) {
    const Run missing = shell(fmt::format("tessera eval {}", file));
    CHECK(missing.code == 1);
    CHECK(has(missing.err, fmt::format("there is no file {}", file)));
  }
}

TEST_CASE("print() of a tiled MMA shows its expression and CuTe's lines, and a name that is bound shows none") {
  const Run run =
      shell("printf 'auto m = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{});\\nprint(m);\\nprint(Layout<_4>{});\\n' | tessera eval -");
  CHECK(run.code == 0);
  CHECK(run.out ==
        "m = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (1,1,1):(0,0,0), (_,_,_))\n"
        "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (1,1,1):(0,0,0), (_,_,_))\n"
        "TiledMMA\n"
        "  ThrLayoutVMNK:  (_32,_1,_1,_1):(_1,_0,_0,_0)\n"
        "  PermutationMNK: (_,_,_)\n"
        "MMA_Atom\n"
        "  ThrID:      _32:_1\n"
        "  Shape_MNK:  (_16,_8,_16)\n"
        "  LayoutA_TV: ((_4,_8),(_2,_2,_2)):((_32,_1),(_16,_8,_128))\n"
        "  LayoutB_TV: ((_4,_8),(_2,_2)):((_16,_1),(_8,_64))\n"
        "  LayoutC_TV: ((_4,_8),(_2,_2)):((_32,_1),(_16,_8))\n"
        "4:1\n");
}

TEST_CASE("explain reads stdin, and says what it looked for where it finds nothing") {
  CHECK(has(shell("printf 'auto x = make_layout(4);\\n' | tessera explain -").out, "4:1"));
  CHECK(has(shell("printf 'int x = 4;\\n' | tessera explain -").out, "looked for statements"));
  const Run binary = shell("printf 'a\\0b' | tessera explain -");
  CHECK(binary.code == 1);
  CHECK(has(binary.err, "is no text"));
}

TEST_CASE("advise reads documents and sources, the worst first, and says on what its findings rest") {
  const std::string source =
      "auto mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2,_2>>{},\\n"
      "    Tile<_32, Layout<Shape<_2,_4,_2,_4>,Stride<_1,_8,_0,_2>>, _16>{});\\n";
  const Run bad = shell("printf '" + source + "' > k.cu; tessera advise k.cu; rm k.cu");
  CHECK(bad.code == 0);
  CHECK(has(bad.out, "wrong  make_tiled_mma: 2048 of the 2048 elements of C are held up to 2 times"));
  CHECK(has(bad.out, "1 finding in 1 binding\n"));
  // What rests on a guess is no finding. explain says the same of the line, with the same condition.
  const std::string of_type =
      "printf 'auto copyA = make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<TA>, TA>{}, Layout<Shape<_32,_8>,Stride<_8,_1>>{});\\n"
      "auto sA = make_layout(make_shape(_128{}, _8{}), make_stride(_1{}, Int<129>{}));\\n' | tessera ";
  const Run guessed = shell(of_type + "advise -");
  CHECK(guessed.out.starts_with("0 findings in 2 bindings\nno findings, since they rest on guesses"));
  CHECK(has(guessed.out, "slow x4  copyA on sA: cp.async of 4 bytes"));
  CHECK(has(guessed.out, "if TA is float"));
  CHECK(has(shell(of_type + "explain -").out, "! if TA is float: copyA on sA: cp.async of 4 bytes"));
  const Run given = shell(of_type + "advise - --let TA=float");
  CHECK(has(given.out, "slow x4  copyA on sA"));
  CHECK(has(given.out, "1 finding in 2 bindings"));
  CHECK_FALSE(has(given.out, "guess"));
  CHECK(has(shell(of_type + "explain - --let TA=float").out, "! copyA on sA: cp.async of 4 bytes"));
  const std::string effect =
      "printf 'auto a = make_tensor<float>(Shape<_8>{});\\nauto b = make_tensor<float>(Shape<_4>{});\\ncopy(a, b);\\n' | tessera ";
  CHECK(has(shell(effect + "advise -").out, "3  copy  wrong"));
  CHECK(has(shell(effect + "explain -").out, "line 3: ! copy: the source (8) has 8 elements, and the destination (4) has 4"));
  CHECK(has(shell(effect + "explain - --json").out, "\"remarks\":[{\"line\":3"));
  CHECK(has(shell(of_type + "advise - --json").out, "\"if\": ["));
  const Run json = shell("printf 'let sA = (8,8):(1,4)\\nlet x = size(y)\\n' > d.tess; tessera advise d.tess --json; rm d.tess");
  CHECK(has(json.out, "\"weight\": \"wrong\""));
  CHECK(has(json.out, "both at 4"));
  CHECK(has(json.out, "\"line\": 2"));
  CHECK(shell("tessera advise nowhere.tess").code == 1);
  CHECK(shell("printf 'let a = 4\\n' > d.tess; tessera advise d.tess --let b=3").code == 1);
  CHECK(has(shell("printf 'x' | tessera advise - --device abacus").err, "known are"));
  CHECK(shell("printf 'a\\0b' | tessera advise -").code == 1);
}

TEST_CASE("a document names colours of its own, and draws with them") {
  const std::string document =
      "printf 'let mine = \"#0072b2,#e69f00\"\\nlet f = layout_figure((2,1):(1,2), color=row, palette=mine)  # #fff\\n"
      "let wrong = layout_figure((2,1):(1,2), palette=\"#0072b2,#e69f0g\")\\n' > d.tess; ";
  const Run drawn = shell(document + "tessera draw d.tess --name f --to svg");
  CHECK(has(drawn.out, "#0072b2"));
  CHECK(has(drawn.out, "#e69f00"));
  CHECK(has(shell(document + "tessera draw d.tess --name f --palette '#123 #d55e00' --to svg").out, "#112233"));
  const Run wrong = shell(document + "tessera draw d.tess --name wrong --to svg");
  CHECK(wrong.code != 0);
  CHECK(has(wrong.err, "'#e69f0g' is not a colour"));
}

TEST_CASE("draw lists figures and what a document would draw, and takes several names") {
  const std::string document = "printf 'let a = (4,8):(8,1)\\nlet f = layout_figure(a)\\nlet n = 4\\n' > d.tess; ";
  const Run kinds = shell("tessera draw --list");
  CHECK(has(kinds.out, "hier_coordinate"));
  CHECK(has(kinds.out, "okabe_ito    Okabe and Ito's eight"));
  const Run all = shell(document + "tessera draw d.tess --list"), figures = shell(document + "tessera draw d.tess --list --figures-only");
  CHECK(has(all.out, "a  layout  (4,8):(8,1)"));
  CHECK(has(all.out, "f  figure"));
  CHECK_FALSE(has(figures.out, "a  layout"));
  CHECK(has(shell(document + "tessera draw d.tess --name f,a --to txt --out o && ls o").out, "a.txt\nf.txt"));
  CHECK(has(shell(document + "tessera draw d.tess --name f,z --to txt --out o").err, "no binding \"z\""));
  CHECK(shell("tessera draw").code == 2);
  CHECK(shell("tessera draw '(4,8):(8,1)' --width 3px --to svg").code == 2);
  const Run narrow = shell("tessera draw '(64,64):(64,1)' --width columnwidth --to svg");
  CHECK(has(narrow.err, "4096 labels would be"));
  CHECK(has(narrow.out, "enlarged: rows 0-15"));
  CHECK_FALSE(has(shell("tessera draw '(64,64):(64,1)' --width columnwidth --labels all --to svg").err, "labels would be"));
  CHECK(shell("tessera draw '(4,8):(8,1)' --style print_layout --to svg").code == 2);
  CHECK(shell("tessera draw 'sweep(p*p, p=1..3)' --to csv").out == "p,value\n1,1\n2,4\n3,9\n");
  CHECK(has(shell("tessera draw 'sweep(p*p, p=1..3)' --to md").out, "| 2 | 4 |"));
  CHECK(has(shell("tessera draw 'waves(4096,4096,(128,128),132)' --to csv").out, "tiles,1024"));
}
