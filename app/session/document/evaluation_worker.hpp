// SPDX-License-Identifier: BSD-3-Clause
// EvaluationWorker: evaluates documents on a thread of its own. Only the document that was asked for last is wanted: what is under way for
// an earlier one is stopped, and nobody sees what came of it.
//
// The evaluation that it begins with is read by the thread until `take` has given the step from it: so long nobody changes it.
#pragma once

#include <memory>
#include <optional>

#include "app/session/document/evaluation.hpp"

namespace tessera {

class EvaluationWorker {
 public:
  explicit EvaluationWorker(std::shared_ptr<KnownValues> known);  // which belongs to the thread from now on
  ~EvaluationWorker();                                            // what is under way is stopped
  EvaluationWorker(const EvaluationWorker&) = delete;
  EvaluationWorker& operator=(const EvaluationWorker&) = delete;

  void ask(std::shared_ptr<const Evaluation> last, std::shared_ptr<const Document> document);
  void stop();  // nothing is wanted any more
  // What came of the last question, after so many seconds at most (infinity: however long it takes); nothing where it is not ready, or was
  // given before.
  std::optional<EvaluationStep> take(double seconds);

 private:
  struct Shared;
  std::unique_ptr<Shared> shared_;
};

}  // namespace tessera
