// SPDX-License-Identifier: BSD-3-Clause
// Which integers of a result are static: `_8` and `8` in what print() writes, as CuTe's types come out.
#include <fstream>
#include <string>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/lang/programs/evaluate.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/source_dir.hpp"

using namespace tessera;

namespace {

// print() of the expression; a refusal is its own text.
std::string printed(const std::string& text) {
  const Result<Value> value = evaluate(text);
  if (!value) return describe(value.error(), text);
  if (const auto* already = std::get_if<std::string>(&value->any)) return *already;
  const Result<std::string> print_of = print(*value, Spelling::cute_print);
  return print_of ? *print_of : describe(print_of.error());
}

std::vector<Error> warnings_of(const std::string& text) {
  std::vector<Error> warnings;
  const Result<Value> value = evaluate(text, {}, &warnings);
  INFO(text);
  CHECK(value.has_value());
  return warnings;
}

struct Line {
  std::string text, print;
};

void hold(const std::vector<Line>& lines) {
  for (const Line& line : lines) {
    INFO(line.text);
    CHECK(printed(line.text) == line.print);
  }
}

}  // namespace

TEST_CASE("print() writes the underscores that CuTe writes") {
  std::ifstream file(test::source_dir() + "/tests/oracle/underscores.jsonl");
  REQUIRE(file.good());
  int rows = 0;
  for (std::string line; std::getline(file, line); ++rows) {
    const auto row = nlohmann::json::parse(line);
    INFO(row["id"].get<std::string>() << ": " << row["text"].get<std::string>());
    if (row.contains("otherwise"))  // why it is: see docs/decisions/0009
      CHECK(printed(row["text"].get<std::string>()) == row["otherwise"].get<std::string>());
    else
      CHECK(printed(row["text"].get<std::string>()) == row["printed"].get<std::string>());
  }
  CHECK(rows > 100);
}

TEST_CASE("a text without a word of C++ for integers is static throughout") {
  hold({{"print((4,8):(8,1))", "(_4,_8):(_8,_1)"},
        {"print(composition((12,(4,8)):(59,(13,1)), (3,8)))", "(_3,(_4,_2)):(_59,(_13,_1))"},
        {"print(cute.make_layout((4, 8), stride=(8, 1)))", "(_4,_8):(_8,_1)"},
        {"print(zipped_divide((9,8):(59,13), <3:3, 4:2>))", "((_3,_4),(_3,_2)):((_177,_26),(_59,_13))"}});
}

TEST_CASE("a plain integer beside a static one is dynamic, and so is what is made of it") {
  hold({{"print((_4,8):(8,_1))", "(_4,8):(8,_1)"},
        {"print(make_layout(make_shape(80,_40{})))", "(80,_40):(_1,80)"},
        {"print(make_layout(make_shape(Int<8>{}, 4, C<2>{})))", "(_8,4,_2):(_1,_8,32)"},
        {"print(make_layout(make_shape(_8{}, 4, _2{}), LayoutRight{}))", "(_8,4,_2):(8,_2,_1)"},
        {"print(make_ordered_layout(make_shape(_8{}, 4, _2{}), make_shape(_1{}, _0{}, _2{})))", "(_8,4,_2):(4,_1,32)"},
        {"print(make_shape(3, 4 + _4{}, _2{} * _4{}))", "(3,8,_8)"},
        {"print(size(make_shape(_4{}, 2)))", "8"},
        {"print(make_layout(128, GenColMajor{}))", "128:_1"},
        {"print(make_layout((cutlass.Int32(8), 4)))", "(8,_4):(_1,8)"},
        {"print(rank(make_shape(_4{}, 2)))", "_2"},
        {"print(product_each(make_shape(make_shape(_4{}, 2), Shape<_3,_5>{})))", "(8,_15)"},
        {"print(make_layout(make_shape(2, 3, 4, 5), make_stride(Int<0>{}, 42, Int<1>{}, Int<0>{})))", "(2,3,4,5):(_0,42,_1,_0)"},
        {"print(make_layout_like(make_layout(make_shape(2, 3, 4, 5), make_stride(Int<0>{}, 42, Int<1>{}, Int<0>{}))))",
         "(2,3,4,5):(_0,4,_1,_0)"}});
}

