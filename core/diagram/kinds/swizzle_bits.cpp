// SPDX-License-Identifier: BSD-3-Clause
// One offset bit by bit: what a swizzle reads of it, and what it flips.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/diagram/kinds/swizzle_parts.hpp"
#include "core/diagram/parts/brackets.hpp"

namespace tessera {

namespace {

constexpr float kBetween = 1.9f;  // the two rows, in text units
constexpr float kType = 0.36f;

int bit_count(const SwizzlePicture& p) {
  std::int64_t all = p.swizzle.y_mask() | p.swizzle.z_mask();
  for (std::size_t i = 0; i < p.plain.size(); ++i) all |= p.plain[i] | p.moved[i];
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(all)));
}

std::string name_of(std::string_view what, std::int64_t offset) { return fmt::format("{} {}", what, offset); }

}  // namespace

std::string bits_words(std::int64_t mask) {
  const auto bits = static_cast<std::uint64_t>(mask);
  const int least = std::countr_zero(bits), most = static_cast<int>(std::bit_width(bits)) - 1;
  return least == most ? fmt::format("bit {}", least) : fmt::format("bits {}-{}", least, most);
}

float bit_rows_names(const SwizzlePicture& p) {
  std::int64_t most = 0;
  for (const std::int64_t offset : p.moved) most = std::max(most, offset);
  return 0.6f * kType * static_cast<float>(name_of("swizzled", most).size()) + 0.3f;
}

float bit_rows_width(const SwizzlePicture& p) { return bit_rows_names(p) + static_cast<float>(bit_count(p)); }

Panel bit_rows(Scene& scene, const SwizzlePicture& p, const FollowedElement& element, const BitRows& place) {
  Panel panel{"bits of " + element.name, {}, "bits"};
  const int count = bit_count(p), shift = std::abs(p.swizzle.shift());
  const float u = place.unit, left = place.x + u * bit_rows_names(p), top = place.y, below = top + u * (1 + kBetween);
  const std::int64_t read = p.swizzle.y_mask(), flipped = p.swizzle.z_mask();
  const auto x_of = [&](int bit) { return left + u * static_cast<float>(count - 1 - bit); };
  const auto is_in = [](std::int64_t mask, int bit) { return (mask >> bit & 1) != 0; };
  const auto source_of = [&](int target) { return p.swizzle.shift() >= 0 ? target + shift : target - shift; };
  const ColorIndex grey = scene.color(on_page({222, 225, 231}, scene.page));
  const auto text = [&](float x, float y, std::string_view words, LabelRole role, Anchor anchor, float size) {
    panel.marks.push_back(Label{x, y, scene.intern(words), role, anchor, size * u});
  };
  const auto box = [&](int bit, float y, std::int64_t offset, ColorIndex chunk, const std::string& words) {
    Cell cell{x_of(bit), y, u, u, is_in(flipped, bit) ? chunk : is_in(read, bit) ? grey : kNoColor};
    cell.label = scene.intern(is_in(offset, bit) ? "1" : "0");
    cell.lines = 1;
    cell.subject = scene.add_words(words);
    panel.marks.push_back(cell);
  };
  for (int bit = count - 1; bit >= 0; --bit) {
    text(x_of(bit) + u / 2, top - 0.32f * u, std::to_string(bit), LabelRole::axis, Anchor::center, kType);
    const bool is_read = is_in(read, bit), is_flipped = is_in(flipped, bit);
    box(bit, top, element.plain, place.plain_chunk,
        is_read      ? fmt::format("bit {} of the offset, read by {}", bit, to_string(p.swizzle))
        : is_flipped ? fmt::format("bit {} of the offset, which bit {} may flip", bit, source_of(bit))
                     : fmt::format("bit {} of the offset, which stays", bit));
    box(bit, below, element.moved, place.moved_chunk,
        is_flipped ? fmt::format("bit {} xor bit {} of the offset", bit, source_of(bit)) : fmt::format("bit {} of the offset", bit));
  }
  for (const float y : {top, below}) {
    const float width = u * static_cast<float>(count);
    panel.marks.push_back(Outline{left, y, width, u, StrokeRole::grid, true, u, u});
    panel.marks.push_back(Outline{left, y, width, u, StrokeRole::strong, false});
  }
  text(left - 0.2f * u, top + u / 2, name_of("plain", element.plain), LabelRole::legend, Anchor::right, kType);
  text(left - 0.2f * u, below + u / 2, name_of("swizzled", element.moved), LabelRole::legend, Anchor::right, kType);
  // From the box of a bit that is read to the sign above the box that it flips; down to the sign, and through it.
  const float sign = below - 0.7f * u;
  for (int bit = 0; bit < count; ++bit) {
    if (!is_in(flipped, bit)) continue;
    const float x = x_of(bit) + u / 2, from = x_of(source_of(bit)) + u / 2, radius = 0.17f * u;
    const float dx = x - from, dy = sign - (top + u), length = std::sqrt(dx * dx + dy * dy);
    panel.marks.push_back(Line{x, top + u, x, sign - radius, StrokeRole::boundary});
    panel.marks.push_back(Arrow{from, top + u, x - radius * dx / length, sign - radius * dy / length});
    panel.marks.push_back(Arrow{x, sign + radius, x, below});
    text(x, sign, "⊕", LabelRole::legend, Anchor::center, 0.5f);
  }
  // B, M and S.
  const auto bracket = [&](std::int64_t mask, std::string_view words, std::string_view few) {
    const auto bits = static_cast<std::uint64_t>(mask);
    const int least = std::countr_zero(bits), most = static_cast<int>(std::bit_width(bits)) - 1;
    const bool room = static_cast<float>(words.size()) * 0.56f * 0.34f < static_cast<float>(most - least + 1);
    add_bracket(scene, panel, BracketAt::above, x_of(most), x_of(least) + u, top - 0.45f * u, room ? words : few, u);
  };
  const int b = p.swizzle.bits(), m = p.swizzle.base();
  bracket(read, fmt::format("B = {} read", b), fmt::format("B = {}", b));
  bracket(flipped, fmt::format("B = {} xored", b), fmt::format("B = {}", b));
  if (m > 0) bracket((std::int64_t{1} << m) - 1, fmt::format("M = {} kept", m), fmt::format("M = {}", m));
  const int low = std::min(std::countr_zero(static_cast<std::uint64_t>(read)), std::countr_zero(static_cast<std::uint64_t>(flipped)));
  add_bracket(scene, panel, BracketAt::below, x_of(low + shift) + u / 2, x_of(low) + u / 2, below + u,
              fmt::format("shift S = {}", p.swizzle.shift()), u);
  return panel;
}

}  // namespace tessera
