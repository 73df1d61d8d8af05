// SPDX-License-Identifier: BSD-3-Clause
// A question where it stands: its words, the way in which its kind is answered, and what came of the answer.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "app/studio/pages/lesson_page.hpp"
#include "core/base/utf8.hpp"
#include "core/lesson/kinds.hpp"
#include "core/lesson/question.hpp"

namespace tessera::studio {
namespace {

using Asked = LessonDesk::Asked;
using Outcome = LessonDesk::Outcome;
using lesson::Kind;

// What a field of each kind looks for, by numbers that hardly any question asks for.
const char* form_of(Kind kind) {
  switch (kind) {
    case Kind::integer: return "a number: 7, or 2*3 + 1";
    case Kind::integers: return "numbers: 1 2 3";
    case Kind::coordinate: return "a coordinate: (0,1)";
    case Kind::thread_and_value: return "T1 V0";
    case Kind::layout: return "a layout: (2,3):(3,1)";
    case Kind::cells: return "cells: (0,1) (0,2)";
    case Kind::order: return "the first one first: 2 1 3";
    case Kind::choice:
    case Kind::binding:
    case Kind::plan: return "";
  }
  return "";
}

class QuestionOnScreen {
 public:
  QuestionOnScreen(const LessonPlaceOnScreen& on, const std::string& id, const Asked& asked, const lesson::Question& question)
      : on_(on), ui_(on.ui), id_(id), asked_(asked), question_(question) {}

  void draw() {
    draw_line_of_words(ui_, prompt_words(question_.prompt), on_.faces, on_.width, ui_.theme.text);
    space(8);
    const Kind kind = question_.expected.kind;
    const std::optional<PaintedGrid> grid = painted_grid(question_.expected);
    if (on_.presents) return draw_for_a_class(grid);
    if (kind == Kind::choice)
      draw_options();
    else if (kind == Kind::order && !question_.options.empty())
      draw_order();
    else if (has_lines(kind))
      draw_lines();
    else if (grid && on_.width >= ui_.px(16) * static_cast<float>(grid->columns + 1)) {
      // Nothing was painted, and the answer is shown: it is shown here, too.
      if (is_bare()) {
        draw_grid(*grid, cells_in(wanted()), false);
      } else {
        draw_grid(*grid, cells_in(asked_.draft), true);
        space(6);
        draw_field(false);
      }
    } else if (!is_bare()) {
      draw_field(true);
    }
    space(8);
    draw_buttons();
    draw_said();
  }

 private:
  void space(float units) { ImGui::SetCursorScreenPos({left_, ImGui::GetCursorScreenPos().y + ui_.px(units)}); }
  void act(const char* id) { on_.out.actions.push_back(Do{id, {{"question", id_}}}); }
  void type(std::string text) {
    if (text.size() > lesson::kLongestAnswer) ImGui::SetWindowFocus(nullptr);  // the field takes what is left of it
    on_.state.desk->type(id_, std::move(text));
  }
  // The keys are for the first question that is open.
  bool has_keys() const {
    return !ImGui::GetIO().WantTextInput && !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel) &&
           on_.state.desk->first_open() == id_;
  }

  std::string wanted() const { return lesson::written_answer(question_.expected, question_.wanted); }
  // The answer was asked for before anything was written.
  bool is_bare() const { return asked_.outcome == Outcome::shown && asked_.draft.empty(); }

