// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/programs/settle_calls.hpp"

#include <string_view>
#include <utility>
#include <vector>

#include "core/base/budget.hpp"
#include "core/lang/programs/calls.hpp"
#include "core/lang/programs/snippet.hpp"

namespace tessera {

CalledValues settle_calls(std::string_view source, SnippetOptions options, const Scope& outer, const std::vector<Entry>& entries) {
  constexpr int kMostRounds = 10;  // calls within calls, each of which needs the one before
  options.guess = false;
  CalledValues made;
  for (int round = 0; round < kMostRounds && !late(); ++round) {
    CallWatch watch;
    options.watch = &watch;
    options.called = &made.blocks;
    static_cast<void>(evaluate_snippet(source, options, outer));
    CalledValues next = values_by_calls(watch.seen, entries);
    const bool settled = same_values(made.blocks, next.blocks);
    made = std::move(next);
    if (settled) break;
  }
  return made;
}

}  // namespace tessera
