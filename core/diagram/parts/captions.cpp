// SPDX-License-Identifier: BSD-3-Clause
// What stands under a picture: a sentence, what its colours mean, facts, and the expression that made it; and its title above.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/characters.hpp"
#include "core/base/utf8.hpp"
#include "core/diagram/parts/reading_aids.hpp"
#include "core/diagram/scene/caption_lines.hpp"

namespace tessera {

namespace {

constexpr float kPitch = 0.54f, kType = 0.36f;                              // from line to line, and the type's size, in text units
constexpr float kSwatch = 0.5f, kSwatchHeight = 0.3f, kSwatchStep = 0.56f;  // of a legend's hues
constexpr float kNumberedHeight = 0.38f, kSwatchType = 0.3f;                // of a swatch with a number, and of the number, in text units
constexpr std::size_t kMostHues = 8;
constexpr float kSign = 0.54f, kWideSign = 0.61f;  // widths of characters, in type sizes; in bold and mono
constexpr float kLegendSign = 0.57f;               // behind swatches there is no room to spare
constexpr std::size_t kMostOfASentence = 4;        // lines
// Characters of a line at least, also under a narrower grid: the words of small figures are then few lines. Of a title, in larger type.
constexpr float kFewest = 42, kFewestOfTitle = 30;
constexpr float kBeside = 30;  // characters of a legend that have room beside its swatches, or it stands below them
constexpr float kLeastSwatchStep = 0.15, kNarrowSwatchStep = 0.3;  // narrow: where words stand beside them for it

void add_label(Scene& scene, Panel& panel, Label label, std::string_view text) {
  label.text = scene.intern(text);
  panel.marks.push_back(label);
}

// Behind the string that begins here: \" does not end one. 0 where none begins: the quotes of 1'000 stand between digits.
std::size_t behind_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  if (quote != '"' && (quote != '\'' || (at > 0 && is_word(text[at - 1])))) return 0;
  std::size_t end = at + 1;
  while (end < text.size() && text[end] != quote) end += text[end] == '\\' ? 2 : 1;
  return std::min(end + 1, text.size());
}

// An expression of several lines as one: comments go, and every run of spaces and line ends becomes one space.
std::string in_one_line(std::string_view expression) {
  std::string text;
  bool comment = false;
  for (std::size_t at = 0; at < expression.size(); ++at) {
    const char c = expression[at];
    if (c == '#') comment = true;
    if (c == '\n') comment = false;
    if (comment) continue;
    if (const std::size_t end = behind_string(expression, at)) {
      text += expression.substr(at, end - at);
      at = end - 1;
    } else if (!is_space(c)) {
      text += c;
    } else if (!text.empty() && text.back() != ' ' && text.back() != '(') {
      text += ' ';
    }
  }
  return text;
}

// The same without its own title, which stands above the picture; a figure within it keeps its title.
std::string without_title(std::string text) {
  constexpr std::string_view kTitle = ", title=";
  int depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (depth == 1 && std::string_view(text).substr(at).starts_with(kTitle) && at + kTitle.size() < text.size()) {
      if (const std::size_t end = behind_string(text, at + kTitle.size())) return text.erase(at, end - at);
    }
    if (const std::size_t end = behind_string(text, at)) at = end - 1;
    if (text[at] == '(') ++depth;
    if (text[at] == ')') --depth;
  }
  return text;
}

// Where the rightmost frame ends.
float right_edge(const Scene& scene, const Bounds& box) {
  float right = box.x0;
  for (const Panel& panel : scene.panels) {
    for (const Mark& mark : panel.marks) {
      if (const Outline* outline = std::get_if<Outline>(&mark)) right = std::max(right, outline->x + outline->w);
    }
  }
  return right > box.x0 ? right : box.x1;
}

bool lies_on(const Line& line, const Line& other) {
  const auto within = [](float a0, float a1, float b0, float b1) { return a0 >= b0 && a1 <= b1; };
  return within(line.x0, line.x1, other.x0, other.x1) && within(line.y0, line.y1, other.y0, other.y1);
}

// Is there a line of this role to be seen that stands for nothing, as those between groups of cells? Strong lines cover thin ones.
bool has_line(const Scene& scene, StrokeRole role) {
  return std::any_of(scene.panels.begin(), scene.panels.end(), [&](const Panel& panel) {
    std::vector<Line> lines, stronger;
    for (const Mark& mark : panel.marks) {
      const auto* line = std::get_if<Line>(&mark);
      if (line && line->subject == kNoSubject && line->role >= role) (line->role == role ? lines : stronger).push_back(*line);
    }
    return std::any_of(lines.begin(), lines.end(), [&](const Line& line) {
      return std::none_of(stronger.begin(), stronger.end(), [&](const Line& other) { return lies_on(line, other); });
    });
  });
}

