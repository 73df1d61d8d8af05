// SPDX-License-Identifier: BSD-3-Clause
#include "app/studio/frame/clipboard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "app/session/actions/action_parts.hpp"
#include "app/session/actions/cell_table.hpp"
#include "app/session/files/share_text.hpp"
#include "app/studio/frame/documents.hpp"
#include "core/base/private_file.hpp"
#include "core/render/shared/render.hpp"

namespace tessera::studio {
namespace {

std::string_view clipboard() {
  const char* text = ImGui::GetClipboardText();
  return text ? text : "";
}

Result<std::string> copied(const App& app, const std::string& binding, const std::string& form) {
  const EvaluatedBinding* found = app.session.find(binding);
  if (form == "latex") return figure_file(app, binding, ".tex");
  if (form == "svg") return figure_file(app, binding, ".svg");
  if (!found->value) return found->value.error();
  if (form == "text") {
    const Result<Scene>& scene = app.session.figure(binding, view_of(app.session.workspace().arrangement, binding).options);
    return scene ? render_text(*scene, TextForm::boxes) : Result<std::string>(scene.error());
  }
  if (form == "cpp") return print(*found->value, Spelling::cute_cpp);
  if (form == "dsl") return print(*found->value, Spelling::cute_dsl);
  if (form == "print") return print(*found->value, Spelling::cute_print);
  return to_string(*found->value);
}

// A file in the person's cache, which the next picture of that name replaces.
Result<std::string> kept_picture(const App& app, const std::string& binding) {
  TESSERA_TRY(bytes, figure_file(app, binding, ".png"));
  TESSERA_TRY(folder, PrivateFolder::make(own_folder(OwnFolder::cache) / "copied"));
  TESSERA_CHECK(folder.write(binding + ".png", bytes));
  return (folder.path() / (binding + ".png")).string();
}

std::string_view title_of(std::string_view form) {
  const auto forms = copy_forms();
  const auto found = std::find_if(forms.begin(), forms.end(), [&](const CopyForm& each) { return each.name == form; });
  return found == forms.end() ? form : found->title;
}

}  // namespace

bool share_text_is_copied() { return is_share_text(clipboard().substr(0, 100)); }

void copy_value(App& app, const Arguments& arguments) {
  const std::string form = action::text(arguments, "form"), binding = action::binding(app.session, arguments);
  if (form.empty()) return perform(app, AskFor{"edit.copy", arguments});
  const Result<std::string> text = form == "png" ? kept_picture(app, binding) : copied(app, binding, form);
  if (!text) return complain(app, text.error());
  ImGui::SetClipboardText(text->c_str());
  if (form == "png")
    return say(app,
               fmt::format("the picture of {} is in a file, and its path in the clipboard, which takes text alone: {}", binding, *text));
  say(app, fmt::format("{} is in the clipboard as {}: {} bytes", binding, title_of(form), text->size()));
}

void copy_cells(App& app, const Arguments&) {
  const Result<CellTable> table = selected_cell_table(app.session);
  if (!table) return complain(app, table.error());
  ImGui::SetClipboardText(to_tsv(*table).c_str());
  // A cell that several threads own has a row for each.
  const std::size_t cells = app.bench.inspector.tables.get(app.session).count, rows = table->rows.size();
  say(app, fmt::format("{} of {} {} in the clipboard as a table{}", counted(cells, "cell"), app.session.workspace().selection.binding,
                       cells == 1 ? "is" : "are", rows == cells ? std::string() : fmt::format(" of {} rows, one an owner", rows)));
}

void copy_share_text(App& app, const Arguments&) {
  const std::string word = share_text(app.session.text());
  ImGui::SetClipboardText(word.c_str());
  say(app, fmt::format("{} is in the clipboard as one word of {} bytes, tessera:1:...", app.session.title(), word.size()));
}

void paste(App& app, const Arguments&) {
  const std::string text(clipboard());
  if (is_share_text(text)) return perform(app, Open{text});
  if (show_program(app, text)) return;
  if (const Status status = tessera::perform(app.session, "text.paste", {{"text", text}}); !status) return complain(app, status.error());
  say(app, "pasted: " + app.selected());
}

}  // namespace tessera::studio
