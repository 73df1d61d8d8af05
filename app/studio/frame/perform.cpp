// SPDX-License-Identifier: BSD-3-Clause
// Actions become changes here, and nowhere else.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "app/session/actions/action_parts.hpp"
#include "app/session/files/document_io.hpp"
#include "app/session/files/lesson_files.hpp"
#include "app/session/files/share_text.hpp"
#include "app/studio/frame/app.hpp"
#include "app/studio/frame/documents.hpp"
#include "app/studio/frame/effects.hpp"
#include "app/studio/frame/lessons.hpp"
#include "app/studio/frame/side_pages.hpp"
#include "app/studio/panels/binding_list.hpp"
#include "app/studio/panels/panes.hpp"
#include "core/base/file.hpp"

namespace tessera::studio {
namespace {

// Keeps the dialog open with the reason when something was refused.
void finish_dialog(App& app, const Status& status, std::string done) {
  DialogState& dialog = app.bench.dialog;
  if (status) {
    dialog = {};
    say(app, std::move(done));
    return;
  }
  if (dialog.kind == DialogKind::none) complain(app, status.error());
  dialog.message = status.error().message;
  dialog.may_replace = dialog.kind != DialogKind::ask && status.error().code == ErrorCode::already_exists;
}

// What a document's file was asked to take: says so, or asks what to do instead.
void after_saving(App& app, const Status& status, bool then_quit) {
  app.bench.dialog = {};
  if (status) {
    app.bench.difference = {};
    app.quit = app.quit || then_quit;
    say(app, "saved " + app.session.path()->string());
    return remember_document(app);
  }
  app.bench.difference.revision = 0;
  if (app.session.conflicts()) {
    app.bench.dialog = {DialogKind::conflict, {}, {}, {}, false, {}, then_quit};
  } else if (status.error().code == ErrorCode::already_exists) {
    app.bench.dialog = file_dialog(app, DialogKind::save_as, app.session.title());
    app.bench.dialog.message = status.error().message;
    app.bench.dialog.may_replace = true;
    app.bench.dialog.then_quit = then_quit;
  }
  complain(app, status.error());
}

// A panel that a narrow window has put away comes back; it was never hidden.
bool brings_panels(Workbench& bench, StudioPanel panel) {
  const bool brings = (panel == StudioPanel::side && bench.side_put_away) || (panel == StudioPanel::list && bench.list_put_away);
  if (brings) bench.keeps_panels = true;
  return brings;
}

// What an action needs and was not given.
bool lacks_something(const ActionRow& row, const Arguments& arguments) {
  return std::any_of(row.parameters.begin(), row.parameters.end(),
                     [&](const ActionParameter& each) { return !each.optional && !arguments.contains(each.name); });
}

// After the document has changed under the person's hands.
void follow_document(App& app, std::uint64_t revision, const std::string& selected) {
  if (app.session.revision() != revision) app.bench.bindings.editing.clear();  // its field shows what is there now
  if (app.selected() == selected) return;
  app.bench.bindings.reveal = true;
  const EvaluatedBinding* binding = app.session.find(app.selected());
  if (binding && binding->value) app.bench.side.page = side_page_of(*binding);
}

std::string words_of_opened(const App& app, const std::string& path) {
  if (is_share_text(path)) return "opened what was shared; it has no file yet";
  return app.session.path() ? "opened " + path : fmt::format("opened a copy of {}; it has no file yet", app.session.title());
}

struct Perform {
  App& app;

