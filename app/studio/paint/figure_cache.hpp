// SPDX-License-Identifier: BSD-3-Clause
// FigureCache: the figures that are on the screen, arranged for it. While a person types something that cannot be drawn, or a large figure
// is still being made, the last picture stays.
//
// Figures are made by a thread beside, for which a frame waits a little: most are there by then, and no frame shows something else first.
// Those that take longer come when they are ready; by then the screen may want another, and they are kept where they still fit.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/document/session.hpp"
#include "app/studio/paint/figure_worker.hpp"
#include "app/studio/paint/scene_fit.hpp"
#include "app/studio/paint/scene_index.hpp"
#include "app/studio/paint/scene_painter.hpp"

namespace tessera::studio {

struct Figure {
  std::shared_ptr<const Scene> scene;    // null until a first picture could be made
  std::optional<SceneIndex> index;       // of that scene
  std::optional<Error> error;            // why there is no newer picture
  std::uint64_t revision = 0;            // of the session, when this was made, or asked for
  std::size_t steps = 0;                 // that the picture is told in, whichever is chosen
  std::uint64_t serial = 0;              // another number for each new scene
  bool used = false;                     // since figures were last forgotten
  std::shared_ptr<const Document> of{};  // of a pinned one
  SharedFigure made{};                   // that it was taken from
  std::uint64_t order = 0;               // of the worker, while it makes a newer one; else 0
  std::string ordered{};                 // what that is made of
  double since = 0;                      // when it was ordered first, in seconds of ImGui's clock

  // How large its cells are where it is shown whole in a room of this size; those that were asked for last are kept.
  float fitted_scale(const Fonts& fonts, ImVec2 size, float ui_scale) {
    for (const FittedScale& each : fitted) {
      if (each.serial == serial && each.size.x == size.x && each.size.y == size.y && each.ui_scale == ui_scale) return each.scale;
    }
    constexpr std::size_t kMostKept = 4;
    if (fitted.size() >= kMostKept) fitted.erase(fitted.begin());
    fitted.push_back({serial, size, ui_scale, fit(fonts, {*scene, *index}, {{0, 0}, size}, ui_scale).camera.scale});
    return fitted.back().scale;
  }

  struct FittedScale {
    std::uint64_t serial;
    ImVec2 size;
    float ui_scale, scale;
  };
  std::vector<FittedScale> fitted{};
};

class FigureCache {
 public:
  // Up to date with the session, or on its way. The reference lives until `clear` or `forget_unused`.
  Figure& get(const Session& session, const View& view, Textures& textures);
  // The pinned binding as it was.
  Figure& get_pinned(const Session& session, const FigureOptions& options, Textures& textures);
  // Of a value that is no binding of the session, under a name that no binding has. `made_of` says its options too.
  Figure& get_other(const Session& session, FigureTask task, Textures& textures);
  // At the beginning of a frame: takes what is ready.
  void collect(const Session& session, Textures& textures);
  bool waiting() const;
  // How long a frame waits for figures that are being made, all together, in seconds. At first: for all that it wants, however long that
  // takes, as a screenshot does; then no thread is asked.
  void be_patient(double seconds) { patience_ = left_ = seconds; }
  // Figures that were not asked for since the last time, where there are many.
  void forget_unused(Textures& textures);
  void clear(Textures& textures);
  // Textures hold colours of the theme; they are made again at the next painting.
  void forget_textures(Textures& textures);

 private:
  static constexpr double kForAll = std::numeric_limits<double>::infinity();
  void order(const Session& session, Figure& figure, FigureTask task, Textures& textures);
  void wait(const Session& session, double seconds, Textures& textures);
  void take(const Session& session, const View& view, Figure& figure, const SharedFigure& made, std::optional<SceneIndex> index,
            Textures& textures);
  void show_last(const Session& session, const View& view, Figure& figure);
  void show(Figure& figure, const SharedFigure& made, std::optional<SceneIndex> index, Textures& textures);

  std::map<View, Figure> figures_;
  std::uint64_t serial_ = 0;
  double patience_ = kForAll, left_ = kForAll;
  std::unique_ptr<FigureWorker> worker_;  // from the first order on
};

}  // namespace tessera::studio
