// SPDX-License-Identifier: BSD-3-Clause
// Value -> Scene: which figures there are, their parameters, and the picture as marks, before it has a format.
#pragma once

#include "core/diagram/kinds/figures.hpp"
#include "core/diagram/scene/scene.hpp"
#include "core/figure/figure.hpp"
#include "core/figure/kinds_taking.hpp"
#include "core/figure/options.hpp"
#include "core/library/tessera/evaluate.hpp"
