// SPDX-License-Identifier: BSD-3-Clause
// What can be said about a figure's file: each row of the table changes the formats that it names, and no other.
#include <algorithm>
#include <optional>
#include <string>
#include <variant>

#include "core/render/export/export.hpp"

#include "core/diagram/kinds/figures.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

FigureSpec spec_of(int rows) {
  FigureSpec spec;
  spec.objects.push_back(Layout::make(IntTuple::tuple({rows, rows}), IntTuple::tuple({rows, 1})).value());
  spec.expression = "layout";
  return spec;
}

Result<Exported> exported(FigureFormat format, const ExportOptions& options, int rows = 24) {
  const MakeFigure make = [&](const FigureRoom& room) {
    FigureSpec spec = spec_of(rows);
    spec.text_unit = room.text_unit;
    if (room.fold > 1) spec.parameters["fold"] = std::to_string(room.fold);
    return make_figure(spec);
  };
  return export_figure(make({}).value(), make, format, options);
}

// Says something with a row.
ExportOptions said(const ExportOption& row) {
  ExportOptions options;
  if (const auto* text = std::get_if<std::string ExportOptions::*>(&row.member)) options.** text = std::string(row.choices.back());
  if (const auto* number = std::get_if<std::optional<double> ExportOptions::*>(&row.member))
    options.** number = row.name == "scale" ? 0.5 : 11;
  if (const auto* flag = std::get_if<bool ExportOptions::*>(&row.member)) options.** flag = true;
  return options;
}

}  // namespace

TEST_CASE("each row changes the formats that it names") {
  for (const ExportOption& row : export_options()) {
    for (const FigureFormat format : figure_formats()) {
      INFO(row.name << " " << extension(format));
      const Result<Exported> plain = exported(format, {}, 90), changed = exported(format, said(row), 90);
      INFO((changed ? "" : changed.error().message));
      REQUIRE(plain);
      REQUIRE(changed);
      CHECK((plain->bytes != changed->bytes) == row.says_something_to(format));
    }
  }
}

TEST_CASE("sizes that no figure has are refused, and two that say the same") {
  const auto why = [](const ExportOptions& options) {
    const Result<Exported> made = exported(FigureFormat::png, options);
    return made ? std::string() : made.error().message;
  };
  CHECK(why({.cell = 0.5}).starts_with("--cell 0.5 is no edge of a cell"));
  CHECK(why({.scale = 65}).starts_with("--scale 65 is above 0"));
  CHECK(why({.dpi = 0}).starts_with("--dpi 0 is above 0"));
  CHECK(why({.scale = 2, .dpi = 144}).starts_with("--scale and --dpi say the same thing"));
  CHECK_FALSE(why({.width = "wide"}).empty());
  CHECK(why({.height = "high"}).starts_with("\"high\" is no height"));
  CHECK(why({.width = "84mm", .fit = "slide"}).starts_with("--fit says how wide and how high"));
  CHECK(why({.fit = "poster"}).starts_with("--fit poster is no place"));
}

TEST_CASE("a preview is the picture of the PNG, pixel by pixel in size, and says what is left out") {
  const MakeFigure make = [](const FigureRoom& room) {
    FigureSpec spec = spec_of(64);
    spec.text_unit = room.text_unit;
    return make_figure(spec);
  };
  const Scene scene = make({}).value();
  const Result<Preview> narrow = preview_figure(scene, make, FigureFormat::pdf, {.width = "columnwidth"}, 2, 4000);
  REQUIRE(narrow);
  CHECK(narrow->width == Approx(2 * 3.33 * 72).margin(2));
  CHECK(narrow->rgba.size() == std::size_t{4} * static_cast<std::size_t>(narrow->width) * static_cast<std::size_t>(narrow->height));
  CHECK(narrow->left_out == exported(FigureFormat::pdf, {.width = "columnwidth"}, 64)->left_out);
  CHECK_FALSE(narrow->left_out.empty());
  std::size_t dark = 0;
  for (std::size_t i = 0; i < narrow->rgba.size(); i += 4) dark += narrow->rgba[i] < 128 && narrow->rgba[i + 3] == 255;
  CHECK(dark > 100);
  const Result<Preview> clear = preview_figure(scene, make, FigureFormat::png, {.transparent = true}, 1, 4000);
  REQUIRE(clear);
  CHECK(clear->rgba[3] == 0);
  const Result<Preview> large = preview_figure(scene, make, FigureFormat::png, {.cell = 500}, 2, 1000);
  REQUIRE(large);
  CHECK(std::max(large->width, large->height) < 1200);
  CHECK_FALSE(preview_figure(scene, make, FigureFormat::csv, {}, 1, 1000));
}
