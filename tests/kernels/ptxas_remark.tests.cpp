// SPDX-License-Identifier: BSD-3-Clause
// What ptxas 13.0 wrote of small kernels of wgmma that are wrong in one way each, and what it says today where NVRTC is.
#include "kernels/runtime/device/ptxas_remark.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/runtime/compile/compiler.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;

namespace {

const std::string kEntry =
    "ptxas info    : Compiling entry function 'k' for 'sm_90a'\n"
    "ptxas info    : Function properties for k\n"
    "ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
    "ptxas info    : Used 30 registers, used 0 barriers\n";

const std::string kSerialised = "Potential Performance Loss: wgmma.mma_async instructions are serialized due to ";
const std::string kOfRegisters = " by compiler to allow use of registers";

struct Logged {
  const char* code;
  std::string words;
  bool is_allowed;
};
const Logged kLogged[] = {
    {"C7507", "Potential Performance Loss: 'setmaxnreg' ignored to maintain minimum register requirements.", false},
    {"C7508", "Potential Performance Loss: 'setmaxnreg' ignored; unable to determine register count at entry.", false},
    {"C7509", kSerialised + "the presence of Extern calls in the function 'k'", false},
    {"C7510", kSerialised + "wgmma pipeline crossing function boundary at a function call in the function 'k'", false},
    {"C7511", kSerialised + "insufficient register resources for the wgmma pipeline in the function 'k'", false},
    {"C7512", kSerialised + "insufficient register resources for the function 'k'", false},
    {"C7513",
     kSerialised + "non wgmma instructions defining input registers of a wgmma between start and end of the pipeline stage in the function "
                   "'k'",
     false},
    {"C7514",
     kSerialised + "non wgmma instructions reading accumulator registers of  a wgmma between start and end of the pipeline stage in the "
                   "function 'k'",
     false},
    {"C7515",
     kSerialised + "non wgmma instructions defining accumulator registers of a wgmma between start and end of the pipeline stage in the "
                   "function 'k'",
     false},
    {"C7516", kSerialised + "ill formed pipeline stage in the function 'k'", false},
    {"C7517", "warpgroup.wait is injected in around line 2327" + kOfRegisters + " defined by GMMA in function 'k'", true},
    {"C7518", kSerialised + "program dependence on compiler-inserted WG.DP in divergent path in the function 'k'", false},
    {"C7519", "warpgroup.arrive is injected in around line 63" + kOfRegisters + " in GMMA in function 'k'", false},
    {"C7520", kSerialised + "program dependence on compiler-inserted WG.AR in divergent path in the function 'k'", false},
};

std::string line(const std::string& code, const std::string& words) { return "ptxas info    : (" + code + ") " + words + "\n"; }

std::vector<PtxasRemark> remarks(const std::string& log) {
  const auto said = ptxas_remarks(log, "k");
  REQUIRE(said);
  return *said;
}

// A kernel of one wgmma of 64 x 8 x 16 with `body` around it.
KernelSource wgmma_kernel(const std::string& body) {
  KernelSource source;
  source.name = source.entry = "k";
  source.text = R"(
typedef unsigned long long Descriptor;
__device__ __forceinline__ void wgmma(float* d, Descriptor a, Descriptor b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(a), "l"(b));
}
__device__ __forceinline__ void fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void wait() { asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory"); }
extern "C" __global__ void k(float* out, Descriptor a, Descriptor b, int n) {
  float d[4] = {};
)" + body + R"(
  for (int i = 0; i < 4; ++i) out[threadIdx.x * 4 + i] = d[i];
}
)";
  return source;
}

}  // namespace

TEST_CASE("each remark of ptxas is read with its code, its words and a meaning of its own") {
  for (const Logged& logged : kLogged) {
    INFO(logged.code);
    for (const std::string& log : {line(logged.code, logged.words) + kEntry, kEntry + line(logged.code, logged.words)}) {
      const std::vector<PtxasRemark> read = remarks(log);
      REQUIRE(read.size() == 1);
      CHECK(read[0].code == logged.code);
      CHECK(read[0].entry == "k");
      CHECK(read[0].words == logged.words);
      CHECK(read[0].is_allowed == logged.is_allowed);
      CHECK(read[0].times == 1);
      for (const PtxasCode& code : ptxas_codes()) CHECK((read[0].meaning == code.meaning) == (code.code == logged.code));
    }
  }
}

TEST_CASE("every code has a row in the documentation, with its meaning") {
  const std::string page = test::contents(test::source_dir() + "/docs/measuring.md");
  for (const PtxasCode& code : ptxas_codes()) {
    INFO(code.code);
    CHECK(page.find("| " + std::string(code.code) + " | " + (code.is_allowed ? "yes" : "no") + " | " + std::string(code.meaning) + " |") !=
          page.npos);
  }
}

