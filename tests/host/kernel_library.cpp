// SPDX-License-Identifier: BSD-3-Clause
// One translation unit for all kernels, since the compiler's start costs more than a kernel.
#include "tests/host/kernel_library.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <fstream>
#include <span>
#include <string>

#include <fmt/format.h>

#include "tests/host/rewrite.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tessera::host {
namespace {

// Unwritten registers hold a pattern instead of what was there; elements are read and written through other types, as CUDA allows.
constexpr const char* kFlags = "-std=c++17 -O0 -w -fPIC -shared -fno-strict-aliasing -ffp-contract=off -ftrivial-auto-var-init=pattern";

// The text with its entry renamed, in a namespace of its own: kernels bring the same helpers.
std::string unit(std::string text, const std::string& entry, const std::string& name) {
  const std::size_t at = text.find(entry + "(", text.find("extern \"C\""));
  if (at != std::string::npos) text.replace(at, entry.size(), name);
  return fmt::format("namespace in_{} {{\n{}}}\n", name, rewrite(text));
}

}  // namespace

Result<KernelLibrary> KernelLibrary::compile(std::span<const KernelSource> sources) {
  const test::TemporaryFolder folder;
  const std::string source = (folder.path() / "kernels.cpp").string(), library = (folder.path() / "kernels.so").string(),
                    log = (folder.path() / "log").string();
  {
    std::ofstream out(source);
    out << "#include \"" << test::source_dir() << "/tests/host/prelude.hpp\"\n";
    for (std::size_t i = 0; i < sources.size(); ++i) {
      out << unit(sources[i].text, sources[i].entry, fmt::format("kernel_{}", i))
          << unit(sources[i].reference_text, sources[i].reference_entry, fmt::format("reference_{}", i));
    }
  }
  const std::string command = fmt::format("'{}' {} -o '{}' '{}' > '{}' 2>&1", TESSERA_HOST_COMPILER, kFlags, library, source, log);
  if (std::system(command.c_str()) != 0) return Error{ErrorCode::compile_failed, testing::read_file(log), {}, {}};
  void* handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) return Error{ErrorCode::compile_failed, ::dlerror(), {}, {}};
  return KernelLibrary(handle);
}

KernelLibrary::~KernelLibrary() {
  if (handle_) ::dlclose(handle_);
}

HostKernel KernelLibrary::find(const std::string& entry) const {
  const auto symbol = [&](const char* name) { return ::dlsym(handle_, name); };
  return {symbol(entry.c_str()),
          static_cast<HostMachine*>(symbol("host_machine")),
          static_cast<HostIndex*>(symbol("threadIdx")),
          static_cast<HostIndex*>(symbol("blockIdx")),
          static_cast<HostIndex*>(symbol("gridDim")),
          static_cast<unsigned char**>(symbol("smem"))};
}

HostKernel KernelLibrary::kernel(std::size_t source) const { return find(fmt::format("kernel_{}", source)); }
HostKernel KernelLibrary::reference(std::size_t source) const { return find(fmt::format("reference_{}", source)); }

}  // namespace tessera::host
