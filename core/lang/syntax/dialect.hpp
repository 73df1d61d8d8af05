// SPDX-License-Identifier: BSD-3-Clause
// Whose rules an expression follows where C++ and Python differ:
//
//                        C++                     Python                  ours
//   -7 % 3               -1                      2                       2
//   7 / 2                3                       3.5                     3
//   64 // 2              a comment               32                      32
//   5 & 3 == 3           5 & (3 == 3)            (5 & 3) == 3            (5 & 3) == 3
//   3 > 2 > 1            (3 > 2) > 1, false      3 > 2 and 2 > 1, true   as Python
//   3 and 5              true                    5                       5
//   010                  8                       no number               10
#pragma once

#include <cstdint>
#include <string_view>

namespace tessera {

enum class Dialect : std::uint8_t { ours, python, cpp };

// Names that only the DSL's programs have: cute., cutlass., self.
bool calls_dsl(std::string_view text);
Dialect dialect_of(std::string_view text);  // of all of it (language.hpp)

// What the expressions that this thread evaluates are written in.
Dialect current_dialect();
class DialectScope {
 public:
  explicit DialectScope(Dialect dialect);
  ~DialectScope();
  DialectScope(const DialectScope&) = delete;
  DialectScope& operator=(const DialectScope&) = delete;

 private:
  Dialect before_;
};

}  // namespace tessera
