// SPDX-License-Identifier: BSD-3-Clause
// Reads selections and asks cells for the numbers that they name.
#include "core/diagram/scene/selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/atom/instructions/catalog.hpp"
#include "core/base/characters.hpp"

namespace tessera {

namespace {

struct Spelling {
  std::string_view word;
  Selects what;
};
constexpr Spelling kLetters[] = {{"T", Selects::thread}, {"W", Selects::warp}, {"Q", Selects::quad}, {"V", Selects::value}};
constexpr Spelling kWords[] = {{"row", Selects::row},
                               {"rows", Selects::row},
                               {"col", Selects::col},
                               {"cols", Selects::col},
                               {"column", Selects::col},
                               {"columns", Selects::col},
                               {"m", Selects::m},
                               {"n", Selects::n},
                               {"k", Selects::k},
                               {"offset", Selects::offset},
                               {"offsets", Selects::offset},
                               {"bank", Selects::bank},
                               {"banks", Selects::bank},
                               {"thread", Selects::thread},
                               {"threads", Selects::thread},
                               {"warp", Selects::warp},
                               {"warps", Selects::warp},
                               {"quad", Selects::quad},
                               {"quads", Selects::quad},
                               {"value", Selects::value},
                               {"values", Selects::value}};

// "3", "0-3" or "0..3".
bool read_range(std::string_view text, CellSelector& into) {
  const char* const end = text.data() + text.size();
  const auto [after, bad] = std::from_chars(text.data(), end, into.first);
  if (bad != std::errc() || into.first < 0) return false;
  into.last = into.first;
  if (after == end) return true;
  const std::string_view behind(after, static_cast<std::size_t>(end - after));
  const std::size_t sign = behind.starts_with('-') ? 1 : behind.starts_with("..") ? 2 : 0;
  if (sign == 0) return false;
  const auto [stop, worse] = std::from_chars(after + sign, end, into.last);
  return worse == std::errc() && stop == end && into.last >= into.first;
}

// "(2,5)", "(0-3,5)", "sA(2,5)".
bool read_coordinate(std::string_view text, CellSelector& into) {
  const std::size_t open = text.find('(');
  if (open == std::string_view::npos || !text.ends_with(')')) return false;
  const std::string_view panel = text.substr(0, open);
  if (!std::all_of(panel.begin(), panel.end(), is_word) || (!panel.empty() && !is_letter(panel.front()))) return false;
  text = text.substr(open + 1, text.size() - open - 2);
  const std::size_t comma = text.find(',');
  CellSelector row, col;
  if (comma == std::string_view::npos || !read_range(text.substr(0, comma), row) || !read_range(text.substr(comma + 1), col)) return false;
  into.what = Selects::coordinate;
  into.first = row.first;
  into.last = row.last;
  into.first_col = col.first;
  into.last_col = col.last;
  into.panel = panel;
  return true;
}

std::optional<CellSelector> read_one(std::string_view text) {
  CellSelector made;
  made.text = std::string(text);
  if (read_coordinate(text, made)) return made;
  for (const Spelling& letter : kLetters) {
    made.what = letter.what;
    if (text.starts_with(letter.word) && read_range(text.substr(1), made)) return made;
  }
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) return std::nullopt;
  for (const Spelling& word : kWords) {
    made.what = word.what;
    if (text.substr(0, equals) == word.word && read_range(text.substr(equals + 1), made)) return made;
  }
  return std::nullopt;
}

Error no_selector(std::string_view text, std::string_view parameter) {
  const std::string_view word = text.substr(0, text.find('='));
  std::vector<std::string> known;
  for (const Spelling& each : kWords) known.emplace_back(each.word);
  std::string note = "selectors are T3, T0-3, W1, Q2, V0, (2,5), A(0-3,5), rows=0-3, cols=4, m=0-7, n=0-7, k=0-15, offsets=0-31 and bank=3";
  if (const auto near = nearest_names(word, known, 1); text.find('=') != std::string_view::npos && !near.empty() && near.front() != word)
    note += fmt::format("; the nearest to {} is {}", word, near.front());
  return Error{ErrorCode::parse, fmt::format("{}: '{}' selects nothing that is known", parameter, text), {}, {std::move(note)}};
}

// A whole list in parentheses, (T0,W1), is the list; (2,5) is a coordinate.
std::string_view without_parentheses(std::string_view text) {
  CellSelector coordinate;
  if (!text.starts_with('(') || text.find(')') + 1 != text.size() || read_coordinate(text, coordinate)) return text;
  return text.substr(1, text.size() - 2);
}

// Blanks go around - = .. and inside parentheses, so that what is left of them separates.
std::string without_blanks_inside(std::string_view text) {
  std::string out;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c != ' ') {
      out += c;
      continue;
    }
    const std::size_t next = text.find_first_not_of(' ', i);
    const bool glued = (!out.empty() && std::string_view("-=.").find(out.back()) != std::string_view::npos) ||
                       (next != std::string_view::npos && std::string_view("-=.").find(text[next]) != std::string_view::npos);
    if (depth == 0 && !glued) out += ' ';
  }
  return out;
}

