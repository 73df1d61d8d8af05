// SPDX-License-Identifier: BSD-3-Clause
// One frame: lay out the panels, draw them, perform what they ask for.
#include "app/studio/frame/app.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/session/actions/action_parts.hpp"
#include "app/session/gemm/places.hpp"
#include "app/studio/frame/clipboard.hpp"
#include "app/studio/frame/live.hpp"
#include "app/studio/frame/side_pages.hpp"

namespace tessera::studio {
namespace {

constexpr float kToolbar = 50, kConflict = 46, kStatus = 32, kTabs = 42, kHandle = 18;

// The finished job's report moves to the binding's page.
void collect_job(App& app) {
  GemmRun& gemm = app.gemm;
  if (!gemm.job || gemm.job->state() == GemmJob::State::running) return;
  const GemmJob::State state = gemm.job->state();
  if (const Result<GemmReport>* ended = gemm.job->result()) {
    std::optional<Result<GemmReport>> told;  // of a worker that does not answer: how it can be tried
    if (state == GemmJob::State::failed && !gemm.emulating) told = said_of_worker(ended->error(), gemm.job->request());
    const Result<GemmReport>* result = told ? &*told : ended;
    gemm.reports.insert_or_assign(gemm.binding, GemmRun::Kept{gemm.made_of, *result});
    end_run(app, std::move(gemm.row), *result);
    const bool failed = state == GemmJob::State::failed;
    std::string words = *result ? (*result)->headline : state == GemmJob::State::cancelled ? "stopped" : result->error().message;
    if (gemm.made_of != app.session.value_text(gemm.binding)) words += " (of an earlier version)";
    if (failed)
      complain(app, {ErrorCode::wrong_result, std::move(words), {}, {}});
    else
      say(app, std::move(words));
  }
  gemm.job.reset();
}

// Values that were not there in time.
void collect_values(App& app) {
  const bool came = app.session.collect();
  show_awaited_figures(app.session);
  if (!came || !std::exchange(app.shows_first, false)) return;
  if (shown_views(app.session.workspace().arrangement).empty()) show_first(app);
}

// How many figures there is room for, each wide and high enough for its cells to be seen.
Session::PaneRoom room_on_screen(const App& app) {
  constexpr float kWide = 360, kHigh = 330;  // units
  const std::string split = canvas_name(app.session.workspace().arrangement, action::pane_for(app.session, app.selected()).place);
  ImVec2 a(INFINITY, INFINITY), b(0, 0);
  Session::PaneRoom room;
  for (const RecordedItem& item : app.recorder.items()) {
    if (item.role != "canvas") continue;
    a = {std::min(a.x, item.x), std::min(a.y, item.y)};
    b = {std::max(b.x, item.x + item.w), std::max(b.y, item.y + item.h)};
    if (item.label == split) room.splits = item.w / app.scale >= 2 * kWide;
  }
  if (b.x <= a.x) return room;
  const auto times = [&](float length, float each) { return static_cast<std::size_t>(std::max(length / app.scale / each, 1.0f)); };
  room.most = times(b.x - a.x, kWide) * times(b.y - a.y, kHigh);
  return room;
}

// What takes a while is said.
std::string evaluating_words(App& app) {
  constexpr double kWhile = 0.15;  // seconds
  if (!app.session.evaluating()) app.evaluating_since = ImGui::GetTime();
  return ImGui::GetTime() - app.evaluating_since < kWhile ? std::string() : "evaluating ...";
}

PanesInput panes_of(App& app) {
  Workbench& bench = app.bench;
  return {app.session,      app.figures, app.textures,   app.hovered ? &*app.hovered : nullptr, bench.canvases, bench.lights, bench.changed,
          bench.figure_bar, bench.picks, bench.presenter};
}

// What begins and ends with a presentation: the whole screen, larger type, the clock.
void follow_presentation(App& app) {
  const bool presents = app.presenting();
  if (presents || app.presents) app.wanted_scale = presents ? presented_scale(app, ImGui::GetIO().DisplaySize) : scale_of(app);
  if (presents == app.presents) return;
  app.presents = presents;
  PresenterState& presenter = app.bench.presenter;
  presenter = {.notes = presents && presenter.notes, .began = ImGui::GetTime()};
  if (presents) app.full_before = app.full_screen;
  app.full_screen = presents || app.full_before;
}

// One of ImGui's windows that fills the screen. Whoever shows the frame has painted its background; to paint it again is a quarter of what
// a software renderer does.
class WholeScreen {
 public:
  explicit WholeScreen(const App& app) : font_(app.fonts.body) {
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::Begin("Tessera", nullptr,
                 ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse |
                     ImGuiWindowFlags_NoNav);
  }
  ~WholeScreen() { ImGui::End(); }
  WholeScreen(const WholeScreen&) = delete;
  WholeScreen& operator=(const WholeScreen&) = delete;

