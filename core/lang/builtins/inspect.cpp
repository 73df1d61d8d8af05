// SPDX-License-Identifier: BSD-3-Clause
// Builtins: what is true of a layout and why, its bit matrix, and values in the spellings of other tools.
#include "core/layout/inspect.hpp"
#include "core/atom/copy/print_atoms.hpp"
#include "core/lang/builtins/builtins.hpp"
#include "core/layout/bit_matrix.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace tessera {
namespace {

constexpr std::size_t kMostGaps = 1024;  // runs that gaps() lists
constexpr std::size_t kGapsInALine = 8;  // runs that inspect() names

Result<IntTuple> aliases(const AnyLayout& layout) {
  TESSERA_TRY(pair, aliasing_pair(layout));
  if (!pair) return Error{ErrorCode::out_of_range, "no two coordinates of " + to_string(layout) + " meet: it is injective", {}, {}};
  return IntTuple::tuple({pair->first_coord, pair->second_coord});
}

Result<IntTuple> gap_runs(const AnyLayout& layout) {
  TESSERA_TRY(found, gaps(layout, kMostGaps + 1));
  if (found.runs.empty()) {
    return Error{
        ErrorCode::out_of_range, fmt::format("{} has no gaps: it has every index from 0 to its largest", to_string(layout)), {}, {}};
  }
  if (found.runs.size() > kMostGaps) {
    return Error{ErrorCode::limit,
                 fmt::format("{} has more than {} gaps, the limit of this list; {} indices are missing", to_string(layout), kMostGaps,
                             found.missing),
                 {},
                 {"inspect(layout) names the first ones"}};
  }
  std::vector<IntTuple> runs;
  for (const Gap& run : found.runs) runs.push_back(IntTuple::tuple({run.begin, run.end}));
  return IntTuple::tuple(std::move(runs));
}

std::string line(std::string_view name, const Result<Finding>& finding) {
  if (!finding) return fmt::format("{:<11} not known: {}\n", fmt::format("{}:", name), finding.error().message);
  return fmt::format("{:<11} {}: {}\n", fmt::format("{}:", name), finding->holds ? "yes" : "no", finding->reason);
}

std::string gap_line(const AnyLayout& layout) {
  const Result<Gaps> found = gaps(layout, kGapsInALine);
  if (!found) return fmt::format("gaps:       not known: {}", found.error().message);
  if (found->runs.empty()) return "gaps:       none";
  std::string text = fmt::format("gaps:       {} {} missing:", found->missing, found->missing == 1 ? "index is" : "indices are");
  std::int64_t named = 0;
  for (const Gap& run : found->runs) {
    text += run.end - run.begin == 1 ? fmt::format(" {}", run.begin) : fmt::format(" {}..{}", run.begin, run.end - 1);
    named += run.end - run.begin;
  }
  return named < found->missing ? text + " ..." : text;
}

// What can be said of a layout, or of two, a line each.
std::string findings(const AnyLayout& layout, const std::optional<AnyLayout>& other) {
  if (other) {
    const Shape &a = shape(layout), &b = shape(*other);
    std::string text = line("congruent", is_congruent(a, b)) + line("compatible", is_compatible(a, b));
    text.pop_back();
    return text;
  }
  return line("injective", is_injective(layout)) + line("surjective", is_surjective(layout)) + line("contiguous", is_contiguous(layout)) +
         line("compact", is_compact(layout)) + gap_line(layout);
}

Result<IntTuple> matrix_columns(const AnyLayout& layout) {
  TESSERA_TRY(matrix, bit_matrix(layout));
  if (matrix.columns.empty()) {
    return Error{ErrorCode::not_representable, fmt::format("{} has one element: its coordinate has no bits", to_string(layout)), {}, {}};
  }
  return IntTuple::tuple(std::vector<IntTuple>(matrix.columns.begin(), matrix.columns.end()));
}

Result<AnyLayout> layout_of_columns(const IntTuple& columns) {
  if (depth(columns) > 1) {
    return Error{ErrorCode::wrong_type, fmt::format("the columns of a bit matrix are integers, not {}", to_string(columns)), {}, {}};
  }
  return from_bit_matrix(BitMatrix{leaf_values(columns)});
}

template <Spelling spelling>
Result<Value> spelled(const Call& call) {
  return call_with(call, [](const Value& value) { return print(value, spelling); });
}

// clang-format off
constexpr Builtin kRows[] = {
  {"print", "print(x)", "as CuTe's print() writes it: `_8` where an integer is static, `8` where it is dynamic", spelled<Spelling::cute_print>},
  {"print_cpp", "print_cpp(x)", "as a C++ type of CuTe; with dynamic integers, as the expression that makes it", spelled<Spelling::cute_cpp>},
  {"print_dsl", "print_dsl(x)", "as CuTe DSL", spelled<Spelling::cute_dsl>},

  {"is_injective", "is_injective(layout)", "do no two coordinates meet?", [](const Call& c) {
     return call_with(c, [&](const AnyLayout& layout) { return holds(c, is_injective(layout), ErrorCode::not_injective); }); }},
  {"is_surjective", "is_surjective(layout, range=)", "is every index up to the range, or to the largest one, met?", [](const Call& c) {
     return call_with(c, [&](const AnyLayout& layout, const std::optional<std::int64_t>& range) -> Result<bool> {
       return holds(c, range ? is_surjective(layout, *range) : is_surjective(layout), ErrorCode::out_of_range); }); }},
  {"is_contiguous", "is_contiguous(layout)", "is it one run of memory in order?", [](const Call& c) {
     return call_with(c, [&](const AnyLayout& layout) { return holds(c, is_contiguous(layout), ErrorCode::not_representable); }); }},
  {"is_compact", "is_compact(layout)", "does it meet each of 0..size-1 once?", [](const Call& c) {
     return call_with(c, [&](const AnyLayout& layout) { return holds(c, is_compact(layout), ErrorCode::not_injective); }); }},
  {"aliasing_pair", "aliasing_pair(layout)", "two coordinates that meet", [](const Call& c) {
     return call_with(c, [](const AnyLayout& layout) { return aliases(layout); }); }},
  {"gaps", "gaps(layout)", "the runs (begin,end) of indices below the largest that no coordinate has", [](const Call& c) {
     return call_with(c, [](const AnyLayout& layout) { return gap_runs(layout); }); }},
  {"inspect", "inspect(layout, other=)", "is it injective, surjective, contiguous, compact, and why; of two, congruent and compatible",
     [](const Call& c) {
     return call_with(c, [](const AnyLayout& layout, const std::optional<AnyLayout>& other) { return findings(layout, other); }); }},

  {"bit_matrix", "bit_matrix(layout)", "over F2: the index of each bit of the coordinate, lowest bit first", [](const Call& c) {
     return call_with(c, [](const AnyLayout& layout) { return matrix_columns(layout); }); }},
  {"from_bit_matrix", "from_bit_matrix(columns)", "the layout with this matrix over F2, behind a swizzle where it needs one",
     [](const Call& c) {
     return call_with(c, [](const IntTuple& columns) { return layout_of_columns(columns); }); }},
  {"print_bit_matrix", "print_bit_matrix(layout)", "rows of 0 and 1: highest bit of the index first, lowest bit of the coordinate left",
     [](const Call& c) {
     return call_with(c, [](const AnyLayout& layout) -> Result<std::string> {
       TESSERA_TRY(matrix, bit_matrix(layout));
       return to_string(matrix); }); }},
};
// clang-format on

}  // namespace

std::span<const Builtin> inspect_builtins() { return kRows; }

}  // namespace tessera
