// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/values/dim3.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/lang/values/convert.hpp"
#include "core/lang/values/user_function.hpp"

namespace tessera {

namespace {

constexpr std::string_view kDim3Name = "dim3";

}  // namespace

Value dim3_value(const std::array<std::int64_t, 3>& extents) {
  UserFunction made;
  made.name = kDim3Name;
  made.is_object = true;
  const auto number = [&](std::size_t i) { return Value{IntTuple::marked(extents[i], marks::kDynamic)}; };
  made.captured = {{"x", number(0)}, {"y", number(1)}, {"z", number(2)}};
  return Value{std::make_shared<const UserFunction>(std::move(made))};
}

std::optional<std::array<std::int64_t, 3>> as_dim3(const Value& value) {
  std::vector<std::int64_t> numbers;
  if (const auto* object = std::get_if<std::shared_ptr<const UserFunction>>(&value.any)) {
    if ((*object)->name != kDim3Name || !(*object)->is_object) return std::nullopt;
    for (const auto& [name, part] : (*object)->captured) numbers.push_back(as_integer(part).value_or(0));
  } else if (const Result<IntTuple> tuple = as_int_tuple(value); tuple && !has_underscore(*tuple)) {
    numbers = leaf_values(*tuple);
  }
  if (numbers.empty() || numbers.size() > 3) return std::nullopt;
  std::array<std::int64_t, 3> made{1, 1, 1};
  std::copy(numbers.begin(), numbers.end(), made.begin());
  return made;
}

}  // namespace tessera
