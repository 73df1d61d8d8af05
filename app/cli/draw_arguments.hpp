// SPDX-License-Identifier: BSD-3-Clause
// What `tessera draw` is asked for, and what it finds to draw.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/terminal.hpp"
#include "core/base/budget.hpp"
#include "core/diagram/scene/source.hpp"
#include "core/figure/figure.hpp"
#include "core/lang/document/document.hpp"
#include "core/lang/values/value.hpp"
#include "core/render/export/export.hpp"

namespace tessera {

struct DrawArguments : ExportOptions {
  std::string what, file, name, kind, style, palette, title, to, out;
  std::vector<std::string> set, given;  // NAME=VALUE: of the figures, and of the document's parameters
  SourcePlace place;                    // where `file` is a source
  bool force = false, list = false, figures_only = false, all_steps = false;
  Limits limits;  // the seconds are of everything; bytes and cells of the document, and of each figure in each format
  Budget::Time begun = std::chrono::steady_clock::now();
  bool caption_file = false;  // the words below stand in a file beside the figure's
};

// Something to draw.
struct DrawSubject {
  std::string name, expression;
  Result<Value> value;
  std::string place = {};               // "tour.tess:12: let sA: "; empty outside of a document
  std::vector<std::string> needs = {};  // symbols without a value
  Source source = {};                   // without what the arguments ask for
  std::string bound = {};               // the name of the binding that it is; empty: it is none
  std::int64_t step = 0;                // of its steps; 0: all of it at once, or what the parameters say
  std::string modes = {};               // see FigureOptions
};

// The kind, style, palette, title and parameters that the arguments ask for, each refused where it can be none.
Result<FigureOptions> figure_options(const DrawArguments& arguments);
// With the subject's step and modes.
FigureOptions options_of(const DrawSubject& subject, FigureOptions options);

// fig.svg, fig.pdf, fig.png, fig.tex, fig.json and fig.html are files that may carry their source.
bool is_figure_file(std::string_view what);
// The figures of such a file, several of a page of HTML only, and the names of the lines that it carries.
struct FigureFile {
  std::vector<DrawSubject> subjects;
  std::vector<EvaluatedBinding> bindings;
  Scope scope() const;  // valid while this lives
};
// What the arguments leave open becomes what the file says.
Result<FigureFile> read_figure_file(DrawArguments& arguments);

}  // namespace tessera
