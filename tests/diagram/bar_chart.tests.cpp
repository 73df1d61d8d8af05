// SPDX-License-Identifier: BSD-3-Clause
// Bars are as long as their numbers say, whiskers begin and end where the spread does, and texts do not lie on the reference's line.
#include "core/diagram/charts/bar_chart.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

BarChart chart_of(std::vector<double> values) {
  BarChart chart;
  for (const double value : values) chart.rows.push_back({"", "row", "", "", {Bar{value, {}, "text"}}, "", false});
  return chart;
}

template <class Mark>
std::vector<Mark> marks(const Scene& scene) {
  std::vector<Mark> found;
  for (const auto& mark : scene.panels.front().marks) {
    if (const auto* one = std::get_if<Mark>(&mark)) found.push_back(*one);
  }
  return found;
}

const Label* label(const Scene& scene, std::string_view text) {
  for (const Panel& panel : scene.panels) {
    for (const Mark& mark : panel.marks) {
      if (const auto* one = std::get_if<Label>(&mark); one != nullptr && scene.text_of(one->text) == text) return one;
    }
  }
  return nullptr;
}

std::string refusal(const BarChart& chart) {
  const Result<Scene> scene = bar_chart(chart);
  return scene ? "" : scene.error().message;
}

}  // namespace

TEST_CASE("bars begin at zero and are as long as their numbers, on one scale") {
  const Scene scene = bar_chart(chart_of({10, 25, 0, 40})).value();
  const std::vector<Cell> bars = marks<Cell>(scene);
  REQUIRE(bars.size() == 3);  // of nothing there is no bar
  for (const Cell& bar : bars) CHECK(bar.x == 0);
  CHECK(bars[1].w == Approx(2.5 * bars[0].w));
  CHECK(bars[2].w == Approx(4 * bars[0].w));
  CHECK(bars[0].y < bars[1].y);
  // The scale's number stands where a bar of that number ends.
  for (const char* number : {"0", "10", "20", "30", "40"}) {
    REQUIRE(label(scene, number) != nullptr);
    CHECK(label(scene, number)->x == Approx(std::stod(number) / 10 * bars[0].w));
  }
}

TEST_CASE("a bar says its row, its series, its value and its spread, or what its caller says") {
  BarChart chart;
  chart.series = {"value", "least"};
  chart.rows.push_back({"8", "ldmatrix", "", "", {Bar{44.6, {{43.5, 45.25}}, "44.6 %"}, Bar{12}}, "", false});
  chart.rows.push_back({"", "plain", "", "", {std::nullopt, Bar{3, {}, "3", "three, in words"}}, "", false});
  const Scene scene = bar_chart(chart).value();
  std::vector<std::string> words;
  for (const Cell& cell : marks<Cell>(scene)) {
    if (cell.subject != kNoSubject) words.emplace_back(scene.words_of(scene.subjects[cell.subject]));
  }
  CHECK(words == std::vector<std::string>{"8 ldmatrix: value 44.6 %, 43.5 to 45.25", "8 ldmatrix: least 12", "three, in words"});
}

TEST_CASE("the scale's steps are 1, 2 or 5 times a power of ten, and hold every number and spread") {
  for (const double most : {0.0007, 0.03, 1.0, 7.3, 49.0, 51.0, 99.9, 100.0, 101.0, 1e6, 3e12}) {
    CAPTURE(most);
    const Scene scene = bar_chart(chart_of({most, most / 2})).value();
    const float right = 22;
    CHECK(marks<Cell>(scene)[0].w <= right * 1.0001F);
    CHECK(marks<Cell>(scene)[0].w > right * 0.5F);
    const std::size_t ticks =
        static_cast<std::size_t>(std::count_if(scene.panels[0].marks.begin(), scene.panels[0].marks.end(), [](const Mark& mark) {
          return std::holds_alternative<Line>(mark) && std::get<Line>(mark).role == StrokeRole::hairline;
        }));
    CHECK((ticks >= 3 && ticks <= 7));
  }
  BarChart wide = chart_of({10});
  wide.rows[0].bars[0]->spread = std::pair(5.0, 95.0);
  CHECK(label(bar_chart(wide).value(), "100") != nullptr);
  for (const double least : {0.0, 5e-324, 1e-301, 1e300}) CHECK(bar_chart(chart_of({least})).has_value());
}

