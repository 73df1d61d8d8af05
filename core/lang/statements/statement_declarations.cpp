// SPDX-License-Identifier: BSD-3-Clause
// StatementReader: what gives names their values, in one statement or several.
//
//   int x = 3, y{4};        // two declarations
//   g = h = 5               // one value for both
//   e, = (8,)               // the only element
//   a += 3                  // a = a + 3
#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/characters.hpp"
#include "core/lang/statements/call_spans.hpp"
#include "core/lang/statements/statement_reader.hpp"
#include "core/lang/syntax/lexer.hpp"

namespace tessera {

using namespace statement_text;

namespace {

// "auto const&", "constexpr auto": what may stand in front of [a, b]; in Python nothing does.
bool unpacks(std::string_view head) {
  while (!head.empty()) {
    const std::string_view word = first_word(head);
    if (word.empty() && head.front() != '&') return false;
    if (!word.empty() && word != "auto" && word != "const" && word != "constexpr" && word != "static") return false;
    head = trimmed(head.substr(std::max<std::size_t>(word.size(), 1)));
  }
  return true;
}

// int, std::int64_t, unsigned: a variable of it has no value until it is given one.
bool is_plain_type(std::string_view type) {
  constexpr std::string_view kPlain[] = {"auto",    "bool",     "char",     "short",     "int",    "long",       "unsigned",  "signed",
                                         "float",   "double",   "size_t",   "ptrdiff_t", "int8_t", "int16_t",    "int32_t",   "int64_t",
                                         "uint8_t", "uint16_t", "uint32_t", "uint64_t",  "half_t", "bfloat16_t", "tfloat32_t"};
  if (type.empty()) return false;
  while (!type.empty()) {
    for (const std::string_view space : {"std::", "cutlass::", "cute::"}) {
      if (type.starts_with(space)) type.remove_prefix(space.size());
    }
    const std::string_view word = first_word(type);
    const bool qualifies =
        word == "const" || word == "constexpr" || word == "static" || word == "volatile" || word == "register" || word == "inline";
    if (!qualifies && std::find(std::begin(kPlain), std::end(kPlain), word) == std::end(kPlain)) return false;
    type = trimmed(type.substr(word.size()));
  }
  return true;
}

// `T const` is `const T`, which makes its value as T does.
std::string_view without_const_behind(std::string_view type) {
  while (type.ends_with(" const") && type != " const") type = trimmed(type.substr(0, type.size() - std::string_view(" const").size()));
  return type;
}

}  // namespace

// template <int N> using Tile = Layout<Shape<Int<N>>>; `behind`: what stands behind the parameters.
void StatementReader::template_alias(std::size_t begin, std::size_t behind, std::size_t end) {
  const std::size_t equals = assignment(behind, end);
  Statement& made = expression(Statement::Kind::function, begin, std::min(equals + 1, end), end);
  const std::string_view name = trimmed(part(behind, equals)).substr(std::string_view("using").size());
  made.names = {std::string(trimmed(name))};
  made.declares = true;
  const std::size_t open = text_.find('<', begin);
  add_last_words(trimmed(part(open + 1, behind - 1)), made.parameters);
}

// typedef T name
void StatementReader::typedef_statement(std::size_t begin, std::size_t end) {
  std::size_t name = end;
  while (name > begin && is_space(text_[name - 1])) --name;
  const std::size_t last = name;
  while (name > begin && is_word(text_[name - 1])) --name;
  Statement& made = expression(Statement::Kind::bind, begin, begin + 7, name);
  made.names = {std::string(part(name, last))};
  made.declares = true;
}

// Names with what they take of the value: x, = value takes its only element.
void StatementReader::take_names(Statement& made, std::size_t from, std::size_t to) const {
  const std::string_view head = trimmed(part(from, to));
  made.names = names_in(from, to);
  const bool apart = head.find(',') != std::string_view::npos || head.starts_with('[');
  made.taking = apart && made.names.size() == 1 ? Statement::Taking::element : Statement::Taking::whole;
}

// a += 3, ++a: the name has to stand alone.
bool StatementReader::update(std::size_t begin, std::size_t end) {
  while (end > begin && is_space(text_[end - 1])) --end;
  const std::string_view text = part(begin, end);
  for (const std::string_view sign : {"++", "--"}) {
    if (text.size() < 3 || !((cpp_ && text.starts_with(sign)) || text.ends_with(sign))) continue;
    const std::string_view name = trimmed(text.substr(text.starts_with(sign) ? 2 : 0, text.size() - 2));
    if (!is_path(name)) continue;
    Statement& made = add(Statement::Kind::bind, begin, end);
    made.expression = {begin, end};
    made.names = {std::string(name)};
    made.update = sign;
    return true;
  }
  std::size_t sign_at = begin;
  while (sign_at < end && (is_word(text_[sign_at]) || text_[sign_at] == '.')) ++sign_at;
  const std::string_view name = part(begin, sign_at);
  while (sign_at < end && is_space(text_[sign_at])) ++sign_at;
  for (const std::string_view sign : {"//=", "**=", "<<=", ">>=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="}) {
    if (!is_path(name) || !part(sign_at, end).starts_with(sign)) continue;
    Statement& made = expression(Statement::Kind::bind, begin, sign_at + sign.size(), end);
    made.names = {std::string(name)};
    made.update = sign.substr(0, sign.size() - 1);
    return true;
  }
  return false;
}

// int x = 3, *y, z{4}: each declarator is a statement of its own, with the type that stands in front of the first.
bool StatementReader::declarators(std::size_t begin, std::size_t end) {
  if (!cpp_) return false;
  std::vector<SourceSpan> parts;
  for (std::size_t from = begin; from < end;) {
    const std::size_t to = end_of_argument(from, end);
    parts.push_back({from, to});
    from = to + 1;
  }
  if (parts.size() < 2 || first_word(part(begin, end)) == "using") return false;
  const std::size_t equals = assignment(begin, parts[0].end);
  std::string_view type;  // in front of the first name
  if (equals < parts[0].end) {
    const std::string_view head = trimmed(part(begin, equals));
    std::size_t name = head.size();
    while (name > 0 && is_word(head[name - 1])) --name;
    if (!is_binding_name(head.substr(name))) return false;
    type = trimmed(head.substr(0, name));
  } else if (const std::optional<Declared> first = declared(begin, parts[0].end)) {
    type = first->type;
  } else {
    return false;
  }
  for (std::size_t i = 1; i < parts.size(); ++i) {
    SourceSpan& each = parts[i];
    while (each.begin < each.end &&
           (is_space(text_[each.begin]) || (!type.empty() && (text_[each.begin] == '*' || text_[each.begin] == '&'))))
      ++each.begin;
    const std::string_view text = trimmed(part(each.begin, each.end)), name = first_word(text), rest = trimmed(text.substr(name.size()));
    const bool gives = rest.starts_with('=') && !rest.starts_with("==");
    const bool declares = !type.empty() && (rest.empty() || rest[0] == '{' || rest[0] == '(' || rest[0] == '[');
    if (!is_binding_name(name) || !(gives || declares)) return false;
  }
  while (type.ends_with('*') || type.ends_with('&')) type = trimmed(type.substr(0, type.size() - 1));  // they belong to the first name
  declaration(begin, parts[0].end);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const auto [from, to] = parts[i];
    const std::string_view name = first_word(part(from, to));
    const std::size_t value = assignment(from, to);
    declare(from, to, type, name, value < to ? value + 1 : from + name.size());
  }
  return true;
}

