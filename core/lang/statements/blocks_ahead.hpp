// SPDX-License-Identifier: BSD-3-Clause
// What stands further down in the blocks that are being walked through: where each one ends, and what is assigned before that. A loop's
// statements are read once and run often.
//
//   int a = 5;
//   for (...) {
//     int b = a;   // 5 in the first round; line 4 assigns a, so that another value is possible
//     a = 0;
//   }
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/lang/statements/statements.hpp"

namespace tessera {

class BlocksAhead {
 public:
  explicit BlocksAhead(const std::vector<Statement>& statements);

  // Of the block that statement `number` enters: the number of the statement that leaves it. All that are left, where none does.
  std::size_t end_of(std::size_t number) const { return ends_[number]; }

  void enter(std::size_t number, const Statement& statement);
  void leave();

  // A block around this place that runs more than once, which began behind statement `bound` and assigns the name somewhere.
  struct Again {
    std::size_t line = 0;  // where the name is assigned; 0 when it is not
    std::string_view reason;
  };
  Again assigned_again(const std::string& name, std::size_t bound) const;

 private:
  struct Assignment {
    std::size_t number = 0, line = 0;
  };
  struct Open {
    std::size_t begin = 0;
    std::string reason;  // empty: it runs once
  };
  std::vector<std::size_t> ends_;
  std::unordered_map<std::string, std::vector<Assignment>> assignments_;  // in order
  std::vector<Open> open_;                                                // outermost first
};

}  // namespace tessera
