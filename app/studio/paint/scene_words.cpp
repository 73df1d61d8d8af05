// SPDX-License-Identifier: BSD-3-Clause
// Numbers first, since they say which cell is which; then headings, what is written in the picture, and the title over all.
#include "app/studio/paint/scene_words.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/number_text.hpp"
#include "core/base/utf8.hpp"

namespace tessera::studio {
namespace {

constexpr std::size_t kMostAxisMarks = 4096;  // of a panel whose numbers are thinned

// Numbers of rows and columns, and what they count: "m↓ n→" in the corner.
bool is_axis(const Label& label) {
  return label.role == LabelRole::axis || (label.role == LabelRole::legend && label.anchor == Anchor::right);
}

// Figures say their name above; on a canvas it stands in the header already.
bool says_name(const Scene& scene, const Label& label) {
  return scene.title.empty() && !scene.name.empty() && scene.text_of(label.text) == scene.name;
}

const Label* only_heading(const Scene& scene, const SceneIndex& index);

class Words {
 public:
  explicit Words(const WordsInput& in) : in_(in), s_(in.ui_scale), left_out_(in.title ? nullptr : only_heading(in.scene, in.index)) {
    const Bounds& all = in.index.all_drawn();
    top_ = in.camera.to_screen(all.x0, all.y0).y;
    made_.taken = {{1e30f, 1e30f}, {-1e30f, -1e30f}};
    if (in.taken) taken_ = *in.taken;
  }

  PlacedWords place() {
    for (const Pass pass : {Pass::numbers, Pass::headings, Pass::notes, Pass::corners}) {
      for (panel_ = 0; panel_ < in_.scene.panels.size(); ++panel_) {
        if (in_.scene.panels[panel_].name != kCaptionPanel) place(pass);
      }
    }
    if (in_.title) title();
    return std::move(made_);
  }

 private:
  enum class Pass { numbers, headings, notes, corners };

  void place(Pass pass) {
    const std::vector<std::uint32_t>& labels = in_.index.labels()[panel_];
    if (pass == Pass::numbers) {
      thin_numbers();
      band_ = band_of_columns();
    }
    for (const std::uint32_t mark : labels) {
      const Label& label = std::get<Label>(in_.scene.panels[panel_].marks[mark]);
      const Pass own = is_corner(label, in_.index.cell_bounds()[panel_]) ? Pass::corners
                       : is_axis(label)                                  ? Pass::numbers
                       : label.role == LabelRole::panel_name             ? Pass::headings
                                                                         : Pass::notes;
      if (own != pass || &label == left_out_) continue;
      if (own == Pass::headings)
        heading(label);
      else
        text(label, in_.scene.text_of(label.text), own != Pass::notes);
    }
    if (pass == Pass::numbers && !in_.whole) write_numbers_between();
  }

  bool outside(ImVec2 a, ImVec2 b) const {
    return !in_.whole && (b.x < in_.area.a.x || a.x > in_.area.b.x || b.y < in_.area.a.y || a.y > in_.area.b.y);
  }
  bool is_free(ImVec2 a, ImVec2 b, float beside) const {
    return std::none_of(taken_.begin(), taken_.end(),
                        [&](const ScreenRect& r) { return a.x < r.b.x + beside && r.a.x < b.x + beside && a.y < r.b.y && r.a.y < b.y; });
  }
  // What is cut at the canvas's edge is left out.
  bool is_cut(ImVec2 a, ImVec2 b) const {
    return !in_.whole && (a.x < in_.area.a.x || b.x > in_.area.b.x || a.y < in_.area.a.y || b.y > in_.area.b.y);
  }
  void take(const Face& face, ImVec2 a, ImVec2 b, std::string_view words, PlacedText::Ink ink) {
    taken_.push_back({a, b});
    made_.texts.push_back({a, &face, words, ink});
  }
  void grow(ImVec2 a, ImVec2 b) {
    ScreenRect& r = made_.taken;
    r = {{std::min(r.a.x, a.x), std::min(r.a.y, a.y)}, {std::max(r.b.x, b.x), std::max(r.b.y, b.y)}};
    top_ = std::min(top_, a.y);
  }
  static ImVec2 size_of(const Face& face, std::string_view words) {
    return text_size(face.font, face.size, words.data(), words.data() + words.size());
  }
  const Face& face_of(const Label& label) const {
    const bool axis = is_axis(label);
    const float pixels = type_size(label) * in_.camera.rate_at(label.x, label.y);
    return Fonts::at_most(axis ? in_.fonts.cell : in_.fonts.label, std::clamp(pixels, (axis ? 10 : 11) * s_, (axis ? 15 : 18) * s_));
  }
  // Of the panel's grids; with words beside it.
  ScreenRect cells() const {
    const Bounds& b = in_.index.cell_bounds()[panel_];
    return {in_.camera.to_screen(b.x0, b.y0), in_.camera.to_screen(b.x1, b.y1)};
  }
  bool has_cells() const { return in_.index.cell_bounds()[panel_].x1 > in_.index.cell_bounds()[panel_].x0; }

