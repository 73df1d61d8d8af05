// SPDX-License-Identifier: BSD-3-Clause
// `tessera gemm ladder` and `tessera gemm diff` as a person runs them.
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/json.hpp"
#include "kernels/runtime/worker/worker_protocol.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ladders.hpp"
#include "tests/support/shell.hpp"

using namespace tessera;
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
  CHECK(run.err.starts_with(
      "nothing was measured: there is no such device\nio: no ladder at 256 x 256 x 256 is recorded\n  note: recorded are "));
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

TEST_CASE("without a device the recorded ladders are shown, as recorded ones, with their device and date") {
  const TemporaryFolder folder;
  const std::string assets = "TESSERA_ASSETS='" + folder.path().string() + "' ";
  MeasuredLadder one = made_up_ladder(), other = made_up_ladder("NVIDIA B5");
  one.rungs[1].measurement->code = std::string(64, '0');
  REQUIRE(record(one, folder / "recordings"));
  REQUIRE(record(other, folder / "recordings"));
  const Run run = shell(assets + program("tessera") + " gemm ladder --size 256" + with_worker("no_gpu"));
  INFO(run.out << run.err);
  CHECK(run.code == 0);
  CHECK(run.err == "nothing was measured: there is no such device\n");
  CHECK(
      has(run.out, "\nRECORDED, not measured here: NVIDIA X9 12GB, driver 1.2.3, NVRTC 9.9, cuBLASLt 8.7, 2020-02-03, 256 x 256 x 256\n"));
  CHECK(has(run.out, "\nRECORDED, not measured here: NVIDIA B5, "));
  CHECK(has(run.out,
            "2 coalesced      40.0 %       44.0 %  36.0 %  100 us  16.0 TFLOP/s  CORRECT, OF ANOTHER VERSION: the kernel's code has "
            "changed since\n"));
  CHECK(has(run.out, "3 smem_tile      -            -       -       -       -             the GPU sleeps\n"));
  CHECK(has(run.out, "1 naive          20.0 %       22.0 %  18.0 %  100 us  8.00 TFLOP/s  CORRECT\n"));
  CHECK_FALSE(has(run.out, "cannot be told"));
  CHECK_FALSE(has(run.out, "LIVE"));
  CHECK_FALSE(has(shell(assets + program("tessera") + " gemm ladder --plain --size 256").out, "RECORDED"));
  const Run json = shell(assets + program("tessera") + " gemm ladder --recorded --gpu b5 --json");
  const Json said = parse_json(json.out, kAnswerJson, ErrorCode::corrupt).value();
  for (const Json& rung : *said.find("rungs")->list()) CHECK(rung.find("measurement") == nullptr);
  REQUIRE(said.find("recordings")->list()->size() == 1);
  const Json& recording = said.find("recordings")->list()->front();
  CHECK(*recording.find("provenance")->text() == "RECORDED");
  CHECK(*recording.find("device")->text() == "NVIDIA B5");
  CHECK(*recording.find("rungs")->list()->at(1).find("same_code")->truth());
  const Run unknown = shell(assets + program("tessera") + " gemm ladder --recorded --gpu h7");
  CHECK(unknown.code == 1);
  CHECK(has(unknown.err, "no ladder of \"h7\" is recorded\n  note: recorded are b5 (NVIDIA B5) at 256 x 256 x 256; x9"));
  CHECK(unknown.out.empty());
}

TEST_CASE("a ladder that is measured now is live, is drawn, and is recorded by one word") {
  const TemporaryFolder folder;
  std::string worker = "echo '{\"event\":\"hello\",\"program\":\"fake\",\"protocol\":1}'\nn=0\nwhile read -r line; do n=$((n+1)); cat " +
                       folder.path().string() + "/answer$n || exit 5; done\n";
  put(folder / "worker.sh", worker);
  for (std::size_t i = 0; i < ladder().size(); ++i)
    put(folder / ("answer" + std::to_string(i + 1)),
        to_line(WorkerEvent(ResultEvent{static_cast<std::int64_t>(i + 1), made_up(ladder()[i], {256, 256, 256}, 0.5)})) + "\n");
  const Run run = shell("tessera gemm ladder --size 256 --figure l.svg --record here --worker 'sh " + (folder / "worker.sh").string() +
                        "'; ls here/ladder; tessera gemm ladder --from here/ladder/x9-256.json; grep -c LIVE l.svg");
  INFO(run.out << run.err);
  CHECK(has(run.out, "\nLIVE: NVIDIA X9 12GB, driver 1.2.3"));
  CHECK(has(run.out, "\nRECORDED, not measured here: NVIDIA X9 12GB, driver 1.2.3"));
  CHECK(has(run.out, "\nx9-256.json\n"));
  CHECK(run.out.ends_with("\n1\n"));
  CHECK(has(run.err, "recorded in here/ladder/x9-256.json\n"));
  CHECK_FALSE(has(run.out, "OF ANOTHER VERSION"));
}

