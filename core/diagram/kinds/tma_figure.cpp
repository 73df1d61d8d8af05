// SPDX-License-Identifier: BSD-3-Clause
// The figure of a TMA copy: a tensor in global memory with the boxes that the copy takes, and shared memory with where each 16 bytes of one
// of them land, in the same colours. What lies outside of the tensor is grey, and zero. Boxes and places are those of
// core/atom/tma/tma_boxes.hpp.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/atom/tma/tma_access.hpp"
#include "core/base/budget.hpp"
#include "core/diagram/kinds/figure_kinds.hpp"
#include "core/diagram/parts/opening_lines.hpp"
#include "core/diagram/parts/reading_aids.hpp"
#include "core/diagram/parts/scaled_axes.hpp"

namespace tessera {

namespace {

constexpr std::int64_t kUnitBits = 128, kUnitsOfALine = 8;  // 16 bytes; 128 bytes, a row of all banks
constexpr std::int64_t kMostBoxes = 8, kMostCells = 48;     // of the tensor's panel, in each direction
constexpr std::int64_t kMostLines = 16;                     // of shared memory
constexpr std::int64_t kHues = 8;
constexpr float kAslant = 3;   // of what is opened, in text units
constexpr float kBend = 3.1f;  // its lines go level before the names of its axes

// One direction of the tensor's panel.
struct Side {
  std::size_t mode = 0;
  bool is_there = false;
  std::int64_t extent = 1, of_box = 1;    // elements
  std::int64_t first_box = 0, boxes = 1;  // that are drawn
  std::int64_t lit = 0;                   // the followed box's place among all
  std::int64_t per_cell = 1;              // elements
  std::int64_t cells() const { return boxes * of_box / per_cell; }
  std::int64_t cells_of_box() const { return of_box / per_cell; }
  std::int64_t first() const { return first_box * of_box; }  // element
};

struct TmaPicture {
  const TmaBoxes* boxes = nullptr;
  TmaAccess access;
  std::int64_t number = 0;  // of the box that is followed
  std::int64_t bits = 16, per_unit = 8;
  std::size_t inner = 0;  // the mode that is contiguous in a box
  Side down, across;
  bool fine = true;  // cells of the tensor's panel are 16 bytes each
  std::vector<std::int64_t> origin;

