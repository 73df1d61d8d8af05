// SPDX-License-Identifier: BSD-3-Clause
// What a worker says of its devices is read within the ranges that a device can have.
#include "kernels/runtime/device/device_json.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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

Json to_json(const std::optional<std::vector<PtxasRemark>>& remarks) {
  if (!remarks) return Json();
  Json::List items;
  for (const PtxasRemark& remark : *remarks) {
    items.push_back(Json::object({{"code", remark.code},
                                  {"entry", remark.entry},
                                  {"words", remark.words},
                                  {"times", remark.times},
                                  {"allowed", remark.is_allowed},
                                  {"meaning", remark.meaning}}));
  }
  return Json(std::move(items));
}

std::optional<std::vector<PtxasRemark>> read_remarks(JsonReader& in, const Json& json) {
  if (json.is_null()) return std::nullopt;
  constexpr std::size_t most_remarks = 100;
  const Json::List* const items = json.list();
  if (items == nullptr || items->size() > most_remarks) {
    in.refuse(json, "must be a list of remarks");
    return std::nullopt;
  }
  std::vector<PtxasRemark> remarks;
  for (const Json& item : *items) {
    PtxasRemark remark = explained(in.text(item, "code"), in.text(item, "entry"), in.text(item, "words"));
    remark.times = in.whole<int>(item, "times", 1);
    remarks.push_back(std::move(remark));
  }
  return remarks;
}

}  // namespace tessera
