// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/document/evaluation_worker.hpp"

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "core/base/stopping.hpp"

namespace tessera {
namespace {

// Nobody above a thread would catch what a full memory throws.
EvaluationStep step_or_refusal(const Evaluation& last, const std::shared_ptr<const Document>& document, KnownValues& known) {
  try {
    return next_step(last, document, known);
  } catch (const std::exception& thrown) {
    EvaluationStep step;
    step.document = document;
    step.all.emplace();
    for (const Binding& each : document->bindings) {
      const Error error{ErrorCode::limit, fmt::format("{} could not be evaluated: {}", each.name, thrown.what()), {}, {}};
      step.all->push_back({each.name, error, {}, {}, {}, {}});
    }
    return step;
  }
}

}  // namespace

struct EvaluationWorker::Shared {
  struct Order {
    std::shared_ptr<const Evaluation> last;
    std::shared_ptr<const Document> document;
  };
  std::shared_ptr<KnownValues> known;
  std::mutex mutex;
  std::condition_variable_any changed;
  std::optional<Order> wanted;  // and not begun
  std::stop_source under_way;   // stops what is
  std::optional<EvaluationStep> ready;
  std::jthread thread;  // last: it ends before the rest does

  void run(const std::stop_token& stop) {
    while (true) {
      Order order;
      std::stop_token unwanted;
      {
        std::unique_lock lock(mutex);
        if (!changed.wait(lock, stop, [this] { return wanted.has_value(); })) return;
        order = std::move(*wanted);
        wanted.reset();
        under_way = std::stop_source();
        unwanted = under_way.get_token();
      }
      std::optional<EvaluationStep> made;
      {
        const StoppedBy by(unwanted);
        made = step_or_refusal(*order.last, order.document, *known);
      }
      order.last.reset();  // whoever takes the step may change it
      const std::lock_guard lock(mutex);
      if (unwanted.stop_requested()) continue;
      ready = std::move(made);
      changed.notify_all();
    }
  }
};

EvaluationWorker::EvaluationWorker(std::shared_ptr<KnownValues> known) : shared_(std::make_unique<Shared>()) {
  shared_->known = std::move(known);
  shared_->thread = std::jthread([shared = shared_.get()](const std::stop_token& stop) { shared->run(stop); });
}

EvaluationWorker::~EvaluationWorker() { stop(); }

void EvaluationWorker::ask(std::shared_ptr<const Evaluation> last, std::shared_ptr<const Document> document) {
  const std::lock_guard lock(shared_->mutex);
  shared_->under_way.request_stop();
  shared_->ready.reset();
  shared_->wanted = Shared::Order{std::move(last), std::move(document)};
  shared_->changed.notify_all();
}

void EvaluationWorker::stop() {
  const std::lock_guard lock(shared_->mutex);
  shared_->under_way.request_stop();
  shared_->ready.reset();
  shared_->wanted.reset();
}

std::optional<EvaluationStep> EvaluationWorker::take(double seconds) {
  std::unique_lock lock(shared_->mutex);
  const auto is_ready = [this] { return shared_->ready.has_value(); };
  if (std::isinf(seconds))
    shared_->changed.wait(lock, is_ready);
  else if (seconds > 0)
    shared_->changed.wait_for(lock, std::chrono::duration<double>(seconds), is_ready);
  return std::exchange(shared_->ready, std::nullopt);
}

}  // namespace tessera