  // One of a row of the box's units, or a row of the box, as colours count them.
  std::int64_t hue(std::string_view color, std::int64_t row, std::int64_t col) const {
    const Side& along = down.is_there && down.mode == inner ? down : across;
    const Side& other = &along == &down ? across : down;
    const std::int64_t here = &along == &down ? row : col, there = &along == &down ? col : row;
    if (color == "chunk") return (here - along.lit * along.of_box) / per_unit % kHues;
    return (there - other.lit * other.of_box) % kHues;
  }
};

// Box number, or the last that is whole.
Result<std::int64_t> followed(const FigureSpec& spec, const TmaBoxes& boxes) {
  TESSERA_TRY(asked, integer(spec, kBox));
  const std::int64_t count = boxes.count();
  if (asked && *asked >= count)
    return Error{ErrorCode::out_of_range,
                 fmt::format("box={}: {} is taken in {}", *asked, to_string(boxes.request.gmem),
                             count == 1 ? "one box" : fmt::format("{} boxes", count)),
                 {},
                 {fmt::format("boxes are 0 to {}", count - 1)}};
  if (asked) return *asked;
  // In every mode the last box that does not pass the end.
  std::int64_t number = 0, times = 1;
  for (const TmaBoxes::Mode& mode : boxes.modes) {
    number += std::max<std::int64_t>(0, mode.extent / mode.of_box - 1) * times;
    times *= mode.boxes();
  }
  return number;
}

void choose_side(Side& side, const TmaPicture& p) {
  const TmaBoxes::Mode& mode = p.boxes->modes[side.mode];
  side.is_there = true;
  side.extent = mode.extent, side.of_box = mode.of_box;
  side.lit = p.origin[side.mode] / mode.of_box;
  side.first_box = side.lit / kMostBoxes * kMostBoxes;
  side.boxes = std::min(kMostBoxes, mode.boxes() - side.first_box);
  const std::int64_t unit = side.mode == p.inner ? p.per_unit : 1;
  std::int64_t of_box = mode.of_box / unit;  // cells
  while (of_box > 2 && of_box % 2 == 0 && of_box * side.boxes > kMostCells) of_box /= 2;
  side.per_cell = mode.of_box / of_box;
}

Result<TmaPicture> read(const FigureSpec& spec) {
  TmaPicture p;
  p.boxes = std::get_if<TmaBoxes>(&spec.objects.front());
  if (!p.boxes)
    return Error{ErrorCode::wrong_type,
                 fmt::format("this figure needs a TMA copy, as make_tma_atom and make_tma_copy give it, and got {}",
                             object_name(spec.objects.front())),
                 {},
                 {"for example tma_figure(make_tma_atom(SM90_TMA_LOAD, make_tensor(make_gmem_ptr(half_t), (40,160):(160,1)), "
                  "Sw<3,3,3> o 0 o (16,64):(64,1), (16,64)))"}};
  const TmaBoxes& boxes = *p.boxes;
  TESSERA_TRY(access, tma_access(boxes.copy, boxes.request.gmem));
  p.access = std::move(access);
  TESSERA_TRY(number, followed(spec, boxes));
  p.number = number;
  p.bits = tessera::bits(boxes.request.type);
  p.per_unit = kUnitBits / p.bits;
  p.origin = boxes.origin(number);
  p.inner = boxes.walk.empty() ? boxes.modes.size() - 1 : boxes.walk.front();
  // Two modes as they are counted; of more those two that a box walks first.
  const std::size_t count = boxes.modes.size();
  if (count == 1) {
    p.across.mode = 0;
  } else if (count == 2) {
    p.down.mode = 0, p.across.mode = 1;
  } else {
    const std::size_t next = boxes.walk.size() > 1 ? boxes.walk[1] : p.inner == 0 ? 1 : 0;
    p.down.mode = std::min(p.inner, next), p.across.mode = std::max(p.inner, next);
  }
  choose_side(p.across, p);
  if (count > 1) choose_side(p.down, p);
  const auto unit = [&](const Side& side) { return side.is_there && side.mode == p.inner ? p.per_unit : 1; };
  p.fine = p.across.per_cell == unit(p.across) && p.down.per_cell == unit(p.down);
  TESSERA_CHECK(take_cells(count_product(p.down.cells(), p.across.cells()), 0, to_string(boxes.request.gmem)));
  TESSERA_CHECK(take_cells(boxes.elements() * p.bits / kUnitBits, 0, to_string(boxes.request.smem)));
  return p;
}

struct Paints {
  Scene& scene;
  const Palette& palette;
  std::string_view color;
  ColorIndex zero, pale, paler;
  ColorIndex of(const TmaPicture& p, std::int64_t row, std::int64_t col) const {
    return color == "none" ? kNoColor : scene.color(palette.category(p.hue(color, row, col), kHues));
  }
};

// Where the box that is followed stands in the tensor's panel.
Bounds lit_box(const TmaPicture& p, const Frame& frame) {
  const auto w = static_cast<float>(p.across.cells_of_box()), h = static_cast<float>(p.down.cells_of_box());
  const float x = frame.x + w * static_cast<float>(p.across.lit - p.across.first_box);
  const float y = frame.y + h * static_cast<float>(p.down.lit - p.down.first_box);
  return {x, y, x + w, y + h};
}

// "(16,64)" of what lies behind the two modes that are drawn; empty: there is nothing.
std::string rest_of(const TmaPicture& p, const std::vector<std::int64_t>& at) {
  std::string made;
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (i == p.across.mode || (p.down.is_there && i == p.down.mode)) continue;
    made += fmt::format("{}{}", made.empty() ? "" : ",", at[i]);
  }
  return made;
}

// ", at (_,_,2)": which part of a tensor of more than two modes is drawn; empty: all of it.
std::string slice_of(const TmaPicture& p) {
  if (p.origin.size() < 3) return {};
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < p.origin.size(); ++i)
    parts.push_back(i == p.across.mode || i == p.down.mode ? "_" : std::to_string(p.origin[i]));
  return fmt::format(", at ({})", fmt::join(parts, ","));
}

