// SPDX-License-Identifier: BSD-3-Clause
// What the comments of a document say of its lines.
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "app/session/document/comments.hpp"

#include "app/session/actions/actions.hpp"
#include "core/lang/document/document.hpp"
#include "core/lang/programs/evaluate.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/golden.hpp"

using namespace tessera;

namespace {

// What modes_said has for the last line of a document.
std::string modes_of_last(const std::string& text) {
  const Document document = parse_document(text).value();
  const std::vector<EvaluatedBinding> bindings = evaluate(document);
  INFO(text);
  REQUIRE(!bindings.empty());
  REQUIRE(bindings.back().value);
  return modes_said(document, bindings, bindings.back());
}

}  // namespace

TEST_CASE("a map in a comment names the modes of a layout") {
  CHECK(modes_of_last("let tv = ((2,4),(2,2)):((8,1),(4,16))  # (thr, val) -> (m, n)\n") == "thr,val->coordinate");
  CHECK(modes_of_last("# Eight threads: (thr, val) -> coordinate.\nlet tv = ((2,4),(2,2)):((8,1),(4,16))\n") == "thr,val->coordinate");
  CHECK(modes_of_last("# (m, k) → offset\nlet a = (4,8):(8,1)\nlet b = (4,8):(1,4)\n") == "m,k->offset");
  CHECK(modes_of_last("# (m,k) -> offset\nlet a = Sw<3,3,3> o 0 o (8,64):(64,1)\n") == "m,k->offset");
  CHECK(modes_of_last("let a = (4,8):(8,1)  # (m, k) -> indices of a table\n") == "m,k");
  CHECK(modes_of_last("let a = (4,8):(8,1)  # (m, k) -> offset, then (m, k) -> coordinate\n") == "m,k");  // which of both?
}

TEST_CASE("a heading is of the lines directly below it: a blank line ends it") {
  const Document document = parse_document("# One.\nlet a = 1\nlet b = 2\n\nlet c = 3\n# Two.\nlet d = 4\n").value();
  const char* const wanted[] = {"One.", "One.", "", "Two."};
  for (std::size_t i = 0; i < 4; ++i) CHECK(heading_of(document, i) == wanted[i]);
}

TEST_CASE("from note: on a comment is the speaker's: it is no heading, and of the lines below it as a heading is") {
  const Document document = parse_document(
                                "# Seen.\n# Seen, too.\n# note: say why\n# four rows\nlet a = 1\nlet b = 2\n# Own words.\nlet c = 3\n\n"
                                "# note: alone\nlet d = 4\nlet e = 5\n\nlet f = 6\n# A note: of another kind.\nlet g = 7\n")
                                .value();
  const std::pair<const char*, const char*> wanted[] = {{"Seen. Seen, too.", "say why\nfour rows"},
                                                        {"Seen. Seen, too.", "say why\nfour rows"},
                                                        {"Own words.", ""},
                                                        {"", "alone"},
                                                        {"", "alone"},
                                                        {"", ""},
                                                        {"A note: of another kind.", ""}};
  for (std::size_t i = 0; i < std::size(wanted); ++i) {
    CAPTURE(i);
    CHECK(heading_of(document, i) == wanted[i].first);
    CHECK(notes_of(document, i) == wanted[i].second);
  }
}

TEST_CASE("the lecture has twelve pictures, each with words and with notes") {
  Session session;
  REQUIRE(session.open_text(testing::read_file(test::source_dir() + "/assets/presets/lecture.tess"), "lecture.tess"));
  for (const EvaluatedBinding& binding : session.bindings()) {
    CAPTURE(binding.name);
    CHECK(binding.value);
  }
  const std::vector<std::string> figures = presentation_of(session);
  CHECK(figures.size() == 12);
  for (const std::string& name : figures) {
    CAPTURE(name);
    const std::size_t number = number_of(session.bindings(), *session.find(name));
    CHECK(heading_of(session.document(), number).size() > 20);
    CHECK(notes_of(session.document(), number).size() > 20);
    CHECK(session.figure(name));
  }
}

TEST_CASE("a comment that is not about a layout's modes names none") {
  CHECK(modes_of_last("# (m, k) -> offset\nlet a = (4,8):(8,1)\n\nlet b = (4,8):(1,4)\n").empty());  // another group of lines
  CHECK(modes_of_last("# (m, k) -> offset\nlet a = (4,8,2):(8,1,32)\n").empty());                    // three modes
  CHECK(modes_of_last("# (m, k) -> offset, (thr, val) -> offset\nlet a = (4,8):(8,1)\n").empty());   // which?
  CHECK(modes_of_last("# (m, k) and nothing else\nlet a = (4,8):(8,1)\n").empty());
  CHECK(modes_of_last("# (4, 8) -> offset\nlet a = (4,8):(8,1)\n").empty());
  CHECK(modes_of_last("# (m, k) -> offset\nlet a = 3\n").empty());
  CHECK(modes_of_last("let a = (4,8):(8,1)  # (m, k) -> offset\nlet b = (4,8):(1,4)\n").empty());              // that of the line above
  CHECK(modes_of_last("# (m, k) -> offset\nlet a = (4,8):(8,1)\n# Another.\nlet b = (4,8):(1,4)\n").empty());  // its own comment is nearer
}
