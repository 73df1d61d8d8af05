// SPDX-License-Identifier: BSD-3-Clause
// The GEMM that a request names, and the kernels of the tour as a person last read them.
#include "app/session/gemm/gemm_request.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "app/session/files/document_io.hpp"
#include "app/session/files/line_diff.hpp"
#include "core/gemm/lower/lower.hpp"
#include "core/gemm/rungs/ladder.hpp"
#include "core/gemm/spec_fields.hpp"
#include "kernels/codegen/emit_gemm.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/edge_specs.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/majors.hpp"
#include "tests/support/role_plans.hpp"
#include "tests/support/typed_specs.hpp"
#include "tests/support/wgmma_specs.hpp"

using namespace tessera;

namespace {

// What was and what is: the lines that changed, with two around them.
std::string changes(std::string_view was, std::string_view is) {
  constexpr std::size_t kAround = 2;
  const std::vector<DiffLine> lines = line_diff(was, is);
  std::vector<bool> shown(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].kind == DiffLine::Kind::same) continue;
    for (std::size_t j = i < kAround ? 0 : i - kAround; j < std::min(i + kAround + 1, lines.size()); ++j) shown[j] = true;
  }
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!shown[i]) continue;
    if (i > 0 && !shown[i - 1]) text += "...\n";
    text += (lines[i].kind == DiffLine::Kind::same ? "  " : lines[i].kind == DiffLine::Kind::added ? "+ " : "- ") + lines[i].text;
  }
  return text;
}

void expect_golden(const std::string& name, const std::string& now) {
  const std::string was = testing::golden(name, now);
  INFO("tests/golden/" << name << " is not what is emitted now. Read the changes; TESSERA_ACCEPT=1 takes them.\n" << changes(was, now));
  CHECK(was == now);
}

}  // namespace

TEST_CASE("fields that are set travel to a worker with the document, and are read there with its bindings in sight") {
  GemmRequest asked;
  asked.document =
      "let mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2))\n"
      "let rows = (64,16):(24,1)\n"
      "let small = gemm(m=64, n=64, k=32, mma=mma, cta_tiler=(64,64,16), gA=(64,32):(40,1))\n";
  asked.binding = "small";
  asked.set = {
      {"stages", "2"}, {"sA", "rows"}, {"sB", "Sw<1,3,3> o 0 o (64,16):(16,1)"}, {"type_c", "\"f16\""}, {"name", R"("it's \\ \"so\"")"},
      {"stages", "3"}, {"k", "8 * 2"}};
  const std::string text = to_spec_text(asked);
  CHECK(std::count(text.begin(), text.end(), '\n') == 1 + std::count(asked.document.begin(), asked.document.end(), '\n'));
  const GemmRequest read = read_spec_text(text).value();
  CHECK(read.binding == "small");
  CHECK(read.document == asked.document);
  CHECK(read.set == asked.set);
  const GemmSpec sent = spec_of(asked).value(), received = spec_of(read).value();
  CHECK(to_string(received) == to_string(sent));
  CHECK(sent.stages == 3);
  CHECK(to_string(*sent.sA) == "(64,16):(24,1)");
  CHECK(sent.type_c == ValueType::f16);
  CHECK(sent.k == 16);
  CHECK(sent.name == R"(it's \ "so")");
  CHECK(to_string(*sent.gA) == "(64,16):(40,1)");
}

TEST_CASE("every field of gemm(...) travels in a request, whatever characters its value has") {
  for (const SpecField& field : spec_fields()) {
    for (const char* value : {"", "\"", "\"\"", "a b", "\"f16\"", "a\\", "\\\"", "(1,\n 2)", " x ", "m=8", "\xc3\xa4", "#"}) {
      GemmRequest asked;
      asked.document = "let g = 1\n";
      asked.set = {{std::string(field.name), value}, {"stages", "2"}};
      INFO(field.name << " = " << value);
      const Result<GemmRequest> read = read_spec_text(to_spec_text(asked));
      REQUIRE(read);
      CHECK(read->set == asked.set);
      CHECK(read->document == asked.document);
      CHECK(read->binding.empty());
    }
  }
}

TEST_CASE("a first line of any signs is refused, or read and travels on as it was read") {
  const std::vector<std::string> pieces{"m=8",  "n=",   "k=\"2 * 4\"", "m=\"16\"", "stages=2",       "sA=", "\"",
                                        "\\",   "\\\"", " ",           " ",        "name=\"",        "a",   "=",
                                        "\"\"", "\\n",  "#",           "\xc3\xa4", "stages=\"a b\"", "k=7"};
  std::mt19937 random(3);
  int read = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string line;
    for (std::size_t n = random() % 7; n > 0; --n) line += pieces[random() % pieces.size()];
    INFO(line);
    const Result<GemmRequest> first = read_spec_text("#! gemm " + line + (random() % 2 ? "\nlet a = 1\n" : ""));
    if (!first) {
      REQUIRE((first.error().code == ErrorCode::bad_message || first.error().code == ErrorCode::bad_extent));
      continue;
    }
    ++read;
    const Result<GemmRequest> again = read_spec_text(to_spec_text(*first));
    REQUIRE(again);
    REQUIRE(again->document == first->document);
    REQUIRE(again->binding == first->binding);
    REQUIRE((again->m == first->m && again->n == first->n && again->k == first->k));
    REQUIRE(again->set == first->set);
  }
  CHECK(read > 2000);
}

