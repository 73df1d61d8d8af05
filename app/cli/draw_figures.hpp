// SPDX-License-Identifier: BSD-3-Clause
// The figures of `tessera draw`, made on as many cores as there are, and told of in their order.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/draw_arguments.hpp"
#include "app/session/files/options.hpp"
#include "core/render/export/formats.hpp"

namespace tessera {

// Where each figure goes. One figure in one format may go to stdout or a named file; several need a folder, or are one page of HTML.
struct DrawPlan {
  std::vector<FigureFormat> formats;
  std::optional<std::filesystem::path> file, folder;
  bool one_page = false;
  std::string title{};  // of the page; empty: the figure's own
};

// Makes and writes each figure in each format. The worst exit of all; what is refused is said in words, and keeps nothing else from
// being drawn.
Exit draw_figures(const DrawArguments& arguments, const FigureOptions& options, const DrawPlan& plan,
                  const std::vector<DrawSubject>& subjects);

}  // namespace tessera
