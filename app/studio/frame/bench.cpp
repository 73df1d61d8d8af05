// SPDX-License-Identifier: BSD-3-Clause
// Each case drives the real frames by input, as a person would, and takes the time of the process: other programs do not count.
#include "app/studio/frame/bench.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/session/files/document_io.hpp"
#include "app/studio/frame/app.hpp"
#include "app/studio/frame/loop.hpp"
#include "app/studio/frame/null_backend.hpp"

namespace tessera::studio {
namespace {

constexpr int kWidth = 1440, kHeight = 900, kBindings = 10'000;
constexpr const char* kLarge = "let large = (1024,1024):(1024,1)\n";

// Runs something and takes the milliseconds of processor time that it needed.
double milliseconds(const std::function<void()>& work) {
  const std::clock_t begin = std::clock();
  work();
  return 1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

// The same of this thread alone: what others make beside the frames does not count.
double milliseconds_here(const std::function<void()>& work) {
  const auto now = [] {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
  };
  const double begin = now();
  work();
  return now() - begin;
}

// What the process holds in memory, in MiB; 0 where the system does not say.
double resident_mib() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    double kib = 0;
    if (word == "VmRSS:" && status >> kib) return kib / 1024;
  }
  return 0;
}

double at_share(std::vector<double> times, double share) {
  if (times.empty()) return 0;
  std::sort(times.begin(), times.end());
  return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
}

// The studio with one document, on the null backend.
class Desk {
 public:
  Desk() : backend_(kWidth, kHeight), app(1) { backend_.start(app.textures); }

  Status open(std::string_view document, const std::string& shown) {
    TESSERA_CHECK(app.session.open_text(document, "bench.tess"));
    app.figures.clear(app.textures);
    app.bench.canvases.clear();
    show_document(app);
    perform(app, Do{"figure.show", {{"binding", shown}}});
    perform(app, Do{"figure.maximise", {{"binding", shown}}});
    for (int i = 0; i < 4; ++i) frame();
    if (!canvas()) return Error{ErrorCode::unknown_name, fmt::format("the bench's figure \"{}\" is not on the screen", shown), {}, {}};
    shown_ = shown;
    return Done{};
  }

  void frame() {
    backend_.frame(input, [&] { draw(app); });
    input.wheel = {0, 0};
  }
  const RecordedItem* canvas() const {
    for (const RecordedItem& item : app.recorder.items()) {
      if (item.role == "canvas") return &item;
    }
    return nullptr;
  }
  void point_at(float x, float y) { input.mouse = {canvas()->x + x * canvas()->w, canvas()->y + y * canvas()->h}; }
  const Scene& scene() { return *app.figures.get(app.session, View{shown_, {}}, app.textures).scene; }
  CanvasState& state() { return app.bench.canvases.at(shown_); }

  // Cells of grids that lie on the canvas.
  std::size_t visible_cells() {
    const Camera& camera = state().camera;
    const ImVec2 a = camera.to_scene({0, 0}), b = camera.to_scene({canvas()->w, canvas()->h});
    const auto covered = [](float from, float to, float begin, float step, std::int32_t count) {
      const auto most = static_cast<float>(count);
      return std::max(0.0f, std::ceil(std::min((to - begin) / step, most)) - std::floor(std::clamp((from - begin) / step, 0.0f, most)));
    };
    std::size_t count = 0;
    for (const Panel& panel : scene().panels) {
      for (const Mark& mark : panel.marks) {
        const auto* grid = std::get_if<Grid>(&mark);
        if (!grid) continue;
        count += static_cast<std::size_t>(covered(a.x, b.x, grid->x, grid->w, grid->of->cols)) *
                 static_cast<std::size_t>(covered(a.y, b.y, grid->y, grid->h, grid->of->rows));
      }
    }
    return count;
  }

 private:
  NullBackend backend_;
  std::string shown_;

 public:
  InputFrame input;
  App app;
};

// A screen on which nothing happens, for so many seconds of its own clock.
class StillScreen : public Surface {
 public:
  StillScreen(Desk& desk, double seconds) : desk_(desk), seconds_(seconds) {}
  double now() const override { return now_; }
  bool wait(double seconds) override {
    now_ += seconds < 0 ? seconds_ : std::max(seconds, 1e-3);
    desk_.app.quit = now_ >= seconds_;
    return false;
  }
  InputQueue& input() override { return input_; }
  void set_title(const std::string&) override {}
  void frame(const InputFrame&, const Textures&, ImU32, const std::function<void()>&) override {
    if (desk_.app.quit) return;
    ++frames;
    desk_.frame();
  }
  int frames = 0;

 private:
  Desk& desk_;
  double seconds_, now_ = 0;
  InputQueue input_;
};

class Bench {
 public:
  explicit Bench(int frames) : frames_(frames) {}

