// SPDX-License-Identifier: BSD-3-Clause
// Refusals of a GEMM: what is wrong with which numbers, and the field of the spec that would mend it.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "core/base/result.hpp"

namespace tessera {

// refuse(ErrorCode::bad_spec, "stages is 0; it must be 1 to 16", "stages=3")
[[nodiscard]] inline Error refuse(ErrorCode code, std::string message, std::string field_to_change = {}) {
  Error error{code, std::move(message), std::nullopt, {}};
  if (!field_to_change.empty()) error.notes.push_back(std::move(field_to_change));
  return error;
}

}  // namespace tessera
