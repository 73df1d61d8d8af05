// SPDX-License-Identifier: BSD-3-Clause
// Advisor: a tile in memory and the MMAs that read it.
#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "app/session/advice/advisor.hpp"
#include "app/session/advice/binding_names.hpp"
#include "core/atom/smem/smem_descriptor.hpp"
#include "core/lang/programs/effects.hpp"
#include "core/lang/values/convert.hpp"
#include "core/layout/inspect.hpp"

namespace tessera {

namespace advising {

// By which descriptor do the MMAs read it that the source partitions it with, and of the others those around it whose operand its name
// says? In a document a tile without such a name is wrong where no operand can be read so.
bool Advisor::look_at_descriptors(const Tile& tile) {
  bool any = false;
  for (const AdvisedBinding& each : bindings_) {
    const auto* mma = each.value ? std::get_if<SharedMma>(&each.value->any) : nullptr;
    if (!mma) continue;
    for (const char letter : operands_of(tile, each, **mma)) any = read_by(tile, each, **mma, letter) || any;
  }
  return any;
}

std::string Advisor::operands_of(const Tile& tile, const AdvisedBinding& binding, const TiledMma& mma) const {
  for (const Used& used : used_) {
    if (used.mma == &mma && used.tile.binding == tile.binding) return used.part == 'A' ? "a" : used.part == 'B' ? "b" : "";
  }
  if (partitioning_mmas_.count(&mma) > 0 || partitioned_.count(tile.binding) > 0 || !see_each_other(binding, *tile.binding)) return "";
  const char letter = operand_of(tile.binding->name);
  if (letter == 'a' || letter == 'b') return std::string(1, letter);
  if (letter == 'c' || is_source_) return "";
  const auto reads = [&](Operand which) {
    const Result<SmemOperand> operand = smem_operand(mma.atom(), which);
    return operand && smem_descriptor(*operand, tile.layout);
  };
  return !reads(Operand::a) && reads(Operand::b) ? "b" : "a";
}

bool Advisor::read_by(const Tile& tile, const AdvisedBinding& mma, const TiledMma& tiled, char letter) {
  const Operand which = letter == 'b' ? Operand::b : Operand::a;
  const Result<SmemOperand> operand = smem_operand(tiled.atom(), which);
  if (!operand || (tile.bits != 0 && tile.bits != operand->bits)) return false;
  const Result<SmemDescription> found = smem_descriptor(*operand, tile.layout);
  if (!found && found.error().code != ErrorCode::not_representable) return false;
  const Guesses guesses = both(tile.guesses, mma.guesses);
  const Result<SliceAndOffset> cut = tiled.partition(which, tile.layout, 0, Law::as_cute);
  if (found && !cut) {
    add(Advice::Weight::wrong, 1, *tile.binding,
        fmt::format("{} on {}: CuTe cannot cut it into its parts of {}: {}", mma.name, tile.binding->name,
                    static_cast<char>(letter - 'a' + 'A'), cut.error().message),
        cut.error().notes.empty() ? "" : cut.error().notes.front(), guesses);
  } else if (found) {
    made_.fine.push_back({fmt::format("{} for {}: {}, stride {} bytes", tile.binding->name, mma.name,
                                      layout_type_name(found->descriptor.swizzle, operand->umma), 16 * found->descriptor.stride),
                          guesses});
  } else {
    add(Advice::Weight::wrong, 1, *tile.binding, fmt::format("{} cannot read it: {}", mma.name, found.error().message),
        found.error().notes.empty() ? "" : found.error().notes.back(), guesses);
  }
  return true;
}

void Advisor::look_at_tile(const Tile& tile) {
  if (tile.space == AccessSpace::gmem) {
    for (const Copy& copy : copies_) {
      if (speak_names(tile, copy)) hold_against(tile, copy, side_by_names(tile, copy));
    }
    return;
  }
  if (const auto pair = aliasing_pair(tile.whole); pair && *pair && !broadcast_mode(tile.whole)) {
    add(Advice::Weight::wrong, 1, *tile.binding,
        fmt::format("two elements lie at one place: {} and {} both at {}", to_string((*pair)->first_coord),
                    to_string((*pair)->second_coord), to_string((*pair)->index)),
        "give each mode a stride of at least the extent of those inside it", tile.guesses);
    return;
  }
  const bool described = look_at_descriptors(tile);
  std::set<std::string> seen;
  for (const Copy& copy : copies_) {
    if (seen.count(copy.text) > 0 || !speak_names(tile, copy)) continue;
    if (hold_against(tile, copy, side_by_names(tile, copy))) seen.insert(copy.text);
  }
  if (described || !seen.empty() || partitioned_.count(tile.binding) > 0) return;
  if (operand_of(tile.binding->name) == 'c' || !tensor_cores_read(tile) || is_of_a_gemm(tile)) return;
  Value alone = to_value(tile.layout);
  alone.element = tile.binding->value->element;
  for (std::string& remark : remarks_on("sTile", alone)) add(Advice::Weight::slow, 1, *tile.binding, std::move(remark), {}, tile.guesses);
}

// Where no line partitions anything with the copy, nor the tile by another one: do their names, or their being alone, say that they
// belong together?
bool Advisor::speak_names(const Tile& tile, const Copy& copy) const {
  if (partitioning_.count(&copy) > 0 || partitioned_.count(tile.binding) > 0) return false;
  const char of_copy = operand_of(copy.binding->name), of_tile = operand_of(tile.binding->name);
  if (of_copy != of_tile && of_copy != '\0' && of_tile != '\0') return false;
  if (!see_each_other(*copy.binding, *tile.binding)) return false;
  if (!is_source_) return true;
  // A copy that is called an atom, tiled_copy_C_atom, is never used itself: other copies are made of it.
  if (copy.binding->name.find("atom") != std::string::npos || copy.binding->name.find("Atom") != std::string::npos) return false;
  const bool alone = std::all_of(copies_.begin(), copies_.end(),
                                 [&](const Copy& each) { return !see_each_other(*each.binding, *tile.binding) || each.text == copy.text; });
  return alone || (of_copy == of_tile && of_copy != '\0');
}

// An ordinary copy fills shared memory where nothing says that it reads there.
CopySide Advisor::side_by_names(const Tile& tile, const Copy& copy) {
  const CopyKind kind = copy.copy->atom().traits.kind;
  if (kind != CopyKind::universal) return side_in(kind, tile.space);
  const bool fills = tile.space == AccessSpace::smem || operand_of(tile.binding->name) == 'c';
  return fills ? CopySide::destination : CopySide::source;
}

// Is there an MMA in its blocks that ldmatrix may feed?
bool Advisor::tensor_cores_read(const Tile& tile) const {
  return std::any_of(bindings_.begin(), bindings_.end(), [&](const AdvisedBinding& each) {
    const auto* mma = each.value ? std::get_if<std::shared_ptr<const TiledMma>>(&each.value->any) : nullptr;
    return mma && (*mma)->atom().kind == MmaKind::mma_sync && see_each_other(each, *tile.binding);
  });
}

// The GEMM's own accesses say more.
bool Advisor::is_of_a_gemm(const Tile& tile) const {
  return std::any_of(bindings_.begin(), bindings_.end(), [&](const AdvisedBinding& each) {
    const auto* gemm = each.value ? std::get_if<SharedGemm>(&each.value->any) : nullptr;
    if (!gemm) return false;
    const auto is_it = [&](const std::optional<AnyLayout>& of) { return of && to_string(*of) == to_string(tile.layout); };
    return is_it((*gemm)->sA) || is_it((*gemm)->sB);
  });
}

}  // namespace advising

}  // namespace tessera
