// SPDX-License-Identifier: BSD-3-Clause
// What programs print of CuTe's objects is read back: tensors, tables, MMAs, copies and logs of them.
#include <string>
#include <string_view>
#include <vector>

#include "core/lang/prints/prints.hpp"
#include "core/lang/programs/evaluate.hpp"
#include "core/lang/values/convert.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

// "name = value" of every object, in order; of one without a value, "name: " and the refusal.
std::vector<std::string> read(std::string_view text, const Scope& scope = {}) {
  std::vector<std::string> made;
  const Result<std::vector<Pasted>> pasted = read_paste(text, scope);
  if (!pasted) return {"nothing"};
  for (const Pasted& each : *pasted) {
    made.push_back(each.value ? each.name + " = " + to_string(*each.value) : each.name + ": " + each.value.error().message);
  }
  return made;
}

std::string evaluated(std::string_view text, std::vector<Error>* warnings = nullptr) {
  const Result<Value> value = evaluate(text, {}, warnings);
  return value ? to_string(*value) : "refused: " + value.error().message;
}

using Strings = std::vector<std::string>;

}  // namespace

TEST_CASE("A printed tensor is its layout, whatever its pointer is") {
  const std::string_view pointers[] = {"ptr[16b](0x7fff48929460)",
                                       "gmem_ptr[16b](0x7f42efc00000)",
                                       "smem_ptr[16b](unset)",
                                       "rmem_ptr[16b]((nil))",
                                       "tmem_[16b](0x0000.0000)",
                                       "subptr[16b](0x7f42.3)",
                                       "smem_sparse<2>_ptr[16b](unset)",
                                       "gmem_ptr[16b](GMEM_ADDR_A + offset_for_mma_tile)",
                                       "gmem_ptr_16b(0x7f42efc00000)",
                                       "raw_ptr_16b(0x7f42efc00000)",
                                       "ptr[16b]"};
  for (const std::string_view pointer : pointers) {
    const std::string text = std::string(pointer) + " o (_4,8):(_8,_1)";
    INFO(text);
    const Result<Value> alone = evaluate(text), named = evaluate("tCrA  : " + text);
    REQUIRE(alone);
    REQUIRE(named);
    CHECK(to_string(*alone) == "(4,8):(8,1)");
    CHECK(to_string(*named) == "(4,8):(8,1)");
    CHECK(alone->element.bits == 16);
    CHECK(named->element.bits == 16);
  }
  CHECK(evaluated("counting_iter(42) o (4,5):(_1,4)") == "(4,5):(1,4)");
  CHECK(evaluated("tCrA: GMMA::DescriptorIterator o (_1,_2,_4):(_0,_64,_256)") == "(1,2,4):(0,64,256)");
  CHECK(evaluated("mA:\tArithTuple(_0,_0) o (512,256):(_1@1,_1@0)") == "(512,256):(1@1,1@0)");
}

TEST_CASE("The swizzle of a printed pointer acts on bytes, and the layout counts elements") {
  CHECK(evaluated("tCsA: Sw<3,4,3>_smem_ptr[16b](0x7f8800000400) o ((_64,_8),_2):((_1,_64),_512)") ==
        "Sw<3,3,3> o 0 o ((64,8),2):((1,64),512)");
  CHECK(evaluated("sB: Sw<3,4,3>_smem_ptr[32b](0x7f88) o (_8,_32):(_32,_1)") == "Sw<3,2,3> o 0 o (8,32):(32,1)");
  CHECK(evaluated("tensor<ptr<bf16, smem, align<1024>, S<3,4,3>> o (64,16):(64,1)>") == "Sw<3,3,3> o 0 o (64,16):(64,1)");
  // Older versions print the swizzle with the layout, in elements.
  CHECK(evaluated("bSG_sD\nsmem_ptr[16b](0x7f8f) o Sw<3,3,3> o _0 o (_64,_8):(_1,_64)") == "Sw<3,3,3> o 0 o (64,8):(1,64)");
}

