// SPDX-License-Identifier: BSD-3-Clause
#include "app/studio/panels/binding_list.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "app/session/actions/fuzzy.hpp"
#include "app/session/document/comments.hpp"
#include "app/studio/panels/list_rows.hpp"

namespace tessera::studio {
namespace {

using Item = ListLayout::Item;
using Kind = ListLayout::Item::Kind;
using Shown = ListLayout::Shown;

constexpr float kGap = 3;  // below each row
constexpr float kAboveComment = 12, kBelowComment = 5;
constexpr float kUnseen = 60;               // the height of what was never drawn
constexpr std::size_t kMostSearched = 400;  // bytes of an expression

bool contains(std::string_view text, std::string_view typed) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  };
  return std::search(text.begin(), text.end(), typed.begin(), typed.end(), same) != text.end();
}

// Letters may be left out of names and kinds. An expression has so many that any would fit, so there they must stand side by side.
bool passes(const std::string& filter, const EvaluatedBinding& binding, std::string_view expression) {
  if (filter.empty() || fuzzy_score(filter, binding.name)) return true;
  const std::string_view kind = binding.value ? kind_name(*binding.value) : "error";
  return fuzzy_score(filter, kind) || contains(expression.substr(0, kMostSearched), filter);
}

class List {
 public:
  List(Ui& ui, const Session& session, BindingsState& state, const std::string& selected, const ScreenRect& area)
      : ui_(ui), session_(session), state_(state), list_(state.list), selected_(selected), area_(area) {}

  Answer draw();

 private:
  float view() const { return area_.b.y - area_.a.y; }
  float width() const { return area_.b.x - area_.a.x - ui_.px(14); }
  bool is_selected(const Item& item) const { return item.kind == Kind::binding && !selected_.empty() && item.key == selected_; }
  float height_of(const Item& item) const { return item.height + (is_selected(item) ? list_.editor_height : 0); }
  const EvaluatedBinding& binding(const Item& item) const { return session_.bindings()[item.number]; }

  void make_items();
  void add_binding(std::size_t number);
  void add_bad_lines(std::size_t before);
  float content() const;
  std::optional<float> top_of(std::string_view key) const;
  void keep_in_place();
  void reveal();
  void take_keys();
  void draw_items();
  void draw_item(Item& item, float top);
  void draw_binding(Item& item);
  void take_row(const Item& item, bool pressed);
  void drag();
  void draw_context_menu();
  void take(Answer answer) {
    if (answer) answer_ = std::move(answer);
  }

  Ui& ui_;
  const Session& session_;
  BindingsState& state_;
  ListLayout& list_;
  const std::string& selected_;
  const ScreenRect& area_;
  std::string whole_;  // the text, where there are bad lines
  Answer answer_;
  bool opens_menu_ = false;
};

// ---- what there is ----------------------------------------------------------------------------------------------------------------

void List::add_binding(std::size_t number) {
  const EvaluatedBinding& binding = session_.bindings()[number];
  const Binding& line = session_.document().bindings[number];
  if (!passes(list_.filter, binding, line.expression)) return;
  ++list_.matching;
  Item item{Kind::binding, number, binding.name.empty() ? fmt::format("#{}", number) : binding.name, {}, 0, ui_.px(kRowHeight + kGap)};
  // Headings of parts make sense above all of the part only.
  if (list_.filter.empty()) item.comment = comment_above(session_.document(), number);
  if (!item.comment.empty()) {
    const Face& small = ui_.fonts.small;
    const float lines = small.font->CalcTextSizeA(small.size, 3.0e38f, width() - ui_.px(8), item.comment.c_str()).y;
    item.comment_height = ui_.px(list_.items.empty() ? 2 : kAboveComment) + lines + ui_.px(kBelowComment);
  } else if (list_.filter.empty() && number > 0 && has_blank_line_above(session_.document(), number) &&
             !heading_of(session_.document(), number - 1).empty()) {
    item.comment_height = ui_.px(kAboveComment);  // the blank line has ended the heading
  }
  item.height += item.comment_height;
  if (binding.name.empty() && !binding.value) item.height += ui_.px(kUnseen);
  list_.items.push_back(std::move(item));
}

