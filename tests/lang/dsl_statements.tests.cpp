// SPDX-License-Identifier: BSD-3-Clause
// Statements of the CuTe DSL whose value once was not the DSL's. The values are what nvidia-cutlass-dsl 4.8.1 prints.
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/lang/programs/evaluate.hpp"
#include "core/lang/values/value.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

std::string value_of(std::string_view program) {
  const Result<Value> value = evaluate(program);
  return value ? to_string(*value) : value.error().message;
}

// The first warning of the program; "" without one.
std::string warning_of(std::string_view program) {
  std::vector<Error> warnings;
  const Result<Value> value = evaluate(program, {}, &warnings);
  INFO(program);
  CHECK(value);
  return warnings.empty() ? "" : warnings.front().message;
}

const std::string kAtom =
    "atom = cute.nvgpu.warpgroup.make_smem_layout_atom(cute.nvgpu.warpgroup.SmemLayoutAtomKind.K_SW128, cutlass.Float16)\n";
const std::string kStaged = kAtom + "staged = cute.tile_to_shape(atom, (128, 64, 2), (0, 1, 2))\n";
const std::string kPointer = "ptr = cute.make_ptr(cutlass.Float16, 0, cute.AddressSpace.smem, assumed_align=1024)\n";
const std::string kWhole = "((8,16),(64,1),(1,2)):((64,512),(1,0),(0,8192))";

}  // namespace

TEST_CASE("the swizzle of a layout in shared memory becomes its tensor's once") {
  const std::string swizzled = "Sw<3,3,3> o 0 o " + kWhole;
  CHECK(value_of(kStaged + "staged") == swizzled);
  CHECK(value_of(kStaged + "smem = utils.SmemAllocator()\n"
                           "sA = smem.allocate_tensor(cutlass.Float16, staged.outer, byte_alignment=128, swizzle=staged.inner)\nsA") ==
        swizzled);
  CHECK(value_of(kStaged + kPointer + "cute.make_tensor(cute.recast_ptr(ptr, staged.inner, dtype=cutlass.Float16), staged.outer)") ==
        swizzled);
  // As elements of a byte, the same bytes: S<3,4,3> of the pointer.
  CHECK(value_of(kStaged + kPointer +
                 "cute.make_tensor(cute.recast_ptr(ptr, staged.inner, dtype=cutlass.Int8), cute.make_layout((8,128)))") ==
        "Sw<3,4,3> o 0 o (8,128):(1,8)");
  CHECK(value_of(kAtom + "cute.make_composed_layout(atom.inner, 0, atom.outer).inner") == "Sw<3,3,3>");
}

TEST_CASE("a swizzle of bytes stands in a pointer, and is that of the elements in the tensor") {
  const std::string tensor = "sA = cute.make_tensor(ptr, cute.make_layout((8, 64), stride=(64, 1)))\n";
  const std::string swizzled =
      "ptr = cute.make_ptr(cutlass.Float16, 0, cute.AddressSpace.smem, swizzle_=cute.make_swizzle(3, 4, 3))\n" + tensor;
  CHECK(value_of(swizzled + "sA").find("Sw<3,3,3> o 0 o (8,64):(64,1)") != std::string::npos);
  CHECK(value_of(swizzled + "sA.layout") == "(8,64):(64,1)");
  CHECK(value_of(swizzled + "cute.make_tensor(sA.iterator, cute.make_layout(64))").find("Sw<3,3,3> o 0 o 64:1") != std::string::npos);
  CHECK(value_of(swizzled + "cute.make_tensor(sA.iterator, sA.layout)") == value_of(swizzled + "sA"));
  // A cast gives the pointer no swizzle again, and the DSL drops it without a word.
  CHECK(value_of(swizzled + "cute.make_tensor(cute.recast_ptr(sA.iterator, dtype=cutlass.Int8), cute.make_layout(64))").find("Sw") ==
        std::string::npos);
  CHECK(warning_of(swizzled + "cute.recast_tensor(sA, cutlass.Int8)").find("drops the swizzle") != std::string::npos);
  CHECK(value_of("cute.make_ptr(cutlass.Float32, 0, cute.AddressSpace.smem, swizzle_=cute.make_swizzle(1, 0, 3))") ==
        "smem_ptr[32b](unset)");
  CHECK(value_of("p = cute.make_ptr(cutlass.Float32, 0, cute.AddressSpace.smem, swizzle_=cute.make_swizzle(1, 0, 3))\n"
                 "cute.make_tensor(p, cute.make_layout(64))")
            .find("moves parts of elements") != std::string::npos);
}

