// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/values/convert.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/lang/values/value_size.hpp"

namespace tessera {
namespace {

constexpr std::size_t kLongestShown = 80;  // bytes of a value inside a message

Error wanted(std::string_view what, const Value& given) {
  return {ErrorCode::wrong_type, fmt::format("{} is wanted, but this is {}", what, described(given)), {}, {}};
}

}  // namespace

std::string described(const Value& value) {
  static constexpr std::pair<std::string_view, std::string_view> words[] = {{"int", "the integer"},
                                                                            {"int_tuple", "the tuple"},
                                                                            {"composed_layout", "the composed layout"},
                                                                            {"layout", "the layout"},
                                                                            {"swizzle", "the swizzle"},
                                                                            {"tiler", "the tiler"},
                                                                            {"bool", "the truth value"},
                                                                            {"number", "the number"},
                                                                            {"string", "the string"},
                                                                            {"tensor", "the tensor"},
                                                                            {"pointer", "the pointer"},
                                                                            {"thr_mma", "a thread's part of the MMA,"},
                                                                            {"thr_copy", "a thread's part of the copy,"},
                                                                            {"tma_copy", "the TMA copy"},
                                                                            {"list", "the list"},
                                                                            {"function", "the function"},
                                                                            {"object", "the object"},
                                                                            {"mma_atom", "the MMA atom"},
                                                                            {"copy_atom", "the copy atom"},
                                                                            {"tiled_mma", "the tiled MMA"},
                                                                            {"tiled_copy", "the tiled copy"},
                                                                            {"gemm", "the GEMM"},
                                                                            {"figure", "the figure"}};
  std::string text = to_string(value);
  if (text.size() > kLongestShown) text = text.substr(0, kLongestShown) + "...";
  if (std::holds_alternative<CopyTraits>(value.any)) return "the copy operation " + text;  // an atom names its element type too
  for (const auto& [kind, word] : words) {
    if (kind == kind_name(value)) return fmt::format("{} {}", word, text);
  }
  return text;
}

Result<std::int64_t> as_integer(const Value& value) {
  if (const auto* tuple = std::get_if<IntTuple>(&value.any); tuple && tuple->is_int()) return tuple->value();
  return wanted("an integer", value);
}

Result<double> as_number(const Value& value) {
  if (const auto* number = std::get_if<double>(&value.any)) return *number;
  if (const auto* tuple = std::get_if<IntTuple>(&value.any); tuple && tuple->is_int()) return static_cast<double>(tuple->value());
  return wanted("a number", value);
}

Result<bool> as_bool(const Value& value) {
  if (const auto* truth = std::get_if<bool>(&value.any)) return *truth;
  if (const auto* tuple = std::get_if<IntTuple>(&value.any); tuple && tuple->is_int() && (tuple->value() == 0 || tuple->value() == 1)) {
    return tuple->value() == 1;
  }
  return wanted("true or false", value);
}

Result<IntTuple> as_int_tuple(const Value& value) {
  if (const auto* tuple = std::get_if<IntTuple>(&value.any)) return *tuple;
  return wanted("an integer or a tuple of integers", value);
}

namespace {

// ((4,8):(8,1)) is a tiler of one mode, and where a layout is wanted the layout in parentheses.
const Tiler* in_parentheses(const Value& value) {
  const auto* tiler = value.grouped ? std::get_if<Tiler>(&value.any) : nullptr;
  const auto* modes = tiler ? std::get_if<std::vector<Tiler>>(&tiler->value) : nullptr;
  while (modes && modes->size() == 1) {
    tiler = modes->data();
    modes = std::get_if<std::vector<Tiler>>(&tiler->value);
  }
  return tiler;
}

}  // namespace

Result<Layout> as_layout(const Value& value) {
  if (const Tiler* inside = in_parentheses(value)) {
    if (const auto* layout = std::get_if<Layout>(&inside->value)) return *layout;
  }
  if (const auto* layout = std::get_if<Layout>(&value.any)) return *layout;
  if (const auto* tuple = std::get_if<IntTuple>(&value.any)) return Layout::make_compact(*tuple);
  if (std::holds_alternative<ComposedLayout>(value.any)) return wanted("a layout shape:stride without a swizzle", value);
  if (const auto* tensor = std::get_if<Tensor>(&value.any); tensor && std::holds_alternative<Layout>(tensor->layout))
    return std::get<Layout>(tensor->layout);
  return wanted("a layout", value);
}

Result<AnyLayout> as_any_layout(const Value& value) {
  if (const Tiler* inside = in_parentheses(value)) {
    if (const auto* composed = std::get_if<ComposedLayout>(&inside->value)) return AnyLayout(*composed);
  }
  if (const auto* composed = std::get_if<ComposedLayout>(&value.any)) return AnyLayout(*composed);
  if (const auto* tensor = std::get_if<Tensor>(&value.any)) return tensor->layout;
  TESSERA_TRY(layout, as_layout(value));
  return AnyLayout(std::move(layout));
}

Result<Tiler> as_tiler(const Value& value) {
  if (const auto* tuple = std::get_if<IntTuple>(&value.any)) {
    if (has_basis(*tuple)) return wanted("a tiler", value);
    return to_tiler(*tuple);
  }
  if (const auto* layout = std::get_if<Layout>(&value.any)) return Tiler(*layout);
  if (const auto* composed = std::get_if<ComposedLayout>(&value.any)) return Tiler(*composed);
  if (const auto* tiler = std::get_if<Tiler>(&value.any)) return *tiler;
  if (const auto* list = std::get_if<std::shared_ptr<const ValueList>>(&value.any)) {  // of layouts whose elements are known
    std::vector<Tiler> modes;
    for (const Value& each : **list) {
      Result<Tiler> mode = as_tiler(each);
      if (!mode) return wanted("a tiler (a layout, an integer, _ or a tuple of these)", value);
      modes.push_back(*std::move(mode));
    }
    return Tiler(std::move(modes));
  }
  return wanted("a tiler (a layout, an integer, _ or a tuple of these)", value);
}

Result<Swizzle> as_swizzle(const Value& value) {
  if (const auto* swizzle = std::get_if<Swizzle>(&value.any)) return *swizzle;
  return wanted("a swizzle such as Sw<3,3,3>", value);
}

Result<std::string> as_text(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value.any)) return *text;
  return wanted("a string", value);
}

