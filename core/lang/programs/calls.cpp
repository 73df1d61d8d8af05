// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/programs/calls.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/atom/instructions/value_type.hpp"
#include "core/base/characters.hpp"
#include "core/base/utf8.hpp"
#include "core/lang/statements/call_spans.hpp"
#include "core/lang/syntax/dialect.hpp"
#include "core/lang/syntax/words.hpp"
#include "core/lang/values/convert.hpp"

namespace tessera {

using namespace statement_text;

namespace {

const CalledParameter* find_in(const std::vector<CalledParameter>& all, std::string_view name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const CalledParameter& each) { return each.name == name; });
  return found == all.end() ? nullptr : &*found;
}

bool same(const CalledParameter& a, const CalledParameter& b) {
  if (!a.value || !b.value) return !a.value && !b.value;
  return a.value == b.value || (a.value->any.index() == b.value->any.index() && to_string(*a.value) == to_string(*b.value) &&
                                a.value->element.bits == b.value->element.bits);
}

// T of `T const* a`, `T&& a` and `T a`; what else the type says makes it another one.
std::string_view bare_type(std::string_view type, bool& points) {
  type = trimmed(type);
  points = false;
  for (bool again = true; again;) {
    again = false;
    for (const std::string_view end : {"&", "*", " const", " __restrict__"}) {
      if (!type.ends_with(end)) continue;
      points = points || end == "*";
      type = trimmed(type.substr(0, type.size() - end.size()));
      again = true;
    }
    for (const std::string_view begin : {"const ", "__grid_constant__ ", "CUTLASS_GRID_CONSTANT "}) {
      if (!type.starts_with(begin)) continue;
      type = trimmed(type.substr(begin.size()));
      again = true;
    }
  }
  return type;
}

// What a template's parameter T is where a function's parameter of this type has this value. Numbers say nothing: int and Int<8> are not
// told apart.
std::optional<Value> deduced(std::string_view type, std::string_view parameter, const Value& value) {
  bool points = false;
  const std::string_view bare = bare_type(type, points);
  const auto* pointer = std::get_if<Pointer>(&value.any);
  if (points) {
    if (bare != parameter || !pointer || !pointer->element.type) return std::nullopt;
    return Value{std::string(cute_name(*pointer->element.type))};
  }
  if (bare == parameter) {
    const bool scalar = pointer || std::holds_alternative<bool>(value.any) || std::holds_alternative<double>(value.any) ||
                        std::holds_alternative<std::string>(value.any) || as_integer(value);
    return scalar ? std::nullopt : std::optional(value);
  }
  if (!bare.starts_with("Tensor<") && !bare.starts_with("cute::Tensor<")) return std::nullopt;
  const std::size_t open = bare.find('<');
  const std::vector<SourceSpan> parts = arguments_in(bare, {open + 1, bare.size() - 1}, Dialect::cpp);
  const bool is_layout = parts.size() == 2 && bare.substr(parts[1].begin, parts[1].end - parts[1].begin) == parameter;
  return is_layout && std::holds_alternative<Tensor>(value.any) ? std::optional(value) : std::nullopt;
}

// Can a value be given to a parameter of this type? half_t const* takes no pointer to float.
enum class Fit { none, possible, exact };
Fit fit_of(std::string_view type, const Value& value) {
  bool points = false;
  const std::string_view bare = bare_type(type, points);
  const auto wanted = value_type(bare.substr(bare.rfind(':') == std::string_view::npos ? 0 : bare.rfind(':') + 1));
  const auto* pointer = std::get_if<Pointer>(&value.any);
  if (!points || !wanted || !pointer || !pointer->element.type) return Fit::possible;
  return *pointer->element.type == *wanted ? Fit::exact : Fit::none;
}

std::string short_text(const Value& value) {
  constexpr std::size_t kLongest = 60;
  const auto* word = std::get_if<std::string>(&value.any);  // a type, most often
  const std::string text = word ? *word : to_string(value);
  return text.size() > kLongest ? std::string(utf8_prefix(text, kLongest)) + "..." : text;
}

// "the call in line 88"
std::string where(const std::vector<const SeenCall*>& calls) {
  const bool one = std::all_of(calls.begin(), calls.end(), [&](const SeenCall* each) { return each->line == calls[0]->line; });
  if (calls[0]->is_class) return one ? fmt::format("line {}, which uses it", calls[0]->line) : "all its uses";
  return one ? fmt::format("the call in line {}", calls[0]->line) : "all its calls";
}

