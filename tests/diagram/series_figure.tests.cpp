// SPDX-License-Identifier: BSD-3-Clause
// Lines and pairs of bars: points stand where their numbers are, bands are as wide as what was measured, and ratios are what they say.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/diagram/kinds/figures.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/figures.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

using Values = std::vector<std::optional<double>>;

NumberTable over(const std::vector<std::string>& xs, std::vector<NumberTable::Column> columns, std::string name = "p") {
  NumberTable table{"", {}, std::move(columns), {name}, {}};
  for (const std::string& x : xs) {
    table.points.push_back(name + " = " + x);
    table.at.push_back({x});
  }
  return table;
}

FigureSpec of(std::vector<FigureObject> objects, std::string kind, std::map<std::string, std::string> parameters = {}) {
  FigureSpec spec;
  spec.kind = std::move(kind);
  spec.objects = std::move(objects);
  spec.parameters = std::move(parameters);
  return spec;
}

struct Dot {
  float x = 0, y = 0;
  std::string words;
};

// Cells that stand for something, by their middles.
std::vector<Dot> dots_of(const Scene& scene) {
  std::vector<Dot> made;
  for (const Mark& mark : scene.panels.front().marks) {
    const auto* cell = std::get_if<Cell>(&mark);
    if (cell && cell->subject != kNoSubject)
      made.push_back({cell->x + cell->w / 2, cell->y + cell->h / 2, std::string(scene.words_of(scene.subjects.at(cell->subject)))});
  }
  return made;
}

