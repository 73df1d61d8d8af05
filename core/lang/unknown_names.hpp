// SPDX-License-Identifier: BSD-3-Clause
// Why a name of a text of many statements has no value where it is used: its own statement is refused, it is bound further down, it is used
// in its own expression, or it is a misspelled one.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/error.hpp"
#include "core/lang/statements.hpp"

namespace tessera {

class UnknownNames {
 public:
  explicit UnknownNames(const std::vector<Statement>& statements);

  // Its names have a value now, or the reason why they have none.
  void bound(const Statement& statement);
  void failed(const Statement& statement, const std::string& reason);
  // `name` is what the refused statement does not know. `mends_notes`: the error says no more than that it is not known.
  void explain(Error& error, const std::string& name, std::size_t number, bool mends_notes);

 private:
  std::vector<std::string> near_names(const std::string& name);

  std::unordered_map<std::string, std::size_t> last_places_;  // where a name is bound for the last time
  std::unordered_map<std::string, std::string> failed_;       // names without a value, and why
  std::vector<std::string> above_;                            // names in the order in which they were bound
  std::size_t compared_ = 0;
};

}  // namespace tessera
