// SPDX-License-Identifier: BSD-3-Clause
// NVRTC, where there is one, compiles what the emitter writes, on every architecture that may run it, and no register is spilled.
#include <map>

#include "core/gemm/ladder.hpp"
#include "core/gemm/lower/lower.hpp"
#include "kernels/codegen/emit_gemm.hpp"
#include "kernels/runtime/compile/compiler.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/majors.hpp"
#include "tests/support/typed_specs.hpp"
#include "tests/support/wgmma_specs.hpp"

using namespace tessera;

namespace {

// One tile of one atom.
std::optional<KernelSource> smallest_kernel(const std::string& name) {
  const auto atom = find_mma_atom(name);
  if (!atom || !atom->arch.gfx.empty() || atom->sparse) return std::nullopt;
  const auto mma = TiledMma::make(*atom, Layout(), Underscore{});
  if (!mma) return std::nullopt;
  GemmSpec spec;
  spec.name = name;
  spec.mma = *mma;
  spec.m = shape_extent(*atom, 0), spec.n = shape_extent(*atom, 1), spec.k = shape_extent(*atom, 2);
  spec.type_c = atom->val_c;
  const auto plan = lower(spec);
  if (!plan) return std::nullopt;
  auto source = emit_gemm(*plan);
  if (!source) return std::nullopt;
  return *std::move(source);
}

}  // namespace

TEST_CASE("emitted kernels compile without spills") {
  auto opened = open_nvrtc();
  if (!opened) {
    WARN("skipped: " << opened.error().message);
    return;
  }
  KernelCompiler& compiler = **opened;
  std::vector<GemmSpec> specs{support::article(), support::tensor(256, 256, 128), support::tensor(4096, 4096, 4096)};
  specs.push_back(support::tensor(256, 256, 128, 64, 64, 64, 4));
  specs.push_back(support::wide_stores(support::tensor(4096, 4096, 4096, 128, 256, 64, 3, 2, 4), 4));  // the tour's
  specs.push_back(support::tensor(256, 256, 128));
  specs.back().gA = support::layout(IntTuple::tuple({256, 128}), IntTuple::tuple({20000000, 1}));  // offsets of 64 bits
  for (const GemmSpec& spec : support::single_block_specs()) specs.push_back(spec);
  for (const GemmSpec& spec : support::typed_specs()) specs.push_back(spec);
  for (const Rung& rung : ladder()) specs.push_back(rung.spec(8192, 8192, 8192).value());
  for (const GemmSpec& spec : specs) {
    const auto plan = lower(spec);
    INFO(spec.name << " " << spec.m << "x" << spec.n << "x" << spec.k << (plan ? "" : ": " + describe(plan.error())));
    REQUIRE(plan.has_value());
    const auto source = emit_gemm(*plan);
    INFO((source ? "" : describe(source.error())));
    REQUIRE(source.has_value());
    const ArchTarget least = least_arch(*source, compiler.supported_sms()).value();
    const bool of_one_arch = source->arch_suffix != 0;
    for (const ArchTarget arch : {least, of_one_arch ? least : ArchTarget{90, 0}}) {
      const auto cubin = compiler.compile(*source, arch);
      INFO(arch.name() << (cubin ? cubin->log : describe(cubin.error())));
      REQUIRE(cubin.has_value());
      CHECK(cubin->log.find("warning") == std::string::npos);
      CHECK(cubin->resources.registers > 0);
      // Architectures after sm_89 have no mma.sync of fp8: the compiler unpacks to f16, and may keep parts of it on the stack.
      if (arch.sm > 89 && source->a.type.starts_with("e")) continue;
      CHECK_FALSE(cubin->resources.spills());
      CHECK(cubin->resources.stack_bytes == 0);
    }
    CHECK(compiler.compile(reference_of(*source), least).has_value());
  }
}

TEST_CASE("kernels of wgmma compile without spills, with operands along K, M or N") {
  auto opened = open_nvrtc();
  if (!opened) {
    WARN("skipped: " << opened.error().message);
    return;
  }
  for (const support::Majors majors : support::kMajors) {
    for (const bool skewed : {false, true}) {
      GemmSpec spec =
          support::hopper(skewed ? Overlap::skewed : Overlap::deferred, 4096, 4096, 4096, skewed ? 256 : 128, skewed ? 128 : 256, 2);
      spec.store_boxes = 1;
      const KernelSource source = emit_gemm(lower(support::with_majors(spec, majors)).value()).value();
      const auto cubin = (*opened)->compile(source, ArchTarget{90, 'a'});
      INFO(majors.name() << (skewed ? ", skewed: " : ", deferred: ") << (cubin ? cubin->log : describe(cubin.error())));
      REQUIRE(cubin.has_value());
      CHECK_FALSE(cubin->resources.spills());
    }
  }
}

TEST_CASE("kernels of wgmma of every type compile without spills, with alpha and beta") {
  auto opened = open_nvrtc();
  if (!opened) {
    WARN("skipped: " << opened.error().message);
    return;
  }
  for (const GemmSpec& spec : support::wgmma_specs()) {
    const KernelSource source = emit_gemm(lower(spec).value()).value();
    const auto cubin = (*opened)->compile(source, ArchTarget{90, 'a'});
    INFO(spec.name << ": " << (cubin ? cubin->log : describe(cubin.error())));
    REQUIRE(cubin.has_value());
    CHECK_FALSE(cubin->resources.spills());
    CHECK(cubin->log.find("C7510") == std::string::npos);
    CHECK((*opened)->compile(reference_of(source), ArchTarget{90, 'a'}).has_value());
  }
}

TEST_CASE("the kernel of every atom compiles for the architecture that the atom names") {
  auto opened = open_nvrtc();
  if (!opened) {
    WARN("skipped: " << opened.error().message);
    return;
  }
  // Kernels of one architecture are one program, since the compiler's start costs more than a kernel.
  std::map<std::string, std::pair<ArchTarget, KernelSource>> programs;
  std::size_t atoms = 0;
  for (const std::string& name : mma_atom_names()) {
    const auto source = smallest_kernel(name);
    if (!source) continue;
    ++atoms;
    const ArchTarget arch = least_arch(*source, (*opened)->supported_sms()).value();
    auto& [target, program] = programs.try_emplace(arch.name(), arch, KernelSource{}).first->second;
    const std::string own = "namespace in_" + source->entry + " {\n" + source->text + "}\n";
    if (program.entry.empty()) program = *source, program.text.clear();
    program.text += own;
  }
  CHECK(atoms >= 37);  // every dense mma.sync of one operand type that has a memory type, and the FMAs of real types
  CHECK(programs.size() >= 3);
  for (const auto& [name, each] : programs) {
    const auto cubin = (*opened)->compile(each.second, each.first);
    INFO(name << (cubin ? cubin->log : describe(cubin.error())));
    REQUIRE(cubin.has_value());
    CHECK(cubin->log.find("warning") == std::string::npos);
  }
}
