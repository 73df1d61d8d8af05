// SPDX-License-Identifier: BSD-3-Clause
#include "core/lesson/draws.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/characters.hpp"
#include "core/lang/eval/call_function.hpp"
#include "core/lang/eval/own_names.hpp"
#include "core/lang/syntax/lexer.hpp"
#include "core/lang/values/convert.hpp"
#include "core/lang/values/members.hpp"

namespace tessera::lesson {
namespace {

constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15;

std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

// FNV-1a of 64 bits.
std::uint64_t hash(std::string_view text) {
  std::uint64_t h = 0xcbf29ce484222325;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return h;
}

// M in ..., or M = ...
struct Item {
  std::string name;
  bool is_drawn = false;
  Written of;
};

// "name in" or "name =" at the beginning of a text.
bool begins_item(std::string_view text) {
  text = trimmed(text);
  const std::size_t end = static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_word) - text.begin());
  if (end == 0) return false;
  const std::string_view rest = trimmed(text.substr(end));
  return (rest.starts_with("in") && (rest.size() == 2 || !is_word(rest[2]))) || (rest.starts_with('=') && !rest.starts_with("=="));
}

Written tail(const Written& piece, std::size_t from) {
  const std::string_view all = piece.text, part = trimmed(all.substr(from));
  return {std::string(part), piece.at + (part.empty() ? all.size() : static_cast<std::size_t>(part.data() - all.data()))};
}

Error at_piece(const Written& piece, std::string message, std::vector<std::string> notes = {}) {
  return Error{ErrorCode::parse, std::move(message), SourceSpan{piece.at, piece.at + piece.text.size()}, std::move(notes)};
}

Result<Item> item_of(const Written& piece) {
  const std::string_view text = piece.text;
  const std::size_t end = static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_word) - text.begin());
  const std::string name(text.substr(0, end));
  const std::vector<std::string> how{"as in  M in (4,8,16), t in 0..7, N = 8"};
  if (!begins_item(text)) return at_piece(piece, fmt::format("\"{}\" draws nothing", text), how);
  if (!is_binding_name(name) || is_own_name(name))
    return at_piece(piece, fmt::format("{} cannot be drawn: {}", name, is_own_name(name) ? "the language has this name" : "it is no name"),
                    how);
  Item item{name, trimmed(text.substr(end)).starts_with("in"), {}};
  item.of = tail(piece, text.find(item.is_drawn ? "in" : "=", end) + (item.is_drawn ? 2 : 1));
  if (item.of.empty()) return at_piece(piece, fmt::format("nothing is said of what {} is", name), how);
  return item;
}

// Items are parted by commas, and so are arguments within them: an item begins where a name and `in` or `=` stand behind the comma.
Result<std::vector<Item>> items_of(const Written& line) {
  const Written all{line.text.substr(0, line.text.find('#')), line.at};
  std::vector<Item> items;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= all.text.size(); ++i) {
    const bool ends = i == all.text.size() || (all.text[i] == ',' && begins_item(std::string_view(all.text).substr(i + 1)));
    if (!ends) continue;
    TESSERA_TRY(item, item_of(tail({all.text.substr(begin, i - begin), all.at + begin}, 0)));
    items.push_back(std::move(item));
    begin = i + 1;
  }
  return items;
}

// The two dots of a range that stand outside of brackets; npos: none.
std::size_t dots_of(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] == '(' || text[i] == '[') ++depth;
    if (text[i] == ')' || text[i] == ']') --depth;
    if (depth == 0 && text.substr(i, 2) == "..") return i;
  }
  return std::string_view::npos;
}

Result<std::int64_t> end_of_range(const Written& piece, const Scope& scope) {
  TESSERA_TRY(value, value_of(piece, scope));
  Result<std::int64_t> number = as_integer(value);
  if (!number) return moved(std::move(number).error(), piece);
  return number;
}

