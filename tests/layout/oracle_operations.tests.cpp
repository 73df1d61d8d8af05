// SPDX-License-Identifier: BSD-3-Clause
// The table from an oracle row's operation to this engine's functions.
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tests/layout/oracle_operations.hpp"

namespace tessera::oracle {

namespace {

using literals::Reader;

std::string argument(const Row& args, const char* name) { return text(args.at(name)); }
Result<Layout> layout(const Row& args, const char* name) { return Reader(argument(args, name)).layout(); }
Result<AnyLayout> any(const Row& args, const char* name) { return Reader(argument(args, name)).any_layout(); }
Result<Swizzle> swizzle(const Row& args, const char* name) { return Reader(argument(args, name)).swizzle(); }
Result<Tiler> tiler(const Row& args, const char* name) { return Reader(argument(args, name)).tiler(); }
IntTuple tuple(const Row& args, const char* name) { return Reader(argument(args, name)).int_tuple(); }
std::int64_t number(const Row& args, const char* name) { return args.at(name).get<std::int64_t>(); }

std::string as_text(std::int64_t n) { return std::to_string(n); }
std::string as_text(bool b) { return b ? "1" : "0"; }
template <class T>
auto as_text(const T& value) -> decltype(to_string(value)) {
  return to_string(value);
}
std::string as_text(const SliceAndOffset& s) { return "(" + to_string(s.layout) + "," + to_string(s.offset) + ")"; }

template <class T>
Result<Answer> answer(const Result<T>& result) {
  if (!result) return result.error();
  return Answer{as_text(*result)};
}
template <class T>
Result<Answer> answer(const T& value) {
  return Answer{as_text(value)};
}

#define ONE(NAME, EXPRESSION)                                                  \
  {                                                                            \
    NAME, [](const Row& args) -> Result<Answer> { return answer(EXPRESSION); } \
  }
#define LAYOUT(NAME, EXPRESSION)                  \
  {                                               \
    NAME, [](const Row& args) -> Result<Answer> { \
      TESSERA_TRY(l, layout(args, "layout"));     \
      return answer(EXPRESSION);                  \
    }                                             \
  }
#define ANY(NAME, EXPRESSION)                     \
  {                                               \
    NAME, [](const Row& args) -> Result<Answer> { \
      TESSERA_TRY(l, any(args, "layout"));        \
      return answer(EXPRESSION);                  \
    }                                             \
  }
#define WITH_TILER(NAME, FIRST)                  \
  {                                              \
#NAME, [](const Row& args) -> Result<Answer> { \
     TESSERA_TRY(l, layout(args, FIRST)); TESSERA_TRY(t, tiler(args, "tiler")); return answer(NAME(l, t)); } \
  }
#define TWO(NAME, FUNCTION)                       \
  {                                               \
    NAME, [](const Row& args) -> Result<Answer> { \
      TESSERA_TRY(a, layout(args, "a"));          \
      TESSERA_TRY(b, layout(args, "b"));          \
      return answer(FUNCTION(a, b));              \
    }                                             \
  }

template <class Block>
Result<Answer> tile(const Block& block, const Row& args) {
  const IntTuple target = tuple(args, "trg_shape");
  const std::string order = argument(args, "order");
  if (order == "default") return answer(tile_to_shape(block, target));
  if (order != "LayoutRight") return answer(tile_to_shape(block, target, tuple(args, "order")));
  std::vector<IntTuple> right;
  for (std::size_t i = target.rank(); i-- > 0;) right.emplace_back(static_cast<std::int64_t>(i));
  return answer(tile_to_shape(block, target, target.is_tuple() ? IntTuple::tuple(right) : IntTuple(0)));
}

template <class F>
Result<Answer> for_each_index(std::int64_t n, F&& f) {
  Answer out;
  for (std::int64_t i = 0; i < n; ++i) {
    TESSERA_TRY(value, f(i));
    out.push_back(as_text(value));
  }
  return out;
}

using Table = std::map<std::string, std::function<Result<Answer>(const Row& args)>>;

Table plain_operations() {
  return Table{LAYOUT("layout", l),
               LAYOUT("coalesce", coalesce(l)),
               LAYOUT("coalesce_profile", coalesce(l, tuple(args, "profile"))),
               LAYOUT("filter", filter(l)),
               LAYOUT("filter_profile", filter(l, tuple(args, "profile"))),
               LAYOUT("filter_zeros", filter_zeros(l)),
               LAYOUT("flatten", flatten(l)),
               LAYOUT("unflatten", unflatten(l, tuple(args, "profile"))),
               LAYOUT("group", group(l, number(args, "begin"), number(args, "end"))),
               LAYOUT("take", take(l, number(args, "begin"), number(args, "end"))),
               LAYOUT("select", select(l, args.at("modes").get<std::vector<std::int64_t>>())),
               LAYOUT("append", append(l, number(args, "n"))),
               LAYOUT("prepend", prepend(l, number(args, "n"))),
               TWO("zip", zip),
               LAYOUT("slice", slice(tuple(args, "coord"), l)),
               LAYOUT("dice", dice(tuple(args, "coord"), l)),
               LAYOUT("slice_and_offset", slice_and_offset(tuple(args, "coord"), l)),
               TWO("composition", composition),
               LAYOUT("complement", complement(l, tuple(args, "cotarget"))),
               LAYOUT("complement1", complement(l)),
               LAYOUT("right_inverse", right_inverse(l)),
               LAYOUT("left_inverse", left_inverse(l)),
               LAYOUT("nullspace", nullspace(l)),
               TWO("max_common_vector", max_common_vector),
               TWO("max_common_layout", max_common_layout),
               WITH_TILER(logical_divide, "layout"),
               WITH_TILER(zipped_divide, "layout"),
               WITH_TILER(tiled_divide, "layout"),
               WITH_TILER(flat_divide, "layout"),
               WITH_TILER(logical_product, "block"),
               WITH_TILER(zipped_product, "block"),
               WITH_TILER(tiled_product, "block"),
               WITH_TILER(flat_product, "block"),
               LAYOUT("make_layout_like", make_layout_like(l)),
               LAYOUT("make_fragment_like", make_fragment_like(l)),
               ONE("make_identity_layout", make_identity_layout(tuple(args, "shape"))),
               ONE("make_ordered_layout", make_ordered_layout(tuple(args, "shape"), tuple(args, "order"))),
               LAYOUT("max_alignment", max_alignment(l)),
               ONE("domain_distribute", domain_distribute(tuple(args, "shape"), number(args, "n"))),
               LAYOUT("upcast", upcast(l, number(args, "n"))),
               LAYOUT("downcast", downcast(l, number(args, "n"))),
               LAYOUT("recast_layout", recast_layout(l, number(args, "old_bits"), number(args, "new_bits"))),
               ONE("ceil_div", ceil_div(tuple(args, "a"), tuple(args, "b"))),
               ONE("shape_div", shape_div(tuple(args, "a"), tuple(args, "b"))),
               ONE("congruent", congruent(tuple(args, "a"), tuple(args, "b"))),
               ONE("weakly_congruent", weakly_congruent(tuple(args, "a"), tuple(args, "b"))),
               ONE("compatible", compatible(tuple(args, "a"), tuple(args, "b"))),
               ONE("evenly_divides", evenly_divides(tuple(args, "a"), tuple(args, "b")))};
}

Table irregular_operations() {
  return Table{{"composition_tiler",
                [](const Row& args) -> Result<Answer> {
                  TESSERA_TRY(a, layout(args, "a"));
                  TESSERA_TRY(t, tiler(args, "tiler"));
                  return answer(composition(a, t));
                }},
               {"blocked_product",
                [](const Row& args) -> Result<Answer> {
                  TESSERA_TRY(a, layout(args, "block"));
                  TESSERA_TRY(b, layout(args, "tiler"));
                  return answer(blocked_product(a, b));
                }},
               {"raked_product",
                [](const Row& args) -> Result<Answer> {
                  TESSERA_TRY(a, layout(args, "block"));
                  TESSERA_TRY(b, layout(args, "tiler"));
                  return answer(raked_product(a, b));
                }},
               {"tile_to_shape",
                [](const Row& args) -> Result<Answer> {
                  TESSERA_TRY(b, layout(args, "block"));
                  return tile(b, args);
                }},
               {"make_layout_major",
                [](const Row& args) -> Result<Answer> {
                  const IntTuple shape = tuple(args, "shape");
                  return answer(argument(args, "major") == "LayoutRight" ? make_layout_row_major(shape) : Layout::make_compact(shape));
                }},
               {"crd2idx",
                [](const Row& args) -> Result<Answer> {
                  TESSERA_TRY(l, layout(args, "layout"));
                  Answer out;
                  for (const Row& c : args.at("coords")) {
                    TESSERA_TRY(value, evaluate(l, Reader(text(c)).int_tuple()));
                    out.push_back(to_string(value));
                  }
                  return out;
                }},
               {"idx2crd",
                [](const Row& args) -> Result<Answer> {
                  const IntTuple shape = tuple(args, "shape");
                  return for_each_index(size(shape), [&](std::int64_t i) -> Result<IntTuple> { return idx2crd(i, shape); });
                }},
               {"get_hier_coord",
                [](const Row& args) -> Result<Answer> {
                  TESSERA_TRY(l, layout(args, "layout"));
                  return for_each_index(l.size(), [&](std::int64_t i) { return get_hier_coord(l, i); });
                }},
               {"get_flat_coord",
                [](const Row& args) -> Result<Answer> {
                  TESSERA_TRY(l, layout(args, "layout"));
                  return for_each_index(l.size(), [&](std::int64_t i) { return get_flat_coord(l, i); });
                }},
               {"get_1d_coord", [](const Row& args) -> Result<Answer> {
                  TESSERA_TRY(l, layout(args, "layout"));
                  return for_each_index(l.size(), [&](std::int64_t i) { return get_1d_coord(l, i); });
                }}};
}

Table swizzle_operations() {
  return Table{ANY("composed", simplify(l)),
               ANY("composed_coalesce", coalesce(l)),
               ANY("composed_flatten", flatten(l)),
               ANY("composed_get_swizzle", get_swizzle(l)),
               ANY("composed_get_nonswizzle", get_nonswizzle(l)),
               ANY("composed_left_inverse", left_inverse(l)),
               ANY("composed_right_inverse", right_inverse(l)),
               ANY("composed_max_alignment", max_alignment(l)),
               ANY("composed_make_fragment_like", make_fragment_like(l)),
               ANY("composed_upcast", upcast(l, number(args, "n"))),
               ANY("composed_downcast", downcast(l, number(args, "n"))),
               ANY("composed_recast_layout", recast_layout(l, number(args, "old_bits"), number(args, "new_bits"))),
               ANY("composed_slice_and_offset", slice_and_offset(tuple(args, "coord"), l)),
               ONE("make_swizzle", make_swizzle(number(args, "y"), number(args, "z"))),
               {"composed_logical_divide",
                [](const Row& args) -> Result<Answer> {
                  TESSERA_TRY(l, any(args, "layout"));
                  TESSERA_TRY(t, tiler(args, "tiler"));
                  return answer(logical_divide(l, t));
                }},
               {"composed_composition",
                [](const Row& args) -> Result<Answer> {
                  TESSERA_TRY(a, any(args, "a"));
                  TESSERA_TRY(b, layout(args, "b"));
                  return answer(composition(a, Tiler(b)));
                }},
               {"composed_composition_tiler",
                [](const Row& args) -> Result<Answer> {
                  TESSERA_TRY(a, any(args, "a"));
                  TESSERA_TRY(t, tiler(args, "tiler"));
                  return answer(composition(a, t));
                }},
               {"composed_max_common_layout",
                [](const Row& args) -> Result<Answer> {
                  TESSERA_TRY(a, any(args, "a"));
                  TESSERA_TRY(b, any(args, "b"));
                  return answer(max_common_layout(a, b));
                }},
               {"composed_max_common_vector",
                [](const Row& args) -> Result<Answer> {
                  TESSERA_TRY(a, any(args, "a"));
                  TESSERA_TRY(b, any(args, "b"));
                  return answer(max_common_vector(a, b));
                }},
               {"composed_tile_to_shape",
                [](const Row& args) -> Result<Answer> {
                  TESSERA_TRY(b, any(args, "block"));
                  return tile(b, args);
                }},
               {"layout_o_swizzle",
                [](const Row& args) -> Result<Answer> {
                  TESSERA_TRY(a, layout(args, "a"));
                  TESSERA_TRY(s, swizzle(args, "swizzle"));
                  return answer(composition(a, s));
                }},
               {"logical_product_swizzled_tiler",
                [](const Row& args) -> Result<Answer> {
                  TESSERA_TRY(b, any(args, "block"));
                  TESSERA_TRY(t, tiler(args, "tiler"));
                  return answer(logical_product(b, t));
                }},
               {"make_layout_swizzle",
                [](const Row& args) -> Result<Answer> {
                  TESSERA_TRY(s, swizzle(args, "swizzle"));
                  return answer(make_layout(s));
                }},
               {"swizzle_compose",
                [](const Row& args) -> Result<Answer> {
                  TESSERA_TRY(a, swizzle(args, "a"));
                  TESSERA_TRY(b, swizzle(args, "b"));
                  return answer(composition(a, b));
                }},
               {"swizzle", [](const Row& args) -> Result<Answer> {
                  TESSERA_TRY(s, swizzle(args, "swizzle"));
                  return for_each_index(1024, [&](std::int64_t i) -> Result<std::int64_t> { return s(i); });
                }}};
}

}  // namespace

const Table& operations() {
  static const Table table = [] {
    Table all = plain_operations();
    all.merge(irregular_operations());
    all.merge(swizzle_operations());
    return all;
  }();
  return table;
}

}  // namespace tessera::oracle
