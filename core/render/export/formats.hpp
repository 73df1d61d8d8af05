// SPDX-License-Identifier: BSD-3-Clause
// The formats that a figure can be written in.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/render/export/page.hpp"

namespace tessera {

enum class FigureFormat : std::uint8_t { tex, svg, png, pdf, html, json, txt, md, csv };

// Those that carry what made the figure.
inline constexpr FigureFormat kFormatsWithSource[] = {FigureFormat::svg, FigureFormat::pdf,  FigureFormat::png,
                                                      FigureFormat::tex, FigureFormat::json, FigureFormat::html};

std::span<const FigureFormat> figure_formats();
std::string_view extension(FigureFormat format);                         // "tex"
bool has_size(FigureFormat format);                                      // a picture, not a table or JSON
bool is_text(FigureFormat format);                                       // may go to a terminal
Result<std::vector<FigureFormat>> parse_formats(std::string_view list);  // "tex,svg"
Result<std::string> render(const Scene& scene, FigureFormat format, const RenderOptions& options);
// Of pictures: svg, png, pdf, tex; of html the figure alone, as the data of a page (core/render/html/html.hpp).
RenderPage page_renderer(FigureFormat format);
bool is_for_browsers(FigureFormat format);  // whose lengths are pixels of CSS

}  // namespace tessera
