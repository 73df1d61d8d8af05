// SPDX-License-Identifier: BSD-3-Clause
// The figure of one access of global memory: the lines of 128 bytes that a warp touches down, their four sectors of 32 bytes across, and in
// each cell, a word of 4 bytes, the lanes that ask for it.
//
//             sector 0     sector 1     sector 2     sector 3
//   byte 0    T0 T1 .. T7  T8 ...       ...
//   byte 512  T0 .  .  .                                          grey: moved, and nobody asked for it
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/base/small_vector.hpp"
#include "core/diagram/kinds/access_parts.hpp"
#include "core/diagram/kinds/figure_kinds.hpp"
#include "core/diagram/parts/brackets.hpp"
#include "core/diagram/parts/reading_aids.hpp"

namespace tessera {

namespace {

constexpr std::int64_t kWordBytes = 4, kWords = kLineBytes / kWordBytes, kSectorWords = kSectorBytes / kWordBytes;
constexpr std::int64_t kSectors = kLineBytes / kSectorBytes;

using Word = SmallVector<std::int32_t, 4>;  // the lanes that ask for it, in their order

struct Line {
  std::array<Word, static_cast<std::size_t>(kWords)> words;
  bool moves(std::int64_t sector) const {
    const auto begin = words.begin() + sector * kSectorWords;
    return std::any_of(begin, begin + kSectorWords, [](const Word& word) { return !word.empty(); });
  }
};

struct SectorsPicture : DrawnAccess {
  std::map<std::int64_t, Line> lines;  // by the byte at which each begins
  std::int64_t asked = 0;              // bytes that any lane asks for
  std::int64_t sectors = 0;
};

Result<SectorsPicture> read(const FigureSpec& spec) {
  TESSERA_TRY(access, drawn_access(spec, AccessSpace::gmem));
  SectorsPicture p{std::move(access), {}, 0, 0};
  const WarpAccess& of = p.instruction.access;
  std::vector<std::int64_t> bytes;
  for (std::int32_t lane = 0; lane < kLanes; ++lane) {
    const std::int64_t begin = of.address[static_cast<std::size_t>(lane)];
    for (std::int64_t byte = begin; begin >= 0 && byte < begin + of.bytes; ++byte) {
      bytes.push_back(byte);
      Word& word = p.lines[byte / kLineBytes * kLineBytes].words[static_cast<std::size_t>(byte % kLineBytes / kWordBytes)];
      if (word.empty() || word.back() != lane) word.push_back(lane);
    }
  }
  std::sort(bytes.begin(), bytes.end());
  p.asked = std::unique(bytes.begin(), bytes.end()) - bytes.begin();
  p.sectors = gmem_sectors(of);
  TESSERA_CHECK(take_cells(static_cast<std::int64_t>(p.lines.size()) * kWords, static_cast<std::int64_t>(p.lines.size()) * kWords,
                           "the sectors of an access"));
  return p;
}

Panel lines_panel(Scene& scene, const SectorsPicture& p, const Frame& frame, const std::vector<ColorIndex>& of_lane, float unit) {
  Panel panel{"lines of 128 bytes", {}, "lines", PanelOperand::none, {"byte", "line"}};
  const ColorIndex moved = scene.color(on_page({221, 225, 232}, scene.page));
  GridColumns columns = begin_grid(frame.rows, kWords);
  columns.place = GridColumns::Place::drawn;
  columns.tensor = 0;
  std::vector<std::int32_t> lanes, sectors;
  std::int32_t line_number = 0;
  for (const auto& [begin, line] : p.lines) {
    for (std::int64_t w = 0; w < kWords; ++w) {
      const Word& word = line.words[static_cast<std::size_t>(w)];
      const bool moves = line.moves(w / kSectorWords);
      std::string label = word.empty() ? std::string() : fmt::format("T{}", p.first_thread() + word[0]);
      if (word.size() > 1) label += fmt::format("\n+{}", word.size() - 1);
      columns.fills.push_back(word.empty()      ? (moves ? moved : kNoColor)
                              : of_lane.empty() ? kNoColor
                                                : of_lane[static_cast<std::size_t>(word[0])]);
      columns.add_label(label);
      columns.thread.push_back(word.empty() ? -1 : static_cast<std::int32_t>(p.first_thread() + word[0]));
      columns.address.push_back(word.empty() ? -1 : (begin + w * kWordBytes) * 8 / p.bits);
      for (std::size_t k = 1; k < word.size(); ++k) columns.others.push_back({static_cast<std::int32_t>(p.first_thread() + word[k]), -1});
      columns.other_ends.push_back(static_cast<std::uint32_t>(columns.others.size()));
      lanes.push_back(word.empty() ? -1 : word[0]);
      sectors.push_back(moves ? static_cast<std::int32_t>(line_number * kSectors + w / kSectorWords) : -1);
    }
    ++line_number;
  }
  columns.shared_in_words = true;  // "+3"
  if (columns.others.empty()) columns.other_ends.clear();
  add_grid(panel, frame, std::move(columns));
  add_borders(panel, frame, lanes, StrokeRole::boundary, true);
  add_borders(panel, frame, sectors, StrokeRole::strong, true);
  const auto number = [&](float x, float y, std::int64_t byte, Anchor anchor) {
    panel.marks.push_back(Label{x, y, scene.intern(std::to_string(byte)), LabelRole::axis, anchor, kAxisType * unit});
  };
  float y = frame.y + 0.5F;
  for (const auto& [begin, line] : p.lines) number(frame.x - 0.26F * unit, y, begin, Anchor::right), y += 1;
  for (std::int64_t s = 0; s < kSectors; ++s)
    add_bracket(scene, panel, BracketAt::above, frame.column(s * kSectorWords), frame.column((s + 1) * kSectorWords),
                frame.y - 0.25F * unit, fmt::format("sector {}: bytes {}-{}", s, s * kSectorBytes, (s + 1) * kSectorBytes - 1), unit);
  return panel;
}

std::string heading_of(const SectorsPicture& p) {
  return fmt::format("{}: {} in {}", p.instruction.name, counted(p.sectors, "sector"),
                     counted(static_cast<std::int64_t>(p.lines.size()), "line"));
}

std::string sentence_of(const SectorsPicture& p) {
  const std::int64_t moved = p.sectors * kSectorBytes;
  if (moved == p.asked) return fmt::format("All of the {} bytes that are moved are asked for.", moved);
  return fmt::format("{} bytes are moved for the {} that a warp asks for: memory is moved in sectors of {} bytes.", moved, p.asked,
                     kSectorBytes);
}

}  // namespace

Result<Scene> sectors_figure(const FigureSpec& spec) {
  TESSERA_CHECK(only_own_style(spec));
  Scene scene = begin_scene(spec);
  TESSERA_TRY(colors, lane_colors(spec, scene));
  TESSERA_TRY(p, read(spec));
  TESSERA_CHECK(check_lanes(spec, p));
  scene.tensors = {to_string(p.layout)};
  const std::size_t longest = fmt::format("T{}", p.first_thread() + kLanes - 1).size();
  const float w = cell_width(longest);
  const auto rows = static_cast<std::int64_t>(p.lines.size());
  const float unit = type_scale(spec, rows, static_cast<std::int64_t>(w * kWords));
  const Frame frame{0, 0, rows, kWords, w};
  Panel panel = lines_panel(scene, p, frame, colors.of_lane, unit);
  add_heading(scene, panel, 0, -1.9F * unit, heading_of(p), unit);
  panel.marks.push_back(
      Label{frame.x - 0.26F * unit, frame.y - 0.5F * unit, scene.intern("byte"), LabelRole::axis, Anchor::right, kAxisType * unit});
  scene.panels.push_back(std::move(panel));
  std::vector<std::string> notes = notes_of(p);
  if (p.sectors * kSectorBytes > p.asked) notes.emplace_back("grey: it is moved, and nobody asks for it");
  if (p.sectors < rows * kSectors) notes.emplace_back("white: this sector is not moved");
  notes.emplace_back("a cell is a word of 4 bytes; a row is a line of 128 bytes, and the number before it its first byte in the tensor");
  notes.emplace_back("the tensor begins at a multiple of 128 bytes");
  return close_figure(std::move(scene), spec, {sentence_of(p), std::move(notes), {std::move(colors.legend)}, heading_of(p)}, unit);
}

}  // namespace tessera
