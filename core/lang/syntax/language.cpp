// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/syntax/language.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/characters.hpp"
#include "core/lang/syntax/words.hpp"

namespace tessera {
namespace {

using namespace statement_text;

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// In front of a name these make no declaration: `return x`, `not x`, `let x`.
constexpr std::array<std::string_view, 33> kNoTypes = {"return", "not",   "and",    "or",    "in",     "is",  "if",     "elif",     "else",
                                                       "for",    "while", "lambda", "yield", "await",  "del", "assert", "let",      "param",
                                                       "import", "from",  "with",   "raise", "global", "as",  "except", "nonlocal", "async",
                                                       "goto",   "case",  "new",    "throw", "class",  "o"};
constexpr std::array<std::string_view, 7> kPythonHeads = {"if", "elif", "else", "for", "while", "with", "try"};

// What one line at the left margin, and those that belong to it, say.
struct Evidence {
  std::size_t begin = 0;
  int cpp = 0, python = 0;
  int weak_cpp = 0;     // a ';' at a line's end, which Python allows, too
  bool is_own = false;  // `let`, `param`: in our language whatever stands there
};

class EvidenceReader {
 public:
  explicit EvidenceReader(std::string_view text) : text_(text) { found_.push_back({}); }

  std::vector<Evidence> run() {
    while (at_ < text_.size()) step();
    return std::move(found_);
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  std::string_view rest_of_line() const { return text_.substr(at_, std::min(text_.find('\n', at_), text_.size()) - at_); }
  Evidence& now() { return found_.back(); }

  void step() {
    const char c = text_[at_];
    if (c == '\n') {
      line_begins_ = true;
      ++at_;
      return;
    }
    if (is_space(c)) {
      ++at_;
      return;
    }
    const bool at_margin = at_ == 0 || text_[at_ - 1] == '\n';
    if (at_margin && open_ <= 0 && c != '}' && c != ')' && c != ']') begin_statement();
    const bool first = line_begins_;
    line_begins_ = false;
    if (c == '"' || c == '\'') return string();
    if (c == '#') return hash(first);
    if (c == '/' && peek(1) == '*') return comment();
    if (c == '/' && peek(1) == '/') {
      if (first && open_ <= 0) ++now().weak_cpp;
      at_ += rest_of_line().size();  // code in Python, a comment in C++: no evidence
      return;
    }
    if (is_word(c)) return word(first);
    sign(first);
  }

  void begin_statement() {
    Evidence& made = found_.emplace_back();
    made.begin = at_;
    const std::string_view word = first_word(text_.substr(at_));
    made.is_own = (word == "let" || word == "param") && is_space(peek(word.size()));
  }

  void string() {
    const char quote = text_[at_];
    if (text_.substr(at_, 3) == std::string_view(quote == '"' ? "\"\"\"" : "'''")) {
      bool& unended = quote == '"' ? unended_double_ : unended_single_;  // one that is not found is not looked for again
      const std::size_t end = unended ? std::string_view::npos : text_.find(text_.substr(at_, 3), at_ + 3);
      unended = end == std::string_view::npos;
      ++now().python;
      at_ = end == std::string_view::npos ? at_ + 3 : end + 3;
      return;
    }
    if (quote == '\'' && at_ > 0 && is_digit(text_[at_ - 1]) && is_digit(peek(1))) {  // 1'000
      ++at_;
      return;
    }
    for (++at_; at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n'; ++at_) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n') ++at_;
    }
    if (at_ < text_.size() && text_[at_] == quote) ++at_;
  }

  // A line of the preprocessor, or Python's comment: `#if x:` is one that was code.
  void hash(bool first) {
    const std::string_view line = trimmed(rest_of_line());
    const std::string_view directive = first_word(trimmed(line.substr(1))), behind = trimmed(line.substr(1)).substr(directive.size());
    const bool touches = line.size() > 1 && !is_space(line[1]);
    const bool includes = directive == "include" && (trimmed(behind).starts_with('<') || trimmed(behind).starts_with('"'));
    const bool defines = touches && (directive == "define" || directive == "pragma" || directive == "undef") && !behind.empty();
    const bool decides =
        touches && !line.ends_with(':') && (directive == "ifdef" || directive == "ifndef" || directive == "endif" || directive == "if");
    if (first && (includes || defines || decides)) ++now().cpp;
    at_ += rest_of_line().size();
    while (first && (includes || defines || decides) && at_ > 0 && text_[at_ - 1] == '\\' && at_ < text_.size()) {
      ++at_;
      at_ += rest_of_line().size();
    }
  }

  void comment() {
    const std::size_t end = unended_comment_ ? std::string_view::npos : text_.find("*/", at_ + 2);
    unended_comment_ = end == std::string_view::npos;
    if (unended_comment_) {
      at_ += 2;
      return;
    }
    ++now().cpp;
    at_ = end + 2;
  }

  void sign(bool first) {
    const char c = text_[at_];
    if (c == '@' && first && is_word(peek(1)) && !is_digit(peek(1))) ++now().python;
    if (opens(c)) {
      ++open_;
      brackets_ = c;
    }
    if (closes(c)) --open_;
    const bool behind_name = at_ > 0 && (is_word(text_[at_ - 1]) || text_[at_ - 1] == '>');
    if (c == '{' && peek(1) == '}' && behind_name) ++now().cpp;
    if (c == '-' && peek(1) == '>' && at_ > 0 && is_word(text_[at_ - 1]) && is_word(peek(2))) ++now().cpp;
    if (c == ';' && trimmed(before_slashes(rest_of_line().substr(1))).empty()) ++now().weak_cpp;
    ++at_;
  }
  static std::string_view before_slashes(std::string_view line) {
    return line.substr(0, std::min({line.find("//"), line.find("/*"), line.size()}));
  }

