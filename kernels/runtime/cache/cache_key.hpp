// SPDX-License-Identifier: BSD-3-Clause
// CacheKey: everything that the machine code of a kernel depends on, as fields that a person can read, and the name made of them.
//
//   tensor_gemm-sm_90a-1a2b3c4d5e6f    the kernel, the architecture, and a hash of all the fields
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/runtime/compile/compiler.hpp"

namespace tessera {

// (field, value) in the order in which they are written: schema, name, entry, text, plan, arch, options, compiler
using CacheKey = std::vector<std::pair<std::string, std::string>>;
CacheKey cache_key(const KernelSource& source, ArchTarget arch, const KernelCompiler& compiler);

// Raised when what an entry holds changes: an entry of another one is not used.
inline constexpr const char* kCacheSchema = "4";

std::string_view field_of(const CacheKey& key, std::string_view field);  // empty: there is no such field
bool has_cache_fields(const CacheKey& key);                              // those of cache_key, in their order

std::string key_name(const CacheKey& key);         // "tensor_gemm-sm_90a-1a2b3c4d5e6f"
std::string name_prefix(std::string_view kernel);  // "tensor_gemm-": how the names of all its entries begin
bool is_key_name(std::string_view name);           // a plain name of that form: it leads to no other folder

// In which fields an entry differs from what is wanted: "source", "plan", "arch", "options", "NVRTC version", ...
struct KeyDifference {
  std::vector<std::string> fields;
  std::string words;  // "source and plan differ; arch was sm_80, is sm_90a"
};
// Where nothing can be compiled, what does not count: the compiler's version, then also an architecture whose code the wanted one runs.
enum class Leniency { none, any_compiler, any_that_runs };
KeyDifference differences(const CacheKey& was, const CacheKey& is, Leniency leniency = Leniency::none);

}  // namespace tessera
