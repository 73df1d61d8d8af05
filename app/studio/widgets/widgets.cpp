// SPDX-License-Identifier: BSD-3-Clause
// Widgets: drawing and writing down.
#include "app/studio/widgets/widgets.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/base/json.hpp"
#include "core/base/utf8.hpp"

namespace tessera::studio {

void Recorder::add(std::string_view label, std::string_view role, std::string_view value, ImVec2 a, ImVec2 b) {
  items_.push_back({regions_.empty() ? std::string() : regions_.back(), std::string(label), std::string(role), std::string(value), a.x, a.y,
                    b.x - a.x, b.y - a.y});
}

const RecordedItem* Recorder::find(std::string_view label, std::string_view role) const {
  for (const RecordedItem& item : items_) {
    if (item.label == label && (role.empty() || item.role == role)) return &item;
  }
  return nullptr;
}

std::string Recorder::to_json() const {
  Json::List items;
  for (const RecordedItem& item : items_) {
    items.push_back(Json::object({{"region", item.region},
                                  {"label", item.label},
                                  {"role", item.role},
                                  {"value", item.value},
                                  {"rect", Json::List{item.x, item.y, item.w, item.h}}}));
  }
  return Json(std::move(items)).dump(1);
}

Region::Region(Ui& ui, const char* name, ImVec2 position, ImVec2 size, ImU32 background, float padding, bool scrolls) : ui_(ui) {
  ImGui::SetCursorScreenPos(position);
  ImGui::PushStyleColor(ImGuiCol_ChildBg, background);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(padding), ui.px(padding)));
  ImGuiWindowFlags flags = 0;
  if (!scrolls) flags |= ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
  begin_child(name, {std::max(size.x, 1.0f), std::max(size.y, 1.0f)}, flags);
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  ui.recorder.enter(name);
}

Region::~Region() {
  ui_.recorder.leave();
  ImGui::EndChild();
}

namespace {

// Where the keys go, seen once they are used to go from one to the next.
void ring_of_last(Ui& ui) {
  if (!ImGui::IsItemFocused() || !ImGui::GetIO().NavVisible) return;
  const float out = ui.px(1);
  const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
  add_rect(ImGui::GetWindowDrawList(), {a.x - out, a.y - out}, {b.x + out, b.y + out}, ui.theme.accent, ui.px(6), ui.px(2));
}

void record_last(Ui& ui, std::string_view label, std::string_view role, std::string_view value = {}) {
  ui.recorder.add(label.substr(0, label.find("##")), role, value, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  if (role == "edit" && ImGui::IsItemActive()) ui.recorder.focus();
  if (role != "text" && role != "edit") ring_of_last(ui);
}

// Above the widget, or below it at the window's head: what it opens or says lies on the other side.
void tooltip_of_last(Ui& ui, const char* words) {
  if (!words || !ImGui::IsItemHovered()) return;
  constexpr float kHead = 130, kGap = 6;  // units
  const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax(), screen = ImGui::GetIO().DisplaySize;
  const bool below = a.y < ui.px(kHead);
  const Face& face = ui.fonts.small;
  const ImVec2 size = text_size(face.font, face.size, words, nullptr);
  const float width = size.x + 2 * ui.px(10), x = std::max(std::min(a.x, screen.x - width - ui.px(8)), 0.0f);
  ImGui::SetNextWindowPos({x, below ? b.y + ui.px(kGap) : a.y - ui.px(kGap)}, ImGuiCond_Always, {0, below ? 0.0f : 1.0f});
  tooltip(ui, words);
}

}  // namespace

bool pressed_by_key(Ui& ui) {
  const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
  add_rect(ImGui::GetWindowDrawList(), {a.x - ui.px(2), a.y - ui.px(2)}, {b.x + ui.px(2), b.y + ui.px(2)}, ui.theme.accent, ui.px(7),
           ui.px(1.5f));
  ui.recorder.focus();
  if (!ImGui::IsItemVisible()) ImGui::SetScrollHereY();
  constexpr ImGuiKey kPressing[] = {ImGuiKey_Space, ImGuiKey_Enter, kKeypadEnter};
  bool pressed = false;
  for (const ImGuiKey key : kPressing) {
    if (!key_pressed(key)) continue;
    use_up(key);
    pressed = true;
  }
  return pressed;
}

InRing::InRing(Ui& ui, TabRing& ring) : ui_(ui), around_(ui.ring) {
  ui.ring = &ring;
  ring.begin();
}

InRing::~InRing() {
  ui_.ring->end();
  ui_.ring = around_;
}

void tooltip(Ui& ui, std::string_view words) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(10), ui.px(7)));
  ImGui::BeginTooltip();
  text(ui, words, ui.theme.text, ui.fonts.small);
  ImGui::EndTooltip();
  ImGui::PopStyleVar();
}

