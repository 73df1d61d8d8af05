// SPDX-License-Identifier: BSD-3-Clause
// The page around figures' data. Script and style sheet are taken into the program by the assembler, as the fonts are.
#include "core/render/html/html.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/embedded_file.hpp"
#include "core/base/json.hpp"
#include "core/render/html/page_parts.hpp"
#include "core/render/shared/font_faces.hpp"
#include "core/render/shared/source_embed.hpp"
#include "core/render/shared/svg_text.hpp"

TESSERA_EMBED(tessera_page_css, TESSERA_HTML "/page.css");
TESSERA_EMBED(tessera_page_data, TESSERA_HTML "/data.js");
TESSERA_EMBED(tessera_page_draw, TESSERA_HTML "/draw.js");
TESSERA_EMBED(tessera_page_link, TESSERA_HTML "/link.js");
TESSERA_EMBED(tessera_page_explain, TESSERA_HTML "/explain.js");
TESSERA_EMBED(tessera_page_page, TESSERA_HTML "/page.js");

namespace tessera {

namespace {

constexpr std::string_view kHead = R"(<header><h1>{}</h1>
<p>Point at a cell: what stands for the same thread, value or address lights up. A click explains it. <kbd>?</kbd> lists the keys.</p></header>
<main></main>
<noscript><p>These figures are drawn by a script, which is in this file; it needs no network.</p></noscript>
)";

constexpr std::string_view kDock = R"(<div id="dock"><div id="said" role="status" aria-live="polite"></div>
<section id="explanation" aria-label="Explanation of the cell" hidden></section></div>
<div id="help" role="dialog" aria-label="Keys" tabindex="-1" hidden><strong>Keys</strong><dl>
<dt><kbd>Tab</kbd><dd>to the next panel
<dt><kbd>&larr;</kbd> <kbd>&rarr;</kbd> <kbd>&uarr;</kbd> <kbd>&darr;</kbd><dd>to the cell beside, also in the next grid
<dt><kbd>Enter</kbd><dd>explains the cell and keeps it lit; again lets it go
<dt><kbd>[</kbd> <kbd>]</kbd><dd>the step before, the next step
<dt><kbd>Esc</kbd><dd>nothing is lit, the whole picture
<dt><kbd>?</kbd><dd>this list</dl></div>
)";

}  // namespace

std::string json_for_script(std::string json) {
  for (std::size_t at = json.find('<'); at != std::string::npos; at = json.find('<', at)) json.replace(at, 1, "\\u003c");
  return json;
}

std::string figures_style() {
  std::string out = font_faces({true, true});
  out += TESSERA_EMBEDDED(tessera_page_css);
  return out;
}

std::string_view figures_dock() { return kDock; }

std::string figures_data(const std::vector<HtmlFigure>& figures) {
  std::string out = "<script type=\"application/json\" id=\"figures\">[";
  for (const HtmlFigure& each : figures) {
    out += &each == figures.data() ? "\n" : ",\n";
    out += json_for_script(
        fmt::format("{{\"name\":{},\"kin\":{},{}", Json(each.name).dump(), Json(each.kin).dump(), std::string_view(each.data).substr(1)));
  }
  return out + "]</script>\n";
}

std::string figures_script() {
  std::string out(TESSERA_EMBEDDED(tessera_page_data));
  out += TESSERA_EMBEDDED(tessera_page_draw);
  out += TESSERA_EMBEDDED(tessera_page_link);
  out += TESSERA_EMBEDDED(tessera_page_explain);
  out += TESSERA_EMBEDDED(tessera_page_page);
  return out;
}

std::string html_page(std::string_view title, const std::vector<HtmlFigure>& figures) {
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width,initial-scale=1\">\n<title>";
  std::string name;
  append_xml(name, title);
  out += name;
  out += "</title>\n<style>\n";
  out += figures_style();
  out += "</style></head>\n<body>\n";
  out += fmt::format(kHead, name);
  out += kDock;
  out += figures_data(figures);
  out += "<script>\n";
  out += figures_script();
  out += "</script>\n";
  for (const HtmlFigure& each : figures) out += html_source(each.source);
  return out + "</body></html>\n";
}

Result<std::string> render_html(const Scene& scene, const RenderOptions& options) {
  TESSERA_TRY(data, render_html_figure(scene, options));
  return html_page(scene.title.empty() ? scene.expression : scene.title, {{"figure", std::move(data), scene.source}});
}

}  // namespace tessera
