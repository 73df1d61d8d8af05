// SPDX-License-Identifier: BSD-3-Clause
// Sizes, widths and wordings shared by the renderers.
#include "core/render/typography.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace tessera {

namespace {

constexpr double kGlyphWidth = 0.62;      // of a digit in the fonts that are used, in type sizes
constexpr double kBoldGlyphWidth = 0.72;  // the same in bold, as the first of two lines is; DejaVu's are the widest of the fall-backs
constexpr double kLargest = 0.40;         // of a cell's height, one line; two lines take a little less
constexpr double kLargestOfTwo = 0.35;
constexpr double kUnlimited = std::numeric_limits<double>::max();
constexpr double kRoom = 0.86;  // share of the cell that text may fill

}  // namespace

StrokeLook stroke_look(StrokeRole role, FigureStyle style) {
  if (style != FigureStyle::tessera) return {0.028, {0, 0, 0}};
  switch (role) {
    case StrokeRole::hairline: return {0.012, {200, 205, 214}};
    case StrokeRole::grid: return {0.022, {255, 255, 255}};
    case StrokeRole::boundary: return {0.036, {92, 99, 112}};
    case StrokeRole::strong: return {0.062, kInk};
    case StrokeRole::highlight: return {0.100, kInk};
  }
  return {0.02, kInk};
}

Rgb label_color(LabelRole role) {
  switch (role) {
    case LabelRole::axis: return {92, 99, 112};
    case LabelRole::panel_name: return kInk;
    case LabelRole::caption: return {70, 77, 90};
    case LabelRole::legend: return kInk;
    case LabelRole::note: return {70, 77, 90};
  }
  return kInk;
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

double cell_type_size(const Scene& scene, std::size_t panel) {
  double size = scene.largest_type > 0 ? scene.largest_type : kUnlimited;
  each_cell(scene, panel, [&](const CellView& cell) {
    if (cell.label.empty()) return;
    const LabelLines lines = label_lines(cell.label);
    const double first = static_cast<double>(count_characters(lines.line[0]));
    const double longest = lines.count > 1 ? std::max(first, static_cast<double>(count_characters(lines.line[1]))) : first;
    if (lines.count > 1) {
      size = std::min(size, kLargestOfTwo * cell.h);
      size = std::min(size, kRoom * cell.w / (kBoldGlyphWidth * std::max(first, 1.0)));
    }
    size = std::min({size, kRoom * cell.w / (kGlyphWidth * std::max(longest, 1.0)), kLargest * cell.h});
  });
  return size == kUnlimited ? kLargest : size;
}

Rgb cell_text_color(const Scene& scene, const CellView& cell) {
  const Rgb fill = cell.fill == kNoColor ? kPaper : scene.palette[cell.fill].rgb;
  return cell.faint ? faint_text_color(fill) : text_color(fill);
}

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
