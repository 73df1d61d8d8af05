// SPDX-License-Identifier: BSD-3-Clause
// Tensors in shared memory whose swizzle stands in the pointer or in the layout, and coordinates that only the running program knows: what
// slices, partitions and fragments of them are. The values of C++ are what CuTe 4.7 prints, those of Python what nvidia-cutlass-dsl 4.8.1
// prints; CuTe's swizzle of bytes, Sw<3,4,3> of a pointer, is Sw<3,3,3> of elements of 16 bits here.
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/lang/programs/evaluate.hpp"
#include "core/lang/programs/snippet.hpp"
#include "core/lang/values/convert.hpp"
#include "core/lang/values/value.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

// The layout of the last value that a program gives; of an offset, what stands behind the sign.
std::string last_of(std::string_view program) {
  const SnippetAnswer answer = evaluate_snippet(program);
  const StatementAnswer& last = answer.statements.back();
  if (last.refused) return "refused: " + last.refused->message;
  const Value& value = last.values.back().second;
  const bool is_tuple = std::holds_alternative<IntTuple>(value.any);
  const Result<AnyLayout> layout = as_any_layout(value);
  return layout && !is_tuple ? to_string(*layout) : to_string(value);
}

const std::string kMma =
    "auto mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2,_2>>{}, Tile<_32,_32,_16>{});\n"
    "auto ldsm = make_tiled_copy_A(Copy_Atom<SM75_U32x4_LDSM_N,half_t>{}, mma);\n";
// A waits for its pointer, as tile_to_shape of an atom of GMMA does; B is a swizzle after a layout.
const std::string kTensors =
    "half_t* p = nullptr;\n"
    "auto A = make_tensor(make_smem_ptr(p), tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<_64,_128>{}));\n"
    "auto B = make_tensor(make_smem_ptr(p), composition(Swizzle<3,3,3>{}, "
    "Layout<Shape<_64,Shape<_64,_2>>,Stride<_64,Stride<_1,_4096>>>{}));\n" +
    kMma;

const std::string kPython =
    "layout = cute.make_layout(((8,8),(64,2)), stride=((64,512),(1,4096)))\n"
    "ptr = cute.make_ptr(cutlass.Float16, 0, cute.AddressSpace.smem, assumed_align=1024)\n"
    "sA = cute.make_tensor(cute.recast_ptr(ptr, cute.make_swizzle(3,4,3), dtype=cutlass.Float16), layout)\n"
    "sB = cute.make_tensor(ptr, cute.make_composed_layout(cute.make_swizzle(3,3,3), 0, layout))\n"
    "tidx, _, _ = cute.arch.thread_idx()\n"
    "mma = cute.make_tiled_mma(warp.MmaF16BF16Op(cutlass.Float16, cutlass.Float32, (16,8,16)), cute.make_layout((2,2,1)), "
    "permutation_mnk=(32,32,16))\n"
    "ldsm = cute.make_tiled_copy_A(cute.make_copy_atom(warp.LdMatrix8x8x16bOp(False,4), cutlass.Float16), mma)\n";

struct Row {
  std::string_view expression, layout;
};

// Behind the lines of a program, each expression with the name x has that layout.
void check(const std::string& program, std::string_view bind, std::string_view end, std::initializer_list<Row> rows) {
  for (const Row& row : rows) {
    INFO(row.expression);
    CHECK(last_of(fmt::format("{}{}{}{}", program, bind, row.expression, end)) == row.layout);
  }
}
void check_cpp(const std::string& program, std::initializer_list<Row> rows) { check(program, "auto x = ", ";", rows); }
void check_python(const std::string& program, std::initializer_list<Row> rows) { check(program, "x = ", "", rows); }

}  // namespace

TEST_CASE("parts of a tensor whose pointer swizzles are those of the layout behind it") {
  check_cpp(kTensors, {
                          {"A.layout()", "((8,8),(64,2)):((64,512),(1,4096))"},
                          {"as_position_independent_swizzle_tensor(A).layout()", "Sw<3,3,3> o 0 o ((8,8),(64,2)):((64,512),(1,4096))"},
                          {"layout<0>(A)", "(8,8):(64,512)"},
                          {"layout(A)", "((8,8),(64,2)):((64,512),(1,4096))"},
                          {"stride(A)", "((64,512),(1,4096))"},
                          {"A(_,0)", "Sw<3,3,3> o 0 o ((8,8)):((64,512))"},
                          {"A(1,_)", "Sw<3,3,3> o 64 o ((64,2)):((1,4096))"},
                          {"local_tile(A, Shape<_16,_16>{}, make_coord(0,1))", "Sw<3,3,3> o 16 o (16,16):(64,1)"},
                          {"mma.get_slice(threadIdx.x).partition_A(A)", "Sw<3,3,3> o 0 o ((2,2,2),2,(4,2)):((1,512,8),2048,(16,4096))"},
                          {"mma.get_slice(threadIdx.x).partition_fragment_A(A)", "((2,2,2),2,(4,2)):((1,2,4),32,(8,64))"},
                          {"ldsm.get_slice(5).partition_S(A)", "Sw<3,3,3> o 320 o ((8,1),2,(4,2)):((1,0),2048,(16,4096))"},
                          {"recast<float>(A)", "Sw<3,2,3> o 0 o ((8,8),(32,2)):((32,256),(1,2048))"},
                          {"coalesce(A)", "Sw<3,3,3> o 0 o (64,64,2):(64,1,4096)"},
                      });
}