// One name of a C++ declaration; what stands from `value` on, brackets too, makes its value.
void StatementReader::declare(std::size_t begin, std::size_t end, std::string_view type, std::string_view name, std::size_t value) {
  const bool assigned = part(begin, value).ends_with('=');
  type = without_const_behind(type);
  // float* p, half_t &r; what stands apart on both sides may be a product.
  const bool points = (type.ends_with('*') || type.ends_with('&')) && !(part(begin, value).find(" * ") != std::string_view::npos ||
                                                                        part(begin, value).find(" & ") != std::string_view::npos);
  const bool is_null = assigned && trimmed(part(value, end)) == "nullptr";
  const bool without = !assigned && trimmed(part(value, end)).empty();
  if (is_null || (without && (points || is_plain_type(type)))) {
    passed(begin, end, is_null ? kNullPointer : "a declaration without a value");
    made_.back().assigns = {{std::string(name)}};
    made_.back().declares = true;
    made_.back().type = type;
    return;
  }
  Statement& made = expression(Statement::Kind::bind, begin, value, end);
  made.names = {std::string(name)};
  made.type = type;
  made.declares = !type.empty();
  if (assigned && (type == "using" || type.find("auto") != std::string_view::npos)) made.type.clear();
  if (type.ends_with('&')) made.shares = names_used(made.expression);
  const std::string_view address = part(made.expression.begin, std::max(made.expression.begin, made.expression.end));
  const std::size_t behind_name = made.expression.begin + 1 + first_word(address.substr(std::min<std::size_t>(1, address.size()))).size();
  const bool of_function =  // &kernel<8>
      address.starts_with('&') && address.ends_with('>') && after_angle(text_, behind_name, dialect_) == made.expression.end;
  if (type.ends_with('*') && assigned && address.starts_with('&') && !of_function)
    made.unread = fmt::format("{} is the address of a variable, and no value of a layout", name);
  if (!assigned || value >= end || made.expression.begin >= end || text_[made.expression.begin] != '[') return;
  made.kind = Statement::Kind::passed_over;
  made.reason = "a lambda";
  made.assigns = assigned_in(part(made.expression.begin, end), Dialect::cpp);
}

