// SPDX-License-Identifier: BSD-3-Clause
// What the subcommands of `tessera cache` and those that compile share: the cache of this person, and how one of its entries is named.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/files/options.hpp"
#include "core/base/result.hpp"
#include "kernels/runtime/cache/cache_folder.hpp"

namespace tessera {

// The folder, and the cap of the settings; where those cannot be read the default cap, and a note.
CacheSettings cache_settings();

// The cache as it is now. There is a folder where there is an entry; asking makes none.
struct OpenedCache {
  CacheSettings settings;
  std::optional<CacheFolder> folder;
  std::vector<EntryUse> entries;  // the last used first
};
Result<OpenedCache> open_cache();  // a sentence where it is off

// The entries that are meant by keys, or by beginnings of exactly one key each.
Result<std::vector<EntryUse>> find_entries(const std::vector<EntryUse>& all, const std::vector<std::string>& keys);

std::string bytes_in_words(std::uintmax_t bytes);  // "16512 bytes", "1.5 MiB"

// Those entries into one file, and a line for each by `say`.
Exit write_pack(const std::string& file, const std::vector<std::string>& keys, bool force, void (*say)(std::string_view));

Subcommand cache_pack_subcommand();
Subcommand cache_load_subcommand();

}  // namespace tessera
