// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/programs/snippet_parts.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/characters.hpp"
#include "core/lang/builtins/builtins.hpp"
#include "core/lang/eval/own_names.hpp"
#include "core/lang/programs/likely.hpp"
#include "core/lang/values/value_size.hpp"

namespace tessera {

thread_local constinit int NestedText::count_ = 0;

std::int64_t kept_bytes(const StatementAnswer& answer) {
  constexpr std::int64_t kLeafBytes = 64;
  const auto of_error = [](const Error& error) {
    std::int64_t bytes = sizeof(Error) + static_cast<std::int64_t>(error.message.size());
    for (const std::string& note : error.notes) bytes += static_cast<std::int64_t>(sizeof(std::string) + note.size());
    return bytes;
  };
  std::int64_t bytes = sizeof(StatementAnswer);
  for (const Error& warning : answer.warnings) bytes += of_error(warning);
  for (const auto& [name, value] : answer.values) bytes += bytes_of_copy(value) + kLeafBytes * leaf_count(value);
  return answer.refused ? bytes + of_error(*answer.refused) : bytes;
}

std::vector<Error> hidden_names(std::string_view text, const Statement& statement) {
  std::vector<Error> warnings;
  const bool is_function = statement.kind == Statement::Kind::function;
  for (const std::string& name : statement.names) {
    const bool calls = find_builtin(name) || (is_function && names_a_figure(name));
    if (!calls && (name.size() < 2 || !is_own_name(name))) continue;  // X is a word of CuTe's, and a letter for everything else
    const std::size_t at = text.find(name, statement.span.begin);
    warnings.push_back({ErrorCode::already_exists,
                        fmt::format("this binding hides {} {}", calls ? "the function" : "what the language calls", name),
                        SourceSpan{at, at + name.size()},
                        {find_builtin(name) ? fmt::format("cute::{}(...) is still the function", name)
                                            : fmt::format("below this line {} is what it binds", name)}});
  }
  return warnings;
}

bool changes_with_elements(const Value& value) {
  return !(std::holds_alternative<Tensor>(value.any) || std::holds_alternative<Pointer>(value.any) ||
           std::holds_alternative<Layout>(value.any) || std::holds_alternative<ComposedLayout>(value.any));
}

bool changes_in_place(const Value& value, Dialect dialect) {
  if (dialect == Dialect::cpp) return changes_with_elements(value);
  const auto* tuple = std::get_if<IntTuple>(&value.any);
  const bool is_list = (tuple && tuple->is_tuple()) || std::holds_alternative<std::shared_ptr<const ValueList>>(value.any) ||
                       std::holds_alternative<std::shared_ptr<const UserFunction>>(value.any) || std::holds_alternative<Tiler>(value.any);
  return is_list;
}

std::string without_specifiers(std::string type) {
  for (const std::string_view word : {"alignas(", "__align__(", "CUTE_ALIGNAS("}) {  // up to its bracket and the blank behind it
    for (std::size_t at = type.find(word); at != std::string::npos; at = type.find(word))
      type.erase(at, std::min(type.find(')', at), type.size() - 1) - at + 1);
  }
  for (const std::string_view word : {"static ", "constexpr ", "const ", "volatile ", "inline ", "typename ", "__shared__ ", "extern "}) {
    for (std::size_t at = type.find(word); at != std::string::npos; at = type.find(word)) type.erase(at, word.size());
  }
  return std::string(trimmed(type));
}

const StatementAnswer* SnippetAnswer::last() const {
  const StatementAnswer* bound = nullptr;
  for (auto each = statements.rbegin(); each != statements.rend(); ++each) {
    if (each->values.empty() && !each->refused) continue;
    if (each->statement.kind == Statement::Kind::show) return &*each;
    if (!bound) bound = &*each;
  }
  return bound;
}

Error needs_values(const std::vector<std::string>& symbols) {
  const std::string& first = symbols.front();
  Error error{ErrorCode::unknown_name, fmt::format("a figure is drawn of values, and {} has none", first), {}, {}};
  const std::vector<const Likely*> likely = likely_values(first);
  error.notes.push_back(fmt::format("write let {} = {} above it", first, likely.empty() ? "..." : std::string(likely.front()->text)));
  error.missing = first;
  return error;
}

}  // namespace tessera