TEST_CASE("Each line of a log binds the name that stands before its object") {
  CHECK(read("s8        :  _8:_1\ns2xd4_a   :  (_2,4):(_12,_1)\n") == Strings{"s8 = 8:1", "s2xd4_a = (2,4):(12,1)"});
  CHECK(read("[block (0,0,0), thread (0,0,0)]: sA layout : (_128,8):(_1,_128)\nmA.layout() = ptr[8b](0x1) o (_8,_4):(_4,_1)\ndone\n") ==
        Strings{"sA_layout = (128,8):(1,128)", "mA_layout = (8,4):(4,1)"});
  CHECK(read("tAgA\nptr[16b](0x1) o (4,2):(1,4)\ntAsA:\nptr[16b](0x1) o (2,2):(1,2)") ==
        Strings{"tAgA = (4,2):(1,4)", "tAsA = (2,2):(1,2)"});
  CHECK(read(">>> Blocked Product Result: (2,3):(5,10)\n>>> Size of it: 6") == Strings{"Blocked_Product_Result = (2,3):(5,10)"});
  CHECK(read("thr: (4,64):(64,1), val: (16,4):(4,1)") == Strings{"thr = (4,64):(64,1)", "val = (16,4):(4,1)"});
  CHECK(read("--t--((_32,_4),_16):((_64,_2048),_1)\nSmemLayoutSFB{}: (_4,_2):(_0,_1)") ==
        Strings{"t = ((32,4),16):((64,2048),1)", "SmemLayoutSFB = (4,2):(0,1)"});
  CHECK(read("tA = (32,8):(1,32)\ntB = \"(16,4):(4,1)\"\n") == Strings{"tA = (32,8):(1,32)", "tB = (16,4):(4,1)"});
  // Wrapped behind the `o`, in a comment, and as browsers escape it.
  CHECK(read("// tCsA: Sw&lt;3,4,3&gt;_smem_ptr[16b](0x7f88) o\n//     (_64,_8):(_1,_64)") ==
        Strings{"tCsA = Sw<3,3,3> o 0 o (64,8):(1,64)"});
  CHECK(evaluated("s8 : _8:_1\ns4 : _4:_2\n") == "4:2");  // the last is the answer
}

TEST_CASE("CuTe DSL's prints are read") {
  CHECK(evaluated("tensor<ptr<f16, gmem, align<16>> o (128,64):(64,1)>") == "(128,64):(64,1)");
  CHECK(evaluated("tensor(raw_ptr(0x000000000a5f1d50: f32, generic, align<4>) o (4,3,2):(6,2,1), data=\n       [[[ 0.000000,  2.0") ==
        "(4,3,2):(6,2,1)");
  CHECK(evaluated("tensor(raw_ptr(0x0a8: f32, rmem, align<4>) o (4):(3), data= (\n\t(0,0)= 0.0\n\t(0,1)= 1.0\n)") == "(4):(3)");
  CHECK(evaluated("tensor<(0,0) o (128,64):(1@1,1@0)>") == "(128,64):(1@1,1@0)");
  CHECK(evaluated("a_vec: tensor_value<vector<12xf32> o (3, 4)>") == "(3,4)");
  CHECK(evaluated("Tensor<Float16, (128,64), (64,1)>") == "(128,64):(64,1)");
  const auto bits = evaluate("tensor<ptr<f8E4M3FN, smem> o (128,64):(64,1)>");
  REQUIRE(bits);
  CHECK(bits->element.bits == 8);
}

TEST_CASE("A number that is known only at run time is asked for by its place") {
  const Result<Value> refused = evaluate("tensor<ptr<f16, gmem> o (?{div=8},64):(64,?)>");
  REQUIRE(!refused);
  CHECK(refused.error().message.find("shape[0] (a multiple of 8), stride[1]") != std::string::npos);
  CHECK(evaluated(">>> Original: (2,(1,6)):(1,(?,2))").find("stride[1][0]") != std::string::npos);
  CHECK(evaluated("gA: gmem_ptr[16b](0x1) o (_128,K / BLK_K):(2048,_64)").find("shape[1] (it is K / BLK_K)") != std::string::npos);
  // It keeps no other line from its value.
  std::vector<Error> warnings;
  CHECK(evaluated(">>> A: (6,2):(?,2)\n>?? A: (6,2):(8,2)", &warnings) == "(6,2):(8,2)");
  CHECK(warnings.size() == 1);
  // A name that is bound is its number.
  const Value k{IntTuple(4)};
  const Scope scope = [&](std::string_view name) { return name == "K" ? &k : nullptr; };
  CHECK(read("gA: gmem_ptr[16b](0x1) o (_128,K):(_1,_128)", scope) == Strings{"gA = (128,4):(1,128)"});
}

