// SPDX-License-Identifier: BSD-3-Clause
// Result<T>, Error and describe: a value, or the reason why there is none. Budget: what one request may use.
#pragma once

#include "core/base/budget.hpp"
#include "core/base/error.hpp"
#include "core/base/result.hpp"
