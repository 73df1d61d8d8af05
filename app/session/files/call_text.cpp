// SPDX-License-Identifier: BSD-3-Clause
// A scanner of words, brackets, strings and comments; it knows no grammar.
#include "app/session/files/call_text.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/base/characters.hpp"
#include "core/lang/syntax/division_or_comment.hpp"

namespace tessera {
namespace {

// One piece of the text: a word, a string, a comment, a run of spaces, or a single other character.
struct Piece {
  enum class Kind { word, string, comment, space, sign };
  Kind kind;
  std::size_t begin, end;
};

// `divisions`: the `//` that may divide, and so begin no comment.
Piece next_piece(std::string_view text, std::size_t at, std::span<const std::size_t> divisions) {
  const char c = text[at];
  std::size_t end = at + 1;
  if (is_word(c)) {
    while (end < text.size() && is_word(text[end])) ++end;
    return {Piece::Kind::word, at, end};
  }
  if (c == '"' || c == '\'') {  // a string ends in its line, closed or not, as for the lexer
    while (end < text.size() && text[end] != c && text[end] != '\n') {
      if (text[end] == '\\' && end + 1 < text.size() && text[end + 1] != '\n') ++end;
      ++end;
    }
    return {Piece::Kind::string, at, end < text.size() && text[end] == c ? end + 1 : end};
  }
  if (c == '#' || (text.substr(at).starts_with("//") && !std::binary_search(divisions.begin(), divisions.end(), at))) {
    while (end < text.size() && text[end] != '\n') ++end;
    return {Piece::Kind::comment, at, end};
  }
  if (is_space(c)) {
    while (end < text.size() && is_space(text[end])) ++end;
    return {Piece::Kind::space, at, end};
  }
  return {Piece::Kind::sign, at, text.substr(at).starts_with("//") ? at + 2 : end};
}

std::vector<Piece> pieces_of(std::string_view text) {
  const std::vector<std::size_t> divisions = possible_divisions(text);
  std::vector<Piece> pieces;
  for (std::size_t at = 0; at < text.size(); at = pieces.back().end) pieces.push_back(next_piece(text, at, divisions));
  return pieces;
}

bool is_blank(const Piece& piece) { return piece.kind == Piece::Kind::space || piece.kind == Piece::Kind::comment; }

// The next or previous piece that is neither space nor comment; the size of `pieces` when there is none.
std::size_t solid_from(const std::vector<Piece>& pieces, std::size_t i) {
  while (i < pieces.size() && is_blank(pieces[i])) ++i;
  return i;
}
std::size_t solid_after(const std::vector<Piece>& pieces, std::size_t i) { return solid_from(pieces, i + 1); }
std::size_t solid_before(const std::vector<Piece>& pieces, std::size_t i) {
  while (i-- > 0) {
    if (!is_blank(pieces[i])) return i;
  }
  return pieces.size();
}

// Where the arguments of a call stand in its text.
struct CallPlaces {
  std::size_t close = 0;           // the call's closing bracket
  std::string_view separator;      // between what stands before it and one more argument
  std::optional<SourceSpan> name;  // of the named argument that was looked for
  std::size_t comma_before = 0;    // the comma or bracket before it
  std::size_t value_end = 0;       // after its value
};

std::optional<CallPlaces> find_call(std::string_view text, std::string_view name) {
  const std::vector<Piece> pieces = pieces_of(text);
  const auto sign = [&](std::size_t i) { return i < pieces.size() && pieces[i].kind == Piece::Kind::sign ? text[pieces[i].begin] : '\0'; };
  std::size_t i = solid_from(pieces, 0);
  if (i >= pieces.size() || pieces[i].kind != Piece::Kind::word) return std::nullopt;
  const std::size_t open = solid_after(pieces, i);
  if (sign(open) != '(') return std::nullopt;
  CallPlaces places;
  int depth = 0;
  bool in_named = false;
  std::size_t last_mark = open;  // the comma or bracket that the current argument follows
  for (i = open; i < pieces.size(); ++i) {
    const char c = sign(i);
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    const bool ends_argument = (c == ',' && depth == 1) || depth == 0;
    if (ends_argument && in_named) {
      places.value_end = pieces[solid_before(pieces, i)].end;
      in_named = false;
    }
    if (depth == 0) {
      const std::size_t last = solid_before(pieces, i);
      places.close = pieces[i].begin;
      places.separator = last == open ? "" : sign(last) == ',' ? " " : ", ";
      return solid_after(pieces, i) == pieces.size() ? std::optional(places) : std::nullopt;
    }
    if (c == ',' && depth == 1) last_mark = i;
    const bool first_of_argument = depth == 1 && solid_before(pieces, i) == last_mark && pieces[i].kind == Piece::Kind::word;
    if (first_of_argument && text.substr(pieces[i].begin, pieces[i].end - pieces[i].begin) == name) {
      const std::size_t equals = solid_after(pieces, i);
      if (sign(equals) == '=') {
        places.name = SourceSpan{pieces[i].begin, pieces[equals].end};
        places.comma_before = pieces[last_mark].begin;
        in_named = true;
      }
    }
  }
  return std::nullopt;
}

}  // namespace

bool is_identifier(std::string_view text) {
  if (text.empty() || !is_letter(text.front())) return false;
  for (const char c : text) {
    if (!is_word(c)) return false;
  }
  return true;
}

Result<std::string> with_named_argument(std::string_view call, std::string_view name, std::string_view value) {
  const std::optional<CallPlaces> found = find_call(call, name);
  if (!found) {
    return Error{ErrorCode::wrong_type,
                 fmt::format("\"{}\" can be set on a call such as tv_figure(a, b), and this is none: {}", name, call),
                 {},
                 {}};
  }
  std::string text(call);
  if (found->name) {
    const std::size_t equals_end = found->name->end;
    if (!value.empty()) return text.replace(equals_end, found->value_end - equals_end, value);
    const bool first = text[found->comma_before] != ',';
    std::size_t begin = first ? found->comma_before + 1 : found->comma_before;
    std::size_t end = found->value_end;
    while (first && (text[end] == ',' || is_space(text[end]))) ++end;
    return text.erase(begin, end - begin);
  }
  if (value.empty()) return text;
  return text.insert(found->close, fmt::format("{}{}={}", found->separator, name, value));
}

std::string with_renamed_uses(std::string_view expression, std::string_view from, std::string_view to, bool is_function) {
  const std::vector<Piece> pieces = pieces_of(expression);
  const auto sign = [&](std::size_t i) {
    return i < pieces.size() && pieces[i].kind == Piece::Kind::sign ? expression[pieces[i].begin] : '\0';
  };
  std::string text;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const std::string_view piece = expression.substr(pieces[i].begin, pieces[i].end - pieces[i].begin);
    const std::size_t after = solid_after(pieces, i), before = solid_before(pieces, i);
    const bool named_argument = sign(after) == '=' && sign(after + 1) != '=' && (sign(before) == ',' || sign(before) == '(');
    const bool qualified = sign(after) == ':' && sign(after + 1) == ':';
    const bool member = sign(before) == '.' || (sign(before) == ':' && sign(before - 1) == ':');
    const bool call = is_function && sign(after) == '(';
    const bool use = pieces[i].kind == Piece::Kind::word && piece == from && !named_argument && !qualified && !member && !call;
    text += use ? to : piece;
  }
  return text;
}

std::string open_brackets(std::string_view text) {
  std::string open;
  for (const Piece& piece : pieces_of(text)) {
    if (piece.kind != Piece::Kind::sign) continue;
    const char c = text[piece.begin];
    if (c == '(' || c == '[' || c == '{') open += c;
    if ((c == ')' || c == ']' || c == '}') && !open.empty()) open.pop_back();
  }
  return open;
}

}  // namespace tessera