TEST_CASE("constants that the algebra makes itself are static") {
  hold({{"print(append((_4,8):(8,_1), 3))", "(_4,8,_1):(8,_1,_0)"},
        {"print(complement(_4:_1, make_shape(24)))", "6:_4"},
        {"print(complement(_4:_2, 24))", "(_2,3):(_1,_8)"},
        {"print(complement(make_layout(4, _2{}), 24))", "(_2,3):(_1,8)"},
        {"print(composition((4,8):(_8,_1), _2:_0))", "_2:_0"},
        {"print(filter_zeros((4,8):(_0,_1)))", "(_1,8):(_0,_1)"},
        {"print(make_layout(make_shape(_1{}, 8)))", "(_1,8):(_0,_1)"}});
}

TEST_CASE("the marks travel through composition, divide, product and inverses") {
  hold({{"print(composition((12,(4,8)):(59,(13,1)), make_shape(Int<3>{}, Int<8>{})))", "(_3,(4,2)):(59,(13,1))"},
        {"print(composition(make_layout(20, _2{}), make_layout(make_shape(_5{}, 4), make_stride(4, _1{}))))", "(_5,4):(8,_2)"},
        {"print(logical_divide(make_layout(24, _2{}), Int<4>{}))", "(_4,6):(_2,_8)"},
        {"print(zipped_divide(make_layout(make_shape(64, 32), make_stride(_1{}, 64)), make_shape(_16{}, _8{})))",
         "((_16,_8),(4,4)):((_1,64),(_16,512))"},
        {"print(logical_product(make_layout(_4{}), make_layout(3)))", "(_4,3):(_1,_4)"},
        {"print(logical_product(make_layout(4), make_layout(_3{})))", "(4,_3):(_1,4)"},
        {"print(blocked_product((_2,_2):(_1,_2), make_layout(make_shape(3, _4{}))))", "((_2,3),(_2,_4)):((_1,_4),(_2,12))"},
        {"print(tile_to_shape(Layout<Shape<_8,_8>>{}, make_shape(64, _32{})))", "((_8,8),(_8,_4)):((_1,_64),(_8,512))"},
        {"print(right_inverse(make_layout(make_shape(_4{}, 8))))", "32:_1"},
        {"print(upcast<2>((_4,8):(_1,8)))", "(_2,8):(_1,4)"},
        {"print(coalesce((_4,8):(_1,16)))", "(_4,8):(_1,16)"},
        {"print(select<1,0>((_4,8):(8,_1)))", "(8,_4):(_1,8)"},
        {"print(group<0,2>((_4,8,_2):(8,_1,_32)))", "((_4,8),_2):((8,_1),_32)"},
        {"print(slice((2,_), ((_3,2),(2,_5,_2)):((4,1),(_2,13,100))))", "((2,_5,_2)):((_2,13,100))"},
        {"print(shape_div(make_shape(_12{}, 8), make_shape(_3{}, _4{})))", "(_4,2)"}});
}