  void word(bool first) {
    std::size_t end = at_;
    while (end < text_.size() && is_word(text_[end])) ++end;
    const std::string_view word = text_.substr(at_, end - at_);
    const bool qualified = at_ > 0 && (text_[at_ - 1] == '.' || text_[at_ - 1] == ':');
    at_ = end;
    const std::string_view behind = rest_of_line(), next = trimmed(behind);
    const std::string_view second = first_word(next);
    const bool name_follows = !second.empty() && !is_digit(second[0]) && next.data() > behind.data();
    if (!qualified) cpp_word(word, behind, next, second, name_follows, first);
    if (!qualified) python_word(word, next, second, name_follows, first);
    if (behind.starts_with("::") && behind.size() > 2 && is_word(behind[2]) && !is_digit(behind[2]) && brackets_ != '[') ++now().cpp;
    const bool text_prefix = word.size() <= 2 && (behind.starts_with('"') || behind.starts_with('\'')) && (word == "f" || word == "rf");
    if (text_prefix) ++now().python;
  }

  void cpp_word(std::string_view word, std::string_view behind, std::string_view next, std::string_view second, bool name_follows,
                bool first) {
    const bool sign_follows = next.starts_with('&') || next.starts_with('*') || next.starts_with('[');
    if (word == "auto" && (name_follows || sign_follows)) ++now().cpp;
    if ((word == "using" || word == "typename" || word == "constexpr" || word == "typedef") && name_follows) ++now().cpp;
    if (word == "template" && next.starts_with('<')) ++now().cpp;
    if ((word == "decltype" || word == "static_assert" || word == "sizeof") && next.starts_with('(')) ++now().cpp;
    if (word.starts_with("CUTE_") && next.starts_with('(')) ++now().cpp;
    // Type name = ..., Type name; at the beginning of a line
    if (!first || !name_follows || is_digit(word[0]) || is_one_of(word, kNoTypes) || is_one_of(second, kNoTypes)) return;
    if (behind.find_first_not_of(" \t") == std::string_view::npos) return;
    const std::string_view third = trimmed(next.substr(second.size()));
    if ((third.starts_with('=') && !third.starts_with("==")) || third.starts_with(';') || third.starts_with('{')) ++now().cpp;
  }

  void python_word(std::string_view word, std::string_view next, std::string_view second, bool name_follows, bool first) {
    const std::string_view line = trimmed(before_hash(next));
    if ((word == "cute" || word == "cutlass" || word == "self") && next.size() > 1 && next[0] == '.' && is_word(next[1])) ++now().python;
    if (word == "lambda" && (name_follows || next.starts_with(':'))) ++now().python;
    if (!first) return;
    if (word == "def" && name_follows && trimmed(next.substr(second.size())).starts_with('(')) ++now().python;
    if (word == "import" && name_follows && !next.ends_with(';')) ++now().python;
    if (word == "from" && next.find(" import ") != std::string_view::npos) ++now().python;
    if (word == "class" && name_follows && line.ends_with(':') && !line.ends_with("::")) ++now().python;
    if (is_one_of(word, kPythonHeads) && line.ends_with(':')) ++now().python;
  }
  static std::string_view before_hash(std::string_view line) { return line.substr(0, std::min(line.find('#'), line.size())); }

  std::string_view text_;
  std::vector<Evidence> found_;
  bool unended_comment_ = false, unended_double_ = false, unended_single_ = false;
  std::size_t at_ = 0;
  int open_ = 0;
  char brackets_ = 0;  // the last that was opened
  bool line_begins_ = true;
};

Dialect said_by(const Evidence& evidence) {
  if (evidence.cpp > evidence.python) return Dialect::cpp;
  return evidence.python > 0 ? Dialect::python : Dialect::ours;
}

}  // namespace

std::optional<Dialect> dialect_of_file(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const std::string_view ending = path.substr(dot + 1);
  if (ending == "py" || ending == "pyi") return Dialect::python;
  constexpr std::array<std::string_view, 11> kCpp = {"cu", "cuh", "cpp", "cc", "cxx", "c", "hpp", "hh", "hxx", "h", "inl"};
  if (is_one_of(ending, kCpp)) return Dialect::cpp;
  return std::nullopt;
}

std::vector<LanguagePart> language_parts(std::string_view text) {
  const std::vector<Evidence> found = EvidenceReader(text).run();
  Evidence all;
  bool any_cpp = false, any_python = false;
  for (const Evidence& each : found) {
    if (each.is_own) continue;
    all.cpp += each.cpp, all.python += each.python, all.weak_cpp += each.weak_cpp;
    any_cpp = any_cpp || said_by(each) == Dialect::cpp;
    any_python = any_python || said_by(each) == Dialect::python;
  }
  if (!any_cpp || !any_python) {
    const bool weakly = all.cpp == 0 && all.python == 0 && all.weak_cpp > 0;
    return {{0, any_cpp || weakly ? Dialect::cpp : any_python ? Dialect::python : Dialect::ours}};
  }
  std::vector<LanguagePart> parts;
  for (const Evidence& each : found) {
    const Dialect said = each.is_own ? Dialect::ours : said_by(each);
    if (said == Dialect::ours || (!parts.empty() && parts.back().dialect == said)) continue;
    parts.push_back({parts.empty() ? 0 : each.begin, said});
  }
  return parts;
}

Dialect dialect_of(std::string_view text) {
  const std::vector<LanguagePart> parts = language_parts(text);
  const bool mixed = parts.size() > 1;
  return mixed ? Dialect::cpp : parts.front().dialect;
}

}  // namespace tessera
