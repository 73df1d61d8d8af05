// SPDX-License-Identifier: BSD-3-Clause
// The end of a figure: its reading aids, its captions, and what of them is switched off.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/diagram/parts/fold.hpp"
#include "core/diagram/parts/reading_aids.hpp"

namespace tessera {

namespace {

bool has_grid(const Panel& panel) {
  return std::any_of(panel.marks.begin(), panel.marks.end(), [](const Mark& mark) { return std::holds_alternative<Grid>(mark); });
}

bool is_captions(const Panel& panel) { return panel.name == kCaptionPanel; }

// Everything but captions.
Bounds picture(const Scene& scene) {
  Scene alone;
  alone.text = scene.text;
  for (const Panel& panel : scene.panels) {
    if (!is_captions(panel)) alone.panels.push_back(panel);
  }
  return bounds(alone);
}

// Where charts have their legend: below the numbers of the axis. Words beside bars lie above them. Nothing: there are no numbers.
std::optional<float> below_axes(const Panel& panel) {
  std::optional<float> y;
  for (const Mark& mark : panel.marks) {
    if (const auto* label = std::get_if<Label>(&mark); label && label->role == LabelRole::axis)
      y = std::max(y.value_or(label->y), label->y);
  }
  return y;
}

// What part of a figure a label is, by its role and the panel that it stands in; empty: a part that stays.
std::string_view part_of(const Panel& panel, const Label& label, std::optional<float> axes_end) {
  const bool captions = is_captions(panel), grid = has_grid(panel);
  switch (label.role) {
    case LabelRole::axis: return "axes";
    case LabelRole::panel_name: return captions ? "title" : grid ? "heading" : "axes";
    case LabelRole::caption: return "caption";
    case LabelRole::note: return captions || grid ? "caption" : "";
    case LabelRole::legend: return captions ? "legend" : grid || !axes_end ? "axes" : label.y > *axes_end ? "legend" : "";
  }
  return "";
}

void take_out(Panel& panel, const FigureSpec& spec) {
  const std::optional<float> axes_end = below_axes(panel);
  std::vector<Label> legends;
  erase_marks(panel, [&](const Mark& mark) {
    const auto* label = std::get_if<Label>(&mark);
    if (!label) return false;
    const std::string_view part = part_of(panel, *label, axes_end);
    const bool off = !part.empty() && is_off(spec, part);
    if (off && part == "legend") legends.push_back(*label);
    return off;
  });
  // The swatches of these words.
  erase_marks(panel, [&](const Mark& mark) {
    const auto* cell = std::get_if<Cell>(&mark);
    return cell && std::any_of(legends.begin(), legends.end(),
                               [&](const Label& label) { return cell->x < label.x && label.y >= cell->y && label.y <= cell->y + cell->h; });
  });
}

void follow(Panel& panel, const Bounds& from, const Bounds& to) {
  const float middle = (from.y0 + from.y1) / 2;
  const auto moved = [&](auto& mark) { mark.y += mark.y > middle ? to.y1 - from.y1 : to.y0 - from.y0; };
  for (Mark& mark : panel.marks) {
    if (auto* label = std::get_if<Label>(&mark)) moved(*label);
    if (auto* cell = std::get_if<Cell>(&mark)) moved(*cell);
  }
}

}  // namespace

bool is_off(const FigureSpec& spec, std::string_view part) { return parameter(spec, part) == "no"; }

void switch_off(Scene& scene, const FigureSpec& spec) {
  constexpr std::string_view kParts[] = {"caption", "legend", "title", "axes", "heading"};
  if (std::none_of(std::begin(kParts), std::end(kParts), [&](std::string_view part) { return is_off(spec, part); })) return;
  const Bounds before = picture(scene);
  for (Panel& panel : scene.panels) take_out(panel, spec);
  const Bounds after = picture(scene);
  for (Panel& panel : scene.panels) {
    if (is_captions(panel)) follow(panel, before, after);
  }
  std::erase_if(scene.panels, [](const Panel& panel) { return panel.marks.empty(); });
}

Result<Scene> close_figure(Scene scene, const FigureSpec& spec, Captions captions, float unit) {
  TESSERA_TRY(cropped, crop(scene, spec));
  if (cropped) {
    // Texts are as large as the part wants them: the whole picture is made once more with that type.
    FigureSpec again = spec;
    again.text_unit = type_scale({}, cropped->rows, cropped->cols);
    if (spec.text_unit <= 0 && again.text_unit != unit) return make_unfinished(again);
    captions.notes.insert(captions.notes.begin(), cropped->words);
  }
  TESSERA_TRY(folded, fold(scene, spec, unit));
  if (folded && spec.text_unit <= 0) {
    FigureSpec again = spec;
    again.text_unit = type_scale({}, folded->rows, folded->cols);
    if (again.text_unit != unit) return make_unfinished(again);
  }
  if (folded && folded->at_lines && !captions.boundary.empty())
    captions.notes.insert(captions.notes.begin(), fmt::format("in {} pieces, cut where {}", folded->pieces, captions.boundary));
  TESSERA_TRY(selection, highlighted(spec));
  TESSERA_CHECK(highlight(scene, selection));
  if (const std::string lit = highlight_words(scene, selection); !lit.empty())
    captions.sentence += (captions.sentence.empty() ? "" : " ") + lit;
  add_captions(scene, spec, captions, unit);
  return scene;
}

}  // namespace tessera
