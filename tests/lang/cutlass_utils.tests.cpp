// SPDX-License-Identifier: BSD-3-Clause
// What CUTLASS calls around CuTe, beside what the CuTe DSL and compiled CuTe made of the same calls (tests/oracle/cutlass_utils.jsonl).
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/lang/programs/evaluate.hpp"
#include "core/lang/programs/snippet.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/source_dir.hpp"

using namespace tessera;

namespace {

std::string without_marks(std::string text) {  // static integers and blanks
  std::erase_if(text, [](char c) { return c == '_' || c == ' '; });
  return text;
}

std::string value_of(const std::string& text) {
  const Result<Value> value = evaluate(text);
  if (!value) return "refused: " + value.error().message;
  const auto* words = std::get_if<std::string>(&value->any);
  return words ? *words : to_string(*value);
}

// "LayoutC_TV: ..." of what CuTe's print writes.
std::string printed_line(const std::string& call, std::string_view field) {
  const std::string text = value_of("print(" + call + ")");
  const std::string head = fmt::format("{}:", field);
  const std::size_t at = text.find(head);
  return at == std::string::npos ? text : text.substr(at + head.size(), text.find('\n', at) - at - head.size());
}

std::string evaluated(std::string_view program) {
  const SnippetAnswer answer = evaluate_snippet(program);
  const StatementAnswer* last = answer.last();
  return last && !last->values.empty() ? to_string(last->values.back().second) : "";
}

}  // namespace

TEST_CASE("helpers of CUTLASS make what the DSL and compiled CuTe make") {
  std::ifstream in(test::source_dir() + "/tests/oracle/cutlass_utils.jsonl");
  int rows = 0;
  for (std::string line; std::getline(in, line); ++rows) {
    const nlohmann::json row = nlohmann::json::parse(line);
    const std::string call = row["call"];
    CAPTURE(call);
    if (row.contains("value")) CHECK(without_marks(value_of(call)) == without_marks(row["value"]));
    for (const char* kind : {"mma", "copy"}) {
      const nlohmann::json fields = row.value(kind, nlohmann::json::object());
      for (const auto& [field, says] : fields.items()) CHECK(without_marks(printed_line(call, field)) == without_marks(says));
    }
    if (row.contains("threads")) CHECK(without_marks(printed_line(call, "ThrLayoutVMNK")).starts_with(without_marks(row["threads"])));
  }
  CHECK(rows >= 220);
}

TEST_CASE("modules of the DSL's utilities go by several names, and a type of C++ by another") {
  const std::string made = "Sw<3,3,3> o 0 o ((8,16),(64,1),(1,3)):((64,512),(1,0),(0,8192))";
  for (const char* module : {"sm90_utils", "utils.sm90", "cutlass.utils.hopper_helpers", "sm90_utils_basic"}) {
    CHECK(value_of(fmt::format("{}.make_smem_layout_a(utils.LayoutEnum.ROW_MAJOR, (128, 256, 64), cutlass.Float16, 3)", module)) == made);
  }
  CHECK(evaluated("using Config = cutlass::detail::Sm1xxBlockScaledConfig<16>;\n"
                  "auto sfa = Config::tile_atom_to_shape_SFA(cute::make_shape(256, 256, 128, 1));\nprint(sfa(make_coord(37, 48, 0)));\n") ==
        "87");
}

TEST_CASE("a module of another library that goes by the name of CUTLASS's is not read as that") {
  const auto value = [](std::string_view import) {
    return evaluated(
        fmt::format("{}\nx = sm90_utils.get_smem_layout_atom(utils.LayoutEnum.ROW_MAJOR, cutlass.Float16, 64)\nprint(x)\n", import));
  };
  CHECK(value("import cutlass.utils.hopper_helpers as sm90_utils") == "\"K_SW128\"");
  CHECK(value("from cutlass.utils import hopper_helpers as sm90_utils") == "\"K_SW128\"");
  CHECK(value("import quack.sm90_utils as sm90_utils") == "");
  CHECK(value("from quack import sm90_utils") == "");
  CHECK(evaluated("import math\nx = math.floor(7.5)\nprint(x)\n") == "7");
}

TEST_CASE("a last line that calls an unknown helper has no value without a word") {
  std::vector<Error> warnings;
  const Result<Value> value = evaluate("a = cute.make_layout((4, 8))\nutils.some_helper(a)", {}, &warnings);
  REQUIRE(value.has_value());
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].message.find("utils.some_helper") != std::string::npos);
  CHECK(warnings[0].message.find("this is the value of line 1") != std::string::npos);
}

