// SPDX-License-Identifier: BSD-3-Clause
// The cache's files. An entry counts only when nobody else could have written it, both its files have the hash that the .json begins with,
// and its key is the one asked for.
#include "kernels/runtime/cache/cubin_cache.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <filesystem>
#include <optional>

#include "core/base/json.hpp"
#include "core/base/private_file.hpp"
#include "core/base/sha256.hpp"
#include "core/base/utf8.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

// Raised when what an entry holds changes: entries of another schema are then simply not found.
constexpr const char* schema = "2";
constexpr std::uintmax_t kLargestCubin = std::uintmax_t{256} << 20;  // bytes
constexpr std::size_t kShownOfField = 200;                           // bytes of another entry's field, in words
constexpr int kMostCompared = 256;                                   // entries of one name, for the reason of a miss

std::string file_stem(const CacheKey& key) {
  std::string stem, all;
  for (const auto& [field, value] : key) {
    all += field + "=" + value + "\n";
    if (field != "name") continue;
    for (const char c : value.substr(0, 48)) stem += (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') ? c : '_';
  }
  return stem + "-" + sha256_hex(all).substr(0, 16);
}

Json key_json(const CacheKey& key) {
  Json::Members fields;
  for (const auto& [field, value] : key) fields.push_back({field, value});
  return Json::object(std::move(fields));
}

// How every .json begins. The 64 digits after it are the hash of all that follows them and of the .cubin, so that every byte of an entry
// is either compared or under the hash.
constexpr std::string_view kOpening = "{\n  \"sha256\": \"";
constexpr std::size_t kDigits = 64;

std::string hash_of(std::string_view after_digits, std::string_view cubin) {
  return Sha256().update(std::to_string(after_digits.size())).update(":").update(after_digits).update(cubin).hex_digest();
}

std::string entry_text(const CacheKey& key, const Cubin& cubin) {
  const Json json = Json::object({{"sha256", std::string(kDigits, '0')},
                                  {"key", key_json(key)},
                                  {"cubin_bytes", cubin.bytes.size()},
                                  {"compiler", cubin.compiler},
                                  {"log", cubin.log}});
  std::string text = json.dump(2) + "\n";
  const std::size_t end = kOpening.size() + kDigits;
  return text.replace(kOpening.size(), kDigits, hash_of(std::string_view(text).substr(end), cubin.bytes));
}

bool is_whole(std::string_view text, std::string_view cubin) {
  const std::size_t end = kOpening.size() + kDigits;
  return text.size() > end && text.starts_with(kOpening) && text.substr(kOpening.size(), kDigits) == hash_of(text.substr(end), cubin);
}

// What a look-up found: a cubin, or the damage, or nothing.
struct Found {
  std::optional<Cubin> cubin;
  std::string damage;
};

Found read_entry(const PrivateFolder& folder, const std::string& stem, const CacheKey& key, const KernelSource& source, ArchTarget arch) {
  const auto text = folder.read(stem + ".json", kFileJson.bytes);
  if (!text) return {{}, text.error().message};
  if (!*text) return {};
  const auto bytes = folder.read(stem + ".cubin", kLargestCubin);
  if (!bytes) return {{}, bytes.error().message};
  if (!*bytes) return {{}, "its .cubin is missing"};
  if (!is_whole((*text)->bytes, (*bytes)->bytes))
    return {{}, fmt::format("its .json and .cubin ({} bytes) do not have the hash that was written", (*bytes)->bytes.size())};
  const Result<Json> json = parse_json((*text)->bytes, kFileJson, ErrorCode::corrupt);
  if (!json) return {{}, "its .json cannot be read: " + json.error().message};
  JsonReader in(ErrorCode::corrupt, "its .json cannot be read");
  if (in.object(*json, "key").dump() != key_json(key).dump()) return {{}, in.failed() ? in.error().message : "its .json is of another key"};
  Cubin cubin;
  cubin.bytes = std::move((*bytes)->bytes);
  cubin.arch = arch;
  cubin.entry = source.entry;
  cubin.log = in.text(*json, "log");
  cubin.resources = parse_ptxas_log(cubin.log, source.entry);
  cubin.compiler = in.text(*json, "compiler");
  if (in.failed()) return {{}, in.error().message};
  return {std::move(cubin), ""};
}

// The fields in which an entry differs from a key, in words; empty when there are none, or the entry cannot be read.
std::vector<std::string> differences(const PrivateFolder& folder, const std::string& name, const CacheKey& key) {
  const auto text = folder.read(name, kFileJson.bytes);
  if (!text || !*text) return {};
  const Result<Json> json = parse_json((*text)->bytes, kFileJson, ErrorCode::corrupt);
  const Json* there = json ? json->find("key") : nullptr;
  if (there == nullptr || there->members() == nullptr) return {};
  std::vector<std::string> found;
  for (const auto& [field, value] : key) {
    const Json* other = there->find(field);
    const std::string was = other && other->text() ? *other->text() : "nothing";
    if (was == value) continue;
    found.push_back(was.starts_with("sha256:") ? field + " changed"
                                               : fmt::format("{} was {}, is {}", field, utf8_prefix(was, kShownOfField), value));
  }
  return found;
}

// Why there is no entry: the nearest entry of the same name, and the fields in which it differs.
std::string miss_reason(const PrivateFolder& folder, const CacheKey& key, const std::string& stem) {
  const std::string prefix = stem.substr(0, stem.rfind('-') + 1);
  std::vector<std::string> fewest;
  int compared = 0;
  for (const std::string& name : folder.names()) {
    if (!name.starts_with(prefix) || !name.ends_with(".json") || ++compared > kMostCompared) continue;
    std::vector<std::string> fields = differences(folder, name, key);
    if (!fields.empty() && (fewest.empty() || fields.size() < fewest.size())) fewest = std::move(fields);
  }
  if (fewest.empty()) return "no entry of this kernel";
  return fmt::format("{}", fmt::join(fewest, "; "));
}

Status write_entry(const fs::path& path, const std::string& stem, const CacheKey& key, const Cubin& cubin) {
  const std::string text = entry_text(key, cubin);
  if (text.size() > kFileJson.bytes || cubin.bytes.size() > kLargestCubin)
    return Error{ErrorCode::limit, fmt::format("it is too large ({} and {} bytes)", text.size(), cubin.bytes.size()), {}, {}};
  TESSERA_TRY(folder, PrivateFolder::make(path));
  TESSERA_CHECK(folder.write(stem + ".cubin", cubin.bytes));
  TESSERA_CHECK(folder.write(stem + ".json", text));
  return Done{};
}

std::string in_words(const Error& error) {
  return fmt::format("{}{}", error.message, error.notes.empty() ? "" : "; " + error.notes.front());
}

}  // namespace

