// SPDX-License-Identifier: BSD-3-Clause
// The hash of a kernel's code: other words beside it are the same code, another sign in it is not.
#include <string>
#include <utility>

#include "kernels/codegen/kernel_source.hpp"

#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

std::string hash(std::string text) {
  KernelSource source;
  source.text = std::move(text);
  return code_hash(source);
}

}  // namespace

TEST_CASE("a kernel's code is its text without comments, empty lines and spaces around a line") {
  const std::string code = "int f() {\n  return 1;\n}\n";
  CHECK(hash(code).size() == 64);
  CHECK(hash("// what f is for\n\nint f() {  // one\n\treturn 1;\n\n}") == hash(code));
  CHECK(hash("int f() {\n  return 2;\n}\n") != hash(code));
  CHECK(hash("int f() {\n  return 1; }\n") != hash(code));
  CHECK(hash("int f() {\n  // return 1;\n}\n") != hash(code));
  CHECK(hash("") == hash("// nothing\n"));
  CHECK(hash("a\nb") != hash("ab"));
}

TEST_CASE("what stands between quotes is code, two strokes and all") {
  CHECK(hash("asm(\"a // b\");") != hash("asm(\"a // c\");"));
  CHECK(hash("asm(\"a\\\" // b\");") != hash("asm(\"a\\\" // c\");"));
  CHECK(hash("asm(\"a\");  // b") == hash("asm(\"a\");  // c"));
}
