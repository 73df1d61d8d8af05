// SPDX-License-Identifier: BSD-3-Clause
#include "core/lesson/slides/slides.hpp"

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
#include "core/diagram/scene/palette.hpp"
#include "core/figure/figure_source.hpp"
#include "core/lang/document/document.hpp"
#include "core/lesson/each_part.hpp"
#include "core/lesson/names.hpp"
#include "core/lesson/print/printed_question.hpp"
#include "core/lesson/print/sized.hpp"
#include "core/lesson/run_command.hpp"
#include "core/lesson/screens.hpp"
#include "core/lesson/slides/text_lines.hpp"
#include "core/lesson/vary.hpp"
#include "core/lesson/words/markdown.hpp"
#include "core/render/shared/typography.hpp"

namespace tessera::lesson {
namespace {

constexpr double kPointsOfAMillimetre = 72 / 25.4;

// Where things stand, in points.
constexpr double kSide = 18, kHeadingTop = 14, kBodyTop = 42, kFooter = 8, kBodyEnd = 19;  // the last two from the lower edge
constexpr double kParagraphGap = 6, kLargestCell = 34, kWordsCost = 1.25;
constexpr double kShortLead = 0.3;    // of the body's height: words that may stand on the slide of a question
constexpr double kFigureLead = 0.16;  // and above a figure

constexpr Rgb kDim{92, 99, 112}, kRight{23, 96, 43}, kAccent{11, 87, 176}, kShade{243, 245, 249};

constexpr TextStyle kHeading{14, kInk, true, false, 1.25};
constexpr TextStyle kBody{10.5, kInk};
constexpr TextStyle kCode{8, kInk, false, true, 1.4};
constexpr TextStyle kPrompt{14, kInk, true};
constexpr TextStyle kLongPrompt{11.5, kInk, true};
constexpr TextStyle kOption{11, kInk};
constexpr TextStyle kAnswer{13, kRight, true};
constexpr TextStyle kAnswerCode{10, kRight, false, true, 1.4};
constexpr TextStyle kHint{9, kInk};
constexpr TextStyle kTag{8, kAccent, true};
constexpr TextStyle kNote{7, kDim};

// A piece of a slide: lines that stand below each other.
struct Piece {
  std::vector<TextLine> lines;
  double indent = 0, before = kParagraphGap;
  bool shaded = false;  // on an area of its own
  bool whole = false;   // rather on the next slide than on two
};

double height_of(const Piece& piece) {
  double height = piece.shaded ? 2 * kParagraphGap : 0;
  for (const TextLine& line : piece.lines) height += line.height;
  return height;
}
double height_of(const std::vector<Piece>& pieces) {
  double height = 0;
  for (const Piece& piece : pieces) height += height_of(piece) + (&piece == pieces.data() ? 0 : piece.before);
  return height;
}

class DeckWriter {
 public:
  DeckWriter(const OpenLesson& opened, const SlideOptions& options) : opened_(opened), options_(options) {
    const bool is_wide = options.aspect == Aspect::wide;
    deck_.width = (is_wide ? 160 : 128) * kPointsOfAMillimetre;
    deck_.height = (is_wide ? 90 : 96) * kPointsOfAMillimetre;
    deck_.title = fmt::format("{}. {}", opened.lesson().head.number, opened.lesson().head.title);
    heading_ = opened.lesson().head.title;
  }

  Result<Deck> deck() && {
    title();
    TESSERA_CHECK(write_parts(opened_, *this));
    flush();
    footers();
    return std::move(deck_);
  }

 private:
  friend Status tessera::lesson::write_parts<DeckWriter>(const OpenLesson& opened, DeckWriter& to);

  double body_width() const { return deck_.width - 2 * kSide; }
  double body_end() const { return deck_.height - kBodyEnd; }
  double body_height() const { return body_end() - kBodyTop; }

  // ---- pieces --------------------------------------------------------------------------------------------------------

