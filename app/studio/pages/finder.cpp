// SPDX-License-Identifier: BSD-3-Clause
// The finder (Ctrl+K): one field for every action, binding, atom, function and kind of figure.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/session/actions/fuzzy.hpp"
#include "app/session/actions/said_cells.hpp"
#include "app/session/actions/typed_line.hpp"
#include "app/studio/panels/figure_options.hpp"
#include "app/studio/panels/panels.hpp"
#include "app/studio/panels/ready_exports.hpp"
#include "core/atom/instructions/catalog.hpp"
#include "core/base/characters.hpp"
#include "core/diagram/kinds/figures.hpp"
#include "core/lang/builtins/builtins.hpp"
#include "core/render/detail/detail.hpp"
#include "core/render/export/formats.hpp"

namespace tessera::studio {
namespace {

constexpr std::size_t kShown = 12;

using Entry = FinderState::Entry;

void add_actions(const Session& session, std::vector<Entry>& entries) {
  for (const ActionRow& row : actions()) {
    if (row.menu.empty() || row.id == "help.actions") continue;
    Entry entry{std::string(row.title), fmt::format("{}   {}", row.menu, row.help), std::string(row.keys), Do{std::string(row.id)}};
    if (row.why_not) entry.why_not = row.why_not(session, {});
    entries.push_back(std::move(entry));
  }
}

void add_bindings(const Session& session, std::vector<Entry>& entries) {
  for (const EvaluatedBinding& binding : session.bindings()) {
    if (binding.name.empty()) continue;
    const std::string kind(binding.value ? kind_name(*binding.value) : "error");
    entries.push_back({binding.name, fmt::format("{}   {}", kind, one_line(session.expression(binding.name)).substr(0, 80)), "binding",
                       Do{"figure.show", {{"binding", binding.name}}}});
  }
}

// "Copy as a table of its cells": a title begins with a capital where it stands alone.
std::string copy_title(const CopyForm& form) {
  std::string title(form.title);
  if (title.starts_with("A ")) title.front() = 'a';
  return fmt::format("Copy as {}", title);
}

// Written at once, beside the document; where a file is there already, the dialog asks.
void add_exports(const Session& session, std::vector<Entry>& entries) {
  const std::string figure = focused_figure(session);
  for (const NamedExport& each : named_exports()) {
    const std::string path = export_path(session, figure, each.format);
    Arguments arguments{{"binding", figure}, {"path", path}};
    if (!each.width.empty()) arguments["width"] = each.width;
    Entry entry{each.title, "writes " + std::filesystem::path(path).filename().string(), "", Do{"file.export", arguments}};
    entry.why_not = find_action("file.export")->why_not(session, arguments);
    entries.push_back(std::move(entry));
  }
}

// Another form of copying, and another document, is one word away.
void add_more(const FinderState& state, const Session& session, std::vector<Entry>& entries) {
  const ActionRow& copy = *find_action("edit.copy");
  for (const CopyForm& form : copy_forms()) {
    Entry entry{copy_title(form), session.workspace().selected, "", Do{"edit.copy", {{"form", std::string(form.name)}}}};
    entry.why_not = copy.why_not(session, {});
    entries.push_back(std::move(entry));
  }
  add_exports(session, entries);
  for (const LeftDocument& each : state.left)
    entries.push_back({each.title, words_of(each), "left", Do{"file.left", {{"which", each.name}}}});
  for (const auto& [name, title] : state.lessons)
    entries.push_back({fmt::format("lesson {}", name), title, "lesson", Do{"lesson.open", {{"path", name}}}});
  for (const std::string& path : state.recent) {
    const std::filesystem::path file = path;
    entries.push_back({file.filename().string(), file.parent_path().string(), "recent", Do{"file.open", {{"path", path}}}});
  }
}

// What an MMA atom is looked for by: its instruction, m16n8k16, and the words of everyday for its types.
std::string keywords_of(const std::string& name) {
  const Result<MmaAtom> atom = find_mma_atom(name);
  if (!atom) return {};
  std::string words = atom->ptx + " mma tensor core";
  const std::vector<std::int64_t> mnk = leaf_values(atom->shape_mnk);
  if (mnk.size() == 3) words += fmt::format(" m{0}n{1}k{2} {0}x{1}x{2}", mnk[0], mnk[1], mnk[2]);
  for (const ValueType type : {atom->val_a, atom->val_b}) {
    const std::string_view short_word = short_name(type);
    words += fmt::format(" {}", short_word);
    if (short_word == "e4m3" || short_word == "e5m2") words += " fp8";
    if (short_word == "s8" || short_word == "u8") words += " int8";
    if (short_word == "f16") words += " fp16 half";
  }
  return words;
}

const std::map<std::string, std::string>& keywords_of_atoms() {
  static const std::map<std::string, std::string> made = [] {
    std::map<std::string, std::string> all;
    for (const std::string& name : mma_atom_names()) all[name] = lower(keywords_of(name));
    return all;
  }();
  return made;
}

// What can be written: it becomes a binding, which is shown.
void add_words(const Session& session, std::vector<Entry>& entries) {
  for (const auto& names : {mma_atom_names(), copy_atom_names()}) {
    for (const std::string& name : names)
      entries.push_back({name, "adds it and draws it", "atom", Do{"binding.add", {{"expression", name}}}});
  }
  for (const FigureKind& kind : figure_kinds()) {
    const std::string call = fmt::format("{}_figure({})", kind.name, session.workspace().selected);
    entries.push_back({fmt::format("{}_figure", kind.name), fmt::format("{}   {}", call, kind.help), "figure",
                       Do{"binding.add", {{"expression", call}}}});
  }
  for (const BuiltinHelp& row : builtins()) {
    entries.push_back({std::string(row.name), fmt::format("{}   {}", row.signature, row.help), "function",
                       AskFor{"binding.add", {{"expression", std::string(row.signature)}}}});
  }
}

// An entry for what the words say by themselves; why it cannot be done where it would be refused.
void add_line(const Session& session, const std::string& title, const char* detail, Do action, std::vector<Entry>& entries) {
  const ActionRow& row = *find_action(action.id);
  Entry entry{title, detail, "line", action};
  if (const Result<Changed> tried = attempt(session, row, action.arguments); !tried) entry.why_not = tried.error().message;
  entries.push_back(std::move(entry));
}

// "export tex columnwidth": each word is a format or a width.
void add_export(const Session& session, std::string_view typed, std::vector<Entry>& entries) {
  constexpr std::string_view kWord = "export ";
  if (!typed.starts_with(kWord)) return;
  Arguments arguments{{"binding", focused_figure(session)}};
  for (std::size_t at = kWord.size(); at < typed.size();) {
    const std::size_t end = std::min(typed.find(' ', at), typed.size());
    const std::string word(typed.substr(at, end - at));
    at = end + 1;
    if (word.empty()) continue;
    const auto formats = figure_formats();
    const bool is_format = std::any_of(formats.begin(), formats.end(), [&](FigureFormat each) { return extension(each) == word; });
    if (!is_format && !width_in_points(word)) return;
    arguments[is_format ? "format" : "width"] = word;
  }
  if (arguments.size() == 1) return;
  std::string title = fmt::format("Export {}", arguments["binding"]);
  for (const char* name : {"format", "width"}) {
    if (arguments.contains(name)) title += " " + arguments[name];
  }
  Entry entry{title, "show the picture as it will be, then write it", "", Do{"file.export", arguments}};
  entry.why_not = find_action("file.export")->why_not(session, arguments);
  entries.push_back(std::move(entry));
}

// What the words say by themselves, and no name has: cells, a line, and an export.
void add_said(const Session& session, const std::string& typed, std::vector<Entry>& entries) {
  if (const std::optional<SaidCells> said = said_cells(session, typed); said && !said->binding.empty()) {
    const Arguments arguments{{"binding", said->binding}, {"cells", said->cells}};
    Entry entry{fmt::format("Go to {} of {}", said->cells, said->binding), "show the figure and select the cells", "cells",
                Do{"cells.go", arguments}};
    entry.why_not = find_action("cells.go")->why_not(session, arguments);
    entries.push_back(std::move(entry));
  }
  if (const std::optional<NamedExpression> line = split_line(typed)) {
    const bool is_there = session.find(line->name) != nullptr;
    add_line(session, fmt::format("{} {} = {}", is_there ? "Set" : "Add", line->name, line->expression), "and show its figure",
             Do{"binding.let", {{"line", typed}}}, entries);
    if (is_there)
      add_line(session, fmt::format("Compare {} with {}", line->name, line->expression), "as it is, and as it would be",
               Do{"binding.compare", {{"binding", line->name}, {"expression", line->expression}}}, entries);
  }
  add_export(session, typed, entries);
}

// What can be chosen for the figure that is focused: "palette: greys".
void add_options(const Session& session, std::vector<Entry>& entries) {
  const std::string figure = focused_figure(session);
  const EvaluatedBinding* found = session.find(figure);
  const View view = view_of(session.workspace().arrangement, figure);
  if (!found || !found->value || !pane_of(session.workspace().arrangement, figure)) return;
  for (const FigureOption& option : options_of(view, *found->value, kind_of(view, *found->value))) {
    for (const std::string& choice : option.choices) {
      const Arguments arguments{{"binding", figure}, {"option", option.name}, {"value", choice}};
      entries.push_back({fmt::format("{}: {}", option.name, choice), fmt::format("{}   {}", figure, option.help),
                         option.now == choice ? "chosen" : "option", Do{"figure.option", arguments}});
    }
  }
}

// Words that people look for, and the words that stand in the names here.
constexpr std::pair<std::string_view, std::string_view> kMeant[] = {
    {"volta", "sm70"},
    {"turing", "sm75"},
    {"ampere", "sm80"},
    {"ada", "sm89"},
    {"hopper", "sm90"},
    {"blackwell", "sm100"},
    {"bank conflicts", "banks"},
    {"bank conflict", "banks"},
    {"conflicts", "banks"},
    {"colours", "palette"},
    {"colors", "palette"},
    {"colour", "color"},
    {"fullscreen", "full screen"},
    {"notes", "speaker"},
    {"laser", "pointer"},
    {"lint", "wrong or slow"},
    {"advise", "wrong or slow"},
    {"advice", "wrong or slow"},
    {"check", "wrong or slow"},
    {"sort", "table"},
    {"filter", "table"},
    {"slides", "present"},
    {"lecture", "present"},
    {"beamer", "present"},
    {"dark mode", "theme"},
    {"font size", "larger"},
    {"zoom in", "larger"},
    {"transpose", "exchange"},
    {"undo all", "revert"},
    {"crash", "left"},
    {"recover", "left"},
    {"delete all", "revert"},
    {"save image", "export"},
    {"save picture", "export"},
    {"screenshot", "export"},
    {"latex", "tex"},
    {"tikz", "tex"},
    {"benchmark", "run on the gpu"},
    {"measure", "run on the gpu"},
    {"ldmatrix", "ldsm"},
    {"stmatrix", "stsm"},
    {"cp.async", "cp_async"},
};

constexpr int kMeantWord = 1500;  // behind what begins as it was typed

// As it was typed, and with what is meant by one of its words in the place of it.
std::vector<std::string> readings_of(const std::string& typed) {
  std::vector<std::string> readings{typed};
  const std::string lowered = lower(typed);
  for (const auto& [word, meant] : kMeant) {
    const std::size_t at = lowered.find(word);
    if (at == std::string::npos) continue;
    const bool begins = at == 0 || lowered[at - 1] == ' ', ends = at + word.size() == lowered.size() || lowered[at + word.size()] == ' ';
    if (begins && ends) readings.push_back(lowered.substr(0, at) + std::string(meant) + lowered.substr(at + word.size()));
  }
  return readings;
}

// Does a word of the name begin and end where what was typed does?
bool has_whole_word(std::string_view typed, std::string_view name) {
  const std::string word = lower(trimmed(typed)), in = lower(name);
  const auto is_inside = [&](std::size_t at) {
    return at < in.size() && (std::isalnum(static_cast<unsigned char>(in[at])) != 0 || in[at] == '_');
  };
  for (std::size_t at = word.empty() ? std::string::npos : in.find(word); at != std::string::npos; at = in.find(word, at + 1)) {
    if ((at == 0 || !is_inside(at - 1)) && !is_inside(at + word.size())) return true;
  }
  return false;
}

// How well an entry fits one reading; nothing where it does not.
std::optional<int> score_of(const std::string& reading, const Entry& entry, const std::string& also) {
  constexpr int kWholeWord = 2500;  // before names that only begin so, behind the name itself
  std::optional<int> score = std::max(fuzzy_score(reading, entry.title), words_score(reading, entry.title, also));
  if (score && has_whole_word(reading, entry.title)) *score = std::max(*score, kWholeWord);
  return score;
}

// Is it a name's part, and no word of everyday? What such a word finds among atoms nobody has asked to be added.
bool names_an_atom(std::string_view typed) {
  return std::any_of(typed.begin(), typed.end(), [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '_'; });
}

void search(const Session& session, FinderState& state) {
  std::vector<Entry> all;
  add_actions(session, all);
  const std::size_t of_actions = all.size();
  if (!state.typed.empty()) {
    add_more(state, session, all);
    add_options(session, all);
  }
  add_bindings(session, all);
  // What is done and what is there comes before what can be written, where it fits as well.
  constexpr int kHere = 300;
  const std::size_t here = all.size();
  add_words(session, all);
  // Made of thousands of atoms: not before something is looked for.
  static const std::map<std::string, std::string> kNone;
  const std::map<std::string, std::string>& keywords = state.typed.empty() ? kNone : keywords_of_atoms();
  const std::vector<std::string> readings = readings_of(state.typed);
  const bool of_atoms = names_an_atom(state.typed);
  std::vector<std::pair<int, std::size_t>> found;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto known = all[i].mark == "atom" ? keywords.find(all[i].title) : keywords.end();
    const std::string help = i < of_actions ? lower(all[i].detail) : std::string();
    const std::string& also = known != keywords.end() ? known->second : help;
    std::optional<int> score;
    for (const std::string& reading : readings) {
      std::optional<int> fits = score_of(reading, all[i], also);
      if (fits && &reading != &readings.front()) *fits = std::min(*fits, kMeantWord);
      score = std::max(score, fits);
    }
    if (score && all[i].mark == "atom" && !of_atoms && *score >= 0) *score = std::min(*score, 0);
    if (score) found.push_back({*score + (i < here && *score >= 0 ? kHere : 0), i});
  }
  // What has the letters only here and there is no answer where something has them together.
  const bool any_close = std::any_of(found.begin(), found.end(), [](const auto& each) { return each.first >= 0; });
  if (any_close) std::erase_if(found, [](const auto& each) { return each.first < 0; });
  // Without a word the actions come first, in the table's order.
  if (!state.typed.empty()) std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  state.found.clear();
  add_said(session, state.typed, state.found);
  for (std::size_t i = 0; i < found.size() && state.found.size() < kShown; ++i) state.found.push_back(std::move(all[found[i].second]));
  // A word of everyday adds no atom by itself: one of them has to be chosen.
  state.chosen = !state.found.empty() && state.found.front().mark == "atom" && !of_atoms && !state.typed.empty() ? state.found.size() : 0;
  state.searched = state.typed;
}

bool draw_entry(Ui& ui, const Entry& entry, bool chosen) {
  const ImVec2 at = ImGui::GetCursorScreenPos(), size(ImGui::GetContentRegionAvail().x, ui.px(34));
  const bool pressed = ImGui::InvisibleButton(entry.title.c_str(), size);
  const ImVec2 end(at.x + size.x, at.y + size.y);
  ui.recorder.add(entry.title, "entry", entry.why_not.empty() ? entry.mark : "disabled: " + entry.why_not, at, end);
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (chosen || ImGui::IsItemHovered()) list->AddRectFilled(at, end, chosen ? ui.theme.accent_soft : ui.theme.hover, ui.px(6));
  const Face &strong = ui.fonts.strong, &small = ui.fonts.small;
  const float mark = text_size(small.font, small.size, entry.mark.data(), entry.mark.data() + entry.mark.size()).x;
  const std::string title = elided_middle(strong, entry.title, size.x - mark - ui.px(34));
  list->AddText(strong.font, strong.size, {at.x + ui.px(10), at.y + ui.px(8)}, entry.why_not.empty() ? ui.theme.text : ui.theme.faint,
                title.c_str());
  const float used = text_size(strong.font, strong.size, title.data(), title.data() + title.size()).x;
  const float room = size.x - used - mark - ui.px(50);
  const std::string detail = room < ui.px(40) ? "" : elided(small, entry.why_not.empty() ? entry.detail : entry.why_not, room);
  list->AddText(small.font, small.size, {at.x + used + ui.px(24), at.y + ui.px(10)}, ui.theme.dim, detail.c_str());
  list->AddText(small.font, small.size, {end.x - mark - ui.px(10), at.y + ui.px(10)}, ui.theme.dim, entry.mark.c_str());
  return pressed;
}

}  // namespace

