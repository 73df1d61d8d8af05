// SPDX-License-Identifier: BSD-3-Clause
// The entries on disk: which goes first, whose files are whose, and two processes at once.
#include "kernels/runtime/cache/cache_folder.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "kernels/runtime/cache/cubin_cache.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/fake_device.hpp"
#include "tests/support/naive_gemm.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;
using test::FakeCompiler;
using test::naive_gemm;
namespace fs = std::filesystem;

TEST_CASE("what was used longest ago goes first, never what was just written: against a model") {
  for (unsigned seed = 0; seed < 5; ++seed) {
    std::mt19937 random(seed);
    test::TemporaryFolder folder;
    FakeCompiler compiler;
    std::int64_t clock = 1'700'000'000'000'000'000;
    CacheSettings settings{folder.path().string(), 1, [&] { return ++clock; }};
    const auto source = [](int number) {
      KernelSource one = naive_gemm(8, 8, 8);
      one.text = std::string(static_cast<std::size_t>(200 * (number + 1)), 'x');
      return one;
    };
    std::map<std::string, std::uintmax_t> bytes;
    for (int number = 0; number < 6; ++number) {
      const std::string key = CubinCache(settings).get(source(number), {90, 0}, compiler)->cache.key;
      const std::vector<EntryUse> alone = CacheFolder::make(settings)->entries();
      REQUIRE(alone.size() == 1);  // a cap of one byte leaves what was just written
      REQUIRE(alone[0].name == key);
      bytes[key] = alone[0].bytes;
    }
    REQUIRE(CacheFolder::make(settings)->remove(CacheFolder::make(settings)->entries()[0].name).has_value());
    settings.cap = 5000;
    std::vector<std::string> model;  // the last used first
    for (int step = 0; step < 30; ++step) {
      INFO("seed " << seed << ", step " << step);
      const CacheOutcome outcome = CubinCache(settings).get(source(static_cast<int>(random() % 6)), {90, 0}, compiler)->cache;
      const auto at = std::find(model.begin(), model.end(), outcome.key);
      REQUIRE(outcome.hit == (at != model.end()));
      if (at != model.end()) model.erase(at);
      model.insert(model.begin(), outcome.key);
      const auto total = [&] {
        std::uintmax_t sum = 0;
        for (const std::string& key : model) sum += bytes.at(key);
        return sum;
      };
      while (model.size() > 1 && total() > settings.cap) model.pop_back();
      std::vector<std::string> there;
      for (const EntryUse& entry : CacheFolder::make(settings)->entries()) there.push_back(entry.name);
      REQUIRE(there == model);
    }
  }
}

TEST_CASE("two that use one cache at once never find damage, whatever the other writes and removes") {
  test::TemporaryFolder folder;
  const CacheSettings settings{(folder / "cubins").string(), 6000, nanoseconds_now};
  std::atomic<int> wrong = 0;
  const auto work = [&](unsigned seed) {
    FakeCompiler compiler;
    compiler.gives_ptx = true;
    std::mt19937 random(seed);
    for (int i = 0; i < 60; ++i) {
      KernelSource source = naive_gemm(8, 8, 8);
      source.text += std::to_string(random() % 8);
      const auto made = CubinCache(settings).get(source, {90, 0}, compiler);
      if (!made || !made->cache.notes.empty() || made->cubin.bytes != "cubin of " + source.text) ++wrong;
    }
  };
  std::thread other(work, 1);
  work(2);
  other.join();
  CHECK(wrong == 0);
  const CacheFolder left = CacheFolder::make(settings).value();
  for (const EntryUse& entry : left.entries()) CHECK(left.check(entry.name, true).has_value());
}

TEST_CASE("who finds an entry damaged while another process writes waits for it, and finds it whole") {
  test::TemporaryFolder folder;
  FakeCompiler compiler;
  const CacheSettings settings{folder.path().string(), kDefaultCacheBytes, nanoseconds_now};
  const std::string key = CubinCache(settings).get(naive_gemm(8, 8, 8), {90, 0}, compiler)->cache.key;
  for (const char* part : {".cubin", ".json"}) {
    INFO(part);
    const fs::path file = folder / (key + part);
    const std::string whole = test::contents(file);
    Descriptor writing = PrivateFolder::make(folder.path())->lock(std::chrono::milliseconds(0));
    REQUIRE(writing);
    fs::remove(file);
    std::atomic<int> found = 0;
    const auto finds = [&](const auto& ask) {
      const Result<std::optional<EntryRecord>> record = ask(CacheFolder::make(settings).value());
      if (record.has_value() && record->has_value()) ++found;
    };
    std::thread checks([&] { finds([&](const CacheFolder& cache) { return cache.check(key, true); }); });
    std::thread reads([&] { finds([&](const CacheFolder& cache) { return cache.record(key); }); });
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    test::put(file, whole);
    (void)writing.close();
    checks.join();
    reads.join();
    CHECK(found == 2);
  }
}

TEST_CASE("files that are no entry's are not the cache's: they are neither counted nor removed") {
  test::TemporaryFolder folder;
  FakeCompiler compiler;
  compiler.gives_ptx = true;
  const CacheSettings settings{folder.path().string(), 1, nanoseconds_now};
  for (const char* name : {"notes.txt", "a b.json", "...cubin", ".json", "README", "x.json.bak"})
    test::put(folder / name, "a person's own");
  fs::create_directory(folder / "folder.cubin");
  for (const char* text : {"a", "b"}) {
    KernelSource source = naive_gemm(8, 8, 8);
    source.text = text;
    CHECK(CubinCache(settings).get(source, {90, 0}, compiler)->cache.notes.empty());
  }
  for (const char* name : {"notes.txt", "a b.json", "...cubin", ".json", "README", "x.json.bak"})
    CHECK(test::contents(folder / name) == "a person's own");
}

TEST_CASE("what a killed writer left is an entry that is damaged, and makes room like any other") {
  test::TemporaryFolder folder;
  FakeCompiler compiler;
  const CacheSettings settings{folder.path().string(), 1, nanoseconds_now};
  test::put(folder / "left-sm_90-0123456789ab.cubin", "cubin");
  fs::last_write_time(folder / "left-sm_90-0123456789ab.cubin", fs::file_time_type::clock::now() - std::chrono::hours(1));
  const CacheFolder cache = CacheFolder::make(settings).value();
  REQUIRE(cache.entries().size() == 1);
  CHECK(cache.entries()[0].bytes == 5);
  CHECK_FALSE(cache.check("left-sm_90-0123456789ab", true).value());
  REQUIRE(CubinCache(settings).get(naive_gemm(8, 8, 8), {90, 0}, compiler)->cache.notes.empty());
  REQUIRE(cache.entries().size() == 1);
  CHECK(cache.entries()[0].name.starts_with("naive"));
}
