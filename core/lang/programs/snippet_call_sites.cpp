// SPDX-License-Identifier: BSD-3-Clause
// SnippetRunner: notes with what a text's functions are called, where they are.
#include <algorithm>
#include <array>
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
#include "core/lang/eval/evaluate_expression.hpp"
#include "core/lang/programs/snippet_runner.hpp"
#include "core/lang/statements/call_sites.hpp"
#include "core/lang/statements/definitions.hpp"
#include "core/lang/syntax/dialect.hpp"
#include "core/lang/syntax/words.hpp"
#include "core/lang/values/dim3.hpp"
#include "core/lang/values/user_function.hpp"

namespace tessera {

using namespace statement_text;

// Before a statement is evaluated: the calls in it, with what their arguments are worth there.
void SnippetRunner::note_calls(const Statement& statement) {
  if (sites_.empty() || caller_ || statement.kind == Statement::Kind::leaves) return;
  auto site = std::lower_bound(sites_.begin(), sites_.end(), statement.span.begin,
                               [](const CallSite& each, std::size_t at) { return each.at < at; });
  const DialectScope dialect(statement.dialect);
  const std::vector<SourceSpan> none;
  for (; site != sites_.end() && site->at < statement.span.end && !late(); ++site) {
    erased_ = &none;
    note_call(*site);
  }
}

// gemm(m, 4, stages=3), and *x and **x of Python.
CalledParameter SnippetRunner::known_argument(SourceSpan span) {
  CalledParameter made;
  looked_up_.clear();
  const Result<Value> value = evaluate_expression(part(span), scope(), nullptr);
  if (!value) return made;
  StatementAnswer rests_on;
  note_needs(rests_on);
  if (!rests_on.needs.empty()) return made;
  made.value = std::make_shared<const Value>(*value);
  made.stated = std::move(rests_on.stated);
  made.doubts = std::move(rests_on.doubts);
  made.given = std::move(rests_on.given);
  return made;
}

// Of a parameter that is called: the methods of the class whose object it is here.
std::vector<const Definition*> SnippetRunner::callees_of(const CallSite& site) {
  if (site.object.empty()) return site.callees;
  const Value* value = find(site.object);
  const auto* object = value ? std::get_if<std::shared_ptr<const UserFunction>>(&value->any) : nullptr;
  const Definition* of = object ? definitions_->class_named((*object)->name) : nullptr;
  if (object && !(*object)->is_object && site.method.empty()) return definitions_->named((*object)->name, {});
  if (!of || !(*object)->is_object) return {};
  return definitions_->methods(of->name, !site.method.empty() ? site.method : of->is_python ? "__call__" : "operator()");
}

// What self has where one of its methods calls another one. Null: it has no value there.
std::vector<CalledParameter> SnippetRunner::members_at_call() const {
  std::vector<CalledParameter> made;
  for (const auto& [name, meaning] : names_.with_prefix("self.")) {
    CalledParameter& each = made.emplace_back();
    each.name = name;
    if (!meaning->value || !meaning->needs.empty()) continue;
    each.value = std::make_shared<const Value>(*meaning->value);
    each.stated = meaning->stated;
    each.doubts = meaning->doubts;
    each.given = meaning->given;
  }
  return made;
}

// How a kernel is launched, by the names that it asks for it: blockDim.x, arch.block_dim. Python's cluster_dim counts clusters.
std::vector<CalledParameter> SnippetRunner::launch_of(const CallSite& site) {
  std::vector<CalledParameter> made;
  const bool python = current_dialect() == Dialect::python;
  std::optional<std::array<std::int64_t, 3>> grid, cluster;
  std::vector<std::string> stated, doubts, rests_on;
  const auto add = [&](std::string name, Value value, const CalledParameter& of) {
    made.push_back({std::move(name), std::make_shared<const Value>(std::move(value)), of.stated, of.doubts, false, of.given});
  };
  for (std::size_t i = 0; i < site.launch.size(); ++i) {
    SourceSpan span = site.launch[i];
    const std::string_view text = part(span), word = first_word(text), behind = trimmed(text.substr(word.size()));
    std::string_view what = i == 0 ? "grid" : i == 1 ? "block" : "";
    if (python) {
      if (!behind.starts_with('=')) return {};
      what = word;
      span.begin = static_cast<std::size_t>(trimmed(behind.substr(1)).data() - text_.data());
    }
    if (what != "grid" && what != "block" && what != "cluster") continue;
    const CalledParameter given = known_argument(span);
    const std::optional<std::array<std::int64_t, 3>> extents = given.value ? as_dim3(*given.value) : std::nullopt;
    if (!extents) continue;
    std::vector<IntTuple> modes;
    for (const std::int64_t each : *extents) modes.push_back(IntTuple::marked(each, marks::kDynamic));
    if (what == "grid") grid = extents;
    if (what == "cluster") cluster = extents;
    if (what != "block") {
      stated.insert(stated.end(), given.stated.begin(), given.stated.end());
      doubts.insert(doubts.end(), given.doubts.begin(), given.doubts.end());
      rests_on.insert(rests_on.end(), given.given.begin(), given.given.end());
    }
    if (python && what != "cluster") add(what == "grid" ? "arch.grid_dim" : "arch.block_dim", Value{IntTuple::tuple(modes)}, given);
    for (std::size_t axis = 0; axis < 3 && !python; ++axis) add(fmt::format("{}Dim.{}", what, "xyz"[axis]), Value{modes[axis]}, given);
  }
  if (python && grid && cluster) {
    std::vector<IntTuple> clusters;
    for (std::size_t axis = 0; axis < 3; ++axis)
      clusters.push_back(
          IntTuple::marked(((*grid)[axis] + (*cluster)[axis] - 1) / std::max<std::int64_t>((*cluster)[axis], 1), marks::kDynamic));
    add("arch.cluster_dim", Value{IntTuple::tuple(std::move(clusters))}, {{}, nullptr, stated, doubts, false, rests_on});
  }
  return made;
}

void SnippetRunner::note_call(const CallSite& site) {
  const auto written = [&](const std::vector<SourceSpan>& spans) {
    std::vector<WrittenArgument> made;
    for (SourceSpan span : spans) {
      WrittenArgument& each = made.emplace_back();
      const std::string_view text = part(span), word = first_word(text), behind = trimmed(text.substr(word.size()));
      each.is_splat = text.starts_with('*') && current_dialect() == Dialect::python;
      const bool named = current_dialect() == Dialect::python && !word.empty() && behind.starts_with('=') && !behind.starts_with("==");
      if (named) {
        each.name = word;
        const std::string_view value = trimmed(behind.substr(1));
        span.begin = static_cast<std::size_t>(value.data() - text_.data());
      }
      if (!each.is_splat) each.value = known_argument(span);
    }
    return made;
  };
  const std::vector<WrittenArgument> templates = written(site.templates), arguments = written(site.arguments);
  std::vector<std::pair<const Definition*, FittingCall>> fitting;
  for (const Definition* callee : callees_of(site)) {
    if (auto with = parameters_of_call(*callee, definitions_->head(*callee), templates, arguments))
      fitting.emplace_back(callee, *std::move(with));
  }
  keep_best(fitting);
  if (fitting.size() == 1) {
    std::vector<CalledParameter>& around = fitting[0].second.parameters;
    for (CalledParameter& each : launch_of(site)) around.push_back(std::move(each));
    for (CalledParameter& each : site.on_self ? members_at_call() : std::vector<CalledParameter>()) around.push_back(std::move(each));
  }
  std::optional<std::size_t> inside;
  bool in_main = false;
  for (const std::size_t each : enters_) {
    const Statement& around = definitions_->statements()[each];
    if (around.reason == "a function" || around.reason == "a kernel")
      inside = around.span.begin, in_main = around.called == "main" && around.declares;
  }
  std::vector<SeenCall> made;
  for (auto& [callee, call] : fitting) {
    const Statement& head = definitions_->head(*callee);
    const std::string_view written_head = part(head.span);
    const auto blanks = static_cast<std::size_t>(trimmed(written_head).data() - written_head.data());
    const std::size_t line = head.line + static_cast<std::size_t>(std::count(
                                             written_head.begin(), written_head.begin() + static_cast<std::ptrdiff_t>(blanks), '\n'));
    made.push_back({head.span.begin, line, callee->path(), site.line, false, unreached_.empty() || !unreached_.back(), callee->is_class,
                    inside, in_main, std::move(call.parameters)});
  }
  if (made.size() > 1) {  // which of the overloads it is is not known
    for (SeenCall& each : made) {
      for (CalledParameter& parameter : each.parameters) parameter = {parameter.name, nullptr, {}, {}, false};
    }
  }
  for (SeenCall& each : made) options_.watch->seen.push_back(std::move(each));
}

}  // namespace tessera
