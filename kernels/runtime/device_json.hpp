// SPDX-License-Identifier: BSD-3-Clause
// DeviceProperties as JSON, for measurements and for the worker's list. Internal: includes the JSON library, so only .cpp files include it.
#pragma once

#include <nlohmann/json.hpp>

#include "kernels/runtime/device.hpp"

namespace tessera {

inline nlohmann::json device_to_json(const DeviceProperties& d) {
  return {{"index", d.index},
          {"name", d.name},
          {"sm", d.sm},
          {"sm_count", d.sm_count},
          {"smem_per_block_optin", d.smem_per_block_optin},
          {"l2_bytes", d.l2_bytes},
          {"memory_bytes", d.memory_bytes},
          {"clock_mhz", d.clock_mhz},
          {"driver_version", d.driver_version}};
}

// Throws the JSON library's exception where a field is missing or of another type; callers turn it into an Error.
inline DeviceProperties device_from_json(const nlohmann::json& j) {
  DeviceProperties d;
  d.index = j.at("index").get<int>();
  d.name = j.at("name").get<std::string>();
  d.sm = j.at("sm").get<int>();
  d.sm_count = j.at("sm_count").get<int>();
  d.smem_per_block_optin = j.at("smem_per_block_optin").get<std::int64_t>();
  d.l2_bytes = j.at("l2_bytes").get<std::int64_t>();
  d.memory_bytes = j.at("memory_bytes").get<std::int64_t>();
  d.clock_mhz = j.at("clock_mhz").get<double>();
  d.driver_version = j.at("driver_version").get<std::string>();
  return d;
}

}  // namespace tessera