bool is_pack(const StatedParameter& parameter) { return parameter.type.ends_with("..."); }
bool takes_all(const StatedParameter& parameter) { return parameter.type == "*" || parameter.type == "**"; }  // Python's *rest

}  // namespace

bool names_function(std::string_view entry, std::string_view path) {
  std::string wanted(entry), has(path);
  for (std::string* each : {&wanted, &has}) {
    for (std::size_t at = each->find("::"); at != std::string::npos; at = each->find("::")) each->replace(at, 2, ".");
  }
  return wanted == has || (has.size() > wanted.size() && has.ends_with("." + wanted));
}

std::optional<FittingCall> parameters_of_call(const Definition& definition, const Statement& head,
                                              const std::vector<WrittenArgument>& templates,
                                              const std::vector<WrittenArgument>& arguments) {
  FittingCall fitting;
  std::vector<CalledParameter>& made = fitting.parameters;
  const auto add = [&](const std::string& name, const CalledParameter& value) {
    made.push_back({name, value.value, value.stated, value.doubts, false, value.given});
  };
  bool has_pack = false;
  for (std::size_t i = 0; i < head.templates; ++i) has_pack = has_pack || is_pack(head.stated[i]);
  if (templates.size() > head.templates && !has_pack) return std::nullopt;
  for (std::size_t i = 0; i < std::min(templates.size(), head.templates) && !is_pack(head.stated[i]); ++i)
    add(head.stated[i].name, templates[i].value);
  std::size_t place = 0;
  const std::vector<const StatedParameter*> own = parameters_of(definition, head);
  bool open = false;  // how many arguments there are is not known
  for (const WrittenArgument& argument : arguments) {
    if (argument.is_splat) {
      open = true;
      continue;
    }
    const StatedParameter* to = nullptr;
    if (!argument.name.empty()) {
      const auto found = std::find_if(own.begin(), own.end(), [&](const StatedParameter* each) { return each->name == argument.name; });
      const bool takes_any = std::any_of(own.begin(), own.end(), [](const StatedParameter* each) { return each->type == "**"; });
      if (found == own.end() && !takes_any) return std::nullopt;
      if (found != own.end()) to = *found;
    } else if (!open) {
      if (place >= own.size()) return has_pack ? std::optional(fitting) : std::nullopt;
      if (is_pack(*own[place]) || takes_all(*own[place])) return fitting;
      to = own[place++];
    }
    if (!to) continue;
    const Fit fit = argument.value.value ? fit_of(to->type, *argument.value.value) : Fit::possible;
    if (fit == Fit::none) return std::nullopt;
    if (fit == Fit::exact) ++fitting.exact;
    add(to->name, argument.value);
  }
  if (open) {  // it may give any of the others
    for (const StatedParameter* each : own) {
      if (!find_in(made, each->name)) made.push_back({each->name, nullptr, {}, {}, false});
    }
  } else if (!definition.is_class) {
    for (const StatedParameter* each : own) {
      if (each->initial.begin == each->initial.end && !find_in(made, each->name) && !is_pack(*each) && !takes_all(*each))
        return std::nullopt;
    }
  }
  for (std::size_t i = 0; i < head.templates; ++i) {
    const StatedParameter& parameter = head.stated[i];
    if (find_in(made, parameter.name) || parameter.name.empty()) continue;
    for (const StatedParameter* each : own) {
      const CalledParameter* given = find_in(made, each->name);
      const std::optional<Value> type = given && given->value ? deduced(each->type, parameter.name, *given->value) : std::nullopt;
      if (!type) continue;
      made.push_back({parameter.name, std::make_shared<const Value>(*type), given->stated, given->doubts, false, given->given});
      break;
    }
  }
  return fitting;
}

void keep_best(std::vector<std::pair<const Definition*, FittingCall>>& fitting) {
  int best = 0;
  for (const auto& [definition, call] : fitting) best = std::max(best, call.exact);
  std::erase_if(fitting, [&](const auto& each) { return each.second.exact < best; });
}