TEST_CASE("a ladder of a file is shown, drawn in every format and recorded, and a damaged one is refused with its line") {
  const TemporaryFolder folder;
  const std::string file = "'" + record(made_up_ladder(), folder.path())->string() + "'";
  const Run drawn = shell("for e in svg pdf png tex json; do tessera gemm ladder --from " + file +
                          " --modes interleaved,burst --figure c.$e || exit 9; done; head -c 4 c.svg c.pdf; head -c 99 c.tex; ls");
  INFO(drawn.out << drawn.err);
  CHECK(drawn.code == 0);
  CHECK(has(drawn.out, "RECORDED, not measured here: NVIDIA X9 12GB"));
  CHECK(has(drawn.out, "==> c.svg <==\n<svg\n==> c.pdf <==\n%PDF"));
  CHECK(has(drawn.err, "c.png: RECORDED: NVIDIA X9 12GB, driver 1.2.3"));
  const Run kept = shell("echo mine > c.svg; tessera gemm ladder --from " + file + " --figure c.svg; cat c.svg");
  CHECK(has(kept.err, "already_exists"));
  CHECK(has(kept.out, "\nmine\n"));
  const Run moved = shell("tessera gemm ladder --from " + file + " --record here >/dev/null && cat here/ladder/x9-256.json");
  CHECK(moved.out == contents(folder / "ladder/x9-256.json"));
  for (const char* words : {"--figure c.gif", "--figure c", "--figure c.svg --modes slow", "--plain --figure c.svg"}) {
    const std::string from = has(words, "--plain") ? "" : " --from " + file;
    const Run refused = shell("tessera gemm ladder" + from + " " + words);
    INFO(words << "\n" << refused.err);
    CHECK(refused.code != 0);
    CHECK_FALSE(refused.err.empty());
  }
  const Run nothing = shell("tessera gemm ladder --size 256 --record here" + with_worker("no_gpu") + "; echo $?; ls here");
  CHECK(has(nothing.err, "no ladder at 256 x 256 x 256 is recorded"));
  CHECK_FALSE(has(nothing.out, "\n0\n"));
  const Run damaged = shell("printf '{\n\"m\": 1,\n oh' > d.json; tessera gemm ladder --from d.json");
  CHECK(damaged.code == 1);
  CHECK(has(damaged.err, "d.json: line 3: byte 11"));
  CHECK(damaged.out.empty());
  CHECK(shell("tessera gemm ladder --from nowhere.json").code == 1);
}

TEST_CASE("of the ladder only the rungs that are named are explained and measured") {
  const Run run = shell("tessera gemm ladder --plain --rungs 3,8-9 --json");
  const Json said = parse_json(run.out, kAnswerJson, ErrorCode::corrupt).value();
  std::vector<int> numbers;
  for (const Json& rung : *said.find("rungs")->list()) numbers.push_back(*rung.find("rung")->whole<int>());
  CHECK(numbers == std::vector<int>{3, 8, 9});
  CHECK(said.find("rungs")->list()->at(1).find("changes")->list()->size() == ladder()[7].fields.size());  // from rung 7, not from 3
  for (const char* list : {"99", "0", "8-", "-8", "9-8", "x", "1,,2", "8-99"}) {
    const Run refused = shell(std::string("tessera gemm ladder --plain --rungs=") + list);
    INFO(list << "\n" << refused.out);
    CHECK(refused.code == 2);
    CHECK(has(refused.err, "--rungs: "));
  }
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
  CHECK(has(run.out, "\nidea\n  Tiles go past the registers"));
  CHECK(has(run.out, "\nquestion\n  Which of the waits"));
  const Run expressions = shell("tessera gemm diff 'rung(8, 256, 256, 256)' 'rung(9, 256, 256, 256)'");
  CHECK(has(expressions.out, "\nidea\n  Tiles go past the registers"));
  CHECK_FALSE(has(shell("tessera gemm diff 8 9 --set stages=2").out, "\nidea\n"));  // which is no rung any more
  const Run first = shell("tessera gemm diff 1 2");
  CHECK(has(first.out,
            "\n  mma:\n    - make_tiled_mma(UniversalFMA<float,float,float,float>, (32,32,1):(1,32,0), (_,_,_))\n"
            "    + make_tiled_mma(UniversalFMA<float,float,float,float>, (32,32,1):(32,1,0), (_,_,_))\n"));
  const std::string source = first.out.substr(first.out.find("\nsource\n"));
  CHECK_FALSE(has(source, "naive"));  // a kernel's name is no difference
  CHECK(has(source, "\n-   const float* tCgA = A + m_tile * (BLK_M * LDA) + thr % 32 * LDA; // (val, MMA_M, MMA_K): (1,1,1)\n"));
  const Run set = shell("tessera gemm diff tensor_gemm --set stages=2");
  CHECK_FALSE(has(set.out, "\nidea\n"));
  CHECK(has(set.out, "\n  stages: 3 -> 2\n"));
  const Run same = shell("tessera gemm diff tensor_gemm");
  CHECK(has(same.out, "both ask for the same kernel\n\nplan\n  the same\n\nsource\n  the same\n"));
  const Run none = shell("tessera gemm diff 16 99");
  CHECK(none.code == 1);
  CHECK(has(none.err, "there is no rung 99"));
}
