// SPDX-License-Identifier: BSD-3-Clause
// A sweep's table says at every point what the expression says there by itself.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/lang/programs/evaluate.hpp"
#include "core/lang/values/scope.hpp"
#include "core/lang/values/value.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

Report swept(const std::string& text, const Scope& scope = {}) {
  const Result<Value> made = evaluate(text, scope);
  INFO(text);
  if (!made) FAIL(describe(made.error(), text));
  const auto* report = std::get_if<std::shared_ptr<const Report>>(&made->any);
  REQUIRE(report);
  return **report;
}

std::string refusal(const std::string& text) {
  const Result<Value> made = evaluate(text);
  return made ? "" : made.error().message;
}

std::vector<std::string> row(const Report& report, std::size_t i) {
  std::vector<std::string> made;
  for (const Report::Cell& cell : report.rows.at(i)) made.push_back(to_string(cell));
  return made;
}

Report::Cell fact(const Report& report, std::string_view name) {
  for (const Report::Fact& each : report.facts) {
    if (each.name == name) return each.value;
  }
  FAIL("there is no fact " << name);
  return {};
}

using Row = std::vector<std::string>;

}  // namespace

TEST_CASE("every point of a sweep is the expression with the number in its place") {
  for (const char* expression : {"cosize((8,8):({},1))", "size(coalesce(({},4):(4,1)))", "{} * {} - 7", "is_injective(({},8):(8,1))"}) {
    std::string with_name = expression;
    for (std::size_t at = with_name.find("{}"); at != std::string::npos; at = with_name.find("{}")) with_name.replace(at, 2, "p");
    const Report table = swept("sweep(" + with_name + ", p=5..12)");
    INFO(with_name);
    REQUIRE(table.rows.size() == 8);
    for (int p = 5; p <= 12; ++p) {
      std::string at_p = expression;
      for (std::size_t at = at_p.find("{}"); at != std::string::npos; at = at_p.find("{}")) at_p.replace(at, 2, std::to_string(p));
      std::string alone = to_string(evaluate(at_p).value());
      if (alone == "true" || alone == "false") alone = alone == "true" ? "yes" : "no";
      CHECK(row(table, static_cast<std::size_t>(p - 5)) == Row{std::to_string(p), alone});
    }
  }
}

TEST_CASE("a sweep's expression may be quoted, and its parameters ranges with a step, tuples, lists and several") {
  CHECK(swept("sweep(\"2*p\", p=1..3)").rows == swept("sweep(2*p, p=1..3)").rows);
  CHECK(swept("sweep(2*p, p = 1 .. 3)").rows.size() == 3);
  const Report stepped = swept("sweep(p, p=-4..5, step=4)");
  CHECK(row(stepped, 0) == Row{"-4", "-4"});
  CHECK(row(stepped, 2) == Row{"4", "4"});
  CHECK(stepped.rows.size() == 3);
  CHECK(row(swept("sweep(size(s), s=((4,8),6))"), 0) == Row{"(4,8)", "32"});
  const Report two = swept("sweep(10*p+q, p=1..2, q=(3,5,7))");
  CHECK(two.columns == Row{"p", "q", "value"});
  CHECK(two.parameters == 2);
  CHECK(row(two, 1) == Row{"1", "5", "15"});
  CHECK(row(two, 3) == Row{"2", "3", "23"});
  CHECK(two.rows.size() == 6);
}

TEST_CASE("a sweep reads the names around it, and its own parameter before them") {
  const Value ten{IntTuple(10)};
  const Scope scope = [&](std::string_view name) { return name == "ten" || name == "p" ? &ten : nullptr; };
  CHECK(row(swept("sweep(ten + p, p=1..2)", scope), 1) == Row{"2", "12"});
  CHECK(row(swept("sweep(\"ten + q\", q=p..11)", scope), 1) == Row{"11", "21"});
}

TEST_CASE("a report's facts are a sweep's columns, and its first number that changes is summed up") {
  const Report table = swept("sweep(access(128, (32,32):(p,1)), p=32..56, step=8)");
  CHECK(table.columns[1] == "instruction");
  CHECK(std::get<std::string>(fact(table, "of")) == "wavefronts");
  CHECK(std::get<std::int64_t>(fact(table, "smallest_at")) == 32);
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const auto alone = evaluate(fmt::format("access(128, (32,32):({},1)).wavefronts", 32 + 8 * i)).value();
    const auto column =
        static_cast<std::size_t>(std::find(table.columns.begin(), table.columns.end(), "wavefronts") - table.columns.begin());
    CHECK(to_string(table.rows[i][column]) == to_string(alone));
  }
  const Report same = swept("sweep(size((8,8):(p,1)), p=8..12)");
  CHECK(same.sentence.find("64 at each") != std::string::npos);
}

