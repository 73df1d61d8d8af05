// SPDX-License-Identifier: BSD-3-Clause
// ValueTable: a layout of two modes, such as (thr, val), for loops over all of its coordinates. A value is the sum of one entry of either
// mode's table, behind the swizzle where there is one; the tables have size(mode 0) + size(mode 1) entries, not the product.
//
//   ValueTable("(4,2):(2,1)")(3, 1) -> 6 + 1
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/layout/swizzle.hpp"

namespace tessera {

class ValueTable {
 public:
  // Of integer strides; the caller bounds the modes' sizes first.
  explicit ValueTable(const AnyLayout& layout);

  std::int64_t size(std::size_t mode) const { return static_cast<std::int64_t>((mode == 0 ? first_ : second_).size()); }
  // evaluate(layout, c0, c1), inside the domain.
  std::int64_t operator()(std::int64_t c0, std::int64_t c1) const {
    const std::int64_t index = first_[static_cast<std::size_t>(c0)] + second_[static_cast<std::size_t>(c1)];
    if (is_swizzled_) return swizzle_(index);
    return outer_ ? finish(*outer_, index) : index;
  }

 private:
  std::vector<std::int64_t> first_, second_;  // with the offset of a swizzled layout
  bool is_swizzled_ = false;
  Swizzle swizzle_;
  std::optional<AnyLayout> outer_;  // what stands before the layout part, where that is more than a swizzle
};

}  // namespace tessera
