// SPDX-License-Identifier: BSD-3-Clause
// One row a format.
#include "core/render/export/formats.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/render/html/html.hpp"

namespace tessera {
namespace {

constexpr FigureFormat kFormats[] = {FigureFormat::tex,  FigureFormat::svg, FigureFormat::png, FigureFormat::pdf, FigureFormat::html,
                                     FigureFormat::json, FigureFormat::txt, FigureFormat::md,  FigureFormat::csv};

}  // namespace

std::string_view extension(FigureFormat format) {
  switch (format) {
    case FigureFormat::tex: return "tex";
    case FigureFormat::svg: return "svg";
    case FigureFormat::png: return "png";
    case FigureFormat::pdf: return "pdf";
    case FigureFormat::html: return "html";
    case FigureFormat::json: return "json";
    case FigureFormat::txt: return "txt";
    case FigureFormat::md: return "md";
    case FigureFormat::csv: return "csv";
  }
  return "";
}

std::span<const FigureFormat> figure_formats() { return kFormats; }

bool has_size(FigureFormat format) {
  return is_for_browsers(format) || format == FigureFormat::png || format == FigureFormat::pdf || format == FigureFormat::tex;
}

bool is_text(FigureFormat format) { return format != FigureFormat::png && format != FigureFormat::pdf; }

Result<std::vector<FigureFormat>> parse_formats(std::string_view list) {
  std::vector<FigureFormat> formats;
  while (!list.empty()) {
    const std::string_view word = list.substr(0, list.find(','));
    list.remove_prefix(std::min(word.size() + 1, list.size()));
    const std::size_t before = formats.size();
    for (const FigureFormat format : kFormats) {
      if (extension(format) == word) formats.push_back(format);
    }
    if (formats.size() == before) {
      return Error{ErrorCode::unknown_name,
                   fmt::format("figures are written as tex, svg, png, pdf, html, json, txt, md or csv, not as \"{}\"", word),
                   {},
                   {}};
    }
  }
  return formats;
}

bool is_for_browsers(FigureFormat format) { return format == FigureFormat::svg || format == FigureFormat::html; }

RenderPage page_renderer(FigureFormat format) {
  switch (format) {
    case FigureFormat::png: return render_png;
    case FigureFormat::pdf: return render_pdf;
    case FigureFormat::tex: return render_tikz;
    case FigureFormat::html: return render_html_figure;
    default: return render_svg;
  }
}

Result<std::string> render(const Scene& scene, FigureFormat format, const RenderOptions& options) {
  switch (format) {
    case FigureFormat::tex: return render_tikz(scene, options);
    case FigureFormat::svg: return render_svg(scene, options);
    case FigureFormat::png: return render_png(scene, options);
    case FigureFormat::pdf: return render_pdf(scene, options);
    case FigureFormat::html: return render_html(scene, options);
    case FigureFormat::json: return render_json(scene);
    case FigureFormat::txt: return render_text(scene, TextForm::boxes);
    case FigureFormat::md: return render_text(scene, TextForm::markdown);
    case FigureFormat::csv: return render_text(scene, TextForm::csv);
  }
  return Error{ErrorCode::wrong_type, "no such format", {}, {}};
}

}  // namespace tessera
