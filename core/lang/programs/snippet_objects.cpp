// SPDX-License-Identifier: BSD-3-Clause
// SnippetRunner: objects of Python's libraries that statements change: a parser of arguments, a tensor whose layout is marked.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/characters.hpp"
#include "core/base/checked.hpp"
#include "core/lang/eval/evaluate_expression.hpp"
#include "core/lang/programs/snippet_parts.hpp"
#include "core/lang/programs/snippet_runner.hpp"
#include "core/lang/statements/call_spans.hpp"
#include "core/lang/statements/definitions.hpp"
#include "core/lang/statements/other_library.hpp"
#include "core/lang/syntax/dialect.hpp"
#include "core/lang/syntax/words.hpp"
#include "core/lang/values/convert.hpp"
#include "core/lang/values/pipeline_state.hpp"
#include "core/lang/values/user_function.hpp"

namespace tessera {

using namespace statement_text;

namespace {

constexpr std::string_view kParser = "argparse.ArgumentParser";

// An object of Python without methods that are known here.
Value python_object(std::string name, std::vector<std::pair<std::string, Value>> members) {
  UserFunction made;
  made.name = std::move(name);
  made.is_object = true;
  made.captured = std::move(members);
  return Value{std::make_shared<const UserFunction>(std::move(made))};
}

// The same of what a program has when it runs: some of its methods give nothing, and what the others give is not known.
Value run_object(std::string name, std::vector<std::pair<std::string, Value>> members) {
  static constexpr std::string_view kGiveNothing[] = {"producer_acquire", "producer_commit", "producer_tail", "consumer_wait",
                                                      "consumer_release", "error",           "arrive",        "wait",
                                                      "arrive_and_wait",  "synchronize"};
  UserFunction made;
  made.is_object = true;
  made.captured = std::move(members);
  made.body = [name](std::string_view method, const CallArguments&) -> Result<Value> {
    const bool gives_nothing = std::find(std::begin(kGiveNothing), std::end(kGiveNothing), method) != std::end(kGiveNothing);
    if (gives_nothing || (method.empty() && name == "cute.compile")) return Value{IntTuple::underscore()};
    return Error{ErrorCode::unknown_name,
                 fmt::format("what {} of {} gives is known when the program runs", method.empty() ? "a call" : method, name),
                 {},
                 {}};
  };
  made.name = std::move(name);
  return Value{std::make_shared<const UserFunction>(std::move(made))};
}

const UserFunction* parser_in(const Value* value) {
  const auto* object = value ? std::get_if<std::shared_ptr<const UserFunction>>(&value->any) : nullptr;
  return object && (*object)->name == kParser ? object->get() : nullptr;
}

void set_member(std::vector<std::pair<std::string, Value>>& members, const std::string& name, Value value) {
  const auto found = std::find_if(members.begin(), members.end(), [&](const auto& each) { return each.first == name; });
  if (found == members.end())
    members.emplace_back(name, std::move(value));
  else
    found->second = std::move(value);
}

}  // namespace

// The option that --tile-m of parser.add_argument("--tile-m", type=int, default=128) is, and where its default stands.
std::optional<SnippetRunner::ParserOption> SnippetRunner::option_in(SourceSpan arguments) const {
  ParserOption made;
  bool is_flag = false, has_default = false;
  for (const SourceSpan& span : arguments_in(text_, arguments, Dialect::python)) {
    const std::string_view text = part(span), word = first_word(text), behind = trimmed(text.substr(word.size()));
    const bool named = !word.empty() && behind.starts_with('=') && !behind.starts_with("==");
    const std::string_view value = named ? trimmed(behind.substr(1)) : text;
    const bool quoted = value.size() > 2 && (value.front() == '"' || value.front() == '\'');
    if ((!named && quoted && (made.name.empty() || value.substr(1).starts_with("--"))) || (word == "dest" && named && quoted))
      made.name = value.substr(1, value.size() - 2);
    if (named && word == "action") is_flag = value.find("store_true") != std::string_view::npos;
    if (!named || word != "default") continue;
    has_default = true;
    made.initial = {static_cast<std::size_t>(value.data() - text_.data()), span.end};
  }
  while (made.name.starts_with('-')) made.name.erase(0, 1);
  std::replace(made.name.begin(), made.name.end(), '-', '_');
  if (made.name.empty() || !(has_default || is_flag)) return std::nullopt;
  return made;
}

// What parse_args gives without a command line: of a parser that is an object here, its options, else all that were seen.
bool SnippetRunner::note_option(const Statement& statement) {
  constexpr std::string_view kCall = ".add_argument(";
  const std::size_t at = statement.dialect == Dialect::python ? part(statement.span).find(kCall) : std::string_view::npos;
  if (at == std::string_view::npos || !statement.names.empty()) return false;
  const std::size_t open = statement.span.begin + at + kCall.size() - 1;
  const std::optional<std::size_t> close = after_bracket(text_, open, Dialect::python);
  std::optional<ParserOption> option = close ? option_in({open + 1, *close - 1}) : std::nullopt;
  if (!option) return close.has_value();
  const std::string receiver(trimmed(part({statement.span.begin, statement.span.begin + at})));
  const NameTable::Meaning* meaning = names_.find(receiver);
  if (const UserFunction* parser = parser_in(meaning ? meaning->value : nullptr)) {
    std::vector<std::pair<std::string, Value>> members = parser->captured;
    const Result<Value> value = option->initial.begin == option->initial.end ? Result<Value>(Value{false})
                                                                             : evaluate_expression(part(option->initial), scope(), nullptr);
    if (value) {
      set_member(members, option->name, *value);
      change_object(receiver, run_object(std::string(kParser), std::move(members)), statement.line);
    }
  }
  options_of_parser_.push_back(std::move(*option));
  return true;
}

// args = parser.parse_args(): an object with the defaults.
std::optional<Value> SnippetRunner::parsed_arguments(const Statement& statement) {
  if (statement.dialect != Dialect::python || statement.names.size() != 1) return std::nullopt;
  const std::string_view written = part(statement.expression);
  const std::size_t at = written.find(".parse_args(");
  if (at == std::string_view::npos) return std::nullopt;
  std::vector<std::pair<std::string, Value>> members;
  if (const UserFunction* parser = parser_in(find(trimmed(written.substr(0, at))))) members = parser->captured;
  for (const ParserOption& each : options_of_parser_) {
    if (each.initial.begin == each.initial.end) {
      set_member(members, each.name, Value{false});
    } else if (const Result<Value> value = evaluate_expression(part(each.initial), scope(), nullptr)) {
      set_member(members, each.name, *value);
    }
  }
  return members.empty() ? std::nullopt : std::optional(python_object("arguments", std::move(members)));
}

// parser = argparse.ArgumentParser(...), and objects of the run that hold no layout: a stream, a pipeline, a compiled kernel.
std::optional<Value> SnippetRunner::library_object(const Statement& statement) const {
  if (statement.dialect != Dialect::python || statement.names.size() > 1 || statement.is_list) return std::nullopt;
  const std::string_view written = trimmed(part(statement.expression));
  const std::size_t open = written.find_first_of("([");
  if (open == std::string_view::npos) return std::nullopt;
  const std::string_view maker = trimmed(written.substr(0, open));
  if (!makes_run_object(maker) || (written[open] == '[' && maker != "cute.compile")) return std::nullopt;
  const std::size_t begin = static_cast<std::size_t>(written.data() - text_.data());
  std::optional<std::size_t> close = after_bracket(text_, begin + open, Dialect::python);
  if (close && written[open] == '[') close = after_bracket(text_, *close, Dialect::python);  // cute.compile[options](...)
  if (!close || *close != begin + written.size()) return std::nullopt;
  return run_object(std::string(maker == "ArgumentParser" ? kParser : maker), {});
}

// Another value of the object that a name is of: what the value rested on, it rests on still.
void SnippetRunner::change_object(const std::string& name, Value value, std::size_t line) {
  const NameTable::Meaning* before = names_.find(name);
  if (!before) return;
  NameTable::Meaning meaning = *before;
  meaning.value = &stated_values_.emplace_back(std::move(value));
  Statement here;
  here.dialect = Dialect::python;
  here.line = line;
  names_.bind(name, std::move(meaning), here);
}

// state.advance(), state.advance(2), ++state: is the name now of the state behind? Otherwise it is nothing that this is known of.
bool SnippetRunner::advance(const Statement& statement, const std::string& name) {
  const NameTable::Meaning* meaning = names_.find(name);
  const std::optional<PipelineState> state = meaning && meaning->value ? as_pipeline_state(*meaning->value) : std::nullopt;
  if (!state || aliases_.group(name).size() > 1) return false;
  const std::string_view written = trimmed(part(statement.expression));
  const std::string call = name + ".advance(";
  if (!written.starts_with(call) || !written.ends_with(')')) return false;
  const std::string_view inside = trimmed(written.substr(call.size(), written.size() - call.size() - 1));
  const Result<Value> given = inside.empty() ? Result<Value>(Value{IntTuple(1)}) : evaluate_expression(inside, scope(), nullptr);
  const Result<std::int64_t> steps = given ? as_integer(*given) : Result<std::int64_t>(given.error());
  if (!steps || *steps < 1) return false;
  change_object(name, pipeline_state_value(state->advanced(*steps)), statement.line);
  return true;
}

// x.mark_layout_dynamic(leading_dim=1) changes x, also where nothing is done with what it gives.
void SnippetRunner::note_marks(const Statement& statement, const Value& value) {
  if (statement.dialect != Dialect::python) return;
  const std::string_view written = trimmed(part(statement.expression));
  const std::size_t open = written.find('(');
  if (open == std::string_view::npos) return;
  const std::string_view called = written.substr(0, open);
  for (const std::string_view method : {".mark_layout_dynamic", ".mark_compact_shape_dynamic"}) {
    if (!called.ends_with(method)) continue;
    const std::string name(called.substr(0, called.size() - method.size()));
    if (names_.find(name)) change_object(name, value, statement.line);
  }
}

// x.element_type = cutlass.Float8E4M3FN: the same tensor, of other elements.
void SnippetRunner::note_element_type(const std::string& name, const Value& type, std::size_t line) {
  constexpr std::string_view kMember = ".element_type";
  if (!name.ends_with(kMember)) return;
  const std::string owner = name.substr(0, name.size() - kMember.size());
  const NameTable::Meaning* meaning = names_.find(owner);
  if (!meaning || !meaning->value || !as_any_layout(*meaning->value)) return;
  const Result<ValueType> element = as_value_type(type);
  Value made = *meaning->value;
  made.element = element ? element_of(*element, made.element.space) : Element{0, std::nullopt, made.element.space};
  change_object(owner, std::move(made), line);
}

// @cute.struct in front of a class of Python: what it annotates are members in shared memory.
bool SnippetRunner::is_struct(const Definition& of) const {
  if (!of.is_class || !of.is_python || of.enters == 0 || caller_) return false;
  const Statement& before = definitions_->statements()[of.enters - 1];
  return before.reason == "a decorator" && part(before.span).find("cute.struct") != std::string_view::npos;
}

// a: cute.struct.MemRange[Float16, 64] of such a class gives a the value that its annotation has.
void SnippetRunner::read_member(Statement& statement) const {
  if (statement.dialect != Dialect::python || statement.reason != "a declaration without a value" || !definitions_ || enters_.empty() ||
      of_)
    return;
  const std::vector<Definition>& all = definitions_->all();
  const auto of = std::find_if(all.begin(), all.end(), [&](const Definition& each) { return each.enters == enters_.back(); });
  const std::string_view written = part(statement.span);
  const std::size_t colon = written.find(':');
  if (of == all.end() || !is_struct(*of) || colon == std::string_view::npos) return;
  const std::string_view annotation = trimmed(written.substr(colon + 1));
  const std::size_t begin = static_cast<std::size_t>(annotation.data() - text_.data());
  statement.kind = Statement::Kind::bind;
  statement.reason = {};
  statement.names = {std::string(trimmed(written.substr(0, colon)))};
  statement.assigns.clear();
  statement.expression = {begin, begin + annotation.size()};
}

namespace {

std::optional<ByteExtent> extent_of_member(const Value& value) {
  if (const Result<ValueType> type = as_value_type(value)) {
    const std::int64_t bytes = std::max<std::int64_t>(1, bits(*type) / 8);
    return ByteExtent{bytes, bytes};
  }
  const auto* range = std::get_if<Layout>(&value.any);
  if (!range || value.element.bits == 0) return std::nullopt;
  const auto all = checked_mul(range->cosize(), value.element.bits);
  if (!all) return std::nullopt;
  return ByteExtent{(*all + 7) / 8, std::max<std::int64_t>(1, value.element.bits / 8)};
}

}  // namespace

// Each member begins at the next multiple of what it is aligned to, and the whole ends at one of the largest of these.
std::optional<std::int64_t> SnippetRunner::bytes_of_struct(const Definition& of) {
  std::int64_t offset = 0, largest = 1;
  const auto next = [](std::int64_t at, std::int64_t align) { return (at + align - 1) / align * align; };
  for (std::size_t i = of.enters + 1; i < of.leaves; ++i) {
    const std::string_view written = part(definitions_->statements()[i].span);
    const std::size_t colon = written.find(':');
    if (definitions_->statements()[i].reason != "a declaration without a value" || colon == std::string_view::npos) continue;
    const Value* member = find(fmt::format("{}.{}", of.name, trimmed(written.substr(0, colon))));
    std::optional<ByteExtent> extent = member ? extent_of_member(*member) : std::nullopt;
    if (!extent) return std::nullopt;
    const std::string_view annotation = trimmed(written.substr(colon + 1));
    if (const std::size_t open = annotation.find('['); annotation.substr(0, open).ends_with("Align")) {
      const std::size_t begin = static_cast<std::size_t>(annotation.data() - text_.data());
      const std::vector<SourceSpan> parts = arguments_in(text_, {begin + open + 1, begin + annotation.rfind(']')}, Dialect::python);
      const Result<Value> given = parts.size() == 2 ? evaluate_expression(part(parts[1]), scope(), nullptr) : Result<Value>(Value{false});
      const Result<std::int64_t> align = given ? as_integer(*given) : Result<std::int64_t>(given.error());
      if (!align || *align < 1) return std::nullopt;
      extent->align = std::max(extent->align, *align);
    }
    const auto end = checked_add(next(offset, extent->align), extent->bytes);
    if (!end) return std::nullopt;
    offset = *end;
    largest = std::max(largest, extent->align);
  }
  return next(offset, largest);
}

// The class itself, and what SharedStorage(pointer) makes: an object with the members.
Value SnippetRunner::struct_value(const Definition& of) {
  std::vector<std::pair<std::string, Value>> members;
  for (const auto& [name, meaning] : names_.with_prefix(of.name + ".")) {
    if (const Value* value = find(name)) members.emplace_back(name.substr(of.name.size() + 1), *value);
  }
  UserFunction made;
  made.name = of.name;
  made.is_object = true;
  made.captured = members;
  made.body = [members, name = of.name, bytes = bytes_of_struct(of)](std::string_view method, const CallArguments&) -> Result<Value> {
    if (method.empty()) return python_object(name, members);
    if (bytes && (method == "size_in_bytes" || method == "__sizeof__")) return Value{IntTuple(*bytes)};
    return Error{ErrorCode::unknown_name, fmt::format("what {} of the struct {} gives is not known here", method, name), {}, {}};
  };
  return Value{std::make_shared<const UserFunction>(std::move(made))};
}

}  // namespace tessera
