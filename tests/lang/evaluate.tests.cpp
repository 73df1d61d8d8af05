// SPDX-License-Identifier: BSD-3-Clause
// Limits, places of errors, pasted dumps, and texts that nobody would write.
#include "core/lang/programs/evaluate.hpp"
#include "core/lang/builtins/builtins.hpp"
#include "core/lang/syntax/limits.hpp"
#include "core/lang/values/scope.hpp"
#include "core/lang/values/value_size.hpp"

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/lang/document/document.hpp"
#include "core/lang/values/answer.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

Error refused(std::string_view text) {
  const Result<Value> value = evaluate(text);
  INFO(text.substr(0, 100));
  REQUIRE_FALSE(value);
  return value.error();
}

std::string under_caret(std::string_view text) {
  const Error error = refused(text);
  REQUIRE(error.span);
  return std::string(text.substr(error.span->begin, error.span->end - error.span->begin));
}

std::string text_of(std::string_view expression) {
  const Result<Value> value = evaluate(expression);
  if (!value) FAIL(describe(value.error(), expression));
  return to_string(*value);
}

template <class T>
const T* field(const std::vector<AnswerField>& fields, std::string_view name) {
  for (const AnswerField& each : fields) {
    if (each.name == name) return std::get_if<T>(&each.value);
  }
  return nullptr;
}

std::vector<AnswerField> answer_of(std::string_view expression) {
  const Result<Value> value = evaluate(expression);
  if (!value) FAIL(describe(value.error(), expression));
  return answer(*value);
}

}  // namespace

TEST_CASE("errors point at the part that is wrong") {
  CHECK(under_caret("coalesce((4,8):(8,1)") == "(");
  CHECK(under_caret("composition((4,8):(8,1), (2,x))") == "x");
  CHECK(under_caret("composition((4,8):(8,1), (4,8):(1))") == "(4,8):(1)");
  CHECK(under_caret("zip((2,2), \"b\")") == "\"b\"");
  CHECK(under_caret("coalese((2,2))") == "coalese");
  CHECK(under_caret("(4,99999999999999999999)") == "99999999999999999999");
  CHECK(under_caret("composition((6,2):(1,7), (3,2):(2,3))") == "composition((6,2):(1,7), (3,2):(2,3))");
  CHECK(under_caret("gemm(m=8, n=8, k=8, mma=SM70_8x8x4_F32F16F16F32_NT, stage=2)") == "stage");
}

TEST_CASE("a misspelt name is answered with the nearest") {
  CHECK(refused("coalese((2,2))").notes.at(0).find("coalesce") != std::string::npos);
  CHECK(refused("gemm(m=8, n=8, k=8, mma=SM70_8x8x4_F32F16F16F32_NT, stage=2)").notes.at(0).find("stages") != std::string::npos);
  CHECK(refused("SM70_8x8x4_F32F16F16F32_NX").notes.at(0).find("SM70_8x8x4_F32F16F16F32_N") != std::string::npos);
}

TEST_CASE("nesting is limited, and deep text costs no stack") {
  for (const std::string_view open : {"(", "coalesce(", "Layout<", "[", "4:("}) {
    std::string deep;
    for (int i = 0; i < 10000; ++i) deep += open;
    const Error error = refused(deep);
    INFO(open << " " << error.message);
    CHECK((error.code == ErrorCode::limit || error.code == ErrorCode::parse));
  }
  std::string balanced = std::string(10000, '(') + "1" + std::string(10000, ')');
  CHECK(refused(balanced).code == ErrorCode::limit);
  CHECK(refused(balanced).message.find(std::to_string(kDeepestNesting)) != std::string::npos);
  std::string calls = "8";
  for (int i = 0; i < kDeepestNesting - 1; ++i) calls = "coalesce(" + calls + ")";
  CHECK(text_of(calls) == "8:1");
  CHECK(refused(std::string(kLongestText + 1, ' ')).code == ErrorCode::limit);
}

TEST_CASE("a scope gives names their values") {
  const Value eight{IntTuple(8)};
  const Scope scope = [&](std::string_view name) { return name == "n" ? &eight : nullptr; };
  const Result<Value> value = evaluate("(n,4):(4,1)", scope);
  REQUIRE(value);
  CHECK(to_string(*value) == "(8,4):(4,1)");
}

