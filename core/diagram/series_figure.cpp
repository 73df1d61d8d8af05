// SPDX-License-Identifier: BSD-3-Clause
// Lines over one swept parameter: a line for each table, column or value of a second parameter, with its name at its end, and a band around
// it where the tables say how far the numbers spread.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/base/budget.hpp"
#include "core/diagram/aids.hpp"
#include "core/diagram/chart_parts.hpp"
#include "core/diagram/figure_kinds.hpp"

namespace tessera {
namespace {

constexpr float kWidth = 22, kHeight = 11;  // cells
constexpr float kType = 0.46f, kName = 0.5f;
constexpr float kSign = 0.56f;   // width of a sign, in type sizes
constexpr float kStair = 0.04f;  // of a band's edge, in cells: its slope is made of strips
constexpr int kMostStrips = 96;  // between two points
constexpr std::size_t kMostLines = 8, kMostDots = 64;
constexpr double kFarAbove = 0.6;  // a scale begins at zero unless the least number is above so much of the greatest
constexpr double kSame = 1e-9;     // relative difference of two numbers that are one

struct Point {
  double x = 0;
  std::optional<double> y{};  // nothing: refused there
  std::optional<std::pair<double, double>> spread{};
  std::string words{};
};
struct SeriesLine {
  std::string name;
  std::vector<Point> points;  // ascending in x
  std::string spread_words{};
};

Result<double> number_of(std::string_view parameter, const std::string& text) {
  double made = 0;
  const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), made);
  if (bad == std::errc() && end == text.data() + text.size() && std::isfinite(made)) return made;
  return Error{ErrorCode::wrong_type,
               fmt::format("{} is {} at a point, which has no place on a scale of numbers", parameter, text),
               {},
               {"words have bars: chart_figure(...), bar_pairs_figure(...)"}};
}

Status check_number(double value, std::string_view column, const std::string& point) {
  if (std::isfinite(value)) return Done{};
  return Error{ErrorCode::out_of_range, fmt::format("{} is {} at {}, which has no place on a scale", column, value, point), {}, {}};
}

// Which of a table's parameters is across; the other one of two has a line for each of its values.
Result<std::size_t> across_of(const FigureSpec& spec, const NumberTable& table) {
  if (table.parameters.empty() || table.parameters.size() > 2)
    return Error{ErrorCode::rank_mismatch,
                 fmt::format("lines are over one parameter or two, and this table is over {}",
                             counted(static_cast<std::int64_t>(table.parameters.size()), "parameter")),
                 {},
                 {"sweep fewer parameters at once"}};
  const std::string_view over = parameter(spec, "over");
  if (over.empty()) return std::size_t{0};
  const auto found = std::find(table.parameters.begin(), table.parameters.end(), over);
  if (found == table.parameters.end())
    return Error{ErrorCode::unknown_name,
                 fmt::format("the table has no parameter '{}'", over),
                 {},
                 {fmt::format("it is over {}", fmt::join(table.parameters, " and "))}};
  return static_cast<std::size_t>(found - table.parameters.begin());
}

Status add_lines(const FigureSpec& spec, const NumberTable& table, std::vector<SeriesLine>& lines) {
  TESSERA_TRY(across, across_of(spec, table));
  TESSERA_TRY(columns, columns_of(spec, table));
  const bool two = table.parameters.size() == 2;
  const std::size_t other = 1 - across;
  for (const NumberTable::Column* column : columns) {
    const Spreads spreads = spreads_of(table, *column);
    const std::size_t first = lines.size();
    for (std::size_t i = 0; i < table.points.size(); ++i) {
      std::string name = columns.size() > 1 || (!two && spec.objects.size() < 2) ? column->name : std::string();
      if (two) name += fmt::format("{}{} = {}", name.empty() ? "" : ", ", table.parameters[other], table.at[i][other]);
      if (name.empty()) name = table.of;
      auto line = std::find_if(lines.begin() + static_cast<std::ptrdiff_t>(first), lines.end(),
                               [&](const auto& each) { return each.name == name; });
      if (line == lines.end()) {
        if (lines.size() == kMostLines)
          return Error{ErrorCode::limit,
                       fmt::format("more than {} lines cannot be told apart", kMostLines),
                       {},
                       {"sweep fewer values, or draw a heat map: heat_map_figure(...)"}};
        lines.push_back({name, {}, spreads.words});
        line = lines.end() - 1;
      }
      TESSERA_TRY(x, number_of(table.parameters[across], table.at[i][across]));
      Point point{x, column->values[i], {}, fmt::format("{}: refused", table.points[i])};
      if (point.y) {
        TESSERA_CHECK(check_number(*point.y, column->name, table.points[i]));
        point.words = fmt::format("{}: {} {:.6g}", table.points[i], column->name, *point.y);
        if (!spreads.words.empty()) point.spread = spreads.at[i];
      }
      if (point.spread) {
        TESSERA_CHECK(check_number(point.spread->first, column->name, table.points[i]));
        TESSERA_CHECK(check_number(point.spread->second, column->name, table.points[i]));
        if (point.spread->first > point.spread->second)
          return Error{ErrorCode::out_of_range,
                       fmt::format("the spread of {} goes from {} to {} at {}", column->name, point.spread->first, point.spread->second,
                                   table.points[i]),
                       {},
                       {}};
        point.words += fmt::format(", {}: {:.4g} to {:.4g}", spreads.words, point.spread->first, point.spread->second);
      }
      line->points.push_back(std::move(point));
    }
  }
  return Done{};
}

