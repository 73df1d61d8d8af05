// SPDX-License-Identifier: BSD-3-Clause
// A figure's source in a document: its lines are there, once, under names that are free, and draw what the file shows.
#include <string>

#include "app/session/actions/figure_import.hpp"

#include "core/figure/figure_source.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

Session holding(const char* text) {
  Session session;
  REQUIRE(session.open_text(text, "test"));
  return session;
}

// The source of a document's last binding, drawn with options.
Source last_of(const char* text, const FigureOptions& options = {}) {
  const Document document = parse_document(text).value();
  return with_options(source_of(document, document.bindings.size() - 1), options);
}

ImportedFigure imported(const Session& session, const Source& source) {
  const Result<ImportedFigure> made = import_figure(session, source, "tile 2");
  INFO((made ? "" : describe(made.error())));
  REQUIRE(made);
  return *made;
}

}  // namespace

TEST_CASE("the lines that a figure needs come with it") {
  const ImportedFigure made = imported(holding(""), last_of("let unused = 3\nlet n = 4\nlet data = (n,8):(8,1)\n"));
  CHECK(made.figure == "data");
  CHECK(made.lines == "let n = 4\nlet data = (n,8):(8,1)\n");
}

TEST_CASE("lines that the document has are left out, and names that it has for something else change, with their uses") {
  const Session session = holding("let n = 4\nlet m = 9\n");
  const ImportedFigure made = imported(session, last_of("let n = 4\nlet m = 8\nlet data = (n,m):(m,1)\n"));
  CHECK(made.figure == "data");
  CHECK(made.lines == "let m_2 = 8\nlet data = (n,m_2):(m_2,1)\n");
  const ImportedFigure all = imported(holding("let n = 4\nlet data = (n,8):(8,1)\n"), last_of("let n = 4\nlet data = (n,8):(8,1)\n"));
  CHECK(all.lines.empty());
  CHECK(all.figure == "data");
}

TEST_CASE("a line that only reads the same is another one where its names mean something else") {
  const ImportedFigure made = imported(holding("let n = 3\nlet data = (n,8):(8,1)\n"), last_of("let n = 4\nlet data = (n,8):(8,1)\n"));
  CHECK(made.lines == "let n_2 = 4\nlet data_2 = (n_2,8):(8,1)\n");
  CHECK(made.figure == "data_2");
}

TEST_CASE("options that the figure was drawn with stand in its call, and an expression gets the file's name") {
  FigureOptions options;
  options.parameters["thread"] = "3";
  options.style = FigureStyle::print_latex;
  const ImportedFigure made =
      imported(holding(""), last_of("let tv = ((2,4),(2,2)):((8,1),(4,16))\nlet p = tv_figure(tv, (4,8):(8,1))\n", options));
  CHECK(made.lines.find("let tile_2 = tv_figure(tv, (4,8):(8,1), thread=3, style=print_latex)") != std::string::npos);
  CHECK(made.figure == "tile_2");
  const ImportedFigure alone = imported(holding(""), source_of("(4,8):(8,1)"));
  CHECK(alone.lines == "let tile_2 = (4,8):(8,1)\n");
  FigureOptions rows;
  rows.parameters["labels"] = "offset";
  CHECK(imported(holding(""), with_options(source_of("(4,8):(8,1)"), rows)).lines ==
        "let tile_2 = (4,8):(8,1)\nlet tile_2_2 = layout_figure(tile_2, labels=offset)\n");
  CHECK(imported(holding(""), with_options(source_of("layout_figure((4,8):(8,1))"), rows)).lines ==
        "let tile_2 = layout_figure((4,8):(8,1), labels=offset)\n");
}