// A unit of 16 bytes of the box, by its first element.
struct Unit {
  std::int64_t row = 0, col = 0, place = 0;
  bool inside = true;
  std::string rest;              // its coordinate in the other modes
  std::vector<std::int64_t> at;  // and in all
};
std::vector<Unit> units_of_box(const TmaPicture& p) {
  std::vector<Unit> made;
  const std::vector<TmaElement> elements = elements_of_box(*p.boxes, p.number);
  for (std::size_t i = 0; i < elements.size(); i += static_cast<std::size_t>(p.per_unit)) {
    const TmaElement& first = elements[i];
    made.push_back(
        {p.down.is_there ? first.at[p.down.mode] : 0, first.at[p.across.mode], first.place, first.inside, rest_of(p, first.at), first.at});
  }
  return made;
}

// The number of the box at a place among those that are drawn.
std::int64_t number_at(const TmaPicture& p, std::int64_t r, std::int64_t c) {
  std::int64_t number = 0, times = 1;
  for (std::size_t i = 0; i < p.origin.size(); ++i) {
    const TmaBoxes::Mode& mode = p.boxes->modes[i];
    const bool is_down = p.down.is_there && i == p.down.mode;
    number += times * (i == p.across.mode ? p.across.first_box + c : is_down ? p.down.first_box + r : p.origin[i] / mode.of_box);
    times *= mode.boxes();
  }
  return number;
}

// Of a tensor of more than two modes: all of a cell's coordinate, as the two that are drawn need not be the first.
void add_coordinate(Scene& scene, GridColumns& columns, const std::vector<std::int64_t>& at) {
  if (at.size() < 3) return;
  columns.rests.push_back(static_cast<std::int32_t>(scene.rests.size()));
  scene.rests.push_back(fmt::format("={}", fmt::join(at, ",")));
}

GridColumns tensor_columns(const TmaPicture& p, const Paints& paints, const std::vector<Unit>& units, std::string_view labels) {
  const Side &down = p.down, &across = p.across;
  GridColumns columns = begin_grid(down.cells(), across.cells());
  columns.place = GridColumns::Place::given;
  columns.tensor = 0;
  std::vector<const Unit*> lit(columns.size(), nullptr);
  for (const Unit& each : units) {
    if (!p.fine || each.rest != rest_of(p, p.origin)) continue;
    const std::int64_t r = (each.row - down.first()) / down.per_cell, c = (each.col - across.first()) / across.per_cell;
    lit[static_cast<std::size_t>(r * across.cells() + c)] = &each;
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto cols = static_cast<std::size_t>(columns.cols);
    const std::int64_t row = down.first() + static_cast<std::int64_t>(i / cols) * down.per_cell;
    const std::int64_t col = across.first() + static_cast<std::int64_t>(i % cols) * across.per_cell;
    const bool inside = (!down.is_there || row < down.extent) && col < across.extent;
    const std::int64_t box_r = row / down.of_box, box_c = col / across.of_box;
    std::int64_t address = 0;
    for (std::size_t mode = 0; mode < p.origin.size(); ++mode) {
      const std::int64_t at = mode == across.mode ? col : down.is_there && mode == down.mode ? row : p.origin[mode];
      address += at * p.boxes->modes[mode].stride;
    }
    columns.row.push_back(static_cast<std::int32_t>(row));
    columns.col.push_back(static_cast<std::int32_t>(col));
    std::vector<std::int64_t> at = p.origin;
    at[across.mode] = col;
    if (down.is_there) at[down.mode] = row;
    add_coordinate(paints.scene, columns, at);
    columns.address.push_back(inside ? address : -1);
    const bool is_lit = box_r == down.lit && box_c == across.lit;
    columns.fills.push_back(!inside                             ? paints.zero
                            : !is_lit                           ? ((box_r + box_c) % 2 == 0 ? paints.pale : paints.paler)
                            : p.fine || paints.color == "chunk" ? paints.of(p, row, col)
                                                                : kNoColor);
    if (labels != "none") columns.add_label(lit[i] && inside ? std::to_string(lit[i]->place / p.per_unit) : std::string());
  }
  return columns;
}