Result<std::vector<SeriesLine>> lines_of(const FigureSpec& spec) {
  std::vector<SeriesLine> lines;
  for (const FigureObject& object : spec.objects) {
    const auto* table = std::get_if<NumberTable>(&object);
    if (!table || table->columns.empty())
      return Error{ErrorCode::wrong_type,
                   fmt::format("lines are of a table with a column of numbers, not of {}", object_name(object)),
                   {},
                   {"for example series_figure(sweep(cosize((8,8):(p,1)), p=8..12))"}};
    TESSERA_CHECK(add_lines(spec, *table, lines));
  }
  std::vector<std::string> names;
  for (const SeriesLine& line : lines) names.push_back(line.name);
  TESSERA_CHECK(take_names(spec, names, "lines"));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    lines[i].name = names[i];
    std::stable_sort(lines[i].points.begin(), lines[i].points.end(), [](const Point& a, const Point& b) { return a.x < b.x; });
    const auto twice =
        std::adjacent_find(lines[i].points.begin(), lines[i].points.end(), [](const auto& a, const auto& b) { return a.x == b.x; });
    if (twice != lines[i].points.end())
      return Error{ErrorCode::out_of_range, fmt::format("{} has two numbers at {:.6g}", names[i], twice->x), {}, {}};
  }
  return lines;
}

// A scale from `least` to `most`, with ticks where a reader looks for them.
struct Scale {
  bool log2 = false;
  double least = 0, most = 1;
  float length = 1;
  std::vector<double> ticks{};

  float place(double value) const {
    const double at =
        log2 ? (std::log2(value) - std::log2(least)) / (std::log2(most) - std::log2(least)) : (value - least) / (most - least);
    return length * static_cast<float>(at);
  }
};

// 1, 2 or 5 times a power of ten, so that there are about `wanted` steps.
double round_step(double range, double wanted) {
  const double rough = range / wanted, power = std::pow(10, std::floor(std::log10(rough)));
  for (const double times : {1.0, 2.0, 5.0}) {
    if (times * power >= rough * (1 - kSame)) return times * power;
  }
  return 10 * power;
}

bool do_double(const std::vector<double>& xs) {
  if (xs.size() < 3 || xs.front() <= 0) return false;
  for (std::size_t i = 1; i < xs.size(); ++i) {
    const double times = std::log2(xs[i] / xs[i - 1]);
    if (std::abs(times - std::round(times)) > kSame) return false;
  }
  return true;
}

std::vector<double> places_of(const std::vector<SeriesLine>& lines) {
  std::vector<double> xs;
  for (const SeriesLine& line : lines) {
    for (const Point& point : line.points) xs.push_back(point.x);
  }
  std::sort(xs.begin(), xs.end());
  xs.erase(std::unique(xs.begin(), xs.end()), xs.end());
  return xs;
}

Result<Scale> scale_across(const FigureSpec& spec, const std::vector<double>& xs) {
  TESSERA_TRY(word, choice(spec, "x", kAxisChoices));
  Scale scale;
  scale.length = kWidth;
  scale.log2 = word == "log2" || (word == "auto" && do_double(xs));
  if (scale.log2 && xs.front() <= 0)
    return Error{
        ErrorCode::out_of_range, fmt::format("{:.6g} has no place on a scale of logarithms", xs.front()), {}, {"leave x=log2 out"}};
  const double range = xs.back() - xs.front();
  if (range <= 0) {  // one point
    scale.log2 = false;
    scale.least = xs.front() - 1, scale.most = xs.front() + 1, scale.ticks = xs;
    return scale;
  }
  constexpr double kMargin = 0.03;
  if (scale.log2) {
    const double room = std::pow(xs.back() / xs.front(), kMargin);
    scale.least = xs.front() / room, scale.most = xs.back() * room;
    for (double at = std::exp2(std::ceil(std::log2(xs.front()) - kSame)); at <= xs.back() * (1 + kSame); at *= 2) scale.ticks.push_back(at);
  } else {
    scale.least = xs.front() - kMargin * range, scale.most = xs.back() + kMargin * range;
    const double step = round_step(range, 8);
    for (double i = std::ceil(xs.front() / step - kSame); i * step <= xs.back() * (1 + kSame); ++i) scale.ticks.push_back(i * step);
    if (xs.size() <= 12) scale.ticks = xs;
  }
  return scale;
}

