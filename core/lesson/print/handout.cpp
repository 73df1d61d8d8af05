// SPDX-License-Identifier: BSD-3-Clause
#include "core/lesson/print/handout.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/base/characters.hpp"
#include "core/lesson/each_part.hpp"
#include "core/lesson/names.hpp"
#include "core/lesson/print/printed_question.hpp"
#include "core/lesson/print/sized.hpp"
#include "core/lesson/print/tex_words.hpp"
#include "core/lesson/run_command.hpp"
#include "core/lesson/vary.hpp"
#include "core/lesson/words/markdown.hpp"
#include "core/render/detail/detail.hpp"
#include "core/render/shared/render.hpp"

namespace tessera::lesson {
namespace {

// Points of 1/72 inch. Letter paper has 468 between margins of an inch, A4 451.
constexpr double kWidth = 450, kHighest = 420, kLargestCell = 24, kGap = 14;

constexpr std::string_view kHead = R"(\documentclass[11pt]{{article}}  % letter paper; a4paper has room for it too
\usepackage[margin=1in]{{geometry}}
\usepackage{{tikz}}
{}\newcounter{{question}}
\newcommand\lessonquestion[1]{{\par\bigskip\refstepcounter{{question}}\textbf{{\thequestion.}}\enspace{{\bfseries\interlinepenalty10000 #1\par}}\nobreak}}
\newcommand\lessonoption[2]{{\par\nobreak\hangindent=4em\hangafter=1\hspace*{{1em}}#1\enspace #2\par\nobreak}}
\newcommand\lessontick{{\fbox{{\rule{{0pt}}{{1ex}}\rule{{1ex}}{{0pt}}}}}}
\newcommand\lessonline{{\par\nobreak\vspace{{8mm}}\hrule\vspace{{2mm}}\par}}
\pagestyle{{myheadings}}\markright{{{}\hfill seed {}\quad}}
\begin{{document}}
)";

class HandoutWriter {
 public:
  HandoutWriter(const OpenLesson& opened, const HandoutOptions& options) : opened_(opened), options_(options) {}

  Result<std::vector<HandoutFile>> files() && {
    TESSERA_CHECK(write_parts(opened_, *this));
    const bool has_body = options_.key != HandoutKey::only;
    std::string text = head();
    text += has_body ? body_ : std::string();
    if (options_.key != HandoutKey::none) text += key(has_body);
    text += "\\end{document}\n";
    std::vector<HandoutFile> files{{"handout.tex", std::move(text)}};
    if (has_body) files.insert(files.end(), std::make_move_iterator(figures_.begin()), std::make_move_iterator(figures_.end()));
    return files;
  }

 private:
  friend Status tessera::lesson::write_parts<HandoutWriter>(const OpenLesson& opened, HandoutWriter& to);

  std::string head() const {
    const Head& head = opened_.lesson().head;
    std::string out = fmt::format(kHead, tex_preamble(), tex_text(fmt::format("Lesson {}. {}", head.number, head.title)), options_.seed);
    out += fmt::format("{{\\LARGE\\bfseries {}. {}\\par}}\n{}\\par\n", head.number, tex_text(head.title), tex_text(head.goal));
    out +=
        fmt::format("{}. Seed {}: {} asks the same here.\\par\n", head.minutes == 1 ? "1 minute" : fmt::format("{} minutes", head.minutes),
                    options_.seed, tex_code(fmt::format("tessera lesson run {} --seed {}", options_.name, options_.seed)));
    if (options_.key != HandoutKey::only) out += "\\medskip Name:\\enspace\\hrulefill\\par\n";
    return out;
  }

  std::string key(bool on_a_new_page) const {
    return fmt::format("{}\\section*{{Answers, for seed {}}}\n{}", on_a_new_page ? "\\clearpage\\appendix\n" : "", options_.seed, key_);
  }

  Status words(const Written& piece, const Scope& above) {
    TESSERA_TRY(blocks, blocks_of(piece, above));
    body_ += tex_of(blocks);
    return Done{};
  }

  Status definitions(const Written& tess) {
    body_ += tex_lines(trimmed(tess.text));
    definitions_ += tess.text + "\n";
    return Done{};
  }

  // The picture as TikZ, in the text or in a file of its own.
  Result<std::string> tikz(const SizedFigure& figure) {
    TESSERA_TRY(text, render_tikz(figure.scene, RenderOptions{.cell_points = figure.cell_points, .standalone = false}));
    if (options_.one_file) return "%\n" + text;
    const std::string name = fmt::format("figure-{}", figures_.size() + 1);
    figures_.push_back({name + ".tex", std::move(text)});
    return fmt::format("\\input{{{}}}", name);
  }

  Status picture(const Written& piece, const Scope& scope) {
    TESSERA_TRY(value, value_of(piece, scope));
    TESSERA_TRY(figures, readable_figures(value, piece, {{kWidth, kHighest}, kLargestCell, false}, kLeastLabel));
    for (const SizedFigure& figure : figures) {
      TESSERA_TRY(drawn, tikz(figure));
      body_ += fmt::format("\\par\\medskip\\begin{{center}}\n{}\n\\end{{center}}\n", drawn);
    }
    return Done{};
  }

  // A grid to be painted.
  static std::string grid_of(std::int64_t rows, std::int64_t columns) {
    const double cell = std::min(18.0, (kWidth - 30) / static_cast<double>(columns));
    std::string out =
        fmt::format("\\par\\nobreak\\medskip\\begin{{center}}\\begin{{tikzpicture}}[x={0:.3f}bp,y=-{0:.3f}bp]\\scriptsize\n", cell);
    // TikZ's own grid has a line every centimetre, whatever a unit is.
    for (std::int64_t c = 0; c <= columns; ++c) out += fmt::format("\\draw[gray] ({0},0) -- ({0},{1});\n", c, rows);
    for (std::int64_t r = 0; r <= rows; ++r) out += fmt::format("\\draw[gray] (0,{0}) -- ({1},{0});\n", r, columns);
    for (std::int64_t c = 0; c < columns; ++c) out += fmt::format("\\node at ({}.5,-0.6) {{{}}};", c, c);
    for (std::int64_t r = 0; r < rows; ++r) out += fmt::format("\\node[left] at (-0.1,{}.5) {{{}}};", r, r);
    return out + "\n\\end{tikzpicture}\\end{center}\n";
  }

  static std::string lines(int count) {
    std::string out;
    for (int i = 0; i < count; ++i) out += "\\lessonline";
    return out + "\n";
  }

  static std::string room_for(const Question& question) {
    constexpr std::int64_t kMostPainted = 512;
    const Expected& expected = question.expected;
    switch (expected.kind) {
      case Kind::choice:
        return question.options.empty() ? "\\lessonoption{\\lessontick}{yes}\\lessonoption{\\lessontick}{no}\n" : std::string();
      case Kind::binding: return lines(4);
      case Kind::layout: return lines(2);
      case Kind::cells: {
        const IntTuple& shape = expected.shape;
        const bool is_flat = shape.is_tuple() && shape.rank() == 2 && shape[0].is_int() && shape[1].is_int();
        if (is_flat && shape[0].value() * shape[1].value() <= kMostPainted) return grid_of(shape[0].value(), shape[1].value());
        return lines(2);
      }
      case Kind::integer:
      case Kind::integers:
      case Kind::coordinate:
      case Kind::thread_and_value:
      case Kind::order: return lines(1);
    }
    return lines(1);
  }

  Status question(std::size_t part) {
    TESSERA_TRY(printed, printed_question(opened_, part, options_.seed));
    const Question& question = printed.question;
    body_ += fmt::format("\\lessonquestion{{{}}}\n", tex_of(runs_of_line(question.prompt)));
    for (std::size_t i = 0; i < question.options.size(); ++i)
      body_ += fmt::format("\\lessonoption{{{}{}}}{{{}}}\n", question.expected.kind == Kind::choice ? "\\lessontick\\enspace " : "",
                           tex_text(option_letter(i)), tex_of(runs_of_line(question.options[i])));
    if (!question.given.empty()) body_ += tex_lines(trimmed(question.given));
    body_ += room_for(question);
    begin_key(printed.answer);
    if (printed.has_others) key_ += "Other answers are right, too.\\par\n";
    if (printed.wrong.empty()) return Done{};
    key_ += "\\begin{itemize}\\itemsep0pt\\parskip0pt\n";
    for (const PrintedQuestion::Wrong& each : printed.wrong)
      key_ += fmt::format("\\item {} --- {}\n", tex_code(each.answer), tex_of(runs_of_line(each.hint)));
    key_ += "\\end{itemize}\n";
    return Done{};
  }
  void begin_key(std::string_view answer) {
    key_ += fmt::format("\\par\\medskip\\textbf{{{}.}}\\enspace {}\\par\n", ++questions_, tex_code(answer));
  }

  // Pictures of all values side by side, in as many columns as leave them readable; beyond kMostPictures the first one alone.
  Status move(const Vary& vary, const Scope& above) {
    constexpr std::size_t kMostPictures = 8;
    TESSERA_TRY(values, values_of(vary, above));
    std::string holding;
    const Names first{{values.name, values.values[values.first]}};
    if (!vary.prompt.empty()) {
      TESSERA_TRY(prompt, filled_line(vary.prompt, with_names(first, above)));
      body_ += fmt::format("\\lessonquestion{{{}}}\n", tex_of(runs_of_line(prompt)));
      body_ += "\\par\\nobreak " + tex_text(values.name + " is") + " \n";
      for (std::size_t i = 0; i < values.values.size(); ++i) {
        body_ += fmt::format("\\quad\\lessontick~{}", tex_code(to_string(values.values[i])));
        if (!values.holds.empty() && values.holds[i]) holding += (holding.empty() ? "" : ", ") + to_string(values.values[i]);
      }
      body_ += "\\par\n";
      begin_key(vary.truth.empty() ? "look at the pictures" : holding.empty() ? "none" : holding);
    }
    if (values.values.size() > kMostPictures) return picture(vary.show, with_names(first, above));
    for (std::size_t columns = std::min<std::size_t>(3, values.values.size());; --columns) {
      TESSERA_TRY(figures, figures_of(vary, values, above, columns));
      if (figures.empty()) continue;
      TESSERA_CHECK(multiples(values, figures, columns));
      return Done{};
    }
  }
  static double width_of(std::size_t columns) {
    const auto count = static_cast<double>(columns);
    return (kWidth - (count - 1) * kGap) / count;
  }
  // Nothing where one of them cannot be read in so many columns; in one column they are as they are.
  static Result<std::vector<SizedFigure>> figures_of(const Vary& vary, const VaryValues& values, const Scope& above, std::size_t columns) {
    std::vector<SizedFigure> made;
    for (const Value& each : values.values) {
      const Budget budget;  // each is a figure of its own
      const Names names{{values.name, each}};
      const Scope scope = with_names(names, above);
      TESSERA_TRY(value, value_of(vary.show, scope));
      Result<SizedFigure> figure = readable_whole(value, vary.show, {{width_of(columns), kHighest}, kLargestCell, false}, kLeastLabel);
      if (columns > 1 && !(figure && is_readable(*figure, kLeastLabel))) return std::vector<SizedFigure>();
      if (!figure) return figure.error();
      made.push_back(*std::move(figure));
    }
    return std::move(made);
  }
  Status multiples(const VaryValues& values, const std::vector<SizedFigure>& figures, std::size_t columns) {
    body_ += "\\par\\medskip\\noindent\n";
    for (std::size_t i = 0; i < figures.size(); ++i) {
      TESSERA_TRY(drawn, tikz(figures[i]));
      const bool ends = (i + 1) % columns == 0 || i + 1 == figures.size();
      body_ += fmt::format("\\begin{{minipage}}[t]{{{:.3f}bp}}\\centering {} = {}\\par\\vspace{{3pt}}{}\n\\end{{minipage}}{}\n",
                           width_of(columns), tex_text(values.name), tex_text(to_string(values.values[i])), drawn,
                           ends ? "\\par\\medskip\\noindent" : fmt::format("\\hspace{{{:.3f}bp}}%", kGap));
    }
    body_ += "\\par\n";
    return Done{};
  }

  Status gemm(const Written& piece, const Scope& above) {
    TESSERA_TRY(value, value_of(piece, above));
    body_ += "\\par Where there is a GPU, this runs it:\n" + tex_lines(run_command(definitions_, piece));
    return Done{};
  }

  const OpenLesson& opened_;
  const HandoutOptions& options_;
  std::string body_, key_, definitions_;
  std::vector<HandoutFile> figures_;
  std::size_t questions_ = 0;
};

}  // namespace

Result<HandoutKey> handout_key_of(std::string_view text) {
  if (text == "end") return HandoutKey::end;
  if (text == "none") return HandoutKey::none;
  if (text == "only") return HandoutKey::only;
  return Error{ErrorCode::parse, fmt::format("--key {}: end, none or only", text), {}, {}};
}

Result<std::vector<HandoutFile>> handout(const OpenLesson& opened, const HandoutOptions& options) {
  return HandoutWriter(opened, options).files();
}

}  // namespace tessera::lesson
