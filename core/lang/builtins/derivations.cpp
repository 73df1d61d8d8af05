// SPDX-License-Identifier: BSD-3-Clause
// Builtins: how a number comes about, step by step: a coordinate's way through a layout, and a composition element by element.
//
//   derive(((2,4),(2,2)):((8,1),(4,16)), (5,2))    5 -> (1,2), 2 -> (0,1); 1*8 + 2*1 + 0*4 + 1*16 = 26
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/budget.hpp"
#include "core/lang/builtins/builtins.hpp"
#include "core/layout/algebra.hpp"
#include "core/layout/composed_algebra.hpp"

namespace tessera {
namespace {

constexpr std::int64_t kMostRows = 4096;  // of a composition

// A coordinate in the profile of the shape: 5 in (2,4) is (1,2).
Result<IntTuple> natural(const IntTuple& coord, const Shape& shape) {
  if (coord.is_int()) {
    TESSERA_TRY(count, checked_size(shape));
    if (coord.value() < 0 || coord.value() >= count)
      return Error{
          ErrorCode::out_of_range, fmt::format("{} is no index of {}, which has {}", coord.value(), to_string(shape), count), {}, {}};
    return idx2crd(coord.value(), shape);
  }
  if (!shape.is_tuple() || coord.rank() != shape.rank()) {
    return Error{ErrorCode::rank_mismatch, fmt::format("{} is no coordinate of {}", to_string(coord), to_string(shape)), {}, {}};
  }
  std::vector<IntTuple> modes;
  for (std::size_t i = 0; i < shape.rank(); ++i) {
    TESSERA_TRY(mode, natural(coord[i], shape[i]));
    modes.push_back(std::move(mode));
  }
  return IntTuple::tuple(std::move(modes));
}

// "5 -> (1,2)" of each part of the coordinate that is written another way.
void add_splits(const IntTuple& coord, const IntTuple& split, std::vector<std::string>& words) {
  if (coord == split) return;
  if (coord.is_int()) {
    words.push_back(fmt::format("{} -> {}", coord.value(), to_string(split)));
    return;
  }
  for (std::size_t i = 0; i < coord.rank(); ++i) add_splits(coord[i], split[i], words);
}

const Layout* plain_of(const AnyLayout& layout) {
  const auto* plain = std::get_if<Layout>(&layout);
  const auto* composed = std::get_if<ComposedLayout>(&layout);
  return plain ? plain : inner_layout(*composed);
}

Result<Value> derive(const Call& call, const AnyLayout& layout, const IntTuple& coord) {
  const Layout* const plain = plain_of(layout);
  if (plain == nullptr || plain->has_basis()) {
    return Error{ErrorCode::wrong_type, fmt::format("derive: {} has no strides that are numbers", to_string(layout)), call[0].span, {}};
  }
  const Result<IntTuple> split = natural(coord, plain->shape());
  if (!split) return argument_error(call, call.names[1], call[1], split.error());
  const std::vector<std::int64_t> at = leaf_values(*split), extents = leaf_values(plain->shape()), strides = leaf_values(plain->stride());
  Report report;
  report.kind = "derive";
  report.columns = {"extent", "coordinate", "stride", "gives"};
  std::vector<std::string> splits, terms;
  add_splits(coord, *split, splits);
  for (std::size_t i = 0; i < at.size(); ++i) {
    const std::int64_t gives = at[i] * strides[i];
    terms.push_back(fmt::format("{}*{}", at[i], strides[i]));
    report.rows.push_back({extents[i], at[i], strides[i], gives});
  }
  TESSERA_TRY(sum, evaluate(AnyLayout(*plain), coord));
  TESSERA_TRY(value, evaluate(layout, coord));
  std::string words =
      fmt::format("{}{}{} = {}", fmt::join(splits, ", "), splits.empty() ? "" : "; ", fmt::join(terms, " + "), to_string(sum));
  if (const auto* composed = std::get_if<ComposedLayout>(&layout))
    words += fmt::format("; {} of {} = {}", std::visit([](const auto& outer) { return to_string(outer); }, composed->outer),
                         composed->offset == IntTuple(0) ? to_string(sum) : to_string(composed->offset) + " + " + to_string(sum),
                         to_string(value));
  report.sentence = fmt::format("{} at {}: {}", to_string(layout), to_string(coord), words);
  report.facts = {{"words", std::move(words)}};
  if (value.is_int()) report.facts.push_back({"gives", value.value()});
  return Value{std::make_shared<const Report>(std::move(report))};
}

// R = A o B: each coordinate of B in turn, what B makes of it, where that lies in A, and what A makes of that.
Result<Value> derive_composition(const Layout& a, const Layout& b) {
  TESSERA_TRY(made, composition(a, b));
  TESSERA_TRY(count, checked_size(b.shape()));
  const std::int64_t of_a = size(a);
  if (count > kMostRows)
    return Error{ErrorCode::limit, fmt::format("{} has {} elements; {} are listed at most", to_string(b), count, kMostRows), {}, {}};
  TESSERA_CHECK(spend_cells(count, "a composition element by element"));
  if (a.has_basis() || b.has_basis()) return Error{ErrorCode::wrong_type, "strides that are numbers are wanted", {}, {}};
  Report report;
  report.kind = "derive_composition";
  report.columns = {"index", "coordinate of B", "B gives", "coordinate of A", "A gives", "R gives"};
  for (std::int64_t i = 0; i < count; ++i) {
    TESSERA_TRY(middle, evaluate(AnyLayout(b), Coord(i)));
    TESSERA_TRY(end, evaluate(AnyLayout(a), middle));
    TESSERA_TRY(result, evaluate(AnyLayout(made), Coord(i)));
    report.rows.push_back({i, to_string(idx2crd(i, b.shape())), middle.value(),
                           middle.value() < of_a ? to_string(idx2crd(middle.value(), a.shape())) : std::string("beyond"), end.value(),
                           result.value()});
  }
  report.sentence = fmt::format("R = A o B = {}: element by element, A gives what R gives", to_string(made));
  report.facts = {{"layout", AnyLayout(made)}};
  report.picture = AnyLayout(std::move(made));
  return Value{std::make_shared<const Report>(std::move(report))};
}

// clang-format off
constexpr Builtin kRows[] = {
  {"derive", "derive(layout, coord)", "how the layout's number at a coordinate comes about: .words, 5 -> (1,2); 1*8 + 2*1 = 10, and .gives", [](const Call& c) {
     return call_with(c, [&](const AnyLayout& layout, const IntTuple& coord) { return derive(c, layout, coord); }); }},
  {"derive_composition", "derive_composition(a, b)", "composition(a, b) element by element: through B, to a coordinate of A, through A", [](const Call& c) {
     return call_with(c, [](const Layout& a, const Layout& b) { return derive_composition(a, b); }); }},
};
// clang-format on

}  // namespace

std::span<const Builtin> derivation_builtins() { return kRows; }

}  // namespace tessera
