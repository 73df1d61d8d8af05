// SPDX-License-Identifier: BSD-3-Clause
// What a worker says of its devices is read within the ranges that a device can have.
#include "kernels/runtime/device/device_json.hpp"

#include <cstdint>

namespace tessera {

Json to_json(const DeviceProperties& d) {
  return Json::object({{"index", d.index},
                       {"name", d.name},
                       {"sm", d.sm},
                       {"sm_count", d.sm_count},
                       {"smem_per_block_optin", d.smem_per_block_optin},
                       {"l2_bytes", d.l2_bytes},
                       {"memory_bytes", d.memory_bytes},
                       {"clock_mhz", d.clock_mhz},
                       {"driver_version", d.driver_version}});
}

DeviceProperties read_device(JsonReader& in, const Json& json) {
  constexpr std::int64_t most_bytes = std::int64_t{1} << 50;
  DeviceProperties d;
  d.index = in.whole<int>(json, "index", 0, 1023);
  d.name = in.text(json, "name");
  d.sm = in.whole<int>(json, "sm", 0, 9999);
  d.sm_count = in.whole<int>(json, "sm_count", 0, 1000000);
  d.smem_per_block_optin = in.whole<std::int64_t>(json, "smem_per_block_optin", 0, most_bytes);
  d.l2_bytes = in.whole<std::int64_t>(json, "l2_bytes", 0, most_bytes);
  d.memory_bytes = in.whole<std::int64_t>(json, "memory_bytes", 0, most_bytes);
  d.clock_mhz = in.number(json, "clock_mhz", 0, 1e6);
  d.driver_version = in.text(json, "driver_version");
  return d;
}

}  // namespace tessera