Result<Value> drawn_from(const Written& of, const Scope& scope, Draws& draws) {
  if (const std::size_t dots = dots_of(of.text); dots != std::string_view::npos) {
    TESSERA_TRY(from, end_of_range(tail({of.text.substr(0, dots), of.at}, 0), scope));
    TESSERA_TRY(to, end_of_range(tail(of, dots + 2), scope));
    if (to < from) return at_piece(of, fmt::format("{}..{} has no values: it ends before it begins", from, to));
    const std::uint64_t others = static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
    if (others >= std::uint64_t{1} << 62) return at_piece(of, fmt::format("{}..{} is too long", from, to));
    return Value{IntTuple(static_cast<std::int64_t>(static_cast<std::uint64_t>(from) + draws.below(others + 1)))};
  }
  TESSERA_TRY(value, value_of(of, scope));
  Result<std::vector<Value>> elements = elements_of(value);
  if (!elements) return moved(std::move(elements).error(), of);
  if (elements->empty()) return at_piece(of, "there is nothing to draw from");
  return std::move((*elements)[draws.below(elements->size())]);
}

// L = expression, or f(m, n) = expression.
Status add_let(Names& names, const Written& line, const Scope& above) {
  const std::string_view text = line.text;
  const std::size_t equals = text.find('=');
  const std::string_view head = trimmed(text.substr(0, equals));
  const std::size_t open = head.find('(');
  const std::string name(trimmed(head.substr(0, open)));
  if (equals == std::string_view::npos || !is_binding_name(name) || (open != std::string_view::npos && !head.ends_with(')')))
    return at_piece(line, fmt::format("\"{}\" names nothing", text), {"as in  L = (M,N):(N,1)  or  f(m, n) = (m,n):(n,1)"});
  if (is_own_name(name)) return at_piece(line, fmt::format("{} cannot be let: the language has this name", name));
  const Written expression = tail(line, equals + 1);
  const Scope scope = with_names(names, above);
  if (open == std::string_view::npos) {
    TESSERA_TRY(value, value_of(expression, scope));
    names.emplace_back(name, std::move(value));
    return Done{};
  }
  std::vector<std::string> parameters;
  for (const Written& each : parts_between({std::string(head.substr(open + 1, head.size() - open - 2)), 0}, ','))
    parameters.push_back(each.text);
  Result<Value> function = make_function(name, std::move(parameters), expression.text, scope);
  if (!function) return moved(std::move(function).error(), expression);
  names.emplace_back(name, *std::move(function));
  return Done{};
}

}  // namespace

Draws::Draws(std::string_view id, std::uint64_t seed, std::uint64_t attempt)
    : state_(mixed(hash(id)) ^ mixed(seed + kGolden) ^ mixed((attempt << 32) + 1)) {}

std::uint64_t Draws::next() { return mixed(state_ += kGolden); }

std::uint64_t Draws::below(std::uint64_t n) {
  const std::uint64_t uneven = (~n + 1) % n;  // 2^64 mod n: as many of the lowest numbers would make some results likelier
  std::uint64_t number = next();
  while (number < uneven) number = next();
  return number % n;
}

Result<std::size_t> draw_count(const Ask& ask) {
  std::size_t count = 0;
  for (const Written& line : ask.draw) {
    TESSERA_TRY(items, items_of(line));
    for (const Item& item : items) count += item.is_drawn ? 1 : 0;
  }
  return count;
}

Result<Names> drawn(const Ask& ask, const Scope& above, std::uint64_t seed, std::uint64_t attempt) {
  Draws draws(ask.id, seed, attempt);
  Names names;
  for (const Written& line : ask.draw) {
    TESSERA_TRY(items, items_of(line));
    for (const Item& item : items) {
      const bool is_twice = std::any_of(names.begin(), names.end(), [&](const auto& each) { return each.first == item.name; });
      if (is_twice) return at_piece(item.of, fmt::format("{} is drawn twice", item.name));
      const Scope scope = with_names(names, above);
      TESSERA_TRY(value, item.is_drawn ? drawn_from(item.of, scope, draws) : value_of(item.of, scope));
      names.emplace_back(item.name, std::move(value));
    }
  }
  for (const Written& line : ask.let) TESSERA_CHECK(add_let(names, line, above));
  return names;
}

}  // namespace tessera::lesson
