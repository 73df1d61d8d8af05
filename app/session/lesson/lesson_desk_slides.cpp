// SPDX-License-Identifier: BSD-3-Clause
// A desk's sliders, and the slides of a class.
#include <algorithm>
#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "app/session/lesson/lesson_desk.hpp"

namespace tessera {
namespace {

bool asks_something(const LessonPiece& piece) {
  if (std::holds_alternative<LessonQuestion>(piece.content)) return true;
  const auto* slider = std::get_if<LessonSlider>(&piece.content);
  return slider && !slider->holds.empty();
}

}  // namespace

std::vector<LessonSlide> slides_of(const LessonReading& reading) {
  std::vector<LessonSlide> made;
  for (std::size_t screen = 0; screen < reading.screens.size(); ++screen) {
    const std::vector<LessonPiece>& pieces = reading.screens[screen].pieces;
    std::size_t answered = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (!asks_something(pieces[i])) continue;
      made.push_back({screen, i + 1, answered});
      answered = i + 1;
    }
    made.push_back({screen, pieces.size(), pieces.size()});
  }
  return made;
}

// ---- sliders ----------------------------------------------------------------------------------------------------------------

const LessonSlider* LessonDesk::slider(std::size_t part) const {
  if (!reading_) return nullptr;
  for (const LessonScreen& screen : reading_->screens) {
    for (const LessonPiece& piece : screen.pieces) {
      if (piece.part == part) return std::get_if<LessonSlider>(&piece.content);
    }
  }
  return nullptr;
}

const LessonDesk::Slid& LessonDesk::slid(std::size_t part) {
  const auto [at, is_new] = slid_.try_emplace(part);
  const LessonSlider* const of = slider(part);
  if (is_new && of) at->second = {of->first, std::vector<bool>(of->holds.size())};
  return at->second;
}

void LessonDesk::slide(std::size_t part, std::size_t value) {
  const LessonSlider* const of = slider(part);
  (void)slid(part);
  if (of && value < of->values.size()) slid_[part].at = value;
}

void LessonDesk::tick(std::size_t part, std::size_t value, bool holds) {
  (void)slid(part);
  Slid& slid = slid_[part];
  if (value >= slid.ticked.size()) return;
  slid.ticked[value] = holds;
  slid.outcome = Outcome::open;
  slid.said.clear();
}

void LessonDesk::answer_slid(std::size_t part, bool shown) {
  const LessonSlider* const of = slider(part);
  if (!of || of->holds.empty()) return;
  (void)slid(part);
  Slid& slid = slid_[part];
  std::string holding;
  std::size_t first = of->holds.size();
  for (std::size_t i = 0; i < of->holds.size(); ++i) {
    if (of->holds[i]) holding += (holding.empty() ? "" : ", ") + of->values[i];
    if (first == of->holds.size() && slid.ticked[i] != of->holds[i]) first = i;
  }
  if (holding.empty()) holding = "none";
  const bool right = first == of->holds.size();
  slid.outcome = right ? Outcome::right : shown ? Outcome::shown : Outcome::open;
  slid.said = right   ? fmt::format("Right: it holds for {}.", holding)
              : shown ? fmt::format("It holds for {}.", holding)
                      : fmt::format("Not yet: look at {} = {}.", of->name, of->values[first]);
  if (!right && !shown) slid.at = first;
}

// ---- slides -----------------------------------------------------------------------------------------------------------------

void LessonDesk::present(bool on) {
  presents_ = on && reading_;
  if (!presents_) return;
  const auto here = std::find_if(slides_.begin(), slides_.end(), [&](const LessonSlide& each) { return each.screen == screen(); });
  slide_ = here == slides_.end() ? 0 : static_cast<std::size_t>(here - slides_.begin());
}

LessonSlide LessonDesk::slide_now() const { return slides_.empty() ? LessonSlide{} : slides_[slide_]; }

bool LessonDesk::step(bool forward) {
  if (forward ? slide_ + 1 >= slides_.size() : slide_ == 0) return false;
  slide_ += forward ? 1 : -1;
  return true;
}

}  // namespace tessera
