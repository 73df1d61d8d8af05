// SPDX-License-Identifier: BSD-3-Clause
// The chart's places: names at the left, bars on a scale of 1, 2 or 5 times a power of ten, values behind the bars (or in them, where one
// behind would lie on the reference's line), legend and notes below.
#include "core/diagram/charts/bar_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/diagram/parts/figure_parts.hpp"
#include "core/diagram/scene/palette.hpp"

namespace tessera {
namespace {

constexpr float kWidth = 22;                        // cells: of the scale
constexpr float kOneBar = 1.0F, kMoreBars = 0.45F;  // height of a row's only bar; what each further one adds
constexpr float kGap = 0.6F;                        // between the bars of two rows
constexpr float kName = 0.56F, kSays = 0.44F;       // type sizes
constexpr float kValue = 0.5F, kScaleType = 0.46F;  // of the values behind the bars, of the scale
constexpr float kSign = 0.52F;                      // width of a sign, in type sizes: of the widest fonts that are used
constexpr float kBeside = 0.3F;                     // from what a text stands behind
constexpr float kBetweenGroups = 0.7F;              // more, where rows of one group stand together
constexpr float kClear = 0.08F;                     // of words from a line of the scale
constexpr float kLeastWhisker = 0.1F;               // cells: a shorter one is no whisker to the eye
constexpr double kTicks = 5;                        // about so many intervals on the scale

void add_text(Scene& scene, Panel& panel, Label label, std::string_view text) {
  label.text = scene.intern(text);
  panel.marks.push_back(label);
}

float width_of(std::string_view text, float size) { return kSign * size * static_cast<float>(text.size()); }

bool is_number(double value, bool above_zero) { return std::isfinite(value) && (above_zero ? value > 0 : value >= 0); }

Status check(const BarChart& chart) {
  const auto refuse = [](std::string what) { return Error{ErrorCode::out_of_range, std::move(what), {}, {}}; };
  const std::size_t series = std::max<std::size_t>(chart.series.size(), 1);
  if (chart.rows.size() > kMostBarRows || series > kMostBarSeries)
    return Error{
        ErrorCode::limit,
        fmt::format("a chart of {} rows and {} series; a page holds {} and {}", chart.rows.size(), series, kMostBarRows, kMostBarSeries),
        {},
        {}};
  const auto is_number = [&](double value) { return tessera::is_number(value, chart.powers_of_ten); };
  const std::string_view from = chart.powers_of_ten ? "above zero" : "from zero upwards";
  bool any = false;
  for (const BarRow& row : chart.rows) {
    if (row.bars.size() != series)
      return refuse(fmt::format("the row \"{}\" has {} bars, and the chart {} series", row.name, row.bars.size(), series));
    for (const std::optional<Bar>& bar : row.bars) {
      any = any || bar.has_value();
      if (bar && !is_number(bar->value))
        return refuse(fmt::format("the bar of \"{}\" is {}; a bar is a number {}", row.name, bar->value, from));
      if (bar && bar->spread &&
          !(is_number(bar->spread->first) && is_number(bar->spread->second) && bar->spread->first <= bar->spread->second))
        return refuse(fmt::format("the spread of \"{}\" goes from {} to {}", row.name, bar->spread->first, bar->spread->second));
    }
  }
  for (const BarRow& row : chart.rows) {
    if (row.mark && !is_number(*row.mark))
      return refuse(fmt::format("the mark of \"{}\" is {}; a mark is a number {}", row.name, *row.mark, from));
  }
  if (chart.reference && !is_number(chart.reference->first))
    return refuse(fmt::format("the line \"{}\" is at {}; the scale begins at zero", chart.reference->second, chart.reference->first));
  if (!any) return refuse("there is nothing to chart: no row has a bar");
  return Done{};
}

// The least and the most of a chart's numbers.
std::pair<double, double> range_of(const BarChart& chart) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  const auto take = [&](double value) { least = std::min(least, value), most = std::max(most, value); };
  if (chart.reference) take(chart.reference->first);
  for (const BarRow& row : chart.rows) {
    if (row.mark) take(*row.mark);
    for (const std::optional<Bar>& bar : row.bars) {
      if (bar) take(bar->value);
      if (bar && bar->spread) take(bar->spread->first), take(bar->spread->second);
    }
  }
  return {least, most};
}

// From zero to a whole number of steps: of 4 too, as counts are powers of two. Or from a power of ten to another, a step each.
class Scale {
 public:
  explicit Scale(const BarChart& chart) : powers_of_ten_(chart.powers_of_ten) {
    const auto [least, most] = range_of(chart);
    if (powers_of_ten_) {
      first_ = static_cast<int>(std::floor(std::log10(least)));
      steps_ = std::max(1, static_cast<int>(std::ceil(std::log10(most) - 1e-9)) - first_);
      return;
    }
    if (!(most > 1e-300)) return;  // below, a step would have no digits left
    const double rough = most / kTicks, power = std::pow(10, std::floor(std::log10(rough)));
    for (const double times : {1.0, 2.0, 4.0, 5.0, 10.0}) {
      step_ = times * power;
      if (step_ >= rough * (1 - 1e-9)) break;
    }
    steps_ = static_cast<int>(std::ceil(most / step_ - 1e-9));
  }
  int steps() const { return steps_; }
  double at(int step) const { return powers_of_ten_ ? std::pow(10, first_ + step) : step_ * step; }  // the number at its line
  float place(double value) const {
    const double steps = powers_of_ten_ ? std::log10(value) - first_ : value / step_;
    return kWidth * static_cast<float>(steps / steps_);
  }

