// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/statements/blocks_ahead.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace tessera {

BlocksAhead::BlocksAhead(const std::vector<Statement>& statements) : ends_(statements.size(), statements.size()) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const Statement& each = statements[i];
    if (each.kind == Statement::Kind::enters) open.push_back(i);
    if (each.kind == Statement::Kind::leaves && !open.empty()) {
      ends_[open.back()] = i;
      open.pop_back();
    }
    if (each.kind == Statement::Kind::enters || each.kind == Statement::Kind::leaves) continue;
    if (each.declares) continue;  // another variable
    for (const std::string& name : each.names) assignments_[name].push_back({i, each.line});
    for (const Assigned& assigned : each.assigns) {
      if (assigned.how != Assigned::How::element) assignments_[assigned.name].push_back({i, each.line});
    }
  }
}

void BlocksAhead::enter(std::size_t number, const Statement& statement) {
  const bool called = statement.declares && (statement.reason == "a function" || statement.reason == "a kernel");  // of C++
  open_.push_back({number, called || statement.reason == "a loop" ? statement.reason : std::string()});
}

void BlocksAhead::leave() {
  if (!open_.empty()) open_.pop_back();
}

BlocksAhead::Again BlocksAhead::assigned_again(const std::string& name, std::size_t bound) const {
  const auto found = assignments_.find(name);
  if (found == assignments_.end()) return {};
  // The outermost one holds all that the others hold.
  const auto block = std::find_if(open_.begin(), open_.end(), [&](const Open& each) { return each.begin > bound && !each.reason.empty(); });
  if (block == open_.end()) return {};
  const auto first = std::upper_bound(found->second.begin(), found->second.end(), block->begin,
                                      [](std::size_t number, const Assignment& each) { return number < each.number; });
  if (first == found->second.end() || first->number >= ends_[block->begin]) return {};
  return {first->line, block->reason};
}

}  // namespace tessera
