// SPDX-License-Identifier: BSD-3-Clause
#include "app/studio/panels/figure_options.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/studio/panels/value_facts.hpp"
#include "core/diagram/kinds/figures.hpp"
#include "core/diagram/scene/palette.hpp"
#include "core/figure/figure.hpp"
#include "core/figure/kinds_taking.hpp"

namespace tessera::studio {
namespace {

FigureOption option_of(const FigureParameter& row, const View& view, const Value& value) {
  FigureOption option{std::string(row.name), std::string(row.help), {}, false, {}};
  const auto chosen = view.options.parameters.find(option.name);
  option.chosen = chosen != view.options.parameters.end();
  option.now = option.chosen ? chosen->second : said_in(value, row.name);
  for (const std::string_view choice : row.choices) option.choices.emplace_back(choice);
  option.least = row.least;
  option.most = row.most;
  return option;
}

FigureOption named(const char* name, const char* help, const std::string& chosen, std::string otherwise, std::vector<std::string> choices) {
  return {name, help, chosen.empty() ? std::move(otherwise) : chosen, !chosen.empty(), std::move(choices)};
}

// The kinds that draw the value, and the one that is drawn now. Tried once for each value that a binding has.
std::vector<std::string> kinds_of(const View& view, const Value& value, const std::string& now) {
  constexpr std::size_t kMostKept = 64;
  static std::map<std::string, std::vector<std::string>> kept;
  const std::string key = view.binding + '\n' + to_string(value);
  if (kept.size() > kMostKept) kept.clear();
  auto found = kept.find(key);
  if (found == kept.end()) {
    const std::vector<std::string_view> kinds = kinds_taking(value);
    found = kept.emplace(key, std::vector<std::string>(kinds.begin(), kinds.end())).first;
  }
  std::vector<std::string> made = found->second;
  if (std::find(made.begin(), made.end(), now) == made.end()) made.push_back(now);
  return made;
}

}  // namespace

std::vector<FigureOption> options_of(const View& view, const Value& value, const std::string& kind) {
  std::vector<FigureOption> all;
  std::vector<std::string> kinds = kinds_of(view, value, kind), palettes;
  for (const PaletteRow& row : Palette::rows()) palettes.emplace_back(row.name);
  all.push_back(named("kind", "what is drawn of it", view.options.kind, kind, std::move(kinds)));
  const auto row = std::find_if(figure_kinds().begin(), figure_kinds().end(), [&](const FigureKind& each) { return each.name == kind; });
  if (row != figure_kinds().end()) {
    for (const FigureParameter& each : row->parameters) all.push_back(option_of(each, view, value));
  }
  const std::string style(view.options.style == FigureStyle::tessera ? "" : name_of(view.options.style));
  all.push_back(named("palette", "its colours", view.options.palette, said_in(value, "palette"), std::move(palettes)));
  all.push_back(
      named("style", "as CuTe's functions of that name draw it", style, said_in(value, "style"), {"tessera", "print_latex", "print_svg"}));
  for (const FigureParameter& each : common_parameters()) all.push_back(option_of(each, view, value));
  // What is asked for most stands first, where there is room for a few.
  constexpr std::string_view kFirst[] = {"kind", "color", "labels", "thread", "palette"};
  const auto rank = [&](const FigureOption& option) {
    return std::find(std::begin(kFirst), std::end(kFirst), option.name) - std::begin(kFirst);
  };
  std::stable_sort(all.begin(), all.end(), [&](const FigureOption& a, const FigureOption& b) { return rank(a) < rank(b); });
  return all;
}

std::string kind_of(const View& view, const Value& value) {
  return !view.options.kind.empty() ? view.options.kind : figure_kind_of(value).value_or({});
}

}  // namespace tessera::studio