// Bad lines, and the one that was one, below so many bindings.
void List::add_bad_lines(std::size_t before) {
  if (!list_.filter.empty()) return;
  bool mended = !state_.mending || state_.mending->before != before;
  const auto add_mended = [&] {
    list_.items.push_back({Kind::mended_line, 0, fmt::format("@{}", state_.mending->begin), {}, 0, ui_.px(kUnseen)});
    mended = true;
  };
  const std::vector<BadLine>& lines = session_.document().bad_lines;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].before != before) continue;
    if (!mended && lines[i].span.begin > state_.mending->begin) add_mended();
    if (!mended && lines[i].span.begin == state_.mending->begin) mended = true;
    list_.items.push_back({Kind::bad_line, i, fmt::format("@{}", lines[i].span.begin), {}, 0, ui_.px(kUnseen)});
  }
  if (!mended) add_mended();
}

void List::make_items() {
  const bool has_bad_lines = !session_.document().bad_lines.empty() || state_.mending;
  if (has_bad_lines) whole_ = session_.text();
  const bool same = list_.revision == session_.values_revision() && list_.filter == state_.filter && list_.width == width() &&
                    list_.mending == state_.mending.has_value();
  if (same) return;
  std::vector<std::pair<std::string, float>> measured;  // rows whose height is not known before they are drawn
  for (const Item& item : list_.items) {
    if (item.kind != Kind::binding) measured.emplace_back(item.key, item.height);
  }
  list_.revision = session_.values_revision();
  list_.filter = state_.filter;
  list_.width = width();
  list_.mending = state_.mending.has_value();
  list_.matching = 0;
  list_.items.clear();
  const std::size_t count = std::min(session_.bindings().size(), session_.document().bindings.size());
  for (std::size_t i = 0; i < count; ++i) {
    if (has_bad_lines) add_bad_lines(i);
    add_binding(i);
  }
  if (has_bad_lines) add_bad_lines(count);
  for (Item& item : list_.items) {
    if (item.kind == Kind::binding) continue;
    const auto known = std::find_if(measured.begin(), measured.end(), [&](const auto& each) { return each.first == item.key; });
    if (known != measured.end()) item.height = known->second;
  }
}

float List::content() const {
  float height = ui_.px(kGap);
  for (const Item& item : list_.items) height += height_of(item);
  return height;
}

std::optional<float> List::top_of(std::string_view key) const {
  float top = 0;
  for (const Item& item : list_.items) {
    if (item.key == key) return top;
    top += height_of(item);
  }
  return std::nullopt;
}

// ---- where it stands ------------------------------------------------------------------------------------------------------------

// The selected row stays where it was on the screen, else the first that was in sight: what opens and closes above a row that was just
// clicked does not take it away from under the mouse.
void List::keep_in_place() {
  const auto was_shown = [&](std::string_view key) {
    return std::find_if(list_.shown.begin(), list_.shown.end(), [&](const Shown& each) { return each.key == key; });
  };
  auto anchor = was_shown(selected_);
  if (anchor == list_.shown.end() || anchor->end < 0 || anchor->row > view()) {
    anchor = std::find_if(list_.shown.begin(), list_.shown.end(), [&](const Shown& each) { return top_of(each.key).has_value(); });
  }
  if (anchor == list_.shown.end()) return;
  const std::optional<float> top = top_of(anchor->key);
  if (!top) return;
  list_.scroll.y = *top - anchor->y;
  // Where nothing is above, room is left as long as the mouse is here.
  const bool here = ImGui::IsMouseHoveringRect(area_.a, area_.b, false);
  if (!here)
    list_.scroll.least = 0;
  else if (list_.selected != selected_)
    list_.scroll.least = std::min(list_.scroll.y, 0.0f);
}

// A row that was selected elsewhere is brought into sight, and not moved when it is in sight.
void List::reveal() {
  if (!state_.reveal) return;
  state_.reveal = false;
  const auto item = std::find_if(list_.items.begin(), list_.items.end(), [&](const Item& each) { return is_selected(each); });
  if (item == list_.items.end()) return;
  const float top = *top_of(selected_), row = top + item->comment_height;
  const bool in_sight = row >= list_.scroll.y && row + ui_.px(kRowHeight) <= list_.scroll.y + view();
  if (!in_sight) list_.scroll.y = top - view() * 0.3f;
}

