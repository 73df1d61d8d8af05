// SPDX-License-Identifier: BSD-3-Clause
// Pictures that are told in steps: a GEMM in time, or an MMA k by k.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/result.hpp"
#include "core/diagram/scene/scene.hpp"

namespace tessera {

constexpr std::int64_t kMostSteps = 1024;

// Gives a picture of grids a step for each number of this kind that its cells have, in ascending order: each thread, each k. Refuses a
// kind that no cell has, and more than kMostSteps numbers.
Status add_steps(Scene& scene, Selects what);

// The picture at step i of its steps: what is not there yet is left out, what the step is about is lit and all else stands back, and the
// step's sentence stands below. The room that it takes does not depend on i, so that pictures of all steps lie on one another.
Result<Scene> at_step(Scene scene, std::size_t i);

}  // namespace tessera
