// SPDX-License-Identifier: BSD-3-Clause
// Copies by a tensor descriptor in statements: the atom, the tensor of coordinates, its tiles and their parts, from link to link.
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/lang/programs/evaluate.hpp"
#include "core/lang/programs/snippet.hpp"
#include "core/lang/values/convert.hpp"
#include "tests/support/catch.hpp"

namespace tessera {
namespace {

// What each statement binds, one line each.
std::vector<std::string> values_of(std::string_view text) {
  std::vector<std::string> made;
  const SnippetAnswer answer = evaluate_snippet(text);
  for (const StatementAnswer& each : answer.statements) {
    if (each.refused) made.push_back("refused: " + each.refused->message);
    for (const auto& [name, value] : each.values) made.push_back(fmt::format("{} = {}", name, to_string(value)));
  }
  return made;
}

constexpr std::string_view kLoad = R"(
auto M = 512; auto K = 256;
Tensor mA = make_tensor(make_gmem_ptr<half_t>(A), make_shape(M, K), make_stride(K, Int<1>{}));
auto sA_layout = tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, make_shape(Int<128>{}, Int<64>{}, Int<3>{}));
Copy_Atom load = make_tma_atom(SM90_TMA_LOAD{}, mA, sA_layout(_,_,0), make_shape(Int<128>{}, Int<64>{}));
Tensor coords = load.get_tma_tensor(make_shape(512, 256));
Tensor gA = local_tile(coords, make_shape(Int<128>{}, Int<64>{}), make_coord(2, _));
Tensor sA = make_tensor(make_smem_ptr<half_t>(smem), sA_layout);
auto [tAgA, tAsA] = tma_partition(load, Int<0>{}, Layout<_1>{}, group_modes<0,2>(sA), group_modes<0,2>(gA));
)";

}  // namespace

TEST_CASE("a block's tiles of a tensor of coordinates begin where the descriptor's coordinates say") {
  const std::vector<std::string> made = values_of(kLoad);
  REQUIRE(made.size() == 10);
  // The rows of a swizzled atom are 64 halves, 128 bytes: the descriptor counts columns first.
  CHECK(made[5] == "coords = (512,256):(1@1,1@0)");
  // Block row 2 begins at row 256, which is coordinate 1 of the descriptor. Its 4 tiles lie 64 columns apart.
  CHECK(made[6] == "gA = (0,256) o (128,64,4):(1@1,1@0,64@0)");
  // One copy moves the tile of 64 columns and 128 rows, and shared memory takes its elements side by side, in 3 stages of 8192.
  CHECK(made[8] == "tAgA = (0,256) o (((64,128),1),4):(((1@0,1@1),0),64@0)");
  CHECK(made[9] == "tAsA = Sw<3,3,3> o 0 o ((8192,1),(1,3)):((1,0),(0,8192))");
}

TEST_CASE("the coordinates of a descriptor are static, whatever the tensor's extents are") {
  const SnippetAnswer answer = evaluate_snippet(kLoad);
  const Value* coords = nullptr;
  for (const StatementAnswer& each : answer.statements) {
    for (const auto& [name, value] : each.values) {
      if (name == "coords") coords = &value;
    }
  }
  REQUIRE(coords);
  CHECK(print(*coords, Spelling::cute_print).value() == "(512,256):(_1@1,_1@0)");
}

TEST_CASE("the CTAs of a multicast begin one behind the other along the box's last mode") {
  const std::vector<std::string> made = values_of(std::string(kLoad) + R"(
auto tma = make_tma_copy(SM90_TMA_LOAD_MULTICAST{}, mA, sA_layout(_,_,0), make_shape(Int<128>{}, Int<64>{}), Int<2>{});
Tensor from = tma.get_slice(1).partition_S(gA);
Tensor to = tma.get_slice(1).partition_D(sA);
auto bits = tma.ValLayoutSrc;
)");
  REQUIRE(made.size() == 14);
  // Half of 8192 elements behind the first CTA: 64 rows of 64.
  CHECK(made[11] == "from = (0,320) o (((64,128),1),1,1,4):(((1@0,1@1),0),0,0,64@0)");
  CHECK(made[12].find("+ 4096, Sw<3,3,3> o 0 o") != std::string::npos);
  CHECK(made[13] == "bits = (1,8192):(0,1)");
}

