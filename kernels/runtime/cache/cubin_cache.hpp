// SPDX-License-Identifier: BSD-3-Clause
// CubinCache: compiled kernels on disk, under keys that a person can read and that change only when the machine code would.
//
// An entry is believed when every byte of it is as it was written, and nobody but the person could have written it (see cache_folder.hpp):
// what is read back runs on the device.
// Every look-up says HIT or MISS and why: "MISS: arch was sm_80, is sm_90a (the nearest entry is ..., made 2 minutes ago)". A damaged entry
// is compiled again and reported; a folder that cannot be written or believed, or vanishes, costs the caching, never the run.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/result.hpp"
#include "kernels/runtime/cache/cache_folder.hpp"
#include "kernels/runtime/compile/compiler.hpp"

namespace tessera {

struct CacheOutcome {
  bool hit = false;
  std::string reason;                     // after HIT or MISS, for people
  std::string key;                        // the entry's name
  std::vector<std::string> notes;         // a damaged entry, a folder that cannot be written
  std::vector<std::string> differs = {};  // of a miss: the fields in which the nearest entry differs: "source", "arch", ...
  std::string nearest = {};               // ... and that entry's name
};

struct CachedCubin {
  Cubin cubin;
  CacheOutcome cache;
};

class CubinCache {
 public:
  explicit CubinCache(CacheSettings settings) : settings_(std::move(settings)) {}
  // The folder is made when the first entry is written. An empty one means: no cache.
  explicit CubinCache(std::string folder) { settings_.folder = std::move(folder); }

  // $XDG_CACHE_HOME/tessera/cubins, or ~/.cache/tessera/cubins
  static std::string default_folder();

  // From the cache, or from the compiler and then kept. Without a compiler (one that has no version) an entry of any version will do, and
  // the error of a miss says what is nearest.
  Result<CachedCubin> get(const KernelSource& source, ArchTarget arch, KernelCompiler& compiler);

  const std::string& folder() const { return settings_.folder; }

 private:
  CacheSettings settings_;
};

}  // namespace tessera
