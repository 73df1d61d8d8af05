// SPDX-License-Identifier: BSD-3-Clause
// Parameters of figures: what each kind of them takes, and how it is read.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/atom/instructions/catalog.hpp"
#include "core/base/budget.hpp"
#include "core/base/characters.hpp"
#include "core/diagram/parts/figure_parameters.hpp"
#include "core/diagram/parts/figure_parts.hpp"

namespace tessera {

namespace {

constexpr std::string_view kNumbers = "3, 0-3 or 0,4,8-11";

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t n = 0;
  const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (bad != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return n;
}

Result<std::string_view> read_choice(std::string_view name, std::string_view text, std::span<const std::string_view> choices) {
  for (const std::string_view each : choices) {
    if (each == text) return each;
  }
  const std::vector<std::string> known(choices.begin(), choices.end());
  return Error{ErrorCode::unknown_name,
               fmt::format("{}={} is none of this figure's choices", name, text),
               {},
               {fmt::format("the choices are {}", names_and_nearest(text, known))}};
}

Result<std::int64_t> read_integer(const FigureParameter& parameter, std::string_view text) {
  const std::optional<std::int64_t> n = whole_number(text);
  if (n && *n >= parameter.least && *n <= parameter.most) return *n;
  return Error{n ? ErrorCode::out_of_range : ErrorCode::parse,
               fmt::format("{}={} is not an integer from {} to {}", parameter.name, text, parameter.least, parameter.most),
               {},
               {fmt::format("{}: {}", parameter.name, parameter.help)}};
}

struct Numbers {
  std::int64_t first = 0, last = 0;
};

Result<std::vector<Numbers>> read_numbers(std::string_view name, std::string_view text) {
  constexpr std::int64_t kLongestRange = 65536;
  const auto refuse = [&] {
    return Error{ErrorCode::parse,
                 fmt::format("{}={} is not a list of numbers", name, text),
                 {},
                 {fmt::format("write {}=3, {}=0-3 or {}=0,4,8-11", name, name, name)}};
  };
  std::vector<Numbers> out;
  std::string bare(text);
  std::erase(bare, ' ');
  std::string_view rest = bare;
  if (rest.starts_with('(') && rest.ends_with(')')) rest = rest.substr(1, rest.size() - 2);  // a tuple's own text
  while (!rest.empty()) {
    const std::string_view item = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), item.size() + 1));
    std::int64_t first = 0, last = 0;
    const char* end = item.data() + item.size();
    const auto [after, e1] = std::from_chars(item.data(), end, first);
    if (e1 != std::errc() || first < 0 || first > kMostCells) return refuse();
    last = first;
    if (after != end) {
      const std::string_view behind(after, static_cast<std::size_t>(end - after));
      const std::size_t sign = behind.starts_with('-') ? 1 : behind.starts_with("..") ? 2 : 0;
      if (sign == 0) return refuse();
      const auto [stop, e2] = std::from_chars(after + sign, end, last);
      if (e2 != std::errc() || stop != end || last < first || last - first > kLongestRange) return refuse();
    }
    out.push_back({first, last});
  }
  return out;
}

// (4,8), as the language writes a shape, and 4x8, as people do.
Result<TileShape> read_shape(std::string_view name, std::string_view text) {
  std::string_view inside = text;
  const bool is_tuple = inside.size() >= 2 && inside.front() == '(' && inside.back() == ')';
  if (is_tuple) inside = inside.substr(1, inside.size() - 2);
  const std::size_t cross = std::min(inside.find(is_tuple ? ',' : 'x'), inside.size());
  const std::optional<std::int64_t> rows = whole_number(trimmed(inside.substr(0, cross))),
                                    cols = whole_number(trimmed(inside.substr(std::min(cross + 1, inside.size()))));
  const auto is_extent = [](const std::optional<std::int64_t>& n) { return n && *n > 0 && *n <= kMostCells; };
  if (is_extent(rows) && is_extent(cols)) return TileShape{*rows, *cols};
  return Error{ErrorCode::parse, fmt::format("{}={} is not a tile's shape", name, text), {}, {fmt::format("write {}=(4,8)", name)}};
}

Result<std::int64_t> read_type(std::string_view name, std::string_view text) {
  const std::optional<ValueType> type = value_type(text);
  if (type && bits(*type) >= 1) return bits(*type);
  return Error{ErrorCode::unknown_name,
               fmt::format("{}={} is no element type", name, text),
               {},
               {"types are spelled half_t or f16, float or f32, ..."}};
}

