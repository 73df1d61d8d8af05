// SPDX-License-Identifier: BSD-3-Clause
// Rules of suggest.hpp about words: slips, words of other libraries, and names that nothing gives a value.
#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/atom/instructions/catalog.hpp"
#include "core/lang/builtins/builtins.hpp"
#include "core/lang/programs/likely.hpp"
#include "core/lang/programs/snippet.hpp"
#include "core/lang/suggest/rules.hpp"

namespace tessera::mistakes {
namespace {

// The last part of a path of names: torch.float16 -> float16.
std::string_view last_part(std::string_view name) {
  const std::size_t at = name.find_last_of(".:");
  return at == std::string_view::npos ? name : name.substr(at + 1);
}

// Without underscores and capitals: what is left of two spellings of one word.
std::string bare(std::string_view name) {
  std::string made = lower(name);
  std::erase(made, '_');
  return made;
}

// A word of another library, or a short one, and the words that it may stand for here.
struct Synonym {
  std::string_view word;  // bare
  std::array<std::string_view, 2> meant;
};
constexpr Synonym kSynonyms[] = {
    {"rowmajor", {"LayoutRight"}},
    {"row", {"LayoutRight"}},
    {"right", {"LayoutRight"}},
    {"c", {"LayoutRight"}},
    {"colmajor", {"LayoutLeft"}},
    {"columnmajor", {"LayoutLeft"}},
    {"col", {"LayoutLeft"}},
    {"column", {"LayoutLeft"}},
    {"left", {"LayoutLeft"}},
    {"f", {"LayoutLeft"}},
    {"fortran", {"LayoutLeft"}},
    {"float16", {"half_t"}},
    {"f16", {"half_t"}},
    {"fp16", {"half_t"}},
    {"half", {"half_t"}},
    {"half2", {"half_t"}},
    {"bfloat16", {"bfloat16_t"}},
    {"bf16", {"bfloat16_t"}},
    {"nvbfloat16", {"bfloat16_t"}},
    {"float32", {"float"}},
    {"f32", {"float"}},
    {"fp32", {"float"}},
    {"single", {"float"}},
    {"float64", {"double"}},
    {"f64", {"double"}},
    {"fp64", {"double"}},
    {"tf32", {"tfloat32_t"}},
    {"tfloat32", {"tfloat32_t"}},
    {"fp8", {"float_e4m3_t"}},
    {"e4m3", {"float_e4m3_t"}},
    {"fp8e4m3", {"float_e4m3_t"}},
    {"float8e4m3fn", {"float_e4m3_t"}},
    {"e5m2", {"float_e5m2_t"}},
    {"fp8e5m2", {"float_e5m2_t"}},
    {"float8e5m2", {"float_e5m2_t"}},
    {"s8", {"int8_t"}},
    {"int8", {"int8_t"}},
    {"u8", {"uint8_t"}},
    {"uint8", {"uint8_t"}},
    {"int16", {"int16_t"}},
    {"int32", {"int32_t"}},
    {"s32", {"int32_t"}},
    {"int4", {"int4b_t"}},
    {"uint16", {"uint16_t"}},
    {"uint32", {"uint32_t"}},
    {"uint128", {"uint128_t"}},
    {"layout", {"make_layout"}},
    {"shape", {"make_shape"}},
    {"stride", {"make_stride"}},
    {"strides", {"make_stride"}},
    {"coord", {"make_coord"}},
    {"tile", {"make_tile", "logical_divide"}},
    {"tensor", {"make_tensor"}},
    {"tuple", {"make_shape"}},
    {"compose", {"composition"}},
    {"comp", {"composition"}},
    {"divide", {"logical_divide"}},
    {"div", {"logical_divide"}},
    {"product", {"logical_product", "size"}},
    {"prod", {"size"}},
    {"numel", {"size"}},
    {"len", {"rank", "size"}},
    {"ndim", {"rank"}},
    {"inverse", {"right_inverse", "left_inverse"}},
    {"inv", {"right_inverse"}},
    {"simplify", {"coalesce"}},
    {"merge", {"coalesce"}},
    {"identity", {"make_identity_layout"}},
    {"tiledmma", {"make_tiled_mma"}},
    {"tiledcopy", {"make_tiled_copy"}},
    {"identitytensor", {"make_identity_tensor"}},
    {"swizzle", {"Sw", "make_swizzle"}},
    {"sw", {"Sw", "make_swizzle"}},
    {"complementlayout", {"complement"}},
    {"ldmatrix", {"SM75_U32x4_LDSM_N"}},
    {"ldmatrixx1", {"SM75_U32x1_LDSM_N"}},
    {"stmatrix", {"SM90_U32x4_STSM_N"}},
    {"cpasync", {"SM80_CP_ASYNC_CACHEALWAYS<uint128_t>"}},
};

// `float16`, `row_major`, `Shape(4,8)`: the word that CuTe has for it.
void synonyms(const Mistake& mistake, Ideas& ideas) {
  std::vector<Edit> all;
  for (std::size_t i = 0; i < mistake.tokens.size(); ++i) {
    if (!mistake.is_name(i)) continue;
    const std::string word = bare(last_part(mistake.word(i)));
    for (const Synonym& each : kSynonyms) {
      if (each.word != word || mistake.word(i).starts_with("mma.")) continue;
      for (const std::string_view meant : each.meant) {
        if (meant.empty() || meant == mistake.word(i)) continue;
        // A word of the order of a layout says so in a call.
        const bool behind_colon = i > 0 && mistake.is(i - 1, ':') && meant.starts_with("Layout");
        if (behind_colon) continue;
        ideas.replace(mistake.tokens[i].span, std::string(meant), fmt::format("CuTe's word for {} is {}", mistake.word(i), meant));
        if (meant == each.meant[0]) all.push_back({mistake.tokens[i].span, std::string(meant)});
      }
    }
  }
  if (all.size() > 1) ideas.add(std::move(all), "CuTe has other words for these");
}

// (4,8):row_major and row_major((4,8)): make_layout takes the order as its second argument.
void major_order(const Mistake& mistake, Ideas& ideas) {
  const auto order_of = [&](std::size_t i) -> std::string_view {
    const std::string word = bare(last_part(mistake.word(i)));
    if (word == "layoutright" || word == "genrowmajor") return "LayoutRight";
    if (word == "layoutleft" || word == "gencolmajor") return "LayoutLeft";
    for (const Synonym& each : kSynonyms) {
      if (each.word == word && each.meant[0].starts_with("Layout")) return each.meant[0];
    }
    return {};
  };
  for (std::size_t i = 0; i < mistake.tokens.size(); ++i) {
    const std::string_view order = mistake.is_name(i) ? order_of(i) : std::string_view();
    if (order.empty()) continue;
    const std::string meant =
        fmt::format("{} strides: make_layout takes the shape and {}", order == "LayoutRight" ? "row-major" : "column-major", order);
    if (i >= 2 && mistake.is(i - 1, ':')) {
      const std::size_t opener = mistake.is_closer(i - 2) ? mistake.partner[i - 2] : i - 2;
      if (opener == kNone) continue;
      const SourceSpan shape{mistake.tokens[opener].span.begin, mistake.tokens[i - 2].span.end};
      ideas.replace({shape.begin, mistake.tokens[i].span.end}, fmt::format("make_layout({}, {})", mistake.of(shape), order), meant);
    }
    if (!mistake.is(i + 1, '(') || mistake.partner[i + 1] == kNone) continue;
    const SourceSpan call{mistake.tokens[i].span.begin, mistake.tokens[mistake.partner[i + 1]].span.end};
    const std::vector<SourceSpan> elements = mistake.elements(i + 1);
    if (elements.empty()) {
      ideas.replace(call, std::string(order), fmt::format("{} is a word without parentheses", order));
    } else {
      const std::string inside(mistake.of({elements.front().begin, elements.back().end}));
      const std::string shape = elements.size() == 1 ? inside : fmt::format("({})", inside);
      ideas.replace(call, fmt::format("make_layout({}, {})", shape, order), meant);
    }
  }
}

// coalsce, Coalesce, logicalDivide: a function of that name but for a slip.
void slips(const Mistake& mistake, Ideas& ideas) {
  if (mistake.error.code != ErrorCode::unknown_name && mistake.error.code != ErrorCode::parse) return;
  static const std::vector<std::string> kFunctions = [] {
    std::vector<std::string> names;
    for (const BuiltinHelp& each : builtins()) names.emplace_back(each.name);
    return names;
  }();
  for (std::size_t i = 0; i < mistake.tokens.size(); ++i) {
    const std::string_view word = mistake.word(i);
    if (!mistake.is_name(i) || word.size() < 3 || word == "let" || find_builtin(word)) continue;
    const bool called = mistake.is(i + 1, '(') || mistake.is(i + 1, '<');
    const bool named_by_error = mistake.error.span && mistake.error.span->begin <= mistake.tokens[i].span.begin &&
                                mistake.tokens[i].span.end <= mistake.error.span->end;
    if (mistake.is(i + 1, '=') || (!called && !named_by_error)) continue;
    std::vector<std::string> near;
    const std::string said = bare(last_part(word));
    for (const std::string& each : kFunctions) {
      if (bare(each) == said) near.push_back(each);
    }
    // A part of the name: raked for raked_product, layout_c_tv for get_layoutC_TV.
    for (const std::string& each : kFunctions) {
      const std::string whole = bare(each);
      if (said.size() >= 5 && whole != said && (whole.starts_with(said) || whole.ends_with(said))) near.push_back(each);
    }
    for (const std::string& each : near) ideas.replace(mistake.tokens[i].span, each, fmt::format("the function is called {}", each));
    for (const std::string& each : nearest_names(word, kFunctions, 3))
      ideas.replace(mistake.tokens[i].span, each, fmt::format("perhaps {} is meant", each));
  }
}

// make_layout(shape=..., strides=...): a parameter of that name but for a slip.
void parameters(const Mistake& mistake, Ideas& ideas) {
  for (std::size_t i = 0; i + 1 < mistake.tokens.size(); ++i) {
    const std::size_t opener = mistake.within[i];
    if (!mistake.is_name(i) || !mistake.is(i + 1, '=') || opener == kNone || opener == 0) continue;
    const Builtin* builtin = find_builtin(last_part(mistake.word(opener - 1)));
    if (!builtin) continue;
    const Signature& signature = signature_of(*builtin);
    const std::vector<std::string> known(signature.parameters.begin(), signature.parameters.end());
    std::vector<std::string> near = nearest_names(mistake.word(i), known, 3);
    std::copy_if(known.begin(), known.end(), std::back_inserter(near),
                 [&](const std::string& each) { return each.starts_with(mistake.word(i)); });
    for (const std::string& each : near) {
      if (each != mistake.word(i))
        ideas.replace(mistake.tokens[i].span, each, fmt::format("the parameter of {} is called {}", builtin->name, each));
    }
    ideas.replace({mistake.tokens[i].span.begin, mistake.tokens[i + 1].span.end}, "",
                  fmt::format("{} takes this by its place: {}", builtin->name, builtin->signature));
  }
}

// sw<3,3,3>, Swizzle(3,3,3), Int(8), make_swizzle<3,3,3>(), Layout<_2,_2,_1>, Sw<3,3,3>(layout).
void templates(const Mistake& mistake, Ideas& ideas) {
  for (std::size_t i = 0; i + 1 < mistake.tokens.size(); ++i) {
    const std::size_t open = i + 1, close = mistake.partner[open];
    if (!mistake.is_name(i) || close == kNone || close <= open + 1) continue;
    const std::string_view name = last_part(mistake.word(i));
    const SourceSpan inner{mistake.tokens[open].span.end, mistake.tokens[close].span.begin};
    const SourceSpan whole{mistake.tokens[i].span.begin, mistake.tokens[close].span.end};
    const std::string inside(mistake.of(inner)), low = lower(name);
    const bool swizzle = low == "sw" || low == "swizzle";
    if (mistake.is(open, '(')) {
      const std::string type(swizzle && name != "Swizzle" ? "Sw" : name);
      const bool plain = inside.find_first_of("(:") == std::string::npos;
      if (plain) ideas.replace(whole, fmt::format("{}<{}>", type, inside), fmt::format("{} is a type: its arguments stand in <...>", type));
    }
    if (!mistake.is(open, '<')) continue;
    const bool empty_call = mistake.is(close + 1, '(') && mistake.is(close + 2, ')');
    const SourceSpan call{whole.begin, empty_call ? mistake.tokens[close + 2].span.end : whole.end};
    if (swizzle && name != "Sw" && name != "Swizzle")
      ideas.replace({whole.begin, mistake.tokens[i].span.end}, "Sw", "a swizzle is written Sw<B,M,S>, or Swizzle<B,M,S>");
    if (find_builtin(name))
      ideas.replace(call, fmt::format("{}({})", name, inside), fmt::format("{} is a function: its arguments stand in parentheses", name));
    if (name == "Layout")
      ideas.replace(inner, fmt::format("Shape<{}>", inside), "the shape of a Layout is one argument: Layout<Shape<...>>");
    if (mistake.is(close + 1, '(') && mistake.partner[close + 1] != kNone) {
      const std::size_t last = mistake.partner[close + 1];
      const SourceSpan argument{mistake.tokens[close + 1].span.end, mistake.tokens[last].span.begin};
      ideas.replace({mistake.tokens[close + 1].span.begin, mistake.tokens[last].span.end}, fmt::format(" o {}", mistake.of(argument)),
                    "a swizzle is applied to a layout by 'o'");
    }
  }
}

// Between two layouts: a '.', a '*', an 'O' that was meant as the 'o' of composition.
void composition(const Mistake& mistake, Ideas& ideas) {
  for (std::size_t i = 1; i + 1 < mistake.tokens.size(); ++i) {
    const std::string_view word = mistake.word(i);
    const bool sign =
        word == "." || word == "*" || word == "O" || word == "@" || word == "0" || word == "->" || word == "|" || word == "comp";
    if (!sign || !mistake.ends_operand(i - 1) || !mistake.begins_operand(i + 1)) continue;
    if (word == "." && mistake.is_name(i + 1)) continue;  // a member that is not known
    const SourceSpan between{mistake.tokens[i - 1].span.end, mistake.tokens[i + 1].span.begin};
    ideas.replace(between, " o ", fmt::format("composition is written 'o', or \u2218; '{}' is something else", word));
  }
}

// (4,8):(e0,e1), (4,8):(@0,@1): a basis stride says how far along which mode.
void basis_strides(const Mistake& mistake, Ideas& ideas) {
  std::vector<Edit> edits;
  for (std::size_t i = 0; i < mistake.tokens.size(); ++i) {
    const std::string_view word = mistake.word(i);
    const bool unit = mistake.is_name(i) && word.size() > 1 && (word[0] == 'e' || word[0] == 'E') &&
                      word.find_first_not_of("0123456789", 1) == std::string_view::npos;
    if (unit) edits.push_back({mistake.tokens[i].span, fmt::format("1@{}", word.substr(1))});
    if (mistake.is(i, '@') && !mistake.is_integer(i - 1)) edits.push_back({mistake.tokens[i].span, "1@"});
  }
  if (!edits.empty()) ideas.add(std::move(edits), "a basis stride is written 1@0: one step along mode 0");
}

// row_major, float16: no name that was forgotten.
bool is_word_of_another_library(std::string_view name) {
  const std::string word = bare(last_part(name));
  return word.size() > 2 && std::any_of(std::begin(kSynonyms), std::end(kSynonyms), [&](const Synonym& each) {
           return each.word == word && (each.meant[0].starts_with("Layout") || each.meant[0].ends_with("_t") || each.meant[0] == "float");
         });
}

// A name that nothing gives a value: `let` gives it one, here the likeliest with which the text is evaluated.
void likely_names(const Mistake& mistake, Ideas& ideas) {
  if (mistake.error.missing.empty() || find_builtin(mistake.error.missing)) return;  // a function is no value
  // Our own lines guess nothing; what stands behind the '=' of one does.
  std::string_view probed = mistake.text;
  if (probed.starts_with("let ")) probed = probed.substr(std::min(probed.find('='), probed.size() - 1) + 1);
  const SnippetAnswer answer = evaluate_snippet(probed, {}, mistake.scope);
  if (answer.symbols.empty()) return;
  for (const StatementAnswer& each : answer.statements) {
    if (each.refused) return;
  }
  std::string lets, names;
  std::vector<Edit> edits;
  for (const Symbol& symbol : answer.symbols) {
    if (is_word_of_another_library(symbol.name)) return;
    names += (names.empty() ? "" : ", ") + symbol.name;
    if (is_binding_name(symbol.name)) {
      lets += fmt::format("let {} = {}\n", symbol.name, symbol.likely);
      continue;
    }
    for (std::size_t i = 0; i < mistake.tokens.size(); ++i) {  // a path such as self.tile stands for its value itself
      const std::string_view word = mistake.word(i);
      const bool is_it =
          mistake.is_name(i) && word.starts_with(symbol.name) && (word.size() == symbol.name.size() || word[symbol.name.size()] == '.');
      const std::size_t begin = mistake.tokens[i].span.begin;
      if (is_it) edits.push_back({{begin, begin + symbol.name.size()}, symbol.likely});
    }
  }
  if (!lets.empty()) edits.push_back({{0, 0}, lets});
  const bool several = answer.symbols.size() > 1;
  ideas.invent(std::move(edits),
               fmt::format("nothing gives {} a value; {} may be meant", names, several ? "these" : answer.symbols[0].likely));
}

// tCsA(_,_,0): what is called is a tensor of a kernel that is not at hand, by how CuTe's authors name them.
void likely_tensors(const Mistake& mistake, Ideas& ideas) {
  constexpr std::size_t kMostKinds = 8;
  const std::size_t at = mistake.place();
  const std::string_view name = mistake.word(at);
  if (mistake.error.code != ErrorCode::unknown_name || !mistake.is_name(at) || !mistake.is(at + 1, '(') || !is_binding_name(name)) return;
  const auto small = [](char c) { return c >= 'a' && c <= 'z'; };
  const std::size_t capital = static_cast<std::size_t>(std::find_if_not(name.begin(), name.end(), small) - name.begin());
  const bool names_tensor = capital >= 1 && capital <= 2 && capital < name.size() && name[capital] >= 'A' && name[capital] <= 'Z';
  if (!names_tensor || name.size() > 16) return;
  const std::vector<const Likely*> likely = likely_values(name);
  for (std::size_t i = 0; i < std::min(likely.size(), kMostKinds); ++i) {
    ideas.invent({{{0, 0}, fmt::format("let {} = {}\n", name, likely[i]->text)}},
                 fmt::format("nothing gives {} a value; {} may be meant", name, likely[i]->text));
  }
}

constexpr Rule kRules[] = {parameters, templates, synonyms, slips, major_order, basis_strides, composition, likely_names, likely_tensors};

}  // namespace

std::span<const Rule> name_rules() { return kRules; }

}  // namespace tessera::mistakes
