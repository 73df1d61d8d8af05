// SPDX-License-Identifier: BSD-3-Clause
// Dialogs: opening, saving and exporting by path. What is there already is never lost without a second word.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "app/session/actions/typed_line.hpp"
#include "app/studio/panels/panels.hpp"
#include "core/base/budget.hpp"
#include "core/base/utf8.hpp"
#include "core/lang/eval/evaluate_expression.hpp"
#include "core/lang/values/scope.hpp"

namespace tessera::studio {
namespace {

struct Words {
  const char* title;
  const char* explanation;
  const char* confirm;
  const char* replace;
};

Words words_of(DialogKind kind) {
  switch (kind) {
    case DialogKind::none: break;
    case DialogKind::open: return {"Open a document", "A .tess document; Tab completes its path", "Open", ""};
    case DialogKind::discard: return {"Open another document", "", "Save and open", "Discard changes"};
    case DialogKind::save_as: return {"Save as", "The new .tess document; Tab completes its path", "Save here", "Replace"};
    case DialogKind::export_figure: break;  // export_dialog.cpp
    case DialogKind::quit: return {"Unsaved changes", "The document differs from its file.", "Save", "Discard"};
    case DialogKind::conflict: return {"The file has changed", "", "", ""};
    case DialogKind::ask: return {"Do", "", "Do it", ""};
  }
  return {"", "", "", ""};
}

Action confirmed(const DialogState& state, bool replace) {
  switch (state.kind) {
    case DialogKind::open: return Open{chosen_path(state.chooser, state.path)};
    case DialogKind::discard: {
      const Open opens{state.path, replace, state.at_gemm, state.left};
      return replace ? Action(opens) : Action(Save{false, opens});
    }
    case DialogKind::save_as: return SaveAs{chosen_path(state.chooser, state.path), replace, state.then_quit};
    case DialogKind::export_figure: break;
    case DialogKind::quit: return replace ? Action(Quit{true}) : Action(Save{true});
    case DialogKind::ask: return Do{state.action, state.arguments};
    case DialogKind::conflict: break;
    case DialogKind::none: break;
  }
  return CloseDialog{};
}

void draw_recent(Ui& ui, DialogState& state) {
  constexpr std::size_t kShown = 4;
  if (!state.recent.empty()) heading(ui, "RECENT");
  for (std::size_t i = 0; i < std::min(kShown, state.recent.size()); ++i) {
    const std::string& path = state.recent[i];
    if (!button(ui, path.c_str(), ButtonLook::quiet)) continue;
    state.path = path;
    state.message.clear();
    state.may_replace = false;
  }
}

// What an expression would be worth, while it is typed. False where it is refused.
bool draw_value(Ui& ui, const Session& session, const std::string& typed) {
  if (typed.empty()) return false;
  const std::optional<NamedExpression> line = split_line(typed);
  const std::string& expression = line ? line->expression : typed;
  const Scope scope = [&](std::string_view name) { return find_value(session.bindings(), name); };
  const Budget budget({.seconds = 0.004});  // of a frame
  const Result<Value> value = evaluate_expression(expression, scope, nullptr);
  // What is refused for another reason is refused, however long that took.
  if (!value && value.error().code == ErrorCode::limit && budget.seconds() > budget.limits().seconds)
    return wrapped_text(ui, "its value takes longer than typing it", ui.theme.dim, ui.fonts.mono_small), true;
  const std::string words = value ? "= " + to_string(*value) : value.error().message;
  constexpr std::size_t kShown = 300;
  wrapped_text(ui, words.size() > kShown ? std::string(utf8_prefix(words, kShown)) + " …" : words, value ? ui.theme.dim : ui.theme.bad,
               ui.fonts.mono_small);
  return value.has_value();
}

// A field for each thing that an action takes; what it is about (the first binding) is in the title. False where an
// expression is refused that must have a value.
bool draw_fields(Ui& ui, const Session& session, const ActionRow& row, DialogState& state) {
  bool first = true, ready = true;
  for (const ActionParameter& parameter : row.parameters) {
    if (parameter.takes == Takes::binding && parameter.optional) continue;
    const std::string name(parameter.name);
    if (parameter.optional && !state.arguments.contains(name) && parameter.takes != Takes::name && parameter.takes != Takes::choice)
      continue;
    text(ui, fmt::format("{}: {}", name, parameter.help), ui.theme.dim, ui.fonts.small);
    std::string value = state.arguments[name];
    if (parameter.takes == Takes::choice) {
      for (const std::string_view choice : parameter.choices) {
        const std::string word(choice);
        if (button(ui, word.c_str(), value == choice ? ButtonLook::primary : ButtonLook::plain)) state.arguments[name] = word;
        ImGui::SameLine(0, ui.px(6));
      }
      ImGui::NewLine();
    } else {
      for (const std::string& known : state.recent) {
        if (button(ui, known.c_str(), value == known ? ButtonLook::primary : ButtonLook::plain)) state.arguments[name] = value = known;
        ImGui::SameLine(0, ui.px(6));
      }
      if (!state.recent.empty()) ImGui::NewLine();
      if (first && (ImGui::IsWindowAppearing() || std::exchange(state.type_on, false))) focus_next_item();
      first = false;
      // Enter leaves a field; what is refused is typed on.
      if (state.refused && enter_pressed()) use_up(ImGuiKey_Enter), use_up(kKeypadEnter);
      if (edit(ui, name.c_str(), value, false)) {
        state.arguments[name] = value;
        state.message.clear();
      }
      const bool is_expression = parameter.takes == Takes::expression || parameter.takes == Takes::value;
      const bool refused = is_expression && !draw_value(ui, session, value);
      if (refused && parameter.takes == Takes::value) ready = false;
    }
    if (parameter.optional && state.arguments[name].empty()) state.arguments.erase(name);
  }
  return ready;
}

// Buttons of the kinds that ask for a path, and of the way out.
Answer draw_answers(Ui& ui, const DialogState& state, const Words& words, Chosen chosen) {
  Answer answer;
  const bool has_both = state.kind == DialogKind::quit || state.kind == DialogKind::discard;
  if (has_both || !state.may_replace) {
    const bool ready = state.kind == DialogKind::quit || (state.kind == DialogKind::ask ? !state.refused : !state.path.empty());
    const bool entered = chosen == Chosen::file || (chosen != Chosen::folder && enter_pressed());
    if (button(ui, words.confirm, ButtonLook::primary, ready) || (ready && entered)) answer = confirmed(state, false);
    ImGui::SameLine();
  }
  if (has_both || state.may_replace) {
    if (button(ui, words.replace, ButtonLook::danger)) answer = confirmed(state, true);
    ImGui::SameLine();
  }
  return answer;
}

bool chooses_file(DialogKind kind) { return kind == DialogKind::open || kind == DialogKind::save_as; }

}  // namespace

Answer draw_dialog(Ui& ui, const Session& session, DialogState& state, TabRing& ring) {
  if (state.kind == DialogKind::none || state.kind == DialogKind::export_figure) return {};
  Words words = words_of(state.kind);
  const ActionRow* const row = find_action(state.action);
  const std::string asks = state.kind == DialogKind::ask && row ? std::string(row->title) : std::string();
  const std::string help = asks.empty() ? std::string() : std::string(row->help);
  if (!asks.empty()) words = {asks.c_str(), help.c_str(), "OK", ""};
  if (!ImGui::IsPopupOpen(words.title)) ImGui::OpenPopup(words.title);
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({screen.x / 2, screen.y * (chooses_file(state.kind) ? 0.5f : 0.36f)}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({ui.px(520), 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(22), ui.px(18)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui.px(10));
  Answer answer;
  const bool open =
      ImGui::BeginPopupModal(words.title, nullptr, ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize);
  ImGui::PopStyleVar(2);
  if (!open) return answer;
  const InRing in_ring(ui, ring);
  ui.recorder.enter(words.title);
  text(ui, words.title, ui.theme.text, ui.fonts.title);
  if (state.kind == DialogKind::conflict)
    wrapped_text(ui, session.conflict_words() + ".", ui.theme.text, ui.fonts.body);
  else if (*words.explanation)
    text(ui, words.explanation, ui.theme.dim, ui.fonts.body);
  ImGui::Dummy({0, ui.px(4)});
  state.refused = !asks.empty() && !draw_fields(ui, session, *row, state);
  Chosen chosen = Chosen::nothing;
  if (chooses_file(state.kind)) {
    const bool saves = state.kind == DialogKind::save_as;
    const float room = screen.y / ui.scale - (saves || state.recent.empty() ? 330 : 480);
    chosen = draw_file_chooser(ui, state.chooser, state.path, {saves, std::clamp(room, 90.0f, 260.0f)});
    if (chosen != Chosen::nothing) {
      state.message.clear();
      state.may_replace = false;
    }
  }
  if (state.kind == DialogKind::open) draw_recent(ui, state);
  if (!state.message.empty()) wrapped_text(ui, state.message, ui.theme.bad, ui.fonts.body);
  ImGui::Dummy({0, ui.px(6)});
  if (state.kind == DialogKind::conflict) {
    answer = draw_conflict_answers(ui, session, state.then_quit);
  } else {
    answer = draw_answers(ui, state, words, chosen);
  }
  if (button(ui, "Cancel", ButtonLook::quiet) || key_pressed(ImGuiKey_Escape)) answer = CloseDialog{};
  state.type_on = enter_pressed();  // where it is refused the dialog stays, and its field has the keyboard again
  ui.recorder.leave();
  ImGui::EndPopup();
  return answer;
}

}  // namespace tessera::studio
