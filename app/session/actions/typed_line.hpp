// SPDX-License-Identifier: BSD-3-Clause
// A line that a person has typed to have a new binding: which action it asks for, and whether it would be refused.
//
//   x = (4,8):(8,1)         a binding of that name
//   let x = (4,8):(8,1)     the same
//   (4,8):(8,1)             a binding whose name is guessed
//   auto x = Layout<_8>{};  a line of another language, as it is
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/session/actions/actions.hpp"

namespace tessera {

struct TypedLine {
  std::string_view action;  // binding.add or text.paste
  Arguments arguments;
};

// The two sides of `name = expression` and `let name = expression` as they were written; nothing of all else.
struct NamedExpression {
  std::string name, expression;
};
std::optional<NamedExpression> split_line(std::string_view text);

// Refuses what would bring lines that cannot be read, and what the action refuses.
Result<TypedLine> read_typed_line(const Session& session, std::string_view text);

}  // namespace tessera
