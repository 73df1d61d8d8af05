// SPDX-License-Identifier: BSD-3-Clause
// A figure's file in a document: what it was made of becomes lines again.
#pragma once

#include <string>
#include <string_view>

#include "app/session/document/session.hpp"
#include "core/diagram/scene/source.hpp"

namespace tessera {

struct ImportedFigure {
  std::string lines;   // to stand below the document's; empty: all of them are there already
  std::string figure;  // the binding that is drawn
};
// The lines of a source, as they fit into a document: those that it has too are left out, and names that it has for something else get
// other ones. Options that the figure was drawn with stand in its call. `name`: of the figure, where the source has none for it.
Result<ImportedFigure> import_figure(const Session& session, const Source& source, std::string_view name);

}  // namespace tessera
