// SPDX-License-Identifier: BSD-3-Clause
// A program as it is shown beside its pictures: its text, what each line came to, what it takes from outside, and its variables as a
// document.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "app/session/source/source_document.hpp"
#include "app/session/source/source_reading.hpp"
#include "app/session/source/source_text.hpp"
#include "core/lang/document/document.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/source_kernel.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;
using tessera::test::TemporaryFolder;

namespace {

using Given = std::vector<std::pair<std::string, std::string>>;

SourceReading read(std::string_view text, Given given = {}, std::string path = "k.cu") {
  return reading_of({std::move(path), std::make_shared<const std::string>(text), 7, std::move(given)});
}

const SourceVariable& variable(const SourceReading& reading, std::string_view name) {
  const auto found = std::find_if(reading.variables.begin(), reading.variables.end(), [&](const auto& each) { return each.name == name; });
  if (found == reading.variables.end()) FAIL("no variable is called " << name);
  return *found;
}

const OutsideValue* outside(const SourceReading& reading, std::string_view name) {
  const auto found = std::find_if(reading.outside.begin(), reading.outside.end(), [&](const auto& each) { return each.name == name; });
  return found == reading.outside.end() ? nullptr : &*found;
}

std::string note(const SourceReading& reading, std::size_t line) {
  const auto found = std::find_if(reading.notes.begin(), reading.notes.end(), [&](const auto& each) { return each.line == line; });
  return found == reading.notes.end() ? std::string() : found->words;
}

std::size_t line_of(std::string_view text, std::string_view part) {
  return 1 + static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find(part)), '\n'));
}

}  // namespace

TEST_CASE("each line of a kernel says whether it is read, guessed or refused, with the guess's name and the refusal's reason") {
  const std::string_view text = test::kSourceKernel;
  const SourceReading reading = read(text);
  REQUIRE_FALSE(reading.refused);
  CHECK(reading.version == 7);
  CHECK(note(reading, line_of(text, "auto bM")) == "read");
  CHECK(note(reading, line_of(text, "Tensor mA")) == "guessed: M=128, K=128");
  CHECK(note(reading, line_of(text, "auto odd")) == "refused: there is no function my_epilogue");
  CHECK(note(reading, line_of(text, "#include")) == "");  // passed over: nothing became of it
  CHECK(note(reading, line_of(text, "__syncthreads")) == "");
  CHECK(reading.statements[static_cast<std::size_t>(SourceFate::refused)] == 2);
  CHECK(std::is_sorted(reading.notes.begin(), reading.notes.end(), [](const auto& a, const auto& b) { return a.line < b.line; }));
}

TEST_CASE("what is refused with a guess is said with the guess: with another value it may not be") {
  const std::string_view text = "void f(int n) {\n  auto a = make_shape(n, n); auto first = get<5>(a);\n  auto none = nothing(4);\n}\n";
  const SourceReading reading = read(text);
  CHECK(note(reading, 2).find("refused if n=128: ") == 0);
  CHECK(variable(reading, "first").rests_on == std::vector<std::string>{"guessed: n=128"});
  CHECK(note(reading, 3) == "refused: there is no function nothing");
  CHECK(variable(reading, "none").rests_on.empty());
  CHECK(note(read(text, {{"n", "4"}}), 2).find("refused: ") == 0);
}

TEST_CASE("every tensor, copy and slice of a kernel is a variable with its value, at its name in the text") {
  const std::string_view text = test::kSourceKernel;
  const SourceReading reading = read(text);
  for (const char* name : {"mA",   "mB",   "mC",   "gA",   "gB",    "gC",  "sA",       "sB",      "tAgA",      "tAsA",
                           "tCsA", "tCsB", "tCgC", "tCrC", "copyA", "mma", "thr_copy", "thr_mma", "cta_tiler", "bM"}) {
    INFO(name);
    const SourceVariable& each = variable(reading, name);
    CHECK(each.value);
    CHECK(text.substr(each.span.begin, each.span.end - each.span.begin) == name);
    CHECK(line_of(text, text.substr(each.span.begin)) == each.line);
  }
  CHECK(variable(reading, "sA").fate == SourceFate::read);
  CHECK(variable(reading, "sA").words == "(128,32):(32,1)");
  CHECK(variable(reading, "gA").fate == SourceFate::guessed);
  CHECK(variable(reading, "gA").rests_on.front() == "guessed: M=128, K=128");
  CHECK(variable(reading, "odd").fate == SourceFate::refused);
  CHECK_FALSE(variable(reading, "odd").value);
  CHECK(std::is_sorted(reading.variables.begin(), reading.variables.end(),
                       [](const auto& a, const auto& b) { return a.span.begin < b.span.begin; }));
}

