// SPDX-License-Identifier: BSD-3-Clause
// Every action: what it makes of the workspace, that undo takes it back, and when it cannot be done.
#include "app/session/actions/actions.hpp"

#include "app/session/actions/cell_table.hpp"
#include "app/session/document/saved_layout.hpp"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/golden.hpp"

using namespace tessera;

namespace {

const char* const kText =
    "# a matrix\nlet data = (4,8):(8,1)\nlet tv = ((2,4),(2,2)):((8,1),(4,16))\nlet picture = tv_figure(tv, data)\nlet n = 3\n"
    "let slip = coalsce(data)\nlet product = gemm(m=16, n=8, k=16, mma=make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN))\n";

Session opened() {
  Session session;
  REQUIRE(session.open_text(kText, "test"));
  Workspace first = session.workspace();
  first.arrangement = tiled({{"picture"}, {"data"}}, 2);
  first.selected = "data";
  session.show(std::move(first));
  return session;
}

std::string names(const Session& session) {
  std::string text;
  for (const EvaluatedBinding& binding : session.bindings()) text += (text.empty() ? "" : " ") + binding.name;
  return text;
}

std::string screen(const Session& session) {
  std::string text;
  for (const PaneAt& each : panes(session.workspace().arrangement)) {
    text += "[";
    for (std::size_t i = 0; i < each.pane->tabs.size(); ++i)
      text += (i > 0 ? " " : "") + each.pane->tabs[i].binding + (i == each.pane->shown && each.pane->tabs.size() > 1 ? "*" : "");
    text += "]";
  }
  return text;
}

// One use of an action: what was done before, with what, and what is to be seen afterwards.
struct Use {
  std::string_view id;
  Arguments arguments;
  std::string (*seen)(const Session&);
  std::string wanted;
  bool is_step = true;
  std::vector<std::pair<std::string_view, Arguments>> before{};
};

const std::vector<Use>& uses() {
  static const auto selected = [](const Session& s) { return s.workspace().selected; };
  static const auto data = [](const Session& s) { return std::string(s.expression("data")); };
  static const auto screen_and_names = [](const Session& s) { return screen(s) + " " + names(s); };
  static const auto cells = [](const Session& s) { return s.workspace().selection.binding + ": " + s.workspace().selection.cells; };
  static const auto step = [](const Session& s) {
    return s.workspace().presenting ? std::to_string(s.workspace().step) + " " + s.workspace().selected : std::string("not");
  };
  static const auto sides = [](const Session& s) {
    const Workspace& now = s.workspace();
    return std::string(now.list_hidden ? "" : "list ") + (now.side_hidden ? "" : "side ") + (now.synced ? "together" : "");
  };
  static const std::string kKept =
      R"({"figures":"{\"tabs\":[{\"binding\":\"data\"},{\"binding\":\"tv\"},{\"binding\":\"gone\"}],\"shown\":1}",)"
      R"("list":true,"side":false,"by_hand":true})";
  static const auto covered = [](const Session& s) { return std::string(s.workspace().covered ? "covered" : "seen"); };
  static const auto told = [](const Session& s) {
    return std::to_string(chosen_step(view_of(s.workspace().arrangement, "picture").options)) +
           (s.workspace().presenting ? " presented " + std::to_string(s.workspace().told) : "");
  };
  static const std::pair<std::string_view, Arguments> in_steps{"figure.option",
                                                               {{"binding", "picture"}, {"option", "steps"}, {"value", "thread"}}};
  static const std::vector<Use> all = {
      {"binding.select", {{"binding", "n"}}, selected, "n", false},
      {"edit.revert",
       {},
       names,
       "data tv picture n slip product",
       true,
       {{"binding.delete", {{"binding", "tv"}}}, {"binding.rename", {{"binding", "data"}, {"to", "smem"}}}}},
      {"binding.add", {{"expression", "8:1"}, {"name", "more"}}, names, "data tv picture n slip product more"},
      {"binding.add", {{"expression", "(2,2):(1,2)"}}, selected, "layout", true},
      {"binding.add", {{"expression", "8:1"}, {"before", "tv"}, {"name", "x"}}, names, "data x tv picture n slip product"},
      {"binding.add", {{"expression", "let more = tv_figure(tv, data)"}}, screen, "[picture][data][more]"},
      {"binding.add", {{"expression", "more = 3"}}, screen_and_names, "[picture][data] data tv picture n slip product more"},
      {"binding.let", {{"line", "more = (2,2):(1,2)"}}, screen_and_names, "[picture][data][more] data tv picture n slip product more"},
      {"binding.let", {{"line", "tv = 8:1"}}, screen_and_names, "[picture][data][tv] data tv picture n slip product"},
      {"binding.compare",
       {{"binding", "data"}, {"expression", "(4,8):(1,4)"}},
       [](const Session& s) {
         const std::optional<Pin>& pin = s.workspace().pinned;
         return names(s) + (pin ? fmt::format(": {} {} beside {}, {}", pin->binding, s.expression(pin->binding), pin->name_then(),
                                              s.workspace().maximised)
                                : std::string());
       },
       "data data_2 tv picture n slip product: data_2 (4,8):(1,4) beside data, data_2"},
      {"binding.set", {{"expression", "(4,8):(1,4)"}}, data, "(4,8):(1,4)"},
      {"binding.parameter",
       {{"binding", "picture"}, {"parameter", "thread"}, {"value", "3"}},
       [](const Session& s) { return std::string(s.expression("picture")); },
       "tv_figure(tv, data, thread=3)"},
      {"binding.exchange", {{"binding", "data"}, {"leaf", "0"}, {"other", "1"}}, data, "(8,4):(1,8)"},
      {"binding.rename",
       {{"to", "smem"}},
       [](const Session& s) {
         return names(s) + " " + std::string(s.expression("picture")) + " " + screen(s) + " " + s.workspace().selected;
       },
       "smem tv picture n slip product tv_figure(tv, smem) [picture][smem] smem"},
      {"binding.duplicate", {}, names, "data data_2 tv picture n slip product"},
      {"binding.delete", {{"binding", "n"}}, names, "data tv picture slip product"},
      {"binding.delete", {}, [](const Session& s) { return s.workspace().selected + screen(s); }, "tv[picture]"},
      {"binding.up", {{"binding", "n"}}, names, "data tv n picture slip product"},
      {"binding.down", {}, names, "tv data picture n slip product"},
      {"binding.move", {{"position", "3"}}, names, "tv picture n data slip product"},
      {"binding.fix", {{"binding", "slip"}}, [](const Session& s) { return std::string(s.expression("slip")); }, "coalesce(data)"},
      {"text.set", {{"text", "let a = 4:1\n"}}, names, "a"},
      {"text.paste", {{"text", "auto s = make_layout(make_shape(Int<4>{}, Int<8>{}));"}}, names, "data tv picture n slip product s"},
      {"text.paste", {{"text", "(4,8):(9,1)"}}, names, "data tv picture n slip product layout"},
      {"figure.show", {{"binding", "tv"}}, screen, "[picture][tv]", false},
      {"figure.show", {{"binding", "picture"}}, selected, "picture", false},
      {"figure.beside", {{"binding", "tv"}}, screen, "[picture][data][tv]"},
      {"figure.tab", {{"binding", "tv"}, {"place", "0"}}, screen, "[picture tv*][data]"},
      {"figure.close", {}, screen, "[picture]"},
      {"figure.split_right", {}, screen, "[picture][data][data]"},
      {"figure.split_down", {{"place", "0"}}, screen, "[picture][picture][data]"},
      {"figure.next", {}, selected, "picture", false},
      {"figure.next", {}, screen, "[picture][data* tv]", false, {{"figure.tab", {{"binding", "tv"}}}}},
      {"figure.previous", {}, selected, "picture", false},
      {"figure.maximise", {}, [](const Session& s) { return s.workspace().maximised; }, "data", false},
      {"figure.maximise", {}, [](const Session& s) { return s.workspace().maximised; }, "", false, {{"figure.maximise", {}}}},
      {"figure.move", {{"to", "0"}}, screen, "[picture data*]"},
      {"figure.move", {{"to", "0"}, {"side", "left"}}, screen, "[data][picture]"},
      {"figure.move",
       {{"to", "0"}, {"side", "below"}},
       [](const Session& s) { return std::string(s.workspace().arrangement.across ? "across" : "down"); },
       "down"},
      {"figure.resize",
       {{"place", ""}, {"share", "0.25"}},
       [](const Session& s) { return std::to_string(s.workspace().arrangement.share); },
       "0.250000"},
      {"figure.tile",
       {},
       screen,
       "[picture][data]",
       true,
       {{"figure.tab", {{"binding", "data"}, {"place", "0"}}}, {"figure.close", {{"place", "1"}}}}},
      {"figure.option",
       {{"binding", "picture"}, {"option", "thread"}, {"value", "3"}},
       [](const Session& s) { return to_json(s.workspace().arrangement); },
       R"({"across":true,"share":0.5,"parts":[{"tabs":[{"binding":"picture","parameters":{"thread":"3"}}],"shown":0},)"
       R"({"tabs":[{"binding":"data"}],"shown":0}]})"},
      {"figure.keep",
       {{"binding", "picture"}, {"name", "lit"}},
       [](const Session& s) { return std::string(s.expression("lit")) + " " + screen(s); },
       "tv_figure(tv, data, labels=thread, thread=\"0-3\") [lit][data]",
       true,
       {{"figure.option", {{"binding", "picture"}, {"option", "thread"}, {"value", "0-3"}}},
        {"figure.option", {{"binding", "picture"}, {"option", "labels"}, {"value", "thread"}}}}},
      {"figure.keep", {{"name", "shown"}}, [](const Session& s) { return std::string(s.expression("shown")); }, "layout_figure(data)"},
      {"figure.step_next", {{"binding", "picture"}}, told, "1", true, {in_steps}},
      {"figure.step_next", {{"place", "0"}}, told, "2", true, {in_steps, {"figure.step_next", {{"place", "0"}}}}},
      {"figure.step_previous", {{"binding", "picture"}}, told, "0", true, {in_steps, {"figure.step_next", {{"binding", "picture"}}}}},
      {"cells.select", {{"cells", "(2,5)"}}, cells, "data: (2,5)", false},
      {"cells.add", {{"cells", "rows=0-1"}}, cells, "data: (2,5), rows=0-1", false, {{"cells.select", {{"cells", "(2,5)"}}}}},
      {"cells.clear", {}, cells, ": ", false, {{"cells.select", {{"cells", "(2,5)"}}}}},
      {"cells.left", {}, cells, "data: (0,0)", false},  // nothing is selected: the first
      {"cells.left", {}, cells, "data: (2,4)", false, {{"cells.select", {{"cells", "(2,5)"}}}}},
      {"cells.right", {}, cells, "data: (2,6)", false, {{"cells.select", {{"cells", "(2,5)"}}}}},
      {"cells.up", {}, cells, "data: (1,5)", false, {{"cells.select", {{"cells", "(2,5)"}}}}},
      {"cells.down", {}, cells, "data: (3,5)", false, {{"cells.select", {{"cells", "(2,5)"}}}}},
      {"cells.go", {{"cells", "(2,5)"}}, cells, "data: (2,5)", false},
      {"cells.go", {{"cells", "picture thread 5"}}, cells, "picture: thread=5", false},
      {"cells.go", {{"cells", "tv row 1"}}, screen, "[picture][tv]", false},  // which is shown
      {"cells.grow_left", {}, cells, "data: (2,4-5)", false, {{"cells.select", {{"cells", "(2,5)"}}}}},
      {"cells.grow_right", {}, cells, "data: (2,5-6)", false, {{"cells.select", {{"cells", "(2,5)"}}}}},
      {"cells.grow_right", {}, cells, "data: (0,0)", false},  // nothing is selected: the first
      {"cells.grow_up", {}, cells, "data: (1-2,5)", false, {{"cells.select", {{"cells", "(2,5)"}}}}},
      {"cells.grow_down", {}, cells, "data: (2-3,5)", false, {{"cells.select", {{"cells", "(2,5)"}}}}},
      {"pin.set", {}, [](const Session& s) { return s.workspace().pinned ? s.workspace().pinned->binding : std::string(); }, "data"},
      {"pin.clear",
       {},
       [](const Session& s) { return std::string(s.workspace().pinned ? "pinned" : "not"); },
       "not",
       true,
       {{"pin.set", {}}}},
      {"view.list", {}, sides, "side together", false},
      {"view.list", {}, sides, "list side together", false, {{"view.list", {}}}},
      {"view.side", {}, sides, "list together", false},
      {"view.sync", {}, sides, "list side ", false},
      {"layout.set", {{"layout", kKept}}, screen, "[data tv*]"},
      {"layout.set", {{"layout", kKept}}, sides, "list together"},
      {"layout.reset", {}, sides, "list side together", true, {{"view.side", {}}, {"figure.split_right", {}}}},
      {"layout.reset", {}, screen, "[data][tv]", true, {{"layout.set", {{"layout", kKept}}}}},
      {"present.start", {}, step, "0 picture", false},
      {"present.stop", {}, step, "not", false, {{"present.start", {}}}},
      {"present.next", {}, step, "0 picture", false},  // the only figure
      {"present.next", {}, step, "1 other", false, {{"binding.add", {{"expression", "layout_figure(data)"}, {"name", "other"}}}}},
      {"present.words_first", {}, covered, "covered", false, {{"present.start", {}}}},
      {"present.words_first", {}, covered, "seen", false, {{"present.start", {}}, {"present.words_first", {}}}},
      {"present.next", {}, covered, "seen", false, {{"present.start", {}}, {"present.words_first", {}}}},
      {"present.start", {}, told, "0 presented 1", false, {in_steps}},
      {"present.start", {}, told, "1 presented 1", false, {in_steps, {"figure.step_next", {{"binding", "picture"}}}}},
      {"present.next", {}, told, "0 presented 2", false, {in_steps, {"present.start", {}}}},
      {"present.previous", {}, told, "0 presented 1", false, {in_steps, {"present.start", {}}, {"present.next", {}}}},
      {"present.previous",
       {},
       step,
       "0 picture",
       false,
       {{"binding.add", {{"expression", "layout_figure(data)"}, {"name", "other"}}}, {"present.start", {}}}},
  };
  return all;
}

}  // namespace

