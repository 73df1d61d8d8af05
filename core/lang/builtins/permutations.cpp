// SPDX-License-Identifier: BSD-3-Clause
// Builtins: the permutation of a tiled MMA that makes a thread's elements neighbours.
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/atom/advice/permutation_advice.hpp"
#include "core/atom/copy/print_atoms.hpp"
#include "core/lang/builtins/builtins.hpp"

#include <fmt/format.h>

namespace tessera {
namespace {

using SharedMma = std::shared_ptr<const TiledMma>;

constexpr std::int64_t kWidest = 128;  // bits of one access, where nothing says how many

Result<Operand> operand_named(const std::string& word) {
  if (word == "A" || word == "a") return Operand::a;
  if (word == "B" || word == "b") return Operand::b;
  return Error{
      ErrorCode::unknown_name, fmt::format("operands A and B are loaded, not \"{}\"", word), {}, {"C: permutation_for_store(mma)"}};
}

// Is the mode that memory has contiguous the operand's first one? C: (m, n), A: (m, k), B: (n, k).
Result<bool> is_first_mode(Operand operand, const std::optional<std::string>& major) {
  const std::string_view first = operand == Operand::b ? "n" : "m", second = operand == Operand::c ? "n" : "k";
  if (!major || *major == second) return false;
  if (*major == first) return true;
  return Error{
      ErrorCode::unknown_name, fmt::format("neighbours in memory lie along \"{}\" or \"{}\", not \"{}\"", second, first, *major), {}, {}};
}

bool is_word(std::string_view parameter, std::string_view word) {
  if (parameter == "operand") return word.size() == 1;  // also C, which is refused with those that there are
  return parameter == "major" && (word == "m" || word == "n" || word == "k");
}

std::string some(std::int64_t n, std::string_view what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

std::string sentence_of(const PermutationAdvice& made, const std::string& permutation, bool stores) {
  const std::string_view what = stores ? "store" : "load";
  if (!made.changed) return fmt::format("nothing to permute: {} values of a thread are neighbours as it is", made.after.neighbours);
  const std::string now = fmt::format("{} of {} a thread", some(made.after.instructions, what), some(made.after.neighbours, "value"));
  if (made.before.neighbours == made.after.neighbours) return fmt::format("{}: a wider tile is enough, in order: {}", permutation, now);
  return fmt::format("{}: {} instead of {} of {}; a warp touches {}, before {}", permutation, now, made.before.instructions,
                     made.before.neighbours, some(made.after.sectors, "sector"), made.before.sectors);
}

Report report_of(const PermutationAdvice& made, const PermutationWish& wish, std::string_view function) {
  const bool stores = wish.operand == Operand::c;
  const std::string permutation = to_string(made.mma.permutation_mnk());
  Report report;
  report.kind = function;
  report.picture = std::make_shared<const TiledMma>(made.mma);
  report.sentence = sentence_of(made, permutation, stores);
  report.facts = {{"permutation", permutation},
                  {"mma", print(made.mma, Spelling::tessera).value_or("")},
                  {"values", made.after.neighbours},
                  {"values_before", made.before.neighbours},
                  {"before", made.before.instructions},
                  {"after", made.after.instructions},
                  {"sectors_before", made.before.sectors},
                  {"sectors_after", made.after.sectors},
                  {"changed", made.changed}};
  report.columns = {"permutation", stores ? "stores of a thread" : "loads of a thread", "values each", "bits", "sectors of a warp"};
  const auto row = [&](std::string text, const TileAccess& access) {
    report.rows.push_back({std::move(text), access.instructions, access.neighbours, access.neighbours * wish.element_bits, access.sectors});
  };
  if (made.changed) row("in order", made.before);
  row(permutation, made.after);
  const auto [m, n, k] = made.mma.tile_mnk();
  report.notes = {fmt::format("of the tile {} x {} x {}, {}-bit elements; rows along {} are contiguous and begin at multiples of 32 bytes",
                              m, n, k, wish.element_bits, mode_name(made.mode)),
                  "checked: the values of every thread are neighbours, every element has an owner, and each of C just one"};
  if (made.before.neighbours * wish.element_bits < 8)
    report.notes.push_back("in order, values that share a byte belong to several threads");
  if (!made.changed) return report;
  if (made.mode == 2) {
    report.notes.push_back(
        "K is a sum, which any order gives: the tiled MMA permutes A and B alike, and so must copies that do without it");
    if (made.other_after > 0)
      report.notes.push_back(fmt::format("the same permutation makes {} values of {} neighbours along K", made.other_after,
                                         wish.operand == Operand::a ? "B" : "A"));
  } else {
    report.notes.push_back(fmt::format("{} and C are permuted alike along {}: make_tiled_copy_{} of this MMA follows it",
                                       made.mode == 0 ? "A" : "B", mode_name(made.mode), made.mode == 0 ? "A" : "B"));
  }
  return report;
}

Result<Value> answer(const Call& call, const TiledMma& mma, const PermutationWish& wish) {
  Result<PermutationAdvice> made = permutation_for(mma, wish);
  if (!made) return std::move(std::move(made).error()).at(call.span());
  return Value{std::make_shared<const Report>(
      report_of(*made, wish, wish.operand == Operand::c ? "permutation_for_store" : "permutation_for_load"))};
}

Result<Value> store_call(const Call& call) {
  TESSERA_TRY(mma, argument<SharedMma>(call, 0));
  TESSERA_TRY(type, argument<std::optional<ValueType>>(call, 1));
  TESSERA_TRY(bits_wanted, argument<std::optional<std::int64_t>>(call, 2));
  TESSERA_TRY(major, argument<std::optional<std::string>>(call, 3));
  TESSERA_TRY(first, is_first_mode(Operand::c, major));
  return answer(call, *mma, {Operand::c, first, bits(type.value_or(ValueType::f16)), bits_wanted.value_or(kWidest)});
}

Result<Value> load_call(const Call& call) {
  TESSERA_TRY(mma, argument<SharedMma>(call, 0));
  TESSERA_TRY(word, argument<std::string>(call, 1));
  TESSERA_TRY(type, argument<std::optional<ValueType>>(call, 2));
  TESSERA_TRY(bits_wanted, argument<std::optional<std::int64_t>>(call, 3));
  TESSERA_TRY(major, argument<std::optional<std::string>>(call, 4));
  TESSERA_TRY(operand, operand_named(word));
  TESSERA_TRY(first, is_first_mode(operand, major));
  const ValueType own = operand == Operand::a ? mma->atom().val_a : mma->atom().val_b;
  return answer(call, *mma, {operand, first, bits(type.value_or(own)), bits_wanted.value_or(kWidest)});
}

// clang-format off
constexpr Builtin kRows[] = {
  {"permutation_for_store", "permutation_for_store(mma, type=, bits=, major=)",
   "the PermutationMNK that makes a thread's values of C neighbours along N (major=m: along M), so that stores of `bits` bits, 128 where "
   "nothing is said, take them; type: of the stored elements, half_t where nothing is said", store_call, is_word},
  {"permutation_for_load", "permutation_for_load(mma, operand, type=, bits=, major=)",
   "the PermutationMNK that makes a thread's values of operand A or B neighbours along K (major=m, major=n: along M, N), so that loads of "
   "`bits` bits take them; type: of the elements in memory, the atom's where nothing is said", load_call, is_word},
};
// clang-format on

}  // namespace

std::span<const Builtin> permutation_builtins() { return kRows; }

}  // namespace tessera
