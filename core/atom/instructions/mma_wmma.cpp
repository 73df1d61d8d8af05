// SPDX-License-Identifier: BSD-3-Clause
// The fragments of nvcuda::wmma, a warp's 16 x 16 x 16. CuTe has no atom for them; names follow its spelling.
//
// CUDA does not say which thread holds which element (CUDA C++ Programming Guide, "Warp matrix functions"): a fragment is loaded,
// multiplied and stored by the whole warp. The layouts here are those of mma.m16n8k16, which sm_80 to sm_90 use; no kernel relies on them.
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/atom/instructions/mma_families.hpp"

namespace tessera {
namespace {

constexpr std::array<std::string_view, 4> kMajors{"NN", "NT", "TN", "TT"};  // of A and B, in the old BLAS letters: T is row-major

struct WmmaTypes {
  ValueType input, sums;
  int sm;
};
constexpr std::array<WmmaTypes, 2> kTypes{{{ValueType::f16, ValueType::f32, 70}, {ValueType::bf16, ValueType::f32, 80}}};

std::string name_of(const WmmaTypes& types, std::string_view majors) {
  return fmt::format("WMMA_16x16x16_{0}{1}{1}{0}_{2}", atom_token(types.sums), atom_token(types.input), majors);
}

MmaAtom make_atom(const WmmaTypes& types, std::string_view majors) {
  constexpr std::int64_t kExtent = 16, kPacked = 2;  // of M, N and K; elements in a register
  MmaAtom atom;
  atom.name = name_of(types, majors);
  atom.kind = MmaKind::wmma;
  atom.arch = {types.sm};
  atom.ptx = fmt::format("wmma.mma.sync.aligned.{}.{}.m16n16k16.{}{}", majors[0] == 'T' ? "row" : "col", majors[1] == 'N' ? "col" : "row",
                         short_name(types.sums), types.input == ValueType::f16 ? ".f32" : ".bf16.bf16.f32");
  atom.val_d = atom.val_c = types.sums, atom.val_a = atom.val_b = types.input;
  atom.mn_major_a = majors[0] == 'N', atom.mn_major_b = majors[1] == 'T';
  atom.shape_mnk = IntTuple::tuple({kExtent, kExtent, kExtent});
  atom.thr_id = Layout::trusted(32, 1);
  const Layout half = warp_accumulator(kExtent, 8);
  atom.layout_a = warp_operand(kExtent, kExtent, kPacked);                                      // (T32,V8) -> (m, k)
  atom.layout_b = table_layout("((4,8),((2,2),2)):((32,1),((16,128),8))");                      // (T32,V8) -> (n, k): eight n, then eight
  atom.layout_c = layout_of({half[0], layout_of({half[1], Layout::trusted(2, 8 * kExtent)})});  // (T32,V8) -> (m, n): the same
  atom.registers_a = atom.registers_b = packed_registers(types.input, kExtent);  // twice what the layouts say: fragments of 16 elements
  atom.registers_c = atom.registers_d = accumulator_registers(types.sums, atom.layout_c[1].size());
  atom.source = "CUDA C++ Programming Guide, Warp matrix functions; PTX ISA, wmma.mma";
  atom.note = "CUDA does not say which thread holds which element. Drawn is what sm_80 to sm_90 do; kernels do not rely on it.";
  return atom;
}

}  // namespace

FoundAtom find_wmma_atom(const TemplateName& name) {
  if (!name.args.empty()) return std::nullopt;
  for (const WmmaTypes& types : kTypes) {
    for (const std::string_view majors : kMajors) {
      if (name.op == name_of(types, majors)) return make_atom(types, majors);
    }
  }
  return std::nullopt;
}

void list_wmma_atoms(std::vector<std::string>& names) {
  for (const WmmaTypes& types : kTypes) {
    for (const std::string_view majors : kMajors) names.push_back(name_of(types, majors));
  }
}

}  // namespace tessera