 private:
  bool powers_of_ten_;
  double step_ = 1;
  int first_ = 0, steps_ = 1;
};

std::vector<std::string> groups_of(const BarChart& chart) {
  std::vector<std::string> groups;
  for (const BarRow& row : chart.rows) {
    const bool any = std::any_of(row.bars.begin(), row.bars.end(), [](const auto& bar) { return bar.has_value(); });
    if (any && std::find(groups.begin(), groups.end(), row.group) == groups.end()) groups.push_back(row.group);
  }
  return groups;
}

// Are there several groups, each of rows one after the other?
bool stand_together(const BarChart& chart) {
  std::vector<std::string> met;
  for (const BarRow& row : chart.rows) {
    if (!met.empty() && met.back() == row.group) continue;
    if (std::find(met.begin(), met.end(), row.group) != met.end()) return false;
    met.push_back(row.group);
  }
  return met.size() > 1 && met.size() < chart.rows.size();
}

class Painter {
 public:
  Painter(const BarChart& chart, const Palette& palette, Scene& scene)
      : chart_(chart),
        scene_(scene),
        scale_(chart),
        by_group_(chart.series.size() < 2),
        names_(by_group_ ? groups_of(chart) : chart.series) {
    for (std::size_t i = 0; i < names_.size(); ++i)
      colors_.push_back(scene.color(palette.category(static_cast<std::int64_t>(i), static_cast<std::int64_t>(names_.size()))));
    faint_ = scene.color(on_page({226, 229, 234}, scene.page));
    bars_ = kOneBar + kMoreBars * static_cast<float>(std::max<std::size_t>(chart.series.size(), 1) - 1);
    row_ = bars_ + kGap;
    apart_ = by_group_ && stand_together(chart);
    for (std::size_t i = 0; i < chart.rows.size(); ++i) {
      if (apart_ && i > 0 && chart.rows[i].group != chart.rows[i - 1].group) height_ += kBetweenGroups;
      tops_.push_back(height_);
      height_ += row_;
    }
    for (const BarRow& row : chart.rows) {
      for (const std::optional<Bar>& bar : row.bars)
        inside_ = inside_ || (bar && crosses_reference(end_of(*bar) + kBeside, width_of(bar->text, value_size())));
    }
  }

  bool left_out() const { return left_out_; }  // a whisker
  Panel paint() {
    for (std::size_t i = 0; i < chart_.rows.size(); ++i) {
      if (i > 0 && tops_[i] > tops_[i - 1] + row_ + kBetweenGroups / 2)
        panel_.marks.push_back(Line{0, tops_[i] - kBetweenGroups / 2, kWidth, tops_[i] - kBetweenGroups / 2, StrokeRole::boundary});
      add_row(chart_.rows[i], tops_[i]);
    }
    panel_.marks.push_back(Line{0, 0, 0, height_, StrokeRole::boundary});
    if (chart_.reference) {
      const float x = scale_.place(chart_.reference->first);
      panel_.marks.push_back(Line{x, -0.2F, x, height_, StrokeRole::strong});
      add_text(scene_, panel_, {x, -0.55F, {}, LabelRole::legend, Anchor::center, kScaleType}, chart_.reference->second);
    }
    if (apart_)
      name_groups();
    else
      add_legend();
    std::vector<Mark> over = std::exchange(panel_.marks, {});
    add_scale();
    panel_.marks.insert(panel_.marks.end(), over.begin(), over.end());
    return std::move(panel_);
  }

