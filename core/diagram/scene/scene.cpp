// SPDX-License-Identifier: BSD-3-Clause
// What a scene knows of itself: its texts, its colours, its links and how much room it takes.
#include "core/diagram/scene/scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/utf8.hpp"

namespace tessera {

TextRef Scene::intern(std::string_view s) {
  const TextRef ref{static_cast<std::uint32_t>(text.size()), static_cast<std::uint32_t>(s.size())};
  text.append(s);
  return ref;
}

ColorIndex Scene::color(Rgb color) {
  for (std::size_t i = 0; i < palette.size(); ++i) {
    if (palette[i] == color) return static_cast<ColorIndex>(i);
  }
  palette.push_back(color);
  return static_cast<ColorIndex>(palette.size() - 1);
}

std::uint32_t Scene::add_words(std::string said) {
  Subject subject;
  subject.words = static_cast<std::int32_t>(words.size());
  words.push_back(std::move(said));
  subjects.push_back(subject);
  return static_cast<std::uint32_t>(subjects.size() - 1);
}

std::string_view Scene::words_of(const Subject& subject) const {
  return subject.words >= 0 && static_cast<std::size_t>(subject.words) < words.size() ? words[static_cast<std::size_t>(subject.words)]
                                                                                      : std::string_view();
}

std::string Scene::coordinate_of(const Subject& subject) const {
  if (subject.row < 0 || subject.col < 0) return {};
  const bool has_rest = subject.rest >= 0 && static_cast<std::size_t>(subject.rest) < rests.size();
  const std::string_view rest = has_rest ? std::string_view(rests[static_cast<std::size_t>(subject.rest)]) : std::string_view();
  if (rest.starts_with('=')) return fmt::format("({})", rest.substr(1));
  return fmt::format("({},{}{}{})", subject.row, subject.col, has_rest ? "," : "", rest);
}

std::int32_t bank_of(std::int64_t offset, std::int64_t bits, std::int64_t byte_offset) {
  constexpr std::int64_t kBanks = 32, kBankBits = 32, kRound = kBanks * kBankBits;  // after so many bits the banks begin anew
  if (offset < 0 || bits < 1 || byte_offset < 0) return -1;
  return static_cast<std::int32_t>((offset % kRound * bits + byte_offset % kRound * 8) / kBankBits % kBanks);
}

// ---- grids -----------------------------------------------------------------------------------------------------------

namespace {

// Entry i of a column of consecutive stretches, each of which ends at ends[i].
std::pair<std::size_t, std::size_t> stretch(const std::vector<std::uint32_t>& ends, std::size_t i) {
  return {i == 0 ? 0 : ends[i - 1], ends[i]};
}

template <class T>
T entry(const std::vector<T>& column, std::size_t i, T otherwise) {
  return column.empty() ? otherwise : column[i];
}

}  // namespace

std::string_view GridColumns::label(std::size_t i) const {
  if (label_ends.empty()) return {};
  const auto [begin, end] = stretch(label_ends, i);
  return std::string_view(text).substr(begin, end - begin);
}

void GridColumns::add_label(std::string_view label) {
  text += label;
  label_ends.push_back(static_cast<std::uint32_t>(text.size()));
}

Subject GridColumns::subject(std::size_t i) const {
  Subject subject;
  const auto x = static_cast<std::int32_t>(i % static_cast<std::size_t>(cols)),
             y = static_cast<std::int32_t>(i / static_cast<std::size_t>(cols));
  switch (place) {
    case Place::none: break;
    case Place::drawn: subject.row = y, subject.col = x; break;
    case Place::transposed: subject.row = x, subject.col = y; break;
    case Place::given: subject.row = row[i], subject.col = col[i]; break;
  }
  subject.thread = entry(thread, i, -1);
  subject.value = entry(value, i, -1);
  subject.address = entry(address, i, std::int64_t{-1});
  subject.bank = banks.empty() ? bank_of(subject.address, bits, byte_offset) : banks[i];
  subject.tensor = tensor;
  subject.rest = entry(rests, i, rest);
  return subject;
}

std::span<const Owner> GridColumns::others_of(std::size_t i) const {
  if (other_ends.empty()) return {};
  const auto [begin, end] = stretch(other_ends, i);
  return std::span<const Owner>(others).subspan(begin, end - begin);
}

std::span<const OtherPlace> GridColumns::places_of(std::size_t i) const {
  if (place_ends.empty()) return {};
  const auto [begin, end] = stretch(place_ends, i);
  return std::span<const OtherPlace>(places).subspan(begin, end - begin);
}

CellView view(const Grid& grid, std::size_t i) {
  const GridColumns& of = *grid.of;
  const std::size_t cols = static_cast<std::size_t>(of.cols);
  return {grid.x + grid.w * static_cast<float>(i % cols),
          grid.y + grid.h * static_cast<float>(i / cols),
          grid.w,
          grid.h,
          entry(of.fills, i, kNoColor),
          entry(of.faint, i, std::uint8_t{0}) != 0,
          of.label(i),
          {}};
}

CellView view(const Scene& scene, const Cell& cell) {
  return {cell.x, cell.y, cell.w, cell.h, cell.fill, cell.faint, cell.lines == 0 ? std::string_view() : scene.text_of(cell.label), {}};
}

namespace {

const Mark* mark_of(const Scene& scene, const ElementId& id) {
  return id.panel < scene.panels.size() && id.mark < scene.panels[id.panel].marks.size() ? &scene.panels[id.panel].marks[id.mark] : nullptr;
}

struct SubjectAt {
  std::uint32_t first = kNoSubject, count = 1;
  void operator()(const Cell& c) { first = c.subject, count = c.subject_count; }
  void operator()(const Line& l) { first = l.subject; }
  void operator()(const Arrow& a) { first = a.subject; }
  void operator()(const Outline&) {}
  void operator()(const Label&) {}
  void operator()(const Grid&) {}
};

}  // namespace

CellView cell_of(const Scene& scene, const ElementId& id) {
  const Mark* mark = mark_of(scene, id);
  CellView found{};
  if (const auto* cell = mark ? std::get_if<Cell>(mark) : nullptr) found = view(scene, *cell);
  if (const auto* grid = mark ? std::get_if<Grid>(mark) : nullptr; grid && id.cell < grid->of->size()) found = view(*grid, id.cell);
  found.id = id;
  return found;
}

std::vector<Subject> subjects_of(const Scene& scene, const ElementId& id) {
  const Mark* mark = mark_of(scene, id);
  if (!mark) return {};
  if (const auto* grid = std::get_if<Grid>(mark)) {
    if (!grid->of->has_subjects()) return {};
    std::vector<Subject> found{grid->of->subject(id.cell)};
    for (const Owner& other : grid->of->others_of(id.cell)) {
      Subject next = found.front();
      next.thread = other.thread;
      next.value = other.value;
      found.push_back(next);
    }
    for (const OtherPlace& other : grid->of->places_of(id.cell)) {
      Subject next = found.front();
      next.row = other.row, next.col = other.col, next.rest = other.rest;
      found.push_back(next);
    }
    return found;
  }
  SubjectAt at;
  std::visit(at, *mark);
  if (at.first == kNoSubject) return {};
  const auto begin = scene.subjects.begin() + at.first;
  return {begin, begin + at.count};
}

std::optional<Subject> subject_of(const Scene& scene, const ElementId& id) {
  const Mark* mark = mark_of(scene, id);
  if (const auto* grid = mark ? std::get_if<Grid>(mark) : nullptr)
    return grid->of->has_subjects() ? std::optional(grid->of->subject(id.cell)) : std::nullopt;
  const std::vector<Subject> all = subjects_of(scene, id);
  return all.empty() ? std::nullopt : std::optional(all.front());
}

// ---- sizes -----------------------------------------------------------------------------------------------------------

namespace {

struct Growing {
  std::string_view arena;
  Bounds box{std::numeric_limits<float>::max(), std::numeric_limits<float>::max(), std::numeric_limits<float>::lowest(),
             std::numeric_limits<float>::lowest()};

