// SPDX-License-Identifier: BSD-3-Clause
// MMA and copy instructions by name, and what is tiled of them: TiledMma, TiledCopy.
#pragma once

#include "core/atom/copy/tiled_copy.hpp"
#include "core/atom/instructions/catalog.hpp"
#include "core/atom/mma/tiled_mma.hpp"
#include "core/library/tessera/layout.hpp"
