// SPDX-License-Identifier: BSD-3-Clause
// Pages of words, areas and figures at places that somebody has decided: what a document of several pages is drawn from. Lengths are
// points from a page's upper left corner.
#pragma once

#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/diagram/scene/scene.hpp"
#include "core/render/shared/fonts.hpp"

namespace tessera {

struct PaperText {
  double x = 0, baseline = 0, size = 0;
  Typeface face = Typeface::inter;
  Rgb color;
  std::string text;  // one line
};

struct PaperArea {
  double x = 0, y = 0, width = 0, height = 0;
  Rgb color;
};

struct PaperFigure {
  double x = 0, y = 0;  // of the corner of its margins
  Scene scene;
  double cell_points = 0;
};

struct Paper {
  std::vector<PaperArea> areas;  // below all else
  std::vector<PaperText> texts;
  std::vector<PaperFigure> figures;
};

struct PaperDocument {
  double width = 0, height = 0;
  Page page;
  std::string title;
  std::vector<Paper> papers;
};

// A PDF of so many pages. Refused where Cairo is absent, and what would pass the request's budget.
Result<std::string> render_pdf_document(const PaperDocument& document);

}  // namespace tessera
