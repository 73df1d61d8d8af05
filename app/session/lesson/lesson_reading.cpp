// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/lesson/lesson_reading.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "app/session/files/lesson_files.hpp"
#include "app/session/gemm/run_history.hpp"
#include "core/base/budget.hpp"
#include "core/base/characters.hpp"
#include "core/base/file.hpp"
#include "core/base/overloaded.hpp"
#include "core/figure/figure.hpp"
#include "core/gemm/gemm_spec.hpp"
#include "core/lesson/draws.hpp"
#include "core/lesson/names.hpp"
#include "core/lesson/read.hpp"
#include "core/lesson/screens.hpp"
#include "core/lesson/vary.hpp"
#include "core/lesson/worklog.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using lesson::Written;

Result<LessonPicture> picture_of(const Written& piece, const Scope& scope) {
  TESSERA_TRY(value, lesson::value_of(piece, scope));
  if (const Result<std::string> kind = figure_kind_of(value); !kind) return lesson::moved(kind.error(), piece);
  return LessonPicture{std::string(trimmed(piece.text)), to_string(value), std::move(value)};
}

Result<LessonSlider> slider_of(const lesson::Vary& vary, std::int64_t number, const Scope& above) {
  TESSERA_TRY(values, lesson::values_of(vary, above));
  LessonSlider made{number, lesson::hash_of(vary), values.name, {}, values.first, values.holds, {}, {}};
  for (const Value& each : values.values) {
    const lesson::Names names{{values.name, each}};
    const Scope scope = lesson::with_names(names, above);
    TESSERA_TRY(picture, picture_of(vary.show, scope));
    made.pictures.push_back(std::move(picture));
    made.values.push_back(to_string(each));
    if (vary.prompt.empty()) continue;
    TESSERA_TRY(prompt, lesson::filled_line(vary.prompt, scope));
    made.prompts.push_back(std::move(prompt));
  }
  return made;
}

std::int64_t varies_up_to(const lesson::Lesson& of, std::size_t part) {
  const auto first = of.parts.begin();
  return std::count_if(first, first + static_cast<std::ptrdiff_t>(part) + 1,
                       [](const lesson::Part& each) { return std::holds_alternative<lesson::Vary>(each); });
}

Result<LessonQuestion> question_in(const lesson::Ask& ask) {
  TESSERA_TRY(draws, lesson::draw_count(ask));
  return LessonQuestion{ask.id, lesson::hash_of(ask), ask.gates, draws > 0};
}

Result<LessonGemm> gemm_of(const Written& piece, const Scope& above) {
  TESSERA_TRY(value, lesson::value_of(piece, above));
  const auto* spec = std::get_if<std::shared_ptr<const GemmSpec>>(&value.any);
  const bool is_gemm = spec && *spec;
  return LessonGemm{std::string(trimmed(piece.text)), is_gemm ? spec_text(**spec, {}) : std::string()};
}

using Content = decltype(LessonPiece::content);

Result<Content> content_of(const lesson::OpenLesson& opened, const lesson::ScreenPiece& piece) {
  const Scope above = opened.above(piece.part);
  const Budget budget;  // of this piece alone
  const auto as_content = [](auto made) -> Result<Content> {
    if (!made) return std::move(made).error();
    return Content(*std::move(made));
  };
  return std::visit(
      Overloaded{[&](const lesson::Prose&) { return as_content(words_of(piece.words, above)); },
                 [&](const lesson::Bind& bind) -> Result<Content> {
                   std::string_view text = bind.tess.text;
                   while (text.ends_with('\n')) text.remove_suffix(1);
                   return Content(LessonLines{std::string(text)});
                 },
                 [&](const lesson::Figure& figure) { return as_content(picture_of(figure.expression, above)); },
                 [&](const lesson::Vary& vary) { return as_content(slider_of(vary, varies_up_to(opened.lesson(), piece.part), above)); },
                 [&](const lesson::Ask& ask) { return as_content(question_in(ask)); },
                 [&](const lesson::Run& run) { return as_content(gemm_of(run.gemm, above)); }},
      opened.lesson().parts[piece.part]);
}

std::string title_of(const LessonScreen& screen) {
  for (const LessonPiece& piece : screen.pieces) {
    const auto* blocks = std::get_if<std::vector<WordBlock>>(&piece.content);
    if (!blocks) continue;
    for (const WordBlock& each : *blocks) {
      if (each.kind == WordBlock::Kind::heading) return plain_text(each.words);
    }
  }
  return {};
}

Error in_lesson(Error error, std::string_view text) {
  error = lesson::placed(std::move(error), text);
  error.span.reset();  // its line and column stand in front
  return error;
}

}  // namespace

Result<std::shared_ptr<const LessonReading>> read_lesson_screens(std::string_view text) {
  Result<lesson::OpenLesson> opened = lesson::OpenLesson::open(text);
  if (!opened) return std::move(opened).error();
  auto made = std::make_shared<LessonReading>(LessonReading{*std::move(opened), {}, {}, 0});
  for (const lesson::Screen& screen : lesson::screens_of(made->opened.lesson())) {
    LessonScreen shown;
    for (const lesson::ScreenPiece& piece : screen.pieces) {
      Result<Content> content = content_of(made->opened, piece);
      if (!content) return in_lesson(std::move(content).error(), made->opened.lesson().text);
      if (const auto* question = std::get_if<LessonQuestion>(&*content)) {
        ++made->questions;
        if (question->gates) made->gates.push_back(question->id);
      }
      shown.pieces.push_back({piece.part, piece.gates, *std::move(content)});
    }
    shown.title = title_of(shown);
    made->screens.push_back(std::move(shown));
  }
  if (made->screens.empty()) made->screens.emplace_back();
  return std::shared_ptr<const LessonReading>(std::move(made));
}

std::vector<LessonName> own_lessons() {
  std::vector<LessonName> made;
  const Result<std::vector<std::string>> names = lesson_names();
  if (!names) return made;
  for (const std::string& name : *names) {
    const Result<fs::path> path = own_lesson(name);
    const Result<std::string> text = path ? read_file(*path, lesson::kLargestLesson) : Result<std::string>(path.error());
    const Result<lesson::Lesson> read = text ? lesson::read_lesson(*text) : Result<lesson::Lesson>(text.error());
    made.push_back({name, read ? read->head.title : std::string()});
  }
  return made;
}

Result<std::string> lesson_file(const std::string& name) {
  std::error_code ignored;
  if (is_lesson_path(name) || name.find('/') != std::string::npos || fs::exists(name, ignored)) return name;
  TESSERA_TRY(own, own_lesson(name));
  return own.string();
}

}  // namespace tessera
