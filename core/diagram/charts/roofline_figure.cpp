// SPDX-License-Identifier: BSD-3-Clause
// The figure of a roofline: how fast a device can be at so many operations a byte, where kernels stand under it, and what was measured.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/budget.hpp"
#include "core/base/utf8.hpp"
#include "core/diagram/charts/chart_figures.hpp"
#include "core/diagram/charts/chart_parts.hpp"
#include "core/diagram/parts/figure_objects.hpp"
#include "core/diagram/parts/reading_aids.hpp"

namespace tessera {

namespace {

constexpr float kWidth = 20, kHeight = 11;                    // cells
constexpr float kType = 0.42f, kName = 0.44f, kSign = 0.56f;  // type sizes; width of a sign in them
constexpr double kSame = 1e-6;                                // relative difference of two rates that are one

// From one decade or so below the least to above the greatest, on a scale of logarithms.
struct LogScale {
  double least = 1, most = 10;
  float length = 1;

  float place(double value) const {
    return length * static_cast<float>((std::log10(value) - std::log10(least)) / (std::log10(most) - std::log10(least)));
  }
  // 1, 10, 100, and where there are few of them also 2 and 5 times as much.
  std::vector<double> ticks() const {
    std::vector<double> made;
    const bool few = std::log10(most / least) < 2.6;
    for (double power = std::pow(10, std::floor(std::log10(least))); power <= most; power *= 10) {
      for (const double times : {1.0, 2.0, 5.0}) {
        const double at = times * power;
        if ((few || times == 1.0) && at >= least * (1 - kSame) && at <= most * (1 + kSame)) made.push_back(at);
      }
    }
    return made;
  }
};

Result<std::vector<Roofline>> points_of(const FigureSpec& spec) {
  std::vector<Roofline> points;
  for (const FigureObject& object : spec.objects) {
    const auto* point = std::get_if<Roofline>(&object);
    if (!point)
      return Error{ErrorCode::wrong_type,
                   fmt::format("this figure needs what roofline(...) answers, and got {}", object_name(object)),
                   {},
                   {"for example roofline_figure(roofline((4096,4096,4096)), roofline((16,4096,4096)), names=\"square; thin\")"}};
    const auto is_rate = [](double value) { return std::isfinite(value) && value > 0; };
    if (!is_rate(point->peak_tflops) || !is_rate(point->gigabytes_per_second) || !is_rate(point->intensity))
      return Error{ErrorCode::out_of_range, "a roofline has rates and an intensity above zero, and none of them is infinite", {}, {}};
    if (!points.empty() && (point->device != points[0].device || std::abs(point->peak_tflops / points[0].peak_tflops - 1) > kSame))
      return Error{ErrorCode::wrong_type,
                   fmt::format("a roof is of one device and one type of elements: {} has {:.4g} TFLOP/s, and {} {:.4g}", points[0].device,
                               points[0].peak_tflops, point->device, point->peak_tflops),
                   {},
                   {"draw one figure for each: panels_figure(roofline_figure(...), roofline_figure(...))"}};
    points.push_back(*point);
  }
  return points;
}

// measured="412; 35.5", in TFLOP/s; an empty place is not measured.
Result<std::vector<std::optional<double>>> measured_of(const FigureSpec& spec, const std::vector<Roofline>& points) {
  std::vector<std::optional<double>> made;
  for (const std::string& text : between_semicolons(parameter(spec, "measured"))) {
    if (text.empty()) {
      made.emplace_back();
      continue;
    }
    double value = 0;
    const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (bad != std::errc() || end != text.data() + text.size() || !std::isfinite(value) || value <= 0)
      return Error{ErrorCode::parse, fmt::format("measured: {} is no rate in TFLOP/s", text), {}, {"write measured=\"412; 35.5\""}};
    if (made.size() < points.size()) {
      const Roofline& point = points[made.size()];
      const double roof = std::min(point.peak_tflops, point.intensity * point.gigabytes_per_second * 1e-3);
      if (value > 1.05 * roof)
        return Error{
            ErrorCode::out_of_range,
            fmt::format("measured: {} TFLOP/s is more than the roof of {:.4g} allows: a fault of the measurement, or another problem", text,
                        roof),
            {},
            {}};
    }
    made.emplace_back(value);
  }
  if (made.size() > points.size())
    return Error{
        ErrorCode::wrong_arity, fmt::format("measured has {} rates, and there are {} kernels", made.size(), points.size()), {}, {}};
  made.resize(points.size());
  return made;
}

class Painter {
 public:
  Painter(Scene& scene, const Roofline& device, const LogScale& x, const LogScale& y)
      : scene_(scene),
        device_(device),
        x_(x),
        y_(y),
        slope_(device.gigabytes_per_second * 1e-3),
        ridge_(x.place(device.peak_tflops / slope_)),
        top_(up_at(device.peak_tflops)),
        panel_{device.device, {}, "roofline"} {}

