// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/lesson/lesson_words.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/budget.hpp"
#include "core/base/characters.hpp"
#include "core/base/number_text.hpp"
#include "core/lesson/names.hpp"

namespace tessera {
namespace {

constexpr char kOpen = '\x01', kClose = '\x02';  // around the number of a value, while Markdown is read
constexpr std::size_t kMostColumns = 16;         // of a table

// ---- values --------------------------------------------------------------------------------------------------------------

// The text with a mark in the place of each value.
Result<std::string> marked(const lesson::Written& piece, const Scope& scope, std::vector<std::string>& values) {
  std::string made;
  const std::string_view text = piece.text;
  const auto add = [&](std::string_view words) {
    std::copy_if(words.begin(), words.end(), std::back_inserter(made), [](char c) { return c != kOpen && c != kClose && c != '\r'; });
  };
  std::size_t at = 0;
  for (std::size_t open = text.find("{{"); open != std::string_view::npos; open = text.find("{{", at)) {
    add(text.substr(at, open - at));
    const std::size_t close = text.find("}}", open), end = close == std::string_view::npos ? text.size() : close + 2;
    TESSERA_TRY(value, lesson::filled({std::string(text.substr(open, end - open)), piece.at + open}, scope));
    made += kOpen + std::to_string(values.size()) + kClose;
    values.push_back(std::move(value));
    at = end;
  }
  add(text.substr(at));
  return made;
}

void put_values(std::string& text, const std::vector<std::string>& values) {
  std::string made;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = std::min(text.find(kOpen, at), text.size());
    made.append(text, at, open - at);
    if (open == text.size()) break;
    const std::size_t close = text.find(kClose, open);
    const auto number = number_in<std::size_t>(std::string_view(text).substr(open + 1, close - open - 1));
    if (number && *number < values.size()) made += values[*number];
    at = close + 1;
  }
  text = std::move(made);
}

// ---- words of a line ------------------------------------------------------------------------------------------------------

class LineReader {
 public:
  explicit LineReader(std::string_view text) : text_(text) {}

  WordLine read() {
    while (at_ < text_.size()) step();
    flush();
    return std::move(made_);
  }

 private:
  char at(std::size_t i) const { return i < text_.size() ? text_[i] : ' '; }
  char before(std::size_t i) const { return i > 0 ? text_[i - 1] : ' '; }

  void flush() {
    if (!run_.empty())
      made_.push_back({std::exchange(run_, {}), strong_ ? WordLook::strong : emphasis_ ? WordLook::emphasis : WordLook::plain});
  }

  void step() {
    const char c = text_[at_];
    if (c == '\\' && at_ + 1 < text_.size() && is_sign(text_[at_ + 1])) {
      run_ += text_[at_ + 1];
      at_ += 2;
      return;
    }
    if (c == '`' && code()) return;
    if ((c == '*' || c == '_') && emphasis(c)) return;
    if ((c == '[' || (c == '!' && at(at_ + 1) == '[')) && link(c == '!')) return;
    run_ += c;
    ++at_;
  }

  static bool is_sign(char c) { return std::string_view("\\`*_{}[]()#+-.!|<>~").find(c) != std::string_view::npos; }

  bool code() {
    std::size_t ticks = 0;
    while (at(at_ + ticks) == '`') ++ticks;
    const std::string fence(ticks, '`');
    std::size_t end = text_.find(fence, at_ + ticks);
    while (end != std::string_view::npos && at(end + ticks) == '`') end = text_.find(fence, end + ticks + 1);
    if (end == std::string_view::npos) {
      run_ += fence;
      at_ += ticks;
      return true;
    }
    flush();
    std::string_view inside = text_.substr(at_ + ticks, end - at_ - ticks);
    if (ticks > 1) inside = trimmed(inside);
    if (!inside.empty()) made_.push_back({std::string(inside), WordLook::code});
    at_ = end + ticks;
    return true;
  }

