// SPDX-License-Identifier: BSD-3-Clause
// Builtins: the questions of who writes a kernel, answered with a report each.
#include "core/atom/copy_access.hpp"
#include "core/atom/find_smem_layout.hpp"
#include "core/lang/builtins.hpp"
#include "core/lang/members.hpp"

#include <fmt/format.h>

namespace tessera {
namespace {

using SharedCopy = std::shared_ptr<const TiledCopy>;
using SharedReport = std::shared_ptr<const Report>;

constexpr std::int64_t kHalfBits = 16;    // of an element, where nothing says its type
constexpr std::size_t kMostLayouts = 12;  // that find_smem_layout lists
constexpr std::size_t kMostRows = 64;     // of warps and phases that access lists

Result<Value> answer_of(Report report) { return Value{SharedReport(std::make_shared<const Report>(std::move(report)))}; }

// What a layout is read or written by.
using By = std::variant<TiledCopy, CopyTraits, std::int64_t>;

Result<By> as_access(const Value& value) {
  if (const auto* part = std::get_if<ThrCopy>(&value.any)) return By(*part->copy);
  if (const auto* copy = std::get_if<SharedCopy>(&value.any)) return By(**copy);
  if (const auto* atom = std::get_if<CopyAtom>(&value.any)) return By(atom->traits);
  if (const auto* traits = std::get_if<CopyTraits>(&value.any)) return By(*traits);
  if (const auto* tuple = std::get_if<IntTuple>(&value.any); tuple && tuple->is_int()) return By(tuple->value());
  return Error{ErrorCode::wrong_type,
               fmt::format("a tiled copy, a copy atom or the bits of a load is wanted, but this is {}", described(value)),
               {},
               {"for example make_tiled_copy_A(...), SM75_U32x4_LDSM_N or 128"}};
}

CopyKind kind_of(const By& by) {
  if (const auto* copy = std::get_if<TiledCopy>(&by)) return copy->atom().traits.kind;
  if (const auto* traits = std::get_if<CopyTraits>(&by)) return traits->kind;
  return CopyKind::universal;
}

// bits= where it is given, else what the tensor or the copy says.
std::int64_t element_bits(const Value& tensor, const By& by, const std::optional<std::int64_t>& given) {
  if (given) return *given;
  if (tensor.element.bits != 0) return tensor.element.bits;
  const auto* copy = std::get_if<TiledCopy>(&by);
  return copy ? bits(copy->atom().value_type) : kHalfBits;
}

Result<CopySide> side_named(const std::optional<std::string>& word, CopySide otherwise) {
  if (!word) return otherwise;
  if (*word == "load" || *word == "read") return CopySide::source;
  if (*word == "store" || *word == "write") return CopySide::destination;
  return Error{ErrorCode::unknown_name, fmt::format("an access is a load or a store, not \"{}\"", *word), {}, {}};
}

Result<AccessSpace> space_named(const std::optional<std::string>& word, AccessSpace otherwise) {
  if (!word) return otherwise;
  if (*word == "smem") return AccessSpace::smem;
  if (*word == "gmem") return AccessSpace::gmem;
  return Error{ErrorCode::unknown_name, fmt::format("the memory is smem or gmem, not \"{}\"", *word), {}, {}};
}

bool is_access_word(std::string_view parameter, std::string_view word) {
  if (parameter == "space") return word == "smem" || word == "gmem";
  return parameter == "op" && (word == "load" || word == "store" || word == "read" || word == "write");
}

Result<AccessPattern> pattern_of(const By& by, CopySide side, const AnyLayout& layout, std::int64_t bits) {
  if (const auto* copy = std::get_if<TiledCopy>(&by)) return access_pattern(*copy, side, shape(layout));
  if (const auto* traits = std::get_if<CopyTraits>(&by)) return access_pattern(*traits, side, layout, bits);
  return access_pattern(std::get<std::int64_t>(by), side, layout, bits);
}

Result<Value> access_call(const Call& call) {
  const Value& tensor = *call[1].value;
  TESSERA_TRY(by, as_access(*call[0].value));
  TESSERA_TRY(layout, argument<AnyLayout>(call, 1));
  TESSERA_TRY(given_bits, argument<std::optional<std::int64_t>>(call, 2));
  TESSERA_TRY(space_word, argument<std::optional<std::string>>(call, 3));
  TESSERA_TRY(op, argument<std::optional<std::string>>(call, 4));
  const std::int64_t bits = element_bits(tensor, by, given_bits);
  if (bits < 1 || bits > 128) return Error{ErrorCode::out_of_range, fmt::format("an element has 1 to 128 bits, not {}", bits), {}, {}};
  const CopyKind kind = kind_of(by);
  const AccessSpace assumed = tensor.element.space == MemorySpace::gmem ? AccessSpace::gmem : AccessSpace::smem;
  TESSERA_TRY(wanted, space_named(space_word, assumed));
  TESSERA_TRY(side, side_named(op, side_in(kind, wanted)));
  const AccessSpace space = space_of(kind, side).value_or(wanted);
  if (space_word && space != wanted) {
    return Error{
        ErrorCode::wrong_type,
        fmt::format("{} has no access of {} memory on that side", to_string(kind), wanted == AccessSpace::gmem ? "global" : "shared"),
        {},
        {}};
  }
  TESSERA_TRY(pattern, pattern_of(by, side, layout, bits));
  TESSERA_TRY(offsets, element_offsets(layout));
  TESSERA_TRY(made, measure(pattern, offsets, bits, space));

  Report report;
  report.kind = "access";
  report.sentence = describe(made);
  const std::string_view units = made.shared ? "wavefronts" : "sectors";
  report.facts = {{"instruction", made.instruction},
                  {"bits", made.bits},
                  {"warps", made.warps},
                  {"instructions", made.instructions},
                  {units, made.units},
                  {"least", made.least},
                  {"is_best", made.is_best()},
                  {"vectorises", made.vectorises}};
  if (!made.conflict.empty()) report.facts.push_back({"conflict", made.conflict});
  if (!made.vectorises) {
    report.facts.push_back({"why_not", made.why_not});
    report.notes.push_back("accesses of " + fmt::format("{} bits", made.bits) + ": " + made.why_not);
  }
  if (!pattern.arrangement.empty()) report.notes.push_back("by one warp: " + pattern.arrangement);
  if (!given_bits && tensor.element.bits == 0 && !std::holds_alternative<TiledCopy>(by)) report.notes.push_back("elements of 16 bits");
  report.columns = {"warp", "phase", "lanes", "instructions", std::string(units), "least"};
  for (const AccessReport::Row& row : made.rows) {
    if (report.rows.size() == kMostRows) {
      report.notes.push_back(fmt::format("the table has the first {} of {} rows", kMostRows, made.rows.size()));
      break;
    }
    report.rows.push_back({row.warp, row.phase, fmt::format("{}-{}", row.first_lane, row.first_lane + row.lanes - 1), row.instructions,
                           row.units, row.least});
  }
  return answer_of(std::move(report));
}

Status add_uses(const Call& call, std::size_t parameter, std::string_view name, CopySide side, std::vector<SmemUse>& uses) {
  if (!call.has(parameter)) return Done{};
  const Value& value = *call[parameter].value;
  std::vector<Value> all{value};
  const auto* tuple = std::get_if<IntTuple>(&value.any);
  if (std::holds_alternative<std::shared_ptr<const ValueList>>(value.any) || (tuple && tuple->is_tuple())) {
    TESSERA_TRY(elements, elements_of(value));
    all = std::move(elements);
  }
  for (const Value& each : all) {
    Result<By> by = as_access(each);
    if (!by) return argument_error(call, name, call[parameter], std::move(by).error());
    const CopyKind kind = kind_of(*by);
    const CopySide own = kind == CopyKind::universal ? side : side_in(kind, AccessSpace::smem);
    uses.push_back({all.size() == 1 ? std::string(name) : fmt::format("{} {}", name, &each - all.data()), *std::move(by), own});
  }
  return Done{};
}

std::string tensor_unit(std::int64_t span) { return span == 0 ? "none" : span == 16 ? "no swizzle" : fmt::format("{} B", span); }

Result<Value> find_smem_layout_call(const Call& call) {
  TESSERA_TRY(shape, argument<IntTuple>(call, 0));
  TESSERA_TRY(given_bits, argument<std::optional<std::int64_t>>(call, 1));
  TESSERA_TRY(contiguous, argument<std::optional<std::int64_t>>(call, 5));
  const std::int64_t bits = given_bits.value_or(kHalfBits);
  std::vector<SmemUse> uses;
  TESSERA_CHECK(add_uses(call, 2, "read", CopySide::source, uses));
  TESSERA_CHECK(add_uses(call, 3, "write", CopySide::destination, uses));
  TESSERA_CHECK(add_uses(call, 4, "more", CopySide::source, uses));
  if (contiguous && (*contiguous < 0 || *contiguous > 1))
    return Error{ErrorCode::out_of_range, fmt::format("the contiguous mode is 0 or 1, not {}", *contiguous), {}, {}};
  TESSERA_TRY(search, find_smem_layout(shape, static_cast<std::size_t>(contiguous.value_or(1)), bits, uses));

  const SmemCandidate& best = search.found.front();
  Report report;
  report.kind = "find_smem_layout";
  report.sentence = fmt::format("{}: {} wavefronts{}, {} bytes", to_string(best.layout), best.all,
                                best.is_best() ? ", the least possible" : fmt::format(" where {} would do", best.least), best.bytes);
  std::int64_t free_of_conflicts = 0;
  for (const SmemCandidate& each : search.found) free_of_conflicts += each.is_best() ? 1 : 0;
  report.facts = {{"layout", to_string(best.layout)},
                  {"wavefronts", best.all},
                  {"least", best.least},
                  {"bytes", best.bytes},
                  {"tried", search.tried},
                  {"refused", search.refused},
                  {"free_of_conflicts", free_of_conflicts}};
  report.notes.push_back(fmt::format("{} of {} layouts are free of conflicts in every access; {} cannot serve one of them",
                                     free_of_conflicts, search.tried, search.refused));
  report.columns = {"layout"};
  for (const SmemUse& use : uses) report.columns.push_back(use.name);
  for (const char* column : {"all", "least", "bytes", "TMA, wgmma"}) report.columns.emplace_back(column);
  const auto add_row = [&](const SmemCandidate& each) {
    std::vector<Report::Cell> row{to_string(each.layout)};
    for (const std::int64_t units : each.units) row.emplace_back(units);
    row.insert(row.end(), {each.all, each.least, each.bytes, tensor_unit(each.span)});
    report.rows.push_back(std::move(row));
  };
  // The best ones, and to compare with them the best padding and the tile as it is.
  bool padded = false, plain = false;
  for (const SmemCandidate& each : search.found) {
    const bool is_plain = std::holds_alternative<Layout>(each.layout), is_tile = is_plain && each.bytes * 8 == size(shape) * bits;
    const bool is_padded = is_plain && !is_tile;
    if (report.rows.size() < kMostLayouts || (is_padded && !padded) || (is_tile && !plain)) add_row(each);
    padded = padded || is_padded;
    plain = plain || is_tile;
  }
  return answer_of(std::move(report));
}

// The evaluator takes sweep(...) before its expression is a value (sweep.cpp); here it was called as a value's method.
Result<Value> sweep_alone(const Call& call) {
  return Error{ErrorCode::wrong_arity, "sweep stands alone, before its expression", call.span(), {"sweep(x.size(), p=1..4)"}};
}

// clang-format off
constexpr Builtin kRows[] = {
  {"access", "access(copy, layout, bits=, space=, op=)",
   "what the hardware makes of a copy's instructions on a layout: wavefronts or sectors beside the least possible, and the first bank conflict",
   access_call, is_access_word},
  {"find_smem_layout", "find_smem_layout(shape, bits=, read=, write=, more=, contiguous=)",
   "the swizzles and paddings of a tile, ranked by the wavefronts of the accesses that it has to serve", find_smem_layout_call},
  {"sweep", "sweep(expression, parameters...)",
   "the expression for each value of its parameters, p=32..56 or p=(8,16,32), with step= between those of a range", sweep_alone},
};
// clang-format on

}  // namespace

std::span<const Builtin> advice_builtins() { return kRows; }

}  // namespace tessera
