// SPDX-License-Identifier: BSD-3-Clause
// Builtins: a thread-value layout read backwards and thread by thread, whether or not it has an inverse.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/lang/builtins/builtins.hpp"
#include "core/layout/algebra.hpp"
#include "core/layout/composed_algebra.hpp"

namespace tessera {
namespace {

// (thr, val) -> number of the cell: two modes, and integers.
Status check_tv(const Call& call, const AnyLayout& tv) {
  if (rank(shape(tv)) != 2) {
    return Error{ErrorCode::rank_mismatch,
                 fmt::format("{}: {} has {} modes, and a thread-value layout has two, (thread, value)", call.function(), to_string(tv),
                             rank(shape(tv))),
                 call[0].span,
                 {}};
  }
  if (layout_part(tv).has_basis()) {
    return Error{ErrorCode::wrong_type,
                 fmt::format("{}: {} gives coordinates, and the number of a cell is wanted", call.function(), to_string(tv)),
                 call[0].span,
                 {}};
  }
  return Done{};
}

// The number of a cell of the tile, down the columns; refused outside of it.
Result<std::int64_t> number_of_cell(const Call& call, const IntTuple& coord, const IntTuple& tile) {
  TESSERA_CHECK(checked_size(tile));
  TESSERA_TRY(compact, Layout::make_compact(tile));
  TESSERA_TRY(number, evaluate(compact, coord));
  if (!number.is_int() || number.value() < 0 || number.value() >= size(tile))
    return Error{ErrorCode::out_of_range,
                 fmt::format("{}: {} is no cell of {}", call.function(), to_string(coord), to_string(tile)),
                 call[2].span,
                 {}};
  return number.value();
}

Result<IntTuple> owner(const Call& call, const AnyLayout& tv, const IntTuple& tile, const IntTuple& coord) {
  TESSERA_CHECK(check_tv(call, tv));
  TESSERA_TRY(wanted, number_of_cell(call, coord, tile));
  const std::int64_t threads = size(shape(tv)[0]), values = size(shape(tv)[1]);
  TESSERA_CHECK(spend_cells(count_product(threads, values), "looking for the owner of a cell"));
  for (std::int64_t v = 0; v < values; ++v) {
    for (std::int64_t t = 0; t < threads; ++t) {
      if (evaluate(tv, t, v) == wanted) return IntTuple::tuple({t, v});
    }
  }
  return Error{ErrorCode::out_of_range, fmt::format("owner: nobody holds {} of {}", to_string(coord), to_string(tile)), call.span(), {}};
}

Result<IntTuple> cells(const Call& call, const AnyLayout& tv, const IntTuple& tile, std::int64_t thread) {
  TESSERA_CHECK(check_tv(call, tv));
  TESSERA_TRY(all, checked_size(tile));
  const std::int64_t threads = size(shape(tv)[0]), values = size(shape(tv)[1]);
  if (thread < 0 || thread >= threads)
    return Error{ErrorCode::out_of_range, fmt::format("cells: there is no thread {} of {}", thread, threads), call[2].span, {}};
  TESSERA_CHECK(spend_cells(values, "listing the cells of a thread"));
  std::vector<IntTuple> made;
  for (std::int64_t v = 0; v < values; ++v) {
    const std::int64_t number = evaluate(tv, thread, v);
    if (number < 0 || number >= all) {
      return Error{ErrorCode::out_of_range,
                   fmt::format("cells: value {} of thread {} is number {}, outside of {}", v, thread, number, to_string(tile)),
                   call.span(),
                   {}};
    }
    made.push_back(idx2crd(number, tile));
  }
  return IntTuple::tuple(std::move(made));
}

// clang-format off
constexpr Builtin kRows[] = {
  {"owner", "owner(tv, tile, coord)", "the first (thread, value) that holds the tile's cell at this coordinate", [](const Call& c) {
     return call_with(c, [&](const AnyLayout& tv, const IntTuple& tile, const IntTuple& coord) { return owner(c, tv, tile, coord); }); }},
  {"cells", "cells(tv, tile, thread)", "the coordinates of the tile's cells that a thread holds, in the order of its values", [](const Call& c) {
     return call_with(c, [&](const AnyLayout& tv, const IntTuple& tile, std::int64_t thread) { return cells(c, tv, tile, thread); }); }},
};
// clang-format on

}  // namespace

std::span<const Builtin> owner_builtins() { return kRows; }

}  // namespace tessera
