// SPDX-License-Identifier: BSD-3-Clause
// tessera lesson export: a lesson as a page that needs nothing but a browser, and its questions for other programs' quizzes
// (lesson_quiz.cpp).
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "app/cli/lesson_file.hpp"
#include "app/cli/lesson_quiz.hpp"
#include "app/cli/terminal.hpp"
#include "core/base/file.hpp"
#include "core/lesson/page/page.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::string file, to = "html", out;
  int seeds = static_cast<int>(lesson::kSeedsOfAPage);
  bool force = false;
};

Exit export_lesson(const Arguments& arguments) {
  if (arguments.to == "prairielearn" || arguments.to == "qti")
    return export_quiz({arguments.file, arguments.to, arguments.out, arguments.seeds, arguments.force});
  if (arguments.to != "html") return misuse(fmt::format("--to {}: a lesson is written as html, prairielearn or qti", arguments.to));
  const Result<lesson::OpenLesson> opened = open_lesson(arguments.file);
  if (!opened) return refuse(opened.error());
  const Result<std::string> page =
      lesson::lesson_page(*opened, {static_cast<std::uint64_t>(arguments.seeds), fs::path(arguments.file).filename().string()});
  if (!page) {
    Error error = page.error();
    error.message = fmt::format("{}: {}", arguments.file, error.message);
    error.span.reset();  // its line and column stand in front
    return refuse(error);
  }
  if (arguments.out.empty()) {
    print_data(*page);
    return Exit::right;
  }
  if (const Status written = export_file(arguments.out, *page, arguments.force); !written) return refuse(written.error());
  print_line(fmt::format("{}  {} bytes", arguments.out, page->size()));
  return Exit::right;
}

}  // namespace

Subcommand lesson_export_subcommand() {
  return {
      "export",
      "Write a lesson as one page, which grades its questions itself and needs no network and no install, or for another program",
      "  tessera lesson export 06_tv --to html --out lesson.html\n  tessera lesson export 06_tv --to prairielearn --out questions/06_tv\n"
      "  tessera lesson export 06_tv --to qti --out 06_tv.zip",
      [](Options& options) {
        auto a = std::make_shared<Arguments>();
        options.positional("file", a->file, "a lesson: a file, or the name of one that comes with the program");
        options.option("--to", a->to, "the format: html, prairielearn (a folder of questions) or qti (for Canvas and Moodle)");
        options.option("--out", a->out, "a file, a folder for prairielearn; a page goes to stdout by default");
        options.option("--seeds", a->seeds, "how often each question is in the page, drawn anew",
                       Between{1, static_cast<int>(lesson::kMostSeedsOfAPage)});
        options.flag("--force", a->force, "replace files that exist");
        return [a] { return export_lesson(*a); };
      },
      {}};
}

}  // namespace tessera
