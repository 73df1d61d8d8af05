// SPDX-License-Identifier: BSD-3-Clause
// The session: values follow the text, figures are kept while they are right, undo comes back to the saved state.
#include "app/session/document/session.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "app/session/files/document_io.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;

namespace {

const char* const kText = "let data = (4,8):(8,1)\nlet other = (2,2):(1,2)\nlet twice = composition(data, 16:2)\n";

Session opened(const std::string& text = kText) {
  Session session;
  REQUIRE(session.open_text(text, "test"));
  return session;
}

std::string value_of(const Session& session, std::string_view name) {
  const EvaluatedBinding* binding = session.find(name);
  if (!binding) return "none";
  return binding->value ? to_string(*binding->value) : "error";
}

}  // namespace

TEST_CASE("a changed binding changes the values that use it") {
  Session session = opened();
  const std::string before = value_of(session, "twice");
  REQUIRE(session.run(SetBinding{"data", "(4,8):(1,4)"}));
  CHECK(value_of(session, "data") == "(4,8):(1,4)");
  CHECK(value_of(session, "twice") != before);
}

TEST_CASE("an error in one binding leaves the others their values") {
  Session session = opened();
  REQUIRE(session.run(SetBinding{"data", "(4,8):(8"}));
  CHECK(value_of(session, "data") == "error");
  CHECK(value_of(session, "twice") == "error");
  CHECK(value_of(session, "other") == "(2,2):(1,2)");
  CHECK_FALSE(session.figure("data"));
  CHECK(session.figure("other"));
}

TEST_CASE("the first mistakes of a document have their fixes, within their own expressions") {
  const Session session = opened(
      "let data = (4,8):(8,1)\nlet slip = coalsce(data)\nlet bare = 4,8:8,1\nlet follows = size(slip)\nlet unknown = size(mA)\n"
      "let late = coalsce(data)\n");
  const auto error = [&](std::string_view name) { return session.find(name)->value.error(); };
  REQUIRE(error("slip").fix);
  CHECK(error("slip").fix->replacement == "coalesce");
  REQUIRE(error("bare").fix);
  CHECK(error("bare").fix->replacement == "(4,8):(8,1)");
  CHECK_FALSE(error("follows").fix);
  CHECK_FALSE(error("unknown").fix);
  CHECK_FALSE(error("late").fix);  // the first three
}

TEST_CASE("a figure is kept until its own value changes") {
  Session session = opened();
  const Scene* kept = &session.figure("other").value();
  CHECK(&session.figure("other").value() == kept);
  REQUIRE(session.run(SetBinding{"data", "(4,8):(1,4)"}));
  CHECK(&session.figure("other").value() == kept);
  const std::size_t cells = cell_count(*kept);
  REQUIRE(session.run(SetBinding{"other", "(4,4):(1,4)"}));
  CHECK(cell_count(session.figure("other").value()) == 4 * cells);
}

TEST_CASE("the figure of a name that is not bound is refused") {
  const Session session = opened();
  REQUIRE_FALSE(session.figure("nobody"));
  CHECK(session.figure("nobody").error().code == ErrorCode::unknown_name);
}

TEST_CASE("undo and redo walk through the documents, and the saved one is not dirty") {
  Session session = opened();
  CHECK_FALSE(session.dirty());
  REQUIRE(session.run(SetBinding{"data", "8:1"}));
  REQUIRE(session.run(RemoveBinding{"other"}));
  CHECK(session.dirty());
  CHECK(session.undo_label() == "Remove other");
  REQUIRE(session.undo());
  CHECK(value_of(session, "other") == "(2,2):(1,2)");
  REQUIRE(session.undo());
  CHECK(session.text() == kText);
  CHECK_FALSE(session.dirty());
  CHECK_FALSE(session.undo());
  REQUIRE(session.redo());
  CHECK(value_of(session, "data") == "8:1");
  REQUIRE(session.run(SetBinding{"data", "9:1"}));
  CHECK_FALSE(session.can_redo());
}

TEST_CASE("merged changes are one undo step") {
  Session session = opened();
  for (const char* text : {"1:1", "12:1", "128:1"}) REQUIRE(session.run(SetBinding{"data", text}, true));
  REQUIRE(session.undo());
  CHECK(session.text() == kText);
}

TEST_CASE("a refused command changes nothing") {
  Session session = opened();
  const std::uint64_t revision = session.revision();
  CHECK_FALSE(session.run(RemoveBinding{"nobody"}));
  CHECK(session.revision() == revision);
  CHECK_FALSE(session.can_undo());
}

TEST_CASE("a session writes its document and opens it again") {
  const test::TemporaryFolder folder;
  Session session = opened();
  CHECK_FALSE(session.save());  // it has no file yet
  REQUIRE(session.save_as(folder / "a.tess", false));
  REQUIRE(session.run(SetBinding{"data", "8:1"}));
  CHECK(session.dirty());
  REQUIRE(session.save());
  CHECK_FALSE(session.dirty());
  Session again;
  REQUIRE(again.open(folder / "a.tess"));
  CHECK(again.text() == session.text());
  CHECK_FALSE(opened().save_as(folder / "a.tess", false));
  CHECK(test::contents(folder / "a.tess") == session.text());
}

TEST_CASE("what was saved half-typed opens again with a warning, and is replaced only on purpose") {
  const test::TemporaryFolder folder;
  for (const char* typed : {"(4,8", "", "composition(data, '(", "// nothing"}) {
    Session session = opened();
    if (!session.run(SetBinding{"twice", typed})) continue;  // what the document refuses is not in the file either
    REQUIRE(session.save_as(folder / "a.tess", true));
    REQUIRE(session.save());  // it was written here, so nothing is lost
    Session again;
    REQUIRE(again.open(folder / "a.tess"));
    INFO(typed);
    CHECK(again.text() == session.text());
    CHECK(value_of(again, "twice") == "error");
    CHECK(value_of(again, "data") == "(4,8):(8,1)");
    CHECK(again.warning().find("\"twice\" in line 3") != std::string::npos);
    REQUIRE(again.run(SetBinding{"twice", "4:1"}));
    CHECK(again.save().error().code == ErrorCode::already_exists);
    CHECK(test::contents(folder / "a.tess") == session.text());
    REQUIRE(again.save_as(folder / "a.tess", true));
    CHECK(again.warning().empty());
    CHECK(again.save());
  }
}

TEST_CASE("a call of a figure by nearly its name is refused with the name that was meant") {
  Session session;
  REQUIRE(session.open_text("let x = tv_figur(((2,4),(2,2)):((8,1),(4,16)))\n", "test"));
  REQUIRE_FALSE(session.find("x")->value);
  REQUIRE(session.find("x")->value.error().fix);
  CHECK(session.find("x")->value.error().fix->replacement == "tv_figure");
}
