// SPDX-License-Identifier: BSD-3-Clause
// Fragments of nvcuda::wmma. A warp loads, multiplies and stores them as a whole, and nobody knows which of its threads holds what: so a
// fragment is loaded from a patch of shared memory, and the sums go through one of the warp's own, from which each thread reads its values.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/gemm/lower/steps.hpp"
#include "core/layout/algebra.hpp"

namespace tessera::lowering {

namespace {

constexpr std::int64_t kWarp = 32;             // threads
constexpr std::int64_t kPatchAlignment = 32;   // bytes: of a pointer that load_matrix_sync and store_matrix_sync take
constexpr std::int64_t kDistanceOfRows = 16;   // bytes: rows are a multiple of it apart
constexpr std::int64_t kColumnsOfNothing = 8;  // elements behind each row of sums, so that threads read them from all banks

// What one fragment covers: (row, column) -> element from the first; the first of every warp and atom.
struct Patch {
  std::int64_t rows = 0, columns = 0;
  std::int64_t row_stride = 0, column_stride = 0;
};

// The other spelling of the atom, for an operand that lies the other way.
std::string turned(std::string name, Operand operand) {
  char& letter = name[name.size() - (operand == Operand::a ? 2 : 1)];
  letter = letter == 'T' ? 'N' : 'T';
  return name;
}

Error no_patch(const Draft& plan, Operand operand, const SmemTensor& smem, std::string_view why) {
  const MmaAtom& atom = plan.mma->atom();
  return refuse(
      ErrorCode::bad_spec,
      fmt::format("{} loads patches of {} x {} elements from {} = {}, {}", atom.name, 16, 16, smem.name, to_string(smem.layout), why),
      fmt::format("rows along {}, {} bytes or a multiple apart, in {}; or {}",
                  (operand == Operand::a ? atom.mn_major_a : atom.mn_major_b) ? (operand == Operand::a ? "M" : "N") : "K", kDistanceOfRows,
                  smem.name, turned(atom.name, operand)));
}

// (thr, val) -> (row, column) of the atom's operand, seen through what its first warp finds of the first atom.
Patch patch_of(const Layout& held, const Layout& found, std::int64_t rows, std::int64_t columns) {
  std::vector<std::int64_t> place(static_cast<std::size_t>(rows * columns));
  for (std::int64_t t = 0; t < kWarp; ++t) {
    for (std::int64_t v = 0; v < held[1].size(); ++v) place[static_cast<std::size_t>(held(t, v))] = found(t, v);
  }
  return {rows, columns, place[1] - place[0], place[static_cast<std::size_t>(rows)] - place[0]};
}

}  // namespace

Result<SmemToRmemStep> warp_loads(const Draft& plan, Operand operand, const SmemTensor& smem) {
  const MmaAtom& atom = plan.mma->atom();
  const AnyLayout& source = plan.consumed[static_cast<std::size_t>(operand)];  // (thr, (val, MMA_M, MMA_K))
  if (std::holds_alternative<ComposedLayout>(source)) return no_patch(plan, operand, smem, "whose rows a swizzle tears apart");
  const Layout& found = plain_part(source);
  const Layout& held = operand == Operand::a ? atom.layout_a : atom.layout_b;  // (thr, val) -> (row, k)
  const std::int64_t rows = shape_extent(atom, operand == Operand::a ? 0 : 1), columns = shape_extent(atom, 2);
  const Patch patch = patch_of(held, found, rows, columns);
  const bool along_rows = operand == Operand::a ? atom.mn_major_a : atom.mn_major_b;
  const std::int64_t next = along_rows ? patch.row_stride : patch.column_stride, far = along_rows ? patch.column_stride : patch.row_stride;
  const std::int64_t bytes = bits(smem.type) / 8, values = held[1].size();
  if (next != 1 || far * bytes % kDistanceOfRows != 0) return no_patch(plan, operand, smem, "whose rows do not lie so");
  const std::int64_t warps = found[0].size() / kWarp, fragments = found[1].size() / values;
  for (std::int64_t i = 0; i < warps * fragments; ++i) {
    const std::int64_t warp = i % warps, fragment = i / warps, first = found(warp * kWarp, fragment * values);
    if (first * bytes % kPatchAlignment != 0)
      return no_patch(plan, operand, smem, fmt::format("one of which begins at no multiple of {} bytes", kPatchAlignment));
    for (std::int64_t t = 0; t < kWarp; ++t) {
      for (std::int64_t v = 0; v < values; ++v) {
        const std::int64_t element = held(t, v), there = element % rows * patch.row_stride + element / rows * patch.column_stride;
        if (found(warp * kWarp + t, fragment * values + v) != first + there)
          return no_patch(plan, operand, smem, "whose rows are not all one distance apart");
      }
    }
  }
  TESSERA_TRY(of_warps, composition(found[0], Layout::trusted(warps, kWarp)));
  const Layout elements = Layout::trusted(IntTuple::tuple({rows, columns}), IntTuple::tuple({patch.row_stride, patch.column_stride}));
  SmemToRmemStep step;
  step.instruction = SmemToRmem::warp;
  step.atom_name = "wmma::load_matrix_sync";
  step.smem = make_layout({make_layout({Layout::trusted(kWarp, 0), of_warps}), make_layout({elements, found[1][1], found[1][2]})});
  step.rmem = plan.fragment[static_cast<std::size_t>(operand)];
  step.values = values;
  return step;
}

// A patch a warp, row by row: (row, column, warp) -> element.
Status add_patches_of_sums(Draft& plan, plan::OperandPath& path) {
  const MmaAtom& atom = plan.mma->atom();
  const std::int64_t rows = shape_extent(atom, 0), columns = shape_extent(atom, 1), warps = plan.threads / kWarp;
  const std::int64_t distance = columns + kColumnsOfNothing, of_warp = rows * distance, bytes = bits(atom.val_c) / 8;
  const Layout patch = Layout::trusted(IntTuple::tuple({rows, columns}), IntTuple::tuple({distance, 1}));  // (m, n) -> element
  const Layout threads = make_layout({Layout::trusted(kWarp, 0), Layout::trusted(warps, of_warp)});
  TESSERA_TRY(lanes, composition(Layout::make_compact(IntTuple::tuple({rows, columns})).value(), atom.layout_c));
  TESSERA_TRY(own, composition(patch, lanes));  // (lane, val) -> element of the patch
  plan::Tensor sums{"sC", plan::Space::shared, Operand::c, atom.val_c,
                    make_layout({patch[0], make_layout({patch[1], Layout::trusted(warps, of_warp)})})};
  sums.stage_elements = warps * of_warp;
  sums.byte_offset = round_up(plan.smem_bytes, kPatchAlignment);
  plan.smem_bytes = sums.byte_offset + sums.stage_elements * bytes;
  path.smem = append(plan.tensors, std::move(sums));
  plan::Tensor values{"rS", plan::Space::registers, Operand::c, atom.val_c, plan.fragment[kC]};
  values.elements = plan.fragment[kC].cosize();
  const plan::Id rS = append(plan.tensors, std::move(values));
  plan.patch = append(plan.partitions, plan::Partition{"tXsC", path.smem, make_layout({threads, make_layout({patch})}), {"element"}});
  plan.own_sums =
      append(plan.partitions,
             plan::Partition{
                 "tDsC", path.smem, make_layout({make_layout({own[0], Layout::trusted(warps, of_warp)}), make_layout({own[1]})}), {"vec"}});
  plan.settled = append(plan.partitions, plan::Partition{"tXrC", rS, plan.fragment[kC], {"val", "MMA_M", "MMA_N"}});
  return Done{};
}

}  // namespace tessera::lowering