// As CuTe 4.7's types come out: dumped from its C++.
TEST_CASE("an index is static where CuTe's integers are: of static ones, and of a static 0") {
  hold({{"print(make_layout(make_shape(Int<4>{},8),make_stride(8,Int<1>{}))(Int<0>{},Int<3>{}))", "_3"},
        {"print(make_layout(make_shape(Int<4>{},8),make_stride(8,Int<1>{}))(Int<2>{},Int<3>{}))", "19"},
        {"print(Layout<Shape<_3,_16>>{}(2,Int<14>{}))", "44"},
        {"print(Layout<Shape<Shape<_2,_3>,_4>,Stride<Stride<_1,_0>,_2>>{}(make_coord(Int<1>{},2),Int<3>{}))", "_7"},
        {"print(Layout<Shape<Shape<_1,_6>,_4>,Stride<Stride<_5,_1>,_6>>{}(5,Int<3>{}))", "23"},
        {"print(Layout<Shape<Shape<_2,_1>,_4>,Stride<Stride<_1,_7>,_2>>{}(Int<1>{},Int<3>{}))", "_7"},
        {"print(make_layout(make_shape(make_shape(2,Int<3>{}),Int<4>{}))(Int<0>{},Int<1>{}))", "6"},
        {"print(composition(Swizzle<3,3,3>{},Layout<Shape<_8,_64>,Stride<_64,_1>>{})(Int<3>{},Int<5>{}))", "_221"},
        {"print(composition(Swizzle<3,3,3>{},Layout<Shape<_8,_64>,Stride<_64,_1>>{})(3,Int<5>{}))", "221"},
        {"print(crd2idx(make_coord(0,1),Shape<_1,_2>{},Stride<_2,_1>{}))", "1"},
        {"print(crd2idx(make_coord(0,Int<1>{}),Shape<_1,_2>{},Stride<_0,_1>{}))", "_1"},
        {"print(idx2crd(5,make_shape(Int<1>{},Int<4>{},2)))", "(_0,1,1)"},
        {"print(idx2crd(Int<5>{},make_shape(Int<3>{},Int<4>{},2)))", "(_2,_1,_0)"},
        {"print(idx2crd(Int<5>{},make_shape(3,Int<4>{})))", "(2,1)"},
        {"print(idx2crd(Int<0>{},make_shape(3,Int<4>{})))", "(_0,_0)"},
        {"print(idx2crd(Int<11>{},make_shape(make_shape(Int<6>{},1),make_shape(make_shape(Int<16>{})))))", "((5,0),((1)))"},
        {"print(idx2crd(Int<67>{},make_shape(Int<3>{},make_shape(Int<1>{},Int<3>{},8))))", "(_1,(_0,_1,_7))"},
        {"print(idx2crd(17,make_shape(make_shape(Int<3>{},3,Int<1>{}),Int<16>{})))", "((2,2,0),1)"},
        {"print(cosize(make_layout(make_shape(Int<1>{},Int<4>{}),make_stride(7,Int<2>{}))))", "_7"},
        {"print(cosize(make_layout(make_shape(Int<2>{},Int<4>{}),make_stride(7,Int<0>{}))))", "8"},
        {"print(make_layout(make_shape(3,Int<4>{}),make_stride(Int<1>{},3)).size())", "12"},
        {"print(round_up(make_shape(4,Int<12>{}),make_shape(Int<2>{},Int<4>{})))", "(4,_12)"},
        {"print(max(make_shape(Int<2>{},make_shape(Int<9>{},Int<4>{}))))", "_9"},
        {"print(max(make_shape(Int<2>{},make_shape(9,Int<4>{}))))", "9"},
        {"print(gcd(Int<12>{},Int<8>{}))", "_4"},
        {"print(lcm(Int<12>{},8))", "24"},
        {"print(inner_product(make_shape(Int<2>{},make_shape(3,Int<4>{})),make_shape(Int<5>{},make_shape(Int<6>{},Int<7>{}))))", "56"},
        {"print(tile_shape(make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{},Layout<Shape<_2,_2,_1>>{})))", "(_32,_16,_16)"}});
}

TEST_CASE("a value and its text know no underscores") {
  CHECK(to_string(*evaluate("make_layout(make_shape(80,_40{}))")) == "(80,40):(1,80)");
  CHECK(std::get<bool>(evaluate("(_4,8):(8,_1) == (4,8):(8,1)")->any));
}

TEST_CASE("C++ and the DSL get static integers as types or constants and dynamic ones as numbers") {
  hold({{"print_cpp((_4,_8):(_8,_1))", "Layout<Shape<_4,_8>,Stride<_8,_1>>"},
        {"print_cpp((_4,8):(8,_1))", "make_layout(make_shape(_4{}, 8), make_stride(8, _1{}))"},
        {"print_cpp(make_shape(Int<11>{}, make_shape(8, _2{})))", "make_shape(Int<11>{}, make_shape(8, _2{}))"},
        {"print_cpp(make_tile(8, Layout<_4,_2>{}))", "make_tile(8, Layout<_4,_2>{})"},
        {"print_cpp(composition(Swizzle<3,3,3>{}, make_layout(make_shape(8, _64{}))))",
         "make_composed_layout(Swizzle<3,3,3>{}, _0{}, make_layout(make_shape(8, _64{}), make_stride(_1{}, 8)))"},
        {"print_dsl((_4,8):(8,_1))", "cute.make_layout((4, cutlass.Int32(8)), stride=(cutlass.Int32(8), 1))"}});
}

