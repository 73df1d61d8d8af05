// SPDX-License-Identifier: BSD-3-Clause
// The kinds of figure that draw numbers, a function each.
#pragma once

#include "core/diagram/parts/figure_spec.hpp"

namespace tessera {

Result<Scene> chart_figure(const FigureSpec& spec);
Result<Scene> series_figure(const FigureSpec& spec);
Result<Scene> bar_pairs_figure(const FigureSpec& spec);
Result<Scene> heat_map_figure(const FigureSpec& spec);
Result<Scene> roofline_figure(const FigureSpec& spec);

}  // namespace tessera
