// SPDX-License-Identifier: BSD-3-Clause
// The dialog that writes a figure to a file: what can be chosen, with the picture of it. Its rows are those of the tables that
// `tessera draw` has its options from.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "app/studio/widgets/figure_file.hpp"
#include "app/studio/widgets/textures.hpp"

namespace tessera::studio {

struct ExportState {
  FigureFile file;
  std::map<std::string, std::string> typed{};  // in fields of numbers and words
  std::string slip{};                          // why what is typed is not taken

  // The picture, and what it is of.
  std::optional<FigureFile> drawn{};
  std::uint64_t revision = 0;
  std::uint64_t texture = 0;
  int width = 0, height = 0;
  std::string text{};                 // of a format that is no picture
  std::string left_out{}, refused{};  // in words
};

// A figure as it is on the screen, as a file of this path: by its ending.
ExportState export_of(const Session& session, const std::string& binding, const std::string& path);
// Where a figure goes where nobody says it: beside the document.
std::string export_path(const Session& session, const std::string& binding, FigureFormat format);

}  // namespace tessera::studio
