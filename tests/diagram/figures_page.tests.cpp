// SPDX-License-Identifier: BSD-3-Clause
// docs/figures.md lists every kind of figure, parameter, choice and palette as the tables have them. TESSERA_ACCEPT=1 writes the list.
#include <string>

#include <fmt/format.h>

#include "core/diagram/kinds/figures.hpp"
#include "core/diagram/scene/palette.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/golden.hpp"

using namespace tessera;

namespace {

std::string list() {
  std::string text;
  for (const FigureKind& kind : figure_kinds()) {
    text += fmt::format("\n## {}\n\n{}.\n", kind.name, kind.help);
    if (kind.parameters.empty()) continue;
    text += "\n| parameter | values | meaning |\n| --- | --- | --- |\n";
    for (const FigureParameter& each : kind.parameters) text += fmt::format("| `{}` | {} | {} |\n", each.name, values_of(each), each.help);
  }
  text += "\n## Of every kind\n\n| parameter | values | meaning |\n| --- | --- | --- |\n";
  for (const FigureParameter& each : common_parameters())
    text += fmt::format("| `{}` | {} | {} |\n", each.name, values_of(each), each.help);
  text += "\n## Palettes\n\n| palette | colours |\n| --- | --- |\n";
  for (const PaletteRow& row : Palette::rows()) text += fmt::format("| `{}` | {} |\n", row.name, row.help);
  text += "| `\"#0072b2, #e69f00, #009e73\"` | your own, 2 to 64: `#` and six or three hexadecimal digits each |\n";
  return text + "\n";
}

}  // namespace

TEST_CASE("the page on figures has every kind, parameter, choice and palette") {
  CHECK(testing::golden_section("docs/figures.md", "figures", list()) == list());
}
