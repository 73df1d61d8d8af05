// SPDX-License-Identifier: BSD-3-Clause
// The two readings of `//`: a division in Python, a comment in C++.
#include "core/lang/syntax/division_or_comment.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lang/document/document.hpp"
#include "core/lang/programs/evaluate.hpp"
#include "core/lang/values/scope.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

struct Read {
  std::string text;  // of the value, or of the refusal's code
  std::vector<Error> warnings;
};

Read read(const std::string& text, const Scope& scope = {}) {
  Read made;
  const Result<Value> value = evaluate(text, scope, &made.warnings);
  made.text = value ? to_string(*value) : std::string(to_string(value.error().code)) + ": " + value.error().message;
  return made;
}

// A division, with a word that names both values where the comment would leave one too.
void check_divides(const std::string& text, const std::string& value, const std::string& as_comment) {
  INFO(text);
  const Read made = read(text);
  CHECK(made.text == value);
  if (as_comment.empty()) {
    CHECK(made.warnings.empty());
    return;
  }
  REQUIRE(made.warnings.size() == 1);
  CHECK(made.warnings[0].message.find(value + ";") != std::string::npos);
  CHECK(made.warnings[0].message.ends_with(as_comment));
  CHECK(text.substr(made.warnings[0].span->begin, 2) == "//");
}

void check_comment(const std::string& text, const std::string& value) {
  INFO(text);
  const Read made = read(text);
  CHECK(made.text == value);
  CHECK(made.warnings.empty());
}

// The text with what stands in strings and behind # as \x01: the marks that are left are those of the code.
std::string code_of(const std::string& text) {
  enum class In { code, string, escaped, comment } in = In::code;
  std::string code = text;
  char quote = 0;
  for (char& c : code) {
    const char was = c;
    if (was == '\n') {
      in = In::code;
      continue;
    }
    if (in == In::code && (was == '"' || was == '\'')) {
      in = In::string, quote = was;
    } else if (in == In::code && was == '#') {
      in = In::comment;
    } else if (in == In::string && was == '\\') {
      in = In::escaped;
    } else if (in == In::escaped) {
      in = In::string;
    } else if (in == In::string && was == quote) {
      in = In::code;
    } else if (in == In::code) {
      continue;
    }
    c = '\x01';
  }
  return code;
}

// Every text of at most this many pieces.
void for_each_text(const std::vector<std::string>& pieces, std::size_t longest, const std::string& begin,
                   const std::function<void(const std::string&)>& visit) {
  visit(begin);
  for (const std::string& piece : pieces) {
    if (longest > 0) for_each_text(pieces, longest - 1, begin + piece, visit);
  }
}

}  // namespace

TEST_CASE("marks, divisions and comments are found outside strings and comments alone, wherever a text ends") {
  std::size_t marks = 0, divided = 0;
  for_each_text({"\"", "'", "\\", "/", "#", "\n", "1", ";", ")"}, 6, "", [&](const std::string& text) {
    const std::string code = code_of(text);
    const bool marked = code.find(';') != std::string::npos;
    marks += marked;
    if (has_cpp_marks(text) != marked) FAIL("the marks of " << text);
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i + 1 < text.size() && !marked; ++i) {
      if (code[i] != '/' || code[i + 1] != '/') continue;
      if (may_divide(text, i)) {
        places.push_back(i++);
      } else {
        i = std::min(text.find('\n', i), text.size());
      }
    }
    divided += places.size();
    if (text.find("\n") == std::string::npos && possible_divisions(text) != places) FAIL("the divisions of " << text);
  });
  CHECK(marks > 10000);
  CHECK(divided > 100);
}

TEST_CASE("in text with no mark of C++ two slashes between integers divide, and a word names the other reading") {
  check_divides("bM = 256 // 8", "32", "256");
  check_divides("make_layout((256,\n512 // 8\n))", "(256,64):(1,256)", "(256,512):(1,256)");
  check_divides("cute.make_layout((256,\n512 // 8\n))", "(256,64):(1,256)", "");  // Python, where nothing else is meant
  check_divides("256 // 8 // 2", "16", "256");
  check_divides("512 * 2 // 8", "128", "1024");
  check_divides("size((4,8)) // 4", "8", "32");
  // Where the comment would swallow a bracket there is no other reading.
  check_divides("cute.make_layout((256 // 8, 4), stride=(1, 256 // 8))", "(32,4):(1,32)", "");
  check_divides("(256 // (4 * 2), 3):(3, 1)", "(32,3):(3,1)", "");
}

TEST_CASE("two slashes round down, as in Python, and refuse to divide by zero") {
  check_divides("-7 // 2", "-4", "-7");
  check_divides("7 // -2", "-4", "7");
  check_divides("-7 // -2", "3", "-7");
  check_divides("-8 // 2", "-4", "-8");
  check_divides("0 // 5", "0", "");
  CHECK(read("256 // 0").text == "out_of_range: 256 // 0: nothing is divided by zero");
  CHECK(read("(256 // 0, 4)").text.starts_with("out_of_range"));
  CHECK(read("-9223372036854775808 // -1").text.starts_with("overflow"));
  CHECK(read("9223372036854775807 * 2 // 2").text.starts_with("overflow"));
  CHECK(read("(1@0 // 2, 4)").text.starts_with("wrong_type"));
}

