// SPDX-License-Identifier: BSD-3-Clause
// What the pages say in running text: no command hides from those that are run, options and links are there, and nothing is left without a
// page.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/gemm/spec_fields.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/page.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/source_dir.hpp"

using namespace tessera::test;
using tessera::testing::read_file;
namespace fs = std::filesystem;

namespace {

std::map<std::string, std::vector<PagePart>> all_pages() {
  std::map<std::string, std::vector<PagePart>> pages{{"README.md", parts_of(read_file(source_dir() + "/README.md"))}};
  for (const auto& entry : fs::directory_iterator(source_dir() + "/docs")) {
    if (entry.path().extension() != ".md") continue;
    pages["docs/" + entry.path().filename().string()] = parts_of(read_file(entry.path().string()));
  }
  return pages;
}

std::string running_text(const std::vector<PagePart>& parts) {
  std::string text;
  for (const PagePart& part : parts) text += part.fenced ? "" : part.text;
  return text;
}

bool is_command(const std::string& line) {
  const std::string words = line.rfind("$ ", 0) == 0 ? line.substr(2) : line;
  return words.rfind("tessera ", 0) == 0 || words.rfind("tessera-studio ", 0) == 0 || words.rfind("./dev ", 0) == 0;
}

// The help of "gemm show", with the help of "gemm" before it; empty where there is no such subcommand.
const std::string& help_of(const std::string& words) {
  static std::map<std::string, std::string> kept;
  const auto [at, is_new] = kept.emplace(words, "");
  if (is_new) {
    const Run run = shell("tessera " + words + " --help");
    if (run.code == 0) at->second = run.out;
  }
  return at->second;
}

// "tessera gemm show NAME --set a=b" -> the subcommands "gemm show" and the options {"--set"}.
struct Spoken {
  std::string subcommand;
  std::vector<std::string> options;
};
Spoken spoken(const std::string& command) {
  Spoken said;
  std::istringstream words(command.substr(std::string("tessera ").size()));
  bool begins = true;
  for (std::string word; words >> word;) {
    if (word.rfind("--", 0) == 0) {
      said.options.push_back(word.substr(0, word.find_first_of("=,.;)")));
      begins = false;
    } else if (begins && std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::islower(c) || c == '-'; }) &&
               (said.subcommand.empty() || has(help_of(said.subcommand), "\n  " + word + " "))) {
      said.subcommand += (said.subcommand.empty() ? "" : " ") + word;
    } else {
      begins = false;
    }
  }
  return said;
}

// "## I have an error" -> "i-have-an-error", as GitHub does it.
std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (const char c : heading) {
    if (c == ' ') anchor += '-';
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_') anchor += static_cast<char>(std::tolower(c));
  }
  return anchor;
}

std::set<std::string> anchors_of(const std::string& path) {
  std::set<std::string> anchors;
  for (const PagePart& part : parts_of(read_file(path))) {
    for (const std::string& line : lines_of(part.fenced ? "" : part.text)) {
      if (line.rfind('#', 0) == 0) anchors.insert(anchor_of(line.substr(line.find_first_not_of('#') + 1)));
    }
  }
  return anchors;
}

// What stands in backticks in the first column of a page's tables.
std::set<std::string> first_cells(const std::string& page) {
  std::set<std::string> words;
  for (const std::string& line : lines_of(running_text(parts_of(read_file(source_dir() + "/" + page))))) {
    const std::vector<std::string> cells = cells_in(line);
    if (cells.empty()) continue;
    for (const std::string& code : code_in(cells[0])) words.insert(code);
  }
  return words;
}

}  // namespace

TEST_CASE("a command stands in a block that is run, and nowhere else", "[pages]") {
  for (const auto& [name, parts] : all_pages()) {
    for (const PagePart& part : parts) {
      const bool runs = part.language() == "console" || part.language() == "sh";
      std::size_t number = part.line;
      for (const std::string& line : lines_of(part.text)) {
        INFO(name << ":" << number++ << ": " << line);
        if (!part.fenced || !runs) CHECK_FALSE(is_command(line));
        if (part.fenced && part.language() == "sh") CHECK((is_command(line) || line.empty() || line.front() == '#'));
      }
    }
  }
}

TEST_CASE("commands and options that running text names are those of the program", "[pages]") {
  int checked = 0;
  for (const auto& [name, parts] : all_pages()) {
    for (const std::string& code : code_in(running_text(parts))) {
      if (code.rfind("tessera ", 0) != 0) continue;
      const Spoken said = spoken(code);
      INFO(name << ": " << code);
      if (!said.subcommand.empty()) CHECK_FALSE(help_of(said.subcommand).empty());
      for (const std::string& option : said.options)
        CHECK((option == "--help" || option == "--version" || has(help_of(said.subcommand), option)));
      ++checked;
    }
  }
  CHECK(checked > 20);
}

TEST_CASE("links of the pages lead to files, and to headings that are there", "[pages]") {
  for (const auto& [name, parts] : all_pages()) {
    for (const Link& link : links_in(running_text(parts))) {
      INFO(name << ": " << link.path);
      const std::size_t sharp = std::min(link.path.find('#'), link.path.size());
      const std::string file = sharp == 0 ? name : (fs::path(name).parent_path() / link.path.substr(0, sharp)).lexically_normal().string();
      CHECK(fs::exists(source_dir() + "/" + file));
      if (sharp < link.path.size()) CHECK(anchors_of(source_dir() + "/" + file).count(link.path.substr(sharp + 1)) == 1);
    }
  }
}