// "grey line: atom boundary; strong line: warp boundary"
std::string lines_note(Scene& scene, const Captions& captions) {
  std::string made;
  if (!captions.boundary.empty() && has_line(scene, StrokeRole::boundary))
    made = std::string(kGreyLine) + (scene.thin_lines = captions.boundary);
  if (!captions.strong.empty() && has_line(scene, StrokeRole::strong))
    made += fmt::format("{}{}{}", made.empty() ? "" : "; ", kStrongLine, captions.strong);
  return made;
}

// Adds lines under one another. Words never make a picture wider: figures of equal cells side by side have one scale.
class LinesBelow {
 public:
  LinesBelow(Scene& scene, Panel& panel, const Bounds& box, float left, float unit)
      : scene_(scene),
        panel_(panel),
        left_(left),
        width_(std::max(box.x1 - left, kFewest * kType * unit * kSign)),
        grids_(right_edge(scene, box) - left),
        unit_(unit),
        y_(box.y1 + 0.55f * unit) {}

  void add(std::string_view text, LabelRole role, std::size_t most, float indent = 0) {
    const std::size_t signs = signs_of(role, indent);
    for (const std::string& line : role == LabelRole::caption ? wrap(text, signs, most) : wrap_words(text, signs, most)) {
      add_label(scene_, panel_, {left_ + indent, y_, {}, role, Anchor::left, kType * unit_}, line);
      y_ += kPitch * unit_;
    }
  }

  // The hues stand before the words, or above them where there is too little room beside them, and never pass the grids. With numbers,
  // which need their room, they may go as far as words do, and on in a further line. A corner is that of a cell with several owners.
  void add(const Legend& legend) {
    const auto hues = static_cast<float>(legend.hues.size());
    const float words = std::min(kBeside, static_cast<float>(legend.words.size())) * kType * unit_ * kSign;
    const float room = std::max(grids_, width_);
    const auto in_row = static_cast<std::size_t>(std::clamp(std::floor(room / (kSwatchStep * unit_)), 1.0f, std::max(hues, 1.0f)));
    float step = legend.hues.empty() ? 0 : legend.numbered ? kSwatchStep * unit_ : std::min(kSwatchStep * unit_, grids_ / hues);
    const float in_a_line = static_cast<float>(legend.words.size()) * kType * unit_ * kLegendSign + 0.15f * unit_;
    const float beside = (width_ - in_a_line) / std::max(hues, 1.0f);
    if (!legend.numbered && beside > kNarrowSwatchStep * unit_) step = std::min(step, beside);
    const float taken = step * hues;
    const bool swatches = legend.hues.size() <= kMostHues && step > kLeastSwatchStep * unit_;
    const bool one_row = !legend.numbered || in_row >= legend.hues.size();
    bool before = swatches && one_row && taken + words <= width_;
    const float behind = taken + 0.1f * unit_;
    // Words that would be broken there, and are not where they have all the room, have it.
    const auto lines = [&](float indent) { return wrap_words(legend.words, signs_of(LabelRole::legend, indent), 4).size(); };
    if (before && lines(behind) > lines(0)) before = false;
    for (std::size_t i = 0; swatches && i < legend.hues.size(); ++i) {
      if (!one_row && i > 0 && i % in_row == 0) y_ += kPitch * unit_;
      const float x = left_ + step * static_cast<float>(one_row ? i : i % in_row);
      const float height = (legend.numbered ? kNumberedHeight : kSwatchHeight) * unit_;
      Cell swatch{x, y_ - height / 2, step * kSwatch / kSwatchStep, height, legend.hues[i]};
      if (legend.corner) swatch.subject_count = 2;  // it stands for nothing, and has the mark of several
      panel_.marks.push_back(swatch);
      if (legend.numbered)
        add_label(scene_, panel_, {x + swatch.w / 2, y_, {}, LabelRole::legend, Anchor::center, kSwatchType * unit_},
                  std::to_string(i < legend.numbers.size() ? legend.numbers[i] : static_cast<std::int64_t>(i)));
    }
    if (swatches && !before) y_ += kPitch * unit_;
    add(legend.words, LabelRole::legend, 4, before ? behind : 0);
  }

  void skip(float units) { y_ += units * unit_; }

 private:
  std::size_t signs_of(LabelRole role, float indent) const {
    const float sign = role == LabelRole::caption ? kWideSign : role == LabelRole::legend ? kLegendSign : kSign;
    return static_cast<std::size_t>((width_ - indent) / (kType * unit_ * sign));
  }