Result<ValueType> as_value_type(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value.any)) {
    if (const auto type = value_type(*text)) return *type;
    return Error{ErrorCode::unknown_name,
                 fmt::format("there is no element type \"{}\"", *text),
                 {},
                 {"types are spelled half_t or f16, float or f32, ..."}};
  }
  return wanted("an element type such as half_t", value);
}

Result<MmaAtom> as_mma_atom(const Value& value) {
  if (const auto* atom = std::get_if<MmaAtom>(&value.any)) return *atom;
  return wanted("an MMA atom such as SM80_16x8x16_F32F16F16F32_TN", value);
}

Result<CopyTraits> as_copy_traits(const Value& value) {
  if (const auto* traits = std::get_if<CopyTraits>(&value.any)) return *traits;
  if (const auto* atom = std::get_if<CopyAtom>(&value.any)) return atom->traits;
  return wanted("a copy operation such as SM75_U32x4_LDSM_N", value);
}

Result<CopyAtom> as_copy_atom(const Value& value) {
  if (const auto* atom = std::get_if<CopyAtom>(&value.any)) return *atom;
  if (const auto* tma = std::get_if<std::shared_ptr<const TmaValue>>(&value.any)) return (*tma)->copy.atom;
  Error error = wanted("a copy atom", value);
  if (std::holds_alternative<CopyTraits>(value.any))
    error.notes.push_back("name the element type too: Copy_Atom<" + std::get<CopyTraits>(value.any).name + ", half_t>");
  return error;
}

Result<std::shared_ptr<const TiledMma>> as_tiled_mma(const Value& value) {
  using Shared = std::shared_ptr<const TiledMma>;
  if (const auto* mma = std::get_if<Shared>(&value.any)) return *mma;
  if (const auto* part = std::get_if<ThrMma>(&value.any)) return part->mma;  // a thread's part is one in CuTe, too
  if (const auto* atom = std::get_if<MmaAtom>(&value.any)) {
    TESSERA_TRY(mma, tiled_mma_of(*atom));
    return Shared(std::make_shared<const TiledMma>(std::move(mma)));
  }
  return wanted("a tiled MMA", value);
}

