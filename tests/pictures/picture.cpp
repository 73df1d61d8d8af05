// SPDX-License-Identifier: BSD-3-Clause
#include "tests/pictures/picture.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tests/attack/attack.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tessera::pictures {

namespace {

using nlohmann::json;

std::vector<Link> links_of(const json& mark, const std::vector<std::string>& tensors) {
  std::vector<Link> links;
  for (const json& of : mark.value("links", json::array())) {
    Link link;
    const auto number = [&](const char* key) { return of.value(key, Int{-1}); };
    link.thread = number("thread"), link.value = number("value"), link.row = number("row"), link.col = number("col");
    link.offset = number("offset"), link.bank = number("bank");
    if (const Int tensor = number("tensor"); tensor >= 0) link.tensor = tensors.at(static_cast<std::size_t>(tensor));
    link.coordinate = of.value("coordinate", std::string()), link.words = of.value("words", std::string());
    links.push_back(std::move(link));
  }
  return links;
}

std::string color_of(const json& mark, const char* key) { return mark.at(key).is_string() ? mark.at(key).get<std::string>() : ""; }

PanelDrawn panel_of(const json& from, const std::vector<std::string>& tensors) {
  PanelDrawn panel{from.at("id"), from.at("name"), from.at("down"), from.at("across"), {}, {}, {}, {}};
  for (const json& mark : from.at("marks")) {
    const std::string what = mark.at("mark");
    if (what == "cell") {
      panel.cells.push_back({mark.at("x"), mark.at("y"), mark.at("w"), mark.at("h"), color_of(mark, "fill"), mark.at("label"),
                             mark.value("faint", false), links_of(mark, tensors)});
    } else if (what == "label") {
      panel.labels.push_back({mark.at("x"), mark.at("y"), mark.at("text"), mark.at("role"), mark.at("anchor")});
    } else if (what == "outline") {
      panel.frames.push_back({mark.at("x"), mark.at("y"), mark.at("w"), mark.at("h"), mark.at("role")});
    } else if (what == "line" || what == "arrow") {
      StrokeDrawn stroke{mark.at("x0"),           mark.at("y0"),          mark.at("x1"), mark.at("y1"), mark.value("role", std::string()),
                         color_of(mark, "color"), links_of(mark, tensors)};
      (what == "line" ? panel.lines : panel.arrows).push_back(std::move(stroke));
    }
  }
  return panel;
}

Picture read_picture(const std::string& text) {
  const json from = json::parse(text);
  const auto tensors = from.at("tensors").get<std::vector<std::string>>();
  Picture picture{from.at("expression"), from.at("title"), {}};
  for (const json& panel : from.at("panels")) picture.panels.push_back(panel_of(panel, tensors));
  return picture;
}

// A document of its own for each case, since their lines may give the same name to different things; one run of the program draws them all.
std::vector<Picture> drawn(const std::vector<Case>& cases) {
  const test::TemporaryFolder home;
  std::string run = "set -e";
  for (std::size_t i = 0; i < cases.size(); ++i) {
    std::string document;
    for (const std::string& line : cases[i].lines) document += line + "\n";
    test::put(home / fmt::format("{}.tess", i), document + "let picture = " + cases[i].figure + "\n");
    run += fmt::format("; tessera draw {}.tess --name picture --to json > {}.json", i, i);
  }
  const test::Run done = test::shell_in(home.path(), run);
  INFO(done.err);
  REQUIRE(done.code == 0);
  std::vector<Picture> pictures;
  for (std::size_t i = 0; i < cases.size(); ++i) pictures.push_back(read_picture(test::contents(home / fmt::format("{}.json", i))));
  return pictures;
}

// ---- faults ---------------------------------------------------------------------------------------------------------------------

using Random = std::mt19937;

// A cell that stands for something, of all panels.
std::vector<std::pair<std::size_t, std::size_t>> cells_with_links(const Picture& picture) {
  std::vector<std::pair<std::size_t, std::size_t>> all;
  for (std::size_t p = 0; p < picture.panels.size(); ++p) {
    for (std::size_t c = 0; c < picture.panels[p].cells.size(); ++c) {
      if (!picture.panels[p].cells[c].links.empty()) all.emplace_back(p, c);
    }
  }
  return all;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Another digit somewhere in a label that is not among the words below.
std::optional<Picture> with_other_word(Picture picture, Random& random) {
  std::vector<LabelDrawn*> labels;
  for (PanelDrawn& panel : picture.panels) {
    for (LabelDrawn& label : panel.labels) {
      if (panel.name != "caption" && std::any_of(label.text.begin(), label.text.end(), is_digit)) labels.push_back(&label);
    }
  }
  if (labels.empty()) return std::nullopt;
  std::string& text = labels[random() % labels.size()]->text;
  char& digit = *std::find_if(text.begin(), text.end(), is_digit);
  digit = digit == '9' ? '1' : static_cast<char>(digit + 1);
  return picture;
}

// A line or an arrow half a cell beside its place, across its direction.
std::optional<Picture> with_moved_stroke(Picture picture, Random& random) {
  std::vector<StrokeDrawn*> strokes;
  for (PanelDrawn& panel : picture.panels) {
    for (auto* of : {&panel.lines, &panel.arrows}) {
      for (StrokeDrawn& stroke : *of) strokes.push_back(&stroke);
    }
  }
  if (strokes.empty()) return std::nullopt;
  StrokeDrawn& stroke = *strokes[random() % strokes.size()];
  const bool is_level = std::abs(stroke.y1 - stroke.y0) < std::abs(stroke.x1 - stroke.x0);
  for (double* at : {is_level ? &stroke.y0 : &stroke.x0, is_level ? &stroke.y1 : &stroke.x1}) *at += 0.5;
  return picture;
}

void change_one_number(Link& link) {
  if (link.offset >= 0)
    ++link.offset;
  else if (link.value >= 0)
    ++link.value;
  else if (link.thread >= 0)
    ++link.thread;
  else if (link.row >= 0)
    ++link.row;
  else if (!link.coordinate.empty())
    link.coordinate += "1";
  else
    link.words += "1";
}

// Nothing where no two cells differ in what the fault exchanges.
std::optional<Picture> with_fault(Picture picture, Fault fault, Random& random) {
  if (fault == Fault::word) return with_other_word(std::move(picture), random);
  if (fault == Fault::stroke) return with_moved_stroke(std::move(picture), random);
  const auto cells = cells_with_links(picture);
  if (cells.empty()) return std::nullopt;
  for (int tried = 0; tried < 50; ++tried) {
    const auto some = [&] { return cells[random() % cells.size()]; };
    const auto [p, c] = some();
    const auto [other_p, other_c] = some();
    CellDrawn& cell = picture.panels[p].cells[c];
    CellDrawn& other = picture.panels[other_p].cells[other_c];
    switch (fault) {
      case Fault::owners:
        if (p != other_p || cell.links == other.links) continue;
        std::swap(cell.links, other.links);
        return picture;
      case Fault::offset: change_one_number(cell.links.front()); return picture;
      case Fault::label:
        if (cell.label == other.label || cell.label.empty()) continue;
        cell.label = other.label;
        return picture;
      case Fault::lost: picture.panels[p].cells.erase(picture.panels[p].cells.begin() + static_cast<std::ptrdiff_t>(c)); return picture;
      case Fault::moved:
        if (p != other_p || cell.links == other.links) continue;
        std::swap(cell.x, other.x), std::swap(cell.y, other.y), std::swap(cell.w, other.w), std::swap(cell.h, other.h);
        return picture;
      case Fault::word:
      case Fault::stroke: return std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace

const PanelDrawn* Picture::panel(std::string_view id) const {
  const auto at = std::find_if(panels.begin(), panels.end(), [&](const PanelDrawn& panel) { return panel.id == id; });
  return at == panels.end() ? nullptr : &*at;
}

std::string_view name_of(Fault fault) {
  switch (fault) {
    case Fault::owners: return "owners exchanged";
    case Fault::offset: return "a number changed";
    case Fault::label: return "a label copied";
    case Fault::lost: return "a cell lost";
    case Fault::moved: return "cells moved";
    case Fault::word: return "a digit changed";
    case Fault::stroke: return "a line moved";
  }
  return "";
}

int cases_a_kind() { return 40 * attack::factor(); }

void hold(std::string_view kind, const std::vector<Case>& cases, std::span<const Fault> more) {
  const std::vector<Picture> pictures = drawn(cases);
  std::vector<Fault> faults(std::begin(kFaults), std::end(kFaults));
  faults.insert(faults.end(), more.begin(), more.end());
  Random random(1);
  std::size_t cells = 0;
  std::vector<std::size_t> planted(faults.size(), 0), seen(faults.size(), 0);
  std::vector<std::string> unseen(faults.size());  // a figure whose fault was not seen
  for (std::size_t i = 0; i < cases.size(); ++i) {
    CAPTURE(cases[i].figure, cases[i].lines);
    const std::string wrong = cases[i].wrong(pictures[i]);
    CHECK(wrong == "");
    for (const PanelDrawn& panel : pictures[i].panels) cells += panel.cells.size();
    for (std::size_t f = 0; wrong.empty() && f < faults.size(); ++f) {
      const auto faulty = with_fault(pictures[i], faults[f], random);
      if (!faulty) continue;
      ++planted[f];
      if (cases[i].wrong(*faulty).empty())
        unseen[f] = cases[i].figure;
      else
        ++seen[f];
    }
  }
  std::string line = fmt::format("{}: {} pictures, {} cells", kind, cases.size(), cells);
  for (std::size_t f = 0; f < faults.size(); ++f) {
    line += fmt::format("; {} {} of {}", name_of(faults[f]), seen[f], planted[f]);
    INFO(kind << ", " << name_of(faults[f]) << ": " << unseen[f]);
    CHECK(seen[f] == planted[f]);
  }
  std::puts(line.c_str());
}

}  // namespace tessera::pictures