TEST_CASE("each extent alone is taken, from 1 on, and changes no other") {
  const std::string document = "gemm(m=16, n=48, k=8, mma=make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT, (2,2):(2,1)))";
  for (const std::string extent : {"m", "n", "k"}) {
    for (const std::int64_t value : {1, 2, 64}) {
      const std::string line = "#! gemm " + extent + "=" + std::to_string(value) + "\n";
      INFO(line);
      const GemmSpec spec = spec_of(read_spec_text(line + document).value()).value();
      CHECK(spec.m == (extent == "m" ? value : 16));
      CHECK(spec.n == (extent == "n" ? value : 48));
      CHECK(spec.k == (extent == "k" ? value : 8));
    }
    for (const std::string none : {"0", "-1", "1x"}) CHECK_FALSE(read_spec_text("#! gemm " + extent + "=" + none + "\n" + document));
  }
}

TEST_CASE("a compact matrix of rows or columns grows with the extents, and any other is refused") {
  const auto grown = [](const std::string& layouts, const char* k) {
    GemmRequest asked;
    asked.document = "gemm(m=32, n=16, k=8, mma=make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT, (2,2):(2,1)), " + layouts + ")";
    asked.m = 64, asked.n = 128, asked.set = {{"k", k}};
    return spec_of(asked);
  };
  const GemmSpec larger = grown("gA=(32,8):(8,1), gB=(16,8):(1,16), gC=(32,16):(16,1)", "24").value();
  CHECK(to_string(*larger.gA) == "(64,24):(24,1)");
  CHECK(to_string(*larger.gB) == "(128,24):(1,128)");
  CHECK(to_string(*larger.gC) == "(64,128):(128,1)");
  CHECK(to_string(*grown("gB=(16,8):(1,16)", "4")->gB) == "(128,4):(1,128)");
  for (const char* layouts : {"gA=(32,8):(9,1)", "gB=(16,8):(1,17)", "gA=((4,8),8):((1,4),32)", "gC=(32,16):(1,16)"}) {
    INFO(layouts);
    const auto refused = grown(layouts, "24");
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().message.find("it has no such part") != std::string::npos);
  }
  GemmRequest rung;
  rung.document = "rung(9)";
  rung.m = rung.n = rung.k = 2048;
  CHECK(difference(spec_of(rung).value(), find_rung(9)->spec(2048, 2048, 2048).value()).empty());
}

TEST_CASE("of an extent that is set twice the later is sent, as it is meant") {
  GemmRequest asked;
  asked.document = "gemm(m=16, n=16, k=8, mma=make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT, (2,2):(2,1)))";
  asked.m = 64;
  asked.set = {{"m", "8 * 2"}, {"m", "32"}};
  CHECK(spec_of(asked)->m == 32);
  CHECK(spec_of(read_spec_text(to_spec_text(asked)).value())->m == 32);
}