// The boxes' outlines and numbers, where the tensor ends, and the box that is followed.
void add_boxes(Scene& scene, Panel& panel, const TmaPicture& p, const Frame& frame, bool number_lit, float unit) {
  const Side &down = p.down, &across = p.across;
  // Cells of a side that lie in the tensor, from the first that is drawn to before an element.
  const auto cells = [](const Side& side, std::int64_t element) {
    return static_cast<float>(std::min({element, side.extent, side.first() + side.boxes * side.of_box}) - side.first()) /
           static_cast<float>(side.per_cell);
  };
  const auto box_w = static_cast<float>(across.cells_of_box()), box_h = static_cast<float>(down.cells_of_box());
  for (std::int64_t r = 0; r < down.boxes; ++r) {
    for (std::int64_t c = 0; c < across.boxes; ++c) {
      float x = box_w * static_cast<float>(c), y = box_h * static_cast<float>(r);
      panel.marks.push_back(Outline{frame.x + x, frame.y + y, box_w, box_h, StrokeRole::boundary});
      const std::int64_t number = number_at(p, r, c);
      float right = cells(across, (across.first_box + c + 1) * across.of_box);
      float bottom = down.is_there ? cells(down, (down.first_box + r + 1) * down.of_box) : 1;
      const float size = std::min({0.8f * unit, 0.6f * box_h, 0.6f * box_w});
      if (number == p.number && !number_lit) {  // its cells have numbers of their own, but for those outside of the tensor
        if (y + box_h - bottom > 1.5f * size)
          y = bottom, bottom = box_h * static_cast<float>(r + 1);
        else if (x + box_w - right > 1.5f * size)
          x = right, right = box_w * static_cast<float>(c + 1);
        else
          continue;
      }
      panel.marks.push_back(Label{frame.x + (x + right) / 2, frame.y + (y + bottom) / 2, scene.intern(std::to_string(number)),
                                  LabelRole::panel_name, Anchor::center, size});
    }
  }
  panel.marks.push_back(
      Outline{frame.x, frame.y, cells(across, across.extent), down.is_there ? cells(down, down.extent) : 1, StrokeRole::strong});
  const Bounds lit = lit_box(p, frame);
  panel.marks.push_back(Outline{lit.x0, lit.y0, lit.width(), lit.height(), StrokeRole::highlight});
}

Panel tensor_panel(Scene& scene, const TmaPicture& p, const Paints& paints, const std::vector<Unit>& units, std::string_view labels,
                   const Frame& frame, float unit) {
  Panel panel{to_string(p.boxes->request.gmem),
              {},
              "gmem",
              PanelOperand::none,
              {"mode " + std::to_string(p.across.mode), p.down.is_there ? "mode " + std::to_string(p.down.mode) : ""}};
  GridColumns columns = tensor_columns(p, paints, units, labels);
  add_grid(panel, frame, std::move(columns));
  panel.marks.push_back(Outline{frame.x, frame.y, frame.width(), static_cast<float>(frame.rows), StrokeRole::hairline, true, frame.w, 1});
  add_boxes(scene, panel, p, frame, labels == "none" || !p.fine, unit);
  add_scaled_axes(scene, panel, frame, {p.down.first(), p.down.per_cell}, {p.across.first(), p.across.per_cell}, unit);
  add_axis_names(scene, panel, frame, unit);
  add_heading(scene, panel, frame.x, frame.y - 1.15f * unit, fmt::format("global {}{}", panel.name, slice_of(p)), unit);
  return panel;
}

// Lines of shared memory that the box is written to.
struct Lines {
  std::int64_t first = 0, count = 1, all = 1;  // in lines of 128 bytes
};
Lines lines_of(const TmaPicture& p, const std::vector<Unit>& units) {
  std::int64_t least = units.front().place, most = least;
  for (const Unit& each : units) least = std::min(least, each.place), most = std::max(most, each.place);
  const std::int64_t in_line = kUnitsOfALine * p.per_unit;
  Lines made;
  made.first = least / in_line;
  made.all = most / in_line - made.first + 1;
  made.count = std::min(made.all, kMostLines);
  return made;
}