bool within(std::int64_t n, const CellSelector& selector) { return n >= selector.first && n <= selector.last; }

}  // namespace

Result<Selection> read_selection(std::string_view written, std::string_view parameter) {
  const std::string text = without_blanks_inside(written);
  std::string_view rest = text;
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  while (rest.ends_with(' ')) rest.remove_suffix(1);
  rest = without_parentheses(rest);
  Selection made;
  while (!rest.empty()) {
    std::size_t end = 0;
    for (int depth = 0; end < rest.size() && (depth > 0 || (rest[end] != ',' && rest[end] != ' ')); ++end)
      depth += rest[end] == '(' ? 1 : rest[end] == ')' ? -1 : 0;
    const std::string_view item = rest.substr(0, end);
    rest.remove_prefix(std::min(rest.size(), end + 1));
    if (item.empty()) continue;
    std::optional<CellSelector> one = read_one(item);
    // rows=0,2,5: a number alone is one more of the same.
    if (CellSelector more; !one && !made.empty() && made.back().what != Selects::coordinate && read_range(item, more)) {
      more.what = made.back().what;
      more.text = fmt::format("{}{}", spelling(more.what), item);
      one = std::move(more);
    }
    if (!one) return no_selector(item, parameter);
    made.push_back(std::move(*one));
  }
  return made;
}

bool names_owners(Selects what) {
  return what == Selects::thread || what == Selects::warp || what == Selects::quad || what == Selects::value;
}

Result<std::optional<std::pair<std::int64_t, std::int64_t>>> read_coordinate(std::string_view text, std::string_view parameter) {
  using Found = std::optional<std::pair<std::int64_t, std::int64_t>>;
  TESSERA_TRY(selection, read_selection(text, parameter));
  if (selection.size() != 1 || selection.front().what != Selects::coordinate) return Found();
  const CellSelector& of = selection.front();
  if (of.first != of.last || of.first_col != of.last_col) return Found();
  return Found(std::pair{of.first, of.first_col});
}

bool selects(const Selection& selection, const Owner& owner) {
  return std::any_of(selection.begin(), selection.end(), [&](const CellSelector& each) {
    if (!names_owners(each.what) || owner.thread < 0) return false;
    Subject subject;
    subject.thread = owner.thread;
    subject.value = owner.value;
    return within(number_of({subject}, each.what), each);
  });
}

CellNumbers numbers_of(const Panel& panel, const GridColumns& grid, bool several) {
  return {{}, panel.operand, several, grid.place == GridColumns::Place::transposed, panel.id};
}

bool has_several_operands(const Scene& scene) {
  return std::count_if(scene.panels.begin(), scene.panels.end(), [](const Panel& p) { return p.operand != PanelOperand::none; }) > 1;
}

std::int64_t number_of(const CellNumbers& cell, Selects what) {
  const Subject& s = cell.subject;
  const bool b = cell.operand == PanelOperand::b, operand = cell.operand != PanelOperand::none;
  switch (what) {
    case Selects::thread: return s.thread;
    case Selects::warp: return s.thread < 0 ? -1 : s.thread / 32;
    case Selects::quad: return s.thread < 0 ? -1 : s.thread / 4;
    case Selects::value: return s.value;
    case Selects::coordinate: return -1;
    case Selects::row: return cell.several ? number_of(cell, Selects::m) : cell.transposed ? s.col : s.row;
    case Selects::col: return cell.several ? number_of(cell, Selects::n) : cell.transposed ? s.row : s.col;
    case Selects::m: return operand && !b ? s.row : -1;
    case Selects::n: return b ? s.row : cell.operand == PanelOperand::c ? s.col : -1;
    case Selects::k: return operand && cell.operand != PanelOperand::c ? s.col : -1;
    case Selects::offset: return s.address;
    case Selects::bank: return s.bank;
  }
  return -1;
}

std::optional<Selects> selects_of(std::string_view word) {
  const auto found = std::find_if(std::begin(kWords), std::end(kWords), [&](const Spelling& each) { return each.word == word; });
  return found == std::end(kWords) ? std::nullopt : std::optional(found->what);
}

std::string_view spelling(Selects what) {
  switch (what) {
    case Selects::thread: return "T";
    case Selects::warp: return "W";
    case Selects::quad: return "Q";
    case Selects::value: return "V";
    case Selects::coordinate: return "";
    case Selects::row: return "rows=";
    case Selects::col: return "cols=";
    case Selects::m: return "m=";
    case Selects::n: return "n=";
    case Selects::k: return "k=";
    case Selects::offset: return "offsets=";
    case Selects::bank: return "banks=";
  }
  return "";
}

}  // namespace tessera
