// SPDX-License-Identifier: BSD-3-Clause
// The conditions of C++'s preprocessor, as far as the macros decide them that a person gives values.
//
//   #if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800    with __CUDA_ARCH__ = 900 it holds; without, it is not known whether it does
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera {

using Macros = std::vector<std::pair<std::string, std::string>>;  // name, text

struct DecidedCondition {
  bool holds = false;
  std::vector<std::string> by;  // the macros that it asks for, each once; of "0" none
};

// `directive`: if, elif, ifdef or ifndef. Nothing where it is not known: a macro without a value may have one on the compiler's command
// line, so that it is never taken to be undefined.
std::optional<DecidedCondition> decided_condition(std::string_view directive, std::string_view condition, const Macros& macros);

}  // namespace tessera