TEST_CASE("a layout of shared memory without a swizzle has an outer and an inner part, too") {
  const std::string plain =
      "atom = cute.nvgpu.warpgroup.make_smem_layout_atom(cute.nvgpu.warpgroup.SmemLayoutAtomKind.K_INTER, cutlass.Float16)\n";
  CHECK(value_of(plain + "atom.outer") == "(8,8):(8,1)");
  CHECK(value_of(plain + "atom.inner") == "Sw<0,0,0>");
  CHECK(value_of("cute.make_layout((8, 8)).outer").find("has no member") != std::string::npos);
}

TEST_CASE("a slice of a layout is a layout, and one of a tensor a tensor") {
  CHECK(value_of(kStaged + "cute.slice_(staged, (None, None, 0))") == "Sw<3,3,3> o 0 o ((8,16),(64,1)):((64,512),(1,0))");
  CHECK(value_of("cute.slice_(cute.make_layout((4, 8)), (2, None))") == "(8):(4)");
  CHECK(value_of("cute.slice_(cute.make_identity_tensor((4, 8)), (2, None))") == "(2,0) o (8):(1@1)");
  CHECK(value_of("cute.slice_(cute.make_identity_layout((4, 8)), (2, None))") == "(8):(1@1)");
}

TEST_CASE("a tensor of coordinates begins at its origin, and its parts name every mode") {
  CHECK(value_of("cute.make_identity_tensor((4, 8))") == "(4,8):(1@0,1@1)");
  CHECK(value_of("cute.make_identity_tensor((8, 2, 12))[3]") == "(3,0,0)");
  CHECK(value_of("cA = cute.make_identity_tensor((4, 32, 6))\n"
                 "cute.make_tensor((2 + cA.iterator[0], cA.iterator[1], cA.iterator[2] + 1), cA.layout)") ==
        "(2,0,1) o (4,32,6):(1@0,1@1,1@2)");
  CHECK(value_of("copy = cute.make_tiled_copy_tv(cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), cutlass.Float32), "
                 "cute.make_layout((32, 1)), cute.make_layout((1, 1)))\n"
                 "copy.get_slice(27).partition_S(cute.make_identity_tensor((64, 1)))") == "(27,0) o ((1,1),2,1):((0,0),32@0,0)");
  CHECK(
      value_of("partition_S(make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, (32,1), (1,1)), make_identity_layout((64,1)), 27)") ==
      "(27,0) o ((1,1),2,1):((0,0),32@0,0)");
  CHECK(value_of("cute.domain_offset((None, 3), cute.make_identity_tensor((4, 8)))") == "(0,3) o (4,8):(1@0,1@1)");
}

