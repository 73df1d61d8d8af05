// SPDX-License-Identifier: BSD-3-Clause
// Reading the atoms' tables and names.
#include "core/atom/instructions/atom_text.hpp"

#include <fmt/format.h>

#include <cassert>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera {
namespace {

constexpr int kDeepest = 32;

Error not_read(std::string_view text, std::size_t at, std::string_view wanted) {
  return Error{ErrorCode::parse, fmt::format("\"{}\" is not a layout: expected {} at character {}", text, wanted, at), {}, {}};
}

// Recursive descent over integers, tuples and one colon.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Result<IntTuple> tuple(int depth) {
    skip();
    if (depth > kDeepest) return Error{ErrorCode::limit, fmt::format("a layout nested more than {} deep", kDeepest), {}, {}};
    if (!take('(')) return integer();
    std::vector<IntTuple> modes;
    while (!take(')')) {
      TESSERA_TRY(mode, tuple(depth + 1));
      modes.push_back(std::move(mode));
      skip();
      if (!take(',') && peek() != ')') return not_read(text_, at_, "',' or ')'");
    }
    return IntTuple::tuple(std::move(modes));
  }

  bool take(char c) {
    skip();
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  bool done() {
    skip();
    return at_ == text_.size();
  }
  std::size_t at() const { return at_; }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip() {
    while (peek() == ' ' || peek() == '_') ++at_;  // CuTe prints static integers as _8
  }
  Result<IntTuple> integer() {
    skip();
    const bool negative = peek() == '-';
    if (negative) ++at_;
    const std::size_t begin = at_;
    std::int64_t value = 0;
    while (peek() >= '0' && peek() <= '9' && at_ - begin < 18) value = value * 10 + (text_[at_++] - '0');
    if (at_ == begin) return not_read(text_, at_, "a number");
    return IntTuple(negative ? -value : value);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Result<IntTuple> parse_int_tuple_text(std::string_view text) {
  Reader reader(text);
  TESSERA_TRY(tuple, reader.tuple(0));
  if (!reader.done()) return not_read(text, reader.at(), "the end");
  return tuple;
}

Result<Layout> parse_layout_text(std::string_view text) {
  Reader reader(text);
  TESSERA_TRY(shape, reader.tuple(0));
  if (!reader.take(':')) return not_read(text, reader.at(), "':'");
  TESSERA_TRY(stride, reader.tuple(0));
  if (!reader.done()) return not_read(text, reader.at(), "the end");
  return Layout::make(std::move(shape), std::move(stride));
}

Layout table_layout(std::string_view text) {
  Result<Layout> layout = parse_layout_text(text);
  assert(layout.has_value());
  return std::move(layout).value();
}

bool is_qualifier(std::string_view word) {
  for (const std::string_view each : {"const", "constexpr", "static", "inline", "typename", "class", "struct", "enum"}) {
    if (word == each) return true;
  }
  return false;
}

std::size_t integer_suffix(std::string_view text) {
  for (const std::string_view suffix : {"ull", "llu", "ul", "lu", "ll", "u", "l"}) {
    bool same = text.size() >= suffix.size();
    for (std::size_t i = 0; same && i < suffix.size(); ++i) same = (text[i] | 0x20) == suffix[i];
    if (same) return suffix.size();
  }
  return 0;
}

std::string compact_name(std::string_view text) {
  std::string name;
  const auto is_word = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; };
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end > i) {
      if (const std::string_view word = text.substr(i, end - i); !is_qualifier(word)) name += word;
      i = end;
      continue;
    }
    if (const std::string_view rest = text.substr(i); rest.starts_with("//") || rest.starts_with("/*")) {
      const std::size_t close = rest[1] == '/' ? rest.find('\n') : rest.find("*/", 2);
      i = close == std::string_view::npos ? text.size() : i + close + (rest[1] == '/' ? 1 : 2);
      continue;
    }
    const char c = text[i++];
    if (c != ' ' && c != '\t' && c != '\n' && c != '\r' && c != '&') name.push_back(c);
  }
  for (const std::string_view prefix : {"cutlass::", "cute::"}) {
    for (auto at = name.find(prefix); at != std::string::npos; at = name.find(prefix)) name.erase(at, prefix.size());
  }
  return name;
}