Panel shared_panel(Scene& scene, const TmaPicture& p, const Paints& paints, const std::vector<Unit>& units, const Lines& lines,
                   std::string_view labels, const Frame& frame, float unit) {
  Panel panel{to_string(p.boxes->request.smem), {}, "smem", PanelOperand::none, {"+ byte", "byte"}};
  std::vector<const Unit*> at(static_cast<std::size_t>(frame.rows * frame.cols), nullptr);
  for (const Unit& each : units) {
    const std::int64_t cell = each.place / p.per_unit - lines.first * kUnitsOfALine;
    if (cell < static_cast<std::int64_t>(at.size())) at[static_cast<std::size_t>(cell)] = &each;
  }
  GridColumns columns = begin_grid(frame.rows, frame.cols);
  columns.place = GridColumns::Place::given;
  columns.tensor = 1;
  columns.bits = p.bits;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const Unit* here = at[i];
    columns.row.push_back(here ? static_cast<std::int32_t>(here->row) : -1);
    columns.col.push_back(here ? static_cast<std::int32_t>(here->col) : -1);
    if (here)
      add_coordinate(scene, columns, here->at);
    else if (p.origin.size() > 2)
      columns.rests.push_back(-1);
    columns.address.push_back((lines.first * kUnitsOfALine + static_cast<std::int64_t>(i)) * p.per_unit);
    columns.fills.push_back(!here ? kNoColor : !here->inside ? paints.zero : paints.of(p, here->row, here->col));
    if (labels == "none") continue;
    columns.add_label(!here ? std::string() : here->inside ? fmt::format("{}", fmt::join(here->at, ",")) : "zero");
  }
  add_grid(panel, frame, std::move(columns));
  add_frame(panel, frame);
  const std::int64_t line_bytes = kUnitsOfALine * kUnitBits / 8;
  add_axis_names(scene, panel, frame, unit);
  add_scaled_axes(scene, panel, frame, {lines.first * line_bytes, line_bytes}, {0, kUnitBits / 8}, unit);
  add_heading(scene, panel, frame.x, frame.y - 1.15f * unit, fmt::format("box {} in shared memory", p.number), unit);
  return panel;
}

// "16 × 64"
std::string extents(const TmaBoxes& boxes) {
  std::string made;
  for (const TmaBoxes::Mode& mode : boxes.modes) made += fmt::format("{}{}", made.empty() ? "" : " × ", mode.of_box);
  return made;
}

bool is_store(const TmaBoxes& boxes) { return boxes.request.operation.name.find("_LOAD") == std::string::npos; }

std::string_view lands(const TmaBoxes& boxes, bool one) {
  if (is_store(boxes)) return one ? "is read" : "are read";
  return one ? "lands" : "land";
}

// What stands in cells: in the box where 16 bytes go, in shared memory where they are from.
void say_labels(Captions& captions, const TmaPicture& p) {
  const std::string first = p.per_unit == 1 ? std::string("the coordinate of its element") : "the coordinate of the first of its elements";
  const std::string coordinate = fmt::format("number in shared memory: {}", first);
  if (p.fine)
    captions.notes.push_back(fmt::format("number in box {}: the 16-byte chunk of shared memory where {} {}", p.number,
                                         p.per_unit == 1 ? "this element" : fmt::format("these {} elements", p.per_unit),
                                         lands(*p.boxes, p.per_unit == 1)));
  captions.notes.push_back(coordinate);
}

Captions captions_of(const TmaPicture& p, const Lines& lines, bool labelled) {
  const TmaBoxes& boxes = *p.boxes;
  const std::int64_t count = boxes.count(), inside = boxes.inside(p.number), all = boxes.elements();
  Captions captions;
  captions.sentence =
      fmt::format("{} takes {} in {} of {} elements, {} bytes each.", boxes.request.operation.name, to_string(boxes.request.gmem),
                  count == 1 ? "one box" : fmt::format("{} boxes (large numbers)", count), extents(boxes), boxes.bytes());
  const std::string outside = fmt::format("box {}: {} of its {} elements are outside (grey)", p.number, all - inside, all);
  if (inside == all)
    captions.notes.push_back(fmt::format("box {}: all of its {} elements are the tensor's", p.number, all));
  else if (is_store(boxes))
    captions.notes.push_back(outside + " and not written");
  else
    captions.notes.push_back(fmt::format("{} and arrive as zeros; the mbarrier counts all {} bytes", outside, boxes.bytes()));
  if (labelled) say_labels(captions, p);
  if (boxes.request.cta_values.size() > all)
    captions.notes.push_back(
        fmt::format("{} boxes fill one tile of {} elements", boxes.request.cta_values.size() / all, boxes.request.cta_values.size()));
  if (boxes.copy.multicast > 1)
    captions.notes.push_back(
        fmt::format("{} CTAs share a box: each asks for {} of it, and all get it", boxes.copy.multicast, to_string(boxes.copy.box_of_cta)));
  captions.notes.push_back(fmt::format("{} {}{} {} sectors of 32 bytes, {}",
                                       count == 1 ? "the box" : fmt::format("the {} boxes together", count),
                                       is_store(boxes) ? "write" : "read", count == 1 ? "s" : "", p.access.sectors,
                                       p.access.is_best() ? "as few as there can be" : fmt::format("{} at the least", p.access.least)));
  captions.notes.push_back(fmt::format("shared memory: {}", to_string(boxes.request.smem)));
  if (lines.count < lines.all)
    captions.notes.push_back(fmt::format("drawn: {} of the box's {} lines of 128 bytes", lines.count, lines.all));
  if (count > 1) captions.notes.emplace_back("pale tints: to tell neighbouring boxes apart");
  if (!p.fine) captions.notes.push_back(fmt::format("a cell of the tensor is {} × {} elements", p.down.per_cell, p.across.per_cell));
  captions.heading = to_string(boxes.request.gmem);
  return captions;
}

}  // namespace

