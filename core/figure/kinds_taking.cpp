// SPDX-License-Identifier: BSD-3-Clause
#include "core/figure/kinds_taking.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/budget.hpp"
#include "core/diagram/kinds/figures.hpp"
#include "core/figure/figure.hpp"

namespace tessera {
namespace {

bool takes(const FigureKind& kind, const Value& value) {
  Limits limits;
  limits.seconds = 0.05;
  limits.cells = std::int64_t{1} << 18;
  const Budget budget(limits);
  FigureOptions options;
  options.kind = kind.name;
  const Result<Scene> made = figure_of(value, {}, options);
  return made || made.error().code == ErrorCode::limit;
}

}  // namespace

std::vector<std::string_view> kinds_taking(const Value& value) {
  std::vector<std::string_view> made;
  for (const FigureKind& kind : figure_kinds()) {
    if (takes(kind, value)) made.push_back(kind.name);
  }
  return made;
}

}  // namespace tessera
