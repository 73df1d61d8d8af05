// SPDX-License-Identifier: BSD-3-Clause
// A layout of the window as text, to be kept under a name: which figures are where, and which panels beside them are shown.
#pragma once

#include <string>
#include <string_view>

#include "app/session/document/workspace.hpp"

namespace tessera {

std::string layout_text(const Workspace& workspace);
// The workspace with a layout that was kept. Refuses what cannot be read.
Result<Workspace> with_layout(Workspace workspace, std::string_view text);

}  // namespace tessera