  Scene& scene_;
  Panel& panel_;
  float left_, width_, grids_, unit_, y_;  // width_: of words
};

}  // namespace

float left_edge(const Scene& scene) {
  const Bounds box = bounds(scene);
  float left = box.x1, first_heading = box.x1;
  for (const Panel& panel : scene.panels) {
    for (const Mark& mark : panel.marks) {
      if (const Outline* outline = std::get_if<Outline>(&mark)) left = std::min(left, outline->x);
      const Label* label = std::get_if<Label>(&mark);
      const bool heading = label && label->role == LabelRole::panel_name && label->anchor == Anchor::left;
      if (heading && &panel == &scene.panels.front()) first_heading = std::min(first_heading, label->x);
    }
  }
  return left < box.x1 ? std::min(left, first_heading) : box.x0;  // charts have no outlines, and names at the right
}

std::vector<std::string> wrap(std::string_view text, std::size_t width, std::size_t most) {
  std::vector<std::string> lines;
  width = std::max<std::size_t>(width, 1);
  while (!text.empty() && lines.size() < most) {
    std::size_t cut = 0, characters = 0, space = 0, comma = 0;  // bytes, and those behind the last such sign in the second half of the line
    while (cut < text.size() && characters < width) {
      cut += first_character(text.substr(cut)).length;
      ++characters;
      if (text[cut - 1] == ' ' && 2 * characters >= width) space = cut;
      if (text[cut - 1] == ',' && 2 * characters >= width) comma = cut;
    }
    if (cut < text.size() && std::max(space, comma) > 0) cut = space > 0 ? space : comma;
    while (cut < text.size() && text[cut] == ' ') ++cut;  // a line does not begin with one
    lines.emplace_back(text.substr(0, cut));
    text.remove_prefix(cut);
  }
  if (!text.empty()) lines.back() += " …";
  return lines;
}

namespace {

// Whole clauses in each line; empty where one of them is longer than a line.
std::vector<std::string> wrap_clauses(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find("; ");
    const std::string_view clause = text.substr(0, end == std::string_view::npos ? end : end + 2);  // a line that goes on ends with a blank
    text.remove_prefix(clause.size());
    if (count_characters(clause) > width) return {};
    if (!lines.empty() && count_characters(lines.back()) + count_characters(clause) <= width)
      lines.back() += clause;
    else
      lines.emplace_back(clause);
  }
  return lines;
}

}  // namespace

std::vector<std::string> wrap_words(std::string_view text, std::size_t width, std::size_t most) {
  const std::vector<std::string> full = wrap(text, width, most);
  if (full.empty()) return full;
  const auto ends_well = [](std::string_view line) {
    line = line.substr(0, line.find_last_not_of(' ') + 1);
    return line.ends_with('.') || line.ends_with(';');
  };
  if (full.back().ends_with(" …") || std::all_of(full.begin(), full.end() - 1, ends_well)) return full;
  if (std::vector<std::string> clauses = wrap_clauses(text, width); !clauses.empty() && clauses.size() <= full.size()) return clauses;
  if (4 * count_characters(full.back()) >= width) return full;
  for (std::size_t narrower = (count_characters(text) + full.size() - 1) / full.size(); narrower < width; ++narrower) {
    if (std::vector<std::string> even = wrap(text, narrower, most + 1); even.size() == full.size()) return even;
  }
  return full;
}

std::string ranges_of(std::span<const std::int64_t> ascending, std::string_view before) {
  std::string out;
  for (std::size_t i = 0; i < ascending.size();) {
    std::size_t last = i;
    while (last + 1 < ascending.size() && ascending[last + 1] == ascending[last] + 1) ++last;
    out += fmt::format("{}{}{}", out.empty() ? "" : ", ", before, ascending[i]);
    if (last > i) out += fmt::format("-{}", ascending[last]);
    i = last + 1;
  }
  return out;
}

