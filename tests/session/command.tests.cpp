// SPDX-License-Identifier: BSD-3-Clause
// Commands: what each does to a document's text, and what each refuses.
#include <string>

#include "app/session/document/command.hpp"

#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

const char* const kText =
    "# The 4x8 example\n"
    "let data = (4,8):(8,1)  # row-major\n"
    "\n"
    "# thread and value\n"
    "let tv = ((2,4),(2,2)):((8,1),(4,16))\n"
    "let picture = tv_figure(tv, data)\n"
    "# the end\n";

Document document(const std::string& text = kText) { return parse_document(text).value(); }

std::string applied(const Command& command, const std::string& text = kText) {
  const Result<Document> result = tessera::apply(document(text), command);
  INFO((result ? "" : describe(result.error())));
  REQUIRE(result);
  CHECK(to_text(parse_document(to_text(*result)).value()) == to_text(*result));
  return to_text(*result);
}

ErrorCode refused(const Command& command) {
  const Result<Document> result = tessera::apply(document(), command);
  REQUIRE_FALSE(result);
  CHECK_FALSE(result.error().message.empty());
  return result.error().code;
}

}  // namespace

TEST_CASE("a set binding changes its expression and nothing else of the text") {
  CHECK(applied(SetBinding{"data", "(4,8):(1,4)"}) ==
        "# The 4x8 example\nlet data = (4,8):(1,4)  # row-major\n\n# thread and value\nlet tv = ((2,4),(2,2)):((8,1),(4,16))\n"
        "let picture = tv_figure(tv, data)\n# the end\n");
  CHECK(refused(SetBinding{"dato", "4:1"}) == ErrorCode::unknown_name);
}

TEST_CASE("an expression that does not evaluate may be set, since people type") {
  const std::string text = applied(SetBinding{"data", "(4,8):(8"});
  CHECK(text.find("let data = (4,8):(8") != std::string::npos);
  CHECK(document(text).bindings.size() == 3);
}

TEST_CASE("an expression that would begin another binding is refused") {
  CHECK(refused(SetBinding{"data", "4:1\nlet x = 3"}) == ErrorCode::parse);
  CHECK(refused(AddBinding{"more", "4:1\nlet x = 3", {}}) == ErrorCode::parse);
}

TEST_CASE("a byte that no document may have is refused") {
  CHECK(refused(SetBinding{"data", std::string("4:1 \0", 5) + "x"}) == ErrorCode::parse);
  CHECK(refused(OpenText{std::string("let a = \0 4", 11)}) == ErrorCode::parse);
}

TEST_CASE("every refusal of a command names what is wrong, and what was meant") {
  const auto words = [](const Command& command) {
    const Result<Document> result = tessera::apply(document(), command);
    REQUIRE_FALSE(result);
    std::string text(to_string(result.error().code));
    text += ": " + result.error().message;
    for (const std::string& note : result.error().notes) text += "; " + note;
    return text;
  };
  const std::string no_name = "\" is no name: letters, digits and underscores, not starting with a digit";
  for (const std::string& name : {std::string(), std::string("4x"), std::string("a b"), std::string("a-b"), std::string("a\nlet b"),
                                  std::string("\xc3\xa4"), std::string("a="), std::string("#")}) {
    CHECK(words(AddBinding{name, "4:1", {}}) == "parse: \"" + name + no_name);
    CHECK(words(RenameBinding{"tv", name}) == "parse: \"" + name + no_name);
    if (!name.empty()) CHECK(words(SetFigureParameter{"picture", name, "1"}) == "parse: \"" + name + "\" is no parameter name");
  }
  CHECK(words(AddBinding{"tv", "4:1", {}}) == "already_exists: there is a binding \"tv\" already");
  CHECK(words(RenameBinding{"data", "tv"}) == "already_exists: there is a binding \"tv\" already");
  for (const Command& command : {Command(SetBinding{"dat", "4:1"}), Command(RemoveBinding{"dat"}), Command(RenameBinding{"dat", "x"}),
                                 Command(MoveBinding{"dat", 0}), Command(SetFigureParameter{"dat", "thread", "1"})})
    CHECK(words(command) == "unknown_name: there is no binding \"dat\"; the nearest: data");
  CHECK(words(SetFigureParameter{"data", "thread", "1"}) ==
        "wrong_type: \"thread\" can be set on a call such as tv_figure(a, b), and this is none: (4,8):(8,1)");
  CHECK(words(SetBinding{"data", "4:1\nlet x = 3"}) ==
        "parse: the expression is not one expression: it would end its own binding and begin another line");
  CHECK(words(SetBinding{"data", std::string("4\0:1", 4)}) ==
        "parse: a byte that is zero cannot stand in a document: it would not open again");
}

TEST_CASE("a command is told to a person by what it does") {
  CHECK(describe(Command(SetBinding{"a", "4"})) == "Set a");
  CHECK(describe(Command(AddBinding{"a", "4", {}})) == "Add a");
  CHECK(describe(Command(RemoveBinding{"a"})) == "Remove a");
  CHECK(describe(Command(RenameBinding{"a", "b"})) == "Rename a to b");
  CHECK(describe(Command(MoveBinding{"a", 0})) == "Move a");
  CHECK(describe(Command(OpenText{"let a = 4"})) == "Edit the text");
  CHECK(describe(Command(SetFigureParameter{"a", "thread", "1"})) == "Set thread of a");
}

