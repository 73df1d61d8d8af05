// SPDX-License-Identifier: BSD-3-Clause
// Traces: what is read of them, of which source they are, and what becomes of a source's values where a trace says others.
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <rapidcheck.h>

#include "core/base/sha256.hpp"
#include "core/lang/programs/trace.hpp"
#include "core/lang/programs/traced.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

constexpr std::string_view kHead = "{\"tessera_trace\":1,\"by\":\"nvidia-cutlass-dsl 4.8.1\",\"arch\":\"sm_90a\"}\n";
constexpr std::string_view kEnd = "{\"end\":true,\"rows\":1,\"dropped\":0,\"errors\":[],\"guessed\":[]}\n";

std::string of_file(std::string_view name, std::string_view source) {
  return fmt::format("{{\"file\":\"{}\",\"sha256\":\"{}\"}}\n", name, sha256_hex(source));
}

std::string row(std::string_view name, std::size_t line, std::string_view fields) {
  return fmt::format("{{\"name\":\"{}\",\"line\":{},\"column\":5,\"in\":\"f\",{}}}\n", name, line, fields);
}

Trace trace_of(std::string_view text) {
  const Result<Trace> made = read_trace(text);
  if (!made) FAIL(made.error().message);
  return *made;
}

// The value of a row with these fields, or its refusal.
std::string value_of_row(std::string_view fields) {
  const Trace trace = trace_of(std::string(kHead) + row("x", 1, fields));
  REQUIRE(trace.objects.size() == 1);
  const Result<Value> value = value_of(trace.objects[0]);
  return value ? to_string(*value) : "refused: " + value.error().message;
}

Explanation laid(std::string_view source, std::string_view rows, std::string_view head = kHead) {
  Explanation explanation = explain(source);
  const Trace trace = trace_of(std::string(head) + of_file("k.py", source) + std::string(rows));
  const auto objects = traced_in(trace, "k.py", source);
  if (!objects) FAIL(objects.error().message);
  lay_over(explanation, *objects);
  return explanation;
}

}  // namespace

TEST_CASE("a trace is read line by line, and what is no row is counted") {
  const Trace trace = trace_of(std::string(kHead) + of_file("k.py", "x") + row("sA", 12, "\"kind\":\"layout\",\"layout\":\"(8,4):(4,1)\"") +
                               "no json\n{\"name\":\"y\"}\n{\"name\":\"\\u001b[31m\",\"line\":1,\"kind\":\"layout\"\n[1,2]\n" +
                               "{\"end\":true,\"rows\":1,\"dropped\":7,\"errors\":[\"TypeError: no\"],\"guessed\":[\"batch\"]}\n");
  CHECK(trace.by == "nvidia-cutlass-dsl 4.8.1");
  CHECK(trace.arch == "sm_90a");
  REQUIRE(trace.objects.size() == 1);
  CHECK(trace.objects[0].name == "sA");
  CHECK(trace.objects[0].line == 12);
  CHECK(trace.objects[0].column == 5);
  CHECK(trace.objects[0].in == "f");
  CHECK(*trace.objects[0].fact("layout") == "(8,4):(4,1)");
  CHECK(trace.objects[0].fact("type") == nullptr);
  CHECK(trace.unread == 4);
  CHECK(trace.ended);
  CHECK(trace.dropped == 7);
  CHECK(trace.errors == std::vector<std::string>{"TypeError: no"});
  CHECK(trace.guessed == std::vector<std::string>{"batch"});
  CHECK_FALSE(trace_of(kHead).ended);
}

TEST_CASE("what is no trace, and one of another version, are refused") {
  for (const std::string_view text : {"", "{\"end\":true}\n", "auto x = 4;\n", "{\"name\":\"x\",\"line\":1,\"kind\":\"int\"}\n"}) {
    const Result<Trace> made = read_trace(text);
    INFO(text);
    REQUIRE_FALSE(made);
    CHECK(made.error().message.starts_with("this is no trace"));
  }
  const Result<Trace> later = read_trace("{\"tessera_trace\":2}\n");
  REQUIRE_FALSE(later);
  CHECK(later.error().message == "the trace is of version 2, and 1 is what is read");
}

