// SPDX-License-Identifier: BSD-3-Clause
// How well what was typed fits a name.
#include "app/session/fuzzy.hpp"

#include "tests/support/catch.hpp"

using tessera::fuzzy_score;

TEST_CASE("letters may be left out, in their order") {
  CHECK(fuzzy_score("spr", "Split right"));
  CHECK(fuzzy_score("", "anything"));
  CHECK(fuzzy_score("split right", "figure.split_right"));
  CHECK_FALSE(fuzzy_score("rs", "Split r"));
  CHECK_FALSE(fuzzy_score("a", ""));
  CHECK_FALSE(fuzzy_score("ss", "Save"));
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