TEST_CASE("every action does what it says, and one undo takes a step back") {
  for (const Use& use : uses()) {
    INFO(use.id);
    Session session = opened();
    for (const auto& [id, arguments] : use.before) REQUIRE(perform(session, id, arguments));
    session.end_burst();
    const Workspace before = session.workspace();
    const bool could_undo = session.can_undo();
    CHECK(use.seen(session) != use.wanted);
    const Status done = perform(session, use.id, use.arguments);
    INFO((done ? "" : describe(done.error())));
    REQUIRE(done);
    CHECK(use.seen(session) == use.wanted);
    CHECK(session.can_undo() == (use.is_step || could_undo));
    if (!use.is_step) continue;
    const Workspace after = session.workspace();
    REQUIRE(perform(session, "edit.undo"));
    CHECK(session.workspace() == before);
    REQUIRE(perform(session, "edit.redo"));
    CHECK(session.workspace() == after);
  }
}

TEST_CASE("every action that changes the workspace is tried above") {
  std::set<std::string_view> tried;
  for (const Use& use : uses()) tried.insert(use.id);
  for (const ActionRow& row : actions()) {
    if (!row.effect()) CHECK((tried.contains(row.id) ? "" : std::string(row.id)) == "");
  }
}

TEST_CASE("every effect is of exactly one action") {
  std::vector<int> rows(kEffectCount);
  for (const ActionRow& row : actions()) {
    if (const Effect* effect = row.effect()) ++rows.at(static_cast<std::size_t>(*effect));
  }
  CHECK(rows == std::vector<int>(kEffectCount, 1));
}

