// SPDX-License-Identifier: BSD-3-Clause
// What took long is found again by its text and the texts of what it uses, and by nothing less.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/lang/document/document.hpp"
#include "core/lang/programs/known_values.hpp"

#include "core/base/budget.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

// As if `expression` had been evaluated to a word that nobody else would make of it.
KnownValues known_of(std::string expression, std::string origin, std::int64_t cells = 0) {
  KnownValues known;
  known.keep({std::move(expression), std::move(origin), Value{std::string("known")}, {}, cells, 0});
  return known;
}

std::string value_in(const std::string& text, KnownValues& known, std::string_view name = "tv") {
  const std::vector<EvaluatedBinding> bindings = evaluate(parse_document(text).value(), known);
  const EvaluatedBinding* const found = find_binding(bindings, name);
  return found->value ? to_string(*found->value) : "refused";
}

const char* const kOrigin = "let data = (n,8):(8,1)\nlet n = 4\n";
const char* const kKnown = "\"known\"";

}  // namespace

TEST_CASE("a value is known while its text and the texts of all that it uses are the same") {
  KnownValues known = known_of("composition(data, 8:1)", kOrigin);
  const std::string same = "let n = 4\nlet data = (n,8):(8,1)\nlet tv = composition(data, 8:1)\n";
  CHECK(value_in(same, known) == kKnown);
  CHECK(value_in("# a comment\nlet other = 3\n" + same + "let refused = (4\n", known) == kKnown);
  CHECK(value_in("let n = 4\nlet data = (n,8):(8,1)\nlet m = 2\nlet called = composition(data, 8:1)\n", known, "called") == kKnown);
  CHECK(value_in("let n = 2\nlet data = (n,8):(8,1)\nlet tv = composition(data, 8:1)\n", known) != kKnown);
  CHECK(value_in("let n = 4\nlet data = (n,8):(1,n)\nlet tv = composition(data, 8:1)\n", known) != kKnown);
  CHECK(value_in("let n = 4\nlet data = (n,8):(8,1)\nlet tv = composition(data, 4:1)\n", known) != kKnown);
}

TEST_CASE("where another line than one of ours gives a name its value, nothing is known of what uses it") {
  KnownValues known = known_of("composition(data, 8:1)", kOrigin);
  CHECK(value_in("int n = 4;\nlet data = (n,8):(8,1)\nlet tv = composition(data, 8:1)\n", known) != kKnown);
  CHECK(value_in("let n = 4\nlet data = (n,8):(8,1)\nn = 2;\nlet tv = composition(data, 8:1)\n", known) != kKnown);
  CHECK(value_in("let n = 4\nlet data = (n,8):(8,1)\nfor (int i = 0; i < 4; ++i) { n = i; }\nlet tv = composition(data, 8:1)\n", known) !=
        kKnown);
  CHECK(value_in("let n = 4\nlet data = (n,8):(8\nlet tv = composition(data, 8:1)\n", known) == "refused");
}

TEST_CASE("what is known uses the budget as evaluating it would, and is evaluated where there is no room") {
  const std::string text = "let n = 4\nlet data = (n,8):(8,1)\nlet tv = composition(data, 8:1)\n";
  const Budget budget({.cells = 1000});
  KnownValues known = known_of("composition(data, 8:1)", kOrigin, 600);
  CHECK(value_in(text, known) == kKnown);
  CHECK(budget.cells() >= 600);
  CHECK(value_in(text, known) != kKnown);
}

TEST_CASE("what takes long is kept, what is done at once is not") {
  KnownValues known;
  const std::string quick = "let n = 4\nlet tv = size((n,8):(8,1))\n";
  CHECK(value_in(quick, known) == "32");
  CHECK(known.size() == 0);
  const std::string slow = "let n = 1024\nlet tv = is_injective((n,1024,2):(1,n,1))\n";
  const std::string value = value_in(slow, known);
  REQUIRE(known.size() == 1);
  CHECK(value_in("let more = 3\n" + slow, known) == value);
  CHECK(known.size() == 1);
}
