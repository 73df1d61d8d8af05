// SPDX-License-Identifier: BSD-3-Clause
#include "core/layout/value_table.hpp"

#include <cassert>
#include <cstdint>
#include <variant>

namespace tessera {

ValueTable::ValueTable(const AnyLayout& layout) {
  const Layout& plain = plain_part(layout);
  assert(plain.rank() == 2);
  first_ = image(plain[0]), second_ = image(plain[1]);
  const auto* composed = std::get_if<ComposedLayout>(&layout);
  if (composed == nullptr) return;
  const auto* swizzle = std::get_if<Swizzle>(&composed->outer);
  if (swizzle == nullptr || parts(*composed) > 2) {
    outer_ = with_plain_part(layout, Layout());
    return;
  }
  is_swizzled_ = true, swizzle_ = *swizzle;
  const auto add = [](std::int64_t a, std::int64_t b) {  // far outside the domain a sum wraps, as a layout's value does
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  };
  for (std::int64_t& value : first_) value = add(value, composed->offset.value());
}

}  // namespace tessera
