// SPDX-License-Identifier: BSD-3-Clause
// FigureOptions: how a value is to be drawn, beyond what its own expression says.
#pragma once

#include <map>
#include <string>

#include "core/diagram/parts/figure_spec.hpp"
#include "core/diagram/scene/scene.hpp"

namespace tessera {

// What a caller adds to what the expression says. A parameter given here wins over the expression's own.
struct FigureOptions {
  std::string kind{};                               // empty: what the call names, or the value's own kind
  std::map<std::string, std::string> parameters{};  // "thread" -> "3"
  FigureStyle style = FigureStyle::tessera;
  std::string palette{};  // empty: the style's own
  std::string title{};
  FigureRoom room{};
  // "thr,val->offset" or "thr,val": names of a layout's modes, and what its numbers are, where neither the value nor a parameter says it
  std::string modes{};
  std::string name{};  // what the document calls the value
  friend bool operator==(const FigureOptions&, const FigureOptions&) = default;
  friend auto operator<=>(const FigureOptions&, const FigureOptions&) = default;
};

}  // namespace tessera
