// SPDX-License-Identifier: BSD-3-Clause
#include "core/diagram/kinds/hierarchy_way.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/diagram/kinds/gemm_parts.hpp"
#include "core/gemm/plan/walk.hpp"

namespace tessera {

namespace {

// Of a thread's loads and stores: by which memory they reach.
std::string_view instruction_between(plan::Space from, plan::Space to) {
  if (from == plan::Space::global) return to == plan::Space::registers ? "ld.global" : "ld + st";
  return from == plan::Space::shared ? "ld.shared" : "st.shared";
}

// "cp.async"; "ld.shared, 2 elements"
std::string name_of(const plan::Copy& copy, plan::Space from, plan::Space to) {
  switch (copy.by) {
    case plan::CopyBy::load_store: return fmt::format("{}, {}", instruction_between(from, to), counted(copy.vector, "element"));
    case plan::CopyBy::cp_async: return "cp.async";
    case plan::CopyBy::ldmatrix: return "ldmatrix";
    case plan::CopyBy::ldmatrix_trans: return "ldmatrix.trans";
    case plan::CopyBy::stmatrix: return "stmatrix";
    case plan::CopyBy::tma_load:
    case plan::CopyBy::tma_store: return "TMA";
    case plan::CopyBy::wmma_load:
    case plan::CopyBy::wmma_store: return "wmma";
  }
  return {};
}

// What moves an operand from one memory to the next, as the first CTA's roles do it: "cp.async"; empty: nothing does.
std::string moved_by(const GemmPlan& plan, Operand operand, plan::Space from, plan::Space to) {
  std::string by;
  each_copy(plan, [&](const plan::Role&, const plan::Copy& copy) {
    const plan::Tensor &source = plan.tensors[plan.partitions[copy.from.partition].tensor],
                       &target = plan.tensors[plan.partitions[copy.to.partition].tensor];
    if (source.operand != operand || source.space != from || target.space != to) return true;
    by = name_of(copy, from, to);
    return false;
  });
  return by;
}

// ", also T2": who else multiplies it.
std::string others_of(std::span<const Owner> owners, const Owner& reader) {
  constexpr std::size_t kNamed = 1;
  std::vector<std::string> names;
  for (const Owner& each : owners) {
    if (each.thread != reader.thread) names.push_back(fmt::format("T{}", each.thread));
  }
  if (names.empty()) return {};
  if (names.size() <= kNamed + 1) return fmt::format(", also {}", fmt::join(names, ", "));
  const std::size_t more = names.size() - kNamed;
  names.resize(kNamed);
  return fmt::format(", also {} and {} more", fmt::join(names, ", "), more);
}

// An operand's element at (row, k) of its matrix: where it lies, and who multiplies it.
Result<std::vector<WayStation>> stations(const GemmPlan& plan, Operand operand, const FollowedProduct& f,
                                         std::vector<std::string>& arrows) {
  const bool is_a = operand == Operand::a;
  const std::int64_t row = is_a ? f.m : f.n, in_tile = is_a ? f.row : f.col;
  const plan::Tensor& global = plan.gmem(operand);
  std::vector<WayStation> made;
  const auto add = [&](std::string name, std::string says) {
    std::string words = fmt::format("{}: {}", name, says);
    made.push_back({std::move(name), std::move(says), std::move(words)});
  };
  add(fmt::format("{}({},{})", global.name, row, f.k), fmt::format("offset {}", evaluate(global.layout, row, f.k)));
  TESSERA_TRY(tile, operand_tile(plan, operand));
  if (plan.has_smem()) {
    const plan::Tensor& shared = plan.smem(operand);
    const std::int64_t stage = f.k_tile % plan.stages(), offset = evaluate(shared.layout, in_tile, f.depth);
    const std::int64_t bit = (stage * shared.stage_elements + offset) * bits(shared.type);
    const std::int64_t byte = shared.byte_offset + bit / 8;
    arrows.push_back(moved_by(plan, operand, plan::Space::global, plan::Space::shared));
    if (arrows.back().empty()) arrows.back() = moved_by(plan, operand, plan::Space::registers, plan::Space::shared);
    add(fmt::format("{}({},{})", shared.name, in_tile, f.depth),
        fmt::format("{}byte {}, bank {}", plan.stages() > 1 ? fmt::format("stage {}, ", stage) : "", byte, byte / 4 % 32));
    if (plan.stages() > 1) made.back().stages = plan.stages(), made.back().stage = stage;
  }
  // The reader in the warp that owns the element of C; an operand in shared memory has none.
  const auto owners = tile.map.owners(in_tile, f.depth);
  const Owner* reader = nullptr;
  for (const Owner& each : owners) {
    if (!reader || (each.thread / kWarp == f.owner.thread / kWarp && reader->thread / kWarp != f.owner.thread / kWarp)) reader = &each;
  }
  if (!reader) return made;
  arrows.push_back(plan.has_smem() ? moved_by(plan, operand, plan::Space::shared, plan::Space::registers)
                                   : moved_by(plan, operand, plan::Space::global, plan::Space::registers));
  add(fmt::format("{} in registers", is_a ? "A" : "B"),
      fmt::format("T{} V{}{}", reader->thread, reader->value, others_of(owners, *reader)));
  return made;
}

void add_box(Scene& scene, Panel& panel, float x, float y, float w, float h, const WayStation& station, ColorIndex fill, float unit) {
  const bool held = station.held != kNoColor;
  Cell cell{x, y, w, h, held ? station.held : fill};
  cell.subject = scene.add_words(station.words);
  panel.marks.push_back(cell);
  panel.marks.push_back(Outline{x, y, w, h, held ? StrokeRole::highlight : StrokeRole::strong});
  panel.marks.push_back(Label{x + w / 2, y + 0.34f * h, scene.intern(station.name), LabelRole::panel_name, Anchor::center, 0.4f * unit});
  panel.marks.push_back(Label{x + w / 2, y + 0.72f * h, scene.intern(station.says), LabelRole::legend, Anchor::center, 0.36f * unit});
}

constexpr float kBoxWide = 5.4f, kBoxTall = 1.3f, kLastWide = 4, kAlong = 2.6f, kDown = 1.4f, kMostDown = 3,
                kApart = 1.4f;  // in text units
constexpr float kWidest = 21;   // of the way
constexpr float kRing = 0.6f;   // height of a ring's stages below their box

// Words in lines, around their middle.
void add_lines(Scene& scene, Panel& panel, float x, float y, std::string_view words, float unit) {
  constexpr float kType = 0.34f, kPitch = 0.48f;
  float at = y - kPitch / 2 * unit * static_cast<float>(std::count(words.begin(), words.end(), '\n'));
  while (!words.empty()) {
    const std::size_t end = std::min(words.find('\n'), words.size());
    panel.marks.push_back(Label{x, at, scene.intern(words.substr(0, end)), LabelRole::legend, Anchor::center, kType * unit});
    words.remove_prefix(std::min(end + 1, words.size()));
    at += kPitch * unit;
  }
}

// The stages of a ring as cells below a box, with the one that holds the element.
void add_ring(Scene& scene, Panel& panel, float x, float y, float w, const WayStation& station, ColorIndex fill, float unit) {
  const float each = w / static_cast<float>(station.stages), size = 0.3f * unit;
  const bool wide = each > 0.6f * size * 7;  // "stage 0"
  for (std::int64_t stage = 0; stage < station.stages; ++stage) {
    const float left = x + each * static_cast<float>(stage);
    const bool is_it = stage == station.stage;
    if (is_it) panel.marks.push_back(Cell{left, y, each, kRing * unit, fill});
    panel.marks.push_back(Label{left + each / 2, y + kRing / 2 * unit, scene.intern(fmt::format("{}{}", wide ? "stage " : "", stage)),
                                is_it ? LabelRole::panel_name : LabelRole::axis, Anchor::center, size});
  }
  panel.marks.push_back(Outline{x, y, w, kRing * unit, StrokeRole::boundary});
  for (std::int64_t stage = 1; stage < station.stages; ++stage) {
    const float at = x + each * static_cast<float>(stage);
    panel.marks.push_back(Line{at, y, at, y + kRing * unit, StrokeRole::boundary});
  }
}

}  // namespace

Result<WayChain> chain_of(Scene& scene, const GemmPlan& plan, Operand operand, const FollowedProduct& f) {
  WayChain chain;
  TESSERA_TRY(made, stations(plan, operand, f, chain.arrows));
  chain.stations = std::move(made);
  chain.fill = scene.color(on_page({236, 238, 243}, scene.page));
  return chain;
}

std::string joining_words(const GemmPlan& plan) {
  const MmaAtom& atom = plan.mma->atom();
  const bool in_registers = atom.source_a == OperandSource::registers && atom.source_b == OperandSource::registers;
  const std::int64_t lanes = atom.thr_id.size();
  if (!in_registers || (lanes != kWarp && lanes != kWarp / 4)) return "multiply";
  return fmt::format("multiply: the {}\nlanes share A and B", lanes == kWarp ? "warp's" : "quad pair's");
}

WaySize size_of_columns(const std::array<WayChain, 2>& chains, float unit, float wide, float high) {
  const auto boxes = static_cast<float>(std::max(chains[0].stations.size(), chains[1].stations.size()));
  const float taken = (boxes + 1) * kBoxTall * unit;
  const float between = std::clamp((high - taken) / boxes, kDown * unit, kMostDown * unit);
  return {std::clamp(wide, (2 * kBoxWide + kApart) * unit, kWidest * unit), taken + boxes * between, between};
}

Panel way_down(Scene& scene, const std::array<WayChain, 2>& chains, const WayStation& c, const std::string& joins, ColorIndex fill,
               float top, const WaySize& size, float unit) {
  Panel way{"one product, on its way", {}, "way"};
  const float apart = kApart / (2 * kBoxWide + kApart) * size.w, wide = (size.w - apart) / 2;
  const float tall = kBoxTall * unit, between = size.between, gap = 0.1f * unit;
  const float last = top + size.h - tall, middle = size.w / 2;
  for (std::size_t i = 0; i < chains.size(); ++i) {
    const float x = i == 0 ? 0 : wide + apart, center = x + wide / 2;
    float y = top;
    for (std::size_t k = 0; k < chains[i].stations.size(); ++k, y += tall + between) {
      add_box(scene, way, x, y, wide, tall, chains[i].stations[k], chains[i].fill, unit);
      const WayStation& station = chains[i].stations[k];
      const float ring = station.stages > 0 ? kRing * unit : 0;
      if (ring > 0) add_ring(scene, way, x, y + tall, wide, station, fill, unit);
      if (k + 1 == chains[i].stations.size()) continue;
      way.marks.push_back(Arrow{center, y + tall + ring + gap, center, y + tall + between - gap});
      way.marks.push_back(Label{center + 0.3f * unit, y + tall + (ring + between) / 2, scene.intern(chains[i].arrows[k]), LabelRole::legend,
                                Anchor::left, 0.34f * unit});
    }
    const float ring = !chains[i].stations.empty() && chains[i].stations.back().stages > 0 ? kRing * unit : 0;
    way.marks.push_back(Arrow{center, y - between + ring + gap, middle + (i == 0 ? -1.0f : 1.0f) * unit, last - gap});
  }
  add_box(scene, way, middle - kLastWide / 2 * unit, last, kLastWide * unit, tall, c, fill, unit);
  add_lines(scene, way, middle, last - between / 2, joins, unit);
  return way;
}

Panel way_across(Scene& scene, const std::array<WayChain, 2>& chains, const WayStation& c, const std::string& joins, ColorIndex fill,
                 float top, float unit) {
  Panel way{"one product, on its way", {}, "way"};
  const float wide = kBoxWide * unit, tall = kBoxTall * unit, between = kAlong * unit, gap = 0.1f * unit;
  float end = 0, y = top;
  std::vector<std::pair<float, float>> ends;
  for (const WayChain& chain : chains) {
    float x = 0;
    for (std::size_t k = 0; k < chain.stations.size(); ++k, x += wide + between) {
      add_box(scene, way, x, y, wide, tall, chain.stations[k], chain.fill, unit);
      if (chain.stations[k].stages > 0) add_ring(scene, way, x, y + tall, wide, chain.stations[k], fill, unit);
      if (k + 1 == chain.stations.size()) continue;
      way.marks.push_back(Arrow{x + wide + gap, y + tall / 2, x + wide + between - gap, y + tall / 2});
      const std::string_view by = chain.arrows[k];  // what stands behind its comma is below the arrow
      const std::size_t comma = std::min(by.find(", "), by.size());
      const auto say = [&](float at, std::string_view words) {
        way.marks.push_back(Label{x + wide + between / 2, at, scene.intern(words), LabelRole::legend, Anchor::center, 0.34f * unit});
      };
      say(y + tall / 2 - 0.28f * unit, by.substr(0, comma));
      if (comma < by.size()) say(y + tall / 2 + 0.3f * unit, by.substr(comma + 2));
    }
    ends.emplace_back(x - between + gap, y + tall / 2);
    end = std::max(end, x);
    y += tall + 0.9f * unit;
  }
  const float middle = top + tall + 0.45f * unit;
  add_box(scene, way, end, middle - tall / 2, kLastWide * unit, tall, c, fill, unit);
  for (const auto& [x, at] : ends) way.marks.push_back(Arrow{x, at, end - gap, at + (middle - at) * 0.75f});
  add_lines(scene, way, end - between / 2, middle, joins.substr(0, joins.find(':')), unit);
  return way;
}

}  // namespace tessera
