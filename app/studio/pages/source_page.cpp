// SPDX-License-Identifier: BSD-3-Clause
#include "app/studio/pages/source_page.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "app/studio/panels/value_facts.hpp"
#include "core/base/stopping.hpp"
#include "core/base/utf8.hpp"
#include "core/figure/figure.hpp"
#include "core/figure/figure_task.hpp"

namespace tessera::studio {
namespace {

constexpr float kHead = 76, kBeside = 820, kNotes = 144;  // units
constexpr std::size_t kMostLines = 200;                   // findings, refusals
constexpr std::size_t kLongestShown = 600;                // bytes of a value as text

ImU32 color_of(const Theme& theme, SourceFate fate) {
  switch (fate) {
    case SourceFate::read: return theme.good;
    case SourceFate::given: return theme.link;
    case SourceFate::guessed: return theme.warn;
    case SourceFate::refused: return theme.bad;
  }
  return theme.dim;
}

// ---- reading beside the frames ------------------------------------------------------------------------------------------------

void ask(SourceState& state) {
  if (!state.reader) state.reader = std::make_unique<Jobs<SourceReading>>();
  if (state.order == 0) state.since = ImGui::GetTime();
  state.reader->forget(state.order);  // of several wishes that wait only the last one counts
  const SourceQuestion question{state.source.path ? state.source.path->string() : "-", state.source.text, state.source.version,
                                state.given};
  state.order = state.reader->ask([question](const std::stop_token& stop) {
    const StoppedBy by(stop);
    return or_refusal([&] { return reading_of(question); },
                      [&](const char* why) {
                        SourceReading refused;
                        refused.version = question.version;
                        refused.refused = Error{ErrorCode::limit, why, {}, {}};
                        return refused;
                      });
  });
}

const SourceVariable* chosen_of(const SourceState& state) {
  if (!state.reading) return nullptr;
  const SourceVariable* found = nullptr;
  for (const SourceVariable& each : state.reading->variables) {
    if (each.name != state.chosen) continue;
    const auto far = [&](const SourceVariable& one) {
      return std::abs(static_cast<double>(one.line) - static_cast<double>(state.chosen_line));
    };
    if (!found || far(each) < far(*found)) found = &each;
  }
  return found;
}

bool has_picture(const Value& value) {
  const bool is_number = std::holds_alternative<IntTuple>(value.any) || std::holds_alternative<std::shared_ptr<const Report>>(value.any);
  return !is_number && is_drawable(value);
}

void choose(SourceState& state, const SourceVariable& variable) {
  state.chosen = variable.name;
  state.chosen_line = variable.line;
  state.shows = SourceState::Shows::variable;
}

void collect(SourceState& state) {
  if (!state.reader) return;
  for (auto& made : state.reader->take(0)) {
    state.reading = std::move(made.value);
    state.made_for.reset();
    if (made.order == state.order) state.order = 0;
  }
  if (!state.reading || chosen_of(state)) return;
  const std::vector<SourceVariable>& all = state.reading->variables;
  const auto first =
      std::find_if(all.begin(), all.end(), [](const SourceVariable& each) { return each.value && has_picture(*each.value); });
  if (first != all.end()) choose(state, *first);
}

bool fits(const SourceState& state) { return state.reading && state.reading->version == state.source.version; }

// Of another text nothing is marked.
void make_marks(const Ui& ui, SourceState& state) {
  if (state.made_for == ui.theme.kind) return;
  state.made_for = ui.theme.kind;
  state.marks.clear();
  state.notes.all.clear();
  if (!fits(state)) return;
  for (const SourceNote& note : state.reading->notes) state.notes.all.push_back({note.line - 1, note.words, color_of(ui.theme, note.fate)});
  const auto add = [&](SourceSpan at, std::string words, bool is_error) {
    state.marks.push_back({at, state.editor.buffer.line_of(at.begin), std::move(words), is_error});
  };
  for (const SourceFinding& finding : state.reading->findings) {
    const bool wrong = finding.advice.weight == Advice::Weight::wrong && finding.advice.guesses.empty();
    add(finding.span, words_of(finding), wrong);
  }
  for (const SourceVariable& each : state.reading->variables) {
    if (each.fate == SourceFate::refused) add(each.span, fmt::format("{} has no value: {}", each.name, each.words), true);
  }
  std::stable_sort(state.marks.begin(), state.marks.end(),
                   [](const TextMark& a, const TextMark& b) { return a.line != b.line ? a.line < b.line : a.is_error && !b.is_error; });
}

// ---- the head: what is shown, what the colours mean, and the ways out ---------------------------------------------------------

bool draw_head(Ui& ui, SourceState& state, const ScreenRect& area, PanesOutput& out) {
  Region region(ui, "Source head", area.a, {area.b.x - area.a.x, area.b.y - area.a.y}, ui.theme.panel, 0, false);
  const float pad = ui.px(14);
  const char* const kDocument = "Open as a document";
  const char* const kClose = "Close the source";
  const float frame = 2 * ImGui::GetStyle().FramePadding.x;
  const float buttons = ImGui::CalcTextSize(kDocument).x + ImGui::CalcTextSize(kClose).x + 2 * frame + ui.px(8);
  ImGui::SetCursorScreenPos({area.b.x - pad - buttons, area.a.y + ui.px(7)});
  if (button(ui, kDocument, ButtonLook::plain, state.reading && !state.reading->variables.empty(), "Its variables as lines of a document"))
    out.actions.push_back(Do{"source.document"});
  ImGui::SameLine(0, ui.px(8));
  const bool closes = button(ui, kClose, ButtonLook::quiet, true, "Escape");
  ImGui::SetCursorScreenPos({area.a.x + pad, area.a.y + ui.px(9)});
  const float room = area.b.x - pad - buttons - ui.px(16) - area.a.x - pad;
  text(ui, elided_middle(ui.fonts.title, state.source.title, std::max(room * 0.6f, ui.px(60))), ui.theme.text, ui.fonts.title);
  constexpr double kWhile = 0.15;  // seconds
  const bool waits = state.order != 0 && ImGui::GetTime() - state.since >= kWhile;
  ImGui::SetCursorScreenPos({area.a.x + pad, area.a.y + ui.px(42)});
  // What the colours of the column mean, and how many statements came to each.
  for (std::size_t i = 0; i < kSourceFates; ++i) {
    const auto fate = static_cast<SourceFate>(i);
    const std::string word =
        fits(state) ? fmt::format("{} {}", state.reading->statements[i], to_string(fate)) : std::string(to_string(fate));
    badge(ui, word, color_of(ui.theme, fate));
    ImGui::SameLine(0, ui.px(8));
  }
  std::string said = !state.source.lost.empty() ? fmt::format("the file cannot be read now, this is what it was: {}", state.source.lost)
                     : waits                    ? std::string("reading ...")
                     : state.reading && state.reading->refused       ? state.reading->refused->message
                     : state.reading && !state.reading->said.empty() ? state.reading->said.front()
                                                                     : std::string("up and down: from variable to variable");
  const ImU32 ink = !state.source.lost.empty() || (state.reading && state.reading->refused) ? ui.theme.bad : ui.theme.dim;
  const float left = area.b.x - pad - ImGui::GetCursorScreenPos().x;
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ui.px(2));  // as high as the words of the badges
  if (left > ui.px(90)) text(ui, elided(ui.fonts.small, said, left), ink, ui.fonts.small);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddLine({area.a.x, area.b.y - 0.5f}, {area.b.x, area.b.y - 0.5f}, ui.theme.border);
  return closes;
}

// ---- what the program takes from outside --------------------------------------------------------------------------------------

// Not beyond the threads that there are.
std::string within(const OutsideValue& value, std::string text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (!value.most || error != std::errc() || end != text.data() + text.size()) return text;
  return std::to_string(std::clamp<std::int64_t>(number, 0, *value.most));
}

// Gives where it ends.
float draw_outside_row(Ui& ui, SourceState& state, const OutsideValue& value, ImVec2 at, float width) {
  const float sign = ui.px(18), word = std::min(ui.px(90), width * 0.34f), name = std::min(ui.px(100), width * 0.38f);
  ImGui::PushID(value.name.c_str());
  ImGui::SetCursorScreenPos(at);
  if (value.given && sign_button(ui, ("Take back " + value.name).c_str(), Sign::close, {sign, ui.px(20)}, true, "As it is without you"))
    give(state, value.name, {});
  const ImU32 color = !value.refused.empty()     ? color_of(ui.theme, SourceFate::refused)
                      : value.given              ? color_of(ui.theme, SourceFate::given)
                      : value.words == "guessed" ? color_of(ui.theme, SourceFate::guessed)
                                                 : color_of(ui.theme, SourceFate::read);
  ImGui::SetCursorScreenPos({at.x + sign, at.y + ui.px(2)});
  text(ui, elided(ui.fonts.small, value.words, word - ui.px(6)), color, ui.fonts.small);
  ImGui::SetCursorScreenPos({at.x + sign + word, at.y});
  const Face& face = ui.fonts.mono;
  const std::string shown = elided_middle(face, value.name, name - ui.px(8));
  ImGui::InvisibleButton("type", {name - ui.px(8), face.size + ui.px(4)});
  if (ImGui::IsItemActivated()) state.typed_of = value.name, state.typed = value.text, state.type_on = true;
  const bool hot = ImGui::IsItemHovered();
  ImGui::GetWindowDrawList()->AddText(face.font, face.size, {at.x + sign + word, at.y}, hot ? ui.theme.accent : ui.theme.text,
                                      shown.c_str());
  ui.recorder.add(value.name, "outside", value.text, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  if (hot) tooltip(ui, fmt::format("{}: click to type its value; drag a number of it", value.name));
  ImGui::SetCursorScreenPos({at.x + sign + word + name, at.y});
  if (state.typed_of == value.name) {
    if (std::exchange(state.type_on, false)) focus_next_item();
    const EditDone done = edit_once(ui, ("value of " + value.name).c_str(), state.typed, "as it is without you");
    if (done == EditDone::taken) give(state, value.name, state.typed);
    if (done != EditDone::typing) state.typed_of.clear();
  } else {
    const WithFont with(face);
    if (std::optional<std::string> other = drag_numbers(ui, {value.name, value.text, !value.refused.empty()}, state.drag))
      give(state, value.name, within(value, *std::move(other)));
  }
  ImGui::PopID();
  const float below = std::max(ImGui::GetCursorScreenPos().y, at.y + face.size + ui.px(9));
  if (value.refused.empty()) return below;
  ImGui::SetCursorScreenPos({at.x, below});
  wrapped_text(ui, value.refused, ui.theme.bad, ui.fonts.small);
  return ImGui::GetCursorScreenPos().y;
}

void draw_outside(Ui& ui, SourceState& state) {
  heading(ui, "TAKEN FROM OUTSIDE: drag a number");
  const std::vector<OutsideValue> all = state.reading->outside;  // a drag asks for another reading
  constexpr std::size_t kShort = 8;                              // bytes: two of them stand side by side
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  const float width = ImGui::GetContentRegionAvail().x;
  const bool two = width >= ui.px(480);
  ImVec2 at = ImGui::GetCursorScreenPos();
  float right_of = 0;  // where the row that has room for another one ends; 0: there is none
  for (const OutsideValue& each : all) {
    // What is dragged shows what was asked for, whatever has been read so far.
    const auto given = std::find_if(state.given.begin(), state.given.end(), [&](const auto& one) { return one.first == each.name; });
    OutsideValue shown = each;
    if (given != state.given.end()) shown.text = given->second, shown.given = true, shown.words = "given";
    const bool is_short = two && shown.text.size() <= kShort && shown.refused.empty() && state.typed_of != shown.name;
    if (right_of > 0 && is_short) {
      at.y = std::max(right_of, draw_outside_row(ui, state, shown, {at.x + width / 2, at.y}, width / 2));
      right_of = 0;
      continue;
    }
    if (right_of > 0) at.y = right_of;
    const float below = draw_outside_row(ui, state, shown, at, is_short ? width / 2 : width);
    right_of = is_short ? below : 0;
    if (!is_short) at.y = below;
  }
  ImGui::SetCursorScreenPos({at.x, std::max(at.y, right_of)});
  ImGui::Dummy({0, 0});
  ImGui::PopStyleVar();
  if (all.empty()) text(ui, "nothing: the text says it all", ui.theme.dim, ui.fonts.body);
}

// ---- a variable, findings, refusals -------------------------------------------------------------------------------------------

void draw_variable(Ui& ui, SourceState& state, const SourceVariable* variable) {
  if (!variable) return wrapped_text(ui, "Point at a variable in the text, or click on it.", ui.theme.dim, ui.fonts.body);
  text(ui, elided_middle(ui.fonts.strong, variable->name, ImGui::GetContentRegionAvail().x * 0.6f), ui.theme.text, ui.fonts.strong);
  ImGui::SameLine(0, ui.px(10));
  badge(ui, to_string(variable->fate), color_of(ui.theme, variable->fate));
  if (variable->value) {
    ImGui::SameLine(0, ui.px(6));
    badge(ui, kind_name(*variable->value), ui.theme.dim);
  }
  const bool is_long = variable->words.size() > kLongestShown;
  wrapped_text(ui, is_long ? std::string(utf8_prefix(variable->words, kLongestShown)) + " ..." : variable->words,
               variable->fate == SourceFate::refused ? ui.theme.bad : ui.theme.text, ui.fonts.mono);
  for (const std::string& each : variable->rests_on)
    wrapped_text(ui, each, each.starts_with("guessed") ? ui.theme.warn : ui.theme.dim, ui.fonts.small);
  for (const SourceFinding& finding : state.reading->findings) {
    if (finding.span == variable->span) wrapped_text(ui, words_of(finding), ui.theme.warn, ui.fonts.small);
  }
  if (!variable->value) return;
  ImGui::Dummy({0, ui.px(2)});
  for (const Fact& each : facts_of(*variable->value)) fact(ui, each.name, each.value);
}

// A line of a list that leads to its place in the text.
void draw_line_of(Ui& ui, SourceState& state, std::size_t line, SourceSpan at, const std::string& title, const std::string& words,
                  ImU32 ink) {
  ImGui::PushID(static_cast<int>(at.begin));
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::BeginGroup();
  text(ui, elided(ui.fonts.strong, fmt::format("line {}  {}", line, title), width), ink, ui.fonts.strong);
  wrapped_text(ui, words, ui.theme.text, ui.fonts.small);
  ImGui::EndGroup();
  const ImVec2 to(from.x + width, ImGui::GetItemRectMax().y);
  const bool hot = ImGui::IsMouseHoveringRect(from, to) && ImGui::IsWindowHovered();
  if (hot)
    add_rect(ImGui::GetWindowDrawList(), {from.x - ui.px(4), from.y - ui.px(2)}, {to.x, to.y + ui.px(2)}, ui.theme.border, ui.px(5), 1);
  ui.recorder.add(fmt::format("line {}", line), "listed", words, from, to);
  if (hot && ImGui::IsMouseClicked(0) && fits(state)) {
    go_to(state.editor, at.begin);
    if (const SourceVariable* there = variable_at(*state.reading, *state.source.text, at.begin)) {
      state.chosen = there->name;
      state.chosen_line = there->line;
    }
  }
  ImGui::PopID();
  ImGui::Dummy({0, ui.px(4)});
}

std::size_t count_refused(const SourceReading& reading) {
  return static_cast<std::size_t>(
      std::count_if(reading.notes.begin(), reading.notes.end(), [](const SourceNote& note) { return note.fate == SourceFate::refused; }));
}

void draw_findings(Ui& ui, SourceState& state) {
  const std::vector<SourceFinding>& all = state.reading->findings;
  for (std::size_t i = 0; i < std::min(all.size(), kMostLines); ++i) {
    const Advice& advice = all[i].advice;
    const bool wrong = advice.weight == Advice::Weight::wrong && advice.guesses.empty();
    draw_line_of(ui, state, advice.line, all[i].span, advice.name, words_of(all[i]), wrong ? ui.theme.bad : ui.theme.warn);
  }
  if (all.size() > kMostLines) text(ui, fmt::format("and {} more", all.size() - kMostLines), ui.theme.dim, ui.fonts.small);
  if (all.empty()) wrapped_text(ui, "Nothing is found wrong or slow in what has a value.", ui.theme.dim, ui.fonts.body);
}

void draw_refused(Ui& ui, SourceState& state) {
  std::size_t listed = 0;
  for (const SourceNote& note : state.reading->notes) {
    if (note.fate != SourceFate::refused || ++listed > kMostLines) continue;
    const std::size_t line = std::min(note.line, state.editor.buffer.line_count());
    const std::size_t begin = state.editor.buffer.starts()[line - 1];
    draw_line_of(ui, state, note.line, {begin, begin}, {}, note.words, ui.theme.bad);
  }
  if (listed > kMostLines) text(ui, fmt::format("and {} more", listed - kMostLines), ui.theme.dim, ui.fonts.small);
  if (listed == 0) wrapped_text(ui, "No statement is refused.", ui.theme.dim, ui.fonts.body);
}

void draw_tabs(Ui& ui, SourceState& state, const SourceVariable* shown) {
  using Shows = SourceState::Shows;
  const std::array<std::pair<std::string, Shows>, 3> tabs = {{{"Variable", Shows::variable},
                                                              {fmt::format("Findings {}", state.reading->findings.size()), Shows::findings},
                                                              {fmt::format("Refused {}", count_refused(*state.reading)), Shows::refused}}};
  for (const auto& [title, shows] : tabs) {
    if (tab(ui, title.c_str(), state.shows == shows)) state.shows = shows;
    ImGui::SameLine(0, ui.px(4));
  }
  ImGui::NewLine();
  ImGui::Dummy({0, ui.px(2)});
  switch (state.shows) {
    case Shows::variable: return draw_variable(ui, state, shown);
    case Shows::findings: return draw_findings(ui, state);
    case Shows::refused: return draw_refused(ui, state);
  }
}

void draw_picture(Ui& ui, const PanesInput& input, SourceState& state, const SourceVariable& variable, const ScreenRect& area) {
  const std::string name = fmt::format("{} of line {}", variable.name, variable.line);  // no binding has a blank in its name
  FigureTask task{name, variable.words, variable.name, *variable.value, {}};
  task.options.name = variable.name;
  // One thread's part says whose it is.
  if (const auto* tensor = std::get_if<Tensor>(&variable.value->any); tensor && tensor->part)
    task.made_of += fmt::format(" of thread {}", tensor->part->thread);
  // What belongs to one thread lights up in the picture of all.
  std::optional<std::int64_t> thread;
  if (const auto* copy = std::get_if<ThrCopy>(&variable.value->any)) thread = copy->thread;
  if (const auto* mma = std::get_if<ThrMma>(&variable.value->any)) thread = mma->thread;
  if (thread) {
    const Result<std::string> kind = figure_kind_of(task.value);
    if (kind && has_parameter(*kind, "thread")) task.options.parameters["thread"] = std::to_string(*thread);
  }
  const View view{name, {}};
  Figure& figure = input.figures.get_other(input.session, std::move(task), input.textures);
  static const Arrangement kPane;
  const Hovered* hovered = state.hovered && state.hovered->figure == name ? &*state.hovered : nullptr;
  CanvasOutput drawn = draw_canvas(ui,
                                   {.name = name,
                                    .session = input.session,
                                    .view = view,
                                    .pane = kPane,
                                    .place = {},
                                    .figure = figure,
                                    .textures = input.textures,
                                    .hovered = hovered,
                                    .lit = nullptr,
                                    .bar = input.bar,
                                    .picks = input.picks,
                                    .selected = true,
                                    .bare = true,
                                    .presented = true},
                                   state.canvases[name], area);
  state.hovered = std::move(drawn.hovered);
}

// ---- the page -------------------------------------------------------------------------------------------------------------------

// Up and down from one variable to the next, wherever the text is scrolled to.
void move_choice(SourceState& state) {
  if (!state.reading || state.reading->variables.empty()) return;
  const int by = key_pressed(ImGuiKey_DownArrow) ? 1 : key_pressed(ImGuiKey_UpArrow) ? -1 : 0;
  if (by == 0) return;
  const std::vector<SourceVariable>& all = state.reading->variables;
  const SourceVariable* now = chosen_of(state);
  const std::ptrdiff_t at = now ? now - all.data() : -1;
  const SourceVariable& next = all[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(at + by, 0, std::ssize(all) - 1))];
  choose(state, next);
  if (fits(state)) go_to(state.editor, next.span.begin);
}

const SourceVariable* draw_text(Ui& ui, const PanesInput& input, SourceState& state, const ScreenRect& area) {
  Region region(ui, "Source text", area.a, {area.b.x - area.a.x, area.b.y - area.a.y}, ui.theme.canvas, 0, false);
  make_marks(ui, state);
  const SourceVariable* const chosen = chosen_of(state);
  // A fifth of a wide window, so that reasons can be read; never a third of a narrow one.
  const float units = (area.b.x - area.a.x) / ui.scale;
  state.notes.width = std::min(std::clamp(units * 0.2f, kNotes, 1.8f * kNotes), units * 0.3f);
  state.notes.grounds.clear();
  if (chosen && fits(state)) state.notes.grounds.push_back({chosen->span, faded(ui.theme.accent, 0.32f)});
  const TextEditorOutput out = draw_text_editor(ui, input.session, state.marks, state.editor, area, &state.notes);
  const SourceVariable* pointed = out.pointed && fits(state) ? variable_at(*state.reading, *state.source.text, *out.pointed) : nullptr;
  if (pointed && out.clicked) choose(state, *pointed);
  return pointed ? pointed : chosen;
}

}  // namespace

