// SPDX-License-Identifier: BSD-3-Clause
// NVRTC, where there is one, compiles what the emitter writes, on every architecture that may run it, and no register is spilled.
#include "core/gemm/lower/lower.hpp"
#include "kernels/codegen/emit_gemm.hpp"
#include "kernels/runtime/compile/compiler.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/gemm_specs.hpp"
#include "tests/support/typed_specs.hpp"

using namespace tessera;

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
  for (const GemmSpec& spec : specs) {
    const auto plan = lower(spec);
    INFO(spec.name << " " << spec.m << "x" << spec.n << "x" << spec.k << (plan ? "" : ": " + describe(plan.error())));
    REQUIRE(plan.has_value());
    const auto source = emit_gemm(*plan);
    INFO((source ? "" : describe(source.error())));
    REQUIRE(source.has_value());
    const ArchTarget least = least_arch(*source, compiler.supported_sms()).value();
    for (const ArchTarget arch : {least, ArchTarget{90, 0}}) {
      const auto cubin = compiler.compile(*source, arch);
      INFO(arch.name() << (cubin ? cubin->log : describe(cubin.error())));
      REQUIRE(cubin.has_value());
      CHECK(cubin->resources.registers > 0);
      CHECK_FALSE(cubin->resources.spills());
      CHECK(cubin->resources.stack_bytes == 0);
    }
    CHECK(compiler.compile(reference_of(*source), least).has_value());
  }
}
