// SPDX-License-Identifier: BSD-3-Clause
// Lines of emitted text: what is broken where, and that nothing gets lost.
#include "kernels/codegen/lines.hpp"

#include <algorithm>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

std::string without_blanks(std::string_view text) {
  std::string kept;
  for (const char c : text) {
    if (c != ' ' && c != '\n') kept += c;
  }
  return kept;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// Words of one to twelve letters, now and then a literal, with commas and signs between them.
std::string some_code(std::mt19937& random, std::size_t words) {
  std::string text;
  for (std::size_t i = 0; i < words; ++i) {
    const std::string word(1 + random() % 12, static_cast<char>('a' + random() % 26));
    const char* const between[] = {", ", " + ", " ", "", " = ", "(", ")", " : "};
    text += (i ? between[random() % 8] : "") + (random() % 9 == 0 ? "\"" + word + " " + word + "\"" : word);
  }
  return text;
}

}  // namespace

TEST_CASE("a line of code keeps its words, is broken only where it is too long, and never inside a literal") {
  using emitting::kColumns;
  std::mt19937 random(5);
  for (int i = 0; i < 4000; ++i) {
    const int depth = static_cast<int>(random() % 4);
    const std::size_t indent = 2 * static_cast<std::size_t>(depth);
    const std::string code = some_code(random, 1 + random() % 40), comment = random() % 2 ? some_code(random, 1 + random() % 12) : "";
    emitting::Lines lines(depth);
    lines.add(code, comment);
    const std::vector<std::string> made = lines_of(lines.text());
    INFO(code << "  // " << comment << "\n" << lines.text());
    const bool together = indent + code.size() + 4 + comment.size() < kColumns;
    if (comment.empty())
      CHECK(without_blanks(lines.text()) == without_blanks(code));
    else if (together)
      CHECK(lines.text() == std::string(indent, ' ') + code + "  // " + comment + "\n");
    else
      CHECK(lines.text().starts_with(std::string(indent, ' ') + "// " + comment.substr(0, 10)));
    std::vector<std::string> said;  // the code's lines
    for (const std::string& line : made) {
      if (!line.substr(indent).starts_with("// ")) said.push_back(line);
    }
    if (indent + code.size() <= kColumns) CHECK(said.size() == 1);
    for (std::size_t at = 0; at < said.size(); ++at) {
      CHECK(said[at].substr(0, indent + (at > 0 ? 4 : 0)) == std::string(indent + (at > 0 ? 4 : 0), ' '));
      CHECK(std::count(said[at].begin(), said[at].end(), '"') % 2 == 0);
      if (said[at].size() > kColumns) CHECK(said[at].find_first_of(", +:=", indent + 4) != std::string::npos);
      // A break that is not needed: the first word of the next line, up to its own break, would still have stood here.
      if (at == 0 || said.size() > 2) continue;
      CHECK(said[0].size() + 1 + said[1].size() - indent - 4 > kColumns);
    }
  }
  emitting::Lines lines(1);
  lines.add("");
  lines.add("", "why");
  CHECK(lines.text() == "\n  // why\n");
}

TEST_CASE("a comment is broken at blanks, or after a comma where there are none, and every line but its first hangs") {
  using emitting::kColumns;
  std::mt19937 random(6);
  for (int i = 0; i < 2000; ++i) {
    const int depth = static_cast<int>(random() % 4);
    const std::string hang(random() % 3 * 4, ' ');
    std::string text;
    for (std::size_t words = 1 + random() % 40; words > 0; --words)
      text += (text.empty() ? "" : random() % 30 ? " " : ",") + std::string(1 + random() % 12, static_cast<char>('a' + random() % 26));
    emitting::Lines lines(depth);
    lines.comment(text, hang);
    const std::vector<std::string> made = lines_of(lines.text());
    const std::string first = std::string(2 * static_cast<std::size_t>(depth), ' ') + "// ", other = first + hang;
    INFO(text << "\n" << lines.text());
    std::string again;
    for (std::size_t at = 0; at < made.size(); ++at) {
      const std::string& before = at == 0 ? first : other;
      CHECK(made[at].size() <= kColumns);
      REQUIRE(made[at].starts_with(before));
      const std::string words = made[at].substr(before.size());
      // The next word had no place here.
      if (at > 0) CHECK(made[at - 1].size() + 1 + words.substr(0, words.find(' ')).size() > kColumns);
      again += (at == 0 ? "" : " ") + words;
    }
    CHECK(again == text);
  }
  emitting::Lines lines(0);
  std::string layout;
  while (layout.size() < 150) layout += "1234567,";
  lines.comment(layout, "    ");
  CHECK(lines.text() == "// " + layout.substr(0, 104) + "\n//     " + layout.substr(104) + "\n");
}

TEST_CASE("comments of neighbouring lines stand below each other, as far as the columns reach") {
  CHECK(emitting::aligned("int a;  // one\nint abc;  // two\n") == "int a;    // one\nint abc;  // two\n");
  CHECK(emitting::aligned("int a;  // one\n  int abc;  // two\n") == "int a;  // one\n  int abc;  // two\n");  // another indent
  CHECK(emitting::aligned("int a;  // one\n\nint abc;  // two\n") == "int a;  // one\n\nint abc;  // two\n");
  CHECK(emitting::aligned("  // alone\nint abc;  // two\n") == "  // alone\nint abc;  // two\n");
  CHECK(emitting::aligned("int a;  // one\nint abc;\nint abcd;  // two") == "int a;  // one\nint abc;\nint abcd;  // two\n");
  for (std::size_t length = 40; length < 60; ++length) {
    const std::string code = std::string(60, 'x') + ";", comment = "  // " + std::string(length, 'y');
    const std::string text = "int a;" + comment + "\n" + code + "  // two\n";
    INFO(length);
    const bool fits = code.size() + 2 + comment.size() - 2 <= emitting::kColumns;
    CHECK(emitting::aligned(text) == (fits ? "int a;" + std::string(code.size() - 6, ' ') + comment + "\n" + code + "  // two\n" : text));
  }
}

TEST_CASE("a word of a text stands between what is no word, and comments are no text") {
  for (const char* text : {"k", "k + 1", "(k)", "a\n//\nk", "1 - k;", "x // y\n k", "_k k"}) CHECK(emitting::has_word(text, "k"));
  for (const char* text : {"", "kk", "_k", "k_", "k1", "1k", "// k", "a // b k", "a  // k\nb"}) CHECK_FALSE(emitting::has_word(text, "k"));
  CHECK(emitting::has_word("tAgA + k_tile", "k_tile"));
  CHECK_FALSE(emitting::has_word("k_tile", "tile"));
}
