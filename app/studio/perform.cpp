// SPDX-License-Identifier: BSD-3-Clause
// Actions become changes here, and nowhere else.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "app/session/document_io.hpp"
#include "app/session/figure_source.hpp"
#include "app/studio/app.hpp"
#include "core/render/detail.hpp"
#include "core/render/page.hpp"

namespace tessera::studio {
namespace {

constexpr std::size_t kMostOpenFigures = 6;
constexpr std::size_t kMostRecent = 8;

void say(App& app, std::string words) {
  app.status = std::move(words);
  app.status_is_error = false;
}

void complain(App& app, const Error& error) {
  app.status = error.message;
  app.status_is_error = true;
}

// As `tessera draw` writes it.
Result<std::string> rendered(const Scene& scene, const MakeFigure& make, const std::string& extension) {
  RenderOptions options;
  if (extension == ".tex") return render_for_page(scene, make, render_tikz, options);
  if (extension == ".pdf") return render_for_page(scene, make, render_pdf, options);
  if (extension == ".svg") return render_for_page(scene, make, render_svg, options);
  if (extension == ".json") return render_json(scene);
  if (extension == ".png") {
    options.scale = 2;
    return render_for_page(scene, make, render_png, options);
  }
  return Error{
      ErrorCode::wrong_type, fmt::format("the ending \"{}\" names no format; .svg, .pdf, .png, .tex and .json do", extension), {}, {}};
}

Status export_to(const App& app, const Export& action) {
  const Result<Scene>& made = app.session.figure(action.binding);
  if (!made) return made.error();
  Scene scene = *made;
  const auto binding = static_cast<std::size_t>(app.session.find(action.binding) - app.session.bindings().data());
  scene.source = source_of(app.session.document(), binding);
  scene.source.labels = "fit";
  const MakeFigure make = [&](float text_unit) {
    FigureOptions options;
    options.text_unit = text_unit;
    return app.session.figure(action.binding, options);
  };
  TESSERA_TRY(bytes, rendered(scene, make, std::filesystem::path(action.path).extension().string()));
  return export_file(action.path, bytes, action.overwrite);
}

// Changes the person's settings in their file, of which options of the command line are no part.
template <class Change>
void change_settings(App& app, const Change& change) {
  change(app.settings);
  if (!app.keeps_settings) return;
  Result<Settings> kept = load_settings();
  if (!kept) return;  // a damaged file is left alone; the status said so at the start
  change(*kept);
  if (const Status saved = save_settings(*kept); !saved) complain(app, saved.error());
}

void remember_document(App& app) {
  if (!app.session.path()) return;
  std::error_code ignored;
  const std::string path = std::filesystem::absolute(*app.session.path(), ignored).lexically_normal().string();
  change_settings(app, [&](Settings& settings) {
    std::erase(settings.recent, path);
    settings.recent.insert(settings.recent.begin(), path);
    if (settings.recent.size() > kMostRecent) settings.recent.resize(kMostRecent);
  });
}

// A figure that no longer exists is no longer on the screen.
void drop_missing(App& app) {
  const auto gone = [&](const std::string& name) { return !app.session.find(name); };
  std::erase_if(app.bench.open, gone);
  if (gone(app.bench.selected)) app.bench.selected = app.bench.open.empty() ? std::string() : app.bench.open.front();
}

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
  dialog.may_replace = status.error().code == ErrorCode::already_exists;
}

void select(App& app, const std::string& name, bool beside) {
  Workbench& bench = app.bench;
  const std::string before = bench.selected;
  bench.selected = name;
  bench.bindings.reveal = true;
  const EvaluatedBinding* binding = app.session.find(name);
  if (!binding || !binding->value) return;
  if (binding->value) bench.side.gemm = kind_name(*binding->value) == "gemm";
  if (!is_drawable(*binding->value)) return;
  if (std::find(bench.open.begin(), bench.open.end(), name) != bench.open.end()) return;
  const auto current = std::find(bench.open.begin(), bench.open.end(), before);
  bench.columns = 0;
  if (beside && bench.open.size() < kMostOpenFigures)
    bench.open.push_back(name);
  else if (current != bench.open.end())
    *current = name;
  else if (bench.open.empty())
    bench.open.push_back(name);
  else
    bench.open.back() = name;
}

void start_gemm(App& app, const RunGemm& action) {
  if (app.gemm.job) return;
  GemmRequest request = app.request;
  request.document = app.session.text();
  request.binding = action.binding;
  app.gemm.binding = action.binding;
  app.gemm.made_of = app.session.value_text(action.binding);
  app.gemm.emulating = action.emulate;
  app.gemm.job = action.emulate ? GemmJob::start_emulation(std::move(request)) : GemmJob::start(std::move(request), app.gemm.workers);
  say(app, fmt::format("{} {}", action.emulate ? "emulating" : "running", action.binding));
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
    app.bench.dialog = {DialogKind::save_as, {}, app.session.path()->string(), status.error().message, true, {}, then_quit};
  }
  complain(app, status.error());
}