  Piece text(std::string_view words, const TextStyle& style, double indent = 0) const {
    return {text_lines(runs_of_line(words), style, body_width() - indent), indent};
  }
  Piece code(std::string_view lines, const TextStyle& style = kCode) const {
    Piece piece{code_lines(lines, style, body_width() - 2 * kParagraphGap), kParagraphGap};
    piece.shaded = true;
    piece.whole = true;
    return piece;
  }
  // With a mark in front of its first line: "•", "2.", "a)".
  Piece marked(std::string_view mark, const std::vector<TextRun>& runs, const TextStyle& style, double indent) const {
    const double hang = std::max(1.6 * style.size, width_of(mark, style) + 0.6 * style.size);
    Piece piece{text_lines(runs, style, body_width() - indent - hang), indent, 0.45 * style.size};
    for (TextLine& line : piece.lines) {
      for (PaperText& each : line.texts) each.x += hang;
    }
    TextRun run;
    run.text = std::string(mark);
    TextLine head = text_lines({run}, style, body_width()).front();
    piece.lines.front().texts.insert(piece.lines.front().texts.begin(), head.texts.begin(), head.texts.end());
    return piece;
  }

  void add_block(std::vector<Piece>& pieces, const Block& block, double indent) const {
    using Is = Block::Kind;
    constexpr double kIndent = 12;
    switch (block.kind) {
      case Is::heading: pieces.push_back({text_lines(block.runs, {11.5, kInk, true}, body_width() - indent), indent}); break;
      case Is::paragraph:
      case Is::line: pieces.push_back({text_lines(block.runs, kBody, body_width() - indent), indent}); break;
      case Is::code:
        if (!block.runs.empty()) pieces.push_back(code(block.runs.front().text));
        break;
      case Is::quote:
        for (const Block& each : block.inside) add_block(pieces, each, indent + kIndent);
        break;
      case Is::bullets:
      case Is::numbers: add_list(pieces, block, indent); break;
      case Is::table: add_table(pieces, block, indent); break;
      case Is::item:
      case Is::row:
      case Is::rule: break;
    }
  }
  void add_list(std::vector<Piece>& pieces, const Block& list, double indent) const {
    constexpr double kIndent = 16;
    std::size_t number = 0;
    for (const Block& item : list.inside) {
      const std::string mark = list.kind == Block::Kind::numbers ? fmt::format("{}.", ++number) : "\u2022";
      bool is_first = true;
      for (const Block& each : item.inside) {
        const bool has_words = each.kind == Block::Kind::line || each.kind == Block::Kind::paragraph;
        if (is_first && has_words)
          pieces.push_back(marked(mark, each.runs, kBody, indent));
        else
          add_block(pieces, each, indent + kIndent);
        is_first = false;
      }
    }
  }
  // Columns are as wide as their widest cell where all have room, and share the width evenly else.
  void add_table(std::vector<Piece>& pieces, const Block& table, double indent) const {
    constexpr double kGap = 12;
    constexpr TextStyle kCell{9.5, kInk}, kHeadCell{9.5, kInk, true};
    std::vector<double> widths;
    for (const Block& row : table.inside) {
      widths.resize(std::max(widths.size(), row.inside.size()));
      for (std::size_t i = 0; i < row.inside.size(); ++i)
        widths[i] = std::max(widths[i], text_lines(row.inside[i].runs, kHeadCell, 1e6).front().width + kGap);
    }
    double all = 0;
    for (const double each : widths) all += each;
    const double room = body_width() - indent;
    if (all > room) {
      for (double& each : widths) each = std::min(each, std::max(room / static_cast<double>(widths.size()), each * room / all));
      double made = 0;
      for (const double each : widths) made += each;
      for (double& each : widths) each *= std::min(1.0, room / made);
    }
    for (const Block& row : table.inside) {
      Piece piece{{}, indent, 3};
      double x = 0;
      for (std::size_t i = 0; i < row.inside.size(); ++i) {
        std::vector<TextLine> cell = text_lines(row.inside[i].runs, row.is_head ? kHeadCell : kCell, widths[i] - kGap);
        if (piece.lines.size() < cell.size()) piece.lines.resize(cell.size());
        for (std::size_t k = 0; k < cell.size(); ++k) {
          piece.lines[k].height = cell[k].height;
          for (PaperText& each : cell[k].texts) {
            each.x += x;
            piece.lines[k].texts.push_back(std::move(each));
          }
        }
        x += widths[i];
      }
      piece.whole = true;
      if (!piece.lines.empty()) pieces.push_back(std::move(piece));
    }
  }

  // ---- slides --------------------------------------------------------------------------------------------------------

