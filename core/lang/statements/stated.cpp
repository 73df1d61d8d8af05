// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/statements/stated.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/characters.hpp"
#include "core/lang/syntax/naming.hpp"
#include "core/lang/syntax/number_types.hpp"
#include "core/lang/syntax/words.hpp"
#include "core/lang/values/convert.hpp"

namespace tessera {

using namespace statement_text;

namespace {

// The parts of one parameter: what stands before '=', behind it, and behind Python's ':'. Their places are in the list.
struct Parts {
  SourceSpan declared, annotation, initial;
};

SourceSpan trimmed_span(std::string_view list, SourceSpan span) {
  while (span.begin < span.end && is_space(list[span.begin])) ++span.begin;
  while (span.end > span.begin && is_space(list[span.end - 1])) --span.end;
  return span;
}

// What a list has between its commas outside of brackets. Angle brackets are brackets in C++, until a '=' begins a default that compares.
std::vector<Parts> parts_of(std::string_view list, Dialect dialect) {
  std::vector<Parts> made;
  const Walker walk(list, dialect);
  const bool cpp = dialect == Dialect::cpp;
  int depth = 0;
  std::size_t from = 0, colon = std::string_view::npos, equals = std::string_view::npos;
  const auto end_parameter = [&](std::size_t to) {
    const std::size_t before = std::min(equals, to), name_end = std::min(colon, before);
    Parts parts;
    parts.declared = trimmed_span(list, {from, name_end});
    if (colon < before) parts.annotation = trimmed_span(list, {colon + 1, before});
    if (equals < to) parts.initial = trimmed_span(list, {equals + 1, to});
    if (parts.declared.begin < parts.declared.end) made.push_back(parts);
    from = to + 1;
    colon = equals = std::string_view::npos;
  };
  for (std::size_t i = 0; i < list.size();) {
    const char c = list[i];
    const bool angle = cpp && (c == '<' || c == '>') && (i == 0 || list[i - 1] != '-');
    if (opens(c) || (angle && c == '<')) ++depth;
    if (closes(c) || (angle && c == '>')) --depth;
    if (depth == 0 && c == ',') end_parameter(i);
    if (depth == 0 && c == '=' && equals == std::string_view::npos) equals = i;
    if (depth == 0 && c == ':' && !cpp && equals == std::string_view::npos && colon == std::string_view::npos) colon = i;
    i = walk.after(i);
  }
  end_parameter(list.size());
  return made;
}

// "int" of a path's last part and of what Constexpr holds: cutlass.Constexpr[int], cute.Tensor, std::size_t.
std::string_view innermost_type(std::string_view type) {
  const std::size_t open = type.find('[');
  if (open != std::string_view::npos && type.ends_with(']') && type.substr(0, open).ends_with("Constexpr"))
    return innermost_type(trimmed(type.substr(open + 1, type.size() - open - 2)));
  if (open != std::string_view::npos) return {};  // Optional[int], List[int]
  const std::size_t last = type.find_last_of(".:");
  return last == std::string_view::npos ? type : type.substr(last + 1);
}

template <class T>
bool is(const Value& value) {
  return std::holds_alternative<T>(value.any);
}

}  // namespace

std::vector<StatedParameter> stated_parameters(std::string_view list, std::size_t at, Dialect dialect) {
  std::vector<StatedParameter> made;
  for (const Parts& parts : parts_of(list, dialect)) {
    const std::string_view declared = list.substr(parts.declared.begin, parts.declared.end - parts.declared.begin);
    std::size_t name = declared.size();
    while (name > 0 && is_word(declared[name - 1])) --name;
    StatedParameter each;
    each.name = declared.substr(name);
    if (each.name.empty()) continue;
    const std::string_view annotation = list.substr(parts.annotation.begin, parts.annotation.end - parts.annotation.begin);
    each.type = dialect == Dialect::cpp ? trimmed(declared.substr(0, name)) : annotation;
    if (dialect == Dialect::python && declared.starts_with('*')) each.type = declared.substr(0, name);  // all the other arguments
    if (parts.initial.begin < parts.initial.end) each.initial = {at + parts.initial.begin, at + parts.initial.end};
    made.push_back(std::move(each));
  }
  return made;
}

bool is_of_types(std::string_view type) {
  type = trimmed(type);
  return type == "class" || type == "typename" || type.starts_with("Type[") || type.starts_with("type[");
}

bool may_have_value(std::string_view type, const Value& value) {
  const std::string_view inner = innermost_type(trimmed(type));
  if (const std::optional<NumberType> number = number_type(inner)) {
    if (number->kind == NumberType::Kind::truth) return is<bool>(value);
    return as_integer(value) || is<double>(value);
  }
  if (inner == "Int32" || inner == "Int64" || inner == "Uint32") return as_integer(value).has_value();
  if (inner == "Boolean") return is<bool>(value);
  if (inner == "Tensor") return is<Tensor>(value) || is<Layout>(value) || is<ComposedLayout>(value);  // a layout is a tensor at offset 0
  if (inner == "TiledMma") return is<std::shared_ptr<const TiledMma>>(value);
  if (inner == "TiledCopy") return is<std::shared_ptr<const TiledCopy>>(value);
  if (inner == "CopyAtom") return is<CopyAtom>(value) || is<std::shared_ptr<const TmaValue>>(value);
  if (inner == "ComposedLayout") return is<ComposedLayout>(value) || is<Layout>(value);
  return true;
}

}  // namespace tessera
