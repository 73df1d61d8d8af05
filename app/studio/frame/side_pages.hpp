// SPDX-License-Identifier: BSD-3-Clause
// The pages at the right of the window, a row each: whichever is chosen is drawn below their tabs.
#pragma once

#include <cstddef>
#include <span>

#include "app/studio/frame/app.hpp"

namespace tessera::studio {

struct SidePageRow {
  const char* title;  // of its tab
  // Whether it is shown when such a line is selected; of several the last.
  bool (*comes_with)(const EvaluatedBinding& selected);
  Answer (*draw)(App& app, Ui& ui, const ScreenRect& area);
};

std::span<const SidePageRow> side_pages();
// The number of the page that comes with a line.
std::size_t side_page_of(const EvaluatedBinding& selected);

}  // namespace tessera::studio
