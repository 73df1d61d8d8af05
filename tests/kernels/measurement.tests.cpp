// SPDX-License-Identifier: BSD-3-Clause
// Measurements as JSON, and the spread of samples.
#include "kernels/runtime/measure/measurement.hpp"

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

Measurement example() {
  Measurement m;
  m.name = "gemm_4096";
  m.m = m.n = m.k = 4096;
  m.type_a = m.type_b = "f16";
  m.type_c = "f32";
  m.device.name = "NVIDIA H200";
  m.device.driver_version = "580.159.04";
  m.date = "2026-11-21T12:00:00Z";
  m.arch = {90, 'a'};
  m.code = "0123";
  m.resources = {168, 0, 0, 0, 1024, 2};
  m.grid = {32, 32, 1};
  m.cache = {true, "because", "key-1", {"note"}};
  m.correctness.passed = true;
  m.correctness.compared = 4096 * 4096;
  m.correctness.max_abs_error = 0.1;
  Timing timing;
  timing.interleaved.kernel = spread_of({3, 1, 2});
  timing.interleaved.baseline = spread_of({4, 4});
  timing.interleaved.ratio = 2.0;
  timing.ratio_control = 0.9976;
  timing.best = BestOfWays{{4, 3.5}, 1, TimedMode{spread_of({2}), spread_of({3.5}), 1.75, 1, 2}};
  timing.baseline_name = "cuBLASLt 13.1, top-1 heuristic";
  m.timing = timing;
  m.spent = TimeSpent{.start = 41.25, .lower = 3.5, .find = 1.125, .load = 0.5, .launch = 0.02, .check = 30, .time = 2000, .answer = 2.25};
  m.notes = {"a note with \"quotes\""};
  return m;
}

}  // namespace

TEST_CASE("a measurement read back has the same text") {
  Measurement m = example();
  SECTION("right and timed") {}
  SECTION("wrong, so without timing, and with a NaN where the kernel wrote none") {
    m.timing.reset();
    m.correctness.passed = false;
    m.correctness.first_bad_got = std::nan("");
  }
  const std::string text = to_json(m);
  const auto back = measurement_from_json(text);
  REQUIRE(back.has_value());
  CHECK(to_json(*back) == text);
  CHECK(back->arch == m.arch);
  CHECK(back->code == "0123");
  CHECK(back->timing.has_value() == m.timing.has_value());
  CHECK(to_json(m, true).find('\n') == std::string::npos);
}

TEST_CASE("what ptxas remarked is read back and explained anew, and of an older recording it stays unsaid") {
  Measurement m = example();
  CHECK(to_json(m).find("\"ptxas\"") == std::string::npos);
  CHECK_FALSE(measurement_from_json(to_json(m))->resources.remarks);
  m.resources.remarks.emplace();
  CHECK(measurement_from_json(to_json(m))->resources.remarks->empty());
  m.resources.remarks->push_back(explained("C7519", "k", "warpgroup.arrive is injected"));
  m.resources.remarks->back().times = 3;
  m.resources.remarks->push_back(explained("C7517", "k", "warpgroup.wait is injected"));
  const std::string text = to_json(m, true);
  CHECK(measurement_from_json(text)->resources.remarks == m.resources.remarks);
  std::string other = text;
  other.replace(other.find("ptxas has added a wgmma.fence"), 5, "PTXAS");
  CHECK(measurement_from_json(other)->resources.remarks == m.resources.remarks);
  std::string bad = text;
  bad.replace(bad.find("\"times\":3"), 9, "\"times\":0");
  CHECK(measurement_from_json(bad).error().message.find("times") != std::string::npos);
  bad = text;
  const std::size_t list = bad.find("\"ptxas\":["), end = bad.find(']', list);
  bad.replace(list, end + 1 - list, "\"ptxas\":5");
  CHECK(measurement_from_json(bad).error().message.find("list of remarks") != std::string::npos);
}

TEST_CASE("the overhead of a run is all but compiling, checking and timing, and a measurement without one is read too") {
  const TimeSpent spent = *example().spent;
  CHECK(spent.overhead() == Approx(41.25 + 3.5 + 1.125 + 0.5 + 0.02 + 2.25));
  CHECK(spent.found_to_launched() == Approx(1.125 + 0.5 + 0.02));
  const std::string text = to_json(example(), true);
  CHECK(text.find("\"overhead\":48.645,\"found_to_launched\":1.645") != std::string::npos);
  CHECK(measurement_from_json(text)->spent->check == 30);
  Measurement older = example();
  older.spent.reset();
  std::string without = to_json(older, true);
  CHECK_FALSE(measurement_from_json(without)->spent.has_value());
  without.replace(without.find("\"spent_ms\":null,"), 16, "");
  CHECK_FALSE(measurement_from_json(without)->spent.has_value());
}

TEST_CASE("a measurement of before its baseline's other ways were timed is read too") {
  Measurement older = example();
  older.timing->best.reset();
  std::string without = to_json(older, true);
  CHECK_FALSE(measurement_from_json(without)->timing->best);
  without.replace(without.find("\"best\":null,"), 12, "");
  CHECK_FALSE(measurement_from_json(without)->timing->best);
  Measurement first = example();
  first.timing->best = BestOfWays{{3, 4}, 0, {}};
  const Measurement back = measurement_from_json(to_json(first)).value();
  CHECK(back.timing->best->alone_us == std::vector<double>{3, 4});
  CHECK(&beside_best(*back.timing) == &back.timing->interleaved);
  const Measurement second = measurement_from_json(to_json(example())).value();
  CHECK(beside_best(*second.timing).ratio == 1.75);
  Measurement bursts = example();  // of the other two ways nothing was left
  bursts.timing->best->burst = std::exchange(bursts.timing->best->interleaved, std::nullopt);
  const Measurement third = measurement_from_json(to_json(bursts)).value();
  CHECK(beside_best(*third.timing, kTimingModes[2]).ratio == 1.75);
  CHECK(&beside_best(*third.timing) == &third.timing->interleaved);
  CHECK(to_json(third) == to_json(bursts));
}

