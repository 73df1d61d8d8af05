// SPDX-License-Identifier: BSD-3-Clause
// Commands applied to documents. A document is taken apart into blocks (a binding with its own comments and the rest of its line),
// the blocks are changed, and the text that they make is parsed again: the parser is the only judge of what a document is.
#include "app/session/document/command.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/session/files/call_text.hpp"
#include "core/atom/instructions/catalog.hpp"
#include "core/base/characters.hpp"
#include "core/lang/builtins/builtins.hpp"
#include "core/lang/document/changes.hpp"

namespace tessera {
namespace {

struct Block {
  std::string comments;  // lines above the binding that belong to it
  std::string text;      // the statement; its name and its expression stand in it
  std::string name, expression;
  SourceSpan name_at, expression_at;
  std::string line_end;           // the rest of its last line, with the newline
  bool below_a_bad_line = false;  // there are lines among the comments that could not be read
};

struct Blocks {
  std::vector<Block> blocks;
  std::string rest;  // lines below the last block
};

// " # four\n\n# next\n" -> what ends the line before, and what belongs to the binding below.
std::pair<std::string, std::string> split_at_line_end(const std::string& text) {
  const std::size_t newline = text.find('\n');
  if (newline == std::string::npos) return {text, ""};
  return {text.substr(0, newline + 1), text.substr(newline + 1)};
}

Blocks take_apart(const Document& document) {
  Blocks result;
  for (const Binding& binding : document.bindings) {
    std::string own = binding.leading;
    if (!result.blocks.empty()) std::tie(result.blocks.back().line_end, own) = split_at_line_end(binding.leading);
    result.blocks.push_back({own, binding.text, binding.name, binding.expression, binding.name_at, binding.expression_at, "", false});
  }
  for (const BadLine& bad : document.bad_lines) {
    if (bad.before < result.blocks.size()) result.blocks[bad.before].below_a_bad_line = true;
  }
  result.rest = document.trailing;
  if (!result.blocks.empty()) std::tie(result.blocks.back().line_end, result.rest) = split_at_line_end(document.trailing);
  return result;
}

// Replaces a part of a block's text; the parts behind it move.
void replace(Block& block, SourceSpan part, std::string_view with) {
  block.text.replace(part.begin, part.end - part.begin, with);
  const std::size_t had = part.end - part.begin;
  for (SourceSpan* other : {&block.name_at, &block.expression_at}) {
    if (other->begin == part.begin && other->end == part.end)
      other->end = part.begin + with.size();
    else if (other->begin >= part.end)
      *other = {other->begin + with.size() - had, other->end + with.size() - had};
  }
}

void set_expression(Block& block, std::string expression) {
  // `param pad = 0..8` has the lower end as its value; another one stands in front of the range.
  const bool is_range = block.text.starts_with("param") && block.expression.find("..") != std::string::npos;
  if (is_range && expression.find("..") == std::string::npos) {
    block.text.insert(block.expression_at.begin, expression + " in ");
    block.expression_at.end = block.expression_at.begin + expression.size();
  } else {
    replace(block, block.expression_at, expression);
  }
  block.expression = std::move(expression);
}

Status check_text(std::string_view text) {
  if (text.find('\0') == std::string_view::npos) return Done{};
  return Error{ErrorCode::parse, "a byte that is zero cannot stand in a document: it would not open again", {}, {}};
}

// The text of the blocks, read again. Each block must come back with its own name and expression: an expression that would end its
// binding early, e.g. "4:1\nlet x = 3", is refused here. Bindings between them are lines that could not be read before, e.g. since
// their name was taken.
Result<Document> put_together(const Blocks& parts) {
  std::string text;
  for (std::size_t i = 0; i < parts.blocks.size(); ++i) {
    const Block& block = parts.blocks[i];
    text += block.comments + block.text + block.line_end;
    const bool last = i + 1 == parts.blocks.size() && parts.rest.empty();
    if (!last && !block.line_end.ends_with('\n')) text += '\n';
  }
  text += parts.rest;
  TESSERA_CHECK(check_text(text));
  TESSERA_TRY(document, parse_document(text));
  std::size_t next = 0;
  for (const Block& block : parts.blocks) {
    while (next < document.bindings.size() && document.bindings[next].name != block.name) ++next;
    if (next == document.bindings.size() || trimmed(document.bindings[next].expression) != trimmed(block.expression))
      return Error{ErrorCode::parse, "the expression is not one expression: it would end its own binding and begin another line", {}, {}};
    ++next;
  }
  return document;
}

Error no_binding(const Blocks& parts, std::string_view name) {
  std::vector<std::string> known;
  for (const Block& block : parts.blocks) known.push_back(block.name);
  Error error{ErrorCode::unknown_name, fmt::format("there is no binding \"{}\"", name), {}, {}};
  const std::vector<std::string> near = nearest_names(name, known, 3);
  if (!near.empty()) error.notes.push_back(fmt::format("the nearest: {}", fmt::join(near, ", ")));
  return error;
}

Result<std::size_t> find(const Blocks& parts, std::string_view name) {
  const auto at =
      std::find_if(parts.blocks.begin(), parts.blocks.end(), [&](const Block& block) { return !name.empty() && block.name == name; });
  if (at == parts.blocks.end()) return no_binding(parts, name);
  return static_cast<std::size_t>(at - parts.blocks.begin());
}

Status check_new_name(const Blocks& parts, std::string_view name) {
  if (!is_identifier(name)) {
    return Error{
        ErrorCode::parse, fmt::format("\"{}\" is no name: letters, digits and underscores, not starting with a digit", name), {}, {}};
  }
  if (find(parts, name)) return Error{ErrorCode::already_exists, fmt::format("there is a binding \"{}\" already", name), {}, {}};
  return Done{};
}

bool names_a_function(std::string_view name) {
  const auto table = builtins();
  return std::any_of(table.begin(), table.end(), [&](const BuiltinHelp& row) { return row.name == name; });
}

struct Applier {
  Blocks parts;

