// SPDX-License-Identifier: BSD-3-Clause
// How well what was typed fits a name.
#include "app/session/actions/fuzzy.hpp"

#include "tests/support/catch.hpp"

using tessera::fuzzy_score;
using tessera::words_score;

TEST_CASE("letters may be left out, in their order") {
  CHECK(fuzzy_score("spr", "Split right"));
  CHECK(fuzzy_score("", "anything"));
  CHECK(fuzzy_score("split right", "figure.split_right"));
  CHECK_FALSE(fuzzy_score("rs", "Split r"));
  CHECK_FALSE(fuzzy_score("a", ""));
  CHECK_FALSE(fuzzy_score("ss", "Save"));
}

TEST_CASE("words fit in any order, in the name or in what else it is known by") {
  const auto score = [](const char* typed) {
    return words_score(typed, "SM80_16x8x16_F32BF16BF16F32_TN", "mma.sync.aligned.m16n8k16 tensor core");
  };
  CHECK(score("bf16 16x8x16"));
  CHECK(score("16x8x16 BF16"));
  CHECK(score("m16n8k16"));
  CHECK(score("tensor core bf16"));
  CHECK_FALSE(score("bf16 16x8x8"));
  CHECK_FALSE(score("fp8"));
  CHECK_FALSE(score("bf16"));  // a part of the name, which fuzzy_score finds
  CHECK_FALSE(score(" "));
  CHECK(*score("bf16 sm80") > *score("bf16 tensor"));
}

TEST_CASE("the nearer name has the better score") {
  const auto better = [](const char* typed, const char* a, const char* b) {
    REQUIRE((fuzzy_score(typed, a) && fuzzy_score(typed, b)));
    return *fuzzy_score(typed, a) > *fuzzy_score(typed, b);
  };
  CHECK(better("sr", "Split right", "Save the report"));             // words' beginnings
  CHECK(better("tile", "Tile the figures", "Toggle little whole"));  // letters next to each other
  CHECK(better("data", "data", "data of another kind"));             // short
  CHECK(better("mma", "make_tiled_mma", "maximise a row, many"));    // a whole word
  CHECK(better("80", "SM80_16x8x16_F32F16F16F32_TN", "SM75_8x16x0"));
}

TEST_CASE("a name itself comes before what begins with it, that before what has it inside, and letters far apart come last") {
  const auto score = [](const char* typed, const char* name) { return fuzzy_score(typed, name).value(); };
  CHECK(score("swizzle", "Swizzle") > score("swizzle", "swizzle_figure"));
  CHECK(score("swizzle", "swizzle_figure") > score("swizzle", "recast_swizzle"));
  CHECK(score("warp", "Select its warp") > score("warp", "unwarped"));  // at the beginning of a word
  CHECK(score("copy as", "Copy as LaTeX") > score("copy as", "a copy as it was"));
  CHECK(score("compare", "Compare with what it becomes") > 0);
  CHECK(score("sm90 64x64 f16", "SM90_64x64x16_F16F16F16_SS<K,MN>") > 0);  // each part begins a word
  CHECK(score("spr", "Split right") > 0);
  CHECK(score("warp", "show a row in another step") < 0);  // w ... a ... r ... p in the middle of words
  CHECK(score("lead", "Split the pane down") < 0);
}
