// SPDX-License-Identifier: BSD-3-Clause
// Ladders that were measured: recorded, read again, compared with the rungs as they are, and refused where they cannot be what they say.
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/gemm/ladder_recording.hpp"

#include "app/session/files/document_io.hpp"
#include "core/base/json.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ladders.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;
using test::contents, test::made_up, test::made_up_ladder, test::put, test::source_dir;

namespace {

bool has(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

std::string refusal(std::string_view text) {
  const Result<MeasuredLadder> ladder = read_ladder(text);
  return ladder ? "" : ladder.error().message;
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  const std::size_t at = text.find(what);
  REQUIRE(at != text.npos);
  return text.replace(at, what.size(), by);
}

}  // namespace

TEST_CASE("a recorded ladder is read as it was measured, without what is of one machine") {
  const test::TemporaryFolder folder;
  const MeasuredLadder ladder = made_up_ladder();
  const std::filesystem::path path = record(ladder, folder.path()).value();
  CHECK(path == folder / "ladder/x9-256.json");
  const std::string text = contents(path);
  for (const char* part : {"/srv", "somebody", "\"spent_ms\":{"}) CHECK_FALSE(has(text, part));
  const MeasuredLadder again = read_ladder(text).value();
  CHECK(again.provenance == Provenance::recorded);
  CHECK(again.extents == ladder.extents);
  REQUIRE(again.rungs.size() == 4);
  CHECK(again.rungs[2].not_measured == "the GPU sleeps");
  CHECK_FALSE(again.rungs[2].measurement);
  const Measurement &was = *ladder.rungs[3].measurement, &is = *again.rungs[3].measurement;
  CHECK(is.timing->interleaved.kernel.samples == was.timing->interleaved.kernel.samples);
  CHECK(is.timing->interleaved.baseline->samples == was.timing->interleaved.baseline->samples);
  CHECK(is.timing->alone.kernel.samples.empty());
  CHECK(is.timing->burst.ratio == was.timing->burst.ratio);
  CHECK(is.timing->alone.kernel.median == was.timing->alone.kernel.median);
  CHECK(is.notes == std::vector<std::string>{"the kernel spills registers: see resources"});
  CHECK(is.code == was.code);
  CHECK(is.device.index == 0);
  CHECK(origin_text(again) == "NVIDIA X9 12GB, driver 1.2.3, NVRTC 9.9, cuBLASLt 8.7, 2020-02-03");
}

TEST_CASE("a recording is replaced by one of the same thing, and no other file is") {
  const test::TemporaryFolder folder;
  MeasuredLadder ladder = made_up_ladder();
  REQUIRE(record(ladder, folder.path()));
  ladder.rungs[0].measurement->date = "2021-01-01";
  REQUIRE(record(ladder, folder.path()));
  CHECK(has(contents(folder / "ladder/x9-256.json"), "2021-01-01"));
  MeasuredLadder part = ladder;
  part.rungs.pop_back();
  CHECK(record(part, folder.path()).error().code == ErrorCode::already_exists);
  CHECK(read_ladder(contents(folder / "ladder/x9-256.json"))->rungs.size() == 4);
  put(folder / "ladder/x9-256.json", "my notes");
  CHECK(record(ladder, folder.path()).error().code == ErrorCode::already_exists);
  CHECK(contents(folder / "ladder/x9-256.json") == "my notes");
  const Measurement one = *ladder.rungs[0].measurement;
  CHECK(record(one, folder.path()).value() == folder / "naive-x9.json");
  CHECK(measurement_from_json(contents(folder / "naive-x9.json"))->name == "naive");
  REQUIRE(record(one, folder.path()));
  put(folder / "naive-x9.json", contents(folder / "ladder/x9-256.json"));
  CHECK(record(one, folder.path()).error().code == ErrorCode::already_exists);
}

TEST_CASE("a wrong result is not recorded") {
  const test::TemporaryFolder folder;
  MeasuredLadder ladder = made_up_ladder();
  ladder.rungs[1].measurement->correctness.passed = false, ladder.rungs[1].measurement->timing.reset();
  CHECK(record(ladder, folder.path()).error().message == "rung 2 (coalesced) is wrong, so the ladder is not recorded");
  CHECK(record(*ladder.rungs[1].measurement, folder.path()).error().code == ErrorCode::wrong_result);
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("a rung whose kernel has other code, or that is not there any more, is said to be of another version") {
  MeasuredLadder ladder = made_up_ladder();
  ladder.rungs[1].measurement->code = std::string(64, '0');
  ladder.rungs[3].measurement->block[0] += 32;
  ladder.rungs[3].measurement->code.clear();
  compare_with_rungs(ladder);
  CHECK(ladder.rungs[0].other_version.empty());
  CHECK(ladder.rungs[0].same_code);
  REQUIRE(ladder.rungs[0].report);
  CHECK(ladder.rungs[0].report->provenance == Provenance::recorded);
  CHECK(*ladder.rungs[0].report->percent_of_baseline == Approx(20));
  CHECK(ladder.rungs[1].other_version == "the kernel's code has changed since");
  CHECK(has(ladder.rungs[1].report->headline, "OF ANOTHER VERSION: the kernel's code has changed since"));
  CHECK_FALSE(ladder.rungs[1].same_code);
  CHECK(ladder.rungs[3].other_version == "threads of a CTA was 288, is 256");
  MeasuredLadder gone = made_up_ladder();
  gone.rungs[0].name = gone.rungs[0].measurement->name = "first_steps";
  gone.rungs[1].measurement->code.clear();
  compare_with_rungs(gone);
  CHECK(gone.rungs[0].other_version == "there is no rung of that name any more");
  CHECK(gone.rungs[1].other_version.empty());
  CHECK_FALSE(gone.rungs[1].same_code);  // nobody knows
}

TEST_CASE("what is no ladder is refused with the line, and so is one of which nothing was measured") {
  const test::TemporaryFolder folder;
  const std::string text = contents(record(made_up_ladder(), folder.path()).value());
  CHECK(refusal(text).empty());
  CHECK(has(refusal(text.substr(0, text.size() / 2)), "line "));
  CHECK(refusal("{\"m\": 1,\n\"n\": 1,\n\"k\" 1}").starts_with("line 3: byte "));
  CHECK(refusal(replaced(text, "\"rung\":4", "\"rung\":\"4\"")).starts_with("line 5: the ladder cannot be read: 'rung' must be"));
  CHECK(
      refusal(replaced(text, "\"ratio\":0.4", "\"ratio\":-0.4")).starts_with("line 3: rung 2 (coalesced): the measurement cannot be read"));
  CHECK(refusal(replaced(text, "\"m\": 256", "\"m\": 512")) ==
        "rung 1 (naive): its measurement is of 256 x 256 x 256, the ladder of 512 x 256 x 256");
  CHECK(has(refusal(replaced(text, "\"rung\":2,\"name\":\"coalesced\"", "\"rung\":2,\"name\":\"other\"")),
            "rung 2 (other): its measurement is of \"coalesced\""));
  CHECK(has(refusal(replaced(text, "\"driver_version\":\"1.2.3\"", "\"driver_version\":\"4\"")), "rung 2 (coalesced): it was measured on"));
  CHECK(refusal(R"({"m": 1, "n": 1, "k": 1, "rungs": []})") == "no rung of this ladder was measured: it has no rungs");
  CHECK(refusal(R"({"m": 1, "n": 1, "k": 1, "rungs": [{"rung": 1, "name": "a", "not_measured": "no GPU"}]})") ==
        "no rung of this ladder was measured: no GPU");
  CHECK(refusal(replaced(text, "\"m\": 256", "\"m\": 9223372036854775807")).starts_with("line 1: the ladder cannot be read: 'm' must be"));
  CHECK(refusal("[]").starts_with("line 1: the ladder cannot be read"));
  CHECK(refusal("").starts_with("line 1: byte 0"));
}

TEST_CASE("what --json prints of a run is a ladder that can be recorded") {
  std::vector<LadderStep> steps = climb({256, 256, 256}).value();
  CHECK(measured_ladder(steps, {256, 256, 256}).error().message == "no rung of this ladder was measured: nothing was measured");
  for (LadderStep& step : steps) step.report = GemmReport{}, step.report->json = to_json(made_up(*step.rung, {256, 256, 256}, 0.5));
  steps[4].report.reset(), steps[4].not_measured = "too warm";
  const MeasuredLadder live = measured_ladder(steps, {256, 256, 256}).value();
  CHECK(live.provenance == Provenance::live);
  const MeasuredLadder read = read_ladder(to_json(steps, {256, 256, 256})).value();
  REQUIRE(read.rungs.size() == steps.size());
  CHECK(read.rungs[4].not_measured == "too warm");
  CHECK(to_json(*read.rungs[10].measurement) == to_json(*live.rungs[10].measurement));
}

TEST_CASE("recorded ladders are found by device and size, and a damaged one is named with its line") {
  const test::TemporaryFolder folder;
  const test::TemporaryEnvironment assets("TESSERA_ASSETS", folder.path().string());
  REQUIRE(make_folder(folder / "recordings"));
  REQUIRE(make_folder(folder / "recordings/ladder"));
  CHECK(recorded_ladders().ladders.empty());
  CHECK(choose({}, {}, "").error().notes == std::vector<std::string>{"none came with this program"});
  REQUIRE(record(made_up_ladder("NVIDIA X9 12GB", 512), folder / "recordings"));
  REQUIRE(record(made_up_ladder("NVIDIA X9 12GB"), folder / "recordings"));
  REQUIRE(record(made_up_ladder("NVIDIA B5"), folder / "recordings"));
  put(folder / "recordings/ladder/zz.json", "{\n\n?");
  const RecordedLadders found = recorded_ladders();
  REQUIRE(found.damaged.size() == 1);
  CHECK(found.damaged[0].message.starts_with("the recording zz.json cannot be read: line 3: byte 3"));
  REQUIRE(found.ladders.size() == 3);
  CHECK(found.ladders[0].any().device.name == "NVIDIA B5");
  CHECK(found.ladders[1].extents == ProblemSize{256, 256, 256});
  CHECK(choose(found.ladders, {}, "")->size() == 3);
  CHECK(choose(found.ladders, ProblemSize{256, 256, 256}, "")->size() == 2);
  CHECK(choose(found.ladders, {}, "X9")->size() == 2);
  CHECK(choose(found.ladders, ProblemSize{512, 512, 512}, "NVIDIA X9 12GB")->size() == 1);
  const Error none = choose(found.ladders, ProblemSize{512, 512, 512}, "b5").error();
  CHECK(none.message == "no ladder of \"b5\" at 512 x 512 x 512 is recorded");
  CHECK(none.notes == std::vector<std::string>{"recorded are b5 (NVIDIA B5) at 256 x 256 x 256; x9 (NVIDIA X9 12GB) at 256 x 256 x 256; "
                                               "x9 (NVIDIA X9 12GB) at 512 x 512 x 512"});
}

TEST_CASE("a rung by itself has the recordings of the ladders that it is in, at its size first") {
  const test::TemporaryFolder folder;
  const test::TemporaryEnvironment assets("TESSERA_ASSETS", folder.path().string());
  REQUIRE(record(made_up_ladder("NVIDIA X9 12GB", 512), folder / "recordings"));
  REQUIRE(record(made_up_ladder("NVIDIA B5"), folder / "recordings"));
  GemmSpec spec = tessera::ladder()[1].spec(256, 256, 256).value();
  spec.name = "coalesced";
  const Recordings found = recordings(lower(spec).value());
  REQUIRE(found.own.size() == 1);
  REQUIRE(found.others.size() == 1);
  CHECK((found.own[0].device == "NVIDIA B5" && found.own[0].provenance == Provenance::recorded));
  CHECK((found.others[0].device == "NVIDIA X9 12GB" && has(found.others[0].other_version, "m was 512, is 256")));
  spec.name = "smem_tile";  // which was not measured
  CHECK(recordings(lower(spec).value()).own.empty());
  CHECK(recordings(lower(spec).value()).others.empty());
}

TEST_CASE("a device's short name is what people call it, and always the name of a file") {
  CHECK(device_slug("NVIDIA H200") == "h200");
  CHECK(device_slug("NVIDIA H100 80GB HBM3") == "h100");
  CHECK(device_slug("NVIDIA GeForce RTX 4090 Laptop GPU") == "geforce-rtx-4090");
  CHECK(device_slug("Tesla V100-SXM2-16GB") == "tesla-v100-sxm2-16gb");
  CHECK(device_slug("") == "gpu");
  CHECK(device_slug("../../etc/passwd") == "------etc-passwd");
  CHECK(device_slug(std::string(500, 'x')).size() == 48);
}

TEST_CASE("what was recorded of rungs that are not there any more is said to be theirs, and of no rung of their number") {
  MeasuredLadder ladder = read_ladder(contents(source_dir() + "/assets/recordings/launches/h200-4096.json")).value();
  compare_with_rungs(ladder);
  REQUIRE(ladder.rungs.size() == 2);
  for (const MeasuredRung& rung : ladder.rungs) {
    INFO(rung.number << " " << rung.name);
    CHECK(find_rung(rung.number) != nullptr);  // of another name
    CHECK(rung.other_version == "there is no rung of that name any more");
    CHECK_FALSE(rung.same_code);
    CHECK_FALSE(rung.report);
  }
}

TEST_CASE("every recorded ladder that comes with Tessera can be read and is right") {
  const RecordedLadders found = recorded_ladders();
  for (const Error& damaged : found.damaged) FAIL_CHECK(describe(damaged));
  CHECK_FALSE(found.ladders.empty());
  for (const MeasuredLadder& ladder : found.ladders) {
    for (const MeasuredRung& rung : ladder.rungs) CHECK((!rung.measurement || rung.measurement->correctness.passed));
  }
}
