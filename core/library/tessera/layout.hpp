// SPDX-License-Identifier: BSD-3-Clause
// Layouts, swizzles and tilers; their algebra, with its laws; what is true of a layout; and its text in the spellings of CuTe.
#pragma once

#include "core/layout/algebra.hpp"
#include "core/layout/inspect.hpp"
#include "core/layout/layout.hpp"
#include "core/layout/print.hpp"
#include "core/layout/swizzle.hpp"
#include "core/layout/tiler.hpp"
#include "core/library/tessera/result.hpp"
