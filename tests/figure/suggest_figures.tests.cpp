// SPDX-License-Identifier: BSD-3-Clause
// What is suggested where a figure was called by another name than its own.
#include "core/figure/suggest_figures.hpp"

#include <string>
#include <vector>

#include "core/lang/eval/evaluate_expression.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

Error refused(const std::string& text) {
  Result<Value> value = evaluate_expression(text, {}, nullptr);
  REQUIRE_FALSE(value);
  Error error = value.error();
  suggest_with_figures(error, text);
  return error;
}

std::string fix_of(const std::string& text) {
  const Error error = refused(text);
  return error.fix ? error.fix->replacement : std::string();
}

}  // namespace

TEST_CASE("a slip in the name of a figure, and a kind without the word figure, are mended") {
  CHECK(fix_of("tv_figur(((2,4),(2,2)):((8,1),(4,16)))") == "tv_figure");
  CHECK(fix_of("swizzle(Sw<3,3,3> o 0 o (8,64):(64,1))") == "swizzle_figure");
  CHECK(refused("swizzle(Sw<3,3,3> o 0 o (8,64):(64,1))").notes == std::vector<std::string>{"perhaps swizzle_figure is meant"});
}

TEST_CASE("functions come before figures, and a word for drawing is told how figures are called") {
  CHECK(fix_of("coalesc((4,8):(8,1))") == "coalesce");
  CHECK(fix_of("make_layot((4,8))") == "make_layout");
  const Error figure = refused("figure((4,8):(8,1))");
  CHECK_FALSE(figure.fix);
  REQUIRE(figure.notes.size() == 1);
  CHECK(figure.notes[0].find("layout_figure, tv_figure") != std::string::npos);
  CHECK(fix_of("nothing_like_it((4,8):(8,1))").empty());
}