TEST_CASE("print_layout's table has its layout in the first line, or in its numbers") {
  const std::string table =
      "      0   1   2   3\n    +---+---+---+---+\n 0  | 0 | 2 | 1 | 3 |\n    +---+---+---+---+\n"
      " 1  | 4 | 6 | 5 | 7 |\n    +---+---+---+---+\n";
  std::vector<Error> none;
  CHECK(evaluated("(2,(2,2)):(4,(2,1))\n" + table, &none) == "(2,(2,2)):(4,(2,1))");
  CHECK(none.empty());
  CHECK(evaluated(table) == "(2,(2,2)):(4,(2,1))");
  std::vector<Error> warnings;
  CHECK(evaluated("(2,4):(4,1)\n" + table, &warnings) == "(2,4):(4,1)");
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].message == "the table has 2 at (0,1), the layout gives 1");
  CHECK(read("> print2D(s2xs4)\n  0    2    4    6\n  1    3    5    7\n> print2D(b)\n 0 1\n 2 3\n") ==
        Strings{"s2xs4 = (2,4):(1,2)", "b = (2,2):(2,1)"});
  CHECK(evaluated("  0   12    1   13    2   14    3   15") == "(2,4):(12,1)");
  CHECK(evaluated(" 0 1 2 3\n 5 4 7 6\n 10 11 8 9\n 15 14 13 12\n").starts_with("Sw<2,0,2> o 0 o "));
  CHECK(evaluated("  0   1   4   9").find("no layout gives the numbers") != std::string::npos);  // its second pair is another one
  CHECK(evaluated(" 7 8\n 9 10\n") == "((2,2):(2,1),7)");
  CHECK(evaluated("    +---+---+\n 0  | 0 | 1 |\n    +---+---+\n 1  | 5 | 9 |\n    +---+---+\n").find("no layout gives the numbers") !=
        std::string::npos);
}

TEST_CASE("The numbers below a tensor are its elements, not its offsets") {
  std::vector<Error> warnings;
  CHECK(evaluated("ptr[32b](0x7fff) o (_2,_2):(_1,_2):\n  1.00e+00  2.00e+00\n  3.00e+00  4.00e+00\n", &warnings) == "(2,2):(1,2)");
  CHECK(evaluated("counting_iter(42) o (2,2):(_1,2):\n  42  44\n  43  45\n", &warnings) == "(2,2):(1,2)");
  CHECK(warnings.empty());
}

TEST_CASE("A head of the documentation's tables asks for what stands below it") {
  CHECK(evaluated("Layout:  8:2\nCoord :  0  1  2  3") == "(0,2,4,6)");
  CHECK(evaluated("Layout:  4:2\nCoord :  0  1  2  3\nIndex :  0  2  4  6") == "4:2");
  CHECK(evaluated("Shape :  ((2,2),2)\nStride:  ((4,1),2)") == "(0,4,1,5,2,6,3,7)");
  CHECK(evaluated("Shape :  (4,2)\nStride:  (2,1)\n  0   1\n  2   3\n  4   5\n  6   7\n") == "(4,2):(2,1)");
}

TEST_CASE("print_latex's first lines are its layouts") {
  CHECK(read("% LayoutC: ArithTuple(_0,_0) o (_4,_2):(_2@1,_1@0)\n% LayoutA: (_4,_8):(_8,_1)\n\\documentclass[convert]{standalone}\n"
             "\\node[fill=black!00] at (0,0) {0};\n") == Strings{"LayoutC = (4,2):(2@1,1@0)", "LayoutA = (4,8):(8,1)"});
}

