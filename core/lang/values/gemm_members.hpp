// SPDX-License-Identifier: BSD-3-Clause
// Members of a GEMM: gemm.stages, gemm.sA, gemm.k_tiles. What it was told, and what its plan chose.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/lang/values/value.hpp"

namespace tessera {

std::vector<std::string_view> names_of_gemm_members();
// Nothing where no GEMM has such a member. Refused: a GEMM that has no plan, and a plan without this.
std::optional<Result<Value>> member_of_gemm(const GemmSpec& spec, std::string_view name);

}  // namespace tessera