  Slide& begin(Slide::Kind kind, std::string question = {}) {
    Slide slide;
    slide.kind = kind;
    slide.heading = heading_;
    slide.question = std::move(question);
    std::vector<TextLine> lines = text_lines(runs_of_line(heading_), kHeading, body_width());
    if (lines.size() > 1) {  // of a long one a smaller type
      TextStyle small = kHeading;
      small.size = 10.5;
      lines = text_lines(runs_of_line(heading_), small, body_width());
    }
    double y = kHeadingTop;
    for (const TextLine& line : lines) y = put(slide.paper, line, kSide, y);
    deck_.slides.push_back(std::move(slide));
    y_ = std::max(kBodyTop, y + kParagraphGap);
    is_empty_ = true;
    return deck_.slides.back();
  }
  static double put(Paper& paper, const TextLine& line, double x, double y) {
    for (PaperText text : line.texts) {
      text.x += x;
      text.baseline += y;
      paper.texts.push_back(std::move(text));
    }
    return y + line.height;
  }

  // Onto the slide that is open; what has no room there goes to the next one of the same kind.
  void put(const Piece& piece) {
    const double before = is_empty_ ? 0 : piece.before, height = height_of(piece);
    const bool fits = y_ + before + height <= body_end();
    constexpr std::size_t kLeastLines = 2;  // of a piece that is parted, on either slide
    const bool parts = !piece.whole && piece.lines.size() >= 2 * kLeastLines && !is_empty_;
    if (!fits && !parts && !is_empty_) begin_next();
    y_ += is_empty_ ? 0 : piece.before;
    is_empty_ = false;
    std::size_t i = 0;
    while (i < piece.lines.size()) {
      // How many lines have room here.
      double y = y_ + (piece.shaded ? kParagraphGap : 0);
      std::size_t end = i;
      const double most = body_end() - (piece.shaded ? kParagraphGap : 0);
      while (end < piece.lines.size() && y + piece.lines[end].height <= most + 1e-6) y += piece.lines[end++].height;
      if (end < piece.lines.size() && piece.lines.size() - end < kLeastLines && end - i > kLeastLines) --end;
      if (end == i || (end < piece.lines.size() && i == 0 && end < kLeastLines && y_ > kBodyTop + 1)) {
        begin_next();
        is_empty_ = false;
        continue;
      }
      put_lines(piece, i, end);
      i = end;
      if (i < piece.lines.size()) begin_next(), is_empty_ = false;
    }
  }
  void put_lines(const Piece& piece, std::size_t begin, std::size_t end) {
    Paper& paper = deck_.slides.back().paper;
    const double top = y_;
    if (piece.shaded) y_ += kParagraphGap;
    for (std::size_t i = begin; i < end; ++i) y_ = put(paper, piece.lines[i], kSide + piece.indent, y_);
    if (!piece.shaded) return;
    y_ += kParagraphGap;
    paper.areas.push_back({kSide, top, body_width(), y_ - top, kShade});
  }
  void put(const std::vector<Piece>& pieces) {
    for (std::size_t i = 0; i < pieces.size(); ++i) put(pieces[i]);
  }
  void begin_next() {
    const Slide& last = deck_.slides.back();
    begin(last.kind, last.question);
  }

  // Words that wait get slides of their own.
  void flush() {
    if (pending_.empty()) return;
    begin(Slide::Kind::words);
    put(std::exchange(pending_, {}));
  }

  void title() {
    const Head& head = opened_.lesson().head;
    Slide slide;
    slide.kind = Slide::Kind::title;
    slide.heading = head.title;
    double y = 0.24 * deck_.height;
    const auto add = [&](std::string_view words, const TextStyle& style, double before) {
      y += before;
      for (const TextLine& line : text_lines(runs_of_line(words), style, body_width())) y = put(slide.paper, line, kSide, y);
    };
    add(fmt::format("Lesson {}", head.number), {10.5, kAccent, true}, 0);
    add(head.title, {22, kInk, true, false, 1.22}, 4);
    add(head.goal, {11.5, kInk, false, false, 1.4}, 10);
    std::string needs;
    for (const std::int64_t each : head.needs) needs += (needs.empty() ? "" : ", ") + std::to_string(each);
    add(fmt::format(
            "{}{}", head.minutes == 1 ? "1 minute" : fmt::format("{} minutes", head.minutes),
            needs.empty() ? std::string() : fmt::format(" \u00b7 behind {} {}", head.needs.size() == 1 ? "lesson" : "lessons", needs)),
        {9, kDim}, 12);
    deck_.slides.push_back(std::move(slide));
  }

  Status words(const Written& piece, const Scope& above) {
    for (const Written& each : screens_of(piece)) {
      if (trimmed(each.text).empty()) continue;
      TESSERA_TRY(blocks, blocks_of(each, above));
      for (const Block& block : blocks) {
        if (block.kind == Block::Kind::heading && block.level == 1) {
          flush();
          heading_.clear();
          for (const TextRun& run : block.runs) heading_ += run.code ? "`" + run.text + "`" : run.text;
          continue;
        }
        add_block(pending_, block, 0);
      }
    }
    return Done{};
  }

