// SPDX-License-Identifier: BSD-3-Clause
// Between a worker and its caller, no field of a device is lost or changed.
#include <cstdint>
#include <string>
#include <utility>

#include "kernels/runtime/device/device_json.hpp"

#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

// Every field another number, so that none can stand for another.
DeviceProperties numbered() {
  DeviceProperties d;
  d.index = 3, d.name = "NVIDIA H200", d.sm = 90, d.sm_count = 132;
  d.smem_per_block_optin = 232448, d.l2_bytes = 62914560, d.memory_bytes = 150754820096;
  d.clock_mhz = 1980.5, d.driver_version = "580.159.04";
  return d;
}

}  // namespace

TEST_CASE("what a worker says of a device arrives, field by field") {
  const DeviceProperties sent = numbered();
  const Json json = to_json(sent);
  JsonReader in(ErrorCode::bad_message, "the device cannot be read");
  const DeviceProperties read = read_device(in, json);
  REQUIRE(!in.failed());
  CHECK(read.index == sent.index);
  CHECK(read.name == sent.name);
  CHECK(read.sm == sent.sm);
  CHECK(read.sm_count == sent.sm_count);
  CHECK(read.smem_per_block_optin == sent.smem_per_block_optin);
  CHECK(read.l2_bytes == sent.l2_bytes);
  CHECK(read.memory_bytes == sent.memory_bytes);
  CHECK(read.clock_mhz == sent.clock_mhz);
  CHECK(read.driver_version == sent.driver_version);
}

TEST_CASE("a device whose numbers no device has is refused, with the field") {
  const char* const fields[] = {"index", "sm", "sm_count", "smem_per_block_optin", "l2_bytes", "memory_bytes", "clock_mhz"};
  for (const char* const field : fields) {
    for (const std::int64_t number : {std::int64_t{-1}, std::int64_t{1} << 60}) {
      Json::Members members = *to_json(numbered()).members();
      for (JsonMember& member : members)
        if (member.name == field) member.value = number;
      const Json json = Json::object(std::move(members));
      JsonReader in(ErrorCode::bad_message, "the device cannot be read");
      read_device(in, json);
      INFO(field << " " << number);
      REQUIRE(in.failed());
      CHECK(in.error().message.find(field) != std::string::npos);
    }
  }
}
