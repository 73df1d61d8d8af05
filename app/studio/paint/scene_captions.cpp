// SPDX-License-Identifier: BSD-3-Clause
// Lines of words become whole sentences again.
#include "app/studio/paint/scene_captions.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tessera::studio {
namespace {

std::string_view trimmed(std::string_view words) {
  while (words.ends_with(' ')) words.remove_suffix(1);
  return words;
}

// Which line a mark stands in: what stands in one has one number.
int line_of(const Mark& mark) {
  constexpr float kSame = 20;  // lines are farther apart than one such part of a cell
  float middle = 0;
  if (const auto* cell = std::get_if<Cell>(&mark)) middle = cell->y + cell->h / 2;
  if (const auto* label = std::get_if<Label>(&mark)) middle = label->y;
  return static_cast<int>(std::lround(kSame * middle));
}

class Collect {
 public:
  explicit Collect(const Scene& scene) : scene_(scene) {}

  void operator()(const Cell& cell) {
    if (next_.words.empty()) {
      next_.swatches.push_back(cell.fill);
      next_.corner = cell.subject_count > 1;
    }
  }
  void operator()(const Label& label) {
    if (label.role == LabelRole::panel_name || (label.role == LabelRole::caption && !scene_.expression.empty())) return;
    const std::string_view words = trimmed(scene_.text_of(label.text));
    if (!next_.swatches.empty() && label.anchor == Anchor::center) return (void)next_.numbers.emplace_back(words);
    // A line that goes on: of a clause that is known whole, or of a legend, whose lines stand under each other.
    if (next_.swatches.empty() && rest_.starts_with(words)) {
      rest_ = rest_.substr(words.size());
      while (rest_.starts_with(' ')) rest_.remove_prefix(1);
      return;
    }
    const bool goes_on = next_.swatches.empty() && !made_.empty() && label.role == LabelRole::legend && legend_x_ && *legend_x_ == label.x;
    if (goes_on) {
      made_.back().words += " " + std::string(words);
      return;
    }
    const bool is_behind = label.role == LabelRole::legend && !next_.swatches.empty();
    legend_x_ = is_behind ? std::optional(label.x) : std::nullopt;
    next_.words = whole(words);
    made_.push_back(std::exchange(next_, {}));
  }
  void operator()(const Outline&) const {}
  void operator()(const Line&) const {}
  void operator()(const Arrow&) const {}
  void operator()(const Grid&) const {}

  std::vector<Caption> take() { return std::move(made_); }

 private:
  // The clause that begins with these words; what of it is still to come is kept. Words that no clause begins with stand alone.
  std::string whole(std::string_view words) {
    rest_ = {};
    for (std::size_t i = said_; i < scene_.said.size(); ++i) {
      const std::string_view clause = scene_.said[i].words;
      if (!clause.starts_with(words)) continue;
      said_ = i + 1;
      rest_ = clause.substr(words.size());
      while (rest_.starts_with(' ')) rest_.remove_prefix(1);
      return std::string(clause);
    }
    for (const SceneStep& step : scene_.steps) {
      const std::string_view clause = step.caption;
      if (!clause.starts_with(words)) continue;
      rest_ = clause.substr(words.size());
      while (rest_.starts_with(' ')) rest_.remove_prefix(1);
      return std::string(clause);
    }
    return std::string(words);
  }

  const Scene& scene_;
  std::vector<Caption> made_;
  Caption next_;
  std::string_view rest_;
  std::size_t said_ = 0;
  std::optional<float> legend_x_;
};

}  // namespace

std::vector<Caption> captions_of(const Scene& scene) {
  Collect collect(scene);
  for (const Panel& panel : scene.panels) {
    if (panel.name != kCaptionPanel) continue;
    std::vector<const Mark*> marks;
    for (const Mark& mark : panel.marks) marks.push_back(&mark);
    // From the top: the sentence of a step was added last, and stands first.
    std::stable_sort(marks.begin(), marks.end(), [](const Mark* a, const Mark* b) { return line_of(*a) < line_of(*b); });
    for (const Mark* mark : marks) std::visit(collect, *mark);
  }
  return collect.take();
}

}  // namespace tessera::studio
