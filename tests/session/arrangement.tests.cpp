// SPDX-License-Identifier: BSD-3-Clause
// Arrangements: splits and tabs keep every other view, and text gives the same tree again.
#include <initializer_list>
#include <string>
#include <vector>

#include "app/session/document/arrangement.hpp"

#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

// "[a b*]|[c]": panes in brackets, the shown tab starred; | across, / down.
std::string sketch(const Arrangement& part) {
  if (part.is_split()) return "(" + sketch(*part.first) + (part.across ? "|" : "/") + sketch(*part.second) + ")";
  std::string text = "[";
  for (std::size_t i = 0; i < part.tabs.size(); ++i)
    text += (i > 0 ? " " : "") + part.tabs[i].binding + (i == part.shown && part.tabs.size() > 1 ? "*" : "");
  return text + "]";
}

Arrangement tiles(std::initializer_list<const char*> names, std::size_t columns) {
  std::vector<View> all;
  for (const char* name : names) all.push_back({name});
  return tiled(all, columns);
}

}  // namespace

TEST_CASE("views are tiled column by column, with the longer columns first") {
  CHECK(sketch(tiles({}, 2)) == "[]");
  CHECK(sketch(tiles({"a"}, 3)) == "[a]");
  CHECK(sketch(tiles({"a", "b", "c"}, 2)) == "(([a]/[b])|[c])");
  CHECK(sketch(tiles({"a", "b", "c"}, 3)) == "([a]|([b]|[c]))");
  const Arrangement three = tiles({"a", "b", "c"}, 3);
  CHECK(three.share == Approx(1.0 / 3));
  CHECK(three.second->share == Approx(0.5));
}

TEST_CASE("a split keeps what is there on the side that was asked for") {
  const Arrangement two = tiles({"a", "b"}, 2);
  CHECK(sketch(split(two, "0", true, {"c"})) == "(([a]|[c])|[b])");
  CHECK(sketch(split(two, "1", false, {"c"}, true)) == "([a]|([c]/[b]))");
  CHECK(sketch(split(two, "", false, {"c"})) == "(([a]|[b])/[c])");
  CHECK(sketch(split({}, "", true, {"c"})) == "[c]");
  CHECK(sketch(split(two, "01", true, {"c"})) == "([a]|[b])");  // there is no such place
}

TEST_CASE("a view takes the shown one's place or stands behind it, and is in a pane once") {
  const Arrangement one = tiles({"a"}, 1);
  CHECK(sketch(with_view(one, "", {"b"}, true)) == "[b]");
  const Arrangement both = with_view(one, "", {"b"}, false);
  CHECK(sketch(both) == "[a b*]");
  CHECK(sketch(with_view(both, "", {"a"}, false)) == "[a* b]");
  CHECK(sketch(with_view(with_view(both, "", {"a"}, true), "", {"c"}, false)) == "[a c* b]");
}

TEST_CASE("a pane that loses its last tab goes, and its neighbour takes its room") {
  const Arrangement all = split(tiles({"a", "b"}, 2), "1", false, {"c"});
  CHECK(sketch(all) == "([a]|([b]/[c]))");
  CHECK(sketch(without_tab(all, "10", 0)) == "([a]|[c])");
  CHECK(sketch(without_tab(all, "0", 0)) == "([b]/[c])");
  CHECK(sketch(without_tab(tiles({"a"}, 1), "", 0)) == "[]");
  const Arrangement tabs = with_view(with_view(tiles({"a"}, 1), "", {"b"}, false), "", {"c"}, false);
  CHECK(sketch(tabs) == "[a b c*]");
  CHECK(sketch(without_tab(tabs, "", 2)) == "[a b*]");
  CHECK(sketch(without_tab(tabs, "", 0)) == "[b c*]");
  CHECK(sketch(without(all, [](const View& view) { return view.binding != "c"; })) == "[c]");
}

TEST_CASE("panes are found by what they show, before what they have behind it") {
  const Arrangement all = split(with_view(tiles({"a"}, 1), "", {"b"}, false), "", true, {"a"});
  CHECK(sketch(all) == "([a b*]|[a])");
  CHECK(pane_of(all, "a")->place == "1");
  CHECK(pane_of(all, "b")->place == "0");
  CHECK_FALSE(pane_of(all, "c"));
  CHECK(shown_views(all).size() == 2);
  CHECK(views(all).size() == 3);
}

TEST_CASE("an arrangement is written and read again, and what is none is refused") {
  Arrangement all = split(tiles({"a", "b"}, 2), "1", false, {"c", {"tv", {{"thread", "0-3"}}, FigureStyle::print_latex, "greys", "T", {}}});
  all = with_share(all, "", 0.25f);
  const Result<Arrangement> again = arrangement_of(to_json(all));
  REQUIRE(again);
  CHECK(*again == all);
  CHECK_FALSE(arrangement_of("{}"));
  CHECK_FALSE(arrangement_of(R"({"tabs": [{"binding": "a"}], "shown": 1})"));
  CHECK_FALSE(arrangement_of(R"({"across": true, "share": 0.5, "parts": [{"tabs": [], "shown": 0}]})"));
  CHECK_FALSE(arrangement_of(R"({"tabs": [{"binding": "a", "style": "baroque"}], "shown": 0})"));
  std::string deep = R"({"tabs": [], "shown": 0})";
  for (int i = 0; i < 30; ++i) deep = R"({"across": true, "share": 0.5, "parts": [{"tabs": [], "shown": 0}, )" + deep + "]}";
  CHECK_FALSE(arrangement_of(deep));
}
