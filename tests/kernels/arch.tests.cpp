// SPDX-License-Identifier: BSD-3-Clause
// The one decision about architecture, over every architecture that NVRTC knows.
#include "kernels/runtime/device/arch.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "kernels/runtime/device/device.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/smallest_kernel.hpp"
#include "tests/support/typed_specs.hpp"

using namespace tessera;

namespace {

KernelSource needs(int least_sm, char suffix) {
  KernelSource source;
  source.name = "k";
  source.least_sm = least_sm;
  source.arch_suffix = suffix;
  return source;
}

// What NVRTC says of itself, by CUDA's release: nvrtcGetSupportedArchs.
const Toolkit kCuda118{"NVRTC 11.8", {35, 37, 50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90}, false};
const Toolkit kCuda120{"NVRTC 12.0", {50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90}, true};
const Toolkit kCuda128{"NVRTC 12.8", {50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90, 100, 101, 120}, true};
const Toolkit kCuda130{"NVRTC 13.0", {75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121}, true};
const Toolkit kAny{"", {}, true};

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
      const auto arch = decide_arch(needs(row.least_sm, row.suffix), device_of(devices[i]), kCuda130);
      INFO("least sm_" << row.least_sm << " on sm_" << devices[i]);
      CHECK((arch ? arch->name() : "-") == row.expected[i]);
      if (!arch) CHECK(arch.error().code == ErrorCode::wrong_arch);
    }
  }
}

TEST_CASE("a refusal names the atom that asks, both architectures and an atom to try") {
  KernelSource source = needs(90, 'a');
  CHECK(decide_arch(source, device_of(89), kAny).error().message == "kernel 'k' needs sm_90a; the device (Fake GPU) is sm_89");
  source.asks_for_arch = "atom X", source.a.type = "bf16";
  source.other_atoms = {{0, "F", "f32"}, {75, "H", "f16"}, {80, "B", "bf16"}, {120, "N", "bf16"}};
  const Error older = decide_arch(source, device_of(89), kAny).error();
  CHECK(older.message == "kernel 'k': atom X needs sm_90a; the device (Fake GPU) is sm_89");
  CHECK(older.notes == std::vector<std::string>{"try B, which sm_89 has"});
  const Error oldest = decide_arch(source, device_of(75), kAny).error();
  CHECK(oldest.notes.at(0) == "try H: no atom of bf16 that a kernel can be made of is on sm_75, and this one multiplies f16");
  const Error newer = decide_arch(source, device_of(100), kAny).error();
  CHECK(newer.notes.at(0) == "try B, which sm_100 has");
  CHECK(newer.notes.at(1).find("exactly sm_90a") != std::string::npos);
  CHECK(decide_arch(needs(80, 'x'), device_of(90), kAny).error().message.find("'x'") != std::string::npos);
}

