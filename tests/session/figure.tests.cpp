// SPDX-License-Identifier: BSD-3-Clause
// Every kind of value either becomes a figure or says why not.
#include "app/session/figure.hpp"

#include "core/lang/evaluate.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

Result<Scene> drawn(const std::string& text, const FigureOptions& options = {}) {
  const Result<Value> value = evaluate(text);
  INFO((value ? text : describe(value.error(), text)));
  REQUIRE(value);
  return figure_of(*value, text, options);
}

std::size_t cells(const std::string& text, const FigureOptions& options = {}) {
  const Result<Scene> scene = drawn(text, options);
  INFO((scene ? text : describe(scene.error())));
  REQUIRE(scene);
  return cell_count(*scene);
}

}  // namespace

TEST_CASE("layouts, atoms, tiled objects, GEMMs and figure calls are drawn") {
  CHECK(cells("(4,8):(8,1)") == 32);
  CHECK(cells("(4,8)") == 32);
  CHECK(cells("Sw<2,0,2> o 0 o (4,4):(4,1)") == 16);
  CHECK(cells("SM70_8x8x4_F32F16F16F32_NT") == 32 + 32 + 64);
  CHECK(cells("make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT, (2,2):(2,1))") == 64 + 64 + 256);
  CHECK(cells("tv_figure(((2,4),(2,2)):((8,1),(4,16)), (4,8):(8,1))") == 32);
  CHECK(cells("gemm(m=16, n=16, k=8, mma=make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT, (2,2):(2,1)))") > 0);
}

TEST_CASE("what a caller sets wins over what the expression says") {
  FigureOptions options;
  options.title = "mine";
  CHECK(drawn("layout_figure((4,8):(8,1), title=\"theirs\")", options).value().title == "mine");
  CHECK(drawn("layout_figure((4,8):(8,1), title=\"theirs\")").value().title == "theirs");
  options.kind = "tv_c";
  CHECK(cells("SM70_8x8x4_F32F16F16F32_NT", options) == 64);
}

TEST_CASE("a tensor whose element type was written colours its banks by it, through the functions that give its parts") {
  const auto bits_said = [](const std::string& text) {
    const Scene scene = drawn(text).value();
    for (const Panel& panel : scene.panels) {
      for (const Mark& mark : panel.marks) {
        const auto* label = std::get_if<Label>(&mark);
        const std::string said(label ? scene.text_of(label->text) : std::string_view());
        if (said.starts_with("banks")) return said;
      }
    }
    return std::string("nothing");
  };
  const std::string sixteen = "banks of elements of 16 bits", unknown = "banks as of 4-byte elements";
  const std::string atom = "GMMA::Layout_K_SW128_Atom<half_t>";
  CHECK(bits_said("layout_figure(" + atom + ", color=bank)") == sixteen);
  CHECK(bits_said("layout_figure(tile_to_shape(" + atom + ", (16,64)), color=bank)") == sixteen);
  CHECK(bits_said("layout_figure(Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1), color=bank)") == sixteen);
  CHECK(bits_said("layout_figure(smem_ptr[16b](unset) o (8,64):(64,1), color=bank)") == sixteen);
  CHECK(bits_said("layout_figure(local_tile(" + atom + ", (4,8), (0,1)), color=bank)") == sixteen);
  CHECK(bits_said("layout_figure(recast_layout(" + atom + ", 16, 8), color=bank)") == "banks of elements of 8 bits");
  CHECK(bits_said("layout_figure(upcast(" + atom + ", 2), color=bank)") == "banks of elements of 32 bits");
  CHECK(bits_said("layout_figure(" + atom + ", color=bank, bits=8)") == "banks of elements of 8 bits");  // what is asked for wins
  CHECK(bits_said("layout_figure((8,64):(64,1), color=bank)").starts_with(unknown));
  CHECK(bits_said("layout_figure((8,64):(64,1))") == "nothing");
}

TEST_CASE("what cannot be drawn is refused in words") {
  for (const char* text : {"Sw<2,0,2>", "\"text\"", "size((4,8):(8,1)) == 32"}) {
    const Result<Value> value = evaluate(text);
    if (!value) continue;  // not every spelling is in the language
    const Result<Scene> scene = figure_of(*value, text);
    INFO(text);
    REQUIRE_FALSE(scene);
    CHECK(scene.error().code == ErrorCode::wrong_type);
  }
  CHECK(drawn("nonsense_figure((4,8):(8,1))").error().code == ErrorCode::unknown_name);
  CHECK(drawn("layout_figure((4,8):(8,1), colour=\"bank\")").error().code == ErrorCode::unknown_name);
  CHECK(drawn("(1048576,1048576):(1048576,1)").error().code == ErrorCode::limit);
  CHECK(figure_style("print_latec").error().code == ErrorCode::unknown_name);
}
