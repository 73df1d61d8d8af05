// SPDX-License-Identifier: BSD-3-Clause
// What stands under a picture: a sentence, what its colours mean, facts, and the expression that made it; and its title above.
#include <fmt/format.h>

#include <algorithm>

#include "core/base/utf8.hpp"
#include "core/diagram/figure_parts.hpp"

namespace tessera {

namespace {

constexpr float kPitch = 0.54f, kType = 0.36f;                              // from line to line, and the type's size, in text units
constexpr float kSwatch = 0.5f, kSwatchHeight = 0.3f, kSwatchStep = 0.56f;  // of a legend's hues
constexpr std::size_t kMostHues = 8;
constexpr float kSign = 0.54f, kWideSign = 0.61f;  // widths of characters, in type sizes; in bold and mono
constexpr float kFewest = 30;                      // characters of a line at least

void add_label(Scene& scene, Panel& panel, Label label, std::string_view text) {
  label.text = scene.intern(text);
  panel.marks.push_back(label);
}

// Where the leftmost grid begins: titles and captions stand flush with it, and row numbers hang to its left.
float left_edge(const Scene& scene) {
  float left = bounds(scene).x1;
  for (const Panel& panel : scene.panels) {
    for (const Mark& mark : panel.marks) {
      if (const Outline* outline = std::get_if<Outline>(&mark)) left = std::min(left, outline->x);
    }
  }
  return left;
}

// Breaks after spaces where it can, so that no line is longer than `width` characters; at most `most` lines.
std::vector<std::string> wrap(std::string_view text, std::size_t width, std::size_t most) {
  std::vector<std::string> lines;
  while (!text.empty() && lines.size() < most) {
    std::size_t cut = 0, characters = 0, space = 0;  // bytes, and those behind the last space in the second half of the line
    while (cut < text.size() && characters < width) {
      cut += first_character(text.substr(cut)).length;
      ++characters;
      if (text[cut - 1] == ' ' && 2 * characters >= width) space = cut;
    }
    if (cut < text.size() && space > 0) cut = space;
    while (cut < text.size() && text[cut] == ' ') ++cut;  // a line does not begin with one
    lines.emplace_back(text.substr(0, cut));
    text.remove_prefix(cut);
  }
  if (!text.empty()) lines.back() += " …";
  return lines;
}

// An expression of several lines as one: comments go, and every run of spaces and line ends becomes one space.
std::string in_one_line(std::string_view expression) {
  std::string text;
  bool quoted = false, comment = false;
  for (const char c : expression) {
    if (c == '"' && !comment) quoted = !quoted;
    if (c == '#' && !quoted) comment = true;
    if (c == '\n') comment = false;
    if (comment) continue;
    const bool space = !quoted && (c == ' ' || c == '\n' || c == '\t' || c == '\r');
    if (!space)
      text += c;
    else if (!text.empty() && text.back() != ' ' && text.back() != '(')
      text += ' ';
  }
  return text;
}

// Adds lines under one another. Words never make a picture wider: figures of equal cells side by side have one scale.
class LinesBelow {
 public:
  LinesBelow(Scene& scene, Panel& panel, const Bounds& box, float left, float unit)
      : scene_(scene), panel_(panel), left_(left), width_(box.x1 - left), unit_(unit), y_(box.y1 + 0.55f * unit) {}

  void add(std::string_view text, LabelRole role, std::size_t most, float indent = 0) {
    const float sign = role == LabelRole::caption ? kWideSign : kSign;
    const auto signs = static_cast<std::size_t>(std::max(kFewest, (width_ - indent) / (kType * unit_ * sign)));
    for (const std::string& line : wrap(text, signs, most)) {
      add_label(scene_, panel_, {left_ + indent, y_, {}, role, Anchor::left, kType * unit_}, line);
      y_ += kPitch * unit_;
    }
  }

  // The hues stand before the words, or above them where the picture is narrow, or nowhere where it is narrower than they are.
  void add(const Legend& legend) {
    const float taken = legend.hues.size() > kMostHues ? 0 : kSwatchStep * unit_ * static_cast<float>(legend.hues.size());
    const float words = std::min(kFewest, static_cast<float>(legend.words.size())) * kType * unit_ * kSign;
    const bool before = taken + words <= width_, swatches = taken > 0 && taken <= width_;
    for (std::size_t i = 0; swatches && i < legend.hues.size(); ++i) {
      const float x = left_ + kSwatchStep * unit_ * static_cast<float>(i), height = kSwatchHeight * unit_;
      panel_.marks.push_back(Cell{x, y_ - height / 2, kSwatch * unit_, height, legend.hues[i]});
    }
    if (swatches && !before) y_ += kPitch * unit_;
    add(legend.words, LabelRole::legend, 4, swatches && before ? taken + 0.1f * unit_ : 0);
  }

  void skip(float units) { y_ += units * unit_; }

 private:
  Scene& scene_;
  Panel& panel_;
  float left_, width_, unit_, y_;
};

}  // namespace

std::string counted(std::int64_t n, std::string_view what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

std::string sentence(std::string words) {
  if (words.empty()) return words;
  if (words.front() >= 'a' && words.front() <= 'z') words.front() = static_cast<char>(words.front() - 'a' + 'A');
  return words + (words.ends_with('.') ? "" : ".");
}

std::string bits_note(std::int64_t bits, bool known) {
  std::string out = known ? fmt::format("banks of elements of {} bits", bits)
                          : std::string("banks as of 4-byte elements: say bits=16 or type=half_t for others");
  if (bits > 32) out += fmt::format("; the colour is that of the first of the {} banks that an element covers", (bits + 31) / 32);
  return out;
}

void add_captions(Scene& scene, const FigureSpec& spec, const Captions& captions, float unit) {
  const Bounds box = bounds(scene);
  const float left = left_edge(scene);
  Panel panel{std::string(kCaptionPanel), {}};
  const float title_size = 0.62f * unit;
  const auto signs = static_cast<std::size_t>(std::max(kFewest, (box.x1 - left) / (title_size * kWideSign)));
  const std::vector<std::string> title = is_off(spec, "title") ? std::vector<std::string>() : wrap(spec.title, signs, 3);
  for (std::size_t i = 0; i < title.size(); ++i) {
    const float up = 0.75f * unit + 1.25f * title_size * static_cast<float>(title.size() - 1 - i);
    add_label(scene, panel, {left, box.y0 - up, {}, LabelRole::panel_name, Anchor::left, title_size}, title[i]);
  }
  LinesBelow lines(scene, panel, box, left, unit);
  const bool words = !is_off(spec, "caption");
  if (words) lines.add(captions.sentence, LabelRole::note, 4);
  for (const Legend& legend : captions.legends) {
    if (!is_off(spec, "legend") && !legend.words.empty()) lines.add(legend);
  }
  for (const std::string& note : captions.notes) {
    if (words) lines.add(note, LabelRole::note, 4);
  }
  if (!captions.notes.empty() || !captions.sentence.empty()) lines.skip(0.06f);
  const auto says = [&](const std::string& text) { return !spec.expression.empty() && text.starts_with(spec.expression); };
  const bool said =
      spec.expression == captions.heading || says(captions.sentence) || std::any_of(captions.notes.begin(), captions.notes.end(), says);
  if (!said && words) lines.add(in_one_line(spec.expression), LabelRole::caption, 4);
  if (!panel.marks.empty()) scene.panels.push_back(std::move(panel));
}

}  // namespace tessera
