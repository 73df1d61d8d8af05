// SPDX-License-Identifier: BSD-3-Clause
// SnippetRunner: sizeof of a class of C++ that the text defines, by its members.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/characters.hpp"
#include "core/base/checked.hpp"
#include "core/lang/eval/evaluate_expression.hpp"
#include "core/lang/programs/snippet_members.hpp"
#include "core/lang/programs/snippet_parts.hpp"
#include "core/lang/programs/snippet_runner.hpp"
#include "core/lang/statements/call_spans.hpp"
#include "core/lang/syntax/dialect.hpp"
#include "core/lang/syntax/words.hpp"
#include "core/lang/values/convert.hpp"

namespace tessera {

using namespace statement_text;

namespace {

std::int64_t next_multiple(std::int64_t at, std::int64_t of) { return (at + of - 1) / of * of; }

// Of one object of a type: a number's own width; cute::array_aligned and ArrayEngine hold their elements at multiples of 16 bytes.
std::optional<ByteExtent> extent_of(const Value& type, std::string_view written) {
  if (const auto* word = std::get_if<std::string>(&type.any)) {
    if (*word == "barrier") return ByteExtent{8, 8};
    const Result<ValueType> number = as_value_type(type);
    if (!number || bits(*number) % 8 != 0) return std::nullopt;
    return ByteExtent{bits(*number) / 8, bits(*number) / 8};
  }
  const auto* elements = std::get_if<Layout>(&type.any);
  const bool is_array = has_word(written, "ArrayEngine") || has_word(written, "array_aligned") || has_word(written, "array");
  if (!elements || !is_array || type.element.bits == 0 || type.element.bits % 8 != 0) return std::nullopt;
  const std::int64_t each = type.element.bits / 8;
  const auto all = checked_mul(elements->size(), each);
  if (!all) return std::nullopt;
  const bool plain = has_word(written, "array");
  return plain ? ByteExtent{*all, each} : ByteExtent{next_multiple(*all, 16), 16};
}

}  // namespace

// Members one behind the other, each at a multiple of its alignment. Refused by the member that nothing is known of.
Result<Value> SnippetRunner::size_of_object(const Members& members) {
  const Definition& of = *members.of;
  const Scope scope = [&](std::string_view name) {
    const Value* member = members.find(name);
    return member ? member : find(name);
  };
  const DialectScope dialect(Dialect::cpp);
  const auto unknown = [&](std::string_view member) {
    return Error{
        ErrorCode::unknown_name, fmt::format("sizeof({}): how many bytes its member {} takes is not known", of.name, member), {}, {}};
  };
  if (!of.parents.empty()) return unknown("of a base");
  std::int64_t offset = 0, largest = 1;
  int depth = 0;
  for (std::size_t i = of.enters + 1; i < of.leaves; ++i) {
    const Statement& each = definitions_->statements()[i];
    if (each.kind == Statement::Kind::enters) ++depth;
    if (each.kind == Statement::Kind::leaves) --depth;
    const std::string written(trimmed(definitions_->text().substr(each.span.begin, each.span.end - each.span.begin)));
    const bool without_value = each.reason == "a declaration without a value";
    if (depth > 0 || each.kind == Statement::Kind::enters || each.kind == Statement::Kind::leaves || each.type.empty()) continue;
    if (!(each.kind == Statement::Kind::bind || without_value) || has_word(each.type, "static") || written.starts_with("using")) continue;
    const std::string name = !each.names.empty() ? each.names[0] : !each.assigns.empty() ? each.assigns[0].name : std::string("?");
    const std::string type = without_specifiers(each.type);
    if (type.ends_with('*') || type.ends_with('&')) return unknown(name);
    const Result<Value> value = evaluate_expression(type, scope, nullptr);
    std::optional<ByteExtent> extent = value ? extent_of(*value, type) : std::nullopt;
    if (!extent) return unknown(name);
    std::string_view rest = written;
    rest.remove_prefix(std::min(rest.rfind(name), rest.size()) + std::min(name.size(), rest.size()));
    if (const std::size_t named = written.find(name + "["); named != std::string::npos)
      rest = std::string_view(written).substr(named + name.size());
    for (rest = trimmed(rest); rest.starts_with('['); rest = trimmed(rest)) {
      const std::optional<std::size_t> close = after_bracket(rest, 0, Dialect::cpp);
      const Result<Value> count = close ? evaluate_expression(rest.substr(1, *close - 2), scope, nullptr) : Result<Value>(unknown(name));
      const Result<std::int64_t> number = count ? as_integer(*count) : Result<std::int64_t>(count.error());
      const auto all = number && *number > 0 ? checked_mul(extent->bytes, *number) : std::nullopt;
      if (!all) return unknown(name);
      extent->bytes = *all;
      rest.remove_prefix(*close);
    }
    if (const std::size_t at = each.type.find("alignas("); at != std::string::npos) {
      const std::size_t open = at + 8, close = std::min(each.type.find(')', open), each.type.size());
      const Result<Value> given = evaluate_expression(std::string_view(each.type).substr(open, close - open), scope, nullptr);
      const Result<std::int64_t> align = given ? as_integer(*given) : Result<std::int64_t>(given.error());
      if (!align || *align < 1) return unknown(name);
      extent->align = std::max(extent->align, *align);
    }
    const auto end = checked_add(next_multiple(offset, extent->align), extent->bytes);
    if (!end) return unknown(name);
    offset = *end;
    largest = std::max(largest, extent->align);
  }
  return Value{IntTuple(std::max<std::int64_t>(1, next_multiple(offset, largest)))};
}

}  // namespace tessera
