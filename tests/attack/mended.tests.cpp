// SPDX-License-Identifier: BSD-3-Clause
// What attacks found, one case a finding: it stays mended.
#include <chrono>
#include <string>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/lang/document/document.hpp"
#include "tests/attack/attack.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/support/catch.hpp"

using namespace tessera::attack;

namespace {

// A value without a word.
void is(const std::string& expression, const std::string& value) {
  const Answer answer = ask(expression);
  INFO(expression << " -> " << answer.text << (answer.warnings.empty() ? "" : "   warned: " + answer.warnings[0]));
  CHECK_FALSE(answer.refused);
  CHECK(answer.text == value);
  CHECK(answer.warnings.empty());
}

// A refusal, or a value with a warning.
void has_a_word(const std::string& expression) {
  const Answer answer = ask(expression);
  INFO(expression << " -> " << answer.text);
  CHECK((answer.refused || !answer.warnings.empty()));
}

// Within the time of a request, whatever the answer is.
Answer in_time(const std::string& expression) {
  const auto begin = std::chrono::steady_clock::now();
  const tessera::Budget budget;
  Answer answer = ask(expression);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  INFO(expression.substr(0, 200) << " took " << seconds << " s -> " << answer.text.substr(0, 200));
  CHECK(seconds < 60);
  return answer;
}

}  // namespace

TEST_CASE("A composition with negative strides is CuTe's where C++ division makes it right", "[mended]") {
  is("composition((1,(2,4)):(0,(-1,512)), 2:-1)", "2:1");
  is("composition((1,(2,4)):(0,(-1,512)), 4:-1)", "(2,2):(1,-512)");
  is("composition((4,4):(1,100), 2:-1)", "2:-1");
  is("composition((4,4):(1,100), 4:-2)", "(2,2):(-2,-100)");
  is("composition((2,3):(2,1), 6:-1)", "(2,3):(-2,-1)");
}

TEST_CASE("A tile of a layout that CuTe gets wrong comes with a word", "[mended]") {
  has_a_word("local_tile(((12,5),2):((4,5),64),(5,1),(11,0))");
  has_a_word("local_partition(((12,5),2):((4,5),64),(5,1),3)");
}

TEST_CASE("A partition that crosses the modes of its tensor comes with a word", "[mended]") {
  const std::string mma = "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN)";
  has_a_word("partition_A(" + mma + ", ((24,2),(4,4)):((4,384),(1,96)), 5)");
  has_a_word("thrfrg_A(" + mma + ", ((24,2),(4,4)):((4,384),(1,96)))");
  has_a_word("thrfrg_C(make_tiled_mma(SM70_8x8x4_F32F16F16F32_NN, (1,1,3):(0,0,1), (_,8,12)), (8,(12,2)):(24,(2,1)))");
  const Answer right = ask("partition_A(" + mma + ", (16,16):(1,16), 5)");
  CHECK_FALSE(right.refused);
  CHECK(right.warnings.empty());
}

TEST_CASE("Two places of an MMA that share a thread come with a word", "[mended]") {
  has_a_word("thr_layout_vmnk(make_tiled_mma(SM70_8x8x4_F16F16F16F16_TN, (3,2,1):(1,3,0)))");
}

TEST_CASE("An inverse that does not undo its layout comes with a word", "[mended]") {
  has_a_word("right_inverse(Sw<3,1,3> o 4 o 12:8)");
  has_a_word("left_inverse((12,2):(2,16))");
  is("right_inverse((4,8):(8,1))", "(8,4):(4,1)");
  is("left_inverse((4,8):(8,1))", "(8,4):(4,1)");
}

TEST_CASE("A cast that loses or doubles bits comes with a word", "[mended]") {
  has_a_word("recast_layout((8,1):(6,16),16,32)");
  has_a_word("recast_layout(((8,4),7,1):((16,1),1,4), 64, 1)");
  has_a_word("upcast(7:1,4)");
  is("upcast((8,4):(1,8),4)", "(2,4):(1,2)");
  is("recast_layout((4,8):(8,1),16,32)", "(4,4):(4,1)");
}

