// SPDX-License-Identifier: BSD-3-Clause
// A call of a builtin with its evaluated arguments, and `call_with`, which turns values into what a C++ function takes.
//
//   call_with(call, [](const Layout& layout, const std::optional<IntTuple>& profile) { ... })
//
// Every argument is converted by its C++ type, left to right; std::optional is a parameter that may be left out. A refusal gets the
// span of the argument, or of the whole call when the function itself refuses.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/lang/values/convert.hpp"
#include "core/layout/inspect.hpp"

namespace tessera {

struct CallArgument {
  const Value* value = nullptr;  // null: left out
  SourceSpan span;
};

class Call {
 public:
  // `names` are the parameters of the function's signature, which outlive the call.
  Call(std::string_view function, std::span<const std::string_view> names, SourceSpan span)
      : parameters(names.size()), names(names), function_(function), span_(span) {}

  std::string_view function() const { return function_; }
  SourceSpan span() const { return span_; }
  bool has(std::size_t parameter) const { return parameter < parameters.size() && parameters[parameter].value != nullptr; }
  const CallArgument& operator[](std::size_t parameter) const { return parameters[parameter]; }

  std::vector<CallArgument> parameters;     // in the order of the signature
  std::span<const std::string_view> names;  // theirs
  std::vector<CallArgument> rest;           // the arguments of a `name...` parameter
  std::vector<Error>* warnings = nullptr;   // where an answer is CuTe's and breaks its law; null: not asked

 private:
  std::string_view function_;
  SourceSpan span_;
};

template <class T>
struct From;
// clang-format off
template <> struct From<std::int64_t>   { static auto get(const Value& v) { return as_integer(v); } };
template <> struct From<double>         { static auto get(const Value& v) { return as_number(v); } };
template <> struct From<bool>           { static auto get(const Value& v) { return as_bool(v); } };
template <> struct From<IntTuple>       { static auto get(const Value& v) { return as_int_tuple(v); } };
template <> struct From<Layout>         { static auto get(const Value& v) { return as_layout(v); } };
template <> struct From<AnyLayout>      { static auto get(const Value& v) { return as_any_layout(v); } };
template <> struct From<Tiler>          { static auto get(const Value& v) { return as_tiler(v); } };
template <> struct From<Swizzle>        { static auto get(const Value& v) { return as_swizzle(v); } };
template <> struct From<std::string>    { static auto get(const Value& v) { return as_text(v); } };
template <> struct From<ValueType>      { static auto get(const Value& v) { return as_value_type(v); } };
template <> struct From<MmaAtom>        { static auto get(const Value& v) { return as_mma_atom(v); } };
template <> struct From<CopyTraits>     { static auto get(const Value& v) { return as_copy_traits(v); } };
template <> struct From<CopyAtom>       { static auto get(const Value& v) { return as_copy_atom(v); } };
template <> struct From<Value>          { static auto get(const Value& v) { return Result<Value>(v); } };
template <> struct From<std::shared_ptr<const TiledMma>>  { static auto get(const Value& v) { return as_tiled_mma(v); } };
template <> struct From<std::shared_ptr<const TiledCopy>> { static auto get(const Value& v) { return as_tiled_copy(v); } };
// clang-format on

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
struct IsResult : std::false_type {};
template <class T>
struct IsResult<Result<T>> : std::true_type {};

// "composition: `b`: a tiler is wanted, but this is the string "x"", with the span of the argument.
Error argument_error(const Call& call, std::string_view parameter, const CallArgument& argument, Error error);

template <class T>
Result<T> argument(const Call& call, std::size_t i) {
  if constexpr (IsOptional<T>::value) {
    using Inner = typename T::value_type;
    if (!call.has(i)) return T(std::nullopt);
    if constexpr (std::is_same_v<Inner, std::int64_t> || std::is_same_v<Inner, bool> || std::is_same_v<Inner, std::string>) {
      const auto* tuple = std::get_if<IntTuple>(&call[i].value->any);  // Python's None
      if (tuple && tuple->is_underscore()) return T(std::nullopt);
    }
    auto converted = From<Inner>::get(*call[i].value);
    if (!converted) return argument_error(call, call.names[i], call[i], std::move(converted).error());
    return T(std::move(converted).value());
  } else {
    auto converted = From<T>::get(*call[i].value);
    if (!converted) return argument_error(call, call.names[i], call[i], std::move(converted).error());
    return converted;
  }
}

// The arguments of `name...`.
template <class T>
Result<std::vector<T>> rest_of(const Call& call) {
  std::vector<T> all;
  all.reserve(call.rest.size());
  for (const CallArgument& each : call.rest) {
    auto converted = From<T>::get(*each.value);
    if (!converted) return argument_error(call, "", each, std::move(converted).error());
    all.push_back(std::move(converted).value());
  }
  return all;
}

// A predicate's answer; where it is no, a warning with this code says why.
Result<bool> holds(const Call& call, Result<Finding> finding, ErrorCode reason);

// f(law) is an answer with its law held (core/layout/law.hpp): CuTe's answer also where that breaks it, and then one warning.
void warn_once(std::vector<Error>& warnings, std::vector<Error> notes, SourceSpan span, std::string_view function);

template <class F>
auto lawful(std::vector<Error>* warnings, SourceSpan span, std::string_view function, const F& f) {
  std::vector<Error> notes;
  auto made = f(warnings ? Law::noted(notes) : Law::as_cute);
  if (made && warnings) warn_once(*warnings, std::move(notes), span, function);
  return made;
}
template <class F>
auto lawful(const Call& call, const F& f) {
  return lawful(call.warnings, call.span(), call.function(), f);
}

// The numbers of modes: size(x, 0, 1), and in one tuple as the DSL's size(x, mode=[0, 1]).
Result<std::vector<std::int64_t>> mode_numbers(const Call& call);

// Whatever a function returns, as a Value.
template <class T>
Result<Value> result_value(T made) {
  if constexpr (IsResult<T>::value) {
    if (!made) return std::move(made).error();
    return result_value(std::move(made).value());
  } else if constexpr (std::is_same_v<T, Value>) {
    return made;
  } else if constexpr (std::is_same_v<T, AnyLayout> || std::is_same_v<T, SliceAndOffset>) {
    return to_value(std::move(made));
  } else if constexpr (std::is_same_v<T, bool>) {
    return Value{made};
  } else if constexpr (std::is_integral_v<T>) {
    return Value{IntTuple(static_cast<std::int64_t>(made))};
  } else if constexpr (std::is_same_v<T, TiledMma> || std::is_same_v<T, TiledCopy>) {
    return Value{std::make_shared<const T>(std::move(made))};
  } else {
    return Value{std::move(made)};
  }
}

template <class F, class R, class... P, std::size_t... I>
Result<Value> call_with(const Call& call, const F& f, R (F::*)(P...) const, std::index_sequence<I...>) {
  std::tuple<Result<std::decay_t<P>>...> converted{argument<std::decay_t<P>>(call, I)...};
  const Error* refused = nullptr;
  ((refused = refused ? refused : std::get<I>(converted) ? nullptr : &std::get<I>(converted).error()), ...);
  if (refused) return *refused;
  Result<Value> made = result_value(f(*std::get<I>(std::move(converted))...));
  if (!made) return std::move(std::move(made).error()).at(call.span());
  return made;
}

template <class F>
Result<Value> call_with(const Call& call, const F& f) {
  return []<class R, class... P>(const Call& c, const F& g, R (F::*method)(P...) const) {
    return call_with(c, g, method, std::index_sequence_for<P...>());
  }(call, f, &F::operator());
}

}  // namespace tessera
