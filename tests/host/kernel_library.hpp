// SPDX-License-Identifier: BSD-3-Clause
// Emitted kernels, compiled by the host's compiler into one library and loaded.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>

#include "kernels/codegen/kernel_source.hpp"
#include "tests/host/machine.hpp"

namespace tessera::host {

class KernelLibrary {
 public:
  // An Error holds what the compiler said.
  static Result<KernelLibrary> compile(std::span<const KernelSource> sources);
  ~KernelLibrary();
  KernelLibrary(KernelLibrary&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  KernelLibrary& operator=(KernelLibrary&&) = delete;

  HostKernel kernel(std::size_t source) const;
  HostKernel reference(std::size_t source) const;  // its source's reference_text

 private:
  explicit KernelLibrary(void* handle) : handle_(handle) {}
  HostKernel find(const std::string& entry) const;
  void* handle_ = nullptr;
};

}  // namespace tessera::host