TEST_CASE("an extent of 1 that is static is no mode of the descriptor, and one that only a program knows is") {
  const auto strides = [](std::string_view batch) {
    const std::string text = fmt::format(
        "Tensor m = make_tensor(make_gmem_ptr<half_t>(p), make_shape(512, 256, {}), make_stride(256, Int<1>{{}}, 131072));\n"
        "auto tma = make_tma_atom(SM90_TMA_LOAD{{}}, m, Layout<Shape<_128,_64>, Stride<_64,_1>>{{}}, Shape<_128,_64>{{}});\n"
        "auto t = tma.get_tma_tensor(make_shape(512, 256, {}));",
        batch, batch);
    return values_of(text).back();
  };
  CHECK(strides("Int<1>{}") == "t = (512,256,1):(1@1,1@0,0)");
  CHECK(strides("1") == "t = (512,256,1):(1@1,1@0,1@2)");
}

TEST_CASE("a TMA copy is read back from what it prints, and counts as its atom and its tiled copy") {
  const SnippetAnswer answer = evaluate_snippet(
      "auto tma = make_tma_copy(SM90_TMA_LOAD{}, make_tensor(make_gmem_ptr(half_t{}), (512,256):(256,1)), (128,64):(64,1), (128,64), 2);");
  REQUIRE(answer.statements.size() == 1);
  REQUIRE(answer.statements[0].values.size() == 1);
  const Value& tma = answer.statements[0].values[0].second;
  const std::string text = to_string(tma);
  const Result<Value> again = evaluate(text);
  REQUIRE(again);
  CHECK(to_string(*again) == text);
  CHECK(kind_name(tma) == "tma_copy");
  CHECK(as_copy_atom(tma)->traits.name == "Copy_Traits<SM90_TMA_LOAD,Int<131072>>");
  CHECK((*as_tiled_copy(tma))->num_threads() == 2);
  CHECK(print(tma, Spelling::cute_cpp).value().starts_with("TiledCopy<Copy_Atom<Copy_Traits<SM90_TMA_LOAD,Int<131072>>,half_t>"));
}

TEST_CASE("what a TMA copy cannot be made of is refused by its rule") {
  const auto refusal = [](std::string_view call) {
    const Result<Value> made = evaluate(call);
    return made ? "made " + to_string(*made) : std::string(made.error().message);
  };
  CHECK(refusal("make_tma_atom(SM90_TMA_LOAD, (512,256):(256,1), (128,64):(64,1), (128,64))").find("of what type") != std::string::npos);
  CHECK(refusal("make_tma_atom<float>(SM90_TMA_LOAD, make_tensor(make_gmem_ptr(half_t), (512,256):(256,1)), (128,64):(64,1), (128,64))")
            .find("widths that differ") != std::string::npos);
  CHECK(refusal("get_tma_tensor(SM90_TMA_LOAD, (512,256))").find("a TMA copy is wanted") != std::string::npos);
  constexpr std::string_view kAtom =
      "make_tma_atom(SM90_TMA_LOAD, make_tensor(make_gmem_ptr(half_t), (512,256):(256,1)), (128,64):(64,1), (128,64))";
  CHECK(refusal(fmt::format("get_tma_tensor({}, (512,256,2))", kAtom)).find("nested otherwise") != std::string::npos);
  CHECK(refusal(fmt::format("tma_partition({}, (8192,3):(1,8192), (4096,3):(1@0,1@1))", kAtom)).find("different sizes") !=
        std::string::npos);
  CHECK(refusal(fmt::format("tma_partition({}, (4096,3):(1,4096), (4096,3):(1@0,1@1))", kAtom)).find("one copy moves 8192") !=
        std::string::npos);
  CHECK(refusal(fmt::format("tma_partition({}, 0, (8192,3):(1,8192), (8192,3):(1@0,1@1))", kAtom)).find("together with its layout") !=
        std::string::npos);
  CHECK(refusal(fmt::format("get_slice({}, 0)", kAtom)).find("get_slice") != std::string::npos);
}

}  // namespace tessera
