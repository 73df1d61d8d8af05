// SPDX-License-Identifier: BSD-3-Clause
// What is reported of a value of each kind: every field, as a person has read it.
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "core/lang/values/answer.hpp"

#include <fmt/format.h>

#include "core/base/overloaded.hpp"
#include "core/lang/programs/evaluate.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/golden.hpp"

using namespace tessera;

namespace {

std::string text_of(const AnswerField& field) {
  const auto list = [](const auto& values) {
    std::string text;
    for (const auto& value : values) text += fmt::format("{}{}", text.empty() ? "" : " ", value);
    return "[" + text + "]";
  };
  return std::visit(Overloaded{
                        [](const std::string& text) { return "\"" + text + "\""; },
                        [&](const std::vector<std::int64_t>& numbers) { return list(numbers); },
                        [&](const std::vector<std::string>& texts) { return list(texts); },
                        [](const auto& number) { return fmt::format("{}", number); },
                    },
                    field.value);
}

}  // namespace

TEST_CASE("an answer to each kind of value has every field that the reader was told of") {
  std::string all;
  for (const char* expression :
       {"3",
        "(3,(4,5))",
        "(3,_,1@0)",
        "2.5",
        "true",
        "\"text\"",
        "Sw<2,1,3>",
        "(4:1, _)",
        "(4,(2,3)):(2,(1,8))",
        "(2,3):(1@0,1@1)",
        "Sw<1,0,2> o 1 o (4,2):(2,1)",
        "(4000,4):(1,4000)",
        "(4000,4000):(1,4000)",
        "slice_and_offset((1,_), (2,3):(4,1))",
        "SM80_16x8x16_F32F16F16F32_TN",
        "SM90::GMMA::SPARSE::GMMA_64x8x32_F16F16F16_SS<GMMA::Major::K,GMMA::Major::K>",
        "SM103::SM103_MXF4_ULTRA_SS_VS<float_e2m1_t,float_e2m1_t,float,float_ue8m0_t,128,16,16,UMMA::Major::K,UMMA::Major::K>",
        "SM75_U32x4_LDSM_N",
        "Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<uint128_t>, half_t>",
        "make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT, (2,2,1):(2,1,0))",
        "make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>, (16,8):(8,1), (1,8))",
        "gemm(m=16, n=8, k=16, mma=make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN), name=\"small\")",
        "layout(4:1)"}) {
    const auto value = evaluate(expression);
    all += fmt::format("{}\n", expression);
    if (!value) FAIL(describe(value.error()));
    for (const AnswerField& field : answer(*value)) all += fmt::format("  {} = {}\n", field.name, text_of(field));
  }
  CHECK(all == testing::golden("answers.txt", all));
}