  Status definitions(const Written& tess) {
    pending_.push_back(code(trimmed(tess.text)));
    definitions_ += tess.text + "\n";
    return Done{};
  }

  Status question(std::size_t part) {
    const Ask& ask = std::get<Ask>(opened_.lesson().parts[part]);
    TESSERA_TRY(printed, printed_question(opened_, part, options_.seed));
    ++questions_;
    std::vector<Piece> asked{text(fmt::format("QUESTION {}", questions_), kTag)};
    asked.push_back(text(printed.question.prompt, kPrompt));
    constexpr std::size_t kLongLines = 4;
    if (asked.back().lines.size() > kLongLines) asked.back() = text(printed.question.prompt, kLongPrompt);
    asked.back().before = 3;
    for (std::size_t i = 0; i < printed.question.options.size(); ++i)
      asked.push_back(marked(option_letter(i), runs_of_line(printed.question.options[i]), kOption, 0));
    if (!printed.question.given.empty()) asked.push_back(code(trimmed(printed.question.given)));
    asked.front().before = 2 * kParagraphGap;
    const double lead = height_of(pending_);
    if (lead > kShortLead * body_height() || lead + height_of(asked) + 3 * kParagraphGap > body_height()) flush();
    begin(Slide::Kind::question, ask.id);
    put(std::exchange(pending_, {}));
    put(asked);
    answer(ask, printed);
    return Done{};
  }

  void answer(const Ask& ask, const PrintedQuestion& printed) {
    begin(Slide::Kind::answer, ask.id);
    put(text(fmt::format("ANSWER {}", questions_), kTag));
    Piece prompt = text(printed.question.prompt, {9, kDim});
    prompt.before = 3;
    put(prompt);
    const bool is_code = printed.question.expected.kind == Kind::binding || printed.question.expected.kind == Kind::layout;
    if (is_code)
      put(code(printed.answer, kAnswerCode));
    else
      put(text(printed.answer, kAnswer));
    if (printed.has_others) put(text("Other answers are right, too.", kHint));
    for (std::size_t i = 0; i < printed.wrong.size(); ++i) {
      Piece given{text_lines(code_run(printed.wrong[i].answer), {8.5, kDim, false, false}, body_width()), 0, i == 0 ? 10.0 : 5.0};
      Piece hint = text(printed.wrong[i].hint, kHint, 10);
      hint.before = 0;
      // An answer and its hint stand on one slide.
      given.whole = hint.whole = true;
      if (y_ + given.before + height_of(given) + height_of(hint) > body_end()) begin_next();
      put(given);
      put(hint);
    }
  }
  static std::vector<TextRun> code_run(std::string_view text) {
    TextRun run;
    run.text = std::string(text);
    run.code = true;
    return {run};
  }

  // A figure on a slide of its own, below words that are short; one that cannot be read as a whole on several.
  Status show(const Written& piece, const Scope& scope, std::string_view title) {
    const Budget budget;  // a vary shows many
    TESSERA_TRY(value, value_of(piece, scope));
    if (height_of(pending_) > kFigureLead * body_height()) flush();
    const double lead = height_of(pending_) + (pending_.empty() ? 0 : kParagraphGap);
    const double titled = title.empty() ? 0 : height_of(text(title, kPrompt)) + kParagraphGap;
    const double room = body_height() - lead - titled;
    FigurePlace on_slide{{body_width(), room}, kLargestCell};
    on_slide.words_cost = kWordsCost;
    TESSERA_TRY(figures, readable_figures(value, piece, on_slide, kLeastSlideType));
    Source source{};
    if (const Result<Document> document = parse_document(definitions_)) source = source_of(*document, piece.text);
    for (SizedFigure& each : figures) {
      begin(Slide::Kind::figure);
      put(std::exchange(pending_, {}));
      if (!title.empty()) put(text(title, kPrompt));
      place(std::move(each), body_end() - room, source);
    }
    return Done{};
  }
  // In the middle of what is left below `top`.
  void place(SizedFigure figure, double top, const Source& source) {
    const auto [w, h] = with_margins(bounds(figure.scene));
    const double width = w * figure.cell_points, height = h * figure.cell_points, left = body_end() - top - height;
    Slide& slide = deck_.slides.back();
    if (!is_readable(figure, kLeastSlideType)) {
      slide.remark = figure.scene.left_out.substr(0, figure.scene.left_out.find(';'));  // what an option would do is said elsewhere
      if (slide.remark.empty()) slide.remark = fmt::format("the smallest type has {:.1f} pt", least_type(figure));
    }
    slide.paper.figures.push_back(
        {kSide + (body_width() - width) / 2, top + std::max(0.0, left / 2), std::move(figure.scene), figure.cell_points});
    slide.sources.push_back(source);
    y_ = body_end();
    is_empty_ = false;
  }

