// SPDX-License-Identifier: BSD-3-Clause
// How fast the studio is on this machine, without a display: frames, changes of a document, the first picture, memory.
#pragma once

#include <string>

#include "core/base/result.hpp"

namespace tessera::studio {

// JSON: a row for each case with its median and 95th percentile in milliseconds of processor time, and what is wanted of it.
// `frames` are drawn of each.
Result<std::string> run_bench(int frames);

// The same of a real window: the first figure on the screen is moved with the mouse, and each frame is timed by the clock from its input
// until it is shown. `frames` are drawn after some that warm up. Refuses where no figure is on the screen.
class App;
class Surface;
Result<std::string> bench_panning(App& app, Surface& surface, int frames);

}  // namespace tessera::studio
