// SPDX-License-Identifier: BSD-3-Clause
// Script and style sheet are taken into the program by the assembler, as those of a page of figures are.
#include "core/lesson/page/page.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/characters.hpp"
#include "core/base/embedded_file.hpp"
#include "core/figure/figure.hpp"
#include "core/figure/figure_source.hpp"
#include "core/lang/document/document.hpp"
#include "core/lesson/each_part.hpp"
#include "core/lesson/names.hpp"
#include "core/lesson/page/markdown.hpp"
#include "core/lesson/run_command.hpp"
#include "core/lesson/screens.hpp"
#include "core/lesson/vary.hpp"
#include "core/lesson/worklog.hpp"
#include "core/render/html/html.hpp"
#include "core/render/html/page_parts.hpp"

TESSERA_EMBED(tessera_lesson_css, TESSERA_LESSON_PAGE "/lesson.css");
TESSERA_EMBED(tessera_lesson_grade, TESSERA_LESSON_PAGE "/grade.js");
TESSERA_EMBED(tessera_lesson_script, TESSERA_LESSON_PAGE "/lesson.js");

namespace tessera::lesson {
namespace {

constexpr double kZoom = 1.25;  // of figures: their type is as easy to read as the words

class PageWriter {
 public:
  PageWriter(const OpenLesson& opened, const PageOptions& options) : opened_(opened), options_(options) {}

  Result<std::string> page() && {
    TESSERA_CHECK(write_parts(opened_, *this));
    return whole();
  }

 private:
  friend Status tessera::lesson::write_parts<PageWriter>(const OpenLesson& opened, PageWriter& to);

  // A piece of the present screen; what stands below a question waits for it.
  void block(std::string_view html) { body_ += fmt::format("<div class=\"block\" data-needs=\"{}\">\n{}</div>\n", gates_, html); }

  void begin_screen() {
    if (!body_.empty()) body_ += "</section>\n";
    body_ += fmt::format("<section class=\"screen\" tabindex=\"-1\" id=\"screen-{}\">\n", ++screens_);
  }

  Status words(const Written& piece, const Scope& above) {
    for (const Written& each : screens_of(piece)) {
      if (trimmed(each.text).empty()) continue;
      TESSERA_TRY(blocks, blocks_of(each, above));
      const std::string html = html_of(blocks);
      if (body_.empty() || each.text.starts_with("# ")) begin_screen();
      if (!html.empty()) block(html);
    }
    return Done{};
  }

  void lines(const Written& piece, std::string_view name) {
    if (body_.empty()) begin_screen();
    block(fmt::format("<pre class=\"{}\" tabindex=\"0\">{}</pre>\n", name, escaped(trimmed(piece.text))));
  }

  Status definitions(const Written& tess) {
    lines(tess, "tess");
    definitions_ += tess.text + "\n";
    return Done{};
  }

  // The element of one more figure.
  Result<std::string> slot(const Written& piece, const Scope& scope, std::string_view attributes) {
    TESSERA_TRY(value, value_of(piece, scope));
    Result<Scene> scene = figure_of(value, piece.text);
    if (!scene) return moved(std::move(scene).error(), piece);
    // What has no palette of its own follows its reader's scheme.
    const Result<FigureSpec> spec = figure_spec_of(value, piece.text);
    const Result<Scene> dark = figure_of(value, piece.text, FigureOptions{.palette = "dark"});
    const RenderOptions options{.zoom = kZoom};
    Result<std::string> data =
        dark && spec && spec->palette.empty() ? render_html_figure_in_schemes(*scene, *dark, options) : render_html_figure(*scene, options);
    if (!data) return moved(std::move(data).error(), piece);
    Source source{};
    if (const Result<Document> document = parse_document(definitions_)) source = source_of(*document, piece.text);
    figures_.push_back({fmt::format("figure {}", figures_.size() + 1), *std::move(data), std::move(source)});
    return fmt::format("<div class=\"slot\" data-figure=\"{}\"{}></div>\n", figures_.size() - 1, attributes);
  }

  Status picture(const Written& piece, const Scope& above) {
    TESSERA_TRY(html, slot(piece, above, ""));
    if (body_.empty()) begin_screen();
    block(html);
    return Done{};
  }

  // The slider and its question are made by the script; the figures of all values are here.
  Status move(const Vary& vary, const Scope& above) {
    TESSERA_TRY(values, values_of(vary, above));
    Json::List shown, holds, prompts;
    std::string slots;
    for (std::size_t i = 0; i < values.values.size(); ++i) {
      const Names names{{values.name, values.values[i]}};
      const Scope scope = with_names(names, above);
      TESSERA_TRY(html, slot(vary.show, scope, fmt::format(" data-value=\"{}\"{}", i, i == values.first ? "" : " hidden")));
      slots += html;
      shown.push_back(to_string(values.values[i]));
      if (!vary.truth.empty()) holds.push_back(static_cast<bool>(values.holds[i]));
      if (vary.prompt.empty()) continue;
      TESSERA_TRY(prompt, filled_line(vary.prompt, scope));
      prompts.push_back(std::move(prompt));
    }
    if (body_.empty()) begin_screen();
    block(fmt::format("<div class=\"vary\" data-vary=\"{}\">\n{}</div>\n", varies_.size(), slots));
    varies_.push_back(Json::object({{"name", values.name},
                                    {"values", std::move(shown)},
                                    {"first", static_cast<std::int64_t>(values.first)},
                                    {"hash", hash_of(vary)},
                                    {"holds", std::move(holds)},
                                    {"prompts", std::move(prompts)}}));
    return Done{};
  }

