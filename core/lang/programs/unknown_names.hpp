// SPDX-License-Identifier: BSD-3-Clause
// Why a name of a text of many statements has no value where it is used: it is bound further down, it is used in its own expression, or it
// is a misspelled one. For a name whose own statement is refused see name_table.hpp.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/error.hpp"
#include "core/lang/statements/statements.hpp"

namespace tessera {

class UnknownNames {
 public:
  explicit UnknownNames(const std::vector<Statement>& statements);

  // Its names stand above what follows, with a value or without one.
  void stand_above(const Statement& statement);
  // `name` is what the refused statement does not know. `mends_notes`: the error says no more than that it is not known.
  void explain(Error& error, const std::string& name, std::size_t number, bool mends_notes);

 private:
  std::vector<std::string> near_names(const std::string& name);

  std::unordered_map<std::string, std::size_t> last_places_;  // where a name is bound for the last time
  std::vector<std::string> above_;                            // names in the order in which they were bound
  std::size_t compared_ = 0;
};

}  // namespace tessera
