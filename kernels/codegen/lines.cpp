// SPDX-License-Identifier: BSD-3-Clause
// Breaking lines: where C++ has a space outside a literal, at best after a comma or before a +.
#include "kernels/codegen/lines.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/base/characters.hpp"

namespace tessera::emitting {

namespace {

// Where `text` is broken so that at most `columns` remain on the line: the place of a space, or npos.
std::size_t break_at(std::string_view text, std::size_t columns) {
  std::size_t good = std::string_view::npos, any = good;
  bool in_literal = false;
  for (std::size_t at = 0; at < text.size() && at <= columns; ++at) {
    if (text[at] == '"' && (at == 0 || text[at - 1] != '\\')) in_literal = !in_literal;
    if (text[at] != ' ' || in_literal || at == 0) continue;
    any = at;
    if (text[at - 1] == ',' || text.substr(at).starts_with(" + ") || text.substr(at).starts_with(" : ")) good = at;
  }
  return good != std::string_view::npos ? good : any;
}

// Where an assignment may be broken, after its `=`: npos where there is none outside brackets and literals.
std::size_t assignment_in(std::string_view text) {
  int depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"') return std::string_view::npos;
    depth += text[at] == '(' || text[at] == '[' ? 1 : text[at] == ')' || text[at] == ']' ? -1 : 0;
    if (depth == 0 && text.substr(at).starts_with(" = ")) return at + 2;
  }
  return std::string_view::npos;
}

}  // namespace

void Lines::end_line() {
  text_ += '\n';
  ops_.push_back(op_);
}

void Lines::append(std::string_view text) {
  text_ += text;
  ops_.insert(ops_.end(), static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')), op_);
}

void Lines::append(const Lines& lines) {
  text_ += lines.text_;
  ops_.insert(ops_.end(), lines.ops_.begin(), lines.ops_.end());
}

void Lines::add(std::string_view code, std::string_view comment) {
  if (code.empty() && comment.empty()) {
    end_line();
    return;
  }
  const std::size_t together = indent().size() + code.size() + comment.size() + 5;
  if (!comment.empty() && (code.empty() || together > kColumns)) {
    this->comment(comment);
    comment = {};
  }
  std::string before = indent();
  const std::size_t equals = before.size() + code.size() > kColumns ? assignment_in(code) : std::string_view::npos;
  if (equals < kColumns - before.size() && indent(2).size() + code.size() - equals <= kColumns) {
    text_ += before + std::string(code.substr(0, equals)), end_line();
    code = code.substr(equals + 1);
    before = indent(2);
  }
  const std::size_t leading = std::min(code.find_first_not_of(' '), code.size());  // of an operand list of inline PTX, which hangs
  while (before.size() + code.size() > kColumns) {
    const std::size_t at = break_at(code, kColumns - before.size());
    if (at == std::string_view::npos) break;
    text_ += before + std::string(code.substr(0, at)), end_line();
    code = code.substr(at + 1);
    before = leading > 0 ? indent() + std::string(leading + 2, ' ') : indent(2);
  }
  if (code.empty()) return;
  text_ += before;
  text_ += code;
  if (!comment.empty()) text_ += fmt::format("  // {}", comment);
  end_line();
}

void Lines::comment(std::string_view text, std::string_view hang) {
  std::string before = indent() + "// ";
  while (before.size() + text.size() > kColumns) {
    const std::string_view whole = text.substr(0, kColumns - before.size() + 1);
    std::size_t at = whole.rfind(' ');
    if (at != std::string_view::npos && at > 0) {
      text_ += before + std::string(text.substr(0, at)), end_line();
      text = text.substr(at + 1);
    } else {  // a layout has no spaces
      at = whole.substr(0, whole.size() - 1).rfind(',');
      at = at == std::string_view::npos ? whole.size() - 1 : at + 1;
      text_ += before + std::string(text.substr(0, at)), end_line();
      text = text.substr(at);
    }
    before = indent() + "// " + std::string(hang);
  }
  text_ += before;
  text_ += text;
  while (text_.ends_with(' ')) text_.pop_back();
  end_line();
}

void Lines::open(std::string_view line, std::string_view comment) {
  add(line.empty() ? "{" : fmt::format("{} {{", line), comment);
  ++depth_;
}

void Lines::close(std::string_view tail) {
  --depth_;
  add(tail);
}

void Lines::loop(std::string_view variable, const std::string& count, bool unrolled) {
  if (unrolled) add("#pragma unroll");
  open(fmt::format("for (int {0} = 0; {0} < {1}; ++{0})", variable, count));
}

namespace {

struct CommentedLine {
  std::string_view code, comment;  // comment: empty where there is none, or where it is all there is
};

CommentedLine split(std::string_view line) {
  const std::size_t at = line.find("  // ");
  if (at == std::string_view::npos || line.find_first_not_of(' ') > at) return {line, {}};
  const std::size_t end = line.substr(0, at).find_last_not_of(' ') + 1;
  return {line.substr(0, end), line.substr(at + 2)};
}

void append_aligned(std::string& text, const std::vector<CommentedLine>& run) {
  std::size_t width = 0;
  for (const CommentedLine& line : run) width = std::max(width, line.code.size());
  for (const CommentedLine& line : run) {
    text += line.code;
    text.append(width - line.code.size() + 2, ' ');
    text += line.comment;
    text += '\n';
  }
}

}  // namespace

std::string aligned(std::string_view text) {
  std::string result;
  std::vector<CommentedLine> run;
  std::size_t width = 0, comment = 0;
  const auto end_run = [&] { append_aligned(result, run), run.clear(), width = comment = 0; };
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const CommentedLine line = split(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (line.comment.empty()) {
      end_run();
      result += line.code;
      result += '\n';
      continue;
    }
    const bool fits = std::max(width, line.code.size()) + std::max(comment, line.comment.size()) + 2 <= kColumns;
    if (!run.empty() && (!fits || run.back().code.find_first_not_of(' ') != line.code.find_first_not_of(' '))) end_run();
    run.push_back(line);
    width = std::max(width, line.code.size()), comment = std::max(comment, line.comment.size());
  }
  end_run();
  return result;
}

bool has_word(std::string_view code, std::string_view word) {
  for (std::size_t at = code.find(word); at != std::string_view::npos; at = code.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at > 0 && is_word(code[at - 1])) || (end < code.size() && is_word(code[end]))) continue;
    const std::string_view before = code.substr(0, at), line = before.substr(before.rfind('\n') + 1);
    if (line.find("//") == std::string_view::npos) return true;  // not in a comment
  }
  return false;
}

}  // namespace tessera::emitting
