// SPDX-License-Identifier: BSD-3-Clause
// Value -> the bytes of a figure's file, in one call; with it all that figures and files are made of.
#pragma once

#include "core/library/draw.hpp"
#include "core/library/tessera/export.hpp"
#include "core/library/tessera/figure.hpp"
