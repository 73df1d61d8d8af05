// SPDX-License-Identifier: BSD-3-Clause
// A pack: cache entries in one file, to be carried to another machine, such as one without a compiler.
//
//   tessera cubin pack 1
//   <bytes of the manifest> <its SHA-256>
//   {"entries":[{"key":"tensor_gemm-sm_90a-1a2b3c4d5e6f","record_bytes":1234,"cubin_bytes":16512,"ptx_bytes":9876,"sha256":"..."},...]}
//   <the texts of each entry: record, cubin, ptx>
//
// The file ends where the manifest says. Every byte is compared or under a hash: a changed one costs the pack or its entry. A hash says
// that an entry arrived as it was packed, not that it means well: what is loaded runs on the GPU.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "kernels/runtime/cache/cache_folder.hpp"

namespace tessera {

struct PackedEntry {
  std::string key;
  EntryTexts texts;
};
// In this order, which is the order of a list: the last used first.
std::string pack_text(const std::vector<PackedEntry>& entries);

struct NotUsed {
  std::string key, why;
};
struct Unpacked {
  std::vector<PackedEntry> entries;
  std::vector<NotUsed> not_used;  // damaged, or of another format
};
// An error where the file as a whole is no pack: nothing of it may be used then.
Result<Unpacked> read_pack(std::string_view bytes);

// Those of a cache, every byte checked; an entry that cannot be packed is said to be.
Result<Unpacked> entries_to_pack(const CacheFolder& folder, const std::vector<std::string>& keys);
// The kernels that check and time what is in `keys` (see kernels/runtime/measure), as far as the cache has them.
struct Companions {
  std::vector<std::string> keys;       // without those that were asked about
  std::vector<std::string> unchecked;  // entries of `keys` whose reference, with which a result is compared, the cache does not have
};
Companions companions(const CacheFolder& folder, const std::vector<std::string>& keys);

struct LoadReport {
  std::vector<std::string> taken, there;  // new, or in place of a damaged one; whole already, and left as it was
  std::vector<NotUsed> not_used;
  std::vector<std::string> made_room;  // older entries that went
};
// Into the cache; what cannot be used changes nothing. An error where nothing of it can be: no pack, or more than the cache may hold.
Result<LoadReport> load_pack(const CacheSettings& settings, std::string_view bytes);

}  // namespace tessera
