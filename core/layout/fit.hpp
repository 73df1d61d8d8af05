// SPDX-License-Identifier: BSD-3-Clause
// fit_layout: the layout that has given values, if there is one.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/layout/layout.hpp"

namespace tessera {

// A layout R compatible with `profile` such that R(i) == values[i] for all i. Requires values.size() == size(profile).
// fit_layout({0,2,1,3}, 4) -> (2,2):(2,1)
std::optional<Layout> fit_layout(const std::vector<std::int64_t>& values, const Shape& profile);

}  // namespace tessera