TEST_CASE("what a program takes from outside is listed, the thread and the block first, and takes other values") {
  const SourceReading before = read(test::kSourceKernel);
  REQUIRE(before.outside.size() >= 6);
  CHECK(before.outside[0].name == "threadIdx.x");
  CHECK(before.outside[0].words == "the first thread");
  CHECK(before.outside[0].most == 255);  // that the tiled copy has
  CHECK(before.outside[1].name == "blockIdx.x");
  CHECK(before.outside[2].name == "blockIdx.y");
  CHECK(before.outside[3].name == "M");
  CHECK(before.outside[4].name == "N");
  CHECK(before.outside[5].name == "K");
  CHECK(before.outside[3].words == "guessed");

  const SourceReading after = read(test::kSourceKernel, {{"threadIdx.x", "5"}, {"blockIdx.x", "1"}, {"M", "256"}});
  CHECK(after.outside.size() == before.outside.size());
  for (std::size_t i = 0; i < before.outside.size(); ++i) CHECK(after.outside[i].name == before.outside[i].name);  // no row jumps
  CHECK(outside(after, "M")->given);
  CHECK(outside(after, "M")->text == "256");
  CHECK(variable(after, "mA").words == "(256,128):(128,1)");
  CHECK(variable(after, "gA").words.find("+ 16384") != std::string::npos);  // 128 rows of 128 elements further
  CHECK(variable(after, "tAsA").words != variable(before, "tAsA").words);
  CHECK(variable(after, "tAsA").fate == SourceFate::given);
  CHECK(note(after, line_of(test::kSourceKernel, "Tensor tAsA")) == "given: threadIdx.x=5");

  const SourceReading refused = read(test::kSourceKernel, {{"M", "12 apples"}});
  CHECK(outside(refused, "M")->refused.find("the value given for M") == 0);
  CHECK(note(refused, 1) == "");
}

TEST_CASE("a default of the text may be another, and Python's thread is one of three numbers") {
  const std::string_view cpp =
      "template <int Stages = 3>\n__global__ void f() {\n  auto s = make_layout(make_shape(Int<8>{}, Int<Stages>{}));\n}\n";
  CHECK(outside(read(cpp), "Stages")->text == "3");
  CHECK(variable(read(cpp, {{"Stages", "5"}}), "s").words == "(8,5):(1,8)");
  const std::string_view python =
      "import cutlass.cute as cute\n@cute.kernel\ndef k(thr: cute.Layout):\n    tidx, _, _ = cute.arch.thread_idx()\n"
      "    s = cute.make_layout((128, 64), stride=(64, 1))\n";
  const SourceReading made = read(python, {}, "k.py");
  REQUIRE(outside(made, "arch.thread_idx"));
  CHECK(outside(made, "arch.thread_idx")->text == "(0,0,0)");
  CHECK(variable(read(python, {{"arch.thread_idx", "(9,0,0)"}}, "k.py"), "tidx").words == "9");
}

TEST_CASE("findings stand at their names, and what rests on a guess carries its name behind the others") {
  const std::string_view text = test::kSourceKernel;
  const SourceReading reading = read(text);
  REQUIRE_FALSE(reading.findings.empty());
  const SourceFinding& first = reading.findings.front();
  CHECK(first.advice.weight == Advice::Weight::wrong);
  CHECK(text.substr(first.span.begin, first.span.end - first.span.begin) == "sA");
  CHECK(line_of(text, "tAsA = ") == first.advice.line);
  CHECK(words_of(first).find("wrong: it is partitioned among 256 threads") == 0);
  SourceFinding supposed = first;
  supposed.advice.guesses = {"M is 128"};
  supposed.advice.remedy = "a smaller copy";
  CHECK(words_of(supposed).find("wrong, if M is 128: ") == 0);
  CHECK(words_of(supposed).find("\ntry: a smaller copy") != std::string::npos);
}

TEST_CASE("a place of the text names the last variable of that name at or before its line") {
  const std::string text =
      "void f() {\n  auto a = make_layout(4);\n  auto b = make_layout(make_shape(size(a), 2));\n}\n"
      "void g() {\n  auto a = make_layout(8);\n  auto c = size(a);\n}\n";
  const SourceReading reading = read(text);
  const auto at = [&](std::string_view part, std::size_t further) { return variable_at(reading, text, text.find(part) + further); };
  REQUIRE(at("size(a), 2", 5));
  CHECK(at("size(a), 2", 5)->line == 2);
  CHECK(at("c = size(a)", 9)->line == 6);
  CHECK(at("b = make", 0)->name == "b");
  CHECK(at("make_layout(4)", 2) == nullptr);
  CHECK(variable_at(reading, text, text.size() + 10) == nullptr);
}

