// SPDX-License-Identifier: BSD-3-Clause
// `tessera gemm compare` as a person runs it: with no device, with a worker that measures, and with names that are none.
#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/shell.hpp"

using namespace tessera::test;

namespace {

const std::string kSetup =
    "printf 'let mma = make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT, (2,2):(2,1))\\nlet one = gemm(m=16, n=16, k=16, mma=mma, "
    "cta_tiler=(16,16,8))\\nlet two = gemm(m=16, n=16, k=16, mma=mma, cta_tiler=(16,16,8), stages=2, sB=(16,8):(8,1))\\n' > d.tess; ";

std::string with_worker(const std::string& mood) { return " --worker \"env TEST_WORKER=" + mood + " '" + program("test_worker") + "'\""; }

}  // namespace

TEST_CASE("two GEMMs of a document are compared in words and counts, and without a device it is said that nothing was measured") {
  const Run run = shell(kSetup + "tessera gemm compare one two --file d.tess" + with_worker("no_gpu"));
  INFO(run.out << run.err);
  CHECK(run.code == 0);
  CHECK(run.out.rfind("sB: left out -> (16,8):(8,1)\nstages: 1 -> 2\n", 0) == 0);
  CHECK(has(run.out, "a: one"));
  CHECK(has(run.out, "b: two"));
  CHECK(has(run.out, "\nsmem read of B "));
  CHECK(has(run.out, " instructions, at least "));
  CHECK(has(run.out, "CORRECT"));
  CHECK(has(run.out, "\nnothing was measured: there is no such device\n"));
  CHECK_FALSE(has(run.out, "FLOP/s"));
  const Run json = shell(kSetup + "tessera gemm compare one two --file d.tess --json" + with_worker("no_gpu"));
  CHECK(json.code == 0);
  CHECK(has(json.out, "\"field\": \"stages\""));
  CHECK(has(json.out, "\"not_measured\": \"nothing was measured: there is no such device\""));
}

TEST_CASE("a GEMM is compared with itself under other values of its fields") {
  const Run set = shell(kSetup + "tessera gemm compare one --set stages=2 --set k=32 --file d.tess" + with_worker("no_gpu"));
  INFO(set.err);
  CHECK(set.code == 0);
  CHECK(set.out.rfind("k: 16 -> 32\nstages: 1 -> 2\n", 0) == 0);
  const Run same = shell(kSetup + "tessera gemm compare one --file d.tess --m 32" + with_worker("no_gpu"));
  CHECK(same.out.rfind("both ask for the same kernel\n", 0) == 0);
  CHECK(has(shell(kSetup + "tessera gemm compare one two --set stages=3 --file d.tess" + with_worker("no_gpu")).out, "stages: 1 -> 3\n"));
}

TEST_CASE("a worker with a device measures both, and what it measured is held against what was asked for") {
  const Run run = shell(kSetup + "tessera gemm compare one two --file d.tess" + with_worker("other_gemm"));
  INFO(run.out << run.err);
  CHECK(run.code == 1);  // this worker runs 8x8x8 whatever it is asked
  CHECK(has(run.out, "on Fake GPU"));
  CHECK(has(run.out, "median           100 us"));
  CHECK(has(run.out, "10.2 MFLOP/s"));
  CHECK(has(run.out, "a: another GEMM was measured: m was 8, is 16"));
  CHECK(has(run.out, "b: another GEMM was measured: m was 8, is 16"));
  CHECK(has(run.out,
            "b takes 1.000 times as long as a, launched in turn; b takes 1.000 times as long as itself; no measurable difference: 0 % is "
            "within"));
  const Run json = shell(kSetup + "tessera gemm compare one two --file d.tess --json" + with_worker("other_gemm"));
  CHECK(has(json.out, "\"ratio\": 1.0"));
  CHECK(has(json.out, "\"device\": \"Fake GPU\""));
}

TEST_CASE("a comparison refuses what is no GEMM and no field, and says what became of a worker that dies") {
  CHECK(has(shell(kSetup + "tessera gemm compare one three --file d.tess").err, "no binding \"three\""));
  CHECK(has(shell(kSetup + "tessera gemm compare mma one --file d.tess").err, "only a gemm can be run"));
  CHECK(has(shell(kSetup + "tessera gemm compare one --set stage=2 --file d.tess").err, "did you mean stages?"));
  CHECK(shell("tessera gemm compare").code == 2);
  const Run dead = shell(kSetup + "tessera gemm compare one two --file d.tess --worker 'sh -c \"exit 3\"'");
  CHECK(dead.code == 1);
  CHECK(has(dead.out, "stages: 1 -> 2"));
  CHECK(has(dead.err, "exit code 3"));
}