TEST_CASE("a whisker goes from one end of the spread to the other, in the middle of its bar") {
  BarChart chart = chart_of({40});
  chart.rows[0].bars[0]->spread = std::pair(30.0, 45.0);
  const Scene scene = bar_chart(chart).value();
  const Cell bar = marks<Cell>(scene)[0];
  const float unit = bar.w / 40;
  int found = 0;
  for (const Line& line : marks<Line>(scene)) {
    if (line.y0 == line.y1 && line.x0 == Approx(30 * unit) && line.x1 == Approx(45 * unit)) {
      ++found;
      CHECK(line.y0 == Approx(bar.y + bar.h / 2));
    }
  }
  CHECK(found == 1);
  CHECK(label(scene, "text")->x > 45 * unit);
}

TEST_CASE("where a value behind its bar would lie on the reference's line, values stand in their bars, and behind short ones") {
  BarChart chart = chart_of({97, 50, 1, 90});
  const char* texts[] = {"near", "far", "short", "whiskered"};
  for (std::size_t i = 0; i < 4; ++i) chart.rows[i].bars[0]->text = texts[i];
  chart.rows[0].note = "note", chart.rows[3].note = "beneath";
  chart.rows[3].bars[0]->spread = std::pair(80.0, 96.0);
  chart.reference = std::pair(100.0, std::string("goal"));
  const Scene scene = bar_chart(chart).value();
  const std::vector<Cell> bars = marks<Cell>(scene);
  const float line = label(scene, "goal")->x;
  for (const std::size_t i : {0U, 1U, 3U}) {
    CAPTURE(texts[i]);
    CHECK(label(scene, texts[i])->anchor == Anchor::right);
    CHECK(label(scene, texts[i])->x < bars[i].w);
  }
  CHECK(label(scene, "whiskered")->x < 0.8f * line);
  CHECK(label(scene, "short")->anchor == Anchor::left);
  CHECK(label(scene, "short")->x > bars[2].w);
  CHECK(label(scene, "note")->x > line);
  CHECK(label(scene, "beneath")->x == label(scene, "note")->x);  // notes behind the line begin together
  // Where no value would lie on the line, all stand behind their bars.
  chart.rows.erase(chart.rows.begin()), chart.rows.pop_back();
  CHECK(label(bar_chart(chart).value(), "far")->anchor == Anchor::left);
}

TEST_CASE("a text that its bar's colour would hide stays behind the reference's line") {
  BarChart chart = chart_of({97});
  chart.reference = std::pair(100.0, std::string("goal"));
  const Scene scene = bar_chart(chart, "#000040,#400000").value();
  CHECK(label(scene, "text")->x > label(scene, "goal")->x);
}

TEST_CASE("series share a row, groups share a colour, and a faint row has neither's") {
  BarChart chart;
  chart.series = {"one", "two"};
  chart.rows.push_back({"", "a", "", "", {Bar{1, {}, ""}, Bar{2, {}, ""}}, "", false});
  chart.rows.push_back({"", "b", "", "", {std::nullopt, Bar{3, {}, ""}}, "", false});
  const Scene two = bar_chart(chart).value();
  const std::vector<Cell> bars = marks<Cell>(two);  // and two of the legend
  REQUIRE(bars.size() == 5);
  CHECK(bars[0].fill != bars[1].fill);
  CHECK(bars[1].fill == bars[2].fill);
  CHECK(bars[0].y + bars[0].h <= bars[1].y + 1e-4F);
  CHECK((label(two, "one") != nullptr && label(two, "two") != nullptr));
  BarChart groups = chart_of({1, 2, 3, 4});
  groups.rows[0].group = groups.rows[2].group = "x", groups.rows[1].group = groups.rows[3].group = "y";
  groups.rows[3].faint = true;
  const Scene scene = bar_chart(groups).value();
  const std::vector<Cell> cells = marks<Cell>(scene);
  CHECK(cells[0].fill == cells[2].fill);
  CHECK(cells[0].fill != cells[1].fill);
  CHECK((cells[3].fill != cells[0].fill && cells[3].fill != cells[1].fill));
  CHECK(label(scene, "y") != nullptr);
}

TEST_CASE("rows of one group that stand together have its name beside them, and no legend") {
  BarChart chart = chart_of({1, 2, 3, 4});
  chart.rows[0].group = chart.rows[1].group = "x", chart.rows[2].group = chart.rows[3].group = "y";
  const Scene scene = bar_chart(chart).value();
  const std::vector<Cell> cells = marks<Cell>(scene);
  REQUIRE(cells.size() == 6);  // four bars, and a strip for each group
  const Label* const names[] = {label(scene, "x"), label(scene, "y")};
  for (std::size_t i = 0; i < 2; ++i) {
    const Cell &first = cells[2 * i], &last = cells[2 * i + 1], &strip = cells[4 + i];
    REQUIRE(names[i] != nullptr);
    CHECK(strip.fill == first.fill);
    CHECK(strip.y <= first.y);
    CHECK(strip.y + strip.h >= last.y + last.h);
    CHECK(names[i]->y == Approx(strip.y + strip.h / 2));
    CHECK(names[i]->x > strip.x + strip.w);
  }
}

