// SPDX-License-Identifier: BSD-3-Clause
#include "app/studio/frame/documents.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "app/session/files/document_io.hpp"
#include "app/session/files/share_text.hpp"
#include "app/session/files/source_file.hpp"
#include "app/studio/panels/panes.hpp"
#include "core/base/file.hpp"
#include "core/base/utf8.hpp"

namespace tessera::studio {
namespace {

constexpr std::size_t kMostRecent = 8;

// The folder where a document is looked for: its own, else that of the last one, else where the program was started.
std::string document_folder(const App& app) {
  std::error_code ignored;
  const auto folder_of = [&](const std::filesystem::path& path) { return std::filesystem::absolute(path, ignored).parent_path().string(); };
  if (app.session.path()) return folder_of(*app.session.path());
  if (!app.settings.recent.empty()) return folder_of(app.settings.recent.front());
  return std::filesystem::current_path(ignored).string();
}

}  // namespace

void remember_document(App& app) {
  if (app.session.path()) remember(app, *app.session.path());
}

void remember(App& app, const std::filesystem::path& file) {
  std::error_code ignored;
  const std::string path = std::filesystem::absolute(file, ignored).lexically_normal().string();
  change_settings(app, [&](Settings& settings) {
    std::erase(settings.recent, path);
    settings.recent.insert(settings.recent.begin(), path);
    if (settings.recent.size() > kMostRecent) settings.recent.resize(kMostRecent);
  });
}

DialogState file_dialog(const App& app, DialogKind kind, std::string typed) {
  DialogState dialog{kind, {}, std::move(typed), {}};
  dialog.chooser.base = document_folder(app);
  return dialog;
}

Status open_to_edit(Session& session, const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path file = fs::weakly_canonical(path, ignored);
  for (const fs::path& folder : asset_folders()) {
    const fs::path own = fs::weakly_canonical(folder / "presets", ignored);
    if (is_share_text(path) || file.parent_path() != own) continue;
    TESSERA_TRY(document, load_document(path));
    return session.open_text(to_text(document), file.filename().string());
  }
  return session.open(path);
}

void close_pages(Workbench& bench) {
  bench.welcome.open = bench.ladder.open = bench.table.open = bench.source.open = bench.lesson.open = bench.live.open = false;
}

Status show_source(App& app, const std::string& path) {
  TESSERA_TRY(source, open_source_text(path));
  close_pages(app.bench);
  open_source(app.bench.source, std::move(source));
  remember(app, path);
  return Done{};
}

bool show_program(App& app, std::string_view text) {
  if (text.size() > kLongestSource || !is_whole_program(text)) return false;
  close_pages(app.bench);
  open_source(app.bench.source, pasted_source(text));
  say(app, "a program: its text stands beside the pictures of its variables");
  return true;
}

bool watch_file(App& app) {
  LessonState& lesson = app.bench.lesson;
  const bool lesson_changed = lesson.open && lesson.desk && lesson.desk->look_again();
  const bool source_changed = look_again(app.bench.source) || lesson_changed;
  if (!app.session.look_at_file()) return source_changed;
  app.bench.difference.revision = 0;
  // What nobody has changed here follows its file by itself; undo brings back what it was.
  const bool follows = std::holds_alternative<ChangedOnDisk>(app.session.file()) && !app.session.dirty();
  if (follows && app.session.reload())
    say(app, fmt::format("another program has changed {}: this is its text now; Undo brings back what it was", app.session.title()));
  else if (app.session.conflicts())
    complain(app, {ErrorCode::already_exists, app.session.conflict_words(), {}, {}});
  else {
    if (app.bench.dialog.kind == DialogKind::conflict) app.bench.dialog = {};
    say(app, app.session.title() + " holds again what was opened");
  }
  return true;
}

Status open_document(App& app, const std::string& path) {
  TESSERA_CHECK(open_to_edit(app.session, path));
  opened_document(app);
  return Done{};
}

void look_for_left(App& app) { app.left = left_documents().value_or({}); }

Status open_left(App& app, const std::string& name) {
  look_for_left(app);
  const auto left = std::find_if(app.left.begin(), app.left.end(), [&](const LeftDocument& each) { return each.name == name; });
  if (left == app.left.end()) return Error{ErrorCode::io, fmt::format("nothing that is unsaved was left as {}", printable(name)), {}, {}};
  const LeftDocument chosen = *left;
  if (!chosen.file.empty()) return open_document(app, chosen.file.string());  // which offers it
  TESSERA_CHECK(app.session.open_left(chosen));
  opened_document(app);
  look_for_left(app);
  say(app, fmt::format("{} is back as it was left, and has no file yet: Save as gives it one", chosen.title));
  return Done{};
}

void opened_document(App& app) {
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
}

void show_document(App& app) {
  app.bench.canvases.clear();
  const bool as_text = app.bench.bindings.as_text;
  app.bench.bindings = {};
  app.bench.bindings.as_text = as_text;
  app.figures.clear(app.textures);
  app.hovered.reset();
  app.gemm.reports.clear();
  app.shows_first = app.session.evaluating();
  show_first(app);
}

void show_first(App& app) {
  Workspace first = app.session.workspace();
  const std::vector<View> views = first_views(app.session);
  first.arrangement = tiled(views, 2);
  first.by_hand = false;
  if (!views.empty())
    first.selected = views.front().binding;
  else if (!app.session.bindings().empty())
    first.selected = app.session.bindings().front().name;
  app.session.show(std::move(first));
}

}  // namespace tessera::studio
