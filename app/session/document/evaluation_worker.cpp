// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/document/evaluation_worker.hpp"

#include <memory>
#include <stop_token>
#include <utility>

#include <fmt/format.h>

#include "core/base/stopping.hpp"

namespace tessera {
namespace {

EvaluationStep refused_step(const std::shared_ptr<const Document>& document, const char* why) {
  EvaluationStep step;
  step.document = document;
  step.all.emplace();
  for (const Binding& each : document->bindings) {
    const Error error{ErrorCode::limit, fmt::format("{} could not be evaluated: {}", each.name, why), {}, {}};
    step.all->push_back({each.name, error, {}, {}, {}, {}});
  }
  return step;
}

}  // namespace

void ask(EvaluationWorker& worker, std::shared_ptr<KnownValues> known, std::shared_ptr<const Evaluation> last,
         std::shared_ptr<const Document> document) {
  worker.forget_all();
  worker.ask([known = std::move(known), last = std::move(last), document = std::move(document)](const std::stop_token& stop) {
    const StoppedBy by(stop);
    return or_refusal([&] { return next_step(*last, document, *known); }, [&](const char* why) { return refused_step(document, why); });
  });
}

}  // namespace tessera
