// SPDX-License-Identifier: BSD-3-Clause
// A desk's sliders, and the slides of a class.
#include <algorithm>
#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "app/session/lesson/lesson_desk.hpp"
#include "core/lesson/names.hpp"

namespace tessera {
namespace {

bool asks_something(const LessonPiece& piece) {
  if (std::holds_alternative<LessonQuestion>(piece.content)) return true;
  const auto* slider = std::get_if<LessonSlider>(&piece.content);
  return slider && !slider->holds.empty();
}

// "2, 4", as a page writes it: what the truth of a vary is compared with.
std::string listed(const LessonSlider& of, const std::vector<bool>& which) {
  std::string made;
  for (std::size_t i = 0; i < which.size(); ++i) {
    if (which[i]) made += (made.empty() ? "" : ", ") + of.values[i];
  }
  return made.empty() ? "none" : made;
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

// As the last answer in the log has it.
std::vector<bool> LessonDesk::ticked_before(const LessonSlider& of) const {
  std::vector<bool> ticked(of.holds.size());
  std::string answer;
  for (std::size_t i = kept_.place.begun; i < kept_.log.size(); ++i) {
    const lesson::WorklogEntry& entry = kept_.log[i];
    if (entry.vary == of.number && entry.hash == of.hash && !entry.given_up) answer = entry.answer;
  }
  for (const lesson::Written& each : lesson::parts_between({answer, 0}, ',')) {
    const auto found = std::find(of.values.begin(), of.values.end(), each.text);
    const auto at = static_cast<std::size_t>(found - of.values.begin());
    if (at < ticked.size()) ticked[at] = true;
  }
  return ticked;
}

const LessonDesk::Slid& LessonDesk::slid(std::size_t part) {
  const auto [at, is_new] = slid_.try_emplace(part);
  const LessonSlider* const of = slider(part);
  if (is_new && of) at->second = {of->first, ticked_before(*of)};
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
  const std::string holding = listed(*of, of->holds);
  const auto first =
      static_cast<std::size_t>(std::mismatch(of->holds.begin(), of->holds.end(), slid.ticked.begin()).first - of->holds.begin());
  const bool right = first == of->holds.size();
  lesson::WorklogEntry entry{reading_->head().number, {}, of->hash, 0, right || !shown ? listed(*of, slid.ticked) : std::string(), right};
  entry.vary = of->number;
  entry.given_up = shown && !right;
  if (!entry.given_up || slid.outcome != Outcome::shown) write(entry);
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
