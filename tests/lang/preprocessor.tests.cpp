// SPDX-License-Identifier: BSD-3-Clause
// Conditions of the preprocessor are decided by macros that are given values, and by nothing else.
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/lang/programs/explain_program.hpp"
#include "core/lang/statements/preprocessor.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

// "holds by A,B", "fails", "open"
std::string said(std::string_view directive, std::string_view condition, const Macros& macros) {
  const std::optional<DecidedCondition> made = decided_condition(directive, condition, macros);
  if (!made) return "open";
  return fmt::format("{}{}{}", made->holds ? "holds" : "fails", made->by.empty() ? "" : " by ", fmt::join(made->by, ","));
}
std::string said(std::string_view condition, const Macros& macros = {}) { return said("if", condition, macros); }

// The value of each statement that binds the name, its source, and the given names that it rests on: "given 64:1 by ARCH".
std::string values(std::string_view source, std::string_view name, const Macros& macros) {
  std::string text;
  const Explanation made = explain(source, macros, Dialect::cpp);
  for (const Explained& each : made.objects) {
    if (each.name != name) continue;
    text += fmt::format("{}{} {}{}", text.empty() ? "" : "; ", to_string(each.source), to_string(each.value),
                        each.given.empty() ? "" : fmt::format(" by {}", fmt::join(each.given, ",")));
  }
  for (const Unused& each : made.unused) text += " unused " + each.name;
  return text;
}

}  // namespace

TEST_CASE("a condition is decided by the macros that are known, else it is open") {
  const Macros sm90{{"__CUDA_ARCH__", "900"}, {"FLAG", "0"}, {"TWICE", "2 * __CUDA_ARCH__"}};
  CHECK(said("0") == "fails");
  CHECK(said("1  // always") == "holds");
  CHECK(said("defined(__CUDA_ARCH__)") == "open");  // it may be defined where nobody looks
  CHECK(said("!defined(__CUDA_ARCH__)") == "open");
  CHECK(said("__CUDA_ARCH__ >= 800") == "open");
  CHECK(said("defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800", sm90) == "holds by __CUDA_ARCH__");
  CHECK(said("defined __CUDA_ARCH__ && (__CUDA_ARCH__ < 800)", sm90) == "fails by __CUDA_ARCH__");
  CHECK(said("__CUDA_ARCH__ >= 1000 && defined(OTHER)", sm90) == "fails by __CUDA_ARCH__");
  CHECK(said("__CUDA_ARCH__ >= 800 && defined(OTHER)", sm90) == "open");
  CHECK(said("defined(OTHER) || __CUDA_ARCH__ >= 800", sm90) == "holds by __CUDA_ARCH__");
  CHECK(said("FLAG || OTHER", sm90) == "open");
  CHECK(said("!FLAG", sm90) == "holds by FLAG");
  CHECK(said("TWICE == 1800", sm90) == "holds by TWICE,__CUDA_ARCH__");
  CHECK(said("ifdef", "FLAG", sm90) == "holds by FLAG");  // a value of 0 is one
  CHECK(said("ifndef", "FLAG", sm90) == "fails by FLAG");
  CHECK(said("ifdef", "OTHER", sm90) == "open");
  CHECK(said("ifndef", "OTHER", sm90) == "open");
}

TEST_CASE("operators of the preprocessor bind as C++'s do") {
  CHECK(said("2 + 3 * 4 == 14") == "holds");
  CHECK(said("(2 + 3) * 4 == 20") == "holds");
  CHECK(said("7 - 2 - 1 == 4") == "holds");
  CHECK(said("1 << 2 + 1 == 8") == "holds");
  CHECK(said("5 & 3 == 3") == "holds");  // 5 & (3 == 3)
  CHECK(said("6 & 3 == 3") == "fails");
  CHECK(said("1 | 2 ^ 2 & 3") == "holds");
  CHECK(said("0 || 1 && 0") == "fails");
  CHECK(said("-1 < 0") == "holds");
  CHECK(said("~0 == -1") == "holds");
  CHECK(said("0x10 == 020 && 16 == 16uLL") == "holds");
  CHECK(said("201703L >= 201103L") == "holds");
  CHECK(said("7 % 4 == 3 && 7 / 2 == 3") == "holds");
}

TEST_CASE("what is no condition that can be computed is open") {
  for (const std::string_view text : {"", "(", "1 +", "1 2", "1 / 0", "1 % 0", "__has_include(<x>)", "1 ? 2 : 3", "1 << 70", "'a' == 97",
                                      "99999999999999999999", "0x", "09", "defined", "defined(", "@"})
    CHECK(said(text) == "open");
  CHECK(said(std::string(100'000, '(')) == "open");
  CHECK(said(std::string(100'000, '!') + "1") == "open");
  CHECK(said("A", {{"A", "B"}, {"B", "A"}}) == "open");  // each is the other
}

TEST_CASE("branches of an #if are read as the given macros decide") {
  constexpr std::string_view kText = R"(#if defined(ARCH) && ARCH >= 90
auto x = make_layout(90);
#elif ARCH >= 80
auto x = make_layout(80);
#else
auto x = make_layout(70);
#endif
auto y = composition(x, x);
)";
  CHECK(values(kText, "x", {{"ARCH", "90"}}) == "given 90:1 by ARCH");
  CHECK(values(kText, "x", {{"ARCH", "86"}}) == "given 80:1 by ARCH");
  CHECK(values(kText, "x", {{"ARCH", "75"}}) == "given 70:1 by ARCH");
  CHECK(values(kText, "y", {{"ARCH", "86"}}) == "given 80:1 by ARCH");  // what it is made of is given
  CHECK(values(kText, "x", {}) == "known 90:1");                        // the first that may be compiled, in this branch
  CHECK(values(kText, "y", {}).empty());                                // behind the branches it may be any of them
  // Nested, and one that asks for no macro with a value.
  CHECK(values("#ifdef A\n#if B\nauto x = make_layout(2);\n#else\nauto x = make_layout(3);\n#endif\n#endif\n", "x",
               {{"A", "1"}, {"B", "0"}}) == "given 3:1 by B,A");
  CHECK(values("#if 0\nauto x = make_layout(2);\n#elif 1\nauto x = make_layout(3);\n#endif\n", "x", {}) == "known 3:1");
  CHECK(values("#ifdef A\n#endif\nauto x = make_layout(2);\n", "x", {{"A", "1"}}) == "known 2:1");  // and A is used
  CHECK(values("auto x = make_layout(2);\n", "x", {{"A", "1"}}) == "known 2:1 unused A");
  CHECK(values("#ifdef A\nauto x = make_layout(2);\n", "x", {{"A", "1"}}) == "known 2:1");  // the text ends before the #endif
}
