// SPDX-License-Identifier: BSD-3-Clause
// tessera lesson: a lesson is checked, its questions are asked and answers to them graded. lesson_run.cpp goes through one in the terminal.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "app/cli/answer_json.hpp"
#include "app/cli/command.hpp"
#include "app/cli/lesson_file.hpp"
#include "app/cli/subcommands.hpp"
#include "app/cli/terminal.hpp"
#include "app/session/files/lesson_files.hpp"
#include "core/base/file.hpp"
#include "core/base/number_text.hpp"
#include "core/base/utf8.hpp"
#include "core/lesson/check.hpp"
#include "core/lesson/read.hpp"
#include "core/lesson/worklog.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr int kMostSeeds = 1'000'000;
constexpr std::size_t kLargestWorklog = std::size_t{64} << 20;  // bytes
constexpr std::size_t kWidestAnswer = 40;                       // columns
constexpr std::size_t kMostRemarks = 8;                         // of a lesson that are told

struct Arguments {
  std::vector<std::string> files;
  std::string file, id, answer, log;
  int seeds = 100;
  std::string seed = "0";
  bool json = false;
};

Exit refused(const Arguments& arguments, const Error& error) {
  if (!arguments.json) return refuse(error);
  std::string out = "{\"ok\":false,";
  append_error(out, error);
  print_data(out + "}\n");
  return exit_of(error);
}

Result<std::uint64_t> seed_of(const Arguments& arguments) {
  if (const auto seed = number_in<std::uint64_t>(arguments.seed)) return *seed;
  return Error{ErrorCode::parse, fmt::format("--seed {}: a seed is a number, 0 or more", arguments.seed), {}, {}};
}

Exit list_lessons(const Arguments& arguments) {
  const Result<std::vector<std::string>> names = lesson_names();
  if (!names) return refused(arguments, names.error());
  std::vector<std::vector<std::string>> rows{{"lesson", "minutes", "questions", "title"}};
  Json::List all;
  for (const std::string& name : *names) {
    const Result<lesson::OpenLesson> opened = open_lesson(name);
    if (!opened) return refused(arguments, opened.error());
    const lesson::Head& head = opened->lesson().head;
    const std::size_t questions = opened->ids().size();
    rows.push_back({name, std::to_string(head.minutes), std::to_string(questions), head.title});
    all.push_back(Json::object({{"name", name},
                                {"number", head.number},
                                {"title", head.title},
                                {"goal", head.goal},
                                {"minutes", head.minutes},
                                {"needs", head.needs},
                                {"confusions", head.confusions},
                                {"questions", opened->ids()}}));
  }
  if (arguments.json)
    print_data(Json(std::move(all)).dump(2) + "\n");
  else
    print(table(rows));
  return Exit::right;
}

Json::List texts_json(const std::vector<Error>& errors) {
  Json::List made;
  for (const Error& each : errors) made.push_back(each.message);
  return made;
}

Json lesson_json(const std::string& file, const lesson::Head& head, const lesson::CheckedLesson& checked) {
  Json::List asks;
  for (const lesson::CheckedAsk& each : checked.asks) {
    asks.push_back(Json::object({{"id", each.id},
                                 {"kind", each.kind},
                                 {"seeds", each.seeds},
                                 {"different", each.different},
                                 {"right", each.right},
                                 {"hints", each.hints},
                                 {"wrong_answers", each.wanted_hints},
                                 {"drawn_again", each.drawn_again},
                                 {"problems", each.problems}}));
  }
  return Json::object({{"file", file},
                       {"number", head.number},
                       {"title", head.title},
                       {"numbers", checked.numbers},
                       {"figures", checked.figures},
                       {"questions", std::move(asks)},
                       {"problem_count", checked.problem_count},
                       {"problems", texts_json(checked.problems)},
                       {"remarks", texts_json(checked.remarks)}});
}