  Status question(std::size_t part) {
    const Ask& ask = std::get<Ask>(opened_.lesson().parts[part]);
    TESSERA_TRY(data,
                question_data(opened_, part, std::clamp<std::uint64_t>(options_.seeds, 1, kMostSeedsOfAPage), options_.seed.value_or(0)));
    asks_.push_back(std::move(data));
    if (body_.empty()) begin_screen();
    block(fmt::format("<div class=\"ask\" id=\"ask-{0}\" data-ask=\"{0}\"></div>\n", escaped(ask.id)));
    if (ask.gates) ++gates_;
    return Done{};
  }

  // A browser has no GPU of ours: the page says how to run it, and what was recorded of this plan and no other.
  Status gemm(const Written& piece, const Scope& above) {
    TESSERA_TRY(value, value_of(piece, above));
    if (const Result<Scene> scene = figure_of(value, piece.text); !scene) return moved(scene.error(), piece);
    lines(piece, "run");
    const auto* spec = std::get_if<std::shared_ptr<const GemmSpec>>(&value.any);
    const std::vector<std::string> recorded = spec && options_.recorded ? options_.recorded(**spec) : std::vector<std::string>();
    std::string html =
        fmt::format("<p>Where there is a GPU and Tessera, this runs it:</p>\n<pre class=\"command\" tabindex=\"0\">{}</pre>\n",
                    escaped(run_command(definitions_, piece)));
    if (recorded.empty())
      html += "<p class=\"note\">Nothing that was recorded is of exactly this plan.</p>\n";
    else
      html += fmt::format("<p>Recorded of exactly this plan:</p>\n<pre class=\"recorded\" tabindex=\"0\">{}</pre>\n",
                          escaped(fmt::format("{}", fmt::join(recorded, "\n"))));
    block(html);
    return Done{};
  }

  Result<std::string> whole() {
    const Head& head = opened_.lesson().head;
    std::vector<Source> sources;
    for (const HtmlFigure& each : figures_) sources.push_back(each.source);
    const std::vector<std::vector<std::size_t>> kin = kin_of(sources);
    for (std::size_t i = 0; i < figures_.size(); ++i) figures_[i].kin = kin[i];
    const Json data = Json::object({{"number", head.number},
                                    {"title", head.title},
                                    {"file", options_.name},
                                    {"seed", options_.seed ? Json(*options_.seed) : Json()},
                                    {"asks", std::move(asks_)},
                                    {"varies", std::move(varies_)}});
    std::string out = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
        "content=\"width=device-width,initial-scale=1\">\n<title>{}. {}</title>\n<style>\n",
        head.number, escaped(head.title));
    out += figures_style();
    out += TESSERA_EMBEDDED(tessera_lesson_css);
    out += fmt::format(
        "</style></head>\n<body class=\"lesson\">\n<header><p class=\"of\">Lesson {}, {}</p>\n<h1>{}</h1>\n<p class=\"goal\">{}</p>"
        "</header>\n<p id=\"unread\">The questions and the figures of this lesson are made by the script in this file, which needs no "
        "network. If "
        "you read this, your browser runs none, or is too old for it.</p>\n",
        head.number, head.minutes == 1 ? "1 minute" : fmt::format("{} minutes", head.minutes), escaped(head.title), escaped(head.goal));
    out += "<main>\n" + body_ + (body_.empty() ? "" : "</section>\n") +
           "</main>\n<nav id=\"walk\" aria-label=\"Screens\"></nav>\n<footer id=\"kept\"></footer>\n";
    out += figures_dock();
    out += figures_data(figures_);
    out += "<script type=\"application/json\" id=\"lesson\">" + json_for_script(data.dump()) + "</script>\n<script>\n";
    out += figures_script();
    out += "</script>\n<script>\n";
    out += TESSERA_EMBEDDED(tessera_lesson_grade);
    out += TESSERA_EMBEDDED(tessera_lesson_script);
    return out + "</script>\n</body></html>\n";
  }

  const OpenLesson& opened_;
  const PageOptions& options_;
  std::string body_, definitions_;
  std::vector<HtmlFigure> figures_;
  Json::List asks_, varies_;
  std::size_t screens_ = 0, gates_ = 0;
};

}  // namespace

Result<std::string> lesson_page(const OpenLesson& opened, const PageOptions& options) { return PageWriter(opened, options).page(); }

}  // namespace tessera::lesson