  void thin_numbers();
  // The labels that number an axis of the panel, in order, by the place of the axis: columns stand at one height, rows under each other.
  std::map<float, std::vector<const Label*>> numbered_axes(bool across) const;
  void write_numbers_between();
  void write_numbers_between(const std::vector<const Label*>& axis, bool across);
  bool has_cells_of(float length, bool across) const;
  void text(const Label& label, std::string_view words, bool axis);
  void heading(const Label& label);
  void title();
  bool stay(const Label& label, ImVec2 size, ImVec2& at);
  float band_of_columns() const;
  struct Span {
    float begin, end;
  };
  Span room_for_heading(ImVec2 at, ImVec2 size) const;

  const WordsInput& in_;
  const float s_;
  const Label* left_out_;  // a heading
  PlacedWords made_;
  std::size_t panel_ = 0;
  float top_ = 0;                      // of all that has its own place
  float band_ = 0;                     // pixels from the canvas's upper edge, where numbers of the panel's columns stay
  std::vector<ScreenRect> taken_;      // by words, so that none is written over another
  std::vector<const Label*> thinned_;  // numbers that are left out, sorted
};

std::map<float, std::vector<const Label*>> Words::numbered_axes(bool across) const {
  std::map<float, std::vector<const Label*>> axes;
  for (const std::uint32_t mark : in_.index.labels()[panel_]) {
    const Label& label = std::get<Label>(in_.scene.panels[panel_].marks[mark]);
    if (label.role != LabelRole::axis || (label.anchor == Anchor::center) != across) continue;
    axes[across ? label.y : label.x].push_back(&label);
  }
  return axes;
}

// A figure of many rows and columns numbers every 32nd, say. Where cells are large on the screen those between have their numbers, too.
void Words::write_numbers_between() {
  if (!has_cells() || in_.index.labels()[panel_].size() > kMostAxisMarks) return;
  for (const bool across : {true, false}) {
    for (const auto& [where, labels] : numbered_axes(across)) write_numbers_between(labels, across);
  }
}

void Words::write_numbers_between(const std::vector<const Label*>& axis, bool across) {
  const auto place = [&](const Label& label) { return across ? label.x : label.y; };
  const auto number = [&](const Label& label) { return number_in<std::int64_t>(in_.scene.text_of(label.text)); };
  const std::optional<std::int64_t> first = axis.size() < 2 ? std::nullopt : number(*axis[0]);
  const std::optional<std::int64_t> second = first ? number(*axis[1]) : std::nullopt;
  if (!second || *second - *first < 2) return;
  // Only where numbers count cells, evenly, are those between known.
  const std::int64_t step = *second - *first;
  const float begin = place(*axis[0]), cell = (place(*axis[1]) - begin) / static_cast<float>(step);
  if (!has_cells_of(cell, across)) return;
  for (std::size_t i = 0; i < axis.size(); ++i) {
    const std::int64_t ahead = static_cast<std::int64_t>(i) * step;
    if (number(*axis[i]) != *first + ahead || std::abs(place(*axis[i]) - begin - static_cast<float>(ahead) * cell) > cell / 4) return;
  }
  const Bounds& cells = in_.index.cell_bounds()[panel_];
  const ImVec2 from = in_.camera.to_scene(in_.area.a), to = in_.camera.to_scene(in_.area.b);
  const float seen_from = std::max((across ? from.x : from.y) - begin, 0.0f) / cell;
  const float seen_to = (std::min(across ? to.x : to.y, across ? cells.x1 : cells.y1) - begin) / cell;
  if (seen_to <= seen_from) return;
  // The finest step that has room: a number and a gap.
  const ImVec2 size = size_of(face_of(*axis[0]), std::to_string(*first + static_cast<std::int64_t>(seen_to)));
  const float room = (across ? size.x : size.y) + 6 * s_, pixels = cell * in_.camera.rate_at(cells.x0, cells.y0);
  std::int64_t every = 1;
  while (every < step && (step % every != 0 || static_cast<float>(every) * pixels < room)) ++every;
  for (std::int64_t n = static_cast<std::int64_t>(seen_from) / every * every; static_cast<float>(n) <= seen_to; n += every) {
    if (n % step == 0) continue;
    Label between = *axis[0];
    (across ? between.x : between.y) += static_cast<float>(n) * cell;
    text(between, made_.numbers.emplace_back(std::to_string(*first + n)), true);
  }
}

// Are cells of the panel as wide, or as high?
bool Words::has_cells_of(float length, bool across) const {
  const std::vector<Mark>& marks = in_.scene.panels[panel_].marks;
  return std::any_of(marks.begin(), marks.end(), [&](const Mark& mark) {
    const auto* grid = std::get_if<Grid>(&mark);
    return grid && std::abs((across ? grid->w : grid->h) - length) < 0.001f * length;
  });
}

// Where not all numbers of an axis have room every second one is left out, or more, so that they count evenly.
void Words::thin_numbers() {
  thinned_.clear();
  if (in_.index.labels()[panel_].size() > kMostAxisMarks) return;
  for (const bool across : {true, false}) {
    for (const auto& [where, labels] : numbered_axes(across)) {
      float widest = 0, least = 3.0e38f;
      const auto place = [&](const Label& label) {
        const ImVec2 at = in_.camera.to_screen(label.x, label.y);
        return across ? at.x : at.y;
      };
      for (std::size_t i = 0; i < labels.size(); ++i) {
        const ImVec2 size = size_of(face_of(*labels[i]), in_.scene.text_of(labels[i]->text));
        widest = std::max(widest, across ? size.x + 4 : size.y);
        if (i > 0) least = std::min(least, place(*labels[i]) - place(*labels[i - 1]));
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

// 0: they do not stay there.
float Words::band_of_columns() const {
  if (in_.whole || !has_cells()) return 0;
  for (const std::uint32_t mark : in_.index.labels()[panel_]) {
    const Label& label = std::get<Label>(in_.scene.panels[panel_].marks[mark]);
    const ImVec2 at = in_.camera.to_screen(label.x, label.y);
    if (label.role != LabelRole::axis || label.anchor != Anchor::center || label.y > in_.index.cell_bounds()[panel_].y0) continue;
    const float height = size_of(face_of(label), "0").y;
    return at.y - height / 2 < in_.area.a.y + 3 * s_ ? height + 6 * s_ : 0;
  }
  return 0;
}

// Numbers of rows and columns stay at the canvas's edge as long as their cells are seen. False: they are not.
bool Words::stay(const Label& label, ImVec2 size, ImVec2& at) {
  if (in_.whole || !has_cells() || label.role != LabelRole::axis) return false;
  const Bounds& own = in_.index.cell_bounds()[panel_];
  const ScreenRect box = cells();
  const float pad = 3 * s_;
  const bool is_above = label.anchor == Anchor::center && label.y <= own.y0, is_left = label.anchor == Anchor::right && label.x <= own.x0;
  if (is_above && at.y < in_.area.a.y + pad) {
    const float edge = in_.area.a.y + size.y + 2 * pad;
    if (box.b.y < edge + size.y || box.a.y > edge) return false;
    at.y = in_.area.a.y + pad;
    const ScreenRect band{{std::max(box.a.x, in_.area.a.x), in_.area.a.y}, {std::min(box.b.x, in_.area.b.x), edge}};
    if (made_.bands.empty() || made_.bands.back().a.x != band.a.x || made_.bands.back().b.y != band.b.y) made_.bands.push_back(band);
    return true;
  }
  if (is_left && at.x < in_.area.a.x + pad) {
    if (box.b.x < in_.area.a.x + 2 * size.x || box.a.x > in_.area.a.x + size.x + pad) return false;
    at.x = in_.area.a.x + pad;
    const float edge = at.x + size.x + pad;
    const ScreenRect band{{in_.area.a.x, std::max(box.a.y, in_.area.a.y)}, {edge, std::min(box.b.y, in_.area.b.y)}};
    if (made_.bands.empty() || made_.bands.back().a.y != band.a.y || made_.bands.back().b.y != band.b.y)
      made_.bands.push_back(band);
    else
      made_.bands.back().b.x = std::max(made_.bands.back().b.x, edge);
    return true;
  }
  return false;
}

void Words::text(const Label& label, std::string_view words, bool axis) {
  if (words.empty() || std::binary_search(thinned_.begin(), thinned_.end(), &label)) return;
  if (in_.whole && is_corner(label, in_.index.cell_bounds()[panel_])) return;
  const ImVec2 p = in_.camera.to_screen(label.x, label.y);
  // A thousand numbers outside need not be measured.
  constexpr float kFar = 64;  // units
  const bool is_far = outside({p.x - kFar * s_, p.y - kFar * s_}, {p.x + kFar * s_, p.y + kFar * s_});
  if (axis && label.role == LabelRole::axis && is_far && (p.x > in_.area.b.x || p.y > in_.area.b.y)) return;
  const Face& face = face_of(label);
  // Words between marks of the picture stand in its scale: where they would be much larger they lie over what they name.
  constexpr float kLeastInPicture = 7;  // units
  const float pixels = type_size(label) * in_.camera.rate_at(label.x, label.y);
  if (!axis && label.anchor == Anchor::center && pixels < kLeastInPicture * s_) return;
  const ImVec2 size = size_of(face, words);
  const float left = label.anchor == Anchor::left ? 0 : label.anchor == Anchor::right ? size.x : size.x / 2;
  ImVec2 at(std::round(p.x - left), std::round(p.y - size.y / 2));
  const bool stays = stay(label, size, at);
  const ImVec2 end(at.x + size.x, at.y + size.y);
  if (outside(at, end)) return;
  if (stays && label.anchor == Anchor::right && at.y < in_.area.a.y + band_) return;  // its row is below the numbers of columns
  if (!is_free(at, end, axis ? 4 : 1)) return;
  if (in_.whole)
    grow(at, end);
  else if (!stays)
    top_ = std::min(top_, at.y);
  if (is_cut(at, end)) return;
  take(face, at, end, words, PlacedText::Ink::dim);
}

// Where a heading may stand beside those of other panels, and beside their numbers of rows.
Words::Span Words::room_for_heading(ImVec2 at, ImVec2 size) const {
  constexpr float kNumbers = 26, kAbove = 18;  // units: of rows left of another panel, of columns above it
  Span room{in_.area.a.x + 4 * s_, in_.area.b.x - 4 * s_};
  if (in_.whole) room = {at.x, at.x + in_.area.b.x - in_.area.a.x - 8 * s_};
  const Bounds& own = in_.index.cell_bounds()[panel_];
  for (const Bounds& other : in_.index.cell_bounds()) {
    if (&other == &own || other.x1 <= other.x0) continue;
    const ImVec2 a = in_.camera.to_screen(other.x0, other.y0), b = in_.camera.to_screen(other.x1, other.y1);
    const bool in_a_row = std::abs(other.y0 - own.y0) < 0.5f;  // its own heading stands beside this one
    if (!in_a_row && (b.y + 4 * s_ < at.y || a.y - kAbove * s_ > at.y + size.y)) continue;
    if (other.x0 >= own.x1) room.end = std::min(room.end, a.x - (in_a_row ? 8 : kNumbers) * s_);
    if (other.x1 <= own.x0) room.begin = std::max(room.begin, b.x + 6 * s_);
  }
  return room;
}

// Words over the cells: wrapped upwards where they have no room beside each other, and within the canvas where their cells are.
void Words::heading(const Label& label) {
  const std::string_view words = in_.scene.text_of(label.text);
  if (words.empty()) return;
  const Face& face = face_of(label);
  const ImVec2 whole = size_of(face, words), p = in_.camera.to_screen(label.x, label.y);
  const float left = label.anchor == Anchor::left ? 0 : label.anchor == Anchor::right ? whole.x : whole.x / 2;
  const ImVec2 at(p.x - left, std::round(p.y - whole.y / 2));
  Span room = has_cells() ? room_for_heading(at, whole) : Span{at.x, in_.whole ? at.x + 1e6f : in_.area.b.x - 4 * s_};
  room.end = std::max(room.end, room.begin + 64 * s_);
  std::vector<std::string_view> lines = wrapped(face, words, room.end - room.begin);
  const bool is_below = has_cells() && label.y >= in_.index.cell_bounds()[panel_].y1;
  const auto place = [&](std::size_t i) {
    const float width = size_of(face, lines[i]).x, x = label.anchor == Anchor::left ? at.x : at.x + (whole.x - width) / 2;
    const float above = is_below ? 0 : static_cast<float>(lines.size() - 1);
    const ImVec2 a(std::round(std::max(std::min(x, room.end - width), room.begin)), at.y + whole.y * (static_cast<float>(i) - above));
    return ScreenRect{a, {a.x + width, a.y + whole.y}};
  };
  const auto all_free = [&] {
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (const ScreenRect r = place(i); !is_free(r.a, r.b, 2)) return false;
    }
    return true;
  };
  // A part of a heading would say something else; its first word is a name: "sA".
  if (!all_free()) lines = {words.substr(0, words.find(' '))};
  if (!all_free()) return;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto [a, b] = place(i);
    if (outside(a, b)) continue;
    // Over its cells it is moved into the canvas, and needs no room of its own to the left and right of them.
    const Bounds& own = in_.index.cell_bounds()[panel_];
    const bool is_over = has_cells() && label.x >= own.x0 && label.x <= own.x1;
    const Bounds& all = in_.index.all_drawn();
    const float first = in_.camera.to_screen(all.x0, all.y0).x, end = in_.camera.to_screen(all.x1, all.y1).x;
    if (in_.whole)
      grow({is_over ? first : a.x, a.y}, {is_over ? end : b.x, b.y});
    else
      top_ = std::min(top_, a.y);
    if (!is_cut(a, b)) take(face, a, b, lines[i], PlacedText::Ink::strong);
  }
}

// Above everything, as one text: figures break it for their own width.
void Words::title() {
  const std::string_view words = title_of(in_.scene, in_.index);
  if (words.empty()) return;
  constexpr float kMargin = 12, kBelow = 5;  // units
  const Face& face = Fonts::at_most(in_.fonts.label, 15 * s_);
  const Bounds& all = in_.index.all_drawn();
  const float wide = in_.area.b.x - in_.area.a.x - 2 * kMargin * s_, height = size_of(face, "").y;
  const std::vector<std::string_view> lines = wrapped(face, words, std::max(wide, 64 * s_));
  float longest = 0, y = std::round(top_ - kBelow * s_ - height * static_cast<float>(lines.size()));
  for (const std::string_view line : lines) longest = std::max(longest, size_of(face, line).x);
  float left = in_.camera.to_screen(all.x0, all.y0).x;
  if (!in_.whole) left = std::max(std::min(left, in_.area.b.x - kMargin * s_ - longest), in_.area.a.x + kMargin * s_);
  if (in_.whole) made_.taken.a.y = std::min(made_.taken.a.y, y);
  for (const std::string_view line : lines) {
    const ImVec2 a(std::round(left), y), b(a.x + size_of(face, line).x, y + height);
    y += height;
    if (!is_cut(a, b) && is_free(a, b, 2)) take(face, a, b, line, PlacedText::Ink::strong);
  }
}

}  // namespace

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

namespace {

// The heading of the only panel that has words; null where there are several, or a title.
const Label* only_heading(const Scene& scene, const SceneIndex& index) {
  if (!title_of(scene, index).empty()) return nullptr;
  const Label* found = nullptr;
  for (std::size_t i = 0; i < scene.panels.size(); ++i) {
    if (scene.panels[i].name == kCaptionPanel) continue;
    for (const std::uint32_t mark : index.labels()[i]) {
      const Label& label = std::get<Label>(scene.panels[i].marks[mark]);
      if (label.role != LabelRole::panel_name) continue;
      if (found) return nullptr;
      found = &label;
    }
  }
  return found;
}

}  // namespace

std::string_view over_cells(const Scene& scene, const SceneIndex& index) {
  const Label* heading = only_heading(scene, index);
  return heading ? scene.text_of(heading->text) : title_of(scene, index);
}

std::string_view title_of(const Scene& scene, const SceneIndex& index) {
  if (!scene.title.empty()) return scene.title;
  for (std::size_t i = 0; i < scene.panels.size(); ++i) {
    if (scene.panels[i].name != kCaptionPanel) continue;
    for (const std::uint32_t mark : index.labels()[i]) {
      const Label& label = std::get<Label>(scene.panels[i].marks[mark]);
      if (label.role == LabelRole::panel_name && !says_name(scene, label)) return scene.text_of(label.text);
    }
  }
  return {};
}

PlacedWords place_words(const WordsInput& input) { return Words(input).place(); }

}  // namespace tessera::studio
