// SPDX-License-Identifier: BSD-3-Clause
// What changed between two texts, line by line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tessera {

struct DiffLine {
  enum class Kind { same, removed, added };
  Kind kind = Kind::same;
  std::string text;  // with its newline, where it has one
  friend bool operator==(const DiffLine&, const DiffLine&) = default;
};

// The lines that are same or removed make `from`, those that are same or added make `to`. As few lines as possible are removed and
// added, unless the changed part is too large to look for them.
std::vector<DiffLine> line_diff(std::string_view from, std::string_view to);

}  // namespace tessera
