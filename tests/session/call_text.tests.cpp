// SPDX-License-Identifier: BSD-3-Clause
// Edits of expressions as text, against calls whose parts are known, and against a scanner that goes sign by sign.
#include "app/session/files/call_text.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/lang/syntax/division_or_comment.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

struct Dice {
  std::mt19937 random;
  std::size_t below(std::size_t n) { return random() % n; }
  template <class T>
  const T& one_of(const std::vector<T>& all) {
    return all[below(all.size())];
  }
};

// What may stand between two signs. The comments hold what would be a bracket, a comma or an argument outside of them.
const std::vector<std::string> kBlanks{"", "", " ", "\t", "\r\n", " \n ", " # a, x=1)\n", "// (a = \"\n"};
// Values that hold every sign of a call, and none that ends it.
const std::vector<std::string> kValues{"3",        "abc",     "(0,1)",    "f(x=1, y)", "[x, {y=2}]", "\"x=1, )\"", "'(\\'x'",
                                       "\"\\\\\"", "(4,8):8", "((x), x)", "x + \"#\"", "_",          "x1",         "1.5"};

struct Argument {
  std::string before, name, equals, value, after;  // the blanks, `x`, ` = `, `3`, the blanks up to the comma or bracket
  std::string text() const { return before + name + equals + value + after; }
};

struct Call {
  std::string head, tail;  // "f (" and ")" with what surrounds the call
  std::vector<Argument> arguments;

  std::string text() const {
    std::string made = head;
    for (std::size_t i = 0; i < arguments.size(); ++i) made += (i == 0 ? "" : ",") + arguments[i].text();
    return made + tail;
  }
};

// A call with `name` at one of its places, or nowhere.
Call random_call(Dice& dice, std::size_t count, std::size_t named_at, const std::string& name) {
  Call call;
  call.head = dice.one_of(kBlanks) + "tv_figure" + dice.one_of(kBlanks) + "(";
  call.tail = ")" + dice.one_of(kBlanks);
  for (std::size_t i = 0; i < count; ++i) {
    Argument argument;
    argument.before = dice.one_of(kBlanks), argument.after = dice.one_of(kBlanks), argument.value = dice.one_of(kValues);
    if (i == named_at) argument.name = name, argument.equals = dice.one_of(kBlanks) + "=";
    if (i != named_at && dice.below(3) == 0) argument.name = "other", argument.equals = dice.one_of(kBlanks) + "=";
    call.arguments.push_back(std::move(argument));
  }
  return call;
}

// The brackets that are open, by one pass over the signs.
std::string brackets_of(std::string_view text) {
  const std::vector<std::size_t> divisions = possible_divisions(text);
  std::string open;
  char quote = 0;
  bool comment = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') {
      comment = false, quote = 0;
    } else if (comment) {
    } else if (quote != 0) {
      if (c == quote) quote = 0;
      if (c == '\\' && i + 1 < text.size() && text[i + 1] != '\n') ++i;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '#') {
      comment = true;
    } else if (text.substr(i).starts_with("//")) {
      comment = std::find(divisions.begin(), divisions.end(), i) == divisions.end();
      ++i;
    } else if (std::string_view("([{").find(c) != std::string_view::npos) {
      open += c;
    } else if (std::string_view(")]}").find(c) != std::string_view::npos && !open.empty()) {
      open.pop_back();
    }
  }
  return open;
}

std::string random_text(Dice& dice, std::size_t most) {
  static constexpr std::string_view kSigns = "aab(([{}]))\"\"''\\\\\n#//=,:. \t\r_zZ09";
  std::string text;
  for (std::size_t n = dice.below(most + 1); n > 0; --n) text += kSigns[dice.below(kSigns.size())];
  return text;
}

std::string replaced_all(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
  return text;
}

}  // namespace

TEST_CASE("a named argument is changed, removed or added, and no other byte of the call") {
  Dice dice{std::mt19937(5)};
  for (int round = 0; round < 3000; ++round) {
    const std::size_t count = dice.below(5), at = dice.below(6);
    const Call call = random_call(dice, count, at, "x");
    INFO(call.text());
    Call changed = call, removed = call;
    if (at < count) {
      changed.arguments[at].equals = call.arguments[at].equals, changed.arguments[at].value = "(7,8)";
      REQUIRE(with_named_argument(call.text(), "x", "(7,8)").value() == changed.text());
      // Removed with the comma before it, or, where it was the first, with the commas and spaces behind it.
      Argument& gone = removed.arguments[at];
      std::string expected = call.head;
      if (at == 0) {
        std::string rest = gone.after + (count > 1 ? "," : "");
        for (std::size_t i = 1; i < count; ++i) rest += call.arguments[i].text() + (i + 1 < count ? "," : "");
        rest += call.tail;
        expected += rest.substr(rest.find_first_not_of(", \t\r\n"));
      } else {
        for (std::size_t i = 0; i < count; ++i) {
          if (i == at)
            expected += gone.after;
          else
            expected += (i == 0 ? "" : ",") + call.arguments[i].text();
        }
        expected += call.tail;
      }
      REQUIRE(with_named_argument(call.text(), "x", "").value() == expected);
    } else {
      REQUIRE(with_named_argument(call.text(), "x", "").value() == call.text());
      const std::string text = call.text(), added = (count == 0 ? "" : ", ") + std::string("x=(7,8)");
      std::string expected = text;
      expected.insert(text.size() - call.tail.size(), added);
      REQUIRE(with_named_argument(text, "x", "(7,8)").value() == expected);
    }
  }
}

