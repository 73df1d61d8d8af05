// SPDX-License-Identifier: BSD-3-Clause
// The gallery: every kind of figure as a person last looked at it, drawn from one document, with the page that shows them. Written by
// TESSERA_ACCEPT=1.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/session/gemm/ladder_recording.hpp"
#include "core/diagram/explain/explain_cell.hpp"
#include "core/diagram/scene/selection.hpp"
#include "core/figure/figure.hpp"
#include "core/figure/figure_source.hpp"
#include "core/lang/document/document.hpp"
#include "core/render/export/page.hpp"
#include "core/render/shared/render.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/golden.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

constexpr std::size_t kLargestSvg = 220'000;  // bytes, with the fonts
constexpr double kUsualScale = 2;             // of `tessera draw`, which writes the same files

struct Shown {
  std::string name, expression, kind, svg;
  double ms = 0;  // making the figure and its SVG
};

std::vector<Shown> gallery() {
  const Document document = parse_document(read_file(test::source_dir() + "/assets/presets/gallery.tess")).value();
  std::vector<Shown> shown;
  const std::vector<EvaluatedBinding> values = evaluate(document);
  for (std::size_t i = 0; i < document.bindings.size(); ++i) {
    REQUIRE(i < values.size());
    const EvaluatedBinding& binding = values[i];
    CAPTURE(binding.name);
    if (!binding.value) FAIL(describe(binding.value.error()));
    if (!std::holds_alternative<std::shared_ptr<const FigureCall>>(binding.value->any)) continue;
    const auto begin = std::chrono::steady_clock::now();
    Result<Scene> scene = figure_of(*binding.value, document.bindings[i].expression);
    if (!scene) FAIL(describe(scene.error()));
    scene->source = source_of(document, i);
    RenderOptions options;
    options.scale = kUsualScale;
    const MakeFigure make = [&](const FigureRoom& room) {
      FigureOptions again;
      again.room = room;
      return figure_of(*binding.value, document.bindings[i].expression, again);
    };
    std::string svg = render_for_page(*scene, make, render_svg, options).value();
    Shown each{binding.name, document.bindings[i].expression, figure_kind_of(*binding.value).value(), std::move(svg), 0};
    each.ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    shown.push_back(std::move(each));
  }
  return shown;
}

std::string page(const std::vector<Shown>& shown) {
  std::string text;
  for (const FigureKind& kind : figure_kinds()) {
    text += "\n## " + std::string(kind.name) + "\n\n" + std::string(kind.help) + ".\n";
    for (const Shown& each : shown) {
      if (each.kind != kind.name) continue;
      text += "\n![" + each.name + "](gallery/" + each.name + ".svg)\n\n```\n" + each.expression + "\n```\n";
    }
  }
  return text + "\n";
}

}  // namespace

TEST_CASE("the gallery shows every kind of figure as a person last saw it", "[gallery]") {
  const std::vector<Shown> shown = gallery();
  std::set<std::string> kinds;
  for (const Shown& each : shown) {
    CAPTURE(each.name);
    kinds.insert(each.kind);
    const std::string file = test::source_dir() + "/docs/gallery/" + each.name + ".svg";
    if (accepting()) {
      std::filesystem::create_directories(test::source_dir() + "/docs/gallery");
      std::ofstream(file, std::ios::binary) << each.svg;
    }
    CHECK(read_file(file) == each.svg);
    CHECK(each.svg.size() < kLargestSvg);
  }
  for (const FigureKind& kind : figure_kinds()) {
    CAPTURE(kind.name);
    CHECK(kinds.contains(std::string(kind.name)));
  }
  CHECK(golden_section("docs/gallery.md", "gallery", page(shown)) == page(shown));
}