// [type] name = expression, auto [a, b] = expression, a, b = expression, name: type = expression; and what has no '='.
void StatementReader::declaration(std::size_t begin, std::size_t end) {
  if (update(begin, end) || declarators(begin, end)) return;
  const std::size_t equals = assignment(begin, end);
  if (equals == end) return declared_without_value(begin, end);
  std::size_t head_end = equals;
  while (head_end > begin && is_space(text_[head_end - 1])) --head_end;
  const char sign = head_end > begin ? text_[head_end - 1] : ' ';
  if (std::string_view("+-*/%|&^").find(sign) != std::string_view::npos) return passed(begin, end, "an update");
  std::size_t value = equals;
  std::vector<std::string> others;  // h of g = h = 5
  for (std::size_t next = assignment(value + 1, end); next < end; next = assignment(value + 1, end)) {
    std::vector<std::string> names = names_in(value + 1, next);
    if (names.size() != 1) return passed(begin, end, "assignments in one another");
    others.push_back(std::move(names[0]));
    value = next;
  }
  if (std::vector<std::string> names = names_in(begin, head_end); !names.empty() && (!cpp_ || names.size() > 1)) {
    if (!others.empty() && names.size() > 1) return passed(begin, end, "assignments in one another");
    take_names(expression(Statement::Kind::bind, begin, value + 1, end), begin, head_end);
    return take_also(std::move(others));
  }
  // Python's annotation stands behind the name, C++'s type in front of it.
  const std::size_t colon = part(begin, head_end).find(": ");
  if (!cpp_ && colon != std::string_view::npos && !names_in(begin, begin + colon).empty()) {
    expression(Statement::Kind::bind, begin, equals + 1, end).names = names_in(begin, begin + colon);
    return;
  }
  if (sign == ']') {  // auto [a, b] = ..., int x[2] = ..., and x[i] = ...
    std::size_t open = head_end;
    while (open > begin && text_[open - 1] != '[') --open;
    if (open == begin) {  // no '[' belongs to the ']'
      expression(Statement::Kind::show, begin, begin, end);
      return;
    }
    const std::string_view before = trimmed(part(begin, open - 1));
    if (!unpacks(before)) {
      std::size_t name = before.size();
      while (name > 0 && is_word(before[name - 1])) --name;
      const bool declares = cpp_ && name > 0 && is_space(before[name - 1]);
      passed(begin, end, declares ? "an array" : "a store");
      if (declares) made_.back().assigns = {{std::string(before.substr(name))}};
      return;
    }
    Statement& made = expression(Statement::Kind::bind, begin, equals + 1, end);
    take_names(made, open - 1, head_end);
    made.declares = cpp_;
    if (before.find('&') != std::string_view::npos) made.shares = names_used(made.expression);
    return;
  }
  if (sign == ')' && cpp_ && others.empty()) {  // ((a)) = 6
    std::string_view inside = trimmed(part(begin, head_end));
    while (inside.size() > 1 && inside.front() == '(' && inside.back() == ')') inside = trimmed(inside.substr(1, inside.size() - 2));
    if (is_path(inside)) return declare(begin, end, {}, inside, value + 1);
  }
  if (sign == ')' || (cpp_ && text_[begin] == '*')) return passed(begin, end, "a store");  // get<0>(t) = ..., *p = ...
  std::size_t name = head_end;
  while (name > begin && (is_word(text_[name - 1]) || text_[name - 1] == '.')) --name;
  if (cpp_ && trimmed(part(begin, name)).ends_with("->")) return passed(begin, end, "a store");  // p->x = 5
  declare(begin, end, trimmed(part(begin, name)), part(name, head_end), value + 1);
  take_also(std::move(others));
}

