// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/suggest/suggest.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/base/characters.hpp"
#include "core/lang/programs/evaluate.hpp"
#include "core/lang/programs/snippet.hpp"
#include "core/lang/suggest/rules.hpp"

namespace tessera {
namespace mistakes {

Mistake::Mistake(std::string_view text, const Error& error, const Scope& scope) : text(text), error(error), scope(scope) {
  if (Result<std::vector<Token>> read = tokenize(text)) tokens = std::move(*read);
  if (!tokens.empty()) tokens.pop_back();
  partner.assign(tokens.size(), kNone);
  within.assign(tokens.size(), kNone);
  std::vector<std::size_t> open;
  const auto drop_templates = [&] {
    while (!open.empty() && is(open.back(), '<')) open.pop_back();
  };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool closes = is_closer(i) || (is(i, '>') && !open.empty() && is(open.back(), '<'));
    if (is_closer(i)) drop_templates();
    if (closes && !open.empty()) {
      partner[i] = open.back();
      partner[open.back()] = i;
      open.pop_back();
    }
    within[i] = open.empty() ? kNone : open.back();
    const bool opens_template = is(i, '<') && i > 0 && is_name(i - 1) && tokens[i - 1].span.end == tokens[i].span.begin;
    if (is_opener(i) || opens_template) open.push_back(i);
  }
}

bool Mistake::begins_operand(std::size_t i) const {
  if (i >= tokens.size()) return false;
  return tokens[i].kind == Token::Kind::symbol ? is_opener(i) : word(i) != "o";
}
bool Mistake::ends_operand(std::size_t i) const {
  if (i >= tokens.size()) return false;
  return tokens[i].kind == Token::Kind::symbol ? is_closer(i) || (is(i, '>') && partner[i] != kNone) : word(i) != "o";
}

std::size_t Mistake::place() const {
  if (!error.span) return tokens.size();
  std::size_t i = 0;
  while (i < tokens.size() && tokens[i].span.end <= error.span->begin) ++i;
  return i;
}

std::vector<SourceSpan> Mistake::elements(std::size_t opener) const {
  const std::size_t first = opener == kNone ? 0 : opener + 1;
  const std::size_t last = opener == kNone || partner[opener] == kNone ? tokens.size() : partner[opener];
  std::vector<SourceSpan> made;
  std::size_t begin = first;
  for (std::size_t i = first; i <= last; ++i) {
    if (i < last && !(is(i, ',') && within[i] == opener)) continue;
    if (begin < i) made.push_back({tokens[begin].span.begin, tokens[i - 1].span.end});
    begin = i + 1;
  }
  return made;
}

std::vector<std::size_t> Mistake::calls_around() const {
  std::vector<std::size_t> made;
  std::size_t at = place();
  if (at >= tokens.size()) return made;
  // The refusal of a whole call stands at its name.
  if (is_name(at) && (is(at + 1, '(') || is(at + 1, '<'))) {
    const std::size_t next = is(at + 1, '<') && partner[at + 1] != kNone ? partner[at + 1] + 1 : at + 1;
    if (is(next, '(')) made.push_back(next);
  }
  for (std::size_t i = within[at]; i != kNone; i = within[i]) {
    const bool called = is(i, '(') && i > 0 && (is_name(i - 1) || is(i - 1, '>'));
    if (called && partner[i] != kNone) made.push_back(i);
  }
  std::erase_if(made, [&](std::size_t i) { return partner[i] == kNone; });
  return made;
}

void Ideas::add(std::vector<Edit> edits, std::string meant, bool invents) {
  std::stable_sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return a.span.begin < b.span.begin; });
  std::string made;
  std::size_t at = 0;
  for (const Edit& edit : edits) {
    made += text_.substr(at, edit.span.begin - at);
    made += edit.text;
    at = edit.span.end;
  }
  made += text_.substr(at);
  all.push_back({std::move(made), std::move(meant), invents});
}

std::string without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
}

namespace {

constexpr std::size_t kLongestMended = 4096;  // bytes: a longer text is not looked at
constexpr int kMostTries = 96;                // texts that are evaluated for one refusal
constexpr double kLongestSearch = 0.1;        // seconds; what is under way ends
constexpr int kMostKeptNames = 3;             // steps that leave a name without a value as it is
constexpr int kDeepest = 3;                   // places where one text has the same mistake

// May the mistake be in the words, rather than in the values?
bool is_about_words(ErrorCode code) {
  switch (code) {
    case ErrorCode::parse:
    case ErrorCode::unknown_name:
    case ErrorCode::wrong_type:
    case ErrorCode::wrong_arity:
    case ErrorCode::not_congruent:
    case ErrorCode::out_of_range:
    case ErrorCode::rank_mismatch:
    case ErrorCode::unknown_atom: return true;
    default: return false;
  }
}

// What is still wrong with a text, and with how many of its statements.
struct Verdict {
  std::size_t refused = 0;
  std::optional<Error> first;
};
Verdict verdict(std::string_view text, const Scope& scope) {
  Verdict made;
  Result<Value> value = evaluate(text, scope);
  if (value) return made;
  made = {1, std::move(value).error()};
  if (!has_statements(text)) return made;
  SnippetOptions options;
  options.guess = false;
  const SnippetAnswer answer = evaluate_snippet(text, options, scope);
  Verdict of_statements;
  bool says_something = false;  // also without a value: an assertion, a function
  for (const StatementAnswer& each : answer.statements) {
    using Kind = Statement::Kind;
    says_something = says_something || each.statement.kind == Kind::check || each.statement.kind == Kind::function || !each.values.empty();
    if (!each.refused) continue;
    if (!of_statements.first) of_statements.first = each.refused;
    ++of_statements.refused;
  }
  return of_statements.refused > 0 || says_something ? of_statements : made;
}

// A text on the way to one that is right.
struct Step {
  std::string text;
  Error error;
  std::vector<std::string> meant;
  Rule rule = nullptr;  // that made it; none but this one is asked again
  int depth = 0;
  bool invents = false;
};

class Search {
 public:
  Search(const Error& error, std::string_view text, const Scope& scope) : scope_(scope) {
    seen_.emplace(text);
    Step& first = steps_.emplace_back();
    first.text = text;
    first.error = error;
    if (has_statements(text)) refused_ = std::max<std::size_t>(verdict(text, scope).refused, 1);
  }

