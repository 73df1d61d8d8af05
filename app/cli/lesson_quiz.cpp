// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/lesson_quiz.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include <fmt/format.h>

#include "app/cli/lesson_file.hpp"
#include "app/cli/terminal.hpp"
#include "core/base/file.hpp"
#include "core/lesson/quiz/quiz.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

// "06_tv" of 06_tv and of lessons/06_tv.lesson.md
std::string name_of_lesson(const std::string& file) {
  const std::string name = fs::path(file).filename().string();
  return name.substr(0, name.find('.'));
}

Status write_files(const lesson::Quiz& quiz, const QuizArguments& arguments) {
  for (const lesson::QuizFile& each : quiz.files)
    TESSERA_CHECK(export_file(fs::path(arguments.out) / each.path, each.bytes, arguments.force));
  return Done{};
}

}  // namespace

Exit export_quiz(const QuizArguments& arguments) {
  const bool is_zip = arguments.to == "qti" && fs::path(arguments.out).extension() == ".zip";
  if (arguments.out.empty())
    return misuse(fmt::format("--to {} wants --out {}", arguments.to, arguments.to == "qti" ? "FILE.zip, or a folder" : "FOLDER"));
  const Result<lesson::OpenLesson> opened = open_lesson(arguments.file);
  if (!opened) return refuse(opened.error());
  const auto seeds = static_cast<std::uint64_t>(arguments.seeds);
  const Result<lesson::Quiz> quiz =
      arguments.to == "qti" ? lesson::qti_quiz(*opened, name_of_lesson(arguments.file), seeds) : lesson::prairielearn_quiz(*opened, seeds);
  if (!quiz) {
    Error error = quiz.error();
    error.message = fmt::format("{}: {}", arguments.file, error.message);
    error.span.reset();  // its line and column stand in front
    return refuse(error);
  }
  for (const std::string& each : quiz->notes) note(each);
  if (quiz->questions == 0) return refuse(Error{ErrorCode::not_representable, "no question of this lesson can be asked there", {}, {}});
  const Status written = is_zip ? export_file(arguments.out, lesson::zip_of(quiz->files), arguments.force) : write_files(*quiz, arguments);
  if (!written) return refuse(written.error());
  print_line(fmt::format("{}  {}, {}", arguments.out, counted(quiz->questions, "question", "questions"),
                         counted(quiz->variants, "variant", "variants")));
  return Exit::right;
}

}  // namespace tessera
