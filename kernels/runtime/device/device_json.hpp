// SPDX-License-Identifier: BSD-3-Clause
// DeviceProperties as JSON, for measurements and for the worker's list.
#pragma once

#include "core/base/json.hpp"
#include "kernels/runtime/device/device.hpp"

namespace tessera {

Json to_json(const DeviceProperties& device);
DeviceProperties read_device(JsonReader& in, const Json& json);

}  // namespace tessera
