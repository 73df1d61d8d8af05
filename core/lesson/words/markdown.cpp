// SPDX-License-Identifier: BSD-3-Clause
#include "core/lesson/words/markdown.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/number_text.hpp"
#include "core/lesson/names.hpp"

#ifdef TESSERA_HAVE_MD4C
#include <md4c.h>
#endif

namespace tessera::lesson {
namespace {

// U+E000 and U+E001, which no script writes with.
constexpr std::string_view kOpen = "\xEE\x80\x80", kClose = "\xEE\x80\x81";

// Text with the values in the places of their marks.
[[maybe_unused]] std::string with_values(std::string_view text, const std::vector<std::string>& values) {
  std::string made;
  while (!text.empty()) {
    const std::size_t open = text.find(kOpen), close = text.find(kClose, std::min(open, text.size()));
    if (close == std::string_view::npos) break;
    made += text.substr(0, open);
    const auto number = number_in<std::size_t>(text.substr(open + kOpen.size(), close - open - kOpen.size()));
    if (number && *number < values.size()) made += values[*number];
    text.remove_prefix(close + kClose.size());
  }
  return made.append(text);
}

void append(std::vector<TextRun>& runs, TextRun run) {
  if (!runs.empty() && !run.breaks && runs.back().same_look(run))
    runs.back().text += run.text;
  else
    runs.push_back(std::move(run));
}

}  // namespace

std::string value_mark(std::size_t i) { return fmt::format("{}{}{}", kOpen, i, kClose); }

std::string without_marks(std::string_view text) {
  std::string made(text);
  for (const std::string_view mark : {kOpen, kClose}) {
    for (std::size_t at = made.find(mark); at != std::string::npos; at = made.find(mark, at)) made.erase(at, mark.size());
  }
  return made;
}

std::vector<TextRun> runs_of_line(std::string_view text) {
  std::vector<TextRun> runs;
  for (bool code = false;; code = !code) {
    const std::size_t end = std::min(text.find('`'), text.size());
    TextRun run;
    run.text = std::string(text.substr(0, end));
    run.code = code;
    if (end > 0) append(runs, std::move(run));
    if (end == text.size()) return runs;
    text.remove_prefix(end + 1);
  }
}

Result<std::vector<Block>> blocks_of(const Written& words, const Scope& scope) {
  std::string marked;
  std::vector<std::string> values;
  std::size_t at = 0;
  const std::string_view text = words.text;
  for (std::size_t open = text.find("{{"); open != std::string_view::npos; open = text.find("{{", at)) {
    marked += without_marks(text.substr(at, open - at));
    const std::size_t close = text.find("}}", open), end = close == std::string_view::npos ? text.size() : close + 2;
    TESSERA_TRY(value, filled({std::string(text.substr(open, end - open)), words.at + open}, scope));
    marked += value_mark(values.size());
    values.push_back(std::move(value));
    at = end;
  }
  return read_markdown(marked + without_marks(text.substr(at)), values);
}

#ifdef TESSERA_HAVE_MD4C

namespace {

using Kind = Block::Kind;

class Reader {
 public:
  explicit Reader(const std::vector<std::string>& values) : values_(values), open_{Block{}} {}

  std::vector<Block> blocks() && { return std::move(open_.front().inside); }

  void enter(MD_BLOCKTYPE type, const void* detail) {
    Block made;
    switch (type) {
      case MD_BLOCK_QUOTE: made.kind = Kind::quote; break;
      case MD_BLOCK_UL: made.kind = Kind::bullets; break;
      case MD_BLOCK_OL: made.kind = Kind::numbers; break;
      case MD_BLOCK_LI: made.kind = Kind::item; break;
      case MD_BLOCK_HR: made.kind = Kind::rule; break;
      case MD_BLOCK_H:
        made.kind = Kind::heading;
        made.level = static_cast<const MD_BLOCK_H_DETAIL*>(detail)->level;
        break;
      case MD_BLOCK_CODE: made.kind = Kind::code; break;
      case MD_BLOCK_P: made.kind = Kind::paragraph; break;
      case MD_BLOCK_TABLE: made.kind = Kind::table; break;
      case MD_BLOCK_THEAD: in_head_ = true; return;
      case MD_BLOCK_TR:
        made.kind = Kind::row;
        made.is_head = in_head_;
        break;
      case MD_BLOCK_TH:
      case MD_BLOCK_TD: made.kind = Kind::line; break;
      default: return;  // the document, a table's body, HTML, which is text
    }
    close_line();
    open_.push_back(std::move(made));
  }
  void leave(MD_BLOCKTYPE type) {
    if (type == MD_BLOCK_THEAD) in_head_ = false;
    if (type == MD_BLOCK_THEAD || type == MD_BLOCK_TBODY || type == MD_BLOCK_DOC || type == MD_BLOCK_HTML) return;
    close_line();
    close();
  }