TEST_CASE("a swizzle of the layout becomes strides, in modes of 2 where only the running program knows them") {
  check_cpp(kTensors, {
                          {"layout<0>(B)", "Sw<3,3,3> o 0 o 64:64"},
                          {"B(_,0)", "((2,2,2,8)):((72,144,288,512))"},
                          {"B(_,_0{})", "((8,8)):((72,512))"},
                          {"B(1,_)", "(((8,2,2,2),2)):(((1,-8,16,32),4096))"},
                          {"B(threadIdx.x,_)", "(((8,2,2,2),2)):(((1,8,16,32),4096))"},
                          {"mma.get_slice(0).partition_A(B)", "((2,2,2),2,((2,2),2)):((1,512,8),2048,((16,32),4096))"},
                          {"mma.get_slice(threadIdx.x).partition_fragment_A(B)", "((2,2,2),2,((2,2),2)):((1,2,4),8,((32,64),16))"},
                          {"ldsm.get_slice(5).partition_S(B)", "((8,1),2,((2,2),2)):((1,0),2048,((16,-32),4096))"},
                      });
}

TEST_CASE("the DSL's tensors keep the swizzle of their pointer, and a thread of the running program makes modes of 2") {
  check_python(kPython,
               {
                   {"sA[None, 1]", "Sw<3,3,3> o 1 o ((8,8)):((64,512))"},
                   {"cute.flat_divide(sA, (16,16))[None,None,1,3]", "Sw<3,3,3> o 48 o (16,16):(64,1)"},
                   {"mma.get_slice(33).partition_A(sA)", "Sw<3,3,3> o 2 o ((2,2,2),2,(4,2)):((1,512,8),2048,(16,4096))"},
                   {"sB[None, 0]", "((8,8)):((72,512))"},
                   {"sB[1, None]", "(((8,2,4),2)):(((1,-8,16),4096))"},
                   {"mma.get_slice(33).partition_A(sB)", "((2,2,2),2,(4,2)):((1,512,8),2048,(16,4096))"},
                   {"mma.make_fragment_A(mma.get_slice(0).partition_A(sB))", "((2,2,2),2,(4,2)):((1,2,4),32,(8,64))"},
                   {"ldsm.get_slice(5).partition_S(sB)", "((8,1),2,((2,2),2)):((1,0),2048,((16,-32),4096))"},
                   {"cute.filter_zeros(ldsm.get_slice(0).partition_S(sA))", "Sw<3,3,3> o 0 o ((8,1),2,(4,2)):((1,0),2048,(16,4096))"},
               });
}

TEST_CASE("a slice whose rest carries into the coordinate's bits is another one in CuTe, and that is said") {
  std::vector<Error> warnings;
  const Result<Value> value = evaluate("slice((2,_), composition(Swizzle<2,0,4>{}, Layout<Shape<_4,_6>,Stride<_12,_2>>{}))", {}, &warnings);
  REQUIRE(value);
  CHECK(to_string(*value) == "Sw<2,0,4> o 24 o (6):(2)");
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].message.find("CuTe's slice is another function: (6):(2) behind") != std::string::npos);  // S<0,4,3> o 0 o (6):(2)
}

TEST_CASE("one mode over tiles, threads or copies stands in a tuple of its own where CuTe's repeat<1>(_) keeps it") {
  const std::string both =
      "auto g = make_tensor(make_gmem_ptr((half_t*)p), Layout<_4096>{});\n"
      "auto m = make_tensor(make_gmem_ptr((half_t*)p), Layout<Shape<_64,_64>>{});\n"
      "auto copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>,half_t>{}, Layout<_128>{}, Layout<_8>{});\n";
  check_cpp(both, {
                      {"copy.get_slice(0).partition_S(g)", "((8,1),(4)):((1,0),(1024))"},
                      {"local_partition(g, Layout<_128>{}, 0)", "((32)):((128))"},
                      {"local_partition(m, Layout<_16>{}, 0)", "(4,64):(16,64)"},
                      {"local_partition(m, Layout<Shape<_16>>{}, 0)", "(4,64):(16,64)"},
                      {"local_tile(g, make_shape(_1024{}), make_coord(0))", "((1024)):((1))"},
                      {"tiled_divide(g.layout(), Shape<_1024>{})", "((1024),(4)):((1),(1024))"},
                      {"product_each(_4{})", "(4)"},
                  });
  const std::string python =
      "ptr = cute.make_ptr(cutlass.Float16, 0, cute.AddressSpace.gmem)\n"
      "v = cute.make_tensor(ptr, cute.make_layout((4096,)))\n"
      "m = cute.make_tensor(ptr, cute.make_layout((64,64)))\n"
      "tidx, _, _ = cute.arch.thread_idx()\n"
      "copy = cute.make_tiled_copy_tv(cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), cutlass.Float16, "
      "num_bits_per_copy=128), cute.make_layout(128), cute.make_layout(8))\n";
  check_python(python, {
                           {"copy.get_slice(0).partition_S(v)", "((8,1),(4)):((1,0),(1024))"},
                           {"cute.local_partition(v, cute.make_layout((128,)), tidx)", "(32):(128)"},
                           {"cute.local_partition(m, cute.make_layout(16), tidx)", "(4,64):(16,64)"},
                           {"cute.local_tile(v, (1024,), (None,))", "(1024,4):(1,1024)"},
                           {"cute.tiled_divide(v, (1024,))", "((1024),4):((1),1024)"},
                           {"cute.flat_divide(v, (1024,))", "(1024,4):(1,1024)"},
                           {"cute.zipped_divide(v, (1024,))", "((1024),(4)):((1),(1024))"},
                           {"cute.tiled_product(cute.make_layout((4,2)), cute.make_layout((2,)))", "((4,2),2):((1,4),8)"},
                           {"cute.flat_product(cute.make_layout((4,)), cute.make_layout(3))", "(4,3):(1,4)"},
                           {"cute.product_each(4)", "4"},
                       });
}
