// SPDX-License-Identifier: BSD-3-Clause
// A source file with what it includes and a trace of it, and expressions over its names.
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "app/session/files/source_file.hpp"
#include "core/base/sha256.hpp"
#include "core/lang/document/document.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;
using tessera::test::TemporaryFolder;

namespace {

const std::string kSource =
    "def f(self, bM):\n"
    "    sA = cute.make_layout((bM, 8), stride=(8, 1))\n"
    "    self.tiled_mma = cute.make_tiled_mma(cute.nvgpu.warp.MmaF16BF16Op(cutlass.Float16, cutlass.Float32, (16, 8, 16)))\n"
    "    t = cute.make_layout((4, 8))\n"
    "    t = cute.make_layout((8, 4))\n"
    "    gone = my_helper(t)\n";

void write(const std::filesystem::path& path, std::string_view text) { std::ofstream(path) << text; }

std::string trace_of(std::string_view source, std::string_view layout) {
  return fmt::format(
      "{{\"tessera_trace\":1,\"by\":\"nvidia-cutlass-dsl 4.8.1\"}}\n{{\"file\":\"k.py\",\"sha256\":\"{}\"}}\n"
      "{{\"name\":\"sA\",\"line\":2,\"column\":5,\"kind\":\"layout\",\"layout\":\"{}\"}}\n{{\"end\":true}}\n",
      sha256_hex(source), layout);
}

SourceFile opened(const std::filesystem::path& path, const SourceWish& wish = {}) {
  Result<SourceFile> made = open_source(path.string(), kSource, wish);
  if (!made) FAIL(made.error().message);
  return *std::move(made);
}

// As `draw EXPRESSION --file` evaluates it.
std::string value_in(const SourceFile& file, std::string_view expression, std::size_t line = 0) {
  const Result<SourceExpression> named = expression_in(file, expression, line);
  if (!named) return "refused: " + named.error().message;
  const Result<Document> document = parse_document(named->document + "let the_value = " + named->expression + "\n");
  REQUIRE(document);
  const auto bindings = evaluate(*document);
  return bindings.back().value ? to_string(*bindings.back().value) : "refused: " + bindings.back().value.error().message;
}

}  // namespace

TEST_CASE("a trace beside a source is laid over it, and one of another version is left out with a note") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "k.py";
  write(path, kSource);
  CHECK(opened(path).trace.empty());
  write(path.string() + ".trace", trace_of(kSource, "(64,8):(8,1)"));
  const SourceFile traced = opened(path);
  CHECK(traced.trace == path.string() + ".trace");
  CHECK(traced.notes.empty());
  CHECK(value_in(traced, "sA") == "(64,8):(8,1)");
  CHECK(expression_in(traced, "sA", 0)->mark == "traced");
  write(path.string() + ".trace", trace_of("another", "(64,8):(8,1)"));
  const SourceFile stale = opened(path);
  CHECK(stale.trace.empty());
  REQUIRE(stale.notes.size() == 1);
  CHECK(stale.notes[0].find("is left out: the trace is of another version of k.py") != std::string::npos);
  CHECK_FALSE(open_source(path.string(), kSource, {{}, path.string() + ".trace"}));
  CHECK_FALSE(open_source(path.string(), kSource, {{}, (folder.path() / "none.trace").string()}));
  write(path.string() + ".trace",
        "{\"tessera_trace\":1}\nx\n" + fmt::format("{{\"file\":\"k.py\",\"sha256\":\"{}\"}}\n", sha256_hex(kSource)));
  const SourceFile torn = opened(path);
  REQUIRE(torn.notes.size() == 2);
  CHECK(torn.notes[0].find("has no end") != std::string::npos);
  CHECK(torn.notes[1].find("1 line of") == 0);
}

TEST_CASE("an expression over a source's names says on what its values rest") {
  const SourceFile guessed = opened("k.py"), given = opened("k.py", {{{"bM", "32"}}, ""});
  CHECK(value_in(guessed, "sA") == "(128,8):(8,1)");
  CHECK(expression_in(guessed, "sA", 0)->mark == "likely: if bM is 128");
  CHECK(value_in(given, "sA") == "(32,8):(8,1)");
  CHECK(expression_in(given, "sA", 0)->mark == "with bM as given");
  CHECK(given.explanation.objects[0].source == ValueSource::given);
  CHECK(expression_in(guessed, "t", 0)->mark.empty());
  CHECK(value_in(guessed, "composition(sA, (2,4):(1,2))") == "(2,4):(8,16)");
  const std::string mma = "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (1,1,1):(0,0,0), (_,_,_))";
  CHECK(value_in(guessed, "self.tiled_mma") == mma);
  CHECK(value_in(guessed, "tiled_mma") == mma);
  CHECK(expression_in(guessed, "self.tiled_mma", 0)->expression == "tiled_mma");
}

TEST_CASE("a name has its last value, or the last one before a line, and the others are said") {
  const SourceFile file = opened("k.py");
  CHECK(value_in(file, "t") == "(8,4):(1,8)");
  CHECK(value_in(file, "t", 4) == "(4,8):(1,4)");
  REQUIRE(expression_in(file, "t", 0)->notes.size() == 1);
  CHECK(expression_in(file, "t", 0)->notes[0] ==
        "t has 2 values, of lines 4, 5; taken is the one of line 5, (8,4):(1,8): --line N takes the last before it");
  CHECK(expression_in(file, "sA", 0)->notes.empty());
  CHECK(value_in(file, "t", 2) == "refused: t gets its first value in line 4, behind line 2");
  // The line of the source is the line of the document that stands for it.
  CHECK(expression_in(file, "t", 0)->document == "\n\n\n\nlet t = (8,4):(1,8)\n");
}

TEST_CASE("a name whose statement has no value is refused with the reason, and the language's own names are left alone") {
  const SourceFile file = opened("k.py");
  CHECK(value_in(file, "gone").starts_with("refused:"));
  CHECK(value_in(file, "size(t)") == "32");
  CHECK(value_in(file, "(4,2):(1x,1)").starts_with("refused:"));
  CHECK(value_in(file, "1") == "1");
}