TEST_CASE("a field that does not exist, or has no such value, is refused by name before anything is lowered") {
  GemmRequest asked;
  asked.document = "gemm(m=16, n=16, k=8, mma=make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT, (2,2):(2,1)))";
  for (const auto& [field, value, says] :
       {std::tuple{"stage", "2", "gemm(...) has no field stage"},
        {"stages", "two", "stages: the name two is not defined"},
        {"n", "0", "n = 0, but an extent is at least 1"},
        {"fragments", "some", "fragments: \"some\" is not automatic, one_k_block, next_k_block or all_k_blocks"}}) {
    asked.set = {{field, value}};
    const Result<GemmSpec> spec = spec_of(asked);
    INFO(field << " = " << value);
    REQUIRE_FALSE(spec);
    CHECK(spec.error().message == says);
  }
  CHECK_FALSE(parse_field_text("stages"));
  CHECK_FALSE(parse_field_text("=3"));
  CHECK_FALSE(parse_field_text("stages="));
  CHECK(parse_field_text("stage=3").error().notes.front().find("stages") != std::string::npos);
  CHECK(parse_field_text("sA=(2,2):(1,2)").value() == FieldText{"sA", "(2,2):(1,2)"});
  CHECK(read_spec_text("#! gemm small n=24 stages=2\n").value().n == 24);
  CHECK(read_spec_text("#! gemm small stages=2\n").value().set == std::vector<FieldText>{{"stages", "2"}});
  CHECK_FALSE(read_spec_text("#! gemm small stage=2\n"));
  CHECK_FALSE(read_spec_text("#! gemm small stages\n"));
}

