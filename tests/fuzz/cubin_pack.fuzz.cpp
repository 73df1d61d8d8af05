// SPDX-License-Identifier: BSD-3-Clause
// Bytes as a pack from anywhere: what is taken of it is an entry as it was packed, under a plain key, and no key twice.
//
// The first byte says whether the rest is the pack itself, or edits a real one: (offset, offset, byte) triples, of which a byte of 0 cuts
// the pack there; or is a manifest, with its hash right, before the bytes of the real one.
#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/sha256.hpp"
#include "core/base/utf8.hpp"
#include "kernels/runtime/cache/cubin_pack.hpp"
#include "tests/fuzz/targets.hpp"

namespace tessera::fuzz {
namespace {

std::vector<PackedEntry> real_entries() {
  std::vector<PackedEntry> entries;
  for (const std::string text : {"first", "second"}) {
    const CacheKey key = {{"schema", kCacheSchema}, {"name", "gemm"},   {"entry", "gemm"}, {"text", text},
                          {"plan", "plan"},         {"arch", "sm_90a"}, {"options", ""},   {"compiler", "NVRTC 13.0"}};
    Cubin cubin;
    cubin.bytes = "cubin of " + text, cubin.ptx = "PTX";
    entries.push_back({key_name(key), make_entry(key, cubin, {1})});
  }
  return entries;
}

std::string edited(std::string text, std::string_view edits) {
  for (; edits.size() >= 3 && !text.empty(); edits.remove_prefix(3)) {
    const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(edits[i])); };
    const std::size_t at = (byte(0) * 256 + byte(1)) % text.size();
    if (byte(2) == 0)
      text.resize(at);
    else
      text[at] = static_cast<char>(static_cast<unsigned char>(text[at]) ^ byte(2));
  }
  return text;
}

std::string with_manifest(std::string_view manifest, const std::vector<PackedEntry>& entries) {
  std::string text = "tessera cubin pack 1\n" + std::to_string(manifest.size()) + " " + sha256_hex(manifest) + "\n" + std::string(manifest);
  for (const PackedEntry& entry : entries) text += entry.texts.record + entry.texts.cubin + entry.texts.ptx;
  return text;
}

}  // namespace

std::string broken_cubin_pack(std::string_view bytes) {
  static const std::vector<PackedEntry> real = real_entries();
  static const std::string whole = pack_text(real);
  if (bytes.empty()) return "";
  const int choice = static_cast<unsigned char>(bytes.front()) % 3;
  bytes.remove_prefix(1);
  const std::string pack = choice == 0 ? std::string(bytes) : choice == 1 ? edited(whole, bytes) : with_manifest(bytes, real);
  const Result<Unpacked> unpacked = read_pack(pack);
  if (!unpacked) return is_utf8(describe(unpacked.error())) ? "" : "a refusal is not UTF-8";
  std::set<std::string> keys;
  for (const auto& [key, why] : unpacked->not_used) {
    if (!is_key_name(key) || !keys.insert(key).second) return "a key that is none, or twice";
    if (why.empty() || !is_utf8(why)) return "an entry is refused without words";
  }
  for (const auto& [key, texts] : unpacked->entries) {
    if (!is_key_name(key) || !keys.insert(key).second) return "a key that is none, or twice";
    const Result<EntryRecord> record = check_entry(texts, true);
    if (!record || key_name(record->key) != key) return "an entry is taken that is not whole";
    const bool known = std::any_of(real.begin(), real.end(), [&, &name = key, &its = texts](const PackedEntry& one) {
      return one.key == name && one.texts.cubin == its.cubin && one.texts.ptx == its.ptx;
    });
    if (choice == 1 && !known) return "an entry is taken that was not packed";
  }
  return "";
}

}  // namespace tessera::fuzz
