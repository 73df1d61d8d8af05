// SPDX-License-Identifier: BSD-3-Clause
// Rules of suggest.hpp about what stands in which brackets: tuples without theirs, arguments without theirs or in another order.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/lang/builtins/builtins.hpp"
#include "core/lang/programs/evaluate.hpp"
#include "core/lang/suggest/rules.hpp"

namespace tessera::mistakes {
namespace {

constexpr std::string_view kTuple = "the numbers of one tuple stand in parentheses of their own";

bool is_function(std::string_view name) {
  for (std::string_view prefix : {"cute.", "cute::", "::cute::"}) {
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  }
  return find_builtin(name) != nullptr;
}

std::string in_parentheses(std::string_view text) { return fmt::format("({})", text); }

// The tokens [first, last) on one level, cut at those that `cuts`.
struct Part {
  std::size_t first, last;
};
template <class Cuts>
std::vector<Part> parts(Part whole, Cuts cuts) {
  std::vector<Part> made;
  std::size_t begin = whole.first;
  for (std::size_t i = whole.first; i <= whole.last; ++i) {
    if (i < whole.last && !cuts(i)) continue;
    made.push_back({begin, i});
    begin = i + 1;
  }
  return made;
}

SourceSpan span_of(const Mistake& mistake, Part part) {
  return {mistake.tokens[part.first].span.begin, mistake.tokens[part.last - 1].span.end};
}

// The tokens between a bracket and its partner; of kNone all.
Part inside(const Mistake& mistake, std::size_t opener) {
  if (opener == kNone) return {0, mistake.tokens.size()};
  return {opener + 1, mistake.partner[opener] == kNone ? mistake.tokens.size() : mistake.partner[opener]};
}

// 4,8:8,1, also as the argument of a call: around each side of the ':' parentheses are missing.
void bare_tuples(const Mistake& mistake, Ideas& ideas) {
  for (std::size_t opener = kNone; opener == kNone || opener < mistake.tokens.size(); opener = opener == kNone ? 0 : opener + 1) {
    if (opener != kNone && (!mistake.is_opener(opener) || mistake.partner[opener] == kNone)) continue;
    const Part whole = inside(mistake, opener);
    const auto on_level = [&](std::size_t i, char symbol) { return mistake.is(i, symbol) && mistake.within[i] == opener; };
    const std::vector<Part> sides = parts(whole, [&](std::size_t i) { return on_level(i, ':'); });
    if (sides.size() > 2) continue;
    std::vector<Edit> edits;
    for (const Part& side : sides) {
      const std::vector<Part> elements = parts(side, [&](std::size_t i) { return on_level(i, ','); });
      const bool whole_elements = std::all_of(elements.begin(), elements.end(), [](const Part& each) { return each.first < each.last; });
      if (elements.size() < 2 || !whole_elements) continue;
      edits.push_back({span_of(mistake, side), in_parentheses(mistake.of(span_of(mistake, side)))});
    }
    if (edits.empty() || (opener != kNone && sides.size() < 2)) continue;
    ideas.add(std::move(edits), std::string(kTuple));
  }
}

// 4x8 is the shape (4,8).
void extents(const Mistake& mistake, Ideas& ideas) {
  for (std::size_t i = 0; i + 1 < mistake.tokens.size(); ++i) {
    const std::string rest = lower(mistake.word(i + 1));
    const bool adjacent = mistake.is_integer(i) && mistake.tokens[i].span.end == mistake.tokens[i + 1].span.begin;
    std::string numbers(mistake.word(i));
    SourceSpan span = mistake.tokens[i].span;
    if (adjacent && rest.size() > 1 && rest.find_first_not_of("0123456789x") == std::string::npos && rest[0] == 'x' && rest.back() != 'x') {
      numbers += rest;
      span.end = mistake.tokens[i + 1].span.end;
    } else if (mistake.is_integer(i) && rest == "x" && mistake.is_integer(i + 2)) {
      numbers += fmt::format("x{}", mistake.word(i + 2));
      span.end = mistake.tokens[i + 2].span.end;
    } else {
      continue;
    }
    std::replace(numbers.begin(), numbers.end(), 'x', ',');
    const std::string meant = fmt::format("the shape of {} is ({})", mistake.of(span), numbers);
    const std::size_t behind = span.end == mistake.tokens[i + 1].span.end ? i + 2 : i + 3;
    const bool alone = i > 0 && mistake.is(i - 1, '(') && mistake.is(behind, ')') && (i == 1 || !mistake.is_name(i - 2));
    ideas.replace(span, alone ? numbers : in_parentheses(numbers), meant);
  }
}

// coalesce (4,8):(1,4), size 4:1: all of the layout is the argument.
void whole_argument(const Mistake& mistake, Ideas& ideas) {
  for (std::size_t i = 0; i + 1 < mistake.tokens.size(); ++i) {
    if (!mistake.is_name(i) || !is_function(mistake.word(i)) || !mistake.begins_operand(i + 1)) continue;
    const std::size_t level = mistake.within[i];
    const std::size_t last = level == kNone                    ? mistake.tokens.size()
                             : mistake.partner[level] == kNone ? mistake.tokens.size()
                                                               : mistake.partner[level];
    std::size_t end = i + 1;
    bool colon = false;
    for (; end < last; ++end) {
      if (mistake.within[end] != level) continue;
      colon = colon || mistake.is(end, ':');
      if (mistake.is(end, ',') || mistake.is(end, ';')) break;
    }
    const bool has_brackets = mistake.is(i + 1, '(');
    if (end <= i + 1 || (has_brackets && !colon)) continue;
    const SourceSpan argument = span_of(mistake, {i + 1, end});
    ideas.replace({mistake.tokens[i].span.end, argument.end}, in_parentheses(mistake.of(argument)),
                  fmt::format("the whole layout is the argument of {}", mistake.word(i)));
  }
}

// f(4,8) where f takes one tuple, make_layout((4,8),8,1), make_tiled_mma(atom, 2,2,1).
void tuple_arguments(const Mistake& mistake, Ideas& ideas) {
  for (std::size_t i = 0; i < mistake.tokens.size(); ++i) {
    const bool behind_name = i > 0 && (mistake.is_name(i - 1) || (mistake.is(i - 1, '>') && mistake.partner[i - 1] != kNone));
    const bool called = mistake.is(i, '(') && behind_name && mistake.partner[i] != kNone;
    if (!called) continue;
    const std::vector<Part> elements =
        parts(inside(mistake, i), [&](std::size_t at) { return mistake.is(at, ',') && mistake.within[at] == i; });
    const auto is_number = [&](const Part& part) {
      const bool static_number =
          part.last == part.first + 1 && (mistake.is_integer(part.first) || mistake.tokens[part.first].kind == Token::Kind::underscore);
      return static_number;
    };
    for (std::size_t from = 0; from < elements.size();) {
      std::size_t to = from;
      while (to < elements.size() && is_number(elements[to])) ++to;
      if (to >= from + 2) {
        const SourceSpan run = span_of(mistake, {elements[from].first, elements[to - 1].last});
        ideas.replace(run, in_parentheses(mistake.of(run)), std::string(kTuple));
      }
      from = std::max(to, from + 1);
    }
  }
}

// (4,8)(8,1) lacks its ':'; (4,8):(8,1)(1,2), (4,8):(8,1)[0] and (4,8):(8,1).shape mean the layout, not its stride.
void layout_before_postfix(const Mistake& mistake, Ideas& ideas) {
  for (std::size_t i = 0; i + 1 < mistake.tokens.size(); ++i) {
    if (!mistake.is_closer(i)) continue;
    const bool postfix = mistake.is(i + 1, '(') || mistake.is(i + 1, '[') || mistake.is(i + 1, '.');
    if (!postfix) continue;
    // Back to where the pair begins on this level.
    std::size_t begin = i, colons = 0;
    for (std::size_t at = i + 1; at-- > 0;) {
      if (mistake.within[at] != mistake.within[i]) {
        if (at == mistake.within[i]) break;
        continue;
      }
      if (mistake.is(at, ',') || mistake.is(at, '=') || mistake.word(at) == "o") break;
      colons += mistake.is(at, ':') ? 1 : 0;
      begin = at;
    }
    const SourceSpan pair{mistake.tokens[begin].span.begin, mistake.tokens[i].span.end};
    const std::size_t opener = mistake.partner[i];
    const bool tuple = opener != kNone && (opener == 0 || !mistake.is_name(opener - 1));
    if (colons == 1)
      ideas.replace(pair, in_parentheses(mistake.of(pair)), "parentheses around the layout: what follows would belong to its stride alone");
    if (colons == 0 && tuple && mistake.is(i + 1, '(') && mistake.partner[i + 1] != kNone && mistake.error.code == ErrorCode::wrong_type) {
      // ((4,8):(8,1))((2,2):(1,2)): a layout of a layout
      const std::vector<SourceSpan> inner = mistake.elements(opener);
      const SourceSpan argument{mistake.tokens[i + 1].span.end, mistake.tokens[mistake.partner[i + 1]].span.begin};
      const SourceSpan both{mistake.tokens[opener].span.begin, mistake.tokens[mistake.partner[i + 1]].span.end};
      const bool layouts = inner.size() == 1 && mistake.of(inner[0]).find(':') != std::string_view::npos;
      if (layouts)
        ideas.replace(both, fmt::format("{} o {}", mistake.of(inner[0]), mistake.of(argument)),
                      "A(B) of two layouts is their composition, A o B");
    }
    if (colons == 0 && tuple && mistake.is(i + 1, '('))
      ideas.replace({pair.end, mistake.tokens[i + 1].span.begin}, ":", "':' stands between a shape and its stride");
  }
}

std::optional<std::vector<std::int64_t>> flat_numbers(std::string_view text, const Scope& scope) {
  Result<Value> made = evaluate(text, scope);
  const auto* tuple = made ? std::get_if<IntTuple>(&made->any) : nullptr;
  if (!tuple) return std::nullopt;
  std::vector<std::int64_t> numbers;
  if (tuple->is_int()) return std::vector{tuple->value()};
  if (!tuple->is_tuple()) return std::nullopt;
  for (std::size_t i = 0; i < static_cast<std::size_t>(tuple->rank()); ++i) {
    if (!(*tuple)[i].is_int()) return std::nullopt;
    numbers.push_back((*tuple)[i].value());
  }
  return numbers;
}

// (4,8):8 has a stride too few; with 8 first it is the row-major (8,1), with 1 first the column-major (1,4).
void missing_strides(const Mistake& mistake, Ideas& ideas) {
  if (mistake.error.code != ErrorCode::not_congruent || !mistake.error.span) return;
  const SourceSpan span = *mistake.error.span;
  for (std::size_t i = 0; i < mistake.tokens.size(); ++i) {
    const SourceSpan at = mistake.tokens[i].span;
    if (!mistake.is(i, ':') || at.begin < span.begin || at.end > span.end || span.end > mistake.text.size()) continue;
    const auto shape = flat_numbers(mistake.of({span.begin, at.begin}), mistake.scope),
               stride = flat_numbers(mistake.of({at.end, span.end}), mistake.scope);
    if (!shape || !stride || shape->size() <= stride->size()) return;
    std::vector<std::int64_t> columns(shape->size(), 1), rows(shape->size(), 1);
    for (std::size_t k = 1; k < shape->size(); ++k) {
      columns[k] = columns[k - 1] * (*shape)[k - 1];
      rows[shape->size() - 1 - k] = rows[shape->size() - k] * (*shape)[shape->size() - k];
    }
    const auto propose = [&](const std::vector<std::int64_t>& strides, std::string_view order) {
      if (!std::equal(stride->begin(), stride->end(), strides.begin())) return;
      ideas.invent({{{at.end, span.end}, fmt::format("({})", fmt::join(strides, ","))}},
                   fmt::format("each of the {} extents has a stride of its own; these would be the {} ones", shape->size(), order));
    };
    propose(rows, "row-major");
    propose(columns, "column-major");
    return;
  }
}

// slice(layout, coord) where slice(coord, layout) is meant.
void other_order(const Mistake& mistake, Ideas& ideas) {
  if (mistake.error.code != ErrorCode::wrong_type) return;
  for (const std::size_t opener : mistake.calls_around()) {
    const std::vector<SourceSpan> elements = mistake.elements(opener);
    if (elements.size() < 2 || elements.size() > 4) continue;
    const Builtin* builtin = find_builtin(mistake.word(opener - 1));
    const std::string meant =
        builtin ? fmt::format("the arguments stand in another order: {}", builtin->signature) : "the arguments stand in another order";
    const auto propose = [&](const std::vector<std::size_t>& order) {
      std::vector<Edit> edits;
      for (std::size_t k = 0; k < order.size(); ++k) edits.push_back({elements[k], std::string(mistake.of(elements[order[k]]))});
      ideas.add(std::move(edits), meant);
    };
    // One argument stands in a wrong place, or two change theirs.
    std::vector<std::size_t> in_order(elements.size());
    std::iota(in_order.begin(), in_order.end(), std::size_t{0});
    for (std::size_t from = elements.size(); from-- > 0;) {
      for (std::size_t to = 0; to < elements.size(); ++to) {
        std::vector<std::size_t> order = in_order;
        order.erase(order.begin() + static_cast<std::ptrdiff_t>(from));
        order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), from);
        if (to != from) propose(order);
      }
    }
    for (std::size_t a = 0; a < elements.size(); ++a) {
      for (std::size_t b = a + 2; b < elements.size(); ++b) {
        std::vector<std::size_t> order = in_order;
        std::swap(order[a], order[b]);
        propose(order);
      }
    }
  }
}