  void add_axes() {
    for (const double tick : x_.ticks()) {
      text(x_.place(tick), kHeight + 0.45f, fmt::format("{:.6g}", tick), LabelRole::axis, Anchor::center);
    }
    for (const double tick : y_.ticks()) {
      text(-0.3f, up_at(tick), fmt::format("{:.6g}", tick), LabelRole::axis, Anchor::right);
    }
    text(kWidth / 2, kHeight + 1.15f, "arithmetic intensity: FLOP/byte of global memory", LabelRole::axis, Anchor::center);
    text(0, -0.5f, "attainable speed, TFLOP/s", LabelRole::axis, Anchor::left);
    panel_.marks.push_back(Outline{0, 0, kWidth, kHeight, StrokeRole::boundary});
  }

  // Above the roof is nothing.
  void add_roof() {
    panel_.marks.push_back(Line{0, roof_at(0), ridge_, top_, StrokeRole::strong});
    panel_.marks.push_back(Line{ridge_, top_, kWidth, top_, StrokeRole::strong});
    panel_.marks.push_back(Line{ridge_, top_, ridge_, kHeight, StrokeRole::boundary});
  }

  // What each part of the roof is, and where they meet.
  void name_roof() {
    const std::string peak =
        fmt::format("{}{}{:.4g} TFLOP/s", device_.type, device_.type.empty() ? "" : " arithmetic: ", device_.peak_tflops);
    const float lower = top_ - 0.4f, higher = top_ - 0.65f;  // above a point that stands on the roof
    const bool is_bare = is_free(box_of(kWidth - 0.2f, lower, peak, Anchor::right, kType));
    take(kWidth - 0.2f, is_bare ? lower : higher, peak, LabelRole::legend, Anchor::right, kType);
    const std::string bandwidth = fmt::format("global memory: {:.4g} GB/s", device_.gigabytes_per_second);
    const float end = 0.2f + width_of(bandwidth, kType);  // where the words end, the roof is still below them
    take(0.2f, roof_at(end) - 0.45f, bandwidth, LabelRole::legend, Anchor::left, kType);
    const std::string by_memory = "bound by memory", by_arithmetic = "bound by arithmetic";
    const float y = kHeight - 0.4f;
    if (width_of(by_memory, kType) + 0.4f < ridge_) take(ridge_ - 0.25f, y, by_memory, LabelRole::note, Anchor::right, kType);
    if (ridge_ + width_of(by_arithmetic, kType) + 0.4f < kWidth)
      take(ridge_ + 0.25f, y, by_arithmetic, LabelRole::note, Anchor::left, kType);
    const std::string meets = fmt::format("{:.4g} FLOP/byte", device_.peak_tflops / slope_);
    const bool right = ridge_ + width_of(meets, kType) + 0.4f < kWidth;
    take(right ? ridge_ + 0.25f : ridge_ - 0.25f, y - 0.65f, meets, LabelRole::legend, right ? Anchor::left : Anchor::right, kType);
  }

  // On the roof, or below it as far as it was measured.
  void add_point(double intensity, double best, const std::optional<double>& measured, const std::string& says, ColorIndex fill) {
    constexpr float kDot = 0.42f;
    const float at = x_.place(intensity), roof = up_at(best), below = up_at(measured.value_or(best));
    if (measured) panel_.marks.push_back(Line{at, roof, at, below, StrokeRole::boundary});
    Cell cell{at - kDot / 2, below - kDot / 2, kDot, kDot, fill};
    cell.subject = scene_.add_words(says);
    panel_.marks.push_back(cell);
    panel_.marks.push_back(Outline{cell.x, cell.y, kDot, kDot, StrokeRole::boundary});
    taken_.push_back({cell.x, cell.y, cell.x + kDot, cell.y + kDot});
  }