TEST_CASE("wgmma goes by the names of CuTe's own namespace") {
  for (const char* name : {"SM90::GMMA::MMA_64x64x16_F32BF16BF16_SS", "GMMA::MMA_64x64x16_F32BF16BF16_SS", "MMA_64x64x16_F32BF16BF16_SS"}) {
    CHECK(value_of(fmt::format("make_tiled_mma({}<GMMA::Major::K,GMMA::Major::MN>{{}})", name)) ==
          value_of("make_tiled_mma(SM90_64x64x16_F32BF16BF16_SS<GMMA::Major::K,GMMA::Major::MN>{})"));
  }
  CHECK(value_of("make_tiled_mma(GMMA::MMA_64x63x16_F32BF16BF16_SS<GMMA::Major::K,GMMA::Major::K>{})").find("refused") == 0);
}

TEST_CASE("cutlass.utils passes its parts' helpers on") {
  CHECK(value_of("utils.sm90_make_smem_layout_a(utils.LayoutEnum.ROW_MAJOR, (128, 256, 64), cutlass.Float16, 3)") ==
        value_of("sm90_utils.make_smem_layout_a(utils.LayoutEnum.ROW_MAJOR, (128, 256, 64), cutlass.Float16, 3)"));
  CHECK(value_of("utils.compute_tile_shape_or_override((128,256,64), cutlass.Float16)") == "(64,32)");
  CHECK(value_of("utils.compute_epilogue_tile_shape((64, 96, 64), True, utils.LayoutEnum.ROW_MAJOR, cutlass.Float16)") ==
        value_of("sm100_utils.compute_epilogue_tile_shape((64, 96, 64), True, utils.LayoutEnum.ROW_MAJOR, cutlass.Float16)"));
  CHECK(value_of("utils.tile_atom_to_shape_SF((128, 128, 1), 16)") ==
        value_of("blockscaled_utils.tile_atom_to_shape_SF((128, 128, 1), 16)"));
  // compute_tile_shape_or_override is Hopper's there, and make_smem_layout_c is passed on by neither.
  CHECK(value_of("utils.sm90_make_smem_layout_c(1, 2, 3, 4, 5)").find("refused") == 0);
}

TEST_CASE("the order of a tensor's elements says how an MMA takes it") {
  const auto order = [](std::string_view layout, std::string_view more) {
    return value_of(
        fmt::format("t = cute.make_tensor(cute.make_ptr(cutlass.Float16, 0, cute.AddressSpace.gmem), cute.make_layout({}))\n"
                    "x = utils.LayoutEnum.from_tensor(t){}\nx",
                    layout, more));
  };
  CHECK(order("(128, 64), stride=(64, 1)", "") == "ROW_MAJOR");
  CHECK(order("(128, 64), stride=(1, 128)", "") == "COL_MAJOR");
  CHECK(order("(1, 64, 2), stride=(1, 1, 64)", ".mma_major_mode()") == "K");  // the only row has no order
  CHECK(order("((64, 2), 4), stride=((1, 256), 64)", ".sm90_mma_major_mode()") == "MN");
  CHECK(order("(128, 64), stride=(1, 128)", ".is_m_major_c()") == "true");
  CHECK(order("(128, 64), stride=(1, 128)", ".is_k_major_a()") == "false");
  CHECK(order("(4, 8, 16), stride=(16, 64, 1)", "").find("mode 2") != std::string::npos);
  CHECK(order("(4, 8), stride=(2, 8)", "").find("no mode") != std::string::npos);
}

TEST_CASE("tensor memory is allocated by columns") {
  const auto columns = [](std::string_view type, std::string_view layout, std::string_view arguments) {
    return value_of(
        fmt::format("t = cute.make_tensor(cute.make_ptr(cutlass.{}, 0, cute.AddressSpace.tmem), cute.make_layout({}))\n"
                    "x = utils.get_num_tmem_alloc_cols({})\nx",
                    type, layout, arguments));
  };
  CHECK(columns("Float32", "(128, 96), stride=(65536, 1)", "t") == "128");
  CHECK(columns("Float32", "(128, 96), stride=(65536, 1)", "t, rounding=False") == "96");
  CHECK(columns("Float16", "(128, 96), stride=(131072, 1)", "t, False") == "48");
  CHECK(columns("Float32", "(128, 1024), stride=(65536, 1)", "t").find("32 to 512") != std::string::npos);
  CHECK(value_of("utils.get_num_tmem_alloc_cols((128,96):(65536,1))").find("tensor memory") != std::string::npos);
}