bool button(Ui& ui, const char* label, ButtonLook look, bool enabled, const char* tooltip) {
  const Theme& t = ui.theme;
  ImU32 ground = t.raised, ink = t.text, hover = t.hover;
  switch (look) {
    case ButtonLook::plain: break;
    case ButtonLook::quiet:
      ground = 0;
      ink = t.dim;
      break;
    case ButtonLook::primary:
      ground = t.accent;
      ink = t.on_accent;
      hover = faded(t.accent, 0.85f);
      break;
    case ButtonLook::danger:
      ground = t.bad_soft;
      ink = t.bad;
      break;
  }
  if (!enabled) ink = t.faint;
  if (!enabled && look == ButtonLook::primary) ground = t.raised;
  ImGui::PushStyleColor(ImGuiCol_Button, ground);
  ImGui::PushStyleColor(ImGuiCol_ButtonHovered, enabled ? hover : ground);
  ImGui::PushStyleColor(ImGuiCol_Text, ink);
  const bool focused = ui.ring && enabled && ui.ring->stop(ImGui::GetID(label), TabRing::Stop::button);
  bool pressed = ImGui::Button(label) && enabled;
  ImGui::PopStyleColor(3);
  record_last(ui, label, "button", enabled ? "" : "disabled");
  if (pressed && ui.ring) ui.ring->clicked(ImGui::GetID(label));
  if (focused) pressed = pressed_by_key(ui) || pressed;
  tooltip_of_last(ui, tooltip);
  return pressed;
}

bool choice(Ui& ui, const char* label, bool selected) {
  const bool focused = ui.ring && ui.ring->stop(ImGui::GetID(label), TabRing::Stop::choices);
  bool pressed = ImGui::MenuItem(label, nullptr, selected);
  record_last(ui, label, "choice", selected ? "selected" : "");
  if (!focused || !pressed_by_key(ui)) return pressed;
  ImGui::CloseCurrentPopup();  // as a click does
  return true;
}

bool menu_row(Ui& ui, const MenuRow& row) {
  const bool enabled = row.why_not.empty();
  const char* const label = row.label.c_str();
  const bool focused = ui.ring && enabled && ui.ring->stop(ImGui::GetID(label), TabRing::Stop::choices);
  const bool pressed = ImGui::MenuItem(label, row.keys, false, enabled);
  record_last(ui, row.said, "menu item", enabled ? std::string() : fmt::format("disabled: {}", row.why_not));
  if (!focused || !pressed_by_key(ui)) return pressed;
  ImGui::CloseCurrentPopup();  // as a click does
  return true;
}