 private:
  // Its lines run through no words.
  void add_scale() {
    for (int i = 0; i <= scale_.steps(); ++i) {
      const float x = kWidth * static_cast<float>(i) / static_cast<float>(scale_.steps());
      float from = 0;
      for (const Bounds& words : words_) {  // from above
        if (x < words.x0 - kClear || words.x1 + kClear < x) continue;
        if (words.y0 > from) panel_.marks.push_back(Line{x, from, x, words.y0, StrokeRole::hairline});
        from = std::max(from, words.y1);
      }
      panel_.marks.push_back(Line{x, from, x, height_ + 0.15F, StrokeRole::hairline});
      add_text(scene_, panel_, {x, height_ + 0.5F, {}, LabelRole::axis, Anchor::center, kScaleType}, fmt::format("{:.12g}", scale_.at(i)));
    }
    if (!chart_.axis.empty())
      add_text(scene_, panel_, {kWidth / 2, height_ + 1.2F, {}, LabelRole::axis, Anchor::center, kScaleType}, chart_.axis);
  }

  void add_row(const BarRow& row, float y) {
    const bool says = !row.says.empty();
    const std::string name = row.key.empty() ? row.name : fmt::format("{}  {}", row.key, row.name);
    add_text(scene_, panel_, {-0.5F, y + row_ / 2 - (says ? 0.29F : 0.0F), {}, LabelRole::panel_name, Anchor::right, kName}, name);
    if (says) add_text(scene_, panel_, {-0.5F, y + row_ / 2 + 0.34F, {}, LabelRole::note, Anchor::right, kSays}, row.says);
    const float each = bars_ / static_cast<float>(row.bars.size());
    float at = y + kGap / 2, right = 0;
    for (std::size_t i = 0; i < row.bars.size(); ++i, at += each) {
      if (row.bars[i]) right = std::max(right, add_bar(row, i, at, each));
    }
    if (row.mark) {
      const float x = scale_.place(*row.mark);
      panel_.marks.push_back(Line{x, y + kGap / 2 - 0.12F, x, y + row_ - kGap / 2 + 0.12F, StrokeRole::strong});
    }
    if (row.note.empty()) return;
    const float left = beside_reference(right + 0.55F, width_of(row.note, kSays));
    add_text(scene_, panel_, {left, y + row_ / 2, {}, LabelRole::note, Anchor::left, kSays}, row.note);
    take(left, y + row_ / 2, width_of(row.note, kSays), kSays);
  }

  void take(float left, float middle, float width, float size) {
    words_.push_back({left, middle - 0.6F * size, left + width, middle + 0.6F * size});
    right_ = std::max(right_, left + width);
  }

  // Beside the rows that stand together, at the right.
  void name_groups() {
    const float x = right_ + 0.5F;
    for (std::size_t first = 0; first < chart_.rows.size();) {
      std::size_t last = first;
      while (last + 1 < chart_.rows.size() && chart_.rows[last + 1].group == chart_.rows[first].group) ++last;
      const float top = tops_[first] + kGap / 2, bottom = tops_[last] + row_ - kGap / 2;
      panel_.marks.push_back(Cell{x, top, 0.2F, bottom - top, colors_[place_of(chart_.rows[first].group)]});
      add_text(scene_, panel_, {x + 0.5F, (top + bottom) / 2, {}, LabelRole::panel_name, Anchor::left, kName}, chart_.rows[first].group);
      first = last + 1;
    }
  }

  // Returns where its text ends.
  float add_bar(const BarRow& row, std::size_t series, float y, float height) {
    const Bar& bar = *row.bars[series];
    const float end = scale_.place(bar.value), middle = y + height / 2;
    Cell cell{0, y + 0.04F * height, end, 0.92F * height};
    cell.subject = scene_.add_words(bar.words.empty() ? words_of(row, series) : bar.words);
    cell.fill = row.faint ? faint_ : colors_[by_group_ ? place_of(row.group) : series];
    if (end > 0) panel_.marks.push_back(cell);
    const float right = std::max(end_of(bar), row.mark ? scale_.place(*row.mark) : 0.0F);
    if (bar.spread && scale_.place(bar.spread->second) - scale_.place(bar.spread->first) < kLeastWhisker) {
      left_out_ = true;
    } else if (bar.spread) {
      const float from = scale_.place(bar.spread->first), to = scale_.place(bar.spread->second), cap = 0.22F * height;
      panel_.marks.push_back(Line{from, middle, to, middle, StrokeRole::boundary});
      for (const float x : {from, to}) panel_.marks.push_back(Line{x, middle - cap, x, middle + cap, StrokeRole::boundary});
    }
    const float size = value_size(), width = width_of(bar.text, size);
    const float within = (bar.spread ? std::min(end, scale_.place(bar.spread->first)) : end) - 0.2F;
    if (inside_ && width + kBeside <= within && contrast(scene_.palette[cell.fill], scene_.page.ink) >= kReadable) {
      add_text(scene_, panel_, {within, middle, {}, LabelRole::legend, Anchor::right, size}, bar.text);
      return right;
    }
    const float left = beside_reference(right + kBeside, width);
    add_text(scene_, panel_, {left, middle, {}, LabelRole::legend, Anchor::left, size}, bar.text);
    take(left, middle, width, size);
    return left + width;
  }

