// SPDX-License-Identifier: BSD-3-Clause
// Tensors of coordinates: a tuple of integers in front of a layout with basis strides is an offset.
#include <string>
#include <string_view>
#include <vector>

#include "core/lang/programs/evaluate.hpp"
#include "core/lang/values/scope.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

std::string text_of(const std::string& text, const Scope& scope = {}) {
  const Result<Value> value = evaluate(text, scope);
  return value ? to_string(*value) : std::string(to_string(value.error().code));
}

}  // namespace

TEST_CASE("a tuple of integers before a layout with basis strides is an offset that is added to its coordinates") {
  const std::string tensor = "(64,128) o (128,64):(1@0,1@1)";
  CHECK(text_of(tensor) == tensor);  // which reads back as itself
  CHECK(kind_name(*evaluate(tensor)) == "tensor");
  const Value bound = evaluate(tensor).value();
  const Scope scope = [&](std::string_view name) { return name == "t" ? &bound : nullptr; };
  for (int m = 0; m < 128; m += 31) {
    for (int n = 0; n < 64; n += 21) {
      const std::string at = "(" + std::to_string(m) + "," + std::to_string(n) + ")";
      const std::string sum = "(" + std::to_string(64 + m) + "," + std::to_string(128 + n) + ")";
      CHECK(text_of("crd2idx(" + at + ", " + tensor + ")") == sum);
      CHECK(text_of("t" + at, scope) == sum);
    }
  }
  CHECK(text_of("t(3,_)", scope) == "(67,128) o (64):(1@1)");
  CHECK(text_of("(0,0) o (4,8):(1@0,1@1)") == "(4,8):(1@0,1@1)");
  CHECK(text_of("ArithTuple(_2,_0) o (_4,_8):(_1@0,_1@1)") == "(2,0) o (4,8):(1@0,1@1)");
  CHECK(text_of("(1,(2,3)) o (4,8):(1@0,1@1)") == "not_congruent");
  CHECK(text_of("(9223372036854775807,0) o (4,8):(1@0,1@1)") == "not_congruent");  // beyond 64 bits there is no sum
  std::vector<Error> warnings;
  CHECK(text_of("(1@0,2) o (4,8):(1@0,1@1)") != "(1@0,2) o (4,8):(1@0,1@1)");
  REQUIRE(evaluate("crd2idx((128,0), " + tensor + ")", {}, &warnings));
  CHECK(warnings.size() == 1);
}
