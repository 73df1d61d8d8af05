// SPDX-License-Identifier: BSD-3-Clause
// View: which binding of a document is drawn, and how.
#pragma once

#include <string>

#include "core/figure/options.hpp"

namespace tessera {

// Two views of one binding differ in what was chosen for them.
struct View {
  std::string binding;
  FigureOptions options{};
  friend bool operator==(const View&, const View&) = default;
  friend auto operator<=>(const View&, const View&) = default;
};

}  // namespace tessera
