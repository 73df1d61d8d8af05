// SPDX-License-Identifier: BSD-3-Clause
// Actions on the document's bindings.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "app/session/actions/action_parts.hpp"
#include "app/session/actions/typed_line.hpp"
#include "app/session/document/comments.hpp"
#include "app/session/files/call_text.hpp"
#include "app/session/files/share_text.hpp"
#include "core/base/characters.hpp"
#include "core/lang/builtins/builtins.hpp"
#include "core/lang/document/lineage.hpp"
#include "core/lang/eval/evaluate_expression.hpp"
#include "core/lang/suggest/suggest.hpp"
#include "core/lang/syntax/limits.hpp"
#include "core/lang/syntax/parser.hpp"
#include "core/lang/values/scope.hpp"
#include "core/layout/layout_diagram.hpp"

namespace tessera::action {
namespace {

std::size_t number_of(const Session& session, std::string_view name) { return tessera::number_of(session.bindings(), *session.find(name)); }

bool is_taken(const Session& session, std::string_view name) {
  if (session.find(name)) return true;
  const auto table = builtins();
  return std::any_of(table.begin(), table.end(), [&](const BuiltinHelp& row) { return row.name == name; });
}

// What a value would be called by somebody who has no better idea.
std::string stem_of(const Session& session, std::string_view expression) {
  const Scope scope = [&](std::string_view name) { return find_value(session.bindings(), name); };
  const Result<Value> value = evaluate_expression(expression, scope, nullptr);
  if (!value) return "value";
  const std::string_view kind = kind_name(*value);
  return kind == "tiled_mma" ? "mma" : kind == "tiled_copy" ? "copy" : std::string(kind);
}

std::size_t longest_line(std::string_view text) {
  std::size_t longest = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    longest = std::max(longest, end - begin);
    begin = end + 1;
  }
  return longest;
}

Changed with_document(const Session& session, Document document, std::string label) {
  Workspace next = session.workspace();
  next.document = std::make_shared<const Document>(std::move(document));
  return {std::move(next), std::move(label)};
}

Result<Changed> move_to(const Session& session, const std::string& name, std::int64_t position) {
  const auto last = static_cast<std::int64_t>(session.bindings().size()) - 1;
  return changed_by(session, MoveBinding{name, static_cast<std::size_t>(std::clamp<std::int64_t>(position, 0, last))});
}

}  // namespace

std::string free_name(const Session& session, std::string stem) {
  if (!is_identifier(stem)) stem = "value";
  // Of layout_2 the next is layout_3; of ampere_2x2 it is ampere_2x2_2.
  const std::size_t digits = stem.find_last_not_of("0123456789");
  if (digits != std::string::npos && digits > 0 && digits + 1 < stem.size() && stem[digits] == '_') stem.resize(digits);
  for (int i = 1;; ++i) {
    std::string name = i == 1 ? stem : fmt::format("{}_{}", stem, i);
    if (!is_taken(session, name)) return name;
  }
}

Result<Changed> changed_by(const Session& session, const Command& command, std::string_view selects) {
  TESSERA_TRY(document, tessera::apply(session.document(), command));
  Changed changed = with_document(session, std::move(document), describe(command));
  if (const auto* renamed = std::get_if<RenameBinding>(&command)) rename_views(changed.workspace, renamed->from, renamed->to);
  if (!selects.empty()) changed.workspace.selected = selects;
  return changed;
}

Result<Changed> revert(const Session& session, const Arguments&) {
  Changed changed{session.workspace(), "Revert to what was opened or saved"};
  changed.workspace.document = session.unchanged();
  unpin(changed.workspace);  // there is nothing left that would differ
  return changed;
}

Result<Changed> select_binding(const Session& session, const Arguments& arguments) {
  Changed changed{session.workspace(), {}, {}, false};
  changed.workspace.selected = text(arguments, "binding");
  return changed;
}

// A line may stand where an expression is asked for, but not with another name.
Result<Changed> add_binding(const Session& session, const Arguments& arguments) {
  std::string expression(trimmed(text(arguments, "expression"))), name = text(arguments, "name");
  if (std::optional<NamedExpression> line = split_line(expression)) {
    if (!name.empty() && name != line->name)
      return Error{ErrorCode::parse,
                   fmt::format("the expression begins with a name, {} =, and the line is to be called {}", line->name, name),
                   {},
                   {"leave one of the two names out"}};
    name = std::move(line->name), expression = std::move(line->expression);
  }
  if (const auto parsed = parse_expression(expression); !parsed) return parsed.error();
  if (name.empty()) name = free_name(session, stem_of(session, expression));
  std::optional<std::size_t> position;
  if (const std::string before = text(arguments, "before"); !before.empty()) {
    if (!session.find(before)) return Error{ErrorCode::unknown_name, fmt::format("there is no binding \"{}\"", before), {}, {}};
    position = number_of(session, before);
  }
  // Below the last lines it is none of those that their heading is about.
  const std::size_t count = session.document().bindings.size();
  const bool apart = !position && count > 0 && !heading_of(session.document(), count - 1).empty();
  return changed_by(session, AddBinding{name, expression, position, apart}, name);
}

