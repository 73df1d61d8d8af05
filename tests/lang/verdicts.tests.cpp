// SPDX-License-Identifier: BSD-3-Clause
// What becomes of a plan as a value of the language: does it fit together, what does the machine find, what is it without a line.
#include <memory>
#include <string>
#include <variant>

#include "core/lang/programs/evaluate.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

// A ring of two stages between a producer and a consumer.
constexpr const char* kRing = R"(plan "ring" {
  cta threads 256 smem_bytes 544
  tensor sK shared a f16 (8,16):(16,1) elements 128 ring K stage_elements 128
  partition tK of sK modes (val) (1,128):(0,1)
  ring K stages 2 full full empty empty
  barrier full mbarrier arrivals 1 bytes 256 ring K byte_offset 512
  barrier empty mbarrier arrivals 1 ring K byte_offset 528
  cursor write of K
  cursor read of K
  role producer threads 128 {
    loop t = 0 .. 6 {
      wait empty[write]
      when first_thread { expect full[write]; opaque "copy" writes tK[write] barrier full units 6 }
      advance write
    }
  }
  role consumer first_thread 128 threads 128 {
    loop t = 0 .. 6 {
      wait full[read]
      opaque "multiply" reads tK[read] units 2 group wgmma
      commit wgmma
      wait_group wgmma 0
      arrive empty[read]
      advance read
    }
  }
})";

std::string answer(const std::string& text) {
  const Result<Value> value = evaluate(text);
  INFO(text);
  if (!value) FAIL(value.error().message);
  const auto* words = std::get_if<std::string>(&value->any);
  return words ? *words : to_string(*value);
}
std::string ring() { return kRing; }
std::string refusal(const std::string& text) {
  const Result<Value> value = evaluate(text);
  return value ? "" : value.error().message;
}

}  // namespace

TEST_CASE("a plan that is right fits together, and the machine finds nothing") {
  CHECK(answer("verify(" + ring() + ").fits") == "true");
  CHECK(answer("simulate(" + ring() + ").right") == "true");
  CHECK(answer("simulate(" + ring() + ").finding").empty());
}

TEST_CASE("a plan that is wrong is an answer and no refusal") {
  const std::string early = "without(" + ring() + ", \"wait full\")";
  CHECK(answer("simulate(" + early + ").right") == "false");
  CHECK(answer("simulate(" + early + ").finding").find("stage 0 of sK is read by consumer before its copy has arrived") !=
        std::string::npos);
  const std::string overwritten = "without(" + ring() + ", \"wait empty\")";
  CHECK(answer("verify(" + overwritten + ").fits") == "false");
  CHECK(answer("verify(" + overwritten + ").finding").find("empty") != std::string::npos);
  const std::string stuck = "without(" + ring() + ", \"arrive empty\")";
  CHECK(answer("simulate(" + stuck + ").right") == "false");
}

TEST_CASE("a GEMM is executed and compared with its definition") {
  const std::string small = "gemm(m=32, n=32, k=32, mma=make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1)), cta_tiler=(32,32,16))";
  CHECK(answer("verify(" + small + ").fits") == "true");
  CHECK(answer("simulate(" + small + ").right") == "true");
  CHECK(answer("simulate(" + small + ", orders=1).right") == "true");
  // Of operands that lie one upon the other, every CTA reads the same: C follows the definition all the same.
  CHECK(refusal("simulate(" + small + ", orders=0)").find("there are 1 to 256 orders, not 0") != std::string::npos);
  CHECK(refusal("simulate(gemm(m=4096, n=4096, k=4096, mma=make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1)), cta_tiler=(128,128,32)))")
            .find("more multiplications") != std::string::npos);
  CHECK(refusal("verify((4,8):(8,1))").find("a GEMM or a plan is wanted") != std::string::npos);
}

TEST_CASE("without takes the lines that begin with the words, and says when there is none") {
  const std::string text = answer("without(" + ring() + ", \"advance\")");
  CHECK(text.find("advance") == std::string::npos);
  CHECK(text.find("wait empty[write]") != std::string::npos);
  CHECK(answer("without(" + ring() + ", \"when first_thread\")").find("opaque \"copy\"") == std::string::npos);  // the block goes whole
  CHECK(refusal("without(" + ring() + ", \"wai\")") == "without: no line of the plan begins with \"wai\"");
  CHECK(refusal("without(" + ring() + ", \" \")").find("the words that a line begins with") != std::string::npos);
}