  // The first text that is right; the steps with one mistake are tried before those with two. Where nothing else is, one with an operand
  // that was invented.
  std::optional<Step> run() {
    for (std::size_t i = 0; i < steps_.size() && tries_ < kMostTries; ++i) {
      if (steps_[i].depth == kDeepest) break;
      if (auto found = from(i)) return found;
    }
    return std::move(invented_);
  }

 private:
  std::optional<Step> from(std::size_t at) {
    const Step step = steps_[at];
    const Mistake mistake(step.text, step.error, scope_);
    for (const auto& rules : {text_rules(), call_rules(), atom_rules(), name_rules()}) {
      for (const Rule rule : rules) {
        if (step.rule && step.rule != rule) continue;  // a proposal changes one thing
        Ideas ideas(step.text);
        rule(mistake, ideas);
        for (Idea& idea : ideas.all) {
          if (auto found = tried(step, rule, std::move(idea))) return found;
        }
      }
    }
    return std::nullopt;
  }

  std::optional<Step> tried(const Step& step, Rule rule, Idea idea) {
    if (tries_ >= kMostTries || std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count() > kLongestSearch)
      return std::nullopt;
    if (idea.mended.size() > kLongestMended || !seen_.insert(idea.mended).second) return std::nullopt;
    ++tries_;
    Verdict made = verdict(idea.mended, scope_);
    Step next{std::move(idea.mended),      {}, step.meant, rule == plain_characters ? nullptr : rule, step.depth + 1,
              step.invents || idea.invents};
    if (std::find(next.meant.begin(), next.meant.end(), idea.meant) == next.meant.end()) next.meant.push_back(std::move(idea.meant));
    if (made.refused < refused_) {
      if (!next.invents) return next;
      if (!invented_) invented_ = std::move(next);
      return std::nullopt;
    }
    // The next mistake of the same text is another one, and stands elsewhere.
    bool moved = made.first && (made.first->message != step.error.message || made.first->code != step.error.code);
    if (made.first && !moved && made.first->span && step.error.span) {  // the same at another place
      const std::size_t was = step.error.span->begin, is = made.first->span->begin;
      moved = is != was && is + step.text.size() != was + next.text.size();
    }
    if (made.first && !made.first->missing.empty() && !moved) moved = ++kept_names_ <= kMostKeptNames;  // a value can be given last
    if (!moved || !is_about_words(made.first->code)) return std::nullopt;
    next.error = std::move(*made.first);
    steps_.push_back(std::move(next));
    return std::nullopt;
  }

  const Scope& scope_;
  std::vector<Step> steps_;
  std::optional<Step> invented_;
  std::set<std::string> seen_;
  std::size_t refused_ = 1;
  int tries_ = 0;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  int kept_names_ = 0;
};

bool is_part_of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || (static_cast<unsigned char>(c) & 0x80U) != 0;
}

// The part in which two texts differ, as whole words.
Fix difference(std::string_view from, std::string_view to) {
  std::size_t begin = 0, same = 0;
  const std::size_t shorter = std::min(from.size(), to.size());
  while (begin < shorter && from[begin] == to[begin]) ++begin;
  while (same < shorter - begin && from[from.size() - 1 - same] == to[to.size() - 1 - same]) ++same;
  const auto inside = [&](std::string_view text, std::size_t at) {
    return at > 0 && at < text.size() && is_part_of_word(text[at - 1]) && is_part_of_word(text[at]);
  };
  while (begin > 0 && (inside(from, begin) || inside(to, begin))) --begin;
  while (same > 0 && (inside(from, from.size() - same) || inside(to, to.size() - same))) --same;
  return {{begin, from.size() - same}, std::string(to.substr(begin, to.size() - same - begin))};
}

}  // namespace
}  // namespace mistakes

void suggest(Error& error, std::string_view text, const Scope& scope) {
  using namespace mistakes;
  if (error.fix || text.size() > kLongestMended || !is_about_words(error.code)) return;
  const DefaultBudget budget;
  std::optional<Step> found = Search(error, text, scope).run();
  if (!found) return;
  const Fix fix = difference(text, found->text);
  if (found->invents) {  // a guess, and none that --fix makes
    std::string line = found->text;
    for (std::size_t at = line.find('\n'); at != std::string::npos; at = line.find('\n', at)) line.replace(at, 1, "; ");
    found->meant.push_back(fmt::format("for example {}", line));
  } else {
    error.fix = fix;
  }
  std::erase_if(error.notes, [](const std::string& note) { return note.starts_with("did you mean "); });  // the fix says it
  error.notes.insert(error.notes.begin(), found->meant.begin(), found->meant.end());
}

std::string mended(std::string_view text, const Fix& fix) {
  return fmt::format("{}{}{}", text.substr(0, fix.span.begin), fix.replacement, text.substr(fix.span.end));
}

Result<std::string> mended_text(std::string_view text, const Scope& scope) {
  mistakes::Verdict made = mistakes::verdict(text, scope);
  if (!made.first) return std::string(text);
  suggest(*made.first, text, scope);
  if (!made.first->fix) return std::move(*made.first);
  return mended(text, *made.first->fix);
}

}  // namespace tessera