std::string checked_text(const std::string& file, const lesson::CheckedLesson& checked) {
  std::string text = fmt::format("{}: {}, {}, {}, {}\n", file, counted(checked.numbers, "number", "numbers"),
                                 counted(checked.figures, "figure", "figures"), counted(checked.asks.size(), "question", "questions"),
                                 counted(checked.problem_count, "problem", "problems"));
  std::vector<std::vector<std::string>> rows{{"question", "kind", "seeds", "different", "right", "hints met", "drawn again"}};
  for (const lesson::CheckedAsk& each : checked.asks) {
    rows.push_back({each.id, each.kind, std::to_string(each.seeds), std::to_string(each.different), std::to_string(each.right),
                    fmt::format("{} of {}", each.hints, each.wanted_hints), std::to_string(each.drawn_again)});
  }
  if (rows.size() > 1) text += table(rows);
  return text;
}

void tell(const std::string& file, const lesson::CheckedLesson& checked) {
  for (const Error& each : checked.problems) {
    Error told = each;
    told.span.reset();  // its line and column stand in front
    note(fmt::format("{}: {}", file, describe(told)));
  }
  if (checked.problem_count > checked.problems.size())
    note(fmt::format("{}: {} more problems of the same questions", file, checked.problem_count - checked.problems.size()));
  for (std::size_t i = 0; i < std::min(checked.remarks.size(), kMostRemarks); ++i)
    note(fmt::format("{}: remark: {}", file, checked.remarks[i].message));
  if (checked.remarks.size() > kMostRemarks) note(fmt::format("{}: {} more remarks", file, checked.remarks.size() - kMostRemarks));
}

Exit check_lessons(const Arguments& arguments) {
  if (arguments.files.empty()) return misuse("lesson check wants the file of a lesson, or several");
  Exit worst = Exit::right;
  Json::List all;
  for (const std::string& file : arguments.files) {
    const Result<lesson::OpenLesson> opened = open_lesson(file);
    if (!opened) {
      if (!arguments.json) refuse(opened.error());
      all.push_back(Json::object({{"file", file}, {"problem_count", 1}, {"problems", Json::List{opened.error().message}}}));
      worst = Exit::refused;
      continue;
    }
    const lesson::CheckedLesson checked =
        lesson::check(*opened, static_cast<std::uint64_t>(arguments.seeds), [&](const lesson::CheckedAsk& ask) {
          if (ask.seeds % 64 == 0) show_progress(fmt::format("{}: {}, seed {}", file, ask.id, ask.seeds));
          return true;
        });
    end_progress();
    if (checked.problem_count > 0) worst = Exit::refused;
    if (arguments.json) {
      all.push_back(lesson_json(file, opened->lesson().head, checked));
    } else {
      print(checked_text(file, checked));
      tell(file, checked);
    }
  }
  if (arguments.json) print_data(Json::object({{"seeds", arguments.seeds}, {"lessons", std::move(all)}}).dump(2) + "\n");
  return worst;
}

Exit ask_question(const Arguments& arguments) {
  const Result<std::uint64_t> seed = seed_of(arguments);
  if (!seed) return misuse(seed.error().message);
  const Result<AskedQuestion> question = asked(arguments.file, arguments.id, *seed);
  if (!question) return refused(arguments, question.error());
  if (!arguments.json) {
    print(question_text(question->question));
    return Exit::right;
  }
  Json::List options(question->question.options.begin(), question->question.options.end());
  print_data(Json::object({{"ok", true},
                           {"id", arguments.id},
                           {"seed", *seed},
                           {"kind", question->ask().kind.text},
                           {"prompt", question->question.prompt},
                           {"options", std::move(options)},
                           {"given", question->question.given}})
                 .dump() +
             "\n");
  return Exit::right;
}

Exit grade_answer(Arguments arguments) {
  const Result<std::uint64_t> seed = seed_of(arguments);
  if (!seed) return misuse(seed.error().message);
  if (arguments.answer == "-") {
    Result<std::string> text = read_stdin(lesson::kLongestAnswer + 1);
    if (!text) return refused(arguments, text.error());
    arguments.answer = *std::move(text);
  }
  const Result<AskedQuestion> question = asked(arguments.file, arguments.id, *seed);
  if (!question) return refused(arguments, question.error());
  const Result<lesson::Grade> grade = lesson::grade(question->ask(), question->question, question->above(), arguments.answer);
  if (!grade) return refused(arguments, lesson::placed(grade.error(), question->lesson.lesson().text));
  if (arguments.json)
    print_data(grade_json(*grade).dump() + "\n");
  else
    print_line(grade_text(*grade));
  return grade->right ? Exit::right : Exit::refused;
}