bool chevron(Ui& ui, const char* label, bool left, ImVec2 size, const char* tooltip) {
  const ImVec2 at = ImGui::GetCursorScreenPos(), middle(std::round(at.x + size.x / 2), std::round(at.y + size.y / 2));
  const bool pressed = ImGui::InvisibleButton(label, size), hot = ImGui::IsItemHovered();
  const float half = ui.px(4), tip = left ? -half / 2 : half / 2;
  const ImVec2 corners[] = {{middle.x - tip, middle.y - half}, {middle.x + tip, middle.y}, {middle.x - tip, middle.y + half}};
  const ImU32 ink = hot ? ui.theme.accent : ui.theme.dim;
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddLine(corners[0], corners[1], ink, ui.px(1.6f));
  list->AddLine(corners[1], corners[2], ink, ui.px(1.6f));
  record_last(ui, label, "button");
  tooltip_of_last(ui, tooltip ? tooltip : label);
  return pressed;
}

bool sign_button(Ui& ui, const char* label, Sign sign, ImVec2 size, bool enabled, const char* tooltip) {
  const ImVec2 at = ImGui::GetCursorScreenPos(), m(std::round(at.x + size.x / 2), std::round(at.y + size.y / 2));
  const bool focused = ui.ring && enabled && ui.ring->stop(ImGui::GetID(label), TabRing::Stop::button);
  bool pressed = ImGui::InvisibleButton(label, size) && enabled;
  const bool hot = enabled && ImGui::IsItemHovered();
  if (pressed && ui.ring) ui.ring->clicked(ImGui::GetID(label));
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (hot) list->AddRectFilled({at.x, at.y + ui.px(2)}, {at.x + size.x, at.y + size.y - ui.px(2)}, ui.theme.hover, ui.px(4));
  const ImU32 ink = !enabled ? ui.theme.faint : hot ? ui.theme.text : ui.theme.dim;
  const float r = std::round(ui.px(5)), wide = std::max(std::round(ui.px(1.3f)), 1.0f);
  const auto line = [&](float x0, float y0, float x1, float y1) { list->AddLine({m.x + x0, m.y + y0}, {m.x + x1, m.y + y1}, ink, wide); };
  switch (sign) {
    case Sign::fit:  // four corners
      for (const float x : {-r, r}) {
        for (const float y : {-r, r}) {
          line(x, y, x / 3, y);
          line(x, y, x, y / 3);
        }
      }
      break;
    case Sign::larger: add_rect(list, {m.x - r, m.y - r}, {m.x + r + 1, m.y + r + 1}, ink, 0, wide); break;
    case Sign::smaller:
      add_rect(list, {m.x - r, m.y - r / 3}, {m.x + r / 3 + 1, m.y + r + 1}, ink, 0, wide);
      line(-r / 3, -r, r, -r);
      line(r, -r, r, r / 3);
      break;
    case Sign::close:
      line(-r + 1, -r + 1, r - 1, r - 1);
      line(-r + 1, r - 1, r - 1, -r + 1);
      break;
    case Sign::up:
    case Sign::down: {
      const float tip = sign == Sign::up ? -r / 2 : r / 2;
      line(-r, -tip, 0, tip);
      line(0, tip, r, -tip);
      break;
    }
  }
  record_last(ui, label, "button", enabled ? "" : "disabled");
  if (focused) pressed = pressed_by_key(ui) || pressed;
  tooltip_of_last(ui, tooltip);
  return pressed;
}

void text(Ui& ui, std::string_view s, ImU32 color, const Face& face) {
  const std::string shown = printable(s, Lines::kept);
  WithFont with(face);
  ImGui::PushStyleColor(ImGuiCol_Text, color);
  ImGui::TextUnformatted(shown.data(), shown.data() + shown.size());
  ImGui::PopStyleColor();
  record_last(ui, shown, "text");
}

void wrapped_text(Ui& ui, std::string_view s, ImU32 color, const Face& face) {
  ImGui::PushTextWrapPos(0.0f);
  text(ui, s, color, face);
  ImGui::PopTextWrapPos();
}

