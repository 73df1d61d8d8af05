// SPDX-License-Identifier: BSD-3-Clause
#include "core/render/export/export.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/render/detail/detail.hpp"
#include "core/render/html/html.hpp"
#include "core/render/raster/pixels.hpp"

namespace tessera {
namespace {

constexpr double kLargestScale = 64;                      // pixels a point
constexpr double kSmallestCell = 1, kLargestCell = 1000;  // points

constexpr FigureFormat kSized[] = {FigureFormat::tex, FigureFormat::svg, FigureFormat::png, FigureFormat::pdf, FigureFormat::html};
constexpr FigureFormat kDots[] = {FigureFormat::png};
constexpr FigureFormat kOnPaper[] = {FigureFormat::png, FigureFormat::svg, FigureFormat::pdf};
constexpr FigureFormat kTex[] = {FigureFormat::tex};
constexpr std::string_view kWidths[] = {"columnwidth", "textwidth", "slide"};
constexpr std::string_view kHeights[] = {"textheight", "slide"};
constexpr std::string_view kPlaces[] = {"column", "page", "slide"};
constexpr std::string_view kLabels[] = {"fit", "all"};

constexpr std::array kOptions = {
    ExportOption{"width", "of the picture: 3.33in, 84mm, 240pt, columnwidth, textwidth or slide", kWidths, false, kSized,
                 &ExportOptions::width},
    ExportOption{"height", "of the picture: 60mm, 3in, textheight or slide; beside --width what fits both", kHeights, false, kSized,
                 &ExportOptions::height},
    ExportOption{"fit", "into a place, in both directions: column 3.33 x 9 in, page 6.5 x 9 in, slide 128 x 90 mm", kPlaces, true, kSized,
                 &ExportOptions::fit},
    ExportOption{"labels", "fit: those of at least 4.5 pt at the picture's size", kLabels, true, kSized, &ExportOptions::labels},
    ExportOption{"cell", "edge of a cell in points; 28 where nothing is said", {}, false, kSized, &ExportOptions::cell},
    ExportOption{"scale",
                 "pixels a point, for png; where nothing is said 2, and up to 4 of small pictures",
                 {},
                 false,
                 kDots,
                 &ExportOptions::scale},
    ExportOption{"dpi", "dots an inch, for png: another way to say --scale", {}, false, kDots, &ExportOptions::dpi},
    ExportOption{"transparent", "png, svg and pdf: no paper behind the picture", {}, false, kOnPaper, &ExportOptions::transparent},
    ExportOption{"fragment", "tex: the picture without a document around it", {}, false, kTex, &ExportOptions::fragment},
};

// How wide the picture is, in points, as far as no page makes it smaller.
double wide_points(const Scene& scene, const ExportOptions& options) {
  if (const Result<PictureRoom> room = room_of(options); room && room->width > 0) return room->width;
  return with_margins(bounds(scene)).width * options.cell.value_or(kUsualCell);
}

double pixels_a_point(const Scene& scene, const ExportOptions& options) {
  if (options.dpi) return *options.dpi / kPointsOfAnInch;
  return options.scale ? *options.scale : usual_scale(wide_points(scene, options));
}

// `write` is the format's own renderer, or one that gives the same picture as pixels of `scale` a point.
Result<Exported> at_its_size(const Scene& scene, const MakeFigure& make, FigureFormat format, const ExportOptions& asked, RenderPage write,
                             double scale) {
  RenderOptions options;
  options.cell_points = asked.cell.value_or(kUsualCell);
  options.scale = scale;
  const bool has_dots = format == FigureFormat::png && (asked.dpi || asked.scale);
  TESSERA_TRY(room, room_of(asked));
  const bool has_room = room.width > 0 || room.height > 0;
  options.fit = !asked.cell && !has_dots && !has_room;
  options.standalone = !asked.fragment;
  options.transparent = asked.transparent;
  const bool all_labels = asked.labels == "all";
  const bool for_browsers = write == render_svg || write == render_html_figure;
  Exported made;
  const auto take = [&](Result<std::string> bytes) -> Status {
    if (!bytes) return bytes.error();
    made.bytes = std::move(*bytes);
    return Done{};
  };
  if (has_room) {
    TESSERA_TRY(sized, for_room(make, room, format != FigureFormat::tex || !asked.fragment, all_labels));
    sized.scene.source = scene.source;
    made.left_out = sized.scene.left_out;
    options.cell_points = for_browsers ? sized.cell_points * kPixelsOfAPoint : sized.cell_points;
    TESSERA_CHECK(take(write(sized.scene, options)));
  } else if (options.fit && !all_labels) {
    TESSERA_CHECK(take(render_for_page(scene, make, write, options, &made.left_out)));
  } else {
    const Scene readable = at_size(scene, options.cell_points, {.all_labels = all_labels});
    made.left_out = readable.left_out;
    TESSERA_CHECK(take(write(readable, options)));
  }
  return made;
}

}  // namespace

bool ExportOption::says_something_to(FigureFormat format) const {
  return std::find(formats.begin(), formats.end(), format) != formats.end();
}

std::span<const ExportOption> export_options() { return kOptions; }

double usual_scale(double points) {
  constexpr double kPixels = 1200, kMost = 4;  // half a slide
  return std::clamp(kPixels / points, kUsualScale, kMost);
}

Result<PictureRoom> room_of(const ExportOptions& options) {
  PictureRoom room;
  std::string width = options.width, height = options.height;
  if (options.fit == "column") width = "columnwidth", height = "textheight";
  if (options.fit == "page") width = "textwidth", height = "textheight";
  if (options.fit == "slide") width = height = "slide";
  if (!width.empty()) {
    TESSERA_TRY(points, width_in_points(width));
    room.width = points;
  }
  if (!height.empty()) {
    TESSERA_TRY(points, height_in_points(height));
    room.height = points;
  }
  return room;
}

Status check(const ExportOptions& options) {
  if (!options.fit.empty() && std::find(std::begin(kPlaces), std::end(kPlaces), options.fit) == std::end(kPlaces)) {
    return Error{ErrorCode::parse, fmt::format("--fit {} is no place: column, page or slide", options.fit), {}, {}};
  }
  if (!options.fit.empty() && !(options.width.empty() && options.height.empty())) {
    return Error{
        ErrorCode::parse, "--fit says how wide and how high, and so does --width or --height", {}, {"give --fit alone, or both lengths"}};
  }
  const double cell = options.cell.value_or(kUsualCell), scale = options.scale.value_or(kUsualScale);
  const double dpi = options.dpi.value_or(kPointsOfAnInch), most = kLargestScale * kPointsOfAnInch;
  if (!(cell >= kSmallestCell && cell <= kLargestCell)) {
    return Error{
        ErrorCode::out_of_range, fmt::format("--cell {} is no edge of a cell: {} to {} points", cell, kSmallestCell, kLargestCell), {}, {}};
  }
  if (!(scale > 0 && scale <= kLargestScale))
    return Error{ErrorCode::out_of_range, fmt::format("--scale {} is above 0 and at most {}", scale, kLargestScale), {}, {}};
  if (!(dpi > 0 && dpi <= most))
    return Error{ErrorCode::out_of_range, fmt::format("--dpi {} is above 0 and at most {}", dpi, most), {}, {}};
  if (options.scale && options.dpi) {
    return Error{
        ErrorCode::parse, "--scale and --dpi say the same thing: dots an inch are 72 times the scale", {}, {"give one of the two"}};
  }
  return Done{};
}

Source with_sizes(Source source, const ExportOptions& options) {
  source.width = options.width;
  source.height = options.height;
  source.fit = options.fit;
  source.labels = options.labels;
  source.cell = options.cell;
  source.scale = options.dpi ? *options.dpi / kPointsOfAnInch : options.scale;
  source.transparent = options.transparent;
  source.fragment = options.fragment;
  return source;
}

Result<Exported> export_figure(const Scene& scene, const MakeFigure& make, FigureFormat format, const ExportOptions& options) {
  TESSERA_CHECK(check(options));
  if (has_size(format)) return at_its_size(scene, make, format, options, page_renderer(format), pixels_a_point(scene, options));
  TESSERA_TRY(bytes, render(scene, format, RenderOptions()));
  return Exported{std::move(bytes), {}};
}

Result<Preview> preview_figure(const Scene& scene, const MakeFigure& make, FigureFormat format, const ExportOptions& options, double scale,
                               double longest) {
  TESSERA_CHECK(check(options));
  TESSERA_TRY(room, room_of(options));
  if (room.width > 0 || room.height > 0) {
    scale = std::min(scale, longest / std::max(room.width, room.height));
  } else if (options.cell) {
    const Bounds box = bounds(scene);
    scale = std::min(scale, longest / (*options.cell * static_cast<double>(std::max(box.width(), box.height()))));
  }
  if (!has_size(format))
    return Error{ErrorCode::wrong_type, fmt::format("{} has no picture", extension(format)), {}, {"svg, pdf, png and tex have one"}};
  TESSERA_TRY(drawn, at_its_size(scene, make, format, options, render_pixels, scale));
  Preview preview;
  preview.left_out = std::move(drawn.left_out);
  std::int32_t size[2] = {};
  std::memcpy(size, drawn.bytes.data(), sizeof size);
  preview.width = size[0], preview.height = size[1];
  preview.rgba.assign(drawn.bytes.begin() + sizeof size, drawn.bytes.end());
  return preview;
}

}  // namespace tessera