void StatementReader::take_also(std::vector<std::string> others) {
  if (others.empty()) return;
  Statement& made = made_.back();
  made.taking = Statement::Taking::each;
  made.names.insert(made.names.begin(), std::make_move_iterator(others.rbegin()), std::make_move_iterator(others.rend()));
}

// C++'s `Type name;`, `Type name{a, b};` and `Type name(a, b);`
std::optional<StatementReader::Declared> StatementReader::declared(std::size_t begin, std::size_t end) const {
  while (end > begin && is_space(text_[end - 1])) --end;
  std::size_t type_end = begin;  // behind the type: where a blank or a '>' is followed by a name
  int depth = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const char c = text_[i];
    if (c == '(' && depth == 0) {  // alignas(16) float tile[32]
      std::size_t word = i;
      while (word > begin && is_word(text_[word - 1])) --word;
      const std::string_view before = part(word, i);
      const std::size_t close = text_.find(')', i);
      if ((before == "alignas" || before == "__align__" || before == "CUTE_ALIGNAS") && close < end) {
        i = close;
        continue;
      }
    }
    if (c == '<' || opens(c)) ++depth;
    if (c == '>' || closes(c)) --depth;
    const bool name_follows = i + 1 < end && is_word(text_[i + 1]) && !is_digit(text_[i + 1]);
    const bool ends_type = is_space(c) || c == '>' || c == '*' || c == '&';
    if (depth == 0 && ends_type && name_follows && i > begin) type_end = i + 1;
    if (depth == 1 && (c == '(' || c == '{')) break;
  }
  std::size_t name_end = type_end;
  while (name_end < end && is_word(text_[name_end])) ++name_end;
  const std::string_view type = trimmed(part(begin, type_end)), name = part(type_end, name_end), rest = trimmed(part(name_end, end));
  const bool is_operator = name == "o" || type.ends_with(" o") || type == "return" || type == "not";
  const bool declares =
      !type.empty() && is_binding_name(name) && !is_operator && (rest.empty() || rest[0] == '{' || rest[0] == '(' || rest[0] == '[');
  if (!declares) return std::nullopt;
  return Declared{type, name, name_end};
}

// Declarations without '=', calls whose value nobody takes, and expressions.
void StatementReader::declared_without_value(std::size_t begin, std::size_t end) {
  while (end > begin && is_space(text_[end - 1])) --end;
  // copy(a, b), gemm(mma, a, b, c): algorithms, which show nothing; their arguments are looked at.
  if ((cpp_ || part(begin, end).starts_with("cute.")) && part(begin, end).ends_with(')')) {
    if (const auto inside = inside_call(begin, end,
                                        {"copy", "copy_if", "gemm", "axpby", "clear", "fill", "cooperative_copy", "cooperative_gemm",
                                         "prefetch", "transform", "autovec_copy"})) {
      expression(Statement::Kind::effect, begin, inside->begin - 1, inside->end + 1);
      return;
    }
    if (inside_call(begin, end,
                    {"__syncthreads", "__syncwarp", "cp_async_fence", "cp_async_wait", "warpgroup_arrive", "warpgroup_wait",
                     "warpgroup_commit_batch", "cluster_sync"}))
      return passed(begin, end, "a barrier");
  }
  if (const std::optional<Declared> made = cpp_ ? declared(begin, end) : std::nullopt)
    return declare(begin, end, made->type, made->name, made->value);
  // `T0: (0,0) (0,1)` is a line of a log: what its name stands for is not said there.
  const std::string_view text = part(begin, end), word = first_word(text), rest = text.substr(word.size());
  if (!cpp_ && is_binding_name(word) && rest.starts_with(": ") && !trimmed(rest.substr(1)).empty()) {
    if (dialect_ == Dialect::python && is_word(trimmed(rest.substr(1))[0])) {  // x: int
      passed(begin, end, "a declaration without a value");
      made_.back().assigns = {{std::string(word), Assigned::How::hidden}};
      return;
    }
    Statement& made = expression(Statement::Kind::show, begin, begin, end);
    made.unread = fmt::format("this line is not read: what follows `{}:` is no value by itself", word);
    return;
  }
  if (cpp_ && is_listed(begin, end)) {  // the rest of a call: its arguments, one by one
    for (std::size_t from = begin; from < end;) {
      const std::size_t to = end_of_argument(from, end);
      if (!trimmed(part(from, to)).empty()) expression(Statement::Kind::show, from, from, to);
      from = to + 1;
    }
    return;
  }
  expression(Statement::Kind::show, begin, begin, end);
}

}  // namespace tessera