Result<Changed> let_binding(const Session& session, const Arguments& arguments) {
  const std::string words = text(arguments, "line");
  const std::optional<NamedExpression> line = split_line(words);
  if (!line) return Error{ErrorCode::parse, fmt::format("\"{}\" is no line", words), {}, {"name = expression"}};
  if (!session.find(line->name)) return add_binding(session, {{"name", line->name}, {"expression", line->expression}});
  if (const auto parsed = parse_expression(line->expression); !parsed) return parsed.error();
  return changed_by(session, SetBinding{line->name, line->expression}, line->name);
}

// Below the binding, and below all that the expression needs.
std::size_t place_of_other(const Session& session, std::string_view name, std::string_view expression) {
  const std::vector<std::size_t> needed = needed_bindings(session.document(), session.document().bindings.size(), expression);
  return std::max(number_of(session, name), needed.empty() ? 0 : needed.back()) + 1;
}

// What is compared stays as it is: another version stands below it under a name of its own, and a binding that is there already is B
// itself.
Result<Changed> compare_binding(const Session& session, const Arguments& arguments) {
  const std::string name = binding(session, arguments), expression(trimmed(text(arguments, "expression")));
  const bool is_there = expression != name && session.find(expression) != nullptr;
  const std::string other = is_there ? expression : free_name(session, name);
  const Scope scope = [&](std::string_view known) { return find_value(session.bindings(), known); };
  TESSERA_TRY(value, evaluate_expression(expression, scope, nullptr));
  if (!is_drawable(value))
    return Error{
        ErrorCode::wrong_type, fmt::format("{} is of kind {}, and there is no figure of that", expression, kind_name(value)), {}, {}};
  Changed changed{session.workspace(), {}};
  if (!is_there) {
    const AddBinding line{other, expression, place_of_other(session, name, expression)};
    TESSERA_TRY(added, changed_by(session, line, other));
    changed = std::move(added);
  }
  changed.workspace.selected = other;
  changed.label = fmt::format("Compare {} with {}", name, other);
  changed.workspace.pinned = Pin{other, session.workspace().document, name};
  // Both side by side want the room of all.
  changed.workspace.arrangement = with_view(changed.workspace.arrangement, pane_for(session, name).place, {other}, false);
  changed.workspace.maximised = other;
  return changed;
}

Result<Changed> set_binding(const Session& session, const Arguments& arguments) {
  return changed_by(session, SetBinding{binding(session, arguments), text(arguments, "expression")});
}

Result<Changed> set_parameter(const Session& session, const Arguments& arguments) {
  return changed_by(session, SetFigureParameter{binding(session, arguments), text(arguments, "parameter"), text(arguments, "value")});
}

namespace {

std::string without_blanks(std::string_view text) {
  std::string out;
  std::copy_if(text.begin(), text.end(), std::back_inserter(out), [](char c) { return c != ' '; });
  return out;
}

// The binding whose layout a diagram shows: of diagram_figure(a) that is a; a diagram of an operation has other leaves than a.
std::string layout_behind(const Session& session, const std::string& name) {
  const auto parsed = parse_expression(session.expression(name));
  const auto* call = parsed ? std::get_if<CallExpr>(&parsed->node) : nullptr;
  if (!call || call->name != "diagram_figure") return name;
  const auto& arguments = call->arguments;
  const auto is_operation = [](const Argument& argument) { return argument.name.empty() || argument.name == "op"; };
  const bool one = !arguments.empty() && arguments[0].name.empty() && std::none_of(arguments.begin() + 1, arguments.end(), is_operation);
  const auto* shown = one ? std::get_if<NameExpr>(&call->values[arguments[0].value].node) : nullptr;
  return shown && session.find(shown->name) ? std::string(shown->name) : name;
}

}  // namespace

// Of a layout that is written out: what others come to follows from what they are made of.
Result<Changed> exchange_leaves(const Session& session, const Arguments& arguments) {
  const std::string name = layout_behind(session, binding(session, arguments));
  const EvaluatedBinding& found = *session.find(name);
  const std::string expression(session.expression(name));
  const Layout* layout = found.value ? std::get_if<Layout>(&found.value->any) : nullptr;
  if (!layout || without_blanks(to_string(*layout)) != without_blanks(expression))
    return Error{ErrorCode::wrong_type,
                 fmt::format("{} is {}: leaves are exchanged in a layout that is written out, such as (4,8):(8,1)", name, expression),
                 {},
                 {}};
  TESSERA_TRY(leaf, integer(arguments, "leaf", 0));
  TESSERA_TRY(other, integer(arguments, "other", 0));
  if (leaf < 0 || other < 0) return Error{ErrorCode::out_of_range, "leaves are counted from 0", {}, {}};
  TESSERA_TRY(exchanged, tessera::exchange_leaves(*layout, static_cast<std::size_t>(leaf), static_cast<std::size_t>(other)));
  TESSERA_TRY(changed, changed_by(session, SetBinding{name, to_string(exchanged)}));
  changed.label = fmt::format("Exchange leaves {} and {} of {}", leaf, other, name);
  return changed;
}

