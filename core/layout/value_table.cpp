// SPDX-License-Identifier: BSD-3-Clause
#include "core/layout/value_table.hpp"

#include <cassert>

namespace tessera {

ValueTable::ValueTable(const AnyLayout& layout) {
  const Layout& plain = plain_part(layout);
  assert(plain.rank() == 2);
  first_ = image(plain[0]), second_ = image(plain[1]);
  if (std::holds_alternative<ComposedLayout>(layout)) outer_ = with_plain_part(layout, Layout());
}

}  // namespace tessera
