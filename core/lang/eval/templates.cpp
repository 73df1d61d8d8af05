// SPDX-License-Identifier: BSD-3-Clause
// Evaluator: C++ spellings, Name<argument, ...>. What is no type of CuTe's algebra is the spelling of an atom.
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/atom/instructions/catalog.hpp"
#include "core/atom/smem/smem_atoms.hpp"
#include "core/lang/builtins/call.hpp"
#include "core/lang/builtins/operations.hpp"
#include "core/lang/builtins/paste.hpp"
#include "core/lang/eval/evaluator.hpp"
#include "core/lang/syntax/naming.hpp"
#include "core/layout/algebra.hpp"

namespace tessera {
namespace {

constexpr std::string_view kTupleTypes[] = {"Shape",      "Stride",          "Step",     "Coord",     "Tile", "tuple",
                                            "ArithTuple", "ArithmeticTuple", "IntTuple", "Underscore"};
constexpr std::string_view kIntegerTypes[] = {"Int", "C", "constant", "integral_constant", "UInt"};

bool one_of(std::string_view name, std::span<const std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Error arity(const TemplateExpr& type, std::string_view form) {
  return {ErrorCode::wrong_arity, fmt::format("{} takes other arguments: {}", type.name, form), {}, {}};
}

bool looks_like_copy(std::string_view name) {
  for (const std::string_view part : {"COPY", "Copy", "LDSM", "STSM", "CP_ASYNC", "MOVM", "TMA", "TMEM", "UTCCP", "BULK"}) {
    if (name.find(part) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

bool is_atom_prefix(std::string_view name) {
  for (const std::string_view start :
       {"SM", "Universal", "GMMA::", "UMMA::", "Copy_", "MMA_", "Auto", "DefaultCopy", "Layout_", "CDNA", "RDNA", "WMMA_", "GFX", "gfx"}) {
    if (name.starts_with(start)) return true;
  }
  return false;
}

bool looks_like_atom(std::string_view name) { return is_atom_prefix(name) || name.find('<') != std::string_view::npos; }

Result<Value> find_atom(std::string_view name) {
  if (is_smem_atom_name(name)) {
    TESSERA_TRY(atom, find_smem_atom(name));
    Value made = to_value(std::move(atom.layout));
    made.element = element_of(atom.type, MemorySpace::unknown);
    return made;
  }
  const bool copy_first = looks_like_copy(name);
  if (copy_first) {
    TESSERA_TRY(traits, find_copy_atom(name));
    return Value{std::move(traits)};
  }
  Result<MmaAtom> atom = find_mma_atom(name);
  if (atom) return Value{std::move(*atom)};
  if (Result<CopyTraits> traits = find_copy_atom(name)) return Value{std::move(*traits)};
  return std::move(atom).error();
}

// The operation inside Copy_Atom<...> or Copy_Traits<...>: a bound name, or a spelling.
Result<Value> Evaluator::copy_operation(const Expr& expr) {
  if (const auto* named = std::get_if<NameExpr>(&expr.node); named && scope_) {
    if (const Value* bound = scope_(named->name)) return *bound;
  }
  if (std::holds_alternative<TemplateExpr>(expr.node)) return this->value(expr);
  const auto* named = std::get_if<NameExpr>(&expr.node);
  if (!named) return value(expr);  // decltype(select_copy(...)), conditional_t<...>
  Result<CopyTraits> traits = find_copy_atom(text_of(expr.span));
  if (traits) return Value{std::move(*traits)};
  if (!looks_like_atom(named->name)) return value(expr);  // which says that it is not known
  return std::move(std::move(traits).error()).at(expr.span);
}

// An atom with its arguments as values: SM80_CP_ASYNC_CACHEALWAYS<T> where T is a name, UniversalCopy<uint_bit_t<8*n>>.
Result<Value> Evaluator::atom_of(const TemplateExpr& type) {
  Result<Value> written = find_atom(type.text);
  if (written) return written;
  std::string text(type.name);
  for (const Expr& each : type.arguments) {
    text += text.size() == type.name.size() ? '<' : ',';
    const auto* named = std::get_if<NameExpr>(&each.node);
    const bool enumerator = named && named->name.find("::") != std::string_view::npos && !bound(named->name);
    if (enumerator) {
      text += named->name;  // GMMA::Major::K
      continue;
    }
    Result<Value> argument = value(each);
    if (!argument) {
      Error error = std::move(written).error();
      error.missing = argument.error().missing;
      return error;
    }
    text += to_string(*argument);
  }
  std::erase(text, '"');  // of the names of types
  text += '>';
  Result<Value> made = find_atom(text);
  return made || written.error().code != ErrorCode::unknown_atom ? std::move(made) : std::move(written);
}

// uint_bit_t<8*n>: the carrier of so many bits.
Result<Value> Evaluator::carrier_of(const TemplateExpr& type) {
  TESSERA_TRY(width, int_tuple(type.arguments[0], "a width"));
  TESSERA_TRY(number, as_integer(Value{width}));
  const std::string name = fmt::format("uint{}_t", type.name == "uint_byte_t" ? number * 8 : number);
  if (const auto found = value_type(name)) return Value{std::string(cute_name(*found))};
  return Error{ErrorCode::unknown_name, fmt::format("no type carries {} bits", number), type.arguments[0].span, {}};
}

// GMMA::ABLayout<M,K>: every thread of a warpgroup sees the whole tile in shared memory. (T128,(M,K)) -> (m,k)
Result<Value> Evaluator::operand_in_smem(const TemplateExpr& type, SourceSpan span) {
  TESSERA_TRY(m, int_tuple(type.arguments[0], "the rows of a tile"));
  TESSERA_TRY(k, int_tuple(type.arguments[1], "the columns of a tile"));
  const IntTuple shape = IntTuple::tuple({128, IntTuple::tuple({m, k})}), stride = IntTuple::tuple({0, IntTuple::tuple({1, m})});
  return at(span, result_value(Layout::make(shape, stride)));
}

// Array<half_t, 8>: elements side by side.
Result<Value> Evaluator::array_of(const TemplateExpr& type) {
  if (type.arguments.size() < 2) return arity(type, "Array<half_t, 8>");
  TESSERA_TRY(element, value(type.arguments[0]));
  TESSERA_TRY(element_type, at(type.arguments[0].span, as_value_type(element)));
  TESSERA_TRY(count, int_tuple(type.arguments[1], "the number of elements"));
  TESSERA_TRY(layout, Layout::make_compact(count));
  Value made{std::move(layout)};
  made.element = element_of(element_type, MemorySpace::unknown);
  return made;
}

// cutlass::gemm::GemmShape<128,128,32>: a shape, whose extents that are left out are 1.
Result<Value> Evaluator::shape_of_cutlass(const TemplateExpr& type, SourceSpan span) {
  const std::size_t modes = type.name.ends_with("GemmShape") ? 3 : 2;
  if (type.arguments.size() > modes || (modes == 2 && type.arguments.size() != modes))
    return arity(type, modes == 3 ? "GemmShape<M,N,K>" : "MatrixShape<rows,columns>, PitchLinearShape<contiguous,strided>");
  std::vector<IntTuple> extents(modes, IntTuple(1));
  for (std::size_t i = 0; i < type.arguments.size(); ++i) {
    TESSERA_TRY(number, value(type.arguments[i]));
    TESSERA_TRY(extent, at(type.arguments[i].span, as_integer(number)));
    extents[i] = IntTuple(extent);
  }
  IntTuple shape = IntTuple::tuple(std::move(extents));
  const Remarks remarks(warnings_, span, type.name);
  if (remarks.warnings) remarks.add(ErrorCode::wrong_type, fmt::format("a type of CUTLASS, read as the shape {}", to_string(shape)));
  return Value{std::move(shape)};
}

thread_local constinit int WithUnknownArguments::count_ = 0;

Result<Value> Evaluator::partial_class(const UserFunction& made_by, const TemplateExpr& type, SourceSpan span) {
  CallArguments given;
  for (const Expr& each : type.arguments) {
    Result<Value> argument = value(each);
    given.names.emplace_back();
    given.unknown.push_back(!argument);
    given.values.push_back(argument ? *std::move(argument) : Value{false});
  }
  given.templates = given.values.size();
  return at(span, made_by.body({}, std::move(given)));
}

Result<Value> Evaluator::type(const TemplateExpr& type, SourceSpan span) {
  const std::string_view name = type.name;
  const auto& arguments = type.arguments;
  if (const Value* alias = bound(name)) {  // of a template
    const auto* made_by = std::get_if<std::shared_ptr<const UserFunction>>(&alias->any);
    if (made_by && (*made_by)->is_class && WithUnknownArguments::allowed()) return partial_class(**made_by, type, span);
    TESSERA_TRY(given, evaluated(std::vector<Argument>(arguments.size()), arguments, nullptr, name));
    given.templates = given.values.size();
    if (std::holds_alternative<std::shared_ptr<const UserFunction>>(alias->any)) return apply_value(*alias, std::move(given), name, span);
    return *alias;
  }
  if (is_shape_type(name)) return shape_of_cutlass(type, span);
  // cosize_v<L>, rank_v<L>: the function of the type's value.
  const Builtin* of_type = name.ends_with("_v")    ? find_builtin(name.substr(0, name.size() - 2))
                           : name == "sizeof_bits" ? find_builtin(name)
                                                   : nullptr;
  if (of_type) {
    TESSERA_TRY(given, evaluated(std::vector<Argument>(arguments.size()), arguments, nullptr, name));
    return invoke(*of_type, std::move(given), name, span);
  }
  if (name == "Sw" || name == "S" || name == "Swizzle") {
    if (arguments.size() != 3 && (arguments.size() != 2 || name != "Swizzle")) return arity(type, "Sw<B,M,S>");
    std::array<IntTuple, 3> numbers;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      TESSERA_TRY(number, int_tuple(arguments[i], "each number of a swizzle"));
      numbers[i] = std::move(number);
    }
    if (arguments.size() == 2) numbers[2] = numbers[0];  // Swizzle<B,M,S=B>
    TESSERA_TRY(swizzle, swizzle_of(numbers));
    return Value{swizzle};
  }
  if (name == "Copy_Atom") {
    if (arguments.size() != 2) return arity(type, "Copy_Atom<SM75_U32x4_LDSM_N, half_t>");
    TESSERA_TRY(operation, copy_operation(arguments[0]));
    TESSERA_TRY(traits, as_copy_traits(operation));
    TESSERA_TRY(element, value(arguments[1]));
    TESSERA_TRY(element_type, as_value_type(element));
    TESSERA_TRY(atom, CopyAtom::make(std::move(traits), element_type));
    return Value{std::move(atom)};
  }
  if (name == "Copy_Traits") {
    if (arguments.empty()) return arity(type, "Copy_Traits<SM75_U32x4_LDSM_N>");
    if (arguments.size() == 1) return copy_operation(arguments[0]);
    // A trait with arguments of its own: they belong to the spelling.
    TESSERA_TRY(traits, find_copy_atom(type.text));
    return Value{std::move(traits)};
  }
  if (name == "MMA_Atom" || name == "MMA_Traits") {
    if (arguments.size() != 1) return arity(type, "MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>");
    return value(arguments[0]);
  }
  if (name == "Tensor" && arguments.size() == 2) return value(arguments[1]);  // the engine says where it lies, and of what type
  if ((name == "ThrMMA" || name == "ThrCopy") && !arguments.empty()) return value(arguments[0]);
  if ((name == "conditional_t" || name == "conditional") && arguments.size() == 3) {
    TESSERA_TRY(condition, value(arguments[0]));
    TESSERA_TRY(first, as_bool(condition));
    return value(arguments[first ? 1 : 2]);
  }
  if ((name == "tuple_element_t" || name == "tuple_element") && arguments.size() == 2) {
    TESSERA_TRY(place, int_tuple(arguments[0], "the number of an element"));
    TESSERA_TRY(tuple, value(arguments[1]));
    const std::int64_t number = place.value();
    return mode_of(tuple, std::span(&number, 1));
  }
  if ((name == "LayoutLeft::Apply" || name == "LayoutRight::Apply") && arguments.size() == 1) {
    TESSERA_TRY(shape, int_tuple(arguments[0], "a shape"));
    TESSERA_TRY(layout, name == "LayoutLeft::Apply" ? Layout::make_compact(shape) : make_layout_row_major(shape));
    return Value{IntTuple(layout.stride())};
  }
  if ((name == "remove_cvref_t" || name == "remove_const_t" || name == "decay_t") && arguments.size() == 1) return value(arguments[0]);
  if (one_of(name, kTupleTypes) || one_of(name, kIntegerTypes) || name == "Layout" || name == "ComposedLayout" || name == "ScaledBasis" ||
      name == "E" || name == "TiledMMA" || name == "TiledCopy") {
    return algebra_type(type, span);
  }
  if (name.ends_with("ABLayout") && arguments.size() == 2) return operand_in_smem(type, span);
  if (names_vector(name) && !arguments.empty()) {  // its elements lie where a pointer to them points
    TESSERA_TRY(element, value(arguments[0]));
    TESSERA_TRY(element_type, at(arguments[0].span, as_value_type(element)));
    return Value{Pointer{element_of(element_type, name == "thrust::device_vector" ? MemorySpace::gmem : MemorySpace::generic), 0}};
  }
  if (name == "Array" || name == "array" || name == "array_aligned" || name == "ArrayEngine") return array_of(type);
  if (name == "bool_constant" && arguments.size() == 1) return value(arguments[0]);
  const std::string_view last = name.find("detail::") == std::string_view::npos ? name : name.substr(name.rfind("::") + 2);
  if (const Builtin* function = find_builtin(last)) {  // is_major<0, Stride>(): all that it needs are types
    TESSERA_TRY(given, evaluated(std::vector<Argument>(arguments.size()), arguments, function, name));
    return invoke(*function, std::move(given), name, span);
  }
  if ((name == "uint_bit_t" || name == "uint_byte_t") && arguments.size() == 1) return carrier_of(type);
  // No atom is called so, and looking through all of them takes a millisecond.
  const bool small = name[0] >= 'a' && name[0] <= 'z' && !is_atom_prefix(name);
  Result<Value> atom = small ? Error{ErrorCode::unknown_atom, {}, {}, {}} : atom_of(type);
  if (!atom && atom.error().code == ErrorCode::unknown_atom && !is_atom_prefix(name)) {
    return Error{ErrorCode::unknown_name, fmt::format("{}<...> is no type or atom that is known here", name), {}, {}};
  }
  return atom;
}

Result<Value> Evaluator::algebra_type(const TemplateExpr& type, SourceSpan span) {
  const std::string_view name = type.name;
  std::vector<Value> values;
  values.reserve(type.arguments.size());
  // ComposedLayout<Swizzle<3,4,3>, smem_ptr_flag_bits<16>, Layout<...>> is what `o` writes.
  if (name == "ComposedLayout") {
    if (type.arguments.size() != 3) return arity(type, "ComposedLayout<Swizzle<3,4,3>, Int<0>, Layout<...>>");
    return compose(ComposeExpr{type.arguments}, span);
  }
  for (const Expr& each : type.arguments) {
    Result<Value> argument = value(each);
    if (!argument) return argument;
    values.push_back(std::move(*argument));
  }
  if (values.empty()) return arity(type, "there are none");
  if (one_of(name, kTupleTypes)) return make_tuple(std::move(values));
  if (one_of(name, kIntegerTypes)) {
    TESSERA_TRY(number, as_integer(values.back()));  // integral_constant<int, 4> names its type first
    return Value{IntTuple(number)};
  }
  if (name == "Layout") {
    if (values.size() > 2) return arity(type, "Layout<Shape<_4,_8>,Stride<_8,_1>>");
    TESSERA_TRY(shape, as_int_tuple(values[0]));
    if (values.size() == 1) return result_value(Layout::make_compact(std::move(shape)));
    if (const auto* major = std::get_if<std::string>(&values[1].any); major && (*major == "LayoutLeft" || *major == "LayoutRight")) {
      return result_value(*major == "LayoutLeft" ? Layout::make_compact(std::move(shape)) : make_layout_row_major(shape));
    }
    TESSERA_TRY(stride, as_int_tuple(values[1]));
    return result_value(Layout::make(std::move(shape), std::move(stride)));
  }
  if (name == "ScaledBasis" || name == "E") {
    std::vector<std::int64_t> numbers;
    for (const Value& each : values) {
      TESSERA_TRY(number, as_integer(each));
      numbers.push_back(number);
    }
    const std::span<const std::int64_t> all(numbers);
    return result_value(name == "E" ? basis_stride(1, all) : basis_stride(all.front(), all.subspan(1)));
  }
  if (name == "TiledMMA") {
    TESSERA_TRY(atom, as_mma_atom(values[0]));
    TESSERA_TRY(layout, as_layout(values.size() > 1 ? values[1] : Value{IntTuple::tuple({1, 1, 1})}));
    TESSERA_TRY(tiler, as_tiler(values.size() > 2 ? values[2] : Value{IntTuple::underscore()}));
    TESSERA_TRY(mma, TiledMma::make(std::move(atom), std::move(layout), std::move(tiler)));
    remark_repeated_work(Remarks(warnings_, span, name), mma);
    return Value{std::make_shared<const TiledMma>(std::move(mma))};
  }
  if (values.size() != 3) return arity(type, "TiledCopy<Copy_Atom<...>, Layout<...>, Tile<...>>");
  TESSERA_TRY(atom, as_copy_atom(values[0]));
  TESSERA_TRY(layout, as_layout(values[1]));
  TESSERA_TRY(tiler, as_tiler(values[2]));
  remark_leaves_tile(Remarks(warnings_, span, name), layout, tiler);
  TESSERA_TRY(copy, TiledCopy::make(std::move(atom), std::move(layout), std::move(tiler)));
  return Value{std::make_shared<const TiledCopy>(std::move(copy))};
}

}  // namespace tessera
