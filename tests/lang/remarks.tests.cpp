// SPDX-License-Identifier: BSD-3-Clause
// What a teacher would say of an answer that CuTe gives all the same, and what is said of nothing that is right.
#include "core/lang/builtins/remarks.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/lang/programs/evaluate.hpp"
#include "core/lang/values/scope.hpp"
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

TEST_CASE("an operand that the instruction cannot read by a descriptor is remarked upon where it is partitioned") {
  const std::string wgmma = "SM90_64x64x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::K>";
  const ErrorCode code = ErrorCode::not_representable;
  check_remark("partition_A(" + wgmma + ", Sw<3,4,3> o 0 o (64,64):(64,1), 0)", code, "Sw<3,5,3> over bytes");
  check_remark("partition_B(" + wgmma + ", (64,64):(72,1), 0)", code, "cannot read this B");
  check_remark("partition_A(" + wgmma + ", (64,64):(1,64), 0)", code, "cannot read this A");
  check_silent("partition_A(" + wgmma + ", Sw<3,3,3> o 0 o (64,64):(64,1), 0)");
  check_silent("partition_A(" + wgmma + ", tile_to_shape(GMMA::Layout_K_SW32_Atom<half_t>, (128,64,3)), 0)");
  check_silent("partition_A(" + wgmma + ", make_tensor(make_gmem_ptr(half_t), (64,64):(72,1)), 0)");
  check_silent("partition_C(" + wgmma + ", (64,64):(72,1), 0)");
  check_silent("partition_A(SM80_16x8x16_F32F16F16F32_TN, Sw<3,4,3> o 0 o (64,64):(64,1), 0)");
}

TEST_CASE("a permutation that gives threads the same elements of C, or leaves some out, is remarked upon") {
  const ErrorCode code = ErrorCode::not_injective;
  check_remark("make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), (32,(2,4,2,4):(1,8,0,2),16))", code,
               "threads 0 and 64 both hold (0,0)");
  check_remark("make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), (32,(8,4):(1,16),16))", code,
               "1024 values of threads lie beyond C's tile");
  check_remark("make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), (32,(8,4):(1,4),16))", code, "cannot be shared out");
  check_silent("make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), (32,(2,4,4):(1,8,2),16))");
  check_remark("make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1):(1,4,0))", code, "128 threads do the work, and they are not 0 to 127");
  check_silent("make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT)");  // a quad-pair: its own threads have gaps
  check_silent("make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT, (2,2):(2,1))");
}

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