TEST_CASE("every refusal of a GEMM names its rule, its numbers and the field, whatever is wrong with it") {
  // What is set in a GEMM of 128 x 128 x 64 on four warps, and the words of the refusal.
  static constexpr std::pair<const char*, const char*> kRefused[] = {
      {"m=1073741825", "m is 1073741825; the limit is 16777216"},
      {"stages=0", "stages is 0; it must be 1 to 16"},
      {"stages=17", "stages is 17; it must be 1 to 16"},
      {"stages=-1", "stages is -1; it must be 1 to 16"},
      {"alpha=1e39", "alpha is 1e+39 and beta is 0; both must be finite in fp32"},
      {"beta=-1e39", "alpha is 1 and beta is -1e+39; both must be finite in fp32"},
      {"raster_group=-1", "raster_group is -1; it counts tiles, 0 for one"},
      {"cta_tiler=(64,64)", "cta_tiler is (64,64); it must be (BLK_M,BLK_N,BLK_K)"},
      {"cta_tiler=8", "cta_tiler is 8; it must be (BLK_M,BLK_N,BLK_K)"},
      {"cta_tiler=(0,64,16)", "cta_tiler is (0,64,16); its extents are 1 to 16777216"},
      {"cta_tiler=(64,(32,2),16)", "cta_tiler is (64,(32,2),16); it must be (BLK_M,BLK_N,BLK_K)"},
      {"cta_tiler=(64,64,24)", "BLK_K 24 is not a multiple of the tiled MMA's K 16"},
      {"cta_tiler=(8,64,16)", "BLK_M 8 is not a multiple of the tiled MMA's M 32"},
      {"gA=(64,128):(64,1)", "gA is (64,128):(64,1); its modes must have 128 and 64 elements"},
      {"gA=(128,64):(1@0,1@1)", "gA has basis strides; memory needs integers"},
      {"gA=(128,64):(-64,1)", "gA has the negative stride -64"},
      {"gB=(128,65):(65,1)", "gB is (128,65):(65,1); its modes must have 128 and 64 elements"},
      {"gC=(128,128):(128,0)", "gC = (128,128):(128,0) puts elements (0,0) and (0,1) of C at one offset, 0, which two threads would write"},
      {"gC=(128,128):(1,1)", "gC = (128,128):(1,1) puts elements (1,0) and (0,1) of C at one offset, 1, which two threads would write"},
      {"sA=(64,32):(32,1)", "sA is (64,32):(32,1); its modes must have 128 and 64 elements, as cta_tiler says"},
      {"sA=(128,64):(1,1)", "sA = (128,64):(1,1) puts two elements at offset 1; the second is (0,1)"},
      {"sA=(128,64):(-64,1)", "sA maps (1,0) to the negative offset -64"},
      {"sB=(128,64):(0,1)", "sB = (128,64):(0,1) puts two elements at offset 0; the second is (1,0)"},
      {"sA=(128,64):(64,1) o 0 o Sw<3,3,3>",
       "sA is (128,64):(64,1) o 0 o Sw<3,3,3>; in shared memory a layout is L or Sw<B,M,S> o offset o L"},
      {"copy_a=make_tiled_copy(Copy_Atom<SM75_U32x4_LDSM_N, half_t>, (32,1), (1,8))",
       "SM75_U32x4_LDSM_N is no copy from global to shared memory that this schedule knows"},
      {"copy_a=make_tiled_copy(Copy_Atom<UniversalCopy<half_t>, half_t>, (32,32))",
       "copy_a shares the tile among 1024 threads; the tiled MMA has 128"},
      {"copy_a=make_tiled_copy(Copy_Atom<UniversalCopy<half_t>, half_t>, (12,8))",
       "copy_a's tile (12,8) does not divide the 128x64 tile of sA"},
      {"copy_a=make_tiled_copy(Copy_Atom<UniversalCopy<uint256_t>, half_t>, (16,4), (1,16))",
       "copy_a moves 256 bits with one instruction; a thread moves 8, 16, 32, 64 or 128"},
      {"copy_a=make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>, (8,16), (8,1))",
       "copy_a reads 8 elements at once, which are not neighbours at an aligned place in gA = (128,64):(64,1)"},
      {"copy_a=make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>, (16,8), (1,8)), sA=(128,64):(1,128)",
       "copy_a writes 8 elements at once, which are not neighbours at an aligned place in sA = (128,64):(1,128)"},
      {"copy_b=make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<uint32_t>, half_t>, (16,8), (1,2)), copies=ahead, stages=1",
       "with one stage, the next tile waits in registers while this one is multiplied, but copy_b is SM80_CP_ASYNC_CACHEALWAYS<uint32_t>, "
       "which goes past them"},
      {"smem_copy_a=SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>",
       "SM80_CP_ASYNC_CACHEGLOBAL<uint128_t> is no copy from shared memory to registers that this schedule knows"},
      {"smem_copy_a=SM75_U32x4_LDSM_N, sA=(128,64):(1,128)",
       "SM75_U32x4_LDSM_N reads rows of 8 elements, which are not neighbours at a 16-byte boundary in sA = (128,64):(1,128)"},
      {"smem_copy_a=SM75_U32x4_LDSM_N, sA=(128,64):(65,1)",
       "SM75_U32x4_LDSM_N reads rows of 8 elements, which are not neighbours at a 16-byte boundary in sA = (128,64):(65,1)"},
      {"smem_copy_b=SM75_U16x8_LDSM_T",
       "((4,8,2,2),((2,2),(1,1))):((32,1,0,8),((16,128),(0,0))) has 4 values, and SM75_U16x8_LDSM_T needs a multiple of 8"},
      {"mma=make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,2))",
       "the atom layout (2,2,2):(1,2,4) has 2 atoms along K, whose partial sums would have to be added"},
      {"mma=make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1):(0,1,0))",
       "two atoms share threads: 128 logical threads on 64 hardware threads ((32,2,2,1):(1,0,32,0))"},
      {"mma=make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (64,1,1)), m=1024, cta_tiler=(1024,64,16)",
       "the tiled MMA has 2048 threads, with ids up to 2047; a CTA has at most 1024"},
      {"mma=make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), (24,16,16))",
       "the permutation (24,16,16) makes the tile 24 elements in M, which is no multiple of the 32 that its atoms cover"},
      {"mma=make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), (32:0,16,16))",
       "element (0,0) of gC's tile has two owners under the permutation (32:0,16,16)"},
      {"mma=make_tiled_mma(SM100_MMA_F16BF16_SS<half_t,half_t,float,128,128,UMMA::Major::K,UMMA::Major::K>)", "no kernel"},
      {"mma=make_tiled_mma(CDNA3_32x32x8_F32F16F16F32)",
       "CDNA3_32x32x8_F32F16F16F32 is an instruction of gfx942; kernels are emitted for NVIDIA's architectures"},
      {"mma=make_tiled_mma(SM120_16x8x32_TN<float_e3m2_t,float_e4m3_t,float>)",
       "multiplies e3m2 by e4m3; A and B of one width are supported"},
      {"mma=make_tiled_mma(UniversalFMA<float,float,float,float>, (5,7,1)), cta_tiler=(5,7,1), m=5, n=7, k=4",
       "the tiled MMA has 35 threads, which neither fill 64 threads of whole warps nor divide them"},
      {"mma=make_tiled_mma(UniversalFMA<float,float,float,float>, (48,1,1)), cta_tiler=(48,16,8), m=48",
       "the tiled MMA has 48 threads, which neither fill 64 threads of whole warps nor divide them"},
      {R"(name="two\nlines")", "the name of a GEMM stands in its kernel, and has no line ends or control characters"},
  };
  for (const auto& [set, words] : kRefused) {
    INFO(set);
    std::string fields;
    for (const auto& [name, value] :
         {std::pair{"m", "128"}, {"n", "128"}, {"k", "64"}, {"mma", "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1))"}}) {
      const std::string field = std::string(name) + "=";
      if (!std::string_view(set).starts_with(field) && std::string_view(set).find(", " + field) == std::string_view::npos)
        fields += field + value + ", ";
    }
    GemmRequest asked;
    asked.document = "gemm(" + fields + set + ")";
    const Result<GemmPlan> plan = plan_of(asked);
    REQUIRE_FALSE(plan);
    CHECK(describe(plan.error()).find(words) != std::string::npos);
  }
}

