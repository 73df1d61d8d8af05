// SPDX-License-Identifier: BSD-3-Clause
// Which operations of a plan the bars of its timeline span.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/gemm/plan/gemm_plan.hpp"

namespace tessera {

// Operations by their numbers (operations_of). A bar is known by its words, which are a subject's in the scene (Scene::words_of) and which
// no other bar has: "CTA 0, producer copies A and B of k_tile 0 to stage 1, steps 3 to 9".
using BarOperations = std::map<std::string, std::vector<std::int32_t>, std::less<>>;
Result<BarOperations> timeline_operations(const GemmPlan& plan);

}  // namespace tessera
