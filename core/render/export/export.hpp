// SPDX-License-Identifier: BSD-3-Clause
// A figure's file in one format, at the size that it is to have; and the table of what can be said about that. The command line's options
// and the studio's dialog are made of its rows.
//
//   export_figure(scene, make, FigureFormat::pdf, {.width = "columnwidth"})
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/result.hpp"
#include "core/diagram/scene/source.hpp"
#include "core/render/export/formats.hpp"
#include "core/render/export/page.hpp"

namespace tessera {

struct ExportOptions {
  std::string width{}, height{}, fit{}, labels{};  // see the rows; empty: nothing is said
  std::optional<double> cell{}, scale{}, dpi{};    // points, pixels a point, dots an inch
  bool transparent = false, fragment = false;
  friend bool operator==(const ExportOptions&, const ExportOptions&) = default;
};

inline constexpr double kPointsOfAnInch = 72;
inline constexpr double kUsualScale = 2, kUsualCell = 28;
// Pixels a point of a PNG that is so many points wide, where nothing is said: 2, and up to 4 of small ones, which fill half a slide.
double usual_scale(double points);

struct ExportOption {
  std::string_view name;                        // "width": --width of the command line
  std::string_view help;                        // one line
  std::span<const std::string_view> choices{};  // words that it may be
  bool only_choices = false;                    // and nothing else
  std::span<const FigureFormat> formats{};      // those that it says something to
  std::variant<std::string ExportOptions::*, std::optional<double> ExportOptions::*, bool ExportOptions::*> member;

  bool says_something_to(FigureFormat format) const;
};
std::span<const ExportOption> export_options();

// The room that is asked for, by a width, a height or a place (column, page, slide), in points; nothing is asked for: no width and no
// height.
Result<PictureRoom> room_of(const ExportOptions& options);
// Refuses sizes that no figure has, and two that say the same thing.
Status check(const ExportOptions& options);
// What a figure's file says of the sizes that were asked for.
Source with_sizes(Source source, const ExportOptions& options);

struct Exported {
  std::string bytes;
  std::string left_out;  // what cannot be read at that size and is not drawn, in words; empty: all is there
};
// `make` makes the figure again with another size of type, see page.hpp; the source is the scene's.
Result<Exported> export_figure(const Scene& scene, const MakeFigure& make, FigureFormat format, const ExportOptions& options);

// The same as pixels, `scale` of them a point whatever the options say of those of a PNG; fewer where its longer edge would have more than
// about `longest`. Refused where Cairo is absent.
struct Preview {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;  // row by row from the top; what is transparent stands on nothing
  std::string left_out;
};
Result<Preview> preview_figure(const Scene& scene, const MakeFigure& make, FigureFormat format, const ExportOptions& options, double scale,
                               double longest);

}  // namespace tessera