  // `typed`: it has the keys of the question; else the grid above it has them.
  void draw_field(bool typed) {
    std::string value = asked_.draft;
    const std::string region = "Field of " + id_;
    const float height = ImGui::GetFrameHeight() + ui_.px(6);
    const ImVec2 size(std::min(on_.width, ui_.px(560)), height);
    const bool in_sight = ImGui::IsRectVisible(size);  // the words above it are read first
    // After an answer that was not right the person goes on typing.
    ImGuiStorage& storage = *ImGui::GetStateStorage();
    const ImGuiID answered = ImGui::GetID(region.c_str());
    if (storage.GetBool(answered) && !asked_.under_way) {
      storage.SetBool(answered, false);
      on_.state.type_on = on_.state.type_on || asked_.outcome == Outcome::open;
    }
    bool taken = false;
    {
      const Region field(ui_, region.c_str(), ImGui::GetCursorScreenPos(), size, 0, 2, false);
      if (typed && on_.state.type_on && in_sight && on_.state.desk->first_open() == id_) {
        on_.state.type_on = false;
        focus_next_item();
      }
      taken = edit_once(ui_, ("answer to " + id_).c_str(), value, form_of(question_.expected.kind)) == EditDone::taken;
    }
    if (value != asked_.draft) type(value);
    if (!taken) return;
    storage.SetBool(answered, true);
    act("lesson.answer");
  }

  void draw_lines() {
    std::string value = asked_.draft;
    const std::string region = "Lines of " + id_;
    float& height = on_.state.heights[region];  // the field knows it when it has been drawn
    if (height == 0) height = ui_.px(120);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    {
      const Region field(ui_, region.c_str(), at, {on_.width, height}, 0, 2, false);
      constexpr int kMostLines = 20;  // of a plan most are read, and what is said of it stands below
      edit(ui_, ("expression of " + id_).c_str(), value, true, kMostLines);
      height = ImGui::GetItemRectMax().y - at.y + ui_.px(3);
      if (ImGui::IsItemActive() && ImGui::GetIO().KeyCtrl && enter_pressed()) act("lesson.answer");
    }
    if (value != asked_.draft) type(std::move(value));
  }

  // ---- cells that are painted ------------------------------------------------------------------------------------------------

  void draw_grid(const PaintedGrid& grid, const std::vector<PaintedCell>& painted, bool editable) {
    const Face& face = ui_.fonts.small;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float side =
        std::floor(std::clamp((on_.width - ui_.px(20)) / static_cast<float>(grid.columns + 1), ui_.px(15), ui_.px(on_.presents ? 42 : 30)));
    const ImVec2 first(at.x + side, at.y + std::round(face.size * 1.3f));
    const ImVec2 size(side * static_cast<float>(grid.columns), side * static_cast<float>(grid.rows));
    ImDrawList* list = ImGui::GetWindowDrawList();
    const auto cell_at = [&](std::int64_t row, std::int64_t column) {
      return ImVec2(first.x + side * static_cast<float>(column), first.y + side * static_cast<float>(row));
    };
    // The numbers along the sides, as many as can be read.
    const auto number = [&](std::int64_t value, ImVec2 middle) {
      const std::string words = std::to_string(value);
      const ImVec2 wide = text_size(face.font, face.size, words.data(), words.data() + words.size());
      list->AddText(face.font, face.size, {std::round(middle.x - wide.x / 2), std::round(middle.y - wide.y / 2)}, ui_.theme.dim,
                    words.c_str());
    };
    const std::int64_t each = side >= ui_.px(20) ? 1 : 4;
    for (std::int64_t c = 0; c < grid.columns; c += each) number(c, {cell_at(0, c).x + side / 2, first.y - face.size * 0.65f});
    for (std::int64_t r = 0; r < grid.rows; r += each) number(r, {first.x - side / 2, cell_at(r, 0).y + side / 2});
    for (std::int64_t r = 0; r < grid.rows; ++r) {
      for (std::int64_t c = 0; c < grid.columns; ++c) {
        const ImVec2 a = cell_at(r, c), b(a.x + side - 1, a.y + side - 1);
        const bool on = std::binary_search(painted.begin(), painted.end(), PaintedCell{r, c});
        list->AddRectFilled(a, b, on ? (editable ? ui_.theme.accent : ui_.theme.good) : ui_.theme.cell);
        add_rect(list, a, {b.x + 1, b.y + 1}, faded(ui_.theme.dim, 0.35f), 0, 1);
      }
    }
    ImGui::SetCursorScreenPos(first);
    if (editable) paint(grid, painted, first, size, side);
    ui_.recorder.add("cells of " + id_, "grid", fmt::format("{} x {}, {} painted", grid.rows, grid.columns, painted.size()), first,
                     {first.x + size.x, first.y + size.y});
    ImGui::SetCursorScreenPos({at.x, first.y + size.y});
    ImGui::Dummy({1, 1});
    ImGui::SetCursorScreenPos({at.x, first.y + size.y + ui_.px(2)});
  }