TEST_CASE("members of a GEMM are what it was told and what its plan chose") {
  const std::string g =
      "gemm(m=256, n=128, k=64, mma=make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1)), cta_tiler=(64,64,32), stages=3)";
  CHECK(answer(g + ".stages") == "3");
  CHECK(answer(g + ".cta_tiler") == "(64,64,32)");
  CHECK(answer("(" + g + ").k_tiles") == "2");
  CHECK(answer(g + ".m_tiles * " + g + ".n_tiles") == "8");
  CHECK(answer(g + ".threads") == "128");
  CHECK(answer(g + ".stage_bytes") == "8192");
  CHECK(answer("size(" + g + ".sA)") == "2048");
  CHECK(answer(g + ".gA") == "(256,64):(64,1)");
  CHECK(answer(g + ".mma.thr_layout_vmnk") == "(32,2,2,1):(1,32,64,0)");
  CHECK(answer("(" + ring() + ").threads") == "256");
  CHECK(refusal("(" + ring() + ").sA").find("has no sA") != std::string::npos);
  CHECK(refusal(g + ".stage").find("has no member stage") != std::string::npos);
}

TEST_CASE("a pipeline has the times that follow from its durations") {
  // One stage: every tile pays for both. Enough stages: the first copy, then nothing but products.
  CHECK(answer("pipeline(8, 600, 200, 1).duration") == "6400");
  CHECK(answer("pipeline(16, 600, 200, 4).duration") == "3800");
  CHECK(answer("pipeline(16, 600, 200, 4).waiting") == "600");
  CHECK(answer("pipeline(8, 600, 200, 3).duration") == "2600");
  CHECK(answer("pipeline(1, 5, 7, 64).busy") == "0.5833333333333334");
  CHECK(refusal("pipeline(0, 1, 1, 1)").find("tiles is 0; it is 1 to 4096") != std::string::npos);
  CHECK(refusal("pipeline(1, 1, 1, 65)").find("stages is 65; it is 1 to 64") != std::string::npos);
  CHECK(refusal("pipeline(1, 1000000001, 1, 1)").find("load is 1000000001") != std::string::npos);
}

TEST_CASE("a number's way through a layout is told step by step") {
  const std::string tv = "((2,4),(2,2)):((8,1),(4,16))";
  CHECK(answer("derive(" + tv + ", (5,2)).words") == "5 -> (1,2), 2 -> (0,1); 1*8 + 2*1 + 0*4 + 1*16 = 26");
  CHECK(answer("derive(" + tv + ", ((1,2),(0,1))).words") == "1*8 + 2*1 + 0*4 + 1*16 = 26");
  CHECK(answer("derive(" + tv + ", 21).gives") == answer("(" + tv + ")(21)"));
  CHECK(answer("derive((8,8):(8,1), (1,2)).words") == "1*8 + 2*1 = 10");
  CHECK(answer("derive(composition(Sw<3,0,3>, (8,8):(8,1)), (1,2)).words") == "1*8 + 2*1 = 10; Sw<3,0,3> of 10 = 11");
  CHECK(refusal("derive((4,8):(8,1), 32)").find("32 is no index of (4,8), which has 32") != std::string::npos);
  CHECK(refusal("derive((4,8):(8,1), (1,2,3))").find("(1,2,3) is no coordinate of (4,8)") != std::string::npos);
  CHECK(refusal("derive((2,3):(1@0,1@1), 1)").find("has no strides that are numbers") != std::string::npos);
}

TEST_CASE("a composition is followed element by element, and A gives what R gives") {
  const Value value = evaluate("derive_composition((6,2):(8,2), (4,3):(3,1))").value();
  const auto& report = *std::get<std::shared_ptr<const Report>>(value.any);
  REQUIRE(report.rows.size() == 12);
  for (const auto& row : report.rows) CHECK(to_string(row[4]) == to_string(row[5]));
  CHECK(to_string(report.rows[5][2]) == "4");   // B(1,1) = 3 + 1
  CHECK(to_string(report.rows[5][4]) == "32");  // A(4) = 4*8
  CHECK(answer("derive_composition((6,2):(8,2), (4,3):(3,1)).layout") == "((2,2),3):((24,2),8)");
  CHECK_FALSE(refusal("derive_composition((4,8):(8,1), 5:3)").empty());
}

TEST_CASE("an access of global memory counts lines of 128 bytes beside its sectors") {
  const auto member = [](const std::string& layout, const std::string& name) {
    return answer("access(32, make_tensor(make_gmem_ptr<float>(0), " + layout + "))." + name);
  };
  CHECK(member("32:1", "sectors") == "4");
  CHECK(member("32:1", "lines") == "1");
  CHECK(member("32:4", "sectors") == "16");
  CHECK(member("32:4", "lines") == "4");
  CHECK(member("32:32", "lines") == "32");
  CHECK(refusal("access(32, (32,1):(1,32)).lines").find("has no member lines") != std::string::npos);
}
