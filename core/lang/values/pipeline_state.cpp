// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/values/pipeline_state.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "core/lang/values/convert.hpp"
#include "core/lang/values/user_function.hpp"

namespace tessera {

namespace {

constexpr std::string_view kStateName = "PipelineState";

}  // namespace

PipelineState PipelineState::advanced(std::int64_t steps) const {
  PipelineState made = *this;
  made.count += steps;
  made.index += steps;
  if (stages <= 0) return made;
  const std::int64_t rounds = made.index / stages;
  made.index %= stages;
  made.phase = (made.phase + rounds) % 2;
  return made;
}

Value pipeline_state_value(const PipelineState& state) {
  UserFunction made;
  made.name = kStateName;
  made.is_object = true;
  const auto number = [](std::int64_t value) { return Value{IntTuple::marked(value, marks::kDynamic)}; };
  made.captured = {{"index", number(state.index)},
                   {"phase", number(state.phase)},
                   {"count", number(state.count)},
                   {"stages", Value{IntTuple(state.stages)}}};
  // index() of C++. What advances a state stands in a statement of its own, which changes the name.
  made.body = [state, members = made.captured](std::string_view method, const CallArguments& arguments) -> Result<Value> {
    for (const auto& [name, value] : members) {
      if (name == method && arguments.values.empty()) return value;
    }
    if (method == "clone") return pipeline_state_value(state);
    if (method == "advance" || method == "reset_count") return Value{IntTuple::underscore()};
    return Error{ErrorCode::unknown_name, fmt::format("a state of a pipeline has no method {} that is known here", method), {}, {}};
  };
  return Value{std::make_shared<const UserFunction>(std::move(made))};
}

std::optional<PipelineState> as_pipeline_state(const Value& value) {
  const auto* object = std::get_if<std::shared_ptr<const UserFunction>>(&value.any);
  if (!object || (*object)->name != kStateName || (*object)->captured.size() != 4) return std::nullopt;
  const auto member = [&](std::size_t i) { return as_integer((*object)->captured[i].second).value_or(0); };
  return PipelineState{member(3), member(0), member(1), member(2)};
}

}  // namespace tessera
