// SPDX-License-Identifier: BSD-3-Clause
#include "app/studio/panels/ready_exports.hpp"

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace tessera::studio {

std::span<const ReadyExport> ready_exports() {
  static constexpr ReadyExport kReady[] = {{"screen", FigureFormat::svg, ""},
                                           {"LaTeX column", FigureFormat::tex, "columnwidth"},
                                           {"LaTeX page", FigureFormat::tex, "textwidth"},
                                           {"PDF column", FigureFormat::pdf, "columnwidth"},
                                           {"PDF slide", FigureFormat::pdf, "slide"}};
  return kReady;
}

std::vector<NamedExport> named_exports() {
  struct Named {
    std::string_view said, meant;
  };
  constexpr Named kWidths[] = {{"at a column's width (3.33 in)", "columnwidth"},
                               {"at a page's width (6.5 in)", "textwidth"},
                               {"at a slide's width (128 mm)", "slide"},
                               {"as large as it is", ""}};
  constexpr std::pair<std::string_view, FigureFormat> kFormats[] = {
      {"LaTeX", FigureFormat::tex}, {"PDF", FigureFormat::pdf}, {"SVG", FigureFormat::svg}, {"PNG", FigureFormat::png}};
  std::vector<NamedExport> all;
  for (const auto& [name, format] : kFormats) {
    for (const Named& width : kWidths) all.push_back({fmt::format("Export as {} {}", name, width.said), format, width.meant});
  }
  return all;
}

}  // namespace tessera::studio
