// SPDX-License-Identifier: BSD-3-Clause
// Small GEMMs of every type and loop that a kernel is emitted for: compiled where NVRTC is, run where a GPU is.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/gemm_specs.hpp"

namespace tessera::support {

// 2x2 atoms by default, tiles of 64x64 and two k-blocks, everything else left to `lower`.
inline GemmSpec typed(const char* atom, ValueType type_c, std::int64_t stages, std::int64_t atoms = 2) {
  GemmSpec spec;
  const Layout grid = layout(IntTuple::tuple({atoms, atoms, 1}), IntTuple::tuple({1, atoms, 0}));
  spec.mma = TiledMma::make(find_mma_atom(atom).value(), grid, Underscore{}).value();
  const std::int64_t k = 2 * shape_extent(spec.mma->atom(), 2);
  spec.name = std::string(atom) + " to " + std::string(short_name(type_c)) + ", " + std::to_string(stages) + " stages";
  spec.m = 128, spec.n = 64, spec.k = 8 * k;
  spec.cta_tiler = IntTuple::tuple({64, 64, k});
  spec.type_c = type_c;
  spec.stages = stages;
  spec.alpha = 0.5, spec.beta = -2.0;
  return spec;
}

// Warps 2 and 3 of six repeat what others do, and write nothing.
inline GemmSpec repeating() {
  GemmSpec spec = typed("SM80_16x8x16_F32F16F16F32_TN", ValueType::f32, 1);
  spec.name = "threads that repeat others";
  const Layout warps = layout(IntTuple::tuple({2, 2, 1}), IntTuple::tuple({1, 4, 0}));
  spec.mma = TiledMma::make(spec.mma->atom(), warps, Underscore{}).value();
  return spec;
}

// A along M, B along N, or both: what mma.sync reads along K is gathered.
inline std::vector<GemmSpec> typed_along_m_and_n() {
  std::vector<GemmSpec> specs;
  for (const char* atom : {"SM80_16x8x16_F32F16F16F32_TN", "SM80_16x8x16_F32BF16BF16F32_TN", "SM80_16x8x8_F32TF32TF32F32_TN",
                           "SM80_16x8x32_S32S8S8S32_TN", "SM80_8x8x4_F64F64F64F64_TN", "SM89_16x8x32_F32E4M3E5M2F32_TN"}) {
    for (const auto& [a, b] : {std::pair{true, false}, {false, true}, {true, true}}) {
      GemmSpec spec = typed(atom, find_mma_atom(atom)->val_c, 2);
      if (a) spec.gA = layout(IntTuple::tuple({spec.m, spec.k}), IntTuple::tuple({1, spec.m}));
      if (b) spec.gB = layout(IntTuple::tuple({spec.n, spec.k}), IntTuple::tuple({1, spec.n}));
      spec.name = std::string(atom) + (a ? ", N" : ", T") + (b ? "T" : "N");  // as BLAS says it: T of A is along K
      specs.push_back(spec);
    }
  }
  return specs;
}

inline std::vector<GemmSpec> typed_specs() {
  std::vector<GemmSpec> specs{repeating()};
  for (GemmSpec& spec : typed_along_m_and_n()) specs.push_back(std::move(spec));
  for (const std::int64_t stages : {1, 3}) {
    for (const ValueType c : {ValueType::f64, ValueType::f32, ValueType::bf16}) {
      specs.push_back(typed("SM80_8x8x4_F64F64F64F64_TN", c, stages));
    }
    for (const ValueType c : {ValueType::i32, ValueType::i8, ValueType::u8, ValueType::f32, ValueType::f16}) {
      specs.push_back(typed("SM80_16x8x32_S32S8S8S32_TN", c, stages));
    }
    for (const ValueType c : {ValueType::f32, ValueType::tf32, ValueType::f64, ValueType::i32, ValueType::i8}) {
      specs.push_back(typed("SM80_16x8x8_F32TF32TF32F32_TN", c, stages));
    }
    specs.push_back(typed("SM80_8x8x16_S32U8U8S32_TN", ValueType::i32, stages));
    specs.push_back(typed("SM80_16x8x32_S32S8U8S32_TN", ValueType::i32, stages));
    specs.push_back(typed("SM89_16x8x32_F32E4M3E4M3F32_TN", ValueType::f32, stages));
    specs.push_back(typed("SM89_16x8x32_F32E5M2E5M2F32_TN", ValueType::bf16, stages));
    specs.push_back(typed("SM89_16x8x32_F32E4M3E5M2F32_TN", ValueType::f16, stages));
    specs.push_back(typed("SM89_16x8x32_F32E5M2E4M3F32_TN", ValueType::f32, stages));
    specs.push_back(typed("SM89_16x8x32_F16E4M3E5M2F16_TN", ValueType::f16, stages));
    specs.push_back(typed("SM80_16x8x16_F32BF16BF16F32_TN", ValueType::bf16, stages));
    specs.push_back(typed("SM80_16x8x16_F16F16F16F16_TN", ValueType::f16, stages));
    specs.push_back(typed("UniversalFMA<double,double,double,double>", ValueType::f64, stages, 8));
    specs.push_back(typed("UniversalFMA<float,float,float,float>", ValueType::f32, stages, 8));
    specs.push_back(typed("UniversalFMA<int,int,int,int>", ValueType::i32, stages, 8));
  }
  specs.push_back(register_tile());
  specs.push_back(wide_quad_pairs());
  // Of both operands the elements of a register are gathered one by one, outside any loop.
  GemmSpec gathered = typed("SM80_8x8x16_S32S8S8S32_TN", ValueType::i32, 1, 1);
  gathered.name = "gathered elements of both operands";
  gathered.m = 8, gathered.n = 8, gathered.k = 16, gathered.cta_tiler = IntTuple::tuple({8, 8, 16});
  const AnyLayout columns = ComposedLayout{Swizzle::make(1, 0, 3).value(), 0, layout(IntTuple::tuple({8, 16}), IntTuple::tuple({1, 8}))};
  gathered.sA = columns, gathered.sB = columns;
  specs.push_back(gathered);
  return specs;
}

// Tiles of one k-block: nothing of the next tile can be in registers early.
inline std::vector<GemmSpec> single_block_specs() {
  std::vector<GemmSpec> specs;
  for (const std::int64_t stages : {2, 3, 5}) {
    specs.push_back(tensor(256, 128, 160, 128, 128, 16, stages));
    specs.back().name = "single block, " + std::to_string(stages) + " stages";
  }
  return specs;
}

// Fragments of nvcuda::wmma of every order of A and B, each operand as the atom wants it.
inline GemmSpec warp_fragments(const char* types, const char* majors, std::int64_t stages) {
  GemmSpec spec = typed((std::string("WMMA_16x16x16_") + types + "_" + majors).c_str(), ValueType::f32, stages);
  const std::int64_t k = spec.cta_tiler[2].value();
  const auto padded = [&](std::int64_t rows, bool along_k) {
    return along_k ? layout(IntTuple::tuple({rows, k}), IntTuple::tuple({k + 8, 1}))
                   : layout(IntTuple::tuple({rows, k}), IntTuple::tuple({1, rows + 8}));
  };
  const bool a = majors[0] == 'T', b = majors[1] == 'N';
  spec.gA = layout(IntTuple::tuple({spec.m, spec.k}), a ? IntTuple::tuple({spec.k, 1}) : IntTuple::tuple({1, spec.m}));
  spec.gB = layout(IntTuple::tuple({spec.n, spec.k}), b ? IntTuple::tuple({spec.k, 1}) : IntTuple::tuple({1, spec.n}));
  spec.sA = padded(64, a), spec.sB = padded(64, b);
  return spec;
}

inline std::vector<GemmSpec> warp_fragment_specs() {
  std::vector<GemmSpec> specs;
  for (const char* majors : {"NN", "NT", "TN", "TT"}) {
    specs.push_back(warp_fragments("F32F16F16F32", majors, 1));
    specs.push_back(warp_fragments("F32BF16BF16F32", majors, 3));
    specs.back().type_c = ValueType::bf16;
  }
  for (const Fragments fragments : {Fragments::next_k_block, Fragments::all_k_blocks}) {
    specs.push_back(warp_fragments("F32F16F16F32", "TN", 1));
    specs.back().fragments = fragments, specs.back().copies = Copies::ahead;
    specs.back().smem_copy_a = find_copy_atom("AutoVectorizingCopy").value();
  }
  // Warps 2 and 3 of six repeat what others do.
  specs.push_back(warp_fragments("F32F16F16F32", "TT", 2));
  specs.back().mma =
      TiledMma::make(specs.back().mma->atom(), layout(IntTuple::tuple({2, 2, 1}), IntTuple::tuple({1, 4, 0})), Underscore{}).value();
  return specs;
}

// Threads that load from global memory: every type, every choice of fragments, tensors by rows and by columns.
inline std::vector<GemmSpec> gmem_specs() {
  std::vector<GemmSpec> specs{element_a_thread(true), element_a_thread(false), element_a_thread(false, 1), from_gmem(article()),
                              from_gmem(repeating())};
  specs[1].alpha = 0.5, specs[1].beta = -2.0;
  for (const char* atom : {"SM80_8x8x4_F64F64F64F64_TN", "SM80_16x8x32_S32S8S8S32_TN", "SM80_16x8x8_F32TF32TF32F32_TN",
                           "SM80_8x8x16_S32U8U8S32_TN", "SM80_16x8x16_F32BF16BF16F32_TN", "SM80_16x8x16_F16F16F16F16_TN",
                           "SM75_16x8x8_F32F16F16F32_TN", "SM89_16x8x32_F32E5M2E4M3F32_TN"}) {
    const ValueType sums = find_mma_atom(atom)->val_c;
    specs.push_back(from_gmem(typed(atom, sums, 1)));
    specs.push_back(from_gmem(typed(atom, sums, 1, 1)));
    specs.back().cta_tiler = IntTuple::tuple(
        {shape_extent(specs.back().mma->atom(), 0), shape_extent(specs.back().mma->atom(), 1), shape_extent(specs.back().mma->atom(), 2)});
  }
  specs.push_back(from_gmem(typed("UniversalFMA<double,double,double,double>", ValueType::f64, 1, 8)));
  specs.push_back(from_gmem(typed("UniversalFMA<int,int,int,int>", ValueType::i32, 1, 8)));
  for (const Fragments fragments : {Fragments::next_k_block, Fragments::all_k_blocks}) {
    specs.push_back(from_gmem(tensor(128, 64, 96, 64, 64, 32, 1)));
    specs.back().fragments = fragments;
    specs.push_back(element_a_thread(true));
    specs.back().fragments = fragments;
  }
  GemmSpec columns = from_gmem(tensor(128, 64, 64, 64, 64, 32, 1));
  columns.gA = layout(IntTuple::tuple({128, 64}), IntTuple::tuple({1, 136}));
  columns.gB = layout(IntTuple::tuple({64, 64}), IntTuple::tuple({1, 64}));
  specs.push_back(columns);
  columns.gA = layout(IntTuple::tuple({128, 64}), IntTuple::tuple({72, 1}));
  columns.gB = layout(IntTuple::tuple({64, IntTuple::tuple({2, 32})}), IntTuple::tuple({2, IntTuple::tuple({1, 128})}));
  specs.push_back(columns);
  return specs;
}

}  // namespace tessera::support
