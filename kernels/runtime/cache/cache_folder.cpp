// SPDX-License-Identifier: BSD-3-Clause
// Files of one name as an entry: read in full or not at all, written record last, removed record first.
#include "kernels/runtime/cache/cache_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/json.hpp"

namespace tessera {
namespace {

constexpr std::array<std::string_view, 3> kEndings = {".json", ".ptx", ".cubin"};
constexpr std::size_t kLongestEntryName = 128;            // bytes
constexpr std::chrono::milliseconds kLockPatience{2000};  // then without: the worst is one more compile

// The entry that a file belongs to; empty where it is none of ours. Entries of older formats have other names, made of the same letters.
std::string entry_of_file(std::string_view file) {
  for (const std::string_view ending : kEndings) {
    if (!file.ends_with(ending)) continue;
    const std::string_view name = file.substr(0, file.size() - ending.size());
    const bool plain = !name.empty() && name.size() <= kLongestEntryName && std::all_of(name.begin(), name.end(), [](char c) {
      return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
    });
    return plain ? std::string(name) : std::string();
  }
  return {};
}

}  // namespace

std::int64_t nanoseconds_now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

Result<std::optional<CacheFolder>> CacheFolder::open(const CacheSettings& settings) {
  TESSERA_TRY(folder, PrivateFolder::open(settings.folder));
  if (!folder) return std::optional<CacheFolder>();
  return std::optional(CacheFolder(std::move(*folder), settings));
}

Result<CacheFolder> CacheFolder::make(const CacheSettings& settings) {
  TESSERA_TRY(folder, PrivateFolder::make(settings.folder));
  return CacheFolder(std::move(folder), settings);
}

std::vector<EntryUse> CacheFolder::entries() const {
  std::map<std::string, EntryUse> found;
  std::map<std::string, bool> has_record;
  for (const std::string& file : folder_.names()) {
    const std::string name = entry_of_file(file);
    const std::optional<FileStamp> stamp = name.empty() ? std::nullopt : folder_.stamp(file);
    if (!stamp) continue;
    EntryUse& entry = found[name];
    entry.bytes += stamp->size;
    // The record's time is the entry's; without one, that of what is left of it.
    if (file.ends_with(".json")) has_record[name] = true, entry.used_ns = stamp->modified_ns;
    if (!has_record[name]) entry.used_ns = std::max(entry.used_ns, stamp->modified_ns);
  }
  std::vector<EntryUse> entries;
  for (auto& [name, entry] : found) entries.push_back({name, entry.bytes, entry.used_ns});
  std::stable_sort(entries.begin(), entries.end(), [](const EntryUse& a, const EntryUse& b) { return a.used_ns > b.used_ns; });
  return entries;
}

bool CacheFolder::has_files(const std::string& name) const {
  return std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view ending) { return folder_.stamp(name + std::string(ending)); });
}

Result<std::optional<EntryRecord>> CacheFolder::record(const std::string& name) const {
  Result<std::optional<EntryRecord>> found = record_now(name);
  if (found && (*found || !has_files(name))) return found;
  const Descriptor lock = folder_.lock(kLockPatience);  // another process may be in the middle of writing it
  return record_now(name);
}

Result<std::optional<EntryRecord>> CacheFolder::record_now(const std::string& name) const {
  TESSERA_TRY(text, folder_.read(name + ".json", kFileJson.bytes));
  if (!text) return std::optional<EntryRecord>();
  TESSERA_TRY(record, read_record(text->bytes));
  return std::optional(std::move(record));
}

Result<std::optional<EntryRecord>> CacheFolder::check_now(const std::string& name, bool with_ptx, EntryTexts& texts) const {
  TESSERA_TRY(json, folder_.read(name + ".json", kFileJson.bytes));
  if (!json) return std::optional<EntryRecord>();
  texts.record = std::move(json->bytes);
  if (const Result<EntryRecord> head = read_record(texts.record); !head && head.error().code == ErrorCode::limit) return head.error();
  TESSERA_TRY(cubin, folder_.read(name + ".cubin", kLargestCubin));
  if (!cubin) return damage("its .cubin is missing");
  texts.cubin = std::move(cubin->bytes);
  texts.ptx.clear();
  if (with_ptx) {
    TESSERA_TRY(ptx, folder_.read(name + ".ptx", kLargestCubin));
    if (ptx) texts.ptx = std::move(ptx->bytes);
  }
  TESSERA_TRY(record, check_entry(texts, with_ptx));
  if (key_name(record.key) != name) return damage("its .json is of another key");
  return std::optional(std::move(record));
}

Result<std::optional<EntryRecord>> CacheFolder::check(const std::string& name, bool with_ptx, EntryTexts* texts) const {
  EntryTexts own;
  EntryTexts& into = texts != nullptr ? *texts : own;
  Result<std::optional<EntryRecord>> found = check_now(name, with_ptx, into);
  if (found && (*found || !has_files(name))) return found;
  const Descriptor lock = folder_.lock(kLockPatience);
  return check_now(name, with_ptx, into);
}

Result<std::vector<std::string>> CacheFolder::write(const std::string& name, const EntryTexts& texts,
                                                    const std::set<std::string>& keep) const {
  if (texts.record.size() > kFileJson.bytes || texts.cubin.size() > kLargestCubin || texts.ptx.size() > kLargestCubin)
    return Error{ErrorCode::limit, fmt::format("it is too large ({} and {} bytes)", texts.record.size(), texts.cubin.size()), {}, {}};
  const Descriptor lock = folder_.lock(kLockPatience);
  if (Status written = write_files(name, texts); !written) {
    (void)remove_files(name);  // what is left of it would only take room, as where the disk is full
    return std::move(written).error();
  }
  touch(name);
  std::set<std::string> staying = keep;
  staying.insert(name);
  return make_room(staying);
}

Status CacheFolder::write_files(const std::string& name, const EntryTexts& texts) const {
  TESSERA_CHECK(texts.ptx.empty() ? folder_.remove(name + ".ptx") : write_file(name + ".ptx", texts.ptx));
  TESSERA_CHECK(write_file(name + ".cubin", texts.cubin));
  return write_file(name + ".json", texts.record);
}

Status CacheFolder::write_file(const std::string& file, std::string_view bytes) const {
  TESSERA_CHECK(folder_.write(file, bytes));
  return Done{};
}

Status CacheFolder::remove_files(const std::string& name) const {
  for (const std::string_view ending : kEndings) TESSERA_CHECK(folder_.remove(name + std::string(ending)));
  return Done{};
}

Status CacheFolder::remove(const std::string& name) const {
  const Descriptor lock = folder_.lock(kLockPatience);
  return remove_files(name);
}

void CacheFolder::touch(const std::string& name) const {
  (void)folder_.touch(name + ".json", settings_.now_ns());  // a time that cannot be written costs the order, not the run
}

std::vector<std::string> CacheFolder::make_room(const std::set<std::string>& keep) const {
  std::vector<EntryUse> all = entries();
  std::uintmax_t total = 0;
  for (const EntryUse& entry : all) total += entry.bytes;
  std::vector<std::string> gone;
  for (auto oldest = all.rbegin(); oldest != all.rend() && total > settings_.cap; ++oldest) {
    if (keep.contains(oldest->name)) continue;
    if (!remove_files(oldest->name)) continue;  // what cannot go costs room
    total -= oldest->bytes;
    gone.push_back(oldest->name);
  }
  return gone;
}

}  // namespace tessera
