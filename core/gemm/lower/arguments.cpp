// SPDX-License-Identifier: BSD-3-Clause
// Extents as arguments: one kernel serves every size. Its plan has names for all numbers that the size decides.
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/gemm/lower/steps.hpp"

namespace tessera::lowering {

namespace {

Status check_matrix(const char* name, const std::optional<Layout>& layout) {
  if (!layout) return Done{};
  GmemTensor first;
  first.layout = first_matrix(*layout);
  const auto matrix = rows_of(first);
  if (matrix && matrix->pitch >= 2 && matrix->pitch >= matrix->columns) return Done{};
  return refuse(ErrorCode::bad_spec,
                fmt::format("{} is {}; with extents=arguments a kernel knows a matrix by its leading dimension, 2 or more elements from a "
                            "row (or column) to the next, which do not overlap",
                            name, to_string(*layout)),
                fmt::format("{} left out, or extents=\"literals\"", name));
}

}  // namespace

Status check_arguments(const GemmSpec& spec) {
  if (spec.extents != Extents::arguments) return Done{};
  if (spec.cta_tiler.is_int()) {
    return refuse(ErrorCode::bad_spec, "without cta_tiler the whole problem is one tile, whose size no kernel for every size can know",
                  "cta_tiler=(128,128,32), or extents=\"literals\"");
  }
  for (const auto& [name, layout] : {std::pair{"gA", &spec.gA}, {"gB", &spec.gB}, {"gC", &spec.gC}})
    TESSERA_CHECK(check_matrix(name, *layout));
  return Done{};
}

}  // namespace tessera::lowering
