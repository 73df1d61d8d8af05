// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/lesson/lesson_desk.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/characters.hpp"
#include "core/base/stopping.hpp"
#include "core/base/utf8.hpp"
#include "core/lesson/kinds.hpp"

namespace tessera {
namespace {

lesson::Grade right_grade() {
  lesson::Grade made;
  made.right = true;
  return made;
}

const LessonQuestion* question_in(const LessonPiece& piece) { return std::get_if<LessonQuestion>(&piece.content); }

}  // namespace

LessonDesk::LessonDesk(SourceText source, std::filesystem::path folder) : source_(std::move(source)), folder_(std::move(folder)) { read(); }

// What was answered is written, whoever ends the program.
LessonDesk::~LessonDesk() {
  constexpr double kToTheEnd = std::numeric_limits<double>::infinity();
  jobs_.stop();  // what is evaluated ends soon; what is written is written
  (void)jobs_.take(kToTheEnd);
  place_under_way_ = false;
  keep();
  (void)jobs_.take(kToTheEnd);
}

// ---- what is made beside ----------------------------------------------------------------------------------------------------

void LessonDesk::order(std::function<News(const std::stop_token&)> work) {
  ++under_way_;
  jobs_.ask([work = std::move(work)](const std::stop_token& stop) {
    const StoppedBy by(stop);
    return or_refusal([&] { return work(stop); },
                      [](const char* why) {
                        return News([why = std::string(why)](LessonDesk& desk) {
                          desk.refused_ = Error{ErrorCode::limit, why, {}, {}};
                          for (auto& [id, asked] : desk.asked_) asked.under_way = false;
                        });
                      });
  });
}

void LessonDesk::read() {
  order([text = source_.text, folder = folder_, first = !reading_](const std::stop_token&) -> News {
    Result<std::shared_ptr<const LessonReading>> made = read_lesson_screens(*text);
    if (!made) return [error = made.error()](LessonDesk& desk) { desk.refused_ = error; };
    std::string name = kept_name((*made)->head());
    // A lesson that changes under the person's hands goes on with what is here.
    Result<LessonKept> kept = first ? load_kept(folder, name) : Result<LessonKept>(LessonKept());
    return [reading = *std::move(made), kept = std::move(kept), name = std::move(name), first](LessonDesk& desk) {
      if (!kept) desk.unkept_ = kept.error();
      desk.take(reading, first ? std::optional(kept ? *kept : LessonKept()) : std::nullopt, kept ? name : std::string());
    };
  });
}

bool LessonDesk::collect(double seconds) {
  auto news = jobs_.take(seconds);
  for (auto& each : news) {
    --under_way_;
    each.value(*this);
  }
  keep();
  return !news.empty();
}

void LessonDesk::wait() {
  keep();
  while (waiting()) collect(std::numeric_limits<double>::infinity());
}

bool LessonDesk::look_again() {
  const std::uint64_t version = source_.version;
  if (!tessera::look_again(source_)) return false;
  if (source_.version != version) read();
  return true;
}

void LessonDesk::take(std::shared_ptr<const LessonReading> reading, std::optional<LessonKept> kept, const std::string& name) {
  reading_ = std::move(reading);
  refused_.reset();
  if (kept) {
    kept_ = *std::move(kept);
    name_ = folder_.empty() ? std::string() : name;
    written_ = {};
    written_.screen = std::numeric_limits<std::size_t>::max();  // the seed of a person who begins is kept at once
  }
  slides_ = slides_of(*reading_);
  slide_ = std::min(slide_, slides_.size() - 1);
  slid_.clear();
  take_log();
  kept_.place.screen = std::min(kept_.place.screen, last_open());
}

// Every question as the log and the place say.
void LessonDesk::take_log() {
  std::map<std::string, Asked> before = std::exchange(asked_, {});
  parts_.clear();
  for (const LessonScreen& screen : reading_->screens) {
    for (const LessonPiece& piece : screen.pieces) {
      const LessonQuestion* const question = question_in(piece);
      if (!question) continue;
      parts_[question->id] = piece.part;
      Asked asked;
      const auto own = kept_.place.seeds.find(question->id);
      asked.seed = own != kept_.place.seeds.end() && question->varies ? own->second : kept_.place.seed;
      for (std::size_t i = kept_.place.begun; i < kept_.log.size(); ++i) {
        const lesson::WorklogEntry& entry = kept_.log[i];
        if (entry.question != question->id || !(entry.right || entry.given_up)) continue;
        asked.passed = true;
        if (entry.seed != asked.seed) continue;
        if (asked.outcome != Outcome::right) asked.outcome = entry.right ? Outcome::right : Outcome::shown;
        if (entry.right) asked.draft = entry.answer;
      }
      if (asked.outcome == Outcome::right) asked.grade = right_grade();
      asked.graded = asked.draft;
      if (const auto draft = kept_.place.drafts.find(question->id); draft != kept_.place.drafts.end()) asked.draft = draft->second;
      if (const auto was = before.find(question->id); was != before.end() && was->second.seed == asked.seed && asked.draft.empty())
        asked.draft = was->second.draft;
      asked_.emplace(question->id, std::move(asked));
    }
  }
}

// ---- what is kept -----------------------------------------------------------------------------------------------------------

void LessonDesk::keep() {
  if (name_.empty() || place_under_way_ || kept_.place == written_ || unkept_) return;
  place_under_way_ = true;
  written_ = kept_.place;
  order([folder = folder_, name = name_, place = kept_.place](const std::stop_token&) -> News {
    Status kept = keep_place(folder, name, place);
    return [kept = std::move(kept)](LessonDesk& desk) {
      desk.place_under_way_ = false;
      if (!kept) desk.unkept_ = kept.error();
    };
  });
}

void LessonDesk::write(const lesson::WorklogEntry& entry) {
  kept_.log.push_back(entry);
  if (name_.empty() || unkept_) return;
  order([folder = folder_, name = name_, entry](const std::stop_token&) -> News {
    Status kept = keep_entry(folder, name, entry);
    return [kept = std::move(kept)](LessonDesk& desk) {
      if (!kept) desk.unkept_ = kept.error();
    };
  });
}

// ---- screens ----------------------------------------------------------------------------------------------------------------

std::size_t LessonDesk::open_gates() const {
  if (!reading_) return 0;
  const std::vector<std::string>& gates = reading_->gates;
  const auto closed = std::find_if(gates.begin(), gates.end(), [&](const std::string& id) {
    const auto asked = asked_.find(id);
    return asked == asked_.end() || !asked->second.passed;
  });
  return static_cast<std::size_t>(closed - gates.begin());
}

bool LessonDesk::shows(const LessonPiece& piece) const { return piece.gates <= open_gates(); }

bool LessonDesk::is_closed(const LessonScreen& screen) const {
  return std::any_of(screen.pieces.begin(), screen.pieces.end(), [&](const LessonPiece& piece) {
    const LessonQuestion* const question = question_in(piece);
    return !shows(piece) || (question && question->gates && !asked_.at(question->id).passed);
  });
}

std::size_t LessonDesk::last_open() const {
  if (!reading_) return 0;
  const std::vector<LessonScreen>& screens = reading_->screens;
  const auto closed = std::find_if(screens.begin(), screens.end(), [&](const LessonScreen& each) { return is_closed(each); });
  return std::min(static_cast<std::size_t>(closed - screens.begin()), screens.size() - 1);
}

bool LessonDesk::go(std::size_t screen) {
  if (!reading_ || screen >= reading_->screens.size() || screen > last_open()) return false;
  kept_.place.screen = screen;
  return true;
}

std::string_view LessonDesk::waits_for() const {
  if (!reading_) return {};
  for (const LessonPiece& piece : reading_->screens[screen()].pieces) {
    const LessonQuestion* const question = question_in(piece);
    if (question && question->gates && shows(piece) && !asked_.at(question->id).passed) return question->id;
  }
  return {};
}

std::string LessonDesk::first_open() const {
  if (!reading_) return {};
  for (const LessonPiece& piece : reading_->screens[screen()].pieces) {
    const LessonQuestion* const question = question_in(piece);
    if (question && shows(piece) && asked_.at(question->id).outcome == Outcome::open) return question->id;
  }
  return {};
}

std::string LessonDesk::summary() const {
  if (asked_.empty()) return {};
  std::size_t right = 0, shown = 0;
  for (const auto& [id, asked] : asked_) {
    bool answered = false;
    for (std::size_t i = kept_.place.begun; i < kept_.log.size(); ++i)
      answered = answered || (kept_.log[i].question == id && kept_.log[i].right);
    right += answered ? 1 : 0;
    shown += asked.passed && !answered ? 1 : 0;
  }
  return fmt::format("{} of {} right{}", right, asked_.size(), shown > 0 ? fmt::format(", {} shown", shown) : std::string());
}

// ---- questions --------------------------------------------------------------------------------------------------------------

LessonDesk::Asked* LessonDesk::find(const std::string& id) {
  const auto found = asked_.find(id);
  return found == asked_.end() ? nullptr : &found->second;
}

// A question whose draws take long, or never end, keeps nobody waiting.
void LessonDesk::make_question(const std::string& id, Asked& asked) {
  if (asked.question || asked.under_way) return;
  asked.under_way = true;
  order([reading = reading_, part = parts_.at(id), id, seed = asked.seed](const std::stop_token&) -> News {
    Result<lesson::Question> made = lesson::question_of(reading->ask(part), reading->opened.above(part), seed);
    if (!made) {
      Error error = lesson::placed(std::move(made).error(), reading->opened.lesson().text);
      error.span.reset();
      made = std::move(error);
    }
    auto question = std::make_shared<const Result<lesson::Question>>(std::move(made));
    return [reading, question = std::move(question), id, seed](LessonDesk& desk) {
      Asked* const found = desk.find(id);
      if (!found || found->question) return;
      found->under_way = false;
      if (found->seed != seed || desk.reading_ != reading) return;  // it is asked for again
      found->question = question;
      if (!*question) found->passed = true;  // nobody can answer it
      if (*question && found->draft.empty()) found->draft = (*question)->given;
    };
  });
}

const LessonDesk::Asked* LessonDesk::asked(const std::string& id) {
  Asked* const found = find(id);
  if (found) make_question(id, *found);
  return found;
}

void LessonDesk::type(const std::string& id, std::string text) {
  Asked* const asked = find(id);
  if (!asked || text == asked->draft) return;
  asked->grade.reset();
  asked->refused.clear();
  if (text.size() > lesson::kLongestAnswer) {
    asked->refused = fmt::format("An answer has at most {} bytes, and this one had {}: it is cut.", lesson::kLongestAnswer, text.size());
    text = utf8_prefix(text, lesson::kLongestAnswer);
  }
  asked->draft = std::move(text);
  if (asked->outcome == Outcome::right && asked->draft == asked->graded) asked->grade = right_grade();
  kept_.place.drafts[id] = asked->draft;
}

void LessonDesk::answer(const std::string& id) {
  Asked* const asked = find(id);
  if (!asked || !asked->question || !*asked->question || asked->under_way) return;
  const lesson::Question& question = **asked->question;
  const std::string_view text = trimmed(asked->draft);
  if (text.empty() || (!question.given.empty() && text == trimmed(question.given))) {
    asked->grade.reset();
    asked->refused = "There is no answer yet.";
    return;
  }
  asked->under_way = true;
  asked->refused.clear();
  const std::size_t part = parts_.at(id);
  const lesson::Ask& ask = reading_->ask(part);
  const lesson::WorklogEntry entry{reading_->head().number, id, lesson::hash_of(ask), asked->seed, std::string(text)};
  const bool keeps = !name_.empty() && !unkept_;
  order([reading = reading_, part, question = asked->question, entry, folder = folder_, name = name_,
         keeps](const std::stop_token& stop) -> News {
    Result<lesson::Grade> grade = lesson::grade(reading->ask(part), **question, reading->opened.above(part), entry.answer);
    lesson::WorklogEntry made = entry;
    // The program ends: what was refused may be right, and is graded when the log is.
    made.graded = grade && !(stop.stop_requested() && !grade->right);
    made.right = made.graded && grade->right;
    Status kept = keeps ? keep_entry(folder, name, made) : Status(Done{});
    return [made = std::move(made), grade = std::move(grade), kept = std::move(kept)](LessonDesk& desk) {
      desk.take_grade(made, grade, kept);
    };
  });
}

void LessonDesk::take_grade(const lesson::WorklogEntry& entry, Result<lesson::Grade> grade, const Status& kept) {
  kept_.log.push_back(entry);
  if (!kept) unkept_ = kept.error();
  Asked* const asked = find(entry.question);
  if (!asked) return;
  asked->under_way = false;
  if (entry.right) asked->passed = true;
  if (asked->seed != entry.seed) return;
  asked->graded = entry.answer;
  if (!grade) {
    asked->refused = grade.error().message;
    return;
  }
  asked->grade = *std::move(grade);
  if (!entry.right) return;
  asked->outcome = Outcome::right;
  kept_.place.drafts.erase(entry.question);
}

void LessonDesk::show(const std::string& id) {
  Asked* const asked = find(id);
  if (!asked || !asked->question || !*asked->question || asked->under_way || asked->outcome == Outcome::right) return;
  asked->grade.reset();
  asked->refused.clear();
  asked->passed = true;
  if (std::exchange(asked->outcome, Outcome::shown) == Outcome::shown) return;
  lesson::WorklogEntry entry{reading_->head().number, id, lesson::hash_of(reading_->ask(parts_.at(id))), asked->seed, {}};
  entry.given_up = true;
  write(entry);
}

void LessonDesk::another(const std::string& id) {
  Asked* const asked = find(id);
  if (!asked || asked->under_way) return;
  const bool passed = asked->passed;
  const std::uint64_t seed = asked->seed + 1;
  *asked = {};
  asked->seed = seed;
  asked->passed = passed;
  kept_.place.seeds[id] = seed;
  kept_.place.drafts.erase(id);
}

std::string LessonDesk::answer_of(const std::string& id) {
  const Asked* const found = asked(id);
  if (!found || !found->question || !*found->question) return {};
  return lesson::written_answer((*found->question)->expected, (*found->question)->wanted);
}

void LessonDesk::set_seed(std::uint64_t seed) {
  kept_.place.seed = seed;
  kept_.place.seeds.clear();
  kept_.place.drafts.clear();
  asked_.clear();
  if (reading_) take_log();
}

void LessonDesk::begin_again() {
  kept_.place.begun = kept_.log.size();
  kept_.place.screen = 0;
  slid_.clear();
  set_seed(kept_.place.seed + 1);
}

}  // namespace tessera