void fact(Ui& ui, std::string_view name, std::string_view value) {
  const float left = ImGui::GetCursorPosX(), column = ui.px(104);
  text(ui, name, ui.theme.dim, ui.fonts.body);
  // A long name has its value behind it where there is room, else below.
  const float wide = ImGui::GetItemRectSize().x + ui.px(10);
  const Face& mono = ui.fonts.mono;
  const float room = ImGui::GetContentRegionAvail().x - wide,
              wanted = text_size(mono.font, mono.size, value.data(), value.data() + value.size()).x;
  if (wide <= column)
    ImGui::SameLine(left + column);
  else if (wanted <= room || wide < 1.3f * column)
    ImGui::SameLine(left + wide);
  else
    ImGui::SetCursorPosX(left + column);
  wrapped_text(ui, value, ui.theme.text, ui.fonts.mono);
}

void badge(Ui& ui, std::string_view foreign, ImU32 color) {
  const std::string word = printable(foreign);
  WithFont with(ui.fonts.small);
  const ImVec2 size = ImGui::CalcTextSize(word.data(), word.data() + word.size());
  const ImVec2 pad(ui.px(7), ui.px(2)), at = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 end(at.x + size.x + 2 * pad.x, at.y + size.y + 2 * pad.y);
  list->AddRectFilled(at, end, faded(color, 0.16f), ui.px(5));
  list->AddText({at.x + pad.x, at.y + pad.y}, color, word.data(), word.data() + word.size());
  ImGui::Dummy({end.x - at.x, end.y - at.y});
  record_last(ui, word, "text");
}

void heading(Ui& ui, std::string_view words) {
  ImGui::Dummy({0, ui.px(6)});
  text(ui, words, ui.theme.dim, ui.fonts.small);
  ImGui::Dummy({0, ui.px(1)});
}

namespace {

float height_of_lines(Ui& ui, const std::string& value, int most_lines = kMostLines) {
  const auto lines = static_cast<float>(std::min<std::ptrdiff_t>(std::count(value.begin(), value.end(), '\n') + 1, most_lines));
  return lines * ImGui::GetTextLineHeight() + ui.px(14);
}

// What every field has around it.
template <class Draw>
bool draw_field(Ui& ui, const char* label, const std::string& value, const Draw& draw) {
  WithFont with(ui.fonts.mono);
  const std::string id = std::string("##") + label;
  ImGui::PushStyleColor(ImGuiCol_FrameBg, ui.theme.window);
  ImGui::SetNextItemWidth(-1);
  if (ui.ring) ui.ring->stop(ImGui::GetID(id.c_str()), TabRing::Stop::field);
  const bool done = draw(id.c_str());
  ImGui::PopStyleColor();
  if (ui.ring && ImGui::IsItemActive()) ui.ring->be_in(ImGui::GetID(id.c_str()));
  if (ImGui::IsItemActive()) {
    add_rect(ImGui::GetWindowDrawList(), ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), ui.theme.accent, ui.px(6), ui.px(1.5f));
  }
  record_last(ui, label, "edit", value);
  return done;
}

}  // namespace

namespace {

// Where Tab leads into a field, what stands there is typed over.
ImGuiInputTextFlags in_dialog(const Ui& ui) { return ui.ring ? ImGuiInputTextFlags_AutoSelectAll : 0; }

}  // namespace

bool edit(Ui& ui, const char* label, std::string& value, bool multiline, int most_lines) {
  return draw_field(ui, label, value, [&](const char* id) {
    return multiline ? ImGui::InputTextMultiline(id, &value, {-1, height_of_lines(ui, value, most_lines)})
                     : ImGui::InputText(id, &value, in_dialog(ui));
  });
}

bool edit_with_tab(Ui& ui, const char* label, std::string& value, const std::function<std::string(const std::string&)>& completed) {
  const auto on_tab = [](ImGuiInputTextCallbackData* data) {
    const auto& complete = *static_cast<const std::function<std::string(const std::string&)>*>(data->UserData);
    const std::string whole = complete(std::string(data->Buf, static_cast<std::size_t>(data->BufTextLen)));
    data->DeleteChars(0, data->BufTextLen);
    data->InsertChars(0, whole.c_str());
    return 0;
  };
  auto given = completed;
  if (ui.ring && completed(value) != value) ui.ring->keep_tab();
  return draw_field(ui, label, value,
                    [&](const char* id) { return ImGui::InputText(id, &value, ImGuiInputTextFlags_CallbackCompletion, on_tab, &given); });
}

