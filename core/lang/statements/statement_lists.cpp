// SPDX-License-Identifier: BSD-3-Clause
// StatementReader: lines that were cut out of a Python call or expression.
//
//   cute.size(x),                       an argument, with its comma
//   self.dtype, cute.cosize(x)          two of them
//   layout=cute.make_layout((8, 2)),    one with a name
//   * cute.size(y)                      the rest of a product
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/lang/statements/statement_reader.hpp"

namespace tessera {

using namespace statement_text;

// Without operators and closing brackets in front, commas and closing brackets behind: what they belong to is not there.
void StatementReader::trim_fragment(std::size_t& begin, std::size_t& end) const {
  if (!calls_dsl_) return;
  const std::size_t all = end;
  for (bool again = true; again && begin < end;) {
    again = false;
    const std::string_view text = part(begin, end);
    for (const std::string_view sign : {"**", "*", "+", "==", "!=", "%", ",", ")", "]", "and ", "or ", "else "}) {
      if (!text.starts_with(sign)) continue;
      begin += sign.size();
      while (begin < end && is_space(text_[begin])) ++begin;
      again = true;
      break;
    }
  }
  int depth = 0;
  for (std::size_t i = begin; i < end;) {
    const std::size_t next = walk_.after(i);
    if (next == i + 1 && opens(text_[i])) ++depth;
    if (next == i + 1 && closes(text_[i]) && --depth < 0) end = i;
    i = next;
  }
  while (end > begin && (is_space(text_[end - 1]) || text_[end - 1] == ',')) --end;
  if (begin == end) end = all;
}

bool StatementReader::is_listed(std::size_t begin, std::size_t end) const {
  const std::size_t comma = end_of_argument(begin, end);
  return comma < end && !trimmed(part(comma + 1, end)).empty();
}

// x[0], (self.a, b), *rest: what Python can assign to, and at least one of them is no name by itself.
bool StatementReader::are_targets(std::size_t begin, std::size_t end) const {
  bool stored = false;
  for (std::size_t from = begin; from < end;) {
    const std::size_t to = end_of_argument(from, end);
    std::string_view each = trimmed(part(from, to));
    if (each.starts_with('*')) stored = true, each = trimmed(each.substr(1));
    if (each.size() > 1 && (each[0] == '(' || each[0] == '[')) {
      const std::size_t inside = static_cast<std::size_t>(each.data() - text_.data()) + 1;
      const bool names = !names_in(inside, inside + each.size() - 2).empty();
      if (!names && !are_targets(inside, inside + each.size() - 2)) return false;
      stored = true;
    } else {
      const std::string_view name = each.substr(0, std::min(each.find('['), each.size()));
      const bool indexed = name.size() < each.size() && each.ends_with(']');
      stored = stored || indexed;
      if (name != "_" && !(is_path(name) && (indexed || name.size() == each.size()))) return false;
    }
    from = to + 1;
  }
  return stored;
}

// Arguments side by side, each a statement of its own; a = b, c binds a tuple.
bool StatementReader::list(std::size_t begin, std::size_t end) {
  if (!is_listed(begin, end)) return false;
  const std::size_t equals = assignment(begin, end);
  if (equals == end && !calls_dsl_) return false;
  if (equals < end) {
    std::vector<std::string> names = names_in(begin, equals);
    if (names.empty() && are_targets(begin, equals)) {  // x[0], a = 4, 5
      passed(begin, end, "a store");
      return true;
    }
    if (names.empty()) {
      // f(x), name=g(y): what stands in front of the name is an argument too
      if (end_of_argument(begin, equals) == equals) return false;
    } else {
      const bool arguments = is_listed(equals + 1, end) && assignment(equals + 1, end) < end;
      if (!arguments) {
        Statement& made = expression(Statement::Kind::bind, begin, equals + 1, end);
        take_names(made, begin, equals);
        made.is_list = is_listed(equals + 1, end);
        return true;
      }
    }
  }
  for (std::size_t from = begin; from < end;) {
    while (from < end && is_space(text_[from])) ++from;
    const std::size_t to = end_of_argument(from, end);
    if (!trimmed(part(from, to)).empty()) declaration(from, to);
    from = to + 1;
  }
  return true;
}

}  // namespace tessera