TEST_CASE("the table of actions is in order: ids and keys are nobody else's, and each row has words") {
  std::set<std::string> ids, keys;
  for (const ActionRow& row : actions()) {
    INFO(row.id);
    CHECK(ids.insert(std::string(row.id)).second);
    CHECK_FALSE(row.title.empty());
    CHECK_FALSE(row.help.empty());
    CHECK(find_action(row.id) == &row);
    std::string rest(row.keys);
    while (!rest.empty()) {
      const std::string key = rest.substr(0, rest.find(' '));
      CHECK(keys.insert(key).second);
      CHECK(action_of_keys(key) == &row);
      rest.erase(0, key.size() + 1);
    }
  }
  CHECK(action_of_keys("Ctrl+") == nullptr);
  CHECK(action_of_keys("Ctrl+Shift+Alt+F12") == nullptr);
}

TEST_CASE("why an action cannot be done is said in a sentence") {
  const auto why = [](std::string_view id, const Arguments& arguments = {}, std::string_view selected = "data") {
    Session session = opened();
    Workspace now = session.workspace();
    now.selected = selected;
    session.show(std::move(now));
    const Workspace before = session.workspace();
    const Status status = perform(session, id, arguments);
    CHECK(session.workspace() == before);
    return status ? std::string() : status.error().message;
  };
  CHECK(why("binding.delete", {}, "") == "no binding is selected: click a line of the list first");
  CHECK(why("binding.delete", {{"binding", "nobody"}}) == "there is no binding \"nobody\"");
  CHECK(why("figure.beside", {{"binding", "n"}}) == "n is of kind int, and there is no figure of that");
  CHECK(why("figure.beside", {{"binding", "slip"}}).starts_with("slip has no value: "));
  CHECK(why("figure.close", {{"binding", "tv"}}) == "no figure of tv is on the screen");
  CHECK(why("figure.split_right", {{"place", "01"}}) == "there is no figure at the place \"01\"");
  CHECK(why("figure.step_next").starts_with("the figure of data is told at once: "));
  CHECK(why("binding.exchange", {{"binding", "picture"}, {"leaf", "0"}, {"other", "1"}}).find("written out") != std::string::npos);
  CHECK(why("binding.exchange", {{"leaf", "0"}, {"other", "7"}}) == "(4,8):(8,1) has 2 leaves, 0 to 1, and no leaf 7");
  CHECK(why("binding.fix") == "data has a value: there is nothing to mend");
  CHECK(why("gemm.run") == "data is no GEMM");
  CHECK(why("pin.clear") == "nothing is pinned: Ctrl+P pins the selected line first");
  CHECK(why("cells.clear") == "no cells are selected: click one, or drag over several");
  CHECK(why("cells.select", {{"cells", "somewhere"}}) != "");
  CHECK(why("edit.undo") == "nothing was changed yet");
  CHECK(why("edit.redo") == "nothing was undone");
  CHECK(why("edit.revert") == "the document is as it was opened or saved last");
  CHECK(why("binding.rename", {{"to", "tv"}}) == "there is a binding \"tv\" already");
  CHECK(why("binding.rename") == "the action binding.rename needs \"to\": the new name");
  CHECK(why("binding.rename", {{"to", "x"}, {"from", "data"}}) == "the action binding.rename has no \"from\"");
  CHECK(why("binding.add", {{"expression", "mine = 8:1"}, {"name", "figure"}}) ==
        "the expression begins with a name, mine =, and the line is to be called figure");
  CHECK(why("binding.add", {{"expression", "mine = (4,8"}}) != "");
  CHECK(why("binding.add", {{"expression", "tv_figure(tv,"}}) != "");
  CHECK(why("binding.let", {{"line", "8:1"}}) == "\"8:1\" is no line");
  CHECK(why("binding.let", {{"line", "data = (4,8"}}) != "");
  CHECK(why("binding.compare", {{"binding", "n"}, {"expression", "4"}}) == "n is of kind int, and there is no figure of that");
  CHECK(why("binding.move", {{"position", "low"}}) == "\"position\" must be a whole number, not \"low\"");
  CHECK(why("figure.resize", {{"place", ""}, {"share", "half"}}) == "\"share\" must be a number, not \"half\"");
  CHECK(why("figure.resize", {{"place", "0"}, {"share", "0.5"}}) == "nothing is split at \"0\"");
  CHECK(why("figure.move", {{"to", "0"}, {"side", "inward"}}) ==
        "side of figure.move is one of inside, left, right, above, below, not \"inward\"");
  CHECK(why("layout.set", {{"layout", "{}"}}).starts_with("the layout cannot be read"));
  CHECK(why("layout.set",
            {{"layout", R"({"figures":"{\"tabs\":[{\"binding\":\"gone\"}],\"shown\":0}","list":true,"side":true,"by_hand":true})"}}) ==
        "none of the layout's figures is of this document");
  CHECK(why("view.selection") == "no cells are selected: click one, or drag over several");
  CHECK(why("text.paste", {{"text", "  "}}) == "there is no text to paste");
  CHECK(why("file.save") == "file.save changes nothing of the document; the studio does it");
  Session session = opened();
  const Status unknown = perform(session, "binding.rname");
  REQUIRE_FALSE(unknown);
  CHECK(describe(unknown.error()).find("binding.rename") != std::string::npos);
}

TEST_CASE("the cell cursor stays at the edge of a figure, and goes from one operand to the next") {
  Session session;
  REQUIRE(session.open_text("let data = (4,8):(8,1)\nlet atom = SM80_16x8x16_F32F16F16F32_TN\n", "test"));
  const auto moved = [&](const char* binding, const char* from, const char* id) {
    REQUIRE(perform(session, "cells.select", {{"binding", binding}, {"cells", from}}));
    REQUIRE(perform(session, id, {{"binding", binding}}));
    return session.workspace().selection.cells;
  };
  CHECK(moved("data", "(0,0)", "cells.up") == "(0,0)");
  CHECK(moved("data", "(3,7)", "cells.right") == "(3,7)");
  CHECK(moved("atom", "A(3,15)", "cells.right") == "C(3,0)");
  CHECK(moved("atom", "C(0,2)", "cells.up") == "B(2,15)");  // (n, k): the last k stands lowest
  CHECK(moved("atom", "C(3,0)", "cells.left") == "A(3,15)");
}

TEST_CASE("a rectangle of cells grows from the cell where it began, shrinks again, and ends at its grid's edge") {
  Session session;
  REQUIRE(session.open_text("let data = (4,8):(8,1)\nlet atom = SM80_16x8x16_F32F16F16F32_TN\n", "test"));
  const auto grown = [&](const char* binding, std::initializer_list<const char*> ways) {
    for (const char* way : ways) REQUIRE(perform(session, std::string("cells.grow_") + way, {{"binding", binding}}));
    return session.workspace().selection.cells;
  };
  REQUIRE(perform(session, "cells.select", {{"binding", "data"}, {"cells", "(2,5)"}}));
  CHECK(grown("data", {"left", "left", "up"}) == "(1-2,3-5)");
  CHECK(grown("data", {"right", "right", "right"}) == "(1-2,5-6)");  // over the cell where it began
  CHECK(grown("data", {"down", "down", "down"}) == "(2-3,5-6)");
  REQUIRE(perform(session, "cells.right", {{"binding", "data"}}));
  CHECK(grown("data", {"right"}) == "(2,6-7)");  // another cell, another beginning
  REQUIRE(perform(session, "cells.select", {{"binding", "atom"}, {"cells", "A(3,15)"}}));
  CHECK(grown("atom", {"right", "down"}) == "A(3-4,15)");  // not into C
}

TEST_CASE("a tile in shared memory is the operand that it holds") {
  Session session;
  REQUIRE(
      session.open_text("let mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (1,2))\n"
                        "let g = gemm(m=16, n=16, k=16, mma=mma, sA=(16,16):(16,1), sB=(16,16):(16,1))\n",
                        "test"));
  REQUIRE(perform(session, "figure.show", {{"binding", "g"}}));
  const auto rows = [&](const char* cells) {
    REQUIRE(perform(session, "cells.go", {{"cells", cells}}));
    const Result<CellTable> table = selected_cell_table(session);
    REQUIRE(table);
    return table->rows;
  };
  CHECK(rows("A(5,2)") == rows("sA(5,2)"));
  CHECK(rows("B(5,2)") == rows("sB(5,2)"));
  CHECK(rows("C(5,2)") == rows("gC(5,2)"));
  CHECK(rows("A(5,2)") != rows("B(5,2)"));
}

TEST_CASE("cells are named as one speaks, in the figure in front of them or in the one that has the focus") {
  Session session;
  REQUIRE(
      session.open_text("let data = (4,8):(8,1)\nlet atom = SM80_16x8x16_F32F16F16F32_TN\nlet n = 3\n"
                        "let swizzled = Sw<3,3,3> o 0 o (8,64):(64,1)\n",
                        "test"));
  const auto gone = [&](const char* words) {
    const Status done = perform(session, "cells.go", {{"cells", words}});
    const CellSelection& now = session.workspace().selection;
    return done ? now.binding + ": " + now.cells : done.error().message;
  };
  CHECK(gone("atom A(5,2)") == "atom: A(5,2)");
  CHECK(session.workspace().selected == "atom");
  CHECK(gone("warp 0") == "atom: warp=0");
  CHECK(gone("Thread 5, v2") == "atom: thread=5, V2");
  CHECK(gone("T0-3") == "atom: T0-3");
  CHECK(gone("data column 2") == "data: column=2");
  CHECK(gone("(3,7)") == "data: (3,7)");
  CHECK(gone("(4,0)") == "(4,0) names no cell of data: there are rows=0-3, cols=0-7, offsets=0-31");
  CHECK(gone("warp 1") == "warp 1 names no cell of data: there are rows=0-3, cols=0-7, offsets=0-31");
  CHECK(gone("data A(5,2)").starts_with("data A(5,2) names no cell of data, whose panel is "));
  // A cell of it stands for eight elements.
  CHECK(gone("swizzled (5,2)") ==
        "swizzled (5,2) names no cell of swizzled: the cell before it is (5,0); there are rows=0-7, cols=0-56 in steps of 8, "
        "offsets=0-504 in steps of 8, banks=0-28 in steps of 4");
  CHECK(gone("swizzled (8,2)").find("before") == std::string::npos);
  CHECK(gone("atom sA(5,2)") ==
        "atom sA(5,2) names no cell of atom, whose panels are C, A and B; another figure's name goes in front: FIGURE sA(5,2)");
  CHECK(gone("n (0,0)") == "n is of kind int, and there is no figure of that");
  REQUIRE(perform(session, "figure.show", {{"binding", "data"}}));
  CHECK(gone("somewhere") == "cells: 'somewhere' selects nothing that is known");
  CHECK(gone(" ") == "no cells are named");
  CHECK(session.workspace().selection.cells == "(3,7)");
}

TEST_CASE("a presentation tells each figure in its steps, and goes back to the last one of the figure before") {
  Session session;
  REQUIRE(session.open_text("let one = layout_figure((2,2):(1,2), steps=row)\nlet two = layout_figure((3,2):(1,3), steps=row)\n", "test"));
  std::string seen;
  const auto look = [&] { seen += fmt::format(" {}.{}", session.workspace().step, session.workspace().told); };
  REQUIRE(perform(session, "present.start"));
  look();
  for (int i = 0; i < 5; ++i) {
    REQUIRE(perform(session, "present.next"));
    look();
  }
  CHECK(seen == " 0.1 0.2 1.1 1.2 1.3 1.3");  // the last stays
  seen.clear();
  for (int i = 0; i < 5; ++i) {
    REQUIRE(perform(session, "present.previous"));
    look();
  }
  CHECK(seen == " 1.2 1.1 0.2 0.1 0.1");
}

TEST_CASE("a step on the screen is the picture that step= draws, and the last step stays") {
  Session session;
  REQUIRE(session.open_text(
      "let rows = layout_figure((4,8):(8,1), steps=row)\nlet second = layout_figure((4,8):(8,1), steps=row, step=2)\n", "test"));
  Workspace first = session.workspace();
  first.arrangement = tiled({{"rows"}}, 1);
  first.selected = "rows";
  session.show(std::move(first));
  CHECK(session.steps("rows") == 4);
  REQUIRE(perform(session, "figure.step_next"));
  REQUIRE(perform(session, "figure.step_next"));
  const auto labels = [&](const Result<Scene>& scene) {
    REQUIRE(scene);
    std::string faint;
    for (const Panel& panel : scene->panels) {
      for (const Mark& mark : panel.marks) {
        if (const auto* grid = std::get_if<Grid>(&mark)) {
          for (std::size_t i = 0; i < grid->of->size(); ++i) faint += view(*grid, i).faint ? '.' : '#';
        }
      }
    }
    return faint;
  };
  const View stepped = view_of(session.workspace().arrangement, "rows");
  CHECK(labels(session.figure("rows", stepped.options)) == labels(session.figure("second")));
  CHECK(labels(session.figure("rows")) != labels(session.figure("second")));
  for (int i = 0; i < 5; ++i) REQUIRE(perform(session, "figure.step_next"));
  CHECK(chosen_step(view_of(session.workspace().arrangement, "rows").options) == 4);
  CHECK(session.steps("rows", view_of(session.workspace().arrangement, "rows").options) == 4);
  REQUIRE(session.undo());  // they were one burst
  CHECK(chosen_step(view_of(session.workspace().arrangement, "rows").options) == 0);
}

TEST_CASE("a layout that was kept comes back as it was, by its text") {
  Session session = opened();
  REQUIRE(perform(session, "figure.tab", {{"binding", "tv"}}));
  REQUIRE(perform(session, "view.side"));
  const std::string kept = layout_text(session.workspace());
  const Workspace was = session.workspace();
  REQUIRE(perform(session, "layout.reset"));
  CHECK(layout_text(session.workspace()) != kept);
  REQUIRE(perform(session, "layout.set", {{"layout", kept}, {"name", "wide"}}));
  CHECK(session.workspace().arrangement == was.arrangement);
  CHECK(session.workspace().side_hidden);
  CHECK(session.undo_label() == "Layout wide");
}

TEST_CASE("a document that was reverted has nothing to save, and what was saved is what it goes back to") {
  Session session = opened();
  REQUIRE(perform(session, "binding.set", {{"expression", "8:1"}}));
  REQUIRE(perform(session, "binding.delete", {{"binding", "n"}}));
  CHECK(session.dirty());
  REQUIRE(perform(session, "edit.revert"));
  CHECK(session.text() == kText);
  CHECK_FALSE(session.dirty());
  REQUIRE(perform(session, "edit.undo"));
  CHECK(session.dirty());
  CHECK_FALSE(session.find("n"));
  CHECK(session.expression("data") == "8:1");
}

TEST_CASE("a burst of changes is one step, and a pause ends it") {
  Session session = opened();
  for (const char* text : {"1:1", "12:1", "128:1"}) REQUIRE(perform(session, "binding.set", {{"expression", text}}, true));
  session.end_burst();
  REQUIRE(perform(session, "binding.set", {{"expression", "9:1"}}, true));
  REQUIRE(session.undo());
  CHECK(session.expression("data") == "128:1");
  REQUIRE(session.undo());
  CHECK(session.expression("data") == "(4,8):(8,1)");
  for (const char* share : {"0.3", "0.4"}) REQUIRE(perform(session, "figure.resize", {{"place", ""}, {"share", share}}));
  REQUIRE(session.undo());
  CHECK(session.workspace().arrangement.share == Approx(0.5));
}

TEST_CASE("figures stand beside each other as long as there is room, and then as tabs") {
  Session session;
  std::string text;
  for (int i = 0; i < 9; ++i) text += fmt::format("let f{} = {}:1\n", i, i + 2);
  REQUIRE(session.open_text(text, "test"));
  for (int i = 0; i < 9; ++i) REQUIRE(perform(session, "figure.beside", {{"binding", fmt::format("f{}", i)}}));
  CHECK(panes(session.workspace().arrangement).size() == 6);
  CHECK(views(session.workspace().arrangement).size() == 9);
  // The pane that had the keys stays as it was; the new figure is the tab that is seen in the one beside it.
  CHECK(screen(session).find("[f4 f6 f8*]") != std::string::npos);
  CHECK(screen(session).find("[f5 f7*]") != std::string::npos);
  session.be_roomy({2, false});  // a window that is narrower by now
  REQUIRE(session.open_text(text, "test"));
  for (int i = 0; i < 4; ++i) REQUIRE(perform(session, "figure.beside", {{"binding", fmt::format("f{}", i)}}));
  CHECK(panes(session.workspace().arrangement).size() == 2);
  CHECK(views(session.workspace().arrangement).size() == 4);
}

TEST_CASE("what is only looked at is no step, and the step before brings it back") {
  Session session = opened();
  REQUIRE(perform(session, "figure.show", {{"binding", "tv"}}));
  REQUIRE(perform(session, "binding.delete", {{"binding", "tv"}}));
  CHECK(screen(session) == "[picture]");
  REQUIRE(session.undo());
  CHECK(screen(session) == "[picture][tv]");
  CHECK_FALSE(session.can_undo());
}

TEST_CASE("the page on the studio has every action") {
  std::vector<std::string_view> menus;
  for (const ActionRow& row : actions()) {
    if (std::find(menus.begin(), menus.end(), row.menu) == menus.end() && !row.menu.empty()) menus.push_back(row.menu);
  }
  menus.push_back({});  // what stands in no menu
  std::string list;
  for (const std::string_view menu : menus) {
    list += fmt::format("\n### {}\n\n| action | keys | what it does | takes |\n| --- | --- | --- | --- |\n",
                        menu.empty() ? "With the mouse" : menu);
    for (const ActionRow& row : actions()) {
      if (row.menu != menu) continue;
      std::string takes, keys;
      for (const ActionParameter& each : row.parameters)
        takes += fmt::format("{}`{}`{}", takes.empty() ? "" : ", ", each.name, each.optional ? "?" : "");
      for (const char c : row.keys) keys += c == ' ' ? " or " : std::string(1, c);
      list += fmt::format("| `{}` | {} | {} | {} |\n", row.id, keys, row.help, takes);
    }
  }
  list += "\n";
  CHECK(testing::golden_section("docs/studio.md", "actions", list) == list);
}

TEST_CASE("a line that is added at the end is none of those that the last heading is about") {
  Session session;
  REQUIRE(session.open_text("# All of it.\nlet a = 4:1\n", "test"));
  REQUIRE(perform(session, "binding.add", {{"expression", "b = 8:1"}}));
  REQUIRE(perform(session, "binding.add", {{"expression", "c = 8:2"}}));
  CHECK(session.text() == "# All of it.\nlet a = 4:1\n\nlet b = 8:1\nlet c = 8:2\n");
  REQUIRE(perform(session, "binding.add", {{"expression", "d = 8:2"}, {"before", "a"}}));
  CHECK(session.text().starts_with("let d = 8:2\n# All of it.\nlet a"));
}

TEST_CASE("a pin goes when undo leaves nothing that differs from it, with revert, and with its line; redo brings it back") {
  Session session = opened();
  const auto pinned = [&] { return session.workspace().pinned ? session.workspace().pinned->binding : std::string(); };
  REQUIRE(perform(session, "pin.set"));
  REQUIRE(perform(session, "binding.set", {{"expression", "(4,8):(9,1)"}}));
  REQUIRE(perform(session, "binding.set", {{"expression", "(4,8):(10,1)"}}));
  REQUIRE(session.undo());
  CHECK(pinned() == "data");  // 9 is not 8
  REQUIRE(session.undo());
  CHECK(pinned().empty());
  CHECK(session.workspace().maximised.empty());
  CHECK_FALSE(session.can_undo());  // the step that pinned went with it
  REQUIRE(session.redo());
  CHECK(pinned() == "data");
  CHECK(session.workspace().maximised == "data");
  REQUIRE(perform(session, "edit.revert"));
  CHECK(pinned().empty());
  REQUIRE(session.undo());
  CHECK(pinned() == "data");
  REQUIRE(perform(session, "binding.rename", {{"to", "smem"}}));
  CHECK(pinned() == "smem");
  CHECK(session.pinned_expression() == "(4,8):(8,1)");
  REQUIRE(perform(session, "binding.delete"));
  CHECK(pinned().empty());
}

TEST_CASE("a version that has no figure is not compared") {
  Session session = opened();
  const std::string text = session.text();
  for (const char* expression : {"(4,8):(1", "4", "nobody"}) {
    INFO(expression);
    CHECK_FALSE(perform(session, "binding.compare", {{"expression", expression}}));
  }
  CHECK(session.text() == text);
  REQUIRE(perform(session, "binding.compare", {{"expression", "(4,8):(1,4)"}}));
  CHECK(session.expression("data") == "(4,8):(8,1)");
  CHECK(session.pinned_expression() == "(4,8):(8,1)");
  REQUIRE(session.undo());
  CHECK(session.text() == text);
  CHECK_FALSE(session.workspace().pinned);
}

TEST_CASE("a binding is compared with one that is there without a line of its own, and with a version below all that it needs") {
  Session session;
  REQUIRE(session.open_text("let a = (4,8):(8,1)\nlet b = (4,8):(1,4)\nlet c = (4,8):(9,1)\n", "test"));
  const std::string text = session.text();
  REQUIRE(perform(session, "binding.compare", {{"binding", "a"}, {"expression", "b"}}));
  CHECK(session.text() == text);
  CHECK(session.workspace().pinned->binding == "b");
  CHECK(session.pinned_expression() == "(4,8):(8,1)");
  CHECK(session.workspace().maximised == "b");
  CHECK(session.workspace().selected == "b");
  REQUIRE(session.undo());
  CHECK_FALSE(session.workspace().pinned);
  REQUIRE(perform(session, "binding.compare", {{"binding", "a"}, {"expression", "composition(c, 4:1)"}}));
  CHECK(session.text() == text + "let a_2 = composition(c, 4:1)\n");
  CHECK(session.find("a_2")->value.has_value());
}

TEST_CASE("a presentation begins with the selected figure where it is one of its figures, else with the first") {
  Session session;
  REQUIRE(session.open_text("let a = (2,2):(1,2)\nlet one = layout_figure(a)\nlet two = layout_figure(a)\n", "test"));
  Workspace shown = session.workspace();
  shown.arrangement = tiled({{"two"}}, 1);
  shown.selected = "a";
  session.show(std::move(shown));
  REQUIRE(perform(session, "present.start"));
  CHECK(session.workspace().selected == "one");
  REQUIRE(perform(session, "present.stop"));
  CHECK(session.workspace().selected == "two");  // which has a pane
  REQUIRE(perform(session, "binding.select", {{"binding", "two"}}));
  REQUIRE(perform(session, "present.start"));
  CHECK(session.workspace().selected == "two");
}

TEST_CASE("a copy is called as what it is of, with the next number") {
  Session session;
  REQUIRE(session.open_text("let tile_2x2 = (2,2):(1,2)\nlet part_2 = 4:1\n", "test"));
  for (const auto& [name, copy] :
       {std::pair("tile_2x2", "tile_2x2_2"), std::pair("tile_2x2_2", "tile_2x2_3"), std::pair("part_2", "part")}) {
    REQUIRE(perform(session, "binding.duplicate", {{"binding", name}}));
    CHECK(session.workspace().selected == copy);
  }
}

TEST_CASE("leaves that are exchanged in a diagram are those of the layout that it shows", "[actions]") {
  const auto after = [](const std::string& diagram) {
    Session session;
    REQUIRE(session.open_text("let data = (4,8):(8,1)\nlet d = " + diagram + "\n", "test"));
    const Status status = perform(session, "binding.exchange", {{"binding", "d"}, {"leaf", "0"}, {"other", "1"}});
    return std::string(session.expression("data")) + (status ? "" : " refused");
  };
  CHECK(after("diagram_figure(data)") == "(8,4):(1,8)");
  CHECK(after("diagram_figure( data , title=\"of, it\")") == "(8,4):(1,8)");
  // The diagram of an operation, or of what a layout was made to, has other leaves.
  for (const char* other : {"diagram_figure(data, 4:1, op=divide)", "diagram_figure(data, (2,4):(4,1))", "diagram_figure(coalesce(data))",
                            "diagram_figure(data, 64, op=complement)", "layout_figure(data)"})
    CHECK(after(other) == "(4,8):(8,1) refused");
}
