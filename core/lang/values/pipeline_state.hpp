// SPDX-License-Identifier: BSD-3-Clause
// Where a kernel is in the stages of a pipeline: CUTLASS's PipelineState<Stages>, and the DSL's make_pipeline_state.
#pragma once

#include <cstdint>
#include <optional>

#include "core/lang/values/value.hpp"

namespace tessera {

struct PipelineState {
  std::int64_t stages = 1, index = 0, phase = 0, count = 0;
  // So many steps further: behind the last stage comes the first one, in the other phase.
  PipelineState advanced(std::int64_t steps) const;
};

// An object with the members index, phase, count and stages, which the program knows when it runs.
Value pipeline_state_value(const PipelineState& state);
// Nothing where the value is none.
std::optional<PipelineState> as_pipeline_state(const Value& value);

}  // namespace tessera
