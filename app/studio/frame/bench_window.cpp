// SPDX-License-Identifier: BSD-3-Clause
// A hand that moves a figure to and fro.
#include <algorithm>
#include <ctime>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/studio/frame/app.hpp"
#include "app/studio/frame/bench.hpp"
#include "app/studio/frame/loop.hpp"
#include "core/base/utf8.hpp"

namespace tessera::studio {
namespace {

constexpr int kWarmUp = 20;
constexpr double kWantedMs = 33;

double at_share(std::vector<double> times, double share) {
  std::sort(times.begin(), times.end());
  return times.empty() ? 0 : times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
}

const RecordedItem* first_canvas(const App& app) {
  const auto& items = app.recorder.items();
  const auto found = std::find_if(items.begin(), items.end(), [](const RecordedItem& item) { return item.role == "canvas"; });
  return found == items.end() ? nullptr : &*found;
}

}  // namespace

Result<std::string> bench_panning(App& app, Surface& surface, int frames) {
  InputFrame input;
  std::vector<double> times;
  double processor = 0;
  const auto frame = [&](bool counts) {
    (void)surface.wait(0);
    const std::clock_t begun = std::clock();
    const double begin = surface.now();
    surface.frame(input, app.textures, theme_of(app.theme()).window, [&] { draw(app); });
    if (!counts) return;
    times.push_back(1e3 * (surface.now() - begin));
    processor += 1e3 * static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC;
  };
  for (int i = 0; i < kWarmUp; ++i) frame(false);
  const RecordedItem* canvas = first_canvas(app);
  if (!canvas) return Error{ErrorCode::unknown_name, "no figure is on the screen that could be moved", {}, {}};
  const ImVec2 middle(canvas->x + canvas->w / 2, canvas->y + canvas->h / 2);
  input.mouse = middle;
  frame(false);
  input.buttons[2] = true;
  frame(false);
  for (int i = 0; i < frames; ++i) {
    constexpr int kTurn = 20;  // frames in one direction
    input.mouse.x += i % (2 * kTurn) < kTurn ? 5.0f : -5.0f;
    frame(true);
  }
  return fmt::format(
      "{{\"case\": \"moving the first figure of {}\", \"renderer\": {}, \"frames\": {}, \"median_ms\": {:.2f}, \"p95_ms\": {:.2f}, "
      "\"processor_ms\": {:.2f}, \"wanted\": {}}}\n",
      app.session.title(), json_string(describe(app.graphics)), frames, at_share(times, 0.5), at_share(times, 0.95),
      times.empty() ? 0 : processor / static_cast<double>(times.size()), kWantedMs);
}

}  // namespace tessera::studio