// Every line of a worklog, graded again.
Exit regrade(const Arguments& arguments) {
  const Result<lesson::OpenLesson> opened = open_lesson(arguments.file);
  if (!opened) return refused(arguments, opened.error());
  const Result<std::string> text = read_file(arguments.log, kLargestWorklog);
  if (!text) return refused(arguments, text.error());
  std::vector<std::vector<std::string>> rows{{"line", "question", "seed", "answer", "grade", "remark"}};
  Json::List all;
  std::size_t number = 0, right = 0;
  lesson::Regrading regrading(*opened);
  for (std::size_t begin = 0; begin < text->size();) {
    const std::size_t end = std::min(text->find('\n', begin), text->size());
    const std::string_view line = std::string_view(*text).substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (line.empty()) continue;
    const auto wrong = [&](Error error) {
      error.message = fmt::format("{}:{}: {}", arguments.log, number, error.message);
      return refused(arguments, error);
    };
    const Result<lesson::WorklogEntry> entry = lesson::entry_of(line);
    if (!entry) return wrong(entry.error());
    const Result<lesson::Regraded> graded = regrading.graded(*entry);
    if (!graded) return wrong(graded.error());
    right += graded->grade.right ? 1 : 0;
    rows.push_back({std::to_string(number), entry->asked(), std::to_string(entry->seed),
                    cut_to_columns(printable(entry->answer), kWidestAnswer),
                    entry->given_up       ? "shown"
                    : graded->grade.right ? "right"
                                          : "wrong",
                    graded->remark});
    all.push_back(Json::object({{"line", static_cast<std::int64_t>(number)},
                                {"question", entry->asked()},
                                {"seed", entry->seed},
                                {"answer", entry->answer},
                                {"right", graded->grade.right},
                                {"given_up", entry->given_up},
                                {"confusion", graded->grade.confusion},
                                {"remark", graded->remark}}));
  }
  const std::size_t answers = all.size();
  if (arguments.json) {
    print_data(Json::object({{"right", static_cast<std::int64_t>(right)}, {"answers", std::move(all)}}).dump(2) + "\n");
  } else {
    print(table(rows));
    print_line(fmt::format("{}: {} right", counted(answers, "answer", "answers"), right));
  }
  return Exit::right;
}

void declare_check(Options& options, Arguments& a) {
  options.positionals("file", a.files, "lessons: files, or names of those that come with the program, such as 06_tv");
  options.option("--seeds", a.seeds, "how many seeds each question is asked with", Between{1, kMostSeeds});
  options.flag("--json", a.json, "the tables and what is wrong as one JSON object");
}

void declare_question(Options& options, Arguments& a) {
  options.positional("file", a.file, "a lesson: a file, or the name of one that comes with the program");
  options.positional("id", a.id, "the name of a question");
}

void declare_ask(Options& options, Arguments& a) {
  declare_question(options, a);
  options.option("--seed", a.seed, "which of its draws; the same seed asks the same everywhere");
  options.flag("--json", a.json, "the question as one JSON object");
}

void declare_grade(Options& options, Arguments& a) {
  declare_question(options, a);
  options.positional("answer", a.answer, "what was answered; - reads it from stdin");
  options.option("--seed", a.seed, "of which draws");
  options.flag("--json", a.json, "the grade as one JSON object");
}

}  // namespace

