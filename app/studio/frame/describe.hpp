// SPDX-License-Identifier: BSD-3-Clause
// Describer: what has the focus, in lines of text, for --describe. It says what it says; that a screen reader knows the window is not
// claimed.
//
//   list, line 3 of 21, sA = Sw<3,4,3> o 0 o (8,64):(64,1)
//   figure who_owns, cell (5,2), thread 12 value 3, offset 21
//   field filter: sA
#pragma once

#include <string>
#include <vector>

namespace tessera::studio {

class App;

class Describer {
 public:
  // What is otherwise than at the last call: after a frame.
  std::vector<std::string> changes(const App& app);

 private:
  std::string line_, cell_, field_, said_;
};

}  // namespace tessera::studio
