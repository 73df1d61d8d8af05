// SPDX-License-Identifier: BSD-3-Clause
// Rules of suggest.hpp about characters: signs of word processors and of other languages, brackets that are not closed, commas.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/utf8.hpp"
#include "core/lang/programs/likely.hpp"
#include "core/lang/suggest/rules.hpp"

namespace tessera::mistakes {
namespace {

struct LookAlike {
  char32_t code;
  std::string_view meant;
};
constexpr LookAlike kLookAlikes[] = {
    {0x2212, "-"},   {0x2010, "-"},   {0x2011, "-"},   {0x2012, "-"},   {0x2013, "-"},  {0x2014, "-"},   {0x2015, "-"},  // dashes
    {0x201c, "\""},  {0x201d, "\""},  {0x201e, "\""},  {0x00ab, "\""},  {0x00bb, "\""}, {0x2033, "\""},                  // quotes
    {0x2018, "'"},   {0x2019, "'"},   {0x201a, "'"},   {0x2032, "'"},   {0x0060, "'"},  {0x00b4, "'"},   {0x00d7, "x"},
    {0x2715, "x"},   {0x2a09, "x"},  // 4 x 8
    {0x00b7, "*"},   {0x22c5, "*"},   {0x2217, "*"},   {0x00f7, "/"},   {0x2215, "/"},  {0x25e6, " o "}, {0x2022, " o "},
    {0x2219, " o "}, {0x25cb, " o "}, {0x26ac, " o "}, {0x00b0, " o "},  // composition
    {0x2236, ":"},   {0xa789, ":"},   {0x02d0, ":"},   {0x3001, ","},   {0x060c, ","},  {0x201a, ","},   {0x27e8, "<"},
    {0x27e9, ">"},   {0x2329, "<"},   {0x232a, ">"},   {0x3008, "<"},   {0x3009, ">"},  {0x2039, "<"},   {0x203a, ">"},
    {0x2264, "<="},  {0x2265, ">="},  {0x2260, "!="},  {0x2192, "->"},  {0x21a6, "->"}, {0x2026, "..."}, {0x00a0, " "},
    {0x2002, " "},   {0x2003, " "},   {0x2007, " "},   {0x2009, " "},   {0x202f, " "},  {0x3000, " "},                  // blanks
    {0x200b, ""},    {0x200c, ""},    {0x200d, ""},    {0x2060, ""},    {0xfeff, ""},   {0x200e, ""},    {0x200f, ""},  // nothing to be
                                                                                                                        // seen
};

// What a character looks like in ASCII, and nothing where it looks like nothing there.
std::optional<std::string> ascii_of(char32_t code) {
  if (code >= 0xff01 && code <= 0xff5e) return std::string(1, static_cast<char>(code - 0xfee0));  // full-width forms
  const auto found = std::find_if(std::begin(kLookAlikes), std::end(kLookAlikes), [&](const LookAlike& each) { return each.code == code; });
  if (found == std::end(kLookAlikes)) return std::nullopt;
  return std::string(found->meant);
}

}  // namespace

// （4，8）, “half_t”, −1: what word processors and pages make of a text.
void plain_characters(const Mistake& mistake, Ideas& ideas) {
  std::vector<Edit> edits;
  std::string first;
  for (std::size_t at = 0; at < mistake.text.size();) {
    const Utf8Character here = first_character(mistake.text.substr(at));
    const SourceSpan span{at, at + here.length};
    at += here.length;
    const std::optional<std::string> meant = here.code == '`' || here.code >= 0x80 ? ascii_of(here.code) : std::nullopt;
    if (!meant) continue;
    if (first.empty()) {
      first = fmt::format("the sign U+{:04X} only looks like '{}'", static_cast<std::uint32_t>(here.code), without_blanks(*meant));
      if (without_blanks(*meant).empty()) first = fmt::format("here stands the blank U+{:04X}", static_cast<std::uint32_t>(here.code));
    }
    const bool apart = span.begin > 0 && mistake.text[span.begin - 1] == ' ' && at < mistake.text.size() && mistake.text[at] == ' ';
    edits.push_back({span, apart ? without_blanks(*meant) : *meant});
  }
  if (edits.empty()) return;
  // Quotes around all of it say nothing.
  const bool quoted = edits.size() >= 2 && (edits.front().text == "\"" || edits.front().text == "'") && edits.front().span.begin == 0 &&
                      edits.back().text == edits.front().text && edits.back().span.end == mistake.text.size();
  if (quoted) {
    std::vector<Edit> bare = edits;
    bare.front().text.clear();
    bare.back().text.clear();
    ideas.add(std::move(bare), "an expression needs no quotes");
  }
  ideas.add(std::move(edits), first);
}

namespace {

// A closing bracket that does not fit, one too many, and one that is missing: where it belongs is where the text can be read then.
void brackets(const Mistake& mistake, Ideas& ideas) {
  std::vector<std::size_t> open;
  const auto closing = [&](std::size_t opener) { return mistake.is(opener, '(') ? ')' : mistake.is(opener, '[') ? ']' : '}'; };
  for (std::size_t i = 0; i < mistake.tokens.size(); ++i) {
    if (mistake.is_opener(i)) open.push_back(i);
    if (!mistake.is_closer(i)) continue;
    const SourceSpan span = mistake.tokens[i].span;
    if (open.empty()) {
      ideas.replace(span, "", fmt::format("the '{}' at character {} closes nothing", mistake.word(i), span.begin + 1));
      ideas.replace({0, 0}, "(", "a '(' is missing at the front");
      return;
    }
    const char wanted = closing(open.back());
    if (!mistake.is(i, wanted)) {
      ideas.replace(span, std::string(1, wanted), fmt::format("'{}' is closed by '{}'", mistake.word(open.back()), wanted));
      ideas.replace({span.begin, span.begin}, std::string(1, wanted),
                    fmt::format("a '{}' is missing at character {}", wanted, span.begin + 1));
      return;
    }
    open.pop_back();
  }
  if (open.empty()) return;
  const std::string wanted(1, closing(open.back()));
  const auto behind = [&](std::size_t i) {  // a token, which the bracket then follows
    const std::size_t at = mistake.tokens[i].span.end;
    ideas.replace({at, at}, wanted, fmt::format("a '{}' is missing behind {}, at character {}", wanted, mistake.word(i), at + 1));
  };
  std::string all;
  for (auto each = open.rbegin(); each != open.rend(); ++each) all += closing(*each);
  const std::size_t last = mistake.tokens.size() - 1;
  for (std::size_t i = open.front() + 1; i < last; ++i) {  // a shape that runs into its ':' inside of brackets
    if (mistake.is(i + 1, ':') && !mistake.is_closer(i) && mistake.ends_operand(i)) behind(i);
  }
  const bool needless = open.front() == 0;  // nothing is called by the first bracket
  for (std::size_t i = open.front() + 1; i < last; ++i) {
    if (mistake.is(i + 1, ':') && mistake.is_closer(i)) behind(i);
  }
  if (needless && open.size() == 1 && mistake.is_closer(last))
    ideas.replace(mistake.tokens[0].span, "", "the '(' at character 1 is never closed, and nothing needs it");
  const std::size_t end = mistake.tokens[last].span.end;
  ideas.replace({end, end}, all, fmt::format("'{}' is missing at the end, behind character {}", all, end));
  for (std::size_t i = open.front() + 1; i < last; ++i) {
    if (mistake.is(i + 1, ',')) behind(i);
  }
}

// (4;8), (4 8), (4,,8), (,4): one comma stands between two elements.
void commas(const Mistake& mistake, Ideas& ideas) {
  std::vector<Edit> blanks, doubled;
  for (std::size_t i = 0; i < mistake.tokens.size(); ++i) {
    const SourceSpan span = mistake.tokens[i].span;
    const bool inside = mistake.within[i] != kNone;
    if (mistake.is(i, ';') && inside) ideas.replace(span, ",", "',' stands between the elements of a tuple, not ';'");
    if (mistake.is(i, ',') && (mistake.is(i + 1, ',') || mistake.is_opener(i - 1))) doubled.push_back({span, ""});
    if (mistake.tokens.size() == 2 && mistake.is_integer(0) && mistake.is_integer(1) && i == 0 && span.end < mistake.tokens[1].span.begin)
      ideas.replace({span.begin, mistake.tokens[1].span.end}, fmt::format("({},{})", mistake.word(0), mistake.word(1)),
                    "',' stands between the elements of a tuple");
    const bool apart = inside && i + 1 < mistake.tokens.size() && span.end < mistake.tokens[i + 1].span.begin;
    if (apart && mistake.is_integer(i) && mistake.is_integer(i + 1) && mistake.within[i + 1] == mistake.within[i])
      blanks.push_back({{span.end, mistake.tokens[i + 1].span.begin}, ","});
  }
  if (!blanks.empty()) ideas.add(std::move(blanks), "',' stands between the elements of a tuple");
  if (!doubled.empty()) ideas.add(std::move(doubled), "one ',' stands between two elements");
}

// (4,8)::(8,1), (4,8)/(8,1), (4,8)->(8,1), (4,8)(8,1): between shape and stride stands ':'.
void colon(const Mistake& mistake, Ideas& ideas) {
  constexpr std::string_view kMeant = "':' stands between a shape and its stride";
  for (std::size_t i = 1; i + 1 < mistake.tokens.size(); ++i) {
    const SourceSpan span = mistake.tokens[i].span;
    const bool between = mistake.is_closer(i - 1) && mistake.is_opener(i + 1);
    const std::string_view word = mistake.word(i);
    if (word == "->" && mistake.within[i] != kNone) ideas.replace(span, ",", "',' stands between the arguments of a call");
    if (between && (word == "=" || word == "/" || word == "|" || word == "->" || word == ";" || word == "@" || word == "."))
      ideas.replace(span, ":", std::string(kMeant));
    if (mistake.is(i, ':') && mistake.is(mistake.within[i], '<'))
      ideas.replace(span, ",", "',' stands between the arguments of a template");
    if (mistake.is(i, ':') && mistake.is(i + 1, ':')) ideas.replace({span.begin, mistake.tokens[i + 1].span.end}, ":", std::string(kMeant));
  }
}

// {4,8}:{8,1}: C++ makes values by braces, a tuple stands in parentheses.
void braces(const Mistake& mistake, Ideas& ideas) {
  std::vector<Edit> edits;
  for (std::size_t i = 0; i < mistake.tokens.size(); ++i) {
    if (mistake.is(i, '{')) edits.push_back({mistake.tokens[i].span, "("});
    if (mistake.is(i, '}')) edits.push_back({mistake.tokens[i].span, ")"});
  }
  if (!edits.empty()) ideas.add(std::move(edits), "a tuple stands in parentheses");
}

// `(4,8):(8,1).` and `...;;`: what ends a sentence ends no expression.
void trailing(const Mistake& mistake, Ideas& ideas) {
  std::size_t last = mistake.tokens.size();
  while (last > 0 && (mistake.is(last - 1, '.') || mistake.is(last - 1, ';') || mistake.is(last - 1, ',') || mistake.is(last - 1, '=')))
    --last;
  if (last == mistake.tokens.size() || last == 0) return;
  const SourceSpan span{mistake.tokens[last].span.begin, mistake.tokens.back().span.end};
  ideas.replace(span, "", fmt::format("nothing follows the expression: '{}' is too much", mistake.of(span)));
}

// let x (4,8), x := 4, assert a = b, f(let x = 4).
void statements(const Mistake& mistake, Ideas& ideas) {
  for (std::size_t i = 0; i < mistake.tokens.size(); ++i) {
    const SourceSpan span = mistake.tokens[i].span;
    if (mistake.is(i, ':') && mistake.is(i + 1, '=')) {
      const SourceSpan both{span.begin, mistake.tokens[i + 1].span.end};
      ideas.replace(both, "=", "a name is given its value by '='");
      if (i == 1) ideas.add({{{0, 0}, "let "}, {both, "="}}, "a binding reads: let name = expression");
    }
    if (mistake.word(i) == "let" && mistake.is_name(i + 1)) {
      const std::size_t behind = mistake.tokens[i + 1].span.end;
      if (mistake.within[i] != kNone && mistake.is(i + 2, '='))
        ideas.replace({span.begin, i + 3 < mistake.tokens.size() ? mistake.tokens[i + 3].span.begin : mistake.tokens[i + 2].span.end}, "",
                      "inside of an expression nothing is bound: the value alone stands there");
      else if (mistake.within[i] == kNone && i + 2 < mistake.tokens.size() && !mistake.is(i + 2, '='))
        ideas.replace({behind, behind}, " =", "a binding reads: let name = expression");
      else if (mistake.within[i] == kNone && i + 2 == mistake.tokens.size())
        ideas.replace({behind, behind}, fmt::format(" = {}", likely_values(mistake.word(i + 1)).front()->text),
                      "a binding reads: let name = expression");
    }
    const bool compares = mistake.is(i, '=') && (mistake.word(0) == "assert" || mistake.word(0) == "static_assert");
    const bool at_end_of_value =
        mistake.is(i, '=') && mistake.within[i] == kNone && i > 0 && mistake.ends_operand(i - 1) && !mistake.is_name(i - 1);
    if (compares || at_end_of_value) ideas.replace(span, "==", "'=' gives a name its value; '==' compares");
  }
}

// (4.0,8), and (4.8) where (4,8) is meant.
void whole_numbers(const Mistake& mistake, Ideas& ideas) {
  for (std::size_t i = 0; i < mistake.tokens.size(); ++i) {  // letters that look like digits
    const std::string_view word = mistake.word(i);
    const bool one = word == "l" || word == "I", zero = word == "O";
    const auto number = [&](std::size_t k) { return mistake.is_integer(k) && mistake.within[k] == mistake.within[i]; };
    const bool among_numbers = (i > 1 && mistake.is(i - 1, ',') && number(i - 2)) || (mistake.is(i + 1, ',') && number(i + 2));
    if ((one || zero) && among_numbers)
      ideas.replace(mistake.tokens[i].span, one ? "1" : "0", fmt::format("here stands the letter {}, not a digit", word));
  }
  std::vector<Edit> edits, commas;
  for (const Token& token : mistake.tokens) {
    if (token.kind != Token::Kind::real) continue;
    const std::string_view word = mistake.of(token.span);
    const std::size_t point = word.find('.');
    if (point == std::string_view::npos) return;
    if (word.find_first_not_of('0', point + 1) == std::string_view::npos) {
      edits.push_back({token.span, std::string(word.substr(0, point))});
    } else if (point > 0 && point + 1 < word.size()) {
      commas.push_back({token.span, fmt::format("{},{}", word.substr(0, point), word.substr(point + 1))});
    }
  }
  if (!edits.empty()) ideas.add(std::move(edits), "extents and strides are whole numbers");
  if (!commas.empty()) ideas.add(std::move(commas), "',' stands between the elements of a tuple, '.' makes a fraction");
}

// "(4,8):(8,1)" as an argument: a layout is no string.
void quotes(const Mistake& mistake, Ideas& ideas) {
  for (const Token& token : mistake.tokens) {
    if (token.kind == Token::Kind::text && token.span.end - token.span.begin > 2)
      ideas.replace(token.span, std::string(mistake.of({token.span.begin + 1, token.span.end - 1})), "an expression needs no quotes");
  }
}

constexpr Rule kRules[] = {plain_characters, brackets, commas, colon, statements, braces, trailing, whole_numbers, quotes};

}  // namespace

std::span<const Rule> text_rules() { return kRules; }

}  // namespace tessera::mistakes