TEST_CASE("A divide that drops elements, or reaches beyond a mode of one, comes with a word", "[mended]") {
  has_a_word("tiled_divide((3,16,2):(19,1,57),(2,2):(3,1))");
  has_a_word("zipped_divide(1:24, 5)");
  has_a_word("logical_divide(1:1, 6)");
  is("zipped_divide((4,8):(8,1), (2,4))", "((2,4),(2,2)):((8,1),(16,4))");
}

TEST_CASE("Copies of a block that overlap come with a word", "[mended]") {
  has_a_word("flat_product((4,4):(48,8), (4,3):(3,1))");
  is("logical_product((2,2):(1,2), 3:1)", "((2,2),3):((1,2),4)");
}

TEST_CASE("A swizzled composition that reaches beyond its first layout comes with a word", "[mended]") {
  has_a_word("composition((2,4):(4,1), Sw<1,0,2> o 0 o 8:2)");
  has_a_word("composition(3:48, Sw<1,1,4> o 0 o ((4,4),4,2):((4,1),16,64))");
}

TEST_CASE("A complement that leaves its bound comes with a word", "[mended]") {
  has_a_word("complement(2:5,3)");
  is("complement((4,8):(1,8), 64)", "2:4");
}

TEST_CASE("A complement that leaves an index out comes with a word", "[mended]") {
  has_a_word("complement((2,2):(1,3), 12)");
  has_a_word("complement((2,2):(1,3))");
  has_a_word("complement((4,3,2):(1,5,20), 40)");
  is("complement((2,2):(1,3), 2)", "1:0");  // what is left out lies beyond the bound
  is("complement((2,2):(1,6), 24)", "(3,2):(2,12)");
}

TEST_CASE("A layout like one of equal strides overlaps, as CuTe's does, and comes with a word", "[mended]") {
  has_a_word("make_layout_like((2,3):(5,5))");
  has_a_word("make_layout_like(((2,3),4):((1,7),7))");
  is("make_layout_like((2,3,4,5):(0,42,1,0))", "(2,3,4,5):(0,4,1,0)");
  is("make_layout_like((2,1,3):(5,5,1))", "(2,1,3):(3,0,1)");  // a mode of one element overlaps with none
}

TEST_CASE("What is common to two layouts ends with the first, or comes with a word", "[mended]") {
  has_a_word("max_common_vector(2:1, 4:1)");
  has_a_word("max_common_layout(2:1, 4:1)");
  is("max_common_vector(4:1, 2:1)", "2");
  is("max_common_layout((4,2):(1,8), (4,2):(1,4))", "4:1");
  Dice dice(5);
  for (int k = 0; k < 500 * factor(); ++k) {
    const Plain a = wild_layout(dice, 3), b = wild_layout(dice, 3);
    const std::string text = "max_common_vector(" + to_text(a) + ", " + to_text(b) + ")";
    const Answer answer = ask(text);
    if (answer.refused) continue;
    const Int n = std::stoll(answer.text);
    const Plain back = right_inverse(b);
    bool common = n <= size(a);
    for (Int i = 0; common && i < n && i < size(back); ++i) common = at(a, at(back, i)) == i;
    INFO(text << " is " << answer.text);
    CHECK(answer.warnings.empty() == common);
  }
}

TEST_CASE("A layout that begins below 0 is neither compact nor surjective", "[mended]") {
  for (const char* layout : {"8:-1", "(2,4):(-1,2)", "(2,4):(4,-1)", "((2,2),2):((1,-2),4)"}) {
    has_a_word(std::string("is_compact(") + layout + ")");
    has_a_word(std::string("is_surjective(") + layout + ")");
    const Answer answer = ask(std::string("inspect(") + layout + ")");
    INFO(layout << "\n" << answer.text);
    CHECK(answer.text.find("bijection") == std::string::npos);
    CHECK(answer.text.find("begin below 0") != std::string::npos);
  }
}

TEST_CASE("What lies outside a layout, a tile or an MMA comes with a word", "[mended]") {
  has_a_word("crd2idx((4,0),(4,8):(8,1))");
  has_a_word("local_tile((8,8):(1,8),(2,2),(5,0))");
  has_a_word("partition_C(make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN,(2,2)), (32,16):(1,32), 200)");
  has_a_word("composition((4,8):(8,1),(5,3))");
  has_a_word("make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (4,1,1), (32,_,_))");
}