  void paint(const PaintedGrid& grid, const std::vector<PaintedCell>& painted, ImVec2 first, ImVec2 size, float side) {
    LessonState& state = on_.state;
    ImGui::InvisibleButton(("cells of " + id_).c_str(), size);
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const PaintedCell under{static_cast<std::int64_t>(std::floor((mouse.y - first.y) / side)),
                            static_cast<std::int64_t>(std::floor((mouse.x - first.x) / side))};
    const bool inside = under.row >= 0 && under.column >= 0 && under.row < grid.rows && under.column < grid.columns;
    const auto is_on = [&](const PaintedCell& cell) { return std::binary_search(painted.begin(), painted.end(), cell); };
    if (ImGui::IsItemActivated() && inside) {
      state.painting = id_;
      state.paints = !is_on(under);
    }
    if (ImGui::IsItemActive() && state.painting == id_ && inside && is_on(under) != state.paints) {
      state.cell = under;
      type(with_cell(asked_.draft, under, state.paints));
    }
    if (!has_keys()) return;
    PaintedCell& cell = state.cell;
    cell.row += (key_pressed(ImGuiKey_DownArrow) ? 1 : 0) - (key_pressed(ImGuiKey_UpArrow) ? 1 : 0);
    cell.column += (key_pressed(ImGuiKey_RightArrow) ? 1 : 0) - (key_pressed(ImGuiKey_LeftArrow) ? 1 : 0);
    cell.row = std::clamp<std::int64_t>(cell.row, 0, grid.rows - 1);
    cell.column = std::clamp<std::int64_t>(cell.column, 0, grid.columns - 1);
    if (key_pressed(ImGuiKey_Space)) type(with_cell(asked_.draft, cell, !is_on(cell)));
    if (enter_pressed()) act("lesson.answer");
    const ImVec2 a(first.x + side * static_cast<float>(cell.column), first.y + side * static_cast<float>(cell.row));
    add_rect(ImGui::GetWindowDrawList(), a, {a.x + side, a.y + side}, ui_.theme.text, 0, std::max(ui_.px(1.5f), 1.0f));
  }

  // ---- options that are chosen -------------------------------------------------------------------------------------------------

  std::vector<std::string> options() const { return question_.options.empty() ? std::vector<std::string>{"yes", "no"} : question_.options; }

  // A row of the column; true where it is clicked. `mark` draws what stands before the words.
  template <class Mark>
  bool row(std::size_t number, const std::string& name, const std::string& words, const char* role, bool chosen, float right,
           const Mark& mark) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float indent = ui_.px(34), pad = ui_.px(5);
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->ChannelsSplit(2);
    list->ChannelsSetCurrent(1);
    ImGui::SetCursorScreenPos({at.x + indent, at.y + pad});
    draw_line_of_words(ui_, prompt_words(words), on_.faces, on_.width - indent - right - ui_.px(6), ui_.theme.text);
    const float end = ImGui::GetCursorScreenPos().y + pad;
    const ImVec2 b(at.x + on_.width - right, end);
    mark(ImVec2(at.x + ui_.px(16), (at.y + end) / 2));
    ImGui::SetCursorScreenPos(at);
    const bool clicked = ImGui::InvisibleButton(fmt::format("{} {} of {}", role, number, id_).c_str(), {b.x - at.x, end - at.y});
    const bool hot = ImGui::IsItemHovered() && !on_.presents;
    ui_.recorder.add(name, role, chosen ? "selected" : "", at, b);
    list->ChannelsSetCurrent(0);
    if (chosen || hot) list->AddRectFilled(at, b, chosen ? ui_.theme.accent_soft : ui_.theme.hover, ui_.px(5));
    list->ChannelsMerge();
    ImGui::SetCursorScreenPos({at.x, end + ui_.px(2)});
    return clicked;
  }

