// SPDX-License-Identifier: BSD-3-Clause
// The device functions that a kernel calls: of kernels/device, and the atom's own `mma`. Only those that it uses, declared before it and
// defined after it, so that a reader meets the kernel first.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "core/atom/instructions/mma_atom.hpp"

namespace tessera::emitting {

struct DeviceFunctions {
  std::string types;         // typedef unsigned short half_t;
  std::string declarations;  // __device__ unsigned smem_address(const void* pointer);
  std::string definitions;
};

// What a text names of device functions and types, collected where it is written: needs("cp_async") is "cp_async". A type of C++ itself
// needs nothing.
class Needs {
 public:
  std::string operator()(std::string_view name) { return *names_.emplace(name).first; }
  bool contains(std::string_view name) const { return names_.contains(name); }

 private:
  std::set<std::string, std::less<>> names_;
};

// With what they need of each other. `atom`: whose `mma` there may be, or null.
DeviceFunctions device_functions(Needs needs, const MmaAtom* atom);

}  // namespace tessera::emitting
