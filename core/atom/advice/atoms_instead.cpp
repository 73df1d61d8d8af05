// SPDX-License-Identifier: BSD-3-Clause
// Walks the instructions that later architectures keep, and ranks them by type, sums and size.
#include "core/atom/advice/atoms_instead.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "core/atom/instructions/catalog.hpp"
#include "core/atom/instructions/mma_families.hpp"

namespace tessera {
namespace {

// Of the catalogue, what can take another's place.
const std::vector<MmaAtom>& candidates() {
  static const std::vector<MmaAtom> found = [] {
    std::vector<std::string> names;
    list_simt_atoms(names);
    for (const int sm : {70, 75, 80, 89, 90}) list_sync_atoms(names, sm);
    std::vector<MmaAtom> atoms;
    for (const std::string& name : names) {
      const Result<MmaAtom> atom = find_mma_atom(name);
      if (!atom || atom->val_a != atom->val_b || atom->val_c != atom->val_d || atom->sparse) continue;
      const bool fma = atom->kind == MmaKind::fma && (atom->val_a == ValueType::f32 || atom->val_a == ValueType::f64);
      if (fma || atom->kind == MmaKind::mma_sync) atoms.push_back(*atom);
    }
    return atoms;
  }();
  return found;
}

// Types that hold what `type` holds, the nearest first.
std::vector<ValueType> types_near(ValueType type) {
  switch (type) {
    case ValueType::tf32: return {type, ValueType::f32};
    case ValueType::f16:
    case ValueType::f32:
    case ValueType::f64:
    case ValueType::i8:
    case ValueType::i32: return {type, ValueType::f32};
    case ValueType::c64: return {type, ValueType::f64};
    case ValueType::u8: return {type, ValueType::i8, ValueType::f32};
    default: return {type, ValueType::f16, ValueType::f32};
  }
}

}  // namespace

std::vector<AtomInstead> atoms_instead(const MmaAtom& atom) {
  const std::vector<ValueType> types = types_near(atom.val_a);
  // Lower is better: the type, then the type of the sums, then the architecture and the size of what one instruction multiplies.
  const auto rank = [&](const MmaAtom& other) {
    const auto type = std::find(types.begin(), types.end(), other.val_a) - types.begin();
    return std::tuple(type, other.val_c != atom.val_c, other.name.ends_with("_SATURATE"), -other.arch.sm, -size(other.shape_mnk),
                      !other.name.ends_with("_TN"), other.name);
  };
  std::vector<AtomInstead> found;
  for (const int sm : {0, 70, 75, 80, 89, 90}) {
    const MmaAtom* best = nullptr;
    for (const MmaAtom& other : candidates()) {
      if (other.arch.sm > sm || other.arch.suffix != 0 || other.name == atom.name) continue;
      if (std::find(types.begin(), types.end(), other.val_a) == types.end()) continue;
      if (best == nullptr || rank(other) < rank(*best)) best = &other;
    }
    if (best != nullptr && (found.empty() || found.back().name != best->name)) found.push_back({sm, best->name, best->val_a});
  }
  return found;
}

}  // namespace tessera
