// SPDX-License-Identifier: BSD-3-Clause
// The first page: three ways to begin, the documents that were open last, and what the mouse does.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/studio/panels/panels.hpp"

namespace tessera::studio {
namespace {

struct Card {
  const char* title;
  const char* words;
  const char* keys;
  const char* action;
  Arguments arguments{};
};

const Card kCards[] = {
    {"Open the tour", "Layouts, an atom, a tiled MMA, a copy and a GEMM as linked pictures, which can all be changed.", "", "file.tour"},
    {"Paste a layout", "(8,8):(8,1), lines of C++ or Python, what a program printed, or a share text: from the clipboard.", "Ctrl+V",
     "edit.paste"},
    {"Run a GEMM",
     "The tour at its GEMM: its tiles, its pipeline and its kernel; simulated here, or run on a GPU.",
     "",
     "file.tour",
     {{"at", "gemm"}}},
};

// The first of what the sheet of keys lists.
constexpr std::pair<const char*, const char*> kHints[] = {
    {"move over a cell", "the same thread and value light up everywhere"},
    {"drag over cells", "select them; Ctrl+C copies a table"},
    {"wheel", "zoom at the mouse"},
    {"middle drag, Space drag", "move the figure"},
    {"Ctrl+K", "find every action, atom and function"},
    {"F1", "all keys and gestures"},
};

// Six by three cells in the corner of a card: one colour an owner, a ramp of offsets, or the operands of a product.
void draw_cells(const Ui& ui, std::size_t card, ImVec2 at) {
  const ImU32 colors[] = {ui.theme.accent, ui.theme.link, ui.theme.emulated, ui.theme.good};
  const float cell = ui.px(8), step = ui.px(10);
  for (int i = 0; i < 18; ++i) {
    const int row = i / 6, col = i % 6;
    ImU32 color = colors[(row + col / 2 * 2) % 4];
    if (card == 1) color = faded(ui.theme.link, 0.2f + 0.045f * static_cast<float>(i));
    if (card == 2) color = col < 2 ? colors[0] : row == 0 ? colors[1] : faded(colors[3], row == 1 ? 0.9f : 0.5f);
    const ImVec2 a(at.x + static_cast<float>(col) * step, at.y + static_cast<float>(row) * step);
    ImGui::GetWindowDrawList()->AddRectFilled(a, {a.x + cell, a.y + cell}, color, ui.px(2));
  }
}

bool draw_card(Ui& ui, const Card& card, ImVec2 at, ImVec2 size, bool chosen) {
  ImGui::SetCursorScreenPos(at);
  const bool pressed = ImGui::InvisibleButton(card.title, size);
  const ImVec2 end(at.x + size.x, at.y + size.y);
  ui.recorder.add(card.title, "card", chosen ? "selected" : "", at, end);
  const bool hot = ImGui::IsItemHovered();
  if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, end, hot ? ui.theme.hover : ui.theme.raised, ui.px(10));
  add_rect(list, at, end, hot || chosen ? ui.theme.accent : ui.theme.border, ui.px(10), ui.px(hot ? 2.0f : 1.0f));
  const float pad = ui.px(16);
  const Face &title = ui.fonts.title, &body = ui.fonts.body;
  draw_cells(ui, static_cast<std::size_t>(&card - kCards), {at.x + pad, at.y + pad});
  list->AddText(title.font, title.size, {at.x + pad, at.y + pad + ui.px(40)}, ui.theme.text, card.title);
  list->AddText(body.font, body.size, {at.x + pad, at.y + pad + ui.px(68)}, ui.theme.dim, card.words, nullptr, size.x - 2 * pad);
  if (*card.keys) {
    const Face& mono = ui.fonts.mono_small;
    const float width = text_size(mono.font, mono.size, card.keys, card.keys + std::char_traits<char>::length(card.keys)).x;
    list->AddText(mono.font, mono.size, {end.x - pad - width, at.y + pad + ui.px(3)}, ui.theme.accent, card.keys);
  }
  return pressed;
}

// A line of the list: a document's name, and where it lies or what it holds.
struct Row {
  std::string id, name, words;
  const char* role;
  Do action;
};

std::vector<Row> rows_of(const WelcomeInput& input) {
  constexpr std::size_t kShown = 6;
  std::vector<Row> rows;
  for (const LeftDocument& each : input.left) {
    if (rows.size() < kShown) rows.push_back({each.name, each.title, words_of(each), "left", Do{"file.left", {{"which", each.name}}}});
  }
  for (const std::string& path : input.recent) {
    const std::filesystem::path file = path;
    if (rows.size() < kShown)
      rows.push_back({path, file.filename().string(), file.parent_path().string(), "recent", Do{"file.open", {{"path", path}}}});
  }
  return rows;
}

// "lecture.tess   ~/talks"
bool draw_file(Ui& ui, const Row& file, ImVec2 at, float width, bool chosen) {
  ImGui::SetCursorScreenPos(at);
  const ImVec2 size(width, ui.px(26));
  const bool pressed = ImGui::InvisibleButton(file.id.c_str(), size);
  ui.recorder.add(file.id, file.role, chosen ? "selected" : "", at, {at.x + size.x, at.y + size.y});
  ImDrawList* list = ImGui::GetWindowDrawList();
  const bool hot = ImGui::IsItemHovered();
  if (hot) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (hot || chosen) list->AddRectFilled(at, {at.x + size.x, at.y + size.y}, chosen ? ui.theme.accent_soft : ui.theme.hover, ui.px(6));
  const std::string name = elided(ui.fonts.body, file.name, width * 0.5f);
  const float used = text_size(ui.fonts.body.font, ui.fonts.body.size, name.data(), name.data() + name.size()).x;
  list->AddText(ui.fonts.body.font, ui.fonts.body.size, {at.x + ui.px(8), at.y + ui.px(4)},
                file.role == std::string_view("left") ? ui.theme.warn : ui.theme.link, name.c_str());
  const std::string folder = elided(ui.fonts.small, file.words, width - used - ui.px(36));
  list->AddText(ui.fonts.small.font, ui.fonts.small.size, {at.x + used + ui.px(22), at.y + ui.px(6)}, ui.theme.dim, folder.c_str());
  return pressed;
}

void draw_hints(Ui& ui, ImVec2 at, float width) {
  ImGui::SetCursorScreenPos(at);
  text(ui, "MOUSE AND KEYS", ui.theme.dim, ui.fonts.small);
  float row = at.y + ui.px(28);
  for (const auto& [gesture, does] : kHints) {
    ImGui::SetCursorScreenPos({at.x, row});
    text(ui, gesture, ui.theme.accent, ui.fonts.mono_small);
    ImGui::SetCursorScreenPos({at.x + ui.px(180), row});
    text(ui, elided(ui.fonts.small, does, width - ui.px(180)), ui.theme.text, ui.fonts.small);
    row += ui.px(23);
  }
}

// Left and right among the cards, down to the documents below them and up again.
void move_choice(std::size_t& chosen, std::size_t files) {
  constexpr std::size_t kCount = std::size(kCards);
  const bool on_card = chosen < kCount;
  if (on_card && key_pressed(ImGuiKey_RightArrow)) chosen = std::min(chosen + 1, kCount - 1);
  if (on_card && key_pressed(ImGuiKey_LeftArrow) && chosen > 0) --chosen;
  if (key_pressed(ImGuiKey_DownArrow) && files > 0) chosen = on_card ? kCount : std::min(chosen + 1, kCount + files - 1);
  if (key_pressed(ImGuiKey_UpArrow) && !on_card) chosen = chosen == kCount ? 0 : chosen - 1;
}

}  // namespace