void open_source(SourceState& state, SourceText source) {
  const float width = state.text_width;
  state = SourceState();
  state.text_width = width;
  state.source = std::move(source);
  state.editor.read_only = true;
  state.editor.buffer.replace_all(*state.source.text);
  state.editor.buffer.place(0, false);
  state.open = true;
  ask(state);
}

bool look_again(SourceState& state) {
  if (!state.open) return false;
  const std::uint64_t version = state.source.version;
  if (!look_again(state.source)) return false;
  if (state.source.version == version) return true;
  state.editor.buffer.replace_all(*state.source.text);
  state.editor.recount = true;
  state.made_for.reset();
  ask(state);
  return true;
}

void give(SourceState& state, const std::string& name, const std::string& text) {
  const auto found = std::find_if(state.given.begin(), state.given.end(), [&](const auto& each) { return each.first == name; });
  if (text.empty() && found == state.given.end()) return;
  if (text.empty())
    state.given.erase(found);
  else if (found != state.given.end())
    found->second = text;
  else
    state.given.emplace_back(name, text);
  ask(state);
}

bool choose(SourceState& state, const std::string& name, std::size_t line) {
  if (!state.reading) return false;
  const SourceVariable* found = nullptr;
  for (const SourceVariable& each : state.reading->variables) {
    if (each.name == name && (!found || found->line < line)) found = &each;
  }
  if (!found) return false;
  choose(state, *found);
  if (fits(state)) go_to(state.editor, found->span.begin);
  return true;
}

