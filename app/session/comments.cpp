// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/comments.hpp"

#include <algorithm>

namespace tessera {

std::string comment_above(const Binding& binding) {
  std::string comment;
  std::size_t begin = 0;
  const std::string& leading = binding.leading;
  while (begin < leading.size()) {
    const std::size_t end = std::min(leading.find('\n', begin), leading.size());
    std::string line = leading.substr(begin, end - begin);
    line.erase(0, line.find_first_not_of(" \t\r"));
    if (!line.empty() && line[0] == '#') {
      line.erase(0, line.find_first_not_of("# "));
      comment += (comment.empty() ? "" : " ") + line;
    } else if (!line.empty() || end < leading.size()) {
      comment.clear();  // a blank or bad line: what stood above belongs to what is above
    }
    begin = end + 1;
  }
  return comment;
}

}  // namespace tessera