TEST_CASE("where a picture shows a cell's bank, the way to that cell leads to the same bank", "[gallery]") {
  std::size_t banks = 0;
  for (const char* preset : {"gallery", "tour"}) {
    const Document document = parse_document(read_file(test::source_dir() + "/assets/presets/" + preset + ".tess")).value();
    const std::vector<EvaluatedBinding> values = evaluate(document);
    for (std::size_t i = 0; i < document.bindings.size(); ++i) {
      if (!values[i].value || !is_drawable(*values[i].value)) continue;
      CAPTURE(preset, values[i].name);
      const Result<Scene> scene = figure_of(*values[i].value, document.bindings[i].expression);
      if (!scene) FAIL(describe(scene.error()));
      for (std::size_t p = 0; p < scene->panels.size(); ++p) {
        int cells = 0;
        each_cell(*scene, p, [&](const CellView& cell) {
          const std::vector<Subject> subjects = subjects_of(*scene, cell.id);
          if (subjects.empty() || subjects.front().bank < 0 || ++cells > 20) return;
          const std::optional<ExplainedCell> explained = explain(*scene, cell.id);
          if (!explained) return;
          ++banks;
          const auto step =
              std::find_if(explained->steps.begin(), explained->steps.end(), [](const auto& each) { return each.name == "bank"; });
          if (step == explained->steps.end()) FAIL(scene->panels[p].id << ": the way ends before the bank");
          CHECK(step->to == fmt::format("bank {}", subjects.front().bank));
        });
      }
    }
  }
  CHECK(banks > 100);
}

TEST_CASE("no file of the gallery is of a figure that it has no more", "[gallery]") {
  std::set<std::string> names;
  for (const Shown& each : gallery()) names.insert(each.name + ".svg");
  for (const auto& file : std::filesystem::directory_iterator(test::source_dir() + "/docs/gallery"))
    CHECK(names.contains(file.path().filename().string()));
}

TEST_CASE("a figure of the gallery is drawn in a twentieth of a second", "[gallery]") {
  gallery();  // fonts and tables are read once
  for (const Shown& each : gallery()) {
    CAPTURE(each.name, each.ms);
    if (each.kind != "gemm" && each.kind != "timeline") CHECK(each.ms < 50);  // those lower and simulate a kernel
  }
}

TEST_CASE("the launches of the gallery are those that were recorded", "[gallery]") {
  constexpr std::size_t kOfAPoint = 30;
  const MeasuredLadder ladder = read_ladder(read_file(test::source_dir() + "/assets/recordings/launches/h200-4096.json")).value();
  std::string launch, columns;
  for (const std::string name : {"producer_warp", "wgmma"}) {
    const auto rung = std::find_if(ladder.rungs.begin(), ladder.rungs.end(), [&](const MeasuredRung& each) { return each.name == name; });
    REQUIRE(rung != ladder.rungs.end());
    REQUIRE(rung->measurement);
    const Measurement& measured = *rung->measurement;
    const std::vector<double>& samples = measured.timing->interleaved.kernel.samples;
    REQUIRE(samples.size() == 10 * kOfAPoint);
    std::string median, low, high;
    launch.clear();
    for (std::size_t i = 0; i < samples.size(); i += kOfAPoint) {
      const auto first = samples.begin() + static_cast<std::ptrdiff_t>(i);
      const Spread us = spread_of({first, first + kOfAPoint});
      const auto put = [&](std::string& to, double time) {
        to += fmt::format("{}{:.1f}", to.empty() ? "" : ",", measured.flops / time * 1e-6);
      };
      put(median, us.median), put(low, us.p90), put(high, us.p10);
      launch += fmt::format("{}{}", launch.empty() ? "" : ",", i + kOfAPoint);
    }
    columns += fmt::format(", {0}=({1}), {0}_p10=({2}), {0}_p90=({3})", name, median, low, high);
  }
  const Document document = parse_document(read_file(test::source_dir() + "/assets/presets/gallery.tess")).value();
  const auto shown =
      std::find_if(document.bindings.begin(), document.bindings.end(), [](const auto& binding) { return binding.name == "launches"; });
  REQUIRE(shown != document.bindings.end());
  CHECK(shown->expression == fmt::format("table(launch=({}){})", launch, columns));
}
