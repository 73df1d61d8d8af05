// SPDX-License-Identifier: BSD-3-Clause
// For every atom of the catalogue a kernel of one tile, of wgmma two, where one can be written: what the emitter claims, instruction by
// instruction.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/atom/instructions/catalog.hpp"
#include "core/gemm/lower/lower.hpp"
#include "kernels/codegen/emit_gemm.hpp"

namespace tessera::support {

// Nothing: no kernel is written for that atom.
inline std::optional<KernelSource> smallest_kernel(const std::string& name) {
  const auto atom = find_mma_atom(name);
  if (!atom || !atom->arch.gfx.empty() || atom->sparse) return std::nullopt;
  const auto mma = TiledMma::make(*atom, Layout(), Underscore{});
  if (!mma) return std::nullopt;
  GemmSpec spec;
  spec.name = name;
  spec.mma = *mma;
  spec.m = shape_extent(*atom, 0), spec.n = shape_extent(*atom, 1), spec.k = shape_extent(*atom, 2);
  spec.type_c = atom->val_c;
  if (atom->kind == MmaKind::wgmma) {
    spec.k = 64, spec.stages = 2, spec.type_c = atom->val_a;
    spec.cta_tiler = IntTuple::tuple({spec.m, spec.n, spec.k});
    spec.m *= 2;
  }
  const auto plan = lower(spec);
  if (!plan) return std::nullopt;
  auto source = emit_gemm(*plan);
  if (!source) return std::nullopt;
  return *std::move(source);
}

struct AtomKernel {
  MmaAtom atom;
  KernelSource source;
};

// Walked once in a process.
inline const std::vector<AtomKernel>& atom_kernels() {
  static const std::vector<AtomKernel> kernels = [] {
    std::vector<AtomKernel> found;
    for (const std::string& name : mma_atom_names()) {
      if (auto source = smallest_kernel(name)) found.push_back({find_mma_atom(name).value(), *std::move(source)});
    }
    return found;
  }();
  return kernels;
}

}  // namespace tessera::support
