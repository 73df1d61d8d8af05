// SPDX-License-Identifier: BSD-3-Clause
// Texts in the order in which they came, each once. They are looked up by hash: a statement may use fifty thousand names.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace tessera {

class DistinctTexts {
 public:
  void add(std::string_view text) {
    if (seen_.emplace(text).second) texts_.emplace_back(text);
  }
  void add_all(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) add(text);
  }
  bool contains(std::string_view text) const { return seen_.contains(std::string(text)); }
  std::size_t size() const { return texts_.size(); }
  std::vector<std::string> take() && { return std::move(texts_); }

 private:
  std::vector<std::string> texts_;
  std::unordered_set<std::string> seen_;
};

}  // namespace tessera