Result<lesson::OpenLesson> open_lesson(const std::string& file) {
  fs::path path = file;
  std::error_code ignored;
  if (!fs::exists(path, ignored) && file.find('/') == std::string::npos) {
    TESSERA_TRY(own, own_lesson(file));
    path = std::move(own);
  }
  Result<std::string> text = read_file(path, lesson::kLargestLesson);
  if (!text) return std::move(text).error();
  Result<lesson::OpenLesson> opened = lesson::OpenLesson::open(*text);
  if (opened) return opened;
  Error error = std::move(opened).error();
  error.message = fmt::format("{}: {}", file, error.message);
  error.span.reset();  // its line and column stand in front
  return error;
}

const lesson::Ask& AskedQuestion::ask() const { return std::get<lesson::Ask>(lesson.lesson().parts[part]); }

Result<AskedQuestion> asked(const std::string& file, const std::string& id, std::uint64_t seed) {
  TESSERA_TRY(opened, open_lesson(file));
  TESSERA_TRY(part, opened.find(id));
  AskedQuestion made{std::move(opened), part, {}};
  Result<lesson::Question> question = lesson::question_of(made.ask(), made.above(), seed);
  if (!question) {
    Error error = lesson::placed(std::move(question).error(), made.lesson.lesson().text);
    error.span.reset();
    error.message = fmt::format("{}: {}", file, error.message);
    return error;
  }
  made.question = *std::move(question);
  return made;
}

std::string question_text(const lesson::Question& question) {
  std::string text = question.prompt + "\n";
  for (std::size_t i = 0; i < question.options.size(); ++i)
    text += fmt::format("  {}) {}\n", static_cast<char>('a' + i), question.options[i]);
  if (!question.given.empty()) text += question.given + "\n";
  return text;
}

std::string grade_text(const lesson::Grade& grade) {
  if (grade.right) return "Right.";
  std::string text = grade.read ? "Not yet: " : "This cannot be read: ";
  text += grade.difference + ".";
  return grade.hint.empty() ? text : text + " " + grade.hint;
}

Json grade_json(const lesson::Grade& grade) {
  return Json::object({{"ok", true},
                       {"right", grade.right},
                       {"read", grade.read},
                       {"understood", grade.understood},
                       {"difference", grade.difference},
                       {"hint", grade.hint},
                       {"wrong", static_cast<std::int64_t>(grade.wrong)},
                       {"confusion", grade.confusion}});
}

Subcommand lesson_subcommand() {
  return {"lesson",
          "Check a lesson, ask its questions, grade answers, or go through it here",
          "  tessera lesson run 06_tv\n  tessera lesson check mine.lesson.md --seeds 1000\n"
          "  tessera lesson ask 06_tv forwards --seed 3\n  tessera lesson grade 06_tv forwards \"(2,6)\" --seed 3\n\n"
          "A lesson is text with numbers that are evaluated and questions that are data; docs/writing_a_lesson.md says how one is written.",
          {},
          {command<Arguments>("list", "The lessons that come with the program", "  tessera lesson list", list_lessons,
                              [](Options& options, Arguments& a) { options.flag("--json", a.json, "for machines"); }),
           command<Arguments>("check",
                              "Evaluate every number, draw every figure, grade every answer for many seeds; exit code 1 where one is wrong",
                              "  tessera lesson check 06_tv --seeds 1000", check_lessons, declare_check),
           command<Arguments>("ask", "One question of a lesson, with its draws made", "  tessera lesson ask 06_tv forwards --seed 3",
                              ask_question, declare_ask),
           command<Arguments>("grade", "One answer to it: exit code 0 where it is right, 1 where it is not",
                              "  tessera lesson grade 06_tv whose \"T4 V3\"", grade_answer, declare_grade),
           command<Arguments>("regrade", "The answers of a worklog, graded again; what the log says itself is not believed",
                              "  tessera lesson regrade 06_tv mine.jsonl", regrade,
                              [](Options& options, Arguments& a) {
                                options.positional("file", a.file, "a lesson: a file, or the name of one that comes with the program");
                                options.positional("log", a.log, "what `tessera lesson run --log` has kept");
                                options.flag("--json", a.json, "the grades as one JSON object");
                              }),
           lesson_run_subcommand(), lesson_export_subcommand()}};
}

}  // namespace tessera
