// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/prints/number_table.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/lang/values/convert.hpp"

namespace tessera {
namespace {

struct Modes {
  std::vector<std::int64_t> shape, stride;
};

// Modes whose layout gives `values`: the longest run of equal steps that divides the count and repeats is the first mode, and what is
// left at its starts is a shorter sequence of the same kind.
bool take_modes(const std::vector<std::int64_t>& values, Modes& modes) {
  const std::size_t count = values.size();
  if (count == 1) return true;
  const std::int64_t step = values[1];
  std::size_t run = 2;
  while (run < count && values[run] == values[run - 1] + step) ++run;
  const auto repeats = [&](std::size_t extent) {
    for (std::size_t i = 0; i < count; ++i) {
      if (values[i] != values[i - i % extent] + values[i % extent]) return false;
    }
    return true;
  };
  for (std::size_t extent = run; extent >= 2; --extent) {
    if (count % extent != 0 || !repeats(extent)) continue;
    std::vector<std::int64_t> rest;
    for (std::size_t i = 0; i < count; i += extent) rest.push_back(values[i]);
    const std::size_t before = modes.shape.size();
    modes.shape.push_back(static_cast<std::int64_t>(extent));
    modes.stride.push_back(step);
    if (take_modes(rest, modes)) return true;
    modes.shape.resize(before);
    modes.stride.resize(before);
  }
  return false;
}

struct Mode {
  IntTuple shape, stride;
};

std::optional<Mode> mode_of(const std::vector<std::int64_t>& values) {
  Modes modes;
  if (!take_modes(values, modes)) return std::nullopt;
  if (modes.shape.empty()) return Mode{1, 0};
  if (modes.shape.size() == 1) return Mode{modes.shape[0], modes.stride[0]};
  std::vector<IntTuple> shape(modes.shape.begin(), modes.shape.end()), stride(modes.stride.begin(), modes.stride.end());
  return Mode{IntTuple::tuple(std::move(shape)), IntTuple::tuple(std::move(stride))};
}

// The plain layout (m, n) -> number - number at (0, 0); nothing where there is none.
std::optional<Layout> plain_layout(const NumberTable& table) {
  const std::vector<std::int64_t>& f = table.numbers;
  std::vector<std::int64_t> down, across;
  for (std::size_t m = 0; m < table.rows; ++m) down.push_back(f[m * table.columns] - f[0]);
  for (std::size_t n = 0; n < table.columns; ++n) across.push_back(f[n] - f[0]);
  for (std::size_t m = 0; m < table.rows; ++m) {
    for (std::size_t n = 0; n < table.columns; ++n) {
      if (f[m * table.columns + n] - f[0] != down[m] + across[n]) return std::nullopt;
    }
  }
  const auto rows = mode_of(down), columns = mode_of(across);
  if (!rows || !columns) return std::nullopt;
  Result<Layout> made =
      table.rows == 1 ? Layout::make(columns->shape, columns->stride)
                      : Layout::make(IntTuple::tuple({rows->shape, columns->shape}), IntTuple::tuple({rows->stride, columns->stride}));
  if (!made) return std::nullopt;
  return std::move(*made);
}

// Sw o 0 o L: a swizzle is its own inverse, so that L is what it makes of the numbers.
std::optional<ComposedLayout> swizzled_layout(const NumberTable& table) {
  constexpr int kMostBits = 5, kMostBase = 7, kMostShift = 7;
  for (const std::int64_t number : table.numbers) {
    if (number < 0) return std::nullopt;
  }
  for (int bits = 1; bits <= kMostBits; ++bits) {
    for (int base = 0; base <= kMostBase; ++base) {
      for (int shift = bits; shift <= kMostShift; ++shift) {
        const Result<Swizzle> swizzle = Swizzle::make(bits, base, shift);
        if (!swizzle) continue;
        NumberTable inner = table;
        for (std::int64_t& number : inner.numbers) number = (*swizzle)(number);
        if (inner.numbers[0] != 0) continue;
        if (auto layout = plain_layout(inner)) return ComposedLayout{*swizzle, 0, std::move(*layout)};
      }
    }
  }
  return std::nullopt;
}

}  // namespace

Result<Value> layout_of(const NumberTable& table) {
  if (table.numbers.empty() || table.numbers.size() != table.rows * table.columns) {
    return Error{ErrorCode::parse, "the rows of the table have different lengths", {}, {}};
  }
  if (table.numbers.size() > kMostTableNumbers) {
    return Error{
        ErrorCode::limit, fmt::format("the table has {} numbers; the limit is {}", table.numbers.size(), kMostTableNumbers), {}, {}};
  }
  if (auto layout = plain_layout(table)) {
    if (table.numbers[0] == 0) return Value{std::move(*layout)};
    return Value{Tensor{std::move(*layout), table.numbers[0]}};
  }
  if (auto swizzled = swizzled_layout(table)) return to_value(std::move(*swizzled));
  Error error{ErrorCode::not_representable, "no layout gives the numbers of this table, with or without a swizzle", {}, {}};
  const std::vector<std::int64_t>& f = table.numbers;
  for (std::size_t i = 0; i < f.size(); ++i) {
    const std::size_t m = i / table.columns, n = i % table.columns;
    const std::int64_t sum = f[m * table.columns] + f[n] - f[0];
    if (f[i] == sum) continue;
    error.notes.push_back(fmt::format("row {} begins with {} and column {} with {}: a layout that begins with {} has {} at ({},{}), not {}",
                                      m, f[m * table.columns], n, f[n], f[0], sum, m, n, f[i]));
    return error;
  }
  error.notes.push_back("the steps along a row or a column are not those of modes that repeat");
  return error;
}

std::string contradiction(const NumberTable& table, const AnyLayout& layout) {
  const std::int64_t elements = size(layout);
  if (static_cast<std::int64_t>(table.numbers.size()) != elements) {
    return fmt::format("the table has {} numbers, the layout {} elements", table.numbers.size(), elements);
  }
  for (std::size_t i = 0; i < table.numbers.size(); ++i) {
    const std::size_t m = i / table.columns, n = i % table.columns;
    // Both modes of a layout may be asked by one number: column-major, as in print_layout.
    const std::int64_t given = evaluate(layout, static_cast<std::int64_t>(m + n * table.rows));
    if (given != table.numbers[i]) return fmt::format("the table has {} at ({},{}), the layout gives {}", table.numbers[i], m, n, given);
  }
  return {};
}

}  // namespace tessera
