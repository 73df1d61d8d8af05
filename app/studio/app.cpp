// SPDX-License-Identifier: BSD-3-Clause
// One frame: lay out the panels, draw them, perform what they ask for.
#include "app/studio/app.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace tessera::studio {
namespace {

constexpr float kToolbar = 50, kConflict = 46, kStatus = 32, kTabs = 42;

// The finished job's report moves to the binding's page.
void collect_job(App& app) {
  GemmRun& gemm = app.gemm;
  if (!gemm.job || gemm.job->state() == GemmJob::State::running) return;
  const GemmJob::State state = gemm.job->state();
  if (const Result<GemmReport>* result = gemm.job->result()) {
    gemm.reports.insert_or_assign(gemm.binding, GemmRun::Kept{gemm.made_of, *result});
    const bool failed = state == GemmJob::State::failed;
    app.status = *result ? (*result)->headline : state == GemmJob::State::cancelled ? "stopped" : result->error().message;
    if (gemm.made_of != app.session.value_text(gemm.binding)) app.status += " (of an earlier version)";
    app.status_is_error = failed;
  }
  gemm.job.reset();
}

bool is_gemm(const App& app, const std::string& name) {
  const EvaluatedBinding* binding = app.session.find(name);
  return binding && binding->value && kind_name(*binding->value) == "gemm";
}

// The GEMM that the page is about: the selected one, else the document's first.
std::string gemm_in_question(const App& app) {
  if (is_gemm(app, app.bench.selected)) return app.bench.selected;
  for (const EvaluatedBinding& binding : app.session.bindings()) {
    if (is_gemm(app, binding.name)) return binding.name;
  }
  return {};
}

class Frame {
 public:
  Frame(App& app, Ui& ui) : app_(app), ui_(ui) {}

  void draw();
  std::vector<Action> actions;

 private:
  void take(Answer answer) {
    if (answer) actions.push_back(std::move(*answer));
  }
  std::size_t best_columns(const ScreenRect& area) const;
  void draw_canvases(const ScreenRect& area);
  void draw_side(const ScreenRect& area);
  void draw_one_canvas(const std::string& name, const ScreenRect& area);

