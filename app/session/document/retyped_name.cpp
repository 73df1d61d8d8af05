// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/document/retyped_name.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tessera {
namespace {

struct Names {
  std::vector<std::string> gone, come;
  std::size_t gone_from = 0, come_to = 0;  // the line of the last of them
};

// Names of one document that the other has not. Both are alike in most lines, at the beginning and at the end.
Names other_names(const std::vector<Binding>& before, const std::vector<Binding>& after) {
  std::size_t same = 0, end = 0;
  const std::size_t shorter = std::min(before.size(), after.size());
  while (same < shorter && before[same].name == after[same].name) ++same;
  while (end < shorter - same && before[before.size() - 1 - end].name == after[after.size() - 1 - end].name) ++end;
  const auto has = [&](const std::vector<Binding>& all, const std::string& name) {
    return std::any_of(all.begin() + static_cast<std::ptrdiff_t>(same), all.end() - static_cast<std::ptrdiff_t>(end),
                       [&](const Binding& each) { return each.name == name; });
  };
  constexpr std::size_t kMostRetyped = 64;  // more is another text
  Names names;
  if (std::max(before.size(), after.size()) - same - end > kMostRetyped) return names;
  for (std::size_t i = same; i < before.size() - end; ++i) {
    if (before[i].name.empty() || has(after, before[i].name)) continue;
    names.gone.push_back(before[i].name);
    names.gone_from = i;
  }
  for (std::size_t i = same; i < after.size() - end; ++i) {
    if (after[i].name.empty() || has(before, after[i].name)) continue;
    names.come.push_back(after[i].name);
    names.come_to = i;
  }
  return names;
}

}  // namespace

void RetypedName::follow(const Workspace& now, Workspace& next) {
  const std::vector<Binding>&before = now.document->bindings, &after = next.document->bindings;
  const Names names = other_names(before, after);
  if (names.gone.empty() && names.come.empty()) return;
  if (names.gone.size() == 1 && names.come.size() == 1 && names.gone_from == names.come_to && before.size() == after.size())
    return rename_views(next, names.gone.front(), names.come.front());
  if (names.gone.size() == 1 && names.come.empty()) {
    gone_ = Gone{now, names.gone.front(), names.gone_from, before.size()};
    return;
  }
  const std::optional<Gone> gone = std::exchange(gone_, std::nullopt);
  if (!gone || !names.gone.empty() || names.come.size() != 1) return;
  if (names.come_to != gone->place || after.size() != gone->count || now.arrangement != gone->left) return;
  next.arrangement = gone->before.arrangement;
  next.by_hand = gone->before.by_hand;
  next.maximised = gone->before.maximised;
  next.selected = gone->before.selected;
  next.selection = gone->before.selection;
  rename_views(next, gone->name, names.come.front());
}

void RetypedName::leaves(const Workspace& now) {
  if (gone_ && !gone_->left) gone_->left = now.arrangement;
}

}  // namespace tessera
