// SPDX-License-Identifier: BSD-3-Clause
// A source includes the standard headers of the names that it uses: what another header happens to bring differs between compilers.
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/rules/source_tree.hpp"
#include "tests/rules/standard_names.hpp"
#include "tests/support/catch.hpp"

using namespace tessera::rules;

namespace {

std::vector<std::string> words_of(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

// name of namespace std -> headers, one of which a source that uses the name includes
const std::map<std::string, std::vector<std::string>>& headers_of_names() {
  static const auto table = [] {
    std::map<std::string, std::vector<std::string>> made;
    for (const StandardNames& row : kStandardNames) {
      for (const std::string& name : words_of(row.names)) made[name] = words_of(row.headers);
    }
    return made;
  }();
  return table;
}

std::set<std::string> standard_names_in(std::string_view code) {
  constexpr std::string_view kPrefix = "std::";
  const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  std::set<std::string> names;
  for (std::size_t at = code.find(kPrefix); at != std::string_view::npos; at = code.find(kPrefix, at + 1)) {
    if (at > 0 && (in_word(code[at - 1]) || code[at - 1] == ':')) continue;
    const std::size_t begin = at + kPrefix.size();
    std::size_t end = begin;
    while (end < code.size() && in_word(code[end])) ++end;
    if (end > begin) names.emplace(code.substr(begin, end - begin));
  }
  return names;
}

// Without the lines that stand in a string, such as those of a program that is written out.
std::string without_lines_in_strings(std::string_view text, std::string_view code) {
  std::string kept;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (code.substr(begin, end - begin).find_first_not_of(" \t") != std::string_view::npos) kept += text.substr(begin, end - begin);
    kept += '\n';
    begin = end + 1;
  }
  return kept;
}

// One line a name whose header is missing: "std::int64_t needs <cstdint>".
std::vector<std::string> missing_headers(std::string_view text) {
  const std::string code = code_only(text);
  std::set<std::string> included;
  for (const Include& include : includes(without_lines_in_strings(text, code))) {
    if (!include.ours) included.insert(include.name);
  }
  std::vector<std::string> missing;
  for (const std::string& name : standard_names_in(code)) {
    const auto row = headers_of_names().find(name);
    if (row == headers_of_names().end()) {
      missing.push_back("std::" + name + " has no row in tests/rules/standard_names.hpp");
      continue;
    }
    const std::vector<std::string>& headers = row->second;
    if (std::any_of(headers.begin(), headers.end(), [&](const std::string& header) { return included.contains(header); })) continue;
    missing.push_back("std::" + name + " needs <" + headers.front() + ">");
  }
  return missing;
}

}  // namespace

TEST_CASE("every source includes the standard headers of the names that it uses") {
  std::string wrong;
  std::size_t seen = 0;
  for (const char* top : {"core", "kernels", "app", "tests"}) {
    for (const std::string& file : sources(top)) {
      if (file.ends_with(".cuh")) continue;  // pasted into kernels, which have no standard headers
      const std::string text = read(root() / file);
      seen += standard_names_in(code_only(text)).size();
      for (const std::string& line : missing_headers(text)) wrong += file + ": " + line + "\n";
    }
  }
  INFO(wrong);
  CHECK(wrong.empty());
  CHECK(seen > 5000);
}

TEST_CASE("a source that leans on another header's includes is found, name by name") {
  constexpr std::string_view kLeaning =
      "#include <string>\n#include \"core/base/error.hpp\"\n"
      "std::vector<std::int64_t> f(std::string text);  // std::optional in a comment\n"
      "const char* g() { return \"std::map\"; }\nvoid h(std::size_t, mystd::set);\n";
  CHECK(missing_headers(kLeaning) == std::vector<std::string>{"std::int64_t needs <cstdint>", "std::vector needs <vector>"});
  CHECK(missing_headers("#include <cstdint>\n#include <vector>\n" + std::string(kLeaning)).empty());
  CHECK(missing_headers("const char* written = R\"(\n#include <vector>\n)\";\nstd::vector<int> v;\n") ==
        std::vector<std::string>{"std::vector needs <vector>"});
  CHECK(missing_headers("std::size_t n;") == std::vector<std::string>{"std::size_t needs <cstddef>"});
  CHECK(missing_headers("std::frobnicate();") == std::vector<std::string>{"std::frobnicate has no row in tests/rules/standard_names.hpp"});
}