  void draw_options() {
    const std::vector<std::string> all = options();
    const std::optional<std::size_t> chosen = option_in(question_.expected, asked_.draft);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool on = chosen == i;
      const bool clicked = row(i, all[i], all[i], "option", on, 0, [&](ImVec2 middle) {
        ImDrawList* list = ImGui::GetWindowDrawList();
        list->AddCircle(middle, ui_.px(6.5f), on ? ui_.theme.accent : ui_.theme.dim, 24, std::max(ui_.px(1.5f), 1.0f));
        if (on) list->AddCircleFilled(middle, ui_.px(3.5f), ui_.theme.accent, 20);
      });
      if (clicked) type(option_text(question_.expected, i));
    }
    if (!has_keys()) return;
    if (key_pressed(ImGuiKey_DownArrow)) type(option_text(question_.expected, chosen ? std::min(*chosen + 1, all.size() - 1) : 0));
    if (key_pressed(ImGuiKey_UpArrow)) type(option_text(question_.expected, chosen && *chosen > 0 ? *chosen - 1 : 0));
    if (enter_pressed()) act("lesson.answer");
  }

  // Rows that are dragged, or moved by their signs or the keys: Up and Down go from one to another, with Shift the row goes along.
  void draw_order() {
    LessonState& state = on_.state;
    const std::size_t count = question_.options.size();
    const std::vector<std::size_t> order = order_in(count, asked_.draft);
    const bool keys = has_keys();
    std::optional<std::pair<std::size_t, std::size_t>> moved;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string letter(1, static_cast<char>('a' + order[i]));  // what is said of a row names it
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const bool lifted = state.painting == id_ && state.dragged == i;
      row(i, question_.options[order[i]], question_.options[order[i]], "row", lifted || (keys && state.option == i), ui_.px(60),
          [&](ImVec2 middle) {
            const Face& face = ui_.fonts.strong;
            ImGui::GetWindowDrawList()->AddText(face.font, face.size, {middle.x - ui_.px(5), middle.y - face.size / 2}, ui_.theme.dim,
                                                letter.c_str());
          });
      const float below = ImGui::GetCursorScreenPos().y, y = ImGui::GetIO().MousePos.y;
      if (ImGui::IsItemActivated()) state.painting = id_, state.dragged = i, state.option = i;
      if (lifted && ImGui::GetIO().MouseDown[0]) {
        if (y < at.y && i > 0) moved = {i, i - 1};
        if (y > below && i + 1 < count) moved = {i, i + 1};
      }
      const float right = at.x + on_.width, middle = (at.y + below) / 2 - ui_.px(13);
      ImGui::SetCursorScreenPos({right - ui_.px(56), middle});
      if (sign_button(ui_, fmt::format("{}: up", question_.options[order[i]]).c_str(), Sign::up, {ui_.px(26), ui_.px(24)}, i > 0))
        moved = {i, i - 1};
      ImGui::SetCursorScreenPos({right - ui_.px(28), middle});
      if (sign_button(ui_, fmt::format("{}: down", question_.options[order[i]]).c_str(), Sign::down, {ui_.px(26), ui_.px(24)},
                      i + 1 < count))
        moved = {i, i + 1};
      ImGui::SetCursorScreenPos({at.x, below});
    }
    if (!ImGui::GetIO().MouseDown[0]) state.dragged.reset();
    if (keys) {
      const int by = key_pressed(ImGuiKey_DownArrow) ? 1 : key_pressed(ImGuiKey_UpArrow) ? -1 : 0;
      state.option = std::min(state.option, count - 1);
      const bool can = by > 0 ? state.option + 1 < count : by < 0 && state.option > 0;
      if (can && ImGui::GetIO().KeyShift) moved = {state.option, by > 0 ? state.option + 1 : state.option - 1};
      if (can && !ImGui::GetIO().KeyShift) state.option += static_cast<std::size_t>(by);
      if (enter_pressed()) act("lesson.answer");
    }
    if (!moved) return;
    type(moved_option(count, asked_.draft, moved->first, moved->second));
    state.option = moved->second;
    if (state.dragged) state.dragged = moved->second;
  }

  // ---- what can be done, and what came of it -------------------------------------------------------------------------------------

  void draw_buttons() {
    const bool open = asked_.outcome == Outcome::open, grading = asked_.under_way;
    if (open && question_.expected.kind == Kind::order && asked_.draft.empty() && !question_.options.empty())
      type(moved_option(question_.options.size(), {}, 0, 0));
    if (open) {
      if (button(ui_, ("Answer##" + id_).c_str(), ButtonLook::primary, !grading, "Enter")) act("lesson.answer");
      ImGui::SameLine(0, ui_.px(8));
      if (button(ui_, ("Show me##" + id_).c_str(), ButtonLook::quiet, !grading, "A right answer; the worklog says that it was given up"))
        act("lesson.show");
      ImGui::SameLine(0, ui_.px(8));
    }
    const auto* reading = on_.state.desk->reading();
    bool varies = false;
    for (const LessonScreen& screen : reading->screens) {
      for (const LessonPiece& piece : screen.pieces) {
        const auto* found = std::get_if<LessonQuestion>(&piece.content);
        varies = varies || (found && found->id == id_ && found->varies);
      }
    }
    if (varies && button(ui_, ("Another one##" + id_).c_str(), ButtonLook::quiet, !grading, "The same question with other numbers"))
      act("lesson.another");
    if (!varies && !open) ImGui::NewLine();
    ImGui::SetCursorScreenPos({left_, ImGui::GetItemRectMax().y});
  }

  void say(const std::string& words, ImU32 color) {
    constexpr std::size_t kMostSaid = 2000;  // bytes: it may quote all of an answer
    space(6);
    const std::string shown = words.size() > kMostSaid ? std::string(utf8_prefix(words, kMostSaid)) + " ..." : words;
    draw_line_of_words(ui_, prompt_words(shown), on_.faces, on_.width, color);
  }

  void draw_said() {
    if (asked_.under_way) return say("grading ...", ui_.theme.dim);
    if (!asked_.refused.empty()) return say(asked_.refused, ui_.theme.warn);
    if (asked_.outcome == Outcome::shown && !asked_.grade) return say_wanted(ui_.theme.text);
    if (!asked_.grade) return;
    const lesson::Grade& grade = *asked_.grade;
    if (grade.right) return say("Right.", ui_.theme.good);
    std::string words = fmt::format("{}: {}", grade.read ? "Not yet" : "This cannot be read", grade.difference);
    if (!words.ends_with('.')) words += '.';
    say(words, grade.read ? ui_.theme.warn : ui_.theme.bad);
    if (!grade.hint.empty()) say(grade.hint, ui_.theme.text);
    if (asked_.outcome == Outcome::shown) say_wanted(ui_.theme.text);
  }
  // What has lines stands below as lines; of a plan it is said which ones are new.
  void say_wanted(ImU32 color) {
    const std::string wanted = this->wanted();
    if (wanted.find('\n') == std::string::npos) return say(fmt::format("It is {}.", code(wanted)), color);
    const bool is_plan = question_.expected.kind == Kind::plan;
    say(is_plan ? fmt::format("It is this, with {}:", code(lesson::told_answer(question_, question_.wanted))) : "It is this:", color);
    space(6);
    draw_code(ui_, wanted, on_.faces.mono, on_.width);
  }
  static std::string code(const std::string& text) { return text.find('`') == std::string::npos ? "`" + text + "`" : text; }

  // ---- for a class: nothing to type -------------------------------------------------------------------------------------------------

  void draw_for_a_class(const std::optional<PaintedGrid>& grid) {
    const bool answered = on_.answered;
    const std::string wanted = this->wanted();
    const std::optional<std::size_t> right = question_.expected.kind == Kind::choice ? option_in(question_.expected, wanted) : std::nullopt;
    if (question_.expected.kind == Kind::choice || !question_.options.empty()) {
      const std::vector<std::string> all = options();
      std::vector<std::size_t> order = order_in(all.size(), answered && question_.expected.kind == Kind::order ? wanted : std::string());
      for (std::size_t i = 0; i < all.size(); ++i) {
        const std::string letter(1, static_cast<char>('a' + order[i]));
        row(i, all[order[i]], all[order[i]], "option", answered && right == order[i], 0, [&](ImVec2 middle) {
          const Face& face = ui_.fonts.title;
          ImGui::GetWindowDrawList()->AddText(face.font, face.size, {middle.x - ui_.px(6), middle.y - face.size / 2}, ui_.theme.dim,
                                              letter.c_str());
        });
      }
      space(4);
    }
    if (!question_.given.empty()) draw_code(ui_, question_.given, on_.faces.mono, on_.width), space(8);
    if (grid) draw_grid(*grid, answered ? cells_in(wanted) : std::vector<PaintedCell>(), false), space(8);
    if (answered) say_wanted(ui_.theme.good);
  }

  const LessonPlaceOnScreen& on_;
  Ui& ui_;
  const std::string& id_;
  const Asked& asked_;
  const lesson::Question& question_;
  const float left_ = ImGui::GetCursorScreenPos().x;
};

}  // namespace

