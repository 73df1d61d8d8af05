// SPDX-License-Identifier: BSD-3-Clause
// Sizes, widths and wordings shared by the renderers.
#include "core/render/shared/typography.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tessera {

namespace {

// How far each sign from ' ' to '~' goes in Inter, in thousandths of the type size; digits alike, as in most fonts, so that a 1 is no
// narrower than an 8.
using Advances = std::array<std::uint16_t, 95>;
constexpr Advances kRegular{281, 278, 403, 631, 638, 813, 639, 222, 362, 362, 500, 659, 280, 460, 276, 357, 620, 620, 620,
                            620, 620, 620, 620, 620, 620, 620, 276, 280, 659, 659, 659, 507, 936, 676, 651, 727, 719, 598,
                            587, 743, 740, 264, 543, 652, 563, 889, 753, 761, 635, 761, 639, 638, 642, 741, 676, 949, 642,
                            665, 625, 362, 357, 362, 469, 452, 497, 564, 621, 558, 621, 582, 361, 609, 591, 237, 237, 544,
                            237, 869, 585, 597, 609, 609, 372, 523, 364, 581, 557, 813, 540, 557, 541, 362, 327, 362, 659};
constexpr Advances kSemiBold{248, 309, 396, 643, 649, 844, 663, 213, 393, 393, 543, 673, 295, 466, 290, 379, 650, 650,  650,
                             650, 650, 650, 650, 650, 650, 650, 290, 295, 673, 673, 673, 544, 999, 724, 657, 744, 724,  608,
                             586, 755, 744, 275, 561, 677, 566, 906, 741, 775, 643, 776, 651, 649, 660, 734, 724, 1007, 690,
                             705, 653, 393, 379, 393, 481, 468, 497, 575, 630, 577, 630, 593, 377, 625, 613, 261, 261,  569,
                             261, 898, 610, 608, 625, 625, 397, 549, 380, 608, 576, 837, 563, 576, 562, 393, 358, 393,  673};
constexpr double kOtherAdvance = 0.75;  // of a sign beyond ASCII

constexpr double kLargest = 0.40;  // of a cell's height, one line; two lines take a little less
constexpr double kLargestOfTwo = 0.35;
constexpr double kUnlimited = std::numeric_limits<double>::max();
constexpr double kRoom =
    0.86;  // share of the cell that text may fill; DejaVu Sans, which a reader without Inter may take, still ends in it

}  // namespace

std::string_view name_of(StrokeRole role) {
  switch (role) {
    case StrokeRole::hairline: return "hairline";
    case StrokeRole::grid: return "grid";
    case StrokeRole::boundary: return "boundary";
    case StrokeRole::strong: return "strong";
    case StrokeRole::highlight: return "highlight";
  }
  return "grid";
}

Rgb label_color(LabelRole role, const Page& page) {
  switch (role) {
    case LabelRole::axis: return on_page({92, 99, 112}, page);
    case LabelRole::panel_name: return page.ink;
    case LabelRole::caption: return on_page({70, 77, 90}, page);
    case LabelRole::legend: return page.ink;
    case LabelRole::note: return on_page({70, 77, 90}, page);
  }
  return page.ink;
}

bool is_bold(LabelRole role) { return role == LabelRole::panel_name; }
bool is_mono(LabelRole role) { return role == LabelRole::caption; }

char32_t drawable(const Utf8Character& character) {
  const char32_t code = character.code;
  const bool control = code < 0x20 ? code != '\n' && code != '\t' : code >= 0x7f && code < 0xa0;
  return control || code == 0xfffe || code == 0xffff ? kReplacement : code;
}

std::string drawable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Utf8Character character = first_character(text);
    append_utf8(out, drawable(character));
    text.remove_prefix(character.length);
  }
  return out;
}

double page_unit(const Bounds& picture) { return std::max(1.0, std::max(picture.width(), picture.height()) / 40.0); }

PictureSize with_margins(const Bounds& picture) {
  const double unit = page_unit(picture);
  return {picture.width() + unit, picture.height() + unit};
}

double text_width(std::string_view text, bool bold) {
  const Advances& advances = bold ? kSemiBold : kRegular;
  int known = 0, others = 0;
  while (!text.empty()) {
    const auto c = static_cast<unsigned char>(text.front());
    const std::size_t length = c < 128 ? 1 : first_character(text).length;
    if (c >= ' ' && c <= '~')
      known += advances[c - static_cast<unsigned char>(' ')];
    else
      ++others;
    text.remove_prefix(length);
  }
  return known / 1000.0 + others * kOtherAdvance;
}

