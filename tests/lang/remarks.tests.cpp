// SPDX-License-Identifier: BSD-3-Clause
// What a teacher would say of an answer that CuTe gives all the same, and what is said of nothing that is right.
#include "core/lang/remarks.hpp"

#include "core/lang/evaluate.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

std::vector<Error> warnings_of(const std::string& text) {
  std::vector<Error> warnings;
  const Result<Value> made = evaluate(text, {}, &warnings);
  INFO(text);
  if (!made) FAIL_CHECK(describe(made.error(), text));
  return warnings;
}

// One warning, of this code, that says `part` and what to do about it, and points into the text.
void check_remark(const std::string& text, ErrorCode code, const std::string& part) {
  const std::vector<Error> warnings = warnings_of(text);
  INFO(text);
  REQUIRE(warnings.size() == 1);
  INFO(warnings[0].message);
  CHECK(warnings[0].code == code);
  CHECK(warnings[0].message.find(part) != std::string::npos);
  CHECK_FALSE(warnings[0].notes.empty());
  REQUIRE(warnings[0].span);
  CHECK(warnings[0].span->end <= text.size());
}

void check_silent(const std::string& text) {
  for (const Error& warning : warnings_of(text)) FAIL_CHECK(text << ": " << warning.message);
}

const std::string kMma = "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1))";  // 128 threads, tile (32,16,16)
const std::string kCopy = "make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>, (8,4))";
const std::string kUmma = "SM100_MMA_F16BF16_SS<half_t,half_t,float,128,256,UMMA::Major::K,UMMA::Major::K>";

}  // namespace

TEST_CASE("a coordinate outside the shape gets a remark from every function that takes one") {
  const ErrorCode code = ErrorCode::out_of_range;
  check_remark("crd2idx((4,0), (4,8):(8,1))", code, "(4,0) lies outside the shape (4,8): in mode 0 there is no 4, but 0 to 3");
  check_remark("crd2idx((4,0), (4,8))", code, "in mode 0 there is no 4");
  check_remark("crd2idx((0,8), (4,8), (8,1))", code, "in mode 1 there is no 8");
  check_remark("crd2idx((-1,0), (4,8):(8,1))", code, "there is no -1");
  check_remark("crd2idx(32, (4,8):(8,1))", code, "its 32 elements are numbered 0 to 31");
  check_remark("crd2idx((1,(2,0)), (4,(2,4)):(1,(4,8)))", code, "in mode 1,0 there is no 2, but 0 to 1");
  check_remark("crd2idx((4,0), Sw<1,0,2> o 0 o (4,8):(8,1))", code, "there is no 4");
  check_remark("idx2crd(32, (4,8))", code, "0 to 31");
  check_remark("slice((_,8), (4,8):(8,1))", code, "in mode 1 there is no 8");
  check_remark("slice_and_offset((4,_), (4,8):(8,1))", code, "in mode 0 there is no 4");
  check_remark("domain_offset((0,9), (4,8):(8,1))", code, "in mode 1 there is no 9");
  const Value layout = evaluate("(4,8):(8,1)").value();
  const Scope scope = [&](std::string_view name) { return name == "L" ? &layout : nullptr; };
  std::vector<Error> warnings;
  REQUIRE(evaluate("L(3,8)", scope, &warnings));
  REQUIRE(warnings.size() == 1);
  REQUIRE(evaluate("L(3,7)", scope, &warnings));
  CHECK(warnings.size() == 1);
}

TEST_CASE("a value that a layout does not have gets a remark where its coordinate is asked for") {
  for (const char* function : {"get_hier_coord", "get_flat_coord", "get_1d_coord"}) {
    check_remark(std::string(function) + "((4,8):(8,1), 33)", ErrorCode::out_of_range, "does not have the value 33");
    check_remark(std::string(function) + "((4,8):(8,2), 3)", ErrorCode::out_of_range, "does not have the value 3");
    check_silent(std::string(function) + "((4,8):(8,1), 31)");
  }
}

