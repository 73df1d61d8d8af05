// SPDX-License-Identifier: BSD-3-Clause
// CuTe's choice of a wgmma: the widest of its eight widths that divides the tile, by the types.
#include <cstdint>
#include <string>

#include "tests/support/catch.hpp"

#include "core/atom/instructions/gmma_selector.hpp"

using namespace tessera;

namespace {

std::string chosen(GmmaChoice choice) {
  const auto made = select_gmma(choice);
  return made ? made->name : "refused";
}

GmmaChoice of_types(ValueType a, ValueType b, ValueType c, std::int64_t m, std::int64_t n, std::int64_t k) {
  return {a, b, c, IntTuple::tuple({m, n, k}), false, false, false, false};
}

}  // namespace

TEST_CASE("the widest width that divides N is chosen, among the eight that CuTe offers") {
  using enum ValueType;
  CHECK(chosen(of_types(f16, f16, f32, 128, 128, 64)).find("64x128x16_F32F16F16_SS") != std::string::npos);
  CHECK(chosen(of_types(f16, f16, f32, 64, 320, 64)).find("64x64x16_") != std::string::npos);  // 5 * 64; 160 and 80 are not offered
  CHECK(chosen(of_types(f16, f16, f16, 64, 288, 64)).find("64x96x16_F16F16F16_SS") != std::string::npos);
  CHECK(chosen(of_types(bf16, bf16, f32, 64, 8, 16)).find("64x8x16_F32BF16BF16_SS") != std::string::npos);
}

TEST_CASE("K of one instruction is 256 bits of A, twice as many where A is sparse") {
  using enum ValueType;
  CHECK(chosen(of_types(tf32, tf32, f32, 64, 64, 32)).find("64x64x8_F32TF32TF32_SS_TN") != std::string::npos);
  CHECK(chosen(of_types(e4m3, e5m2, f32, 64, 64, 32)).find("64x64x32_F32E4M3E5M2_SS_TN") != std::string::npos);
  CHECK(chosen(of_types(i8, u8, i32, 64, 64, 32)).find("64x64x32_S32S8U8_SS_TN") != std::string::npos);
  GmmaChoice sparse = of_types(f16, f16, f32, 64, 64, 64);
  sparse.sparse = true;
  CHECK(chosen(sparse).find("SPARSE::GMMA_64x64x32_F32F16F16_SS") != std::string::npos);
}

TEST_CASE("majors go into the atom, and A in registers is contiguous along K") {
  using enum ValueType;
  GmmaChoice choice = of_types(f16, f16, f32, 64, 64, 64);
  choice.b_mn = true;
  CHECK(chosen(choice).find("SS<GMMA::Major::K,GMMA::Major::MN>") != std::string::npos);
  choice.a_in_registers = true;
  CHECK(chosen(choice).find("RS<GMMA::Major::K,GMMA::Major::MN>") != std::string::npos);
  choice.a_mn = true;
  CHECK(chosen(choice) == "refused");
  GmmaChoice bytes = of_types(e4m3, e4m3, f32, 64, 64, 64);
  bytes.a_mn = true;
  CHECK(chosen(bytes) == "refused");
}

TEST_CASE("types without an instruction and tiles that none divides are refused") {
  using enum ValueType;
  CHECK(chosen(of_types(f32, f32, f32, 64, 64, 64)) == "refused");
  CHECK(chosen(of_types(bf16, bf16, f16, 64, 64, 64)) == "refused");
  CHECK(chosen(of_types(f16, f16, f32, 32, 64, 64)) == "refused");
  CHECK(chosen(of_types(f16, f16, f32, 64, 12, 64)) == "refused");
  CHECK(chosen(of_types(e4m3, e4m3, f32, 64, 64, 16)) == "refused");
}
