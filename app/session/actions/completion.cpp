// SPDX-License-Identifier: BSD-3-Clause
// How words go on. A statement is at most some lines long, so only those above the cursor are looked at.
#include "app/session/actions/completion.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/session/actions/fuzzy.hpp"
#include "app/session/actions/syntax.hpp"
#include "core/atom/instructions/catalog.hpp"
#include "core/base/characters.hpp"
#include "core/diagram/kinds/figures.hpp"
#include "core/lang/builtins/builtins.hpp"

namespace tessera {
namespace {

constexpr std::size_t kMostBytesBefore = 1 << 16;  // of the text that can belong to one call
constexpr std::size_t kMostDetail = 120;

// Brackets that are open at the cursor, innermost last; what stands in strings and comments does not count.
struct OpenCall {
  std::size_t open = 0;      // its bracket, in the text
  std::string name;          // empty: a tuple
  std::size_t commas = 0;    // behind it
  std::size_t argument = 0;  // where the argument at the cursor begins
};
struct Context {
  bool in_words = false;  // a comment or a string
  std::vector<OpenCall> calls;
};

std::string name_before(std::string_view text, std::size_t open) {
  std::size_t begin = open;
  while (begin > 0 && is_word(text[begin - 1])) --begin;
  return std::string(text.substr(begin, open - begin));
}

void read_symbol(std::string_view text, std::size_t at, Context& context) {
  const char c = text[at];
  if (c == '(') {
    context.calls.push_back({at, name_before(text, at), 0, at + 1});
  } else if (c == ')' && !context.calls.empty()) {
    context.calls.pop_back();
  } else if (c == ',' && !context.calls.empty()) {
    ++context.calls.back().commas;
    context.calls.back().argument = at + 1;
  }
}

Context context_at(std::string_view text, std::size_t cursor) {
  std::size_t from = cursor > kMostBytesBefore ? text.find('\n', cursor - kMostBytesBefore) + 1 : 0;
  if (from > cursor) from = cursor;
  Context context;
  bool in_comment = false;
  while (from <= cursor) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    const std::string_view line = text.substr(from, end - from);
    // An own line begins afresh, however many brackets the one above has left open.
    if (line.starts_with("let ") || line.starts_with("param ")) context.calls.clear();
    for (const ColoredWord& word : colored_words(line, in_comment)) {
      if (from + word.begin >= cursor) break;
      const bool words = word.role == WordRole::comment || word.role == WordRole::string;
      if (words && (from + word.end > cursor || (word.role == WordRole::comment && cursor == end))) context.in_words = true;
      if (word.role == WordRole::symbol) read_symbol(text, from + word.begin, context);
    }
    from = end + 1;
  }
  return context;
}

// ---- parameters -------------------------------------------------------------------------------------------------------------

struct Parameter {
  std::string name, help;
};

const FigureKind* figure_kind_of(std::string_view call) {
  if (!call.ends_with("_figure")) return nullptr;
  call.remove_suffix(std::string_view("_figure").size());
  return figure_kind(call);
}

const BuiltinHelp* builtin_of(std::string_view call) {
  const auto table = builtins();
  const auto found = std::find_if(table.begin(), table.end(), [&](const BuiltinHelp& row) { return row.name == call; });
  return found == table.end() ? nullptr : &*found;
}

// "composition(a, b, inner=)" -> the places of a, b and inner=.
std::vector<SourceSpan> parameters_in(std::string_view signature) {
  std::vector<SourceSpan> parts;
  const std::size_t open = signature.find('(');
  if (open == std::string_view::npos) return parts;
  int depth = 0;
  std::size_t begin = open + 1;
  for (std::size_t at = open + 1; at < signature.size(); ++at) {
    const char c = signature[at];
    if ((c == ',' || c == ')') && depth == 0) {
      while (begin < at && signature[begin] == ' ') ++begin;
      if (begin < at) parts.push_back({begin, at});
      begin = at + 1;
      if (c == ')') break;
    }
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
  }
  return parts;
}

std::string name_of_parameter(std::string_view part) {
  std::size_t end = 0;
  while (end < part.size() && is_word(part[end])) ++end;
  return std::string(part.substr(0, end));
}

std::vector<Parameter> named_parameters(std::string_view call) {
  std::vector<Parameter> all;
  if (const FigureKind* kind = figure_kind_of(call)) {
    for (const auto& rows : {kind->parameters, common_parameters()})
      for (const FigureParameter& row : rows) all.push_back({std::string(row.name), std::string(row.help)});
  } else if (const BuiltinHelp* row = builtin_of(call)) {
    for (const SourceSpan part : parameters_in(row->signature)) {
      const std::string_view written = row->signature.substr(part.begin, part.end - part.begin);
      if (!written.ends_with("...")) all.push_back({name_of_parameter(written), std::string(written)});
    }
  }
  return all;
}

// ---- what fits ----------------------------------------------------------------------------------------------------------------

class Search {
 public:
  explicit Search(std::string_view typed) : typed_(typed) {}