  // A star between letters or numbers is a product, and a low line there belongs to a name.
  bool emphasis(char sign) {
    std::size_t count = at(at_ + 1) == sign ? 2 : 1;
    bool& on = count == 2 ? strong_ : emphasis_;
    const bool inner = is_word(before(at_)) && is_word(at(at_ + count));
    if (on ? is_space(before(at_)) || inner : is_space(at(at_ + count)) || is_word(before(at_)) || !closes(sign, count)) return false;
    flush();
    on = !on;
    at_ += count;
    return true;
  }

  // Is there an end to what begins here?
  bool closes(char sign, std::size_t count) const {
    const std::string mark(count, sign);
    for (std::size_t end = text_.find(mark, at_ + count + 1); end != std::string_view::npos; end = text_.find(mark, end + 1)) {
      const bool alone = count == 2 || (before(end) != sign && at(end + 1) != sign);
      if (alone && !is_space(before(end)) && !is_word(at(end + count))) return true;
    }
    return false;
  }

  bool link(bool picture) {
    const std::size_t begin = at_ + (picture ? 2 : 1), end = text_.find("](", begin);
    const std::size_t close = end == std::string_view::npos ? end : text_.find(')', end);
    if (close == std::string_view::npos || text_.substr(begin, end - begin).find('[') != std::string_view::npos) return false;
    run_ += text_.substr(begin, end - begin);
    if (!picture) run_ += " (" + std::string(text_.substr(end + 2, close - end - 2)) + ")";
    at_ = close + 1;
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string run_;
  bool strong_ = false, emphasis_ = false;
  WordLine made_;
};

// ---- blocks ---------------------------------------------------------------------------------------------------------------

struct ItemSign {
  std::size_t indent = 0, width = 0;  // where its words begin
  std::string sign;
};

std::optional<ItemSign> item_sign(std::string_view line) {
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  std::string_view rest = line.substr(indent);
  std::size_t digits = 0;
  while (digits < rest.size() && digits < 9 && is_digit(rest[digits])) ++digits;
  const bool numbered = digits > 0 && digits < rest.size() && (rest[digits] == '.' || rest[digits] == ')');
  const bool dotted = !rest.empty() && (rest[0] == '-' || rest[0] == '*' || rest[0] == '+');
  const std::size_t mark = numbered ? digits + 1 : 1;
  if (!(numbered || dotted) || rest.size() <= mark || rest[mark] != ' ') return std::nullopt;
  return ItemSign{indent, indent + mark + 1, numbered ? std::string(rest.substr(0, mark)) : std::string()};
}

std::size_t heading_level(std::string_view line) {
  std::size_t level = 0;
  while (level < line.size() && line[level] == '#') ++level;
  return level <= 6 && level < line.size() && line[level] == ' ' ? level : 0;
}

std::vector<std::string_view> table_cells(std::string_view line) {
  line = trimmed(line);
  if (line.starts_with('|')) line.remove_prefix(1);
  if (line.ends_with('|')) line.remove_suffix(1);
  std::vector<std::string_view> cells;
  bool in_code = false;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= line.size(); ++i) {
    if (i < line.size() && line[i] == '`') in_code = !in_code;
    if (i < line.size() && (line[i] != '|' || in_code || (i > 0 && line[i - 1] == '\\'))) continue;
    cells.push_back(trimmed(line.substr(begin, i - begin)));
    begin = i + 1;
  }
  return cells;
}

bool is_table_rule(std::string_view line) {
  line = trimmed(line);
  return line.find('-') != std::string_view::npos && line.find('|') != std::string_view::npos &&
         line.find_first_not_of("|-: ") == std::string_view::npos;
}

class BlockReader {
 public:
  explicit BlockReader(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      lines_.push_back(text.substr(at, end - at));
      at = end + 1;
    }
  }

  std::vector<WordBlock> read() {
    while (at_ < lines_.size()) block();
    end_words();
    return std::move(made_);
  }

