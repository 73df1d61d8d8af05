// SPDX-License-Identifier: BSD-3-Clause
// A pack carries entries to another cache whole, or not at all: whatever is done to its bytes changes nothing that is there.
#include "kernels/runtime/cache/cubin_pack.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/sha256.hpp"
#include "kernels/runtime/cache/cubin_cache.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/fake_device.hpp"
#include "tests/support/naive_gemm.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;
using test::FakeCompiler;
using test::naive_gemm;
namespace fs = std::filesystem;

namespace {

struct Bench {
  test::TemporaryFolder folder;
  FakeCompiler compiler;
  std::int64_t clock = 1'700'000'000'000'000'000;
  CacheSettings settings{(folder / "cubins").string(), kDefaultCacheBytes, [this] { return clock += 1'000'000'000; }};

  std::string make(const KernelSource& source, ArchTarget arch = {90, 0}) {
    return CubinCache(settings).get(source, arch, compiler)->cache.key;
  }
  CacheFolder open() const { return CacheFolder::make(settings).value(); }
  std::vector<std::string> keys() const {
    std::vector<std::string> found;
    for (const EntryUse& entry : open().entries()) found.push_back(entry.name);
    return found;
  }
  std::string packed() const { return pack_text(entries_to_pack(open(), keys())->entries); }
  // Every file and its bytes; not when it was used.
  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> found;
    if (!fs::exists(settings.folder)) return found;
    for (const auto& file : fs::directory_iterator(settings.folder)) {
      if (file.path().filename() != ".lock") found[file.path().filename().string()] = test::contents(file.path());
    }
    return found;
  }
};

KernelSource numbered(int number) {
  KernelSource source = naive_gemm(8, 8, 8);
  source.text += "// " + std::to_string(number) + "\n";
  return source;
}

// A pack with any manifest and any bytes after it, its hash right.
std::string forged(const std::string& manifest, const std::string& rest) {
  return "tessera cubin pack 1\n" + std::to_string(manifest.size()) + " " + sha256_hex(manifest) + "\n" + manifest + rest;
}
std::string row(const std::string& key, const PackedEntry& entry, const std::string& bytes = {}) {
  const EntryTexts& texts = entry.texts;
  const std::string hash = sha256_hex(texts.record + texts.cubin + texts.ptx);
  return R"({"key":")" + key + R"(","record_bytes":)" + std::to_string(texts.record.size()) + R"(,"cubin_bytes":)" +
         (bytes.empty() ? std::to_string(texts.cubin.size()) : bytes) + R"(,"ptx_bytes":)" + std::to_string(texts.ptx.size()) +
         R"(,"sha256":")" + hash + "\"}";
}
std::string body(const PackedEntry& entry) { return entry.texts.record + entry.texts.cubin + entry.texts.ptx; }

}  // namespace

TEST_CASE("what is packed and loaded into an empty cache is the same list with the same bytes") {
  for (unsigned seed = 0; seed < 6; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    Bench here, there;
    here.compiler.gives_ptx = seed % 2 == 0;
    for (unsigned i = 0; i < seed * 3; ++i) here.make(numbered(static_cast<int>(random() % 5)), {random() % 2 == 0 ? 80 : 90, 0});
    const Result<LoadReport> report = load_pack(there.settings, here.packed());
    REQUIRE(report.has_value());
    CHECK(report->taken == here.keys());
    CHECK(there.keys() == here.keys());
    CHECK(there.files() == here.files());
    CHECK(there.packed() == here.packed());
  }
}

TEST_CASE("a pack with any byte changed, any byte missing or any byte more is refused, or its entry is") {
  Bench here, there;
  here.compiler.gives_ptx = true;
  here.make(numbered(1));
  here.make(numbered(2));
  const std::string pack = here.packed();
  const auto original = here.files();
  for (std::size_t at = 0; at < pack.size(); ++at) {
    INFO("byte " << at);
    std::string changed = pack;
    changed[at] = static_cast<char>(changed[at] ^ (1 << (at % 8)));
    const Result<Unpacked> unpacked = read_pack(changed);
    if (unpacked) {
      REQUIRE(unpacked->not_used.size() == 1);
      REQUIRE(unpacked->entries.size() == 1);
      REQUIRE(unpacked->entries[0].texts.cubin == original.at(unpacked->entries[0].key + ".cubin"));
    }
    if (at % 251 != 0) continue;
    const Result<LoadReport> report = load_pack(there.settings, changed);
    REQUIRE(report.has_value() == unpacked.has_value());
    for (const auto& [name, text] : there.files()) REQUIRE(original.at(name) == text);
    fs::remove_all(there.settings.folder);
  }
  for (std::size_t size = 0; size < pack.size(); ++size) {
    INFO("cut to " << size);
    REQUIRE_FALSE(read_pack(std::string_view(pack).substr(0, size)).has_value());
  }
  CHECK_FALSE(load_pack(there.settings, pack + " ").has_value());
  CHECK(there.files().empty());
}

