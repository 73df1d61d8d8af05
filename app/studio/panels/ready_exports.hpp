// SPDX-License-Identifier: BSD-3-Clause
// What figures are exported for most often, as one choice: a format and a width.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/render/export/formats.hpp"

namespace tessera::studio {

struct ReadyExport {
  std::string_view word;  // in the dialog: "LaTeX column"
  FigureFormat format;
  std::string_view width;  // empty: as large as it is
};
// Those of the dialog, the most wanted first.
std::span<const ReadyExport> ready_exports();

// "Export as LaTeX at a column's width (3.33 in)", of each format that has a size and each width that has a name.
struct NamedExport {
  std::string title;
  FigureFormat format;
  std::string_view width;
};
std::vector<NamedExport> named_exports();

}  // namespace tessera::studio
