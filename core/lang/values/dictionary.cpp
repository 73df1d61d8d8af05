// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/values/dictionary.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/lang/values/convert.hpp"
#include "core/lang/values/user_function.hpp"

namespace tessera {
namespace {

using Items = std::vector<std::pair<Value, Value>>;

// Python counts True and 1 as one key.
std::string key_of(const Value& value) {
  if (const auto* truth = std::get_if<bool>(&value.any)) return *truth ? "1" : "0";
  return to_string(value);
}

const std::pair<Value, Value>* find_in(const Items& items, const Value& key) {
  const std::string wanted = key_of(key);
  const auto found = std::find_if(items.begin(), items.end(), [&](const auto& each) { return key_of(each.first) == wanted; });
  return found == items.end() ? nullptr : &*found;
}

Result<Value> ask(const Items& items, std::string_view kind, std::string_view method, const CallArguments& arguments) {
  const std::vector<Value>& given = arguments.values;
  const bool is_dictionary = kind == "dict";
  if (method == "__len__" && given.empty()) return Value{IntTuple(static_cast<std::int64_t>(items.size()))};
  if (method == "__contains__" && given.size() == 1) return Value{find_in(items, given[0]) != nullptr};
  const bool gets = method == "get" && (given.size() == 1 || given.size() == 2);
  if (is_dictionary && (gets || (method == "__getitem__" && given.size() == 1))) {
    if (const auto* found = find_in(items, given[0])) return found->second;
    if (gets) return given.size() == 2 ? given[1] : Value{IntTuple::underscore()};
    return Error{ErrorCode::out_of_range, fmt::format("this dictionary has no key {}", to_string(given[0])), {}, {}};
  }
  const bool lists_items = is_dictionary && method == "items" && given.empty();
  const bool lists_values = is_dictionary && method == "values" && given.empty();
  const bool lists_keys = (is_dictionary ? method == "keys" || method == "__iter__" : method == "__iter__") && given.empty();
  if (!lists_items && !lists_values && !lists_keys) {
    const std::string_view shown = method.empty() ? "__call__" : method;
    return Error{ErrorCode::unknown_name, fmt::format("a {} has no method {} that is known here", kind, shown), {}, {}};
  }
  std::vector<Value> made;
  for (const auto& [key, value] : items) {
    if (!lists_items) {
      made.push_back(lists_keys ? key : value);
      continue;
    }
    TESSERA_TRY(pair, make_tuple({key, value}));
    made.push_back(std::move(pair));
  }
  return make_tuple(std::move(made));
}

Value object_of(std::string kind, Items items) {
  UserFunction made;
  made.name = std::move(kind);
  made.is_object = true;
  for (const auto& [key, value] : items) made.captured.emplace_back(to_string(key), value);
  made.body = [kind = made.name, items = std::move(items)](std::string_view method, const CallArguments& arguments) {
    return ask(items, kind, method, arguments);
  };
  return Value{std::make_shared<const UserFunction>(std::move(made))};
}

}  // namespace

Value dictionary_value(Items items) {
  Items made;
  for (auto& [key, value] : items) {
    const std::string wanted = key_of(key);
    const auto found = std::find_if(made.begin(), made.end(), [&](const auto& each) { return key_of(each.first) == wanted; });
    if (found == made.end())
      made.emplace_back(std::move(key), std::move(value));
    else
      found->second = std::move(value);
  }
  return object_of("dict", std::move(made));
}

Value set_value(std::vector<Value> elements) {
  Items made;
  for (Value& each : elements) {
    if (!find_in(made, each)) made.emplace_back(each, each);
  }
  return object_of("set", std::move(made));
}

}  // namespace tessera