struct Perform {
  App& app;

  void operator()(const Edit& action) const {
    BindingsState& editor = app.bench.bindings;
    const Status status = app.session.run(action.command, action.merge);
    editor.refused = status ? std::nullopt : std::optional<Error>(status.error());
    if (!status) return;
    app.status.clear();
    drop_missing(app);
  }
  void operator()(const Undo&) const {
    const std::string label(app.session.undo_label());
    if (app.session.undo()) say(app, "undone: " + label);
    app.bench.bindings.editing.clear();
    drop_missing(app);
  }
  void operator()(const Redo&) const {
    const std::string label(app.session.redo_label());
    if (app.session.redo()) say(app, "done again: " + label);
    app.bench.bindings.editing.clear();
    drop_missing(app);
  }
  void operator()(const Select& action) const { select(app, action.binding, action.beside); }
  void operator()(const CloseFigure& action) const {
    std::erase(app.bench.open, action.binding);
    app.bench.columns = 0;
    if (app.bench.selected == action.binding && !app.bench.open.empty()) app.bench.selected = app.bench.open.front();
  }
  void operator()(const FitFigures&) const {
    for (auto& [name, canvas] : app.bench.canvases) canvas.fit_again();
  }
  void operator()(const AskOpen&) const {
    app.bench.dialog = {DialogKind::open, {}, app.session.path().value_or("").string(), {}, false, app.settings.recent};
  }
  void operator()(const Open& action) const {
    if (app.session.dirty() && !action.discard) {
      app.bench.dialog.message = fmt::format("{} has unsaved changes, which would be lost.", app.session.title());
      app.bench.dialog.may_replace = true;
      return;
    }
    if (action.discard && load_document(action.path)) app.session.forget_autosave();
    const Status status = open_document(app, action.path);
    const bool has_words = status && !app.status.empty();  // e.g. that something can be recovered
    if (has_words)
      app.bench.dialog = {};
    else
      finish_dialog(app, status, "opened " + action.path);
  }
  void operator()(const Recover&) const {
    if (const Status status = app.session.recover(); !status) return complain(app, status.error());
    app.bench.bindings.editing.clear();
    drop_missing(app);
    say(app, "the changes that were not saved are back; Undo takes them away again");
  }
  void operator()(const DiscardRecovery&) const {
    app.session.discard_recovery();
    say(app, "the changes that were not saved are forgotten");
  }
  void operator()(const Save& action) const {
    if (!app.session.path()) return (*this)(AskSaveAs{action.then_quit});
    after_saving(app, app.session.save(), action.then_quit);
  }
  void operator()(const KeepMine& action) const { after_saving(app, app.session.keep_mine(), action.then_quit); }
  void operator()(const Reload&) const {
    const Status status = app.session.reload();
    app.bench.dialog = {};
    app.bench.difference = {};
    if (!status) return complain(app, status.error());
    app.bench.bindings.editing.clear();
    drop_missing(app);
    say(app, fmt::format("{} is as in its file{}", app.session.title(), app.session.can_undo() ? "; Undo brings yours back" : ""));
  }
  void operator()(const ShowDifference&) const {
    app.bench.dialog = {};
    app.bench.difference = {};
    app.bench.difference.shown = true;
  }
  void operator()(const CloseDifference&) const { app.bench.difference = {}; }
  void operator()(const AskSaveAs& action) const {
    app.bench.dialog = {DialogKind::save_as, {}, app.session.path().value_or("untitled.tess").string(), {}, false, {}, action.then_quit};
  }
  void operator()(const SaveAs& action) const {
    const Status status = app.session.save_as(action.path, action.overwrite);
    if (status || (action.overwrite && app.session.conflicts())) return after_saving(app, status, action.then_quit);
    finish_dialog(app, status, {});
  }
  void operator()(const AskExport& action) const {
    if (action.binding.empty()) return;
    app.bench.dialog = {DialogKind::export_figure, action.binding, action.binding + ".svg", {}, false};
  }
  void operator()(const Export& action) const { finish_dialog(app, export_to(app, action), "exported " + action.path); }
  void operator()(const CloseDialog&) const { app.bench.dialog = {}; }
  void operator()(const RunGemm& action) const { start_gemm(app, action); }
  void operator()(const StopGemm&) const {
    if (app.gemm.job) app.gemm.job->cancel();
  }
  void operator()(const SwitchTheme&) const {
    const std::string other = app.theme() == ThemeKind::dark ? "light" : "dark";
    change_settings(app, [&](Settings& settings) { settings.theme = other; });
    app.figures.forget_textures(app.textures);
    apply_style(theme_of(app.theme()), app.scale);
  }
  void operator()(const Quit& action) const {
    if (action.discard) app.session.forget_autosave();
    app.quit = action.discard || !app.session.dirty();
    if (!app.quit) app.bench.dialog = {DialogKind::quit, {}, {}, {}, true};
  }
};

}  // namespace

