// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/statements/preprocessor.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/characters.hpp"
#include "core/lang/syntax/words.hpp"

namespace tessera {

using statement_text::first_word;

namespace {

using Known = std::optional<std::int64_t>;  // nothing: it is not known

// 900, 0x1F, 201703L
Known number_of(std::string_view text) {
  while (!text.empty() && std::string_view("uUlL").find(text.back()) != std::string_view::npos) text.remove_suffix(1);
  std::string digits;
  for (const char c : text) {
    if (c != '\'') digits += c;
  }
  const bool hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
  std::string_view rest = hexadecimal ? std::string_view(digits).substr(2) : std::string_view(digits);
  if (rest.empty() || rest.size() > 15) return std::nullopt;
  const std::int64_t base = hexadecimal ? 16 : digits.size() > 1 && digits[0] == '0' ? 8 : 10;
  std::int64_t value = 0;
  for (const char c : rest) {
    const std::int64_t digit = c >= '0' && c <= '9'   ? c - '0'
                               : c >= 'a' && c <= 'f' ? c - 'a' + 10
                               : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                      : 16;
    if (digit >= base) return std::nullopt;
    value = value * base + digit;
  }
  return value;
}

class ConditionReader {
 public:
  ConditionReader(std::string_view text, const Macros& macros, std::vector<std::string>& by) : text_(text), macros_(macros), by_(by) {}

  Known read() {
    const Known value = binary(0);
    blanks();
    return at_ == text_.size() && !failed_ ? value : std::nullopt;
  }

 private:
  static constexpr int kDeepest = 64;  // brackets, signs and macros within macros

  struct Operator {
    std::string_view sign;
    int level;
  };
  // Longer signs first; a higher level binds more closely.
  static constexpr Operator kOperators[] = {{"||", 1}, {"&&", 2}, {"==", 6}, {"!=", 6}, {"<=", 7}, {">=", 7},
                                            {"<<", 8}, {">>", 8}, {"<", 7},  {">", 7},  {"+", 9},  {"-", 9},
                                            {"*", 10}, {"/", 10}, {"%", 10}, {"&", 5},  {"^", 4},  {"|", 3}};

  void blanks() {
    while (at_ < text_.size() && (is_space(text_[at_]) || text_[at_] == '\\')) ++at_;
    if (text_.substr(at_, 2) == "//") at_ = text_.size();
    if (text_.substr(at_, 2) != "/*") return;
    const std::size_t end = text_.find("*/", at_);
    at_ = end == std::string_view::npos ? text_.size() : end + 2;
    blanks();
  }
  bool takes(std::string_view sign) {
    blanks();
    if (text_.substr(at_, sign.size()) != sign) return false;
    at_ += sign.size();
    return true;
  }

  Known binary(int least) {
    Known left = unary();
    while (!failed_) {
      blanks();
      const auto* found = std::find_if(std::begin(kOperators), std::end(kOperators),
                                       [&](const Operator& each) { return text_.substr(at_).starts_with(each.sign); });
      if (found == std::end(kOperators) || found->level < least) return left;
      at_ += found->sign.size();
      left = applied(found->sign, left, binary(found->level + 1));
    }
    return std::nullopt;
  }

  // One side may decide what both say: 0 && X.
  static Known applied(std::string_view sign, Known a, Known b) {
    if (sign == "&&") {
      if (a == 0 || b == 0) return 0;
      return a && b ? Known(1) : std::nullopt;
    }
    if (sign == "||") {
      if ((a && *a != 0) || (b && *b != 0)) return 1;
      return a && b ? Known(0) : std::nullopt;
    }
    if (!a || !b) return std::nullopt;
    const auto x = static_cast<std::uint64_t>(*a), y = static_cast<std::uint64_t>(*b);  // which wrap around
    if (sign == "==") return *a == *b;
    if (sign == "!=") return *a != *b;
    if (sign == "<=") return *a <= *b;
    if (sign == ">=") return *a >= *b;
    if (sign == "<") return *a < *b;
    if (sign == ">") return *a > *b;
    if (sign == "+") return static_cast<std::int64_t>(x + y);
    if (sign == "-") return static_cast<std::int64_t>(x - y);
    if (sign == "*") return static_cast<std::int64_t>(x * y);
    if (sign == "&") return static_cast<std::int64_t>(x & y);
    if (sign == "^") return static_cast<std::int64_t>(x ^ y);
    if (sign == "|") return static_cast<std::int64_t>(x | y);
    if (sign == "<<" || sign == ">>") {
      if (*b < 0 || *b > 62 || *a < 0) return std::nullopt;
      return sign == "<<" ? static_cast<std::int64_t>(x << y) : static_cast<std::int64_t>(x >> y);
    }
    if (*b == 0 || *b == -1) return std::nullopt;
    return sign == "/" ? *a / *b : *a % *b;
  }

  Known unary() {
    if (++depth_ > kDeepest) failed_ = true;
    Known made;
    blanks();
    if (failed_ || at_ >= text_.size()) {
      failed_ = true;
    } else if (text_.substr(at_, 2) != "!=" && takes("!")) {
      const Known of = unary();
      if (of) made = *of == 0;
    } else if (takes("-")) {
      const Known of = unary();
      if (of) made = static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(*of));
    } else if (takes("+")) {
      made = unary();
    } else if (takes("~")) {
      const Known of = unary();
      if (of) made = ~*of;
    } else if (takes("(")) {
      made = binary(0);
      failed_ = failed_ || !takes(")");
    } else {
      made = word();
    }
    --depth_;
    return made;
  }

  Known word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_word(text_[at_]) || text_[at_] == '\'')) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (word.empty()) failed_ = true;
    if (word.empty() || !is_letter(word[0])) return number_of(word);
    if (word == "true" || word == "false") return word == "true";
    if (word != "defined") return macro(word);
    const bool open = takes("(");
    blanks();
    const std::string_view name = first_word(text_.substr(at_));
    at_ += name.size();
    failed_ = failed_ || name.empty() || (open && !takes(")"));
    return text_of(name) ? Known(1) : std::nullopt;
  }

  std::optional<std::string_view> text_of(std::string_view name) {
    const auto found = std::find_if(macros_.begin(), macros_.end(), [&](const auto& each) { return each.first == name; });
    if (found == macros_.end()) return std::nullopt;
    if (std::find(by_.begin(), by_.end(), name) == by_.end()) by_.emplace_back(name);
    return found->second;
  }

  Known macro(std::string_view name) {
    blanks();
    if (at_ < text_.size() && text_[at_] == '(') failed_ = true;  // of a macro with parameters nothing is known
    const std::optional<std::string_view> text = text_of(name);
    if (!text || failed_) return std::nullopt;
    ConditionReader inner(*text, macros_, by_);
    inner.depth_ = depth_;
    return inner.read();
  }

  std::string_view text_;
  const Macros& macros_;
  std::vector<std::string>& by_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool failed_ = false;
};

}  // namespace

std::optional<DecidedCondition> decided_condition(std::string_view directive, std::string_view condition, const Macros& macros) {
  DecidedCondition made;
  const bool asks_name = directive == "ifdef" || directive == "ifndef";
  const std::string text = asks_name ? "defined(" + std::string(first_word(condition)) + ")" : std::string(condition);
  const Known value = ConditionReader(text, macros, made.by).read();
  if (!value) return std::nullopt;
  made.holds = (*value != 0) != (directive == "ifndef");
  return made;
}

}  // namespace tessera