TEST_CASE("what CuTe would give in another form, not knowing an integer, is said") {
  for (const char* text : {"coalesce((_4,8):(_1,4))", "make_layout(make_shape(8, 1, _4{}))", "right_inverse((_4,8):(_1,4))",
                           "composition((4,8):(_8,_1), make_layout(make_shape(4)))",
                           // CuTe has merged none of these modes, and (2,2):(4,8), (4,2,1,1):(_64,1,4,32) and (_4,_2,1):(_2,_1,_8)
                           "composition(make_layout(make_shape(8,Int<32>{}),make_stride(1,8)),Layout<Int<4>,Int<4>>{})",
                           "composition(make_layout(make_shape(make_shape(4,4),make_shape(Int<8>{},Int<2>{})),make_stride(make_stride("
                           "Int<64>{},1),make_stride(4,Int<32>{}))),Layout<Int<8>,Int<1>>{})",
                           "tiled_divide(make_layout(make_shape(8),make_stride(Int<1>{})),Layout<Int<4>,Int<2>>{})"}) {
    INFO(text);
    const std::vector<Error> warnings = warnings_of(text);
    REQUIRE(warnings.size() == 1);
    CHECK(warnings[0].code == ErrorCode::not_representable);
    CHECK(warnings[0].message.find("in another form") != std::string::npos);
  }
  for (const char* text : {"coalesce((_4,8):(_1,16))", "coalesce((4,8):(1,4))", "make_layout(make_shape(8, _1{}, _4{}))",
                           "right_inverse((4,8):(1,4))", "flatten(make_layout(make_shape(8, 2)))"}) {
    INFO(text);
    CHECK(warnings_of(text).empty());
  }
}

// What CuTe 4.7, compiled, makes of strides and shapes that it does not know.
TEST_CASE("elements of another width follow static strides alone") {
  hold({{"print(upcast<4>(make_layout(make_shape(Int<8>{},Int<3>{}),make_stride(8,Int<1>{}))))", "(_8,_1):(2,_1)"},
        {"print(upcast<4>(make_layout(make_shape(make_shape(Int<2>{},8),Int<32>{}),make_stride(make_stride(Int<256>{},1),8))))",
         "((_2,8),_32):((_64,0),2)"},
        {"print(recast_layout<int8_t,double>(make_layout(make_shape(32),make_stride(1))))", "(32):(0)"},
        {"print(downcast<2>(make_layout(make_shape(4,Int<8>{}),make_stride(Int<1>{},4))))", "(8,_8):(_1,8)"},
        {"print(downcast<2>(make_layout(make_shape(4,Int<8>{},2),make_stride(1,Int<1>{},4))))", "(4,_16,2):(2,_1,8)"}});
  const std::vector<Error> warnings = warnings_of("upcast<4>(make_layout(make_shape(Int<8>{}),make_stride(1)))");
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].code == ErrorCode::breaks_law);
  CHECK(warnings_of("upcast<4>(make_layout(make_shape(Int<4>{},8),make_stride(Int<1>{},4)))").empty());
  for (const char* text : {"downcast<2>(make_layout(make_shape(Int<8>{}),make_stride(1)))",
                           "recast_layout<double,float>(make_layout(make_shape(16,Int<16>{}),make_stride(16,1)))"}) {
    INFO(text);
    REQUIRE_FALSE(evaluate(text));
    CHECK(evaluate(text).error().message.find("static stride 1") != std::string::npos);
  }
}

TEST_CASE("registers have static extents, and a fragment of others is compact from the left") {
  hold({{"print(make_fragment_like(make_layout(make_shape(12,make_shape(4,Int<4>{})),make_stride(Int<1>{},make_stride(12,Int<48>{})))))",
         "(12,(4,_4)):(_1,(12,48))"},
        {"print(make_fragment_like(make_layout(make_shape(Int<8>{},3),make_stride(3,1))))", "(_8,3):(_1,_8)"},
        {"print(make_fragment_like(make_layout(make_shape(Int<8>{},Int<4>{},Int<2>{}),make_stride(8,Int<1>{},4))))",
         "(_8,_4,_2):(_1,_8,_32)"}});
  const std::string mma = "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{})";
  const std::string half = "make_tensor(make_gmem_ptr<half_t>(nullptr),make_layout(make_shape(Int<16>{},16),make_stride(Int<1>{},16)))";
  for (const std::string& text :
       std::vector<std::string>{"make_fragment_like(" + half + ")", "make_tensor_like(" + half + ")",
                                "partition_fragment_C(" + mma + ",make_shape(16,Int<8>{}))",
                                mma + ".get_slice(0).partition_fragment_A(" + half + ")", "make_tensor<float>(make_shape(Int<4>{},8))"}) {
    INFO(text);
    const Result<Value> made = evaluate(text);
    REQUIRE_FALSE(made);
    CHECK(made.error().message.find("Dynamic owning tensors not supported") != std::string::npos);
  }
  for (const std::string& text :
       std::vector<std::string>{"partition_fragment_C(" + mma + ",make_shape(Int<16>{},Int<8>{}))", "make_fragment_like((4,8):(8,1))",
                                "make_tensor<float>(make_shape(Int<4>{},Int<8>{}))", "make_layout_like(layout(" + half + "))"}) {
    INFO(text);
    CHECK(evaluate(text));
  }
}