TEST_CASE("print() of a tiled MMA and of a tiled copy is read back") {
  CHECK(text_of("TiledMMA\n"
                "  ThrLayoutVMNK:  (_32,_2,_2,_1):(_1,_32,_64,_0)\n"
                "  PermutationMNK: (_32,_32,_16)\n"
                "MMA_Atom\n"
                "  ThrID:      _32:_1\n"
                "  Shape_MNK:  (_16,_8,_16)\n"
                "  LayoutA_TV: ((_4,_8),(_2,_2,_2)):((_32,_1),(_16,_8,_128))\n"
                "  LayoutB_TV: ((_4,_8),(_2,_2)):((_16,_1),(_8,_64))\n"
                "  LayoutC_TV: ((_4,_8),(_2,_2)):((_32,_1),(_16,_8))\n")
            .find("(2,2,1):(1,2,0), (32,32,16))") != std::string::npos);
  CHECK(text_of("TiledCopy\n"
                "  Tiler_MN:       (_16,_16)\n"
                "  TiledLayout_TV: ((_4,_8),((_2,_2,_2),(_1,_1))):((_32,_1),((_16,_8,_128),(_0,_0)))\n"
                "Copy_Atom\n"
                "  ThrID:        _32:_1\n"
                "  ValLayoutSrc: (_32,_8):(_8,_1)\n"
                "  ValLayoutDst: (_32,(_2,_4)):(_2,(_1,_64))\n"
                "  ValLayoutRef: (_32,(_2,_4)):(_2,(_1,_64))\n"
                "  ValueType:    16b\n")
            .find("Copy_Atom<SM75_U32x4_LDSM_N, half_t>") != std::string::npos);
  CHECK(refused("TiledMMA\n  ThrLayoutVMNK: (4,8)\n").message.find("ThrID") != std::string::npos);
}

TEST_CASE("what is pasted of an MMA or a copy is refused by the line that is wrong or missing") {
  const std::string atom =
      "MMA_Atom\n  ThrID:      _32:_1\n  Shape_MNK:  (_16,_8,_16)\n  LayoutA_TV: ((_4,_8),(_2,_2,_2)):((_32,_1),(_16,_8,_128))\n"
      "  LayoutB_TV: ((_4,_8),(_2,_2)):((_16,_1),(_8,_64))\n  LayoutC_TV: ((_4,_8),(_2,_2)):((_32,_1),(_16,_8))\n";
  const auto tiled = [&](const std::string& vmnk) {
    return "TiledMMA\n  ThrLayoutVMNK:  " + vmnk + "\n  PermutationMNK: (_32,_32,_16)\n" + atom;
  };
  CHECK(refused(tiled("(_32,_2,_2):(_1,_32,_64)")).message == "ThrLayoutVMNK has four modes, but this is (32,2,2):(1,32,64)");
  CHECK(refused(tiled("(_32,_2,_2,_1):(_1,_33,_64,_0)")).message == "no atom begins at thread 33 of ThrLayoutVMNK (32,2,2,1):(1,33,64,0)");
  CHECK(refused(tiled("(_16,_2,_2,_1):(_1,_32,_64,_0)")).message.find("the nearest is (32,2,2,1):(1,32,64,0)") != std::string::npos);
  std::string other = atom;
  other.replace(other.find("(_16,_8,_16)"), 12, "(_16,_8,_17)");
  CHECK(refused(other).message == "no known MMA atom of shape (16,8,17) has these layouts");
  const std::string copy =
      "Copy_Atom\n  ThrID:        _32:_1\n  ValLayoutSrc: (_32,_8):(_8,_1)\n  ValLayoutDst: (_32,(_2,_4)):(_2,(_1,_64))\n"
      "  ValLayoutRef: (_32,(_2,_4)):(_2,(_1,_64))\n  ValueType:    ";
  CHECK(refused(copy + "17b").message == "no element type of 17 bits is known");
  CHECK(refused(copy + "8b").message == "no known copy atom has these layouts");
  CHECK(refused(copy.substr(0, copy.find("  ValLayoutDst"))).message == "the line \"ValLayoutDst: ...\" is missing in what was pasted");
}