TEST_CASE("a remark is known by its words, whatever number an older ptxas gave it") {
  const std::vector<PtxasRemark> old =
      remarks(line("C7510", kSerialised + "insufficient register resources for the function 'k'") + kEntry);
  REQUIRE(old.size() == 1);
  CHECK(old[0].code == "C7510");
  CHECK(old[0].meaning.find("do not fit a thread's registers") != std::string::npos);
}

TEST_CASE("a remark that is not known is not allowed, and says so") {
  const std::vector<PtxasRemark> read = remarks(line("C7999", "Potential Performance Loss: something new in the function 'k'") + kEntry);
  REQUIRE(read.size() == 1);
  CHECK_FALSE(read[0].is_allowed);
  CHECK(read[0].meaning.find("does not know this remark") != std::string::npos);
}

TEST_CASE("lines with one code are one remark with their number") {
  std::string log;
  for (int i = 0; i < 3; ++i) log += line("C7519", kLogged[12].words) + line("C7517", kLogged[10].words);
  const std::vector<PtxasRemark> read = remarks(log + kEntry);
  REQUIRE(read.size() == 2);
  CHECK(read[0].code == "C7519");
  CHECK(read[0].times == 3);
  CHECK(read[1].times == 3);
}

TEST_CASE("remarks on another kernel of the log are not this one's, and those on a function that is no kernel are") {
  const std::string other = "ptxas info    : Compiling entry function 'other' for 'sm_90a'\n";
  const auto of = [](const std::string& function) { return line("C7517", "warpgroup.wait is injected in function '" + function + "'"); };
  CHECK(remarks(of("other") + other + kEntry).empty());
  CHECK(remarks(of("k") + other + kEntry).size() == 1);
  CHECK(remarks(of("_Z1fPfyy") + other + kEntry).size() == 1);
}

TEST_CASE("of a log without the kernel it is not known what ptxas said") {
  CHECK_FALSE(ptxas_remarks("", "k"));
  CHECK_FALSE(ptxas_remarks(kEntry, "kernel"));
  CHECK_FALSE(ptxas_remarks("ptxas info    : Compiling entry function 'k", "k"));
  REQUIRE(ptxas_remarks(kEntry, "k"));
  CHECK(ptxas_remarks(kEntry, "k")->empty());
}

TEST_CASE("a line that only looks like a remark is none") {
  for (const std::string log : {"ptxas info    : (C75170) x in function 'k'\n", "ptxas info    : (Cabcd) x\n", "ptxas info    : (C7517 x\n",
                                "kernel.cu(3): warning: (C7517) x\n", "(C7517) x\n", "ptxas info    : (C7517)\n"})
    CHECK(remarks(log + kEntry).empty());
}

TEST_CASE("NVRTC remarks what is wrong with a kernel of wgmma, and nothing of a right one") {
  auto opened = open_nvrtc();
  if (!opened) {
    WARN("skipped: " << opened.error().message);
    return;
  }
  struct Case {
    const char* body;
    std::vector<std::string> codes;
  };
  const Case cases[] = {
      {"for (int i = 0; i < n; ++i) { fence(); wgmma(d, a + i, b + i); commit(); wait(); }", {}},
      {"fence(); for (int i = 0; i < n; ++i) { wgmma(d, a + i, b + i); commit(); out[i] = d[0]; } wait();", {"C7519", "C7517"}},
      {"for (int i = 0; i < n; ++i) wgmma(d, a, b);", {"C7519", "C7517", "C7515"}},
      {"for (;;) { fence(); wgmma(d, a, b); if (out[n] > 3) break; commit(); if (n-- == 0) break; wait(); }", {"C7519", "C7517", "C7514"}},
      {"asm volatile(\"setmaxnreg.inc.sync.aligned.u32 240;\"); fence(); wgmma(d, a, b); commit(); wait();", {"C7508"}},
  };
  for (const Case& of : cases) {
    const auto cubin = (*opened)->compile(wgmma_kernel(of.body), {90, 'a'});
    INFO(of.body << "\n" << (cubin ? cubin->log : describe(cubin.error())));
    REQUIRE(cubin.has_value());
    REQUIRE(cubin->resources.remarks);
    std::vector<std::string> codes;
    for (const PtxasRemark& remark : *cubin->resources.remarks) codes.push_back(remark.code);
    if (cubin->compiler == "NVRTC 13.0") CHECK(codes == of.codes);  // other versions number and place them otherwise
    CHECK(codes.empty() == of.codes.empty());
  }
}
