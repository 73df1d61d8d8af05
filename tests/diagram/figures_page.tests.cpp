// SPDX-License-Identifier: BSD-3-Clause
// docs/figures.md lists every kind of figure, parameter, choice and palette as the tables have them. TESSERA_ACCEPT=1 writes the list.
#include <fmt/format.h>

#include "core/diagram/figures.hpp"
#include "core/diagram/palette.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/golden.hpp"

using namespace tessera;

namespace {

std::string list() {
  std::string text;
  for (const FigureKind& kind : figure_kinds()) {
    text += fmt::format("\n## {}\n\n{}.\n", kind.name, kind.help);
    if (kind.parameters.empty()) continue;
    text += "\n| parameter | words | meaning |\n| --- | --- | --- |\n";
    for (const FigureParameter& each : kind.parameters)
      text += fmt::format("| `{}` | {} | {} |\n", each.name, fmt::join(each.choices, ", "), each.help);
  }
  text += "\n## Palettes\n\n";
  for (const std::string_view name : Palette::names()) text += fmt::format("- `{}`\n", name);
  return text + "\n";
}

}  // namespace

TEST_CASE("the page on figures has every kind, parameter, choice and palette") {
  CHECK(testing::golden_section("docs/figures.md", "figures", list()) == list());
}
