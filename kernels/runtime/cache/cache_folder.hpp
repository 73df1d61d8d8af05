// SPDX-License-Identifier: BSD-3-Clause
// CacheFolder: the entries on disk. Each is two or three files of one name, believed only when nobody else could have written them:
//
//   ~/.cache/tessera/cubins/tensor_gemm-sm_90a-1a2b3c4d5e6f.json    the record; its time is when the entry was last used
//   ~/.cache/tessera/cubins/tensor_gemm-sm_90a-1a2b3c4d5e6f.cubin   the machine code
//   ~/.cache/tessera/cubins/tensor_gemm-sm_90a-1a2b3c4d5e6f.ptx     for people; there where the compiler gave it
//
// Several processes may use one folder. Who writes or removes holds a lock; who finds an entry damaged looks again under it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/private_file.hpp"
#include "core/base/result.hpp"
#include "kernels/runtime/cache/cache_entry.hpp"

namespace tessera {

inline constexpr std::uintmax_t kDefaultCacheBytes = std::uintmax_t{256} << 20;

std::int64_t nanoseconds_now();  // since 1970

struct CacheSettings {
  std::string folder;                       // need not exist; empty: no cache
  std::uintmax_t cap = kDefaultCacheBytes;  // bytes of all entries; what was used longest ago goes first, never what was just written
  std::function<std::int64_t()> now_ns = nanoseconds_now;
  std::string program = {};  // "tessera 0.1.0": who makes entries
};

struct EntryUse {
  std::string name;
  std::uintmax_t bytes = 0;  // of all its files
  std::int64_t used_ns = 0;
};

class CacheFolder {
 public:
  // Nothing when there is none.
  static Result<std::optional<CacheFolder>> open(const CacheSettings& settings);
  static Result<CacheFolder> make(const CacheSettings& settings);

  std::vector<EntryUse> entries() const;  // the last used first

  // Nothing: there is no such entry. An error: what is wrong with it (cache_entry.hpp).
  Result<std::optional<EntryRecord>> record(const std::string& name) const;  // the record alone, its hash not asked
  // Every byte checked, the name too; `texts` gets them. The PTX is read where `with_ptx`.
  Result<std::optional<EntryRecord>> check(const std::string& name, bool with_ptx, EntryTexts* texts = nullptr) const;

  // Replaces what has that name, then makes room. `keep`: entries that stay, beside this one. Says which entries made room.
  Result<std::vector<std::string>> write(const std::string& name, const EntryTexts& texts, const std::set<std::string>& keep = {}) const;
  Status remove(const std::string& name) const;
  void touch(const std::string& name) const;  // it was used now

 private:
  CacheFolder(PrivateFolder folder, CacheSettings settings) : folder_(std::move(folder)), settings_(std::move(settings)) {}
  bool has_files(const std::string& name) const;
  Result<std::optional<EntryRecord>> record_now(const std::string& name) const;
  Result<std::optional<EntryRecord>> check_now(const std::string& name, bool with_ptx, EntryTexts& texts) const;
  Status write_files(const std::string& name, const EntryTexts& texts) const;
  Status write_file(const std::string& file, std::string_view bytes) const;
  Status remove_files(const std::string& name) const;
  std::vector<std::string> make_room(const std::set<std::string>& keep) const;

  PrivateFolder folder_;
  CacheSettings settings_;
};

}  // namespace tessera
