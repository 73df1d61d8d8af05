// SPDX-License-Identifier: BSD-3-Clause
// A difference tells both texts, and no more than what differs.
#include "app/session/files/line_diff.hpp"

#include <algorithm>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"

using namespace tessera;
using Kind = DiffLine::Kind;

namespace {

std::string side(const std::vector<DiffLine>& diff, Kind kind) {
  std::string text;
  for (const DiffLine& line : diff) text += line.kind == Kind::same || line.kind == kind ? line.text : "";
  return text;
}

// The most lines that can stay, by trying both ways at each difference.
std::size_t most_common(std::span<const std::string> a, std::span<const std::string> b) {
  if (a.empty() || b.empty()) return 0;
  if (a.front() == b.front()) return 1 + most_common(a.subspan(1), b.subspan(1));
  return std::max(most_common(a.subspan(1), b), most_common(a, b.subspan(1)));
}

std::size_t kept(const std::vector<DiffLine>& diff) {
  return static_cast<std::size_t>(std::count_if(diff.begin(), diff.end(), [](const DiffLine& line) { return line.kind == Kind::same; }));
}

}  // namespace

TEST_CASE("a changed line is removed and added, and the lines around it stay") {
  const std::vector<DiffLine> expected = {{Kind::same, "a\n"}, {Kind::removed, "b\n"}, {Kind::added, "B\n"}, {Kind::same, "c"}};
  CHECK(line_diff("a\nb\nc", "a\nB\nc") == expected);
  CHECK(line_diff("a\n", "a\n") == std::vector<DiffLine>{{Kind::same, "a\n"}});
  CHECK(line_diff("a", "a\n") == std::vector<DiffLine>{{Kind::removed, "a"}, {Kind::added, "a\n"}});
  CHECK(line_diff("", "").empty());
}

TEST_CASE("the lines of a difference make both texts, whatever they are") {
  std::mt19937 random(3);
  const auto text = [&](int lines) {
    std::string made;
    for (int i = 0; i < lines; ++i) made += std::string(1, static_cast<char>('a' + random() % 4)) + (random() % 9 ? "\n" : "");
    return made;
  };
  for (int round = 0; round < 500; ++round) {
    const std::string from = text(static_cast<int>(random() % 30)), to = text(static_cast<int>(random() % 30));
    const std::vector<DiffLine> diff = line_diff(from, to);
    CHECK(side(diff, Kind::removed) == from);
    CHECK(side(diff, Kind::added) == to);
  }
  const std::string from = text(9000), to = text(9000);  // too large to look for what is common
  const std::vector<DiffLine> diff = line_diff(from, to);
  CHECK(side(diff, Kind::removed) == from);
  CHECK(side(diff, Kind::added) == to);
}

TEST_CASE("as many lines stay as can, and of a change the removed lines stand first") {
  std::mt19937 random(8);
  const auto lines = [&] {
    std::vector<std::string> made(random() % 9);
    for (std::string& line : made) line = std::string(1, static_cast<char>('a' + random() % 3)) + "\n";
    return made;
  };
  const auto joined = [](const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) text += part;
    return text;
  };
  for (int round = 0; round < 500; ++round) {
    const std::vector<std::string> from = lines(), to = lines();
    const std::vector<DiffLine> diff = line_diff(joined(from), joined(to));
    INFO(joined(from) << "--\n" << joined(to));
    REQUIRE(kept(diff) == most_common(from, to));
  }
  const std::vector<DiffLine> turned = line_diff("a\nb\n", "b\na\n");
  CHECK(turned == std::vector<DiffLine>{{Kind::removed, "a\n"}, {Kind::same, "b\n"}, {Kind::added, "a\n"}});
}

TEST_CASE("common lines are looked for in texts of up to 2048 by 2048 lines that differ") {
  const auto text = [](char name, int lines) {
    std::string made;
    for (int i = 0; i < lines; ++i) made += i == lines / 2 ? "common\n" : name + std::to_string(i) + "\n";
    return made;
  };
  CHECK(kept(line_diff(text('a', 2048), text('b', 2048))) == 1);
  CHECK(kept(line_diff(text('a', 2048), text('b', 2049))) == 0);
  CHECK(kept(line_diff(text('a', 2049), text('b', 2048))) == 0);
}

TEST_CASE("lines before and behind a change stay, however many they are") {
  std::string before, behind;
  for (int i = 0; i < 5000; ++i) before += "before " + std::to_string(i) + "\n", behind += "behind " + std::to_string(i) + "\n";
  for (const auto& [from, to] : {std::pair{"old\n", "new\n"}, {"old\n", ""}, {"", "new\n"}}) {
    for (const auto& [first, last] : {std::pair{before, behind}, {before, std::string()}, {std::string(), behind}}) {
      const std::vector<DiffLine> diff = line_diff(first + from + last, first + to + last);
      CHECK(kept(diff) == (first.empty() || last.empty() ? 5000 : 10000));
      CHECK(side(diff, Kind::removed) == first + from + last);
      CHECK(side(diff, Kind::added) == first + to + last);
    }
  }
}