Result<Scale> scale_up(const FigureSpec& spec, const std::vector<SeriesLine>& lines) {
  TESSERA_TRY(word, choice(spec, "y", kScaleChoices));
  std::optional<std::pair<double, double>> range;
  const auto take = [&](double value) {
    range = range ? std::pair{std::min(range->first, value), std::max(range->second, value)} : std::pair{value, value};
  };
  for (const SeriesLine& line : lines) {
    for (const Point& point : line.points) {
      if (point.y) take(*point.y);
      if (point.spread) take(point.spread->first), take(point.spread->second);
    }
  }
  if (!range) return Error{ErrorCode::out_of_range, "there is nothing to show: no line has a number", {}, {}};
  if (word == "zero" || (word == "auto" && !(range->first > kFarAbove * range->second && range->second > 0)))
    range = {std::min(0.0, range->first), std::max(0.0, range->second)};
  double height = range->second - range->first;
  if (!(height > 1e-300)) height = std::max(std::abs(range->second), 1.0);  // all are one number
  const double step = round_step(height, 5);
  Scale scale;
  scale.length = kHeight;
  scale.least = step * std::floor(range->first / step + kSame);
  scale.most = step * std::ceil(range->second / step - kSame);
  if (scale.most <= scale.least) scale.most = scale.least + step;
  const int steps = static_cast<int>(std::round((scale.most - scale.least) / step));
  for (int i = 0; i <= steps; ++i) scale.ticks.push_back(scale.least + i * step);
  for (double& tick : scale.ticks) tick = std::abs(tick) < step * 1e-6 ? 0 : tick;
  return scale;
}

std::string tick_text(double value) { return fmt::format("{:.6g}", value); }

class Painter {
 public:
  Painter(Scene& scene, const Palette& palette, const Scale& x, const Scale& y, std::size_t lines) : scene_(scene), x_(x), y_(y) {
    const auto count = static_cast<std::int64_t>(std::max<std::size_t>(2, lines));
    for (std::size_t i = 0; i < lines; ++i) {
      const Rgb hue = palette.category(static_cast<std::int64_t>(i), count);
      lines_.push_back(scene.color(mix(hue, scene.page.ink, 0.2)));
      bands_.push_back(scene.color(mix(hue, scene.page.paper, 0.62)));
      edges_.push_back(scene.color(mix(hue, scene.page.paper, 0.25)));
    }
  }

  void add_axes(std::string_view across, std::string_view up) {
    float last = -1e9f;
    for (const double tick : x_.ticks) {
      const float at = x_.place(tick), wide = width_of(tick_text(tick), kType);
      panel_.marks.push_back(Line{at, 0, at, kHeight, StrokeRole::hairline});
      if (at - wide / 2 < last + 0.25f) continue;  // its number would touch the one before
      last = at + wide / 2;
      text(at, kHeight + 0.5f, tick_text(tick), LabelRole::axis, Anchor::center, kType);
    }
    for (const double tick : y_.ticks) {
      panel_.marks.push_back(Line{0, up_at(tick), kWidth, up_at(tick), tick == 0 ? StrokeRole::boundary : StrokeRole::hairline});
      text(-0.3f, up_at(tick), tick_text(tick), LabelRole::axis, Anchor::right, kType);
    }
    panel_.marks.push_back(Line{0, 0, 0, kHeight, StrokeRole::boundary});
    panel_.marks.push_back(Line{0, kHeight, kWidth, kHeight, StrokeRole::boundary});
    text(kWidth / 2, kHeight + 1.2f, across, LabelRole::axis, Anchor::center, kType);
    text(-0.3f, -0.7f, up, LabelRole::axis, Anchor::left, kType);
  }

