// SPDX-License-Identifier: BSD-3-Clause
// What is said of a layout above, below and beside its picture.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/diagram/kinds/layout_parts.hpp"
#include "core/diagram/parts/nested_axes.hpp"
#include "core/diagram/parts/padding.hpp"
#include "core/diagram/parts/reading_aids.hpp"
#include "core/layout/algebra.hpp"

namespace tessera {

ColorIndex padding_fill(Scene& scene) { return scene.color(on_page({226, 229, 234}, scene.page)); }

bool has_period_lines(const WholeBlock& period) {
  constexpr std::int32_t kApart = 4;  // rows; nearer lines would be a second grid
  return period.rows >= kApart;
}

namespace {

// "(val, MMA_M, MMA_K)"
std::string tuple_of(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "(" : ", ") + name;
  return out + ")";
}

std::int64_t distinct_offsets(const LayoutPicture& p) {
  constexpr std::int64_t kBitsACell = 64;  // no more memory than sorting takes
  if (p.most - p.least < kBitsACell * size(p.layout)) {
    std::vector<bool> met(static_cast<std::size_t>(p.most - p.least + 1));
    for (const std::int64_t offset : p.offsets) met[static_cast<std::size_t>(offset - p.least)] = true;
    return std::count(met.begin(), met.end(), true);
  }
  std::vector<std::int64_t> sorted = p.offsets;
  std::sort(sorted.begin(), sorted.end());
  return std::unique(sorted.begin(), sorted.end()) - sorted.begin();
}

// "(4,8):(8,1) puts 32 elements at offsets 0 to 31, without gaps."
std::string sentence_of(const LayoutPicture& p) {
  const std::int64_t count = size(p.layout);
  const std::string name = name_of(p.layout), elements = counted(count, "element");
  if (p.offsets.empty()) return fmt::format("{} gives {} a coordinate{}.", name, elements, count == 1 ? "" : " each");
  const std::string who = p.verb.empty() || !p.thread ? std::string() : fmt::format("Thread {} {}", *p.thread, p.verb);
  if (count == 1)
    return who.empty() ? fmt::format("{} puts its one element at offset {}.", name, p.least)
                       : fmt::format("{} the element at offset {}.", who, p.least);
  if (p.least == p.most)
    return who.empty() ? fmt::format("{} puts all {} at offset {}.", name, elements, p.least)
                       : fmt::format("{} the element at offset {} as {} values.", who, p.least, count);
  const std::int64_t distinct = distinct_offsets(p);
  const std::int64_t unused = p.most - p.least + 1 - distinct;
  const std::string range = fmt::format("{} to {}", p.least, p.most);
  const std::string where =
      distinct < count ? fmt::format("at {} distinct offsets, {}", distinct, range) : fmt::format("at offsets {}", range);
  if (!who.empty())  // of a part nothing is said of what lies between, but whose it may be
    return fmt::format("{} {}{} {}{}.", who, elements, p.modes.empty() ? "" : ", " + tuple_of(p.modes) + ",", where,
                       unused > 0 ? "; what lies between is not this thread's" : ", without gaps");
  const std::string gaps = unused == 0 ? (distinct < count ? "" : ", without gaps")
                           : p.is_part ? fmt::format("; {} between them are not of this part", unused)
                                       : fmt::format(", and leaves {} between them unused", unused);
  const bool owners = std::any_of(p.modes.begin(), p.modes.end(), [](const std::string& mode) { return !letter_of_mode(mode).empty(); });
  if (p.modes.empty() || (p.number == "offset" && !owners))
    return fmt::format("{} puts {}{} {}{}.", name, elements, p.modes.empty() ? "" : " " + tuple_of(p.modes), where, gaps);
  const std::string plural = p.number == "index" ? "indices" : p.number + "s";
  const std::string numbers = fmt::format("{} {}{}, {}", distinct, distinct < count ? "distinct " : "", plural, range);
  return fmt::format("{} maps {} to {}{}.", name, tuple_of(p.modes), numbers, unused == 0 ? gaps : "");
}

// Do the rows (or columns) that are padded follow each other in memory as they do in the picture?
bool ascends(const LayoutPicture& p, const Padding& padding) {
  const std::int64_t lines = padding.columns ? p.rows : p.cols, step = padding.columns ? 1 : p.rows;
  for (std::int64_t i = 1; i < lines; ++i) {
    if (p.offsets[static_cast<std::size_t>(i * step)] < p.offsets[static_cast<std::size_t>((i - 1) * step)]) return false;
  }
  return true;
}

// What the first panel's pattern repeats, where that is less than all of it.
WholeBlock period_in(const Scene& scene) {
  for (const Panel& panel : scene.panels) {
    for (const Mark& mark : panel.marks) {
      const auto* grid = std::get_if<Grid>(&mark);
      if (!grid) continue;
      const bool rows = grid->of->whole_rows > 1 && grid->of->whole_rows < grid->of->rows;
      const bool cols = grid->of->whole_cols > 1 && grid->of->whole_cols < grid->of->cols;
      return {rows ? grid->of->whole_rows : 0, cols ? grid->of->whole_cols : 0};
    }
  }
  return {};
}

// "the pattern repeats every 8 rows"
std::string period_note(const WholeBlock& period) {
  if (period.rows == 0 && period.cols == 0) return {};
  return fmt::format("the pattern repeats every {}{}{}", period.rows > 0 ? fmt::format("{} rows", period.rows) : "",
                     period.rows > 0 && period.cols > 0 ? " and every " : "",
                     period.cols > 0 ? fmt::format("{} columns", period.cols) : "");
}

// Which lines this picture has within its grids.
void say_lines(Captions& captions, const LayoutPicture& p, const WholeBlock& period) {
  say_divisions(captions);
  if (!has_period_lines(period)) return;
  const Shape& s = shape(p.layout);
  const bool divided = s[0].is_tuple() || (s.rank() > 1 && s[1].is_tuple());
  captions.boundary = (divided ? captions.boundary + ", or " : "") + "the swizzle's pattern begins anew";
}

}  // namespace

