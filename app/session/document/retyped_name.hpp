// SPDX-License-Identifier: BSD-3-Clause
// A name that is typed anew in the text: whatever is shown of the line is shown of its new name, also where the line had none for a while.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "app/session/document/workspace.hpp"

namespace tessera {

class RetypedName {
 public:
  // From one text to the next: gives `next`, which has that text, what was shown of a line whose name is another one now.
  void follow(const Workspace& now, Workspace& next);
  // What is left on the screen without the name that is gone.
  void leaves(const Workspace& now);
  // Is this the name that is being typed anew? Its figures stay until something else is done.
  bool awaits(std::string_view name) const { return gone_ && gone_->name == name; }
  void forget() { gone_.reset(); }

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