  Status run() {
    TESSERA_CHECK(first_frame());  // before anything is warm
    TESSERA_CHECK(large_figure());
    TESSERA_CHECK(sliders());
    TESSERA_CHECK(live_page());
    return many_bindings();
  }
  std::string json() const {
    return fmt::format("{{\"size\": \"{}x{}\", \"frames\": {}, \"cases\": [\n{}\n]}}\n", kWidth, kHeight, frames_, fmt::join(rows_, ",\n"));
  }

 private:
  void say_one(std::string_view name, std::string_view unit, double value, double wanted) {
    rows_.push_back(fmt::format(R"(  {{"case": "{}", "{}": {:.3f}, "wanted": {}}})", name, unit, value, wanted));
  }
  // Times `work(i)` for each frame; `before(i)` is not counted.
  void say_times(std::string_view name, double wanted, Desk& desk, const std::function<void(int)>& before,
                 const std::function<void(int)>& work, double (*timed)(const std::function<void()>&) = milliseconds) {
    std::vector<double> times;
    for (int i = 0; i < frames_; ++i) {
      before(i);
      times.push_back(timed([&] { work(i); }));
    }
    rows_.push_back(
        fmt::format(R"(  {{"case": "{}", "median_ms": {:.3f}, "p95_ms": {:.3f}, "wanted": {}, "visible_cells": {}, "scene_bytes": {}}})",
                    name, at_share(times, 0.5), at_share(times, 0.95), wanted, desk.visible_cells(), bytes_of(desk.scene())));
  }
  Status first_frame();
  Status large_figure();
  void move_figure(Desk& desk, const std::string& at);
  Status slider(const std::string& name, double wanted, std::string_view document, const std::string& shown, const std::string& bound,
                const std::function<std::string(int)>& expression);
  Status sliders();
  Status live_page();
  Status many_bindings();

