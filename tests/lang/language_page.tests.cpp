// SPDX-License-Identifier: BSD-3-Clause
// docs/language.md lists every function as the table of builtins has it (TESSERA_ACCEPT=1 writes the list), and its documents have values.
// Its commands are run by tests/cli/pages.tests.cpp.
#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "core/lang/builtins/builtins.hpp"
#include "core/lang/document/document.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/source_dir.hpp"

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

TEST_CASE("every line of the documents on the page has a value") {
  std::ifstream stream(test::source_dir() + "/docs/language.md");
  std::stringstream words;
  words << stream.rdbuf();
  const std::string page = words.str(), begin = "```tess\n";
  std::size_t documents = 0;
  for (std::size_t at = page.find(begin); at != std::string::npos; at = page.find(begin, at + 1)) {
    ++documents;
    const std::size_t from = at + begin.size();
    const Document document = parse_document(page.substr(from, page.find("```", from) - from)).value();
    CHECK(document.bad_lines.empty());
    for (const EvaluatedBinding& each : evaluate(document)) {
      INFO(each.name << (each.value ? "" : describe(each.value.error())));
      CHECK(each.value.has_value());
    }
  }
  CHECK(documents >= 1);
}

TEST_CASE("the page on the language has the table of functions") {
  CHECK(testing::golden_section("docs/language.md", "functions", table()) == table());
}
