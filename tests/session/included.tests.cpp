// SPDX-License-Identifier: BSD-3-Clause
// What a source file includes from beside it gives its names values.
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "app/session/files/included.hpp"
#include "core/lang/programs/explain_program.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;
using namespace tessera::test;

namespace {

std::string value_in(const Included& included, const std::string& name) {
  const Value* const found = included.scope()(name);
  return found ? to_string(*found) : "none";
}

}  // namespace

TEST_CASE("names of a header beside a file have their values, with the paths of namespaces and classes") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "more");
  put(folder / "config.h",
      "#pragma once\nnamespace Config {\nstatic constexpr int kM = 64;\n}\nstruct Tile { static constexpr int kN = 8; };\n");
  put(folder / "more/inner.hpp", "#include \"../config.h\"\nconstexpr int kTwice = 2 * Config::kM;\n");
  const std::string source =
      "#include <cute/tensor.hpp>\n#include \"more/inner.hpp\"\n  #  include \"config.h\"\n#include \"missing.h\"\n"
      "using L = Layout<Shape<Int<Config::kM>, Int<kTwice>>>;\n";
  put(folder / "traits.h", source);
  const Included included = included_names(folder / "traits.h", source);
  CHECK(value_in(included, "Config::kM") == "64");
  CHECK(value_in(included, "Tile::kN") == "8");
  CHECK(value_in(included, "kTwice") == "128");
  CHECK(included.files == std::vector<std::string>{"more/inner.hpp"});
  const Explanation made = explain(source, {}, {}, included.scope());
  REQUIRE(made.objects.size() == 1);
  CHECK(to_string(made.objects[0].value) == "(64,128):(1,64)");
  CHECK(made.objects[0].needs.empty());
}

TEST_CASE("a header gives no values that rest on guesses, defaults or conditions") {
  const TemporaryFolder folder;
  put(folder / "h.h",
      "constexpr int kGuess = 2 * unknown;\ntemplate <int S = 3> struct T { static constexpr int kS = S; };\n"
      "#ifdef X\nconstexpr int kIf = 4;\n#else\nconstexpr int kIf = 8;\n#endif\nconstexpr int kSure = 1;\n");
  const Included included = included_names(folder / "main.cu", "#include \"h.h\"\n");
  CHECK(value_in(included, "kGuess") == "none");
  CHECK(value_in(included, "T::kS") == "none");
  CHECK(value_in(included, "kIf") == "none");
  CHECK(value_in(included, "kSure") == "1");
}

TEST_CASE("headers that include each other, devices and files that are no text end the reading") {
  const TemporaryFolder folder;
  put(folder / "a.h", "#include \"b.h\"\nconstexpr int kA = 1;\n");
  put(folder / "b.h", "#include \"a.h\"\nconstexpr int kB = 2;\n");
  put(folder / "binary.h", std::string("constexpr int kC = 3;\0", 22));
  const Included included = included_names(
      folder / "main.cu", "#include \"a.h\"\n#include \"/dev/zero\"\n#include \"binary.h\"\n#include \"main.cu\"\n#include \"");
  CHECK(value_in(included, "kA") == "1");
  CHECK(value_in(included, "kB") == "2");
  CHECK(value_in(included, "kC") == "none");
}

TEST_CASE("the file's own names and given values come before those of its headers") {
  const TemporaryFolder folder;
  put(folder / "h.h", "constexpr int n = 4;\n");
  const std::string source = "#include \"h.h\"\nvoid f() {\n  int n = 8;\n  auto A = make_layout(n);\n}\nauto B = make_layout(n);\n";
  const Included included = included_names(folder / "main.cu", source);
  const auto values = [&](const std::vector<std::pair<std::string, std::string>>& given) {
    std::string text;
    for (const Explained& each : explain(source, given, {}, included.scope()).objects) text += to_string(each.value) + " ";
    return text;
  };
  CHECK(values({}) == "8:1 4:1 ");
  CHECK(values({{"n", "16"}}) == "8:1 16:1 ");
}
