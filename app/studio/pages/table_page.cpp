// SPDX-License-Identifier: BSD-3-Clause
#include "app/studio/pages/table_page.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/lang/values/value.hpp"

namespace tessera::studio {
namespace {

constexpr float kRow = 26, kTwoColumns = 900, kMostOfAColumn = 420, kMargins = 60, kBelow = 280;  // units

const Report* report_of(const Session& session, const std::string& name) {
  const EvaluatedBinding* line = session.find(name);
  if (!line || !line->value) return nullptr;
  const auto* report = std::get_if<std::shared_ptr<const Report>>(&line->value->any);
  return report ? report->get() : nullptr;
}

// The advice is made beside the frames, of a copy of the document and its values.
void ask_advice(const Session& session, TableState& state) {
  if (!state.advising) state.advising = std::make_unique<Jobs<AnswerTable>>();
  state.asked = session.values_revision();
  state.advising->ask([document = session.document(), values = session.bindings()](const std::stop_token&) {
    return or_refusal(
        [&] {
          const Result<DeviceModel> device = find_device_model("H200");
          const DefaultBudget budget;
          return device ? table_of(advise(program_of(document, values), *device)) : AnswerTable{device.error().message, {}, {}, {}};
        },
        [](const char* why) {
          return AnswerTable{std::string("no advice: ") + why, {}, {}, {}};
        });
  });
}

void renew(const Session& session, TableState& state) {
  if (state.advising) {
    for (auto& made : state.advising->take(0)) {
      state.table = std::move(made.value);
      state.revision = std::exchange(state.asked, 0);
      state.look = {};
      state.offered_for.reset();
    }
  }
  if (session.evaluating() || (state.table && state.revision == session.values_revision()) || state.asked != 0) return;
  if (state.binding.empty()) return ask_advice(session, state);
  const Report* report = report_of(session, state.binding);
  state.table = report ? std::optional(table_of(*report)) : std::nullopt;
  state.revision = session.values_revision();
  state.look = {};
}

// What is chosen is there; at first it is the best, or the worst finding.
void choose_one(TableState& state) {
  const std::size_t rows = state.table ? state.table->rows.size() : 0;
  if (rows == 0)
    state.chosen.reset();
  else if (!state.chosen || *state.chosen >= rows)
    state.chosen = 0;
}

// As wide as what stands in them, at most so much.
std::vector<float> widths_of(const Ui& ui, const AnswerTable& table) {
  constexpr std::size_t kLooked = 200;  // rows
  const Face &head = ui.fonts.strong, &body = ui.fonts.mono_small;
  std::vector<float> widths;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    float width = text_size(head.font, head.size, table.columns[c].c_str(), nullptr).x + ui.px(14);
    for (std::size_t row = 0; row < std::min(table.rows.size(), kLooked); ++row)
      width = std::max(width, text_size(body.font, body.size, table.rows[row].cells[c].words.c_str(), nullptr).x);
    widths.push_back(std::min(width, ui.px(kMostOfAColumn)) + ui.px(16));
  }
  return widths;
}

float sum(const std::vector<float>& widths) { return std::accumulate(widths.begin(), widths.end(), 0.0f); }

// In a room that is smaller the widest give way, all to one width.
void cut_to(std::vector<float>& widths, float room) {
  std::vector<float> sorted = widths;
  std::sort(sorted.begin(), sorted.end());
  float left = room, most = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    most = left / static_cast<float>(sorted.size() - i);
    if (sorted[i] > most) break;
    left -= sorted[i];
    most = sorted[i];
  }
  for (float& width : widths) width = std::min(width, most);
}

void draw_head(Ui& ui, TableState& state, const std::vector<float>& widths) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Face& face = ui.fonts.strong;
  ImDrawList* list = ImGui::GetWindowDrawList();
  float x = at.x;
  for (std::size_t c = 0; c < widths.size(); ++c) {
    const std::string& name = state.table->columns[c];
    const ImVec2 a(x, at.y), b(x + widths[c], at.y + ui.px(kRow));
    ImGui::SetCursorScreenPos(a);
    ImGui::PushID(static_cast<int>(c));
    const bool pressed = ImGui::InvisibleButton("column", {widths[c], ui.px(kRow)});
    if (ImGui::IsItemHovered()) list->AddRectFilled(a, b, ui.theme.hover, ui.px(4));
    ImGui::PopID();
    const bool is_it = state.view.by == c;
    // Once up, once down, and once as it was answered.
    if (pressed && is_it && state.view.descending)
      state.view.by.reset();
    else if (pressed)
      state.view.descending = is_it, state.view.by = c;
    const std::string words = elided(face, name, widths[c] - ui.px(24));
    list->AddText(face.font, face.size, {x + ui.px(6), at.y + ui.px(4)}, is_it ? ui.theme.accent : ui.theme.dim, words.c_str());
    if (is_it) {
      const float end = x + ui.px(12) + text_size(face.font, face.size, words.c_str(), nullptr).x, r = ui.px(4), y = at.y + ui.px(13);
      const float tip = state.view.descending ? r : -r;
      list->AddTriangleFilled({end, y - tip / 2}, {end + 2 * r, y - tip / 2}, {end + r, y + tip / 2}, ui.theme.accent);
    }
    ui.recorder.add(name, "column", !is_it ? "" : state.view.descending ? "descending" : "ascending", a, b);
    x = b.x;
  }
  ImGui::SetCursorScreenPos({at.x, at.y + ui.px(kRow)});
  list->AddLine({at.x, at.y + ui.px(kRow)}, {x, at.y + ui.px(kRow)}, ui.theme.border);
}