  int frames_;
  std::vector<std::string> rows_;
};

Status Bench::first_frame() {
  TESSERA_TRY(tour, find_asset("presets/tour.tess"));
  std::optional<Desk> desk;
  Status opened = Done{};
  const double first = milliseconds([&] {
    desk.emplace();
    opened = open_document(desk->app, tour.string());
    desk->frame();
  });
  TESSERA_CHECK(std::move(opened));
  say_one("first frame of the tour", "ms", first, 250);
  for (int i = 0; i < 4; ++i) desk->frame();
  StillScreen still(*desk, 60);
  studio::run(desk->app, still);
  desk->app.quit = false;
  say_one("frames drawn in a minute in which nothing happens", "frames", still.frames, kSettleFrames);
  TESSERA_CHECK(desk->app.session.run(AddBinding{"large", "(1024,1024):(1024,1)", {}}));
  perform(desk->app, Do{"figure.beside", {{"binding", "large"}}});
  for (int i = 0; i < 4; ++i) desk->frame();
  say_one("resident with the tour and a figure of 1024x1024", "MiB", resident_mib(), 200);
  return Done{};
}

// Pans, zooms and hovers where the camera is.
void Bench::move_figure(Desk& desk, const std::string& at) {
  const CanvasState home = desk.state();
  desk.point_at(0.5f, 0.5f);
  desk.frame();
  desk.input.buttons[2] = true;
  desk.frame();
  const auto step = [&](int i) { desk.input.mouse.x += i % 20 < 10 ? 7.0f : -7.0f; };
  say_times("pan, 1024x1024, " + at, 0.5, desk, step, [&](int) { desk.frame(); });
  desk.input.buttons[2] = false;
  desk.frame();
  desk.state() = home;
  say_times(
      "zoom, 1024x1024, " + at, 0.5, desk,
      [&](int i) {
        desk.input.wheel = {0, i % 2 == 0 ? 0.2f : -0.2f};
      },
      [&](int) { desk.frame(); });
  desk.state() = home;
  const auto place = [&](int i) {
    desk.point_at(0.3f + 0.4f * static_cast<float>(i * 37 % 101) / 101, 0.3f + 0.4f * static_cast<float>(i * 53 % 97) / 97);
  };
  say_times("whole frame while hovering, 1024x1024, " + at, 0.5, desk, place, [&](int) { desk.frame(); });
  // What hovering adds: the cell, its words, and what it is linked to.
  const Camera camera = desk.state().camera;
  const auto hover = [&](int) {
    const ImVec2 p = camera.to_scene({desk.input.mouse.x - desk.canvas()->x, desk.input.mouse.y - desk.canvas()->y});
    const Figure& figure = desk.app.figures.get(desk.app.session, View{"large", {}}, desk.app.textures);
    const std::optional<Hovered> found = hover_at("large", *figure.scene, p.x, p.y);
    if (found) (void)highlights_of(*found, "large", *figure.scene, *figure.index);
  };
  say_times("hover, 1024x1024, " + at, 0.2, desk, place, hover);
}

Status Bench::large_figure() {
  Desk desk;
  TESSERA_CHECK(desk.open(kLarge, "large"));
  move_figure(desk, "fit");
  CanvasState& state = desk.state();
  state.fitted = false;
  state.camera = {{-28.0f * 400, -28.0f * 400}, 28};
  desk.frame();
  move_figure(desk, "28 px");
  return Done{};
}

// From a change of the text to the picture of it.
Status Bench::slider(const std::string& name, double wanted, std::string_view document, const std::string& shown, const std::string& bound,
                     const std::function<std::string(int)>& expression) {
  Desk desk;
  TESSERA_CHECK(desk.open(document, shown));
  Status done = Done{};
  say_times(
      name, wanted, desk, [](int) {},
      [&](int i) {
        if (Status run = desk.app.session.run(SetBinding{bound, expression(i)}, true); !run) done = std::move(run);
        desk.frame();
      });
  return done;
}

Status Bench::sliders() {
  const std::string mma =
      "let deep = 16\n"
      "let mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,4), (128,128,deep))\n"
      "let lit = mma_figure(mma, thread=0)\n";
  TESSERA_CHECK(slider("slider, tiled MMA of 128x128, its tile", 16, mma, "mma", "deep", [](int i) { return i % 2 ? "16" : "32"; }));
  TESSERA_CHECK(slider("slider, tiled MMA of 128x128, a thread", 16, mma, "lit", "lit",
                       [](int i) { return fmt::format("mma_figure(mma, thread={})", (i + 1) % 256); }));
  return slider("slider, layout of 1024x1024, its stride", 50, "let stride = 1024\nlet large = (1024,1024):(stride,1)\n", "large", "stride",
                [](int i) { return std::to_string(1025 + i % 100); });
}

// What one sees while a field is dragged and all that follows is made beside the frames.
Status Bench::live_page() {
  const auto gemm = [](int raster) {
    return fmt::format("gemm(m=4096, n=4096, k=4096, mma=tile, cta_tiler=(128,256,64), stages=3, raster_group={})", raster);
  };
  Desk desk;
  TESSERA_CHECK(
      desk.open("let tile = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,4), (32,64,16))\nlet product = " + gemm(1) + "\n", "product"));
  perform(desk.app, Do{"gemm.page", {{"tab", "source"}}});
  for (int i = 0; i < 2000 && (i < 4 || desk.app.bench.live.waiting()); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    desk.frame();
  }
  desk.app.session.be_patient(-1);
  desk.app.figures.be_patient(0);
  Status done = Done{};
  const auto drag = [&](int i) {
    if (Status run = desk.app.session.run(SetBinding{"product", gemm(1 + i % 32)}, true); !run) done = std::move(run);
    std::this_thread::sleep_for(std::chrono::milliseconds(8));
  };
  say_times(
      "frame of the live page while a number is dragged", 2, desk, drag, [&](int) { desk.frame(); }, milliseconds_here);
  return done;
}

Status Bench::many_bindings() {
  std::string document;
  for (int i = 0; i < kBindings; ++i) {
    document += i % 4 == 0   ? fmt::format("let b{} = {}\n", i, 4 * (i % 7 + 1))
                : i % 4 == 1 ? fmt::format("let b{} = (b{},8):(8,1)\n", i, i - 1)
                : i % 4 == 2 ? fmt::format("let b{} = composition(b{}, (2,4):(4,1))\n", i, i - 1)
                             : fmt::format("let b{} = size(b{}) + 1  # of the line before\n", i, i - 1);
  }
  Desk desk;
  TESSERA_CHECK(desk.open(document, fmt::format("b{}", kBindings / 2 + 1)));
  Status done = Done{};
  const auto edit = [&](int i) {
    const std::string name = fmt::format("b{}", kBindings / 2);
    if (Status run = desk.app.session.run(SetBinding{name, std::to_string(4 * (9 + i % 5))}, true); !run) done = std::move(run);
  };
  say_times(
      "edit, 10,000 bindings", 30, desk, [](int) {}, edit);
  say_times(
      "edit and the frame after it, 10,000 bindings", 30, desk, [](int) {},
      [&](int i) {
        edit(i + 1);
        desk.frame();
      });
  say_times(
      "frame, 10,000 bindings", 16, desk, [](int) {}, [&](int) { desk.frame(); });
  return done;
}

}  // namespace

Result<std::string> run_bench(int frames) {
  Bench bench(frames);
  TESSERA_CHECK(bench.run());
  return bench.json();
}

}  // namespace tessera::studio