TEST_CASE("a hostile pack changes nothing, and says in words what is wrong with it") {
  Bench here, there;
  const std::string key = here.make(numbered(1));
  const Unpacked unpacked = entries_to_pack(here.open(), {key}).value();
  const PackedEntry& entry = unpacked.entries.front();
  const auto list = [](const std::string& rows) { return "{\"entries\":[" + rows + "]}"; };
  const std::string one = row(key, entry);
  REQUIRE(read_pack(forged(list(one), body(entry)))->entries.size() == 1);  // the forger knows the format
  const std::map<std::string, std::pair<std::string, std::string>> hostile = {
      {"a path", {forged(list(row("../../evil-sm_90-0123456789ab", entry)), body(entry)), "no key"}},
      {"an absolute path", {forged(list(row("/tmp/evil-sm_90-0123456789ab", entry)), body(entry)), "no key"}},
      {"a hidden file", {forged(list(row(".lock", entry)), body(entry)), "no key"}},
      {"an empty key", {forged(list(row("", entry)), body(entry)), "no key"}},
      {"the same key twice", {forged(list(one + "," + one), body(entry) + body(entry)), "twice"}},
      {"a huge size", {forged(list(row(key, entry, "9223372036854775807")), body(entry)), "cubin_bytes"}},
      {"a size below zero", {forged(list(row(key, entry, "-1")), body(entry)), "cubin_bytes"}},
      {"sizes that do not add up", {forged(list(row(key, entry, "268435456")), body(entry)), "cut off"}},
      {"more than it says", {forged(list(one), body(entry) + "x"), "too long"}},
      {"a manifest of another kind", {forged("[1,2]", body(entry)), "entries"}},
      {"a manifest that is no JSON", {forged("{", ""), "cannot be read"}},
      {"a huge manifest", {"tessera cubin pack 1\n999999999999 00\n", "manifest would have"}},
      {"a count beyond numbers", {"tessera cubin pack 1\n99999999999999999999999999 00\n", "second line"}},
      {"another format", {"tessera cubin pack 7\n12 00\n", "format 7"}},
      {"another file", {"\177ELF and so on", "does not begin"}},
      {"nothing", {"", "does not begin"}},
  };
  for (const auto& [what, pack] : hostile) {
    INFO(what);
    const Result<LoadReport> report = load_pack(there.settings, pack.first);
    REQUIRE_FALSE(report.has_value());
    INFO(report.error().message);
    CHECK(report.error().message.find("nothing of the pack was used") != std::string::npos);
    CHECK(report.error().message.find(pack.second) != std::string::npos);
    CHECK_FALSE(fs::exists(there.settings.folder));
  }
  std::string rows;
  for (int i = 0; i < 16385; ++i) rows += (i == 0 ? "" : ",") + one;
  CHECK_FALSE(load_pack(there.settings, forged(list(rows), "")).has_value());
}

TEST_CASE("an entry that cannot be used is refused by itself: another format, another key, a wrong hash") {
  Bench here, there;
  const std::string good = here.make(numbered(1)), other = here.make(numbered(2));
  const Unpacked unpacked = entries_to_pack(here.open(), {good, other}).value();
  PackedEntry bad = unpacked.entries.at(1);
  std::string key = other, why;
  SECTION("of another format") {
    bad.texts.record.replace(bad.texts.record.find("\"schema\": \"4\""), 13, "\"schema\": \"2\"");
    why = "it is of format 2, and this Tessera uses format 4";
  }
  SECTION("under another key") {
    key = "evil-sm_90-0123456789ab";
    why = "its record is of another key, " + other;
  }
  SECTION("whose cubin is not the record's") {
    bad.texts.cubin.back() = static_cast<char>(bad.texts.cubin.back() ^ 1);
    why = "it is damaged";
  }
  SECTION("whose PTX is not the record's") {
    bad.texts.ptx += "more";
    why = "its .ptx has 4 bytes";
  }
  SECTION("that is no record") {
    bad.texts.record = std::string(40, '[');
    why = "it is damaged";
  }
  const std::string manifest = "{\"entries\":[" + row(good, unpacked.entries.at(0)) + "," + row(key, bad) + "]}";
  const LoadReport report = load_pack(there.settings, forged(manifest, body(unpacked.entries.at(0)) + body(bad))).value();
  CHECK(report.taken == std::vector<std::string>{good});
  REQUIRE(report.not_used.size() == 1);
  CHECK(report.not_used[0].key == key);
  INFO(report.not_used[0].why);
  CHECK(report.not_used[0].why.find(why) != std::string::npos);
  CHECK(there.keys() == std::vector<std::string>{good});
}