TEST_CASE("what is no measurement is refused, and the message says what is missing") {
  std::string text = to_json(example());
  CHECK(measurement_from_json("").error().code == ErrorCode::corrupt);
  CHECK(measurement_from_json(text.substr(0, text.size() / 2)).error().code == ErrorCode::corrupt);
  std::string newer = text;
  newer.replace(newer.find("\"version\": 1"), 12, "\"version\": 9");
  CHECK(measurement_from_json(newer).error().message.find("version 9") != std::string::npos);
  std::string without = text;
  without.replace(without.find("\"compile_ms\""), 12, "\"compile_xx\"");
  CHECK(measurement_from_json(without).error().message.find("compile_ms") != std::string::npos);
}

TEST_CASE("what no run can have is refused, and the message says which field") {
  const std::string text = to_json(example(), true);
  REQUIRE(measurement_from_json(text).has_value());
  const std::vector<std::array<const char*, 3>> lies{
      {"\"median_us\":2.0", "\"median_us\":-2.0", "'median_us'"},
      {"\"median_us\":2.0", "\"median_us\":1e308", "'median_us'"},
      {"\"median_us\":2.0", "\"median_us\":NaN", "not JSON"},
      {"\"lower\":3.5", "\"lower\":-3.5", "'lower'"},
      {"\"lower\":3.5,", "", "'lower'"},
      {"\"median_us\":2.0", "\"median_us\":null", "'median_us'"},
      {"\"median_us\":2.0", "\"median_us\":900.0", "must not fall"},
      {"\"samples_us\":[3.0,", "\"samples_us\":[-3.0,", "'samples_us'"},
      {"\"kernel_tflops\":0.0", "\"kernel_tflops\":1e300", "'kernel_tflops'"},
      {"\"ratio\":2.0", "\"ratio\":-2.0", "'ratio'"},
      {"\"alone_us\":[4.0,", "\"alone_us\":[-4.0,", "'alone_us'"},
      {"\"alone_us\":[4.0,3.5]", "\"alone_us\":[]", "'alone_us'"},
      {"\"way\":1", "\"way\":2", "'way'"},
      {"\"way\":1", "\"way\":-1", "'way'"},
      {"\"way\":1", "\"way\":0", "a way of timing must be there for another way than 0"},
      {"\"ratio\":1.75", "\"ratio\":null", "'interleaved' must have a ratio"},
      {"\"ratio\":2.0", "\"ratio\":null", "'best' is of a baseline"},
      {"\"compared\":16777216", "\"compared\":9223372036854775808", "'compared'"},
      {"\"compared\":16777216", "\"compared\":-1", "'compared'"},
      {"\"compared\":16777216", "\"compared\":0", "a wrong answer has no speed"},
      {"\"passed\":true", "\"passed\":false", "a wrong answer has no speed"},
      {"\"passed\":true", "\"passed\":1", "'passed'"},
      {"\"mismatches\":0", "\"mismatches\":5", "has not passed"},
      {"\"max_abs_error\":0.1", "\"max_abs_error\":-0.1", "must not be negative"},
      {"\"registers\":168", "\"registers\":-2", "'registers'"},
      {"\"grid\":[32,", "\"grid\":[4294967296,", "'grid'"},
      {"\"grid\":[32,32,1]", "\"grid\":[32,32]", "'grid' must be three numbers"},
      {"\"block\":[1,1,1]", "\"block\":[1,1,65]", "'block'"},
      {"\"launches_per_sample\":1", "\"launches_per_sample\":0", "'launches_per_sample'"},
      {"\"m\":4096", "\"m\":-4096", "'m'"},
      {"\"sm_count\":0", "\"sm_count\":9223372036854775807", "'sm_count'"},
      {"\"clock_mhz\":0.0", "\"clock_mhz\":1e999", "too large for a double"},
      {"\"compile_ms\":0.0", "\"compile_ms\":-1", "'compile_ms'"},
  };
  for (const auto& [truth, lie, words] : lies) {
    std::string changed = text;
    INFO(lie);
    REQUIRE(changed.find(truth) != std::string::npos);
    changed.replace(changed.find(truth), std::string_view(truth).size(), lie);
    const auto refused = measurement_from_json(changed);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().message.find(words) != std::string::npos);
  }
  std::string chatty = text;
  chatty.replace(chatty.find("gemm_4096"), 9, std::string(100000, 'x'));
  CHECK(measurement_from_json(chatty).error().message.find("'name' has 100000 bytes") != std::string::npos);
}

TEST_CASE("a spread has the median and the tenth and ninetieth percentile") {
  const Spread ten = spread_of({10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0});
  CHECK(ten.median == 5);
  CHECK(ten.p10 == 1);
  CHECK(ten.p90 == 9);
  CHECK(ten.samples.front() == 10);  // in the order in which they were taken
  CHECK(spread_of({1, 2}).median == 1.5);
  CHECK(spread_of({}).median == 0);
}
