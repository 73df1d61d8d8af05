// SPDX-License-Identifier: BSD-3-Clause
// Effects, a case each.
#include "app/studio/frame/effects.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "app/session/actions/action_parts.hpp"
#include "app/session/actions/figure_import.hpp"
#include "app/session/document/saved_layout.hpp"
#include "app/session/files/document_io.hpp"
#include "app/session/files/share_text.hpp"
#include "app/session/gemm/places.hpp"
#include "app/session/source/source_document.hpp"
#include "app/studio/frame/clipboard.hpp"
#include "app/studio/frame/documents.hpp"
#include "app/studio/frame/lessons.hpp"
#include "app/studio/frame/live.hpp"
#include "app/studio/frame/side_pages.hpp"
#include "app/studio/panels/binding_list.hpp"
#include "core/base/file.hpp"
#include "core/render/detail/detail.hpp"
#include "core/render/shared/source_embed.hpp"

namespace tessera::studio {
namespace {

void start_gemm(App& app, const std::string& binding, bool emulate) {
  if (app.gemm.runs() || (!emulate && asks_before_run(app, binding))) return;
  GemmRequest request = app.request;
  request.document = app.session.text();
  request.binding = binding;
  app.gemm.binding = binding;
  app.gemm.made_of = app.session.value_text(binding);
  app.gemm.emulating = emulate;
  app.gemm.row = begun_run(app, binding, emulate);
  app.gemm.job = emulate ? GemmJob::start_emulation(std::move(request)) : GemmJob::start(std::move(request), app.gemm.workers);
  say(app, fmt::format("{} {}", emulate ? "simulating" : "running", binding));
}

void stop_gemm(App& app) {
  if (app.gemm.job) app.gemm.job->cancel();
  if (app.gemm.in_turn) app.gemm.in_turn->cancel();
}

void ask_to_open(App& app, const Arguments& arguments) {
  if (const std::string path = action::text(arguments, "path"); !path.empty()) return perform(app, Open{path});
  app.bench.dialog = file_dialog(app, DialogKind::open, {});
  app.bench.dialog.recent = app.settings.recent;
}

void ask_for_source(App& app, const Arguments& arguments) {
  const std::string path = action::text(arguments, "path");
  if (path.empty()) return ask_to_open(app, arguments);
  if (const Status shown = show_source(app, path); !shown) return complain(app, shown.error());
  say(app, "opened " + path);
}

void give_source(App& app, const Arguments& arguments) {
  if (app.bench.source.open) give(app.bench.source, action::text(arguments, "name"), action::text(arguments, "value"));
}

void choose_in_source(App& app, const Arguments& arguments) {
  const std::string name = action::text(arguments, "name");
  const Result<std::int64_t> line = action::integer(arguments, "line", 0);
  if (!line || !choose(app.bench.source, name, static_cast<std::size_t>(*line)))
    complain(app, {ErrorCode::unknown_name, fmt::format("no variable of the source is called {}", name), {}, {}});
}

void open_source_as_document(App& app) {
  const SourceState& state = app.bench.source;
  if (!state.open || !state.reading || state.reading->version != state.source.version)
    return complain(app, {ErrorCode::unknown_name, "no source is shown, or it is still being read", {}, {}});
  const std::string title = state.source.title;
  perform(app, Open{share_text(document_of(*state.reading, *state.source.text, title))});
  if (!state.open) say(app, fmt::format("the variables of {} are a document now, which has no file yet", title));
}

void open_tour(App& app, const Arguments& arguments) {
  const Result<std::filesystem::path> tour = find_asset("presets/tour.tess");
  if (!tour) return complain(app, tour.error());
  perform(app, Open{tour->string(), false, action::text(arguments, "at") == "gemm"});
}

// As nobody says it: what was exported last.
std::pair<std::string, std::string> last_export(const Settings& settings) {
  if (!format_of("figure." + settings.export_format)) return {};
  return {settings.export_format, width_in_points(settings.export_width) ? settings.export_width : std::string()};
}

void ask_to_export(App& app, const Arguments& arguments) {
  const std::string binding = action::binding(app.session, arguments), path = action::text(arguments, "path");
  std::string format = action::text(arguments, "format"), width = action::text(arguments, "width");
  if (path.empty() && format.empty() && width.empty()) std::tie(format, width) = last_export(app.settings);
  std::filesystem::path file = path.empty() ? export_path(app.session, binding, FigureFormat::svg) : path;
  if (!format.empty()) {
    if (const auto known = format_of("figure." + format); !known) return complain(app, known.error());
    file.replace_extension(format);
  }
  ExportState exporting = export_of(app.session, binding, file.string());
  // Of several pictures of a binding the one that was asked about.
  if (const PaneAt at = action::pane_in_question(app.session, arguments); at.pane && !at.pane->tabs.empty()) {
    const View& seen = at.pane->tabs[tab_of(*at.pane, binding)];
    if (seen.binding == binding) exporting.file.figure = seen.options;
  }
  exporting.file.sizes.width = width;
  if (const auto points = width_in_points(width); !width.empty() && !points) return complain(app, points.error());
  app.bench.dialog = {DialogKind::export_figure, binding, file.string(), {}, false};
  app.bench.exporting = std::move(exporting);
  if (!path.empty()) perform(app, Export{app.bench.exporting.file, file.string()});
}

void scale_by(App& app, double by) {
  const double monitor = static_cast<double>(app.monitor_scale), wanted = std::round(app.settings.interface_scale * 10 + by * 10) / 10;
  const double share = std::clamp(wanted, kSmallestInterface / monitor, kLargestInterface / monitor);
  change_settings(app, [&](Settings& settings) { settings.interface_scale = share; });
  app.wanted_scale = scale_of(app);
}

// The canvases of a binding, or all of them.
void send_canvases(App& app, const std::string& binding, CanvasState::Wants where) {
  for (auto& [name, canvas] : app.bench.canvases) {
    const bool is_it = binding.empty() || name == binding || name.starts_with(binding + "/") || name.ends_with(" " + binding);
    if (is_it) canvas.wants = where;
  }
}

void save_layout(App& app, const Arguments& arguments) {
  const std::string name = action::text(arguments, "name");
  change_settings(app, [&](Settings& settings) { settings.layouts[name] = layout_text(app.session.workspace()); });
  say(app, fmt::format("the layout is kept as {}: Restore a layout brings it back", name));
}

std::string kept_layouts(const App& app) {
  std::string names;
  for (const auto& [name, text] : app.settings.layouts) names += (names.empty() ? "" : ", ") + name;
  return names.empty() ? "no layout is kept: Save the layout keeps one" : "these are kept: " + names;
}

void restore_layout(App& app, const Arguments& arguments) {
  const std::map<std::string, std::string>& kept = app.settings.layouts;
  std::string name = action::text(arguments, "name");
  if (name.empty() && kept.size() == 1) name = kept.begin()->first;
  if (name.empty() && !kept.empty()) {
    app.bench.dialog = {DialogKind::ask, {}, {}, {}, false, {}, false, "layout.restore", arguments};
    for (const auto& each : kept) app.bench.dialog.recent.push_back(each.first);
    return;
  }
  const auto found = kept.find(name);
  if (found == kept.end()) {
    const std::string slip = name.empty() ? std::string() : fmt::format("no layout is called {}; ", name);
    return complain(app, {ErrorCode::unknown_name, slip + kept_layouts(app), {}, {}});
  }
  const Status done = tessera::perform(app.session, "layout.set", {{"layout", found->second}, {"name", name}});
  if (!done) return complain(app, done.error());
  for (auto& [canvas, state] : app.bench.canvases) state.fit_again();
  say(app, "layout " + name);
}

void forget_layout(App& app, const Arguments& arguments) {
  const std::string name = action::text(arguments, "name");
  if (!app.settings.layouts.contains(name))
    return complain(app, {ErrorCode::unknown_name, fmt::format("no layout is called {}; {}", name, kept_layouts(app)), {}, {}});
  change_settings(app, [&](Settings& settings) { settings.layouts.erase(name); });
  say(app, fmt::format("the layout {} is kept no longer", name));
}

void switch_theme(App& app, const Arguments& arguments) {
  std::string wanted = action::text(arguments, "theme");
  if (wanted.empty()) wanted = name_of(theme_after(app.theme()));
  change_settings(app, [&](Settings& settings) { settings.theme = wanted; });
}

void blank_screen(App& app, const Arguments& arguments) {
  using Blank = PresenterState::Blank;
  Blank& blank = app.bench.presenter.blank;
  const Blank wanted = action::text(arguments, "color") == "white" ? Blank::white : Blank::black;
  blank = blank == Blank::no ? wanted : Blank::no;
}

// In a presentation the window comes and goes; outside of one it comes with a presentation.
void show_notes(App& app) {
  const bool presents = app.session.workspace().presenting;
  app.bench.presenter.notes = !presents || !app.bench.presenter.notes;
  if (!presents) perform(app, Do{"present.start"});
}

void take_back(App& app, bool undo) {
  const std::string label(undo ? app.session.undo_label() : app.session.redo_label());
  if (undo ? app.session.undo() : app.session.redo()) say(app, (undo ? "undone: " : "done again: ") + label);
}

void save_as(App& app, const Arguments& arguments) {
  const std::string path = action::text(arguments, "path");
  perform(app, AskSaveAs{});
  if (path.empty()) return;
  std::error_code ignored;
  app.bench.dialog.path = std::filesystem::absolute(path, ignored).string();  // an answer to a refusal is about this one
  perform(app, SaveAs{path});
}

void edit_expression(App& app, const Arguments& arguments) {
  const std::string name = action::binding(app.session, arguments);
  if (name != app.selected()) perform(app, Do{"binding.select", {{"binding", name}}});
  if (app.session.workspace().list_hidden || app.bench.list_put_away) perform(app, Do{"view.list"});
  edit_in_list(app.bench.bindings);
}

void show_list_or_text(App& app) {
  BindingsState& panel = app.bench.bindings;
  if (!panel.as_text) return show_text(app.session, panel);
  panel.as_text = panel.page.editor.has_keyboard = false;
  panel.reveal = true;
}

void wrap_text(App& app) {
  TextEditorState& editor = app.bench.bindings.page.editor;
  editor.wraps = !editor.wraps;
  editor.follow = true;
}

void fit_canvases(App& app) {
  for (auto& [name, canvas] : app.bench.canvases) canvas.fit_again();
}

void show_ladder(App& app) {
  const bool opens = !app.bench.ladder.open;
  close_pages(app.bench);
  app.bench.ladder.open = opens;
}

// `binding`: whose answer it is; empty: the advice.
void show_table(App& app, const std::string& binding) {
  if (app.bench.table.binding != binding) app.bench.table = {};
  close_pages(app.bench);
  app.bench.table.open = true;
  app.bench.table.binding = binding;
}

// Of the two what is named; another worker begins with its first GPU.
void choose_place(App& app, const Arguments& arguments) {
  std::string worker = arguments.contains("worker") ? action::text(arguments, "worker") : app.request.worker;
  if (worker == kThisMachine) worker.clear();
  const Result<std::int64_t> device = action::integer(arguments, "device", worker == app.request.worker ? app.request.device : 0);
  constexpr std::int64_t kMostDevices = 1024;
  if (!device) return complain(app, device.error());
  if (*device < 0 || *device >= kMostDevices)
    return complain(
        app, {ErrorCode::out_of_range, fmt::format("a GPU is counted from 0 to {}, and {} is none", kMostDevices - 1, *device), {}, {}});
  if (const Status can = check_worker(worker, app.request.worker_shell); !can) return complain(app, can.error());
  app.request.worker = worker;
  app.request.device = static_cast<int>(*device);
  change_settings(app, [&](Settings& settings) { use_place(settings, worker, app.request.device); });
  say(app, fmt::format("runs go to {}, GPU {}", worker.empty() ? kThisMachine : worker, *device));
}

// The page, another tab of it, or another place of its runs; with none of these it closes again.
void show_gemm_page(App& app, const Arguments& arguments) {
  const std::string tab = action::text(arguments, "tab");
  const bool has_place = arguments.contains("worker") || arguments.contains("device");
  const bool opens = !app.bench.live.open || !tab.empty() || has_place;
  if (has_place) choose_place(app, arguments);
  close_pages(app.bench);
  app.bench.live.open = opens;
  if (!tab.empty()) app.bench.live.tab = live_tab_named(tab);
}

void show_finder(App& app) {
  app.bench.finder.open = true;
  look_for_left(app);
  app.bench.finder.left = app.left;
  app.bench.finder.recent = app.settings.recent;
  app.bench.finder.lessons.clear();
  for (LessonName& each : own_lessons()) app.bench.finder.lessons.emplace_back(std::move(each.name), std::move(each.title));
}

void show_welcome(App& app) {
  (void)tessera::perform(app.session, "present.stop");
  look_for_left(app);
  close_pages(app.bench);
  app.bench.welcome = {true};
}

void take_up_left(App& app, const Arguments& arguments) {
  look_for_left(app);
  std::string which = action::text(arguments, "which");
  if (app.left.empty()) return say_briefly(app, "no program that ended early has left a document");
  if (which.empty() && app.left.size() == 1) which = app.left.front().name;
  if (!which.empty()) return perform(app, Open{which, false, false, true});
  app.bench.dialog = {DialogKind::ask, {}, {}, {}, false, {}, false, "file.left", arguments};
  for (const LeftDocument& each : app.left) app.bench.dialog.recent.push_back(each.name);
}

void forget_left(App& app, const Arguments& arguments) {
  const std::string which = action::text(arguments, "which");
  const Result<Recovery> left = left_document(which);
  if (!left) return complain(app, left.error());
  forget(*left);
  look_for_left(app);
  say(app, "what was left is forgotten");
}

void show_messages(App& app) {
  app.bench.sheet = Sheet::messages;
  app.messages.see_all();
}

}  // namespace

void show_gemm(App& app) {
  const std::string name = gemm_in_question(app.session.bindings(), app.selected());
  if (name.empty()) return;
  perform(app, Do{"figure.show", {{"binding", name}}});
  app.bench.side.page = side_page_of(*app.session.find(name));
}

Status add_figure(App& app, const std::string& path) {
  constexpr std::uintmax_t kLargestFigureFile = std::uintmax_t{64} << 20;  // bytes
  TESSERA_TRY(bytes, read_file(path, kLargestFigureFile));
  TESSERA_TRY(source, read_source(bytes));
  TESSERA_TRY(figure, import_figure(app.session, source, std::filesystem::path(path).stem().string()));
  if (!figure.lines.empty()) TESSERA_CHECK(tessera::perform(app.session, "text.paste", {{"text", figure.lines}}));
  return tessera::perform(app.session, "figure.beside", {{"binding", figure.figure}});
}

void do_effect(App& app, Effect effect, const Arguments& arguments) {
  const auto binding = [&] { return action::binding(app.session, arguments); };
  switch (effect) {
    case Effect::open: return ask_to_open(app, arguments);
    case Effect::save: return perform(app, Save{});
    case Effect::save_as: return save_as(app, arguments);
    case Effect::export_figure: return ask_to_export(app, arguments);
    case Effect::open_source: return ask_for_source(app, arguments);
    case Effect::give_source: return give_source(app, arguments);
    case Effect::choose_in_source: return choose_in_source(app, arguments);
    case Effect::source_as_document: return open_source_as_document(app);
    case Effect::open_lesson:
    case Effect::show_lesson_again:
    case Effect::close_lesson:
    case Effect::present_lesson:
    case Effect::next_screen:
    case Effect::previous_screen:
    case Effect::go_to_screen:
    case Effect::type_answer:
    case Effect::grade_answer:
    case Effect::show_answer:
    case Effect::ask_another:
    case Effect::move_slider:
    case Effect::tick_slider:
    case Effect::grade_slider:
    case Effect::run_of_lesson:
    case Effect::save_worklog:
    case Effect::seed_lesson:
    case Effect::begin_lesson_again: (void)do_lesson_effect(app, effect, arguments); return;
    case Effect::open_tour: return open_tour(app, arguments);
    case Effect::take_up_left: return take_up_left(app, arguments);
    case Effect::forget_left: return forget_left(app, arguments);
    case Effect::quit: return perform(app, Quit{});
    case Effect::undo: return take_back(app, true);
    case Effect::redo: return take_back(app, false);
    case Effect::copy_value: return copy_value(app, arguments);
    case Effect::copy_share_text: return copy_share_text(app, arguments);
    case Effect::copy_cells: return copy_cells(app, arguments);
    case Effect::paste: return paste(app, arguments);
    case Effect::edit_expression: return edit_expression(app, arguments);
    case Effect::fit: return fit_canvases(app);
    case Effect::actual_size: return send_canvases(app, binding(), CanvasState::Wants::actual);
    case Effect::zoom_to_selection: return send_canvases(app, {}, CanvasState::Wants::selection);
    case Effect::show_text: return show_list_or_text(app);
    case Effect::wrap_text: return wrap_text(app);
    case Effect::save_layout: return save_layout(app, arguments);
    case Effect::restore_layout: return restore_layout(app, arguments);
    case Effect::forget_layout: return forget_layout(app, arguments);
    case Effect::larger: return scale_by(app, 0.1);
    case Effect::smaller: return scale_by(app, -0.1);
    case Effect::switch_theme: return switch_theme(app, arguments);
    case Effect::fill_screen: app.full_screen = !app.full_screen; return;
    case Effect::blank: return blank_screen(app, arguments);
    case Effect::show_pointer: app.bench.presenter.pointer = !app.bench.presenter.pointer; return;
    case Effect::show_notes: return show_notes(app);
    case Effect::run_gemm:
      if (const std::string against = action::text(arguments, "against"); !against.empty()) return start_in_turn(app, binding(), against);
      return start_gemm(app, binding(), false);
    case Effect::emulate_gemm: return start_gemm(app, binding(), true);
    case Effect::stop_gemm: return stop_gemm(app);
    case Effect::show_ladder: return show_ladder(app);
    case Effect::show_table: return show_table(app, binding());
    case Effect::show_advice: return show_table(app, {});
    case Effect::show_gemm_page: return show_gemm_page(app, arguments);
    case Effect::show_finder: return show_finder(app);
    case Effect::show_keys: app.bench.sheet = Sheet::keys; return;
    case Effect::show_welcome: return show_welcome(app);
    case Effect::show_messages: return show_messages(app);
    case Effect::show_about: app.bench.sheet = Sheet::about; return;
  }
}

}  // namespace tessera::studio
