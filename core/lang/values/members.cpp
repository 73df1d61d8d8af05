// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/values/members.hpp"

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
#include <fmt/ranges.h>

#include "core/base/characters.hpp"
#include "core/base/overloaded.hpp"
#include "core/lang/values/convert.hpp"
#include "core/lang/values/gemm_members.hpp"
#include "core/lang/values/user_function.hpp"
#include "core/layout/algebra.hpp"
#include "core/layout/index_marks.hpp"

namespace tessera {
namespace {

using Made = std::optional<Result<Value>>;  // nothing: this value has no such member

const AnyLayout* layout_of(const Value& value, AnyLayout& room) {
  if (const auto* tensor = std::get_if<Tensor>(&value.any)) return &tensor->layout;
  if (const auto* plain = std::get_if<Layout>(&value.any))
    room = *plain;
  else if (const auto* composed = std::get_if<ComposedLayout>(&value.any))
    room = *composed;
  else
    return nullptr;
  return &room;
}

// A member of what has a layout: plain, swizzled or behind an offset.
template <Result<Value> (*F)(const Value& value, const AnyLayout& layout)>
Made of_layout(const Value& value) {
  AnyLayout room;
  const AnyLayout* layout = layout_of(value, room);
  if (!layout) return std::nullopt;
  return F(value, *layout);
}

Result<Value> shape_of(const Value&, const AnyLayout& layout) { return Value{IntTuple(shape(layout))}; }
Result<Value> stride_of(const Value&, const AnyLayout& layout) {
  const auto* plain = std::get_if<Layout>(&layout);
  const auto* composed = std::get_if<ComposedLayout>(&layout);
  const Layout* inner = plain ? plain : inner_layout(*composed);
  if (!inner) return Error{ErrorCode::wrong_type, fmt::format("{} has no strides", to_string(layout)), {}, {}};
  return Value{IntTuple(inner->stride())};
}
// The layout under a swizzle that stands in the tensor's pointer; null where it stands in the layout.
const ComposedLayout* under_pointer(const Value& value, const AnyLayout& layout) {
  const auto* composed = std::get_if<ComposedLayout>(&layout);
  const bool is_swizzle =
      composed && std::holds_alternative<Swizzle>(composed->outer) && inner_layout(*composed) && composed->offset.is_int();
  return value.element.swizzled_pointer && is_swizzle ? composed : nullptr;
}
Result<Value> bare_layout(const Value& value, const AnyLayout& layout) {
  if (const ComposedLayout* swizzled = under_pointer(value, layout)) return Value{Layout(*inner_layout(*swizzled))};
  return to_value(AnyLayout(layout));
}
Result<Value> size_of(const Value&, const AnyLayout& layout) { return Value{tessera::size_of(shape(layout))}; }
Result<Value> cosize_of(const Value&, const AnyLayout& layout) { return Value{marked_cosize(layout)}; }
Result<Value> rank_of(const Value&, const AnyLayout& layout) { return Value{IntTuple(static_cast<std::int64_t>(rank(shape(layout))))}; }
Result<Value> depth_of(const Value&, const AnyLayout& layout) { return Value{IntTuple(std::int64_t{depth(shape(layout))})}; }
Result<Value> pointer_of(const Value& value, const AnyLayout& layout) {
  const auto* tensor = std::get_if<Tensor>(&value.any);
  const auto* plain = std::get_if<Layout>(&layout);
  const bool at_origin = !tensor && plain && plain->has_basis();
  const IntTuple offset = tensor ? tensor->offset : at_origin ? evaluate(*plain, 0) : IntTuple(0);
  if (!offset.is_int()) return Value{offset};  // a tensor of coordinates begins at one
  Pointer made{value.element, offset.value()};
  made.element.swizzled_pointer = false;
  if (const ComposedLayout* swizzled = under_pointer(value, layout)) {
    TESSERA_TRY(swizzle, swizzle_in_bytes(std::get<Swizzle>(swizzled->outer), value.element.bits));
    made.swizzle = swizzle;
    made.offset += swizzled->offset.value();
  }
  return Value{made};
}
Result<Value> leading_dim_of(const Value&, const AnyLayout& layout) {
  const auto* plain = std::get_if<Layout>(&layout);
  const auto mode = plain ? leading_mode(*plain) : std::nullopt;
  return Value{mode ? IntTuple(static_cast<std::int64_t>(*mode)) : IntTuple::underscore()};
}
Result<Value> element_type_of(const Value& value, const AnyLayout&) {
  if (value.element.type) return Value{std::string(cute_name(*value.element.type))};
  return Error{ErrorCode::unknown_name, fmt::format("nothing says of what type the elements of {} are", described(value)), {}, {}};
}
Result<Value> memory_of(const Value& value, const AnyLayout&) { return Value{std::string(memory_name(value.element.space))}; }

// Members of one C++ type.
template <class T, class F>
Made of(const Value& value, F f) {
  const auto* object = std::get_if<T>(&value.any);
  if (!object) return std::nullopt;
  return f(*object);
}

const TiledMma* mma_of(const Value& value, std::shared_ptr<const TiledMma>& room) {
  if (const auto* mma = std::get_if<std::shared_ptr<const TiledMma>>(&value.any)) return mma->get();
  if (const auto* part = std::get_if<ThrMma>(&value.any)) return part->mma.get();
  if (!std::holds_alternative<MmaAtom>(value.any)) return nullptr;
  auto made = as_tiled_mma(value);
  if (!made) return nullptr;
  room = std::move(*made);
  return room.get();
}
const TiledCopy* copy_of(const Value& value) {
  if (const auto* copy = std::get_if<std::shared_ptr<const TiledCopy>>(&value.any)) return copy->get();
  if (const auto* tma = std::get_if<std::shared_ptr<const TmaValue>>(&value.any))
    return (*tma)->copy.tiled ? &*(*tma)->copy.tiled : nullptr;
  const auto* part = std::get_if<ThrCopy>(&value.any);
  return part ? part->copy.get() : nullptr;
}

template <Result<Value> (*F)(const TiledMma& mma)>
Made of_mma(const Value& value) {
  std::shared_ptr<const TiledMma> room;
  const TiledMma* mma = mma_of(value, room);
  if (!mma) return std::nullopt;
  return F(*mma);
}
template <Result<Value> (*F)(const TiledCopy& copy)>
Made of_copy(const Value& value) {
  const TiledCopy* copy = copy_of(value);
  if (!copy) return std::nullopt;
  return F(*copy);
}
template <Result<Value> (*F)(const CopyAtom& atom)>
Made of_copy_atom(const Value& value) {
  if (const TiledCopy* copy = copy_of(value)) return F(copy->atom());
  if (const auto* tma = std::get_if<std::shared_ptr<const TmaValue>>(&value.any)) return F((*tma)->copy.atom);
  return of<CopyAtom>(value, [](const CopyAtom& atom) { return F(atom); });
}

Result<Value> value_of(Result<Layout> layout) {
  if (!layout) return std::move(layout).error();
  return Value{std::move(*layout)};
}
Value type_value(ValueType type) { return Value{std::string(cute_name(type))}; }

template <Operand X>
Result<Value> layout_tv(const TiledMma& mma) {
  return value_of(mma.layout_tv(X));
}
Result<Value> threads_mma(const TiledMma& mma) { return Value{IntTuple(mma.num_threads())}; }
Result<Value> thr_id(const TiledMma& mma) { return Value{Layout(mma.atom().thr_id)}; }
Result<Value> vmnk(const TiledMma& mma) { return Value{Layout(mma.thr_layout_vmnk())}; }
Result<Value> shape_mnk(const TiledMma& mma) { return Value{IntTuple(mma.atom().shape_mnk)}; }
Result<Value> permutation(const TiledMma& mma) { return Value{Tiler(mma.permutation_mnk())}; }
Result<Value> mma_atom(const TiledMma& mma) { return Value{MmaAtom(mma.atom())}; }
Result<Value> layout_a(const TiledMma& mma) { return Value{Layout(mma.atom().layout_a)}; }
Result<Value> layout_b(const TiledMma& mma) { return Value{Layout(mma.atom().layout_b)}; }
Result<Value> layout_c(const TiledMma& mma) { return Value{Layout(mma.atom().layout_c)}; }
Result<Value> type_a(const TiledMma& mma) { return type_value(mma.atom().val_a); }
Result<Value> type_b(const TiledMma& mma) { return type_value(mma.atom().val_b); }
Result<Value> type_c(const TiledMma& mma) { return type_value(mma.atom().val_c); }

Result<Value> tiler_mn(const TiledCopy& copy) { return Value{Tiler(copy.tiler_mn())}; }
Result<Value> tiled_tv(const TiledCopy& copy) { return Value{Layout(copy.layout_tv())}; }
Result<Value> source_tv(const TiledCopy& copy) { return value_of(copy.layout_s_tv()); }
Result<Value> target_tv(const TiledCopy& copy) { return value_of(copy.layout_d_tv()); }
Result<Value> threads_copy(const TiledCopy& copy) { return Value{IntTuple(copy.num_threads())}; }
Result<Value> copy_type(const CopyAtom& atom) { return type_value(atom.value_type); }
Result<Value> copy_traits(const CopyAtom& atom) { return Value{CopyTraits(atom.traits)}; }
Result<Value> copy_src(const CopyAtom& atom) { return Value{Layout(atom.val_layout_src)}; }
Result<Value> copy_dst(const CopyAtom& atom) { return Value{Layout(atom.val_layout_dst)}; }
Result<Value> copy_ref(const CopyAtom& atom) { return Value{Layout(atom.val_layout_ref)}; }
Result<Value> copy_thr_id(const CopyAtom& atom) { return Value{Layout(atom.traits.thr_id)}; }

Value part_of(const std::variant<Swizzle, Layout>& part) {
  return std::visit([](const auto& each) { return Value{each}; }, part);
}
Made outer_of(const Value& value) {
  return of<ComposedLayout>(value, [&](const ComposedLayout& made) -> Result<Value> {
    Value part = part_of(made.outer);
    if (std::holds_alternative<Swizzle>(part.any)) part.element = value.element;  // whose elements it counts
    return part;
  });
}
// make_smem_layout_a and its kin give a layout with a swizzle, which may be the identity: then it is the layout alone here.
bool is_smem_layout(const Value& value) {
  return std::holds_alternative<Layout>(value.any) && value.element.type && value.element.space == MemorySpace::unknown;
}
Made identity_of(const Value& value) {
  if (!is_smem_layout(value)) return std::nullopt;
  Value made{Swizzle()};
  made.element = value.element;
  return Result<Value>(std::move(made));
}
Made unswizzled_of(const Value& value) {
  if (!is_smem_layout(value)) return std::nullopt;
  return Result<Value>(value);
}
Made inner_of(const Value& value) {
  return of<ComposedLayout>(value, [](const ComposedLayout& made) -> Result<Value> {
    if (const auto* rest = std::get_if<Nested>(&made.inner)) return Value{ComposedLayout(**rest)};
    const auto* layout = std::get_if<Layout>(&made.inner);
    return layout ? Value{*layout} : Value{std::get<Swizzle>(made.inner)};
  });
}
Made offset_of(const Value& value) {
  if (const auto* tensor = std::get_if<Tensor>(&value.any)) return Result<Value>(Value{tensor->offset});
  return of<ComposedLayout>(value, [](const ComposedLayout& made) -> Result<Value> { return Value{made.offset}; });
}
template <int (Swizzle::*F)() const>
Made of_swizzle(const Value& value) {
  return of<Swizzle>(value, [](const Swizzle& swizzle) -> Result<Value> { return Value{IntTuple(std::int64_t{(swizzle.*F)()})}; });
}
// f16.width, and the element of a pointer.
Made width_of(const Value& value) {
  if (const auto type = as_value_type(value)) return Result<Value>(Value{IntTuple(std::int64_t{bits(*type)})});
  return std::nullopt;
}
Made pointer_type(const Value& value) {
  return of<Pointer>(value, [](const Pointer& pointer) -> Result<Value> {
    if (pointer.element.type) return type_value(*pointer.element.type);
    return Error{ErrorCode::unknown_name, "nothing says of what type this pointer's elements are", {}, {}};
  });
}
// C<8>::value, and is_same<A,B>::type: the value itself.
Made itself(const Value& value) { return Result<Value>(value); }
// A tuple is the shape of the compact layout that it stands for.
Made shape_of_tuple(const Value& value) {
  return of<IntTuple>(value, [](const IntTuple& tuple) -> Result<Value> { return Value{tuple}; });
}
Made size_of_tuple(const Value& value) {
  return of<IntTuple>(value, [](const IntTuple& tuple) -> Result<Value> {
    TESSERA_TRY(count, checked_size(tuple));
    return Value{IntTuple(count)};
  });
}

// GemmShape<128,128,32>::kN and its like: a product of extents of a shape of this rank.
template <std::size_t Rank, std::size_t... Modes>
Made of_shape(const Value& value) {
  return of<IntTuple>(value, [](const IntTuple& shape) -> Made {
    if (!shape.is_tuple() || shape.rank() != Rank || has_underscore(shape)) return std::nullopt;
    Result<std::int64_t> product = checked_size(IntTuple::tuple({shape[Modes]...}));
    if (!product) return Result<Value>(std::move(product).error());
    return Result<Value>(Value{IntTuple(*product)});
  });
}
// What a program's memory gives as an address: A.data(), block_A.get().
Made pointer_itself(const Value& value) {
  if (!std::holds_alternative<Pointer>(value.any)) return std::nullopt;
  return Result<Value>(value);
}

struct Member {
  std::string_view name;
  Made (*get)(const Value& value);
};
// A name may have several rows: the first that the value has is taken.
// 90 of CUTLASS's arch::Sm90.
Made least_capability(const Value& value) {
  const auto* word = std::get_if<std::string>(&value.any);
  if (!word || arch_tag(*word).empty()) return std::nullopt;
  std::int64_t number = 0;
  for (const char c : std::string_view(*word).substr(word->rfind('m') + 1)) number = 10 * number + (c - '0');
  return Result<Value>(Value{IntTuple(number)});
}

constexpr Member kMembers[] = {
    {"kMinComputeCapability", least_capability},
    {"shape", of_layout<shape_of>},
    {"shape", shape_of_tuple},
    {"stride", of_layout<stride_of>},
    {"layout", of_layout<bare_layout>},
    {"size", of_layout<size_of>},
    {"size", of_mma<threads_mma>},
    {"size", of_copy<threads_copy>},
    {"size", size_of_tuple},
    {"cosize", of_layout<cosize_of>},
    {"rank", of_layout<rank_of>},
    {"depth", of_layout<depth_of>},
    {"iterator", of_layout<pointer_of>},
    {"data", of_layout<pointer_of>},
    {"data_ptr", of_layout<pointer_of>},
    {"data_ptr", pointer_itself},
    {"data", pointer_itself},
    {"get", pointer_itself},
    {"host_data", pointer_itself},
    {"device_data", pointer_itself},
    {"engine", of_layout<pointer_of>},
    {"element_type", of_layout<element_type_of>},
    {"element_type", pointer_type},
    {"value_type", of_layout<element_type_of>},
    {"value_type", pointer_type},
    {"value_type", of_copy_atom<copy_type>},
    {"dtype", of_layout<element_type_of>},
    {"dtype", pointer_type},
    {"memspace", of_layout<memory_of>},
    {"leading_dim", of_layout<leading_dim_of>},
    {"width", width_of},
    {"value", itself},
    {"type", itself},
    {"layout_a", outer_of},
    {"layout_b", inner_of},
    {"inner", outer_of},  // the DSL counts from the coordinate's end: inner(offset + outer(c))
    {"inner", identity_of},
    {"outer", inner_of},
    {"outer", unswizzled_of},
    {"offset", offset_of},
    {"num_bits", of_swizzle<&Swizzle::bits>},
    {"num_base", of_swizzle<&Swizzle::base>},
    {"num_shft", of_swizzle<&Swizzle::shift>},
    {"num_shift", of_swizzle<&Swizzle::shift>},
    {"thr_id", of_mma<thr_id>},
    {"thr_id", of_copy_atom<copy_thr_id>},
    {"ThrID", of_mma<thr_id>},
    {"ThrID", of_copy_atom<copy_thr_id>},
    {"AtomThrID", of_mma<thr_id>},
    {"thr_layout_vmnk", of_mma<vmnk>},
    {"ThrLayoutVMNK", of_mma<vmnk>},
    {"get_thr_layout_vmnk", of_mma<vmnk>},
    {"shape_mnk", of_mma<shape_mnk>},
    {"Shape_MNK", of_mma<shape_mnk>},
    {"AtomShape_MNK", of_mma<shape_mnk>},
    {"permutation_mnk", of_mma<permutation>},
    {"op", of_mma<mma_atom>},
    {"op", of_copy_atom<copy_traits>},
    {"Atom", of_mma<mma_atom>},
    {"tv_layout_A", of_mma<layout_a>},
    {"tv_layout_B", of_mma<layout_b>},
    {"tv_layout_C", of_mma<layout_c>},
    {"LayoutA_TV", of_mma<layout_a>},
    {"LayoutB_TV", of_mma<layout_b>},
    {"LayoutC_TV", of_mma<layout_c>},
    {"ALayout", of_mma<layout_a>},
    {"BLayout", of_mma<layout_b>},
    {"CLayout", of_mma<layout_c>},
    {"tv_layout_A_tiled", of_mma<layout_tv<Operand::a>>},
    {"tv_layout_B_tiled", of_mma<layout_tv<Operand::b>>},
    {"tv_layout_C_tiled", of_mma<layout_tv<Operand::c>>},
    {"ValTypeA", of_mma<type_a>},
    {"ValTypeB", of_mma<type_b>},
    {"ValTypeC", of_mma<type_c>},
    {"ValTypeD", of_mma<type_c>},
    {"FrgTypeA", of_mma<type_a>},
    {"FrgTypeB", of_mma<type_b>},
    {"FrgTypeC", of_mma<type_c>},
    {"tiler_mn", of_copy<tiler_mn>},
    {"Tiler_MN", of_copy<tiler_mn>},
    {"layout_tv_tiled", of_copy<tiled_tv>},
    {"TiledLayout_TV", of_copy<tiled_tv>},
    {"layout_src_tv_tiled", of_copy<source_tv>},
    {"layout_dst_tv_tiled", of_copy<target_tv>},
    {"get_layoutS_TV", of_copy<source_tv>},
    {"get_layoutD_TV", of_copy<target_tv>},
    {"TiledNumThr", of_copy<threads_copy>},
    {"ValType", of_copy_atom<copy_type>},
    {"ValLayoutSrc", of_copy_atom<copy_src>},
    {"ValLayoutDst", of_copy_atom<copy_dst>},
    {"ValLayoutRef", of_copy_atom<copy_ref>},
    {"layout_src_tv", of_copy_atom<copy_src>},
    {"layout_dst_tv", of_copy_atom<copy_dst>},
    {"kM", of_shape<3, 0>},
    {"kN", of_shape<3, 1>},
    {"kK", of_shape<3, 2>},
    {"kMN", of_shape<3, 0, 1>},
    {"kMK", of_shape<3, 0, 2>},
    {"kKN", of_shape<3, 1, 2>},
    {"kMNK", of_shape<3, 0, 1, 2>},
    {"kRow", of_shape<2, 0>},
    {"kColumn", of_shape<2, 1>},
    {"kContiguous", of_shape<2, 0>},
    {"kStrided", of_shape<2, 1>},
    {"kCount", of_shape<2, 0, 1>},
    {"kCount", of_shape<3, 0, 1, 2>},
};

Value value_of_cell(const Report::Cell& cell) {
  return std::visit(Overloaded{
                        [](std::int64_t number) { return Value{IntTuple(number)}; },
                        [](double number) { return Value{number}; },
                        [](bool truth) { return Value{truth}; },
                        [](const std::string& text) { return Value{text}; },
                        [](const AnyLayout& layout) { return to_value(layout); },
                    },
                    cell);
}

std::string members_of(const Value& value) {
  std::string names;
  if (std::holds_alternative<std::shared_ptr<const GemmSpec>>(value.any))
    return fmt::format("{}", fmt::join(names_of_gemm_members(), ", "));
  if (const auto* report = std::get_if<std::shared_ptr<const Report>>(&value.any)) {
    for (const Report::Fact& fact : (*report)->facts) names += (names.empty() ? "" : ", ") + std::string(fact.name);
    return names;
  }
  for (const Member& row : kMembers) {
    if (row.get == itself || !row.get(value) || names.find(row.name) != std::string::npos) continue;
    names += (names.empty() ? "" : ", ") + std::string(row.name);
  }
  return names;
}

}  // namespace

std::string_view arch_tag(std::string_view name) {
  constexpr std::string_view kTag = "arch::Sm";
  const std::size_t at = name.rfind(kTag);
  if (at == std::string_view::npos || (at > 0 && name[at - 1] != ':')) return {};
  const std::string_view digits = name.substr(at + kTag.size());
  const bool numbered = digits.size() >= 2 && digits.size() <= 3 && std::all_of(digits.begin(), digits.end(), is_digit);
  return numbered ? name.substr(at) : std::string_view();
}

bool is_member(std::string_view name) {
  return std::any_of(std::begin(kMembers), std::end(kMembers), [&](const Member& row) { return row.name == name; });
}

Result<Value> member_of(const Value& value, std::string_view name) {
  for (const Member& row : kMembers) {
    if (row.name != name) continue;
    Made made = row.get(value);
    if (!made) continue;
    const bool by_threads = name.find("TV") != std::string_view::npos || name.find("tv") != std::string_view::npos;
    if (by_threads && *made && std::holds_alternative<Layout>((*made)->any)) (*made)->modes = kThreadAndValue;
    return std::move(*made);
  }
  if (const auto* report = std::get_if<std::shared_ptr<const Report>>(&value.any)) {
    for (const Report::Fact& fact : (*report)->facts) {
      if (fact.name == name) return value_of_cell(fact.value);
    }
  }
  if (const auto* gemm = std::get_if<std::shared_ptr<const GemmSpec>>(&value.any)) {
    if (Made made = member_of_gemm(**gemm, name)) return std::move(*made);
  }
  if (const auto* object = std::get_if<std::shared_ptr<const UserFunction>>(&value.any)) {
    for (const auto& [member, held] : (*object)->captured) {
      if ((*object)->is_object && member == name) return held;
    }
    if ((*object)->in_smem && name.find_first_of(".:") == std::string_view::npos)
      return Value{Pointer{Element{0, std::nullopt, MemorySpace::smem}, 0}};
  }
  const std::size_t dot = name.find_first_of(".:");  // x.layout.shape behind a bracket is one word of the text
  if (dot != std::string_view::npos && dot > 0) {
    TESSERA_TRY(object, member_of(value, name.substr(0, dot)));
    return member_of(object, name.substr(name.find_first_not_of(".:", dot)));
  }
  // A struct in shared memory: what its members are is not known, but where they lie is.
  const auto* storage = std::get_if<Pointer>(&value.any);
  if (storage && storage->element.space == MemorySpace::smem && storage->element.bits == 0) return value;
  Error error{ErrorCode::unknown_name, fmt::format("{} has no member {}", described(value), name), {}, {}};
  if (std::string names = members_of(value); !names.empty()) error.notes.push_back("it has " + std::move(names));
  return error;
}

Result<std::vector<Value>> elements_of(const Value& value) {
  std::vector<Value> made;
  if (const auto* list = std::get_if<std::shared_ptr<const ValueList>>(&value.any)) return **list;
  if (const auto* tuple = std::get_if<IntTuple>(&value.any); tuple && tuple->is_tuple()) {
    for (const IntTuple& mode : tuple->modes()) made.push_back(Value{mode});
    return made;
  }
  if (const auto* tiler = std::get_if<Tiler>(&value.any)) {
    if (const auto* modes = std::get_if<std::vector<Tiler>>(&tiler->value)) {
      for (const Tiler& mode : *modes) made.push_back(tiler_value(mode));
      return made;
    }
  }
  return Error{ErrorCode::wrong_type,
               fmt::format("a tuple is wanted, whose elements are taken one by one, but this is {}", described(value)),
               {},
               {}};
}

std::optional<std::size_t> leading_mode(const Layout& layout) {
  if (!layout.shape().is_tuple()) return std::nullopt;
  for (std::size_t i = 0; i < layout.rank(); ++i) {
    std::vector<IntTuple> shapes, strides;
    append_leaves(layout.shape()[i], shapes);
    append_leaves(layout.stride()[i], strides);
    for (std::size_t j = 0; j < shapes.size(); ++j) {
      const bool is_one = strides[j].is_int() && is_static(strides[j]) && strides[j].value() == 1;
      if (is_one && (!is_static(shapes[j]) || shapes[j].value() != 1)) return i;
    }
  }
  return std::nullopt;
}

// What a loop of Python walks over, one by one.
Result<std::vector<Value>> iterated(const Value& value) {
  const auto* object = std::get_if<std::shared_ptr<const UserFunction>>(&value.any);
  if (!object || !(*object)->is_object || !(*object)->body) return elements_of(value);
  TESSERA_TRY(list, (*object)->body("__iter__", {}));
  return elements_of(list);
}

}  // namespace tessera