std::string counted(std::int64_t n, std::string_view what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

std::string sentence(std::string words) {
  if (words.empty()) return words;
  if (words.front() >= 'a' && words.front() <= 'z') words.front() = static_cast<char>(words.front() - 'a' + 'A');
  return words + (words.ends_with('.') ? "" : ".");
}

std::string bits_note(std::int64_t bits, bool known) {
  std::string out = "bank = (byte offset / 4) mod 32; ";
  out += known ? fmt::format("an element has {} bits", bits) : "elements are taken to have 32 bits";
  if (bits > 32) out += fmt::format("; the colour is that of the first of the {} banks that an element covers", (bits + 31) / 32);
  return out;
}

namespace {

// What others than a picture's readers are told: alternative texts, tables of characters, captions in files of their own.
void keep_words(Scene& scene, const FigureSpec& spec, const Captions& captions, const std::string& lines) {
  using Of = SaidWords::Of;
  const auto keep = [&](const std::string& words, Of of) {
    if (!words.empty()) scene.said.push_back({of, words});
  };
  scene.is_said_below = !is_off(spec, "caption");
  keep(captions.sentence, Of::elements);
  for (const Legend& legend : captions.legends) {
    if (!is_off(spec, "legend")) keep(legend.words, legend.is_of_owners ? Of::owners : Of::colors);
  }
  keep(lines, Of::lines);
  for (const std::string& note : captions.notes) keep(note, Of::elements);
}

}  // namespace

void add_captions(Scene& scene, const FigureSpec& spec, const Captions& captions, float unit) {
  const float left = left_edge(scene);
  Bounds box = bounds(scene);
  box.x1 = std::max(box.x1, left + spec.words_width);
  Panel panel{std::string(kCaptionPanel), {}};
  const float title_size = 0.62f * unit;
  const auto signs = static_cast<std::size_t>(std::max(kFewestOfTitle, (box.x1 - left) / (title_size * kWideSign)));
  const std::vector<std::string> title =
      is_off(spec, "title") ? std::vector<std::string>() : wrap_words(spec.title.empty() ? captions.title : spec.title, signs, 3);
  for (std::size_t i = 0; i < title.size(); ++i) {
    const float up = 0.75f * unit + 1.25f * title_size * static_cast<float>(title.size() - 1 - i);
    add_label(scene, panel, {left, box.y0 - up, {}, LabelRole::panel_name, Anchor::left, title_size}, title[i]);
  }
  LinesBelow lines(scene, panel, box, left, unit);
  const bool words = !is_off(spec, "caption");
  if (words) lines.add(captions.sentence, LabelRole::note, kMostOfASentence);
  for (const Legend& legend : captions.legends) {
    if (!is_off(spec, "legend") && !legend.words.empty()) lines.add(legend);
  }
  const std::string drawn = lines_note(scene, captions);
  if (words && !drawn.empty()) lines.add(drawn, LabelRole::note, 4);
  keep_words(scene, spec, captions, drawn);
  for (const std::string& note : captions.notes) {
    if (words) lines.add(note, LabelRole::note, 4);
  }
  if (!captions.notes.empty() || !captions.sentence.empty()) lines.skip(0.06f);
  const auto says = [&](const std::string& text) { return !spec.expression.empty() && text.starts_with(spec.expression); };
  const bool said =
      spec.expression == captions.heading || says(captions.sentence) || std::any_of(captions.notes.begin(), captions.notes.end(), says);
  if (!said && words)
    lines.add(title.empty() ? in_one_line(spec.expression) : without_title(in_one_line(spec.expression)), LabelRole::caption, 4);
  if (!panel.marks.empty()) scene.panels.push_back(std::move(panel));
}

void add_step_caption(Scene& scene, std::size_t step) {
  auto captions = std::find_if(scene.panels.begin(), scene.panels.end(), [](const Panel& each) { return each.name == kCaptionPanel; });
  Scene picture;  // without what stands below it, nor the title
  picture.text = scene.text;
  for (auto panel = scene.panels.begin(); panel != scene.panels.end(); ++panel) {
    if (panel != captions) picture.panels.push_back(*panel);
  }
  const Bounds box = bounds(picture);
  if (captions == scene.panels.end()) captions = scene.panels.insert(captions, Panel{std::string(kCaptionPanel), {}});
  float unit = 1;
  for (const Mark& mark : captions->marks) {
    const auto* label = std::get_if<Label>(&mark);
    if (label && label->y > box.y1) unit = type_size(*label) / kType;
  }
  std::size_t most = 0;  // lines of a step
  const float left = left_edge(picture);
  for (const SceneStep& each : scene.steps) {
    Panel words{"", {}};
    LinesBelow(picture, words, box, left, unit).add(each.caption, LabelRole::note, kMostOfASentence);
    most = std::max(most, words.marks.size());
    picture.panels.push_back(std::move(words));
  }
  const float down = kPitch * unit * static_cast<float>(most);
  for (Mark& mark : captions->marks) {
    if (auto* label = std::get_if<Label>(&mark); label && label->y > box.y1) label->y += down;
    if (auto* cell = std::get_if<Cell>(&mark); cell && cell->y > box.y1) cell->y += down;
  }
  picture.panels.push_back(*captions);
  scene.room = bounds(picture);
  LinesBelow(scene, *captions, box, left, unit).add(scene.steps[step].caption, LabelRole::note, kMostOfASentence);
}

}  // namespace tessera
