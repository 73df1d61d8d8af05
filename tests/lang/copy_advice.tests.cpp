// SPDX-License-Identifier: BSD-3-Clause
// Advice in the language: the text that is suggested is evaluated, and keeps what was promised of it.
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include "tests/support/catch.hpp"

#include "core/lang/programs/evaluate.hpp"
#include "core/lang/values/convert.hpp"
#include "core/lang/values/members.hpp"

namespace tessera {
namespace {

Value value_of(const std::string& text) {
  auto made = evaluate(text);
  if (!made) FAIL(text << ": " << made.error().message);
  return *made;
}
std::string fact(const Value& report, std::string_view name) {
  const auto made = member_of(report, name);
  return made ? to_string(*made) : "none";
}
std::string text_fact(const Value& report, std::string_view name) {
  const auto made = member_of(report, name);
  if (!made) FAIL(made.error().message);
  return as_text(*made).value();
}
std::string refusal(const std::string& text) {
  const auto made = evaluate(text);
  return made ? "no refusal: " + to_string(*made) : made.error().message;
}

}  // namespace

TEST_CASE("the copy that check_copy suggests evaluates, and has the numbers that were promised") {
  for (const auto& [copy, tiles] : {
           std::pair{"make_tiled_copy(Copy_Atom<UniversalCopy<half_t>, half_t>, (16,8):(8,1))", "(64,64):(64,1), (64,64):(64,1)"},
           {"make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>, (32,8), (1,1))", "(128,32):(1,128), (128,32):(1,132)"},
           {"make_tiled_copy(Copy_Atom<UniversalCopy<uint8_t>, int4_t>, (16,8):(8,1), (1,2))", "(64,64):(64,1), (64,64):(64,1)"},
           {"make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>, half_t>, (128,1), (1,8))", "(128,32):(32,1), (128,32):(40,1)"},
           {"make_tiled_copy(Copy_Atom<UniversalCopy<half_t>, half_t>, (96,1), (1,1))", "(48,64):(64,1), Sw<3,3,3> o 0 o (48,64):(64,1)"},
           {"make_tiled_copy_A(Copy_Atom<SM75_U32x1_LDSM_N, half_t>, make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1)))",
            "Sw<3,3,3> o 0 o (64,64):(64,1), (64,64):(64,1)"},
       }) {
    CAPTURE(copy, tiles);
    const Value first = value_of(fmt::format("check_copy({}, {})", copy, tiles));
    const std::string better = text_fact(first, "better");
    CAPTURE(better);
    const Value second = value_of(fmt::format("check_copy({}, {})", better, tiles));
    CHECK(fact(second, "missed") == "0");
    CHECK(fact(second, "outside") == "0");
    CHECK(fact(second, "units") == fact(first, "better_units"));
    CHECK(fact(second, "instructions") == fact(first, "better_instructions"));
    CHECK(fact(second, "better") == "none");
    CHECK(to_string(second).find("cannot be cut") == std::string::npos);  // CuTe compiles its partition
    for (const std::string& note : std::get<std::shared_ptr<const Report>>(second.any)->notes)
      CHECK(note.find("cannot be cut") == std::string::npos);
  }
}

TEST_CASE("check_copy knows the element's width and memory from its tensors, and refuses what cannot be") {
  const std::string half = "make_tiled_copy(Copy_Atom<UniversalCopy<half_t>, half_t>, (16,8):(8,1))";
  const Value stored = value_of("check_copy(" + half +
                                ", make_tensor(make_smem_ptr<half_t>(s), (64,64):(64,1)), "
                                "make_tensor(make_gmem_ptr<half_t>(g), (64,64):(64,1)))");
  CHECK(fact(stored, "src_wavefronts") != "none");
  CHECK(fact(stored, "dst_sectors") != "none");
  CHECK(refusal("check_copy(" + half + ", make_tensor(make_gmem_ptr<float>(g), (64,64):(64,1)), (64,64):(64,1))") ==
        "the elements have 32 bits, and the copy counts its values in half_t of 16");
  CHECK(refusal("check_copy(" + half +
                ", make_tensor(make_gmem_ptr<float>(g), (64,64):(64,1)), "
                "make_tensor(make_smem_ptr<half_t>(s), (64,64):(64,1)))") ==
        "the source has elements of 32 bits and the destination of 16: a copy moves them as they are");
  CHECK(refusal("check_copy(" + half + ", (64,64):(64,1), (64,32):(64,1))").find("the shape (64,64) and the destination (64,32)") !=
        std::string::npos);
  CHECK(refusal("check_copy(" + half + ", (64,64):(64,1), (64,64):(64,1), src_space=rmem, dst_space=rmem)") ==
        "neither side of the copy lies in memory: there is no access to look at");
  CHECK(
      refusal(
          "check_copy(make_tiled_copy(Copy_Atom<SM75_U32x4_LDSM_N, half_t>, (32,1), (1,8)), (32,8):(8,1), (32,8):(8,1), src_space=gmem)") ==
      "ldmatrix has its source in shared memory, not in global memory");
  CHECK(refusal("check_copy(make_tma_copy(SM90_TMA_LOAD, make_tensor(make_gmem_ptr(half_t), (512,256):(256,1)), (128,64):(64,1)), "
                "(128,64):(64,1), (128,64):(64,1))")
            .find("a TMA copy is one thread's") != std::string::npos);
}

TEST_CASE("the tiled MMA that permutation_for_store writes is one, and has nothing more to permute") {
  for (const char* mma : {"SM80_16x8x16_F32F16F16F32_TN", "make_tiled_mma(SM80_16x8x8_F32TF32TF32F32_TN, (2,4,1))",
                          "make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT, (2,2,1))", "make_tiled_mma(UniversalFMA<float>, (16,16,1))"}) {
    for (const char* wish : {"bits=128", "bits=64", "type=float, bits=128", "major=m"}) {
      CAPTURE(mma, wish);
      const Value first = value_of(fmt::format("permutation_for_store({}, {})", mma, wish));
      const Value second = value_of(fmt::format("permutation_for_store({}, {})", text_fact(first, "mma"), wish));
      CHECK(fact(second, "changed") == "false");
      CHECK(fact(second, "values") == fact(first, "values"));
      CHECK(fact(second, "after") == fact(first, "after"));
      CHECK(fact(second, "sectors_after") == fact(first, "sectors_after"));
    }
  }
  CHECK(refusal("permutation_for_load(SM80_16x8x16_F32F16F16F32_TN, \"C\")") == "operands A and B are loaded, not \"C\"");
  CHECK(refusal("permutation_for_store(SM80_16x8x16_F32F16F16F32_TN, major=k)") ==
        "neighbours in memory lie along \"n\" or \"m\", not \"k\"");
}

}  // namespace tessera
