// SPDX-License-Identifier: BSD-3-Clause
// tessera lesson run: a lesson in the terminal. What stands below a question comes when it is answered.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <unistd.h>

#include <fmt/format.h>

#include "app/cli/input_lines.hpp"
#include "app/cli/lesson_file.hpp"
#include "app/cli/terminal.hpp"
#include "core/base/budget.hpp"
#include "core/base/characters.hpp"
#include "core/base/file.hpp"
#include "core/base/file_append.hpp"
#include "core/base/number_text.hpp"
#include "core/base/overloaded.hpp"
#include "core/base/utf8.hpp"
#include "core/figure/figure.hpp"
#include "core/lesson/names.hpp"
#include "core/lesson/run_command.hpp"
#include "core/lesson/vary.hpp"
#include "core/lesson/worklog.hpp"
#include "core/render/export/formats.hpp"

namespace tessera {
namespace {

constexpr std::size_t kWidestPicture = 160;  // columns

struct Arguments {
  std::string file, seed = "0", figures, log;
  bool force = false;
};

// Goes through the parts, and waits for answers.
class Walk {
 public:
  Walk(const lesson::OpenLesson& opened, const Arguments& arguments, std::uint64_t seed)
      : opened_(opened), arguments_(arguments), seed_(seed), lines_(STDIN_FILENO, lesson::kLongestAnswer) {}

  Exit walk() {
    const lesson::Head& head = opened_.lesson().head;
    print(fmt::format("{}. {}\n{}\n{} minutes. An empty line shows an answer.\n", head.number, head.title, head.goal, head.minutes));
    const std::vector<lesson::Part>& parts = opened_.lesson().parts;
    for (std::size_t i = 0; i < parts.size() && !ended_; ++i) {
      const Scope above = opened_.above(i);
      const Status status = std::visit(
          Overloaded{[&](const lesson::Prose& prose) { return words(prose.markdown, above); },
                     [&](const lesson::Bind& bind) {
                       definitions_ += bind.tess.text + "\n";
                       return definitions(bind.tess);
                     },
                     [&](const lesson::Figure& figure) { return picture(figure.expression, above); },
                     [&](const lesson::Vary& vary) { return move(vary, above); },
                     [&](const lesson::Ask& ask) { return question(ask, above); }, [&](const lesson::Run& run) { return gemm(run.gemm); }},
          parts[i]);
      if (!status) {
        Error error = lesson::placed(status.error(), opened_.lesson().text);
        error.span.reset();
        return refuse(error);
      }
    }
    print(fmt::format("\n{}: {} right, {} shown.\n", counted(asked_, "question", "questions"), right_, shown_));
    if (!ended_) return Exit::right;
    note("the answers ended before the lesson did");
    return Exit::refused;
  }

 private:
  Status words(const lesson::Written& piece, const Scope& above) {
    const Budget budget;
    TESSERA_TRY(made, lesson::filled(piece, above));
    print(fmt::format("\n{}\n", trimmed(made)));
    return Done{};
  }

