// SPDX-License-Identifier: BSD-3-Clause
// Which products cuBLASLt has, told from a kernel's types, majors and factors before the library is asked.
#include <string>
#include <string_view>
#include <utility>

#include "kernels/runtime/measure/cublaslt_baseline.hpp"

#include "core/gemm/lower/lower.hpp"
#include "kernels/codegen/emit_gemm.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/wgmma_specs.hpp"

using namespace tessera;

namespace {

KernelSource source_of(const char* atom, ValueType type_c, double alpha = 1, double beta = 0) {
  return emit_gemm(lower(support::wgmma(atom, type_c, Overlap::none, alpha, beta)).value()).value();
}

// "" where cuBLASLt has the product.
std::string refused(const KernelSource& source) { return not_of_cublaslt(source).value_or(""); }

bool mentions(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("cuBLASLt has the products of f16, bf16, tf32, fp8 and signed bytes, with beta") {
  for (const auto& [atom, type_c] : {std::pair{"16_F32BF16BF16_SS<K,MN>", ValueType::bf16},
                                     {"16_F32F16F16_SS<MN,MN>", ValueType::f32},
                                     {"16_F16F16F16_SS<K,K>", ValueType::f16},
                                     {"8_F32TF32TF32_SS_TN", ValueType::f32},
                                     {"32_F32E4M3E4M3_SS_TN", ValueType::bf16},
                                     {"32_F32E4M3E5M2_SS_TN", ValueType::f32},
                                     {"32_F32E5M2E4M3_SS_TN", ValueType::f16},
                                     {"32_S32S8S8_SS_TN", ValueType::i32}}) {
    INFO(atom);
    CHECK(refused(source_of(atom, type_c)) == "");
    CHECK(refused(source_of(atom, type_c, 2, 3)) == "");
  }
}

TEST_CASE("what cuBLASLt has not is said with its reason") {
  CHECK(mentions(refused(source_of("32_F32E5M2E5M2_SS_TN", ValueType::f16)), "not e5m2 by e5m2"));
  CHECK(mentions(refused(source_of("32_F16E4M3E4M3_SS_TN", ValueType::f16)), "its sums of fp8 are f32"));
  CHECK(mentions(refused(source_of("32_S32U8U8_SS_TN", ValueType::i32)), "s8 by s8"));
  CHECK(mentions(refused(source_of("32_S32S8U8_SS_TN", ValueType::i32)), "s8 by s8"));
  CHECK(mentions(refused(source_of("32_S32S8S8_SS_TN", ValueType::f32)), "C is f32"));
  CHECK(mentions(refused(source_of("32_S32S8S8_SS_TN", ValueType::i32, 0.5)), "by integers; 0.5 is none"));
  CHECK(mentions(refused(source_of("32_S32S8S8_SS_TN", ValueType::i32, 1, 0.5)), "by integers; 0.5 is none"));
  CHECK(mentions(refused(source_of("16_F32F16F16_SS<K,K>", ValueType::i32)), "elements of s32"));
  KernelSource across = source_of("32_F32E4M3E4M3_SS_TN", ValueType::bf16);
  across.blas.b_k_major = false;
  CHECK(mentions(refused(across), "TN"));
  across.blas.expressible = false, across.blas.reason = "gA is no plain matrix";
  CHECK(refused(across) == "gA is no plain matrix");
}

TEST_CASE("a product of a negated operand is asked for with a negative factor") {
  CHECK(source_of("32_F32E4M3E4M3_SS_TN", ValueType::f32).blas.sign == 1);
  CHECK(source_of("32_F32E4M3E4M3_SS_TN<ScaleIn::Neg>", ValueType::f32).blas.sign == -1);
  CHECK(source_of("32_F32E4M3E4M3_SS_TN<ScaleIn::Neg,ScaleIn::Neg>", ValueType::f32).blas.sign == 1);
}

TEST_CASE("the definition that a kernel is checked against negates what the instruction negates") {
  const auto negates = [](const char* args) {
    const std::string atom = std::string("32_F32E4M3E4M3_SS_TN") + args;
    const KernelSource source = source_of(atom.c_str(), ValueType::f32);
    return mentions(source.reference_text, "const double out = -alpha * sum");
  };
  CHECK_FALSE(negates(""));
  CHECK(negates("<ScaleIn::Neg>"));
  CHECK(negates("<ScaleIn::One,ScaleIn::Neg>"));
  CHECK_FALSE(negates("<ScaleIn::Neg,ScaleIn::Neg>"));
}