  void look(MD_SPANTYPE type, bool on) {
    switch (type) {
      case MD_SPAN_EM: em_ += on ? 1 : -1; break;
      case MD_SPAN_STRONG: strong_ += on ? 1 : -1; break;
      case MD_SPAN_CODE: code_ += on ? 1 : -1; break;
      case MD_SPAN_DEL: del_ += on ? 1 : -1; break;
      default: break;
    }
  }
  void enter_link(const MD_ATTRIBUTE& leads) { links_.emplace_back(leads.text, leads.size); }
  void leave_link() {
    if (links_.empty()) return;
    const std::string leads = std::move(links_.back());
    links_.pop_back();
    if (!leads.empty()) add(" (" + with_values(leads, values_) + ")");
  }

  void add(std::string text) {
    TextRun run = looks();
    run.text = std::move(text);
    std::erase(run.text, '\0');
    if (!run.text.empty()) append(line(), std::move(run));
  }
  void add_break() {
    TextRun run;
    run.breaks = true;
    append(line(), std::move(run));
  }
  void add_text(std::string_view words) { add(with_values(words, values_)); }

 private:
  TextRun looks() const {
    TextRun run;
    run.strong = strong_ > 0, run.em = em_ > 0, run.code = code_ > 0, run.del = del_ > 0;
    return run;
  }
  // Where text goes: into the block that is open, and of an item or a quote into a line of it.
  std::vector<TextRun>& line() {
    if (open_.back().kind == Kind::item || open_.size() == 1) {
      Block made;
      made.kind = Kind::line;
      open_.push_back(std::move(made));
      has_line_ = true;
    }
    return open_.back().runs;
  }
  void close_line() {
    if (std::exchange(has_line_, false)) close();
  }
  void close() {
    Block made = std::move(open_.back());
    open_.pop_back();
    open_.back().inside.push_back(std::move(made));
  }

  const std::vector<std::string>& values_;
  std::vector<Block> open_;
  std::vector<std::string> links_;  // where they lead
  int strong_ = 0, em_ = 0, code_ = 0, del_ = 0;
  bool in_head_ = false, has_line_ = false;  // is the block on top a line that nobody else closes?
};

Reader& reader(void* to) { return *static_cast<Reader*>(to); }

int enter_block(MD_BLOCKTYPE type, void* detail, void* to) {
  reader(to).enter(type, detail);
  return 0;
}

int leave_block(MD_BLOCKTYPE type, void*, void* to) {
  reader(to).leave(type);
  return 0;
}

int enter_span(MD_SPANTYPE type, void* detail, void* to) {
  if (type == MD_SPAN_A) reader(to).enter_link(static_cast<const MD_SPAN_A_DETAIL*>(detail)->href);
  reader(to).look(type, true);
  return 0;
}

int leave_span(MD_SPANTYPE type, void*, void* to) {
  if (type == MD_SPAN_A) reader(to).leave_link();
  reader(to).look(type, false);
  return 0;
}

int add_text(MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* to) {
  switch (type) {
    case MD_TEXT_BR: reader(to).add_break(); break;
    case MD_TEXT_SOFTBR: reader(to).add("\n"); break;
    case MD_TEXT_NULLCHAR: break;
    default: reader(to).add_text({text, size});  // an entity as it is written, too
  }
  return 0;
}

}  // namespace

Result<std::vector<Block>> read_markdown(std::string_view markdown, const std::vector<std::string>& values) {
  MD_PARSER parser{};
  parser.flags = MD_FLAG_NOHTML | MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH;
  parser.enter_block = enter_block;
  parser.leave_block = leave_block;
  parser.enter_span = enter_span;
  parser.leave_span = leave_span;
  parser.text = add_text;
  Reader made(values);
  if (md_parse(markdown.data(), static_cast<MD_SIZE>(markdown.size()), &parser, &made) != 0)
    return Error{ErrorCode::parse, "these words cannot be read as Markdown", {}, {}};
  return std::move(made).blocks();
}

#else

Result<std::vector<Block>> read_markdown(std::string_view, const std::vector<std::string>&) {
  return Error{
      ErrorCode::io, "this build of Tessera has no md4c, which reads a lesson's words", {}, {"install libmd4c-dev and build again"}};
}

#endif

}  // namespace tessera::lesson