  Result<Document> operator()(const SetBinding& command) {
    TESSERA_TRY(at, find(parts, command.name));
    set_expression(parts.blocks[at], std::string(trimmed(command.expression)));
    return put_together(parts);
  }

  Result<Document> operator()(const AddBinding& command) {
    TESSERA_CHECK(check_new_name(parts, command.name));
    const std::size_t at = std::min(command.position.value_or(parts.blocks.size()), parts.blocks.size());
    const std::string expression(trimmed(command.expression)), text = fmt::format("let {} = {}", command.name, expression);
    Block block{"",   text, command.name, expression, {4, 4 + command.name.size()}, {text.size() - expression.size(), text.size()},
                "\n", false};
    if (command.apart) block.comments = "\n";
    if (at == parts.blocks.size() && !parts.rest.empty()) {  // below the comments that end the file
      block.comments = std::exchange(parts.rest, "");
      if (!block.comments.empty() && !block.comments.ends_with('\n')) block.comments += '\n';
    }
    parts.blocks.insert(parts.blocks.begin() + static_cast<std::ptrdiff_t>(at), std::move(block));
    return put_together(parts);
  }

  Result<Document> operator()(const RemoveBinding& command) {
    TESSERA_TRY(at, find(parts, command.name));
    if (parts.blocks[at].below_a_bad_line) {  // what could not be read is not this binding's, and stays
      (at + 1 < parts.blocks.size() ? parts.blocks[at + 1].comments : parts.rest).insert(0, parts.blocks[at].comments);
    }
    parts.blocks.erase(parts.blocks.begin() + static_cast<std::ptrdiff_t>(at));
    return put_together(parts);
  }

  Result<Document> operator()(const RenameBinding& command) {
    TESSERA_TRY(at, find(parts, command.from));
    if (command.from != command.to) TESSERA_CHECK(check_new_name(parts, command.to));
    if (parts.blocks[at].name_at.begin == parts.blocks[at].name_at.end)
      return Error{ErrorCode::wrong_type, fmt::format("\"{}\" are the parts of one value; rename them in the text", command.from), {}, {}};
    const bool is_function = names_a_function(command.from);
    for (Block& block : parts.blocks) {
      if (block.name == command.from) {
        replace(block, block.name_at, command.to);
        block.name = command.to;
      }
      std::string renamed = with_renamed_uses(block.expression, command.from, command.to, is_function);
      if (renamed == block.expression) continue;
      replace(block, block.expression_at, renamed);
      block.expression = std::move(renamed);
    }
    return put_together(parts);
  }

  Result<Document> operator()(const MoveBinding& command) {
    TESSERA_TRY(at, find(parts, command.name));
    Block block = std::move(parts.blocks[at]);
    parts.blocks.erase(parts.blocks.begin() + static_cast<std::ptrdiff_t>(at));
    const std::size_t to = std::min(command.position, parts.blocks.size());
    parts.blocks.insert(parts.blocks.begin() + static_cast<std::ptrdiff_t>(to), std::move(block));
    return put_together(parts);
  }

  Result<Document> operator()(const OpenText& command) {
    TESSERA_CHECK(check_text(command.text));
    return parse_document(command.text);
  }

  Result<Document> operator()(const SetFigureParameter& command) {
    TESSERA_TRY(at, find(parts, command.binding));
    if (!is_identifier(command.parameter)) {
      return Error{ErrorCode::parse, fmt::format("\"{}\" is no parameter name", command.parameter), {}, {}};
    }
    TESSERA_TRY(text, with_named_argument(parts.blocks[at].expression, command.parameter, trimmed(command.value)));
    set_expression(parts.blocks[at], std::move(text));
    return put_together(parts);
  }
};

struct Describer {
  std::string operator()(const SetBinding& command) const { return "Set " + command.name; }
  std::string operator()(const AddBinding& command) const { return "Add " + command.name; }
  std::string operator()(const RemoveBinding& command) const { return "Remove " + command.name; }
  std::string operator()(const RenameBinding& command) const { return fmt::format("Rename {} to {}", command.from, command.to); }
  std::string operator()(const MoveBinding& command) const { return "Move " + command.name; }
  std::string operator()(const OpenText&) const { return "Edit the text"; }
  std::string operator()(const SetFigureParameter& command) const {
    return fmt::format("Set {} of {}", command.parameter, command.binding);
  }
};

}  // namespace

Result<Document> apply(const Document& document, const Command& command) {
  if (const auto* set = std::get_if<SetBinding>(&command); set && !set->name.empty()) {  // a keystroke
    const auto at =
        std::find_if(document.bindings.begin(), document.bindings.end(), [&](const Binding& each) { return each.name == set->name; });
    const auto number = static_cast<std::size_t>(at - document.bindings.begin());
    if (at != document.bindings.end()) {
      if (auto changed = with_expression(document, number, trimmed(set->expression))) return std::move(*changed);
    }
  }
  return std::visit(Applier{take_apart(document)}, command);
}

std::string describe(const Command& command) { return std::visit(Describer{}, command); }

}  // namespace tessera