Result<std::shared_ptr<const TiledCopy>> as_tiled_copy(const Value& value) {
  if (const auto* copy = std::get_if<std::shared_ptr<const TiledCopy>>(&value.any)) return *copy;
  if (const auto* part = std::get_if<ThrCopy>(&value.any)) return part->copy;
  const auto* tma = std::get_if<std::shared_ptr<const TmaValue>>(&value.any);
  if (tma && (*tma)->copy.tiled) return std::shared_ptr<const TiledCopy>(*tma, &*(*tma)->copy.tiled);  // lives as long as the TMA copy
  return wanted("a tiled copy", value);
}

Value to_value(AnyLayout layout) {
  return std::visit([](auto&& each) { return Value{std::move(each)}; }, std::move(layout));
}

Value with_layout(Value value, const AnyLayout& layout) {
  if (auto* tensor = std::get_if<Tensor>(&value.any))
    tensor->layout = layout;
  else
    value.any = to_value(layout).any;
  return value;
}

Value to_value(SliceAndOffset slice) { return Value{Tensor{std::move(slice.layout), std::move(slice.offset)}}; }

Value tiler_value(Tiler tiler) {
  if (std::holds_alternative<Underscore>(tiler.value)) return Value{IntTuple::underscore()};
  if (const auto* extent = std::get_if<TileSize>(&tiler.value)) return Value{extent->number()};
  if (auto* layout = std::get_if<Layout>(&tiler.value)) return Value{std::move(*layout)};
  if (auto* composed = std::get_if<ComposedLayout>(&tiler.value)) return Value{std::move(*composed)};
  return Value{std::move(tiler)};
}

namespace {

int depth_of(const Tiler& tiler) {
  const auto* modes = std::get_if<std::vector<Tiler>>(&tiler.value);
  if (!modes) return 0;
  int deepest = 0;
  for (const Tiler& mode : *modes) deepest = std::max(deepest, depth_of(mode));
  return deepest + 1;
}

}  // namespace

Result<Value> make_tuple(std::vector<Value> elements) {
  std::int64_t leaves = 0;
  int deepest = 0;
  for (const Value& element : elements) {
    leaves += leaf_count(element);
    if (leaves > kMostLeaves)
      return Error{ErrorCode::limit, fmt::format("a tuple has at most {} leaves, and this one would have more", kMostLeaves), {}, {}};
    if (const auto* tiler = std::get_if<Tiler>(&element.any)) deepest = std::max(deepest, depth_of(*tiler) + 1);
  }
  if (deepest > kDeepestTuple) return Error{ErrorCode::limit, fmt::format("a tiler nested deeper than {}", kDeepestTuple), {}, {}};
  bool integers = true;
  for (const Value& element : elements) integers = integers && std::holds_alternative<IntTuple>(element.any);
  if (integers) {
    std::vector<IntTuple> modes;
    modes.reserve(elements.size());
    for (Value& element : elements) modes.push_back(std::move(std::get<IntTuple>(element.any)));
    IntTuple tuple = IntTuple::tuple(std::move(modes));
    TESSERA_CHECK(checked_depth(tuple));
    return Value{std::move(tuple)};
  }
  // Whatever is no tiler, a tensor among them, makes a list: its element type would be lost otherwise.
  const auto fits_tiler = [](const Value& element) {
    return !element.element.is_known() &&
           (std::holds_alternative<IntTuple>(element.any) || std::holds_alternative<Layout>(element.any) ||
            std::holds_alternative<ComposedLayout>(element.any) || std::holds_alternative<Tiler>(element.any)) &&
           as_tiler(element);
  };
  if (!std::all_of(elements.begin(), elements.end(), fits_tiler)) return Value{std::make_shared<const ValueList>(std::move(elements))};
  std::vector<Tiler> modes;
  modes.reserve(elements.size());
  for (const Value& element : elements) {
    TESSERA_TRY(mode, as_tiler(element));
    modes.push_back(std::move(mode));
  }
  return Value{Tiler(std::move(modes))};
}

Result<TiledMma> tiled_mma_of(MmaAtom atom) {
  // (M,N,K) -> atom: the only one
  Layout one = Layout::trusted(IntTuple::tuple({1, 1, 1}), IntTuple::tuple({0, 0, 0}));
  return TiledMma::make(std::move(atom), std::move(one), Tiler(Underscore{}));
}

}  // namespace tessera