  // Strips, narrower where the band's edge is steeper, and the edges over them.
  void add_band(const SeriesLine& line, std::size_t i) {
    for (std::size_t p = 1; p < line.points.size(); ++p) {
      const Point &a = line.points[p - 1], &b = line.points[p];
      if (!a.spread || !b.spread) continue;
      const float x0 = x_.place(a.x), x1 = x_.place(b.x);
      const float low0 = up_at(a.spread->first), low1 = up_at(b.spread->first), high0 = up_at(a.spread->second),
                  high1 = up_at(b.spread->second);
      const float steep = std::max(std::abs(low1 - low0), std::abs(high1 - high0));
      const int strips = std::clamp(static_cast<int>(std::ceil(steep / kStair)), 1, kMostStrips);
      for (int s = 0; s < strips; ++s) {
        const float from = static_cast<float>(s) / static_cast<float>(strips),
                    middle = (static_cast<float>(s) + 0.5f) / static_cast<float>(strips);
        const float top = high0 + middle * (high1 - high0), bottom = low0 + middle * (low1 - low0);
        if (bottom - top <= 0) continue;
        panel_.marks.push_back(Cell{x0 + from * (x1 - x0), top, (x1 - x0) / static_cast<float>(strips) + 0.01f, bottom - top, bands_[i]});
      }
      panel_.marks.push_back(Line{x0, low0, x1, low1, StrokeRole::hairline, edges_[i]});
      panel_.marks.push_back(Line{x0, high0, x1, high1, StrokeRole::hairline, edges_[i]});
    }
  }

  void add_line(const SeriesLine& line, std::size_t i) {
    const std::uint32_t subject = scene_.add_words(line.name);
    for (std::size_t p = 1; p < line.points.size(); ++p) {
      const Point &a = line.points[p - 1], &b = line.points[p];
      if (a.y && b.y)
        panel_.marks.push_back(Line{x_.place(a.x), up_at(*a.y), x_.place(b.x), up_at(*b.y), StrokeRole::strong, lines_[i], subject});
    }
    // Those that are drawn later are smaller: what lies below them stays to be seen.
    const float dot = line.points.size() > kMostDots ? 0.14f : 0.42f - 0.16f * static_cast<float>(i) / static_cast<float>(lines_.size());
    for (const Point& point : line.points) {
      const float at = x_.place(point.x);
      if (!point.y) continue;
      if (point.spread) {
        const float low = up_at(point.spread->first), high = up_at(point.spread->second);
        panel_.marks.push_back(Line{at, low, at, high, StrokeRole::boundary, lines_[i]});
      }
      Cell cell{at - dot / 2, up_at(*point.y) - dot / 2, dot, dot, lines_[i]};
      cell.subject = scene_.add_words(fmt::format("{}{}{}", line.name, line.name.empty() ? "" : "  ", point.words));
      panel_.marks.push_back(cell);
    }
  }

  // The names at the lines' ends, moved apart where they would touch.
  void add_names(const std::vector<SeriesLine>& lines) {
    constexpr float kApart = 0.72f, kEarly = 2;
    struct Name {
      float x = 0, y = 0, at = 0;
      std::size_t line = 0;
    };
    std::vector<Name> names;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const auto last =
          std::find_if(lines[i].points.rbegin(), lines[i].points.rend(), [](const Point& each) { return each.y.has_value(); });
      if (last == lines[i].points.rend()) continue;
      if (kWidth - x_.place(last->x) > kEarly) {  // beside its own end: a line to the others' names would look like more of it
        text(x_.place(last->x) + 0.35f, up_at(*last->y) - 0.5f, lines[i].name, LabelRole::panel_name, Anchor::left, kName);
        continue;
      }
      names.push_back({x_.place(last->x), up_at(*last->y), up_at(*last->y), i});
    }
    std::stable_sort(names.begin(), names.end(), [](const Name& a, const Name& b) { return a.y < b.y; });
    for (std::size_t i = 1; i < names.size(); ++i) names[i].at = std::max(names[i].at, names[i - 1].at + kApart);
    if (!names.empty() && names.back().at > kHeight) {  // back from below
      names.back().at = std::max(names.back().y, kHeight);
      for (std::size_t i = names.size() - 1; i-- > 0;) names[i].at = std::min(names[i].at, names[i + 1].at - kApart);
    }
    const float left = kWidth + 0.55f;
    for (const Name& name : names) {
      panel_.marks.push_back(Line{name.x + 0.2f, name.y, left - 0.1f, name.at, StrokeRole::boundary, lines_[name.line]});
      panel_.marks.push_back(Cell{left, name.at - 0.17f, 0.34f, 0.34f, lines_[name.line]});
      text(left + 0.55f, name.at, lines[name.line].name, LabelRole::panel_name, Anchor::left, kName);
    }
  }

  Panel take() && { return std::move(panel_); }

 private:
  float up_at(double value) const { return kHeight - y_.place(value); }
  static float width_of(std::string_view words, float size) { return kSign * size * static_cast<float>(words.size()); }
  void text(float x, float y, std::string_view words, LabelRole role, Anchor anchor, float size) {
    panel_.marks.push_back(Label{x, y, scene_.intern(words), role, anchor, size});
  }

  Scene& scene_;
  const Scale &x_, &y_;
  std::vector<ColorIndex> lines_, bands_, edges_;
  Panel panel_{"series", {}, "series"};
};