TEST_CASE("a tile that does not exist gets a remark") {
  check_remark("local_tile((8,16):(16,1), (2,4), (5,0))", ErrorCode::out_of_range, "no tile (5,0)");
  check_remark("local_tile((8,16):(16,1), (2,4), (_,4))", ErrorCode::out_of_range, "in mode 1 there is no 4, but 0 to 3");
  check_remark("local_tile((8,16):(16,1), (2,8,4), (0,7,4), Step<_1,X,_1>)", ErrorCode::out_of_range, "no tile (0,4)");
  check_silent("local_tile((8,16):(16,1), (2,4), (3,3))");
}

TEST_CASE("a thread that takes no part gets a remark that says whose part CuTe gives it") {
  const ErrorCode code = ErrorCode::out_of_range;
  for (const char* x : {"A", "B", "C"}) {
    const std::string call = std::string("partition_") + x + "(" + kMma + ", (32,16):(16,1)";
    const std::string square = std::string("partition_") + x + "(" + kMma + ", (32,32):(32,1)";
    check_silent(square + ", 127)");
    check_remark(square + ", 128)", code, "thread 128 takes no part in this MMA, whose 128 threads are 0 to 127");
    CHECK(warnings_of(square + ", 200)").at(0).notes.at(0).find("the part of thread 72") != std::string::npos);
  }
  // (4,2),1,1,3 : (1,16),0,0,4 has the thread 24, but 24 / 16 % 2 and 24 / 4 % 3 are those of thread 16.
  check_remark("partition_C(make_tiled_mma(SM70_8x8x4_F16F16F16F16_NN, (1,1,3):(0,0,1)), (8,16):(1,8), 24)", code,
               "CuTe does not find thread 24");
  // A quad pair's threads are 0 to 3 and 16 to 19.
  check_silent("partition_C(SM70_8x8x4_F32F16F16F32_NT, (8,8), 19)");
  check_remark("partition_C(SM70_8x8x4_F32F16F16F32_NT, (8,8), 5)", code, "8 threads lie between 0 and 19");
  check_silent("partition_S(" + kCopy + ", (8,4), 31)");
  check_remark("partition_S(" + kCopy + ", (8,4), 32)", code, "whose 32 threads are 0 to 31");
  check_remark("partition_D(" + kCopy + ", (8,4), 32)", code, "whose 32 threads are 0 to 31");
  check_silent("local_partition((16,16):(16,1), (16,8):(1,16), 127)");
  check_remark("local_partition((16,16):(16,1), (16,8):(1,16), 200)", code, "no thread 200");
  // With a projection a thread of the whole layout takes turns along the modes that are kept.
  check_silent("local_partition((16,16):(16,1), (16,8):(1,16), 100, Step<_1,X>)");
  check_remark("local_partition((16,16):(16,1), (16,8):(1,16), 128, Step<_1,X>)", code, "no thread 128");
}

TEST_CASE("who asks for the threads of an operand in shared or tensor memory is told that there are none") {
  check_remark("readers_C(" + kUmma + ", 0, 0)", ErrorCode::wrong_type, "it lies in tensor memory");
  check_remark("readers_B(" + kUmma + ", 0, 0)", ErrorCode::wrong_type, "it lies in shared memory");
  check_remark("readers_A(SM90_64x128x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::K>, 0, 0)", ErrorCode::wrong_type, "shared memory");
  check_silent("readers_A(SM90_64x128x16_F32F16F16_RS<GMMA::Major::K,GMMA::Major::K>, 0, 0)");
  check_silent("readers_A(" + kMma + ", 0, 0)");
}

TEST_CASE("a tiler that reaches beyond a mode gets a remark, and a layout on the right none") {
  const ErrorCode code = ErrorCode::out_of_range;
  check_remark("composition((4,8):(8,1), (5,3))", code, "element 4 of mode 0, which has the elements 0 to 3");
  check_remark("(4,8):(8,1) o (4,9)", code, "element 8 of mode 1");
  check_remark("composition((4,8):(8,1), (2:2,4:4))", code, "element 12 of mode 1");
  check_remark("composition((4,8):(8,1), 64)", code, "element 63 of");
  check_remark("composition(Sw<1,0,2> o 0 o (4,8):(8,1), (5,_))", code, "element 4 of mode 0");
  check_silent("composition((4,8):(8,1), (4,8))");
  check_silent("composition((4,8):(8,1), (2:2,_))");
  check_silent("composition(1:1, (4,8):(8,1))");     // the identity
  check_silent("composition((4,8):(0,0), (8,16))");  // a broadcast
}

