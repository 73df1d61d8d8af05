// SPDX-License-Identifier: BSD-3-Clause
// Result, Error, checked arithmetic and SmallVector.
#include "core/base/result.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "core/base/checked.hpp"
#include "core/base/small_vector.hpp"
#include "core/base/utf8.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

Result<int> half(int n) {
  if (n % 2 == 0) return n / 2;
  return Error{ErrorCode::not_divisible, "2 does not divide " + std::to_string(n), {}, {}};
}
Result<int> quarter(int n) {
  TESSERA_TRY(once, half(n));
  return half(once);
}
Status even(int n) {
  TESSERA_CHECK(half(n));
  return Done{};
}

}  // namespace

TEST_CASE("A result is a value or the reason why there is none") {
  CHECK(quarter(12).value() == 3);
  CHECK(quarter(6).error().message == "2 does not divide 3");
  CHECK(quarter(5).error().code == ErrorCode::not_divisible);
  CHECK(even(4).has_value());
  CHECK_FALSE(even(3).has_value());
  CHECK(half(3).value_or(7) == 7);
}

TEST_CASE("An error shows the line, a caret and its notes") {
  const Error error = Error{ErrorCode::parse, "expected ')'", {}, {}}.at({9, 10}).note("close the shape");
  CHECK(describe(error, "let a = (4\nlet b = 3") == "parse: expected ')'\n    1 | let a = (4\n      |          ^\n  note: close the shape");
  CHECK(describe(error) == "parse: expected ')'\n  note: close the shape");
  CHECK(describe(Error{ErrorCode::parse, "x", SourceSpan{100, 200}, {}}, "short").find('^') != std::string::npos);
}

TEST_CASE("Whatever an error quotes, its lines are printable and the caret stands under the place") {
  const auto shown = [](std::string_view source, std::size_t begin, std::size_t end) {
    const std::string text = describe(Error{ErrorCode::parse, "x", SourceSpan{begin, end}, {}}, source);
    return text.substr(text.find('\n') + 1);
  };
  CHECK(shown("a\x1b[31m?", 6, 7) == "    1 | a\\x1b[31m?\n      |          ^");
  CHECK(shown("\t(4?", 3, 4) == "    1 |  (4?\n      |    ^");
  CHECK(shown("漢 é?", 6, 7) == "    1 | 漢 é?\n      |     ^");  // 漢 has three bytes and two columns
  CHECK(shown("漢?", 0, 3) == "    1 | 漢?\n      | ^^");
  CHECK(shown("漢?", 1, 2) == "    1 | 漢?\n      | ^^");  // the middle of a character
  CHECK(shown("\xff?", 0, 1) == "    1 | \\xff?\n      | ^^^^");
  CHECK(shown("(4\r\n(?", 5, 6) == "    2 | (?\n      |  ^");
  CHECK(shown("(4\r\n", 3, 4) == "    1 | (4\n      |    ^");
  CHECK(shown("a\xe2\x80\xae?", 4, 5) == "    1 | a\\u{202e}?\n      |          ^");
  // A long line is cut between characters, on both sides.
  std::string wide;
  for (int i = 0; i < 200; ++i) wide += "漢";
  for (const std::size_t at : {300, 301, 302}) {
    const std::string quoted = shown(wide, at, at + 1);
    CHECK(is_utf8(quoted));
    CHECK(quoted.find("\\x") == std::string::npos);
  }
  // Foreign text cannot begin a line of its own.
  const Error forged = Error{ErrorCode::io, "cannot read a\nnote: b\x1b[2J", {}, {}}.note("ptxas said\nerror: \x9b\rno");
  CHECK(describe(forged) == "io: cannot read a\\nnote: b\\x1b[2J\n  note: ptxas said\n        error: \\x9b\\rno");
}

TEST_CASE("Every byte in every place of an error gives printable lines") {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string text = std::string("a") + static_cast<char>(byte) + "b";
    const std::string shown = describe(Error{ErrorCode::parse, text, SourceSpan{1, 2}, {text}}, text);
    CHECK(printable(shown, Lines::kept) == shown);
    CHECK(is_utf8(shown));
    CHECK(shown.find('\t') == (byte == '\t' ? shown.rfind('\t') : std::string::npos));  // in the note alone
  }
}

TEST_CASE("A place is kept by the first who knows it") { CHECK(Error{}.at({1, 2}).at({3, 4}).span->begin == 1); }

TEST_CASE("Overflow is an answer, not a wrap") {
  constexpr auto largest = std::numeric_limits<std::int64_t>::max();
  CHECK_FALSE(checked_add(largest, 1).has_value());
  CHECK_FALSE(checked_mul(largest, 2).has_value());
  CHECK(checked_mul(-largest, 1) == -largest);
  CHECK(ceil_div(7, 2) == 4);
}

TEST_CASE("A small vector keeps its values when it outgrows its place") {
  SmallVector<int, 3> v;
  for (int i = 0; i < 10; ++i) {
    v.push_back(i);
    SmallVector<int, 3> copy = v;
    REQUIRE(copy.size() == v.size());
    for (int k = 0; k <= i; ++k) REQUIRE(copy[static_cast<std::size_t>(k)] == k);
  }
  v.resize(2);
  CHECK(v.back() == 1);
  v.push_back(42);
  CHECK(v.size() == 3);
  CHECK(v[2] == 42);
  v.resize(5, 7);
  CHECK(v[4] == 7);
}
