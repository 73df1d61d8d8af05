// SPDX-License-Identifier: BSD-3-Clause
// Paints scenes. It reads marks only, as every renderer.
#include "app/studio/scene_painter.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

#include "app/studio/scene_fit.hpp"
#include "core/base/utf8.hpp"
#include "core/diagram/palette.hpp"

namespace tessera::studio {
namespace {

constexpr std::size_t kMostAxisMarks = 4096;                                    // of a panel whose numbers are thinned
constexpr int kLargestTexture = 8192;                                           // texels along one side: what every OpenGL 3.3 driver takes
constexpr float kSwatchWidth = 1.2f, kSwatchHeight = 0.7f, kSwatchStep = 1.4f;  // of a legend, in sizes of its type

ImU32 color_of(const Scene& scene, ColorIndex index, ImU32 otherwise) {
  if (index >= scene.palette.size()) return otherwise;
  const Rgb c = scene.palette[index];
  return IM_COL32(c.r, c.g, c.b, 255);
}

// As in files.
ImU32 ink_on(ImU32 ground) {
  const auto channel = [&](int shift) { return static_cast<std::uint8_t>(ground >> shift); };
  const Rgb text = text_color({channel(IM_COL32_R_SHIFT), channel(IM_COL32_G_SHIFT), channel(IM_COL32_B_SHIFT)});
  return IM_COL32(text.r, text.g, text.b, 255);
}

struct Stroke {
  ImU32 color;
  float width;
};

Stroke stroke_of(StrokeRole role, const PaintContext& c) {
  const float s = c.ui_scale;
  switch (role) {
    case StrokeRole::hairline: return {faded(c.theme.ink, 0.45f), 1 * s};
    case StrokeRole::grid: return {faded(c.theme.ink, 0.75f), 1 * s};
    case StrokeRole::boundary: return {c.theme.ink, 1.6f * s};
    case StrokeRole::strong: return {c.theme.ink, 2.8f * s};
    case StrokeRole::highlight: return {c.theme.accent, 3 * s};
  }
  return {c.theme.ink, 1};
}

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

class ScenePainter {
 public:
  ScenePainter(const PaintContext& context, const Scene& scene, SceneIndex& index, const Camera& camera, const ScreenRect& area)
      : c_(context),
        scene_(scene),
        index_(index),
        camera_(camera),
        area_(area),
        caption_type_(caption_type(extent_of(scene, index), area, context.ui_scale, camera.scale)) {}

  void panel(std::size_t number) {
    panel_ = number;
    thin_numbers();
    for (Layer& layer : index_.panels()[number]) {
      if (layer.grid != kNoMark) {
        grid(layer, std::get<Grid>(scene_.panels[number].marks[layer.grid]));
      } else {
        for (const std::uint32_t mark : layer.marks) std::visit(*this, scene_.panels[number].marks[mark]);
      }
    }
  }

  // One cell over what was painted.
  void again(const ElementId& id) {
    const CellView cell = cell_of(scene_, id);
    const Face* face = nullptr;
    for (const Layer& layer : index_.panels()[id.panel]) {
      if (layer.grid == id.mark && camera_.scale * std::min(cell.w, cell.h) >= kTilesFrom * c_.ui_scale)
        face = face_for(cell.w, cell.h, layer.columns, layer.lines);
    }
    tile(cell, face);
  }

  void operator()(const Cell& cell) {
    if (scene_.panels[panel_].name == kCaptionPanel) return swatches_.push_back(cell.fill);  // painted with the words behind them
    tile(view(scene_, cell), face_for(cell.w, cell.h, columns_of(cell), std::max<std::size_t>(cell.lines, 1)));
  }
  void operator()(const Grid&) const {}  // a layer of its own
  void operator()(const Outline& outline) const;
  void operator()(const Line& line) const;
  void operator()(const Label& label);
  void operator()(const Arrow& arrow) const;