bool says(const Scene& scene, std::string_view words) {
  for (const Panel& panel : scene.panels) {
    for (const Mark& mark : panel.marks) {
      const auto* label = std::get_if<Label>(&mark);
      if (label && scene.text_of(label->text).find(words) != std::string_view::npos) return true;
    }
  }
  return false;
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("points of a line stand at their numbers, evenly where they double and where they are evenly apart", "[series]") {
  for (const auto& [xs, scale] : {std::pair{std::vector<std::string>{"64", "128", "256", "512"}, "logarithmic"},
                                  std::pair{std::vector<std::string>{"10", "20", "30", "40"}, ""}}) {
    const Scene scene = drawn(of({over(xs, {{"us", {2, 4, 6, 0}}})}, "series"));
    const std::vector<Dot> dots = dots_of(scene);
    REQUIRE(dots.size() == 4);
    for (std::size_t i = 2; i < 4; ++i) CHECK(dots[i].x - dots[i - 1].x == Approx(dots[1].x - dots[0].x).epsilon(0.001));
    CHECK(dots[0].y - dots[1].y == Approx(dots[1].y - dots[2].y));  // up is more
    CHECK(dots[1].y < dots[0].y);
    CHECK((dots[3].y - dots[2].y) / (dots[0].y - dots[1].y) == Approx(3));
    CHECK(says(scene, "on a logarithmic scale") == !std::string_view(scale).empty());
    CHECK(dots[1].words.find(xs[1] + ": us 4") != std::string::npos);
  }
  // Powers of two over powers of two are a straight line, and others are not.
  const auto steps = [](const std::vector<std::optional<double>>& values) {
    const std::vector<Dot> dots = dots_of(drawn(of({over({"1", "2", "4"}, {{"us", values}})}, "series")));
    return (dots[2].y - dots[1].y) / (dots[1].y - dots[0].y);
  };
  CHECK(steps({2, 4, 8}) == Approx(1));
  CHECK(steps({2, 4, 7}) == Approx(1.5));
  CHECK(refusal(of({over({"1", "2"}, {{"us", {0, 2}}})}, "series", {{"y", "log2"}})).message == "0 has no place on a scale of logarithms");
  // The same points on a scale that is asked for.
  const Scene linear = drawn(of({over({"64", "128", "256", "512"}, {{"us", {2, 4, 6, 0}}})}, "series", {{"x", "linear"}}));
  const std::vector<Dot> dots = dots_of(linear);
  CHECK((dots[3].x - dots[2].x) / (dots[1].x - dots[0].x) == Approx(4).epsilon(0.001));
}

TEST_CASE("a band goes from p10 to p90, and what has other columns has a band of their width", "[series]") {
  const auto reaches = [](const Scene& scene) {
    float top = 1e9f, bottom = -1e9f;  // of the cells that stand for nothing: the band's strips
    for (const Mark& mark : scene.panels.front().marks) {
      const auto* cell = std::get_if<Cell>(&mark);
      if (cell && cell->subject == kNoSubject) top = std::min(top, cell->y), bottom = std::max(bottom, cell->y + cell->h);
    }
    return std::pair{top, bottom};
  };
  const Scene scene = drawn(of({over({"1", "2", "3"}, {{"us", {10, 10, 10}}, {"p10", {8, 8, 8}}, {"p90", {14, 14, 14}}})}, "series"));
  const float at_10 = dots_of(scene)[0].y;
  const auto [top, bottom] = reaches(scene);
  CHECK((at_10 - top) / (bottom - at_10) == Approx(2));
  CHECK(says(scene, "band: p10 to p90"));
  CHECK(dots_of(scene)[0].words.find("8 to 14") != std::string::npos);
  // Where two bands lie over one another there is a third colour.
  const NumberTable both = over(
      {"1", "2"}, {{"a", {10, 10}}, {"a_p10", {8, 8}}, {"a_p90", {14, 14}}, {"b", {12, 12}}, {"b_p10", {11, 11}}, {"b_p90", {16, 16}}});
  std::set<ColorIndex> fills;
  for (const Mark& mark : drawn(of({both}, "series", {{"columns", "a; b"}})).panels.front().marks) {
    if (const auto* cell = std::get_if<Cell>(&mark); cell && cell->subject == kNoSubject && cell->w > 1) fills.insert(cell->fill);
  }
  CHECK(fills.size() == 3);
  // 20 % of 10 around it, and 2 up and down, are the same band.
  const Scene percent = drawn(of({over({"1", "2"}, {{"t_us", {10, 10}}, {"t_us_spread_percent", {40, 40}}})}, "series", {{"y", "zero"}}));
  const Scene noise = drawn(of({over({"1", "2"}, {{"t_us", {10, 10}}, {"t_us_noise", {2, 2}}})}, "series", {{"y", "zero"}}));
  CHECK(reaches(percent).first == Approx(reaches(noise).first));
  CHECK(reaches(percent).second == Approx(reaches(noise).second));
  CHECK(says(percent, "as wide as p10 to p90"));
  CHECK(says(noise, "no measurable difference"));
}

TEST_CASE("each table, column and value of a second parameter has a line with its name", "[series]") {
  NumberTable two = over({"1", "1", "2", "2"}, {{"us", {1, 2, 3, 4}}}, "m");
  two.parameters = {"m", "stages"};
  for (std::size_t i = 0; i < 4; ++i) two.at[i].push_back(i % 2 == 0 ? "2" : "3");
  const Scene by_stages = drawn(of({two}, "series"));
  CHECK(says(by_stages, "stages = 2"));
  CHECK(says(by_stages, "stages = 3"));
  const Scene by_m = drawn(of({two}, "series", {{"over", "stages"}}));
  CHECK(says(by_m, "m = 1"));
  const NumberTable a = over({"1", "2"}, {{"ours", {1, 2}}, {"theirs", {3, 4}}});
  CHECK(says(drawn(of({a}, "series", {{"columns", "ours; theirs"}})), "theirs: lowest 3 at p = 1, highest 4 at p = 2"));
  CHECK(says(drawn(of({a, a}, "series", {{"names", "before; after"}})), "after"));
}

TEST_CASE("a line has a gap where there is no number, and names at its end do not touch", "[series]") {
  const Scene scene = drawn(of({over({"1", "2", "3"}, {{"us", {1, std::nullopt, 3}}})}, "series"));
  CHECK(dots_of(scene).size() == 2);
  for (const Mark& mark : scene.panels.front().marks) {
    const auto* line = std::get_if<Line>(&mark);
    CHECK_FALSE((line && line->subject != kNoSubject));  // neither half has both of its ends
  }
  CHECK(says(scene, "refused at 1 point"));
  std::vector<FigureObject> same(5, over({"1", "2"}, {{"us", {1, 1}}}));
  const Scene close = drawn(of(same, "series", {{"names", "a; b; c; d; e"}}));
  std::vector<float> at;
  for (const Mark& mark : close.panels.front().marks) {
    if (const auto* label = std::get_if<Label>(&mark); label && label->role == LabelRole::panel_name) at.push_back(label->y);
  }
  REQUIRE(at.size() == 5);
  std::sort(at.begin(), at.end());
  for (std::size_t i = 1; i < at.size(); ++i) CHECK(at[i] - at[i - 1] > 0.6f);
  CHECK(dots_of(close).size() == 10);  // a name at a line's end has no dot, which would look like one more number
}

TEST_CASE("lines of nothing, of infinities, over words and of unknown columns are refused", "[series]") {
  CHECK(refusal(of({over({"1", "2"}, {{"us", {std::nullopt, std::nullopt}}})}, "series")).message ==
        "there is nothing to show: no line has a number");
  CHECK(refusal(of({over({"1", "2"}, {{"us", {1, kInfinity}}})}, "series")).message == "us is inf at p = 2, which has no place on a scale");
  CHECK(refusal(of({over({"1", "2"}, {{"us", {1, std::nan("")}}})}, "series")).message ==
        "us is nan at p = 2, which has no place on a scale");
  CHECK(refusal(of({over({"naive", "tiled"}, {{"us", {1, 2}}})}, "series")).message.find("p is naive at a point") == 0);
  CHECK(refusal(of({over({"0", "1", "2"}, {{"us", {1, 2, 3}}})}, "series", {{"x", "log2"}}))
            .message.find("0 has no place on a scale of logarithms") == 0);
  CHECK(refusal(of({over({"1", "1"}, {{"us", {1, 2}}})}, "series")).message.find("has two numbers at 1") != std::string::npos);
  CHECK(refusal(of({over({"1", "2"}, {{"us", {2, 2}}, {"p10", {3, 3}}, {"p90", {1, 1}}})}, "series"))
            .message.find("the spread of us goes from 3 to 1") == 0);
  const Result<Scene> unknown =
      make_figure(of({over({"1", "2"}, {{"median_us", {1, 2}}, {"tflops", {3, 4}}})}, "series", {{"columns", "median"}}));
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().notes.at(0).find("median_us") != std::string::npos);
  CHECK(refusal(of({lay(8, 1)}, "series")).message.find("not of a layout") != std::string::npos);
  CHECK(refusal(of({over({"1", "2"}, {{"us", {1, 2}}})}, "series", {{"names", "a; b"}})).message ==
        "names has 2 names, and there are 1 lines");
}

