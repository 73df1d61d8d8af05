// SPDX-License-Identifier: BSD-3-Clause
// A seed draws the same everywhere, and what is drawn is spread evenly.
#include "core/lesson/draws.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "tests/lesson/asks.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;
using namespace tessera::lesson;
using tessera::lesson::testing::OneAsk;

namespace {

std::string drawn_text(const OneAsk& one, std::uint64_t seed) {
  std::string made;
  for (const auto& [name, value] : one.question(seed).names) made += name + "=" + to_string(value) + " ";
  return made;
}

}  // namespace

TEST_CASE("a seed draws what it drew when these numbers were written down") {
  // From the definition of SplitMix64, computed apart from this program.
  Draws draws("forwards", 3, 0);
  CHECK(draws.next() == 0xc9288f2f735c4bbu);
  CHECK(draws.next() == 0x51f39d6604e53bbau);
  CHECK(Draws("forwards", 4, 0).next() != Draws("forwards", 3, 0).next());
  CHECK(Draws("backwards", 3, 0).next() != Draws("forwards", 3, 0).next());
  CHECK(Draws("forwards", 3, 1).next() != Draws("forwards", 3, 0).next());
}

TEST_CASE("every value of a range and of a tuple is drawn, each about as often") {
  const OneAsk one("kind: integer\ndraw: M in (4,8,16), t in 0..7, N = 8\nprompt: {{M}} {{t}} {{N}}?\nanswer: t");
  std::map<std::string, int> of_m, of_t;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Question question = one.question(seed);
    REQUIRE(question.names.size() == 3);
    ++of_m[to_string(question.names[0].second)];
    ++of_t[to_string(question.names[1].second)];
    CHECK(to_string(question.names[2].second) == "8");
  }
  CHECK(of_m.size() == 3);
  CHECK(of_t.size() == 8);
  for (const auto& [value, times] : of_m) CHECK((times > 270 && times < 400));
  for (const auto& [value, times] : of_t) CHECK((times > 85 && times < 165));
}

TEST_CASE("below(n) has no favourites and no number beyond") {
  Draws draws("x", 0, 0);
  std::array<int, 3> times{};
  for (int i = 0; i < 3000; ++i) ++times.at(draws.below(3));
  for (const int each : times) CHECK((each > 900 && each < 1100));
  CHECK(draws.below(1) == 0);
}

TEST_CASE("draws use what was drawn before, tuples hold any values, and commas inside of brackets part nothing") {
  const OneAsk one(
      "kind: integer\ndraw: W in (2,4), t in 0..W - 1, L in ((4,8):(8,1), Sw<1,2,1> o 0 o (4,8):(8,1)), k = max(W,3)  # said\n"
      "let: f(m, n) = m*n + W\nlet: x = f(2, t)\nprompt: {{L}} {{k}}\nanswer: x");
  std::set<std::string> layouts;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Question question = one.question(seed);
    CHECK(std::get<IntTuple>(question.names[1].second.any).value() < std::get<IntTuple>(question.names[0].second.any).value());
    layouts.insert(to_string(question.names[2].second));
  }
  CHECK(layouts.size() == 2);
  CHECK(drawn_text(one, 5) == drawn_text(one, 5));
}

TEST_CASE("draws that cannot be made are refused at their place") {
  const auto refused = [](const std::string& draw) {
    return OneAsk("kind: integer\ndraw: " + draw + "\nprompt: What?\nanswer: 1").refusal();
  };
  CHECK(refused("M of (4,8)") == "line 12, column 7: \"M of (4,8)\" draws nothing");
  CHECK(refused("M in 8..4") == "line 12, column 12: 8..4 has no values: it ends before it begins");
  CHECK(refused("M in (4,8), M in (1,2)") == "line 12, column 24: M is drawn twice");
  CHECK(refused("M in").find("nothing is said of what M is") != std::string::npos);
  CHECK(refused("size in (1,2)").find("the language has this name") != std::string::npos);
  CHECK(refused("M in 0..nowhere").find("line 12, column 15") == 0);
}

TEST_CASE("draws whose wrong answers coincide are made again, and so are those that do not meet the condition") {
  const OneAsk one("kind: integer\ndraw: a in 0..3, b in 0..3\nprompt: {{a}} {{b}}\nanswer: a\nwrong: b -> Not b.\nwrong: 3 -> Not 3.");
  std::uint64_t again = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Question question = one.question(seed);
    const auto value = [&](std::size_t i) { return std::get<IntTuple>(question.names[i].second.any).value(); };
    CHECK(value(0) != value(1));
    CHECK(value(0) != 3);
    CHECK(value(1) != 3);
    again += question.drawn_again;
  }
  CHECK(again > 100);
  const OneAsk even("kind: integer\ndraw: a in 0..9\nwhere: a % 2 == 0\nprompt: {{a}}\nanswer: a");
  for (std::uint64_t seed = 0; seed < 50; ++seed) CHECK(std::get<IntTuple>(even.question(seed).wanted.any).value() % 2 == 0);
}

TEST_CASE("a question of which no draw is of use says so, and does not look for ever") {
  const OneAsk same("kind: integer\ndraw: a in 0..3\nprompt: {{a}}\nanswer: a\nwrong: a -> No.");
  CHECK(same.refusal().find("line 15, column 8: this wrong answer, ") == 0);
  CHECK(same.refusal().find("is right") != std::string::npos);
  const OneAsk never("kind: integer\ndraw: a in 0..3\nwhere: a > 5\nprompt: {{a}}\nanswer: a");
  CHECK(never.refusal() == "line 13, column 8: this holds in none of 64 draws of seed 0");
  const OneAsk fixed("kind: integer\nprompt: What?\nanswer: 1 + 1\nwrong: 2 -> No.");
  CHECK(fixed.refusal() == "line 14, column 8: this wrong answer, 2, is right");
  const OneAsk twice("kind: integer\nprompt: What?\nanswer: 1\nwrong: 2 -> No.\nwrong: 3 - 1 -> Never.");
  CHECK(twice.refusal() == "line 15, column 8: this wrong answer, 2, is another one's, too");
}
