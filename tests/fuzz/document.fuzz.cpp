// SPDX-License-Identifier: BSD-3-Clause
// Bytes as a document: its text comes back byte for byte, every binding has a value or an error, and what can be drawn is drawn.
#include <string>
#include <string_view>
#include <vector>

#include "core/lang/document/document.hpp"

#include "core/base/budget.hpp"
#include "core/base/utf8.hpp"
#include "core/figure/figure.hpp"
#include "core/render/shared/render.hpp"
#include "tests/fuzz/targets.hpp"

namespace tessera::fuzz {
namespace {

constexpr std::size_t kMostFigures = 4;     // of one document that are drawn
constexpr std::size_t kMostCells = 20'000;  // of a figure that is written

std::string broken_figure(const Value& value, std::string_view expression) {
  const Result<Scene> scene = figure_of(value, expression);
  if (!scene) return is_utf8(describe(scene.error(), expression)) ? "" : "a figure's refusal is not UTF-8";
  if (cell_count(*scene) > kMostCells) return "";
  if (const auto svg = render_svg(*scene); svg && !is_utf8(*svg)) return "an SVG is not UTF-8";
  if (const auto tikz = render_tikz(*scene); tikz && !is_utf8(*tikz)) return "TikZ is not UTF-8";
  return "";
}

}  // namespace

std::string broken_document(std::string_view bytes) {
  const Budget budget;  // of the figures, too: a fuzzer bounds the time of one input
  const Result<Document> document = parse_document(bytes);
  if (!document) return is_utf8(describe(document.error(), bytes)) ? "" : "a document's refusal is not UTF-8";
  if (to_text(*document) != bytes) return "a document did not keep its text";
  std::size_t drawn = 0, k = 0;
  const std::vector<EvaluatedBinding> bindings = evaluate(*document);
  if (bindings.size() != document->bindings.size()) return "a binding was lost";
  for (const EvaluatedBinding& binding : bindings) {
    const std::string& expression = document->bindings[k++].expression;
    for (const Error& warning : binding.warnings) {
      if (!is_utf8(describe(warning, expression))) return "a warning is not UTF-8";
    }
    if (!binding.value) {
      if (!is_utf8(describe(binding.value.error(), expression))) return "a refusal is not UTF-8";
    } else if (drawn < kMostFigures && is_drawable(*binding.value)) {
      ++drawn;
      if (std::string broken = broken_figure(*binding.value, expression); !broken.empty()) return broken;
    }
  }
  return "";
}

}  // namespace tessera::fuzz
