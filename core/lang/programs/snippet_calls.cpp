// SPDX-License-Identifier: BSD-3-Clause
// SnippetRunner: calls of what the text defines. A call walks through the function's statements up to its return, with a runner of its
// own: it sees the arguments, the object's members and what stands outside of functions, and no name of the caller.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/base/characters.hpp"
#include "core/lang/builtins/builtins.hpp"
#include "core/lang/eval/evaluate_expression.hpp"
#include "core/lang/eval/evaluator.hpp"
#include "core/lang/programs/snippet_members.hpp"
#include "core/lang/programs/snippet_runner.hpp"
#include "core/lang/statements/call_sites.hpp"
#include "core/lang/statements/call_spans.hpp"
#include "core/lang/statements/definitions.hpp"
#include "core/lang/syntax/dialect.hpp"
#include "core/lang/syntax/words.hpp"
#include "core/lang/values/user_function.hpp"

namespace tessera {

using namespace statement_text;

namespace {

constexpr std::size_t kDeepest = 12;        // calls within calls
constexpr std::int64_t kCellsOfACall = 64;  // of the budget, and as many for each of its statements

thread_local std::vector<const Statement*> open_calls;  // the heads of what is being called on this thread

struct OpenCall {
  explicit OpenCall(const Statement& head) { open_calls.push_back(&head); }
  ~OpenCall() { open_calls.pop_back(); }
  OpenCall(const OpenCall&) = delete;
  OpenCall& operator=(const OpenCall&) = delete;
};

bool is_return(std::string_view text, const Statement& statement) {
  return first_word(text.substr(statement.span.begin, statement.span.end - statement.span.begin)) == "return";
}

std::vector<WrittenArgument> written_arguments(const CallArguments& arguments, std::size_t from, std::size_t to) {
  std::vector<WrittenArgument> made;
  for (std::size_t i = from; i < to; ++i) {
    WrittenArgument& each = made.emplace_back();
    each.name = arguments.names[i];
    if (i >= arguments.unknown.size() || !arguments.unknown[i]) each.value.value = std::make_shared<const Value>(arguments.values[i]);
  }
  return made;
}

}  // namespace

SnippetRunner::SnippetRunner(SnippetRunner& caller, const Definition& of, const std::vector<Statement>& statements,
                             const SnippetOptions& options, const Members* members)
    : text_(caller.definitions_->text()),
      options_(options),
      outer_(caller.outer_),
      known_(nullptr),
      unknown_(statements),
      ahead_(statements),
      definitions_(caller.definitions_),
      caller_(caller.caller_ ? caller.caller_ : &caller),
      of_(&of),
      members_(members) {}

void SnippetRunner::defines(const Definitions& definitions) {
  definitions_ = &definitions;
  if (options_.watch) sites_ = calls_in(definitions);
}

std::string SnippetRunner::class_around() const {
  if (of_) return of_->is_class ? of_->name : of_->of_class;
  for (std::size_t i = enters_.size(); i-- > 0;) {
    const Statement& head = definitions_->statements()[enters_[i]];
    if (head.reason == "a class" && !head.names.empty()) return head.names[0];
  }
  return {};
}

// Of the statement that began an open block.
bool SnippetRunner::is_python_class(std::size_t enters) const {
  if (!definitions_) return false;
  const Statement& head = definitions_->statements()[of_ ? of_->enters + enters : enters];
  return head.reason == "a class" && !head.declares;
}

// A function or a class of the text, as what can be called; null where the name is none of them, or a function of CuTe.
const Value* SnippetRunner::defined(std::string_view name) {
  if (!definitions_ || definitions_->all().empty() || own_) return nullptr;
  if (const auto known = defined_.find(name); known != defined_.end()) return &known->second;
  std::string_view path = name;
  if (const std::string in_class = names_.path_in_class(std::string(name)); !in_class.empty()) return defined(in_class);
  std::vector<const Definition*> found = definitions_->named(path, class_around());
  std::erase_if(found, [&](const Definition* each) { return each->is_local && !is_open_around(*each); });
  if (found.empty()) return nullptr;
  if (found.size() == 1 && is_struct(*found[0])) return &local_functions_.emplace_back(struct_value(*found[0]));
  if (std::any_of(found.begin(), found.end(), [](const Definition* each) { return each->is_local; })) {
    std::erase_if(found, [](const Definition* each) { return !each->is_local || each->is_class; });  // it hides what stands outside
    return found.empty() ? nullptr : &local_functions_.emplace_back(function_value(std::string(name), std::move(found)));
  }
  const bool is_path = path.find_first_of(".:") != std::string_view::npos;
  if (!is_path && find_builtin(path)) return nullptr;
  if (found.size() == 1 && found[0]->is_class) return class_value(*found[0]);
  std::erase_if(found, [](const Definition* each) { return each->is_class; });  // specialisations are not told apart
  if (found.empty()) return nullptr;
  return &defined_.emplace(name, function_value(std::string(name), std::move(found))).first->second;
}

Value SnippetRunner::function_value(std::string name, std::vector<const Definition*> callees) {
  UserFunction made;
  made.name = std::move(name);
  made.body = [handle = std::weak_ptr<SnippetRunner*>(self_), callees = std::move(callees)](
                  std::string_view, const CallArguments& arguments) -> Result<Value> {
    const std::shared_ptr<SnippetRunner*> runner = handle.lock();
    if (!runner) return Error{ErrorCode::unknown_name, "the function is defined in another text", {}, {}};
    return (*runner)->call(callees, arguments, (*runner)->members_);
  };
  return Value{std::make_shared<const UserFunction>(std::move(made))};
}

// Is this place within all the blocks that a function within a function stands in?
bool SnippetRunner::is_open_around(const Definition& local) const {
  return !caller_ && local.around.size() <= enters_.size() && std::equal(local.around.begin(), local.around.end(), enters_.begin());
}

const Value* SnippetRunner::find_defined(std::string_view name) {
  const Value* value = defined(name);
  return value && std::holds_alternative<std::shared_ptr<const UserFunction>>(value->any) ? value : nullptr;
}

// Of C++ without a template: its name, as using Tr = Traits gives it. Otherwise what makes one, with arguments.
const Value* SnippetRunner::class_value(const Definition& of) {
  const Statement& head = definitions_->head(of);
  if (definitions_->class_named(of.name) != &of) return nullptr;
  if (!of.is_python && head.templates == 0) {
    SnippetRunner& whole = caller_ ? *caller_ : *this;
    if (!whole.names_.has_class(of.name)) return nullptr;
    return &defined_.emplace(of.name, Value{of.name}).first->second;
  }
  UserFunction made;
  made.name = of.name;
  made.is_class = true;
  made.body = [handle = std::weak_ptr<SnippetRunner*>(self_), &of](std::string_view, const CallArguments& arguments) -> Result<Value> {
    const std::shared_ptr<SnippetRunner*> runner = handle.lock();
    if (!runner) return Error{ErrorCode::unknown_name, "the class is defined in another text", {}, {}};
    return (*runner)->instantiate(of, arguments);
  };
  return &defined_.emplace(of.name, Value{std::make_shared<const UserFunction>(std::move(made))}).first->second;
}

// What a name that is none of the call's own means: a member of its object, or what the text around the function says.
const Value* SnippetRunner::find_from_call(std::string_view name) {
  const std::string in_class = names_.path_in_class(std::string(name));
  if (members_ && in_class.empty()) {
    if (const Value* member = members_->find(name)) return member;
    if (name.starts_with("self.")) return nullptr;  // of another object, perhaps
  }
  return caller_->find_for(*of_, in_class.empty() ? std::string(name) : in_class);
}

// Of the runner of the whole text: the meaning of a name where `callee` stands. A name that means another thing here is only known there
// where its value rests on nothing, since what it rests on is asked by its name.
const Value* SnippetRunner::find_for(const Definition& callee, const std::string& name) {
  std::size_t depth = 0;
  while (depth < enters_.size() && depth < callee.around.size() && enters_[depth] == callee.around[depth]) ++depth;
  const NameTable::Meaning* there = names_.find_outside(name, depth);
  if (there == names_.find(name)) return find(name);
  if (!there) return outer_ ? outer_(name) : nullptr;
  const bool certain = there->needs.empty() && there->doubts.empty() && there->stated.empty();
  return certain ? there->value : nullptr;
}

Result<Value> SnippetRunner::call(const std::vector<const Definition*>& callees, const CallArguments& arguments, const Members* members) {
  const std::size_t own = arguments.values.size() - std::min(arguments.templates, arguments.values.size());
  const std::vector<WrittenArgument> given = written_arguments(arguments, 0, own),
                                     templates = written_arguments(arguments, own, arguments.values.size());
  std::vector<std::pair<const Definition*, FittingCall>> fitting;
  for (const Definition* each : callees) {
    if (auto with = parameters_of_call(*each, definitions_->head(*each), templates, given)) fitting.emplace_back(each, *std::move(with));
  }
  keep_best(fitting);
  if (fitting.size() == 1) return call_one(*fitting[0].first, fitting[0].second.parameters, members);
  if (!fitting.empty())
    return Error{ErrorCode::unknown_name, fmt::format("there are several functions {} that it may be", callees[0]->name), {}, {}};
  if (own == 0 && !templates.empty()) return with_templates(callees, arguments);
  return Error{ErrorCode::wrong_arity,
               fmt::format("{} in line {} takes other arguments", callees[0]->path(), definitions_->head(*callees[0]).line),
               {},
               {}};
}

// kernel<half_t> without a call: the function, with these arguments of its template.
Value SnippetRunner::with_templates(const std::vector<const Definition*>& callees, const CallArguments& templates) {
  UserFunction made;
  made.name = callees[0]->path() + "<...>";
  made.body = [handle = std::weak_ptr<SnippetRunner*>(self_), callees, values = templates.values](
                  std::string_view, CallArguments arguments) -> Result<Value> {
    const std::shared_ptr<SnippetRunner*> runner = handle.lock();
    if (!runner) return Error{ErrorCode::unknown_name, "the function is defined in another text", {}, {}};
    arguments.names.resize(arguments.values.size() + values.size());
    arguments.values.insert(arguments.values.end(), values.begin(), values.end());
    arguments.templates = values.size();
    return (*runner)->call(callees, arguments, nullptr);
  };
  return Value{std::make_shared<const UserFunction>(std::move(made))};
}

Result<Value> SnippetRunner::call_one(const Definition& callee, const std::vector<CalledParameter>& parameters, const Members* members) {
  const Statement& head = definitions_->head(callee);
  const std::string name = callee.path();
  const auto first = definitions_->statements().begin() + static_cast<std::ptrdiff_t>(callee.enters);
  const auto last = definitions_->statements().begin() + static_cast<std::ptrdiff_t>(callee.leaves);
  const bool gives = std::any_of(first, last, [&](const Statement& each) {
    return each.expression.begin < each.expression.end && is_return(definitions_->text(), each);
  });
  if (!gives) gives_nothing_ = name;
  if (!gives) return Error{ErrorCode::unknown_name, fmt::format("{} in line {} returns no value", name, head.line), {}, {}};
  if (std::find(open_calls.begin(), open_calls.end(), &head) != open_calls.end())
    return Error{ErrorCode::unknown_name, fmt::format("{} in line {} calls itself, which is not followed", name, head.line), {}, {}};
  if (open_calls.size() >= kDeepest)
    return Error{ErrorCode::limit, fmt::format("functions call each other deeper than {}, the limit here", kDeepest), {}, {}};
  TESSERA_CHECK(spend_cells(kCellsOfACall * (1 + (last - first)), [&] { return fmt::format("calling {} once more", name); }));
  const OpenCall open(head);
  const CalledBlocks blocks{{head.span.begin, parameters}};
  SnippetOptions options;
  options.statements = options_.statements;
  options.statements.language = head.dialect;
  options.guess = false;
  options.called = &blocks;
  std::vector<Statement> statements(first, last);
  SnippetRunner runner(*this, callee, statements, options, members);
  static_cast<void>(runner.run(std::move(statements)));
  if (!runner.returned_) return Error{ErrorCode::unknown_name, fmt::format("{} in line {} returns no value", name, head.line), {}, {}};
  if (*runner.returned_) return std::move(*runner.returned_);
  Error error = std::move(*runner.returned_).error();
  error.message = fmt::format("in {}: {}", name, error.message);
  error.span.reset();
  error.missing.clear();  // a name of the function is none that the caller could be given
  if (error.code == ErrorCode::limit) error.code = ErrorCode::unknown_name;
  return error;
}

// Is the statement a return of the function that is called? Then its value is the call's.
bool SnippetRunner::returns(const Statement& statement) {
  if (!of_ || of_->is_class || statement.kind == Statement::Kind::enters || !is_return(text_, statement)) return false;
  const DialectScope dialect(statement.dialect);
  if (std::find(uncertain_.begin(), uncertain_.end(), true) != uncertain_.end()) {
    returned_ =
        Error{ErrorCode::unknown_name, fmt::format("line {} returns in a condition or a loop that is not known", statement.line), {}, {}};
    return true;
  }
  erased_ = &statement.erased;
  StatementAnswer made;
  std::vector<Error> warnings;
  const std::optional<Value> object = library_object(statement);
  Result<Value> value = object              ? Result<Value>(*object)
                        : statement.is_list ? listed(statement)
                                            : value_of(statement, statement.expression, warnings);
  note_needs(made);
  if (!value)
    returned_ = explained(std::move(value).error());
  else if (!made.doubts.empty())
    returned_ = Error{ErrorCode::unknown_name, made.doubts.front(), {}, {}};
  else
    returned_ = std::move(value);
  return true;
}

// Of what is called, functions and classes within it are not walked through, but for a class's __init__.
bool SnippetRunner::skips_definition(const Statement& statement) const {
  const bool defines = statement.reason == "a function" || statement.reason == "a kernel" || statement.reason == "a class";
  return of_ && defines && enters_.size() > 1 && !(of_->is_class && statement.called == "__init__");
}

// Traits<128, half_t>, Gemm(tile): the class is walked through with the arguments.
Result<Value> SnippetRunner::instantiate(const Definition& of, const CallArguments& arguments) {
  const Statement& head = definitions_->head(of);
  const std::size_t own = arguments.values.size() - std::min(arguments.templates, arguments.values.size());
  if (std::find(open_calls.begin(), open_calls.end(), &head) != open_calls.end() || open_calls.size() >= kDeepest)
    return Error{
        ErrorCode::unknown_name, fmt::format("the class {} in line {} uses itself, which is not followed", of.name, head.line), {}, {}};
  CalledBlocks blocks;
  const auto add = [&](const Definition& block, std::size_t from, std::size_t to, bool templates) {
    const std::vector<WrittenArgument> given = written_arguments(arguments, from, to), none;
    auto with = parameters_of_call(block, definitions_->head(block), templates ? given : none, templates ? none : given);
    if (with) blocks[definitions_->head(block).span.begin] = std::move(with->parameters);
    return with.has_value();
  };
  bool fits = true;
  if (of.is_python) {
    const std::vector<const Definition*> makers = definitions_->methods(of.name, "__init__");
    if (makers.size() == 1) fits = add(*makers[0], 0, own, false);
  } else {
    fits = add(of, own, arguments.values.size(), true);
  }
  if (!fits) return Error{ErrorCode::wrong_arity, fmt::format("{} in line {} takes other arguments", of.name, head.line), {}, {}};
  const std::int64_t count = static_cast<std::int64_t>(of.leaves - of.enters);
  TESSERA_CHECK(spend_cells(kCellsOfACall * (1 + count), [&] { return fmt::format("making one more {}", of.name); }));
  const OpenCall open(head);
  SnippetOptions options;
  options.statements = options_.statements;
  options.statements.language = head.dialect;
  options.guess = false;
  options.called = &blocks;
  const auto first = definitions_->statements().begin() + static_cast<std::ptrdiff_t>(of.enters);
  // With the end of the class, behind which its members have their paths.
  const auto last =
      definitions_->statements().begin() + static_cast<std::ptrdiff_t>(std::min(of.leaves + 1, definitions_->statements().size()));
  std::vector<Statement> statements(first, last);
  SnippetRunner runner(*this, of, statements, options, nullptr);
  const SnippetAnswer answer = runner.run(std::move(statements));
  auto members = std::make_shared<Members>();
  members->of = &of;
  for (auto& [name, value] : runner.names_.members_of(of.name, of.is_python)) members->list.emplace_back(name, *value);
  std::sort(members->list.begin(), members->list.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  members->is_partial = std::find(arguments.unknown.begin(), arguments.unknown.end(), true) != arguments.unknown.end();
  return object_of(of, std::move(members));
}

// The object in shared memory: its arrays are pointers there.
Value SnippetRunner::in_smem(const Members& members) {
  auto made = std::make_shared<Members>(members);
  made->in_smem = true;
  for (auto& [name, value] : made->list) {
    const auto* array = std::get_if<Layout>(&value.any);
    auto* pointer = std::get_if<Pointer>(&value.any);
    if (array && value.element.bits > 0)
      value = Value{Pointer{{value.element.bits, value.element.type, MemorySpace::smem}, 0, array->size()}};
    else if (pointer)
      pointer->element.space = MemorySpace::smem;
  }
  return object_of(*members.of, std::move(made));
}

Value SnippetRunner::object_of(const Definition& of, std::shared_ptr<Members> members) {
  UserFunction made;
  made.name = of.name;
  made.is_object = true;
  made.captured = members->list;
  made.in_smem = members->in_smem;
  made.is_partial = members->is_partial;
  SnippetRunner& whole = caller_ ? *caller_ : *this;
  made.body = [handle = std::weak_ptr<SnippetRunner*>(whole.self_), members = std::shared_ptr<const Members>(std::move(members))](
                  std::string_view method, const CallArguments& arguments) -> Result<Value> {
    const std::shared_ptr<SnippetRunner*> runner = handle.lock();
    if (!runner) return Error{ErrorCode::unknown_name, "the object is one of another text", {}, {}};
    const Definition& made_by = *members->of;
    if (method == "__sizeof__" && !made_by.is_python) return (*runner)->size_of_object(*members);
    if (method == "__in_smem__" && !made_by.is_python) return (*runner)->in_smem(*members);
    const std::string_view name = !method.empty() ? method : made_by.is_python ? "__call__" : "operator()";
    const std::vector<const Definition*> methods = (*runner)->definitions_->methods(made_by.name, name);
    if (!methods.empty()) return (*runner)->call(methods, arguments, members.get());
    if (const Value* member = arguments.values.empty() ? members->find(name) : nullptr) return *member;
    if (members->in_smem) return Value{Pointer{Element{0, std::nullopt, MemorySpace::smem}, 0}};
    return Error{ErrorCode::unknown_name, fmt::format("{} has no method {}", made_by.name, name), {}, {}};
  };
  return Value{std::make_shared<const UserFunction>(std::move(made))};
}

// An object or a function that an earlier evaluation of this text made, as one of this evaluation.
Value SnippetRunner::adopted(const Value& value) {
  const auto* held = std::get_if<std::shared_ptr<const UserFunction>>(&value.any);
  if (!held || !(*held)->body || !definitions_ || definitions_->all().empty()) return value;
  const UserFunction& function = **held;
  if (function.is_object) {
    const Definition* of = definitions_->class_named(function.name);
    if (!of) return value;
    auto members = std::make_shared<Members>();
    members->of = of;
    for (const auto& [name, member] : function.captured) members->list.emplace_back(name, adopted(member));
    return object_of(*of, std::move(members));
  }
  std::vector<const Definition*> found = definitions_->named(function.name, {});
  std::erase_if(found, [](const Definition* each) { return each->is_local || each->is_class; });
  return found.empty() ? value : function_value(function.name, std::move(found));
}

// What the bases of a class that is walked into have, by their members' names.
std::vector<std::pair<std::string, NameTable::Meaning>> SnippetRunner::inherited(const Statement& statement) {
  std::vector<std::pair<std::string, NameTable::Meaning>> made;
  if (!definitions_ || statement.reason != "a class" || statement.names.empty()) return made;
  const Definition* of = definitions_->class_named(statement.names[0]);
  const DialectScope dialect(statement.dialect);
  for (const std::string& parent : of ? of->parents : std::vector<std::string>{}) {
    looked_up_.clear();
    const WithUnknownArguments partial;
    const Result<Value> base = evaluate_expression(parent, scope(), nullptr);
    if (!base) continue;
    StatementAnswer rests_on;
    note_needs(rests_on);
    const auto add = [&](const std::string& name, const Value& value) {
      NameTable::Meaning meaning;
      meaning.value = &stated_values_.emplace_back(value);
      meaning.needs = rests_on.needs;
      meaning.doubts = rests_on.doubts;
      meaning.stated = rests_on.stated;
      meaning.bound = number_;
      made.emplace_back(name, std::move(meaning));
    };
    if (const auto* object = std::get_if<std::shared_ptr<const UserFunction>>(&base->any); object && (*object)->is_object) {
      for (const auto& [name, value] : (*object)->captured) add(name, value);
    } else if (const auto* name = std::get_if<std::string>(&base->any)) {
      SnippetRunner& whole = caller_ ? *caller_ : *this;
      for (const auto& [member, value] : whole.names_.members_of(*name, of->is_python)) add(member, *value);
    }
  }
  return made;
}

// Behind the end of a class: its bases' members are its own, where it has none of that name.
void SnippetRunner::bind_inherited() {
  if (enters_.empty() || inherited_.back().empty()) return;
  const Statement& head = definitions_->statements()[of_ ? of_->enters + enters_.back() : enters_.back()];
  Statement declaration;
  declaration.declares = true;
  for (auto& [name, meaning] : inherited_.back()) {
    const std::string path = head.names[0] + (head.declares ? "::" : ".") + name;
    if (!names_.find(path)) names_.bind(path, std::move(meaning), declaration);
  }
}

}  // namespace tessera
