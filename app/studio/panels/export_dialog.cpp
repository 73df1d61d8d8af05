// SPDX-License-Identifier: BSD-3-Clause
#include "app/studio/panels/export_dialog.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "app/studio/panels/panels.hpp"
#include "app/studio/panels/ready_exports.hpp"
#include "app/studio/panels/value_facts.hpp"
#include "app/studio/widgets/choice_row.hpp"
#include "core/base/number_text.hpp"
#include "core/base/utf8.hpp"
#include "core/diagram/kinds/figures.hpp"
#include "core/diagram/scene/palette.hpp"

namespace tessera::studio {
namespace {

constexpr float kWidth = 920, kHeight = 640, kLeft = 344;  // in units
constexpr double kLongestPreview = 2000;                   // pixels
constexpr std::size_t kShownText = 4000;

class ExportDialog {
 public:
  ExportDialog(Ui& ui, const Session& session, ExportState& state, DialogState& dialog, Textures& textures, TabRing& ring)
      : ui_(ui), session_(session), state_(state), dialog_(dialog), textures_(textures), ring_(ring) {}

  Answer draw();

 private:
  bool row_of_words(std::string_view label, std::string_view help, std::span<const std::string_view> words, std::string& value,
                    bool may_be_none = true);
  void be_of(FigureFormat format);
  void ready(bool appearing);
  void formats();
  void sizes();
  void size_row(const ExportOption& row);
  void looks();
  void walk_palettes(std::string& palette);
  void parameter_row(const FigureParameter& row);
  void update_preview();
  void preview(ImVec2 size);
  void show_text(std::string text);
  void key_hints();

  Ui& ui_;
  const Session& session_;
  ExportState& state_;
  DialogState& dialog_;
  Textures& textures_;
  TabRing& ring_;
};

// A word of a text's value, or none.
bool ExportDialog::row_of_words(std::string_view label, std::string_view help, std::span<const std::string_view> words, std::string& value,
                                bool may_be_none) {
  const auto found = std::find(words.begin(), words.end(), value);
  const std::ptrdiff_t chosen = found == words.end() ? kNoWord : found - words.begin();
  const auto now = draw_choices(ui_, {label, help, words, chosen, may_be_none});
  if (now) value = *now < 0 ? std::string() : std::string(words[static_cast<std::size_t>(*now)]);
  return now.has_value();
}

void ExportDialog::be_of(FigureFormat format) {
  state_.file.format = format;
  dialog_.path = std::filesystem::path(dialog_.path).replace_extension(extension(format)).string();
  dialog_.message.clear();
  dialog_.may_replace = false;
}

// Format and width at once; the rows below say both.
void ExportDialog::ready(bool appearing) {
  const std::span<const ReadyExport> all = ready_exports();
  std::vector<std::string_view> words;
  std::ptrdiff_t chosen = kNoWord;
  for (const ReadyExport& each : all) {
    if (each.format == state_.file.format && each.width == state_.file.sizes.width) chosen = static_cast<std::ptrdiff_t>(words.size());
    words.push_back(each.word);
  }
  if (appearing) ring_.start_at(ImGui::GetID("for"));
  const auto now = draw_choices(ui_, {"for", "What it is for: a format and a width", words, chosen});
  if (!now) return;
  const ReadyExport& taken = all[static_cast<std::size_t>(*now)];
  be_of(taken.format);
  state_.file.sizes.width = taken.width;
}

void ExportDialog::formats() {
  std::vector<std::string_view> words;
  std::ptrdiff_t chosen = kNoWord;
  for (const FigureFormat each : figure_formats()) {
    if (each == state_.file.format) chosen = static_cast<std::ptrdiff_t>(words.size());
    words.push_back(extension(each));
  }
  if (const auto now = draw_choices(ui_, {"format", "The file's ending says it, too", words, chosen}))
    be_of(figure_formats()[static_cast<std::size_t>(*now)]);
}

void ExportDialog::size_row(const ExportOption& row) {
  const std::string id(row.name);
  if (const auto* flag = std::get_if<bool ExportOptions::*>(&row.member)) {
    constexpr std::string_view kAnswers[] = {"yes", "no"};
    bool& value = state_.file.sizes.**flag;
    if (const auto now = draw_choices(ui_, {row.name, row.help, kAnswers, value ? 0 : 1})) value = *now == 0;
    return;
  }
  const auto* words = std::get_if<std::string ExportOptions::*>(&row.member);
  if (words && row.only_choices) {
    std::string value = (state_.file.sizes.**words).empty() ? std::string(row.choices.front()) : state_.file.sizes.**words;
    if (row_of_words(row.name, row.help, row.choices, value, false)) state_.file.sizes.** words = value;
    return;
  }
  if (words) row_of_words(row.name, row.help, row.choices, state_.file.sizes.**words);
  if (words) {
    draw_row_name(ui_, "", {});
    std::string& value = state_.file.sizes.**words;
    edit_hinted(ui_, id.c_str(), value, "3.33in, 84mm, 240pt");
    return;
  }
  draw_row_name(ui_, row.name, row.help);
  std::optional<double>& number = state_.file.sizes.*std::get<std::optional<double> ExportOptions::*>(row.member);
  std::string& typed = state_.typed[id];
  if (!edit_hinted(ui_, id.c_str(), typed, std::string(row.help.substr(0, row.help.find(';'))).c_str())) return;
  number.reset();
  state_.slip.clear();
  if (typed.empty()) return;
  if (const std::optional<double> read = number_in<double>(typed); read && std::isfinite(*read))
    number = read;
  else
    state_.slip = fmt::format("{} is a number, not \"{}\"", row.name, typed);
}

void ExportDialog::sizes() {
  for (const ExportOption& row : export_options()) {
    if (row.says_something_to(state_.file.format)) size_row(row);
  }
}

void ExportDialog::parameter_row(const FigureParameter& row) {
  const std::string id(row.name);
  auto& parameters = state_.file.figure.parameters;
  const EvaluatedBinding* binding = session_.find(state_.file.binding);
  const auto found = parameters.find(id);
  std::string value = found != parameters.end() ? found->second : binding && binding->value ? said_in(*binding->value, row.name) : "";
  if (value.empty()) value = row.choices.front();
  if (row_of_words(row.name, row.help, row.choices, value, false)) parameters[id] = value;
}

// The arrow keys go through the palettes where they are not opened.
void ExportDialog::walk_palettes(std::string& palette) {
  const int by = walked_in_row(ui_, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  if (by == 0) return;
  const auto rows = Palette::rows();
  std::ptrdiff_t now = -1;  // as it is
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].name == palette) now = static_cast<std::ptrdiff_t>(i);
  }
  now = std::clamp<std::ptrdiff_t>(now + by, -1, static_cast<std::ptrdiff_t>(rows.size()) - 1);
  palette = now < 0 ? std::string() : std::string(rows[static_cast<std::size_t>(now)].name);
}

