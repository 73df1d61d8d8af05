// SPDX-License-Identifier: BSD-3-Clause
// A pack is foreign: its manifest is read within bounds and must account for every byte, before anything of it is looked at.
#include "kernels/runtime/cache/cubin_pack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/json.hpp"
#include "core/base/sha256.hpp"
#include "core/base/utf8.hpp"

namespace tessera {
namespace {

constexpr std::string_view kMagic = "tessera cubin pack ";
constexpr std::string_view kFormat = "1";
constexpr std::size_t kMostEntries = 16384;
constexpr std::size_t kLargestManifest = std::size_t{8} << 20;  // bytes
constexpr JsonBounds kManifestJson{kLargestManifest, kMostEntries * 8 + 16};

Error no_pack(std::string why, ErrorCode code = ErrorCode::corrupt) {
  return Error{code,
               "nothing of the pack was used: " + std::move(why),
               {},
               {"`tessera cache pack FILE` writes one; copy it again if it was cut off or changed on the way"}};
}

std::string hash_of(const EntryTexts& texts) { return Sha256().update(texts.record).update(texts.cubin).update(texts.ptx).hex_digest(); }

// Up to and without the next newline, which is taken off too; nothing when there is none within `longest`.
std::optional<std::string_view> take_line(std::string_view& rest, std::size_t longest) {
  const std::size_t end = rest.substr(0, longest).find('\n');
  if (end == rest.npos) return std::nullopt;
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end + 1);
  return line;
}

Result<std::string_view> take_manifest(std::string_view& rest) {
  const std::optional<std::string_view> first = take_line(rest, 64);
  if (!first || !first->starts_with(kMagic)) return no_pack("it does not begin as one does");
  const std::string_view format = first->substr(kMagic.size());
  if (format != kFormat)
    return Error{
        ErrorCode::limit,
        fmt::format("nothing of the pack was used: it is of format {}, and this Tessera reads format {}", printable(format), kFormat),
        {},
        {"load it into a Tessera of the version that wrote it, or pack the GEMMs again with one of this version"}};
  const std::optional<std::string_view> line = take_line(rest, 96);
  std::size_t size = 0;
  const char* const end = line ? line->data() + line->size() : nullptr;
  const auto [after, bad] = line ? std::from_chars(line->data(), end, size) : std::from_chars_result{nullptr, std::errc::invalid_argument};
  if (bad != std::errc() || after == end || *after != ' ' || line->front() == '0') return no_pack("its second line is no size and no hash");
  const std::string_view hash(after + 1, static_cast<std::size_t>(end - after - 1));
  if (size > kLargestManifest)
    return no_pack(fmt::format("its manifest would have {} bytes; up to {} are read", size, kLargestManifest), ErrorCode::limit);
  if (size > rest.size()) return no_pack(fmt::format("it is cut off: its manifest has {} bytes, and {} are there", size, rest.size()));
  const std::string_view manifest = rest.substr(0, size);
  if (sha256_hex(manifest) != hash) return no_pack("its manifest does not have the hash that was written");
  rest.remove_prefix(size);
  return manifest;
}

struct ManifestRow {
  std::string key, sha256;
  std::size_t record_bytes = 0, cubin_bytes = 0, ptx_bytes = 0;
  std::size_t bytes() const { return record_bytes + cubin_bytes + ptx_bytes; }
};

Result<std::vector<ManifestRow>> read_manifest(std::string_view text) {
  const Result<Json> json = parse_json(text, kManifestJson, ErrorCode::corrupt);
  if (!json) return no_pack("its manifest cannot be read: " + json.error().message, json.error().code);
  JsonReader in(ErrorCode::corrupt, "nothing of the pack was used: its manifest cannot be read", 256);
  std::vector<ManifestRow> rows;
  std::set<std::string> keys;
  for (const Json& item : in.list(*json, "entries", kMostEntries)) {
    ManifestRow row{in.text(item, "key"), in.text(item, "sha256"), in.whole<std::size_t>(item, "record_bytes", 1, kFileJson.bytes),
                    in.whole<std::size_t>(item, "cubin_bytes", 0, kLargestCubin),
                    in.whole<std::size_t>(item, "ptx_bytes", 0, kLargestCubin)};
    if (in.failed()) return in.error();
    if (!is_key_name(row.key)) return no_pack(fmt::format("'{}' is no key", printable(utf8_prefix(row.key, 80))));
    if (!keys.insert(row.key).second) return no_pack(fmt::format("it has the key {} twice", row.key));
    rows.push_back(std::move(row));
  }
  return in.done(std::move(rows));
}

const std::string kReference = " reference";  // how reference_of names one

struct Kernel {
  std::string key, name;
  std::string device;       // sm_90 and sm_90a are launched on the same one
  bool serves_all = false;  // one of the runtime's own: fill, compare, hold
};

Kernel kernel_of(const std::string& key, const EntryRecord& record) {
  std::string_view arch = field_of(record.key, "arch");
  if (arch.ends_with('a')) arch.remove_suffix(1);
  return {key, std::string(field_of(record.key, "name")), std::string(arch), field_of(record.key, "entry").starts_with("tessera_")};
}

// What is wrong with an entry that arrived; empty: nothing.
std::string what_is_wrong(const ManifestRow& row, const EntryTexts& texts) {
  const Result<EntryRecord> record = check_entry(texts, true);
  if (!record && record.error().code == ErrorCode::limit) return record.error().message;
  if (hash_of(texts) != row.sha256) return "it is damaged: it does not have the hash that the manifest says";
  if (!record) return "it is damaged: " + record.error().message;
  const std::string name = key_name(record->key);
  return name == row.key ? "" : fmt::format("its record is of another key, {}", name);
}

}  // namespace