TEST_CASE("functions whose arguments or rules are other ones in the DSL follow it in its text") {
  CHECK(value_of("cute.repeat_like(1, (5, (4, 12)))") == "(1,(1,1))");
  CHECK(value_of("repeat_like((5,(4,12)), 1)") == "(1,(1,1))");
  CHECK(value_of("cute.append((8, (2, 8)), None)") == "(8,(2,8),1)");
  CHECK(value_of("cute.prepend((8,), None, up_to_rank=3)") == "(1,1,8)");
  CHECK(value_of("append((8,(2,8)), _)") == "(8,(2,8),_)");
  CHECK(value_of("cute.append(cute.make_layout((2, 3, 4)), cute.make_layout(2), up_to_rank=2)") == "(2,3,4):(1,2,6)");
  CHECK(value_of("cute.append_ones(cute.make_layout((2, 3)))") == "(2,3,1):(1,2,0)");
  CHECK(value_of("cute.append_ones(cute.make_layout((2, 3)), up_to_rank=1)") == "(2,3):(1,2)");
  CHECK(value_of("cute.group_modes(cute.make_layout((2, 3, 4)), 0, -1)") == "((2,3),4):((1,2),6)");
  CHECK(value_of("cute.group_modes(cute.make_layout((2, 3, 4)), 1)") == "(2,(3,4)):(1,(2,6))");
  CHECK(value_of("cute.group_modes(7, 0, 1)") == "(7)");
  CHECK(value_of("cute.ceil_div((1, (12, 4, 3)), (2, 2))") == "(1,72)");
  CHECK(value_of("cute.ceil_div((8, 32), 16)") == "16");
  CHECK(value_of("cute.ceil_div(0, 16)") == "0");
  CHECK(value_of("cute.ceil_div(64, (8, 2))").find("more modes") != std::string::npos);
  CHECK(value_of("cute.is_weakly_congruent(1, 0)") == "true");
  CHECK(value_of("cute.is_congruent((0, 3), (4, 8))") == "true");
  CHECK(value_of("cute.make_tensor(cute.make_ptr(cutlass.Float16, 0), layout=cute.make_layout(8))") == "8:1");
  CHECK(value_of("cute.ceil_div(16, (8,))") == "2");
  CHECK(value_of("cute.crd2idx((None, 2), cute.make_layout((4, 8)))") == "8");
  CHECK(value_of("cute.make_layout((cute.arch.WARP_SIZE, 4))") == "(32,4):(1,32)");
  CHECK(value_of("cute.arch.make_warp_uniform(3)") == "3");
  CHECK(value_of("cute.round_up(40, cute.arch.get_min_tmem_alloc_cols('sm_100'))") == "64");
  CHECK(value_of("cute.arch.get_max_tmem_alloc_cols('sm_90a')").find("no tensor memory") != std::string::npos);
  CHECK(warning_of("cute.make_copy_atom(cute.nvgpu.warp.LdMatrix16x16x8bOp(transpose=True, num_matrices=2), cutlass.Int8)")
            .find("another order") != std::string::npos);
}

TEST_CASE("registers are laid out like a tensor in the order of its strides, and like a layout with mode 0 first") {
  const std::string tensor =
      "t = cute.make_tensor(cute.make_ptr(cutlass.Float16, 0, cute.AddressSpace.gmem), cute.make_layout((4, 8), stride=(8, 1)))\n";
  CHECK(value_of(tensor + "cute.make_fragment_like(t)") == "(4,8):(8,1)");
  CHECK(value_of("cute.make_fragment_like(cute.make_layout((4, 8), stride=(8, 1)))") == "(4,8):(1,4)");
  CHECK(value_of("cute.make_fragment_like(cute.make_identity_tensor((4, 8)), cutlass.Float32).layout") == "(4,8):(1,4)");
  CHECK(value_of("cute.make_rmem_tensor_like(cute.make_identity_tensor((1, 64)), cutlass.Float16).layout") == "(1,64):(0,1)");
  CHECK(value_of("cute.size_in_bytes(cutlass.Boolean, cute.make_layout(20))") == "3");
}

TEST_CASE("the shape of a part counts the repetitions of a mode as one number in the DSL") {
  const std::string mma =
      "mma = cute.make_tiled_mma(cute.nvgpu.warp.MmaF16BF16Op(cutlass.Float16, cutlass.Float32, (16, 8, 16)), (2, 2, 1), "
      "permutation_mnk=(None, cute.make_layout((8, 2, 2), stride=(1, 16, 8)), 32))\n";
  CHECK(value_of(mma + "mma.partition_shape_B((64, 32))") == "((2,2),4,2)");
  CHECK(value_of(mma + "mma.partition_shape_B((64, 32, (3, 2)))") == "((2,2),4,2,(3,2))");
  const std::string eight =
      "mma = cute.make_tiled_mma(cute.nvgpu.warpgroup.MmaF16BF16Op(cutlass.Float16, cutlass.Float32, (64, 8, 16), "
      "cute.nvgpu.warpgroup.OperandSource.RMEM, cute.nvgpu.warpgroup.OperandMajorMode.K, "
      "cute.nvgpu.warpgroup.OperandMajorMode.K))\nmma.";
  CHECK(value_of(eight + "partition_shape_C((64, 16))") == "((2,2),1,2)");
  CHECK(value_of(eight + "partition_shape_A((64, 32))") == "((2,2,2),1,2)");
  CHECK(value_of(mma + "mma.get_tile_size(1)") == "32");
  CHECK(value_of("partition_shape_B(make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), (_,(8,2,2):(1,16,8),32)), (64,32))") ==
        "((2,2),(2,2),2)");
}

