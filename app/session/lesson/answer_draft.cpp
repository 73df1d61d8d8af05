// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/lesson/answer_draft.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/base/characters.hpp"
#include "core/base/number_text.hpp"

namespace tessera {
namespace {

constexpr std::string_view kBetween = " \t\r\n,;()[]{}";

std::string text_of(const std::vector<PaintedCell>& cells) {
  std::string made;
  for (const PaintedCell& each : cells) made += fmt::format("{}({},{})", made.empty() ? "" : " ", each.row, each.column);
  return made;
}

char letter_of(std::size_t option) { return static_cast<char>('a' + option); }

}  // namespace

std::optional<PaintedGrid> painted_grid(const lesson::Expected& expected) {
  if (expected.kind != lesson::Kind::cells || !expected.shape.is_tuple() || expected.shape.rank() != 2) return std::nullopt;
  if (!expected.shape[0].is_int() || !expected.shape[1].is_int()) return std::nullopt;
  const std::int64_t rows = expected.shape[0].value(), columns = expected.shape[1].value();
  if (rows < 1 || columns < 1 || rows > kMostPainted / columns) return std::nullopt;
  return PaintedGrid{rows, columns};
}

std::vector<PaintedCell> cells_in(std::string_view text) {
  std::vector<std::int64_t> numbers;
  for (std::size_t at = text.find_first_not_of(kBetween); at < text.size(); at = text.find_first_not_of(kBetween, at)) {
    const std::size_t end = std::min(text.find_first_of(kBetween, at), text.size());
    const auto number = number_in<std::int64_t>(text.substr(at, end - at));
    if (!number) return {};
    numbers.push_back(*number);
    at = end;
  }
  if (numbers.size() % 2 != 0) return {};
  std::vector<PaintedCell> cells;
  for (std::size_t i = 0; i < numbers.size(); i += 2) cells.push_back({numbers[i], numbers[i + 1]});
  std::sort(cells.begin(), cells.end());
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  return cells;
}

std::string with_cell(std::string_view text, PaintedCell cell, bool painted) {
  std::vector<PaintedCell> cells = cells_in(text);
  const auto at = std::lower_bound(cells.begin(), cells.end(), cell);
  const bool is_there = at != cells.end() && *at == cell;
  if (painted && !is_there) cells.insert(at, cell);
  if (!painted && is_there) cells.erase(at);
  return text_of(cells);
}

std::optional<std::size_t> option_in(const lesson::Expected& expected, std::string_view text) {
  const std::string small = lower(trimmed(text));
  if (expected.options.empty()) {
    if (small == "yes") return 0;
    if (small == "no") return 1;
    return std::nullopt;
  }
  if (small.size() != 1 || small[0] < 'a' || static_cast<std::size_t>(small[0] - 'a') >= expected.options.size()) return std::nullopt;
  return static_cast<std::size_t>(small[0] - 'a');
}

std::string option_text(const lesson::Expected& expected, std::size_t option) {
  if (expected.options.empty()) return option == 0 ? "yes" : "no";
  return std::string(1, letter_of(option));
}

std::vector<std::size_t> order_in(std::size_t options, std::string_view text) {
  std::vector<std::size_t> order;
  const auto add = [&](std::size_t option) {
    if (option < options && std::find(order.begin(), order.end(), option) == order.end()) order.push_back(option);
  };
  for (const char c : text) {
    if (is_letter(c) && c != '_') add(static_cast<std::size_t>(lower(c) - 'a'));
  }
  for (std::size_t i = 0; i < options; ++i) add(i);
  return order;
}

std::string moved_option(std::size_t options, std::string_view text, std::size_t from, std::size_t to) {
  std::vector<std::size_t> order = order_in(options, text);
  if (from < order.size() && to < order.size()) {
    const std::size_t moved = order[from];
    order.erase(order.begin() + static_cast<std::ptrdiff_t>(from));
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), moved);
  }
  std::string made;
  for (const std::size_t each : order) {
    if (!made.empty()) made += ' ';
    made += letter_of(each);
  }
  return made;
}

}  // namespace tessera
