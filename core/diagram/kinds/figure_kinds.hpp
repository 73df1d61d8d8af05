// SPDX-License-Identifier: BSD-3-Clause
// The functions behind the table of figure kinds, one file each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/diagram/charts/chart_figures.hpp"
#include "core/diagram/kinds/figures.hpp"
#include "core/diagram/parts/figure_objects.hpp"
#include "core/diagram/parts/figure_parameters.hpp"
#include "core/diagram/parts/steps.hpp"

namespace tessera {

Result<Scene> layout_figure(const FigureSpec& spec);
Result<Scene> tv_figure(const FigureSpec& spec);
Result<Scene> tv_operand_figure(const FigureSpec& spec);  // tv_a, tv_b, tv_c
Result<Scene> tv_inverse_figure(const FigureSpec& spec);
Result<Scene> mma_figure(const FigureSpec& spec);
Result<Scene> copy_figure(const FigureSpec& spec);
Result<Scene> gemm_figure(const FigureSpec& spec);
Result<Scene> timeline_figure(const FigureSpec& spec);
Result<Scene> waves_figure(const FigureSpec& spec);
Result<Scene> pipeline_figure(const FigureSpec& spec);
Result<Scene> chain_figure(const FigureSpec& spec);
Result<Scene> swizzle_figure(const FigureSpec& spec);
Result<Scene> banks_figure(const FigureSpec& spec);
Result<Scene> sectors_figure(const FigureSpec& spec);
Result<Scene> cube_figure(const FigureSpec& spec);
Result<Scene> divide_figure(const FigureSpec& spec);
Result<Scene> product_figure(const FigureSpec& spec);
Result<Scene> composition_figure(const FigureSpec& spec);
Result<Scene> panels_figure(const FigureSpec& spec);
Result<Scene> hierarchy_figure(const FigureSpec& spec);
Result<Scene> bit_matrix_figure(const FigureSpec& spec);
Result<Scene> memory_figure(const FigureSpec& spec);
// The same in place of another picture: these words stand first, and say why.
Result<Scene> memory_figure_saying(const FigureSpec& spec, std::string said, const std::vector<std::string>& notes);
Result<Scene> diagram_figure(const FigureSpec& spec);
Result<Scene> stack_figure(const FigureSpec& spec);
Result<Scene> smem_operand_figure(const FigureSpec& spec);
Result<Scene> tmem_figure(const FigureSpec& spec);
Result<Scene> tma_figure(const FigureSpec& spec);

// Does the layout's swizzle move an element of it, and is that a picture of offsets?
bool is_moved_by_swizzle(const FigureObject& object);

// The tile of a copy, or of an atom's values as they are laid out here, and who takes part on its sides.
struct CopySides {
  std::int64_t rows = 1, cols = 1;
  AnyLayout source_tv, destination_tv;  // (thr, val) -> (m, n), colexicographic
  std::string tiler = {};               // whose strides leave rows or columns out, or take them in another order; else empty
  bool are_alike() const;               // does each thread and value have the same place in both?
};
Result<CopySides> copy_sides(const FigureSpec& spec);

}  // namespace tessera
