// SPDX-License-Identifier: BSD-3-Clause
// What print, print_cpp and print_dsl write can be pasted back, and is the same value then.
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "core/atom/copy/print_atoms.hpp"
#include "core/atom/instructions/catalog.hpp"
#include "core/lang/programs/evaluate.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

std::string evaluated(const std::string& text) {
  const Result<Value> value = evaluate(text);
  INFO(text);
  if (!value) FAIL_CHECK(describe(value.error(), text));
  return value ? to_string(*value) : std::string();
}

// The text that `function` gives for an expression.
std::string spelled(const std::string& function, const std::string& expression) {
  const Result<Value> value = evaluate(function + "(" + expression + ")");
  INFO(function << " of " << expression);
  if (!value) FAIL_CHECK(describe(value.error()));
  return value ? std::get<std::string>(value->any) : std::string();
}

const std::vector<std::string> kValues = {
    "8",
    "(4,(2,3))",
    "(4,8):(8,1)",
    "((4,8),(2,2)):((32,1),(16,8))",
    "(4):(2)",
    "(4,8):(-8,1)",
    "(4,8):(1@0,1@1)",
    "(2,3):(3@1@0,1@1)",
    "Sw<3,3,3> o 0 o (8,64):(64,1)",
    "Sw<2,0,-2> o 5 o (4,8):(1,4)",
    "Sw<3,4,3>",
    "(4:2,_)",
    "SM80_16x8x16_F32F16F16F32_TN",
    "SM90_64x128x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::MN>",
    "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1):(1,2,0), (32,(2,4,4):(1,8,2),16))",
    "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1):(1,2,0), (_,_,_))",
    "Copy_Atom<SM75_U32x4_LDSM_N, half_t>",
    "make_tiled_copy_impl(Copy_Atom<SM75_U32x4_LDSM_N, half_t>, ((2,16),8):((128,1),16), (16,16))",
};

}  // namespace

TEST_CASE("a value in C++ or in the DSL reads back as that value") {
  for (const std::string& value : kValues) {
    CHECK(evaluated(spelled("print_cpp", value)) == value);
    CHECK(evaluated(spelled("print_dsl", value)) == value);
  }
}

TEST_CASE("a value as CuTe prints it reads back as one that CuTe prints alike") {
  for (const std::string& value : kValues) {
    const std::string printed = spelled("print", value);
    CHECK(spelled("print", evaluated(printed)) == printed);  // an atom's dump has no name: another with its layouts will do
  }
}

TEST_CASE("CuTe's dumps of tiled objects have CuTe's lines") {
  CHECK(spelled("print", "make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT, (2,2):(2,1), (32,32,4))") ==
        "TiledMMA\n"
        "  ThrLayoutVMNK:  ((_4,_2),_2,_2,_1):((_1,_16),_8,_4,_0)\n"
        "  PermutationMNK: (_32,_32,_4)\n"
        "MMA_Atom\n"
        "  ThrID:      (_4,_2):(_1,_16)\n"
        "  Shape_MNK:  (_8,_8,_4)\n"
        "  LayoutA_TV: ((_4,_2),_4):((_8,_4),_1)\n"
        "  LayoutB_TV: ((_4,_2),_4):((_8,_4),_1)\n"
        "  LayoutC_TV: ((_2,_2,_2),(_2,_2,_2)):((_1,_16,_4),(_8,_2,_32))");
  CHECK(spelled("print", "make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>,float>, (32,8), (4,1))") ==
        "TiledCopy\n"
        "  Tiler_MN:       (_128,_8)\n"
        "  TiledLayout_TV: (_256,_4):(_4,_1)\n"
        "Copy_Atom\n"
        "  ThrID:        _1:_0\n"
        "  ValLayoutSrc: (_1,_4):(_0,_1)\n"
        "  ValLayoutDst: (_1,_4):(_0,_1)\n"
        "  ValLayoutRef: (_1,_4):(_0,_1)\n"
        "  ValueType:    32b");
}

TEST_CASE("every MMA atom that the DSL has reads back from the DSL's name") {
  int warp = 0, wgmma = 0, umma = 0, dense_umma = 0;
  for (const std::string& name : mma_atom_names()) {
    const Result<MmaAtom> atom = find_mma_atom(name);
    REQUIRE(atom);
    const bool is_umma = atom->kind == MmaKind::umma;
    dense_umma += is_umma && !atom->sparse && name.find("SCALED") == std::string::npos && name.find("INTERLEAVED") == std::string::npos;
    const Result<std::string> text = print(*atom, Spelling::cute_dsl);
    if (!text) continue;
    ++(is_umma ? umma : atom->kind == MmaKind::wgmma ? wgmma : warp);
    CHECK(evaluated(*text) == name);
  }
  // 3 FMAs, 6 of mma.sync with 16-bit types, 2 with tf32, 4 with 8-bit floats of one type, 8 block-scaled; wgmma for every N.
  CHECK(warp == 23);
  CHECK(wgmma > 500);
  CHECK(umma == dense_umma);
  CHECK(umma > 900);
  CHECK_FALSE(print(*find_mma_atom("SM70_8x8x4_F32F16F16F32_NT"), Spelling::cute_dsl));
}

