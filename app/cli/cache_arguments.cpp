// SPDX-License-Identifier: BSD-3-Clause
// Where the cache is, and which entry a person means.
#include "app/cli/cache_arguments.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/cli/terminal.hpp"
#include "app/session/files/settings.hpp"
#include "kernels/runtime/cache/cubin_cache.hpp"

namespace tessera {

CacheSettings cache_settings() {
  CacheSettings cache;
  cache.folder = CubinCache::default_folder();
  cache.program = "tessera " TESSERA_VERSION;
  const Result<Settings> settings = load_settings();
  if (!settings) {
    note(fmt::format("note: the cache holds up to {}, since {}", bytes_in_words(cache.cap), describe(settings.error())));
    return cache;
  }
  cache.cap = settings->cache_bytes;
  if (cache.cap == 0) cache.folder.clear();
  return cache;
}

Result<OpenedCache> open_cache() {
  OpenedCache cache;
  cache.settings = cache_settings();
  if (cache.settings.folder.empty()) {
    return Error{ErrorCode::io,
                 "the cache is off: no cubins are kept",
                 {},
                 {"it is on where HOME is set and \"cache_bytes\" in the settings is not 0"}};
  }
  TESSERA_TRY(folder, CacheFolder::open(cache.settings));
  if (folder) cache.entries = folder->entries();
  cache.folder = std::move(folder);
  return cache;
}

Result<std::vector<EntryUse>> find_entries(const std::vector<EntryUse>& all, const std::vector<std::string>& keys) {
  std::vector<EntryUse> found;
  for (const std::string& key : keys) {
    std::vector<const EntryUse*> meant;
    for (const EntryUse& entry : all) {
      if (entry.name == key) {
        meant = {&entry};
        break;
      }
      if (!key.empty() && entry.name.starts_with(key)) meant.push_back(&entry);
    }
    if (meant.empty()) {
      return Error{ErrorCode::unknown_name,
                   fmt::format("the cache has no entry '{}', and none whose key begins so", key),
                   {},
                   {"`tessera cache list` shows the keys"}};
    }
    if (meant.size() > 1) {
      Error error{ErrorCode::unknown_name, fmt::format("'{}' is the beginning of {} keys, and one is wanted", key, meant.size()), {}, {}};
      for (std::size_t i = 0; i < meant.size() && i < 8; ++i) error.notes.push_back(meant[i]->name);
      return error;
    }
    const bool again = std::any_of(found.begin(), found.end(), [&](const EntryUse& entry) { return entry.name == meant[0]->name; });
    if (!again) found.push_back(*meant[0]);
  }
  return found;
}

std::string bytes_in_words(std::uintmax_t bytes) {
  if (bytes < (std::uintmax_t{1} << 20)) return counted(static_cast<std::size_t>(bytes), "byte", "bytes");
  const double mebibytes = static_cast<double>(bytes) / (1 << 20);
  return mebibytes < 1023.5 ? fmt::format("{:.4g} MiB", mebibytes) : fmt::format("{:.4g} GiB", mebibytes / 1024);
}

}  // namespace tessera