  // `weight` tells apart what fits equally well: what is near stands first.
  void offer(Completion completion, std::string_view name, int weight) {
    const auto score = fuzzy_score(typed_, name);
    if (score) scored_.push_back({*score + weight, std::move(completion)});
  }
  std::vector<Completion> best() {
    std::stable_sort(scored_.begin(), scored_.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<Completion> found;
    for (auto& [score, completion] : scored_) {
      if (found.size() == kMostCompletions) break;
      found.push_back(std::move(completion));
    }
    return found;
  }

 private:
  std::string_view typed_;
  std::vector<std::pair<int, Completion>> scored_;
};

std::string cut(std::string_view text) { return std::string(text.substr(0, std::min(text.find('\n'), kMostDetail))); }

void offer_names(const Session& session, std::string_view line_name, Search& search) {
  const std::vector<Binding>& lines = session.document().bindings;
  for (std::size_t i = 0; i < session.bindings().size() && i < lines.size(); ++i) {
    const EvaluatedBinding& binding = session.bindings()[i];
    if (binding.name == line_name) continue;  // of itself
    const std::string kind(binding.value ? kind_name(*binding.value) : "error");
    const bool is_function = lines[i].statement.kind == Statement::Kind::function;
    for (const std::string& name : lines[i].statement.names) {
      if (name.empty() || name == "_") continue;
      search.offer({is_function ? name + "(" : name, is_function ? "function" : kind, cut(lines[i].expression)}, name, 6);
    }
  }
}

void offer_words(Search& search) {
  for (const BuiltinHelp& row : builtins())
    search.offer({std::string(row.name) + "(", "function", fmt::format("{}   {}", row.signature, row.help)}, row.name, 2);
  for (const std::string& name : figure_functions()) {
    if (!builtin_of(name)) search.offer({name + "(", "function", std::string(figure_kind_of(name)->help)}, name, 2);
  }
  static const std::vector<std::string> kAtoms = [] {
    std::vector<std::string> all = mma_atom_names();
    for (std::string& name : copy_atom_names()) all.push_back(std::move(name));
    return all;
  }();
  for (const std::string& name : kAtoms) search.offer({name, "atom", ""}, name, 0);
}

// The line's own name, of `let NAME = ... |`.
std::string name_of_line(std::string_view text, std::size_t cursor) {
  const std::size_t begin = cursor == 0 ? 0 : text.rfind('\n', cursor - 1) + 1;
  const std::string_view line = trimmed(text.substr(begin, cursor - begin));
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos) return {};
  const std::string_view before = trimmed(line.substr(0, equals));
  return std::string(before.substr(before.find_last_of(" \t") + 1));
}

bool gives_a_name(std::string_view text, std::size_t word) {
  const std::size_t begin = word == 0 ? 0 : text.rfind('\n', word - 1) + 1;
  const std::string_view before = trimmed(text.substr(begin, word - begin));
  return before == "let" || before == "param" || before == "auto";
}

}  // namespace

CompletionList completions_at(const Session& session, std::string_view text, std::size_t cursor) {
  cursor = std::min(cursor, text.size());
  CompletionList list{cursor, cursor, {}};
  while (list.begin > 0 && is_word(text[list.begin - 1])) --list.begin;
  const std::string_view typed = text.substr(list.begin, cursor - list.begin);
  if ((!typed.empty() && is_digit(typed.front())) || gives_a_name(text, list.begin)) return list;
  const Context context = context_at(text, cursor);
  if (context.in_words) return list;
  Search search(typed);
  if (!context.calls.empty()) {
    const OpenCall& call = context.calls.back();
    const bool at_begin = trimmed(text.substr(call.argument, list.begin - call.argument)).empty();
    if (at_begin) {
      for (const Parameter& each : named_parameters(call.name)) search.offer({each.name + "=", "parameter", each.help}, each.name, 10);
    }
  }
  offer_names(session, name_of_line(text, list.begin), search);
  if (!typed.empty()) offer_words(search);
  list.found = search.best();
  return list;
}

std::optional<SignatureHelp> signature_at(const Session& session, std::string_view text, std::size_t cursor) {
  cursor = std::min(cursor, text.size());
  const Context context = context_at(text, cursor);
  if (context.in_words) return std::nullopt;
  const auto called = std::find_if(context.calls.rbegin(), context.calls.rend(), [](const OpenCall& call) { return !call.name.empty(); });
  if (called == context.calls.rend()) return std::nullopt;
  SignatureHelp help;
  help.open = called->open;
  if (const BuiltinHelp* row = builtin_of(called->name)) {
    help.signature = row->signature;
    help.help = row->help;
  } else if (const FigureKind* kind = figure_kind_of(called->name)) {
    std::string parameters;
    for (const auto& rows : {kind->parameters, common_parameters()})
      for (const FigureParameter& each : rows) parameters += fmt::format(", {}=", each.name);
    help.signature = fmt::format("{}(objects...{})", called->name, parameters);
    help.help = kind->help;
  } else {
    for (const Binding& line : session.document().bindings) {
      const Statement& statement = line.statement;
      if (statement.kind != Statement::Kind::function || statement.names.empty() || statement.names[0] != called->name) continue;
      help.signature = fmt::format("{}({})", called->name, fmt::join(statement.parameters, ", "));
      help.help = cut(line.expression);
    }
  }
  if (help.signature.empty()) return std::nullopt;
  // A named argument is at its name's place, any other at its number's.
  const std::vector<SourceSpan> parts = parameters_in(help.signature);
  const std::string_view argument = trimmed(text.substr(called->argument, cursor - called->argument));
  const std::string named = argument.find('=') == std::string_view::npos ? std::string() : name_of_parameter(argument);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string_view written = std::string_view(help.signature).substr(parts[i].begin, parts[i].end - parts[i].begin);
    const bool rest = written.ends_with("...") && called->commas >= i;
    const bool here = named.empty() ? i == called->commas || rest : name_of_parameter(written) == named;
    if (!here) continue;
    help.begin = parts[i].begin;
    help.end = parts[i].end;
    break;
  }
  return help;
}

}  // namespace tessera