template <class T>
Status without_value(const Result<T>& read) {
  if (!read) return read.error();
  return Done{};
}

}  // namespace

std::string values_of(const FigureParameter& parameter) {
  using Kind = FigureParameter::Kind;
  switch (parameter.kind) {
    case Kind::choice:
    case Kind::flag: return fmt::format("{}", fmt::join(parameter.choices, ", "));
    case Kind::choice_or_layout: return fmt::format("{}, or a layout", fmt::join(parameter.choices, ", "));
    case Kind::integer: return fmt::format("{} to {}", parameter.least, parameter.most);
    case Kind::numbers: return std::string(kNumbers);
    case Kind::selection: return "T0-3, rows=0-7, ...";
    case Kind::shape: return "(4,8)";
    case Kind::type: return "half_t, f32, ...";
    case Kind::text: return {};
  }
  return {};
}

Status check_value(const FigureParameter& parameter, std::string_view text) {
  using Kind = FigureParameter::Kind;
  if (text.empty()) return Done{};
  switch (parameter.kind) {
    case Kind::choice:
    case Kind::choice_or_layout:
    case Kind::flag: return without_value(read_choice(parameter.name, text, parameter.choices));
    case Kind::integer: return without_value(read_integer(parameter, text));
    case Kind::numbers: return without_value(read_numbers(parameter.name, text));
    case Kind::selection: return without_value(read_selection(text, parameter.name));
    case Kind::shape: return without_value(read_shape(parameter.name, text));
    case Kind::type: return without_value(read_type(parameter.name, text));
    case Kind::text: return Done{};
  }
  return Done{};
}

std::string_view parameter(const FigureSpec& spec, std::string_view name) {
  const auto it = spec.parameters.find(std::string(name));
  return it == spec.parameters.end() ? std::string_view{} : std::string_view(it->second);
}

Result<std::string_view> choice(const FigureSpec& spec, std::string_view name, std::span<const std::string_view> choices) {
  const std::string_view given = parameter(spec, name);
  return given.empty() ? Result<std::string_view>(choices.front()) : read_choice(name, given, choices);
}

Result<std::optional<std::int64_t>> integer(const FigureSpec& spec, const FigureParameter& row) {
  const std::string_view text = parameter(spec, row.name);
  if (text.empty()) return std::optional<std::int64_t>();
  TESSERA_TRY(n, read_integer(row, text));
  return std::optional(n);
}

Result<std::optional<TileShape>> tile_shape(const FigureSpec& spec, std::string_view name) {
  const std::string_view text = parameter(spec, name);
  if (text.empty()) return std::optional<TileShape>();
  TESSERA_TRY(shape, read_shape(name, text));
  return std::optional(shape);
}

Result<std::set<std::int64_t>> number_set(const FigureSpec& spec, std::string_view name) {
  TESSERA_TRY(ranges, read_numbers(name, parameter(spec, name)));
  std::set<std::int64_t> out;
  for (const Numbers& each : ranges) {
    TESSERA_CHECK(spend_cells(each.last - each.first + 1, [&] { return fmt::format("the list of numbers {}=...", name); }));
    for (std::int64_t i = each.first; i <= each.last; ++i) out.insert(i);
  }
  return out;
}

Result<std::int64_t> element_bits(const FigureSpec& spec) {
  std::vector<std::pair<std::string_view, std::int64_t>> given;
  TESSERA_TRY(wide, integer(spec, kBits));
  if (wide) given.emplace_back(kBits.name, *wide);
  TESSERA_TRY(bytes, integer(spec, kBytes));
  if (bytes) given.emplace_back(kBytes.name, *bytes * 8);
  if (const std::string_view text = parameter(spec, "type"); !text.empty()) {
    TESSERA_TRY(n, read_type("type", text));
    given.emplace_back("type", n);
  }
  for (const auto& [name, n] : given) {
    if (n != given.front().second)
      return Error{ErrorCode::wrong_arity,
                   fmt::format("{} says that an element has {} bits, and {} says {}", given.front().first, given.front().second, name, n),
                   {},
                   {"give one of bits, bytes and type"}};
  }
  return given.empty() ? spec.element_bits : given.front().second;
}

}  // namespace tessera
