// SPDX-License-Identifier: BSD-3-Clause
// LessonDesk: a lesson and the person who goes through it: which screen is shown, what each question was answered, what that has opened,
// and what is kept of it. It draws nothing.
//
//   LessonDesk desk(source, lessons_folder());
//   desk.wait();                  // it is read beside the caller, as everything is that evaluates, and taken by `collect`
//   desk.type("whose", "T4 V3");
//   desk.answer("whose");         // graded beside the caller, and written into the log before anybody hears of the grade
//
// One thread uses a desk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/lesson/lesson_log.hpp"
#include "app/session/lesson/lesson_reading.hpp"
#include "app/session/source/source_text.hpp"
#include "core/base/jobs.hpp"
#include "core/base/result.hpp"
#include "core/lesson/question.hpp"

namespace tessera {

// What a lesson shows to a class with one press of a key: so many pieces of a screen, and the answers of the first of them.
struct LessonSlide {
  std::size_t screen = 0;
  std::size_t pieces = 0;    // that are shown
  std::size_t answered = 0;  // of them, those that show their answer where they have one
};
// Each question alone at first, then its answer with what follows up to the next question. At least one.
std::vector<LessonSlide> slides_of(const LessonReading& reading);

class LessonDesk {
 public:
  enum class Outcome : std::uint8_t { open, right, shown };
  struct Asked {
    std::uint64_t seed = 0;
    std::shared_ptr<const Result<lesson::Question>> question{};  // null: it is being made
    std::string draft{};                                         // what stands in its field
    bool passed = false;                                         // with whichever seed: what follows is open
    Outcome outcome = Outcome::open;                             // with this seed
    std::optional<lesson::Grade> grade{};                        // of the last answer
    std::string graded{};                                        // and that answer
    std::string refused{};                                       // why there is no grade
    bool under_way = false;                                      // it is being graded
  };
  // A slider, and for which of its values a person says that the condition holds.
  struct Slid {
    std::size_t at = 0;
    std::vector<bool> ticked{};
    Outcome outcome = Outcome::open;
    std::string said{};
  };

  // `folder`: where logs are kept, lessons_folder(); empty: nothing is kept, and seeds begin at 0.
  LessonDesk(SourceText source, std::filesystem::path folder);
  ~LessonDesk();  // what was answered and typed is on the disk then
  LessonDesk(const LessonDesk&) = delete;
  LessonDesk& operator=(const LessonDesk&) = delete;

  const SourceText& source() const { return source_; }
  const LessonReading* reading() const { return reading_.get(); }   // the last that could be read; null: there was none yet
  const std::optional<Error>& refused() const { return refused_; }  // why the text of now is no lesson
  const std::optional<Error>& unkept() const { return unkept_; }    // why answers are kept no longer than this program runs
  const std::vector<lesson::WorklogEntry>& log() const { return kept_.log; }
  const LessonPlace& place() const { return kept_.place; }

  // Looks at the file again; true where there is something new.
  bool look_again();
  // Takes what has been made beside; true where there is something new. `seconds`: how long it may wait for it.
  bool collect(double seconds = 0);
  void wait();  // until nothing is waited for
  bool waiting() const { return under_way_ > 0; }

  // ---- screens
  std::size_t screen() const { return kept_.place.screen; }
  std::size_t last_open() const;               // the last screen to which one can go
  bool shows(const LessonPiece& piece) const;  // its gates are open
  bool go(std::size_t screen);                 // false where what is there waits for an answer, or is not there
  std::string_view waits_for() const;          // the question on this screen that has to be answered first; empty: none
  std::string summary() const;                 // "4 of 11 right, 1 shown"

  // ---- questions. Ids that are none are passed over.
  const Asked* asked(const std::string& id);  // null: no such question
  std::string first_open() const;             // the first question of this screen that is shown and not answered; empty where all are
  void type(const std::string& id, std::string text);
  void answer(const std::string& id);
  void show(const std::string& id);  // written down as given up
  void another(const std::string& id);
  // Empty while there is no question.
  std::string answer_of(const std::string& id);  // a right one, as it is written
  void set_seed(std::uint64_t seed);
  void begin_again();  // the log stays

  // ---- sliders, by the number of their part
  const Slid& slid(std::size_t part);
  void slide(std::size_t part, std::size_t value);
  void tick(std::size_t part, std::size_t value, bool holds);
  void answer_slid(std::size_t part, bool shown);

  // ---- slides
  void present(bool on);
  bool presents() const { return presents_; }
  LessonSlide slide_now() const;
  std::size_t slide_number() const { return slide_; }
  std::size_t slide_count() const { return slides_.size(); }
  bool step(bool forward);  // false at an end

 private:
  using News = std::function<void(LessonDesk&)>;
  void order(std::function<News(const std::stop_token&)> work);
  void read();
  void take(std::shared_ptr<const LessonReading> reading, std::optional<LessonKept> kept, const std::string& name);
  void take_log();
  void take_grade(const lesson::WorklogEntry& entry, Result<lesson::Grade> grade, const Status& kept);
  void make_question(const std::string& id, Asked& asked);
  Asked* find(const std::string& id);
  bool is_closed(const LessonScreen& screen) const;
  std::size_t open_gates() const;
  const LessonSlider* slider(std::size_t part) const;
  std::vector<bool> ticked_before(const LessonSlider& of) const;
  void keep();
  void write(const lesson::WorklogEntry& entry);

  SourceText source_;
  std::filesystem::path folder_;
  std::string name_;  // of the files that are kept; empty: none are
  std::shared_ptr<const LessonReading> reading_;
  std::optional<Error> refused_, unkept_;
  LessonKept kept_;
  std::map<std::string, Asked> asked_;
  std::map<std::string, std::size_t> parts_;  // of the questions
  std::map<std::size_t, Slid> slid_;
  std::vector<LessonSlide> slides_;
  std::size_t slide_ = 0;
  bool presents_ = false;
  LessonPlace written_;  // that the file has
  bool place_under_way_ = false;
  std::size_t under_way_ = 0;  // orders whose news have not come
  Jobs<News> jobs_;            // last: it ends before the rest does
};

}  // namespace tessera