TEST_CASE("integers beyond those that are doubles are told apart") {
  const Report table = swept("sweep(9007199254740992 + p, p=0..1)");
  CHECK(std::get<std::int64_t>(fact(table, "largest")) - std::get<std::int64_t>(fact(table, "smallest")) == 1);
  CHECK(std::get<std::int64_t>(fact(table, "largest_at")) == 1);
}

TEST_CASE("a point that is refused is said, and the others stay") {
  const Report table = swept("sweep(12 / p, p=-1..2)");
  CHECK(std::get<std::int64_t>(fact(table, "refused")) == 1);
  CHECK(row(table, 1) == Row{"0", "refused"});
  CHECK(row(table, 3) == Row{"2", "6"});
  CHECK(table.notes.at(0).find("at p = 0") != std::string::npos);
  CHECK(refusal("sweep(1 / (p - p), p=1..3)").starts_with("at p = 1"));
  CHECK(refusal("sweep(2*q, p=1..3)").find("q") != std::string::npos);
}

TEST_CASE("a sweep that says no values, too many, or no name is refused with what to write") {
  CHECK(refusal("sweep(p, p=3..1)").find("ends before it begins") != std::string::npos);
  CHECK(refusal("sweep(p, p=1..100000)").find("more than 4096") != std::string::npos);
  CHECK(refusal("sweep(p, p=-9223372036854775807..9223372036854775807)").find("more than 4096") != std::string::npos);
  CHECK(swept("sweep(p, p=9223372036854775800..9223372036854775807)").rows.size() == 8);
  CHECK(refusal("sweep(p*q*r, p=1..100, q=1..100)").find("more than 4096") != std::string::npos);
  CHECK(refusal("sweep(p)").find("values of a name") != std::string::npos);
  CHECK(refusal("sweep(p, 1..4)").find("have a name") != std::string::npos);
  CHECK(refusal("sweep(p, p=1..4, step=0)").find("at least 1") != std::string::npos);
  CHECK(refusal("sweep()").find("expression first") != std::string::npos);
  CHECK_FALSE(refusal("sweep(p, p=1..2, p=3..4)").empty());
  CHECK_FALSE(refusal("size(1..4)").empty());
  CHECK_FALSE(refusal("((4,8):(8,1)).sweep()").empty());
  CHECK(swept("sweep(sweep(p*q, q=1..2).largest, p=1..3)").rows.size() == 3);
}

TEST_CASE("a table has the rows that it is given, and _ where there is none", "[table]") {
  const Report table = swept("table(m=(64,128), us=(3.5,_), t=(\"a\",\"b\"))");
  CHECK(table.parameters == 1);
  CHECK(table.columns == std::vector<std::string>{"m", "us", "t"});
  CHECK(row(table, 0) == Row{"64", "3.5", "a"});
  CHECK(row(table, 1) == Row{"128", "", "b"});
  CHECK(swept("table(m=(1,2), n=(1,2), us=(3,4), parameters=2)").parameters == 2);
  CHECK(swept("table(m=8, us=3)").rows.size() == 1);
  // What a sweep says, written out.
  CHECK(swept("table(p=(1,2,3), value=(1,4,9))").rows == swept("sweep(p*p, p=1..3)").rows);
}

TEST_CASE("tables of columns without names, of other lengths, named twice and without numbers are refused", "[table]") {
  const auto refused = [](std::string_view text) {
    const Result<Value> value = evaluate(text);
    REQUIRE_FALSE(value);
    return value.error().message;
  };
  CHECK(refused("table((64,128))") == "the columns of a table have names, as in m=(64,128)");
  CHECK(refused("table(m=(64,128), us=(1,2,3))") == "us has 3 values, and m has 2: a row has one of each");
  CHECK(refused("table(m=(64,128), m=(1,2))") == "m is given twice");
  CHECK(refused("table(m=(64,128))") == "a table over 1 parameter has a column of numbers behind it");
  CHECK(refused("table(m=1, us=2, parameters=3)") == "a table is over one parameter or two, not 3");
}
