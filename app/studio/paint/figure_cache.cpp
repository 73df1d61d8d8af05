// SPDX-License-Identifier: BSD-3-Clause
// Keeps scenes and their arrangements in step with the session.
#include "app/studio/paint/figure_cache.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tessera::studio {

Figure& FigureCache::get(const Session& session, const View& view, Textures& textures) {
  Figure& figure = figures_[view];
  figure.used = true;
  if (figure.revision == session.values_revision() && (figure.scene || figure.error || figure.order || session.evaluating())) return figure;
  figure.revision = session.values_revision();
  if (const SharedFigure kept = session.kept_figure(view.binding, view.options)) {
    take(session, view, figure, kept, {}, textures);
  } else if (Result<FigureTask> task = session.figure_task(view.binding, view.options); !task) {
    figure.order = 0;
    figure.error.reset();
    if (!is_awaited(task.error())) figure.error = task.error();
  } else if (patience_ == kForAll) {
    IndexedFigure made = make_indexed(*task);
    session.keep_figure(made.task, made.figure);
    take(session, view, figure, made.figure.scene, std::move(made.index), textures);
  } else if (!figure.order || figure.ordered != task->made_of) {
    order(session, figure, std::move(*task), textures);
  }
  if (!figure.scene) show_last(session, view, figure);
  return figure;
}

// Until there is a picture with these options, the one with the last ones stays: it is on the screen no more.
void FigureCache::show_last(const Session& session, const View& view, Figure& figure) {
  const std::vector<View> shown = shown_views(session.workspace().arrangement);
  Figure* last = nullptr;
  for (auto& [other, each] : figures_) {
    if (other.binding != view.binding || other == view || !each.scene) continue;
    if (std::find(shown.begin(), shown.end(), other) != shown.end()) continue;
    if (!last || each.serial > last->serial) last = &each;
  }
  if (!last) return;
  figure.scene = std::exchange(last->scene, nullptr);
  figure.index = std::exchange(last->index, std::nullopt);
  figure.made = std::exchange(last->made, nullptr);
  figure.steps = last->steps;
  figure.serial = last->serial;
  last->revision = 0;
}

Figure& FigureCache::get_pinned(const Session& session, const FigureOptions& options, Textures& textures) {
  const std::optional<Pin>& pin = session.workspace().pinned;
  const std::string of = pin ? pin->binding + " as " + pin->name_then() : std::string();
  Figure& figure = figures_[View{"pinned " + of, options}];  // no binding has a blank in its name
  figure.used = true;
  if (pin && figure.of == pin->document && (figure.scene || figure.error)) return figure;
  figure.of = pin ? pin->document : nullptr;
  show(figure, std::make_shared<const Result<Scene>>(session.pinned_figure(options)), {}, textures);
  return figure;
}

Figure& FigureCache::get_other(const Session& session, FigureTask task, Textures& textures) {
  Figure& figure = figures_[View{task.name, {}}];  // whatever its options, the last picture stays
  figure.used = true;
  if (figure.ordered == task.made_of && (figure.scene || figure.error || figure.order)) return figure;
  if (patience_ == kForAll) {
    IndexedFigure made = make_indexed(task);
    figure.ordered = std::move(task.made_of);
    show(figure, made.figure.scene, std::move(made.index), textures);
  } else {
    order(session, figure, std::move(task), textures);
  }
  return figure;
}

void FigureCache::order(const Session& session, Figure& figure, FigureTask task, Textures& textures) {
  if (!worker_) worker_ = std::make_unique<FigureWorker>();
  if (!figure.order) figure.since = ImGui::GetTime();
  figure.ordered = task.made_of;
  figure.order = ask(*worker_, std::move(task), figure.order);
  wait(session, left_, textures);
}

void FigureCache::collect(const Session& session, Textures& textures) {
  left_ = patience_;
  if (worker_) wait(session, 0, textures);
}

// Takes what is ready within the time, which is less for the others then.
void FigureCache::wait(const Session& session, double seconds, Textures& textures) {
  const auto begin = std::chrono::steady_clock::now();
  for (auto& [order, made] : worker_->take(seconds)) {
    session.keep_figure(made.task, made.figure);
    const auto wanted =
        std::find_if(figures_.begin(), figures_.end(), [number = order](const auto& each) { return each.second.order == number; });
    if (wanted == figures_.end()) continue;
    take(session, wanted->first, wanted->second, made.figure.scene, std::move(made.index), textures);
  }
  if (seconds > 0) left_ = std::max(0.0, left_ - std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
}

bool FigureCache::waiting() const {
  return std::any_of(figures_.begin(), figures_.end(), [](const auto& each) { return each.second.order != 0; });
}

void FigureCache::take(const Session& session, const View& view, Figure& figure, const SharedFigure& made, std::optional<SceneIndex> index,
                       Textures& textures) {
  figure.order = 0;
  const SharedFigure whole = session.kept_figure(view.binding, with_step(view.options, 0));
  figure.steps = whole && *whole ? (*whole)->steps.size() : 0;
  show(figure, made, std::move(index), textures);
}

void FigureCache::show(Figure& figure, const SharedFigure& made, std::optional<SceneIndex> index, Textures& textures) {
  if (!*made) {
    figure.error = made->error();
    return;
  }
  figure.error.reset();
  if (figure.made == made) return;
  figure.made = made;
  if (figure.index) release(*figure.index, textures);
  figure.scene = std::shared_ptr<const Scene>(made, &made->value());
  figure.index = index ? std::move(index) : std::optional<SceneIndex>(*figure.scene);
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
