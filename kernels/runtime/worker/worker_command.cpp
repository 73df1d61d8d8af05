// SPDX-License-Identifier: BSD-3-Clause
// Reads the words of a command line.
#include "kernels/runtime/worker/worker_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera {
namespace {

constexpr std::string_view kActsInShell = ";|&<>()$`\n";         // outside quotes
constexpr std::string_view kActsInDoubleQuotes = "$`";           // inside "..."
constexpr std::string_view kEscapedInDoubleQuotes = "$`\"\\\n";  // a backslash before another character stands for itself

Error refusal(std::string_view text, std::size_t at, std::string why) {
  return Error{ErrorCode::parse,
               fmt::format("the worker command '{}' {}", text, why),
               SourceSpan{at, at + 1},
               {"quote it with '...', or let a shell read the command: \"shell\": true in the settings"}};
}

Error for_a_shell(std::string_view text, std::size_t at) {
  const std::string name = text[at] == '\n' ? "a new line" : fmt::format("an unquoted {}", text[at]);
  return refusal(text, at, fmt::format("has {}, which means something to a shell, and is started without one", name));
}

bool is_assignment(std::string_view word) {
  const std::size_t equals = word.find('=');
  if (equals == 0 || equals == std::string_view::npos || std::isdigit(static_cast<unsigned char>(word[0])) != 0) return false;
  return std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(equals),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

// Reads one word after another from `text`.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  Result<std::vector<std::string>> read() {
    std::vector<std::string> words;
    while (skip_blanks()) {
      if (text_[at_] == '~') return refusal(text_, at_, "has a word that begins with ~, which only a shell expands; write the whole path");
      TESSERA_TRY(word, read_word());
      words.push_back(std::move(word));
    }
    return words;
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t'; }

  bool skip_blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    return at_ < text_.size();
  }

  Result<std::string> read_word() {
    std::string word;
    for (; at_ < text_.size() && !is_blank(text_[at_]); ++at_) {
      const char c = text_[at_];
      if (c == '\'' || c == '"') {
        TESSERA_CHECK(read_quoted(c, word));
      } else if (c == '\\') {
        if (at_ + 1 == text_.size()) return refusal(text_, at_, "ends with a \\ that quotes nothing");
        word += text_[++at_];
      } else if (kActsInShell.find(c) != std::string_view::npos) {
        return for_a_shell(text_, at_);
      } else {
        word += c;
      }
    }
    return word;
  }

  // From one quotation mark to the next.
  Status read_quoted(char mark, std::string& word) {
    const std::size_t begin = at_++;
    for (; at_ < text_.size() && text_[at_] != mark; ++at_) {
      const bool doubled = mark == '"';
      if (doubled && kActsInDoubleQuotes.find(text_[at_]) != std::string_view::npos) return for_a_shell(text_, at_);
      const bool escape =
          doubled && text_[at_] == '\\' && at_ + 1 < text_.size() && kEscapedInDoubleQuotes.find(text_[at_ + 1]) != std::string_view::npos;
      if (escape) ++at_;
      word += text_[at_];
    }
    if (at_ == text_.size()) return refusal(text_, begin, fmt::format("has a {} that is not closed", mark));
    return Done{};
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Result<std::vector<std::string>> split_command(std::string_view text) {
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos)
    return refusal(text.substr(0, zero), zero, "has a zero byte");
  return Words(text).read();
}

Result<std::vector<std::string>> worker_arguments(const std::string& text, bool shell) {
  if (shell) return std::vector<std::string>{"/bin/sh", "-c", text};
  TESSERA_TRY(words, split_command(text));
  const auto command = std::find_if_not(words.begin(), words.end(), is_assignment);
  if (command == words.end()) return Error{ErrorCode::parse, fmt::format("the worker command '{}' names no program", text), {}, {}};
  if (command != words.begin()) words.insert(words.begin(), "env");
  return words;
}

std::string quoted_word(std::string_view word) {
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace tessera
