// SPDX-License-Identifier: BSD-3-Clause
// FigureCache: the figures that are on the screen, arranged for it. While a person types something that cannot be drawn, the last
// picture stays.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "app/session/session.hpp"
#include "app/studio/scene_index.hpp"
#include "app/studio/scene_painter.hpp"

namespace tessera::studio {

struct Figure {
  std::optional<Scene> scene;            // empty until a first picture could be made
  std::optional<SceneIndex> index;       // of that scene
  std::optional<Error> error;            // why there is no newer picture
  std::uint64_t revision = 0;            // of the session, when this was made
  std::uint64_t serial = 0;              // another number for each new scene
  bool used = false;                     // since figures were last forgotten
  std::shared_ptr<const Document> of{};  // of a pinned one
};

class FigureCache {
 public:
  // Up to date with the session. The reference lives until `clear` or `forget_unused`.
  Figure& get(const Session& session, const View& view, Textures& textures);
  // The pinned binding as it was.
  Figure& get_pinned(const Session& session, const FigureOptions& options, Textures& textures);
  // Figures that were not asked for since the last time, where there are many.
  void forget_unused(Textures& textures);
  void clear(Textures& textures);
  // Textures hold colours of the theme; they are made again at the next painting.
  void forget_textures(Textures& textures);

 private:
  void take(Figure& figure, const Result<Scene>& made, Textures& textures);
  std::map<View, Figure> figures_;
  std::uint64_t serial_ = 0;
};

}  // namespace tessera::studio