TEST_CASE("Tiled MMAs and copies are read in C++'s words and in the DSL's") {
  const std::string cpp =
      "TiledMMA\n  ThrLayoutVMNK:  (_32,_2,_2,_1):(_1,_32,_64,_0)\n  PermutationMNK: (_32,_32,_16)\nMMA_Atom\n  ThrID:      _32:_1\n"
      "  Shape_MNK:  (_16,_8,_16)\n  LayoutA_TV: ((_4,_8),(_2,_2,_2)):((_32,_1),(_16,_8,_128))\n"
      "  LayoutB_TV: ((_4,_8),(_2,_2)):((_16,_1),(_8,_64))\n  LayoutC_TV: ((_4,_8),(_2,_2)):((_32,_1),(_16,_8))\n";
  const std::string mma = "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1):(1,2,0), (32,32,16))";
  CHECK(evaluated(cpp) == mma);
  CHECK(read("ThrMMA\n  Thr VMNK: (3,0,1,_0)\n" + cpp) == Strings{"ThrVMNK = (3,0,1,0)", " = " + mma});
  CHECK(read("tiled_mma:\t\n" + cpp) == Strings{"tiled_mma = " + mma});
  const std::string dsl =
      "Tiled MMA\n  Thr Layout VMNK: (32,2,2,1):(1,32,64,0)\n  Permutation MNK: (32:1,32:1,16:1)\nMMA Atom\n  ThrID:           32:1\n"
      "  Shape MNK:       (16,8,16)\n  TV Layout A:     ((4,8),(2,2,2)):((32,1),(16,8,128))\n"
      "  TV Layout B:     ((4,8),(2,2)):((16,1),(8,64))\n  TV Layout C:     ((4,8),(2,2)):((32,1),(16,8))";
  CHECK(read("tiled_mma = {} " + dsl) ==
        Strings{"tiled_mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1):(1,2,0), (32:1,32:1,16:1))"});
  CHECK(evaluated("Tiled Copy\n  Tiler MN:        (32:1,32:1)\n  TV Layout tiled: ((4,32),8):((256,1),32)\nCopy Atom\n"
                  "  ThrID:           1:0\n  TV Layout Src:   (1,8):(0,1)\n  TV Layout Dst:   (1,8):(0,1)\n  Value type:      bf16\n") ==
        "make_tiled_copy_impl(Copy_Atom<UniversalCopy<uint128_t>, bfloat16_t>, ((4,32),8):((256,1),32), (32:1,32:1))");
  // The DSL leaves out modes of one element that the atom's own layout has.
  CHECK(evaluated("MMA Atom\n  ThrID:           128:1\n  Shape MNK:       (64,8,16)\n  TV Layout A:     (128,(64,16)):(0,(1,64))\n"
                  "  TV Layout B:     (128,(8,16)):(0,(1,8))\n  TV Layout C:     ((4,8,4),(2,2)):((128,1,16),(64,8))")
            .starts_with("SM90_64x8x16_F32F16F16_SS"));
}

TEST_CASE("An atom that is not known leaves its layouts, and none of them is the answer") {
  const std::string text =
      "Copy_Atom\n  ThrID:        _1:_0\n  ValLayoutSrc: (_1,_8192):(_0,_1)\n  ValLayoutDst: (_1,_8192):(_0,_1)\n"
      "  ValLayoutRef: (_1,_8192):(_0,_1)\n  ValueType:    16b";
  const Strings made = read(text);
  REQUIRE(made.size() == 5);
  CHECK(made[1] == "ValLayoutSrc = (1,8192):(0,1)");
  CHECK(made[4] == ": no known copy atom has these layouts");
  CHECK(evaluated(text) == "refused: no known copy atom has these layouts");
}

TEST_CASE("A comment's layout is taken where what it stands behind is not known") {
  std::vector<Error> warnings;
  CHECK(evaluated("gA = cute.zipped_divide(a, tiler=(1, 8))   # tiled => ((1,8),(2048,256)):((0,1),(2048,8))", &warnings) ==
        "((1,8),(2048,256)):((0,1),(2048,8))");
  CHECK(warnings.size() == 1);
  CHECK(evaluated("mA : cute.Tensor      # (2048,2048):(2048,1)") == "(2048,2048):(2048,1)");
  CHECK(read("print(\"mA:\\t\"); print(mA);   // mA:   gmem_ptr[16b](A) o (512,256):(256,_1)\nprint(gA);  // gA: (8,4):(4,1)") ==
        Strings{"mA = (512,256):(256,1)", "gA = (8,4):(4,1)"});
}

TEST_CASE("Expressions and code are no prints") {
  for (const std::string_view text :
       {"composition((4,8):(8,1), foo)", "M:(3,8)", "x = (4,8)\ny = foo(x)", "(4,8):(8", "(4,2):(1)", "zipped_divid(x, 2)  # (2,2):(8,1)",
        "auto a = make_layout(Shape<_4,_8>{});\nauto b = foo(a);  // (4,8):(1,4)", "for (int i = 0; i < 4; ++i) {\n  f(i);\n}",
        "// TUTORIAL: partitioning via a TiledCopy", "let a = foo(1)", "name", "8 9", "a: 3\nb: 4", "x = (4,8):(8,1)\ny = (4,8):(8"}) {
    INFO(text);
    CHECK(read(text) == Strings{"nothing"});
  }
  // An error keeps its place: the expression's own refusal, not that of a print.
  const Result<Value> refused = evaluate("(4,8):(8,1,1)");
  REQUIRE(!refused);
  CHECK(refused.error().code == ErrorCode::not_congruent);
  // The place of an error inside a print is in the text.
  const Result<Value> named = evaluate("sA : (4,8):(8,1,1)");
  REQUIRE(!named);
  REQUIRE(named.error().span);
  CHECK(named.error().span->begin == 5);
}
