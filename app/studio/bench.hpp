// SPDX-License-Identifier: BSD-3-Clause
// How fast the studio is on this machine, without a display: frames, changes of a document, the first picture, memory.
#pragma once

#include <string>

#include "core/base/result.hpp"

namespace tessera::studio {

// JSON: a row for each case with its median and 95th percentile in milliseconds of processor time, and what is wanted of it.
// `frames` are drawn of each.
Result<std::string> run_bench(int frames);

}  // namespace tessera::studio