  Status picture(const Written& piece, const Scope& above) { return show(piece, above, {}); }

  // What to look for, then the picture of each value, then for which ones it holds.
  Status move(const Vary& vary, const Scope& above) {
    TESSERA_TRY(values, values_of(vary, above));
    std::string all, holding;
    for (std::size_t i = 0; i < values.values.size(); ++i) {
      const std::string shown = to_string(values.values[i]);
      all += (all.empty() ? "" : ", ") + shown;
      if (!values.holds.empty() && values.holds[i]) holding += (holding.empty() ? "" : ", ") + shown;
    }
    const Names first{{values.name, values.values[values.first]}};
    std::string prompt;
    if (!vary.prompt.empty()) {
      TESSERA_TRY(filled, filled_line(vary.prompt, with_names(first, above)));
      prompt = std::move(filled);
      if (height_of(pending_) > kShortLead * body_height()) flush();
      begin(Slide::Kind::question, "vary");
      put(std::exchange(pending_, {}));
      put(text("LOOK", kTag));
      put(text(prompt, kPrompt));
      put(text(fmt::format("{} is one of {}", values.name, all), kOption));
    }
    for (const Value& each : values.values) {
      const Names names{{values.name, each}};
      TESSERA_CHECK(show(vary.show, with_names(names, above), fmt::format("{} = {}", values.name, to_string(each))));
    }
    if (vary.truth.empty()) return Done{};
    begin(Slide::Kind::answer, "vary");
    put(text("ANSWER", kTag));
    if (!prompt.empty()) put(text(prompt, {9, kDim}));
    put(text(holding.empty() ? fmt::format("It holds for no {}.", values.name) : fmt::format("It holds for {} = {}.", values.name, holding),
             kAnswer));
    return Done{};
  }

  Status gemm(const Written& piece, const Scope& above) {
    TESSERA_TRY(value, value_of(piece, above));
    pending_.push_back(text("Where there is a GPU, this runs it:", kBody));
    pending_.push_back(code(run_command(definitions_, piece)));
    return Done{};
  }

  // Below each slide: what lesson it is of, its number, and what cannot be read in its figure.
  void footers() {
    const double y = deck_.height - kFooter - kNote.size * kNote.pitch + 2;
    for (std::size_t i = 1; i < deck_.slides.size(); ++i) {
      Slide& slide = deck_.slides[i];
      const std::string number = std::to_string(i + 1);
      const double at = deck_.width - kSide - width_of(number, kNote);
      TextRun run;
      run.text = number;
      put(slide.paper, text_lines({run}, kNote, body_width()).front(), at, y);
      run.text = deck_.title + (slide.remark.empty() ? "" : ". In this picture: " + slide.remark);
      put(slide.paper, text_lines({run}, kNote, at - kSide - kNote.size).front(), kSide, y);
    }
  }

  const OpenLesson& opened_;
  const SlideOptions& options_;
  Deck deck_;
  std::string heading_, definitions_;
  std::vector<Piece> pending_;  // words below the present heading that have no slide yet
  double y_ = 0;                // of the open slide: where the next piece begins
  bool is_empty_ = true;
  std::size_t questions_ = 0;
};

}  // namespace

Result<Aspect> aspect_of(std::string_view text) {
  if (text == "16:9") return Aspect::wide;
  if (text == "4:3") return Aspect::narrow;
  return Error{ErrorCode::parse, fmt::format("--aspect {}: slides are 16:9 or 4:3", text), {}, {}};
}

Result<Deck> slides_of(const OpenLesson& opened, const SlideOptions& options) { return DeckWriter(opened, options).deck(); }

Result<std::string> slides_pdf(const Deck& deck) {
  PaperDocument document{deck.width, deck.height, {}, deck.title, {}};
  for (const Slide& slide : deck.slides) document.papers.push_back(slide.paper);
  return render_pdf_document(document);
}

}  // namespace tessera::lesson
