// SPDX-License-Identifier: BSD-3-Clause
// A plan that stands in an expression or a document is a GEMM like any other, whose text reads back.
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/gemm/gemm_spec.hpp"
#include "core/lang/document/document.hpp"
#include "core/lang/programs/evaluate.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

constexpr const char* kPlan = R"(plan "waits" {
  cta threads 32  # one warp
  barrier all cta arrivals 32
  role cta threads 32 { loop t = 0 .. 3 { wait all "together"; opaque "work" units 2 } }
})";

std::shared_ptr<const GemmSpec> gemm_in(const Value& value) { return std::get<std::shared_ptr<const GemmSpec>>(value.any); }

}  // namespace

TEST_CASE("a plan is a value whose text reads back") {
  const Value value = evaluate(kPlan).value();
  CHECK(kind_name(value) == "gemm");
  REQUIRE(gemm_in(value)->plan != nullptr);
  const std::string text = to_string(value);
  CHECK(text.starts_with("plan \"waits\" {\n"));
  CHECK(to_string(evaluate(text).value()) == text);
}

TEST_CASE("a document holds a plan over several lines, beside other values") {
  const Document document = parse_document("let before = 4\nlet p = " + std::string(kPlan) + "\nlet behind = before + 1\n").value();
  CHECK(document.bad_lines.empty());
  const std::vector<EvaluatedBinding> bindings = evaluate(document);
  REQUIRE(bindings.size() == 3);
  for (const EvaluatedBinding& each : bindings) CHECK(each.value.has_value());
  CHECK(gemm_in(bindings[1].value.value())->name == "waits");
}

TEST_CASE("a plan that is wrong is refused at its place in the expression") {
  std::string text = kPlan;
  text.replace(text.find("wait all"), 8, "wait ill");
  const Result<Value> value = evaluate(text);
  REQUIRE_FALSE(value);
  CHECK(value.error().message == "line 4, column 48 of the plan: the plan has no barrier ill");
  REQUIRE(value.error().span);
  CHECK(text.substr(value.error().span->begin, value.error().span->end - value.error().span->begin) == "ill");
  CHECK_FALSE(evaluate("plan { cta threads 32"));
  CHECK_FALSE(evaluate("plan \"x\" { "));
}
