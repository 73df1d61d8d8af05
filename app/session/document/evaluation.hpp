// SPDX-License-Identifier: BSD-3-Clause
// Evaluation: a document with the values of its bindings, and the way from one to the next at the price of the change.
//
//   next_step(last, document, known)    reads `last` and changes nothing: any thread may do it, however long it takes
//   take(last, step)                    at once; from then on `last` is the evaluation of that document
//   meanwhile(last, document)           what is shown of a document until then
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/lang/document/changes.hpp"
#include "core/lang/programs/known_values.hpp"

namespace tessera {

struct Evaluation {
  std::shared_ptr<const Document> document;           // null: nothing was evaluated yet
  std::vector<EvaluatedBinding> bindings;             // one a binding of the document
  std::vector<std::pair<std::size_t, Error>> unsaid;  // refusals as they were before they said what was meant
  std::int64_t spent_cells = 0, spent_bytes = 0;      // for the values, since all of them were computed
};

struct EvaluationStep {
  std::shared_ptr<const Document> document;
  std::optional<std::vector<EvaluatedBinding>> all;  // where the whole document was evaluated; else only what is another value now
  std::vector<ChangedValue> changed;
  std::vector<std::pair<std::size_t, Error>> said;  // the first refusals, with what was meant
  std::int64_t spent_cells = 0, spent_bytes = 0;
};

// Law: after `take`, the bindings are those of evaluate(document), budgets aside, where the first refusals say what was meant.
EvaluationStep next_step(const Evaluation& last, std::shared_ptr<const Document> document, KnownValues& known);
void take(Evaluation& last, EvaluationStep step);

// One a binding of the document: as it was evaluated last where its text is the same, its last value where it has another text, and where
// there was none, the refusal that it is being evaluated.
std::vector<EvaluatedBinding> meanwhile(const Evaluation& last, const Document& document);
// Is this such a refusal?
bool is_awaited(const EvaluatedBinding& binding);
bool is_awaited(const Error& error);

}  // namespace tessera