ImU32 color_of(const Ui& ui, const std::string& words) {
  return words == "wrong" ? ui.theme.bad : words == "slow" ? ui.theme.warn : words == "right" ? ui.theme.good : ui.theme.text;
}

// Only the rows in sight are drawn.
void draw_rows(Ui& ui, TableState& state, const std::vector<std::size_t>& rows, const std::vector<float>& widths) {
  const Face& face = ui.fonts.mono_small;
  float width = 0;
  for (const float each : widths) width += each;
  ImGuiListClipper clipper;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  clipper.Begin(static_cast<int>(rows.size()), ui.px(kRow));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const std::size_t row = rows[static_cast<std::size_t>(i)];
      const ImVec2 at = ImGui::GetCursorScreenPos(), end(at.x + width, at.y + ui.px(kRow));
      ImGui::PushID(static_cast<int>(row));
      if (ImGui::InvisibleButton("row", {width, ui.px(kRow)})) state.chosen = row;
      const bool chosen = state.chosen == row, hot = ImGui::IsItemHovered();
      ImGui::PopID();
      ImDrawList* list = ImGui::GetWindowDrawList();
      if (chosen || hot) list->AddRectFilled(at, end, chosen ? ui.theme.accent_soft : ui.theme.hover, ui.px(4));
      float x = at.x;
      std::string said;
      for (std::size_t c = 0; c < widths.size(); ++c) {
        const AnswerTable::Cell& cell = state.table->rows[row].cells[c];
        const std::string words = elided(face, one_line(cell.words), widths[c] - ui.px(12));
        const float wide = text_size(face.font, face.size, words.c_str(), nullptr).x;
        const float left = cell.number ? x + widths[c] - ui.px(10) - wide : x + ui.px(6);
        list->AddText(face.font, face.size, {left, at.y + ui.px(6)}, c == 0 ? color_of(ui, cell.words) : ui.theme.text, words.c_str());
        said += (c == 0 ? "" : " | ") + cell.words;
        x += widths[c];
      }
      ui.recorder.add(said, "table row", chosen ? "selected" : "", at, end);
    }
  }
  ImGui::PopStyleVar();
}

// Which rows are shown and how wide columns are: a sort and a measure of text, which a frame has no time for.
void look_at(const Ui& ui, TableState& state) {
  const TableState::Look look{state.revision + 1, state.view, ui.scale};  // none is of a table yet: 0
  if (state.look == look) return;
  state.look = look;
  state.rows = shown_rows(*state.table, state.view);
  state.widths = widths_of(ui, *state.table);
}

// What can be done, asked of all lines of the document.
void offer(const Session& session, TableState& state) {
  const std::pair now(state.chosen.value_or(0), session.values_revision());
  if (state.offered_for == now) return;
  state.offered_for = now;
  const Report* report = report_of(session, state.binding);
  state.offers_of_answer = report ? offers_of(session, state.binding, *report) : std::vector<Offer>();
  state.offers = state.chosen ? offers_of(session, state.binding, state.table->rows[*state.chosen]) : std::vector<Offer>();
}