void draw_question(const LessonPlaceOnScreen& on, const LessonQuestion& question) {
  Ui& ui = on.ui;
  const Asked* const asked = on.state.desk->asked(question.id);
  if (!asked) return;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float pad = ui.px(16);
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImDrawListSplitter layers;  // rows inside have layers of their own
  layers.Split(list, 2);
  layers.SetCurrentChannel(list, 1);
  ImGui::SetCursorScreenPos({at.x + pad, at.y + ui.px(12)});
  LessonPlaceOnScreen inside = on;
  inside.width = on.width - 2 * pad;
  if (!asked->question)
    draw_line_of_words(ui, prompt_words("..."), on.faces, inside.width, ui.theme.dim);
  else if (!*asked->question)
    draw_line_of_words(ui, prompt_words("This question cannot be asked: " + asked->question->error().message), on.faces, inside.width,
                       ui.theme.bad);
  else
    QuestionOnScreen(inside, question.id, *asked, **asked->question).draw();
  const float end = ImGui::GetCursorScreenPos().y + ui.px(12);
  layers.SetCurrentChannel(list, 0);
  const bool done = on.presents ? on.answered : asked->outcome != Outcome::open;
  list->AddRectFilled(at, {at.x + on.width, end}, ui.theme.panel, ui.px(8));
  add_rect(list, at, {at.x + on.width, end}, ui.theme.border, ui.px(8), 1);
  list->AddRectFilled({at.x, at.y + ui.px(8)}, {at.x + ui.px(3), end - ui.px(8)}, done ? ui.theme.good : ui.theme.accent, ui.px(1.5f));
  layers.Merge(list);
  ui.recorder.add(question.id, "question",
                  asked->outcome == Outcome::right   ? "right"
                  : asked->outcome == Outcome::shown ? "shown"
                                                     : "open",
                  at, {at.x + on.width, end});
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({1, std::max(end - at.y - ImGui::GetStyle().ItemSpacing.y, 1.0f)});
  ImGui::SetCursorScreenPos({at.x, end});
}

}  // namespace tessera::studio