TEST_CASE("a row's words are what it stands for") {
  const auto words = [](std::string_view fields) {
    const Trace trace = trace_of(std::string(kHead) + row("x", 1, fields));
    REQUIRE(trace.objects.size() == 1);
    return kind_words(trace.objects[0]) + ": " + words_of(trace.objects[0]);
  };
  CHECK(words("\"kind\":\"int\",\"value\":\"4\"") == "int: 4");
  CHECK(words("\"kind\":\"tensor\",\"layout\":\"(8,4):(1@0,1@1)\",\"space\":\"coord\",\"base\":\"(0,?)\"") ==
        "tensor coord: (0,?) o (8,4):(1@0,1@1)");
  CHECK(words("\"kind\":\"tensor\",\"layout\":\"8:1\",\"space\":\"none\",\"type\":\"float\"") == "tensor float: 8:1");
  CHECK(words("\"kind\":\"tiled_mma\",\"atom\":\"A\",\"atom_layout\":\"(2,1,1):(1,0,0)\",\"permutation\":\"(_,_,_)\"") ==
        "tiled_mma: A atom_layout=(2,1,1):(1,0,0) permutation=(_,_,_)");
  CHECK(words("\"kind\":\"tiled_copy\",\"tiler\":\"(8,8)\",\"layout_tv\":\"(4,2):(2,1)\"") ==
        "tiled_copy: tiler=(8,8) layout_tv=(4,2):(2,1)");
  CHECK(words("\"kind\":\"mma_atom\",\"shape_mnk\":\"(16,8,8)\"") == "mma_atom: (16,8,8)");
  CHECK(words("\"kind\":\"layout\",\"error\":\"no print\"") == "layout: error: no print");
  CHECK(words("\"kind\":\"of tomorrow\",\"more\":[1,{}],\"layout\":{}") == "of tomorrow: of tomorrow");
}

TEST_CASE("a swizzle that the DSL counts in bytes is the text's in elements, and is said where the elements are not known") {
  constexpr std::string_view kSource =
      "atom = cute.nvgpu.warpgroup.make_smem_layout_atom(cute.nvgpu.warpgroup.SmemLayoutAtomKind.K_SW128, cutlass.Float16)\n"
      "other = helper(atom)\n";
  const std::string bytes = "\"kind\":\"composed\",\"layout\":\"Sw<3,4,3> o 0 o (8,64):(64,1)\"";
  const Explanation made = laid(kSource, row("atom", 1, bytes) + row("other", 2, bytes));
  REQUIRE(made.objects.size() == 2);
  CHECK(to_string(made.objects[0].value) == "Sw<3,3,3> o 0 o (8,64):(64,1)");
  CHECK(made.objects[0].source == ValueSource::traced);
  CHECK(made.objects[0].beside.empty());
  CHECK(to_string(made.objects[1].value) == "Sw<3,4,3> o 0 o (8,64):(64,1)");
  REQUIRE(made.objects[1].warnings.size() == 1);
  CHECK(made.objects[1].warnings[0].message ==
        "the CuTe DSL counts Sw<3,4,3> in bytes where this is a layout for shared memory, and the trace does not say of which elements");
  CHECK(made.objects[1].warnings[0].notes[1] == "of elements of 16 bits it is Sw<3,3,3>");

  const std::string wrong = "\"kind\":\"composed\",\"layout\":\"Sw<2,4,3> o 0 o (8,64):(64,1)\"";
  const Explanation apart = laid(kSource, row("atom", 1, wrong));
  REQUIRE_FALSE(apart.objects.empty());
  CHECK(to_string(apart.objects[0].value) == "Sw<2,4,3> o 0 o (8,64):(64,1)");
  CHECK(apart.objects[0].beside == "read from the text: Sw<3,3,3> o 0 o (8,64):(64,1)");
}

