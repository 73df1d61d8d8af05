// SPDX-License-Identifier: BSD-3-Clause
// let tile(m, n) = make_layout((m, n)), and C++'s template <int M> using Tile = ...: an expression with parameters. It means what its names
// meant where it was written.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/lang/values/value.hpp"

namespace tessera {

struct UserFunction {
  std::string name;
  std::vector<std::string> parameters;
  std::string expression;
  std::vector<std::pair<std::string, Value>> captured;  // names of its expression, as they were where it was written
};

}  // namespace tessera
