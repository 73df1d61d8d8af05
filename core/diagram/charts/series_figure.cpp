// SPDX-License-Identifier: BSD-3-Clause
// Lines over one swept parameter: a line for each table, column or value of a second parameter, with its name at its end, and a band around
// it where the tables say how far the numbers spread.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/budget.hpp"
#include "core/diagram/charts/chart_figures.hpp"
#include "core/diagram/charts/chart_parts.hpp"
#include "core/diagram/charts/series_scale.hpp"
#include "core/diagram/parts/figure_objects.hpp"
#include "core/diagram/parts/reading_aids.hpp"

namespace tessera {
namespace {

constexpr float kWidth = 22, kHeight = 11;  // cells
constexpr float kType = 0.46f, kName = 0.5f;
constexpr float kSign = 0.56f;   // width of a sign, in type sizes
constexpr float kStair = 0.04f;  // of a band's edge, in cells: its slope is made of strips
constexpr int kMostStrips = 96;  // between two points
constexpr double kPale = 0.62;   // of a band: how much of it is paper
constexpr float kDot = 0.36f, kSmallDot = 0.14f;
constexpr std::size_t kShapes = 4;  // of dots
constexpr std::size_t kMostLines = 8, kMostDots = 64;

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
        lines.push_back({name, {}, spreads.note});
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

std::string tick_text(double value) { return fmt::format("{:.6g}", value); }

class Painter {
 public:
  Painter(Scene& scene, const Palette& palette, const Scale& x, const Scale& y, std::size_t lines) : scene_(scene), x_(x), y_(y) {
    const auto count = static_cast<std::int64_t>(std::max<std::size_t>(2, lines));
    for (std::size_t i = 0; i < lines; ++i) {
      const Rgb hue = palette.category(static_cast<std::int64_t>(i), count);
      hues_.push_back(hue);
      lines_.push_back(scene.color(mix(hue, scene.page.ink, 0.2)));
      bands_.push_back(scene.color(mix(hue, scene.page.paper, kPale)));
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

  // In strips, narrower where the band's edge is steeper. Where it lies over those drawn before, both are to be seen.
  void add_band(const std::vector<SeriesLine>& lines, std::size_t i) {
    const std::vector<Span> own = spans_of(lines[i]);
    for (const Span& span : own) add_strips(span, span, bands_[i]);
    for (std::size_t under = 0; under < i; ++under) {
      const ColorIndex both = scene_.color(mix(scene_.palette[bands_[under]], hues_[i], 1 - kPale));
      for (const Span& a : spans_of(lines[under])) {
        for (const Span& b : own) add_strips(a, b, both);
      }
    }
  }
  void add_edges(const SeriesLine& line, std::size_t i) {
    for (const Span& span : spans_of(line)) {
      panel_.marks.push_back(Line{span.x0, span.low0, span.x1, span.low1, StrokeRole::hairline, edges_[i]});
      panel_.marks.push_back(Line{span.x0, span.high0, span.x1, span.high1, StrokeRole::hairline, edges_[i]});
    }
  }

  void add_line(const SeriesLine& line, std::size_t i) {
    const std::uint32_t subject = scene_.add_words(line.name);
    for (std::size_t p = 1; p < line.points.size(); ++p) {
      const Point &a = line.points[p - 1], &b = line.points[p];
      if (a.y && b.y)
        panel_.marks.push_back(Line{x_.place(a.x), up_at(*a.y), x_.place(b.x), up_at(*b.y), StrokeRole::strong, lines_[i], subject});
    }
    for (const Point& point : line.points) {
      const float at = x_.place(point.x);
      if (!point.y) continue;
      if (point.spread) {
        const float low = up_at(point.spread->first), high = up_at(point.spread->second);
        panel_.marks.push_back(Line{at, low, at, high, StrokeRole::boundary, lines_[i]});
      }
      const bool many = line.points.size() > kMostDots;
      add_dot(at, up_at(*point.y), many ? kSmallDot : kDot, many ? 0 : i, lines_[i],
              scene_.add_words(fmt::format("{}{}{}", line.name, line.name.empty() ? "" : "  ", point.words)));
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
    const bool moved = std::any_of(names.begin(), names.end(), [](const Name& name) { return std::abs(name.at - name.y) > 0.02f; });
    const float left = kWidth + (moved ? 0.7f : 0.15f);
    for (const Name& name : names) {  // a thin line where a name had to move, which no eye takes for more of the data
      if (moved) panel_.marks.push_back(Line{name.x + 0.4f, name.y, left - 0.15f, name.at, StrokeRole::grid, lines_[name.line]});
      text(left, name.at, lines[name.line].name, LabelRole::panel_name, Anchor::left, kName);
    }
  }

  Panel take() && { return std::move(panel_); }

 private:
  float up_at(double value) const { return kHeight - y_.place(value); }
  static float width_of(std::string_view words, float size) { return kSign * size * static_cast<float>(words.size()); }
  void text(float x, float y, std::string_view words, LabelRole role, Anchor anchor, float size) {
    panel_.marks.push_back(Label{x, y, scene_.intern(words), role, anchor, size});
  }

  // A band between two neighbouring points, on the page: y goes down.
  struct Span {
    float x0, x1, low0, low1, high0, high1;
    float low(float x) const { return low0 + (x - x0) / (x1 - x0) * (low1 - low0); }
    float high(float x) const { return high0 + (x - x0) / (x1 - x0) * (high1 - high0); }
    float steepest() const { return std::max(std::abs(low1 - low0), std::abs(high1 - high0)) / (x1 - x0); }
  };
  std::vector<Span> spans_of(const SeriesLine& line) const {
    std::vector<Span> spans;
    for (std::size_t p = 1; p < line.points.size(); ++p) {
      const Point &a = line.points[p - 1], &b = line.points[p];
      if (a.spread && b.spread)
        spans.push_back({x_.place(a.x), x_.place(b.x), up_at(a.spread->first), up_at(b.spread->first), up_at(a.spread->second),
                         up_at(b.spread->second)});
    }
    return spans;
  }
  // What two bands have in common.
  void add_strips(const Span& a, const Span& b, ColorIndex fill) {
    const float from = std::max(a.x0, b.x0), to = std::min(a.x1, b.x1);
    if (to <= from) return;
    const float steep = std::max(a.steepest(), b.steepest()) * (to - from);
    const int strips = std::clamp(static_cast<int>(std::ceil(steep / kStair)), 1, kMostStrips);
    const float wide = (to - from) / static_cast<float>(strips);
    for (int s = 0; s < strips; ++s) {
      const float left = from + wide * static_cast<float>(s), middle = left + wide / 2;
      const float top = std::max(a.high(middle), b.high(middle)), bottom = std::min(a.low(middle), b.low(middle));
      if (bottom - top > 0) panel_.marks.push_back(Cell{left, top, wide + 0.01f, bottom - top, fill});
    }
  }
  // Paper in a diamond, over what would cross it.
  void add_paper(float x, float y, float out) {
    constexpr int kStrips = 12;
    const ColorIndex paper = scene_.color(scene_.page.paper);
    const float high = 2 * out / kStrips;
    for (int s = 0; s < kStrips; ++s) {
      const float top = -out + high * static_cast<float>(s), half = out - std::abs(top + high / 2);
      panel_.marks.push_back(Cell{x - half, y + top, 2 * half, high + 0.005f, paper});
    }
  }
  // Marks of one size and of several shapes: a square, then what leaves it to be seen where it lies over it.
  void add_dot(float x, float y, float size, std::size_t line, ColorIndex color, std::uint32_t subject) {
    const float half = size / 2, out = 0.75f * size, arm = 0.6f * size;
    Cell cell{x - half, y - half, size, size, line % kShapes == 0 ? color : kNoColor};
    cell.subject = subject;
    panel_.marks.push_back(cell);
    const auto stroke = [&](float x0, float y0, float x1, float y1) {
      panel_.marks.push_back(Line{x + x0, y + y0, x + x1, y + y1, StrokeRole::strong, color});
    };
    if (line % kShapes == 1) add_paper(x, y, out);
    if (line % kShapes == 1) {  // a diamond
      stroke(-out, 0, 0, -out), stroke(0, -out, out, 0), stroke(out, 0, 0, out), stroke(0, out, -out, 0);
    } else if (line % kShapes == 2) {  // a cross
      stroke(-arm, -arm, arm, arm), stroke(-arm, arm, arm, -arm);
    } else if (line % kShapes == 3) {  // a triangle
      stroke(-out, half, out, half), stroke(out, half, 0, -out), stroke(0, -out, -out, half);
    }
  }

  Scene& scene_;
  const Scale &x_, &y_;
  std::vector<Rgb> hues_;
  std::vector<ColorIndex> lines_, bands_, edges_;
  Panel panel_{"series", {}, "series"};
};

// "theirs: lowest 3 at p = 1, highest 4 at p = 2, 4"
std::string says(const SeriesLine& line, std::string_view across) {
  std::vector<double> numbers;
  for (const Point& point : line.points) {
    if (point.y) numbers.push_back(*point.y);
  }
  std::string words = line.name.empty() ? std::string() : line.name + ": ";
  if (numbers.empty()) return words + "refused everywhere";
  const auto [least, most] = std::minmax_element(numbers.begin(), numbers.end());
  const auto where = [&](double number) {
    constexpr std::size_t kMost = 3;
    std::vector<std::string> places;
    for (const Point& point : line.points) {
      if (point.y && *point.y == number) places.push_back(fmt::format("{:.6g}", point.x));
    }
    const std::string_view more = places.size() > kMost ? ", ..." : "";
    places.resize(std::min(places.size(), kMost));
    return fmt::format("{:.4g} at {} = {}{}", number, across, fmt::join(places, ", "), more);
  };
  words += *least == *most ? fmt::format("{:.4g} at each", *least) : fmt::format("lowest {}, highest {}", where(*least), where(*most));
  const std::size_t refused = line.points.size() - numbers.size();
  return refused > 0 ? fmt::format("{}; refused at {}", words, counted(static_cast<std::int64_t>(refused), "point")) : words;
}

// What is said of each line, in the order in which their ends stand.
std::vector<std::string> said_of_all(std::vector<SeriesLine> lines, std::string_view across) {
  const auto end = [](const SeriesLine& line) { return line.points.empty() ? std::optional<double>() : line.points.back().y; };
  std::stable_sort(lines.begin(), lines.end(), [&](const SeriesLine& a, const SeriesLine& b) { return end(a) > end(b); });
  std::vector<std::string> said;
  for (const SeriesLine& line : lines) said.push_back(says(line, across));
  return said;
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
  TESSERA_TRY(x, scale_across(spec, xs, kWidth));
  TESSERA_TRY(y, scale_up(spec, lines, x.log2, kHeight));
  Scene scene = begin_scene(spec);
  const std::string across = across_words(spec);
  const auto& table = std::get<NumberTable>(spec.objects.front());
  TESSERA_TRY(columns, columns_of(spec, table));
  const std::string up =
      columns.size() == 1 || !parameter(spec, "unit").empty() ? scale_words(spec, table, *columns.front()) : std::string();
  Painter painter(scene, palette, x, y, lines.size());
  const std::string_view meaning = parameter(spec, "across");
  const bool is_named = meaning.starts_with(across);  // "launch number"
  painter.add_axes(fmt::format("{}{}{}{}", is_named ? "" : across, meaning.empty() || is_named ? "" : ": ", meaning,
                               x.log2 && !y.log2 ? ", on a logarithmic scale" : ""),
                   up);
  for (std::size_t i = 0; i < lines.size(); ++i) painter.add_band(lines, i);
  for (std::size_t i = 0; i < lines.size(); ++i) painter.add_edges(lines[i], i);
  for (std::size_t i = 0; i < lines.size(); ++i) painter.add_line(lines[i], i);
  if (lines.size() > 1) painter.add_names(lines);
  scene.panels.push_back(std::move(painter).take());
  Captions captions;
  captions.notes = said_of_all(lines, across);
  if (lines.size() == 1) {
    captions.sentence = sentence(captions.notes.front());
    captions.notes.clear();
  } else if (!spec.title.empty()) {  // it says what is to be seen, and the lines themselves how high they are
    std::erase_if(captions.notes, [](const std::string& note) { return note.find("refused") == std::string::npos; });
  } else {
    captions.sentence =
        sentence(fmt::format("{}{}over {} from {:.6g} to {:.6g}", up, up.empty() ? "" : " ", across, xs.front(), xs.back()));
  }
  const auto banded = std::find_if(lines.begin(), lines.end(), [](const SeriesLine& line) { return !line.spread_note.empty(); });
  if (banded != lines.end()) captions.notes.push_back("band: " + banded->spread_note);
  if (y.log2) captions.notes.emplace_back(x.log2 ? "both scales are logarithmic" : "the scale up is logarithmic");
  if (y.least > 0 && !y.log2) captions.notes.push_back(fmt::format("the scale begins at {:.6g}, not at zero", y.least));
  const bool is_said = lines.front().name == table.of || spec.expression.find(table.of) != std::string::npos;
  if (!table.of.empty() && spec.objects.size() == 1 && !is_said) captions.notes.push_back(table.of);
  add_captions(scene, spec, captions, 1.2f);
  return scene;
}

}  // namespace tessera