// The chosen row whole, and what can be done with it.
Answer draw_chosen(Ui& ui, const Session& session, TableState& state) {
  Answer answer;
  const AnswerTable& table = *state.table;
  offer(session, state);
  const auto draw = [&](const std::vector<Offer>& offers) {
    bool first = true;
    for (const Offer& each : offers) {
      if (!first) ImGui::SameLine(0, ui.px(6));
      if (!first && ImGui::GetContentRegionAvail().x < ImGui::CalcTextSize(each.title.c_str()).x + ui.px(24)) ImGui::NewLine();
      if (!button(ui, each.title.c_str(), std::exchange(first, false) ? ButtonLook::primary : ButtonLook::plain)) continue;
      answer = Do{each.action, each.arguments};
      if (each.action == "figure.show") state.open = false;  // the figure is behind it
    }
  };
  if (!state.offers_of_answer.empty()) {
    heading(ui, "THE ANSWER");
    draw(state.offers_of_answer);
  }
  heading(ui, "ROW");
  if (!state.chosen || *state.chosen >= table.rows.size()) {
    text(ui, "the table has no rows", ui.theme.dim, ui.fonts.body);
    return answer;
  }
  const AnswerTable::Row& row = table.rows[*state.chosen];
  draw(state.offers);
  ImGui::Dummy({0, ui.px(6)});
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (!row.cells[c].words.empty()) fact(ui, table.columns[c], row.cells[c].words);
  }
  return answer;
}

// Up and down by the keys.
void move_choice(TableState& state, const std::vector<std::size_t>& rows) {
  if (rows.empty() || ImGui::GetIO().WantTextInput) return;
  const auto here = state.chosen ? std::find(rows.begin(), rows.end(), *state.chosen) : rows.end();
  if (key_pressed(ImGuiKey_DownArrow)) state.chosen = here == rows.end() ? rows.front() : here + 1 == rows.end() ? *here : *(here + 1);
  if (key_pressed(ImGuiKey_UpArrow)) state.chosen = here == rows.end() ? rows.back() : here == rows.begin() ? *here : *(here - 1);
}

}  // namespace

Answer draw_table(Ui& ui, const Session& session, TableState& state, const ScreenRect& area) {
  renew(session, state);
  choose_one(state);
  const float width = area.b.x - area.a.x, side = std::round(std::min(width * 0.32f, ui.px(380)));
  if (state.table) look_at(ui, state);
  std::vector<float> widths = state.table ? state.widths : std::vector<float>();
  // The chosen row stands beside the table where that cuts no column, else below it.
  const bool beside = width >= ui.px(kTwoColumns) && sum(widths) + side + ui.px(kMargins) <= width;
  const float split = beside ? area.b.x - side : area.b.x;
  Answer answer;
  if (beside && state.table) {
    Region details(ui, "Row", {split, area.a.y}, {area.b.x - split, area.b.y - area.a.y}, ui.theme.panel, 16);
    answer = draw_chosen(ui, session, state);
  }
  Region region(ui, "Table", area.a, {split - area.a.x, area.b.y - area.a.y}, ui.theme.canvas, 16);
  text(ui, state.binding.empty() ? std::string("What is wrong or slow") : state.binding, ui.theme.text, ui.fonts.title);
  ImGui::SameLine(0, ui.px(16));
  const bool closes = button(ui, "Close the table", ButtonLook::quiet, true, "Escape");
  const bool escapes = !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId) && !ImGui::GetIO().WantTextInput && key_pressed(ImGuiKey_Escape);
  if (closes || escapes) state.open = false;
  if (!state.table) {
    const bool comes = state.waiting() || session.evaluating();
    wrapped_text(ui, comes ? "looking ..." : state.binding + " has no table now: its line has another value, or none", ui.theme.dim,
                 ui.fonts.body);
    return answer;
  }
  if (state.waiting() || session.evaluating()) text(ui, "looking again: the table is of an earlier text", ui.theme.warn, ui.fonts.small);
  const AnswerTable& table = *state.table;
  wrapped_text(ui, table.sentence, ui.theme.text, ui.fonts.body);
  for (const std::string& note : table.notes) wrapped_text(ui, note, ui.theme.dim, ui.fonts.small);
  edit_hinted(ui, "Filter the rows", state.view.filter, "words that a row has, or a column: all<200");
  look_at(ui, state);
  const std::vector<std::size_t>& rows = state.rows;
  text(ui,
       rows.size() == table.rows.size() ? counted(rows.size(), "row")
                                        : fmt::format("{} of {}", rows.size(), counted(table.rows.size(), "row")),
       ui.theme.dim, ui.fonts.small);
  move_choice(state, rows);
  ImGui::Dummy({0, ui.px(4)});
  cut_to(widths, ImGui::GetContentRegionAvail().x - ui.px(12));
  draw_head(ui, state, widths);
  {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float below = beside ? 0 : std::min(ui.px(kBelow), (area.b.y - area.a.y) * 0.4f),
                high = std::max(area.b.y - at.y - below - ui.px(8), ui.px(3 * kRow));
    Region body(ui, "Rows", at, {split - at.x, high}, ui.theme.canvas, 0);
    draw_rows(ui, state, rows, widths);
  }
  if (beside) return answer;
  return draw_chosen(ui, session, state);
}

}  // namespace tessera::studio