TEST_CASE("an answer has the fields of its kind") {
  const auto layout = answer_of("(4,8):(8,1)");
  CHECK(*field<std::string>(layout, "kind") == "layout");
  CHECK(*field<std::int64_t>(layout, "rank") == 2);
  CHECK(*field<std::int64_t>(layout, "size") == 32);
  CHECK(*field<std::int64_t>(layout, "cosize") == 32);
  CHECK(field<std::vector<std::int64_t>>(layout, "image")->at(1) == 8);
  CHECK(*field<bool>(answer_of("congruent((2,2), (3,3))"), "value"));
  CHECK_FALSE(*field<bool>(answer_of("is_injective((2,2):(1,1))"), "value"));
  CHECK(field<std::vector<std::string>>(answer_of("make_identity_layout((2,3))"), "image")->at(3) == "(1,1)");
  // sha256 of "0,1,2,...,4096"
  CHECK(*field<std::string>(answer_of("4097:1"), "image_sha256") == "ab85fd17539a01e71a6f2dfa9cc544c97fb50e03afa51109b08554891589a075");
  CHECK(field<std::string>(answer_of("1099511627776:1"), "image_omitted"));
  CHECK(*field<std::string>(answer_of("SM80_16x8x16_F32F16F16F32_TN"), "shape_mnk") == "(16,8,16)");
  CHECK(*field<std::string>(answer_of("make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT, (2,2):(2,1))"), "tile_mnk") == "(16,16,4)");
  CHECK(*field<std::string>(answer_of("make_tiled_copy(Copy_Atom<UniversalCopy<uint64_t>, half_t>, (8,4):(4,1), (1,4))"), "tiler_mn") ==
        "(8,16)");
}

TEST_CASE("no mutation of good text does harm") {
  const std::vector<std::string> seeds = {"composition((6,2):(8,2), (4,3):(3,1))",
                                          "Sw<3,4,3> o smem_ptr[16b](unset) o ((_8,_8),_1):((_8,_1),_0)",
                                          "make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT, (2,2):(2,1), ((4,2,2):(1,8,4), _, 4))",
                                          "Layout<Shape<_4,_8>,Stride<_8,_1>>{}",
                                          "gemm(m=64, n=96, k=16, mma=SM70_8x8x4_F32F16F16F32_NT, sA=(64,16):(17,1), alpha=2.5)",
                                          "slice_and_offset((_,5,0), Sw<2,0,-2> o 0 o (4,8,1):(1,4,32))",
                                          "tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>, (128,64), LayoutRight)",
                                          "raked_product(4:1, (2,2):(2,1@0))",
                                          "cute.make_layout((4,8), stride=(8,1))",
                                          "crd2idx((0,1,1,(3,2)), (3,2,2,(4,3)):(1,9,18,(0,3)))",
                                          "TiledMMA\n  ThrLayoutVMNK:  (_32,_2,_2,_1):(_1,_32,_64,_0)\n"};
  const std::string_view pieces[] = {
      "(",   ")",  ",", ":",    "<",    ">",  "_", "@", "o", "-1", "0", "9223372036854775807", "4611686018427387904",
      "1.5", "\"", "#", "let ", "\xff", "{}", "[", "]", "="};
  std::mt19937 random(7);
  int answered = 0;
  for (int round = 0; round < 6000; ++round) {
    std::string text = seeds[random() % seeds.size()];
    for (std::uint32_t edits = 1 + random() % 4; edits > 0 && !text.empty(); --edits) {
      const std::size_t at = random() % text.size();
      switch (random() % 4) {
        case 0: text.erase(at, 1 + random() % 4); break;
        case 1: text.insert(at, pieces[random() % std::size(pieces)]); break;
        case 2: text[at] = static_cast<char>(random() % 256); break;
        default: text.insert(at, text.substr(random() % text.size(), random() % 12)); break;
      }
    }
    CAPTURE(text);
    const Result<Value> value = evaluate(text);
    if (value) {
      answered += answer(*value).size() >= 2 ? 1 : 0;
    } else {
      CHECK_FALSE(value.error().message.empty());
      CHECK((!value.error().span || value.error().span->begin <= text.size()));
      CHECK_FALSE(describe(value.error(), text).empty());
    }
    const Result<Document> document = parse_document("let a = " + text + "\nlet b = a\n");
    if (document) CHECK(to_text(*document) == "let a = " + text + "\nlet b = a\n");
  }
  CHECK(answered > 30);  // some mutations still mean something
}

