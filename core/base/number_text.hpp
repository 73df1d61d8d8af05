// SPDX-License-Identifier: BSD-3-Clause
// A text that is a number, and nothing else: "12", "-3", "1.5" with no blank or sign before or behind it.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace tessera {

// Nothing where the text is no number, where something stands behind it, or where the type has no such number.
template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace tessera
