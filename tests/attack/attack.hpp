// SPDX-License-Identifier: BSD-3-Clause
// What the attacks share: random layouts, asking the language, and a tally of what was silently wrong and what was warned of for nothing.
//
// TESSERA_ATTACK_FACTOR=20 makes every attack twenty times as long, TESSERA_ATTACK_SEED=7 makes it another one.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/attack/model.hpp"

namespace tessera::attack {

int factor();

class Dice {
 public:
  explicit Dice(unsigned salt);  // the same every time, unless TESSERA_ATTACK_SEED says otherwise

  Int up_to(Int most) { return static_cast<Int>(engine_() % static_cast<std::uint64_t>(most + 1)); }  // 0 .. most
  Int between(Int least, Int most) { return least + up_to(most - least); }
  bool one_in(Int n) { return up_to(n - 1) == 0; }
  template <class T>
  const T& of(const std::vector<T>& choices) {
    return choices[static_cast<std::size_t>(up_to(static_cast<Int>(choices.size()) - 1))];
  }
  Int of(std::initializer_list<Int> choices) { return choices.begin()[up_to(static_cast<Int>(choices.size()) - 1)]; }

 private:
  std::mt19937_64 engine_;
};

// Strides from a set that makes accidents likely; some negative where that is asked for.
enum class Signs { positive, any };
Plain wild_layout(Dice& dice, int most_modes = 3, Signs signs = Signs::positive);
Plain compact_layout(Dice& dice, int most_modes = 4);  // a bijection onto 0 .. size-1, its modes in any order
Plain some_layout(Dice& dice);                         // the one or the other
Bits some_swizzle(Dice& dice);
Function swizzled(const Bits& swizzle, Int offset, Plain layout);
Function plain(Plain layout);

// What the language says to one expression.
struct Answer {
  bool refused = false;
  std::string text;                   // of the value, or the refusal's message
  std::string code;                   // of the refusal
  std::vector<std::string> warnings;  // their messages
};
Answer ask(const std::string& expression);

// Whether a value satisfies its law. `open`: the definitions do not say, or what was asked has no meaning; both answers are allowed.
enum class Verdict { right, wrong, open };

class Tally {
 public:
  // The answer to `expression`, and what its value is worth by the law. A refusal is weighed with `cutes`: the verdict of what CuTe
  // gives, or `open` where CuTe refuses too or nobody can say.
  void count(const std::string& operation, const std::string& expression, const Answer& answer, Verdict verdict,
             Verdict cutes = Verdict::open);
  // Checks that nothing was silently wrong, warned of for nothing or refused for nothing, and prints the table.
  void report(const std::string& title) const;

 private:
  struct Row {
    int calls = 0, right = 0, refused = 0, warned = 0, silent = 0, false_warnings = 0, false_refusals = 0;
  };
  std::map<std::string, Row> rows_;
  std::vector<std::string> findings_;
};

}  // namespace tessera::attack
