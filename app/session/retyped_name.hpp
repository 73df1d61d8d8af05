// SPDX-License-Identifier: BSD-3-Clause
// A name that is typed anew in the text: whatever is shown of the line is shown of its new name, also where the line had none for a while.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "app/session/workspace.hpp"

namespace tessera {

class RetypedName {
 public:
  // From one text to the next: gives `next`, which has that text, what was shown of a line whose name is another one now.
  void follow(const Workspace& now, Workspace& next);
  // What is left on the screen without the name that is gone.
  void leaves(const Workspace& now);

 private:
  struct Gone {
    Workspace before;
    std::string name;
    std::size_t place = 0, count = 0;  // which of how many lines
    std::optional<Arrangement> left{};
  };
  std::optional<Gone> gone_;
};

}  // namespace tessera