TEST_CASE("an added binding stands at the end or where it was asked for") {
  CHECK(applied(AddBinding{"b", "8:1", {}}) == std::string(kText) + "let b = 8:1\n");
  CHECK(applied(AddBinding{"b", "8:1", 0}) == "let b = 8:1\n" + std::string(kText));
  CHECK(applied(AddBinding{"b", "8:1", 1}).find("# row-major\nlet b = 8:1\n\n# thread and value\nlet tv") != std::string::npos);
  CHECK(applied(AddBinding{"b", "8:1", {}}, "") == "let b = 8:1\n");
  CHECK(applied(AddBinding{"b", "8:1", {}}, "let a = 4:1") == "let a = 4:1\nlet b = 8:1\n");
  CHECK(refused(AddBinding{"data", "8:1", {}}) == ErrorCode::already_exists);
  CHECK(refused(AddBinding{"4x", "8:1", {}}) == ErrorCode::parse);
}

TEST_CASE("a removed binding takes its own comments along and leaves the others") {
  CHECK(applied(RemoveBinding{"tv"}) ==
        "# The 4x8 example\nlet data = (4,8):(8,1)  # row-major\nlet picture = tv_figure(tv, data)\n# the end\n");
  CHECK(applied(RemoveBinding{"a"}, "let a = 4:1\n").empty());
  CHECK(refused(RemoveBinding{"x"}) == ErrorCode::unknown_name);
}

TEST_CASE("a rename follows the uses and spares named arguments, strings, comments and longer names") {
  CHECK(applied(RenameBinding{"tv", "threads"}).find("let picture = tv_figure(threads, data)") != std::string::npos);
  const std::string text = "let a = 4:1\nlet aa = composition(a, a)\nlet f = layout_figure(aa, a=3, title=\"a\")\n";
  CHECK(applied(RenameBinding{"a", "b"}, text) == "let b = 4:1\nlet aa = composition(b, b)\nlet f = layout_figure(aa, a=3, title=\"a\")\n");
  const std::string quoted = "let a = 4:1\nlet f = layout_figure(a,  // of a\n  title='a (a')\n";
  CHECK(applied(RenameBinding{"a", "b"}, quoted) == "let b = 4:1\nlet f = layout_figure(b,  // of a\n  title='a (a')\n");
  CHECK(applied(RenameBinding{"s", "d"}, "let s = (4,8)\nlet l = s:(8,1)\nlet m = cute::s\n") ==
        "let d = (4,8)\nlet l = d:(8,1)\nlet m = cute::s\n");
  CHECK(refused(RenameBinding{"tv", "data"}) == ErrorCode::already_exists);
  CHECK(refused(RenameBinding{"tv", "t v"}) == ErrorCode::parse);
}

TEST_CASE("a moved binding takes its comments along") {
  CHECK(applied(MoveBinding{"tv", 0}) ==
        "\n# thread and value\nlet tv = ((2,4),(2,2)):((8,1),(4,16))\n# The 4x8 example\nlet data = (4,8):(8,1)  # row-major\n"
        "let picture = tv_figure(tv, data)\n# the end\n");
  CHECK(applied(MoveBinding{"data", 99}).find("let picture = tv_figure(tv, data)\n# The 4x8 example\nlet data") != std::string::npos);
}

TEST_CASE("a figure's parameter is added, changed and removed in the call") {
  const std::string set = applied(SetFigureParameter{"picture", "thread", "3"});
  CHECK(set.find("tv_figure(tv, data, thread=3)") != std::string::npos);
  const std::string changed = applied(SetFigureParameter{"picture", "thread", "(0,1)"}, set);
  CHECK(changed.find("tv_figure(tv, data, thread=(0,1))") != std::string::npos);
  CHECK(applied(SetFigureParameter{"picture", "thread", ""}, changed) == kText);
  CHECK(applied(SetFigureParameter{"p", "a", ""}, "let p = f_figure(a=1, b=2)\n") == "let p = f_figure(b=2)\n");
  CHECK(applied(SetFigureParameter{"p", "a", "2"}, "let p = mma_figure()\n") == "let p = mma_figure(a=2)\n");
  CHECK(refused(SetFigureParameter{"data", "thread", "3"}) == ErrorCode::wrong_type);
  CHECK(refused(SetFigureParameter{"picture", "thread=1, x", "3"}) == ErrorCode::parse);
}

TEST_CASE("a whole text replaces the document, or is refused and the old one stays with its owner") {
  CHECK(applied(OpenText{"let z = 3\n"}) == "let z = 3\n");
}

TEST_CASE("a change keeps the lines that cannot be read, byte for byte") {
  const std::string bad = "b is no line\n";
  const Document document = parse_document("let a = 8:1\n" + bad + "let c = a\nlet a = 2  # taken\n").value();
  REQUIRE(document.bad_lines.size() == 2);
  for (const Command& command : {Command(SetBinding{"c", "4:1"}), Command(RemoveBinding{"c"}), Command(RemoveBinding{"a"}),
                                 Command(RenameBinding{"c", "d"}), Command(MoveBinding{"c", 0}), Command(AddBinding{"e", "4", {}})}) {
    INFO(describe(command));
    const Result<Document> changed = tessera::apply(document, command);
    REQUIRE(changed);
    CHECK(to_text(*changed).find(bad) != std::string::npos);
    CHECK(to_text(*changed).find("let a = 2  # taken\n") != std::string::npos);
  }
  const Document freed = tessera::apply(document, RemoveBinding{"a"}).value();
  CHECK(freed.bad_lines.size() == 1);  // the name belongs to the second line now
  CHECK(freed.bindings.back().expression == "2");
  CHECK_FALSE(tessera::apply(document, SetBinding{"a", "4:1\nlet x = 3"}));
  CHECK_FALSE(tessera::apply(document, SetBinding{"a", "4:1\nx = 3"}));
}
