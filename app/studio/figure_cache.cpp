// SPDX-License-Identifier: BSD-3-Clause
// Keeps scenes and their arrangements in step with the session.
#include "app/studio/figure_cache.hpp"

namespace tessera::studio {

Figure& FigureCache::get(const Session& session, const std::string& name, Textures& textures) {
  Figure& figure = figures_[name];
  if (figure.revision == session.revision() && (figure.scene || figure.error)) return figure;
  figure.revision = session.revision();
  const Result<Scene>& made = session.figure(name);
  if (!made) {
    figure.error = made.error();
    return figure;
  }
  figure.error.reset();
  if (figure.index) release(*figure.index, textures);
  figure.scene = *made;
  figure.index.emplace(*figure.scene);
  figure.serial = ++serial_;
  return figure;
}

void FigureCache::clear(Textures& textures) {
  forget_textures(textures);
  figures_.clear();
}

void FigureCache::forget_textures(Textures& textures) {
  for (auto& [name, figure] : figures_) {
    if (figure.index) release(*figure.index, textures);
  }
}

}  // namespace tessera::studio
