// SPDX-License-Identifier: BSD-3-Clause
// Which lines of two plans differ, and how that is said.
#include <cstdint>
#include <string>

#include "kernels/runtime/cache/plan_lines.hpp"

#include "kernels/runtime/cache/cache_entry.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/smallest_kernel.hpp"
#include "tests/support/typed_specs.hpp"

using namespace tessera;

TEST_CASE("lines are paired by their names, and differ in the value or else in the map") {
  CHECK(plan_differences("a\t1\tx\n", "a\t1\tx\n").empty());
  const auto found = plan_differences("a\t1\tx\nb\t2\ty\ngone\t3\tz\n", "new\t4\tw\na\t7\tx\nb\t2\tyy\n");
  REQUIRE(found.size() == 4);
  CHECK((found[0].name == "new" && found[0].was.empty() && found[0].is == "4"));
  CHECK((found[1].name == "a" && found[1].was == "1" && found[1].is == "7"));
  CHECK((found[2].name == "b" && found[2].was == "y" && found[2].is == "yy"));
  CHECK((found[3].name == "gone" && found[3].was == "3" && found[3].is.empty()));
  CHECK(plan_differences_in_words(found) == "in the plan new was not there, is 4; a was 1, is 7; b was y, is yy; and 1 more line differs");
  CHECK(plan_differences_in_words({}).empty());
  for (const char* odd : {"", "\n", "a", "a\t", "\t\t\t\t\n\n"}) {
    CHECK(plan_differences(odd, odd).empty());
    CHECK(plan_differences_in_words(plan_differences(odd, "a\tb\tc\td\n")).size() < 200);
  }
  CHECK(plan_differences_in_words({{"n", std::string(5000, 'x'), ""}}).size() < 200);
}

TEST_CASE("of two maps only the pieces that differ are said") {
  const auto found = plan_differences("c\t(8,8)\t32 x 16 CTAs, 64 k-tiles; 3 stages\nd\t1\ta, b\n",
                                      "c\t(8,8)\t16 x 16 CTAs, 64 k-tiles; 4 stages\nd\t1\ta\n");
  REQUIRE(found.size() == 2);
  CHECK((found[0].was == "32 x 16 CTAs, 3 stages" && found[0].is == "16 x 16 CTAs, 4 stages"));
  CHECK((found[1].was == "a, b" && found[1].is == "a"));
}

TEST_CASE("a changed field is found in the plan, and a problem says its extents, majors and types") {
  const auto source = [](std::int64_t stages) {
    return emit_gemm(lower(support::typed("SM80_16x8x16_F32BF16BF16F32_TN", ValueType::f32, stages)).value()).value();
  };
  const std::string words = plan_differences_in_words(plan_differences(source(2).plan_text, source(3).plan_text));
  INFO(words);
  CHECK(words.find("2 stages") != std::string::npos);
  CHECK(words.find("3 stages") != std::string::npos);
  CHECK(problem_in_words(source(2)) == "128 x 64 x 256 TN, bf16 bf16 f32");
  CHECK(problem_in_words(emit_gemm(lower(support::article()).value()).value()) == "64 x 96 x 16 NT, f16 f16 f32");
  CHECK(problem_in_words(KernelSource()).empty());
}
