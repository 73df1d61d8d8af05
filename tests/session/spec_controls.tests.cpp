// SPDX-License-Identifier: BSD-3-Clause
// A GEMM's fields as controls: every row of the table is one, and what is moved is read back as that field and no other.
#include "app/session/gemm/spec_controls.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/lang/eval/evaluate_expression.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

constexpr const char* kSmall = "gemm(m=64, n=96, k=16, mma=make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2)), cta_tiler=(64,32,16))";

GemmSpec spec_of(std::string_view expression) {
  const Result<Value> value = evaluate_expression(expression, {}, nullptr);
  INFO(expression << "\n" << (value ? "" : value.error().message));
  REQUIRE(value);
  return *std::get<std::shared_ptr<const GemmSpec>>(value->any);
}

const SpecControl& control(const std::vector<SpecControl>& all, std::string_view name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const SpecControl& each) { return each.field->name == name; });
  REQUIRE(found != all.end());
  return *found;
}

std::string changed(std::string_view expression, std::string_view field, std::string_view text) {
  const Result<std::string> made = with_field(expression, spec_of(expression), *find_spec_field(field), text);
  return made ? *made : "refused: " + made.error().message;
}

}  // namespace

TEST_CASE("every field that is no label has a control, in the order of the table") {
  const std::vector<SpecControl> all = controls_of(kSmall, spec_of(kSmall));
  std::size_t at = 0;
  for (const SpecField& field : spec_fields()) {
    if (field.is_label) continue;
    REQUIRE(at < all.size());
    CHECK(all[at++].field == &field);
  }
  CHECK(at == all.size());
  CHECK(control(all, "m").said);
  CHECK(control(all, "cta_tiler").text == "(64,32,16)");
  CHECK_FALSE(control(all, "stages").said);
  CHECK(control(all, "stages").text == "1");
  CHECK(control(all, "sA").text.empty());
  CHECK(control(all, "fragments").chosen == "automatic");
  CHECK(control(all, "mma").chosen == "SM80_16x8x16_F32F16F16F32_TN");
  CHECK(control(all, "type_c").chosen == "f32");
}

TEST_CASE("a field that is changed is read back as it was given, and the others stay") {
  const GemmSpec before = spec_of(kSmall);
  for (const auto& [field, text] : {std::pair("stages", "3"),
                                    {"cta_tiler", "(32,32,16)"},
                                    {"fragments", "all_k_blocks"},
                                    {"raster_group", "4"},
                                    {"m", "128"},
                                    {"alpha", "2.5"},
                                    {"sA", "(64,16):(17,1)"}}) {
    INFO(field << "=" << text);
    const GemmSpec after = spec_of(changed(kSmall, field, text));
    const std::vector<const SpecField*> differ = difference(before, after);
    REQUIRE(differ.size() == 1);
    CHECK(differ.front()->name == field);
  }
  CHECK(changed(changed(kSmall, "stages", "3"), "stages", "") == kSmall);
}

TEST_CASE("arguments by position are changed where they stand, and a name is replaced by what it becomes") {
  CHECK(changed("gemm(64, 96, 16, make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN), stages=2)", "n", "32") ==
        "gemm(64, 32, 16, make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN), stages=2)");
  const GemmSpec spec = spec_of(kSmall);
  const std::string named = "gemm(m=64, n=96, k=16, mma=tile)";
  CHECK(control(controls_of(named, spec), "mma").text.starts_with("make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2"));
  CHECK(with_field(named, spec, *find_spec_field("mma"), "other").value() == "gemm(m=64, n=96, k=16, mma=other)");
}

TEST_CASE("with an extent the matrices in global memory are cut and grow, where they are said") {
  const std::string padded =
      "gemm(m=64, n=96, k=16, mma=make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN), gA=(64,16):(1,64), gC=(64,96):(1,64))";
  const GemmSpec smaller = spec_of(changed(padded, "m", "32")), larger = spec_of(changed(padded, "m", "128"));
  CHECK(smaller.m == 32);
  CHECK((*smaller.gA)[0].size() == 32);
  CHECK((*smaller.gC)[0].size() == 32);
  CHECK_FALSE(smaller.gB);
  CHECK(larger.m == 128);
  CHECK((*larger.gA)[0].size() == 128);
  // What cannot be cut keeps its layout, and evaluating says what is wrong.
  CHECK(changed("gemm(m=64, n=96, k=16, mma=make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN), gA=(64,16):(17,1))", "m", "128") ==
        "gemm(m=128, n=96, k=16, mma=make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN), gA=(64,16):(17,1))");
}

TEST_CASE("a rung is written out when a field of it changes") {
  const GemmSpec before = spec_of("rung(9, 256, 256, 64)");
  const std::string made = changed("rung(9, 256, 256, 64)", "stages", "4");
  CHECK(made.starts_with("gemm("));
  const std::vector<const SpecField*> differ = difference(before, spec_of(made));
  REQUIRE(differ.size() == 1);
  CHECK(differ.front()->name == "stages");
  CHECK(spec_of(changed("rung(9, 256, 256, 64)", "m", "512")).m == 512);
  CHECK(changed("rung(9, 256, 256, 64)", "stages", "\"three\"").starts_with("refused: "));
}

TEST_CASE("an atom is chosen among those of its kind for as many threads, and the reason is known where one is refused") {
  const GemmSpec spec = spec_of(kSmall);
  const SpecField& mma = *find_spec_field("mma");
  const std::vector<ControlChoice> choices = choices_for(mma, spec);
  const auto has = [&](std::string_view name) {
    return std::any_of(choices.begin(), choices.end(), [&](const ControlChoice& each) { return each.shown == name; });
  };
  CHECK(has("SM80_16x8x16_F32F16F16F32_TN"));
  CHECK(has("SM80_16x8x8_F32F16F16F32_TN"));     // the same types
  CHECK(has("SM80_16x8x16_F32BF16BF16F32_TN"));  // the same shape
  CHECK_FALSE(has("SM70_8x8x4_F32F16F16F32_NT"));
  for (const ControlChoice& each : choices) {
    if (each.shown != "SM80_16x8x8_F32F16F16F32_TN") continue;
    CHECK(spec_of(changed(kSmall, "mma", each.text)).mma->atom().name == each.shown);
    CHECK(why_refused(spec, mma, each.text).empty());
  }
  CHECK_FALSE(why_refused(spec, *find_spec_field("copies"), "producer").empty());
  CHECK(choices_for(*find_spec_field("stages"), spec).empty());
  CHECK(choices_for(*find_spec_field("overlap"), spec).size() == 4);
}