TEST_CASE("lines of the scale run through no words behind bars") {
  BarChart chart = chart_of({7, 3});
  chart.rows[0].note = "a note that is long enough for the line at 8";
  const Scene scene = bar_chart(chart).value();
  const Label& note = *label(scene, chart.rows[0].note);
  int pieces = 0;
  for (const Line& line : marks<Line>(scene)) {
    if (line.role != StrokeRole::hairline || line.x0 != line.x1 || line.x0 <= note.x) continue;
    ++pieces;
    CHECK_FALSE((line.y0 < note.y && line.y1 > note.y));
  }
  CHECK(pieces > 1);
}

TEST_CASE("on powers of ten equal factors are equally long, and a mark stands at its number across its row") {
  BarChart chart = chart_of({0.5, 5, 50, 500});
  chart.powers_of_ten = true;
  chart.rows[1].mark = 50;
  chart.rows[1].bars[0]->spread = std::pair(4.0, 6.0);
  const Scene scene = bar_chart(chart).value();
  const std::vector<Cell> bars = marks<Cell>(scene);
  REQUIRE(bars.size() == 4);
  for (std::size_t i = 1; i < 4; ++i) CHECK(bars[i].w - bars[i - 1].w == Approx(22.0 / 4));  // from 0.1 to 1000
  for (const char* number : {"0.1", "1", "10", "100", "1000"}) {
    REQUIRE(label(scene, number) != nullptr);
    CHECK(label(scene, number)->x == Approx(22.0 / 4 * (std::log10(std::stod(number)) + 1)));
  }
  int across = 0;
  for (const Line& line : marks<Line>(scene)) {
    if (line.role != StrokeRole::strong) continue;
    ++across;
    CHECK(line.x0 == Approx(bars[2].w));  // which is at 50
    CHECK((line.y0 < bars[1].y && bars[1].y + bars[1].h < line.y1));
  }
  CHECK(across == 1);
  // What stands behind the bar of that row stands behind the mark.
  int behind = 0;
  for (const Label& each : marks<Label>(scene)) behind += scene.text_of(each.text) == "text" && each.x > bars[2].w && each.y < bars[2].y;
  CHECK(behind == 1);
}

TEST_CASE("a chart without a bar, with too many, or of numbers that are none is refused by name") {
  CHECK(refusal({}) == "there is nothing to chart: no row has a bar");
  BarChart empty = chart_of({1});
  empty.rows[0].bars[0].reset();
  CHECK(refusal(empty) == "there is nothing to chart: no row has a bar");
  CHECK(refusal(chart_of({1, -2})) == "the bar of \"row\" is -2; a bar is a number from zero upwards");
  CHECK(refusal(chart_of({std::nan("")})).starts_with("the bar of \"row\" is nan"));
  CHECK(refusal(chart_of({std::numeric_limits<double>::infinity()})).starts_with("the bar of \"row\" is inf"));
  BarChart spread = chart_of({1});
  spread.rows[0].bars[0]->spread = std::pair(3.0, 2.0);
  CHECK(refusal(spread) == "the spread of \"row\" goes from 3 to 2");
  BarChart series = chart_of({1});
  series.series = {"a", "b"};
  CHECK(refusal(series) == "the row \"row\" has 1 bars, and the chart 2 series");
  CHECK(refusal(chart_of(std::vector<double>(65, 1.0))) == "a chart of 65 rows and 1 series; a page holds 64 and 8");
  BarChart line = chart_of({1});
  line.reference = std::pair(-1.0, std::string("goal"));
  CHECK(refusal(line) == "the line \"goal\" is at -1; the scale begins at zero");
  BarChart tens = chart_of({1, 0});
  CHECK(refusal(tens).empty());
  tens.powers_of_ten = true;
  CHECK(refusal(tens) == "the bar of \"row\" is 0; a bar is a number above zero");
  BarChart marked = chart_of({1});
  marked.rows[0].mark = -3;
  CHECK(refusal(marked) == "the mark of \"row\" is -3; a mark is a number from zero upwards");
  CHECK(bar_chart(chart_of({1}), "pastel").error().code == ErrorCode::unknown_name);
}
