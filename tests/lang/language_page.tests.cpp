// SPDX-License-Identifier: BSD-3-Clause
// docs/language.md lists every function as the table of builtins has it. TESSERA_ACCEPT=1 writes the list.
#include <fmt/format.h>

#include "core/lang/evaluate.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/golden.hpp"

using namespace tessera;

namespace {

std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

std::string table() {
  std::string text = "| function | gives |\n| --- | --- |\n";
  for (const BuiltinHelp& row : builtins()) text += fmt::format("| `{}` | {} |\n", cell(row.signature), cell(row.help));
  return text;
}

}  // namespace

TEST_CASE("the page on the language has the table of functions") {
  CHECK(testing::golden_section("docs/language.md", "functions", table()) == table());
}
