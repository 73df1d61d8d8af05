// SPDX-License-Identifier: BSD-3-Clause
// Stated bounds of the language; a refusal names the one that was met.
#pragma once

#include <cstddef>

namespace tessera {

constexpr int kDeepestNesting = 256;           // brackets in one another
constexpr std::size_t kLongestText = 1 << 20;  // bytes of one expression

}  // namespace tessera
