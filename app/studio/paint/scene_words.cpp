// SPDX-License-Identifier: BSD-3-Clause
// Paints the words of scenes: numbers of axes, headings and captions, whose sizes are in pixels however large cells are.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "app/studio/paint/scene_fit.hpp"
#include "app/studio/paint/scene_marks.hpp"
#include "app/studio/widgets/widgets.hpp"
#include "core/base/utf8.hpp"

namespace tessera::studio {
namespace {

constexpr std::size_t kMostAxisMarks = 4096;                                    // of a panel whose numbers are thinned
constexpr float kSwatchWidth = 1.2f, kSwatchHeight = 0.7f, kSwatchStep = 1.4f;  // of a legend, in sizes of its type

// Numbers of rows and columns, and what they count: "m↓ n→" in the corner.
bool is_axis(const Label& label) {
  return label.role == LabelRole::axis || (label.role == LabelRole::legend && label.anchor == Anchor::right);
}

// Words in lines of a width; a word that is longer is broken.
std::vector<std::string_view> wrapped(const Face& face, std::string_view words, float width) {
  std::vector<std::string_view> lines;
  while (words.ends_with(' ')) words.remove_suffix(1);
  const auto wide = [&](std::string_view part) { return text_size(face.font, face.size, part.data(), part.data() + part.size()).x; };
  while (wide(words) > width) {
    std::size_t end = std::string_view::npos;
    for (std::size_t blank = words.find(' '); blank != std::string_view::npos; blank = words.find(' ', blank + 1)) {
      if (end != std::string_view::npos && wide(words.substr(0, blank)) > width) break;
      end = blank;
    }
    if (end == std::string_view::npos || wide(words.substr(0, end)) > width) {
      std::size_t fits = std::min(words.find(' '), words.size());
      while (fits > 1 && wide(words.substr(0, fits)) > width) fits = utf8_prefix(words, fits - 1).size();
      fits = std::max<std::size_t>(fits, 1);
      lines.push_back(words.substr(0, fits));
      words.remove_prefix(fits);
      continue;
    }
    lines.push_back(words.substr(0, end));
    words.remove_prefix(std::min(words.find_first_not_of(' ', end), words.size()));
  }
  lines.push_back(words);
  return lines;
}

}  // namespace

// Labels beside the cells keep a distance in pixels, however small the cells are.
ImVec2 ScenePainter::place_label(const Label& label, ImVec2 size) {
  ImVec2 p = camera_.to_screen(label.x, label.y);
  if (is_caption(label, index_)) {
    const Bounds& all = index_.all_cells();
    const float top = camera_.to_screen(0, all.y1).y + captions_ + 14 * c_.ui_scale;
    captions_ += size.y + 4 * c_.ui_scale;
    return {place_of_captions(), std::round(top)};
  }
  const float left = label.anchor == Anchor::left ? 0 : label.anchor == Anchor::right ? size.x : size.x / 2;
  const Bounds& cells = index_.cell_bounds()[panel_];
  const float end = camera_.to_screen(0, index_.all_cells().y1).y;
  const ImVec2 a = camera_.to_screen(cells.x0, cells.y0), b = camera_.to_screen(cells.x1, cells.y1);
  // Numbers and headings stay near, however large cells are, and the headings above the numbers.
  const float gap = (is_axis(label) ? 5.0f : 22.0f) * c_.ui_scale, most = is_axis(label) ? 2 * gap + size.y / 2 : 44 * c_.ui_scale;
  if (cells.x1 > cells.x0) {
    if (label.y <= cells.y0)
      p.y = std::max(std::min(p.y, a.y - gap - size.y / 2), a.y - most);
    else if (label.y >= cells.y1)
      p.y = std::max(p.y, b.y + gap + size.y / 2);
    if (is_axis(label) && label.x <= cells.x0) p.x = std::min(p.x, a.x - gap - size.x + left);
    captions_ = std::max(captions_, p.y + size.y / 2 - end);  // captions begin below
    if (is_axis(label) && label.x >= cells.x1) p.x = std::max(p.x, b.x + gap + left);
  }
  return {std::round(p.x - left), std::round(p.y - size.y / 2)};
}

// How far a caption's words stand to the right, in pixels: behind their legend's swatches. Further lines of the legend, which the scene
// has under the first, stand there too.
float ScenePainter::indent(const Label& label, float type) {
  if (!swatches_.empty()) {
    legend_x_ = label.x;
    legend_indent_ = static_cast<float>(swatches_.size()) * std::round(kSwatchStep * type) + std::round(0.3f * type);
    return legend_indent_;
  }
  const bool goes_on = label.role == LabelRole::legend && label.x == legend_x_ && label.x > index_.all_cells().x0;
  if (!goes_on) legend_indent_ = 0;
  return legend_indent_;
}

void ScenePainter::swatches(ImVec2 at, float height, float type) {
  const float w = std::round(kSwatchWidth * type), h = std::round(kSwatchHeight * type), y = std::round(at.y + (height - h) / 2);
  const Face& face = Fonts::at_most(c_.fonts.cell, h);
  for (std::size_t i = 0; i < swatches_.size(); ++i, at.x += std::round(kSwatchStep * type)) {
    const ImU32 ground = color_of(scene_, swatches_[i], c_.theme.cell);
    c_.list->AddRectFilled({at.x, y}, {at.x + w, y + h}, ground);
    if (i >= numbers_.size() || numbers_[i].empty()) continue;
    const std::string_view number = numbers_[i];
    const ImVec2 size = text_size(face.font, face.size, number.data(), number.data() + number.size());
    if (size.x > w) continue;
    c_.list->AddText(face.font, face.size, {std::round(at.x + (w - size.x) / 2), std::round(y + (h - size.y) / 2)},
                     ink_on_fill(swatches_[i]), number.data(), number.data() + number.size());
  }
  swatches_.clear();
  numbers_.clear();
}

// Where a heading may stand beside those of other panels, and beside their numbers of rows.
ScenePainter::Span ScenePainter::room_for_heading(ImVec2 at, ImVec2 size) const {
  constexpr float kNumbers = 26, kAbove = 18;  // units: of rows left of another panel, of columns above it
  const float s = c_.ui_scale;
  Span room{area_.a.x + 4 * s, area_.b.x - 4 * s};
  const Bounds& own = index_.cell_bounds()[panel_];
  for (const Bounds& other : index_.cell_bounds()) {
    if (&other == &own || other.x1 <= other.x0) continue;
    const ImVec2 a = camera_.to_screen(other.x0, other.y0), b = camera_.to_screen(other.x1, other.y1);
    const bool in_a_row = std::abs(other.y0 - own.y0) < 0.5f;  // its own heading stands beside this one
    if (!in_a_row && (b.y + 4 * s < at.y || a.y - kAbove * s > at.y + size.y)) continue;
    if (other.x0 >= own.x1) room.end = std::min(room.end, a.x - kNumbers * s);
    if (other.x1 <= own.x0) room.begin = std::max(room.begin, b.x + 6 * s);
  }
  return room;
}

// Words over the cells: wrapped upwards where they have no room beside each other, and within the canvas where their cells are.
void ScenePainter::heading(const Label& label, const Face& face, std::string_view words, ImU32 color) {
  const ImVec2 whole = text_size(face.font, face.size, words.data(), words.data() + words.size());
  const ImVec2 at = place_label(label, whole);
  if (outside(at, {at.x + whole.x, at.y + whole.y})) return;
  const bool has_cells = index_.cell_bounds()[panel_].x1 > index_.cell_bounds()[panel_].x0;
  Span room = has_cells ? room_for_heading(at, whole) : Span{at.x, area_.b.x - 4 * c_.ui_scale};
  const float least = 64 * c_.ui_scale;
  room.end = std::max(room.end, room.begin + least);
  const std::vector<std::string_view> lines = wrapped(face, words, room.end - room.begin);
  float y = at.y - whole.y * static_cast<float>(lines.size() - 1);
  for (const std::string_view line : lines) {
    const float width = text_size(face.font, face.size, line.data(), line.data() + line.size()).x;
    const float x = label.anchor == Anchor::left ? at.x : at.x + (whole.x - width) / 2;
    const float placed = std::round(std::max(std::min(x, room.end - width), room.begin));
    c_.list->AddText(face.font, face.size, {placed, y}, color, line.data(), line.data() + line.size());
    y += whole.y;
  }
}

// Above the headings, which keep a distance in pixels from the cells.
void ScenePainter::title() {
  if (std::exchange(titled_, true)) return;
  const float s = c_.ui_scale, height = kTitleLine * s;
  const Face& face = Fonts::at_most(c_.fonts.label, 15 * caption_type_ * s);
  const float left = std::max(place_of_captions(), area_.a.x + 8 * s);
  const std::vector<std::string_view> lines = wrapped(face, scene_.title, std::max(area_.b.x - left - 8 * s, 64 * s));
  float y = camera_.to_screen(0, index_.all_cells().y0).y - 50 * s - height * static_cast<float>(lines.size());
  for (const std::string_view line : lines) {
    if (!outside({left, y}, {area_.b.x, y + height}))
      c_.list->AddText(face.font, face.size, {left, std::round(y)}, c_.theme.text, line.data(), line.data() + line.size());
    y += height;
  }
}

void ScenePainter::caption(const Label& label, const Face& face, std::string_view words, ImU32 color) {
  const bool has_swatches = !swatches_.empty();
  const float s = c_.ui_scale, height = text_size(face.font, face.size, "", nullptr).y;
  const float begin = place_of_captions(), to_end = area_.b.x - begin - 6 * s;
  const bool is_in = begin >= area_.a.x && to_end >= 160 * s;
  const float width = is_in ? to_end : caption_width(area_, s);
  // Swatches that leave no room for the words have them below.
  float right = indent(label, face.size);
  const bool is_under =
      right > 0 && width - right < 120 * s && text_size(face.font, face.size, words.data(), words.data() + words.size()).x > width - right;
  if (is_under) right = 0;
  const std::vector<std::string_view> lines = wrapped(face, words, width - right);
  const float first = is_under && has_swatches ? height : 0;
  ImVec2 at = place_label(label, {width, first + height * static_cast<float>(lines.size())});
  if (has_swatches && at.y + height > area_.b.y) swatches_.clear(), numbers_.clear();
  if (has_swatches) swatches(at, height, face.size);
  at.y += first;
  for (const std::string_view line : lines) {
    // A line that is cut in half is no line, and the last one says that there are more below.
    const bool whole = at.y + height <= area_.b.y && at.y + height >= area_.a.y;
    const bool goes_on = line.data() != lines.back().data() && at.y + 2 * height > area_.b.y;
    const std::string shown = goes_on ? elided(face, std::string(line) + "\n", width - right) : std::string(line);
    if (whole) c_.list->AddText(face.font, face.size, {at.x + right, at.y}, color, shown.data(), shown.data() + shown.size());
    at.y += height;
  }
}

// The type of words beside and below the cells.
const Face& ScenePainter::face_of(const Label& label) const {
  const float s = c_.ui_scale;
  const bool axis = is_axis(label);
  const float most = is_caption(label, index_) ? 12 * caption_type_ : axis ? 15.0f : 18.0f;
  return Fonts::at_most(axis ? c_.fonts.cell : c_.fonts.label,
                        std::clamp(type_size(label) * camera_.scale, (axis ? 10 : 12) * s, most * s));
}

// Where not all numbers of an axis have room every second one is left out, or more, so that they count evenly.
void ScenePainter::thin_numbers() {
  thinned_.clear();
  if (scene_.panels[panel_].marks.size() > kMostAxisMarks) return;
  for (const bool across : {true, false}) {  // columns stand at one height, rows under each other
    std::map<float, std::vector<const Label*>> axes;
    for (const Mark& mark : scene_.panels[panel_].marks) {
      const Label* label = std::get_if<Label>(&mark);
      if (!label || label->role != LabelRole::axis || (label->anchor == Anchor::center) != across) continue;
      axes[across ? label->y : label->x].push_back(label);
    }
    for (const auto& [where, labels] : axes) {
      float widest = 0, least = 3.0e38f;
      for (std::size_t i = 0; i < labels.size(); ++i) {
        const std::string_view words = scene_.text_of(labels[i]->text);
        const Face& face = face_of(*labels[i]);
        const ImVec2 size = text_size(face.font, face.size, words.data(), words.data() + words.size());
        widest = std::max(widest, across ? size.x + 4 : size.y);
        if (i > 0) least = std::min(least, camera_.scale * (across ? labels[i]->x - labels[i - 1]->x : labels[i]->y - labels[i - 1]->y));
      }
      if (labels.size() < 3 || least <= 0 || least >= widest) continue;
      const auto every = static_cast<std::size_t>(std::ceil(widest / least));
      for (std::size_t i = 0; i < labels.size(); ++i) {
        if (i % every != 0) thinned_.push_back(labels[i]);
      }
    }
  }
  std::sort(thinned_.begin(), thinned_.end());
}

void ScenePainter::operator()(const Label& label) {
  const std::string_view words = scene_.text_of(label.text);
  if (says_expression(scene_, label) || says_name(scene_, scene_.panels[panel_], label)) return;
  if (!swatches_.empty() && label.anchor == Anchor::center && scene_.panels[panel_].name == kCaptionPanel) return numbers_.push_back(words);
  if (is_title(scene_, scene_.panels[panel_], label)) return title();
  if (std::binary_search(thinned_.begin(), thinned_.end(), &label)) return;
  const bool axis = is_axis(label), name = label.role == LabelRole::panel_name;
  const ImU32 color = name ? c_.theme.text : c_.theme.dim;
  const Face& face = face_of(label);
  if (is_caption(label, index_)) return caption(label, face, words, color);
  if (name) return heading(label, face, words, color);
  const ImVec2 size = text_size(face.font, face.size, words.data(), words.data() + words.size());
  const ImVec2 a = place_label(label, size), b(a.x + size.x, a.y + size.y);
  if (outside(a, b)) return;
  // Words between marks of the picture stand in its scale: where they would be much larger they lie over what they name.
  constexpr float kLeastInPicture = 7;  // units
  if (!axis && label.anchor == Anchor::center && type_size(label) * camera_.scale < kLeastInPicture * c_.ui_scale) return;
  if (axis) {
    for (const ScreenRect& r : taken_) {
      if (a.x < r.b.x + 4 && r.a.x < b.x + 4 && a.y < r.b.y && r.a.y < b.y) return;
    }
    taken_.push_back({a, b});
  }
  c_.list->AddText(face.font, face.size, a, color, words.data(), words.data() + words.size());
}

}  // namespace tessera::studio
