// SPDX-License-Identifier: BSD-3-Clause
// The chart of a ladder says what was measured: shares, spreads, types, where and when, and what is of another version.
#include <string>
#include <vector>

#include "app/session/gemm/ladder_chart.hpp"

#include "core/render/shared/render.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/ladders.hpp"

using namespace tessera;
using test::made_up, test::made_up_ladder;

TEST_CASE("a ladder's chart has a bar a rung with its share of cuBLASLt, and the spread of single launches") {
  const BarChart chart = chart_of(made_up_ladder()).value();
  REQUIRE(chart.rows.size() == 4);
  CHECK(chart.title == "Two ladders on NVIDIA X9 12GB, 256 x 256 x 256");
  CHECK(chart.reference->first == 100);
  const BarRow& second = chart.rows[1];
  CHECK((second.key == "2" && second.name == "coalesced" && second.says == ladder()[1].in_short && second.group == "CUDA cores: f32"));
  REQUIRE(second.bars.size() == 1);
  CHECK(second.bars[0]->value == Approx(40));
  CHECK(second.bars[0]->text == "40.0 %");
  REQUIRE(second.bars[0]->spread);
  // Of 1, 1.02, 1, 0.98 and 1 times the share: the tenth percentile lies between the least two.
  CHECK(second.bars[0]->spread->first == Approx(40 * 0.988));
  CHECK(second.bars[0]->spread->second == Approx(40 * 1.012));
  CHECK(second.note == "16.0 TFLOP/s");
  CHECK_FALSE(chart.rows[2].bars[0]);
  CHECK(chart.rows[2].note == "not measured");
  REQUIRE(chart.notes.size() == 3);
  CHECK(chart.notes[0] == "RECORDED: NVIDIA X9 12GB, driver 1.2.3, NVRTC 9.9, cuBLASLt 8.7, 2020-02-03");
  CHECK(chart.notes[1] == "cuBLASLt: f32: 40.0 TFLOP/s");
}

TEST_CASE("each way of timing is a series, and only interleaved launches have a spread") {
  const BarChart chart = chart_of(made_up_ladder(), {{"burst", "interleaved", "alone"}}).value();
  CHECK(chart.series == std::vector<std::string>{"burst", "interleaved", "alone"});
  const BarRow& row = chart.rows[1];
  CHECK((row.bars[0]->value == Approx(36) && row.bars[1]->value == Approx(40) && row.bars[2]->value == Approx(44)));
  CHECK((!row.bars[0]->spread && row.bars[1]->spread && !row.bars[2]->spread));
  CHECK(row.note.empty());
  CHECK(chart_of(made_up_ladder(), {{"alone"}})->notes.size() == 2);
  CHECK(chart_of(made_up_ladder(), {{"best"}}).error().message ==
        "there is no way of timing \"best\": interleaved, alone and burst are timed");
  CHECK_FALSE(chart_of(made_up_ladder(), {std::vector<std::string>{}}).has_value());
}

TEST_CASE("a bar of another version stands back and says so, and of a wrong result there is none") {
  MeasuredLadder ladder = made_up_ladder();
  ladder.rungs[0].other_version = "the kernel's code has changed since";
  ladder.rungs[1].measurement->correctness.passed = false, ladder.rungs[1].measurement->timing.reset();
  const BarChart chart = chart_of(ladder).value();
  CHECK(chart.rows[0].faint);
  CHECK(chart.rows[0].note == "8.00 TFLOP/s, of another version");
  CHECK_FALSE(chart.rows[1].bars[0]);
  CHECK(chart.rows[1].note == "its result is wrong");
  CHECK_FALSE(chart.rows[3].faint);
}

TEST_CASE("a ladder that was timed without cuBLASLt has no chart of its share") {
  MeasuredLadder ladder = made_up_ladder();
  for (MeasuredRung& rung : ladder.rungs) {
    if (!rung.measurement) continue;
    for (TimedMode* mode : {&rung.measurement->timing->interleaved, &rung.measurement->timing->alone, &rung.measurement->timing->burst})
      mode->baseline.reset(), mode->ratio.reset();
  }
  CHECK(draw_chart(ladder).error().message == "there is nothing to chart: no row has a bar");
  ladder.rungs[0].measurement = made_up(tessera::ladder()[0], ladder.extents, 0.3);
  CHECK(chart_of(ladder)->rows[1].note == "16.0 TFLOP/s, no baseline");
}

TEST_CASE("by rates both ladders stand on one scale of powers of ten, cuBLASLt's rate in each row, and the museum piece behind them") {
  MeasuredLadder ladder = made_up_ladder();
  ladder.rungs.push_back({7, "quad_pairs", made_up(tessera::ladder()[6], ladder.extents, 0.01), {}, {}, false, {}});
  ladder.rungs.push_back({10, "wgmma_tma", made_up(tessera::ladder()[9], ladder.extents, 0.93), {}, {}, false, {}});
  LadderChart wanted;
  wanted.rates = true;
  const BarChart chart = chart_of(ladder, wanted).value();
  CHECK(chart.powers_of_ten);
  CHECK_FALSE(chart.reference);
  CHECK(chart.axis == "TFLOP/s, interleaved");
  CHECK(chart.rows.back().name == "quad_pairs");
  CHECK(chart.rows.back().group.starts_with("museum piece: "));
  CHECK(chart.rows[chart.rows.size() - 2].name == "wgmma_tma");
  const BarRow& second = chart.rows[1];
  CHECK(second.bars[0]->value == Approx(16));
  CHECK(second.bars[0]->text == "16.0 TFLOP/s");
  CHECK(*second.mark == Approx(40));
  CHECK(second.note == "40.0 %");
  REQUIRE(second.bars[0]->spread);
  CHECK((second.bars[0]->spread->first < 16 && 16 < second.bars[0]->spread->second));
  CHECK_FALSE(chart.rows[2].mark);
  wanted.modes = {"alone", "burst"};
  const BarChart both = chart_of(ladder, wanted).value();
  CHECK_FALSE(both.rows[1].mark);
  CHECK(both.rows[1].bars.size() == 2);
  wanted.modes = {"interleaved"};
  const std::string svg = render_svg(draw_chart(ladder, wanted).value()).value();
  CHECK(svg == testing::golden("figures/ladder_rates_chart.svg", svg));
}

TEST_CASE("the chart of a ladder looks as it did when a person looked at it") {
  MeasuredLadder ladder = made_up_ladder();
  ladder.rungs.push_back({10, "wgmma_tma", made_up(tessera::ladder()[9], ladder.extents, 0.93), {}, {}, false, {}});
  ladder.rungs[0].other_version = "the kernel's code has changed since";
  const std::string svg = render_svg(draw_chart(ladder).value()).value();
  CHECK(svg == testing::golden("figures/ladder_chart.svg", svg));
}