 private:
  WithFont font_;
};

class Frame {
 public:
  Frame(App& app, Ui& ui) : app_(app), ui_(ui) {}

  void draw();
  std::vector<Action> actions;

 private:
  void take(Answer answer) {
    if (answer) actions.push_back(std::move(*answer));
  }
  void draw_middle(const ScreenRect& area);
  void draw_side(const ScreenRect& area);
  void put_away(const Workspace& now, float width);
  void draw_panels(float top, float bottom, float width);
  bool draw_handle(const char* words, bool left, ImVec2 at, float height);
  void draw_over();

  App& app_;
  Ui& ui_;
  std::optional<Hovered> hovered_;
};

void Frame::draw_middle(const ScreenRect& area) {
  const PanesInput input = panes_of(app_);
  const bool presents_lesson = app_.bench.lesson.open && app_.presenting() && !app_.session.workspace().presenting;
  PanesOutput out = app_.session.workspace().presenting ? draw_presentation(ui_, input, area)
                    : presents_lesson                   ? draw_lesson_slides(ui_, input, app_.bench.lesson, area)
                    : app_.bench.lesson.open            ? draw_lesson(ui_, input, app_.bench.lesson, area)
                    : app_.bench.source.open            ? draw_source(ui_, input, app_.bench.source, area)
                                                        : draw_panes(ui_, input, area);
  for (Action& action : out.actions) actions.push_back(std::move(action));
  hovered_ = std::move(out.hovered);
  if (!out.arranged) return;
  Workspace next = app_.session.workspace();
  next.arrangement = std::move(*out.arranged);
  app_.session.show(std::move(next));
  ++app_.performed;  // another frame shows it
}

// What lies over the window.
void Frame::draw_over() {
  Workbench& bench = app_.bench;
  take(draw_dialog(ui_, app_.session, bench.dialog, bench.ring));
  take(draw_export(ui_, app_.session, bench.exporting, bench.dialog, app_.textures, bench.ring));
  take(draw_finder(ui_, app_.session, bench.finder));
  if (bench.sheet == Sheet::none) return;
  const SheetInput input{
      {{"version", TESSERA_VERSION}, {"Dear ImGui", IMGUI_VERSION}, {"graphics", describe(app_.graphics)}, {"licence", "BSD-3-Clause"}},
      app_.messages};
  if (draw_sheet(ui_, bench.sheet, input)) bench.sheet = Sheet::none;
}

void Frame::draw_side(const ScreenRect& area) {
  SideState& side = app_.bench.side;
  const float split = area.a.y + ui_.px(kTabs);
  {
    Region region(ui_, "Side", area.a, {area.b.x - area.a.x, ui_.px(kTabs)}, ui_.theme.panel, 0, false);
    ImGui::SetCursorScreenPos({area.a.x + ui_.px(8), area.a.y + ui_.px(6)});
    for (std::size_t page = 0; page < side_pages().size(); ++page) {
      if (page > 0) ImGui::SameLine(0, ui_.px(4));
      if (tab(ui_, side_pages()[page].title, side.page == page)) side.page = page;
    }
    ImGui::SetCursorScreenPos({area.b.x - ui_.px(32), area.a.y + ui_.px(9)});
    if (chevron(ui_, "Hide the inspector", false, {ui_.px(24), ui_.px(24)}, "Give its room to the figures   Ctrl+Shift+B"))
      take(Do{"view.side"});
    ImGui::GetWindowDrawList()->AddLine({area.a.x, split - 0.5f}, {area.b.x, split - 0.5f}, ui_.theme.border);
  }
  take(side_pages()[side.page].draw(app_, ui_, {{area.a.x, split}, area.b}));
}

// What is left of a panel that is not shown: a strip that brings it back.
bool Frame::draw_handle(const char* words, bool left, ImVec2 at, float height) {
  const float width = ui_.px(kHandle);
  Region region(ui_, words, at, {width, height}, ui_.theme.panel, 0, false);
  ImGui::SetCursorScreenPos(at);
  return chevron(ui_, words, left, {width, height});
}

// Which panels give their room away. The list stays where B is the line that is edited in it.
void Frame::put_away(const Workspace& now, float width) {
  constexpr float kNarrow = 1200, kSmall = 900, kTiny = 560;  // units
  Workbench& bench = app_.bench;
  const bool small = width < ui_.px(kSmall);
  const bool narrow = small || (width < ui_.px(kNarrow) && !now.maximised.empty());
  if (!narrow) bench.keeps_panels = false;
  const bool versions = now.pinned && now.pinned->binding == now.maximised && now.pinned->name_then() != now.maximised;
  bench.side_put_away = narrow && !bench.keeps_panels && !now.side_hidden;
  bench.list_put_away = bench.side_put_away && !now.list_hidden && (versions || width < ui_.px(kTiny));
}

// The list, the figures and the inspector; the figures have the room of what is hidden.
void Frame::draw_panels(float top, float bottom, float width) {
  Workbench& bench = app_.bench;
  if (bench.source.open || bench.lesson.open) return draw_middle({{0, top}, {width, bottom}});
  const Workspace& now = app_.session.workspace();
  const float bar = ui_.px(5), handle = ui_.px(kHandle);
  // By themselves they leave half of the window to the figures, as long as they can be used.
  const auto room = [&](float chosen, float share, float least, float most) {
    if (chosen > 0) return std::min(std::round(ui_.px(chosen)), width * 0.4f);
    return std::round(std::clamp(width * share, std::min(ui_.px(least), width * 0.4f), ui_.px(most)));
  };
  put_away(now, width);
  const bool list_hidden = now.list_hidden || bench.list_put_away, side_hidden = now.side_hidden || bench.side_put_away;
  const float left = list_hidden ? handle : room(bench.left, 0.25f, 230, 330);
  const float right = side_hidden ? width - handle : width - room(bench.right, 0.27f, 250, 360);
  if (list_hidden) {
    if (draw_handle("Show the list", false, {0, top}, bottom - top)) take(Do{"view.list"});
  } else {
    bench.bindings.keys_are_elsewhere = bench.figure_bar.row.has_keyboard() || bench.ladder.open || bench.table.open;
    take(draw_bindings(ui_, app_.session, bench.bindings, app_.selected(), {{0, top}, {left - bar, bottom}}));
    float units = left / ui_.scale;
    if (splitter(ui_, "bindings", {left - bar, top}, {bar, bottom - top}, true, units, 180, 640, 1)) bench.left = units;
  }
  if (bench.ladder.open) return take(draw_ladder(ui_, bench.ladder, {{left, top}, {width, bottom}}));
  if (bench.table.open) return take(draw_table(ui_, app_.session, bench.table, {{left, top}, {width, bottom}}));
  if (bench.live.open) {
    CanvasOutput out = draw_live(app_, ui_, {{left, top}, {width, bottom}});
    for (Action& action : out.actions) actions.push_back(std::move(action));
    hovered_ = std::move(out.hovered);
    return;
  }
  if (bench.difference.shown)
    take(draw_difference(ui_, app_.session, bench.difference, {{left, top}, {right, bottom}}));
  else
    draw_middle({{left, top}, {right, bottom}});
  if (side_hidden) {
    if (draw_handle("Show the inspector", true, {right, top}, bottom - top)) take(Do{"view.side"});
    return;
  }
  float units = (width - right) / ui_.scale;
  if (splitter(ui_, "side", {right, top}, {bar, bottom - top}, true, units, 220, 640, -1)) bench.right = units;
  draw_side({{right + bar, top}, {width, bottom}});
}

void Frame::draw() {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  if (app_.presenting()) {
    draw_middle({{0, 0}, size});
    draw_over();
    app_.hovered = std::move(hovered_);
    return;
  }
  const float top_bar = ui_.px(kToolbar), top = top_bar + (app_.session.conflicts() ? ui_.px(kConflict) : 0),
              bottom = size.y - ui_.px(kStatus);
  Workbench& bench = app_.bench;
  take(draw_toolbar(ui_, app_.session, app_.settings.recent, bench.menus, {{0, 0}, {size.x, top_bar}}));
  if (top > top_bar) take(draw_conflict(ui_, app_.session, {{0, top_bar}, {size.x, top}}));
  if (bench.welcome.open) {
    take(draw_welcome(ui_, {app_.left, app_.settings.recent, !app_.session.bindings().empty()}, bench.welcome,
                      {{0, top}, {size.x, bottom}}));
    take(draw_status(ui_, {app_.status, app_.status_is_error, nullptr, {}, {}, app_.messages.unseen_errors()},
                     {{0, bottom}, {size.x, size.y}}));
    draw_over();
    app_.hovered.reset();
    return;
  }
  draw_panels(top, bottom, size.x);
  const bool covered = bench.source.open || bench.lesson.open;
  if (!covered) take(draw_canvas_menu(ui_, app_.session, app_.hovered, bench.canvas_menu));
  const auto pane = pane_of(app_.session.workspace().arrangement, app_.selected());
  const Figure* figure = pane && !covered ? &app_.figures.get(app_.session, pane->pane->tabs[pane->pane->shown], app_.textures) : nullptr;
  std::string facts = evaluating_words(app_);
  if (facts.empty())
    facts = figure && figure->scene ? fmt::format("{}   {} in all", app_.selected(), counted(cell_count(*figure->scene), "cell"))
                                    : std::string();
  const Hovered* hovered = app_.hovered ? &*app_.hovered : nullptr;
  const std::string selected = hovered ? std::string() : words_of_selected(app_.session, bench.inspector.tables);
  constexpr std::string_view kLessonHints =
      "Enter answers    Page Down: what follows    Ctrl+wheel zooms a picture    F5: for a class    Ctrl+K finds everything";
  take(draw_status(ui_,
                   {app_.status, app_.status_is_error, hovered, bench.lesson.open ? std::string() : selected, facts,
                    app_.messages.unseen_errors(), bench.lesson.open ? kLessonHints : kCanvasHints},
                   {{0, bottom}, {size.x, size.y}}));
  draw_over();
  app_.hovered = std::move(hovered_);
}

}  // namespace

float scale_of(const App& app) {
  return std::clamp(app.monitor_scale * static_cast<float>(app.settings.interface_scale), kSmallestInterface, kLargestInterface);
}

float presented_scale(const App& app, ImVec2 size) {
  constexpr float kWide = 1280, kHigh = 800, kStep = 10;  // units that fill a window at the usual scale; steps of a tenth
  const float usual = scale_of(app), larger = std::min(size.x / kWide, size.y / kHigh) / usual;
  return std::clamp(usual * std::max(std::floor(larger * kStep) / kStep, 1.0f), kSmallestInterface, kLargestInterface);
}

App::App(float ui_scale) : fonts(load_fonts(ui_scale)), scale(ui_scale), monitor_scale(ui_scale), wanted_scale(ui_scale) {
  apply_style(theme_of(theme()), scale);
}

App::App(float screen_scale, Settings chosen) : settings(std::move(chosen)), monitor_scale(screen_scale) {
  scale = wanted_scale = scale_of(*this);
  fonts = load_fonts(scale);
  apply_style(theme_of(theme()), scale);
}

void draw(App& app) {
  const std::vector<Action> pending = std::move(app.pending);
  app.pending.clear();
  for (const Action& action : pending) perform(app, action);
  if (app.status_until > 0 && ImGui::GetTime() >= app.status_until) say(app, {});
  collect_job(app);
  collect_in_turn(app);
  collect_values(app);
  keep_runs(app);
  app.figures.collect(app.session, app.textures);
  app.recorder.clear();
  Ui ui{theme_of(app.theme()), app.fonts, app.recorder, app.scale};
  Frame frame(app, ui);
  {
    const WholeScreen whole(app);
    frame.draw();
  }
  app.session.be_roomy(room_on_screen(app));
  for (const Action& action : frame.actions) perform(app, action);
  follow_presentation(app);
  app.clock = ImGui::GetTime();
  if (ImGui::IsMouseReleased(0)) app.session.end_burst();  // a drag is one step
}

void draw_speaker(App& app) {
  apply_style(theme_of(app.theme()), app.scale);
  Recorder& recorder = app.speakers;
  recorder.clear();
  Ui ui{theme_of(app.theme()), app.fonts, recorder, app.scale};
  const WholeScreen whole(app);
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const auto seconds = static_cast<long>(std::max(app.clock - app.bench.presenter.began, 0.0));
  const std::time_t now = std::time(nullptr);
  std::tm here{};
  localtime_r(&now, &here);
  const PanesInput panes = panes_of(app);
  PanesOutput out =
      draw_speaker(ui, {panes, fmt::format("{:02}:{:02}", here.tm_hour, here.tm_min), fmt::format("{}:{:02}", seconds / 60, seconds % 60)},
                   {{0, 0}, size});
  for (Action& action : out.actions) app.pending.push_back(std::move(action));
}

void scale_to(App& app, float scale) {
  app.scale = app.wanted_scale = scale;
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  const std::uint64_t before = texture_key(atlas.TexID);
  atlas.Clear();
  app.fonts = load_fonts(scale);
  bake_fonts(app.textures);
  app.textures.remove(before);
  apply_style(theme_of(app.theme()), scale);
}

std::optional<Action> shortcut(const App& app, const Chord& keys, bool typing) {
  // What text fields and lists of an open dialog use themselves.
  constexpr std::string_view kOfFields[] = {"Ctrl+Z",   "Ctrl+Y",    "Ctrl+Shift+Z", "Ctrl+A",          "Ctrl+C",
                                            "Ctrl+V",   "Ctrl+X",    "Delete",       "Escape",          "Alt+Up",
                                            "Alt+Down", "Ctrl+Left", "Ctrl+Right",   "Ctrl+Shift+Left", "Ctrl+Shift+Right"};
  const bool is_share = typing && keys == kPasteKeys && share_text_is_copied();
  if (typing && !is_share && std::find(std::begin(kOfFields), std::end(kOfFields), keys) != std::end(kOfFields)) return std::nullopt;
  const Workbench& bench = app.bench;
  if (bench.dialog.kind != DialogKind::none || bench.finder.open || bench.sheet != Sheet::none) return std::nullopt;
  if (std::string menu = menu_of_keys(keys); !menu.empty() && !app.presenting()) return OpenMenu{std::move(menu)};
  const ActionRow* row = action_of_keys(keys);
  if (!row) return std::nullopt;
  // A document that is not in sight is not changed by a key.
  const bool covers = (bench.source.open || bench.lesson.open) && !app.session.workspace().presenting && !bench.welcome.open;
  if (covers &&
      (row->menu == "Binding" || row->menu == "Figure" || row->menu == "Cells" || row->id == "edit.undo" || row->id == "edit.redo"))
    return std::nullopt;
  // Escape first closes what is open, and where there is nothing to do it does nothing.
  const bool is_open = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  if (row->keys == "Escape" && (is_open || app.presenting() || bench.lesson.open || !check(app.session, *row, {}))) return std::nullopt;
  // Where its row is in sight, a name is changed where it stands.
  const bool in_list = !bench.bindings.as_text && !app.presenting() && app.session.find(app.selected());
  if (row->traits.in_list && in_list) return RenameInList{};
  // What is about a binding is about the line where one types.
  const bool takes_binding = !row->parameters.empty() && row->parameters.front().name == "binding";
  if (bench.bindings.as_text && bench.bindings.page.editor.has_keyboard && takes_binding) {
    if (const std::string name = binding_at_cursor(app.session, bench.bindings.page); app.session.find(name))
      return Do{std::string(row->id), {{"binding", name}}};
  }
  return Do{std::string(row->id)};
}

}  // namespace tessera::studio