Result<Scene> tma_figure(const FigureSpec& spec) {
  TESSERA_CHECK(only_own_style(spec));
  TESSERA_TRY(labels, choice(spec, "labels", kTmaLabelChoices));
  TESSERA_TRY(color, choice(spec, "color", kTmaColorChoices));
  TESSERA_TRY(palette, Palette::find(spec.palette));
  TESSERA_TRY(p, read(spec));
  const std::vector<Unit> units = units_of_box(p);
  const Lines lines = lines_of(p, units);
  Scene scene = begin_scene(spec);
  scene.tensors = {to_string(p.boxes->request.gmem), to_string(p.boxes->request.smem)};
  const Paints paints{scene,
                      palette,
                      color,
                      scene.color(on_page({208, 212, 220}, scene.page)),
                      scene.color(on_page({247, 249, 252}, scene.page)),
                      scene.color(on_page({222, 232, 247}, scene.page))};
  std::size_t longest = 1;
  for (const Unit& each : units) longest = std::max(longest, fmt::format("{}", fmt::join(each.at, ",")).size());
  constexpr float kRoomy = 1.4f;  // what stands there is what the picture is about
  const float w = labels == "none" ? 1 : kRoomy * cell_width(longest);
  const float unit =
      type_scale(spec, std::max(p.down.cells(), lines.count), p.across.cells() + static_cast<std::int64_t>(w * kUnitsOfALine));
  const Frame tensor{0, 0, p.down.cells(), p.across.cells()};
  Frame shared{tensor.right() + 4.2f * unit, 0, lines.count, kUnitsOfALine, w};
  // Beside the box that it opens, and a little towards the middle: level lines would look like edges of the tensor's boxes.
  const float middle = (static_cast<float>(p.down.lit - p.down.first_box) + 0.5f) * static_cast<float>(p.down.cells_of_box());
  const float towards = (middle > tensor.bottom() / 2 ? -kAslant : kAslant) * unit;
  shared.y = std::clamp(middle + towards - static_cast<float>(lines.count) / 2, 0.0f,
                        std::max(0.0f, tensor.bottom() - static_cast<float>(lines.count)));
  Panel gmem = tensor_panel(scene, p, paints, units, labels, tensor, unit);
  // From the box itself, over those beside it: lines along their edges would open a row of boxes.
  const Bounds opened = lit_box(p, tensor);
  add_opening(gmem, {opened.x0, opened.y0, p.down.cells_of_box(), p.across.cells_of_box()}, opened, shared, kBend * unit);
  scene.panels.push_back(std::move(gmem));
  scene.panels.push_back(shared_panel(scene, p, paints, units, lines, labels, shared, unit));
  Captions captions = captions_of(p, lines, labels != "none");
  if (color == "chunk") {
    Legend legend = category_legend(scene, palette, "16 bytes", kHues);
    legend.words =
        fmt::format("colour: which 16 bytes of a row of the box{}", p.boxes->modes[p.inner].of_box > kHues * p.per_unit ? ", mod 8" : "");
    legend.numbered = true;
    captions.legends.push_back(std::move(legend));
  } else if (color == "row") {
    Legend legend = category_legend(scene, palette, "row", kHues);
    legend.words = "colour: row of the box, mod 8";
    legend.numbered = true;
    captions.legends.push_back(std::move(legend));
  }
  return close_figure(std::move(scene), spec, std::move(captions), unit);
}

}  // namespace tessera