TEST_CASE("every copy of a warp and of tensor memory that the DSL has reads back from the DSL's name") {
  int tmem = 0, matrices = 0;
  for (const std::string& name : copy_atom_names()) {
    const bool is_tmem = name.find("TMEM_LOAD_STAT") == std::string::npos &&
                         (name.find("TMEM_LOAD") != std::string::npos || name.find("TMEM_STORE") != std::string::npos ||
                          name.find("UTCCP") != std::string::npos);
    const bool is_matrix = name.find("LDSM") != std::string::npos || name.find("STSM") != std::string::npos;
    if (!is_tmem && !is_matrix) continue;
    const ValueType type = is_matrix ? ValueType::u8 : ValueType::f32;
    Result<CopyAtom> atom = CopyAtom::make(find_copy_atom(name).value(), type);
    if (!atom) atom = CopyAtom::make(find_copy_atom(name).value(), ValueType::f16);
    REQUIRE(atom);
    const Result<std::string> text = print(*atom, Spelling::cute_dsl);
    REQUIRE(text);
    CHECK(evaluated(*text) == fmt::format("Copy_Atom<{}, {}>", name, cute_name(atom->value_type)));
    tmem += is_tmem;
    matrices += is_matrix;
  }
  CHECK(tmem > 140);
  CHECK(matrices >= 23);
}

TEST_CASE("an operation of the DSL that it would refuse is refused") {
  const auto refused = [](std::string_view text, std::string_view rule) {
    const Result<Value> value = evaluate(std::string(text));
    REQUIRE_FALSE(value);
    CHECK(value.error().message.find(rule) != std::string::npos);
  };
  const std::string one = "cute.nvgpu.tcgen05.CtaGroup.ONE", smem = "cute.nvgpu.tcgen05.OperandSource.SMEM";
  refused("tcgen05.MmaTF32Op((128, 128, 16), " + one + ", " + smem + ", OperandMajorMode.K, OperandMajorMode.K)", "K is 8, not 16");
  refused("tcgen05.MmaI8Op(Int8, (128, 24), " + one + ", " + smem + ", OperandMajorMode.K, OperandMajorMode.MN)", "a multiple of 16");
  refused("tcgen05.MmaF16BF16Op(Float32, Float32, (128, 24), " + one + ", " + smem + ", OperandMajorMode.K, OperandMajorMode.K)",
          "Float16 or BFloat16, not Float32");
  refused("tcgen05.MmaF16BF16Op(Float16, Float32, (128, 24), " + one + ", OperandSource.RMEM, OperandMajorMode.K, OperandMajorMode.K)",
          "not in RMEM");
  refused("warp.MmaMXF4Op(Float4E2M1FN, Float32, Float8E4M3FN)", "Float8E8M0FNU");
  refused("warp.MmaMXF8F6F4Op(Float8E4M3FN, Float8E5M2, Float32, Float8E8M0FNU)", "the other has 8 bits");
  refused("cute.nvgpu.tcgen05.Ld16x256bOp(cute.nvgpu.tcgen05.Repetition.x64)", "SM100_TMEM_LOAD_16dp256b64x");
}

TEST_CASE("the bit matrix of a layout gives the layout back") {
  for (const std::string layout : {"(4,8):(8,1)", "Sw<3,3,3> o 0 o (8,64):(64,1)", "(2,2,2):(4,1,2)", "2:8"}) {
    const std::string back = evaluated("from_bit_matrix(bit_matrix(" + layout + "))");
    CHECK(evaluated("image(" + back + ")") == evaluated("image(" + layout + ")"));
  }
}

TEST_CASE("the beginning of an atom's name is completed where there is one, and listed where there are several") {
  CHECK(evaluated("SM75_U32x4_LDSM") == "Copy_Traits<SM75_U32x4_LDSM_N>");
  const Result<Value> many = evaluate("SM90_64x128x16");
  REQUIRE_FALSE(many);
  REQUIRE(many.error().notes.size() == 9);
  CHECK(many.error().notes.front().starts_with("SM90_64x128x16_"));
  CHECK_FALSE(evaluate("SM80_16x8x16_F32F16F16F32_T"));  // half a word is no short form
}