TEST_CASE("Numbers at the ends of 64 bits are refused, not read out of range", "[mended]") {
  for (const char* end : {"9223372036854775807", "9223372036854775806", "-9223372036854775808", "-9223372036854775807"}) {
    for (const char* call : {"select((2,4), {})",
                             "select((2,4):(1,2), {})",
                             "get((2,4):(1,2), {})",
                             "take((2,4), 0, {})",
                             "take((2,4), {}, 1)",
                             "group((2,4), 0, {})",
                             "group((2,4), {}, 1)",
                             "size((2,4):(1,2), {})",
                             "append(4:1, 2:1, {})",
                             "append_ones(4:1, {})",
                             "prepend_ones(4:1, {})",
                             "get_1d_coord((2,4):(1,2), {})",
                             "idx2crd({}, (2,4))",
                             "crd2idx({}, (2,4):(1,2))",
                             "upcast(8:1, {})",
                             "downcast(8:1, {})",
                             "recast_layout(8:1, {}, 1)",
                             "complement(4:1, {})",
                             "round_up({}, 16)",
                             "ceil_div({}, 16)",
                             "shape_div({}, 16)",
                             "E({})",
                             "make_swizzle({}, 1, 2)",
                             "composition({}:1, 4:1)",
                             "4:1 o 2:{}"}) {
      CHECK(tessera::fuzz::broken_expression(fmt::format(fmt::runtime(call), end)) == "");
    }
  }
}

TEST_CASE("Millions of cells are refused before they are made", "[mended]") {
  const std::string atom = "SM80_16x8x16_F32F16F16F32_TN";
  CHECK(in_time("readers_A(make_tiled_mma(" + atom + ",(1024,65536)),0,0)").refused);
  CHECK(in_time("make_tiled_mma(" + atom + ",(1024,2147483648))").text != "");
  CHECK(in_time("readers_A(make_tiled_mma(" + atom + ",(1024,2147483648)),0,0)").refused);
}

TEST_CASE("A document of thousands of slow or unknown things ends within its request's time", "[mended]") {
  const auto within = [](const std::string& text) {
    const auto begin = std::chrono::steady_clock::now();
    {
      const tessera::Budget budget;
      const auto document = tessera::parse_document(text);
      if (document) (void)tessera::evaluate(*document);
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  std::string walks, names;
  for (int k = 0; k < 500; ++k) walks += fmt::format("let a{} = is_injective((1024,1024):(1024,1))\n", k);
  for (int k = 0; k < 20000; ++k) names += fmt::format("let b{} = nothing_of_this_name_{}\n", k, k);
  CHECK(within(walks) < 20);
  CHECK(within(names) < 20);
}

TEST_CASE("JSON that is nested deeply is refused by every door that reads JSON", "[mended]") {
  for (const char* open : {"[", "{\"a\":"}) {
    std::string deep;
    for (int k = 0; k < 75000; ++k) deep += open;
    CHECK(tessera::fuzz::broken_batch_line(deep) == "");
    CHECK(tessera::fuzz::broken_batch_line("{\"expr\":\"4:1\",\"id\":" + deep) == "");
    CHECK(tessera::fuzz::broken_worker_request(deep) == "");
    CHECK(tessera::fuzz::broken_worker_answer(deep) == "");
    CHECK(tessera::fuzz::broken_cache_entry("\x01" + deep) == "");
    CHECK(tessera::fuzz::broken_cache_entry("\x03" + deep) == "");
  }
}

TEST_CASE("Slashes divide in Python's text and comment in C++'s", "[mended]") {
  CHECK(ask("bM = 256 // 8").text == "32");
  CHECK(ask("cute.make_layout((256,\n512 // 8\n))").text == "(256,64):(1,256)");
  has_a_word("bM = 256 // 8");  // both readings parse
  is("make_layout(Shape<_4,_8>{}); // 8", "(4,8):(1,4)");
}
