// SPDX-License-Identifier: BSD-3-Clause
// The figure of a roofline: how fast a device can be at so many operations a byte, where kernels stand under it, and what was measured.
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

constexpr float kWidth = 20, kHeight = 11;  // cells
constexpr double kSame = 1e-6;              // relative difference of two rates that are one

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
  const auto at_y = [&](double tflops) { return kHeight - y.place(tflops); };
  Scene scene = begin_scene(spec);
  Panel panel{points[0].device, {}, "roofline"};
  const auto text = [&](float left, float top, const std::string& words, LabelRole role, Anchor anchor, float size) {
    panel.marks.push_back(Label{left, top, scene.intern(words), role, anchor, size});
  };
  for (const double tick : x.ticks()) {
    panel.marks.push_back(Line{x.place(tick), 0, x.place(tick), kHeight, StrokeRole::hairline});
    text(x.place(tick), kHeight + 0.45f, fmt::format("{:.6g}", tick), LabelRole::axis, Anchor::center, 0.42f);
  }
  for (const double tick : y.ticks()) {
    panel.marks.push_back(Line{0, at_y(tick), kWidth, at_y(tick), StrokeRole::hairline});
    text(-0.3f, at_y(tick), fmt::format("{:.6g}", tick), LabelRole::axis, Anchor::right, 0.42f);
  }
  text(kWidth / 2, kHeight + 1.15f, "FLOP/byte of global memory", LabelRole::axis, Anchor::center, 0.42f);
  text(-0.3f, -0.55f, "TFLOP/s", LabelRole::axis, Anchor::right, 0.42f);
  panel.marks.push_back(Outline{0, 0, kWidth, kHeight, StrokeRole::boundary});
  // The roof, and what is above it: nothing.
  panel.marks.push_back(Line{0, at_y(slope * x.least), x.place(ridge), at_y(peak), StrokeRole::strong});
  panel.marks.push_back(Line{x.place(ridge), at_y(peak), kWidth, at_y(peak), StrokeRole::strong});
  panel.marks.push_back(Line{x.place(ridge), at_y(peak), x.place(ridge), kHeight, StrokeRole::boundary});
  text(kWidth - 0.2f, at_y(peak) - 0.4f, fmt::format("{:.4g} TFLOP/s", peak), LabelRole::legend, Anchor::right, 0.42f);
  const float beside = std::min(2.8f, x.place(ridge));  // where the words end, the roof is still below them
  const float above = at_y(slope * x.least) + (at_y(peak) - at_y(slope * x.least)) * beside / x.place(ridge);
  text(0.2f, above - 0.45f, fmt::format("{:.4g} GB/s", points[0].gigabytes_per_second), LabelRole::legend, Anchor::left, 0.42f);
  text(x.place(ridge) + 0.15f, kHeight - 0.35f, fmt::format("{:.4g}", ridge), LabelRole::legend, Anchor::left, 0.42f);
  std::vector<std::string> notes;
  for (std::size_t i = 0; i < points.size(); ++i) {
    constexpr float kDot = 0.42f;
    const double best = std::min(peak, slope * points[i].intensity);
    const std::string name = names[i].empty() ? fmt::format("kernel {}", i + 1) : names[i];
    const float px = x.place(points[i].intensity), roof = at_y(best);
    const ColorIndex fill =
        scene.color(palette.category(static_cast<std::int64_t>(i), std::max<std::int64_t>(2, static_cast<std::int64_t>(points.size()))));
    const auto dot = [&](float top, const std::string& words) {
      Cell cell{px - kDot / 2, top - kDot / 2, kDot, kDot, fill};
      cell.subject = scene.add_words(words);
      panel.marks.push_back(cell);
      panel.marks.push_back(Outline{cell.x, cell.y, kDot, kDot, StrokeRole::boundary});
    };
    const std::string says = fmt::format("{}: {:.4g} FLOP/byte, at best {:.4g} TFLOP/s", name, points[i].intensity, best);
    const float below = measured[i] ? at_y(*measured[i]) : roof;
    if (measured[i]) {
      panel.marks.push_back(Line{px, roof, px, below, StrokeRole::boundary});
      dot(below, fmt::format("{}, measured {:.4g}", says, *measured[i]));
      notes.push_back(fmt::format("{}, measured {:.4g}: {:.3g} %", says, *measured[i], 100 * *measured[i] / best));
    } else {
      dot(roof, says);
      notes.push_back(says);
    }
    const float right = px + 0.4f + 0.3f * static_cast<float>(name.size());
    if (px < x.place(ridge) && right > x.place(ridge) && !measured[i])  // words do not lie on the ridge's line
      text(px - 0.4f, below - 0.35f, name, LabelRole::panel_name, Anchor::right, 0.44f);
    else
      text(px + 0.4f, below + 0.5f, name, LabelRole::panel_name, Anchor::left, 0.44f);
  }
  scene.panels.push_back(std::move(panel));
  Captions captions;
  captions.sentence = fmt::format("{}: left of {:.4g} FLOP/byte memory is the limit, right of it arithmetic.", points[0].device, ridge);
  captions.notes = std::move(notes);
  add_captions(scene, spec, captions, 1.2f);
  return scene;
}

}  // namespace tessera