namespace {

// Tells where the cursor stands, and does what was asked for meanwhile.
int follow_cursor(ImGuiInputTextCallbackData* data) {
  auto& state = *static_cast<FieldCursor*>(data->UserData);
  if (const auto replace = std::exchange(state.replace, std::nullopt);
      replace && replace->end <= static_cast<std::size_t>(data->BufTextLen)) {
    const auto begin = static_cast<int>(replace->begin);
    data->DeleteChars(begin, static_cast<int>(replace->end) - begin);
    data->InsertChars(begin, replace->with.data(), replace->with.data() + replace->with.size());
    data->CursorPos = data->SelectionStart = data->SelectionEnd = begin + static_cast<int>(replace->with.size());
  }
  if (std::exchange(state.select_all, false)) data->SelectAll();
  state.at = static_cast<std::size_t>(data->CursorPos);
  return 0;
}

constexpr ImGuiInputTextFlags kWatched = ImGuiInputTextFlags_CallbackAlways;

}  // namespace

bool edit_at(Ui& ui, const char* label, std::string& value, bool multiline, FieldCursor& cursor) {
  return draw_field(ui, label, value, [&](const char* id) {
    return multiline ? ImGui::InputTextMultiline(id, &value, {-1, height_of_lines(ui, value)}, kWatched, follow_cursor, &cursor)
                     : ImGui::InputText(id, &value, kWatched | ImGuiInputTextFlags_AutoSelectAll, follow_cursor, &cursor);
  });
}

bool edit_hinted(Ui& ui, const char* label, std::string& value, const char* hint) {
  return draw_field(ui, label, value, [&](const char* id) { return ImGui::InputTextWithHint(id, hint, &value, in_dialog(ui)); });
}

EditDone edit_once(Ui& ui, const char* label, std::string& value, const char* hint, FieldCursor* lines) {
  constexpr ImGuiInputTextFlags kTaken = ImGuiInputTextFlags_EnterReturnsTrue;
  const bool taken = draw_field(ui, label, value, [&](const char* id) {
    if (!lines) return ImGui::InputTextWithHint(id, hint ? hint : "", &value, kTaken | ImGuiInputTextFlags_AutoSelectAll);
    // A field of lines is a window of its own: what lies below it shows through.
    const ImVec2 at = ImGui::GetCursorScreenPos(), size(ImGui::GetContentRegionAvail().x, height_of_lines(ui, value));
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled(at, {at.x + size.x, at.y + size.y}, ui.theme.window, ui.px(6));
    if (value.empty() && hint) {
      const std::string shown = elided(ui.fonts.mono, hint, size.x - ui.px(20));
      list->AddText({at.x + ui.px(10), at.y + ui.px(6)}, ui.theme.dim, shown.c_str());
    }
    ImGui::PushStyleColor(ImGuiCol_FrameBg, IM_COL32(0, 0, 0, 0));
    const bool done =
        ImGui::InputTextMultiline(id, &value, size, kTaken | kWatched | ImGuiInputTextFlags_CtrlEnterForNewLine, follow_cursor, lines);
    ImGui::PopStyleColor();
    return done;
  });
  if (taken) return EditDone::taken;
  return ImGui::IsItemDeactivated() ? EditDone::left : EditDone::typing;
}