std::string pack_text(const std::vector<PackedEntry>& entries) {
  Json::List rows;
  for (const auto& [key, texts] : entries) {
    rows.push_back(Json::object({{"key", key},
                                 {"record_bytes", texts.record.size()},
                                 {"cubin_bytes", texts.cubin.size()},
                                 {"ptx_bytes", texts.ptx.size()},
                                 {"sha256", hash_of(texts)}}));
  }
  const std::string manifest = Json::object({{"entries", std::move(rows)}}).dump() + "\n";
  std::string text = fmt::format("{}{}\n{} {}\n{}", kMagic, kFormat, manifest.size(), sha256_hex(manifest), manifest);
  for (const PackedEntry& entry : entries) text += entry.texts.record + entry.texts.cubin + entry.texts.ptx;
  return text;
}

Result<Unpacked> read_pack(std::string_view bytes) {
  TESSERA_TRY(manifest, take_manifest(bytes));
  TESSERA_TRY(rows, read_manifest(manifest));
  std::size_t wanted = 0;
  for (const ManifestRow& row : rows) wanted += row.bytes();
  if (wanted != bytes.size()) {
    return no_pack(fmt::format("it is {}: its manifest speaks of {} bytes, and {} follow it",
                               wanted > bytes.size() ? "cut off" : "too long", wanted, bytes.size()));
  }
  Unpacked unpacked;
  const auto take = [&](std::size_t size) {
    std::string text(bytes.substr(0, size));
    bytes.remove_prefix(size);
    return text;
  };
  for (const ManifestRow& row : rows) {
    EntryTexts texts;
    texts.record = take(row.record_bytes), texts.cubin = take(row.cubin_bytes), texts.ptx = take(row.ptx_bytes);
    std::string wrong = what_is_wrong(row, texts);
    if (wrong.empty())
      unpacked.entries.push_back({row.key, std::move(texts)});
    else
      unpacked.not_used.push_back({row.key, std::move(wrong)});
  }
  return unpacked;
}

