// SPDX-License-Identifier: BSD-3-Clause
// Builtins: the questions of who writes a kernel, answered with a report each.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/atom/advice/find_smem_layout.hpp"
#include "core/atom/copy/copy_access.hpp"
#include "core/atom/tma/smem_takers.hpp"
#include "core/atom/tma/tma_access.hpp"
#include "core/lang/builtins/builtins.hpp"
#include "core/lang/values/members.hpp"

#include <fmt/format.h>

namespace tessera {
namespace {

using SharedCopy = std::shared_ptr<const TiledCopy>;
using SharedReport = std::shared_ptr<const Report>;

constexpr std::int64_t kHalfBits = 16;    // of an element, where nothing says its type
constexpr std::size_t kMostLayouts = 12;  // that find_smem_layout lists
constexpr std::size_t kMostRows = 64;     // of warps and phases that access lists

Result<Value> answer_of(Report report) { return Value{SharedReport(std::make_shared<const Report>(std::move(report)))}; }

using By = AccessBy;

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

// Also a word that there is not: it is refused with those that there are.
bool is_access_word(std::string_view parameter, std::string_view) { return parameter == "space" || parameter == "op"; }

// A copy by boxes is no access of lanes: what its rows touch of global memory is counted.
Result<Value> tma_access_call(const Call& call, const TmaValue& tma) {
  TESSERA_TRY(space_word, argument<std::optional<std::string>>(call, 3));
  const AccessSpace assumed = call[1].value->element.space == MemorySpace::smem ? AccessSpace::smem : AccessSpace::gmem;
  TESSERA_TRY(space, space_named(space_word, assumed));
  if (space == AccessSpace::smem) {
    return Error{ErrorCode::wrong_type,
                 "TMA writes shared memory a box at a time, by no lanes whose banks could conflict: there are no wavefronts to count",
                 {},
                 {"give the tensor in global memory, whose sectors are counted; find_smem_layout says which layouts TMA takes"}};
  }
  TESSERA_TRY(layout, argument<Layout>(call, 1));
  TESSERA_TRY(made, tma_access(tma.copy, layout));
  Report report;
  report.kind = "access";
  report.sentence = fmt::format("TMA: {} boxes of {} rows of {} bytes: {} sectors{}", made.boxes, made.rows, made.inner_bytes, made.sectors,
                                made.is_best() ? ", the least possible" : fmt::format(" where {} would do", made.least));
  const std::string swizzle = made.span == 16 ? "none" : fmt::format("{} B", made.span);
  report.facts = {{"instruction", tma.copy.atom.traits.name},
                  {"boxes", made.boxes},
                  {"rows", made.rows},
                  {"inner_bytes", made.inner_bytes},
                  {"swizzle", swizzle},
                  {"sectors", made.sectors},
                  {"least", made.least},
                  {"is_best", made.is_best()}};
  report.notes = {"shared memory is written a box at a time, by no lanes whose banks could conflict",
                  "the tensor begins at a multiple of 32 bytes"};
  report.columns = {"rows", "bytes", "behind a sector", "sectors", "least"};
  for (const TmaAccess::Row& row : made.alike) {
    if (report.rows.size() == kMostRows) break;
    report.rows.push_back({row.rows, row.bytes, row.behind, row.sectors, row.least});
  }
  return answer_of(std::move(report));
}

Result<Value> access_call(const Call& call) {
  if (const auto* tma = std::get_if<std::shared_ptr<const TmaValue>>(&call[0].value->any)) return tma_access_call(call, **tma);
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
  TESSERA_TRY(pattern, access_pattern(by, side, layout, bits, space));
  TESSERA_TRY(offsets, element_offsets(layout));
  const auto* part = std::get_if<Tensor>(&tensor.any);
  const std::int64_t behind = part && part->offset.is_int() ? part->offset.value() : 0;  // where the tensor begins behind its pointer
  for (std::int64_t& offset : offsets) offset += behind;
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
  if (!made.shared) report.facts.push_back({"lines", made.lines});
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

// What the words of a call say to serve.
struct Uses {
  IntTuple shape;
  std::vector<SmemUse> all;
  std::vector<SmemOperand> operands;  // of those that are read by a descriptor

  // An MMA reads by a descriptor; what it reads of registers is refused.
  Result<std::variant<By, SmemOperand>> read(const Value& value) const {
    if (!std::holds_alternative<MmaAtom>(value.any) && !std::holds_alternative<std::shared_ptr<const TiledMma>>(value.any)) {
      TESSERA_TRY(by, as_access(value));
      return std::variant<By, SmemOperand>(std::move(by));
    }
    TESSERA_TRY(mma, as_tiled_mma(value));
    TESSERA_TRY(tile, Layout::make_compact(shape));
    TESSERA_TRY(chosen, choose_operand(mma->atom(), tile));
    TESSERA_TRY(operand, smem_operand(mma->atom(), chosen.operand));
    return std::variant<By, SmemOperand>(operand);
  }

  Status add(const Call& call, std::size_t parameter, std::string_view name, CopySide side) {
    if (!call.has(parameter)) return Done{};
    const Value& value = *call[parameter].value;
    std::vector<Value> values{value};
    const auto* tuple = std::get_if<IntTuple>(&value.any);
    if (std::holds_alternative<std::shared_ptr<const ValueList>>(value.any) || (tuple && tuple->is_tuple())) {
      TESSERA_TRY(elements, elements_of(value));
      values = std::move(elements);
    }
    for (const Value& each : values) {
      auto made = read(each);
      if (!made) return argument_error(call, name, call[parameter], std::move(made).error());
      const std::string use = values.size() == 1 ? std::string(name) : fmt::format("{} {}", name, &each - values.data());
      if (const auto* operand = std::get_if<SmemOperand>(&*made)) {
        all.push_back({use, *operand, CopySide::source}), operands.push_back(*operand);
        continue;
      }
      By& by = std::get<By>(*made);
      const CopyKind kind = kind_of(by);
      const CopySide own = kind == CopyKind::universal ? side : side_in(kind, AccessSpace::smem);
      all.push_back({use, std::visit([](auto&& one) -> decltype(SmemUse::by) { return std::move(one); }, std::move(by)), own});
    }
    return Done{};
  }
};

// Elements and major of the operands, where the call does not say them.
Status agree(const std::vector<SmemOperand>& operands, std::optional<std::int64_t>& bits, std::optional<std::int64_t>& contiguous) {
  for (const SmemOperand& operand : operands) {
    if (!bits) bits = operand.bits;
    if (!contiguous) contiguous = operand.mn_major ? 0 : 1;
    if (*bits != operand.bits)
      return Error{
          ErrorCode::wrong_type, fmt::format("elements have {} bits, and those of an MMA that reads them {}", *bits, operand.bits), {}, {}};
    if (*contiguous != (operand.mn_major ? 0 : 1)) {
      return Error{
          ErrorCode::not_representable,
          fmt::format("mode {} is contiguous, and an MMA reads the tile along {}", *contiguous, operand.mn_major ? operand.mode : "K"),
          {},
          {fmt::format("contiguous={}, or its atom of the other major", operand.mn_major ? 0 : 1)}};
    }
  }
  return Done{};
}

std::string yes_or_no(const Taken& taken) { return taken.is_taken ? taken.how : "no: " + taken.how; }

// The table of the best layouts, and to compare with them the best padding and the tile as it is.
void add_layouts(const SmemSearch& search, const std::vector<SmemUse>& uses, std::size_t contiguous, std::int64_t bits, Report& report) {
  report.columns = {"layout"};
  const bool atoms = std::any_of(search.found.begin(), search.found.end(), [](const SmemCandidate& each) { return !each.atom.empty(); });
  if (atoms) report.columns.emplace_back("atom");
  for (const SmemUse& use : uses) report.columns.push_back(use.name);
  for (const char* column : {"all", "least", "bytes", "wgmma, UMMA", "TMA", "ldmatrix"}) report.columns.emplace_back(column);
  const auto add_row = [&](const SmemCandidate& each) {
    std::vector<Report::Cell> row{each.layout};
    if (atoms) row.emplace_back(each.atom);
    for (const std::int64_t units : each.units) row.push_back(units < 0 ? Report::Cell(each.descriptor) : Report::Cell(units));
    row.insert(row.end(), {each.all, each.least, each.bytes, each.descriptor.empty() ? "no: " + each.no_descriptor : each.descriptor,
                           yes_or_no(tma_takes(each.layout, contiguous, bits)), yes_or_no(ldmatrix_takes(each.layout, contiguous, bits))});
    report.rows.push_back(std::move(row));
  };
  bool padded = false, plain = false;
  for (const SmemCandidate& each : search.found) {
    const bool is_plain = std::holds_alternative<Layout>(each.layout);
    const bool is_tile = is_plain && each.atom.empty() && each.bytes * 8 == size(shape(each.layout)) * bits,
               is_padded = is_plain && each.atom.empty() && !is_tile;
    if (report.rows.size() < kMostLayouts || (is_padded && !padded) || (is_tile && !plain)) add_row(each);
    padded = padded || is_padded;
    plain = plain || is_tile;
  }
}

Result<Value> find_smem_layout_call(const Call& call) {
  Uses uses;
  TESSERA_TRY(tile, argument<IntTuple>(call, 0));
  uses.shape = tile;
  TESSERA_TRY(given_bits, argument<std::optional<std::int64_t>>(call, 1));
  TESSERA_TRY(given_contiguous, argument<std::optional<std::int64_t>>(call, 5));
  TESSERA_TRY(atoms, argument<std::optional<bool>>(call, 6));
  TESSERA_CHECK(uses.add(call, 2, "read", CopySide::source));
  TESSERA_CHECK(uses.add(call, 3, "write", CopySide::destination));
  TESSERA_CHECK(uses.add(call, 4, "more", CopySide::source));
  TESSERA_CHECK(agree(uses.operands, given_bits, given_contiguous));
  const std::int64_t bits = given_bits.value_or(kHalfBits), contiguous = given_contiguous.value_or(1);
  if (contiguous < 0 || contiguous > 1)
    return Error{ErrorCode::out_of_range, fmt::format("the contiguous mode is 0 or 1, not {}", contiguous), {}, {}};
  const auto mode = static_cast<std::size_t>(contiguous);
  TESSERA_TRY(search, find_smem_layout(tile, mode, bits, uses.all, atoms.value_or(false)));

  const SmemCandidate& best = search.found.front();
  const bool is_counted = uses.operands.size() < uses.all.size();
  Report report;
  report.kind = "find_smem_layout";
  report.picture = best.layout;
  report.sentence = to_string(best.layout) + ":";
  if (is_counted)
    report.sentence +=
        fmt::format(" {} wavefronts{},", best.all, best.is_best() ? ", the least possible" : fmt::format(" where {} would do", best.least));
  if (!uses.operands.empty()) report.sentence += fmt::format(" {} for {},", best.descriptor, uses.operands.front().umma ? "UMMA" : "wgmma");
  report.sentence += fmt::format(" {} bytes", best.bytes);
  std::int64_t free_of_conflicts = 0;
  for (const SmemCandidate& each : search.found) free_of_conflicts += each.is_best() ? 1 : 0;
  report.facts = {{"layout", best.layout},
                  {"wavefronts", best.all},
                  {"least", best.least},
                  {"bytes", best.bytes},
                  {"tried", search.tried},
                  {"refused", search.refused},
                  {"free_of_conflicts", free_of_conflicts}};
  if (!best.atom.empty()) report.facts.push_back({"atom", best.atom});
  if (!best.descriptor.empty()) report.facts.push_back({"layout_type", best.descriptor});
  if (is_counted)
    report.notes.push_back(fmt::format("{} of {} layouts are free of conflicts in every access; {} cannot serve one of them",
                                       free_of_conflicts, search.tried, search.refused));
  if (!uses.operands.empty()) {
    report.notes.push_back(
        fmt::format("what is read by a descriptor is not counted in wavefronts; {} of {} layouts are refused, the first: {}",
                    search.refused, search.tried, search.first_refusal));
  }
  add_layouts(search, uses.all, mode, bits, report);
  return answer_of(std::move(report));
}

// The evaluator takes sweep(...) before its expression is a value (sweep.cpp); here it was called as a value's method.
Result<Value> sweep_alone(const Call& call) {
  return Error{ErrorCode::wrong_arity, "sweep stands alone, before its expression", call.span(), {"sweep(x.size(), p=1..4)"}};
}

// So are the columns of table(...), whose names are the caller's (table.cpp).
Result<Value> table_alone(const Call& call) {
  return Error{ErrorCode::wrong_arity, "table stands alone, before its columns", call.span(), {"table(m=(64,128), us=(3.5,5.1))"}};
}

// clang-format off
constexpr Builtin kRows[] = {
  {"access", "access(copy, layout, bits=, space=, op=)",
   "what the hardware makes of a copy's instructions on a layout: wavefronts or sectors beside the least possible, and the first bank conflict",
   access_call, is_access_word},
  {"find_smem_layout", "find_smem_layout(shape, bits=, read=, write=, more=, contiguous=, atoms=)",
   "the swizzles and paddings of a tile, and for an MMA or atoms=true the canonical atoms, ranked by the wavefronts of what it serves", find_smem_layout_call},
  {"sweep", "sweep(expression, parameters...)",
   "the expression for each value of its parameters, p=32..56 or p=(8,16,32), with step= between those of a range", sweep_alone},
  {"table", "table(columns...)",
   "numbers that were measured elsewhere, as sweep answers them: table(m=(64,128), us=(3.5,5.1)), with parameters=2 over the first two; _ is none", table_alone},
};
// clang-format on

}  // namespace

std::span<const Builtin> advice_builtins() { return kRows; }

}  // namespace tessera
