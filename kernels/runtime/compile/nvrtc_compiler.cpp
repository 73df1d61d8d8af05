// SPDX-License-Identifier: BSD-3-Clause
// NVRTC behind KernelCompiler. Opened at run time; without the toolkit's header at build time there is no compiler, and it says so.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kernels/runtime/compile/compiler.hpp"
#include "kernels/runtime/compile/cuda_headers.hpp"
#include "kernels/runtime/device/shared_library.hpp"

#if defined(TESSERA_HAVE_CUDA) && __has_include(<nvrtc.h>)
#define TESSERA_HAVE_NVRTC 1
#include <nvrtc.h>
#endif

namespace tessera {

KernelSource reference_of(const KernelSource& source) {
  KernelSource reference = source;
  reference.name = source.name + " reference";
  reference.entry = source.reference_entry;
  reference.text = source.reference_text;
  reference.grid = source.reference_grid;
  reference.block = source.reference_block;
  reference.smem_bytes = 0;
  reference.least_sm = 0;  // plain C: it runs wherever the kernel does
  reference.arch_suffix = 0;
  reference.plan_text.clear();
  reference.maps.clear();  // it takes pointers
  return reference;
}

std::vector<std::string> nvrtc_options() { return {"-std=c++17", "--ptxas-options=-v"}; }

#ifndef TESSERA_HAVE_NVRTC

Result<std::unique_ptr<KernelCompiler>> open_nvrtc() {
  return Error{ErrorCode::no_compiler,
               "this build of Tessera has no NVRTC: the CUDA toolkit's header nvrtc.h was not there when it was built",
               {},
               {"install the CUDA toolkit (or its nvrtc package), then build again"}};
}

#else

namespace {

struct NvrtcFunctions {
  decltype(&nvrtcVersion) version = nullptr;
  decltype(&nvrtcGetErrorString) error_string = nullptr;
  decltype(&nvrtcGetNumSupportedArchs) arch_count = nullptr;
  decltype(&nvrtcGetSupportedArchs) archs = nullptr;
  decltype(&nvrtcCreateProgram) create = nullptr;
  decltype(&nvrtcDestroyProgram) destroy = nullptr;
  decltype(&nvrtcCompileProgram) compile = nullptr;
  decltype(&nvrtcGetProgramLogSize) log_size = nullptr;
  decltype(&nvrtcGetProgramLog) log = nullptr;
  decltype(&nvrtcGetCUBINSize) cubin_size = nullptr;
  decltype(&nvrtcGetCUBIN) cubin = nullptr;
  decltype(&nvrtcGetPTXSize) ptx_size = nullptr;
  decltype(&nvrtcGetPTX) ptx = nullptr;

  bool find_in(const SharedLibrary& library) {
    return library.find(version, "nvrtcVersion") && library.find(error_string, "nvrtcGetErrorString") &&
           library.find(arch_count, "nvrtcGetNumSupportedArchs") && library.find(archs, "nvrtcGetSupportedArchs") &&
           library.find(create, "nvrtcCreateProgram") && library.find(destroy, "nvrtcDestroyProgram") &&
           library.find(compile, "nvrtcCompileProgram") && library.find(log_size, "nvrtcGetProgramLogSize") &&
           library.find(log, "nvrtcGetProgramLog") && library.find(cubin_size, "nvrtcGetCUBINSize") &&
           library.find(cubin, "nvrtcGetCUBIN") && library.find(ptx_size, "nvrtcGetPTXSize") && library.find(ptx, "nvrtcGetPTX");
  }
};

// Destroys the program on every way out.
class Program {
 public:
  explicit Program(const NvrtcFunctions& nvrtc) : nvrtc_(nvrtc) {}
  ~Program() {
    if (program_ != nullptr) nvrtc_.destroy(&program_);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  nvrtcProgram* address() { return &program_; }
  nvrtcProgram get() const { return program_; }

 private:
  const NvrtcFunctions& nvrtc_;
  nvrtcProgram program_ = nullptr;
};

std::string program_log(const NvrtcFunctions& nvrtc, nvrtcProgram program) {
  std::size_t size = 0;
  if (nvrtc.log_size(program, &size) != NVRTC_SUCCESS || size <= 1) return {};
  std::string log(size, '\0');
  nvrtc.log(program, log.data());
  while (!log.empty() && (log.back() == '\0' || log.back() == '\n')) log.pop_back();
  return log;
}

// What people read beside the machine code; without it the cubin is as good.
std::string program_ptx(const NvrtcFunctions& nvrtc, nvrtcProgram program) {
  std::size_t size = 0;
  if (nvrtc.ptx_size(program, &size) != NVRTC_SUCCESS || size <= 1) return {};
  std::string ptx(size, '\0');
  if (nvrtc.ptx(program, ptx.data()) != NVRTC_SUCCESS) return {};
  while (!ptx.empty() && ptx.back() == '\0') ptx.pop_back();
  return ptx;
}

// The lines that name an error come first: a person reads five, not five hundred.
std::vector<std::string> error_lines(const std::string& log) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < log.size() && lines.size() < 12;) {
    const std::size_t end = std::min(log.find('\n', begin), log.size());
    const std::string line = log.substr(begin, end - begin);
    if (line.find_first_not_of(" \t") != std::string::npos) lines.push_back(line);
    begin = end + 1;
  }
  return lines;
}

class NvrtcCompiler final : public KernelCompiler {
 public:
  NvrtcCompiler(const NvrtcFunctions& nvrtc, std::string library, int major, int minor, std::vector<int> sms)
      : nvrtc_(nvrtc),
        library_(std::move(library)),
        major_(major),
        version_(fmt::format("NVRTC {}.{}", major, minor)),
        sms_(std::move(sms)) {}