TEST_CASE("the kernel of each GEMM of the tour is the text that a person last read") {
  const Document tour = load_document(find_asset("presets/tour.tess").value()).value();
  std::set<std::string> expected;
  for (const EvaluatedBinding& binding : evaluate(tour)) {
    if (!binding.value || !std::holds_alternative<std::shared_ptr<const GemmSpec>>(binding.value->any)) continue;
    GemmRequest request;
    request.document = to_text(tour);
    request.binding = binding.name;
    const KernelSource source = emit_gemm(plan_of(request).value()).value();
    expect_golden("kernels/" + binding.name + ".cu", source.text);
    expected.insert(binding.name + ".cu");
    if (expected.size() > 1) continue;  // the frame of a whole program is the same for all
    expect_golden("kernels/" + binding.name + "_standalone.cu", standalone_program(source));
    expected.insert(binding.name + "_standalone.cu");
  }
  std::set<std::string> kept;
  for (const auto& file : std::filesystem::directory_iterator(testing::golden_path("kernels")))
    kept.insert(file.path().filename().string());
  CHECK(kept == expected);
}

namespace {

GemmSpec named(std::string name, GemmSpec spec, double alpha, double beta) {
  spec.name = std::move(name), spec.alpha = alpha, spec.beta = beta;
  return spec;
}

// What the tour's kernels do not do: other elements, other ways into registers and out of them, rings of other lengths.
std::vector<GemmSpec> other_kernels() {
  using support::layout;
  std::vector<GemmSpec> specs{
      named("doubles_to_bf16", support::typed("SM80_8x8x4_F64F64F64F64_TN", ValueType::bf16, 3), 0.5, -2),
      named("bytes_to_bytes", support::typed("SM80_16x8x32_S32S8S8S32_TN", ValueType::i8, 1), 0.5, 0),
      named("unsigned_bytes", support::typed("SM80_8x8x16_S32U8U8S32_TN", ValueType::i32, 4), 1, 0),
      named("tf32_to_tf32", support::typed("SM80_16x8x8_F32TF32TF32F32_TN", ValueType::tf32, 2), 1, 1),
      named("sums_of_f16", support::typed("SM80_16x8x16_F16F16F16F16_TN", ValueType::f16, 1), 1, 1),
      named("fma_of_floats", support::typed("UniversalFMA<float,float,float,float>", ValueType::f32, 3, 8), 1, 0),
      named("register_tile", support::register_tile(), 1, 0),
      named("wide_quad_pairs", support::wide_quad_pairs(), 2, -1),
      named("one_k_block", support::single_block_specs().back(), 2, 0),
      named("words_of_bytes", support::wide_stores(support::tensor(128, 256, 64, 128, 256, 32, 2, 2, 4), 4), 1, 0),
      named("words_of_halves", support::wide_stores(support::tensor(256, 256, 32, 128, 256, 32, 3, 2, 4), 8), 1, 0),
      named("by_hand", support::tensor(64, 64, 64, 64, 64, 32, 3), 1, 0),
      named("by_columns", support::tensor(128, 64, 96, 64, 64, 32, 2), 1, -1),
      named("far_apart", support::tensor(256, 128, 64), 3, 0),
      named("copied_ahead", support::typed("SM80_16x8x16_F32BF16BF16F32_TN", ValueType::f32, 1), 1, 0),
      named("few_copy", support::typed("SM80_16x8x16_F32F16F16F32_TN", ValueType::f32, 2, 4), 1, 0),
      named("repeating", support::repeating(), 1, -2),
      named("quad_pairs", support::typed("SM70_8x8x4_F16F16F16F16_NN", ValueType::f32, 1), 1, 0),
      named("warp_specialised", support::hopper(Overlap::none, 512, 512, 512, 128, 128, 2), 1, 0),
      named("a_cta_a_tile", support::hopper(Overlap::none, 256, 256, 128, 128, 128, 2), 1, 0),
      named("deferred_store", support::hopper(Overlap::deferred, 512, 512, 256, 128, 256, 2), 0.5, 0),
      named("skewed_halves", support::hopper(Overlap::skewed, 1024, 512, 320, 256, 128, 2), 1, 0),
      named("threads_along_m", support::element_a_thread(true), 1, 0),
      named("threads_along_n", support::element_a_thread(false, 1), 2, 1),
      named("halves_from_gmem", support::from_gmem(support::tensor(128, 64, 96, 64, 64, 32, 1)), 1, 0),
      named("along_m_and_n", support::with_majors(support::hopper(Overlap::none, 256, 512, 128, 128, 256, 2), {true, true}), 1, 0),
      named("fp8_to_bf16", support::typed("SM89_16x8x32_F32E4M3E5M2F32_TN", ValueType::bf16, 3), 1, 0),
      named("c_added_in_boxes", support::wgmma("32_F32E4M3E5M2_SS_TN", ValueType::f32, Overlap::none), 2, 0.5),
      named("words_in_turn", support::wgmma("32_S32S8U8_SS_TN", ValueType::i32, Overlap::ping_pong), 1, 0),
      named("ping_pong", support::hopper(Overlap::ping_pong, 512, 512, 192, 64, 128, 1), 1, 0),
      named("stored_by_threads", support::stored_by_threads(support::hopper(Overlap::none, 256, 128, 192, 128, 64, 2)), 2, 0.5),
  };
  for (const Rung& rung : ladder())
    specs.push_back(named(fmt::format("rung_{}_{}", rung.number, rung.name), rung.spec(1024, 1024, 1024).value(), 1, 0));
  // Tiles that reach beyond the problem: by threads, by cp.async and by TMA.
  for (const auto& [number, name] :
       {std::pair{5, "edges_of_floats"}, {9, "edges_of_halves"}, {11, "edges_of_pairs"}, {15, "edges_of_boxes"}})
    specs.push_back(named(name, support::of_rung(*find_rung(number), 1000, 1001, 1003), 1, 0));
  const auto called = [&](std::string_view name) -> GemmSpec& {
    return *std::find_if(specs.begin(), specs.end(), [&](const GemmSpec& spec) { return spec.name == name; });
  };
  called("words_of_bytes").type_c = ValueType::i8;
  called("copied_ahead").copies = Copies::ahead;
  called("sums_of_f16").m = 64, called("sums_of_f16").n = 192;  // tiles side by side
  called("words_of_halves").type_c = ValueType::f16;
  called("warp_specialised").ctas = 4, called("warp_specialised").raster_group = 2;
  called("a_cta_a_tile").cluster = IntTuple(1), called("a_cta_a_tile").ctas = 0;
  called("deferred_store").k_order = KOrder::zigzag, called("deferred_store").store_boxes = 2, called("deferred_store").ctas = 4;
  called("skewed_halves").ctas = 4;
  called("stored_by_threads").registers = IntTuple::tuple({24, 200});
  called("ping_pong").cluster = IntTuple::tuple({1, 2}), called("ping_pong").ctas = 4;
  GemmSpec& by_hand = called("by_hand");  // elements of a swizzled tile, one by one
  by_hand.mma = TiledMma::make(find_mma_atom("SM80_16x8x8_F32F16F16F32_TN").value(), by_hand.mma->atom_layout_mnk(), Underscore{}).value();
  by_hand.smem_copy_a = by_hand.smem_copy_b = std::nullopt;
  by_hand.gB = layout(IntTuple::tuple({64, 64}), IntTuple::tuple({1, 72}));
  by_hand.sA = by_hand.sB = ComposedLayout{Swizzle::make(3, 3, 3).value(), 0, layout(IntTuple::tuple({64, 32}), IntTuple::tuple({1, 64}))};
  GemmSpec& columns = called("by_columns");
  columns.gA = layout(IntTuple::tuple({128, 96}), IntTuple::tuple({1, 128}));
  columns.gC = layout(IntTuple::tuple({128, 64}), IntTuple::tuple({1, 136}));
  columns.sA = layout(IntTuple::tuple({64, 32}), IntTuple::tuple({1, 72}));
  columns.smem_copy_a = find_copy_atom("SM75_U16x8_LDSM_T").value();
  columns.smem_copy_b = find_copy_atom("SM75_U32x2_LDSM_N").value();
  called("far_apart").gA = layout(IntTuple::tuple({256, 64}), IntTuple::tuple({20000000, 1}));
  called("far_apart").gC =
      layout(IntTuple::tuple({IntTuple::tuple({2, 128}), 128}), IntTuple::tuple({IntTuple::tuple({40000000, 128}), 1}));
  return specs;
}

// The part of a text from its first `from` to its first `to` after that.
std::string part(const std::string& text, std::string_view from, std::string_view to) {
  const std::size_t begin = text.find(from), end = begin == std::string::npos ? begin : text.find(to, begin);
  if (end == std::string::npos) FAIL(from << " .. " << to << " does not stand there:\n" << text);
  return text.substr(begin, end + to.size() - begin);
}

// What differs between kernels: not the plan's lines, which are tested on their own, and not the functions that all of them call.
std::string told(const KernelSource& source) {
  const std::string program = standalone_program(source);
  std::string text = program.substr(0, program.find(source.text)) + part(source.text, "// ", "\n// Preconditions\n");
  text += part(source.text.substr(source.text.find("//   launch")), "//", "\n//\n") + part(source.text, "constexpr ", "{\n");
  const std::size_t body = std::min(source.text.find("  extern __shared__"), source.text.find("  const int thr = "));
  text += part(source.text.substr(body), "  ", "\n}\n");
  text += part(source.text, "\n// d += a * b", "\n}\n") + "\n" + part(source.reference_text, "// ", "\n}\n") + "\n";
  text += part(program, "int main() {\n", "check(cudaGetLastError()");
  const auto buffer = [](const BufferSpec& spec) { return fmt::format("{} {} of {} bytes", spec.elements, spec.type, spec.element_bytes); };
  text += fmt::format("\n\nlaunch: {} x {} x {} of {} x {} x {}, {} bytes; the definition: {} of {}\n", source.grid[0], source.grid[1],
                      source.grid[2], source.block[0], source.block[1], source.block[2], source.smem_bytes, source.reference_grid[0],
                      source.reference_block[0]);
  text += fmt::format("buffers: {}, {}, {}; sums of {}; {} operations; sm_{}{}\n", buffer(source.a), buffer(source.b), buffer(source.c),
                      source.accumulator, source.flops, source.least_sm, std::string(source.arch_suffix ? 1 : 0, source.arch_suffix));
  if (source.cluster > 1) text += fmt::format("clusters of {}\n", source.cluster);
  for (const TensorMapSpec& map : source.maps)
    text += fmt::format("{}: operand {} of {}, {} x {}, a row each {} bytes, boxes of {} x {} under a swizzle of {} bytes\n", map.name,
                        map.buffer, map.type, map.rows, map.columns, map.pitch_bytes, map.box_rows, map.box_columns, map.swizzle_bytes);
  const BlasProblem& blas = source.blas;
  text += blas.expressible ? fmt::format("blas: {} x {} x {}, A by {} of {}, B by {} of {}, C by {} of {}\n", blas.m, blas.n, blas.k,
                                         blas.a_k_major ? "rows" : "columns", blas.lda, blas.b_k_major ? "rows" : "columns", blas.ldb,
                                         blas.c_row_major ? "rows" : "columns", blas.ldc)
                           : fmt::format("blas: none, {}\n", blas.reason);
  return text;
}

}  // namespace

TEST_CASE("kernels of other elements, copies and rings are the texts that a person last read") {
  std::set<std::string> expected;
  const auto expect = [&](const GemmPlan& plan) {
    INFO(plan.name);
    const Result<KernelSource> source = emit_gemm(plan);
    if (!source) FAIL(describe(source.error()));
    expect_golden("emitted/" + plan.name + ".cu", told(*source));
    expected.insert(plan.name + ".cu");
  };
  for (const GemmSpec& spec : other_kernels()) {
    INFO(spec.name);
    const Result<GemmPlan> plan = lower(spec);
    if (!plan) FAIL(describe(plan.error()));
    expect(*plan);
  }
  for (const support::Parted how : support::kParted) expect(support::parted_plan(how, 192));
  std::set<std::string> kept;
  for (const auto& file : std::filesystem::directory_iterator(testing::golden_path("emitted")))
    kept.insert(file.path().filename().string());
  CHECK(kept == expected);
}
