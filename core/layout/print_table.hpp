// SPDX-License-Identifier: BSD-3-Clause
// CuTe's print_layout: the layout, then its values as a table of characters, m down and n across.
#pragma once

#include <string>

#include "core/base/result.hpp"
#include "core/layout/swizzle.hpp"

namespace tessera {

//   (_2,_4):(_1,_2)
//         0   1   2   3
//       +---+---+---+---+
//    0  | 0 | 2 | 4 | 6 |
//
// Columns are as wide as the digits of the cosize, as CuTe's are; modes of modes are one row or column index. Refuses a rank other than 2,
// coordinates, and tables beyond the request's budget.
Result<std::string> print_layout(const AnyLayout& layout);

}  // namespace tessera
