// SPDX-License-Identifier: BSD-3-Clause
// draw: every format of a value in one call, made of the words that its file carries, within its caller's budget.
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "core/library/draw.hpp"

#include "core/base/budget.hpp"
#include "core/figure/figure.hpp"
#include "core/lang/programs/evaluate.hpp"
#include "core/render/shared/source_embed.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

constexpr std::string_view kTiledMma = "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1):(1,2,0))";

// The words of a refusal; empty: it was none.
std::string refusal(const Result<Exported>& drawn) { return drawn ? "" : std::string(to_string(drawn.error().code)); }

// PNG and PDF are written by Cairo, which may be absent.
bool needs_cairo(FigureFormat format) { return format == FigureFormat::png || format == FigureFormat::pdf; }

}  // namespace

TEST_CASE("a tiled MMA is drawn in each format of pictures, and each file says what it was made of") {
  for (const FigureFormat format : kFormatsWithSource) {
    CAPTURE(std::string(extension(format)));
    const Result<Exported> drawn = draw(kTiledMma, format);
    if (!drawn && needs_cairo(format)) continue;
    INFO((drawn ? "" : drawn.error().message));
    REQUIRE(drawn);
    const Result<Source> source = read_source(drawn->bytes);
    REQUIRE(source);
    CHECK(source->expression == kTiledMma);
    CHECK(draw(source->expression, format)->bytes == drawn->bytes);
  }
}

TEST_CASE("a value is drawn as its text in the language is") {
  const Result<Value> value = evaluate(kTiledMma);
  REQUIRE(value);
  const Result<Exported> of_value = draw(*value, FigureFormat::svg);
  REQUIRE(of_value);
  CHECK(of_value->bytes == draw(to_string(*value), FigureFormat::svg)->bytes);
  CHECK(of_value->bytes != draw("(4,8):(8,1)", FigureFormat::svg)->bytes);
}

TEST_CASE("the figure's options and the file's are both heard") {
  const FigureOptions viridis{.palette = "viridis"};
  const ExportOptions narrow{.width = "60mm"};
  const Result<Exported> plain = draw("(4,8):(8,1)", FigureFormat::svg);
  const Result<Exported> coloured = draw("(4,8):(8,1)", FigureFormat::svg, {.figure = viridis});
  const Result<Exported> sized = draw("(4,8):(8,1)", FigureFormat::svg, {.file = narrow});
  const Result<Exported> both = draw("(4,8):(8,1)", FigureFormat::svg, {.figure = viridis, .file = narrow});  // made again at that width
  for (const Result<Exported>* drawn : {&plain, &coloured, &sized, &both}) {
    INFO((*drawn ? "" : drawn->error().message));
    REQUIRE(*drawn);
    const bool has_yellow = (*drawn)->bytes.find("#fde725") != std::string::npos;  // viridis ends in it
    const Result<Source> source = read_source((*drawn)->bytes);
    REQUIRE(source);
    CHECK(has_yellow == (drawn == &coloured || drawn == &both));
    CHECK(source->palette == (has_yellow ? "viridis" : ""));
    CHECK(source->width == (drawn == &sized || drawn == &both ? "60mm" : ""));
  }
  CHECK(plain->left_out.empty());
  CHECK_FALSE(sized->left_out.empty());  // what has no room there is said
}

TEST_CASE("an expression may use the names of a scope") {
  const Value tile = *evaluate("(4,8):(8,1)");
  const Scope scope = [&](std::string_view name) { return name == "tile" ? &tile : nullptr; };
  const Result<Exported> drawn = draw("tile", FigureFormat::csv, {}, scope);
  REQUIRE(drawn);
  CHECK(drawn->bytes.find("\n8,9,10,11,12,13,14,15\n") != std::string::npos);
  CHECK(refusal(draw("tile", FigureFormat::csv)) == "unknown_name");
}

TEST_CASE("numbers in a table are text where text is wanted") {
  const Result<Value> value = evaluate("sweep(cosize((4,8):(p,1)), p=1..3)");
  INFO((value ? "" : value.error().message));
  REQUIRE(value);
  const auto* report = std::get_if<std::shared_ptr<const Report>>(&value->any);
  REQUIRE(report);
  CHECK(draw(*value, FigureFormat::csv)->bytes == table_of(**report, "csv"));
}

TEST_CASE("what cannot be drawn is refused with the rule that it breaks") {
  CHECK(refusal(draw("(4,8", FigureFormat::svg)) == "parse");
  CHECK(refusal(draw("composition((6,2):(1,7), (3,2):(2,3))", FigureFormat::svg)) == "breaks_law");
  CHECK(refusal(draw("1.5", FigureFormat::svg)) == "wrong_type");
  CHECK(refusal(draw("(4,8):(8,1)", FigureFormat::svg, {.figure = {.kind = "nothing_of_that_name"}})) == "unknown_name");
  CHECK(refusal(draw("(4,8):(8,1)", FigureFormat::png, {.file = {.scale = 2, .dpi = 300}})) == "parse");
}

TEST_CASE("a figure stays within the budget of its caller") {
  {
    const Budget budget(Limits{.cells = 16});
    CHECK(refusal(draw("(64,64):(64,1)", FigureFormat::svg)) == "limit");
  }
  CHECK(refusal(draw("(64,64):(64,1)", FigureFormat::svg)).empty());
}
