// SPDX-License-Identifier: BSD-3-Clause
#include "core/diagram/scene/append_scene.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/diagram/scene/panel_part.hpp"

namespace tessera {

namespace {

// The numbers of one scene as they are in another.
class Renumber {
 public:
  Renumber(Scene& into, const Scene& part) {
    for (const Rgb color : part.palette) colors_.push_back(into.color(color));
    for (const std::string& tensor : part.tensors) {
      const auto known = std::find(into.tensors.begin(), into.tensors.end(), tensor);
      tensors_.push_back(static_cast<std::int32_t>(known - into.tensors.begin()));
      if (known == into.tensors.end()) into.tensors.push_back(tensor);
    }
    text_ = static_cast<std::uint32_t>(into.text.size());
    into.text += part.text;
    rests_ = static_cast<std::int32_t>(into.rests.size());
    into.rests.insert(into.rests.end(), part.rests.begin(), part.rests.end());
    words_ = static_cast<std::int32_t>(into.words.size());
    into.words.insert(into.words.end(), part.words.begin(), part.words.end());
    subjects_ = static_cast<std::uint32_t>(into.subjects.size());
    for (Subject subject : part.subjects) {
      subject.tensor = tensor(subject.tensor);
      if (subject.rest >= 0) subject.rest += rests_;
      if (subject.words >= 0) subject.words += words_;
      into.subjects.push_back(subject);
    }
  }

  void operator()(Cell& cell) const {
    cell.fill = color(cell.fill);
    cell.label.begin += text_;
    cell.subject = subject(cell.subject);
  }
  void operator()(Outline&) const {}
  void operator()(Line& line) const {
    line.color = color(line.color);
    line.subject = subject(line.subject);
  }
  void operator()(Arrow& arrow) const {
    arrow.color = color(arrow.color);
    arrow.subject = subject(arrow.subject);
  }
  void operator()(Label& label) const { label.text.begin += text_; }
  void operator()(Grid& grid) const {
    GridColumns columns = *grid.of;
    for (ColorIndex& fill : columns.fills) fill = color(fill);
    columns.tensor = tensor(columns.tensor);
    if (columns.rest >= 0) columns.rest += rests_;
    for (std::int32_t& rest : columns.rests) rest += rest >= 0 ? rests_ : 0;
    for (OtherPlace& place : columns.places) place.rest += place.rest >= 0 ? rests_ : 0;
    grid.of = std::make_shared<const GridColumns>(std::move(columns));
  }

 private:
  ColorIndex color(ColorIndex own) const { return own == kNoColor ? own : colors_[own]; }
  std::uint32_t subject(std::uint32_t own) const { return own == kNoSubject ? own : own + subjects_; }
  std::int32_t tensor(std::int32_t own) const { return own < 0 ? own : tensors_[static_cast<std::size_t>(own)]; }

  std::vector<ColorIndex> colors_;
  std::vector<std::int32_t> tensors_;
  std::uint32_t text_ = 0, subjects_ = 0;
  std::int32_t rests_ = 0, words_ = 0;
};

}  // namespace

void append_scene(Scene& into, const Scene& part, float dx, float dy, std::string_view letter) {
  const Renumber renumber(into, part);
  for (const Panel& each : part.panels) {
    if (each.name == kCaptionPanel) continue;
    Panel panel = each;
    panel.id = std::string(letter) + panel.id;
    panel.shown.clear();
    for (Mark& mark : panel.marks) {
      std::visit(renumber, mark);
      shift(mark, dx, dy);
    }
    into.panels.push_back(std::move(panel));
  }
}

}  // namespace tessera
