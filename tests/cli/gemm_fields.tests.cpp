// SPDX-License-Identifier: BSD-3-Clause
// The fields of gemm(...) at the command line: in the help, and set beside the document.
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/gemm/spec_fields.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/shell.hpp"

using namespace tessera;
using namespace tessera::test;

TEST_CASE("the help of tessera gemm has every field and every choice of gemm(...)") {
  const Run run = shell("tessera gemm --help");
  CHECK(run.code == 0);
  for (const SpecField& field : spec_fields()) {
    INFO(field.name);
    CHECK(has(run.out, "\n  " + std::string(field.name) + " "));
    CHECK(has(run.out, std::string(field.help)));
    for (const FieldChoice& choice : choices_of(field)) CHECK(has(run.out, "\n    " + std::string(choice.name) + " "));
  }
}

TEST_CASE("--set gives a field another value than the document, for all that show or make a kernel") {
  CHECK(has(shell("tessera gemm show tensor_gemm").out, "64 k-tiles, 3 stages"));
  const Run show = shell("tessera gemm show tensor_gemm --set stages=2 --set k=128 --set 'sA=Sw<3,3,3> o 0 o (128,64):(64,1)'");
  INFO(show.err);
  CHECK(has(show.out, "2 k-tiles, 2 stages"));
  CHECK(shell("tessera gemm emit tensor_gemm --set stages=2").out != shell("tessera gemm emit tensor_gemm").out);
  CHECK(shell("tessera gemm emit tensor_gemm --set stages=3").out == shell("tessera gemm emit tensor_gemm").out);
  const std::string small = "gemm(m=16, n=16, k=8, mma=make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT, (2,2):(2,1)))";
  const Run simulated = shell("tessera gemm simulate '" + small + "' --set alpha=-2 --set type_c=f16 --set m=32");
  CHECK(simulated.code == 0);
  CHECK(has(simulated.out, "32x16x8"));
  const Run bound = shell("printf 'let wide = (16,8):(24,1)\\nlet g = " + small +
                          "\\n' > a.tess; tessera gemm show g --file a.tess --set sA=wide --set stages=2 --set stages=1");
  INFO(bound.err);
  CHECK(has(bound.out, "(16,8):(24,1)"));
  CHECK(has(bound.out, "1 k-tile, 1 stage"));
}

TEST_CASE("--set refuses what is no field, no value of it, or no GEMM any more, by name") {
  for (const auto& [set, says] :
       {std::pair{"stage=2", "did you mean stages?"},
        {"stages", "write FIELD=VALUE"},
        {"stages=(2,2)", "stages: an integer is wanted"},
        {"stages=two", "stages: the name two is not defined"},
        {"extents=argument", "extents: \"argument\" is not literals or arguments\n  note: did you mean arguments?"},
        {"copies=1", "copies: automatic, waited_for, ahead or producer is wanted, but this is the integer 1"},
        {"stages=17", "stages is 17; it must be 1 to 16"},
        {"m=0", "m = 0, but an extent is at least 1"}}) {
    const Run run = shell(std::string("tessera gemm show tensor_gemm --set '") + set + "'");
    INFO(set << "\n" << run.err);
    CHECK(run.code == 1);
    CHECK(has(run.err, says));
    CHECK(run.out.empty());
  }
}

TEST_CASE("a GEMM of an atom for sm_100 is refused for the kernel that is not written, and its operands are not blamed") {
  for (const char* atom : {"SM100_MMA_F16BF16_SS<half_t,half_t,float,128,128,UMMA::Major::K,UMMA::Major::K>",
                           "SM100_MMA_F16BF16_TS<half_t,half_t,float,128,128,UMMA::Major::K,UMMA::Major::K>"}) {
    const Run run = shell(fmt::format("tessera gemm show 'gemm(m=128,n=128,k=64,mma={})'", atom));
    INFO(run.err);
    CHECK(run.code == 1);
    CHECK(has(run.err, "there is no kernel for sm_100a yet"));
    CHECK_FALSE(has(run.err, "elsewhere"));
  }
}