TEST_CASE("what the DSL refuses and C++ computes has a warning in the DSL's text") {
  CHECK(warning_of("cute.zipped_divide(cute.make_layout((4, 8)), 4)").find("a number as the tiler") != std::string::npos);
  CHECK(warning_of("cute.zipped_divide(cute.make_layout((4, 8)), (4,))").empty());
  CHECK(warning_of("zipped_divide((4,8):(1,4), 4)").empty());
  CHECK(warning_of("cute.shape_div((3, (3, 16)), (1, 1))").find("nested mode") != std::string::npos);
  CHECK(warning_of("cute.make_layout_like(cute.make_composed_layout(cute.make_swizzle(2, 3, 3), 0, cute.make_layout((4, 8))))")
            .find("swizzle") != std::string::npos);
  CHECK(warning_of("t = cute.make_tensor(cute.make_ptr(cutlass.Float16, 0), cute.make_layout((4, 8)))\ncute.select(t, mode=[0])")
            .find("a tensor") != std::string::npos);
}

TEST_CASE("a text whose last line is passed over says that its value is another line's") {
  CHECK(warning_of("n = 128\ncute.round_up(n, cute.arch.no_such_function(3))").find("the last line is passed over") != std::string::npos);
  CHECK(warning_of("n = 128\ncute.round_up(n, 3)").empty());
}

TEST_CASE("a fragment lies where its MMA finds it: in registers, tensor memory, or seen through descriptors") {
  const auto umma = [](std::string_view shape, std::string_view source, std::string_view rest, std::string_view accumulator = "Float32") {
    return fmt::format(
        "mma = cute.make_tiled_mma(tcgen05.MmaF16BF16Op(cutlass.Float16, cutlass.{}, {}, tcgen05.CtaGroup.{}, tcgen05.OperandSource.{}, "
        "tcgen05.OperandMajorMode.K, tcgen05.OperandMajorMode.K))\n{}",
        accumulator, shape.substr(1), shape[0] == '1' ? "ONE" : "TWO", source, rest);
  };
  struct Row {
    std::string program;
    std::string_view answer;
  };
  const Row rows[] = {
      {umma("1(128, 256, 16)", "SMEM", "mma.make_fragment_C(mma.partition_shape_C((256, 256)))"), "((128,256),2,1):((65536,1),256,0)"},
      {umma("1(64, 64, 16)", "SMEM", "mma.make_fragment_C(cute.append(mma.partition_shape_C((128, 64)), 2))"),
       "(((16,4),64),2,1,2):(((65536,2097152),1),1048576,0,64)"},
      {umma("1(64, 64, 16)", "TMEM", "mma.make_fragment_C(cute.append(mma.partition_shape_C((128, 64)), 2))"),
       "(((16,4),64),2,1,2):(((65536,2097152),1),64,0,128)"},
      {umma("2(128, 128, 16)", "SMEM", "mma.make_fragment_C(mma.partition_shape_C((256, 128)))"),
       "((64,(64,2)),2,1):((65536,(1,4194304)),64,0)"},
      {umma("1(128, 64, 16)", "SMEM", "mma.make_fragment_C(mma.partition_shape_C((128, 128)))", "Float16"),
       "((128,64),1,2):((131072,2),0,128)"},
      {umma("1(64, 64, 16)", "TMEM", "mma.make_fragment_A(mma.partition_shape_A((128, 32)))"),
       "(((16,4),16),2,2):(((131072,4194304),1),16,32)"},
      {umma("2(256, 64, 16)", "TMEM", "mma.make_fragment_A(cute.make_layout(mma.partition_shape_A((512, 32))))"),
       "((128,16),2,2):((131072,1),16,32)"},
      {umma("1(128, 256, 16)", "SMEM",
            "sl = sm100_utils.make_smem_layout_a(mma, (128, 256, 64), cutlass.Float16, 3)\n"
            "mma.make_fragment_A(cute.make_tensor(cute.recast_ptr(cute.make_ptr(cutlass.Float16, 1024, cute.AddressSpace.smem, "
            "assumed_align=1024), sl.inner), sl.outer))"),
       "(1,1,4,3):(0,0,2,1024)"},
      {umma("2(256, 64, 16)", "TMEM",
            "sl = sm100_utils.make_smem_layout_b(mma, (256, 64, 64), cutlass.Float16, 3)\n"
            "mma.make_fragment_B(cute.make_tensor(cute.recast_ptr(cute.make_ptr(cutlass.Float16, 1024, cute.AddressSpace.smem, "
            "assumed_align=1024), sl.inner), sl.outer))"),
       "(1,1,4,3):(0,0,2,256)"},
      {umma("1(128, 256, 16)", "SMEM", "mma.make_fragment_C((4, 2))"),
       "make_fragment_C: (4,2):(1,4) has the shape (4,2); a part of C has three modes or more, and 32768 values of an atom in the first"},
      {umma("1(128, 256, 16)", "SMEM", "mma.make_fragment_A(mma.partition_shape_A((128, 64)))"),
       "make_fragment_A: SM100_MMA_F16BF16_SS<half_t,half_t,float,128,256,UMMA::Major::K,UMMA::Major::K> reads this operand through "
       "descriptors of shared memory, so its fragment is a view of the tensor there; this is a shape"},
  };
  for (const Row& each : rows) {
    INFO(each.program);
    CHECK(value_of(each.program) == each.answer);
  }
}