TEST_CASE("a load replaces a damaged entry, leaves a whole one as it was, and follows no link") {
  Bench here, there;
  const std::string key = here.make(numbered(1));
  const std::string pack = here.packed();
  const fs::path cubin = fs::path(there.settings.folder) / (key + ".cubin");
  REQUIRE(load_pack(there.settings, pack).has_value());
  const auto whole = there.files();
  SECTION("a whole one") {
    here.clock += 1'000'000'000'000;
    fs::remove_all(here.settings.folder);
    here.make(numbered(1));  // the same kernel, made at another time: another record of the same key
    REQUIRE(here.files() != whole);
    const LoadReport report = load_pack(there.settings, here.packed()).value();
    CHECK(report.taken.empty());
    CHECK(report.there == std::vector<std::string>{key});
  }
  SECTION("a damaged one") {
    test::put(cubin, "damaged");
    CHECK(load_pack(there.settings, pack)->taken == std::vector<std::string>{key});
  }
  SECTION("one that is a link to a file of another's") {
    const fs::path victim = there.folder / "victim";
    test::put(victim, "precious");
    fs::remove(cubin);
    fs::create_symlink(victim, cubin);
    CHECK(load_pack(there.settings, pack)->taken == std::vector<std::string>{key});
    CHECK(test::contents(victim) == "precious");
    CHECK_FALSE(fs::is_symlink(cubin));
  }
  SECTION("a bad one instead of a whole one") {
    std::string bad = pack;
    bad.back() = static_cast<char>(bad.back() ^ 1);
    CHECK(load_pack(there.settings, bad)->not_used.size() == 1);
  }
  CHECK(there.files() == whole);
}

TEST_CASE("a pack that is larger than the cache may be is refused whole; older entries make room for one that is not") {
  Bench here, there;
  for (const int number : {1, 2}) here.make(numbered(number));
  std::uintmax_t bytes = 0;
  for (const EntryUse& entry : here.open().entries()) bytes += entry.bytes;
  const std::string old = there.make(numbered(3));
  there.settings.cap = bytes - 1;
  CHECK(load_pack(there.settings, here.packed()).error().message.find("the cache holds up to") != std::string::npos);
  CHECK(there.keys() == std::vector<std::string>{old});
  there.settings.cap = bytes;
  const LoadReport report = load_pack(there.settings, here.packed()).value();
  CHECK(report.made_room == std::vector<std::string>{old});
  CHECK(there.keys() == here.keys());
}

TEST_CASE("with a kernel go those that check and time it on the same device, and no others") {
  Bench here;
  const KernelSource source = naive_gemm(8, 8, 8);
  const std::string key = here.make(source, {90, 'a'});
  std::set<std::string> wanted;
  for (const KernelSource& one : {reference_of(source), fill_kernel("f32").value(), compare_kernel("f32").value(), hold_kernel()}) {
    wanted.insert(here.make(one, {90, 0}));
    here.make(one, {80, 0});
  }
  here.make(reference_of(naive_gemm(16, 8, 8)), {90, 0});
  const std::string unchecked = here.make(naive_gemm(8, 16, 8), {90, 'a'});
  Companions found = companions(here.open(), {key});
  CHECK(std::set<std::string>(found.keys.begin(), found.keys.end()) == wanted);
  CHECK(found.unchecked.empty());
  found = companions(here.open(), {unchecked, key});
  CHECK(found.keys.size() == wanted.size());
  CHECK(found.unchecked == std::vector<std::string>{unchecked});
  found = companions(here.open(), here.keys());
  CHECK(found.keys.empty());
  CHECK(found.unchecked == std::vector<std::string>{unchecked});
}