TEST_CASE("a toolkit that does not know the device compiles for an older one of its generation, or is refused with the one that does") {
  const auto name = [](const Result<ArchTarget>& arch) { return arch ? arch->name() : "-"; };
  struct Row {
    const Toolkit& toolkit;
    int least_sm;
    char suffix;
    int device;
    std::string expected;
  };
  const std::vector<Row> rows{
      {kCuda130, 80, 0, 89, "sm_89"},    {kCuda128, 80, 0, 103, "sm_100"},  // sm_103 runs the code of sm_100
      {kCuda128, 80, 0, 121, "sm_120"},  {kCuda120, 80, 0, 120, "-"},       // and nothing of another generation
      {kCuda120, 80, 0, 100, "-"},       {kCuda118, 80, 0, 100, "-"},
      {kCuda118, 80, 0, 90, "sm_90"},    {kCuda118, 90, 'a', 90, "-"},  // 11.8 knows sm_90, and no sm_90a
      {kCuda120, 90, 'a', 90, "sm_90a"}, {kCuda128, 103, 0, 103, "-"},  // the code of sm_100 has not what sm_103 adds
      {kCuda130, 70, 0, 70, "-"},        {kCuda128, 70, 0, 70, "sm_70"},
      {kCuda118, 80, 0, 88, "-"},        {kCuda128, 80, 0, 110, "-"},  // boards that stand apart
      {kAny, 80, 0, 120, "sm_120"},      {kAny, 90, 'a', 90, "sm_90a"},
  };
  for (const Row& row : rows) {
    INFO(row.toolkit.name << ", least sm_" << row.least_sm << " on sm_" << row.device);
    const auto arch = decide_arch(needs(row.least_sm, row.suffix), device_of(row.device), row.toolkit);
    CHECK(name(arch) == row.expected);
    if (arch) CHECK(runs_on(*arch, row.device));
    if (!arch) CHECK(arch.error().code == ErrorCode::wrong_arch);
  }
  const Error unknown = decide_arch(needs(80, 0), device_of(120), kCuda120).error();
  CHECK(unknown.message ==
        "kernel 'k': the device (Fake GPU) is sm_120, and NVRTC 12.0 does not compile for sm_120; it does for sm_50 to sm_90");
  CHECK(unknown.notes.at(0).find("CUDA 12.8 or later") != std::string::npos);
  CHECK(decide_arch(needs(90, 'a'), device_of(90), kCuda118).error().message ==
        "kernel 'k' needs sm_90a: the device (Fake GPU) is sm_90, and NVRTC 11.8 does not compile for sm_90a; it does for sm_35 to sm_90, "
        "without an 'a'");
  CHECK(decide_arch(needs(90, 'a'), device_of(90), kCuda118).error().notes.at(0).find("CUDA 12.0 or later") != std::string::npos);
  CHECK(decide_arch(needs(70, 0), device_of(70), kCuda130).error().notes.at(0).find("older CUDA toolkit") != std::string::npos);
  CHECK(arch_note({100, 0}, 103, kCuda128) == "compiled for sm_100, whose machine code sm_103 runs: NVRTC 12.8 does not know sm_103");
  CHECK(arch_note({90, 'a'}, 90, kCuda128).empty());
}

TEST_CASE("every atom with a kernel, on every device by every toolkit: the right architecture, or a refusal with an atom that is there") {
  struct Kit {
    const Toolkit& toolkit;
    std::map<int, int> compiles;  // device -> what it is compiled for there
  };
  const std::vector<Kit> kits{{kCuda118, {{75, 75}, {80, 80}, {86, 86}, {89, 89}, {90, 90}}},
                              {kCuda120, {{75, 75}, {80, 80}, {86, 86}, {89, 89}, {90, 90}}},
                              {kCuda128, {{75, 75}, {80, 80}, {86, 86}, {89, 89}, {90, 90}, {100, 100}, {120, 120}}},
                              {kCuda130, {{75, 75}, {80, 80}, {86, 86}, {89, 89}, {90, 90}, {100, 100}, {120, 120}}}};
  std::map<std::string, const support::AtomKernel*> by_name;
  for (const support::AtomKernel& one : support::atom_kernels()) by_name[one.atom.name] = &one;
  const auto is_there = [](const MmaAtom& atom, int sm) { return atom.arch.suffix == 'a' ? atom.arch.sm == sm : atom.arch.sm <= sm; };
  std::set<int> refused_for;
  for (const auto& [atom, source] : support::atom_kernels()) {
    CHECK((atom.kind != MmaKind::wgmma || atom.arch == ArchRequirement{90, 'a'}));
    const bool sm120 = atom.name.starts_with("SM120");
    CHECK((atom.name.starts_with("SM90_") ? source.least_sm >= 90 : sm120 ? source.least_sm == 120 : source.least_sm <= 89));
    for (const Kit& kit : kits) {
      for (const int sm : {75, 80, 86, 89, 90, 100, 120}) {
        INFO(atom.name << " on sm_" << sm << " by " << kit.toolkit.name);
        const auto arch = decide_arch(source, device_of(sm), kit.toolkit);
        const bool compiles = kit.compiles.contains(sm) && (atom.arch.suffix == 0 || &kit.toolkit != &kCuda118);
        REQUIRE(arch.has_value() == (is_there(atom, sm) && compiles));
        if (arch) {
          CHECK(*arch == ArchTarget{kit.compiles.at(sm), atom.arch.suffix});
          continue;
        }
        const Error& error = arch.error();
        REQUIRE(error.message.find("the device (Fake GPU) is sm_" + std::to_string(sm)) != std::string::npos);
        REQUIRE_FALSE(error.notes.empty());
        if (is_there(atom, sm)) {
          REQUIRE(error.message.find(kit.toolkit.name + " does not compile for sm_" + std::to_string(sm)) != std::string::npos);
          continue;
        }
        REQUIRE(error.message.find("atom " + atom.name + " needs " + to_string(atom.arch)) != std::string::npos);
        refused_for.insert(sm);
        REQUIRE(error.notes[0].starts_with("try "));
        const std::string other = error.notes[0].substr(4, error.notes[0].find_first_of(",:", 4) - 4);
        const std::string whole = other.starts_with("UniversalFMA") ? error.notes[0].substr(4, error.notes[0].find('>') - 3) : other;
        REQUIRE(by_name.contains(whole));  // a kernel can be made of it
        CHECK(is_there(by_name[whole]->atom, sm));
        // Of the same type, wherever there is one.
        const bool same_type = by_name[whole]->atom.val_a == atom.val_a;
        const bool possible = std::any_of(by_name.begin(), by_name.end(), [&](const auto& one) {
          return one.second->atom.val_a == atom.val_a && one.second->atom.val_b == atom.val_a && is_there(one.second->atom, sm);
        });
        CHECK(same_type == possible);
      }
    }
  }
  CHECK(refused_for == std::set<int>{75, 80, 86, 89, 90, 100, 120});
  CHECK(by_name.size() > 60);
}

