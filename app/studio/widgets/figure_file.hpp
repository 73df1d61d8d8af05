// SPDX-License-Identifier: BSD-3-Clause
// A figure's file as the studio writes it: the bytes, and the picture of them that the dialog shows. Both are what `tessera draw` makes.
#pragma once

#include <string>
#include <string_view>

#include "app/session/document/session.hpp"
#include "core/render/export/export.hpp"

namespace tessera::studio {

struct FigureFile {
  std::string binding;
  FigureFormat format = FigureFormat::svg;
  FigureOptions figure;  // as it was on the screen, with what the dialog has changed
  ExportOptions sizes;
  friend bool operator==(const FigureFile&, const FigureFile&) = default;
};

Result<Exported> exported(const Session& session, const FigureFile& file);
// `scale`: pixels a point.
Result<Preview> previewed(const Session& session, const FigureFile& file, double scale, double longest);

// The format that a path's ending names. Refused where it is none.
Result<FigureFormat> format_of(std::string_view path);

}  // namespace tessera::studio