 private:
  void grid(Layer& layer, const Grid& grid);
  void far_grid(Layer& layer, const Grid& grid);
  void tile(const CellView& cell, const Face* face) const;
  void shared_corner(const CellView& cell) const;
  void cell_label(const CellView& cell, const Face& face, ImVec2 a, ImVec2 b) const;
  // Of text on this fill; worked out once, since contrast takes powers.
  ImU32 ink_on_fill(ColorIndex fill) const {
    const std::size_t at = fill < scene_.palette.size() ? fill : scene_.palette.size();
    if (inks_.empty()) inks_.resize(scene_.palette.size() + 1);
    if (!inks_[at]) inks_[at] = ink_on(color_of(scene_, fill, c_.theme.cell));
    return *inks_[at];
  }
  const Face* face_for(float w, float h, std::size_t columns, std::size_t lines) const;
  static std::size_t columns_of(const Cell& cell) {
    const std::size_t lines = std::max<std::size_t>(cell.lines, 1);
    return (cell.label.length + lines - 1) / lines;
  }
  bool outside(ImVec2 a, ImVec2 b) const { return b.x < area_.a.x || a.x > area_.b.x || b.y < area_.a.y || a.y > area_.b.y; }
  bool on_cells(float x, float y) const {
    const Bounds& b = index_.cell_bounds()[panel_];
    return x >= b.x0 && x <= b.x1 && y >= b.y0 && y <= b.y1;
  }
  struct Span {
    float begin, end;
  };
  float place_of_captions() const { return std::round(camera_.to_screen(index_.all_cells().x0, 0).x); }
  Span room_for_heading(ImVec2 at, ImVec2 size) const;
  void thin_numbers();
  const Face& face_of(const Label& label) const;
  void heading(const Label& label, const Face& face, std::string_view words, ImU32 color);
  void caption(const Label& label, const Face& face, std::string_view words, ImU32 color);
  ImVec2 place_label(const Label& label, ImVec2 size);
  float indent(const Label& label, float type);
  void swatches(ImVec2 at, float height, float type);

