// SPDX-License-Identifier: BSD-3-Clause
#include "app/studio/paint/figure_worker.hpp"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <utility>

#include <fmt/format.h>

namespace tessera::studio {

IndexedFigure make_indexed(const FigureTask& task) {
  return or_refusal(
      [&] {
        IndexedFigure made{task, make(task), {}};
        if (*made.figure.scene) made.index.emplace(**made.figure.scene);
        return made;
      },
      [&](const char* why) {
        Error error{ErrorCode::limit, fmt::format("the figure of {} could not be made: {}", task.name, why), {}, {}};
        return IndexedFigure{task, {std::make_shared<const Result<Scene>>(std::move(error))}, {}};
      });
}

std::uint64_t ask(FigureWorker& worker, FigureTask task, std::uint64_t instead_of) {
  worker.forget(instead_of);
  return worker.ask([task = std::move(task)](const std::stop_token&) { return make_indexed(task); });
}

}  // namespace tessera::studio
