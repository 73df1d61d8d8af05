// SPDX-License-Identifier: BSD-3-Clause
// Text -> Value: expressions in CuTe's notation, C++, the CuTe DSL, and what programs print.
#pragma once

#include "core/lang/programs/evaluate.hpp"
#include "core/lang/values/scope.hpp"
#include "core/lang/values/value.hpp"
#include "core/library/tessera/atom.hpp"
