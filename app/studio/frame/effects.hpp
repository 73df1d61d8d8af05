// SPDX-License-Identifier: BSD-3-Clause
// The effects among the actions: what the table of actions leaves to the studio, since the workspace does not know of it.
#pragma once

#include <string>

#include "app/studio/frame/app.hpp"

namespace tessera::studio {

void do_effect(App& app, Effect effect, const Arguments& arguments);
// The GEMM in question and its page at the side.
void show_gemm(App& app);
// A figure from an exported file, beside the others, with the lines that it needs.
Status add_figure(App& app, const std::string& path);

}  // namespace tessera::studio