  const PaintContext& c_;
  const Scene& scene_;
  SceneIndex& index_;
  const Camera& camera_;
  const ScreenRect& area_;
  const float caption_type_;                        // how large captions are
  mutable std::vector<std::optional<ImU32>> inks_;  // by fill, the last of no fill
  std::size_t panel_ = 0;
  std::vector<ScreenRect> taken_;           // by axis numbers, so that none is written over another
  std::vector<const Label*> thinned_;       // numbers of the panel's axes that are left out, sorted
  float captions_ = 0;                      // height of the captions so far
  std::vector<ColorIndex> swatches_;        // of the legend whose words come next
  std::vector<std::string_view> numbers_;   // that stand in them
  float legend_x_ = 0, legend_indent_ = 0;  // where its words begin in the scene, and how far behind the swatches on the screen
};

// The largest face whose text fits; null when none is readable.
const Face* ScenePainter::face_for(float w, float h, std::size_t columns, std::size_t lines) const {
  if (columns == 0) return nullptr;
  const float width = (w * camera_.scale - 2 * c_.ui_scale) / (kGlyphAspect * static_cast<float>(columns));
  const float height = (h * camera_.scale - 2 * c_.ui_scale) / (kLineStep * static_cast<float>(lines));
  const float size = std::min({width, height, 0.46f * h * camera_.scale});
  const Face& face = Fonts::at_most(c_.fonts.cell, size);
  return face.size <= size + 0.01f ? &face : nullptr;
}

void ScenePainter::far_grid(Layer& layer, const Grid& grid) {
  const int cols = grid.of->cols, rows = grid.of->rows;
  if (layer.textures.empty()) {
    for (Image& image : grid_images(scene_, *grid.of, c_.theme.cell)) layer.textures.push_back(c_.textures.add(std::move(image), false));
  }
  const float least = camera_.scale * std::min(grid.w, grid.h);  // pixels
  std::size_t level = least >= 1 ? 0 : static_cast<std::size_t>(std::ceil(-std::log2(least)));
  while ((std::max(cols, rows) >> level) > kLargestTexture) ++level;
  level = std::min(level, layer.textures.size() - 1);
  // A level's last texel may hang over the grid's end.
  const auto covered = static_cast<float>(1 << level);
  const float u = static_cast<float>(cols) / (covered * std::ceil(static_cast<float>(cols) / covered));
  const float v = static_cast<float>(rows) / (covered * std::ceil(static_cast<float>(rows) / covered));
  const ImVec2 a = camera_.to_screen(grid.x, grid.y);
  const ImVec2 b = camera_.to_screen(grid.x + grid.w * static_cast<float>(cols), grid.y + grid.h * static_cast<float>(rows));
  c_.list->AddImage(to_texture_id(layer.textures[level]), a, b, {0, 0}, {u, v});
}

void ScenePainter::grid(Layer& layer, const Grid& grid) {
  const int cols = grid.of->cols, rows = grid.of->rows;
  const float w = camera_.scale * grid.w, h = camera_.scale * grid.h, s = std::min(w, h);  // pixels of a cell
  const ImVec2 a = camera_.to_screen(grid.x, grid.y);
  const ImVec2 b(a.x + w * static_cast<float>(cols), a.y + h * static_cast<float>(rows));
  if (outside(a, b)) return;
  const int x0 = std::max(0, static_cast<int>((area_.a.x - a.x) / w)), x1 = std::min(cols, static_cast<int>((area_.b.x - a.x) / w) + 1);
  const int y0 = std::max(0, static_cast<int>((area_.a.y - a.y) / h)), y1 = std::min(rows, static_cast<int>((area_.b.y - a.y) / h) + 1);
  if (s >= kTilesFrom * c_.ui_scale) {
    const Face* face = face_for(grid.w, grid.h, layer.columns, layer.lines);
    const auto place = [cols](int x, int y) {
      return static_cast<std::size_t>(y) * static_cast<std::size_t>(cols) + static_cast<std::size_t>(x);
    };
    for (int y = y0; y < y1; ++y) {
      for (int x = x0; x < x1; ++x) tile(view(grid, place(x, y)), face);
      for (int x = x0; x < x1 && !grid.of->others.empty(); ++x) {
        if (!grid.of->others_of(place(x, y)).empty()) shared_corner(view(grid, place(x, y)));
      }
    }
    return;
  }
  far_grid(layer, grid);
  if (s < kLinesFrom * c_.ui_scale) return;
  const ImU32 line = faded(c_.theme.ink, std::clamp((s - 3) / 8, 0.15f, 0.8f));
  for (int x = x0; x <= x1; ++x) {
    const float at = std::floor(a.x + w * static_cast<float>(x));
    c_.list->AddRectFilled({at, std::max(a.y, area_.a.y)}, {at + 1, std::min(b.y, area_.b.y)}, line);
  }
  for (int y = y0; y <= y1; ++y) {
    const float at = std::floor(a.y + h * static_cast<float>(y));
    c_.list->AddRectFilled({std::max(a.x, area_.a.x), at}, {std::min(b.x, area_.b.x), at + 1}, line);
  }
}

void ScenePainter::tile(const CellView& cell, const Face* face) const {
  ImVec2 a = camera_.to_screen(cell.x, cell.y), b = camera_.to_screen(cell.x + cell.w, cell.y + cell.h);
  if (outside(a, b)) return;
  const ImU32 ground = color_of(scene_, cell.fill, c_.theme.cell);
  a = {std::round(a.x), std::round(a.y)};
  b = {std::round(b.x), std::round(b.y)};
  const float side = std::min(b.x - a.x, b.y - a.y);
  if (side < kLinesFrom * c_.ui_scale) return c_.list->AddRectFilled(a, b, ground);
  const bool near = side >= kTilesFrom * c_.ui_scale;
  const float gap = near ? 1.0f : 0.5f;
  c_.list->AddRectFilled(a, b, c_.theme.ink);
  c_.list->AddRectFilled({a.x + gap, a.y + gap}, {b.x - gap, b.y - gap}, ground, near ? 2.5f * c_.ui_scale : 0);
  if (face) cell_label(cell, *face, a, b);
}

// Marks a cell that has more owners than the one that is named.
void ScenePainter::shared_corner(const CellView& cell) const {
  const ImVec2 a = camera_.to_screen(cell.x + cell.w, cell.y);
  const float side = std::max(4 * c_.ui_scale, 0.14f * camera_.scale * std::min(cell.w, cell.h));
  c_.list->AddTriangleFilled({a.x - 1 - side, a.y + 1}, {a.x - 1, a.y + 1}, {a.x - 1, a.y + 1 + side}, ink_on_fill(cell.fill));
}

void ScenePainter::cell_label(const CellView& cell, const Face& face, ImVec2 a, ImVec2 b) const {
  std::string_view label = cell.label;
  const float step = face.size * kLineStep;
  const auto lines = 1 + std::count(label.begin(), label.end(), '\n');
  float y = std::round((a.y + b.y) / 2 - step * static_cast<float>(lines) / 2 + 0.06f * face.size);
  const ImU32 ink = cell.faint ? faded(ink_on_fill(cell.fill), 0.45f) : ink_on_fill(cell.fill);
  while (!label.empty()) {
    const std::string_view line = label.substr(0, label.find('\n'));
    const ImVec2 size = text_size(face.font, face.size, line.data(), line.data() + line.size());
    c_.list->AddText(face.font, face.size, {std::round((a.x + b.x - size.x) / 2), std::round(y)}, ink, line.data(),
                     line.data() + line.size());
    y += step;
    label.remove_prefix(std::min(line.size() + 1, label.size()));
  }
}

void ScenePainter::operator()(const Outline& outline) const {
  const ImVec2 a = camera_.to_screen(outline.x, outline.y), b = camera_.to_screen(outline.x + outline.w, outline.y + outline.h);
  if (outside(a, b)) return;
  const Stroke stroke = stroke_of(outline.role, c_);
  const float shown = std::min(stroke.width, std::max(1.0f, camera_.scale * std::min(outline.w, outline.h) * 0.12f));
  if (std::min(b.x - a.x, b.y - a.y) < 3) return;
  add_rect(c_.list, {std::round(a.x), std::round(a.y)}, {std::round(b.x) + 0.5f, std::round(b.y) + 0.5f}, stroke.color, 0, shown);
  // Inner unit lines need no drawing: cells are separated wherever there is room.
}

void ScenePainter::operator()(const Line& line) const {
  const ImVec2 a = camera_.to_screen(line.x0, line.y0), b = camera_.to_screen(line.x1, line.y1);
  if (outside({std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)})) return;
  Stroke stroke = stroke_of(line.role, c_);
  const bool over_cells = on_cells((line.x0 + line.x1) / 2, (line.y0 + line.y1) / 2);
  if (!over_cells && line.role != StrokeRole::highlight) stroke.color = c_.theme.dim;
  if (over_cells && camera_.scale < kLinesFrom && line.role <= StrokeRole::grid) return;
  c_.list->AddLine({std::round(a.x), std::round(a.y)}, {std::round(b.x), std::round(b.y)}, color_of(scene_, line.color, stroke.color),
                   std::min(stroke.width, std::max(1.0f, camera_.scale * 0.15f)));
}

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
    if (b.y + 4 * s < at.y || a.y - kAbove * s > at.y + size.y) continue;
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
    // A line that is cut in half is no line.
    const bool whole = at.y + height <= area_.b.y && at.y + height >= area_.a.y;
    if (whole) c_.list->AddText(face.font, face.size, {at.x + right, at.y}, color, line.data(), line.data() + line.size());
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
  if (says_expression(scene_, label)) return;
  if (!swatches_.empty() && label.anchor == Anchor::center && scene_.panels[panel_].name == kCaptionPanel) return numbers_.push_back(words);
  if (std::binary_search(thinned_.begin(), thinned_.end(), &label)) return;
  const bool axis = is_axis(label), name = label.role == LabelRole::panel_name;
  const ImU32 color = name ? c_.theme.text : c_.theme.dim;
  const Face& face = face_of(label);
  if (is_caption(label, index_)) return caption(label, face, words, color);
  if (name) return heading(label, face, words, color);
  const ImVec2 size = text_size(face.font, face.size, words.data(), words.data() + words.size());
  const ImVec2 a = place_label(label, size), b(a.x + size.x, a.y + size.y);
  if (outside(a, b)) return;
  if (axis) {
    for (const ScreenRect& r : taken_) {
      if (a.x < r.b.x + 4 && r.a.x < b.x + 4 && a.y < r.b.y && r.a.y < b.y) return;
    }
    taken_.push_back({a, b});
  }
  c_.list->AddText(face.font, face.size, a, color, words.data(), words.data() + words.size());
}