  std::string words_of(const BarRow& row, std::size_t series) const {
    const Bar& bar = *row.bars[series];
    std::string words = fmt::format("{}{}{}: ", row.key, row.key.empty() || row.name.empty() ? "" : " ", row.name);
    if (series < chart_.series.size()) words += chart_.series[series] + " ";
    words += bar.text.empty() ? fmt::format("{:.6g}", bar.value) : bar.text;
    if (bar.spread) words += fmt::format(", {:.4g} to {:.4g}", bar.spread->first, bar.spread->second);
    return words;
  }

  float value_size() const { return std::min(kValue, 0.9F * bars_ / static_cast<float>(std::max<std::size_t>(chart_.series.size(), 1))); }

  // Where a bar and its whisker end.
  float end_of(const Bar& bar) const { return scale_.place(bar.spread ? std::max(bar.value, bar.spread->second) : bar.value); }

  bool crosses_reference(float left, float width) const {
    if (!chart_.reference) return false;
    const float line = scale_.place(chart_.reference->first);
    return left < line && line < left + width;
  }

  // A text that would lie on the reference's line, or touch it, begins behind it.
  float beside_reference(float left, float width) const {
    if (!chart_.reference) return left;
    const float line = scale_.place(chart_.reference->first), behind = line + kBeside;
    return left < behind && line < left + width ? behind : left;
  }

  void add_legend() {
    if (names_.size() < 2) return;
    float x = 0;
    const float y = height_ + 2.05F;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      panel_.marks.push_back(Cell{x, y - 0.25F, 0.8F, 0.5F, colors_[i]});
      add_text(scene_, panel_, {x + 1.0F, y, {}, LabelRole::legend, Anchor::left, kScaleType}, names_[i]);
      x += 2.2F + width_of(names_[i], kScaleType);
    }
  }

  std::size_t place_of(const std::string& group) const {
    return static_cast<std::size_t>(std::find(names_.begin(), names_.end(), group) - names_.begin());
  }

  const BarChart& chart_;
  Scene& scene_;
  Scale scale_;
  bool by_group_;       // colours are of groups, not of series
  bool apart_ = false;  // rows of one group stand together, with its name
  bool left_out_ = false;
  bool inside_ = false;  // values stand in their bars, as far as they are long enough
  std::vector<std::string> names_;
  std::vector<ColorIndex> colors_;
  ColorIndex faint_ = kNoColor;
  float bars_ = 0, row_ = 0, height_ = 0;  // of the bars of a row, of a row, of all
  std::vector<float> tops_;                // of the rows
  std::vector<Bounds> words_;              // behind bars
  float right_ = kWidth;                   // where all of these end
  Panel panel_{"chart", {}};
};

}  // namespace

Result<Scene> bar_chart(const BarChart& chart, std::string_view palette_name) {
  TESSERA_CHECK(check(chart));
  TESSERA_TRY(palette, Palette::find(palette_name));
  Scene scene;
  scene.page = {palette.paper(), palette.ink()};
  scene.palette_name = palette_name;
  scene.title = chart.title;
  Painter painter(chart, palette, scene);
  scene.panels.push_back(painter.paint());
  Panel captions{"caption", {}};
  const Bounds box = bounds(scene);
  if (!chart.title.empty()) add_text(scene, captions, {box.x0, box.y0 - 0.9F, {}, LabelRole::panel_name, Anchor::left, 0.72F}, chart.title);
  float y = box.y1 + 0.7F;
  for (const std::string& note : chart.notes) {
    const bool too_short = painter.left_out() && note.starts_with("whiskers: ");
    add_text(scene, captions, {box.x0, y, {}, LabelRole::note, Anchor::left, kSays},
             note + (too_short ? "; those too short to be seen are left out" : ""));
    y += 0.66F;
  }
  if (!chart.of.empty()) add_text(scene, captions, {box.x0, y, {}, LabelRole::caption, Anchor::left, kSays}, chart.of);
  if (!captions.marks.empty()) scene.panels.push_back(std::move(captions));
  return scene;
}

}  // namespace tessera
