// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/programs/spec_text.hpp"

#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/lang/builtins/spec_values.hpp"
#include "core/lang/programs/evaluate.hpp"

namespace tessera {

Status set_field(GemmSpec& spec, const SpecField& field, std::string_view text, const Scope& scope) {
  const auto named = [&](Error error) {
    if (!error.message.starts_with(field.name)) error.message = fmt::format("{}: {}", field.name, error.message);
    error.span.reset();  // it counts within the value
    return error;
  };
  Result<Value> value = is_own_word(field, text) ? Result<Value>(Value{std::string(text)}) : evaluate(text, scope);
  if (!value && takes_words(field) && (value.error().code == ErrorCode::unknown_name || value.error().code == ErrorCode::parse))
    value = Value{std::string(text)};  // perhaps a misspelled word: the field knows which it has
  if (!value) return named(std::move(value).error());
  if (Status set = set_field(spec, field, *value); !set) return named(std::move(set).error());
  return Done{};
}

}  // namespace tessera
