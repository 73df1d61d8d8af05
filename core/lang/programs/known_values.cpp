// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/programs/known_values.hpp"

#include <time.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/base/budget.hpp"
#include "core/base/characters.hpp"

namespace tessera {

bool KnownValues::may_know(std::string_view expression) const {
  return std::any_of(kept_.begin(), kept_.end(), [&](const Known& each) { return each.expression == expression; });
}

const KnownValues::Known* KnownValues::find(std::string_view expression, std::string_view origin) const {
  const auto found =
      std::find_if(kept_.begin(), kept_.end(), [&](const Known& each) { return each.expression == expression && each.origin == origin; });
  if (found == kept_.end()) return nullptr;
  Budget* const budget = Budget::current();
  if (!budget) return &*found;
  if (!budget->has_cells(found->cells) || !budget->has_bytes(found->bytes)) return nullptr;
  budget->take_cells(found->cells);
  budget->take_bytes(found->bytes);
  return &*found;
}

void KnownValues::keep(Known known) {
  if (kept_.size() == kMost) kept_.pop_front();
  kept_.push_back(std::move(known));
}

std::optional<std::string> Origins::of(std::string_view expression) const {
  constexpr std::size_t kLongest = std::size_t{1} << 16;  // bytes
  std::string origin;
  std::unordered_set<std::string> seen;
  std::vector<std::string_view> waiting{expression};
  while (!waiting.empty()) {
    const std::string_view text = waiting.back();
    waiting.pop_back();
    for (std::size_t i = 0; i < text.size();) {
      std::size_t end = i;
      while (end < text.size() && is_word(text[end])) ++end;
      const auto used = end > i ? lines_.find(std::string(text.substr(i, end - i))) : lines_.end();
      i = end + (end == i);
      if (used == lines_.end() || !seen.insert(used->first).second) continue;
      if (used->second.empty() || origin.size() + used->second.size() > kLongest) return std::nullopt;
      origin += used->second;
      origin += '\n';
      waiting.push_back(used->second);
    }
  }
  return origin;
}

double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace tessera