TEST_CASE("pairs of bars say how much more or less the second number is, point by point", "[bar_pairs]") {
  const NumberTable ours = over({"1024", "2048"}, {{"us", {10, 45}}}, "size"), theirs = over({"1024", "2048"}, {{"us", {20, 15}}}, "size");
  const Scene scene = drawn(of({ours, theirs}, "bar_pairs", {{"names", "ours; theirs"}}));
  CHECK(says(scene, "2× more"));
  CHECK(says(scene, "3× less"));
  CHECK(says(scene, "beside the bars: theirs against ours; 1.22× less in the geometric mean"));
  const std::vector<Dot> bars = dots_of(scene);
  REQUIRE(bars.size() == 4);
  CHECK(bars[2].words == "size = 2048: ours 45");
  CHECK(bars[3].words == "size = 2048: theirs 15");
  CHECK(bars[2].x / bars[3].x == Approx(3));  // middles of bars from zero
  const NumberTable plain = over({"1"}, {{"wavefronts", {8}}}), better = over({"1"}, {{"wavefronts", {2}}});
  CHECK(says(drawn(of({plain, better}, "bar_pairs")), "4× fewer"));  // which are counted
  // Two columns of one table are the same picture.
  const NumberTable both =
      over({"1024", "2048"}, {{"ours", {10, 45}}, {"theirs", {20, 15}}, {"ours_p10", {9, 44}}, {"ours_p90", {11, 47}}}, "size");
  const Scene one = drawn(of({both}, "bar_pairs", {{"columns", "ours; theirs"}}));
  CHECK(says(one, "beside the bars: theirs against ours; 1.22× less in the geometric mean"));
  CHECK(dots_of(one)[0].words == "size = 1024: ours 10, p10 to p90: 9 to 11");
  // Names of one unit leave it to the scale.
  const NumberTable times = over({"1024", "2048"}, {{"median_us", {10, 45}}, {"baseline_us", {20, 15}}}, "size");
  const Scene timed = drawn(of({times}, "bar_pairs", {{"columns", "median_us; baseline_us"}}));
  CHECK(says(timed, "beside the bars: baseline against median"));
  CHECK(dots_of(timed)[1].words == "size = 1024: baseline 20");
}

TEST_CASE("pairs of other points, of one column and of negative or infinite numbers are refused", "[bar_pairs]") {
  const NumberTable a = over({"1", "2"}, {{"us", {1, 2}}}), b = over({"1", "3"}, {{"us", {1, 2}}}), c = over({"1"}, {{"us", {1}}});
  CHECK(refusal(of({a, b}, "bar_pairs")).message ==
        "point 1 is p = 2 in the first table, and p = 3 in the second: pairs are of the same points");
  CHECK(refusal(of({a, c}, "bar_pairs")).message.find("the first table has 2 points, and the second 1") == 0);
  CHECK(refusal(of({a}, "bar_pairs")).message.find("pairs of one table need two of its columns") == 0);
  CHECK(refusal(of({a, over({"1", "2"}, {{"us", {1, kInfinity}}})}, "bar_pairs")).message.find("inf") != std::string::npos);
  CHECK_FALSE(make_figure(of({a, over({"1", "2"}, {{"us", {1, -2}}})}, "bar_pairs")));
  CHECK_FALSE(make_figure(of({over({"1"}, {{"us", {std::nullopt}}}), over({"1"}, {{"us", {std::nullopt}}})}, "bar_pairs")));
}