  std::string version() const override { return version_; }
  std::vector<std::string> options() const override { return nvrtc_options(); }
  std::vector<int> supported_sms() const override { return sms_; }
  bool knows_suffix_a() const override { return major_ >= 12; }

  Result<Cubin> compile(const KernelSource& source, ArchTarget arch) override {
    if (std::find(sms_.begin(), sms_.end(), arch.sm) == sms_.end()) {
      return Error{ErrorCode::wrong_arch,
                   fmt::format("{} does not compile for {}; it does for sm_{} to sm_{}", version_, arch.name(), sms_.front(), sms_.back()),
                   {},
                   {"try another version of the CUDA toolkit (CUDA_PATH says which)"}};
    }
    const auto begin = std::chrono::steady_clock::now();
    Program program(nvrtc_);
    const std::string file = source.entry + ".cu";
    if (nvrtc_.create(program.address(), source.text.c_str(), file.c_str(), 0, nullptr, nullptr) != NVRTC_SUCCESS) {
      return Error{ErrorCode::compile_failed, fmt::format("{} could not take the text of kernel '{}'", version_, source.name), {}, {}};
    }
    std::vector<std::string> words = command_line(arch);
    if (const std::vector<std::string> headers = included_headers(source.text); !headers.empty()) {
      TESSERA_TRY(folder, folder_with(headers, header_folders(library_)));
      words.push_back("--include-path=" + folder);
    }
    std::vector<const char*> pointers;
    for (const std::string& word : words) pointers.push_back(word.c_str());
    const nvrtcResult result = nvrtc_.compile(program.get(), static_cast<int>(pointers.size()), pointers.data());
    Cubin cubin;
    cubin.log = program_log(nvrtc_, program.get());
    if (result != NVRTC_SUCCESS) {
      return Error{ErrorCode::compile_failed,
                   fmt::format("{} refused kernel '{}' for {} ({})", version_, source.name, arch.name(), nvrtc_.error_string(result)),
                   {},
                   error_lines(cubin.log)};
    }
    std::size_t size = 0;
    nvrtc_.cubin_size(program.get(), &size);
    cubin.bytes.resize(size);
    if (size == 0 || nvrtc_.cubin(program.get(), cubin.bytes.data()) != NVRTC_SUCCESS) {
      return Error{ErrorCode::compile_failed, fmt::format("{} made no cubin of kernel '{}'", version_, source.name), {}, {}};
    }
    cubin.ptx = program_ptx(nvrtc_, program.get());
    cubin.arch = arch;
    cubin.entry = source.entry;
    cubin.resources = parse_ptxas_log(cubin.log, source.entry);
    cubin.compiler = version_;
    cubin.compile_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    return cubin;
  }

 private:
  std::vector<std::string> command_line(ArchTarget arch) const {
    std::vector<std::string> words = options();
    words.insert(words.begin(), "--gpu-architecture=" + arch.name());
    if (major_ >= 13) words.push_back("--no-cache");  // a cubin from NVRTC's own cache comes without the log of registers and spills
    return words;
  }

  NvrtcFunctions nvrtc_;
  std::string library_;  // its file
  int major_ = 0;
  std::string version_;
  std::vector<int> sms_;
};

}  // namespace

Result<std::unique_ptr<KernelCompiler>> open_nvrtc() {
  TESSERA_TRY(library, SharedLibrary::open({"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so"}, ErrorCode::no_compiler,
                                           "no NVRTC on this machine, so kernels cannot be compiled"));
  NvrtcFunctions nvrtc;
  int major = 0, minor = 0, count = 0;
  if (!nvrtc.find_in(library) || nvrtc.version(&major, &minor) != NVRTC_SUCCESS) {
    return Error{ErrorCode::no_compiler, fmt::format("{} is too old: NVRTC 11.2 or later is needed", library.path()), {}, {}};
  }
  nvrtc.arch_count(&count);
  std::vector<int> sms(static_cast<std::size_t>(std::max(count, 0)));
  if (sms.empty() || nvrtc.archs(sms.data()) != NVRTC_SUCCESS) {
    return Error{ErrorCode::no_compiler, fmt::format("{} names no architecture that it compiles for", library.path()), {}, {}};
  }
  std::sort(sms.begin(), sms.end());
  return std::unique_ptr<KernelCompiler>(
      std::make_unique<NvrtcCompiler>(nvrtc, library.file_of("nvrtcVersion"), major, minor, std::move(sms)));
}

#endif

}  // namespace tessera