TEST_CASE("two slashes begin a comment beside C++'s marks, on a line of their own, and before what is no operand") {
  check_comment("auto x = 256; // 8", "256");
  check_comment("Int<256>{} // 8", "256");
  check_comment("cute::Layout<cute::_256> // 8", "256:1");
  check_comment("// 256 // 8\n4:1", "4:1");
  check_comment("4:1\n// 2", "4:1");
  check_comment("(4,8):(8,1) // rows", "(4,8):(8,1)");
  check_comment("(4,8):(8,1) // 2", "(4,8):(8,1)");
  check_comment("(4,8):(8,1) // rows of a tile (m,n", "(4,8):(8,1)");
  check_comment("(4,8):(8,1) // it's \"open", "(4,8):(8,1)");
  check_comment("make_layout((64, // 8\n 32)) // 2 * N", "(64,32):(1,64)");
  check_comment("3 # // 2", "3");
  check_comment("\"a // 3\"", "\"a // 3\"");
}

TEST_CASE("a name behind two slashes decides: a known integer divides, an unknown name makes a comment, with a word") {
  const Value eight = evaluate("8").value();
  const Scope scope = [&](std::string_view name) { return name == "rows" ? &eight : nullptr; };
  const Read known = read("256 // rows", scope);
  CHECK(known.text == "32");
  CHECK(known.warnings.size() == 1);
  const Read unknown = read("256 // rows");
  CHECK(unknown.text == "256");
  REQUIRE(unknown.warnings.size() == 1);
  CHECK(unknown.warnings[0].message.find("rows is not defined") != std::string::npos);
  // What has divided stays a division when something else is refused.
  CHECK(read("make_layout((256 // 8, rows))").text.find("rows is not defined") != std::string::npos);
  CHECK(read("make_layout((256 // 8,\nrows\n))").text.find("rows is not defined") != std::string::npos);
}

TEST_CASE("a document keeps its text, and its bindings divide by the same rule") {
  const std::string text =
      "// whole line // 3\n"
      "let bM = 256 // 8\n"
      "let n = 64 // bM\n"
      "let a = (4,8):(8,1) // rows\n"
      "let b = (4,8):(8,1) // rows of a tile (m,n\n"
      "let c = make_layout((256 // 8, 4)) // the tile\n"
      "let d = cute.make_layout((256,\n  512 // 8\n))\n"
      "let e = Int<256>{} // 8\n";
  const Result<Document> document = parse_document(text);
  REQUIRE(document);
  CHECK(to_text(*document) == text);
  const std::vector<std::string> expected = {"32", "2", "(4,8):(8,1)", "(4,8):(8,1)", "(32,4):(1,32)", "(256,64):(1,256)", "256"};
  const std::vector<EvaluatedBinding> values = evaluate(*document);
  REQUIRE(values.size() == expected.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    INFO(values[i].name);
    REQUIRE(values[i].value);
    CHECK(to_string(*values[i].value) == expected[i]);
  }
}

TEST_CASE("a long line of slashes is read in a time that grows with its length") {
  std::string text = "1";
  while (text.size() < 300000) text += " // 1";
  CHECK(read(text).text == "1");
  std::string prose = "(1";
  while (prose.size() < 300000) prose += " // x\n, 1";
  CHECK(read(prose + ")").text.starts_with("(1,1,1"));
}

TEST_CASE("a comment behind a value that is no integer can be taken off its text") {
  CHECK(without_trailing_comment("layout_figure(L) // rows") == "layout_figure(L)");
  CHECK(without_trailing_comment("layout_figure((8 // 2, 4))") == "layout_figure((8 // 2, 4))");
  CHECK(without_trailing_comment("f(\"a // b\")  # c") == "f(\"a // b\")");
  CHECK(without_trailing_comment("// c") == "");
}

TEST_CASE("a tuple of layouts on the right of `o` is taken by mode, and a word names the other reading") {
  const Read made = read("(4,8):(8,1) o (2:1, 4:2)");
  CHECK(made.text == "(2,4):(8,2)");
  REQUIRE(made.warnings.size() == 1);
  CHECK(made.warnings[0].message.find("(2,4):(8,2); as the one layout (2,4):(1,2) it would give") != std::string::npos);
  CHECK(made.warnings[0].message.find(to_string(*evaluate("composition((4,8):(8,1), (2,4):(1,2))"))) != std::string::npos);
  CHECK(read("(4,8):(8,1) o (2:1, _)").warnings.empty());
  CHECK(read("(4,8):(8,1) o (2,4)").warnings.empty());
  CHECK(read("composition((4,8):(8,1), (2:1, 4:2))").warnings.empty());
}
