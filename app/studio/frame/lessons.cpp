// SPDX-License-Identifier: BSD-3-Clause
#include "app/studio/frame/lessons.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "app/session/actions/action_parts.hpp"
#include "app/session/lesson/lesson_desk.hpp"
#include "app/session/source/source_text.hpp"
#include "app/studio/frame/documents.hpp"
#include "core/base/file.hpp"

namespace tessera::studio {
namespace {

Error no_lesson() { return {ErrorCode::unknown_name, "no lesson is open", {}, {"Open a lesson..., or Ctrl+K and lesson"}}; }

// Of the finder only what is said of lessons.
void ask_for_lesson(App& app) {
  perform(app, Do{"help.actions"});
  app.bench.finder.typed = "lesson ";
  app.bench.finder.searched.reset();
}

// The question that is named, else the first open one. Where no question is open, the person is told.
std::optional<std::string> question_of(App& app, const Arguments& arguments) {
  LessonDesk& desk = *app.bench.lesson.desk;
  const std::string named = action::text(arguments, "question");
  const std::string id = named.empty() ? desk.first_open() : named;
  if (!id.empty() && desk.asked(id)) return id;
  complain(app, {ErrorCode::unknown_name,
                 named.empty() ? "no question of this screen is open" : fmt::format("the lesson has no question {}", named),
                 {},
                 {}});
  return std::nullopt;
}

void go(App& app, std::size_t screen) {
  LessonState& state = app.bench.lesson;
  if (state.desk->go(screen)) return;
  if (screen >= (state.desk->reading() ? state.desk->reading()->screens.size() : 0)) return;
  state.told_to_wait = state.type_on = true;
  say_briefly(app, "What follows comes after the answer.");
}

void turn(App& app, bool forward) {
  LessonDesk& desk = *app.bench.lesson.desk;
  if (desk.presents()) {
    (void)desk.step(forward);
  } else if (forward || desk.screen() > 0) {
    go(app, forward ? desk.screen() + 1 : desk.screen() - 1);
  }
}

// What a field that has the keyboard holds would come back over it.
void type(LessonDesk& desk, const std::string& id, std::string text) {
  ImGui::SetWindowFocus(nullptr);
  desk.type(id, std::move(text));
}

void grade(App& app, const Arguments& arguments) {
  const std::optional<std::string> id = question_of(app, arguments);
  if (!id) return;
  LessonDesk& desk = *app.bench.lesson.desk;
  if (arguments.contains("text")) type(desk, *id, action::text(arguments, "text"));
  desk.answer(*id);
}

// Of the screen that is shown: the number of its first slider, and the value of that name.
const LessonPiece* slider_here(App& app) {
  const LessonDesk& desk = *app.bench.lesson.desk;
  if (!desk.reading()) return nullptr;
  for (const LessonPiece& piece : desk.reading()->screens[desk.screen()].pieces) {
    if (desk.shows(piece) && std::holds_alternative<LessonSlider>(piece.content)) return &piece;
  }
  complain(app, {ErrorCode::unknown_name, "this screen has no slider", {}, {}});
  return nullptr;
}

void use_slider(App& app, Effect effect, const Arguments& arguments) {
  const LessonPiece* const piece = slider_here(app);
  if (!piece) return;
  LessonDesk& desk = *app.bench.lesson.desk;
  if (effect == Effect::grade_slider) return desk.answer_slid(piece->part, action::text(arguments, "how") == "shown");
  const std::vector<std::string>& values = std::get<LessonSlider>(piece->content).values;
  const std::string value = action::text(arguments, "value");
  const auto found = std::find(values.begin(), values.end(), value);
  if (found == values.end())
    return complain(app, {ErrorCode::out_of_range, fmt::format("{} is none of the slider's values", value), {}, {}});
  const auto at = static_cast<std::size_t>(found - values.begin());
  if (effect == Effect::move_slider) return desk.slide(piece->part, at);
  const LessonDesk::Slid& slid = desk.slid(piece->part);
  desk.tick(piece->part, at, at < slid.ticked.size() && !slid.ticked[at]);
}

// As a line of the document, on the lecture's page.
void run_gemm_of(App& app) {
  const LessonDesk& desk = *app.bench.lesson.desk;
  const LessonGemm* gemm = nullptr;
  if (desk.reading()) {
    for (const LessonPiece& piece : desk.reading()->screens[desk.screen()].pieces) {
      const auto* found = std::get_if<LessonGemm>(&piece.content);
      if (!gemm && found && !found->expression.empty() && desk.shows(piece)) gemm = found;
    }
  }
  if (!gemm) return complain(app, {ErrorCode::unknown_name, "this screen has no GEMM to run", {}, {}});
  perform(app, Do{"binding.let", {{"line", fmt::format("lesson_gemm = {}", gemm->expression)}}});
  app.session.settle();
  if (!app.session.find("lesson_gemm")) return;
  perform(app, Do{"figure.show", {{"binding", "lesson_gemm"}}});
  close_pages(app.bench);
  perform(app, Do{"gemm.page", {{"tab", "result"}}});
  say(app, "F9 leads back to the lesson");
}

void save_worklog(App& app, const Arguments& arguments) {
  const std::string path = action::text(arguments, "path");
  const LessonDesk& desk = *app.bench.lesson.desk;
  if (const Status written = export_file(path, to_lines(desk.log()), action::text(arguments, "replace") == "yes"); !written)
    return complain(app, written.error());
  say(app,
      fmt::format("{} of the lesson are in {}", desk.log().size() == 1 ? "1 answer" : fmt::format("{} answers", desk.log().size()), path));
}

void seed(App& app, const Arguments& arguments) {
  const Result<std::int64_t> seed = action::integer(arguments, "seed", 0);
  if (!seed || *seed < 0)
    return complain(app,
                    seed ? Error{ErrorCode::out_of_range, fmt::format("a seed is 0 or more, and {} is not", *seed), {}, {}} : seed.error());
  app.bench.lesson.desk->set_seed(static_cast<std::uint64_t>(*seed));
  say(app, fmt::format("the questions are those of seed {}", *seed));
}

}  // namespace

Status show_lesson(App& app, const std::string& name) {
  TESSERA_TRY(path, lesson_file(name));
  TESSERA_TRY(source, open_source_text(path));
  (void)tessera::perform(app.session, "present.stop");
  close_pages(app.bench);
  const bool own = name != path;
  app.bench.lesson = {};  // what it keeps is on the disk before it is read again
  open_lesson(app.bench.lesson,
              std::make_unique<LessonDesk>(std::move(source), app.keeps_settings ? lessons_folder() : std::filesystem::path()));
  if (!own) remember(app, path);
  return Done{};
}

bool do_lesson_effect(App& app, Effect effect, const Arguments& arguments) {
  LessonState& state = app.bench.lesson;
  if (effect == Effect::open_lesson) {
    const std::string path = action::text(arguments, "path");
    if (path.empty()) return ask_for_lesson(app), true;
    if (const Status shown = show_lesson(app, path); !shown)
      complain(app, shown.error());
    else
      say(app, "opened " + path);
    return true;
  }
  const bool is_of_lesson = effect > Effect::open_lesson && effect <= Effect::begin_lesson_again;
  if (!is_of_lesson) return false;
  if (!state.desk || (!state.open && effect != Effect::show_lesson_again)) return complain(app, no_lesson()), true;
  switch (effect) {
    case Effect::show_lesson_again:
      close_pages(app.bench);
      state.open = true;
      break;
    case Effect::close_lesson:
      state.desk->present(false);
      state.open = false;
      break;
    case Effect::present_lesson: state.desk->present(!state.desk->presents()); break;
    case Effect::next_screen: turn(app, true); break;
    case Effect::previous_screen: turn(app, false); break;
    case Effect::go_to_screen: {
      const Result<std::int64_t> screen = action::integer(arguments, "screen", 1);
      if (!screen || *screen < 1)
        complain(app, screen ? Error{ErrorCode::out_of_range, "screens are counted from 1", {}, {}} : screen.error());
      else
        go(app, static_cast<std::size_t>(*screen - 1));
      break;
    }
    case Effect::type_answer:
      if (const auto id = question_of(app, arguments)) type(*state.desk, *id, action::text(arguments, "text"));
      break;
    case Effect::grade_answer: grade(app, arguments); break;
    case Effect::show_answer:
      if (const auto id = question_of(app, arguments)) state.desk->show(*id);
      break;
    case Effect::ask_another:
      if (const auto id = question_of(app, arguments)) state.desk->another(*id);
      break;
    case Effect::move_slider:
    case Effect::tick_slider:
    case Effect::grade_slider: use_slider(app, effect, arguments); break;
    case Effect::run_of_lesson: run_gemm_of(app); break;
    case Effect::save_worklog: save_worklog(app, arguments); break;
    case Effect::seed_lesson: seed(app, arguments); break;
    case Effect::begin_lesson_again:
      state.desk->begin_again();
      state.to_top = state.type_on = true;
      break;
    default: break;
  }
  return true;
}

bool presents_lesson(App& app, std::string_view id) {
  LessonState& state = app.bench.lesson;
  if (!state.open || !state.desk) return false;
  const bool presents = state.desk->presents();
  const bool starts = id == "present.start" || id == "present.notes";
  if (starts || (id == "present.stop" && presents)) {
    state.desk->present(starts);
    if (id == "present.notes") say_briefly(app, "a lesson has no notes");
    return true;
  }
  if (!presents || (id != "present.next" && id != "present.previous")) return false;
  return state.desk->step(id == "present.next"), true;
}

}  // namespace tessera::studio
