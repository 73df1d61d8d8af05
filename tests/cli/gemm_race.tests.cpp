// SPDX-License-Identifier: BSD-3-Clause
// `tessera gemm race`, and what `gemm compile` and `gemm ladder --compile` tell of ptxas, as a person runs them.
#include <string>

#include "core/base/json.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/shell.hpp"

using namespace tessera;
using namespace tessera::test;

TEST_CASE("a plan is raced by name or expression, and with --removals each of its waits is left out") {
  const Run run = shell("tessera gemm race article_gemm --orders 3");
  INFO(run.out << run.err);
  CHECK(run.code == 0);
  CHECK(has(run.out, "RIGHT in 7 orders: 4 named and 3 drawn"));
  CHECK_FALSE(has(run.out, "without operation"));
  const Run removals = shell("tessera gemm race 'rung(9, 8192, 8192, 8192)' --orders 0 --removals --json");
  INFO(removals.out << removals.err);
  CHECK(removals.code == 0);
  const Json said = parse_json(removals.out, kAnswerJson, ErrorCode::corrupt).value();
  CHECK(*said.find("is_smaller")->truth());
  REQUIRE(said.find("removals")->list()->size() == 6);
  for (const Json& removal : *said.find("removals")->list()) CHECK(*removal.find("noticed")->truth());
  CHECK(shell("tessera gemm race nothing_of_the_kind").code == 1);
}

TEST_CASE("what ptxas remarks is told by compile and ladder, and a kernel with a remark that is not allowed is no success") {
  const Run clean = shell("tessera gemm ladder --compile --rungs 3,10 --size 512 --json");
  INFO(clean.out << clean.err);
  if (clean.code == 3) {
    WARN("skipped: no NVRTC here");
    return;
  }
  CHECK(clean.code == 0);
  const Json said = parse_json(clean.out, kAnswerJson, ErrorCode::corrupt).value();
  for (const Json& rung : *said.find("rungs")->list()) {
    REQUIRE(rung.find("compiled"));
    REQUIRE(rung.find("compiled")->find("ptxas")->list());
    CHECK(rung.find("compiled")->find("ptxas")->list()->empty());
    CHECK(*rung.find("not_measured")->text() == "nothing was measured");
  }
  CHECK(has(shell("tessera gemm ladder --compile --rungs 10 --size 512").out, "registers a thread; remarks of ptxas: none\n"));
  // A skewed kernel keeps sums under way round its loop; and consumers with 200 registers have too few.
  const std::string kernel =
      "tessera gemm compile 'gemm(m=8192, n=8192, k=8192, mma=make_tiled_mma(SM90_64x192x16_F32BF16BF16_SS<GMMA::Major::K,GMMA::Major::K>, "
      "(2,1,1)), cta_tiler=(256,192,64), stages=3, cluster=(2,1), ctas=132, overlap=skewed, type_c=bf16)' --arch sm_90a";
  CHECK(has(shell(kernel).out, "\nptxas          C7517 (allowed): ptxas has added one wait"));
  const Run spills = shell(kernel + " --set 'registers=(24,200)'");
  INFO(spills.out << spills.err);
  CHECK(has(spills.out, "\nptxas          C7512: Each wgmma waits for the one before it, since sums and all else"));
  CHECK(has(spills.out, "\nptxas          spills: "));
  const Run json = shell(kernel + " --set 'registers=(24,200)' --json");
  CHECK(has(json.out, R"("ptxas":[{"code":"C75)"));
  CHECK(has(json.out, R"("code":"spills","entry":"gemm_gemm","words":")"));
  CHECK(has(json.out, R"("allowed":true,"meaning":"ptxas has added one wait)"));
}