namespace {

// Some compilers print an enumerator as its number: (cute::SM90::GMMA::Major)1 is GMMA::Major::MN.
struct Enumerator {
  std::string_view cast, name;
};
constexpr Enumerator kEnumerators[] = {
    {"GMMA::Major)0", "Major::K"},          {"GMMA::Major)1", "Major::MN"},           {"UMMA::Major)0", "Major::K"},
    {"UMMA::Major)1", "Major::MN"},         {"GMMA::ScaleIn)1", "ScaleIn::One"},      {"GMMA::ScaleIn)-1", "ScaleIn::Neg"},
    {"UMMA::ScaleIn)0", "ScaleIn::One"},    {"UMMA::ScaleIn)1", "ScaleIn::Neg"},      {"UMMA::Saturate)0", "Saturate::False"},
    {"UMMA::Saturate)1", "Saturate::True"}, {"GMMA::SparseSel)0", "SparseSel::Zero"}, {"GMMA::SparseSel)1", "SparseSel::One"},
};

// 128u -> 128, also behind a cast
void drop_integer_suffix(std::string& argument) {
  const std::size_t digits = argument.find_last_of("0123456789");
  if (digits == std::string::npos) return;
  const std::size_t begin = argument.find_last_not_of("0123456789", digits);
  const bool number = begin == std::string::npos || argument[begin] == ')' || argument[begin] == '-';
  if (number && integer_suffix(std::string_view(argument).substr(digits + 1)) + digits + 1 == argument.size()) argument.resize(digits + 1);
}

void name_enumerator(std::string& argument) {
  for (const Enumerator& each : kEnumerators) {
    if (argument.starts_with('(') && argument.ends_with(each.cast)) argument = each.name;
  }
}

}  // namespace

Result<TemplateName> parse_template_name(std::string_view text) {
  const std::string name = compact_name(text);
  TemplateName result;
  const auto open = name.find('<');
  result.op = name.substr(0, open);
  if (open == std::string::npos) return result;
  const auto unbalanced = [&] { return Error{ErrorCode::parse, fmt::format("the angle brackets of \"{}\" do not match", name), {}, {}}; };
  int level = 0;
  std::string arg;
  for (std::size_t i = open + 1; i < name.size(); ++i) {
    const char c = name[i];
    if (c == '<') ++level;
    if (c == '>') --level;
    if (level < 0 && i + 1 != name.size()) return unbalanced();
    if ((c == ',' && level == 0) || level < 0) {
      if (!arg.empty() || c == ',') result.args.push_back(std::move(arg));
      arg.clear();
    } else {
      arg.push_back(c);
    }
  }
  if (level >= 0) return unbalanced();
  for (std::string& a : result.args) {
    drop_integer_suffix(a);
    name_enumerator(a);
    for (const std::string_view prefix : {"SM90::", "SM100::", "GMMA::", "UMMA::"}) {
      if (a.starts_with(prefix)) a.erase(0, prefix.size());
    }
  }
  return result;
}

int parse_count(std::string_view text) {
  const int value = take_count(text);
  return text.empty() ? value : -1;
}

bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

bool take_suffix(std::string_view& text, std::string_view suffix) {
  if (!text.ends_with(suffix)) return false;
  text.remove_suffix(suffix.size());
  return true;
}

int take_count(std::string_view& text) {
  int value = 0;
  std::size_t digits = 0;
  while (digits < text.size() && digits < 9 && text[digits] >= '0' && text[digits] <= '9') value = value * 10 + (text[digits++] - '0');
  text.remove_prefix(digits);
  return digits == 0 ? -1 : value;
}

}  // namespace tessera
