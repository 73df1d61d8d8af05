// SPDX-License-Identifier: BSD-3-Clause
// Regrouping of divided and multiplied layouts along a tiler. Internal to core/layout.
#pragma once

#include <string_view>

#include "core/layout/tiler.hpp"

namespace tessera {

// Gathers the pairs at the tiler's leaves: ((T0,R0),(T1,R1),X) by <t0,t1> -> ((T0,T1),(R0,R1,X)).
Result<Layout> tile_unzip(std::string_view operation, const Layout& layout, const Tiler& tiler);

// Splices mode 1, and mode 0 if asked, one level up.
Layout unpack_modes(const Layout& pair, bool first);

}  // namespace tessera