  static Status definitions(const lesson::Written& tess) {
    std::string made = "\n";
    std::string_view rest = trimmed(tess.text);
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      made += fmt::format("    {}\n", rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    print(made);
    return Done{};
  }

  // In the terminal where it has room there, and as a file where a folder is named.
  Status picture(const lesson::Written& piece, const Scope& above) {
    const Budget budget;
    TESSERA_TRY(value, lesson::value_of(piece, above));
    Result<Scene> scene = figure_of(value, piece.text);
    if (!scene) return lesson::moved(std::move(scene).error(), piece);
    ++pictures_;
    if (!arguments_.figures.empty()) {
      TESSERA_TRY(bytes, render(*scene, FigureFormat::svg, {}));
      TESSERA_TRY(path, path_in(arguments_.figures, fmt::format("figure_{}.svg", pictures_)));
      TESSERA_CHECK(export_file(path, bytes, arguments_.force));
      print(fmt::format("\nfigure {}: {}\n", pictures_, path.string()));
      return Done{};
    }
    const Result<std::string> text = render(*scene, FigureFormat::txt, {});
    if (text && widest(*text) <= kWidestPicture)
      print(fmt::format("\n{}\n", trimmed(*text)));
    else
      print(fmt::format("\nfigure {} has no room here: --figures FOLDER writes it there\n", pictures_));
    return Done{};
  }

  static std::size_t widest(std::string_view text) {
    std::size_t made = 0;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      made = std::max(made, columns(text.substr(0, end)));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return made;
  }

  // One line, or of a binding all lines up to an empty one; false where there are no more.
  bool next_answer(bool several, std::string& answer) {
    print("> ");
    flush_output();
    answer.clear();
    std::string line;
    bool any = false;
    while (lines_.next(line)) {
      any = true;
      if (several && !trimmed(line).empty() && answer.size() <= lesson::kLongestAnswer) {
        answer += line + "\n";
        continue;
      }
      if (!several) answer = line;
      break;
    }
    if (!any) ended_ = true;
    return any;
  }

  Status question(const lesson::Ask& ask, const Scope& above) {
    TESSERA_TRY(question, lesson::question_of(ask, above, seed_));
    ++asked_;
    print("\n" + question_text(question));
    if (has_lines(question.expected.kind)) print_line("Several lines: an empty one ends the answer, and alone it shows one.");
    std::string answer;
    while (next_answer(has_lines(question.expected.kind), answer)) {
      if (trimmed(answer).empty()) {
        ++shown_;
        print_line(fmt::format("It is {}.", lesson::told_answer(question, question.wanted)));
        lesson::WorklogEntry entry = entry_for(lesson::hash_of(ask), "", false);
        entry.question = ask.id;
        entry.given_up = true;
        return keep(entry);
      }
      TESSERA_TRY(grade, lesson::grade(ask, question, above, answer));
      print_line(grade_text(grade));
      lesson::WorklogEntry entry = entry_for(lesson::hash_of(ask), answer, grade.right);
      entry.question = ask.id;
      TESSERA_CHECK(keep(entry));
      if (!grade.right && ask.gates) continue;
      right_ += grade.right ? 1 : 0;
      return Done{};
    }
    return Done{};
  }

  // A line of the worklog, where one is kept.
  lesson::WorklogEntry entry_for(std::string hash, std::string_view answer, bool right) const {
    return {opened_.lesson().head.number, {}, std::move(hash), seed_, std::string(trimmed(answer)), right};
  }
  Status keep(const lesson::WorklogEntry& entry) const {
    if (arguments_.log.empty()) return Done{};
    return append_to_file(arguments_.log, [&](std::string_view) { return Result<std::string>(lesson::to_line(entry) + "\n"); });
  }

  // Asks for which values the truth holds, before one is shown.
  Status move(const lesson::Vary& vary, const Scope& above) {
    ++varies_;
    TESSERA_TRY(values, lesson::values_of(vary, above));
    const lesson::Names names{{values.name, values.values[values.first]}};
    const Scope scope = lesson::with_names(names, above);
    if (!vary.prompt.empty()) {
      const Budget budget;
      TESSERA_TRY(prompt, lesson::filled_line(vary.prompt, scope));
      std::string all;
      for (const Value& each : values.values) all += (all.empty() ? "" : ", ") + to_string(each);
      print(fmt::format("\n{} ({} is one of {})\n", prompt, values.name, all));
      std::string answer;
      if (!vary.truth.empty() && next_answer(false, answer)) {
        const lesson::Grade grade = lesson::grade(values, answer);
        const std::string said = grade.right ? "Right. " : trimmed(answer).empty() ? "" : fmt::format("Not it: {}. ", grade.difference);
        print_line(fmt::format("{}It holds for {}.", said, lesson::written_values(values)));
        lesson::WorklogEntry entry = entry_for(lesson::hash_of(vary), answer, grade.right);
        entry.vary = varies_;
        if (!trimmed(answer).empty()) TESSERA_CHECK(keep(entry));
      }
    }
    if (ended_) return Done{};
    return picture(vary.show, scope);
  }

  Status gemm(const lesson::Written& piece) {
    print(fmt::format("\n    {}\n\nWhere there is a GPU, this runs it:\n", trimmed(piece.text)));
    print(fmt::format("\n{}\n", lesson::run_command(definitions_, piece)));  // from the first column: it ends a file by a line
    return Done{};
  }

  const lesson::OpenLesson& opened_;
  const Arguments& arguments_;
  std::uint64_t seed_;
  InputLines lines_;
  std::string definitions_;
  std::int64_t varies_ = 0;
  std::size_t pictures_ = 0, asked_ = 0, right_ = 0, shown_ = 0;
  bool ended_ = false;
};

Exit run(const Arguments& arguments) {
  const auto seed = number_in<std::uint64_t>(arguments.seed);
  if (!seed) return misuse(fmt::format("--seed {}: a seed is a number, 0 or more", arguments.seed));
  if (!arguments.figures.empty()) {
    if (const Status ready = make_folder(arguments.figures); !ready) return refuse(ready.error());
  }
  const Result<lesson::OpenLesson> opened = open_lesson(arguments.file);
  if (!opened) return refuse(opened.error());
  return Walk(*opened, arguments, *seed).walk();
}

}  // namespace

Subcommand lesson_run_subcommand() {
  return {"run",
          "Go through a lesson here: what stands below a question comes when it is answered",
          "  tessera lesson run 06_tv\n  tessera lesson run 06_tv --seed 7 --figures pictures --log mine.jsonl",
          [](Options& options) {
            auto a = std::make_shared<Arguments>();
            options.positional("file", a->file, "a lesson: a file, or the name of one that comes with the program");
            options.option("--seed", a->seed, "of the questions' draws");
            options.option("--figures", a->figures, "a folder: pictures are written there, and not drawn here");
            options.option("--log", a->log, "a file to which each answer is added, for `tessera lesson regrade`");
            options.flag("--force", a->force, "replace files that exist");
            return [a] { return run(*a); };
          },
          {}};
}

}  // namespace tessera