// Arrows go from line to line, and Enter into the selected one.
void List::take_keys() {
  const ImGuiIO& io = ImGui::GetIO();
  const int by = key_pressed(ImGuiKey_DownArrow) ? 1 : key_pressed(ImGuiKey_UpArrow) ? -1 : 0;
  if ((by == 0 && !enter_pressed()) || io.WantTextInput || io.KeyCtrl || io.KeyAlt || io.KeyShift || ImGui::IsAnyItemActive() ||
      state_.keys_are_elsewhere)
    return;
  if (ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel)) return;
  std::vector<const Item*> rows;
  for (const Item& item : list_.items) {
    if (item.kind == Kind::binding && !binding(item).name.empty()) rows.push_back(&item);
  }
  if (rows.empty()) return;
  const auto at = std::find_if(rows.begin(), rows.end(), [&](const Item* item) { return is_selected(*item); });
  if (by == 0) {
    if (at != rows.end()) answer_ = Do{"binding.edit"};
    return;
  }
  const auto now = at == rows.end() ? (by > 0 ? -1 : static_cast<std::ptrdiff_t>(rows.size())) : at - rows.begin();
  const auto next = std::clamp<std::ptrdiff_t>(now + by, 0, static_cast<std::ptrdiff_t>(rows.size()) - 1);
  if (next != now) answer_ = Do{"binding.select", {{"binding", rows[static_cast<std::size_t>(next)]->key}}};
}

// ---- drawing --------------------------------------------------------------------------------------------------------------------

void List::take_row(const Item& item, bool pressed) {
  const EvaluatedBinding& row = binding(item);
  if (row.name.empty()) return;
  if (ImGui::IsItemActive() && ImGui::IsMouseDragging(0, ui_.px(5))) state_.dragged = row.name;
  if (ImGui::IsItemHovered() && ImGui::IsMouseClicked(1)) {
    state_.menu_of = row.name;
    opens_menu_ = true;
  }
  if (!pressed || !state_.dragged.empty()) return;
  const bool beside = ImGui::GetIO().KeyCtrl || ImGui::GetIO().KeyShift;
  answer_ = Do{beside && row.value && is_drawable(*row.value) ? "figure.beside" : "figure.show", {{"binding", row.name}}};
}

void List::draw_binding(Item& item) {
  const EvaluatedBinding& row = binding(item);
  const std::string& expression = session_.document().bindings[item.number].expression;
  const float begin = ImGui::GetCursorScreenPos().y;
  ImGui::PushID(static_cast<int>(item.number));
  if (state_.renaming && !row.name.empty() && state_.renaming->from == row.name) {
    take(draw_renamed_row(ui_, session_, state_));
  } else {
    const bool pressed = draw_list_row(ui_, row, expression, {is_selected(item), state_.dragged == row.name && !row.name.empty()});
    take_row(item, pressed);
  }
  ImGui::PopID();
  if (!row.value && row.name.empty()) {
    draw_row_error(ui_, row.value.error(), expression);
    item.height = item.comment_height + ImGui::GetCursorScreenPos().y - begin;
  }
  if (!is_selected(item)) return;
  const float editor = ImGui::GetCursorScreenPos().y;
  take(draw_row_editor(ui_, session_, state_, row));
  list_.editor_height = ImGui::GetCursorScreenPos().y - editor;
}

void List::draw_item(Item& item, float top) {
  const float y = area_.a.y + top - list_.scroll.y;
  ImGui::SetCursorScreenPos({area_.a.x, y});
  Shown shown{item.key, y - area_.a.y, 0, y - area_.a.y + item.comment_height, item.number, item.kind == Kind::binding};
  if (!item.comment.empty()) {
    ImGui::SetCursorScreenPos({area_.a.x + ui_.px(8), y + item.comment_height - ui_.px(kBelowComment)});
    const Face& small = ui_.fonts.small;
    const float lines = small.font->CalcTextSizeA(small.size, 3.0e38f, width() - ui_.px(8), item.comment.c_str()).y;
    ImGui::SetCursorScreenPos({area_.a.x + ui_.px(8), y + item.comment_height - ui_.px(kBelowComment) - lines});
    wrapped_text(ui_, item.comment, ui_.theme.dim, ui_.fonts.small);
  }
  ImGui::SetCursorScreenPos({area_.a.x, y + item.comment_height});
  if (item.kind == Kind::binding) {
    draw_binding(item);
  } else {
    if (item.kind == Kind::bad_line)
      take(draw_bad_line(ui_, session_, state_, session_.document().bad_lines[item.number], whole_));
    else if (state_.mending)
      take(draw_mended_line(ui_, session_, state_));
    item.height = ImGui::GetCursorScreenPos().y - y;
  }
  shown.end = ImGui::GetCursorScreenPos().y - area_.a.y;
  list_.shown.push_back(std::move(shown));
}