  void add(float x0, float y0, float x1, float y1) {
    box.x0 = std::min({box.x0, x0, x1});
    box.y0 = std::min({box.y0, y0, y1});
    box.x1 = std::max({box.x1, x0, x1});
    box.y1 = std::max({box.y1, y0, y1});
  }
  void operator()(const Cell& c) { add(c.x, c.y, c.x + c.w, c.y + c.h); }
  void operator()(const Grid& g) { add(g.x, g.y, g.x + g.w * static_cast<float>(g.of->cols), g.y + g.h * static_cast<float>(g.of->rows)); }
  void operator()(const Outline& o) { add(o.x, o.y, o.x + o.w, o.y + o.h); }
  void operator()(const Line& l) { add(l.x0, l.y0, l.x1, l.y1); }
  void operator()(const Arrow& a) { add(a.x0, a.y0, a.x1, a.y1); }
  // The width of a text is a guess: renderers have fonts, a scene has none. Signs beyond ASCII are counted once where the
  // arena is known.
  void operator()(const Label& l) {
    const float size = type_size(l);
    const std::size_t characters =
        arena.empty() ? l.text.length : count_characters(arena.substr(std::min<std::size_t>(l.text.begin, arena.size()), l.text.length));
    float width = size * (l.role == LabelRole::caption || l.role == LabelRole::panel_name ? 0.61f : 0.56f) * static_cast<float>(characters);
    if (l.role == LabelRole::legend && l.anchor == Anchor::right) width += size * wider_signs(l);  // names of axes stand at the page's edge
    const float left = l.anchor == Anchor::left ? 0 : l.anchor == Anchor::right ? -width : -width / 2;
    add(l.x + left, l.y - size * 0.6f, l.x + left + width, l.y + size * 0.6f);
  }
  // By how much capitals and arrows are wider than what is guessed, in type sizes.
  float wider_signs(const Label& l) const {
    constexpr float kCapital = 0.25f, kArrow = 0.45f;
    float wider = 0;
    for (const char sign : arena.substr(std::min<std::size_t>(l.text.begin, arena.size()), l.text.length)) {
      if (sign >= 'A' && sign <= 'Z') wider += kCapital;
      if (static_cast<unsigned char>(sign) >= 0xc0) wider += kArrow;  // the first byte of a sign beyond ASCII
    }
    return wider;
  }
  Bounds result() const { return box.x0 > box.x1 ? Bounds{} : box; }
};

void grow(Growing& growing, const Panel& panel) {
  for (const Mark& mark : panel.marks) std::visit(growing, mark);
}

}  // namespace

float type_size(const Label& label) {
  if (label.size > 0) return label.size;
  switch (label.role) {
    case LabelRole::axis: return 0.36f;
    case LabelRole::panel_name: return 0.46f;
    case LabelRole::caption: return 0.40f;
    case LabelRole::legend: return 0.36f;
    case LabelRole::note: return 0.36f;
  }
  return 0.36f;
}

Bounds bounds(const Panel& panel) {
  Growing growing{{}};
  grow(growing, panel);
  return growing.result();
}

Bounds bounds(const Scene& scene) {
  Growing growing{scene.text};
  for (const Panel& panel : scene.panels) grow(growing, panel);
  if (scene.room) growing.add(scene.room->x0, scene.room->y0, scene.room->x1, scene.room->y1);
  return growing.result();
}

namespace {

template <class T>
std::size_t held(const std::vector<T>& column) {
  return column.capacity() * sizeof(T);
}

std::size_t bytes_of(const GridColumns& g) {
  return sizeof(g) + held(g.fills) + held(g.faint) + g.text.capacity() + held(g.label_ends) + held(g.row) + held(g.col) + held(g.thread) +
         held(g.value) + held(g.address) + held(g.rests) + held(g.banks) + held(g.other_ends) + held(g.others) + held(g.place_ends) +
         held(g.places) + held(g.order);
}

}  // namespace

std::int64_t bytes_of(const Scene& scene) {
  std::size_t bytes = scene.text.capacity() + held(scene.subjects) + held(scene.palette);
  for (const Panel& panel : scene.panels) {
    bytes += held(panel.marks);
    for (const Mark& mark : panel.marks) {
      if (const auto* grid = std::get_if<Grid>(&mark)) bytes += bytes_of(*grid->of);
    }
  }
  return static_cast<std::int64_t>(bytes);
}

std::size_t cell_count(const Scene& scene) {
  std::size_t count = 0;
  for (const Panel& panel : scene.panels) {
    if (panel.name == kCaptionPanel) continue;  // its swatches are no cells of what is drawn
    for (const Mark& mark : panel.marks) {
      if (const auto* grid = std::get_if<Grid>(&mark)) count += grid->of->size();
      count += std::holds_alternative<Cell>(mark);
    }
  }
  return count;
}

}  // namespace tessera
