// SPDX-License-Identifier: BSD-3-Clause
// DeviceProperties as JSON, for measurements and for the worker's list; and what ptxas remarked, for measurements and compilations.
#pragma once

#include <optional>
#include <vector>

#include "core/base/json.hpp"
#include "kernels/runtime/device/device.hpp"
#include "kernels/runtime/device/ptxas_remark.hpp"

namespace tessera {

Json to_json(const DeviceProperties& device);
DeviceProperties read_device(JsonReader& in, const Json& json);

// [{"code":"C7517","entry":"k","words":"...","times":1,"allowed":true,"meaning":"..."}]; null: not said. What is read is explained anew.
Json to_json(const std::optional<std::vector<PtxasRemark>>& remarks);
std::optional<std::vector<PtxasRemark>> read_remarks(JsonReader& in, const Json& json);

}  // namespace tessera
