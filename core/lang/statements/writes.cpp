// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/statements/writes.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/characters.hpp"
#include "core/lang/syntax/dialect.hpp"
#include "core/lang/syntax/lexer.hpp"
#include "core/lang/syntax/words.hpp"

namespace tessera {
namespace {

using namespace statement_text;

struct Piece {
  SourceSpan span;
  std::string_view text;
};

// Words (paths are one) and signs; comments and strings are left out.
std::vector<Piece> pieces_of(std::string_view text, SourceSpan span) {
  const Walker walk(text.substr(0, span.end), Dialect::cpp);
  std::vector<Piece> pieces;
  for (std::size_t i = span.begin; i < span.end;) {
    const std::size_t next = std::min(walk.after(i), span.end);
    if (next > i + 1 || is_space(text[i])) {
      i = next;
      continue;
    }
    std::size_t end = i;
    if (is_word(text[i])) {
      while (end < span.end && (is_word(text[end]) || (text[end] == '.' && end + 1 < span.end && is_word(text[end + 1])))) ++end;
    } else {
      const std::string_view rest = text.substr(i, span.end - i);
      for (const std::string_view sign :
           {"<<=", ">>=", "==", "!=", "<=", ">=", "&&", "||", "++", "--", "->", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="}) {
        if (rest.starts_with(sign)) {
          end = i + sign.size();
          break;
        }
      }
      if (end == i) ++end;
    }
    pieces.push_back({{i, end}, text.substr(i, end - i)});
    i = end;
  }
  return pieces;
}

bool is_name(std::string_view piece) { return is_binding_name(first_word(piece)) && !piece.empty(); }
bool ends_operand(std::string_view piece) { return is_word(piece[0]) || piece == ")" || piece == "]" || piece == "}"; }

bool assigns(std::string_view sign) {
  return sign == "=" || (sign.size() >= 2 && sign.back() == '=' && sign != "==" && sign != "!=" && sign != "<=" && sign != ">=");
}

}  // namespace

std::vector<Write> writes_in(std::string_view text, SourceSpan span) {
  std::vector<Write> writes;
  const std::string_view whole = text.substr(span.begin, span.end - span.begin);
  if (whole.find("++") == std::string_view::npos && whole.find("--") == std::string_view::npos && whole.find('=') == std::string_view::npos)
    return writes;
  const std::vector<Piece> pieces = pieces_of(text, span);
  const auto piece = [&](std::size_t i) { return i < pieces.size() ? pieces[i].text : std::string_view(); };
  bool may_skip = false;  // a part that may not be evaluated
  for (const Piece& each : pieces) may_skip = may_skip || each.text == "&&" || each.text == "||" || each.text == "?";
  const auto uses = [&](std::string_view name) {
    return std::count_if(pieces.begin(), pieces.end(), [&](const Piece& each) { return each.text == name; });
  };
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const std::string_view sign = piece(i), before = i > 0 ? piece(i - 1) : std::string_view();
    if (sign == "++" || sign == "--") {
      const bool behind = !before.empty() && is_name(before);
      const std::string_view name = behind ? before : is_name(piece(i + 1)) ? piece(i + 1) : std::string_view();
      Write write{behind ? Write::Kind::behind : Write::Kind::before, std::string(name), std::string(sign), pieces[i].span};
      if (name.empty() || may_skip || uses(name) != 1) write.kind = Write::Kind::uncertain;
      writes.push_back(std::move(write));
    } else if (assigns(sign) && i > 0) {
      const bool designates = before.size() > 1 && before.front() == '.';
      const bool is_default = before == "]" || before == "[" || before == "&" || designates;  // [=], [&, x = y] of a lambda
      if (is_default || (i > 1 && piece(i - 2) == ".")) continue;
      std::size_t last = i - 1;
      while (last > 0 && piece(last) == ")") --last;
      writes.push_back({Write::Kind::uncertain, is_name(piece(last)) ? std::string(piece(last)) : std::string(), {}, pieces[i].span});
    }
  }
  return writes;
}

std::vector<std::string> addressed_in(std::string_view text, SourceSpan span) {
  std::vector<std::string> names;
  if (text.substr(span.begin, span.end - span.begin).find('&') == std::string_view::npos) return names;
  const std::vector<Piece> pieces = pieces_of(text, span);
  for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
    const bool takes = pieces[i].text == "&" && (i == 0 || !ends_operand(pieces[i - 1].text)) && is_name(pieces[i + 1].text);
    if (takes) names.emplace_back(first_word(pieces[i + 1].text));
  }
  return names;
}

}  // namespace tessera