TEST_CASE("helpers of CUTLASS refuse what they do not take, by name") {
  const auto refused = [](const std::string& call) { return evaluate(call).error().message; };
  CHECK(refused("sm90_utils.make_smem_layout_a(utils.LayoutEnum.DIAGONAL, (128, 256, 64), cutlass.Float16, 3)").find("COL_MAJOR") !=
        std::string::npos);
  CHECK(refused("sm90_utils.make_smem_layout_a(utils.LayoutEnum.ROW_MAJOR, (128, 256, 12), cutlass.Float16, 3)").find("16 bytes") !=
        std::string::npos);
  CHECK(refused("sm90_utils.make_smem_layout_a(utils.LayoutEnum.ROW_MAJOR, (128, 256), cutlass.Float16, 3)").find("modes") !=
        std::string::npos);
  CHECK(refused("sm90_utils.make_trivial_tiled_mma(cutlass.Float16, cutlass.BFloat16, cute.nvgpu.OperandMajorMode.K, "
                "cute.nvgpu.OperandMajorMode.K, cutlass.Float32, (1,1,1), (64,64))")
            .find("half_t and bfloat16_t") != std::string::npos);
  CHECK(refused("sm100_utils.make_trivial_tiled_mma(cutlass.Float16, cutlass.Float16, tcgen05.OperandMajorMode.K, "
                "tcgen05.OperandMajorMode.K, cutlass.Float32, tcgen05.CtaGroup.ONE)")
            .find("mma_tiler_mn") != std::string::npos);
  CHECK(refused("tile_atom_to_shape_SFA(\"Config\", (256,256,128))").find("Sm1xxBlockScaledConfig") != std::string::npos);
  CHECK(refused("Sm1xxBlockScaledConfig(0)").find("0 elements") != std::string::npos);
  CHECK(refused("tile_atom_to_shape_SFB(\"Sm1xxBlockwiseScaleConfig<1,0,128,K,K>\", (256,256,128))").find("BlockwiseScaleConfig") !=
        std::string::npos);
  CHECK(refused("Sm100BlockwiseScaleConfig(1,0,128)").find("0 elements") != std::string::npos);
  CHECK(refused("smem_atom_layoutSFA(Sm1xxBlockScaledConfig(16), (128,128,128))").find("another value") != std::string::npos);
  CHECK(refused("sm100_utils.compute_epilogue_tile_shape((128,8,64), False, utils.LayoutEnum.ROW_MAJOR, cutlass.Int8)").find("16") !=
        std::string::npos);
  CHECK(refused("sm100_utils.get_tmem_load_op((128,128,64), utils.LayoutEnum.ROW_MAJOR, cutlass.Float32, cutlass.Float16, (128,32), False)")
            .find("half_t and D of float") != std::string::npos);
  CHECK(refused("sm100_utils.cluster_shape_to_tma_atom_A((1,2,1), cute.make_layout(2))").find("2 CTAs") != std::string::npos);
  CHECK(refused("make_tmem_copy(SM100_TMEM_LOAD_32dp32b1x, (128,128):(65536,1))").find("tensor memory") != std::string::npos);
  CHECK(refused("make_tmem_copy(SM75_U32x4_LDSM_N, make_tensor(make_tmem_ptr(float), (128,128):(65536,1)))").find("tensor memory") !=
        std::string::npos);
}

TEST_CASE("tags of architectures have their least capability, and choices take what their condition says") {
  CHECK(value_of("cutlass::arch::Sm90::kMinComputeCapability") == "90");
  CHECK(value_of("arch::Sm100::kMinComputeCapability >= 90") == "true");
  CHECK(evaluated("using Tag = cutlass::arch::Sm80; auto x = make_layout(Int<Tag::kMinComputeCapability>{});") == "80:1");
  CHECK(value_of("search::Sm90").starts_with("refused"));
  CHECK(value_of("arch::Sm9").starts_with("refused"));
  CHECK(value_of("cute::conditional_return<true>((4,8):(8,1), 3)") == "(4,8):(8,1)");
  CHECK(value_of("cute::conditional_return<3 < 2>(unknown, 3)") == "3");  // the other needs no value
  CHECK(value_of("cute::conditional_return<3 < 2>(3, unknown)").starts_with("refused"));
}
