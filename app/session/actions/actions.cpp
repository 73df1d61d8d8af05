// SPDX-License-Identifier: BSD-3-Clause
// The table itself, and how a row is performed.
#include "app/session/actions/actions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "app/session/actions/action_parts.hpp"
#include "core/atom/instructions/catalog.hpp"
#include "core/lang/values/value.hpp"

namespace tessera {
namespace {

using namespace action;

constexpr ActionParameter kBinding{"binding", "which one; the selected one where none is named", Takes::binding, true};
constexpr ActionParameter kPlace{"place", "which pane, by the way to it: 0 or 1 at each split", Takes::text, true};
constexpr ActionParameter kCells{"cells", "T0-3, W1, Q2, V0, (2,5), rows=0-3, offsets=0-31, bank=3"};
constexpr ActionParameter kPath{"path", "a file", Takes::text, true};

constexpr std::string_view kSides[] = {"inside", "left", "right", "above", "below"};
constexpr std::string_view kThemes[] = {"dark", "light", "high_contrast", "color_blind"};
constexpr CopyForm kCopyForms[] = {{"tess", "Text of the language"},
                                   {"cpp", "C++"},
                                   {"dsl", "CuTe DSL (Python)"},
                                   {"print", "What print writes"},
                                   {"latex", "LaTeX"},
                                   {"svg", "SVG"},
                                   {"png", "PNG, as a file's path"},
                                   {"text", "A table of its cells"}};
constexpr auto kForms = [] {
  std::array<std::string_view, std::size(kCopyForms)> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = kCopyForms[i].name;
  return names;
}();

constexpr std::array kOne = {kBinding};
constexpr std::array kFigure = {kBinding, kPlace};
constexpr std::array kSelect = {ActionParameter{"binding", "its name", Takes::binding}};
constexpr std::array kAdd = {
    ActionParameter{"expression", "what it is: (4,8):(8,1), or with its name: tile = (4,8):(8,1)", Takes::expression},
    ActionParameter{"name", "what it is called; guessed where nothing is said", Takes::name, true},
    ActionParameter{"before", "the binding that it stands above; else it is the last", Takes::binding, true}};
constexpr std::array kSet = {kBinding, ActionParameter{"expression", "what it is from now on", Takes::expression}};
constexpr std::array kCompare = {kBinding, ActionParameter{"expression", "the other version", Takes::value}};
constexpr std::array kLet = {ActionParameter{"line", "name = expression"}};
constexpr std::array kParameter = {kBinding, ActionParameter{"parameter", "an argument of its call: thread, stages", Takes::name},
                                   ActionParameter{"value", "in the language; empty: the argument goes", Takes::expression, true}};
constexpr std::array kExchange = {kBinding,
                                  ActionParameter{"leaf", "which, from 0: the first is the innermost of the first mode", Takes::integer},
                                  ActionParameter{"other", "the one whose place it takes", Takes::integer}};
constexpr std::array kRename = {kBinding, ActionParameter{"to", "the new name", Takes::name}};
constexpr std::array kMove = {kBinding, ActionParameter{"position", "from 0", Takes::integer}};
constexpr std::array kText = {ActionParameter{"text", "lines of the language, of C++ or of Python"}};
constexpr std::array kMoveFigure = {kBinding, kPlace, ActionParameter{"to", "the pane that it goes to", Takes::text, true},
                                    ActionParameter{"side", "inside as a tab, or on which side of it", Takes::choice, true, kSides}};
constexpr std::array kResize = {ActionParameter{"place", "of the split"},
                                ActionParameter{"share", "of its first part, 0.05 to 0.95", Takes::number}};
constexpr std::array kOption = {kBinding, kPlace,
                                ActionParameter{"option", "kind, palette, style, title, or a parameter of its kind", Takes::name},
                                ActionParameter{"value", "empty: as the figure has it itself", Takes::text, true}};
constexpr std::array kKeep = {kBinding, kPlace,
                              ActionParameter{"name", "what it is called; guessed where nothing is said", Takes::name, true}};
constexpr std::array kLayoutName = {ActionParameter{"name", "what it is called", Takes::name}};
constexpr std::array kSomeLayout = {ActionParameter{"name", "what it is called; where one alone was kept, that one", Takes::name, true}};
constexpr std::array kLayout = {ActionParameter{"layout", "as JSON"}, ActionParameter{"name", "what it is called", Takes::name, true}};
constexpr std::array kSelectCells = {kBinding, kCells};
constexpr std::array kGo = {kBinding,
                            ActionParameter{"cells", "warp 3, thread 5, A(5,2), rows=0-3, bank 7; a figure's name may stand in front"}};
constexpr std::array kFile = {kPath};
constexpr std::array kGive = {ActionParameter{"name", "M, threadIdx.x: what the program takes from outside"},
                              ActionParameter{"value", "an expression; empty: as it is without you", Takes::text, true}};
constexpr std::array kVariable = {ActionParameter{"name", "its name"},
                                  ActionParameter{"line", "of the text; the first that has it", Takes::integer, true}};
constexpr std::array kLesson = {
    ActionParameter{"path", "a file, or the name of a lesson that comes with the program: 06_tv", Takes::text, true}};
constexpr ActionParameter kQuestion{"question", "its name; the first that is open where nothing is said", Takes::name, true};
constexpr std::array kScreen = {ActionParameter{"screen", "which, from 1", Takes::integer}};
constexpr std::array kSomeQuestion = {kQuestion};
constexpr std::array kTyped = {kQuestion, ActionParameter{"text", "as a person writes it"}};
constexpr std::array kAnswer = {kQuestion, ActionParameter{"text", "as a person writes it; what stands in its field", Takes::text, true}};
constexpr std::array kSliderValue = {ActionParameter{"value", "as it is written: 4"}};
constexpr std::string_view kSliderGrades[] = {"graded", "shown"};
constexpr std::array kSliderGrade = {
    ActionParameter{"how", "by what is ticked, or shown without an answer", Takes::choice, true, kSliderGrades}};
constexpr std::string_view kReplaces[] = {"no", "yes"};
constexpr std::array kWorklog = {ActionParameter{"path", "a file"},
                                 ActionParameter{"replace", "a file that exists", Takes::choice, true, kReplaces}};
constexpr std::array kSeed = {ActionParameter{"seed", "a number: the same asks the same", Takes::integer}};
constexpr std::array kLeft = {
    ActionParameter{"which", "by the name of its autosave; where one alone was left, that one", Takes::name, true}};
constexpr std::array kLeftOne = {ActionParameter{"which", "by the name of its autosave", Takes::name}};
constexpr std::array kExport = {kBinding, kPlace, kPath,
                                ActionParameter{"format", "svg, pdf, png, tex, ...: as a path ends", Takes::name, true},
                                ActionParameter{"width", "columnwidth, textwidth, slide, 84mm, ...", Takes::name, true}};
constexpr std::array kCopy = {kBinding, ActionParameter{"form", "of what language", Takes::choice, true, kForms}};
constexpr std::string_view kTourPlaces[] = {"start", "gemm"};
constexpr std::array kTour = {ActionParameter{"at", "what is shown of it", Takes::choice, true, kTourPlaces}};
constexpr std::string_view kBlankColors[] = {"black", "white"};
constexpr std::array kBlank = {ActionParameter{"color", "of the screen; black where nothing is said", Takes::choice, true, kBlankColors}};
constexpr std::string_view kGemmTabs[] = {"result", "plan", "source", "ptx", "sass", "history", "compare"};
constexpr std::array kGemmPage = {
    ActionParameter{"tab", "what of it is shown", Takes::choice, true, kGemmTabs},
    ActionParameter{"worker", "where runs go from now on: a command such as ssh HOST tessera worker; or: this machine", Takes::text, true},
    ActionParameter{"device", "which GPU of that machine, from 0", Takes::integer, true}};
constexpr std::array kRun = {
    kBinding,
    ActionParameter{"against", "another GEMM, gemm(...): both are measured in one run, their launches in turn", Takes::value, true}};
constexpr std::array kTheme = {ActionParameter{"theme", "which", Takes::choice, true, kThemes}};

// Another version of a binding begins with what there is.
Arguments what_it_is(const Session& session, const Arguments& arguments) {
  return {{"expression", std::string(session.expression(binding(session, arguments)))}};
}

Arguments some_worklog(const Session&, const Arguments&) { return {{"path", "worklog.jsonl"}}; }

constexpr ActionTraits kAdds{.adds = true}, kNeedsValues{.needs_values = true}, kQuiet{.quiet = true},
    kSavesWorklog{.begins_with = some_worklog};

constexpr std::array kActions = {
    ActionRow{"file.open", "Open...", "open another document", "File", "Ctrl+O", kFile, nullptr, Effect::open},
    ActionRow{"file.save", "Save", "write the document to its file", "File", "Ctrl+S", {}, nullptr, Effect::save},
    ActionRow{"file.save_as", "Save as...", "write the document to another file", "File", "Ctrl+Shift+S", kFile, nullptr, Effect::save_as},
    ActionRow{"file.export", "Export the figure...", "write a figure as SVG, PDF, PNG, TikZ, HTML or JSON", "File", "Ctrl+E", kExport,
              needs_drawable, Effect::export_figure, kNeedsValues},
    ActionRow{"source.open", "Open a source...", "a program's text beside the pictures of its variables: C++ or Python", "File",
              "Ctrl+Shift+O", kFile, nullptr, Effect::open_source},
    ActionRow{"source.give", "Give a value", "another value for what the shown source takes from outside", "", "", kGive, nullptr,
              Effect::give_source},
    ActionRow{"source.choose", "Choose a variable", "a variable of the shown source, with its picture", "", "", kVariable, nullptr,
              Effect::choose_in_source},
    ActionRow{"source.document",
              "Open the source as a document",
              "the variables of the shown source as lines of a document",
              "",
              "",
              {},
              nullptr,
              Effect::source_as_document},
    ActionRow{"file.tour", "Open the tour", "open the document that shows what there is", "File", "", kTour, nullptr, Effect::open_tour},
    ActionRow{"file.left", "Take up what was left...", "a document that a program which ended early left unsaved", "File", "", kLeft,
              nullptr, Effect::take_up_left},
    ActionRow{"file.forget_left", "Forget what was left", "such a document is offered no more", "", "", kLeftOne, nullptr,
              Effect::forget_left},
    ActionRow{"app.quit", "Quit", "end the studio; unsaved changes are asked about", "File", "Ctrl+Q", {}, nullptr, Effect::quit},

    ActionRow{"edit.undo", "Undo", "take the last change back", "Edit", "Ctrl+Z", {}, needs_undo, Effect::undo, kQuiet},
    ActionRow{"edit.redo", "Redo", "do it again", "Edit", "Ctrl+Y Ctrl+Shift+Z", {}, needs_redo, Effect::redo, kQuiet},
    ActionRow{"edit.revert",
              "Revert all changes",
              "the document as it was opened or saved last; Undo brings the changes back",
              "Edit",
              "",
              {},
              needs_changes,
              revert,
              kQuiet},
    ActionRow{"edit.copy", "Copy as...", "put a value or its picture into the clipboard, in the language, as C++, DSL, LaTeX, SVG ...",
              "Edit", "Ctrl+Shift+C", kCopy, needs_binding, Effect::copy_value, kNeedsValues},
    ActionRow{"edit.share",
              "Copy share text",
              "put the document into the clipboard as one word, which opens wherever it is pasted",
              "Edit",
              "",
              {},
              nullptr,
              Effect::copy_share_text},
    ActionRow{"edit.copy_cells",
              "Copy the selected cells",
              "put the selected cells into the clipboard as a table",
              "Edit",
              "Ctrl+C",
              {},
              needs_cells,
              Effect::copy_cells,
              ActionTraits{.needs_values = true, .of_cells = true}},
    ActionRow{"edit.paste",
              "Paste",
              "make bindings of the text in the clipboard; open a share text",
              "Edit",
              "Ctrl+V",
              {},
              nullptr,
              Effect::paste},

    ActionRow{"binding.select", "Select", "select a line of the list", "", "", kSelect, needs_binding, select_binding},
    ActionRow{"binding.add", "Add", "a new binding below the others", "Binding", "Ctrl+N", kAdd, nullptr, add_binding, kAdds},
    ActionRow{"binding.edit", "Edit the expression", "type another expression in its line of the list", "Binding", "F4", kOne,
              needs_binding, Effect::edit_expression},
    ActionRow{"binding.let", "Let", "give a name an expression, a new one or another, and show its figure", "", "", kLet, nullptr,
              let_binding, kAdds},
    ActionRow{"binding.compare", "Compare with...", "another version of a binding in a line below it, one beside the other", "Binding", "",
              kCompare, needs_drawable, compare_binding, ActionTraits{.begins_with = what_it_is}},
    ActionRow{"binding.set", "Set", "give a binding another expression", "", "", kSet, needs_binding, set_binding},
    ActionRow{"binding.parameter", "Set a parameter", "set an argument of a call such as gemm(...) or tv_figure(...)", "", "", kParameter,
              needs_binding, set_parameter},
    ActionRow{"binding.exchange", "Exchange two leaves...",
              "two leaves of a layout in each other's place, with their strides; dragging one over another in a diagram does it", "Binding",
              "", kExchange, needs_binding, exchange_leaves},
    ActionRow{"binding.rename", "Rename...", "give a binding another name; its uses follow", "Binding", "F2", kRename, needs_binding,
              rename_binding, ActionTraits{.in_list = true}},
    ActionRow{"binding.duplicate", "Duplicate", "a copy below it", "Binding", "Ctrl+D", kOne, needs_binding, duplicate_binding},
    ActionRow{"binding.delete", "Delete", "take a binding out of the document", "Binding", "Delete", kOne, needs_binding, delete_binding},
    ActionRow{"binding.up", "Move up", "above the line before it", "Binding", "Alt+Up", kOne, needs_binding, raise_binding},
    ActionRow{"binding.down", "Move down", "below the line after it", "Binding", "Alt+Down", kOne, needs_binding, lower_binding},
    ActionRow{"binding.move", "Move", "to another line", "", "", kMove, needs_binding, move_binding},
    ActionRow{"binding.fix", "Mend", "take what was probably meant", "Binding", "Alt+Enter", kOne, needs_fix, fix_binding, kNeedsValues},
    ActionRow{"binding.table", "As a table",
              "what a line answers as a table that is sorted and filtered; its rows are applied to other lines", "Binding", "Ctrl+Shift+Y",
              kOne, needs_report, Effect::show_table},
    ActionRow{"document.advise",
              "What is wrong or slow",
              "mistakes, bank conflicts and idle SMs of all lines, the worst first, each with what mends it",
              "Binding",
              "Ctrl+Shift+A",
              {},
              nullptr,
              Effect::show_advice},
    ActionRow{"text.set", "Edit the text", "give the document another text", "", "", kText, nullptr, set_text},
    ActionRow{"text.paste", "Paste text", "make bindings of lines of the language, of C++ or of Python", "", "", kText, nullptr, paste_text,
              kAdds},

    ActionRow{"figure.show", "Show", "show the figure of a binding, in the place of the one that is shown", "Figure", "", kOne,
              needs_binding, show_figure},
    ActionRow{"figure.beside", "Show beside", "show the figure of a binding beside the others", "Figure", "Ctrl+Enter", kOne,
              needs_drawable, show_beside},
    ActionRow{"figure.tab", "Show as a tab", "show the figure of a binding in a tab of its own", "Figure", "", kFigure, needs_drawable,
              show_as_tab},
    ActionRow{"figure.close", "Close", "take a figure from the screen", "Figure", "Ctrl+W", kFigure, needs_figure, close_figure},
    ActionRow{"figure.split_right", "Split right", "the figure twice, side by side", "Figure", "Ctrl+\\", kFigure, needs_figure,
              split_right},
    ActionRow{"figure.split_down", "Split down", "the figure twice, one below the other", "Figure", "Ctrl+Shift+\\", kFigure, needs_figure,
              split_down},
    ActionRow{"figure.next", "Next figure", "the next tab, or the next pane's turn", "Figure", "Ctrl+PageDown", kOne, needs_two_figures,
              next_figure},
    ActionRow{"figure.previous", "Previous figure", "the tab before, or the pane's before", "Figure", "Ctrl+PageUp", kOne,
              needs_two_figures, previous_figure},
    ActionRow{"figure.maximise", "Maximise", "give a figure the whole room, or its own again", "Figure", "Ctrl+M", kOne, needs_figure,
              maximise_figure},
    ActionRow{"figure.move", "Move the figure", "to another pane, or to a side of it", "", "", kMoveFigure, needs_figure, move_figure},
    ActionRow{"figure.resize", "Resize", "move the bar between two figures", "", "", kResize, nullptr, resize_split},
    ActionRow{"figure.tile",
              "Tile the figures",
              "all side by side again, arranged by themselves",
              "Figure",
              "Ctrl+Shift+T",
              {},
              nullptr,
              tile_figures},
    ActionRow{"figure.option", "Set an option", "another kind, palette, colour or label of the figure on the screen", "", "", kOption,
              needs_figure, set_option},
    ActionRow{"figure.step_next", "Next step", "the next step of a figure that is told in several", "Figure", "Alt+Right", kFigure,
              needs_steps, step_forward},
    ActionRow{"figure.step_previous", "Previous step", "the step before; before the first all of the figure at once", "Figure", "Alt+Left",
              kFigure, needs_steps, step_back},
    ActionRow{"figure.keep", "Keep as a figure", "a binding of the figure as it is seen", "Figure", "Ctrl+Shift+K", kKeep, needs_figure,
              keep_figure, kNeedsValues},

    ActionRow{"cells.select", "Select cells", "light up cells in every figure that shows them", "", "", kSelectCells, needs_binding,
              select_cells},
    ActionRow{"cells.add", "Select more cells", "add cells to those that are selected", "", "", kSelectCells, needs_binding, add_cells},
    ActionRow{"cells.left", "Cell to the left", "select the cell to the left of the selected one", "Cells", "Ctrl+Left", kOne,
              needs_drawable, cell_left},
    ActionRow{"cells.right", "Cell to the right", "select the cell to the right of it", "Cells", "Ctrl+Right", kOne, needs_drawable,
              cell_right},
    ActionRow{"cells.up", "Cell above", "select the cell above it", "Cells", "Ctrl+Up", kOne, needs_drawable, cell_above},
    ActionRow{"cells.down", "Cell below", "select the cell below it", "Cells", "Ctrl+Down", kOne, needs_drawable, cell_below},
    ActionRow{"cells.go", "Select by name...", "select what is named: warp 3, A(5,2), rows=0-7; a figure that is named in front is shown",
              "Cells", "Ctrl+G", kGo, needs_focused_figure, go_to_cells},
    ActionRow{"cells.grow_left", "Rectangle to the left", "let the selected rectangle of cells reach one more to the left", "Cells",
              "Ctrl+Shift+Left", kOne, needs_drawable, grow_left},
    ActionRow{"cells.grow_right", "Rectangle to the right", "let it reach one more to the right", "Cells", "Ctrl+Shift+Right", kOne,
              needs_drawable, grow_right},
    ActionRow{"cells.grow_up", "Rectangle upwards", "let it reach one row further up", "Cells", "Ctrl+Shift+Up", kOne, needs_drawable,
              grow_up},
    ActionRow{"cells.grow_down", "Rectangle downwards", "let it reach one row further down", "Cells", "Ctrl+Shift+Down", kOne,
              needs_drawable, grow_down},
    ActionRow{"cells.clear",
              "Select no cells",
              "let all cells stand out alike again",
              "Cells",
              "Escape",
              {},
              needs_cells,
              clear_cells,
              ActionTraits{.quiet = true, .of_cells = true}},
    ActionRow{"pin.set", "Compare with what it becomes",
              "pin a binding as it is now (A), to be edited: what it becomes (B) stands beside it, with what differs", "Binding", "Ctrl+P",
              kOne, needs_drawable, pin_binding, kNeedsValues},
    ActionRow{
        "pin.clear", "Compare no more", "the binding's figure alone again", "Binding", "Ctrl+Shift+P", {}, needs_pin, clear_pin, kQuiet},

    ActionRow{"view.fit", "Fit", "show the figures whole", "View", "Ctrl+0", {}, nullptr, Effect::fit},
    ActionRow{"view.actual", "Actual size", "28 pixels a cell, as figures are exported", "View", "Ctrl+1", kOne, needs_figure,
              Effect::actual_size},
    ActionRow{"view.selection",
              "Zoom to the selection",
              "the selected cells as large as there is room",
              "View",
              "Ctrl+2",
              {},
              needs_cells,
              Effect::zoom_to_selection,
              ActionTraits{.of_cells = true}},
    ActionRow{"view.sync",
              "Zoom together",
              "figures of one binding are panned and zoomed together, or each alone",
              "View",
              "Ctrl+L",
              {},
              nullptr,
              toggle_sync},
    ActionRow{"view.list",
              "List",
              "show the list at the left, or give its room to the figures",
              "View",
              "Ctrl+B",
              {},
              nullptr,
              toggle_list,
              ActionTraits{.panel = StudioPanel::list}},
    ActionRow{"view.side",
              "Inspector",
              "show the inspector at the right, or give its room to the figures",
              "View",
              "Ctrl+Shift+B",
              {},
              nullptr,
              toggle_side,
              ActionTraits{.panel = StudioPanel::side}},
    ActionRow{"view.text",
              "Text",
              "the document as one text in the place of the list, or the list again",
              "View",
              "Ctrl+T",
              {},
              nullptr,
              Effect::show_text},
    ActionRow{"text.wrap",
              "Wrap long lines",
              "long lines of the text in several rows, or each in one",
              "View",
              "Alt+Z",
              {},
              nullptr,
              Effect::wrap_text},
    ActionRow{"layout.save", "Save the layout...", "keep under a name which figures and panels are where", "View", "", kLayoutName, nullptr,
              Effect::save_layout},
    ActionRow{"layout.restore", "Restore a layout...", "the figures and panels as they were kept under a name", "View", "Ctrl+Shift+L",
              kSomeLayout, nullptr, Effect::restore_layout},
    ActionRow{"layout.forget", "Forget a layout...", "keep it no longer", "", "", kLayoutName, nullptr, Effect::forget_layout},
    ActionRow{
        "layout.reset", "Reset the layout", "all figures side by side, and the panels beside them", "View", "", {}, nullptr, reset_layout},
    ActionRow{"layout.set", "Set the layout", "figures and panels as a text says it", "", "", kLayout, nullptr, set_layout},
    ActionRow{"view.bigger", "Larger", "a larger interface", "View", "Ctrl+= Ctrl++", {}, nullptr, Effect::larger},
    ActionRow{"view.smaller", "Smaller", "a smaller interface", "View", "Ctrl+-", {}, nullptr, Effect::smaller},
    ActionRow{"view.theme", "Theme", "dark, light, high contrast or safe for colour blindness; the next one where none is named", "View",
              "", kTheme, nullptr, Effect::switch_theme},
    ActionRow{
        "view.full_screen", "Full screen", "the window on the whole screen, or as it was", "View", "F11", {}, nullptr, Effect::fill_screen},
    ActionRow{"present.start",
              "Present",
              "the document's figures one at a time, with the words above them; Keep as figure makes another of what is seen",
              "View",
              "F5",
              {},
              needs_presentation,
              start_presenting},
    ActionRow{"present.stop", "Stop presenting", "back to the workbench", "", "", {}, nullptr, stop_presenting},
    ActionRow{"present.next",
              "Next",
              "the next step of the presented figure, or the next figure",
              "",
              "",
              {},
              needs_presentation,
              Change{next_step}},
    ActionRow{"present.previous", "Previous", "the step before, or the figure before", "", "", {}, needs_presentation, previous_step},
    ActionRow{"present.words_first",
              "Words first",
              "in a presentation each figure comes with its words alone, and the next step reveals it; or comes at once",
              "View",
              "",
              {},
              nullptr,
              put_words_first},
    ActionRow{"present.blank", "Blank the screen", "a presentation's screen black or white, until the next key", "", "", kBlank, nullptr,
              Effect::blank},
    ActionRow{"present.pointer",
              "Pointer",
              "a red light in the place of the mouse in a presentation, or the mouse",
              "",
              "",
              {},
              nullptr,
              Effect::show_pointer},
    ActionRow{"present.notes",
              "Speaker's window",
              "presents, with a second window: the notes, a clock and what comes next",
              "View",
              "Shift+F5",
              {},
              needs_presentation,
              Effect::show_notes},

    ActionRow{"gemm.run", "Run on the GPU", "compile, launch, check and measure the GEMM, alone or in turn with another", "GEMM", "Ctrl+R",
              kRun, needs_gemm, Effect::run_gemm, kNeedsValues},
    ActionRow{"gemm.emulate", "Simulate", "run the GEMM on the CPU and check it", "GEMM", "Ctrl+Shift+R", kOne, needs_gemm,
              Effect::emulate_gemm, kNeedsValues},
    ActionRow{"gemm.stop", "Stop", "end the run", "GEMM", "", {}, nullptr, Effect::stop_gemm},
    ActionRow{
        "gemm.page", "Live GEMM",
        "the lecture's screen: a GEMM's fields to be moved, with picture, plan, limits, source, runs, their history, and where they go",
        "GEMM", "F8", kGemmPage, nullptr, Effect::show_gemm_page},
    ActionRow{"gemm.ladder",
              "The ladder",
              "sixteen kernels, each with one idea more: what it changes, its recorded speed and its source",
              "GEMM",
              "Ctrl+Shift+G",
              {},
              nullptr,
              Effect::show_ladder},

    ActionRow{"lesson.open", "Open a lesson...", "words, figures and questions that grade themselves, a screen at a time", "Lesson", "",
              kLesson, nullptr, Effect::open_lesson},
    ActionRow{"lesson.back",
              "Back to the lesson",
              "the lesson that was shown last, where it was left",
              "Lesson",
              "F9",
              {},
              nullptr,
              Effect::show_lesson_again},
    ActionRow{"lesson.next",
              "Next screen",
              "what follows, once the questions of this screen are answered",
              "Lesson",
              "Alt+PageDown",
              {},
              nullptr,
              Effect::next_screen},
    ActionRow{"lesson.previous", "Previous screen", "the screen before", "Lesson", "Alt+PageUp", {}, nullptr, Effect::previous_screen},
    ActionRow{"lesson.answer", "Answer", "grade an answer to a question of the lesson", "Lesson", "", kAnswer, nullptr,
              Effect::grade_answer},
    ActionRow{"lesson.show", "Show me", "a right answer; the worklog says that it was given up", "Lesson", "", kSomeQuestion, nullptr,
              Effect::show_answer},
    ActionRow{"lesson.another", "Another one", "the same question with other numbers", "Lesson", "", kSomeQuestion, nullptr,
              Effect::ask_another},
    ActionRow{"lesson.run",
              "Run the lesson's GEMM",
              "the GEMM of this screen on the lecture's page",
              "Lesson",
              "",
              {},
              nullptr,
              Effect::run_of_lesson},
    ActionRow{"lesson.present",
              "Present the lesson",
              "for a class, a step a key: the question, then its answer and what follows; or no more",
              "Lesson",
              "",
              {},
              nullptr,
              Effect::present_lesson},
    ActionRow{"lesson.save_log", "Save the worklog...", "all answers as lines of JSON, which tessera lesson regrade reads", "Lesson", "",
              kWorklog, nullptr, Effect::save_worklog, kSavesWorklog},
    ActionRow{"lesson.seed", "Seed of the questions...", "other numbers in all questions; a class with one seed has the same", "Lesson", "",
              kSeed, nullptr, Effect::seed_lesson},
    ActionRow{"lesson.again",
              "Begin the lesson again",
              "from its first screen with other numbers; the worklog stays",
              "Lesson",
              "",
              {},
              nullptr,
              Effect::begin_lesson_again},
    ActionRow{"lesson.close", "Close the lesson", "back to the document", "Lesson", "", {}, nullptr, Effect::close_lesson},
    ActionRow{"lesson.go", "Go to a screen", "any that is open", "", "", kScreen, nullptr, Effect::go_to_screen},
    ActionRow{"lesson.type", "Type an answer", "into a question's field, without an answer yet", "", "", kTyped, nullptr,
              Effect::type_answer},
    ActionRow{"lesson.slide", "Move the slider", "to another value of this screen's parameter", "", "", kSliderValue, nullptr,
              Effect::move_slider},
    ActionRow{"lesson.tick", "Tick a value", "or not: whether what is asked holds for it", "", "", kSliderValue, nullptr,
              Effect::tick_slider},
    ActionRow{"lesson.grade_slider", "Grade what is ticked", "for which values it holds", "", "", kSliderGrade, nullptr,
              Effect::grade_slider},

    ActionRow{"help.actions",
              "All actions...",
              "find an action, a binding, an atom or a function by its name",
              "Help",
              "Ctrl+K",
              {},
              nullptr,
              Effect::show_finder},
    ActionRow{"help.keys", "Shortcuts", "what the keys and the mouse do", "Help", "F1", {}, nullptr, Effect::show_keys},
    ActionRow{"help.welcome",
              "Welcome",
              "where to begin: the tour, a layout of your own, a GEMM, recent files",
              "Help",
              "",
              {},
              nullptr,
              Effect::show_welcome},
    ActionRow{"help.messages", "Messages", "what the studio has said, errors too", "Help", "", {}, nullptr, Effect::show_messages},
    ActionRow{"help.about", "About", "version, graphics and licence", "Help", "", {}, nullptr, Effect::show_about},
};

bool has_key(std::string_view keys, std::string_view key) {
  for (std::size_t at = 0; at < keys.size();) {
    const std::size_t end = std::min(keys.find(' ', at), keys.size());
    if (keys.substr(at, end - at) == key) return true;
    at = end + 1;
  }
  return false;
}

// What was added is seen at once, beside the others, or as soon as it has a value. It is no step of its own: undo takes it away with its
// line.
void show_added(Session& session) {
  session.awaited_figures().push_back(session.workspace().selected);
  show_awaited_figures(session);
}

Error not_an_action(std::string_view id) {
  std::vector<std::string> known;
  for (const ActionRow& row : kActions) known.emplace_back(row.id);
  Error error{ErrorCode::unknown_name, fmt::format("there is no action \"{}\"", id), {}, {}};
  if (const auto near = nearest_names(id, known, 3); !near.empty())
    error.notes.push_back(fmt::format("the nearest: {}", fmt::join(near, ", ")));
  return error;
}

Status check_argument(const ActionRow& row, const ActionParameter& parameter, const std::string& value) {
  if (parameter.takes == Takes::integer) {
    TESSERA_CHECK(integer({{std::string(parameter.name), value}}, parameter.name, 0));
  } else if (parameter.takes == Takes::number) {
    TESSERA_CHECK(number({{std::string(parameter.name), value}}, parameter.name, 0));
  }
  if (parameter.takes != Takes::choice || value.empty()) return Done{};
  if (std::find(parameter.choices.begin(), parameter.choices.end(), value) != parameter.choices.end()) return Done{};
  return Error{ErrorCode::unknown_name,
               fmt::format("{} of {} is one of {}, not \"{}\"", parameter.name, row.id, fmt::join(parameter.choices, ", "), value),
               {},
               {}};
}

}  // namespace

std::span<const CopyForm> copy_forms() { return kCopyForms; }
std::span<const ActionRow> actions() { return kActions; }

const ActionRow* find_action(std::string_view id) {
  const auto found = std::find_if(kActions.begin(), kActions.end(), [&](const ActionRow& row) { return row.id == id; });
  return found == kActions.end() ? nullptr : &*found;
}

const ActionRow* action_of_keys(std::string_view keys) {
  const auto found = std::find_if(kActions.begin(), kActions.end(), [&](const ActionRow& row) { return has_key(row.keys, keys); });
  return found == kActions.end() ? nullptr : &*found;
}

Status check(const Session& session, const ActionRow& row, const Arguments& arguments) {
  for (const auto& argument : arguments) {
    const std::string& name = argument.first;
    const auto found = std::find_if(row.parameters.begin(), row.parameters.end(), [&](const auto& each) { return each.name == name; });
    if (found == row.parameters.end())
      return Error{ErrorCode::unknown_name, fmt::format("the action {} has no \"{}\"", row.id, name), {}, {}};
    TESSERA_CHECK(check_argument(row, *found, argument.second));
  }
  for (const ActionParameter& parameter : row.parameters) {
    if (parameter.optional || arguments.contains(parameter.name)) continue;
    return Error{ErrorCode::wrong_type, fmt::format("the action {} needs \"{}\": {}", row.id, parameter.name, parameter.help), {}, {}};
  }
  if (!row.why_not) return Done{};
  if (std::string why = row.why_not(session, arguments); !why.empty()) return Error{ErrorCode::wrong_type, std::move(why), {}, {}};
  return Done{};
}

Result<Changed> attempt(const Session& session, const ActionRow& row, const Arguments& arguments) {
  TESSERA_CHECK(check(session, row, arguments));
  if (const Change* change = std::get_if<Change>(&row.does)) return (*change)(session, arguments);
  return Error{ErrorCode::wrong_type, fmt::format("{} changes nothing of the document; the studio does it", row.id), {}, {}};
}

void show_awaited_figures(Session& session) {
  std::vector<std::string> waiting = std::move(session.awaited_figures());
  session.awaited_figures().clear();
  const Session::PaneRoom room = session.room();
  for (std::string& name : waiting) {
    const EvaluatedBinding* found = session.find(name);
    if (found && is_awaited(*found)) {
      session.awaited_figures().push_back(std::move(name));
    } else if (found && found->value && is_drawable(*found->value)) {
      Result<Changed> shown = show_beside(session, {{"binding", name}});
      if (!shown) continue;
      shown->workspace.selected = session.workspace().selected;  // the person may be elsewhere by now
      session.show(std::move(shown->workspace));
      session.be_roomy({room.most, false});  // what the next one would find is not on the screen yet
    }
  }
  session.be_roomy(room);
}

Status perform(Session& session, std::string_view id, const Arguments& arguments, bool merge) {
  const ActionRow* row = find_action(id);
  if (!row) return not_an_action(id);
  if (const Effect* effect = row->effect(); effect && (*effect == Effect::undo || *effect == Effect::redo)) {
    TESSERA_CHECK(check(session, *row, arguments));
    *effect == Effect::undo ? session.undo() : session.redo();
    return Done{};
  }
  TESSERA_TRY(changed, attempt(session, *row, arguments));
  if (!changed.is_step) {
    session.show(std::move(changed.workspace));
  } else {
    if (merge && changed.merge_key.empty()) changed.merge_key = changed.label;
    session.change(std::move(changed.workspace), std::move(changed.label), std::move(changed.merge_key));
    if (row->traits.adds) show_added(session);
  }
  return Done{};
}

}  // namespace tessera
