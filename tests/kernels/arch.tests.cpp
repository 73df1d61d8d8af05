// SPDX-License-Identifier: BSD-3-Clause
// The one decision about architecture, over every architecture that NVRTC knows.
#include "kernels/runtime/device/arch.hpp"

#include "kernels/runtime/device/device.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

KernelSource needs(int least_sm, char suffix) {
  KernelSource source;
  source.name = "k";
  source.least_sm = least_sm;
  source.arch_suffix = suffix;
  return source;
}

DeviceProperties device_of(int sm) {
  DeviceProperties device;
  device.name = "Fake GPU";
  device.sm = sm;
  return device;
}

}  // namespace

TEST_CASE("a kernel is compiled for the device it runs on, or refused before anything is compiled") {
  // Columns: the devices. A dash: refused.
  const std::vector<int> devices{75, 80, 86, 89, 90, 100, 120};
  struct Row {
    int least_sm;
    char suffix;
    std::vector<std::string> expected;
  };
  const std::vector<Row> rows{
      {70, 0, {"sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"}},
      {80, 0, {"-", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"}},
      {89, 0, {"-", "-", "-", "sm_89", "sm_90", "sm_100", "sm_120"}},
      {90, 0, {"-", "-", "-", "-", "sm_90", "sm_100", "sm_120"}},
      {90, 'a', {"-", "-", "-", "-", "sm_90a", "-", "-"}},  // wgmma: on exactly this one
      {100, 'a', {"-", "-", "-", "-", "-", "sm_100a", "-"}},
      {120, 'a', {"-", "-", "-", "-", "-", "-", "sm_120a"}},
  };
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < devices.size(); ++i) {
      const auto arch = decide_arch(needs(row.least_sm, row.suffix), device_of(devices[i]));
      INFO("least sm_" << row.least_sm << " on sm_" << devices[i]);
      CHECK((arch ? arch->name() : "-") == row.expected[i]);
      if (!arch) CHECK(arch.error().code == ErrorCode::wrong_arch);
    }
  }
}

TEST_CASE("a refusal names the kernel, both architectures and what to try") {
  const auto older = decide_arch(needs(90, 'a'), device_of(89));
  CHECK(older.error().message == "kernel 'k' needs sm_90a; the device (Fake GPU) is sm_89");
  CHECK(older.error().notes.back().find("SM80_16x8x16_F32F16F16F32_TN") != std::string::npos);
  const auto newer = decide_arch(needs(90, 'a'), device_of(100));
  CHECK(newer.error().notes.front().find("exactly sm_90a") != std::string::npos);
  CHECK(decide_arch(needs(80, 'x'), device_of(90)).error().message.find("'x'") != std::string::npos);
}

TEST_CASE("without a device the least architecture that the compiler knows is taken") {
  const std::vector<int> nvrtc_13{75, 80, 86, 90, 100};
  CHECK(least_arch(needs(70, 0), nvrtc_13)->name() == "sm_75");  // NVRTC 13 no longer compiles for Volta
  CHECK(least_arch(needs(80, 0), nvrtc_13)->name() == "sm_80");
  CHECK(least_arch(needs(90, 'a'), nvrtc_13)->name() == "sm_90a");
  CHECK_FALSE(least_arch(needs(120, 0), nvrtc_13).has_value());
  CHECK(least_arch(needs(89, 'a'), {}).value().name() == "sm_89a");
}

TEST_CASE("architectures are read as people write them") {
  CHECK(parse_arch("sm_90a").value() == ArchTarget{90, 'a'});
  CHECK(parse_arch("90").value() == ArchTarget{90, 0});
  CHECK(parse_arch("compute_120").value() == ArchTarget{120, 0});
  for (const char* wrong : {"", "sm_", "sm_9", "hopper", "sm_90b", "90aa", "-90", "sm_99999"}) CHECK_FALSE(parse_arch(wrong).has_value());
}