namespace {

// A function that nothing calls calls nothing either, where there is a main; nor does one that only such functions call.
void mark_uncalled(std::vector<SeenCall>& seen) {
  const bool has_main = std::any_of(seen.begin(), seen.end(), [](const SeenCall& each) { return each.in_main; });
  for (bool again = has_main; again;) {
    again = false;
    std::map<std::size_t, bool> called;
    for (const SeenCall& each : seen) called[each.head] = called[each.head] || !each.uncalled;
    for (SeenCall& each : seen) {
      const auto around = each.inside ? called.find(*each.inside) : called.end();
      const bool uncalled = each.inside && !each.in_main && (around == called.end() || !around->second);
      again = again || (uncalled && !each.uncalled);
      each.uncalled = each.uncalled || uncalled;
    }
  }
}

// A function that is only called where nothing comes calls nothing either.
std::vector<SeenCall> without_dead(std::vector<SeenCall> seen) {
  mark_uncalled(seen);
  for (SeenCall& each : seen) each.reached = each.reached && !each.uncalled;
  for (bool again = true; again;) {
    again = false;
    std::map<std::size_t, bool> lives;
    for (const SeenCall& each : seen) lives[each.head] = lives[each.head] || each.reached;
    for (SeenCall& each : seen) {
      const auto around = each.inside ? lives.find(*each.inside) : lives.end();
      if (!each.reached || around == lives.end() || around->second) continue;
      each.reached = false;
      again = true;
    }
  }
  return seen;
}

}  // namespace

CalledValues values_by_calls(const std::vector<SeenCall>& seen, const std::vector<Entry>& entries) {
  std::map<std::size_t, std::vector<const SeenCall*>> by_head;
  const std::vector<SeenCall> all = without_dead(seen);
  for (const SeenCall& each : all) by_head[each.head].push_back(&each);
  CalledValues made;
  for (auto& [head, calls] : by_head) {
    CalledFunction function{calls[0]->path, calls[0]->head_line, {}, 0, {}, {}};
    for (const SeenCall* each : calls) {
      if (std::find(function.calls.begin(), function.calls.end(), each->line) == function.calls.end()) function.calls.push_back(each->line);
    }
    for (const Entry& entry : entries) {
      const bool here = std::find(function.calls.begin(), function.calls.end(), entry.line) != function.calls.end();
      if (here && (!entry.written.empty() || names_function(entry.name, function.path)))
        function.chosen = entry.line, function.written = entry.written;
    }
    // Those that the program comes by; where it comes by none, those that it may come by with another command line.
    const bool any_reached = std::any_of(calls.begin(), calls.end(), [](const SeenCall* each) { return each->reached; });
    const bool any_called = std::any_of(calls.begin(), calls.end(), [](const SeenCall* each) { return !each->uncalled; });
    std::erase_if(calls, [&](const SeenCall* each) {
      if (function.chosen > 0) return each->line != function.chosen;
      return (any_reached && !each->reached) || (any_called && each->uncalled);
    });
    std::vector<CalledParameter>& block = made.blocks[head];
    std::vector<std::string> names;
    for (const SeenCall* call : calls) {
      for (const CalledParameter& each : call->parameters) {
        if (std::find(names.begin(), names.end(), each.name) == names.end()) names.push_back(each.name);
      }
    }
    for (const std::string& name : names) {
      const CalledParameter* first = find_in(calls[0]->parameters, name);
      const bool all = first && std::all_of(calls.begin(), calls.end(), [&](const SeenCall* call) {
                         const CalledParameter* other = find_in(call->parameters, name);
                         return other && same(*first, *other);
                       });
      const bool is_written = !name.starts_with("self.");  // what self has the file says elsewhere
      if (!all && is_written) function.differs.push_back(name);
      const bool left_out =
          std::any_of(calls.begin(), calls.end(), [&](const SeenCall* call) { return find_in(call->parameters, name) == nullptr; });
      CalledParameter parameter{name, all ? first->value : nullptr, {}, {}, !all && left_out};
      if (parameter.value) {
        parameter.given = first->given;
        if (is_written) function.given.push_back(name);
        if (is_written && !function.written.empty()) {
          parameter.given.push_back(name);
        } else if (is_written) {
          parameter.stated.push_back(fmt::format("{} = {}, as in {}", name, short_text(*first->value), where(calls)));
        }
        for (const std::string& each : first->stated) {
          if (std::find(parameter.stated.begin(), parameter.stated.end(), each) == parameter.stated.end()) parameter.stated.push_back(each);
        }
        parameter.doubts = first->doubts;
      }
      block.push_back(std::move(parameter));
    }
    made.functions.push_back(std::move(function));
  }
  return made;
}

bool rests_on_default(std::string_view note) {
  return note.find(", as in ") == std::string_view::npos && note.find(", the first ") == std::string_view::npos;
}

bool same_values(const CalledBlocks& a, const CalledBlocks& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& one, const auto& other) {
    return one.first == other.first && std::equal(one.second.begin(), one.second.end(), other.second.begin(), other.second.end(),
                                                  [](const CalledParameter& x, const CalledParameter& y) {
                                                    return x.name == y.name && same(x, y) && x.stated == y.stated && x.doubts == y.doubts &&
                                                           x.given == y.given;
                                                  });
  });
}

}  // namespace tessera
