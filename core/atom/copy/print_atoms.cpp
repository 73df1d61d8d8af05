// SPDX-License-Identifier: BSD-3-Clause
// Atoms and tiled objects in the spellings of other tools.
#include "core/atom/copy/print_atoms.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/atom/instructions/dsl_ops.hpp"

namespace tessera {
namespace {

Result<std::string> known_to_the_dsl(std::optional<std::string> text, std::string_view name) {
  if (text) return *std::move(text);
  return Error{
      ErrorCode::not_representable, fmt::format("no name of {} in the CuTe DSL is known", name), {}, {"print_cpp spells it in C++"}};
}

bool is_one_underscore_each(const Tiler& tiler) {
  const auto* modes = std::get_if<std::vector<Tiler>>(&tiler.value);
  if (!modes) return std::holds_alternative<Underscore>(tiler.value);
  for (const Tiler& mode : *modes) {
    if (!is_one_underscore_each(mode)) return false;
  }
  return true;
}

}  // namespace

Result<std::string> print(const MmaAtom& atom, Spelling spelling) {
  switch (spelling) {
    case Spelling::tessera: return atom.name;
    case Spelling::cute_print:
      return fmt::format("MMA_Atom\n  ThrID:      {}\n  Shape_MNK:  {}\n  LayoutA_TV: {}\n  LayoutB_TV: {}\n  LayoutC_TV: {}",
                         print(atom.thr_id, spelling), print(atom.shape_mnk, spelling), print(atom.layout_a, spelling),
                         print(atom.layout_b, spelling), print(atom.layout_c, spelling));
    case Spelling::cute_cpp: return fmt::format("MMA_Atom<{}>", atom.name);
    case Spelling::cute_dsl: return known_to_the_dsl(dsl_text(atom), atom.name);
  }
  return std::string();
}

Result<std::string> print(const CopyAtom& atom, Spelling spelling) {
  switch (spelling) {
    case Spelling::tessera: return fmt::format("Copy_Atom<{}, {}>", atom.traits.name, cute_name(atom.value_type));
    case Spelling::cute_print:
      return fmt::format("Copy_Atom\n  ThrID:        {}\n  ValLayoutSrc: {}\n  ValLayoutDst: {}\n  ValLayoutRef: {}\n  ValueType:    {}b",
                         print(atom.traits.thr_id, spelling), print(atom.val_layout_src, spelling), print(atom.val_layout_dst, spelling),
                         print(atom.val_layout_ref, spelling), bits(atom.value_type));
    case Spelling::cute_cpp: return fmt::format("Copy_Atom<{},{}>", atom.traits.name, cute_name(atom.value_type));
    case Spelling::cute_dsl: return known_to_the_dsl(dsl_text(atom), fmt::format("{} of {}", atom.traits.name, cute_name(atom.value_type)));
  }
  return std::string();
}

Result<std::string> print(const TiledMma& mma, Spelling spelling) {
  TESSERA_TRY(atom, print(mma.atom(), spelling));
  const std::string atoms = print(mma.atom_layout_mnk(), spelling), permutation = print(mma.permutation_mnk(), spelling);
  switch (spelling) {
    case Spelling::tessera: return fmt::format("make_tiled_mma({}, {}, {})", atom, atoms, permutation);
    case Spelling::cute_print:
      return fmt::format("TiledMMA\n  ThrLayoutVMNK:  {}\n  PermutationMNK: {}\n{}", print(mma.thr_layout_vmnk(), spelling), permutation,
                         atom);
    case Spelling::cute_cpp: return fmt::format("TiledMMA<{},{},{}>", atom, atoms, permutation);
    case Spelling::cute_dsl:
      if (is_one_underscore_each(mma.permutation_mnk())) return fmt::format("cute.make_tiled_mma({}, {})", atom, atoms);
      return fmt::format("cute.make_tiled_mma({}, {}, permutation_mnk={})", atom, atoms, permutation);
  }
  return std::string();
}

Result<std::string> print(const TiledCopy& copy, Spelling spelling) {
  TESSERA_TRY(atom, print(copy.atom(), spelling));
  const std::string layout_tv = print(copy.layout_tv(), spelling), tiler = print(copy.tiler_mn(), spelling);
  switch (spelling) {
    case Spelling::tessera: return fmt::format("make_tiled_copy_impl({}, {}, {})", atom, layout_tv, tiler);
    case Spelling::cute_print: return fmt::format("TiledCopy\n  Tiler_MN:       {}\n  TiledLayout_TV: {}\n{}", tiler, layout_tv, atom);
    case Spelling::cute_cpp: return fmt::format("TiledCopy<{},{},{}>", atom, layout_tv, tiler);
    case Spelling::cute_dsl: return fmt::format("cute.make_tiled_copy({}, {}, {})", atom, layout_tv, tiler);
  }
  return std::string();
}

}  // namespace tessera
