// SPDX-License-Identifier: BSD-3-Clause
#include "core/lesson/slides/text_lines.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/utf8.hpp"
#include "core/render/shared/typography.hpp"

namespace tessera::lesson {
namespace {

constexpr double kMonoAdvance = 0.6;   // of JetBrains Mono, in type sizes
constexpr double kCodeShare = 0.92;    // its letters are larger than Inter's
constexpr double kBaseline = 0.76;     // from a line's top, in line heights
constexpr Rgb kEmphasis{11, 87, 176};  // Inter comes without a slanted face

struct Look {
  Typeface face = Typeface::inter;
  double size = 0;
  Rgb color;
  friend bool operator==(const Look&, const Look&) = default;
};

Look look_of(const TextRun& run, const TextStyle& style) {
  if (run.code || style.mono) return {Typeface::jetbrains_mono, style.size * (style.mono ? 1 : kCodeShare), style.color};
  return {run.strong || style.bold ? Typeface::inter_semibold : Typeface::inter, style.size, run.em ? kEmphasis : style.color};
}

double width_in(std::string_view text, const Look& look) {
  if (look.face != Typeface::jetbrains_mono) return look.size * text_width(text, look.face == Typeface::inter_semibold);
  return look.size * kMonoAdvance * static_cast<double>(columns(text));
}

// What stands between two blanks, of one look or several.
struct Word {
  struct Piece {
    std::string text;
    Look look;
  };
  std::vector<Piece> pieces;
  double width = 0;
  Look blank;  // of the blank before it
  std::size_t blanks = 0;
  bool begins_line = false;
};

class Lines {
 public:
  Lines(const TextStyle& style, double width, double hang) : style_(style), width_(width), hang_(hang) {}

  void add(const Word& word) {
    if (word.begins_line) end();
    const double blank = line_.texts.empty() && !keeps_blanks_ ? 0 : static_cast<double>(word.blanks) * width_in(" ", word.blank);
    if (!line_.texts.empty() && at_ + blank + word.width > width_) {
      end();
    } else {
      at_ += blank;
    }
    for (const Word::Piece& piece : word.pieces) put(piece);
  }
  void keep_blanks() { keeps_blanks_ = true; }
  std::vector<TextLine> take() && {
    if (!line_.texts.empty() || lines_.empty()) end();
    return std::move(lines_);
  }
  void end() {
    line_.height = style_.size * style_.pitch;
    for (PaperText& text : line_.texts) text.baseline = kBaseline * line_.height;
    lines_.push_back(std::exchange(line_, {}));
    at_ = hang_;
  }

 private:
  // Broken where even a line of its own has no room for it.
  void put(const Word::Piece& piece) {
    std::string_view rest = piece.text;
    while (!rest.empty()) {
      std::size_t length = rest.size();
      if (at_ + width_in(rest, piece.look) > width_) length = fitting(rest, piece.look);
      if (length == 0) {
        if (!line_.texts.empty()) {
          end();
          continue;
        }
        length = first_character(rest).length;
      }
      show(rest.substr(0, length), piece.look);
      rest.remove_prefix(length);
      if (!rest.empty()) end();
    }
  }
  // How much of it has room: up to behind a comma or a colon where there is one.
  std::size_t fitting(std::string_view text, const Look& look) const {
    std::size_t best = 0, any = 0;
    for (std::size_t i = 0; i < text.size();) {
      i += first_character(text.substr(i)).length;
      if (at_ + width_in(text.substr(0, i), look) > width_) break;
      any = i;
      if (text[i - 1] == ',' || text[i - 1] == ':') best = i;
    }
    return best > 0 ? best : any;
  }
  void show(std::string_view text, const Look& look) {
    if (!line_.texts.empty()) {
      PaperText& last = line_.texts.back();
      const Look before{last.face, last.size, last.color};
      const double blank = width_in(" ", look), gap = at_ - line_.width;
      if (before == look && gap > -0.01 && gap < 1.01 * blank) {  // one text is read and copied as one
        last.text += (gap > 0.01 ? " " : "") + std::string(text);
        line_.width = at_ += width_in(text, look);
        return;
      }
    }
    line_.texts.push_back({at_, 0, look.size, look.face, look.color, std::string(text)});
    line_.width = at_ += width_in(text, look);
  }

  const TextStyle& style_;
  double width_, hang_, at_ = 0;
  bool keeps_blanks_ = false;
  TextLine line_;
  std::vector<TextLine> lines_;
};

// Words of runs, parted at blanks; `code` keeps every blank.
std::vector<Word> words_of(const std::vector<TextRun>& runs, const TextStyle& style) {
  std::vector<Word> words;
  Word word;
  const auto finish = [&] {
    if (word.pieces.empty()) return;
    words.push_back(std::exchange(word, {}));
  };
  for (const TextRun& run : runs) {
    if (run.breaks) {
      finish();
      word.begins_line = true;
      continue;
    }
    const Look look = look_of(run, style);
    std::string_view rest = run.text;
    while (!rest.empty()) {
      const std::size_t blank = std::min(rest.find_first_of(" \n\t"), rest.size());
      if (blank == 0) {
        finish();
        word.blank = look, ++word.blanks;
        rest.remove_prefix(1);
        continue;
      }
      const std::string_view text = rest.substr(0, blank);
      word.width += width_in(text, look);
      word.pieces.push_back({std::string(text), look});
      rest.remove_prefix(blank);
    }
  }
  finish();
  return words;
}

}  // namespace

double width_of(std::string_view text, const TextStyle& style) {
  TextRun run;
  return width_in(text, look_of(run, style));
}

double width_of(const PaperText& text) { return width_in(text.text, {text.face, text.size, text.color}); }

std::vector<TextLine> text_lines(const std::vector<TextRun>& runs, const TextStyle& style, double width, double hang) {
  Lines lines(style, width, hang);
  for (Word& word : words_of(runs, style)) {
    word.blanks = std::min<std::size_t>(word.blanks, 1);
    lines.add(word);
  }
  return std::move(lines).take();
}

std::vector<TextLine> code_lines(std::string_view text, const TextStyle& style, double width) {
  constexpr double kHang = 2;  // type sizes: what goes on with the line above
  std::vector<TextLine> made;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    TextRun run;
    run.text = std::string(text.substr(0, end));
    run.code = true;
    Lines lines(style, width, kHang * style.size);
    lines.keep_blanks();
    for (const Word& word : words_of({run}, style)) lines.add(word);
    std::vector<TextLine> of_one = std::move(lines).take();
    made.insert(made.end(), std::make_move_iterator(of_one.begin()), std::make_move_iterator(of_one.end()));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return made;
}

}  // namespace tessera::lesson