// "ours: 412 at size = 1024 to 640 at 8192"
std::string says(const SeriesLine& line, std::string_view across) {
  const Point *least = nullptr, *most = nullptr;
  std::int64_t refused = 0;
  for (const Point& point : line.points) {
    refused += point.y ? 0 : 1;
    if (!point.y) continue;
    if (!least || *point.y < *least->y) least = &point;
    if (!most || *point.y > *most->y) most = &point;
  }
  std::string words = line.name.empty() ? std::string() : line.name + ": ";
  if (!least) return words + "refused everywhere";
  words += *least->y == *most->y
               ? fmt::format("{:.4g} at each", *least->y)
               : fmt::format("least {:.4g} at {} = {:.6g}, most {:.4g} at {:.6g}", *least->y, across, least->x, *most->y, most->x);
  return refused > 0 ? fmt::format("{}; refused at {}", words, counted(refused, "point")) : words;
}

std::string across_words(const FigureSpec& spec) {
  std::string words;
  for (const FigureObject& object : spec.objects) {
    const auto& table = std::get<NumberTable>(object);
    const auto across = across_of(spec, table);
    const std::string& name = table.parameters[across ? *across : 0];
    if (words.find(name) == std::string::npos) words += fmt::format("{}{}", words.empty() ? "" : ", ", name);
  }
  return words;
}

}  // namespace

Result<Scene> series_figure(const FigureSpec& spec) {
  TESSERA_CHECK(only_own_style(spec));
  TESSERA_TRY(lines, lines_of(spec));
  TESSERA_TRY(palette, Palette::find(spec.palette));
  const std::vector<double> xs = places_of(lines);
  if (xs.empty()) return Error{ErrorCode::out_of_range, "there is nothing to show: the tables have no points", {}, {}};
  std::int64_t points = 0;
  for (const SeriesLine& line : lines) points += static_cast<std::int64_t>(line.points.size());
  TESSERA_CHECK(take_cells(count_product(points, kMostStrips / 8), 0, "lines of points"));
  TESSERA_TRY(x, scale_across(spec, xs));
  TESSERA_TRY(y, scale_up(spec, lines));
  Scene scene = begin_scene(spec);
  const std::string across = across_words(spec);
  const auto& table = std::get<NumberTable>(spec.objects.front());
  TESSERA_TRY(columns, columns_of(spec, table));
  const std::string up =
      columns.size() == 1 || !parameter(spec, "unit").empty() ? scale_words(spec, table, *columns.front()) : std::string();
  Painter painter(scene, palette, x, y, lines.size());
  const std::string_view meaning = parameter(spec, "across");
  painter.add_axes(fmt::format("{}{}{}{}", across, meaning.empty() ? "" : ": ", meaning, x.log2 ? ", on a scale of powers of two" : ""),
                   up);
  for (std::size_t i = 0; i < lines.size(); ++i) painter.add_band(lines[i], i);
  for (std::size_t i = 0; i < lines.size(); ++i) painter.add_line(lines[i], i);
  if (lines.size() > 1) painter.add_names(lines);
  scene.panels.push_back(std::move(painter).take());
  Captions captions;
  for (const SeriesLine& line : lines) captions.notes.push_back(says(line, across));
  if (lines.size() == 1) {
    captions.sentence = sentence(captions.notes.front());
    captions.notes.clear();
  } else {
    captions.sentence =
        sentence(fmt::format("{}{}over {} from {:.6g} to {:.6g}", up, up.empty() ? "" : " ", across, xs.front(), xs.back()));
  }
  const auto banded = std::find_if(lines.begin(), lines.end(), [](const SeriesLine& line) { return !line.spread_words.empty(); });
  if (banded != lines.end()) captions.notes.push_back("band: " + banded->spread_words);
  if (y.least > 0) captions.notes.push_back(fmt::format("the scale begins at {:.6g}, not at zero", y.least));
  const bool is_said = lines.front().name == table.of || spec.expression.find(table.of) != std::string::npos;
  if (!table.of.empty() && spec.objects.size() == 1 && !is_said) captions.notes.push_back(table.of);
  add_captions(scene, spec, captions, 1.2f);
  return scene;
}

}  // namespace tessera