TEST_CASE("an answer that is CuTe's and breaks its law comes with a warning that names the coordinate") {
  const auto warned = [](const char* text) {
    std::vector<Error> warnings;
    const Result<Value> value = evaluate(text, {}, &warnings);
    INFO(text);
    REQUIRE(value);
    return warnings;
  };
  for (const char* text : {"logical_divide((5,5):(1,2), 6:4)", "zipped_divide((5,5):(1,2), 6:4)", "composition((8,4):(4,1), Sw<3,3,3>)",
                           "(8,4):(4,1) o Sw<3,3,3>", "left_inverse(Sw<3,3,3> o 0 o (8,4):(4,1))"}) {
    const std::vector<Error> warnings = warned(text);
    REQUIRE(warnings.size() == 1);
    CHECK(warnings[0].code == ErrorCode::breaks_law);
  }
  CHECK(warned("logical_divide((4,8):(8,1), (2,4))").empty());
  CHECK(warned("blocked_product((2,5):(5,1), (3,4):(1,3))").empty());
  CHECK(warned("composition(Sw<3,3,3>, (8,64):(64,1))").empty());
  const std::vector<Error> twins = warned(
      "MMA_Atom\n  ThrID:      _32:_1\n  Shape_MNK:  (_16,_8,_16)\n"
      "  LayoutA_TV: ((_4,_8),(_2,_2,_2)):((_32,_1),(_16,_8,_128))\n"
      "  LayoutB_TV: ((_4,_8),(_2,_2)):((_16,_1),(_8,_64))\n"
      "  LayoutC_TV: ((_4,_8),(_2,_2)):((_32,_1),(_16,_8))");
  REQUIRE(twins.size() == 1);
  CHECK(twins[0].message.find("atoms have these layouts") != std::string::npos);
}

TEST_CASE("tiles that do not divide come with a warning, and others without") {
  const auto warnings_of = [](const char* text) {
    std::vector<Error> warnings;
    REQUIRE(evaluate(text, {}, &warnings));
    return warnings;
  };
  for (const char* text : {"zipped_divide((10,10):(1,10), (4,4))", "logical_divide(10:1, 4)", "local_tile((10,10):(1,10), (4,4), (0,0))",
                           "thrfrg_C(make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN), (17,8):(1,17))",
                           "partition_C(make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN), (20,8):(1,20), 3)"}) {
    const std::vector<Error> warnings = warnings_of(text);
    INFO(text);
    REQUIRE(warnings.size() == 1);
    CHECK(warnings[0].code == ErrorCode::not_divisible);
  }
  // Threads that read the same elements make the result larger too, and nothing is wrong with that.
  for (const char* text :
       {"zipped_divide((12,8):(1,12), (4,4))", "logical_divide(8:1, 2:0)",
        "tidfrg_S(make_tiled_copy_A(Copy_Atom<SM75_U32x4_LDSM_N,half_t>, make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN,(2,2))), (32,16))",
        "thrfrg_A(make_tiled_mma(SM90_64x128x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::K>), (64,16):(1,64))",
        "partition_C(make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN), (32,8):(1,32), 3)"}) {
    INFO(text);
    CHECK(warnings_of(text).empty());
  }
}

TEST_CASE("a predicate that is false says why") {
  std::vector<Error> warnings;
  REQUIRE(evaluate("is_injective((4,8):(1,3))", {}, &warnings));
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].message.find("(3,0) and (0,1)") != std::string::npos);
  warnings.clear();
  REQUIRE(evaluate("is_injective((4,8):(1,4))", {}, &warnings));
  CHECK(warnings.empty());
  REQUIRE(evaluate("compatible((4,8), (4,(2,2)))", {}, &warnings));
  CHECK(warnings.size() == 1);
}

TEST_CASE("one expression walks a bounded number of coordinates") {
  std::string text = "(";
  for (int i = 0; i < 20; ++i) text += (i ? "," : "") + std::string("gaps((1000,1000):(1,1001))");
  const Result<Value> made = evaluate(text + ")");
  REQUIRE_FALSE(made);
  CHECK(made.error().code == ErrorCode::limit);
  CHECK(made.error().message.find("the limit of one request is 16777216, of which 16000000 are used") != std::string::npos);
  CHECK(made.error().notes.at(0).starts_with("--limit-cells "));
}