std::string heading_of(const LayoutPicture& p) {
  std::string what = p.name;
  if (p.thread && !p.verb.empty()) what += fmt::format("{} thread {} {}", what.empty() ? "What" : ", what", *p.thread, p.verb);
  return what.empty() ? name_of(p.layout) : fmt::format("{}   {}", what, name_of(p.layout));
}

std::string name_of_panel(const LayoutPicture& p, std::int64_t index) {
  const Shape& s = shape(p.layout);
  if (p.modes.empty()) return fmt::format("(_,_,{})", rest_of_coordinate(s, index));
  std::string out;
  for (std::size_t mode = 2; mode < s.rank(); ++mode) {
    const std::int64_t extent = size(s[mode]);
    out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", p.modes[mode], to_string(idx2crd(index % extent, s[mode])));
    index /= extent;
  }
  return out;
}

Captions captions_of(Scene& scene, const LayoutPicture& p, const Palette& palette, Legend painted) {
  Captions captions{sentence_of(p), {}, {}, name_of(p.layout)};
  const WholeBlock period = period_in(scene);
  say_lines(captions, p, period);
  if (p.by_bank() && !p.offsets.empty()) captions.notes.push_back(bits_note(p.bank_bits(), p.bits > 0));
  if (p.color == "offset" && !p.offsets.empty() && p.most > p.least)
    captions.legends.push_back(ramp_legend(scene, palette, OffsetRange{p.ramp.first, p.ramp.second}, p.number));
  captions.legends.push_back(std::move(painted));
  if (p.number == "coordinate" && !p.offsets.empty())
    captions.notes.emplace_back("each number is a 1-D coordinate: m + M n in a tile of M rows");
  const Shape& s = shape(p.layout);
  const auto has_levels = [&](std::size_t mode) { return mode < s.rank() && nested_axis(s[mode]).levels.size() > 1; };
  if (p.nested && s.rank() > 1 && (has_levels(0) || has_levels(1)))
    captions.notes.emplace_back("a row or column is (inner,outer): the number beside it, that of its bracket");
  if (std::string repeats = period_note(period); !repeats.empty()) captions.notes.push_back(std::move(repeats));
  if (const Padding padding = padding_of(p.layout); padding.count > 0 && p.color != "none") {
    captions.legends.push_back({{padding_fill(scene)},
                                fmt::format("grey: {} after each {} but the last{}", counted(padding.count, "unused element"),
                                            padding.columns ? "row" : "column", ascends(p, padding) ? "" : " in memory")});
  }
  return captions;
}

}  // namespace tessera