Answer draw_welcome(Ui& ui, const WelcomeInput& input, WelcomeState& state, const ScreenRect& area) {
  Region region(ui, "Welcome", area.a, {area.b.x - area.a.x, area.b.y - area.a.y}, ui.theme.window, 0, true);
  Answer answer;
  const float width = std::min(ui.px(960), area.b.x - area.a.x - ui.px(64)), height = area.b.y - area.a.y;
  const float x = std::round((area.a.x + area.b.x - width) / 2);
  float y = area.a.y + std::max(ui.px(26), std::round((height - ui.px(520)) * 0.4f));
  ImGui::SetCursorScreenPos({x, y});
  text(ui, "Tessera", ui.theme.text, ui.fonts.caption);
  ImGui::SetCursorScreenPos({x, y + ui.px(34)});
  text(ui, "CuTe layouts as pictures: see, check and run them.", ui.theme.dim, ui.fonts.body);
  y += ui.px(72);

  constexpr std::size_t kCount = std::size(kCards);
  const std::vector<Row> rows = rows_of(input);
  const std::size_t files = rows.size();
  const bool listens = !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId);
  if (listens) move_choice(state.chosen, files);
  const auto taken = [&](std::size_t which) { return listens && state.chosen == which && enter_pressed(); };
  const float gap = ui.px(16), card = (width - 2 * gap) / 3, card_height = ui.px(162);
  for (std::size_t i = 0; i < kCount; ++i) {
    const Card& each = kCards[i];
    if (draw_card(ui, each, {x + static_cast<float>(i) * (card + gap), y}, {card, card_height}, state.chosen == i) || taken(i))
      answer = Do{each.action, each.arguments};
  }
  y += card_height + ui.px(26);

  const float half = (width - gap) / 2;
  ImGui::SetCursorScreenPos({x, y});
  text(ui, input.left.empty() ? "RECENT DOCUMENTS" : "LEFT UNSAVED, AND RECENT DOCUMENTS", ui.theme.dim, ui.fonts.small);
  float row = y + ui.px(24);
  if (rows.empty()) {
    ImGui::SetCursorScreenPos({x + ui.px(8), row + ui.px(4)});
    text(ui, "none yet; a .tess file or an exported figure can be dropped here", ui.theme.dim, ui.fonts.small);
    row += ui.px(26);
  }
  for (std::size_t i = 0; i < files; ++i, row += ui.px(26)) {
    if (draw_file(ui, rows[i], {x, row}, half, state.chosen == kCount + i) || taken(kCount + i)) answer = rows[i].action;
  }
  ImGui::SetCursorScreenPos({x, row + ui.px(8)});
  if (button(ui, "Open a file", ButtonLook::plain, true, "Ctrl+O")) answer = Do{"file.open"};
  ImGui::SameLine(0, ui.px(8));
  if (button(ui, input.has_document ? "Back to the document" : "Begin with an empty document", ButtonLook::quiet, true, "Escape"))
    answer = CloseWelcome{};
  if (listens && key_pressed(ImGuiKey_Escape)) answer = CloseWelcome{};

  draw_hints(ui, {x + half + gap, y}, half);
  return answer;
}

}  // namespace tessera::studio