  void operator()(const Do& action) const {
    if (presents_lesson(app, action.id)) return;
    const ActionRow* row = find_action(action.id);
    const ActionTraits traits = row ? row->traits : ActionTraits{};
    if (brings_panels(app.bench, traits.panel)) return;
    if (action.id == "text.paste" && show_program(app, action::text(action.arguments, "text"))) return;
    if (traits.needs_values) app.session.settle();
    if (row && lacks_something(*row, action.arguments)) return (*this)(AskFor{action.id, action.arguments});
    const std::uint64_t revision = app.session.revision();
    const std::string selected = app.selected();
    const ThemeKind theme = app.theme();
    const Effect* effect = row ? row->effect() : nullptr;
    const Status status =
        effect ? check(app.session, *row, action.arguments) : tessera::perform(app.session, action.id, action.arguments, action.merge);
    if (app.bench.dialog.kind == DialogKind::ask)
      finish_dialog(app, status, {});
    else if (!status && traits.quiet)
      say_briefly(app, status.error().message);
    else if (!status)
      complain(app, status.error());
    else if (!effect && revision != app.session.revision())
      say(app, {});
    if (!status) return;
    if (effect) do_effect(app, *effect, action.arguments);
    follow_document(app, revision, selected);
    if (app.theme() == theme) return;
    app.figures.forget_textures(app.textures);
    apply_style(theme_of(app.theme()), app.scale);
  }
  void operator()(const AskFor& action) const {
    const ActionRow* row = find_action(action.id);
    if (!row) return;
    Arguments known = action.arguments;
    // What stands in its way is said before it asks for anything.
    if (std::string why = row->why_not ? row->why_not(app.session, known) : std::string(); !why.empty())
      return complain(app, {ErrorCode::wrong_type, std::move(why), {}, {}});
    if (row->traits.begins_with) {
      for (const auto& [name, words] : row->traits.begins_with(app.session, known)) known.try_emplace(name, one_line(words));
    }
    app.bench.dialog = {DialogKind::ask, {}, {}, {}, false, {}, false, action.id, known};
  }
  void operator()(const Edit& action) const {
    BindingsState& editor = app.bench.bindings;
    // A pause between two keys ends what one undo takes back.
    constexpr double kPause = 2;  // seconds
    if (ImGui::GetTime() - app.edited_at > kPause) app.session.end_burst();
    app.edited_at = ImGui::GetTime();
    const Status status = app.session.run(action.command, action.merge);
    editor.refused = status ? std::nullopt : std::optional<Error>(status.error());
    if (status) app.status.clear();
  }
  void operator()(const RenameInList&) const { rename_in_list(app.bench.bindings, app.selected()); }
  void operator()(const OpenMenu& action) const { app.bench.menus.opens = action.menu; }
  void operator()(const Open& action) const {
    DialogState& dialog = app.bench.dialog;
    if (!action.left && is_lesson_path(action.path)) return finish_dialog(app, show_lesson(app, action.path), "opened " + action.path);
    if (!action.left && is_source_path(action.path)) return finish_dialog(app, show_source(app, action.path), "opened " + action.path);
    if (app.session.dirty() && !action.discard) {
      dialog = {DialogKind::discard, {}, action.path, {}};
      dialog.message = fmt::format("{} has unsaved changes, which would be lost.", app.session.title());
      dialog.at_gemm = action.at_gemm;
      dialog.left = action.left;
      return;
    }
    if (dialog.kind == DialogKind::discard) dialog = {};
    const bool is_there = action.left ? left_document(action.path).has_value() : load_document(action.path).has_value();
    if (action.discard && is_there) app.session.forget_autosave();
    const Status status = action.left ? open_left(app, action.path) : open_document(app, action.path);
    const bool has_words = status && !app.status.empty();  // e.g. that something can be recovered
    if (has_words)
      app.bench.dialog = {};
    else
      finish_dialog(app, status, words_of_opened(app, action.path));
    if (status) close_pages(app.bench);
    if (!status || !action.at_gemm) return;
    app.session.settle();
    show_gemm(app);
  }
  void operator()(const Drop& action) const {
    app.bench.dialog = {};
    for (const std::string& path : action.paths) {
      if (path.ends_with(".tess") || is_source_path(path) || is_lesson_path(path)) {
        (*this)(Open{path});
        continue;
      }
      if (const Status added = add_figure(app, path); added)
        say(app, fmt::format("added {} from {}", app.selected(), path));
      else
        complain(app, {added.error().code, fmt::format("{}: {}", path, added.error().message), {}, {}});
    }
  }
  void operator()(const Recover&) const {
    if (const Status status = app.session.recover(); !status) return complain(app, status.error());
    app.bench.bindings.editing.clear();
    say(app, "the changes that were not saved are back; Undo takes them away again");
  }
  void operator()(const DiscardRecovery&) const {
    app.session.discard_recovery();
    say(app, "the changes that were not saved are forgotten");
  }
  void operator()(const Save& action) const {
    if (!app.session.path()) return (*this)(AskSaveAs{action.then_quit});
    after_saving(app, app.session.save(), action.then_quit);
    if (action.then_open && !app.session.dirty()) (*this)(*action.then_open);
  }
  void operator()(const KeepMine& action) const { after_saving(app, app.session.keep_mine(), action.then_quit); }
  void operator()(const Reload&) const {
    const Status status = app.session.reload();
    app.bench.dialog = {};
    app.bench.difference = {};
    if (!status) return complain(app, status.error());
    app.bench.bindings.editing.clear();
    say(app, fmt::format("{} is as in its file{}", app.session.title(), app.session.can_undo() ? "; Undo brings yours back" : ""));
  }
  void operator()(const ShowDifference&) const {
    app.bench.dialog = {};
    app.bench.difference = {};
    app.bench.difference.shown = true;
  }
  void operator()(const CloseDifference&) const { app.bench.difference = {}; }
  void operator()(const AskSaveAs& action) const {
    app.bench.dialog =
        file_dialog(app, DialogKind::save_as, app.session.title().ends_with(".tess") ? app.session.title() : "untitled.tess");
    app.bench.dialog.then_quit = action.then_quit;
  }
  void operator()(const SaveAs& action) const {
    const Status status = app.session.save_as(action.path, action.overwrite);
    if (status || (action.overwrite && app.session.conflicts())) return after_saving(app, status, action.then_quit);
    finish_dialog(app, status, {});
  }
  void operator()(const Export& action) const {
    app.session.settle();
    std::error_code ignored;
    std::string words = "exported " + std::filesystem::absolute(action.path, ignored).string();
    const auto written = [&]() -> Status {
      TESSERA_TRY(format, format_of(action.path));
      FigureFile file = action.file;
      file.format = format;
      TESSERA_TRY(made, exported(app.session, file));
      if (!made.left_out.empty()) words += "   " + made.left_out;
      return export_file(action.path, made.bytes, action.overwrite);
    };
    const Status status = written();
    finish_dialog(app, status, std::move(words));
    if (!status || !has_size(action.file.format)) return;
    change_settings(app, [&](Settings& settings) {
      settings.export_format = extension(action.file.format);
      settings.export_width = action.file.sizes.width;
    });
  }
  void operator()(const CloseDialog&) const { app.bench.dialog = {}; }
  void operator()(const CloseWelcome&) const { app.bench.welcome.open = false; }
  void operator()(const Quit& action) const {
    if (action.discard) app.session.forget_autosave();
    app.quit = action.discard || !app.session.dirty();
    if (!app.quit) app.bench.dialog = {DialogKind::quit, {}, {}, {}, true};
  }
};

}  // namespace

Result<std::string> figure_file(const App& app, const std::string& name, const std::string& extension) {
  TESSERA_TRY(format, format_of(name + extension));
  TESSERA_TRY(made, exported(app.session, {name, format, view_of(app.session.workspace().arrangement, name).options, {}}));
  return std::move(made.bytes);
}

void say(App& app, std::string words) {
  app.status = std::move(words);
  app.status_is_error = false;
  app.status_until = 0;
  if (!app.status.empty()) app.messages.add(app.status, false);
}

void say_briefly(App& app, std::string words) {
  constexpr double kSeconds = 6;
  say(app, std::move(words));
  app.status_until = ImGui::GetTime() + kSeconds;
}

void complain(App& app, const Error& error) {
  app.status_until = 0;
  app.status = error.message;
  app.status_is_error = true;
  app.messages.add(app.status, true);
}

void change_settings(App& app, const std::function<void(Settings&)>& change) {
  change(app.settings);
  if (!app.keeps_settings) return;
  Result<Settings> kept = load_settings();
  if (!kept) return;  // a damaged file is left alone; the status said so at the start
  change(*kept);
  if (const Status saved = save_settings(*kept); !saved) complain(app, saved.error());
}

void perform(App& app, const Action& action) {
  ++app.performed;
  const std::uint64_t revision = app.session.revision();
  std::visit(Perform{app}, action);
  if (app.session.revision() != revision) app.bench.welcome.open = false;  // there is something to see
}

}  // namespace tessera::studio