TEST_CASE("where a copy asks for the architecture, the refusal says which") {
  const KernelSource source = emit_gemm(lower(support::typed("SM75_16x8x8_F32F16F16F32_TN", ValueType::f32, 3)).value()).value();
  const Error refused = decide_arch(source, device_of(75), kCuda130).error();
  CHECK(refused.message.find("cp.async beside atom SM75_16x8x8_F32F16F16F32_TN needs sm_80 or later") != std::string::npos);
  CHECK(refused.notes.at(0).find("stages=1") != std::string::npos);
  const KernelSource one_stage = emit_gemm(lower(support::typed("SM75_16x8x8_F32F16F16F32_TN", ValueType::f32, 1)).value()).value();
  CHECK(decide_arch(one_stage, device_of(75), kCuda130)->name() == "sm_75");
}

TEST_CASE("without a device the least architecture that the toolkit knows is taken") {
  CHECK(least_arch(needs(70, 0), kCuda130)->name() == "sm_75");  // NVRTC 13 no longer compiles for Volta
  CHECK(least_arch(needs(80, 0), kCuda130)->name() == "sm_80");
  CHECK(least_arch(needs(90, 'a'), kCuda130)->name() == "sm_90a");
  CHECK_FALSE(least_arch(needs(90, 'a'), kCuda118).has_value());
  CHECK_FALSE(least_arch(needs(120, 0), kCuda120).has_value());
  CHECK(least_arch(needs(89, 'a'), kAny).value().name() == "sm_89a");
  CHECK(least_arch(needs(0, 0), kAny).value().name() == "sm_75");
}

TEST_CASE("architectures are read as people write them") {
  CHECK(parse_arch("sm_90a").value() == ArchTarget{90, 'a'});
  CHECK(parse_arch("90").value() == ArchTarget{90, 0});
  CHECK(parse_arch("compute_120").value() == ArchTarget{120, 0});
  for (const char* wrong : {"", "sm_", "sm_9", "hopper", "sm_90b", "90aa", "-90", "sm_99999"}) CHECK_FALSE(parse_arch(wrong).has_value());
}
