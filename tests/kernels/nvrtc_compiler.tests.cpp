// SPDX-License-Identifier: BSD-3-Clause
// The real NVRTC, where there is one; it needs no GPU.
#include "kernels/runtime/compile/compiler.hpp"

#include <ctime>
#include <memory>
#include <string>
#include <utility>

#include "kernels/runtime/measure/check_kernels.hpp"
#include "kernels/runtime/worker/injected_kernels.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/naive_gemm.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;

namespace {

std::unique_ptr<KernelCompiler> compiler_or_null() {
  auto opened = open_nvrtc();
  if (opened) return std::move(opened).value();
  CHECK(opened.error().code == ErrorCode::no_compiler);  // in words, never a crash
  CHECK_FALSE(opened.error().message.empty());
  WARN("skipped: no NVRTC here");
  return nullptr;
}

}  // namespace

TEST_CASE("NVRTC makes a cubin whose registers are known") {
  const auto compiler = compiler_or_null();
  if (!compiler) return;
  const auto cubin = compiler->compile(test::naive_gemm(64, 64, 64), {90, 'a'});
  REQUIRE(cubin.has_value());
  CHECK(cubin->bytes.starts_with("\177ELF"));
  CHECK(cubin->arch == ArchTarget{90, 'a'});
  CHECK(cubin->resources.registers > 8);
  CHECK_FALSE(cubin->resources.spills());
  CHECK(cubin->resources.spill_store_bytes == 0);
  CHECK(cubin->compiler.starts_with("NVRTC "));
  CHECK(cubin->compile_ms > 0);
}

TEST_CASE("each GEMM of the tour is compiled within a second of the processor's time", "[.timing]") {
  const auto compiler = compiler_or_null();
  if (!compiler) return;
  for (const std::string name : {"article_gemm", "tensor_gemm"}) {
    KernelSource source;
    source.name = name;
    source.entry = "gemm_" + name;
    source.text = test::contents(test::source_dir() + "/tests/golden/kernels/" + name + ".cu");
    const std::clock_t begin = std::clock();
    const auto cubin = compiler->compile(source, {90, 0});
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    INFO(name << ": " << seconds << " s");
    REQUIRE(cubin.has_value());
    CHECK(seconds < 1);
  }
}

TEST_CASE("a kernel compiled for the second time still has its registers known") {
  const auto compiler = compiler_or_null();
  if (!compiler) return;
  const KernelSource source = test::naive_gemm(64, 64, 64);
  const auto first = compiler->compile(source, {90, 0}), second = compiler->compile(source, {90, 0});
  REQUIRE(first.has_value());
  REQUIRE(second.has_value());
  CHECK(first->resources.registers > 0);
  CHECK(second->resources.registers == first->resources.registers);
}

TEST_CASE("NVRTC's complaints arrive with their line") {
  const auto compiler = compiler_or_null();
  if (!compiler) return;
  KernelSource source = test::naive_gemm(64, 64, 64);
  SECTION("C++ that is none") { source.text = "extern \"C\" __global__ void naive_gemm() {\n  int x = ;\n}\n"; }
  SECTION("PTX that is none") { source.text = "extern \"C\" __global__ void naive_gemm() { asm volatile(\"mma.bad;\"); }\n"; }
  const auto refused = compiler->compile(source, {90, 0});
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().code == ErrorCode::compile_failed);
  CHECK(refused.error().message.find("sm_90") != std::string::npos);
  REQUIRE_FALSE(refused.error().notes.empty());
  CHECK(refused.error().notes[0].find("error") != std::string::npos);
}

TEST_CASE("an architecture that this NVRTC does not know is refused by name") {
  const auto compiler = compiler_or_null();
  if (!compiler) return;
  const auto refused = compiler->compile(test::naive_gemm(8, 8, 8), {35, 0});
  CHECK(refused.error().code == ErrorCode::wrong_arch);
  CHECK(refused.error().message.find("sm_35") != std::string::npos);
}

TEST_CASE("the runtime's own small kernels compile for every type") {
  const auto compiler = compiler_or_null();
  if (!compiler) return;
  const ArchTarget oldest{compiler->supported_sms().front(), 0};
  for (const char* type : {"f16", "bf16", "tf32", "f32", "f64", "s32", "s8", "u8", "e4m3", "e5m2"}) {
    INFO(type);
    CHECK(compiler->compile(fill_kernel(type).value(), oldest).has_value());
    CHECK(compiler->compile(sign_kernel(type, 0.5).value(), oldest).has_value());
    CHECK(compiler->compile(compare_kernel(type).value(), oldest).has_value());
  }
  CHECK(compiler->compile(hold_kernel(), oldest).has_value());
  CHECK(compiler->compile(faulting_kernel(), oldest).has_value());
  CHECK(compiler->compile(hanging_kernel(), oldest).has_value());
  CHECK(compiler->compile(reference_of(hanging_kernel()), oldest).has_value());
  CHECK(fill_kernel("f17").error().message.find("f17") != std::string::npos);
}