// What of the figure is drawn, and how.
void ExportDialog::looks() {
  FigureOptions& figure = state_.file.figure;
  draw_row_name(ui_, "palette", "Its colours");
  const std::string shown = figure.palette.empty() ? "as it is" : figure.palette;
  ImGui::SetNextItemWidth(-1);
  const bool focused = ring_.stop(ImGui::GetID("##palette"), TabRing::Stop::choices);
  if (ImGui::BeginCombo("##palette", shown.c_str())) {
    const auto row = [&](const std::string& label, const std::string& value) {
      if (ImGui::Selectable(label.c_str(), figure.palette == value)) figure.palette = value;
      ui_.recorder.add(label, "choice", figure.palette == value ? "selected" : "", ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    };
    row("as it is", {});
    for (const PaletteRow& each : Palette::rows()) row(std::string(each.name), std::string(each.name));
    ImGui::EndCombo();
  }
  ui_.recorder.add("palette", "combo", shown, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  if (focused) walk_palettes(figure.palette);
  constexpr std::string_view kStyles[] = {"tessera", "print_latex", "print_svg"};
  const auto style =
      draw_choices(ui_, {"style", "As CuTe's functions of that name draw it", kStyles, static_cast<std::ptrdiff_t>(figure.style)});
  if (style) figure.style = static_cast<FigureStyle>(*style);
  draw_row_name(ui_, "title text", "A line above the figure in the place of its own");
  edit_hinted(ui_, "title text", figure.title, "as it is");
  for (const FigureParameter& each : common_parameters()) {
    if (each.kind == FigureParameter::Kind::flag) parameter_row(each);
  }
}

void ExportDialog::show_text(std::string text) {
  state_.text = text.size() > kShownText ? std::string(utf8_prefix(text, kShownText)) + "\n…" : std::move(text);
}

// Made again when something else is chosen; once.
void ExportDialog::update_preview() {
  if (state_.drawn == state_.file && state_.revision == session_.values_revision()) return;
  state_.drawn = state_.file;
  state_.revision = session_.values_revision();
  state_.refused.clear(), state_.left_out.clear(), state_.text.clear();
  if (state_.texture) textures_.remove(std::exchange(state_.texture, 0));
  const Budget budget({.seconds = 3});
  if (!has_size(state_.file.format)) {
    Result<Exported> made = exported(session_, state_.file);
    if (!made) state_.refused = made.error().message;
    if (made) show_text(std::move(made->bytes));
    return;
  }
  constexpr double kPixelsOfAPoint = 96.0 / 72;
  Result<Preview> made = previewed(session_, state_.file, kPixelsOfAPoint * static_cast<double>(ui_.scale), kLongestPreview);
  if (!made) {
    state_.refused = made.error().message;
    return;
  }
  state_.width = made->width, state_.height = made->height;
  state_.left_out = std::move(made->left_out);
  // The command line's flag is a row of this dialog.
  constexpr std::string_view kFlag = "; --labels all draws them";
  if (const std::size_t at = state_.left_out.find(kFlag); at != std::string::npos)
    state_.left_out.replace(at, kFlag.size(), "; labels: all (at the left) draws them");
  state_.texture = textures_.add({made->width, made->height, std::move(made->rgba)}, true);
}

// At the size that it has in print where there is room for it, else as large as there is.
void ExportDialog::preview(ImVec2 size) {
  const ImVec2 at = ImGui::GetCursorScreenPos(), end(at.x + size.x, at.y + size.y);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, end, ui_.theme.canvas, ui_.px(6));
  add_rect(list, at, end, ui_.theme.border, ui_.px(6), 1);
  list->PushClipRect(at, end, true);
  const Face& face = ui_.fonts.mono_small;
  if (!state_.refused.empty()) {
    const Face& body = ui_.fonts.body;
    list->AddText(body.font, body.size, {at.x + ui_.px(16), at.y + ui_.px(16)}, ui_.theme.bad, state_.refused.c_str(), nullptr,
                  size.x - ui_.px(32));
    ui_.recorder.add(state_.refused, "text", "error", at, end);
  } else if (!has_size(state_.file.format)) {
    list->AddText(face.font, face.size, {at.x + ui_.px(12), at.y + ui_.px(12)}, ui_.theme.text, state_.text.c_str());
    ui_.recorder.add("preview", "picture", state_.text, at, end);
  } else if (state_.texture) {
    const auto w = static_cast<float>(state_.width), h = static_cast<float>(state_.height), rim = ui_.px(12);
    const float shrink = std::min({1.0f, (size.x - 2 * rim) / w, (size.y - 2 * rim) / h});
    const ImVec2 a(std::round(at.x + (size.x - w * shrink) / 2), std::round(at.y + (size.y - h * shrink) / 2));
    const ImVec2 b(std::round(a.x + w * shrink), std::round(a.y + h * shrink));
    // What is transparent stands on squares.
    if (state_.file.sizes.transparent) {
      const float square = ui_.px(8);
      for (float y = a.y; y < b.y; y += square) {
        for (float x = a.x; x < b.x; x += square) {
          const bool dark = (static_cast<int>((x - a.x) / square) + static_cast<int>((y - a.y) / square)) % 2 == 1;
          list->AddRectFilled({x, y}, {std::min(x + square, b.x), std::min(y + square, b.y)},
                              dark ? IM_COL32(216, 216, 216, 255) : IM_COL32(255, 255, 255, 255));
        }
      }
    }
    list->AddImage(to_texture_id(state_.texture), a, b);
    ui_.recorder.add("preview", "picture", fmt::format("{} x {}", state_.width, state_.height), a, b);
  }
  list->PopClipRect();
  ImGui::Dummy(size);
}

// What the keys do, at the right of the buttons.
void ExportDialog::key_hints() {
  constexpr std::string_view kExporting =
      "\xe2\x86\x90 \xe2\x86\x92 choose      \xe2\x86\x91 \xe2\x86\x93 or Tab: another row      Enter exports      Esc closes";
  constexpr std::string_view kReplacing = "Enter replaces the file      Esc closes";
  const std::string_view keys = dialog_.may_replace ? kReplacing : kExporting;
  const Face& face = ui_.fonts.small;
  const float width = text_size(face.font, face.size, keys.data(), keys.data() + keys.size()).x;
  ImGui::SameLine();
  const float left = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - width;
  ImGui::SetCursorPosX(std::max(left, ImGui::GetCursorPosX()));
  ImGui::AlignTextToFramePadding();
  text(ui_, keys, ui_.theme.dim, face);
}

Answer ExportDialog::draw() {
  constexpr const char* kTitle = "Export figure";
  if (!ImGui::IsPopupOpen(kTitle)) ImGui::OpenPopup(kTitle);
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const ImVec2 size(std::min(ui_.px(kWidth), screen.x - ui_.px(32)), std::min(ui_.px(kHeight), screen.y - ui_.px(32)));
  ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui_.px(20), ui_.px(16)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui_.px(10));
  const bool open = ImGui::BeginPopupModal(
      kTitle, nullptr, ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoScrollbar);
  ImGui::PopStyleVar(2);
  Answer answer;
  if (!open) return answer;
  const InRing in_ring(ui_, ring_);
  ui_.recorder.enter(kTitle);
  const bool appearing = ImGui::IsWindowAppearing();
  text(ui_, fmt::format("Export {}", state_.file.binding), ui_.theme.text, ui_.fonts.title);
  ImGui::Dummy({0, ui_.px(2)});
  const std::string& notes = !state_.slip.empty() ? state_.slip : state_.left_out;
  const float foot = ui_.px(94) + (dialog_.message.empty() && notes.empty() ? 0 : ui_.px(26));
  const ImVec2 room = ImGui::GetContentRegionAvail();
  begin_child("what is chosen", {ui_.px(kLeft), room.y - foot});
  {
    const WithFont with(ui_.fonts.small);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui_.px(7), ui_.px(3)));
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ui_.px(3));  // for the ring around what has the keyboard
    ready(appearing);
    formats();
    sizes();
    if (has_size(state_.file.format)) looks();
    ImGui::PopStyleVar();
  }
  ImGui::EndChild();
  ImGui::SameLine(0, ui_.px(16));
  update_preview();
  preview({std::max(ImGui::GetContentRegionAvail().x, 1.0f), std::max(room.y - foot, 1.0f)});
  ImGui::Dummy({0, ui_.px(2)});
  if (!dialog_.message.empty())
    text(ui_, elided(ui_.fonts.body, dialog_.message, room.x), ui_.theme.bad, ui_.fonts.body);
  else if (!notes.empty())
    text(ui_, elided(ui_.fonts.body, notes, room.x), state_.slip.empty() ? ui_.theme.warn : ui_.theme.bad, ui_.fonts.body);
  if (edit(ui_, "path", dialog_.path, false)) {
    dialog_.message.clear();
    dialog_.may_replace = false;
    if (const Result<FigureFormat> format = format_of(dialog_.path)) state_.file.format = *format;
  }
  ImGui::Dummy({0, ui_.px(4)});
  const bool ready = !dialog_.path.empty() && state_.slip.empty() && state_.refused.empty();
  if (dialog_.may_replace) {
    // Enter is the second word, once the first has been answered.
    if (button(ui_, "Replace", ButtonLook::danger, ready, "Enter") || (ready && enter_pressed()))
      answer = Export{state_.file, dialog_.path, true};
  } else if (button(ui_, "Export", ButtonLook::primary, ready, "Enter") || (ready && enter_pressed())) {
    answer = Export{state_.file, dialog_.path, false};
  }
  ImGui::SameLine();
  if (button(ui_, "Cancel", ButtonLook::quiet, true, "Esc") || key_pressed(ImGuiKey_Escape)) answer = CloseDialog{};
  key_hints();
  ui_.recorder.leave();
  ImGui::EndPopup();
  return answer;
}

}  // namespace

ExportState export_of(const Session& session, const std::string& binding, const std::string& path) {
  ExportState state;
  state.file.binding = binding;
  state.file.figure = view_of(session.workspace().arrangement, binding).options;
  if (const Result<FigureFormat> format = format_of(path)) state.file.format = *format;
  return state;
}

std::string export_path(const Session& session, const std::string& binding, FigureFormat format) {
  const std::string name = fmt::format("{}.{}", binding, extension(format));
  return session.path() ? (session.path()->parent_path() / name).string() : name;
}

Answer draw_export(Ui& ui, const Session& session, ExportState& state, DialogState& dialog, Textures& textures, TabRing& ring) {
  if (dialog.kind != DialogKind::export_figure) {
    if (state.texture) textures.remove(std::exchange(state.texture, 0));
    state.drawn.reset();
    return {};
  }
  return ExportDialog(ui, session, state, dialog, textures, ring).draw();
}

}  // namespace tessera::studio