TEST_CASE("a permutation that the atoms do not divide gets a remark") {
  const auto mma = [](const std::string& permutation) {
    return "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), " + permutation + ")";
  };
  check_remark(mma("(16,16,16)"), ErrorCode::not_divisible, "16 elements of M, and the 2 atoms of the MMA compute 32");
  check_remark(mma("(32,8,16)"), ErrorCode::not_divisible, "8 elements of N, and the 2 atoms of the MMA compute 16");
  check_remark(mma("(32,16,8)"), ErrorCode::not_divisible, "8 elements of K, and the one atom of the MMA compute 16");
  check_remark(mma("(48,16,16)"), ErrorCode::not_divisible, "beyond the tile");
  check_remark("TiledMMA<MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>,Layout<Shape<_2,_2,_1>>,Tile<_16,_16,_16>>", ErrorCode::not_divisible,
               "16 elements of M");
  for (const char* permutation : {"(_,_,_)", "(32,16,16)", "(64,32,32)", "(32,(8,2,2):(1,16,8),16)"}) check_silent(mma(permutation));
  check_remark("make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1):(0,1,0))", ErrorCode::not_injective,
               "the 2 atoms along M have the same threads");
}

TEST_CASE("a matrix copy of other values than the operand's gets a remark") {
  const auto copy = [](const std::string& x, const std::string& atom, const std::string& mma) {
    return "make_tiled_copy_" + x + "(Copy_Atom<" + atom + ">, " + mma + ")";
  };
  check_remark(copy("A", "SM75_U32x4_LDSM_N, float", kMma), ErrorCode::wrong_type, "float of 32 bits, and A of SM80_16x8x16");
  check_remark(copy("B", "SM75_U32x2_LDSM_N, float", kMma), ErrorCode::wrong_type, "B of SM80_16x8x16");
  check_remark(copy("C", "SM90_U32x2_STSM_N, float", kMma), ErrorCode::wrong_type, "not rows of C");
  check_silent(copy("A", "SM75_U32x4_LDSM_N, half_t", kMma));
  check_silent(copy("A", "SM75_U32x4_LDSM_N, bfloat16_t", kMma));  // other numbers of the same width
  check_silent(copy("B", "SM75_U32x2_LDSM_N, half_t", kMma));
  check_silent(copy("C", "SM90_U32x2_STSM_N, half_t", kMma));  // after the sums were made narrower
  check_silent(copy("C_atom", "SM90_U32x2_STSM_N, half_t", kMma));
  check_silent(copy("A", "UniversalCopy<float>, float", kMma));  // a conversion may follow
  check_silent(copy("A", "SM75_U32x4_LDSM_N, tfloat32_t", "SM80_16x8x8_F32TF32TF32F32_TN"));
}

TEST_CASE("a thread-value layout that leaves its tile gets a remark") {
  check_remark("make_tiled_copy_impl(Copy_Atom<UniversalCopy<float>, float>, (32,4):(1,32), (8,8))", ErrorCode::out_of_range,
               "numbers element 127 of the tile (8,8)");
  check_silent("make_tiled_copy_impl(Copy_Atom<UniversalCopy<float>, float>, (32,2):(1,32), (8,8))");
}

TEST_CASE("a part of a tensor that the tiles do not divide gets a remark, as a shape and as a fragment too") {
  check_remark("partition_shape_C(" + kMma + ", (33,16))", ErrorCode::not_divisible, "(33,16)");
  check_remark("partition_fragment_C(" + kMma + ", (33,16))", ErrorCode::not_divisible, "(33,16)");
  check_silent("partition_shape_C(" + kMma + ", (64,16))");
}
