// SPDX-License-Identifier: BSD-3-Clause
// NVRTC, where there is one, compiles what the emitter writes, on every architecture that may run it, and no register is spilled.
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/gemm/lower/lower.hpp"
#include "core/gemm/rungs/ladder.hpp"
#include "kernels/codegen/emit_gemm.hpp"
#include "kernels/runtime/compile/compiler.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/edge_specs.hpp"
#include "tests/support/majors.hpp"
#include "tests/support/role_plans.hpp"
#include "tests/support/smallest_kernel.hpp"
#include "tests/support/typed_specs.hpp"
#include "tests/support/wgmma_specs.hpp"

using namespace tessera;

namespace {

std::string types_of(const KernelSource& source) { return source.a.type + " " + source.b.type + " " + source.c.type; }

// What ptxas remarks of it that no kernel may have: spills, local memory, wgmma that wait for each other. One wait that it adds is allowed,
// and, where that is asked for, fences.
std::string forbidden(const Cubin& cubin, bool allows_fences = false) {
  if (!cubin.resources.remarks) return "not said";
  std::string text;
  for (const PtxasRemark& remark : *cubin.resources.remarks) {
    const bool allowed = remark.is_allowed ? remark.times == 1 : allows_fences && remark.code == "C7519";
    if (!allowed) text += remark.code + ": " + remark.words + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("emitted kernels compile without spills") {
  auto opened = open_nvrtc();
  if (!opened) {
    WARN("skipped: " << opened.error().message);
    return;
  }
  KernelCompiler& compiler = **opened;
  constexpr std::ptrdiff_t kTours = 7;  // the first ones, compiled also for the newest architecture that has all of their instructions
  std::set<std::string> references;     // by their types: nothing else of them differs
  std::vector<GemmSpec> specs{support::article(), support::tensor(256, 256, 128), support::tensor(4096, 4096, 4096)};
  specs.push_back(support::tensor(256, 256, 128, 64, 64, 64, 4));
  specs.push_back(support::wide_stores(support::tensor(4096, 4096, 4096, 128, 256, 64, 3, 2, 4), 4));  // the tour's
  specs.push_back(support::tensor(256, 256, 128));
  specs.back().gA = support::layout(IntTuple::tuple({256, 128}), IntTuple::tuple({20000000, 1}));  // offsets of 64 bits
  for (const GemmSpec& spec : support::single_block_specs()) specs.push_back(spec);
  for (const GemmSpec& spec : support::typed_specs()) specs.push_back(spec);
  for (const GemmSpec& spec : support::warp_fragment_specs()) specs.push_back(spec);
  for (const Rung& rung : ladder()) {
    specs.push_back(rung.spec(8192, 8192, 8192).value());
    specs.push_back(support::of_rung(rung, 1000, 1001, 1003));
  }
  for (const GemmSpec& spec : specs) {
    const auto plan = lower(spec);
    INFO(spec.name << " " << spec.m << "x" << spec.n << "x" << spec.k << (plan ? "" : ": " + describe(plan.error())));
    REQUIRE(plan.has_value());
    const auto source = emit_gemm(*plan);
    INFO((source ? "" : describe(source.error())));
    REQUIRE(source.has_value());
    const ArchTarget least = least_arch(*source, compiler.toolkit()).value();
    // Of Turing's, ptxas spills one word of fragments whose instructions it expands itself, with 80 registers used.
    const bool expands = spec.mma->atom().kind == MmaKind::wmma && least.sm == 75;
    const bool of_one_arch = source->arch_suffix != 0;
    std::vector<ArchTarget> targets{expands ? ArchTarget{80, 0} : least};
    if (!of_one_arch && &spec - specs.data() < kTours) targets.push_back({90, 0});
    for (const ArchTarget arch : targets) {
      const auto cubin = compiler.compile(*source, arch);
      INFO(arch.name() << (cubin ? cubin->log : describe(cubin.error())));
      REQUIRE(cubin.has_value());
      CHECK(cubin->log.find("warning") == std::string::npos);
      CHECK(cubin->resources.registers > 0);
      // Architectures after sm_89 have no mma.sync of fp8: the compiler unpacks to f16, and may keep parts of it on the stack.
      if (arch.sm > 89 && source->a.type.starts_with("e")) continue;
      CHECK(forbidden(*cubin) == "");
    }
    if (references.insert(types_of(*source)).second) CHECK(compiler.compile(reference_of(*source), least).has_value());
  }
}

TEST_CASE("kernels whose threads store what TMA leaves over compile without spills and without a warning") {
  auto opened = open_nvrtc();
  if (!opened) {
    WARN("skipped: " << opened.error().message);
    return;
  }
  std::vector<GemmSpec> specs = support::left_over_specs();
  const std::size_t of_no_rung = specs.size();
  for (const Rung& rung : ladder()) {
    if (rung.number < 10) continue;
    specs.push_back(support::of_rung(rung, 1, 1, 1));
    specs.push_back(support::of_rung(rung, 8191, 8191, 8191));
  }
  for (const GemmSpec& spec : specs) {
    const KernelSource source = emit_gemm(lower(spec).value()).value();
    const auto cubin = (*opened)->compile(source, least_arch(source, (*opened)->toolkit()).value());
    INFO(spec.name << (cubin ? cubin->log : describe(cubin.error())));
    REQUIRE(cubin.has_value());
    CHECK(cubin->log.find("warning") == std::string::npos);
    const bool is_of_rung = static_cast<std::size_t>(&spec - specs.data()) >= of_no_rung;
    CHECK(forbidden(*cubin, !is_of_rung) == "");  // before wgmma of s32 and f16 whose sums threads store ptxas may add a fence
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
      CHECK(forbidden(*cubin) == "");
    }
  }
}

TEST_CASE("no wgmma waits for another in the large tiles of a skewed kernel, of every type, with one tile for a CTA or several") {
  auto opened = open_nvrtc();
  if (!opened) {
    WARN("skipped: " << opened.error().message);
    return;
  }
  struct Type {
    const char* atom;
    std::int64_t blk_k;
    ValueType type_c;
  };
  using enum ValueType;
  const Type types[] = {{"16_F32BF16BF16_SS<K,K>", 64, bf16}, {"16_F32F16F16_SS<K,K>", 64, f16},  {"8_F32TF32TF32_SS_TN", 32, f32},
                        {"32_F32E4M3E4M3_SS_TN", 128, bf16},  {"32_F32E5M2E5M2_SS_TN", 128, f32}, {"32_S32S8S8_SS_TN", 128, i32}};
  for (const Type& type : types) {
    for (const std::int64_t ctas : {132, 0}) {
      GemmSpec spec = support::hopper(Overlap::skewed, 8192, 8192, 8192, 256, 192, 2);
      const MmaAtom atom = find_mma_atom(std::string("SM90_64x192x") + type.atom).value();
      spec.mma = TiledMma::make(atom, spec.mma->atom_layout_mnk(), Underscore{}).value();
      spec.cta_tiler = IntTuple::tuple({256, 192, type.blk_k});
      spec.type_c = type.type_c, spec.ctas = ctas, spec.stages = 2;
      const KernelSource source = emit_gemm(lower(spec).value()).value();
      const auto cubin = (*opened)->compile(source, ArchTarget{90, 'a'});
      INFO(type.atom << ", " << ctas << " CTAs: " << (cubin ? cubin->log : describe(cubin.error())));
      REQUIRE(cubin.has_value());
      CHECK(forbidden(*cubin) == "");
      CHECK(cubin->resources.remarks->size() == (ctas > 0 ? 1 : 0));  // one wait for the sums that a loop carries round
    }
  }
}

TEST_CASE("kernels of roles that multiply by mma.sync while another copies for them compile without spills and without a warning") {
  auto opened = open_nvrtc();
  if (!opened) {
    WARN("skipped: " << opened.error().message);
    return;
  }
  for (const support::Parted how : support::kParted) {
    const KernelSource source = emit_gemm(support::parted_plan(how)).value();
    const auto cubin = (*opened)->compile(source, least_arch(source, (*opened)->toolkit()).value());
    INFO(source.name << ": " << (cubin ? cubin->log : describe(cubin.error())));
    REQUIRE(cubin.has_value());
    CHECK(cubin->log.find("warning") == std::string::npos);
    CHECK(forbidden(*cubin) == "");
  }
}

TEST_CASE("kernels whose tiles reach beyond the problem compile without a warning") {
  auto opened = open_nvrtc();
  if (!opened) {
    WARN("skipped: " << opened.error().message);
    return;
  }
  KernelSource program;  // all of them, since the compiler's start costs more than a kernel
  std::size_t kernels = 0;
  for (const GemmSpec& spec : support::ragged_specs(40, 1789)) {
    const auto source = emit_gemm(lower(spec).value());
    if (!source) continue;
    const std::string own = "namespace in_" + std::to_string(kernels++) + " {\n" + source->text + "}\n";
    if (program.entry.empty()) program = *source, program.text.clear();
    program.text += own;
  }
  CHECK(kernels == 40);
  const auto cubin = (*opened)->compile(program, ArchTarget{80, 0});
  INFO((cubin ? cubin->log : describe(cubin.error())));
  REQUIRE(cubin.has_value());
  CHECK(cubin->log.find("warning") == std::string::npos);
}

TEST_CASE("kernels of wgmma of every type compile without spills, with alpha and beta") {
  auto opened = open_nvrtc();
  if (!opened) {
    WARN("skipped: " << opened.error().message);
    return;
  }
  std::set<std::string> references;
  for (const GemmSpec& spec : support::wgmma_specs()) {
    const KernelSource source = emit_gemm(lower(spec).value()).value();
    const auto cubin = (*opened)->compile(source, ArchTarget{90, 'a'});
    INFO(spec.name << ": " << (cubin ? cubin->log : describe(cubin.error())));
    REQUIRE(cubin.has_value());
    CHECK(forbidden(*cubin) == "");
    if (references.insert(types_of(source)).second) CHECK((*opened)->compile(reference_of(source), ArchTarget{90, 'a'}).has_value());
  }
}

TEST_CASE("the kernel of every atom compiles for the architecture that the atom names") {
  auto opened = open_nvrtc();
  if (!opened) {
    WARN("skipped: " << opened.error().message);
    return;
  }
  // Kernels of one architecture are one program, since the compiler's start costs more than a kernel; of wgmma, some widths.
  std::map<std::string, std::pair<ArchTarget, KernelSource>> programs;
  std::size_t atoms = 0;
  for (const auto& [atom, source] : support::atom_kernels()) {
    const std::int64_t n = shape_extent(atom, 1);
    if (atom.kind == MmaKind::wgmma && n != 64 && n != 256) continue;
    ++atoms;
    const ArchTarget arch = least_arch(source, (*opened)->toolkit()).value();
    auto& [target, program] = programs.try_emplace(arch.name(), arch, KernelSource{}).first->second;
    std::string own = source.text;
    if (program.entry.empty()) program = source, program.text.clear();
    const std::string include = "#include <mma.h>\n";  // once, and in no namespace
    if (const std::size_t at = own.find(include); at != std::string::npos) {
      own.erase(at, include.size());
      if (!program.text.starts_with(include)) program.text.insert(0, include);
    }
    program.text += "namespace in_" + source.entry + " {\n" + own + "}\n";
  }
  CHECK(atoms >= 53);  // every dense mma.sync of one operand type that has a memory type, the FMAs of real types, and eight of nvcuda::wmma
  CHECK(programs.size() >= 4);
  for (const auto& [name, each] : programs) {
    const auto cubin = (*opened)->compile(each.second, each.first);
    INFO(name << (cubin ? cubin->log : describe(cubin.error())));
    REQUIRE(cubin.has_value());
    CHECK(cubin->log.find("warning") == std::string::npos);
  }
}

// Takes minutes, and is run by name: test_kernels "*architecture that has it*"
TEST_CASE("the kernel of every atom compiles for every architecture that has it", "[.][sweep]") {
  auto opened = open_nvrtc();
  if (!opened) {
    WARN("skipped: " << opened.error().message);
    return;
  }
  std::size_t compiled = 0;
  for (const int sm : (*opened)->supported_sms()) {
    for (const auto& [atom, source] : support::atom_kernels()) {
      const auto arch = decide_arch(source, sm, "the device", (*opened)->toolkit());
      if (!arch) continue;
      const auto cubin = (*opened)->compile(source, *arch);
      INFO(source.name << " for " << arch->name() << ": " << (cubin ? cubin->log : describe(cubin.error())));
      CHECKED_ELSE(cubin.has_value()) continue;
      ++compiled;
      CHECK(cubin->log.find("warning") == std::string::npos);
      CHECK(forbidden(*cubin) == "");
    }
  }
  WARN(compiled << " kernels");
}