void List::draw_items() {
  list_.shown.clear();
  float top = 0;
  for (std::size_t i = 0; i < list_.items.size(); ++i) {
    const float height = height_of(list_.items[i]);
    const bool in_sight = top + height > list_.scroll.y && top < list_.scroll.y + view();
    // A field that has the keyboard keeps it when it is scrolled out of sight.
    const bool is_typed_in = ImGui::IsAnyItemActive() && (is_selected(list_.items[i]) || list_.items[i].kind != Kind::binding);
    if (in_sight || is_typed_in) draw_item(list_.items[i], top);
    top += height;
  }
}

// A row on its way: a line shows where it would come to stand.
void List::drag() {
  if (state_.dragged.empty()) return;
  const float mouse = ImGui::GetIO().MousePos.y - area_.a.y;
  if (mouse < 0) list_.scroll.y -= ui_.px(8);
  if (mouse > view()) list_.scroll.y += ui_.px(8);
  const Shown *before = nullptr, *last = nullptr;
  for (const Shown& each : list_.shown) {
    if (!each.is_binding) continue;
    last = &each;
    if (!before && mouse < each.row + ui_.px(kRowHeight) / 2) before = &each;
  }
  if (!last || !ImGui::IsMouseDown(0)) {
    const EvaluatedBinding* dragged = session_.find(state_.dragged);
    if (dragged && last) {
      const auto from = number_of(session_.bindings(), *dragged);
      std::size_t to = before ? before->number : last->number + 1;
      if (to > from) --to;
      if (to != from) answer_ = Do{"binding.move", {{"binding", state_.dragged}, {"position", std::to_string(to)}}};
    }
    state_.dragged.clear();
    return;
  }
  const float y = area_.a.y + std::clamp(before ? before->y : last->end, 0.0f, view()) - ui_.px(1.5f);
  const ImVec2 a(area_.a.x, y), b(area_.a.x + width(), y + ui_.px(2));
  ImGui::GetWindowDrawList()->AddRectFilled(a, b, ui_.theme.accent, ui_.px(1));
  ui_.recorder.add(state_.dragged, "landing", before ? "above " + before->key : "below " + last->key, a, b);
}

void List::draw_context_menu() {
  if (opens_menu_) ImGui::OpenPopup("row");
  Answer chosen = draw_menus(ui_, session_, "row", {"Binding", "Figure", "Edit"}, state_.menu_ring, {{"binding", state_.menu_of}});
  const Do* action = chosen ? std::get_if<Do>(&*chosen) : nullptr;
  if (const ActionRow* row = action ? find_action(action->id) : nullptr; row && row->traits.in_list)
    rename_in_list(state_, state_.menu_of);
  else
    take(std::move(chosen));
}

Answer List::draw() {
  ImGui::SetCursorScreenPos(area_.a);
  begin_child("list", {area_.b.x - area_.a.x, view()}, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ui_.px(6), ui_.px(kGap)));
  make_items();
  keep_in_place();
  if (list_.selected != selected_ && !selected_.empty()) state_.reveal = true;
  reveal();
  list_.selected = selected_;
  take_keys();
  scroll(ui_, "list scroll bar", list_.scroll, area_, content(), ui_.px(kRowHeight));
  // The content is narrower than the window by the scroll bar.
  ImGui::SetCursorScreenPos(area_.a);
  begin_child("rows", {width(), view()}, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  draw_items();
  drag();
  draw_context_menu();
  ImGui::EndChild();
  ImGui::PopStyleVar();
  ImGui::EndChild();
  return std::move(answer_);
}

}  // namespace

Answer draw_binding_list(Ui& ui, const Session& session, BindingsState& state, const std::string& selected, const ScreenRect& area) {
  return List(ui, session, state, selected, area).draw();
}

namespace {

void bring_into_sight(BindingsState& state) {
  state.as_text = false;
  state.filter.clear();
  state.reveal = true;
}

}  // namespace

void edit_in_list(BindingsState& state) {
  bring_into_sight(state);
  state.edit_next = true;
}

void rename_in_list(BindingsState& state, const std::string& name) {
  bring_into_sight(state);
  state.renaming = BindingsState::Renaming{name, name, {}, false};
}

}  // namespace tessera::studio