Answer draw_finder(Ui& ui, const Session& session, FinderState& state) {
  if (!state.open) return {};
  if (!ImGui::IsPopupOpen("Finder")) ImGui::OpenPopup("Finder");
  if (state.searched != state.typed) search(session, state);
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({screen.x / 2, screen.y * 0.12f}, ImGuiCond_Always, {0.5f, 0});
  ImGui::SetNextWindowSize({std::min(ui.px(720), screen.x - ui.px(40)), 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(14), ui.px(14)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui.px(10));
  const bool open =
      ImGui::BeginPopupModal("Finder", nullptr, ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize);
  ImGui::PopStyleVar(2);
  if (!open) return {};
  ui.recorder.enter("Finder");
  if (ImGui::IsWindowAppearing() || std::exchange(state.type_on, false)) focus_next_item();
  edit_hinted(ui, "find an action, binding, atom or function", state.typed,
              "an action, binding, atom or function; cells: warp 3, A(5,2); a line: x = (4,8):(8,1)");
  if (state.searched != state.typed) search(session, state);
  if (key_pressed(ImGuiKey_DownArrow) && state.chosen + 1 != state.found.size())
    state.chosen = state.chosen < state.found.size() ? state.chosen + 1 : 0;
  if (key_pressed(ImGuiKey_UpArrow) && state.chosen > 0 && state.chosen < state.found.size()) --state.chosen;
  Answer answer;
  ImGui::Dummy({0, ui.px(2)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  for (std::size_t i = 0; i < state.found.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    const bool pressed = draw_entry(ui, state.found[i], i == state.chosen) || (i == state.chosen && enter_pressed());
    if (pressed && state.found[i].why_not.empty()) answer = state.found[i].action;
    ImGui::PopID();
  }
  ImGui::PopStyleVar();
  state.type_on = !answer && enter_pressed();  // what Enter does not do is typed on
  if (state.found.empty()) text(ui, "nothing has such a name", ui.theme.dim, ui.fonts.body);
  if (answer || key_pressed(ImGuiKey_Escape)) {
    state = {};
    ImGui::CloseCurrentPopup();
  }
  ui.recorder.leave();
  ImGui::EndPopup();
  return answer;
}

}  // namespace tessera::studio
