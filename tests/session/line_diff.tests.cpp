// SPDX-License-Identifier: BSD-3-Clause
// A difference tells both texts, and no more than what differs.
#include "app/session/line_diff.hpp"

#include <random>

#include "tests/support/catch.hpp"

using namespace tessera;
using Kind = DiffLine::Kind;

namespace {

std::string side(const std::vector<DiffLine>& diff, Kind kind) {
  std::string text;
  for (const DiffLine& line : diff) text += line.kind == Kind::same || line.kind == kind ? line.text : "";
  return text;
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
