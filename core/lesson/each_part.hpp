// SPDX-License-Identifier: BSD-3-Clause
// The parts of a lesson in their order, for whoever writes it in a format of its own: a page, slides, paper.
#pragma once

#include <cstddef>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/budget.hpp"
#include "core/base/overloaded.hpp"
#include "core/base/result.hpp"
#include "core/lesson/lesson.hpp"
#include "core/lesson/opened.hpp"

namespace tessera::lesson {

// Calls for each part what the writer has for its kind, each with a budget of its own:
//
//   words(markdown, above)   definitions(tess)   picture(expression, above)   move(vary, above)   question(part)   gemm(run, above)
//
// `above`: the names that stand above the part; `part`: its number. Ends with the first refusal, which has line and column in front.
template <class Writer>
Status write_parts(const OpenLesson& opened, Writer& to) {
  const std::vector<Part>& parts = opened.lesson().parts;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Budget budget;
    const Scope above = opened.above(i);
    Status status =
        std::visit(Overloaded{[&](const Prose& prose) { return to.words(prose.markdown, above); },
                              [&](const Bind& bind) { return to.definitions(bind.tess); },
                              [&](const Figure& figure) { return to.picture(figure.expression, above); },
                              [&](const Vary& vary) { return to.move(vary, above); }, [&](const Ask&) { return to.question(i); },
                              [&](const Run& run) { return to.gemm(run.gemm, above); }},
                   parts[i]);
    if (!status) return placed(std::move(status).error(), opened.lesson().text);
  }
  return Done{};
}

}  // namespace tessera::lesson
