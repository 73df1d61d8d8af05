// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/eval/own_names.hpp"

#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "core/lang/builtins/builtins.hpp"
#include "core/lang/builtins/paste.hpp"
#include "core/lang/eval/evaluator.hpp"
#include "core/lang/values/convert.hpp"
#include "core/lang/values/members.hpp"
#include "core/lang/values/torch_tensor.hpp"

namespace tessera {
namespace {

// SW_3_3_3, as pycute prints a swizzle.
std::optional<Swizzle> swizzle_of_pycute(std::string_view name) {
  if (!name.starts_with("SW_")) return std::nullopt;
  std::array<int, 3> numbers{};
  const char* at = name.data() + 2;
  const char* const end = name.data() + name.size();
  for (int& number : numbers) {
    if (at == end || *at != '_') return std::nullopt;
    const auto read = std::from_chars(at + 1, end, number);
    if (read.ec != std::errc()) return std::nullopt;
    at = read.ptr;
  }
  if (at != end) return std::nullopt;
  const Result<Swizzle> made = Swizzle::make(numbers[0], numbers[1], numbers[2]);
  return made ? std::optional(*made) : std::nullopt;
}

}  // namespace

constexpr std::string_view kBarrier = "barrier";  // CUTLASS's, which holds one uint64_t

std::optional<Value> constant_of(std::string_view name) {
  if (name == "true" || name == "True") return Value{true};
  if (name == "false" || name == "False") return Value{false};
  if (name == "LayoutLeft" || name == "LayoutRight" || name == "GenRowMajor" || name == "GenColMajor") {
    return Value{std::string(name == "GenRowMajor" ? "LayoutRight" : name == "GenColMajor" ? "LayoutLeft" : name)};
  }
  if (const auto swizzle = swizzle_of_pycute(name)) return Value{*swizzle};
  if (name == "Underscore" || name == "None" || name == "X") return Value{IntTuple::underscore()};
  if (name == "bool") return Value{std::string(name)};  // no element of a copy or MMA, but of a tensor of predicates
  if (name.ends_with("arch::ClusterBarrier") || name.ends_with("arch::ClusterTransactionBarrier")) return Value{std::string(kBarrier)};
  if (const std::string_view tag = arch_tag(name); !tag.empty()) return Value{std::string(tag)};
  if (name.ends_with("ScaleOut::Zero") || name.ends_with("ScaleOut::One") || name == "TMEM::Allocator1Sm" || name == "TMEM::Allocator2Sm")
    return Value{std::string(name)};                         // words that hold no layout
  if (name == "arch.WARP_SIZE") return Value{IntTuple(32)};  // the DSL's
  if (const auto word = dsl_constant(name)) return Value{std::string(*word)};
  if (const auto type = torch_type(name)) return Value{std::string(cute_name(*type))};
  if (const auto type = value_type(name)) return Value{std::string(cute_name(*type))};
  return std::nullopt;
}

bool names_a_figure(std::string_view name) { return name.size() > kFigureSuffix.size() && name.ends_with(kFigureSuffix); }

bool names_an_atom(std::string_view name) {
  const bool is_variable = name.starts_with("MMA_") || name.starts_with("Copy_");  // MMA_M; atoms of these names have arguments
  return looks_like_atom(name) && !is_variable;
}

bool is_own_name(std::string_view name) { return find_builtin(name) || constant_of(name) || (names_an_atom(name) && find_atom(name)); }

}  // namespace tessera
