// SPDX-License-Identifier: BSD-3-Clause
// The record's text, its hashes, and what is wrong with one in words.
#include "kernels/runtime/cache/cache_entry.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/json.hpp"
#include "core/base/sha256.hpp"
#include "core/base/utf8.hpp"

namespace tessera {
namespace {

// How every record begins. The 64 digits after it are the hash of all that follows them and of the cubin, so that every byte of both is
// either compared or under the hash.
constexpr std::string_view kOpening = "{\n  \"sha256\": \"";
constexpr std::size_t kDigits = 64;
constexpr std::int64_t kLatest = 253402300799;  // the end of the year 9999

std::string hash_of(std::string_view after_digits, std::string_view cubin) {
  return Sha256().update(std::to_string(after_digits.size())).update(":").update(after_digits).update(cubin).hex_digest();
}

Json key_json(const CacheKey& key) {
  Json::Members fields;
  for (const auto& [field, value] : key) fields.push_back({field, value});
  return Json::object(std::move(fields));
}

bool is_whole(const EntryTexts& texts) {
  const std::size_t end = kOpening.size() + kDigits;
  const std::string_view text = texts.record;
  return text.size() > end && text.starts_with(kOpening) && text.substr(kOpening.size(), kDigits) == hash_of(text.substr(end), texts.cubin);
}

Result<CacheKey> read_key(const Json& json) {
  const Json* object = json.find("key");
  if (object == nullptr || object->members() == nullptr) return damage("its .json cannot be read: it has no object \"key\"");
  CacheKey key;
  for (const JsonMember& member : *object->members()) {
    if (member.value.text() == nullptr)
      return damage(fmt::format("its .json cannot be read: \"{}\" of its key is no text", utf8_prefix(member.name, 40)));
    key.emplace_back(member.name, *member.value.text());
  }
  const std::string_view schema = field_of(key, "schema");
  if (schema != kCacheSchema) {
    return Error{ErrorCode::limit,
                 fmt::format("it is of format {}, and this Tessera uses format {}", schema.empty() ? "nothing" : utf8_prefix(schema, 20),
                             kCacheSchema),
                 {},
                 {}};
  }
  if (!has_cache_fields(key)) return damage("its .json cannot be read: its key has other fields than a key of this format");
  return key;
}

}  // namespace

EntryTexts make_entry(const CacheKey& key, const Cubin& cubin, const EntryOrigin& origin) {
  const Json json = Json::object({{"sha256", std::string(kDigits, '0')},
                                  {"key", key_json(key)},
                                  {"cubin_bytes", cubin.bytes.size()},
                                  {"ptx_bytes", cubin.ptx.size()},
                                  {"ptx_sha256", sha256_hex(cubin.ptx)},
                                  {"made", origin.made},
                                  {"made_by", origin.by},
                                  {"problem", origin.problem},
                                  {"plan", origin.plan},
                                  {"log", cubin.log}});
  std::string text = json.dump(2) + "\n";
  const std::size_t end = kOpening.size() + kDigits;
  text.replace(kOpening.size(), kDigits, hash_of(std::string_view(text).substr(end), cubin.bytes));
  return {std::move(text), cubin.bytes, cubin.ptx};
}

Result<EntryRecord> read_record(std::string_view text) {
  const Result<Json> json = parse_json(text, kFileJson, ErrorCode::corrupt);
  if (!json) return damage("its .json cannot be read: " + json.error().message);
  TESSERA_TRY(key, read_key(*json));
  EntryRecord record;
  record.key = std::move(key);
  JsonReader in(ErrorCode::corrupt, "its .json cannot be read");
  record.cubin_bytes = in.whole<std::size_t>(*json, "cubin_bytes", 0, kLargestCubin);
  record.ptx_bytes = in.whole<std::size_t>(*json, "ptx_bytes", 0, kLargestCubin);
  record.ptx_sha256 = in.text(*json, "ptx_sha256");
  record.origin.made = in.whole<std::int64_t>(*json, "made", 0, kLatest);
  record.origin.by = in.text(*json, "made_by");
  record.origin.problem = in.text(*json, "problem");
  record.origin.plan = in.text(*json, "plan");
  record.log = in.text(*json, "log");
  return in.done(std::move(record));
}

Result<EntryRecord> check_entry(const EntryTexts& texts, bool with_ptx) {
  Result<EntryRecord> record = read_record(texts.record);
  if (!record && record.error().code == ErrorCode::limit) return record;
  if (!is_whole(texts))
    return damage(fmt::format("its .json and .cubin ({} bytes) do not have the hash that was written", texts.cubin.size()));
  if (!record) return record;
  if (record->cubin_bytes != texts.cubin.size())
    return damage(fmt::format("its .cubin has {} bytes, and its .json says {}", texts.cubin.size(), record->cubin_bytes));
  if (!with_ptx) return record;
  if (record->ptx_bytes != texts.ptx.size())
    return damage(fmt::format("its .ptx has {} bytes, and its .json says {}", texts.ptx.size(), record->ptx_bytes));
  if (record->ptx_sha256 != sha256_hex(texts.ptx))
    return damage(fmt::format("its .ptx ({} bytes) does not have the hash that was written", texts.ptx.size()));
  return record;
}

Cubin cubin_of(const EntryRecord& record, std::string bytes, ArchTarget arch) {
  Cubin cubin;
  cubin.bytes = std::move(bytes);
  cubin.arch = arch;
  cubin.entry = field_of(record.key, "entry");
  cubin.log = record.log;
  cubin.resources = parse_ptxas_log(cubin.log, cubin.entry);
  cubin.compiler = field_of(record.key, "compiler");
  return cubin;
}

std::string problem_in_words(const KernelSource& source) {
  const BlasProblem& blas = source.blas;
  if (blas.m == 0) return {};
  const std::string majors =
      blas.expressible ? fmt::format(" {}{}", blas.a_k_major ? 'T' : 'N', blas.b_k_major ? 'N' : 'T') : std::string();
  return fmt::format("{} x {} x {}{}, {} {} {}", blas.m, blas.n, blas.k, majors, source.a.type, source.b.type, source.c.type);
}

std::string age_in_words(std::int64_t seconds) {
  const auto words = [](std::int64_t count, std::string_view unit) {
    return fmt::format("{} {}{} ago", count, unit, count == 1 ? "" : "s");
  };
  if (seconds < 5) return "just now";
  if (seconds < 60) return words(seconds, "second");
  if (seconds < 3600) return words(seconds / 60, "minute");
  if (seconds < 86400) return words(seconds / 3600, "hour");
  return words(seconds / 86400, "day");
}

std::string date_in_words(std::int64_t made) {
  return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(static_cast<std::time_t>(made)));
}

}  // namespace tessera