Result<Unpacked> entries_to_pack(const CacheFolder& folder, const std::vector<std::string>& keys) {
  Unpacked found;
  std::uintmax_t total = 0;
  for (const std::string& key : keys) {
    EntryTexts texts;
    const Result<std::optional<EntryRecord>> record = folder.check(key, true, &texts);
    if (!record)
      found.not_used.push_back({key, record.error().message});
    else if (!*record)
      found.not_used.push_back({key, "it has no .json"});
    else
      total += texts.bytes(), found.entries.push_back({key, std::move(texts)});
    if (total > kLargestFile - kLargestManifest || found.entries.size() > kMostEntries) {
      return Error{ErrorCode::limit,
                   fmt::format("a pack holds up to {} entries and {} bytes", kMostEntries, kLargestFile - kLargestManifest),
                   {},
                   {"name the keys that are wanted; `tessera cache list` shows them"}};
    }
  }
  return found;
}

Companions companions(const CacheFolder& folder, const std::vector<std::string>& keys) {
  const std::set<std::string> chosen(keys.begin(), keys.end());
  std::map<std::string, std::vector<std::string>> wanted;  // name and device of a reference -> the entries that it checks
  std::set<std::string> devices;
  std::vector<Kernel> all;
  for (const EntryUse& entry : folder.entries()) {
    const Result<std::optional<EntryRecord>> record = folder.record(entry.name);
    if (!record || !*record) continue;
    all.push_back(kernel_of(entry.name, **record));
    if (!chosen.contains(entry.name)) continue;
    devices.insert(all.back().device);
    if (!all.back().serves_all && !all.back().name.ends_with(kReference))
      wanted[all.back().name + kReference + "@" + all.back().device].push_back(entry.name);
  }
  Companions found;
  std::set<std::string> there;
  for (const Kernel& kernel : all) {
    const std::string reference = kernel.name + "@" + kernel.device;
    const bool checks = wanted.contains(reference);
    if (checks) there.insert(reference);
    if (!chosen.contains(kernel.key) && (checks || (kernel.serves_all && devices.contains(kernel.device))))
      found.keys.push_back(kernel.key);
  }
  for (const auto& [reference, checked] : wanted) {
    if (!there.contains(reference)) found.unchecked.insert(found.unchecked.end(), checked.begin(), checked.end());
  }
  return found;
}

Result<LoadReport> load_pack(const CacheSettings& settings, std::string_view bytes) {
  TESSERA_TRY(unpacked, read_pack(bytes));
  LoadReport report;
  report.not_used = std::move(unpacked.not_used);
  std::uintmax_t total = 0;
  std::set<std::string> staying;
  for (const PackedEntry& entry : unpacked.entries) total += entry.texts.bytes(), staying.insert(entry.key);
  if (total > settings.cap) {
    return Error{ErrorCode::limit,
                 fmt::format("nothing of the pack was used: its entries have {} bytes, and the cache holds up to {}", total, settings.cap),
                 {},
                 {"raise \"cache_bytes\" in the settings, or pack fewer keys"}};
  }
  if (unpacked.entries.empty()) return report;
  TESSERA_TRY(folder, CacheFolder::make(settings));
  // From the last to the first, so that the order of the list is the one that was packed.
  for (auto entry = unpacked.entries.rbegin(); entry != unpacked.entries.rend(); ++entry) {
    const Result<std::optional<EntryRecord>> there = folder.check(entry->key, true);
    if (there && *there) {
      report.there.push_back(entry->key);
      continue;
    }
    Result<std::vector<std::string>> gone = folder.write(entry->key, entry->texts, staying);
    if (!gone) return std::move(gone).error().note(fmt::format("{} entries of the pack were taken before that", report.taken.size()));
    report.taken.push_back(entry->key);
    report.made_room.insert(report.made_room.end(), gone->begin(), gone->end());
  }
  std::reverse(report.taken.begin(), report.taken.end());
  std::reverse(report.there.begin(), report.there.end());
  return report;
}

}  // namespace tessera