double panel_type_size(const Scene& scene, std::size_t panel) {
  double size = scene.largest_type > 0 ? scene.largest_type : kUnlimited;
  each_cell(scene, panel, [&](const CellView& cell) {
    if (cell.label.empty()) return;
    const LabelLines lines = label_lines(cell.label);
    size = std::min(size, (lines.count > 1 ? kLargestOfTwo : kLargest) * cell.h);
    for (int i = 0; i < lines.count; ++i) {
      const double width = lines.size[i] * text_width(lines.line[i], lines.count > 1 && i == 0);
      if (width > 0) size = std::min(size, kRoom * cell.w / width);
    }
  });
  return size == kUnlimited ? kLargest : size;
}

namespace {

// Of the first label of a panel; 0: it has none.
std::size_t lines_of_labels(const Scene& scene, std::size_t panel) {
  for (const Mark& mark : scene.panels[panel].marks) {
    const auto* grid = std::get_if<Grid>(&mark);
    if (!grid || grid->of->text.empty()) continue;
    for (std::size_t i = 0; i < grid->of->size(); ++i) {
      const std::string_view label = grid->of->label(i);
      if (!label.empty()) return label.find('\n') == std::string_view::npos ? 1 : 2;
    }
  }
  return 0;
}

}  // namespace

double cell_type_size(const Scene& scene, std::size_t panel) {
  double size = panel_type_size(scene, panel);
  if (scene.panels[panel].operand == PanelOperand::none) return size;
  const std::size_t lines = lines_of_labels(scene, panel);
  for (std::size_t i = 0; i < scene.panels.size() && lines > 0; ++i) {
    if (i != panel && scene.panels[i].operand != PanelOperand::none && lines_of_labels(scene, i) == lines)
      size = std::min(size, panel_type_size(scene, i));
  }
  return size;
}

Rgb cell_text_color(const Scene& scene, const CellView& cell) {
  const Rgb fill = cell.fill == kNoColor ? scene.page.paper : scene.palette[cell.fill];
  return cell.faint ? faint_text_color(fill) : text_color(fill);
}

TextColors::TextColors(const Scene& scene) {
  for (const Rgb fill : scene.palette) colors_.push_back({text_color(fill), faint_text_color(fill)});
  colors_.push_back({text_color(scene.page.paper), faint_text_color(scene.page.paper)});
}

Rgb TextColors::of(const CellView& cell) const { return (cell.fill == kNoColor ? colors_.back() : colors_[cell.fill])[cell.faint ? 1 : 0]; }

LabelLines label_lines(std::string_view text) {
  LabelLines out;
  if (text.empty()) return out;
  const std::size_t cut = text.find('\n');
  out.line[0] = text.substr(0, cut);
  out.count = 1;
  if (cut == std::string_view::npos) return out;
  out.line[1] = text.substr(cut + 1);
  out.count = 2;
  out.size[1] = kSecondLine;
  out.offset[0] = -kLinePitch / 2;
  out.offset[1] = kLinePitch / 2;
  return out;
}

std::string subject_title(const Scene& scene, const ElementId& id) {
  constexpr std::size_t kNamed = 9;  // owners that are named; the others are counted
  const std::vector<Subject> subjects = subjects_of(scene, id);
  if (subjects.empty()) return {};
  if (const std::string_view words = scene.words_of(subjects.front()); !words.empty()) return std::string(words);
  std::string out;
  const auto number = [&](std::int64_t n) { out += std::to_string(n); };
  const auto word = [&](std::string_view w) { out += out.empty() ? "" : ", ", out += w; };
  const auto owner = [&](const Subject& subject) { number(subject.thread), out += " V", number(subject.value); };
  const Subject& first = subjects.front();
  if (first.thread >= 0) word("T"), owner(first);
  if (const std::string at = scene.coordinate_of(first); !at.empty()) word(at);
  if (first.address >= 0) word("offset "), number(first.address);
  if (first.bank >= 0) word("bank "), number(first.bank);
  for (std::size_t i = 1; i < subjects.size() && i < kNamed; ++i) word(i == 1 ? "also T" : "T"), owner(subjects[i]);
  if (subjects.size() > kNamed) word("and "), number(static_cast<std::int64_t>(subjects.size() - kNamed)), out += " more";
  return out;
}

void append_number(std::string& out, double value, int decimals) {
  std::int64_t scale = 1;
  for (int i = 0; i < decimals; ++i) scale *= 10;
  std::int64_t n = std::llround(value * static_cast<double>(scale));
  if (n < 0) {
    out += '-';
    n = -n;
  }
  char buffer[24];
  const auto whole = std::to_chars(buffer, buffer + sizeof buffer, n / scale);
  out.append(buffer, whole.ptr);
  n %= scale;
  if (n == 0) return;
  out += '.';
  for (scale /= 10; n > 0; scale /= 10) {
    out += static_cast<char>('0' + n / scale);
    n %= scale;
  }
}

}  // namespace tessera