TEST_CASE("a line that is no row is counted and passed over") {
  const Trace trace =
      trace_of(std::string(kHead) + "\n{\"name\":\"a\",\"line\":1,\"kind\":\"int\"}\nno JSON\n[]\n7\n" +
               "{\"name\":\"b\",\"kind\":\"int\"}\n{\"name\":\"c\",\"line\":-1,\"kind\":\"int\"}\n" +
               "{\"name\":3,\"line\":1,\"kind\":\"int\"}\n{\"name\":\"d\",\"line\":1}\n" +
               "{\"name\":\"e\",\"line\":1,\"kind\":\"int\",\"of\":-1}\n" + std::string(100'000, '[') + "\n{\"name\":\"torn\",\"li");
  CHECK(trace.objects.size() == 1);
  CHECK(trace.unread == 10);
  CHECK_FALSE(trace.ended);
}

TEST_CASE("rows that a GPU printed are found in a program's output") {
  const Trace trace = trace_of("starting\n@tessera " + row("sA", 3, "\"kind\":\"layout\",\"layout\":\"8:1\"") + "done: 3 {x}\n");
  REQUIRE(trace.objects.size() == 1);
  CHECK(trace.objects[0].at_dump);
  CHECK(trace.ended);        // a program's output has no end of its own
  CHECK(trace.unread == 0);  // nor is what else it printed a part of the trace
  CHECK(trace_of(std::string(kHead) + row("sA", 3, "\"kind\":\"layout\"")).objects[0].at_dump == false);
}

TEST_CASE("a row is the value that it prints, and a number of the run makes it none") {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {R"row("kind":"layout","layout":"(_64,_8):(_8,_1)")row", "(64,8):(8,1)"},
      {R"row("kind":"composed","layout":"Sw<3,4,3> o 0 o (8,64):(64,1)")row", "Sw<3,4,3> o 0 o (8,64):(64,1)"},
      {R"row("kind":"composed","layout":"(0,3) o (8,4):(1@0,1@1)")row", "(0,3) o (8,4):(1@0,1@1)"},
      {R"row("kind":"swizzle","layout":"Sw<3,3,3>")row", "Sw<3,3,3>"},
      {R"row("kind":"tuple","value":"(128,(64,_8))")row", "(128,(64,8))"},
      {R"row("kind":"int","value":"4")row", "4"},
      {R"row("kind":"tensor","layout":"(8,4):(4,1)","space":"gmem","type":"float")row", "(8,4):(4,1)"},
      {R"row("kind":"tensor","layout":"(8,4):(1@0,1@1)","space":"coord","base":"(2,0)")row", "(2,0) o (8,4):(1@0,1@1)"},
      // The swizzle of a pointer is of bytes, and elements of two bytes have one bit less below it.
      {R"row("kind":"tensor","layout":"(8,64):(64,1)","space":"smem","type":"half_t","swizzle":"Sw<3,4,3>")row",
       "Sw<3,3,3> o 0 o (8,64):(64,1)"},
      {R"row("kind":"tiled_mma","atom":"SM80_16x8x16_F32F16F16F32_TN","atom_layout":"(2,2,1):(1,2,0)","permutation":"(_,_,_)")row",
       "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1):(1,2,0), (_,_,_))"},
      {R"row("kind":"mma_atom","atom":"SM80_16x8x16_F32F16F16F32_TN")row", "SM80_16x8x16_F32F16F16F32_TN"},
      {R"row("kind":"tiled_copy","atom":"Copy_Atom<UniversalCopy<uint128_t>,half_t>","layout_tv":"((8,16),8):((128,1),16)","tiler":"(16,64)")row",
       "make_tiled_copy_impl(Copy_Atom<UniversalCopy<uint128_t>, half_t>, ((8,16),8):((128,1),16), (16,64))"},
      {R"row("kind":"layout","layout":"(128,?):(1,128)")row",
       "refused: (128,?):(1,128) depends on numbers that the program gets when it runs"},
      {R"row("kind":"layout")row", "refused: the trace does not say its layout"},
      {R"row("kind":"layout","error":"RuntimeError: no")row", "refused: the program could not print it: RuntimeError: no"},
      {R"row("kind":"pipeline","text":"x")row", "refused: an object of kind pipeline has no value here"},
      // An atom is taken by its name only where its printed layouts are its own.
      {R"row("kind":"mma_atom","atom":"SM80_16x8x16_F32F16F16F32_TN","c_tv":"((4,8),(2,2)):((16,1),(8,64))")row",
       "refused: its c_tv is ((4,8),(2,2)):((16,1),(8,64)) in the program, and ((4,8),(2,2)):((32,1),(16,8)) here"},
  };
  for (const auto& [fields, value] : cases) {
    INFO(fields);
    CHECK(value_of_row(fields) == value);
  }
}

TEST_CASE("a trace is of the file whose hash it has, and of no other version of it") {
  const std::string source = "a = 1\nsA = cute.make_layout(4)\n";
  const std::string rows = row("sA", 2, "\"kind\":\"layout\",\"layout\":\"4:1\"");
  const Trace trace = trace_of(std::string(kHead) + of_file("folder/k.py", source) + rows);
  CHECK(traced_in(trace, "k.py", source)->size() == 1);
  CHECK(traced_in(trace, "renamed.py", source)->size() == 1);  // the hash says more than the name
  const auto changed = traced_in(trace, "k.py", source + "\n");
  REQUIRE_FALSE(changed);
  CHECK(changed.error().code == ErrorCode::corrupt);
  CHECK(changed.error().message.find("another version of k.py") != std::string::npos);
  const auto other = traced_in(trace, "other.py", source + "\n");
  REQUIRE_FALSE(other);
  CHECK(other.error().message == "the trace is of k.py, and not of other.py");
  // Without a hash the lines have to name what stands in them.
  const Trace without = trace_of(std::string(kHead) + "{\"file\":\"k.py\",\"sha256\":\"\"}\n" + rows);
  CHECK(traced_in(without, "k.py", source)->size() == 1);
  CHECK_FALSE(traced_in(without, "k.py", "\n" + source));
}

TEST_CASE("rows of several files are told apart") {
  const std::string one = "x = 1\n", two = "y = 2\n";
  const Trace trace = trace_of(std::string(kHead) + of_file("one.py", one) + of_file("two.py", two) +
                               row("x", 1, "\"kind\":\"int\",\"value\":\"1\"") + row("y", 1, "\"of\":1,\"kind\":\"int\",\"value\":\"2\""));
  REQUIRE(traced_in(trace, "two.py", two)->size() == 1);
  CHECK(traced_in(trace, "two.py", two)->front().name == "y");
  CHECK(traced_in(trace, "one.py", one)->front().name == "x");
}

TEST_CASE("a traced value takes the place of a guess, and what was read is said beside it") {
  const std::string source =
      "def f(self, bM):\n    sA = cute.make_layout((bM, 8), stride=(8, 1))\n    sB = cute.make_layout((4, 8))\n    sC = helper(sA)\n";
  const Explanation made = laid(source, row("sA", 2, "\"kind\":\"layout\",\"layout\":\"(64,8):(8,1)\"") +
                                            row("sB", 3, "\"kind\":\"layout\",\"layout\":\"(4,8):(1,4)\"") +
                                            row("sC", 4, "\"kind\":\"layout\",\"layout\":\"(2,2):(2,1)\"") + std::string(kEnd));
  REQUIRE(made.objects.size() == 3);
  CHECK(to_string(made.objects[0].value) == "(64,8):(8,1)");
  CHECK(made.objects[0].source == ValueSource::traced);
  CHECK(made.objects[0].needs.empty());
  CHECK(made.objects[0].beside == "read from the text: (128,8):(8,1), with likely values of bM");
  CHECK(made.objects[0].column == 5);
  CHECK(made.objects[1].source == ValueSource::traced);
  CHECK(made.objects[1].beside.empty());
  CHECK(made.objects[2].name == "sC");
  CHECK(to_string(made.objects[2].value) == "(2,2):(2,1)");
  CHECK(made.unexplained.empty());
  const auto of_c = std::find_if(made.account.begin(), made.account.end(), [](const AccountEntry& each) { return each.line == 4; });
  REQUIRE(of_c != made.account.end());
  CHECK(of_c->fate == AccountEntry::Fate::valued);
  CHECK(of_c->words == "traced: (2,2):(2,1)");
}

TEST_CASE("a name without a value takes the one that a trace has of it everywhere, and what uses it is traced") {
  const std::string source =
      "class G:\n    def f(self, tile, n):\n        sA = cute.make_layout(tile)\n        sB = cute.make_layout(n)\n"
      "        sC = cute.make_layout((tile, k))\n";
  const std::string rows = row("tile", 2, "\"kind\":\"tuple\",\"value\":\"(64,32)\"") + row("n", 2, "\"kind\":\"int\",\"value\":\"4\"") +
                           row("n", 2, "\"kind\":\"int\",\"value\":\"8\"");
  const Trace trace = trace_of(std::string(kHead) + of_file("k.py", source) + rows);
  const std::vector<TracedObject> objects = traced_in(trace, "k.py", source).value();
  const auto values = values_for(explain(source).symbols, objects);
  REQUIRE(values == std::vector<std::pair<std::string, std::string>>{{"tile", "(64,32)"}});
  Explanation made = explain(source, {{"tile", "(64,32)"}, {"k", "2"}});
  lay_over(made, objects, {"tile"});
  REQUIRE(made.objects.size() == 3);
  CHECK(to_string(made.objects[0].value) == "(64,32):(1,64)");
  CHECK(made.objects[0].source == ValueSource::traced);
  CHECK(made.objects[1].source == ValueSource::likely);
  CHECK(made.objects[2].source == ValueSource::given);  // k is the user's
  CHECK(made.objects[2].given == std::vector<std::string>{"k"});
}

TEST_CASE("a traced tuple takes the place of an object that was guessed there") {
  const std::string source = "def f(atom_layout_mnk):\n    l = atom_layout_mnk\n";
  const Explanation read = explain(source);
  REQUIRE(read.objects.size() == 1);  // a layout, by its name
  const Explanation made = laid(source, row("l", 2, "\"kind\":\"tuple\",\"value\":\"(2,2,1)\""));
  REQUIRE(made.objects.size() == 1);
  CHECK(to_string(made.objects[0].value) == "(2,2,1)");
  CHECK(made.objects[0].beside.starts_with("read from the text: "));
}

TEST_CASE("a place with several values has an object for each, and the same value twice is one") {
  const std::string source = "def f():\n    for n in (4, 8, 4):\n        t = cute.make_layout(n)\n";
  const auto traced = [](std::string_view layout) { return row("t", 3, fmt::format("\"kind\":\"layout\",\"layout\":\"{}\"", layout)); };
  const Explanation made = laid(source, traced("4:1") + traced("8:1") + traced("4:1"));
  std::vector<std::string> values;
  for (const Explained& each : made.objects) values.push_back(to_string(each.value));
  CHECK(values == std::vector<std::string>{"4:1", "8:1"});
}

TEST_CASE("a layout with numbers of the run stays text, and holds the text's value to what is static") {
  const std::string source = "def f(mA):\n    gA = cute.make_layout((64, 8))\n    gB = helper(mA)\n";
  const Explanation made = laid(source, row("gA", 2, "\"kind\":\"tensor\",\"layout\":\"(64,?):(1,?{div=8})\"") +
                                            row("gB", 3, "\"kind\":\"tensor\",\"layout\":\"(?,8):(?{i64},1)\""));
  REQUIRE(made.objects.size() == 1);
  CHECK(made.objects[0].beside.empty());
  CHECK(made.objects[0].source == ValueSource::known);
  REQUIRE(made.traced.size() == 1);
  CHECK(made.traced[0].name == "gB");
  CHECK(made.traced[0].words == "(?,8):(?{i64},1)");
  const Explanation differs = laid(source, row("gA", 2, "\"kind\":\"tensor\",\"layout\":\"(32,?):(1,?{div=8})\""));
  CHECK(differs.objects.empty());
  REQUIRE(differs.traced.size() == 1);
  CHECK(differs.traced[0].beside == "read from the text: (64,8):(1,64)");
  // One of two rows fits.
  const Explanation one = laid(source, row("gA", 2, "\"kind\":\"tensor\",\"layout\":\"(32,?):(1,?{div=8})\"") +
                                           row("gA", 2, "\"kind\":\"tensor\",\"layout\":\"(64,?):(1,?)\""));
  REQUIRE(one.objects.size() == 1);
  CHECK(to_string(one.objects[0].value) == "(64,8):(1,64)");
}

TEST_CASE("a dump in C++ belongs to the statement above it that made the object, or to the member that it names") {
  const std::string source =
      "struct Traits {\n  using SmemLayoutQ = decltype(make_layout(Shape<Int<kM>, _8>{}));\n};\n"
      "auto sA = make_layout(n);\nuse(sA);\nTESSERA_DUMP(sA);\nTESSERA_DUMP(typename Traits::SmemLayoutQ{});\n";
  const std::string_view head = "{\"tessera_trace\":1,\"by\":\"CuTe C++ 4.2.0\"}\n";
  const Explanation made = laid(source,
                                row("sA", 6, "\"kind\":\"layout\",\"layout\":\"40:1\"") +
                                    row("typename Traits::SmemLayoutQ{}", 7, "\"kind\":\"layout\",\"layout\":\"(_32,_8):(_1,_32)\""),
                                head);
  const auto of = [&](std::string_view name) {
    const auto found = std::find_if(made.objects.begin(), made.objects.end(), [&](const Explained& each) { return each.name == name; });
    REQUIRE(found != made.objects.end());
    return *found;
  };
  CHECK(of("sA").line == 4);
  CHECK(to_string(of("sA").value) == "40:1");
  CHECK(of("SmemLayoutQ").line == 2);
  CHECK(to_string(of("SmemLayoutQ").value) == "(32,8):(1,32)");
}

TEST_CASE("a dump in a text shows what it dumps, and not how many values") {
  const SnippetAnswer made = evaluate_snippet("auto t = make_layout(4);\nTESSERA_DUMP(t);\nTESSERA_DUMP_VALUES(t, 8);\n");
  std::vector<std::string> shown;
  for (const StatementAnswer& each : made.statements) {
    CHECK_FALSE(each.refused);
    for (const auto& [name, value] : each.values) {
      if (name.empty()) shown.push_back(to_string(value));
    }
  }
  CHECK(shown == std::vector<std::string>{"4:1", "4:1"});
  // What a program is explained by is the statement that makes the object, and not the one that dumps it.
  CHECK(explain("auto t = make_layout(4);\nTESSERA_DUMP(t);\n").objects.size() == 1);
}

TEST_CASE("no bytes make a trace that is read without an end") {
  CHECK(rc::check([] {
    std::string text(kHead);
    const auto pieces = *rc::gen::container<std::vector<std::string>>(
        rc::gen::element<std::string>("{", "}", "\"name\"", ":", ",", "\"x\"", "1", "\n", "@tessera ", "\"line\"", "\"kind\"", "\"layout\"",
                                      "\"(4,?\"", "[", "]", "\\u0000"));
    for (const std::string& each : pieces) text += each;
    const Result<Trace> made = read_trace(text);
    if (!made) return;
    for (const TracedObject& object : made->objects) {
      (void)value_of(object);
      RC_ASSERT(!words_of(object).empty());
    }
  }));
}

TEST_CASE("the first elements of a tensor when the program ran stand where its row is shown") {
  const Explanation made =
      laid("t = cute.make_layout((4, 8))\nu = other.thing()\n",
           row("t", 1, "\"kind\":\"tensor\",\"layout\":\"(4,8):(1,4)\",\"space\":\"rmem\",\"values\":[1,2.5,\"nan\"]") +
               row("u", 2, "\"kind\":\"tensor\",\"layout\":\"(?,8):(1,4)\",\"space\":\"rmem\",\"values\":[7]"));
  REQUIRE(made.objects.size() == 1);
  CHECK(made.objects[0].ran == std::vector<std::string>{"1", "2.5", "nan"});
  REQUIRE(made.traced.size() == 1);
  CHECK(made.traced[0].ran == std::vector<std::string>{"7"});
}
