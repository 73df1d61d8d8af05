// SPDX-License-Identifier: BSD-3-Clause
// CubinCache: compiled kernels on disk, under keys that a person can read and that change only when the machine code would.
//
//   ~/.cache/tessera/cubins/sgemm_article-3f9c1a72b04e.json    a hash over both files, the key's fields, the log
//   ~/.cache/tessera/cubins/sgemm_article-3f9c1a72b04e.cubin   the machine code
//
// An entry is believed when every byte of both files is as it was written, and nobody but the person could have written them (see
// core/base/private_file.hpp): what is read back runs on the device.
// Every look-up says HIT or MISS and why: "MISS: arch was sm_80, is sm_90a". A damaged entry is compiled again and reported; a folder
// that cannot be written or believed costs the caching, never the run.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/result.hpp"
#include "kernels/runtime/compile/compiler.hpp"

namespace tessera {

struct CacheOutcome {
  bool hit = false;
  std::string reason;              // after HIT or MISS, for people
  std::string key;                 // the entry's file name without extension
  std::vector<std::string> notes;  // a damaged entry, a folder that cannot be written
};

struct CachedCubin {
  Cubin cubin;
  CacheOutcome cache;
};

// (field, value) in the order in which they are written: schema, name, entry, text, plan, arch, options, compiler
using CacheKey = std::vector<std::pair<std::string, std::string>>;
CacheKey cache_key(const KernelSource& source, ArchTarget arch, const KernelCompiler& compiler);

class CubinCache {
 public:
  // `folder` need not exist; it is made when the first entry is written. An empty folder means: no cache.
  explicit CubinCache(std::string folder) : folder_(std::move(folder)) {}

  // $XDG_CACHE_HOME/tessera/cubins, or ~/.cache/tessera/cubins
  static std::string default_folder();

  // From the cache, or from the compiler and then kept.
  Result<CachedCubin> get(const KernelSource& source, ArchTarget arch, KernelCompiler& compiler);

  const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
};

}  // namespace tessera
