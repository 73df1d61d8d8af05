// SPDX-License-Identifier: BSD-3-Clause
// The types of CuTe in compilers' messages and in the DSL's intermediate representation are read as the objects that they stand for.
#include <string>
#include <string_view>
#include <vector>

#include "core/lang/prints/prints.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

std::vector<std::string> read(std::string_view text) {
  std::vector<std::string> made;
  const Result<std::vector<Pasted>> pasted = read_paste(text);
  if (!pasted) return {"nothing"};
  for (const Pasted& each : *pasted) {
    made.push_back(each.value ? each.name + " = " + to_string(*each.value) : each.name + ": " + each.value.error().message);
  }
  return made;
}

using Strings = std::vector<std::string>;

}  // namespace

TEST_CASE("Types behind nvcc's `with` are named by what stood before them") {
  const Strings made = read(
      "matmul.h(413): error: static assertion failed\n"
      "          detected during instantiation of \"void run(const MMARc &, int) [with T=cutlass::half_t, "
      "ThrLayout=cute::Layout<cute::tuple<cute::C<1>, cute::C<4>, cute::_1>, cute::tuple<cute::C<0>, cute::C<1>, cute::C<0>>>, "
      "SmemLayoutA_=cute::ComposedLayout<cute::Swizzle<3, 3, 3>, cute::C<0>, cute::Layout<cute::tuple<cute::_64, cute::_8>, "
      "cute::tuple<cute::_1, cute::C<64>>>>, "
      "SmemLayoutB_=cute::ComposedLayout<cute::Swizzle<3, 4, 3>, cute::smem_ptr_flag_bits<16>, cute::Layout<cute::tuple<cute::_8, "
      "cute::_64>, cute::tuple<cute::_64, cute::_1>>>, "
      "MMARc=cute::Tensor<cute::ArrayEngine<cutlass::half_t, 8>, cute::Layout<cute::tuple<cute::_2, cute::_4>, cute::tuple<cute::_1, "
      "cute::_2>>>, <auto-1>=cute::_2]\"");
  CHECK(made == Strings{"ThrLayout = (1,4,1):(0,1,0)", "SmemLayoutA_ = Sw<3,3,3> o 0 o (64,8):(1,64)",
                        "SmemLayoutB_ = Sw<3,3,3> o 0 o (8,64):(64,1)", "MMARc = (2,4):(1,2)", "auto_1 = 2"});
}

TEST_CASE("A type's dynamic integers are asked for") {
  CHECK(read("a.cu:9: error: static assertion failed [with Shape = cute::tuple<cute::C<4>, int>; Stride = cute::tuple<cute::C<1>, "
             "cute::C<4> >; L = const cute::Layout<cute::tuple<cute::C<8>, long>, cute::tuple<cute::C<4>, cute::C<1> > >&]") ==
        Strings{"Shape: (_4,?) is known only when the program runs: give a number for element [1] (of type int)", "Stride = (1,4)",
                "L: (_8,?):(_4,_1) is known only when the program runs: give a number for shape[1] (of type long)"});
  CHECK(read("cute::Layout<cute::tuple<cute::constant<int, 4>, cute::integral_constant<int, 2>>, cute::tuple<cute::C<2U>, cute::_1>>") ==
        Strings{" = (4,2):(2,1)"});
  // Compilers name the outermost mode of a basis stride first, print() the innermost.
  CHECK(read("cute::Layout<cute::tuple<cute::_4>, cute::tuple<cute::ScaledBasis<cute::C<2>, 0, 1>>>") == Strings{" = (4):(2@1@0)"});
  // A stride that is a part of an element is a ratio.
  CHECK(read("instantiation of \"f [with S=cute::tuple<cute::ScaledBasis<cute::C<1>, 1>, cute::ScaledBasis<cute::R<1, 16>, 0>>]\"")[0].find(
            "the ratio 1/16") != std::string::npos);
}

TEST_CASE("Tensors' engines say where they lie and how wide their elements are") {
  const auto tensor = [](const std::string& engine) {
    const auto pasted = read_paste("cute::Tensor<\n  " + engine + ",\n  cute::Layout<cute::tuple<cute::C<8>, cute::C<64> >, " +
                                   "cute::tuple<cute::C<64>, cute::C<1> > > >");
    REQUIRE(pasted);
    REQUIRE(pasted->size() == 1);
    return pasted->front().expression;
  };
  const std::string layout = " o (_8,_64):(_64,_1)";
  CHECK(tensor("cute::ArrayEngine<float, 8>") == "ptr[32b](unset)" + layout);
  CHECK(tensor("cute::ViewEngine<cute::gmem_ptr<cutlass::half_t const *>>") == "gmem_ptr[16b](unset)" + layout);
  CHECK(tensor("cute::ViewEngine<cute::smem_ptr<cute::swizzle_ptr<cute::Swizzle<3,4,3>, cutlass::half_t *>>>") ==
        "Sw<3,4,3> o smem_ptr[16b](unset)" + layout);
  CHECK(tensor("cute::ViewEngine<cute::SM90::GMMA::DescriptorIterator>") == "DescriptorIterator" + layout);
  CHECK(tensor("cute::ViewEngine<cute::ArithmeticTupleIterator<cute::ArithmeticTuple<cute::C<0>, int>>>") == "ArithTuple(_0,0)" + layout);
}

TEST_CASE("MLIR's types of the DSL are read, with the names of aliases and results") {
  CHECK(read("!cute.layout<\"(8,4):(4,1)\">") == Strings{" = (8,4):(4,1)"});
  CHECK(read("!m = !cute.memref<f16, smem, align<1024>, S<3,4,3>, \"(64,8):(8,1)\">\n"
             "!c = !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<bf16>, layout_copy_tv = <\"((64,2),8):((16,1),2)\">, tiler_mn = "
             "<\"[2:1;4096:1]\">>\n"
             "%0 = cute.static : !cute.composed_layout<\"S<3,4,3> o 0 o (8,64):(64,1)\">\n"
             "%iter = cute.get_iter(%arg1) : !cute.coord_tensor<\"(0,0)\", \"(4,8):(1@1,1@0)\">") ==
        Strings{"m = Sw<3,3,3> o 0 o (64,8):(8,1)", "layout_copy_tv = ((64,2),8):((16,1),2)", "tiler_mn = (2:1,4096:1)",
                " = Sw<3,4,3> o 0 o (8,64):(64,1)", "iter = (4,8):(1@1,1@0)"});
  CHECK(read("!m = !cute.memref<f16, gmem, align<16>, \"(?,?):(?{i64 div=8},1)\">")[0].find(
            "shape[0], shape[1], stride[0] (a multiple of 8)") != std::string::npos);
}

TEST_CASE("A source file is no compiler's message") {
  CHECK(read("#include <cute/layout.hpp>\n// error: cute::Layout<cute::_4, cute::_1> is meant here\nint main() {}\n") ==
        Strings{"nothing"});
  CHECK(read("auto l = cute::Layout<cute::_4, cute::_1>{};\nf(l);\n") == Strings{"nothing"});
}
