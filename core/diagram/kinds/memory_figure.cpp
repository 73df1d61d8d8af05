// SPDX-License-Identifier: BSD-3-Clause
// The figure of memory: addresses in order, in lines of all banks or of so many elements, each with the coordinate that lies there.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/budget.hpp"
#include "core/diagram/kinds/figure_kinds.hpp"
#include "core/diagram/parts/padding.hpp"
#include "core/diagram/parts/reading_aids.hpp"
#include "core/layout/algebra.hpp"
#include "core/layout/composed_algebra.hpp"

namespace tessera {

namespace {

constexpr std::int64_t kMostAddresses = std::int64_t{1} << 16;
constexpr std::int64_t kRowBits = 32 * 32;  // of all banks

struct MemoryPicture {
  AnyLayout layout;
  std::int64_t wrap = 32, lines = 1, least = 0, bits = 0;   // least: the first address that is drawn
  std::int64_t begin = 0, end = 0;                          // addresses from the first element's to behind the last one's
  std::vector<std::int64_t> first;                          // by address behind `least`: the 1-D coordinate that lies there; -1: none
  std::map<std::size_t, std::vector<std::int64_t>> others;  // and further ones, where there are any
  std::int64_t rows = 1, cols = 1;                          // of the layout; of one mode, all are rows
  std::int64_t elements = 0, used = 0, unused = 0;          // addresses with and without an element
  std::int64_t pitch = 0;                                   // that lines are of, or a multiple of; 0: they are not
};

// How long lines are where nobody said: a row of all banks where the width of an element is known and one has so few; else, of a matrix
// with padding, a multiple of its pitch, so that gaps stand in columns: the least that makes the picture no higher than wide, or with
// `long_words` below it the greatest; else 32 elements, or all of them.
std::int64_t length_of_lines(const AnyLayout& layout, std::int64_t bits, std::int64_t reach, bool long_words, std::int64_t& pitch) {
  constexpr std::int64_t kLine = 32, kLongest = 64;
  if (bits >= 4 && kRowBits % bits == 0 && kRowBits / bits <= kLongest) return kRowBits / bits;
  const Padding padding = padding_of(layout);
  if (padding.count == 0 || padding.pitch > kLongest) return std::min(kLine, reach);
  pitch = padding.pitch;
  std::int64_t length = pitch;
  while (length + pitch <= kLine && (long_words || length * length < reach)) length += pitch;
  return length;
}

Result<MemoryPicture> read(const FigureSpec& spec, bool long_words) {
  MemoryPicture p;
  TESSERA_TRY(layout, layout_object(spec, 0, "a layout"));
  if (layout_part(layout).has_basis())
    return Error{ErrorCode::wrong_type, fmt::format("{} gives coordinates, which are no addresses", to_string(layout)), {}, {}};
  TESSERA_TRY(bits, element_bits(spec));
  p.bits = bits;
  TESSERA_TRY(asked, integer(spec, kWrap));
  p.elements = size(layout);
  if (p.elements > kMostAddresses)
    return Error{ErrorCode::limit,
                 fmt::format("memory is drawn of up to {} elements, and {} has {}", kMostAddresses, to_string(layout), p.elements),
                 {},
                 {"draw a tile of it: slice it, or take local_tile of it"}};
  std::vector<std::int64_t> at;
  for (std::int64_t i = 0; i < p.elements; ++i) at.push_back(evaluate(layout, i));
  const auto [least, most] = std::minmax_element(at.begin(), at.end());
  const std::int64_t reach = *most - *least + 1;
  if (reach > kMostAddresses)
    return Error{ErrorCode::limit,
                 fmt::format("{} puts its {} elements on {} addresses, and memory is drawn of up to {}", to_string(layout), p.elements,
                             reach, kMostAddresses),
                 {},
                 {"draw a part of it whose elements lie nearer to each other"}};
  p.wrap = asked ? *asked : length_of_lines(layout, bits, reach, long_words, p.pitch);
  p.least = *least >= 0 ? *least / p.wrap * p.wrap : *least;
  p.lines = (*most - p.least) / p.wrap + 1;
  TESSERA_CHECK(take_cells(p.lines * p.wrap, 0, to_string(layout)));
  p.first.assign(static_cast<std::size_t>(p.lines * p.wrap), -1);
  for (std::int64_t i = 0; i < p.elements; ++i) {
    const auto place = static_cast<std::size_t>(at[static_cast<std::size_t>(i)] - p.least);
    if (p.first[place] < 0)
      p.first[place] = i, ++p.used;
    else
      p.others[place].push_back(i);
  }
  p.begin = *least;
  p.end = *most + 1;
  p.unused = p.end - p.begin - p.used;
  const Shape& s = shape(layout);
  p.rows = s.rank() > 1 ? size(s[0]) : p.elements;
  p.cols = s.rank() > 1 ? size(s[1]) : 1;
  p.layout = std::move(layout);
  return p;
}

// Where an element is in its layout. `rest`: which coordinate of the modes beyond the second; -1: there are none.
OtherPlace place_of(const MemoryPicture& p, std::int64_t i) {
  const std::int64_t rest = shape(p.layout).rank() > 2 ? i / p.rows / p.cols : -1;
  return {static_cast<std::int32_t>(i % p.rows), static_cast<std::int32_t>(i / p.rows % p.cols), static_cast<std::int32_t>(rest)};
}

std::string name_of(const MemoryPicture& p, std::int64_t i, std::string_view labels) {
  if (labels == "index" || shape(p.layout).rank() < 2) return std::to_string(i);
  const OtherPlace at = place_of(p, i);
  std::string text = fmt::format("{},{}", at.row, at.col);
  if (at.rest >= 0) text += "," + rest_of_coordinate(shape(p.layout), at.rest);
  return text;
}

// "2,1", and of several elements at one address the first over "+2".
std::string label_of(const MemoryPicture& p, std::size_t place, std::string_view labels) {
  if (labels == "none") return {};
  const std::int64_t i = p.first[place];
  std::string text = labels == "offset" ? std::to_string(p.least + static_cast<std::int64_t>(place)) : i < 0 ? "" : name_of(p, i, labels);
  if (const auto more = p.others.find(place); more != p.others.end()) text += fmt::format("\n+{}", more->second.size());
  return text;
}

std::string sentence_of(const MemoryPicture& p) {
  const std::int64_t addresses = p.end - p.begin;
  std::string text = fmt::format("{} lays {} over {} address{}", to_string(p.layout), counted(p.elements, "element"), addresses,
                                 addresses == 1 ? "" : "es");
  if (p.unused > 0) text += fmt::format(", {} of them unused", p.unused);
  if (!p.others.empty()) text += fmt::format("{} {} with several elements", p.unused > 0 ? " and" : ",", p.others.size());
  return text + ".";
}

struct LinesOf {
  Frame frame;
  std::string_view labels, color;
};

// Addresses [from, to) of one line, or of several whole ones.
void add_addresses(Scene& scene, Panel& panel, const MemoryPicture& p, const LinesOf& of, const Palette& palette, std::int64_t from,
                   std::int64_t to) {
  if (from >= to) return;
  const std::int64_t lines = std::max<std::int64_t>(1, (to - from) / p.wrap);
  const Frame frame{of.frame.column(from % p.wrap), of.frame.y + static_cast<float>(from / p.wrap), lines, (to - from) / lines, of.frame.w};
  const ColorIndex grey = scene.color(on_page({226, 229, 234}, scene.page));
  GridColumns columns = begin_grid(frame.rows, frame.cols);
  columns.place = GridColumns::Place::given;
  columns.tensor = 0;
  columns.bits = p.bits;
  const auto fill = [&](std::int64_t i, const OtherPlace& is) {
    if (i < 0) return grey;
    if (of.color == "index") return scene.color(palette.ramp(ramp_place(i, 0, p.elements - 1)));
    if (of.color == "row") return scene.color(palette.category(is.row, p.rows));
    return of.color == "col" ? scene.color(palette.category(is.col, p.cols)) : kNoColor;  // the others are painted later
  };
  for (std::int64_t at = from; at < to; ++at) {
    const auto place = static_cast<std::size_t>(at);
    const std::int64_t i = p.first[place];
    const OtherPlace is = i < 0 ? OtherPlace{} : place_of(p, i);
    columns.row.push_back(is.row);
    columns.col.push_back(is.col);
    columns.rests.push_back(is.rest);
    columns.fills.push_back(fill(i, is));
    columns.address.push_back(std::max<std::int64_t>(p.least + at, -1));
    columns.add_label(label_of(p, place, of.labels));
    if (const auto more = p.others.find(place); more != p.others.end()) {
      for (const std::int64_t other : more->second) columns.places.push_back(place_of(p, other));
    }
    columns.place_ends.push_back(static_cast<std::uint32_t>(columns.places.size()));
  }
  if (shape(p.layout).rank() < 3) columns.rests.clear();
  if (columns.places.empty()) columns.place_ends.clear();
  add_grid(panel, frame, std::move(columns));
  panel.marks.push_back(Outline{frame.x, frame.y, frame.width(), static_cast<float>(lines), StrokeRole::grid, true, frame.w, 1});
}

// Lines from the first element to the last one, in one frame: before and behind them nothing is drawn.
void add_lines(Scene& scene, Panel& panel, const MemoryPicture& p, const LinesOf& of, const Palette& palette) {
  const std::int64_t begin = p.begin - p.least, end = p.end - p.least, wrap = p.wrap;
  const std::int64_t whole = std::min((begin + wrap - 1) / wrap * wrap, end), tail = std::max(end / wrap * wrap, whole);
  add_addresses(scene, panel, p, of, palette, begin, whole);
  add_addresses(scene, panel, p, of, palette, whole, tail);
  add_addresses(scene, panel, p, of, palette, tail, end);
  // Between those parts the lines that each of them has inside.
  for (const std::int64_t at : {whole, tail}) {
    const std::int64_t next = at == whole ? tail : end;
    if (at <= begin || next <= at || at % wrap != 0) continue;
    const float y = of.frame.y + static_cast<float>(at / wrap);
    panel.marks.push_back(Line{of.frame.column(0), y, of.frame.column(std::min(wrap, next - at)), y, StrokeRole::grid});
  }
  std::vector<std::int32_t> inside(p.first.size(), -1);
  std::fill(inside.begin() + begin, inside.begin() + end, 0);
  add_borders(panel, of.frame, inside, StrokeRole::strong, true);
}

}  // namespace

Result<Scene> memory_figure(const FigureSpec& spec) { return memory_figure_saying(spec, {}, {}); }

Result<Scene> memory_figure_saying(const FigureSpec& spec, std::string said, const std::vector<std::string>& notes) {
  TESSERA_CHECK(only_own_style(spec));
  TESSERA_TRY(labels, choice(spec, "labels", kMemoryLabelChoices));
  TESSERA_TRY(color, color_choice(spec, kMemoryColorChoices));
  TESSERA_TRY(palette, Palette::find(spec.palette));
  TESSERA_TRY(p, read(spec, !said.empty()));
  Scene scene = begin_scene(spec);
  scene.tensors = {to_string(p.layout)};
  for (std::int64_t k = 0; shape(p.layout).rank() > 2 && k < p.elements / p.rows / p.cols; ++k)
    scene.rests.push_back(rest_of_coordinate(shape(p.layout), k));
  std::size_t longest = 1;
  for (std::size_t place = 0; place < p.first.size(); ++place) {
    const std::string label = label_of(p, place, labels);
    longest = std::max(longest, std::min(label.size(), label.find('\n')));
  }
  const float w = cell_width(longest);
  const float unit = type_scale(spec, p.lines, static_cast<std::int64_t>(w * static_cast<float>(p.wrap)));
  const Frame frame{0, 0, p.lines, p.wrap, w};
  Panel panel{to_string(p.layout), {}, "memory", PanelOperand::none, {"+ ", "address"}};
  add_lines(scene, panel, p, {frame, labels, color}, palette);
  add_axes(scene, panel, frame, {false, true}, unit);
  for (std::int64_t line = 0; line < p.lines; ++line) {
    panel.marks.push_back(Label{-0.26f * unit, static_cast<float>(line) + 0.5f, scene.intern(std::to_string(p.least + line * p.wrap)),
                                LabelRole::axis, Anchor::right, kAxisType * unit});
  }
  add_axis_names(scene, panel, frame, unit);
  add_heading(scene, panel, 0, -1.15f * unit, panel.name, unit);
  scene.panels.push_back(std::move(panel));
  Captions captions{sentence_of(p), {}, {}, to_string(p.layout)};
  if (!said.empty()) {
    captions.notes = {std::exchange(captions.sentence, std::move(said))};
    captions.notes.insert(captions.notes.end(), notes.begin(), notes.end());
  }
  if (color == "row" || color == "col") {
    captions.legends.push_back(category_legend(scene, palette, color == "row" ? "row" : "column", color == "row" ? p.rows : p.cols));
  } else if (color == "index") {
    Legend legend = ramp_legend(scene, palette, std::nullopt);
    legend.words = "colour: the 1-D coordinate, in the order of the ramp";
    captions.legends.push_back(std::move(legend));
  } else {
    TESSERA_TRY(painted, paint(scene, spec, palette, color, std::pair{p.rows, p.cols}));
    captions.legends.push_back(std::move(painted));
  }
  const std::size_t rank = shape(p.layout).rank();
  if (labels == "coordinate" && rank > 1)
    captions.notes.push_back(fmt::format("numbers: {} of the element there", rank == 2 ? "row,column" : "the coordinate"));
  if (!p.others.empty() && labels != "none") captions.notes.emplace_back("+1: so many more elements have the same address");
  if (kRowBits == p.wrap * p.bits) captions.notes.push_back("each line is 128 bytes, one row of the 32 banks of shared memory");
  if (p.pitch > 0) {
    captions.notes.push_back(
        p.wrap == p.pitch ? fmt::format("each line holds {} addresses, the pitch", p.pitch)
                          : fmt::format("each line holds {} addresses, {} times the pitch of {}", p.wrap, p.wrap / p.pitch, p.pitch));
  }
  if (p.unused > 0) captions.notes.push_back("grey: no element lies there");
  return close_figure(std::move(scene), spec, std::move(captions), unit);
}

}  // namespace tessera