TEST_CASE("an argument added behind a last comma makes no empty argument") {
  CHECK(with_named_argument("f(a,)", "x", "1").value() == "f(a, x=1)");
  CHECK(with_named_argument("f((a,))", "x", "1").value() == "f((a,), x=1)");
  CHECK(with_named_argument("f( )", "x", "1").value() == "f( x=1)");
}

TEST_CASE("an argument can be set on one whole call and on nothing else") {
  for (const std::string none : {"", " ", "# f(a)", "3", "(a)", "f", "f[a]", "f(a", "f(a) + 1", "f(a)(b)", "f(a) b", "\"f\"(a)", "+(a)",
                                 "f a(b)", "f(a))", "f(\"a)", "f(a # )", "cute::f(a)"}) {
    INFO(none);
    const Result<std::string> refused = with_named_argument(none, "x", "1");
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ErrorCode::wrong_type);
    CHECK_FALSE(with_named_argument(none, "x", ""));
  }
}

TEST_CASE("an argument is one of the call itself, by its whole name and with its one equals sign") {
  for (const std::string text : {"f(g(x=1))", "f([x=1])", "f(xx=1)", "f(x)", "f(x, y)", "f(y x=1)", "f(y=x)", "f('x=1')", "f({x=1})"}) {
    INFO(text);
    CHECK(with_named_argument(text, "x", "").value() == text);
    CHECK(with_named_argument(text, "x", "2").value() == text.substr(0, text.size() - 1) + ", x=2)");
  }
  CHECK(with_named_argument("f(x=g(x=1), y=3)", "x", "2").value() == "f(x=2, y=3)");
}

TEST_CASE("a rename changes exactly the uses of the binding") {
  struct Fragment {
    std::string text;
    bool function_only = false;  // a use, unless the binding is a function
  };
  // A use of the binding is written @; every other `a` is something else.
  const std::vector<Fragment> fragments{{"@"},           {"aa"},
                                        {"a1"},          {"_a"},
                                        {"A"},           {"9a"},
                                        {"(@,@)"},       {"f(@)"},
                                        {"f(a=3)"},      {"f( a = @)"},
                                        {"f(x,a=@)"},    {"f(x, a\n=\t@)"},
                                        {"cute::a"},     {"cute :: a"},
                                        {"a::b"},        {"a ::b"},
                                        {"x.a"},         {"x . a"},
                                        {"'a'"},         {"\"a\\\"a\""},
                                        {"\"a\\\\\" @"}, {"'it\\'s a'"},
                                        {"# a\n"},       {"// a'\n"},
                                        {"@==3"},        {"(@==3)"},
                                        {"f(x,@==3)"},   {"@:4"},
                                        {"4:@"},         {"{@}"},
                                        {"[@]"},         {"@(1)", true},
                                        {"@ (1)", true}, {"@ # a\n(1)", true},
                                        {"@=3"},         {"f(@)=@"},
                                        {"(x:@)"},       {"\"open a\n@"},
                                        {"x+@-@"}};
  Dice dice{std::mt19937(6)};
  for (int round = 0; round < 4000; ++round) {
    std::string before, after, as_function;
    for (std::size_t n = 1 + dice.below(4); n > 0; --n) {
      const Fragment& fragment =
          round < static_cast<int>(fragments.size()) ? fragments[static_cast<std::size_t>(round)] : dice.one_of(fragments);
      before += replaced_all(fragment.text, "@", "a") + ";";
      after += replaced_all(fragment.text, "@", "new_one") + ";";
      as_function += (fragment.function_only ? replaced_all(fragment.text, "@", "a") : replaced_all(fragment.text, "@", "new_one")) + ";";
    }
    INFO(before);
    REQUIRE(with_renamed_uses(before, "a", "new_one", false) == after);
    REQUIRE(with_renamed_uses(before, "a", "new_one", true) == as_function);
  }
}

TEST_CASE("a text of any signs, cut anywhere, is read to its end and kept") {
  Dice dice{std::mt19937(7)};
  for (int round = 0; round < 20000; ++round) {
    const std::string text = random_text(dice, 14);
    INFO(text);
    REQUIRE(open_brackets(text) == brackets_of(text));
    REQUIRE(with_renamed_uses(text, "a", "a", true) == text);
    REQUIRE(with_renamed_uses(text, "b", "a", false).size() == text.size());
    if (const Result<std::string> same = with_named_argument(text, "z", ""); same && text.find('z') == std::string::npos)
      REQUIRE(*same == text);
    (void)with_named_argument("a(" + text, "b", "3");
  }
}

TEST_CASE("an identifier is letters, digits and underscores, and begins with no digit") {
  for (int c = 0; c < 256; ++c) {
    INFO(c);
    const char sign = static_cast<char>(c);
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_', digit = c >= '0' && c <= '9';
    CHECK(is_identifier(std::string(1, sign)) == letter);
    CHECK(is_identifier(std::string("a") + sign) == (letter || digit));
    CHECK(is_identifier(std::string("a") + sign + "b") == (letter || digit));
  }
  CHECK_FALSE(is_identifier(""));
}