Result<Changed> rename_binding(const Session& session, const Arguments& arguments) {
  return changed_by(session, RenameBinding{binding(session, arguments), text(arguments, "to")});
}

Result<Changed> duplicate_binding(const Session& session, const Arguments& arguments) {
  const std::string from = binding(session, arguments), name = free_name(session, from);
  TESSERA_TRY(changed, changed_by(session, AddBinding{name, std::string(session.expression(from)), number_of(session, from) + 1}, name));
  changed.label = "Duplicate " + from;
  return changed;
}

Result<Changed> delete_binding(const Session& session, const Arguments& arguments) {
  const std::string name = binding(session, arguments);
  const std::size_t at = number_of(session, name);
  // The next line is selected, so that several can be deleted one after the other.
  std::string next;
  for (std::size_t i = at + 1; i < session.bindings().size() && next.empty(); ++i) next = session.bindings()[i].name;
  for (std::size_t i = at; i-- > 0 && next.empty();) next = session.bindings()[i].name;
  TESSERA_TRY(changed, changed_by(session, RemoveBinding{name}));
  if (session.workspace().selected == name) changed.workspace.selected = next;
  return changed;
}

Result<Changed> move_binding(const Session& session, const Arguments& arguments) {
  TESSERA_TRY(position, integer(arguments, "position", 0));
  return move_to(session, binding(session, arguments), position);
}

Result<Changed> raise_binding(const Session& session, const Arguments& arguments) {
  const std::string name = binding(session, arguments);
  return move_to(session, name, static_cast<std::int64_t>(number_of(session, name)) - 1);
}

Result<Changed> lower_binding(const Session& session, const Arguments& arguments) {
  const std::string name = binding(session, arguments);
  return move_to(session, name, static_cast<std::int64_t>(number_of(session, name)) + 1);
}

Result<Changed> fix_binding(const Session& session, const Arguments& arguments) {
  const std::string name = binding(session, arguments);
  const EvaluatedBinding* found = session.find(name);
  TESSERA_TRY(changed, changed_by(session, SetBinding{name, mended(session.expression(name), *found->value.error().fix)}));
  changed.label = "Mend " + name;
  return changed;
}

Result<Changed> set_text(const Session& session, const Arguments& arguments) {
  return changed_by(session, OpenText{text(arguments, "text")});
}

// Lines of our own, of C++ or of Python become bindings below the others; what is no statement becomes the value of one.
Result<Changed> paste_text(const Session& session, const Arguments& arguments) {
  std::string pasted(trimmed(text(arguments, "text")));
  if (is_share_text(pasted)) {
    TESSERA_TRY(shared, read_share_text(pasted));
    pasted = trimmed(shared);
  }
  if (pasted.empty()) return Error{ErrorCode::parse, "there is no text to paste", {}, {"copy a layout, or lines of C++ or Python, first"}};
  if (const std::size_t longest = longest_line(pasted); longest > kLongestText)
    return Error{ErrorCode::limit, fmt::format("a line of what was pasted has {} bytes; the limit is {}", longest, kLongestText), {}, {}};
  const bool may_be_value = pasted.size() <= kLongestText;
  const Result<Document> alone = may_be_value ? parse_document(pasted) : Document{};
  const auto has_name = [](const Binding& binding) { return !binding.name.empty(); };
  if (may_be_value && (!alone || std::none_of(alone->bindings.begin(), alone->bindings.end(), has_name))) {
    const Scope scope = [&](std::string_view name) { return find_value(session.bindings(), name); };
    if (evaluate_expression(pasted, scope, nullptr)) return add_binding(session, {{"expression", pasted}});
  }
  std::string whole = session.text();
  if (!whole.empty() && !whole.ends_with('\n')) whole += '\n';
  TESSERA_TRY(document, parse_document(whole + pasted + "\n"));
  if (document.bindings.size() > kMostStatements)
    return Error{ErrorCode::limit,
                 fmt::format("with what was pasted the document would have {} bindings; at most {} are evaluated", document.bindings.size(),
                             kMostStatements),
                 {},
                 {}};
  const std::size_t before = session.document().bindings.size();
  if (document.bindings.size() == before && document.bad_lines.size() == session.document().bad_lines.size())
    return Error{ErrorCode::parse, "what was pasted binds no name and has no value", {}, {"paste a layout, or lines of C++ or Python"}};
  std::string last;
  for (std::size_t i = before; i < document.bindings.size(); ++i) {
    if (!document.bindings[i].name.empty()) last = document.bindings[i].name;
  }
  Changed changed = with_document(session, std::move(document), "Paste");
  if (!last.empty()) changed.workspace.selected = last;
  return changed;
}

}  // namespace tessera::action
