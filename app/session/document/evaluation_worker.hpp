// SPDX-License-Identifier: BSD-3-Clause
// EvaluationWorker: evaluates documents on a thread of its own. Only the document that was asked for last is wanted: what is under way for
// an earlier one is stopped, and nobody sees what came of it.
#pragma once

#include <memory>

#include "app/session/document/evaluation.hpp"
#include "core/base/jobs.hpp"

namespace tessera {

using EvaluationWorker = Jobs<EvaluationStep>;
// The thread reads `last` until `take` has given the step from it: so long nobody changes it. `known` belongs to the thread.
void ask(EvaluationWorker& worker, std::shared_ptr<KnownValues> known, std::shared_ptr<const Evaluation> last,
         std::shared_ptr<const Document> document);

}  // namespace tessera
