// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/statements/pasted_text.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/characters.hpp"
#include "core/lang/statements/statement_reader.hpp"

namespace tessera {
namespace {

struct Line {
  std::size_t begin = 0;
  std::string_view text;
};

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back({begin, text.substr(begin, end - begin)});
    begin = end + 1;
  }
  return lines;
}

bool is_fence(std::string_view line) { return trimmed(line).starts_with("```"); }

bool is_patch_header(std::string_view line) {
  for (const std::string_view mark : {"@@", "diff --git", "index ", "--- ", "+++ ", "\\ No newline"}) {
    if (line.starts_with(mark)) return true;
  }
  return false;
}

// Every line has its sign or a blank, and one with a sign gives a name a value or ends as a statement does.
bool is_patch(const std::vector<Line>& lines) {
  std::size_t filled = 0;
  bool states = false;
  for (const Line& line : lines) {
    const std::string_view text = trimmed(line.text);
    if (text.empty()) continue;
    ++filled;
    if (is_patch_header(line.text)) {
      states = states || line.text.starts_with("@@");
      continue;
    }
    const char sign = line.text[0];
    if (sign != '+' && sign != '-' && sign != ' ') return false;
    states = states || (sign != ' ' && (text.find('=') != std::string_view::npos || text.ends_with(';')));
  }
  return states && filled > 1;
}

// Behind "In [2]: " or "   ...: "; 0 where neither begins the line.
std::size_t after_prompt(std::string_view line) {
  const std::size_t colon = line.find(": ");
  const std::size_t end = colon != std::string_view::npos ? colon + 2 : line.ends_with(':') ? line.size() : 0;
  const std::string_view head = trimmed(line.substr(0, end));
  return head.starts_with("In [") || (head == "...:" && line.starts_with("  ")) ? end : 0;
}

class Eraser {
 public:
  explicit Eraser(std::string_view text) : made_{std::string(text), {}} {}

  void erase(std::size_t begin, std::size_t count) { std::fill_n(made_.text.begin() + static_cast<std::ptrdiff_t>(begin), count, ' '); }
  void erase(const Line& line) { erase(line.begin, line.text.size()); }
  // Lines one below the other are one statement.
  void pass_over(const Line& line, std::size_t number, std::string_view reason) {
    erase(line);
    const std::size_t end = line.begin + line.text.size();
    if (!made_.removed.empty() && made_.removed.back().span.end + 1 == line.begin) {
      made_.removed.back().span.end = end;
      return;
    }
    Statement& removed = made_.removed.emplace_back();
    removed.kind = Statement::Kind::passed_over;
    removed.reason = reason;
    removed.line = number;
    removed.span = {line.begin, end};
  }
  PastedText take() { return std::move(made_); }

 private:
  PastedText made_;
};

PastedText without_signs(std::string_view text, const std::vector<Line>& lines) {
  Eraser eraser(text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Line& line = lines[i];
    if (is_patch_header(line.text))
      eraser.erase(line);
    else if (line.text.starts_with('-'))
      eraser.pass_over(line, i + 1, "a removed line");
    else if (line.text.starts_with('+'))
      eraser.erase(line.begin, 1);
  }
  return eraser.take();
}

// Where every fence that opens is closed, what stands outside of them is prose.
PastedText without_fences(std::string_view text, const std::vector<Line>& lines) {
  Eraser eraser(text);
  const auto fences = std::count_if(lines.begin(), lines.end(), [](const Line& line) { return is_fence(line.text); });
  bool inside = fences % 2 != 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (is_fence(lines[i].text)) {
      eraser.erase(lines[i]);
      inside = fences % 2 != 0 || !inside;
    } else if (!inside && !trimmed(lines[i].text).empty()) {
      eraser.pass_over(lines[i], i + 1, "text around the code");
    }
  }
  return eraser.take();
}

// What the interpreter answered is passed over.
PastedText without_prompts(std::string_view text, const std::vector<Line>& lines) {
  Eraser eraser(text);
  const bool plain = std::any_of(lines.begin(), lines.end(), [](const Line& line) { return line.text.starts_with(">>>"); });
  bool answers = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Line& line = lines[i];
    if (trimmed(line.text).empty()) continue;
    const bool prompts = line.text.starts_with(">>>") || line.text.starts_with("...");
    const std::size_t prompt = plain ? (prompts ? std::min<std::size_t>(4, line.text.size()) : 0) : after_prompt(line.text);
    answers = plain ? prompt == 0 : prompt == 0 && (answers || line.text.starts_with("Out["));
    if (answers)
      eraser.pass_over(line, i + 1, "an answer of the interpreter");
    else
      eraser.erase(line.begin, prompt);
  }
  return eraser.take();
}

}  // namespace

namespace {

// Does the place lie in one of Python's long strings? Examples in those are no marks around the code.
bool in_docstring(std::string_view text, std::size_t at) {
  if (at >= text.size()) return false;
  std::size_t count = 0;
  for (std::size_t i = text.find("\"\"\""); i < at; i = text.find("\"\"\"", i + 3)) ++count;
  return count % 2 != 0;
}

}  // namespace

std::optional<PastedText> without_marks(std::string_view text) {
  const bool fences = text.find("```") != std::string_view::npos;
  const bool prompts = text.find(">>>") != std::string_view::npos || text.find("In [") != std::string_view::npos;
  const bool signs =
      text.starts_with('+') || text.starts_with('-') || text.starts_with(' ') || text.starts_with('@') || text.starts_with("diff ");
  if (!fences && !prompts && !signs) return std::nullopt;
  if (in_docstring(text, std::min(text.find("```"), text.find(">>>")))) return std::nullopt;
  const std::vector<Line> lines = lines_of(text);
  const auto any = [&](auto&& is) { return std::any_of(lines.begin(), lines.end(), is); };
  if (fences && any([](const Line& line) { return is_fence(line.text); })) return without_fences(text, lines);
  if (prompts && any([](const Line& line) { return line.text.starts_with(">>> ") || line.text.starts_with("In ["); }))
    return without_prompts(text, lines);
  if (signs && is_patch(lines)) return without_signs(text, lines);
  return std::nullopt;
}

}  // namespace tessera
