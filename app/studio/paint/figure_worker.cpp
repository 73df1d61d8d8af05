// SPDX-License-Identifier: BSD-3-Clause
#include "app/studio/paint/figure_worker.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace tessera::studio {

struct FigureWorker::Shared {
  struct Order {
    std::uint64_t number = 0;
    FigureTask task;
  };
  std::mutex mutex;
  std::condition_variable_any changed;
  std::deque<Order> waiting;
  std::vector<Made> ready;
  std::uint64_t last = 0;
  bool works = false;
  std::jthread thread;  // last: it ends before the rest does

  void run(const std::stop_token& stop) {
    while (true) {
      Order order;
      {
        std::unique_lock lock(mutex);
        if (!changed.wait(lock, stop, [this] { return !waiting.empty(); })) return;
        order = std::move(waiting.front());
        waiting.pop_front();
        works = true;
      }
      Made made = make_indexed(std::move(order.task));
      made.order = order.number;
      const std::lock_guard lock(mutex);
      works = false;
      ready.push_back(std::move(made));
      changed.notify_all();
      if (stop.stop_requested()) return;
    }
  }
};

FigureWorker::FigureWorker() : shared_(std::make_unique<Shared>()) {
  shared_->thread = std::jthread([shared = shared_.get()](const std::stop_token& stop) { shared->run(stop); });
}

FigureWorker::~FigureWorker() {
  const std::lock_guard lock(shared_->mutex);
  shared_->waiting.clear();
}

std::uint64_t FigureWorker::ask(FigureTask task, std::uint64_t instead_of) {
  const std::lock_guard lock(shared_->mutex);
  const std::uint64_t number = ++shared_->last;
  std::erase_if(shared_->waiting, [&](const auto& each) { return each.number == instead_of; });
  shared_->waiting.push_back({number, std::move(task)});
  shared_->changed.notify_all();
  return number;
}

std::vector<FigureWorker::Made> FigureWorker::take(double seconds) {
  std::unique_lock lock(shared_->mutex);
  if (seconds > 0) {
    shared_->changed.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return shared_->waiting.empty() && !shared_->works; });
  }
  return std::exchange(shared_->ready, {});
}

FigureWorker::Made make_indexed(FigureTask task) {
  FigureWorker::Made made{0, std::move(task), {}, {}};
  try {
    made.figure = make(made.task);
    if (*made.figure.scene) made.index.emplace(**made.figure.scene);
  } catch (const std::exception& thrown) {  // nobody above would catch what a full memory throws
    made.index.reset();
    made.figure = {std::make_shared<const Result<Scene>>(
        Error{ErrorCode::limit, fmt::format("the figure of {} could not be made: {}", made.task.name, thrown.what()), {}, {}})};
  }
  return made;
}

}  // namespace tessera::studio
