// SPDX-License-Identifier: BSD-3-Clause
// Figures as one page of HTML that needs no network: what is pointed at lights up in all figures of its lineage, a click explains the
// cell, steps are walked through, with mouse and keyboard alike.
//
// The page carries the scenes as data (html_columns.hpp makes columns small) and a script that draws them as SVG. core/render/html holds
// the script and the style sheet, which are a part of the program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/diagram/scene/source.hpp"
#include "core/render/shared/render.hpp"

namespace tessera {

struct HtmlFigure {
  std::string name;
  std::string data;                // what render_html_figure gave
  Source source;                   // empty: it cannot be drawn again
  std::vector<std::size_t> kin{};  // the figures of one lineage with it, whose threads and addresses mean the same; itself may be left out
};

// One figure as data of a page: an object of JSON, without a name.
Result<std::string> render_html_figure(const Scene& scene, const RenderOptions& options = {});
// The same with colours for a reader whose scheme is dark, those of `dark`. Where the two differ in more than colours it is `light` alone.
Result<std::string> render_html_figure_in_schemes(const Scene& light, const Scene& dark, const RenderOptions& options = {});
// The page of several.
std::string html_page(std::string_view title, const std::vector<HtmlFigure>& figures);
// The page of one.
Result<std::string> render_html(const Scene& scene, const RenderOptions& options = {});

}  // namespace tessera
