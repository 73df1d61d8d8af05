// SPDX-License-Identifier: BSD-3-Clause
// Builtins: what a tiled copy does to a tile, and a better one.
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>

#include "core/atom/advice/find_copy.hpp"
#include "core/lang/builtins/builtins.hpp"

#include <fmt/format.h>

namespace tessera {
namespace {

using SharedCopy = std::shared_ptr<const TiledCopy>;

Result<TiledCopy> copy_of(const Value& value) {
  if (std::holds_alternative<std::shared_ptr<const TmaValue>>(value.any))
    return Error{ErrorCode::wrong_type,
                 "a TMA copy is one thread's: the descriptor's box says what it takes, and no thread's accesses can be looked at",
                 {},
                 {"make_tma_copy checks the box; find_smem_layout names the swizzles that TMA has"}};
  if (const auto* part = std::get_if<ThrCopy>(&value.any)) return *part->copy;
  TESSERA_TRY(copy, as_tiled_copy(value));
  return *copy;
}

bool is_matrix_load(CopyKind kind) { return kind == CopyKind::ldmatrix || kind == CopyKind::ldmatrix_trans; }
bool is_matrix_store(CopyKind kind) { return kind == CopyKind::stmatrix || kind == CopyKind::stmatrix_trans; }

// Where a side lies if nobody says: a universal copy from global to shared memory, the others where their instruction has it.
std::optional<AccessSpace> assumed_space(CopyKind kind, CopySide side) {
  if ((is_matrix_load(kind) && side == CopySide::destination) || (is_matrix_store(kind) && side == CopySide::source)) return std::nullopt;
  if (const auto only = space_of(kind, side)) return only;
  return side == CopySide::source ? AccessSpace::gmem : AccessSpace::smem;
}

std::string_view space_name(const std::optional<AccessSpace>& space) {
  return !space ? "registers" : *space == AccessSpace::smem ? "shared" : "global";
}

Result<std::optional<AccessSpace>> space_named(const std::string& word) {
  if (word == "smem") return std::optional(AccessSpace::smem);
  if (word == "gmem") return std::optional(AccessSpace::gmem);
  if (word == "rmem") return std::optional<AccessSpace>();
  return Error{ErrorCode::unknown_name, fmt::format("the memory is gmem, smem or rmem, not \"{}\"", word), {}, {}};
}

// Also a word that there is not: it is refused with those that there are.
bool is_space_word(std::string_view parameter, std::string_view) { return parameter.ends_with("_space"); }

// Argument `tensor` of the call; `space` is the argument that names its memory.
Result<CopyTile> tile_of(const Call& call, std::size_t tensor, std::size_t space, CopyKind kind, CopySide side) {
  TESSERA_TRY(layout, argument<AnyLayout>(call, tensor));
  TESSERA_TRY(word, argument<std::optional<std::string>>(call, space));
  const Value& value = *call[tensor].value;
  CopyTile made{std::move(layout), assumed_space(kind, side), 0};
  const auto only = space_of(kind, side);
  const MemorySpace said = value.element.space;
  if (said == MemorySpace::gmem) made.space = AccessSpace::gmem;
  if (said == MemorySpace::smem) made.space = AccessSpace::smem;
  if (said == MemorySpace::rmem) made.space.reset();
  if (word) {
    TESSERA_TRY(named, space_named(*word));
    made.space = named;
  }
  const bool has_registers = !assumed_space(kind, side).has_value();
  if ((only && !has_registers && made.space != only) || (has_registers && made.space))
    return Error{ErrorCode::wrong_type,
                 fmt::format("{} has its {} in {}, not in {}", to_string(kind), side == CopySide::source ? "source" : "destination",
                             has_registers ? "registers" : fmt::format("{} memory", space_name(only)),
                             made.space ? fmt::format("{} memory", space_name(made.space)) : "registers"),
                 call[tensor].span,
                 {}};
  if (const auto* part = std::get_if<Tensor>(&value.any); part && part->offset.is_int()) made.offset = part->offset.value();
  return made;
}

Result<std::int64_t> bits_of(const Call& call, const TiledCopy& copy) {
  TESSERA_TRY(given, argument<std::optional<std::int64_t>>(call, 3));
  const std::int64_t s = call[1].value->element.bits, d = call[2].value->element.bits, own = bits(copy.atom().value_type);
  if (s != 0 && d != 0 && s != d)
    return Error{ErrorCode::wrong_type,
                 fmt::format("the source has elements of {} bits and the destination of {}: a copy moves them as they are", s, d),
                 {},
                 {}};
  const std::int64_t made = given ? *given : s != 0 ? s : d != 0 ? d : own;
  if (made < 1) return Error{ErrorCode::wrong_type, "the width of the elements is not known", {}, {"say it, as in bits=16"}};
  if (own > 0 && made != own)
    return Error{
        ErrorCode::wrong_type,
        fmt::format("the elements have {} bits, and the copy counts its values in {} of {}", made, cute_name(copy.atom().value_type), own),
        {},
        {fmt::format("make the copy of values of {} bits: the second argument of Copy_Atom", made)}};
  return made;
}

std::string units_text(const CopyCheck& check) {
  std::string made;
  for (const auto& [side, name] : {std::pair{&check.source, "source"}, {&check.destination, "destination"}}) {
    const std::string_view plus = made.empty() ? "" : " + ";
    if (!side->refused.empty()) made += fmt::format("{}no possible access of the {}", plus, name);
    if (!side->access) continue;
    const std::int64_t n = side->access->units;
    made += fmt::format("{}{} {}{}", plus, n, side->access->shared ? "wavefront" : "sector", n == 1 ? "" : "s");
  }
  if (check.instructions == 0) return made;
  return fmt::format("{} in {} instruction{}", made, check.instructions, check.instructions == 1 ? "" : "s");
}

std::string search_text(const CopySearch& search, const CopyCheck& now) {
  if (search.better)
    return fmt::format("{}: {}: {}{}", now.is_sound() ? "better" : "one that does, as wide as its instruction says", search.better->text,
                       units_text(search.better->check), search.least ? ", and no copy takes less" : "");
  if (search.least && now.is_sound()) return "no copy takes less";
  if (search.tried == 0) return "no other copy was tried";
  return fmt::format("no better one among {} tried", search.tried);
}

void add_side_facts(Report& report, const CopySideCheck& side, bool source) {
  if (!side.access) return;
  Report::Cell alignment = side.alignment / 8;
  if (side.alignment % 8 != 0) alignment = static_cast<double>(side.alignment) / 8;
  report.facts.push_back({source ? "src_instruction" : "dst_instruction", side.access->instruction});
  report.facts.push_back({source ? "src_alignment" : "dst_alignment", alignment});
  report.facts.push_back({source ? "src_neighbours" : "dst_neighbours", side.neighbours});
  if (side.access->shared)
    report.facts.push_back({source ? "src_wavefronts" : "dst_wavefronts", side.access->units});
  else
    report.facts.push_back({source ? "src_sectors" : "dst_sectors", side.access->units});
  report.facts.push_back({source ? "src_least" : "dst_least", side.access->least});
}

void add_rows(Report& report, std::string_view which, const CopyCheck& check, const CopyTile& source, const CopyTile& destination) {
  for (const auto& [side, tile, name] : {std::tuple{&check.source, &source, "source"}, {&check.destination, &destination, "destination"}}) {
    if (!side->access) continue;
    const std::string alignment =
        side->alignment % 8 == 0 ? fmt::format("{} B", side->alignment / 8) : fmt::format("{} bits", side->alignment);
    report.rows.push_back({std::string(which), name, std::string(space_name(tile->space)), side->access->instruction, alignment,
                           side->neighbours, side->access->instructions, side->access->units, side->access->least});
  }
}

void add_notes(Report& report, const CopyCheck& check, const CopySearch& search) {
  for (const auto& [side, name] : {std::pair{&check.source, "source"}, {&check.destination, "destination"}}) {
    if (!side->refused.empty()) report.notes.push_back(fmt::format("{}: {}", name, side->refused));
    if (side->narrowed) report.notes.push_back(fmt::format("{}: not as wide as the instruction: {}", name, side->why_narrowed));
    if (side->joined > 0)
      report.notes.push_back(fmt::format(
          "{}: CuTe takes {} value{} at once, and the compiler joins them where it knows the memory to be aligned to 16 bytes; it "
          "leaves some apart behind a swizzle",
          name, side->joined, side->joined == 1 ? "" : "s"));
    if (side->access && !side->access->conflict.empty()) report.notes.push_back(fmt::format("{}: {}", name, side->access->conflict));
  }
  if (!check.limit.empty())
    report.notes.push_back(fmt::format("{} value{} at once: {}", check.vector, check.vector == 1 ? "" : "s", check.limit));
  if (check.common && *check.common != check.vector && !check.limit.empty())
    report.notes.push_back(fmt::format("CuTe's max_common_vector of thread 0's parts is {}, whatever their alignment", *check.common));
  if (!check.no_partition.empty()) report.notes.push_back("thread 0's part cannot be cut, " + check.no_partition);
  if (!check.collision.empty()) report.notes.push_back(check.collision);
  if (check.to_registers && check.coverage.repeated > 0)
    report.notes.push_back("registers of several threads may hold one element: threads that share a row or a column of an operand do");
  if (check.coverage.outside > 0) report.notes.push_back("what lies outside is counted as left out by a predicate");
  if (!search.stopped.empty()) report.notes.push_back(search.stopped);
  report.notes.push_back("both tensors are taken to begin at multiples of 128 bytes; alignment is looked at up to 16 bytes");
}

Report report_of(const CopyCheck& check, const CopySearch& search, const CopyTile& source, const CopyTile& destination, std::int64_t bits) {
  Report report;
  report.kind = "check_copy";
  report.sentence =
      fmt::format("{}; {}; {}", describe(check.coverage, shape(source.layout)), units_text(check), search_text(search, check));
  const CopyCoverage& coverage = check.coverage;
  report.facts = {{"complete", coverage.complete()},
                  {"missed", coverage.missed},
                  {"repeated", coverage.repeated},
                  {"outside", coverage.outside},
                  {"vector", check.vector},
                  {"vector_bits", check.vector * bits},
                  {"instructions", check.instructions},
                  {"units", check.units},
                  {"least", check.least},
                  {"tried", search.tried}};
  if (!check.limit.empty()) report.facts.push_back({"limit", check.limit});
  if (check.common) report.facts.push_back({"max_common_vector", *check.common});
  add_side_facts(report, check.source, true);
  add_side_facts(report, check.destination, false);
  report.columns = {"copy", "side", "memory", "instruction", "alignment", "neighbours", "instructions", "units", "least"};
  add_rows(report, "this", check, source, destination);
  if (search.better) {
    report.picture = std::make_shared<const TiledCopy>(search.better->copy);
    report.facts.push_back({"better", search.better->text});
    report.facts.push_back({"better_units", search.better->check.units});
    report.facts.push_back({"better_instructions", search.better->check.instructions});
    add_rows(report, "better", search.better->check, source, destination);
  }
  add_notes(report, check, search);
  return report;
}

Result<Value> check_copy_call(const Call& call) {
  Result<TiledCopy> copy = copy_of(*call[0].value);
  if (!copy) return argument_error(call, call.names[0], call[0], std::move(copy).error());
  const CopyKind kind = copy->atom().traits.kind;
  TESSERA_TRY(source, tile_of(call, 1, 4, kind, CopySide::source));
  TESSERA_TRY(destination, tile_of(call, 2, 5, kind, CopySide::destination));
  TESSERA_TRY(bits, bits_of(call, *copy));
  if (!source.space && !destination.space)
    return Error{ErrorCode::wrong_type, "neither side of the copy lies in memory: there is no access to look at", {}, {}};
  TESSERA_TRY(check, check_copy(*copy, source, destination, bits));
  TESSERA_TRY(search, find_copy(*copy, check, source, destination, bits));
  return Value{std::make_shared<const Report>(report_of(check, search, source, destination, bits))};
}

// clang-format off
constexpr Builtin kRows[] = {
  {"check_copy", "check_copy(copy, src, dst, bits=, src_space=, dst_space=)",
   "whether a tiled copy takes every element of a tile once, its accesses on both sides (alignment, width and what limits it, sectors, "
   "wavefronts), and a better copy where the search finds one; memory: gmem, smem, rmem", check_copy_call, is_space_word},
};
// clang-format on

}  // namespace

std::span<const Builtin> copy_advice_builtins() { return kRows; }

}  // namespace tessera
