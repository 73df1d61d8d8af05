// SPDX-License-Identifier: BSD-3-Clause
// The figure of a layout of three modes or more as a stack: a sheet for each coordinate of the third mode, each over a part of the one
// before it, or apart from it. The fourth mode and those behind it make further stacks.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/budget.hpp"
#include "core/diagram/kinds/figure_kinds.hpp"
#include "core/diagram/parts/reading_aids.hpp"
#include "core/layout/algebra.hpp"
#include "core/layout/composed_algebra.hpp"

namespace tessera {

namespace {

constexpr std::int64_t kMostSheets = 64;
constexpr double kPage = 1.7;  // width by height that is aimed at
constexpr std::string_view kOfCells[] = {"highlight", "steps"};

struct StackPicture {
  AnyLayout layout;
  std::int64_t rows = 1, cols = 1, deep = 1;  // deep: coordinates of the third mode
  std::vector<std::int64_t> sheets;           // those that are drawn, 1-D coordinates of the modes behind the second
  std::int64_t bits = 0;                      // of an element; 0: not known
  std::vector<std::string> modes;

  // (row, col, sheet) -> offset
  std::int64_t offset(std::int64_t r, std::int64_t c, std::int64_t sheet) const { return evaluate(layout, index(r, c, sheet)); }
  std::int64_t index(std::int64_t r, std::int64_t c, std::int64_t sheet) const { return r + rows * (c + cols * sheet); }
};

// The sheets of sheets=, else all.
Result<std::vector<std::int64_t>> sheets_of(const FigureSpec& spec, std::int64_t count, const AnyLayout& layout) {
  TESSERA_TRY(asked, number_set(spec, "sheets"));
  std::vector<std::int64_t> made;
  for (const std::int64_t each : asked) {
    if (each >= count)
      return Error{ErrorCode::out_of_range,
                   fmt::format("sheets={} names sheet {}, and {} has {}", parameter(spec, "sheets"), each, to_string(layout),
                               counted(count, "sheet")),
                   {},
                   {fmt::format("sheets are 0 to {}", count - 1)}};
    made.push_back(each);
  }
  for (std::int64_t k = 0; asked.empty() && k < std::min(count, kMostSheets + 1); ++k) made.push_back(k);
  if (static_cast<std::int64_t>(made.size()) > kMostSheets)
    return Error{ErrorCode::limit,
                 fmt::format("{} has {} sheets, and a stack has at most {}", to_string(layout), count, kMostSheets),
                 {},
                 {"name those that are drawn: sheets=0-7"}};
  return made;
}

Result<StackPicture> read(const FigureSpec& spec) {
  StackPicture p;
  TESSERA_TRY(layout, layout_object(spec, 0, "a layout"));
  const Shape& s = shape(layout);
  if (s.rank() < 3)
    return Error{ErrorCode::rank_mismatch,
                 fmt::format("a stack has a sheet for each coordinate of a third mode, and {} has {}", to_string(layout),
                             counted(static_cast<std::int64_t>(s.rank()), "mode")),
                 {},
                 {"draw it as a layout: layout_figure(...)", "zipped_divide and others make modes of tiles"}};
  const auto* composed = std::get_if<ComposedLayout>(&layout);
  if (layout_part(layout).has_basis() || (composed && !composed->offset.is_int()))
    return Error{ErrorCode::wrong_type,
                 fmt::format("{} gives coordinates, and a stack shows offsets", to_string(layout)),
                 {},
                 {"draw it as a layout: layout_figure(...)"}};
  p.rows = size(s[0]), p.cols = size(s[1]), p.deep = size(s[2]);
  TESSERA_TRY(sheets, sheets_of(spec, size(layout) / (p.rows * p.cols), layout));
  p.sheets = std::move(sheets);
  TESSERA_CHECK(take_cells(count_product(p.rows * p.cols, static_cast<std::int64_t>(p.sheets.size())), 0, to_string(layout)));
  TESSERA_TRY(bits, element_bits(spec));
  p.bits = bits;
  if (spec.modes.size() == s.rank()) p.modes = spec.modes;
  p.layout = std::move(layout);
  return p;
}

std::string name_of_sheet(const StackPicture& p, std::int64_t sheet) {
  if (p.modes.empty()) return fmt::format("(_,_,{})", rest_of_coordinate(shape(p.layout), sheet));
  return fmt::format("{} = {}", fmt::join(p.modes.begin() + 2, p.modes.end(), ","), rest_of_coordinate(shape(p.layout), sheet));
}

// What stands beside a sheet: where one mode counts the sheets, its number.
std::string heading_of_sheet(const StackPicture& p, std::int64_t sheet) {
  const bool one = p.modes.empty() && shape(p.layout).rank() == 3;
  return one ? fmt::format("mode 2 = {}", rest_of_coordinate(shape(p.layout), sheet)) : name_of_sheet(p, sheet);
}

std::string label_of(const StackPicture& p, std::string_view labels, std::int64_t r, std::int64_t c, std::int64_t sheet) {
  if (labels == "offset") return std::to_string(p.offset(r, c, sheet));
  if (labels == "index") return std::to_string(p.index(r, c, sheet));
  if (labels == "coordinate") return fmt::format("{},{},{}", r, c, rest_of_coordinate(shape(p.layout), sheet));
  return {};
}

// What every offset of a sheet is behind that of the sheet before, along the third mode; nothing where that differs, also from one stack
// to the next.
std::optional<std::int64_t> step_of(const StackPicture& p) {
  if (p.deep < 2) return std::nullopt;
  const std::int64_t step = p.offset(0, 0, 1) - p.offset(0, 0, 0);
  for (std::int64_t k = 1; k < size(p.layout) / (p.rows * p.cols); ++k) {
    if (k % p.deep == 0) continue;  // the first of a further stack
    for (std::int64_t c = 0; c < p.cols; ++c) {
      for (std::int64_t r = 0; r < p.rows && !late(); ++r) {
        if (p.offset(r, c, k) - p.offset(r, c, k - 1) != step) return std::nullopt;
      }
    }
  }
  return step;
}

// Where sheets stand: each (dx, dy) behind the one before, further stacks (next_x, next_y) behind this one.
struct Cascade {
  float dx = 0, dy = 0, next_x = 0, next_y = 0;
  bool across = true;    // sheets stand beside each other; otherwise below each other
  bool is_pile = false;  // sheets lie on each other
};
Cascade cascade_of(const StackPicture& p, float width, float unit, bool across, std::int64_t most, std::int64_t stacks) {
  const auto height = static_cast<float>(p.rows), behind = static_cast<float>(most - 1);
  Cascade made;
  made.across = across;
  made.dx = across ? width + 0.9f * unit : std::clamp(0.18f * width, 0.9f * unit, 2.4f * unit);
  made.dy = across ? std::clamp(0.3f * height, 1.5f * unit, 2.2f * unit) : height + 1.5f * unit;
  if (stacks > 1) {
    made.next_x = across ? 0 : width + behind * made.dx + 3.4f * unit;
    made.next_y = across ? height + behind * made.dy + 2.6f * unit : 0;
  }
  return made;
}
// Each sheet lies on the one before it and leaves half of its rows and columns free, or of many sheets fewer, at least one. It begins a
// little before the next cell: on the lines of that sheet's cells both would look like one grid.
Cascade pile_of(const StackPicture& p, float w, float unit, std::int64_t most, std::int64_t stacks) {
  const double share = std::min(0.5, 2.0 / static_cast<double>(std::max<std::int64_t>(most - 1, 1)));
  constexpr float kBefore = 0.08f, kAbove = 0.12f;  // what is seen keeps its label, which is wider than high
  const auto free = [&](std::int64_t cells) { return static_cast<float>(std::ceil(share * static_cast<double>(cells))); };
  const auto behind = static_cast<float>(most - 1);
  Cascade made{w * (free(p.cols) - kBefore), free(p.rows) - kAbove, 0, 0, true, true};
  const float names = 0.26f * unit * static_cast<float>(heading_of_sheet(p, p.sheets.back()).size());
  const float width = w * static_cast<float>(p.cols) + behind * made.dx + names, height = static_cast<float>(p.rows) + behind * made.dy;
  if (stacks > 1 && width * static_cast<float>(stacks) < height * static_cast<float>(kPage))
    made.next_x = width + 1.6f * unit;
  else if (stacks > 1)
    made.next_y = height + 1.6f * unit;
  return made;
}
// How far from the page's proportion a picture is.
double misfit(const StackPicture& p, float width, const Cascade& c, std::int64_t most, std::int64_t stacks) {
  const auto behind = static_cast<float>(most - 1), more = static_cast<float>(stacks - 1);
  const float w = width + behind * c.dx + more * c.next_x, h = static_cast<float>(p.rows) + behind * c.dy + more * c.next_y;
  return std::abs(std::log(static_cast<double>(w / h) / kPage));
}

Panel sheet_panel(Scene& scene, const StackPicture& p, std::string_view labels, std::int64_t sheet, const Frame& frame, ColorIndex fill,
                  bool in_pile, float unit) {
  Panel panel{name_of_sheet(p, sheet), {}, fmt::format("layout{}", sheet)};
  GridColumns columns = begin_grid(p.rows, p.cols);
  columns.place = GridColumns::Place::drawn;
  columns.tensor = 0;
  columns.bits = p.bits;
  columns.rest = static_cast<std::int32_t>(scene.rests.size());
  scene.rests.push_back(rest_of_coordinate(shape(p.layout), sheet));
  columns.fills.assign(columns.size(), fill);
  for (std::int64_t r = 0; r < p.rows; ++r) {
    for (std::int64_t c = 0; c < p.cols; ++c) {
      columns.address.push_back(std::max<std::int64_t>(p.offset(r, c, sheet), -1));
      if (labels != "none") columns.add_label(label_of(p, labels, r, c, sheet));
    }
  }
  add_grid(panel, frame, std::move(columns));
  add_frame(panel, frame);
  add_divisions(panel, frame, shape(p.layout)[0], shape(p.layout)[1]);
  const bool first = sheet == p.sheets.front();
  if (first) {
    if (p.modes.size() > 1) panel.axes = {p.modes[1], p.modes[0]};
    add_axes(scene, panel, frame, {}, unit);
    add_axis_names(scene, panel, frame, unit);
  }
  const std::string heading = heading_of_sheet(p, sheet);
  if (in_pile)  // the next sheet begins below
    add_heading(scene, panel, frame.right() + 0.3f * unit, frame.y + 0.5f, heading, 0.85f * unit);
  else
    add_heading(scene, panel, frame.x, frame.y - (first ? 0.95f : 0.4f) * unit, heading, 0.85f * unit);
  return panel;
}

// Lines from two corners of a sheet to those of the next one; with what lies between them, where that is known.
void add_rails(Scene& scene, Panel& panel, const Frame& from, const Frame& to, const Cascade& cascade, const std::string& says,
               const std::string& words, float unit) {
  if (!cascade.is_pile) panel.marks.push_back(Line{from.right(), from.y, to.right(), to.y, StrokeRole::boundary});
  if (says.empty()) {
    panel.marks.push_back(Line{from.x, from.bottom(), to.x, to.bottom(), StrokeRole::boundary});
    return;
  }
  constexpr float kOff = 0.14f;  // of the way, from both corners
  const float dx = kOff * (to.x - from.x), dy = kOff * (to.bottom() - from.bottom());
  const bool off = cascade.is_pile;
  Arrow arrow{from.x + (off ? dx : 0), from.bottom() + (off ? dy : 0), to.x - (off ? dx : 0), to.bottom() - (off ? dy : 0)};
  arrow.subject = scene.add_words(words);
  panel.marks.push_back(arrow);
  const float x = (from.x + to.x) / 2, y = (from.bottom() + to.bottom()) / 2;
  const float left = cascade.is_pile ? 0.15f * unit : cascade.across ? 0 : 0.35f * unit;
  panel.marks.push_back(
      Label{x - left, cascade.across ? y + 0.45f * unit : y, scene.intern(says), LabelRole::legend, Anchor::right, 0.4f * unit});
}

// Is nothing asked of single cells, which have to be seen then?
bool all_may_be_covered(const FigureSpec& spec) {
  return std::all_of(std::begin(kOfCells), std::end(kOfCells), [&](std::string_view asked) {
    const std::string_view given = parameter(spec, asked);
    return given.empty() || given == "no";
  });
}

std::string sentence_of(const StackPicture& p, std::int64_t all, std::optional<std::int64_t> step) {
  const std::string shown = static_cast<std::int64_t>(p.sheets.size()) == all
                                ? counted(all, "sheet")
                                : fmt::format("{} of its {}", p.sheets.size(), counted(all, "sheet"));
  std::string text = fmt::format("{} as {} of {} × {}", to_string(p.layout), shown, p.rows, p.cols);
  if (step)
    text += fmt::format(": along mode 2, from sheet to sheet, each offset {} by {}", *step < 0 ? "falls" : "grows", std::abs(*step));
  return text + ".";
}

}  // namespace

Result<Scene> stack_figure(const FigureSpec& spec) {
  TESSERA_CHECK(only_own_style(spec));
  TESSERA_TRY(labels, choice(spec, "labels", kStackLabelChoices));
  TESSERA_TRY(color, color_choice(spec, kStackColorChoices));
  TESSERA_TRY(direction, choice(spec, "direction", kStackDirectionChoices));
  TESSERA_TRY(palette, Palette::find(spec.palette));
  TESSERA_TRY(p, read(spec));
  Scene scene = begin_scene(spec);
  scene.tensors = {to_string(p.layout)};
  const std::int64_t all = size(p.layout) / (p.rows * p.cols);
  // Sheets of one stack have all coordinates behind the third mode in common.
  std::vector<std::vector<std::int64_t>> stacks;
  for (const std::int64_t sheet : p.sheets) {
    if (stacks.empty() || stacks.back().back() / p.deep != sheet / p.deep) stacks.emplace_back();
    stacks.back().push_back(sheet);
  }
  std::size_t most = 0, longest = 1;
  for (const auto& stack : stacks) {
    most = std::max(most, stack.size());
    for (const std::int64_t sheet : stack) {
      for (const std::int64_t r : {std::int64_t{0}, p.rows - 1}) {
        for (const std::int64_t c : {std::int64_t{0}, p.cols - 1}) longest = std::max(longest, label_of(p, labels, r, c, sheet).size());
      }
    }
  }
  const float w = cell_width(longest), width = w * static_cast<float>(p.cols);
  const auto count = static_cast<std::int64_t>(stacks.size()), deepest = static_cast<std::int64_t>(most);
  const float small = type_scale(spec, p.rows, static_cast<std::int64_t>(width));
  const Cascade across = cascade_of(p, width, small, true, deepest, count), down = cascade_of(p, width, small, false, deepest, count);
  const bool is_across =
      direction == "across" || (direction == "auto" && misfit(p, width, across, deepest, count) <= misfit(p, width, down, deepest, count));
  const bool piled = direction == "auto" && all_may_be_covered(spec);
  const Cascade cascade = piled ? pile_of(p, w, small, deepest, count) : is_across ? across : down;
  const std::optional<std::int64_t> step = step_of(p);
  for (std::size_t i = 0; i < stacks.size(); ++i) {
    std::vector<Frame> frames;
    for (std::size_t k = 0; k < stacks[i].size(); ++k) {
      const auto behind = static_cast<float>(k), stack = static_cast<float>(i);
      frames.push_back({behind * cascade.dx + stack * cascade.next_x, behind * cascade.dy + stack * cascade.next_y, p.rows, p.cols, w});
      const ColorIndex fill = color == "sheet"  ? scene.color(palette.category(stacks[i][k] % p.deep, std::max<std::int64_t>(2, p.deep)))
                              : cascade.is_pile ? scene.color(scene.page.paper)  // covers what lies below
                                                : kNoColor;
      Panel panel = sheet_panel(scene, p, labels, stacks[i][k], frames.back(), fill, cascade.is_pile, small);
      if (i == 0 && k == 0) add_heading(scene, panel, 0, (cascade.is_pile ? -1.15f : -1.8f) * small, to_string(p.layout), small);
      if (k > 0) {
        const std::int64_t apart = stacks[i][k] - stacks[i][k - 1];
        const bool says = step.has_value();
        add_rails(
            scene, panel, frames[k - 1], frames[k], cascade, says ? fmt::format("{:+}", *step * apart) : "",
            says ? fmt::format("from {} to {}: {:+} in every offset", name_of_sheet(p, stacks[i][k - 1]), panel.name, *step * apart) : "",
            small);
      }
      scene.panels.push_back(std::move(panel));
    }
  }
  Captions captions{sentence_of(p, all, step), {}, {}, to_string(p.layout)};
  if (cascade.is_pile && p.sheets.size() > 1) captions.notes.emplace_back("each sheet hides a part of the one behind it");
  say_divisions(captions);
  captions.boundary.clear();  // the rails are such lines too
  if (color == "sheet") {
    captions.legends.push_back(category_legend(scene, palette, "coordinate in mode 2", std::max<std::int64_t>(2, p.deep)));
  } else {
    FigureSpec of_all = spec;
    if (!of_all.ramp) of_all.ramp = offsets_of(scene);  // one scale for all sheets
    TESSERA_TRY(painted, paint(scene, of_all, palette, color, std::pair{p.rows, p.cols}));
    captions.legends.push_back(std::move(painted));
  }
  if (color == "bank" || color == "chunk") captions.notes.push_back(bits_note(p.bits, p.bits > 0));
  return close_figure(std::move(scene), spec, std::move(captions), small);
}

}  // namespace tessera
