// SPDX-License-Identifier: BSD-3-Clause
// The effects among the actions: what the table of actions leaves to the studio, since the workspace does not know of it.
#pragma once

#include <string>
#include <string_view>

#include "app/studio/frame/app.hpp"

namespace tessera::studio {

struct Effect {
  std::string_view id;  // the action's
  void (*done)(App& app, const Arguments& arguments);
};

// Nothing for an action that changes the workspace only.
const Effect* find_effect(std::string_view id);
// The document's first GEMM and its page.
void show_gemm(App& app);
// A figure from an exported file, beside the others, with the lines that it needs.
Status add_figure(App& app, const std::string& path);

}  // namespace tessera::studio