CacheKey cache_key(const KernelSource& source, ArchTarget arch, const KernelCompiler& compiler) {
  return {{"schema", schema},
          {"name", source.name},
          {"entry", source.entry},
          {"text", "sha256:" + sha256_hex(source.text)},
          {"plan", "sha256:" + sha256_hex(source.plan_text)},
          {"arch", arch.name()},
          {"options", fmt::format("{}", fmt::join(compiler.options(), " "))},
          {"compiler", compiler.version()}};
}

std::string CubinCache::default_folder() {
  const fs::path cache = own_folder(OwnFolder::cache);
  return cache.empty() ? "" : (cache / "cubins").string();
}

Result<CachedCubin> CubinCache::get(const KernelSource& source, ArchTarget arch, KernelCompiler& compiler) {
  const CacheKey key = cache_key(source, arch, compiler);
  CachedCubin result;
  CacheOutcome& outcome = result.cache;
  outcome.key = file_stem(key);
  const auto folder = PrivateFolder::open(folder_);
  if (folder_.empty()) {
    outcome.reason = "the cache is off";
  } else if (!folder) {
    outcome.reason = "the cache is not used";
    outcome.notes.push_back(fmt::format("the cache in {} is not used: {}", folder_, in_words(folder.error())));
  } else if (!*folder) {
    outcome.reason = "no entry of this kernel";
  } else {
    Found found = read_entry(**folder, outcome.key, key, source, arch);
    if (found.cubin) {
      result.cubin = std::move(*found.cubin);
      outcome.hit = true;
      outcome.reason = fmt::format("{} for {}, {}", source.name, arch.name(), result.cubin.compiler);
      return result;
    }
    outcome.reason = found.damage.empty() ? miss_reason(**folder, key, outcome.key) : "the entry is damaged";
    if (!found.damage.empty())
      outcome.notes.push_back(fmt::format("cache entry {} is damaged and was compiled again: {}", outcome.key, found.damage));
  }
  TESSERA_TRY(cubin, compiler.compile(source, arch));
  if (!folder_.empty() && folder) {
    if (const Status kept = write_entry(folder_, outcome.key, key, cubin); !kept)
      outcome.notes.push_back(fmt::format("the cubin could not be kept in {}: {}", folder_, in_words(kept.error())));
  }
  result.cubin = std::move(cubin);
  return result;
}

}  // namespace tessera