  // Beside a point, inside the frame, on no line and on no other words, as far as there is such a place.
  void name(double intensity, double tflops, const std::string& words) {
    const float at = x_.place(intensity), y = up_at(tflops), half = width_of(words, kName) / 2;
    const float inside = std::clamp(at, half + 0.3f, std::max(half + 0.3f, kWidth - half - 0.3f));
    struct Place {
      float x, y;
      Anchor anchor;
    };
    const Place places[] = {{at + 0.4f, y + 0.5f, Anchor::left}, {at - 0.4f, y - 0.35f, Anchor::right}, {inside, y + 0.75f, Anchor::center},
                            {at + 0.4f, y + 0.9f, Anchor::left}, {at - 0.4f, y + 0.9f, Anchor::right},  {inside, y + 1.4f, Anchor::center},
                            {inside, y - 0.75f, Anchor::center}};
    const auto* found = std::find_if(std::begin(places), std::end(places),
                                     [&](const Place& each) { return is_free(box_of(each.x, each.y, words, each.anchor, kName)); });
    const Place& place = found == std::end(places) ? places[2] : *found;
    take(place.x, place.y, words, LabelRole::panel_name, place.anchor, kName);
  }

  // Below all that is there, and through no words.
  void add_grid() {
    std::vector<Mark> lines;
    for (const double tick : x_.ticks()) {
      const float x = x_.place(tick);
      for (const auto& [from, to] : free_of(kHeight, x, &Bounds::x0, &Bounds::x1, &Bounds::y0, &Bounds::y1))
        lines.push_back(Line{x, from, x, to, StrokeRole::hairline});
    }
    for (const double tick : y_.ticks()) {
      const float y = up_at(tick);
      for (const auto& [from, to] : free_of(kWidth, y, &Bounds::y0, &Bounds::y1, &Bounds::x0, &Bounds::x1))
        lines.push_back(Line{from, y, to, y, StrokeRole::hairline});
    }
    panel_.marks.insert(panel_.marks.begin(), lines.begin(), lines.end());
  }

  Panel take() && { return std::move(panel_); }

 private:
  using Side = float Bounds::*;
  // What is left of a line from 0 to `length` at `at`, where what is taken is left out.
  std::vector<std::pair<float, float>> free_of(float length, float at, Side low, Side high, Side begins, Side ends) const {
    std::vector<std::pair<float, float>> cuts, left;
    for (const Bounds& each : taken_) {
      if (each.*low < at && at < each.*high) cuts.emplace_back(each.*begins - 0.08f, each.*ends + 0.08f);
    }
    std::sort(cuts.begin(), cuts.end());
    float from = 0;
    for (const auto& [begin, end] : cuts) {
      if (begin > from) left.emplace_back(from, begin);
      from = std::max(from, end);
    }
    if (from < length) left.emplace_back(from, length);
    return left;
  }
  float up_at(double tflops) const { return kHeight - y_.place(tflops); }
  // The roof's height above a place.
  float roof_at(float x) const {
    const float left = up_at(slope_ * x_.least);
    return x >= ridge_ ? top_ : left + (top_ - left) * x / ridge_;
  }
  static float width_of(std::string_view words, float size) { return kSign * size * static_cast<float>(count_characters(words)); }
  static Bounds box_of(float x, float y, std::string_view words, Anchor anchor, float size) {
    const float wide = width_of(words, size), left = anchor == Anchor::left ? x : anchor == Anchor::right ? x - wide : x - wide / 2;
    return {left, y - 0.6f * size, left + wide, y + 0.6f * size};
  }
  bool is_free(const Bounds& box) const {
    if (box.x0 < 0.19f || box.x1 > kWidth - 0.19f || box.y0 < 0.1f || box.y1 > kHeight - 0.1f) return false;
    if (box.x0 < ridge_ && ridge_ < box.x1 && box.y1 > top_) return false;
    if (box.y1 > roof_at(box.x1) && box.y0 < roof_at(box.x0)) return false;  // the roof rises to the right
    return std::none_of(taken_.begin(), taken_.end(), [&](const Bounds& other) {
      return box.x0 < other.x1 && other.x0 < box.x1 && box.y0 < other.y1 && other.y0 < box.y1;
    });
  }
  void take(float x, float y, const std::string& words, LabelRole role, Anchor anchor, float size) {
    taken_.push_back(box_of(x, y, words, anchor, size));
    text(x, y, words, role, anchor, size);
  }
  void text(float x, float y, const std::string& words, LabelRole role, Anchor anchor, float size = kType) {
    panel_.marks.push_back(Label{x, y, scene_.intern(words), role, anchor, size});
  }

