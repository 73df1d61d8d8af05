// SPDX-License-Identifier: BSD-3-Clause
// tessera lesson export: a lesson as a page that needs nothing but a browser, and its questions for other programs' quizzes
// (lesson_quiz.cpp).
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/cli/lesson_file.hpp"
#include "app/cli/lesson_paper.hpp"
#include "app/cli/lesson_quiz.hpp"
#include "app/cli/terminal.hpp"
#include "app/session/gemm/jobs.hpp"
#include "core/base/budget.hpp"
#include "core/base/file.hpp"
#include "core/base/number_text.hpp"
#include "core/gemm/lower/lower.hpp"
#include "core/lesson/page/page.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::string file, to = "html", out;
  int seeds = static_cast<int>(lesson::kSeedsOfAPage);
  std::string seed;
  PaperArguments paper;
  bool force = false;
};

// What was recorded of this plan and no other.
std::vector<std::string> recorded_lines(const GemmSpec& spec) {
  const Budget budget;
  const Result<GemmPlan> plan = lower(spec);
  std::vector<std::string> lines;
  if (!plan) return lines;
  for (const GemmReport& report : recordings(*plan).own) {
    if (!report.microseconds) continue;
    lines.push_back(report.headline);
    lines.push_back("  time      " + speed_text(*report.microseconds, report.spread_percent, report.tflops));
    if (report.baseline_microseconds)
      lines.push_back("  cuBLASLt  " + speed_text(*report.baseline_microseconds, report.baseline_spread_percent, report.baseline_tflops));
  }
  return lines;
}

Exit export_lesson(const Arguments& arguments) {
  if (arguments.to == "prairielearn" || arguments.to == "qti")
    return export_quiz({arguments.file, arguments.to, arguments.out, arguments.seeds, arguments.force});
  const bool on_paper = arguments.to == "slides" || arguments.to == "handout";
  if (arguments.to != "html" && !on_paper)
    return misuse(fmt::format("--to {}: a lesson is written as html, slides, handout, prairielearn or qti", arguments.to));
  const auto seed = number_in<std::uint64_t>(arguments.seed.empty() ? "0" : arguments.seed);
  if (!seed) return misuse(fmt::format("--seed {}: a seed is a number, 0 or more", arguments.seed));
  const Result<lesson::OpenLesson> opened = open_lesson(arguments.file);
  if (!opened) return refuse(opened.error());
  const PaperPlace place{arguments.file, arguments.out, *seed, arguments.force};
  if (arguments.to == "slides") return export_slides(*opened, arguments.paper, place);
  if (arguments.to == "handout") return export_handout(*opened, arguments.paper, place);
  const Result<std::string> page =
      lesson::lesson_page(*opened, {static_cast<std::uint64_t>(arguments.seeds), fs::path(arguments.file).filename().string(),
                                    arguments.seed.empty() ? std::nullopt : std::optional(*seed), recorded_lines});
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
  return {"export",
          "Write a lesson as one page, which grades its questions itself and needs no network and no install, as slides, on paper or for "
          "another program",
          "  tessera lesson export 06_tv --to html --out lesson.html\n  tessera lesson export 06_tv --to slides --out 06_tv.pdf\n"
          "  tessera lesson export 06_tv --to prairielearn --out questions/06_tv\n  tessera lesson export 06_tv --to qti --out 06_tv.zip",
          [](Options& options) {
            auto a = std::make_shared<Arguments>();
            options.positional("file", a->file, "a lesson: a file, or the name of one that comes with the program");
            options.option("--to", a->to,
                           "the format: html, slides, handout, prairielearn (a folder of questions) or qti (for Canvas and Moodle)");
            options.option("--out", a->out,
                           "a file, of a handout also a folder, of prairielearn a folder; a page goes to stdout by default");
            options.option("--seed", a->seed, "which draws of its questions; where nothing is said 0, and on a page each reader's own");
            declare_paper(options, a->paper);
            options.option("--seeds", a->seeds, "how often each question is in the page, drawn anew",
                           Between{1, static_cast<int>(lesson::kMostSeedsOfAPage)});
            options.flag("--force", a->force, "replace files that exist");
            return [a] { return export_lesson(*a); };
          },
          {}};
}

}  // namespace tessera
