// SPDX-License-Identifier: BSD-3-Clause
// Keeps scenes and their arrangements in step with the session.
#include "app/studio/figure_cache.hpp"

namespace tessera::studio {

Figure& FigureCache::get(const Session& session, const View& view, Textures& textures) {
  Figure& figure = figures_[view];
  figure.used = true;
  if (figure.revision == session.revision() && (figure.scene || figure.error)) return figure;
  figure.revision = session.revision();
  take(figure, session.figure(view.binding, view.options), textures);
  return figure;
}

Figure& FigureCache::get_pinned(const Session& session, const FigureOptions& options, Textures& textures) {
  const std::optional<Pin>& pin = session.workspace().pinned;
  Figure& figure = figures_[View{"pinned " + (pin ? pin->binding : std::string()), options}];  // no binding has a blank in its name
  figure.used = true;
  if (pin && figure.of == pin->document && (figure.scene || figure.error)) return figure;
  figure.of = pin ? pin->document : nullptr;
  take(figure, session.pinned_figure(options), textures);
  return figure;
}

void FigureCache::take(Figure& figure, const Result<Scene>& made, Textures& textures) {
  if (!made) {
    figure.error = made.error();
    return;
  }
  figure.error.reset();
  if (figure.index) release(*figure.index, textures);
  figure.scene = *made;
  figure.index.emplace(*figure.scene);
  figure.serial = ++serial_;
}

void FigureCache::forget_unused(Textures& textures) {
  constexpr std::size_t kFew = 16;
  if (figures_.size() <= kFew) return;
  for (auto& [view, figure] : figures_) {
    if (!figure.used && figure.index) release(*figure.index, textures);
  }
  std::erase_if(figures_, [](const auto& each) { return !each.second.used; });
  for (auto& [view, figure] : figures_) figure.used = false;
}

void FigureCache::clear(Textures& textures) {
  forget_textures(textures);
  figures_.clear();
}

void FigureCache::forget_textures(Textures& textures) {
  for (auto& [view, figure] : figures_) {
    if (figure.index) release(*figure.index, textures);
  }
}

}  // namespace tessera::studio