TEST_CASE("every page is in the index, and every picture in a page", "[pages]") {
  std::set<std::string> linked, shown;
  for (const auto& [name, parts] : all_pages()) {
    for (const Link& link : links_in(running_text(parts))) {
      const std::string file = (fs::path(name).parent_path() / link.path.substr(0, link.path.find('#'))).lexically_normal().string();
      if (link.image) shown.insert(file);
      if (name == "docs/README.md") linked.insert(file);
    }
  }
  for (const auto& [name, parts] : all_pages()) {
    INFO(name);
    if (name != "README.md" && name != "docs/README.md") CHECK(linked.count(name) == 1);
  }
  for (const auto& entry : fs::directory_iterator(source_dir() + "/docs/images")) {
    INFO(entry.path());
    CHECK(shown.count("docs/images/" + entry.path().filename().string()) == 1);
  }
}

TEST_CASE("the page on errors has a row for every rule", "[pages]") {
  const std::set<std::string> rows = first_cells("docs/errors.md");
  for (int code = 0; code <= static_cast<int>(tessera::ErrorCode::corrupt); ++code)
    CHECK(rows.count(std::string(to_string(static_cast<tessera::ErrorCode>(code)))) == 1);
}

// "| `rule` | `expression` | confusion |"
TEST_CASE("what the page on errors says of a confusion is what the program says of its example", "[pages]") {
  std::set<std::string> met;
  for (const std::string& line : lines_of(running_text(parts_of(read_file(source_dir() + "/docs/errors.md"))))) {
    const std::vector<std::string> cells = cells_in(line);
    if (cells.size() != 3 || !has(cells[2], "confusions.md#")) continue;
    const std::vector<std::string> rule = code_in(cells[0]), example = code_in(cells[1]);
    INFO(line);
    REQUIRE((rule.size() == 1 && example.size() == 1));
    const Run run = shell("tessera eval '" + example[0] + "'");
    CHECK(has(run.err, rule[0] + ": "));
    met.insert(cells[2]);
  }
  CHECK(met.size() >= 12);
}

TEST_CASE("the page on confusions answers those of the list, each with a command or a picture, a lesson and a row of its table",
          "[pages]") {
  const std::set<std::string> lessons = [] {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(source_dir() + "/assets/lessons"))
      names.insert(entry.path().filename().string().substr(0, entry.path().filename().string().find('.')));
    return names;
  }();
  int sections = 0;
  std::string heading, words;
  bool shows = true;
  const auto section_ends = [&] {
    INFO(heading);
    CHECK(shows);
    int deeper = 0;
    for (const std::string& code : code_in(words)) deeper += static_cast<int>(lessons.count(code));
    CHECK((heading.empty() || deeper >= 1));
  };
  for (const PagePart& part : parts_of(read_file(source_dir() + "/docs/confusions.md"))) {
    if (part.fenced) {
      shows = shows || part.language() == "console";
      continue;
    }
    for (const std::string& line : lines_of(part.text)) {
      if (line.rfind("## ", 0) == 0) {
        section_ends();
        heading = line, words.clear(), shows = false;
        CHECK(line.rfind(fmt::format("## {} ", ++sections), 0) == 0);
      }
      words += line + "\n";
    }
  }
  section_ends();
  CHECK(sections == 20);
  std::set<std::string> numbers;
  for (const std::string& line : lines_of(running_text(parts_of(read_file(source_dir() + "/docs/writing_a_lesson.md")))))
    if (const std::vector<std::string> cells = cells_in(line); cells.size() == 2 && std::isdigit(static_cast<unsigned char>(cells[0][0])))
      numbers.insert(cells[0]);
  CHECK(numbers.size() == 20);
}

TEST_CASE("the page on GEMMs has a row for every field, with what is taken where it is left out", "[pages]") {
  const std::vector<std::string> lines = lines_of(running_text(parts_of(read_file(source_dir() + "/docs/gemm.md"))));
  const tessera::GemmSpec nothing_said;
  for (const tessera::SpecField& field : tessera::spec_fields()) {
    INFO(field.name);
    const auto row = std::find_if(lines.begin(), lines.end(),
                                  [&](const std::string& line) { return line.rfind(fmt::format("| `{}` |", field.name), 0) == 0; });
    REQUIRE(row != lines.end());
    const std::string otherwise = field.otherwise.empty() ? text_of(field, nothing_said) : std::string(field.otherwise);
    const std::vector<std::string> cells = cells_in(*row);
    REQUIRE(cells.size() >= 3);
    if (field.required)
      CHECK(cells[1] == "required");
    else if (!otherwise.empty())
      CHECK(cells[1] == "`" + otherwise + "`");
    else
      CHECK(cells[1] == "chosen");
  }
}

TEST_CASE("the page on the command line has a row for every subcommand", "[pages]") {
  const std::set<std::string> rows = first_cells("docs/cli.md");
  int subcommands = 0;
  bool inside = false;
  for (const std::string& line : lines_of(shell("tessera --help").out)) {
    if (line.empty()) inside = false;
    if (inside && line.rfind("  ", 0) == 0 && line.size() > 2 && line[2] != ' ') {
      const std::string word = line.substr(2, line.find(' ', 2) - 2);
      INFO(word);
      CHECK(rows.count("tessera " + word) == 1);
      ++subcommands;
    }
    inside = inside || has(line, "ubcommands");
  }
  CHECK(subcommands >= 10);
}