void ScenePainter::operator()(const Arrow& arrow) const {
  const ImVec2 a = camera_.to_screen(arrow.x0, arrow.y0), b = camera_.to_screen(arrow.x1, arrow.y1);
  const float dx = b.x - a.x, dy = b.y - a.y, length = std::sqrt(dx * dx + dy * dy);
  if (length < 2) return;
  const ImU32 color = color_of(scene_, arrow.color, c_.theme.accent);
  const float head = std::min(9 * c_.ui_scale, length / 2), ux = dx / length, uy = dy / length;
  const ImVec2 neck(b.x - ux * head, b.y - uy * head);
  c_.list->AddLine(a, neck, color, 1.8f * c_.ui_scale);
  c_.list->AddTriangleFilled(b, {neck.x - uy * head * 0.45f, neck.y + ux * head * 0.45f},
                             {neck.x + uy * head * 0.45f, neck.y - ux * head * 0.45f}, color);
}

}  // namespace

void paint(const PaintContext& context, const Scene& scene, SceneIndex& index, const Camera& camera, const ScreenRect& area) {
  ScenePainter painter(context, scene, index, camera, area);
  for (std::size_t i = 0; i < scene.panels.size(); ++i) painter.panel(i);
}

void paint_highlights(const PaintContext& context, const Scene& scene, const Highlights& highlights, const ElementId* under_mouse,
                      const Camera& camera, const ScreenRect& area) {
  const auto rect_of = [&](const ElementId& id) {
    const CellView cell = cell_of(scene, id);
    return ScreenRect{camera.to_screen(cell.x, cell.y), camera.to_screen(cell.x + cell.w, cell.y + cell.h)};
  };
  const auto visible = [&](const ScreenRect& r) {
    return r.b.x >= area.a.x && r.a.x <= area.b.x && r.b.y >= area.a.y && r.a.y <= area.b.y;
  };
  const float s = context.ui_scale, scale = camera.scale;
  const float line = std::clamp(scale * 0.09f, 1.3f * s, 2.6f * s), round = std::min(3 * s, scale * 0.12f);
  for (const ElementId& id : highlights.mates) {
    const ScreenRect r = rect_of(id);
    if (!visible(r)) continue;
    if (scale < 6 * s) {
      context.list->AddRectFilled(r.a, r.b, faded(context.theme.link, 0.8f));
    } else {
      add_rect(context.list, {r.a.x + line, r.a.y + line}, {r.b.x - line / 2, r.b.y - line / 2}, context.theme.link, round, line);
    }
  }
  // Lines and arrows have no room of their own: they are drawn again, wider.
  const auto stroke_again = [&](const auto& from) {
    const ImVec2 a = camera.to_screen(from.x0, from.y0), b = camera.to_screen(from.x1, from.y1);
    context.list->AddLine(a, b, context.theme.ink, 4 * line);
    context.list->AddLine(a, b, context.theme.accent, 2 * line);
  };
  for (const ElementId& id : highlights.same) {
    const Mark& mark = scene.panels[id.panel].marks[id.mark];
    if (const auto* of = std::get_if<Line>(&mark)) stroke_again(*of);
    if (const auto* of = std::get_if<Arrow>(&mark)) stroke_again(*of);
    if (std::holds_alternative<Line>(mark) || std::holds_alternative<Arrow>(mark)) continue;
    const ScreenRect r = rect_of(id);
    if (!visible(r)) continue;
    if (scale < 6 * s) {
      context.list->AddRectFilled({r.a.x - 1, r.a.y - 1}, {r.b.x + 1, r.b.y + 1}, context.theme.accent);
      continue;
    }
    const bool here = under_mouse && id == *under_mouse;
    add_rect(context.list, {r.a.x - line, r.a.y - line}, {r.b.x + line, r.b.y + line}, context.theme.ink, round + line / 2, 2 * line);
    add_rect(context.list, {r.a.x - line / 2, r.a.y - line / 2}, {r.b.x + line / 2, r.b.y + line / 2}, context.theme.accent, round,
             (here ? 1.4f : 1.0f) * line);
  }
}