 private:
  using Kind = WordBlock::Kind;

  void begin(Kind kind, std::size_t level = 0, std::string sign = {}) {
    end_words();
    made_.push_back({kind, level, std::move(sign), {}, {}});
    open_ = true;
  }
  void end_words() {
    if (std::exchange(open_, false)) made_.back().words = LineReader(trimmed(words_)).read();
    words_.clear();
  }
  void add(std::string_view line) {
    const bool breaks = line.ends_with("  ");
    words_ += trimmed(line);
    words_ += breaks ? '\n' : ' ';
  }

  void block() {
    const std::string_view line = lines_[at_], plain = trimmed(line);
    if (plain.empty()) {
      end_words();
      ++at_;
      return;
    }
    if (plain.starts_with("```") || plain.starts_with("~~~")) return code(plain.substr(0, 3));
    if (const std::size_t level = heading_level(line)) {
      begin(Kind::heading, level);
      add(line.substr(level + 1));
      end_words();
      ++at_;
      return;
    }
    if (at_ + 1 < lines_.size() && plain.find('|') != std::string_view::npos && is_table_rule(lines_[at_ + 1])) return table();
    if (const auto item = item_sign(line)) {
      begin(Kind::item, item->indent / 2, item->sign);
      add(line.substr(item->width));
      ++at_;
      return;
    }
    if (plain.starts_with('>')) {
      if (!open_ || made_.back().kind != Kind::quotation) begin(Kind::quotation);
      add(plain.substr(1));
      ++at_;
      return;
    }
    if (!open_ || made_.back().kind == Kind::quotation) begin(Kind::paragraph);
    add(line);
    ++at_;
  }

  void code(std::string_view fence) {
    begin(Kind::code);
    open_ = false;
    std::string all;
    for (++at_; at_ < lines_.size() && !trimmed(lines_[at_]).starts_with(fence); ++at_) all += std::string(lines_[at_]) + '\n';
    ++at_;
    while (all.ends_with('\n')) all.pop_back();
    made_.back().words = {{std::move(all), WordLook::code}};
  }

  void table() {
    begin(Kind::table);
    open_ = false;
    const std::size_t columns = std::min(table_cells(lines_[at_]).size(), kMostColumns);
    for (std::size_t row = 0; at_ < lines_.size() && lines_[at_].find('|') != std::string_view::npos; ++at_, ++row) {
      if (row == 1) continue;  // the rule below the head
      std::vector<WordLine> cells;
      for (const std::string_view each : table_cells(lines_[at_])) cells.push_back(LineReader(each).read());
      cells.resize(columns);
      made_.back().rows.push_back(std::move(cells));
    }
  }

  std::vector<std::string_view> lines_;
  std::size_t at_ = 0;
  std::string words_;
  bool open_ = false;  // the last block takes more words
  std::vector<WordBlock> made_;
};

}  // namespace

Result<std::vector<WordBlock>> words_of(const lesson::Written& markdown, const Scope& scope) {
  const Budget budget;
  std::vector<std::string> values;
  TESSERA_TRY(text, marked(markdown, scope, values));
  std::vector<WordBlock> blocks = BlockReader(text).read();
  for (WordBlock& block : blocks) {
    for (WordRun& run : block.words) put_values(run.text, values);
    for (auto& row : block.rows) {
      for (WordLine& cell : row) {
        for (WordRun& run : cell) put_values(run.text, values);
      }
    }
  }
  return blocks;
}

WordLine prompt_words(std::string_view text) {
  WordLine made;
  bool in_code = false;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('`', at), text.size());
    if (end > at) made.push_back({std::string(text.substr(at, end - at)), in_code ? WordLook::code : WordLook::plain});
    in_code = !in_code;
    at = end + 1;
  }
  return made;
}

std::string plain_text(const WordLine& words) {
  std::string made;
  for (const WordRun& run : words) made += run.text;
  return made;
}

}  // namespace tessera