TEST_CASE("a source is followed: another text, a file that vanishes and comes back, and bytes that are no text") {
  const TemporaryFolder folder;
  const auto path = folder / "k.cu";
  test::put(path,
            "\xef\xbb\xbf"
            "auto a = make_layout(4);\r\nauto b = 3;\r\n");
  Result<SourceText> source = open_source_text(path);
  REQUIRE(source);
  CHECK(source->title == "k.cu");
  CHECK(*source->text == "auto a = make_layout(4);\nauto b = 3;\n");
  CHECK_FALSE(look_again(*source));
  const std::uint64_t version = source->version;
  std::filesystem::remove(path);
  CHECK(look_again(*source));
  CHECK_FALSE(source->lost.empty());
  CHECK(source->version == version);  // what it was stays
  CHECK_FALSE(look_again(*source));
  test::put(path, std::string("auto\0a", 6));
  CHECK(look_again(*source));
  CHECK(source->lost.find("is no text") != std::string::npos);
  test::put(path, "auto a = make_layout(16);\n");
  CHECK(look_again(*source));
  CHECK(source->lost.empty());
  CHECK(source->version != version);
  CHECK(*source->text == "auto a = make_layout(16);\n");
  CHECK_FALSE(open_source_text(folder / "none.cu"));
  test::put(folder / "b.cu", std::string("a\0b", 3));
  CHECK(open_source_text(folder / "b.cu").error().message.find("is no text") != std::string::npos);
}

TEST_CASE("what defines a kernel, a function or a class is a program; lines and layouts are none") {
  CHECK(is_whole_program(test::kSourceKernel));
  CHECK(is_whole_program("def f(x):\n    a = cute.make_layout((4, 8))\n"));
  CHECK(is_whole_program("struct Traits {\n  using Layout = decltype(make_layout(4));\n};\n"));
  CHECK_FALSE(is_whole_program("(4,8):(8,1)"));
  CHECK_FALSE(is_whole_program("auto sA = make_layout(make_shape(4, 8));\nauto sB = make_layout(8);\n"));
  CHECK_FALSE(is_whole_program("let a = (4,8):(8,1)\nlet tile(m, n) = (m,n):(n,1)\n"));
  CHECK_FALSE(is_whole_program(""));
  for (const char* path : {"a.cu", "b.cuh", "c.hpp", "dir.tess/d.py", "e.h"}) CHECK(is_source_path(path));
  for (const char* path : {"a.tess", "a.svg", "dir.py/a", "tessera:1:abc", ""}) CHECK_FALSE(is_source_path(path));
}

TEST_CASE("a kernel as a document has the source's values, in lines that follow what is changed") {
  const SourceReading reading = read(test::kSourceKernel);
  const std::string made = document_of(reading, test::kSourceKernel, "k.cu");
  INFO(made);
  const Result<Document> document = parse_document(made);
  REQUIRE(document);
  CHECK(document->bad_lines.empty());
  const std::vector<EvaluatedBinding> values = evaluate(*document);
  for (const SourceVariable& each : reading.variables) {
    if (!each.value) continue;
    INFO(each.name);
    const Value* value = find_value(values, each.name);
    REQUIRE(value);
    CHECK(to_string(*value) == each.words);
  }
  CHECK(made.find("let M = 128  # guessed") != std::string::npos);
  CHECK(made.find("let threadIdx_x = 0  # the first thread") != std::string::npos);
  CHECK(made.find("odd has no value: there is no function my_epilogue") != std::string::npos);
  std::string larger = made;
  larger.replace(larger.find("let M = 128"), 11, "let M = 512");
  larger.replace(larger.find("let threadIdx_x = 0"), 19, "let threadIdx_x = 3");
  const std::vector<EvaluatedBinding> others = evaluate(parse_document(larger).value());
  CHECK(to_string(*find_value(others, "mA")) == "(512,128):(128,1)");
  CHECK(to_string(*find_value(others, "tAsA")) == variable(read(test::kSourceKernel, {{"threadIdx.x", "3"}}), "tAsA").words);
}

TEST_CASE("a source of 20,000 lines is read within its time, and what was read until then is there") {
  std::string text = "void f(int n) {\n";
  for (int i = 0; i < 20'000; ++i) text += fmt::format("  auto a{} = make_layout(make_shape({}, n));\n", i, 1 + i % 64);
  text += "}\n";
  const SourceReading reading = read(text);
  CHECK_FALSE(reading.refused);
  CHECK(reading.variables.size() > 1000);
}

TEST_CASE("broken texts are read as far as they can be") {
  for (const std::string& text :
       {std::string(), std::string("\n\n\n"), std::string("{{{{ ((("), std::string("auto a = make_layout(\xff\xfe);\n"),
        "void f() {\n  auto a = make_layout(make_shape(4, 8));\n\tauto b = " + std::string(300, 'x') + ";\n",
        std::string("auto a = 'un\n\rclosed")}) {
    const SourceReading reading = read(text);
    for (const SourceVariable& each : reading.variables) CHECK(each.span.end <= text.size());
    for (const SourceFinding& each : reading.findings) CHECK(each.span.end <= text.size());
    for (std::size_t at = 0; at <= text.size(); ++at) (void)variable_at(reading, text, at);
    CHECK(parse_document(document_of(reading, text, "k.cu")));
  }
  CHECK(variable(read("void f() {\n  auto a = make_layout(make_shape(4, 8));\n  auto b = nothing(;\n"), "a").words == "(4,8):(1,4)");
}
