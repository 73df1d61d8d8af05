// SPDX-License-Identifier: BSD-3-Clause
// Value: what an expression can be.
#pragma once

#include <concepts>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/atom/instructions/copy_atom.hpp"
#include "core/gemm/gemm_spec.hpp"
#include "core/lang/syntax/number_types.hpp"
#include "core/lang/values/report.hpp"
#include "core/lang/values/tensor_value.hpp"
#include "core/layout/print.hpp"
#include "core/layout/swizzle.hpp"
#include "core/layout/tiler.hpp"

namespace tessera {

struct Value;
struct UserFunction;  // user_function.hpp

// tv(thr_val, data, thread=3): a figure that is asked for but not drawn yet. `kind` names a row of the table of figure kinds; it is
// checked where figures are made, so that the language knows no pictures.
struct FigureCall {
  std::string kind;
  std::vector<Value> arguments;
  std::vector<std::pair<std::string, Value>> named;
  std::vector<std::string> words;  // one each of `named`: the single word that was written, as in steps=k; empty: something else was
};

// Values of several kinds side by side: what make_tuple(tensor, layout) holds, and what `let a, b = ...` takes apart. Integers side by
// side are an IntTuple, and layouts a Tiler.
using ValueList = std::vector<Value>;

inline constexpr std::string_view kThreadAndValue = "thr,val";  // what the modes of a thread-value layout count

struct Value {
  using Any = std::variant<IntTuple, Layout, ComposedLayout, Swizzle, Tiler, bool, double, std::string, Tensor, Pointer, MmaAtom,
                           CopyTraits, CopyAtom, std::shared_ptr<const TiledMma>, std::shared_ptr<const TiledCopy>, ThrMma, ThrCopy,
                           std::shared_ptr<const TmaValue>, std::shared_ptr<const ValueList>, std::shared_ptr<const UserFunction>,
                           std::shared_ptr<const GemmSpec>, std::shared_ptr<const FigureCall>, std::shared_ptr<const Report>>;

  // Long, and used by many sources: compiled once.
  Value();
  Value(const Value& other);
  Value(Value&& other) noexcept;
  Value& operator=(const Value& other);
  Value& operator=(Value&& other) noexcept;
  ~Value();
  template <class T>
  requires(!std::same_as<std::remove_cvref_t<T>, Value> && std::convertible_to<T, Any>) explicit Value(T&& of) : any(std::forward<T>(of)) {}

  Any any;
  std::optional<NumberType> number{};  // of a number in C++ whose type was written: what its arithmetic wraps at; nothing: an int, or ours
  bool grouped = false;                // of a tiler of one mode: (4:1), which is the layout where one is wanted, and not (4:1,)
  std::string modes{};                 // of a layout whose function or member says what its modes count: "thr,val"
  Element element;  // of a layout or tensor whose elements were written: smem_ptr[16b] o L, Layout_K_SW128_Atom<half_t>, make_tensor<T>(L)
};

// "int", "int_tuple", "layout", "composed_layout", "swizzle", "tiler", "bool", "number", "string", "tensor", "pointer", "mma_atom",
// "copy_atom", "tiled_mma", "tiled_copy", "thr_mma", "thr_copy", "tma_copy", "list", "function", "gemm", "figure", "report"
std::string_view kind_name(const Value& value);
// The value in the language; reading it gives the value again. For atoms and tiled objects the expression that makes them.
std::string to_string(const Value& value);
// The value as CuTe's print(), C++ or the DSL has it. Refused where they have no such thing: a number with a point, a figure, a GEMM,
// an instruction that the DSL has no name for.
Result<std::string> print(const Value& value, Spelling spelling);

}  // namespace tessera
