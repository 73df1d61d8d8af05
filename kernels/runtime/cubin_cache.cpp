// SPDX-License-Identifier: BSD-3-Clause
// The cache's files. An entry counts only when its .json is whole, its key is the one asked for and the .cubin has the checksum the .json
// names; files are written beside their place, flushed and renamed, so a crash or a second writer leaves no half entry.
#include "kernels/runtime/cubin_cache.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>  // std::getenv
#include <cstring>  // std::strerror
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/base/sha256.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Raised when what an entry holds changes: entries of another schema are then simply not found.
constexpr const char* schema = "1";

std::string file_stem(const CacheKey& key) {
  std::string stem, all;
  for (const auto& [field, value] : key) {
    all += field + "=" + value + "\n";
    if (field != "name") continue;
    for (const char c : value.substr(0, 48)) stem += (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') ? c : '_';
  }
  return stem + "-" + sha256_hex(all).substr(0, 16);
}

std::optional<std::string> read_file(const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return std::nullopt;  // reading a folder would throw
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// The reason why not, or nothing.
std::optional<std::string> write_whole(const fs::path& path, const std::string& bytes) {
  std::string temporary = path.string() + ".XXXXXX";
  const int file = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (file < 0) return std::strerror(errno);
  std::size_t written = 0;
  while (written < bytes.size()) {
    const ssize_t n = ::write(file, bytes.data() + written, bytes.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    written += static_cast<std::size_t>(n);
  }
  const bool whole = written == bytes.size() && ::fsync(file) == 0;
  const int reason = errno;
  ::close(file);
  if (whole && ::rename(temporary.c_str(), path.c_str()) == 0) return std::nullopt;
  ::unlink(temporary.c_str());
  return std::strerror(whole ? errno : reason);
}

Json key_json(const CacheKey& key) {
  Json json = Json::object();
  for (const auto& [field, value] : key) json[field] = value;
  return json;
}

std::string entry_text(const CacheKey& key, const Cubin& cubin) {
  Json json;
  json["key"] = key_json(key);
  json["cubin_sha256"] = sha256_hex(cubin.bytes);
  json["cubin_bytes"] = cubin.bytes.size();
  json["compiler"] = cubin.compiler;
  json["log"] = cubin.log;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// A field that is a text; of another kind, or in something that is no object, it is as good as missing.
std::optional<std::string> text_in(const Json& json, const std::string& name) {
  const auto found = json.is_object() ? json.find(name) : json.end();
  if (found == json.end() || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

// What a look-up found: a cubin, or the damage, or nothing.
struct Found {
  std::optional<Cubin> cubin;
  std::string damage;
};

Found read_entry(const fs::path& stem, const CacheKey& key, const KernelSource& source, ArchTarget arch) {
  const auto text = read_file(stem.string() + ".json");
  if (!text) return {};
  const Json json = Json::parse(*text, nullptr, false);
  const auto checksum = text_in(json, "cubin_sha256"), log = text_in(json, "log"), compiler = text_in(json, "compiler");
  if (!json.contains("key") || !checksum || !log || !compiler) return {{}, "its .json cannot be read"};
  if (json["key"] != key_json(key)) return {{}, "its .json is of another key"};
  const auto bytes = read_file(stem.string() + ".cubin");
  if (!bytes) return {{}, "its .cubin is missing"};
  if (sha256_hex(*bytes) != *checksum)
    return {{}, fmt::format("its .cubin ({} bytes) does not have the checksum that was written", bytes->size())};
  Cubin cubin;
  cubin.bytes = *bytes;
  cubin.arch = arch;
  cubin.entry = source.entry;
  cubin.log = *log;
  cubin.resources = parse_ptxas_log(cubin.log, source.entry);
  cubin.compiler = *compiler;
  return {std::move(cubin), ""};
}

// Why there is no entry: the nearest entry of the same name, and the fields in which it differs.
std::string miss_reason(const fs::path& folder, const CacheKey& key, const std::string& stem) {
  const std::string prefix = stem.substr(0, stem.rfind('-') + 1);
  std::vector<std::string> fewest;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (!name.starts_with(prefix) || it->path().extension() != ".json") continue;
    const Json json = Json::parse(read_file(it->path()).value_or(""), nullptr, false);
    if (!json.is_object() || !json.contains("key") || !json["key"].is_object()) continue;
    std::vector<std::string> differences;
    for (const auto& [field, value] : key) {
      const std::string there = text_in(json["key"], field).value_or("nothing");
      if (there == value) continue;
      const bool is_digest = there.starts_with("sha256:");
      differences.push_back(is_digest ? field + " changed" : fmt::format("{} was {}, is {}", field, there, value));
    }
    if (!differences.empty() && (fewest.empty() || differences.size() < fewest.size())) fewest = std::move(differences);
  }
  if (fewest.empty()) return "no entry of this kernel";
  return fmt::format("{}", fmt::join(fewest, "; "));
}

void keep(const fs::path& folder, const std::string& stem, const CacheKey& key, const Cubin& cubin, CacheOutcome& outcome) {
  std::error_code error;
  fs::create_directories(folder, error);
  std::optional<std::string> reason;
  if (error) reason = error.message();
  if (!reason) reason = write_whole(folder / (stem + ".cubin"), cubin.bytes);
  if (!reason) reason = write_whole(folder / (stem + ".json"), entry_text(key, cubin));
  if (reason) outcome.notes.push_back(fmt::format("the cubin could not be kept in {}: {}", folder.string(), *reason));
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
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return std::string(cache) + "/tessera/cubins";
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home == 0) return {};
  return std::string(home) + "/.cache/tessera/cubins";
}

Result<CachedCubin> CubinCache::get(const KernelSource& source, ArchTarget arch, KernelCompiler& compiler) {
  const CacheKey key = cache_key(source, arch, compiler);
  CachedCubin result;
  result.cache.key = file_stem(key);
  if (folder_.empty()) {
    result.cache.reason = "the cache is off";
  } else {
    Found found = read_entry(fs::path(folder_) / result.cache.key, key, source, arch);
    if (found.cubin) {
      result.cubin = std::move(*found.cubin);
      result.cache.hit = true;
      result.cache.reason = fmt::format("{} for {}, {}", source.name, arch.name(), result.cubin.compiler);
      return result;
    }
    if (!found.damage.empty()) {
      result.cache.reason = "the entry is damaged";
      result.cache.notes.push_back(fmt::format("cache entry {} is damaged and was compiled again: {}", result.cache.key, found.damage));
    } else {
      result.cache.reason = miss_reason(folder_, key, result.cache.key);
    }
  }
  TESSERA_TRY(cubin, compiler.compile(source, arch));
  if (!folder_.empty()) keep(folder_, result.cache.key, key, cubin, result.cache);
  result.cubin = std::move(cubin);
  return result;
}

}  // namespace tessera