TEST_CASE("bindings may have the names of C++'s words") {
  const Value layout = evaluate("(4,8):(8,1)").value();
  const Scope scope = [&](std::string_view name) { return name == "const" || name == "class" ? &layout : nullptr; };
  CHECK(to_string(evaluate("const o (2,2):(1,4)", scope).value()) == to_string(evaluate("composition((4,8):(8,1), (2,2):(1,4))").value()));
  CHECK(to_string(evaluate("size(class)", scope).value()) == "32");
}

TEST_CASE("who names a parameter that a function does not have is shown those that it has") {
  for (const BuiltinHelp& builtin : builtins()) {
    if (builtin.name == "sweep" || builtin.name == "table") continue;  // their parameters are names of their own
    const Error error = refused(std::string(builtin.name) + "(no_such_parameter=1)");
    INFO(builtin.signature);
    CHECK(error.code == ErrorCode::unknown_name);
    REQUIRE_FALSE(error.notes.empty());
    CHECK(error.notes.back() == builtin.signature);
  }
}

TEST_CASE("what is made of a tensor's layout knows how wide its elements are") {
  const Value tensor = evaluate("GMMA::Layout_K_SW128_Atom<half_t>").value();
  const Scope scope = [&](std::string_view name) { return name == "A" ? &tensor : nullptr; };
  for (const auto& [text, width] : std::vector<std::pair<const char*, int>>{{"A", 16},
                                                                            {"tile_to_shape(A, (16,128))", 16},
                                                                            {"coalesce(A)", 16},
                                                                            {"composition(A, (8,32))", 16},
                                                                            {"logical_divide(A, (4,8))", 16},
                                                                            {"local_tile(A, (4,8), (0,0))", 16},
                                                                            {"upcast(A, 2)", 32},
                                                                            {"downcast(A, 2)", 8},
                                                                            {"logical_product((2,2):(1,2), (2,2):(1,2))", 0},
                                                                            {"shape(A)", 0},
                                                                            {"size(A)", 0}}) {
    INFO(text);
    const Result<Value> made = evaluate(text, scope);
    if (!made) FAIL(describe(made.error(), text));
    CHECK(made->element.bits == width);
  }
}

TEST_CASE("a limit is what is just taken: one more is refused") {
  const auto nested = [](const std::string& inside, const std::string& open, const std::string& close, int depth) {
    std::string text = inside;
    for (int i = 0; i < depth; ++i) text = open + text + close;
    return text;
  };
  const auto check = [&](const char* what, const auto& text_of, int limit) {
    INFO(what);
    CHECK(evaluate(text_of(limit)));
    CHECK(refused(text_of(limit + 1)).code == ErrorCode::limit);
  };
  check(
      "tuples that functions make", [&](int n) { return nested("1", "make_shape(", ",1)", n); }, kDeepestTuple);
  check(
      "tilers inside each other", [&](int n) { return nested("4:1", "(", ",1)", n); }, kDeepestTuple);
  check(
      "brackets", [&](int n) { return nested("1", "(", ")", n - 1); }, kDeepestNesting);
  check(
      "modes of a basis", [&](int n) { return "1" + nested("", "", "@0", n); }, BasisPath::kDeepest);
}

TEST_CASE("tuples that are appended to keep the limits of tuples") {
  // What is said when `step`, an expression of t, is given its own value again and again.
  const auto refusal = [](const char* start, const char* step) {
    Value t = evaluate(start).value();
    const Scope scope = [&](std::string_view name) { return name == "t" ? &t : nullptr; };
    for (int i = 0; i < 80; ++i) {
      Result<Value> made = evaluate(step, scope);
      if (!made) return made.error().message;
      t = std::move(*made);
    }
    return std::string();
  };
  CHECK(refusal("(2,2)", "append(t, t)").find("leaves") != std::string::npos);
  CHECK(refusal("2", "append(2, t)").find("64 deep") != std::string::npos);
  // What stands inside of an expression is held to them, too, also where its value is small.
  Value large = evaluate("(2,2)").value();
  const Scope scope = [&](std::string_view name) { return name == "t" ? &large : nullptr; };
  while (2 * leaf_count(large) <= kMostLeaves) large = evaluate("append(t, t)", scope).value();
  CHECK(evaluate("rank(t)", scope));
  const Result<Value> inside = evaluate("rank(append(t, t))", scope);
  REQUIRE_FALSE(inside);
  CHECK(inside.error().message.find("leaves") != std::string::npos);
}
