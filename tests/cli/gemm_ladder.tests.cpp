// SPDX-License-Identifier: BSD-3-Clause
// `tessera gemm ladder` and `tessera gemm diff` as a person runs them.
#include "tests/support/catch.hpp"
#include "tests/support/shell.hpp"

using namespace tessera::test;

namespace {

std::string with_worker(const std::string& mood) { return " --worker \"env TEST_WORKER=" + mood + " '" + program("test_worker") + "'\""; }

}  // namespace

TEST_CASE("the ladder is shown with ideas, changes and questions, and without a device it is said once that nothing was measured") {
  const Run run = shell("tessera gemm ladder --size 256" + with_worker("no_gpu"));
  INFO(run.out << run.err);
  CHECK(run.code == 0);
  CHECK(has(run.out, "\n4 register_tile\n  A thread computes 8 x 8 elements of C"));
  CHECK(has(run.out, "\n    stages: 1 -> 3\n"));
  CHECK(has(run.out, "\n  Question: "));
  CHECK(run.err == "nothing was measured: there is no such device\n");
  CHECK_FALSE(has(run.out, "FLOP/s"));
  const Run json = shell("tessera gemm ladder --size 256 --plain --json");
  CHECK(json.code == 0);
  CHECK(json.err.empty());
  CHECK(has(json.out, "\"name\": \"cp_async\""));
  CHECK(has(json.out, "\"not_measured\": \"nothing was measured\""));
}

TEST_CASE("a rung that is refused is named with its reason, and what another GEMM measured is no result of a rung") {
  const Run odd = shell("tessera gemm ladder --size 16777217" + with_worker("no_gpu"));
  INFO(odd.out << odd.err);
  CHECK(odd.code == 0);
  CHECK(has(odd.out, "Refused at this size: m is 16777217; the limit is 16777216"));
  CHECK(odd.err.empty());  // and no device is asked
  const Run other = shell("tessera gemm ladder --size 256" + with_worker("other_gemm"));
  INFO(other.out << other.err);
  CHECK(has(other.err, "another GEMM was measured: m was 8, is 256"));
  CHECK_FALSE(has(other.out, "FLOP/s"));
  CHECK(other.code == 1);  // this worker runs 8x8x8 whatever it is asked
}

TEST_CASE("two rungs are told apart by their numbers, and any GEMM from itself under other values") {
  const Run run = shell("tessera gemm diff 8 9 --m 256 --n 256 --k 256");
  INFO(run.out << run.err);
  CHECK(run.code == 0);
  CHECK(has(run.out, "spec: ldmatrix -> cp_async\n"));
  CHECK(has(run.out, "\n  stages: 1 -> 3\n"));
  CHECK(has(run.out, "\nplan\n  problem  256 x 256 x 256"));
  CHECK(has(run.out, "\n- cta_tiler  (128,256,64)  2 x 1 CTAs, 4 k-tiles, 1 stage\n"));
  CHECK(has(run.out, "cp_async_commit();"));
  const Run set = shell("tessera gemm diff tensor_gemm --set stages=2");
  CHECK(has(set.out, "\n  stages: 3 -> 2\n"));
  const Run same = shell("tessera gemm diff tensor_gemm");
  CHECK(has(same.out, "both ask for the same kernel\n\nplan\n  the same\n\nsource\n  the same\n"));
  const Run none = shell("tessera gemm diff 11 12");
  CHECK(none.code == 1);
  CHECK(has(none.err, "there is no rung 12"));
}
