// SPDX-License-Identifier: BSD-3-Clause
// Occupancy beside what NVIDIA's occupancy calculator says, and devices beside their data sheets.
#include <cstdint>
#include <string>

#include "core/gemm/device_model.hpp"

#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

std::int64_t ctas(int sm, std::int64_t threads, std::int64_t smem, std::int64_t registers) {
  const auto made = occupancy(sm_limits(sm).value(), threads, smem, registers);
  if (!made) FAIL(made.error().message);
  return made->ctas;
}

}  // namespace

TEST_CASE("CTAs of a multiprocessor are those of the occupancy calculator") {
  CHECK(ctas(90, 256, 0, 64) == 4);
  CHECK(ctas(90, 256, 0, 40) == 6);   // 1280 registers a warp, 51 warps, of which each quarter has 12
  CHECK(ctas(90, 128, 0, 32) == 16);  // threads
  CHECK(ctas(90, 32, 0, 32) == 32);   // CTAs
  CHECK(ctas(90, 1024, 0, 33) == 1);
  CHECK(ctas(90, 128, 49152, 32) == 4);  // 49 KiB each, with the one that the system takes
  CHECK(ctas(90, 128, 46592, 32) == 4);  // five of 45.5 KiB would fit, of 46.5 they do not
  CHECK(ctas(90, 384, 232448, 168) == 1);
  CHECK(ctas(86, 512, 0, 32) == 3);
  CHECK(ctas(75, 256, 32768, 32) == 2);  // nothing is reserved before sm_80
  CHECK(ctas(80, 33, 0, 255) == 4);      // two warps a CTA
}

TEST_CASE("as many registers as are allowed keep the CTAs, and eight more do not") {
  for (const int sm : {75, 80, 86, 89, 90, 100}) {
    for (const std::int64_t threads : {32, 128, 256, 384, 512}) {
      const SmLimits limits = sm_limits(sm).value();
      const Occupancy made = occupancy(limits, threads, 20000, 0).value();
      INFO(sm << ", " << threads << " threads");
      REQUIRE(made.registers_allowed > 0);
      CHECK(occupancy(limits, threads, 20000, made.registers_allowed)->ctas == made.ctas);
      if (made.registers_allowed < kMostRegisters) CHECK(occupancy(limits, threads, 20000, made.registers_allowed + 1)->ctas < made.ctas);
    }
  }
}

TEST_CASE("what no multiprocessor holds is refused with what it has") {
  const SmLimits limits = sm_limits(90).value();
  CHECK_FALSE(occupancy(limits, 1025, 0, 0));
  CHECK_FALSE(occupancy(limits, 0, 0, 0));
  CHECK_FALSE(occupancy(limits, 128, *smem_bytes_per_block(90) + 1, 0));
  CHECK_FALSE(occupancy(limits, 128, 0, 256));
  CHECK_FALSE(occupancy(limits, 1024, 0, 128));
  CHECK(occupancy(limits, 1024, 0, 64));
  CHECK_FALSE(sm_limits(42));
}

TEST_CASE("a device's largest CTA fits its multiprocessor, and its rates fit each other") {
  for (const DeviceModel& device : device_models()) {
    INFO(device.name);
    const auto limits = sm_limits(device.sm);
    REQUIRE(limits);
    CHECK(*smem_bytes_per_block(device.sm) + limits->smem_reserved <= limits->smem_bytes);
    CHECK(device.f16 > device.f32);
    CHECK(smem_bytes_per_block(device.sm).has_value());
    CHECK((device.f8 == 0 || device.f8 >= 2 * device.f16 * 0.99));
    CHECK((device.tf32 == 0 || device.tf32 <= device.f16 / 2 * 1.02));
    CHECK(find_device_model(device.name)->sm_count == device.sm_count);
  }
  CHECK(find_device_model("h100 pcie")->sm_count == 114);
  CHECK(find_device_model("gb200")->sm == 100);
  CHECK(find_device_model("tpu").error().notes.at(0).find("H200") != std::string::npos);
  CHECK(peak_tflops(*find_device_model("H200"), ValueType::f16, true) == 989.4);
  CHECK_FALSE(peak_tflops(*find_device_model("T4"), ValueType::tf32, true));
}
