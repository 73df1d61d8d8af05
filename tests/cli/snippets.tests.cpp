// SPDX-License-Identifier: BSD-3-Clause
// Texts of many statements on the command line: where they come from, the values that are given for their names, and what is said of them.
#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera::test;

TEST_CASE("a value that is given is needed, named once, and given as one") {
  struct Case {
    std::string_view given, says;
    int code;
  };
  const Case cases[] = {
      {"--let 1x=4", "cannot be a name", 2},
      {"--let 'b M=4'", "cannot be a name", 2},
      {"--let bM=4 --let bM=5", "bM is given twice", 2},
      {"--let 'bM=4;bN=3'", "write --let bM=4 --let bN=3", 2},
      {"--let bM=", "the value is missing", 2},
      {"--let bM=4 --let bN=3", "--let bN: nothing needs this name", 0},
      {"--let bM=4 --let x=3", "--let x is not used: line 1 gives x its value", 0},
  };
  for (const Case& each : cases) {
    const Run run = shell(fmt::format("printf 'auto x = make_layout(bM);\\n' | tessera eval - {}", each.given));
    INFO(each.given << "\n" << run.err);
    CHECK(run.code == each.code);
    CHECK(has(run.err, std::string(each.says)));
  }
}

TEST_CASE("a source file is read as statements, and explain is named for what stands inside of functions") {
  const Run run = shell("printf 'auto x = 4;\\n__global__ void k() { }\\n' > x.cu; tessera eval x.cu; rm x.cu");
  CHECK(has(run.out, "x = 4\n"));
  CHECK(has(run.err, "tessera explain x.cu reads inside of functions"));
  CHECK(has(shell("printf 'auto x = 4;\\n__global__ void k() { }\\n' | tessera eval -").err,
            "tessera explain FILE reads inside of functions"));
  for (const std::string_view file : {"nowhere.tess", "nowhere.cu", "nowhere.py"}) {
    const Run missing = shell(fmt::format("tessera eval {}", file));
    CHECK(missing.code == 1);
    CHECK(has(missing.err, fmt::format("there is no file {}", file)));
  }
}

TEST_CASE("explain reads stdin, and says what it looked for where it finds nothing") {
  CHECK(has(shell("printf 'auto x = make_layout(4);\\n' | tessera explain -").out, "4:1"));
  CHECK(has(shell("printf 'int x = 4;\\n' | tessera explain -").out, "looked for statements"));
  const Run binary = shell("printf 'a\\0b' | tessera explain -");
  CHECK(binary.code == 1);
  CHECK(has(binary.err, "is no text"));
}