// get<2>((4,8)): modes, threads and coordinates begin with 0, so the last of two is 1.
void counted_from_zero(const Mistake& mistake, Ideas& ideas) {
  if (mistake.error.code != ErrorCode::out_of_range || !mistake.error.span) return;
  for (const Token& token : mistake.tokens) {
    const bool inside = token.span.begin >= mistake.error.span->begin && token.span.end <= mistake.error.span->end;
    if (!inside || token.kind != Token::Kind::integer || token.integer < 1) continue;
    std::string less = std::to_string(token.integer - 1);
    if (mistake.of(token.span).starts_with("_")) less.insert(0, "_");
    ideas.replace(token.span, less, fmt::format("numbers begin with 0: of {} the last is {}", token.integer, token.integer - 1));
  }
}

// local_tile(layout, tiler): which tile, whose part? The first.
void first_of_all(const Mistake& mistake, Ideas& ideas) {
  if (mistake.error.code != ErrorCode::wrong_arity) return;
  for (const std::size_t opener : mistake.calls_around()) {
    const Builtin* builtin = find_builtin(mistake.word(opener - 1));
    if (!builtin || mistake.partner[opener] == kNone) continue;
    const Signature& signature = signature_of(*builtin);
    const std::size_t given = mistake.elements(opener).size();
    if (given + 1 != signature.required) continue;
    const std::string_view missing = signature.parameters[given];
    if (missing != "coord" && missing != "thread" && missing != "index") continue;
    const std::size_t end = mistake.tokens[mistake.partner[opener]].span.begin;
    ideas.invent({{{end, end}, ", 0"}}, fmt::format("{} needs its {}; 0 is the first", builtin->name, missing));
  }
}

// make_tiled_copy(UniversalCopy<uint128_t>, ...): an operation becomes an atom with the type of its elements.
void copy_atom(const Mistake& mistake, Ideas& ideas) {
  if (mistake.error.code != ErrorCode::wrong_type || !mistake.error.span || mistake.error.span->end > mistake.text.size()) return;
  const std::string_view operation = mistake.of(*mistake.error.span);
  if (operation.find('(') != std::string_view::npos || operation.starts_with("Copy_Atom")) return;
  if (mistake.text.find("copy") == std::string_view::npos && mistake.text.find("Copy") == std::string_view::npos) return;
  ideas.invent({{*mistake.error.span, fmt::format("Copy_Atom<{}, half_t>", operation)}},
               "a copy atom names the operation and the type of its elements");
}

constexpr Rule kRules[] = {whole_argument,  bare_tuples, extents,           tuple_arguments, layout_before_postfix,
                           missing_strides, other_order, counted_from_zero, first_of_all,    copy_atom};

}  // namespace

std::span<const Rule> call_rules() { return kRules; }

}  // namespace tessera::mistakes