// What CuTe 4.7, compiled for the host, prints of partition_fragment_A and _B of tensors in shared memory.
TEST_CASE("the descriptors of a wgmma's operand are counted in units of 16 bytes") {
  const auto fragment = [](std::string_view mma, std::string_view layout, std::string_view operand) {
    return value_of(
        fmt::format("auto mma = make_tiled_mma({});\n"
                    "auto t = make_tensor(make_smem_ptr<half_t>(0), tile_to_shape(GMMA::Layout_{}));\n"
                    "auto thr = mma.get_slice(0);\n"
                    "thr.make_fragment_{}(thr.partition_{}(t)).layout()",
                    mma, layout, operand, operand));
  };
  constexpr std::string_view kK = "SM90_64x128x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::K>{}";
  constexpr std::string_view kMn = "SM90_64x128x16_F32F16F16_SS<GMMA::Major::MN,GMMA::Major::MN>{}";
  constexpr std::string_view kTwo = "SM90_64x64x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::K>{}, Layout<Shape<_2,_1,_1>>{}";
  struct Row {
    std::string_view mma, layout, operand, answer;
  };
  const Row rows[] = {
      {kK, "K_SW128_Atom<half_t>{}, Shape<_128,_64,_3>{}", "A", "(1,2,4,(1,3)):(0,512,2,(0,1024))"},
      {kK, "K_SW128_Atom<half_t>{}, Shape<_128,_64,_3>{}", "B", "(1,1,4,(1,3)):(0,0,2,(0,1024))"},
      {kK, "K_SW32_Atom<half_t>{}, Shape<_128,_64,_3>{}", "A", "(1,2,4,(1,3)):(0,128,256,(0,1024))"},
      {kK, "K_INTER_Atom<half_t>{}, Shape<_128,_64>{}", "A", "(1,2,4):(0,64,256)"},
      {kMn, "MN_SW128_Atom<half_t>{}, Shape<_128,_64,_3>{}", "A", "(1,2,4,(1,3)):(0,64,256,(0,1024))"},
      {kMn, "MN_SW128_Atom<half_t>{}, Shape<_128,_64,_3>{}", "B", "(1,1,4,(1,3)):(0,0,256,(0,1024))"},
      {kMn, "MN_SW64_Atom<half_t>{}, Shape<_256,_32,_2>{}", "A", "(1,4,2,(1,2)):(0,64,512,(0,1024))"},
      {kMn, "MN_SW64_Atom<half_t>{}, Shape<_256,_32,_2>{}", "B", "(1,2,2,(1,2)):(0,128,512,(0,1024))"},
      {kTwo, "K_SW128_Atom<half_t>{}, Shape<_128,_64,_3>{}", "A", "(1,1,4,(1,3)):(0,0,2,(0,1024))"},
  };
  for (const Row& each : rows) {
    INFO(each.mma << " " << each.layout << " " << each.operand);
    CHECK(fragment(each.mma, each.layout, each.operand) == each.answer);
    const std::string partition = fmt::format(
        "partition_fragment_{}(make_tiled_mma({}), make_tensor(make_smem_ptr<half_t>(0), "
        "tile_to_shape(GMMA::Layout_{})))",
        each.operand, each.mma, each.layout);
    CHECK(value_of(partition + ".layout()") == each.answer);
  }
  CHECK(value_of("partition_fragment_A(make_tiled_mma(" + std::string(kK) +
                 "), make_tensor(make_gmem_ptr<half_t>(0), make_layout((128,64))))")
            .find("this is in gmem") != std::string::npos);
}