  Scene& scene_;
  const Roofline& device_;
  const LogScale &x_, &y_;
  double slope_;                 // TFLOP/s at one FLOP/byte
  float ridge_, top_;            // where the roof bends
  std::vector<Bounds> taken_{};  // by points and words
  Panel panel_;
};

}  // namespace

Result<Scene> roofline_figure(const FigureSpec& spec) {
  TESSERA_CHECK(only_own_style(spec));
  TESSERA_TRY(points, points_of(spec));
  TESSERA_TRY(measured, measured_of(spec, points));
  TESSERA_TRY(palette, Palette::find(spec.palette));
  std::vector<std::string> names = between_semicolons(parameter(spec, "names"));
  if (names.size() > points.size())
    return Error{ErrorCode::wrong_arity, fmt::format("names has {} names, and there are {} kernels", names.size(), points.size()), {}, {}};
  names.resize(points.size());
  const double peak = points[0].peak_tflops, slope = points[0].gigabytes_per_second * 1e-3;  // TFLOP/s at one FLOP/byte
  const double ridge = peak / slope;
  double least = ridge, most = ridge, lowest = peak;
  for (std::size_t i = 0; i < points.size(); ++i) {
    least = std::min(least, points[i].intensity);
    most = std::max(most, points[i].intensity);
    lowest = std::min({lowest, slope * points[i].intensity, measured[i].value_or(peak)});
  }
  const LogScale x{least / 5, most * 5, kWidth}, y{std::min(lowest, slope * x.least) / 1.2, peak * 2.5, kHeight};
  Scene scene = begin_scene(spec);
  Painter painter(scene, points[0], x, y);
  painter.add_axes();
  painter.add_roof();
  std::vector<std::string> notes, called;
  const ColorIndex fill = scene.color(palette.category(0, 2));  // names tell the points apart
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double best = std::min(peak, slope * points[i].intensity);
    const std::string name = !names[i].empty()            ? names[i]
                             : !points[i].problem.empty() ? points[i].problem
                                                          : fmt::format("kernel {}", i + 1);
    const std::string says = fmt::format("{}: {:.4g} FLOP/byte, at best {:.4g} TFLOP/s", name, points[i].intensity, best);
    painter.add_point(points[i].intensity, best, measured[i], measured[i] ? fmt::format("{}, measured {:.4g}", says, *measured[i]) : says,
                      fill);
    called.push_back(name);
    notes.push_back(measured[i] ? fmt::format("{}, measured {:.4g}: {:.3g} %", says, *measured[i], 100 * *measured[i] / best) : says);
  }
  painter.name_roof();
  for (std::size_t i = 0; i < points.size(); ++i)
    painter.name(points[i].intensity, measured[i].value_or(std::min(peak, slope * points[i].intensity)), called[i]);
  painter.add_grid();
  scene.panels.push_back(std::move(painter).take());
  Captions captions;
  captions.sentence = fmt::format("{}: left of {:.4g} FLOP/byte memory is the limit, right of it arithmetic.", points[0].device, ridge);
  captions.notes = std::move(notes);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].problem.empty() || called[i] != points[i].problem) continue;
    captions.notes.insert(captions.notes.begin(), "a kernel's name: M × N × K of its GEMM");
    break;
  }
  const auto is_same = [&](const Roofline& point) { return point.moved == points[0].moved; };
  if (!points[0].moved.empty() && std::all_of(points.begin(), points.end(), is_same)) captions.notes.push_back(points[0].moved);
  const auto bounds_alone = std::count(measured.begin(), measured.end(), std::nullopt);
  if (bounds_alone > 0)
    captions.notes.emplace_back(static_cast<std::size_t>(bounds_alone) == measured.size()
                                    ? "squares: what is at best possible, not what was measured"
                                    : "squares on the roof: what is at best possible; below it: what was measured");
  add_captions(scene, spec, captions, 1.2f);
  return scene;
}

}  // namespace tessera