TEST_CASE("a chart's bars have whiskers where the table says p10 and p90, and a line where one is asked for", "[chart]") {
  const NumberTable table = over({"naive", "tiled"}, {{"percent", {10, 40}}, {"percent_p10", {8, 38}}, {"percent_p90", {12, 45}}}, "rung");
  const Scene scene = drawn(of({table}, "chart", {{"reference", "100; cuBLASLt"}}));
  CHECK(says(scene, "cuBLASLt"));
  CHECK(says(scene, "whiskers: p10 to p90"));
  CHECK(says(scene, "naive"));
  CHECK_FALSE(says(scene, "rung = naive"));  // a word names itself
  CHECK(dots_of(scene)[1].words == "rung = tiled: percent 40, p10 to p90: 38 to 45");
  CHECK(refusal(of({table}, "chart", {{"reference", "fast"}})).message == "reference=fast is no number with a name");
}

TEST_CASE("what was measured has as many decimals as the greatest, of three digits, and what was counted has all of its digits",
          "[chart]") {
  const NumberTable table =
      over({"1", "2", "3", "4"},
           {{"percent", {0.0728, 0.9728, 9.996, 98.07}}, {"percent_p10", {0.07, 0.9, 9.9, 98}}, {"percent_p90", {0.08, 1, 10, 99}}});
  const Scene scene = drawn(of({table}, "chart"));
  for (const char* text : {"0.0728", "1.0", "10.0", "98.1"}) {
    CAPTURE(text);
    CHECK(says(scene, text));
  }
  CHECK(says(drawn(of({over({"1", "2"}, {{"sectors", {1025, 12.25}}})}, "chart")), "1025"));
}

TEST_CASE("bars of one value of a group have its colour, and the legend names it", "[chart]") {
  NumberTable table{"", {}, {{"percent", {10, 40, 90}}}, {"rung", "types"}, {{"naive", "f32"}, {"tiled", "f16"}, {"wgmma", "f16"}}};
  for (const auto& at : table.at) table.points.push_back("rung = " + at[0] + ", types = " + at[1]);
  const Scene scene = drawn(of({table}, "chart", {{"group", "types"}}));
  std::vector<ColorIndex> fills;
  for (const Mark& mark : scene.panels.front().marks) {
    if (const auto* cell = std::get_if<Cell>(&mark)) fills.push_back(cell->fill);
  }
  REQUIRE(fills.size() == 5);  // and two of the legend
  CHECK(fills[0] != fills[1]);
  CHECK(fills[1] == fills[2]);
  CHECK(fills[3] == fills[0]);
  CHECK((says(scene, "f32") && says(scene, "wgmma")));
  CHECK_FALSE(says(scene, "types = f16"));
  // Groups of rows that follow one another stand apart, with a line between them.
  const auto tops = [](const Scene& of_scene) {
    std::vector<float> made;
    for (const Mark& mark : of_scene.panels.front().marks) {
      if (const auto* cell = std::get_if<Cell>(&mark); cell && made.size() < 3) made.push_back(cell->y);
    }
    return made;
  };
  const std::vector<float> grouped = tops(scene);
  CHECK(grouped[1] - grouped[0] > grouped[2] - grouped[1] + 0.5f);
  const auto mixed_of = [&](NumberTable mixed) {
    std::swap(mixed.at[0], mixed.at[1]);
    return drawn(of({mixed}, "chart", {{"group", "types"}}));
  };
  const std::vector<float> mixed = tops(mixed_of(table));
  CHECK(mixed[1] - mixed[0] == Approx(mixed[2] - mixed[1]));
  CHECK(refusal(of({table}, "chart", {{"group", "type"}})).message ==
        "group=type is none of two or more parameters; the table is over rung and types");
}

TEST_CASE("the scale across says what its parameter is", "[series]") {
  const NumberTable table = over({"1", "2", "5"}, {{"us", {1, 2, 3}}});
  CHECK(says(drawn(of({table}, "series", {{"across", "elements from lane to lane"}})), "p: elements from lane to lane"));
  CHECK(says(drawn(of({table}, "series", {{"across", "p, the pitch"}})), "p, the pitch"));  // it names itself
}