void paint_selection(const PaintContext& context, const Scene& scene, SceneIndex& index, const std::vector<ElementId>& cells,
                     const Camera& camera, const ScreenRect& area) {
  if (cells.empty()) return;
  for (const Bounds& b : index.cell_bounds()) {
    if (b.x1 <= b.x0) continue;
    context.list->AddRectFilled(camera.to_screen(b.x0, b.y0), camera.to_screen(b.x1, b.y1), faded(context.theme.canvas, 0.72f));
  }
  ScenePainter painter(context, scene, index, camera, area);
  const float line = std::clamp(camera.scale * 0.07f, 1.0f, 2.0f * context.ui_scale);
  for (const ElementId& id : cells) {
    painter.again(id);
    if (camera.scale < 6 * context.ui_scale) continue;
    const CellView cell = cell_of(scene, id);
    const ImVec2 a = camera.to_screen(cell.x, cell.y), b = camera.to_screen(cell.x + cell.w, cell.y + cell.h);
    if (b.x < area.a.x || a.x > area.b.x || b.y < area.a.y || a.y > area.b.y) continue;
    add_rect(context.list, a, b, context.theme.accent, 2 * context.ui_scale, line);
  }
}

void paint_changed_mark(const PaintContext& context, ImVec2 a, ImVec2 b) {
  const float side = std::min(b.x - a.x, b.y - a.y), corner = std::max(side * 0.26f, std::min(side, 3 * context.ui_scale));
  const ImU32 ink = context.theme.bad;
  context.list->AddTriangleFilled({a.x, a.y}, {a.x + corner, a.y}, {a.x, a.y + corner}, ink);
  if (side >= 8 * context.ui_scale) add_rect(context.list, a, b, ink, 0, std::clamp(side * 0.06f, 1.0f, 2.0f * context.ui_scale));
}

void paint_changed(const PaintContext& context, const Scene& scene, const std::vector<ElementId>& cells, const Camera& camera,
                   const ScreenRect& area) {
  for (const ElementId& id : cells) {
    const CellView cell = cell_of(scene, id);
    const ImVec2 a = camera.to_screen(cell.x, cell.y), b = camera.to_screen(cell.x + cell.w, cell.y + cell.h);
    if (b.x < area.a.x || a.x > area.b.x || b.y < area.a.y || a.y > area.b.y) continue;
    paint_changed_mark(context, a, b);
  }
}

void release(SceneIndex& index, Textures& textures) {
  for (std::vector<Layer>& layers : index.panels()) {
    for (Layer& layer : layers) {
      for (const std::uint64_t key : layer.textures) textures.remove(key);
      layer.textures.clear();
    }
  }
}

}  // namespace tessera::studio