  App& app_;
  Ui& ui_;
  std::optional<Hovered> hovered_;
};

void Frame::draw_one_canvas(const std::string& name, const ScreenRect& area) {
  // Thread 3 of one MMA is not thread 3 of another: only figures of one lineage light up together.
  const Hovered* hovered = app_.hovered && app_.session.related(name, app_.hovered->figure) ? &*app_.hovered : nullptr;
  Figure& figure = app_.figures.get(app_.session, name, app_.textures);
  const CanvasInput input{name, app_.session, figure, app_.textures, hovered, name == app_.bench.selected, app_.bench.open.size() > 1};
  CanvasOutput out = draw_canvas(ui_, input, app_.bench.canvases[name], area);
  take(std::move(out.answer));
  if (out.hovered) hovered_ = std::move(out.hovered);
}

// The number of columns in which the figures' cells come out largest.
std::size_t Frame::best_columns(const ScreenRect& area) const {
  std::size_t best = 1;
  float largest = -1;
  for (std::size_t columns = 1; columns <= std::min<std::size_t>(app_.bench.open.size(), 3); ++columns) {
    const auto rows = static_cast<float>((app_.bench.open.size() + columns - 1) / columns);
    float sum = 0;
    for (const std::string& name : app_.bench.open) {
      const Figure& figure = app_.figures.get(app_.session, name, app_.textures);
      if (!figure.scene) continue;
      const ImVec2 size((area.b.x - area.a.x) / static_cast<float>(columns), (area.b.y - area.a.y) / rows - ui_.px(36));
      sum += fit(*figure.scene, *figure.index, {{0, 0}, size}, ui_.scale).scale;
    }
    if (sum > largest) {
      largest = sum;
      best = columns;
    }
  }
  return best;
}

// Columns of figures; the first column's share can be dragged.
void Frame::draw_canvases(const ScreenRect& area) {
  const std::vector<std::string> open = app_.bench.open;
  if (app_.bench.columns == 0 || app_.bench.columns > open.size()) app_.bench.columns = best_columns(area);
  const std::size_t columns = app_.bench.columns;
  const float width = area.b.x - area.a.x, bar = ui_.px(5);
  float x = area.a.x;
  std::size_t next = 0;
  for (std::size_t c = 0; c < columns; ++c) {
    const std::size_t count = (open.size() - next + (columns - c) - 1) / (columns - c);
    const float share = columns == 1 ? 1 : c == 0 ? app_.bench.column : (1 - app_.bench.column) / static_cast<float>(columns - 1);
    const float right = c + 1 == columns ? area.b.x : std::round(x + width * share);
    for (std::size_t r = 0; r < count; ++r) {
      const auto at = [&](std::size_t row) {
        return std::round(area.a.y + (area.b.y - area.a.y) * static_cast<float>(row) / static_cast<float>(std::max<std::size_t>(count, 1)));
      };
      draw_one_canvas(open[next++], {{x, at(r)}, {right - (c + 1 == columns ? 0 : bar), at(r + 1) - (r + 1 == count ? 0 : ui_.px(1))}});
    }
    if (c == 0 && columns > 1) {
      float units = app_.bench.column * width / ui_.scale;
      if (splitter(ui_, "figures", {right - bar, area.a.y}, {bar, area.b.y - area.a.y}, true, units, 160, width / ui_.scale - 160, 1)) {
        app_.bench.column = units * ui_.scale / width;
      }
    }
    x = right;
  }
  if (open.empty()) {
    Region region(ui_, "Canvas", area.a, {width, area.b.y - area.a.y}, ui_.theme.canvas, 0, false);
    ImGui::SetCursorScreenPos({area.a.x + width / 2 - ui_.px(150), (area.a.y + area.b.y) / 2});
    text(ui_, "Select something that can be drawn on the left", ui_.theme.dim, ui_.fonts.body);
  }
}

void Frame::draw_side(const ScreenRect& area) {
  SideState& side = app_.bench.side;
  const float split = area.a.y + ui_.px(kTabs);
  {
    Region region(ui_, "Side", area.a, {area.b.x - area.a.x, ui_.px(kTabs)}, ui_.theme.panel, 0, false);
    ImGui::SetCursorScreenPos({area.a.x + ui_.px(8), area.a.y + ui_.px(6)});
    if (tab(ui_, "Inspector", !side.gemm)) side.gemm = false;
    ImGui::SameLine(0, ui_.px(4));
    if (tab(ui_, "GEMM", side.gemm)) side.gemm = true;
    ImGui::GetWindowDrawList()->AddLine({area.a.x, split - 0.5f}, {area.b.x, split - 0.5f}, ui_.theme.border);
  }
  const ScreenRect body{{area.a.x, split}, area.b};
  const Hovered* hovered = app_.hovered ? &*app_.hovered : nullptr;
  if (!side.gemm) return take(draw_inspector(ui_, app_.session, app_.bench.selected, hovered, body));
  static const GemmPage nothing;
  const std::string binding = gemm_in_question(app_);
  const GemmRun& run = app_.gemm;
  const bool runs_here = run.job && run.binding == binding;
  const auto kept = run.reports.find(binding);
  const bool fits = kept != run.reports.end() && kept->second.made_of == app_.session.value_text(binding);
  take(draw_gemm(
      ui_,
      {binding, binding.empty() ? nothing : app_.pages.get(app_.session, binding, app_.request), runs_here ? run.job.get() : nullptr,
       run.emulating, run.job && !runs_here, fits ? &kept->second.report : nullptr, kept != run.reports.end() && !fits},
      body));
}

void Frame::draw() {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const float top_bar = ui_.px(kToolbar), top = top_bar + (app_.session.conflicts() ? ui_.px(kConflict) : 0),
              bottom = size.y - ui_.px(kStatus), bar = ui_.px(5);
  Workbench& bench = app_.bench;
  const float left = std::min(std::round(ui_.px(bench.left)), size.x * 0.4f),
              right = size.x - std::min(std::round(ui_.px(bench.right)), size.x * 0.4f);
  take(draw_toolbar(ui_, app_.session, bench.selected, {{0, 0}, {size.x, top_bar}}));
  if (top > top_bar) take(draw_conflict(ui_, app_.session, {{0, top_bar}, {size.x, top}}));
  take(draw_bindings(ui_, app_.session, bench.bindings, bench.selected, {{0, top}, {left - bar, bottom}}));
  splitter(ui_, "bindings", {left - bar, top}, {bar, bottom - top}, true, bench.left, 180, 640, 1);
  if (bench.difference.shown)
    take(draw_difference(ui_, app_.session, bench.difference, {{left, top}, {right, bottom}}));
  else
    draw_canvases({{left, top}, {right, bottom}});
  splitter(ui_, "side", {right, top}, {bar, bottom - top}, true, bench.right, 220, 640, -1);
  draw_side({{right + bar, top}, {size.x, bottom}});
  const Figure* figure = bench.canvases.count(bench.selected) ? &app_.figures.get(app_.session, bench.selected, app_.textures) : nullptr;
  const std::string facts =
      figure && figure->scene ? fmt::format("{}   {} cells", bench.selected, cell_count(*figure->scene)) : std::string();
  draw_status(ui_, {app_.status, app_.status_is_error, app_.hovered ? &*app_.hovered : nullptr, facts}, {{0, bottom}, {size.x, size.y}});
  take(draw_dialog(ui_, app_.session, bench.dialog));
  app_.hovered = std::move(hovered_);
}

}  // namespace

App::App(float ui_scale) : fonts(load_fonts(ui_scale)), scale(ui_scale) { apply_style(theme_of(theme()), scale); }

void draw(App& app) {
  const std::vector<Action> pending = std::move(app.pending);
  app.pending.clear();
  for (const Action& action : pending) perform(app, action);
  collect_job(app);
  app.recorder.clear();
  Ui ui{theme_of(app.theme()), app.fonts, app.recorder, app.scale};
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
  WithFont with(app.fonts.body);
  ImGui::Begin("Tessera", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoNav);
  Frame frame(app, ui);
  frame.draw();
  ImGui::End();
  for (const Action& action : frame.actions) perform(app, action);
}

std::optional<Action> shortcut(const App& app, char letter, bool shift, bool typing) {
  switch (std::toupper(static_cast<unsigned char>(letter))) {
    case 'Z': return typing ? std::optional<Action>() : shift ? Action(Redo{}) : Action(Undo{});
    case 'Y': return typing ? std::optional<Action>() : Action(Redo{});
    case 'S': return shift ? Action(AskSaveAs{}) : Action(Save{});
    case 'O': return Action(AskOpen{});
    case 'E': return Action(AskExport{app.bench.selected});
    case '0': return Action(FitFigures{});
    default: return std::nullopt;
  }
}

}  // namespace tessera::studio