TEST_CASE("a tiler of one layout a mode gets a remark exactly where one of its values is no element of the mode") {
  constexpr std::int64_t kElements = 6;
  const auto beyond = [](std::int64_t value) { return value < 0 || value >= kElements; };
  for (std::int64_t d0 = -7; d0 <= 7; ++d0) {
    for (std::int64_t d1 = -7; d1 <= 7; ++d1) {
      const std::string text = fmt::format("composition((6,2):(2,1), ((2,3):({},{}), _))", d0, d1);
      std::vector<Error> warnings;
      INFO(text);
      if (!evaluate(text, {}, &warnings)) continue;  // CuTe does not divide by these strides
      bool leaves = false;
      for (std::int64_t i = 0; i < 2; ++i) {
        for (std::int64_t j = 0; j < 3; ++j) leaves = leaves || beyond(i * d0 + j * d1);
      }
      CHECK(warnings.size() == (leaves ? 1u : 0u));
    }
  }
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

TEST_CASE("every warning has its code and its numbers, and comes with the value") {
  static constexpr std::array<std::string_view, 3> kWarned[] = {
      {R"~(complement((4,4):(1,1152921504606846976), 4))~", "not_divisible",
       R"~(complement((4,4):(1,1152921504606846976), 4) is 288230376151711744:4: at its last coordinate 288230376151711743 it gives 1152921504606846972, which the cotarget of 4 does not have)~"},
      {R"~(composition((4,8):(8,1), Sw<3,3,3>))~", "breaks_law",
       R"~(composition((4,8):(8,1), Sw<3,3,3>) is not Sw<3,1,3> o 0 o (4,8):(8,1): at (2,0) that layout gives 18, but A(2) = 16)~"},
      {R"~(left_inverse((2,2):(1,1)))~", "not_injective",
       R"~(left_inverse of (2,2):(1,1) is 2:2, but R(L(3)) = R(2) = 4, which is no coordinate below 4)~"},
      {R"~(logical_divide((4,8):(8,1), 4:3))~", "breaks_law",
       R"~(logical_divide: composition((4,8):(8,1), (4,(3,3)):(3,(1,12))) is not ((2,2),(3,3)):((24,1),(8,3)): at coordinate (2,(0,0)) that layout gives 1, but A(B) there is A(6) = 17)~"},
      {R"~(logical_divide(12:1, 5:1))~", "not_divisible",
       R"~(logical_divide: the tiles 5:1 do not divide the shape 12: the last of them reach beyond it, to 14 of 12)~"},
      {R"~(zipped_divide((4,8):(8,1), (4:3,2)))~", "not_divisible",
       R"~(zipped_divide: the tiles 4:3 do not divide the shape 4: the last of them reach beyond it, to 11 of 4)~"},
      {R"~(slice((_,9), (4,8):(8,1)))~", "out_of_range",
       R"~(slice: the coordinate (_,9) lies outside the shape (4,8): in mode 1 there is no 9, but 0 to 7)~"},
      {R"~(is_contiguous((4,8):(1@0,1@1)))~", "not_representable",
       R"~(is_contiguous is false: (4,8):(1@0,1@1) is not a layout into memory in plain strides)~"},
      {R"~(local_tile((16,16), (4,5), (0,3)))~", "not_divisible",
       R"~(local_tile: the tiles do not divide the shape (16,16): the last of them reach beyond it)~"},
      {R"~(local_tile((16,16), (4,4), (4,0)))~", "out_of_range",
       R"~(local_tile: there is no tile (4,0): the tiles are (4,4), and in mode 0 there is no 4, but 0 to 3)~"},
      {R"~(local_partition((16,16), (4,4), 16))~", "out_of_range",
       R"~(local_partition: there is no thread 16 in (4,4):(1,4), whose 16 threads are 0 to 15)~"},
      {R"~(local_partition((16,15), (4,4), 0))~", "not_divisible",
       R"~(local_partition: the tiles do not divide the shape (16,15): the last of them reach beyond it)~"},
      {R"~(get_hier_coord((4,8):(8,1), 40))~", "out_of_range",
       R"~(get_hier_coord: (4,8):(8,1) does not have the value 40 at (1,0): there it has 8)~"},
      {R"~(make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2):(0,1)))~", "not_injective",
       R"~(make_tiled_mma: the 2 atoms along M have the same threads: their stride in the atom layout (2,2,1):(0,1,0) is 0)~"},
      {R"~(partition_A(SM80_16x8x16_F32F16F16F32_TN, (16,24), 0))~", "not_divisible",
       R"~(partition_A: the tiles do not divide the shape (16,24): the last of them reach beyond it, in mode 1 to coordinate 24 of 24)~"},
      {R"~(partition_B(SM80_16x8x16_F32F16F16F32_TN, (12,16), 0))~", "not_divisible",
       R"~(partition_B: the tiles do not divide the shape (12,16): the last of them reach beyond it, in mode 0 to coordinate 12 of 12)~"},
      {R"~(thrfrg_A(SM80_16x8x16_F32F16F16F32_TN, (20,16)))~", "not_divisible",
       R"~(thrfrg_A: the tiles do not divide the shape (20,16): the last of them reach beyond it, in mode 0 to coordinate 20 of 20)~"},
      {R"~(partition_shape_A(SM80_16x8x16_F32F16F16F32_TN, (20,16)))~", "not_divisible",
       R"~(partition_shape_A: the tiles do not divide the shape (20,16): the last of them reach beyond it, in mode 0 to coordinate 20 of 20)~"},
      {R"~(make_tiled_copy_impl(Copy_Atom<UniversalCopy<half_t>, half_t>, (32,2), (4,8)))~", "out_of_range",
       R"~(make_tiled_copy_impl: (32,2):(1,32) numbers element 63 of the tile (4,8), which has the elements 0 to 31)~"},
      {R"~(make_tiled_copy_C_atom(Copy_Atom<SM90_U32x4_STSM_N, half_t>, SM70_8x8x4_F32F16F16F32_NT))~", "wrong_type",
       R"~(make_tiled_copy_C_atom: the rows that SM90_U32x4_STSM_N moves for half_t are not rows of C: the elements of one do not lie side by side in the tile)~"},
      {R"~(make_tiled_copy_A(Copy_Atom<SM75_U32x4_LDSM_N, half_t>, SM90_64x8x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::K>))~",
       "wrong_type",
       R"~(make_tiled_copy_A: the rows that SM75_U32x4_LDSM_N moves for half_t are not rows of A: the elements of one do not lie side by side in the tile)~"},
      {R"~(partition_S(make_tiled_copy(Copy_Atom<UniversalCopy<half_t>, half_t>, (4,8)), (5,8), 0))~", "not_divisible",
       R"~(partition_S: the tiles (4,8) do not divide the shape (5,8): the last of them reach beyond it)~"},
      {R"~(partition_D(make_tiled_copy(Copy_Atom<UniversalCopy<half_t>, half_t>, (4,8)), (4,8):(1@0,1@1), 99))~", "out_of_range",
       R"~(partition_D: thread 99 takes no part in this copy, whose 32 threads are 0 to 31)~"},
      {R"~(tidfrg_S(make_tiled_copy(Copy_Atom<UniversalCopy<half_t>, half_t>, (4,8)), (6,8)))~", "not_divisible",
       R"~(tidfrg_S: the tiles (4,8) do not divide the shape (6,8): the last of them reach beyond it)~"},
      {R"~(readers_A(SM90_64x8x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::K>, 0, 0))~", "wrong_type",
       R"~(readers_A: no thread holds A of SM90_64x8x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::K>: it lies in shared memory, which the instruction reads by a descriptor)~"},
      {R"~(logical_divide(10:1, 4:1))~", "not_divisible",
       R"~(logical_divide: the tiles 4:1 do not divide the shape 10: the last of them reach beyond it, to 11 of 10)~"},
      {R"~(zipped_divide((10,6):(6,1), (4,4)))~", "not_divisible",
       R"~(zipped_divide: the tiles 4:1 do not divide the shape 10: the last of them reach beyond it, to 11 of 10)~"},
      {R"~(composition((8,4):(4,1), Sw<3,3,3>))~", "breaks_law",
       R"~(composition((8,4):(4,1), Sw<3,3,3>) is not Sw<3,0,3> o 0 o (8,4):(4,1): at (2,0) that layout gives 9, but A(2) = 8)~"},
      {R"~(composition((4,8):(8,1), Sw<1,0,1> o 0 o 64:1))~", "not_representable",
       R"~(composition: CuTe's formula has no layout of A(B(c)) here, and the two stay beside each other: composition((4,8):(8,1), Sw<1,0,1> o 0 o 64:1) is not Sw<1,3,1> o 0 o (4,16):(8,1): at (1,8) that layout gives 24, but A(33) = 16)~"},
      {R"~(local_tile((8,8), (4,4), (2,2)))~", "out_of_range",
       R"~(local_tile: there is no tile (2,2): the tiles are (2,2), and in mode 0 there is no 2, but 0 to 1)~"},
      {R"~(left_inverse((4,2):(1,1)))~", "not_injective",
       R"~(left_inverse of (4,2):(1,1) is 2:4, but R(L(2)) = R(2) = 8, which is no coordinate below 8)~"},
      {R"~(is_compact((4,8):(9,1)))~", "not_injective", R"~(is_compact is false: 32 elements lie in a range of 35 indices)~"},
      {R"~(is_injective((2,2):(1,1)))~", "not_injective", R"~(is_injective is false: coordinates (1,0) and (0,1) both have index 1)~"},
      {R"~(congruent((4,8),(4,(2,4))))~", "not_congruent", R"~(congruent is false: at mode 1, 8 stands against (2,4))~"},
      {R"~(compatible((4,8),(4,(2,2))))~", "not_congruent", R"~(compatible is false: at mode 1, 8 stands against (2,2), whose size is 4)~"},
  };
  for (const auto& [text, code, message] : kWarned) {
    const std::vector<Error> warnings = warnings_of(std::string(text));
    INFO(text);
    REQUIRE(warnings.size() == 1);
    CHECK(to_string(warnings[0].code) == code);
    CHECK(warnings[0].message == message);
  }
}

TEST_CASE("a swizzled tile that begins where its swizzle's pattern does not is warned of, wherever hardware swizzles by the address") {
  const auto phases = [](const std::string& text) {
    const std::vector<Error> warnings = warnings_of(text);
    return std::count_if(warnings.begin(), warnings.end(),
                         [](const Error& each) { return each.message.find("where the pattern of Sw") != std::string::npos; });
  };
  const std::string swizzled = "Sw<3,3,3> o 0 o (128,64):(64,1)", gmem = "make_tensor(make_gmem_ptr(half_t), (512,256):(256,1))";
  for (const int bytes : {16, 128, 512, 1040}) {
    CAPTURE(bytes);
    const std::string pointer = "make_smem_ptr<half_t>(" + std::to_string(bytes) + ")";
    CHECK(phases("make_tensor(" + pointer + ", " + swizzled + ")") == 1);
    CHECK(phases("make_tma_copy(SM90_TMA_LOAD, " + gmem + ", make_tensor(" + pointer + ", " + swizzled + "))") >= 1);
    CHECK(phases("make_tensor(" + pointer + ", (128,64):(64,1))") == 0);  // nothing is swizzled
  }
  for (const int bytes : {0, 1024, 4096})
    CHECK(phases("make_tensor(make_smem_ptr<half_t>(" + std::to_string(bytes) + "), " + swizzled + ")") == 0);
  // 64 bytes are swizzled in patterns of 512.
  CHECK(phases("make_tensor(make_smem_ptr<half_t>(512), Sw<2,3,3> o 0 o (128,32):(32,1))") == 0);
  CHECK(phases("make_tensor(make_smem_ptr<half_t>(256), Sw<2,3,3> o 0 o (128,32):(32,1))") == 1);
  CHECK(phases("make_tma_atom(SM90_TMA_LOAD, " + gmem + ", Sw<3,3,3> o 64 o (128,64):(64,1), (128,64))") == 1);
  CHECK(phases("make_tma_atom(SM90_TMA_LOAD, " + gmem + ", Sw<3,3,3> o 512 o (128,64):(64,1), (128,64))") == 0);
  CHECK(phases("make_tiled_mma(SM90_64x64x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::K>).get_slice(0).partition_A("
               "make_tensor(make_smem_ptr(half_t) + 64, Sw<3,3,3> o 0 o (64,64):(64,1)))") >= 1);
}

TEST_CASE("the instructions of a TMA copy are counted, and the order of the atom that takes fewer is one that does") {
  const std::string gmem = "make_tensor(make_gmem_ptr(half_t), (512,256):(1,512))", atom = "GMMA::Layout_MN_SW128_Atom<half_t>";
  const auto said = [&](const std::string& smem) {
    for (const Error& each : warnings_of("make_tma_atom(SM90_TMA_LOAD, " + gmem + ", " + smem + ", (128,64))")) {
      if (each.message.find(" boxes of ") != std::string::npos) return each;
    }
    return Error{ErrorCode::io, "", {}, {}};
  };
  const Error found = said("tile_to_shape(" + atom + ", (128,64))");
  CHECK(found.message.find("16 boxes of 512 elements, an instruction each, where another order") != std::string::npos);
  CHECK(found.message.find("takes 2") != std::string::npos);
  const std::string better = found.notes.at(0).substr(0, found.notes.at(0).find(", and with"));
  CHECK(better == "tile_to_shape(" + atom + ", (128,64), Step<_2,_1>)");
  CHECK(said(better).message.empty());
  CHECK(said("tile_to_shape(GMMA::Layout_MN_SW128_Atom<half_t>, (128,64), Step<_1,_2>)").message == found.message);
}

TEST_CASE("a complement with a hole, a layout like one of equal strides, and what reaches beyond its first layout are remarked on") {
  check_remark("complement((2,2):(1,3), 12)", ErrorCode::not_divisible, "leaves out 2");
  check_remark("complement((2,2):(1,3))", ErrorCode::not_divisible, "leaves out 2");
  check_silent("complement((2,2):(1,3), 2)");
  check_silent("complement((2,2):(1,6), 24)");
  check_remark("make_layout_like(((2,3),4):((1,7),7))", ErrorCode::not_injective, "equal strides");
  check_silent("make_layout_like((2,3,4,5):(0,42,1,0))");
  check_remark("max_common_vector(2:1, 4:1)", ErrorCode::out_of_range, "goes on beyond its end");
  check_remark("max_common_layout(2:1, 4:1)", ErrorCode::out_of_range, "goes on beyond its end");
  check_silent("max_common_vector(4:1, 2:1)");
}

TEST_CASE("a layout that waits for its pointer is called otherwise by CuTe, which is said") {
  const std::string atom = "tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{},Shape<_128,_64>{})";
  check_remark(atom + "(9,3)", ErrorCode::wrong_result, "it gives 515");  // CuTe 4.7's print
  check_remark("right_inverse(" + atom + ")", ErrorCode::wrong_type, "CuTe refuses its inverse");
  check_remark("left_inverse(" + atom + ")", ErrorCode::wrong_type, "CuTe refuses its inverse");
  for (const std::string& text :
       std::vector<std::string>{atom + "(0,3)", "tile_to_shape(GMMA::Layout_K_SW128_Atom<int8_t>{},Shape<_128,_128>{})(9,3)",
                                "composition(Swizzle<3,3,3>{},Layout<Shape<_8,_64>,Stride<_64,_1>>{})(3,5)",
                                "right_inverse(composition(Swizzle<3,3,3>{},Layout<Shape<_8,_64>,Stride<_64,_1>>{}))"}) {
    INFO(text);
    std::vector<Error> warnings;
    CHECK(evaluate(text, {}, &warnings));
    CHECK(warnings.empty());
  }
}