bool tab(Ui& ui, const char* label, bool selected) {
  WithFont with(selected ? ui.fonts.strong : ui.fonts.body);
  const ImVec2 size = ImGui::CalcTextSize(label, nullptr, true), at = ImGui::GetCursorScreenPos();
  const ImVec2 area(size.x + ui.px(20), ui.px(34));
  const bool pressed = ImGui::InvisibleButton(label, area);
  const ImU32 ink = selected ? ui.theme.text : ImGui::IsItemHovered() ? ui.theme.text : ui.theme.dim;
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddText({at.x + ui.px(10), at.y + (area.y - size.y) / 2}, ink, label);
  if (selected) {
    list->AddRectFilled({at.x + ui.px(8), at.y + area.y - ui.px(2)}, {at.x + area.x - ui.px(8), at.y + area.y}, ui.theme.accent, ui.px(1));
  }
  record_last(ui, label, "tab", selected ? "selected" : "");
  return pressed;
}

bool splitter(Ui& ui, const char* label, ImVec2 at, ImVec2 size, bool vertical, float& position, float least, float most, float direction) {
  ImGui::SetCursorScreenPos(at);
  ImGui::InvisibleButton(label, size);
  record_last(ui, label, "splitter");
  const bool hot = ImGui::IsItemHovered() || ImGui::IsItemActive();
  if (hot) ImGui::SetMouseCursor(vertical ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
  const ImU32 color = hot ? ui.theme.accent : ui.theme.border;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float mid = vertical ? at.x + size.x / 2 : at.y + size.y / 2;
  if (vertical) {
    list->AddRectFilled({mid - 0.5f, at.y}, {mid + 0.5f, at.y + size.y}, color);
  } else {
    list->AddRectFilled({at.x, mid - 0.5f}, {at.x + size.x, mid + 0.5f}, color);
  }
  if (!ImGui::IsItemActive()) return false;
  const ImVec2 delta = ImGui::GetIO().MouseDelta;
  position = std::clamp(position + direction * (vertical ? delta.x : delta.y) / ui.scale, least, std::max(least, most));
  return true;
}

std::string one_line(std::string_view expression) {
  std::string line;
  bool comment = false, quoted = false;
  for (const char c : expression) {
    if (c == '"' && !comment) quoted = !quoted;
    if (c == '#' && !quoted) comment = true;
    if (c == '\n') comment = false;
    const bool blank = c == '\n' || c == '\t' || c == ' ' || c == '\r';
    if (comment || (blank && (line.empty() || line.back() == ' ' || line.back() == '('))) continue;
    line += blank ? ' ' : c;
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

std::string counted(std::size_t count, std::string_view one) { return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s"); }

std::string elided(const Face& face, std::string_view s, float width) {
  constexpr std::size_t kMostLetters = 400;  // no place on a screen is wider
  const std::string_view kept = utf8_prefix(s.substr(0, s.find('\n')), kMostLetters);
  std::string line = printable(kept);
  if (kept.size() < s.size()) line += " …";
  if (text_size(face.font, face.size, line.data(), line.data() + line.size()).x <= width) return line;
  // As many letters as have room: so many bytes have, and so many have not.
  std::size_t fits = 0, over = line.size();
  std::string cut;
  while (fits + 1 < over) {
    const std::size_t middle = (fits + over) / 2;
    cut = std::string(utf8_prefix(line, middle)) + "…";
    (text_size(face.font, face.size, cut.data(), cut.data() + cut.size()).x <= width ? fits : over) = middle;
  }
  return std::string(utf8_prefix(line, fits)) + "…";
}

std::string elided_middle(const Face& face, std::string_view name, float width) {
  const std::string whole = printable(name);
  const auto wide = [&](const std::string& part) { return text_size(face.font, face.size, part.data(), part.data() + part.size()).x; };
  if (wide(whole) <= width) return whole;
  for (std::size_t kept = whole.size(); kept-- > 1;) {
    const std::string_view begin = utf8_prefix(whole, (kept + 1) / 2);
    std::size_t end = whole.size() - kept / 2;
    while (end < whole.size() && (static_cast<unsigned char>(whole[end]) & 0xc0) == 0x80) ++end;  // not within a letter
    const std::string cut = std::string(begin) + "…" + whole.substr(end);
    if (wide(cut) <= width) return cut;
  }
  return "…";
}

}  // namespace tessera::studio