void perform(App& app, const Action& action) {
  ++app.performed;
  std::visit(Perform{app}, action);
}

bool watch_file(App& app) {
  if (!app.session.look_at_file()) return false;
  app.bench.difference.revision = 0;
  if (app.session.conflicts())
    complain(app, {ErrorCode::already_exists, app.session.conflict_words(), {}, {}});
  else {
    if (app.bench.dialog.kind == DialogKind::conflict) app.bench.dialog = {};
    say(app, app.session.title() + " holds again what was opened");
  }
  return true;
}

Status open_document(App& app, const std::string& path) {
  TESSERA_CHECK(app.session.open(path));
  show_document(app);
  app.bench.difference = {};
  say(app, {});
  const std::vector<BadLine>& bad_lines = app.session.document().bad_lines;
  if (!bad_lines.empty()) complain(app, {ErrorCode::parse, describe(bad_lines.front()), {}, {}});
  if (!app.session.warning().empty()) complain(app, {ErrorCode::corrupt, app.session.warning(), {}, {}});
  if (app.session.recoveries_refused()) complain(app, *app.session.recoveries_refused());
  if (app.session.can_recover()) {
    say(app, fmt::format("changes that were not saved last time were found{}: Recover takes them up",
                         app.session.recoveries().front().same_base ? "" : ", made to another text than the file has now"));
  }
  remember_document(app);
  return Done{};
}

void show_document(App& app) {
  app.bench.open.clear();
  app.bench.columns = 0;
  app.bench.canvases.clear();
  app.bench.bindings = {};
  app.bench.selected.clear();
  app.figures.clear(app.textures);
  app.hovered.reset();
  app.gemm.reports.clear();
  // The first figures that the document asks for; a document without any shows its first drawable values.
  for (const bool only_figures : {true, false}) {
    for (const EvaluatedBinding& binding : app.session.bindings()) {
      if (app.bench.open.size() == 4 || !binding.value || !is_drawable(*binding.value)) continue;
      if (binding.name.empty() || !binding.needs.empty()) continue;
      if (only_figures && kind_name(*binding.value) != "figure") continue;
      if (app.bench.selected.empty()) app.bench.selected = binding.name;
      app.bench.open.push_back(binding.name);
    }
    if (!app.bench.open.empty()) break;
  }
  if (app.bench.selected.empty() && !app.session.bindings().empty()) app.bench.selected = app.session.bindings().front().name;
}

}  // namespace tessera::studio