PanesOutput draw_source(Ui& ui, const PanesInput& input, SourceState& state, const ScreenRect& area) {
  PanesOutput out;
  collect(state);
  const ImGuiIO& io = ImGui::GetIO();
  const bool has_keys = !io.WantTextInput && state.typed_of.empty() && !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId);
  if (has_keys) move_choice(state);
  const float top = area.a.y + ui.px(kHead);
  const bool closes = draw_head(ui, state, {area.a, {area.b.x, top}}, out);
  if (closes || (has_keys && key_pressed(ImGuiKey_Escape))) {
    state.open = false;
    return out;
  }
  const float width = area.b.x - area.a.x, height = area.b.y - top, bar = ui.px(5);
  const bool beside = width >= ui.px(kBeside);
  ScreenRect of_text{{area.a.x, top}, area.b}, of_side{{area.a.x, top}, area.b};
  if (beside) {
    float units = state.text_width > 0 ? state.text_width : width * 0.56f / ui.scale;
    const float split = area.a.x + std::round(std::min(ui.px(units), width - ui.px(320)));
    of_text.b.x = split;
    of_side.a.x = split + bar;
    if (splitter(ui, "source", {split, top}, {bar, height}, true, units, 360, width / ui.scale - 320, 1)) state.text_width = units;
  } else {
    of_text.b.y = of_side.a.y = top + std::round(height * 0.45f);
  }
  const SourceVariable* shown = draw_text(ui, input, state, of_text);
  const bool pictured = state.reading && shown && shown->value && has_picture(*shown->value);
  const float tall = of_side.b.y - of_side.a.y, split = pictured ? of_side.a.y + std::round(tall * (beside ? 0.52f : 0.45f)) : of_side.b.y;
  if (pictured) draw_picture(ui, input, state, *shown, {{of_side.a.x, split}, of_side.b});
  if (!pictured) state.hovered.reset();
  out.hovered = state.hovered;
  if (!beside) {
    Region all(ui, "Variable", of_side.a, {of_side.b.x - of_side.a.x, split - of_side.a.y}, ui.theme.panel, 12);
    if (!state.reading) return text(ui, "reading ...", ui.theme.dim, ui.fonts.body), out;
    draw_tabs(ui, state, shown);
    draw_outside(ui, state);
    return out;
  }
  // Of what is left about half, at most, is what the program takes from outside.
  Region region(ui, "Source side", of_side.a, {of_side.b.x - of_side.a.x, split - of_side.a.y}, ui.theme.panel, 0, false);
  if (!state.reading) {
    ImGui::SetCursorScreenPos({of_side.a.x + ui.px(14), of_side.a.y + ui.px(14)});
    text(ui, "reading ...", ui.theme.dim, ui.fonts.body);
    return out;
  }
  const float middle = of_side.a.y + std::round(std::min(state.outside_height, (split - of_side.a.y) * 0.55f));
  {
    Region outside(ui, "Outside", of_side.a, {of_side.b.x - of_side.a.x, middle - of_side.a.y}, ui.theme.panel, 12);
    draw_outside(ui, state);
    state.outside_height = ImGui::GetCursorPosY() + ui.px(8);
  }
  {
    Region facts(ui, "Variable", {of_side.a.x, middle}, {of_side.b.x - of_side.a.x, split - middle}, ui.theme.panel, 12);
    ImGui::GetWindowDrawList()->AddLine({of_side.a.x, middle + 0.5f}, {of_side.b.x, middle + 0.5f}, ui.theme.border);
    draw_tabs(ui, state, shown);
  }
  return out;
}

}  // namespace tessera::studio
